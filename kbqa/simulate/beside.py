"""The study's figures with ours beside them: Tables 1, 2 and 11, and what its text says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kbqa.simulate.tables import plain, table


def beside_published(report: Mapping[str, Any]) -> list[str]:
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
        [
            comparison,
            mode,
            _beside(value, modes.get(mode, {}).get("effort"), 1, 4),
            f"{p:.4f} / {_effort_p(report['comparisons'], comparison)}",
        ]
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
        table(["comparison", "mode", "effort", "p"], effort, "Table 2: published / here", 2),
        table(["", "mode", "published / here"], _in_text(modes, theirs), _IN_TEXT, 2),
        table(
            ["", "", "INSPIRED, N = 3,441", "study, N = 400", f"here, n = {ours['n']:,}"],
            asked,
            "Table 11, percent of the questions; required edits at the first turn",
            2,
        ),
    ]


_IN_TEXT = (
    "Beside Figure 4. Edits a dialogue are calculated from Tables 1 and 2 (inferably correct by effort); "
    "interactions are those that related work reports, with an oracle and with people."
)


def _in_text(modes: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[list[str]]:
    """What the study says in words, and what can be calculated from its tables."""
    went = [
        ["went on after right, 4+ edits, percent", m, _beside(share, modes[m]["went_on_after_right"])]
        for m, share in theirs["went_on"].items()
        if m in modes
    ]
    edits = [
        ["edits a dialogue", m, _beside(value, modes[m]["edits"], 1)]
        for m, value in theirs["edits"].items()
        if m in modes
    ]
    said = "; ".join(f"{who} {low} to {high}" for who, (low, high) in theirs["interactions"].items())
    many = [
        ["interactions a dialogue", m, f"{said} / {plain(found['interactions'])}"]
        for m, found in modes.items()
        if found["user_deemed_correct"]["value"] is not None
    ]
    return [*went, *edits, *many]


def _effort_p(tests: Sequence[Mapping[str, Any]], comparison: str) -> str:
    """Our p for a comparison of Table 2 ('Full vs. Templated'), without correction."""
    wanted = [name.casefold() for name in comparison.split(" vs. ")]
    found = [t["p"] for t in tests if t["measure"] == "effort" and [t["a"], t["b"]] == wanted]
    return f"{found[0]:.4f}" if found else "-"


def _beside(
    published: float | None, ours: Mapping[str, Any] | None, scale: int = 100, places: int = 2
) -> str:
    theirs = "-" if published is None else f"{published:.{places}f}"
    here = "-" if not ours or ours["value"] is None else f"{scale * ours['value']:.{places}f}"
    return f"{theirs} / {here}"
