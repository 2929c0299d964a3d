"""Tiny T5 and BART checkpoints, made on the spot as Hugging Face writes them, with random weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    PreTrainedTokenizerFast,
    T5Config,
    T5ForConditionalGeneration,
)

TEXTS = (
    "what is the capital of that country ? who governs it | languages spoken in borders founded when",
    "location.country.capital location.country.official_language sports.sports_team.team_mascot",
    "location.dated_location.date_founded type.object.name Egypt Sudan Libya Lou Seal San Francisco Giants",
    "What is the official language of [that thing]? Of these, which is the mascot of step 1",
)


def make_t5(folder: Path, texts: Sequence[str] = TEXTS, *, lower: bool = False) -> Path:
    """A sentence-piece tokenizer (Unigram over words that begin with a bar), which has no token for what is
    not in `texts`, as T5's has none for '<' and '^'."""
    base = Tokenizer(models.Unigram())
    if lower:
        base.normalizer = normalizers.Lowercase()
    base.pre_tokenizer, base.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    special = ["<pad>", "</s>", "<unk>"]
    base.train_from_iterator(
        texts, trainers.UnigramTrainer(vocab_size=200, special_tokens=special, unk_token="<unk>")
    )
    base.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=base, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    torch.manual_seed(1)
    config = T5Config(
        vocab_size=len(tokenizer) + 8, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
        dropout_rate=0.0, decoder_start_token_id=0,
    )  # fmt: skip
    return _write(folder, T5ForConditionalGeneration(config), tokenizer)


def make_bart(folder: Path, texts: Sequence[str] = TEXTS) -> Path:
    """A byte-pair tokenizer over bytes, which has a token for everything; outputs begin with <s>."""
    base = Tokenizer(models.BPE())
    base.pre_tokenizer, base.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    base.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=330, special_tokens=special, initial_alphabet=alphabet)
    )
    base.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=base, bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    torch.manual_seed(2)
    config = BartConfig(
        vocab_size=len(tokenizer), d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=64, decoder_ffn_dim=64, max_position_embeddings=160,
        dropout=0.0, attention_dropout=0.0, no_repeat_ngram_size=3,
    )  # fmt: skip
    return _write(folder, BartForConditionalGeneration(config), tokenizer)


def _write(folder: Path, model: Any, tokenizer: Any) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
