"""The hidden sheet that goes with the masters' tabs: long drop-down lists, and what each tab was dressed for.

The digests lie in the file itself, so that the file alone tells whether it must be dressed anew, wherever it was
carried and whichever program saved it last. Refuses to know: what a list offers or a digest covers.
"""

from __future__ import annotations

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.workbook.defined_name import DefinedName

from connectors.xlsx_cells import put_text
from rules.frames import Grid

HELPER = "_選択肢"
_LIST = "list_"
_FIRST_LIST = 4


def read_digests(grid: Grid) -> dict[str, str]:
    """Return title -> digest of the looks that the tabs of the file have."""
    return {row[0]: row[1] for row in grid[1:] if len(row) > 1 and row[0]}


def write_helper(
    book: Workbook, present: Grid, digests: Mapping[str, str], lists: Mapping[str, tuple[str, ...]]
) -> None:
    """Make the sheet anew with `digests`, the new `lists`, and the old ones that a drop-down still names."""
    used = {rule.formula1 for sheet in book.worksheets for rule in sheet.data_validations.dataValidation}
    merged = {
        name: items for name, items in {**_read_lists(present), **lists}.items() if items and name in used
    }
    columns = {1: ("タブ", *digests), 2: ("見た目", *digests.values())}
    columns |= {number: (name, *merged[name]) for number, name in enumerate(sorted(merged), _FIRST_LIST)}
    if HELPER in book.sheetnames:
        del book[HELPER]
    sheet = book.create_sheet(HELPER)
    sheet.sheet_state = "hidden"
    for number, column in columns.items():
        for row, text in enumerate(column, 1):
            put_text(sheet.cell(row, number), text)
    for name in [name for name in book.defined_names if name.startswith(_LIST)]:
        del book.defined_names[name]
    for number, name in enumerate(sorted(merged), _FIRST_LIST):
        letter = get_column_letter(number)
        area = f"'{HELPER}'!${letter}$2:${letter}${len(merged[name]) + 1}"
        book.defined_names[name] = DefinedName(name, attr_text=area)


def _read_lists(grid: Grid) -> dict[str, tuple[str, ...]]:
    """The lists as they stand; the items of a list have no gaps, for a drop-down offers no blank."""
    head = grid[0] if grid else []
    return {
        name: tuple(row[number] for row in grid[1:] if number < len(row) and row[number])
        for number, name in enumerate(head)
        if name.startswith(_LIST)
    }
