"""A spreadsheet as it lies at Google: its cells as text, and what the writer must know about each tab.

Promises: a cell reads as the same text that the .xlsx reader would give, dates from their serial numbers and not from
how a locale shows them. Refuses to know: what a tab is for, and how to call Google.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from openpyxl.utils import get_column_letter

from connectors.base import NoText
from connectors.xlsx_cells import trim_grid
from connectors.xlsx_text import cell_text, exact_text
from rules.frames import Finding, Grid

Json = dict[str, Any]
Place = tuple[int, int]
"""Row and column, counted from 1."""

CELL_LIMIT = 50_000
"""What Google Sheets holds in one cell."""

STAMP_KEY = "saitei.look"
MARK = 'N("saitei")=0'
"""N of a text is 0: the usual way to leave a note in a formula, by which we know our own colour rules again."""
PROTECTION = "saitei: 機械が書く欄です。書き換えても、次の実行で元に戻ります。"

FIELDS = (
    "properties(timeZone),sheets(properties(sheetId,title,sheetType,gridProperties(rowCount,columnCount)),merges,"
    "protectedRanges(protectedRangeId,description),conditionalFormats(booleanRule(condition(values))),"
    "basicFilter,tables(tableId),developerMetadata(metadataId,metadataKey,metadataValue),"
    "data(rowData(values(userEnteredValue(formulaValue),effectiveValue,"
    "effectiveFormat(numberFormat(type,pattern))))))"
)

_EPOCH = dt.datetime.combine(dt.date(1899, 12, 30), dt.time())
_DAY = 86_400_000_000
_ERRORS = {
    "NULL_VALUE": "#NULL!",
    "DIVIDE_BY_ZERO": "#DIV/0!",
    "VALUE": "#VALUE!",
    "REF": "#REF!",
    "NAME": "#NAME?",
    "NUM": "#NUM!",
    "N_A": "#N/A",
    "LOADING": "#LOADING!",
}


class TypedCell(NamedTuple):
    """A cell that holds more than a text: its value and number format as Google names them, and its formula."""

    value: Json
    number_format: Json
    formula: str


class Tab(NamedTuple):
    """One tab as it lies."""

    sheet_id: int
    rows: int
    columns: int
    grid: Grid
    typed: Mapping[Place, TypedCell]
    merges: tuple[Json, ...]
    protections: tuple[int, ...]
    colour_rules: tuple[int, ...]
    other_rules: int
    filter: Json
    has_tables: bool
    stamp_id: int
    stamp: str


class Present(NamedTuple):
    """The whole spreadsheet at one moment; `titles` also names what is no grid, such as a sheet with a chart."""

    tabs: Mapping[str, Tab]
    titles: tuple[str, ...]
    sheet_ids: frozenset[int]
    fingerprint: str
    findings: tuple[Finding, ...]
    zone: str = ""


def read_present(book: Json) -> Present:
    """Understand an answer that holds FIELDS."""
    sheets = book.get("sheets", [])
    heads = [sheet["properties"] for sheet in sheets]
    tabs = {
        head["title"]: _read_tab(sheet)
        for head, sheet in zip(heads, sheets, strict=True)
        if head.get("sheetType", "GRID") == "GRID"
    }
    findings = [
        Finding("unreadable", f"{title}!{get_column_letter(column)}{row}", "数式の計算が終わっていません。")
        for title, tab in tabs.items()
        for (row, column), cell in tab.typed.items()
        if cell.value.get("errorValue", {}).get("type") == "LOADING"
    ]
    ids = frozenset(head.get("sheetId", 0) for head in heads)
    zone = book.get("properties", {}).get("timeZone", "")
    titles = tuple(head["title"] for head in heads)
    return Present(tabs, titles, ids, _digest_tabs(tabs), tuple(findings), zone)


def renew_present(present: Present, book: Json) -> Present:
    """The same spreadsheet after a write whose answer shows some of its tabs."""
    shown = read_present(book)
    titles = (*present.titles, *(title for title in shown.titles if title not in present.titles))
    return present._replace(
        tabs={**present.tabs, **shown.tabs}, titles=titles, sheet_ids=present.sheet_ids | shown.sheet_ids
    )


def _read_tab(sheet: Json) -> Tab:
    head = sheet["properties"]
    size = head.get("gridProperties", {})
    grid, typed = _read_cells(sheet.get("data", [{}])[0].get("rowData", []))
    conditions = [
        rule.get("booleanRule", {}).get("condition", {}) for rule in sheet.get("conditionalFormats", [])
    ]
    ours = [n for n, condition in enumerate(conditions) if MARK in json.dumps(condition).replace('\\"', '"')]
    stamps = [tag for tag in sheet.get("developerMetadata", []) if tag.get("metadataKey") == STAMP_KEY]
    return Tab(
        head.get("sheetId", 0),
        size.get("rowCount", 0),
        size.get("columnCount", 0),
        grid,
        typed,
        tuple(sheet.get("merges", [])),
        tuple(
            found["protectedRangeId"]
            for found in sheet.get("protectedRanges", [])
            if found.get("description") == PROTECTION
        ),
        tuple(ours),
        len(conditions) - len(ours),
        sheet.get("basicFilter", {}),
        bool(sheet.get("tables")),
        stamps[0]["metadataId"] if stamps else 0,
        stamps[0].get("metadataValue", "") if stamps else "",
    )


def _read_cells(rows: list[Json]) -> tuple[Grid, dict[Place, TypedCell]]:
    grid: Grid = []
    typed: dict[Place, TypedCell] = {}
    for number, row in enumerate(rows, 1):
        texts = []
        for column, cell in enumerate(row.get("values", []), 1):
            value = cell.get("effectiveValue", {})
            formula = cell.get("userEnteredValue", {}).get("formulaValue", "")
            shape = cell.get("effectiveFormat", {}).get("numberFormat", {})
            texts.append(_show_value(value, shape))
            if formula or (value and "stringValue" not in value):
                typed[number, column] = TypedCell(value, shape, formula)
        grid.append(texts)
    return trim_grid(grid), typed


def find_no_texts(tab: Tab) -> dict[Place, NoText]:
    """The cells of a tab that hold no text, as they must be read where a text was sent."""
    return {place: _show_typed(cell) for place, cell in tab.typed.items()}


def _show_typed(cell: TypedCell) -> NoText:
    shown = _show_value(cell.value, cell.number_format)
    if cell.formula:
        return NoText("formula", shown)
    if "errorValue" in cell.value:
        return NoText("error", shown)
    if "boolValue" in cell.value:
        return NoText("truth", shown)
    serial = cell.value.get("numberValue", 0.0)
    moment = _find_moment(serial, cell.number_format)
    return NoText("number", shown) if moment is serial else NoText("time", exact_text(moment))


def _show_value(value: Json, shape: Json) -> str:
    if "stringValue" in value:
        return cell_text(value["stringValue"], CELL_LIMIT)
    if "boolValue" in value:
        return cell_text(value["boolValue"])
    if "numberValue" in value:
        return cell_text(_find_moment(value["numberValue"], shape))
    if "errorValue" in value:
        return _ERRORS.get(value["errorValue"].get("type", ""), "#ERROR!")
    return ""


def _find_moment(serial: float, shape: Json) -> object:
    """The day or the clock time that a number stands for, by its format; the number itself if for neither."""
    if shape.get("type") not in ("DATE", "TIME", "DATE_TIME"):
        return serial
    ticks = round(serial * _DAY)
    pattern = shape.get("pattern", "").lower()
    if any(mark in pattern for mark in ("[h", "[m", "[s")):
        return dt.timedelta(microseconds=ticks)
    if 0 <= serial < 1:
        return (_EPOCH + dt.timedelta(microseconds=min(ticks, _DAY - 1))).time()
    try:
        return _EPOCH + dt.timedelta(microseconds=ticks)
    except OverflowError:
        return serial


def _digest_tabs(tabs: Mapping[str, Tab]) -> str:
    """Digest what humans enter: of a formula its text, for its result may change while nobody does anything."""
    digest = hashlib.sha256()
    for title, tab in sorted(tabs.items()):
        formulas = sorted((place, cell.formula) for place, cell in tab.typed.items() if cell.formula)
        hidden = {place for place, _ in formulas}
        texts = [
            ["" if (row, column) in hidden else text for column, text in enumerate(cells, 1)]
            for row, cells in enumerate(tab.grid, 1)
        ]
        digest.update(json.dumps([title, trim_grid(texts), formulas]).encode())
    return digest.hexdigest()
