"""spreadsheets.batchUpdate: a list of requests that all happen, in order, or none of them does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.google_emulator import fields
from tests.google_emulator.errors import ApiError
from tests.google_emulator.sheets import (
    metadata,
    render,
    requests_cells,
    requests_copies,
    requests_data,
    requests_dimensions,
    requests_embedded,
    requests_fill,
    requests_objects,
    requests_paste,
    requests_ranges,
    requests_sheets,
    tables,
)
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import refusing
from tests.google_emulator.validation import document

Body = dict[str, Any]
MOST = 100_000
KINDS: dict[str, Callable[[Context, Body], Body]] = {
    **requests_sheets.KINDS,
    **requests_copies.KINDS,
    **requests_dimensions.KINDS,
    **requests_cells.KINDS,
    **requests_paste.KINDS,
    **requests_fill.KINDS,
    **requests_data.KINDS,
    **requests_ranges.KINDS,
    **requests_objects.KINDS,
    **requests_embedded.KINDS,
    **tables.KINDS,
    "createDeveloperMetadata": metadata.create,
    "updateDeveloperMetadata": metadata.update,
    "deleteDeveloperMetadata": metadata.delete,
}


# Kinds that are answered with a message of their own, which is there even if it is empty.
ANSWERED = frozenset(document("sheets.v4")["schemas"]["Response"]["properties"])


def update(context: Context, params: Body, body: Body) -> Body:
    """One reply for each request, empty where there is nothing to say."""
    requests = body.get("requests", [])
    if not requests:
        raise ApiError(400, "Must specify at least one request.")
    if len(requests) > MOST:
        raise ApiError(400, f"Too many requests in batch: {len(requests)}. The maximum is {MOST}.")
    for index, request in enumerate(requests):
        if not request:
            raise ApiError(400, f"Invalid requests[{index}]: No request set.")
        kind = next(iter(request))
        if kind not in KINDS:
            raise ApiError(501, f"The emulator does not implement requests[{index}].{kind}.")
    replies = []
    for index, request in enumerate(requests):
        kind = next(iter(request))
        with refusing(f"requests[{index}].{kind}"):
            reply = KINDS[kind](context, request[kind])
        replies.append({kind: reply} if reply or kind in ANSWERED else {})
    out: Body = {"spreadsheetId": context.file.id, "replies": replies}
    if body.get("includeSpreadsheetInResponse"):
        out["updatedSpreadsheet"] = _updated(context, params.get("fields", ""), body)
    return out


def _updated(context: Context, mask: str, body: Body) -> Body:
    """The spreadsheet after the batch; a mask that looks into it decides about the cells, as in spreadsheets.get."""
    recalculate(context.book, context.now())
    tree = fields.parse(mask) if mask else {}
    inner = tree.get("updatedSpreadsheet", {})
    with refusing():
        areas = [context.find(text) for text in body.get("responseRanges", [])]
        return render.spreadsheet(context, areas, inner, body.get("responseIncludeGridData"))
