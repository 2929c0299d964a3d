"""Any of several names, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from kbqa.reading.either import alternatives_of, joined
from kbqa.types import Count, Find, Hop, Iri, Keep, Merge, Ref
from tests.asking import answered, named

_A, _B, _C = (Iri(f"http://example.org/{x}") for x in "abc")
_P, _Q = (Hop(Iri(f"http://example.org/{x}")) for x in "pq")


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (
            "films directed by james cameron or his ex-wife kathryn bigelow",
            {"Aliens", "Avatar", "Titanic", "The Terminator", "The Hurt Locker", "Zero Dark Thirty"},
        ),
        (
            "Who won either best actress or best supporting actress in 1999?",
            {"Angelina Jolie", "Hilary Swank"},
        ),
        ("british prime ministers who went to either Eton or Harrow", {"Boris Johnson", "Winston Churchill"}),
        ("which albums did Prince or Madonna release in 1984", {"Purple Rain", "Like a Virgin"}),
    ],
)
def test_all_that_is_said_is_asked_of_each(shipped: Engine, question: str, answers: set[str]) -> None:
    assert answers <= set(answered(shipped, question))


def test_what_is_asked_of_each_leaves_out_those_of_whom_it_is_not_so(shipped: Engine) -> None:
    assert answered(shipped, "people that died of a stroke or a heart attack in paris") == ["Richard Wright"]


def test_how_many_counts_them_together(shipped: Engine) -> None:
    films = len(answered(shipped, "films directed by Christopher Nolan or Steven Spielberg"))
    found = answered(shipped, "how many films did Christopher Nolan or Steven Spielberg direct")
    assert films > 20
    assert found == [str(films)]


@pytest.mark.parametrize(
    ("text", "names", "said"),
    [
        ("films by Ann or Bob", ["Ann", "Bob"], ("films by ", "", 2)),
        ("films by either Ann or by Bob?", ["Ann", "Bob"], ("films by ", "?", 2)),
        ("films by Ann, Bob, or his wife Cleo in 1999", ["Ann", "Bob", "Cleo"], ("films by ", " in 1999", 3)),
        ("films by Ann or produced by Bob", ["Ann", "Bob"], None),
        ("Which is older, Ann or Bob?", ["Ann", "Bob"], None),
        ("Was Ann or Bob born here?", ["Ann", "Bob"], None),
        ("Who of these sings: Ann or Bob?", ["Ann", "Bob"], None),
        ("films by Ann or Bob or so", ["Ann", "Bob"], None),
        ("films by Ann and Bob", ["Ann", "Bob"], None),
    ],
)
def test_names_that_or_joins(text: str, names: list[str], said: tuple[str, str, int] | None) -> None:
    found = alternatives_of(text, named(text, *names))
    assert (found and (found.before, found.after, len(found.names))) == said


def test_the_steps_are_repeated_and_those_that_are_the_same_stand_once() -> None:
    steps = (Find(_C, (_P,)), Find(_A, (_Q,)), Keep(Ref(1), Ref(2), (_P,)), Count(Ref(3)))
    assert joined(steps, _A, (_A, _B)) == (
        Find(_C, (_P,)),
        Find(_A, (_Q,)),
        Keep(Ref(1), Ref(2), (_P,)),
        Find(_B, (_Q,)),
        Keep(Ref(1), Ref(4), (_P,)),
        Merge((Ref(3), Ref(5))),
        Count(Ref(6)),
    )


def test_years_are_said_of_each(shipped: Engine) -> None:
    found = set(answered(shipped, "movies directed by joel coen or ang lee after the year 2005"))
    assert {"Life of Pi", "True Grit"} <= found
    assert not found & {"Brokeback Mountain", "Fargo"}
