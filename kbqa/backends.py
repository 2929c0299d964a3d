"""Which models an engine runs: those that ship, or what the environment names.

    KBQA_PARSER, KBQA_CORRECTOR, KBQA_PHRASER    a checkpoint (folder or hub id) of `kbqa train ROLE` with a
                                                 base, or 'llm': the endpoint of KBQA_LLM_URL
    KBQA_PHRASER                                 also 'rule': the lexicon's wordings only
    KBQA_LISTENER                                such a checkpoint, or 'none'
    KBQA_RERANKER                                'none': readings are ranked without the second network
    KBQA_BLEND                                   how the listener chooses: 'spoken' (the speaker's first that
                                                 is no near miss), 'speaker', 'equal', 'listener', 'risk'

A role that is not named is filled by the checkpoints that ship; over an own graph the phraser's by rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from kbqa.compose import ComposingCorrector, ComposingParser
from kbqa.correct import Corrector, TemplateCorrector
from kbqa.correct.plain import PlainCorrector
from kbqa.errors import InputError
from kbqa.kb import KnowledgeBase
from kbqa.parse.kinds import CommonNouns
from kbqa.phrase import (
    BLENDS,
    Listener,
    ListeningPhraser,
    Phraser,
    RememberingPhraser,
    RulePhraser,
    TogetherPhraser,
)

if TYPE_CHECKING:
    from kbqa.engine import Parser
    from kbqa.llm.prompt import Examples
    from kbqa.models.llm import Call, Endpoint
    from kbqa.parse.neural import NeuralParser
    from kbqa.reading.reranker import Reranker


@dataclass(frozen=True)
class Backends:
    """The models of one engine, each loaded on first use. All raise `ModelError` where a checkpoint can't be
    loaded and `InputError` for settings that make no sense."""

    kb: KnowledgeBase
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)

    @property
    def parser(self) -> Parser:
        """Over an own graph the rules are asked before any model."""
        return self._rules if self.kb.own else self._parser

    @cached_property
    def _rules(self) -> ComposingParser:
        from kbqa.parse.alike import Encoded

        return ComposingParser(self.kb, self._parser, Encoded(self._shipped.checkpoint))

    @property
    def _parser(self) -> Parser:
        match self._named("KBQA_PARSER"):
            case "":
                return self._shipped
            case "llm":
                from kbqa.llm import LlmParser

                return LlmParser.over(self._endpoint, self.kb, self._examples, self._recorder)
            case name:
                from kbqa.parse.text import TextParser

                return TextParser.load(name, self.kb)

    @property
    def corrector(self) -> Corrector:
        """Templates, and what is said in few ways, are read by rule before any model is asked."""
        model = self._corrector
        then = ComposingCorrector(self._rules, model) if self.kb.own else self._plain(model)
        return TemplateCorrector(self.kb.lexicon, then)

    def _plain(self, then: Corrector | None = None) -> Corrector:
        return PlainCorrector(CommonNouns(self.kb.store, self.kb.kinds), then)

    @property
    def _corrector(self) -> Corrector:
        match self._named("KBQA_CORRECTOR"):
            case "":
                return self._shipped
            case "llm":
                from kbqa.llm import LlmCorrector

                return LlmCorrector.over(self._endpoint, self.kb, self._recorder)
            case name:
                from kbqa.correct.text import TextCorrector

                return TextCorrector.load(name, self.kb)

    @property
    def phraser(self) -> Phraser:
        listener = self._listener
        blend = self._named("KBQA_BLEND") or "spoken"
        if blend not in BLENDS:
            raise InputError(f"KBQA_BLEND is {blend!r}: one of {', '.join(BLENDS)} expected")
        if listener is None:
            return RememberingPhraser(self._speaker)
        spoken = ListeningPhraser(self._speaker, listener, BLENDS[blend])
        return RememberingPhraser(spoken)

    @property
    def _speaker(self) -> Phraser:
        rules = RulePhraser(self.kb.lexicon)
        match self._named("KBQA_PHRASER"):
            case "":
                return rules if self.kb.own else TogetherPhraser(self._shipped_speaker, rules)
            case "rule":
                return rules
            case "llm":
                from kbqa.llm import LlmPhraser

                return LlmPhraser.over(self._endpoint, self.kb.lexicon, record=self._recorder)
            case name:
                from kbqa.phrase.text import TextPhraser

                return TextPhraser.load(name, self.kb.lexicon)

    @property
    def _listener(self) -> Listener | None:
        match self._named("KBQA_LISTENER"):
            case "":
                from kbqa.parse.listen import NeuralListener

                by_rule = TemplateCorrector(self.kb.lexicon)
                return NeuralListener(self._shipped, None if self.kb.own else self._plain(by_rule))
            case "none":
                return None
            case "llm":
                raise InputError(
                    "KBQA_LISTENER is 'llm': an endpoint tells no probabilities; name a checkpoint"
                )
            case name:
                from kbqa.phrase.text import TextListener

                return TextListener.load(name, self.kb.lexicon)

    def _named(self, variable: str) -> str:
        return self.environ.get(variable, "").strip()

    @property
    def reranker(self) -> Reranker | None:
        """Of the shipped parser's readings of questions over the stub, or facts of Freebase."""
        match self._named("KBQA_RERANKER"):
            case "":
                if self.kb.own or self._named("KBQA_PARSER"):
                    return None
                from kbqa.assets import models
                from kbqa.models.reranker import NeuralReranker

                return NeuralReranker.load(models() / "reranker", self._shipped.checkpoint)
            case "none":
                return None
            case other:
                raise InputError(f"KBQA_RERANKER is {other!r}: 'none', or nothing, expected")

    @cached_property
    def _shipped(self) -> NeuralParser:
        from kbqa.parse import load_parser

        return load_parser(self.kb)

    @property
    def _shipped_speaker(self) -> Phraser:
        from kbqa.assets import models
        from kbqa.phrase.neural import Speaker
        from kbqa.phrase.text import TextPhraser

        words = self._shipped.checkpoint.net.encoder.words.weight
        return TextPhraser(Speaker.load(models() / "phraser", words), self.kb.lexicon)

    @cached_property
    def _endpoint(self) -> Endpoint:
        from kbqa.models.llm import Endpoint

        return Endpoint.from_environment(self.environ)

    @property
    def _recorder(self) -> Callable[[Call], None] | None:
        from kbqa.models.llm import into_file

        log = self._named("KBQA_LLM_LOG")
        return into_file(Path(log)) if log else None

    @property
    def _examples(self) -> Examples:
        from kbqa.llm.prompt import Examples

        own = self._named("KBQA_LLM_EXAMPLES")
        return Examples.load(Path(own) if own else None)
