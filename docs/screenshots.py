"""Makes docs/screenshot-*.png of the chat page, in a headless Chromium.

    .venv/bin/python docs/screenshots.py [--kb KB] [--scripted]

Needs Debian's packages chromium and chromium-driver, and selenium. `--scripted`: a parser that knows the
questions of this file only, for when there is no checkpoint in models/parser.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from selenium import webdriver
from selenium.webdriver import ChromeOptions, ChromeService, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).resolve().parent

TWO_STEPS = "What is the official language of the country that contains Bavaria?"
MANY = "What films did Steven Spielberg direct?"
NOT_UNDERSTOOD = "Warum hat Alfred Hitchcock einen Film mit Grace Kelly gedreht?"

PREFIX = "PREFIX ns: <http://rdf.freebase.com/ns/> "
SCRIPT = {
    "What is the capital of Egypt?": "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }",
    "What films did Alfred Hitchcock direct?": "SELECT DISTINCT ?x WHERE { "
    "ns:local.person.alfred_hitchcock ns:film.director.film ?x }",
    TWO_STEPS: "SELECT DISTINCT ?x WHERE { ?c ns:location.country.administrative_divisions "
    "ns:local.division.bavaria . ?c ns:location.country.official_language ?x }",
    MANY: "SELECT DISTINCT ?x WHERE { ns:local.person.steven_spielberg ns:film.director.film ?x }",
}
HOOK = """
import json, kbqa.parse
from kbqa.scripted import ScriptedParser
kbqa.parse.load_parser = lambda kb: ScriptedParser(json.loads({script!r}), mediators=kb.lexicon.mediators)
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--kb", help="default: the stub")
    options.add_argument("--scripted", action="store_true")
    options.add_argument("--out", type=Path, default=HERE)
    given = options.parse_args()
    with page(given.kb, given.scripted) as url:
        for name, size, dark, questions, opened in (
            ("start", (1280, 900), False, [], False),
            ("answer", (1280, 900), False, [TWO_STEPS], False),
            ("sparql", (1280, 900), False, [TWO_STEPS], True),
            ("list", (1280, 900), False, [MANY], False),
            ("not-understood", (1280, 900), False, [NOT_UNDERSTOOD], False),
            ("dark", (1280, 900), True, [TWO_STEPS], False),
            ("phone", (390, 844), False, [TWO_STEPS], False),
        ):
            with chromium(*size, dark=dark) as browser:
                browser.get(url)
                wait_for(browser, ".stApp textarea:not([disabled])")
                if not questions:
                    wait_for(browser, ".stMain .stButton button")
                for question in questions:
                    box = browser.find_element(By.CSS_SELECTOR, "textarea")
                    box.send_keys(question, Keys.ENTER)
                    wait_for(browser, ".kbqa.small-print")
                if opened:
                    expander = browser.find_element(By.CSS_SELECTOR, ".stExpander summary")
                    expander.click()
                    time.sleep(1.5)
                    browser.execute_script(
                        "arguments[0].style.scrollMarginTop = '80px'; arguments[0].scrollIntoView()", expander
                    )
                time.sleep(1.5)
                browser.save_screenshot(str(given.out / f"screenshot-{name}.png"))
                print(given.out / f"screenshot-{name}.png")


def wait_for(browser: webdriver.Chrome, selector: str) -> None:
    WebDriverWait(browser, 120).until(lambda b: b.find_elements(By.CSS_SELECTOR, selector))


@contextmanager
def page(kb: str | None, scripted: bool) -> Iterator[str]:
    """`kbqa ui` on a free port."""
    import json

    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        environment = dict(os.environ)
        if scripted:
            script = json.dumps({question: PREFIX + sparql for question, sparql in SCRIPT.items()})
            (Path(folder) / "sitecustomize.py").write_text(HOOK.format(script=script))
            environment["PYTHONPATH"] = folder
        command = [sys.executable, "-m", "kbqa.cli", "ui", "--port", str(port)]
        with subprocess.Popen(command + (["--kb", kb] if kb else []), env=environment) as process:
            try:
                url = f"http://127.0.0.1:{port}"
                answering(url, process)
                yield url
            finally:
                process.terminate()


def answering(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            with urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the page did not start")


@contextmanager
def chromium(width: int, height: int, *, dark: bool) -> Iterator[webdriver.Chrome]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={profile}",
        ):
            options.add_argument(flag)
        browser = webdriver.Chrome(options, ChromeService("/usr/bin/chromedriver"))
        try:
            # A window can't be as narrow as a phone, its page can.
            size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
            yield browser
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
