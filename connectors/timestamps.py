"""Times as Google and spreadsheets write them, read as instants.

Promises: a time that is read is the instant that was meant, to the microsecond; what can be read in two ways, or not
at all, is None and never a guess. Refuses to know: the clock, any deadline, and where the text came from.

Seconds are demanded: a spreadsheet program that re-saves an export drops them, and a time floored to its minute would
silently turn every response into another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from fractions import Fraction

import pandas as pd

_SPACE = r"[ \u00a0\u202f]"  # Google puts a narrow no-break space before AM and PM
_MARK = "午前|午後|AM|PM"
_WALL = re.compile(
    rf"""
    (?P<year>[0-9]{{4}})(?P<dash>[/-])(?P<month>[0-9]{{1,2}})(?P=dash)(?P<day>[0-9]{{1,2}})
    (?:T|{_SPACE}+)
    (?:(?P<mark_before>{_MARK}){_SPACE}*)?
    (?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}}):(?P<second>[0-9]{{2}})(?:\.(?P<decimals>[0-9]{{1,9}}))?
    (?:{_SPACE}*(?P<mark_after>{_MARK}))?
    (?:{_SPACE}*(?P<zone>
        Z
        | (?:GMT|UTC)(?:(?P<sign>[+-])(?P<hours>[0-9]{{1,2}})(?::(?P<minutes>[0-9]{{2}}))?)?
        | (?P<name>[A-Z]{{3,5}})
        | (?P<iso_sign>[+-])(?P<iso_hours>[0-9]{{2}})(?::?(?P<iso_minutes>[0-9]{{2}}))?
    ))?
    """,
    re.VERBOSE,
)
_SERIAL = re.compile(r"[1-9][0-9]{4}(?:\.[0-9]{1,17})?")
_SERIAL_EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 (a serial is wall time; its zone is given beside it)
_DAY = 86_400 * 10**6  # in microseconds, as all spans below
_WIDEST_OFFSET = timedelta(hours=14)


def parse_timestamp(text: str, zone: tzinfo) -> pd.Timestamp | None:
    """Return the instant that `text` names, in UTC with unit us; a time without offset is wall time in `zone`.

    None for what is no time, has no seconds, is no date of the calendar, or is a wall time that `zone` skips or has
    twice.
    """
    instant = _read_instant(text.strip(" \t\r\n\u00a0\u202f"), zone)
    return None if instant is None else pd.Timestamp(instant).as_unit("us")


def parse_timestamps(texts: Iterable[str], zone: tzinfo) -> pd.Series:
    """Return the instants of a whole column; NaT stands where `parse_timestamp` gives None."""
    instants = [_read_instant(text.strip(" \t\r\n\u00a0\u202f"), zone) for text in texts]
    return pd.Series(instants, dtype="datetime64[us, UTC]")


def _read_instant(text: str, zone: tzinfo) -> datetime | None:
    try:
        if match := _WALL.fullmatch(text):
            return _read_wall(match, zone)
        if _SERIAL.fullmatch(text):
            return _resolve(_SERIAL_EPOCH + timedelta(microseconds=_read_serial(text)), zone)
    except (ValueError, OverflowError):  # no such date, or one at the very ends of the calendar
        return None
    return None


def _read_wall(match: re.Match[str], zone: tzinfo) -> datetime | None:
    hour = _read_hour(int(match["hour"]), match["mark_before"], match["mark_after"])
    if hour is None:
        return None
    date = (int(match["year"]), int(match["month"]), int(match["day"]))
    whole = datetime(*date, hour, int(match["minute"]), int(match["second"]))  # noqa: DTZ001 (zone follows)
    # Python rounds a Fraction half to even, so a tenth of a microsecond is never cut off.
    decimals = match["decimals"] or "0"
    wall = whole + timedelta(microseconds=round(Fraction(int(decimals) * 10**6, 10 ** len(decimals))))
    if match["zone"] is None or match["name"]:
        return _resolve(wall, zone, match["name"])
    offset = _read_offset(match)
    return None if offset is None else wall.replace(tzinfo=timezone(offset)).astimezone(UTC)


def _read_hour(hour: int, before: str | None, after: str | None) -> int | None:
    """Return the hour of the day; with a mark it must be a twelve-hour one (午前0時 and 午前12時 are both midnight)."""
    if before and after:
        return None
    mark = before or after
    if mark is None:
        return hour
    if hour > 12:
        return None
    return hour % 12 + (12 if mark in ("午後", "PM") else 0)


def _read_offset(match: re.Match[str]) -> timedelta | None:
    sign = match["sign"] or match["iso_sign"]
    minutes = int(match["minutes"] or match["iso_minutes"] or 0)
    offset = timedelta(hours=int(match["hours"] or match["iso_hours"] or 0), minutes=minutes)
    if minutes > 59 or offset > _WIDEST_OFFSET:
        return None
    return -offset if sign == "-" else offset


def _read_serial(text: str) -> int:
    """Return microseconds since the serials' epoch.

    A serial is a double, and sheets show at most fifteen digits of it: a time that was a whole millisecond comes back
    a little beside it. Cut off, 23:59:59 would turn into 23:59:58 for every other day; so it is rounded, and
    what lies as near to a whole millisecond as those digits can tell is that millisecond.
    """
    span = round(Fraction(text) * _DAY)
    nearest = round(Fraction(span, 1000)) * 1000
    decimals = len(text.partition(".")[2])
    blur = 5 if decimals <= 10 else 2  # half a unit of the tenth decimal is 4.3 microseconds
    return nearest if abs(span - nearest) <= blur else span


def _resolve(wall: datetime, zone: tzinfo, name: str | None = None) -> datetime | None:
    """Return the instant of a wall time, or None where the clocks skip it or show it twice.

    `name` is what the zone is called at that time (JST, BST): names mean different offsets in different countries, so
    only the configured zone's own are believed, and there they tell the two autumn hours apart.
    """
    instants = set()
    for fold in (0, 1):
        local = wall.replace(tzinfo=zone, fold=fold)
        instant = local.astimezone(UTC)
        skipped = instant.astimezone(zone).replace(tzinfo=None) != wall
        if not skipped and (name is None or name == local.tzname()):
            instants.add(instant)
    return instants.pop() if len(instants) == 1 else None
