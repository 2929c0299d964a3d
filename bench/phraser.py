"""How well sub-questions are put: read back as their step, and how near to what writers wrote.

    python -m bench.phraser [--n 400] [--checkpoint runs/phraser-gold ...] [--show]

Steps of models/paraphrases.jsonl that nothing was trained on, with the writers' own sub-questions before
them and the whole question as context. Speakers: by rule, each checkpoint alone (where it says nothing, the
rules), and both together; each as it speaks, and with a listener, which chooses by a blend and takes the
template where what it would choose is misread. Read back: the step is what the corrector reads out of the
first wording; it is the listener's network, so it is easier on what that has chosen.
BLEU: sacrebleu, against all that writers wrote for the step. Names: every name of the step is in the wording.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import sacrebleu

from kbqa.assets import models
from kbqa.correct import Context
from kbqa.engine import Engine
from kbqa.intake import constants_of
from kbqa.lexicon import freebase_lexicon
from kbqa.parse.listen import NeuralListener
from kbqa.parse.neural import NeuralParser
from kbqa.phrase import BLENDS, ListeningPhraser, Phraser, RulePhraser, StepInContext, TogetherPhraser
from kbqa.phrase.neural import Speaker
from kbqa.phrase.text import TextPhraser
from kbqa.templates import Names, write_all
from kbqa.train.paraphrases import Paraphrased, read, shipped
from kbqa.types import Iri


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=400)
    arguments.add_argument("--checkpoint", type=Path, action="append", help="default: what ships")
    arguments.add_argument("--show", action="store_true", help="print the wordings")
    args = arguments.parse_args()
    with Engine.open() as engine:
        parser = engine.parser
        assert isinstance(parser, NeuralParser)
        listener = NeuralListener(parser)
        cases = list(steps())
        random.Random(9).shuffle(cases)
        for name, speaker in speakers(parser, args.checkpoint or [models() / "phraser"]).items():
            measure(name, speaker, listener, cases[: args.n], args.show)


def speakers(parser: NeuralParser, folders: list[Path]) -> dict[str, Phraser]:
    lexicon = parser.kb.lexicon
    rules = RulePhraser(lexicon)
    listener = NeuralListener(parser)
    out: dict[str, Phraser] = {
        "rules": rules,
        "rules, listener": ListeningPhraser(rules, listener, BLENDS["listener"]),
    }
    for folder in folders:
        model = TextPhraser(Speaker.load(folder, parser.checkpoint.net.encoder.words.weight), lexicon)
        out[folder.name] = model
        both = TogetherPhraser(model, rules)
        for blend, chooses in BLENDS.items():
            out[f"{folder.name} and rules, {blend}"] = ListeningPhraser(both, listener, chooses)
    return out


def steps() -> Iterator[tuple[StepInContext, list[str]]]:
    """Each step in its context, and what writers wrote for it."""
    lexicon = freebase_lexicon()
    for row in read(shipped(), lexicon, held_out=True, single_steps=True):
        labels = names_of(row)
        templates = write_all(row.decomposition.steps, lexicon, Names(labels))
        written = row.sub_questions or (row.questions,)
        for number, asked in enumerate(written, 1):
            earlier = tuple(some[0].text for some in written[: number - 1] if some)
            if asked and len(earlier) == number - 1:
                context = StepInContext(
                    row.decomposition.steps,
                    number,
                    labels.__getitem__,
                    row.asked or None,
                    earlier,
                    templates[number - 1],
                )
                yield context, [told.text for told in asked]


def names_of(row: Paraphrased) -> dict[Iri, str]:
    told = [t for some in (row.questions, *row.sub_questions) for t in some]
    known = {e.iri: e.name for t in told for e in t.entities}
    constants = [c for s in row.decomposition.steps for c in constants_of(s) if isinstance(c, Iri)]
    return {c: known.get(c, c.mid) for c in constants}


def measure(
    name: str,
    speaker: Phraser,
    listener: NeuralListener,
    cases: list[tuple[StepInContext, list[str]]],
    show: bool,
) -> None:
    back = whole = own = 0
    said: list[str] = []
    for step, written in cases:
        text = speaker.phrase(step, n=10)[0].text
        context = Context(steps=step.steps[: step.number - 1], shown=step.history, question=step.question)
        names = [(c, step.labels(c)) for c in constants_of(step.step) if isinstance(c, Iri)]
        read_back = listener.understands(text, step.step, names, context)
        back += read_back
        whole += all(n in text for _, n in names)
        own += text == step.template
        said.append(text)
        if show:
            print(f"{'' if read_back else '! '}{step.template} -> {text} ({written[0]})")
    most = max(len(written) for _, written in cases)
    references = [[w[i] if i < len(w) else w[0] for _, w in cases] for i in range(most)]
    bleu = sacrebleu.corpus_bleu(said, references, lowercase=True).score
    n = len(cases)
    print(
        f"{name:44} n={n}: read back {100 * back / n:.1f} %, names {100 * whole / n:.1f} %, "
        f"BLEU {bleu:.1f}, templates {100 * own / n:.1f} %",
        flush=True,
    )


if __name__ == "__main__":
    main()
