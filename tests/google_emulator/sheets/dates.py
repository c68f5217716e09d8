"""Serial numbers: days since 30 December 1899 on the wall clock of the spreadsheet, without a zone."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from tests.google_emulator.sheets import locales

EPOCH = datetime(1899, 12, 30)
_TIME = r"(\d{1,3}):(\d{1,2})(?::(\d{1,2})(\.\d{1,6})?)?(?:\s*([AaPp])\.?[Mm]\.?)?"
_CLOCK = re.compile(_TIME)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,4})([/.\-])\s?(\d{1,2})(?:\2\s?(\d{1,4}))?")
_KANJI = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日")
_NAMED = re.compile(
    r"(?:(\d{1,2})[\s-]([A-Za-z]{3,9})\.?(?:,?[\s-](\d{4}|\d{2}))?|([A-Za-z]{3,9})\.?\s(\d{1,2})(?:,?\s(\d{4}))?)"
)


def serial(moment: datetime) -> float | int:
    """Whole days stay whole numbers."""
    past = moment - EPOCH
    if not past.seconds and not past.microseconds:
        return past.days
    return past.days + (past.seconds + past.microseconds / 1_000_000) / 86400


def moment(number: float) -> datetime | None:
    """The date and time of a serial, to the millisecond; None beyond what a calendar holds."""
    try:
        return EPOCH + timedelta(milliseconds=round(number * 86_400_000))
    except (OverflowError, ValueError):
        return None


class Parsed:
    """A typed date or time: its serial and the number format that typing it gives."""

    def __init__(self, number: float, kind: str, pattern: str) -> None:
        self.number = int(number) if number == int(number) else number
        self.format: dict[str, Any] = {"type": kind, "pattern": pattern}


def read(text: str, locale: str, today: date) -> Parsed | None:
    """The date, time or both that a person typing `text` would get; None for anything else."""
    clock = _read_clock(text)
    if clock:
        return Parsed(clock[0], "TIME", clock[1])
    day, _, rest = text.partition(" ")
    found = _read_day(text, locale, today)
    if found:
        return Parsed(found[0], "DATE", found[1])
    while rest:
        found, clock = _read_day(day, locale, today), _read_clock(rest.strip())
        if found and clock and clock[0] < 1:
            return Parsed(found[0] + clock[0], "DATE_TIME", f"{found[1]} {clock[1]}")
        more, _, rest = rest.partition(" ")
        day = f"{day} {more}"
    return None


def _read_clock(text: str) -> tuple[float, str] | None:
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    hours, minutes, seconds = int(found[1]), int(found[2]), int(found[3] or 0)
    if minutes > 59 or seconds > 59 or (len(found[1]) > 2 and hours < 100):
        return None
    half = (found[5] or "").lower()
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half == "p" else 0)
    parts = "[h]:mm" if hours > 23 else "h:mm"
    pattern = parts + (":ss" if found[3] else "") + (".000" if found[4] else "") + (" am/pm" if half else "")
    if hours > 23 and not found[3]:
        pattern = "[h]:mm:ss"
    return (hours * 3600 + minutes * 60 + seconds + float(found[4] or 0)) / 86400, pattern


def _read_day(text: str, locale: str, today: date) -> tuple[int, str] | None:
    habits = locales.of(locale)
    found = _ISO.fullmatch(text)
    if found:
        return _day(int(found[1]), int(found[2]), int(found[3]), "yyyy-mm-dd")
    found = _KANJI.fullmatch(text) if locale.startswith(("ja", "zh")) else None
    if found:
        pattern = "yyyy年m月d日" if found[1] else "m月d日"
        return _day(int(found[1] or today.year), int(found[2]), int(found[3]), pattern)
    found = _NUMERIC.fullmatch(text)
    if found and (found[4] or found[2] in "/-"):
        return _read_numeric(found, habits, today)
    found = _NAMED.fullmatch(text)
    if found:
        return _read_named(found, today)
    return None


def _read_numeric(found: re.Match[str], habits: locales.Locale, today: date) -> tuple[int, str] | None:
    mark = found[2]
    if mark == "." and "." not in habits.date:
        return None
    parts = [found[1], found[3], found[4]]
    if not found[4]:
        if len(found[1]) > 2:
            return None
        first, second = int(found[1]), int(found[3])
        month, day = (second, first) if habits.order == "dmy" else (first, second)
        pattern = "d/m" if habits.order == "dmy" else "m/d"
        return _day(today.year, month, day, pattern.replace("/", mark))
    if len(found[1]) == 4:
        order = "ymd"
    elif len(found[1]) == 3 or len(found[4]) == 3:
        return None
    else:
        order = "mdy" if habits.order == "ymd" and len(found[4]) == 4 else habits.order
    values = dict(zip(order, parts, strict=True))
    year = int(values["y"])
    if len(values["y"]) <= 2:
        year += 2000 if year < 30 else 1900
    if order == habits.order and mark in habits.date:
        pattern = habits.date
    else:
        pattern = mark.join({"y": "yyyy", "m": "m", "d": "d"}[part] for part in order)
    return _day(year, int(values["m"]), int(values["d"]), pattern)


def _read_named(found: re.Match[str], today: date) -> tuple[int, str] | None:
    day, name, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
    month = next(
        (index + 1 for index, known in enumerate(locales.MONTHS) if _is_month(name, known)),
        0,
    )
    if not month:
        return None
    full = int(year) + (2000 if len(year) == 2 else 0) if year else today.year
    word = "mmm" if len(name) == 3 else "mmmm"
    if found[1]:
        mark = found[0][len(found[1])]
        pattern = f"d{mark}{word}{mark}yyyy" if year else f"d{mark}{word}"
    else:
        pattern = f"{word} d, yyyy" if year else f"{word} d"
    return _day(full, month, int(day), pattern)


def _is_month(name: str, known: str) -> bool:
    return name.casefold() in (known.casefold(), known[:3].casefold())


def _day(year: int, month: int, day: int, pattern: str) -> tuple[int, str] | None:
    try:
        return (datetime(year, month, day) - EPOCH).days, pattern
    except ValueError:
        return None
