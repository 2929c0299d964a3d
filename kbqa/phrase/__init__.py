"""Steps as natural sub-questions. `RulePhraser` words them from the lexicon; a model may take its place.

RulePhraser(lexicon).phrase(StepInContext(steps, number, labels), n=10)
phrase_template("What is the capital of [Egypt]?", lexicon)
"""

from kbqa.phrase.blend import BLENDS, Listener, ListeningPhraser
from kbqa.phrase.remember import RememberingPhraser
from kbqa.phrase.rule import Phraser, Phrasing, RulePhraser, StepInContext
from kbqa.phrase.template import phrase_template
from kbqa.phrase.together import TogetherPhraser

__all__ = [
    "BLENDS",
    "Listener",
    "ListeningPhraser",
    "Phraser",
    "Phrasing",
    "RememberingPhraser",
    "RulePhraser",
    "StepInContext",
    "TogetherPhraser",
    "phrase_template",
]
