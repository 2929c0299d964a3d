"""How fast the chat page is in a headless Chromium, alone and with N sessions at once.

    python bench/page.py [--sessions 20] [--repeats 5] [--kb KB]

Serves the page with the shipped models, its cache and records in a temporary folder, and waits until it
has answered one question. Then: times in seconds from opening the page to the first paint, to the box
that takes a question and to the examples, each time with an empty browser profile; then N sessions, each
in a tab of its own, whose questions are sent one right after the other: from the return key until the
question stands in the chat, and until its answer does. The browser runs on the same machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from browser import Visitor, chromium, served

UNSEEN = "--disable-background-timer-throttling", "--disable-renderer-backgrounding"
"""Tabs that are not looked at work as fast as the one that is."""
WATCH = """
  const since = new Map([
    ['paint', () => performance.getEntriesByName('first-contentful-paint').length],
    ['box', () => document.querySelector('textarea:not([disabled])')],
    ['examples', () => document.querySelector('.stMain .stButton button')],
    ['question', () => document.querySelector('.kbqa.question')],
    ['answer', () => document.querySelector('.kbqa.small-print')],
  ]);
  window.seen = {};
  addEventListener('keydown', e => { if (e.key === 'Enter') window.seen.sent = performance.now(); }, true);
  setInterval(() => {
    for (const [what, there] of since)
      if (!(what in window.seen) && there()) window.seen[what] = performance.now();
  }, 20);
"""
Seen = dict[str, float]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--sessions", type=int, default=20)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--kb", help="default: the stub; its examples are asked")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), given.kb) as url:
        print(f"load average before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        start = time.perf_counter()
        with chromium() as visitor:
            visitor.patience_s = 600  # what is cached is built now
            examples = opened(visitor, url)
            visitor.find(".stMain .stButton button").click()
            visitor.find(".kbqa.small-print")
        print(f"the very first page and answer, models loaded with it: {time.perf_counter() - start:.1f} s")
        pages = [once(url) for _ in range(given.repeats)]
        for what in ("paint", "box", "examples"):
            tell(f"first {what}", [page[what] / 1000 for page in pages])
        at_once(url, given.sessions, questions() if given.kb is None else examples)
        print(f"load average after: {os.getloadavg()[0]:.1f}")


def questions() -> list[str]:
    lines = files("kbqa").joinpath("examples.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def opened(visitor: Visitor, url: str) -> list[str]:
    """Opens the page, with what notes when things appear; returns the examples that it offers."""
    visitor.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    visitor.go(url)
    visitor.find(".stMain .stButton button")
    return [b.text for b in visitor.all(".stMain .stButton button")]


def once(url: str) -> Seen:
    with chromium() as visitor:
        opened(visitor, url)
        time.sleep(0.5)
        seen: Seen = visitor.run("return window.seen")
        seen["paint"] = visitor.run(
            "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
    return seen


def at_once(url: str, sessions: int, asked: Sequence[str]) -> None:
    from selenium.webdriver import Keys

    with chromium(flags=UNSEEN) as visitor:
        tabs: list[str] = []
        for number in range(sessions):
            visitor.driver.switch_to.new_window("tab")
            opened(visitor, url)
            visitor.find('[data-testid="stChatInput"] textarea').send_keys(asked[number % len(asked)])
            tabs.append(visitor.driver.current_window_handle)
        start = time.perf_counter()
        for tab in tabs:
            visitor.driver.switch_to.window(tab)
            visitor.find('[data-testid="stChatInput"] textarea').send_keys(Keys.ENTER)
        sending = time.perf_counter() - start
        results: list[Seen] = []
        for tab in tabs:
            visitor.driver.switch_to.window(tab)
            visitor.find(".kbqa.small-print")
            time.sleep(0.1)
            results.append(visitor.run("return window.seen"))
        print(f"{len(results)} sessions at once, all sent within {sending:.1f} s, all answered")
    for what in ("question", "answer"):
        tell(f"return key to {what}", [(seen[what] - seen["sent"]) / 1000 for seen in results])


def tell(what: str, seconds: Sequence[float]) -> None:
    print(f"{what}: median {median(seconds):.2f} s, worst {max(seconds):.2f} s (n = {len(seconds)})")


if __name__ == "__main__":
    main()
