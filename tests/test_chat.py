"""The chat: said line by line to a session over a small graph, and in a real terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from films import BIRTHPLACE, DIRECTOR, LATEST, NATIONALITY, NOTHING, Worded, film_engine
from rich.console import Console

from kbqa.cli.commands import COMMAND_WORDS, HELP, Command, read_command
from kbqa.cli.session import Session
from kbqa.cli.show import console
from kbqa.dialogue import FULL, NON_INTERACTIVE, TEMPLATED, Mode
from kbqa.engine import Engine
from kbqa.errors import InputError, StoreUnavailable, UnknownDialogue
from kbqa.feedback import Back, Choose, Delete, Edit, Insert, Replace, Stop, Undo
from kbqa.records import Records


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with film_engine(tmp_path_factory.mktemp("films"), Worded()) as opened:
        yield opened


class Chat:
    """A session whose output is read back, from the last utterance on or in all."""

    def __init__(self, engine: Engine, records: Records | None = None, mode: Mode = FULL) -> None:
        self._file = io.StringIO()
        self.out = Console(file=self._file, highlight=False, soft_wrap=True, markup=False, emoji=False)
        self.session = Session(engine, mode, self.out, records)

    def say(self, *texts: str) -> str:
        """What is shown after the last of them."""
        start = 0
        for text in texts:
            start = len(self._file.getvalue())
            self.goes_on = self.session.hear(text)
        return self._file.getvalue()[start:]


@pytest.fixture
def chat(engine: Engine) -> Chat:
    return Chat(engine)


# --- commands ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("insert 2 Who is that?", Insert(2, "Who is that?")),
        ("edit 1: Who directed Big?", Edit(1, "Who directed Big?")),
        ("/replace 3 Of these, which is the largest?", Replace(3, "Of these, which is the largest?")),
        ("delete 2", Delete(2)),
        ("Back 1", Back(1)),
        ("choose 3", Choose(3)),
        ("undo", Undo()),
        ("stop", Stop()),
        ("stop, this is nonsense", None),
        ("stop this is nonsense", Stop("this is nonsense")),
        ("link", Command("link")),
        ("link 2", Command("link", 2)),
        ("sparql 1", Command("sparql", 1)),
        ("?", Command("help")),
        ("quit", Command("quit")),
        ("delete step 2", None),
        ("edit step 2 to who wrote it", None),
        ("new york's mayor", None),
        ("links", None),
        ("back", None),
    ],
)
def test_a_command_is_read_to_the_letter_and_all_else_is_free_words(text: str, read: object) -> None:
    assert read_command(text) == read


def test_help_names_every_command(chat: Chat) -> None:
    assert [word for word in COMMAND_WORDS if not re.search(rf"^  .*\b{word}\b", HELP, re.MULTILINE)] == []
    assert chat.say("help").splitlines() == HELP.splitlines()


# --- the loop ------------------------------------------------------------------


def test_a_question_is_shown_with_its_steps_and_what_may_be_said(chat: Chat) -> None:
    assert chat.say(NATIONALITY).splitlines() == [
        "Here is how I understood your question:",
        "  1. Who wrote Forrest Gump?",
        "     Eric Roth",
        "  2. What is the nationality of that writer?",
        "     United States",
        "Answer: United States",
        "Is this right? (yes / no / not sure, or say what is wrong; 5 corrections left)",
    ]


@pytest.mark.parametrize("text", ["undo", "stop this", "delete 1", "edit 1 Who directed Big"])
def test_feedback_without_a_question_is_no_question(chat: Chat, text: str) -> None:
    assert chat.say(text) == "There is no question that this could be said to: ask one.\n"
    assert "Robert Zemeckis" in chat.say(DIRECTOR)


def test_free_words_are_shown_back_and_applied_after_a_yes(chat: Chat) -> None:
    asked = chat.say(NATIONALITY, "no, I meant the producer")
    assert asked == "Edit step 1 to: Who is the producer of Forrest Gump? - right? (yes / no)\n"
    assert chat.session.prompt == "[y/n] > "
    shown = chat.say("y")
    assert "Version 2." in shown and "1. Who produced Forrest Gump? (new)\n     Wendy Finerman" in shown
    assert "Answer: United Kingdom\n" in shown and "4 corrections left" in shown
    assert chat.session.prompt == "> "


def test_after_a_no_all_is_as_it_was(chat: Chat) -> None:
    assert "other words" in chat.say(NATIONALITY, "remove step 2", "n")
    assert "5 corrections left" in chat.say("show")


def test_another_utterance_instead_of_yes_or_no_leaves_the_first_undone(chat: Chat) -> None:
    said = chat.say(NATIONALITY, "remove step 2", "no, I meant the producer")
    assert said.startswith("Left as it was.\nEdit step 1 to: Who is the producer")


def test_commands_are_applied_at_once(chat: Chat) -> None:
    shown = chat.say(LATEST, "delete 3")
    assert "Answer: Cast Away, Forrest Gump\n" in shown and "4 corrections left" in shown
    back = chat.say("undo")
    assert "Version 1." in back and "Answer: Cast Away\n" in back and "4 corrections left" in back
    assert "Version 2." in chat.say("back 2")


def test_what_can_not_be_done_is_a_sentence_and_the_chat_goes_on(chat: Chat) -> None:
    assert chat.say("show") == "There is no question yet: ask one.\n"
    assert chat.say(NATIONALITY, "undo") == "There is nothing to undo: this is the first version.\n"
    assert chat.say("delete 7") == "There is no step 7: the steps are numbered 1 to 2.\n"
    assert chat.say("choose 99").startswith("There is no alternative 99: offered are ")
    assert chat.say("link 4") == "There is no entity 4: 'link' lists those there are.\n"
    assert "was not understood" in chat.say("edit 2 blah blah blah")
    assert chat.goes_on and "5 corrections left" in chat.say("show")


def test_where_it_breaks_is_said_and_what_may_be_meant_is_offered(chat: Chat) -> None:
    shown = chat.say(NOTHING)
    assert "     nothing was found\nAnswer: nothing found\n" in shown
    assert re.search(r"You may also mean:\n  1\) step 1, .*\n     1 answer: \S", shown)
    offered = re.findall(r"\) step 1, with another relation: (.*)\n     1 answer: (.*)", shown)
    taken = chat.say("choose 1")
    assert f"1. {offered[0][0]} (new)\n     {offered[0][1]}\n" in taken


def test_a_name_that_may_be_another_is_listed_and_taken(chat: Chat) -> None:
    chat.say(BIRTHPLACE)
    assert chat.say("link").splitlines()[:2] == [
        "'Georgia' is Georgia (country); it may also be",
        "  1) Georgia (us state)",
    ]
    assert "Answer: Atlanta\n" in chat.say("link 1")
    again = chat.say("not the state, the country")
    assert again.startswith("Take Georgia (country) instead of Georgia (us state)")
    assert "Answer: Tbilisi\n" in chat.say("yes")


def test_queries_and_answers_can_be_looked_at(chat: Chat) -> None:
    chat.say(NATIONALITY)
    assert chat.say("answers 1") == "Step 1: Who wrote Forrest Gump?\n     Eric Roth (m.roth)\n"
    assert "United States (m.usa)" in chat.say("answers")
    query = chat.say("sparql 1")
    assert query.startswith("SELECT") and "nationality" not in query
    found = chat.session._engine.kb.store.select(chat.say("sparql"))
    assert [row[0].mid for row in found.rows] == ["m.usa"]  # type: ignore[union-attr]


def test_yes_not_sure_and_stop_are_answered_and_can_be_taken_back(chat: Chat) -> None:
    assert chat.say(DIRECTOR, "not sure").startswith("Noted")
    assert chat.say("yes") == "Good. Ask another question, or 'undo' to go on with this one.\n"
    assert "this dialogue is over" in chat.say("delete 1").casefold()
    assert "Is this right?" in chat.say("undo")
    assert chat.say("stop no idea at all").startswith("Stopped.")
    assert "Here is how I understood" in chat.say(NATIONALITY)


def test_a_question_about_the_same_thing_is_an_edit_or_after_a_no_a_new_one(chat: Chat) -> None:
    assert chat.say(DIRECTOR, NOTHING).startswith("Edit step 1 to: What is the sequel of Cast Away?")
    assert chat.say("no").startswith("Ask as a new question: What is the sequel of Cast Away?")
    assert "nothing was found" in chat.say("yes")


def test_what_is_not_understood_leaves_the_question_before_as_it_is(chat: Chat) -> None:
    said = chat.say(DIRECTOR, "Who is the king of Spain?")
    assert "I did not understand this question." in said and "The question before stays" in said
    assert "Who directed Cast Away?" in chat.say("show")
    assert chat.say("new", "show") == "There is no question yet: ask one.\n"


def test_edits_end_and_that_is_told_at_once(chat: Chat) -> None:
    chat.say(LATEST)
    for _ in range(5):
        last = chat.say("delete 3", "undo")
    assert "no corrections are left" in last
    assert chat.say("remove the first step").startswith("No edits are left in this dialogue")
    assert chat.session.prompt == "> "


def test_a_mode_without_corrections_says_so_and_takes_questions_one_after_another(engine: Engine) -> None:
    chat = Chat(engine, mode=NON_INTERACTIVE)
    assert chat.say(NATIONALITY).endswith("Is this right? (yes / not sure / stop)\n")
    assert "takes no corrections" in chat.say("remove step 1")
    assert "Robert Zemeckis" in chat.say(DIRECTOR)


def test_a_mode_without_corrections_proposes_none(engine: Engine) -> None:
    chat = Chat(engine, mode=NON_INTERACTIVE)
    said = "".join(map(chat.say, (BIRTHPLACE, "link", "not sure", "yes", "show", "no")))
    assert "Georgia" in said and "'link 1'" not in said and "undo" not in said
    assert "You may still say yes, or stop." in said and "what is wrong" not in said


@pytest.mark.parametrize("text", ["not sure", "I have no idea", "no", "no, that's wrong", "this is useless"])
def test_after_the_end_a_verdict_is_no_question(text: str, chat: Chat) -> None:
    chat.say(DIRECTOR, "yes")
    reply = chat.say(text)
    assert "did not understand" not in reply and "is over" in reply and "undo" in reply


def test_undo_is_proposed_where_there_is_something_to_undo(chat: Chat) -> None:
    chat.say(LATEST)
    for _ in range(5):
        last = chat.say("delete 3", "undo")
    assert "undo" not in last and "undo" in chat.say("back 2").splitlines()[-1]


def test_a_mode_says_how_steps_are_shown(engine: Engine) -> None:
    assert "1. Who is the screenwriter of [Forrest Gump]?" in Chat(engine, mode=TEMPLATED).say(NATIONALITY)


def test_a_store_that_fails_is_told_and_the_chat_goes_on(
    chat: Chat, engine: Engine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def down(*_: object, **__: object) -> None:
        raise StoreUnavailable("http://127.0.0.1:1/sparql: connection refused")

    chat.say(NATIONALITY)
    with monkeypatch.context() as broken:
        broken.setattr(engine.kb.store, "select", down)
        chat.say(DIRECTOR)
    assert "connection refused" in capsys.readouterr().err
    assert "Who wrote Forrest Gump?" in chat.say("show")


def test_names_can_not_act_on_the_terminal(chat: Chat) -> None:
    said = chat.say("Who is \x1b[31m\x07 [bold]red[/bold] :smile:?")
    assert "\x1b" not in said and "\x07" not in said


# --- records -------------------------------------------------------------------


def test_every_turn_is_kept_before_it_is_shown_and_gone_on_with(engine: Engine, tmp_path: Path) -> None:
    with Records(tmp_path / "kept.sqlite") as records:
        first = Chat(engine, records)
        first.say(LATEST, "delete 3", "not sure")
        (summary,) = records.recent()
        kept = records.load(summary.id)
        assert kept == first.session.dialogue and len(kept.versions) == 2 and kept.unsure == (2,)
        again = Chat(engine, records)
        again.session.begin(summary.id)
        assert "Version 1." in again.say("undo")
        last = Chat(engine, records)
        last.session.begin("last")
        assert last.session.dialogue == records.load(summary.id)
        assert last.session.dialogue is not None and last.session.dialogue.at == 1


def test_a_dialogue_that_is_not_kept_or_about_other_data_is_refused(engine: Engine, tmp_path: Path) -> None:
    with Records(tmp_path / "kept.sqlite") as records:
        chat = Chat(engine, records)
        with pytest.raises(UnknownDialogue, match="no dialogue is kept"):
            chat.session.begin("last")
        with pytest.raises(UnknownDialogue, match="nowhere"):
            chat.session.begin("nowhere")
        from dataclasses import replace

        foreign = replace(engine.ask(DIRECTOR), kb="elsewhere")
        records.save(foreign)
        with pytest.raises(InputError, match="--kb"):
            chat.session.begin(foreign.dialogue_id)


def test_records_that_fail_are_told_and_the_chat_goes_on(
    engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = Records(tmp_path / "kept.sqlite")
    chat = Chat(engine, records)
    chat.say(LATEST)
    records.close()
    shown = chat.say("delete 3")
    assert "From here on nothing is kept." in shown and "Answer: Cast Away, Forrest Gump" in shown
    assert capsys.readouterr().err.startswith("kbqa: ")
    assert "nothing is kept" not in chat.say("undo")


# --- the command ---------------------------------------------------------------

_PATIENCE_S = 300
"""Seconds for what takes two: on a machine that does something else meanwhile."""
_RUN = """
import sys, tempfile
from pathlib import Path
from films import Worded, film_engine
from kbqa.engine import Engine
Engine.open = classmethod(lambda cls, kb=None, parser=None: film_engine(Path(tempfile.mkdtemp()), Worded()))
from kbqa.cli import main
main()
"""


def _call(tmp_path: Path, *words: str) -> tuple[list[str], dict[str, str]]:
    """The command and its environment: this graph instead of the stub and its parser."""
    here = Path(__file__).parent
    environment = {
        **os.environ,
        "PYTHONPATH": f"{here}{os.pathsep}{here.parent}",
        "KBQA_CACHE": str(tmp_path / "cache"),
        "TERM": "xterm",
    }
    command = [sys.executable, "-c", _RUN, "chat", "--records", str(tmp_path / "kept.sqlite"), *words]
    return command, environment


def test_from_a_pipe_each_line_is_an_utterance_and_nothing_is_coloured(tmp_path: Path) -> None:
    lines = f"{NATIONALITY}\n\nno, I meant the producer\ny\nyes\n"
    command, environment = _call(tmp_path)
    ran = subprocess.run(
        command, input=lines.encode(), env=environment, capture_output=True, timeout=_PATIENCE_S
    )
    out = ran.stdout.decode()
    assert ran.returncode == 0 and not ran.stderr and "\x1b" not in out
    said = [line for line in out.splitlines() if re.match(r"(?:\[y/n\] )?> ", line)]
    assert said == [f"> {NATIONALITY}", "> no, I meant the producer", "[y/n] > y", "> yes"]
    assert "Answer: United Kingdom" in out and "\nGood." in out
    identity = out.splitlines()[-1].rpartition(" ")[2]
    with Records(tmp_path / "kept.sqlite") as records:
        assert records.load(identity).status == "accepted"


def test_nothing_is_kept_where_nothing_is_to_be_kept(tmp_path: Path) -> None:
    command, environment = _call(tmp_path, "--no-records")
    ran = subprocess.run(
        command,
        input=DIRECTOR.encode(),
        env=environment,
        capture_output=True,
        timeout=_PATIENCE_S,
        check=True,
    )
    assert b"Robert Zemeckis" in ran.stdout and b"--resume" not in ran.stdout
    assert not (tmp_path / "kept.sqlite").exists()


def _at_terminal(tmp_path: Path, keys: Sequence[str]) -> tuple[str, int]:
    """What a terminal shows while `keys` are typed, each after a prompt; and the exit code."""
    command, environment = _call(tmp_path)
    pid, terminal = pty.fork()
    if pid == 0:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where the tests run in the background
        os.execvpe(command[0], command, environment)
    shown, left = "", list(keys)
    seen, deadline = 0, time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                shown += os.read(terminal, 65536).decode(errors="replace")
            except OSError:
                break
        elif left and shown[seen:].rstrip(" ").endswith(">"):
            seen = len(shown)
            os.write(terminal, left.pop(0).encode())
    os.close(terminal)
    return shown, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("ending", ["\x04", "\x03"], ids=["Ctrl-D", "Ctrl-C"])
def test_in_a_terminal_it_is_typed_remembered_and_ended(tmp_path: Path, ending: str) -> None:
    shown, code = _at_terminal(tmp_path, [f"{DIRECTOR}\r", "no, I meant the writer\r", "yes\r", ending])
    assert code == 0 and "Traceback" not in shown
    assert "\x1b[" in shown and "William Broyles" in shown and "--resume" in shown
    again, _ = _at_terminal(tmp_path, ["\x1b[A\x1b[A\x1b[A\r", ending])
    assert again.count("Robert Zemeckis") == 2


def test_the_console_has_no_colours_where_it_is_no_terminal() -> None:
    assert console().no_color or not console().is_terminal
