"""The lexicon that ships: complete over the stub, readable, and each wording one path's."""

from __future__ import annotations

from pathlib import Path

import pytest

from freebase_stub.build import build, ntriples
from kbqa.errors import LexiconError
from kbqa.lexicon import Lexicon, Wording, freebase_lexicon, load_lexicon, parse_path, show_path
from kbqa.synth.graph import Graph, Walks
from kbqa.synth.words import fill
from kbqa.templates import Names, read, write
from kbqa.types import Find, Hop, Iri, Is, Keep, Kind, Literal, Pick, Ref, Restriction, freebase

LEXICON = freebase_lexicon()
EGYPT = freebase("m.02k54")
NAMES = Names({EGYPT: "Egypt"})
ASIDE = ("common.topic.notable_types",)


@pytest.fixture(scope="module")
def stub() -> Graph:
    return Graph.read(ntriples(build()))


# --- wordings -------------------------------------------------------------------------


def test_each_path_has_at_least_six_wordings_four_of_them_questions() -> None:
    few = {
        show_path(p): {form: len(w) for form, w in LEXICON.natural.get(p, {}).items()}
        for p in LEXICON.wordings
        if len(LEXICON.natural.get(p, {}).get("question", ())) < 4
        or sum(map(len, LEXICON.natural[p].values())) < 6
    }
    assert not few


def test_questions_end_as_questions_and_phrases_as_phrases() -> None:
    for path, forms in LEXICON.natural.items():
        for form, wordings in forms.items():
            assert len(set(wordings)) == len(wordings), (show_path(path), form)
            for wording in wordings:
                assert wording.endswith("?") == (form == "question"), (show_path(path), wording)


def test_the_stub_s_predicates_are_worded_in_both_directions(stub: Graph) -> None:
    missing = set()
    for start, edges in stub.out.items():
        for predicate, ends in edges.items():
            hop = Hop(Iri(predicate))
            if start not in stub.names or hop.predicate.mid in ASIDE:
                continue
            if any(map(stub.shown, ends)):
                missing |= {p for p in [(hop,)] if p not in LEXICON.natural}
            if any(isinstance(end, str) and stub.shown(end) for end in ends):
                missing |= {p for p in [(hop.reversed,)] if p not in LEXICON.natural}
    assert sorted(map(show_path, missing)) == []


def test_the_stub_s_mediators_are_known_as_such(stub: Graph) -> None:
    unknown = set()
    for node, edges in stub.out.items():
        if node not in stub.names and not LEXICON.mediators.has(
            map(Iri, edges), map(Iri, stub.into.get(node, {}))
        ):
            unknown |= {Iri(p).mid.rpartition(".")[0] for p in edges}
    assert unknown == set()


# --- twins ----------------------------------------------------------------------------


def test_a_twin_shares_the_wordings_and_has_a_template_of_its_own() -> None:
    assert LEXICON.twins
    for path, same in LEXICON.twins.items():
        assert LEXICON.natural[path] == LEXICON.natural[same]
        assert LEXICON.wordings[path].noun == LEXICON.wordings[same].noun
        step = Find(EGYPT, path)
        assert read(write(step, 1, LEXICON, NAMES), 1, LEXICON, NAMES) == step


def test_twins_lead_to_the_same_things_in_the_stub(stub: Graph) -> None:
    for path, same in LEXICON.twins.items():
        one, other = (tuple((h.predicate.value, h.inverse) for h in p) for p in (path, same))
        found = 0
        for predicate, inverse in (one[0], other[0]):
            edges = stub.into if inverse else stub.out
            for start in [n for n, leads in edges.items() if predicate in leads and n in stub.names]:
                ends = stub.answers(start, one)
                assert set(ends) == set(stub.answers(start, other)), (show_path(path), start)
                found += len(ends)
        assert found, show_path(path)


def test_synthetic_questions_are_about_one_of_two_twins(stub: Graph) -> None:
    walked = set(Walks(stub, LEXICON).paths)
    assert walked and not walked & set(LEXICON.twins)
    assert set(LEXICON.twins.values()) <= walked


# --- names of properties ----------------------------------------------------------------


@pytest.mark.parametrize("path", LEXICON.properties, ids=show_path)
def test_a_property_is_said_by_its_name_and_read_back(path: tuple[Hop, ...]) -> None:
    name = LEXICON.properties[path]
    whose = Keep(Ref(1), restrictions=(Restriction("answer", path, (Is(EGYPT),)),))
    for step in (whose, Pick(Ref(1), "answer", path, True, Kind.DATE)):
        text = write(step, 2, LEXICON, NAMES)
        assert name in text and "<" not in text
        assert read(text, 2, LEXICON, NAMES) == step


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("location.location.area", "area"),
        ("time.event.end_date", "end date"),
        ("location.statistical_region.population measurement_unit.dated_integer.number", "population"),
        ("film.film.runtime film.film_cut.runtime", "running time"),
        ("government.politician.government_positions_held government.government_position_held.from",
         "start in office"),
    ],
)  # fmt: skip
def test_what_is_often_sorted_by_needs_no_type_in_brackets(path: str, said: str) -> None:
    step = Pick(Ref(1), "answer", parse_path(path), True, Kind.NUMBER)
    assert write(step, 2, LEXICON, NAMES) == f"Of these, which has the largest {said}?"


def test_a_mediator_s_property_is_said_plainly_within_it_and_with_its_type_elsewhere() -> None:
    roster = parse_path("sports.pro_athlete.teams sports.sports_team_roster.team")
    began = parse_path("sports.sports_team_roster.from")
    inside = Find(EGYPT, roster, (Restriction("mediator", began, (Is(EGYPT),)),))
    outside = Pick(Ref(1), "mediator", began, False, Kind.DATE)
    texts = [write(s, 2, LEXICON, NAMES) for s in (inside, outside)]
    assert texts[0].endswith(", where the start date is [Egypt]?")
    assert texts[1] == "Of these, which comes with the earliest start date (sports, sports team roster)?"
    assert [read(t, 2, LEXICON, NAMES) for t in texts] == [inside, outside]


def test_the_bare_predicate_name_is_still_read() -> None:
    text = "Of these, which comes with the earliest from (sports, sports team roster)?"
    began = parse_path("sports.sports_team_roster.from")
    assert read(text, 2, LEXICON, NAMES) == Pick(Ref(1), "mediator", began, False, Kind.DATE)


def test_a_name_that_another_predicate_bears_gives_way_to_the_iri() -> None:
    """'title' said of the type a.b is a.b.basic_title, so that a.b.title needs other words."""
    lexicon = Lexicon({}, properties={parse_path("a.b.basic_title"): "title"})
    for name in ("a.b.basic_title", "a.b.title"):
        step = Keep(Ref(1), restrictions=(Restriction("answer", parse_path(name), (Is(Literal("x")),)),))
        text = write(step, 2, lexicon, NAMES)
        assert read(text, 2, lexicon, NAMES) == step
    assert "<http://rdf.freebase.com/ns/a.b.title>" in text


@pytest.mark.parametrize("others", ["a.b.d", "e.f.g h.i.j"])
def test_two_properties_that_would_read_the_same_do_not_load(others: str) -> None:
    one = "a.b.c" if " " not in others else "a.b.c d.e.f"
    with pytest.raises(LexiconError, match="two properties would read the same, 'size'"):
        Lexicon({}, properties={parse_path(one): "size", parse_path(others): "size"})


# --- files that do not load ----------------------------------------------------------------

PATHS = "path\ttemplate\tnoun\tasks\na.b.c\tthe head of {}\thead\tWho\n"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("twins.tsv", "path\tsame\ttemplate\n^d.e.f\ta.b.x\tthe chief of {}\n", "a.b.x is no path"),
        ("twins.tsv", "path\tsame\ttemplate\na.b.c\ta.b.c\tthe chief of {}\n", "has a template already"),
        ("twins.tsv", "path\tsame\ttemplate\n^d.e.f\ta.b.c\tthe chief\n", "exactly one {}"),
        ("properties.tsv", "path\tname\n^a.b.c\thead\n", "a name for one predicate"),
        ("properties.tsv", "path\tname\na.b.c\t\n", "a name for one predicate"),
    ],
)
def test_a_twin_or_property_that_does_not_load_is_named_with_its_line(
    tmp_path: Path, file: str, text: str, reason: str
) -> None:
    (tmp_path / "paths").mkdir()
    (tmp_path / "paths" / "x.tsv").write_text(PATHS, encoding="utf-8")
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(LexiconError) as e:
        load_lexicon(tmp_path)
    assert reason in str(e.value) and f"{file}, line 2" in str(e.value)


def test_a_twin_takes_noun_and_question_word_from_the_other(tmp_path: Path) -> None:
    (tmp_path / "paths").mkdir()
    (tmp_path / "paths" / "x.tsv").write_text(PATHS, encoding="utf-8")
    (tmp_path / "twins.tsv").write_text("path\tsame\ttemplate\n^d.e.f\ta.b.c\tthe chief of {}\n")
    loaded = load_lexicon(tmp_path)
    assert loaded.wordings[parse_path("^d.e.f")] == Wording("the chief of {}", "head", "Who")


# --- an earlier answer in a wording ------------------------------------------------------------


@pytest.mark.parametrize(
    ("wording", "said"),
    [
        ("Who plays in the {}?", "Who plays in that team?"),
        ("When was the team {} founded?", "When was that team founded?"),
        ("When was the football team {} founded?", "When was that team founded?"),
        ("What is a {}?", "What is that team?"),
        ("Who owns {}?", "Who owns that team?"),
    ],
)
def test_an_earlier_answer_stands_without_another_article(wording: str, said: str) -> None:
    assert fill(wording, "that team") == said
