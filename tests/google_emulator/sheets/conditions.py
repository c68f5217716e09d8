"""Whether a cell meets a BooleanCondition, and what conditional formats make of its look.

Colour scales are stored and not painted: which colour a value gets is nowhere documented to the digit.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.google_emulator.sheets import a1, comparing, dates, entry, formula_text, formulas, patterns
from tests.google_emulator.sheets.book import Book, Fault, Sheet, Value

Condition = dict[str, Any]
_NUMBER = {
    "NUMBER_GREATER": ">",
    "NUMBER_GREATER_THAN_EQ": ">=",
    "NUMBER_LESS": "<",
    "NUMBER_LESS_THAN_EQ": "<=",
    "NUMBER_EQ": "=",
    "NUMBER_NOT_EQ": "<>",
    "DATE_EQ": "=",
    "DATE_NOT_EQ": "<>",
    "DATE_BEFORE": "<",
    "DATE_AFTER": ">",
    "DATE_ON_OR_BEFORE": "<=",
    "DATE_ON_OR_AFTER": ">=",
}
_DAYS = {"TODAY": 0, "TOMORROW": 1, "YESTERDAY": -1, "PAST_WEEK": -7, "PAST_MONTH": -30, "PAST_YEAR": -365}


def meets(
    book: Book,
    sheet: Sheet,
    place: tuple[int, int],
    value: Value,
    condition: Condition,
    home: tuple[int, int],
) -> bool:
    """Whether the value at `place` meets the condition; formulas in it are written for the cell `home`."""
    kind = condition.get("type", "")
    if isinstance(value, Fault):
        return False
    if kind in ("BLANK", "NOT_BLANK"):
        return (value is None or value == "") == (kind == "BLANK")
    given = [_operand(book, sheet, place, each, home) for each in condition.get("values", [])]
    if kind == "CUSTOM_FORMULA":
        return (
            bool(given) and given[0] is not None and not isinstance(given[0], str | Fault) and bool(given[0])
        )
    if kind.startswith("TEXT_"):
        shown = patterns.show(value, None, book.locale).casefold()
        return _text(kind, shown, patterns.show(given[0], None, book.locale).casefold() if given else "")
    if kind in _NUMBER:
        numbers = isinstance(value, int | float) and not isinstance(value, bool)
        return numbers and bool(given) and comparing.holds(_NUMBER[kind], value, given[0])
    if kind in ("NUMBER_BETWEEN", "NUMBER_NOT_BETWEEN", "DATE_BETWEEN", "DATE_NOT_BETWEEN"):
        if not isinstance(value, int | float) or len(given) < 2:
            return False
        inside = comparing.holds(">=", value, given[0]) and comparing.holds("<=", value, given[1])
        return inside != ("NOT" in kind)
    if kind == "ONE_OF_LIST":
        return any(comparing.holds("=", value, each) for each in given)
    return False


def _text(kind: str, shown: str, wanted: str) -> bool:
    if kind in ("TEXT_CONTAINS", "TEXT_NOT_CONTAINS"):
        return (wanted in shown) == (kind == "TEXT_CONTAINS")
    if kind in ("TEXT_EQ", "TEXT_NOT_EQ"):
        return (wanted == shown) == (kind == "TEXT_EQ")
    if kind == "TEXT_STARTS_WITH":
        return shown.startswith(wanted)
    if kind == "TEXT_ENDS_WITH":
        return shown.endswith(wanted)
    name, _, domain = shown.rpartition("@")
    if kind == "TEXT_IS_EMAIL":
        return bool(name) and "." in domain
    return kind == "TEXT_IS_URL" and (shown.startswith(("http://", "https://")) or "." in shown)


def _operand(
    book: Book, sheet: Sheet, place: tuple[int, int], given: Condition, home: tuple[int, int]
) -> Any:
    """The value a ConditionValue stands for: typed in, calculated, or a day relative to today."""
    if "relativeDate" in given:
        day = book.now.date() + timedelta(days=_DAYS.get(given["relativeDate"], 0))
        return _serial(day)
    text = given.get("userEnteredValue", "")
    if text.startswith("="):
        moved = formula_text.moved(text, place[0] - home[0], place[1] - home[1])
        return formulas.evaluate(book, sheet, *place, moved)
    found = entry.read(text, book.locale, book.now.date())
    return found.value if found else text


def _serial(day: date) -> int:
    return (day - dates.EPOCH.date()).days


def dressed(
    book: Book, sheet: Sheet, row: int, column: int, value: Value, shown: dict[str, Any]
) -> dict[str, Any]:
    """The format with every conditional format that applies laid over it, the first rule last."""
    for rule in reversed(sheet.objects["conditionalFormats"]):
        made = rule.get("booleanRule")
        boxes = [a1.box_of(each) for each in rule["ranges"]]
        if not made or not any(
            box.top <= row < (box.bottom or sheet.rows) and box.left <= column < (box.right or sheet.columns)
            for box in boxes
        ):
            continue
        if meets(book, sheet, (row, column), value, made["condition"], boxes[0][:2]):
            shown = dict(shown)
            for name, own in made["format"].items():
                shown[name] = {**shown.get(name, {}), **own} if name == "textFormat" else own
    return shown
