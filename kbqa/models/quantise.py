"""Linear layers in eight bits, for running: the small ones of a decoder take a quarter of the time on a CPU.

Weights are rounded by row, inputs as they come, each by its largest value; sums and biases are exact. What is
trained stays in floating point, and so does what runs on a processor without instructions for it: there
inputs would have to be rounded to seven bits, and fewer questions be read rightly.
"""

from __future__ import annotations

import warnings
from dataclasses import replace

import torch
from torch import Tensor, nn

from kbqa.models.checkpoint import Checkpoint


class _Linear(nn.Module):
    """As `nn.Linear`, its weight (out, in) in eight bits."""

    def __init__(self, exact: nn.Linear) -> None:
        super().__init__()
        weight = exact.weight.detach()
        scales = (weight.abs().amax(1) / 127).clamp(min=1e-8).double()
        zeros = torch.zeros_like(scales, dtype=torch.int64)
        with warnings.catch_warnings():  # torch, which is pinned, means to drop such tensors one day
            warnings.simplefilter("ignore", UserWarning)
            rounded = torch.quantize_per_channel(weight, scales, zeros, axis=0, dtype=torch.qint8)
        self._packed = torch.ops.quantized.linear_prepack(rounded, exact.bias.detach())

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = torch.ops.quantized.linear_dynamic(x, self._packed)
        return found


def is_supported() -> bool:
    """Whether this processor multiplies eight bits by eight exactly (VNNI), and torch knows how."""
    return torch.cpu._is_vnni_supported() and torch.backends.quantized.engine in ("x86", "onednn")


def for_running(checkpoint: Checkpoint) -> Checkpoint:
    """The checkpoint with its network in eight bits, in place, where that is supported; its signature then
    says so, since what is read may differ a little."""
    if not is_supported():
        return checkpoint
    quantise(checkpoint.net)
    return replace(checkpoint, signature=f"{checkpoint.signature}-int8")


def quantise(module: nn.Module) -> None:
    """All linear layers inside `module`, in place, which can't be trained any more."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, _Linear(child))
        else:
            quantise(child)
