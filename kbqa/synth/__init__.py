"""Questions made from a graph and the lexicon, with the steps they mean."""

from kbqa.synth.generate import Example, Mentioned, generate
from kbqa.synth.graph import Graph

__all__ = ["Example", "Graph", "Mentioned", "generate"]
