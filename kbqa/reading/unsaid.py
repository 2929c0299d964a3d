"""What a reading says and its question does not: 'wives of Henry VIII' read as the last one, 'who joined
Fleetwood Mac after 1974' read as those who died after, 'how many mountains' read as which, 'the longest film'
read as the first, 'which musicians play guitar' read as what they play."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from kbqa.answers import collect
from kbqa.dialogue import Parse
from kbqa.errors import FeedbackError
from kbqa.lexicon.measures import MEASURES
from kbqa.lexicon.nouns import INSTANCES
from kbqa.measuring import LATEST, measured, named_measures
from kbqa.reading.choosing import Chosen, first_told, instead, reading, told
from kbqa.reading.periods import POINTS, at_end, period_of, throughout
from kbqa.reading.ranking import DATES
from kbqa.rewire import deleted
from kbqa.templates.phrases import mediator_type, span_of
from kbqa.types import (
    Constant,
    Count,
    Exists,
    Find,
    Hop,
    Iri,
    Keep,
    Kind,
    Literal,
    Merge,
    Oftenest,
    Path,
    Pick,
    Ref,
    Restriction,
    Step,
    Than,
    freebase,
    reverse,
)

Steps = tuple[Step, ...]
_HOW_MANY = re.compile(
    r"\W*(?:how many|(?:the )?(?:total )?number of|count(?: of)?(?: the)?)\b", re.IGNORECASE
)
_JOINED = re.compile(
    r"(?<!['’])\b(?:or|and|either|both|nor|plus|versus|vs|as well|all)\b|[,;/&]", re.IGNORECASE
)
_SHARED = re.compile(r"\bshared?\b|\bin common\b", re.IGNORECASE)
_WITH_BOTH = re.compile(r"\bboth\b.+\band\b", re.IGNORECASE)
_LEFT = re.compile(r"\b(?:left|leave|leaving|quit|departed|resigned|retired)\b", re.IGNORECASE)
"""Said of the end of what ties things together."""
_BEGAN = re.compile(
    r"\b(?:join(?:s|ed)?|bec[ao]me|took (?:over|office|power)|came to power|assumed"
    r"|marr(?:y|ied)(?! to\b)|wed)\b",
    re.IGNORECASE,
)
"""Said of its beginning."""
_FROM_TO = re.compile(
    r"\b(?:from|between)\s+(?:the\s+)?[12]\d{3}s?\s*(?:to|and|till|until|through|[-–])|\b[12]\d{3}\s*[-–]\s*[12]\d{3}\b",
    re.IGNORECASE,
)
_HELD_IN = re.compile(
    r"\b(?:president|minister|chancellor|king|queen|monarch|emperor|empress|tsar|czar|pope|governor|mayor|premier"
    r"|senator|leader|head of (?:state|government)|office|power|throne)s?\b[^,?!]*?"
    r"\b(?:in|during|throughout)\s+(?:the\s+(?:year\s+)?)?[12]\d{3}s?\b",
    re.IGNORECASE,
)
"""Someone who was in office in a year may have taken it before."""
_BEGUN = re.compile(
    r"\b(?:join(?:s|ed)?|bec[ao]me|took|came|assumed|marr(?:y|ied)|wed|elected|inaugurated|appointed|started|beg[au]n"
    r"|hired|signed|entered|left|leave|quit|resigned|ended)\b",
    re.IGNORECASE,
)
_ELECTED = re.compile(r"\belected\b", re.IGNORECASE)
"""Said of what begins after it, in the year of it or at the beginning of the next one."""
_SAID = re.compile(
    r"\b(?:first|last|latest|final\w*|initial\w*|original\w*|most|least|best|worst|top|second|third|fourth"
    r"|\d+(?:st|nd|rd|th)|recent\w*|current\w*|now|nowadays|today|present\w*|start\w*|beg[aiu]n\w*|became|become|ever"
    r"|new|old|long ago|debut\w*|max\w*|min\w*|\w{2,}est)\b",
    re.IGNORECASE,
)
"""Words that may ask for the first or the largest of several."""
_WHEN = re.compile(
    r"\b(?:first|last|latest|earliest|recent\w*|new\w*|old\w*|young\w*|ago|debut\w*|when|year|date)\b",
    re.IGNORECASE,
)
"""Words that ask for the first or the last."""
_WHO = re.compile(
    r"\A\W*(?:who|which of the (?:people|men|women|members))\b(?!.*\b(?:when|year)\b)", re.IGNORECASE
)
_THE_MOST = re.compile(
    r"\b(?:w[oi]n|ha[sd]|have|with|received|directed|wrote|written|produced|starred in|appeared in"
    r"|acted in|made|hosted|played in|scored|composed|founded|recorded|released|got|earned)\s+the\s+most\s+"
    r"(?!recent|popul|famous|important|expens|success)(?:[\w'-]+\s+){0,3}[\w'-]+s\b"
    r"|\bmost\s+(?:often|times|frequently)\b"
    r"|\b(?:won|hosted|played in|lost|win|host|been to)\b.*\bthe\s+most\W*\Z",
    re.IGNORECASE,
)
"""'has won the most Super Bowls': of things, not of a sort of people or a measure."""
_VALUE_OF = re.compile(
    r"\W*(?:(?:what|which)(?:'s|s| is| was| are)?\s+|tell me\s+|give me\s+)?"
    r"(?:the\s+)?(?:total\s+|current\s+)?"
    rf"(?P<noun>{'|'.join(sorted({re.escape(m.noun) for m in MEASURES}))})\s+of\b",
    re.IGNORECASE,
)
_WHICH_LANGUAGE = re.compile(r"\b(?:what|which)\s+languages?\b", re.IGNORECASE)
_WORKS = (
    (Hop(freebase("book.author.works_written")),),
    (Hop(freebase("book.written_work.author"), True),),
)
_LANGUAGE = freebase("book.written_work.original_language")
_WHICH_OF_TWO = re.compile(
    r"\W*(?:who|which|what)(?:\s+one)?\s+(?P<words>(?:is|was|has|had|did|does|came|lived|died|opened|started|weighs)\b"
    r"[^,:]*?(?:er|more|less|first|last)\b[^,:]*)[,:].*\bor\b",
    re.IGNORECASE | re.DOTALL,
)
"""'Who is older, ... or ...': the words before what it is one of."""
_LOOKED_AT = 500
"""So many answers are looked through for what is named."""
_LIVED = {
    "people.person.date_of_birth": re.compile(
        r"\b(?:born|birth\w*|old\w*|young\w*|eldest|elder|senior|junior|aged?)\b", re.IGNORECASE
    ),
    "people.deceased_person.date_of_death": re.compile(
        r"\b(?:die[ds]?|dead|deaths?|dying|passed|killed|late|murdered|assassinated|alive|lived?|perished)\b",
        re.IGNORECASE,
    ),
    "government.government_position_held.from": re.compile(
        r"\b(?:office|president\w*|minister|premier|chancellor|govern\w*|elected|inaugurat\w*|terms?|serv\w+|rul\w+"
        r"|reign\w*|king|queen|monarch|emperor|head|lead\w*|led|took|became|become|power|mayor|secretary|senator)\b",
        re.IGNORECASE,
    ),
    "film.film.initial_release_date": re.compile(
        r"\b(?:releas\w*|came out|come out|premier\w*|from|made|making|directed|shot|filmed|produced|old\w*"
        r"|new\w*|first|last|latest|earliest|recent\w*|date|acted|starred|in)\b",
        re.IGNORECASE,
    ),
    "music.artist.active_start": re.compile(
        r"\b(?:activ\w*|careers?|form\w*|start\w*|beg[aiu]n\w*|around|performing)\b", re.IGNORECASE
    ),
    "location.dated_location.date_founded": re.compile(
        r"\b(?:found\w*|establish\w*|independen\w*|old\w*|new\w*|young\w*|creat\w*|formed|became|become|born"
        r"|admitted|admission|statehood|union|exist\w*|beg[aiu]n\w*|start\w*|states?|set up)\b",
        re.IGNORECASE,
    ),
    "sports.sports_team.founded": re.compile(
        r"\b(?:found\w*|establish\w*|start\w*|old\w*|new\w*|young\w*|set up|creat\w*|beg[aiu]n\w*|formed"
        r"|around)\b",
        re.IGNORECASE,
    ),
}
"""Dates that are meant only where one of these words is said: otherwise when something was so is meant, when
somebody won, joined or played for it."""


def without_unsaid(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading without what takes the first or largest of its answers, where no word of the question asks
    for that; the same where one does, or nothing would be told. The latest of dated figures stays."""
    if not chosen.told or _SAID.search(text):
        return chosen
    steps = chosen.parse.decomposition.steps
    for number in range(len(steps), 0, -1):
        step = steps[number - 1]
        if isinstance(step, Pick) and step.path not in LATEST.values():
            try:
                steps = deleted(steps, number)
            except FeedbackError:
                return chosen
    found = told(run, steps) if steps != chosen.parse.decomposition.steps else None
    return instead(chosen, found)


def without_repeat(chosen: Chosen, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading without a last step that asks the one before it again, without its conditions; the same
    where there is none."""
    match chosen.parse.decomposition.steps:
        case (*before, Find(Iri() as entity, path, kept), Find(again, same, ())) if kept:
            if (again, same) == (entity, path):
                found = told(run, (*before, Find(entity, path, kept)))
                return instead(chosen, found)
    return chosen


def without_idle(chosen: Chosen, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading without a last step that keeps those of a sort which all of them are."""
    match chosen.parse.decomposition.steps:
        case (*before, Keep(Ref(source), Iri(), path, ())) if source == len(before) and path in INSTANCES:
            found = told(run, tuple(before))
            rows = found.rows if found is not None else None
            idle = rows and chosen.rows and len(collect(rows)) == len(collect(chosen.rows))
            return replace(found, left_out=chosen.left_out) if found is not None and idle else chosen
    return chosen


def without_union(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading without what it joins to its answers, where no word of the question joins anything:
    'besides politics' asks for no politicians. The same where nothing is joined, or would be told."""
    steps = chosen.parse.decomposition.steps
    if not steps or not isinstance(steps[-1], Merge) or _JOINED.search(text):
        return chosen
    found = told(run, steps[: steps[-1].sources[0].step])
    return instead(chosen, found)


def shared_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with what both of two steps find where the question asks for what is shared or has both,
    be it nothing, and the reading takes what either finds. The same otherwise."""
    with_both = _WITH_BOTH.search(text) is not None
    match chosen.parse.decomposition.steps:
        case (*before, Find(anchor, path, kept), Merge((one, other))) if with_both or _SHARED.search(text):
            if other.step == len(before) + 1 and path:
                found = run(reading((*before, Keep(one, anchor, path, kept))))
                if found is not None and (found.told or with_both):
                    return replace(found, left_out=chosen.left_out)
    return chosen


def counted_as_asked(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with its things counted, where the question begins with 'how many'; the same where it is a
    figure, or counted."""
    steps = chosen.parse.decomposition.steps
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    if not _HOW_MANY.match(text) or not answers or not all(isinstance(a, Iri) for a in answers):
        return chosen
    found = told(run, (*steps, Count(Ref(len(steps)))))
    return instead(chosen, found)


def dated_as_said(
    chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None], predicates: Collection[Iri]
) -> Chosen:
    """The reading with a date of birth, death or foundation of which the question says nothing taken as the
    date of what ties things together: 'the latest winner' is no youngest one. The same where nothing is told
    of such a date. `predicates`: those that occur."""
    for number, step in enumerate(chosen.parse.decomposition.steps, 1):
        for steps in _otherwise(chosen.parse.decomposition.steps, number, step, text, predicates):
            found = told(run, steps)
            if found is not None:
                return replace(found, left_out=chosen.left_out)
    return chosen


def measured_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with the first or last of its answers, by date or alphabet, taken as the longest or
    largest, where the question says such a word and none of time, and they have such a value. The same
    otherwise."""
    steps = chosen.parse.decomposition.steps
    if not steps or _WHEN.search(text):
        return chosen
    match steps[-1]:
        case Pick(Ref(source), "answer", path, _, Kind.DATE | Kind.STRING as kind) as pick:
            if kind is Kind.STRING and path:
                return chosen
            for measure, descending in measured(text.lower()):
                if measure.kind is Kind.NUMBER:
                    largest = replace(pick, path=measure.path, descending=descending, kind=measure.kind)
                    has = Keep(Ref(source), None, (), (Restriction("answer", measure.path, (Exists(),)),))
                    found = told(run, (*steps[:-1], largest)) if told(run, (*steps[:-1], has)) else None
                    if found is not None:
                        return replace(found, left_out=chosen.left_out)
        case Pick(Ref(source), "answer", path, _, Kind.NUMBER) as pick:
            said = named_measures(text.lower())
            if said and all(measure.path != path for measure in said):
                largest = replace(pick, path=said[0].path)
                found = told(run, (*steps[:-1], largest))
                return chosen if found is None else replace(found, left_out=chosen.left_out)
    return chosen


def by_date(chosen: Chosen, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with the first or last of dates taken by their order, not by the alphabet."""
    match chosen.parse.decomposition.steps, collect(chosen.rows) if chosen.rows is not None else ():
        case (*before, Pick(_, "answer", (), _, Kind.STRING) as pick), (Literal(_, datatype), *_):
            found = told(run, (*before, replace(pick, kind=Kind.DATE))) if datatype in DATES else None
            return instead(chosen, found)
    return chosen


def value_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading that stops at things with the value of theirs that is asked for: 'the population of the
    country where Shakira was born'. The same where it has it, or they have no such value."""
    asked = _VALUE_OF.match(text)
    steps = chosen.parse.decomposition.steps
    answers = collect(chosen.rows) if chosen.rows is not None else ()
    if asked is None or not answers or not all(isinstance(a, Iri) for a in answers):
        return chosen
    for measure in MEASURES:
        if measure.noun == asked["noun"].lower():
            found = told(run, (*steps, Find(Ref(len(steps)), measure.path)))
            if found is not None:
                return replace(found, left_out=chosen.left_out)
    return chosen


def language_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading that stops at what somebody wrote with the languages of that, where a language is asked
    for: 'What language did Kafka write in?' The same otherwise."""
    steps = chosen.parse.decomposition.steps
    last = steps[-1] if steps else None
    if not isinstance(last, Find) or not _WHICH_LANGUAGE.search(text) or last.path not in _WORKS:
        return chosen
    found = told(run, (*steps, Find(Ref(len(steps)), (Hop(_LANGUAGE),))))
    return instead(chosen, found)


def oftenest_as_said(
    chosen: Chosen,
    text: str,
    run: Callable[[Parse], Chosen | None],
    narrowed: Callable[[Chosen], Chosen],
) -> Chosen:
    """The reading with those of its answers that are found most often, where the question asks who has 'the
    most' of something, and none of the first or last that the reading takes instead. The same where it asks
    for no such thing, or nothing is told. `narrowed`: a reading with what it leaves out ('countries')."""
    steps = chosen.parse.decomposition.steps
    if not _THE_MOST.search(text) or any(isinstance(s, Oftenest) for s in steps):
        return chosen
    for number in range(len(steps), 0, -1):
        step = steps[number - 1]
        if isinstance(step, Pick) and (step.kind is Kind.DATE or step.site == "mediator"):
            try:
                steps = deleted(steps, number)
            except FeedbackError:
                return chosen
    steps = _at_once(steps, run)
    if not isinstance(steps[-1], Find | Keep):
        return chosen
    every = told(run, steps)
    every = narrowed(every) if every is not None else None
    steps = every.parse.decomposition.steps if every is not None else steps
    found = told(run, (*steps, Oftenest(Ref(len(steps)))))
    if found is None or every is None or found.rows is None or every.rows is None:
        return chosen
    fewer = len(collect(found.rows)) < len(collect(every.rows))
    return replace(found, left_out=chosen.left_out) if fewer else chosen


def _at_once(steps: Steps, run: Callable[[Parse], Chosen | None]) -> Steps:
    """The steps as one where the last one alone finds the same: 'the winners of Oscars who won one for best
    director', of whom each Oscar would count."""
    match steps:
        case (_, *_, Keep(_, Iri() as anchor, path, kept)) if mediator_type(path) is not None:
            alone: Steps = (Find(anchor, path, kept),)
            whole, found = told(run, steps), told(run, alone)
            if whole and found and whole.rows and found.rows:
                return alone if set(collect(whole.rows)) == set(collect(found.rows)) else steps
    return steps


def compared_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading of two things that are described with the one that is more, where the question asks which:
    'Who is older, the actor who played Kramer or the actress who played Elaine?' The same otherwise."""
    steps = chosen.parse.decomposition.steps
    asked = _WHICH_OF_TWO.match(text)
    if asked is None or not steps or not isinstance(steps[-1], Merge):
        return chosen
    for measure, descending in measured(f" {asked['words'].lower()} "):
        pick = Pick(Ref(len(steps)), "answer", measure.path, descending, measure.kind)
        has = Keep(Ref(len(steps)), restrictions=(Restriction("answer", measure.path, (Exists(),)),))
        found = told(run, (*steps, pick)) if told(run, (*steps, has)) is not None else None
        if found is not None:
            return replace(found, left_out=chosen.left_out)
    return chosen


def ranked(chosen: Chosen, offset: int, limit: int, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with so many from that place of its order instead of the first, the last of several; the
    same where it takes no first, or nothing stands there."""
    steps = chosen.parse.decomposition.steps
    for number in range(len(steps), 0, -1) if (offset, limit) != (0, 1) else ():
        step = steps[number - 1]
        if isinstance(step, Pick):
            found = told(
                run, (*steps[: number - 1], replace(step, offset=offset, limit=limit), *steps[number:])
            )
            return instead(chosen, found)
    return chosen


def of_asked_sort(
    chosen: Chosen,
    run: Callable[[Parse], Chosen | None],
    is_asked: Callable[[Find | Keep, Sequence[Constant]], bool | None],
    named: Callable[[Sequence[Constant]], Sequence[Iri]],
) -> Chosen:
    """The reading that goes on to something of another sort than the question asks for ('Which musicians
    from Seattle play guitar?') with the things before it that have what is named, or have any. The same where
    its answers are of that sort, or those before are not. `is_asked`: whether a step with these answers finds
    what the question asks for; `named`: which of the answers it names."""
    steps = chosen.parse.decomposition.steps
    at = next((i for i in range(len(steps), 1, -1) if not isinstance(steps[i - 1], Keep)), 0)
    if at < 2 or chosen.rows is None:
        return chosen
    before, went, kept = steps[at - 2], steps[at - 1], steps[at:]
    if not isinstance(before, Find | Keep) or not isinstance(went, Find) or not went.path:
        return chosen
    on = all(isinstance(s, Keep) and s.source == Ref(i) for i, s in enumerate(kept, at))
    if went.anchor != Ref(at - 1) or not on:
        return chosen
    answers = collect(chosen.rows)[:_LOOKED_AT]
    earlier = told(run, steps[: at - 1]) if is_asked(went, answers) is False else None
    if earlier is None or earlier.rows is None or not is_asked(before, collect(earlier.rows)):
        return chosen
    source, back = Ref(at - 1), reverse(went.path)
    ways: list[Steps] = []
    if kept:
        ways = [(*steps, Keep(source, Ref(len(steps)), back))]
    else:
        ways = [(*steps[:-1], Keep(source, thing, back, went.restrictions)) for thing in named(answers)]
    if not ways and not went.restrictions:
        any_at_all = Restriction("answer", went.path, (Exists(),))
        ways = [(*steps[:-1], Keep(source, restrictions=(any_at_all,)))]
    found = first_told(run, ways)
    if found is None or found.rows is None:
        return chosen
    idle = len(collect(found.rows)) == len(collect(earlier.rows))
    return replace(earlier if idle else found, left_out=chosen.left_out)


def who_as_said(
    chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None], paths: Collection[Path]
) -> Chosen:
    """The reading that asks when something became so with the people it became so of, where the question asks
    who: 'Who joined the Rolling Stones after 1970?' The same otherwise. `paths`: those that have words."""
    steps = chosen.parse.decomposition.steps
    if not steps or chosen.rows is None or not _WHO.search(text):
        return chosen
    last = steps[-1]
    if not isinstance(last, Find) or mediator_type(last.path) is None:
        return chosen
    if not all(isinstance(a, Literal) for a in collect(chosen.rows)):
        return chosen
    for path in sorted(p for p in paths if p[:-1] == last.path[:-1] and not _is_date(p)):
        found = told(run, (*steps[:-1], replace(last, path=path, restrictions=_begun(last))))
        rows = found.rows if found is not None else None
        if found is not None and rows is not None and all(isinstance(a, Iri) for a in collect(rows)):
            return replace(found, left_out=chosen.left_out)
    return chosen


def begun_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with what began or ended in a period, where the question says so and the reading takes what
    lasted then: 'Who left Pink Floyd in 1985?' asks for no one who stayed. The same otherwise."""
    elected = _ELECTED.search(text) is not None
    said = (elected or bool(_BEGAN.search(text)), bool(_LEFT.search(text)))
    steps = chosen.parse.decomposition.steps
    lasting = [i for i, step in enumerate(steps) if isinstance(step, Find | Keep) and period_of(step)]
    if said not in ((True, False), (False, True)) or len(lasting) != 1:
        return chosen
    at = lasting[0]
    asked = at_end(steps[at], said.index(True), elected)
    found = told(run, (*steps[:at], asked, *steps[at + 1 :]))
    return instead(chosen, found)


def lasted_as_said(chosen: Chosen, text: str, run: Callable[[Parse], Chosen | None]) -> Chosen:
    """The reading with what lasted at some time of a period, 'presidents from 1960 to 1970' and 'king in
    1500', where it takes what began then and no word of the question says so. The same otherwise."""
    steps = chosen.parse.decomposition.steps
    whole = tuple(throughout(step) for step in steps)
    lasted = _FROM_TO.search(text) or _HELD_IN.search(text)
    if whole == steps or not lasted or _BEGUN.search(text):
        return chosen
    found = told(run, whole)
    return instead(chosen, found)


def _begun(step: Find) -> tuple[Restriction, ...]:
    """The conditions of a step that asks when something began: 'in 1975' says when it did."""
    period = period_of(step)
    asked = at_end(step, 0) if period is not None and step.path[-1] == period[0][0] else step
    return asked.restrictions if isinstance(asked, Find) else ()


def _is_date(path: Path) -> bool:
    """Whether the path's last predicate has a first or last day of what it is found by."""
    return path[-1].predicate in (span_of(mediator_type(path)) or ())


def _otherwise(
    steps: Steps, number: int, step: Step, text: str, predicates: Collection[Iri]
) -> Iterator[Steps]:
    match step:
        case Pick(Ref(source), "answer", path, _, Kind.DATE) if _is_unsaid(path, text):
            for hop in _tying(steps[source - 1], text, predicates):
                yield (*steps[: number - 1], replace(step, site="mediator", path=(hop,)), *steps[number:])
        case Keep(Ref(source), None, (), (Restriction("answer", path, tests),)) if _is_unsaid(path, text):
            for at in _line_back(steps, source) if all(isinstance(t, Than) for t in tests) else ():
                tied = steps[at - 1]
                if not isinstance(tied, Find | Keep):
                    continue
                for hop in _tying(tied, text, predicates):
                    when = Restriction("mediator", (hop,), tests)
                    dated = replace(tied, restrictions=(*tied.restrictions, when))
                    try:
                        yield deleted((*steps[: at - 1], dated, *steps[at:]), number)
                    except FeedbackError:
                        continue


def _line_back(steps: Steps, number: int) -> Iterator[int]:
    """The step and those before it that it keeps some answers of, the last first."""
    yield number
    step = steps[number - 1]
    if isinstance(step, Keep):
        yield from _line_back(steps, step.source.step)


def _is_unsaid(path: Path, text: str) -> bool:
    """Whether a path ends in a date that no word of the question speaks of, or beyond a node in between that
    has a date, in no date at all."""
    kind = mediator_type(path)
    dates = {*(freebase(f"{kind}.{point}") for point in POINTS), *(span_of(kind) or ())}
    if span_of(kind) is not None and path[-1].predicate not in dates and not path[-1].inverse:
        return True
    return any(
        path[-1:] == (Hop(freebase(predicate)),) and not words.search(text)
        for predicate, words in _LIVED.items()
    )


def _tying(step: Step, text: str, predicates: Collection[Iri]) -> Iterator[Hop]:
    """Ways from the node in between, which ties what a step finds to what it is found by, to its date."""
    kind = mediator_type(step.path) if isinstance(step, Find | Keep) else None
    first, last = span_of(kind) or (None, None)
    ends = last if _LEFT.search(text) else first
    for predicate in (*(freebase(f"{kind}.{point}") for point in POINTS), *((ends,) if ends else ())):
        if kind is not None and predicate in predicates:
            yield Hop(predicate)
