"""Linear layers in eight bits stay close to exact ones."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from kbqa.assets import models
from kbqa.models.checkpoint import load_checkpoint
from kbqa.models.quantise import for_running, is_supported, quantise

needed = pytest.mark.skipif(not is_supported(), reason="this processor has no VNNI instructions")


@needed
@given(st.integers(1, 12), st.sampled_from([16, 48, 384]), st.integers(0, 2**16))
def test_a_rounded_layer_gives_nearly_what_the_exact_one_gives(rows: int, width: int, seed: int) -> None:
    torch.manual_seed(seed)
    exact = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, 8)).eval()
    rounded = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, 8)).eval()
    rounded.load_state_dict(exact.state_dict())
    quantise(rounded)
    x = torch.randn(rows, width)
    with torch.inference_mode():
        assert torch.allclose(exact(x), rounded(x), atol=0.05)


@needed
def test_layers_inside_layers_are_rounded_and_nothing_else() -> None:
    net = nn.ModuleDict(
        {"inner": nn.ModuleList([nn.Linear(4, 4), nn.LayerNorm(4)]), "words": nn.Embedding(3, 4)}
    )
    quantise(net)
    assert not any(isinstance(m, nn.Linear) for m in net.modules())
    assert {name for name, _ in net.named_parameters()} == {"inner.1.weight", "inner.1.bias", "words.weight"}


def test_the_signature_says_that_a_network_runs_in_eight_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = load_checkpoint(models() / "parser")
    with monkeypatch.context() as without:
        without.setattr("kbqa.models.quantise.is_supported", lambda: False)
        assert for_running(exact) is exact
    assert any(isinstance(m, nn.Linear) for m in exact.net.modules())
    monkeypatch.setattr("kbqa.models.quantise.is_supported", lambda: True)
    assert for_running(exact).signature == f"{exact.signature}-int8"
    assert not any(isinstance(m, nn.Linear) for m in exact.net.modules())


@needed
def test_weights_of_nothing_but_zeros_are_no_trouble() -> None:
    net = nn.Sequential(nn.Linear(4, 2))
    nn.init.zeros_(net[0].weight)
    quantise(net)
    with torch.inference_mode():
        assert torch.allclose(net(torch.ones(1, 4)), net[0](torch.zeros(1, 4)))
