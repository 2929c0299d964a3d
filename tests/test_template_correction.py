"""Sub-questions in templated English: which of the things of one name they speak of."""

from __future__ import annotations

from kbqa.correct import TemplateCorrector
from kbqa.correct.context import Context
from kbqa.lexicon import freebase_lexicon
from kbqa.lexicon.nouns import INSTANCES
from kbqa.protocols import Candidate, Mention
from kbqa.types import Find, Hop, Iri, Keep, Ref, Step, freebase

NOTABLE, TYPED = INSTANCES
MOUNTAIN, MOUNTAINS = freebase("local.type.mountain"), freebase("geography.mountain")
COUNTRY, STATE = freebase("m.0d0kn"), freebase("m.0d0x8")
CAPITAL = (Hop(freebase("location.us_state.capital")),)


def named(text: str, *entities: Iri) -> Mention:
    return Mention(0, len(text), text, tuple(Candidate(e, text, text, 0.9) for e in entities))


def read(text: str, *mentions: Mention, context: Context | None = None, n: int = 5) -> list[Step]:
    found = TemplateCorrector(freebase_lexicon()).correct(text, mentions, context or Context(), n=n)
    return [corrected.step for corrected in found]


def test_a_type_is_meant_where_instances_are_asked_for() -> None:
    mountain = named("Mountain", MOUNTAIN)
    assert read("What is the thing that is of the type [Mountain]?", mountain)[0] == Find(MOUNTAINS, TYPED)
    notable = read("What is the thing that is notable as a [Mountain]?", mountain)
    assert notable[0] == Find(MOUNTAIN, NOTABLE)


def test_a_type_that_the_dialogue_calls_otherwise_is_meant_all_the_same() -> None:
    context = Context(steps=(Find(MOUNTAIN, NOTABLE),), entities=((MOUNTAIN, "Mountain"),))
    said = "Of these, which is the thing that is of the type [Mountain]?"
    assert read(said, context=context)[0] == Keep(Ref(1), MOUNTAINS, TYPED)


def test_a_type_that_no_linker_finds_is_read_by_its_name() -> None:
    said = "What is the thing that is of the type [Citytown]?"
    assert read(said) == [Find(freebase("location.citytown"), TYPED)]


def test_all_things_of_a_name_are_read_the_likeliest_first() -> None:
    georgia = named("Georgia", COUNTRY, STATE)
    said = "What is the state capital of [Georgia]?"
    assert read(said, georgia) == [Find(COUNTRY, CAPITAL), Find(STATE, CAPITAL)]
    assert read(said, georgia, n=1) == [Find(COUNTRY, CAPITAL)]


def test_a_name_means_first_what_it_means_in_the_dialogue() -> None:
    context = Context(entities=((STATE, "Georgia"),))
    said = "What is the state capital of [Georgia]?"
    assert read(said, named("Georgia", COUNTRY, STATE), context=context) == [
        Find(STATE, CAPITAL),
        Find(COUNTRY, CAPITAL),
    ]
