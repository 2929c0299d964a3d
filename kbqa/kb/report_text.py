"""A readiness report as text and as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from kbqa.induce.english import local_name
from kbqa.kb.report import SHOWN, WEIGHTS, Report

_MEANS = {
    "readable": "triples whose predicate reads as words",
    "named": "things that have a name",
    "distinct": "names that are one thing's",
    "reachable": "triples that a question can reach",
}
Section = tuple[str, list[str]]


def sections(found: Report) -> Iterator[Section]:
    """(heading, lines) of the report; sections without lines are left out."""
    p = found.profile
    yield (
        "What is in it",
        [
            f"{p.triples:,} triples, {len(p.predicates):,} predicates, {len(p.classes):,} classes, "
            f"{found.names:,} names",
            *(f"{part}: {found.shares[part]:.0%} of {_MEANS[part]}" for part in WEIGHTS),
            *(f"left out: {text}" for text in p.cut),
        ],
    )
    advice = [f"{a.text} (holds back {a.share:.0%})" if a.share >= 0.005 else a.text for a in found.advice()]
    parts: list[Section] = [
        ("What to mend first", advice),
        ("Predicates without a label", [f"{iri.value} ({n:,} triples)" for iri, n in found.unlabelled]),
        ("Predicates that don't read as words", [f"{iri.value} ({n:,})" for iri, n in found.unreadable]),
        ("Names that several things share", [f"{name}: {n} things" for name, n in found.ambiguous[1]]),
        (
            "Classes whose instances have no name",
            [f"{c.name}: {c.named:,} of {c.instances:,} have one" for c in found.nameless_classes],
        ),
        ("Dead ends: answers without a name", [f"{iri.value} ({n:,})" for iri, n in found.dead_ends]),
        ("Predicates no question reaches", [f"{iri.value} ({n:,})" for iri, n in found.never]),
        ("Predicates without a wording of their own", [iri.value for iri in found.unworded]),
        ("Hidden by lexicon.toml", [iri.value for iri in found.hidden]),
        ("Nodes that only tie others together", list(_mediators(found))),
        (
            "What can be asked, class by class",
            [f"{s.kind}: {s.question} ({', '.join(s.answers)}) - {s.template}" for s in found.samples],
        ),
    ]
    yield from (part for part in parts if part[1])


def _mediators(found: Report) -> Iterator[str]:
    p = found.profile
    if p.into:
        yield "led to by: " + ", ".join(sorted(map(local_name, p.into)))
    if p.out_of:
        yield "lead on by: " + ", ".join(sorted(map(local_name, p.out_of)))
    if p.pairs:
        yield f"{len(p.pairs):,} paths through them"


def as_text(found: Report) -> str:
    """Plain text, long lists cut to the first `SHOWN` rows."""
    out = [f"{found.name}: {found.score:.0f} of 100"]
    for heading, lines in sections(found):
        shown = lines if heading.startswith("What") else lines[:SHOWN]
        out += ["", heading, *(f"  {line}" for line in shown)]
        if len(shown) < len(lines):
            out.append(f"  ... and {len(lines) - len(shown):,} more")
    return "\n".join(out) + "\n"


def as_html(found: Report) -> str:
    """One page, everything in it."""
    parts = []
    for heading, lines in sections(found):
        rows = "".join(f"<li>{escape(line)}</li>" for line in lines)
        opened = " open" if heading.startswith("What") else ""
        parts.append(f"<details{opened}><summary>{escape(heading)}</summary><ul>{rows}</ul></details>")
    title = escape(f"{found.name}: {found.score:.0f} of 100")
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        "summary{font-weight:600;cursor:pointer;margin-top:1rem}li{overflow-wrap:anywhere}"
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style></head>'
        f"<body><h1>{title}</h1>{''.join(parts)}</body></html>\n"
    )
