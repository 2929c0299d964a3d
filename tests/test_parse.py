"""The parser: programs, grammar, values, sources and the network, without the shipped checkpoint."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from kbqa.decompose import recompose
from kbqa.errors import ModelError
from kbqa.lexicon import freebase_lexicon, parse_path
from kbqa.models.checkpoint import load_checkpoint
from kbqa.models.net import NetConfig, PointerNet
from kbqa.models.tokens import KEYWORDS, Vocabulary, encode, item_text, load_tokenizer
from kbqa.parse.beam import search
from kbqa.parse.grammar import Grammar, State
from kbqa.parse.literals import find_values
from kbqa.parse.program import MARKS, Pointers, ProgramError, read_program, write_program
from kbqa.parse.source import place, source
from kbqa.train.data import from_rows, read_rows
from kbqa.types import Decomposition, Find, Iri, Keep, Kind, Literal, Pick, Ref, Restriction, Than, freebase

EGYPT, PAKISTAN = freebase("m.02k54"), freebase("m.05sb1")
LANGUAGE = "location.country.official_language"
CAPITAL = "location.country.capital"
ITEMS = (LANGUAGE, "^" + LANGUAGE, CAPITAL, "^" + CAPITAL)


# --- values in a question ---------------------------------------------------


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("in 1980", "1980-01-01", "1980-12-31"),
        ("on November 6, 1962", "1962-11-06", "1962-11-06"),
        ("on 6 November 1962", "1962-11-06", "1962-11-06"),
        ("on 1962-11-06", "1962-11-06", "1962-11-06"),
        ("in Feb 2012", "2012-02-01", "2012-02-29"),
        ("in the 1990s", "1990-01-01", "1999-12-31"),
    ],
)
def test_dates_are_read_as_the_period_they_name(text: str, first: str, last: str) -> None:
    (value,) = find_values(text)
    assert (value.first, value.last) == (first, last)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3,000,000 people", "3000000"),
        ("3 million", "3000000"),
        ("076", "76"),
        ("2.5", "2.5"),
        ("half a million residents", "500000"),
        ("fewer than five million", "5000000"),
        ("a Thousand", "1000"),
        ("one and a half billion", "1500000000"),
    ],
)
def test_numbers_are_read_in_the_ways_people_write_them(text: str, number: str) -> None:
    (value,) = find_values(text)
    assert value.number == number


def test_an_impossible_date_is_no_date() -> None:
    assert all(v.first[:7] != "2011-02" for v in find_values("on February 31, 2011"))


@given(st.text(max_size=80))
def test_any_text_gives_values_at_their_places(text: str) -> None:
    for value in find_values(text):
        assert text[value.start : value.end] == value.text


# --- programs ---------------------------------------------------------------


def chain() -> Decomposition:
    return Decomposition(
        (
            Find(EGYPT, parse_path(CAPITAL)),
            Find(Ref(1), parse_path("^" + LANGUAGE)),
            Keep(Ref(2), PAKISTAN, parse_path(CAPITAL)),
        )
    )


def test_a_program_reads_back_as_the_steps_it_was_written_from() -> None:
    pointers = Pointers((PAKISTAN, EGYPT))
    assert read_program(write_program(chain(), pointers), pointers) == chain()


def test_a_value_is_copied_by_pointer_and_comes_back_exactly() -> None:
    population = parse_path("location.location.area")
    limit = Literal("3000000", "http://www.w3.org/2001/XMLSchema#decimal")
    steps = Decomposition(
        (
            Find(EGYPT, parse_path(CAPITAL)),
            Keep(Ref(1), None, (), (Restriction("answer", population, (Than(">", limit, Kind.NUMBER),)),)),
        )
    )
    pointers = Pointers((EGYPT,), find_values("more than 3 million"))
    program = write_program(steps, pointers)
    assert "<v0>" in program
    assert read_program(program, pointers) == steps


def test_an_entity_that_the_question_does_not_hold_has_no_program() -> None:
    with pytest.raises(ProgramError, match=r"m\.02k54"):
        write_program(chain(), Pointers((PAKISTAN,)))


def test_the_superlative_keeps_its_place_and_order() -> None:
    steps = Decomposition(
        (
            Find(EGYPT, parse_path(CAPITAL)),
            Pick(Ref(1), "answer", parse_path("location.location.area"), True, Kind.NUMBER, 3, 1),
        )
    )
    pointers = Pointers((EGYPT,))
    assert read_program(write_program(steps, pointers), pointers) == steps


@given(st.lists(st.sampled_from([*KEYWORDS, *ITEMS]), max_size=12))
def test_any_tokens_are_a_program_or_a_program_error(tokens: list[str]) -> None:
    with contextlib.suppress(ProgramError):
        read_program(tokens, Pointers((EGYPT,)))


# --- the grammar ------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_whatever_the_grammar_allows_is_a_program_that_recomposes(random: object, entities: int) -> None:
    pointers = Pointers(tuple(freebase(f"m.0{i}") for i in range(entities)), find_values("in 1980 and 12"))
    grammar = Grammar(pointers, frozenset(ITEMS), longest=4)
    state, tokens = State(), []
    for _ in range(60):
        allowed = sorted(grammar.allowed(state))
        assert allowed
        token = "<end>" if len(tokens) > 25 and "<end>" in allowed else random.choice(allowed)  # type: ignore[attr-defined]
        if token == "<end>":
            break
        tokens.append(token)
        state = state.advance(token)
    else:
        return
    steps = read_program(tokens, pointers)
    for i, step in enumerate(steps.steps, 1):
        for ref in (getattr(step, "source", None), getattr(step, "anchor", None)):
            assert not isinstance(ref, Ref) or ref.step < i


def test_only_hops_that_leave_the_entity_are_allowed_when_grounded() -> None:
    grammar = Grammar(Pointers((EGYPT,)), frozenset(ITEMS), leaving={"<e0>": frozenset({CAPITAL})})
    state = State().advance("<find>").advance("<e0>")
    assert grammar.allowed(state) == {CAPITAL}


# --- sources ----------------------------------------------------------------


def test_mentions_and_values_stand_behind_markers() -> None:
    question = "Who led Pakistan in 1980?"
    found = source(question, place(question, [(PAKISTAN, "Pakistan")]))
    assert found.text == "Who led [unused0] in [unused20] ? | [unused0] Pakistan | [unused20] 1980"
    assert found.pointers.entities == (PAKISTAN,)


def test_a_misspelt_name_is_still_placed() -> None:
    question = "films by Angelina Jolei"
    (entity,) = place(question, [(EGYPT, "Angelina Jolie")])
    assert question[entity.start : entity.end] == "Angelina Jolei"


def test_a_name_that_is_not_there_has_no_place() -> None:
    (entity,) = place("what is this?", [(EGYPT, "Egypt")])
    assert (entity.start, entity.end) == (-1, -1)


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=12), max_size=4))
def test_any_question_and_names_give_a_source(question: str, names: list[str]) -> None:
    entities = [(Iri(f"x:{i}"), name) for i, name in enumerate(names)]
    found = source(question, place(question, entities))
    assert set(found.pointers.entities) <= {iri for iri, _ in entities}


# --- the network, on a tiny checkpoint made here ------------------------------


def tiny_tokenizer(folder: Path) -> None:
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        *MARKS,
        *"abcdefghijklmnopqrstuvwxyz",
        *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"),
    ]
    tokenizer = Tokenizer(WordPiece({w: i for i, w in enumerate(dict.fromkeys(words))}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    config = NetConfig(
        vocabulary=120,
        width=24,
        encoder_layers=1,
        heads=2,
        encoder_inner=32,
        decoder_layers=1,
        decoder_heads=2,
        decoder_inner=32,
        keywords=len(KEYWORDS),
    )
    tiny_tokenizer(tmp_path)
    net = PointerNet(config).eval()
    ids, mask = encode(load_tokenizer(tmp_path / "tokenizer.json"), [item_text(t) for t in ITEMS])
    with torch.no_grad():
        pooled = net.encoder.pooled(ids, mask)
    state = {k: v.half() for k, v in net.state_dict().items()}
    save_file(
        {**state, "items.pooled": pooled.half(), "items.residual": torch.zeros_like(pooled).half()},
        tmp_path / "model.safetensors",
    )
    (tmp_path / "config.json").write_text(json.dumps(config.as_dict()))
    (tmp_path / "items.json").write_text(json.dumps(ITEMS))
    return tmp_path


def test_every_output_of_the_search_is_a_program_even_untrained(checkpoint: Path) -> None:
    loaded = load_checkpoint(checkpoint)
    vocabulary = Vocabulary(loaded.items)
    question = "capital of Egypt"
    prepared = source(question, place(question, [(EGYPT, "Egypt")]))
    ids, mask = encode(loaded.tokenizer, [prepared.text])
    table = loaded.net.table(loaded.net.item(loaded.pooled) + loaded.residual)
    found = search(
        loaded.net, table, vocabulary, ids, mask, Grammar(prepared.pointers, frozenset(ITEMS)), width=24
    )
    assert found
    assert [f.logprob for f in found] == sorted((f.logprob for f in found), reverse=True)
    for program in found:
        assert read_program(program.tokens, prepared.pointers).steps


def test_the_first_choices_of_the_search_score_as_the_network_scores_them_at_once(checkpoint: Path) -> None:
    loaded = load_checkpoint(checkpoint)
    vocabulary = Vocabulary(loaded.items)
    prepared = source("capital", [])
    ids, mask = encode(loaded.tokenizer, [prepared.text])
    table = loaded.net.table(loaded.net.item(loaded.pooled) + loaded.residual)
    tokens = torch.tensor([vocabulary.encode(["<start>", "<find>", "<e0>", CAPITAL])])
    with torch.no_grad():
        whole = loaded.net(ids, mask, tokens, table)
        memory, past, stepwise = loaded.net.memory(loaded.net.encoder(ids, mask)), None, []
        for i in range(tokens.shape[1]):
            logits, past = loaded.net.decode(tokens[:, i : i + 1], table, memory, mask, past)
            stepwise.append(logits)
    assert torch.allclose(whole, torch.cat(stepwise, 1), atol=1e-4)


@pytest.mark.parametrize("name", ["config.json", "items.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file_is_named(checkpoint: Path, name: str) -> None:
    (checkpoint / name).unlink()
    with pytest.raises(ModelError, match=name):
        load_checkpoint(checkpoint)


def test_a_broken_weights_file_is_an_error_with_its_folder(checkpoint: Path) -> None:
    (checkpoint / "model.safetensors").write_bytes(b"not tensors")
    with pytest.raises(ModelError, match="broken"):
        load_checkpoint(checkpoint)


# --- real rows --------------------------------------------------------------


def test_programs_of_real_questions_read_back(data_file: object) -> None:

    path = data_file("cwq/dev_train.jsonl.gz")  # type: ignore[operator]
    rows = [row for i, row in enumerate(read_rows(path)) if i % 40 == 0]
    examples = [e for e in from_rows(rows, freebase_lexicon(), "cwq") if not isinstance(e, str)]
    assert len(examples) >= 0.9 * len(rows)
    for row, e in ((r, e) for r in rows for e in examples if e.id == r["id"]):
        entities = source(
            row["question"],
            place(row["question"], [(freebase(k), v or k) for k, v in row["entities"].items()]),
        )
        assert recompose(read_program(e.program, entities.pointers))


def test_a_held_out_wording_gives_no_training_example() -> None:
    row = {
        "id": "1",
        "question": "who was the president in 1980 of the country that has Azad Kashmir",
        "sparql": "",
    }
    assert list(from_rows([row], freebase_lexicon(), "cwq")) == ["a held-out wording"]
