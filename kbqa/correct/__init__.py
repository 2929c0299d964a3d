"""A person's sub-question -> a step: by the model, or word for word where it is templated English."""

from kbqa.correct.context import Context, Corrected, Corrector
from kbqa.correct.template import TemplateCorrector

__all__ = ["Context", "Corrected", "Corrector", "TemplateCorrector"]
