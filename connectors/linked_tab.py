"""Form responses from the tab that Google links to a form, where the form itself may not be read.

Promises: the same frame as the form itself gives, but for what such a tab does not have:

- It has no ids and no first time. What came in is told by its content, so an edit is a new response and the old content
  one that is gone; nor can two responses that are alike in everything be told apart.
- People can change it. A corrected answer is a new response too, as is one beside which somebody wrote; but a formula in
  a column that is no question is left alone, and one that stands in place of an answer sits the form out.
- A text may have become a number, a time or a truth (`0123`, `1e5`, `12:05`, `TRUE`), by Google or by hand, unless the
  column is formatted as plain text. It then reads as what the cell shows, and a finding names column and rows.
- Its times are wall times of the spreadsheet, which must be set to our zone; where the clocks go back an hour of them
  cannot be read.
- A text of nothing but blanks is blank, line breaks are one character, and 50,000 characters are the most.

Refuses to know: how the spreadsheet was read, any game, the clock.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from connectors.base import BookRead, FormMap, Pulled
from connectors.records import lay_records
from connectors.responses import read_responses, sit_out
from rules.frames import Finding


class LinkedTab:
    """One form's responses in the tab `title` of a spreadsheet that was read; its times must be those of `zone`."""

    def __init__(
        self, book: BookRead, title: str, form: FormMap, zone: ZoneInfo, shrink_share: float
    ) -> None:
        self.book = book
        self.title = title
        self.form = form
        self.zone = zone
        self.shrink_share = shrink_share

    def pull(self, known_rows: int) -> Pulled:
        """Read the whole tab."""
        book, title = self.book, self.title
        if title not in book.grids:
            message = "スプレッドシートにこのシートがありません。設定の tab を確かめるか、フォームの回答先を戻してください。"
            return sit_out(self.form, (Finding("missing_tab", title, message),))
        if book.zone and book.zone != str(self.zone):
            message = (
                f"スプレッドシートのタイムゾーンが {book.zone} で、設定の {self.zone} と違います。"
                "「ファイル」の「設定」でそろえてください。"
            )
            return sit_out(self.form, (Finding("zone", title, message),))
        records = lay_records(book.grids[title], book.typed.get(title, {}))
        return read_responses(records, self.form, self.zone, self.shrink_share, known_rows, title)
