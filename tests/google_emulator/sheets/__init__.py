"""Sheets v4: spreadsheets, their values and their batches.

Promises what was recorded of the service, from the text of a refusal to the blank cells that are left out. Knows
nothing of HTTP: it is handed the id of a method, its parameters and its body, and gives back the body of the answer.
Access to the file and the form of the request are settled before; that a refused request leaves no trace is settled
around it, which costs little because cells are shared between copies (`book.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.google_emulator.errors import ApiError, not_found, not_implemented
from tests.google_emulator.sheets import (
    appending,
    batch,
    books,
    metadata,
    reading,
    render,
    requests_copies,
    writing,
)
from tests.google_emulator.sheets.books import import_text, import_workbook
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.exporting import NAMES, TYPES, export
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import refusing
from tests.google_emulator.world import SPREADSHEET, Caller, World

Params = dict[str, Any]
Body = dict[str, Any]
_V = "sheets.spreadsheets."
METHODS: dict[str, Callable[[Context, Params, Body], Body]] = {
    f"{_V}get": lambda c, p, b: render.get(c, p),
    f"{_V}getByDataFilter": lambda c, p, b: render.get_by_filter(c, p, b),
    f"{_V}batchUpdate": lambda c, p, b: batch.update(c, p, b),
    f"{_V}values.get": lambda c, p, b: reading.get(c, p),
    f"{_V}values.batchGet": lambda c, p, b: reading.batch_get(c, p),
    f"{_V}values.batchGetByDataFilter": lambda c, p, b: reading.batch_get_by_filter(c, b),
    f"{_V}values.update": lambda c, p, b: writing.update(c, p, b),
    f"{_V}values.batchUpdate": lambda c, p, b: writing.batch_update(c, b),
    f"{_V}values.batchUpdateByDataFilter": lambda c, p, b: writing.batch_update_by_filter(c, b),
    f"{_V}values.append": lambda c, p, b: appending.append(c, p, b),
    f"{_V}values.clear": lambda c, p, b: writing.clear(c, p),
    f"{_V}values.batchClear": lambda c, p, b: writing.batch_clear(c, b),
    f"{_V}values.batchClearByDataFilter": lambda c, p, b: writing.batch_clear_by_filter(c, b),
    f"{_V}developerMetadata.get": lambda c, p, b: metadata.get(c, p["metadataId"]),
    f"{_V}developerMetadata.search": lambda c, p, b: metadata.search(c, b.get("dataFilters", [])),
}


def handle(
    method_id: str, params: dict[str, Any], body: dict[str, Any] | None, caller: Caller, world: World
) -> dict[str, Any]:
    """The answer to one call; ApiError where the service would refuse."""
    body = body or {}
    if method_id == f"{_V}create":
        return books.create(world, caller, body)
    if method_id == f"{_V}sheets.copyTo":
        return _copy_to(params, body, caller, world)
    if method_id not in METHODS:
        raise not_implemented(method_id)
    context = _context(world, params["spreadsheetId"], caller)
    recalculate(context.book, context.now())
    with refusing():
        return METHODS[method_id](context, params, body)


def _context(world: World, file_id: str, caller: Caller) -> Context:
    file = world.files.get(file_id)
    if file is None or file.mime != SPREADSHEET:
        raise not_found()
    return books.context_of(world, file, caller)


def _copy_to(params: Params, body: Body, caller: Caller, world: World) -> Body:
    source = _context(world, params["spreadsheetId"], caller)
    target_id = body.get("destinationSpreadsheetId", "")
    target = _context(world, target_id, caller)
    if not target.file.may_write(caller.email):
        raise ApiError(403, "The caller does not have permission")
    with refusing():
        return requests_copies.copy_to(source, int(params["sheetId"]), target)


__all__ = ["NAMES", "TYPES", "export", "handle", "import_text", "import_workbook"]
