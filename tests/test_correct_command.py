"""`kbqa correct`: people's sub-questions to templated English and SPARQL, on an engine over a small graph."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from films import Worded, film_engine
from test_cli import Kbqa, kbqa, lines  # noqa: F401

from kbqa.correct import Context, Corrected
from kbqa.engine import Engine
from kbqa.protocols import Mention

DIRECTOR = "Who is the director of [Forrest Gump]?"
ACTED_IN = "What is the film [Tom Hanks] acted in?"


class Listening(Worded):
    """Remembers in which contexts it was asked for what no template says."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Context]] = []

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        self.heard.append((text, context))
        return super().correct(text, mentions, context, n=n)


@pytest.fixture(scope="module")
def listening() -> Listening:
    return Listening()


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory, listening: Listening) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films"), listening) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _engine(films: Engine, listening: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command opens and closes this one, which stays open for the next test."""
    listening.heard.clear()
    monkeypatch.setattr(films, "close", lambda: None)
    monkeypatch.setattr(Engine, "open", lambda kb=None: films)


def answers(films: Engine, sparql: str) -> list[str]:
    return sorted(row[0].mid for row in films.kb.store.select(sparql).rows)  # type: ignore[union-attr]


def test_a_template_is_read_word_for_word(kbqa: Kbqa, films: Engine) -> None:  # noqa: F811
    ran = kbqa("correct", "--input", "-", stdin=lines({"id": 7, "feedback": DIRECTOR}))
    [row] = ran.rows
    [template] = row["templates"]
    assert ran.code == 0 and list(row) == ["id", "templates"] and row["id"] == 7
    assert list(template) == ["text", "logprob", "sparql"]
    assert (template["text"], template["logprob"]) == (DIRECTOR, 0.0)
    assert answers(films, template["sparql"]) == ["m.bob"]


def test_free_words_are_read_by_the_corrector(kbqa: Kbqa, films: Engine) -> None:  # noqa: F811
    asked = lines({"id": 1, "feedback": "Who made Forrest Gump happen?"})
    [template] = kbqa("correct", "--input", "-", stdin=asked).rows[0]["templates"]
    assert template["text"] == "Who is the producer of [Forrest Gump]?" and template["logprob"] == -0.5
    assert answers(films, template["sparql"]) == ["m.wendy"]


def test_that_film_is_what_the_history_found(kbqa: Kbqa, films: Engine) -> None:  # noqa: F811
    asked = lines({"id": 1, "feedback": "Who wrote that film?", "history": [ACTED_IN]})
    [template] = kbqa("correct", "--input", "-", stdin=asked).rows[0]["templates"]
    assert template["text"] == "Who is the screenwriter of [that film]?"
    assert answers(films, template["sparql"]) == ["m.roth", "m.will"]


def test_each_sub_question_of_the_history_is_read_after_those_before_it(
    kbqa: Kbqa,  # noqa: F811
    films: Engine,
) -> None:
    history = [
        "Who is the producer of Forrest Gump?",
        "What is the country of nationality of [that producer]?",
    ]
    later = "Who is the screenwriter of [Forrest Gump]?"
    rows = lines(
        {"id": 1, "feedback": "Of these, how many are there?", "history": history},
        {
            "id": 2,
            "feedback": "What is the birthplace of [the producer of step 1]?",
            "history": [*history, later],
        },
    )
    first, second = kbqa("correct", "--input", "-", stdin=rows).rows
    assert first["templates"][0]["sparql"].count("COUNT") == 1
    assert second["templates"][0]["text"] == "What is the birthplace of [the producer of step 1]?"


def test_the_corrector_sees_what_the_mode_grants(kbqa: Kbqa, listening: Listening) -> None:  # noqa: F811
    row = lines(
        {"id": 1, "feedback": "Who wrote that film?", "question": "Who wrote them?", "history": [ACTED_IN]}
    )
    kbqa("correct", "--input", "-", stdin=row)
    kbqa("correct", "--input", "-", "--mode", "decontextualized", stdin=row)
    (_, full), (_, alone) = listening.heard
    assert (full.question, full.shown) == ("Who wrote them?", (ACTED_IN,))
    assert (alone.question, alone.shown) == (None, ())
    for context in (full, alone):
        assert context.nouns == ("film",) and len(context.steps) == 1
        assert sorted(e.mid for e in context.samples[0]) == ["m.big", "m.cast", "m.gump"]


def test_what_is_not_understood_has_no_template(kbqa: Kbqa) -> None:  # noqa: F811
    ran = kbqa("correct", "--input", "-", stdin=lines({"id": 1, "feedback": "the colour of Forrest Gump"}))
    assert ran.code == 0 and ran.rows == [{"id": 1, "templates": []}]


def test_a_row_that_fails_says_why_and_the_others_are_done(kbqa: Kbqa, tmp_path: Path) -> None:  # noqa: F811
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(
        lines(
            {"id": 1, "feedback": DIRECTOR, "history": [ACTED_IN, "gibberish about Tom Hanks"]},
            {"id": 2, "history": []},
            {"id": 3, "feedback": DIRECTOR, "history": ACTED_IN},
            {"id": 4, "feedback": " "},
            {"id": 5, "feedback": DIRECTOR},
        )
    )
    ran = kbqa("correct", "--input", str(source), "--output", str(target))
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert ran.code == 1 and [row["id"] for row in rows] == [1, 2, 3, 4, 5]
    messages = [row["error"]["message"] for row in rows[:4]]
    assert "sub-question 2, 'gibberish about Tom Hanks', was not understood" in messages[0]
    assert "'feedback' is missing" in messages[1] and "'history'" in messages[2]
    assert rows[3]["error"]["type"] == "InputError" and rows[4]["templates"]


def test_a_mode_that_takes_no_corrections_is_refused(kbqa: Kbqa) -> None:  # noqa: F811
    ran = kbqa("correct", "--input", "-", "--mode", "non-interactive")
    assert ran.code == 2 and "takes no corrections" in ran.err
