"""values.append: where the table in a range ends, and rows after it."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import a1, moving, protection, writing
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS, Sheet
from tests.google_emulator.sheets.context import Context, hold_start

Options = dict[str, Any]


def tables_in(sheet: Sheet) -> list[Box]:
    """Blocks of cells with values, each as far as neighbours reach, corner to corner included."""
    open_places = {
        (row, column)
        for row, line in sheet.cells.items()
        for column, cell in line.items()
        if cell.value is not None
    }
    found = []
    while open_places:
        first = open_places.pop()
        waiting = [first]
        top, left, bottom, right = first[0], first[1], first[0], first[1]
        while waiting:
            row, column = waiting.pop()
            top, left, bottom, right = min(top, row), min(left, column), max(bottom, row), max(right, column)
            for down in (-1, 0, 1):
                for along in (-1, 0, 1):
                    place = (row + down, column + along)
                    if place in open_places:
                        open_places.remove(place)
                        waiting.append(place)
        found.append(Box(top, left, bottom + 1, right + 1))
    return found


def table_in(sheet: Sheet, box: Box) -> Box | None:
    """The last table that the range touches: the lowest, and of those the one furthest to the right."""
    box = sheet.clip(box)
    met = [table for table in tables_in(sheet) if table.meets(box)]
    return max(met, key=lambda table: (table.bottom, table.right), default=None)


def append(context: Context, params: Options, body: Options) -> dict[str, Any]:
    option = writing.how(params.get("valueInputOption"))
    sheet, box = context.find(params["range"])
    hold_start(sheet, box)
    table = table_in(sheet, box)
    lines = writing.by_rows(body)
    start = Box(table.bottom or 0, table.left) if table else Box(box.top, box.left)
    if params.get("insertDataOption") == "INSERT_ROWS" and lines:
        protection.hold(context, sheet, [Box(start.top, 0, start.top + 1, None)])
        moving.insert(context.book, sheet, ROWS, min(start.top, sheet.rows), len(lines), start.top > 0)
    written = writing.put(context, sheet, start, lines, option)
    out: dict[str, Any] = {"spreadsheetId": context.file.id}
    if table:
        out["tableRange"] = a1.write(sheet.title, table)
    out["updates"] = writing.report(context, written, params, body.get("majorDimension") or ROWS)
    return out
