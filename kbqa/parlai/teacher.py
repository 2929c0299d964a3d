"""A simulated user as a ParlAI teacher: `parlai eval_model -t kbqa -m kbqa`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from parlai.core.message import Message
from parlai.core.metrics import AverageMetric, SumMetric
from parlai.core.opt import Opt
from parlai.core.params import ParlaiParser
from parlai.core.teachers import FixedDialogTeacher

from kbqa.cli.gold import gold_row, gold_rows
from kbqa.dialogue import FULL, MODES
from kbqa.errors import InputError
from kbqa.feedback import feedback_document
from kbqa.kb import KnowledgeBase, open_kb
from kbqa.parlai.agent import HELD, add_options
from kbqa.parlai.episode import Answered, Episode, Said
from kbqa.simulate.goal import GoldRow
from kbqa.simulate.play import Plan, Record, Unread
from kbqa.simulate.profiles import ORACLE, PROFILES, find_profile

Row = GoldRow | Unread


class KbqaTeacher(FixedDialogTeacher):  # type: ignore[misc]
    """One episode is one dialogue with a simulated user (kbqa.simulate), who asks the row's question and
    corrects what the student shows.

    A student is any agent: this project's, whose state is looked up, or one whose text is SPARQL. The label
    of each turn is the gold query. What is no question is feedback, in words and as 'kbqa_feedback'. The
    metrics are those of the whole dialogue, one value an episode.
    """

    @classmethod
    def add_cmdline_args(cls, parser: ParlaiParser, partial_opt: Opt | None = None) -> ParlaiParser:
        super().add_cmdline_args(parser, partial_opt)
        add_options(parser)
        group = parser.add_argument_group("kbqa teacher")
        group.add_argument(
            "--kbqa-rows",
            default=None,
            help="Rows {id, question, sparql, ...} as `kbqa simulate` takes them; default: synthetic "
            "questions about the stub, to try it: the parser that ships learnt from such.",
        )
        group.add_argument("--kbqa-questions", type=int, default=100, help="How many synthetic questions.")
        group.add_argument(
            "--kbqa-user", default=ORACLE.name, help=f"{', '.join(PROFILES)}, or a file of rates."
        )
        group.add_argument("--kbqa-seed", type=int, default=0, help="Of the user and of synthetic questions.")
        group.add_argument(
            "--kbqa-gold-entities", type="bool", default=False, help="Tell the student the row's entities."
        )
        return parser

    def __init__(self, opt: Opt, shared: dict[str, Any] | None = None) -> None:
        super().__init__(opt, shared)
        self.id = "simulated user"
        self._mode = MODES[opt.get("kbqa_mode") or FULL.name]
        self._plan = Plan(
            (self._mode,),
            find_profile(opt.get("kbqa_user") or ORACLE.name),
            int(opt.get("kbqa_seed") or 0),
            int(opt.get("kbqa_edits", 5)),
            bool(opt.get("kbqa_gold_entities")),
        )
        self._kb: KnowledgeBase = shared["kb"] if shared else open_kb(opt.get("kbqa_kb"))
        self._rows: tuple[Row, ...] = shared["rows"] if shared else _rows(opt, self._plan)
        self._owns = shared is None
        self._episode: Episode | None = None
        self._episode_done = True
        self._answered = Answered()
        self.reset()

    def share(self) -> dict[str, Any]:
        return {**super().share(), "kb": self._kb, "rows": self._rows}

    def reset(self) -> None:
        self._leave()
        super().reset()

    def shutdown(self) -> None:
        self._leave()
        if self._owns:
            self._kb.close()
        super().shutdown()

    def _leave(self) -> None:
        episode: Episode | None = getattr(self, "_episode", None)
        if episode is not None:
            episode.abandon()
        self._episode = None

    def num_episodes(self) -> int:
        return len(self._rows)

    def num_examples(self) -> int:
        """At most: question, corrections and last word; how many it takes depends on the student."""
        return len(self._rows) * (self._plan.edits + 2)

    # --- turns -----------------------------------------------------------------------

    def next_example(self) -> tuple[Message, bool]:
        if self._episode_done:
            self.episode_idx = self.next_episode_idx()
            if self.episode_idx >= self.num_episodes():
                return Message.padding_example(), True
            self._episode = Episode(self._kb, self._plan, self._rows[self.episode_idx], self._mode)
            said = self._episode.first()
        else:
            assert self._episode is not None
            said = self._episode.hear(self._answered)
        self._episode_done = said.over
        left = self.episode_idx + self.opt.get("batchsize", 1) < self.num_episodes()
        return self._message(said), said.over and not left and not self.cycle

    def _message(self, said: Said) -> Message:
        row = self._rows[self.episode_idx]
        message = Message(
            text=said.text,
            labels=[row.sparql if isinstance(row, GoldRow) else ""],
            episode_done=said.over,
            kbqa_id=row.id,
        )
        if said.feedback is not None:
            message["kbqa_feedback"] = feedback_document(said.feedback)
        if said.entities is not None:
            message["kbqa_entities"] = {iri.value: name for iri, name in said.entities.items()}
        return message

    def observe(self, observation: Message) -> Message:
        """The measures are those of the dialogue: what is said in a turn is not compared with its label."""
        self.metrics.clear_recent()
        if self.last_act is None or self.last_act.is_padding():
            return observation
        self._answered = _answered(observation)
        self.metrics.add("exs", SumMetric(1))
        if self._episode_done and self._episode is not None and self._episode.record is not None:
            for name, value in measures(self._episode.record).items():
                self.metrics.add(name, AverageMetric(value))
            self._episode = None
        found = self.metrics.report_recent()
        if found:
            observation.force_set("metrics", found)
        return observation


DefaultTeacher = KbqaTeacher
"""The name that `-t kbqa` looks for."""


def measures(record: Record) -> dict[str, float]:
    """What an episode counts. `turns`: edits, refused corrections and the last word; answer F1 is left out
    where the gold query has no answers."""
    found = {
        "exact_match": float(record["exact"][-1]),
        "exact_match_first": float(record["exact"][0]),
        "officially_correct": float(record["official"]),
        "turns": float(record["edits"] + record["refused"] + record["undone"] + (record["end"] is not None)),
        "edits": float(record["edits"]),
        "failed": float(record["error"] is not None),
    }
    scores = {"answer_f1": record["f1"][-1], "answer_f1_first": record["f1"][0]}
    return found | {name: score for name, score in scores.items() if score is not None}


def _answered(observation: Mapping[str, Any]) -> Answered:
    dialogue = HELD.get(str(observation.get("kbqa_dialogue")))
    refused = str(observation.get("kbqa_refused") or "")
    text = str(observation.get("sparql") or observation.get("text") or "")
    return Answered(text, None if refused else dialogue, refused)


def _rows(opt: Opt, plan: Plan) -> tuple[Row, ...]:
    """Raises `InputError`."""
    source = opt.get("kbqa_rows")
    if source:
        rows = tuple(gold_rows(source, gold_entities=plan.gold_entities))
        if not rows:
            raise InputError(f"{source} holds no rows: JSON lines with id, question and sparql expected")
        return rows
    if opt.get("kbqa_kb"):
        raise InputError("there are no questions about that knowledge base: name a file with --kbqa-rows")
    return _synthetic(int(opt.get("kbqa_questions") or 100), plan.seed)


@lru_cache(maxsize=2)
def _synthetic(n: int, seed: int) -> tuple[Row, ...]:
    from kbqa.synth.rows import opened, rows

    found = islice(rows(*opened(), n, seed, 0.0), n)
    return tuple(
        gold_row(number, row["id"], json.loads(json.dumps(row)))  # with lists, as a file has them
        for number, row in enumerate(found, 1)
    )
