"""The chat page, run by Streamlit through `kbqa ui`. The environment variable KBQA_KB names the graph."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass
from pathlib import Path

import show
import streamlit as st

from kbqa.dialogue import MODES, Dialogue, Mode, Version
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.examples import working_examples

HERE = Path(__file__).parent
EXAMPLES = 5

log = logging.getLogger("kbqa.ui")


@dataclass
class Turn:
    """A question and, once it was asked, the dialogue or the reason why there is none."""

    question: str
    mode: Mode
    dialogue: Dialogue | None = None
    error: str = ""

    @property
    def waiting(self) -> bool:
        return self.dialogue is None and not self.error


# --- shared by all who look at the page --------------------------------------


@st.cache_resource(show_spinner="Opening the knowledge base ...")
def engine_over(kb: str | None) -> Engine:
    return Engine.open(kb)


@st.cache_resource(show_spinner="Looking for questions that work ...")
def examples_over(kb: str | None) -> tuple[str, ...]:
    return working_examples(engine_over(kb), EXAMPLES)


# --- what happens --------------------------------------------------------------


def turns() -> list[Turn]:
    found: list[Turn] = st.session_state.setdefault("turns", [])
    return found


def ask(question: str) -> None:
    """Put a question to the end of the chat; it is answered when the page is drawn."""
    turns().append(Turn(question, MODES[st.session_state.mode]))


def ask_again(turn: Turn) -> None:
    turn.error = ""


def answer(turn: Turn, engine: Engine) -> None:
    try:
        turn.dialogue = engine.ask(turn.question, turn.mode)
    except KbqaError as e:
        turn.error = show.explained(e)
    except Exception as e:
        log.exception("asking failed")
        turn.error = show.explained(e)


# --- what is drawn -------------------------------------------------------------


def main() -> None:
    st.set_page_config(page_title="kbqa", page_icon=str(HERE / "icon.svg"), layout="centered", menu_items={})
    style()
    st.title("Ask in plain English", anchor=False)
    st.write(
        "I answer from a knowledge base and show step by step how I understood your question, so that you "
        "can see whether the answer is an answer to *your* question."
    )
    kb = os.environ.get("KBQA_KB") or None
    engine = opened(kb)
    sidebar(engine)
    if engine is None:
        st.chat_input("Ask a question", disabled=True)
        return
    st.chat_input("Ask a question in English", key="asked", on_submit=lambda: ask(st.session_state.asked))
    for number, turn in enumerate(turns()):
        draw(turn, number, engine)
    if not turns():
        start(kb)


def style() -> None:
    st.html(HERE / "page.css")
    theme = "dark" if st.context.theme.type == "dark" else "light"
    accent = st.get_option(f"theme.{theme}.primaryColor") or st.get_option("theme.primaryColor")
    if accent:
        st.html(f"<style>:root {{ --kbqa-accent: {accent}; }}</style>")


def opened(kb: str | None) -> Engine | None:
    """The engine, or None after saying why there is none."""
    try:
        return engine_over(kb)
    except Exception as e:
        if not isinstance(e, KbqaError):
            log.exception("opening failed")
        st.html(show.problem(show.explained(e)))
        st.button("Try again")
        return None


def sidebar(engine: Engine | None) -> None:
    with st.sidebar:
        st.radio(
            "Mode",
            list(MODES),
            key="mode",
            format_func=str.capitalize,
            captions=[mode.explanation for mode in MODES.values()],
            help="Which variant of the system answers, from the next question on.",
        )
        st.caption("This page takes no corrections yet: it does not ask 'Is this right?'.")
        if engine is not None:
            st.divider()
            st.html(show.knowledge_base(engine.kb.name))
        if st.session_state.get("turns"):
            st.button("Start anew", on_click=turns().clear, width="stretch")


def start(kb: str | None) -> None:
    """Questions to begin with."""
    try:
        examples = examples_over(kb)
    except Exception:  # the page works without
        log.exception("no examples")
        examples = ()
    if examples:
        st.write("Try one of these, or ask your own below:")
        buttons(examples, "start")


def buttons(examples: tuple[str, ...], where: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for number, example in enumerate(examples):
            st.button(show.markdown(example), key=f"{where}-{number}", on_click=ask, args=(example,))


def draw(turn: Turn, number: int, engine: Engine) -> None:
    with st.chat_message("user", avatar=":material/person:"):
        st.html(show.question(turn.question))
    with st.chat_message("assistant", avatar=":material/account_tree:"):
        if turn.waiting:
            with st.spinner("Working out what you ask ..."):
                answer(turn, engine)
        if turn.dialogue is None:
            st.html(show.problem(turn.error))
            st.button("Ask again", key=f"again-{number}", on_click=ask_again, args=(turn,))
            return
        version = turn.dialogue.current
        if version is not None:
            understood(version)
        elif turn.dialogue.recognised is not None:
            st.html(show.not_understood(turn.dialogue.recognised))
            if turn.dialogue.recognised.examples:
                st.write("Questions that work:")
                buttons(turn.dialogue.recognised.examples, f"example-{number}")
        st.html(show.small_print(turn.dialogue))


def understood(version: Version) -> None:
    st.html(show.steps(version.steps))
    st.html(show.final(version.steps))
    with st.expander("SPARQL", icon=":material/code:"):
        st.write("The whole question")
        st.code(show.sparql(version.sparql), language="sparql", wrap_lines=True)
        for step in version.steps:
            st.html(show.heading(step.number, step.shown))
            st.code(show.sparql(step.sparql), language="sparql", wrap_lines=True)
    with st.expander("The steps in fixed wording", icon=":material/format_list_numbered:"):
        st.html(show.templates(version.steps))


main()
