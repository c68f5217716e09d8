"""values.get and its relatives: cells as rows of JSON values."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import a1, metadata, patterns
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS, Book, Cell, Fault, Formula, Sheet
from tests.google_emulator.sheets.context import Context, hold_start

FORMATTED, UNFORMATTED, FORMULA = "FORMATTED_VALUE", "UNFORMATTED_VALUE", "FORMULA"
Options = dict[str, Any]


def json_number(value: Any) -> Any:
    """Whole numbers without a decimal point, as the service writes them."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value


def number_format(book: Book, sheet: Sheet, row: int, column: int, cell: Cell) -> dict[str, Any] | None:
    """The cell's own number format, or the one its formula hands on."""
    own = (cell.format or {}).get("numberFormat")
    if own:
        found: dict[str, Any] = own
        return found
    if type(cell.value) is Formula:
        return book.inferred.get((sheet.id, row, column))
    return None


def render(book: Book, sheet: Sheet, row: int, column: int, cell: Cell, how: str, dates_as_text: bool) -> Any:
    """One cell under a render option; None where there is nothing to show."""
    value = cell.value
    if type(value) is Formula:
        if how == FORMULA:
            return value.text
        value = book.computed.get((sheet.id, row, column))
    if value is None or isinstance(value, bool):
        return ("TRUE" if value else "FALSE") if how == FORMATTED and value is not None else value
    if isinstance(value, str):
        return value
    if isinstance(value, Fault):
        return value.shown
    shape = number_format(book, sheet, row, column, cell) if cell.format or cell.value is not value else None
    if how == FORMATTED:
        return patterns.show(value, shape, book.locale)
    if dates_as_text and shape and shape.get("type") in patterns.DATES:
        return patterns.show(value, shape, book.locale)
    return json_number(value)


def rows(book: Book, sheet: Sheet, box: Box, how: str, dates_as_text: bool) -> list[list[Any]]:
    """The rectangle by rows, blanks at the ends left out, blanks between shown as empty texts."""
    box = sheet.clip(box)
    out: list[list[Any]] = []
    blank = 0
    left, right = box.left, box.right or 0
    for row in range(box.top, min(box.bottom or 0, max(sheet.cells, default=-1) + 1)):
        line = sheet.cells.get(row)
        shown: list[Any] = []
        if line:
            for column in sorted(line):
                if left <= column < right:
                    value = render(book, sheet, row, column, line[column], how, dates_as_text)
                    if value is not None and value != "":
                        shown.extend([""] * (column - left - len(shown)))
                        shown.append(value)
        if shown:
            out.extend([] for _ in range(blank))
            out.append(shown)
            blank = 0
        else:
            blank += 1
    return out


def turned(lines: list[list[Any]]) -> list[list[Any]]:
    """Rows as columns, blanks at the ends left out."""
    width = max((len(line) for line in lines), default=0)
    columns = [[line[index] if index < len(line) else "" for line in lines] for index in range(width)]
    for column in columns:
        while column and column[-1] == "":
            column.pop()
    return columns


def value_range(context: Context, sheet: Sheet, box: Box, options: Options) -> dict[str, Any]:
    """A ValueRange: the range as the grid has it, and no `values` where there are none."""
    hold_start(sheet, box)
    how = options.get("valueRenderOption") or FORMATTED
    texts = options.get("dateTimeRenderOption") == "FORMATTED_STRING"
    major = options.get("majorDimension") or ROWS
    if major == "DIMENSION_UNSPECIFIED":
        major = ROWS
    found = rows(context.book, sheet, box, how, texts)
    out: dict[str, Any] = {"range": a1.write(sheet.title, sheet.clip(box)), "majorDimension": major}
    if found:
        out["values"] = found if major == ROWS else turned(found)
    return out


def get(context: Context, params: Options) -> dict[str, Any]:
    sheet, box = context.find(params["range"])
    return value_range(context, sheet, box, params)


def batch_get(context: Context, params: Options) -> dict[str, Any]:
    ranges = params.get("ranges") or []
    texts = ranges if isinstance(ranges, list) else [ranges]
    out: dict[str, Any] = {"spreadsheetId": context.file.id}
    found = [value_range(context, *context.find(text), params) for text in texts]
    if found:
        out["valueRanges"] = found
    return out


def batch_get_by_filter(context: Context, body: Options) -> dict[str, Any]:
    """Each range once, with the filters that mean it."""
    by: dict[tuple[int, Box], tuple[Sheet, Box, list[dict[str, Any]]]] = {}
    for each in body.get("dataFilters", []):
        for sheet, box in metadata.areas(context, each):
            by.setdefault((sheet.id, sheet.clip(box)), (sheet, box, []))[2].append(each)
    found = [
        {
            "valueRange": value_range(context, sheet, box, body),
            "dataFilters": [echoed(each) for each in filters],
        }
        for sheet, box, filters in by.values()
    ]
    out: dict[str, Any] = {"spreadsheetId": context.file.id}
    if found:
        out["valueRanges"] = found
    return out


def echoed(data_filter: dict[str, Any]) -> dict[str, Any]:
    """A filter as it comes back: the zeros of a grid range go without saying."""
    if "gridRange" not in data_filter:
        return data_filter
    return {"gridRange": {name: value for name, value in data_filter["gridRange"].items() if value}}
