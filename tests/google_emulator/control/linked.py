"""The tab into which a form writes its responses: a row is inserted below the last, an edit overwrites its row.

Rows that people typed below are pushed down; a row that people moved is found again by its time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from tests.google_emulator.control.answers import titles
from tests.google_emulator.control.arguments import ControlError
from tests.google_emulator.control.sheetside import batch, call
from tests.google_emulator.forms.model import Form, Response
from tests.google_emulator.world import SPREADSHEET, Caller, File

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]
_EPOCH = datetime(1899, 12, 30, tzinfo=UTC)
_STAMP = {"numberFormat": {"type": "DATE_TIME", "pattern": "M/d/yyyy H:mm:ss"}}


def link_form(service: Service, file: File, form: Form, spreadsheet_id: str) -> Json:
    world = service.world
    if not spreadsheet_id:
        spreadsheet_id = world.create_file(f"{file.name} (Responses)", SPREADSHEET, Caller(file.owner)).id
    if spreadsheet_id not in world.files or world.files[spreadsheet_id].mime != SPREADSHEET:
        raise ControlError(f"there is no spreadsheet {spreadsheet_id}", 404)
    number = 1 + sum(
        other.data.linked_sheet == spreadsheet_id
        for other in world.files.values()
        if isinstance(other.data, Form)
    )
    title = f"Form Responses {number}"
    added = batch(service, _at(spreadsheet_id), {"addSheet": {"properties": {"title": title, "index": 0}}})
    form.linked_sheet = spreadsheet_id
    form.linked_tab = added["replies"][0]["addSheet"]["properties"]["sheetId"]
    form.linked_rows = 1
    _put(service, form, 0, [{"userEnteredValue": {"stringValue": text}} for text in _headers(form)])
    for response in sorted(form.responses.values(), key=lambda each: each.submitted):
        follow(service, file, form, response, None)
    return {"spreadsheetId": spreadsheet_id, "sheetId": form.linked_tab, "title": title}


def _at(spreadsheet_id: str) -> Json:
    return {"spreadsheetId": spreadsheet_id}


def _headers(form: Form) -> list[str]:
    email = ["Email Address"] if form.collects != "DO_NOT_COLLECT" else []
    return ["Timestamp", *email, *titles(form).values()]


def follow(service: Service, file: File, form: Form, response: Response, before: datetime | None) -> None:
    """Writes the row of a response; `before` is the time of the content that it replaces."""
    if not form.linked_sheet or form.linked_sheet not in service.world.files:
        return
    zone = _zone(service, form)
    cells = _cells(form, response, zone)
    row = _find(service, form, _serial(before, zone)) if before else None
    if row is None:
        row = form.linked_rows
        form.linked_rows += 1
        place = {"sheetId": form.linked_tab, "dimension": "ROWS", "startIndex": row, "endIndex": row + 1}
        batch(
            service,
            _at(form.linked_sheet),
            {"insertDimension": {"range": place, "inheritFromBefore": row > 1}},
        )
    _put(service, form, row, cells)


def _zone(service: Service, form: Form) -> ZoneInfo:
    made = call(service, {"method": "sheets.spreadsheets.get", "params": _at(form.linked_sheet)})
    return ZoneInfo(made["properties"].get("timeZone", "Etc/GMT"))


def _serial(instant: datetime, zone: ZoneInfo) -> float:
    wall = instant.astimezone(zone).replace(tzinfo=UTC)
    return (wall - _EPOCH) / timedelta(days=1)


def _cells(form: Form, response: Response, zone: ZoneInfo) -> list[Json]:
    stamp = {
        "userEnteredValue": {"numberValue": _serial(response.submitted, zone)},
        "userEnteredFormat": _STAMP,
    }
    texts = [response.email] if form.collects != "DO_NOT_COLLECT" else []
    for name in titles(form):
        answer = response.answers.get(name, {})
        files = [each.get("fileId", "") for each in answer.get("fileUploadAnswers", {}).get("answers", [])]
        shown = [each["value"] for each in answer.get("textAnswers", {}).get("answers", [])]
        shown += [f"https://drive.google.com/open?id={each}" for each in files]
        texts.append(", ".join(shown))
    return [stamp, *({"userEnteredValue": {"stringValue": text}} if text else {} for text in texts)]


def _find(service: Service, form: Form, serial: float) -> int | None:
    title = next(
        sheet["properties"]["title"]
        for sheet in call(service, {"method": "sheets.spreadsheets.get", "params": _at(form.linked_sheet)})[
            "sheets"
        ]
        if sheet["properties"].get("sheetId", 0) == form.linked_tab
    )
    params = {
        **_at(form.linked_sheet),
        "range": f"'{title.replace(chr(39), chr(39) * 2)}'!A:A",
        "valueRenderOption": "UNFORMATTED_VALUE",
    }
    rows = call(service, {"method": "sheets.spreadsheets.values.get", "params": params}).get("values", [])
    for index, row in enumerate(rows):
        if row and isinstance(row[0], int | float) and abs(row[0] - serial) < 1e-9:
            return index
    return None


def _put(service: Service, form: Form, row: int, cells: list[Json]) -> None:
    start = {"sheetId": form.linked_tab, "rowIndex": row, "columnIndex": 0}
    wanted = {
        "rows": [{"values": cells}],
        "fields": "userEnteredValue,userEnteredFormat.numberFormat",
        "start": start,
    }
    batch(service, _at(form.linked_sheet), {"updateCells": wanted})
