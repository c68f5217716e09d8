"""Form responses from CSV files, as Google exports them or as a spreadsheet saves them.

Promises: every cell is the text that stands in the file; a file that cannot be trusted as a whole sits the run out
with a finding. Refuses to know: what the columns mean, any game, and the clock.
"""

from __future__ import annotations

import csv
import io
from abc import ABC, abstractmethod
from pathlib import Path
from zoneinfo import ZoneInfo

from connectors.base import FormMap, Pulled, SourceError
from connectors.records import Record
from connectors.responses import SitOutError, read_responses, sit_out
from rules.frames import Finding

_CP932_GUESSES = frozenset(
    "\uf8f0\uf8f1\uf8f2\uf8f3"
)  # what the codec makes of bytes that CP932 does not have


class FileSource(ABC):
    """One form's responses in one file.

    `zone` is that of times without offset; `shrink_share` is the share of the known rows that may be gone before the
    file is taken for a broken one.
    """

    def __init__(self, path: Path, form: FormMap, zone: ZoneInfo, shrink_share: float) -> None:
        self.path = path
        self.form = form
        self.zone = zone
        self.shrink_share = shrink_share

    def pull(self, known_rows: int) -> Pulled:
        """Read the whole file; raise SourceError only if the system does not let us."""
        file = self.path.name
        try:
            records = self.read_records(read_unchanged(self.path), file)
        except SitOutError as fault:
            return sit_out(self.form, fault.findings)
        return read_responses(records, self.form, self.zone, self.shrink_share, known_rows, file)

    @abstractmethod
    def read_records(self, content: bytes, file: str) -> list[Record]:
        """The rows that are not blank, header first; SitOutError where the file cannot be trusted as a whole."""


class CsvSource(FileSource):
    """The responses in a CSV file."""

    def read_records(self, content: bytes, file: str) -> list[Record]:
        return _parse(_decode(content, file), file)


def read_unchanged(path: Path) -> bytes:
    """Return the bytes of a file that nobody wrote meanwhile.

    An export that is being saved over is half old and half new, and its missing rows would look like withdrawals.
    """
    try:
        before = path.stat()
        content = path.read_bytes()
        again, after = path.read_bytes(), path.stat()
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise SourceError(
            f"{path}: 読めません（{reason}）。ファイルの場所と読み取り権限を確かめてください。"
        ) from fault
    if content != again or (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        message = "読み取り中に書き換えられました。保存が終われば次の実行で読みます。"
        raise SitOutError(Finding("changed", path.name, message))
    return content


def _decode(content: bytes, file: str) -> str:
    """Return the text of UTF-8 with or without BOM, else of CP932, which Excel in Japan saves."""
    for encoding in ("utf-8-sig", "cp932"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding == "utf-8-sig" or _CP932_GUESSES.isdisjoint(text):
            return text
    message = "文字コードが UTF-8 でも CP932 でもありません。UTF-8 の CSV で書き出し直してください。"
    raise SitOutError(Finding("unreadable", file, message))


def _parse(text: str, file: str) -> list[Record]:
    """Return the records of a CSV, numbered as a spreadsheet numbers its rows, without the blank ones."""
    # The module's own limit is below what a file may hold; one long answer must not stop the whole form.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records = []
    number, line = 0, 1
    try:
        for number, cells in enumerate(reader, start=1):
            if any(cell.strip() for cell in cells):
                records.append(Record(number, cells))
            line = reader.line_num + 1
    except csv.Error as fault:
        message = f'ファイルの {line} 行目から、引用符（"）が正しく閉じていません。書き出し直してください。'
        raise SitOutError(Finding("unreadable", f"{file} {number + 1}行", message)) from fault
    return records
