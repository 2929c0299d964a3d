"""Where it breaks: what is offered instead, and the warning where two readings are about as likely."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

import pytest
from hypothesis import given
from strategies import decompositions

from kbqa.decompose import recompose_step
from kbqa.dialogue import FULL, NON_INTERACTIVE, TEMPLATED, Dialogue, Mode, Offer, Version
from kbqa.engine import EMPTY_CAP, Engine, Settings
from kbqa.errors import StoreTimeout, StoreUnavailable
from kbqa.feedback import Choose
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.lexicon import Lexicon, freebase_lexicon, parse_path
from kbqa.offers import Limits, Offering
from kbqa.offers.fit import Fit, stems
from kbqa.offers.places import places
from kbqa.protocols import Store
from kbqa.scripted import ScriptedParser
from kbqa.sparql import canonical, render
from kbqa.types import Constant, Count, Decomposition, Rows

NS = "PREFIX ns: <http://rdf.freebase.com/ns/> SELECT DISTINCT ?x WHERE { "
FACTS = """
@prefix ns: <http://rdf.freebase.com/ns/> . @prefix e: <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ns:m.bb ns:type.object.name "Batman Begins"@en ; ns:type.object.type ns:film.film ;
  ns:film.film.story_by ns:m.goyer ; ns:film.film.written_by ns:m.nolan , ns:m.goyer ;
  ns:film.film.directed_by ns:m.nolan ; ns:film.film.produced_by ns:m.roven .
ns:m.goyer ns:type.object.name "David S. Goyer"@en ; ns:type.object.type ns:people.person ;
  ns:film.film_story_contributor.film_story_credits ns:m.bb ; ns:people.person.nationality ns:m.usa .
ns:m.nolan ns:type.object.name "Christopher Nolan"@en ; ns:type.object.type ns:people.person ;
  ns:people.person.place_of_birth ns:m.london ; ns:people.person.nationality ns:m.uk ;
  ns:people.person.date_of_birth "1970-07-30"^^xsd:date .
ns:m.roven ns:type.object.name "Charles\\u001b[31m <b>Roven</b>"@en ; ns:type.object.type ns:people.person .
ns:m.london ns:type.object.name "London"@en ; ns:type.object.type ns:location.citytown ;
  ns:location.location.containedby ns:m.uk ; ns:location.statistical_region.population ns:m.people .
ns:m.people ns:measurement_unit.dated_integer.number 8866000 .
ns:m.usa ns:type.object.name "United States"@en . ns:m.uk ns:type.object.name "United Kingdom"@en ;
  ns:location.country.capital ns:m.london ; ns:location.location.contains ns:m.london ;
  ns:location.country.currency_used ns:m.pound . ns:m.pound ns:type.object.name "British pound"@en .
ns:m.georgia ns:type.object.name "Georgia"@en ; ns:type.object.type ns:location.country ;
  ns:location.country.capital ns:m.tbi .
ns:m.gastate ns:type.object.name "Georgia"@en ; ns:type.object.type ns:location.us_state ;
  ns:government.governmental_jurisdiction.governing_officials ns:m.o2 .
ns:m.o2 ns:government.government_position_held.office_holder ns:m.kemp .
ns:m.kemp ns:type.object.name "Brian Kemp"@en .
ns:m.tbi ns:common.topic.notable_types ns:m.town . ns:m.town ns:type.object.name "Town"@en .
ns:m.gori ns:type.object.name "Gori"@en ; ns:common.topic.notable_types ns:m.town ;
  ns:geography.mountain.elevation 588 .
ns:m.mayor ns:type.object.name "Mayor"@en . ns:m.tbi ns:type.object.name "Tbilisi"@en .
e:ada rdfs:label "Ada Lovelace" ; e:worksWith e:babbage ; e:birthYear 1815 .
e:babbage rdfs:label "Charles Babbage" ; e:livesIn e:camden .
e:camden rdfs:label "Camden" .
"""
_GOVERNS = (
    "ns:government.governmental_jurisdiction.governing_officials ?o ."
    " ?o ns:government.government_position_held.office_holder ?x }"
)
_TITLE = "ns:government.government_position_held.basic_title"
STORY = "Who wrote the story of Batman Begins?"
NATION = "What is the nationality of the person who wrote the story of Batman Begins?"
BORN = "Where was the director of Batman Begins born?"
CAPITAL = "What is the capital of the United Kingdom?"
GOVERNOR = "Who governs Georgia?"
PEOPLE = "How many people make up London?"
COUNT = "How many people wrote Batman Begins?"
WROTE = "Who wrote Batman Begins?"
MADE = "Who made Batman Begins?"
PRODUCED = "Who produced Batman Begins?"
LIVES = "Where does the one who works with Ada Lovelace live?"
SEQUEL = "What is the sequel of Batman Begins?"
MAYOR = "Who is the governor of Georgia?"
TOWN = "What money is used where Christopher Nolan was born?"
AMERICAN = "Which American directed Batman Begins?"
LATE = "Which director of Batman Begins was born after 1990?"
HIGHEST = "Which town that is the capital of Georgia is the highest?"
TITLE = "Who is the mayor that governs Georgia?"
_STORY, _WRITTEN = NS + "ns:m.bb ns:film.film.story_by ?x }", NS + "ns:m.bb ns:film.film.written_by ?x }"
_EDITED = NS + "ns:m.bb ns:film.film.edited_by ?x }"
SCRIPT: Mapping[str, str | Sequence[tuple[str, float]]] = {
    STORY: _EDITED,
    NATION: NS + "ns:m.bb ns:film.film.edited_by ?p . ?p ns:people.person.nationality ?x }",
    BORN: NS + "ns:m.bb ns:film.film.produced_by ?p . ?p ns:people.person.place_of_birth ?x }",
    HIGHEST: NS + "ns:m.georgia ns:location.country.capital ?x . ?x ns:common.topic.notable_types ns:m.town ."
    " ?x ns:geography.mountain.elevation ?e } ORDER BY DESC(xsd:decimal(?e)) LIMIT 1",
    CAPITAL: NS + "?x ns:location.country.capital ns:m.uk }",
    GOVERNOR: NS + "ns:m.georgia " + _GOVERNS,
    PEOPLE: NS + "ns:m.london ns:location.statistical_region.population ?m ."
    " ?m ns:measurement_unit.dated_integer.year ?x }",
    COUNT: NS.replace("DISTINCT ?x", "(COUNT(DISTINCT ?x) AS ?n)") + "ns:m.bb ns:film.film.edited_by ?x }",
    WROTE: [(_WRITTEN, -0.6), (_STORY, -0.9), (NS + "ns:m.bb ns:film.film.directed_by ?x }", -4.0)],
    MADE: [
        (NS + "ns:m.bb ns:film.film.directed_by ?x }", -0.15),
        (NS + "?x ns:film.director.film ns:m.bb }", -0.2),
        (NS + "ns:m.bb ns:film.film.edited_by ?x }", -0.2),
    ],
    PRODUCED: _EDITED,
    MAYOR: NS + "ns:m.georgia ns:location.location.contains ?x }",
    TITLE: NS + "ns:m.gastate " + _GOVERNS.replace("}", ". ?o " + _TITLE + " ns:m.mayor }"),
    TOWN: NS + "ns:m.nolan ns:people.person.place_of_birth ?p . ?p ns:location.country.currency_used ?x }",
    AMERICAN: NS + "ns:m.bb ns:film.film.directed_by ?x . ?x ns:people.person.nationality ns:m.usa }",
    LATE: NS + "ns:m.bb ns:film.film.directed_by ?x . ?x ns:people.person.date_of_birth ?d"
    ' FILTER (?d > "1990-01-01"^^xsd:dateTime) }',
    LIVES: "PREFIX e: <http://example.org/> SELECT DISTINCT ?x WHERE {"
    " e:ada e:worksWith ?p . ?p e:birthYear ?x }",
    SEQUEL: [
        (NS + "ns:m.bb ns:film.film.sequel ?x }", 0.0),
        (NS + "ns:m.bb ns:film.film.directed_by ?p . ?p ns:people.person.nationality ?x }", -0.3),
        (NS + "ns:m.bb ns:film.film.directed_by ?d . ?d ns:people.person.nationality ?x }", -0.4),
    ],
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("offers")
    (folder / "facts.ttl").write_text(FACTS, encoding="utf-8")
    with open_kb(str(build_kb([folder / "facts.ttl"], folder / "kb"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def engine(kb: KnowledgeBase) -> Engine:
    return Engine(kb, ScriptedParser(SCRIPT))


def version(engine: Engine, question: str, mode: Mode = FULL) -> Version:
    found = engine.first_version(question, mode).current
    assert found is not None
    return found


def sample(offer: Offer) -> list[str]:
    return sorted(a.label for a in offer.sample)


def answers(dialogue: Dialogue) -> list[str]:
    assert dialogue.current is not None
    return sorted(a.label for a in dialogue.current.steps[-1].answers)


# --- an empty answer ---------------------------------------------------------


def test_another_predicate_of_the_same_thing_is_offered_best_fit_first(engine: Engine) -> None:
    found = version(engine, STORY)
    assert found.broken_at == 1
    best = found.offers[0]
    assert (best.kind, best.step, best.answer_count, sample(best)) == ("predicate", 1, 1, ["David S. Goyer"])
    assert "story" in best.text and "Batman Begins" in best.text
    assert "film.film.story_by" in render(best.parse.query)


def test_the_later_steps_stay_and_the_samples_are_the_final_answers(engine: Engine) -> None:
    found = version(engine, NATION)
    assert found.broken_at == 1 and found.steps[1].outcome == "empty"
    best = found.offers[0]
    assert (best.step, sample(best)) == (1, ["United States"])
    assert best.parse.decomposition.steps[1] == found.parse.decomposition.steps[1]


def test_the_step_before_the_broken_one_may_be_the_wrong_one(engine: Engine) -> None:
    found = version(engine, BORN)
    assert found.broken_at == 2
    best = found.offers[0]
    assert (best.step, sample(best)) == (1, ["London"])
    assert "film.film.directed_by" in render(best.parse.query)


def test_the_other_direction_is_offered(engine: Engine) -> None:
    best = version(engine, CAPITAL).offers[0]
    assert (best.kind, best.text, sample(best)) == (
        "direction",
        "What is the capital of United Kingdom?",
        ["London"],
    )


def test_another_entity_of_the_name_is_offered_and_told_apart(engine: Engine) -> None:
    offer = version(engine, GOVERNOR).offers[0]
    assert (offer.kind, sample(offer)) == ("entity", ["Brian Kemp"]) and "Georgia (us state)" in offer.text


def test_another_entity_of_the_name_may_take_another_predicate(engine: Engine) -> None:
    offers = [o for o in version(engine, MAYOR).offers if o.kind == "entity"]
    assert ["Brian Kemp"] in [sample(o) for o in offers]


def test_a_missing_step_is_offered_with_the_one_that_goes_on_from_it(engine: Engine) -> None:
    found = version(engine, TOWN)
    assert found.broken_at == 2
    offers = [o for o in found.offers if o.kind == "insert" and sample(o) == ["British pound"]]
    assert all(o.step == 2 and len(o.parse.decomposition.steps) == 3 for o in offers)
    assert any("that birthplace? Then: What currency" in o.text for o in offers)


def test_a_condition_that_nothing_meets_may_be_left_out(engine: Engine) -> None:
    found = version(engine, AMERICAN)
    assert found.broken_at == 2
    (offer,) = [o for o in found.offers if o.kind == "without" and o.step == 2]
    assert offer.text == f"Leave out: {found.steps[1].shown}" and sample(offer) == ["Christopher Nolan"]
    assert [sample(o) for o in found.offers].count(["David S. Goyer"]) == 1  # who is what an American wrote


def test_a_sorting_that_nothing_has_a_value_for_may_be_left_out(engine: Engine) -> None:
    found = version(engine, HIGHEST)
    assert found.broken_at == len(found.steps) == 3
    (offer,) = [o for o in found.offers if o.kind == "without"]
    assert offer.step == 3 and sample(offer) == ["Tbilisi"]


def test_what_is_left_over_names_more_than_a_kind(engine: Engine) -> None:
    """Gori is the highest of all towns, and has nothing to do with the question."""
    assert ["Gori"] not in [sample(o) for o in version(engine, HIGHEST).offers]


def test_a_restriction_may_be_left_out_of_its_step(engine: Engine) -> None:
    found = version(engine, TITLE)
    (offer,) = [o for o in found.offers if o.kind == "without"]
    assert offer.step == 1 and sample(offer) == ["Brian Kemp"] and "Mayor" not in offer.text


def test_a_date_is_compared_with_dates_only(engine: Engine) -> None:
    for offer in version(engine, LATE).offers:
        assert "nationality" not in offer.text and "place" not in offer.text


def test_a_reading_of_the_parser_that_was_not_tried_is_offered(kb: KnowledgeBase) -> None:
    hasty = Engine(kb, ScriptedParser(SCRIPT), settings=Settings(tried=1))
    (offer,) = [o for o in version(hasty, SEQUEL).offers if o.kind == "reading"]
    assert offer.step == 0 and sample(offer) == ["United Kingdom"]
    assert "Then: " in offer.text and offer.text.count("?") == 2


def test_a_condition_of_a_mediator_is_tried_with_the_mediator_s_predicates(engine: Engine) -> None:
    best = version(engine, PEOPLE).offers[0]
    assert sample(best) == ["8,866,000"]


def test_a_node_that_only_ties_others_together_is_no_answer_to_offer(engine: Engine) -> None:
    """From London a population leads to a node without a name, and from there to the figure."""
    for question in (TOWN, PEOPLE, GOVERNOR, BORN, LIVES):
        for offer in version(engine, question).offers:
            assert any(not label.startswith(("m.", "_:")) for label in sample(offer)), offer.text


def test_a_count_of_nothing_is_broken_where_nothing_was_found(engine: Engine) -> None:
    found = version(engine, COUNT)
    assert found.steps[-1].answers[0].label == "0" and found.broken_at == 1
    assert ["2"] in [sample(o) for o in found.offers]


def test_a_graph_in_its_own_words_gets_offers_too(engine: Engine) -> None:
    found = version(engine, LIVES)
    best = found.offers[0]
    assert (found.broken_at, best.step, sample(best)) == (2, 2, ["Camden"])
    assert best.text == "What is the lives in of that?"


def test_an_offer_can_be_chosen_and_gives_what_it_showed(engine: Engine) -> None:
    dialogue = engine.first_version(NATION)
    assert dialogue.current is not None
    for number, offer in enumerate(dialogue.current.offers, 1):
        chosen = engine.advance(dialogue, Choose(number))
        assert set(sample(offer)) <= set(answers(chosen)) and len(answers(chosen)) == offer.answer_count
        assert chosen.current is not None and chosen.current.broken_at is None


def test_offers_are_few_and_no_two_find_the_same(engine: Engine) -> None:
    for question in SCRIPT:
        offers = version(engine, question).offers
        assert len(offers) <= 5
        assert len({canonical(o.parse.query) for o in offers}) == len({o.text for o in offers}) == len(offers)
        if question != COUNT:
            assert len({frozenset(a.value for a in o.sample) for o in offers}) == len(offers)
    assert len(version(engine, STORY).offers) > 2


def test_of_two_that_count_the_same_things_one_is_offered(engine: Engine) -> None:
    offers = version(engine, COUNT).offers
    counted = []
    for offer in offers:
        whole = offer.parse.decomposition
        last = whole.steps[-1]
        assert isinstance(last, Count)
        rows = engine.kb.store.select(render(recompose_step(whole, last.source.step)))
        counted.append(frozenset(rows.rows))
    assert len(counted) > 1 and len(set(counted)) == len(counted)
    numbers = [sample(o) for o in offers]
    assert len(numbers) > len(set(map(tuple, numbers)))  # equal numbers of different things both stand


def test_an_offer_never_reads_as_the_step_that_is_shown(engine: Engine) -> None:
    for question in SCRIPT:
        found = version(engine, question)
        assert not {o.text for o in found.offers} & {s.shown for s in found.steps}


def test_a_mode_of_templates_gets_offers_in_templates(engine: Engine) -> None:
    best = version(engine, STORY, TEMPLATED).offers[0]
    assert best.text == "Who is the story author of [Batman Begins]?"


def test_a_mode_without_edits_gets_no_offers(engine: Engine) -> None:
    found = version(engine, STORY, NON_INTERACTIVE)
    assert found.broken_at == 1 and found.offers == ()


def test_names_from_the_graph_are_shown_as_text(engine: Engine) -> None:
    shown = [label for o in version(engine, PRODUCED).offers for label in sample(o)]
    assert any("<b>Roven</b>" in label for label in shown)
    assert not any("\x1b" in label for label in shown)


def test_an_empty_answer_is_never_shown_with_confidence(engine: Engine) -> None:
    for question in (STORY, NATION, CAPITAL, COUNT):
        found = version(engine, question)
        assert found.steps[-1].confidence <= EMPTY_CAP
        assert all(s.confidence <= EMPTY_CAP for s in found.steps if s.outcome == "empty")
    assert version(engine, BORN).least_sure == 2


# --- two readings that are about as likely -----------------------------------


def test_siblings_are_warned_of_on_their_step_and_offered_with_previews(engine: Engine) -> None:
    found = version(engine, WROTE)
    (offer,) = found.offers
    assert (offer.kind, offer.step, sample(offer)) == ("predicate", 1, ["David S. Goyer"])
    (warning,) = found.steps[0].warnings
    assert offer.text in warning and "David S. Goyer" in warning and found.broken_at is None


def test_siblings_far_apart_are_no_warning(kb: KnowledgeBase) -> None:
    sure = Engine(kb, ScriptedParser(SCRIPT), settings=Settings(sibling_gap=0.2))
    found = version(sure, WROTE)
    assert found.offers == () and found.steps[0].warnings == ()


def test_siblings_with_the_same_answers_or_none_are_no_warning(engine: Engine) -> None:
    found = version(engine, MADE)
    assert found.offers == () and found.steps[0].warnings == ()


# --- time, and stores that fail ----------------------------------------------


class _Failing:
    """A store in which queries take `delay_s`, or fail with `error`. `asked` counts them."""

    def __init__(self, store: Store, delay_s: float = 0.0, error: Exception | None = None) -> None:
        self.store, self.delay_s, self.error = store, delay_s, error
        self.asked = 0

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        self.asked += 1
        if self.error is not None:
            raise self.error
        time.sleep(min(self.delay_s, time_limit_s))
        return self.store.select(query, bindings=bindings, time_limit_s=time_limit_s, row_limit=row_limit)

    def close(self) -> None:
        self.store.close()


def _over(kb: KnowledgeBase, store: Store) -> KnowledgeBase:
    return KnowledgeBase(kb.name, kb.signature, store, kb.index, kb.linker, kb.lexicon, kb.folder)


def _bare(engine: Engine, question: str) -> Version:
    """The version without offers."""
    return version(Engine(engine.kb, engine.parser, settings=Settings(offers_s=0)), question)


def test_offers_end_with_their_time(engine: Engine, kb: KnowledgeBase) -> None:
    bare = _bare(engine, BORN)
    assert bare.offers == ()
    slow, quick = _Failing(kb.store, delay_s=0.2), _Failing(kb.store)
    found = Offering(_over(kb, slow), Limits(total_s=1.5)).added(bare, [bare.parse], BORN, FULL)
    Offering(_over(kb, quick), Limits(total_s=600)).added(bare, [bare.parse], BORN, FULL)
    assert slow.asked <= 10 < quick.asked and found.offers


@pytest.mark.parametrize("error", [StoreTimeout("stopped"), StoreUnavailable("gone")])
def test_a_store_that_fails_costs_offers_and_not_the_version(
    engine: Engine, kb: KnowledgeBase, error: Exception
) -> None:
    failing = _Failing(kb.store, error=error)
    for question in (STORY, WROTE):
        bare = _bare(engine, question)
        parses = engine.parse(question)
        assert Offering(_over(kb, failing), Limits()).added(bare, parses, question, FULL) == bare


# --- fit and places ----------------------------------------------------------


def test_words_are_compared_without_their_endings() -> None:
    assert stems("directed by") == stems("Director by") == ("direct", "by")
    assert stems("countries") == stems("country") != stems("county")


def test_a_path_fits_by_the_wordings_that_the_lexicon_knows() -> None:
    fit = Fit(freebase_lexicon())
    words = fit.question("Who wrote the story of Batman Begins?", ["Batman Begins"])
    assert "batman" not in words
    story, written = (fit.score(parse_path(f"film.film.{p}"), words) for p in ("story_by", "written_by"))
    assert story > written > fit.score(parse_path("film.film.runtime film.film_cut.runtime"), words)


def test_what_another_step_accounts_for_counts_for_less() -> None:
    fit = Fit(freebase_lexicon())
    words = fit.question("Where was the director of Batman Begins born?", ["Batman Begins"])
    directed, born = parse_path("film.film.directed_by"), parse_path("people.person.place_of_birth")
    left = fit.besides(words, [directed])
    assert fit.score(directed, left) < fit.score(directed, words)
    assert fit.score(born, left) > fit.score(directed, left)


def test_a_path_without_wordings_is_known_by_its_own_words() -> None:
    fit = Fit(Lexicon())
    words = fit.question("Where does she live?", [])
    lives, knows = parse_path("<http://example.org/livesIn>"), parse_path("<http://example.org/knows>")
    assert fit.score(lives, words) > fit.score(knows, words)


@given(decompositions())
def test_a_path_put_back_in_its_place_changes_nothing(found: Decomposition) -> None:
    for number in range(1, len(found.steps) + 1):
        for place in places(found.steps, number):
            assert place.put(found.steps, place.outward) == found.steps
