"""From the cells as they lie to the cells as they shall stand: the fewest values that must be sent.

Promises: a text stays a text, whatever it looks like; no formula is ever made; of a master's column only cells whose
text differs are sent, and a value that moves within such a column keeps its type. Refuses to know: looks and rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Block(NamedTuple):
    """Values for a rectangle, whose first cell is at `row`, `column` counted from 1."""

    row: int
    column: int
    rows: list[list[Json]]


def write_cells(tab: Tab, grid: Grid, look: SheetLook) -> list[Json]:
    """The requests that make the tab show `grid`: the cells that differ, and parted merges where these lie."""
    changes = _find_changes(tab.grid, grid)
    if not changes:
        return []
    places = {(row, column) for row, columns in changes.items() for column in columns}
    requests: list[Json] = [
        {"unmergeCells": {"range": merge}} for merge in tab.merges if _covers_any(merge, places)
    ]
    blocks = _gather_blocks(_find_runs(changes, tab.grid, grid, look), _ValueMaker(tab, grid, look))
    requests += [_update(tab.sheet_id, part) for block in blocks for part in _split_block(block)]
    return requests


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


def _find_runs(
    changes: Mapping[int, Sequence[int]], present: Grid, wanted: Grid, look: SheetLook
) -> Iterator[tuple[int, int, int]]:
    """Row, first and last column of neighbouring cells that change.

    In a row that is wholly new the machine's blank cells go along: rows of one shape then make one rectangle.
    """
    table = lay_table(wanted, look)
    machine = {number for number, column in list_columns(look, table) if column.owner != "master"}
    for row, columns in sorted(changes.items()):
        new = row > max(len(present), table.header_row)
        first = last = 0
        for column in sorted({*columns, *machine} if new else columns):
            if column != last + 1 or not first:
                if first:
                    yield row, first, last
                first = column
            last = column
        if first:
            yield row, first, last


class _ValueMaker:
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
        # The format keeps "=1+1" and "0123" texts when a human edits the cell.
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


def _gather_blocks(runs: Iterable[tuple[int, int, int]], make: _ValueMaker) -> list[Block]:
    """Runs that lie under each other make one rectangle."""
    blocks: list[Block] = []
    growing: dict[tuple[int, int], Block] = {}
    for row, first, last in runs:
        values = [make(row, column) for column in range(first, last + 1)]
        block = growing.get((first, last))
        if block is None or block.row + len(block.rows) != row:
            block = Block(row, first, [])
            growing[first, last] = block
            blocks.append(block)
        block.rows.append(values)
    return blocks


def _split_block(block: Block) -> Iterator[Block]:
    """Parts that each fit one call; a row that does not is sent cell by cell."""
    start, room, rows = block.row, PIECE // 2, list[list[Json]]()
    for row, values in enumerate(block.rows, block.row):
        size = len(json.dumps(values)) + 20
        if size > room and rows:
            yield Block(start, block.column, rows)
            start, room, rows = row, PIECE // 2, []
        if size > PIECE // 2:
            yield from (Block(row, block.column + n, [[value]]) for n, value in enumerate(values))
            start = row + 1
            continue
        rows.append(values)
        room -= size
    if rows:
        yield Block(start, block.column, rows)


def _update(sheet_id: int, block: Block) -> Json:
    start = {"sheetId": sheet_id, "rowIndex": block.row - 1, "columnIndex": block.column - 1}
    rows = [{"values": values} for values in block.rows]
    return {"updateCells": {"start": start, "rows": rows, "fields": _FIELDS}}


def _covers_any(merge: Json, places: set[Place]) -> bool:
    rows = range(merge.get("startRowIndex", 0) + 1, merge.get("endRowIndex", 0) + 1)
    columns = range(merge.get("startColumnIndex", 0) + 1, merge.get("endColumnIndex", 0) + 1)
    return any(row in rows and column in columns for row, column in places)
