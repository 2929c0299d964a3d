"""The routes of DESIGN.md, section 6."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp

from kbqa import __version__
from kbqa.dialogue import MODES
from kbqa.engine import Engine
from kbqa.errors import KbqaError
from kbqa.feedback import Correction, read_feedback
from kbqa.records import Records, encode
from kbqa.server.guard import Guard
from kbqa.server.limits import Limits
from kbqa.server.page import docs_page
from kbqa.server.problems import Problem, of_error, of_refusal, of_validation, respond
from kbqa.server.schema import (
    DialogueDocument,
    FeedbackIn,
    ListDocument,
    ProblemDocument,
    QueryDocument,
    QuestionIn,
    StatusDocument,
    problems,
)
from kbqa.server.service import Service
from kbqa.server.workers import Workers


def make_app(
    engine: Engine,
    records: Records,
    *,
    limits: Limits | None = None,
    token: str | None = None,
    datasets: Sequence[str] = (),
) -> ASGIApp:
    """The application; neither the engine nor the records are closed by it.

    `token`: what a request must bear, None = nothing is asked for, and requests must name localhost as
    their host. `datasets`: IRIs that stand for the knowledge base in TEXT2SPARQL's convention; where
    none are given every one does.
    """
    limits = limits or Limits()
    workers = Workers(limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await workers.close()

    app = FastAPI(
        title="kbqa",
        summary="Dialogues over a knowledge base: questions, steps, answers, corrections.",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    _add_dialogues(app, Service(engine, records), workers)
    _add_query(app, Service(engine, records), workers, frozenset(datasets))
    _add_about(app, Service(engine, records))
    _add_errors(app)
    return Guard(app, limits, token)


def _add_dialogues(app: FastAPI, service: Service, workers: Workers) -> None:
    @app.post(
        "/dialogues",
        status_code=201,
        response_model=DialogueDocument,
        responses=problems(400, 413, 415, 422, 503, 504),
        tags=["dialogues"],
    )
    async def ask(asked: QuestionIn) -> Response:
        """Ask a question. One that isn't understood has a document too, with the status
        `not_understood`."""
        mode = MODES.get(asked.mode)
        if mode is None:
            raise Problem(422, "unknown-mode", f"the mode {asked.mode!r} is none of {', '.join(MODES)}")
        here = service.engine.kb.name
        if asked.kb not in (None, here):
            raise Problem(422, "other-knowledge-base", f"this server has {here!r}, not {asked.kb!r}")
        made = await workers.run(lambda: service.ask(asked.question, mode))
        return JSONResponse(made, 201, {"Location": f"/dialogues/{made['dialogue_id']}"})

    @app.post(
        "/dialogues/{dialogue_id}/feedback",
        response_model=DialogueDocument,
        responses=problems(400, 404, 409, 413, 415, 422, 503, 504),
        tags=["dialogues"],
    )
    async def feedback(dialogue_id: str, turn: FeedbackIn) -> Response:
        """One turn: accept, correct, go back, stop. Sent again with the same `turn_id` it has the same
        reply; the same `turn_id` with other feedback is a conflict (409)."""
        said = read_feedback(turn.model_dump(exclude_none=True))
        after = await workers.run(
            lambda: service.feedback(dialogue_id, turn.turn_id, said),
            key=dialogue_id,
            quick=not isinstance(said, Correction),
        )
        return JSONResponse(after)

    @app.get(
        "/dialogues/{dialogue_id}",
        response_model=DialogueDocument,
        responses=problems(404, 422, 503),
        tags=["dialogues"],
    )
    def get(dialogue_id: str) -> Response:
        """The dialogue as it stands."""
        return JSONResponse(service.get(dialogue_id))

    @app.get("/dialogues/{dialogue_id}/value", responses=problems(404, 422, 503), tags=["dialogues"])
    def value(dialogue_id: str) -> Response:
        """The whole dialogue, all versions and meanings with it, as kbqa's own page reads it
        (`kbqa.records.decode`). Its form changes with kbqa's version."""
        return JSONResponse(encode(service.records.load(dialogue_id)))

    @app.get("/dialogues", response_model=ListDocument, responses=problems(422, 503), tags=["dialogues"])
    def recent(limit: Annotated[int, Query(ge=1, le=1000)] = 20) -> Response:
        """The dialogues that were touched last, newest first."""
        return JSONResponse({"dialogues": [asdict(s) for s in service.records.recent(limit)]})

    @app.delete(
        "/dialogues/{dialogue_id}", status_code=204, responses=problems(404, 422, 503), tags=["dialogues"]
    )
    async def delete(dialogue_id: str) -> Response:
        """Remove the dialogue, its versions and its turns from the records."""
        await workers.run(lambda: service.records.delete(dialogue_id), key=dialogue_id, quick=True)
        return Response(status_code=204)


def _add_query(app: FastAPI, service: Service, workers: Workers, datasets: frozenset[str]) -> None:
    @app.get("/", response_model=QueryDocument, responses=problems(404, 422, 503, 504), tags=["TEXT2SPARQL"])
    async def query(question: str | None = None, dataset: str = "") -> Response:
        """A question's SPARQL, in TEXT2SPARQL's convention. No dialogue is recorded. Without a question:
        on to this page."""
        if question is None:
            return RedirectResponse("/docs")
        if datasets and dataset not in datasets:
            served = ", ".join(sorted(datasets))
            raise Problem(404, "unknown-dataset", f"the dataset {dataset!r} is not served; served: {served}")
        found = await workers.run(lambda: service.query(question))
        return JSONResponse({"dataset": dataset, "question": question, "query": found})


def _add_about(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", response_model=StatusDocument, tags=["server"])
    async def healthz() -> Response:
        """The process is there."""
        return JSONResponse({"status": "ok"})

    @app.get("/readyz", response_model=StatusDocument, responses=problems(503), tags=["server"])
    def readyz() -> Response:
        """Questions can be answered: the records and the store reply."""
        try:
            service.ready()
        except KbqaError as e:
            raise Problem(503, "not-ready", str(e)) from e
        return JSONResponse({"status": "ready"})

    @app.get("/docs", response_class=HTMLResponse, include_in_schema=False)
    def docs() -> Response:
        """This description for people; one page, no script, nothing from elsewhere."""
        return HTMLResponse(docs_page(app.openapi()))


def _add_errors(app: FastAPI) -> None:
    async def known(request: Request, error: Exception) -> Response:
        assert isinstance(error, KbqaError)
        return respond(of_error(error), request)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return respond(of_refusal(error), request)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return respond(of_validation(error.errors()), request)

    async def internal(request: Request, error: Exception) -> Response:
        said = "something went wrong in the server; its log says what, under this request_id"
        return respond(Problem(500, "internal-error", said), request)

    app.add_exception_handler(KbqaError, known)
    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, internal)

    made = app.openapi

    def openapi() -> dict[str, Any]:
        """With the problem document, to which the routes refer."""
        schema = made()
        problem = ProblemDocument.model_json_schema()
        schema["components"]["schemas"]["ProblemDocument"] = problem
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
