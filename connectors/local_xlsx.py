"""Form responses from an .xlsx file: the linked tab of a form, downloaded as a workbook.

Promises: the same responses as the same table saved as CSV, times to the millisecond; a workbook that cannot be trusted
as a whole sits the run out, and a column in which texts became numbers is told. Refuses to know: other sheets than the first, any game, the clock.
"""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

from connectors.base import FormMap, Source, SourceError
from connectors.local import CsvSource, FileSource
from connectors.records import Record, lay_records
from connectors.responses import SitOutError
from connectors.xlsx import read_first_sheet
from rules.frames import Finding


class XlsxSource(FileSource):
    """The responses in the first sheet of a workbook."""

    def read_records(self, content: bytes, file: str) -> list[Record]:
        if not content:
            raise SitOutError(Finding("empty", file, "ファイルが空です。書き出し直してください。"))
        try:
            sheet = read_first_sheet(content, file)
        except SourceError as fault:
            raise SitOutError(Finding("unreadable", file, str(fault))) from None
        if sheet.formulas:
            where = "、".join(sheet.formulas[:5])
            message = f"{where} が数式です。値だけにして保存し直してください。"
            raise SitOutError(Finding("unreadable", file, message))
        return lay_records(sheet.grid, sheet.typed)


def open_source(path: Path, form: FormMap, zone: ZoneInfo, shrink_share: float) -> Source:
    """The source of a form's file, by its ending."""
    make = XlsxSource if path.suffix.lower() == ".xlsx" else CsvSource
    return make(path, form, zone, shrink_share)
