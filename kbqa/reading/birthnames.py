"""What someone was called at birth: 'What is Mark Twain's real name?', 'real name of the singer of Queen'.

The parser knows no such question. Who is meant is the name that stands beside, or what is read of the words
that describe them; one more step is their name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.protocols import Mention
from kbqa.reading.choices import namesakes
from kbqa.reading.choosing import Chosen, first_told, told
from kbqa.reading.rule import Rule
from kbqa.types import Find, Hop, Ref, freebase

_NAME = (
    r"(?:(?:real|true|actual|original|full|proper|legal|birth|given)\s+(?:(?:birth|full|given)\s+)?|birth\s?)"
    "names?"
)
_OF = re.compile(rf"\b{_NAME}\s+(?:of|for)\s+(?P<who>.+?)\W*\Z", re.IGNORECASE)
_OWN = re.compile(
    r"\A\W*(?:(?:please\s+)?(?:tell|give)\s+me\s+|(?:what|which)(?:['’]?s|\s+(?:is|was))?\s+)?"
    rf"(?P<who>\S.*?)(?:['’]s?)?\s+{_NAME}(?:\s+(?:is|was))?(?:\s+(?:please|pls|again))?\W*\Z",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\A\W*(?:what|under\s+(?:what|which)\s+name)\s+(?:was|is)\s+(?P<who>.+?)(?:\s+(?:called|named))?\s+"
    r"(?:at\s+birth|born\s+(?:as|with|under)|on\s+(?:his|her|their|the)\s+birth\s+certificate|really\s+(?:called|named))"
    r"\W*\Z",
    re.IGNORECASE,
)
_BIRTH_NAME = (Hop(freebase("people.person.birth_name")),)


def named_in(text: str) -> str:
    """The words that say whose name at birth a question asks for; none where it asks for none."""
    said = next((m for pattern in (_OF, _BORN, _OWN) if (m := pattern.search(text))), None)
    return "" if said is None else said["who"]


class BirthNames(Rule):
    """Tells what people were called at birth."""

    def told(self, text: str, mentions: Sequence[Mention]) -> Chosen | None:
        """The reading that finds it; None where that isn't asked, or isn't known."""
        who = "" if self._kb.own else named_in(text)
        if not who or _BIRTH_NAME[0].predicate not in self._kb.paths.predicates:
            return None
        start = text.index(who)
        for mention in mentions:
            if (mention.start, mention.end) == (start, start + len(who)):
                ways = ((Find(person, _BIRTH_NAME),) for person in namesakes(mention))
                return first_told(self._run, ways)
        found = self._read(f"Who is {who}?")
        steps = found.parse.decomposition.steps if found is not None and found.told else ()
        return told(self._run, (*steps, Find(Ref(len(steps)), _BIRTH_NAME))) if steps else None
