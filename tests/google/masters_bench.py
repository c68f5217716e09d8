"""The masters' spreadsheet in a few cells, and a look into how it lies at Google."""

from __future__ import annotations

from typing import Any

from connectors.base import ColumnLook, SheetLook, SheetWrite
from rules.frames import Grid

LOOK = SheetLook(
    columns=(
        ColumnLook("対応", 10, "key"),
        ColumnLook("件数", 8, kind="number"),
        ColumnLook("判定", 10),
        ColumnLook("裁定", 10, "master", ("自動", "受理")),
        ColumnLook("メモ", 30, "master", wrap=True),
    ),
    header_row=1,
    frozen_columns=1,
    colours={"要確認": "F5B942", "受理": "16A34A"},
    colour_header="判定",
    tab_colour="475569",
    grows=True,
)
SORTED = LOOK._replace(columns=(*LOOK.columns, ColumnLook("順", 6, kind="number")), sort_header="順")
HEAD = [["最終実行"], ["対応", "件数", "判定", "裁定", "メモ"]]
ROWS = [["a1", "3", "要確認"], ["a2", "4", "受理", "自動", "memo"]]


def sheet(rows: Grid = ROWS, title: str = "申込", look: SheetLook = LOOK) -> SheetWrite:
    return SheetWrite(title, [*HEAD, *rows], look)


def ranked(rows: Grid, title: str = "要確認") -> SheetWrite:
    """Rows of HEAD's columns in the order that the machine wants them in."""
    head = [HEAD[0], [*HEAD[1], "順"]]
    full = [[*row, *[""] * (5 - len(row)), str(number)] for number, row in enumerate(rows, 1)]
    return SheetWrite(title, [*head, *full], SORTED)


def tab(sheets: Any, book_id: str, title: str = "申込", cells: bool = True) -> Any:
    found = sheets.get(spreadsheetId=book_id, includeGridData=cells).execute()["sheets"]
    return next(each for each in found if each["properties"]["title"] == title)


def cell(sheets: Any, book_id: str, row: int, column: int, title: str = "申込") -> Any:
    return tab(sheets, book_id, title)["data"][0]["rowData"][row - 1]["values"][column - 1]
