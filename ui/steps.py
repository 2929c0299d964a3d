"""The steps of a version with what can be clicked on them: names with other meanings, and corrections."""

from __future__ import annotations

from dataclasses import replace

import changes
import movement
import session
import show
import streamlit as st
from clicks import click
from session import Box, Turn

from kbqa.dialogue import SubQuestion, Version
from kbqa.feedback import LONGEST, Delete, Link
from kbqa.protocols import Candidate, Mention

MEANINGS = 8
"""Other meanings of a name that are offered."""
_RIVAL = 0.1
"""A meaning whose score is less than that below the one taken is shown before anybody doubts it."""
_FAR = 0.33
"""A meaning whose score is more than that below the one taken is never shown."""

_ASKS = {
    "edit": "Step {step} in your words",
    "replace": "The sub-question instead of step {step}",
    "insert": "The new sub-question, as step {step}",
}
EXAMPLE = "such as: Who directed that film?"


def draw(turn: Turn, place: int, at_once: int, *, live: bool) -> None:
    """`place`: the turn's in the chat; `live`: whether the steps can be acted on."""
    version, dialogue = turn.version, turn.dialogue
    if version is None or dialogue is None:
        return
    before = dialogue.versions[version.parent - 1] if version.parent else None
    seen = changes.compare(version, before) if before else changes.Changes({})
    with st.container(key=f"understood-{place}"):
        st.html(show.introduction(again=before is not None))
    look = _look_at(version) if live and (turn.doubted or dialogue.at in dialogue.unsure) else {}
    for sub in version.steps:
        acts = live and turn.takes_corrections
        named = _named(turn, sub) if acts else []
        with st.container(key=f"step-{place}-{sub.number}", gap="xsmall"):
            st.html(
                show.step(
                    replace(sub, warnings=_untold(sub, version, named)) if acts else sub,
                    len(version.steps),
                    seen.steps.get(sub.number),
                    at_once=at_once,
                    look=look.get(sub.number, ""),
                )
            )
            if acts:
                _act_on(turn, place, sub, named)
    if seen.gone:
        st.html(show.gone(seen.gone))


def _look_at(version: Version) -> dict[int, str]:
    """The step to look at first, and why."""
    if version.broken_at is not None:
        return {version.broken_at: "Here the answers run out: look at this step first."}
    sure = [s.confidence for s in version.steps]
    if version.least_sure is not None and min(sure) < max(sure):
        return {version.least_sure: "Of all steps I am least sure of this one: look at it first."}
    return {}


def _named(turn: Turn, sub: SubQuestion) -> list[Mention]:
    """The names whose other meanings are offered: with a rival, or any once there is a doubt."""
    unsure = turn.doubted or (turn.dialogue is not None and turn.dialogue.at in turn.dialogue.unsure)
    return [m for m in sub.mentions if has_rivals(m) or (unsure and meanings(m))]


def _untold(sub: SubQuestion, version: Version, named: list[Mention]) -> tuple[str, ...]:
    """The warnings that the chips under the step and the offers under the answer don't say already."""
    said = [f"'{m.text}' was read as " for m in named] + [
        f"about as likely: {o.text}" for o in version.offers
    ]
    return tuple(w for w in sub.warnings if not w.startswith(tuple(said)))


def _act_on(turn: Turn, place: int, sub: SubQuestion, named: list[Mention]) -> None:
    for number, mention in enumerate(named):
        with st.container(
            horizontal=True,
            gap="xsmall",
            key=f"names-{place}-{sub.number}-{number}",
            vertical_alignment="center",
        ):
            st.html(show.i_took(mention.text), width="content")
            _name(turn, mention, f"name-{place}-{turn.acts}-{sub.number}-{number}")
    if turn.doubted:
        _tools(turn, place, sub.number)
    if turn.box is not None and turn.box.under == sub.number:
        text_box(turn, place, turn.box)


def has_rivals(mention: Mention) -> bool:
    """Whether another meaning is about as likely, or has the very name."""
    taken, *others = mention.candidates
    return any(o.score > taken.score - _RIVAL or o.label == taken.label for o in others)


def meanings(mention: Mention) -> list[Candidate]:
    """What else a name may mean, the likeliest first."""
    taken, *others = mention.candidates
    return [o for o in others if o.score > taken.score - _FAR or o.label == taken.label][:MEANINGS]


# --- names --------------------------------------------------------------------------


def _name(turn: Turn, mention: Mention, key: str) -> None:
    """A chip with the entity that a name was taken for; it opens the others."""
    taken = mention.candidates[0]
    name = changes.called(taken, mention.candidates)
    with st.popover(show.markdown(name), key=key, icon=":material/swap_horiz:"):
        st.html(show.taken_for(mention.text, name))
        for number, other in enumerate(meanings(mention)):
            label = show.markdown(changes.called(other, mention.candidates))
            link = Link(taken.entity.value, other.entity.value)
            click(label, f"{key}-{number}", session.give, turn, link, wide=True)


# --- corrections ---------------------------------------------------------------------


def _tools(turn: Turn, place: int, step: int) -> None:
    """What stands in code marks is said to those who hear the page and not shown (page.css)."""
    tools: list[tuple[str, str, Box | None]] = [
        (f"Edit`step {step}`", "edit", Box("edit", step, step)),
        (f"Replace`step {step}`", "swap_vert", Box("replace", step, step)),
        (f"Delete`step {step}`", "delete", None),
        (f"Insert after`step {step}`", "add_row_below", Box("insert", step + 1, step)),
    ]
    if step == 1:  # before any other step is after the one above it
        tools.insert(3, (f"Insert before`step {step}`", "add_row_above", Box("insert", step, step)))
    with st.container(horizontal=True, gap="small", key=f"tools-{place}-{step}"):
        for label, icon, box in tools:
            act, what = (session.open_box, box) if box else (session.give, Delete(step))
            click(label, f"tool-{place}-{step}-{icon}", act, turn, what, icon=icon, kind="tertiary")


def text_box(turn: Turn, place: int, box: Box) -> None:
    """Where a sub-question is typed; for an edit it holds the one that is there."""
    version = turn.version
    assert version is not None
    was = version.steps[box.step - 1].shown if box.kind == "edit" else ""
    key = f"box-{place}-{turn.acts}-{box.kind}-{box.step}-{box.under}"
    with st.form(f"form-{key}"):
        st.text_area(
            _ASKS[box.kind].format(step=box.step),
            was,
            height="content",
            max_chars=LONGEST,
            placeholder=EXAMPLE,
            key=key,
        )
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button("Use this", type="primary", on_click=_use, args=(turn, box, key))
            if box.under:
                st.form_submit_button("Cancel", on_click=session.open_box, args=(turn, None))
        if turn.problem:
            st.html(show.problem(turn.problem))
    movement.enter(key, focus=bool(box.under))


def _use(turn: Turn, box: Box, key: str) -> None:
    text = " ".join(st.session_state[key].split())
    if text:
        session.give(turn, box.feedback(text))
    else:
        turn.problem = f"The box is empty: type a sub-question, {EXAMPLE}"
