"""Steps that find things, and their English, built together."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from kbqa.lexicon.nouns import NOTABLE_NOUNS, demonyms
from kbqa.synth.graph import Node
from kbqa.synth.words import Wordings, capital, fill, plural_clause
from kbqa.synth.world import World
from kbqa.types import FREEBASE, Find, Iri, Keep, Ref, Restriction, Step

_WORKS = tuple(FREEBASE + p for p in ("film.film.", "tv.tv_program.", "music.album.", "music.recording.",
               "music.composition.", "book.written_work.", "book.book."))  # fmt: skip
T = TypeVar("T")
ENTITY, VALUE = 0xE000, 0xE800
"""Entities and values stand as one private character each until the very end."""
_NEEDS_THE = re.compile(
    r"United (?:States|Kingdom|Arab|Nations)|(?:Netherlands|Philippines|Bahamas|Maldives|Gambia|UK|USA|US)\Z"
    r"|.*(?:Islands|Republic|Empire|Emirates|Congo| River| Ocean| Sea)\Z"
)
_PLURAL_HEAD = re.compile(
    r"the (?:[\w-]+ )?(?!series|famous|previous|religious|class|address|us\b)[a-z]\w*[^s\W]s\b"
)
_PLURAL_OWN = re.compile(r"\{\}'s .*[a-rt-z]s\Z")
GENERIC = frozenset("thing place person location date number record area jurisdiction topic event".split())
_ARTICLE = re.compile(r"\b(?:the|an?) \{\}", re.IGNORECASE)
_A, _AN = re.compile(r"\b([Aa]) \{\}"), re.compile(r"\b([Aa])n \{\}")
_VOWELS = ("a", "e", "i", "o", "u")


class NoLuck(Exception):
    """This instance does not work out; try another."""


@dataclass(frozen=True)
class Mention:
    iri: str
    name: str
    text: str
    the: bool = False
    quoted: bool = False


@dataclass
class Parts:
    """A step that finds things, and how to speak of it: 'the {noun} {clause}'."""

    ref: int
    path: int
    filler: str
    nested: bool
    answers: list[Node]
    words: Wordings
    noun: str
    suffix: str = ""
    starts: Sequence[Node] = ()
    extra: tuple[str, ...] = ()
    """Whole noun phrases for it, if any were made for this case."""
    asked: tuple[str, ...] = ()
    """Whole questions, likewise."""


@dataclass
class Np:
    text: str
    ref: int
    answers: list[Node]


class Speech:
    """One question being made."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.world, self.rng = world, rng
        self.graph, self.walks = world.graph, world.walks
        self.steps: list[Step] = []
        self.says: list[Callable[[], Iterable[str]]] = []
        """Each step's sub-questions, put into words only once the question is taken: most drafts are not."""
        self.mentions: list[Mention] = []
        self.values: list[str] = []
        self.nouns: list[str] = []

    # --- small things

    def choice(self, items: Sequence[T]) -> T:
        if not items:
            raise NoLuck
        return items[int(self.rng.random() * len(items))]

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def mention(self, node: Node, lower: bool = False) -> str:
        """A character that stands for the entity's name."""
        assert isinstance(node, str)
        name = self.graph.names.get(node)
        if name is None or len(name) > 80:
            raise NoLuck
        text = name
        lower = lower or (node in self.world.common and self.chance(0.85))
        aliases = [a for a in self.graph.aliases.get(node, ()) if a not in demonyms()]
        if aliases and not lower and self.chance(0.15):
            alias = self.choice(aliases)
            if len(alias) >= 3 and "?" not in alias:
                text = alias
        elif " (" in text and self.chance(0.5):
            text = text[: text.index(" (")]
        if lower:
            text = text.lower() if not re.search(r"[A-Z]{2}", text) else text
        the = bool(_NEEDS_THE.match(text)) and self.chance(0.85)
        quoted = self.chance(0.12) and any(p.startswith(_WORKS) for p in self.graph.out.get(node, ()))
        self.mentions.append(Mention(node, name, text, the, quoted))
        return chr(ENTITY + len(self.mentions) - 1)

    def value(self, text: str) -> str:
        self.values.append(text)
        return chr(VALUE + len(self.values) - 1)

    def fill(self, wording: str, text: str) -> str:
        the = False
        if len(text) == 1:
            mention = self.mentions[ord(text) - ENTITY] if ENTITY <= ord(text) < VALUE else None
            if mention is not None:
                the = mention.the
                start = mention.text[:4].lower()
                if start == "the ":
                    wording = _ARTICLE.sub("{}", wording)
                elif (
                    start.startswith(_VOWELS)
                    and mention.text[0] != "U"
                    and not start.startswith(("uni", "eu"))
                ):
                    wording = _A.sub(r"\1n {}", wording)
                else:
                    wording = _AN.sub(r"\1 {}", wording)
        return fill(wording, text, the)

    def add(self, step: Step, noun: str, *subs: str, says: Callable[[], Iterable[str]] | None = None) -> int:
        self.steps.append(step)
        self.nouns.append(noun)
        self.says.append(says or (lambda: subs))
        return len(self.steps)

    def sub_questions(self) -> list[tuple[str, ...]]:
        return [tuple(dict.fromkeys(capital(s) for s in said() if s)) for said in self.says]

    def sample_path(self) -> int:
        return self.rng.choices(range(len(self.walks.paths)), cum_weights=self.world.total)[0]

    def sample_entity_path(self) -> int:
        return self.rng.choices(self.world.entity_paths, cum_weights=self.world.entity_total)[0]

    # --- finding

    def link_to(self, node: Node, avoid: set[Node], telling: bool = False) -> tuple[int, str]:
        """A path that leads to the node, and from where; `telling`: not from where hundreds are."""
        if not isinstance(node, str):
            raise NoLuck
        options = self.walks.into.get(node)
        if not options:
            raise NoLuck
        for _ in range(3):
            i = self.choice(options)
            starts = self.walks.sources(i, node)
            if not avoid.isdisjoint(starts):
                starts = [s for s in starts if s not in avoid]
            if not starts:
                continue
            start = self.choice(starts)
            if telling and len(self.walks.reached(i, start)) > 25 and self.chance(0.9):
                continue
            return i, start
        raise NoLuck

    def noun_for(self, i: int, answers: Sequence[Node]) -> str:
        """What the answers are called: by the lexicon, or by their type where all share it."""
        noun = self.world.by_path[i].noun
        if (noun in GENERIC and self.chance(0.8)) or self.chance(0.15):
            shared = self.type_noun(answers)
            if shared:
                return shared
        return noun

    def type_noun(self, answers: Sequence[Node]) -> str | None:
        if not answers or len(answers) > 300:
            return None
        types = self.graph.notable(answers[0])
        for t in types:
            nouns = self.graph.nouns.get(t) or NOTABLE_NOUNS.get(self.graph.names.get(t, ""))
            if nouns and all(t in self.graph.notable(a) for a in answers):
                return self.choice(nouns)
        return None

    def find(
        self,
        i: int,
        anchor: str | Np,
        restrictions: tuple[Restriction, ...] = (),
        answers: list[Node] | None = None,
        suffix: str = "",
        filler: str = "",
        keep: int = 0,
        among: Sequence[Node] = (),
    ) -> Parts:
        """A Find step, or (`keep`) a Keep on that step, from an entity or an earlier step."""
        path, words = self.walks.paths[i], self.world.by_path[i]
        if isinstance(anchor, Np):
            start: Iri | Ref = Ref(anchor.ref)
            text, nested = anchor.text, True
            from_nodes: Sequence[Node] = anchor.answers
        else:
            start, text, nested = Iri(anchor), filler or self.mention(anchor), False
            from_nodes = (anchor,)
        if answers is None:
            found = (self.walks.reached(i, n) for n in from_nodes)
            answers = list(dict.fromkeys(chain.from_iterable(found)))
        if keep:
            some = set(answers)
            answers = [a for a in among if a in some]
        if not answers:
            raise NoLuck
        noun = self.noun_for(i, answers)
        short = f"that {self.nouns[anchor.ref - 1]}" if isinstance(anchor, Np) else text
        if keep:
            ref = self.add(Keep(Ref(keep), start, path, restrictions), words.noun,
                           says=lambda: self.keeps(words, noun, short, nested))  # fmt: skip
        else:
            asked = words.questions[:4]
            says = lambda: (self.fill(q, short).rstrip("?") + suffix + "?" for q in asked)  # noqa: E731
            ref = self.add(Find(start, path, restrictions), words.noun, says=says)
        return Parts(ref, i, text, nested, answers, words, noun, suffix, from_nodes)

    def keeps(self, words: Wordings, noun: str, short: str, nested: bool) -> Iterator[str]:
        """The sub-questions of a Keep."""
        for c in (words.nested_clauses if nested else words.clauses)[:2]:
            yield f"Of these, which is the {noun} {self.fill(c, short)}?"
        for v in words.verbs[:2]:
            yield f"Which of these {self.fill(v, short)}?"

    def reflexive(self, p: Parts) -> bool:
        """Whether the path also leads back to where it starts; only a last step leaves that out."""
        route = self.walks.routes[p.path]
        return any(a == s for s in p.starts for _, a in self.graph.pairs(s, route))

    # --- speaking

    def clause(self, p: Parts) -> str:
        options = p.words.nested_clauses if p.nested else p.words.clauses
        return self.fill(self.choice(options), p.filler) + p.suffix

    def clauses(self, p: Parts) -> str:
        """The clause said of several: 'that border X'."""
        options = p.words.nested_clauses if p.nested else p.words.clauses
        return self.fill(plural_clause(self.choice(options)), p.filler) + p.suffix

    def verb(self, p: Parts) -> str:
        options = p.words.nested_verbs if p.nested else p.words.verbs
        return self.fill(self.choice(options), p.filler) + p.suffix

    def has_verb(self, p: Parts) -> bool:
        return bool(p.words.nested_verbs if p.nested else p.words.verbs)

    def phrase(self, p: Parts) -> str:
        """'the country that contains X'"""
        if p.extra:
            return self.choice(p.extra)
        nouns = p.words.nested_nouns if p.nested else p.words.nouns
        nouns = tuple(
            n
            for n in nouns
            if not n.startswith("{} ") and not _PLURAL_HEAD.match(n) and not _PLURAL_OWN.match(n)
        )
        clauses = p.words.nested_clauses if p.nested else p.words.clauses
        if nouns and (not clauses or (self.chance(0.5) and not (p.suffix and clauses))):
            return self.fill(self.choice(nouns), p.filler) + p.suffix
        return f"the {p.noun} {self.clause(p)}"

    def question(self, p: Parts) -> str:
        if p.asked:
            return self.choice(p.asked)
        options = p.words.nested_questions if p.nested else p.words.questions
        if self.chance(0.1) and (p.nested or self.chance(0.5)):
            return f"{self.wh(p)} is {self.phrase(p)}?"
        q = self.choice(options)
        if q.endswith(" in {}?") and self.chance(0.12) and q[:1].isupper() and not q.startswith("{"):
            first = q[: -len(" in {}?")]
            return self.fill("In {}, ", p.filler) + first[0].lower() + first[1:] + p.suffix + "?"
        text = self.fill(q, p.filler)
        if p.suffix:
            text = text[:-1].rstrip() + p.suffix + "?"
        return text

    def wh(self, p: Parts) -> str:
        return "Who" if p.words.asks == "Who" else "What"

    def ask_for(self, p: Parts, phrase: str) -> str:
        """A question for 'the country that ... and ...'."""
        who = self.wh(p)
        bare = phrase.removeprefix("the ")
        forms = [f"{who} is {phrase}?", f"{who} is {phrase}?"]
        if phrase.startswith("the "):
            forms += [f"Name {phrase}.", f"Tell me {phrase}.", f"What {bare}?", f"Which is {phrase}?"]
        return self.choice(forms)

    def mark(self) -> tuple[int, int, int]:
        return len(self.steps), len(self.mentions), len(self.values)

    def undo(self, mark: tuple[int, int, int]) -> None:
        del self.steps[mark[0] :], self.says[mark[0] :], self.nouns[mark[0] :]
        del self.mentions[mark[1] :], self.values[mark[2] :]
