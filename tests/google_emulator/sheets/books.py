"""Making spreadsheets: by the API, by Drive, from and to comma-separated text."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.google_emulator.sheets import (
    a1,
    celldata,
    office,
    render,
    requests_paste,
    requests_ranges,
    requests_sheets,
)
from tests.google_emulator.sheets.book import COLUMNS, ROWS, Book, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import refusing
from tests.google_emulator.world import SPREADSHEET, Caller, File, World

Body = dict[str, Any]
UNTITLED = "Untitled spreadsheet"


def fresh() -> Book:
    """What Drive makes when it is asked for a spreadsheet."""
    book = Book()
    book.sheets.append(Sheet(0, "Sheet1"))
    return book


def create(world: World, caller: Caller, body: Body) -> Body:
    """spreadsheets.create, with whatever of a Spreadsheet the body already holds."""
    given = body.get("properties", {})
    file = world.create_file(given.get("title") or UNTITLED, SPREADSHEET, caller, Book())
    context = Context(world, file, caller)
    try:
        with refusing():
            requests_sheets.set_book_properties(context.book, given)
            for index, each in enumerate(body.get("sheets") or [{}]):
                properties = dict(each.get("properties", {}))
                context.book.sheets.append(requests_sheets.make(context, properties))
                _fill(context, context.book.sheets[index], each)
            context.book.hold_limit()
            for named in body.get("namedRanges", []):
                requests_ranges.add_named(context, {"namedRange": named})
            recalculate(context.book, context.now())
            return render.spreadsheet(context, [], {}, False)
    except Exception:
        del world.files[file.id]
        raise


def _fill(context: Context, sheet: Sheet, given: Body) -> None:
    """The cells, sizes and merges of a Sheet sent with `create`."""
    for grid in given.get("data", []):
        top, left = grid.get("startRow", 0), grid.get("startColumn", 0)
        for down, row in enumerate(grid.get("rowData", [])):
            for along, data in enumerate(row.get("values", [])):
                place = (top + down, left + along)
                sheet.rows, sheet.columns = max(sheet.rows, place[0] + 1), max(sheet.columns, place[1] + 1)
                sheet.put(*place, celldata.patch(sheet.at(*place), data, {}, context.book))
        for name, dimension, start in (("rowMetadata", ROWS, top), ("columnMetadata", COLUMNS, left)):
            for index, line in enumerate(grid.get(name, [])):
                kept = {key: line[key] for key in ("pixelSize", "hiddenByUser") if line.get(key)}
                if kept:
                    sheet.lines[dimension][start + index] = kept
    sheet.merges = [sheet.clip(a1.box_of(each)) for each in given.get("merges", [])]
    for rule in given.get("conditionalFormats", []):
        count = len(sheet.objects["conditionalFormats"])
        requests_ranges.add_rule(context, {"rule": rule, "index": count})
    for protected in given.get("protectedRanges", []):
        requests_ranges.add_protected(context, {"protectedRange": protected})


def context_of(world: World, file: File, caller: Caller | None = None) -> Context:
    if file.data is None:
        file.data = fresh()
    return Context(world, file, caller or Caller(file.owner))


def import_text(file: File, text: str, world: World, delimiter: str = ",") -> None:
    """Replaces everything by one sheet with the text typed in."""
    context = context_of(world, file)
    lines = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    old = context.book
    book = Book()
    book.properties = old.properties
    title = old.sheets[0].title if old.sheets else "Sheet1"
    sheet = Sheet(old.sheets[0].id if old.sheets else 0, title, max(len(lines), 1), 1)
    sheet.columns = max((len(line) for line in lines), default=1) or 1
    book.sheets.append(sheet)
    file.data = book
    requests_paste.type_in(context, sheet, 0, 0, lines)


def import_workbook(file: File, data: bytes, world: World) -> None:
    """Replaces everything by the tabs of another program's workbook."""
    old = context_of(world, file).book
    book = Book()
    book.properties = old.properties
    book.sheets = office.from_xlsx(data, book)
    file.data = book
