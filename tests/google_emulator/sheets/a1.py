"""A1 notation: reading it, writing it as the service writes it, and rectangles of cells.

Everything here is arithmetic on text and numbers; which sheets exist is asked of the caller. Rows and columns count
from zero and ends are exclusive, as in a GridRange; an end of None is open.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tests.google_emulator.sheets.refusal import RefusedError

MAX_COLUMNS = 18278
_A1 = re.compile(r"\$?([A-Za-z]{1,3})?\$?(\d+)?(?:(:)\$?([A-Za-z]{1,3})?\$?(\d+)?)?")
_R1C1 = re.compile(r"[Rr](\d+)[Cc](\d+)(?::[Rr](\d+)[Cc](\d+))?")
_PLAIN_TITLE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*")


class Box(NamedTuple):
    """A rectangle of cells; None at an end means as far as the grid goes."""

    top: int
    left: int
    bottom: int | None = None
    right: int | None = None

    def clip(self, rows: int, columns: int) -> Box:
        bottom = rows if self.bottom is None else min(self.bottom, rows)
        right = columns if self.right is None else min(self.right, columns)
        return Box(self.top, self.left, bottom, right)

    @property
    def height(self) -> int:
        return max((self.bottom if self.bottom is not None else MAX_ROWS) - self.top, 0)

    @property
    def width(self) -> int:
        return max((self.right if self.right is not None else MAX_COLUMNS) - self.left, 0)

    def meets(self, other: Box) -> bool:
        a, b = self.clip(MAX_ROWS, MAX_COLUMNS), other.clip(MAX_ROWS, MAX_COLUMNS)
        return max(a.top, b.top) < min(a.bottom or 0, b.bottom or 0) and max(a.left, b.left) < min(
            a.right or 0, b.right or 0
        )

    def covers(self, other: Box) -> bool:
        a, b = self.clip(MAX_ROWS, MAX_COLUMNS), other.clip(MAX_ROWS, MAX_COLUMNS)
        return (
            a.top <= b.top
            and a.left <= b.left
            and (b.bottom or 0) <= (a.bottom or 0)
            and (b.right or 0) <= (a.right or 0)
        )

    def within(self, other: Box) -> Box:
        """The common part, which may be empty."""
        a, b = self.clip(MAX_ROWS, MAX_COLUMNS), other.clip(MAX_ROWS, MAX_COLUMNS)
        top, left = max(a.top, b.top), max(a.left, b.left)
        return Box(
            top, left, max(min(a.bottom or 0, b.bottom or 0), top), max(min(a.right or 0, b.right or 0), left)
        )


MAX_ROWS = 20_000_000
ALL = Box(0, 0)


class Reference(NamedTuple):
    """What a text names. `title` None: the first sheet. `box` None: a bare word, a sheet or a named range."""

    title: str | None
    box: Box | None
    word: str = ""
    prefix: str = ""


def column_name(index: int) -> str:
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(65 + rest) + name
    return name


def column_index(name: str) -> int:
    index = 0
    for letter in name.upper():
        index = index * 26 + ord(letter) - 64
    return index - 1


def quoted(title: str) -> str:
    """The title as the service writes it before a `!`: in quotes only where it could be read as something else."""
    if _PLAIN_TITLE.fullmatch(title) and not _LIKE_A_CELL.fullmatch(title):
        return title
    return "'" + title.replace("'", "''") + "'"


def read_box(text: str) -> Box | None:
    """The rectangle a range without a sheet names, or None if it is not one."""
    found = _R1C1.fullmatch(text)
    if found:
        top, left = int(found[1]), int(found[2])
        return _ordered(top, left, int(found[3] or top), int(found[4] or left))
    found = _A1.fullmatch(text)
    if not found or not text:
        return None
    column, row, colon, end_column, end_row = found.groups()
    if not colon:
        if not (column and row):
            return None
        end_column, end_row = column, row
    elif not (column or row) or not (end_column or end_row):
        return None
    if (column is None) != (end_column is None) and (row is None) != (end_row is None):
        return None
    rows = [int(part) for part in (row, end_row) if part]
    columns = [column_index(part) + 1 for part in (column, end_column) if part]
    if 0 in rows:
        return None
    top, bottom = (rows[0], None) if row and not end_row else (min(rows, default=1), max(rows, default=None))
    left, right = (
        (columns[0], None)
        if column and not end_column
        else (min(columns, default=1), max(columns, default=None))
    )
    if end_row and not row:
        top, bottom = 1, int(end_row)
    if end_column and not column:
        left, right = 1, column_index(end_column) + 1
    return Box(top - 1, left - 1, bottom, right)


def _ordered(top: int, left: int, bottom: int, right: int) -> Box | None:
    if not (top and left and bottom and right):
        return None
    return Box(min(top, bottom) - 1, min(left, right) - 1, max(top, bottom), max(left, right))


def read(text: str) -> Reference:
    """Splits a range text into sheet and rectangle; refuses what cannot be either."""
    if text.startswith("'"):
        found = re.fullmatch(r"'((?:[^']|'')*)'(?:!(.*))?", text, re.DOTALL)
        if not found:
            raise RefusedError(f"Unable to parse range: {text}")
        title = found[1].replace("''", "'")
        if found[2] is None:
            return Reference(title, ALL, prefix=f"'{found[1]}'")
        box = read_box(found[2])
        if box is None:
            return Reference(title, None, found[2], f"'{found[1]}'")
        return Reference(title, box, prefix=f"'{found[1]}'")
    title, mark, rest = text.rpartition("!")
    if mark:
        box = read_box(rest)
        return Reference(title, box, "" if box else rest, title)
    box = read_box(text)
    return Reference(None, box, "" if box else text)


def write_box(box: Box) -> str:
    """`B2:D5`, `A1001:B` (open downwards), `AA1:2` (open to the right), `C3` for one cell."""
    start = f"{column_name(box.left)}{box.top + 1}"
    if box.bottom is None and box.right is None:
        return f"{start}:{column_name(MAX_COLUMNS - 1)}"
    end = ("" if box.right is None else column_name(max(box.right, box.left + 1) - 1)) + (
        "" if box.bottom is None else str(max(box.bottom, box.top + 1))
    )
    return start if start == end else f"{start}:{end}"


def write(title: str, box: Box) -> str:
    return f"{quoted(title)}!{write_box(box)}"


def box_of(grid_range: dict[str, Any]) -> Box:
    """The rectangle of a GridRange; a missing end is open."""
    return Box(
        grid_range.get("startRowIndex", 0),
        grid_range.get("startColumnIndex", 0),
        grid_range.get("endRowIndex"),
        grid_range.get("endColumnIndex"),
    )


def grid_range(sheet_id: int, box: Box) -> dict[str, Any]:
    """A GridRange as the service writes it: sheet 0 goes without saying, open ends too."""
    out: dict[str, Any] = {"sheetId": sheet_id} if sheet_id else {}
    out["startRowIndex"] = box.top
    if box.bottom is not None:
        out["endRowIndex"] = box.bottom
    out["startColumnIndex"] = box.left
    if box.right is not None:
        out["endColumnIndex"] = box.right
    return out
