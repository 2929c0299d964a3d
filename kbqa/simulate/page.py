"""The report as one HTML page that needs nothing else: tables, plots, and dialogues to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from kbqa.feedback import read_feedback, say
from kbqa.simulate.beside import beside_published
from kbqa.simulate.charts import bar_chart, difference_chart, line_chart
from kbqa.simulate.looks import STYLE
from kbqa.simulate.tables import percent, plain, table

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
        *beside_published(report),
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

_Row = tuple[str, str, int | None]
"""What it is called, its key, and which turn of it."""
_REACHED: tuple[_Row, ...] = (
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
    ("not understood", "not_understood", None),
    ("failed", "failed", None),
)
_PARTS: tuple[_Row, ...] = (
    ("right at first, or offered as an alternative", "right_or_offered_first", None),
    *(
        (f"steps {when}, {title}", f"step_{key}_{when.removeprefix('at ')}", None)
        for when in ("at first", "at last")
        for title, key in (("precision", "precision"), ("recall", "recall"), ("F1", "f1"), ("order", "order"))
    ),
    ("corrections in natural words understood", "corrector_accuracy", None),
    ("copied templates understood", "template_accuracy", None),
    ("sub-questions that keep the names", "entity_fidelity", None),
    ("edits that copied a template", "template_edits", None),
    ("edits by another entity or an alternative", "wordless_edits", None),
)
_TOOK: tuple[_Row, ...] = (
    ("edits a dialogue", "edits", None),
    ("interactions a dialogue", "interactions", None),
    ("edits to the right query", "turns_to_success", None),
    ("refused corrections a dialogue", "refused", None),
    ("undone a dialogue", "undone", None),
    ("implied edits at first", "implied_edits_first", None),
    ("implied edits at last", "implied_edits_last", None),
    ("effort (inferably correct by edits)", "effort", None),
)


_FIGURE_4 = (
    "Success by edits used is the study's Figure 4. Its bars are not printed as numbers there; its text says "
    "that success is highest after 1 or 2 edits and drops at 4."
)


def _overview(modes: Mapping[str, Any]) -> list[str]:
    def part(caption: str, rows: Sequence[_Row], cell: Callable[[Mapping[str, Any]], str]) -> str:
        head = ["", *(f"{name} (n\u00a0=\u00a0{m['n']:,})" for name, m in modes.items())]
        cells = [
            [name, *(cell(m[key] if turn is None else m[key][turn]) for m in modes.values())]
            for name, key, turn in rows
        ]
        return table(head, cells, caption)

    return [
        "<h2>All dialogues</h2>",
        '<div class="same">',
        part("What was reached: percent, in brackets the 95 % bootstrap interval", _REACHED, percent),
        part("What parser, corrector and phraser did: percent", _PARTS, percent),
        part("What it took", _TOOK, plain),
        "</div>",
    ]


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
                ("deemed", "user-deemed correct"),
                ("inferably", "inferably correct"),
                ("officially", "officially correct"),
            )
            chart = bar_chart(f"Success by edits used, {name}", rows, parts)
            caption = f"Success by edits used, {name}"
            charts.append(f"<figure>{chart}<figcaption>{escape(caption)}</figcaption></figure>")
    for measure in ("exact match", "officially correct", "answer F1"):
        found = [d for d in report["differences"] if d["measure"] == measure and d["value"] is not None]
        if found:
            told = [(f"{d['a']} - {d['b']}", d["value"], d["low"], d["high"]) for d in found]
            caption = f"Differences between modes, {measure}, with 95 % intervals"
            charts.append(
                f"<figure>{difference_chart(caption, told)}<figcaption>{caption}</figcaption></figure>"
            )
    said = f'<p class="soft">{_FIGURE_4}</p>'
    return ["<h2>Plots</h2>", said, '<div class="figures">', *charts, "</div>"]


# --- tables --------------------------------------------------------------------------


def _groups(title: str, groups: Mapping[str, Any]) -> list[str]:
    rows = [
        [
            name if mode == next(iter(modes)) else "",
            mode,
            f"{m['n']:,}",
            *(percent(m[k]) for k in ("exact_match_first", "exact_match_last", "answer_f1_last")),
            percent(m["officially_correct"]),
            plain(m["edits"]),
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
    return [f"<h2>{title}</h2>", '<div class="dense">', table(head, rows, "", 2), "</div>"] if rows else []


def _comparisons(tests: Sequence[Mapping[str, Any]]) -> list[str]:
    if not tests:
        return []
    rows = [
        [
            f"{t['a']} - {t['b']}",
            t["measure"],
            t["test"],
            f"{t['difference']:+.4f}",
            f"{t['p']:.4f}",
            f"{t['p_holm']:.4f}{' *' if t['p_holm'] < 0.05 else ''}",
        ]
        for t in tests
    ]
    head = ["modes", "measure", "test", "difference", "p", "p (Holm)"]
    return ["<h2>Modes against each other</h2>", table(head, rows, _TESTS_CAPTION, 3)]


_KINDS = "Differences between shown and wanted steps by category; a dialogue may be in several."


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
    kinds = [
        [
            name,
            ", ".join(f"{mode} {n:,}" for mode, n in found["first"].items()),
            ", ".join(f"{mode} {n:,}" for mode, n in found["last"].items()) or "-",
        ]
        for name, found in report["errors"].items()
    ]
    examples = [
        [name, str(e["row"]), e["question"], e["wanted"] or "-", e["shown"] or "-"]
        for name, found in report["errors"].items()
        for e in found["examples"]
    ]
    asked = "Operations that the first versions need; 'edit' where a step goes the right way or starts right."
    return [
        "<h2>Errors</h2>",
        '<div class="prose">',
        table(["mode", "insert", "delete", "replace", "edit"], first, asked),
        table(["what is wrong", "dialogues at first", "dialogues at last"], kinds, _KINDS, 3)
        if kinds
        else "",
        table(["what is wrong", "row", "question", "wanted", "shown"], examples, "Examples, at first", 5)
        if examples
        else "",
        table(["mode", "why it was not reached", "such as rows", "dialogues"], why, "", 3) if why else "",
        "</div>",
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
    return [
        "<h2>Failures</h2>",
        '<div class="prose">',
        table(["row", "id", "mode", "error", "message"], rows, caption, 5),
        "</div>",
    ]


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
