"""Requests that write cells: values, formats, borders, validation, and merging."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import a1, celldata, formula_text, masks, protection, tables
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import EMPTY, ROWS, Cell, Formula, Sheet
from tests.google_emulator.sheets.context import Context, hold_start
from tests.google_emulator.sheets.refusal import RefusedError

Body = dict[str, Any]


def block(context: Context, given: Body) -> tuple[Sheet, Box]:
    """The rectangle of a GridRange as the grid has it; it must begin on the grid."""
    sheet = context.book.sheet(given.get("sheetId", 0))
    found = a1.box_of(given)
    hold_start(sheet, found)
    if (found.bottom is not None and found.bottom < found.top) or (
        found.right is not None and found.right < found.left
    ):
        raise RefusedError("The range's end must not be before its start.")
    return sheet, sheet.clip(found)


def coordinate(context: Context, given: Body) -> tuple[Sheet, int, int]:
    """The place of a GridCoordinate, which must be on the grid."""
    sheet = context.book.sheet(given.get("sheetId", 0))
    row, column = given.get("rowIndex", 0), given.get("columnIndex", 0)
    if row >= sheet.rows:
        raise RefusedError(f"GridCoordinate.rowIndex[{row}] is after last row in grid[{sheet.rows - 1}]")
    if column >= sheet.columns:
        raise RefusedError(
            f"GridCoordinate.columnIndex[{column}] is after last column in grid[{sheet.columns - 1}]"
        )
    return sheet, row, column


def update(context: Context, body: Body) -> Body:
    """updateCells: with a range, its cells that no row covers lose what the mask names."""
    tree = masks.read(body.get("fields"), "CellData")
    rows = body.get("rows", [])
    if "range" in body:
        sheet, box = block(context, body["range"])
    elif "start" in body:
        sheet, top, left = coordinate(context, body["start"])
        width = max((len(row.get("values", [])) for row in rows), default=0)
        box = Box(top, left, sheet.rows, sheet.columns)
        protected = Box(top, left, top + max(len(rows), 1), left + max(width, 1))
    else:
        raise RefusedError("Must specify one of 'start' or 'range'.")
    protection.hold(context, sheet, [box if "range" in body else protected])
    _hold_inside(rows, box)
    if "range" in body:
        _clear_rest(context, sheet, box, rows, tree)
    for down, row in enumerate(rows):
        for along, given in enumerate(row.get("values", [])):
            _patch(context, sheet, box.top + down, box.left + along, given, tree)
    context.book.stale = True
    tables.after_writing(context, sheet, box if "range" in body else protected)
    return {}


def _hold_inside(rows: list[Body], box: Box) -> None:
    height, width = box.height, box.width
    if len(rows) > height:
        raise RefusedError(
            f"Attempting to write row: {box.top + height}, beyond the last requested row of: {box.top + height - 1}"
        )
    if any(len(row.get("values", [])) > width for row in rows):
        raise RefusedError(
            f"Attempting to write column: {box.left + width}, beyond the last requested column of: "
            f"{box.left + width - 1}"
        )


def _clear_rest(context: Context, sheet: Sheet, box: Box, rows: list[Body], tree: Body) -> None:
    for row, column, cell in list(sheet.inside(box)):
        down = row - box.top
        if down >= len(rows) or column - box.left >= len(rows[down].get("values", [])):
            sheet.put(row, column, celldata.patch(cell, {}, tree, context.book))


def _patch(context: Context, sheet: Sheet, row: int, column: int, given: Body, tree: Body) -> None:
    if sheet.merges and given.get("userEnteredValue") and sheet.under_merge(row, column):
        given = {name: value for name, value in given.items() if name != "userEnteredValue"}
    sheet.put(row, column, celldata.patch(sheet.at(row, column), given, tree, context.book))


def repeat(context: Context, body: Body) -> Body:
    """repeatCell: the same everywhere; formulas as if copied from the first cell."""
    tree = masks.read(body.get("fields"), "CellData", "cell")
    sheet, box = block(context, body.get("range", {}))
    protection.hold(context, sheet, [box])
    given = body.get("cell", {})
    text = given.get("userEnteredValue", {}).get("formulaValue")
    if text and masks.touches(tree, "userEnteredValue"):
        for row, column in sheet.every(box):
            moved = formula_text.moved(text, row - box.top, column - box.left)
            here = {**given, "userEnteredValue": {"formulaValue": moved}}
            _patch(context, sheet, row, column, here, tree)
    else:
        made: dict[int, Cell] = {}
        for row, column in sheet.every(box):
            old = sheet.at(row, column)
            new = made.get(id(old))
            if new is None or old is not EMPTY:
                new = celldata.patch(old, given, tree, context.book)
            if old is EMPTY:
                made[id(old)] = new
            sheet.put(row, column, new)
    context.book.stale = True
    tables.after_writing(context, sheet, box)
    return {}


def append(context: Context, body: Body) -> Body:
    """appendCells: after the last row of the sheet with a value, or at the end of a table."""
    tree = masks.read(body.get("fields"), "CellData")
    rows, book = body.get("rows", []), context.book
    width = max((len(row.get("values", [])) for row in rows), default=0)
    if body.get("tableId"):
        sheet, table = tables.find(context, body["tableId"])
        box = a1.box_of(table["range"])
        top, left = box.bottom or 0, box.left
        table["range"]["endRowIndex"] = top + len(rows)
    else:
        sheet = book.sheet(body.get("sheetId", 0))
        top, left = sheet.last_row(), 0
    if left + width > sheet.columns:
        raise RefusedError(
            f"Attempting to write column: {sheet.columns}, beyond the last requested column of: {sheet.columns - 1}"
        )
    protection.hold(context, sheet, [Box(top, left, top + max(len(rows), 1), left + max(width, 1))])
    if top + len(rows) > sheet.rows:
        sheet.rows = top + len(rows)
        book.hold_limit()
    for down, row in enumerate(rows):
        for along, given in enumerate(row.get("values", [])):
            _patch(context, sheet, top + down, left + along, given, tree)
    book.stale = True
    return {}


SIDES = ("top", "bottom", "left", "right")


def borders(context: Context, body: Body) -> Body:
    """updateBorders: outer sides at the rim, inner ones between; a side not given stays."""
    sheet, box = block(context, body.get("range", {}))
    protection.hold(context, sheet, [box])
    last_row, last_column = (box.bottom or 0) - 1, (box.right or 0) - 1
    for row, column in sheet.every(box):
        wanted = {
            "top": "top" if row == box.top else "innerHorizontal",
            "bottom": "bottom" if row == last_row else "innerHorizontal",
            "left": "left" if column == box.left else "innerVertical",
            "right": "right" if column == last_column else "innerVertical",
        }
        lines = {side: body[name] for side, name in wanted.items() if name in body}
        if lines:
            given = {"userEnteredFormat": {"borders": lines}}
            tree = {"userEnteredFormat": {"borders": {side: {} for side in lines}}}
            _patch(context, sheet, row, column, given, tree)
    return {}


def validation(context: Context, body: Body) -> Body:
    """setDataValidation; without a rule the cells lose theirs."""
    sheet, box = block(context, body.get("range", {}))
    protection.hold(context, sheet, [box])
    rule = body.get("rule") or None
    if rule is not None:
        _hold_rule(rule)
    if any(each.meets(box) for each in tables.typed_columns(sheet)):
        raise RefusedError("This operation is not allowed on cells in typed columns.")
    for row, column in sheet.every(box) if rule else [place[:2] for place in sheet.inside(box)]:
        if not (rule and body.get("filteredRowsIncluded") is False and _filtered(sheet, row)):
            sheet.put(row, column, sheet.at(row, column)._replace(validation=rule))
    return {}


def _filtered(sheet: Sheet, row: int) -> bool:
    return bool(sheet.lines[ROWS].get(row, {}).get("hiddenByFilter"))


VALUES = {
    "ONE_OF_LIST": 1,
    "ONE_OF_RANGE": 1,
    "CUSTOM_FORMULA": 1,
    "NUMBER_BETWEEN": 2,
    "NUMBER_NOT_BETWEEN": 2,
}


def _hold_rule(rule: Body) -> None:
    condition = rule.get("condition", {})
    kind = condition.get("type")
    if not kind or kind == "CONDITION_TYPE_UNSPECIFIED":
        raise RefusedError("ConditionType is required.")
    values = condition.get("values", [])
    if len(values) < VALUES.get(kind, 0) or (kind == "BOOLEAN" and len(values) > 2):
        raise RefusedError(f"ConditionType '{kind}' has an invalid number of values: {len(values)}.")
    if kind == "CUSTOM_FORMULA" and not values[0].get("userEnteredValue", "").startswith("="):
        raise RefusedError(
            f"Invalid ConditionValue.userEnteredValue: {values[0].get('userEnteredValue', '')}"
        )


def merge(context: Context, body: Body) -> Body:
    """mergeCells: only the first cell of each merge keeps its value."""
    sheet, box = block(context, body.get("range", {}))
    protection.hold(context, sheet, [box])
    kind = body.get("mergeType", "MERGE_ALL")
    for old in sheet.merges:
        if old.meets(box) and not box.covers(old):
            raise RefusedError("You must select all cells in a merged range to merge or unmerge them.")
    for dimension, word in (("frozenRowCount", "rows"), ("frozenColumnCount", "columns")):
        frozen = sheet.grid.get(dimension, 0)
        start, end = (box.top, box.bottom or 0) if word == "rows" else (box.left, box.right or 0)
        across = kind == "MERGE_ALL" or kind == ("MERGE_COLUMNS" if word == "rows" else "MERGE_ROWS")
        if across and start < frozen < end:
            raise RefusedError(f"You can't merge frozen and non-frozen {word}.")
    sheet.merges = [old for old in sheet.merges if not old.meets(box)]
    for part in _parts(box, kind):
        if part.height > 1 or part.width > 1:
            sheet.merges.append(part)
            _keep_first(sheet, part)
    context.book.stale = True
    return {}


def _parts(box: Box, kind: str) -> list[Box]:
    if kind == "MERGE_ROWS":
        return [box._replace(top=row, bottom=row + 1) for row in range(box.top, box.bottom or 0)]
    if kind == "MERGE_COLUMNS":
        return [box._replace(left=column, right=column + 1) for column in range(box.left, box.right or 0)]
    return [box]


def _keep_first(sheet: Sheet, box: Box) -> None:
    filled = [(row, column, cell) for row, column, cell in sheet.inside(box) if cell.value is not None]
    if filled and sheet.at(box.top, box.left).value is None:
        sheet.put_value(box.top, box.left, filled[0][2].value)
    for row, column, _ in filled:
        if (row, column) != (box.top, box.left):
            sheet.put_value(row, column, None)


def unmerge(context: Context, body: Body) -> Body:
    sheet, box = block(context, body.get("range", {}))
    protection.hold(context, sheet, [box])
    for old in sheet.merges:
        if old.meets(box) and not box.covers(old):
            raise RefusedError("You must select all cells in a merged range to merge or unmerge them.")
    sheet.merges = [old for old in sheet.merges if not old.meets(box)]
    return {}


def relative(cell: Cell, down: int, right: int) -> Cell:
    """The cell as it is after being copied so far."""
    if type(cell.value) is Formula and (down or right):
        return cell._replace(value=Formula(formula_text.moved(cell.value.text, down, right)))
    return cell


KINDS = {
    "updateCells": update,
    "repeatCell": repeat,
    "appendCells": append,
    "updateBorders": borders,
    "setDataValidation": validation,
    "mergeCells": merge,
    "unmergeCells": unmerge,
}
