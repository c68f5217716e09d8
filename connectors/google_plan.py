"""What must be sent to bring a spreadsheet from how it lies to how it shall stand.

Promises: nothing where nothing differs; every request sets a state, so that sending what is still missing is always
safe; the tab that tells of the run goes last. Refuses to know: how requests are sent and answered.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from connectors.base import SheetLook, SheetWrite
from connectors.google_book import STAMP_KEY, Json, Present, Tab
from connectors.google_cells import fill_rows, write_cells
from connectors.google_lines import key_header, master_headers
from connectors.google_look import paint_rows, paint_sheet, strip_rows
from connectors.google_rows import plan_additions, plan_rows
from connectors.google_rules import set_rules
from connectors.xlsx_look import Table, digest_look, lay_table
from rules.frames import Grid

SPARE_ROWS = 200
"""Blank rows below the last one, for rows that a master adds by hand; few, for they are read on every run."""

_EDITION = "1"
"""Counts changes of the styles: every tab is dressed anew when it changes."""


class _Stamp(NamedTuple):
    """What a tab was dressed for; kept at Google on the tab itself, where it is lost only together with the tab."""

    paint: str = ""
    rules: str = ""
    rows: int = 0
    lists: tuple[str, ...] = ()


class Plan(NamedTuple):
    """The requests in their order, and the tabs that they touch."""

    requests: list[Json]
    titles: tuple[str, ...]


def plan_changes(present: Present, read: Present, sheets: Sequence[SheetWrite], order: Sequence[str]) -> Plan:
    """What is to be sent for all tabs. `read` is the spreadsheet from which `sheets` were made: what differs from it is
    meant, and `present` may have moved on since. `order` places new tabs; what goes into its last one is sent last."""
    titles, taken = list(present.titles), set(present.sheet_ids)
    requests: list[Json] = []
    closing: list[Json] = []
    touched = []
    for sheet in sheets:
        target = closing if sheet.title in order[-1:] else requests
        before = len(target)
        tab = present.tabs.get(sheet.title)
        if tab is None:
            tab, made = _make_tab(sheet, titles, taken, order)
            requests.append(made)
        grid = read.tabs[sheet.title].grid if sheet.title in read.tabs else []
        target += _plan_tab(tab, sheet, grid)
        if len(target) > before or sheet.title not in present.tabs:
            touched.append(sheet.title)
    return Plan(requests + closing, tuple(touched))


def _plan_tab(tab: Tab, sheet: SheetWrite, read: Grid) -> list[Json]:
    look, old = sheet.look, lay_table(tab.grid, sheet.look)
    if not tab.grid or not master_headers(look):
        table = lay_table(sheet.grid, look)
        grown, rows = _grow_tab(tab, sheet, table)
        write = write_cells if tab.grid else fill_rows
        return grown + write(tab, sheet.grid, look) + _dress_tab(tab, look, table, old, rows)
    planned = (plan_rows if key_header(look) else plan_additions)(tab, sheet, read)
    if planned is None:
        return []
    look = look._replace(header_row=planned.table.header_row - 1)
    old = lay_table(tab.grid, look)
    return planned.requests + _dress_tab(tab, look, planned.table, old, tab.rows, added=True)


def _dress_tab(
    tab: Tab, look: SheetLook, table: Table, old: Table, rows: int, *, added: bool = False
) -> list[Json]:
    """Looks and rules, where they are not what the tab was dressed for. Rows that are `added` bring their own."""
    stamp = _read_stamp(tab.stamp)
    lists = tuple(column.header for column in look.columns if column.choices)
    paint, rules = (f"{_EDITION}{half}" for half in digest_look(table, look).split("-"))
    requests: list[Json] = []
    if paint != stamp.paint:
        requests += paint_sheet(tab.sheet_id, look, table, old.headers if tab.stamp else ())
    elif not added:
        requests += paint_rows(tab.sheet_id, look, table, old.last_row + 1, table.last_row)
    if not added:
        requests += strip_rows(tab.sheet_id, look, table, table.last_row + 1, old.last_row)
    known = 0 if look.grows else max(rows, stamp.rows)
    if rules != stamp.rules or known > stamp.rows:
        requests += set_rules(tab, look, table, old, stamp.lists)
    new_stamp = _Stamp(paint, rules, known, lists)
    if new_stamp != stamp:
        requests.append(_put_stamp(tab, new_stamp))
    return requests


def _make_tab(
    sheet: SheetWrite, titles: list[str], taken: set[int], order: Sequence[str]
) -> tuple[Tab, Json]:
    """A new tab, before the first one that comes later in our order, else at the end."""
    number = int(hashlib.sha256(sheet.title.encode()).hexdigest()[:7], 16) + 1
    while number in taken:
        number += 1
    taken.add(number)
    later = order[list(order).index(sheet.title) + 1 :] if sheet.title in order else ()
    index = next((n for n, title in enumerate(titles) if title in later), len(titles))
    titles.insert(index, sheet.title)
    table = lay_table(sheet.grid, sheet.look)
    rows, columns = _needed_size(sheet, table)
    rows += SPARE_ROWS
    size = {"rowCount": rows, "columnCount": columns}
    made = {"sheetId": number, "title": sheet.title, "index": index, "gridProperties": size}
    tab = Tab(number, rows, columns, [], {}, (), (), (), 0, {}, False, 0, "")
    return tab, {"addSheet": {"properties": made}}


def _grow_tab(tab: Tab, sheet: SheetWrite, table: Table) -> tuple[list[Json], int]:
    """Requests that make room, relative to what is there, and the rows that the tab then has."""
    rows, columns = _needed_size(sheet, table)
    more = {
        "ROWS": rows + SPARE_ROWS - tab.rows if rows > tab.rows else 0,
        "COLUMNS": max(columns - tab.columns, 0),
    }
    requests: list[Json] = [
        {"appendDimension": {"sheetId": tab.sheet_id, "dimension": dimension, "length": length}}
        for dimension, length in more.items()
        if length
    ]
    return requests, tab.rows + more["ROWS"]


def _needed_size(sheet: SheetWrite, table: Table) -> tuple[int, int]:
    """Rows and columns; a sheet must have more of them than are frozen."""
    width = max((len(cells) for cells in sheet.grid), default=0)
    return max(table.last_row, table.header_row + 1), max(width, sheet.look.frozen_columns + 1)


def _read_stamp(text: str) -> _Stamp:
    try:
        found = json.loads(text or "{}")
        lists = tuple(str(header) for header in found["lists"])
        return _Stamp(str(found["paint"]), str(found["rules"]), int(found["rows"]), lists)
    except (ValueError, KeyError, TypeError):
        return _Stamp()


def _put_stamp(tab: Tab, stamp: _Stamp) -> Json:
    value = json.dumps(stamp._asdict(), ensure_ascii=False)
    if tab.stamp_id:
        wanted = [{"developerMetadataLookup": {"metadataId": tab.stamp_id}}]
        change = {
            "dataFilters": wanted,
            "developerMetadata": {"metadataValue": value},
            "fields": "metadataValue",
        }
        return {"updateDeveloperMetadata": change}
    made = {
        "metadataKey": STAMP_KEY,
        "metadataValue": value,
        "location": {"sheetId": tab.sheet_id},
        "visibility": "DOCUMENT",
    }
    return {"createDeveloperMetadata": {"developerMetadata": made}}
