"""What must be sent so that a tab in which masters write shows the machine's texts, whatever happened to its rows.

Promises: a master's cell of a row that stands is never sent, nor its key; a new row enters at the end, wherever that
is by then; rows are put in order by one sort of whole rows at Google itself. So whatever a human moved since the
tab was read, a decision stays beside its key; what landed beside the wrong one is the machine's, and is sent again.
Refuses to know: what the tab is for.
"""

from __future__ import annotations

from typing import NamedTuple

from connectors.base import SheetWrite
from connectors.google_book import Json, Tab
from connectors.google_cells import Changes, ValueMaker, append_rows, moved, text_value, update_cells
from connectors.google_lines import Lines, find_lines, key_header, machine_headers, master_headers
from connectors.google_rules import dress_cells
from connectors.xlsx_look import Table
from rules.frames import Grid


class RowPlan(NamedTuple):
    """The requests, and the table as it will then lie."""

    requests: list[Json]
    table: Table


class _Work(NamedTuple):
    """One tab: as it lies, as it was read, as it shall stand, and by how many rows a line above the header moves it."""

    tab: Tab
    sheet: SheetWrite
    there: Lines
    had: Lines
    want: Lines
    places: dict[str, int]
    shift: int

    @property
    def key(self) -> str:
        return key_header(self.sheet.look)


def plan_rows(tab: Tab, sheet: SheetWrite, read: Grid) -> RowPlan | None:
    """The plan for a tab whose rows have keys; None where its header is not to be found."""
    there, want = find_lines(tab.grid, sheet.look), find_lines(sheet.grid, sheet.look, sheet.look.header_row)
    if want is None:
        return None
    if there is None:
        return _name_key_column(tab, want, sheet, read)
    had = find_lines(read, sheet.look) or there
    shift = max(0, want.header_row - had.header_row) if there.header_row == had.header_row else 0
    work = _Work(tab, sheet, there, had, want, _place_columns(there, want), shift)
    changes = Changes()
    make = ValueMaker(tab, sheet.grid, sheet.look)
    _change_head(work, changes, make)
    _change_rows(work, changes, make)
    gone = _clear_gone(work, changes)
    doubled = _even_doubles(work, changes, make)
    new = [key for key in want.order() if key not in there.rows]
    requests = [*_make_room(work), *update_cells(tab, changes, shift)]
    body = _body(work)
    if doubled:
        requests.append({"deleteDuplicates": {"range": body}})
    requests += _append_new(work, new, make)
    order = work.places.get(sheet.look.sort_header)
    if order is not None and _moves(work, gone, new):
        spec = {"dimensionIndex": order, "sortOrder": "ASCENDING"}
        requests += _part_lines(work)
        requests.append({"sortRange": {"range": body, "sortSpecs": [spec]}})
    return RowPlan(requests, _lay_table(work, len(new)))


def _name_key_column(tab: Tab, want: Lines, sheet: SheetWrite, read: Grid) -> RowPlan | None:
    """Only the header of the key column, where it was overwritten; with it the rows are found in the answer."""
    rows = [row for row, cells in enumerate(tab.grid) if row < len(read) and cells == read[row]]
    place = want.columns.get(key_header(sheet.look), -1)
    known = {column.header for column in sheet.look.columns}
    row = max(rows, key=lambda row: len(known.intersection(tab.grid[row])), default=-1)
    if row < 0 or place < 0 or not known.intersection(tab.grid[row]):
        return None
    changes = Changes()
    changes.put(row, place, text_value(key_header(sheet.look)))
    headers = tuple(want.cell(want.header_row, column) for column in range(want.width))
    return RowPlan(update_cells(tab, changes), Table(headers, row + 1, len(tab.grid)))


def _place_columns(there: Lines, want: Lines) -> dict[str, int]:
    """header -> its column now; what is missing goes behind everything that stands there."""
    places = dict(there.columns)
    end = there.width
    for header in sorted(want.columns, key=lambda header: want.columns[header]):
        if header not in places:
            places[header] = max(end, want.columns[header]) if want.width > there.width else end
            end = places[header] + 1
    return places


def _change_head(work: _Work, changes: Changes, make: ValueMaker) -> None:
    """The cells of the header row, and of the lines above it, that the machine changed since it read them."""
    for row in range(work.want.header_row + 1):
        before = row - work.shift
        width = max(len(cells) for cells in (*work.want.grid[row : row + 1], [""]))
        for column in range(width):
            text = work.want.cell(row, column)
            stood = work.had.cell(before, column) if before >= 0 else ""
            now = work.there.cell(before, column) if before >= 0 else ""
            if text != stood and now == stood and not _is_placed(work, row, column):
                changes.put(before, column, make(row + 1, column + 1))
    for header in work.want.columns.keys() - work.there.columns.keys():
        place = (work.want.header_row + 1, work.want.columns[header] + 1)
        changes.put(work.there.header_row, work.places[header], make(*place))


def _is_placed(work: _Work, row: int, column: int) -> bool:
    """Whether the cell is the header of a column that gets its place by itself."""
    header = work.want.cell(row, column).strip()
    return row == work.want.header_row and work.want.columns.get(header) == column


def _change_rows(work: _Work, changes: Changes, make: ValueMaker) -> None:
    look = work.sheet.look
    made = [header for header in master_headers(look) if header not in work.there.columns]
    for key, rows in work.want.rows.items():
        for row, now in zip(rows, work.there.rows.get(key, ()), strict=False):
            for header in (*machine_headers(look), *made):
                if header not in work.want.columns:
                    continue
                if work.want.text(row, header) != work.there.text(now, header):
                    value = make(row + 1, work.want.columns[header] + 1)
                    changes.put(now, work.places[header], value)


def _clear_gone(work: _Work, changes: Changes) -> set[str]:
    """Rows that were read and are no longer wanted become blank, if no human wrote into them; nothing is deleted,
    for a row that is deleted by its number may be another one by then."""
    headers = [work.key, *machine_headers(work.sheet.look)]
    gone = {key for key in work.had.rows if key not in work.want.rows and key in work.there.rows}
    for key in gone:
        for row in work.there.rows[key]:
            if not work.there.others(row, headers):
                for header in headers:
                    if work.there.text(row, header):
                        changes.put(row, work.places[header], {})
    return gone


def _even_doubles(work: _Work, changes: Changes, make: ValueMaker) -> bool:
    """Whether rows are there twice with nothing different beside them, as after a write that was sent twice: their
    machine's halves are made the same too, so that Google itself can tell that they are. Not where it would take two
    notes of a human for the same."""
    found = False
    if _has_like_notes(work.there):
        return False
    machine = [header for header in machine_headers(work.sheet.look) if header in work.want.columns]
    for key, rows in work.there.rows.items():
        if key not in work.want.rows:
            continue
        first = work.there.others(rows[0], machine)
        for double in rows[1:]:
            if work.there.others(double, machine) != first:
                continue
            found = True
            for header in machine:
                value = make(work.want.rows[key][0] + 1, work.want.columns[header] + 1)
                changes.put(double, work.places[header], value)
                changes.put(rows[0], work.places[header], value)
    return found


def _has_like_notes(there: Lines) -> bool:
    keyed = {row for rows in there.rows.values() for row in rows}
    notes = [
        tuple(text.casefold() for text in there.grid[row])
        for row in range(there.header_row + 1, len(there.grid))
        if row not in keyed and any(there.grid[row])
    ]
    return len(set(notes)) < len(notes)


def _make_room(work: _Work) -> list[Json]:
    requests: list[Json] = []
    sheet_id = work.tab.sheet_id
    if work.shift:
        rows = {"sheetId": sheet_id, "dimension": "ROWS", "startIndex": 0, "endIndex": work.shift}
        requests.append({"insertDimension": {"range": rows, "inheritFromBefore": False}})
    lacking = max(work.places.values(), default=-1) + 1 - work.tab.columns
    if lacking > 0:
        grown = {"sheetId": sheet_id, "dimension": "COLUMNS", "length": lacking}
        requests.append({"appendDimension": grown})
    return requests


def _append_new(work: _Work, new: list[str], make: ValueMaker) -> list[Json]:
    """Whole rows, with how they look and what may be chosen in them."""
    width = max(work.places.values(), default=-1) + 1
    dress = dress_cells(work.sheet.look, _lay_table(work, 0), width)
    headers = {place: header for header, place in work.places.items()}
    rows = []
    for key in new:
        row = work.want.rows[key][0]
        cells = []
        for column in range(width):
            header = headers.get(column, "")
            at = work.want.columns.get(header)
            cells.append(dress(column, make(row + 1, at + 1) if at is not None else {}))
        rows.append(cells)
    return append_rows(work.tab.sheet_id, rows)


def _moves(work: _Work, gone: set[str], new: list[str]) -> bool:
    """Whether the rows would not lie in their order, or blank ones between them."""
    stay = [key for key in work.there.order() if key in work.want.rows]
    return [*stay, *new] != work.want.order() or bool(gone)


def _part_lines(work: _Work) -> list[Json]:
    """Cells that were merged over several rows are parted: nothing can be sorted with such cells in it."""
    below = work.there.header_row
    return [
        {"unmergeCells": {"range": moved(merge, work.shift)}}
        for merge in work.tab.merges
        if merge.get("endRowIndex", 0) - merge.get("startRowIndex", 0) > 1
        and merge.get("endRowIndex", 0) > below + 1
    ]


def _body(work: _Work) -> Json:
    return {"sheetId": work.tab.sheet_id, "startRowIndex": work.there.header_row + work.shift + 1}


def _lay_table(work: _Work, more: int) -> Table:
    """Where the table lies once everything is done."""
    width = max((*work.places.values(), work.there.width - 1), default=-1) + 1
    headers = [work.there.cell(work.there.header_row, column) for column in range(width)]
    for header, place in work.places.items():
        headers[place] = header
    header_row = work.there.header_row + work.shift + 1
    return Table(tuple(headers), header_row, max(len(work.there.grid) + work.shift, header_row) + more)


def plan_additions(tab: Tab, sheet: SheetWrite, read: Grid) -> RowPlan | None:
    """The plan for a table that masters keep: rows that the machine added to what it read, and are not there yet."""
    there, want = find_lines(tab.grid, sheet.look), find_lines(sheet.grid, sheet.look, sheet.look.header_row)
    if there is None or want is None:
        return None
    had = find_lines(read, sheet.look)
    start = len(read) if had is not None else want.header_row + 1
    present = {_show_row(there, row) for row in range(there.header_row + 1, len(there.grid))}
    new = []
    for row in range(start, len(sheet.grid)):
        shown = dict(_show_row(want, row))
        if shown and not any(shown.items() <= dict(other).items() for other in present):
            new.append(row)
    work = _Work(tab, sheet, there, had or there, want, dict(there.columns), 0)
    make = ValueMaker(tab, sheet.grid, sheet.look)
    width = max(there.columns.values(), default=-1) + 1
    dress = dress_cells(sheet.look, _lay_table(work, 0), width)
    at = {place: want.columns.get(header) for header, place in there.columns.items()}
    rows = [
        [
            dress(n, make(row + 1, column + 1) if (column := at.get(n)) is not None else {})
            for n in range(width)
        ]
        for row in new
    ]
    return RowPlan(append_rows(tab.sheet_id, rows), _lay_table(work, len(new)))


def _show_row(lines: Lines, row: int) -> frozenset[tuple[str, str]]:
    return frozenset((header, text) for header in lines.columns if (text := lines.text(row, header)).strip())
