"""Any Hugging Face T5 or BART: loading and its errors, n-best lists, fine-tuning, and answering with it."""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="the extra 'train' is not installed")

import torch
from checkpoints import TEXTS, make_bart, make_t5
from huggingface_hub import constants
from safetensors.torch import load_file
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, T5Config, T5EncoderModel

from kbqa.cli import main
from kbqa.correct import Context
from kbqa.correct.text import TextCorrector
from kbqa.engine import Engine
from kbqa.errors import InputError, ModelError
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.models.hub import HubSeq2Seq
from kbqa.models.roles import load_role
from kbqa.parse.marks import read_marked, write_marked
from kbqa.parse.program import STRUCTURE
from kbqa.parse.text import TextParser, accepts, program_text, program_tokens
from kbqa.phrase import StepInContext
from kbqa.phrase.text import TextListener, TextPhraser
from kbqa.protocols import Constraint, Scored
from kbqa.train.pairs import pairs
from kbqa.train.seq2seq import Tuner, Tuning, data_of, tune
from kbqa.types import (
    Count,
    Decomposition,
    Find,
    Hop,
    Iri,
    IsNot,
    Keep,
    Merge,
    Ref,
    Restriction,
    Step,
    freebase,
)

TINY = Path(__file__).parent / "data" / "tiny.nt"
EGYPT, SUDAN = freebase("m.02k54"), freebase("m.02b1")
CAPITAL, LANGUAGE = freebase("location.country.capital"), freebase("location.country.official_language")
NS = "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE { "


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> Iterator[None]:
    """Models this small are slower with two."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path_factory.getbasetemp() / "hub-cache"))


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_t5(tmp_path_factory.mktemp("base") / "t5")


@pytest.fixture(scope="module")
def bart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bart(tmp_path_factory.mktemp("base") / "bart")


@pytest.fixture(scope="module", params=["t5", "bart"])
def base(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(request.param)
    return found


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = build_kb([TINY], tmp_path_factory.mktemp("kb") / "tiny")
    with open_kb(str(folder)) as opened:
        yield opened


# --- n-best lists -----------------------------------------------------------


def test_outputs_come_best_first_with_the_log_probability_that_teacher_forcing_gives(base: Path) -> None:
    model = HubSeq2Seq.load(base)
    model.max_target = 6
    found = model.generate(["what is the capital", "who governs it ?"], n=4)
    assert [len(outputs) for outputs in found] == [4, 4]
    for source, outputs in zip(["what is the capital", "who governs it ?"], found, strict=True):
        logprobs = [o.logprob for o in outputs]
        assert logprobs == sorted(logprobs, reverse=True) and len({o.text for o in outputs}) == 4
        whole = [o for o in outputs if len(model.tokenizer(o.text).input_ids) < 6]
        for o, scored in zip(whole, model.score([(source, o.text) for o in whole]), strict=True):
            same_ids = model.tokenizer.decode(model.tokenizer(o.text).input_ids, skip_special_tokens=True)
            if same_ids == o.text:
                assert scored <= o.logprob + 1e-3  # another spelling of the text may be likelier


def test_a_long_list_of_sources_comes_back_in_its_order(base: Path) -> None:
    model = HubSeq2Seq.load(base)
    model.max_target = 4
    sources = [f"what is the capital of {'that ' * (i % 7)}country ?" for i in range(40)]
    alone = [model.generate([s])[0][0] for s in sources[::13]]
    together = [o[0] for o in model.generate(sources)][::13]
    assert [o.text for o in together] == [o.text for o in alone]
    assert [o.logprob for o in together] == pytest.approx([o.logprob for o in alone], abs=1e-3)


def test_a_constraint_is_kept_and_forbids_without_making_the_rest_likelier(base: Path) -> None:
    model = HubSeq2Seq.load(base)
    words = {model.token_ids(w): w for w in ("capital", "country", "borders")}

    def one_word(ids: object) -> list[int]:
        so_far = tuple(ids)  # type: ignore[arg-type]
        going = [w for w in words if w[: len(so_far)] == so_far]
        return [w[len(so_far)] if len(w) > len(so_far) else model.end for w in going]

    limits: list[Constraint | None] = [one_word, None]
    limited, free = model.generate(["what is it ?", "what is it ?"], n=3, constraints=limits)
    assert {o.text for o in limited} == {"capital", "country", "borders"}
    scores = model.score([("what is it ?", f" {o.text}") for o in limited])
    assert [o.logprob for o in limited] == pytest.approx(scores, abs=1e-3)
    assert not {o.text for o in free} <= {"capital", "country", "borders"}


def test_a_constraint_that_leaves_nothing_leaves_no_output(base: Path) -> None:
    model = HubSeq2Seq.load(base)
    assert model.generate(["what ?"], n=3, constraints=[lambda ids: []]) == [[]]


# --- loading ----------------------------------------------------------------


def test_a_missing_folder_is_named_without_asking_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kbqa.models.pretrained._reach", _never)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    for name in (str(tmp_path / "none"), "./none", "~/none-of-this", "runs/none", "a/b/c", tmp_path / "x"):
        with pytest.raises(ModelError, match=r"does not exist; expected a folder .* or a hub id"):
            HubSeq2Seq.load(name)


def _never(name: str) -> None:
    raise AssertionError(f"the hub was asked for {name}")


def test_an_unknown_hub_id_offline_says_so_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"no-such-group/no-such-model .* can't be reached .* local folder"):
        HubSeq2Seq.load("no-such-group/no-such-model")
    assert time.monotonic() - started < 10


def test_a_hub_id_in_the_cache_is_loaded_offline(
    t5: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = tmp_path / "models--own--tiny"
    (stored / "refs").mkdir(parents=True)
    (stored / "refs" / "main").write_text("0" * 40)
    shutil.copytree(t5, stored / "snapshots" / ("0" * 40))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert HubSeq2Seq.load("own/tiny").signature == HubSeq2Seq.load(t5).signature


def test_an_encoder_or_a_decoder_alone_is_refused(t5: Path, tmp_path: Path) -> None:
    small = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    BertModel(BertConfig(vocab_size=100, **small)).save_pretrained(tmp_path / "bert")
    GPT2LMHeadModel(GPT2Config(vocab_size=100, n_embd=32, n_layer=1, n_head=2)).save_pretrained(
        tmp_path / "gpt2"
    )
    with pytest.raises(ModelError, match="a bert model, an encoder only"):
        HubSeq2Seq.load(tmp_path / "bert")
    with pytest.raises(ModelError, match="a gpt2 model, a decoder only"):
        HubSeq2Seq.load(tmp_path / "gpt2")


def test_half_a_t5_is_refused_rather_than_filled_up_with_random_weights(t5: Path, tmp_path: Path) -> None:
    half = shutil.copytree(t5, tmp_path / "half")
    config = T5Config.from_pretrained(t5)
    T5EncoderModel(config).save_pretrained(tmp_path / "encoder")
    shutil.copy(tmp_path / "encoder" / "model.safetensors", half / "model.safetensors")
    with pytest.raises(ModelError, match=r"the encoder of a t5 model only: its weights lack decoder"):
        HubSeq2Seq.load(half)


def test_weights_of_another_size_are_refused(t5: Path, tmp_path: Path) -> None:
    wide = shutil.copytree(t5, tmp_path / "wide")
    settings = json.loads((wide / "config.json").read_text())
    (wide / "config.json").write_text(json.dumps(settings | {"d_ff": 128}))
    with pytest.raises(ModelError, match=str(wide)):
        HubSeq2Seq.load(wide)


def test_a_tokenizer_of_another_model_is_refused(t5: Path, bart: Path, tmp_path: Path) -> None:
    larger = shutil.copytree(t5, tmp_path / "larger")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bart / name, larger / name)
    with pytest.raises(ModelError, match=r"another model's: it has \d+ tokens, the model embeds \d+"):
        HubSeq2Seq.load(larger)
    other = shutil.copytree(bart, tmp_path / "other")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(t5 / name, other / name)
    with pytest.raises(ModelError, match="another model's"):
        HubSeq2Seq.load(other)


@pytest.mark.parametrize(
    ("name", "what"),
    [("config.json", "config"), ("model.safetensors", "weights"), ("tokenizer.json", "tokenizer")],
)
def test_a_broken_file_is_named_with_its_folder(t5: Path, tmp_path: Path, name: str, what: str) -> None:
    folder = shutil.copytree(t5, tmp_path / "broken")
    (folder / name).write_bytes(b"{ not it")
    with pytest.raises(ModelError, match=f"the {what} of the checkpoint in {folder}"):
        HubSeq2Seq.load(folder)


def test_missing_files_are_named_and_pickles_are_not_read(t5: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(t5, tmp_path / "part")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"model.safetensors is missing .*pickled"):
        HubSeq2Seq.load(folder)
    (folder / "config.json").unlink()
    with pytest.raises(ModelError, match=r"config.json is missing"):
        HubSeq2Seq.load(folder)


def test_a_checkpoint_that_was_trained_as_nothing_is_no_parser(t5: Path) -> None:
    with pytest.raises(ModelError, match=r"not as a parser: train one with `kbqa train parser"):
        load_role(t5, "parser")


# --- programs as text -------------------------------------------------------

_PREDICATES = st.sampled_from(
    ["film.actor.film", "^people.person.children", "<http://example.org/p>", "^<http://example.org/a_b#c>"]
)
_PROGRAMS = st.lists(
    st.sampled_from([t for t in STRUCTURE if t != "<end>"]) | _PREDICATES | st.just('"Country"'), min_size=1
)


@given(_PROGRAMS, st.booleans())
def test_a_program_is_read_back_from_its_text_however_it_is_spaced(program: list[str], tight: bool) -> None:
    text = program_text([*program, "<end>"])
    if tight:
        for token in STRUCTURE:
            text = text.replace(f" {token}", token)
        text = text.replace("^", "^ ")
    assert program_tokens(text) == (*program, "<end>")


class Saying:
    """A `Seq2Seq` that says what it is told."""

    def __init__(self, *texts: str) -> None:
        self.texts, self.sources = texts, list[str]()

    def generate(self, sources: list[str], *, n: int = 1, constraints: object = None) -> list[list[Scored]]:
        self.sources += sources
        return [[Scored(text, -float(i)) for i, text in enumerate(self.texts[:n])] for _ in sources]


def test_a_parser_over_any_model_drops_what_is_no_program_of_the_knowledge_base(kb: KnowledgeBase) -> None:
    model = Saying(
        "<find> <e0>",  # ends too early
        "the capital is Cairo",
        "<find> <e0> location.country.population",  # no such predicate
        "<find> <e7> location.country.capital",  # no such entity
        "<find><e0> location.country.capital",
    )
    parser = TextParser(model, kb)
    question = "What is the capital of Egypt?"
    (parse,) = parser.parse(question, kb.linker.link(question), n=5)
    assert parse.decomposition == Decomposition((Find(EGYPT, (Hop(CAPITAL),)),)) and parse.logprob == -4
    assert model.sources == ["What is the capital of [unused0] ? | [unused0] Egypt"]


def test_without_an_entity_there_is_no_reading(kb: KnowledgeBase) -> None:
    assert TextParser(Saying("<find> <any> location.country.capital"), kb).parse("why?", (), n=3) == ()


# --- training data of the tests ---------------------------------------------

_ROWS = [
    ("what is the capital of Egypt ?", EGYPT, "Egypt", "location.country.capital"),
    ("what is the capital of Sudan ?", SUDAN, "Sudan", "location.country.capital"),
    ("what language do they speak in Egypt ?", EGYPT, "Egypt", "location.country.official_language"),
    (
        "what language do they speak in Libya ?", freebase("m.02b2"), "Libya",
        "location.country.official_language",
    ),
    ("who is the mascot of San Francisco Giants ?", freebase("m.0713r"), "San Francisco Giants",
     "sports.sports_team.team_mascot"),
]  # fmt: skip


def write_data(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    with (folder / "own.jsonl").open("w", encoding="utf-8") as out:
        for i, (question, entity, name, predicate) in enumerate(_ROWS):
            row = {
                "id": f"own-{i}",
                "question": question,
                "sparql": f"{NS}ns:{entity.mid} ns:{predicate} ?x }}",
                "entities": {entity.mid: name},
            }
            out.write(json.dumps(row) + "\n")
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_data(tmp_path_factory.mktemp("data"))


def recipe(folder: Path, base: Path, repeat: int = 40, **settings: object) -> Path:
    """Rows whose questions of one step serve as sub-questions, too (`kbqa.train.data.SUB_QUESTIONS`), seen
    so many times an epoch."""
    given = {"base": str(base), "epochs": 4, "batch": 10, "lr": 1e-2, "max_target": 60} | settings
    lines = [f"{k} = {json.dumps(v)}" for k, v in given.items()]
    lines += ['[rows]\nwebqsp_train = "own.jsonl"', f"[weights]\nwebqsp_train = {repeat}"]
    file = folder / "recipe.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def tuner(base: Path, data: Path, out: Path, **settings: Any) -> Tuner:
    tuning = Tuning.load(recipe(data, base, **settings))
    train, valid = data_of("parser", tuning, data, out, lambda line: None)
    return Tuner("parser", tuning, train, valid, out, lambda line: None)


# --- fine-tuning ------------------------------------------------------------


def test_a_parser_is_fine_tuned_saved_loaded_and_answers(
    base: Path, data: Path, kb: KnowledgeBase, tmp_path: Path
) -> None:
    lines: list[str] = []
    figures = tune("parser", recipe(data, base), data, tmp_path / "run", lines.append)
    rows = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert len(rows) == 4 and rows[0]["train_loss"] > 2 > 0.5 > rows[-1]["train_loss"]
    assert figures["train_loss"] == rows[-1]["train_loss"]
    assert (tmp_path / "run" / "metrics.svg").read_text().startswith("<svg")
    parser = TextParser.load(tmp_path / "run", kb)
    with_parser = Engine(kb, parser)
    for question, answer in (
        ("What is the capital of Egypt?", "Cairo"),
        ("what language do they speak in Sudan ?", "Arabic"),  # put together from two rows
    ):
        version = with_parser.ask(question).current
        assert version is not None and [a.label for a in version.steps[-1].answers] == [answer]
    corrected = parser.correct(
        "what language do they speak in Egypt ?", _mentions(kb, "Egypt"), Context(), n=1
    )
    assert corrected[0].step == Find(EGYPT, (Hop(LANGUAGE),))


def _mentions(kb: KnowledgeBase, text: str) -> tuple[object, ...]:
    return tuple(kb.linker.link(f"what language do they speak in {text} ?"))  # type: ignore[return-value]


def test_decoding_writes_programs_of_the_knowledge_base_only_even_untrained(
    base: Path, data: Path, kb: KnowledgeBase, tmp_path: Path
) -> None:
    untrained = tuner(base, data, tmp_path / "run", epochs=1, max_target=100)
    untrained.ship()
    parser = TextParser.load(tmp_path / "run", kb)
    question = "Who governs Egypt?"
    found = parser.parse(question, kb.linker.link(question), n=6)
    assert found
    for parse in found:
        assert all(h.predicate in kb.paths.predicates for s in parse.decomposition.steps for h in _hops(s))


def _hops(step: object) -> tuple[Hop, ...]:
    return getattr(step, "path", ())


def test_a_model_spells_each_word_of_a_program_as_within_the_whole(
    base: Path, data: Path, tmp_path: Path
) -> None:
    untrained = tuner(base, data, tmp_path / "run")
    model = HubSeq2Seq(untrained.model, untrained.tokenizer, name="x")
    program = ["<find>", "<e0>", "^location.country.capital", "<at>", "<number<=>", "<v0>", "<keep>", "<s1>"]
    whole = model.tokenizer(program_text(program)).input_ids
    spelt = [i for word in program for i in model.token_ids(word)]
    assert list(whole) == [*model._lead, *spelt, model.end]


class Stopped(Exception):
    """Somebody pressed Control-C."""


def test_a_run_that_is_stopped_anywhere_ends_with_the_weights_of_one_that_is_not(
    base: Path, data: Path, tmp_path: Path
) -> None:
    settings = {"repeat": 1, "epochs": 4, "batch": 2, "save_every": 3, "smoothing": 0.1}
    straight = tuner(base, data, tmp_path / "straight", **settings)
    straight.run()

    def stop_at(step: int) -> Callable[[int, int, float], None]:
        def tick(done: int, total: int, loss: float) -> None:
            if done == step:
                raise Stopped

        return tick

    for step in (2, 8, 10, 19):
        stopped = tuner(base, data, tmp_path / "stopped", **settings)
        stopped.resume()
        with pytest.raises(Stopped):
            stopped.run(stop_at(step))
    last = tuner(base, data, tmp_path / "stopped", **settings)
    assert last.resume() and last.step == 18
    last.run()
    one, other = (load_file(tmp_path / n / "model.safetensors") for n in ("straight", "stopped"))
    assert one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)

    def rows(name: str) -> list[dict[str, float]]:
        lines = (tmp_path / name / "metrics.jsonl").read_text().splitlines()
        return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]

    assert rows("straight") == rows("stopped") and len(rows("straight")) == 4


@pytest.mark.slow
def test_a_killed_process_goes_on_where_it_was(t5: Path, tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "run"
    words = ["train", "parser", "--data", str(data), "--out", str(out)]
    words += ["--config", str(recipe(data, t5, 20, epochs=4, save_every=5))]
    command = [sys.executable, "-m", "kbqa.cli", *words]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not (out / "state.pt").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL, "it was over before it could be killed"
    again = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert again.returncode == 0 and "going on at step" in again.stderr
    assert json.loads(again.stdout)["step"] == 80  # 10 pairs, 20 times, 4 epochs, batches of 10
    assert HubSeq2Seq.load(out).meta["role"] == "parser"


def test_another_run_in_the_folder_is_not_gone_on_with(t5: Path, data: Path, tmp_path: Path) -> None:
    tuner(t5, data, tmp_path / "run", repeat=1, epochs=1).run()
    with pytest.raises(InputError, match="other settings or data; name another folder"):
        tuner(t5, data, tmp_path / "run", repeat=1, epochs=2).resume()


def test_what_is_held_out_is_validated_on(t5: Path, data: Path, tmp_path: Path) -> None:
    rows = [{"source": f"what is it {i} ?", "target": f"<find> <e{i}> film.actor.film"} for i in range(4)]
    (data / "more.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    file = recipe(data, t5, 1, epochs=1, valid="more")
    file.write_text(file.read_text() + '\n[pairs]\nmore = "more.jsonl"\n')
    figures = tune("parser", file, data, tmp_path / "run", lambda line: None)
    assert figures["valid_loss"] > 0 and figures["exact"] == 0.0


def test_a_tokenizer_that_loses_capitals_is_refused_before_training(data: Path, tmp_path: Path) -> None:
    small = make_t5(tmp_path / "small", TEXTS, lower=True)
    rows = [{"source": "a", "target": "What is the capital of [unused0]?"}]
    (data / "capitals.jsonl").write_text(json.dumps(rows[0]) + "\n")
    file = recipe(data, small)
    file.write_text(file.read_text().split("[rows]")[0] + '[pairs]\ncapitals = "capitals.jsonl"\n')
    with pytest.raises(ModelError, match=r"can't write 1 of 1 targets: 'What is .* comes back as 'what is"):
        tune("corrector", file, data, tmp_path / "run", lambda line: None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "x"', "nothing to train on"),
        ('base = "x"\ncolour = 3\n[rows]\na = "b"', "colour"),
        ("base = ", "no TOML"),
        ('base = "x"\n[pairs]\na = "gone.jsonl"', "gone.jsonl is not there"),
        ('base = "x"\n[rows]\na = "gone.jsonl"', "gone.jsonl is not there"),
    ],
)
def test_a_recipe_that_can_t_be_used_is_an_error_that_says_why(
    text: str, said: str, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(InputError, match=said):
        tune("parser", tmp_path / "r.toml", data, tmp_path / "run", lambda line: None)


def test_a_role_without_a_base_is_told_what_to_add(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.toml").write_text('[rows]\na = "own.jsonl"\n')
    words = ["kbqa", "train", "listener", "--config", str(tmp_path / "r.toml"), "--data", str(data)]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(tmp_path / "run")])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2 and 'add base = "google-t5/t5-base"' in capsys.readouterr().err


# --- the other roles --------------------------------------------------------


def test_a_phraser_is_fine_tuned_and_copies_names_it_has_never_seen(
    base: Path, data: Path, tmp_path: Path
) -> None:
    tune("phraser", recipe(data, base), data, tmp_path / "run", lambda line: None)
    phraser = TextPhraser.load(tmp_path / "run", freebase_lexicon())
    names = {freebase("m.0zz"): "Đà Nẵng (the city)"}
    step = StepInContext((Find(freebase("m.0zz"), (Hop(CAPITAL),)),), 1, names.__getitem__)
    assert phraser.phrase(step, n=1)[0].text == "What is the capital of Đà Nẵng (the city)?"


def test_a_wording_without_its_name_gives_way_to_the_rules() -> None:
    step = StepInContext((Find(EGYPT, (Hop(CAPITAL),)),), 1, {EGYPT: "Egypt"}.__getitem__)
    told = Saying(
        "what is the capital ?", "what is the capital of [unused0] and [unused1] ?", "?", "[unused0]"
    )
    texts = [p.text for p in TextPhraser(told, freebase_lexicon()).phrase(step, n=4)]
    assert texts == ["Egypt?"]
    template = write_marked(step.step, 0, freebase_lexicon(), [EGYPT])
    assert "[unused0]" in template and told.sources == [f"{template} | [unused0] Egypt"]
    ruled = TextPhraser(Saying("what is the capital ?"), freebase_lexicon()).phrase(step, n=4)
    assert ruled and all("Egypt" in p.text for p in ruled)


def test_a_listener_is_fine_tuned_and_prefers_the_wording_that_means_the_step(
    t5: Path, data: Path, tmp_path: Path
) -> None:
    tune("listener", recipe(data, t5), data, tmp_path / "run", lambda line: None)
    listener = TextListener.load(tmp_path / "run", freebase_lexicon())
    step = Find(EGYPT, (Hop(CAPITAL),))
    texts = ["what is the capital of Egypt ?", "what language do they speak in Egypt ?", "what is it ?"]
    right, wrong, nameless = listener.listen(texts, step, [(EGYPT, "Egypt")], Context())
    assert right > wrong + 2 and right > nameless
    dated = replace(step, restrictions=(Restriction("answer", (), (IsNot(SUDAN),)),))
    assert listener.listen(texts, dated, [(EGYPT, "Egypt")], Context()) == [-math.inf] * 3


def test_a_corrector_is_fine_tuned_and_reads_a_sub_question(
    base: Path, data: Path, kb: KnowledgeBase, tmp_path: Path
) -> None:
    tune("corrector", recipe(data, base), data, tmp_path / "run", lambda line: None)
    corrector = TextCorrector.load(tmp_path / "run", kb)
    text = "what language do they speak in Sudan ?"
    first = corrector.correct(text, kb.linker.link(text), Context(), n=3)[0]
    assert first.step == Find(SUDAN, (Hop(LANGUAGE),)) and first.logprob <= 0


def test_what_a_corrector_can_t_mean_is_dropped(kb: KnowledgeBase) -> None:
    of_country = write_marked(Find(Ref(1), (Hop(CAPITAL),)), 0, freebase_lexicon(), [])
    told = Saying(
        of_country.replace("that thing", "unused3"),  # no such entity
        "Who was it?",  # no template
        "Who is the director of [unused0]?",  # nothing of the kind in this knowledge base
        of_country,
    )
    country = Context((Find(Iri("x:a"), (Hop(CAPITAL),)),), ("country",))
    text = "what is that country's capital, not Egypt's?"
    found = TextCorrector(told, kb).correct(text, kb.linker.link(text), country, n=4)
    assert [c.step for c in found] == [Find(Ref(1), (Hop(CAPITAL),))]


def test_names_and_dates_of_a_sub_question_come_back_from_its_source() -> None:
    from kbqa.parse.source import Entity, correction_source
    from kbqa.train.pairs import read_correction

    text = "who led Egypt | Sudan in 1980 ?"
    entities = [Entity(EGYPT, "Egypt | x", 8, 13)]
    made = correction_source(text, entities, ["what is it ?", "who ?"], "the whole | of it ?")
    asked = read_correction(made.text)
    assert asked.names == ("Egypt | x",) and asked.earlier == ("what is it ?", "who ?")
    assert asked.question == "the whole | of it ?" and asked.values == ("1980",)
    assert asked.pointers.values[0].first == "1980-01-01"
    assert asked.spoken(asked.pointers.entities) == "who led [unused0] | Sudan in 1980 ?"


def test_grammar_and_text_agree_on_what_is_a_program(kb: KnowledgeBase) -> None:
    from kbqa.parse.grounding import Grounding

    question = "What is the capital of Egypt?"
    asked = Grounding(kb).asked(question, kb.linker.link(question))
    assert asked is not None
    assert accepts(asked.grammar, program_tokens("<find> <e0> location.country.capital"))
    assert not accepts(asked.grammar, program_tokens("<find> <e0> location.country.capital <e0>"))
    assert not accepts(asked.grammar, program_tokens(""))


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize(
    "step",
    [
        Find(EGYPT, (Hop(CAPITAL),), (Restriction("answer", (), (IsNot(SUDAN),)),)),
        Find(Ref(1), (Hop(LANGUAGE, True),)),
        Keep(Ref(1), EGYPT, (Hop(LANGUAGE),)),
        Keep(Ref(1), Ref(2), (Hop(LANGUAGE),)),
        Merge((Ref(1), Ref(2), Ref(3))),
        Count(Ref(1)),
    ],
)
def test_a_marked_template_is_read_back_with_its_dialogue_or_alone(step: Step, before: int) -> None:
    text = write_marked(step, before, freebase_lexicon(), [SUDAN, EGYPT])
    assert read_marked(text, before, freebase_lexicon(), [SUDAN, EGYPT]) == step
    lost = text.replace(" [unused", "[unused").replace("]?", "] ?")
    assert read_marked(lost, before, freebase_lexicon(), [SUDAN, EGYPT]) == step


def test_a_phraser_does_not_learn_from_a_question_that_names_a_thing_otherwise() -> None:
    def rows(text: str) -> list[dict[str, Any]]:
        program = ["<find>", "<e0>", "location.country.capital", "<end>"]
        return [
            {"id": "1", "origin": "o", "text": f"[unused60] {text} | [unused0] Egypt", "program": program}
        ]

    told, untold = rows("what is [unused0] 's capital?"), rows("what is its capital?")
    (pair,) = pairs("phraser", told, freebase_lexicon())
    assert pair.target == "what is [unused0]'s capital?"
    assert list(pairs("phraser", untold, freebase_lexicon())) == []
    assert len(list(pairs("listener", untold, freebase_lexicon()))) == 1
