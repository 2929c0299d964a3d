"""What participants are owed: by what they did, whoever was excluded included."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from kbqa.study.places import COMPARISON_STAGE
from kbqa.study.register import Register


@dataclass(frozen=True, slots=True)
class Owed:
    """`dialogues`, `surveys`, `comparisons`: finished ones; `earned`, `paid` and `due` in the study's
    currency; `codes`: what the participant hands in."""

    participant: str
    dialogues: int
    surveys: int
    comparisons: int
    earned: Decimal
    paid: Decimal
    codes: tuple[str, ...]

    @property
    def due(self) -> Decimal:
        return self.earned - self.paid


def owed(register: Register) -> list[Owed]:
    """Of every participant who has finished something. A survey counts once it is answered; the three
    comparative questions belong to the second one, as in the study."""
    pay, tables = register.study.pay, register.tables
    found = []
    for row in tables.rows("SELECT id FROM participants ORDER BY created, id"):
        who = row["id"]
        dialogues = _count(
            register, "SELECT count(*) AS n FROM tasks WHERE participant = ? AND finished IS NOT NULL", who
        )
        surveys = _count(
            register,
            "SELECT count(*) AS n FROM (SELECT DISTINCT a.claim, a.stage FROM answers a JOIN claims c"
            f" ON c.id = a.claim WHERE c.participant = ? AND a.stage < {COMPARISON_STAGE})",
            who,
        )
        comparisons = _count(
            register, "SELECT count(*) AS n FROM claims WHERE participant = ? AND finished IS NOT NULL", who
        )
        codes = tables.rows("SELECT code FROM claims WHERE participant = ? ORDER BY id", who)
        paid = tables.rows("SELECT amount FROM payments WHERE participant = ?", who)
        if dialogues or surveys:
            earned = dialogues * pay.dialogue + surveys * pay.survey + comparisons * pay.bonus
            already = sum((Decimal(p["amount"]) for p in paid), Decimal(0))
            listed = tuple(c["code"] for c in codes)
            found.append(Owed(who, dialogues, surveys, comparisons, earned, already, listed))
    return found


def mark_paid(register: Register, participants: Collection[str]) -> Decimal:
    """Notes that these were paid all that they are owed now; the sum."""
    total = Decimal(0)
    with register.tables.writing():
        for each in owed(register):
            if each.participant in participants and each.due > 0:
                row = {"participant": each.participant, "amount": str(each.due), "created": register.stamp()}
                register.tables.insert("payments", row)
                total += each.due
    return total


def _count(register: Register, sql: str, who: str) -> int:
    row = register.tables.row(sql, who)
    return int(row["n"]) if row else 0
