"""Questions of tests: their names, and what an engine answers."""

from __future__ import annotations

from kbqa.engine import Engine
from kbqa.protocols import Mention


def answered(engine: Engine, question: str) -> list[str]:
    """The labels of what the last step of the first version finds, sorted; none where the question was not
    understood."""
    version = engine.first_version(question).current
    return sorted(a.label for a in version.steps[-1].answers) if version else []


def named(text: str, *names: str) -> list[Mention]:
    """Mentions where these names stand first, without candidates."""
    return [Mention(text.index(n), text.index(n) + len(n), n, ()) for n in names]
