"""Loading and checking a lexicon. Two paths that would read the same do not load."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path as File

from kbqa.errors import LexiconError
from kbqa.lexicon.nouns import type_label
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
    twins: dict[Path, Path] = field(default_factory=dict)
    """Path -> the path that says the same of the same things; its natural wordings serve for both."""
    properties: dict[Path, str] = field(default_factory=dict)
    """What a value is called by which answers are restricted, compared or sorted ('founding date')."""
    spoken: dict[Iri, str] = field(default_factory=dict)
    """How a predicate of an own graph is read to a model ('book : author')."""
    kinds: dict[Iri, tuple[str, ...]] = field(default_factory=dict)
    """Classes of an own graph: the common nouns for an instance, best first."""
    hidden: frozenset[Iri] = frozenset()
    """Predicates and classes that are never asked for."""
    extra: dict[Path, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    """Natural wordings beside those of the folder, which they go before."""

    def __post_init__(self) -> None:
        seen: dict[str, Path] = {}
        for path, wording in self.wordings.items():
            other = seen.setdefault(wording.template, path)
            if other != path:
                raise LexiconError(
                    f"two paths would read the same, {wording.template!r}: {show_path(other)} and "
                    f"{show_path(path)}; reword one of them"
                )

        named: dict[tuple[str, str], Path] = {}
        for path, name in self.properties.items():
            kind = _kind(path[0].predicate) if len(path) == 1 else ""
            other = named.setdefault((kind, name), path)
            if other != path:
                raise LexiconError(
                    f"two properties would read the same, {name!r}: {show_path(other)} and "
                    f"{show_path(path)}; rename one of them"
                )

    @cached_property
    def by_template(self) -> dict[str, Path]:
        return {w.template: p for p, w in self.wordings.items()}

    def called(self, predicate: Iri) -> str:
        """A predicate's name as a property: the lexicon's own, else its last part."""
        own = self.properties.get((Hop(predicate),))
        return own or predicate.mid.rpartition(".")[2].replace("_", " ")

    def predicate(self, kind: str, name: str) -> Iri:
        """The predicate of this type that is called so: inverse of `called`."""
        own = self._own_names.get((kind, name))
        return own or freebase(f"{kind}.{name.replace(' ', '_')}")

    @cached_property
    def _own_names(self) -> dict[tuple[str, str], Iri]:
        single = ((path[0].predicate, name) for path, name in self.properties.items() if len(path) == 1)
        return {(_kind(p), name): p for p, name in single}

    @cached_property
    def chains_by_name(self) -> dict[str, Path]:
        """The properties of two hops."""
        return {name: path for path, name in self.properties.items() if len(path) == 2}

    @cached_property
    def property_names(self) -> dict[Iri, str]:
        """Short names ('release date') that say enough: no other predicate has them, or only
        predicates of mediators, which are mostly named within their own type."""
        predicates = {hop.predicate for path in (*self.wordings, *self.properties) for hop in path}
        names = {
            p: self.called(p)
            for p in predicates
            if p.value.startswith(FREEBASE) or (Hop(p),) in self.properties
        }
        plain = {p for p in names if _kind(p) not in self.mediators.types}
        shared = Counter([*names.values(), *self.chains_by_name])
        among_plain = Counter([*(names[p] for p in plain), *self.chains_by_name])
        return {
            p: name
            for p, name in names.items()
            if shared[name] == 1 or (p in plain and among_plain[name] == 1)
        }

    @cached_property
    def types(self) -> dict[Iri, str]:
        """Freebase's types, which have no names of their own, as they are called."""
        hops = (hop for path in self.wordings for hop in path)
        found = (Iri(hop.predicate.value.rpartition(".")[0]) for hop in hops)
        return {iri: label for iri in dict.fromkeys(found) if (label := type_label(iri))}

    @cached_property
    def predicates_by_name(self) -> dict[str, Iri]:
        return {name: p for p, name in self.property_names.items()}

    @cached_property
    def natural(self) -> dict[Path, dict[str, tuple[str, ...]]]:
        """path -> form -> natural wordings, each with one `{}`. Read on first use."""
        found: dict[Path, dict[str, list[str]]] = {
            path: {form: list(some) for form, some in forms.items()} for path, forms in self.extra.items()
        }
        if self.folder is None:
            return {p: {f: tuple(w) for f, w in forms.items()} for p, forms in found.items()}
        for where, row in _rows(self.folder / "wordings", ("path", "form", "wording")):
            if row["form"] not in ("question", "noun", "clause"):
                raise LexiconError(f"{where}: form {row['form']!r}, expected question, noun or clause")
            _one_slot(where, row["wording"])
            found.setdefault(parse_path(row["path"]), {}).setdefault(row["form"], []).append(row["wording"])
        for path, same in self.twins.items():
            if same in found:
                found.setdefault(path, found[same])
        return {p: {f: tuple(w) for f, w in forms.items()} for p, forms in found.items()}


@cache
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


def _kind(predicate: Iri) -> str:
    """The type that a Freebase predicate names."""
    return predicate.mid.rpartition(".")[0]


def _one_slot(where: str, text: str) -> None:
    if text.count("{}") != 1:
        raise LexiconError(f"{where}: exactly one {{}} expected in {text!r}")


def _check_template(where: str, text: str) -> None:
    _one_slot(where, text)
    bad = [s for s in ("[", "]", '"', "?", ", where", ", whose", ", which", " (") if s in text]
    if bad:
        raise LexiconError(f"{where}: a template may not hold {bad[0]!r}: {text!r}")


def _optional(file: File, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    return _rows(file, columns) if file.exists() else iter(())


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
        _check_template(where, row["template"])
        wordings.setdefault(parse_path(row["path"]), Wording(row["template"], row["noun"], row["asks"]))
    twins: dict[Path, Path] = {}
    for where, row in _optional(folder / "twins.tsv", ("path", "same", "template")):
        _check_template(where, row["template"])
        path, same = parse_path(row["path"]), parse_path(row["same"])
        if same not in wordings or same in twins:
            raise LexiconError(f"{where}: {row['same']} is no path of the lexicon's paths/*.tsv")
        if path in wordings:
            raise LexiconError(f"{where}: {row['path']} has a template already")
        twins[path] = same
        wordings[path] = Wording(row["template"], wordings[same].noun, wordings[same].asks)
    properties: dict[Path, str] = {}
    for where, row in _optional(folder / "properties.tsv", ("path", "name")):
        path = parse_path(row["path"])
        if not row["name"] or len(path) not in (1, 2) or (len(path) == 1 and path[0].inverse):
            raise LexiconError(
                f"{where}: a name for one predicate, or for a path of two, expected; found {row}"
            )
        properties[path] = row["name"]
    types: set[str] = set()
    predicates: set[Iri] = set()
    sources: set[Iri] = set()
    for where, row in _optional(folder / "mediators.tsv", ("kind", "name")):
        if row["kind"] == "type":
            types.add(row["name"])
        elif row["kind"] == "predicate":
            predicates.update(h.predicate for h in parse_path(row["name"]))
        elif row["kind"] == "source":
            sources.update(h.predicate for h in parse_path(row["name"]))
        else:
            raise LexiconError(f"{where}: kind {row['kind']!r}, expected type, predicate or source")
    mediators = Mediators(frozenset(types), frozenset(predicates), frozenset(sources))
    spoken = {
        parse_path(row["path"])[0].predicate: row["words"]
        for _, row in _optional(folder / "spoken.tsv", ("path", "words"))
    }
    return Lexicon(wordings, mediators, folder, twins, properties, spoken, _kinds(folder / "classes.tsv"))


def _kinds(file: File) -> dict[Iri, tuple[str, ...]]:
    found: dict[Iri, tuple[str, ...]] = {}
    for _, row in _optional(file, ("class", "noun")):
        iri = Iri(row["class"].removeprefix("<").removesuffix(">"))
        found[iri] = (*found.get(iri, ()), row["noun"])
    return found


@lru_cache(maxsize=1)
def freebase_lexicon() -> Lexicon:
    """The lexicon that ships with the library."""
    return load_lexicon(File(__file__).parent / "freebase")
