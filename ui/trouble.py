"""What went wrong, in sentences with a way out."""

from __future__ import annotations

import logging
import re

import show

from kbqa.errors import (
    InputError,
    KbqaError,
    KnowledgeBaseError,
    ModelError,
    RecordsError,
    StoreTimeout,
    StoreUnavailable,
)

log = logging.getLogger("kbqa.ui")


_ERRNO = re.compile(r"\[Errno -?\d+\] ")


def explained(error: Exception, *, way_out: str = "") -> str:
    """What went wrong and what to do now (`way_out`: in place of the general advice). What is no error of
    this library goes into the log."""
    if not isinstance(error, KbqaError):
        log.error("the page failed", exc_info=error)
        return (
            f"Something went wrong inside kbqa ({type(error).__name__}). Try again or in other words; the "
            "terminal in which the page was started says more."
        )
    return f"{show.sentence(_ERRNO.sub('', str(error)))} {way_out or _way_out(error)}".strip()


def may_pass(error: Exception) -> bool:
    """Whether the same may go well another time."""
    return not isinstance(error, KbqaError) or isinstance(
        error, StoreTimeout | StoreUnavailable | RecordsError
    )


def _way_out(error: KbqaError) -> str:
    match error:
        case KnowledgeBaseError():
            return (
                "Choose another knowledge base at the side, or start the page with kbqa ui --kb FILE_OR_URL."
            )
        case ModelError():
            return "Install kbqa again, or start the page from where the checkpoints are."
        case StoreUnavailable():
            return "Try again when the knowledge base can be reached."
        case StoreTimeout():
            return "Try again, or ask for something narrower."
        case RecordsError():
            return "You can go on; what you do now may not be found again after a reload."
        case InputError():
            return ""
        case _:
            return "Try again, or in other words."
