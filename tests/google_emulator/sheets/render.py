"""spreadsheets.get: the spreadsheet as the API tells it, with the cells only where they were asked for."""

from __future__ import annotations

import copy
from typing import Any

from tests.google_emulator import fields
from tests.google_emulator.sheets import a1, celldata, defaults, metadata, protection
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import COLUMNS, EMPTY, ROWS, Book, Sheet
from tests.google_emulator.sheets.context import Context, hold_start
from tests.google_emulator.sheets.refusal import RefusedError

Tree = dict[str, Any]
Area = tuple[Sheet, Box]
WIDTH, HEIGHT = 100, 21
URL = "https://docs.google.com/spreadsheets/d/{}/edit"


def get(context: Context, params: dict[str, Any]) -> dict[str, Any]:
    ranges = params.get("ranges") or []
    areas = [context.find(text) for text in (ranges if isinstance(ranges, list) else [ranges])]
    for sheet, box in areas:
        hold_start(sheet, box)
    return spreadsheet(context, areas, _tree(params.get("fields")), params.get("includeGridData"))


def get_by_filter(context: Context, params: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    areas: list[Area] = []
    for each in body.get("dataFilters", []):
        areas += [area for area in metadata.areas(context, each) if area not in areas]
    for sheet, box in areas:
        hold_start(sheet, box)
    if body.get("dataFilters") and not areas:
        empty = spreadsheet(context, [], {"spreadsheetId": {}}, False)
        del empty["sheets"]
        return empty
    return spreadsheet(context, areas, _tree(params.get("fields")), body.get("includeGridData"))


def _tree(mask: str | None) -> Tree:
    if not mask:
        return {}
    try:
        return fields.parse(mask)
    except fields.MaskError as wrong:
        raise RefusedError(f"Invalid field selection {wrong}") from None


def _below(tree: Tree, name: str) -> Tree | None:
    """The mask inside a field: {} for all of it, None for none of it."""
    if not tree:
        return {}
    if name in tree:
        found: Tree = tree[name]
        return found
    return tree.get("*")


def spreadsheet(context: Context, areas: list[Area], tree: Tree, grid_data: Any) -> dict[str, Any]:
    """A Spreadsheet. A mask decides whether cells are read; without one, `grid_data` does.

    What else the mask leaves out is cut from the answer by whoever sends it.
    """
    with_data = _below(_below(tree, "sheets") or {}, "data") if tree else ({} if _true(grid_data) else None)
    if tree and _below(tree, "sheets") is None:
        with_data = None
    book = context.book
    out: dict[str, Any] = {
        "spreadsheetId": context.file.id,
        "properties": defaults.book_properties(context.file.name, book.properties),
    }
    chosen = [sheet for sheet in book.sheets if not areas or any(area[0] is sheet for area in areas)]
    out["sheets"] = [
        one_sheet(context, sheet, [box for home, box in areas if home is sheet] if areas else None, with_data)
        for sheet in chosen
    ]
    if book.named_ranges:
        out["namedRanges"] = [_named(named) for named in book.named_ranges]
    out["spreadsheetUrl"] = URL.format(context.file.id)
    tags = [metadata.shown(tag) for tag in book.metadata if metadata.kind(tag["location"]) == "SPREADSHEET"]
    if tags:
        out["developerMetadata"] = tags
    return out


def _true(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.lower() == "true")


def _named(named: dict[str, Any]) -> dict[str, Any]:
    return {
        "namedRangeId": named["namedRangeId"],
        "name": named["name"],
        "range": without_zero(named["range"]),
    }


def without_zero(grid_range: dict[str, Any]) -> dict[str, Any]:
    """A GridRange or DimensionRange as the service writes it: sheet 0 goes without saying."""
    return {name: value for name, value in grid_range.items() if name != "sheetId" or value}


def clean(message: Any) -> Any:
    """A stored message with sheet 0 left out of every range in it."""
    if isinstance(message, list):
        return [clean(each) for each in message]
    if isinstance(message, dict):
        return {name: clean(value) for name, value in without_zero(message).items()}
    return message


def properties(book: Book, sheet: Sheet) -> dict[str, Any]:
    """SheetProperties."""
    out: dict[str, Any] = {"sheetId": sheet.id, "title": sheet.title, "index": book.sheets.index(sheet)}
    out["sheetType"] = sheet.props.get("sheetType", "GRID")
    if out["sheetType"] == "GRID":
        grid = {name: value for name, value in sheet.grid.items() if value}
        out["gridProperties"] = {"rowCount": sheet.rows, "columnCount": sheet.columns} | grid
    for name in ("hidden", "tabColor", "rightToLeft", "tabColorStyle"):
        if sheet.props.get(name) or (name in sheet.props and name.startswith("tabColor")):
            out[name] = copy.deepcopy(sheet.props[name])
    return out


def one_sheet(context: Context, sheet: Sheet, boxes: list[Box] | None, data: Tree | None) -> dict[str, Any]:
    """A Sheet; of what lies on it only what meets the boxes, if there are any."""

    def meets(box: Box) -> bool:
        return boxes is None or any(box.meets(each) for each in boxes)

    out: dict[str, Any] = {"properties": properties(context.book, sheet)}
    if data is not None and out["properties"]["sheetType"] == "GRID":
        out["data"] = [grid(context, sheet, box, data) for box in (boxes or [a1.ALL])]
    merges = [box for box in sheet.merges if meets(box)]
    if merges:
        out["merges"] = [a1.grid_range(sheet.id, box) for box in merges]
    for name, kept in sheet.objects.items():
        found = [each for each in kept if _where(each, name, meets)]
        if name == "protectedRanges":
            found = [protection.shown(context, each) for each in found]
        if found:
            out[name] = [clean(copy.deepcopy(each)) for each in found]
    if sheet.basic_filter and meets(a1.box_of(sheet.basic_filter["range"])):
        out["basicFilter"] = clean(copy.deepcopy(sheet.basic_filter))
    tags = [
        metadata.shown(tag) for tag in context.book.metadata if tag["location"].get("sheetId") == sheet.id
    ]
    if tags:
        out["developerMetadata"] = tags
    return out


def _where(each: dict[str, Any], name: str, meets: Any) -> bool:
    if name == "conditionalFormats":
        return any(meets(a1.box_of(box)) for box in each["ranges"])
    if name in ("rowGroups", "columnGroups"):
        return bool(meets(metadata.line_box(each["range"])))
    return "range" not in each or meets(a1.box_of(each["range"]))


def grid(context: Context, sheet: Sheet, box: Box, tree: Tree) -> dict[str, Any]:
    """GridData of one rectangle."""
    clipped = sheet.clip(box)
    out: dict[str, Any] = {}
    if clipped.top:
        out["startRow"] = clipped.top
    if clipped.left:
        out["startColumn"] = clipped.left
    inner = _below(tree, "rowData")
    if inner is not None:
        lines = _row_data(context, sheet, clipped, inner)
        if lines:
            out["rowData"] = lines
    for name, dimension in (("rowMetadata", ROWS), ("columnMetadata", COLUMNS)):
        if _below(tree, name) is not None:
            out[name] = _lines(context, sheet, clipped, dimension)
    return out


def _row_data(context: Context, sheet: Sheet, box: Box, tree: Tree) -> list[dict[str, Any]]:
    values = _below(tree, "values")
    if values is None:
        wanted: tuple[str, ...] = ()
    elif not values or "*" in values:
        wanted = celldata.FIELDS
    else:
        wanted = tuple(name for name in celldata.FIELDS if name in values)
    plain = set((values or {}).get("effectiveFormat", ())) == {"numberFormat"}
    lines: list[dict[str, Any]] = []
    looks: celldata.Looks = {}
    left, right = box.left, box.right or 0
    for row in range(box.top, min(box.bottom or 0, max(sheet.cells, default=-1) + 1)):
        line = sheet.cells.get(row, {})
        end = max((column for column in line if left <= column < right), default=-1)
        cells = [
            celldata.out(context.book, sheet, row, column, line.get(column, EMPTY), wanted, looks, plain)
            for column in range(left, end + 1)
        ]
        lines.append({"values": cells} if cells else {})
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _lines(context: Context, sheet: Sheet, box: Box, dimension: str) -> list[dict[str, Any]]:
    """Sizes of rows or columns, which of them are hidden, and their tags."""
    start, end = (box.top, box.bottom or 0) if dimension == ROWS else (box.left, box.right or 0)
    usual = HEIGHT if dimension == ROWS else WIDTH
    known = sheet.lines[dimension]
    out = []
    for index in range(start, end):
        own = known.get(index, {})
        shown: dict[str, Any] = {name: True for name in ("hiddenByFilter", "hiddenByUser") if own.get(name)}
        shown["pixelSize"] = own.get("pixelSize", usual)
        out.append(shown)
    for tag in context.book.metadata:
        span = tag["location"].get("dimensionRange")
        if span and span["sheetId"] == sheet.id and span["dimension"] == dimension:
            if start <= span["startIndex"] < end:
                out[span["startIndex"] - start].setdefault("developerMetadata", []).append(
                    metadata.shown(tag)
                )
    return out
