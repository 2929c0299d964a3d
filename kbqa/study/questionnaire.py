"""What participants are asked after the dialogues with a system: the same words on every page."""

from __future__ import annotations

from dataclasses import dataclass

from kbqa.study.config import Study
from kbqa.study.places import COMPARISON_STAGE

REMARK = "Anything else? (may stay empty)"


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Questionnaire:
    """`stage`: 1 or 2, or 3 for the comparison; an answer is the number of an option, from 1; `remark`: what
    the box for anything else asks."""

    stage: int
    heading: str
    introduction: str
    questions: tuple[Question, ...]
    remark: str = REMARK


def questionnaire(study: Study, stage: int) -> Questionnaire:
    """Of that stage of a comparison."""
    if stage == COMPARISON_STAGE:
        options = ("The first system", "The second system")
        asked = tuple(Question(text, options) for text in study.survey.comparative)
        told = "The first system is the one you used first."
        return Questionnaire(stage, "Which of the two?", told, asked)
    asked = tuple(Question(text, study.survey.scale) for text in study.survey.statements)
    last = "last dialogue" if study.batch == 1 else f"last {study.batch} dialogues"
    told = f"Think of the {last} only."
    return Questionnaire(stage, "What did you think of this system?", told, asked)
