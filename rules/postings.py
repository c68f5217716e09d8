"""Postings and the sums over them: the only arithmetic on amounts.

Promises: a posting is one whole change of one account at one whole second; a balance at T is the sum up to and
including all phases of T; a fraction is cut from the exact decimal, toward zero. Refuses to know: what an account
means, and any float.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import NamedTuple

import pandas as pd

from rules.frames import POSTINGS, build_frame


class Posting(NamedTuple):
    """One change; `cause` names what it came from (an entry, a row), `audience` who may see it."""

    at: pd.Timestamp
    phase: int
    player: str
    account: str
    amount: int
    cause: str
    rule: str
    section: str
    ruleset: str = ""
    audience: str = "masters"
    state: str = ""

    @property
    def posting_id(self) -> str:
        """Content id: the same change for the same cause has the same id in every cycle."""
        facts = (
            self.at.isoformat(),
            self.phase,
            self.player,
            self.account,
            self.amount,
            self.cause,
            self.rule,
        )
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


def cut(amount: Decimal) -> int:
    """Drop the digits after the point of the exact decimal, toward zero."""
    return int(amount)


def tabulate(postings: Iterable[Posting]) -> pd.DataFrame:
    """Postings as a frame (shape POSTINGS) in order of instant and phase."""
    ordered = sorted(postings, key=lambda p: (p.at, p.phase, p.player, p.account, p.cause))
    return build_frame(({**p._asdict(), "posting_id": p.posting_id} for p in ordered), POSTINGS)


def balance(postings: pd.DataFrame, player: str, account: str, instant: pd.Timestamp) -> int:
    """The sum after all phases of `instant`; 0 for an account without postings."""
    rows = postings["player"].eq(player) & postings["account"].eq(account) & (postings["at"] <= instant)
    return int(postings.loc[rows, "amount"].sum())


def balances(postings: pd.DataFrame, instant: pd.Timestamp) -> Mapping[tuple[str, str], int]:
    """(player, account) -> sum after all phases of `instant`."""
    due = postings.loc[postings["at"] <= instant]
    sums = due.groupby(["player", "account"], as_index=False)["amount"].sum()
    return {
        (str(player), str(account)): int(total)
        for player, account, total in zip(sums["player"], sums["account"], sums["amount"], strict=True)
    }
