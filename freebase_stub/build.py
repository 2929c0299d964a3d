"""Turns the tables into triples in Freebase's vocabulary, and says everything that is wrong with them."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from freebase_stub.tables import TABLES, Column, Problem, Row, Table, read_tables
from freebase_stub.values import Day, date_span, literal, slug
from kbqa.errors import TableError
from kbqa.types import Constant, Iri, Literal, Triple, freebase

NAME, ALIAS, TYPE = "type.object.name", "common.topic.alias", "type.object.type"
NOTABLE = "common.topic.notable_types"
CONTAINEDBY, CONTINENT = "location.location.containedby", "base.locations.continents"
PROFESSION, PEOPLE = "people.person.profession", "people.profession.people_with_this_profession"
ATTENDED, STUDENTS = "education.education.institution", "education.educational_institution.students_graduates"
PARENT_SCHOOL = "education.educational_institution.parent_institution"
WIDER_PROFESSION = "people.profession.specialization_of"
NOTABLE_IDS = {"Country": "m.01mp", "City/Town/Village": "m.01m9"}
"""The topics of Freebase's own types whose ids are certain; the others get a local id."""

ORDERED = (
    ("from", "to"),
    ("start_date", "end_date"),
    ("start", "end"),
    ("date_of_birth", "date_of_death"),
    ("date_founded", "date_dissolved"),
    ("official_anthem_since", "official_anthem_until"),
    ("active_start", "active_end"),
    ("air_date_of_first_episode", "air_date_of_final_episode"),
)
"""Columns, or last segments of predicates, whose dates can't be the other way round."""

_MID = re.compile(r"[mg]\.[0-9a-z_]{2,}")

Reach = tuple[Iri, tuple[str, ...], tuple[str, ...]]
"""A thing, and the predicates that lead from it to places and back."""

Key = tuple[str, str]
"""(kind, name), the name with its qualifier behind a bar where it has one."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What one domain adds. Each triple and entity counts for the first domain that has it."""

    domain: str
    triples: int
    predicates: int
    entities: int
    mediators: int


@dataclass(frozen=True, slots=True)
class Built:
    """All triples (sorted as their N-Triples lines are), the counts by domain and what is wrong."""

    triples: tuple[Triple, ...]
    counts: tuple[Counts, ...]
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class _Entity:
    """What the tables say of a named entity, gathered while they are read."""

    key: Key
    domain: str
    place: Problem
    listed: bool = False
    id: str = ""
    types: set[str] = field(default_factory=set)
    aliases: set[str] = field(default_factory=set)
    notable: set[str] = field(default_factory=set)

    @property
    def name(self) -> str:
        return self.key[1].split("|")[0]

    @property
    def iri(self) -> Iri:
        kind, name = self.key
        return freebase(self.id or f"local.{kind}.{slug(name)}")


def build(tables_dir: Path = TABLES) -> tuple[Triple, ...]:
    """The triples of the tables, the same ones in the same order each time.

    Raises TableError, whose message lists every problem, if anything is wrong.
    """
    built = compile_tables(tables_dir)
    if built.problems:
        raise TableError("\n".join(map(str, built.problems)))
    return built.triples


def compile_tables(tables_dir: Path = TABLES) -> Built:
    """As `build`, but hands back the problems beside what could be built."""
    tables, problems = read_tables(tables_dir)
    compiler = _Compiler(tables, list(problems))
    return compiler.run()


def ntriples(triples: Iterable[Triple]) -> Iterator[str]:
    """One N-Triples line for each triple, with its line end."""
    for triple in triples:
        assert isinstance(triple.subject, Iri)
        yield f"<{triple.subject.value}> <{triple.predicate.value}> {_term(triple.object)} .\n"


def _term(term: object) -> str:
    if isinstance(term, Iri):
        return f"<{term.value}>"
    assert isinstance(term, Literal)
    escaped = term.lexical.replace("\\", "\\\\").replace('"', '\\"')
    escaped = escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    if term.language:
        return f'"{escaped}"@{term.language}'
    return f'"{escaped}"' + (f"^^<{term.datatype}>" if term.datatype else "")


class _Compiler:
    """Three passes over the rows: which entities there are, their ids, then the triples."""

    def __init__(self, tables: tuple[Table, ...], problems: list[Problem]) -> None:
        self.tables = tables
        self.problems = problems
        self.entities: dict[Key, _Entity] = {}
        self.triples: dict[Triple, str] = {}
        self.nodes: dict[str, tuple[str, int]] = {}
        self.qualified: dict[Key, list[str]] = {}
        self.single: dict[tuple[Iri, str], tuple[Constant, Problem]] = {}
        self.reaching: dict[Reach, dict[Iri, str]] = {}

    def run(self) -> Built:
        self._list_entities()
        self._mention_entities()
        self._check_ids()
        self._check_typed()
        self._state_entities()
        for table in self.tables:
            for row in table.rows:
                self._state_row(table, row)
        self._state_levels()
        self._state_wider_professions()
        self._state_wider_schools()
        ordered = sorted(zip(ntriples(self.triples), self.triples, strict=True), key=lambda pair: pair[0])
        triples = tuple(triple for _, triple in ordered)
        return Built(triples, tuple(self._counts()), tuple(sorted(set(self.problems))))

    def _problem(self, table: Table, row: Row, column: str, message: str) -> None:
        self.problems.append(Problem(table.file, row.line, column, message))

    # --- which entities there are -----------------------------------------

    def _list_entities(self) -> None:
        for table in self.tables:
            seen: dict[str, int] = {}
            for row in table.rows if table.kind else ():
                name = self._row_name(table, row)
                if name is None:
                    continue
                if name in seen:
                    self._problem(table, row, "name", f"{name!r} is there twice, first on line {seen[name]}")
                seen.setdefault(name, row.line)
                self._list_entity(table, row, name)
        for kind, name in self.entities:
            if "|" in name:
                self.qualified.setdefault((kind, name.split("|")[0]), []).append(name)

    def _row_name(self, table: Table, row: Row) -> str | None:
        name = next(iter(row.values("name")), "")
        reason = _name_problem(name)
        if reason:
            self._problem(table, row, "name", reason)
        return None if reason else name

    def _list_entity(self, table: Table, row: Row, name: str) -> None:
        entity = self._entity(table, row, "name", (table.kind, name))
        if not entity.listed:
            entity.listed, entity.domain = True, table.domain
        entity.types |= set(table.types)
        entity.aliases |= set(row.values("aliases"))
        if table.notable:
            entity.notable.add(table.notable)
        for mid in row.values("id"):
            if not _MID.fullmatch(mid):
                self._problem(table, row, "id", f"{mid!r} is no Freebase id such as m.02k54")
            elif entity.id and entity.id != mid:
                message = f"{table.kind} {name!r} has two ids, {entity.id} ({_at(entity.place)}) and {mid}"
                self._problem(table, row, "id", message)
            else:
                entity.id = mid
                entity.place = Problem(table.file, row.line, "id", "")

    def _entity(self, table: Table, row: Row, column: str, key: Key) -> _Entity:
        place = Problem(table.file, row.line, column, "")
        return self.entities.setdefault(key, _Entity(key, table.domain, place))

    def _mention_entities(self) -> None:
        """Columns with one kind first, so that those with several find what these name."""
        for table in self.tables:
            named = {*table.professions, *(p for column in table.columns for p in column.professions)}
            for profession, row in itertools.product(sorted(named), table.rows[:1]):
                self._entity(table, row, "", ("profession", profession)).types.add("people.profession")
        cells = [
            (table, row, column, value)
            for table in self.tables
            for row in table.rows
            for column in table.columns
            if column.kinds
            for value in row.values(column.name)
        ]
        for table, row, column, value in sorted(cells, key=lambda cell: len(cell[2].kinds) > 1):
            reason = _name_problem(value)
            if reason:
                self._problem(table, row, column.name, reason)
                continue
            key = self._key(column, value)
            entity = self._entity(table, row, column.name, key)
            entity.types |= set(column.types)
            others = self.qualified.get(key, [])
            if others and not entity.listed:
                message = f"{value!r} is ambiguous: write {' or '.join(others)}"
                self._problem(table, row, column.name, message)

    def _key(self, column: Column, value: str) -> Key:
        """The first kind that lists the name, else the first that has heard of it, else the first."""
        keys = [(kind, value) for kind in column.kinds]
        known = [key for key in keys if key in self.entities]
        listed = [key for key in known if self.entities[key].listed]
        return (listed or known or keys)[0]

    def _check_ids(self) -> None:
        by_id: dict[Iri, _Entity] = {}
        by_fold: dict[Key, _Entity] = {}
        for key, entity in self.entities.items():
            fold = (entity.key[0], slug(key[1]).replace("_", ""))
            twin = by_fold.setdefault(fold, entity)
            if twin is not entity:
                message = (
                    f"{entity.key[1]!r} and {twin.key[1]!r} ({_at(twin.place)}) are two spellings of one "
                    f"{key[0]}: write one of them, or tell them apart as `Name|qualifier`"
                )
                self.problems.append(_say(entity.place, message))
            other = by_id.setdefault(entity.iri, entity)
            if other is not entity and entity.id and (other.name != entity.name or other.key[0] == key[0]):
                message = (
                    f"{entity.id} is also the id of {other.key[0]} {other.key[1]!r} ({_at(other.place)})"
                )
                self.problems.append(_say(entity.place, message))

    def _check_typed(self) -> None:
        for entity in self.entities.values():
            if not entity.types:
                message = f"{entity.key[0]} {entity.key[1]!r} gets no type: give the column `types`"
                self.problems.append(_say(entity.place, message))

    # --- triples ----------------------------------------------------------

    def _add(self, domain: str, subject: Iri, predicate: str, value: Constant) -> None:
        self.triples.setdefault(Triple(subject, freebase(predicate), value), domain)

    def _state_entities(self) -> None:
        for entity in self.entities.values():
            iri, domain = entity.iri, entity.domain
            self._add(domain, iri, NAME, Literal(entity.name, language="en"))
            for alias in sorted(entity.aliases - {entity.name}):
                self._add(domain, iri, ALIAS, Literal(alias, language="en"))
            for name in sorted(entity.types):
                self._add(domain, iri, TYPE, freebase(name))
            for name in sorted(entity.notable):
                notable = freebase(NOTABLE_IDS.get(name, f"local.type.{slug(name)}"))
                self._add(domain, iri, NOTABLE, notable)
                self._add(domain, notable, NAME, Literal(name, language="en"))
                self._add(domain, notable, TYPE, freebase("type.type"))

    def _state_row(self, table: Table, row: Row) -> None:
        if table.mediator:
            subject: Iri | None = self._node(table, row)
        else:
            name = next(iter(row.values("name")), "")
            subject = self.entities[table.kind, name].iri if not _name_problem(name) else None
        if subject is None:
            return
        for profession in table.professions:
            self._state_profession(table, subject, profession)
        dates: dict[str, tuple[Day, Day, str]] = {}
        for column in table.columns:
            values = row.values(column.name)
            if column.single and len(values) > 1:
                self._problem(table, row, column.name, f"may have one value only, has {len(values)}")
            for value in values:
                self._state_cell(table, row, subject, column, value, dates)
        self._check_order(table, row, dates)

    def _node(self, table: Table, row: Row) -> Iri | None:
        text = "\x1f".join([table.file, *(f"{c}\x1e{'; '.join(v)}" for c, v in sorted(row.cells))])
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        if digest in self.nodes:
            file, line = self.nodes[digest]
            self._problem(table, row, "", f"says the same as {file}:{line}")
            return None
        self.nodes[digest] = (table.file, row.line)
        node = freebase(f"local.cvt.{digest}")
        self._add(table.domain, node, TYPE, freebase(table.mediator))
        return node

    def _state_cell(
        self,
        table: Table,
        row: Row,
        subject: Iri,
        column: Column,
        text: str,
        dates: dict[str, tuple[Day, Day, str]],
    ) -> None:
        value: Constant
        if column.value is None:
            if _name_problem(text):
                return
            key = self._key(column, text)
            value = self.entities[key].iri
            for profession in column.professions if key[0] == "person" else ():
                self._state_profession(table, value, profession)
            if column.reach:
                reach = (subject, column.reach, column.reached)
                self.reaching.setdefault(reach, {}).setdefault(value, table.domain)
        else:
            try:
                value = literal(text, column.value, column.minimum, column.maximum)
            except ValueError as error:
                self._problem(table, row, column.name, f"{text!r} {error}")
                return
            if column.value == "date":
                for label in {column.name, *(path.rsplit(".", 1)[1] for path in column.out)}:
                    dates[label] = (*date_span(text), column.name)
        for predicate in column.out:
            self._add(table.domain, subject, predicate, value)
            if column.single:
                self._check_single(table, row, column, (subject, predicate), value)
        for predicate in column.back:
            assert isinstance(value, Iri)
            self._add(table.domain, value, predicate, subject)

    def _state_profession(self, table: Table, person: Iri, name: str) -> None:
        profession = self.entities["profession", name].iri
        self._add(table.domain, person, PROFESSION, profession)
        self._add(table.domain, profession, PEOPLE, person)

    def _state_levels(self) -> None:
        """Things lie not only in the places that their rows name, but in those above them, too."""
        above = self._pairs(CONTAINEDBY)
        continents = {entity.iri for entity in self.entities.values() if CONTINENT in entity.types}
        for (thing, out, back), named in self.reaching.items():
            domain = next(iter(named.values()))
            for place in _levels(frozenset(named), above, continents) - {thing}:
                for predicate in out:
                    self._add(domain, thing, predicate, place)
                for predicate in back:
                    self._add(domain, place, predicate, thing)

    def _state_wider_professions(self) -> None:
        """A novelist is a writer, too. Which profession is wider is not stated itself: nothing words it."""
        self._state_wider(PROFESSION, PEOPLE, WIDER_PROFESSION)
        unworded = freebase(WIDER_PROFESSION)
        self.triples = {t: domain for t, domain in self.triples.items() if t.predicate != unworded}

    def _state_wider_schools(self) -> None:
        """Who went to a college of a university went to the university, too."""
        self._state_wider(ATTENDED, STUDENTS, PARENT_SCHOOL)

    def _state_wider(self, predicate: str, inverse: str, wider: str) -> None:
        """What is stated of a thing, either way, of all that are wider than it."""
        above = self._pairs(wider)
        stated = {t: domain for t, domain in self.triples.items() if t.predicate == freebase(predicate)}
        for triple, domain in stated.items():
            subject, value = triple.subject, triple.object
            assert isinstance(subject, Iri) and isinstance(value, Iri)
            for one in _all_above(value, above):
                self._add(domain, subject, predicate, one)
                self._add(domain, one, inverse, subject)

    def _pairs(self, predicate: str) -> Mapping[Iri, set[Iri]]:
        """What has been stated with a predicate between different entities: subject -> objects."""
        found: dict[Iri, set[Iri]] = defaultdict(set)
        for triple in self.triples:
            if triple.predicate == freebase(predicate) and triple.subject != triple.object:
                assert isinstance(triple.subject, Iri) and isinstance(triple.object, Iri)
                found[triple.subject].add(triple.object)
        try:
            TopologicalSorter(found).prepare()
        except CycleError as error:
            names = {entity.iri: entity.name for entity in self.entities.values()}
            loop = " -> ".join(names[iri] for iri in error.args[1])
            self.problems.append(Problem(".", 0, "", f"{predicate} goes round in a circle: {loop}"))
            return {}
        return found

    def _check_single(
        self, table: Table, row: Row, column: Column, key: tuple[Iri, str], value: Constant
    ) -> None:
        place = Problem(table.file, row.line, column.name, "")
        first, where = self.single.setdefault(key, (value, place))
        if first != value and (where.file, where.line) != (place.file, place.line):
            shown = [term.mid if isinstance(term, Iri) else term.lexical for term in (value, first)]
            message = f"{shown[0]!r} contradicts {shown[1]!r} ({_at(where)})"
            self._problem(table, row, column.name, message)

    def _check_order(self, table: Table, row: Row, dates: dict[str, tuple[Day, Day, str]]) -> None:
        for first, last in ORDERED:
            if first in dates and last in dates and dates[first][0] > dates[last][1]:
                earlier, later = dates[first][2], dates[last][2]
                message = f"is before '{earlier}': {_day(dates[last][1])} < {_day(dates[first][0])}"
                self._problem(table, row, later, message)

    def _counts(self) -> Iterator[Counts]:
        for domain in dict.fromkeys(table.domain for table in self.tables):
            own = [triple for triple, first in self.triples.items() if first == domain]
            yield Counts(
                domain,
                len(own),
                len({triple.predicate for triple in own}),
                sum(triple.predicate == freebase(NAME) for triple in own),
                sum(file.split("/")[0] == domain for file, _ in self.nodes.values()),
            )


def _levels(places: frozenset[Iri], above: Mapping[Iri, set[Iri]], continents: set[Iri]) -> frozenset[Iri]:
    """The places and all above them up to a continent. The nearest continent counts: what lies in Hawaii,
    which is in the United States and in Oceania, is not in North America."""
    wider = {p: _levels(frozenset(above.get(p, ())), above, continents) for p in places - continents}
    lowest = [found for p, found in wider.items() if not any(p in other for other in wider.values())]
    beyond = frozenset[Iri]().union(*lowest)
    return places | (beyond - continents if places & continents else beyond)


def _all_above(item: Iri, wider: Mapping[Iri, set[Iri]]) -> Iterator[Iri]:
    for above in wider.get(item, ()):
        yield above
        yield from _all_above(above, wider)


def _name_problem(name: str) -> str:
    """Why this can't be an entity's name ('' if it can)."""
    if not name:
        return "is empty: an entity needs a name"
    parts = name.split("|")
    if len(parts) > 2 or any(not part or part != " ".join(part.split()) for part in parts):
        return f"{name!r} is written wrongly: `Name` or `Name|qualifier`, single spaces only"
    if not slug(name):
        return f"{name!r} has no Latin letter or digit to make an id of: write `Name|qualifier`"
    return ""


def _at(place: Problem) -> str:
    return f"{place.file}:{place.line}"


def _say(place: Problem, message: str) -> Problem:
    return Problem(place.file, place.line, place.column, message)


def _day(day: Day) -> str:
    return f"{day[0]:04}-{day[1]:02}-{day[2]:02}"
