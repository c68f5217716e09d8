"""A spreadsheet to try things on, through google-api-python-client and a socket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from googleapiclient.errors import HttpError


class Bench:
    """One spreadsheet of the emulator; `id` is its id, `api` the client's `spreadsheets()`."""

    def __init__(self, api: Any, **body: Any) -> None:
        self.api = api
        self.id = api.create(body={"properties": {"title": "Bench"}} | body).execute()["spreadsheetId"]

    def put(self, where: str, values: list[list[Any]], option: str = "RAW", **named: Any) -> dict[str, Any]:
        body = {"values": values} | {name: named.pop(name) for name in ("majorDimension",) if name in named}
        call = self.api.values().update(
            spreadsheetId=self.id, range=where, body=body, valueInputOption=option, **named
        )
        return call.execute()

    def type(self, where: str, values: list[list[Any]], **named: Any) -> dict[str, Any]:
        return self.put(where, values, "USER_ENTERED", **named)

    def append(
        self, where: str, values: list[list[Any]], option: str = "RAW", **named: Any
    ) -> dict[str, Any]:
        call = self.api.values().append(
            spreadsheetId=self.id, range=where, body={"values": values}, valueInputOption=option, **named
        )
        return call.execute()

    def read(self, where: str, how: str = "FORMATTED_VALUE", **named: Any) -> Any:
        call = self.api.values().get(spreadsheetId=self.id, range=where, valueRenderOption=how, **named)
        return call.execute().get("values")

    def get(self, **named: Any) -> dict[str, Any]:
        return self.api.get(spreadsheetId=self.id, **named).execute()

    def batch(self, *requests: dict[str, Any], **named: Any) -> list[dict[str, Any]]:
        answer = self.api.batchUpdate(
            spreadsheetId=self.id, body={"requests": list(requests)} | named
        ).execute()
        return answer["replies"]

    def refused(self, *requests: dict[str, Any]) -> tuple[int, str]:
        return refusal(self.batch, *requests)

    def sheet(self, index: int = 0, **named: Any) -> dict[str, Any]:
        return self.get(**named)["sheets"][index]

    def grid(self, index: int = 0) -> tuple[int, int]:
        found = self.sheet(index)["properties"]["gridProperties"]
        return found["rowCount"], found["columnCount"]

    def cell(self, where: str, fields: str = "*") -> dict[str, Any]:
        mask = f"sheets.data.rowData.values({fields})" if fields != "*" else "sheets.data.rowData.values"
        data = self.get(ranges=[where], fields=mask)["sheets"][0]["data"][0]
        return data.get("rowData", [{}])[0].get("values", [{}])[0]

    def add_sheet(self, title: str, **properties: Any) -> int:
        made = self.batch({"addSheet": {"properties": {"title": title} | properties}})
        number: int = made[0]["addSheet"]["properties"]["sheetId"]
        return number


def refusal(call: Any, *given: Any, **named: Any) -> tuple[int, str]:
    """Status and message of the refusal that a call must meet."""
    with pytest.raises(HttpError) as caught:
        call(*given, **named)
    return caught.value.status_code, json.loads(caught.value.content)["error"]["message"]


def area(top: int, bottom: int, left: int, right: int, sheet: int = 0) -> dict[str, int]:
    return {
        "sheetId": sheet,
        "startRowIndex": top,
        "endRowIndex": bottom,
        "startColumnIndex": left,
        "endColumnIndex": right,
    }


def lines(dimension: str, start: int, end: int, sheet: int = 0) -> dict[str, Any]:
    return {"sheetId": sheet, "dimension": dimension, "startIndex": start, "endIndex": end}
