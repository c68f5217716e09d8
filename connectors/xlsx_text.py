"""The text rules of a workbook: how any cell reads as text, and how any text stands in a cell.

Promises: `shown_text` is what a cell can hold of a text and changes nothing when applied twice, so that a hostile
text compares equal to itself after a round trip; `cell_text` gives one text per value, whichever reader brought it.
Refuses to know: files, sheets, and what a text means.
"""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

CELL_LIMIT = 32_767
"""What Excel holds in one cell, in UTF-16 units."""

_TICK = 1_000
"""Microseconds by which a stored clock time may miss the whole second: serial days are binary fractions."""

_BLUR = 2
"""Microseconds by which a time of our days may miss its whole millisecond, stored as a double."""

_NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,10})?")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_SURROGATES = re.compile("[\ud800-\udfff]")
_VISIBLE: dict[int, str] = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"},
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    0x7F: "\u2421",
    0xFFFE: "\ufffd",
    0xFFFF: "\ufffd",
}


def shown_text(text: str, limit: int = CELL_LIMIT) -> str:
    """Return `text` as a cell of at most `limit` UTF-16 units can hold it.

    Line breaks become one character, control characters become pictures (XML cannot carry them, and nobody would see
    them), what is no character at all becomes U+FFFD, nothing but blanks becomes a blank cell, and a text over the
    limit is cut with a mark that says how much is missing.
    """
    shown = text.replace("\r\n", "\n").replace("\r", "\n").translate(_VISIBLE)
    shown = _SURROGATES.sub("\ufffd", shown)
    if not shown.strip():
        return ""
    return _cut_text(shown, limit)


def escape_text(text: str) -> str:
    """Return `text` as the file stores it: `_x0041_` would otherwise be read back as the character it escapes."""
    return _ESCAPED.sub("_x005F_", text)


def number_from(text: str) -> float | None:
    """Return the number that stands for `text` with nothing of the text lost, None if there is none."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text) if "." in text else int(text)
    return value if cell_text(float(value)) == text else None


def cell_text(value: object, limit: int = CELL_LIMIT) -> str:
    """Return the value of a cell as text: the same text whether Excel, a human or this program stored it."""
    match value:
        case None:
            return ""
        case str():
            return shown_text(value, limit)
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float():
            return _write_number(value)
        case dt.datetime():
            day = value.replace(hour=0, minute=0, second=0, microsecond=0)
            seconds, decimals = _split_seconds(value - day)
            return (day + dt.timedelta(seconds=seconds)).isoformat(" ", "seconds") + decimals
        case dt.date():
            return f"{value.isoformat()} 00:00:00"
        case dt.time():
            whole = dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second)
            return _write_clock(whole + dt.timedelta(microseconds=value.microsecond), "02d")
        case dt.timedelta():
            return ("-" if value < dt.timedelta(0) else "") + _write_clock(abs(value), "d")
    return shown_text(str(value), limit)


def exact_text(value: object, limit: int = CELL_LIMIT) -> str:
    """As `cell_text`, but a moment to its last digit: what was sent at 23:59:59.999 was not sent at midnight."""
    if not isinstance(value, dt.datetime):
        return cell_text(value, limit)
    millis = round(value.microsecond, -3)
    # A serial number is a binary fraction: this near to a whole millisecond it is one.
    if millis < 1_000_000 and abs(value.microsecond - millis) <= _BLUR:
        value = value.replace(microsecond=millis)
    text = value.isoformat(" ")
    return text.rstrip("0") if value.microsecond else text


def _write_number(value: float) -> str:
    """A number as a plain decimal of 15 digits: that many Excel keeps and shows, the rest is binary dust."""
    if isinstance(value, int):
        return str(value)
    text = format(Decimal(format(value, ".15g")), "f")
    return "0" if text == "-0" else text


def _write_clock(span: dt.timedelta, hours: str) -> str:
    seconds, decimals = _split_seconds(span)
    return f"{seconds // 3600:{hours}}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{decimals}"


def _split_seconds(span: dt.timedelta) -> tuple[int, str]:
    """Whole seconds and what is left as decimals, after taking away what the storage itself adds."""
    total = span // dt.timedelta(microseconds=1)
    seconds, rest = divmod(total + _TICK, 1_000_000)
    if rest <= 2 * _TICK:
        return seconds, ""
    seconds, rest = divmod(total, 1_000_000)
    return seconds, f".{round(rest / 1000):03d}".rstrip("0")


def _stored_size(text: str) -> int:
    return len(escape_text(text).encode("utf-16-le")) // 2


def _cut_text(text: str, limit: int) -> str:
    if len(text) * 4 <= limit or _stored_size(text) <= limit:
        return text
    room = limit - len(_mark_cut(len(text)))
    low, high = 0, min(len(text), room)
    while low < high:
        middle = (low + high + 1) // 2
        if _stored_size(text[:middle]) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low] + _mark_cut(len(text) - low)


def _mark_cut(missing: int) -> str:
    return f"…（以下 {missing} 字省略）"
