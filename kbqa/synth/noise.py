"""Slips of the pen. Entities and values are single private characters here, so they stay whole."""

from __future__ import annotations

import random
import re

_SWAPS = {"which": "what", "movie": "film", "film": "movie", "located": "situated", "team": "club"}


def rough(text: str, names: list[str], noise: float, rng: random.Random) -> tuple[str, list[str]]:
    """The question and its entity names, now and then as a hurried person types them."""
    names = list(names)
    if noise <= 0 or rng.random() >= noise * 2.5:
        return text, names
    roll = rng.random()
    if roll < 0.3:
        return text.lower(), [n.lower() for n in names]
    if roll < 0.45:
        return text.rstrip("?."), names
    if roll < 0.55:
        return text[:1].lower() + text[1:], names
    if roll < 0.62:
        return text.rstrip("?.").lower(), [n.lower() for n in names]
    if roll < 0.67:
        return text.replace(",", ""), names
    if roll < 0.72:
        return re.sub(r"\b(the|a) ", "", text, count=1) if text.startswith(
            ("What", "Which", "Who")
        ) else text, names
    if roll < 0.9 or not names:
        return typo(text, rng), names
    i = rng.randrange(len(names))
    names[i] = typo(names[i], rng) if len(names[i]) > 6 else names[i].lower()
    return text, names


def typo(text: str, rng: random.Random) -> str:
    """One letter doubled, dropped or swapped within a longer word."""
    spots = [m for m in re.finditer(r"(?<![A-Za-z\d])[A-Za-z]{5,}(?![A-Za-z\d])", text)]
    if not spots:
        return text
    m = rng.choice(spots)
    at = rng.randrange(m.start() + 1, m.end() - 1)
    match rng.randrange(3):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + text[at] + text[at:]
        case _:
            return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
