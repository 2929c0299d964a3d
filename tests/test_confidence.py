"""How sure a step is: calibrated on questions, kept beside the weights."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.confidence import Shown, ece, fitted
from kbqa.assets import models
from kbqa.confidence import Calibration
from kbqa.errors import ModelError

CURVE = Calibration(bias=-0.5, share=0.8, answered=0.6, steps=-0.2)
SHARES = st.floats(0, 1)


@given(SHARES, SHARES, st.booleans(), st.integers(1, 9))
def test_a_greater_share_is_never_less_sure(one: float, other: float, answered: bool, steps: int) -> None:
    low, high = (CURVE(s, answered=answered, steps=steps) for s in sorted((one, other)))
    assert 0 <= low <= high <= 1


def test_a_curve_is_read_as_it_was_saved(tmp_path: Path) -> None:
    assert Calibration.load(tmp_path) is None
    CURVE.save(tmp_path)
    assert Calibration.load(tmp_path) == CURVE


@pytest.mark.parametrize("text", ["no", "[]", json.dumps({"bias": 1}), json.dumps({"bias": "x", "share": 1})])
def test_a_file_that_is_no_curve_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / Calibration.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=r"confidence\.json.*bench\.confidence"):
        Calibration.load(tmp_path)


def test_the_weights_that_ship_have_a_curve() -> None:
    curve = Calibration.load(models() / "parser")
    assert curve is not None
    assert curve(0.99, answered=True, steps=1) > 0.85 > 0.5 > curve(0.05, answered=False, steps=3)


def test_fitting_finds_how_often_steps_are_right() -> None:
    order = random.Random(1)
    shares = [order.random() for _ in range(4000)]
    steps = [Shown(s, order.random() < 0.8, 1, order.random() < s**2) for s in shares]
    curve = fitted(steps)
    said = [curve(s.share, answered=s.answered, steps=1) for s in steps]
    right = [float(s.right) for s in steps]
    assert ece(said, right) < 0.04 < ece([s.share for s in steps], right)
