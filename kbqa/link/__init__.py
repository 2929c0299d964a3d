"""Entity linking: names in a question -> entities, with alternatives.

index = LabelIndex.build(labels)            # or LabelIndex.open(folder)
EntityLinker(index).link("Who governs Al Sharqia?")
"""

from kbqa.link.index import Hit, Label, LabelIndex
from kbqa.link.linker import EntityLinker, Settings
from kbqa.link.normalise import key

__all__ = ["EntityLinker", "Hit", "Label", "LabelIndex", "Settings", "key"]
