"""The HTTP interface (DESIGN.md, section 6): dialogues as resources, errors as problem documents."""

from kbqa.server.app import make_app
from kbqa.server.limits import Limits

__all__ = ["Limits", "make_app"]
