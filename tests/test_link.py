"""Entity linking: names in a question are found, whatever their spelling, and common words are not."""

from __future__ import annotations

import gzip
import json
import os
import random
import threading
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kbqa.errors import KnowledgeBaseError
from kbqa.link import EntityLinker, LabelIndex, key
from kbqa.link.match import likeness
from kbqa.link.normalise import tokens
from kbqa.types import Iri, freebase

COUNTRY, PERSON, FILM = freebase("location.country"), freebase("people.person"), freebase("film.film")
STATE = freebase("location.us_state")

Row = tuple[Iri, str, bool, tuple[Iri, ...], int]


def named(mid: str, name: str, *aliases: str, types: tuple[Iri, ...] = (), degree: int = 1) -> list[Row]:
    names = [(freebase(mid), name, False, types, degree)]
    return names + [(freebase(mid), alias, True, types, degree) for alias in aliases]


ROWS = [
    *named("m.georgia_us", "Georgia", types=(STATE,), degree=300),
    *named("m.georgia", "Georgia", "Republic of Georgia", types=(COUNTRY,), degree=150),
    *named("m.washington_dc", "Washington, D.C.", "Washington", degree=500),
    *named("m.washington", "Washington", types=(STATE,), degree=200),
    *named("m.george_washington", "George Washington", "Washington", types=(PERSON,), degree=120),
    *named("m.bill", "Bill Clinton", types=(PERSON,), degree=140),
    *named("m.hillary", "Hillary Clinton", types=(PERSON,), degree=90),
    *named("m.clinton_ia", "Clinton County Fair Ground", degree=1),
    *named("m.jolie", "Angelina Jolie", types=(PERSON,), degree=390),
    *named("m.coen", "Ethan Coen", types=(PERSON,), degree=200),
    *named("m.azad", "Azad Kashmir", degree=5),
    *named("m.sharqia", "Al Sharqia Governorate", degree=8),
    *named("m.faxe", "Faxe Premium", degree=2),
    *named("m.lou", "Lou Seal", degree=3),
    *named("m.series", "World Series", "The World Series", degree=60),
    *named("m.tour", "Country Nation World Tour", degree=4),
    *named("m.goias", "Goiás", degree=9),
    *named("m.it", "It", types=(FILM,), degree=20),
    *named("m.who", "The Who", degree=50),
    *named("m.president", "President", degree=400),
    *named("m.country", "Country", degree=999),
    *named("m.godfather", "The Godfather", types=(FILM,), degree=70),
    *named("m.wind", "Gone with the Wind", types=(FILM,), degree=40),
    *named("m.york", "York", degree=20),
    *named("m.new_york", "New York City", degree=900),
    *named("m.city", "City", degree=50),
    *named("m.1980", "1980", degree=30),
    *named("m.language", "Official language of Malta", degree=2),
    *named("m.mcdonalds", "McDonald's", degree=33),
    *named("m.cairo", "القاهرة", degree=11),
]


@pytest.fixture(scope="module")
def memory() -> LabelIndex:
    return LabelIndex.build(ROWS)


@pytest.fixture(scope="module", params=["memory", "disk"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LabelIndex:
    if request.param == "memory":
        return LabelIndex.build(ROWS)
    return LabelIndex.build(ROWS, tmp_path_factory.mktemp("link") / "index")


@pytest.fixture(scope="module")
def linker(index: LabelIndex) -> EntityLinker:
    return EntityLinker(index)


def first(index: LabelIndex, text: str) -> str:
    found = index.lookup(text)
    return found[0].entity.mid if found else ""


def linked(linker: EntityLinker, question: str) -> dict[str, str]:
    return {mention.text: mention.candidates[0].entity.mid for mention in linker.link(question)}


# --- the normal form -------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Goiás", "GOIAS"),
        ("The Beatles", "beatles"),
        ("Al-Sharqia", "al sharqia"),
        ("J. K. Rowling", "J.K. Rowling"),
        ("Schindler’s List", "Schindler's List"),
        ("Simon & Garfunkel", "simon and garfunkel"),
        ("GoiÃ¡s", "Goiás"),
        ("Łódź", "Lodz"),
        ("Straße", "STRASSE"),
        ("U.S. Navy", "US Navy"),
    ],
)
def test_two_ways_to_write_a_name_have_one_normal_form(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(("one", "other"), [("C++", "C"), ("C#", "C++"), ("!!!", "?"), ("The The", "")])
def test_different_names_keep_different_normal_forms(one: str, other: str) -> None:
    assert key(one) != key(other)


@given(st.text(max_size=60))
@example("\x80Â\x80")
@example("Â\x80")
def test_the_normal_form_of_a_normal_form_is_itself(text: str) -> None:
    assert key(key(text)) == key(text)


@given(st.text(max_size=80))
def test_tokens_keep_the_offsets_of_the_text_as_given(text: str) -> None:
    at = 0
    for token in tokens(text):
        assert at <= token.start < token.end <= token.tail <= len(text)
        at = token.tail


# --- likeness --------------------------------------------------------------


@given(st.text("abcde 12", max_size=20), st.text("abcde 12", max_size=20))
def test_likeness_is_between_0_and_1_and_1_only_for_the_same_words(one: str, other: str) -> None:
    one, other = key(one), key(other)
    if one and other:
        match = likeness(one, other, lambda word: 1.0)
        assert 0.0 <= match <= 1.0
        assert (match == 1.0) == (one == other)


def test_another_year_is_less_alike_than_a_slip_of_the_pen() -> None:
    meant = "2008 national league championship series"
    slip = likeness(meant, "2008 nationl league championship series", lambda word: 1.0)
    assert slip > likeness(meant, "2009 national league championship series", lambda word: 1.0)


# --- look-up ---------------------------------------------------------------


def test_all_entities_of_an_exact_name_come_first_by_degree(index: LabelIndex) -> None:
    assert [c.entity.mid for c in index.lookup("georgia")[:2]] == ["m.georgia_us", "m.georgia"]


def test_an_alias_is_a_name_and_the_candidate_says_which_name_matched(index: LabelIndex) -> None:
    best = index.lookup("republic of georgia")[0]
    assert (best.entity.mid, best.label, best.matched) == ("m.georgia", "Georgia", "Republic of Georgia")


def test_every_entity_of_an_ambiguous_name_is_kept(index: LabelIndex) -> None:
    found = {c.entity.mid for c in index.lookup("Washington")}
    assert {"m.washington_dc", "m.washington", "m.george_washington"} <= found


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("Angelina Jolei", "m.jolie"),
        ("Angelna Jolie", "m.jolie"),
        ("Azad Kashmr", "m.azad"),
        ("Al Sharqia", "m.sharqia"),
        ("Faxe", "m.faxe"),
        ("Clinton", "m.bill"),
        ("Coen Ethan", "m.coen"),
        ("Goais", "m.goias"),
        ("Gone with Wind", "m.wind"),
        ("the film The Godfather", "m.godfather"),
        ("Newyork City", "m.new_york"),
        ("McDonalds", "m.mcdonalds"),
    ],
)
def test_a_name_is_found_in_spite_of_slips_gaps_and_word_order(
    index: LabelIndex, typed: str, meant: str
) -> None:
    assert first(index, typed) == meant


def test_scores_fall_and_stay_between_0_and_1(index: LabelIndex) -> None:
    for text in ("Georgia", "Clinton", "Angelina Jolei", "Washington"):
        scores = [candidate.score for candidate in index.lookup(text)]
        assert scores == sorted(scores, reverse=True)
        assert all(0.0 <= score <= 1.0 for score in scores)


def test_an_entity_is_listed_once_and_the_limit_holds(index: LabelIndex) -> None:
    entities = [candidate.entity for candidate in index.lookup("world series", limit=3)]
    assert len(entities) == len(set(entities)) <= 3


def test_a_candidate_carries_types_and_degree(index: LabelIndex) -> None:
    best = index.lookup("Bill Clinton")[0]
    assert (best.types, best.degree) == ((PERSON,), 140)


@pytest.mark.parametrize("text", ["", "   ", "?!", "zzzzqqqq xxxxvvvv", "🎉"])
def test_what_is_nobodys_name_finds_nothing(index: LabelIndex, text: str) -> None:
    assert list(index.lookup(text)) == []


def test_a_label_in_another_script_is_found(index: LabelIndex) -> None:
    assert first(index, "القاهرة") == "m.cairo"


def test_an_index_of_nothing_finds_nothing(tmp_path: Path) -> None:
    for empty in (LabelIndex.build([]), LabelIndex.build([], tmp_path / "index")):
        assert list(empty.lookup("Georgia")) == []
        assert EntityLinker(empty).link("What is the capital of Georgia?") == ()


# --- on disk ---------------------------------------------------------------


def test_an_index_is_opened_again_with_all_it_held(tmp_path: Path) -> None:
    LabelIndex.build(ROWS, tmp_path / "index").close()
    again = LabelIndex.open(tmp_path / "index")
    assert (len(again), first(again, "Angelina Jolei")) == (len(LabelIndex.build(ROWS)), "m.jolie")


def test_building_again_replaces_the_index(tmp_path: Path) -> None:
    LabelIndex.build(ROWS, tmp_path / "index").close()
    other = LabelIndex.build(named("m.x", "Xanadu"), tmp_path / "index")
    assert (len(other), first(other, "Xanadu"), first(other, "Georgia")) == (1, "m.x", "")


def test_building_leaves_a_folder_of_something_else_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(KnowledgeBaseError, match="no label index"):
        LabelIndex.build(ROWS, tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "precious"


def test_opening_where_no_index_is_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="nowhere"):
        LabelIndex.open(tmp_path / "nowhere")


@pytest.mark.parametrize("lost", ["meta.json", "names.sqlite", "words/meta.json"])
def test_opening_an_index_with_a_file_lost_names_the_folder(tmp_path: Path, lost: str) -> None:
    LabelIndex.build(ROWS, tmp_path / "index").close()
    (tmp_path / "index" / lost).unlink()
    with pytest.raises(KnowledgeBaseError, match="index"):
        LabelIndex.open(tmp_path / "index")


def test_a_lone_surrogate_is_no_reason_to_fail(index: LabelIndex) -> None:
    assert list(index.lookup("\ud800")) == []
    assert len(EntityLinker(index).link("Where is \ud800 Azad Kashmir?")) == 1


def test_a_build_that_fails_keeps_the_old_index(tmp_path: Path) -> None:
    LabelIndex.build(ROWS, tmp_path / "index").close()

    def failing() -> list[Row]:
        raise RuntimeError("source broke")

    with pytest.raises(RuntimeError):
        LabelIndex.build((row for _ in [0] for row in failing()), tmp_path / "index")
    assert first(LabelIndex.open(tmp_path / "index"), "Georgia") == "m.georgia_us"
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


def test_threads_share_an_index(index: LabelIndex) -> None:
    wrong: list[str] = []

    def ask() -> None:
        wrong.extend(x for _ in range(20) if (x := first(index, "Angelina Jolei")) != "m.jolie")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# --- linking ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        (
            "What is the official language of the country that contains Al Sharqia Governorate?",
            {"Al Sharqia Governorate": "m.sharqia"},
        ),
        (
            "what movie written by ethan coen was directed by angelina jolie",
            {"ethan coen": "m.coen", "angelina jolie": "m.jolie"},
        ),
        (
            "Lou Seal is the mascot for the team that last won the World Series when?",
            {"Lou Seal": "m.lou", "World Series": "m.series"},
        ),
        (
            'Where did the "Country Nation World Tour" concert artist go to college?',
            {"Country Nation World Tour": "m.tour"},
        ),
        ("Who was the president in 1980 of the country that has Azad Kashmir?", {"Azad Kashmir": "m.azad"}),
        ("Who was the president in 1980 of the country that has Azad Kashmr?", {"Azad Kashmr": "m.azad"}),
        ("Which film was directed by Angelina Jolei?", {"Angelina Jolei": "m.jolie"}),
        ("which film was directed by angelina jolei", {"angelina jolei": "m.jolie"}),
        ("WHAT IS THE CAPITAL OF GEORGIA?", {"GEORGIA": "m.georgia_us"}),
        ("What Films Did Angelina Jolie Direct?", {"Angelina Jolie": "m.jolie"}),
        ("what country borders goias", {"goias": "m.goias"}),
        ("What country contains GoiÃ¡s?", {"GoiÃ¡s": "m.goias"}),
        ("What did Clinton study?", {"Clinton": "m.bill"}),
        ("Which beer is Faxe?", {"Faxe": "m.faxe"}),
        ("who wrote gone with the wind", {"gone with the wind": "m.wind"}),
        ("Georgia borders what?", {"Georgia": "m.georgia_us"}),
    ],
)
def test_the_names_in_a_question_are_found(
    linker: EntityLinker, question: str, meant: dict[str, str]
) -> None:
    assert linked(linker, question) == meant


@pytest.mark.parametrize(
    "question",
    [
        "Who is it?",
        "who was the president of that country in 1980",
        "What is the official language of the country?",
        "President of which country?",
        "In which city is it?",
        "",
        "?",
        "1980",
    ],
)
def test_common_words_and_numbers_are_no_mentions_though_entities_bear_them(
    linker: EntityLinker, question: str
) -> None:
    assert linker.link(question) == ()


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("Who directed It in that year?", {"It": "m.it"}),
        ("Who directed It?", {"It": "m.it"}),
        ('who directed "it"?', {"it": "m.it"}),
        ("Who held the office of President in that year?", {"President": "m.president"}),
        ("When was the band The Who founded?", {"The Who": "m.who"}),
    ],
)
def test_a_common_word_is_a_mention_when_capitalised_in_mid_sentence_or_quoted(
    linker: EntityLinker, question: str, meant: dict[str, str]
) -> None:
    assert linked(linker, question) == meant


def test_common_words_that_are_a_name_are_told() -> None:
    names = *named("m.dr", "Doctor Who", degree=40), *named("m.lost", "Lost", degree=9), *named("m.it", "It")
    linker = EntityLinker(LabelIndex.build(names))

    def bare(question: str) -> list[str]:
        return [question[start:end] for start, end in linker.bare(question)]

    assert bare("in what year did doctor who start") == ["doctor who"]
    assert bare("cast of lost?") == ["lost"]
    assert bare("lost cast") == ["lost"]
    assert bare("cast of lost in 2005") == ["lost"]
    assert bare("which lost things are there") == []
    assert bare("who directed it") == []


def test_a_first_name_beside_a_stranger_s_surname_is_nobody_known(linker: EntityLinker) -> None:
    assert not linker.link("Which films did Ethan Malick direct?")
    assert [m.text for m in linker.link("Which films did Ethan Coen direct?")] == ["Ethan Coen"]


def test_a_name_that_nothing_here_has_is_told(linker: EntityLinker) -> None:
    def unknown(question: str) -> tuple[str, ...]:
        return linker.unknown(question, linker.link(question))

    assert unknown("Did Ethan Coen or Terrence Malick film the Mona Lisa?") == (
        "Terrence Malick",
        "Mona Lisa",
    )
    assert unknown("What does Yo-Yo Ma play?") == ("Yo-Yo Ma",)
    assert unknown("Remind me who Ethan Coen is. Thanks") == ()
    assert unknown("who is terrence malick") == ()
    assert unknown("Which Films Did Ethan Coen Or Terrence Malick Direct?") == ()


def test_a_title_before_a_name_is_not_taken_for_an_office_of_that_title() -> None:
    offices = *named("m.ghana", "President of Ghana"), *named("m.obama", "Barack Obama", degree=90)
    found = EntityLinker(LabelIndex.build(offices)).link("Where was President Obama born?")
    assert [m.candidates[0].label for m in found if "Obama" in m.text] == ["Barack Obama"]


def test_a_function_word_in_capitals_is_a_name_only_where_a_name_is_in_capitals() -> None:
    things = *named("m.us", "United States", "U.S.", degree=90), *named("m.it", "It", degree=20)
    linker = EntityLinker(LabelIndex.build(things))
    assert [m.text for m in linker.link("US presidents born in Ohio")] == ["US"]
    assert [m.text for m in linker.link("name the US states")] == ["US"]
    assert not linker.link("IT companies in some country")
    assert not linker.link("Who told us about it?")


def test_the_longest_name_wins(linker: EntityLinker) -> None:
    assert linked(linker, "Who is the mayor of New York City?") == {"New York City": "m.new_york"}


@pytest.mark.parametrize(
    ("question", "said", "name"),
    [
        ("who is bill clintons daughter", "bill clintons", "Bill Clinton"),
        ("angelina jolies dad", "angelina jolies", "Angelina Jolie"),
        ("the world series winner", "world series", "World Series"),
    ],
)
def test_an_apostrophe_may_be_left_out(linker: EntityLinker, question: str, said: str, name: str) -> None:
    (mention,) = linker.link(question)
    assert mention.text == said and mention.candidates[0].label == name
    assert mention.candidates[0].score > 0.9


def test_of_whom_only_the_name_is_known_hides_nobody(tmp_path: Path) -> None:
    """As written in lower case, where names are not told from other words."""
    rows = [
        *named("m.thailand", "Thailand", types=(COUNTRY,), degree=300),
        *named("m.religion", "Religion in Thailand", degree=0),
        *named("m.giants", "San Francisco Giants", degree=400),
        *named("m.song", "Giants", degree=0),
        *named("m.nobody", "Zebulon Quill", degree=0),
    ]
    for index in (LabelIndex.build(rows), LabelIndex.build(rows, tmp_path / "index")):
        linker = EntityLinker(index)
        assert linked(linker, "what religion in thailand?") == {"thailand": "m.thailand"}
        assert linked(linker, "What is Religion in Thailand?") == {"Religion in Thailand": "m.religion"}
        assert linked(linker, "what years have the giants won?") == {"giants": "m.giants"}
        assert linked(linker, "Who sings Giants?") == {"Giants": "m.song"}
        assert linked(linker, "where was zebulon quill born?") == {"zebulon quill": "m.nobody"}


def test_a_possessive_belongs_to_a_mention_only_where_it_belongs_to_the_name(linker: EntityLinker) -> None:
    assert linked(linker, "Who is Angelina Jolie's father?") == {"Angelina Jolie": "m.jolie"}
    assert linked(linker, "Who founded McDonald's first?") == {"McDonald's": "m.mcdonalds"}


def test_a_leading_the_belongs_to_a_mention_where_it_belongs_to_the_name(linker: EntityLinker) -> None:
    assert linked(linker, "who wrote the godfather") == {"the godfather": "m.godfather"}


def test_alternatives_are_kept_so_that_the_person_can_switch(linker: EntityLinker) -> None:
    (mention,) = linker.link("What is the capital of Georgia?")
    assert [c.entity.mid for c in mention.candidates[:2]] == ["m.georgia_us", "m.georgia"]
    assert len(mention.candidates) <= 10


def test_a_wanted_type_ranks_the_candidates_that_have_it_first(linker: EntityLinker) -> None:
    (mention,) = linker.link("What is the capital of Georgia?", wanted_types={COUNTRY})
    assert mention.candidates[0].entity.mid == "m.georgia"


def test_accents_and_emoji_before_a_name_shift_no_offset(linker: EntityLinker) -> None:
    question = "Ünïted 🎉 ﬁrst e\u0301: what is near Azad Kashmir?"
    (mention,) = [m for m in linker.link(question) if m.candidates[0].entity.mid == "m.azad"]
    assert question[mention.start : mention.end] == "Azad Kashmir"


PIECES = st.sampled_from(
    [
        "Angelina Jolie",
        "georgia",
        "Azad Kashmr",
        "the",
        "who",
        "'",
        '"',
        "’s",
        "🎉",
        "ß",
        "مصر",
        "İ",
        "1980",
        ".",
        "\n",
        "The",
        "New York",
    ]
)
QUESTIONS = st.one_of(
    st.text(max_size=120), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES).map("".join)
)


@settings(deadline=None)
@given(question=QUESTIONS)
def test_mentions_of_any_text_lie_in_it_in_order_without_overlap(memory: LabelIndex, question: str) -> None:
    at = 0
    for mention in EntityLinker(memory).link(question):
        assert at <= mention.start < mention.end <= len(question)
        assert mention.text == question[mention.start : mention.end]
        assert 1 <= len(mention.candidates) <= 10
        at = mention.end


@settings(deadline=None)
@given(text=QUESTIONS)
def test_looking_up_any_text_gives_ordered_scores(memory: LabelIndex, text: str) -> None:
    scores = [candidate.score for candidate in memory.lookup(text)]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    "piece",
    [
        "What contains Azad Kashmr and Angelina Jolei? ",
        "🎉",
        "من هو رئيس مصر؟ ",
        "A ",
        "x",
        '"',
        "the ",
        "a.b.",
        "' ",
        "Zq Xv ",
        "é",
    ],
)
def test_ten_thousand_characters_take_less_than_a_second(linker: EntityLinker, piece: str) -> None:
    question = (piece * 10_000)[:10_000]

    def seconds() -> float:
        start = time.thread_time()
        linker.link(question)
        return time.thread_time() - start

    assert any(seconds() < 1.0 for _ in range(3)), "other tests' threads and garbage are not its time"


# --- real data -------------------------------------------------------------


def test_real_questions_find_most_entities_they_name_in_full() -> None:
    """Skipped by name where the development data is not there: set KBQA_DATA to its folder."""
    data = Path(os.environ.get("KBQA_DATA") or Path(__file__).parents[1] / "../shared/data")
    names, questions = data / "freebase_kb/names.nt.gz", data / "cwq/dev_train.jsonl.gz"
    if not (names.is_file() and questions.is_file()):
        pytest.skip(f"no development data in {data} (KBQA_DATA)")
    pyoxigraph = pytest.importorskip("pyoxigraph")

    triples = pyoxigraph.parse(gzip.decompress(names.read_bytes()), format=pyoxigraph.RdfFormat.N_TRIPLES)
    wanted = {freebase("type.object.name").value: False, freebase("common.topic.alias").value: True}
    index = LabelIndex.build(
        (Iri(t.subject.value), t.object.value, wanted[t.predicate.value], (), 0)
        for t in triples
        if t.predicate.value in wanted
    )
    rows = random.Random(0).sample(
        [json.loads(line) for line in gzip.decompress(questions.read_bytes()).splitlines()], 200
    )
    linker = EntityLinker(index)
    asked = found = 0
    for row in rows:
        mentions = linker.link(row["question"])
        every = {candidate.entity.mid for mention in mentions for candidate in mention.candidates}
        for mid, name in row["entities"].items():
            if name and f" {key(name)} " in f" {key(row['question'])} ":
                asked += 1
                found += mid in every
    assert asked > 150
    assert found / asked >= 0.88
