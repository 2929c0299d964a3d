"""What people say about earlier answers as a whole, which names nothing that a model could go by: the most
frequent, whether there are any, both lists together. Said in few ways, so read by rule."""

from __future__ import annotations

import re

_OF = r"(?P<of>of (?:these|those|them|the answers to step \d+))"
_OF2 = _OF.replace("<of>", "<of2>")
_STEPS = r"(?P<steps>step \d+(?:(?:, | or |, or | and )(?:step )?\d+)+)"
_OFTEN = (
    r"(?:is|was|are|were)? ?(?:the )?(?:(?:found|comes? up|occurs?|appears?|listed|named) (?:the )?most "
    r"(?:often|frequently)|most (?:frequent|common|often found)(?: ones?)?)"
)
_SAID = tuple(
    (re.compile(rf"{pattern}[.?!]?", re.I), template)
    for pattern, template in (
        (
            r"what (?:is|was) the (?P<amount>average|mean|total|sum|sum of the) (?P<what>.+?) "
            r"(?P<of>of (?:these|those|them|the answers to step \d+))",
            "{of}, what is the {amount} {what}?",
        ),
        (
            rf"(?:{_OF}, )?what (?:is|was) (?:the|their) (?P<amount>average|mean|total|sum|sum of the) "
            r"(?P<what>.+?)",
            "{of}, what is the {amount} {what}?",
        ),
        (
            rf"(?:{_OF}, )?how many (?:{_OF2} )?(?:are|is) there (?:for|of|in|per) (?:each|every) "
            r"(?P<what>.+?)",
            "{of}, how many are there for each {what}?",
        ),
        (rf"(?:{_OF}, )?which(?: ones?)? {_OFTEN}", "{of}, which is found most often?"),
        (rf"which(?: ones?)? {_OF} {_OFTEN}", "{of}, which is found most often?"),
        (rf"how many {_OF} are there", "{of}, how many are there?"),
        (r"how many answers to (?P<step>step \d+) are there", "{of}, how many are there?"),
        (rf"{_OF}, (?:is|are) there (?:any|at least one)", "{of}, is there any?"),
        (rf"are there any {_OF}", "{of}, is there any?"),
        (r"are there any answers to (?P<step>step \d+)", "{of}, is there any?"),
        (
            rf"(?:what (?:is|was)|which (?:are|were)) found in (?:either )?{_STEPS}",
            "What is found in {steps}?",
        ),
        (rf"which answers come from (?:either )?{_STEPS}", "What is found in {steps}?"),
    )
)
"""The phraser's own wordings, and some near them, with the template that says the same."""


def in_template(text: str) -> str | None:
    """Templated English that asks the same; None for everything else. Without a word about whose answers,
    those of the step before are meant."""
    said = " ".join(text.split())
    for pattern, template in _SAID:
        found = pattern.fullmatch(said)
        if found:
            given = found.groupdict()
            steps = re.findall(r"\d+", given.get("steps") or "")
            if given.get("of2"):
                given["of"] = given["of2"]
            of = f"of the answers to {given['step']}" if given.get("step") else given.get("of") or "of these"
            of = re.sub(r"(?i)those|them", "these", of)
            amount = "average" if given.get("amount") in ("average", "mean") else "total"
            return template.format(
                of=of.capitalize(),
                steps=" or ".join(f"step {n}" for n in steps),
                amount=amount,
                what=given.get("what"),
            )
    return None
