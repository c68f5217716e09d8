"""Copies of sheets, within a spreadsheet and into another."""

from __future__ import annotations

import copy
from typing import Any

from tests.google_emulator.sheets import render
from tests.google_emulator.sheets.book import Book, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.requests_sheets import hold_id, hold_title, home_of

Body = dict[str, Any]


def duplicate(context: Context, body: Body) -> Body:
    book = context.book
    source = book.sheet(body.get("sourceSheetId", 0), "sheet")
    title = body.get("newSheetName") or _copy_title(book, source.title)
    index = body.get("insertSheetIndex", 0)
    twin = copied(context, source, title, body.get("newSheetId"))
    book.sheets.insert(min(index, len(book.sheets)), twin)
    book.hold_limit()
    book.stale = True
    for tag in [tag for tag in book.metadata if home_of(tag["location"]) == source.id]:
        _copy_tag(context, tag, twin)
    return {"properties": render.properties(book, twin)}


def _copy_title(book: Book, title: str) -> str:
    wanted, number = f"Copy of {title}", 1
    while book.titled(wanted):
        number += 1
        wanted = f"Copy of {title} {number}"
    return wanted


def _copy_tag(context: Context, tag: Body, twin: Sheet) -> None:
    new = copy.deepcopy(tag)
    new["metadataId"] = context.new_id({each["metadataId"] for each in context.book.metadata})
    new["location"].get("dimensionRange", new["location"])["sheetId"] = twin.id
    context.book.metadata.append(new)


def copied(context: Context, source: Sheet, title: str, number: int | None) -> Sheet:
    """A copy of a sheet under a new name; what lies on it gets new ids where ids must differ."""
    book = context.book
    hold_title(book, title)
    if number is None:
        number = context.new_id({sheet.id for sheet in book.sheets})
    hold_id(book, number)
    twin = copy.deepcopy(source)
    twin.id, twin.title = number, title
    twin.props.pop("hidden", None)
    fresh = {
        "filterViews": "filterViewId",
        "protectedRanges": "protectedRangeId",
        "charts": "chartId",
        "bandedRanges": "bandedRangeId",
        "slicers": "slicerId",
        "tables": "tableId",
    }
    for name, kept in twin.objects.items():
        for each in kept:
            _rehome(each, source.id, number)
            if name in fresh:
                new = context.world.ids.number()
                each[fresh[name]] = str(new) if name == "tables" else new
            if name == "tables":
                each["name"] = f"{each['name']}_{len(book.sheets)}"
    if twin.basic_filter:
        _rehome(twin.basic_filter, source.id, number)
    return twin


PLACES = ("range", "ranges", "unprotectedRanges", "anchorCell", "dataRange", "sources")


def _rehome(message: Any, old: int, new: int) -> None:
    """Every range of the old sheet in a message becomes one of the new."""
    if isinstance(message, list):
        for each in message:
            _rehome(each, old, new)
    elif isinstance(message, dict):
        for name, value in message.items():
            for each in value if isinstance(value, list) else [value]:
                if name in PLACES and isinstance(each, dict) and each.get("sheetId", 0) == old:
                    each["sheetId"] = new
            _rehome(value, old, new)


def copy_to(context: Context, sheet_id: int, target: Context) -> Body:
    """sheets.copyTo: into another spreadsheet, or the same."""
    source = context.book.sheet(sheet_id, "sheet")
    twin = copied(target, source, _copy_title(target.book, source.title), None)
    target.book.sheets.append(twin)
    target.book.hold_limit()
    target.book.stale = True
    return render.properties(target.book, twin)


KINDS = {"duplicateSheet": duplicate}
