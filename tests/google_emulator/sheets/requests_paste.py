"""Requests that copy, cut and paste blocks of cells, and pastes of text."""

from __future__ import annotations

import csv
import io
from typing import Any

from tests.google_emulator.sheets import a1, entry, moving, patterns, protection, reading
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import EMPTY, Cell, Formula, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.requests_cells import block, coordinate, relative

Body = dict[str, Any]


def copy(context: Context, body: Body) -> Body:
    """copyPaste: a destination of a multiple of the source's size is filled with copies, any other takes one."""
    source_sheet, source = block(context, body.get("source", {}))
    target_sheet, target = block(context, body.get("destination", {}))
    turned = body.get("pasteOrientation") == "TRANSPOSE"
    kind = body.get("pasteType", "PASTE_NORMAL")
    height, width = (source.width, source.height) if turned else (source.height, source.width)
    if not height or not width:
        return {}
    down = target.height // height if target.height % height == 0 else 1
    across = target.width // width if target.width % width == 0 else 1
    reach = Box(target.top, target.left, target.top + height * down, target.left + width * across)
    protection.hold(context, target_sheet, [reach])
    _grow(context, target_sheet, reach)
    recalculate(context.book, context.now())
    taken = {(row, column): source_sheet.at(row, column) for row, column in source_sheet.every(source)}
    shown = {place: _outcome(context, source_sheet, place, cell) for place, cell in taken.items()}
    merges = [box for box in source_sheet.merges if source.covers(box)]
    for copy_row in range(down):
        for copy_column in range(across):
            top, left = target.top + copy_row * height, target.left + copy_column * width
            for (row, column), cell in taken.items():
                deep, wide = row - source.top, column - source.left
                to_row, to_column = (top + wide, left + deep) if turned else (top + deep, left + wide)
                new = relative(cell, to_row - row, to_column - column)
                old = target_sheet.at(to_row, to_column)
                target_sheet.put(to_row, to_column, pasted(old, new, shown[(row, column)], kind))
            if kind in ("PASTE_NORMAL", "PASTE_FORMAT", "PASTE_NO_BORDERS") and not turned:
                _merge(target_sheet, merges, top - source.top, left - source.left)
    if (
        kind in ("PASTE_NORMAL", "PASTE_FORMAT", "PASTE_CONDITIONAL_FORMATTING")
        and source_sheet is target_sheet
    ):
        _rules(source_sheet, source, reach)
    context.book.stale = True
    return {}


def _grow(context: Context, sheet: Sheet, reach: Box) -> None:
    sheet.rows, sheet.columns = max(sheet.rows, reach.bottom or 0), max(sheet.columns, reach.right or 0)
    context.book.hold_limit()


def _outcome(context: Context, sheet: Sheet, place: tuple[int, int], cell: Cell) -> Cell:
    """The cell with its formula replaced by what it comes to."""
    if type(cell.value) is not Formula:
        return cell
    value = context.book.value(sheet, *place, cell)
    return cell._replace(value=value if not isinstance(value, tuple) else patterns.show(value, None, "en_US"))


def pasted(old: Cell, new: Cell, outcome: Cell, kind: str) -> Cell:
    """What a paste of this kind makes of a cell."""
    if kind == "PASTE_VALUES":
        return old._replace(value=outcome.value, extra=outcome.extra)
    if kind == "PASTE_FORMULA":
        return old._replace(value=new.value, extra=new.extra)
    if kind == "PASTE_FORMAT":
        return old._replace(format=new.format)
    if kind == "PASTE_DATA_VALIDATION":
        return old._replace(validation=new.validation)
    if kind == "PASTE_CONDITIONAL_FORMATTING":
        return old
    if kind == "PASTE_NO_BORDERS":
        kept = {name: value for name, value in (new.format or {}).items() if name != "borders"}
        borders = (old.format or {}).get("borders")
        kept |= {"borders": borders} if borders else {}
        return new._replace(format=kept or None)
    return new


def _merge(sheet: Sheet, merges: list[Box], down: int, right: int) -> None:
    for box in merges:
        moved = Box(box.top + down, box.left + right, (box.bottom or 0) + down, (box.right or 0) + right)
        sheet.merges = [old for old in sheet.merges if not old.meets(moved)] + [moved]


def _rules(sheet: Sheet, source: Box, reach: Box) -> None:
    """Conditional formats over the whole source are extended to the destination."""
    for rule in sheet.objects["conditionalFormats"]:
        if any(a1.box_of(each).covers(source) for each in rule["ranges"]):
            if not any(a1.box_of(each).covers(reach) for each in rule["ranges"]):
                rule["ranges"].append({"sheetId": sheet.id} | a1.grid_range(0, reach))


def cut(context: Context, body: Body) -> Body:
    """cutPaste: the cells go, and what referred to them goes along; the place they left is blank."""
    source_sheet, source = block(context, body.get("source", {}))
    target_sheet, top, left = coordinate(context, body.get("destination", {}))
    kind = body.get("pasteType", "PASTE_NORMAL")
    reach = Box(top, left, top + source.height, left + source.width)
    protection.hold(context, source_sheet, [source])
    protection.hold(context, target_sheet, [reach])
    _grow(context, target_sheet, reach)
    recalculate(context.book, context.now())
    taken = {(row, column): source_sheet.at(row, column) for row, column in source_sheet.every(source)}
    shown = {place: _outcome(context, source_sheet, place, cell) for place, cell in taken.items()}
    merges = [box for box in source_sheet.merges if source.covers(box)]
    source_sheet.merges = [box for box in source_sheet.merges if box not in merges]
    for row, column in taken:
        old = source_sheet.at(row, column)
        left_over = {
            "PASTE_FORMAT": old._replace(format=None),
            "PASTE_VALUES": old._replace(value=None, extra=None),
            "PASTE_FORMULA": old._replace(value=None, extra=None),
            "PASTE_DATA_VALIDATION": old._replace(validation=None),
        }.get(kind, EMPTY)
        source_sheet.put(row, column, left_over)
    for (row, column), cell in taken.items():
        to_row, to_column = row + top - source.top, column + left - source.left
        old = target_sheet.at(to_row, to_column)
        target_sheet.put(to_row, to_column, pasted(old, cell, shown[(row, column)], kind))
    if kind == "PASTE_NORMAL":
        _merge(target_sheet, merges, top - source.top, left - source.left)
        if source_sheet is target_sheet:
            moving.carry_refs(context.book, source_sheet, source, top - source.top, left - source.left)
    context.book.stale = True
    return {}


def paste_data(context: Context, body: Body) -> Body:
    """pasteData: delimited text, typed in; HTML is beyond the emulator."""
    if body.get("html"):
        raise RefusedError("The emulator does not paste HTML.", 501)
    sheet, top, left = coordinate(context, body.get("coordinate", {}))
    delimiter = body.get("delimiter", "\t")
    if len(delimiter) != 1:
        raise RefusedError(f"Invalid delimiter: {delimiter}")
    lines = list(csv.reader(io.StringIO(body.get("data", "")), delimiter=delimiter))
    width = max((len(line) for line in lines), default=1)
    reach = Box(top, left, top + max(len(lines), 1), left + max(width, 1))
    protection.hold(context, sheet, [reach])
    _grow(context, sheet, reach)
    type_in(context, sheet, top, left, lines)
    return {}


def type_in(context: Context, sheet: Sheet, top: int, left: int, lines: list[list[str]]) -> None:
    """Texts as if somebody typed them, formats included."""
    today = context.now().date()
    for down, line in enumerate(lines):
        for along, text in enumerate(line):
            cell = sheet.at(top + down, left + along)
            found = entry.typed(context.book, sheet, cell, text, today)
            if found.format and "numberFormat" not in (cell.format or {}):
                cell = cell._replace(format={**(cell.format or {}), "numberFormat": found.format})
            sheet.put(top + down, left + along, cell._replace(value=found.value, extra=None))
    context.book.stale = True


def shown_text(context: Context, sheet: Sheet, row: int, column: int, cell: Cell) -> str:
    """What a person sees in the cell."""
    found = reading.render(context.book, sheet, row, column, cell, reading.FORMATTED, False)
    return "" if found is None else str(found)


KINDS = {"copyPaste": copy, "cutPaste": cut, "pasteData": paste_data}
