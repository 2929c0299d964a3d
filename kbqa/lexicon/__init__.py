"""How predicates are worded: a template per path and direction, natural wordings, mediators.

Files (tab-separated, with a header line), in `kbqa/lexicon/freebase/` or a KB's own folder:
    paths/*.tsv       path, template, noun, asks
    wordings/*.tsv    path, form (question | noun | clause), wording
    twins.tsv         path, same, template: `path` says what `same` says (Freebase keeps a fact both ways),
                      so that it shares its noun, asks and wordings, and has a template of its own
    properties.tsv    path, name: what a value is called by which answers are restricted or sorted
    mediators.tsv     kind (type | predicate: leads to mediators | source: leads from them), name
    spoken.tsv        path, words: how a predicate of an own graph is read to a model
    classes.tsv       class, noun: what instances of a class of an own graph are called
A path is one predicate or two separated by a blank; `^` before a predicate walks it backwards.
"""

from kbqa.lexicon.load import Lexicon, Wording, freebase_lexicon, load_lexicon, parse_path, show_path

__all__ = ["Lexicon", "Wording", "freebase_lexicon", "load_lexicon", "parse_path", "show_path"]
