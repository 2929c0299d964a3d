"""Names on disk: SQLite for exact names, tantivy for the misspelled; opens in milliseconds at any size.

tantivy was chosen by measurement (`bench/link.py`): see there.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import tantivy

from kbqa.errors import KnowledgeBaseError
from kbqa.link.index import Entry, Label, Row, broken
from kbqa.link.match import typos
from kbqa.link.normalise import key
from kbqa.types import Iri

FORMAT = 1
_WRITER_BYTES = 128_000_000
_TABLES = """
CREATE TABLE entity(id INTEGER PRIMARY KEY, iri TEXT, label TEXT, types TEXT, degree INT);
CREATE TABLE name(id INTEGER PRIMARY KEY, form TEXT, name TEXT, alias INT, entity INT, degree INT);
"""


def build(labels: Iterable[Label], folder: Path) -> None:
    """Writes the index; `folder` appears, or is replaced, when it is complete."""
    ours = (folder / "meta.json").is_file() and (folder / "names.sqlite").is_file()
    if folder.exists() and not ours and (not folder.is_dir() or any(folder.iterdir())):
        raise KnowledgeBaseError(f"{folder} holds something that is no label index: choose another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=folder.name + ".", dir=folder.parent) as scratch:
        made = Path(scratch) / "index"
        made.mkdir()
        _fill(labels, made)
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)


def _fill(labels: Iterable[Label], folder: Path) -> None:
    base = sqlite3.connect(folder / "names.sqlite")
    base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + _TABLES)
    (folder / "words").mkdir()
    index = tantivy.Index(_schema(), str(folder / "words"))
    _register(index)
    writer = index.writer(_WRITER_BYTES, 1)
    names = 0
    for number, form, degree in _rows(labels, base):
        names += 1
        writer.add_document(tantivy.Document(form=form, words=form, row=number, degree=degree))
    writer.commit()
    writer.wait_merging_threads()
    base.execute("CREATE INDEX name_form ON name(form, degree DESC)")
    greatest = base.execute("SELECT max(degree) FROM entity").fetchone()[0] or 0
    base.commit()
    base.execute("VACUUM")
    base.close()
    meta = {"format": FORMAT, "names": names, "greatest_degree": greatest}
    (folder / "meta.json").write_text(json.dumps(meta) + "\n", encoding="utf-8")


def _rows(labels: Iterable[Label], base: sqlite3.Connection) -> Iterator[tuple[int, str, int]]:
    """Writes the tables; yields (number, normal form, degree) of each distinct name of an entity."""
    entities: dict[str, tuple[int, int]] = {}
    seen: set[tuple[int, str]] = set()
    unnamed: set[int] = set()
    number = 0
    for entity, label, is_alias, types, degree in labels:
        known = entities.get(entity.value)
        if known is None:
            known = entities[entity.value] = (len(entities) + 1, max(0, degree))
            row = (known[0], entity.value, label, " ".join(t.value for t in types), known[1])
            base.execute("INSERT INTO entity(id, iri, label, types, degree) VALUES (?, ?, ?, ?, ?)", row)
            if is_alias:
                unnamed.add(known[0])
        elif not is_alias and known[0] in unnamed:
            unnamed.discard(known[0])
            base.execute("UPDATE entity SET label = ? WHERE id = ?", (label, known[0]))
        form = key(label)
        if form and (known[0], form) not in seen:
            seen.add((known[0], form))
            number += 1
            base.execute(
                "INSERT INTO name VALUES (?, ?, ?, ?, ?, ?)",
                (number, form, label, int(is_alias), known[0], known[1]),
            )
            yield number, form, known[1]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("form", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="words", index_option="freq")
    builder.add_integer_field("row", fast=True)
    builder.add_integer_field("degree", fast=True)
    return builder.build()


def _register(index: tantivy.Index) -> None:
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("words", analyzer)


class DiskBackend:
    """An index opened for reading; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        try:
            meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
            made_as, names, greatest = meta["format"], int(meta["names"]), int(meta["greatest_degree"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise broken(folder, f"meta.json can't be read ({error})") from error
        if made_as != FORMAT:
            raise broken(folder, f"its format is {made_as!r}, not {FORMAT}")
        self._names, self.greatest_degree = names, greatest
        uri = (folder / "names.sqlite").resolve().as_uri() + "?mode=ro&immutable=1"
        try:
            self._base = sqlite3.connect(uri, uri=True, check_same_thread=False)
            self._base.execute("SELECT count(*) FROM (SELECT 1 FROM name JOIN entity LIMIT 1)").fetchone()
            self._index = tantivy.Index.open(str(folder / "words"))
        except (sqlite3.Error, ValueError, OSError) as error:
            raise broken(folder, str(error)) from error
        _register(self._index)
        self._lock = threading.Lock()
        self._schema = self._index.schema
        self._searcher = self._index.searcher()

    def __len__(self) -> int:
        return self._names

    def _select(self, query: str, values: Sequence[object]) -> list[tuple[object, ...]]:
        with self._lock:
            return self._base.execute(query, tuple(values)).fetchall()

    def named(self, keys: Sequence[str]) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at in range(0, len(keys), 500):
            some = keys[at : at + 500]
            marks = ",".join("?" * len(some))
            query = f"SELECT form, id FROM name WHERE form IN ({marks}) ORDER BY form, degree DESC, id"
            for form, number in self._select(query, some):
                found.setdefault(str(form), []).append(int(str(number)))
        return found

    def holders(self, word: str) -> int:
        return self._searcher.doc_freq("words", word)

    def similar(self, words: Sequence[str], weights: Sequence[float], limit: int) -> list[Row]:
        form = " ".join(words)
        edits = 2 if len(form) > 5 else typos(form)
        spelled = tantivy.Query.fuzzy_term_query(self._schema, "form", form, distance=edits)
        worded = self._worded(words, weights)
        found = self._search(spelled, limit // 2, by_degree=False)
        found += self._search(worded, limit, by_degree=False)
        if len(words) == 1:
            found += self._search(worded, limit // 2, by_degree=True)
        rows = list({(row.segment_ord, row.doc): row for row in found}.values())
        numbers = self._searcher.fast_field_values("row", rows)
        degrees = self._searcher.fast_field_values("degree", rows)
        forms = [str(self._searcher.doc(row).get_first("form")) for row in rows]
        return [Row(int(n or 0), f, int(d or 0)) for n, f, d in zip(numbers, forms, degrees, strict=True)]

    def _worded(self, words: Sequence[str], weights: Sequence[float]) -> tantivy.Query:
        """Names that hold the words, or words like them, the rare ones counting more."""
        parts = []
        for word, weight in zip(words, weights, strict=True):
            same = tantivy.Query.term_query(self._schema, "words", word, index_option="freq")
            either = [same]
            if typos(word):
                near = tantivy.Query.fuzzy_term_query(self._schema, "words", word, distance=typos(word))
                either.append(tantivy.Query.boost_query(near, 6.0 * max(0.05, weight)))
            parts.append((tantivy.Occur.Should, tantivy.Query.disjunction_max_query(either)))
        least = (len(parts) + 1) // 2
        return tantivy.Query.boolean_query(parts, minimum_number_should_match=least)

    def _search(self, query: tantivy.Query, limit: int, *, by_degree: bool) -> list[tantivy.DocAddress]:
        order = "degree" if by_degree else None
        result = self._searcher.search(query, limit, count=False, order_by_field=order)
        return [address for _, address in result.hits]

    def entries(self, numbers: Sequence[int]) -> list[Entry]:
        marks = ",".join("?" * len(numbers))
        query = (
            "SELECT name.id, iri, label, name, alias, types, entity.degree FROM name "
            f"JOIN entity ON entity.id = name.entity WHERE name.id IN ({marks})"
        )
        found = {row[0]: row for row in self._select(query, numbers)}
        return [_entry(found[number]) for number in numbers]

    def close(self) -> None:
        with self._lock:
            self._base.close()


def shared_names(folder: Path, most: int = 10) -> tuple[int, int, list[tuple[str, int]]]:
    """(distinct names, names of several entities, the most shared ones with how many) of an index in a
    folder. Raises KnowledgeBaseError when there is none."""
    try:
        uri = (folder / "names.sqlite").resolve().as_uri() + "?mode=ro&immutable=1"
        base = sqlite3.connect(uri, uri=True)
        every = base.execute("SELECT count(DISTINCT form) FROM name").fetchone()[0]
        grouped = "SELECT max(name), count(DISTINCT entity) AS n FROM name GROUP BY form HAVING n > 1"
        shared = base.execute(f"SELECT count(*) FROM ({grouped})").fetchone()[0]
        rows = base.execute(f"{grouped} ORDER BY n DESC, form LIMIT ?", (most,)).fetchall()
        base.close()
    except sqlite3.Error as error:
        raise broken(folder, str(error)) from error
    return int(every), int(shared), [(str(name), int(n)) for name, n in rows]


def _entry(row: tuple[object, ...]) -> Entry:
    _, iri, label, name, alias, types, degree = row
    kinds = tuple(Iri(value) for value in str(types).split())
    return Entry(Iri(str(iri)), str(label), str(name), bool(alias), kinds, int(str(degree)))
