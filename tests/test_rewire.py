"""Steps with one more, one fewer or another: what later steps rest on is put right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import decompositions, steps

from kbqa.decompose.recompose import references
from kbqa.errors import FeedbackError
from kbqa.rewire import (
    Steps,
    deleted,
    exchange,
    inserted,
    loose,
    replaced,
    taken_along,
    turned_elsewhere,
    with_references,
)
from kbqa.types import (
    XSD,
    Among,
    Count,
    Decomposition,
    Exists,
    Find,
    Hop,
    Is,
    IsNot,
    Keep,
    Kind,
    Lacks,
    Literal,
    Merge,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
)

TOM, BOB, EGYPT = freebase("m.tom"), freebase("m.bob"), freebase("m.egypt")


def path(name: str, inverse: bool = False) -> Path:
    return (Hop(freebase(name), inverse),)


FILMS, DIRECTOR, DIRECTED = path("film.actor.film"), path("film.film.directed_by"), path("film.director.film")
DATE, NATION = path("film.film.initial_release_date"), path("people.person.nationality")
LATEST = Pick(Ref(1), "answer", DATE, True, Kind.DATE)


def where(test: Is | IsNot | Than, along: Path = ()) -> tuple[Restriction, ...]:
    return (Restriction("answer", along, (test,)),)


def first(ways: object) -> Steps:
    return next(iter(ways))  # type: ignore[call-overload, no-any-return]


# --- insert ------------------------------------------------------------------


def test_what_rested_on_a_step_rests_on_the_one_that_goes_on_from_it() -> None:
    whole = (Find(TOM, FILMS), Find(Ref(1), DIRECTOR), Find(Ref(2), NATION))
    kept = Keep(Ref(1), None, (), where(IsNot(EGYPT)))
    assert list(inserted(whole, 2, kept)) == [
        (Find(TOM, FILMS), kept, Find(Ref(2), DIRECTOR), Find(Ref(3), NATION))
    ]


def test_what_rested_on_another_step_stays_there() -> None:
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), Keep(Ref(2), Ref(1)), Find(Ref(1), DIRECTOR))
    assert list(inserted(whole, 3, Find(Ref(2), DIRECTOR))) == [
        (*whole[:2], Find(Ref(2), DIRECTOR), Keep(Ref(3), Ref(1)), Find(Ref(1), DIRECTOR))
    ]


def test_a_step_only_compared_with_keeps_those_that_compare_with_it_too() -> None:
    """'Films of Tom after that date' asks about Tom, not about the date."""
    later = where(Than(">", Ref(1), Kind.DATE), DATE)
    whole = (Find(EGYPT, DATE), Find(BOB, DIRECTED, later))
    ways = list(inserted(whole, 2, Find(TOM, FILMS, later)))
    assert ways
    for way in ways:
        assert all(ref == Ref(1) for s in way[1:] for ref in references(s) if ref.step == 1)
        assert Restriction("answer", DATE, (Than(">", Ref(1), Kind.DATE),)) in way[2].restrictions  # type: ignore[union-attr]


def test_a_merge_takes_the_place_of_all_that_it_merges() -> None:
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), Find(Ref(2), DIRECTOR))
    merge = Merge((Ref(1), Ref(2)))
    assert list(inserted(whole, 3, merge)) == [(*whole[:2], merge, Find(Ref(3), DIRECTOR))]


def test_a_merge_before_another_of_the_same_makes_that_one_needless() -> None:
    merge = Merge((Ref(1), Ref(2)))
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), merge, Find(Ref(3), DIRECTOR))
    assert list(inserted(whole, 3, merge)) == [(*whole[:3], Find(Ref(3), DIRECTOR))]


def test_an_intersection_takes_the_place_of_both() -> None:
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), Find(Ref(1), DIRECTOR))
    both = Keep(Ref(2), Ref(1))
    assert list(inserted(whole, 3, both)) == [(*whole[:2], both, Find(Ref(3), DIRECTOR))]


def test_a_step_about_none_narrows_what_the_next_one_goes_on_from() -> None:
    ways = list(inserted((Find(TOM, FILMS), LATEST), 2, Find(BOB, DIRECTED)))
    assert ways[0] == (Find(TOM, FILMS), Keep(Ref(1), BOB, DIRECTED), Pick(Ref(2), *_rest(LATEST)))
    assert ways[-1] == (Find(TOM, FILMS), Find(BOB, DIRECTED), LATEST)


def test_a_step_before_the_first_is_what_the_first_goes_on_from() -> None:
    ways = list(inserted((Find(EGYPT, NATION),), 1, Find(TOM, FILMS)))
    assert ways[0] == (Find(TOM, FILMS), Find(Ref(1), NATION))
    assert ways[1] == (Find(TOM, FILMS), Keep(Ref(1), EGYPT, NATION))


def test_a_step_before_an_either_or_is_one_more_of_it() -> None:
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), Merge((Ref(1), Ref(2))))
    ways = inserted(whole, 3, Find(EGYPT, FILMS))
    assert first(ways) == (*whole[:2], Find(EGYPT, FILMS), Merge((Ref(1), Ref(2), Ref(3))))


def test_a_step_at_the_end_is_of_the_answers_so_far() -> None:
    ways = list(inserted((Find(TOM, FILMS),), 2, Find(BOB, DIRECTED)))
    assert ways == [
        (Find(TOM, FILMS), Keep(Ref(1), BOB, DIRECTED)),
        (Find(TOM, FILMS), Find(BOB, DIRECTED)),
    ]
    assert list(inserted((Find(TOM, FILMS),), 2, Count(Ref(1)))) == [(Find(TOM, FILMS), Count(Ref(1)))]


@pytest.mark.parametrize("at", [-1, 0, 3, 99])
def test_a_place_that_there_is_not_is_an_error_that_names_the_places(at: int) -> None:
    with pytest.raises(FeedbackError, match="1 to 2"):
        list(inserted((Find(TOM, FILMS),), at, Count(Ref(1))))


# --- delete ------------------------------------------------------------------


def test_what_rested_on_a_step_rests_on_what_it_rested_on() -> None:
    whole = (Find(TOM, FILMS), Keep(Ref(1), BOB, DIRECTED), Pick(Ref(2), *_rest(LATEST)), Count(Ref(3)))
    assert deleted(whole, 2) == (Find(TOM, FILMS), LATEST, Count(Ref(2)))
    assert deleted(whole, 3) == (*whole[:2], Count(Ref(2)))
    assert deleted(whole, 4) == whole[:3]
    assert deleted((Find(TOM, FILMS), Find(Ref(1), DIRECTOR)), 1) == (Find(TOM, DIRECTOR),)


def test_a_filter_without_what_it_filtered_asks_on_its_own() -> None:
    whole = (Find(TOM, FILMS), Keep(Ref(1), BOB, DIRECTED), Pick(Ref(2), *_rest(LATEST)))
    assert deleted(whole, 1) == (Find(BOB, DIRECTED), LATEST)


def test_an_intersection_or_either_or_with_one_side_left_is_that_side() -> None:
    sides = (Find(TOM, FILMS), Find(BOB, DIRECTED))
    for both in (Keep(Ref(2), Ref(1)), Keep(Ref(1), Ref(2)), Merge((Ref(1), Ref(2)))):
        whole = (*sides, both, Find(Ref(3), DIRECTOR))
        assert deleted(whole, 1) == (sides[1], Find(Ref(1), DIRECTOR)), both
        assert deleted(whole, 2) == (sides[0], Find(Ref(1), DIRECTOR)), both


def test_an_either_or_of_three_does_without_one() -> None:
    whole = (Find(TOM, FILMS), Find(BOB, DIRECTED), Find(EGYPT, FILMS), Merge((Ref(1), Ref(2), Ref(3))))
    assert deleted(whole, 2) == (whole[0], whole[2], Merge((Ref(1), Ref(2))))


def test_answers_of_another_kind_are_not_put_together() -> None:
    """Without 'who directed them' the directors are not to be found among the films."""
    whole = (Find(TOM, FILMS), Find(Ref(1), DIRECTOR), Find(EGYPT, NATION), Keep(Ref(3), Ref(2)))
    assert deleted(whole, 2) == (Find(TOM, FILMS), Find(EGYPT, NATION))
    merged = (*whole[:3], Merge((Ref(2), Ref(3))), Find(Ref(4), NATION))
    assert deleted(merged, 2) == (Find(TOM, FILMS), Find(EGYPT, NATION), Find(Ref(2), NATION))


def test_a_filter_turned_question_has_answers_of_its_own_kind() -> None:
    whole = (Find(TOM, FILMS), Keep(Ref(1), BOB, DIRECTED), Find(EGYPT, FILMS), Keep(Ref(3), Ref(2)))
    assert deleted(whole, 1) == (Find(BOB, DIRECTED), Find(EGYPT, FILMS), Keep(Ref(2), Ref(1)))


def test_a_comparison_with_a_value_that_is_gone_goes() -> None:
    after = where(Than(">", Ref(2), Kind.DATE), DATE)
    whole = (Find(EGYPT, FILMS), Find(Ref(1), DATE), Find(TOM, FILMS, after))
    assert deleted(whole, 2) == (Find(EGYPT, FILMS), Find(TOM, FILMS))
    other = (Find(EGYPT, FILMS), Find(Ref(1), DIRECTOR), Keep(Ref(1), None, (), where(IsNot(Ref(2)))))
    assert deleted(other, 2) == (Find(EGYPT, FILMS),)


def test_a_comparison_with_fewer_of_the_same_values_stays() -> None:
    after = where(Than(">", Ref(2), Kind.DATE), DATE)
    kept = Keep(Ref(1), None, (), where(IsNot(EGYPT)))
    whole = (Find(EGYPT, DATE), kept, Find(TOM, FILMS, after))
    assert deleted(whole, 2) == (whole[0], Find(TOM, FILMS, where(Than(">", Ref(1), Kind.DATE), DATE)))


def test_a_condition_on_a_way_that_is_gone_goes() -> None:
    held = Restriction("mediator", path("film.performance.character"), (Exists(),))
    way = (*FILMS, *path("film.performance.film"))
    whole = (Find(EGYPT, FILMS), Find(Ref(1), DIRECTOR), Find(TOM, FILMS), Keep(Ref(3), Ref(2), way, (held,)))
    kept = deleted(whole, 2)[-1]
    assert kept == Keep(Ref(2), Ref(1), way, (held,))
    gone = (Find(Literal("x"), FILMS), Find(TOM, FILMS), Keep(Ref(2), Ref(1), way, (held,)))
    assert deleted(gone, 1) == (Find(TOM, FILMS),)


def test_the_tests_of_a_superlative_are_put_right() -> None:
    pick = Pick(Ref(2), "answer", DATE, True, Kind.DATE, tests=(Than("<", Ref(1), Kind.DATE),))
    whole = (Find(EGYPT, DATE), Find(TOM, FILMS), pick)
    found = first(inserted(whole, 1, Find(BOB, DIRECTED)))
    assert found[-1] == Pick(Ref(3), *_rest(pick)[:-1], (Than("<", Ref(2), Kind.DATE),))
    assert deleted(whole, 1) == (Find(TOM, FILMS), LATEST)


def test_what_goes_along_and_what_asks_of_something_else_is_named() -> None:
    after = where(Than(">", Literal("1990"), Kind.DATE), DATE)
    whole = (Find(TOM, FILMS), Keep(Ref(1), restrictions=after), Find(Ref(2), DIRECTOR))
    assert deleted(whole, 1) == (Find(TOM, DIRECTOR),)
    assert taken_along(whole, 1) == (2,) and turned_elsewhere(whole, 1) == (1,)
    assert taken_along(whole, 2) == () and turned_elsewhere(whole, 2) == ()
    sorted_by = (Find(TOM, FILMS), Find(Ref(1), DIRECTOR), replace(LATEST, source=Ref(2)))
    assert taken_along(sorted_by, 2) == () and turned_elsewhere(sorted_by, 2) == (2,)


def test_something_must_be_left() -> None:
    for whole in ((Find(TOM, FILMS),), (Find(TOM, FILMS), Count(Ref(1)))):
        with pytest.raises(FeedbackError, match="at least one step"):
            deleted(whole, 1)


@pytest.mark.parametrize("at", [-1, 0, 3, 99])
def test_a_step_that_there_is_not_is_an_error_that_names_the_steps(at: int) -> None:
    whole = (Find(TOM, FILMS), Count(Ref(1)))
    with pytest.raises(FeedbackError, match="numbered 1 to 2"):
        deleted(whole, at)
    with pytest.raises(FeedbackError, match="numbered 1 to 2"):
        list(replaced(whole, at, Count(Ref(1))))


# --- replace -----------------------------------------------------------------


@pytest.mark.parametrize("old", [Keep(Ref(1), TOM, FILMS), LATEST, Count(Ref(1))])
def test_a_choice_among_answers_stays_one(old: Step) -> None:
    whole = (Find(TOM, FILMS), old)
    assert list(replaced(whole, 2, Find(BOB, DIRECTED))) == [
        (whole[0], Keep(Ref(1), BOB, DIRECTED)),
        (whole[0], Find(BOB, DIRECTED)),
    ]


def test_a_step_that_says_what_it_goes_on_from_is_taken_at_its_word() -> None:
    whole = (Find(TOM, FILMS), LATEST, Find(Ref(2), DIRECTOR))
    assert list(replaced(whole, 2, Find(Ref(1), DIRECTOR))) == [
        (whole[0], Find(Ref(1), DIRECTOR), Find(Ref(2), DIRECTOR))
    ]


# --- other entities ----------------------------------------------------------


def test_an_entity_is_exchanged_wherever_it_is_said() -> None:
    value = Literal("5", XSD + "decimal")
    tests = (
        Is(TOM),
        IsNot(TOM),
        Lacks(TOM),
        Among((TOM, value, BOB)),
        Lacks(),
        Than(">", value, Kind.NUMBER),
    )
    others = (Is(BOB), IsNot(BOB), Lacks(BOB), Among((BOB, value)), *tests[4:])
    said, other = (tuple(Restriction("answer", DATE, (t,)) for t in some) for some in (tests, others))
    for old, new in (
        (Find(TOM, FILMS, said), Find(BOB, FILMS, other)),
        (Keep(Ref(1), TOM, FILMS, said), Keep(Ref(1), BOB, FILMS, other)),
        (Pick(*_first(LATEST), tests=tests), Pick(*_first(LATEST), tests=others)),
        (Find(EGYPT, FILMS), Find(EGYPT, FILMS)),
        (Count(Ref(1)), Count(Ref(1))),
    ):
        assert exchange(old, {TOM: BOB}) == new


# --- on random steps -----------------------------------------------------------

often = settings(max_examples=200, deadline=None)


def _well_founded(whole: Steps) -> bool:
    return all(1 <= ref.step < n for n, step in enumerate(whole, 1) for ref in references(step))


@often
@given(decompositions(), st.data())
def test_no_step_is_left_resting_on_nothing_earlier(whole: Decomposition, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(whole.steps)))
    try:
        left = deleted(whole.steps, at)
    except FeedbackError:
        return
    assert _well_founded(left) and len(left) < len(whole.steps)


@often
@given(decompositions(), steps, st.data())
def test_a_step_is_put_where_it_was_asked_for(whole: Decomposition, new: Step, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(whole.steps) + 1))
    if any(ref.step >= at for ref in references(new)):
        return
    ways = list(inserted(whole.steps, at, new))
    assert ways
    for way in ways:
        assert way[: at - 1] == whole.steps[: at - 1] and _well_founded(way)
        assert type(way[at - 1]) is type(new) or isinstance(way[at - 1], Keep)


@often
@given(decompositions(), st.data())
def test_a_step_put_in_and_taken_out_changes_nothing(whole: Decomposition, data: st.DataObject) -> None:
    """Of a step that only chooses among the answers of the one before it."""
    at = data.draw(st.integers(2, len(whole.steps) + 1))
    chosen = Pick(Ref(at - 1), "answer", DATE, True, Kind.DATE)
    assume(not any(map(_says_twice, whole.steps)))
    assert deleted(first(inserted(whole.steps, at, chosen)), at) == whole.steps


@often
@given(decompositions())
def test_the_last_step_never_is_loose(whole: Decomposition) -> None:
    found = loose(whole.steps)
    assert len(whole.steps) not in found and set(found) <= set(range(1, len(whole.steps)))


@often
@given(steps)
def test_references_are_replaced_and_nothing_else(step: Step) -> None:
    assume(not _says_twice(step))
    assert with_references(step, lambda ref: ref) == step
    moved = with_references(step, lambda ref: Ref(ref.step + 7))
    assert [r.step for r in references(moved)] == [r.step + 7 for r in references(step)]


def _says_twice(step: Step) -> bool:
    """An either/or that names a step twice."""
    return isinstance(step, Merge) and len(set(step.sources)) < len(step.sources)


def _rest(pick: Pick) -> tuple[object, ...]:
    return tuple(getattr(pick, name) for name in Pick.__slots__[1:])


def _first(pick: Pick) -> tuple[object, ...]:
    return tuple(getattr(pick, name) for name in Pick.__slots__[:-1])
