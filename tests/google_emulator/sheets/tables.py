"""Tables: named blocks with a header row whose texts are the columns' names, both ways."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import a1, masks, protection
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import Fault, Formula, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.patterns import show
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.render import clean

Table = dict[str, Any]
FILLED = {"BOOLEAN": False, "RATINGS_CHIP": 0}


def find(context: Context, table_id: str) -> tuple[Sheet, Table]:
    for sheet in context.book.sheets:
        for table in sheet.objects["tables"]:
            if table["tableId"] == table_id:
                return sheet, table
    raise RefusedError(f"No table with id: {table_id}")


def typed_columns(sheet: Sheet) -> list[Box]:
    """The bodies of columns whose kind a table has settled."""
    found = []
    for table in sheet.objects["tables"]:
        box = a1.box_of(table["range"])
        for entry in table.get("columnProperties", []):
            if entry.get("columnType"):
                left = box.left + entry.get("columnIndex", 0)
                found.append(Box(box.top + 1, left, box.bottom, left + 1))
    return found


def after_writing(context: Context, sheet: Sheet, box: Box) -> None:
    """A header cell names its column; a formula or a blank there gives way to "Column n"."""
    for table in sheet.objects["tables"]:
        header = a1.box_of(table["range"])._replace(bottom=table["range"].get("startRowIndex", 0) + 1)
        if header.meets(box):
            _name_columns(context, sheet, table)


def _name_columns(context: Context, sheet: Sheet, table: Table) -> None:
    box = sheet.clip(a1.box_of(table["range"]))
    known = {entry.get("columnIndex", 0): entry for entry in table.get("columnProperties", [])}
    columns = []
    for index in range(box.width):
        entry = {name: value for name, value in known.get(index, {}).items() if name != "columnIndex"}
        cell = sheet.at(box.top, box.left + index)
        if cell.value is None or isinstance(cell.value, Formula | Fault):
            entry["columnName"] = f"Column {index + 1}"
            sheet.put_value(box.top, box.left + index, entry["columnName"])
        else:
            entry["columnName"] = show(
                cell.value, (cell.format or {}).get("numberFormat"), context.book.locale
            )
        columns.append(({"columnIndex": index} if index else {}) | _ordered(entry))
    table["columnProperties"] = columns


def _ordered(entry: Table) -> Table:
    names = ("columnName", "columnType", "dataValidationRule")
    return {name: entry[name] for name in names if name in entry}


def _hold_columns(table: Table, width: int, named: bool) -> None:
    seen = set()
    for entry in table.get("columnProperties", []):
        index = entry.get("columnIndex", 0)
        if not 0 <= index < width or index in seen:
            raise RefusedError(f"Invalid column index: {index}.")
        seen.add(index)
        if named and not entry.get("columnName"):
            raise RefusedError("Table header row cell must have a value.")
        rule = entry.get("dataValidationRule", {}).get("condition")
        if entry.get("columnType") == "DROPDOWN":
            if not rule:
                raise RefusedError("Condition must be set for dropdown column type.")
        elif rule:
            raise RefusedError("Cannot set condition for non-dropdown column type.")


def _place(context: Context, table: Table, own: Table | None) -> tuple[Sheet, Box]:
    """Where a table may lie: on the grid and clear of every other table."""
    if "range" not in table:
        raise RefusedError("Table range must not be empty.")
    grid = table["range"]
    sheet = context.book.sheet(grid.get("sheetId", 0))
    box = sheet.clip(a1.box_of(grid))
    if box.top >= (box.bottom or 0) or box.left >= (box.right or 0):
        raise RefusedError("Table range must not be empty.")
    for other in sheet.objects["tables"]:
        if other is not own and a1.box_of(other["range"]).meets(box):
            raise RefusedError("You cannot create a table that overlaps another table.")
    table["range"] = {"sheetId": sheet.id} | a1.grid_range(0, box)
    return sheet, box


def _hold_name(context: Context, name: str, own: Table | None) -> None:
    for sheet in context.book.sheets:
        for table in sheet.objects["tables"]:
            if table is not own and table["name"].casefold() == name.casefold():
                raise RefusedError(f'A table with the name "{name}" already exists.')


def _settle(context: Context, sheet: Sheet, table: Table, box: Box) -> None:
    """Names given go into the header cells; columns of ticks and stars are filled."""
    for entry in table.get("columnProperties", []):
        column = box.left + entry.get("columnIndex", 0)
        if entry.get("columnName"):
            sheet.put_value(box.top, column, entry["columnName"])
        elif entry.get("columnType") and sheet.at(box.top, column).value is None:
            sheet.put_value(box.top, column, f"Column {entry.get('columnIndex', 0) + 1}")
        if entry.get("columnType") in FILLED:
            for row in range(box.top + 1, box.bottom or 0):
                value = sheet.at(row, column).value
                fits = isinstance(value, bool) if entry["columnType"] == "BOOLEAN" else isinstance(value, int)
                if not fits:
                    sheet.put_value(row, column, FILLED[entry["columnType"]])
    _name_columns(context, sheet, table)
    context.book.stale = True


def _given(body: Table) -> Table:
    """A table as sent; its colours have only the newer spelling."""
    table: Table = masks.evened(body.get("table", {}))
    rows = table.get("rowsProperties")
    if rows:
        table["rowsProperties"] = {name: value for name, value in rows.items() if name.endswith("Style")}
    return table


def add(context: Context, body: Table) -> Table:
    table = _given(body)
    sheet, box = _place(context, table, None)
    protection.hold(context, sheet, [box])
    _hold_columns(table, box.width, named=False)
    taken = {each["tableId"] for each in _all(context)}
    if table.setdefault("tableId", str(context.world.ids.number())) in taken:
        raise RefusedError(f"Table with id {table['tableId']} already exists.")
    table.setdefault("name", _free_name(context))
    _hold_name(context, table["name"], None)
    sheet.objects["tables"].append(table)
    _settle(context, sheet, table, box)
    return {"table": clean(table)}


def _all(context: Context) -> list[Table]:
    return [table for sheet in context.book.sheets for table in sheet.objects["tables"]]


def _free_name(context: Context) -> str:
    names = {table["name"] for table in _all(context)}
    return next(name for name in (f"Table{index}" for index in range(1, 10**6)) if name not in names)


def update(context: Context, body: Table) -> Table:
    given = _given(body)
    sheet, table = find(context, given.get("tableId", ""))
    tree = masks.read(body.get("fields"), "Table")
    protection.hold(context, sheet, [a1.box_of(table["range"])])
    new = masks.patched(table, given, tree)
    new["tableId"] = table["tableId"]
    home, box = _place(context, new, table)
    _hold_name(context, new.get("name", ""), table)
    if masks.touches(tree, "columnProperties"):
        _hold_columns(new, box.width, named=True)
    sheet.objects["tables"].remove(table)
    home.objects["tables"].append(new)
    _settle(context, home, new, box)
    return {}


def delete(context: Context, body: Table) -> Table:
    """The table goes, its cells too, as the service clears them."""
    sheet, table = find(context, body.get("tableId", ""))
    box = a1.box_of(table["range"])
    protection.hold(context, sheet, [box])
    sheet.objects["tables"].remove(table)
    for row, column, _ in list(sheet.inside(box)):
        sheet.put_value(row, column, None)
    context.book.stale = True
    return {}


KINDS = {"addTable": add, "updateTable": update, "deleteTable": delete}
