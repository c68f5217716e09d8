"""Giving back what a write took when a human moved columns in the moment between our reading and our writing.

Promises: cells that were not the machine's get what stood there when they were read; a key is given back only to a row
that is otherwise the same. Refuses to know: rows, which are known by their keys and need no mending.

Google addresses cells by number and knows no condition for a write. So a column that comes or goes in that moment makes
a write land beside its column; the answer to the write shows it, and this is the cure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from connectors.base import SheetWrite
from connectors.google_book import Json, Place, Present, Tab
from connectors.google_cells import Changes, text_value, update_cells
from connectors.google_lines import Lines, find_lines, key_header, machine_headers
from connectors.google_plan import Plan


def mend_columns(before: Present, after: Present, sent: Plan, sheets: Sequence[SheetWrite]) -> Plan:
    """What gives back the cells that `sent`, planned for `before`, hit where it was not meant to."""
    requests: list[Json] = []
    touched = []
    for sheet in sheets:
        old, new = before.tabs.get(sheet.title), after.tabs.get(sheet.title)
        if old is None or new is None or not key_header(sheet.look):
            continue
        changes = _mend_tab(old, new, _list_hits(sent, old.sheet_id), sheet)
        if changes.cells:
            requests += update_cells(new, changes)
            touched.append(sheet.title)
    return Plan(requests, tuple(touched))


def _list_hits(sent: Plan, sheet_id: int) -> Iterator[Place]:
    """Row and column, counted from 0, of every cell that was set."""
    for request in sent.requests:
        update = request.get("updateCells")
        if update and update["start"]["sheetId"] == sheet_id:
            top, left = update["start"]["rowIndex"], update["start"]["columnIndex"]
            for row, cells in enumerate(update["rows"], top):
                for column in range(left, left + len(cells["values"])):
                    yield row, column


def _mend_tab(old: Tab, new: Tab, hits: Iterator[Place], sheet: SheetWrite) -> Changes:
    changes = Changes()
    had, has = find_lines(old.grid, sheet.look), find_lines(new.grid, sheet.look)
    if had is None or has is None or _heads(had) == _heads(has):
        return changes
    columns_before, heads = _places(_heads(had)), _heads(has)
    ours = set(machine_headers(sheet.look))
    key = key_header(sheet.look)
    moved = has.header_row - had.header_row
    by_row = {row: name for name, rows in has.rows.items() for row in rows}
    for row, column in hits:
        head = heads[column] if column < len(heads) else ""
        if row <= has.header_row or head in ours:
            continue
        came = had.rows.get(by_row.get(row, ""), (row - moved,))[0]
        if head == key and not _is_same_row(had, has, came, row, ours | {key}):
            continue
        source = columns_before.get(head)
        text = had.cell(came, source) if source is not None else ""
        if has.cell(row, column) != text:
            changes.put(row, column, _value(old, (came, source), text))
    return changes


def _heads(lines: Lines) -> list[str]:
    return [cell.strip() for cell in lines.grid[lines.header_row]]


def _places(heads: Sequence[str]) -> Mapping[str, int]:
    places: dict[str, int] = {}
    for column, head in enumerate(heads):
        if head:
            places.setdefault(head, column)
    return places


def _is_same_row(had: Lines, has: Lines, before: int, after: int, leave: set[str]) -> bool:
    """Whether all that is not the machine's stands in both rows."""
    shared = (had.columns.keys() & has.columns.keys()) - leave
    return all(had.text(before, header) == has.text(after, header) for header in shared)


def _value(tab: Tab, place: tuple[int, int | None], text: str) -> Json:
    row, column = place
    typed = tab.typed.get((row + 1, column + 1)) if column is not None else None
    if typed is None:
        return text_value(text)
    if typed.formula:
        return {"userEnteredValue": {"formulaValue": typed.formula}}
    return {
        "userEnteredValue": typed.value,
        "userEnteredFormat": {"numberFormat": typed.number_format},
    }
