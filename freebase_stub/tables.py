"""Reads `tables/<domain>/schema.toml` and the CSV files beside it (FORMAT.md).

Nothing here stops at the first problem: each reader returns what it could read, and adds what is wrong
to a list of `Problem`.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from freebase_stub.values import VALUE_KINDS, ValueKind

TABLES = Path(__file__).parent / "tables"
"""The tables that make the default knowledge base."""

RESERVED = ("name", "id", "aliases")
_PROPERTY = re.compile(r"[a-z0-9_]+(\.[A-Za-z0-9_]+){2,}")
_TYPE = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
_KIND = re.compile(r"[a-z][a-z0-9_]*")
_ENTITY_KEYS = {"kind", "types", "notable", "profession", "columns"}
_MEDIATOR_KEYS = {"mediator", "columns"}
_COMMON_KEYS = {"kind", "types", "value", "single", "also", "also_inverse", "min", "max"} | {
    "reach",
    "reach_inverse",
    "profession",
}


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong: file relative to the tables' folder, line from 1 (0 = the whole file)."""

    file: str
    line: int
    column: str
    message: str

    @property
    def domain(self) -> str:
        return self.file.split("/")[0]

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: " + (f"column '{self.column}': " if self.column else "") + self.message


@dataclass(frozen=True, slots=True)
class Column:
    """What a CSV column states of its row, which is an entity or a mediator.

    `out`: predicates from the row to the value; `back`: predicates from the value to the row.
    `reach`, `reached`: the same to and from the value and every place above it.
    `professions`: what the value is by definition, if it is a person.
    Either `kinds` (entities, tried in order) or `value` (a literal) is set.
    """

    name: str
    out: tuple[str, ...]
    back: tuple[str, ...]
    kinds: tuple[str, ...]
    value: ValueKind | None
    types: tuple[str, ...]
    reach: tuple[str, ...]
    reached: tuple[str, ...]
    professions: tuple[str, ...]
    single: bool
    minimum: float | None
    maximum: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: for each column that has any, its values. `line` counts from 1."""

    line: int
    cells: tuple[tuple[str, tuple[str, ...]], ...]

    def values(self, column: str) -> tuple[str, ...]:
        return next((values for name, values in self.cells if name == column), ())


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file under its schema: of entities (`kind`) or of mediators (`mediator`), never both."""

    domain: str
    name: str
    kind: str
    mediator: str
    types: tuple[str, ...]
    notable: str
    professions: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def file(self) -> str:
        return f"{self.domain}/{self.name}.csv"


def read_tables(folder: Path) -> tuple[tuple[Table, ...], tuple[Problem, ...]]:
    """Every table below `folder`, by domain and then as the schema orders them, and what is wrong."""
    problems: list[Problem] = []
    tables: list[Table] = []
    domains = sorted(path for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
    if not domains:
        problems.append(Problem(".", 0, "", f"no domain folder in {folder}"))
    for domain in domains:
        tables += _read_domain(domain, problems)
    return tuple(tables), tuple(sorted(set(problems)))


def _read_domain(folder: Path, problems: list[Problem]) -> Iterator[Table]:
    place = f"{folder.name}/schema.toml"
    try:
        schema = tomllib.loads((folder / "schema.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        problems.append(Problem(place, 0, "", "is missing: it describes the CSV files beside it"))
        return
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(Problem(place, 0, "", f"can't be read: {error}"))
        return
    for path in sorted(folder.glob("*.csv")):
        if path.stem not in schema:
            problems.append(Problem(f"{folder.name}/{path.name}", 0, "", f"{place} has no [{path.stem}]"))
    for name, content in schema.items():
        table = _read_schema(folder.name, name, content, problems)
        if table is not None:
            yield _with_rows(table, folder / f"{name}.csv", problems)


def _read_schema(domain: str, name: str, content: Any, problems: list[Problem]) -> Table | None:
    """The table without its rows; None if the schema leaves open what a row is."""
    place = f"{domain}/schema.toml"

    def problem(message: str, column: str = "") -> None:
        problems.append(Problem(place, 0, column, f"[{name}] {message}"))

    if not isinstance(content, dict) or ("kind" in content) == ("mediator" in content):
        problem("needs either `kind` (a row is an entity) or `mediator` (a row is a node)")
        return None
    mediator = "mediator" in content
    for key in sorted(content.keys() - (_MEDIATOR_KEYS if mediator else _ENTITY_KEYS)):
        problem(f"has an unknown key `{key}`")
    kind, node = str(content.get("kind", "")), str(content.get("mediator", ""))
    types = _strings(content.get("types", []))
    for wrong in [text for text in (*types, *([node] if mediator else [])) if not _TYPE.fullmatch(text)]:
        problem(f"names no Freebase type: {wrong!r}")
    if not mediator and not _KIND.fullmatch(kind):
        problem(f"names no kind: {kind!r}")
    if not mediator and not types:
        problem("needs `types`")
    columns = []
    for column, keys in content.get("columns", {}).items():
        if not mediator and column in RESERVED:
            problem("is reserved: choose another name", column)
        elif isinstance(keys, dict):
            columns.append(_read_column(column, keys, mediator, lambda text, c=column: problem(text, c)))
        else:
            problem("needs a table such as { predicate = ..., kind = ... }", column)
    notable, professions = str(content.get("notable", "")), _strings(content.get("profession", []))
    return Table(domain, name, kind, node, types, notable, professions, tuple(columns), ())


def _read_column(name: str, keys: dict[str, Any], mediator: bool, problem: Any) -> Column:
    forth, back = ("to", "from") if mediator else ("predicate", "inverse")
    for key in sorted(keys.keys() - _COMMON_KEYS - {forth, back}):
        problem(f"has an unknown key `{key}`")
    out = tuple(text for text in (keys.get(forth, ""), *_strings(keys.get("also", []))) if text)
    inverse = tuple(text for text in (keys.get(back, ""), *_strings(keys.get("also_inverse", []))) if text)
    reach, reached = _strings(keys.get("reach", [])), _strings(keys.get("reach_inverse", []))
    professions = _strings(keys.get("profession", []))
    for text in (*out, *inverse, *reach, *reached):
        if not _PROPERTY.fullmatch(text):
            problem(f"names no Freebase property: {text!r}")
    if not out and not inverse:
        problem(f"needs `{forth}`" + (f" or `{back}`" if mediator else ""))
    kinds, value = _strings(keys.get("kind", [])), keys.get("value")
    if bool(kinds) == (value is not None):
        problem("needs either `kind` or `value`")
    if value is not None and value not in VALUE_KINDS:
        problem(f"has an unknown `value` {value!r}: one of {', '.join(VALUE_KINDS)}")
        value = None
    if value is not None and inverse:
        problem(f"holds a literal, from which no `{back}` can lead")
        inverse = ()
    if value is not None and (reach or reached or professions):
        problem("holds a literal, which has no place above it and no profession")
    for kind in kinds:
        if not _KIND.fullmatch(kind):
            problem(f"names no kind: {kind!r}")
    types = _strings(keys.get("types", []))
    for text in types:
        if not _TYPE.fullmatch(text):
            problem(f"names no Freebase type: {text!r}")
    return Column(
        name,
        out,
        inverse,
        kinds or (("string",) if value is None else ()),
        cast("ValueKind | None", value),
        types,
        reach,
        reached,
        professions,
        keys.get("single") is True,
        keys.get("min"),
        keys.get("max"),
    )


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(item) for item in value)


def _with_rows(table: Table, path: Path, problems: list[Problem]) -> Table:
    """The table with the rows of its CSV file; a row that can't be read is left out."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = tuple(_read_rows(table, csv.reader(file, strict=True), problems))
    except FileNotFoundError:
        problems.append(Problem(table.file, 0, "", f"is missing, though schema.toml has [{table.name}]"))
        return table
    except (UnicodeDecodeError, csv.Error) as error:
        problems.append(Problem(table.file, 0, "", f"can't be read: {error}"))
        return table
    return replace(table, rows=rows)


def _read_rows(table: Table, reader: Any, problems: list[Problem]) -> Iterator[Row]:
    header: list[str] = next(reader, [])
    known = [*(() if table.mediator else RESERVED), *(column.name for column in table.columns)]
    needed = [name for name in known if table.mediator or name not in ("id", "aliases")]
    for name in sorted({name for name in header if name not in known}):
        problems.append(Problem(table.file, 1, name, "is unknown: schema.toml does not describe it"))
    for name in needed:
        if name not in header:
            problems.append(Problem(table.file, 1, name, "is missing from the header line"))
    for name in sorted({name for name in header if header.count(name) > 1}):
        problems.append(Problem(table.file, 1, name, "is there twice"))
    line = reader.line_num + 1
    for fields in reader:
        here, line = line, reader.line_num + 1
        if not fields:
            continue
        if len(fields) != len(header):
            message = (
                f"has {len(fields)} cells, the header line {len(header)}: quote a cell that holds a comma"
            )
            problems.append(Problem(table.file, here, "", message))
            continue
        cells = []
        for name, field in zip(header, fields, strict=True):
            whole = not table.mediator and name == "name"
            values, reason = ((field,), "") if whole else _split(field)
            if reason:
                problems.append(Problem(table.file, here, name, reason))
            if field and name in known:
                cells.append((name, values))
        yield Row(here, tuple(cells))


def _split(field: str) -> tuple[tuple[str, ...], str]:
    """A cell's values, and what is wrong with how it is written ('' if nothing)."""
    values = field.split("; ") if field else []
    if any(value != value.strip() or not value or value.endswith(";") for value in values):
        return (), f"{field!r} has an empty value or a stray space: separate values by '; '"
    if len(set(values)) < len(values):
        return tuple(dict.fromkeys(values)), f"{field!r} says the same value twice"
    return tuple(values), ""
