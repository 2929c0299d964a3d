"""The values that things are sorted and compared by, and the adjectives and verbs for it."""

from __future__ import annotations

from dataclasses import dataclass

from kbqa.lexicon.load import parse_path
from kbqa.types import Kind, Path


@dataclass(frozen=True)
class Measure:
    """A value that answers are sorted or compared by.

    low, high: adjectives before the noun ('oldest', 'newest'), may be empty; verb: 'released', for
    'that was released first'; noun: 'release date'; sized: patterns with {} for 'more than 3'.
    """

    path: Path
    kind: Kind
    noun: str
    low: tuple[str, ...] = ()
    high: tuple[str, ...] = ()
    verb: str = ""
    sized: tuple[str, ...] = ()


_EARLY, _LATE = ("earliest", "first"), ("latest", "last", "most recent")
_OLD, _NEW = ("oldest", "earliest", "first"), ("newest", "latest", "most recent", "last")


def _date(
    path: str, noun: str, verb: str = "", low: tuple[str, ...] = (), high: tuple[str, ...] = ()
) -> Measure:
    return Measure(parse_path(path), Kind.DATE, noun, low, high, verb)


def _number(
    path: str, noun: str, low: tuple[str, ...] = (), high: tuple[str, ...] = (), *sized: str
) -> Measure:
    usual = (f"with {_an(noun)} of {{}}", f"that has {_an(noun)} of {{}}", f"whose {noun} is {{}}")
    return Measure(parse_path(path), Kind.NUMBER, noun, low, high, "", sized or usual)


def _an(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


MEASURES = (
    _date("film.film.initial_release_date", "release date", "was released", _EARLY, _NEW),
    _date("music.album.release_date", "release date", "was released", _EARLY, _NEW),
    _date("music.recording.release_date", "release date", "was released", _EARLY, _NEW),
    _date("book.written_work.date_of_first_publication", "publication date", "was published", _EARLY, _NEW),
    _date("book.book_edition.publication_date", "publication date", "was published", _EARLY, _NEW),
    _date("book.written_work.date_written", "date of writing", "was written", _EARLY, _NEW),
    _date("time.event.end_date", "end date", "ended", _EARLY, _LATE),
    _date("time.event.start_date", "start date", "started", _EARLY, _LATE),
    _date("people.person.date_of_birth", "date of birth", "was born", ("oldest",), ("youngest",)),
    _date("people.deceased_person.date_of_death", "date of death", "died"),
    _date("location.dated_location.date_founded", "founding date", "was founded", ("oldest",), ("newest",)),
    _date("organization.organization.date_founded", "founding date", "was founded", ("oldest",), ("newest",)),
    _date("sports.sports_team.founded", "founding date", "was founded", ("oldest",), ("newest",)),
    _date("sports.pro_athlete.career_start", "career start", "started their career"),
    _date("architecture.structure.opened", "opening date", "opened", _OLD, _NEW),
    _date("architecture.structure.construction_started", "start of construction", "began construction"),
    _date("architecture.museum.established", "founding date", "was established", ("oldest",), ("newest",)),
    _date("zoos.zoo.opened", "opening date", "opened", ("oldest",), ("newest",)),
    _date("protected_sites.protected_site.date_established", "founding date", "was established", ("oldest",)),
    _date("geography.mountain.date_of_first_ascent", "first ascent", "was first climbed"),
    _date("tv.tv_program.air_date_of_first_episode", "first air date", "first aired", _EARLY, _NEW),
    _date("tv.tv_program.air_date_of_final_episode", "final air date", "last aired"),
    _date("tv.tv_series_season.from", "start date", "started", _EARLY, _NEW),
    _date("time.recurring_event.date_of_first_occurance", "first occurrence", "first took place"),
    _date("law.invention.date_of_invention", "date of invention", "was invented", _EARLY, _LATE),
    _date("theater.play.date_of_first_performance", "first performance", "was first performed", _EARLY),
    _date("award.award_category.date_established", "founding date", "was established", ("oldest",)),
    _date(
        "government.politician.government_positions_held government.government_position_held.from",
        "start in office", "took office",
    ),
    _date(
        "government.politician.government_positions_held government.government_position_held.to",
        "end in office", "left office",
    ),
    _number("location.location.area", "area", ("smallest",), ("largest", "biggest"),
            "with an area of {}", "that has an area of {}", "whose area is {}"),
    _number("location.statistical_region.population measurement_unit.dated_integer.number", "population",
            ("smallest", "least populous"), ("largest", "most populous", "biggest"),
            "with a population of {}", "that has a population of {}", "with {} people",
            "where {} people live", "with {} inhabitants", "whose population is {}"),
    _number("topic_server.population_number", "population", ("smallest",), ("largest", "most populous"),
            "with a population of {}", "that has a population of {}", "with {} people",
            "whose population is {}"),
    _number("geography.river.length", "length", ("shortest",), ("longest",),
            "with a length of {}", "whose length is {}", "that has a length of {}"),
    _number("geography.mountain.elevation", "elevation", ("lowest", "smallest"), ("highest", "tallest"),
            "with an elevation of {}", "whose elevation is {}", "that has an elevation of {}"),
    _number("geography.body_of_water.surface_area", "surface area", ("smallest",), ("largest", "biggest")),
    _number("geography.body_of_water.depth", "depth", ("shallowest",), ("deepest",)),
    _number("education.university.number_of_undergraduates measurement_unit.dated_integer.number",
            "number of undergraduates", (), (), "with {} undergraduates", "that has {} undergraduates"),
    _number("education.university.number_of_postgraduates measurement_unit.dated_integer.number",
            "number of postgraduates", (), (), "with {} postgraduates", "that has {} postgraduates"),
    _number("architecture.building.floors", "number of floors", (), (), "with {} floors",
            "that has {} floors"),
    _number("architecture.structure.height_meters", "height", ("lowest", "shortest"), ("tallest", "highest")),
    _number("tv.tv_program.number_of_seasons", "number of seasons", (), (), "with {} seasons",
            "that has {} seasons"),
    _number("tv.tv_program.number_of_episodes", "number of episodes", (), (), "with {} episodes",
            "that has {} episodes"),
    _number("location.country.calling_code", "calling code"),
    _number("location.country.iso_numeric", "ISO number"),
    _number("location.location.gnis_feature_id", "GNIS feature ID"),
    _number("film.film.runtime film.film_cut.runtime", "running time", ("shortest",), ("longest",)),
    _number("film.film.netflix_id", "Netflix ID"),
    _number("people.person.height_meters", "height", ("shortest",), ("tallest",)),
)  # fmt: skip


def value_noun(path: Path) -> str:
    """What the value at the end of a path is called; '' where nothing is compared by it."""
    return next((m.noun for m in MEASURES if m.path == path), "")
