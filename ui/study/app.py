"""The participants' pages of a study, run by Streamlit through `kbqa study serve`. The environment variable
KBQA_STUDY names the study's folder. Where somebody is stands in the study's file, never in the browser: a
reload, another device or a server that was killed goes on where it was."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

HERE = Path(__file__).resolve().parent
for folder in (str(HERE), str(HERE.parent)):  # the chat page's modules are used here too
    if folder not in sys.path:
        sys.path.append(folder)

import show  # noqa: E402
import study_stages as stages  # noqa: E402
import study_talk as talk  # noqa: E402
import trouble  # noqa: E402
from study_shared import opened  # noqa: E402

from kbqa.study.places import (  # noqa: E402
    COMPARISON_STAGE,
    AtComparison,
    AtConsent,
    AtDialogue,
    AtEnd,
    AtQuiz,
    AtStart,
    AtSurvey,
    AtTutorial,
    Excluded,
    Waiting,
)
from kbqa.study.register import NotInvited, Register  # noqa: E402


def main() -> None:
    st.set_page_config(
        page_title="Study", page_icon=str(HERE.parent / "icon.svg"), layout="centered", menu_items={}
    )
    st.html(HERE.parent / "page.css")
    light, dark = (st.get_option(f"theme.{name}.primaryColor") for name in ("light", "dark"))
    if light and dark:
        st.html(f"<style>:root {{ --kbqa-accent: light-dark({light}, {dark}) }}</style>")
    try:
        register = opened().register
        participant = register.enter(st.query_params.get("p", ""))
    except NotInvited as e:
        st.html(show.problem(show.sentence(str(e))))
        return
    except Exception as e:
        st.html(show.problem(trouble.explained(e)))
        return
    draw(register, participant)


def draw(register: Register, participant: str) -> None:
    study = register.study
    match register.where(participant):
        case AtConsent():
            stages.consent(study, register, participant)
        case AtTutorial():
            stages.tutorial(study, register, participant)
        case AtQuiz(attempt):
            stages.quiz(study, register, participant, attempt)
        case Waiting(until):
            stages.waiting(until)
        case AtStart(before):
            stages.start(study, register, participant, before)
        case AtDialogue(task):
            talk.draw(opened(), task)
        case AtSurvey(claim, stage):
            stages.survey(study, register, claim, stage)
        case AtComparison(claim, _):
            stages.survey(study, register, claim, COMPARISON_STAGE)
        case AtEnd(codes):
            stages.end(codes)
        case Excluded(codes):
            stages.excluded(codes)


main()
