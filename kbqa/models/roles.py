"""Checkpoints by what they were trained as. Importing this imports no torch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from typing import Literal as Choice

from kbqa.errors import ModelError

if TYPE_CHECKING:
    from kbqa.models.hub import HubSeq2Seq

Role = Choice["parser", "phraser", "listener", "corrector"]


def load_role(name: str | Path, role: Role) -> HubSeq2Seq:
    """A checkpoint (folder or hub id) that `kbqa train ROLE` made from a `base`. Imports torch and
    transformers. Raises `ModelError`, also where it was trained as something else."""
    try:
        from kbqa.models.hub import HubSeq2Seq
    except ModuleNotFoundError as e:
        raise ModelError(f"{name} needs the package {e.name}: pip install 'kbqa[train]'") from None
    model = HubSeq2Seq.load(name)
    trained = model.meta.get("role")
    if trained != role:
        said = f"was trained as a {trained}" if trained else "was not trained by this project"
        raise ModelError(
            f"{name} {said}, not as a {role}: train one with `kbqa train {role} --config F`, "
            f'where F holds base = "{name}"'
        )
    return model
