"""How long each stage of a question and of a correction takes, how much memory, how long the start.

    python -m bench.stages [--n 40] [--readings 5] [--decoded 20]

Questions in writers' own words over the stub that nothing was trained on (as `bench.paraphrases`), drawn by
a fixed seed, `--n` of each number of steps; told apart by the steps that were shown. Own entity linking;
each wording is asked once, so that none is known. 'phrase' words each step in up to ten ways and listens to
them, 'answer' runs readings until one is chosen, and each of its steps. 'cpu' is the processor time of this
process, which other jobs on the machine change little. Corrections: those of `bench.corrector --changes`.
Decoding: beam search by each network, the same plainly (nothing kept, one beam at a time), and `generate`
of a transformers T5 of the network's sizes with random weights over the same source, for as many tokens: of
that one the time only. Start and memory are those of processes of their own.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from bench.paraphrases import drawn
from kbqa.backends import Backends
from kbqa.decompose import decompose
from kbqa.engine import Engine, Settings
from kbqa.errors import FeedbackError
from kbqa.kb import open_kb

if TYPE_CHECKING:
    from torch import Tensor

    from kbqa.models.net import PointerNet
    from kbqa.models.tokens import Vocabulary
    from kbqa.parse.beam import Found, P, Rules

QUESTION = "What is the capital of Egypt?"
STEPS = (1, 2, 3, 4)
STARTS = 5
Times = dict[str, list[float]]
"""Milliseconds by stage, one of each for every question."""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--n", type=int, default=40, help="questions of each number of steps, corrections")
    arguments.add_argument("--readings", type=int, default=5, help="asked of the parser; in use ten are")
    arguments.add_argument("--decoded", type=int, default=20, help="questions that are decoded plainly, too")
    args = arguments.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    show("start to first answer", starts())
    asked = [(question, len(row.decomposition.steps)) for question, row in drawn(10**9, 7)]
    questions = [question for question, _ in asked]
    for name, held in apart(footprint, questions[:20]).items():
        print(f"{name:44} {held:5.0f} MB")
    with open_kb(None) as kb:
        models = Backends(kb)
        settings = Settings(readings=args.readings)
        engine = Engine(
            kb,
            models.parser,
            phraser=models.phraser,
            corrector=models.corrector,
            reranker=models.reranker,
            settings=settings,
        )
        engine.warm()
        engine.first_version(QUESTION)
        measured = drawn_by_steps(asked, args.n)
        for steps, times in sorted(stages(engine, measured).items()):
            show(f"shown in {steps} step{'s' if steps > 1 else ''}", times)
        show("a correction", corrections(engine, args.n))
        with decodings() as read, decodings("kbqa.phrase.neural") as said:
            for question in [q for q in questions if q not in measured][: args.decoded]:
                engine.first_version(question)
        compare("parser", engine, read)
        compare("phraser", engine, said)
        print(engine.signature)


def show(name: str, times: Times) -> None:
    for stage, spent in times.items():
        p95 = sorted(spent)[min(len(spent) - 1, int(0.95 * len(spent)))]
        print(f"{name:24} {stage:20} n={len(spent):<4} median {median(spent):6.0f} ms  p95 {p95:6.0f} ms")


# --- stages -----------------------------------------------------------------


def drawn_by_steps(asked: Sequence[tuple[str, int]], n: int) -> list[str]:
    """So many of each number of steps, in no telling order."""
    found = [q for steps in STEPS for q in [q for q, number in asked if number == steps][:n]]
    random.Random(7).shuffle(found)
    return found


def stages(engine: Engine, questions: Sequence[str]) -> dict[int, Times]:
    """By the number of steps shown."""
    found: dict[int, Times] = defaultdict(lambda: defaultdict(list))
    for question in questions:
        cpu = time.process_time()
        dialogue = engine.first_version(question)
        cpu = 1000 * (time.process_time() - cpu)
        if dialogue.current is None:
            continue
        query, told = dialogue.current.parse.query, dialogue.timing
        with watch() as decomposing:
            decompose(query, engine.kb.lexicon.mediators)
        spent = {"link": told.link, "parse": told.parse, "decompose": decomposing[0], "phrase": told.phrase}
        spent |= {"answer": told.answer, "all": told.total + decomposing[0], "cpu of all": cpu}
        for stage, ms in spent.items():
            found[len(dialogue.current.steps)][stage].append(ms)
    return found


def corrections(engine: Engine, n: int) -> Times:
    """Of turns that led to another version, and of those that were refused."""
    from bench.corrector import begun, changes, unseen

    found: Times = defaultdict(list)
    for change in islice(changes(engine, unseen(), random.Random(9)), n):
        dialogue = begun(engine, change)
        cpu = time.process_time()
        outcome = "all"
        with watch() as spent:
            try:
                engine.advance(dialogue, change.feedback)
            except FeedbackError:
                outcome = "refused"
        found[outcome] += spent
        found[f"cpu of {outcome}"].append(1000 * (time.process_time() - cpu))
    return found


@contextmanager
def watch() -> Iterator[list[float]]:
    """A list that holds the milliseconds spent inside, once it is left."""
    spent: list[float] = []
    start = time.perf_counter()
    yield spent
    spent.append(1000 * (time.perf_counter() - start))


# --- processes of their own -------------------------------------------------


def starts() -> Times:
    """Until `kbqa ask` has answered and ended; the first call is not counted, for it may build the stub."""
    found: Times = defaultdict(list)
    for _ in range(1 + STARTS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with watch() as spent:
            command = [sys.executable, "-m", "kbqa.cli", "ask", QUESTION]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found["all"] += spent
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        found["cpu of all"].append(1000 * used)
    return {stage: ms[1:] for stage, ms in found.items()}


def apart(measure: Callable[[list[str]], dict[str, float]], questions: list[str]) -> dict[str, float]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(measure, questions).result()


def footprint(questions: list[str]) -> dict[str, float]:
    """Resident megabytes of this process as an engine is opened and asked (Linux)."""
    held = {"memory before anything is opened": resident()}
    with open_kb(None) as kb:
        held["... with the knowledge base open"] = resident()
        importlib.import_module("torch")
        held["... with torch imported"] = resident()
        models = Backends(kb)
        phraser, corrector, reranker = models.phraser, models.corrector, models.reranker
        engine = Engine(kb, models.parser, phraser=phraser, corrector=corrector, reranker=reranker)
        engine.warm()
        held["... with all models loaded"] = resident()
        for question in questions:
            engine.first_version(question)
        held[f"... after {len(questions)} questions"] = resident()
        held["most at any time"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        children = [pid for f in Path("/proc/self/task").glob("*/children") for pid in f.read_text().split()]
        held["the store's processes beside it"] = sum(map(resident, children))
    return held


def resident(pid: str = "self") -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


# --- decoding ---------------------------------------------------------------


@dataclass(frozen=True)
class Decoding:
    """One source decoded in both ways, and how long (milliseconds) that took."""

    net: PointerNet
    ids: Tensor
    found: Sequence[Found]
    plain: Sequence[Found]
    width: int
    ms: float
    plain_ms: float


@contextmanager
def decodings(module: str = "kbqa.parse.neural") -> Iterator[list[Decoding]]:
    """A list to which each beam search that the module makes inside is added."""
    from kbqa.parse.beam import search

    made: list[Decoding] = []

    def both(
        net: PointerNet, table: Tensor, vocabulary: Vocabulary, ids: Tensor, *rest: Any, **how: Any
    ) -> Any:
        with watch() as ms:
            found = search(net, table, vocabulary, ids, *rest, **how)
        with watch() as plain_ms:
            plain = plainly(net, table, vocabulary, ids, *rest, **how)
        made.append(Decoding(net, ids, found, plain, how["width"], *ms, *plain_ms))
        return found

    with patch(f"{module}.search", both):
        yield made


def plainly(
    net: PointerNet,
    table: Tensor,
    vocabulary: Vocabulary,
    ids: Tensor,
    mask: Tensor,
    grammar: Rules[P],
    *,
    bias: Tensor | float = 0.0,
    width: int = 10,
    longest: int = 48,
    margin: float = 9.0,
) -> list[Found]:
    """What `kbqa.parse.beam.search` is to find: for each token the decoder runs over all of the program so
    far, for one program at a time; probabilities are shares of what the grammar allows."""
    import torch

    from kbqa.models.tokens import END, START
    from kbqa.parse.beam import Found

    with torch.inference_mode():
        states = net.encoder(ids, mask)
        going: list[tuple[list[int], float, P]] = [([], 0.0, grammar.start)]
        done: list[Found] = []
        for _ in range(longest):
            further: list[tuple[float, list[int], P, int]] = []
            for written, logprob, state in going:
                told = torch.tensor([[START, *written]])
                logits = net.decode(told, table, net.memory(states), mask)[0][0, -1] + bias
                may = [vocabulary.ids[t] for t in grammar.allowed(state) if t in vocabulary.ids]
                shares = logits[may].log_softmax(0).tolist()
                further += [(logprob + s, written, state, t) for s, t in zip(shares, may, strict=True)]
            further.sort(key=lambda f: -f[0])
            going = []
            for logprob, written, state, token in further[: 2 * width]:
                if done and logprob < done[0].logprob - margin:
                    break
                if token == END:
                    done.append(Found(tuple(vocabulary.decode(written)), logprob))
                elif len(going) < width:
                    going.append(([*written, token], logprob, state.advance(vocabulary.tokens[token])))
            done = sorted(done, key=lambda f: -f.logprob)[:width]
            if not going or (len(done) == width and going[0][1] < done[-1].logprob):
                break
        return done


def compare(name: str, engine: Engine, made: Sequence[Decoding]) -> None:
    """Prints the times beside those of transformers, and whether both ways found the same."""
    from kbqa.models.tokens import encode
    from kbqa.parse.neural import NeuralParser
    from kbqa.parse.text import program_text

    parser = engine.parser
    assert isinstance(parser, NeuralParser)
    t5 = random_t5(made[0].net)
    tokens = [len(d.found[0].tokens) + 1 for d in made]
    texts = [program_text(d.found[0].tokens) for d in made]
    pieces = [int(n) for n in encode(parser.checkpoint.tokenizer, texts)[1].sum(1)]
    times = {
        "beam search": [d.ms for d in made],
        "plainly": [d.plain_ms for d in made],
        "T5, as many tokens": [generated(t5, d, n) for d, n in zip(made, tokens, strict=True)],
        "T5, in word pieces": [generated(t5, d, n) for d, n in zip(made, pieces, strict=True)],
    }
    show(f"{name}, decoding", times)
    same = sum([f.tokens for f in d.found] == [f.tokens for f in d.plain] for d in made)
    apart = max(abs(a.logprob - b.logprob) for d in made for a, b in zip(d.found, d.plain, strict=False))
    size = sum(p.numel() for p in t5.parameters()) / 1e6
    print(
        f"{name}: the same in the same order as plainly: {same} of {len(made)}, log probabilities at most "
        f"{apart:.0e} apart\n"
        f"median tokens {median(tokens):.0f}, the same in word pieces {median(pieces):.0f}; "
        f"{made[0].width} beams; T5 of {size:.1f} M random weights"
    )


def random_t5(net: PointerNet) -> Any:
    """A transformers T5 with layers of the network's sizes."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    c = net.config
    torch.manual_seed(1)
    config = T5Config(
        vocab_size=c.vocabulary,
        d_model=c.width,
        d_ff=c.encoder_inner,
        num_layers=c.encoder_layers,
        num_decoder_layers=c.decoder_layers,
        num_heads=c.decoder_heads,
        d_kv=c.width // c.decoder_heads,
    )
    made: Any = T5ForConditionalGeneration(config)
    return made.eval()


def generated(t5: Any, like: Decoding, tokens: int) -> float:
    """Milliseconds of writing so many tokens with as many beams."""
    import torch

    with torch.inference_mode(), watch() as spent:
        t5.generate(
            input_ids=like.ids,
            decoder_start_token_id=0,
            num_beams=like.width,
            min_new_tokens=tokens,
            max_new_tokens=tokens,
        )
    return spent[0]


if __name__ == "__main__":
    main()
