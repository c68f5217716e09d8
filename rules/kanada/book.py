"""What the fold works on: events, the loop's own book, the queue of what is to come.

Promises: only the loop writes into the book; a queue gives back by instant, phase and order of arrival. Refuses to
know: what an event does.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

import pandas as pd

from rules.kanada.results import Gain
from rules.kanada.strikes import Formed, Ruled, Strike
from rules.postings import Posting

Account = tuple[str, str]


class Bid(NamedTuple):
    """What one application would take from its player's stars at `at`.

    `forced`: a master accepted it. `open`: it waits for a ruling, so that what it may take is uncertain. `ghost`:
    it does not count, and is asked only to show what the machine alone would say."""

    entry_id: str
    player: str
    day: dt.date
    at: pd.Timestamp
    cost: Mapping[int, int]
    forced: bool
    decided: bool
    open: bool
    ghost: bool = False


class Answer(NamedTuple):
    """How the stars answer a bid: enough, too few, or not known until `waits_for` is ruled."""

    enough: bool
    held: Mapping[int, int]
    waits_for: tuple[str, ...]


class Loss(NamedTuple):
    """All rights of a player are lost."""

    player: str


class Fire(NamedTuple):
    """An effect fires: whole or percentage amounts on its holder's own accounts.

    Of one `group` only the first works, that of the `owned` constellation before others; `needs` are accounts that
    must (not) hold something."""

    at: pd.Timestamp
    player: str
    amounts: tuple[tuple[str, Decimal, bool], ...]
    cause: str
    waits_for: str = ""
    group: str = ""
    owned: bool = True
    needs: tuple[tuple[str, bool], ...] = ()


class Attack(NamedTuple):
    """A freeze with what it books if the attack holds; each gain comes at its own instant."""

    strike: Strike
    gains: tuple[Gain, ...]


Item = Gain | Bid | Loss | Fire | Attack


@dataclass
class Book:
    """The loop's own state: balances, what waiting entries may yet take (of those of one day only one can) or
    bring, and who they are."""

    balances: dict[Account, int]
    taking: dict[Account, dict[dt.date, dict[str, int]]] = field(default_factory=dict)
    bringing: dict[Account, dict[str, int]] = field(default_factory=dict)
    postings: list[Posting] = field(default_factory=list)
    formed: list[Formed] = field(default_factory=list)
    worked: set[tuple[pd.Timestamp, str, str]] = field(default_factory=set)

    def apply(self, posting: Posting) -> None:
        key = (posting.player, posting.account)
        self.balances[key] = self.balances.get(key, 0) + posting.amount
        self.postings.append(posting)


class Played(NamedTuple):
    postings: list[Posting]
    answers: Mapping[str, Answer]
    balances: Mapping[Account, int]
    ruled: Mapping[str, Ruled] = {}


class Queue:
    """What is still to come, by instant, phase and order of arrival."""

    def __init__(self) -> None:
        self._heap: list[tuple[pd.Timestamp, int, str, int, Item]] = []
        self._count = 0

    def push(self, instant: pd.Timestamp, phase: int, item: Item, order: str = "") -> None:
        self._count += 1
        heapq.heappush(self._heap, (instant, phase, order, self._count, item))

    def pop(self) -> tuple[pd.Timestamp, Item] | None:
        if not self._heap:
            return None
        instant, _phase, _order, _count, item = heapq.heappop(self._heap)
        return instant, item
