"""Form responses from the tab that Google links to a form, where the form itself may not be read.

Promises: the same frame as the downloaded table would give. Refuses to know: how the spreadsheet was read, any game,
the clock. It is the fallback: the tab has no ids, an edit moves the time, and people can change it.
"""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from connectors.base import FormMap, Pulled
from connectors.responses import Record, read_responses, sit_out
from rules.frames import Finding, Grid


class LinkedTab:
    """One form's responses in the tab `title` of a spreadsheet that was read: `grids` are its tabs as text.

    `sheet_zone` is the zone that the spreadsheet keeps its times in ("" = not told), `zone` the one they are read in.
    """

    def __init__(
        self,
        grids: Mapping[str, Grid],
        title: str,
        form: FormMap,
        zone: ZoneInfo,
        shrink_share: float,
        sheet_zone: str = "",
    ) -> None:
        self.grids = grids
        self.title = title
        self.form = form
        self.zone = zone
        self.shrink_share = shrink_share
        self.sheet_zone = sheet_zone

    def pull(self, known_rows: int) -> Pulled:
        """Read the whole tab."""
        if self.title not in self.grids:
            message = "スプレッドシートにこのシートがありません。設定の tab を確かめるか、フォームの回答先を戻してください。"
            return sit_out(self.form, (Finding("missing_tab", self.title, message),))
        if self.sheet_zone and self.sheet_zone != str(self.zone):
            message = (
                f"スプレッドシートのタイムゾーンが {self.sheet_zone} で、設定の {self.zone} と違います。"
                "「ファイル」の「設定」でそろえてください。"
            )
            return sit_out(self.form, (Finding("zone", self.title, message),))
        records = [
            Record(number, list(cells)) for number, cells in enumerate(self.grids[self.title], start=1)
        ]
        written = [record for record in records if any(cell.strip() for cell in record.cells)]
        return read_responses(written, self.form, self.zone, self.shrink_share, known_rows, self.title)
