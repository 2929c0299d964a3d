"""The participants' pages: from the link to the completion code, and after the server was killed."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pytest
import studies

from kbqa.engine import Engine
from kbqa.study.outcomes import collect
from kbqa.study.places import AtDialogue, AtStart
from kbqa.study.register import Register

if importlib.util.find_spec("streamlit") is None:
    pytest.skip("streamlit is not installed (extra `ui`)", allow_module_level=True)

PAGE = Path(__file__).resolve().parents[1] / "ui" / "study" / "app.py"
PATIENCE_S = 120


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """A film study whose pages open it and its engine in this process."""
    import streamlit as st

    held, engine = studies.film_study(tmp_path)
    monkeypatch.setattr(Engine, "open", lambda *_: engine)
    monkeypatch.setenv("KBQA_STUDY", str(held.folder))
    st.cache_resource.clear()
    yield held
    st.cache_resource.clear()
    engine.close()
    held.close()


def _opened(name: str) -> Any:
    from streamlit.testing.v1 import AppTest

    page = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    page.query_params["p"] = name
    return _run(page)


def _run(page: Any) -> Any:
    page.run()
    assert not page.exception, page.exception
    return page


def _press(page: Any, label: str) -> Any:
    next(b for b in page.button if b.label == label).click()
    return _run(page)


def _choose(page: Any, number: int, option: Any) -> Any:
    page.radio[number].set_value(option)
    return page


def _shown(page: Any) -> str:
    """All texts of the page."""
    kinds = (page.markdown, page.header, page.title, page.caption, page.get("html"), page.code)
    return "\n".join(str(getattr(e, "value", "") or getattr(e.proto, "body", "")) for k in kinds for e in k)


def _into_dialogues(page: Any) -> Any:
    page.checkbox[0].check()
    _press(_run(page), "Take part")
    _press(_press(page, "Next"), "To the quiz")
    for place, right in enumerate(studies.RIGHT):
        _choose(page, place, right)
    _press(page, "Hand in")
    return _press(page, "Begin")


def test_from_the_link_to_the_completion_code(register: Register) -> None:
    (name,) = register.invite(1)
    page = _into_dialogues(_opened(name))
    participant = register.enter(name)
    for _ in range(2):
        place = register.where(participant)
        assert isinstance(place, AtDialogue)
        assert place.task.question.split()[0] in _shown(page)
        _run(_choose(page, 0, "Yes"))
        _press(page, "This is right")
        assert "You said that this is right." in _shown(page)
        page.text_area[0].set_value("a comment")
        _press(page, "Next")
        for number in range(5):
            _choose(page, number, 2)
        _press(page, "Send")
    for number in range(3):
        _choose(page, number, 1)
    _press(page, "Send")
    ended = register.where(participant)
    assert isinstance(ended, AtStart)
    assert ended.before[0] in _shown(page)
    with register.records() as records:
        left = collect(register, records)
    assert [d.comment for d in left.dialogues] == ["a comment", "a comment"]
    assert len(left.ratings) == 10 and len(left.preferences) == 3


def test_a_correction_and_a_reload_in_between(register: Register) -> None:
    """Delete by radio buttons; a new browser session goes on with the corrected version."""
    for _ in range(18):
        (name,) = register.invite(1)
        page = _into_dialogues(_opened(name))
        place = register.where(register.enter(name))
        assert isinstance(place, AtDialogue)
        if place.task.question == studies.films.CREW and place.task.condition != "non-interactive":
            break
    _run(_choose(page, 0, "No"))
    assert "5 more corrections" in _shown(page)
    _run(_choose(page, 1, "delete"))
    _run(_choose(page, 2, 2))
    _press(page, "Delete it")
    again = _opened(name)
    assert "Here is how I understand" in _shown(again)
    _run(_choose(again, 0, "No"))
    assert "4 more corrections" in _shown(again)
    _run(_choose(again, 1, "edit"))
    _run(_choose(again, 2, 1))
    again.text_input[0].set_value("!?")
    _press(again, "Send")
    assert 'role="alert"' in _shown(again)


def test_who_is_not_invited_sees_so_and_a_survey_wants_every_answer(register: Register) -> None:
    assert "not known here" in _shown(_opened("guessed"))
    assert "not known here" in _shown(_opened(""))
    (name,) = register.invite(1)
    page = _into_dialogues(_opened(name))
    _run(_choose(page, 0, "Yes"))
    _press(_press(page, "This is right"), "Next")
    _choose(page, 0, 2)
    _press(page, "Send")
    assert "there is no answer to" in _shown(page).lower()


@pytest.mark.slow
def test_a_killed_page_server_loses_nothing_that_was_shown(tmp_path: Path) -> None:
    """In Chromium: consent, kill -9, start again, reload: the tutorial; the log names nobody."""
    if browser.missing() or shutil.which("chromium") is None:
        pytest.skip(browser.missing())
    register, engine = studies.film_study(tmp_path)
    engine.close()
    with register:
        (name,) = register.invite(1)
        pages = studies.served(tmp_path / "study.toml", tmp_path / "kb")
        with pages.running(), browser.chromium() as visitor:
            visitor.driver.get(f"{pages.url}/?p={name}")
            visitor.find("button", "Take part")
            visitor.click('[data-testid="stCheckbox"] label')
            visitor.settle()
            visitor.press("Take part")
            visitor.find("button", "Next")
            pages.kill()
            pages.start()
            visitor.driver.get(f"{pages.url}/?p={name}")
            visitor.find("button", "Next")
            log = pages.log.read_text()
        assert name not in log and register.enter(name) not in log
