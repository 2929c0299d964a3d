"""The human evaluation datasheet (HEDS 2, Shimorina and Belz 2022), filled in as far as a study knows itself.

An answer that is not known stays blank, which is a warning; one of the wrong kind is an error. Neither
keeps the sheet from being written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kbqa.study.config import Study
from kbqa.study.heds_questions import PER_CRITERION, QUESTIONS, WHOLE, Question
from kbqa.study.inference import Table
from kbqa.study.outcomes import Left
from kbqa.study.places import QUESTION

_NONE = "N/A"


def datasheet(study: Study, left: Left, tables: Mapping[str, Table]) -> dict[str, Any]:
    """{"heds", "answers": [{number, question, kind, answer}], "criteria": [{name, answers}], "warnings",
    "errors"}. What `[heds]` of the study file says goes before what is known here."""
    known = {**_about(study, left, tables), **study.heds}
    answers = [_answered(q, known.get(q.number, "")) for q in QUESTIONS]
    sections = {
        name: [_answered(q, found.get(q.number, "")) for q in PER_CRITERION]
        for name, found in _criteria(study, tables)
    }
    every = [("", a) for a in answers]
    every += [(f" of '{name}'", a) for name, section in sections.items() for a in section]
    unknown = sorted(set(study.heds) - {q.number for q in QUESTIONS})
    return {
        "heds": "2",
        "study": study.title,
        "answers": answers,
        "criteria": [{"name": name, "answers": section} for name, section in sections.items()],
        "warnings": [f"{a['number']}{of} is blank" for of, a in every if a["answer"] == ""],
        "errors": [f"{a['number']}{of}: {e}" for of, a in every if (e := _wrong(a))]
        + [f"{number}: there is no such question outside section 4" for number in unknown],
    }


def _answered(question: Question, answer: Any) -> dict[str, Any]:
    kept = answer.strip() if isinstance(answer, str) else answer
    return {"number": question.number, "question": question.text, "kind": question.kind, "answer": kept}


def _wrong(answer: Mapping[str, Any]) -> str:
    value = answer["answer"]
    if value == "":
        return ""
    if answer["kind"] == WHOLE and value != _NONE:
        return "" if isinstance(value, int) and not isinstance(value, bool) else f"{value!r} is no integer"
    return "" if isinstance(value, str) else f"{value!r} is no text"


def _about(study: Study, left: Left, tables: Mapping[str, Table]) -> dict[str, Any]:
    names = list(dict.fromkeys(m.name for c in study.comparisons for m in c.conditions))
    items = {d.item for d in left.dialogues}
    power = tables["power"]
    watched = study.monitoring
    return {
        "1.1.2": study.title,
        "1.3.2.1": "N/A",
        "1.3.2.2": "N/A",
        "1.3.2.3": "N/A",
        "2.1": "5. text: sentence",
        "2.2": "8. text: dialogue",
        "2.3": "11. question generation; 12. question answering; 19. post-editing/correction. Systems: "
        + ", ".join(names),
        "2.4": "English",
        "2.5": "English",
        "3.1.1": len(items) or "",
        "3.1.2": "5. other: the rows of the study's items file; dealt at random (seeded), stratified by type "
        "of question, over workers and conditions",
        "3.1.3.1": "two-sided paired t-test over items, noncentral t distribution",
        "3.1.3.2": "; ".join(
            f"{r['comparison']}: {r['power']:.3f} for an effect of {r['effect']:g} with n = {r['n']}"
            for r in power
        ),
        "3.1.3.3": "kbqa.study.inference.power_of_t",
        "3.2.1": len({d.participant for d in left.dialogues}) or "",
        "3.2.2": "non-experts; paid",
        "3.2.4": f"a tutorial of {len(study.tutorial)} pages and a quiz of {len(study.quiz.questions)} "
        f"questions, {study.quiz.needed} of them to be right; before another try "
        f"{', '.join(map(str, study.quiz.wait_minutes))} minutes of waiting",
        "3.3.2": "kbqa study (own web pages, or a Mephisto task on a crowd platform)",
        "3.3.3.1": "3. manual quality checking methods are used during/post evaluation; 4. evaluators are "
        "excluded if they fail quality checks",
        "3.3.3.2": f"flags for a person to look at: dialogues under {watched.min_seconds:g} s or "
        f"{watched.short_share:.0%} of the median, {watched.no_edit_run} dialogues in a row without an edit, "
        f"the same edit at every turn, median turns under {watched.min_turn_seconds:g} s; excluded workers "
        "are paid, their data is not analysed",
        "3.3.4.2": "the target question, the system's numbered sub-questions with answers, yes and no, radio "
        "buttons for insert, delete, replace and edit, a choice of step, a text box",
        "3.3.5": "3. neither of the above: any time, in as many sittings as wanted",
        "3.3.6": "3. evaluators are asked for feedback and/or comments after the evaluation (comment box "
        "after each dialogue and survey)",
        "5.2": "Responses: yes, pseudonyms. Participants are kept under a keyed hash of their id, whose key "
        "only the study's owner can read, and are asked to type nothing personal; one participant's data can "
        "be shown and erased (kbqa study export, erase)",
    }


def _criteria(study: Study, tables: Mapping[str, Table]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every quality criterion by name: what is measured in dialogues, what is rated, what is compared."""
    alphas = {r["what"]: r["alpha"] for r in tables["agreement"]}
    tests = "paired t-test over items, Cohen's d_z, TOST, Holm correction"
    repeated = _alpha(alphas["inferable success of an item in a condition"])
    for name, definition in (
        ("official", "the user confirmed, and the final answer equals the gold answer"),
        ("inferable", "the user confirmed, and the right answer can be read off what is shown"),
        (
            "user-deemed",
            "an answer was reached without using all edits, or the user comments that it is right; without "
            "dialogues in which a sub-question was generated wrongly",
        ),
    ):
        yield f"{name} success", _measured(definition, "share of dialogues", tests, repeated)
    yield (
        "effort",
        _measured(
            "how many inferably correct dialogues there are to an edit",
            "inferably correct dialogues divided by all edits made",
            f"approximate randomization, {study.analysis.trials} trials, Holm correction",
            "No",
        ),
    )
    scale = study.survey.scale
    for number, text in enumerate(study.survey.statements, 1):
        yield (
            f"survey statement {number}",
            _rated(
                text,
                [f"{n} {s}" for n, s in enumerate(scale, 1)],
                "1. Absolute",
                "1. (dis)agreement with quality statement",
                "mean over workers",
                "paired t-test over workers, Cohen's d_z, TOST, Holm correction",
                _alpha(alphas["survey ratings"]),
            ),
        )
    for number, text in enumerate(study.survey.comparative, 1):
        yield (
            f"comparative question {number}",
            _rated(
                text,
                ["the first system", "the second system"],
                "2. Relative",
                "3. relative quality estimation (including ranking)",
                "share of workers who name a system",
                "exact binomial test, Cohen's h, Holm correction",
                "No",
            ),
        )


def _measured(definition: str, score: str, tests: str, agreement: str) -> dict[str, Any]:
    """A criterion that no participant is asked about."""
    return {
        "4.1.1": "1. Correctness",
        "4.1.2": "2. Content of output",
        "4.1.3": "3. Quality of output relative to a system-external frame of reference (gold answers)",
        "4.2.1": "1. Objective",
        "4.2.2": "1. Absolute",
        "4.2.3": "2. Extrinsic",
        "4.3.1": _NONE,
        "4.3.2": f"{_NONE} (participants are not told; it is: {definition})",
        "4.3.3": _NONE,
        "4.3.4": _NONE,
        "4.3.5": "4. N/A (there is no rating instrument)",
        "4.3.6": "the participant confirms or corrects the system's sub-questions in a dialogue; every turn "
        "is recorded",
        "4.3.7": QUESTION,
        "4.3.8": "10. user-system interaction measurements",
        "4.3.9": score,
        "4.3.10": tests,
        "4.3.11": agreement,
    }


def _rated(
    text: str, values: list[str], terms: str, form: str, score: str, tests: str, agreement: str
) -> dict[str, Any]:
    """A criterion that participants are asked about, once for a system or for both."""
    return {
        "4.1.1": "2. Goodness",
        "4.1.2": "3. Both form and content of output",
        "4.1.3": "1. Quality of output in its own right",
        "4.2.1": "2. Subjective",
        "4.2.2": terms,
        "4.2.3": "2. Extrinsic",
        "4.3.1": text,
        "4.3.2": _NONE,
        "4.3.3": len(values),
        "4.3.4": ", ".join(values),
        "4.3.5": "1. Multiple-choice options",
        "4.3.6": _NONE,
        "4.3.7": text,
        "4.3.8": form,
        "4.3.9": score,
        "4.3.10": tests,
        "4.3.11": agreement,
    }


def _alpha(value: float | None) -> str:
    if value is None:
        return "No: nothing was judged twice"
    return f"Yes: Krippendorff's alpha = {value:.3f}"


def as_markdown(sheet: Mapping[str, Any]) -> str:
    """The same sheet to read."""
    lines = [f"# Human evaluation datasheet (HEDS {sheet['heds']}): {sheet['study']}", ""]
    for answer in sheet["answers"]:
        lines += _entry(answer)
    for criterion in sheet["criteria"]:
        lines += [f"## Section 4, criterion: {criterion['name']}", ""]
        for answer in criterion["answers"]:
            lines += _entry(answer)
    for title in ("errors", "warnings"):
        lines += [f"## {title.capitalize()}", "", *(f"- {text}" for text in sheet[title]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _entry(answer: Mapping[str, Any]) -> list[str]:
    said = "*(blank)*" if answer["answer"] == "" else str(answer["answer"])
    return [f"**{answer['number']}** {answer['question']}", "", said, ""]
