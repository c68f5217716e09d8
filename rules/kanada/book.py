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
from operator import itemgetter
from typing import NamedTuple

import pandas as pd

from rules.kanada.results import Gain
from rules.kanada.strikes import Past, Ruled, Strike
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

    at: pd.Timestamp
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
    past: Past = field(default_factory=Past)
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
    """What is still to come, by instant, phase and order of arrival.

    What is known at the start is sorted once; only what is set off on the way goes through a heap, which stays small.
    Instants are compared as integers: a Timestamp's own comparison costs more than all the rest.
    """

    def __init__(self) -> None:
        self._known: list[_Due] = []
        self._place = -1
        self._heap: list[_Due] = []
        self._count = 0

    def push(self, instant: pd.Timestamp, phase: int, item: Item, order: str = "") -> None:
        self._count += 1
        due = (instant.value, phase, order, self._count, item)
        if self._place < 0:
            self._known.append(due)
        else:
            heapq.heappush(self._heap, due)

    def pop(self) -> tuple[int, Item] | None:
        """The next item with its instant in nanoseconds; None when nothing is left."""
        if self._place < 0:
            self._known.sort(key=itemgetter(0, 1, 2, 3))
            self._place = 0
        known = self._known[self._place] if self._place < len(self._known) else None
        if self._heap and (known is None or self._heap[0][:4] < known[:4]):
            due = heapq.heappop(self._heap)
        elif known is not None:
            due, self._place = known, self._place + 1
        else:
            return None
        return due[0], due[4]


_Due = tuple[int, int, str, int, Item]
