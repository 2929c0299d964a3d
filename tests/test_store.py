"""The guard, the terms, the embedded store, building, and the test double."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from servers import HOSTILE, hostile_triples

from kbqa.errors import KnowledgeBaseError, QueryError, StoreTimeout, StoreUnavailable
from kbqa.protocols import Store
from kbqa.store import Asked, EmbeddedStore, ScriptedStore, build_store, check, open_store
from kbqa.store.build import sweep
from kbqa.store.rewrite import limit
from kbqa.store.terms import render
from kbqa.store.tokens import tokenize
from kbqa.types import XSD, Iri, Literal, Rows

E = "http://example.org/"
CARTESIAN = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
ANY = st.text(st.characters(codec="utf-8"), max_size=30)


def numbered(count: int) -> str:
    return "".join(f'<{E}s{i}> <{E}name> "name {i}"@en .\n' for i in range(count))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("store")
    file = place / "graph.nt"
    file.write_text(
        hostile_triples()
        + numbered(500)
        + f'<{E}a> <{E}p> "x" .\n<{E}b> <{E}p> "x"@en-GB .\n<{E}c> <{E}p> "7"^^<{XSD}integer> .\n'
        + f'<{E}d> <{E}p> "s"^^<{XSD}string> .\n<{E}e> <{E}p> _:blank .\n_:blank <{E}q> <{E}f> .\n'
    )
    return build_store([file], place / "built")


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(folder) as opened:
        yield opened


# --- the guard ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { service silent <http://127.0.0.1/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "FROM"),
        ("SELECT * FROM NAMED <http://x/> { ?s ?p ?o }", "FROM"),
        ("ASK FROM <http://x/> { ?s ?p ?o }", "FROM"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "CONSTRUCT"),
        ("DESCRIBE <http://x/>", "DESCRIBE"),
        ("INSERT DATA { <http://x/> <http://x/> 1 }", "INSERT"),
        ("DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("LOAD <http://x/>", "LOAD"),
        ("DROP ALL", "DROP"),
        ("CLEAR ALL", "CLEAR"),
        ("WITH <http://x/> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "WITH"),
        ("SELECT * { ?s ?p ?o } ; DROP ALL", "DROP"),
        ('define get:soft "replace" SELECT * { ?s ?p ?o }', "DEFINE"),
    ],
)
def test_what_is_no_reading_of_this_store_is_refused_by_name(query: str, named: str) -> None:
    with pytest.raises(QueryError, match=f"{named} is refused"):
        check(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p trueSERVICE <http://x/> {} }",
        "PREFIX n: <http://x/> SELECT * { ?s ?p n:a\\#b SERVICE <http://x/> {} }",
        "SELECT * { ?s ?p _:a.b.SERVICE <http://x/> {} }",
        "SELECT * { ?s ?p 1SERVICE <http://x/> {} }",
        "SELECT * { ?s ?p ?o # comment \r SERVICE <http://x/> {} \n}",
        "SELECT * { ?s ?p '''a''' SERVICE <http://x/> {} }",
        'SELECT * { ?s ?p "\\" } SERVICE <http://x/> { " SERVICE <http://x/> {} }',
        'SELECT * { ?s ?p "\\u0022 SERVICE <http://x/> {} #" }',
        "SELECT * { ?s <http://x/\\u003E> ?o }",
        "\\u0053ELECT * { ?s ?p ?o }",
        "SELECT * { ?s ?p ?o ` SERVICE <http://x/> {} ` }",
        'SELECT (<bif:http_get>("http://x/") AS ?x) {}',
        'SELECT (<LONG::sql:upper>("x") AS ?x) {}',
        'PREFIX b: <bif:> SELECT (b:http_get("http://x/") AS ?x) {}',
        'PREFIX x: <bi> SELECT (x:f:http_get("http://x/") AS ?x) {}',
        'SELECT (bif:http_get("http://x/") AS ?x) {}',
    ],
)
def test_disguises_that_some_engine_reads_are_refused(query: str) -> None:
    with pytest.raises(QueryError):
        check(query)


def test_no_prefixed_name_reaches_an_engine() -> None:
    """Oxigraph reads `SERVICE:x` as `SERVICE :x`, and ends `n:a.b.c` after the second dot."""
    query = "PREFIX SERVICE: <http://a/> PREFIX n: <http://n/> SELECT * { ?s SERVICE:x n:a.b.c.SERVICE }"
    assert check(query).text.endswith("SELECT * { ?s <http://a/x> <http://n/a.b.c.SERVICE> }")


@pytest.mark.parametrize(
    "query",
    [
        'SELECT ?s { ?s ?p "SERVICE <http://x/> {}" }',
        "SELECT ?s { ?s <http://x/SERVICE#FROM> ?from }",
        "SELECT ?service { ?service ?p '''DROP ALL ' '' ''' } # INSERT DATA {}",
        "ASK { FILTER(1<2 && 3>2) }",
        "SELECT ?s { ?s <http://x/a>/<http://x/b>*|^<http://x/c> ?o } ORDER BY DESC(?s) LIMIT 3",
        "BASE <http://x/> SELECT ?s { ?s <p> 'a'@en-GB, 1.5e3, -2, true, \"x\"^^<http://x/d> ; a [] }",
        "SELECT ?s { ?s <bif:contains> 'word' }",
    ],
)
def test_words_inside_strings_names_and_comments_do_no_harm(query: str) -> None:
    assert check(query).form in ("select", "ask")


@pytest.mark.parametrize(
    ("query", "place"),
    [
        ("SELECT ?s {\n  ?s ?p ?o . FILTER(nope(?o)) }", "line 2, column 21"),
        ("SELECT ?s { ?s ?p 'open }", "line 1, column 19"),
        ("SELECT ?s { ?s ?p ?o ", "line 1, column 22"),
        ("SELECT ?s { ?s n:p ?o }", "line 1, column 16"),
    ],
)
def test_a_malformed_query_is_told_with_its_place(query: str, place: str) -> None:
    with pytest.raises(QueryError) as caught:
        check(query)
    assert caught.value.place == place


def test_nesting_that_would_overflow_an_engines_stack_is_refused() -> None:
    with pytest.raises(QueryError, match="nested deeper"):
        check("ASK " + "{" * 5000 + "}" * 5000)


@given(ANY)
@settings(deadline=None)
def test_the_guard_answers_anything_with_a_verdict(text: str) -> None:
    for query in (text, f"SELECT * {{ ?s ?p {text} }}"):
        with suppress(QueryError):
            check(query)


def test_the_row_limit_is_put_where_the_grammar_has_it() -> None:
    def limited(query: str) -> str:
        return " ".join(limit(check(query), 5).text.split())

    assert limited("SELECT ?s { ?s ?p ?o } # end") == "SELECT ?s { ?s ?p ?o } LIMIT 5"
    assert limited("SELECT ?s { ?s ?p ?o } LIMIT 3") == "SELECT ?s { ?s ?p ?o } LIMIT 3"
    assert limited("SELECT ?s { ?s ?p ?o } LIMIT 30 OFFSET 2") == "SELECT ?s { ?s ?p ?o } LIMIT 5 OFFSET 2"
    assert (
        limited("SELECT ?s { ?s ?p ?o } VALUES ?s { 1 }") == "SELECT ?s { ?s ?p ?o } LIMIT 5 VALUES ?s { 1 }"
    )
    inner = "SELECT ?s { { SELECT ?s { ?s ?p ?o } LIMIT 30 } }"
    assert limited(inner) == inner + " LIMIT 5"


# --- terms ----------------------------------------------------------------------------------------


@given(ANY, st.sampled_from(["", "en", "zh-Hant-TW"]), st.sampled_from(["", XSD + "date"]))
@settings(deadline=None)
def test_a_rendered_literal_is_one_string_to_the_tokeniser(text: str, language: str, datatype: str) -> None:
    rendered = render(Literal(text, "" if language else datatype, language))
    kinds = [token.kind for token in tokenize(rendered)]
    tail = ["language"] if language else ["sign", "iri"] if datatype else []
    assert kinds == ["string", *tail]


@pytest.mark.parametrize(
    "term",
    [
        Iri("http://x/> ?s ?p"),
        Iri("http://x/ y"),
        Iri("relative"),
        Iri(""),
        Iri("http://x/\n"),
        Iri("http://x/{a}"),
        Iri("http://x/\\u003E"),
        Literal("x", "not an IRI"),
        Literal("x", "", "en } UNION {"),
        Literal("\ud800"),
    ],
)
def test_what_is_no_term_is_not_rendered(term: Iri | Literal) -> None:
    with pytest.raises(QueryError):
        render(term)


# --- answers --------------------------------------------------------------------------------------


def test_rows_hold_iris_literals_and_blank_nodes_in_one_form(store: EmbeddedStore) -> None:
    found = store.select(f"SELECT ?s ?o ?none {{ ?s <{E}p> ?o }} ORDER BY ?s")
    assert found.variables == ("s", "o", "none")
    values = {row[0]: row[1] for row in found.rows}
    assert values[Iri(E + "a")] == Literal("x")
    assert values[Iri(E + "b")] == Literal("x", "", "en-gb")
    assert values[Iri(E + "c")] == Literal("7", XSD + "integer")
    assert values[Iri(E + "d")] == Literal("s")
    blank = values[Iri(E + "e")]
    assert isinstance(blank, Iri) and blank.value.startswith("_:")
    assert all(row[2] is None for row in found.rows)


def test_ask_is_one_row_and_no_rows_is_an_answer(store: EmbeddedStore) -> None:
    assert store.select("ASK { ?s ?p ?o }").rows == ((Literal("true", XSD + "boolean"),),)
    assert store.select("ASK { ?s <http://none/> ?o }").rows == ((Literal("false", XSD + "boolean"),),)
    assert store.select("SELECT ?s { ?s <http://none/> ?o }") == Rows(("s",), ())


def test_the_row_limit_cuts_and_says_so(store: EmbeddedStore) -> None:
    query = f"SELECT ?s {{ ?s <{E}name> ?o }}"
    assert len(store.select(query, row_limit=100).rows) == 100
    assert store.select(query, row_limit=100).cut
    assert not store.select(query, row_limit=500).cut
    assert store.select(query, row_limit=499).cut


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_a_hostile_label_finds_its_row_and_nothing_else(store: EmbeddedStore, number: int) -> None:
    found = store.select("SELECT ?s { ?s ?p ?label }", bindings={"label": Literal(HOSTILE[number])})
    assert found.rows == ((Iri(f"{E}h{number}"),),)


@given(ANY)
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_any_text_comes_back_as_it_was_bound(store: EmbeddedStore, text: str) -> None:
    found = store.select("SELECT ?x ?y { BIND(?x AS ?y) }", bindings={"x": Literal(text)})
    assert found.rows == ((Literal(text), Literal(text)),)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("SELECT ?s { ?s <E:p> ?x }", 1),
        ("SELECT ?s ?x { ?s <E:p> ?x }", 1),
        ("SELECT * { ?s <E:p> ?x }", 1),
        ("SELECT ?s { ?s <E:p> ?o FILTER(?o = ?x) }", 1),
        ("SELECT ?s { { ?s <E:p> ?o FILTER(?o = ?x) } UNION { ?s <E:q> ?o } }", 2),
        ("SELECT ?s { ?s <E:p> ?o FILTER NOT EXISTS { ?s <E:p> ?x } }", 4),
        ("SELECT ?s { ?s <E:p> ?o MINUS { ?s <E:p> ?x } }", 4),
        ("SELECT ?s { ?s <E:p> ?o OPTIONAL { ?s <E:p> ?x } }", 5),
        ("SELECT ?s { ?s <E:p> ?o BIND(?x AS ?y) FILTER(?y = ?o) }", 1),
        ("SELECT (COUNT(?s) AS ?n) { ?s <E:p> ?x }", 1),
        ("SELECT ?s { { SELECT ?s ?x { ?s <E:p> ?x } } }", 1),
        ("SELECT ?x { ?s <E:p> ?o }", 5),
    ],
)
def test_a_binding_holds_wherever_the_variable_stands(store: EmbeddedStore, query: str, rows: int) -> None:
    found = store.select(query.replace("E:", E), bindings={"x": Literal("x")})
    assert len(found.rows) == rows
    if "x" in found.variables:
        assert {row[found.variables.index("x")] for row in found.rows} == {Literal("x")}


def test_a_subquery_that_does_not_project_a_variable_has_its_own(store: EmbeddedStore) -> None:
    query = f"SELECT ?s {{ {{ SELECT ?s {{ ?s <{E}p> ?x }} }} ?s <{E}p> ?x }}"
    assert len(store.select(query, bindings={"x": Literal("x")}).rows) == 1
    inner = f"SELECT ?s {{ {{ SELECT ?s {{ ?s <{E}p> ?x }} }} }}"
    with pytest.raises(QueryError, match=r"no variable \?x"):
        store.select(inner, bindings={"x": Literal("x")})


def test_a_blank_node_can_be_bound_where_it_is_selected(store: EmbeddedStore) -> None:
    (blank,) = store.select(f"SELECT ?o {{ <{E}e> <{E}p> ?o }}").rows[0]
    assert isinstance(blank, Iri)
    found = store.select(f"SELECT ?b ?o {{ ?b <{E}q> ?o }}", bindings={"b": blank})
    assert found.rows == ((blank, Iri(E + "f")),)
    with pytest.raises(QueryError):
        store.select(f"SELECT ?o {{ ?b <{E}q> ?o }}", bindings={"b": blank})


def test_a_binding_that_names_nothing_is_an_error(store: EmbeddedStore) -> None:
    with pytest.raises(QueryError, match=r"no variable \?lable"):
        store.select("SELECT ?s { ?s ?p ?label }", bindings={"lable": Literal("x")})


def test_the_engines_own_complaint_is_a_query_error_with_its_place(store: EmbeddedStore) -> None:
    with pytest.raises(QueryError) as caught:
        store.select("SELECT ?s {\n ?s ?p }")
    assert caught.value.place.startswith("line 2, column")


# --- stopping -------------------------------------------------------------------------------------


def test_a_runaway_query_is_stopped_in_time_and_the_next_one_works(store: EmbeddedStore) -> None:
    started = time.monotonic()
    with pytest.raises(StoreTimeout):
        store.select(CARTESIAN, time_limit_s=0.5)
    assert time.monotonic() - started < 1.0
    assert store.select("ASK { ?s ?p ?o }").rows == ((Literal("true", XSD + "boolean"),),)


def test_a_worker_that_was_killed_is_replaced(folder: Path) -> None:
    with EmbeddedStore(folder) as own:
        own.select("ASK {}")
        pid = own._workers[0].pid
        assert pid
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.1)
        assert own.select("ASK {}").rows


def test_a_memory_hog_ends_alone(folder: Path) -> None:
    query = CARTESIAN.replace("(COUNT(*) AS ?n)", "?a ?d ?g ?j") + " ORDER BY ?j ?g ?d ?a"
    with EmbeddedStore(folder, memory_limit_mb=400) as own:
        with pytest.raises(StoreUnavailable):
            own.select(query, time_limit_s=20)
        assert own.select("ASK {}").rows


def test_threads_share_a_store_and_workers_answer_side_by_side(folder: Path) -> None:
    found: list[object] = []
    with EmbeddedStore(folder, workers=2) as own:

        def ask(number: int) -> None:
            for i in range(number, number + 20):
                text = Literal(f"name {i}", "", "en")
                rows = own.select("SELECT ?s { ?s ?p ?n }", bindings={"n": text}).rows
                found.append(rows == ((Iri(f"{E}s{i}"),),))

        def run_away() -> None:
            with pytest.raises(StoreTimeout):
                own.select(CARTESIAN, time_limit_s=1)

        threads = [threading.Thread(target=ask, args=(20 * i,)) for i in range(4)]
        threads.append(threading.Thread(target=run_away))
        for thread in reversed(threads):
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [True] * 80


def test_closing_ends_a_running_query_and_refuses_the_next(folder: Path) -> None:
    own = EmbeddedStore(folder)
    errors: list[Exception] = []

    def run_away() -> None:
        try:
            own.select(CARTESIAN, time_limit_s=20)
        except StoreUnavailable as error:
            errors.append(error)

    thread = threading.Thread(target=run_away)
    thread.start()
    time.sleep(0.3)
    own.close()
    own.close()
    thread.join(2)
    assert not thread.is_alive() and "closed" in str(errors[0])
    with pytest.raises(StoreUnavailable, match="closed"):
        own.select("ASK {}")


def test_an_interrupt_leaves_no_stale_answer(folder: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    with EmbeddedStore(folder) as own:
        main = threading.main_thread().ident
        assert main
        threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT)).start()
        try:
            with pytest.raises(KeyboardInterrupt):
                own.select(CARTESIAN, time_limit_s=20)
        finally:
            signal.signal(signal.SIGINT, before)
        assert own.select("SELECT ?x {}", bindings={"x": Literal("1")}).rows == ((Literal("1"),),)


def _gone(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("busy", [False, True])
def test_a_worker_does_not_outlive_its_parent(folder: Path, busy: bool) -> None:
    script = (
        "import sys, threading, time\nfrom kbqa.store import EmbeddedStore\n"
        f"s = EmbeddedStore({str(folder)!r})\nprint(s._workers[0].pid, flush=True)\n"
        + (f"s.select({CARTESIAN!r}, time_limit_s=1.5)\n" if busy else "time.sleep(30)\n")
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert parent.stdout
    pid = int(parent.stdout.readline())
    time.sleep(0.3)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert _gone(pid, 4)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_workers_of_its_own(folder: Path) -> None:
    script = (
        "import os, sys\nfrom kbqa.store import EmbeddedStore\n"
        f"s = EmbeddedStore({str(folder)!r})\n"
        "def ask():\n    return len(s.select('SELECT ?s { ?s ?p ?o } LIMIT 7').rows)\n"
        "before = s._workers[0].pid\nchild = os.fork()\n"
        "if not child:\n    sys.exit(0 if ask() == 7 and s._workers[0].pid != before else 1)\n"
        "code = os.waitpid(child, 0)[1]\n"
        "sys.exit(0 if code == 0 and ask() == 7 and s._workers[0].pid == before else 1)\n"
    )
    assert subprocess.run([sys.executable, "-c", script], timeout=30).returncode == 0


# --- building and opening -------------------------------------------------------------------------

TURTLE = f'<{E}s> <{E}p> "v" .\n'
RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">'
    '<rdf:Description rdf:about="http://example.org/s"><e:p>v</e:p></rdf:Description></rdf:RDF>'
)
TRIG = f'<{E}g> {{ <{E}s> <{E}p> "v" }}'
FILES = {
    "a.nt": TURTLE,
    "a.ttl": TURTLE,
    "a.nq": f'<{E}s> <{E}p> "v" <{E}g> .\n',
    "a.trig": TRIG,
    "a.rdf": RDF_XML,
    "a.xml": RDF_XML,
    "a.jsonld": f'{{"@id": "{E}s", "{E}p": "v"}}',
    "some.dotted.name.ttl": TURTLE,
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_opens_plain_and_packed(tmp_path: Path, name: str, packed: bool) -> None:
    data = FILES[name].encode()
    file = tmp_path / (name + (".gz" if packed else ""))
    file.write_bytes(gzip.compress(data) if packed else data)
    opened: Store = open_store(file)
    assert opened.select("SELECT ?s ?o { ?s ?p ?o }").rows == ((Iri(E + "s"), Literal("v")),)
    opened.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("bad.nt", f"{TURTLE}<{E}s> oops <{E}o> .\n".encode(), "line 2"),
        ("bad.ttl", f'{TURTLE}{TURTLE}<{E}s> <{E}p> "open'.encode(), "line 3"),
        ("bad.ttl", b"<s> <p> <o> .", "line 1"),
        ("bad.rdf", b"<rdf:RDF><a></b>", "RDF/XML"),
        ("bad.jsonld", b"{", "JSON-LD"),
        ("bad.nt", b'<http://x/> <http://x/> "\xff\xfe" .\n', "bad.nt"),
        ("cut.nt.gz", gzip.compress(TURTLE.encode() * 1000)[:-20], "cut.nt.gz"),
        ("fake.nt.gz", TURTLE.encode(), "fake.nt.gz"),
    ],
)
def test_a_broken_file_is_told_and_leaves_nothing(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    file, out = tmp_path / name, tmp_path / "out"
    file.write_bytes(data)
    with pytest.raises(KnowledgeBaseError) as caught:
        build_store([file], out / "store")
    assert said in str(caught.value) and str(file) in str(caught.value)
    assert list(out.iterdir()) == []


@pytest.mark.parametrize("source", ["nowhere", "nowhere.ttl", ".", "notes.txt", "ftp://host/x"])
def test_a_source_that_is_none_is_told_with_what_was_expected(tmp_path: Path, source: str) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(KnowledgeBaseError, match="expected"):
        open_store(source if "://" in source else tmp_path / source)


def test_a_damaged_store_is_told_when_it_is_opened(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "CURRENT").write_text("MANIFEST-000099\n")
    with pytest.raises(KnowledgeBaseError, match="build it again"):
        open_store(tmp_path)


def test_files_are_one_graph_and_blank_nodes_stay_apart(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.ttl").write_text(f'_:n <{E}p> "{name}" .')
    with EmbeddedStore.from_files(tmp_path / f"{name}.ttl" for name in "ab") as own:
        assert len(own.select("SELECT DISTINCT ?s { ?s ?p ?o }").rows) == 2


def test_a_store_is_not_overwritten_unasked(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE)
    out = build_store([file], tmp_path / "out")
    with pytest.raises(KnowledgeBaseError, match="not empty"):
        build_store([file], out)
    file.write_text(TURTLE.replace('"v"', '"w"'))
    with EmbeddedStore(out) as old:
        build_store([file], out, replace=True)
        old.close()
    with EmbeddedStore(out) as new:
        assert new.select("SELECT ?o { ?s ?p ?o }").rows == ((Literal("w"),),)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.ttl", "out"]


def test_a_cache_is_used_while_the_file_stays_as_it_is(tmp_path: Path) -> None:
    file, cache = tmp_path / "a.ttl", tmp_path / "cache"
    file.write_text(TURTLE)
    for _ in range(2):
        open_store(file, cache=cache).close()
        assert len(list(cache.iterdir())) == 1
    file.write_text(TURTLE + f'<{E}s> <{E}p> "w" .')
    changed = open_store(file, cache=cache)
    assert len(changed.select("SELECT ?o { ?s ?p ?o }").rows) == 2
    changed.close()


def test_a_kb_folder_opens_by_the_store_in_it(tmp_path: Path) -> None:
    file = tmp_path / "a.ttl"
    file.write_text(TURTLE)
    build_store([file], tmp_path / "kb" / "store")
    opened = open_store(tmp_path / "kb")
    assert opened.select("ASK { ?s ?p ?o }").rows
    opened.close()


def test_importing_loads_no_engine() -> None:
    script = (
        "import sys, kbqa.store\n"
        "heavy = {'pyoxigraph', 'rdflib', 'SPARQLWrapper', 'torch', 'numpy'} & set(sys.modules)\n"
        "sys.exit(', '.join(heavy) or 0)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


# --- the double -----------------------------------------------------------------------------------


def test_the_double_answers_from_its_script_and_notes_what_it_was_asked() -> None:
    rows = Rows(("s",), ((Iri(E + "a"),), (Iri(E + "b"),)))
    double = ScriptedStore({"SELECT ?s { ?s ?p ?o }": rows, "ASK {}": StoreTimeout("slow")})
    checked: Store = double
    assert checked.select("SELECT ?s\n{ ?s ?p ?o }", bindings={"o": Literal("x")}) == rows
    assert checked.select("SELECT ?s { ?s ?p ?o }", row_limit=1).cut
    assert double.asked[0] == Asked("SELECT ?s\n{ ?s ?p ?o }", {"o": Literal("x")}, 10.0, 10_000)
    with pytest.raises(StoreTimeout):
        checked.select("ASK {}")
    with pytest.raises(StoreUnavailable, match="no answer to"):
        checked.select("ASK { ?s ?p 1 }")
    with pytest.raises(QueryError):
        checked.select("DROP ALL")


def test_a_folder_that_is_still_written_in_is_removed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "scratch"
    (folder / "store").mkdir(parents=True)
    late, rmdir = [folder / "000001.log"], os.rmdir

    def slow(path: str, **places: int) -> None:
        if late:
            late.pop().write_text("by a thread that is not done")
        rmdir(path, **places)

    monkeypatch.setattr(os, "rmdir", slow)
    sweep(folder)
    assert not late and not list(tmp_path.iterdir())
