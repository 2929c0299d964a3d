"""Where it breaks: other readings that have answers, offered ready executed.

Offering(kb, Limits()).added(version, parses, question, mode)
"""

from kbqa.offers.offering import Limits, Offering

__all__ = ["Limits", "Offering"]
