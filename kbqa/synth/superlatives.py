"""The first, the largest, the last winner."""

from __future__ import annotations

from kbqa.lexicon.measures import MEASURES
from kbqa.lexicon.nouns import plural
from kbqa.synth.conditions import Conditions
from kbqa.synth.graph import Node, date_of
from kbqa.synth.speech import ENTITY, NoLuck, Np, Parts
from kbqa.synth.words import past
from kbqa.synth.world import WINNERS
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import Find, Hop, Kind, Pick, Ref, freebase

CHAMPIONSHIPS = (Hop(freebase("sports.sports_team.championships")),)
_LAST_WON = ("When did {} last win a championship?", "When did {} last win the championship?",
             "What was the last championship {} won?", "When was the last time {} won a championship?",
             "What year did {} last win a title?", "{} last won the championship when?")  # fmt: skip
_FIRST_WON = (
    "When did {} first win a championship?",
    "What was the first championship won by {}?",
    "When did {} win their first championship?",
    "What year did {} win their first title?",
)


class Superlatives(Conditions):
    """Takes the first or last of things by a value, in steps and English."""

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
        if self.walks.paths[p.path] == CHAMPIONSHIPS and prop.kind is Kind.DATE:
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
        won = [n for n in (self.walks.number.get(p) for p in WINNERS) if n is not None]
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
