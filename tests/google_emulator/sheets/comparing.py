"""Which of two values is the greater, and whether one meets a condition written as text."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date
from typing import Any

from tests.google_emulator.sheets import entry

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def key(value: Any) -> tuple[int, Any]:
    """Numbers before text before booleans; text without regard to case."""
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, str):
        return 1, value.casefold()
    if isinstance(value, int | float):
        return 0, value
    return 3, str(value)


def holds(op: str, left: Any, right: Any) -> bool:
    """A comparison in a formula; a blank is 0, FALSE or an empty text, whichever the other side is."""
    if left is None:
        left = _blank_like(right)
    if right is None:
        right = _blank_like(left)
    return bool(OPERATORS[op](key(left), key(right)))


def _blank_like(value: Any) -> Any:
    if isinstance(value, str):
        return ""
    return False if isinstance(value, bool) else 0


def criterion(wanted: Any, locale: str, today: date) -> Callable[[Any], bool]:
    """What COUNTIF and SUMIF take: a value, or a comparison written as text."""
    if not isinstance(wanted, str):
        return lambda value: holds("=", value, wanted)
    op = next((mark for mark in ("<>", "<=", ">=", "<", ">", "=") if wanted.startswith(mark)), "")
    rest = wanted[len(op) :]
    op = op or "="
    found = entry.read(rest, locale, today)
    target: Any = found.value if found else rest

    def fits(value: Any) -> bool:
        if op in ("=", "<>") or isinstance(value, str) == isinstance(target, str):
            return holds(op, value, target)
        return False

    return fits
