"""A throw-away spreadsheet on which we try what Google is assumed to do.

Promises: only tabs that were made here are written, and every one of them can be taken away again; a refusal is an
outcome like another. Refuses to know: what is tried, and whose the spreadsheet is (whoever opens it here must know).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from gspread.exceptions import APIError

from connectors.base import SourceError
from connectors.google_calls import WRITE_TIMEOUTS, quote_title
from connectors.google_session import Google

Json = dict[str, Any]

PREFIX = "saitei 実験 "
WHAT = "実験用の表"
CELLS = "data(rowData(values(userEnteredValue)))"


class Verdict(NamedTuple):
    """One assumption: whether it held (None: it could not be seen), what was seen, and whether a run relies on it."""

    what: str
    held: bool | None
    seen: str
    relied: bool = True


class Refusal(NamedTuple):
    """What Google says to a request that it does not do."""

    status: int
    text: str


class RefusedError(SourceError):
    """Google does not do at all what was to be tried."""


class Trial(NamedTuple):
    """A tab that was made to try something on."""

    sheet_id: int
    title: str


class Bench:
    """The spreadsheet `book_id`; every call is one that a run could send."""

    def __init__(self, google: Google, book_id: str) -> None:
        self._google = google
        self._target = google.target(WHAT, book_id)
        self._client = google.spreadsheets(WRITE_TIMEOUTS).http_client
        self._book_id = book_id
        self._made = 0

    def send(self, requests: Sequence[Json], titles: Sequence[str] = (), fields: str = "") -> Json | Refusal:
        """All requests in one call; with `titles` the answer shows the named fields of those tabs."""
        body: Json = {"requests": list(requests)}
        given: Json = {}
        if titles:
            body |= {"includeSpreadsheetInResponse": True, "responseIncludeGridData": True}
            body["responseRanges"] = [quote_title(title) for title in titles]
            given["fields"] = f"updatedSpreadsheet({fields})"
        address = f"https://sheets.googleapis.com/v4/spreadsheets/{quote(self._book_id, safe='')}:batchUpdate"

        def send() -> Json | Refusal:
            try:
                return dict(self._client.request("post", address, params=given, json=body).json())
            except APIError as error:
                if error.response.status_code not in (400, 403):
                    raise
                refusal = _read_refusal(error)
                if refusal is None:
                    raise
                return refusal

        return self._google.patience.call(send, self._target, repeatable=False)

    def do(self, *requests: Json) -> Json:
        """What must not be refused; RefusedError if it is."""
        answer = self.send(requests)
        if isinstance(answer, Refusal):
            raise RefusedError(f"Google が断りました（HTTP {answer.status}）: {answer.text}")
        return answer

    def make_tab(self, rows: int = 20, columns: int = 6) -> Trial:
        self._made += 1
        title = f"{PREFIX}{self._made}"
        size = {"rowCount": rows, "columnCount": columns}
        answer = self.do({"addSheet": {"properties": {"title": title, "gridProperties": size}}})
        return Trial(int(answer["replies"][0]["addSheet"]["properties"]["sheetId"]), title)

    def look(self, title: str, fields: str) -> Json:
        """One tab: the named fields of it."""
        given = {"ranges": quote_title(title), "fields": f"sheets({fields})"}
        return dict(self._get(given)["sheets"][0])

    def list_tabs(self) -> dict[str, int]:
        """title -> id of every tab there is."""
        answer = self._get({"fields": "sheets(properties(sheetId,title))"})
        heads = [sheet["properties"] for sheet in answer["sheets"]]
        return {str(head["title"]): int(head.get("sheetId", 0)) for head in heads}

    def take_away(self) -> None:
        """Delete every tab of ours, also what an earlier trial left behind."""
        gone = [number for title, number in self.list_tabs().items() if title.startswith(PREFIX)]
        if gone:
            self.do(*({"deleteSheet": {"sheetId": number}} for number in gone))

    def _get(self, given: Mapping[str, str]) -> Json:
        return dict(
            self._google.patience.call(
                lambda: self._client.spreadsheets_get(self._book_id, dict(given)), self._target
            )
        )


Experiment = Callable[[Bench], Iterator[Verdict]]


def _read_refusal(error: APIError) -> Refusal | None:
    """A refusal of the request itself, which is an outcome; None where it is the account or the file that is refused."""
    text = str(error.error.get("message", ""))
    status = int(error.response.status_code)
    return Refusal(status, text) if status == 400 or "protected cell" in text else None


def put(sheet_id: int, grid: Sequence[Sequence[str | float]], row: int = 0, **more: Json) -> Json:
    """The request that writes texts as texts and numbers as numbers; "" is a blank cell; `more` goes into each."""
    rows = [{"values": [show_cell(value) | more for value in cells]} for cells in grid]
    fields = ",".join(["userEnteredValue", *more])
    start = {"sheetId": sheet_id, "rowIndex": row, "columnIndex": 0}
    return {"updateCells": {"start": start, "rows": rows, "fields": fields}}


def show_cell(value: str | float) -> Json:
    if value == "":
        return {}
    kind = "stringValue" if isinstance(value, str) else "numberValue"
    return {"userEnteredValue": {kind: value}}


def read_grid(tab: Json) -> list[list[str | float]]:
    """What was entered, blank cells at the end of rows and blank rows at the end left out."""
    grid: list[list[str | float]] = []
    for row in tab.get("data", [{}])[0].get("rowData", []):
        cells: list[str | float] = []
        for cell in row.get("values", []):
            value = cell.get("userEnteredValue", {})
            cells.append(next(iter(value.values()), ""))
        while cells and cells[-1] == "":
            cells.pop()
        grid.append(cells)
    while grid and not grid[-1]:
        grid.pop()
    return grid


def area(sheet_id: int, rows: tuple[int, int | None], columns: tuple[int, int]) -> Json:
    """From the first to before the last, counted from 0; None leaves the end open."""
    place: Json = {"sheetId": sheet_id, "startRowIndex": rows[0], "endRowIndex": rows[1]}
    place |= {"startColumnIndex": columns[0], "endColumnIndex": columns[1]}
    return {name: value for name, value in place.items() if value is not None}


def tag(sheet_id: int, key: str, row: int | None = None) -> Json:
    """The request that puts developer metadata on a tab, or on one row of it."""
    place: Json = {"sheetId": sheet_id}
    if row is not None:
        lines = {"sheetId": sheet_id, "dimension": "ROWS", "startIndex": row, "endIndex": row + 1}
        place = {"dimensionRange": lines}
    made = {"metadataKey": key, "metadataValue": "x", "location": place, "visibility": "DOCUMENT"}
    return {"createDeveloperMetadata": {"developerMetadata": made}}
