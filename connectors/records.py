"""The rows of an export, before anybody knows what their columns mean.

Promises: a row keeps its number and its texts; what a sheet no longer holds as a text is marked. Refuses to know: what
any cell means.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from connectors.base import NoText
from rules.frames import Grid


class Record(NamedTuple):
    """One row of an export, numbered as a spreadsheet numbers its rows; `typed` are its cells that hold no text."""

    number: int
    cells: list[str]
    typed: Mapping[int, str] = MappingProxyType({})


def lay_records(grid: Grid, typed: Mapping[tuple[int, int], NoText]) -> list[Record]:
    """The rows of a sheet that are not blank, with times to their last digit."""
    kinds: dict[int, dict[int, str]] = {}
    rows = [list(cells) for cells in grid]
    for (row, column), cell in typed.items():
        if row <= len(rows) and column <= len(rows[row - 1]):
            kinds.setdefault(row, {})[column - 1] = cell.kind
            if cell.kind == "time":
                rows[row - 1][column - 1] = cell.text
    return [
        Record(number, cells, kinds.get(number, {}))
        for number, cells in enumerate(rows, start=1)
        if any(cell.strip() for cell in cells)
    ]
