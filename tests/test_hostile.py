"""Names and words that try to be more than text: they are shown, and never change a query."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator, Sequence

import pyoxigraph as ox
import pytest
from hostile import HOSTILE

from kbqa.answers import LONGEST_NAME, clean
from kbqa.correct import Context, Corrected
from kbqa.dialogue import TEMPLATED, Dialogue, Version
from kbqa.document import Document, document
from kbqa.engine import Engine
from kbqa.errors import FeedbackError, InputError
from kbqa.feedback import Delete, Edit, Insert, Replace, Stop, Undo
from kbqa.kb import build_kb, open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.protocols import Mention
from kbqa.scripted import ScriptedParser
from kbqa.sparql import parse, render
from kbqa.templates import Names, read, write
from kbqa.templates.names import escape
from kbqa.types import (
    FREEBASE,
    Count,
    Find,
    Hop,
    Iri,
    Keep,
    Literal,
    Ref,
    Step,
    freebase,
)

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> "
QUESTION = "Who directed Big?"
DIRECTOR, TAGLINE = freebase("film.film.directed_by"), freebase("film.film.tagline")
DIRECTED = Find(freebase("m.big"), (Hop(DIRECTOR),))
NUMBERED = list(enumerate(HOSTILE))
SPOKEN = (*HOSTILE, *(f"Who directed {text}?" for text in HOSTILE), *(f"What is [{t}]?" for t in HOSTILE))


def film(number: int) -> Iri:
    return freebase(f"m.film{number}")


def director(number: int) -> Iri:
    return freebase(f"m.director{number}")


def _facts() -> Iterator[ox.Triple]:
    def facts(iri: Iri, kind: str, label: str) -> Iterator[ox.Triple]:
        node = ox.NamedNode(iri.value)
        yield ox.Triple(node, ox.NamedNode(FREEBASE + "type.object.name"), ox.Literal(label, language="en"))
        yield ox.Triple(node, ox.NamedNode(FREEBASE + "type.object.type"), ox.NamedNode(FREEBASE + kind))

    yield from facts(freebase("m.big"), "film.film", "Big")
    yield from facts(freebase("m.penny"), "people.person", "Penny Marshall")
    yield ox.Triple(*(ox.NamedNode(FREEBASE + x) for x in ("m.big", "film.film.directed_by", "m.penny")))
    for number, text in NUMBERED:
        yield from facts(film(number), "film.film", text)
        yield from facts(director(number), "people.person", text)
        node = ox.NamedNode(film(number).value)
        yield ox.Triple(node, ox.NamedNode(DIRECTOR.value), ox.NamedNode(director(number).value))
        yield ox.Triple(node, ox.NamedNode(TAGLINE.value), ox.Literal(text))
        yield ox.Triple(node, ox.NamedNode(FREEBASE + "common.topic.alias"), ox.Literal(text + " too"))


class Anything:
    """A corrector that takes any words for these steps."""

    steps: tuple[Step, ...] = ()

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        return tuple(Corrected(step, 0.0, tuple(mentions)) for step in self.steps)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("hostile")
    facts = folder / "hostile.nt"
    facts.write_bytes(ox.serialize(_facts(), format=ox.RdfFormat.N_TRIPLES) or b"")
    asked = NS + "SELECT DISTINCT ?x WHERE { ns:m.big ns:film.film.directed_by ?x }"
    with open_kb(str(build_kb([facts], folder / "kb"))) as kb:
        yield Engine(kb, ScriptedParser({QUESTION: asked}))


def shown(dialogue: Dialogue) -> Version:
    assert dialogue.current is not None
    return dialogue.current


def is_text(text: str) -> bool:
    """One line of characters that are seen, so that nothing else on the screen changes."""
    return not any(
        c in "\n\r\t" or (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\u200d")
        for c in text
    )


def _texts(made: object, key: str = "") -> Iterator[tuple[str, str]]:
    match made:
        case dict():
            for name, value in made.items():
                yield from _texts(value, name)
        case list():
            for value in made:
                yield from _texts(value, key)
        case str():
            yield key, made


def _shows_text(made: Document) -> None:
    json.dumps(made, ensure_ascii=False).encode()
    for key, text in _texts(made):
        if key not in ("value", "sparql"):  # the data itself, and what is to be run
            assert is_text(text), (key, text)


@pytest.mark.parametrize(("number", "label"), NUMBERED)
def test_a_name_is_shown_and_not_obeyed(engine: Engine, number: int, label: str) -> None:
    first = engine.ask(QUESTION, TEMPLATED)
    about = engine.advance(first, Edit(1, f"Who is the director of [{film(number).mid}]?"))
    back = engine.advance(about, Insert(2, "What is the film directed by [that person]?"))
    made = document(back)
    _shows_text(made)
    assert shown(about).sparql.count("<") == 2, "the director of one film, whatever its name"
    wanted = clean(label)
    name = wanted if len(wanted) <= LONGEST_NAME else wanted[:LONGEST_NAME].rstrip() + "…"
    assert made["answers"] == [{"value": film(number).value, "label": name}]
    step = made["steps"][0]
    assert [(a["value"], a["label"]) for a in step["answers"]] == [(director(number).value, name)]
    assert escape(name) in step["template"] and name in step["question"]
    assert shown(engine.advance(back, Undo())) == shown(about)


@pytest.mark.parametrize(("number", "label"), NUMBERED)
def test_the_template_that_shows_a_name_is_read_back(engine: Engine, number: int, label: str) -> None:
    first = engine.ask(QUESTION, TEMPLATED)
    about = engine.advance(first, Edit(1, f"Who is the director of [{film(number).mid}]?"))
    again = engine.advance(about, Edit(1, shown(about).steps[0].template))
    assert shown(again).parse.decomposition == shown(about).parse.decomposition


@pytest.mark.parametrize(("number", "label"), NUMBERED)
def test_a_text_that_is_compared_with_stays_a_text(engine: Engine, number: int, label: str) -> None:
    """Exactly the film with this tagline is found, so the query holds the text and nothing else of it."""
    tagged = Find(Literal(label), (Hop(TAGLINE, True),))
    corrector = Anything()
    corrector.steps = (tagged,)
    any_words = Engine(engine.kb, engine.parser, corrector=corrector)
    dialogue = any_words.advance(any_words.ask(QUESTION), Edit(1, "Which film has this tagline?"))
    version = shown(dialogue)
    assert [a.value for a in version.steps[0].answers] == [film(number)]
    assert parse(version.sparql) == version.parse.query
    _shows_text({k: v for k, v in document(dialogue)["steps"][0].items() if k != "template"})


@pytest.mark.parametrize("text", SPOKEN)
def test_a_question_is_answered_or_refused(engine: Engine, text: str) -> None:
    try:
        dialogue = engine.ask(text)
    except InputError as e:
        assert len(text) > 1_000 and "characters" in str(e)
        return
    assert dialogue.status == "not_understood"
    _shows_text(document(dialogue))
    reading = f"{NS} SELECT DISTINCT ?x WHERE {{ ns:m.big ns:film.film.directed_by ?x }}"
    dialogue = Engine(engine.kb, ScriptedParser({dialogue.question: reading})).ask(f"{text}")
    _shows_text(document(dialogue))
    assert all(v.sparql == render(parse(reading)) for v in dialogue.versions)


@pytest.mark.parametrize("text", SPOKEN)
def test_a_sub_question_is_read_or_refused(engine: Engine, text: str) -> None:
    """Whatever it says, the query is that of the steps it was read as."""
    corrector = Anything()
    any_words = Engine(engine.kb, engine.parser, corrector=corrector)
    first = any_words.ask(QUESTION)
    expected = {
        Edit(1, text): (Find(freebase("m.film3"), (Hop(DIRECTOR),)),),
        Insert(2, text): (DIRECTED, Count(Ref(1))),
        Replace(1, text): (Find(freebase("m.film5"), (Hop(DIRECTOR),)),),
    }
    for feedback, steps in expected.items():
        corrector.steps = steps[-1:]
        for tried in (engine, any_words):
            try:
                dialogue = tried.advance(first, feedback)
            except FeedbackError as e:
                assert is_text(str(e))
                continue
            version = shown(dialogue)
            assert parse(version.sparql) == version.parse.query
            _shows_text(document(dialogue))
            if tried is any_words:
                assert version.parse.decomposition.steps == steps
    try:
        stopped = engine.advance(first, Stop(text))
    except FeedbackError:
        assert len(text) > 500
        return
    assert stopped.comment == clean(text)
    with pytest.raises(FeedbackError):
        engine.advance(first, Delete(1))


@pytest.mark.parametrize(
    "text", ["SELECT * WHERE { ?s ?p ?o }", "<b>Who directed Big?</b>", "Wer ist die Regisseurin von Big?"]
)
def test_what_is_no_english_never_reaches_the_model(engine: Engine, text: str) -> None:
    corrector = Anything()
    corrector.steps = (Find(freebase("m.film3"), (Hop(DIRECTOR),)),)
    eager = Engine(engine.kb, engine.parser, corrector=corrector)
    assert eager.advance(eager.ask(QUESTION), Edit(1, "Who directed that?")).at == 2
    with pytest.raises(FeedbackError, match="not understood"):
        eager.advance(eager.ask(QUESTION), Edit(1, text))


@pytest.mark.parametrize("label", HOSTILE)
def test_every_name_is_written_and_read_back(label: str) -> None:
    someone, other = freebase("m.one"), freebase("m.two")
    lexicon = freebase_lexicon()
    for names in (Names({someone: label}), Names({someone: label, other: label})):
        for step in (
            Find(someone, (Hop(DIRECTOR),)),
            Keep(Ref(1), someone, (Hop(DIRECTOR),)),
            Find(Literal(label), (Hop(TAGLINE, True),)),
        ):
            assert read(write(step, 2, lexicon, names), 2, lexicon, names) == step


@pytest.mark.parametrize("label", HOSTILE)
def test_every_name_is_phrased(engine: Engine, label: str) -> None:
    someone = freebase("m.one")
    template = write(Find(someone, (Hop(DIRECTOR),)), 1, engine.kb.lexicon, Names({someone: label}))
    for wording in engine.phrase(template, n=3):
        assert label in wording.text and wording.text.endswith("?")


def test_every_name_is_linked_without_harm(engine: Engine) -> None:
    for text in SPOKEN:
        for mention in engine.kb.linker.link(text):
            assert mention.text == text[mention.start : mention.end]
            assert all(is_text(c.label) for c in mention.candidates)


def test_what_is_no_text_is_told_from_text() -> None:
    assert not any(map(is_text, ("a\x1b[31m", "\u202eb", "two\nlines", "zero\u200bwidth", "\ud800")))
    assert all(map(is_text, ("<b>", "[x]", "\U0001f468\u200d\U0001f469", '" . } DROP ALL #')))
    assert not all(map(is_text, HOSTILE))
