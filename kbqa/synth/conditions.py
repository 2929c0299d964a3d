"""Values, periods and roles that things are narrowed by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.lexicon.measures import Measure
from kbqa.lexicon.nouns import plural
from kbqa.synth.graph import Node, date_of
from kbqa.synth.speech import NoLuck, Np, Parts, Speech
from kbqa.synth.values import DATE_WORDS, NUMBER_WORDS, say_date, say_number
from kbqa.synth.words import an, capital, past
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    FREEBASE,
    XSD,
    Hop,
    Iri,
    Is,
    Keep,
    Kind,
    Literal,
    OpenThan,
    Operator,
    Path,
    Ref,
    Restriction,
    Than,
)

NOW = "2015-08-10"
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
_NOW_WORDS = ("now", "currently", "today", "right now", "at the moment")
_PAST = re.compile(r"\b(?:was|were|did|held|won|ever|been|\w+ed)\b")
_PLAIN_SIZE = frozenset(("more than", "over", "less than", "under", "at least", "at most", "no more than"))
_MONTH = (
    "",
    *"January February March April May June July August September October November December".split(),
)


class Conditions(Speech):
    """Narrows things by a value, or by what a node in between holds, in steps and English."""

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
