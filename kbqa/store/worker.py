"""The process in which pyoxigraph answers queries; run as a file, it imports nothing of kbqa.

Arguments: store folder, folder that holds pyoxigraph, memory limit in MiB (0 = none; Linux only).
Frames on standard input and output: 8 bytes of length, then a marshalled tuple.
First frame out: ("ready",) or ("failed", reason). Then per request
(query, {variable: blank node}, row_limit, seconds): ("rows", variables, rows, cut), ("ask", bool),
("query", reason) for a query that can't run, ("store", reason) for a failing store.
Terms are tuples: (iri,), (0, blank node), (lexical, datatype, language).

Runaway queries hold the interpreter: the parent kills this process. Where the parent has died
too, the kernel's alarm, set for each query, ends it; an idle worker ends with its input.
"""

import marshal
import signal
import struct
import sys
from typing import Any

LENGTH = struct.Struct(">Q")
GRACE_S = 0.5


def main() -> None:
    folder, library, memory = sys.argv[1], sys.argv[2], int(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.path.append(library)
    try:
        import pyoxigraph

        store = pyoxigraph.Store.read_only(folder)
        union = next(iter(store.named_graphs()), None) is not None
        if memory:
            limit_memory(memory << 20)
    except Exception as error:
        send(("failed", f"{type(error).__name__}: {error}"))
        return
    send(("ready",))
    while (request := receive()) is not None:
        signal.setitimer(signal.ITIMER_REAL, request[3] + GRACE_S)
        send(answer(pyoxigraph, store, union, request))
        signal.setitimer(signal.ITIMER_REAL, 0)


def limit_memory(size: int) -> None:
    """Lets this process grow by `size` bytes over what the opened store takes of address space."""
    import resource

    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + size, taken + size))


def receive() -> Any:
    head = sys.stdin.buffer.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    body = sys.stdin.buffer.read(LENGTH.unpack(head)[0])
    return marshal.loads(body)


def send(message: tuple[Any, ...]) -> None:
    body = marshal.dumps(message)
    sys.stdout.buffer.write(LENGTH.pack(len(body)))
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()


def answer(pyoxigraph: Any, store: Any, union: bool, request: tuple[Any, ...]) -> tuple[Any, ...]:
    query, blanks, row_limit, _ = request
    substitutions = {pyoxigraph.Variable(name): pyoxigraph.BlankNode(value) for name, value in blanks.items()}
    try:
        found = store.query(query, use_default_graph_as_union=union, substitutions=substitutions)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return ("ask", bool(found))
        return read(pyoxigraph, found, row_limit)
    except (SyntaxError, RuntimeError, ValueError) as error:
        return ("query", str(error))
    except MemoryError:
        return ("store", "the memory limit was reached")
    except OSError as error:
        return ("store", str(error))


def read(pyoxigraph: Any, solutions: Any, row_limit: int) -> tuple[Any, ...]:
    variables = tuple(variable.value for variable in solutions.variables)
    rows: list[tuple[Any, ...]] = []
    for solution in solutions:
        if len(rows) == row_limit:
            return ("rows", variables, rows, True)
        rows.append(tuple(encode(pyoxigraph, term) for term in solution))
    return ("rows", variables, rows, False)


def encode(pyoxigraph: Any, term: Any) -> tuple[Any, ...] | None:
    kind = type(term)
    if kind is pyoxigraph.NamedNode:
        return (term.value,)
    if kind is pyoxigraph.Literal:
        return (term.value, term.datatype.value, term.language or "")
    if kind is pyoxigraph.BlankNode:
        return (0, term.value)
    if term is None:
        return None
    raise ValueError("an answer is an RDF-star triple, which has no place in a row")


if __name__ == "__main__":
    main()
