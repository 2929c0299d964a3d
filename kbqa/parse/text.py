"""A parser over any `Seq2Seq`: the question with its markers in, the program's tokens as text out.

    what is the capital of [unused0] ? | [unused0] Egypt   ->   <find> <e0> location.country.capital

Where the model can spell (`Speller`), decoding follows the grammar of the knowledge base; what is no
program under that grammar is dropped in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from kbqa.correct import Context, Corrected
from kbqa.dialogue import Parse
from kbqa.kb import KnowledgeBase
from kbqa.models.roles import load_role
from kbqa.parse.grammar import Grammar, State
from kbqa.parse.grounding import Asked, Found, Grounding
from kbqa.parse.program import STRUCTURE
from kbqa.protocols import Constraint, Mention, Scored, Seq2Seq, is_concurrent

END = "<end>"
_TOKEN = re.compile(
    "|".join(re.escape(t) for t in sorted(STRUCTURE, key=len, reverse=True))
    + r'|"[^"]*"'  # a quoted text
    + r"|(?:\^\s*)?<\s*[^<>\s]+\s*>"  # a predicate by its IRI
    + r'|(?:\^\s*)?[^\s<>"^]+|\S'
)


def program_text(program: Sequence[str]) -> str:
    """The tokens as a model writes them; the end of the text stands for '<end>'."""
    return " ".join(t for t in program if t != END)


def program_tokens(text: str) -> tuple[str, ...]:
    """Inverse of `program_text`, however a tokenizer has spaced the text; whether the tokens are a
    program is for `read_program` to say."""
    return (*(re.sub(r"\s+", "", t) if t[0] != '"' else t for t in _TOKEN.findall(text)), END)


def accepts(grammar: Grammar, program: Iterable[str]) -> bool:
    """Whether a whole program, '<end>' included, follows the grammar."""
    state = grammar.start
    for token in program:
        if token not in grammar.allowed(state):
            return False
        state = state.advance(token)
    return state.place == "done"


# --- constrained decoding ---------------------------------------------------


class Speller(Protocol):
    """What a constraint must know of a model. `token_ids`: the ids of a word within a text, none for
    one that it can't write; `end`: the id that ends a text."""

    @property
    def end(self) -> int: ...

    def token_ids(self, text: str) -> Sequence[int]: ...


@dataclass(slots=True)
class _Node:
    """A place in the spelling of several words; `word`: the one that may end here."""

    after: dict[int, _Node] = field(default_factory=dict)
    word: str = ""


class _Spellings:
    """Trees of the spellings of sets of words, kept."""

    _MOST = 200

    def __init__(self, speller: Speller) -> None:
        self._speller = speller
        self._ids: dict[str, tuple[int, ...]] = {END: (speller.end,)}
        self._trees: dict[frozenset[str], _Node] = {}

    def tree(self, words: frozenset[str]) -> _Node:
        found = self._trees.get(words)
        if found is None:
            if len(self._trees) >= self._MOST:
                self._trees.clear()
            found = self._trees[words] = self._grown(words)
        return found

    def _grown(self, words: frozenset[str]) -> _Node:
        root = _Node()
        for word in sorted(words):
            node = root
            for i in self._spelt(word):
                node = node.after.setdefault(i, _Node())
            if node is not root:
                node.word = node.word or word
        return root

    def _spelt(self, word: str) -> tuple[int, ...]:
        if word not in self._ids:
            self._ids[word] = tuple(self._speller.token_ids(word))
        return self._ids[word]


class Spelt:
    """A grammar of programs as a `Constraint` on the ids of a model's tokens."""

    def __init__(self, grammar: Grammar, spellings: _Spellings) -> None:
        self._grammar, self._spellings = grammar, spellings
        self._places: dict[tuple[int, ...], tuple[State, _Node] | None] = {
            (): (grammar.start, self._tree(grammar.start))
        }

    def __call__(self, ids: Sequence[int]) -> list[int]:
        """The ids that may come next; none where those so far spell no beginning of a program."""
        place = self._place(tuple(ids))
        if place is None:
            return []
        state, node = place
        if not node.word:
            return list(node.after)
        return [*node.after, *self._tree(state.advance(node.word)).after]

    def _place(self, ids: tuple[int, ...]) -> tuple[State, _Node] | None:
        if ids not in self._places:
            self._places[ids] = self._moved(self._place(ids[:-1]), ids[-1])
        return self._places[ids]

    def _moved(self, place: tuple[State, _Node] | None, i: int) -> tuple[State, _Node] | None:
        if place is None:
            return None
        state, node = place
        if i in node.after:
            return state, node.after[i]
        if not node.word:
            return None
        state = state.advance(node.word)
        further = self._tree(state).after.get(i)
        return None if further is None else (state, further)

    def _tree(self, state: State) -> _Node:
        if state.place == "done":
            return _Node()
        return self._spellings.tree(self._grammar.allowed(state))


# --- the parser -------------------------------------------------------------


class TextParser:
    """Parser and corrector in one, as the model was trained (`kbqa train parser` with a `base`).

    `items`: the predicate tokens and quoted texts that the model was trained with. Stateless between
    questions.
    """

    def __init__(
        self,
        model: Seq2Seq,
        kb: KnowledgeBase,
        *,
        items: Iterable[str] = (),
        speller: Speller | None = None,
        signature: str = "text",
    ) -> None:
        known = frozenset(items)
        quoted = frozenset(t for t in known if t.startswith('"'))
        self._model, self._grounding = model, Grounding(kb, known - quoted, quoted)
        self._spellings = None if speller is None else _Spellings(speller)
        self.signature, self.concurrent = signature, is_concurrent(model)

    @classmethod
    def load(cls, name: str | Path, kb: KnowledgeBase) -> TextParser:
        """A checkpoint that `kbqa train parser` made from a `base`. Imports torch and transformers.
        Raises `ModelError`."""
        model = load_role(name, "parser")
        return cls(model, kb, items=model.meta.get("items", ()), speller=model, signature=model.signature)

    def parse(
        self, question: str, mentions: Sequence[Mention], *, n: int, grounded: bool = True
    ) -> tuple[Parse, ...]:
        """Readings of a question; `grounded` as in `Grounding.asked`."""
        asked = self._grounding.asked(question, mentions, grounded=grounded)
        if asked is None:
            return ()
        most = 2 * n if grounded else n
        return tuple(asked.readings(self._search(asked, most), most)[:n])

    def correct(
        self, text: str, mentions: Sequence[Mention], context: Context, *, n: int
    ) -> tuple[Corrected, ...]:
        """Readings of a sub-question as one step after those of the context."""
        step = self._grounding.asked_step(text, mentions, context)
        return step.corrections(self._search(step.asked, 2 * n))[:n]

    def _search(self, asked: Asked, n: int) -> list[Found]:
        limit: Constraint | None = None
        if self._spellings is not None:
            limit = Spelt(asked.grammar, self._spellings)
        found: Sequence[Scored] = self._model.generate([asked.source.text], n=n, constraints=[limit])[0]
        programs = [(program_tokens(s.text), s.logprob) for s in found]
        return [(tokens, logprob) for tokens, logprob in programs if accepts(asked.grammar, tokens)]
