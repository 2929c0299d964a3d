"""Dialogues at the crowd task's page: a headless Chromium clicks and types what a worker would.

The page is ui/crowd's. What came of a turn is read from the study's records, in which the server writes it
before the page shows it.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from kbqa.dialogue import Dialogue
from kbqa.errors import FeedbackError, InputError, KbqaError
from kbqa.feedback import Accept, Delete, Edit, Feedback, Insert, Replace, Stop, feedback_document
from kbqa.records import Records
from kbqa.study.conduct import may_correct
from kbqa.study.crowd_run import CrowdTask
from kbqa.study.places import Task
from kbqa.study.register import Register
from kbqa.study.remote import same_edits
from kbqa.study.tasks import item_id, take_results

_PATIENCE_S = 180.0
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")
_QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser without a window (selenium's driver). Raises `InputError` where there is none here."""
    try:
        from selenium import webdriver
    except ImportError:
        raise InputError("workers at the page need selenium: pip install selenium") from None
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        raise InputError("workers at the page need Chromium: apt install chromium chromium-driver")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in (*_FLAGS, *_QUIET, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        opened = webdriver.Chrome(options, webdriver.ChromeService(driver))
        try:
            yield opened
        finally:
            opened.quit()


@dataclass(frozen=True, slots=True)
class PageConductor:
    """As `Conductor`, for the worker of this name at the crowd task's page. `records`: the study's, which
    the server behind the task writes. Raises `KbqaError` where the page doesn't do what it should."""

    register: Register
    records: Records
    crowd: CrowdTask
    name: str
    driver: Any

    def open(self, task: Task) -> Dialogue:
        """Raises `InputError` where the server allows another number of edits."""
        self._visit()
        self._find("#target-question", task.question)
        self._find(".response [name=right], #comment")
        dialogue = self.records.load(self.crowd.opened(item_id(task), task.participant))
        same_edits(self.register, task, dialogue, "the server behind the crowd task")
        return dialogue

    def say(self, task: Task, dialogue: Dialogue, feedback: Feedback, turn_id: str) -> Dialogue:
        """The page gives the turn an id of its own. Raises `FeedbackError` with the page's words where the
        feedback can't be applied."""
        self._choose(
            "right", "accept" if isinstance(feedback, Accept) else "no", ".response button, [name=operation]"
        )
        if isinstance(feedback, Stop) and may_correct(dialogue):
            self._choose("operation", "stop")
        elif not isinstance(feedback, Accept | Stop):
            self._correct(feedback)
        self._press("Send")
        self._gone(".busy")
        after = self.records.load(dialogue.dialogue_id)
        if (len(after.versions), after.status) == (len(dialogue.versions), dialogue.status):
            raise FeedbackError(self._find(".card.latest .notice").text)
        return after

    def _correct(self, feedback: Feedback) -> None:
        from selenium.webdriver import Keys

        if not isinstance(feedback, Insert | Delete | Replace | Edit):
            raise InputError(f"the crowd task's page has no {type(feedback).__name__}: take another --user")
        self._choose("operation", str(feedback_document(feedback)["kind"]))
        self._choose("step", str(feedback.step))
        if not isinstance(feedback, Delete):
            self._find("#words").send_keys(Keys.CONTROL + "a" + Keys.NULL, feedback.text)

    def close(self, task: Task, dialogue: Dialogue, comment: str = "") -> None:
        """Hands in, where no survey follows, and takes what the task's journal says of it into the study."""
        if comment:
            self._find("#comment").send_keys(comment)
        self._find("#comment")
        self._press("Send")
        self._go_on(task)

    def answer(self, claim: int, stage: int, values: Mapping[int, int]) -> None:
        """The survey that the page asks now, and then as `close` does."""
        task = [t for t in self.register.tasks(claim) if t.stage <= stage][-1]
        if not self.driver.find_elements("css selector", ".survey"):  # left there by an earlier run
            self._visit()
        for number, value in values.items():
            self._choose(f"question-{number}", str(value))
        self._press("Send")
        self._go_on(task)

    def _visit(self) -> None:
        """The page of this worker's next task, under a number that was not used before."""
        asked = {"worker_id": self.name, "assignment_id": str(time.time_ns() // 1_000_000)}
        self.driver.get(f"{self.crowd.address}/?{urlencode(asked)}")

    def _go_on(self, task: Task) -> None:
        self._gone(".busy")
        self._find("#finish, .survey")
        if finish := self.driver.find_elements("css selector", "#finish"):
            finish[0].click()
            self._find("#handed-in")
        mine = [(n, line) for n, line in self.crowd.journal() if f'"{item_id(task)}"'.encode() in line]
        for _, why in take_results(self.register, self.records, mine).refused:
            raise KbqaError(f"what the crowd task left of {item_id(task)} can't be taken: {why}")

    # --- the page

    def _choose(self, name: str, value: str, then: str = "") -> None:
        """`then`: what shows that the page has taken it, as one that is drawn anew may have lost a click."""
        radio = f'input[type="radio"][name="{name}"][value="{value}"]'

        def chosen() -> bool:
            button = self._find(radio)
            if not button.is_selected():
                button.click()
            return not then or bool(self.driver.find_elements("css selector", then))

        self._until(chosen, f"no {then} after {radio} was chosen")

    def _press(self, label: str) -> None:
        self._find(".response button:not([disabled])", label).click()

    def _find(self, selector: str, has: str = "") -> Any:
        """The first element with these words, once it is there."""

        def found() -> Any:
            every = self.driver.find_elements("css selector", selector)
            return next((e for e in every if has in e.text), None)

        return self._until(found, f"no {selector} with {has!r}")

    def _gone(self, selector: str) -> None:
        self._until(lambda: not self.driver.find_elements("css selector", selector), f"still {selector}")

    def _until(self, look: Any, what: str) -> Any:
        from selenium.common.exceptions import StaleElementReferenceException

        end = time.monotonic() + _PATIENCE_S
        while time.monotonic() < end:
            try:
                if seen := look():
                    return seen
            except StaleElementReferenceException:
                pass  # drawn anew meanwhile
            time.sleep(0.05)
        raise KbqaError(f"the crowd task's page: {what} after {_PATIENCE_S:g} s")
