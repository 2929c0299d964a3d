"""Dates and numbers as people write them."""

from __future__ import annotations

import random

MONTHS = "January February March April May June July August September October November December".split()


def say_date(date: str, rng: random.Random) -> str:
    """One way to write YYYY-MM-DD."""
    y, m, d = date.split("-")
    month, day = MONTHS[int(m) - 1], int(d)
    roll = rng.random()
    if roll < 0.35:
        return f"{month} {day}, {y}"
    if roll < 0.5:
        return f"{day} {month} {y}"
    if roll < 0.75:
        return date
    if roll < 0.85:
        return f"{month[:3]} {day}, {y}"
    if roll < 0.93:
        return f"{month} {day}{ordinal(day)}, {y}"
    return f"{int(m)}/{day}/{y}"


def ordinal(day: int) -> str:
    return "th" if 10 < day % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def say_number(value: int, rng: random.Random) -> str:
    if value >= 10**6 and value % 10**5 == 0 and rng.random() < 0.5:
        size, word = (10**9, "billion") if value % 10**8 == 0 and value >= 10**9 else (10**6, "million")
        return f"{value / size:g} {word}"
    return f"{value:,}" if value >= 1000 and rng.random() < 0.5 else str(value)


NUMBER_WORDS = {
    ">": ("more than", "over", "greater than", "higher than", "larger than", "above"),
    "<": ("less than", "under", "lower than", "smaller than", "below", "fewer than"),
    ">=": ("at least", "no less than"),
    "<=": ("at most", "no more than"),
}
DATE_WORDS = {
    ">": ("after", "later than"),
    "<": ("before", "prior to", "earlier than"),
    ">=": ("in or after", "since"),
    "<=": ("in or before",),
}
