"""From a question to the reading that is taken: what is left out put in full, names, the parser's readings
and those of rules, the best of them, and what the question says beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

from kbqa.compose.asides import without_asides
from kbqa.dialogue import Parse
from kbqa.intake import grounded, out_of_scope, uses
from kbqa.kb import KnowledgeBase
from kbqa.measuring import sorted_by_kind
from kbqa.parse.bounds import as_said
from kbqa.protocols import Mention
from kbqa.reading.addresses import Addresses
from kbqa.reading.birthnames import BirthNames
from kbqa.reading.callings import of_calling
from kbqa.reading.castnames import CastNames
from kbqa.reading.champions import with_team_then
from kbqa.reading.chiefs import Chiefs
from kbqa.reading.choices import Choices
from kbqa.reading.choosing import Chooser, Choosing, Chosen, names_in
from kbqa.reading.company import Company
from kbqa.reading.comparisons import Comparisons
from kbqa.reading.contests import Leagues, of_team_then, of_two_years
from kbqa.reading.contrasts import of_contrast, of_rather, of_wish
from kbqa.reading.dating import Dating
from kbqa.reading.divisions import (
    capitals_as_said,
    divisions_as_said,
    level_as_said,
)
from kbqa.reading.drafted import picked_as_said
from kbqa.reading.each import of_each
from kbqa.reading.either import Either
from kbqa.reading.firsts import all_as_said, first_as_said
from kbqa.reading.formerly import formerly_as_said, of_own_time
from kbqa.reading.holders import of_other_holder
from kbqa.reading.honours import honours_counted
from kbqa.reading.kin import kin_as_said, kin_of_kin_as_said, related_as_said
from kbqa.reading.lineups import of_successor
from kbqa.reading.medals import Medals
from kbqa.reading.moments import Moments
from kbqa.reading.narrowing import Narrower
from kbqa.reading.negation import Negation
from kbqa.reading.nested import Nested
from kbqa.reading.occasions import at_once, occasion_as_said
from kbqa.reading.otherwise import (
    of_ceremony,
    of_election,
    of_element,
    of_grandparents,
    of_honour_year,
    of_mens_sport,
    of_more_of_them,
    of_most_by,
    of_part,
    of_sides,
    of_span,
    of_statehood,
    of_that_year,
    of_two_compared,
)
from kbqa.reading.periods import as_of, checkable
from kbqa.reading.played import as_offices, as_played, as_schools, as_teams, without_domains
from kbqa.reading.prizes import as_won, of_category, of_two_categories, with_prizes
from kbqa.reading.quantities import Quantities
from kbqa.reading.ranking import unused
from kbqa.reading.religions import main_religion
from kbqa.reading.rephrased import (
    of_area,
    of_being,
    of_born,
    of_claim,
    of_edition,
    of_emphasis,
    of_existence,
    of_happening,
    of_home,
    of_inhabitants,
    of_killing,
    of_league_players,
    of_more_people,
    of_most_kin,
    of_most_titles,
    of_number,
    of_occasions,
    of_opponent,
    of_outside,
    of_parents,
    of_power,
    of_pronoun,
    of_record,
    of_seat,
    of_so_many_prizes,
    of_speaking,
    of_titles,
    of_truth,
    of_years,
    plainer,
    quoted,
    without_afterthought,
    without_exceptions,
    without_rank,
)
from kbqa.reading.reranker import Reranker
from kbqa.reading.returning import Returning
from kbqa.reading.schooling import influence_as_said, school_as_said
from kbqa.reading.seasons import Seasons
from kbqa.reading.sequels import Sequels
from kbqa.reading.shorthand import (
    bearers,
    of_which_country,
    spelt_out,
    with_apostrophes,
    with_last_names,
    with_numerals,
)
from kbqa.reading.succession import Succession, by_name, vice_as_said
from kbqa.reading.superlatives import most_as_said
from kbqa.reading.titleroles import TitleRoles
from kbqa.reading.tongues import tongue_as_said
from kbqa.reading.turns import Turns
from kbqa.reading.twofold import Twofold
from kbqa.reading.typed import Typed
from kbqa.reading.unsaid import (
    begun_as_said,
    by_date,
    compared_as_said,
    counted_as_asked,
    dated_as_said,
    language_as_said,
    lasted_as_said,
    measured_as_said,
    of_asked_sort,
    oftenest_as_said,
    ranked,
    shared_as_said,
    value_as_said,
    who_as_said,
    without_idle,
    without_repeat,
    without_union,
    without_unsaid,
)
from kbqa.reading.waters import of_boundary, of_coast, of_inland, waters_as_said
from kbqa.reading.whether import Whether, answered_so
from kbqa.reading.worded import Worded, with_winners
from kbqa.rewire import reread
from kbqa.types import Constant, Iri, Merge, Step

_OR = re.compile(r"(?<!['’])\bor\b", re.IGNORECASE)
_NOTHING = (False, 0)
_BARE = 3
"""Names tried that no word tells to be one."""

Parsing: TypeAlias = Callable[[str, Sequence[Mention], int], Sequence[Parse]]
"""At most so many readings of a question with its mentions, best first."""
Stage: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Times what is done while it is held: 'link', 'parse' or 'answer'."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How many readings are asked for, at first and where none answers with all that is named, and from what
    log probability on."""

    readings: int = 10
    reread: int = 20
    """As many where a reranker tells which to take."""
    further: int = 40
    least_logprob: float = -20.0


class Reader:
    """Reads questions over one knowledge base. `parse`: the parser; `reranker`: what else tells which of its
    readings to take; `is_word`: tells English words, without which none is taken for misspelt."""

    def __init__(
        self,
        kb: KnowledgeBase,
        parse: Parsing,
        choosing: Choosing,
        most: Reading,
        reranker: Reranker | None = None,
        is_word: Callable[[str], bool] | None = None,
    ) -> None:
        self.kb, self._parse, self._most = kb, parse, most
        self._is_word = is_word or bool
        self._addresses = Addresses(kb)
        self._company = Company(kb.store)
        self.returning = Returning(kb.store)
        self._worded = Worded(kb.lexicon, kb.store)
        self.chooser = Chooser(kb, choosing, reranker)
        self._birth_names = BirthNames(kb, self.chooser.run, self._read)
        self._typed = Typed(kb.store, kb.lexicon, self.chooser.nouns)
        self._succession = Succession(kb, self.chooser.run, self._read)
        self._turns = Turns(kb, self.chooser.run, self._read, self.chooser.nouns, self._succession.asked_of)
        self._chiefs = Chiefs(kb, self.chooser.run, self._succession.asked_of)
        self._medals = Medals(kb, self.chooser.run)
        self.seasons = Seasons(kb, self.link)
        self.whether = Whether(kb, self.chooser.run)
        self.moments = Moments(kb, self.chooser.run, self._read_bounded)
        self._sequels = Sequels(kb, self.chooser.run, self._read_whole)
        self.nested = Nested(kb, self.chooser.run, self._read_whole, self._read_then, self._read_next_to)
        self._either = Either(kb, self.chooser.run, self._read_whole)
        self._twofold = Twofold(kb, self.chooser.run, self._read_whole)
        read_ever = partial(self._read_narrowed, ever=True)
        self._negation = Negation(kb, self.chooser.run, read_ever, self._worded.step)
        self._choices = Choices(kb, self.chooser.run, self._read, self._negation.of)
        self._quantities = Quantities(kb, self.chooser.run, read_ever, self.chooser.nouns, self.fitted)
        self._comparisons = Comparisons(kb, self.chooser.run, self._read_narrowed, self.chooser.nouns)
        self._dating = Dating(kb, self.chooser.nouns, self.chooser.run)
        self._narrower = Narrower(kb, self.chooser.nouns, self._typed, self.chooser.run)

    def first(
        self, text: str, mentions: tuple[Mention, ...], linked: bool, stage: Stage
    ) -> tuple[Chosen | None, tuple[Parse, ...]]:
        """The reading that is taken, None where the question is not understood, and all readings, it among
        them. `linked`: whether the mentions are the linker's, and those of the question put otherwise may
        stand for them. What stands around a question is left out where it is understood so."""
        plain = self._alone(text, mentions) if linked and not self.kb.own else text
        if plain != text:
            found = self._first(plain, self.link(plain), linked, stage)
            if found[0] is not None:
                return found
        return self._first(text, mentions, linked, stage)

    def _alone(self, text: str, mentions: tuple[Mention, ...]) -> str:
        """The question without what stands around it."""
        for way in (
            of_contrast,
            of_rather,
            of_wish,
            of_calling,
            of_other_holder,
            of_successor,
            of_being,
            of_claim,
        ):
            asked = way(text, mentions)
            if asked != text:
                text, mentions = asked, self.link(asked)
        return without_asides(text, mentions)

    def _first(
        self, text: str, mentions: tuple[Mention, ...], linked: bool, stage: Stage
    ) -> tuple[Chosen | None, tuple[Parse, ...]]:
        said, named = self._in_full(text, mentions) if linked else spelt_out(text, mentions)
        with stage("link"):
            said, named, excepted = self._without_exceptions(said, named)
            said, offset, limit = (said, 0, 1) if self.kb.own else without_rank(said, named)
            named = self.link(said) if offset or limit > 1 else named
        with stage("parse"):
            parses = self.readings(said, named, self._most.reread if self.chooser.reranker else None)
        with stage("answer"):
            special = self._special(said, named)
            if special is not None:
                chosen, parses = special, (special.parse, *parses)
            else:
                best = self.chooser.best(parses, said, named, reread=True)
                if (best is None or not named) and linked and not self.kb.own:
                    best, parses, said, named = self._plainly(best, parses, said, named)
                if linked and not self.kb.own:
                    best, parses, named = self._by_last_name(best, parses, said, named)
                if best is not None:
                    best, parses = self._further(best, parses, said, named)
                bounded = self._comparisons.bounded(best, said, named)
                if bounded is not None and bounded is not best:
                    best, parses = bounded, (bounded.parse, *parses)
                if linked and not self._tells(best, said):
                    described = self.nested.instead(said, named)
                    if described is not None and self._tells(described, said):
                        best, parses = described, (described.parse, *parses)
                if best is None:
                    return None, parses
                chosen = best
            plain = chosen if special or self.kb.own else self._as_asked(chosen, said, named)
            if special is None or not _is_joined(plain):  # whose parts are narrowed
                plain = self._narrowed(plain, said, named)
            whole = self._dating.dated(plain, said)
            whole = ranked(self._narrower.without(whole, excepted), offset, limit, self.chooser.run)
            whole = whole if self.kb.own else self._counted(whole, parses, said, named)
            return whole, tuple(whole.parse if p is chosen.parse else p for p in parses)

    def _by_last_name(
        self, chosen: Chosen | None, parses: tuple[Parse, ...], text: str, mentions: tuple[Mention, ...]
    ) -> tuple[Chosen | None, tuple[Parse, ...], tuple[Mention, ...]]:
        """The best reading, all readings and names where a name is some person's last, if the reading chosen
        has no answer of the sort that is asked for: 'What party was Lincoln in?' is about no town."""
        if self._tells(chosen, text) or (chosen is not None and chosen.late):
            return chosen, parses, mentions
        for one in mentions:
            for person in bearers(one) if chosen is not None or one.text[:1].isupper() else ():
                named = tuple(replace(m, candidates=(person,)) if m is one else m for m in mentions)
                more = self.readings(text, named)
                found = self.chooser.best(more, text, named)
                if (
                    found is not None
                    and self._tells(found, text)
                    and uses(found.parse.decomposition, person.entity)
                ):
                    return found, more, named
        return chosen, parses, mentions

    def _tells(self, chosen: Chosen | None, text: str) -> bool:
        """Whether a reading has an answer, and none of another sort than is asked for."""
        if chosen is None or not chosen.told:
            return False
        return self.chooser.answers_what_is_asked(chosen, text) is not False

    def _further(
        self, chosen: Chosen, parses: tuple[Parse, ...], text: str, mentions: Sequence[Mention]
    ) -> tuple[Chosen, tuple[Parse, ...]]:
        """The best of more readings, and all of them, where the one chosen has no answer or leaves out a
        thing that the question names, and another doesn't. What is named in passing is not to be joined with
        the answers where the question has no 'or'."""
        left = _lacks(chosen, mentions)
        if self.kb.own or chosen.late or left == _NOTHING:
            return chosen, parses
        more = self.readings(text, mentions, self._most.further)
        found = self.chooser.best(more, text, mentions, len(more))
        if found is None or _lacks(found, mentions) >= left:
            return chosen, parses
        joined = _is_joined(found)
        return (chosen, parses) if joined and not _OR.search(text) else (found, more)

    def readings(self, text: str, mentions: Sequence[Mention], n: int | None = None) -> tuple[Parse, ...]:
        """The readings, likeliest first, that are likely enough and about something that was recognised;
        none of what is no question in English. What was read by rule is taken at its word."""
        if out_of_scope(text, mentions):
            return ()
        found = self._parse(text, mentions, n or self._most.readings)
        likely = [p for p in found if p.logprob >= self._most.least_logprob and p.decomposition.steps]
        likely.sort(key=lambda p: -p.logprob)
        names = names_in(self.kb, likely)
        about = [p for p in likely if self._by_rule(p) or grounded(p.decomposition, text, mentions, names)]
        return tuple(as_said(self.fitted(p), text) for p in about)

    def _special(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """What the parser has no words for, read by rule; None for all else."""
        return (
            self._choices.chosen(text, mentions)
            or self._either.any_of(text, mentions)
            or self.nested.asked(text, mentions)
            or self._succession.between(text, mentions)
            or self._succession.next_to(text, mentions)
            or self._turns.next_to(text, mentions)
            or self._birth_names.told(text, mentions)
            or self._chiefs.chief(text, mentions)
            or self._medals.counted(text, mentions)
            or self._succession.numbered(text, mentions)
            or self._sequels.ordered(text, mentions)
            or self.moments.then(text, mentions)
            or self.whether.checked(text, mentions)
            or self._twofold.both(text, mentions)
            or self._negation.denied(text, mentions)
            or self._quantities.counted(text, mentions)
            or self._comparisons.compared(text, mentions)
        )

    def candidates(self, text: str, n: int) -> Iterator[tuple[Sequence[Constant], str]]:
        """Of the `n` likeliest readings of a question those that can be run, each with its answers and what
        the reranker reads of it."""
        plain = self._alone(text, self.link(text))
        said, named = self._in_full(plain, self.link(plain))
        return self.chooser.candidates(self.readings(said, named, n), said)

    def link(self, text: str) -> tuple[Mention, ...]:
        found = as_played(text, self._addresses.joined(text, self.kb.linker.link(text)))
        if self.kb.own:
            return found
        found = as_won(text, with_prizes(text, without_domains(text, found), self.kb.linker))
        found = as_offices(text, found, self.kb.linker)
        found = as_schools(text, self._company.known(text, found), self.kb.linker)
        return as_teams(text, found, self.kb.linker)

    def _in_full(self, text: str, mentions: Sequence[Mention]) -> tuple[str, tuple[Mention, ...]]:
        """The question and its names without what is left out in a hurry."""
        said, named = spelt_out(text, mentions)
        named = named if said == text else self.link(said)
        for whole in self._ways:
            full = whole(said, named)
            if full != said:
                said, named = full, self.link(full)
        return said, named

    @cached_property
    def _ways(self) -> Sequence[Callable[[str, Sequence[Mention]], str]]:
        """Ways in which questions are put otherwise before they are read."""
        last_names, leagues = partial(with_last_names, link=self.link), Leagues(self.kb, self.link)
        if self.kb.own:
            return (last_names,)
        return (
            partial(self.kb.linker.respelt, is_word=self._is_word),
            of_claim,
            of_emphasis,
            partial(with_apostrophes, link=self.link),
            last_names,
            partial(with_numerals, link=self.link),
            without_afterthought,
            of_truth,
            of_happening,
            of_existence,
            of_pronoun,
            of_killing,
            of_power,
            of_seat,
            of_home,
            of_born,
            of_area,
            of_speaking,
            of_inland,
            of_coast,
            partial(of_boundary, link=self.link),
            by_name,
            of_which_country,
            of_parents,
            of_years,
            of_span,
            of_statehood,
            of_sides,
            of_two_compared,
            of_more_of_them,
            of_ceremony,
            partial(of_element, link=self.link),
            of_grandparents,
            of_election,
            of_most_by,
            of_honour_year,
            of_part,
            of_mens_sport,
            of_that_year,
            of_number,
            of_most_kin,
            of_inhabitants,
            of_league_players,
            of_more_people,
            of_outside,
            of_occasions,
            partial(of_two_years, link=self.link),
            of_team_then,
            of_opponent,
            leagues.of_never_won,
            leagues.of_more_than,
            leagues.of_champions,
            of_record,
            of_most_titles,
            of_so_many_prizes,
            partial(of_titles, link=self.link),
            partial(of_edition, link=self.link),
            partial(of_two_categories, link=self.link),
            partial(of_category, link=self.link),
            self.seasons.of_season,
            TitleRoles(self.kb).named,
            CastNames(self.kb).named,
        )

    def _without_exceptions(
        self, text: str, mentions: tuple[Mention, ...]
    ) -> tuple[str, tuple[Mention, ...], tuple[Mention, ...]]:
        """What is asked without what the question leaves out, its names, and what that is."""
        rest, excepted = (text, ()) if self.kb.own else without_exceptions(text, mentions)
        return (rest, self.link(rest), excepted) if excepted else (text, mentions, ())

    def _plainly(
        self, chosen: Chosen | None, parses: tuple[Parse, ...], text: str, mentions: tuple[Mention, ...]
    ) -> tuple[Chosen | None, tuple[Parse, ...], str, tuple[Mention, ...]]:
        """The best reading of the question put otherwise, its readings, text and names; the same where it is
        not understood so either. One that was understood is put otherwise only with a name of several
        words."""
        bare = () if mentions else self.kb.linker.bare(text)[:_BARE]
        long = [(start, end) for start, end in bare if " " in text[start:end]]
        for plain in plainer(text, mentions, bare) if chosen is None else quoted(text, long):
            named = self.link(plain)
            readings = self.readings(plain, named) if named else ()
            found = self.chooser.best(readings, plain, named)
            if found is not None and found.told:
                return found, readings, plain, named
        return chosen, parses, text, mentions

    def _read(self, question: str) -> Chosen | None:
        """The best reading of a question."""
        return self._best(*self._in_full(question, self.link(question)))

    def _read_bounded(self, question: str) -> Chosen | None:
        """As `_read`, with its dates."""
        said, named = self._in_full(question, self.link(question))
        return self._comparisons.bounded(self._best(said, named), said, named)

    def _read_then(self, question: str) -> Chosen | None:
        """What was so when something else was."""
        return self.moments.then(*self._in_full(question, self.link(question)))

    def _read_next_to(self, question: str) -> Chosen | None:
        """Who came before or after someone."""
        return self._succession.next_to(*self._in_full(question, self.link(question)))

    def _read_narrowed(self, question: str, ever: bool = False) -> Chosen | None:
        """As `_read`, with what it leaves out. `ever`: whenever it was so."""
        said, named = self._in_full(question, self.link(question))
        found = self._best(said, named)
        return None if found is None else self._narrowed(found, said, named, ever)

    def _read_whole(self, question: str) -> Chosen | None:
        """As `_read_narrowed`, with its dates and without what the question doesn't say."""
        said, named = self._in_full(question, self.link(question))
        found = self._comparisons.bounded(self._best(said, named), said, named)
        if found is None:
            return None
        return self._dating.dated(self._narrowed(self._as_asked(found, said, named), said, named), said)

    def _best(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        return self.chooser.best(self.readings(text, mentions), text, mentions)

    def _as_asked(self, chosen: Chosen, text: str, mentions: Sequence[Mention]) -> Chosen:
        """The reading without what the question doesn't say."""
        run = self.chooser.run
        chosen = picked_as_said(chosen, text, run)
        chosen = divisions_as_said(chosen, text, self.chooser.nouns.kinds, run)
        chosen = vice_as_said(chosen, text, run)
        chosen = level_as_said(chosen, text, self.chooser.nouns.kinds, run)
        chosen = capitals_as_said(chosen, text, run)
        chosen = waters_as_said(chosen, text, run)
        plain = without_idle(without_repeat(chosen, run), run)
        plain = oftenest_as_said(plain, text, run, lambda c: self._narrowed(c, text, mentions))
        plain = shared_as_said(without_union(without_unsaid(plain, text, run), text, run), text, run)
        is_asked, named = self.chooser.is_asked(text, mentions), self.chooser.named(text, mentions)
        plain = of_asked_sort(plain, run, is_asked, named)
        plain = by_date(who_as_said(plain, text, run, self.kb.lexicon.wordings), run)
        plain = kin_as_said(plain, text, run, self._genders)
        plain = kin_of_kin_as_said(plain, text, run, self._genders)
        plain = related_as_said(plain, text, run)
        plain = compared_as_said(measured_as_said(plain, text, run), text, run)
        plain = influence_as_said(school_as_said(plain, text, run), text, run)
        plain = of_each(at_once(occasion_as_said(plain, text, run), run), text, run)
        plain = formerly_as_said(with_team_then(of_own_time(plain, run), text, run), text, mentions, run)
        plain = begun_as_said(dated_as_said(plain, text, run, self.kb.paths.predicates), text, run)
        plain = all_as_said(lasted_as_said(plain, text, run), text, self.kb.now, run)
        plain = language_as_said(value_as_said(tongue_as_said(plain, text, run), text, run), text, run)
        plain = first_as_said(plain, text, self.kb.now, run)
        return main_religion(most_as_said(plain, text, mentions, run), text, run)

    @cached_property
    def _genders(self) -> Mapping[str, Iri]:
        concepts = self.chooser.nouns.concepts
        return {name: e.iri for name in ("male", "female") for e in concepts.get(name, ())[:1]}

    def _counted(
        self, chosen: Chosen, parses: Sequence[Parse], text: str, mentions: Sequence[Mention]
    ) -> Chosen:
        """The reading that counts, or says yes or no, where that is asked for."""
        run = self.chooser.run
        counted = honours_counted(counted_as_asked(chosen, text, run), text, run)
        return answered_so(counted, parses, text, mentions, run)

    def _narrowed(self, chosen: Chosen, text: str, mentions: Sequence[Mention], ever: bool = False) -> Chosen:
        return self._narrower.narrowed(self.chooser.lifted(chosen, text, mentions), text, mentions, ever=ever)

    def _fitted_step(self, step: Step) -> Step:
        """A step as the data can answer it: of the type that is meant, by a path that has words."""
        return sorted_by_kind(self._worded.step(self._typed.step(step)))

    def _by_rule(self, parse: Parse) -> bool:
        """Whether a reading of a question over an own graph leaves none of its words over."""
        return self.kb.own and parse.logprob == 0.0

    def fitted(self, parse: Parse) -> Parse:
        """A reading as the data can answer it."""
        if not self.kb.own:
            parse = with_winners(reread(parse, self._fitted_step))
        return self.returning.apart(checkable(as_of(parse, self.kb.now), self.kb.paths.predicates))


def _is_joined(chosen: Chosen) -> bool:
    return any(isinstance(step, Merge) for step in chosen.parse.decomposition.steps)


def _lacks(chosen: Chosen, mentions: Sequence[Mention]) -> tuple[bool, int]:
    """Whether a reading has no answer, and how many things that the question names it leaves out."""
    return not chosen.told, unused(mentions, chosen.parse.decomposition)
