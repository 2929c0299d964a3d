"""Wordings for a graph that nobody wrote any for: from the names of its predicates and classes, what they tie
and what its ontology and SHACL shapes say, to a lexicon of the same form as the one that ships.

    profile                what a graph holds (`Profile`), as `kbqa.kb` surveys it
    english, tables        words of names; which are nouns, verbs, participles
    predicates             one predicate -> its wordings in both directions
    induce, write_lexicon  a profile -> wordings that differ from each other -> the lexicon's files
    owner                  lexicon.toml, the owner's corrections
"""

from kbqa.induce.induce import Induced, induce, write_lexicon
from kbqa.induce.owner import OWNER_FILE, with_owner
from kbqa.induce.profile import ClassInfo, PredicateInfo, Profile

__all__ = [
    "OWNER_FILE",
    "ClassInfo",
    "Induced",
    "PredicateInfo",
    "Profile",
    "induce",
    "with_owner",
    "write_lexicon",
]
