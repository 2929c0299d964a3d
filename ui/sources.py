"""What all who look at the page share: knowledge bases with their models, examples, and the records."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import streamlit as st
from remote import Remote, RemoteRecords, Server

from kbqa.engine import Engine
from kbqa.errors import KbqaError, KnowledgeBaseError
from kbqa.examples import working_examples
from kbqa.kb import STUB, cache_folder, open_kb
from kbqa.records import Records
from kbqa.store.build import FORMATS

EXAMPLES = 5
RDF_ENDINGS = sorted({*FORMATS, *(f"{ending}.gz" for ending in FORMATS)})

Source = str | None
"""A folder, file or URL as `kbqa.kb.open_kb` takes it; None: the knowledge base that ships with kbqa."""


@st.cache_resource(
    show_spinner="Opening the knowledge base ...", max_entries=6, on_release=lambda engine: engine.close()
)
def engine_over(source: Source) -> Engine | Remote:
    return Remote(Server(api()), open_kb(source)) if api() else Engine.open(source)


@st.cache_resource(show_spinner="Looking for questions that work ...", max_entries=20)
def examples_over(source: Source) -> tuple[str, ...]:
    engine = engine_over(source)
    return engine.examples(EXAMPLES) if isinstance(engine, Remote) else working_examples(engine, EXAMPLES)


@st.cache_resource(show_spinner=False, max_entries=6, on_release=lambda records: records.close())
def records_of(source: Source) -> Records | RemoteRecords:
    """The one file of dialogues, opened to write what this knowledge base's engine answers."""
    return all_records() if api() else Records(signature=engine_over(source).signature)


@st.cache_resource(show_spinner=False, on_release=lambda records: records.close())
def all_records() -> Records | RemoteRecords:
    """The same file, to look dialogues up whatever they are about."""
    return RemoteRecords(Server(api())) if api() else Records()


def api() -> str:
    """The `kbqa serve` that is asked; '' where this process answers."""
    return os.environ.get("KBQA_API", "")


def given() -> Source:
    """What the page was started over."""
    return os.environ.get("KBQA_KB") or None


@st.cache_resource(show_spinner=False)
def opened_here() -> dict[str, Source]:
    """By name, what was opened at the side since the page is served: a dialogue about it goes on after a
    reload."""
    return {}


def source_named(name: str, now: Source) -> Source:
    """The source of a knowledge base that a dialogue names. Raises `KnowledgeBaseError` where it isn't
    among those that are open."""
    for source in (now, given()):
        if engine_over(source).kb.name == name:
            return source
    if name == STUB:
        return None
    if name in opened_here():
        return opened_here()[name]
    raise KnowledgeBaseError(
        f"this dialogue is about the knowledge base {name!r}, which is not open: open it at the side, then "
        "open the dialogue again"
    )


def is_private() -> bool:
    """Whether only people at this computer can see the page."""
    return st.get_option("server.address") in ("127.0.0.1", "localhost", "::1")


def uploaded(name: str, data: bytes) -> str:
    """The path at which an uploaded RDF file now lies: by its content, so that it is built once. Raises
    `KnowledgeBaseError`."""
    plain = re.sub(r"[^\w.-]+", "_", Path(name).name).lstrip(".")[-80:] or "graph.ttl"
    folder = cache_folder() / "uploads" / hashlib.sha256(data).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / plain
        if not file.is_file() or file.stat().st_size != len(data):
            part = file.with_name(f".{plain}.part")
            part.write_bytes(data)
            os.replace(part, file)
    except OSError as e:
        raise KnowledgeBaseError(f"the file {plain} can't be kept in {folder}: {e.strerror}") from e
    return str(file)


def open_upload(name: str, data: bytes) -> str:
    """Opens it, and returns its source. Errors name the file, not where it lies."""
    path = uploaded(name, data)
    try:
        engine_over(path)
    except KbqaError as e:
        raise KnowledgeBaseError(str(e).replace(path, Path(path).name)) from e
    return path
