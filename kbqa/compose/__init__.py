"""Questions over a person's own graph, read by rule: a noun phrase is a class with conditions, and on it
stands an operation (count, list, average, tally, yes or no). The words come from the graph's induced lexicon,
what may be connected with what from its profile, so that the rules are the same for every graph.

A question is read only where each of its words has a part in the reading; everything else is for a parser.
"""

from kbqa.compose.correct import ComposingCorrector
from kbqa.compose.parser import ComposingParser

__all__ = ["ComposingCorrector", "ComposingParser"]
