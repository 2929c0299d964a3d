"""Beam search over the pointer network, under a grammar. Torch only; one source at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar

import torch
from torch import Tensor

from kbqa.models.net import PointerNet
from kbqa.models.tokens import END, START, Vocabulary


class Place(Protocol):
    """Where what is being written stands."""

    def advance(self, token: str) -> Self: ...


P = TypeVar("P", bound=Place)


class Rules(Protocol[P]):
    """What may be written next, such as `kbqa.parse.grammar.Grammar`."""

    @property
    def start(self) -> P: ...

    def allowed(self, s: P, /) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True)
class Found:
    """A finished program: its tokens without <end>, and the sum of their log probabilities under
    the grammar's renormalisation."""

    tokens: tuple[str, ...]
    logprob: float


@dataclass(slots=True)
class _Beam(Generic[P]):
    tokens: tuple[int, ...]
    logprob: float
    state: P


class _Masks:
    """Allowed tokens as additive masks, kept per set."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._made: dict[frozenset[str], Tensor] = {}

    def of(self, allowed: frozenset[str]) -> Tensor:
        mask = self._made.get(allowed)
        if mask is None:
            ids = [i for t in allowed if (i := self.vocabulary.ids.get(t)) is not None]
            mask = torch.full((len(self.vocabulary.tokens),), float("-inf"))
            mask[ids] = 0.0
            self._made[allowed] = mask
        return mask


@torch.inference_mode()
def search(
    net: PointerNet,
    table: Tensor,
    vocabulary: Vocabulary,
    ids: Tensor,
    mask: Tensor,
    grammar: Rules[P],
    *,
    bias: Tensor | float = 0.0,
    width: int = 10,
    longest: int = 48,
    margin: float = 9.0,
) -> list[Found]:
    """The `width` likeliest programs, best first. ids, mask: (1, S); table: (V, D); bias: (V,),
    added to the logits.

    What is less likely than the best finished program by `margin` (natural logarithm) is given up.
    """
    memory = net.memory(net.encoder(ids, mask))
    masks = _Masks(vocabulary)
    beams, done = [_Beam((START,), 0.0, grammar.start)], list[Found]()
    past: list[tuple[Tensor, Tensor]] | None = None
    for _ in range(longest):
        n = len(beams)
        wide = [(k.expand(n, -1, -1, -1), v.expand(n, -1, -1, -1)) for k, v in memory]
        last = torch.tensor([[b.tokens[-1]] for b in beams])
        logits, past = net.decode(last, table, wide, mask.expand(n, -1), past)
        allowed = torch.stack([masks.of(grammar.allowed(b.state)) for b in beams])
        scores = (logits[:, -1] + bias + allowed).log_softmax(-1)
        total = scores + torch.tensor([[b.logprob] for b in beams])
        top, where = total.flatten().topk(min(2 * width, total.numel()))
        kept: list[_Beam[P]] = []
        rows: list[int] = []
        for value, index in zip(top.tolist(), where.tolist(), strict=True):
            if value == float("-inf") or (done and value < done[0].logprob - margin):
                break
            row, token = divmod(index, scores.shape[1])
            beam = beams[row]
            if token == END:
                done.append(Found(tuple(vocabulary.decode(beam.tokens[1:])), value))
            elif len(kept) < width:
                kept.append(_Beam((*beam.tokens, token), value, beam.state.advance(vocabulary.tokens[token])))
                rows.append(row)
        done = sorted(done, key=lambda f: -f.logprob)[:width]
        if not kept or (len(done) == width and kept[0].logprob < done[-1].logprob):
            break
        chosen = torch.tensor(rows)
        past = [(k[chosen], v[chosen]) for k, v in past]
        beams = kept
    return done
