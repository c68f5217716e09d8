"""Formulas as text: their tokens, how the service spells them, and how their references follow what moves.

Nothing is calculated here. Text between the tokens that name cells is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tests.google_emulator.sheets import a1
from tests.google_emulator.sheets.a1 import MAX_COLUMNS, Box
from tests.google_emulator.sheets.book import Book, Sheet

_SHEET = r"(?:'((?:[^']|'')+)'|([^\W\d][\w.]*))!"
_CELL = r"\$?[A-Za-z]{1,3}\$?[1-9]\d*"
_RANGE = rf"{_CELL}:{_CELL}|{_CELL}:\$?[A-Za-z]{{1,3}}(?![\w(])|{_CELL}:\$?[1-9]\d*|\$?[A-Za-z]{{1,3}}:\$?[A-Za-z]{{1,3}}(?![\w(])|\$?[1-9]\d*:\$?[1-9]\d*|{_CELL}"
TOKEN = re.compile(
    rf'(?P<text>"(?:[^"]|"")*"?)'
    rf"|(?P<ref>(?:{_SHEET})?(?P<range>{_RANGE})(?![\w(!]))"
    r"|(?P<fault>#(?:REF!|NAME\?|N/A|VALUE!|DIV/0!|NUM!|NULL!|ERROR!))"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?)"
    rf"|(?P<name>(?:{_SHEET})?[^\W\d][\w.]*)"
    r"|(?P<op><>|<=|>=|[-+*/^&=<>%(),;{}])"
    r"|(?P<space>\s+)|(?P<other>.)",
    re.DOTALL,
)
_END = re.compile(r"(\$?)([A-Za-z]{1,3})?(\$?)(\d+)?")


class Ref(NamedTuple):
    """A reference in a formula: which sheet (None: the formula's own), which cells, and which parts are fixed by $."""

    title: str | None
    box: Box
    fixed: tuple[bool, bool, bool, bool]  # top, left, bottom, right
    shape: str  # "cell", "range", "columns", "rows", "down" (A2:B), "along" (A2:3)

    def write(self, prefix: str) -> str:
        top, left, bottom, right = ("$" if part else "" for part in self.fixed)
        box = self.box
        first_column, first_row = a1.column_name(box.left), str(box.top + 1)
        last_column = a1.column_name(box.right - 1) if box.right is not None else ""
        last_row = str(box.bottom) if box.bottom is not None else ""
        start = f"{left}{first_column}{top}{first_row}"
        end = f"{right}{last_column}{bottom}{last_row}"
        if self.shape == "columns":
            return f"{prefix}{left}{first_column}:{right}{last_column}"
        if self.shape == "rows":
            return f"{prefix}{top}{first_row}:{bottom}{last_row}"
        if self.shape == "down":
            return f"{prefix}{start}:{right}{last_column}"
        if self.shape == "along":
            return f"{prefix}{start}:{bottom}{last_row}"
        if self.shape == "cell" or start == end:
            return prefix + start
        return f"{prefix}{start}:{end}"


def read_ref(found: re.Match[str]) -> Ref:
    """The reference of a token; its corners put in order."""
    title = found[3] or (found[4] if found[3] is None else None)
    if found[3] is not None:
        title = found[3].replace("''", "'")
    text = found["range"]
    first, colon, second = text.partition(":")
    one, two = _end(first), _end(second or first)
    if not colon:
        shape = "cell"
    elif one[3] is None:
        shape = "columns"
    elif one[1] is None:
        shape = "rows"
    elif two[3] is None:
        shape = "down"
    elif two[1] is None:
        shape = "along"
    else:
        shape = "range"
    rows = (
        sorted([(one[3], one[2]), (two[3], two[2])])
        if one[3] and two[3]
        else [(one[3], one[2]), (two[3], two[2])]
    )
    cols = (
        sorted([(one[1], one[0]), (two[1], two[0])])
        if one[1] and two[1]
        else [(one[1], one[0]), (two[1], two[0])]
    )
    box = Box((rows[0][0] or 1) - 1, (cols[0][0] or 1) - 1, rows[1][0], cols[1][0])
    return Ref(title, box, (rows[0][1], cols[0][1], rows[1][1], cols[1][1]), shape)


def _end(text: str) -> tuple[bool, int | None, bool, int | None]:
    """(column fixed, column, row fixed, row), counted from 1."""
    found = _END.fullmatch(text)
    assert found
    if found[2] is None:
        return False, None, bool(found[1] or found[3]), int(found[4])
    column = a1.column_index(found[2]) + 1
    return bool(found[1]), column, bool(found[3]), int(found[4]) if found[4] else None


def rewrite(text: str, change: Callable[[Ref, str], str | None]) -> str:
    """The formula with every reference put through `change(reference, prefix as written)`; None: as it was."""
    if not text.startswith("="):
        return text

    def one(found: re.Match[str]) -> str:
        if found["ref"] is None:
            return found.group()
        whole: str = found["ref"]
        prefix = whole[: len(whole) - len(found["range"])]
        new = change(read_ref(found), prefix)
        return whole if new is None else new

    return "=" + TOKEN.sub(one, text[1:])


def canonical(text: str, book: Book) -> str:
    """Capitals in references, corners in order, sheets spelt as they are and quoted only where needed."""

    def change(ref: Ref, prefix: str) -> str:
        if ref.title is None:
            return ref.write("")
        sheet = book.titled(ref.title)
        return ref.write(f"{a1.quoted(sheet.title)}!" if sheet else prefix)

    return rewrite(text, change)


def moved(text: str, rows: int, columns: int) -> str:
    """The formula as it reads after being copied so many rows down and columns to the right."""

    def change(ref: Ref, prefix: str) -> str:
        box, fixed = ref.box, ref.fixed
        row = rows if ref.shape != "columns" else 0
        column = columns if ref.shape != "rows" else 0
        top = box.top if fixed[0] else box.top + row
        left = box.left if fixed[1] else box.left + column
        bottom = box.bottom if fixed[2] or box.bottom is None else box.bottom + row
        right = box.right if fixed[3] or box.right is None else box.right + column
        if top < 0 or left < 0 or (bottom or 1) < 1 or (right or 1) < 1 or (right or 0) > MAX_COLUMNS:
            return "#REF!"
        return ref._replace(box=Box(top, left, bottom, right)).write(prefix)

    return rewrite(text, change)


def follow(text: str, home: Sheet, sheet: Sheet, book: Book, place: Callable[[Box], Box | None]) -> str:
    """The formula on `home` after the cells of `sheet` went where `place` says; None: they are gone."""

    def change(ref: Ref, prefix: str) -> str | None:
        about = home if ref.title is None else book.titled(ref.title)
        if about is not sheet:
            return None
        new = place(ref.box)
        if new is None:
            return "#REF!"
        return None if new == ref.box else ref._replace(box=new).write(prefix)

    return rewrite(text, change)


def renamed(text: str, old: str, new: str) -> str:
    """References to a sheet under its new name."""

    def change(ref: Ref, prefix: str) -> str | None:
        if ref.title is None or ref.title.casefold() != old.casefold():
            return None
        return ref.write(f"{a1.quoted(new)}!")

    return rewrite(text, change)


def without(text: str, title: str) -> str:
    """References to a sheet that is gone."""

    def change(ref: Ref, prefix: str) -> str | None:
        return "#REF!" if ref.title is not None and ref.title.casefold() == title.casefold() else None

    return rewrite(text, change)
