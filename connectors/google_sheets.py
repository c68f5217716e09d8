"""The masters' spreadsheet at Google.

Promises: what is read is one moment, as the same text that an .xlsx would give; a write is one call (or, beyond what
one call holds, pieces each of which may be sent again) whose answer shows what came of it; nothing that a master wrote
is overwritten, whatever was moved, typed or added since the reading; it costs no call if it would change nothing.
Refuses to know: what any tab is for.
"""

from __future__ import annotations

from collections.abc import Sequence

from connectors.base import BookRead, SheetWrite
from connectors.google_book import CELL_LIMIT, FIELDS, Present, find_no_texts, read_present, renew_present
from connectors.google_calls import WRITE_TIMEOUTS, BookCalls
from connectors.google_cells import cut_pieces
from connectors.google_mend import mend_tabs
from connectors.google_plan import Plan, plan_changes
from connectors.google_retry import OutcomeUnknownError
from connectors.google_session import Google
from connectors.xlsx_cells import trim_grid
from connectors.xlsx_text import shown_text

__all__ = ["SheetsWorkbook"]

_TURNS = 4
"""How often what came of a write is looked at and mended in one run; what then is left is for the next run."""


class SheetsWorkbook:
    """A Workbook in the spreadsheet `book_id`, which messages call `what`.

    `order` is the order of tabs for those that it makes; the last of them tells of the run and is written last, so that
    a write in several pieces is told of only once it is whole.
    """

    def __init__(
        self,
        google: Google,
        book_id: str,
        order: Sequence[str] = (),
        what: str = "スプレッドシート",
        write_timeouts: tuple[float, float] = WRITE_TIMEOUTS,
    ) -> None:
        self.calls = BookCalls(google, book_id, what, write_timeouts)
        self.order = tuple(order)
        self._read: Present | None = None

    def read(self) -> BookRead:
        """Read all sheets of one moment, in one call. A spreadsheet without any of our tabs is as good as none."""
        self._read = present = self._fetch()
        grids = {title: tab.grid for title, tab in present.tabs.items()}
        ours = not self.order or any(title in present.tabs for title in self.order)
        typed = {title: find_no_texts(tab) for title, tab in present.tabs.items() if title not in self.order}
        return BookRead(grids, present.fingerprint if ours else "", present.findings, present.zone, typed)

    def write(self, sheets: Sequence[SheetWrite], fingerprint: str) -> None:
        """Bring the given tabs to the given state, starting from what was read; other tabs stay.

        SourceError where Google refuses, or does not tell in time whether it was done: the next run then looks.
        """
        wanted = [_show_sheet(sheet) for sheet in sheets]
        read, self._read = self._read or self._fetch(), None
        before, present, sent, told = read, read, Plan([], ()), False
        for turn in range(_TURNS):
            plan = mend_tabs(before, present, sent, wanted)
            if not plan.requests:
                plan = plan_changes(present, read, wanted, self.order)
            # What Google did and shows otherwise than asked would be asked for ever; and it sorts no hidden rows.
            if not plan.requests or (told and (plan.requests == sent.requests or _only_sorts(plan))):
                return
            before, sent = present, plan
            try:
                present, told = self._send(plan, present), True
            except OutcomeUnknownError:
                if turn + 1 == _TURNS:
                    raise
                present, told = self._fetch(), False

    def _fetch(self) -> Present:
        return read_present(self.calls.get(FIELDS))

    def _send(self, plan: Plan, present: Present) -> Present:
        """Send everything and return how it then stands, by the answer to the last piece."""
        *pieces, closing = cut_pieces(plan.requests)
        for piece in pieces:
            self.calls.update(piece)
        answer = self.calls.update(closing, plan.titles, FIELDS)
        return renew_present(present, answer.get("updatedSpreadsheet", {}))


def _only_sorts(plan: Plan) -> bool:
    return all("sortRange" in request for request in plan.requests)


def _show_sheet(sheet: SheetWrite) -> SheetWrite:
    return sheet._replace(
        grid=trim_grid([[shown_text(text, CELL_LIMIT) for text in row] for row in sheet.grid])
    )
