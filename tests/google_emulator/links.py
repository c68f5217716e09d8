"""Addresses of docs.google.com that programs read like an API: a spreadsheet, or one tab of it, as another file."""

from __future__ import annotations

import re

from tests.google_emulator import sheets
from tests.google_emulator.messages import Answer, Request, html_page, no_such_page
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.world import RANK, SPREADSHEET, Caller, World

_EXPORT = re.compile(r"^/spreadsheets/d/([^/]+)/export$")


def answer(request: Request, caller: Caller, world: World) -> Answer | None:
    """`/spreadsheets/d/ID/export?format=csv&gid=0`; None where the path is none of ours."""
    match = _EXPORT.match(request.path)
    if match is None or request.verb != "GET":
        return None
    with world.lock:
        file = world.files.get(match.group(1))
        if file is None or file.mime != SPREADSHEET:
            return no_such_page(request.path)
        if world.role(file, caller.email) < RANK["reader"]:
            return html_page(401, "Unauthorized", "You need access to this document.")
        name = request.first("format", "xlsx")
        if name not in sheets.TYPES:
            return html_page(400, "Bad Request", "There is no such format.")
        gid = request.first("gid")
        try:
            data = sheets.export(file, world, name, int(gid) if gid else None)
        except (ValueError, RefusedError):
            return html_page(400, "Bad Request", "There is no such sheet.")
    return Answer(200, data, sheets.TYPES[name])
