"""A predicate's triples as a list: each once, by subject, whatever the endpoint's pages look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbqa.errors import StoreUnavailable
from kbqa.kb import listing as module
from kbqa.kb.listing import Listing
from kbqa.types import Constant, Iri, Literal, Rows

P = Iri("http://e.example/p")
SUBJECTS = ["http://e.example/a", "http://e.example/a!", "http://e.example/a/b", "http://e.example/é", "_:b0"]
ROWS = st.lists(st.tuples(st.sampled_from(SUBJECTS), st.text(max_size=3), st.sampled_from(["", "en"])))


@dataclass
class Pages:
    """A store that answers what a listing asks, `most` rows at a time; it breaks after `breaks` pages."""

    rows: list[tuple[str, str, str]]
    most: int = 2
    breaks: int = 1_000
    asked: list[str] = field(default_factory=list)

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        self.asked.append(query)
        if "COUNT" in query:
            named = [r for r in self.rows if not r[0].startswith("_:")]
            found = len(set(named)) if "DISTINCT" in query else len(self.rows)
            return Rows(("n",), ((Literal(str(found)),),))
        assert "ORDER BY" not in query
        if self.breaks == 0:
            raise StoreUnavailable("gone")
        self.breaks -= 1
        at = int(query.split("OFFSET")[1])
        some = self.rows[at : at + min(row_limit, self.most)]
        return Rows(("s", "o"), tuple((Iri(s), Literal(o, language=tag)) for s, o, tag in some))

    def close(self) -> None:
        pass


def _listed(store: Pages, folder: Path) -> list[tuple[str, str, str]]:
    found = Listing(store, folder, lambda what, done: None).entries("names", P)
    return [(json.loads(subject), value, tag) for subject, value, tag in found]


@given(ROWS, st.integers(1, 4), st.integers(0, 5))
def test_each_row_once_and_by_subject_also_after_a_stop(
    rows: list[tuple[str, str, str]], most: int, pages: int
) -> None:
    with TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "RUN", 3)
        store = Pages(rows, most, breaks=pages)
        try:
            found = _listed(store, Path(scratch))
        except StoreUnavailable:
            store.breaks, before = 1_000, len(store.asked)
            found = _listed(store, Path(scratch))
            assert not pages or "OFFSET 0" not in store.asked[before + 1]
        wanted = {row for row in rows if not row[0].startswith("_:")}
        assert len(found) == len(set(found))
        assert set(found) == wanted
        subjects = [json.dumps(s, ensure_ascii=False) for s, _, _ in found]
        assert subjects == sorted(subjects, key=lambda s: s + "\t")
        asked = len(store.asked)
        assert _listed(store, Path(scratch)) == found
        assert len(store.asked) == asked, "a list that was read is not asked for again"


def test_no_more_than_so_many_rows_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 4)
    store = Pages([(SUBJECTS[0], str(k), "") for k in range(9)])
    reader = Listing(store, tmp_path, lambda what, done: None)
    assert len(list(reader.entries("names", P))) == 4
    assert reader.cut("names")
    assert not reader.cut("types")
