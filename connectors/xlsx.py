"""The masters' spreadsheet as one .xlsx file.

Promises: what is read is what a human sees, as text; a write lands whole or not at all, never over something that
changed since it was read or is open elsewhere, and not at all if it would change nothing; a cell whose text stays is
not touched, whoever typed it and however.
Refuses to know: what any tab is for; it is told grids and looks.
"""

from __future__ import annotations

import io
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook as Book
from python_calamine import CalamineError, PasswordError, SheetTypeEnum, load_workbook

from connectors import xlsx_look as looks
from connectors.base import BookRead, NoText, SheetWrite, SourceError, WorkbookBusy
from connectors.xlsx_cells import keep_texts, put_grid, read_cell, trim_grid
from connectors.xlsx_file import fetch_file, fingerprint_of, refuse_open, replace_file
from connectors.xlsx_helper import HELPER, read_digests, write_helper
from connectors.xlsx_parts import OddCell, Place, find_odd_cells, has_drawings, restore_values
from connectors.xlsx_rules import set_rules
from connectors.xlsx_text import cell_text, exact_text, shown_text
from rules.frames import Finding, Grid

__all__ = ["XlsxWorkbook", "cell_text", "shown_text"]

_BROKEN = (
    CalamineError,
    zipfile.BadZipFile,
    zlib.error,
    ParseError,
    KeyError,
    ValueError,
    EOFError,
    RuntimeError,
    OSError,
)
_UNLOADABLE = (*_BROKEN, TypeError, AttributeError, IndexError)


class _Present(NamedTuple):
    """The file as it lies: its bytes, its cells as text, and the cells that need care."""

    content: bytes
    grids: Mapping[str, Grid]
    odd: Mapping[str, Mapping[Place, OddCell]]
    drawn: bool


class XlsxWorkbook:
    """A Workbook in one file; `order` is the order of tabs for those that it makes."""

    def __init__(self, path: Path, order: Sequence[str] = ()) -> None:
        # A link is followed, so that replacing the file does not replace the link.
        self.path = path.resolve()
        self.order = tuple(order)

    def read(self) -> BookRead:
        """Read all sheets of one moment; no file yet is no sheets."""
        present = self._fetch()
        findings = [
            _report_formula(title, place, odd)
            for title, cells in present.odd.items()
            for place, odd in sorted(cells.items())
            if odd.stored is None
        ]
        if present.drawn:
            message = "図や画像があります。機械が書き込むと消えるので、別のファイルに移してください。"
            findings.append(Finding("unreadable", self.path.name, message))
        grids = {title: grid for title, grid in present.grids.items() if title != HELPER}
        return BookRead(grids, fingerprint_of(present.content), tuple(findings))

    def write(self, sheets: Sequence[SheetWrite], fingerprint: str) -> None:
        """Bring the given tabs to the given state; the grid is the whole truth of its tab, other tabs stay."""
        present = self._fetch()
        if fingerprint_of(present.content) != fingerprint:
            raise WorkbookBusy(
                f"{self.path}: 処理中にほかの人が保存しました。何も書いていません。次の実行でやり直します。"
            )
        wanted = [_show_sheet(sheet) for sheet in sheets]
        old_looks = read_digests(present.grids.get(HELPER, []))
        new_looks = old_looks | {sheet.title: _digest(sheet) for sheet in wanted}
        if new_looks == old_looks and all(present.grids.get(s.title) == s.grid for s in wanted):
            return
        refuse_open(self.path)
        book = self._load(present)
        lists: dict[str, tuple[str, ...]] = {}
        for sheet in wanted:
            lists |= self._put_sheet(book, sheet, present, old_looks.get(sheet.title, ""))
        if not present.content:
            book.active = 0
        kept = {title: digest for title, digest in new_looks.items() if title in book.sheetnames}
        write_helper(book, present.grids.get(HELPER, []), kept, lists)
        replace_file(self.path, _save_book(book, present), fingerprint)

    def _fetch(self) -> _Present:
        content = fetch_file(self.path)
        if not content:
            return _Present(content, {}, {}, False)
        try:
            odd = find_odd_cells(content)
            return _Present(content, _read_grids(content, odd), odd, has_drawings(content))
        except PasswordError as fault:
            message = f"{self.path}: パスワードがかかっていて読めません。パスワードを外して保存してください。"
            raise SourceError(message) from fault
        except _BROKEN as fault:
            raise SourceError(
                f"{self.path}: 表として読めません（壊れているか、.xlsx ではありません）。控えから戻すか、"
                "ほかの場所へ移してください（なければ、次の実行が保存済みの記録から作り直します）。"
            ) from fault

    def _load(self, present: _Present) -> Book:
        """Load the book for changing; what openpyxl warns of is about looks, which stay or are set again."""
        book = Book()
        if present.content:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    book = openpyxl.load_workbook(io.BytesIO(present.content), rich_text=True)
            except _UNLOADABLE as fault:
                raise SourceError(
                    f"{self.path}: 読めましたが、書き換えられません（{fault}）。何も書いていません。"
                    "表計算ソフトで開いて .xlsx として保存し直してください。"
                ) from fault
        else:
            book.remove(book.worksheets[0])
        for title, grid in present.grids.items():
            keep_texts(book[title], grid)
        looks.add_styles(book)
        return book

    def _put_sheet(
        self, book: Book, sheet: SheetWrite, present: _Present, old_look: str
    ) -> dict[str, tuple[str, ...]]:
        """Bring one tab to its state; return the long lists that its drop-downs name."""
        title, grid, look = sheet
        if title not in book.sheetnames:
            shown = book.active
            book.create_sheet(title, self._find_position(book, title))
            book.active = shown or 0
        worksheet, old_grid = book[title], present.grids.get(title, [])
        table, old_table = looks.lay_table(grid, look), looks.lay_table(old_grid, look)
        numbers = {table.find(column.header): column.kind == "number" for column in look.columns}
        changed = put_grid(worksheet, old_grid, grid, numbers)
        if _digest(sheet).split("-")[0] != old_look.split("-")[0]:
            looks.paint_sheet(worksheet, look, table, old_table.headers)
        else:
            looks.paint_rows(worksheet, look, table, range(old_table.last_row + 1, table.last_row + 1))
        looks.strip_rows(worksheet, look, table, range(table.last_row + 1, old_table.last_row + 1))
        looks.fit_rows(worksheet, look, table, grid, changed)
        return set_rules(worksheet, look, table, moved=table.headers != old_table.headers)

    def _find_position(self, book: Book, title: str) -> int | None:
        """Put a new tab before the first one that comes later in our order, else at the end."""
        if title not in self.order:
            return None
        later = self.order[self.order.index(title) + 1 :]
        return next((n for n, name in enumerate(book.sheetnames) if name in later), None)


class FirstSheet(NamedTuple):
    """The first worksheet of a workbook as text, where formulas without a stored value stand, and what is no text."""

    grid: Grid
    formulas: tuple[str, ...]
    typed: Mapping[Place, NoText]


def read_first_sheet(content: bytes, name: str) -> FirstSheet:
    """Read a workbook's first worksheet; SourceError if it is none that can be read."""
    try:
        odd = find_odd_cells(content)
        title, rows = next((each for each in _read_values(content) if each[0] != HELPER), ("", []))
    except (PasswordError, *_BROKEN) as fault:
        raise SourceError(f"{name}: 表として読めません。.xlsx として保存し直してください。") from fault
    cells = odd.get(title, {})
    bare = [place for place, cell in sorted(cells.items()) if cell.stored is None]
    typed = {
        (row, column): NoText(_name_kind(value), exact_text(value))
        for row, values in enumerate(rows, 1)
        for column, value in enumerate(values, 1)
        if not isinstance(value, str)
    }
    typed |= {place: NoText("formula" if cell.formula else "error", "") for place, cell in cells.items()}
    grid = _lay_odd([[exact_text(value) for value in row] for row in rows], cells)
    return FirstSheet(grid, tuple(f"{get_column_letter(c)}{r}" for r, c in bare), typed)


def _name_kind(value: object) -> Literal["number", "time", "truth"]:
    if isinstance(value, bool):
        return "truth"
    return "number" if isinstance(value, int | float) else "time"


def _read_values(content: bytes) -> Iterator[tuple[str, list[list[Any]]]]:
    """Title and values of every worksheet."""
    book = load_workbook(io.BytesIO(content))
    for number, sheet in enumerate(book.sheets_metadata):
        if sheet.typ == SheetTypeEnum.WorkSheet:
            yield sheet.name, book.get_sheet_by_index(number).to_python(skip_empty_area=False)


def _read_grids(content: bytes, odd: Mapping[str, Mapping[Place, OddCell]]) -> dict[str, Grid]:
    return {
        title: _lay_odd([[cell_text(value) for value in row] for row in rows], odd.get(title, {}))
        for title, rows in _read_values(content)
    }


def _lay_odd(grid: Grid, odd: Mapping[Place, OddCell]) -> Grid:
    """The grid with what the reader leaves out of it."""
    for (row, column), cell in odd.items():
        if cell.stored is None or cell.kind == "e":
            grid.extend([] for _ in range(row - len(grid)))
            grid[row - 1].extend("" for _ in range(column - len(grid[row - 1])))
            grid[row - 1][column - 1] = _show_odd(cell)
    return trim_grid(grid)


def _show_odd(cell: OddCell) -> str:
    return shown_text(f"［数式］{cell.formula}" if cell.stored is None else cell.stored)


def _report_formula(title: str, place: Place, cell: OddCell) -> Finding:
    message = f"計算結果のない数式（{cell.formula}）は読めません。値をそのまま入力してください。"
    return Finding("unreadable", f"{title}!{get_column_letter(place[1])}{place[0]}", shown_text(message))


def _show_sheet(sheet: SheetWrite) -> SheetWrite:
    return sheet._replace(grid=trim_grid([[shown_text(text) for text in row] for row in sheet.grid]))


def _digest(sheet: SheetWrite) -> str:
    return looks.digest_look(looks.lay_table(sheet.grid, sheet.look), sheet.look)


def _save_book(book: Book, present: _Present) -> bytes:
    target = io.BytesIO()
    book.save(target)
    values = {
        title: {
            place: (cell, read_cell(present.grids[title], *place))
            for place, cell in cells.items()
            if cell.formula and cell.stored is not None
        }
        for title, cells in present.odd.items()
        if title in present.grids
    }
    return restore_values(target.getvalue(), values) if any(values.values()) else target.getvalue()
