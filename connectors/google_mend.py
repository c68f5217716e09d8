"""Giving back what a write took when a human moved columns, or the header, between our reading and our writing.

Promises: a cell that is not the machine's and now holds what the machine sent gets what stood there when it was read; a
key is given back only to a row that says the same as the one that lost it; a header that was sorted in among the rows
comes back above them; what was sent to a row that had gone does not stay behind without a key. Refuses to know: rows
that only moved, which are known by their keys and need no mending.

Google addresses cells by number and knows no condition for a write. So a column or a line on top that comes or goes in
that moment makes a write land beside its place; the answer to the write shows it, and this is the cure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from connectors.base import SheetWrite
from connectors.google_book import Json, Present, Tab
from connectors.google_cells import Changes, text_value, update_cells
from connectors.google_lines import Lines, find_lines, key_header, machine_headers
from connectors.google_plan import Plan


def mend_tabs(before: Present, after: Present, sent: Plan, sheets: Sequence[SheetWrite]) -> Plan:
    """What gives back the cells and the headers that `sent`, planned for `before`, put where they do not belong."""
    requests: list[Json] = []
    touched = []
    for sheet in sheets:
        old, new = before.tabs.get(sheet.title), after.tabs.get(sheet.title)
        if old is None or new is None or not key_header(sheet.look):
            continue
        had, has = find_lines(old.grid, sheet.look), find_lines(new.grid, sheet.look, depth=len(new.grid))
        if had is None or has is None:
            continue
        changes = _mend_cells(old, had, has, _list_texts(sent, old.sheet_id), sheet)
        made = update_cells(new, changes) + _lift_header(sent, old.sheet_id, has)
        if made:
            requests += made
            touched.append(sheet.title)
    return Plan(requests, tuple(touched))


def _list_texts(sent: Plan, sheet_id: int) -> Mapping[int, set[str]]:
    """column, counted from 0 -> the texts and numbers that were sent into it."""
    found: dict[int, set[str]] = {}
    for request in sent.requests:
        update, added = request.get("updateCells", {}), request.get("appendCells", {})
        if sheet_id not in (update.get("start", {}).get("sheetId"), added.get("sheetId")):
            continue
        for row in update.get("rows", added.get("rows", [])):
            for column, cell in enumerate(row["values"], update.get("start", {}).get("columnIndex", 0)):
                value = cell.get("userEnteredValue", {})
                number = value.get("numberValue")
                text = value.get("stringValue", "" if number is None else f"{number:g}")
                found.setdefault(column, set()).add(text)
    return found


def _mend_cells(
    old: Tab, had: Lines, has: Lines, texts: Mapping[int, set[str]], sheet: SheetWrite
) -> Changes:
    changes = Changes()
    _mend_header(had, has, texts, changes)
    _mend_strays(had, has, texts, sheet, changes)
    heads_before, heads = _heads(had), _heads(has)
    want = find_lines(sheet.grid, sheet.look, sheet.look.header_row)
    if heads_before == heads or want is None:
        return changes
    ours, key = set(machine_headers(sheet.look)), key_header(sheet.look)
    names = {row: name for name, rows in has.rows.items() for row in rows}
    for row, came in _match_rows(had, has, want, ours | {key}).items():
        for column in range(max(len(heads), has.width)):
            head = heads[column] if column < len(heads) else ""
            source = heads_before.index(head) if head in heads_before and head else None
            made = head in want.columns and source is None
            if head in ours or (head == key and row in names):
                continue
            stands, value = has.cell(row, column), _value(old, came, source)
            if made or came is None:
                value = text_value(want.text(want.rows.get(names.get(row, ""), (-1,))[0], head))
            if _text(value, old, came, source) != stands and (made or stands in texts.get(column, ())):
                changes.put(row, column, value)
    return changes


def _mend_header(had: Lines, has: Lines, texts: Mapping[int, set[str]], changes: Changes) -> None:
    """The header itself was written over, when a line that came in above pushed it onto the first row."""
    before, now = _heads(had), _heads(has)
    for column, head in enumerate(before):
        stands = now[column] if column < len(now) else ""
        if head in had.columns and head not in now and stands in texts.get(column, ()):
            changes.put(has.header_row, column, text_value(head))


def _mend_strays(
    had: Lines, has: Lines, texts: Mapping[int, set[str]], sheet: SheetWrite, changes: Changes
) -> None:
    """What landed in a row that has no key, and that nobody had written so, is taken away again."""
    keyed = {row for rows in has.rows.values() for row in rows}
    stood = {tuple(had.grid[row]) for row in range(had.header_row + 1, len(had.grid))}
    for row in range(has.header_row + 1, len(has.grid)):
        if row in keyed or tuple(has.grid[row]) in stood:
            continue
        for header in machine_headers(sheet.look):
            column = has.columns.get(header)
            if column is not None and has.cell(row, column) in texts.get(column, set()) - {""}:
                changes.put(row, column, {})


def _heads(lines: Lines) -> list[str]:
    return [cell.strip() for cell in lines.grid[lines.header_row]]


def _match_rows(had: Lines, has: Lines, want: Lines, leave: set[str]) -> Mapping[int, int | None]:
    """row now -> row then, None for one that was added: by the key, and where that was lost by what else stands there,
    if only one row says it."""
    rows: dict[int, int | None] = {}
    for key, places in has.rows.items():
        if key in had.rows or key in want.rows:
            rows |= dict.fromkeys(places, had.rows[key][0] if key in had.rows else None)
    lost = [places[0] for key, places in had.rows.items() if key not in has.rows]
    shared = sorted((had.columns.keys() & has.columns.keys()) - leave)
    for row in range(has.header_row + 1, len(has.grid)):
        words = [has.text(row, header) for header in shared]
        same = [came for came in lost if [had.text(came, header) for header in shared] == words]
        if row not in rows and any(words) and len(same) == 1:
            rows[row] = same[0]
    return rows


def _value(tab: Tab, row: int | None, column: int | None) -> Json:
    """The cell as it was, with what a master had typed as that text."""
    if row is None or column is None:
        return {}
    typed = tab.typed.get((row + 1, column + 1))
    if typed is None:
        cells = tab.grid[row] if row < len(tab.grid) else []
        return text_value(cells[column] if column < len(cells) else "")
    if typed.formula:
        return {"userEnteredValue": {"formulaValue": typed.formula}}
    return {"userEnteredValue": typed.value, "userEnteredFormat": {"numberFormat": typed.number_format}}


def _text(value: Json, tab: Tab, row: int | None, column: int | None) -> str:
    """How a value reads."""
    entered = value.get("userEnteredValue", {})
    if not entered or "stringValue" in entered or row is None or column is None:
        return str(entered.get("stringValue", ""))
    cells = tab.grid[row] if row < len(tab.grid) else []
    return cells[column] if column < len(cells) else ""


def _lift_header(sent: Plan, sheet_id: int, has: Lines) -> list[Json]:
    """A line that came in above the header pushed it among the rows just before these were sorted."""
    starts = [
        request["sortRange"]["range"]["startRowIndex"]
        for request in sent.requests
        if request.get("sortRange", {}).get("range", {}).get("sheetId") == sheet_id
    ]
    if not starts or has.header_row <= starts[0]:
        return []
    place = {
        "sheetId": sheet_id,
        "dimension": "ROWS",
        "startIndex": has.header_row,
        "endIndex": has.header_row + 1,
    }
    return [{"moveDimension": {"source": place, "destinationIndex": starts[0]}}]
