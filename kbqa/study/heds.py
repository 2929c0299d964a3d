"""The human evaluation datasheet (HEDS 3.0, Shimorina and Belz), filled in as far as a study knows itself.

An answer that is not known stays blank, which is a warning; one of the wrong kind is an error. Neither
keeps the sheet from being written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kbqa.study.config import Study
from kbqa.study.inference import Table
from kbqa.study.outcomes import Left

_WHOLE, _TEXT = "integer", "text"


@dataclass(frozen=True, slots=True)
class Question:
    number: str
    text: str
    kind: str = _TEXT


_QUESTIONS = tuple(
    Question(*each)
    for each in (
        ("1.1.1", "Link to paper reporting the evaluation experiment."),
        ("1.1.2", "Which experiment within the paper is this form being completed for?"),
        ("1.2.1", "Link(s) to website(s) providing resources used in the evaluation experiment."),
        ("1.3.1.1", "Name of the person completing this sheet."),
        ("1.3.1.2", "Affiliation of the person completing this sheet."),
        ("1.3.1.3", "Email address of the person completing this sheet."),
        ("1.3.2.1", "Name of the contact author."),
        ("1.3.2.2", "Affiliation of the contact author."),
        ("1.3.2.3", "Email address of the contact author."),
        ("2.1", "What type of input do the evaluated system(s) take?"),
        ("2.2", "What type of output do the evaluated system(s) generate?"),
        ("2.3", "How would you describe the task that the evaluated system(s) perform?"),
        ("2.4", "What are the input languages that are used by the system?"),
        ("2.5", "What are the output languages that are used by the system?"),
        ("3.1.1", "How many system outputs are evaluated per system in the evaluation experiment?", _WHOLE),
        ("3.1.2", "How are system outputs selected for inclusion in the evaluation experiment?"),
        ("3.1.3.1", "What method was used to determine the statistical power of the sample size?"),
        ("3.1.3.2", "What is the statistical power of the sample size?"),
        ("3.1.3.3", "Where can other researchers find details of the script used?"),
        ("3.2.1", "How many evaluators are there in this experiment?", _WHOLE),
        ("3.2.2", "Evaluator type."),
        ("3.2.3", "How are evaluators recruited?"),
        ("3.2.4", "What training and/or practice are evaluators given before starting?"),
        ("3.2.5", "What other characteristics do the evaluators have?"),
        ("3.3.1", "Has the experimental design been preregistered? If yes, on which registry?"),
        ("3.3.2", "How are responses collected?"),
        ("3.3.3.1", "What quality assurance methods are used?"),
        ("3.3.3.2", "Please describe in detail the quality assurance methods that were used."),
        ("3.3.4.1", "Please include a link to online copies of the form/interface shown to participants."),
        ("3.3.4.2", "What do evaluators see when carrying out evaluations?"),
        ("3.3.5", "How free are evaluators regarding when and how quickly to carry out evaluations?"),
        ("3.3.6", "Are evaluators told they can ask questions and/or provide feedback?"),
        ("3.3.7", "What are the experimental conditions in which evaluators carry out the evaluations?"),
        ("3.3.8", "Briefly describe the (range of different) conditions."),
        ("5.1", "Has the experiment been approved by a research ethics committee? Which one?"),
        ("5.2", "Do any of the system outputs or responses contain personal data?"),
        ("5.3", "Do any of the system outputs or responses contain special category information?"),
        ("5.4", "Have any impact assessments been carried out for the evaluation experiment?"),
    )
)
_PER_CRITERION = tuple(
    Question(*each)
    for each in (
        ("4.1.1", "What type of quality is assessed by the quality criterion?"),
        ("4.1.2", "Which aspect of system outputs is assessed by the quality criterion?"),
        ("4.1.3", "Is each output assessed in its own right, or relative to a frame of reference?"),
        ("4.2.1", "Does an individual assessment involve an objective or a subjective judgment?"),
        ("4.2.2", "Are outputs assessed in absolute or relative terms?"),
        ("4.2.3", "Is the evaluation intrinsic or extrinsic?"),
        ("4.3.1", "What do you call the quality criterion in explanations/interfaces to evaluators?"),
        ("4.3.2", "What definition do you give for the quality criterion?"),
        ("4.3.3", "Size of scale or other rating instrument.", _WHOLE),
        ("4.3.4", "List or range of possible values of the scale or other rating instrument."),
        ("4.3.5", "How is the scale or other rating instrument presented to evaluators?"),
        ("4.3.6", "If there is no rating instrument, what does the evaluator do?"),
        ("4.3.7", "What is the verbatim question, prompt or instruction given to evaluators?"),
        ("4.3.8", "Form of response elicitation."),
        ("4.3.9", "How are raw responses aggregated or otherwise processed to obtain reported scores?"),
        ("4.3.10", "Method(s) used for determining effect size and significance of findings."),
        ("4.3.11", "Has the inter-annotator and intra-annotator agreement been measured?"),
    )
)


def datasheet(study: Study, left: Left, tables: Mapping[str, Table]) -> dict[str, Any]:
    """{"heds", "answers": [{number, question, kind, answer}], "criteria": [{name, answers}], "warnings",
    "errors"}. What `[heds]` of the study file says goes before what is known here."""
    known = {**_about(study, left, tables), **study.heds}
    answers = [_answered(q, known.get(q.number, "")) for q in _QUESTIONS]
    sections = {
        name: [_answered(q, found.get(q.number, "")) for q in _PER_CRITERION]
        for name, found in _criteria(study, tables)
    }
    every = [("", a) for a in answers]
    every += [(f" of '{name}'", a) for name, section in sections.items() for a in section]
    unknown = sorted(set(study.heds) - {q.number for q in _QUESTIONS})
    return {
        "heds": "3.0",
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
    if answer["kind"] == _WHOLE:
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
        "2.1": "text: sentence",
        "2.2": "text: dialogue",
        "2.3": "question answering; question generation; post-editing/correction. Systems: "
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
        "3.2.2": "non-experts",
        "3.2.4": f"a tutorial of {len(study.tutorial)} pages and a quiz of {len(study.quiz.questions)} "
        f"questions, {study.quiz.needed} of them to be right; before another try "
        f"{', '.join(map(str, study.quiz.wait_minutes))} minutes of waiting",
        "3.3.1": "",
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
        "5.2": "No; participants are kept as salted hashes, and asked to type nothing personal",
        "5.3": "No",
        "5.4": "",
    }


def _criteria(study: Study, tables: Mapping[str, Table]) -> list[tuple[str, dict[str, Any]]]:
    scale = study.survey.scale
    alphas = {r["what"]: r["alpha"] for r in tables["agreement"]}
    measured = (
        ("official", "the user confirmed, and the final answer equals the gold answer"),
        ("inferable", "the user confirmed, and the right answer can be read off what is shown"),
        ("deemed", "an answer was reached without using all edits"),
    )
    found: list[tuple[str, dict[str, Any]]] = [
        (
            f"{name} success",
            {
                "4.1.1": "Correctness",
                "4.1.2": "Content",
                "4.1.3": "relative to a system-external frame of reference (gold answers)",
                "4.2.1": "Objective",
                "4.2.2": "Absolute",
                "4.2.3": "Extrinsic",
                "4.3.1": "N/A (not named to participants)",
                "4.3.2": definition,
                "4.3.3": 2,
                "4.3.4": "0, 1",
                "4.3.5": "N/A",
                "4.3.6": "has a dialogue with the system; success is computed from it",
                "4.3.7": "Are the sub-questions accurate in relation to the target question?",
                "4.3.8": "user-system interaction measurements",
                "4.3.9": "share of dialogues",
                "4.3.10": "paired t-test over items, Cohen's d_z, TOST, Holm correction",
                "4.3.11": _alpha(alphas["inferable success of an item in a condition"]),
            },
        )
        for name, definition in measured
    ]
    for number, text in enumerate(study.survey.statements, 1):
        found.append(
            (
                f"survey statement {number}",
                {
                    "4.1.1": "Goodness",
                    "4.1.2": "Both form and content of outputs",
                    "4.1.3": "in its own right",
                    "4.2.1": "Subjective",
                    "4.2.2": "Absolute",
                    "4.2.3": "Extrinsic",
                    "4.3.1": text,
                    "4.3.2": "none beyond the statement",
                    "4.3.3": len(scale),
                    "4.3.4": ", ".join(f"{n} {s}" for n, s in enumerate(scale, 1)),
                    "4.3.5": "radio buttons",
                    "4.3.6": "N/A",
                    "4.3.7": text,
                    "4.3.8": "(dis)agreement with quality statement",
                    "4.3.9": "mean over workers",
                    "4.3.10": "paired t-test over workers, Cohen's d_z, TOST, Holm correction",
                    "4.3.11": _alpha(alphas["survey ratings"]),
                },
            )
        )
    return found


def _alpha(value: float | None) -> str:
    if value is None:
        return "not to be had: nothing was judged twice"
    return f"Krippendorff's alpha = {value:.3f}"


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
