"""The masters' spreadsheet at Google.

Promises: what is read is one moment, as the same text that an .xlsx would give; a write lands whole (or, beyond what
one call holds, in pieces each of which may be sent again), not over something that changed since it was read, and
costs no call if it would change nothing; a cell whose text stays is not touched, whoever typed it and however.
Refuses to know: what any tab is for, how the client logs in, and when to try again after a failure.
"""

from __future__ import annotations

from collections.abc import Sequence

import gspread

from connectors.base import BookRead, SheetWrite, WorkbookBusy
from connectors.google_book import CELL_LIMIT, FIELDS, Json, Present, read_present
from connectors.google_calls import BookCalls, UnknownOutcome
from connectors.google_cells import cut_pieces
from connectors.google_plan import explains, plan_changes
from connectors.xlsx_cells import trim_grid
from connectors.xlsx_text import shown_text

__all__ = ["SheetsWorkbook"]


class SheetsWorkbook:
    """A Workbook in the spreadsheet `book_id`, called through `client`, whose time limits are its owner's to set.

    `order` is the order of tabs for those that it makes; `last` names the tab that tells of the run and is written
    last, so that a write in several pieces is told of only once it is whole.
    """

    def __init__(
        self, client: gspread.Client, book_id: str, order: Sequence[str] = (), last: str = "実行履歴"
    ) -> None:
        self.calls = BookCalls(client, book_id)
        self.order = tuple(order)
        self.last = last
        self._read: Present | None = None

    def read(self) -> BookRead:
        """Read all sheets of one moment, in one call."""
        self._read = present = self._fetch()
        grids = {title: tab.grid for title, tab in present.tabs.items()}
        return BookRead(grids, present.fingerprint, present.findings)

    def write(self, sheets: Sequence[SheetWrite], fingerprint: str) -> None:
        """Bring the given tabs to the given state; the grid is the whole truth of its tab, other tabs stay."""
        wanted = [_show_sheet(sheet) for sheet in sheets]
        read, self._read = self._read, None
        if read is not None and read.fingerprint == fingerprint and not self._plan(read, wanted):
            return
        present = self._fetch()
        if present.fingerprint != fingerprint:
            raise self._busy("処理中にほかの人が書き込みました。何も書いていません。次の実行でやり直します。")
        try:
            self._send(self._plan(present, wanted))
        except UnknownOutcome:
            self._finish(present, wanted)

    def _finish(self, before: Present, wanted: Sequence[SheetWrite]) -> None:
        """After a write without an answer: look what is there, and send what is missing once more."""
        now = self._fetch()
        if not explains(before, now, wanted):
            raise self._busy(
                "書き込みの返事が届かない間に、ほかの人が書き込みました。次の実行で確かめて、足りない分を書きます。"
            )
        self._send(self._plan(now, wanted))

    def _fetch(self) -> Present:
        return read_present(self.calls.get(FIELDS))

    def _plan(self, present: Present, wanted: Sequence[SheetWrite]) -> list[Json]:
        return plan_changes(present, wanted, self.order, self.last)

    def _send(self, requests: Sequence[Json]) -> None:
        for piece in cut_pieces(requests):
            self.calls.update(piece)

    def _busy(self, message: str) -> WorkbookBusy:
        return WorkbookBusy(f"スプレッドシート {self.calls.book_id}: {message}")


def _show_sheet(sheet: SheetWrite) -> SheetWrite:
    return sheet._replace(
        grid=trim_grid([[shown_text(text, CELL_LIMIT) for text in row] for row in sheet.grid])
    )
