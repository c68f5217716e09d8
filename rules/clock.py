"""Reading and writing instants: text in a zone to UTC and back.

Promises: every instant is a tz-aware pandas Timestamp in UTC with microseconds; the zone and the default year are
arguments. Refuses to know: what time it is.
"""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

import pandas as pd

_DATE = re.compile(
    r"(?:(\d{4})\s*[-/年.]\s*)?(\d{1,2})\s*[-/月.]\s*(\d{1,2})\s*日?(?:\s*[(（][月火水木金土日][)）])?"
)
_TIME = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1970, 2199
"""Years that a slip of the finger makes (0001, 20226) are no dates."""

ONE_SECOND = pd.Timedelta(seconds=1)
ONE_DAY = pd.Timedelta(days=1)


def read_date(text: str, year: int) -> dt.date | None:
    """Read `2026-10-13`, `10-13`, `10/13`, `10月13日` (a midnight time may follow); None if it is no date."""
    match = _DATE.match(text.strip())
    if match is None or text.strip()[match.end() :].strip() not in ("", "00:00", "00:00:00"):
        return None
    try:
        day = dt.date(int(match[1] or year), int(match[2]), int(match[3]))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def read_clock(text: str) -> dt.time | None:
    """Read `18:00` or `18:00:00`; None if it is no time of day."""
    match = _TIME.fullmatch(text.strip())
    if match is None or match[5]:
        return None
    return _clock(match)


def read_instant(text: str, zone: ZoneInfo, year: int) -> pd.Timestamp | None:
    """Read a date with an optional time (midnight without one), in `zone` unless it carries an offset."""
    text = text.strip()
    match = _DATE.match(text)
    if match is None:
        return None
    rest = text[match.end() :].lstrip(" T\u3000")
    day = read_date(match[0], year)
    clock = _TIME.fullmatch(rest) if rest else None
    if day is None or (rest and clock is None):
        return None
    time = _clock(clock) if clock else dt.time()
    if time is None:
        return None
    offset = clock[5] if clock else None
    if offset:
        try:
            return utc(pd.Timestamp(f"{day.isoformat()}T{time.isoformat()}{offset}"))
        except (ValueError, OverflowError, NotImplementedError):
            return None
    return at(day, time, zone)


def _clock(match: re.Match[str]) -> dt.time | None:
    micro = round(int((match[4] or "0").ljust(9, "0")) / 1000)
    try:
        return dt.time(int(match[1]), int(match[2]), int(match[3] or 0), min(micro, 999_999))
    except ValueError:
        return None


def at(day: dt.date, time: dt.time, zone: ZoneInfo) -> pd.Timestamp:
    """The instant of a local date and time."""
    return utc(pd.Timestamp(dt.datetime.combine(day, time, tzinfo=zone)))


def midnight(day: dt.date, zone: ZoneInfo) -> pd.Timestamp:
    return at(day, dt.time(), zone)


def utc(instant: pd.Timestamp | dt.datetime) -> pd.Timestamp:
    """Any aware instant as UTC with microseconds."""
    return pd.Timestamp(instant).tz_convert("UTC").as_unit("us")


def local_day(instant: pd.Timestamp, zone: ZoneInfo) -> dt.date:
    day: dt.date = instant.tz_convert(zone).date()
    return day


def floor_second(instant: pd.Timestamp) -> pd.Timestamp:
    return instant.floor("s")


def show_instant(instant: pd.Timestamp | None, zone: ZoneInfo, missing: str = "") -> str:
    """`2026-10-13 05:00:00`, with its fraction if it has one."""
    if instant is None or pd.isna(instant):
        return missing
    local = instant.tz_convert(zone)
    fraction = f".{local.microsecond:06d}".rstrip("0") if local.microsecond else ""
    return str(local.strftime("%Y-%m-%d %H:%M:%S")) + fraction


def show_day(day: dt.date) -> str:
    """`10月13日`."""
    return f"{day.month}月{day.day}日"


def show_short(instant: pd.Timestamp, zone: ZoneInfo) -> str:
    """`10月13日 05:00`, with seconds only where there are any."""
    local = instant.tz_convert(zone)
    return f"{local.month}月{local.day}日 {local.strftime('%H:%M:%S' if local.second else '%H:%M')}"


def say_instant(instant: pd.Timestamp | None, zone: ZoneInfo, missing: str = "") -> str:
    """`10月13日 05:00:00`, with its fraction if it has one: an instant in a sentence, to the last digit compared."""
    if instant is None or pd.isna(instant):
        return missing
    local = instant.tz_convert(zone)
    return f"{local.month}月{local.day}日 {show_instant(instant, zone).partition(' ')[2]}"
