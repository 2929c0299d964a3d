"""A knowledge base opened for questions: its store, names, entity linker, lexicon and statistics.

kb = open_kb()                    # the stub that ships with the library
kb = open_kb("graph.ttl")         # an RDF file, a folder that `build_kb` made, or an endpoint's URL
kb.names[freebase("m.02k54")]     # 'Egypt'
"""

from kbqa.kb.build import build_kb
from kbqa.kb.endpoint import build_endpoint
from kbqa.kb.names import NAME_PREDICATES, Labels
from kbqa.kb.open import STUB, KnowledgeBase, cache_folder, open_kb
from kbqa.kb.scan import Paths

__all__ = [
    "NAME_PREDICATES",
    "STUB",
    "KnowledgeBase",
    "Labels",
    "Paths",
    "build_endpoint",
    "build_kb",
    "cache_folder",
    "open_kb",
]
