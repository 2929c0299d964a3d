"""A language model as parser, corrector and phraser, against a real server that speaks OpenAI's protocol."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kbqa.backends import Backends
from kbqa.correct import Context
from kbqa.engine import Engine
from kbqa.errors import InputError, ModelError
from kbqa.intake import constants_of
from kbqa.kb import KnowledgeBase, build_kb, open_kb
from kbqa.lexicon import freebase_lexicon
from kbqa.llm import LlmCorrector, LlmParser, LlmPhraser
from kbqa.llm.answers import lines_of
from kbqa.llm.offered import Offered, Similarity
from kbqa.llm.phraser import wording
from kbqa.llm.prompt import _NAMES, FORMS, Examples, rules
from kbqa.models.llm import Call, ChatSeq2Seq, Endpoint, into_file
from kbqa.phrase import StepInContext
from kbqa.templates import Names, read, read_all, write
from kbqa.types import Count, Decomposition, Find, Hop, Iri, Pick, Ref, Step, freebase

TINY = Path(__file__).parent / "data" / "tiny.nt"
EGYPT, GIANTS, SEAL = freebase("m.02k54"), freebase("m.0713r"), freebase("m.0dgn")
CAPITAL = Find(EGYPT, (Hop(freebase("location.country.capital")),))
TEAM = Find(SEAL, (Hop(freebase("sports.mascot.team")),))
QUESTION = "What is the capital of Egypt?"


def said(step: Step, name: str = "Egypt") -> str:
    """A step's template, its entity called `name`."""
    entities = [c for c in constants_of(step) if isinstance(c, Iri)]
    return write(step, 2, freebase_lexicon(), Names(dict.fromkeys(entities, name)))


TEMPLATE = said(CAPITAL)
LANGUAGE = Find(EGYPT, (Hop(freebase("location.country.official_language")),))
WON = Find(Ref(1), (Hop(freebase("sports.sports_team.championships")),))

Send = Callable[[BaseHTTPRequestHandler], None]


def completion(text: str | None, **message: Any) -> Send:
    """A reply as the protocol has it, 120 tokens read and 30 written."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text, **message},
    }
    usage = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}
    return raw(json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}))


def raw(body: str, status: int = 200, headers: dict[str, str] | None = None, wait_s: float = 0.0) -> Send:
    def send(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(wait_s)
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body.encode())))
        handler.end_headers()
        handler.wfile.write(body.encode())

    return send


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, without end."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(200):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.05)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    handler.connection.close()


@dataclass
class Model:
    """A server that answers with what stands in `script`, the last one again and again; `asked` are the
    bodies it got, `headers` what came with them."""

    url: str = ""
    script: list[Send] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def says(self, *script: Send | str) -> Model:
        self.script[:] = [completion(s) if isinstance(s, str) else s for s in script]
        return self

    @property
    def prompts(self) -> list[str]:
        return [body["messages"][-1]["content"] for body in self.asked]

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(self.url, "tiny-chat", "s3cret", time_limit_s=5.0, price_in=2.0, price_out=10.0)


@pytest.fixture
def model() -> Iterator[Model]:
    found = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/chat/completions"
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.asked.append(json.loads(body))
            found.headers.append(dict(self.headers))
            send = found.script.pop(0) if len(found.script) > 1 else found.script[0]
            try:
                send(self)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    found.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = build_kb([TINY], tmp_path_factory.mktemp("kb") / "tiny")
    with open_kb(str(folder)) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBQA_CACHE", str(tmp_path))
    monkeypatch.setattr("kbqa.models.llm._WAIT_S", 0.01)


def steps_of(parser: LlmParser, kb: KnowledgeBase, question: str, n: int = 3) -> list[tuple[Step, ...]]:
    return [p.decomposition.steps for p in parser.parse(question, kb.linker.link(question), n=n)]


# --- the endpoint -----------------------------------------------------------


def test_answers_are_told_apart_and_come_in_their_order(model: Model) -> None:
    model.says("Cairo?\n---\nWho?\n ---- \n\nCairo?")
    (found,) = ChatSeq2Seq(model.endpoint, "Be brief.").generate(["What is it?"], n=5)
    assert [s.text for s in found] == ["Cairo?", "Who?"]
    assert 0 > found[0].logprob > found[1].logprob
    (body,) = model.asked
    assert body["model"] == "tiny-chat" and body["temperature"] == 0
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert body["messages"][1]["content"].startswith("What is it?\n\nGive up to 5 different answers")
    assert model.headers[0]["Authorization"] == "Bearer s3cret"


def test_time_tokens_and_cost_of_each_completion_are_recorded(model: Model, tmp_path: Path) -> None:
    model.says(raw("{}", 503), completion("ok"), completion(None, refusal="I won't."))
    chat = ChatSeq2Seq(model.endpoint, "", purpose="parse", record=into_file(tmp_path / "calls.jsonl"))
    assert chat.generate(["a", "b"])[1] == []
    first, second = chat.calls
    assert replace(first, seconds=0.0) == Call("parse", "tiny-chat", "answered", 0.0, 2, 120, 30, 0.00054)
    assert 0 < first.seconds < 5
    assert (second.outcome, second.error, second.attempts) == ("refused", "I won't.", 1)
    rows = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    assert [r["outcome"] for r in rows] == ["answered", "refused"] and rows[0]["tokens_in"] == 120


@pytest.mark.parametrize(
    ("troubles", "attempts"),
    [
        ([raw('{"error": {"message": "slow down"}}', 429, {"Retry-After": "0"})], 2),
        ([raw("oops", 500), raw("{not json")], 3),
        ([hang_up], 2),
        ([raw('{"choices": []}')], 2),
        ([completion("  ")], 2),
    ],
)
def test_passing_troubles_are_tried_again(model: Model, troubles: list[Send], attempts: int) -> None:
    model.says(*troubles, "fine")
    chat = ChatSeq2Seq(model.endpoint, "")
    assert chat.generate(["?"])[0][0].text == "fine" and chat.calls[0].attempts == attempts


@pytest.mark.parametrize(
    ("reply", "said", "attempts"),
    [
        (raw('{"error": {"message": "invalid api key"}}', 401), "HTTP 401, invalid api key", 1),
        (raw("<html>no such page</html>", 404), "HTTP 404", 1),
        (raw("moved", 302, {"Location": "http://127.0.0.1:9/"}), "HTTP 302", 1),
        (raw("{not json"), "no chat completion: '{not json'", 3),
        (raw('{"choices": [{"message": "hm"}]}'), "no chat completion", 3),
        (raw("[]"), "no chat completion", 3),
        (raw("down", 503), "HTTP 503, down", 3),
        (hang_up, "can't be reached", 3),
        (completion(None), "its reply is empty", 3),
    ],
)
def test_lasting_troubles_are_an_error_that_says_which(
    model: Model, reply: Send, said: str, attempts: int
) -> None:
    model.says(reply)
    chat = ChatSeq2Seq(model.endpoint, "")
    with pytest.raises(ModelError, match="did not answer") as error:
        chat.generate(["?"])
    assert (
        said in str(error.value) and "KBQA_LLM_URL" in str(error.value) and "s3cret" not in str(error.value)
    )
    assert (chat.calls[0].outcome, chat.calls[0].attempts) == ("failed", attempts)


@pytest.mark.parametrize("slow", [raw("{}", wait_s=3.0), trickle])
def test_a_slow_endpoint_is_given_up_at_the_time_limit(model: Model, slow: Send) -> None:
    model.says(slow)
    chat = ChatSeq2Seq(replace(model.endpoint, time_limit_s=0.3), "")
    started = time.monotonic()
    with pytest.raises(ModelError, match=r"no reply within 0\.3 seconds"):
        chat.generate(["?"])
    assert time.monotonic() - started < 2 and chat.calls[0].seconds < 2


def test_a_server_that_asks_for_more_time_than_there_is_is_not_waited_for(model: Model) -> None:
    model.says(raw("later", 429, {"Retry-After": "60"}))
    started = time.monotonic()
    with pytest.raises(ModelError, match="HTTP 429"):
        ChatSeq2Seq(model.endpoint, "").generate(["?"])
    assert time.monotonic() - started < 2


def test_no_server_at_all_is_an_error_too() -> None:
    with pytest.raises(ModelError, match="can't be reached"):
        ChatSeq2Seq(Endpoint("http://127.0.0.1:9/v1", "m", attempts=1), "").generate(["?"])


def test_an_endpoint_comes_from_the_environment_and_its_key_shows_nowhere() -> None:
    given = {
        "KBQA_LLM_URL": "https://llm.example.org/v1/", "KBQA_LLM_MODEL": "m", "KBQA_LLM_KEY": "k3y",
        "KBQA_LLM_SECONDS": "7.5", "KBQA_LLM_OPTIONS": '{"max_tokens": null, "max_completion_tokens": 9}',
    }  # fmt: skip
    found = Endpoint.from_environment(given)
    assert (found.url, found.time_limit_s, found.key) == ("https://llm.example.org/v1", 7.5, "k3y")
    assert "k3y" not in repr(found)
    body = json.loads(ChatSeq2Seq(found, "")._request([]).data or b"")  # type: ignore[arg-type]
    assert "max_tokens" not in body and body["max_completion_tokens"] == 9


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "KBQA_LLM_URL"),
        (
            {"KBQA_LLM_URL": "llm.example.org", "KBQA_LLM_MODEL": "m"},
            "no language model at 'llm.example.org'",
        ),
        ({"KBQA_LLM_URL": "http://x/v1"}, "KBQA_LLM_MODEL"),
        ({"KBQA_LLM_SECONDS": "soon"}, "KBQA_LLM_SECONDS is 'soon'"),
        ({"KBQA_LLM_OPTIONS": "[1]"}, "KBQA_LLM_OPTIONS"),
    ],
)
def test_settings_that_can_t_be_used_are_named(given: dict[str, str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Endpoint.from_environment(given)


def test_what_a_reasoning_model_thinks_aloud_is_no_answer(model: Model) -> None:
    model.says("<think>What is the capital? Hm.\n---\n</think>\nCairo")
    assert [s.text for s in ChatSeq2Seq(model.endpoint, "").generate(["?"], n=3)[0]] == ["Cairo"]


# --- the language it is told ------------------------------------------------


def test_every_form_in_the_instruction_reads_back_as_the_step_it_shows() -> None:
    text = rules()
    for what, step, number in FORMS:
        line = next(line for line in text.splitlines() if line.endswith(f"({what})"))
        sentence = line.removeprefix("- ").removesuffix(f"   ({what})")
        assert read(sentence, number, freebase_lexicon(), _NAMES) == step


def test_every_example_that_ships_is_in_the_language() -> None:
    examples = Examples.load()._examples
    assert len(examples) >= 50
    for e in examples:
        names = {m for s in e.steps for m in _names_in(s)}
        labels = Names({freebase(f"m.0{i}x"): name for i, name in enumerate(sorted(names))})
        assert len(read_all(e.steps, freebase_lexicon(), labels)) == len(e.steps)


def _names_in(sentence: str) -> list[str]:
    parts = [p.split("]")[0] for p in sentence.split("[")[1:]]
    return [p for p in parts if not re.match(r"that |the .* of step \d|[\d.-]+\Z", p)]


def test_examples_are_those_that_sound_like_the_question_but_never_itself() -> None:
    examples = Examples.load()
    question = next(e.question for e in examples._examples if "National Football" not in e.question)
    shown = [e.question for e in examples.like(question)]
    assert len(shown) == 4 and question not in shown


def test_examples_may_be_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_text('{"question": "Where is it?", "steps": ["What is it?"]}\n')
    assert [e.question for e in Examples.load(file).like("x")] == ["Where is it?"]
    file.write_text('{"question": "Where is it?"}\n')
    with pytest.raises(InputError, match=r"own.jsonl, line 1"):
        Examples.load(file)


def test_similarity_counts_rare_words_more() -> None:
    texts = ["the capital of a country", "the language of a country", "the capital city's mayor"]
    assert Similarity(texts).ranked("who is mayor of the capital?")[0] == 2
    assert Similarity(texts).ranked("languages")[0] == 1


# --- the parser -------------------------------------------------------------


def test_a_question_is_parsed_into_what_the_model_wrote(model: Model, kb: KnowledgeBase) -> None:
    model.says(f"{TEMPLATE}\n---\n{said(LANGUAGE)}\nOf these, how many are there?")
    parser = LlmParser.over(model.endpoint, kb)
    first, second = steps_of(parser, kb, QUESTION)
    assert first == (CAPITAL,) and second[1] == Count(Ref(1)) and len(model.asked) == 1
    prompt = model.prompts[0]
    assert "Phrases for [Egypt]:" in prompt and f"- {TEMPLATE[8:-1]}" in prompt
    assert "mascot" not in prompt.split("Phrases for the answers")[0].split("Phrases for [Egypt]")[1]
    assert "Question: What is the capital of Egypt?" in prompt and parser.signature == "tiny-chat@127.0.0.1"


def test_numbers_bullets_and_fences_around_the_lines_do_no_harm(model: Model, kb: KnowledgeBase) -> None:
    model.says(
        f"Here are the steps:\n```\n1. {said(TEAM, 'Lou Seal')}\n"
        f"Step 2: `{said(WON)}`\n"
        '- "Of these, which has the latest end date?"\n```'
    )
    question = "Which World Series did the team with the mascot Lou Seal win last?"
    ((team, won, last),) = steps_of(LlmParser.over(model.endpoint, kb), kb, question)
    assert team == TEAM and isinstance(won, Find) and isinstance(last, Pick) and len(model.asked) == 1


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("The capital of Egypt is Cairo.", "no line is a step"),
        (TEMPLATE.replace("[Egypt]", "Egypt"), "one name in brackets expected"),
        (TEMPLATE.replace("Egypt", "Sudan"), "no entity is named 'Sudan' here; known: Egypt"),
        (TEMPLATE.replace("Egypt", "m.02b1"), "is none of the names listed"),
        ("What is the film directed by [Egypt]?", "take a phrase that is listed"),
        ("What is the team with the mascot [Egypt]?", ""),
        ("Of these, how many are there?", ""),
    ],
)
def test_what_can_t_be_read_is_sent_back_once_with_the_reason(
    model: Model, kb: KnowledgeBase, bad: str, reason: str
) -> None:
    model.says(bad, TEMPLATE)
    parser = LlmParser.over(model.endpoint, kb)
    assert steps_of(parser, kb, QUESTION) == [(CAPITAL,)]
    assert len(model.asked) == 2
    assert bad in model.prompts[1] and "can't be read: " in model.prompts[1] and reason in model.prompts[1]
    model.asked.clear()
    model.says(bad)
    assert steps_of(parser, kb, QUESTION) == [] and len(model.asked) == 2


def test_a_second_best_that_can_t_be_read_is_left_out_without_asking_again(
    model: Model, kb: KnowledgeBase
) -> None:
    model.says(f"{TEMPLATE}\n---\nI am not sure.")
    assert steps_of(LlmParser.over(model.endpoint, kb), kb, QUESTION) == [(CAPITAL,)]
    assert len(model.asked) == 1


def test_a_refusal_is_no_reading_and_a_failure_is_an_error(model: Model, kb: KnowledgeBase) -> None:
    parser = LlmParser.over(model.endpoint, kb)
    model.says(completion(None, refusal="I can't help with that."))
    assert steps_of(parser, kb, QUESTION) == [] and len(model.asked) == 1
    model.says(raw("no", 400))
    with pytest.raises(ModelError, match="HTTP 400"):
        steps_of(parser, kb, QUESTION)


def test_without_an_entity_nothing_is_sent(model: Model, kb: KnowledgeBase) -> None:
    model.says(TEMPLATE)
    assert steps_of(LlmParser.over(model.endpoint, kb), kb, "why is that so?") == [] and model.asked == []


def test_entities_of_elsewhere_may_be_asked_about_where_nothing_is_grounded(
    model: Model, kb: KnowledgeBase
) -> None:
    model.says("What is the film directed by [Ang Lee]?")
    engine = Engine(kb, LlmParser.over(model.endpoint, kb))
    (parse,) = engine.parse("What did Ang Lee direct?", {freebase("m.0xyz"): "Ang Lee"}, n=3)
    assert parse.decomposition == Decomposition(
        (Find(freebase("m.0xyz"), (Hop(freebase("film.film.directed_by"), True),)),)
    )


def test_a_name_can_t_break_out_of_its_brackets(kb: KnowledgeBase) -> None:
    told = dict(Offered(kb).phrases("capital", Names({EGYPT: "Egy]pt [x"}), {}))
    assert any(line.endswith(" [Egy\\]pt \\[x]") for line in told[EGYPT])


def test_an_engine_answers_with_it_end_to_end(model: Model, kb: KnowledgeBase) -> None:
    model.says(TEMPLATE)
    endpoint = model.endpoint
    phraser = LlmPhraser.over(endpoint, kb.lexicon)
    engine = Engine(
        kb, LlmParser.over(endpoint, kb), phraser=phraser, corrector=LlmCorrector.over(endpoint, kb)
    )
    model.says(
        TEMPLATE, "Which city is the capital of Egypt?", "What is the official language of [Egypt]?", "x?"
    )
    dialogue = engine.ask(QUESTION)
    version = dialogue.current
    assert version is not None and [a.label for a in version.steps[0].answers] == ["Cairo"]
    assert version.steps[0].question == "Which city is the capital of Egypt?"
    (corrected,) = engine.correct("what do people speak in Egypt?", version, 1, dialogue, 3)
    assert corrected.step == LANGUAGE


def test_the_environment_names_it_for_every_command(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in ("PARSER", "CORRECTOR", "PHRASER"):
        monkeypatch.setenv(f"KBQA_{role}", "llm")
    monkeypatch.setenv("KBQA_LISTENER", "none")
    monkeypatch.setenv("KBQA_LLM_URL", model.url)
    monkeypatch.setenv("KBQA_LLM_MODEL", "tiny-chat")
    monkeypatch.setenv("KBQA_LLM_LOG", str(tmp_path / "calls.jsonl"))
    model.says(TEMPLATE, "Which city is the capital of Egypt?")
    with Engine.open(str(TINY)) as engine:
        version = engine.ask(QUESTION).current
    assert version is not None and version.steps[0].shown == "Which city is the capital of Egypt?"
    rows = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    assert [r["purpose"] for r in rows] == ["parse", "phrase"]


@pytest.mark.parametrize(
    ("settings", "error", "told"),
    [
        ({"KBQA_PARSER": "llm"}, InputError, "KBQA_LLM_URL"),
        ({"KBQA_LISTENER": "llm"}, InputError, "tells no probabilities"),
        ({"KBQA_PARSER": "/no/such/folder"}, ModelError, "/no/such/folder does not exist"),
    ],
)
def test_back_ends_that_can_t_be_had_are_named(
    settings: dict[str, str], error: type[Exception], told: str, kb: KnowledgeBase
) -> None:
    backends = Backends(kb, settings)
    with pytest.raises(error, match=told):
        assert backends.parser and backends.phraser


# --- the corrector ----------------------------------------------------------

WHOLE = "Which World Series did the team with the mascot Lou Seal win?"
SHOWN = Context(
    (TEAM,), ("team",), ((GIANTS,),), ("Whose mascot is Lou Seal?",), WHOLE, ((SEAL, "Lou Seal"),)
)


def corrections(corrector: LlmCorrector, kb: KnowledgeBase, text: str, context: Context) -> list[Step]:
    return [c.step for c in corrector.correct(text, kb.linker.link(text), context, n=3)]


def test_a_correction_is_read_in_its_context(model: Model, kb: KnowledgeBase) -> None:
    model.says(said(WON))
    (step,) = corrections(LlmCorrector.over(model.endpoint, kb), kb, "what did they win?", SHOWN)
    assert step == WON
    prompt = model.prompts[0]
    assert "1. Whose mascot is Lou Seal?" in prompt and WHOLE in prompt and "- [Lou Seal]" in prompt


def test_what_a_mode_withholds_is_not_sent(model: Model, kb: KnowledgeBase) -> None:
    model.says(said(WON))
    alone = replace(SHOWN, shown=(), question=None)
    (step,) = corrections(LlmCorrector.over(model.endpoint, kb), kb, "what did that team win?", alone)
    assert step == WON
    assert "Seal" not in json.dumps(model.asked)


@pytest.mark.parametrize(
    "bad",
    [
        "They won the World Series.",
        said(WON).replace("[that thing]", "[the team of step 7]"),
        "What is the film directed by [Lou Seal]?",
        f"{TEMPLATE}\n{TEMPLATE}",
    ],
)
def test_a_correction_that_can_t_be_read_is_sent_back_once(model: Model, kb: KnowledgeBase, bad: str) -> None:
    model.says(bad, said(WON))
    assert len(corrections(LlmCorrector.over(model.endpoint, kb), kb, "what did they win?", SHOWN)) == 1
    assert len(model.asked) == 2 and bad.splitlines()[0] in model.prompts[1]


# --- the phraser ------------------------------------------------------------

STEP = StepInContext((CAPITAL,), 1, {EGYPT: "Egypt"}.__getitem__, QUESTION, (), TEMPLATE)


def texts(model: Model, n: int = 3) -> list[str]:
    phraser = LlmPhraser.over(model.endpoint, freebase_lexicon())
    return [p.text for p in phraser.phrase(STEP, n=n)]


def test_wordings_are_the_model_s_where_they_hold_the_name(model: Model) -> None:
    model.says(
        "Which city is Egypt's capital?\n---\nWhat is its capital?\n---\nWhat is the capital of [Egypt]?"
    )
    assert texts(model) == ["Which city is Egypt's capital?"]
    assert model.prompts[0].startswith(f"The whole question: {QUESTION}\n\nSub-question: {TEMPLATE}")


@pytest.mark.parametrize(
    "bad", ["What is the capital of egypt?", "Sure! Here it is:\nWhat?", "Cairo", "Why [Egypt]?"]
)
def test_a_wording_that_loses_the_name_is_sent_back_and_then_the_rules_speak(model: Model, bad: str) -> None:
    model.says(bad, "What city is the capital of Egypt?")
    assert texts(model) == ["What city is the capital of Egypt?"] and len(model.asked) == 2
    model.says(bad)
    assert "What is the capital of Egypt?" in texts(model, 10)


@pytest.mark.parametrize("reply", [raw("no", 401), completion(None, refusal="No."), raw("{", 200)])
def test_no_dialogue_fails_for_want_of_a_wording(model: Model, reply: Send) -> None:
    model.says(reply)
    assert all("Egypt" in text for text in texts(model, 10))


def test_names_with_signs_in_them_count_as_written() -> None:
    assert wording("Who made C++ (the language)?", ["C++ (the language)"])
    assert wording("Who starred in [REC]?", ["[REC]"])
    with pytest.raises(InputError, match="missing, or written otherwise"):
        wording("Who are the Egyptians?", ["Egypt"])


def test_lines_lose_their_decoration_only() -> None:
    answer = "```text\n1) What is [1984]?\n* Who is \"X\"?\n\n'What is it?'\n2. Of these?\n1984 is what?\n```"
    assert list(lines_of(answer)) == [
        "What is [1984]?", 'Who is "X"?', "What is it?", "Of these?", "1984 is what?",
    ]  # fmt: skip
