"""How alike a text and a label are, 0..1, from their normal forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz.distance import OSA

Weigh = Callable[[str], float]
"""How telling a word is, 0..1: rare words more than common ones."""

LEAST = 0.55
"""Below this, two names have nothing to do with each other."""


def typos(word: str) -> int:
    """How many edits (swapped neighbours count as one) a word of this length may have."""
    return 0 if len(word) < 4 else 1 if len(word) < 8 else 2


def word_likeness(left: str, right: str) -> float:
    """1 for the same word, a little less for each edit, 0 beyond the edits allowed."""
    if left == right:
        return 1.0
    if left.isdigit() or right.isdigit():
        return 0.0
    allowed = typos(left if len(left) <= len(right) else right)
    if not allowed or abs(len(left) - len(right)) > allowed:
        return 0.0
    edits = OSA.distance(left, right, score_cutoff=allowed)
    return 0.0 if edits > allowed else 1.0 - edits / (max(len(left), len(right)) + 1)


def align(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int, float]]:
    """Pairs (i, j, likeness) of the words of both, best pair first, each word used once."""
    pairs = [
        (likeness, -abs(i - j), i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if (likeness := word_likeness(one, other))
    ]
    pairs.sort(reverse=True)
    used_left: set[int] = set()
    used_right: set[int] = set()
    found = []
    for likeness, _, i, j in pairs:
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            found.append((i, j, likeness))
    return found


def likeness(text: str, label: str, weigh: Weigh) -> float:
    """How well `label` answers to `text` (both normal forms): 1 when equal.

    The better of two views: edits over the whole string, and words found again in any order,
    where a word of the text that the label lacks costs more than the reverse ('Clinton' may be
    'Bill Clinton').
    """
    if text == label:
        return 1.0
    whole: float = OSA.normalized_similarity(text, label)
    words, others = text.split(), label.split()
    numbers, given = _numbers(words), _numbers(others)
    if numbers and given and numbers != given:  # another year is another thing
        whole *= 0.8
    pairs = align(words, others)
    if not pairs:
        return whole
    asked = {word: weigh(word) for word in words}
    offered = {word: weigh(word) for word in others}
    covered = sum(asked[words[i]] * alike for i, _, alike in pairs) / sum(asked[w] for w in words)
    filled = sum(offered[others[j]] * alike for _, j, alike in pairs) / sum(offered[w] for w in others)
    if _differ(words, others, pairs):  # 'President Obama' is no President of Ghana
        whole *= 0.8
    return max(whole, covered**2 * (0.68 + 0.29 * filled))


def _differ(words: Sequence[str], others: Sequence[str], pairs: Sequence[tuple[int, int, float]]) -> bool:
    """Whether both have words left over that are not much alike: neither 'deniro' and 'de niro' nor
    'steph' and 'stephen' are such."""
    left = "".join(w for i, w in enumerate(words) if i not in {i for i, _, _ in pairs})
    right = "".join(w for j, w in enumerate(others) if j not in {j for _, j, _ in pairs})
    return bool(left and right) and OSA.normalized_similarity(left, right) < _ALIKE


_ALIKE = 0.65


def _numbers(words: Sequence[str]) -> set[str]:
    return {word for word in words if word[0].isdigit()}
