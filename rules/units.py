"""How a parameter's text is read, by the unit that the rulebook gives it.

Promises: one reader for each unit, used both where a config is checked and where a rule asks; a text that cannot be
read gives None. Refuses to know: any game, any parameter by name.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

from rules.clock import read_clock, read_date, read_instant

_OFFSET = re.compile(
    r"(?:(?P<days>[+-]?\d+)\s*日|(?P<eve>eve(?: of the event)?|前日))?\s*(?P<clock>\d{1,2}:\d{2}(?::\d{2})?)",
    re.ASCII,
)
_BETWEEN = re.compile(r"\s*[-~〜]\s*")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_HOURS = re.compile(r"[0-9]+(\.[0-9]+)?")
_YEAR = re.compile(r"[0-9]{4}")


class Offset(NamedTuple):
    """A time of day, `days` after the day it is about; None where the text names no day."""

    days: int | None
    clock: dt.time


def read_offset(text: str) -> Offset | None:
    """Read `-1日 23:59:59`, `前日 22:00`, or a bare clock."""
    match = _OFFSET.fullmatch(text.strip())
    clock = read_clock(match["clock"]) if match else None
    if match is None or clock is None:
        return None
    return Offset(int(match["days"]) if match["days"] else -1 if match["eve"] else None, clock)


def read_clock_range(text: str) -> tuple[dt.time, dt.time] | None:
    """Read `00:00:00-04:59:59`."""
    parts = [read_clock(part) for part in _BETWEEN.split(text.strip(), maxsplit=1)]
    return (parts[0], parts[1]) if len(parts) == 2 and parts[0] and parts[1] else None


def read_first_day(text: str, year: int) -> dt.date | None:
    """The day on which a range such as `10-10 15:00:00-10-10 17:59:59` begins."""
    words = text.split()
    return read_date(words[0], year) if words else None


def read_dates(texts: Sequence[str], year: int) -> list[dt.date]:
    """Dates of a parameter: `10-12`, `10/12`, or one text `10/12, 13, 15` in which the month carries on.

    ValueError names the part that is no date."""
    out: list[dt.date] = []
    month = ""
    for part in (part.strip() for text in texts for part in text.split(",")):
        if part.isdigit() and month:
            part = f"{month}-{part}"
        day = read_date(part, year)
        if day is None:
            raise ValueError(f"「{part}」は日付ではありません")
        month = str(day.month)
        out.append(day)
    return out


def read_hours(text: str) -> Decimal | None:
    return Decimal(text) if _HOURS.fullmatch(text) else None


def _are_dates(texts: Sequence[str], year: int) -> bool:
    try:
        read_dates(texts, year)
    except ValueError:
        return False
    return True


class _Unit(NamedTuple):
    example: str
    reads: Callable[[str, ZoneInfo, int], bool]


_UNITS: Mapping[str, _Unit] = {
    "点": _Unit("50", lambda text, zone, year: _WHOLE.fullmatch(text) is not None),
    "個": _Unit("3", lambda text, zone, year: _WHOLE.fullmatch(text) is not None),
    "時間": _Unit("72", lambda text, zone, year: read_hours(text) is not None),
    "year": _Unit("2026", lambda text, zone, year: _YEAR.fullmatch(text) is not None),
    "clock": _Unit("05:00:00", lambda text, zone, year: read_clock(text) is not None),
    "clock range": _Unit("00:00:00-04:59:59", lambda text, zone, year: read_clock_range(text) is not None),
    "day offset and clock": _Unit("-1日 23:59:59", lambda text, zone, year: read_offset(text) is not None),
    "instant": _Unit("10-12 00:00:00", lambda text, zone, year: read_instant(text, zone, year) is not None),
    "instant range": _Unit(
        "10-10 15:00:00-10-10 17:59:59", lambda text, zone, year: read_first_day(text, year) is not None
    ),
}
"""Units of one text; `dates` is a list, and any other unit takes every text."""


def find_misfit(unit: str, value: str | tuple[str, ...], zone: ZoneInfo, year: int) -> str | None:
    """What is wrong with a value of that unit, in one line with an example; None where it can be read."""
    if unit == "dates":
        fits = _are_dates((value,) if isinstance(value, str) else value, year)
        example = "[10-12, 10-15]"
    elif unit in _UNITS:
        fits = isinstance(value, str) and _UNITS[unit].reads(value, zone, year)
        example = _UNITS[unit].example
    else:
        return None
    shown = value if isinstance(value, str) else "、".join(value)
    return None if fits else f"「{shown}」を{unit}として読めません（例 {example}）"
