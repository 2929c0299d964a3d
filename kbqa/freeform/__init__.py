"""What a person says in their own words, as feedback: 'no, I meant the director' -> Edit(1, 'Who is ...?').

By rule, from tables of how people say things (`cues`): which step it is about (`which`), what is asked
there instead (`wording`). A proposal is shown back before it is applied.
"""

from kbqa.freeform.proposal import Proposal, described
from kbqa.freeform.understand import understand

__all__ = ["Proposal", "described", "understand"]
