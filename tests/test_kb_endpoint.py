"""A knowledge base over a SPARQL endpoint: the same as over its file, on every engine; busy, cut and broken
endpoints are waited for, gone on with, or refused, and never lead to a wrong answer."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pyoxigraph
import pytest
from servers import oxigraph_binary, oxigraph_server, virtuoso_folder, virtuoso_server

from bench.library import Library
from kbqa.errors import StoreUnavailable
from kbqa.kb import build_endpoint, build_kb, open_kb
from kbqa.kb.endpoint import without_credentials
from kbqa.kb.meta import read_meta, read_profile
from kbqa.kb.polite import Polite
from kbqa.store import ScriptedStore
from kbqa.types import Iri, Literal, Rows

Fault = Callable[[str], tuple[int, dict[str, str], bytes] | None]
"""A query -> what is answered in place of the right answer; None for that."""


@dataclass
class Endpoint:
    """A real HTTP server over a graph in memory. `fault` may answer instead; `most`: rows it gives."""

    store: pyoxigraph.Store
    url: str = ""
    fault: Fault = lambda query: None
    most: int | None = None
    asked: list[str] = field(default_factory=list)


def _answer(endpoint: Endpoint, query: str) -> bytes:
    found = endpoint.store.query(query)
    if endpoint.most is not None and isinstance(found, pyoxigraph.QuerySolutions):
        whole = json.loads(found.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b"{}")
        whole["results"]["bindings"] = whole["results"]["bindings"][: endpoint.most]
        return json.dumps(whole).encode()
    assert not isinstance(found, pyoxigraph.QueryTriples)
    return found.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b""


@contextmanager
def served(store: pyoxigraph.Store) -> Iterator[Endpoint]:
    endpoint = Endpoint(store)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            query = parse_qs(body)["query"][0]
            endpoint.asked.append(query)
            kind = {"Content-Type": "application/sparql-results+json"}
            status, headers, sent = endpoint.fault(query) or (200, kind, _answer(endpoint, query))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/sparql"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("library") / "library.ttl"
    file.write_text("".join(Library(40).turtle()), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def local(library: Path) -> Path:
    """Without what a build adds to a store of its own: an endpoint's triples stay as they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kbqa.kb.build.infer_types", lambda folder: 0)
        return build_kb([library], library.parent / "kb")


@pytest.fixture
def endpoint(library: Path) -> Iterator[Endpoint]:
    store = pyoxigraph.Store()
    store.bulk_load(path=str(library), format=pyoxigraph.RdfFormat.TURTLE)
    with served(store) as found:
        yield found


def _lexicon(folder: Path) -> dict[str, str]:
    return {f.name: f.read_text(encoding="utf-8") for f in sorted((folder / "lexicon").rglob("*.tsv"))}


def _names(folder: Path) -> list[str]:
    with open_kb(str(folder)) as kb:
        return [c.label for name in Library(40).titles[:5] for c in kb.index.lookup(name, limit=1)]


# --- the same everywhere --------------------------------------------------------


def _same(built: Path, local: Path) -> None:
    assert _lexicon(built) == _lexicon(local)
    assert read_profile(built).pairs == read_profile(local).pairs
    assert read_meta(built).labels == read_meta(local).labels
    assert _names(built) == _names(local)
    query = "SELECT ?x WHERE { <http://library.example/id/b7> <http://schema.org/author> ?x }"
    with open_kb(str(built)) as remote, open_kb(str(local)) as here:
        assert remote.store.select(query).rows == here.store.select(query).rows


def test_an_endpoint_gives_the_wordings_of_its_file(endpoint: Endpoint, local: Path, tmp_path: Path) -> None:
    built = build_endpoint(endpoint.url, tmp_path / "kb")
    _same(built, local)
    assert not (built / "store").exists()
    assert not [p.name for p in tmp_path.iterdir() if p.name != "kb"]


def test_a_real_oxigraph_server_gives_the_same(library: Path, local: Path, tmp_path: Path) -> None:
    if oxigraph_binary() is None:
        pytest.skip("no oxigraph server: pip install oxigraph")
    (tmp_path / "server").mkdir()
    with oxigraph_server([library], tmp_path / "server") as url:
        _same(build_endpoint(url, tmp_path / "kb"), local)


def test_a_real_virtuoso_gives_the_same(library: Path, local: Path, tmp_path: Path) -> None:
    if virtuoso_folder() is None:
        pytest.skip("no Virtuoso: run tests/install_virtuoso.sh")
    with virtuoso_server([library], tmp_path / "server") as url:
        _same(build_endpoint(f"{url}?default-graph-uri=http://example.org/graph", tmp_path / "kb"), local)


# --- busy, cut, broken ------------------------------------------------------------


def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint, local: Path, tmp_path: Path) -> None:
    refused: set[str] = set()

    def busy(query: str) -> tuple[int, dict[str, str], bytes] | None:
        if len(refused) > 3 or query in refused:
            return None
        refused.add(query)
        return 429, {"Retry-After": "0"}, b"slow down"

    endpoint.fault = busy
    import kbqa.kb.endpoint as module

    patched = pytest.MonkeyPatch()
    patched.setattr(module, "Polite", lambda store, **k: Polite(store, sleep=lambda s: None, tries=3))
    try:
        _same(build_endpoint(endpoint.url, tmp_path / "kb"), local)
    finally:
        patched.undo()
    assert len(refused) == 4


def test_fewer_rows_than_asked_for_lose_no_name(endpoint: Endpoint, local: Path, tmp_path: Path) -> None:
    endpoint.most = 60
    _same(build_endpoint(endpoint.url, tmp_path / "kb"), local)


def test_an_endpoint_that_keeps_no_order_loses_no_name(
    endpoint: Endpoint, local: Path, tmp_path: Path
) -> None:
    kind = {"Content-Type": "application/sparql-results+json"}

    def shuffled(query: str) -> tuple[int, dict[str, str], bytes] | None:
        if "OFFSET" not in query:
            return None
        at, size = int(query.split("OFFSET")[1].split()[0]), 25
        whole = json.loads(_answer(endpoint, query.split("LIMIT")[0]))
        rows = whole["results"]["bindings"]
        rows.sort(key=lambda row: hashlib.sha256(f"{query}{row}".encode()).digest())
        whole["results"]["bindings"] = rows[at : at + size]
        return 200, kind, json.dumps(whole).encode()

    endpoint.fault = shuffled
    _same(build_endpoint(endpoint.url, tmp_path / "kb"), local)
    assert any("ORDER BY" in query and "rdf-syntax-ns#type" in query for query in endpoint.asked)


def test_a_page_that_takes_too_long_is_asked_for_in_parts(
    endpoint: Endpoint, local: Path, tmp_path: Path
) -> None:
    def slow(query: str) -> tuple[int, dict[str, str], bytes] | None:
        too_much = "OFFSET" in query and int(query.split("LIMIT")[1].split()[0]) > 10_000
        return (504, {}, b"timed out") if too_much else None

    endpoint.fault = slow
    _same(build_endpoint(endpoint.url, tmp_path / "kb"), local)


def test_a_graph_without_an_ontology_is_read_too(tmp_path: Path) -> None:
    store = pyoxigraph.Store()
    said = "".join(
        f'<http://e.example/p{i}> a <http://e.example/Person> ; <http://xmlns.com/foaf/0.1/name> "Ann {i}" ;'
        f" <http://e.example/knows> <http://e.example/p{(i + 1) % 9}> .\n"
        for i in range(9)
    )
    store.load(said.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    with served(store) as endpoint:
        built = build_endpoint(endpoint.url, tmp_path / "kb")
        assert read_meta(built).labels == 9
        assert Iri("http://e.example/knows") in read_profile(built).predicates


def test_a_cut_list_of_predicates_is_refused(endpoint: Endpoint, tmp_path: Path) -> None:
    endpoint.most = 5
    with pytest.raises(StoreUnavailable, match="cuts its answers"):
        build_endpoint(endpoint.url, tmp_path / "kb")
    assert not (tmp_path / "kb").exists()


def test_a_build_that_was_cut_off_goes_on_where_it_stopped(
    endpoint: Endpoint, local: Path, tmp_path: Path
) -> None:
    def down(query: str) -> tuple[int, dict[str, str], bytes] | None:
        return (500, {}, b"out of order") if "OFFSET 60" in query else None

    endpoint.fault, endpoint.most = down, 60
    with pytest.raises(StoreUnavailable, match="500"):
        build_endpoint(endpoint.url, tmp_path / "kb")
    assert not (tmp_path / "kb").exists()
    first = len(endpoint.asked)
    endpoint.asked.clear()
    endpoint.fault = lambda query: None
    _same(build_endpoint(endpoint.url, tmp_path / "kb"), local)
    assert len(endpoint.asked) < first / 2, "the predicates are not asked about again"


@pytest.mark.parametrize(
    ("status", "headers", "body", "said"),
    [
        (404, {}, b"nothing here", "check the address"),
        (401, {}, b"who are you", "user name and password"),
        (200, {"Content-Type": "text/html"}, b"<p>Welcome</p>", "in place of SPARQL results"),
        (200, {"Content-Type": "application/json"}, b'{"head": {"vars"', "broken JSON"),
    ],
)
def test_what_is_no_endpoint_is_said_so(
    endpoint: Endpoint, tmp_path: Path, status: int, headers: dict[str, str], body: bytes, said: str
) -> None:
    endpoint.fault = lambda query: (status, headers, body)
    with pytest.raises(StoreUnavailable, match=said):
        build_endpoint(endpoint.url, tmp_path / "kb")
    assert not (tmp_path / "kb").exists()
    assert len(endpoint.asked) == 1, "what won't pass is not tried again"


def test_an_empty_endpoint_is_refused(tmp_path: Path) -> None:
    with served(pyoxigraph.Store()) as endpoint, pytest.raises(StoreUnavailable, match="no triples"):
        build_endpoint(endpoint.url, tmp_path / "kb")


# --- manners --------------------------------------------------------------------


class _Flaky(ScriptedStore):
    def __init__(self, *errors: StoreUnavailable) -> None:
        super().__init__({})
        self.errors = list(errors)

    def select(self, query: str, **_: object) -> Rows:  # type: ignore[override]
        if self.errors:
            raise self.errors.pop(0)
        return Rows(("x",), ((Literal("1"),),))


def test_waits_double_and_heed_retry_after() -> None:
    slept: list[float] = []
    again = StoreUnavailable("busy", passing=True)
    asked = StoreUnavailable("busy", passing=True, retry_after_s=7.0)
    store = Polite(_Flaky(again, asked, again), first_wait_s=1.0, sleep=slept.append)
    assert store.select("ASK {}").rows
    assert slept == [1.0, 7.0, 4.0]


def test_what_does_not_pass_or_asks_for_too_much_is_not_waited_for() -> None:
    slept: list[float] = []
    for error in (
        StoreUnavailable("wrong address"),
        StoreUnavailable("busy", passing=True, retry_after_s=3_600.0),
    ):
        with pytest.raises(StoreUnavailable):
            Polite(_Flaky(error), sleep=slept.append).select("ASK {}")
    with pytest.raises(StoreUnavailable):
        Polite(_Flaky(*[StoreUnavailable("busy", passing=True)] * 9), tries=3, sleep=slept.append).select(
            "ASK {}"
        )
    assert slept == [1.0, 2.0]
    with pytest.raises(StoreUnavailable):
        late = Polite(_Flaky(StoreUnavailable("busy", passing=True)), deadline=True, sleep=slept.append)
        late.select("ASK {}", time_limit_s=0.5)


def test_no_password_is_kept(endpoint: Endpoint, tmp_path: Path) -> None:
    url = endpoint.url.replace("http://", "http://ann:zq81xw@")
    built = build_endpoint(url, tmp_path / "kb")
    assert without_credentials(url) == endpoint.url
    for file in built.rglob("*"):
        if file.is_file():
            assert b"zq81xw" not in file.read_bytes(), file
