"""The page over a real `kbqa serve`, which has the models and the records."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("streamlit", reason="Streamlit is not installed (extra `ui`)")

import streamlit as st
import uvicorn
from pages import CAPITAL, SCRIPT, TINY, TWO_STEPS, UI, Page, engine_over, read
from remote import Server
from servers import replies
from streamlit.testing.v1 import AppTest

from kbqa.engine import Engine
from kbqa.errors import StoreUnavailable, UnknownDialogue
from kbqa.records import Records
from kbqa.server import make_app

Open = Callable[..., Page]
TOKEN = "a token for tests"


@contextmanager
def serving(folder: Path, port: int, token: str | None = None) -> Iterator[None]:
    with engine_over(str(TINY), SCRIPT) as engine, Records(folder / "server.sqlite") as records:
        app = make_app(engine, records, token=token)
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            end = time.monotonic() + 20
            while not server.started and time.monotonic() < end:
                time.sleep(0.02)
            yield
        finally:
            server.should_exit = True
            thread.join(20)


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number: int = free.getsockname()[1]
        return number


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int) -> Iterator[Open]:
    """`opened(dialogue)`: the page, which may open no engine of its own."""
    for name, value in {
        "KBQA_CACHE": str(tmp_path / "cache"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "KBQA_KB": str(TINY),
        "KBQA_API": f"http://127.0.0.1:{port}",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sources.is_private", lambda: True)
    monkeypatch.setattr(Engine, "open", None)

    def page(dialogue: str | None = None) -> Page:
        test = AppTest.from_file(str(UI / "app.py"), default_timeout=60)
        if dialogue is not None:
            test.query_params["dialogue"] = dialogue
        found = Page(test.run())
        assert not test.exception
        return found

    st.cache_resource.clear()
    yield page
    st.cache_resource.clear()


def test_the_loop_goes_over_the_server_and_is_recorded_there(opened: Open, tmp_path: Path, port: int) -> None:
    with serving(tmp_path, port):
        page = opened()
        assert page.buttons == [CAPITAL]  # an example that the server understands
        page.ask(TWO_STEPS).press("No").press("Edit", 1)
        assert page.type("What is the calling code of that country?").final == "Answer 20"
        assert "Version 1 · answer: Arabic" in next(read(h) for h in page.html if "<details class=" in h)
        again = opened(page.address)
        assert again.final == "Answer 20" and again.press("Undo").final == "Answer Arabic"
        page.press("No").press("Delete", 1)
        assert "continued in another window" in page.text and page.final == "Answer Arabic"
        assert TWO_STEPS in [b.label.replace("\\", "") for b in page.test.sidebar.button]
        page.press("Yes, delete it")
        with pytest.raises(UnknownDialogue):
            Server(f"http://127.0.0.1:{port}").dialogue(page.address or again.address or "")
    assert not (tmp_path / "data" / "kbqa" / "dialogues.sqlite").exists()


def test_what_is_not_understood_is_told(opened: Open, tmp_path: Path, port: int) -> None:
    with serving(tmp_path, port):
        page = opened().ask("Who is the best of all?")
        assert "I found no name in it" in page.text
        page.ask(TWO_STEPS).press("No").press("Edit", 1).type("What about the weather?")
        assert "'What about the weather?' was not understood" in page.text
        assert page.final == "Answer Arabic"


def test_a_server_that_is_gone_is_asked_again(opened: Open, tmp_path: Path, port: int) -> None:
    page = opened().ask(CAPITAL)
    assert f"The server http://127.0.0.1:{port} can't be reached" in page.text
    with serving(tmp_path, port):
        assert page.press("Try again").final == "Answer Cairo"
    page.press("No").press("Delete")
    assert "can't be reached" in page.text and page.final == "Answer Cairo"


def test_the_token_is_taken_from_the_environment(
    opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int
) -> None:
    with serving(tmp_path, port, TOKEN):
        assert "needs its token" in opened().ask(CAPITAL).text
        monkeypatch.setenv("KBQA_TOKEN", TOKEN)
        assert opened().ask(CAPITAL).final == "Answer Cairo"


def test_no_server_is_a_sentence(port: int) -> None:
    with pytest.raises(StoreUnavailable, match="can't be reached"):
        Server(f"http://127.0.0.1:{port}/").call("GET", "/healthz")


@pytest.mark.parametrize("status", [200, 422])
def test_a_reply_that_is_cut_off_is_no_reply(status: int) -> None:
    cut = b"HTTP/1.1 %d Said\r\nContent-Length: 359\r\n\r\n" % status
    with replies(cut) as url, pytest.raises(StoreUnavailable, match="can't be reached"):
        Server(url).call("GET", "/healthz")
