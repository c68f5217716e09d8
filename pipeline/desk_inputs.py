"""The masters' own tables: every present row by its key, as text.

Promises: a tab that cannot be read whole is said to be incomplete and brings no rows, so that nothing of it is taken
for withdrawn; a row that two rows claim to be is reported with both places; nothing masters wrote is dropped from a
sheet. Refuses to know: what any column means, any game, any file.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pipeline.desk_sheet import (
    HEADER_DEPTH,
    Layout,
    find_header,
    fold_findings,
    is_blank,
    is_blank_grid,
    lay_out,
    list_doubled_headers,
    place_row,
    put_cell,
    quote_cells,
    trim_grid,
)
from rules.frames import Finding, Grid


class InputTab(NamedTuple):
    """A table that masters keep: its headers in their usual order, and those that together name a row."""

    title: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


class InputsRead(NamedTuple):
    """The present rows, key -> content, both canonical JSON: the key a list of the key cells, the content an object
    header -> text as typed. Where all key cells are blank the key is the content.

    `complete` is False where the tab sits this run out; `doubled` are the keys that more than one row claims.
    """

    rows: Mapping[str, str]
    complete: bool
    findings: tuple[Finding, ...]
    doubled: frozenset[str] = frozenset()


def read_inputs(grid: Grid | None, tab: InputTab) -> InputsRead:
    """Read a masters' table as they left it; the first of a doubled key counts."""
    if grid is None:
        text = "シートがありません。最後に読めた内容のまま続けます。名前を変えたなら元に戻してください"
        return InputsRead({}, False, (Finding("missing_tab", tab.title, text),))
    header_row = find_header(grid, tab.columns, tab.key)
    if header_row is None:
        nearest = find_header(grid, tab.columns, ())
        shown = {cell.strip() for cell in grid[nearest]} if nearest is not None else set()
        return InputsRead({}, False, _report_missing(tab, [h for h in tab.key if h not in shown]))
    layout = lay_out(grid, header_row, tab.columns)
    headers = [*list_doubled_headers(grid, layout, tab.title), *_report_unknown(grid, layout, tab)]
    missing = [header for header in tab.columns if header not in layout.columns]
    if missing:
        return InputsRead({}, False, (*headers, *_report_missing(tab, missing)))
    rows: dict[str, str] = {}
    first: dict[str, int] = {}
    doubles: list[Finding] = []
    for index in range(header_row + 1, len(grid)):
        cells = {header: layout.text(grid[index], header) for header in tab.columns}
        if all(map(is_blank, cells.values())):
            continue
        key = _make_key(cells, tab)
        if key in rows:
            doubles.append(_report_double(tab, cells, first[key], index, key))
        else:
            rows[key], first[key] = _dump(cells), index
    return InputsRead(rows, True, (*headers, *fold_findings(doubles)), frozenset(f.about for f in doubles))


def add_input_rows(grid: Grid | None, tab: InputTab, rows: Iterable[Mapping[str, str]]) -> Grid:
    """Append rows that the machine proposes, each by its key cells alone; what is there already stays as it is.

    A row whose key is there is not added again, and nothing is added to a tab whose header cannot be found.
    """
    sheet = [list(tab.columns)] if grid is None or is_blank_grid(grid) else [list(row) for row in grid]
    header_row = find_header(sheet, tab.columns, tab.key)
    if header_row is None:
        return sheet
    layout = lay_out(sheet, header_row, tab.columns)
    present = {_read_key(row, layout, tab) for row in sheet[header_row + 1 :]}
    sheet = sheet[: len(trim_grid(sheet))]
    for cells in rows:
        strange = cells.keys() ^ set(tab.key)
        if strange or all(map(is_blank, cells.values())):
            raise ValueError(f"{tab.title}: a row is made by all its key cells and no other: {strange}")
        row: list[str] = []
        for header in tab.key:
            put_cell(row, layout.columns[header], cells[header])
        key = _read_key(row, layout, tab)
        if key not in present:
            present.add(key)
            sheet.append(row)
    return sheet


def _read_key(row: Sequence[str], layout: Layout, tab: InputTab) -> str:
    return _make_key({header: layout.text(row, header) for header in tab.columns}, tab)


def _make_key(cells: Mapping[str, str], tab: InputTab) -> str:
    """Name a row by its key cells, in the one spelling that a phone and a desktop agree on."""
    parts = [unicodedata.normalize("NFC", cells[header]).strip() for header in tab.key]
    return _dump(parts if any(parts) else cells)


def _dump(value: Mapping[str, str] | Sequence[str]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _report_missing(tab: InputTab, headers: Iterable[str]) -> tuple[Finding, ...]:
    text = (
        "見出し「{}」が上から"
        + f"{HEADER_DEPTH}行にありません。このシートは最後に読めた内容のまま続けます。見出しを元に戻してください"
    )
    return tuple(Finding("missing_column", f"{tab.title} {h}", text.format(h)) for h in headers)


def _report_unknown(grid: Grid, layout: Layout, tab: InputTab) -> list[Finding]:
    return [
        Finding(
            "unknown_column",
            f"{tab.title} {layout.header_row + 1}行 {index + 1}列",
            f"見出し「{cell.strip()}」はこの表にない名前なので読みません(書き換えもしません)",
        )
        for index, cell in enumerate(grid[layout.header_row])
        if not is_blank(cell) and cell.strip() not in tab.columns
    ]


def _report_double(tab: InputTab, cells: Mapping[str, str], first: int, second: int, key: str) -> Finding:
    named = quote_cells({header: cells[header] for header in tab.key}) or "同じ内容"
    text = f"{named} の行が{first + 1}行にもあり、そちらだけを読みます。どちらかを直すか消してください"
    return Finding("doubled_key", place_row(tab.title, second), text, key)
