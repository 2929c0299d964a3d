"""The report of a study as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from kbqa.simulate.charts import bar_chart
from kbqa.simulate.looks import STYLE
from kbqa.simulate.tables import table
from kbqa.study.inference import Table

_NAMES = {"official": "officially correct", "inferable": "inferably correct", "deemed": "user-deemed correct"}
_PARTS = (
    ("dialogues", "dialogues"),
    ("deemed", "user-deemed correct"),
    ("inferable", "inferably correct"),
    ("official", "officially correct"),
)
_NOTES = (
    "a - b; intervals are 95 %. Holm corrects p over the rows of a table. * p < .05 after correction.",
    "Success tests pair the items, survey tests the workers. Not worse, equivalent: one-sided and two "
    "one-sided tests (TOST) against the margin.",
    "User-deemed correct leaves out what only a person can see (a comment that it is right, a generation "
    "error), unless judgements were given.",
)


def page(title: str, signature: str, tables: Mapping[str, Table], flags: Sequence[Mapping[str, Any]]) -> str:
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f'<p class="signature">{escape(signature)}</p>',
        '<ul class="notes">' + "".join(f"<li>{escape(note)}</li>" for note in _NOTES) + "</ul>",
        *_success(tables),
        *_effort(tables),
        *_plots(tables["edits"]),
        *_survey(tables),
        *_teams(tables["teams"]),
        *_more(tables),
        *_flags(flags),
        "</body></html>",
    ]
    return "\n".join(p for p in parts if p) + "\n"


# --- tables ----------------------------------------------------------------------------


def _success(tables: Mapping[str, Table]) -> list[str]:
    rows = [
        [r["comparison"], r["condition"], _NAMES[r["measure"]], _share(r), f"{r['n']:g}"]
        for r in tables["success"]
        if r["value"] is not None
    ]
    tests = [
        [
            r["comparison"],
            _NAMES[r["measure"]],
            f"{r['n']}",
            _points(r["difference"]),
            _interval(r, _points),
            _number(r["d"]),
            _p(r["p"]),
            _p(r["p_holm"], star=True),
            _p(r["p_not_worse"]),
            _p(r["p_equivalent"]),
        ]
        for r in tables["success_tests"]
    ]
    head = ("comparison", "measure", "items", "a - b", "95 %", "d", "p", "Holm", "not worse", "equivalent")
    return [
        "<h2>Success (Table 1)</h2>",
        table(("comparison", "system", "measure", "share", "n"), rows, texts=3),
        table(head, tests, "Paired t-tests over items; points are percentage points", texts=2),
    ]


def _effort(tables: Mapping[str, Table]) -> list[str]:
    rows = [
        [
            r["comparison"],
            f"{_number(r['effort_a'], 4)} ({r['a']})",
            f"{_number(r['effort_b'], 4)} ({r['b']})",
            f"{r['edits_a']} / {r['edits_b']}",
            _number(r["difference"], 4),
            _p(r["p"]),
            _p(r["p_holm"], star=True) if "p_holm" in r else "",
        ]
        for r in tables["effort"]
    ]
    late = [
        [r["comparison"], r["condition"], _share(r), f"{r['n']:g}"]
        for r in tables["long_dialogues"]
        if r["n"]
    ]
    head = ("comparison", "effort a", "effort b", "edits a / b", "difference", "p", "Holm")
    return [
        "<h2>Effort (Table 2)</h2>",
        table(head, rows, "Inferably correct dialogues by edits made; p by approximate randomization"),
        table(
            ("comparison", "system", "went on", "n"), late, "With four edits or more: had been right", texts=2
        )
        if late
        else "",
    ]


def _survey(tables: Mapping[str, Table]) -> list[str]:
    rows = [
        [
            r["comparison"],
            f"{r['question']} {r['text']}",
            _number(r["mean_a"]),
            _number(r.get("mean_b")),
            f"{r['n']}",
            _number(r.get("d")),
            _p(r["p"]),
            _p(r.get("p_holm"), star=True),
            _p(r.get("p_not_worse")),
            _p(r.get("p_equivalent")),
        ]
        for r in tables["survey"]
    ]
    chosen = [
        [
            r["comparison"],
            f"{r['question']} {r['text']}",
            f"{100 * r['share_a']:.1f} % {r['a']}",
            f"{100 * r['low']:.1f} to {100 * r['high']:.1f}",
            f"{r['n']}",
            _number(r["h"]),
            _p(r["p"]),
            _p(r["p_holm"], star=True),
        ]
        for r in tables["preferences"]
    ]
    head = ("comparison", "statement", "a", "b", "workers", "d", "p", "Holm", "not worse", "equivalent")
    return [
        "<h2>Survey (Table 3)</h2>",
        table(head, rows, "Means; 1 is best; paired t-tests over workers", texts=2),
        table(
            ("comparison", "question", "prefer", "95 %", "workers", "h", "p", "Holm"),
            chosen,
            "Preferences; exact binomial tests",
            texts=3,
        ),
    ]


def _teams(teams: Table) -> list[str]:
    if not teams:
        return []
    rows = [
        [r["team"], r["comparison"], r["condition"], _NAMES[r["measure"]], _share(r), f"{r['n']:g}"]
        for r in teams
        if r["value"] is not None
    ]
    head = ("team", "comparison", "system", "measure", "share", "n")
    return ["<h2>Teams of workers (Table 4)</h2>", table(head, rows, texts=4)]


_MORE = (
    ("learning", "First and last batch of each worker"),
    ("agreement", "Agreement"),
    ("power", "Power"),
    ("times", "Times"),
    ("types", "Inferably correct by type of question"),
)


def _more(tables: Mapping[str, Table]) -> list[str]:
    out = []
    for name, title in _MORE:
        rows = tables[name]
        if rows:
            head = list(rows[0])
            body = [[_any(row[key]) for key in head] for row in rows]
            texts = sum(isinstance(v, str) for v in rows[0].values())
            out += [f"<h2>{title}</h2>", table(head, body, texts=texts)]
    return out


def _flags(flags: Sequence[Mapping[str, Any]]) -> list[str]:
    if not flags:
        return []
    rows = [[f["participant"], f["kind"], f["why"]] for f in flags]
    return [
        "<h2>To be looked at</h2>",
        table(("participant", "flag", "why"), rows, "Of all participants; nobody was excluded by a flag", 3),
    ]


def _plots(edits: Table) -> list[str]:
    charts = []
    for name, condition in dict.fromkeys((r["comparison"], r["condition"]) for r in edits):
        rows = [r for r in edits if (r["comparison"], r["condition"]) == (name, condition)]
        counts = [{k: v for k, v in r.items() if isinstance(v, int)} for r in rows]
        caption = f"Success by edits made: {condition} ({name})"
        drawn = bar_chart(caption, counts, _PARTS)
        charts.append(f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>")
    if not charts:
        return []
    return ["<h2>Success and edits (Figures 4 and 8)</h2>", '<div class="figures">', *charts, "</div>"]


# --- figures ----------------------------------------------------------------------------


def _share(row: Mapping[str, Any]) -> str:
    return f"{100 * row['value']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})"


def _points(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.1f}"


def _interval(row: Mapping[str, Any], shown: Any) -> str:
    return "" if row["low"] is None else f"{shown(row['low'])} to {shown(row['high'])}"


def _number(value: float | None, digits: int = 2) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _p(value: float | None, *, star: bool = False) -> str:
    if value is None:
        return ""
    return ("<.0001" if value < 0.0001 else f"{value:.4f}") + ("*" if star and value < 0.05 else "")


def _any(value: Any) -> str:
    return (
        ""
        if value is None
        else f"{value:.3f}".rstrip("0").rstrip(".")
        if isinstance(value, float)
        else str(value)
    )
