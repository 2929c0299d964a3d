"""The phraser that ships: its words, its markers, what it writes, and what is said where it is misread."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_blend import CAPITAL, EGYPT

from kbqa.assets import models
from kbqa.backends import Backends
from kbqa.correct import Context
from kbqa.errors import ModelError
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.models.checkpoint import load_checkpoint
from kbqa.parse.program import ENTITY_MARKS, VALUE_MARKS
from kbqa.phrase import (
    ListeningPhraser,
    Phraser,
    Phrasing,
    RulePhraser,
    StepInContext,
    TogetherPhraser,
)
from kbqa.phrase.neural import Saying, Speaker, Spelling
from kbqa.phrase.text import TextPhraser, phraser_source, spoken, values_of
from kbqa.phrase.tokens import join, split
from kbqa.protocols import Scored
from kbqa.train.phraser import well_put
from kbqa.types import Find, Hop, Iri, Keep, Ref, Step, freebase

# --- words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "what is [unused0]'s capital?",
        "in [unused0], which films did [unused1] direct before [unused20]?",
        "who is the vice-president of that country?",
        "which of these wasn't written by [unused2]?",
    ],
)
def test_a_sub_question_is_its_words_joined(text: str) -> None:
    assert join(split(text)) == text


_WORDS = st.sampled_from(["who", "co-wrote", "films", "the", "<e0>", "<v0>", "<e1>", "didn't", "U.S"])


@given(st.lists(_WORDS, min_size=1, max_size=8))
def test_words_are_split_as_they_were_joined(words: list[str]) -> None:
    assert split(join([*words, "?"])) == [*words, "?"]


# --- markers ---------------------------------------------------------------------------


def test_values_stand_behind_markers_of_their_own() -> None:
    template = 'Who is the head of [unused0], at some time in [1980], where the title is ["Sir \\[x\\]"@en]?'
    masked, values = values_of(template)
    title = f"where the title is {VALUE_MARKS[1]}?"
    assert masked == f"Who is the head of [unused0], at some time in {VALUE_MARKS[0]}, {title}"
    assert values[0].lexical == "1980" and values[1].language == "en"
    again, same = values_of("Of these, which has a height over [12] and a width over [12]?")
    assert again.count(VALUE_MARKS[0]) == 2 and len(same) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("who led [unused0] in [unused20]?", "Who led Egypt [sic] in 1980?"),
        ("who led [unused0]?", None),  # the year is lost
        ("who led [unused0] in [unused20] with [unused1]?", None),  # another is made up
        ("?", None),
    ],
)
def test_a_wording_holds_every_name_and_value_or_is_none(text: str, said: str | None) -> None:
    assert spoken(text, ["Egypt [sic]"], ["1980"]) == said


def test_the_article_goes_with_any_word() -> None:
    assert spoken("who owns a airline in [unused0]?", ["Peru"]) == "Who owns an airline in Peru?"


def test_a_name_at_the_end_keeps_its_full_stop() -> None:
    assert spoken("who plays for [unused0]?", ["Fulham F.C."]) == "Who plays for Fulham F.C.?"


@pytest.mark.parametrize(
    "name", ["an Actor", "an Ice Hockey Team", "a US President", "a University", "a Poet"]
)
def test_the_article_goes_with_the_name(name: str) -> None:
    """The network writes before it knows the name."""
    bare = name.partition(" ")[2]
    for article in ("a", "an"):
        assert spoken(f"which of them is {article} [unused0]?", [bare]) == f"Which of them is {name}?"


def test_each_marker_is_written_once_and_before_the_question_ends() -> None:
    spelling = Spelling(frozenset(["who", "led"]), Saying(frozenset(["<e0>"])))
    first = spelling.allowed(spelling.start)
    assert first == {"who", "led", "<e0>"}
    named = spelling.start.advance("who").advance("<e0>")
    assert spelling.allowed(named) == {"who", "led", "?"}
    assert spelling.allowed(named.advance("?")) == {"<end>"}


class Writes:
    """A model that writes what it is told."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def generate(
        self, sources: Sequence[str], *, n: int = 1, constraints: object = None
    ) -> list[list[Scored]]:
        return [[Scored(t, -float(i)) for i, t in enumerate(self.texts)] for _ in sources]


def test_an_earlier_answer_is_called_what_the_template_calls_it() -> None:
    lexicon = freebase_lexicon()
    married = (Hop(freebase("people.person.spouse_s")), Hop(freebase("people.marriage.spouse")))
    film = Find(EGYPT, (Hop(freebase("film.film.directed_by")),))
    steps = (film, Find(Ref(1), married))
    step = StepInContext(steps, 2, {EGYPT: "Egypt"}.__getitem__, None, ("who directed it?",))
    model = Writes(
        "who is that husband married to?", "who is that person married to?", "who did that director wed?"
    )
    found = [p.text for p in TextPhraser(model, lexicon).phrase(step, n=3)]
    assert found == ["Who is that person married to?", "Who did that director wed?"]


def test_earlier_steps_and_relatives_are_those_of_the_template() -> None:
    """'Which from step 1 is from step 1?' asks nothing, and a parent is no father."""
    lexicon = freebase_lexicon()
    contains, lives = (
        (Hop(freebase("location.location.contains")),),
        (Hop(freebase("people.person.parents")),),
    )
    steps = (Find(EGYPT, contains), Find(EGYPT, contains), Keep(Ref(1), Ref(2), contains))
    step = StepInContext(steps, 3, {EGYPT: "Egypt"}.__getitem__, None, ("what lies there?", "what else?"))
    model = Writes("which from step 1 is in step 1?", "which from step 1 is in that place?")
    found = [p.text for p in TextPhraser(model, lexicon).phrase(step, n=3)]
    assert found == ["Which from step 1 is in that place?"]
    step = StepInContext((Find(EGYPT, lives),), 1, {EGYPT: "Egypt"}.__getitem__, None, ())
    model = Writes("who is [unused0]'s father?", "who are the [unused0]?", "who are [unused0]'s parents?")
    assert [p.text for p in TextPhraser(model, lexicon).phrase(step, n=3)] == ["Who are Egypt's parents?"]
    step = StepInContext((Find(EGYPT, contains),), 1, {EGYPT: "Egypt"}.__getitem__, None, ())
    model = Writes("which is the person in [unused0]?", "what is in [unused0]?")
    assert [p.text for p in TextPhraser(model, lexicon).phrase(step, n=3)] == ["What is in Egypt?"]


# --- what ships ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return open_kb()


@pytest.fixture(scope="module")
def backends(kb: KnowledgeBase) -> Backends:
    return Backends(kb, {})


@pytest.fixture(scope="module")
def speaker(backends: Backends) -> Speaker:
    return Speaker.load(models() / "phraser", backends._shipped.checkpoint.net.encoder.words.weight)


@pytest.mark.parametrize("name", ["M*A*S*H", "O'Brien", "[unused1]", "?", "北京", "11:14", "a" * 80])
def test_names_are_copied_whatever_they_are(backends: Backends, name: str) -> None:
    step = StepInContext((CAPITAL,), 1, {EGYPT: name}.__getitem__, "what?", (), "What is the capital of [X]?")
    found = backends.phraser.phrase(step, n=10)
    assert found and all(name in p.text for p in found if "[X]" not in p.text)


def test_what_is_written_is_a_question_with_all_that_the_template_names(speaker: Speaker) -> None:
    template = f"Who is the governing official of {ENTITY_MARKS[0]}, at some time in {VALUE_MARKS[0]}?"
    source = phraser_source(template, ["France"], ["2011"], (), "who ran france in 2011")
    found = speaker.generate([source], n=6)[0]
    assert 1 <= len(found) <= 6 and [s.logprob for s in found] == sorted(
        (s.logprob for s in found), reverse=True
    )
    for said in found:
        assert said.text.endswith("?") and said.text.count("?") == 1
        assert said.text.count(ENTITY_MARKS[0]) == said.text.count(VALUE_MARKS[0]) == 1
    assert any(said.text.startswith("who") for said in found)


def test_words_of_a_template_that_were_never_trained_on_can_be_written(speaker: Speaker) -> None:
    template = f"What is the frobnication of {ENTITY_MARKS[0]}?"
    found = speaker.generate([phraser_source(template, ["Ann"])], n=10)[0]
    assert any("frobnication" in said.text for said in found)


def test_the_words_are_shared_with_the_parser_or_refused(backends: Backends, tmp_path: Path) -> None:
    words = backends._shipped.checkpoint.net.encoder.words.weight
    checkpoint = load_checkpoint(models() / "phraser", "phraser", words)
    assert checkpoint.net.encoder.words.weight.data_ptr() == words.data_ptr()
    assert checkpoint.signature.startswith("phraser-")
    with pytest.raises(ModelError, match="other word embeddings than the parser's"):
        Speaker.load(models() / "phraser", words + 1)
    with pytest.raises(
        ModelError, match=r"no phraser checkpoint in .*config.json is missing; .*kbqa train phr"
    ):
        Speaker.load(tmp_path, words)
    shutil.copytree(models() / "phraser", tmp_path / "broken")
    (tmp_path / "broken" / "items.json").write_text(json.dumps({"no": "list"}), encoding="utf-8")
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="is broken"):
        Speaker.load(tmp_path / "broken", words)


def test_an_own_choice_of_speaker_is_kept(kb: KnowledgeBase) -> None:
    by_rule = Backends(kb, {"KBQA_PHRASER": "rule", "KBQA_LISTENER": "none"}).phraser
    assert by_rule.phrase(_context(), n=3) == tuple(RulePhraser(kb.lexicon).phrase(_context(), n=3))


# --- near misses -----------------------------------------------------------------------


def _context() -> StepInContext:
    template = "What is the capital of [Egypt]?"
    return StepInContext((CAPITAL,), 1, {EGYPT: "Egypt"}.__getitem__, None, (), template)


class Said:
    """Says what it is given."""

    concurrent, signature = True, "said"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def phrase(self, step: StepInContext, *, n: int = 10) -> Sequence[Phrasing]:
        return [Phrasing(t, -1.0) for t in self.texts][:n]


class Hears:
    """Finds every text as likely, and understands those that hold a word."""

    concurrent, signature = True, "hears"

    def __init__(self, word: str, logprob: float = -2.0) -> None:
        self.word, self.logprob, self.asked = word, logprob, 0

    def listen(
        self, texts: Sequence[str], step: Step, names: Sequence[tuple[Iri, str]], context: Context
    ) -> list[float]:
        return [self.logprob] * len(texts)

    def understands(self, text: str, step: Step, names: Sequence[tuple[Iri, str]], context: Context) -> bool:
        self.asked += 1
        return self.word in text


def test_a_near_miss_gives_way_to_the_next_wording() -> None:
    speaker: Phraser = Said("Where is Egypt?", "Which city rules Egypt?", "What is Egypt's capital?")
    found = ListeningPhraser(speaker, Hears("city")).phrase(_context(), n=3)
    assert [p.text for p in found] == [
        "Which city rules Egypt?",
        "Where is Egypt?",
        "What is Egypt's capital?",
    ]


def test_where_every_wording_is_misread_the_template_is_shown() -> None:
    speaker: Phraser = Said("Where is Egypt?", "What is Egypt?")
    found = ListeningPhraser(speaker, Hears("never")).phrase(_context(), n=2)
    assert [p.text for p in found] == ["What is the capital of [Egypt]?", "Where is Egypt?"]


def test_the_template_is_shown_without_brackets_where_it_is_read_so() -> None:
    speaker: Phraser = Said("Where is Egypt?", "What is Egypt?")
    found = ListeningPhraser(speaker, Hears("the capital of Egypt")).phrase(_context(), n=1)
    assert [p.text for p in found] == ["What is the capital of Egypt?"]


def test_a_template_that_spells_a_name_otherwise_is_not_shown() -> None:
    template = r"What is the capital of [\[x\]]?"
    step = StepInContext((CAPITAL,), 1, {EGYPT: "[x]"}.__getitem__, None, (), template)
    found = ListeningPhraser(Said("Where is [x]?", "What is [x]?"), Hears("never")).phrase(step, n=1)
    assert [p.text for p in found] == ["Where is [x]?"]


def test_what_is_more_likely_than_all_else_is_not_read_again() -> None:
    hears = Hears("never", logprob=-0.1)
    found = ListeningPhraser(Said("Where is Egypt?"), hears).phrase(_context(), n=1)
    assert found[0].text == "Where is Egypt?" and hears.asked == 0


def test_the_listener_that_ships_tells_a_near_miss(backends: Backends) -> None:
    listener = backends._listener
    assert listener is not None
    understands = listener.understands  # type: ignore[attr-defined]
    names = [(EGYPT, "Egypt")]
    assert understands("What is the capital of Egypt?", CAPITAL, names, Context())
    assert not understands("What is the currency of Egypt?", CAPITAL, names, Context())
    assert not understands("Who leads Egypt?", CAPITAL, names, Context())


def test_two_speakers_speak_in_turn_and_no_text_twice() -> None:
    both = TogetherPhraser(Said("a?", "b?", "c?", "d?"), Said("b?", "e?"))
    assert [p.text for p in both.phrase(_context(), n=4)] == ["a?", "b?", "e?"]
    assert [p.text for p in both.phrase(_context(), n=1)] == ["a?"]


# --- what is learned -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        ("What is [unused0]'s capital?", "what is [unused0]'s capital?"),
        ("who led [unused0]", "who led [unused0]?"),
        ("[unused0] capital", None),  # a note
        ("I pass a [unused0] every day. Which religion worships there?", None),
        ("whats the capital of [unused0]?", None),
        ("tell me who led [unused0]", None),
    ],
)
def test_only_what_is_well_put_is_learned_from(text: str, learned: str | None) -> None:
    assert well_put(text) == learned
