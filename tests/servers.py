"""Real SPARQL servers for tests: each is a context manager that yields an endpoint URL.

Both listen on a free loopback port, keep their data in a folder given by the caller and are
killed on leaving. `virtuoso_folder()` says where Virtuoso is; None where it is not installed
(`tests/install_virtuoso.sh` installs it without root).
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
GRAPH = "http://example.org/graph"
START_LIMIT_S = 60.0

_INI = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
[TempDatabase]
DatabaseFile = {folder}/virtuoso-temp.db
TransactionFile = {folder}/virtuoso-temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DirsAllowed = {folder}
NumberOfBuffers = 4000
MaxDirtyBuffers = 3000
ServerThreads = 10
CheckpointInterval = 0
[HTTPServer]
ServerPort = 127.0.0.1:{http_port}
ServerThreads = 5
[SPARQL]
DefaultGraph = {graph}
ResultSetMaxRows = {max_rows}
MaxQueryExecutionTime = {max_seconds}
"""


def free_port() -> int:
    """A port that was free a moment ago on the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def oxigraph_binary() -> str | None:
    """The `oxigraph` server of this virtual environment, or one on the path."""
    beside = Path(sys.executable).parent / "oxigraph"
    return str(beside) if beside.exists() else shutil.which("oxigraph")


def virtuoso_folder() -> Path | None:
    """The folder that holds usr/bin/virtuoso-t: $KBQA_VIRTUOSO, .cache/virtuoso or the system's."""
    named = os.environ.get("KBQA_VIRTUOSO")
    for folder in (Path(named) if named else None, REPOSITORY / ".cache" / "virtuoso"):
        if folder and (folder / "usr/bin/virtuoso-t").exists():
            return folder.resolve()
    found = shutil.which("virtuoso-t")
    return Path(found).resolve().parent.parent.parent if found else None


@contextmanager
def oxigraph_server(
    files: Sequence[Path], folder: Path, *, timeout_s: int | None = None, port: int | None = None
) -> Iterator[str]:
    """Loads the files and serves them read-only; yields the query URL."""
    binary = oxigraph_binary()
    assert binary, "no oxigraph server: pip install oxigraph"
    data = folder / "oxigraph"
    for file in files:
        subprocess.run([binary, "load", "-l", data, "-f", file], check=True, capture_output=True, timeout=60)
    bind = f"127.0.0.1:{port or free_port()}"
    limit = [] if timeout_s is None else ["--timeout-s", str(timeout_s)]
    command = [binary, "serve-read-only", "-l", str(data), "--bind", bind, *limit]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _await(f"http://{bind}/query?query=ASK%7B%7D", process)
        yield f"http://{bind}/query"
    finally:
        _kill(process)


@contextmanager
def virtuoso_server(
    files: Sequence[Path], folder: Path, *, max_rows: int = 100_000, max_seconds: int = 30
) -> Iterator[str]:
    """Loads the files (N-Triples or Turtle) into one graph and yields the query URL."""
    home = virtuoso_folder()
    assert home, "no Virtuoso: run tests/install_virtuoso.sh"
    data, sql_port, http_port = folder / "virtuoso", free_port(), free_port()
    data.mkdir(parents=True)
    ini = data / "virtuoso.ini"
    ini.write_text(
        _INI.format(
            folder=data,
            sql_port=sql_port,
            http_port=http_port,
            graph=GRAPH,
            max_rows=max_rows,
            max_seconds=max_seconds,
        )
    )
    environment = {**os.environ, "LD_LIBRARY_PATH": _libraries(home)}
    server = [str(home / "usr/bin/virtuoso-t"), "+foreground", "+wait", "+configfile", str(ini)]
    process = subprocess.Popen(
        server, env=environment, cwd=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{http_port}/sparql"
    try:
        _await(url + "?query=ASK%7B%7D", process)
        _load(files, data, [str(home / "usr/bin/isql-vt"), str(sql_port), "dba", "dba"], environment)
        yield url
    finally:
        _kill(process)


def _load(files: Sequence[Path], data: Path, isql: list[str], environment: dict[str, str]) -> None:
    incoming = data / "incoming"
    incoming.mkdir()
    for file in files:
        shutil.copy(file, incoming / file.name)
    script = f"ld_dir('{incoming}', '*', '{GRAPH}'); rdf_loader_run(); checkpoint;"
    subprocess.run(
        [*isql, f"exec={script}"], env=environment, check=True, capture_output=True, timeout=START_LIMIT_S
    )


def _libraries(home: Path) -> str:
    folders = [home / "usr/lib/x86_64-linux-gnu", home / "lib/x86_64-linux-gnu", home / "usr/lib"]
    folders += sorted((home / "usr/lib").glob("*-linux-gnu*"))
    return os.pathsep.join(dict.fromkeys(str(folder) for folder in folders))


def _await(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            assert process.poll() is None, f"the server ended with code {process.returncode}"
            assert time.monotonic() < deadline, f"no answer from {url} in {START_LIMIT_S} s"
            time.sleep(0.05)


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


# --- what every engine is asked -------------------------------------------------------------------

HOSTILE = (
    'quote " inside',
    "apostrophe ' inside",
    '"""',
    "'''",
    '" . ?s ?p ?o . "',
    '"} UNION { ?s ?p ?o } #',
    "} UNION {",
    "{{{",
    "back\\slash",
    "ends in a backslash \\",
    'backslash, quote \\"',
    "\\\\",
    "\\u0022 } UNION { ?s ?p ?o",
    "\\n is no newline",
    "line\nbreak",
    "carriage\rreturn",
    "tab\tstop",
    "bell\x07 and unit\x1f and delete\x7f",
    "next line\x85 separator\u2028",
    "# no comment",
    "<http://example.org/x>",
    "?s ?p ?o",
    "$s",
    "%22",
    "@en",
    '"@en',
    '"^^<http://www.w3.org/2001/XMLSchema#integer>',
    "{0} {name} %s %(x)s",
    "';--",
    "O'Neill \U0001f600 é 中文 عربى",
    "e\u0301 is not \u00e9",
    " leading and trailing ",
    "SERVICE <http://127.0.0.1:1/> {}",
)
"""Labels that break out of a query into which they are pasted."""

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def hostile_triples() -> str:
    """One N-Triples line per hostile label, written without the code under test."""
    lines = []
    for number, label in enumerate(HOSTILE):
        text = "".join(
            ESCAPES.get(sign) or (sign if " " <= sign < "\x7f" else f"\\U{ord(sign):08X}") for sign in label
        )
        lines.append(f'<http://example.org/h{number}> <http://example.org/hostile> "{text}" .\n')
    return "".join(lines)


@contextmanager
def replies(*sent: bytes) -> Iterator[str]:
    """A server that sends these bytes, one after the other, whatever it is asked, and closes each time."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def work() -> None:
            for reply in sent:
                asked, _ = server.accept()
                with asked, asked.makefile("rb") as lines:
                    length = 0
                    while line := lines.readline().strip():
                        name, _, value = line.lower().partition(b":")
                        length = int(value) if name == b"content-length" else length
                    lines.read(length)
                    asked.sendall(reply)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join(20)
