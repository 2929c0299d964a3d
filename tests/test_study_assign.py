"""Who does what in a study: the laws of `kbqa.study.assign`, for any study and any coming and going."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kbqa.dialogue import DECONTEXTUALIZED, FULL, NON_INTERACTIVE, TEMPLATED
from kbqa.errors import InputError
from kbqa.study.assign import Form, Past, make_forms
from kbqa.study.config import Comparison
from kbqa.study.deal import choose
from kbqa.study.items import Item, blocks

ABLATED = (TEMPLATED, DECONTEXTUALIZED, NON_INTERACTIVE)


def _comparisons(number: int) -> tuple[Comparison, ...]:
    return tuple(Comparison(f"c{n}", (FULL, m)) for n, m in enumerate(ABLATED[:number]))


def _items(number: int, kinds: int = 1) -> tuple[Item, ...]:
    return tuple(Item(f"i{n}", f"question {n}", f"type {n % kinds}", "{}") for n in range(number))


STUDIES = st.tuples(st.integers(2, 9), st.integers(1, 3), st.integers(1, 3), st.integers(0, 5))
"""Blocks, comparisons, replications, seed."""
PLANNED = st.tuples(st.integers(2, 8), st.integers(1, 3), st.integers(1, 2), st.integers(0, 5))
"""The same, of such sizes that whole studies are dealt in a second or two."""


@given(STUDIES)
def test_every_block_is_used_equally_often_in_each_condition(study: tuple[int, int, int, int]) -> None:
    count, number, replications, seed = study
    comparisons = _comparisons(number)
    forms = make_forms(comparisons, count, replications, seed)
    used = Counter((f.comparison, c, b) for f in forms for c, b in zip(f.conditions, f.blocks, strict=True))
    assert set(used.values()) == {replications}
    assert len(used) == number * 2 * count
    assert all(len(set(f.blocks)) == 2 for f in forms)
    for comparison in comparisons:
        first = Counter(f.conditions[0] for f in forms if f.comparison == comparison.name)
        assert max(first.values()) - min(first.values()) <= replications
    assert forms == make_forms(comparisons, count, replications, seed)


class Dealt:
    """Forms that workers take as they come: `held`, form -> worker."""

    def __init__(self, forms: tuple[Form, ...]) -> None:
        self.forms, self.held = forms, dict[int, int]()
        self._had: dict[int, list[Form]] = defaultdict(list)

    def _past(self, worker: int) -> Past:
        had = self._had[worker]
        return Past(frozenset(b for f in had for b in f.blocks), frozenset(f.comparison for f in had))

    def take(self, worker: int) -> bool:
        past = self._past(worker)
        others = [self._past(w) for w in sorted(self._had) if w != worker]
        form = choose(self.forms, self.held.keys(), past, others)
        free = [f for f in self.forms if f.number not in self.held]
        if form is None:
            assert not any(past.fits(f) for f in free), "a form that fits is never kept back"
            return False
        assert form in free
        assert not past.blocks & set(form.blocks), "a target question twice"
        assert form.comparison not in past.comparisons
        self._had[worker].append(form)
        self.held[form.number] = worker
        return True


@settings(deadline=None, max_examples=20)
@given(PLANNED, st.data())
def test_whoever_comes_and_goes_nobody_meets_a_question_twice_and_all_is_done(
    study: tuple[int, int, int, int], data: st.DataObject
) -> None:
    """Workers take forms in any order; some are given up and become free. At the end new workers do what
    is left, and each block was done equally often in each condition."""
    count, number, replications, seed = study
    forms = make_forms(_comparisons(number), count, replications, seed)
    dealt = Dealt(forms)
    held, take = dealt.held, dealt.take
    for worker, gives_up in data.draw(
        st.lists(st.tuples(st.integers(0, 6), st.booleans()), max_size=40), label="who comes"
    ):
        take(worker)
        mine = [f for f, w in held.items() if w == worker]
        if gives_up and mine:
            del held[mine[0]]
    worker = 100
    while take(worker) or len(held) < len(forms):
        worker += 1
    done = Counter((f.comparison, c, b) for f in forms for c, b in zip(f.conditions, f.blocks, strict=True))
    assert set(held) == {f.number for f in forms}
    assert set(done.values()) == {replications}


@settings(deadline=None, max_examples=20)
@given(PLANNED, st.data())
def test_as_few_workers_as_can_do_everything_do_everything(
    study: tuple[int, int, int, int], data: st.DataObject
) -> None:
    """As many workers as a comparison has forms, each of whom does all comparisons, in any order."""
    count, number, replications, seed = study
    assume(replications == 1 or count > 2 * number + 2)  # else there are plans that take half a minute
    assume(all(_fits_together(count, number, 1 + r % (count - 1)) for r in range(replications)))
    dealt = Dealt(make_forms(_comparisons(number), count, replications, seed))
    workers = [w for w in range(count * replications) for _ in range(number)]
    for worker in data.draw(st.permutations(workers), label="who comes"):
        assert dealt.take(worker)
    assert len(dealt.held) == len(dealt.forms)


def _fits_together(count: int, number: int, shift: int) -> bool:
    """Whether a whole round can be dealt: then the worker at place p takes the pairs of blocks that begin
    at p + offset, another offset in each comparison."""
    apart = {0, shift, count - shift}
    return any(
        all((a - b) % count not in apart for a, b in combinations(offsets, 2))
        for offsets in product(range(count), repeat=number)
    )


def test_two_hundred_workers_are_dealt_everything_without_waiting() -> None:
    forms = make_forms(_comparisons(3), 40, 5, 0)
    others = [Past(frozenset(f.blocks), frozenset({f.comparison})) for f in forms[:199]]
    start = time.perf_counter()
    assert choose(forms, range(1, 200), Past(), others) is not None
    assert time.perf_counter() - start < 5


@settings(deadline=None, max_examples=20)
@given(PLANNED)
def test_comparisons_fill_up_evenly(study: tuple[int, int, int, int]) -> None:
    count, number, replications, seed = study
    forms = make_forms(_comparisons(number), count, replications, seed)
    taken: set[int] = set()
    for _ in range(len(forms)):
        form = choose(forms, taken, Past(), ())
        assert form is not None
        taken.add(form.number)
        filled = Counter(f.comparison for f in forms if f.number in taken)
        assert max(filled.values()) - min(filled.get(c.name, 0) for c in _comparisons(number)) <= 1
    assert choose(forms, taken, Past(), ()) is None


@given(st.integers(1, 8), st.integers(2, 10), st.integers(1, 5), st.integers(0, 3))
def test_blocks_hold_every_item_once_and_the_types_evenly(
    size: int, count: int, kinds: int, seed: int
) -> None:
    items = _items(size * count, kinds)
    dealt = blocks(items, size, seed)
    assert sorted(i.id for b in dealt for i in b) == sorted(i.id for i in items)
    assert {len(b) for b in dealt} == {size}
    for kind in {i.type for i in items}:
        numbers = [sum(i.type == kind for i in b) for b in dealt]
        assert max(numbers) - min(numbers) <= 1


@given(st.integers(1, 60), st.integers(2, 12))
def test_items_that_do_not_come_out_even_are_refused_with_a_way_out(number: int, size: int) -> None:
    assume(number % size)
    with pytest.raises(
        InputError, match=f"limit = {number - number % size}" if number > size else "add rows"
    ):
        blocks(_items(number), size, 0)


def test_one_block_is_too_few_for_two_conditions() -> None:
    with pytest.raises(InputError, match="twice"):
        make_forms(_comparisons(1), 1, 1, 0)
    alone = make_forms([Comparison("only", (FULL,))], 1, 2, 0)
    assert [(f.conditions, f.blocks) for f in alone] == [(("full",), (0,)), (("full",), (0,))]


def test_a_second_round_gives_a_block_other_neighbours() -> None:
    forms = make_forms(_comparisons(1), 5, 2, 0)
    neighbours = [frozenset(f.blocks) for f in forms]
    assert len(set(neighbours)) == len(neighbours)
