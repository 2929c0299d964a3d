"""What a question says and its reading leaves out: the present, the sort of thing, 'other'.

A parser writes one reading at a time, word by word, and may leave out what would have made its answers
fewer ('Which composers died in Vienna?' read as all who died there). Each narrowing here adds one such
condition, in a step of its own where it can be one, and is taken only where answers remain and become fewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

from kbqa.answers import collect
from kbqa.decompose import recompose
from kbqa.decompose.recompose import recompose_step
from kbqa.dialogue import Parse
from kbqa.errors import DecompositionError, FeedbackError, QueryError, StoreTimeout
from kbqa.intake import constants_of, without_names
from kbqa.kb import KnowledgeBase
from kbqa.link import key
from kbqa.measuring import latest
from kbqa.parse.kinds import CommonNouns
from kbqa.protocols import Mention
from kbqa.reading.choosing import Chosen, answer_count
from kbqa.reading.coverage import calls, path_stems, says, unsaid
from kbqa.reading.periods import asks_for_holders, during
from kbqa.reading.typed import Typed
from kbqa.rewire import exchange, inserted
from kbqa.sparql import render
from kbqa.sparql.portable import one_of, term, values
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    Constant,
    Decomposition,
    Find,
    Hop,
    Iri,
    Is,
    IsNot,
    Keep,
    Literal,
    Merge,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    freebase,
    reverse,
)

Steps = tuple[Step, ...]
_LIMIT_S = 2.0
_LOOKED_AT = 4000
"""So many answers are looked at; of more it would take too long."""
_TOLD_OF, _WORKING_OF = 0.9, 0.5
"""The share of things of which it must be known how they are tied, or what they work as, where many."""
_FEW = 10
_WORKING = (Hop(freebase("people.person.profession")),)
_NOTABLE = (Hop(freebase("common.topic.notable_types")),)
_PARTS = ("role", "Kind_of_symbol", "basic_title", "degree", "position")
"""What common words say of a node in between, by the last name of the predicate."""
_ALIKE = 3
"""Words of what ties two things are alike by so many letters: 'acted', 'actor'."""
_WIDE = frozenset(("school", "schools"))
"""Said of more than the types that bear the name."""
_EVER = frozenset("film tv theater book comic_books fictional_universe cvg opera education award".split())
"""Domains of which people speak in the present, whenever it was."""
_SKILLS = frozenset(
    map(freebase, ("music.performance_role.regular_performances", "music.group_membership.role"))
)
"""What someone played in any band they can play now."""
_PAST = re.compile(
    r"\b(?:was|were|did|had|been|ever|former|formerly|previous|previously|past|once|ago|until|till|since"
    r"|won|led|wrote|made|sang|became|went|held|ran|fought|began|came|took|gave|got|left|met|grew|built|spent"
    r"|(?:is|are) there|all|any|every|each|history|alive|living|dead"
    r"|when|first|last|earliest|latest|oldest|most|time|times|wives|husbands|spouses|exes"
    r"|[12]\d{3}|(?<!is )(?<!are )married(?! to\b)"
    r"|(?!based|located|called|named|married|situated|related|headquartered|nicknamed|titled|united"
    r"|red|need|speed|bed)[a-z]+ed)\b"
)
"""Words of a question that is not, or not only, about today."""
_OF_THEN = re.compile(
    r"\b(?:[12]\d{3}|histor\w*|over time|when|ever|used to|have|has|had|all|each|figures|past|once|ago)\b"
)
"""Words of a question about figures of another day than the last."""
_OTHER = re.compile(
    r"\b(?:other|others|(?<!or )else|besides|apart from|aside from|except|excluding|in addition to)\b"
)
_AGAIN = re.compile(r"\balso\b|\bsame\b.*\bas\b|\bshar(?:e|es|ed|ing)\b.*\bwith\b")
"""Words of a question that doesn't ask for what it begins with: 'authors born in the same city as Joyce'."""
_TWICE = re.compile(r"\b(?:also|too|both|as well|and)\b")
_ASKS = re.compile(
    r"(?:\b(?:which|what|name|list|how many|find|any|all)|(?:\A|\b(?:who|some|one|each) )of the)\s+"
    r"(?:of the\s+)?(?:\S+\s+){0,3}\Z"
    r"|(?:\A|(?<=\bwho is )|(?<=\bwho was )|(?<=\bwhos ))(?:the\s+)?(?:very\s+)?"
    r"(?:(?:first|last|\w{3,}est)\s+(?:\S+\s+)?|(?:fe)?male\s+)\Z"
    r"|(?:\A|\b(?:name|list|find|who (?:are|were)) (?:(?:for )?me )?)"
    r"the\s+(?:(?:two|three|four|five|six|only)\s+)?\Z"
    r"|(?:(?<=\bwho is )|(?<=\bwho was )|(?<=\bwhos ))the only \Z"
)
_SAID_OF = re.compile(
    r"\bwho (?:is|was|are|were) (?:both )?(?:(?:an? )?\S+ and )?(?:also )?(?:an? )?\Z"
    r"|\bwh(?:ich|at) \w+ .*\b(?:is|was) (?:also )?an? \Z"
    r"|\bwh(?:ich|at) (?:us |of (?:the |s )?)?\w+ (?:are|were) (?:also |both |once |all )?\Z"
    r"|\bwork(?:s|ed)? as (?:an? )?\Z"
    r"|\b(?:had|have|has) (?:also |once |previously |ever )?been (?:an? )?\Z"
    r"|\b(?:became|become|went on to be(?:come)?|turned) (?:an? )?\Z"
    r"|\bserved as (?:both )?(?:(?:an? )?\S+ and )?(?:an? )?\Z"
    r"|\bwhere .*\b(?:go|went|gone|going) to (?:an? |the )?\Z"
)
"""Said of what is asked for: 'Who is both an actor and a politician?', 'Where did he go to college?'"""
_IS_A = re.compile(
    r"\bwh(?:ich|at) .*\b"
    r"(?:(?:is|was) (?:also )?an?|(?:are|were)(?: also| both| once)?|work(?:s|ed)? as(?: an?)?) (\w+)\Z"
    r"|\bwho (?:are|were|became|become|turned|went on to become)(?: also| both| once)? (\w+)"
    r"(?: too| as well)?\Z"
)
_CLAUSE = frozenset(
    "who that which whose in of from at by with is are was were did do does has have had".split()
)


@dataclass(frozen=True)
class Asked:
    """A question, and what was recognised in it."""

    text: str
    mentions: Sequence[Mention]


class Narrower:
    """Narrows readings over one knowledge base. `run` gives a reading with its answers."""

    def __init__(
        self,
        kb: KnowledgeBase,
        nouns: CommonNouns,
        typed: Typed,
        run: Callable[[Parse], Chosen | None],
    ) -> None:
        self._kb, self._nouns, self._typed, self._run = kb, nouns, typed, run

    def narrowed(
        self, chosen: Chosen, text: str, mentions: Sequence[Mention], *, ever: bool = False
    ) -> Chosen:
        """The reading with what it left out; the same where nothing was. Over an own graph, and where it
        has no answer, it is as it was. `ever`: whenever it was so, today or not."""
        if self._kb.own or chosen.rows is None or not chosen.told:
            return chosen
        asked = Asked(text, mentions)
        ways = (
            self._role, *(() if ever else (self._current,)), self._latest, self._of_kind, self._of_kind,
            self._of_kind_before, self._also, self._named, self._named, self._others,
        )  # fmt: skip
        for way in ways:
            for steps in way(chosen, asked):
                found = self._fewer(chosen, steps)
                if found is not None:
                    chosen = found
                    break
        return chosen

    def without(self, chosen: Chosen, mentions: Sequence[Mention]) -> Chosen:
        """The reading without those of its answers that the mentions may name, where others are left."""
        for mention in mentions:
            steps = next(self._except([c.entity for c in mention.candidates], chosen), None)
            chosen = chosen if steps is None else self._fewer(chosen, steps) or chosen
        return chosen

    def _fewer(self, chosen: Chosen, steps: Steps) -> Chosen | None:
        """The reading with these steps, where it has answers and fewer of them, or the one that it picks is
        of fewer."""
        found = self._ran(chosen, steps)
        if found is None or chosen.rows is None:
            return None
        before = chosen.parse.decomposition.steps
        fewer = answer_count(found) < answer_count(chosen)
        if not fewer and len(steps) == len(before) + 1 and _is_picked(before) and _is_picked(steps):
            all_then, all_now = self._ran(chosen, before[:-1]), self._ran(chosen, steps[:-1])
            if all_then is not None and all_now is not None:
                fewer = answer_count(all_now) < answer_count(all_then)
        return replace(found, left_out=chosen.left_out) if fewer else None

    def _ran(self, chosen: Chosen, steps: Steps) -> Chosen | None:
        """These steps in place of the reading's, where they have an answer."""
        whole = replace(chosen.parse.decomposition, steps=steps)
        try:
            found = self._run(Parse(recompose(whole), whole, chosen.parse.logprob))
        except DecompositionError:
            return None
        return None if found is None or not found.told or found.rows is None else found

    # --- when

    def _current(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """A question in the present asks for what is so today, of another thing of the name where of this one
        nothing is: of England's and Britain's thrones one has a king."""
        rest = without_names(asked.text, asked.mentions)
        if _PAST.search(rest) or asks_for_holders(rest) or asks_for_holders(asked.text.lower()):
            return
        steps = chosen.parse.decomposition.steps
        now = tuple(self._with_now(s) for s in steps)
        if now == steps:
            return
        yield now
        used = {c for s in steps for c in constants_of(s)}
        for mention in asked.mentions if self._ran(chosen, now) is None else ():
            named = [c.entity for c in mention.candidates if c.exact]
            for meant, other in product([e for e in named if e in used], named):
                yield tuple(exchange(step, {meant: other}) for step in now)

    def _with_now(self, step: Step) -> Step:
        if not isinstance(step, Find | Keep) or len(step.path) != 2:
            return step
        if any(hop.predicate in _SKILLS for hop in step.path):
            return step
        kind = mediator_type(step.path)
        span = span_of(kind)
        if kind is None or span is None or kind.partition(".")[0] in _EVER:
            return step
        if any(r.site == "mediator" and set(map(_predicate, r.path)) & set(span) for r in step.restrictions):
            return step
        if span[1] not in self._kb.paths.predicates:
            return step
        period = during(span, self._kb.now, self._kb.now)
        return replace(step, restrictions=(*step.restrictions, *period))

    def _latest(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """Of a figure that was measured several times the latest."""
        steps = chosen.parse.decomposition.steps
        newest = latest(steps[-1], len(steps))
        if newest is not None and not _OF_THEN.search(without_names(asked.text, asked.mentions)):
            yield (*steps, newest)

    # --- what

    def _role(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """The singer of a band is the member who sings, the nickname of a state the symbol of that kind."""
        steps = chosen.parse.decomposition.steps
        if any(isinstance(step, Merge) for step in steps):  # it would be said of one of those joined
            return
        used = {c for s in steps for c in constants_of(s)}
        meant = dict.fromkeys(e for said in self._runs(asked) for e in self._concepts(said) if e not in used)
        for i, step in enumerate(steps):
            if not isinstance(step, Find | Keep) or (kind := mediator_type(step.path)) is None:
                continue
            for part in _PARTS:
                role = (Hop(freebase(f"{kind}.{part}")),)
                known = role[0].predicate in self._kb.paths.predicates and role[0] not in step.path
                if not known or any(r.path == role for r in step.restrictions):
                    continue
                for entity in meant:
                    played = Restriction("mediator", role, (Is(entity),))
                    narrowed = replace(step, restrictions=(*step.restrictions, played))
                    yield (*steps[:i], narrowed, *steps[i + 1 :])

    def _runs(self, asked: Asked) -> Iterator[str]:
        """What may be a noun of the question, the longest first."""
        words = _words(asked)
        for size in (3, 2, 1):
            for i in range(len(words) - size + 1):
                yield " ".join(words[i : i + size])

    @cached_property
    def _genders(self) -> frozenset[Iri]:
        """The genders that common nouns name."""
        return frozenset(e for word in ("male", "female") for e in self._concepts(word))

    @cached_property
    def _titles(self) -> frozenset[Iri]:
        """What is said of all who have it."""
        return frozenset(title for titles in self._nouns.titles.values() for title in titles) - self._genders

    def _concepts(self, noun: str) -> list[Iri]:
        return [e.iri for e in self._nouns.concepts.get(key(noun), ())]

    def _also(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """What the question says a second thing about, where the reading says the first: 'directed and also
        acted in'."""
        if not _TWICE.search(asked.text.lower()):
            return
        read = chosen.parse.decomposition
        left = unsaid(asked.text, asked.mentions, read, self._kb.lexicon, {})
        named = {c.entity for m in asked.mentions for c in m.candidates}
        anchors = {s.anchor for s in read.steps if isinstance(s, Find | Keep) and isinstance(s.anchor, Iri)}
        at = _answering(read.steps)
        if isinstance(read.steps[at - 1], Merge):
            return
        things = self._things(chosen, at) if left and anchors & named else ()
        for path, entity, n in self._tied(things, sorted(anchors & named)) if things else ():
            said = path_stems(path, self._kb.lexicon) | path_stems(reverse(path), self._kb.lexicon)
            if n < len(things) and {w[:_ALIKE] for w in left} & {w[:_ALIKE] for w in said}:
                yield from _put(read.steps, at, Keep(Ref(at), entity, reverse(path)))

    def _named(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """What the question names and the reading says nothing of, where it is one of what a step before the
        last finds, or some of them are tied to it: 'How many NBA teams are in Texas?' read as all teams
        there."""
        steps = chosen.parse.decomposition.steps
        used = {c for s in steps for c in constants_of(s)}
        left = [m for m in asked.mentions if not any(c.entity in used for c in m.candidates)]
        meant = [c.entity for m in left for c in m.candidates if c.exact]
        said = (e.iri for run in self._runs(asked) for e in self._nouns.styles.get(key(run), ()))
        meant += [e for e in dict.fromkeys(said) if e not in used]
        for at in range(_answering(steps), 0, -1) if meant else ():
            things = self._things(chosen, at) if isinstance(steps[at - 1], Find | Keep) else ()
            for entity in filter(things.__contains__, meant if at < len(steps) else ()):
                is_it = Restriction("answer", (), (Is(entity),))
                yield from _put(steps, at, Keep(Ref(at), restrictions=(is_it,)))
            ties = list(self._tied(things, meant)) if things else []
            said_of_all = {entity for _, entity, n in ties if n == len(things)}
            for path, entity, _ in sorted(ties, key=lambda tie: (-tie[2], len(tie[0]), tie[0])):
                if entity not in said_of_all:
                    yield from _put(steps, at, Keep(Ref(at), entity, reverse(path)))

    def _of_kind(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """What a noun of the question calls the answers, and not all of them are."""
        wanted = list(self._called(asked, chosen.parse.decomposition))
        said = _IS_A.search(" ".join(_words(asked)))
        stated = frozenset(self._concepts(said[1] or said[2]) if said is not None else ()) | self._titles
        stated |= frozenset(self._of_sort(asked))
        at = _answering(chosen.parse.decomposition.steps)
        return self._of_kind_at(at, chosen, wanted, stated, notable=True)

    def _of_sort(self, asked: Asked) -> Iterator[Iri]:
        """What two words name together, or one before a sort of thing: 'war films', 'horror movies'."""
        for one, other in pairwise(_words(asked)):
            yield from self._concepts(f"{one} {other}")
            if key(other) in self._nouns.sorts:
                yield from self._concepts(one)

    def _of_kind_before(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """The same of what an earlier step finds: 'the mascot of the baseball team of Philadelphia'."""
        steps = chosen.parse.decomposition.steps
        named = list(self._called(asked, chosen.parse.decomposition, before=True))
        for at in range(_answering(steps) - 1, 0, -1):
            if isinstance(steps[at - 1], Find | Keep):
                yield from self._of_kind_at(at, chosen, named)

    def _of_kind_at(
        self,
        at: int,
        chosen: Chosen,
        called: Sequence[tuple[Iri, ...]],
        stated: frozenset[Iri] = frozenset(),
        notable: bool = False,
    ) -> Iterator[Steps]:
        things = self._things(chosen, at) if called else ()
        for kinds in called if things else ():
            if any(self._typed.all_are(things, kind) for kind in kinds):
                continue
            for path, kind in self._links(things, kinds, stated, notable):
                yield from _put(chosen.parse.decomposition.steps, at, Keep(Ref(at), kind, reverse(path)))

    def _called(self, asked: Asked, read: Decomposition, before: bool = False) -> Iterator[tuple[Iri, ...]]:
        """What the noun that is asked for may mean, or (`before`) which sort of thing any other noun; nothing
        that the reading has used or says."""
        used = {c for s in read.steps for c in constants_of(s)}
        named = [m for m in asked.mentions if any(c.entity in used for c in m.candidates)]
        words = _words(replace(asked, mentions=named))
        for size in (3, 2, 1):
            for i in range(len(words) - size + 1):
                run = " ".join(words[i : i + size])
                if _is_asked_for(words[:i]) == before:
                    continue
                form = key(run)
                if form in _WIDE:
                    continue
                concepts, found = self._concepts(run), list(self._nouns.sorts.get(form, ()))
                styles = [] if before else [e.iri for e in self._nouns.styles.get(form, ())]
                said = not used.isdisjoint({*found, *concepts} - self._genders)
                genders = [c for c in concepts if c in self._genders]  # not each sibling is a 'brother'
                known = says if concepts or before else calls
                found = found if before else [*styles, *concepts, *found]
                stated = concepts and _SAID_OF.search(" ".join(words[:i]) + " ")
                sure = bool(genders or styles or stated) or " " in form
                others = () if said else tuple(c for c in dict.fromkeys(found) if c not in genders)
                if others and (sure or not known(read, run, self._kb.lexicon)):
                    yield others
                if genders and used.isdisjoint(genders):  # an 'actress' is an actor and a woman
                    yield tuple(genders)

    def _things(self, chosen: Chosen, at: int) -> tuple[Iri, ...]:
        """The answers of that step that are things."""
        try:
            rows = self._kb.store.select(
                render(recompose_step(chosen.parse.decomposition, at)), time_limit_s=_LIMIT_S
            )
        except (DecompositionError, QueryError, StoreTimeout):
            return ()
        things = tuple(a for a in collect(rows) if isinstance(a, Iri))
        return things if len(things) <= _LOOKED_AT else ()

    def _links(
        self, things: Sequence[Iri], kinds: Sequence[Iri], stated: frozenset[Iri], notable: bool
    ) -> Iterator[tuple[Path, Iri]]:
        """How some of the things, not all, are tied to one of the kinds, where nearly every one is tied so to
        something, or the question states that they are: of one about which nothing is said it isn't known.
        `notable`: but for what they are notable
        for, where nothing else ties more of them. What most are tied by comes first."""
        some: dict[tuple[Path, Iri], int] = {}
        for path, kind, n in self._tied(things, kinds):
            if n == len(things):
                return
            some[path, kind] = n
        told = {path: self._tied_at_all(things, path) for path in dict.fromkeys(path for path, _ in some)}
        for link in sorted(some, key=lambda link: (-some[link], len(link[0]), link[1])):
            best = notable and link[0] == _NOTABLE and some[link] == max(some.values())
            many = link[0] == _WORKING and len(things) > _FEW
            most = _WORKING_OF if many else _TOLD_OF
            if best or link[1] in stated or told[link[0]] >= most * len(things):
                yield link

    def _tied(self, things: Sequence[Iri], kinds: Sequence[Iri]) -> Iterator[tuple[Path, Iri, int]]:
        """Paths from the things to the kinds, and of how many things."""
        among, to = values("?a", things), one_of("?k", kinds)
        for names, pattern in (("?p", "?a ?p ?k"), ("?p ?q", "?a ?p ?m . ?m ?q ?k")):
            joined = f"{among} {pattern} FILTER ({to})"
            query = f"SELECT {names} ?k (COUNT(DISTINCT ?a) AS ?n) WHERE {{ {joined} }}"
            for *hops, kind, n in self._rows(f"{query} GROUP BY {names} ?k"):
                path = tuple(Hop(p) for p in hops if isinstance(p, Iri))
                if isinstance(kind, Iri) and isinstance(n, Literal) and self._is_askable(path):
                    yield path, kind, int(n.lexical)

    def _tied_at_all(self, things: Sequence[Iri], path: Path) -> int:
        """Of how many things the path leads to anything."""
        along = "/".join(term(hop.predicate) for hop in path)
        query = f"SELECT (COUNT(DISTINCT ?a) AS ?n) WHERE {{ {values('?a', things)} ?a {along} ?k }}"
        return next((int(n.lexical) for (n,) in self._rows(query) if isinstance(n, Literal)), 0)

    def _rows(self, query: str) -> Sequence[Sequence[Constant | None]]:
        """What the store says in time."""
        try:
            return self._kb.store.select(query, time_limit_s=_LIMIT_S).rows
        except (QueryError, StoreTimeout):
            return ()

    def _is_askable(self, path: Path) -> bool:
        known = self._kb.lexicon.wordings
        return path in known or reverse(path) in known

    def _others(self, chosen: Chosen, asked: Asked) -> Iterator[Steps]:
        """'Other' films are not the one that was named, nor are those of the same director as that one's."""
        steps = chosen.parse.decomposition.steps
        rest = without_names(asked.text, asked.mentions).lower()
        if _OTHER.search(rest):
            named = [c.entity for m in asked.mentions for c in m.candidates if c.exact]
        elif _AGAIN.search(rest):
            named = [s.anchor for s in steps if isinstance(s, Find | Keep) and isinstance(s.anchor, Iri)]
        else:
            return
        yield from self._except(named, chosen)

    def _except(self, entities: Sequence[Iri], chosen: Chosen) -> Iterator[Steps]:
        """The steps with one that leaves out one of these that is among what they find."""
        steps = chosen.parse.decomposition.steps
        at = _answering(steps)
        things = set(self._things(chosen, at)) if entities else set()
        for entity in filter(things.__contains__, dict.fromkeys(entities)):
            yield from _put(
                steps, at, Keep(Ref(at), restrictions=(Restriction("answer", (), (IsNot(entity),)),))
            )


def _predicate(hop: Hop) -> Iri:
    return hop.predicate


def _answering(steps: Steps) -> int:
    """The number of the last step that finds things, joins them or chooses among them by a condition."""
    found = (i for i in range(len(steps), 0, -1) if isinstance(steps[i - 1], Find | Keep | Merge))
    return next(found, len(steps))


def _is_picked(steps: Steps) -> bool:
    """Whether the last step takes one of what a step before it found."""
    return len(steps) > 1 and isinstance(steps[-1], Pick) and isinstance(steps[-2], Find | Keep)


def _put(steps: Steps, at: int, step: Step) -> Iterator[Steps]:
    try:
        yield from inserted(steps, at + 1, step)
    except FeedbackError:
        return


def _words(asked: Asked) -> list[str]:
    """The question's words beside its names, in lower case and without punctuation."""
    return [w.strip(".,;:!?\"'()") for w in without_names(asked.text, asked.mentions).split()]


def _is_asked_for(before: Sequence[str]) -> bool:
    """Whether the noun after these words is what is asked for."""
    if not before or list(before) == ["s"]:  # "Elvis's mother"
        return True
    text = " ".join(before) + " "
    said = _ASKS.search(text)
    named = said is not None and not _CLAUSE.intersection(said[0].split()[1:])
    return named or _SAID_OF.search(text) is not None
