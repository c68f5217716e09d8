"""The chronological fold: what is gained, what is spent, and which applications the stars allow.

Promises: events are handled in the order of instant and phase; a handler sees the balances and returns postings,
only the loop applies them; what could go either way because an earlier entry waits for a ruling waits too, and says
for what. Refuses to know: where gains come from, and how an application is written.
Sources: ４章 星座複製, ４章 恒星, ６章 襲撃権.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd

from rules.game import Opening
from rules.kanada.phases import RIGHT_LOST, SPENT
from rules.kanada.results import Gain
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


@dataclass
class _Book:
    """The loop's own state: balances, what waiting entries may yet take (of those of one day only one can) or
    bring, and who they are."""

    balances: dict[Account, int]
    taking: dict[Account, dict[dt.date, dict[str, int]]] = field(default_factory=dict)
    bringing: dict[Account, dict[str, int]] = field(default_factory=dict)
    postings: list[Posting] = field(default_factory=list)


class Played(NamedTuple):
    postings: list[Posting]
    answers: Mapping[str, Answer]
    balances: Mapping[Account, int]


def play(
    gains: Iterable[Gain],
    bids: Sequence[Bid],
    losses: Iterable[tuple[pd.Timestamp, str]],
    opening: Opening | None,
    accept: Callable[[Bid, Answer], bool],
    as_of: pd.Timestamp,
) -> Played:
    """Run the game up to `as_of` (bids also beyond, as a preview).

    `losses`: (instant, player) at which all rights are lost. `accept` says whether an answered bid is carried out.
    With an `opening` its balances hold before everything and nothing is posted at or before it.
    """
    book = _Book(dict(opening.balances) if opening else {})
    start = opening.at if opening else None
    queue: list[tuple[pd.Timestamp, int, int, object]] = []
    for number, gain in enumerate(gains):
        queue.append((gain.posting.at, gain.posting.phase, number, gain))
    for number, bid in enumerate(sorted(bids, key=lambda b: (b.at, b.entry_id))):
        queue.append((bid.at, SPENT, number, bid))
    for number, (instant, player) in enumerate(losses):
        queue.append((instant, RIGHT_LOST, number, player))
    answers: dict[str, Answer] = {}
    for instant, _phase, _number, item in sorted(queue, key=lambda q: q[:3]):
        late = instant > as_of
        counts = start is None or instant > start
        if isinstance(item, Bid):
            answers[item.entry_id] = _handle_bid(item, book, accept, counts=counts)
        elif late or not counts:
            continue
        elif isinstance(item, Gain):
            _handle_gain(item, book)
        elif isinstance(item, str):
            _handle_loss(instant, item, book)
    return Played(book.postings, answers, book.balances)


def _apply(book: _Book, posting: Posting) -> None:
    key = (posting.player, posting.account)
    book.balances[key] = book.balances.get(key, 0) + posting.amount
    book.postings.append(posting)


def _handle_gain(gain: Gain, book: _Book) -> None:
    if gain.waits_for:
        key = (gain.posting.player, gain.posting.account)
        waiting = book.bringing.setdefault(key, {})
        waiting[gain.waits_for] = waiting.get(gain.waits_for, 0) + gain.posting.amount
    else:
        _apply(book, gain.posting)


def _handle_loss(instant: pd.Timestamp, player: str, book: _Book) -> None:
    left = book.balances.get((player, "right"), 0)
    if left > 0:
        cause = f"襲撃権/{player}"
        _apply(
            book,
            Posting(
                instant,
                RIGHT_LOST,
                player,
                "right",
                -left,
                cause,
                "right_lost",
                "６章 襲撃権",
                audience=player,
            ),
        )


def _handle_bid(bid: Bid, book: _Book, accept: Callable[[Bid, Answer], bool], *, counts: bool) -> Answer:
    answer = _ask(bid, book)
    if bid.ghost:
        return answer
    if bid.open:
        _hold(bid, book)
    elif accept(bid, answer):
        if bid.decided:
            if counts:
                for posting in spend(bid):
                    _apply(book, posting)
        else:
            _hold(bid, book)
    elif answer.waits_for:
        _hold(bid, book)
    return answer


def _hold(bid: Bid, book: _Book) -> None:
    for grade, number in bid.cost.items():
        if number:
            book.taking.setdefault((bid.player, f"star/{grade}"), {}).setdefault(bid.day, {})[
                bid.entry_id
            ] = number


def _ask(bid: Bid, book: _Book) -> Answer:
    """Enough in the worst case: enough. Too few in the best: too few. Between the two: wait."""
    held: dict[int, int] = {}
    worst = best = True
    waits: list[str] = []
    for grade, number in bid.cost.items():
        key = (bid.player, f"star/{grade}")
        held[grade] = book.balances.get(key, 0)
        if not number:
            continue
        taking, bringing = book.taking.get(key, {}), book.bringing.get(key, {})
        worst_taken = sum(max(rivals.values()) for rivals in taking.values())
        low = held[grade] - worst_taken + sum(min(n, 0) for n in bringing.values())
        high = held[grade] + sum(max(n, 0) for n in bringing.values())
        worst, best = worst and low >= number, best and high >= number
        if low < number <= high:
            waits += [*(entry for rivals in taking.values() for entry in rivals), *bringing]
    if worst or not best:
        return Answer(worst, held, ())
    return Answer(False, held, tuple(dict.fromkeys(waits)))


def spend(bid: Bid) -> Iterable[Posting]:
    """The postings of a replication: each grade's cost at the eve's 23:59:59."""
    for grade, number in bid.cost.items():
        if number:
            yield Posting(
                bid.at,
                SPENT,
                bid.player,
                f"star/{grade}",
                -number,
                bid.entry_id,
                "replication_cost",
                "４章 星座複製",
                audience=bid.player,
            )
