"""Cells of a loaded workbook: setting texts, and leaving alone what stays.

Promises: a text stays a text whatever it looks like; a cell is touched only if its text changes. Refuses to know:
files, looks, and who owns which column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.styles.numbers import is_date_format
from openpyxl.worksheet.worksheet import Worksheet

from connectors.xlsx_text import cell_text, escape_text, number_from
from rules.frames import Grid

_TEXT_FORMAT = "@"
_PREFIXED = ("=", "+", "-", "@", "'")
"""First characters that a spreadsheet takes for the start of a formula, or eats, as soon as somebody edits the cell."""


def read_cell(grid: Grid, row: int, column: int) -> str:
    """Return the text at a place counted from 1, "" outside of the grid."""
    cells = grid[row - 1] if row <= len(grid) else []
    return cells[column - 1] if column <= len(cells) else ""


def trim_grid(grid: Grid) -> Grid:
    """Return the grid without blank cells at the end of rows and blank rows at the end."""
    rows = [cells[: max((n for n, text in enumerate(cells, 1) if text), default=0)] for cells in grid]
    return rows[: max((n for n, cells in enumerate(rows, 1) if cells), default=0)]


def put_text(cell: Cell, text: str, number: bool = False) -> None:
    """Set a cell to a text, or to a number if it may be one and nothing of the text is lost by it."""
    cell.hyperlink = None
    value = number_from(text) if number else None
    if value is not None:
        cell.value, cell.number_format, cell.quotePrefix = value, "General", False
        return
    cell.value = escape_text(text) or None
    if text:
        # The library takes "=1+1" for a formula and "#N/A" for an error; here every text is one.
        cell.data_type = "s"
    cell.number_format = _TEXT_FORMAT if text else "General"
    cell.quotePrefix = text.startswith(_PREFIXED)


def put_grid(worksheet: Worksheet, present: Grid, wanted: Grid, numbers: Mapping[int, bool]) -> list[int]:
    """Make the sheet show `wanted`; return the rows in which something changed, counted from 1."""
    changed = []
    width = max((len(cells) for grid in (present, wanted) for cells in grid), default=0)
    for row in range(1, max(len(present), len(wanted)) + 1):
        places = [
            column
            for column in range(1, width + 1)
            if read_cell(present, row, column) != read_cell(wanted, row, column)
        ]
        for column in places:
            put_text(
                _free_cell(worksheet, row, column), read_cell(wanted, row, column), numbers.get(column, False)
            )
        if places:
            changed.append(row)
    return changed


def keep_texts(worksheet: Worksheet, grid: Grid) -> None:
    """Mend what loading and saving with openpyxl would change in cells nobody asked to change.

    It drops escapes from texts and cannot hold some dates; after this, each cell reads as it did before.
    """
    for row, cells in enumerate(grid, 1):
        for column, text in enumerate(cells, 1):
            cell = worksheet.cell(row, column)
            if not text or cell.data_type == "f" or isinstance(cell, MergedCell):
                continue
            if isinstance(cell.value, str) or cell.data_type == "s":
                same = str(cell.value) == escape_text(text)
            else:
                same = cell_text(cell.value) == text
            if not same:
                cell.value = escape_text(text)
                cell.data_type = "s"
            elif cell.data_type == "d" and not is_date_format(cell.number_format):
                cell.number_format = "yyyy-mm-dd hh:mm:ss"


def _free_cell(worksheet: Worksheet, row: int, column: int) -> Cell:
    """Return the cell itself; where somebody merged cells over a place of ours, they are parted first."""
    cell = worksheet.cell(row, column)
    if isinstance(cell, MergedCell):
        # Parting puts a cell of its own in each place.
        for area in list(worksheet.merged_cells.ranges):
            if cell.coordinate in area:
                worksheet.unmerge_cells(area.coord)
    return cast(Cell, worksheet.cell(row, column))
