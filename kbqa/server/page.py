"""/docs: the OpenAPI description as one page without scripts and without anything from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
section { border-top: 1px solid #8886; padding: .5rem 0 1rem }
h2 { font-size: 1.1rem } h2 code { font-weight: normal } .verb { font-weight: bold; margin-right: .5em }
table { border-collapse: collapse; margin: .5rem 0; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0 }
td, th { border-bottom: 1px solid #8883 }
pre { overflow-x: auto; padding: .6rem; background: #8882 }
"""
_ERRORS = "application/problem+json"


def docs_page(openapi: Mapping[str, Any]) -> str:
    """HTML of an OpenAPI 3.1 description, as FastAPI writes it."""
    info, models = openapi["info"], openapi["components"]["schemas"]
    routes = [
        _route(verb, path, route, models)
        for path, verbs in openapi["paths"].items()
        for verb, route in verbs.items()
    ]
    shown = [_model(name, model) for name, model in sorted(models.items()) if name.endswith("Document")]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'>"
        "<link rel=icon href='data:,'>"
        f"<title>{escape(info['title'])} {escape(info['version'])}</title><style>{_STYLE}</style>"
        f"<h1>{escape(info['title'])} {escape(info['version'])}</h1><p>{escape(info['summary'])}</p>"
        "<p>For programs: <a href='/openapi.json'>openapi.json</a>. Errors are problem documents (RFC 9457,"
        f" <code>{_ERRORS}</code>).</p>{''.join(routes)}<h1>Documents</h1>{''.join(shown)}</html>"
    )


def _route(verb: str, path: str, route: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    rows = [
        _row(p["name"], p["in"], p.get("required", False), p["schema"]) for p in route.get("parameters", ())
    ]
    example = ""
    if body is not None:
        model = models[body["$ref"].rpartition("/")[2]]
        needed = model.get("required", ())
        rows += [_row(name, "body", name in needed, of) for name, of in model["properties"].items()]
        given = {name: of["examples"][0] for name, of in model["properties"].items() if "examples" in of}
        call = f"curl -H 'Content-Type: application/json' -d '{json.dumps(given)}' localhost:8000{path}"
        example = f"<pre>{escape(call)}</pre>"
    replies = "".join(
        f"<tr><td>{escape(status)}<td>{_reply(reply)}" for status, reply in route["responses"].items()
    )
    table = f"<table><tr><th>member<th>in<th>type<th>meaning{''.join(rows)}</table>" if rows else ""
    return (
        f"<section><h2><code><span class=verb>{escape(verb.upper())}</span>{escape(path)}</code></h2>"
        f"<p>{_text(route)}</p>{table}{example}"
        f"<table><tr><th>status<th>reply{replies}</table></section>"
    )


def _reply(reply: Mapping[str, Any]) -> str:
    content = reply.get("content", {})
    names = [_type(kind["schema"]) for kind in content.values() if kind.get("schema")]
    return ", ".join(names) or escape(reply["description"])


def _model(name: str, model: Mapping[str, Any]) -> str:
    needed = model.get("required", ())
    rows = "".join(_row(member, None, member in needed, of) for member, of in model["properties"].items())
    return (
        f"<section id='{escape(name)}'><h2><code>{escape(name)}</code></h2>"
        f"<p>{_text(model)}</p>"
        f"<table><tr><th>member<th>type<th>meaning{rows}</table></section>"
    )


def _row(name: str, place: str | None, needed: bool, of: Mapping[str, Any]) -> str:
    where = "" if place is None else f"<td>{escape(place)}{', required' if needed else ''}"
    return f"<tr><td><code>{escape(name)}</code>{where}<td>{_type(of)}<td>{_text(of)}"


def _text(of: Mapping[str, Any]) -> str:
    """What it is described as, `code` as such."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(of.get("description", "")))


def _type(of: Mapping[str, Any]) -> str:
    """'string', 'list of AnswerDocument' with a link, 'one of "a", "b"', 'integer or null'."""
    if "$ref" in of:
        name = of["$ref"].rpartition("/")[2]
        return f"<a href='#{escape(name)}'>{escape(name)}</a>"
    if "anyOf" in of:
        return " or ".join(_type(o) for o in of["anyOf"])
    if "enum" in of:
        return "one of " + ", ".join(f"<code>{escape(json.dumps(v))}</code>" for v in of["enum"])
    if of.get("type") == "array":
        return f"list of {_type(of['items'])}"
    return escape(str(of.get("type", "anything")))
