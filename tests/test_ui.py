"""The chat page's logic, without a browser: Streamlit's AppTest over small graphs and a scripted parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("streamlit", reason="Streamlit is not installed (extra `ui`)")

from pages import (
    CAPITAL,
    DIVISIONS,
    EMPTY,
    HOSTILE,
    MASCOT,
    NASTY_COUNTRY,
    PREFIX,
    SCRIPT,
    TINY,
    TWO_STEPS,
    UI,
    Page,
    engine_over,
    graph,
    plain,
    read,
)
from show import way

from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.errors import StoreTimeout, StoreUnavailable
from kbqa.feedback import Accept
from kbqa.records import Records

Open = Callable[..., Page]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Open]:
    """`opened(kb, script, dialogue)`: the page over a knowledge base, in a browser session of its own."""
    import streamlit as st
    from streamlit.testing.v1 import AppTest

    monkeypatch.setenv("KBQA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sources.is_private", lambda: True)

    def page(kb: Path | str = TINY, script: Mapping[str, Any] = SCRIPT, dialogue: str | None = None) -> Page:
        monkeypatch.setenv("KBQA_KB", str(kb))
        monkeypatch.setattr(Engine, "open", lambda kb=None, parser=None: engine_over(kb, script))
        test = AppTest.from_file(str(UI / "app.py"), default_timeout=60)
        if dialogue is not None:
            test.query_params["dialogue"] = dialogue
        found = Page(test.run())
        assert not test.exception
        return found

    st.cache_resource.clear()
    yield page
    st.cache_resource.clear()


# --- asking ------------------------------------------------------------------------


def test_starts_with_what_it_is_examples_modes_and_the_knowledge_base(opened: Open) -> None:
    page = opened()
    assert "how I understood your question" in page.test.main.markdown[0].value
    assert page.buttons == [CAPITAL]
    assert page.test.sidebar.selectbox[0].options == [way(mode).name for mode in MODES.values()]
    assert way(MODES["full"]).line in read(page.test.sidebar.get("html")[-1].proto.body)
    assert "tiny" in page.test.sidebar.expander[0].label


def test_shows_the_steps_with_their_answers_the_answer_sparql_and_templates(opened: Open) -> None:
    page = opened().ask(TWO_STEPS)
    assert [m.name for m in page.test.chat_message] == ["user", "assistant"]
    assert page.said == [TWO_STEPS]
    first, second = page.steps
    assert "Egypt" in first and "Arabic" in second
    assert page.final == "Answer Arabic"
    assert len(page.test.main.code) == 3
    assert all("SELECT" in code.value and code.language == "sparql" for code in page.test.main.code)
    assert "[that country]" in page.text
    assert re.search(r"\d\.\d\d s · tiny.nt", page.text)


def test_the_drawing_is_there_in_words_too(opened: Open) -> None:
    page = opened().ask(TWO_STEPS)
    (drawing,) = (html for html in page.html if 'class="kbqa drawing"' in html)
    assert 'src="data:image/svg+xml;base64,' in drawing
    alt = re.search(r'alt="([^"]*)"', drawing)
    assert alt is not None
    assert "Step 1, country from Al Sharqia Governorate (administrative divisions of): Egypt." in alt[1]
    assert "Step 2, official language from step 1 (official language): Arabic." in alt[1]


def test_an_example_is_asked_by_a_click(opened: Open) -> None:
    page = opened().press(CAPITAL)
    assert page.final == "Answer Cairo" and CAPITAL not in page.buttons


def test_questions_stay_until_one_starts_anew(opened: Open) -> None:
    page = opened().ask(CAPITAL).ask(TWO_STEPS)
    assert page.said == [CAPITAL, TWO_STEPS]
    page.press("New question")
    assert page.said == [] and page.buttons == [CAPITAL] and page.address is None


def test_the_mode_counts_from_the_next_question_on(opened: Open) -> None:
    page = opened().ask(CAPITAL)
    page.test.sidebar.selectbox[0].set_value("templated").run()
    page.ask(CAPITAL)
    assert page.text.count("· in set phrases") == 1
    assert page.steps[0].startswith("What is the capital of Egypt?")
    assert page.steps[1].startswith("What is the capital city of [Egypt]?")


# --- is this right? -------------------------------------------------------------------


def test_yes_accepts_and_can_be_taken_back(opened: Open) -> None:
    page = opened().ask(CAPITAL)
    assert "Is this right?" in page.text and "5 corrections left" in page.text
    page.press("Yes")
    assert "You said that this is right." in page.text and "Yes" not in page.buttons
    page.press("Take that back")
    assert "Is this right?" in page.text


def test_buttons_on_the_steps_appear_after_a_no(opened: Open) -> None:
    page = opened().ask(TWO_STEPS)
    assert "Edit" not in page.buttons
    page.press("No")
    assert page.buttons.count("Edit") == page.buttons.count("Insert after") == 2
    labels = [b.label for b in page.test.main.button if b.label.startswith("Edit")]
    assert labels == ["Edit`step 1`", "Edit`step 2`"]  # those who hear the page are told which


def test_an_edit_starts_from_the_words_and_what_is_new_is_marked(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Edit", 1)
    box = page.box
    assert (
        box.label == "Step 2 in your words" and box.value == "What is the official language of that country?"
    )
    page.type("What is the calling code of that country?")
    assert page.final == "Answer 20"
    assert page.said == [TWO_STEPS, "Step 2 should ask: What is the calling code of that country?"]
    changed = next(html for html in page.html if "step changed" in html)
    assert re.findall("<mark>(.*?)</mark>", changed) == ["calling code"] and "changed" in read(changed)
    assert "4 corrections left" in page.text and "Edit" not in page.buttons
    assert "Version 1 · answer: Arabic" in next(read(h) for h in page.html if "<details class=" in h)


def test_edit_undo_accept(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Edit", 1)
    page.type("What is the calling code of that country?").press("Undo")
    assert page.final == "Answer Arabic" and page.said == [TWO_STEPS]
    assert "4 corrections left" in page.text
    assert "thank you" in page.press("Yes").text.lower()


def test_back_to_any_version(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Edit", 1)
    page.type("What is the calling code of that country?")
    page.press("No").press("Delete", 1)
    assert page.final == "Answer Egypt" and "Version 3" in page.text
    assert "Left out now: What is the calling code of that country?" in page.text
    page.press("Back to version 2")
    assert page.final == "Answer 20"
    page.press("Back to version 3")
    assert page.final == "Answer Egypt"


def test_replace_and_insert(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Replace", 1)
    assert page.box.value == ""
    page.type("What is the capital of that country?")
    assert page.final == "Answer Cairo"
    page.press("No").press("Insert after", 1)
    assert page.box.label == "The new sub-question, as step 3"
    page.press("Cancel")
    assert page.box.label == "Step 1 in your words"  # that of the list
    page.press("Insert before", 0)
    assert page.box.label == "The new sub-question, as step 1"


def test_the_studys_way_edits_and_deletes_from_a_list(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No")
    what, which = page.test.main.radio
    assert what.options == [
        "Edit a sub-question", "Replace a sub-question", "Insert a sub-question", "Delete a sub-question",
    ]  # fmt: skip
    which.set_value(2).run()
    assert page.box.value == "What is the official language of that country?"
    page.test.main.radio[0].set_value("insert").run()
    assert page.test.main.radio[1].options[-1] == "at the end"
    page.test.main.radio[0].set_value("delete").run()
    page.test.main.radio[1].set_value(2).run()
    assert page.press("Delete it").final == "Answer Egypt"


def test_what_is_not_understood_is_told_and_nothing_is_lost(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Edit", 1).type("What about the weather?")
    assert "'What about the weather?' was not understood" in page.text
    assert page.box.value == "What about the weather?"
    assert "5 corrections left" in page.text and page.final == "Answer Arabic"
    page.type("What is the calling code of that country?")
    assert page.final == "Answer 20" and "was not understood" not in page.text


def test_an_empty_box_is_told(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Replace", 0).type("  ")
    assert "The box is empty: type a sub-question" in page.text


def test_a_delete_that_would_leave_nothing_is_told(opened: Open) -> None:
    page = opened().ask(CAPITAL).press("No").press("Delete")
    assert "A question needs at least one step" in page.text and page.final == "Answer Cairo"


def test_another_entity_is_taken_by_its_chip(opened: Open) -> None:
    page = opened().ask(MASCOT)
    assert "I found no answer." in page.text
    page.press("San Francisco Giants (sports team)")
    assert page.final == "Answer Lou Seal"
    assert page.said[1] == "I mean San Francisco Giants (sports team), not New York Giants (sports team)"
    assert "4 corrections left" in page.text


def test_other_readings_are_offered_with_what_they_would_find(opened: Open) -> None:
    page = opened().ask(EMPTY)
    assert "Or did you mean one of these?" in page.text and "would find Arabic" in page.text
    page.press("What is the official language of Libya?")
    assert page.final == "Answer Arabic"
    assert page.said[1] == "I meant: What is the official language of Libya?"


def test_not_sure_names_the_step_to_look_at(opened: Open) -> None:
    other = SCRIPT[TWO_STEPS].replace("official_language", "calling_code")
    page = opened(TINY, {TWO_STEPS: [(SCRIPT[TWO_STEPS], -1.0), (other, -1.5)]}).ask(TWO_STEPS)
    page.press("Not sure")
    assert "look at it first" in page.steps[1] and "look at it first" not in page.steps[0]
    assert "Noted." in page.text and "Yes" in page.buttons


def test_a_stop_takes_a_comment(opened: Open) -> None:
    page = opened().ask(CAPITAL).press("No")
    page.test.main.text_area[0].set_value("I meant ancient Egypt <b>")
    page.press("Stop this dialogue")
    assert "Your comment: I meant ancient Egypt <b>" in page.text
    assert "Is this right?" in page.press("Take that back").text


def test_after_five_corrections_the_rest_is_still_there(opened: Open) -> None:
    page = opened().ask(TWO_STEPS)
    codes = ["calling code", "official language"]
    for n in range(5):
        page.press("No").press("Edit", 1).type(f"What is the {codes[n % 2]} of [that country]?")
    assert "0 corrections left" in page.text and "Edit" not in page.press("No").buttons
    assert "No corrections are left: say yes, undo one, or stop" in page.text
    assert "You said that this is right." in page.press("Yes").text


def test_a_mode_without_corrections_has_none(opened: Open) -> None:
    page = opened()
    page.test.sidebar.selectbox[0].set_value("non-interactive").run()
    page.ask(MASCOT).press("No")
    assert "In this mode I take no corrections" in page.text
    assert "Edit" not in page.buttons and not any("San Francisco" in b for b in page.buttons)
    assert "Stop this dialogue" in page.buttons


def test_in_fixed_wording_an_edit_starts_from_the_template(opened: Open) -> None:
    page = opened()
    page.test.sidebar.selectbox[0].set_value("templated").run()
    page.ask(TWO_STEPS).press("No").press("Edit", 1)
    assert page.box.value == "What is the official language of [that country]?"
    assert page.type("What is the calling code of [that country]?").final == "Answer 20"


def test_in_decontextualized_mode_the_loop_goes_too(opened: Open) -> None:
    page = opened()
    page.test.sidebar.selectbox[0].set_value("decontextualized").run()
    page.ask(TWO_STEPS).press("No").press("Edit", 1).type("What is the calling code of that country?")
    assert page.final == "Answer 20"


# --- what is typed at the bottom ---------------------------------------------------------


def test_feedback_in_ones_own_words_waits_for_a_yes(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).say("delete step 2")
    assert "I would delete step 2: What is the official language of that country?" in page.text
    assert page.final == "Answer Arabic" and "Yes" not in page.buttons
    assert page.press("Apply").final == "Answer Egypt"


def test_what_would_be_replaced_is_shown_beside_what_would_come(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).say("step 2 should be what is the calling code of that country")
    assert "I would edit step 2:" in page.text and page.final == "Answer Arabic"
    assert page.press("Apply").final == "Answer 20"


def test_what_was_taken_for_feedback_may_be_a_new_question(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).say("delete step 2").press("Ask it as a new question")
    assert page.said == [TWO_STEPS, "delete step 2"]
    page = opened().ask(TWO_STEPS).say("delete step 2").press("Not that")
    assert page.said == [TWO_STEPS] and "I would" not in page.text and page.final == "Answer Arabic"


def test_what_is_no_feedback_is_asked_back(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).say("blargh foo")
    assert "I did not get what to change." in page.text and "Apply" not in page.buttons
    assert "Yes" in page.press("Never mind").buttons


def test_a_plain_yes_is_taken_at_once(opened: Open) -> None:
    assert "You said that this is right." in opened().ask(CAPITAL).say("yes").text


def test_a_new_question_is_one(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).ask(CAPITAL)
    assert page.said == [TWO_STEPS, CAPITAL] and "Go on with this" in page.buttons
    page.press("Go on with this")
    page.press("Yes")
    assert "You said that this is right." in page.text


# --- records -----------------------------------------------------------------------------


def test_a_reload_in_mid_dialogue_loses_nothing(opened: Open) -> None:
    page = opened().ask(TWO_STEPS).press("No").press("Edit", 1)
    page.type("What is the calling code of that country?")
    again = opened(dialogue=page.address)
    assert again.final == "Answer 20" and again.said == page.said and again.address == page.address
    assert "4 corrections left" in again.text
    assert again.press("Undo").final == "Answer Arabic"


def test_two_windows_on_one_dialogue_do_not_overwrite_each_other(opened: Open) -> None:
    one = opened().ask(TWO_STEPS)
    other = opened(dialogue=one.address)
    one.press("No").press("Edit", 1).type("What is the calling code of that country?")
    other.press("No").press("Delete", 1)
    assert "This dialogue was continued in another window." in other.text
    assert other.final == "Answer 20"
    assert other.press("Yes") and "You said that this is right." in other.text


def test_an_address_of_no_dialogue_is_told(opened: Open) -> None:
    page = opened(dialogue="<b>nowhere</b>")
    assert "There is no dialogue at this address any more." in page.text
    assert page.buttons == [CAPITAL]


def test_earlier_dialogues_are_listed_resumed_and_deleted(opened: Open) -> None:
    asked = opened().ask(TWO_STEPS).press("Yes").address
    page = opened()
    page.press(TWO_STEPS)
    assert page.final == "Answer Arabic" and page.address == asked
    page.press("Yes, delete it")
    assert page.said == [] and TWO_STEPS not in [b.label for b in page.test.button]
    with Records() as records:
        assert records.recent() == []


def test_where_others_may_look_nobody_sees_earlier_dialogues_or_this_computers_files(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().ask(TWO_STEPS)
    monkeypatch.setattr("sources.is_private", lambda: False)
    page = opened()
    assert "Earlier dialogues" not in [e.label for e in page.test.sidebar.expander]
    assert TWO_STEPS not in [b.label for b in page.test.button]
    assert not page.test.sidebar.radio and "tiny.nt" in plain(page.test.sidebar.expander[0].label)


def test_a_dialogue_can_be_exported_as_json(opened: Open) -> None:
    page = opened().ask(TWO_STEPS)
    assert "Export as JSON" in [d.label for d in page.test.sidebar.get("download_button")]


def test_records_that_fail_are_told_and_the_dialogue_goes_on(
    opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from kbqa.errors import RecordsError

    page = opened()

    def fails(*_: object, **__: object) -> None:
        raise RecordsError("the records failed: disk full")

    monkeypatch.setattr(Records, "save", fails)
    page.ask(TWO_STEPS)
    assert "disk full" in page.text and page.final == "Answer Arabic"
    assert "You said that this is right." in page.press("Yes").text


# --- knowledge bases -------------------------------------------------------------------------


def test_another_knowledge_base_by_path(opened: Open, tmp_path: Path) -> None:
    page = opened()
    page.test.sidebar.radio[0].set_value("path").run()
    page.test.sidebar.text_input[0].set_value(str(tmp_path / "nowhere.ttl"))
    page.press("Open it")
    told = " ".join(read(h.proto.body) for h in page.test.sidebar.get("html"))
    assert "nowhere.ttl" in told and page.ask(CAPITAL).final == "Answer Cairo"
    page.test.sidebar.text_input[0].set_value(str(graph(tmp_path, ("Khartoum",))))
    page.press("Open it").ask(DIVISIONS)
    assert page.final == "Answer Khartoum" and "s · graph.nt" in page.text
    again = opened(dialogue=page.address)
    assert again.final == "Answer Khartoum" and again.ask(DIVISIONS).final == "Answer Khartoum"
    page.press("Go on with this")  # the first dialogue is still about the first graph
    assert page.press("Yes") and "s · tiny.nt" in page.text


def test_an_uploaded_file_is_asked_and_a_broken_one_named_with_its_line(opened: Open, tmp_path: Path) -> None:
    page = opened()
    page.test.sidebar.radio[0].set_value("file").run()
    upload = page.test.sidebar.file_uploader[0]
    upload.set_value(("broken.ttl", b"<http://e/a> <http://e/b> .\n", "text/turtle")).run()
    page.press("Open it")
    told = " ".join(read(h.proto.body) for h in page.test.sidebar.get("html"))
    assert "broken.ttl, line 1" in told and str(tmp_path) not in told
    data = graph(tmp_path, ("Khartoum",)).read_bytes()
    page.test.sidebar.file_uploader[0].set_value(("sudan.nt", data, "application/n-triples")).run()
    page.press("Open it")
    assert page.ask(DIVISIONS).final == "Answer Khartoum" and "sudan.nt" in page.text


def test_a_knowledge_base_that_does_not_open_is_said_with_a_way_out(opened: Open, tmp_path: Path) -> None:
    page = opened(tmp_path / "missing.ttl")
    assert "missing.ttl" in page.text and "kbqa ui --kb" in page.text
    assert page.buttons == ["Try again"] and page.test.chat_input[0].disabled


def test_one_engine_serves_all_sessions(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [opened() for _ in range(3)]
    made: list[str | None] = []
    monkeypatch.setattr(Engine, "open", lambda kb=None, parser=None: made.append(kb))
    for page in pages:
        assert page.ask(CAPITAL).final == "Answer Cairo"
    assert made == []


# --- what does not go well ---------------------------------------------------------------------


def test_not_understood_says_what_was_recognised_and_what_works(opened: Open) -> None:
    page = opened().ask("Why do the Giants dream of Egypt?")
    assert "I did not understand this question." in page.text
    assert re.search(r"“ Giants ”: .*(San Francisco|New York) Giants", page.text)
    assert page.buttons == [CAPITAL]
    assert page.press(CAPITAL).final == "Answer Cairo"


def test_nothing_recognised_is_said(opened: Open) -> None:
    assert "I found no name in it" in opened().ask("Who is the best of all?").text


def test_an_overlong_question_gets_a_sentence_and_can_be_asked_again(opened: Open) -> None:
    page = opened().ask("who " * 400)
    assert "The question has 1,599 characters, at most 1,000 are read: ask a shorter question." in page.text
    assert "Try again" in page.buttons
    assert page.ask(CAPITAL).final == "Answer Cairo"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StoreUnavailable("the endpoint http://x/ does not answer"), "Try again when the knowledge base can"),
        (StoreTimeout("stopped after 5 s"), "Try again, or ask for something narrower."),
        (RuntimeError("secret detail"), "Something went wrong inside kbqa (RuntimeError)."),
    ],
)
def test_what_fails_is_a_sentence_and_can_be_tried_again(
    opened: Open, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    page = opened()

    def fails(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Engine, "ask", fails)
        page.ask(TWO_STEPS)
        assert not page.test.exception and said in page.text
        assert "Traceback" not in page.text and "secret detail" not in page.text
    assert page.press("Try again").final == "Answer Arabic"
    with monkeypatch.context() as patch:
        patch.setattr(Engine, "advance", fails)
        page.press("No").press("Delete", 1)
        assert said in page.text and page.final == "Answer Arabic"
    assert page.press("Try again").final == "Answer Egypt"


def test_a_doubtful_answer_says_so(opened: Open) -> None:
    of_egypt = PREFIX + "SELECT DISTINCT ?x WHERE {{ ns:m.02k54 ns:location.country.{} ?x }}"
    others = ("official_language", "calling_code", "administrative_divisions")
    readings = [(SCRIPT[CAPITAL], -1.0), *((of_egypt.format(p), -1.0) for p in others)]
    page = opened(TINY, {CAPITAL: readings}).ask(CAPITAL)
    assert "I am not at all sure of this step." in page.text


# --- many answers, hostile names --------------------------------------------------------------------


def test_many_answers_can_be_opened_and_are_a_table(opened: Open, tmp_path: Path) -> None:
    kb = graph(tmp_path, tuple(f"Division {n}" for n in range(500)))
    page = opened(kb).ask(DIVISIONS)
    step = next(html for html in page.html if 'class="kbqa step' in html)
    shown, _, hidden = step.partition("<details><summary>and 490 more</summary>")
    assert shown.count("Division") == 10 and hidden.count("Division") == 490
    table = next(html for html in page.html if "<table>" in html)
    assert table.count("<tr>") == 501
    assert "Download as CSV" in [d.label for d in page.test.main.get("download_button")]


def test_hostile_labels_are_text_everywhere(opened: Open, tmp_path: Path) -> None:
    kb = graph(tmp_path, HOSTILE, NASTY_COUNTRY)
    nasty = f"What are the administrative divisions of {NASTY_COUNTRY}?"
    page = (
        opened(kb, {nasty: SCRIPT[DIVISIONS]}).ask(nasty).press("No").press("Edit").type("<script>1</script>")
    )
    assert not page.test.exception
    html = "".join([*page.html, *(h.proto.body for h in page.test.sidebar.get("html"))])
    html = re.sub(r"<script>(?:document|\(\(\) =>)[^<]*</script>", "", html)  # the page's own
    for tag in ("<script", "<img src=x", "<h1", "</bdi></li></ol><h1", '" onmouseover'):
        assert tag not in html
    assert "&lt;script&gt;document.title=&#x27;owned&#x27;&lt;/script&gt;" in html
    for markdown in [*page.test.markdown, *page.test.caption]:
        assert "evil" not in markdown.value
    labels = [w.label for w in [*page.test.button, *page.test.radio]]
    labels += [option for radio in page.test.radio for option in radio.options]
    assert any("Aland" in label for label in labels)
    assert not [label for label in labels if re.search(r"(?<!\\)\*\*|(?<!\\)\[|https?:", label)]


def test_a_hostile_question_is_text(opened: Open) -> None:
    page = opened().ask("Who is <script>alert(1)</script> **x**?")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; **x**?" in "".join(page.html)
    assert "<script" not in "".join(page.html)


def test_nothing_is_reported_to_anybody() -> None:
    import tomllib

    config = tomllib.loads((UI / ".streamlit" / "config.toml").read_text())
    assert config["browser"]["gatherUsageStats"] is False
    for file in (p for p in UI.rglob("*") if p.suffix in (".py", ".css", ".toml")):
        for address in re.findall(r"https?://[\w.]+|@import|url\(http", file.read_text()):
            known = ("http://www.w3.org", "https://example.org", "http://127.0.0.1")
            assert address in known, (file, address)


def test_recorded_dialogues_go_on_where_they_were(opened: Open, tmp_path: Path) -> None:
    page = opened().ask(CAPITAL)
    with Records() as records:
        dialogue = records.load(page.address or "")
        with engine_over(str(TINY)) as engine:
            records.save(engine.advance(dialogue, Accept()), Accept())
    assert "You said that this is right." in opened(dialogue=page.address).text
