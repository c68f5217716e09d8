"""What one request carries through the package: the world, the file, its spreadsheet and who is asking."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tests.google_emulator.sheets import a1
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import Book, Sheet
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.world import Caller, File, World


@dataclass
class Context:
    world: World
    file: File
    caller: Caller

    @property
    def book(self) -> Book:
        found = self.file.data
        assert isinstance(found, Book)
        return found

    def now(self) -> datetime:
        """The wall clock of the spreadsheet's zone, without a zone."""
        try:
            zone = ZoneInfo(self.book.properties["timeZone"])
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("Etc/GMT")
        return self.world.now().astimezone(zone).replace(tzinfo=None)

    def new_id(self, taken: set[int]) -> int:
        while (number := self.world.ids.number()) in taken:
            pass
        return number

    def find(self, text: str) -> tuple[Sheet, Box]:
        """The sheet and the rectangle (not clipped) that a range text names."""
        reference = a1.read(text)
        if reference.title is None and reference.box is None:
            return self._named(reference.word, text)
        sheet = self.book.sheets[0] if reference.title is None else self.book.titled(reference.title)
        if sheet is None:
            raise RefusedError(f"Unable to parse range: {text}")
        if reference.box is None:
            return self._named(reference.word, text, bare=False)
        return sheet, reference.box

    def _named(self, word: str, text: str, bare: bool = True) -> tuple[Sheet, Box]:
        """A named range, wherever it lies: clients put the sheet they hold before every name. Bare, also a sheet."""
        for named in self.book.named_ranges:
            if named["name"].casefold() == word.casefold():
                return self.book.sheet(named["range"].get("sheetId", 0)), a1.box_of(named["range"])
        sheet = self.book.titled(word) if bare else None
        if sheet is None:
            raise RefusedError(f"Unable to parse range: {text}")
        return sheet, a1.ALL


def hold_start(sheet: Sheet, box: Box) -> None:
    """A range may end beyond the grid; it may not begin there."""
    if box.top < 0 or box.left < 0:
        raise RefusedError("Indexes of a range must be non-negative.")
    if box.top >= sheet.rows or box.left >= sheet.columns:
        raise RefusedError(
            f"Range ({a1.write(sheet.title, box)}) exceeds grid limits. "
            f"Max rows: {sheet.rows}, max columns: {sheet.columns}"
        )
