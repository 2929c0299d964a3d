"""Any T5 or BART checkpoint in Hugging Face's format as a `Seq2Seq`: a local folder, or a hub id.

model = HubSeq2Seq.load("runs/parser")
model.generate(["what is the capital of [unused0] ?"], n=5)
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from kbqa.models.pretrained import load_pair
from kbqa.protocols import Constraint, Scored

MAX_SOURCE, MAX_TARGET = 256, 128
"""Tokens that are read and written, where the checkpoint does not say."""

_BATCH = 16
_DEAD = -1e8
"""Beams of less are none: the search fills up with them where the constraint leaves no other."""


class HubSeq2Seq:
    """A sequence-to-sequence model with its tokenizer. Stateless between calls.

    `meta`: what training wrote about it; `signature`: names the weights. `width`: beams, where fewer
    outputs are asked for. Threads may share it; it works for one at a time.
    """

    concurrent = True

    def __init__(
        self, model: Any, tokenizer: Any, *, name: str, meta: Mapping[str, Any] | None = None, width: int = 5
    ) -> None:
        self.model, self.tokenizer, self.name, self.width = model.eval(), tokenizer, name, width
        self.meta: Mapping[str, Any] = meta or {}
        longest = getattr(model.config, "max_position_embeddings", None) or math.inf
        self.max_source = int(min(self.meta.get("max_source", MAX_SOURCE), longest))
        self.max_target = int(min(self.meta.get("max_target", MAX_TARGET), longest))
        self.signature = f"{self.meta.get('role', 'seq2seq')}-{_digest(model.state_dict())}"
        self._alone = threading.RLock()  # a fast tokenizer fails where another thread sets its padding
        ids = tokenizer("").input_ids
        self._lead: tuple[int, ...] = tuple(ids[: ids.index(tokenizer.eos_token_id)])

    @classmethod
    def load(cls, name: str | Path, *, width: int = 5) -> HubSeq2Seq:
        """`name`: a folder, or a hub id such as 'google-t5/t5-base'. A GPU is used where there is one.

        Raises `ModelError` for a folder that is missing or broken, a hub id that can't be had, a
        checkpoint that is no encoder-decoder, a tokenizer of another model.
        """
        model, tokenizer, meta = load_pair(name)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        return cls(model.to(device), tokenizer, name=str(name), meta=meta, width=width)

    def token_ids(self, text: str) -> tuple[int, ...]:
        """The ids of a word within a text, without what begins and ends one; none where a character of it
        has no id."""
        with self._alone:
            found = tuple(self.tokenizer(f" {text}", add_special_tokens=False).input_ids)
        return () if self.tokenizer.unk_token_id in found else found

    @property
    def end(self) -> int:
        """The id that ends an output."""
        return int(self.tokenizer.eos_token_id)

    @torch.inference_mode()
    def generate(
        self,
        sources: Sequence[str],
        *,
        n: int = 1,
        constraints: Sequence[Constraint | None] | None = None,
    ) -> list[list[Scored]]:
        """For each source up to `n` distinct texts, likeliest first, by beam search; fewer where the
        constraint leaves fewer. A constraint is given ids without what begins an output; `end` among
        those it allows may end it. Log probabilities are the model's own: the constraint forbids, it
        does not make what it leaves any likelier."""
        limits: list[Constraint | None] = list(constraints or [None] * len(sources))
        out: list[list[Scored]] = []
        for at in range(0, len(sources), _BATCH):
            with self._alone:
                out += self._search(sources[at : at + _BATCH], limits[at : at + _BATCH], n)
        return out

    def _search(self, sources: Sequence[str], limits: list[Constraint | None], n: int) -> list[list[Scored]]:
        beams = max(2, n, self.width)
        start = self.model.config.decoder_start_token_id
        settings = GenerationConfig(  # type: ignore[no-untyped-call]
            num_beams=beams,
            num_return_sequences=beams,
            max_new_tokens=self.max_target,
            length_penalty=0.0,
            early_stopping=False,
            do_sample=False,
            return_dict_in_generate=True,
            output_scores=True,
            decoder_start_token_id=start,
            bos_token_id=self.tokenizer.bos_token_id,
            eos_token_id=self.tokenizer.eos_token_id,
            pad_token_id=self.tokenizer.pad_token_id,
        )
        processors = LogitsProcessorList()
        if any(limits):
            processors.append(_Limits(limits, beams, self._lead))
        found = self.model.generate(
            **self._encoded(sources, self.max_source),
            generation_config=settings,
            logits_processor=processors,
        )
        texts = self.tokenizer.batch_decode(
            found.sequences, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        scores, out = found.sequences_scores.tolist(), []
        for at in range(0, len(texts), beams):
            best: dict[str, float] = {}
            for text, logprob in zip(texts[at : at + beams], scores[at : at + beams], strict=True):
                if logprob > _DEAD:
                    best.setdefault(" ".join(text.split()), logprob)
            out.append([Scored(text, logprob) for text, logprob in best.items()][:n])
        return out

    @torch.inference_mode()
    def score(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The log probability of each target, given its source."""
        out: list[float] = []
        for at in range(0, len(pairs), 4 * _BATCH):
            sources, targets = zip(*pairs[at : at + 4 * _BATCH], strict=True)
            with self._alone:
                labels = self._encoded(targets, self.max_target)
                wanted = labels["input_ids"].masked_fill(labels["attention_mask"] == 0, -100)
                logits = self.model(**self._encoded(sources, self.max_source), labels=wanted).logits
            losses = F.cross_entropy(logits.float().flatten(0, 1), wanted.flatten(), reduction="none")
            out += (-losses.view(wanted.shape).sum(1)).tolist()
        return out

    def _encoded(self, texts: Iterable[str], longest: int) -> dict[str, Tensor]:
        found = self.tokenizer(
            list(texts), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        return {k: found[k].to(self.model.device) for k in ("input_ids", "attention_mask")}


class _Limits(LogitsProcessor):
    """Sets what a constraint forbids to minus infinity. Where one allows nothing, the beam dies."""

    def __init__(self, limits: Sequence[Constraint | None], beams: int, lead: tuple[int, ...]) -> None:
        self._limits, self._beams, self._lead = limits, beams, lead

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        mask = torch.full_like(scores, -math.inf)
        for row, ids in enumerate(input_ids.tolist()):
            limit, written = self._limits[row // self._beams], ids[1:]
            if limit is None:
                mask[row] = 0.0
            elif len(written) < len(self._lead):
                mask[row, self._lead[len(written)]] = 0.0
            else:
                mask[row, list(limit(written[len(self._lead) :]))] = 0.0
        return scores + mask


def _digest(state: Mapping[str, Tensor]) -> str:
    """Twelve digits that change with any training: the first 64 values of every tensor."""
    found = hashlib.sha256()
    for key, value in state.items():
        found.update(key.encode())
        found.update(value.detach().flatten()[:64].float().cpu().numpy().tobytes())
    return found.hexdigest()[:12]
