"""The endpoint store against real servers and a fake one that misbehaves; the engines agree."""

from __future__ import annotations

import base64
import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from servers import (
    HOSTILE,
    free_port,
    hostile_triples,
    oxigraph_binary,
    oxigraph_server,
    virtuoso_folder,
    virtuoso_server,
)

from kbqa.errors import KbqaError, KnowledgeBaseError, QueryError, StoreTimeout, StoreUnavailable
from kbqa.protocols import Store
from kbqa.store import EmbeddedStore, EndpointStore, open_store
from kbqa.types import XSD, Iri, Literal, Rows

E = "http://example.org/"
TRUE = ((Literal("true", XSD + "boolean"),),)
FALSE = ((Literal("false", XSD + "boolean"),),)
CARTESIAN = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
GRAPH = f"""
@prefix : <{E}> . @prefix xsd: <{XSD}> .
:ada :name "Ada"@en, "Ada (de)"@de ; :born "1815-12-10"^^xsd:date ; :child :byron, :anne ; :in :london .
:alan :name "Alan"@en ; :born "1912"^^xsd:gYear ; :in :london ;
  :held [ :post :chair ; :from "1948"^^xsd:gYear ] .
:grace :name "Grace"@en-US ; :born "1906-12"^^xsd:gYearMonth ; :in :newyork ;
  :held [ :post :chair ; :from "1959-01-01"^^xsd:date ; :to "1966"^^xsd:gYear ] .
:linus :name "Linus" ; :born "1969-12-28T00:00:00Z"^^xsd:dateTime ; :in :helsinki .
:london :name "London"@en, "Londres"@fr ; :people 8900000 ; :is :city .
:newyork :name "New York"@en ; :people "8.8e6"^^xsd:double ; :is :city .
:helsinki :name "Helsinki"@fi ; :people "many" ; :is :city .
:paris :people "70109430"^^xsd:float, "70109431"^^xsd:int ; :is :city .
"""
PREFIX = f"PREFIX : <{E}> PREFIX xsd: <{XSD}> "
DATE = (
    "SUBSTR(CONCAT(SUBSTR(STR(?d), 1, 10), SUBSTR('0000-01-01', STRLEN(SUBSTR(STR(?d), 1, 10)) + 1)), 1, 10)"
)
NUMBER = 'REGEX(STR(?n), "^[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?$")'
PORTABLE = [
    ("SELECT ?s { ?s :in :london }", ["ada", "alan"]),
    ("SELECT DISTINCT ?s { ?s :held ?h . ?h :post :chair }", ["alan", "grace"]),
    ("SELECT ?s { :ada :child ?s FILTER(?s != :anne) }", ["byron"]),
    ("SELECT ?s { { ?s :in :london } UNION { ?s :in :helsinki } }", ["ada", "alan", "linus"]),
    (f"SELECT ?s {{ ?s :born ?d FILTER({DATE} < '1907-01-01') }}", ["ada", "grace"]),
    (f"SELECT ?s {{ ?s :born ?d FILTER({DATE} = '1912-01-01') }}", ["alan"]),
    (f"SELECT ?s {{ ?s :born ?d }} ORDER BY DESC({DATE}) LIMIT 1", ["linus"]),
    (f"SELECT ?s {{ ?s :born ?d }} ORDER BY {DATE} LIMIT 1 OFFSET 1", ["grace"]),
    (f"SELECT ?s {{ ?s :people ?n FILTER(IF({NUMBER}, xsd:double(STR(?n)) > 8850000, false)) }}", None),
    (f"SELECT ?s {{ ?s :people ?n FILTER({NUMBER}) }} ORDER BY xsd:double(STR(?n)) LIMIT 1", ["newyork"]),
    ("SELECT ?s { ?s :held ?h FILTER NOT EXISTS { ?h :to ?t } }", ["alan"]),
    (
        "SELECT ?s { ?s :held ?h FILTER(NOT EXISTS { ?h :to ?x } || EXISTS { ?h :to ?d FILTER("
        + DATE
        + " > '1960-01-01') }) }",
        ["alan", "grace"],
    ),
    ("SELECT ?s { ?s :in ?c OPTIONAL { ?c :people ?p } FILTER(!BOUND(?p)) }", []),
    ("SELECT ?s { ?s :is :city MINUS { ?p :in ?s } }", ["paris"]),
    (
        "SELECT DISTINCT ?s { ?p :in ?s FILTER(?k > 1)"
        " { SELECT ?s (COUNT(?q) AS ?k) { ?q :in ?s } GROUP BY ?s } }",
        None,
    ),
    ("SELECT ?n { ?s :name ?n FILTER(LANG(?n) = '' || LANGMATCHES(LANG(?n), 'en')) }", None),
    ("SELECT ?n { :ada :name ?n FILTER(LANGMATCHES(LANG(?n), 'de')) }", None),
    ("SELECT (COUNT(DISTINCT ?s) AS ?n) { ?s :name ?o }", None),
    ("SELECT ?s ?d { ?s :born ?d FILTER(?s = :ada || ?s = :grace) }", None),
    ("SELECT ?s { ?s :in ?c FILTER(?c IN (:helsinki, :newyork)) }", ["grace", "linus"]),
    (
        "SELECT ?c (COUNT(DISTINCT ?p) AS ?count) { ?p :in ?c } GROUP BY ?c "
        "ORDER BY DESC(?count) ASC(STR(?c))",
        ["helsinki", "london", "newyork"],
    ),
    ("SELECT ?s { ?s :name ?n FILTER(CONTAINS(LCASE(STR(?n)), 'on')) }", ["london", "london"]),
    ("SELECT ?s { ?s :is :city FILTER(NOT EXISTS { ?o1 :in ?s }) }", ["paris"]),
    ("ASK { :ada :child :byron }", None),
    ("ASK { :ada :child :ada }", None),
]
"""Query, and the local names its one column must hold (None: what the embedded store finds)."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("graph")
    (folder / "graph.ttl").write_text(GRAPH)
    lines = "".join(f"<{E}n{i}> <{E}number> {i} .\n" for i in range(10_500))
    (folder / "hostile.ttl").write_text(hostile_triples() + lines)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def embedded(files: list[Path]) -> Iterator[Store]:
    with EmbeddedStore.from_files(files) as store:
        yield store


@pytest.fixture(scope="module")
def oxigraph(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if oxigraph_binary() is None:
        pytest.skip("no oxigraph server: pip install oxigraph")
    with oxigraph_server(files, tmp_path_factory.mktemp("oxigraph")) as url:
        yield open_store(url)


@pytest.fixture(scope="module")
def virtuoso(files: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if virtuoso_folder() is None:
        pytest.skip("no Virtuoso: run tests/install_virtuoso.sh")
    with virtuoso_server(files, tmp_path_factory.mktemp("virtuoso"), max_seconds=2, max_rows=10_400) as url:
        yield open_store(url)


@pytest.fixture(params=["embedded", "oxigraph", "virtuoso"])
def store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(request.param)
    return found


# --- the engines agree ----------------------------------------------------------------------------


@pytest.mark.parametrize(("query", "names"), PORTABLE)
def test_portable_queries_have_the_same_rows_everywhere(
    store: Store, embedded: Store, query: str, names: list[str] | None
) -> None:
    found = store.select(PREFIX + query)
    expected = embedded.select(PREFIX + query)
    assert found.variables == expected.variables
    assert sorted(found.rows, key=repr) == sorted(expected.rows, key=repr)
    if names is not None:
        assert sorted(row[0].value.removeprefix(E) for row in found.rows if isinstance(row[0], Iri)) == names


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_label_finds_its_row_and_nothing_else(store: Store, number: int) -> None:
    label = Literal(HOSTILE[number])
    found = store.select("SELECT ?s ?label { ?s ?p ?label }", bindings={"label": label})
    assert found.rows == ((Iri(f"{E}h{number}"), label),)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT ?s { ?s :name ?x }", 1),
        ("SELECT ?s { ?s :name ?o FILTER(?o = ?x) }", 1),
        ("SELECT ?s ?x { { ?s :name ?o FILTER(?o = ?x) } UNION { ?s :child ?o } }", 3),
        ("SELECT ?s { ?s :name ?o BIND(?x AS ?y) FILTER(?y = ?o) }", 1),
        ("SELECT (COUNT(?s) AS ?n) { ?s :name ?x }", 1),
        ("SELECT DISTINCT ?s { ?s :in ?c FILTER NOT EXISTS { ?s :name ?x } }", 3),
        ("SELECT DISTINCT ?s { ?s :in ?c MINUS { ?s :name ?x } }", 3),
        ("SELECT ?s ?x { ?s :in ?c OPTIONAL { ?s :name ?x } }", 4),
        ("SELECT ?s { { SELECT ?s ?x { ?s :name ?x } } }", 1),
    ],
)
def test_a_binding_means_the_same_everywhere(store: Store, query: str, rows: int) -> None:
    value = Literal("Ada", "", "en")
    found = store.select(PREFIX + query, bindings={"x": value})
    assert len(found.rows) == rows
    if "x" in found.variables:
        assert {row[found.variables.index("x")] for row in found.rows} == {value}


def test_several_bindings_and_every_kind_of_term(store: Store) -> None:
    for name, value in (
        ("born", Literal("1912", XSD + "gYear")),
        ("born", Literal("1815-12-10", XSD + "date")),
        ("people", Literal("8900000", XSD + "integer")),
        ("name", Literal("Grace", "", "en-US")),
        ("name", Literal("Linus")),
        ("in", Iri(E + "newyork")),
    ):
        bindings = {"p": Iri(E + name), "o": value}
        assert len(store.select("SELECT ?s { ?s ?p ?o }", bindings=bindings).rows) == 1
    assert store.select("ASK { ?s ?p ?o }", bindings={"s": Iri(E + "nobody")}).rows == FALSE


def test_the_row_limit_cuts_and_says_so(store: Store) -> None:
    query = f"SELECT ?s {{ ?s <{E}number> ?o }}"
    found = store.select(query, row_limit=50)
    assert len(found.rows) == 50 and found.cut
    exact = store.select(query + " LIMIT 50", row_limit=50)
    assert len(exact.rows) == 50 and not exact.cut
    assert store.select(query).cut and len(store.select(query).rows) == 10_000
    ordered = store.select(query + " ORDER BY ?o")
    assert ordered.cut and len(ordered.rows) == 10_000 and ordered.rows[7] == (Iri(E + "n7"),)


def test_a_malformed_query_is_a_query_error_everywhere(store: Store) -> None:
    with pytest.raises(QueryError):
        store.select("SELECT ?s { ?s ?p }")


def test_a_runaway_query_is_a_timeout_everywhere(store: Store) -> None:
    started = time.monotonic()
    with pytest.raises(StoreTimeout):
        store.select(CARTESIAN, time_limit_s=0.5)
    assert time.monotonic() - started < 1.0


def test_what_is_refused_never_reaches_a_server(server: Store) -> None:
    with pytest.raises(QueryError, match="SERVICE is refused"):
        server.select("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }")


# --- Virtuoso's own ways --------------------------------------------------------------------------


def test_virtuosos_own_time_limit_is_a_timeout(virtuoso: Store) -> None:
    with pytest.raises(StoreTimeout, match="its own time limit"):
        virtuoso.select(CARTESIAN, time_limit_s=30)


def test_virtuosos_own_row_limit_is_a_cut(virtuoso: Store) -> None:
    found = virtuoso.select(f"SELECT ?s {{ ?s <{E}number> ?o }}", row_limit=20_000)
    assert found.cut and len(found.rows) == 10_400


def test_virtuosos_partial_answers_are_timeouts(virtuoso: Store) -> None:
    """`timeout=` makes Virtuoso answer 200 with what it has; only a header tells."""
    assert isinstance(virtuoso, EndpointStore)
    partial = EndpointStore(virtuoso.shown + "?timeout=500")
    with pytest.raises(StoreTimeout):
        partial.select(CARTESIAN, time_limit_s=30)


def test_a_blank_node_has_no_name_outside_its_result(server: Store) -> None:
    (blank,) = server.select(PREFIX + "SELECT ?h { :alan :held ?h }").rows[0]
    assert isinstance(blank, Iri) and blank.value.startswith("_:")
    with pytest.raises(QueryError, match="blank node"):
        server.select(PREFIX + "SELECT ?o { ?h :post ?o }", bindings={"h": blank})


# --- a server that misbehaves ---------------------------------------------------------------------

JSON = "application/sparql-results+json"
EMPTY = b'{"head": {"vars": ["s"]}, "results": {"bindings": []}}'
Reply = Callable[[http.server.BaseHTTPRequestHandler], None]


@contextmanager
def fake(reply: Reply, seen: list[tuple[str, str, bytes]] | None = None) -> Iterator[str]:
    """A server that answers every POST by `reply`; `seen` collects path, authorisation and body."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if seen is not None:
                seen.append((self.path, self.headers.get("Authorization", ""), body))
            reply(self)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql"
    finally:
        server.shutdown()
        server.server_close()


def answering(status: int, body: bytes, kind: str = JSON, **headers: str) -> Reply:
    def reply(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", headers.pop("length", str(len(body))))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return reply


def trickling(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", JSON)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def silent(handler: http.server.BaseHTTPRequestHandler) -> None:
    time.sleep(3)


def hanging_up(handler: http.server.BaseHTTPRequestHandler) -> None:
    handler.connection.shutdown(socket.SHUT_RDWR)


HTML = b"<html><head><style>x</style></head><body><h1>Welcome</h1></body></html>"


@pytest.mark.parametrize(
    ("reply", "error", "said"),
    [
        (answering(200, HTML, "text/html"), StoreUnavailable, "Welcome"),
        (answering(200, HTML), StoreUnavailable, "broken JSON"),
        (answering(200, EMPTY[:-9]), StoreUnavailable, "broken JSON"),
        (answering(200, EMPTY, length="1000"), StoreUnavailable, "ends early"),
        (answering(200, b"[]"), StoreUnavailable, "no SPARQL result"),
        (answering(200, b'{"boolean": true}'), StoreUnavailable, "no SPARQL result"),
        (
            answering(200, b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": 1}]}}'),
            StoreUnavailable,
            "",
        ),
        (answering(200, EMPTY, X_SQL_State="S1TAT"), StoreTimeout, "its own time limit"),
        (answering(400, b"error at 1:5: what? " * 50, "text/plain"), QueryError, "what?"),
        (answering(401, b"no", "text/plain"), StoreUnavailable, "password"),
        (answering(404, HTML, "text/html"), StoreUnavailable, "address"),
        (answering(408, b"", "text/plain"), StoreTimeout, "time limit"),
        (answering(429, b"slow down", "text/plain", Retry_After="7"), StoreUnavailable, "wait 7 s"),
        (answering(500, b"out of luck", "text/plain"), StoreUnavailable, "out of luck"),
        (
            answering(500, b"Virtuoso S1T00 Error SR171: Transaction timed out", "text/plain"),
            StoreTimeout,
            "",
        ),
        (
            answering(500, b"Virtuoso 37000 Error SP030: SPARQL compiler, line 1", "text/plain"),
            QueryError,
            "",
        ),
        (answering(503, b"", "text/plain"), StoreUnavailable, "503"),
        (answering(302, b"", "text/plain", Location="http://u:secret@x/y"), StoreUnavailable, "http://x/y"),
        (silent, StoreTimeout, "no answer within 0.5 s"),
        (trickling, StoreTimeout, "no answer within 0.5 s"),
        (hanging_up, StoreUnavailable, "can't be reached"),
    ],
)
def test_a_misbehaving_server_is_an_error_that_says_so(
    reply: Reply, error: type[KbqaError], said: str
) -> None:
    with fake(reply) as url:
        started = time.monotonic()
        with pytest.raises(error) as caught:
            open_store(url).select("SELECT ?s { ?s ?p ?o }", time_limit_s=0.5)
        assert time.monotonic() - started < 1.0
    assert said in str(caught.value) and len(str(caught.value)) < 700
    assert "secret" not in str(caught.value)


def test_a_refused_connection_and_an_unknown_host_are_unavailable() -> None:
    for url in (f"http://127.0.0.1:{free_port()}/sparql", "http://host.invalid/sparql"):
        with pytest.raises((StoreUnavailable, StoreTimeout)):
            open_store(url).select("ASK {}", time_limit_s=3)


def test_credentials_are_sent_and_never_shown() -> None:
    seen: list[tuple[str, str, bytes]] = []
    with fake(answering(403, b"no", "text/plain"), seen) as url:
        secret = url.replace("http://", "http://user:p%40ss@") + "?key=hidden"
        store = open_store(secret)
        with pytest.raises(StoreUnavailable) as caught:
            store.select("ASK {}")
    assert seen[0][1] == "Basic " + base64.b64encode(b"user:p@ss").decode()
    assert seen[0][0] == "/sparql?key=hidden"
    for text in (str(caught.value), repr(store)):
        assert "ss@" not in text and "hidden" not in text and "user" not in text.replace("user name", "")


def test_a_default_graph_is_sent_with_the_query() -> None:
    seen: list[tuple[str, str, bytes]] = []
    with fake(answering(200, EMPTY), seen) as url:
        EndpointStore(url, default_graph=E + "g").select("SELECT ?s { ?s ?p ?o }", row_limit=7)
    sent = parse_qs(seen[0][2].decode())
    assert sent["default-graph-uri"] == [E + "g"] and sent["query"][0].endswith("LIMIT 8 ")


def test_rows_read_virtuosos_older_json() -> None:
    body = (
        b'{"head": {"link": [], "vars": ["a", "b"]}, "results": {"distinct": false, "bindings": ['
        b'{"a": {"type": "typed-literal", "value": "1",'
        b' "datatype": "http://www.w3.org/2001/XMLSchema#boolean"},'
        b' "b": {"type": "bnode", "value": "nodeID://b1"}}, {"a": {"type": "literal", "value": "x\x01"}}]}}'
    )
    with fake(answering(200, body, X_SPARQL_MaxRows="2")) as url:
        found = open_store(url).select("SELECT ?a ?b { ?a ?p ?b }")
    rows = ((TRUE[0][0], Iri("_:nodeID://b1")), (Literal("x\x01"), None))
    assert found == Rows(("a", "b"), rows, True)


@pytest.mark.parametrize("url", ["ftp://host/x", "http://", "http://h:port/x", "http://user:secret@:80:80/"])
def test_an_address_that_is_none_is_told_without_its_secrets(url: str) -> None:
    with pytest.raises(KnowledgeBaseError) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


def test_a_closed_store_refuses() -> None:
    store = open_store("http://127.0.0.1:1/")
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.select("ASK {}")
