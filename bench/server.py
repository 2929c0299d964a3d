"""Load on the HTTP interface: N dialogues at once, three turns each, over the real engine.

    python bench/server.py [--dialogues 50] [--kb KB] [--url http://127.0.0.1:8000 --token T]
    python bench/server.py --rows bench/stub/questions.jsonl --questions 50    # no question twice

Starts `kbqa serve` on a free port, with records in a temporary folder, unless --url names one that
runs. Each dialogue asks one of the questions that work (those of the help that ships, or of --rows),
corrects its first step with a templated sub-question of another, and accepts. Which questions work is
asked in another mode beforehand, so that no wording is known when they are asked together. Prints
per turn the times in seconds (median, 95th percentile, worst), the errors, and the acknowledged turns
that the server does not know afterwards.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx

from kbqa.server.address import bound

TURNS = ("question", "correction", "acceptance")
Told = dict[str, Any]


@dataclass
class Talk:
    """One dialogue: seconds and replies of its turns, and the error that ended it."""

    seconds: list[float] = field(default_factory=list)
    said: list[Told] = field(default_factory=list)
    replies: list[Told] = field(default_factory=list)
    error: str = ""


def main() -> int:
    options = _options()
    questions = _questions(options.rows)
    with _server(options) as client_of:
        with client_of() as client:
            understood = _understood(client, questions, options.questions)
        print(f"{options.dialogues} dialogues at once over {len(understood)} questions")
        together = threading.Barrier(options.dialogues)
        start = time.perf_counter()
        with ThreadPoolExecutor(options.dialogues) as pool:
            talks = list(
                pool.map(lambda i: _talk(i, understood, client_of, together), range(options.dialogues))
            )
        whole = time.perf_counter() - start
        with client_of() as client:
            lost = sum(_lost(client, talk) for talk in talks)
    return _report(talks, whole, lost)


def _talk(
    number: int, questions: Sequence[tuple[str, str]], client_of: Any, together: threading.Barrier
) -> Talk:
    question, _ = questions[number % len(questions)]
    _, template = questions[(number + 1) % len(questions)]
    talk = Talk()
    with client_of() as client:
        together.wait()
        try:
            _timed(talk, client, "/dialogues", {"question": question})
            url = f"/dialogues/{talk.replies[0]['dialogue_id']}/feedback"
            _timed(talk, client, url, {"kind": "edit", "step": 1, "text": template, "turn_id": "1"})
            _timed(talk, client, url, {"kind": "accept", "turn_id": "2"})
        except (httpx.HTTPError, OSError) as e:
            talk.error = f"{type(e).__name__}: {e}"
    return talk


def _timed(talk: Talk, client: httpx.Client, url: str, said: Told) -> None:
    start = time.perf_counter()
    reply = client.post(url, json=said)
    talk.seconds.append(time.perf_counter() - start)
    if reply.is_error:
        raise httpx.HTTPError(f"{reply.status_code} {reply.text[:300]}")
    talk.said.append(said)
    talk.replies.append(reply.json())


def _lost(client: httpx.Client, talk: Talk) -> int:
    """Acknowledged turns of which the server has no record: sent again, they have their first reply;
    the dialogue stands as the last one left it."""
    if not talk.replies:
        return 0
    url = f"/dialogues/{talk.replies[0]['dialogue_id']}"
    lost = 0
    for said, reply in zip(talk.said[1:], talk.replies[1:], strict=True):
        lost += client.post(f"{url}/feedback", json=said).json() != reply
    return lost + (client.get(url).json() != talk.replies[-1])


def _questions(rows: Path | None) -> list[str]:
    if rows is None:
        lines = files("kbqa").joinpath("examples.txt").read_text().splitlines()
        return [q for q in lines if q.strip() and not q.startswith("#")]
    return [str(json.loads(line)["question"]) for line in rows.read_text().splitlines()]


def _understood(client: httpx.Client, questions: Sequence[str], most: int) -> list[tuple[str, str]]:
    """(question, template of its first step), so many; also the warm-up."""
    found: list[tuple[str, str]] = []
    for question in questions:
        if len(found) == most:
            break
        reply = client.post("/dialogues", json={"question": question, "mode": "decontextualized"}).json()
        if reply.get("steps"):
            found.append((question, reply["steps"][0]["template"]))
    if len(found) < 2:
        raise SystemExit("fewer than two questions were understood: is this the stub?")
    return found


def _report(talks: Sequence[Talk], whole: float, lost: int) -> int:
    for number, name in enumerate(TURNS):
        _print_times(name, [t.seconds[number] for t in talks if len(t.seconds) > number])
    _print_times("all turns", [s for t in talks for s in t.seconds])
    done = sum(len(t.replies) for t in talks)
    print(f"{done} turns in {whole:.1f} s, {done / whole:.1f} a second")
    errors = [t.error for t in talks if t.error]
    print(f"errors: {len(errors)}, lost turns: {lost}")
    for error in dict.fromkeys(errors):
        print(f"  {error}")
    return 1 if errors or lost else 0


def _print_times(name: str, seconds: Sequence[float]) -> None:
    if seconds:
        ranked = sorted(seconds)
        p95 = ranked[min(len(ranked) - 1, int(0.95 * len(ranked)))]
        print(f"{name:12} p50 {ranked[len(ranked) // 2]:6.2f} s  p95 {p95:6.2f} s  worst {ranked[-1]:6.2f} s")


@contextmanager
def _server(options: argparse.Namespace) -> Iterator[Any]:
    """What makes clients of the server."""
    if options.url:
        bearer = {"Authorization": f"Bearer {options.token}"} if options.token else {}
        yield lambda: httpx.Client(base_url=options.url, headers=bearer, timeout=300)
        return
    with bound("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    kb = ["--kb", options.kb] if options.kb else []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kbqa.cli", "serve", "--port", str(port), *kb]
        environment = {**os.environ, "KBQA_RECORDS": folder}
        with open(Path(folder) / "log", "w") as log:
            running = subprocess.Popen(command, env=environment, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, running, Path(folder) / "log")
            yield lambda: httpx.Client(base_url=url, timeout=300)
        finally:
            running.terminate()
            running.wait(60)


def _wait(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    while True:
        if running.poll() is not None:
            raise SystemExit(f"kbqa serve ended: {log.read_text()}")
        try:
            httpx.get(f"{url}/readyz").raise_for_status()
            return
        except httpx.TransportError:
            time.sleep(0.2)


def _options() -> argparse.Namespace:
    reads = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reads.add_argument("--dialogues", type=int, default=50)
    reads.add_argument("--questions", type=int, default=10, help="how many different ones")
    reads.add_argument("--rows", type=Path, help="JSON lines {question}; default: the help's questions")
    reads.add_argument("--kb")
    reads.add_argument("--url")
    reads.add_argument("--token")
    return reads.parse_args()


if __name__ == "__main__":
    sys.exit(main())
