"""球: who holds which from when to when, and swaps with masters.

Promises: of two of a kind the older one goes first (A-47); what ends comes before what starts; a swap inside an
event's prohibited time takes effect in its last second and needs attendance there. Refuses to know: what balls do.
Source: ２章 球.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import ONE_SECOND, floor_second
from rules.frames import Finding
from rules.kanada.calendar import Calendar, Event
from rules.kanada.constellations import Holding
from rules.kanada.phases import BALL_END, BALL_START
from rules.kanada.results import Gain
from rules.kanada.sheets import ABSENT
from rules.postings import Posting
from rules.tables import Row

PREFIX = "ball/"


class Swap(NamedTuple):
    """One ball goes from a player and another comes, each "" where there is none."""

    at: pd.Timestamp
    player: str
    gone: str
    come: str
    cause: str


def read_owned(rows: Sequence[Row], calendar: Calendar) -> list[Holding]:
    """球所有: from 開始 (before 開戦: 開戦) until 終了 (blank: to the end)."""
    out = []
    for row in rows:
        start, stop = row.get("開始"), row.get("終了")
        begins = calendar.opening if start is None else max(floor_second(start), calendar.opening)
        ends = calendar.end if stop is None else floor_second(stop)
        out.append(Holding(row.get("正式呼称"), PREFIX + row.get("球"), begins, ends, row.cause))
    return out


def read_swaps(
    rows: Sequence[Row], results: Sequence[Row], calendar: Calendar
) -> tuple[list[Swap], list[Finding]]:
    """球交換: swaps with masters, and those that nobody present can have made."""
    swaps, findings = [], []
    for row in rows:
        instant, player = floor_second(row.get("時刻")), row.get("正式呼称")
        event = _event_at(instant, calendar)
        if event is not None and event.barred is not None:
            if not _was_there(player, event, results):
                text = f"{player}は{event.kind}マスイベの参加者ではありません。交換していません"
                findings.append(Finding("not_participant", row.cause, text, row.cause))
                continue
            stop = event.barred[1]
            instant = floor_second(stop) - ONE_SECOND if stop.second == 0 else floor_second(stop)
        swaps.append(
            Swap(instant, player, row.get("渡した球") or "", row.get("受け取った球") or "", row.cause)
        )
    return swaps, findings


def _event_at(instant: pd.Timestamp, calendar: Calendar) -> Event | None:
    return next(
        (
            e
            for e in calendar.events.values()
            if e.barred is not None and e.takes_signups and e.barred[0] <= instant < e.barred[1]
        ),
        None,
    )


def _was_there(player: str, event: Event, results: Sequence[Row]) -> bool:
    return any(
        row.get("正式呼称") == player
        and row.get("開催日") == event.day
        and row.get("出席") not in (None, ABSENT)
        for row in results
    )


def book_swaps(swaps: Sequence[Swap]) -> list[Gain]:
    """Swaps as postings on the numbers of balls."""
    out = []
    for swap in swaps:
        for ball, amount, phase in ((swap.gone, -1, BALL_END), (swap.come, 1, BALL_START)):
            if ball:
                posting = Posting(
                    swap.at,
                    phase,
                    swap.player,
                    PREFIX + ball,
                    amount,
                    swap.cause,
                    "ball_swapped",
                    "２章 球",
                    audience=swap.player,
                )
                out.append(Gain(posting))
    return out


def hold_balls(first: Iterable[Holding], swaps: Iterable[Swap]) -> tuple[list[Holding], list[Swap]]:
    """The holdings after all swaps in order; and the swaps in which one of two of a kind went (A-47)."""
    held, doubtful = list(first), []
    for swap in sorted(swaps, key=lambda s: (s.at, s.cause)):
        mine = [
            place
            for place, h in enumerate(held)
            if h.player == swap.player and h.what == PREFIX + swap.gone and h.start <= swap.at < h.stop
        ]
        if mine:
            oldest = min(mine, key=lambda place: held[place].start)
            if len({held[place].start for place in mine}) > 1:
                doubtful.append(swap)
            stop = held[oldest].stop
            held[oldest] = held[oldest]._replace(stop=swap.at)
        else:
            stop = max(
                (h.stop for h in held if h.player == swap.player and h.what.startswith(PREFIX)),
                default=swap.at,
            )
        if swap.come:
            held.append(Holding(swap.player, PREFIX + swap.come, swap.at, max(stop, swap.at), swap.cause))
    return held, doubtful
