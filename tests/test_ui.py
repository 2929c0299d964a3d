"""The chat page: its logic without a browser, and once in a real one."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import urlopen

import pytest

from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.errors import (
    InputError,
    KbqaError,
    KnowledgeBaseError,
    ModelError,
    StoreError,
    StoreTimeout,
    StoreUnavailable,
)
from kbqa.examples import candidates
from kbqa.scripted import ScriptedParser
from kbqa.sparql import parse, render

pytest.importorskip("streamlit", reason="Streamlit is not installed (extra `ui`)")

NS = "http://rdf.freebase.com/ns/"
PREFIX = f"PREFIX ns: <{NS}> "
CAPITAL = "What is the capital of Egypt?"
TWO_STEPS = "What is the official language of the country that contains Sharqia?"
EMPTY = "Who governs Libya?"
DIVISIONS = "What are the administrative divisions of Sudan?"
SCRIPT = {
    CAPITAL: PREFIX + "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.capital ?x }",
    TWO_STEPS: PREFIX
    + "SELECT DISTINCT ?x WHERE { ?c ns:location.country.administrative_divisions ns:m.0cjk5 . "
    "?c ns:location.country.official_language ?x }",
    EMPTY: PREFIX + "SELECT DISTINCT ?x WHERE { ns:m.02b2 ns:location.country.capital ?x }",
    DIVISIONS: PREFIX
    + "SELECT DISTINCT ?x WHERE { ns:m.02b1 ns:location.country.administrative_divisions ?x }",
}

HOSTILE = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "**bold** and _slanted_",
    "[a](https://evil.example/)",
    "https://evil.example/ www.evil.example me@evil.example",
    ":smile: :material/home: :red[red]",
    "$x^2$ -> `code` ~~gone~~",
    "# heading | a | table",
    "</bdi></li></ol><h1>out</h1>",
)
NASTY_COUNTRY = "Aland **b** [c](https://evil.example) :smile: :material/home: ~~f~~ www.evil.example"


def graph(folder: Path, labels: tuple[str, ...], country: str = "Sudan") -> Path:
    """The tiny graph, with a country whose administrative divisions have these names."""
    lines = (Path(__file__).parent / "data" / "tiny.nt").read_text().splitlines()
    lines = [line.replace('"Sudan"', literal(country)) for line in lines]
    for number, label in enumerate(labels):
        division = f"<{NS}m.0div{number}>"
        lines.append(f"<{NS}m.02b1> <{NS}location.country.administrative_divisions> {division} .")
        lines.append(f"{division} <{NS}type.object.name> {literal(label)}@en .")
    file = folder / "graph.nt"
    file.write_text("\n".join(lines) + "\n")
    return file


def literal(text: str) -> str:
    return json.dumps(text)


# --- without a browser ---------------------------------------------------------


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, checkout: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(checkout / "ui"))
    import show as module  # type: ignore[import-not-found]

    return module


class Page:
    """The page as it stands; it is run again after each act."""

    def __init__(self, test: Any) -> None:
        self.test = test

    def ask(self, question: str) -> Page:
        self.test.chat_input[0].set_value(question).run()
        return self

    def press(self, label: str) -> Page:
        next(b for b in self.test.button if plain(b.label) == label).click().run()
        return self

    @property
    def html(self) -> list[str]:
        return [block.proto.body for block in self.test.main.get("html")]

    @property
    def text(self) -> str:
        blocks = [re.sub(r"<[^>]*>", " ", html) for html in self.html]
        return " ".join(" ".join(blocks).split())

    @property
    def buttons(self) -> list[str]:
        return [plain(button.label) for button in self.test.main.button]


def plain(label: str) -> str:
    return re.sub(r"\\(.)\u2060?", r"\1", label)


@pytest.fixture
def opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, checkout: Path, show: ModuleType
) -> Iterator[Any]:
    """`opened(kb, script)`: the page over a knowledge base."""
    import streamlit as st
    from streamlit.testing.v1 import AppTest

    monkeypatch.setenv("KBQA_CACHE", str(tmp_path / "cache"))

    def page(kb: Path | str, script: Mapping[str, Any] = SCRIPT) -> Page:
        monkeypatch.setenv("KBQA_KB", str(kb))
        monkeypatch.setattr(
            "kbqa.parse.load_parser",
            lambda kb: ScriptedParser(script, mediators=kb.lexicon.mediators),
        )
        return Page(AppTest.from_file(str(checkout / "ui" / "app.py"), default_timeout=60).run())

    st.cache_resource.clear()
    yield page
    st.cache_resource.clear()


@pytest.fixture
def tiny(checkout: Path) -> Path:
    return checkout / "tests" / "data" / "tiny.nt"


Open = Callable[..., Page]


def test_starts_with_what_it_is_examples_modes_and_the_knowledge_base(opened: Open, tiny: Path) -> None:
    page = opened(tiny)
    assert not page.test.exception
    assert "how I understood your question" in page.test.main.markdown[0].value
    assert page.buttons == [CAPITAL]
    mode = page.test.sidebar.radio[0]
    assert mode.options == [name.capitalize() for name in MODES]
    assert "tiny.nt" in page.test.sidebar.get("html")[0].proto.body
    assert "Is this right?" in page.test.sidebar.caption[0].value


def test_shows_the_steps_with_their_answers_the_answer_sparql_and_templates(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask(TWO_STEPS)
    assert not page.test.exception
    assert [m.name for m in page.test.chat_message] == ["user", "assistant"]
    assert TWO_STEPS in page.text
    steps = next(html for html in page.html if "Here is how I understood your question:" in html)
    assert steps.count('<p class="asked">') == 2
    assert steps.index("Egypt") < steps.index("Arabic")
    final = next(html for html in page.html if 'class="kbqa final"' in html)
    assert "Arabic" in final and "Egypt" not in final and "misunderstood" not in final
    assert len(page.test.code) == 3
    assert all("SELECT" in code.value and code.language == "sparql" for code in page.test.code)
    assert [e.label for e in page.test.expander] == ["SPARQL", "The steps in fixed wording"]
    assert "[that country]" in page.text
    assert re.search(r"\d\.\d\d s .* mode full · tiny.nt", page.text)


def test_an_example_is_asked_by_a_click(opened: Open, tiny: Path) -> None:
    page = opened(tiny).press(CAPITAL)
    assert "Cairo" in page.text
    assert page.buttons == []


def test_history_stays_until_one_starts_anew(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask(CAPITAL).ask(TWO_STEPS)
    assert len(page.test.chat_message) == 4 and "Cairo" in page.text and "Arabic" in page.text
    page.press("Start anew")
    assert len(page.test.chat_message) == 0
    assert page.buttons == [CAPITAL]


def test_the_mode_counts_from_the_next_question_on(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask(CAPITAL)
    page.test.sidebar.radio[0].set_value("templated").run()
    page.ask(CAPITAL)
    assert "mode full" in page.text and "mode templated" in page.text
    first, second = (html for html in page.html if "Here is how" in html)
    assert "What is the capital of Egypt?" in first
    assert "[Egypt]" in second


def test_not_understood_says_what_was_recognised_and_what_works(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask("Why do the Giants dream of Egypt?")
    assert "I did not understand this question." in page.text
    assert re.search(r"“ Giants ”: .*(San Francisco|New York) Giants", page.text)
    assert "“ Egypt ”: Egypt" in page.text
    assert page.buttons == [CAPITAL]
    assert "Cairo" in page.press(CAPITAL).text


def test_nothing_recognised_is_said(opened: Open, tiny: Path) -> None:
    assert "I recognised no name in it" in opened(tiny).ask("Who is the best of all?").text


def test_an_empty_answer_is_doubted_and_explained(opened: Open, tiny: Path) -> None:
    text = opened(tiny).ask(EMPTY).text
    assert "Nothing was found." in text
    assert "I am not at all sure of this step." in text
    assert "I found no answer. The knowledge base may not know it" in text


def test_more_than_ten_answers_can_be_opened(opened: Open, tmp_path: Path) -> None:
    kb = graph(tmp_path, tuple(f"Division {n}" for n in range(47)))
    page = opened(kb).ask(DIVISIONS)
    steps = next(html for html in page.html if "Here is how" in html)
    shown, _, hidden = steps.partition("<details><summary>and 37 more</summary>")
    assert shown.count("Division") == 10 and hidden.count("Division") == 37
    assert "<summary>and 37 more</summary>" in next(html for html in page.html if "kbqa final" in html)


def test_an_overlong_question_gets_a_sentence_and_can_be_asked_again(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask("who " * 400)
    assert not page.test.exception
    assert "The question has 1,599 characters, at most 1,000 are read: ask a shorter question." in page.text
    assert "Ask again" in page.buttons
    assert "Cairo" in page.ask(CAPITAL).text


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreUnavailable("the endpoint http://x/ does not answer"), "Ask again when the knowledge base can"),
        (StoreTimeout("stopped after 5 s"), "Ask again, or ask for something narrower."),
        (RuntimeError("secret detail"), "Something went wrong inside kbqa (RuntimeError)."),
    ],
)
def test_what_fails_is_a_sentence_and_can_be_tried_again(
    opened: Open, tiny: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    page = opened(tiny)

    def fails(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("kbqa.engine.Engine.ask", fails)
        page.ask(CAPITAL)
        assert not page.test.exception
        assert said in page.text
        assert "Traceback" not in page.text and "secret detail" not in page.text
    assert "Cairo" in page.press("Ask again").text


def test_a_knowledge_base_that_does_not_open_is_said_with_a_way_out(opened: Open, tmp_path: Path) -> None:
    page = opened(tmp_path / "missing.ttl")
    assert not page.test.exception
    assert "missing.ttl" in page.text and "kbqa ui --kb" in page.text
    assert page.buttons == ["Try again"]
    assert page.test.chat_input[0].disabled


def test_hostile_labels_are_text_everywhere(opened: Open, tmp_path: Path) -> None:
    page = opened(graph(tmp_path, HOSTILE)).ask(DIVISIONS)
    assert not page.test.exception
    html = "".join(page.html)
    for tag in ("<script", "<img", "<h1", "</bdi></li></ol><h1"):
        assert tag not in html
    assert "&lt;script&gt;document.title=&#x27;owned&#x27;&lt;/script&gt;" in html
    for markdown in page.test.markdown:
        assert "evil" not in markdown.value


def test_a_hostile_question_is_text(opened: Open, tiny: Path) -> None:
    page = opened(tiny).ask("Who is <script>alert(1)</script> **x**?")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **x**?" in "".join(page.html)
    assert "<script" not in "".join(page.html)


def test_one_engine_serves_all_sessions(
    opened: Open, tiny: Path, monkeypatch: pytest.MonkeyPatch, checkout: Path
) -> None:
    made: list[str | None] = []
    real = Engine.open.__func__  # type: ignore[attr-defined]

    def counted(cls: type[Engine], kb: str | None = None, parser: Any = None) -> Engine:
        made.append(kb)
        found: Engine = real(cls, kb, parser)
        return found

    monkeypatch.setattr(Engine, "open", classmethod(counted))
    pages = [opened(tiny) for _ in range(3)]
    for page in pages:
        assert "Cairo" in page.ask(CAPITAL).text
    assert made == [str(tiny)]


def test_a_doubtful_answer_says_so(opened: Open, tiny: Path) -> None:
    of_egypt = PREFIX + "SELECT DISTINCT ?x WHERE {{ ns:m.02k54 ns:location.country.{} ?x }}"
    others = ("official_language", "calling_code", "administrative_divisions")
    readings = [(SCRIPT[CAPITAL], -1.0), *((of_egypt.format(p), -1.0) for p in others)]
    page = opened(tiny, {CAPITAL: readings}).ask(CAPITAL)
    assert "I am not at all sure of this step." in page.text
    assert "I may have misunderstood the question: check the steps above." in page.text


@pytest.mark.parametrize(
    ("confidence", "said"), [(0.1, "not at all sure"), (0.5, "not quite sure"), (0.7, ""), (0.95, "")]
)
def test_low_confidence_is_a_word(show: ModuleType, confidence: float, said: str) -> None:
    assert said in show.doubt(confidence) and bool(said) == bool(show.doubt(confidence))


@pytest.mark.parametrize(
    "error",
    [
        kind("the file books.ttl is broken")
        for kind in (KbqaError, KnowledgeBaseError, ModelError, StoreError, StoreTimeout, StoreUnavailable)
    ]
    + [InputError("the question is empty: ask one")],
)
def test_errors_are_sentences(show: ModuleType, error: KbqaError) -> None:
    said = show.explained(error)
    assert said.startswith("The ") and said.endswith(".") and ".." not in said


def test_markdown_escapes_every_mark(show: ModuleType) -> None:
    said = show.markdown("$x$ *y* :red[z] <b> -> a_b")
    assert plain(said) == "$x$ *y* :red[z] <b> -> a_b"
    assert not re.search(r"(?<!\\)[$*:<>\[\]_-]", said)


@pytest.mark.parametrize(
    "query",
    [
        *SCRIPT.values(),
        f'SELECT ?x WHERE {{ ?x <{NS}type.object.name> "<{NS}m.0> \\" {{" . ?x <urn:b> <{NS}m.0.> }}',
        "SELECT ?x WHERE { { ?x <http://a.example/b> 1 } UNION { ?x <http://a.example/c> 2 } }",
    ],
)
def test_sparql_is_shown_readably_and_means_the_same(show: ModuleType, query: str) -> None:
    written = render(parse(query))
    shown = show.sparql(written)
    assert parse(shown) == parse(written)
    assert all(line.startswith(("PREFIX", "SELECT", "  ", "}")) for line in shown.splitlines())


def test_nothing_is_reported_to_anybody(checkout: Path) -> None:
    import tomllib

    config = tomllib.loads((checkout / "ui" / ".streamlit" / "config.toml").read_text())
    assert config["browser"]["gatherUsageStats"] is False
    for file in (p for p in (checkout / "ui").rglob("*") if p.suffix in (".py", ".css", ".toml")):
        assert not re.search(r"https?://\w|@import|url\(", file.read_text()), file


# --- in a browser ---------------------------------------------------------------

HOOK = """
import json, kbqa.parse
from kbqa.scripted import ScriptedParser
kbqa.parse.load_parser = lambda kb: ScriptedParser(json.loads({script!r}), mediators=kb.lexicon.mediators)
"""


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed (extra `dev`)")
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("no chromium and chromedriver (Debian's packages chromium and chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path / 'profile'}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()


@pytest.fixture
def served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Path, Mapping[str, str]], str]]:
    """`served(kb, script)`: the URL of a page that `kbqa ui` serves."""
    running: list[subprocess.Popen[bytes]] = []

    def serve(kb: Path, script: Mapping[str, str]) -> str:
        folder = tmp_path / "hook"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(HOOK.format(script=json.dumps(script)))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = os.environ | {"PYTHONPATH": str(folder), "KBQA_CACHE": str(tmp_path / "served")}
        log = (tmp_path / "ui.log").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", "kbqa.cli", "ui", "--port", str(port), "--kb", str(kb)],
            cwd=tmp_path,
            env=environment,
            stdout=log,
            stderr=log,
        )
        running.append(process)
        url = f"http://127.0.0.1:{port}"
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            try:
                with urlopen(f"{url}/_stcore/health", timeout=2):
                    return url
            except OSError:
                time.sleep(0.2)
        pytest.fail("the page did not start: " + (tmp_path / "ui.log").read_text())

    yield serve
    for process in running:
        process.terminate()
        process.wait(timeout=20)


@pytest.mark.slow
def test_in_a_browser_by_keyboard_on_a_phone_with_hostile_labels(
    chromium: Any, served: Callable[[Path, Mapping[str, str]], str], tmp_path: Path
) -> None:
    from selenium.webdriver import Keys
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    def find(selector: str, has: str = "") -> Any:
        def found(browser: Any) -> Any:
            return next((e for e in browser.find_elements(By.CSS_SELECTOR, selector) if has in e.text), None)

        return WebDriverWait(chromium, 60).until(found, f"no {selector} with {has!r}")

    kb = graph(tmp_path, HOSTILE + tuple(f"Division {n}" for n in range(20)), NASTY_COUNTRY)
    nasty = f"What are the administrative divisions of {NASTY_COUNTRY}?"
    url = served(kb, {CAPITAL: SCRIPT[CAPITAL], nasty: SCRIPT[DIVISIONS]})
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    chromium.get(url)

    # The examples; what is asked is typed, and sent by a key.
    find(".stMain .stButton button", CAPITAL)
    box = find("textarea:not([disabled])")
    box.send_keys(CAPITAL, Keys.ENTER)
    find(".kbqa.final", "Cairo")

    # 'and 19 more' opens by a key; the SPARQL can.
    box.send_keys(nasty, Keys.ENTER)
    find(".kbqa.final", "and 19 more")
    for more in chromium.find_elements(By.CSS_SELECTOR, ".kbqa summary"):
        more.send_keys(Keys.ENTER)
    find(".kbqa details[open] li")
    assert find(".stExpander summary", "SPARQL").is_enabled()

    # Names from the graph are text, in answers as well as in the question.
    find(".kbqa.question", NASTY_COUNTRY)
    answers = {e.text for e in chromium.find_elements(By.CSS_SELECTOR, ".kbqa ul.answers > li")}
    assert answers >= {*HOSTILE, "Division 19"}
    assert chromium.title == "kbqa"
    assert not chromium.find_elements(By.CSS_SELECTOR, ".kbqa :is(a, script, img, strong, em, h1, code)")

    # Nothing is wider than the phone, and nothing was fetched from elsewhere.
    assert chromium.execute_script("return document.documentElement.scrollWidth") <= 390
    wide = (
        "return [...document.querySelectorAll('.kbqa, .kbqa *')]"
        ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
    )
    assert chromium.execute_script(wide) == []
    assert {address for address in requested(chromium) if not address.startswith(url.split("//")[1])} == set()


def requested(browser: Any) -> Iterator[str]:
    """Host, port and path of all that the page asked for."""
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] in ("Network.requestWillBeSent", "Network.webSocketCreated"):
            params = message["params"]
            address = params["request"]["url"] if "request" in params else params["url"]
            scheme, _, rest = address.partition("://")
            if scheme in ("http", "https", "ws", "wss"):
                yield rest


@pytest.mark.slow
def test_a_hostile_example_is_text_on_its_button(
    chromium: Any, served: Callable[[Path, Mapping[str, str]], str], tmp_path: Path
) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    kb = graph(tmp_path, ("Khartoum",), NASTY_COUNTRY)
    with Engine.open(str(kb), ScriptedParser({})) as engine:
        offered = [q for q in candidates(engine.kb) if NASTY_COUNTRY in q]
    assert offered
    chromium.get(served(kb, dict.fromkeys(offered, SCRIPT[DIVISIONS])))
    button = WebDriverWait(chromium, 60).until(
        lambda b: b.find_elements(By.CSS_SELECTOR, ".stMain .stButton button")
    )[0]
    assert button.text.replace("\u2060", "") in offered
    assert not button.find_elements(
        By.CSS_SELECTOR, "a, strong, em, del, code, .katex, [data-testid=stIconMaterial]"
    )
    button.click()
    WebDriverWait(chromium, 60).until(
        lambda b: "Khartoum" in "".join(e.text for e in b.find_elements(By.CSS_SELECTOR, ".kbqa.final"))
    )
