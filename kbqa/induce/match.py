"""Which predicates a question's words speak of, by the lexicon: for graphs no parser was trained on."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from kbqa.lexicon import Lexicon
from kbqa.link import key
from kbqa.link.words import FUNCTION
from kbqa.protocols import Mention
from kbqa.types import Hop, Path

STRENGTH = 2.5
"""Added to the logit of a hop that all of the question's telling words speak of."""
_STEM = 5
_ASIDE = frozenset("thing things give tell name list show know please find have does many".split())
_SLOT = "\x00"


class Matcher:
    """Questions against one lexicon's wordings."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def worded(self, question: str, mentions: Sequence[Mention]) -> tuple[Path, ...]:
        """The paths of which a natural wording is, around the one name, this very question."""
        if len(mentions) != 1 or mentions[0].end <= mentions[0].start:
            return ()
        (mention,) = mentions
        before, after = question[: mention.start], question[mention.end :]
        return self._by_skeleton.get(_skeleton(before, after), ())

    def hints(self, question: str, mentions: Sequence[Mention]) -> Mapping[Hop, float]:
        """0..`STRENGTH` for each hop that the words outside the names speak of: the share of their weight, a
        word that many predicates are worded with weighing little."""
        rest = question
        for mention in sorted(mentions, key=lambda m: -m.start):
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        asked = {stem: self._weights[stem] for stem in stems(rest) if stem in self._weights}
        total = sum(asked.values())
        if not total:
            return {}
        scores = {
            hop: sum(weight for stem, weight in asked.items() if stem in known)
            for hop, known in self._stems.items()
        }
        return {hop: STRENGTH * score / total for hop, score in scores.items() if score}

    @cached_property
    def _by_skeleton(self) -> Mapping[str, tuple[Path, ...]]:
        found: dict[str, list[Path]] = defaultdict(list)
        for path, forms in self._lexicon.natural.items():
            for wording in forms.get("question", ()):
                before, _, after = wording.partition("{}")
                skeleton = _skeleton(before, after)
                if path not in found[skeleton]:
                    found[skeleton].append(path)
        return {skeleton: tuple(paths) for skeleton, paths in found.items()}

    @cached_property
    def _stems(self) -> Mapping[Hop, frozenset[str]]:
        """The stems of each hop's wordings."""
        found: dict[Hop, frozenset[str]] = {}
        for path, wording in self._lexicon.wordings.items():
            if len(path) == 1:
                texts = [wording.template, wording.noun]
                for wordings in self._lexicon.natural.get(path, {}).values():
                    texts += wordings
                found[path[0]] = stems(" ".join(texts))
        return found

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        holders = Counter(stem for known in self._stems.values() for stem in known)
        return {stem: math.log(1 + len(self._stems) / n) for stem, n in holders.items()}


def stems(text: str) -> frozenset[str]:
    """First letters of the words that say something."""
    words: Iterable[str] = key(text.replace("{}", " ")).split()
    return frozenset(w[:_STEM] for w in words if w not in FUNCTION and w not in _ASIDE and len(w) > 2)


def _skeleton(before: str, after: str) -> str:
    """The words around a name; 'the' before it says nothing."""
    return f"{key(before).removesuffix(' the')}{_SLOT}{key(after)}"
