"""Numbers in words."""

from __future__ import annotations

CARDINALS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
"""Each at its own place."""
ORDINALS = tuple("zeroth first second third fourth fifth sixth seventh eighth ninth tenth".split())
