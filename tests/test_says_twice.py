"""Readings that say something twice are none."""

from __future__ import annotations

import pytest

from kbqa.parse.grounding import says_twice
from kbqa.types import Decomposition, Find, Hop, Keep, Merge, Ref, Step, freebase

KUBRICK, LYNCH = freebase("m.kubrick"), freebase("m.lynch")
DIRECTED, GENRE = (
    (Hop(freebase("film.director.film")),),
    (Hop(freebase("film.film_genre.films_in_this_genre")),),
)
BY_KUBRICK, BY_LYNCH = Find(KUBRICK, DIRECTED), Find(LYNCH, DIRECTED)
EITHER = Merge((Ref(1), Ref(2)))


def narrowed(step: int, by: str) -> Keep:
    return Keep(Ref(step), freebase(by), GENRE)


@pytest.mark.parametrize(
    ("steps", "twice"),
    [
        ((BY_KUBRICK, BY_LYNCH, EITHER), False),
        ((BY_KUBRICK, BY_KUBRICK, EITHER), True),
        ((BY_KUBRICK, narrowed(1, "m.war"), narrowed(2, "m.comedy")), False),
        ((BY_KUBRICK, narrowed(1, "m.war"), narrowed(2, "m.war")), True),
        (
            (BY_KUBRICK, narrowed(1, "m.war"), BY_LYNCH, narrowed(3, "m.war"), Merge((Ref(2), Ref(4)))),
            False,
        ),
    ],
)
def test_an_either_or_of_one_thing_or_the_same_condition_again_says_it_twice(
    steps: tuple[Step, ...], twice: bool
) -> None:
    assert says_twice(Decomposition(steps)) is twice
