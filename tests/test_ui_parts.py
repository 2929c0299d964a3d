"""What the chat page is made of: HTML, drawings, tables, what has changed. No Streamlit session."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("streamlit", reason="Streamlit is not installed (extra `ui`)")

import changes
import drawing
import feedback
import glance
import show
import sources
import steps
import table
import trouble
from graph import Input, nodes, path_words
from pages import CAPITAL, EMPTY, NS, SCRIPT, TINY, TWO_STEPS, engine_over, plain

from kbqa import examples
from kbqa.answers import show as shown
from kbqa.dialogue import SubQuestion
from kbqa.engine import Engine
from kbqa.errors import (
    InputError,
    KbqaError,
    KnowledgeBaseError,
    ModelError,
    RecordsError,
    StoreError,
    StoreTimeout,
    StoreUnavailable,
)
from kbqa.feedback import Delete, Edit, Insert, Link, Replace
from kbqa.protocols import Candidate, Mention
from kbqa.scripted import parse_of
from kbqa.sparql import parse, render
from kbqa.types import (
    Answer,
    Constant,
    Decomposition,
    Exists,
    Find,
    Hop,
    Iri,
    Is,
    Literal,
    Many,
    Restriction,
    freebase,
)

SVG = "{http://www.w3.org/2000/svg}"
EGYPT = freebase("m.02k54")
CAPITAL_OF = freebase("location.country.capital")
FOUNDED = freebase("location.dated_location.date_founded")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBQA_CACHE", str(tmp_path_factory.mktemp("cache")))
        with engine_over(str(TINY)) as opened:
            yield opened


def name(engine: Engine, value: Constant) -> str:
    return engine.kb.names.show(value) if isinstance(value, Iri) else shown(value)


# --- text -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("confidence", "said"), [(0.3, "not at all sure"), (0.7, "not quite sure"), (0.85, ""), (0.95, "")]
)
def test_low_confidence_is_a_word(confidence: float, said: str) -> None:
    assert said in show.doubt(confidence) and bool(said) == bool(show.doubt(confidence))


@pytest.mark.parametrize(
    "error",
    [
        kind("the file books.ttl is broken")
        for kind in (
            KbqaError,
            KnowledgeBaseError,
            ModelError,
            RecordsError,
            StoreError,
            StoreTimeout,
            StoreUnavailable,
        )
    ]
    + [InputError("the question is empty: ask one")],
)
def test_errors_are_sentences(error: KbqaError) -> None:
    said = trouble.explained(error)
    assert said.startswith("The ") and said.endswith(".") and ".." not in said


def test_a_file_name_keeps_its_letters_at_the_start_of_a_sentence() -> None:
    assert show.sentence("books.ttl, line 3: no") == "books.ttl, line 3: no."
    assert show.sentence("nothing was found") == "Nothing was found."


def test_markdown_escapes_every_mark() -> None:
    said = show.markdown("$x$ *y* :red[z] <b> -> a_b")
    assert plain(said) == "$x$ *y* :red[z] <b> -> a_b"
    assert not re.search(r"(?<!\\)[$*:<>\[\]_-]", said)


@pytest.mark.parametrize(
    "query",
    [
        *SCRIPT.values(),
        f'SELECT ?x WHERE {{ ?x <{NS}type.object.name> "<{NS}m.0> \\" {{" . ?x <urn:b> <{NS}m.0.> }}',
        "SELECT ?x WHERE { { ?x <http://a.example/b> 1 } UNION { ?x <http://a.example/c> 2 } }",
    ],
)
def test_sparql_is_shown_readably_and_means_the_same(query: str) -> None:
    written = render(parse(query))
    said = glance.sparql(written)
    assert parse(said) == parse(written)
    assert all(line.startswith(("PREFIX", "SELECT", "  ", "}")) for line in said.splitlines())


def test_right_to_left_names_keep_their_direction() -> None:
    assert show.text("القاهرة") == "<bdi>القاهرة</bdi>"


# --- what has changed --------------------------------------------------------------------


def test_an_edited_step_is_changed_and_its_new_words_are_marked(engine: Engine) -> None:
    before = engine.ask(TWO_STEPS)
    after = engine.advance(before, Edit(2, "What is the calling code of that country?"))
    assert before.current and after.current
    seen = changes.compare(after.current, before.current)
    assert seen.gone == () and set(seen.steps) == {2}
    assert seen.steps[2] == changes.Change("changed", "What is the official language of that country?")
    marked = changes.new_words(after.current.steps[1].shown, seen.steps[2].was)
    assert [word for word, new in marked if new] == ["calling", "code"]


def test_a_deleted_step_is_gone(engine: Engine) -> None:
    before = engine.ask(TWO_STEPS)
    after = engine.advance(before, Delete(2))
    assert before.current and after.current
    seen = changes.compare(after.current, before.current)
    assert seen == changes.Changes({}, ("What is the official language of that country?",))


def test_a_step_that_is_only_worded_after_another_one_is_not_gone(engine: Engine) -> None:
    before = engine.ask(TWO_STEPS)
    after = engine.advance(before, Replace(1, "What is the place that borders [Sudan]?"))
    assert before.current and after.current
    assert after.current.steps[1].template != before.current.steps[1].template
    seen = changes.compare(after.current, before.current)
    assert seen.gone == () and seen.steps[1].was == before.current.steps[0].shown


def test_words_that_hardly_agree_are_not_marked_one_by_one() -> None:
    assert not any(new for _, new in changes.new_words("Who directed Big?", "What is the capital of Egypt?"))


def test_the_lineage_leaves_out_what_was_undone(engine: Engine) -> None:
    from kbqa.feedback import Undo

    dialogue = engine.advance(engine.ask(TWO_STEPS), Delete(2))
    dialogue = engine.advance(engine.advance(dialogue, Undo()), Delete(1))
    assert changes.lineage(dialogue) == [1, 3]


def test_feedback_in_words(engine: Engine) -> None:
    version = engine.ask(TWO_STEPS).current
    assert version is not None
    assert changes.in_words(Insert(3, "Who?"), version) == "At the end, ask: Who?"
    assert changes.in_words(Insert(1, "Who?"), version) == "Before step 1, ask: Who?"
    assert changes.in_words(Delete(9), version) == "Leave out step 9"
    assert changes.in_words(Link("urn:x/a", "urn:x/b"), version) == "I mean b, not a"


def candidate(entity: str, label: str, *types: str) -> Candidate:
    return Candidate(freebase(entity), label, label, 1.0, tuple(freebase(t) for t in types))


def test_namesakes_are_told_apart_by_kind_and_at_last_by_id() -> None:
    country = candidate("m.a", "Georgia", "common.topic", "government.jurisdiction", "location.country")
    state = candidate("m.b", "Georgia", "government.jurisdiction", "location.us_state")
    twin = candidate("m.c", "Georgia", "location.us_state")
    assert changes.called(country, [country, state]) == "Georgia (country)"
    assert changes.called(state, [country, state]) == "Georgia (US state)"
    assert changes.called(twin, [state, twin]) == "Georgia (m.c)"
    assert changes.called(candidate("m.d", "Georgia"), [state]) == "Georgia (m.d)"


def test_a_kind_that_says_more_comes_first() -> None:
    hanks = candidate("m.a", "Tom Hanks", "award.award_winner", "common.topic", "film.actor")
    assert changes.called(hanks, [hanks]) == "Tom Hanks (actor)"
    beer = candidate("m.a", "Germany", "food.beer_country_region", "location.country")
    assert changes.called(beer, [beer]) == "Germany (country)"
    gump = candidate("m.a", "Forrest Gump", "award.award_winning_work", "film.film")
    assert changes.called(gump, [gump]) == "Forrest Gump (film)"
    assert changes.called(candidate("m.a", "X", "award.award_winner"), []) == "X (award winner)"
    assert changes.called(candidate("m.a", "X", "common.topic"), []) == "X"


def test_a_name_has_rivals_where_another_meaning_is_likely_or_has_the_very_name() -> None:
    taken, far = candidate("m.a", "Georgia"), replace(candidate("m.b", "Georgia Tech"), score=0.5)
    assert not steps.has_rivals(Mention(0, 7, "Georgia", (taken, far)))
    assert steps.has_rivals(Mention(0, 7, "Georgia", (taken, replace(far, score=0.95))))
    assert steps.has_rivals(Mention(0, 7, "Georgia", (taken, replace(far, label="Georgia"))))


def test_a_kind_is_named_in_words() -> None:
    own = replace(candidate("m.a", "Ada"), types=(Iri("http://example.org/ns#Person"),))
    assert changes.called(own, [own]) == "Ada (Person)"
    assert changes.called(candidate("m.a", "Ada", "location.us_state"), []) == "Ada (US state)"
    of_germany = candidate("m.a", "Bavaria", "location.administrative_division", "location.de_state")
    assert changes.called(of_germany, []) == "Bavaria (German state)"


def test_meanings_that_are_far_off_are_not_offered() -> None:
    taken, near, far, same = (
        candidate(f"m.{n}", label) for n, label in enumerate("Bavaria Bav Malaria Bavaria".split())
    )
    mention = Mention(
        0, 7, "Bavaria", (taken, replace(near, score=0.7), replace(far, score=0.5), replace(same, score=0.4))
    )
    assert [c.entity for c in steps.meanings(mention)] == [near.entity, same.entity]


def test_offers_that_find_the_same_stand_behind_one_another(engine: Engine) -> None:
    version = engine.ask(EMPTY).current
    assert version is not None and version.offers
    offer = version.offers[0]
    other = replace(offer, answer_count=offer.answer_count + 1)
    same = replace(offer, sample=version.steps[-1].answers, answer_count=version.steps[-1].answer_count)
    first, more = feedback.offered(replace(version, offers=(offer, offer, same, other)))
    assert [number for number, _ in first] == [1, 4] and [number for number, _ in more] == [2, 3]


# --- the answer ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sure", "said"),
    [((0.9, 0.9), ""), ((0.9, 0.3), "quite sure of step 2:"), ((0.5, 0.5), "quite sure of steps 1 and 2:")],
)
def test_the_answer_says_which_steps_are_doubtful(
    engine: Engine, sure: tuple[float, float], said: str
) -> None:
    version = engine.ask(TWO_STEPS).current
    assert version is not None
    doubted = [replace(s, confidence=c) for s, c in zip(version.steps, sure, strict=True)]
    shown_answer = show.final(doubted)
    assert (said in shown_answer) if said else ("sure" not in shown_answer)
    assert "sure" not in show.final(doubted[-1:]), "a single step says so itself"


# --- the drawing ---------------------------------------------------------------------------


def drawn(engine: Engine, sparql: str, frame: drawing.Frame) -> drawing.Drawing:
    version = engine.ask(CAPITAL).current
    assert version is not None
    found = parse_of(sparql)
    steps = tuple(replace(version.steps[0], number=n) for n in range(1, len(found.decomposition.steps) + 1))
    graph = nodes(
        replace(version, parse=found, steps=steps), engine.kb.lexicon, lambda value: name(engine, value)
    )
    return drawing.draw(graph, frame)


QUERIES = (
    *SCRIPT.values(),
    f"PREFIX ns: <{NS}> SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ "
    "?c ns:sports.sports_team.team_mascot ns:m.0dgn . ?c ns:sports.sports_team.championships ?x }",
    f"PREFIX ns: <{NS}> SELECT DISTINCT ?x WHERE {{ ns:m.0713r ns:sports.sports_team.championships ?x . "
    "?x ns:time.event.end_date ?d } ORDER BY DESC(xsd:datetime(?d)) LIMIT 1",
    f"PREFIX ns: <{NS}> SELECT DISTINCT ?x WHERE {{ {{ ns:m.02k54 ns:location.country.capital ?x }} UNION "
    "{ ns:m.02b1 ns:location.country.capital ?x } }",
    f"PREFIX ns: <{NS}> SELECT DISTINCT ?x WHERE {{ ns:m.0713r ns:sports.sports_team.championships ?x . "
    '?x ns:time.event.end_date ?d . FILTER (xsd:dateTime(?d) > "2011-01-01"^^xsd:dateTime) }',
)


@pytest.mark.parametrize("frame", [drawing.WIDE, drawing.NARROW])
@pytest.mark.parametrize("query", QUERIES)
def test_every_query_has_a_drawing_within_its_frame(engine: Engine, query: str, frame: drawing.Frame) -> None:
    made = drawn(engine, query, frame)
    root = ElementTree.fromstring(made.svg)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    boxes = root.findall(f"{SVG}rect")
    assert boxes
    for box in boxes:
        x, y = float(box.get("x", 0)), float(box.get("y", 0))
        assert x >= 0 and y >= 0
        assert x + float(box.get("width", 0)) <= width and y + float(box.get("height", 0)) <= height
    steps = [b for b in boxes if b.get("rx") == "8"]
    tops = [float(b.get("y", 0)) for b in steps]
    assert all(b - a >= float(steps[0].get("height", 0)) for a, b in pairwise(tops))
    assert made.alt.startswith("Drawing of the query. Step 1, ") and "None" not in made.alt


def test_a_drawing_names_entities_steps_and_answers(engine: Engine) -> None:
    version = engine.ask(TWO_STEPS).current
    assert version is not None
    for frame in (drawing.WIDE, drawing.NARROW):
        made = drawing.draw(nodes(version, engine.kb.lexicon, lambda v: name(engine, v)), frame)
        words = " ".join(t.text or "" for t in ElementTree.fromstring(made.svg).iter(f"{SVG}text"))
        for part in ("Al Sharqia", "country", "Egypt", "official language", "Arabic"):
            assert part in words


def test_names_in_a_drawing_are_text(engine: Engine) -> None:
    version = engine.ask(CAPITAL).current
    assert version is not None
    made = drawing.draw(nodes(version, engine.kb.lexicon, lambda _: "<script>\x00&</text>"))
    root = ElementTree.fromstring(made.svg)
    assert not root.findall(f".//{SVG}script")
    assert "<script" not in glance.picture(made.svg, made.svg, made.alt)


def test_long_names_are_cut_to_their_box() -> None:
    assert drawing.cut("Llanfairpwllgwyngyllgogerychwyrndrobwll", 20).endswith("…")
    assert drawing.measure(drawing.cut("埃及" * 40, 20)) <= 20
    assert drawing.cut("Egypt", 20) == "Egypt"


def test_a_line_leads_as_its_predicate_does() -> None:
    capital, name = Hop(freebase("location.country.capital")), Hop(Iri("http://e/ns#birthPlace"))
    assert path_words((capital,)) == path_words((capital.reversed,)) == "capital"
    assert (
        path_words((name, capital)) == "birth place · capital" and path_words((name, name)) == "birth place"
    )
    assert Input("Egypt", "capital").said == "capital"
    assert Input("Cairo", "capital", to_step=False, to_source=True).said == "capital of"
    assert Input("Hitchcock", "directed by", to_step=False, to_source=True).said == "directed by"


def test_a_restriction_leads_to_what_it_names(engine: Engine) -> None:
    version = engine.ask(CAPITAL).current
    assert version is not None
    step = Find(EGYPT, (Hop(CAPITAL_OF),), (Restriction("answer", (Hop(FOUNDED),), (Exists(),)),))
    parse = replace(version.parse, decomposition=Decomposition((step,)))
    (node,) = nodes(replace(version, parse=parse), engine.kb.lexicon, lambda v: name(engine, v))
    assert node.inputs == (
        Input("Egypt", "capital"),
        Input("known", "date founded", to_step=False, to_source=True),
    )


@pytest.mark.parametrize(("many", "said"), [(Many("=", 0), "not Egypt"), (Many(">", 2), "> 2 Egypt")])
def test_what_is_not_so_is_drawn_as_one_line(engine: Engine, many: Many, said: str) -> None:
    version = engine.ask(CAPITAL).current
    assert version is not None
    back = Restriction("answer", (Hop(CAPITAL_OF, True),), (many, Is(EGYPT)))
    parse = replace(version.parse, decomposition=Decomposition((Find(EGYPT, (Hop(CAPITAL_OF),), (back,)),)))
    (node,) = nodes(replace(version, parse=parse), engine.kb.lexicon, lambda v: name(engine, v))
    assert [i.source for i in node.inputs] == ["Egypt", said]


# --- the table -------------------------------------------------------------------------------


def test_csv_is_what_a_spreadsheet_reads_and_never_a_formula() -> None:
    answers = [Answer(Iri("http://e/a"), "=1+1"), Answer(Literal("-5"), "-5"), Answer(Literal("x"), 'a, "b"')]
    rows = list(csv.reader(io.StringIO(table.to_csv(answers).decode("utf-8-sig"))))
    assert rows == [["answer", "value"], ["'=1+1", "http://e/a"], ["-5", "-5"], ['a, "b"', "x"]]


def test_a_tables_names_are_text() -> None:
    html = table.html([Answer(Iri("http://e/a"), "<b>x</b>")], 'Answers "of" step 1')
    assert "<b>" not in html and "&lt;b&gt;x&lt;/b&gt;" in html and 'Answers &quot;of&quot; step 1"' in html


def test_bars_are_as_long_as_the_answers_are_many(engine: Engine) -> None:
    version = engine.ask(CAPITAL).current
    assert version is not None

    def step(count: int) -> SubQuestion:
        return replace(version.steps[0], answer_count=count)

    widths = re.findall(r"width: (\d+)%", glance.narrowing([step(400), step(100), step(4), step(0)]))
    assert widths == ["100", "50", "10", "0"]


# --- sources ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "private"), [("127.0.0.1", True), ("localhost", True), ("0.0.0.0", False), (None, False)]
)
def test_only_this_computer_is_private(
    monkeypatch: pytest.MonkeyPatch, address: str | None, private: bool
) -> None:
    monkeypatch.setattr("streamlit.get_option", lambda _: address)
    assert sources.is_private() is private


def test_an_uploaded_name_stays_in_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path))
    path = Path(sources.uploaded("../../etc/pass wd.ttl", b"data"))
    assert path.name == "pass_wd.ttl" and path.read_bytes() == b"data"
    assert tmp_path / "uploads" == path.parents[1]
    assert sources.uploaded("../../etc/pass wd.ttl", b"data") == str(path)


# --- examples ------------------------------------------------------------------------------


def test_a_search_for_examples_that_was_cut_short_is_not_kept(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path))
    with monkeypatch.context() as busy:
        busy.setattr(examples, "MAX_SECONDS", -1.0)
        assert examples.working_examples(engine) == ()
    found = examples.working_examples(engine)
    assert CAPITAL in found
    monkeypatch.setattr(examples, "MAX_SECONDS", -1.0)
    assert examples.working_examples(engine) == found, "what was looked for to the end is kept"
