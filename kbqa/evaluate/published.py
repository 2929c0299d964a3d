"""The published figures, to stand beside one's own (METHODS.md; papers/kbqa_usability_study.md).

Percent of n = 400 dialogues a system, with people; `simulation`: exact match over INSPIRED's whole test
set with simulated feedback (Mo et al. 2022). Other questions, another knowledge base, other models:
beside is not against.
"""

from __future__ import annotations

SUCCESS = (
    ("Full vs. Templated", "full", 57.75, 61.75, 74.25),
    ("Full vs. Templated", "templated", 56.50, 58.50, 65.00),
    ("Full vs. Decontextualized", "full", 59.25, 62.00, 69.75),
    ("Full vs. Decontextualized", "decontextualized", 58.75, 61.75, 70.75),
    ("Full vs. Non-interactive", "full", 59.00, 62.00, 70.75),
    ("Full vs. Non-interactive", "non-interactive", 16.25, 19.25, None),
)
"""Table 1: comparison, mode, officially, inferably and user-deemed correct."""

EFFORT = (
    ("Full vs. Templated", "full", 0.2877, 0.0054),
    ("Full vs. Templated", "templated", 0.2358, 0.0054),
    ("Full vs. Decontextualized", "full", 0.2780, 0.9463),
    ("Full vs. Decontextualized", "decontextualized", 0.2795, 0.9463),
)
"""Table 2: comparison, mode, inferably correct dialogues by edits, p by approximate randomization."""

QUESTIONS = (
    ("type", "composition", 43.30, 48.00),
    ("type", "conjunction", 45.13, 37.25),
    ("type", "comparative", 6.02, 8.25),
    ("type", "superlative", 5.55, 6.50),
    ("facet", "filter", 13.02, 15.00),
    ("facet", "restriction", 22.38, 44.75),
    ("facet", "union", 1.60, 5.00),
    ("facet", "sparse predicate", 10.61, 15.00),
    ("facet", "double restriction", 0.44, 1.00),
    ("required edits", "0", 56.81, 7.50),
    ("required edits", "1", 28.74, 65.25),
    ("required edits", "2", 13.28, 25.75),
    ("required edits", "3", 1.08, 1.50),
    ("required edits", "4", 0.09, 0.0),
)
"""Table 11: percent of INSPIRED's test set (N = 3441) and of the study's questions (N = 400)."""

WENT_ON = {"full": 20.56, "templated": 36.05}
"""Percent of the dialogues with 4 or more edits in which the right answer was had and edited on."""

SIMULATION = 73.5
"""Exact match, percent, with simulated feedback."""

INTERACTIONS = {"oracle": (1.9, 2.0), "people": (3.6, 3.8)}
"""Interactions a dialogue in related work (FIELD.md)."""


def edits() -> dict[str, float]:
    """Edits a dialogue by mode [calc]: inferably correct dialogues by the effort metric, Tables 1 and 2; Full
    is the mean of its two comparisons. The study prints no such figure."""
    inferable = {(comparison, mode): share / 100 for comparison, mode, _, share, _ in SUCCESS}
    found: dict[str, list[float]] = {}
    for comparison, mode, effort, _ in EFFORT:
        found.setdefault(mode, []).append(inferable[comparison, mode] / effort)
    return {mode: sum(values) / len(values) for mode, values in found.items()}
