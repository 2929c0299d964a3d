"""One predicate -> its wordings in both directions, before they are told apart from other predicates'."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kbqa.induce.english import (
    Named,
    agent_in,
    clean,
    is_participle,
    is_plural,
    local_name,
    lowered,
    many,
    read_name,
    says_what_is_done,
    singular,
    spaced,
    without_unit,
)
from kbqa.induce.profile import PredicateInfo, Profile
from kbqa.induce.tables import AGENTS, DATED, EVENTS, MEASURES, PEOPLE, PLACES, SYNONYMS
from kbqa.induce.voice import Role, in_past, role_of
from kbqa.types import Hop, Iri

FORMS = ("question", "noun", "clause")
_TIMES = ("date", "time", "year", "day", "month")
_SPOTS = ("place", "location", "city", "country")
_DOERS = ("What", "Who", "Which")


@dataclass(frozen=True)
class Way:
    """One direction of a predicate: its template (one `{}`), what an answer is called, the question word and
    natural wordings by form. `qualified`: templates to fall back on where another predicate has the same
    one, best first."""

    template: str
    noun: str
    asks: str
    qualified: tuple[str, ...] = ()
    natural: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Draft:
    """A predicate's wordings: `name` as a property ('birth date'), `forward` subject -> object."""

    iri: Iri
    name: str
    forward: Way
    backward: Way


def predicate_words(info: PredicateInfo) -> tuple[str, str]:
    """(words, unit) of a predicate: its label, else its local name."""
    said = lowered(clean(info.label)) or spaced(clean(local_name(info.iri)))
    words, unit = without_unit(said)
    return words or "value", info.unit or unit


def draft(info: PredicateInfo, profile: Profile, class_nouns: dict[Iri, str]) -> Draft:
    return _Drafting(info, profile, class_nouns).draft()


@dataclass(frozen=True)
class _Drafting:
    info: PredicateInfo
    profile: Profile
    class_nouns: dict[Iri, str]

    def draft(self) -> Draft:
        name = self.named
        noun = self.property_noun
        forward = self._verb_forward() if name.form == "verb" else self._noun_forward(noun)
        backward = self._verb_backward() if name.form == "verb" else self._noun_backward(noun)
        return Draft(self.info.iri, noun, forward, backward)

    @cached_property
    def words(self) -> str:
        return predicate_words(self.info)[0]

    @cached_property
    def named(self) -> Named:
        found = self._read(self.words)
        if found.form == "verb" and self.info.value != "entity":
            known = self._happened != self.words and is_participle(self._happened)
            return Named("participle", self._happened) if known else Named("noun", self.words)
        return found

    def _read(self, words: str) -> Named:
        """A name as English; a past tense by who acts. Of 'uses currency' and a person's 'won award' the
        verb; a loan's 'borrowed book' is no verb."""
        if self.info.value != "entity":
            return read_name(words)
        verb = words.removesuffix(f" {self.object}")
        if verb != words and says_what_is_done(verb):
            done = in_past(verb, *self._roles) or read_name(verb)
            if (
                " " in verb
                or not is_participle(verb)
                or (done.past and self._roles[0] in ("person", "group"))
            ):
                return done
        return in_past(words, *self._roles) or read_name(words)

    @cached_property
    def _roles(self) -> tuple[Role, Role]:
        """What subjects and objects are, by their classes."""
        return (
            self._role(self.profile.subject_class(self.info)),
            self._role(self.profile.object_class(self.info)),
        )

    def _role(self, kind: Iri | None) -> Role:
        """By the noun of the class, else by those above it."""
        if kind is None:
            return ""
        above = sorted(self.profile.ancestors.get(kind, frozenset()) - {kind})
        roles: set[Role] = {role_of(self._class_noun(up)) for up in above} - {"", "thing"}
        own = role_of(self._class_noun(kind))
        return own if own not in ("", "thing") or len(roles) != 1 else roles.pop()

    @cached_property
    def _happened(self) -> str:
        """A date's name without what leads to it: 'opened' of 'opened on' and 'was opened on'."""
        found = re.fullmatch(r"(?:(?:is|was|were) )?(\S+?)(?: (?:on|at|in|since))?", self.words)
        return found[1] if found and self.info.value == "date" else self.words

    @cached_property
    def property_noun(self) -> str:
        """What the value is called: 'publication date' for 'published' and 'date published'."""
        dated = self.info.value == "date"
        if dated or self.words.startswith(("date ", "year ")):
            bare = self._happened.removeprefix("date ").removeprefix("year ").removesuffix(" date")
            if bare in DATED:
                return DATED[bare]
        if self.info.value == "number" and self.named.form == "noun" and self._is_count:
            return f"number of {self.named.words}"
        if self.named.form == "noun":
            return singular(self.named.words)
        if self.words.endswith(f" {self.object}"):
            return self.object
        if self.named.form == "participle":
            return f"{self.named.words} date" if dated else f"{self.named.words} value"
        return self.named.base if self.named.is_be else self.words

    @property
    def _is_count(self) -> bool:
        """'seats', 'pages': a number called by what is counted."""
        said = self.named.words
        return is_plural(said) and " of " not in said

    # --- what stands at both ends

    @cached_property
    def subject(self) -> str:
        """What subjects are called, one of them: 'book', else 'thing'. Nameless nodes without a class are
        called by what leads to them ('membership')."""
        found = self._class_noun(self.profile.subject_class(self.info))
        if found != "thing" or self.info.iri not in self.profile.out_of:
            return found
        entries = (first.predicate for first, second in self.profile.pairs if second == Hop(self.info.iri))
        known = sorted(p for p in entries if p in self.profile.into)
        return (
            singular(read_name(predicate_words(self.profile.predicates[known[0]])[0]).words)
            if known
            else found
        )

    @cached_property
    def object(self) -> str:
        if self.info.value == "entity":
            return self._class_noun(self.profile.object_class(self.info))
        return {"date": "date", "number": "number", "truth": "truth value"}.get(self.info.value, "thing")

    def _class_noun(self, iri: Iri | None) -> str:
        return self.class_nouns.get(iri, "thing") if iri is not None else "thing"

    @cached_property
    def people(self) -> tuple[bool, bool]:
        """Whether subjects, and objects, are people."""
        subject = self.subject.split()[-1] in PEOPLE
        thing = self.info.value == "entity" and self.object.split()[-1] in PEOPLE
        if self.info.value == "entity" and self.object == "thing":
            thing = self.named.form == "noun" and self.property_noun.split()[-1] in (PEOPLE | AGENTS.keys())
        return subject, thing

    # --- nouns: 'the author of {}', 'the book whose author is {}'

    def _noun_forward(self, noun: str) -> Way:
        asks = self._asks(noun)
        of_class = f"the {noun} of the {self.subject} {{}}" if self.subject != "thing" else ""
        others = [of_class] if of_class else []
        if self.object not in ("thing", noun) and self.info.value == "entity":
            others.append(f"the {self.object} that is the {noun} of {{}}")
        questions = list(dict.fromkeys(self._questions_of(noun, asks)))
        nouns = [f"the {noun} of {{}}", f"{{}}'s {noun}", *(f"the {s} of {{}}" for s in self.synonyms)]
        clauses = [f"that is the {noun} of {{}}"]
        if (agent := self._agent) is not None:
            clauses.insert(0, f"{'who' if self.people[1] else 'that'} {agent[1]} {{}}")
        questions += [q for verb in self.verbs for q in self._asked_forward(verb)]
        natural = {"question": tuple(questions), "noun": tuple(nouns), "clause": tuple(clauses)}
        answer = self.object if self.object != "thing" and self.info.value == "entity" else noun
        return Way(f"the {noun} of {{}}", answer, asks, tuple(others), natural)

    def _noun_backward(self, noun: str) -> Way:
        article = "the"
        subject = self.subject
        template = f"{article} {subject} whose {noun} is {{}}"
        others: tuple[str, ...] = ()
        if self.object not in ("thing", noun) and self.info.value == "entity":
            others = (f"{article} {subject} whose {noun} is the {self.object} {{}}",)
        some = many(subject) if subject != "thing" else "things"
        word = "Who" if self.people[0] else "What"
        questions = [f"Which {some} have {{}} as {noun}?", f"{word} has {{}} as {noun}?"]
        clauses = [f"whose {noun} is {{}}", f"with {noun} {{}}", f"that have {{}} as {noun}"]
        nouns = [f"{some} whose {noun} is {{}}", f"the {subject} with the {noun} {{}}"]
        if (agent := self._agent) is not None:
            base, past, participle = agent
            questions[:0] = [
                f"Which {some} {_did(base, past)}?",
                f"What {_did(base, past)}?",
                f"Which {some} were {participle} by {{}}?",
            ]
            clauses[:0] = [f"{participle} by {{}}", f"that {{}} {past}"]
            nouns.append(f"{some} by {{}}")
        elif self._event is not None and self._event[0] in ("was", "did") and self.info.value == "date":
            be, said = self._event
            verb = f"were {said}" if be == "was" else _past(said)
            questions.insert(0, f"Which {some} {verb} on {{}}?")
            clauses.insert(0, f"{said} on {{}}" if be == "was" else f"that {verb} on {{}}")
        elif self._event is not None and self._spot:
            be, said = self._event
            verb = f"were {said}" if be == "was" else f"{_past(said)}"
            questions.insert(0, f"{'Who' if self.people[0] else f'Which {some}'} {verb} in {{}}?")
            clauses.insert(0, f"{said} in {{}}" if be == "was" else f"who {verb} in {{}}")
        else:
            questions.append(f"Which {some} are of the {noun} {{}}?")
        for also in self.verbs:
            more, said_so = self._said_backward(also)
            questions += more
            clauses += said_so
        natural = {
            "question": tuple(dict.fromkeys(questions)),
            "noun": tuple(nouns),
            "clause": tuple(clauses),
        }
        return Way(template, subject, "Who" if self.people[0] else "Which", others, natural)

    @cached_property
    def synonyms(self) -> tuple[str, ...]:
        noun = self.property_noun
        known = (*SYNONYMS.get(noun.lower(), ()), *(lowered(clean(s)) for s in self.info.synonyms))
        nouns = (read_name(s) for s in known if s)
        return tuple(dict.fromkeys(n.words for n in nouns if n.form == "noun" and n.words != noun))

    @cached_property
    def verbs(self) -> tuple[Named, ...]:
        """Further labels that say what the subject does with the object: 'speaks', 'falls under'."""
        if self.info.value != "entity":
            return ()
        said = (self._read(words) for s in self.info.synonyms if (words := lowered(clean(s))))
        return tuple(n for n in said if n.form == "verb" and n != self.named)

    @cached_property
    def _agent(self) -> tuple[str, str, str] | None:
        """What such a one does; a screenwriter and a co-author write."""
        if self.info.value == "date":
            return None
        return AGENTS.get(agent_in(self.property_noun))

    @cached_property
    def _spot(self) -> bool:
        if self.info.value != "entity":
            return self.property_noun.split()[-1] in _SPOTS
        return self.object.split()[-1] in PLACES or self.property_noun.split()[-1] in _SPOTS

    @cached_property
    def _event(self) -> tuple[str, str] | None:
        """The event whose date or place this is: 'birth date', 'date published'."""
        dated = self.info.value == "date" or any(w in _TIMES for w in self.words.split())
        if not (dated or self._spot):
            return None
        return next((EVENTS[w] for w in self.words.split() if w in EVENTS), None)

    def _asks(self, noun: str) -> str:
        if self.info.value == "date" or (noun.split()[-1] in _TIMES and self.info.value != "entity"):
            return "When"
        if self.people[1]:
            return "Who"
        return "What"

    def _questions_of(self, noun: str, asks: str) -> Iterator[str]:
        """Questions for the value."""
        if self._event is not None:
            be, said = self._event
            yield f"{'When' if asks == 'When' else 'Where'} {be} {{}} {said}?"
        if (agent := self._agent) is not None:
            yield f"{'Who' if self.people[1] else 'What'} {agent[1]} {{}}?"
            yield f"Who is {{}} {agent[2]} by?" if self.people[1] else f"What is {{}} {agent[2]} by?"
        if self.info.value == "number":
            yield from self._amounts(noun)
        be, said = ("are", many(noun)) if is_plural(self.words) else ("is", noun)
        yield f"{'Who' if asks == 'Who' else 'What'} {be} the {said} of {{}}?"
        if not self.info.single and be == "is":
            yield f"{'Who' if asks == 'Who' else 'What'} are the {many(noun)} of {{}}?"
        yield f"What {said} does {{}} have?" if asks != "Who" else f"Who is {{}}'s {said}?"
        if asks != "Who":
            yield f"What is {{}}'s {said}?"
        for other in self.synonyms:
            yield f"{'Who' if asks == 'Who' else 'What'} is the {other} of {{}}?"

    def _amounts(self, noun: str) -> Iterator[str]:
        yield from MEASURES.get(noun.split()[-1], ())
        counted = noun.removeprefix("number of ") if noun.startswith("number of ") else ""
        counted = counted or (many(noun.removesuffix(" count")) if noun.endswith(" count") else "")
        if not counted and is_plural(self.words):
            counted = self.words
        if counted:
            yield f"How many {counted} does {{}} have?"

    # --- verbs: 'the organization that {} works for', 'the person who works for {}'

    def _verb_forward(self) -> Way:
        said, thing = self.named, self.object
        template = f"the {thing} that {{}} {said.words}"
        others = (
            (f"the {thing} that the {self.subject} {{}} {said.words}",) if self.subject != "thing" else ()
        )
        asks = "Who" if self.people[1] else "What"
        questions = [q for verb in (said, *self.verbs) for q in self._asked_forward(verb)]
        natural = {
            "question": tuple(questions),
            "noun": (
                f"the {thing} that {{}} {said.words}",
                f"what {{}} {said.words}",
                *(f"the {noun} of {{}}" for noun in self.synonyms),
            ),
            "clause": (f"that {{}} {said.words}",),
        }
        return Way(template, thing, "Who" if asks == "Who" else "Which", others, natural)

    def _asked_forward(self, verb: Named) -> list[str]:
        asks = "Who" if self.people[1] else "What"
        does = "is {} " if verb.is_be else "did {} " if verb.past else "does {} "
        questions = [f"{asks} {does}{verb.base}?"]
        if self.object != "thing":
            questions.append(f"Which {self.object} {does}{verb.base}?")
        return questions

    def _verb_backward(self) -> Way:
        said, subject = self.named, self.subject
        pronoun = "who" if self.people[0] else "that"
        template = f"the {subject} {pronoun} {said.words} {{}}"
        others = (
            (f"the {subject} {pronoun} {said.words} the {self.object} {{}}",)
            if self.object != "thing"
            else ()
        )
        each = [self._said_backward(verb) for verb in (said, *self.verbs)]
        questions, clauses = ([w for both in each for w in both[n]] for n in (0, 1))
        natural = {
            "question": tuple(questions),
            "noun": (f"the {subject} {pronoun} {said.words} {{}}",),
            "clause": tuple(clauses),
        }
        return Way(template, subject, "Who" if self.people[0] else "Which", others, natural)

    def _said_backward(self, verb: Named) -> tuple[list[str], list[str]]:
        """Questions and clauses."""
        word, pronoun = ("Who", "who") if self.people[0] else ("What", "that")
        many_do = verb.words if verb.past else verb.base
        are = f"are {_plural_base(verb.base)}" if verb.is_be else many_do
        questions = [f"{word} {verb.words} {{}}?"]
        if self.subject != "thing":
            questions.append(f"Which {many(self.subject)} {are} {{}}?")
        clauses = [f"{pronoun} {verb.words} {{}}"]
        return questions, [*clauses, f"{verb.base} {{}}"] if verb.is_be else clauses


def _plural_base(base: str) -> str:
    """'a member of' of many: 'members of'."""
    found = re.fullmatch(r"an? (.+?) of", base)
    return f"{many(found[1])} of" if found else base


def _did(base: str, past: str) -> str:
    """'did {} write' of what happened, 'does {} own' of what lasts."""
    verb, _, particle = base.partition(" ")
    does = "does" if past.endswith("s") and not past.endswith("ss") else "did"
    return f"{does} {{}} {verb} {particle}".strip()


def _past(verb: str) -> str:
    """'opened', 'died', 'married', 'began'."""
    if verb == "begin":
        return "began"
    return verb + "d" if verb.endswith("e") else re.sub(r"(?<=[^aeiou])y\Z", "i", verb) + "ed"
