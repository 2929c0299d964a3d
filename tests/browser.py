"""A served chat page and a headless Chromium to look at it (Debian's chromium, chromium-driver; selenium)."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

HOOK = """
import sys
sys.path.append({tests!r})
import json, pages
from kbqa.engine import Engine
Engine.open = lambda kb=None, parser=None: pages.engine_over(kb, json.loads({script!r}))
"""
"""What makes a served page use a scripted parser instead of the models."""

SCREEN, PHONE = (1280, 900), (390, 844)
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def missing() -> str:
    """What a browser test lacks here, in words; '' if nothing."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "selenium is not installed (extra `dev`)"
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        return "no chromium and chromedriver (Debian's packages chromium and chromium-driver)"
    return ""


@contextmanager
def served(
    folder: Path, kb: Path | str | None = None, script: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """The URL of a page that `kbqa ui` serves; its cache, records and log lie in `folder`. `script`: see
    `pages.engine_over`; without one the models answer."""
    environment = os.environ | {"KBQA_CACHE": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data")}
    if script is not None:
        hook = folder / "hook"
        hook.mkdir(exist_ok=True)
        code = HOOK.format(tests=str(Path(__file__).parent), script=json.dumps(script))
        (hook / "sitecustomize.py").write_text(code)
        environment["PYTHONPATH"] = str(hook)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "kbqa.cli", "ui", "--port", str(port)]
    command += ["--kb", str(kb)] if kb else []
    with (folder / "ui.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        _wait_for(url, process, folder / "ui.log")
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"{url}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"the page did not start: {log.read_text()}")


@contextmanager
def chromium(
    size: tuple[int, int] = SCREEN, *, dark: bool = False, flags: Sequence[str] = ()
) -> Iterator[Visitor]:
    """Somebody who looks at pages in a window of that many pixels."""
    from selenium import webdriver

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in (*_FLAGS, *flags, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            visitor = Visitor(driver)
            visitor.resize(size)
            scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
            yield visitor
        finally:
            driver.quit()


class Visitor:
    """Does with a page what a person does, and waits for what it brings."""

    def __init__(self, driver: Any, patience_s: float = 120) -> None:
        self.driver, self.patience_s = driver, patience_s

    def resize(self, size: tuple[int, int]) -> None:
        """A window can't be as narrow as a phone, its page can."""
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def go(self, url: str) -> Visitor:
        self.driver.get(url)
        self.find("textarea:not([disabled])")
        return self

    def all(self, selector: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def find(self, selector: str, has: str = "", nth: int = 0) -> Any:
        """The `nth` element with these words in it, once it is there."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        def found(_: Any) -> Any:
            try:
                fitting = [e for e in self.all(selector) if has in e.text.replace("\u2060", "")]
            except StaleElementReferenceException:
                return None
            return fitting[nth] if len(fitting) > nth else None

        return WebDriverWait(self.driver, self.patience_s).until(found, f"no {selector} with {has!r}")

    def gone(self, selector: str, has: str = "") -> None:
        """Waits until there is no such element."""
        from selenium.common.exceptions import StaleElementReferenceException
        from selenium.webdriver.support.ui import WebDriverWait

        def absent(_: Any) -> bool:
            try:
                return not [e for e in self.all(selector) if has in e.text]
            except StaleElementReferenceException:
                return False

        WebDriverWait(self.driver, self.patience_s).until(absent, f"still {selector} with {has!r}")

    def say(self, text: str) -> None:
        """Type it at the bottom, and send it by a key."""
        from selenium.webdriver import Keys

        self.find('[data-testid="stChatInput"] textarea:not([disabled])').send_keys(text, Keys.ENTER)

    def press(self, label: str, nth: int = 0, within: str = "body") -> None:
        """A button."""
        self.click(f"{within} button", label, nth)

    def click(self, selector: str, has: str = "", nth: int = 0) -> None:
        """Scrolled to the middle, where no other thing lies over it."""
        self.settle()
        element = self.find(selector, has, nth)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def answer(self, words: str) -> None:
        """Waits until the answer holds these words."""
        self.find(".kbqa.final", words)

    def settle(self) -> None:
        """Waits until nothing is being worked on, and nothing moves."""
        self.gone('[data-testid="stStatusWidget"]')
        self.gone('[data-testid="stSpinner"]')
        last, still = -1, 0
        end = time.monotonic() + self.patience_s
        while still < 4 and time.monotonic() < end:
            time.sleep(0.15)
            now = self.run("return document.querySelector('.stMain')?.scrollTop ?? 0")
            still, last = (still + 1 if now == last else 0), now

    def run(self, script: str, *given: Any) -> Any:
        return self.driver.execute_script(script, *given)

    def requested(self) -> Iterator[str]:
        """Host, port and path of all that the page has asked for."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
                params = message["params"]
                address = params["request"]["url"] if "request" in params else params["url"]
                scheme, _, rest = address.partition("://")
                if scheme in ("http", "https", "ws", "wss"):
                    yield rest
