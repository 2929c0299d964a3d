"""Sub-questions by rule."""

from __future__ import annotations

import math

import pytest

from kbqa.decompose import decompose
from kbqa.errors import TemplateError
from kbqa.lexicon import freebase_lexicon, parse_path
from kbqa.lexicon.nouns import plural
from kbqa.phrase import RulePhraser, StepInContext, phrase_template
from kbqa.phrase.words import with_article
from kbqa.sparql import parse
from kbqa.templates import Names, write_all
from kbqa.types import (
    XSD,
    Check,
    Count,
    Find,
    Iri,
    Is,
    Keep,
    Kind,
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
    reverse,
)

LEXICON = freebase_lexicon()
EGYPT, ARABIC = freebase("m.02k54"), freebase("m.0jgx")
NAMES = {EGYPT: "Egypt", ARABIC: "Arabic", freebase("m.0title"): "Governor"}
LANGUAGE = parse_path("location.country.official_language")
BORDERS = parse_path("location.location.adjoin_s location.adjoining_relationship.adjoins")
GOVERNS = parse_path(
    "government.governmental_jurisdiction.governing_officials "
    "government.government_position_held.office_holder"
)


def texts(*steps: Step) -> list[str]:
    """All wordings of the last step."""
    context = StepInContext(steps, len(steps), lambda iri: NAMES.get(iri, iri.mid))
    return [p.text for p in RulePhraser(LEXICON).phrase(context)]


def test_a_step_is_put_in_the_lexicon_s_natural_words() -> None:
    assert texts(Find(EGYPT, LANGUAGE))[0] == LEXICON.natural[LANGUAGE]["question"][0].replace("{}", "Egypt")


def test_the_template_s_words_are_among_the_wordings() -> None:
    assert "What is the official language of Egypt?" in texts(Find(EGYPT, LANGUAGE))


def test_a_path_without_a_wording_is_put_in_the_template_s_words() -> None:
    unknown = parse_path("made.up.secret_code")
    assert texts(Find(EGYPT, unknown)) == ["What is the secret code of Egypt?"]


def test_an_earlier_step_is_that_or_the_one_from_its_step() -> None:
    first, second = Find(EGYPT, BORDERS), Find(Ref(1), LANGUAGE)
    noun = LEXICON.wordings[BORDERS].noun
    assert f"that {noun}" in texts(first, second)[0]
    assert f"the {noun} from step 1" in texts(first, second, Find(Ref(1), LANGUAGE))[0]


def test_a_name_is_inserted_exactly() -> None:
    odd = Iri("http://e/odd")
    context = StepInContext((Find(odd, LANGUAGE),), 1, lambda _: "{} [O'Neil] \\1 the 3rd?")
    assert all("{} [O'Neil] \\1 the 3rd?" in p.text for p in RulePhraser(LEXICON).phrase(context))


def test_a_period_and_a_title_read_as_in_a_sentence() -> None:
    held = "government.government_position_held."
    begun = OpenThan("<=", Literal("2014-12-31", XSD + "date"), Kind.DATE)
    not_over = OpenThan(">=", Literal("2014-01-01", XSD + "date"), Kind.DATE)
    first = Restriction("mediator", parse_path(held + "from"), (begun,))
    last = Restriction("mediator", parse_path(held + "to"), (not_over,))
    title = Restriction("mediator", parse_path(held + "basic_title"), (Is(freebase("m.0title")),))
    for order in ((title, first, last), (title, last, first)):
        assert texts(Find(EGYPT, GOVERNS, order))[0].endswith("with the title Governor in 2014?")


def test_a_condition_on_the_answer_is_put_in_the_lexicon_s_words() -> None:
    spoken = Restriction("answer", LANGUAGE, (Is(ARABIC),))
    asked = texts(Find(EGYPT, BORDERS, (spoken,)))
    assert all("Egypt" in text and "Arabic" in text and text.endswith("?") for text in asked)


def test_keep_reads_of_these_which() -> None:
    asked = texts(
        Find(EGYPT, BORDERS), Keep(Ref(1), ARABIC, parse_path("^location.country.official_language"))
    )
    assert all(text.startswith("Of these, which ") and "Arabic" in text for text in asked)


def test_keep_with_a_comparison_says_it_readably() -> None:
    founded = parse_path("location.dated_location.date_founded")
    before = Restriction("answer", founded, (Than("<", Literal("1955-01-01", XSD + "date"), Kind.DATE),))
    asked = texts(Find(EGYPT, BORDERS), Keep(Ref(1), restrictions=(before,)))[0]
    assert asked == "Of these, which is a place whose date of foundation is before 1 January 1955?"


@pytest.mark.parametrize(
    "wording", [w for ws in LEXICON.natural.values() for w in ws.get("clause", ())][::40]
)
def test_no_clause_of_the_lexicon_loses_its_subject(wording: str) -> None:
    path = next(p for p, forms in LEXICON.natural.items() if wording in forms.get("clause", ()))
    for text in texts(Find(EGYPT, LANGUAGE), Keep(Ref(1), EGYPT, path)):
        assert text.startswith("Of these, which ")
        assert not text.startswith(
            ("Of these, which Egypt", "Of these, which the ", "Of these, which people ")
        )


def test_superlatives_counts_and_checks_are_questions_about_these() -> None:
    found = Find(EGYPT, BORDERS)
    people = parse_path("topic_server.population_number")
    end = parse_path("time.event.end_date")
    assert texts(found, Pick(Ref(1), "answer", people, True, Kind.NUMBER))[0] == (
        "Of these, which has the largest population?"
    )
    assert texts(found, Pick(Ref(1), "answer", end, True, Kind.VALUE))[0] == (
        "Of these, which has the most recent end date?"
    )
    assert texts(found, Pick(Ref(1), "answer", end, False, Kind.DATE, 3))[0] == (
        "Of these, which 3 have the earliest end date?"
    )
    assert texts(found, Count(Ref(1)))[0] == "Of these, how many are there?"
    assert texts(found, Check(Ref(1)))[0] == "Of these, is there at least one?"
    assert texts(found, Oftenest(Ref(1)))[0] == "Of these, which comes up most often?"
    assert texts(found, found, Merge((Ref(1), Ref(2))))[0] == "What was found in step 1 or step 2?"


def test_a_figure_is_called_by_what_it_is_the_figure_of() -> None:
    found = Find(EGYPT, BORDERS)
    for path, said in (
        ("location.statistical_region.population measurement_unit.dated_integer.number", "population"),
        ("location.country.gdp_nominal measurement_unit.dated_money_value.amount", "GDP"),
        (
            "education.university.number_of_undergraduates measurement_unit.dated_integer.number",
            "number of undergraduates",
        ),
    ):
        asked = texts(found, Pick(Ref(1), "answer", parse_path(path), True, Kind.NUMBER))
        assert asked[0] == f"Of these, which has the largest {said}?"
    million = Than(">", Literal("1000000", XSD + "integer"), Kind.NUMBER)
    people = parse_path("location.statistical_region.population measurement_unit.dated_integer.number")
    large = Restriction("answer", people, (million,))
    assert "whose population is more than 1,000,000" in texts(found, Keep(Ref(1), restrictions=(large,)))[0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("City/Town/Village", "a city"),
        ("College/University", "a college"),
        ("American Football Team", "an American football team"),
        ("US President", "a US president"),
        ("County of Kenya", "a county of Kenya"),
        ("Body Of Water", "a body of water"),
        ("TV Program", "a TV show"),
    ],
)
def test_a_type_is_said_as_a_common_noun(name: str, said: str) -> None:
    kind, notable = freebase("m.0kind"), parse_path("common.topic.notable_types")
    steps = (Find(EGYPT, BORDERS), Keep(Ref(1), kind, reverse(notable)))
    labels = {**NAMES, kind: name}

    def asked(*steps: Step) -> list[str]:
        return [
            p.text for p in RulePhraser(LEXICON).phrase(StepInContext(steps, len(steps), labels.__getitem__))
        ]

    assert asked(*steps)[0] == f"Of these, which is {said}?"
    assert all(name not in text for text in asked(*steps) if "/" in name)
    assert said in asked(Find(EGYPT, BORDERS, (Restriction("answer", notable, (Is(kind),)),)))[0]
    assert asked(Find(kind, reverse(notable)))[0] == f"Which {plural(said.partition(' ')[2])} are there?"


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("university", "a university"),
        ("umbrella", "an umbrella"),
        ("uninhabited island", "an uninhabited island"),
        ("hour", "an hour"),
        ("European state", "a European state"),
        ("ice hockey team", "an ice hockey team"),
    ],
)
def test_an_article_goes_by_the_sound(noun: str, said: str) -> None:
    assert with_article(noun) == said


def test_the_wordings_are_distinct_and_share_the_probability() -> None:
    context = StepInContext((Find(EGYPT, LANGUAGE),), 1, lambda iri: NAMES[iri])
    every = RulePhraser(LEXICON).phrase(context, n=100)
    assert len({p.text for p in every}) == len(every) > 3
    assert math.isclose(sum(math.exp(p.logprob) for p in every), 1.0)
    assert RulePhraser(LEXICON).phrase(context, n=2) == every[:2]
    assert every[0].listener_logprob is None


# --- a template alone --------------------------------------------------------


def test_a_template_s_names_need_no_knowledge_base() -> None:
    asked = phrase_template("What is the official language of [Middle-earth (the book)]?", LEXICON)
    assert asked[0].text == LEXICON.natural[LANGUAGE]["question"][0].replace("{}", "Middle-earth (the book)")


def test_an_id_behind_a_name_is_not_said() -> None:
    asked = phrase_template("What is the official language of [Georgia (m.0d0kn)]?", LEXICON)
    assert all("Georgia" in p.text and "m.0d0kn" not in p.text for p in asked)


def test_a_template_s_references_keep_their_nouns() -> None:
    near = phrase_template("What is the official language of [that country]?", LEXICON)
    far = phrase_template("What is the official language of [the country of step 1]?", LEXICON)
    assert "that country" in near[0].text
    assert "the country from step 1" in far[0].text


def test_escaped_brackets_in_a_name_are_names_again() -> None:
    asked = phrase_template(r"What is the official language of [A \[B\]]?", LEXICON)
    assert "A [B]" in asked[0].text


@pytest.mark.parametrize("text", ["", "hello", "What is [x]?", "What is the wombat of [Egypt]?", "What [?"])
def test_an_unreadable_template_is_an_error_that_says_so(text: str) -> None:
    with pytest.raises(TemplateError):
        phrase_template(text, LEXICON)


def test_what_the_templates_write_can_be_phrased() -> None:
    query = parse(
        "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE {"
        " ?c ns:location.country.administrative_divisions ns:m.0cjk5 ."
        " ?c ns:location.country.official_language ?x }"
    )
    steps = decompose(query, LEXICON.mediators).steps
    templates = write_all(steps, LEXICON, Names({freebase("m.0cjk5"): "Al Sharqia Governorate"}))
    history: list[str] = []
    for template in templates:
        history.append(phrase_template(template, LEXICON, history=history)[0].text)
    assert "Al Sharqia Governorate" in history[0] and "that country" in history[1]
