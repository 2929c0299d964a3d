"""A language model behind an OpenAI-compatible endpoint as parser, phraser or corrector.

    endpoint = Endpoint.from_environment()          # KBQA_LLM_URL, KBQA_LLM_MODEL, KBQA_LLM_KEY
    parser = LlmParser.over(endpoint, kb)

It is asked for templated English, shown the phrases that the knowledge base's lexicon has for the entities
at hand. `kbqa.templates.read` reads what comes back, so that nothing gets through that is no step over
this knowledge base; what can't be read is sent back once with the reason. Any `Seq2Seq` may stand for the
endpoint.
"""

from kbqa.llm.corrector import LlmCorrector
from kbqa.llm.parser import LlmParser
from kbqa.llm.phraser import LlmPhraser

__all__ = ["LlmCorrector", "LlmParser", "LlmPhraser"]
