"""Loading and checking a lexicon. Two paths that would read the same do not load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path as File

from kbqa.errors import LexiconError
from kbqa.types import FREEBASE, Hop, Iri, Mediators, Path, freebase


@dataclass(frozen=True, slots=True)
class Wording:
    """How one path is put: `template` is a noun phrase for the answers with one `{}` for the
    anchor, `noun` what an answer is called, `asks` the question word."""

    template: str
    noun: str = "thing"
    asks: str = "What"


@dataclass(frozen=True)
class Lexicon:
    """Wordings by path, and the other way round. Build it with `load_lexicon`."""

    wordings: dict[Path, Wording] = field(default_factory=dict)
    mediators: Mediators = field(default_factory=Mediators)
    folder: File | None = None

    def __post_init__(self) -> None:
        seen: dict[str, Path] = {}
        for path, wording in self.wordings.items():
            other = seen.setdefault(wording.template, path)
            if other != path:
                raise LexiconError(
                    f"two paths would read the same, {wording.template!r}: {show_path(other)} and "
                    f"{show_path(path)}; reword one of them"
                )

    @cached_property
    def by_template(self) -> dict[str, Path]:
        return {w.template: p for p, w in self.wordings.items()}

    @cached_property
    def property_names(self) -> dict[Iri, str]:
        """Short names ('release date') of predicates whose last part no other predicate shares."""
        predicates = {hop.predicate for path in self.wordings for hop in path}
        names = {
            p: p.mid.rpartition(".")[2].replace("_", " ") for p in predicates if p.value.startswith(FREEBASE)
        }
        shared = Counter(names.values())
        return {p: name for p, name in names.items() if shared[name] == 1}

    @cached_property
    def predicates_by_name(self) -> dict[str, Iri]:
        return {name: p for p, name in self.property_names.items()}

    @cached_property
    def natural(self) -> dict[Path, dict[str, tuple[str, ...]]]:
        """path -> form -> natural wordings, each with one `{}`. Read on first use."""
        if self.folder is None:
            return {}
        found: dict[Path, dict[str, list[str]]] = {}
        for where, row in _rows(self.folder / "wordings", ("path", "form", "wording")):
            if row["form"] not in ("question", "noun", "clause"):
                raise LexiconError(f"{where}: form {row['form']!r}, expected question, noun or clause")
            _one_slot(where, row["wording"])
            found.setdefault(parse_path(row["path"]), {}).setdefault(row["form"], []).append(row["wording"])
        return {p: {f: tuple(w) for f, w in forms.items()} for p, forms in found.items()}


def parse_path(text: str) -> Path:
    """`film.actor.film film.performance.film`, `^people.person.children`."""

    def hop(word: str) -> Hop:
        name = word.removeprefix("^")
        iri = Iri(name[1:-1]) if name.startswith("<") else freebase(name)
        return Hop(iri, word.startswith("^"))

    return tuple(hop(w) for w in text.split())


def show_path(path: Path) -> str:
    def word(hop: Hop) -> str:
        iri = hop.predicate
        name = iri.mid if iri.value.startswith(FREEBASE) else f"<{iri.value}>"
        return ("^" if hop.inverse else "") + name

    return " ".join(map(word, path))


def _one_slot(where: str, text: str) -> None:
    if text.count("{}") != 1:
        raise LexiconError(f"{where}: exactly one {{}} expected in {text!r}")


def _rows(folder: File, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    files = sorted(folder.glob("*.tsv")) if folder.is_dir() else [folder]
    for file in files:
        with file.open(encoding="utf-8") as lines:
            header = next(lines, "").rstrip("\n").split("\t")
            if tuple(header) != columns:
                raise LexiconError(
                    f"{file.name}, line 1: columns {', '.join(columns)} expected, found {header}"
                )
            for number, line in enumerate(lines, 2):
                cells = line.rstrip("\n").split("\t")
                if len(cells) != len(columns):
                    raise LexiconError(
                        f"{file.name}, line {number}: {len(columns)} columns expected, found {len(cells)}"
                    )
                yield f"{file.name}, line {number}", dict(zip(columns, cells, strict=True))


def load_lexicon(folder: File) -> Lexicon:
    """Read and check a lexicon folder. Raises `LexiconError` naming file, line and clash."""
    if not (folder / "paths").is_dir():
        raise LexiconError(f"{folder}: no lexicon there (a folder with paths/*.tsv expected)")
    wordings: dict[Path, Wording] = {}
    for where, row in _rows(folder / "paths", ("path", "template", "noun", "asks")):
        _one_slot(where, row["template"])
        bad = [s for s in ("[", "]", '"', "?", ", where", ", whose", ", which", " (") if s in row["template"]]
        if bad:
            raise LexiconError(f"{where}: a template may not hold {bad[0]!r}: {row['template']!r}")
        wordings.setdefault(parse_path(row["path"]), Wording(row["template"], row["noun"], row["asks"]))
    types: set[str] = set()
    predicates: set[Iri] = set()
    if (folder / "mediators.tsv").exists():
        for where, row in _rows(folder / "mediators.tsv", ("kind", "name")):
            if row["kind"] == "type":
                types.add(row["name"])
            elif row["kind"] == "predicate":
                predicates.update(h.predicate for h in parse_path(row["name"]))
            else:
                raise LexiconError(f"{where}: kind {row['kind']!r}, expected type or predicate")
    return Lexicon(wordings, Mediators(frozenset(types), frozenset(predicates)), folder)


@lru_cache(maxsize=1)
def freebase_lexicon() -> Lexicon:
    """The lexicon that ships with the library."""
    return load_lexicon(File(__file__).parent / "freebase")
