"""How the tabs of the workbook look: colours, widths, heights, print set-up.

Promises: whose column it is can be seen at a glance; what a master formatted stays, unless the look of the tab itself
changes. Refuses to know: what a word or a column means, and where the grid came from.
"""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata
from collections.abc import Iterable, Sequence
from copy import copy
from typing import NamedTuple

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.header_footer import HeaderFooterItem, _HeaderFooterPart
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from connectors.base import ColumnLook, SheetLook
from rules.frames import Grid

_EDITION = "1"
"""Counts changes of the styles below: every tab is dressed anew when it changes."""

_FONT = "Yu Gothic"
_LINE, _PADDING = 18.0, 5.0
_MAX_LINES, _MAX_LINES_RIGHT = 8, 3

HEADS = {"machine": ("475569", "FFFFFF"), "master": ("F5B942", "3F2E00"), "key": ("9CA3AF", "FFFFFF")}
BODIES = {"machine": ("FFFFFF", "1F2937"), "master": ("FFF8E1", "1F2937"), "key": ("F3F4F6", "6B7280")}
_ALIGNMENTS = {
    "short": Alignment(horizontal="left", vertical="top", indent=1),
    "long": Alignment(horizontal="left", vertical="top", indent=1, wrap_text=True),
    "number": Alignment(horizontal="right", vertical="top", indent=1),
}


class Table(NamedTuple):
    """Where the table of one tab lies: rows and columns counted from 1, `last_row` at least the header's."""

    headers: tuple[str, ...]
    header_row: int
    last_row: int

    def find(self, header: str) -> int:
        """Return the first column under `header`, 0 if there is none."""
        return self.headers.index(header) + 1 if header and header in self.headers else 0


def lay_table(grid: Grid, look: SheetLook) -> Table:
    """Find the table in a grid."""
    headers = grid[look.header_row] if look.header_row < len(grid) else []
    return Table(tuple(headers), look.header_row + 1, max(len(grid), look.header_row + 1))


def digest_look(table: Table, look: SheetLook) -> str:
    """Digest what the look of a tab rests on, in two halves: how it is painted, and what its rules say.

    The halves are apart because painting covers what masters formatted, and setting rules does not.
    """
    columns = [(column.header, column.width, column.owner, name_kind(column)) for column in look.columns]
    layout = [look.header_row, look.frozen_columns, look.tab_colour]
    paint = [_EDITION, sorted(table.headers), columns, layout]
    rules = [
        table.headers,
        [column.choices for column in look.columns],
        dict(look.colours),
        look.colour_header,
    ]
    return "-".join(
        hashlib.sha256(json.dumps(part, ensure_ascii=False).encode()).hexdigest()[:12]
        for part in (paint, rules)
    )


def add_styles(book: Workbook) -> None:
    """Register our named styles; masters find them in the gallery under these names."""
    line = Side(style="thin", color="D8DEE6")
    border = Border(left=line, right=line, top=line, bottom=line)
    styles = [
        NamedStyle(
            name="saitei note",
            font=Font(name=_FONT, size=10, bold=True, color="334155"),
            fill=_fill("E8EDF4"),
            alignment=Alignment(horizontal="left", vertical="center", indent=1),
        )
    ]
    for owner, (ground, ink) in HEADS.items():
        font = Font(name=_FONT, size=11, bold=True, color=ink)
        middle = Alignment(horizontal="center", vertical="center", wrap_text=True)
        styles.append(NamedStyle(f"saitei head {owner}", font, _fill(ground), border, middle))
    for owner, (ground, ink) in BODIES.items():
        font = Font(name=_FONT, size=11, color=ink)
        for kind, alignment in _ALIGNMENTS.items():
            styles.append(NamedStyle(f"saitei {owner} {kind}", font, _fill(ground), border, alignment))
    for style in styles:
        if style.name not in book.named_styles:
            book.add_named_style(style)


def paint_sheet(worksheet: Worksheet, look: SheetLook, table: Table, present: Sequence[str]) -> None:
    """Dress the whole tab; `present` are the headers that lay there before, whose columns keep their widths."""
    _part_columns(worksheet, len(table.headers))
    for row in range(1, table.header_row):
        worksheet.row_dimensions[row].height = 24
        for number in range(1, len(table.headers) + 1):
            worksheet.cell(row, number).style = "saitei note"
    worksheet.row_dimensions[table.header_row].height = 32
    for number, column in list_columns(look, table):
        worksheet.cell(table.header_row, number).style = f"saitei head {column.owner}"
        if list(present[number - 1 : number]) != [column.header]:
            dimension = worksheet.column_dimensions[get_column_letter(number)]
            dimension.width = column.width
            dimension.font = Font(name=_FONT, size=11)
            dimension.alignment = _ALIGNMENTS[name_kind(column)]
    paint_rows(worksheet, look, table, range(table.header_row + 1, table.last_row + 1))
    corner = worksheet.cell(table.header_row + 1, look.frozen_columns + 1)
    worksheet.freeze_panes = corner.coordinate
    if look.tab_colour:
        worksheet.sheet_properties.tabColor = look.tab_colour
    worksheet.page_setup.orientation = "landscape"
    worksheet.page_setup.paperSize = worksheet.PAPERSIZE_A4
    worksheet.page_setup.fitToWidth, worksheet.page_setup.fitToHeight = 1, 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_title_rows = f"{table.header_row}:{table.header_row}"
    margins = worksheet.page_margins
    margins.left = margins.right = 0.4
    margins.top, margins.bottom = 0.6, 0.8
    worksheet.oddFooter = HeaderFooterItem(center=_HeaderFooterPart("&A　&P / &N"))


def paint_rows(worksheet: Worksheet, look: SheetLook, table: Table, rows: Iterable[int]) -> None:
    """Give rows of the table their body style, without touching how a value is formatted."""
    columns = [
        (number, f"saitei {column.owner} {name_kind(column)}") for number, column in list_columns(look, table)
    ]
    for row in rows:
        for number, name in columns:
            cell = worksheet.cell(row, number)
            kept = cell.number_format, cell.quotePrefix
            cell.style = name
            cell.number_format, cell.quotePrefix = kept


def strip_rows(worksheet: Worksheet, look: SheetLook, table: Table, rows: Iterable[int]) -> None:
    """Take the style from rows that fell out of the table, so that no coloured stripes stay behind."""
    for row in rows:
        worksheet.row_dimensions[row].height = None
        for number, _ in list_columns(look, table):
            worksheet.cell(row, number).style = "Normal"


def fit_rows(worksheet: Worksheet, look: SheetLook, table: Table, grid: Grid, rows: Iterable[int]) -> None:
    """Make rows as high as their texts need, within reason, and show them.

    What stands right of the status is for a laptop: its long answers may not stretch what is read on a phone.
    A row that a filter hid may now hold something else: nothing new may lie in a hidden row.
    """
    status = table.find(look.colour_header) or len(table.headers)
    rooms = [
        (number, worksheet.column_dimensions[get_column_letter(number)].width, right)
        for number, column in list_columns(look, table)
        if name_kind(column) == "long"
        for right in [number > status and column.owner != "master"]
    ]
    for row in rows:
        if table.header_row < row <= table.last_row:
            cells = grid[row - 1]
            lines = [
                min(_count_lines(cells[number - 1], width), _MAX_LINES_RIGHT if right else _MAX_LINES)
                for number, width, right in rooms
                if number <= len(cells)
            ]
            worksheet.row_dimensions[row].height = _LINE * max(lines, default=1) + _PADDING
            worksheet.row_dimensions[row].hidden = False


def list_columns(look: SheetLook, table: Table) -> list[tuple[int, ColumnLook]]:
    """Return the columns that the tab has, with where they lie now."""
    found = ((table.find(column.header), column) for column in look.columns)
    return [(number, column) for number, column in found if number]


def _part_columns(worksheet: Worksheet, count: int) -> None:
    """Give each column of the table a definition of its own: Excel and LibreOffice store them in groups."""
    columns = worksheet.column_dimensions
    for group in list(columns.values()):
        first, last = group.min or 0, group.max or 0
        if not 0 < first <= count or first >= last:
            continue
        for number in range(first + 1, min(last, count + 1) + 1):
            single = columns[get_column_letter(number)]
            single.width, single.hidden = group.width, group.hidden
            single._style = copy(group._style)  # type: ignore[attr-defined]
            single.min, single.max = number, number if number <= count else last
        group.max = first


def _count_lines(text: str, width: float) -> int:
    room = max(width - 3, 1)
    return sum(max(1, math.ceil(_measure(line) / room)) for line in text[:4000].split("\n"))


def _measure(text: str) -> float:
    return sum(2.1 if unicodedata.east_asian_width(sign) in "FWA" else 1.1 for sign in text)


def name_kind(column: ColumnLook) -> str:
    return "number" if column.kind == "number" else "long" if column.wrap else "short"


def _fill(colour: str) -> PatternFill:
    return PatternFill("solid", start_color=colour, end_color=colour)
