"""The rules that a tab carries: drop-downs, colours by a status word, the filter.

Promises: they refer to the columns as they lie now, wherever a master moved them, reach below the last row, and leave
alone the rules that masters made. Refuses to know: what a word means.
"""

from __future__ import annotations

import hashlib

from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from connectors.base import SheetLook
from connectors.xlsx_look import Table, list_columns

SPARE_ROWS = 500
"""How far below the last row drop-downs and colours reach, for rows that a master adds by hand."""

_LIST_TITLE = "一覧にない値です"
_MARK = '+N("saitei")'
"""N of a text is 0: the usual way to leave a note in a formula, by which we know our own colour rules again."""


def set_rules(worksheet: Worksheet, look: SheetLook, table: Table, moved: bool) -> dict[str, tuple[str, ...]]:
    """Set drop-downs, colours and filter for the table as it lies; return the lists that need the helper sheet."""
    end = table.last_row + SPARE_ROWS
    lists: dict[str, tuple[str, ...]] = {}
    rules = worksheet.data_validations
    rules.dataValidation = [rule for rule in rules.dataValidation if rule.errorTitle != _LIST_TITLE]
    for number, column in list_columns(look, table):
        if column.choices:
            rule = DataValidation(
                type="list",
                formula1=_write_list(column.choices, lists),
                allow_blank=True,
                showErrorMessage=True,
                errorStyle="warning",
                errorTitle=_LIST_TITLE,
                error="一覧から選んでください。このまま入れると、読めない値として知らせることがあります。",
            )
            letter = get_column_letter(number)
            rule.add(f"{letter}{table.header_row + 1}:{letter}{end}")
            worksheet.add_data_validation(rule)
    _set_colours(worksheet, look, table, end)
    if table.headers and not worksheet.tables:
        if moved:
            worksheet.auto_filter.filterColumn = []
            worksheet.auto_filter.sortState = None
        last = f"{get_column_letter(len(table.headers))}{max(table.last_row, table.header_row + 1)}"
        worksheet.auto_filter.ref = f"A{table.header_row}:{last}"
    return lists


def _set_colours(worksheet: Worksheet, look: SheetLook, table: Table, end: int) -> None:
    """Colour the leading machine cells of a row by the word in its status cell; a sort carries the colour along."""
    kept = ConditionalFormattingList()
    for group in worksheet.conditional_formatting:
        for rule in group.rules:
            if not any(_MARK in str(formula) for formula in rule.formula or ()):
                kept.add(str(group.sqref), rule)
    worksheet.conditional_formatting = kept
    status = table.find(look.colour_header)
    if not status:
        return
    first, letter = table.header_row + 1, get_column_letter(status)
    leading = [
        number for number, column in list_columns(look, table) if number < status and column.owner != "master"
    ]
    area = " ".join(
        f"{get_column_letter(number)}{first}:{get_column_letter(number)}{end}" for number in leading
    )
    for word, colour in look.colours.items():
        quoted = word.replace('"', '""')
        formula = f'(${letter}{first}="{quoted}"){_MARK}'
        strong = DifferentialStyle(font=Font(bold=True, color=ink_colour(colour)), fill=_dye(colour))
        kept.add(f"{letter}{first}:{letter}{end}", Rule("expression", dxf=strong, formula=[formula]))
        if area:
            pale = DifferentialStyle(fill=_dye(pale_colour(colour)))
            kept.add(area, Rule("expression", dxf=pale, formula=[formula]))


def _write_list(choices: tuple[str, ...], lists: dict[str, tuple[str, ...]]) -> str:
    """Write the choices into the rule if they fit there, else name a list of the helper sheet.

    A name is used, not a range: Excel moves a rule that points into another sheet where openpyxl cannot read it.
    """
    joined = ",".join(choices)
    plain = not any(mark in choice for choice in choices for mark in ',"\n') and not joined.startswith("=")
    if plain and len(joined.encode("utf-16-le")) // 2 < 255:
        return f'"{joined}"'
    name = "list_" + hashlib.sha256("\n".join(choices).encode()).hexdigest()[:12]
    lists[name] = choices
    return name


def _dye(colour: str) -> PatternFill:
    """A fill for a conditional format, which reads the end colour where a cell reads the start colour."""
    return PatternFill(bgColor=colour)


def split_colour(colour: str) -> tuple[int, int, int]:
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


def pale_colour(colour: str) -> str:
    return "".join(f"{round(255 - (255 - part) * 0.4):02X}" for part in split_colour(colour))


def ink_colour(colour: str) -> str:
    red, green, blue = split_colour(colour)
    return "1F2937" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "FFFFFF"
