"""Figures of a graph of any size: its build, then, in a process of its own, opening, names and turns.

python -m bench.kb build --books 58000               # about a million triples, in a folder
python -m bench.kb build --books 58000 --endpoint    # the same in an Oxigraph server
python -m bench.scale DIR                            # a folder that was built before
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TypeVar

from bench.kb import QUESTIONS, questions
from bench.library import Library
from kbqa.engine import Engine
from kbqa.kb import open_kb

TURNS = NAMES = 10
_START_LIMIT_S = 60.0
_T = TypeVar("_T")


def figures(books: int, folder: Path, *, endpoint: bool) -> dict[str, object]:
    """All figures of a library of so many books; `folder` holds what is made for it."""
    file = write(books, folder)
    served = _served(file, folder) if endpoint else nullcontext((str(file), None))
    with served as (source, load_s):
        loaded = {} if load_s is None else {"load_s": round(load_s, 1)}
        built = {**loaded, **build(source, folder / "kb")}
        print(json.dumps(built), file=sys.stderr, flush=True)
        return {**built, **in_own_process(folder / "kb")}


def write(books: int, folder: Path) -> Path:
    """The library as a file in the folder."""
    file = folder / "library.ttl"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(Library(books).turtle())
    return file


def build(source: str, out: Path) -> dict[str, object]:
    """Builds with the command line: seconds, processor seconds and peak memory of that process."""
    command = [sys.executable, "-m", "kbqa.cli", "kb", "build", source, "--out", str(out)]
    with tempfile.TemporaryFile() as said:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise SystemExit(said.read().decode(errors="replace"))
    meta = json.loads((out / "kb.json").read_text(encoding="utf-8"))
    return {
        "triples": meta["triples"],
        "names": meta["labels"],
        "build_s": round(seconds, 1),
        "build_cpu_s": round(used.ru_utime + used.ru_stime, 1),
        "peak_gib": round(used.ru_maxrss / 2**20, 2),
    }


def in_own_process(folder: Path) -> dict[str, object]:
    """What `opened` measures, without the memory of this process."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.scale", str(folder)], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def opened(folder: Path) -> dict[str, object]:
    """Seconds to open, median seconds to find a name and for a first answer, and resident memory. The
    names and the questions are the same for libraries of all sizes."""
    library = Library(1000)
    asked = [q for q, _ in questions(library, [q for q in QUESTIONS if "{m" not in q.question])][:TURNS]
    titles = library.titles[:NAMES]
    open_s, kb = _timed(lambda: open_kb(str(folder)))
    with kb:
        after_open = _resident_mb()
        link_s = _median([f"Who wrote {title}?" for title in titles], kb.linker.link)
        misspelt_s = _median([f"Who wrote {_misspelt(title)}?" for title in titles], kb.linker.link)
    with Engine.open(str(folder)) as engine:
        engine.warm()
        first_s, _ = _timed(lambda: engine.first_version(asked[0]))
        turn_s = _median(asked[1:], engine.first_version)
        after_turns = _resident_mb()
    return {
        "open_s": round(open_s, 2),
        "open_mb": after_open,
        "link_s": round(link_s, 4),
        "link_misspelt_s": round(misspelt_s, 4),
        "first_turn_s": round(first_s, 2),
        "turn_s": round(turn_s, 3),
        "turns_mb": after_turns,
    }


def _timed(do: Callable[[], _T]) -> tuple[float, _T]:
    start = time.monotonic()
    found = do()
    return time.monotonic() - start, found


def _median(texts: list[str], do: Callable[[str], object]) -> float:
    return statistics.median(_timed(lambda text=text: do(text))[0] for text in texts)  # type: ignore[misc]


def _misspelt(title: str) -> str:
    """Two letters of the last word are exchanged."""
    return f"{title[:-3]}{title[-2]}{title[-3]}{title[-1]}"


def _resident_mb() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)


@contextmanager
def _served(file: Path, folder: Path) -> Iterator[tuple[str, float | None]]:
    """The file in an Oxigraph server (`pip install oxigraph`): its URL, and how long the loading took."""
    beside = Path(sys.executable).parent / "oxigraph"
    binary = str(beside) if beside.exists() else shutil.which("oxigraph")
    if binary is None:
        raise SystemExit("no oxigraph server: pip install oxigraph")
    data = str(folder / "oxigraph")
    load = [binary, "load", "--location", data, "--file", str(file)]
    load_s, _ = _timed(lambda: subprocess.run(load, check=True, capture_output=True))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    server = subprocess.Popen(
        [binary, "serve-read-only", "--location", data, "--bind", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _await(f"http://{address}/query?query=ASK%7B%7D", server)
        yield f"http://{address}/query", load_s
    finally:
        server.kill()
        server.wait()


def _await(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_LIMIT_S
    while server.poll() is None and time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.URLError:
            time.sleep(0.1)
    raise SystemExit(f"the oxigraph server does not answer at {url}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    print(json.dumps(opened(parser.parse_args().folder)))


if __name__ == "__main__":
    main()
