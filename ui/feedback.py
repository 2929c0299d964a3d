"""'Is this right?' Yes, no, not sure; after a no: corrections, other readings, undo, versions, stop."""

from __future__ import annotations

import changes
import session
import show
import steps
import streamlit as st
from clicks import Kind, click
from session import Box, Heard, Session, Turn

from kbqa.dialogue import Dialogue, Offer, Version
from kbqa.feedback import LONGEST, Accept, Back, Choose, Delete, Stop, Undo, Unsure

OFFERS = 4
"""Offered readings that are shown at once."""
_NOTED = {
    False: "Noted. Say no to correct a step, or yes if it turns out to be right.",
    True: "Noted. Say no to correct a step, or take one of the other readings below.",
}
"""After a 'not sure': by whether there are other readings."""
_OPERATIONS: dict[session.Operation, str] = {
    "edit": "Edit a sub-question",
    "replace": "Replace a sub-question",
    "insert": "Insert a sub-question",
    "delete": "Delete a sub-question",
}


def draw(held: Session, turn: Turn, place: int) -> None:
    """Under the steps and the answer of the turn that is gone on with."""
    dialogue, version = turn.dialogue, turn.version
    if dialogue is None or version is None:
        return
    if turn.problem and not (turn.box and turn.box.under):
        st.html(show.problem(turn.problem))
        if turn.failed is not None:
            click("Try again", f"failed-{place}", session.give, turn, turn.failed, icon="refresh")
    if turn.heard is not None:
        _heard(held, turn, turn.heard, place)
    elif turn.is_open:
        _ask(turn, dialogue, place)
        if turn.doubted:
            _correct(turn, dialogue, version, place)
        elif dialogue.at in dialogue.unsure:
            st.html(show.note(_NOTED[bool(version.offers) and turn.takes_corrections]))
        if turn.takes_corrections and version.offers:
            _offers(turn, version, place)
    else:
        _over(turn, dialogue, place)


def _heard(held: Session, turn: Turn, heard: Heard, place: int) -> None:
    """What was typed at the bottom, and what would be done with it, before it is carried out."""
    version, feedback = turn.version, heard.proposal.feedback
    assert version is not None
    with st.container(border=True, key=f"heard-{place}"):
        st.html(show.quoted(heard.text))
        if feedback is None:
            st.html(show.asked_back(heard.proposal.said))
        else:
            st.html(show.taken_as(*changes.would(feedback, version)))
        with st.container(horizontal=True, gap="small"):
            if feedback is not None:
                apply = (session.give, turn, feedback)
                click("Apply", f"do-{place}", *apply, icon="check", kind="primary")
            not_that = "Not that" if feedback is not None else "Never mind"
            click(not_that, f"never-{place}", session.never_mind, turn, icon="close")
            click("Ask it as a new question", f"instead-{place}", session.ask_instead, held, turn, heard.text)


def _ask(turn: Turn, dialogue: Dialogue, place: int) -> None:
    st.html(show.is_this_right(dialogue.edits_left if dialogue.mode.edits else None))
    likely = _likely(turn, dialogue)
    with st.container(horizontal=True, gap="small", key=f"right-{place}"):
        for label, icon, act, said in (
            ("Yes", "check", session.give, Accept()),
            ("No", "close", session.doubt, None),
            ("Not sure", "question_mark", session.give, Unsure()),
        ):
            given = (turn,) if said is None else (turn, said)
            kind: Kind = "primary" if label == likely else "secondary"
            click(label, f"{label.lower().replace(' ', '-')}-{place}", act, *given, icon=icon, kind=kind)
    with st.container(horizontal=True, gap="small", key=f"moves-{place}"):
        if turn.version is not None and turn.version.parent is not None:
            click("Undo", f"undo-{place}", session.give, turn, Undo(), icon="undo", kind="tertiary")
        if len(dialogue.versions) > 1:
            _versions(turn, dialogue, place)
        if turn.doubted:
            with st.popover(
                "Stop", key=f"stop-{place}-{turn.acts}", type="tertiary", icon=":material/block:"
            ):
                _stop(turn, place)


def _likely(turn: Turn, dialogue: Dialogue) -> str:
    """The reply that stands out: the one that was given, else a yes where there is an answer."""
    if turn.doubted:
        return "No"
    if dialogue.at in dialogue.unsure:
        return "Not sure"
    return "Yes" if turn.version is not None and turn.version.broken_at is None else ""


def _versions(turn: Turn, dialogue: Dialogue, place: int) -> None:
    label = f"Version {dialogue.at} of {len(dialogue.versions)}"
    with st.popover(label, key=f"versions-{place}-{turn.acts}", type="tertiary", icon=":material/history:"):
        for number, version in enumerate(dialogue.versions, 1):
            said = "as I understood it first"
            if version.feedback is not None and version.parent is not None:
                said = changes.in_words(version.feedback, dialogue.versions[version.parent - 1])
            st.html(show.version(number, said, version, now=number == dialogue.at))
            if number != dialogue.at:
                click(
                    f"Back to version {number}",
                    f"back-{place}-{turn.acts}-{number}",
                    session.give,
                    turn,
                    Back(number),
                )


# --- after a no ------------------------------------------------------------------------


def _correct(turn: Turn, dialogue: Dialogue, version: Version, place: int) -> None:
    if turn.takes_corrections:
        st.html(show.how_to_correct(offered=bool(version.offers)))
        with st.expander("Correct from a list", icon=":material/checklist:"):
            _study(turn, version, place)
    elif dialogue.mode.edits:
        st.html(show.note("No corrections are left: say yes, undo one, or stop and say what is wrong."))
    else:
        st.html(show.note("In this mode I take no corrections: say yes, or stop and say what is wrong."))


def _study(turn: Turn, version: Version, place: int) -> None:
    """The study's way (Mo et al. 2022): what to do, to which step, and with which words."""
    kind = st.radio(
        "What should be done?", list(_OPERATIONS), format_func=_OPERATIONS.__getitem__, key=f"what-{place}"
    )
    count = len(version.steps)
    words = {s.number: f"{s.number}. {show.markdown(s.shown)}" for s in version.steps}
    if kind == "insert":
        words = {n: f"before {w}" for n, w in words.items()} | {count + 1: "at the end"}
    step = st.radio("Which step?" if kind != "insert" else "Where?", list(words), format_func=words.get,
                    key=f"which-{place}-{turn.acts}-{kind}")  # fmt: skip
    if kind == "delete":
        click("Delete it", f"delete-{place}", session.give, turn, Delete(step))
    else:
        steps.text_box(turn, place, Box(kind, step))


def _stop(turn: Turn, place: int) -> None:
    key = f"comment-{place}-{turn.acts}"
    st.text_area("What is wrong or missing? (may stay empty)", max_chars=LONGEST, key=key)
    click("Stop this dialogue", f"stop-now-{place}", _stop_now, turn, key)


def _stop_now(turn: Turn, key: str) -> None:
    session.give(turn, Stop(st.session_state[key].strip()))


def _offers(turn: Turn, version: Version, place: int) -> None:
    first, more = offered(version)
    if first:
        st.html(show.did_you_mean())
    for number, offer in first:
        _offer(turn, number, offer, place)
    if more:
        with st.expander(f"{len(more)} more reading{'' if len(more) == 1 else 's'}"):
            for number, offer in more:
                _offer(turn, number, offer, place)


Numbered = list[tuple[int, Offer]]


def offered(version: Version) -> tuple[Numbered, Numbered]:
    """The offers by their numbers: those that are shown at once, each finding something else than the
    answer and than those before it; and the rest."""
    last = version.steps[-1]
    seen = {(last.answer_count, frozenset(last.answers[: len(o.sample)])) for o in version.offers}
    first: Numbered = []
    more: Numbered = []
    for number, offer in enumerate(version.offers, 1):
        found = (offer.answer_count, frozenset(offer.sample))
        is_new = len(first) < OFFERS and found not in seen
        (first if is_new else more).append((number, offer))
        seen.add(found)
    return first, more


def _offer(turn: Turn, number: int, offer: Offer, place: int) -> None:
    with st.container(key=f"offer-{place}-{number}", gap="xxsmall"):
        click(
            show.markdown(offer.text),
            f"choose-{place}-{turn.acts}-{number}",
            session.give,
            turn,
            Choose(number),
            icon="arrow_forward",
        )
        st.html(show.preview(offer))


# --- after the end ---------------------------------------------------------------------


def _over(turn: Turn, dialogue: Dialogue, place: int) -> None:
    st.html(show.over(dialogue))
    click("Take that back", f"reopen-{place}", session.give, turn, Undo(), icon="undo", kind="tertiary")
