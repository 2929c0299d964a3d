"""A dialogue of a study: the target question, how it was understood, yes or no, and the study's four
corrections by radio buttons (Mo et al. 2022; Lewis et al., figure 1)."""

from __future__ import annotations

import uuid

import show
import streamlit as st
import trouble
from study_stages import attempt, told

from kbqa.dialogue import Dialogue, Version
from kbqa.feedback import LONGEST, Accept, Delete, Edit, Feedback, Insert, Replace, Stop
from kbqa.study.conduct import Conductor, may_correct, takes_more
from kbqa.study.places import QUESTION, Task

_WORDED: dict[str, type[Insert] | type[Replace] | type[Edit]] = {
    "insert": Insert,
    "replace": Replace,
    "edit": Edit,
}
_KINDS = {"insert": "Insert", "delete": "Delete", "replace": "Replace", "edit": "Edit"}
_YES, _NO = "Yes", "No"


def draw(conductor: Conductor, task: Task) -> None:
    of = sum(t.stage == task.stage for t in conductor.register.tasks(task.claim))
    at = task.place - (task.stage - 1) * of
    st.caption(f"System {task.stage} · dialogue {at} of {of}")
    st.progress((at - 1) / of)
    with st.container(border=True, gap="xsmall", key="target"):
        st.caption("Target question")
        st.html(show.question(task.question))
    try:
        with st.spinner("Working out the question ..."):
            dialogue = conductor.open(task)
    except Exception as e:
        st.html(show.problem(trouble.explained(e)))
        st.button("Try again", key="again")
        return
    version = dialogue.current
    if version is None:
        st.html(show.note("The system did not understand this question. Nothing can be corrected here."))
    else:
        _steps(version, again=len(dialogue.versions) > 1)
    told()
    if takes_more(dialogue) and version is not None:
        _ask(conductor, task, dialogue, version)
    else:
        _over(conductor, task, dialogue)


def _steps(version: Version, *, again: bool) -> None:
    st.html(show.introduction(again=again))
    for sub in version.steps:
        with st.container(key=f"step-0-{sub.number}", gap="xsmall"):
            st.html(show.step(sub, len(version.steps)))
    st.html(show.final(version.steps))


def _ask(conductor: Conductor, task: Task, dialogue: Dialogue, version: Version) -> None:
    turn = f"{task.claim}-{task.place}-{len(dialogue.versions)}-{dialogue.at}"
    right = st.radio(
        QUESTION,
        (_YES, _NO),
        index=None,
        horizontal=True,
        key=f"right-{turn}",
    )
    if right == _YES:
        _send("This is right", turn, conductor, task, dialogue, Accept())
    elif right == _NO and may_correct(dialogue):
        left = dialogue.edits_left
        st.caption(f"You can make {left} more correction{'s' if left > 1 else ''} here.")
        _correct(conductor, task, dialogue, version, turn)
    elif right == _NO:
        _send("Go on", turn, conductor, task, dialogue, Stop())


def _correct(conductor: Conductor, task: Task, dialogue: Dialogue, version: Version, turn: str) -> None:
    kind = st.radio(
        "Would you like to insert, delete, replace, or edit a sub-question?",
        list(_KINDS),
        format_func=_KINDS.get,
        index=None,
        horizontal=True,
        key=f"kind-{turn}",
    )
    if kind is not None:
        count = len(version.steps)
        words = {s.number: f"{s.number}. {show.markdown(s.shown)}" for s in version.steps}
        asks = f"Please select the sub-question you would like to {kind}:"
        if kind == "insert":
            words = {n: f"before {w}" for n, w in words.items()} | {count + 1: "at the end"}
            asks = "Where does the new sub-question stand?"
        step = st.radio(asks, list(words), format_func=words.get, index=None, key=f"step-{turn}-{kind}")
        if step is not None and kind == "delete":
            _send("Delete it", turn, conductor, task, dialogue, Delete(step))
        elif step is not None:
            _words(conductor, task, dialogue, version, turn, kind, step)
    with st.expander("I can't put this right"):
        st.write("Please use your corrections first. If none of them helps, you may go on without.")
        _send("Leave it wrong", f"{turn}-stop", conductor, task, dialogue, Stop())


def _words(
    conductor: Conductor, task: Task, dialogue: Dialogue, version: Version, turn: str, kind: str, step: int
) -> None:
    key = f"words-{turn}-{kind}-{step}"
    was = version.steps[step - 1].shown if kind == "edit" else ""
    with st.form(f"form-{key}"):
        st.text_input("The sub-question as it should be", was, max_chars=LONGEST, key=key)
        st.form_submit_button(
            "Send",
            type="primary",
            on_click=attempt,
            args=(_say_words, conductor, task, dialogue, kind, step, key, _turn_id(turn)),
        )


def _say_words(
    conductor: Conductor, task: Task, dialogue: Dialogue, kind: str, step: int, key: str, turn_id: str
) -> None:
    feedback = _WORDED[kind](step, st.session_state[key])
    # Other words after a refusal are another turn; the same words sent twice are the same one.
    conductor.say(task, dialogue, feedback, f"{turn_id}-{uuid.uuid5(uuid.NAMESPACE_OID, repr(feedback))}")


def _send(
    label: str, turn: str, conductor: Conductor, task: Task, dialogue: Dialogue, feedback: Feedback
) -> None:
    st.button(
        label,
        key=f"send-{turn}-{label}",
        type="primary",
        on_click=attempt,
        args=(conductor.say, task, dialogue, feedback, f"{_turn_id(turn)}-{label}"),
    )


def _turn_id(turn: str) -> str:
    """One turn of this task's dialogue: pressed twice, or in two windows, it is carried out once."""
    return f"study-{turn}"


def _over(conductor: Conductor, task: Task, dialogue: Dialogue) -> None:
    said = {"accepted": "You said that this is right.", "stopped": "You left this question."}
    st.html(show.note(said.get(dialogue.status, "This dialogue is over.")))
    key = f"comment-{task.claim}-{task.place}"
    with st.form(f"over-{key}"):
        st.text_area(
            "Do you have any comments about this dialogue? (may stay empty)", max_chars=LONGEST, key=key
        )
        st.form_submit_button(
            "Next", type="primary", on_click=attempt, args=(_close, conductor, task, dialogue, key)
        )


def _close(conductor: Conductor, task: Task, dialogue: Dialogue, key: str) -> None:
    conductor.close(task, dialogue, st.session_state.get(key) or "")
