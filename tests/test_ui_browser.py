"""The chat page in a real browser: the whole loop, by mouse and by keyboard, on a screen and on a phone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("streamlit", reason="Streamlit is not installed (extra `ui`)")

from browser import PHONE, SCREEN, Visitor, chromium, missing, served
from pages import (
    CAPITAL,
    DIVISIONS,
    EMPTY,
    HOSTILE,
    MASCOT,
    NASTY_COUNTRY,
    SCRIPT,
    TINY,
    TWO_STEPS,
    graph,
)
from servers import free_port, oxigraph_binary, oxigraph_server
from show import way

from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.examples import candidates
from kbqa.scripted import ScriptedParser

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

BOX = '[class*="st-key-step-"] [class*="st-key-box-"] textarea'
CALLING_CODE = "What is the calling code of that country?"
RIGHT_TO_LEFT = "جمهورية السودان"
LONG = (
    "The United Kingdom of Great Britain and Northern Ireland and of the British Dominions beyond the Seas "
    * 2
)
WIDE = (
    "return [...document.querySelectorAll('.stMain *')]"
    ".filter(e => !e.closest('.drawing, .table, pre, [role=tablist]'))"
    ".filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"
)
"""What reaches beyond the right edge, but for what scrolls in itself."""
AXE = Path(__file__).parents[1] / ".cache" / "axe"
AXE_VERSION = "4.14.1"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page over the tiny graph, shared by the tests of this file."""
    with served(tmp_path_factory.mktemp("served"), TINY, SCRIPT) as address:
        yield address


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with chromium() as found:
        yield found


def correct(visitor: Visitor, step: int, text: str) -> None:
    """No, and step `step` in other words."""
    from selenium.webdriver import Keys

    visitor.press("No")
    visitor.press("Edit", step - 1)
    box = visitor.find(BOX)
    box.send_keys(Keys.CONTROL, "a")
    if text:
        box.send_keys(text, Keys.ENTER)


def choose_mode(visitor: Visitor, mode: str) -> None:
    from selenium.webdriver import Keys

    box = visitor.find('.stSidebar [data-testid="stSelectbox"] input')
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(way(MODES[mode]).name, Keys.ENTER)
    visitor.find(".stSidebar", way(MODES[mode]).line)


@pytest.mark.parametrize("mode", [name for name, mode in MODES.items() if mode.edits])
def test_ask_edit_undo_accept(visitor: Visitor, url: str, mode: str) -> None:
    visitor.go(url)
    choose_mode(visitor, mode)
    visitor.say(TWO_STEPS)
    visitor.answer("Arabic")
    words = "What is the calling code of [that country]?" if mode == "templated" else CALLING_CODE
    correct(visitor, 2, words)
    visitor.answer("20")
    assert [e.text for e in visitor.all(".kbqa mark")] == ["calling code"]
    visitor.find(".kbqa.right", "4 corrections left")
    visitor.press("Undo")
    visitor.answer("Arabic")
    visitor.press("Yes")
    visitor.find(".kbqa.over", "You said that this is right.")


def test_without_corrections_there_is_yes_no_and_a_comment(visitor: Visitor, url: str) -> None:
    visitor.go(url)
    choose_mode(visitor, "non-interactive")
    visitor.say(MASCOT)
    visitor.find(".kbqa.final", "I found no answer.")
    assert not visitor.all('[class*="st-key-name-"]')
    visitor.press("No")
    visitor.find(".kbqa", "In this mode I take no corrections")
    assert not visitor.all('[class*="st-key-tools-"]')
    visitor.press("Stop")
    visitor.find("textarea[aria-label^='What is wrong']").send_keys("the other Giants")
    visitor.press("Stop this dialogue")
    visitor.find(".kbqa.over", "Your comment: the other Giants")


def test_another_entity_by_its_chip(visitor: Visitor, url: str) -> None:
    visitor.go(url)
    visitor.say(MASCOT)
    visitor.press("New York Giants (sports team)")
    visitor.press("San Francisco Giants (sports team)", within='[data-testid="stPopoverBody"]')
    visitor.answer("Lou Seal")


def test_another_reading_by_its_button(visitor: Visitor, url: str) -> None:
    visitor.go(url)
    visitor.say(EMPTY)
    visitor.find(".kbqa", "would find Arabic")
    visitor.press("What is the official language of Libya?")
    visitor.answer("Arabic")


def test_a_reload_in_mid_dialogue_loses_nothing_and_two_tabs_do_not_collide(
    visitor: Visitor, url: str
) -> None:
    visitor.go(url)
    visitor.say(TWO_STEPS)
    visitor.answer("Arabic")
    correct(visitor, 2, CALLING_CODE)
    visitor.answer("20")
    address = visitor.driver.current_url
    assert "?dialogue=" in address
    visitor.go(address)
    visitor.answer("20")
    visitor.find(".kbqa.right", "4 corrections left")

    first = visitor.driver.current_window_handle
    visitor.driver.switch_to.new_window("tab")
    second = visitor.driver.current_window_handle
    visitor.resize(SCREEN)
    visitor.go(address)
    visitor.answer("20")
    visitor.press("Undo")
    visitor.answer("Arabic")
    visitor.press("No")
    visitor.press("Delete", 1)
    visitor.answer("Egypt")
    visitor.driver.switch_to.window(first)
    visitor.press("No")
    visitor.press("Delete", 1)
    visitor.find(".kbqa.problem", "continued in another window")
    visitor.answer("Egypt")
    visitor.driver.switch_to.window(second)
    visitor.driver.close()
    visitor.driver.switch_to.window(first)


def test_the_loop_by_keyboard_alone(visitor: Visitor, url: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    def key(*keys: str) -> None:
        ActionChains(visitor.driver).send_keys(*keys).perform()

    def tab_to(label: str) -> None:
        """Only by the tab key, as somebody without a mouse."""
        for _ in range(80):
            key(Keys.TAB)
            focus = visitor.driver.switch_to.active_element
            if focus.accessible_name == label:
                return
        pytest.fail(f"the tab key does not lead to {label!r}")

    visitor.go(url)
    visitor.run("document.activeElement.blur()")
    tab_to("Ask a question in English")
    key(TWO_STEPS, Keys.ENTER)
    visitor.answer("Arabic")
    visitor.settle()
    tab_to("No")
    key(Keys.ENTER)
    visitor.find("button", "Insert after")
    visitor.settle()
    visitor.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    tab_to("Edit step 2")
    key(Keys.ENTER)
    visitor.find(BOX)
    time.sleep(1)  # the cursor goes into the box by itself
    ActionChains(visitor.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    key(CALLING_CODE, Keys.ENTER)
    visitor.answer("20")


def test_on_a_phone_with_hostile_long_and_right_to_left_names(tmp_path: Path) -> None:
    from selenium.webdriver import Keys

    kb = graph(
        tmp_path, [*HOSTILE, RIGHT_TO_LEFT, LONG, *(f"Division {n}" for n in range(500))], NASTY_COUNTRY
    )
    nasty = f"What are the administrative divisions of {NASTY_COUNTRY}?"
    script = {CAPITAL: SCRIPT[CAPITAL], nasty: SCRIPT[DIVISIONS]}
    with served(tmp_path, kb, script) as url, chromium(PHONE) as visitor:
        visitor.go(url)
        visitor.find(".stMain .stButton button", CAPITAL)
        visitor.say(nasty)
        visitor.find(".kbqa.final", "more")
        for more in visitor.all(".kbqa summary"):
            more.send_keys(Keys.ENTER)
        visitor.find(".kbqa details[open] li")

        # Names from the graph are text, in answers as well as in the question, on buttons and in lists.
        visitor.find(".kbqa.question", NASTY_COUNTRY)
        answers = {e.get_attribute("textContent") for e in visitor.all(".kbqa ul.answers > li")}
        assert answers >= {*HOSTILE, RIGHT_TO_LEFT, " ".join(LONG.split()), "Division 499"}
        visitor.press("No")
        visitor.click("summary", "Correct from a list")
        visitor.find(".stRadio label", "administrative divisions")
        assert visitor.driver.title == "kbqa"
        assert not visitor.all(".kbqa :is(a, script, strong, em, h1, code), .kbqa img[src^='x']")
        assert not visitor.all(".stRadio label :is(a, strong, em, code, .katex), .stButton strong")

        # Nothing is wider than the phone, but for what scrolls in itself; nothing came from elsewhere.
        assert visitor.run("return document.documentElement.scrollWidth") <= PHONE[0]
        assert visitor.run(WIDE) == []
        host = url.split("//")[1]
        assert {address for address in visitor.requested() if not address.startswith(host)} == set()


def test_a_hostile_example_is_text_on_its_button(tmp_path: Path) -> None:
    kb = graph(tmp_path, ("Khartoum",), NASTY_COUNTRY)
    with Engine.open(str(kb), ScriptedParser({})) as engine:
        offered = [q for q in candidates(engine.kb) if NASTY_COUNTRY in q]
    assert offered
    with served(tmp_path, kb, dict.fromkeys(offered, SCRIPT[DIVISIONS])) as url, chromium() as visitor:
        visitor.go(url)
        button = visitor.find(".stMain .stButton button")
        assert button.text.replace("\u2060", "") in offered
        assert not button.find_elements(
            "css selector", "a, strong, em, del, code, .katex, [data-testid=stIconMaterial]"
        )
        button.click()
        visitor.answer("Khartoum")


def test_twenty_sessions_at_once(url: str) -> None:
    """Each a tab of its own, all asked before any is looked at."""
    with chromium() as visitor:
        tabs = []
        for _ in range(20):
            visitor.driver.switch_to.new_window("tab")
            visitor.driver.get(url)
            tabs.append(visitor.driver.current_window_handle)
        for number, tab in enumerate(tabs):
            visitor.driver.switch_to.window(tab)
            visitor.say(TWO_STEPS if number % 2 else CAPITAL)
        for number, tab in enumerate(tabs):
            visitor.driver.switch_to.window(tab)
            visitor.answer("Arabic" if number % 2 else "Cairo")


def test_an_endpoint_that_is_gone_is_asked_again_once_it_is_back(tmp_path: Path) -> None:
    """Before the page is opened, at a question and at a correction."""
    if oxigraph_binary() is None:
        pytest.skip("no oxigraph server: pip install oxigraph")
    port = free_port()

    def endpoint() -> AbstractContextManager[str]:
        return oxigraph_server([TINY], tmp_path, port=port)

    with served(tmp_path, f"http://127.0.0.1:{port}/query", SCRIPT) as url, chromium() as visitor:
        visitor.driver.get(url)
        visitor.find(".kbqa.problem", "can't be reached: Connection refused.")
        with endpoint():
            visitor.press("Try again")
            visitor.find("textarea:not([disabled])")
            visitor.say(CAPITAL)
            visitor.answer("Cairo")
        visitor.press("New question")
        visitor.gone(".kbqa.final")
        visitor.say(TWO_STEPS)
        visitor.find(".kbqa.problem", "can't be reached")
        with endpoint():
            visitor.press("Try again")
            visitor.answer("Arabic")
        correct(visitor, 2, CALLING_CODE)
        visitor.find(".kbqa.problem", "can't be reached")
        visitor.answer("Arabic")
        with endpoint():
            visitor.press("Use this")
            visitor.answer("20")


def test_a_long_sub_question_is_seen_whole_in_its_box_and_sent_by_return(url: str) -> None:
    from selenium.webdriver import Keys

    with chromium(PHONE) as visitor:
        visitor.go(url)
        visitor.say(TWO_STEPS)
        visitor.answer("Arabic")
        correct(visitor, 2, "")
        box = visitor.find(BOX)
        for long in (
            "What is the name of the official language of that country ",
            "that most people speak? " * 4,
        ):
            box.send_keys(long)
        visitor.settle()
        assert visitor.run("return arguments[0].scrollHeight <= arguments[0].clientHeight", box)
        assert box.size["height"] > 100
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(CALLING_CODE, Keys.ENTER)
        visitor.answer("20")


def test_at_200_per_cent_nothing_is_cut(url: str) -> None:
    """A window of 1280 pixels that shows 640, each twice as large."""
    with chromium() as visitor:
        zoomed = {"width": 640, "height": 450, "deviceScaleFactor": 2, "mobile": False}
        visitor.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", zoomed)
        visitor.go(url)
        visitor.say(TWO_STEPS)
        visitor.answer("Arabic")
        visitor.press("No")
        visitor.press("Edit", 1)
        visitor.find(BOX)
        visitor.settle()
        assert visitor.run(WIDE) == []
        bottom = visitor.run(
            "const bar = document.querySelector('[data-testid=stBottom]').getBoundingClientRect();"
            "return arguments[0].getBoundingClientRect().bottom <= bar.top",
            visitor.find(BOX),
        )
        assert bottom  # the box is not under the one at the bottom


# --- accessibility ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core; got from npm once."""
    script = AXE / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        if shutil.which("npm") is None:
            pytest.skip("no npm to get axe-core with")
        AXE.mkdir(parents=True, exist_ok=True)
        get = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(AXE), f"axe-core@{AXE_VERSION}"]
        done = subprocess.run(get, capture_output=True, text=True, timeout=120, env=os.environ | {"CI": "1"})
        if done.returncode or not script.is_file():
            pytest.skip(f"axe-core can't be got from npm: {done.stderr[-300:]}")
    return script.read_text()


def violations(visitor: Visitor, axe: str) -> list[str]:
    """What axe-core calls serious or critical, by rule and element."""
    visitor.settle()
    visitor.run(axe)
    found = visitor.driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {resultTypes: ['violations']}).then(r => done(JSON.stringify(r.violations)))"
    )
    return [
        f"{v['id']} ({v['impact']}): {node['html'][:300]}"
        for v in json.loads(found)
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


@pytest.mark.parametrize(("size", "dark"), [(SCREEN, False), (PHONE, True)])
def test_axe_finds_no_serious_violation(url: str, axe: str, size: Any, dark: bool) -> None:
    """In every main state, with what opens over the page."""
    from selenium.webdriver import ActionChains, Keys

    found: dict[str, list[str]] = {}
    with chromium(size, dark=dark) as visitor:

        def check(state: str) -> None:
            if wrong := violations(visitor, axe):
                found[state] = wrong

        def away() -> None:
            """Closes what is open over the page."""
            ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
            visitor.gone('[data-testid="stPopoverBody"]')

        visitor.go(url)
        visitor.find(".stMain .stButton button", CAPITAL)
        check("start")
        visitor.say(TWO_STEPS)
        visitor.answer("Arabic")
        check("answer")
        for title in ("SPARQL", "Fixed wording"):
            visitor.click("[role=tab]", title)
            check(title)
        correct(visitor, 2, CALLING_CODE)
        visitor.answer("20")
        check("corrected")
        visitor.click('[class*="st-key-versions-"] button')
        visitor.find('[data-testid="stPopoverBody"]', "Back to version 1")
        check("versions")
        away()
        visitor.press("No")
        visitor.press("Edit")
        visitor.click("summary", "Correct from a list")
        visitor.find(".stRadio label", "Replace")
        check("corrections")
        visitor.click('[class*="st-key-stop-"] button')
        visitor.find('[data-testid="stPopoverBody"]', "Stop this dialogue")
        check("stop")
        visitor.press("Stop this dialogue")
        visitor.find(".kbqa.over")
        check("stopped")
        visitor.say(MASCOT)
        visitor.press("Ask it as a new question") if visitor.all('[class*="st-key-heard-"]') else None
        visitor.click('[class*="st-key-name-"] button')
        visitor.find('[data-testid="stPopoverBody"]', "San Francisco Giants")
        check("meanings")
        away()
        visitor.say("no, delete step 1")
        visitor.find('[class*="st-key-heard-"]')
        check("feedback in words")
        visitor.press("Ask it as a new question")
        visitor.find(".kbqa.small-print", nth=2)
        check("not understood")
        visitor.say(EMPTY)
        visitor.press("Ask it as a new question") if visitor.all('[class*="st-key-heard-"]') else None
        visitor.find(".kbqa", "would find Arabic")
        check("offered readings")
        if size == PHONE:
            visitor.click('[data-testid="stExpandSidebarButton"]')
        for title in ("This dialogue", "Earlier dialogues", "Settings", "Knowledge base"):
            visitor.click(".stSidebar summary", title)
        check("side")
        for way_in in ("Upload an RDF file", "A file or folder", "A SPARQL endpoint"):
            visitor.click(".stSidebar .stRadio label", way_in)
            check(way_in)
        visitor.find(".stSidebar .stTextInput input").send_keys("nowhere", Keys.ENTER)
        visitor.find(".stSidebar .kbqa.problem", "No knowledge base at 'nowhere'")
        check("no such knowledge base")
        visitor.click(".stSidebar button", "Delete it")
        visitor.find('[data-testid="stPopoverBody"]', "for good")
        check("deleting")
    assert found == {}
