"""How people say yes, no, 'not sure', undo, back, stop, and which alternative. Patterns over one line in
which words are one blank apart; each is tried on what is left when courtesies are cut off."""

from __future__ import annotations

import re

from kbqa.freeform.places import CARDINAL, ORDINAL

_APPROVING = frozenset(
    """yes yep yeah yea yup ya y correct right ok okay good fine great perfect perfectly exactly sure true
    accept accepted agreed excellent nice confirmed cool super absolutely definitely indeed""".split()
)
_FILLING = frozenset(
    """it is that's thats that this looks look seems to me all the both step steps answer answers very thanks
    thank you i think so what wanted want asked for meant was are they everything of course now quite and
    much lot a your understanding understood as""".split()
)


def approves(text: str) -> bool:
    """Whether all words are those of a yes: 'ok perfect thanks!'"""
    words = re.findall(r"[\w']+", text.casefold())
    return any(w in _APPROVING for w in words) and all(w in _APPROVING or w in _FILLING for w in words)


REJECTION = re.compile(
    r"no|nope|nah|n|wrong|false|incorrect|bad|not (?:right|correct|good|true|ok|okay|at all)"
    r"|(?:that|this|it)(?: is|'?s| was| isn'?t| wasn'?t)? (?:not )?(?:(?:all|completely|totally) )?"
    r"(?:wrong|incorrect|right|correct|true|it|what i (?:asked|meant|wanted|mean)(?: for)?)"
    r"|not (?:really|quite|exactly|what i (?:asked|meant|wanted)(?: for)?)",
    re.I,
)
UNSURE = re.compile(
    r"\b(?:(?:not|n'?t) (?:(?:really|so|quite|too|entirely|completely|at all|100 ?%) )?(?:sure|certain)"
    r"|unsure|uncertain|no (?:idea|clue)|dunno|idk|who knows|beats me|(?:maybe|perhaps)\W*$"
    r"|(?:can ?'?t|can ?not|couldn'?t) (?:really )?(?:tell|say|judge|know|decide)"
    r"|(?:don'?t|do not) (?:really )?know|(?:hard|difficult) to (?:say|tell|judge)"
    r"|how (?:should|would|can|could) i know)",
    re.I,
)
_CHANGE = r"(?:edit|change|correction)"
UNDO = re.compile(
    r"(?:undo|revert|rollback|roll back|back|go back|step back|take (?:that|it|this) back|previous)"
    rf"(?: (?:that|it|this|one|once|again|a step|one (?:step|version)|my (?:last )?{_CHANGE}|(?:the|that"
    rf"|this) {_CHANGE}"
    rf"|(?:to )?(?:the )?(?:last|previous)(?: (?:one|version|step|{_CHANGE}))?))?"
    r"|(?:that|it) was (?:better|right|fine|ok|correct) (?:before|earlier|previously)"
    r"|(?:the )?(?:previous|earlier) (?:version|one)(?: (?:was|is) (?:better|right|fine|correct))?"
    r"|(?:that|this|it) (?:made|makes) it worse|(?:that|it)(?: i|'?)s worse(?: now)?",
    re.I,
)
NEVER_MIND = re.compile(r"^never ?mind\b[ ,.;:-]*(?=\S)", re.I)
VERSION = re.compile(
    r"\b(?:(?P<first>(?:the )?(?:original|initial|very first)(?: (?:version|one|understanding|reading"
    r"|steps))?"
    r"(?=\W*$| (?:was|is)\b)|the (?:start|beginning)\W*$)"
    rf"|(?P<o>{ORDINAL}) (?:version|try|attempt|understanding)\b|version (?:number )?(?P<c>{CARDINAL})\b)",
    re.I,
)
RETURNING = re.compile(
    r"\b(?:back|return|go|switch|revert|restore|reset|use|undo|prefer|was (?:right|better|correct|good"
    r"|fine|best))\b",
    re.I,
)
OVER = re.compile(r"\b(?:start|begin) (?:over|again|from scratch|anew)\b|^from scratch\b", re.I)
STOP = re.compile(
    r"^(?:please )?(?:stop|quit|exit|end|cancel|abort|enough|bye|goodbye|forget (?:it|about it)|leave it"
    r"|never ?mind"
    r"|(?:i'?m |i am )?done|i (?:give|gave) up|let'?s (?:stop|end|quit))"
    r"(?: (?:it|this|that|now|here|there|please|the dialogue))*"
    r"(?:(?: ?[,.;:!-]+ ?| (?:because|since|as) )(?P<comment>\w.+)|\W*)$",
    re.I,
)
DESPAIR = re.compile(
    r"\b(?:give up|hopeless|useless|nonsense|rubbish|waste of time|let'?s stop|(?:isn'?t|not) working"
    r"|doesn'?t work)\b",
    re.I,
)
_OFFER = "(?:option|alternative|suggestion|offer|choice|reading|proposal)"
CHOICE = re.compile(
    rf"\b(?:(?P<o>{ORDINAL}) {_OFFER}|{_OFFER}s? ?,? ?(?:number |no\. ?|# ?)?(?P<c>{CARDINAL}))\b", re.I
)
CHOICE_ALONE = re.compile(
    r"(?:the |take |number |no\. |i (?:prefer|want|take) (?:the )?)*(?P<n>\w+)(?: one)?"
    r"|.*\b(?:other|alternative)\b.*\bnumber (?P<m>\w+)",
    re.I,
)
"""Where alternatives are offered: 'the second one', 'take 2'."""
NEW_QUESTION = re.compile(
    r"^(?:(?:a )?(?:new|another|different|next) question|new) ?[:,-]+ ?(?P<question>.+)", re.I
)
