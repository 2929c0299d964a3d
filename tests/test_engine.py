"""From a question to the dialogue's first version, over a small graph and a scripted parser."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from servers import oxigraph_binary, oxigraph_server

import kbqa.kb.build
from kbqa.correct import TemplateCorrector
from kbqa.dialogue import DECONTEXTUALIZED, FULL, NON_INTERACTIVE, TEMPLATED, Dialogue, Parse
from kbqa.document import document
from kbqa.engine import EMPTY_CAP, Engine, Settings
from kbqa.errors import InputError, KnowledgeBaseError, StoreTimeout, StoreUnavailable
from kbqa.examples import working_examples
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.phrase import Phrasing, RulePhraser, StepInContext
from kbqa.protocols import Mention, Store
from kbqa.scripted import ScriptedParser
from kbqa.sparql import render
from kbqa.types import Constant, Hop, Rows, freebase

TINY = Path(__file__).parent / "data" / "tiny.nt"
NS = "PREFIX ns: <http://rdf.freebase.com/ns/> "
EGYPT = freebase("m.02k54")

LANGUAGE = "What is the official language of the country that contains Al Sharqia Governorate?"
WON = "Which World Series did the team with the mascot Lou Seal win last?"
HOW_MANY = "How many World Series did Lou Seal's team win?"
FOUNDED = "When was Egypt founded?"
CAPITAL = "What is the capital of Egypt?"
SECOND_BEST = "What is the capital of Sudan and of Egypt?"
NOTHING = "What is the capital of Libya?"
MADE_UP = "Who is the dearest friend of my aunt?"
UNLIKELY = "What about Egypt?"
BROKEN_OFF = "What is the capital near Egypt?"

_CAPITAL = NS + "SELECT DISTINCT ?x WHERE {{ ns:{} ns:location.country.capital ?x }}"
_TEAM = "?c ns:sports.sports_team.team_mascot ns:m.0dgn . ?c ns:sports.sports_team.championships ?x"
SCRIPT: Mapping[str, str | Sequence[tuple[str, float]]] = {
    LANGUAGE: NS + "SELECT DISTINCT ?x WHERE { ?c ns:location.country.administrative_divisions ns:m.0cjk5 ."
    " ?c ns:location.country.official_language ?x }",
    WON: NS + f"SELECT DISTINCT ?x WHERE {{ {_TEAM} . ?x ns:time.event.end_date ?d }}"
    " ORDER BY DESC(xsd:datetime(?d)) LIMIT 1",
    HOW_MANY: NS + f"SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE {{ {_TEAM} }}",
    FOUNDED: NS + "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.dated_location.date_founded ?x }",
    CAPITAL: [
        (_CAPITAL.format("m.02k54"), -0.1),
        (NS + "SELECT DISTINCT ?x WHERE { ns:m.02k54 ns:location.country.official_language ?x }", -1.1),
    ],
    SECOND_BEST: [(_CAPITAL.format("m.02b1"), -0.1), (_CAPITAL.format("m.02k54"), -0.9)],
    NOTHING: _CAPITAL.format("m.02b2"),
    MADE_UP: _CAPITAL.format("m.02k54"),
    UNLIKELY: [(_CAPITAL.format("m.02k54"), -60.0)],
}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(cache))


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = build_kb([TINY], tmp_path_factory.mktemp("kb") / "tiny")
    with open_kb(str(folder)) as opened:
        yield opened


@pytest.fixture(scope="module")
def engine(kb: KnowledgeBase) -> Engine:
    return Engine(kb, ScriptedParser(SCRIPT))


def labels(dialogue: Dialogue, step: int = -1) -> list[str]:
    assert dialogue.current is not None
    return sorted(a.label for a in dialogue.current.steps[step].answers)


# --- a question that is understood -------------------------------------------


def test_a_question_is_answered_step_by_step(engine: Engine) -> None:
    dialogue = engine.ask(LANGUAGE)
    assert dialogue.status == "awaiting_feedback" and dialogue.current is not None
    first, second = dialogue.current.steps
    assert [a.label for a in first.answers] == ["Egypt"] and [a.label for a in second.answers] == ["Arabic"]
    assert (
        first.template
        == "What is the country that has [Al Sharqia Governorate] as an administrative division?"
    )
    assert "Al Sharqia Governorate" in first.question and "that country" in second.question
    assert first.outcome == second.outcome == "answered"


def test_superlatives_counts_and_dates_come_out_readable(engine: Engine) -> None:
    assert labels(engine.ask(WON)) == ["2014 World Series"]
    assert labels(engine.ask(HOW_MANY)) == ["3"]
    assert labels(engine.ask(FOUNDED)) == ["28 February 1922"]


def test_a_mode_says_what_is_shown_and_whether_it_can_be_edited(engine: Engine) -> None:
    for mode, templated, edits in ((FULL, False, 5), (TEMPLATED, True, 5), (NON_INTERACTIVE, False, 0)):
        dialogue = engine.ask(LANGUAGE, mode)
        assert dialogue.current is not None and dialogue.edits_left == edits
        for step in dialogue.current.steps:
            assert step.shown == (step.template if templated else step.question)


def test_a_mode_without_context_phrases_each_step_alone(kb: KnowledgeBase) -> None:
    seen: list[StepInContext] = []

    class Listening:
        def phrase(self, step: StepInContext, *, n: int = 10) -> tuple[Phrasing, ...]:
            seen.append(step)
            return (Phrasing(f"Step {step.number}?", 0.0),)

    listening = Engine(kb, ScriptedParser(SCRIPT), phraser=Listening())
    listening.ask(LANGUAGE, FULL)
    assert [(s.question, s.history) for s in seen] == [(LANGUAGE, ()), (LANGUAGE, ("Step 1?",))]
    seen.clear()
    listening.ask(LANGUAGE, DECONTEXTUALIZED)
    assert [(s.question, s.history) for s in seen] == [(None, ()), (None, ())]


def test_the_reading_that_has_an_answer_is_preferred(engine: Engine) -> None:
    assert labels(engine.ask(SECOND_BEST)) == ["Cairo"]


def test_more_readings_are_asked_for_where_the_first_have_no_answer(kb: KnowledgeBase) -> None:
    for further, found in ((2, ["Cairo"]), (1, [])):
        settings = Settings(readings=1, further=further)
        assert labels(Engine(kb, ScriptedParser(SCRIPT), settings=settings).ask(SECOND_BEST)) == found


def test_more_readings_join_nothing_that_was_named_in_passing(kb: KnowledgeBase) -> None:
    """'Or' asks for both; a second name elsewhere doesn't."""
    of = NS + "SELECT DISTINCT ?x WHERE {{ {} }}"
    egypt, sudan = (f"ns:{c} ns:location.country.administrative_divisions ?x" for c in ("m.02k54", "m.02b1"))
    readings = [(of.format(egypt), -0.1), (of.format(f"{{ {egypt} }} UNION {{ {sudan} }}"), -0.9)]
    passing, both = "I am in Sudan: what divisions has Egypt?", "What divisions has Sudan or Egypt?"
    parser = ScriptedParser({passing: readings, both: readings})
    engine = Engine(kb, parser, settings=Settings(readings=1))
    steps = {q: engine.ask(q).current.steps for q in (passing, both)}  # type: ignore[union-attr]
    assert len(steps[passing]) == 1 and len(steps[both]) == 3


def test_an_empty_answer_is_shown_as_one_and_never_with_confidence(engine: Engine) -> None:
    dialogue = engine.ask(NOTHING)
    assert dialogue.status == "awaiting_feedback" and dialogue.current is not None
    (step,) = dialogue.current.steps
    assert step.outcome == "empty" and step.answers == () and step.answer_count == 0
    assert step.confidence <= EMPTY_CAP and step.warnings == ("nothing was found",)


def test_confidence_is_the_share_of_the_readings_that_hold_the_step(engine: Engine) -> None:
    version = engine.ask(CAPITAL).current
    assert version is not None
    assert version.steps[0].confidence == pytest.approx(1 / (1 + 2.718281828**-1))


def test_an_ambiguous_name_is_a_warning_with_its_alternatives(kb: KnowledgeBase) -> None:
    question = "Who is the mascot of the Giants?"
    query = NS + "SELECT DISTINCT ?x WHERE { ns:m.0713r ns:sports.sports_team.team_mascot ?x }"
    version = Engine(kb, ScriptedParser({question: query})).ask(question).current
    assert version is not None
    (step,) = version.steps
    assert [c.label for c in step.mentions[0].candidates[:2]] == ["San Francisco Giants", "New York Giants"]
    assert "may also be New York Giants" in step.warnings[0]


def test_each_dialogue_has_its_own_id_and_its_times(engine: Engine) -> None:
    one, two = engine.ask(CAPITAL), engine.ask(CAPITAL)
    assert one.dialogue_id != two.dialogue_id
    parts = one.timing
    assert 0 < parts.link + parts.parse + parts.phrase + parts.answer <= parts.total + 0.1


def test_many_threads_may_ask_at_once(engine: Engine) -> None:
    questions = [LANGUAGE, WON, HOW_MANY, FOUNDED] * 10
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda q: labels(engine.ask(q)), questions))
    assert found == [["Arabic"], ["2014 World Series"], ["3"], ["28 February 1922"]] * 10


class Meeting:
    """A parser whose calls wait for each other for a while, and tell whether they met."""

    def __init__(self, concurrent: bool) -> None:
        self.concurrent = concurrent
        self.met: list[bool] = []
        self._barrier = threading.Barrier(2, timeout=10.0 if concurrent else 0.3)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> Sequence[Parse]:
        try:
            self._barrier.wait()
            self.met.append(True)
        except threading.BrokenBarrierError:
            self.met.append(False)
        return ()


@pytest.mark.parametrize("concurrent", [True, False])
def test_a_model_is_called_by_one_at_a_time_unless_it_says_otherwise(
    kb: KnowledgeBase, concurrent: bool
) -> None:
    parser = Meeting(concurrent)
    engine = Engine(kb, parser)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: engine.parse(CAPITAL), range(2)))
    assert parser.met == [concurrent, concurrent]


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("geography.lake", "Lake"),
        ("location.us_state", "US state"),
        ("base.biblioness.bibs_location", "Bibs location"),
        ("m.0h", ""),
        ("g.11b_x", ""),
        ("local.person.ann", ""),
        ("film.film.directed_by", ""),
    ],
)
def test_a_type_without_a_name_is_called_by_its_last_part(kb: KnowledgeBase, name: str, label: str) -> None:
    assert kb.names.fetch([freebase(name)]) == ({freebase(name): label} if label else {})


def test_the_signature_names_data_and_models(kb: KnowledgeBase) -> None:
    class Own(RulePhraser):
        signature = "mine"

    parser = ScriptedParser(SCRIPT, signature="p-1")
    plain, own = Engine(kb, parser), Engine(kb, parser, phraser=Own(kb.lexicon))
    assert plain.signature == f"{kb.signature}+p-1+corrector:template+phraser:rule"
    assert own.signature == plain.signature.replace("phraser:rule", "phraser:mine")
    corrected = Engine(kb, parser, corrector=TemplateCorrector(kb.lexicon, TemplateCorrector(kb.lexicon)))
    assert "+corrector:template/template+" in corrected.signature


# --- a question that is not --------------------------------------------------


@pytest.mark.parametrize("question", ["", "   ", "\n\t"])
def test_an_empty_question_is_an_error_that_says_what_to_do(engine: Engine, question: str) -> None:
    with pytest.raises(InputError, match="ask a question"):
        engine.ask(question)


def test_an_overlong_question_is_an_error_that_names_the_limit(engine: Engine) -> None:
    with pytest.raises(InputError, match="1,000"):
        engine.ask("Egypt " * 200)


@pytest.mark.parametrize(
    "question",
    [
        "😀😀😀",
        "12345 ???",
        "'; DROP TABLE users; --",
        "SELECT ?x WHERE { <http://rdf.freebase.com/ns/m.02k54> ?p ?x }",
        "PREFIX ns: <http://rdf.freebase.com/ns/> ASK { ns:m.02k54 ?p ?o }",
        "<script>alert('Egypt')</script>",
        "rm -rf / && echo Egypt",
        "$(curl http://example.org/Egypt)",
        "Wer ist der Präsident von Egypt?",
        "¿Cuál es la capital de Egypt?",
        "Quelle est la capitale de Egypt ?",
        "Qual è la capitale di Egypt?",
        "埃及的首都是什么？",
        "Какая столица Egypt в мире?",
        "asdf qwer zxcv",
        MADE_UP,
        UNLIKELY,
    ],
)
def test_what_is_no_question_about_something_known_is_refused(kb: KnowledgeBase, question: str) -> None:
    eager = ScriptedParser({question: SCRIPT.get(question, _CAPITAL.format("m.02k54"))})
    dialogue = Engine(kb, eager).ask(question)
    assert dialogue.status == "not_understood" and dialogue.versions == ()
    assert dialogue.recognised is not None


@pytest.mark.parametrize(
    "question",
    [
        "Who directed Das Leben der Anderen?",
        "egypt capital",
        "What did El Greco paint in Las Vegas?",
        "Is La La Land set in Los Angeles?",
        "What's Zoë Kravitz's dad's name?",
        "Which is bigger, Côte d'Ivoire or São Tomé?",
    ],
)
def test_foreign_names_in_an_english_question_do_no_harm(kb: KnowledgeBase, question: str) -> None:
    engine = Engine(kb, parser := ScriptedParser({}))
    engine.first_version(question)
    assert parser.asked == [question]


def test_what_was_recognised_is_told_with_questions_that_work(kb: KnowledgeBase) -> None:
    listening = Engine(kb, ScriptedParser({}))
    dialogue = listening.ask("Which neighbours does Egypt have, if any?")
    assert dialogue.recognised is not None
    assert [m.candidates[0].label for m in dialogue.recognised.mentions] == ["Egypt"]
    error = document(dialogue)["error"]
    assert error["type"] == "NotUnderstood" and "Egypt" in error["message"]


# --- slow, broken and large stores -------------------------------------------


class _Slow:
    """A store that gives up on queries that hold `marked`."""

    def __init__(self, store: Store, marked: str, error: Exception) -> None:
        self.store, self.marked, self.error = store, marked, error

    def select(
        self,
        query: str,
        *,
        bindings: Mapping[str, Constant] | None = None,
        time_limit_s: float = 10.0,
        row_limit: int = 10_000,
    ) -> Rows:
        if self.marked in query:
            raise self.error
        return self.store.select(query, bindings=bindings, time_limit_s=time_limit_s, row_limit=row_limit)

    def close(self) -> None:
        self.store.close()


def _with_store(kb: KnowledgeBase, store: Store, settings: Settings | None = None) -> Engine:
    twin = KnowledgeBase(kb.name, kb.signature, store, kb.index, kb.linker, kb.lexicon, kb.folder)
    return Engine(twin, ScriptedParser(SCRIPT), settings=settings)


def test_a_step_that_takes_too_long_is_an_outcome(kb: KnowledgeBase) -> None:
    slow = _with_store(kb, _Slow(kb.store, "official_language", StoreTimeout("stopped")))
    version = slow.ask(LANGUAGE).current
    assert version is not None
    assert [s.outcome for s in version.steps] == ["answered", "timed_out"]
    assert version.steps[1].confidence <= EMPTY_CAP and "5 seconds" in version.steps[1].warnings[0]


def test_a_store_that_is_gone_is_an_error(kb: KnowledgeBase) -> None:
    gone = _with_store(kb, _Slow(kb.store, "SELECT", StoreUnavailable("gone")))
    with pytest.raises(StoreUnavailable):
        gone.ask(CAPITAL)


def test_answers_beyond_the_row_limit_are_cut_and_said_to_be(kb: KnowledgeBase) -> None:
    small = _with_store(kb, kb.store, Settings(row_limit=2))
    version = small.ask(WON).current
    assert version is not None
    assert version.steps[1].outcome == "cut" and version.steps[1].answer_count == 2


# --- parse, phrase, document -------------------------------------------------


def test_parse_gives_the_readings_best_first(engine: Engine) -> None:
    found = engine.parse(CAPITAL, n=5)
    assert [p.logprob for p in found] == [-0.1, -1.1]
    assert "location.country.capital" in render(found[0].query)
    assert len(engine.parse(CAPITAL, n=1)) == 1


def test_parse_takes_the_entities_it_is_given(kb: KnowledgeBase) -> None:
    seen: list[list[tuple[str, int, int]]] = []

    class Listening(ScriptedParser):
        def parse(self, question, mentions, *, n, grounded=True):  # type: ignore[no-untyped-def]
            seen.append([(m.text, m.start, m.end) for m in mentions])
            return ()

    Engine(kb, Listening({})).parse("capital of egypt", {EGYPT: "Egypt", freebase("m.02b1"): "Sudan"})
    assert seen == [[("Sudan", 0, 0), ("egypt", 11, 16)]]


def test_phrase_words_a_template(engine: Engine) -> None:
    found = engine.phrase("What is the official language of [Egypt]?", "...", (), FULL, 3)
    assert len(found) == 3 and "Egypt" in found[0].text


def test_the_document_is_json_with_the_agreed_keys(engine: Engine) -> None:
    made = json.loads(json.dumps(document(engine.ask(LANGUAGE))))
    assert list(made) == [
        "dialogue_id", "question", "mode", "kb", "version", "status", "sparql", "answers", "edits_left",
        "steps", "versions", "offers", "broken_at", "least_sure", "timing_ms", "error",
    ]  # fmt: skip
    step = made["steps"][0]
    assert list(step) == [
        "id", "template", "question", "shown", "sparql", "answers", "answer_count", "entities", "confidence",
        "warnings", "outcome", "change",
    ]  # fmt: skip
    assert made["answers"] == [{"value": "http://rdf.freebase.com/ns/m.0jgx", "label": "Arabic"}]
    assert step["entities"][0]["label"] == "Al Sharqia Governorate" and made["error"] is None
    assert made["versions"] == [{"version": 1, "sparql": made["sparql"], "feedback": "", "parent": None}]


def test_examples_are_questions_that_work(kb: KnowledgeBase) -> None:
    template = kb.lexicon.natural[(Hop(freebase("location.country.capital")),)]["question"][0]
    parser = ScriptedParser({template.replace("{}", "Egypt"): _CAPITAL.format("m.02k54")}, signature="one")
    engine = Engine(kb, parser)
    found = working_examples(engine, 2)
    assert found == (template.replace("{}", "Egypt"),)
    asked = len(parser.asked)
    assert working_examples(engine, 2) == found and len(parser.asked) == asked


# --- knowledge bases ---------------------------------------------------------


def test_a_built_folder_holds_names_types_degrees_and_paths(kb: KnowledgeBase) -> None:
    assert kb.names[EGYPT] == "Egypt" and freebase("m.unknown") not in kb.names
    assert kb.types(EGYPT) == (freebase("location.country"),)
    assert kb.degree(EGYPT) == 13 == kb.index.lookup("Egypt")[0].degree
    borders = (
        Hop(freebase("location.location.adjoin_s")),
        Hop(freebase("location.adjoining_relationship.adjoins")),
    )
    assert borders in kb.paths.pairs and freebase("location.country.capital") in kb.paths.predicates
    assert not any(
        freebase("location.country.capital") in (a.predicate, b.predicate) for a, b in kb.paths.pairs
    )


def test_a_path_through_a_mediator_leads_on_and_not_back(kb: KnowledgeBase) -> None:
    held = Hop(freebase("government.governmental_jurisdiction.governing_officials"))
    holder = Hop(freebase("government.government_position_held.office_holder"))
    assert (held, holder) in kb.paths.pairs and (held, held.reversed) not in kb.paths.pairs


def test_an_rdf_file_is_built_once_and_found_again(cache: Path) -> None:
    with open_kb(TINY) as first:
        signature = first.signature
    start = time.perf_counter()
    with open_kb(TINY) as again:
        assert time.perf_counter() - start < 0.5
        assert again.signature == signature and again.name == "tiny.nt"


def test_two_processes_may_open_at_once(tmp_path: Path) -> None:
    code = (
        "from kbqa.kb import open_kb; from kbqa.types import freebase\n"
        f"with open_kb({str(TINY)!r}) as kb: print(kb.names[freebase('m.02k54')])"
    )
    environment = {"KBQA_CACHE": str(tmp_path), "PYTHONPATH": str(TINY.parents[2]), "PATH": "/usr/bin"}
    running = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [p.communicate(timeout=60)[0].strip() for p in running] == ["Egypt"] * 3
    assert len(list(tmp_path.iterdir())) == 1


def test_what_another_process_has_built_meanwhile_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path))
    build = kbqa.kb.build.build_kb

    def second(files: Sequence[Path], folder: Path, *, name: str) -> None:
        build(files, folder, name=name)
        build(files, folder, name=name)  # which finds the folder there

    monkeypatch.setattr(kbqa.kb.build, "build_kb", second)
    with open_kb(TINY) as opened:
        assert opened.names[EGYPT] == "Egypt"


def test_a_cache_that_is_not_writable_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path / "file"))
    with open_kb(TINY) as opened:
        scratch = opened.scratch
        assert scratch is not None and opened.names[EGYPT] == "Egypt"
    assert not scratch.exists()


@pytest.mark.parametrize("source", ["no/such/place", "", "bad\0path"])
def test_an_unknown_path_is_an_error_that_names_what_is_expected(source: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="expected"):
        open_kb(source)


def test_a_folder_that_is_no_knowledge_base_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match=r"kb\.json"):
        open_kb(tmp_path)


def test_broken_rdf_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path / "cache"))
    broken = tmp_path / "broken.ttl"
    broken.write_text("<http://e/a> <http://e/b> .\n")
    with pytest.raises(KnowledgeBaseError, match="line 1"):
        open_kb(broken)
    assert list((tmp_path / "cache").iterdir()) == []


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty.nt").write_text("")
    with pytest.raises(KnowledgeBaseError, match="no triples"):
        open_kb(tmp_path / "empty.nt")


def test_a_graph_in_its_own_vocabulary_opens_with_its_labels(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix e: <http://example.org/> .\n"
        'e:ada rdfs:label "Ada"@de, "Ada Lovelace"@en ; e:knows e:Charles_Babbage .'
    )
    with open_kb(tmp_path / "own.ttl") as opened:
        ada = opened.index.lookup("Ada Lovelace")[0].entity
        assert opened.names[ada] == "Ada Lovelace"
        babbage = type(ada)("http://example.org/Charles_Babbage")
        assert opened.names.show(babbage) == "Charles Babbage"


def test_an_endpoint_that_is_down_is_an_error() -> None:
    with pytest.raises(StoreUnavailable):
        open_kb("http://127.0.0.1:9/sparql")


def test_an_endpoint_that_answers_html_is_an_error() -> None:
    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>Welcome</html>")

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with pytest.raises(StoreUnavailable):
            open_kb(f"http://127.0.0.1:{server.server_port}/sparql")
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.skipif(oxigraph_binary() is None, reason="no oxigraph server is installed")
def test_an_endpoint_answers_as_its_file_does(tmp_path: Path) -> None:
    with oxigraph_server([TINY], tmp_path) as url, Engine.open(url, ScriptedParser(SCRIPT)) as remote:
        assert labels(remote.ask(LANGUAGE)) == ["Arabic"]
        assert remote.kb.names[EGYPT] == "Egypt" and remote.kb.degree(EGYPT) == 13
        assert freebase("location.country.capital") in remote.kb.paths.predicates


def test_the_stub_opens_when_its_tables_build() -> None:
    from freebase_stub import compile_tables

    if compile_tables().problems:
        pytest.skip("the tables are being filled")
    question = CAPITAL
    with Engine.open(None, ScriptedParser({question: _CAPITAL.format("m.02k54")})) as stub:
        assert labels(stub.ask(question)) == ["Cairo"]
        assert stub.kb.name == "stub" and len(stub.kb.index) > 1000
