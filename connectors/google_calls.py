"""Calls to one spreadsheet, asked again where that can help and cannot harm.

Promises: what goes wrong becomes a SourceError in words a master can act on; a write of which nobody knows whether it
happened is told apart from one that was refused, and is not sent again from here. Refuses to know: what is read or
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from connectors.google_retry import NoAnswerError
from connectors.google_session import TIMEOUTS, Google

Json = dict[str, Any]

WRITE_TIMEOUTS = (5.0, 190.0)
"""Seconds to connect and to wait; Google itself gives up on a write after 180."""


class BookCalls:
    """The two calls that a workbook needs, for the spreadsheet `book_id`, which messages call `what`."""

    def __init__(
        self, google: Google, book_id: str, what: str, write_timeouts: tuple[float, float] = WRITE_TIMEOUTS
    ) -> None:
        self.google = google
        self.book_id = book_id
        self._target = google.target(what, book_id)
        self._reader = google.spreadsheets(TIMEOUTS).http_client
        self._writer = google.spreadsheets(write_timeouts).http_client

    def get(self, fields: str) -> Json:
        """Read the named fields in one call, hence of one moment."""
        # Unprinted, for the answer is mostly brackets.
        given: Json = {"fields": fields, "prettyPrint": "false"}

        def send() -> Json:
            return _hold(self._reader.spreadsheets_get(self.book_id, given), "sheets")

        return self.google.patience.call(send, self._target)

    def update(self, changes: Sequence[Json], titles: Sequence[str] = (), fields: str = "") -> Json:
        """Do all changes or none; the answer shows the named `fields` of the tabs `titles` as they stand right after.

        OutcomeUnknownError where no answer tells whether it happened.
        """
        body: Json = {"requests": list(changes)}
        given: Json = {"fields": "spreadsheetId", "prettyPrint": "false"}
        if titles:
            body |= {
                "includeSpreadsheetInResponse": True,
                "responseIncludeGridData": True,
                "responseRanges": [quote_title(title) for title in titles],
            }
            given["fields"] = f"updatedSpreadsheet({fields})"
        url = f"https://sheets.googleapis.com/v4/spreadsheets/{quote(self.book_id, safe='')}:batchUpdate"

        def send() -> Json:
            answer = self._writer.request("post", url, params=given, json=body).json()
            return _hold(answer, "updatedSpreadsheet" if titles else "spreadsheetId")

        return self.google.patience.call(send, self._target, repeatable=False)


def _hold(answer: Any, part: str) -> Json:
    """The answer, which must have this part: one without it, taken for an empty spreadsheet or for a write that was
    done, would be a loss of all."""
    if not isinstance(answer, dict) or not answer.get(part):
        raise NoAnswerError
    return answer


def quote_title(title: str) -> str:
    """A whole tab as a range."""
    return "'" + title.replace("'", "''") + "'"
