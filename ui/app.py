"""The chat page, run by Streamlit through `kbqa ui`. The environment variable KBQA_KB names the graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import changes
import details
import feedback
import movement
import session
import show
import side
import sources
import steps
import streamlit as st
import trouble
from clicks import click
from session import Session, Turn
from streamlit.delta_generator import DeltaGenerator

from kbqa.engine import Engine
from kbqa.errors import KbqaError

HERE = Path(__file__).parent


def main() -> None:
    st.set_page_config(page_title="kbqa", page_icon=str(HERE / "icon.svg"), layout="centered", menu_items={})
    style()
    st.title("Ask in plain English", anchor=False)
    held = started()
    if not held.turns:
        st.write(
            "I look the answer up and show step by step how I understood your question. So you can see "
            "whether the answer is an answer to *your* question, and correct a step if it is not."
        )
    engine = opened(held)
    with st.sidebar:
        click("New question", "new", held.clear, icon="add_comment", wide=True)
        side.knowledge_base(held, engine.kb.name if engine else None)
        listed = st.container()
        settings = side.settings()
        side.mode()
    st.chat_input(
        _asks(held) if engine else "Ask a question",
        key="asked",
        disabled=engine is None,
        on_submit=lambda: asked(held),
    )
    if held.note:
        st.html(show.problem(held.note))
    for place, turn in enumerate(held.turns):
        draw(held, turn, place, settings)
    if not held.turns and engine is not None:
        start(held)
    if held.turn is not None and held.turn.version is not None:
        to_see(held.turn, held.active)
    with listed:
        after(held)


def _asks(held: Session) -> str:
    """What can be typed at the bottom."""
    return "Say what is wrong, or ask something else" if held.turns else "Ask a question in English"


def style() -> None:
    st.html(HERE / "page.css")
    light, dark = (st.get_option(f"theme.{name}.primaryColor") for name in ("light", "dark"))
    if light and dark:
        st.html(f"<style>:root {{ --kbqa-accent: light-dark({light}, {dark}) }}</style>")


def started() -> Session:
    """What this browser session holds; a new one goes on with the dialogue that its address names."""
    if "session" in st.session_state:
        return session.current()
    held = session.current()
    held.source = sources.given()
    wanted = st.query_params.get("dialogue")
    if wanted:
        side.resume(held, wanted)
        held.source = held.turn.source if held.turn else held.source
    return held


def opened(held: Session) -> Engine | None:
    """The engine, or None after saying why there is none."""
    try:
        return sources.engine_over(held.source)
    except Exception as e:
        st.html(show.problem(trouble.explained(e)))
        st.button("Try again", icon=":material/refresh:")
        return None


def asked(held: Session) -> None:
    turn = held.turn
    try:
        linker = sources.engine_over(turn.source if turn else held.source).kb.linker
    except KbqaError:  # it will be told where the question is answered
        held.ask(st.session_state.asked)
    else:
        session.hear(held, st.session_state.asked, linker)


def start(held: Session) -> None:
    """Questions to begin with."""
    try:
        examples = sources.examples_over(held.source)
    except Exception as e:  # the page works without
        trouble.log.error("no examples", exc_info=e)
        examples = ()
    if examples:
        st.write("Try one of these, or ask your own below:")
        buttons(held, examples, "start")


def buttons(held: Session, examples: tuple[str, ...], where: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for number, example in enumerate(examples):
            click(show.markdown(example), f"{where}-{number}", held.ask, example)


# --- a turn --------------------------------------------------------------------------------


def draw(held: Session, turn: Turn, place: int, settings: side.Settings) -> None:
    """A question, the way its understanding went, and how it is understood now."""
    said(turn.question)
    try:
        engine = sources.engine_over(turn.source)
    except Exception as e:
        with agent():
            st.html(show.problem(trouble.explained(e)))
            st.button("Try again", f"open-again-{place}", icon=":material/refresh:")
        return
    live = place == held.active
    if turn.waiting:
        with working("Working out what you ask ..."):
            session.answer(turn, engine, sources.records_of(turn.source))
    elif turn.said is not None:
        with working("Working out what you said ..."):
            session.carry_out(turn, engine, sources.records_of(turn.source))
    if turn.dialogue is not None:
        way(turn)
    with agent():
        if turn.dialogue is None:
            st.html(show.problem(turn.error))
            click("Try again", f"again-{place}", session.ask_again, turn, icon="refresh")
        elif turn.version is None:
            not_understood(held, turn, place)
        else:
            understood(held, turn, place, engine, settings, live=live)
        if turn.dialogue is not None:
            st.html(show.small_print(turn.dialogue, parts=settings.timing))
        if not live and turn.version is not None:
            click("Go on with this", f"on-{place}", held.go_on, place)


@contextmanager
def working(words: str) -> Iterator[None]:
    """Says so where it is seen wherever the page is scrolled to (page.css)."""
    with st.container(key="working"), st.spinner(words):
        yield


def said(words: str) -> None:
    with st.chat_message("user", avatar=":material/person:"):
        st.html(show.question(words))


def agent() -> DeltaGenerator:
    return st.chat_message("assistant", avatar=":material/account_tree:")


def way(turn: Turn) -> None:
    """The versions that led here, each closed and followed by what was said to it."""
    dialogue = turn.dialogue
    assert dialogue is not None
    chain = changes.lineage(dialogue)
    for number, follower in pairwise(chain):
        version, reply = dialogue.versions[number - 1], dialogue.versions[follower - 1].feedback
        with agent():
            st.html(show.earlier(version, number))
        if reply is not None:
            said(changes.in_words(reply, version))


def understood(
    held: Session, turn: Turn, place: int, engine: Engine, settings: side.Settings, *, live: bool
) -> None:
    version = turn.version
    assert version is not None
    steps.draw(turn, place, settings.at_once, live=live)
    st.html(show.final(version.steps, at_once=settings.at_once))
    if turn.note:
        st.html(show.problem(turn.note))
    if live:
        feedback.draw(held, turn, place)
    details.draw(turn, place, engine, is_open=live and settings.drawing)


def to_see(turn: Turn, place: int) -> None:
    """Moves the page to what is new: what was heard and waits for a yes, else the steps."""
    new = "heard" if turn.heard is not None else "understood"
    movement.to_top(f"{new}-{place}", f"{place}-{turn.acts}-{'no' if turn.doubted else 'yet'}")


def not_understood(held: Session, turn: Turn, place: int) -> None:
    recognised = turn.dialogue.recognised if turn.dialogue else None
    if recognised is None:
        return
    st.html(show.not_understood(recognised))
    if recognised.examples:
        st.write("Questions that work:")
        buttons(held, recognised.examples, f"example-{place}")


def after(held: Session) -> None:
    """What the side shows of the dialogues, and the address of the one that is gone on with."""
    dialogue = held.turn.dialogue if held.turn else None
    if dialogue is None:
        st.query_params.pop("dialogue", None)
    else:
        if st.query_params.get("dialogue") != dialogue.dialogue_id:
            st.query_params["dialogue"] = dialogue.dialogue_id
        side.this_dialogue(held, dialogue)
    side.dialogues(held)


main()
