"""What all participants of a served study share: its register, the engine, and the dialogues' records."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from kbqa.engine import Engine
from kbqa.errors import InputError
from kbqa.study.conduct import Conductor
from kbqa.study.register import Register


@st.cache_resource(show_spinner="Opening the study ...")
def opened() -> Conductor:
    """Raises `KbqaError`."""
    folder = os.environ.get("KBQA_STUDY")
    if not folder:
        raise InputError("no study is named: start these pages with kbqa study serve STUDY.toml")
    register = Register(Path(folder))
    engine = Engine.open(os.environ.get("KBQA_KB") or None)
    return Conductor(register, engine, register.records(engine.signature))
