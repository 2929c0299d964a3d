"""The side: mode, knowledge base, earlier dialogues, this dialogue, settings."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import show
import sources
import streamlit as st
import trouble
from clicks import click
from session import Session

from kbqa.answers import SHOWN
from kbqa.dialogue import MODES, Dialogue
from kbqa.document import document
from kbqa.errors import KbqaError, UnknownDialogue
from kbqa.kb import STUB
from kbqa.records import Summary

LISTED = 15
"""Earlier dialogues that are listed."""
_STUB = (
    "It comes with kbqa: facts about geography, films, music, sport, people and more, in Freebase's "
    "vocabulary."
)
_STATUS = {
    "accepted": "check",
    "stopped": "block",
    "not_understood": "question_mark",
}


@dataclass(frozen=True)
class Settings:
    """`at_once`: answers shown before 'and 37 more'; `drawing`: whether it is open at once; `timing`:
    whether the time of each stage is told."""

    at_once: int = SHOWN
    drawing: bool = True
    timing: bool = False


def mode() -> None:
    chosen = st.selectbox(
        "How I answer",
        list(MODES),
        key="mode",
        format_func=lambda name: show.way(MODES[name]).name,
        help=f"From the next question on. On the command line --mode: {', '.join(MODES)}.",
    )
    st.html(show.note(show.way(MODES[chosen]).line))


# --- knowledge base ------------------------------------------------------------------


def knowledge_base(held: Session, name: str | None) -> None:
    """Which one is asked, None where it can't be opened; and, where the page is private, how to ask
    another."""
    label = show.markdown(show.knowledge_base(name)) if name else "none"
    with st.expander(f"Knowledge base: {label}", icon=":material/database:", expanded=name is None):
        if name is not None:
            st.html(show.note(_STUB if name == STUB else f"Questions are asked of {name}."))
        if not sources.is_private() or sources.api():
            return
        ways = {
            "stub": "The one that comes with kbqa",
            "file": "Upload an RDF file",
            "path": "A file or folder on this computer",
            "url": "A SPARQL endpoint",
        }
        way = st.radio("Ask another", list(ways), format_func=ways.__getitem__, key="kb-way")
        match way:
            case "stub":
                if name != STUB:
                    click("Use it", "kb-stub", _use, held, None)
            case "file":
                _upload(held)
            case "path":
                _typed(held, "Path", "/data/books.ttl")
            case "url":
                _typed(held, "URL", "https://example.org/sparql")


def _use(held: Session, source: sources.Source) -> None:
    held.source = source


def _typed(held: Session, label: str, example: str) -> None:
    with st.form(f"kb-form-{label}", border=False):
        typed = st.text_input(label, placeholder=example, key=f"kb-{label}")
        if st.form_submit_button("Open it") and typed.strip():
            _open(held, lambda: _opened(typed.strip()))


def _opened(source: str) -> str:
    sources.engine_over(source)
    return source


def _upload(held: Session) -> None:
    endings = [e.removeprefix(".") for e in sources.RDF_ENDINGS]
    file = st.file_uploader("RDF file (.ttl, .nt, .rdf, .jsonld ...)", endings, key="kb-upload")
    if file is not None and st.button("Open it", key="kb-open-upload"):
        _open(held, lambda: sources.open_upload(file.name, file.getvalue()))


def _open(held: Session, opening: Callable[[], str]) -> None:
    """Asks it from now on, or says why it can't be opened; the one before stays then."""
    try:
        with st.spinner("Opening it ..."):
            held.source = opening()
    except Exception as e:
        stays = "The knowledge base that was open stays open."
        again = f"Open it again once it can be reached. {stays}"
        st.html(show.problem(trouble.explained(e, way_out=again if trouble.may_pass(e) else stays)))
    else:
        sources.opened_here()[sources.engine_over(held.source).kb.name] = held.source
        st.rerun()


# --- dialogues -------------------------------------------------------------------------


def dialogues(held: Session) -> None:
    """Those of before, to go on with. Only where the page is private: they are everybody's."""
    if not sources.is_private():
        return
    with st.expander("Earlier dialogues", icon=":material/history:"):
        try:
            found = sources.all_records().recent(LISTED)
        except KbqaError as e:
            st.html(show.problem(trouble.explained(e)))
            return
        if not found:
            st.html(show.note("None yet."))
        for summary in found:
            click(
                show.markdown(_short(summary.question)),
                f"go-{summary.id}",
                resume,
                held,
                summary.id,
                icon=_STATUS.get(summary.status, "more_horiz"),
                kind="tertiary",
                tip=_when(summary),
            )


def _when(summary: Summary) -> str:
    at = summary.updated[:16].replace("T", " ")
    return f"{at} · {show.markdown(show.knowledge_base(summary.kb))}"


def _short(question: str, most: int = 80) -> str:
    return question if len(question) <= most else question[: most - 1].rstrip() + "…"


def resume(held: Session, dialogue_id: str) -> None:
    """Go on with a recorded dialogue, or say why that is not possible."""
    try:
        dialogue = sources.all_records().load(dialogue_id)
        held.show(dialogue, sources.source_named(dialogue.kb, held.source))
    except UnknownDialogue:
        held.note = "There is no dialogue at this address any more. Ask the question anew."
    except Exception as e:
        held.note = trouble.explained(e)


def this_dialogue(held: Session, dialogue: Dialogue) -> None:
    """Its address, its document, its end."""
    with st.expander("This dialogue", icon=":material/link:"):
        address = (st.context.url or "").partition("?")[0]
        st.html(show.note("Its address. Open it again whenever you like: nothing is lost."))
        st.code(f"{address}?dialogue={dialogue.dialogue_id}", language=None, wrap_lines=True)
        st.download_button(
            "Export as JSON",
            lambda: json.dumps(document(dialogue), indent=2, ensure_ascii=False).encode(errors="replace"),
            f"dialogue-{dialogue.dialogue_id[:8]}.json",
            "application/json",
            icon=":material/download:",
            on_click="ignore",
            width="stretch",
        )
        with st.popover("Delete it", icon=":material/delete:", width="stretch"):
            st.html(show.note("The dialogue and all its versions will be gone for good."))
            click("Yes, delete it", "delete-this", _delete, held, dialogue, icon="delete")


def _delete(held: Session, dialogue: Dialogue) -> None:
    try:
        sources.all_records().delete(dialogue.dialogue_id)
    except UnknownDialogue:
        pass
    except KbqaError as e:
        held.note = trouble.explained(e)
        return
    held.drop(dialogue.dialogue_id)


# --- settings ----------------------------------------------------------------------------


def settings() -> Settings:
    with st.expander("Settings", icon=":material/settings:"):
        at_once = st.select_slider("Answers shown at once", [5, 10, 20, 50, 100], SHOWN, key="at-once")
        drawing = st.toggle("Open the drawing at once", True, key="drawing")
        timing = st.toggle("Tell the time each stage took", False, key="timing")
    return Settings(at_once, drawing, timing)
