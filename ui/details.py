"""What stands behind an answer: the drawing, the table, the SPARQL, the fixed wording."""

from __future__ import annotations

import drawing
import glance
import show
import streamlit as st
import table
from graph import NameOf, nodes
from session import Turn

from kbqa.answers import SHOWN
from kbqa.answers import show as shown
from kbqa.dialogue import SubQuestion, Version
from kbqa.engine import Engine
from kbqa.errors import StoreError
from kbqa.types import Constant, Iri


def draw(turn: Turn, place: int, engine: Engine, *, is_open: bool) -> None:
    version = turn.version
    if version is None:
        return
    long = [s for s in version.steps if s.answer_count > SHOWN]
    with st.expander("How I got there", icon=":material/account_tree:", expanded=is_open):
        titles = ["Drawing", *(["Table"] if long else []), "SPARQL", "Fixed wording"]
        tabs = dict(zip(titles, st.tabs(titles), strict=True))
        with tabs["Drawing"]:
            picture(version, engine)
            counts = {s.answer_count for s in version.steps}
            if len(counts) > 1 and max(counts) > 1:
                st.html(glance.narrowing(version.steps))
        if long:
            with tabs["Table"]:
                answers(turn, place, long)
        with tabs["SPARQL"]:
            sparql(version)
        with tabs["Fixed wording"]:
            st.html(glance.templates(version.steps))


def picture(version: Version, engine: Engine) -> None:
    drawn = nodes(version, engine.kb.lexicon, names(engine))
    wide, narrow = (drawing.draw(drawn, frame) for frame in (drawing.WIDE, drawing.NARROW))
    st.html(glance.picture(wide.svg, narrow.svg, wide.alt))


def names(engine: Engine) -> NameOf:
    """The name of an entity or literal; its id where the store is gone."""

    def name(value: Constant) -> str:
        if not isinstance(value, Iri):
            return shown(value)
        try:
            return engine.kb.names.show(value)
        except StoreError:
            return value.mid

    return name


def answers(turn: Turn, place: int, long: list[SubQuestion]) -> None:
    """The steps with many answers, each as a table and as a file."""
    step = long[-1]
    if len(long) > 1:
        step = st.selectbox(
            "Answers of",
            long,
            index=len(long) - 1,
            format_func=lambda s: f"step {s.number}: {s.shown}",
            key=f"table-{place}-{turn.acts}",
        )
    st.html(table.html(step.answers, f"Answers of step {step.number}"))
    if step.answer_count > len(step.answers):
        left = step.answer_count - len(step.answers)
        st.html(show.note(f"{left:,} further answers are not listed."))
    st.download_button(
        "Download as CSV",
        lambda: table.to_csv(step.answers),
        f"answers-step-{step.number}.csv",
        "text/csv",
        key=f"csv-{place}-{step.number}",
        icon=":material/download:",
        on_click="ignore",
    )


def sparql(version: Version) -> None:
    st.write("The whole question")
    st.code(glance.sparql(version.sparql), language="sparql", wrap_lines=True)
    for step in version.steps:
        st.html(glance.heading(step.number, step.shown))
        st.code(glance.sparql(step.sparql), language="sparql", wrap_lines=True)
