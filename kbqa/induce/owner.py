"""lexicon.toml in a KB folder: the owner's own words. Read and checked each time the folder is opened.

[prefixes]
ex = "http://example.org/"

[predicate."ex:worksFor"]
name = "employer"                       # what the value is called: conditions and sorting
forward = "the employer of {}"          # template for the object; {} stands for the subject
backward = "the person employed by {}"  # template for the subject; {} stands for the object
noun = "company"                        # what an answer of `forward` is called
backward_noun = "employee"
asks = "What"                           # question word of `forward`: What, Who, When, Which
synonyms = ["firm", "workplace"]        # other nouns: 'What is the firm of {}?'
questions = ["Who does {} work for?"]
backward_questions = ["Who works for {}?"]
hide = false                            # true: never asked for

[class."ex:Person"]
nouns = ["employee", "colleague"]       # what its instances are called
hide = false
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path as File
from typing import Any

from kbqa.errors import LexiconError
from kbqa.lexicon import Lexicon, Wording
from kbqa.types import Hop, Iri, Path

OWNER_FILE = "lexicon.toml"
_ASKS = ("What", "Who", "When", "Which")
_TEXTS = ("name", "forward", "backward", "noun", "backward_noun", "asks")
_LISTS = ("synonyms", "questions", "backward_questions")
_PREDICATE_KEYS = (*_TEXTS, *_LISTS, "hide")
_CLASS_KEYS = ("nouns", "hide")
_FORBIDDEN = ("[", "]", '"', "?", ", where", ", whose", ", which", " (", "\t", "\n")
_TAKEN = re.compile(r" of the | (?:is|if any|after the first) |\A(?:is|if any) | backwards\Z|[()<>\[\]]")


def with_owner(lexicon: Lexicon, file: File) -> Lexicon:
    """The lexicon with what `file` says; as it is where there is no such file. Raises `LexiconError` naming
    file and line."""
    if not file.is_file():
        return lexicon
    try:
        text = file.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LexiconError(f"{file} can't be read as TOML: {error}") from error
    return _Owner(lexicon, file, text.splitlines(), found).applied()


@dataclass
class _Owner:
    lexicon: Lexicon
    file: File
    lines: list[str]
    found: Mapping[str, Any]
    prefixes: dict[str, str] = field(default_factory=dict)

    def applied(self) -> Lexicon:
        for part in self.found:
            if part not in ("prefixes", "predicate", "class"):
                self.refuse(
                    part, "", f"[{part}] means nothing: [prefixes], [predicate.*] or [class.*] expected"
                )
        for name, value in self._table("prefixes").items():
            if not isinstance(value, str) or ":" not in value:
                self.refuse("prefixes", name, "the beginning of an IRI expected")
            self.prefixes[name] = value
        lexicon = self.lexicon
        for name, rows in self._table("predicate").items():
            lexicon = self._predicate(lexicon, name, self._rows("predicate", name, rows, _PREDICATE_KEYS))
        for name, rows in self._table("class").items():
            lexicon = self._class(lexicon, name, self._rows("class", name, rows, _CLASS_KEYS))
        return lexicon

    # --- where and what ------------------------------------------------------

    def refuse(self, section: str, key: str, reason: str) -> None:
        raise LexiconError(f"{self.file}, line {self._line(section, key)}: {reason}")

    def _line(self, section: str, key: str) -> int:
        """The line of a key, or of its table where the key is '' or isn't found."""
        at, inside = 0, False
        for number, line in enumerate(self.lines, 1):
            header = re.match(r"\s*\[([^\]]*)\]", line)
            if header and not re.match(r"\s*\w+\s*=", line):
                bare = re.sub(r"[\"'\s]", "", header[1])
                inside = bare == section or (not key and bare.startswith(f"{section}."))
                at = number if inside and not at else at
                if inside and not key:
                    return number
            elif inside and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line):
                return number
        return at or 1

    def _table(self, part: str) -> Mapping[str, Any]:
        found = self.found.get(part, {})
        if not isinstance(found, dict):
            self.refuse(part, "", f"[{part}] is a table")
        return found  # type: ignore[no-any-return]

    def _rows(self, part: str, name: str, rows: Any, known: tuple[str, ...]) -> Mapping[str, Any]:
        section = f"{part}.{name}"
        if not isinstance(rows, dict):
            self.refuse(section, "", f'a table expected: [{part}."{name}"]')
        for key, value in rows.items():
            if key not in known:
                near = get_close_matches(key, known, 1)
                hint = f"; did you mean {near[0]}?" if near else f": one of {', '.join(known)} expected"
                self.refuse(section, key, f"{key} means nothing here{hint}")
            wanted = bool if key == "hide" else str if key in _TEXTS else list
            if not isinstance(value, wanted) or (
                isinstance(value, list) and not all(isinstance(v, str) and v.strip() for v in value)
            ):
                shown = {bool: "true or false", str: "a text", list: "a list of texts"}[wanted]
                self.refuse(section, key, f"{key} is {shown}")
        return rows  # type: ignore[no-any-return]

    def _iri(self, section: str, name: str, known: Iterator[Iri] | tuple[Iri, ...], what: str) -> Iri:
        prefix, colon, local = name.partition(":")
        iri = Iri(self.prefixes[prefix] + local if colon and prefix in self.prefixes else name)
        every = list(known)
        if iri not in every:
            near = get_close_matches(iri.value, [k.value for k in every], 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            self.refuse(section, "", f"the graph has no {what} {iri.value}{hint}")
        return iri

    # --- applying ------------------------------------------------------------

    def _predicate(self, lexicon: Lexicon, name: str, rows: Mapping[str, Any]) -> Lexicon:
        section = f"predicate.{name}"
        known = {hop.predicate for path in lexicon.wordings for hop in path} | set(lexicon.spoken)
        iri = self._iri(section, name, tuple(known), "predicate")
        if rows.get("hide"):
            lexicon = replace(lexicon, hidden=lexicon.hidden | {iri})
        forward, backward = (Hop(iri),), (Hop(iri, True),)
        wordings = dict(lexicon.wordings)
        self._reword(section, wordings, forward, rows, ("forward", "noun", "asks"))
        self._reword(section, wordings, backward, rows, ("backward", "backward_noun", ""))
        properties = dict(lexicon.properties)
        if "name" in rows:
            self._check_name(section, rows["name"], forward, properties)
            properties[forward] = rows["name"]
        spoken = dict(lexicon.spoken)
        if "name" in rows and iri in spoken:
            spoken[iri] = f"{spoken[iri].partition(' : ')[0]} : {rows['name']}"
        extra = dict(lexicon.extra)
        for path, form, wording in self._natural(section, rows, wordings):
            forms = dict(extra.get(path, {}))
            forms[form] = tuple(dict.fromkeys((*forms.get(form, ()), wording)))
            extra[path] = forms
        return replace(lexicon, wordings=wordings, properties=properties, spoken=spoken, extra=extra)

    def _reword(
        self,
        section: str,
        wordings: dict[Path, Wording],
        path: Path,
        rows: Mapping[str, Any],
        keys: tuple[str, str, str],
    ) -> None:
        template, noun, asks = (rows.get(k) for k in keys)
        if template is None and noun is None and asks is None:
            return
        old = wordings.get(path)
        if template is None and old is None:
            self.refuse(section, keys[1], f"there is no wording yet: give {keys[0]} too")
        if template is not None:
            self._check_template(section, keys[0], template, path, wordings)
        if asks is not None and asks not in _ASKS:
            self.refuse(section, keys[2], f"asks is one of {', '.join(_ASKS)}")
        old = old or Wording("")
        wordings[path] = Wording(template or old.template, noun or old.noun, asks or old.asks)

    def _check_template(
        self, section: str, key: str, text: str, path: Path, wordings: Mapping[Path, Wording]
    ) -> None:
        if text.count("{}") != 1:
            self.refuse(section, key, f"exactly one {{}} expected in {text!r}")
        bad = next((sign for sign in _FORBIDDEN if sign in text), None)
        if bad is not None:
            self.refuse(section, key, f"a template may not hold {bad!r}: {text!r}")
        clash = next((p for p, w in wordings.items() if w.template == text and p != path), None)
        if clash is not None:
            from kbqa.lexicon import show_path

            self.refuse(section, key, f"{show_path(clash)} reads {text!r} too: word one of them differently")

    def _check_name(self, section: str, name: str, path: Path, properties: Mapping[Path, str]) -> None:
        if _TAKEN.search(name) or not name.strip():
            self.refuse(section, "name", f"{name!r} is no name for a value: a short noun expected")
        clash = next((p for p, n in properties.items() if n == name and p != path), None)
        if clash is not None:
            self.refuse(section, "name", f"<{clash[0].predicate.value}> is called {name!r} too")

    def _natural(
        self, section: str, rows: Mapping[str, Any], wordings: Mapping[Path, Wording]
    ) -> Iterator[tuple[Path, str, str]]:
        iri = self._iri_of(section)
        forward, backward = (Hop(iri),), (Hop(iri, True),)
        for key, path in (("questions", forward), ("backward_questions", backward)):
            for wording in rows.get(key, ()):
                if wording.count("{}") != 1 or not wording.endswith("?"):
                    self.refuse(section, key, f"a question with one {{}} expected: {wording!r}")
                yield path, "question", wording
        asks = wordings[forward].asks if forward in wordings else "What"
        for noun in (rows.get("name"), *rows.get("synonyms", ())):
            if noun:
                yield forward, "question", f"{'Who' if asks == 'Who' else 'What'} is the {noun} of {{}}?"
                yield forward, "noun", f"the {noun} of {{}}"

    def _iri_of(self, section: str) -> Iri:
        name = section.partition(".")[2]
        prefix, colon, local = name.partition(":")
        return Iri(self.prefixes[prefix] + local if colon and prefix in self.prefixes else name)

    def _class(self, lexicon: Lexicon, name: str, rows: Mapping[str, Any]) -> Lexicon:
        section = f"class.{name}"
        iri = self._iri(section, name, tuple(lexicon.kinds), "class with instances")
        kinds = dict(lexicon.kinds)
        if "nouns" in rows:
            kinds[iri] = tuple(dict.fromkeys((*rows["nouns"], *kinds[iri])))
        if rows.get("hide"):
            del kinds[iri]
            return replace(lexicon, kinds=kinds, hidden=lexicon.hidden | {iri})
        return replace(lexicon, kinds=kinds)
