"""What the benchmarks of corrections and of copied names count as right."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence

import pytest
from hostile import HOSTILE

from bench.copies import lost, templates
from bench.corrector import Change, answers, begun, changes, put_right, same_answers, same_query
from kbqa.answers import shown_name
from kbqa.correct import Context, Corrected
from kbqa.engine import Engine, Settings
from kbqa.feedback import Insert
from kbqa.kb import open_kb
from kbqa.protocols import Mention
from kbqa.scripted import ScriptedParser
from kbqa.train.paraphrases import read, shipped
from kbqa.types import Find, Keep, Step, reverse


class Told:
    """A corrector that takes any words for this step."""

    step: Step

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        return (Corrected(self.step, 0.0, tuple(mentions)),)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with open_kb(None) as kb:
        yield Engine(kb, ScriptedParser({}), corrector=Told(), settings=Settings(offers_s=0))


@pytest.fixture(scope="module")
def some(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> list[Change]:
    """Of some rows only, for reading them all takes long."""
    lines = shipped().read_text(encoding="utf-8").splitlines()
    divided = [line for line in lines if "sub_questions" in line]
    single = [line for line in lines if len(json.loads(line)["steps"]) == 1]
    file = tmp_path_factory.mktemp("rows") / "some.jsonl"
    file.write_text("\n".join([*divided[:150], *single[:250]]), encoding="utf-8")
    return list(changes(engine, list(read(file, engine.kb.lexicon, held_out=True)), random.Random(1)))


# --- copied names -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "names", "missing"),
    [
        ("What is Egypt's capital?", ["Egypt"], []),
        ("What is the capital of egypt?", ["Egypt"], ["Egypt"]),
        ("Who was an Egyptian king?", ["Egypt"], ["Egypt"]),
        ("Who ruled Lower Egypt?", ["Egypt", "Lower Egypt"], ["Egypt"]),
        ("Who ruled Egypt and Lower Egypt?", ["Egypt", "Lower Egypt"], []),
        ("Who directed It (film)?", ["It (film)"], []),
        ("Who directed 'It (film'?", ["It (film)"], ["It (film)"]),
        ("Who wrote 1984b?", ["1984"], ["1984"]),
    ],
)
def test_a_name_counts_as_copied_only_where_it_stands_as_it_is(
    text: str, names: list[str], missing: list[str]
) -> None:
    assert lost(text, names) == missing


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_name_is_found_and_missed(text: str) -> None:
    name = shown_name(text)
    assert lost(f"Who directed {name}?", [name]) == []
    assert lost(f"Who directed {name[:-1]} then?", [name]) == [name]


@pytest.mark.slow
def test_half_of_the_templates_have_names_that_the_stub_has_not(engine: Engine) -> None:
    drawn = list(templates(engine.kb, 60, 31))
    foreign = [t for t in drawn if dict(t.names) != engine.kb.names.fetch(t.names)]
    assert 18 <= len(foreign) <= 42
    assert all(t.names for t in drawn) and len({t.domain for t in drawn}) > 10


# --- wrong steps ------------------------------------------------------------


def test_a_wrong_step_differs_from_the_right_one_as_its_kind_says(some: list[Change]) -> None:
    for change in some:
        right, wrong, at = change.asked.row.decomposition.steps, change.wrong.steps, change.asked.number
        if isinstance(change.feedback, Insert):
            assert len(wrong) < len(right) and isinstance(right[at - 1], Keep)
            continue
        assert [n for n in range(len(right)) if right[n] != wrong[n]] == [at - 1]
        old, new = right[at - 1], wrong[at - 1]
        if change.kind == "wrong direction" and isinstance(old, Find) and not old.restrictions:
            assert isinstance(new, Find) and new.path == reverse(old.path) and new.anchor == old.anchor
        if change.kind == "wrong entity" and isinstance(old, Find):
            assert isinstance(new, Find) and new.path == old.path and new.anchor != old.anchor
        if change.kind.startswith("missing"):
            assert (
                isinstance(old, Find) and isinstance(new, Find) and old.restrictions and not new.restrictions
            )
    assert {c.kind for c in some} >= {"wrong predicate", "wrong direction", "missing condition"}


def test_the_dialogue_shows_the_wrong_step_until_the_right_one_is_said(
    engine: Engine, some: list[Change]
) -> None:
    corrector = engine.corrector
    assert isinstance(corrector, Told)
    edits = [c for c in some if not isinstance(c.feedback, Insert)][:10]
    for change in edits:
        at = change.asked.number
        version = begun(engine, change).current
        assert version is not None and version.parse.decomposition.steps == change.wrong.steps
        corrector.step = change.asked.row.decomposition.steps[at - 1]
        assert put_right(engine, change) == (True, True)
        corrector.step = change.wrong.steps[at - 1]
        assert put_right(engine, change) == (False, False)


# --- people's questions -----------------------------------------------------


def test_a_step_is_right_by_its_query_or_by_its_answers(engine: Engine, some: list[Change]) -> None:
    rows = [c.asked.row for c in some if len(c.asked.row.decomposition.steps) == 1]
    found = [r.decomposition for r in rows if answers(engine, r.decomposition.steps)]
    one = found[0]
    other = next(d for d in found if answers(engine, d.steps) != answers(engine, one.steps))
    assert same_query(one.steps[0], [other, one]) and same_answers(engine, one.steps[0], [other, one])
    assert not same_query(one.steps[0], [other]) and not same_answers(engine, one.steps[0], [other])
    assert not same_query(one.steps[0], []) and not same_answers(engine, one.steps[0], [])
