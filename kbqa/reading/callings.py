"""What people work as, told by what they did: 'One of her husbands wrote plays. Who was it?' asks which of
them was a playwright, 'Madonna was married to an actor, who was that?' which actor was.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbqa.protocols import Mention

_KIN = (
    r"(?:husbands?|wives|wife|spouses?|partners?|children|child|kids?|sons?|daughters?|siblings?|brothers?|sisters?"
    r"|parents?|members?)"
)
_KIN_OF = re.compile(rf"{_KIN}\s+of\b", re.IGNORECASE)
_ASKED = (
    r"[.,;!\s-]+(?:and\s+|but\s+|so\s+)?(?:who|which(?:\s+one)?|what\s+was\s+(?:his|her)\s+name)"
    r"(?:\s+(?:is|was|were|are|would|could)(?:\s+be)?)?(?:\s+(?:it|that|he|she|they|this|those)(?:\s+be)?)?\W*"
)
_ONE_OF = re.compile(
    rf"\W*(?:(?:only|just)\s+)?(?:one|some|two)\s+of\s+(?P<whose>(?:the\s+)?\S.*?\b{_KIN}(?:\s+of\s+\S.*?)?)\s+"
    rf"(?P<did>(?:was|were|is|are|became|wrote|directed|sang|sings|acted|acts|painted|paints|composed|made|produced)\b"
    rf"[^.,;?]*?){_ASKED}",
    re.IGNORECASE,
)
_WHICH_OF = re.compile(
    rf"\W*(?:which|who)\s+(?:(?:one\s+)?of\s+)?(?P<whose>(?:the\s+)?\S.*?\b{_KIN}(?:\s+of\s+\S.*?)?|{_KIN}\s+of\s+\S.*?)\s+"
    r"(?P<did>(?:wrote|directed|sang|sings|acted|acts|painted|paints|composed|made|produced)\b[^.,;?]*)\W*",
    re.IGNORECASE,
)
_TIED_TO_A = re.compile(
    r"\W*(?P<who>\S.*?)\s+(?P<tie>(?:was|is|has\s+been|had\s+been)\s+(?:once\s+)?(?:married|engaged|wed)\s+to|married|wed)"
    r"\s+(?:once\s+)?an?\s+(?P<calling>[a-z][a-z -]*?)"
    rf"(?:\s+(?:once|at\s+one\s+point|for\s+a\s+(?:while|time)))?{_ASKED}",
    re.IGNORECASE,
)
_DEEDS = tuple(
    (re.compile(words, re.IGNORECASE), calling)
    for words, calling in (
        (r"wrote\s+(?:\w+\s+)?plays", "playwright"),
        (r"wrote\s+(?:\w+\s+)?(?:novels|fiction)", "novelist"),
        (r"wrote\s+(?:\w+\s+)?(?:poems|poetry|verse)", "poet"),
        (r"wrote\s+(?:\w+\s+)?songs", "songwriter"),
        (r"wrote\s+(?:\w+\s+)?(?:screenplays|scripts)", "screenwriter"),
        (r"wrote(?:\s+(?:\w+\s+)?books)?", "writer"),
        (r"(?:directed|made)\s+(?:\w+\s+)?(?:films|movies|pictures)", "film director"),
        (r"produced\s+(?:\w+\s+)?(?:films|movies)", "film producer"),
        (r"s[ai]ng(?:s)?", "singer"),
        (r"act(?:s|ed)(?:\s+in\s+(?:films|movies))?", "actor"),
        (r"paint(?:s|ed)(?:\s+pictures)?", "painter"),
        (r"composed(?:\s+(?:\w+\s+)?music)?", "composer"),
    )
)


def of_calling(text: str, mentions: Sequence[Mention]) -> str:
    """The question that names the profession; the same where it speaks of none."""
    tied = _TIED_TO_A.fullmatch(text)
    if tied is not None and any(m.meets(*tied.span("who")) for m in mentions):
        be = tied["tie"] if tied["tie"].lower() not in ("married", "wed") else "was married to"
        return f"Which {tied['calling']} {be} {tied['who']}?"
    said = _ONE_OF.fullmatch(text) or _WHICH_OF.fullmatch(text)
    if said is None or not any(m.meets(*said.span("whose")) for m in mentions):
        return text
    if any(m.meets(*said.span("did")) for m in mentions):
        return text
    did = said["did"].strip()
    calling = next((name for words, name in _DEEDS if words.fullmatch(did)), None)
    if calling is None and said.re is _WHICH_OF:
        return text
    of = "" if _KIN_OF.match(said["whose"]) else "of "
    return f"Which {of}{said['whose']} {f'was a {calling}' if calling else did}?"
