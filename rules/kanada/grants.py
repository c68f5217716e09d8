"""What everybody gets by the calendar: the opening points, the daily rights and their loss.

Promises: nothing is granted on a rest day or after the end. Refuses to know: what anybody does with it.
Sources: １章 点数, ６章 襲撃権.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pandas as pd

from rules.clock import at as instant_at
from rules.clock import midnight, read_clock
from rules.kanada.calendar import Calendar
from rules.kanada.phases import OPENING, RIGHT_GRANTED
from rules.kanada.results import Gain
from rules.postings import Posting


def opening_gains(calendar: Calendar, sorcerers: Sequence[str]) -> list[Gain]:
    start = calendar.opening
    amount = calendar.settings.parameters.whole("P44", start)
    return [
        Gain(
            Posting(
                start,
                OPENING,
                player,
                "points",
                amount,
                "開戦",
                "opening_points",
                "１章 点数",
                audience=player,
            )
        )
        for player in sorcerers
    ]


def right_grants(calendar: Calendar, sorcerers: Sequence[str], as_of: pd.Timestamp) -> list[Gain]:
    out = []
    for when in right_instants(calendar, "P197", as_of):
        number = calendar.settings.parameters.whole("P196", when)
        for player in sorcerers:
            cause = f"襲撃権/{player}"
            posting = Posting(
                when,
                RIGHT_GRANTED,
                player,
                "right",
                number,
                cause,
                "right_granted",
                "６章 襲撃権",
                audience=player,
            )
            out.append(Gain(posting))
    return out


def right_instants(calendar: Calendar, parameter: str, as_of: pd.Timestamp) -> list[pd.Timestamp]:
    """The clock of `parameter` on each day of the game but the rest days, up to the end."""
    out = []
    for day in calendar.days:
        clock = read_clock(calendar.settings.parameters.text(parameter, midnight(day, calendar.zone)))
        when = instant_at(day, clock or dt.time(), calendar.zone)
        if not calendar.is_rest_day(day) and when <= min(calendar.end, as_of):
            out.append(when)
    return out
