"""Requests about the spreadsheet as a whole and about its sheets: properties, adding, removing."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import available_timezones

from tests.google_emulator.sheets import following, formula_text, locales, masks, moving, protection, render
from tests.google_emulator.sheets.book import COLUMNS, ROWS, Book, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.refusal import RefusedError

Body = dict[str, Any]
_GMT = re.compile(r"GMT[+-]\d{2}:\d{2}")


def update_book(context: Context, body: Body) -> Body:
    given = body.get("properties", {})
    tree = masks.read(body.get("fields"), "SpreadsheetProperties")
    if masks.touches(tree, "title"):
        if not given.get("title"):
            raise RefusedError("The spreadsheet title cannot be empty.")
        context.world.rename(context.file, given["title"])
    set_book_properties(context.book, {name: given[name] for name in given if masks.touches(tree, name)})
    return {}


def set_book_properties(book: Book, given: Body) -> None:
    if "locale" in given:
        if not locales.known(given["locale"]):
            raise RefusedError(f"Unsupported locale: {given['locale']}")
        book.properties["locale"] = given["locale"]
    if "timeZone" in given:
        if given["timeZone"] not in available_timezones() and not _GMT.fullmatch(given["timeZone"]):
            raise RefusedError(f"Invalid time zone: {given['timeZone']}")
        book.properties["timeZone"] = given["timeZone"]
    for name in (
        "autoRecalc",
        "iterativeCalculationSettings",
        "spreadsheetTheme",
        "importFunctionsExternalUrlAccessAllowed",
    ):
        if name in given:
            book.properties[name] = given[name]
    book.stale = True


def hold_title(book: Book, title: str, own: Sheet | None = None) -> None:
    if not title:
        raise RefusedError("The sheet name cannot be empty.")
    if len(title) > 100:
        raise RefusedError("The sheet name cannot be greater than 100 characters.")
    twin = book.titled(title)
    if twin is not None and twin is not own:
        raise RefusedError(f'A sheet with the name "{title}" already exists. Please enter another name.')


def hold_id(book: Book, number: int) -> None:
    if number < 0:
        raise RefusedError("Sheet id must be non-negative.")
    if any(sheet.id == number for sheet in book.sheets):
        raise RefusedError(f"Sheet with id {number} already exists.")


def free_title(book: Book) -> str:
    word = {"ja": "シート", "de": "Tabellenblatt", "fr": "Feuille "}.get(book.locale[:2], "Sheet")
    number = len(book.sheets) + 1
    while book.titled(f"{word}{number}"):
        number += 1
    return f"{word}{number}"


def make(context: Context, given: Body) -> Sheet:
    """A sheet with the properties given, not yet in the spreadsheet."""
    book = context.book
    title = given.get("title") or free_title(book)
    hold_title(book, title)
    number = given.get("sheetId")
    if number is None:
        number = context.new_id({sheet.id for sheet in book.sheets}) if book.sheets else 0
    hold_id(book, number)
    sheet = Sheet(number, title)
    grid = given.get("gridProperties", {})
    for dimension, name in ((ROWS, "rowCount"), (COLUMNS, "columnCount")):
        if name in grid:
            _hold_size(grid[name], name)
            sheet.resize(dimension, grid[name])
    set_grid(sheet, grid)
    set_looks(sheet, given, {})
    return sheet


def _hold_size(size: int, name: str) -> None:
    if size <= 0:
        raise RefusedError(f"gridProperties.{name} must be greater than zero.")


def set_grid(sheet: Sheet, grid: Body) -> None:
    for name, value in grid.items():
        if name not in ("rowCount", "columnCount"):
            sheet.grid[name] = value
    for name, size, word in (
        ("frozenRowCount", sheet.rows, "rows"),
        ("frozenColumnCount", sheet.columns, "columns"),
    ):
        if sheet.grid.get(name, 0) >= size:
            raise RefusedError(f"You can't freeze all visible {word} on the sheet.")


def set_looks(sheet: Sheet, given: Body, tree: Body) -> None:
    """Hidden, direction and colour of the tab; both spellings of a colour are kept."""
    given = masks.evened({name: given[name] for name in given if name != "gridProperties"})
    colour = masks.touches(tree, "tabColor") or masks.touches(tree, "tabColorStyle")
    for name in ("hidden", "rightToLeft", "sheetType"):
        if masks.touches(tree, name):
            if name in given:
                sheet.props[name] = given[name]
            elif tree and name != "sheetType":
                sheet.props.pop(name, None)
    for name in ("tabColor", "tabColorStyle"):
        if colour:
            if name in given:
                sheet.props[name] = given[name]
            elif tree:
                sheet.props.pop(name, None)


def add(context: Context, body: Body) -> Body:
    given, book = body.get("properties", {}), context.book
    sheet = make(context, given)
    index = given.get("index", len(book.sheets))
    book.sheets.insert(min(index, len(book.sheets)), sheet)
    book.hold_limit()
    book.stale = True
    return {"properties": render.properties(book, sheet)}


def delete(context: Context, body: Body) -> Body:
    book = context.book
    sheet = book.sheet(body.get("sheetId", 0), "sheet")
    protection.hold_sheet(context, sheet)
    protection.hold(context, sheet, [sheet.whole()])
    if len(book.sheets) == 1:
        raise RefusedError("You can't remove all the sheets in a document.")
    book.sheets.remove(sheet)
    if all(each.props.get("hidden") for each in book.sheets):
        raise RefusedError("You can't remove all the visible sheets in a document.")
    book.named_ranges = [named for named in book.named_ranges if named["range"].get("sheetId", 0) != sheet.id]
    book.metadata = [tag for tag in book.metadata if home_of(tag["location"]) != sheet.id]
    following.rewrite(book, lambda text, home: formula_text.without(text, sheet.title))
    book.stale = True
    return {}


def home_of(location: Body) -> int | None:
    found: int | None = location.get("dimensionRange", location).get("sheetId")
    return found


def update(context: Context, body: Body) -> Body:
    given, book = body.get("properties", {}), context.book
    tree = masks.read(body.get("fields"), "SheetProperties")
    sheet = book.sheet(given.get("sheetId", 0), "sheet")
    protection.hold_sheet(context, sheet)
    if masks.touches(tree, "title") and (tree or "title" in given):
        hold_title(book, given.get("title", ""), sheet)
        old, sheet.title = sheet.title, given["title"]
        following.rewrite(book, lambda text, home: formula_text.renamed(text, old, sheet.title))
        book.stale = True
    if masks.touches(tree, "gridProperties") and (tree or "gridProperties" in given):
        _update_grid(book, sheet, given.get("gridProperties", {}), masks.below(tree, "gridProperties"))
    set_looks(sheet, given, tree)
    if all(each.props.get("hidden") for each in book.sheets):
        raise RefusedError("You can't hide all the sheets in a document.")
    if masks.touches(tree, "index") and (tree or "index" in given):
        _reorder(book, sheet, given.get("index", len(book.sheets)))
    return {}


def _update_grid(book: Book, sheet: Sheet, grid: Body, tree: Body) -> None:
    """Rows first, then columns, each held against the limit of cells: so the service does it."""
    for dimension, name in ((ROWS, "rowCount"), (COLUMNS, "columnCount")):
        if masks.touches(tree, name) and (tree or name in grid):
            _hold_size(grid.get(name, 0), name)
            moving.truncate(book, sheet, dimension, grid[name])
    for name in (
        "frozenRowCount",
        "frozenColumnCount",
        "hideGridlines",
        "rowGroupControlAfter",
        "columnGroupControlAfter",
    ):
        if masks.touches(tree, name):
            if grid.get(name):
                sheet.grid[name] = grid[name]
            else:
                sheet.grid.pop(name, None)
    set_grid(sheet, {})


def _reorder(book: Book, sheet: Sheet, index: int) -> None:
    """The new place counts in the order before the move; the next place is the same place."""
    current = book.sheets.index(sheet)
    if index in (current, current + 1):
        return
    book.sheets.remove(sheet)
    book.sheets.insert(index - 1 if index > current else index, sheet)


KINDS = {
    "updateSpreadsheetProperties": update_book,
    "addSheet": add,
    "deleteSheet": delete,
    "updateSheetProperties": update,
}
