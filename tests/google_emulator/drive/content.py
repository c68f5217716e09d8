"""What is in a file: uploads, downloads, exports and copies. What only Sheets knows is asked of Sheets."""

from __future__ import annotations

import copy
import zipfile
from typing import Any, NamedTuple

from tests.google_emulator import sheets
from tests.google_emulator.drive import limits
from tests.google_emulator.drive.resource import GOOGLE
from tests.google_emulator.errors import ApiError, not_implemented
from tests.google_emulator.forms.model import Form
from tests.google_emulator.messages import Raw
from tests.google_emulator.world import RANK, SPREADSHEET, Caller, File, World

DELIMITERS = {"csv": ",", "tsv": "\t"}


class Media(NamedTuple):
    """Uploaded content."""

    data: bytes
    mime: str


def put(file: File, upload: Media | None, mime: str, world: World) -> None:
    """Content for a file; a table of text or a workbook sent as a spreadsheet becomes one."""
    file.mime = mime
    if not mime.startswith(GOOGLE):
        file.data = upload.data if upload else (file.data if isinstance(file.data, bytes) else b"")
    elif upload is not None and upload.data:
        kind = sheets.NAMES.get(upload.mime, "") if mime == SPREADSHEET else ""
        if kind in DELIMITERS:
            sheets.import_text(file, upload.data.decode("utf-8-sig"), world, DELIMITERS[kind])
        elif kind == "xlsx":
            _import_workbook(file, upload.data, world)
        else:
            raise not_implemented(f"turning {upload.mime} into {mime}")


def _import_workbook(file: File, data: bytes, world: World) -> None:
    try:
        sheets.import_workbook(file, data, world)
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ApiError(400, "Bad Request", reason="badRequest") from error


def download(file: File) -> Raw:
    if not isinstance(file.data, bytes):
        text = "Only files with binary content can be downloaded. Use Export with Docs Editors files."
        raise ApiError(403, text, reason="fileNotDownloadable", location="alt")
    return Raw(file.data, file.mime)


def export(params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World) -> Raw:
    file = world.files.get(params["fileId"])
    if file is None or world.role(file, caller.email) < RANK["reader"]:
        raise limits.file_not_found(params["fileId"])
    mime = params.get("mimeType", "")
    if not mime:
        raise ApiError(400, "Required parameter: mimeType", reason="required", location="mimeType")
    if not file.mime.startswith(GOOGLE):
        raise ApiError(403, "Export only supports Docs Editors files.", reason="fileNotExportable")
    if file.mime != SPREADSHEET or mime not in sheets.NAMES:
        raise ApiError(
            400, "The requested conversion is not supported.", reason="badRequest", location="convertTo"
        )
    return Raw(sheets.export(file, world, sheets.NAMES[mime]), mime)


def copied(source: File, world: World) -> Any:
    """A form's copy has its questions but neither its responses nor its address nor its sheet."""
    if isinstance(source.data, Form):
        made = copy.deepcopy(source.data)
        made.responder, made.linked_sheet, made.linked_tab = world.ids.responder(), "", 0
        made.responses, made.watches = {}, {}
        return made
    return copy.deepcopy(source.data)
