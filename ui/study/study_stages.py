"""All pages of a study but the dialogues."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import show
import streamlit as st
import trouble

from kbqa.feedback import LONGEST
from kbqa.study.config import Study
from kbqa.study.questionnaire import questionnaire
from kbqa.study.register import Register


def attempt(do: Callable[..., Any], *args: Any) -> None:
    """Does it; what goes wrong is told on the page that is drawn next."""
    try:
        do(*args)
        st.session_state.pop("study-problem", None)
    except Exception as e:
        st.session_state["study-problem"] = trouble.explained(e)


def told() -> None:
    """What went wrong with the last click, once."""
    problem = st.session_state.pop("study-problem", None)
    if problem:
        st.html(show.problem(problem))


def forward(label: str, key: str, do: Callable[..., Any], *args: Any, off: bool = False) -> None:
    st.button(
        label,
        key=key,
        type="primary",
        on_click=attempt,
        args=(do, *args),
        disabled=off,
        icon=":material/east:",
    )


# --- before the dialogues --------------------------------------------------------------


def consent(study: Study, register: Register, participant: str) -> None:
    st.title(study.title, anchor=False)
    st.markdown(study.consent)
    agreed = st.checkbox(study.agree, key="agreed")
    told()
    forward("Take part", "take-part", register.consent, participant, off=not agreed)
    st.caption("You don't have to: if you don't want to, just close this page.")


def tutorial(study: Study, register: Register, participant: str) -> None:
    pages = study.tutorial
    at = st.session_state.setdefault("tutorial", 0)
    st.caption(f"Tutorial, page {at + 1} of {len(pages)}")
    st.header(pages[at].title, anchor=False)
    st.markdown(pages[at].text)
    told()
    with st.container(horizontal=True, gap="small"):
        if at:
            st.button("Back", key=f"back-{at}", on_click=_turn, args=(at - 1,))
        if at + 1 < len(pages):
            st.button("Next", key=f"next-{at}", type="primary", on_click=_turn, args=(at + 1,))
        else:
            forward("To the quiz", "to-quiz", register.finish_tutorial, participant)


def _turn(page: int) -> None:
    st.session_state["tutorial"] = page


def quiz(study: Study, register: Register, participant: str, number: int) -> None:
    st.header("A short quiz", anchor=False)
    st.write(
        f"Please answer {len(study.quiz.questions)} questions; {study.quiz.needed} right answers are needed. "
        "If there are fewer you can try again after a while, and read the tutorial until then."
    )
    with st.expander("The tutorial again"):
        for page in study.tutorial:
            st.subheader(page.title, anchor=False)
            st.markdown(page.text)
    keys = []
    with st.form(f"quiz-{number}"):
        for place, question in enumerate(study.quiz.questions, 1):
            keys.append(f"quiz-{number}-{place}")
            _options(f"{place}. {question.text}", question.options, keys[-1])
        told()
        st.form_submit_button(
            "Hand in", type="primary", on_click=attempt, args=(_hand_in, register, participant, keys)
        )


def _hand_in(register: Register, participant: str, keys: list[str]) -> None:
    register.take_quiz(participant, _chosen(keys))


def waiting(until: datetime) -> None:
    st.header("Not yet", anchor=False)
    left = (until - datetime.now(until.tzinfo)).total_seconds()
    minutes = max(1, -(-int(left) // 60))
    st.write(
        "Some answers were not right. Please read the tutorial once more and try again "
        f"in {minutes} minute{'s' if minutes > 1 else ''}: load this page again then."
    )
    st.caption(f"From {until.astimezone().strftime('%H:%M')} on ({until.strftime('%H:%M')} UTC).")
    st.button("Look again", key="look-again")


# --- between and after them --------------------------------------------------------------


def start(study: Study, register: Register, participant: str, before: tuple[str, ...]) -> None:
    st.header("Ready" if not before else "Thank you: that was one comparison", anchor=False)
    codes(before)
    most = max(len(c.conditions) for c in study.comparisons)
    whole = study.batch * most
    st.write(
        f"Next there {'are' if whole > 1 else 'is'} {whole} dialogues"
        + (
            f": {study.batch} with one system and {study.batch} with another, and some questions after each."
            if most > 1
            else " and some questions."
        )
    )
    pay = study.pay
    st.write(
        f"Payment: {pay.dialogue} {pay.currency} for a dialogue, {pay.survey} for a survey, and {pay.bonus} "
        "when all is done. You may stop in between and go on later with the same link."
    )
    told()
    forward("Begin" if not before else "Do another one", f"begin-{len(before)}", register.start, participant)


def survey(study: Study, register: Register, claim: int, stage: int) -> None:
    asked = questionnaire(study, stage)
    st.header(asked.heading, anchor=False)
    st.write(asked.introduction)
    keys = [f"survey-{claim}-{stage}-{n}" for n in range(1, len(asked.questions) + 1)]
    remark = f"remark-{claim}-{stage}"
    with st.form(f"survey-{claim}-{stage}"):
        for number, (question, key) in enumerate(zip(asked.questions, keys, strict=True), 1):
            _options(f"{number}. {question.text}", question.options, key)
        st.text_area(asked.remark, max_chars=LONGEST, key=remark)
        told()
        st.form_submit_button(
            "Send", type="primary", on_click=attempt, args=(_send, register, claim, stage, keys, remark)
        )


def _send(register: Register, claim: int, stage: int, keys: list[str], remark: str) -> None:
    values = dict(enumerate(_chosen(keys), 1))
    register.answer(claim, stage, values, st.session_state.get(remark) or "")


def _options(text: str, options: tuple[str, ...], key: str) -> None:
    words = {n: show.markdown(option) for n, option in enumerate(options, 1)}
    st.radio(show.markdown(text), list(words), format_func=words.get, index=None, key=key)


def _chosen(keys: list[str]) -> list[int]:
    """0 where nothing was chosen."""
    return [st.session_state.get(key) or 0 for key in keys]


def codes(held: tuple[str, ...]) -> None:
    for code in held:
        st.write("Your completion code:")
        st.code(code, language=None)


def end(held: tuple[str, ...]) -> None:
    st.header("Thank you" if held else "Nothing to do just now", anchor=False)
    if held:
        st.write("That is all there is to do. Keep the code: it shows that you took part.")
    else:
        st.write("All places are taken at the moment. Please look again later with the same link.")
    codes(held)


def excluded(held: tuple[str, ...]) -> None:
    st.header("Thank you", anchor=False)
    st.write("There is nothing more to do for you in this study. What you have done is paid.")
    codes(held)
