"""One question at a time: steps and their English are built together, step by step."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from typing import TypeVar

from kbqa.lexicon import Lexicon
from kbqa.lexicon.measures import MEASURES, Measure
from kbqa.lexicon.nouns import NOTABLE_NOUNS, demonyms, plural
from kbqa.synth.graph import Graph, Node, Walks, back, date_of, number_of, route_of
from kbqa.synth.values import DATE_WORDS, NUMBER_WORDS, say_date, say_number
from kbqa.synth.words import (
    Wordings,
    an,
    capital,
    fill,
    past,
    plural_clause,
    sort_wordings,
)
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    FREEBASE,
    XSD,
    Count,
    Find,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Literal,
    Merge,
    OpenThan,
    Operator,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
)

_COMMON = re.compile(
    r".*\.(?:profession|genre|basic_title|position|position_s|positions|instruments?|instruments_played|cause_of_death|"
    r"gender|form_of_government|type_of_union|Kind_of_symbol|role|industry|school_type|practices|film_crew_role|"
    r"powers_or_abilities|building_function|colors|special_performance_type|major_field_of_study|art_form|subjects|"
    r"geographic_feature_category|occupation|character_occupation|medium|literary_genre|color)\Z"
)
"""Predicates whose values are common nouns, written small in a sentence."""
_WORKS = tuple(FREEBASE + p for p in ("film.film.", "tv.tv_program.", "music.album.", "music.recording.",
               "music.composition.", "book.written_work.", "book.book."))  # fmt: skip
T = TypeVar("T")
ENTITY, VALUE = 0xE000, 0xE800
"""Entities and values stand as one private character each until the very end."""
NOW = "2015-08-10"
_NEEDS_THE = re.compile(
    r"United (?:States|Kingdom|Arab|Nations)|(?:Netherlands|Philippines|Bahamas|Maldives|Gambia|UK|USA|US)\Z"
    r"|.*(?:Islands|Republic|Empire|Emirates|Congo| River| Ocean| Sea)\Z"
)
_PLURAL_HEAD = re.compile(
    r"the (?:[\w-]+ )?(?!series|famous|previous|religious|class|address|us\b)[a-z]\w*[^s\W]s\b"
)
_PLURAL_OWN = re.compile(r"\{\}'s .*[a-rt-z]s\Z")
_PLACES = {
    "location.location.contains": False,
    "location.location.containedby": True,
    "geography.river.basin_countries": True,
    "location.country.administrative_divisions": False,
    "location.administrative_division.country": True,
}
"""Predicates of what lies in a place, and whether they are walked backwards."""
_GENERIC = frozenset("thing place person location date number record area jurisdiction topic event".split())
_ROLE = (" as {}", " in the role of {}", " playing {}", " playing the character {}", " as the character {}")
_ROLE_QUESTIONS = ("Who played {c} in {f}?", "What actor played {c} in {f}?", "Who plays {c} in {f}?",
                   "Who was {c} in {f}?", "Which actor was {c} in {f}?", "In {f}, who played {c}?",
                   "Who plays the character {c} in {f}?", "Who played the role of {c} in {f}?",
                   "{c} was played by whom in {f}?")  # fmt: skip
_PART_QUESTIONS = (
    "Who did {c} play in {f}?",
    "What character did {c} play in {f}?",
    "What was {c}'s role in {f}?",
    "Who does {c} play in {f}?",
    "What part did {c} have in {f}?",
)
_SUFFIXES: dict[str, tuple[str, ...]] = {
    "government.government_position_held.basic_title": (" as {}",),
    "government.government_position_held.office_position_or_title": (" as {}", " as the {}"),
    "government.government_position_held.governmental_body": (" in the {}", " as a member of the {}"),
    "film.performance.character": _ROLE,
    "tv.regular_tv_appearance.character": _ROLE,
    "tv.tv_guest_role.character": _ROLE,
    "film.performance.special_performance_type": (" as a {} performance",),
    "sports.sports_team_roster.position": (" as a {}", " at {}", " in the position of {}"),
    "music.group_membership.role": (" as {}", " on {}", " playing {}"),
    "music.group_membership.instrument": (" on {}", " playing {}"),
    "education.education.degree": (" for a {}", " with the degree {}", " and got a {}"),
    "education.education.major_field_of_study": (" to study {}", " majoring in {}", " with a major in {}"),
    "award.award_honor.award": (" with the {}",),
    "award.award_honor.honored_for": (" for {}",),
    "award.award_honor.ceremony": (" at the {}", " in the {}"),
    "award.award_nomination.nominated_for": (" for {}",),
    "film.performance.actor": (" played by {}", " portrayed by {}", " with {}"),
    "tv.regular_tv_appearance.actor": (" played by {}", " portrayed by {}", " with {}"),
    "tv.tv_guest_role.actor": (" played by {}", " with {}"),
    "sports.sports_team_roster.player": (" with {}", " alongside {}"),
    "government.government_position_held.office_holder": (" held by {}", " with {} in office"),
    "government.government_position_held.jurisdiction_of_office": (" in {}", " of {}"),
    "government.government_position_held.district_represented": (" for {}", " representing {}"),
    "education.education.student": (" that {} got", " with {} as a student"),
    "education.education.institution": (" at {}", " from {}"),
    "award.award_honor.award_winner": (" won by {}", " given to {}"),
    "people.marriage.spouse": (" to {}", " with {}"),
    "people.marriage.location_of_ceremony": (" in {}", " at a ceremony in {}"),
    "film.film_crew_gig.film_crew_role": (" as {}",),
    "organization.leadership.role": (" as {}", " as the {}"),
    "organization.leadership.title": (" as {}",),
    "business.employment_tenure.title": (" as {}",),
    "sports.sports_team_roster.team": (" for {}", " with {}"),
    "sports.sports_league_draft_pick.draft": (" in the {}",),
    "film.film_regional_release_date.film_release_region": (" in {}",),
}
_TITLES = (freebase("government.government_position_held.basic_title"),)


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
class World:
    """What is fixed for a graph and a lexicon."""

    graph: Graph
    lexicon: Lexicon
    walks: Walks = field(init=False)
    words: dict[Path, Wordings] = field(init=False)
    by_path: list[Wordings] = field(init=False)
    properties: dict[str, list[Measure]] = field(init=False)
    routes: dict[Path, tuple[tuple[str, bool], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.walks = Walks(self.graph, self.lexicon)
        self.words = sort_wordings(self.lexicon)
        self.by_path = [self.words[p] for p in self.walks.paths]
        self.total = list(accumulate(self.walks.weights))
        walks = self.walks
        entity = [i for i in range(len(walks.paths)) if walks.leads[i]]
        self.entity_paths = entity
        self.entity_total = list(accumulate(walks.weights[i] for i in entity))
        self.common = {
            a
            for edges in self.graph.out.values()
            for p, values in edges.items()
            if _COMMON.match(p)
            for a in values
            if isinstance(a, str) and re.match(r"[A-Z][a-z -]+\Z", self.graph.names.get(a, ""))
        }
        spans = [i for i in range(len(walks.paths)) if span_of(mediator_type(walks.paths[i]))]
        self.span_paths = [i for i in spans if walks.leads[i]]
        self.place_paths = [
            i
            for i in entity
            if any(
                h.predicate.mid in _PLACES and h.inverse == _PLACES[h.predicate.mid] for h in walks.paths[i]
            )
        ]
        self.mediator_paths = [i for i in entity if len(walks.routes[i]) == 2]
        self.editions = [i for i in (walks.number.get(p) for p in _EDITIONS) if i is not None]
        if not any(p in walks.number for p in _WINNERS):
            self.editions = []
        self.properties = {}
        known = set()
        for prop in MEASURES:
            route = route_of(prop.path)
            self.routes[prop.path] = route
            self.properties.setdefault(route[0][0], []).append(prop)
            known.add(route[0][0])
        self._generic(known)

    def _generic(self, known: set[str]) -> None:
        """Properties that the table of properties does not name."""
        numbers: dict[str, int] = {}
        dates: dict[str, int] = {}
        for s, edges in self.graph.out.items():
            if s not in self.graph.names:
                continue
            for p, values in edges.items():
                if p not in known and isinstance(values[0], Literal):
                    counts = numbers if number_of(values[0]) is not None else dates
                    if counts is numbers or date_of(values[0]):
                        counts[p] = counts.get(p, 0) + 1
        for kind, found in ((Kind.NUMBER, numbers), (Kind.DATE, dates)):
            for p, count in sorted(found.items()):
                if count < 5:
                    continue
                noun = self.called(p)
                sized = (f"with {an(noun)} of {{}}", f"whose {noun} is {{}}", f"that has {an(noun)} of {{}}")
                path = (Hop(Iri(p)),)
                self.routes[path] = route_of(path)
                self.properties[p] = [Measure(path, kind, noun, sized=sized if kind is Kind.NUMBER else ())]

    def called(self, predicate: str) -> str:
        """What a value of a predicate is called: by the lexicon in an own graph, where names may be codes."""
        own = None if predicate.startswith(FREEBASE) else self.lexicon.properties.get((Hop(Iri(predicate)),))
        return own or re.split(r"[./#]", predicate)[-1].replace("_", " ")

    def ends(self, events: Sequence[Node]) -> tuple[Measure, dict[Node, str]] | None:
        """When events ended, or else started."""
        for name in ("time.event.end_date", "time.event.start_date"):
            for prop in self.properties.get(FREEBASE + name, ()):
                dates = {a: max(v) for a in events if (v := [str(k) for k, _ in self.values(a, prop)])}
                if dates:
                    return prop, dates
        return None

    def values(self, node: Node, prop: Measure) -> list[tuple[str | float, Literal]]:
        """Sort keys with their literals."""
        read: Callable[[Node], str | float | None] = date_of if prop.kind is Kind.DATE else number_of
        found = []
        for _, a in self.graph.pairs(node, self.routes[prop.path]):
            key = read(a)
            if key is not None and isinstance(a, Literal):
                found.append((key, a))
        return found


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


class Draft:
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
        if (noun in _GENERIC and self.chance(0.8)) or self.chance(0.15):
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

    # --- descriptions of a thing, for the next question to be about

    def describe(self, node: Node, depth: int, avoid: set[Node]) -> Np:
        """Steps whose answers hold the node, and a noun phrase for them."""
        roll = self.rng.random()
        parts = self.source(node, depth, avoid)
        if roll < 0.66 or len(self.steps) > 4 or (roll >= 0.78 and self.reflexive(parts)):
            return Np(self.phrase(parts), parts.ref, parts.answers)
        if roll < 0.78:
            return self.both(parts, node, avoid)
        if roll < 0.9:
            try:
                return self.extreme(parts)[0]
            except NoLuck:
                return Np(self.phrase(parts), parts.ref, parts.answers)
        try:
            return self.compared(parts, node)[0]
        except NoLuck:
            return Np(self.phrase(parts), parts.ref, parts.answers)

    def source(self, node: Node, depth: int, avoid: set[Node]) -> Parts:
        i, start = self.link_to(node, avoid, telling=True)
        avoid.add(start)
        if depth > 0 and start in self.walks.into:
            inner = self.describe(start, depth - 1, avoid | {node})
            return self.find(i, inner)
        if len(self.walks.routes[i]) == 2 and self.chance(0.35):
            mark = self.mark()
            try:
                return self.narrowed(i, start, node, 1)
            except NoLuck:
                self.undo(mark)
        return self.find(i, start)

    def mark(self) -> tuple[int, int, int]:
        return len(self.steps), len(self.mentions), len(self.values)

    def undo(self, mark: tuple[int, int, int]) -> None:
        del self.steps[mark[0] :], self.says[mark[0] :], self.nouns[mark[0] :]
        del self.mentions[mark[1] :], self.values[mark[2] :]

    def both(self, first: Parts, node: Node, avoid: set[Node]) -> Np:
        second = self.kept(first, node, avoid, 0)
        return Np(self.joined(first, second), second.ref, second.answers)

    def joined(self, first: Parts, second: Parts) -> str:
        noun = self.joint_noun(first, second)
        one, two = self.clause(first), self.clause(second)
        a, b = one.split(" ", 1), two.split(" ", 1)
        if a[0] == b[0] and a[0] in ("that", "who", "which") and self.has_verb(second) and self.chance(0.6):
            two = self.verb(second)
        return f"the {noun} {one} and {two}"

    def joint_noun(self, first: Parts, second: Parts) -> str:
        nouns = [n for n in (first.noun, second.noun) if n not in _GENERIC] or [first.noun]
        return self.choice(nouns)

    def kept(self, first: Parts, node: Node, avoid: set[Node], depth: int) -> Parts:
        """A Keep on `first` that the node passes."""
        i, start = self.link_to(node, avoid)
        if i == first.path and self.chance(0.8):
            raise NoLuck
        avoid.add(start)
        if depth and start in self.walks.into:
            inner = self.describe(start, depth - 1, avoid | {node})
            return self.find(i, inner, keep=first.ref, among=first.answers)
        return self.find(i, start, keep=first.ref, among=first.answers)

    # --- superlatives

    def property_of(self, answers: Sequence[Node]) -> Measure:
        """One that several of the answers have."""
        options: list[Measure] = []
        for _ in range(3):
            node = self.choice(answers)
            if isinstance(node, str):
                for p in self.graph.out.get(node, ()):
                    options.extend(self.world.properties.get(p, ()))
            if options:
                return self.choice(options)
        raise NoLuck

    def extreme(self, p: Parts) -> tuple[Np, str]:
        """The largest, first ... of the answers: a noun phrase and a whole question."""
        if not 2 <= len(p.answers) <= 300:
            raise NoLuck
        prop = self.property_of(p.answers)
        if prop.path[0].predicate == freebase("time.event.start_date"):
            ends = next(q for q in MEASURES if q.path[0].predicate == freebase("time.event.end_date"))
            if any(self.world.values(a, ends) for a in p.answers):
                prop = ends
        descending = self.chance(0.55)
        best: dict[Node, str | float] = {}
        for a in p.answers:
            keys = [k for k, _ in self.world.values(a, prop)]
            if keys:
                best[a] = max(keys) if descending else min(keys)
        if len(best) < 2:
            raise NoLuck
        top = max(best.values()) if descending else min(best.values())
        winners = [a for a, k in best.items() if k == top]
        if len(winners) > 1:
            raise NoLuck
        noun = p.noun
        if prop.kind is Kind.DATE:
            word = self.choice(("latest", "most recent") if descending else ("earliest",))
            when = self.choice(("last", "most recently") if descending else ("first", "earliest"))
        else:
            word = self.choice(
                ("largest", "highest", "biggest", "greatest") if descending else ("smallest", "lowest")
            )
            when = ""
        adjectives = prop.high if descending else prop.low
        clause, several = self.clause(p), self.clauses(p)
        phrases = [
            f"the {noun} {clause} with the {word} {prop.noun}",
            f"the {noun} with the {word} {prop.noun} {clause}",
        ]
        asks = "Which" if self.chance(0.6) else "What"
        questions = [
            f"{asks} {noun} {clause} has the {word} {prop.noun}?",
        ]
        if noun < chr(ENTITY):
            questions += [
                f"Of the {plural(noun)} {several}, which has the {word} {prop.noun}?",
                f"Which of the {plural(noun)} {several} has the {word} {prop.noun}?",
            ]
        if adjectives:
            adj = self.choice(adjectives)
            phrases += [f"the {adj} {noun} {clause}"] * 2
            questions += [f"{self.wh(p)} is the {adj} {noun} {clause}?"] * 3
        if prop.verb:
            phrases.append(f"the {noun} {clause} that {prop.verb} {when}")
            questions.append(f"{asks} {noun} {clause} {prop.verb} {when}?")
            if noun < chr(ENTITY):
                questions.append(f"Of the {plural(noun)} {several}, which {prop.verb} {when}?")
        if self.has_verb(p):
            questions.append(f"{asks} {noun} {self.verb(p)} and has the {word} {prop.noun}?")
        if self.walks.paths[p.path] == _CHAMPIONSHIPS and prop.kind is Kind.DATE:
            forms = _LAST_WON if descending else _FIRST_WON
            questions += [self.fill(self.choice(forms), p.filler) for _ in range(9)]
        subs = [f"Of these, which has the {word} {prop.noun}?"]
        if prop.verb:
            subs.append(f"Which of these {prop.verb} {when}?")
        if adjectives:
            subs.append(f"Of these, which is the {self.choice(adjectives)}?")
        pick = Pick(Ref(p.ref), "answer", prop.path, descending, prop.kind)
        ref = self.add(pick, noun, *subs)
        return Np(self.choice(phrases), ref, winners), self.choice(questions)

    def tenure(self, i: int, start: str) -> tuple[Np, str]:
        """The first or last to hold something: sorted by a date on the mediator."""
        path, route = self.walks.paths[i], self.walks.routes[i]
        span = span_of(mediator_type(path))
        if span is None or len(self.graph.pairs(start, route)) < 2:
            raise NoLuck
        mark = self.mark()
        try:
            p = self.narrowed(i, start, None, 1, "is") if self.chance(0.6) else self.find(i, start)
        except NoLuck:
            self.undo(mark)
            p = self.find(i, start)
        step = self.steps[-1]
        assert isinstance(step, Find)
        rows: dict[Node, list[str]] = {}
        for m, a in self.graph.pairs(start, route):
            if isinstance(m, str) and a in p.answers and self.passes(m, step.restrictions):
                dates = [d for d in map(date_of, self.graph.out.get(m, {}).get(span[0].value, ())) if d]
                rows.setdefault(a, []).extend(dates)
        descending = self.chance(0.55)
        best = {a: max(dates) if descending else min(dates) for a, dates in rows.items() if dates}
        if len(best) < 2:
            raise NoLuck
        top = max(best.values()) if descending else min(best.values())
        winners = [a for a, d in best.items() if d == top]
        if len(winners) > 1:
            raise NoLuck
        adj = self.choice(("last", "most recent", "latest") if descending else ("first", "earliest"))
        when = self.choice(("last", "most recently")) if descending else "first"
        if p.extra:
            phrase = self.choice(p.extra)
            phrases = [f"the {adj} {phrase[4:]}"] if phrase.startswith("the ") else []
            questions = [f"{self.wh(p)} was {f}?" for f in phrases]
        else:
            clause = self.clause(p)
            phrases = [f"the {adj} {p.noun} {clause}", f"the {p.noun} {clause} {when}"]
            questions = [f"{self.wh(p)} was the {adj} {p.noun} {clause}?"]
            questions += [past(q[:-1]) + f" {when}?" for q in (self.question(p),) if q.startswith("W")]
        ref = self.add(
            Pick(Ref(p.ref), "mediator", (Hop(span[0]),), descending, Kind.DATE),
            p.noun,
            f"Of these, which was the {adj}?",
            f"Which of these was {when}?",
        )
        return Np(self.choice(phrases), ref, winners), self.choice(questions)

    def last_winner(self) -> tuple[Np, str]:
        """'the team that last won the World Series'"""
        i = self.choice(self.world.editions)
        events = self.find(i, self.choice(self.walks.starts[i]))
        found = self.world.ends(events.answers)
        won = [n for n in (self.walks.number.get(p) for p in _WINNERS) if n is not None]
        if found is None or len(found[1]) < 2:
            raise NoLuck
        prop, dates = found
        descending = self.chance(0.65)
        top = max(dates.values()) if descending else min(dates.values())
        winners = [a for a, d in dates.items() if d == top]
        if len(winners) > 1:
            raise NoLuck
        word = "last" if descending else "first"
        subs = (f"Of these, which was the {word}?", f"Which of these was held {word}?")
        ref = self.add(Pick(Ref(events.ref), "answer", prop.path, descending, Kind.DATE), events.noun, *subs)
        cup = self.fill("{}", events.filler)
        cup = cup if cup.startswith("the ") or not self.chance(0.7) else "the " + cup
        p = self.find(self.choice(won), Np(f"the {word} {events.filler}", ref, winners))
        phrases = [f"the team that {word} won {cup}", f"the winner of the {word} {events.filler}",
                   f"the {word} team to win {cup}"]  # fmt: skip
        questions = [
            f"Who won the {word} {events.filler}?",
            f"Who {word} won {cup}?",
            f"Which team {word} won {cup}?",
            f"Who was the {word} champion of {cup}?",
        ]
        return Np(self.choice(phrases), p.ref, p.answers), self.choice(questions)

    # --- comparisons

    def compared(self, p: Parts, node: Node | None = None) -> tuple[Np, str]:
        """Those of the answers whose property is above or below a value."""
        prop = self.property_of([node] if node is not None else p.answers)
        node = node if node is not None else self.choice([a for a in p.answers if self.world.values(a, prop)])
        own = self.choice(self.world.values(node, prop))
        if prop.kind is Kind.DATE:
            restriction, said = self.date_bound(prop, own, p)
        else:
            restriction, said = self.number_bound(prop, own, p)
        test = restriction.tests[0]
        assert isinstance(test, Than) and isinstance(test.value, Literal)
        answers = [a for a in p.answers if any(_holds(k, v, test) for k, v in self.world.values(a, prop))]
        if not answers:
            raise NoLuck
        noun, clause = p.noun, self.clause(p)
        phrases = [f"the {noun} {clause} and {said}" if self.chance(0.2) else f"the {noun} {clause} {said}"]
        phrases.append(f"the {noun} {said} {clause}")
        asks = "Which" if self.chance(0.6) else "What"
        full = said if said.startswith(("that ", "which ")) else ""
        questions = [f"{asks} {noun} {said} {self.verb(p)}?"] if self.has_verb(p) else []
        if full:
            questions += [f"{asks} {noun} {clause} {full[5:]}?"] * 2
            if self.has_verb(p):
                questions.append(f"{asks} {noun} {self.verb(p)} and {full[5:]}?")
        opened = [o for o in p.words.open_questions if not p.nested]
        if opened:
            wh, head, rest = self.choice(opened)
            questions.append(self.fill(f"{wh} {head} {said} {rest}?", p.filler) if not p.suffix else "")
        questions = [q for q in questions if q] or [f"What is {phrases[0]}?"]
        ref = self.add(
            Keep(Ref(p.ref), None, (), (restriction,)),
            noun,
            f"Of these, which is the one {said}?",
            f"Which of these {plural(noun)} is the one {said}?",
        )
        return Np(self.choice(phrases), ref, answers), self.choice(questions)

    def date_bound(
        self, prop: Measure, own: tuple[str | float, Literal], p: Parts
    ) -> tuple[Restriction, str]:
        date = str(own[0])
        year = int(date[:4])
        op: Operator = self.choice((">", "<", ">", "<", ">=", "<="))
        if own[1].datatype.endswith("gYear") and self.chance(0.15):
            op = "="
        if op == "=":
            bound, text = date, f"in {self.value(str(year))}"
        elif self.chance(0.65) or own[1].datatype.endswith("gYear"):
            y = (
                year - self.rng.randint(0 if op == ">=" else 1, 15)
                if op[0] == ">"
                else year + self.rng.randint(1, 15)
            )
            bound = f"{y:04d}-01-01"
            text = f"{self.choice(DATE_WORDS[op])} {self.value(f'{y:04d}')}"
        else:
            op = self.choice((">", "<"))
            shift = self.rng.randint(1, 12)
            y = year - shift if op == ">" else year + shift
            bound = f"{y:04d}-{self.rng.randint(1, 12):02d}-{self.rng.randint(1, 28):02d}"
            text = f"{self.choice(DATE_WORDS[op])} {self.value(say_date(bound, self.rng))}"
        if not 1000 <= int(bound[:4]) <= 2100:
            raise NoLuck
        forms = [f"with {an(prop.noun)} {text}", f"whose {prop.noun} is {text}"]
        if prop.verb:
            forms = [f"that {prop.verb} {text}"] * 3 + forms[1:]
            if prop.verb.startswith("was "):
                forms += [f"{prop.verb[4:]} {text}"] * 2
        literal = Literal(bound, XSD + "date")
        return Restriction("answer", prop.path, (Than(op, literal, Kind.DATE),)), self.choice(forms)

    def number_bound(
        self, prop: Measure, own: tuple[str | float, Literal], p: Parts
    ) -> tuple[Restriction, str]:
        number = float(own[0])
        patterns = prop.sized
        if self.chance(0.12) and re.fullmatch(r"\d+(?:\.\d+)?", own[1].lexical):
            text = self.value(own[1].lexical if not number.is_integer() or "." in own[1].lexical else
                              say_number(int(number), self.rng))  # fmt: skip
            same = Than("=", Literal(own[1].lexical), Kind.STRING)
            return Restriction("answer", prop.path, (same,)), self.choice(patterns).replace("{}", text)
        op: Operator = self.choice((">", "<", ">", "<", ">", "<", ">=", "<="))
        factor = 1 - self.rng.random() * 0.6 if op[0] == ">" else 1 + self.rng.random()
        bound = int(number * factor)
        if self.chance(0.6) and bound >= 100:
            unit = 10 ** (len(str(bound)) - self.choice((1, 2)))
            bound = bound // unit * unit if op[0] == ">" else (bound // unit + 1) * unit
        if bound <= 0 or (op in "<>" and bound == number):
            raise NoLuck
        pattern = self.choice(patterns)
        words = [
            w for w in NUMBER_WORDS[op] if w in _PLAIN_SIZE or ("whose" in pattern and w != "fewer than")
        ]
        if op == "<" and re.match(r"(?:with|that has|where) \{\}", pattern):
            words.append("fewer than")
        text = f"{self.choice(words)} {self.value(say_number(bound, self.rng))}"
        literal = Literal(str(bound), XSD + "decimal")
        said = pattern.replace("{}", text)
        return Restriction("answer", prop.path, (Than(op, literal, Kind.NUMBER),)), said

    # --- what lies on a mediator

    def narrowed(self, i: int, start: str, node: Node | None, conditions: int, kind: str = "") -> Parts:
        """A Find with conditions on its mediator: a role, a title, a time."""
        route, path = self.walks.routes[i], self.walks.paths[i]
        if len(route) != 2:
            raise NoLuck
        pairs = [
            (m, a)
            for m, a in self.graph.pairs(start, route)
            if a != start and self.graph.shown(a) and (node is None or a == node)
        ]
        middle, answer = self.choice(pairs)
        assert isinstance(middle, str)
        restrictions: list[Restriction] = []
        suffix, time, title, role = "", "", "", ""
        role_of = ""
        kinds = [kind] if kind else [self.choice(("is", "time"))]
        if conditions == 2:
            kinds = ["is", self.choice(("is", "time"))]
        filler = self.mention(start)
        used: set[str] = set()
        for what in kinds:
            if what == "time":
                time, bounds = self.period(path, middle)
                restrictions += bounds
                continue
            predicate, value = self.condition(middle, route, {start, answer}, used)
            used.add(predicate)
            restrictions.append(Restriction("mediator", (Hop(Iri(predicate)),), (Is(Iri(value)),)))
            short = predicate.removeprefix(FREEBASE)
            if short.endswith(".basic_title"):
                title = self.mention(value, lower=self.chance(0.9))
            elif short.endswith((".character", ".actor")) and not role and short.startswith(("film.", "tv.")):
                role, role_of = self.mention(value), short.rpartition(".")[2]
            patterns = _SUFFIXES.get(short)
            said = (
                title
                if short.endswith(".basic_title")
                else role
                if role and not suffix
                else self.mention(value)
            )
            if patterns:
                suffix += self.fill(self.choice(patterns), said)
            else:
                word = self.world.called(predicate)
                suffix += self.fill(
                    self.choice((f", where the {word} is {{}}", f" with {{}} as the {word}")), said
                )
        rows = self.graph.pairs(start, route)
        answers = [
            a
            for a in dict.fromkeys(a for m, a in rows if self.passes(m, restrictions))
            if a != start and self.graph.shown(a)
        ]
        if not answers:
            raise NoLuck
        if len(answers) == len({a for _, a in rows}) and conditions == 1 and time == "" and self.chance(0.5):
            raise NoLuck
        parts = self.find(i, start, tuple(restrictions), answers, suffix + time, filler)
        self.special(parts, title, role, role_of, time, len(kinds))
        return parts

    def special(self, p: Parts, title: str, role: str, role_of: str, time: str, conditions: int) -> None:
        """The usual way to put a title or a role, where there is one."""
        f = self.fill("{}", p.filler)
        at = f[:1].lower() + f[1:] if len(f) > 1 else f
        last = self.walks.paths[p.path][-1]
        ends = last.predicate.mid.rpartition(".")[2]
        if title and (ends == "office_holder") and (conditions == 1 or time):
            asks = [f"Who was the {title} of {at}{time}?", f"Who was {title} of {at}{time}?"]
            if not time:
                asks += [
                    f"Who is the {title} of {at}?",
                    f"Who has been {title} of {at}?",
                    f"Who served as {title} of {at}?",
                ]
            elif time.strip() in _NOW_WORDS:
                asks = [f"Who is the {title} of {at}{time}?", f"Who is the current {title} of {at}?"]
                asks += [f"Who is currently {title} of {at}?", f"Who is now the {title} of {at}?"]
            else:
                asks += [
                    f"Who was the {title}{time} of {at}?",
                    f"{capital(time.strip())}, who was the {title} of {at}?",
                    f"{capital(f)} had what {title}{time}?",
                    f"Who served as {title} of {at}{time}?",
                ]
            p.asked = tuple(asks)
            p.extra = (
                f"the {title} of {at}{time}",
                f"the {title}{time} of {at}",
                f"the person who was {title} of {at}{time}",
            )
        elif role and conditions == 1 and not time:
            if ends == "actor" and role_of == "character":
                p.asked = tuple(q.format(c=role, f=at) for q in _ROLE_QUESTIONS)
                p.extra = (f"the actor who played {role} in {at}", f"the actor who plays {role} in {at}",
                           f"the person that played {role} in {at}")  # fmt: skip
            elif ends == "character" and role_of == "actor":
                p.asked = tuple(q.format(c=role, f=at) for q in _PART_QUESTIONS)
                p.extra = (f"the character {role} played in {at}", f"the character played by {role} in {at}")
        elif time:
            now = self.values == [] or time.strip() in _NOW_WORDS
            bases = [q for q in p.words.questions if not now or not _PAST.search(q)]
            base = self.choice(bases)
            text = (
                past(self.fill(base, p.filler))
                if NOW[:4] not in time and "now" not in time
                else self.fill(base, p.filler)
            )
            tail = p.suffix
            p.asked = (text[:-1] + tail + "?",)
            if text[0] not in "ABCDEFGHIJKLMNOPQRSTUVW" or self.chance(0.15):
                rest = tail.removesuffix(time)
                p.asked = (text[:-1] + rest + time + "?",)
            if self.chance(0.15) and text.startswith(("What", "Who", "Which", "Where")):
                rest = tail.removesuffix(time)
                p.asked = (f"{capital(time.strip())}, {text[0].lower()}{text[1:-1]}{rest}?",)

    def passes(self, middle: Node | None, restrictions: Sequence[Restriction]) -> bool:
        if not isinstance(middle, str):
            return False
        edges = self.graph.out.get(middle, {})
        for r in restrictions:
            found = edges.get(r.path[0].predicate.value, [])
            match r.tests[0]:
                case Is(Iri(value)):
                    if value not in found:
                        return False
                case OpenThan(op, bound, _):
                    dates = [d for d in map(date_of, found) if d]
                    if found and not any(
                        d <= bound.lexical if op == "<=" else d >= bound.lexical for d in dates
                    ):
                        return False
        return True

    def condition(
        self, middle: str, route: Sequence[tuple[str, bool]], avoid: set[Node], used: set[str]
    ) -> tuple[str, str]:
        own = {p for p, _ in route} | used
        options = []
        for p, values in self.graph.out.get(middle, {}).items():
            if p in own or p == self.graph.typing:
                continue
            known = p.removeprefix(FREEBASE) in _SUFFIXES or p.endswith((".actor", ".basic_title"))
            if not known and not self.chance(0.25):
                continue
            options += [
                (p, v) for v in values if isinstance(v, str) and v in self.graph.names and v not in avoid
            ]
        return self.choice(options)

    def period(self, path: Path, middle: str) -> tuple[str, list[Restriction]]:
        """' in 1980' and the two open bounds."""
        span = span_of(mediator_type(path))
        if span is None:
            raise NoLuck
        edges = self.graph.out.get(middle, {})
        first = min((d for d in map(date_of, edges.get(span[0].value, ())) if d), default=None)
        last = max((d for d in map(date_of, edges.get(span[1].value, ())) if d), default=None)
        if first is None and last is None:
            raise NoLuck
        if (first or "0") <= NOW <= (last or "9") and self.chance(0.2):
            start = end = NOW
            text = " " + self.choice(_NOW_WORDS)
        else:
            low = int((first or last or "")[:4]) - (0 if first else 8)
            high = int(last[:4]) if last else min(low + 10, 2020)
            y = self.rng.randint(low, max(low, high))
            roll = self.rng.random()
            if roll < 0.65:
                start, end = f"{y:04d}-01-01", f"{y:04d}-12-31"
                say = self.value(f"{y:04d}")
                ways = (" in ", " in ", " in ", " during ", " in the year ", " as of ", " back in ")
                text = self.choice(ways) + say
            else:
                m = self.rng.randint(1, 12)
                if roll < 0.8:
                    start, end = f"{y:04d}-{m:02d}-01", f"{y:04d}-{m:02d}-{_last_day(y, m):02d}"
                    text = self.choice((" in ", " as of ", " in ")) + self.value(f"{_MONTH[m]} {y}")
                else:
                    start = end = f"{y:04d}-{m:02d}-{self.rng.randint(1, 28):02d}"
                    text = self.choice((" on ", " on ", " as of ")) + self.value(say_date(start, self.rng))
            if (first and first > end) or (last and last < start):
                raise NoLuck
        bounds: tuple[tuple[Iri, Operator, str], ...] = ((span[0], "<=", end), (span[1], ">=", start))
        return text, [
            Restriction("mediator", (Hop(p),), (OpenThan(op, Literal(v, XSD + "date"), Kind.DATE),))
            for p, op, v in bounds
        ]


_NOW_WORDS = ("now", "currently", "today", "right now", "at the moment")
_PAST = re.compile(r"\b(?:was|were|did|held|won|ever|been|\w+ed)\b")
_PLAIN_SIZE = frozenset(("more than", "over", "less than", "under", "at least", "at most", "no more than"))
_MONTH = (
    "",
    *"January February March April May June July August September October November December".split(),
)
_CHAMPIONSHIPS = (Hop(freebase("sports.sports_team.championships")),)
_WINNERS = (
    (Hop(freebase("sports.sports_team.championships"), True),),
    (Hop(freebase("sports.sports_championship_event.champion")),),
)
_EDITIONS = (
    (Hop(freebase("sports.sports_championship.events")),),
    (Hop(freebase("sports.sports_championship_event.championship"), True),),
)
_LAST_WIN = (
    "When did {{}} {word} win the {cup}?",
    "{{}} {word} won the {cup} when?",
    "What year did {{}} {word} win the {cup}?",
    "When was the {word} time {{}} won the {cup}?",
    "What was the {word} {cup} that {{}} won?",
    "In what year did {{}} {word} win the {cup}?",
)
_LAST_WON = ("When did {} last win a championship?", "When did {} last win the championship?",
             "What was the last championship {} won?", "When was the last time {} won a championship?",
             "What year did {} last win a title?", "{} last won the championship when?")  # fmt: skip
_FIRST_WON = (
    "When did {} first win a championship?",
    "What was the first championship won by {}?",
    "When did {} win their first championship?",
    "What year did {} win their first title?",
)


def _last_day(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _holds(key: str | float, value: Literal, test: Than) -> bool:
    assert isinstance(test.value, Literal)
    if test.kind is Kind.STRING:
        return value.lexical == test.value.lexical
    a, b = (key, test.value.lexical) if test.kind is Kind.DATE else (float(key), float(test.value.lexical))
    return {
        "=": a == b,
        "!=": a != b,
        "<": a < b,  # type: ignore[operator]
        "<=": a <= b,  # type: ignore[operator]
        ">": a > b,  # type: ignore[operator]
        ">=": a >= b,  # type: ignore[operator]
    }[test.operator]


# --- the kinds of question ------------------------------------------------------------------------


def single(d: Draft) -> str:
    i = d.sample_path()
    p = d.find(i, d.choice(d.walks.starts[i]))
    nouns = [n for n in p.words.nouns if n.startswith("{} ")]
    if nouns and d.chance(0.04):
        return d.fill(d.choice(nouns), p.filler)
    return d.question(p)


def composition(d: Draft) -> str:
    if d.world.editions and d.chance(0.01):
        inner = d.last_winner()[0]
        return d.question(d.find(d.choice(d.walks.onward[str(d.choice(inner.answers))]), inner))
    if d.world.span_paths and d.chance(0.03):
        i = d.choice(d.world.span_paths)
        start = d.choice(d.walks.starts[i])
        if any(a == start for _, a in d.graph.pairs(start, d.walks.routes[i])):
            raise NoLuck
        inner = d.tenure(i, start)[0]
        return d.question(d.find(d.choice(d.walks.onward.get(str(d.choice(inner.answers)), [])), inner))
    i = d.sample_path()
    node = _described(d, i)
    depth = 1 if d.chance(0.12) else 0
    inner = d.describe(node, depth, {node, *d.graph.answers(node, d.walks.routes[i])[:40]})
    p = d.find(i, inner)
    return d.question(p)


def _described(d: Draft, i: int) -> str:
    """A start of the path that can itself be described."""
    for _ in range(6):
        node = d.choice(d.walks.starts[i])
        if node in d.walks.into:
            return node
    raise NoLuck


def conjunction(d: Draft) -> str:
    if d.chance(0.06):
        return typed(d, more=True)
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    inner: Np | None = None
    if d.chance(0.1) and start in d.walks.into:
        inner = d.describe(start, 0, {start})
    first = d.find(i, inner or start)
    node = d.choice([a for a in first.answers if isinstance(a, str)])
    avoid: set[Node] = {start, node}
    second = d.kept(first, node, avoid, 1 if d.chance(0.12) else 0)
    if d.chance(0.1):
        third = d.kept(second, node, avoid, 0)
        return d.ask_for(first, f"{d.joined(first, second)} and {d.clause(third)}")
    noun = d.joint_noun(first, second)
    a, b = (first, second) if d.chance(0.6) else (second, first)
    asks = "Which" if d.chance(0.5) else "What"
    forms: list[Callable[[], str]] = [lambda: d.ask_for(first, d.joined(a, b))]
    if d.has_verb(a) and d.has_verb(b):
        forms += [lambda: f"{asks} {noun} {d.verb(a)} and {d.verb(b)}?"] * 3
        forms.append(lambda: f"{asks} {noun} {d.verb(a)} and also {d.verb(b)}?")
    if d.has_verb(b):
        forms += [lambda: f"{asks} {noun} {d.clause(a)} {d.verb(b)}?"] * 2
        forms.append(lambda: f"The {noun} {d.clause(a)} {d.verb(b)}. What is it?" if d.chance(0.2) else
                     f"{asks} {noun}, {d.clause(a)}, {d.verb(b)}?")  # fmt: skip
    options = [] if a.nested else a.words.open_questions
    if options:
        wh, head, rest = d.choice(options)
        if wh == "What" or d.chance(0.9):
            said = d.clauses if rest.startswith(("are ", "were ", "do ", "have ")) else d.clause
            forms += [lambda: f"{wh} {head} {said(b)} {d.fill(rest, a.filler)}?"] * 2
            forms.append(lambda: d.fill(f"{wh} {head} {rest}", a.filler) + f" and {said(b)}?")
            forms.append(lambda: d.fill(f"{wh} {head} {rest}", a.filler) + f" {said(b)}?")
    if a.words.asks == "Who":
        whos = [q for q in a.words.questions if q.startswith("Who ") and "{}" in q[4:]]
        if whos and not a.nested and d.has_verb(b):
            forms += [lambda: d.fill(d.choice(whos), a.filler)[:-1] + f" and {d.verb(b)}?"] * 2
    forms.append(lambda: f"Name the {noun} {d.clause(a)}, {d.clause(b)}.")
    return d.choice(forms)()


def _source(d: Draft) -> Parts:
    """Things found from an entity or a described one; enough of them to choose among."""
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    if d.chance(0.25) and start in d.walks.into:
        return d.find(i, d.describe(start, 0, {start}))
    return d.find(i, start)


def _place_of_kind(d: Draft) -> str:
    """'What is the largest city in Canada?': the extreme of those of a type among what lies in a place."""
    for _ in range(10):
        mark = d.mark()
        try:
            i = d.choice(d.world.place_paths)
            p = d.find(i, d.choice(d.walks.starts[i]))
            if d.chance(0.6):
                p.words = replace(p.words, clauses=("in {}",))
            _of_kind(d, p)
            return d.extreme(p)[1]
        except NoLuck:
            d.undo(mark)
    raise NoLuck


def _of_kind(d: Draft, p: Parts) -> None:
    """Keep those of the answers that are of one of their types, named by a common noun."""
    for t in d.graph.notable(d.choice(p.answers)):
        nouns = d.graph.nouns_of(t)
        if not nouns or all(t in d.graph.notable(a) for a in p.answers):
            continue
        noun = d.choice(nouns)
        d.mentions.append(Mention(t, d.graph.names[t], noun))
        path = (Hop(Iri(d.graph.typing), True),)
        asked = (f"Of these, which is {an(noun)}?", f"Which of these is {an(noun)}?")
        p.ref = d.add(Keep(Ref(p.ref), Iri(t), path), noun, *asked)
        p.answers = [a for a in p.answers if t in d.graph.notable(a)]
        p.noun = chr(ENTITY + len(d.mentions) - 1)
        return
    raise NoLuck


def superlative(d: Draft) -> str:
    roll = d.rng.random()
    if roll > 0.7 and d.world.place_paths:
        return _place_of_kind(d)
    if roll < 0.2 and d.world.span_paths:
        i = d.choice(d.world.span_paths)
        return d.tenure(i, d.choice(d.walks.starts[i]))[1]
    if roll < 0.22 and d.world.editions:
        return d.last_winner()[1]
    if roll < 0.26 and d.world.editions:
        return _last_win(d)
    return d.extreme(_source(d))[1]


def _last_win(d: Draft) -> str:
    """'When did the team with the mascot Lou Seal last win the World Series?'"""
    titles = d.walks.number.get(_CHAMPIONSHIPS)
    if titles is None:
        raise NoLuck
    team = d.choice(d.walks.starts[titles])
    nested = d.chance(0.5) and team in d.walks.into
    won = d.find(titles, d.describe(team, 0, {team}) if nested else team)
    _, start, i = d.choice([
        (a, s, i)
        for i in d.world.editions
        for a in won.answers
        for s in d.graph.answers(a, back(d.walks.routes[i]))
        if isinstance(s, str) and s in d.graph.names
    ])  # fmt: skip
    kept = d.find(i, start, keep=won.ref, among=won.answers)
    descending, best = d.chance(0.6), d.world.ends(kept.answers)
    if not best:
        raise NoLuck
    word = "last" if descending else "first"
    d.add(Pick(Ref(kept.ref), "answer", best[0].path, descending, Kind.DATE), kept.noun,
          f"Of these, which was the {word}?", f"Which of these was {word}?")  # fmt: skip
    cup = d.fill("{}", kept.filler).removeprefix("the ").removeprefix("The ")
    return d.fill(d.choice(_LAST_WIN).format(word=word, cup=cup), won.filler)


def comparative(d: Draft) -> str:
    return d.compared(_source(d))[1]


def filtered(d: Draft) -> str:
    i = d.choice(d.world.span_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 1, "time"))


def restricted(d: Draft) -> str:
    if d.chance(0.3) or not d.world.mediator_paths:
        return typed(d)
    i = d.choice(d.world.mediator_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 1, "is"))


def typed(d: Draft, more: bool = False) -> str:
    """Those of the answers that are of a type: 'Which countries border ...'"""
    p = _source(d)
    node = d.choice(p.answers)
    for t in d.graph.notable(node):
        nouns = d.graph.nouns_of(t)
        if not nouns or all(t in d.graph.notable(a) for a in p.answers):
            continue
        noun = d.choice(nouns)
        d.mentions.append(Mention(t, d.graph.names[t], noun))
        mark = chr(ENTITY + len(d.mentions) - 1)
        path = (Hop(Iri(d.graph.typing), True),)
        kept = d.add(
            Keep(Ref(p.ref), Iri(t), path),
            noun,
            f"Of these, which is {an(noun)}?",
            f"Which of these is {an(noun)}?",
        )
        if more:
            p.ref, p.answers = kept, [a for a in p.answers if t in d.graph.notable(a)]
            other = d.kept(p, node, {node}, 0)
            a, b = (p, other) if d.chance(0.6) else (other, p)
            asks = d.choice(("What", "Which"))
            if d.has_verb(a) and d.has_verb(b) and d.chance(0.6):
                return f"{asks} {mark} {d.verb(a)} and {d.verb(b)}?"
            if d.has_verb(b):
                return f"{asks} {mark} {d.clause(a)} {d.verb(b)}?"
            return f"What is the {mark} {d.clause(a)} and {d.clause(b)}?"
        if d.has_verb(p) and d.chance(0.6):
            return f"{d.choice(('What', 'Which'))} {mark} {d.verb(p)}?"
        opened = [] if p.nested else p.words.open_questions
        if opened and d.chance(0.6):
            wh, _, rest = d.choice(opened)
            return f"{wh} {mark} {d.fill(rest, p.filler)}{p.suffix}?"
        return f"{d.choice(('What is the', 'Which is the', 'Name the', 'What'))} {mark} {d.clause(p)}?"
    raise NoLuck


def doubled(d: Draft) -> str:
    i = d.choice(d.world.mediator_paths)
    return d.question(d.narrowed(i, d.choice(d.walks.starts[i]), None, 2))


def union(d: Draft) -> str:
    i = d.sample_entity_path()
    start = d.choice(d.walks.starts[i])
    one = d.find(i, start)
    if d.chance(0.6):
        two = d.find(i, d.choice([s for s in d.walks.starts[i][:500] if s != start]))
        d.add(Merge((Ref(1), Ref(2))), one.noun, "Which are found in either of them?")
        both = d.choice(("{} or {}", "either {} or {}")).format(
            d.fill("{}", one.filler), d.fill("{}", two.filler)
        )
        both = both.replace(" The ", " the ").removeprefix("The ")
        return d.fill(d.choice([q for q in one.words.nested_questions if not q.startswith("{}")]), both)
    j, other = d.link_to(d.choice(one.answers), {start})
    two = d.find(j, other)
    d.add(Merge((Ref(1), Ref(2))), one.noun, "Which are found in either of them?")
    noun = d.joint_noun(one, two)
    if d.has_verb(one) and d.has_verb(two) and d.chance(0.7):
        either = d.choice(("either ", "", ""))
        return f"{d.choice(('Which', 'What'))} {noun} {either}{d.verb(one)} or {d.verb(two)}?"
    return f"{d.choice(('What are', 'Name'))} the {plural(noun)} {d.clauses(one)} or {d.clauses(two)}?"


def counted(d: Draft) -> str:
    p = _source(d)
    d.add(Count(Ref(p.ref)), "number", "How many are there?", f"How many {plural(p.noun)} are there?")
    forms = [
        f"How many {plural(p.noun)} are there {d.clauses(p)}?",
        f"What is the number of {plural(p.noun)} {d.clauses(p)}?",
    ]
    if not p.nested:
        for _, head, rest in p.words.open_questions:
            verb, _, tail = rest.partition(" ")
            if verb in ("is", "was", "has"):
                rest = {"is": "are", "was": "were", "has": "have"}[verb] + " " + tail
            forms += [d.fill(f"How many {plural(head)} {rest}?", p.filler)] * 2
    return d.choice(forms)


RECIPES: dict[str, tuple[float, Callable[[Draft], str]]] = {
    "single": (0.15, single),
    "composition": (0.30, composition),
    "conjunction": (0.24, conjunction),
    "superlative": (0.09, superlative),
    "comparative": (0.09, comparative),
    "filter": (0.05, filtered),
    "restriction": (0.035, restricted),
    "double restriction": (0.01, doubled),
    "union": (0.02, union),
    "count": (0.02, counted),
}
