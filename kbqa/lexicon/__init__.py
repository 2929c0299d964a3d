"""How predicates are worded: a template per path and direction, natural wordings, mediators.

Files (tab-separated, with a header line), in `kbqa/lexicon/freebase/` or a KB's own folder:
    paths/*.tsv       path, template, noun, asks
    wordings/*.tsv    path, form (question | noun | clause), wording
    mediators.tsv     kind (type | predicate), name
A path is one predicate or two separated by a blank; `^` before a predicate walks it backwards.
"""

from kbqa.lexicon.load import Lexicon, Wording, freebase_lexicon, load_lexicon, parse_path, show_path

__all__ = ["Lexicon", "Wording", "freebase_lexicon", "load_lexicon", "parse_path", "show_path"]
