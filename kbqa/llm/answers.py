"""Reading a language model's answers, and sending back once what can't be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from kbqa.errors import InputError
from kbqa.protocols import Scored, Seq2Seq

_T = TypeVar("_T")
_SHOWN = 1_500
"""Characters of an answer that are sent back."""


def lines_of(answer: str) -> Iterator[str]:
    """The lines of an answer without numbers, bullets, quotes and fences around them."""
    for line in answer.splitlines():
        bare = re.sub(r"^\s*(?:(?:step\s*)?\d+\s*[.):]\s+|[-*•]\s+)", "", line, flags=re.IGNORECASE).strip()
        bare = "" if bare.startswith("```") else bare.strip("`").strip()
        if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
            bare = bare[1:-1].strip()
        if bare:
            yield bare


def sentences_of(answer: str) -> list[str]:
    """The lines that are templated sentences or mean to be; raises `InputError` where there are none."""
    found = [
        line for line in lines_of(answer) if line.endswith("?") and line.startswith(("What ", "Who ", "Of "))
    ]
    if not found:
        raise InputError("no line is a step: each begins with 'What', 'Who' or 'Of' and ends in '?'")
    return found


def asked_twice(model: Seq2Seq, prompt: str, n: int, read: Callable[[str], _T]) -> list[tuple[_T, float]]:
    """What the answers mean, best first, each once. Where the first answer can't be read (`read` raises
    `InputError`), the answers are sent back with the reasons, once."""
    found: dict[_T, float] = {}
    answers = model.generate([prompt], n=n)[0]
    wrong = _take(answers, read, found)
    if wrong and wrong[0][0] is answers[0]:
        told = "\n\n".join(f"{a.text[:_SHOWN]}\n(can't be read: {reason})" for a, reason in wrong)
        again = f"{prompt}\n\nYou have answered this, which can't be read:\n\n{told}\n\nAnswer anew."
        _take(model.generate([again], n=n)[0], read, found)
    return sorted(found.items(), key=lambda item: -item[1])


def _take(
    answers: Sequence[Scored], read: Callable[[str], _T], found: dict[_T, float]
) -> list[tuple[Scored, str]]:
    """Adds what can be read; returns what can't, with the reasons."""
    wrong: list[tuple[Scored, str]] = []
    for answer in answers:
        try:
            found.setdefault(read(answer.text), answer.logprob)
        except InputError as e:
            wrong.append((answer, str(e)))
    return wrong
