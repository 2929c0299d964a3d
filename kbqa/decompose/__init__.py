"""`Query` <-> Steps in the order a person would ask them.

Law: `recompose(decompose(q))` gives the answers of `q` on every store.
"""

from kbqa.decompose.plan import decompose
from kbqa.decompose.recompose import recompose, recompose_step

__all__ = ["decompose", "recompose", "recompose_step"]
