"""The rows of a tab by their keys, wherever a human has moved them.

Promises: a row is known by the text in its key cell, a column by its header; nothing here goes by a position that was
read earlier. Refuses to know: what a key stands for, and how anything is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from connectors.base import SheetLook
from rules.frames import Grid

_DEPTH = 12
"""How many rows from the top a header is looked for: one more than a line that the machine puts above it may need."""


class Lines(NamedTuple):
    """Counted from 0: where the header stands, the first column of each header, the rows of each key in their order.

    `width` is that of the widest row.
    """

    grid: Grid
    header_row: int
    columns: Mapping[str, int]
    rows: Mapping[str, tuple[int, ...]]
    width: int

    def text(self, row: int, header: str) -> str:
        column = self.columns.get(header, -1)
        cells = self.grid[row] if 0 <= row < len(self.grid) else []
        return cells[column] if 0 <= column < len(cells) else ""

    def cell(self, row: int, column: int) -> str:
        cells = self.grid[row] if 0 <= row < len(self.grid) else []
        return cells[column] if column < len(cells) else ""

    def order(self) -> list[str]:
        """The keys by the first row of each, from the top."""
        return sorted(self.rows, key=lambda key: self.rows[key][0])

    def others(self, row: int, leave: Sequence[str]) -> dict[int, str]:
        """What stands in a row outside the columns of the headers `leave`, by column."""
        left = {self.columns[header] for header in leave if header in self.columns}
        cells = self.grid[row] if row < len(self.grid) else []
        return {n: text for n, text in enumerate(cells) if text.strip() and n not in left}


def key_header(look: SheetLook) -> str:
    """The header of the key column; "" where rows have none."""
    return next((column.header for column in look.columns if column.owner == "key"), "")


def machine_headers(look: SheetLook) -> list[str]:
    return [column.header for column in look.columns if column.owner == "machine"]


def master_headers(look: SheetLook) -> list[str]:
    return [column.header for column in look.columns if column.owner == "master"]


def find_lines(
    grid: Grid, look: SheetLook, header_row: int | None = None, depth: int = _DEPTH
) -> Lines | None:
    """The rows of a grid; None where none of the first `depth` rows is the header of this look."""
    known = {column.header for column in look.columns}
    if header_row is None:
        header_row = _find_header(grid[:depth], known, key_header(look))
    if header_row is None or header_row >= len(grid):
        return None
    columns: dict[str, int] = {}
    for number, cell in enumerate(grid[header_row]):
        columns.setdefault(cell.strip(), number)
    columns = {header: number for header, number in columns.items() if header in known}
    rows: dict[str, tuple[int, ...]] = {}
    place = columns.get(key_header(look), -1)
    for row in range(header_row + 1, len(grid)):
        key = grid[row][place].strip() if 0 <= place < len(grid[row]) else ""
        if key:
            rows[key] = (*rows.get(key, ()), row)
    return Lines(grid, header_row, columns, rows, max((len(cells) for cells in grid), default=0))


def _find_header(grid: Grid, known: set[str], key: str) -> int | None:
    best, most = None, 0
    for row, cells in enumerate(grid):
        shown = {cell.strip() for cell in cells}
        count = len(shown & known)
        if count > most and (not key or key in shown):
            best, most = row, count
    return best
