"""Whether a caller may make a call at all: scopes, and the share of the file that the call is about.

Drive looks at its files itself, because it says "not found" where Sheets and Forms say "forbidden".
"""

from __future__ import annotations

from typing import Any

from tests.google_emulator.accounts import out_of_scope
from tests.google_emulator.errors import ApiError, forbidden, not_found
from tests.google_emulator.routing import Route
from tests.google_emulator.world import FORM, RANK, SPREADSHEET, Caller, File, World

_EDITORS_ONLY = ("forms.forms.responses.", "forms.forms.watches.")


def hold_scopes(route: Route, caller: Caller) -> None:
    if caller.scopes is None or not route.scopes or caller.scopes & route.scopes:
        return
    service, version = route.api.split(".")
    resource, _, method = route.id.rpartition(".")
    name = resource.rpartition(".")[2]
    path = f"google.apps.{service}.{version}.{name.capitalize()}Service.{method[0].upper()}{method[1:]}"
    raise out_of_scope(service, path)


def target(route: Route, params: dict[str, Any]) -> str:
    """The id of the file a call is about; "" where there is none yet."""
    return str(params.get("spreadsheetId") or params.get("formId") or params.get("fileId") or "")


def hold_file(
    route: Route, params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World
) -> None:
    """404, 403 or nothing, for Sheets and Forms."""
    if route.api == "drive.v3" or not target(route, params):
        return
    writes = route.writes or route.id.startswith(_EDITORS_ONLY)
    file = _hold(target(route, params), route.api, writes, caller, world)
    if route.id == "sheets.spreadsheets.sheets.copyTo" and file is not None:
        _hold(str(body.get("destinationSpreadsheetId", "")), route.api, True, caller, world)


def _hold(file_id: str, api: str, writes: bool, caller: Caller, world: World) -> File:
    file = world.files.get(file_id)
    if file is None:
        raise not_found()
    rank = world.role(file, caller.email)
    if rank < RANK["writer" if writes else "reader"]:
        raise forbidden()
    if api == "sheets.v4" and file.mime != SPREADSHEET:
        raise ApiError(400, "This operation is not supported for this document", status="FAILED_PRECONDITION")
    if api == "forms.v1" and file.mime != FORM:
        raise not_found()
    return file
