"""The report as one HTML page that needs nothing else: tables, plots, and dialogues to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from kbqa.feedback import read_feedback, say
from kbqa.simulate.charts import bar_chart, line_chart

STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6875; --line: #d6dce2; --paper: #fff;
  --c0: #0b5cad; --c1: #b8460e; --c2: #2c7a3f; --c3: #7a3b9c; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaee; --soft: #a5b0bb; --line: #3a444e;
  --paper: #14191e; --c0: #6db3f2; --c1: #f2955c; --c2: #74c98a; --c3: #c79be0; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 70rem; padding: 1rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; font-size: 1.2rem; }
code, .signature { font: 0.85rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.notes, figcaption, caption, .soft { color: var(--soft); font-size: 0.9rem; }
caption { text-align: left; padding-bottom: 0.4rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; }
th.text, td.text { text-align: left; } .wide { margin-bottom: 1.5rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; flex: 1 1 26rem; max-width: 34rem; }
.chart { width: 100%; height: auto; } .chart text { font: 11px system-ui, sans-serif; fill: var(--soft); }
.grid { stroke: var(--line); } polyline { fill: none; stroke-width: 2; } .band { opacity: 0.13; }
.s0 { stroke: var(--c0); fill: var(--c0); } .s1 { stroke: var(--c1); fill: var(--c1); }
.s2 { stroke: var(--c2); fill: var(--c2); } .s3 { stroke: var(--c3); fill: var(--c3); }
polyline.s0, polyline.s1, polyline.s2, polyline.s3 { fill: none; } .band, .bar { stroke: none; }
.legend { margin: 0; font-size: 0.85rem; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; }
.key { display: inline-block; width: 0.8rem; height: 0.8rem; margin-right: 0.4rem; border-radius: 2px; }
.k0 { background: var(--c0); } .k1 { background: var(--c1); } .k2 { background: var(--c2); }
.k3 { background: var(--c3); }
details { border-bottom: 1px solid var(--line); padding: 0.5rem 0; } summary { cursor: pointer; }
.said { font-weight: 600; margin: 0.8rem 0 0.2rem; } ol { margin: 0.2rem 0; }
"""
_TESTS_CAPTION = (
    "Paired tests over the rows that both modes have; Holm corrects p over all tests of the table. * p < .05"
)


def page(report: Mapping[str, Any], worst: Iterable[Mapping[str, Any]]) -> str:
    """`worst`: the records of the report's worst dialogues."""
    modes = report["modes"]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Simulated dialogues</title><style>{STYLE}</style></head><body>",
        "<h1>Simulated dialogues</h1>",
        f'<p class="signature">{escape(report["signature"]["text"])}</p>',
        '<ul class="notes">' + "".join(f"<li>{escape(note)}</li>" for note in report["notes"]) + "</ul>",
        *_overview(modes),
        *_plots(report),
        *_published(report),
        *_groups("By question type", report["by_type"]),
        *_groups("By facet", report["by_facet"]),
        *_groups("By required edits", report["by_required_edits"]),
        *_groups("By whether the gold query has answers on this store", report["by_gold_answers"]),
        *_comparisons(report["comparisons"]),
        *_errors(report),
        *_times(report["timing"]),
        *_failures(report),
        "<h2>Dialogues to read</h2>",
        '<p class="soft">They took most and came to nothing; first those that had been right.</p>',
        *map(_dialogue, worst),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


# --- figures -------------------------------------------------------------------------

_PERCENT: tuple[tuple[str, str, int | None], ...] = (
    ("exact match at first", "exact_match", 0),
    ("exact match at last", "exact_match", -1),
    ("the same, no template copied", "exact_match_without_templates", None),
    ("answer F1 at first", "answer_f1", 0),
    ("answer F1 at last", "answer_f1", -1),
    ("all and only the right answers at first", "answers_right", 0),
    ("the same at last", "answers_right", -1),
    ("officially correct", "officially_correct", None),
    ("inferably correct", "inferably_correct", None),
    ("user-deemed correct", "user_deemed_correct", None),
    ("false accepts of what was accepted", "false_accepts", None),
    ("went on after right, 4+ edits", "went_on_after_right", None),
    ("edits that copied a template", "template_edits", None),
    ("not understood", "not_understood", None),
    ("failed", "failed", None),
)
"""What it is called, its key, and which turn of it."""
_PLAIN = (
    ("edits a dialogue", "edits"),
    ("interactions a dialogue", "interactions"),
    ("edits to the right query", "turns_to_success"),
    ("refused corrections a dialogue", "refused"),
    ("effort (inferably correct by edits)", "effort"),
)


def _overview(modes: Mapping[str, Any]) -> list[str]:
    rows = [
        [name, *(_percent(m[key] if turn is None else m[key][turn]) for m in modes.values())]
        for name, key, turn in _PERCENT
    ]
    rows += [[name, *(_plain(m[key]) for m in modes.values())] for name, key in _PLAIN]
    head = ["", *(f"{name} (n = {m['n']})" for name, m in modes.items())]
    caption = "Percent, or plain numbers in the last rows; in brackets the 95 % bootstrap interval."
    return ["<h2>All dialogues</h2>", table(head, rows, caption)]


def _percent(e: Mapping[str, Any]) -> str:
    if e["value"] is None:
        return "-"
    return f"{100 * e['value']:.1f} ({100 * e['low']:.1f} to {100 * e['high']:.1f})"


def _plain(e: Mapping[str, Any]) -> str:
    return "-" if e["value"] is None else f"{e['value']:.2f} ({e['low']:.2f} to {e['high']:.2f})"


def _plots(report: Mapping[str, Any]) -> list[str]:
    modes = report["modes"]
    charts = []
    for key, title in (("exact_match", "Exact match by turn"), ("answer_f1", "Answer F1 by turn")):
        series = {
            name: [
                (t, e["value"], e["low"], e["high"]) for t, e in enumerate(m[key]) if e["value"] is not None
            ]
            for name, m in modes.items()
        }
        chart = line_chart(title, "edits made", {n: s for n, s in series.items() if s})
        charts.append(f"<figure>{chart}<figcaption>{title}, with 95 % intervals</figcaption></figure>")
    for name, rows in report["edits_used"].items():
        if len(rows) > 1:
            parts = (
                ("dialogues", "dialogues"),
                ("inferably", "inferably correct"),
                ("officially", "officially correct"),
            )
            chart = bar_chart(f"Success by edits used, {name}", rows, parts)
            caption = f"Success by edits used, {name} (compare the study's Figure 4)"
            charts.append(f"<figure>{chart}<figcaption>{escape(caption)}</figcaption></figure>")
    return ["<h2>Plots</h2>", '<div class="figures">', *charts, "</div>"]


# --- tables --------------------------------------------------------------------------


def _published(report: Mapping[str, Any]) -> list[str]:
    """The study's Tables 1, 2 and 11 with our figures beside the published ones."""
    modes, theirs = report["modes"], report["published"]
    keys = ("officially_correct", "inferably_correct", "user_deemed_correct")
    success = [
        [
            comparison,
            mode,
            *(_beside(p, modes.get(mode, {}).get(k)) for p, k in zip(values, keys, strict=True)),
        ]
        for comparison, mode, *values in theirs["success"]
    ]
    effort = [
        [comparison, mode, _beside(value, modes.get(mode, {}).get("effort"), 1, 4), f"{p:.4f}"]
        for comparison, mode, value, p in theirs["effort"]
    ]
    ours = report["questions"]
    asked = [
        [kind, name, f"{test:.2f}", f"{study:.2f}", f"{100 * ours[kind].get(name, 0.0):.2f}"]
        for kind, name, test, study in theirs["questions"]
    ]
    return [
        "<h2>Beside the published study</h2>",
        '<p class="soft">Published with people, on other questions, another knowledge base and other '
        f"models. Simulated feedback reached {theirs['simulation']} % exact match there.</p>",
        table(
            ["comparison", "mode", "officially correct", "inferably correct", "user-deemed correct"],
            success,
            "Table 1, percent: published / here",
            2,
        ),
        table(["comparison", "mode", "effort", "published p"], effort, "Table 2: published / here", 2),
        table(
            ["", "", "INSPIRED, N = 3,441", "study, N = 400", f"here, n = {ours['n']:,}"],
            asked,
            "Table 11, percent of the questions; required edits at the first turn",
            2,
        ),
    ]


def _beside(
    published: float | None, ours: Mapping[str, Any] | None, scale: int = 100, places: int = 2
) -> str:
    theirs = "-" if published is None else f"{published:.{places}f}"
    here = "-" if not ours or ours["value"] is None else f"{scale * ours['value']:.{places}f}"
    return f"{theirs} / {here}"


def _groups(title: str, groups: Mapping[str, Any]) -> list[str]:
    rows = [
        [
            name,
            mode,
            f"{m['n']:,}",
            *(_percent(m[k]) for k in ("exact_match_first", "exact_match_last", "answer_f1_last")),
            _percent(m["officially_correct"]),
            _plain(m["edits"]),
        ]
        for name, modes in groups.items()
        for mode, m in modes.items()
    ]
    head = [
        "",
        "mode",
        "n",
        "exact match at first",
        "at last",
        "answer F1 at last",
        "officially correct",
        "edits",
    ]
    return [f"<h2>{title}</h2>", table(head, rows)] if rows else []


def _comparisons(tests: Sequence[Mapping[str, Any]]) -> list[str]:
    if not tests:
        return []
    rows = [
        [
            f"{t['a']} - {t['b']}",
            t["measure"],
            f"{t['difference']:+.4f}",
            t["test"],
            f"{t['p']:.4f}",
            f"{t['p_holm']:.4f}{' *' if t['p_holm'] < 0.05 else ''}",
        ]
        for t in tests
    ]
    head = ["modes", "measure", "difference", "test", "p", "p (Holm)"]
    return ["<h2>Modes against each other</h2>", table(head, rows, _TESTS_CAPTION, 2)]


def _errors(report: Mapping[str, Any]) -> list[str]:
    first = [
        [mode, *(str(kinds.get(k, 0)) for k in ("insert", "delete", "replace", "edit"))]
        for mode, kinds in report["first_errors"].items()
    ]
    why = [
        [mode, name, ", ".join(map(str, found["rows"])), f"{found['n']:,}"]
        for mode, names in report["why_not"].items()
        for name, found in names.items()
    ]
    asked = "Operations that the first versions need; 'edit' where a step goes the right way or starts right."
    return [
        "<h2>Errors</h2>",
        table(["mode", "insert", "delete", "replace", "edit"], first, asked),
        table(["mode", "why it was not reached", "such as rows", "dialogues"], why, "", 3) if why else "",
    ]


def _times(timing: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    keys = ("first_median_s", "first_p95_s", "correction_median_s", "correction_p95_s")
    rows = [[mode, *("-" if t[k] is None else f"{t[k]:.2f}" for k in keys)] for mode, t in timing.items()]
    head = ["mode", "first version, median", "95 %", "correction, median", "95 %"]
    return ["<h2>Time</h2>", table(head, rows, "Seconds; they depend on the machine and on what ran beside.")]


def _failures(report: Mapping[str, Any]) -> list[str]:
    if not report["failed"]:
        return []
    rows = [
        [str(f["row"]), str(f["id"]), f["mode"], f["error"]["type"], f["error"]["message"]]
        for f in report["failures"]
    ]
    caption = f"{report['failed']:,} dialogues failed; the first {len(rows)} of them. They count as wrong."
    return ["<h2>Failures</h2>", table(["row", "id", "mode", "error", "message"], rows, caption, 5)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", texts: int = 1) -> str:
    """`texts`: how many of the first columns hold text."""

    def line(cells: Sequence[str], tag: str) -> str:
        opened = [f'<{tag} class="text">' if k < texts else f"<{tag}>" for k in range(len(cells))]
        return "".join(f"{o}{escape(c)}</{tag}>" for o, c in zip(opened, cells, strict=True))

    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    top = f"<thead><tr>{line(head, 'th')}</tr></thead>"
    return f'<div class="wide"><table>{said}{top}<tbody>{body}</tbody></table></div>'


# --- dialogues -----------------------------------------------------------------------


def _dialogue(record: Mapping[str, Any]) -> str:
    head = f"{record['question']} ({record['mode']}, {record['status']}, {record['edits']} edits)"
    parts = [f"<details><summary>{escape(head)}</summary>"]
    for turn in record["turns"]:
        parts.append(_said(turn))
        steps = "".join(f"<li>{escape(s['shown'])}<br>{_answers(s)}</li>" for s in turn["steps"])
        right = "the gold query" if turn["exact"] else "not the gold query"
        parts.append(f'<ol>{steps}</ol><p class="soft">{right}</p>')
    if record["end"] is not None:
        parts.append(_said(record["end"]))
    parts.append(f'<p class="soft">row {record["row"]}, id {escape(str(record["id"]))}</p></details>')
    return "".join(parts)


def _said(turn: Mapping[str, Any]) -> str:
    refused = "".join(f'<p class="soft">refused: {escape(message)}</p>' for message in turn["refused"])
    if turn["feedback"] is None:
        return refused
    extra = ", ".join(x for x in (turn["source"], turn["slip"]) if x)
    text = say(read_feedback(turn["feedback"])) + (f" ({extra})" if extra else "")
    return f'{refused}<p class="said">{escape(text)}</p>'


def _answers(step: Mapping[str, Any]) -> str:
    if step["outcome"] == "timed_out":
        return '<span class="soft">no answer in time</span>'
    if not step["answers"]:
        return '<span class="soft">no answer</span>'
    more = step["answer_count"] - len(step["answers"])
    text = ", ".join(step["answers"]) + (f" ... and {more:,} more" if more > 0 else "")
    return f'<span class="soft">{escape(text)}</span>'
