"""From the cells as they lie to the cells as they shall stand: the fewest values that must be sent.

Promises: a text stays a text, whatever it looks like; no formula is ever made; of a master's column only cells whose
text differs are sent, and a value that moves within such a column keeps its type. Refuses to know: looks and rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from connectors.base import SheetLook
from connectors.google_book import Json, Place, Tab, TypedCell
from connectors.xlsx_cells import read_cell
from connectors.xlsx_look import Table, lay_table, list_columns
from connectors.xlsx_text import number_from
from rules.frames import Grid

PIECE = 1_800_000
"""Bytes of one request as it is sent; Google advises to stay under 2 MB."""

_FIELDS = "userEnteredValue,userEnteredFormat.numberFormat"
APPENDED = "userEnteredValue,userEnteredFormat,dataValidation"


class Block(NamedTuple):
    """Values for a rectangle, whose first cell is at `row`, `column` counted from 0."""

    row: int
    column: int
    rows: list[list[Json]]


class Changes:
    """Cells to be set, by row and column counted from 0; the last word about a cell is the one that stands."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], Json] = {}

    def put(self, row: int, column: int, value: Json) -> None:
        self.cells[row, column] = value

    def blocks(self) -> list[Block]:
        """Neighbouring cells as rectangles: runs of one width that lie under each other make one."""
        blocks: list[Block] = []
        growing: dict[tuple[int, int], Block] = {}
        for row, first, values in self._runs():
            shape = first, len(values)
            block = growing.get(shape)
            if block is None or block.row + len(block.rows) != row:
                block = Block(row, first, [])
                growing[shape] = block
                blocks.append(block)
            block.rows.append(values)
        return blocks

    def _runs(self) -> Iterator[tuple[int, int, list[Json]]]:
        run: list[Json] = []
        start = (-1, -1)
        for row, column in sorted(self.cells):
            if run and (row, column) != (start[0], start[1] + len(run)):
                yield *start, run
                run = []
            if not run:
                start = row, column
            run.append(self.cells[row, column])
        if run:
            yield *start, run


def update_cells(tab: Tab, changes: Changes, shift: int = 0) -> list[Json]:
    """The requests that set cells, and part merges where these lie; `shift` is how many rows all have moved down."""
    places = {(row + 1, column + 1) for row, column in changes.cells}
    requests: list[Json] = [
        {"unmergeCells": {"range": moved(merge, shift)}} for merge in tab.merges if _covers_any(merge, places)
    ]
    for block in changes.blocks():
        lower = block._replace(row=block.row + shift)
        requests += [_update(tab.sheet_id, part) for part in _split_block(lower)]
    return requests


def append_rows(sheet_id: int, rows: Sequence[list[Json]]) -> list[Json]:
    """The requests that add rows after the last one that holds anything, in parts that each fit one call."""
    parts = _split_block(Block(0, 0, list(rows)), whole=True)
    return [
        {
            "appendCells": {
                "sheetId": sheet_id,
                "rows": [{"values": values} for values in part.rows],
                "fields": APPENDED,
            }
        }
        for part in parts
    ]


def fill_rows(tab: Tab, grid: Grid, look: SheetLook) -> list[Json]:
    """The requests that fill a tab in which nothing stands, in parts of whole rows: should only some of them arrive,
    a row is there or it is not."""
    make = ValueMaker(tab, grid, look)
    width = max((len(cells) for cells in grid), default=0)
    rows = [[make(row, column) for column in range(1, width + 1)] for row in range(1, len(grid) + 1)]
    return [_update(tab.sheet_id, part) for part in _split_block(Block(0, 0, rows), whole=True)]


def write_cells(tab: Tab, grid: Grid, look: SheetLook) -> list[Json]:
    """The requests that make a tab that is the machine's alone show `grid`: the cells that differ."""
    make, changes = ValueMaker(tab, grid, look), Changes()
    table = lay_table(grid, look)
    machine = {number for number, column in list_columns(look, table) if column.owner != "master"}
    for row, columns in _find_changes(tab.grid, grid).items():
        # In a row that is wholly new the machine's blank cells go along: rows of one shape make one rectangle.
        new = row > max(len(tab.grid), table.header_row)
        for column in {*columns, *machine} if new else columns:
            changes.put(row - 1, column - 1, make(row, column))
    return update_cells(tab, changes)


def measure(request: Json) -> int:
    """Bytes of a request in the encoding that the client uses."""
    return len(json.dumps(request))


def cut_pieces(requests: Sequence[Json]) -> list[list[Json]]:
    """Requests in their order, in as few calls as the limit allows."""
    pieces: list[list[Json]] = []
    room = 0
    for request in requests:
        size = measure(request) + 2
        if size > room:
            pieces.append([])
            room = PIECE
        pieces[-1].append(request)
        room -= size
    return pieces


def _find_changes(present: Grid, wanted: Grid) -> dict[int, list[int]]:
    changes = {}
    for row in range(1, max(len(present), len(wanted)) + 1):
        old = present[row - 1] if row <= len(present) else []
        new = wanted[row - 1] if row <= len(wanted) else []
        if old != new:
            width = range(1, max(len(old), len(new)) + 1)
            changes[row] = [n for n in width if read_cell([old], 1, n) != read_cell([new], 1, n)]
    return changes


class ValueMaker:
    """Makes the value of a place: the number, the text, or what a master had typed as that text."""

    def __init__(self, tab: Tab, grid: Grid, look: SheetLook) -> None:
        self.grid = grid
        table, old = lay_table(grid, look), lay_table(tab.grid, look)
        columns = dict(list_columns(look, table))
        self.numbers = {number for number, column in columns.items() if column.kind == "number"}
        self.machine = {number for number, column in columns.items() if column.owner != "master"}
        self.headers = table.headers
        self.kept = _typed_texts(tab, old)

    def __call__(self, row: int, column: int) -> Json:
        text = read_cell(self.grid, row, column)
        if not text:
            return {}
        if column not in self.machine:
            header = self.headers[column - 1] if column <= len(self.headers) else ""
            typed = self.kept.get((header, text))
            if typed is not None:
                shape = (
                    {"userEnteredFormat": {"numberFormat": typed.number_format}}
                    if typed.number_format
                    else {}
                )
                return {"userEnteredValue": typed.value, **shape}
        number = number_from(text) if column in self.numbers else None
        if number is not None:
            return {"userEnteredValue": {"numberValue": number}}
        return text_value(text)


def text_value(text: str) -> Json:
    """A cell that holds a text. The format keeps "=1+1" and "0123" texts when a human edits the cell."""
    if not text:
        return {}
    return {
        "userEnteredValue": {"stringValue": text},
        "userEnteredFormat": {"numberFormat": {"type": "TEXT"}},
    }


def _typed_texts(tab: Tab, table: Table) -> dict[tuple[str, str], TypedCell]:
    """Under which header and as which text each kind of typed value stands."""
    kept: dict[tuple[str, str], TypedCell] = {}
    for (row, column), cell in tab.typed.items():
        if row > table.header_row and column <= len(table.headers):
            if "numberValue" in cell.value or "boolValue" in cell.value:
                kept.setdefault((table.headers[column - 1], read_cell(tab.grid, row, column)), cell)
    return kept


def _split_block(block: Block, whole: bool = False) -> Iterator[Block]:
    """Parts that each fit one call; a row that does not is sent cell by cell, unless rows are to stay `whole`."""
    start, room, rows = block.row, PIECE // 2, list[list[Json]]()
    for row, values in enumerate(block.rows, block.row):
        size = len(json.dumps(values)) + 20
        if size > room and rows:
            yield Block(start, block.column, rows)
            start, room, rows = row, PIECE // 2, []
        if size > PIECE // 2 and not whole:
            yield from (Block(row, block.column + n, [[value]]) for n, value in enumerate(values))
            start = row + 1
            continue
        rows.append(values)
        room -= size
    if rows:
        yield Block(start, block.column, rows)


def _update(sheet_id: int, block: Block) -> Json:
    start = {"sheetId": sheet_id, "rowIndex": block.row, "columnIndex": block.column}
    rows = [{"values": values} for values in block.rows]
    return {"updateCells": {"start": start, "rows": rows, "fields": _FIELDS}}


def moved(merge: Json, rows: int) -> Json:
    """A range that many rows lower."""
    ends: Json = {name: merge[name] + rows for name in ("startRowIndex", "endRowIndex") if name in merge}
    return {**merge, **ends}


def _covers_any(merge: Json, places: set[Place]) -> bool:
    rows = range(merge.get("startRowIndex", 0) + 1, merge.get("endRowIndex", 0) + 1)
    columns = range(merge.get("startColumnIndex", 0) + 1, merge.get("endColumnIndex", 0) + 1)
    return any(row in rows and column in columns for row, column in places)
