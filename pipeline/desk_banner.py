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


BEAT_MARK = "確認済 "
"""How the machine knows again where it said when it last looked and found nothing new."""
_BEAT_COLUMNS = 3
"""How far right of its line: under the reasons, which are wide."""


def read_beat(sheet: Grid) -> str:
    """When the machine last said that it found nothing new; "" where it never did."""
    return next(
        (
            cell.removeprefix(BEAT_MARK)
            for row in sheet[:HEADER_DEPTH]
            for cell in row
            if cell.startswith(BEAT_MARK)
        ),
        "",
    )


def set_beat(sheet: Grid, text: str) -> Grid | None:
    """The sheet with that cell renewed, beside the machine's line; None where there is no line or a human's word."""
    beaten = [list(row) for row in sheet]
    for row in beaten[:HEADER_DEPTH]:
        for index, cell in enumerate(row):
            if cell.startswith(BANNER_MARK):
                place = index + _BEAT_COLUMNS
                stood = row[place] if place < len(row) else ""
                if stood and not stood.startswith(BEAT_MARK):
                    return None
                put_cell(row, place, BEAT_MARK + text)
                return beaten
    return None
