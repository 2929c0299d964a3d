"""Questions for yes or no about two things, with the shipped models over the stub."""

from __future__ import annotations

import pytest

from kbqa.engine import Engine
from tests.asking import answered


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Was Barack Obama born in Hawaii?", "yes"),
        ("Was Barack Obama born in Kenya?", "no"),
        ("Is Berlin the capital of Germany?", "yes"),
        ("is Berlin the capital of France", "no"),
        ("Does France border Spain?", "yes"),
        ("Did Tom Hanks win an Oscar?", "yes"),
        ("did Steven Spielberg direct Jaws", "yes"),
        ("did Alfred Hitchcock win an Oscar", "no"),
        ("has Leonardo DiCaprio won a Nobel Prize", "no"),
        ("did Brad Pitt win best director", "no"),
        ("Was Abraham Lincoln married to Michelle Obama?", "no"),
        ("is Paris in France", "yes"),
        ("Is Poland in the EU?", "yes"),
        ("is norway in the eu", "no"),
        ("Is Paris in Germany?", "no"),
        ("Does Michael Jordan play for the Lakers?", "no"),
        ("Did Joe Namath play for the Rams?", "yes"),
        ("Did Babe Ruth play for the Red Sox?", "yes"),
        ("Did Pelé play for Barcelona?", "no"),
        ("Was Shaq ever on the Heat?", "yes"),
        ("was Babe Ruth on the Mets", "no"),
        ("Was Al Pacino in The Godfather?", "yes"),
        ("was matthew perry on Friends", "yes"),
        ("Did Clint Eastwood both direct and star in Unforgiven?", "yes"),
        ("did Martin Scorsese direct and star in Goodfellas", "no"),
        ("Is it true that Tom Hanks starred in Forrest Gump?", "yes"),
        ("Was Wolfgang Amadeus Mozart Austrian?", "yes"),
        ("Was Beethoven Italian?", "no"),
        ("Was the author of Dracula Irish?", "yes"),
        ("Was the composer of Tosca German?", "no"),
        ("Do Finnish and Hungarian belong to the same language family?", "yes"),
    ],
)
def test_yes_or_no(shipped: Engine, question: str, said: str) -> None:
    version = shipped.first_version(question).current
    assert version is not None
    assert [a.label for a in version.steps[-1].answers] == [said]
    assert any("known here" in w for w in version.steps[-1].warnings) == (said == "no")


@pytest.mark.parametrize(
    "question",
    [
        "Is the Nile longer than the Amazon?",
        "Was Jaws or Psycho directed by Steven Spielberg?",
        "Who was married to Tom Hanks in California?",
        "Is there a team in Chicago that Michael Jordan played for?",
        "Did Brad Pitt direct Jaws?",
        "Is Berlin big?",
        "Was it Spain?",
    ],
)
def test_others_are_not_read_so(shipped: Engine, question: str) -> None:
    assert shipped.reader.whether.checked(question, shipped.reader.link(question)) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Wrigley Field is the home of the Cubs, right?", "yes"),
        ("My son says Shaq played for the Celtics. Is he right?", "yes"),
        ("Joe Namath played for the Colts, correct?", "no"),
    ],
)
def test_claims_are_asked_about(shipped: Engine, question: str, said: str) -> None:
    version = shipped.first_version(question).current
    assert version is not None
    assert [a.label for a in version.steps[-1].answers] == [said]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is Sydney the capital of Australia?", "no"),
        ("Is Ottawa the capital of Canada?", "yes"),
        ("Is Portuguese the official language of Brazil?", "yes"),
        ("Paris is the capital of France, isn't it?", "yes"),
        ("The Wall came out before The Dark Side of the Moon, didn't it?", "no"),
        ("Did Newton outlive Leibniz?", "yes"),
    ],
)
def test_whether_one_is_what_another_has(shipped: Engine, question: str, said: str) -> None:
    assert answered(shipped, question) == [said]


@pytest.mark.parametrize(
    ("question", "one"),
    [
        ("Is it Paraguay that is bigger in area, or Uruguay?", "Paraguay"),
        ("Was it Tolstoy who wrote Crime and Punishment, or Dostoyevsky?", "Fyodor Dostoyevsky"),
        ("Which got admitted to the Union last, Alaska or Hawaii?", "Hawaii"),
        ("most fifa world cups won", "Brazil national football team"),
    ],
)
def test_which_of_two_it_is_and_who_has_most(shipped: Engine, question: str, one: str) -> None:
    assert answered(shipped, question) == [one]
