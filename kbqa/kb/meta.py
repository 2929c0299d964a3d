"""The files of a knowledge base folder that say what is in it: kb.json, paths.json, profile.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kbqa.errors import KnowledgeBaseError
from kbqa.induce.profile import Profile
from kbqa.kb.names import LANGUAGES
from kbqa.kb.scan import Paths
from kbqa.lexicon.load import parse_path, show_path
from kbqa.types import Iri

FORMAT = 2


@dataclass(frozen=True, slots=True)
class Meta:
    """What kb.json says. `own`: the wordings were induced; `endpoint`: where the triples are, '' for the
    folder's own store; `sources`: (file name, hash of its contents) of what it was built from."""

    name: str
    signature: str
    triples: int
    labels: int
    own: bool = False
    endpoint: str = ""
    languages: tuple[str, ...] = LANGUAGES
    sources: tuple[tuple[str, str], ...] = ()


def is_kb(folder: Path) -> bool:
    """Whether a build completed this folder."""
    return (folder / "kb.json").is_file()


def write_meta(folder: Path, meta: Meta) -> None:
    """Written last: a folder with kb.json is complete."""
    text = json.dumps({"format": FORMAT, **asdict(meta)}, ensure_ascii=False, indent=1)
    (folder / "kb.json").write_text(text + "\n", encoding="utf-8")


def read_meta(folder: Path) -> Meta:
    """Raises `KnowledgeBaseError` for a folder of another format or a broken one."""
    try:
        found = json.loads((folder / "kb.json").read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']!r}, not {FORMAT}")
        return Meta(
            str(found["name"]),
            str(found["signature"]),
            int(found["triples"]),
            int(found["labels"]),
            bool(found["own"]),
            str(found["endpoint"]),
            tuple(map(str, found["languages"])),
            tuple((str(name), str(stamp)) for name, stamp in found["sources"]),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _broken(folder / "kb.json", error) from error


def write_paths(folder: Path, paths: Paths) -> None:
    rows = sorted(show_path(pair) for pair in paths.pairs)
    found = {"predicates": sorted(p.value for p in paths.predicates), "pairs": rows}
    (folder / "paths.json").write_text(json.dumps(found), encoding="utf-8")


def read_paths(folder: Path) -> Paths:
    """Raises `KnowledgeBaseError`."""
    try:
        found = json.loads((folder / "paths.json").read_text(encoding="utf-8"))
        pairs = [parse_path(row) for row in found["pairs"]]
        return Paths(frozenset(map(Iri, found["predicates"])), frozenset((a, b) for a, b in pairs))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _broken(folder / "paths.json", error) from error


def write_profile(folder: Path, profile: Profile) -> None:
    text = json.dumps(profile.to_json(), ensure_ascii=False, indent=1)
    (folder / "profile.json").write_text(text + "\n", encoding="utf-8")


def read_profile(folder: Path) -> Profile:
    """Raises `KnowledgeBaseError` for a folder whose wordings were not induced, or a broken file."""
    file = folder / "profile.json"
    if not file.is_file():
        raise KnowledgeBaseError(
            f"{folder} has no profile.json: it holds Freebase's vocabulary, which has its own lexicon, or was"
            " not built with `kbqa kb build`"
        )
    try:
        found: Any = json.loads(file.read_text(encoding="utf-8"))
        return Profile.from_json(found)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _broken(file, error) from error


def _broken(file: Path, error: Exception) -> KnowledgeBaseError:
    return KnowledgeBaseError(f"{file} can't be read ({error}): build the knowledge base again")
