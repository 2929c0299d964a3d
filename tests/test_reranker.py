"""The second look at readings: what the network reads, when it is asked, how it is trained and loaded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import films
import pytest
import torch
from safetensors.torch import load_file

from kbqa.assets import models
from kbqa.backends import Backends
from kbqa.engine import Engine, Settings
from kbqa.errors import InputError, ModelError
from kbqa.kb import open_kb
from kbqa.models.checkpoint import Checkpoint
from kbqa.models.net import NetConfig, PointerNet
from kbqa.models.reranker import NeuralReranker
from kbqa.models.tokens import load_tokenizer
from kbqa.reading.reranker import as_text, sorts_of
from kbqa.scripted import ScriptedParser
from kbqa.train.reranker import RerankerRecipe, RerankerTrainer
from kbqa.types import XSD, Literal, freebase

SMALL = NetConfig(width=32, heads=4, encoder_layers=3, encoder_inner=64, decoder_layers=1, decoder_heads=4)
RECIPE = RerankerRecipe(shared=1, steps=30, batch=4, encoder_lr=2e-3, head_lr=5e-3, hasty=0.5)


@pytest.fixture(scope="module")
def parser() -> Checkpoint:
    torch.manual_seed(3)
    tokenizer = load_tokenizer(models() / "parser" / "tokenizer.json")
    none = torch.zeros(0, SMALL.width)
    return Checkpoint(PointerNet(SMALL).eval(), tokenizer, (), none, none, "parser-small")


def rows(n: int) -> list[dict[str, Any]]:
    """Questions whose right reading finds a person, and whose wrong one a place."""
    words = ("river", "mayor", "song", "coach", "capital", "actor")
    return [
        {
            "id": f"r{i}",
            "asked": i % 2 == 0,
            "held_out": False,
            "readings": [
                (
                    as_text(f"Whose {words[i % 6]} is it?", ["What is [X]?"], 1 + i, ["Y"], [sort]),
                    sort == "person",
                )
                for sort in ("place", "person")
            ],
        }
        for i in range(n)
    ]


def trained(recipe: RerankerRecipe, parser: Checkpoint, out: Path) -> dict[str, float]:
    out.mkdir(exist_ok=True)
    return RerankerTrainer(recipe, parser, rows(30), out, lambda said: None).run()


def test_the_network_reads_question_steps_and_what_they_find() -> None:
    text = as_text(
        "who is it?", ["Who is the mayor of [X]?", "Of these, which is tall?"], 2, ["A", "B"], ["person"]
    )
    assert text == "who is it? [SEP] Who is the mayor of X? Of these, which is tall? [SEP] 2 person : A, B"


def test_a_thing_is_of_its_types_that_say_something_and_a_value_of_its_datatype() -> None:
    types = [freebase(t) for t in ("base.x.y", "common.topic", "film.film_character", "people.person")]
    assert sorts_of([freebase("m.1")], types) == ("film character", "person")
    assert sorts_of([Literal("1999", XSD + "gYear")], ()) == ("gYear",)
    assert sorts_of([], ()) == ()


def test_it_learns_which_reading_fits(parser: Checkpoint, tmp_path: Path) -> None:
    trained(replace(RECIPE, steps=120), parser, tmp_path)
    judge = NeuralReranker.load(tmp_path, parser)
    best = [
        max(zip(judge.scores([t for t, _ in r["readings"]]), r["readings"], strict=True)) for r in rows(30)
    ]
    assert sum(reading[1] for _, reading in best) >= 27


def test_a_run_that_was_stopped_ends_with_the_weights_of_one_that_was_not(
    parser: Checkpoint, tmp_path: Path
) -> None:
    recipe = replace(RECIPE, steps=60, save_every=20)

    class Stopped(Exception):
        pass

    def stop(said: str) -> None:
        if said.startswith("step 50"):
            raise Stopped

    trained(recipe, parser, tmp_path / "whole")
    (tmp_path / "again").mkdir()
    with pytest.raises(Stopped):
        RerankerTrainer(recipe, parser, rows(30), tmp_path / "again", stop).run()
    going_on = RerankerTrainer(recipe, parser, rows(30), tmp_path / "again", lambda said: None)
    assert going_on.step == 40
    going_on.run()
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "again"))
    assert one.keys() == other.keys()
    assert all(torch.equal(weights, other[name]) for name, weights in one.items())


def test_the_parsers_weights_stay_as_they_are(parser: Checkpoint, tmp_path: Path) -> None:
    before = {k: v.clone() for k, v in parser.net.state_dict().items()}
    trained(RECIPE, parser, tmp_path)
    assert all(torch.equal(v, before[k]) for k, v in parser.net.state_dict().items())


def test_where_nothing_is_wrong_nothing_can_be_learned(parser: Checkpoint, tmp_path: Path) -> None:
    only_right = [{**r, "readings": [x for x in r["readings"] if x[1]]} for r in rows(8)]
    with pytest.raises(InputError, match="nothing can be learned"):
        RerankerTrainer(RECIPE, parser, only_right, tmp_path, lambda said: None)


def test_a_checkpoint_that_is_missing_broken_or_of_another_parser_is_named(
    parser: Checkpoint, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=r"config\.json is missing.*KBQA_RERANKER=none"):
        NeuralReranker.load(tmp_path, parser)
    trained(replace(RECIPE, steps=1), parser, tmp_path)
    with pytest.raises(ModelError, match="trained upon parser-small, this is parser-other"):
        NeuralReranker.load(tmp_path, replace(parser, signature="parser-other"))
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"broken.*shared"):
        NeuralReranker.load(tmp_path, parser)
    (tmp_path / "config.json").write_text(
        json.dumps({"shared": 1, "parser": "parser-small"}), encoding="utf-8"
    )
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(ModelError, match="broken"):
        NeuralReranker.load(tmp_path, parser)


# --- in use ---


WHO, RULED = "Who made Cast Away?", "Who was there?"
DIRECTED = films.NS + "SELECT DISTINCT ?x WHERE { ns:m.cast ns:film.film.directed_by ?x }"
WROTE = films.NS + "SELECT DISTINCT ?x WHERE { ns:m.cast ns:film.film.written_by ?x }"
BOTH = films.NS + "SELECT DISTINCT ?x WHERE { ns:m.gump ns:film.film.directed_by ?x }"


@dataclass
class Likes:
    """Prefers what has a word in it."""

    word: str
    read: list[Sequence[str]] = field(default_factory=list)

    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        self.read.append(texts)
        return [2.0 if self.word in t else 0.0 for t in texts]


def answered(tmp_path: Path, readings: Sequence[tuple[str, float]], reranker: Likes) -> list[str]:
    engine = films.film_engine(tmp_path)
    with Engine(engine.kb, ScriptedParser({WHO: readings}), reranker=reranker) as judging:
        version = judging.ask(WHO).current
        return [a.label for a in version.steps[-1].answers] if version else []


def test_a_reading_that_fits_better_is_taken_before_one_that_is_a_little_likelier(tmp_path: Path) -> None:
    likes = Likes("William Broyles")
    assert answered(tmp_path, [(DIRECTED, -0.2), (WROTE, -0.9)], likes) == ["William Broyles"]
    assert [t.split(" [SEP] ")[0] for t in likes.read[0]] == [WHO, WHO]


def test_one_that_is_far_less_likely_is_not(tmp_path: Path) -> None:
    likes = Likes("William Broyles")
    assert answered(tmp_path, [(DIRECTED, -0.2), (WROTE, -9.0)], likes) == ["Robert Zemeckis"]
    assert not likes.read


def test_readings_that_find_the_same_are_not_read_again(tmp_path: Path) -> None:
    likes = Likes("")
    assert answered(tmp_path, [(DIRECTED, -0.2), (BOTH, -0.9)], likes) == ["Robert Zemeckis"]
    assert not likes.read


def test_further_readings_count_beside_a_likely_one_or_where_they_fit(tmp_path: Path) -> None:
    kb = films.film_engine(tmp_path).kb
    date = films.NS + "SELECT DISTINCT ?x WHERE { ns:m.cast ns:film.film.initial_release_date ?x }"
    script = {WHO: [(date, -0.2), (DIRECTED, -0.5), (WROTE, -0.6)]}
    for likely, word, found in (
        (1, "Nobody", None),
        (1, "Broyles", "William Broyles"),
        (2, "Nobody", "Robert Zemeckis"),
    ):
        settings = Settings(readings=likely, tried=likely, reread=3)
        engine = Engine(kb, ScriptedParser(script), reranker=Likes(word), settings=settings)
        version = engine.first_version(WHO).current
        assert (version.steps[-1].answers[0].label if version else None) == found


def test_it_can_be_left_out_and_is_told_of_in_the_signature(tmp_path: Path) -> None:
    kb = films.film_engine(tmp_path).kb
    assert Backends(replace(kb, own=True), {}).reranker is None
    with open_kb(None) as stub:
        assert Backends(stub, {"KBQA_RERANKER": "none"}).reranker is None
        assert Backends(stub, {"KBQA_PARSER": "llm"}).reranker is None
        with pytest.raises(InputError, match="KBQA_RERANKER is 'maybe'"):
            _ = Backends(stub, {"KBQA_RERANKER": "maybe"}).reranker
        shipped = Backends(stub, {})
        assert shipped.reranker is not None
        engine = Engine(stub, shipped.parser, reranker=shipped.reranker)
        assert "+reranker:reranker-" in engine.signature
