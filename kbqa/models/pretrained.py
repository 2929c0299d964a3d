"""Loading an encoder-decoder checkpoint in Hugging Face's format, with every way it can be wrong named.

Only a hub id is looked up on the network, after the hub's cache; weights are read from safetensors
only, and no code of a checkpoint is run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import torch
from huggingface_hub import constants, get_session
from transformers import AutoConfig, AutoModelForSeq2SeqLM, AutoTokenizer
from transformers.utils import logging

from kbqa.errors import ModelError

META = "kbqa.json"
"""What a checkpoint of this project's training knows of itself beside Hugging Face's files."""

_HUB_ID = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)?")
_SPARE_ROWS = 1024
"""Embeddings without a token: models pad their tables to a round number of rows."""
_REACH_S = 5.0

_T = TypeVar("_T")


def load_pair(name: str | Path) -> tuple[Any, Any, Mapping[str, Any]]:
    """Model (float32, on the CPU), tokenizer and what training wrote beside them. A hub id is looked up
    in the hub's cache before the network. Raises `ModelError` as `HubSeq2Seq.load` does."""
    place, local = _where(name)
    with quiet():
        try:
            model, info, tokenizer = _files(place, local_files_only=True)
        except _Unread as e:
            if local:
                raise ModelError(f"the {e.what} of the checkpoint in {name} can't be read: {e}") from e
            _reach(place)
            try:
                model, info, tokenizer = _files(place, local_files_only=False)
            except _Unread as e:
                raise ModelError(
                    f"no {e.what} of {name} on the hub: {e}; check the id, or name a local folder"
                ) from e
    _check_weights(name, model.config, info)
    _check_tokenizer(name, model, tokenizer)
    return model, tokenizer, _meta(Path(place)) if local else {}


class _Unread(Exception):
    """A file that is not there or broken. `what` it holds."""

    def __init__(self, what: str, reason: Exception) -> None:
        self.what = what
        super().__init__(" ".join(str(reason).split())[:300] or type(reason).__name__)


def _files(place: str, *, local_files_only: bool) -> tuple[Any, Mapping[str, Any], Any]:
    """Model, what was amiss with its weights, tokenizer. Raises `_Unread`, or `ModelError` for a model
    of another kind."""
    config = _read("config", lambda: AutoConfig.from_pretrained(place, local_files_only=local_files_only))
    _check_kind(place, config)
    model, info = _read(
        "weights",
        lambda: AutoModelForSeq2SeqLM.from_pretrained(
            place,
            config=config,
            dtype=torch.float32,
            use_safetensors=True,
            output_loading_info=True,
            local_files_only=local_files_only,
        ),
    )
    tokenizer = _read(
        "tokenizer", lambda: AutoTokenizer.from_pretrained(place, local_files_only=local_files_only)
    )
    return model, info, tokenizer


def _read(what: str, load: Callable[[], _T]) -> _T:
    """What the libraries below raise for a bad file has no common base but `Exception`."""
    try:
        return load()
    except Exception as e:
        raise _Unread(what, e) from e


def _reach(name: str) -> None:
    """One quick look whether the hub answers: the hub's own client would try for half a minute."""
    try:
        get_session().head(constants.ENDPOINT, timeout=_REACH_S)
    except Exception as e:
        reason = " ".join(str(e).split())[:120] or type(e).__name__
        raise ModelError(
            f"{name} is not in the hub's cache here, and {constants.ENDPOINT} can't be reached ({reason}); "
            "go online, or name a local folder with a T5 or BART checkpoint"
        ) from e


def _where(name: str | Path) -> tuple[str, bool]:
    """What to load from, and whether that is a folder."""
    path = Path(name).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file():
            raise ModelError(f"{path} holds no checkpoint: config.json is missing{_FOLDER}")
        if not list(path.glob("*.safetensors")):
            pickled = " (weights that are pickled Python objects are not read)" if _pickles(path) else ""
            raise ModelError(f"{path} holds no weights: model.safetensors is missing{pickled}{_FOLDER}")
        return str(path), True
    text = str(name)
    beside = len(path.parts) > 1 and path.parent.is_dir()
    if isinstance(name, Path) or beside or not _HUB_ID.fullmatch(text):
        there = "is no folder" if path.exists() else "does not exist"
        raise ModelError(f"{text} {there}{_FOLDER}")
    return text, False


_FOLDER = (
    "; expected a folder with a T5 or BART checkpoint in Hugging Face's format, or a hub id such as "
    "google-t5/t5-base"
)


def _pickles(path: Path) -> bool:
    return any(path.glob("*.bin")) or any(path.glob("*.pt"))


def _check_kind(name: str | Path, config: Any) -> None:
    if getattr(config, "is_encoder_decoder", False):
        return
    names = " ".join(config.architectures or ()).lower()
    if "causallm" in names or "lmheadmodel" in names:
        has, else_ = "a decoder", ""
    else:
        has, else_ = "an encoder", " (an encoder alone is what --encoder takes)"
    raise ModelError(
        f"{name} is a {config.model_type} model, {has} only; a T5 or BART checkpoint expected, which has "
        f"both{else_}"
    )


def _check_weights(name: str | Path, config: Any, info: Mapping[str, Any]) -> None:
    missing, odd = sorted(info["missing_keys"]), sorted(map(str, info["mismatched_keys"]))
    if any(k.startswith(("decoder.", "model.decoder.")) for k in missing):
        raise ModelError(
            f"{name} holds the encoder of a {config.model_type} model only: its weights lack {missing[0]} "
            f"and {len(missing) - 1} more; a checkpoint with a decoder expected"
        )
    if missing or odd:
        raise ModelError(
            f"the weights of {name} are not those its config.json describes: "
            f"missing {missing[:3]}, of another shape {odd[:3]}"
        )


def _check_tokenizer(name: str | Path, model: Any, tokenizer: Any) -> None:
    rows = model.get_input_embeddings().weight.shape[0]
    if len(tokenizer) > rows or rows - len(tokenizer) > max(_SPARE_ROWS, rows // 4):
        raise ModelError(
            f"the tokenizer of {name} is another model's: it has {len(tokenizer):,} tokens, "
            f"the model embeds {rows:,}"
        )
    for which in ("eos_token_id", "pad_token_id"):
        own, models = getattr(tokenizer, which), getattr(model.config, which, None)
        allowed = models if isinstance(models, list) else [models]
        if own is None or (models is not None and own not in allowed):
            raise ModelError(
                f"the tokenizer of {name} is another model's: its {which} is {own}, the model's {models}"
            )
    if model.config.decoder_start_token_id is None:
        raise ModelError(f"the config.json of {name} has no decoder_start_token_id: the decoder can't begin")


def _meta(folder: Path) -> Mapping[str, Any]:
    file = folder / META
    if not file.is_file():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as e:
        raise ModelError(f"{file} is broken: {e}; train the checkpoint again") from None
    return found if isinstance(found, dict) else {}


@contextmanager
def quiet() -> Iterator[None]:
    """Without transformers' bars and load reports: what they tell is an error here."""
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
