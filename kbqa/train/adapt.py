"""`kbqa kb adapt`: the shipped parser fine-tuned for one own graph, and kept where that made it no worse."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import torch

from kbqa.compose import ComposingParser
from kbqa.confidence import Calibration
from kbqa.engine import Engine, Parser, Settings
from kbqa.errors import KnowledgeBaseError
from kbqa.evaluate.answers import execute
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.kb.build import ADAPTED, ADAPTED_NOTES
from kbqa.lexicon import Lexicon
from kbqa.models.checkpoint import FILES
from kbqa.parse import load_parser
from kbqa.parse.neural import NeuralParser, item_words
from kbqa.train.figures import Adapted, Figure
from kbqa.train.fit import Recipe, Trainer
from kbqa.train.own_data import Asked, Gold, Plan, Report, prepared, shipped
from kbqa.train.owner import OwnerRow, confirmed

Tick = Callable[[float, float], None]
Counts = Mapping[str, Mapping[str, int]]
"""Whose questions -> with the rules first, or by the parser alone -> how many were answered rightly."""


def adapt(
    folder: Path,
    plan: Plan,
    rows: Sequence[OwnerRow] = (),
    *,
    out: Path | None = None,
    report: Report = lambda said: None,
    tick: Tick = lambda done, loss: None,
) -> Adapted:
    """Fine-tune for the graph in `folder`; the checkpoint goes to `out`, default the folder's own, which
    every engine over it uses. What was begun lies beside the folder until it is done: the same call goes on
    there. Raises `KnowledgeBaseError`, `InputError` for a row, `StoreError` or `ModelError`."""
    folder = folder.resolve()
    work = folder.with_name(f".{folder.name}.adapting")
    with open_kb(folder) as kb:
        if not kb.own:
            raise KnowledgeBaseError(
                f"{folder} is no graph of your own: it has Freebase's vocabulary, which the shipped parser "
                "was trained with; expected a folder that `kbqa kb build` made of another vocabulary"
            )
        owned = [confirmed(row, kb) for row in rows]
        _begin(work, _stamp(kb, plan, rows))
        try:
            asked = prepared(kb, plan, owned, work, report)
        except KnowledgeBaseError:
            shutil.rmtree(work, ignore_errors=True)
            raise
        in_use = load_parser(kb)
        report(f"asking {len(asked)} held-out questions before the training")
        before = _known(work / f"before-{in_use.signature}.json", lambda: measured(kb, in_use, asked))
        steps = _train(kb, plan, work, report, tick)
        made = NeuralParser.load(work / "run", kb)
        report("asking them again")
        after = measured(kb, made, asked)
        figures = tuple(
            Figure(name, way, len(some), before[name][way], after[name][way])
            for name, some in asked.golds.items()
            for way in after[name]
        )
        kept = None
        if not any(f.after < f.before for f in figures):
            kept = out or folder / ADAPTED
            _write_notes(work / "run" / ADAPTED_NOTES, kb, plan, in_use, figures, steps)
            _put(work / "run", kept)
    shutil.rmtree(work, ignore_errors=True)
    return Adapted(figures, kept, made.signature, steps, asked.notes)


def _begin(work: Path, stamp: str) -> None:
    """The folder of what was begun, empty where that was something else."""
    mark = work / "of.txt"
    try:
        if work.is_dir() and (not mark.is_file() or mark.read_text(encoding="utf-8") != stamp):
            shutil.rmtree(work)
        (work / "data").mkdir(parents=True, exist_ok=True)
        mark.write_text(stamp, encoding="utf-8")
    except OSError as e:
        raise KnowledgeBaseError(f"can't write beside the folder, in {work}: {e.strerror or e}") from None


def _stamp(kb: KnowledgeBase, plan: Plan, rows: Sequence[OwnerRow]) -> str:
    weights = hashlib.sha256((shipped() / "model.safetensors").read_bytes()).hexdigest()
    return hashlib.sha256(f"{kb.signature}\0{plan}\0{rows}\0{weights}".encode()).hexdigest()


# --- training -----------------------------------------------------------------------


def _trainer(lexicon: Lexicon) -> type[Trainer]:
    """Reads predicates by their words here, and has the encoder of the checkpoint that it starts from."""

    class OwnTrainer(Trainer):
        @staticmethod
        def words_of(item: str) -> str:
            return item_words(item, lexicon)

        def _pretrained(self, encoder: Path) -> None:
            pass

    return OwnTrainer


def _train(kb: KnowledgeBase, plan: Plan, work: Path, report: Report, tick: Tick) -> int:
    """Leaves the checkpoint in `work/run`; how many steps it took."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    recipe = _recipe(plan, work / "data")
    trainer = _trainer(kb.lexicon)(recipe, work / "data", shipped(), work / "run", report)
    trainer.tick = tick
    if trainer.resume():
        report(f"going on after {trainer.step} steps, {trainer.spent_s / 60:.1f} of {plan.minutes:g} minutes")
    trainer.run()
    torch.set_num_threads(1)
    for name in ("tokenizer.json", Calibration.FILE):
        shutil.copy(shipped() / name, work / "run" / name)
    return trainer.step


def _recipe(plan: Plan, data: Path) -> Recipe:
    net = json.loads((shipped() / "config.json").read_text(encoding="utf-8"))
    del net["keywords"]
    return Recipe(
        rows={file.name.removesuffix(".jsonl.gz"): file.name for file in sorted(data.glob("*.jsonl.gz"))},
        valid="held_out",
        epochs=plan.passes,
        batch=32,
        encoder_lr=3e-5,
        decoder_lr=1.2e-4,
        frozen_layers=1,
        refresh=200,
        save_every=100,
        seed=plan.seed,
        weights={"owner": 4.0},
        net=net,
        finetune=str(shipped()),
        minutes=plan.minutes,
    )


# --- measuring ----------------------------------------------------------------------


def measured(kb: KnowledgeBase, parser: NeuralParser, asked: Asked) -> Counts:
    ways: dict[str, Parser] = {"as asked": ComposingParser(kb, parser), "parser alone": parser}
    return {name: {way: right(kb, p, some) for way, p in ways.items()} for name, some in asked.golds.items()}


def right(kb: KnowledgeBase, parser: Parser, asked: Sequence[Gold]) -> int:
    """How many questions are answered at first try as their gold queries are."""
    engine = Engine(kb, parser, settings=Settings(offers_s=0.0))
    total = 0
    for gold in asked:
        version = engine.first_version(gold.question).current
        if version is not None:
            wanted = execute(kb.store, gold.sparql)
            total += wanted is not None and execute(kb.store, version.sparql) == wanted
    return total


def _known(file: Path, measure: Callable[[], Counts]) -> Counts:
    """What was measured before a run was cut off, else now."""
    with suppress(OSError, ValueError):
        found: Counts = json.loads(file.read_text(encoding="utf-8"))
        return found
    counts = measure()
    file.write_text(json.dumps(counts), encoding="utf-8")
    return counts


# --- keeping ------------------------------------------------------------------------


def _write_notes(
    file: Path, kb: KnowledgeBase, plan: Plan, base: NeuralParser, figures: Sequence[Figure], steps: int
) -> None:
    notes = {
        "kb": kb.signature,
        "instead_of": base.signature,
        "plan": asdict(plan),
        "steps": steps,
        "figures": [asdict(f) for f in figures],
    }
    file.write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")


def _put(run: Path, target: Path) -> None:
    """The checkpoint, without what only training needs, renamed into place; what stood there goes."""
    aside, old = (target.with_name(f".{target.name}.{kind}") for kind in ("new", "old"))
    try:
        for folder in (aside, old):
            shutil.rmtree(folder, ignore_errors=True)
        aside.mkdir(parents=True)
        for name in (*FILES, Calibration.FILE, ADAPTED_NOTES):
            shutil.copy2(run / name, aside / name)
        if target.exists():
            os.rename(target, old)
        os.rename(aside, target)
    except OSError as e:
        if old.exists() and not target.exists():
            os.rename(old, target)
        raise KnowledgeBaseError(f"can't write the adapted parser to {target}: {e.strerror or e}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
