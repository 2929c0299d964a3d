"""Wordings induced from names and ontologies: grammatical, told apart, read back; the owner's words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.library import Library
from kbqa.errors import LexiconError
from kbqa.induce import PredicateInfo, Profile, induce, with_owner, write_lexicon
from kbqa.induce.english import base_of_past, lowered, read_name, singular, spaced, without_unit
from kbqa.induce.match import Matcher
from kbqa.induce.profile import ClassInfo
from kbqa.induce.tables import IRREGULAR, PAST
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.lexicon import Lexicon
from kbqa.lexicon.load import load_lexicon
from kbqa.phrase import RulePhraser, StepInContext
from kbqa.protocols import Candidate, Mention
from kbqa.scripted import parse_of
from kbqa.templates import Names, read, write
from kbqa.types import (
    XSD,
    Among,
    Anything,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Lacks,
    Literal,
    Many,
    Pick,
    Ref,
    Restriction,
    Step,
    Tally,
    Than,
    reverse,
)

SCHEMA, LIB, DCT = "http://schema.org/", "http://library.example/terms#", "http://purl.org/dc/terms/"
BOOK, PERSON = Iri("http://e.org/Book"), Iri("http://e.org/Person")
THING = Iri("http://library.example/id/b1")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("library")
    (folder / "library.ttl").write_text("".join(Library(60).turtle()), encoding="utf-8")
    with open_kb(str(build_kb([folder / "library.ttl"], folder / "kb"))) as kb:
        yield kb


# --- English ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("birthDate", "birth date"),
        ("number_of_pages", "number of pages"),
        ("hasISBN", "has ISBN"),
        ("DNASequence", "DNA sequence"),
        ("works-for", "works for"),
    ],
)
def test_a_local_name_becomes_words(name: str, words: str) -> None:
    assert spaced(name) == words


@pytest.mark.parametrize(
    ("name", "form", "words", "base"),
    [
        ("birth date", "noun", "birth date", ""),
        ("has manager", "noun", "manager", ""),
        ("is member of", "verb", "is a member of", "a member of"),
        ("part of", "verb", "is part of", "part of"),
        ("works for", "verb", "works for", "work for"),
        ("published by", "verb", "is published by", "published by"),
        ("is located in", "verb", "is located in", "located in"),
        ("teaches", "verb", "teaches", "teach"),
        ("falls under", "verb", "falls under", "fall under"),
        ("contains", "verb", "contains", "contain"),
        ("carries", "verb", "carries", "carry"),
        ("published", "participle", "published", ""),
        ("in language", "noun", "language", ""),
        ("date of birth", "noun", "date of birth", ""),
        ("keywords", "noun", "keywords", ""),
    ],
)
def test_names_are_read_as_nouns_and_verbs(name: str, form: str, words: str, base: str) -> None:
    found = read_name(name)
    assert (found.form, found.words, found.base) == (form, words, base)


def test_labels_units_and_plurals() -> None:
    assert lowered("Date of Birth") == "date of birth"
    assert lowered("ISBN number") == "ISBN number"
    assert without_unit("height cm") == ("height", "cm")
    assert without_unit("weight (kg)") == ("weight", "kg")
    assert without_unit("area in square kilometres") == ("area", "square kilometres")
    assert without_unit("country") == ("country", "")
    assert [
        singular(w) for w in ("categories", "keywords", "address", "boxes", "people", "headquarters")
    ] == [
        "category",
        "keyword",
        "address",
        "box",
        "person",
        "headquarters",
    ]


def _graph(*rows: tuple[str, str, int]) -> Profile:
    """Predicates (local name, datatype or '' for people, subjects being books) of 10 triples each."""
    classes = {BOOK: ClassInfo(BOOK, "Book", 10, 10), PERSON: ClassInfo(PERSON, "Person", 10, 10)}
    infos = {}
    for name, datatype, triples in rows:
        iri = Iri(f"http://e.org/{name}")
        infos[iri] = PredicateInfo(
            iri,
            triples,
            triples,
            0 if datatype else triples,
            domains=((BOOK, triples),),
            ranges=() if datatype else ((PERSON, triples),),
            datatypes=((datatype, triples),) if datatype else (),
        )
    return Profile(100, classes, infos)


@pytest.mark.parametrize(
    ("name", "datatype", "forward", "backward", "asked", "asked_back"),
    [
        (
            "author", "", "the author of {}", "the book whose author is {}",
            "Who wrote {}?", "Which books did {} write?",
        ),
        (
            "published", XSD + "date", "the publication date of {}", "the book whose publication date is {}",
            "When was {} published?", "Which books were published on {}?",
        ),
        (
            "numberOfPages", XSD + "integer", "the number of pages of {}",
            "the book whose number of pages is {}", "How many pages does {} have?",
            "Which books have {} as number of pages?",
        ),
        (
            "isDedicatedTo", "", "the person that {} is dedicated to", "the book that is dedicated to {}",
            "Who is {} dedicated to?", "Which books are dedicated to {}?",
        ),
        (
            "mentions", "", "the person that {} mentions", "the book that mentions {}",
            "Who does {} mention?", "Which books mention {}?",
        ),
        (
            "teaches", "", "the person that {} teaches", "the book that teaches {}",
            "Who does {} teach?", "Which books teach {}?",
        ),
        (
            "isLocatedIn", "", "the person that {} is located in", "the book that is located in {}",
            "Who is {} located in?", "Which books are located in {}?",
        ),
        (
            "openedOn", XSD + "date", "the opening date of {}", "the book whose opening date is {}",
            "When did {} open?", "Which books opened on {}?",
        ),
        (
            "wasHiredOn", XSD + "date", "the hire date of {}", "the book whose hire date is {}",
            "When was {} hired?", "Which books were hired on {}?",
        ),
        (
            "hasTranslator", "", "the translator of {}", "the book whose translator is {}",
            "Who translated {}?", "Which books did {} translate?",
        ),
    ],
)  # fmt: skip
def test_predicates_are_worded_both_ways(
    name: str, datatype: str, forward: str, backward: str, asked: str, asked_back: str
) -> None:
    ways = induce(_graph((name, datatype, 10))).ways
    there, back = (Hop(Iri(f"http://e.org/{name}")),), (Hop(Iri(f"http://e.org/{name}"), True),)
    assert (ways[there].template, ways[back].template) == (forward, backward)
    assert asked in ways[there].natural["question"]
    assert asked_back in ways[back].natural["question"]


def test_further_labels_are_worded_as_what_they_are() -> None:
    """A noun beside a verb, and a verb beside a noun; what reads as a verb is no noun."""
    known = _graph(("tongue", "", 10), ("sharesBorderWith", "", 10))
    tongue, border = known.predicates
    infos = {
        tongue: replace(known.predicates[tongue], synonyms=("speaks",)),
        border: replace(known.predicates[border], synonyms=("neighbour",)),
    }
    classes = {**known.classes, BOOK: replace(known.classes[BOOK], synonyms=("volume",))}
    found = induce(replace(known, predicates=infos, classes=classes))
    there, back = found.ways[Hop(tongue),].natural, found.ways[Hop(tongue, True),].natural
    assert "Who does {} speak?" in there["question"] and "Which books speak {}?" in back["question"]
    assert not any("the speaks of" in wording for some in there.values() for wording in some)
    assert "the neighbour of {}" in found.ways[Hop(border),].natural["noun"]
    assert found.kinds[BOOK] == ("book", "volume")


def test_predicates_of_one_name_are_told_apart_by_class_then_vocabulary() -> None:
    profile = _graph(("author", "", 10))
    other = PredicateInfo(
        Iri("http://purl.org/dc/terms/author"), 5, 5, 5, domains=((PERSON, 5),), ranges=((PERSON, 5),)
    )
    same = PredicateInfo(
        Iri("http://schema.org/author"), 4, 4, 4, domains=((BOOK, 4),), ranges=((PERSON, 4),)
    )
    every = {**profile.predicates, other.iri: other, same.iri: same}
    found = induce(Profile(100, profile.classes, every))
    templates = [way.template for way in found.ways.values()]
    assert len(templates) == len(set(templates)) == 6
    assert "the author of the person {}" in templates
    assert any("schema.org" in t for t in templates)
    assert len(set(found.names.values())) == len(found.names)


# --- who does it to whom ---------------------------------------------------------

KINDS = ("person", "club", "company", "town", "book", "match", "")


def _between(subject: str, value: str, *labels: str) -> Profile:
    """Predicates with these labels from things of one class to those of another; '': of none."""
    kinds = {noun: Iri(f"http://e.org/{noun}") for noun in (subject, value) if noun}
    infos = {}
    for n, label in enumerate(labels):
        iri = Iri(f"http://e.org/p{n}")
        domains, ranges = (((kinds[noun], 10),) if noun else () for noun in (subject, value))
        infos[iri] = PredicateInfo(iri, 10, 10, 10, label=label, domains=domains, ranges=ranges)
    return Profile(100, {iri: ClassInfo(iri, noun, 10, 10) for noun, iri in kinds.items()}, infos)


@pytest.mark.parametrize(
    ("label", "subject", "value", "forward", "backward", "asked", "asked_back"),
    [
        ("managed", "person", "club", "the club that {} managed", "the person who managed {}",
         "What did {} manage?", "Who managed {}?"),
        ("managed", "club", "person", "the person that {} is managed by", "the club that is managed by {}",
         "Who is {} managed by?", "Which clubs are managed by {}?"),
        ("managed by", "person", "club", "the club that {} is managed by", "the person who is managed by {}",
         "What is {} managed by?", "Who is managed by {}?"),
        ("attended", "person", "match", "the match that {} attended", "the person who attended {}",
         "Which match did {} attend?", "Who attended {}?"),
        ("directed", "person", "book", "the book that {} directed", "the person who directed {}",
         "What did {} direct?", "Which people directed {}?"),
        ("directed", "book", "person", "the person that {} is directed by", "the book that is directed by {}",
         "Who is {} directed by?", "Which books are directed by {}?"),
        ("founded", "company", "town", "the town that {} is founded in", "the company that is founded in {}",
         "What is {} founded in?", "Which companies are founded in {}?"),
        ("founded", "person", "town", "the town that {} founded", "the person who founded {}",
         "Which town did {} found?", "Who founded {}?"),
        ("played for", "person", "club", "the club that {} played for", "the person who played for {}",
         "Which club did {} play for?", "Who played for {}?"),
        ("played", "person", "club", "the club that {} played for", "the person who played for {}",
         "What did {} play for?", "Who played for {}?"),
        ("played in", "match", "town", "the town that {} is played in", "the match that is played in {}",
         "What is {} played in?", "Which matches are played in {}?"),
        ("born", "person", "town", "the town that {} is born in", "the person who is born in {}",
         "What is {} born in?", "Who is born in {}?"),
        ("died", "person", "town", "the town that {} died in", "the person who died in {}",
         "What did {} die in?", "Who died in {}?"),
        ("wrote", "person", "book", "the book that {} wrote", "the person who wrote {}",
         "What did {} write?", "Who wrote {}?"),
        ("employed", "company", "person", "the person that {} employed", "the company that employed {}",
         "Who did {} employ?", "Which companies employed {}?"),
        ("employed", "person", "company", "the company that {} is employed by",
         "the person who is employed by {}", "What is {} employed by?", "Who is employed by {}?"),
        ("acquired", "", "", "the thing that {} acquired", "the thing that acquired {}",
         "What did {} acquire?", "What acquired {}?"),
        ("uses book", "town", "book", "the book that {} uses", "the town that uses {}",
         "Which book does {} use?", "Which towns use {}?"),
        ("belongs to club", "person", "club", "the club that {} belongs to", "the person who belongs to {}",
         "Which club does {} belong to?", "Who belongs to {}?"),
        ("won match", "person", "match", "the match that {} won", "the person who won {}",
         "Which match did {} win?", "Who won {}?"),
        ("won match", "book", "match", "the won match of {}", "the book whose won match is {}",
         "What is the won match of {}?", "Which books are of the won match {}?"),
        ("screenwriter", "book", "person", "the screenwriter of {}", "the book whose screenwriter is {}",
         "Who wrote {}?", "Which books did {} write?"),
        ("creditor", "book", "person", "the creditor of {}", "the book whose creditor is {}",
         "Who is the creditor of {}?", "Which books are of the creditor {}?"),
    ],
)  # fmt: skip
def test_a_name_says_who_did_it(
    label: str, subject: str, value: str, forward: str, backward: str, asked: str, asked_back: str
) -> None:
    ways = induce(_between(subject, value, label)).ways
    there, back = ((Hop(Iri("http://e.org/p0"), inverse),) for inverse in (False, True))
    assert (ways[there].template, ways[back].template) == (forward, backward)
    assert asked in ways[there].natural["question"]
    assert asked_back in ways[back].natural["question"]


def test_a_class_below_people_acts_as_they_do() -> None:
    known = _between("swimmer", "club", "managed")
    swimmer, person = Iri("http://e.org/swimmer"), Iri("http://e.org/person")
    kinds = {
        **known.classes,
        swimmer: replace(known.classes[swimmer], parents=(person,)),
        person: ClassInfo(person, "person", 10, 10),
    }
    ways = induce(replace(known, classes=kinds)).ways
    assert ways[(Hop(Iri("http://e.org/p0"), True),)].template == "the swimmer that managed {}"


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("managed", "manage"), ("attended", "attend"), ("played", "play"), ("carried", "carry"),
        ("planned", "plan"), ("controlled", "control"), ("passed", "pass"), ("nominated", "nominate"),
        ("chaired", "chair"), ("scored", "score"), ("umpired", "umpire"), ("refereed", "referee"),
        ("wrote", "write"), ("born", "bear"), ("taught", "teach"), ("died", "die"), ("seed", None),
        ("manages", None), ("author", None),
    ],
)  # fmt: skip
def test_past_tenses_are_led_back_to_their_verbs(word: str, base: str | None) -> None:
    assert base_of_past(word) == base


VERBS_IN_PAST = st.sampled_from(
    [*sorted(PAST), *sorted(IRREGULAR), "managed", "based", "died", "uses", "has"]
)
LABELS = st.builds(
    lambda verb, rest: f"{verb} {rest}".strip(),
    VERBS_IN_PAST,
    st.sampled_from(["", "by", "in", "for", "of", "under", "in book", *KINDS]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(LABELS, min_size=1, max_size=4), st.sampled_from(KINDS), st.sampled_from(KINDS))
def test_whatever_happened_reads_back_to_its_step(labels: list[str], subject: str, value: str) -> None:
    with TemporaryDirectory() as scratch:
        write_lexicon(induce(_between(subject, value, *labels)), Path(scratch))
        lexicon = load_lexicon(Path(scratch))
        names = Names({THING: "The Iron River"})
        for path in lexicon.wordings:
            for step in (Find(THING, path), Keep(Ref(1), THING, path), Find(Anything(), path)):
                assert read(write(step, 2, lexicon, names), 2, lexicon, names) == step
            for form, wordings in lexicon.natural[path].items():
                assert all(w.count("{}") == 1 and w.endswith("?") == (form == "question") for w in wordings)


# --- a whole graph ------------------------------------------------------------


def _steps(kb: KnowledgeBase) -> Iterator[Step]:
    for path in kb.lexicon.wordings:
        yield Find(THING, path)
        yield Find(Anything(), path)
        yield Keep(Ref(1), THING, path)
    for path in kb.lexicon.properties:
        yield Find(Ref(1), path, (Restriction("answer", path, (Is(THING),)),))
        number = Than(">", Literal("3", XSD + "decimal"), Kind.NUMBER)
        yield Keep(Ref(1), None, (), (Restriction("answer", path, (number,)),))
        yield Pick(Ref(1), "answer", path, True, Kind.NUMBER)
        for way in (path, reverse(path)):
            for test in (Many(">", 3), Lacks(), Exists(), Lacks(THING), Is(THING), Among((THING,))):
                yield Keep(Ref(1), None, (), (Restriction("answer", way, (test,)),))
            yield Keep(Ref(1), None, (), (Restriction("answer", way, (Many("<", 3), Is(Ref(1)))),))
            yield Tally(Ref(1), way)
            yield Tally(Ref(1), way, 2, "average", path, True)
        yield Tally(Ref(1), (), None, "values", path)


def test_every_template_reads_back_to_its_step(library: KnowledgeBase) -> None:
    names = Names({THING: "The Iron River"})
    steps = list(_steps(library))
    assert len(steps) > 200
    for step in steps:
        text = write(step, 2, library.lexicon, names)
        assert read(text, 2, library.lexicon, names) == step
        assert "http" not in text, text


def test_every_askable_predicate_has_a_wording_both_ways(library: KnowledgeBase) -> None:
    for predicate in library.paths.predicates:
        for back in (False, True):
            assert (Hop(predicate, back),) in library.lexicon.natural, predicate


def test_natural_wordings_are_well_formed(library: KnowledgeBase) -> None:
    for forms in library.lexicon.natural.values():
        for form, wordings in forms.items():
            for wording in wordings:
                assert wording.count("{}") == 1
                assert wording.endswith("?") == (form == "question")
                assert "  " not in wording and " a a" not in wording


def test_steps_are_phrased_in_words_of_the_graph(library: KnowledgeBase) -> None:
    phraser = RulePhraser(library.lexicon)

    def said(path: str, back: bool = False) -> str:
        step = Find(THING, (Hop(Iri(path), back),))
        return phraser.phrase(StepInContext((step,), 1, lambda iri: "X"))[0].text

    assert said(SCHEMA + "author") == "Who wrote X?"
    assert said(LIB + "heldBy") == "What is X held by?"
    assert said(LIB + "hasManager", True) == "Which branches does X manage?"
    assert said(DCT + "issued") == "When was X issued?"
    assert said(SCHEMA + "numberOfPages") == "How many pages does X have?"


def test_loans_are_mediators(library: KnowledgeBase) -> None:
    borrower, item = Iri(LIB + "borrower"), Iri(LIB + "item")
    assert (Hop(borrower, True), Hop(item)) in library.paths.pairs
    assert {borrower, item} <= library.lexicon.mediators.sources


def test_a_query_through_a_loan_is_one_step(library: KnowledgeBase) -> None:
    member = Iri("http://library.example/id/m1")
    query = f"SELECT DISTINCT ?x WHERE {{ ?l <{LIB}borrower> <{member.value}> . ?l <{LIB}item> ?x }}"
    steps = parse_of(query, mediators=library.lexicon.mediators).decomposition.steps
    assert steps == (Find(member, (Hop(Iri(LIB + "borrower"), True), Hop(Iri(LIB + "item")))),)
    names = Names({member: "Ann"})
    text = write(steps[0], 1, library.lexicon, names)
    assert text == "What is the borrowed book of the loan whose borrower is [Ann]?"


# --- matching -----------------------------------------------------------------


def _mention(question: str, name: str) -> Mention:
    start = question.index(name)
    return Mention(start, start + len(name), name, (Candidate(THING, name, name, 1.0),))


def test_a_known_wording_names_its_path(library: KnowledgeBase) -> None:
    question = "How many pages does The Iron River have?"
    found = Matcher(library.lexicon).worded(question, [_mention(question, "The Iron River")])
    assert found == ((Hop(Iri(SCHEMA + "numberOfPages")),),)
    other = "How heavy is The Iron River?"
    assert Matcher(library.lexicon).worded(other, [_mention(other, "The Iron River")]) == ()


def test_words_hint_at_the_predicates_that_they_speak_of(library: KnowledgeBase) -> None:
    question = "What is the email address of Iron River?"
    hints = Matcher(library.lexicon).hints(question, [_mention(question, "Iron River")])
    best = max(hints, key=lambda hop: hints[hop])
    assert best.predicate == Iri(SCHEMA + "email")
    assert Matcher(library.lexicon).hints("Does it rain?", []) == {}


# --- lexicon.toml ---------------------------------------------------------------


def _owned(lexicon: Lexicon, folder: Path, text: str) -> Lexicon:
    (folder / "lexicon.toml").write_text(text, encoding="utf-8")
    return with_owner(lexicon, folder / "lexicon.toml")


def test_the_owner_overrides_adds_and_hides(library: KnowledgeBase, tmp_path: Path) -> None:
    lexicon = _owned(
        library.lexicon,
        tmp_path,
        f"""[prefixes]
lib = "{LIB}"
[predicate."lib:heldBy"]
name = "home branch"
forward = "the home branch of {{}}"
synonyms = ["shelf place"]
questions = ["Where do I find {{}}?"]
[predicate."lib:seats"]
hide = true
[class."lib:Member"]
nouns = ["reader"]
""",
    )
    held = (Hop(Iri(LIB + "heldBy")),)
    assert lexicon.wordings[held].template == "the home branch of {}"
    assert lexicon.properties[held] == "home branch"
    assert lexicon.natural[held]["question"][0] == "Where do I find {}?"
    assert "What is the shelf place of {}?" in lexicon.natural[held]["question"]
    assert lexicon.hidden == {Iri(LIB + "seats")}
    assert lexicon.kinds[Iri(LIB + "Member")][0] == "reader"
    step, names = Find(THING, held), Names({THING: "X"})
    assert read(write(step, 1, lexicon, names), 1, lexicon, names) == step


HEAD = f'[predicate."{LIB}heldBy"]\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (HEAD + 'forwards = "x"\n', 2, "did you mean forward"),
        (HEAD + '\nforward = "the shelf"\n', 3, "exactly one {}"),
        (HEAD + 'name = "shelf"\nhide = "yes"\n', 3, "true or false"),
        (HEAD + 'questions = ["Where is {}"]\n', 2, "a question with one {}"),
        (HEAD + 'forward = "the author of {}"\n', 2, "reads 'the author of {}' too"),
        (HEAD + 'name = "author"\n', 2, "is called 'author' too"),
        (HEAD + 'asks = "Why"\n', 2, "What, Who, When, Which"),
        ('\n[predicate."http://library.example/terms#heldby"]\nhide = true\n', 2, "did you mean"),
        ("[words]\nx = 1\n", 1, "means nothing"),
        ('[class."http://library.example/terms#Nobody"]\nnouns = ["x"]\n', 1, "no class"),
        ("[predicate\n", 1, "line 1"),
    ],
)
def test_mistakes_are_named_with_their_line(
    library: KnowledgeBase, tmp_path: Path, text: str, line: int, said: str
) -> None:
    with pytest.raises(LexiconError) as failed:
        _owned(library.lexicon, tmp_path, text)
    assert said in str(failed.value)
    assert f"line {line}" in str(failed.value)
