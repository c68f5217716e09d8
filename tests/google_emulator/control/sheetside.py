"""A human at the spreadsheet: types, sorts, inserts, deletes and protects. Any call may be made as any account."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.google_emulator.control.arguments import ControlError, required, the_file, truth
from tests.google_emulator.routing import Match, routes
from tests.google_emulator.validation import read_body
from tests.google_emulator.world import Caller

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]


def call(service: Service, body: Json) -> Json:
    """{method: its id, params?, body?, as?}: any call of the three APIs, made by the file's owner or by `as`."""
    method, params = required(body, "method"), dict(body.get("params", {}))
    route = next((each for each in routes() if each.id == method), None)
    if route is None:
        raise ControlError(f"there is no method {method!r}", 404)
    clean: Json = {}
    if route.request:
        raw = json.dumps(body.get("body", {})).encode()
        clean = read_body(route.api, route.request, raw, route.body_field)
    target = params.get("spreadsheetId") or params.get("formId") or params.get("fileId") or ""
    file = service.world.files.get(str(target))
    who = Caller(body["as"]) if "as" in body else Caller(file.owner) if file else Caller()
    result = service.perform(Match(route, {}), params, clean, who)
    return result if isinstance(result, dict) else {}


def batch(service: Service, body: Json, *requests: Json) -> Json:
    """Requests to the spreadsheet of an operation, in the name of whoever makes the operation."""
    made: Json = {
        "method": "sheets.spreadsheets.batchUpdate",
        "params": {"spreadsheetId": the_file(service.world, body, "spreadsheetId").id},
        "body": {"requests": list(requests)},
    }
    return call(service, {**made, **{name: body[name] for name in ("as",) if name in body}})


def sheet_id(service: Service, body: Json) -> int:
    """`sheetId`, or the id of the tab titled `sheet`; the first tab if neither is given."""
    if "sheetId" in body:
        return int(body["sheetId"])
    spreadsheet = the_file(service.world, body, "spreadsheetId").id
    made = call(service, {"method": "sheets.spreadsheets.get", "params": {"spreadsheetId": spreadsheet}})
    for sheet in made.get("sheets", []):
        properties = sheet["properties"]
        if body.get("sheet", properties["title"]) == properties["title"]:
            return int(properties.get("sheetId", 0))
    raise ControlError(f"there is no sheet {body.get('sheet')!r}", 404)


def write(service: Service, body: Json) -> Json:
    """{spreadsheetId, range, values, as?, raw?}: a human types values into cells."""
    mode = "RAW" if truth(body.get("raw", False)) else "USER_ENTERED"
    params = {
        "spreadsheetId": the_file(service.world, body, "spreadsheetId").id,
        "range": required(body, "range"),
        "valueInputOption": mode,
    }
    made = {
        "method": "sheets.spreadsheets.values.update",
        "params": params,
        "body": {"values": required(body, "values")},
    }
    return call(service, {**made, **{name: body[name] for name in ("as",) if name in body}})


def sort(service: Service, body: Json) -> Json:
    """{spreadsheetId, sheet? | sheetId?, column: 0-based, descending?, header?: rows on top that stay, as?}"""
    grid = {"sheetId": sheet_id(service, body), "startRowIndex": int(body.get("header", 1))}
    grid["startColumnIndex"] = 0
    order = "DESCENDING" if truth(body.get("descending", False)) else "ASCENDING"
    spec = {"dimensionIndex": int(body.get("column", 0)), "sortOrder": order}
    return batch(service, body, {"sortRange": {"range": grid, "sortSpecs": [spec]}})


def _rows(service: Service, body: Json) -> Json:
    start = int(required(body, "row"))
    end = start + int(body.get("count", 1))
    return {"sheetId": sheet_id(service, body), "dimension": "ROWS", "startIndex": start, "endIndex": end}


def insert_rows(service: Service, body: Json) -> Json:
    """{spreadsheetId, sheet? | sheetId?, row: 0-based, count?: 1, as?}"""
    return batch(
        service, body, {"insertDimension": {"range": _rows(service, body), "inheritFromBefore": False}}
    )


def delete_rows(service: Service, body: Json) -> Json:
    """{spreadsheetId, sheet? | sheetId?, row: 0-based, count?: 1, as?}"""
    return batch(service, body, {"deleteDimension": {"range": _rows(service, body)}})


def protect(service: Service, body: Json) -> Json:
    """{spreadsheetId, sheet? | sheetId?, range?: GridRange, editors?: the owner alone, warningOnly?}"""
    file = the_file(service.world, body, "spreadsheetId")
    grid = dict(body.get("range", {}))
    grid.setdefault("sheetId", sheet_id(service, body))
    protected: Json = {"range": grid, "description": "protected by a human"}
    if truth(body.get("warningOnly", False)):
        protected["warningOnly"] = True
    else:
        protected["editors"] = {"users": body.get("editors", [file.owner])}
    return batch(service, body, {"addProtectedRange": {"protectedRange": protected}})
