"""Showing values: number formats as spreadsheets write them, and the automatic format where there is none."""

from __future__ import annotations

import re
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any

from tests.google_emulator.sheets import dates, locales
from tests.google_emulator.sheets.book import Fault

DATES = ("DATE", "TIME", "DATE_TIME")
_TOKEN = re.compile(
    r'"([^"]*)"|\\(.)|\[([^\]]*)\]|_.|\*.|([Aa][Mm]/[Pp][Mm]|[Aa]/[Pp])|(\.0+)|([Yy]+|[Mm]+|[Dd]+|[Hh]+|[Ss]+|[Ee]+)|(.)',
    re.DOTALL,
)
_BRACKET_TIME = re.compile(r"[hms]+", re.IGNORECASE)


def show(value: Any, number_format: dict[str, Any] | None, locale: str) -> str:
    """What the cell shows."""
    if value is None:
        return ""
    if value is True or value is False:
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if isinstance(value, Fault):
        return value.shown
    kind = (number_format or {}).get("type", "")
    pattern = pattern_of(number_format, locale)
    if not pattern or kind == "TEXT" or pattern == "@":
        return automatic(value, locale)
    return _shown(float(value), pattern, locale, kind)


def pattern_of(number_format: dict[str, Any] | None, locale: str) -> str:
    """The pattern in force; a format that only names its type follows the locale."""
    if not number_format:
        return ""
    if number_format.get("pattern"):
        found: str = number_format["pattern"]
        return "" if found.casefold() == "general" else found
    habits = locales.of(locale)
    money = f'#,##0.00"{habits.currency}"' if habits.after else f'"{habits.currency}"#,##0.00'
    return {
        "DATE": habits.date,
        "TIME": habits.time,
        "DATE_TIME": habits.date_time,
        "PERCENT": "0.00%",
        "CURRENCY": money,
        "SCIENTIFIC": "0.00E+00",
        "NUMBER": "#,##0.00",
    }.get(number_format.get("type", ""), "")


def automatic(number: float, locale: str = "en_US") -> str:
    """Up to ten significant digits; whole numbers in full below 10^15."""
    size = abs(number)
    if size >= 1e15 or (size and size < 1e-9):
        mantissa, _, exponent = f"{number:.5E}".partition("E")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        text = f"{mantissa}E{exponent}"
    elif float(number).is_integer():
        return str(int(number))
    else:
        digits = max(10, len(str(int(size))))
        text = f"{Decimal(f'{number:.{digits}g}'):f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
        text = "0" if text == "-0" else text
    return text.replace(".", locales.of(locale).decimal)


@lru_cache(maxsize=512)
def _sections(pattern: str) -> list[str]:
    parts, depth, current = [], False, ""
    for letter in pattern:
        if letter == '"':
            depth = not depth
        if letter == ";" and not depth:
            parts.append(current)
            current = ""
        else:
            current += letter
    return [*parts, current]


@lru_cache(maxsize=512)
def is_date(pattern: str) -> bool:
    for found in _TOKEN.finditer(pattern):
        if found[4] or (found[6] and found[6][0] not in "Ee"):
            return True
        if found[3] and _BRACKET_TIME.fullmatch(found[3]):
            return True
    return False


def _shown(number: float, pattern: str, locale: str, kind: str) -> str:
    sections = _sections(pattern)
    if kind in DATES or is_date(sections[0]):
        if is_date(sections[0]):
            return _date(number, sections[0], locale)
    if number < 0 and len(sections) > 1:
        return _number(-number, sections[1], locale)
    if number == 0 and len(sections) > 2:
        return _number(number, sections[2], locale)
    if number < 0:
        shown = _number(-number, sections[0], locale)
        return f"-{shown}" if re.search(r"[1-9]", shown) else shown
    return _number(number, sections[0], locale)


def _number(number: float, section: str, locale: str) -> str:
    if section.casefold() in ("general", "@"):
        return automatic(number, locale)
    habits = locales.of(locale)
    pieces: list[tuple[str, bool]] = []
    for found in re.finditer(
        r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.|([0#?.,%Ee+-])|(.)', section
    ):
        literal = next((part for part in (found[1], found[2], found[3], found[5]) if part is not None), None)
        if found[4]:
            pieces.append((found[4], True))
        elif literal is not None:
            pieces.append((literal, False))
    mask = "".join(text for text, code in pieces if code)
    body = re.search(r"[0#?][0#?,]*(?:\.[0#?]*)?|\.[0#?]+", mask)
    if not body:
        return "".join(text for text, _ in pieces)
    number *= 100 ** mask.count("%")
    digits = _digits(number, body.group(), mask, habits)
    return _assembled(pieces, digits)


def _digits(number: float, body: str, mask: str, habits: locales.Locale) -> str:
    whole, _, part = body.partition(".")
    scale = len(whole) - len(whole.rstrip(","))
    number /= 1000**scale
    fixed, places = part.count("0") + part.count("?"), len(part.replace(",", ""))
    exponent = ""
    power = re.search(r"[Ee]([+-])(0+)", mask)
    if power:
        size = 0
        if number:
            size = int(f"{number:E}".partition("E")[2])
        number /= 10.0**size
        exponent = f"E{'-' if size < 0 else '+' if power[1] == '+' else ''}{abs(size):0{len(power[2])}d}"
    rounded = Decimal(repr(number)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    left, _, right = f"{rounded:f}".partition(".")
    while len(right) > fixed and right.endswith("0"):
        right = right[:-1]
    least = whole.count("0") + whole.count("?")
    left = left.zfill(least) if least else left.lstrip("0")
    if "," in whole.rstrip(","):
        left = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", habits.group, left)
    return left + (habits.decimal + right if right or (part == "" and "." in body) else "") + exponent


def _assembled(pieces: list[tuple[str, bool]], digits: str) -> str:
    out, placed, power = "", False, False
    for text, code in pieces:
        if not code or text == "%":
            out += text
        elif text in "0#?.,":
            if not placed:
                out, placed = out + digits, True
        elif text in "Ee":
            power = True
        elif not power or text not in "+-":
            out += text
    return out


def _date(number: float, section: str, locale: str) -> str:
    when = dates.moment(number)
    if when is None:
        return automatic(number, locale)
    tokens = list(_TOKEN.finditer(section))
    half = any(found[4] for found in tokens)
    fractions = any(found[5] for found in tokens)
    if not fractions:
        rounded = dates.moment(round(number * 86400) / 86400)
        when = rounded or when
    out = ""
    for index, found in enumerate(tokens):
        if found[1] is not None or found[2] is not None:
            out += found[1] if found[1] is not None else found[2]
        elif found[3] is not None:
            out += _elapsed(number, found[3])
        elif found[4]:
            out += _half(when, found[4])
        elif found[5]:
            out += f".{when.microsecond // 1000:03d}"[: len(found[5])]
        elif found[6]:
            out += _part(when, found[6], half, _minutes(tokens, index), locale)
        elif found[7]:
            out += found[7]
    return out


def _half(when: datetime, token: str) -> str:
    return ("AM" if when.hour < 12 else "PM")[: 1 if len(token) == 3 else 2]


def _minutes(tokens: list[re.Match[str]], index: int) -> bool:
    """An m is a minute next to hours or seconds, a month elsewhere; a capital M after no hour is a month."""

    def kind(found: re.Match[str]) -> str:
        text = found[6] or (found[3] or "")
        return text[:1].lower() if text[:1].lower() in "ymdhs" and text else ""

    before = next((kind(found) for found in reversed(tokens[:index]) if kind(found)), "")
    after = next((kind(found) for found in tokens[index + 1 :] if kind(found)), "")
    return before == "h" or after == "s"


def _elapsed(number: float, token: str) -> str:
    if not _BRACKET_TIME.fullmatch(token):
        return ""
    unit = {"h": 3600, "m": 60, "s": 1}[token[0].lower()]
    return str(int(round(number * 86400) // unit)).zfill(len(token))


def _part(when: datetime, token: str, half: bool, minutes: bool, locale: str) -> str:
    letter, size = token[0].lower(), len(token)
    if letter == "y":
        return f"{when.year % 100:02d}" if size <= 2 else f"{when.year:04d}"
    if letter == "h":
        hour = (when.hour % 12 or 12) if half else when.hour
        return str(hour).zfill(2 if size > 1 else 1)
    if letter == "s":
        return str(when.second).zfill(2 if size > 1 else 1)
    if letter == "d":
        return _day(when, size, locale)
    if letter == "m":
        if minutes and size <= 2:
            return str(when.minute).zfill(2 if size > 1 else 1)
        if size <= 2:
            return str(when.month).zfill(size)
        if locale.startswith("ja"):
            return f"{when.month}月"
        name = locales.MONTHS[when.month - 1]
        return {3: name[:3], 4: name}.get(size, name[0])
    return token


def _day(when: datetime, size: int, locale: str) -> str:
    if size <= 2:
        return str(when.day).zfill(size)
    if locale.startswith("ja"):
        name = locales.JAPANESE_DAYS[when.weekday()]
        return name[:1] if size == 3 else name
    name = locales.DAYS[when.weekday()]
    return name[:3] if size == 3 else name
