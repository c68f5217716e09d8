"""How the tabs of a Google spreadsheet look: colours, widths, frozen rows.

Promises: whose column it is can be seen at a glance; what a master formatted stays, unless the look of the tab itself
changes. Refuses to know: values, number formats, and what a word or a column means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from connectors.base import ColumnLook, SheetLook
from connectors.google_book import Json
from connectors.xlsx_look import BODIES, HEADS, Table, list_columns, name_kind
from connectors.xlsx_rules import split_colour

_PIXELS = 8
"""Pixels of one unit of width."""

_STYLE = (
    "userEnteredFormat(backgroundColorStyle,textFormat,horizontalAlignment,verticalAlignment,wrapStrategy)"
)
_NOTE = ("E8EDF4", "334155")


def dye(colour: str) -> Json:
    """A colour as Google names it."""
    parts = zip(("red", "green", "blue"), split_colour(colour), strict=True)
    return {"rgbColor": {name: round(part / 255, 4) for name, part in parts}}


def span(sheet_id: int, rows: tuple[int, int | None], columns: tuple[int, int | None]) -> Json:
    """A range from first and last row and column, counted from 1; None reaches to the end of the sheet."""
    ends = {"endRowIndex": rows[1], "endColumnIndex": columns[1]}
    starts = {"sheetId": sheet_id, "startRowIndex": rows[0] - 1, "startColumnIndex": columns[0] - 1}
    return starts | {name: end for name, end in ends.items() if end is not None}


def group_columns(
    look: SheetLook, table: Table, key: Callable[[int, ColumnLook], object]
) -> Iterator[tuple[int, int]]:
    """First and last of neighbouring columns for which `key` says the same; not those for which it says None."""
    group: tuple[int, int, object] | None = None
    for number, column in sorted(list_columns(look, table)):
        value = key(number, column)
        if group and value == group[2] and number == group[1] + 1:
            group = (group[0], number, value)
            continue
        if group and group[2] is not None:
            yield group[:2]
        group = (number, number, value)
    if group and group[2] is not None:
        yield group[:2]


def paint_sheet(sheet_id: int, look: SheetLook, table: Table, present: Sequence[str]) -> list[Json]:
    """Dress the whole tab; `present` are the headers that lay there before, whose columns keep their widths."""
    requests = [_set_sheet(sheet_id, look, table)]
    width = len(table.headers)
    if table.header_row > 1 and width:
        note = _style(*_NOTE, bold=True, across="LEFT", up="MIDDLE", wrap="OVERFLOW_CELL")
        requests.append(_repeat(sheet_id, (1, table.header_row - 1), (1, width), note))
    columns = dict(list_columns(look, table))
    for first, last in group_columns(look, table, lambda _, column: column.owner):
        head = _style(*HEADS[columns[first].owner], bold=True, across="CENTER", up="MIDDLE", wrap="WRAP")
        requests.append(_repeat(sheet_id, (table.header_row, table.header_row), (first, last), head))
    for number, column in sorted(columns.items()):
        if list(present[number - 1 : number]) != [column.header]:
            requests.append(_set_width(sheet_id, number, column))
    return requests + paint_rows(sheet_id, look, table, table.header_row + 1, table.last_row)


def paint_rows(sheet_id: int, look: SheetLook, table: Table, first: int, last: int) -> list[Json]:
    """Give rows of the table their body style, without touching how a value is formatted."""
    if first > last:
        return []
    columns = dict(list_columns(look, table))

    def tell(number: int, column: ColumnLook) -> object:
        return column.owner, name_kind(column), _fit(look, table, number, column)

    groups = group_columns(look, table, tell)
    return [
        _repeat(sheet_id, (first, last), (left, right), body_style(look, table, left, columns[left]))
        for left, right in groups
    ]


def body_style(look: SheetLook, table: Table, number: int, column: ColumnLook) -> Json:
    """How a cell below the header looks; `number` is its column, counted from 1."""
    across = "RIGHT" if column.kind == "number" else "LEFT"
    fit = _fit(look, table, number, column)
    return _style(*BODIES[column.owner], bold=False, across=across, up="TOP", wrap=fit)


def _fit(look: SheetLook, table: Table, number: int, column: ColumnLook) -> str:
    # What stands right of the status is for a laptop: long answers may not stretch what is read on a phone.
    status = table.find(look.colour_header) or len(table.headers)
    return "WRAP" if column.wrap and (number <= status or column.owner == "master") else "CLIP"


def strip_rows(sheet_id: int, look: SheetLook, table: Table, first: int, last: int) -> list[Json]:
    """Take the style from rows that fell out of the table, so that no coloured stripes stay behind."""
    if first > last:
        return []
    groups = group_columns(look, table, lambda _number, _column: True)
    return [_repeat(sheet_id, (first, last), group, {}) for group in groups]


def _set_sheet(sheet_id: int, look: SheetLook, table: Table) -> Json:
    frozen = {"frozenRowCount": table.header_row, "frozenColumnCount": look.frozen_columns}
    properties: Json = {"sheetId": sheet_id, "gridProperties": frozen}
    fields = "gridProperties(frozenRowCount,frozenColumnCount)"
    if look.tab_colour:
        properties["tabColorStyle"] = dye(look.tab_colour)
        fields += ",tabColorStyle"
    return {"updateSheetProperties": {"properties": properties, "fields": fields}}


def _set_width(sheet_id: int, number: int, column: ColumnLook) -> Json:
    place = {"sheetId": sheet_id, "dimension": "COLUMNS", "startIndex": number - 1, "endIndex": number}
    size = {"pixelSize": round(column.width * _PIXELS)}
    return {"updateDimensionProperties": {"range": place, "properties": size, "fields": "pixelSize"}}


def _repeat(sheet_id: int, rows: tuple[int, int], columns: tuple[int, int], style: Json) -> Json:
    cell = {"userEnteredFormat": style} if style else {}
    return {"repeatCell": {"range": span(sheet_id, rows, columns), "cell": cell, "fields": _STYLE}}


def _style(ground: str, ink: str, *, bold: bool, across: str, up: str, wrap: str) -> Json:
    return {
        "backgroundColorStyle": dye(ground),
        "textFormat": {"foregroundColorStyle": dye(ink), "bold": bold},
        "horizontalAlignment": across,
        "verticalAlignment": up,
        "wrapStrategy": wrap,
    }
