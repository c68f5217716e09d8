"""What refers to cells follows them: formulas, named and protected ranges, merges, filters, rules, charts, tags.

The cells themselves are moved by `moving.py`; here only what points at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.google_emulator.sheets import a1, formula_text
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import COLUMNS, ROWS, Book, Cell, Formula, Sheet

Place = Callable[[Box], Box | None]


def follow(book: Book, sheet: Sheet, place: Place) -> None:
    """Takes everything that refers to cells of `sheet` to where `place` says they are now."""
    book.stale = True
    sheet.merges = [
        new for new in (place(old) for old in sheet.merges) if new and (new.height > 1 or new.width > 1)
    ]
    _ranges(book, sheet, place)
    rewrite(book, lambda text, home: formula_text.follow(text, home, sheet, book, place))


def rewrite(book: Book, change: Callable[[str, Sheet], str]) -> None:
    """Every formula of the spreadsheet, in cells, validations and rules, put through `change(text, its sheet)`."""
    for home in book.sheets:
        for line in home.cells.values():
            for column, cell in line.items():
                if type(cell.value) is Formula or cell.validation:
                    new = _cell(cell, home, change)
                    if new is not cell:
                        line[column] = new
        for name in ("conditionalFormats", "filterViews"):
            home.objects[name] = [_conditions(rule, home, change) for rule in home.objects[name]]
        if home.basic_filter:
            home.basic_filter = _conditions(home.basic_filter, home, change)


def _cell(cell: Cell, home: Sheet, change: Callable[[str, Sheet], str]) -> Cell:
    if type(cell.value) is Formula:
        text = change(cell.value.text, home)
        if text != cell.value.text:
            cell = cell._replace(value=Formula(text))
    if cell.validation:
        rule = _conditions(cell.validation, home, change)
        if rule != cell.validation:
            cell = cell._replace(validation=rule)
    return cell


def _conditions(message: Any, home: Sheet, change: Callable[[str, Sheet], str]) -> Any:
    """A copy in which the formulas of conditions are changed; they are texts under `userEnteredValue`."""
    if isinstance(message, list):
        return [_conditions(each, home, change) for each in message]
    if not isinstance(message, dict):
        return message
    return {
        name: change(each, home)
        if name == "userEnteredValue" and isinstance(each, str) and each.startswith("=")
        else _conditions(each, home, change)
        for name, each in message.items()
    }


def holders(book: Book) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Every stored thing with a GridRange, and the list it is in."""
    for named in book.named_ranges:
        yield book.named_ranges, named
    for sheet in book.sheets:
        for name, kept in sheet.objects.items():
            if name not in ("rowGroups", "columnGroups"):
                for each in kept:
                    yield kept, each


def _ranges(book: Book, sheet: Sheet, place: Place) -> None:
    gone: list[tuple[list[dict[str, Any]], dict[str, Any]]] = []
    for kept, each in holders(book):
        alive = True
        for name in ("range", "ranges", "unprotectedRanges"):
            if name in each:
                alive = _moved(each, name, sheet, place) and alive
        anchor = _anchor(each)
        if anchor is not None and anchor.get("sheetId", 0) == sheet.id:
            _move_anchor(anchor, place)
        if not alive:
            gone.append((kept, each))
    for kept, each in gone:
        kept.remove(each)
    if sheet.basic_filter and not _moved(sheet.basic_filter, "range", sheet, place):
        sheet.basic_filter = None


def _moved(holder: dict[str, Any], name: str, sheet: Sheet, place: Place) -> bool:
    """Moves one range or a list of them; False when nothing is left of what must be somewhere."""
    value = holder[name]
    if isinstance(value, list):
        new = [moved for moved in (_one(each, sheet, place) for each in value) if moved is not None]
        holder[name] = new
        if not new and name == "unprotectedRanges":
            del holder[name]
        return bool(new) or name == "unprotectedRanges"
    moved = _one(value, sheet, place)
    if moved is None:
        return False
    holder[name] = moved
    return True


def _one(grid_range: dict[str, Any], sheet: Sheet, place: Place) -> dict[str, Any] | None:
    if grid_range.get("sheetId", 0) != sheet.id:
        return grid_range
    new = place(a1.box_of(grid_range))
    if new is None:
        return None
    ends = {
        "startRowIndex": new.top if "startRowIndex" in grid_range or new.top else None,
        "endRowIndex": new.bottom,
        "startColumnIndex": new.left if "startColumnIndex" in grid_range or new.left else None,
        "endColumnIndex": new.right,
    }
    out = {"sheetId": grid_range["sheetId"]} if "sheetId" in grid_range else {}
    return out | {name: end for name, end in ends.items() if end is not None}


def _anchor(each: dict[str, Any]) -> dict[str, Any] | None:
    found = each.get("position", {}).get("overlayPosition", {}).get("anchorCell")
    return found if isinstance(found, dict) else None


def _move_anchor(anchor: dict[str, Any], place: Place) -> None:
    row, column = anchor.get("rowIndex", 0), anchor.get("columnIndex", 0)
    new = place(Box(row, column, row + 1, column + 1))
    if new is not None:
        anchor["rowIndex"], anchor["columnIndex"] = new.top, new.left


def follow_lines(book: Book, sheet: Sheet, dimension: str, place: Place) -> None:
    """Tags of rows or columns, and groups of them; a tag whose row is gone is gone."""

    def line(start: int, end: int) -> tuple[int, int] | None:
        by_rows = dimension == ROWS
        new = place(Box(start, 0, end, 1) if by_rows else Box(0, start, 1, end))
        if new is None:
            return None
        return (new.top, new.bottom or 0) if by_rows else (new.left, new.right or 0)

    kept = []
    for tag in book.metadata:
        span = tag["location"].get("dimensionRange")
        if span and span.get("sheetId", 0) == sheet.id and span["dimension"] == dimension:
            new = line(span.get("startIndex", 0), span["endIndex"])
            if new is None:
                continue
            span["startIndex"], span["endIndex"] = new
        kept.append(tag)
    book.metadata = kept
    name = "rowGroups" if dimension == ROWS else "columnGroups"
    groups = []
    for group in sheet.objects[name]:
        new = line(group["range"]["startIndex"], group["range"]["endIndex"])
        if new is not None and new[0] < new[1]:
            group["range"]["startIndex"], group["range"]["endIndex"] = new
            groups.append(group)
    sheet.objects[name] = groups


__all__ = ["COLUMNS", "ROWS", "follow", "follow_lines", "holders", "rewrite"]
