"""The machine's one line above the header of a tab.

Promises: it is found again wherever the rows above the header went, and no note of a human gives way to it. Refuses
to know: what it says.
"""

from __future__ import annotations

from typing import NamedTuple

from pipeline.desk_sheet import HEADER_DEPTH, put_cell
from rules.frames import Grid

BANNER_MARK = "Saitei: "
"""How the machine knows its own line above the header again."""


class Told(NamedTuple):
    """The sheet with the line, where its header now stands, and whether there was such a line."""

    grid: Grid
    header_row: int
    was_there: bool


def set_banner(sheet: Grid, header_row: int, text: str) -> Told:
    """Renew the machine's line above the header, found by its mark; make a line for it where there is none free.

    Should a line have come in above it just when it was written, there are two: the upper one stays."""
    marked = [
        (row, index)
        for row in sheet[:header_row]
        for index, cell in enumerate(row)
        if cell.startswith(BANNER_MARK)
    ]
    for number, (row, index) in enumerate(marked):
        row[index] = "" if number else BANNER_MARK + text
    if marked:
        return Told(sheet, header_row, True)
    for row in sheet[:header_row]:
        if not row or row[0] == "":
            put_cell(row, 0, BANNER_MARK + text)
            return Told(sheet, header_row, False)
    if header_row + 1 >= HEADER_DEPTH:
        return Told(sheet, header_row, True)
    return Told([[BANNER_MARK + text], *sheet], header_row + 1, False)
