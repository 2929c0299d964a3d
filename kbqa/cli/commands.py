"""What can be typed in the chat beside free words: exact commands, one meaning each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal as Choice

from kbqa.feedback import (
    Back,
    Choose,
    Delete,
    Edit,
    Feedback,
    Insert,
    Replace,
    Stop,
    Undo,
)

HELP = """\
Say what is wrong in your own words: 'no, I meant the director', 'step 2 should be who wrote it',
'remove the last step', 'only those after 1990', 'not Georgia the country, the US state'. Or:
  yes, not sure          whether the answer is right
  insert N QUESTION      a new sub-question that becomes step N
  delete N               without step N
  replace N QUESTION     another sub-question instead of step N
  edit N QUESTION        step N in other words
  choose N               another reading, of those offered
  link, link N           which entities the names stand for; take another one
  undo, back N           the version before; version N
  stop COMMENT           the end of this question, without an answer
  answers, answers N     all answers, or those of step N, with their ids
  sparql, sparql N       the query, or that of step N
  show                   the steps again
  new                    leave this question and ask another one
  help                   this text
  quit                   the end (or Ctrl-D)"""

Look = Choice["link", "answers", "sparql", "show", "new", "help", "quit"]


@dataclass(frozen=True, slots=True)
class Command:
    """One that gives no feedback, with the number after it."""

    name: Look
    number: int | None = None


_Made = Callable[[re.Match[str]], Feedback | Command]


def _sub_question(kind: type[Insert] | type[Replace] | type[Edit]) -> _Made:
    return lambda found: kind(int(found[1]), found[2].strip())


def _numbered(kind: type[Delete] | type[Back] | type[Choose]) -> _Made:
    return lambda found: kind(int(found[1]))


def _look(name: Look) -> _Made:
    return lambda found: Command(name, int(found[1]) if found.re.groups and found[1] else None)


_TEXT, _NUMBER = r" +(\d{1,4})[ :.]+(.+)", r" +(\d{1,4})"
_COMMANDS: tuple[tuple[str, _Made], ...] = (
    (f"insert{_TEXT}", _sub_question(Insert)),
    (f"replace{_TEXT}", _sub_question(Replace)),
    (f"edit{_TEXT}", _sub_question(Edit)),
    (f"delete{_NUMBER}", _numbered(Delete)),
    (f"back{_NUMBER}", _numbered(Back)),
    (f"choose{_NUMBER}", _numbered(Choose)),
    ("undo", lambda found: Undo()),
    (r"stop(?: +(.+))?", lambda found: Stop((found[1] or "").strip(" .!,;:-"))),
    (f"link(?:{_NUMBER})?", _look("link")),
    (f"answers?(?:{_NUMBER})?", _look("answers")),
    (f"sparql(?:{_NUMBER})?", _look("sparql")),
    ("show", _look("show")),
    ("new", _look("new")),
    (r"help|\?|h", _look("help")),
    (r"quit|exit|bye|q", _look("quit")),
)
COMMAND_WORDS = tuple(re.split(r"\W", pattern)[0].removesuffix("s") for pattern, _ in _COMMANDS)
_READERS = tuple((re.compile(pattern, re.I | re.S), made) for pattern, made in _COMMANDS)


def read_command(text: str) -> Feedback | Command | None:
    """None for free words. A slash before a command does no harm."""
    bare = text.strip().removeprefix("/")
    for pattern, made in _READERS:
        found = pattern.fullmatch(bare)
        if found:
            return made(found)
    return None
