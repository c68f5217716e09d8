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
    heads_before, heads = _heads(had), _heads(has)
    _clear_strays(had, has, texts, machine_headers(sheet.look), changes)
    if heads_before == heads:
        return changes
    ours, key = set(machine_headers(sheet.look)), key_header(sheet.look)
    rows = _match_rows(had, has, ours | {key})
    want = find_lines(sheet.grid, sheet.look, sheet.look.header_row)
    added = {row: name for name, places in has.rows.items() if name not in had.rows for row in places}
    for column in sorted(texts):
        head = heads[column] if column < len(heads) else ""
        source = heads_before.index(head) if head and head in heads_before else None
        if head in ours:
            continue
        for row, came in rows.items():
            stands, stood = has.cell(row, column), had.cell(came, source) if source is not None else ""
            if stands != stood and stands in texts[column]:
                changes.put(row, column, _value(old, came, source, stood))
        for row, name in added.items():
            stands, meant = (
                has.cell(row, column),
                want.text(want.rows.get(name, (-1,))[0], head) if want else "",
            )
            if head != key and stands != meant and stands in texts[column]:
                changes.put(row, column, text_value(meant))
    return changes


def _clear_strays(
    had: Lines, has: Lines, texts: Mapping[int, set[str]], ours: Sequence[str], changes: Changes
) -> None:
    """What was meant for a row that has gone elsewhere, in the row without a key that now lies in its place."""
    keyed = {row for places in has.rows.values() for row in places}
    known = [_strip(cells) for cells in had.grid]
    for row in range(has.header_row + 1, len(has.grid)):
        if row in keyed or _strip(has.grid[row]) in known:
            continue
        for column in (has.columns[header] for header in ours if header in has.columns):
            text = has.cell(row, column)
            if text and text in texts.get(column, ()):
                changes.put(row, column, {})


def _strip(cells: Sequence[str]) -> list[str]:
    texts = [text.strip() for text in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _heads(lines: Lines) -> list[str]:
    return [cell.strip() for cell in lines.grid[lines.header_row]]


def _match_rows(had: Lines, has: Lines, leave: set[str]) -> Mapping[int, int]:
    """row now -> row then: by the key, and where that was lost by what else stands there, if only one row says it."""
    rows = {row: had.rows[key][0] for key, places in has.rows.items() if key in had.rows for row in places}
    lost = [places[0] for key, places in had.rows.items() if key not in has.rows]
    shared = sorted((had.columns.keys() & has.columns.keys()) - leave)
    for row in range(has.header_row + 1, len(has.grid)):
        words = [has.text(row, header) for header in shared]
        same = [came for came in lost if [had.text(came, header) for header in shared] == words]
        if row not in rows and any(words) and len(same) == 1:
            rows[row] = same[0]
    return rows


def _value(tab: Tab, row: int, column: int | None, text: str) -> Json:
    """The cell as it was, with what a master had typed as that text."""
    typed = tab.typed.get((row + 1, column + 1)) if column is not None else None
    if typed is None:
        return text_value(text)
    if typed.formula:
        return {"userEnteredValue": {"formulaValue": typed.formula}}
    return {"userEnteredValue": typed.value, "userEnteredFormat": {"numberFormat": typed.number_format}}


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
