"""What becomes of a value written into a cell: RAW keeps it, USER_ENTERED reads it as if somebody had typed it."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, NamedTuple

from tests.google_emulator.sheets import dates, formula_text, locales
from tests.google_emulator.sheets.book import Book, Cell, Formula, Sheet, Value, hold_length
from tests.google_emulator.sheets.refusal import RefusedError

_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?")


class Entry(NamedTuple):
    value: Value
    format: dict[str, Any] | None = None


def raw(value: Any) -> Value:
    """The JSON value itself; an empty text empties the cell."""
    return None if value == "" and isinstance(value, str) else value


def typed(book: Book, sheet: Sheet, cell: Cell, value: Any, today: date) -> Entry:
    """A value as a person's typing, in the spreadsheet's locale and the cell's format."""
    if not isinstance(value, str):
        return Entry(value)
    if not value:
        return Entry(None)
    if value.startswith("'"):
        return Entry(value[1:] or None)
    own = (cell.format or {}).get("numberFormat") or {}
    if own.get("type") == "TEXT" or own.get("pattern") == "@":
        return Entry(value)
    if value.startswith("=") and len(value) > 1:
        return Entry(Formula(formula_text.canonical(value, book)))
    found = read(value, book.locale, today)
    if found is None and value[0] in "+-" and len(value) > 1:
        return Entry(Formula(formula_text.canonical(f"={value}", book)))
    return found or Entry(value)


def read(text: str, locale: str, today: date) -> Entry | None:
    """A boolean, number, percentage, amount, date or time; None for text."""
    bare = text.strip()
    if bare.casefold() in ("true", "false"):
        return Entry(bare.casefold() == "true")
    habits = locales.of(locale)
    found = _number(bare, habits)
    if found:
        return found
    if len(bare) < 40 and any(letter.isdigit() for letter in bare):
        day = dates.read(bare, locale, today)
        if day:
            return Entry(day.number, day.format)
    return None


def _number(bare: str, habits: locales.Locale) -> Entry | None:
    if not bare or not (bare[0].isdigit() or bare[0] in "+-.($¥￥£€₩₽R" or bare[-1] in "%€₽"):
        return None
    negative = bare.startswith("(") and bare.endswith(")")
    core = bare[1:-1] if negative else bare
    sign, core = ("-", core[1:].strip()) if core.startswith("-") else ("", core)
    percent = core.endswith("%")
    core = core[:-1].rstrip() if percent else core
    money = False
    for symbol in (habits.currency, "￥") if habits.currency == "¥" else (habits.currency,):
        if core.startswith(symbol):
            core, money = core[len(symbol) :].lstrip(), True
        elif habits.after and core.endswith(symbol):
            core, money = core[: -len(symbol)].rstrip(), True
    if not core or (not core.isascii() and habits.group not in core):
        return None
    plain = core.replace(habits.group, "\0").replace(habits.decimal, ".").replace("\0", ",")
    grouped = bool(_GROUPED.fullmatch(plain))
    if not (_PLAIN.fullmatch(plain) or grouped) or (negative and plain[0] in "+-"):
        return None
    if plain[0] in "+-" and (sign or money):
        return None
    number = float(plain.replace(",", ""))
    if number in (float("inf"), float("-inf")):
        return None
    number = -number if negative or sign else number
    return _dressed(number, plain, percent, money, grouped, habits)


def _dressed(
    number: float, plain: str, percent: bool, money: bool, grouped: bool, habits: locales.Locale
) -> Entry:
    """The number with the format that this way of typing it gives."""
    decimals = "." in plain and bool(plain.partition(".")[2])
    places = ".00" if decimals else ""
    if percent:
        return Entry(_tidy(float(f"{number / 100:.15g}")), {"type": "PERCENT", "pattern": f"0{places}%"})
    if money:
        pattern = f"#,##0{places}"
        mark = f'"{habits.currency}"'
        shown = pattern + mark if habits.after else mark + pattern
        return Entry(_tidy(number), {"type": "CURRENCY", "pattern": shown})
    if grouped:
        return Entry(_tidy(number), {"type": "NUMBER", "pattern": f"#,##0{places}"})
    if "e" in plain.lower():
        return Entry(_tidy(number), {"type": "SCIENTIFIC", "pattern": "0.00E+00"})
    return Entry(_tidy(number))


def _tidy(number: float) -> float | int:
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def hold_scalar(value: Any, place: str) -> None:
    """A cell of a values request is a scalar; lists and objects are refused in the words of the service."""
    if isinstance(value, list | dict):
        kind = "list_value" if isinstance(value, list) else "struct_value"
        raise RefusedError(f"Invalid {place}: {kind} {_proto(value)}")
    hold_length(value)


def _proto(value: Any) -> str:
    """The text form of a protobuf Value, as the service prints what it did not expect."""
    if isinstance(value, list):
        inner = " ".join(f"values {{ {_proto_value(each)} }}" for each in value)
    else:
        inner = " ".join(
            f'fields {{ key: "{key}" value {{ {_proto_value(each)} }} }}' for key, each in value.items()
        )
    return f"{{ {inner} }}" if inner else "{ }"


def _proto_value(value: Any) -> str:
    if value is None:
        return "null_value: NULL_VALUE"
    if isinstance(value, bool):
        return f"bool_value: {str(value).lower()}"
    if isinstance(value, int | float):
        return f"number_value: {value}"
    if isinstance(value, str):
        return f'string_value: "{value}"'
    return ("list_value " if isinstance(value, list) else "struct_value ") + _proto(value)
