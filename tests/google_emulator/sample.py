"""The sample game in the emulator: its forms with their responses, and one spreadsheet with what masters keep.

The only module here that knows the project, through the same config and the same readers as the project itself.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from connectors.base import FieldMap, FormMap
from connectors.ticks import split_ticks
from connectors.timestamps import parse_timestamp
from pipeline.config import Config, load_config
from tests.google_emulator.clock import microseconds
from tests.google_emulator.server import Emulator

CONFIG = Path(__file__).parent.parent.parent / "config.yaml"
BOOK = "Masters"
Row = dict[str, str]


def load(emulator: Emulator, share_with: tuple[str, ...] = (), path: Path = CONFIG) -> dict[str, str]:
    """Makes everything and shares it; the answer is name -> file id, the spreadsheet under `BOOK`."""
    config = load_config(path)
    made: dict[str, str] = {}
    tables = {
        table.stem: _rows(table) for table in sorted(config.resolve(config.block.paths.masters).glob("*.csv"))
    }
    for form in config.forms:
        titles = config.form_map(form)
        rows = _rows(config.form_file(form.name))
        if any(field.secret for field in form.fields):
            made[form.name] = _make_form(emulator, form.title, titles, rows, config)
        else:
            tables[form.title] = rows
    made[BOOK] = _make_book(emulator, tables, config)
    for file_id in made.values():
        for email in share_with:
            emulator.control("share", fileId=file_id, email=email, role="writer")
    return made


def _rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream))


def _call(emulator: Emulator, method: str, body: dict[str, Any], **params: Any) -> dict[str, Any]:
    return emulator.control("call", method=method, params=params, body=body)


def _make_form(emulator: Emulator, title: str, titles: FormMap, rows: list[Row], config: Config) -> str:
    info = {"info": {"title": title, "documentTitle": title}}
    form_id = str(_call(emulator, "forms.forms.create", info)["formId"])
    items = [_item(field, rows) for field in titles.fields]
    wanted: list[dict[str, Any]] = [
        {"createItem": {"item": item, "location": {"index": index}}} for index, item in enumerate(items)
    ]
    verified = {"settings": {"emailCollectionType": "VERIFIED"}, "updateMask": "emailCollectionType"}
    wanted.append({"updateSettings": verified})
    _call(emulator, "forms.forms.batchUpdate", {"requests": wanted}, formId=form_id)
    state = {"publishState": {"isPublished": True, "isAcceptingResponses": True}}
    _call(emulator, "forms.forms.setPublishSettings", {"publishSettings": state}, formId=form_id)
    for row in rows:
        _submit(emulator, form_id, titles, row, config)
    return form_id


def _item(field: FieldMap, rows: list[Row]) -> dict[str, Any]:
    question: dict[str, Any] = {"required": field.required, "textQuestion": {}}
    choices = field.choices or tuple(
        dict.fromkeys(_cell(row, field.titles) for row in rows if _cell(row, field.titles))
    )
    if field.many and choices:
        options = [{"value": choice} for choice in choices]
        question = {"required": field.required, "choiceQuestion": {"type": "CHECKBOX", "options": options}}
    return {"title": field.titles[0], "questionItem": {"question": question}}


def _cell(row: Row, titles: tuple[str, ...]) -> str:
    return next((row[title] for title in titles if title in row), "")


def _submit(emulator: Emulator, form_id: str, titles: FormMap, row: Row, config: Config) -> None:
    """A row is one response; one that was edited is submitted at its first time and edited at its last."""
    answers = {field.titles[0]: _answer(field, _cell(row, field.titles)) for field in titles.fields}
    body = {"formId": form_id, "answers": answers, "email": _cell(row, titles.address_titles), "force": True}
    sent = parse_timestamp(_cell(row, titles.time_titles), config.settings.zone)
    created = parse_timestamp(_cell(row, titles.created_titles), config.settings.zone) or sent
    name = _cell(row, titles.id_titles)
    first = {"at": microseconds(created.to_pydatetime())} if created is not None else {}
    made = emulator.control("submit", **body, **first, **({"responseId": name} if name else {}))
    if sent is not None and created is not None and sent != created:
        emulator.control("edit", **body, responseId=made["responseId"], at=microseconds(sent.to_pydatetime()))


def _answer(field: FieldMap, cell: str) -> str | list[str]:
    return split_ticks(cell, field.choices) if field.many and cell else cell


def _make_book(emulator: Emulator, tables: dict[str, list[Row]], config: Config) -> str:
    sheets = []
    for index, (title, rows) in enumerate(tables.items()):
        size = {
            "rowCount": max(100, len(rows) + 20),
            "columnCount": max(10, len(rows[0]) + 2 if rows else 10),
        }
        sheets.append({"properties": {"sheetId": index, "title": title, "gridProperties": size}})
    zone = str(config.settings.zone)
    body = {"properties": {"title": BOOK, "locale": "ja_JP", "timeZone": zone}, "sheets": sheets}
    book = str(_call(emulator, "sheets.spreadsheets.create", body)["spreadsheetId"])
    data = [
        {"range": f"'{title}'!A1", "values": [list(rows[0]), *(list(row.values()) for row in rows)]}
        for title, rows in tables.items()
        if rows
    ]
    written = {"valueInputOption": "RAW", "data": data}
    _call(emulator, "sheets.spreadsheets.values.batchUpdate", written, spreadsheetId=book)
    return book
