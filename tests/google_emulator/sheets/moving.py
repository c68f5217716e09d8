"""Rows and columns come, leave and move, and blocks of cells with them; what refers to them follows."""

from __future__ import annotations

from collections.abc import Callable

from tests.google_emulator.sheets import following
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import COLUMNS, EMPTY, ROWS, Book, Cell, Sheet
from tests.google_emulator.sheets.placing import Carry, Delete, Insert, Move, Shift


def insert(book: Book, sheet: Sheet, dimension: str, at: int, count: int, inherit_before: bool) -> None:
    """New lines, which look like the line before or after them."""
    sheet.resize(dimension, sheet.size(dimension) + count)
    book.hold_limit()
    _lines(book, sheet, dimension, Shift(dimension, Insert(at, count)))
    pattern = at - 1 if inherit_before else at + count
    if 0 <= pattern < sheet.size(dimension) and count:
        _inherit(sheet, dimension, at, count, pattern)


def _inherit(sheet: Sheet, dimension: str, at: int, count: int, pattern: int) -> None:
    line = sheet.lines[dimension].get(pattern, {})
    looks = {name: line[name] for name in ("pixelSize",) if name in line}
    for index in range(at, at + count):
        if looks:
            sheet.lines[dimension][index] = dict(looks)
    if dimension == ROWS:
        found = [(column, cell) for column, cell in sheet.cells.get(pattern, {}).items() if cell.format]
        places = [(row, column, cell) for row in range(at, at + count) for column, cell in found]
    else:
        rows = [(row, line[pattern]) for row, line in sheet.cells.items() if pattern in line]
        places = [
            (row, column, cell) for column in range(at, at + count) for row, cell in rows if cell.format
        ]
    for row, column, cell in places:
        sheet.put(row, column, Cell(format=cell.format, validation=cell.validation))


def delete(book: Book, sheet: Sheet, dimension: str, start: int, end: int) -> None:
    sheet.resize(dimension, sheet.size(dimension) - (end - start))
    name = "frozenRowCount" if dimension == ROWS else "frozenColumnCount"
    frozen = sheet.grid.get(name, 0)
    if frozen > start:
        sheet.grid[name] = max(frozen - (min(end, frozen) - start), 0)
        if not sheet.grid[name]:
            del sheet.grid[name]
    _lines(book, sheet, dimension, Shift(dimension, Delete(start, end)))


def move(book: Book, sheet: Sheet, dimension: str, start: int, end: int, to: int) -> None:
    _lines(book, sheet, dimension, Shift(dimension, Move(start, end, to)))


def truncate(book: Book, sheet: Sheet, dimension: str, size: int) -> None:
    """A grid made smaller from its end."""
    if size < sheet.size(dimension):
        delete(book, sheet, dimension, size, sheet.size(dimension))
    else:
        sheet.resize(dimension, size)
        book.hold_limit()


def _lines(book: Book, sheet: Sheet, dimension: str, place: Shift) -> None:
    new = _line_mapper(place)
    if dimension == ROWS:
        moved = {new(row): line for row, line in sheet.cells.items()}
        sheet.cells = {row: line for row, line in moved.items() if row is not None}
    else:
        for row, line in list(sheet.cells.items()):
            kept = {new(column): cell for column, cell in line.items()}
            kept.pop(None, None)
            sheet.cells[row] = {column: cell for column, cell in kept.items() if column is not None}
            if not sheet.cells[row]:
                del sheet.cells[row]
    props = {new(at): line for at, line in sheet.lines[dimension].items()}
    sheet.lines[dimension] = {at: line for at, line in props.items() if at is not None}
    following.follow(book, sheet, place)
    following.follow_lines(book, sheet, dimension, place)


def _line_mapper(place: Shift) -> Callable[[int], int | None]:
    def new(index: int) -> int | None:
        span = place.change.span(index, index + 1)
        return span[0] if span else None

    return new


def push(book: Book, sheet: Sheet, box: Box, dimension: str) -> None:
    """Blank cells at `box`; what was there and beyond moves down or to the right, the grid growing if need be."""
    box = sheet.clip(box)
    by_rows = dimension == ROWS
    count, at = (box.height, box.top) if by_rows else (box.width, box.left)
    low, high = (box.left, box.right) if by_rows else (box.top, box.bottom)
    beyond = Box(box.top, box.left, None, box.right) if by_rows else Box(box.top, box.left, box.bottom, None)
    last = max((row if by_rows else column for row, column, _ in sheet.inside(beyond)), default=at - 1)
    if last >= at and last + count >= sheet.size(dimension):
        sheet.resize(dimension, last + count + 1)
        book.hold_limit()
    _carry(sheet, beyond, count if by_rows else 0, 0 if by_rows else count)
    following.follow(book, sheet, Shift(dimension, Insert(at, count), low, high))


def pull(book: Book, sheet: Sheet, box: Box, dimension: str) -> None:
    """The cells of `box` go; what was below or to the right takes their place."""
    box = sheet.clip(box)
    by_rows = dimension == ROWS
    start, end = (box.top, box.bottom or 0) if by_rows else (box.left, box.right or 0)
    low, high = (box.left, box.right) if by_rows else (box.top, box.bottom)
    for row, column, _ in list(sheet.inside(box)):
        sheet.put(row, column, EMPTY)
    rest = Box(end, box.left, None, box.right) if by_rows else Box(box.top, end, box.bottom, None)
    count = end - start
    _carry(sheet, rest, -count if by_rows else 0, 0 if by_rows else -count)
    following.follow(book, sheet, Shift(dimension, Delete(start, end), low, high))


def _carry(sheet: Sheet, box: Box, down: int, right: int) -> None:
    found = list(sheet.inside(box))
    for row, column, _ in found:
        sheet.put(row, column, EMPTY)
    for row, column, cell in found:
        sheet.put(row + down, column + right, cell)


def carry_refs(book: Book, sheet: Sheet, source: Box, down: int, right: int) -> None:
    """After a cut within one sheet: what referred to the cut cells refers to their new place."""
    following.follow(book, sheet, Carry(source, down, right))


__all__ = ["COLUMNS", "ROWS", "carry_refs", "delete", "insert", "move", "pull", "push", "truncate"]
