"""Measures the stores: open time, cost of a query, time to stop a cartesian product.

    python bench/store.py [--triples 100000] [--virtuoso] [--oxigraph]

Prints one row per measurement: what, n, median, 95th percentile, in milliseconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from servers import oxigraph_server, virtuoso_server

from kbqa.errors import StoreTimeout
from kbqa.protocols import Store
from kbqa.store import EmbeddedStore, build_store, check, open_store
from kbqa.types import Iri, Literal

E = "http://example.org/"
HOP = f"SELECT ?o ?n {{ ?x <{E}p1> ?o . ?o <{E}name> ?n }}"
NAMED = f"SELECT ?s {{ ?s <{E}name> ?n }}"
CARTESIAN = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--triples", type=int, default=100_000)
    parser.add_argument("--oxigraph", action="store_true", help="also a real Oxigraph server")
    parser.add_argument("--virtuoso", action="store_true", help="also a real Virtuoso")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "graph.nt"
        file.write_text("".join(triples(options.triples // 2)))
        show("build a store", [timed(lambda: build_store([file], folder / "built"))])
        embedded(folder / "built")
        # One after the other: a server goes on with a query after its client has given up.
        if options.virtuoso:
            with virtuoso_server([file], folder) as url:
                served("virtuoso", open_store(url))
        if options.oxigraph:
            with oxigraph_server([file], folder) as url:
                served("oxigraph", open_store(url))


def triples(count: int) -> Iterator[str]:
    for i in range(count):
        yield f"<{E}s{i}> <{E}p{i % 50}> <{E}s{(i * 7919) % count}> .\n"
        yield f'<{E}s{i}> <{E}name> "name {i}"@en .\n'


def embedded(folder: Path) -> None:
    show("embedded: open and close", [timed(lambda: EmbeddedStore(folder).close()) for _ in range(10)])
    with EmbeddedStore(folder) as store:
        served("embedded", store)
        check.cache_clear()
        texts = [HOP.replace("?n", f"?n{i}") for i in range(300)]
        show("guard: an unknown query", [timed(partial(check, text)) for text in texts])
        alone(folder, store)


def alone(folder: Path, store: Store) -> None:
    """The same query in this process, to tell the worker's share."""
    import pyoxigraph

    engine = pyoxigraph.Store.read_only(str(folder))
    texts = [HOP.replace("?x", f"<{E}s{50 * i + 1}>") for i in range(300)]
    times = [timed(partial(lambda text: [*engine.query(text)], text)) for text in texts]  # type: ignore[misc]
    show("pyoxigraph in process: two hops", times)
    show("embedded: same texts", [timed(partial(store.select, text)) for text in texts])


def served(name: str, store: Store) -> None:
    def hop(i: int) -> None:
        store.select(HOP, bindings={"x": Iri(f"{E}s{50 * i + 1}")})

    def named(i: int) -> None:
        store.select(NAMED, bindings={"n": Literal(f"name {i}", "", "en")})

    def stop() -> None:
        try:
            store.select(CARTESIAN, time_limit_s=0.5)
        except StoreTimeout:
            return
        raise SystemExit(f"{name}: the cartesian product was not stopped")

    store.select("ASK {}")
    show(f"{name}: ASK {{}}", [timed(lambda: store.select("ASK {}")) for _ in range(300)])
    show(f"{name}: two hops, bound", [timed(partial(hop, i)) for i in range(300)])
    show(f"{name}: by name, bound", [timed(partial(named, i)) for i in range(300)])
    rows = f"SELECT ?s ?n {{ ?s <{E}name> ?n }}"
    show(f"{name}: 10,000 rows", [timed(lambda: store.select(rows)) for _ in range(5)])
    stops = [(timed(stop), timed(lambda: store.select("ASK {}", time_limit_s=5))) for _ in range(3)]
    show(f"{name}: stop at 500 ms", [stop for stop, _ in stops])
    show(f"{name}: the query after it", [after for _, after in stops])


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def show(what: str, values: list[float]) -> None:
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"{what:35} n={len(values):4} p50={statistics.median(values):9.3f} p95={high:9.3f}", flush=True)


if __name__ == "__main__":
    main()
