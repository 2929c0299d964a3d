"""How people say what is to change. Patterns over one line in which words are one blank apart."""

from __future__ import annotations

import re

# --- what stands around it -----------------------------------------------------

POLITE = re.compile(
    r"^(?:(?:no|nope|nah|hm+|uh+m*|well|actually|sorry|ok(?:ay)?|oh|but|and|now|then|also|wait|pls|plz|please|hey|sure"
    r"|so|yes|i think(?: that)?|not (?:quite|exactly)|nearly|almost|maybe|perhaps)\b[ ,.!;:-]*"
    r"|(?:what|how) about |(?:can|could|would|will) (?:you|we) (?:please )?|let'?s (?!stop|end|quit)"
    r"|you (?:should|need to|must|have to|can) (?=\w)|i'?d like (?:you )?to )+",
    re.I,
)
THANKS = re.compile(r"[ ,.!-]*\b(?:please|pls|plz|thanks|thank you|thx|then|instead|again|ok)\W*$", re.I)
DENIAL = re.compile(r"^\W*(?:no|nope|nah|wrong|not|actually|sorry|but)\b", re.I)
APPROVED = re.compile(r"^(?:right|good|fine|great|correct|yes|ok) ?,? but ", re.I)
"""'right, but ...'"""
COMPLAINT = re.compile(
    r"^(?:(?:that'?s|this is|it'?s|is) )?(?:the )?wrong(?: \w+)? ?(?:[-,:;.!]+ ?|$)"
    r"|^(?:is|was)(?: not|n'?t| in) ?(?:right|correct|$)[ ,;.:-]*",
    re.I,
)
ASKING_WHY = re.compile(
    r"^(?:why|how come|how) (?:did|do|does|are|have|is|would)\b.*\b(?:you|this|that)\b", re.I
)

# --- what is wanted ------------------------------------------------------------

_SAID = (
    "(?:mean|meant|wanted|want|needed|need|asked|asking|ask|looking|look|prefer|care|interested|searching|search"
    "|wish|intended|intend)"
)
_MODAL = "(?:should|must|ought to|has to|needs to|(?:is|was) (?:meant|supposed) to|is to)"
WANT = re.compile(
    rf"(?:\bi ?(?:'?m|'?d|am|was|would|did|have)?(?: (?:really|actually|just|only|rather|like"
    rf"|also))* {_SAID}\b"
    r"(?: (?:for|about|in|to (?:know|see|have|ask(?: (?:for|about))?|find(?: out)?|get)|instead|only|just))*"
    rf"|\b(?:(?:it|this|that|there|one|which|they) )?{_MODAL}(?: (?:rather|really|actually|instead|only))*"
    r"(?: (?:be|ask|say|read|mean|look|include|have|give))?(?: (?:looking|asking|searching))?"
    r"(?: (?:for|about|only|instead))*"
    r"|\b(?:it(?:'?s| is)|is|was) about\b"
    r"|\b(?:make (?:sure|certain)|ensure)(?: (?:that|to|of))?) ?[:,]? ",
    re.I,
)
"""What comes before it: 'I was looking for', 'it should ask for'."""
IMPERATIVE = re.compile(
    r"^(?:make (?:it|that|this)(?: (?:be|ask))?|ask(?: (?:me|it|for|about|instead|rather))*|use"
    r"|utili[sz]e|substitute"
    r"|put|select|take|try|say|edit|rather|instead|to|be)\b ?[:,]? ",
    re.I,
)
ABOUT = re.compile(r"\babout \S", re.I)
QUESTION = re.compile(
    r"^(?:who|whom|whose|what|which|where|when|why|how|in which|in what|on which|of (?:these|those|which|the)"
    r"|is|are|was|were|did|does|do|has|have)\b",
    re.I,
)
ORDER = re.compile(
    r"^(?:list|show|display|find|give|tell|name|search|look)(?: (?:me|us))?(?: (?:for|up|out))? ", re.I
)
"""A question put as an order: 'show me the directors'."""
REFERS = re.compile(r"\b(?:it|them|he|she|they|him|her|(?:that|those|these)(?: \w+)?)\b", re.I)

# --- one thing for another -----------------------------------------------------

_NEITHER_VERB = "".join(f"(?<!{verb} )" for verb in "is was are were do does did am should".split())
CONTRASTS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"^instead of (?P<old>.+?) ?[,;:-] (?P<new>.+)",
        r"^(?P<new>.+?)\W*\b(?:instead of|rather than|in ?place of|as opposed to|and not) (?P<old>.+)",
        r"\b(?P<swap>change|replace|substitute|swap|exchange|switch|turn|edit|correct) (?P<old>.+?)"
        r" (?:to|with|by|for|into) ?:? (?P<new>.+)",
        r"\b(?:do not|don'?t|didn'?t|did not) (?:want|need|mean|ask for|care about) (?P<old>.+?)"
        r" ?(?:[,;.]|\bbut\b) ?(?:but )?(?P<new>.+)",
        r"\byou (?:gave|showed|show|took|used|found|told|asked|ask)(?: me)?(?: for)? (?P<old>.+?) ?,?"
        r" ?\bbut (?P<new>.+)",
        r"^(?:it'?s |is )?not (?P<old>.+?) ?(?:[,;]| -|\bbut\b) ?(?:but )?(?P<new>.+)",
        rf"^(?P<new>.+?) ?,? ?{_NEITHER_VERB}\b(?:but )?not (?P<old>.+)",
    )
)
"""'Y instead of X', 'change X to Y', 'I don't want X, I want Y', 'not X but Y', 'Y, not X'."""
SWAPPED = re.compile(r"replace|substitute|swap|exchange", re.I)

# --- a step less, or a part of one ---------------------------------------------

DELETE = re.compile(
    r"(?:(?:^|, ?|\b(?:to|and|should|just|then|simply) )"
    r"(?:remove|delete|drop|skip|omit|leave (?:out|away)|get rid of|take (?:out|away)|cut(?: out)?"
    r"|ignore|scratch"
    r"|throw (?:out|away)|forget(?: about)?|exclude|except(?: for)?|no need (?:for|of)|without|lose"
    r"|erase|clear)\b"
    r"(?! it$)"
    r"|\b(?:do not|don'?t|no) need\b|\b(?:not|isn'?t|aren'?t) (?:needed|necessary|required|relevant)"
    r"|\b(?:unnecessary|superfluous|redundant|irrelevant|pointless)\b)",
    re.I,
)
EXCLUDING = re.compile(
    r"\b(?:without|exclude|ignore|except(?: for)?|filter out) (?:(?:those|the ones|any) )?(?P<what>.+)", re.I
)
NOT_ONLY = re.compile(
    r"(?:\bnot|n'?t(?: want| need| mean)?) (?:only|just) (?P<step>.+)"
    r"|^(?:all|every one) of (?:them|these|those)\W*$",
    re.I,
)
"""Against a choice among the answers: 'all of them, not only the latest'."""
PART = re.compile(
    r"\b(?:the|a|an|and|this|that|any|all)? ?(?:parts?|phrases?|conditions?|bits?|words?|restrictions?"
    r"|filters?|pieces?)\b"
    r"(?: (?:about|of|on|with|that says|saying))?",
    re.I,
)
LAST_PART = re.compile(r"\b(?:last|second|final) (?:part|half|bit|condition|phrase)\b", re.I)

# --- a step more ---------------------------------------------------------------

ADD = re.compile(
    r"^(?:and )?(?:also )?(?:add|insert|include|append|put(?: in)?|introduce|ask)\b"
    r"(?: (?:a|an|another|one|more|the|new|further|extra|additional|in)\b)*"
    r"(?: (?:sub-?question|step|question|condition|filter|restriction"
    r"|constraint)s?)?(?: that asks)? ?[:,-]* ?",
    re.I,
)
ADDS = re.compile(r"^(?:and )?(?:also )?(?:add|insert|include|append|put in|introduce)\b", re.I)
ALSO = re.compile(r"^(?:and )?(?:also|additionally|in addition|furthermore|moreover)\b[ ,:]*", re.I)
ONLY = re.compile(
    r"^(?:and )?(?:also )?(?:i (?:only|just) (?:want|need|meant) "
    r"|(?:only|just|limit (?:it|them|this) to|restrict (?:it|them|this) to|keep|filter(?: (?:for|by|out))?) )"
    r"(?:(?:only|just|keep|show|take|want|count|consider|include) )*"
    r"(?P<which>(?:those|these|the ones|ones|them)\b ?(?:(?:that|which|who) )?"
    r"|(?:the )?\w+ (?:that|which|who) )?(?P<condition>.+)",
    re.I,
)
"""'only those that were made after 1990'"""
THOSE = re.compile(r"^(?:those|these|the ones|ones|that|which|who) (?:(?:that|which|who) )?", re.I)
CONDITION = re.compile(
    r"(?:before|after|since|until|from|in|on|at|by|with|without|under|over|between|during|above|below|older|younger"
    r"|larger|bigger|smaller|more|less|not|\w{2,}ed|written|made|won|born|sung|built|come|came|was|were|is|are|has"
    r"|have|had)\b",
    re.I,
)
"""How a condition on earlier answers begins."""
COUNTED = re.compile(
    r"^(?:count|number of|how many)(?: (?:of )?(?:them|these|those|they|it))?(?: (?:are|is) there"
    r"| are they)?\W*$",
    re.I,
)
OF_THESE = re.compile(
    r"^(?:(?:and )?(?:which|what|who|how many) of (?:them|these|those)|of (?:these|those|them|which))\b", re.I
)
