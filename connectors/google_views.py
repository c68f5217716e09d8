"""Filter views of a spreadsheet: ways to look at a tab that hide nothing from anybody else.

Promises: a view that is there is left as its owner made it; nothing is sent where none is missing. Refuses to know:
what a word means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from connectors.google_calls import BookCalls
from connectors.google_items import Json
from connectors.google_session import Google


class View(NamedTuple):
    """Only the rows of a tab with `word` in the column `column`; row and columns are counted from 0."""

    tab: str
    word: str
    header_row: int
    column: int
    width: int

    @property
    def title(self) -> str:
        return f"{self.word}だけ"


def add_views(google: Google, book_id: str, what: str, views: Sequence[View], leftover: str) -> None:
    """Add the views that are missing, and delete the tab `leftover` if it is there."""
    fields = "sheets(properties(sheetId,title),filterViews(title))"
    book = BookCalls(google, book_id, what)
    found = book.get(fields).get("sheets", [])
    ids = {sheet["properties"]["title"]: sheet["properties"].get("sheetId", 0) for sheet in found}
    there = {
        (sheet["properties"]["title"], view.get("title", ""))
        for sheet in found
        for view in sheet.get("filterViews", [])
    }
    requests = [
        _request_view(view, ids) for view in views if view.tab in ids and (view.tab, view.title) not in there
    ]
    if leftover in ids:
        requests.append({"deleteSheet": {"sheetId": ids[leftover]}})
    if requests:
        book.update(requests)


def _request_view(view: View, ids: Mapping[str, int]) -> Json:
    place = {
        "sheetId": ids[view.tab],
        "startRowIndex": view.header_row,
        "startColumnIndex": 0,
        "endColumnIndex": view.width,
    }
    condition = {"type": "TEXT_EQ", "values": [{"userEnteredValue": view.word}]}
    criteria = {"columnIndex": view.column, "filterCriteria": {"condition": condition}}
    return {"addFilterView": {"filter": {"title": view.title, "range": place, "filterSpecs": [criteria]}}}
