"""Each Step is one sentence, which is read back as that Step whatever the names in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbqa.errors import LexiconError, TemplateError
from kbqa.lexicon import Lexicon, Wording, freebase_lexicon, load_lexicon, parse_path, show_path
from kbqa.templates import Names, read, read_all, write, write_all
from kbqa.types import (
    XSD,
    Among,
    Anything,
    Check,
    Count,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Merge,
    Oftenest,
    OpenThan,
    Pick,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
)

EGYPT, FRANCE = freebase("m.02k54"), freebase("m.0f8l9c")
NAMES = Names({EGYPT: "Egypt", FRANCE: "France"})
CAPITAL = parse_path("location.country.capital")
HELD = parse_path(
    "government.governmental_jurisdiction.governing_officials"
    " government.government_position_held.office_holder"
)
PLAIN = Lexicon()
WORDED = Lexicon(
    {CAPITAL: Wording("the capital of {}", "city"), HELD: Wording("the official of {}", "official", "Who")}
)
FROM, TO = (Hop(freebase(f"government.government_position_held.{x}")) for x in ("from", "to"))


def day(text: str) -> Literal:
    return Literal(text, XSD + "date")


def number(text: str) -> Literal:
    return Literal(text, XSD + "decimal")


# --- wording ---------------------------------------------------------------------

TERM_1980 = (
    Restriction("mediator", (FROM,), (OpenThan("<=", day("1980-12-31"), Kind.DATE),)),
    Restriction("mediator", (TO,), (OpenThan(">=", day("1980-01-01"), Kind.DATE),)),
)
SENTENCES: list[tuple[Step, str]] = [
    (Find(EGYPT, CAPITAL), "What is the capital of [Egypt]?"),
    (Find(EGYPT, HELD), "Who is the official of [Egypt]?"),
    (Find(Ref(3), CAPITAL), "What is the capital of [that thing]?"),
    (Find(Ref(1), CAPITAL), "What is the capital of [the thing of step 1]?"),
    (Find(Anything(), CAPITAL), "What is the capital of [anything]?"),
    (Find(EGYPT, HELD, TERM_1980), "Who is the official of [Egypt], at some time in [1980]?"),
    (
        Find(EGYPT, (CAPITAL[0].reversed,)),
        "What is the one whose capital (location, country) is [Egypt]?",
    ),
    (Keep(Ref(3), EGYPT, CAPITAL), "Of these, which is the capital of [Egypt]?"),
    (Keep(Ref(1), EGYPT, CAPITAL), "Of the answers to step 1, which is the capital of [Egypt]?"),
    (Keep(Ref(3), Ref(1)), "Of these, which is also [the thing of step 1]?"),
    (
        Keep(Ref(3), restrictions=(Restriction("answer", (), (IsNot(EGYPT),)),)),
        "Of these, which is not [Egypt]?",
    ),
    (
        Keep(Ref(3), restrictions=(Restriction("answer", (FROM,), (Than(">", number("5"), Kind.NUMBER),)),)),
        "Of these, which is one, whose from (government, government position held) is more than [5]?",
    ),
    (
        Find(EGYPT, HELD, (Restriction("mediator", (FROM,), (Lacks(),)),)),
        "Who is the official of [Egypt], where the from is not given?",
    ),
    (
        Pick(Ref(3), "answer", (Hop(freebase("a.b.c")),), True, Kind.DATE),
        "Of these, which has the latest c (a, b)?",
    ),
    (
        Pick(Ref(3), "mediator", (FROM,), False, Kind.NUMBER, 3, 2),
        "Of these, which 3 comes with the smallest from (government, government position held)"
        " after the first 2?",
    ),
    (
        Pick(Ref(3), "answer", (Hop(freebase("a.b.c")),), False, Kind.DATE, 1, 2),
        "Of these, which has the third earliest c (a, b)?",
    ),
    (Pick(Ref(3), "answer", (), True, Kind.VALUE, 1, 1), "Of these, which is the second highest?"),
    (
        Pick(Ref(3), "answer", (), True, Kind.VALUE, 1, 10),
        "Of these, which is the highest after the first 10?",
    ),
    (Pick(Ref(3), "answer", (), True, Kind.VALUE, None), "Of these, sorted, which is the highest?"),
    (Merge((Ref(1), Ref(3))), "What is found in step 1 or step 3?"),
    (Oftenest(Ref(3)), "Of these, which is found most often?"),
    (Count(Ref(3)), "Of these, how many are there?"),
    (Check(Ref(3)), "Of these, is there any?"),
]


@pytest.mark.parametrize(("step", "text"), SENTENCES)
def test_a_step_has_its_sentence_and_the_sentence_its_step(step: Step, text: str) -> None:
    assert write(step, 4, WORDED, NAMES) == text
    assert read(text, 4, WORDED, NAMES) == step


TESTS = [
    (Is(EGYPT), "is [Egypt]"),
    (IsNot(Ref(1)), "is not [the thing of step 1]"),
    (Exists(), "is given"),
    (Lacks(), "is not given"),
    (Lacks(EGYPT), "is never [Egypt]"),
    (Among((EGYPT, number("5"))), "is one of [Egypt] [5]"),
    (Than("<", day("1980-01-01"), Kind.DATE), "is before [1980-01-01]"),
    (Than("!=", Literal("x"), Kind.STRING), 'is not spelt ["x"]'),
    (Than("=", Literal("x", "", "en"), Kind.TERM), 'is the very ["x"@en]'),
    (Than(">=", Ref(1), Kind.VALUE), "is no lower than [the thing of step 1]"),
    (OpenThan("<", number("-1.5"), Kind.NUMBER), "if any is less than [-1.5]"),
]


@pytest.mark.parametrize(("said", "words"), TESTS)
def test_each_comparison_has_words_of_its_own(said: object, words: str) -> None:
    step = Keep(Ref(3), restrictions=(Restriction("answer", (Hop(freebase("a.b.c")),), (said,)),))  # type: ignore[arg-type]
    text = write(step, 4, PLAIN, NAMES)
    assert text == f"Of these, which is one, whose c (a, b) {words}?"
    assert read(text, 4, PLAIN, NAMES) == step


def test_several_conditions_on_one_value_are_joined_by_and() -> None:
    both = (Than(">", number("1"), Kind.NUMBER), Than("<", number("3"), Kind.NUMBER))
    step = Keep(Ref(1), restrictions=(Restriction("answer", (Hop(freebase("a.b.c")),), both),))
    text = write(step, 2, PLAIN, NAMES)
    assert text.endswith("whose c (a, b) is more than [1] and is less than [3]?")
    assert read(text, 2, PLAIN, NAMES) == step


def test_earlier_answers_are_called_what_the_lexicon_calls_them() -> None:
    listed = (Find(EGYPT, CAPITAL), Find(Ref(1), CAPITAL), Keep(Ref(2), Ref(1), CAPITAL))
    texts = write_all(listed, WORDED, NAMES)
    assert texts[1] == "What is the capital of [that city]?"
    assert texts[2] == "Of these, which is the capital of [the city of step 1]?"
    assert read_all(texts, WORDED, NAMES) == listed


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("1980-01-01", "1980-12-31", "in [1980]"),
        ("2015-08-10", "2015-08-10", "on [2015-08-10]"),
        ("1980-01-01", "1981-12-31", "from [1980-01-01] to [1981-12-31]"),
    ],
)
def test_the_two_open_bounds_of_a_term_are_one_period(start: str, end: str, words: str) -> None:
    step = Find(
        EGYPT,
        HELD,
        (
            Restriction("mediator", (FROM,), (OpenThan("<=", day(end), Kind.DATE),)),
            Restriction("mediator", (TO,), (OpenThan(">=", day(start), Kind.DATE),)),
        ),
    )
    text = write(step, 1, WORDED, NAMES)
    assert text == f"Who is the official of [Egypt], at some time {words}?"
    assert read(text, 1, WORDED, NAMES) == step


# --- hostile names ------------------------------------------------------------------

LABELS = [
    "",
    " ",
    "[",
    "]",
    "a [b]",
    "\\",
    "\\]",
    '"',
    '"x"',
    "'x' of step 3",
    "that country",
    "that x (m.02k54)",
    "the thing of step 3",
    "anything",
    "1980",
    "1980-01-01",
    "-5",
    "m.02k54",
    "g.1",
    "local.x",
    "<http://x/>",
    "a (b)",
    "Egypt?",
    "\n",
    "{}",
    "{0}",
    "\x00",
    "东京",
    "step 1 or step 2",
    "Of these, which is one?",
    ", which is [x]",
]


@pytest.mark.parametrize("label", LABELS)
def test_a_name_is_read_as_that_name_whatever_it_looks_like(label: str) -> None:
    names = Names({EGYPT: label, FRANCE: "France"})
    for step in (Find(EGYPT, CAPITAL), Keep(Ref(1), restrictions=(Restriction("answer", (), (Is(EGYPT),)),))):
        for lexicon in (PLAIN, WORDED):
            assert read(write(step, 2, lexicon, names), 2, lexicon, names) == step


def test_two_entities_of_one_name_are_told_apart_by_their_ids() -> None:
    names = Names({EGYPT: "Georgia", FRANCE: "Georgia"})
    texts = [write(Find(e, CAPITAL), 1, WORDED, names) for e in (EGYPT, FRANCE)]
    assert texts == [
        "What is the capital of [Georgia (m.02k54)]?",
        "What is the capital of [Georgia (m.0f8l9c)]?",
    ]


@pytest.mark.parametrize("value", ["1980", "-0044-03-15", "x", '"', "\\", "]", "that x", "\x00"])
@pytest.mark.parametrize("datatype", ["", XSD + "date", XSD + "decimal", "http://x/[t]"])
def test_a_literal_keeps_its_datatype(value: str, datatype: str) -> None:
    step = Find(Literal(value, datatype), CAPITAL)
    assert read(write(step, 1, PLAIN, NAMES), 1, PLAIN, NAMES) == step


@pytest.mark.parametrize(
    "predicate",
    [
        freebase("a.b_c.d_e_f"),
        freebase("a.b.is_given"),
        freebase("a.b.name_is_x"),
        freebase("a.b.x_of_the_y"),
        freebase("a.b.moved_backwards"),
        freebase("a.b."),
        freebase("nodots"),
        Iri("http://example.org/birthPlace"),
        Iri("http://example.org/ns#a_b"),
        Iri("http://example.org/a(b)"),
        Iri("http://example.org/"),
        Iri("urn:isbn:1"),
        Iri("http://example.org/x,%20whose"),
    ],
)
def test_every_predicate_can_be_said(predicate: Iri) -> None:
    hop = Hop(predicate)
    for step in (
        Find(EGYPT, (hop,)),
        Find(EGYPT, (hop.reversed, hop)),
        Keep(Ref(1), restrictions=(Restriction("answer", (hop, hop.reversed), (Is(EGYPT),)),)),
        Pick(Ref(1), "answer", (hop, hop), True, Kind.DATE),
    ):
        assert read(write(step, 2, PLAIN, NAMES), 2, PLAIN, NAMES) == step


def test_a_wording_that_would_read_otherwise_gives_way_to_the_plain_chain() -> None:
    lexicon = Lexicon({CAPITAL: Wording("also {}")})
    step = Keep(Ref(1), EGYPT, CAPITAL)
    text = write(step, 2, lexicon, NAMES)
    assert text == "Of these, which is the capital (location, country) of [Egypt]?"
    assert read(text, 2, lexicon, NAMES) == step


@pytest.mark.parametrize(
    "step",
    [
        Find(EGYPT, ()),
        Keep(Ref(1), None, CAPITAL),
        Keep(Ref(1), restrictions=(Restriction("answer", CAPITAL, ()),)),
        Keep(Ref(1), restrictions=(Restriction("mediator", (), (Exists(),)),)),
        Keep(Ref(1), restrictions=(Restriction("answer", CAPITAL, (Among(()),)),)),
        Merge(()),
    ],
)
def test_a_step_that_says_nothing_is_not_written(step: Step) -> None:
    with pytest.raises(TemplateError, match="no template reads back"):
        write(step, 2, PLAIN, NAMES)


# --- what is no template -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "ends in '?'"),
        ("What is the capital of [Egypt]", "ends in '?'"),
        ("Where is Egypt?", "no template begins like"),
        ("Of these, show me one?", "no template goes on like"),
        ("What is the capital of Egypt?", "one name in brackets"),
        ("What is the capital of [Egypt] and [France]?", "one name in brackets"),
        ("What is the capital of [Atlantis]?", "no entity is named 'Atlantis' here; known: Egypt, France"),
        ("What is the river of [Egypt]?", "no predicate path reads"),
        ("What is the capital of [Egypt?", "brackets"),
        ("What is the capital of [[Egypt]]?", "brackets"),
        ("What is the capital of [Egypt], whose colour is [France]?", "no property is called 'colour'"),
        ("What is the capital of [Egypt], whose c (a, b) resembles [France]?", "no comparison"),
        ("Of these, which is one, whose c (a, b) is more than [Egypt]?", "is said of a number"),
        ("Of these, which is one, whose c (a, b) is more than [1980-01-01]?", "a number expected"),
        ('Of these, which is one, whose c (a, b) is before ["0} UNION {"]?', "a date such as 1980"),
        ("Of these, which is one, whose c (a, b) is never [that thing]?", "earlier step can't stand here"),
        ("Who is the official of [Egypt], at some time in [x]?", "no period reads"),
        ("Who is the official of [Egypt], at some time soon?", "no period reads"),
        ("What is the capital of [Egypt], at some time in [1980]?", "a period is said of a path"),
        ("Of these, which is one, whose c (a, b) of the c (a, b) of the c (a, b) is given?", "more than two"),
        ("What is the capital of [\x00]?", "no entity"),
        ("What is the capital of \x00?", "brackets"),
    ],
)
def test_what_is_no_template_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(TemplateError) as e:
        read(text, 2, WORDED, NAMES)
    assert reason in str(e.value)


# --- the lexicon --------------------------------------------------------------------------


def test_two_paths_that_would_read_the_same_do_not_load() -> None:
    with pytest.raises(LexiconError, match=r"'the head of \{\}': a\.b\.c and \^a\.b\.d"):
        Lexicon(
            {
                parse_path("a.b.c"): Wording("the head of {}"),
                parse_path("^a.b.d"): Wording("the head of {}"),
            }
        )


@pytest.mark.parametrize("text", ["a.b.c", "^a.b.c d.e.f", "<http://x/y>", "^<urn:x> a.b.c"])
def test_a_path_in_a_lexicon_file_is_shown_as_it_is_read(text: str) -> None:
    assert show_path(parse_path(text)) == text


def lexicon_with(folder: Path, paths: str, mediators: str = "kind\tname\n") -> Path:
    (folder / "paths").mkdir()
    (folder / "paths" / "x.tsv").write_text(paths, encoding="utf-8")
    (folder / "mediators.tsv").write_text(mediators, encoding="utf-8")
    return folder


HEAD = "path\ttemplate\tnoun\tasks\n"


@pytest.mark.parametrize(
    ("paths", "mediators", "reason"),
    [
        ("path\ttemplate\n", "kind\tname\n", "x.tsv, line 1: columns"),
        (
            HEAD + "a.b.c\tthe head of {}\thead\n",
            "kind\tname\n",
            "x.tsv, line 2: 4 columns expected, found 3",
        ),
        (HEAD + "a.b.c\tthe head\thead\tWho\n", "kind\tname\n", "x.tsv, line 2: exactly one {}"),
        (HEAD + "a.b.c\tthe [head] of {}\thead\tWho\n", "kind\tname\n", "may not hold '['"),
        (HEAD, "kind\tname\ncolour\tred\n", "mediators.tsv, line 2: kind 'colour'"),
    ],
)
def test_a_lexicon_file_that_does_not_load_is_named_with_its_line(
    tmp_path: Path, paths: str, mediators: str, reason: str
) -> None:
    with pytest.raises(LexiconError) as e:
        load_lexicon(lexicon_with(tmp_path, paths, mediators))
    assert reason in str(e.value)


def test_a_folder_without_a_lexicon_is_named(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=str(tmp_path)):
        load_lexicon(tmp_path)


def test_every_wording_that_ships_is_read_back_as_its_path() -> None:
    lexicon = freebase_lexicon()
    for path in lexicon.wordings:
        for step in (Find(EGYPT, path), Keep(Ref(1), EGYPT, path)):
            assert read(write(step, 2, lexicon, NAMES), 2, lexicon, NAMES) == step


def test_every_natural_wording_that_ships_has_one_slot_and_a_path() -> None:
    for path, forms in freebase_lexicon().natural.items():
        assert path and all(w.count("{}") == 1 for words in forms.values() for w in words)
