"""The rules that a tab at Google carries: drop-downs, colours by a status word, warnings, the filter.

Promises: they refer to the columns as they lie now, reach to the end of the sheet (drop-downs in a tab to which the
machine adds rows: to the last row, for it is not known whether one makes a row count as used), forbid nothing to a
human, and leave alone the rules that masters made. Refuses to know: what a word means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from openpyxl.utils import get_column_letter

from connectors.base import ColumnLook, SheetLook
from connectors.google_book import MARK, PROTECTION, Json, Tab
from connectors.google_look import body_style, dye, group_columns, span
from connectors.xlsx_look import Table, list_columns
from connectors.xlsx_rules import ink_colour, pale_colour

_HINT = "一覧から選んでください。ほかの値は、読めない値として知らせることがあります。"


def set_rules(tab: Tab, look: SheetLook, table: Table, old: Table, listed: Iterable[str]) -> list[Json]:
    """Set all rules anew; `listed` are the headers that carried our drop-downs, in the places of `old`."""
    if not table.headers:
        return []
    requests = _set_lists(tab, look, table, old, listed) + _set_colours(tab, look, table)
    requests += [{"deleteProtectedRange": {"protectedRangeId": number}} for number in tab.protections]
    requests += _protect(tab.sheet_id, look, table)
    if not tab.has_tables:
        place = span(tab.sheet_id, (table.header_row, None), (1, len(table.headers)))
        kept = tab.filter.get("filterSpecs", []) if table.headers == old.headers else []
        # Only what is hidden is set again, never an order: to sort would move rows that this very call writes.
        requests.append({"setBasicFilter": {"filter": {"range": place, "filterSpecs": kept}}})
    return requests


def _set_lists(tab: Tab, look: SheetLook, table: Table, old: Table, listed: Iterable[str]) -> list[Json]:
    """Google carries a drop-down along with a moved column, hence the old ones lie under their old headers."""
    first = table.header_row + 1
    places = {number: column for number, column in list_columns(look, table) if column.choices}
    gone = {old.find(header) for header in listed} - {0, *places}
    requests: list[Json] = [
        {"setDataValidation": {"range": span(tab.sheet_id, (first, None), (number, number))}}
        for number in sorted(gone)
    ]
    last = table.last_row if look.grows else None
    if last is not None and last < first:
        return requests
    for number, column in sorted(places.items()):
        place = span(tab.sheet_id, (first, last), (number, number))
        requests.append({"setDataValidation": {"range": place, "rule": _list_rule(column)}})
    return requests


def _list_rule(column: ColumnLook) -> Json:
    values = [{"userEnteredValue": choice} for choice in column.choices]
    return {
        "condition": {"type": "ONE_OF_LIST", "values": values},
        "inputMessage": _HINT,
        "strict": False,
        "showCustomUi": True,
    }


def dress_cells(look: SheetLook, table: Table, width: int) -> Callable[[int, Json], Json]:
    """A function that gives the cell of a new row, by its column counted from 0, its looks and its drop-down."""
    columns = {number - 1: column for number, column in list_columns(look, table)}
    styles = {n: body_style(look, table, n + 1, column) for n, column in columns.items() if n < width}
    rules = {n: _list_rule(column) for n, column in columns.items() if column.choices}

    def dress(column: int, cell: Json) -> Json:
        style = {**styles.get(column, {}), **cell.get("userEnteredFormat", {})}
        rule = {"dataValidation": rules[column]} if column in rules else {}
        return {**cell, **({"userEnteredFormat": style} if style else {}), **rule}

    return dress


def _set_colours(tab: Tab, look: SheetLook, table: Table) -> list[Json]:
    """Colour the leading machine cells of a row by the word in its status cell; masters' own rules come first."""
    requests: list[Json] = [
        {"deleteConditionalFormatRule": {"sheetId": tab.sheet_id, "index": index}}
        for index in sorted(tab.colour_rules, reverse=True)
    ]
    status = table.find(look.colour_header)
    if not status:
        return requests
    first, letter = table.header_row + 1, get_column_letter(status)
    leading = group_columns(
        look, table, lambda number, column: True if number < status and column.owner != "master" else None
    )
    ranges = [span(tab.sheet_id, (first, None), group) for group in leading]
    place = span(tab.sheet_id, (first, None), (status, status))
    index = tab.other_rules
    for word, colour in look.colours.items():
        quoted = word.replace('"', '""')
        # Without a comma, for the locale of the spreadsheet decides what parts arguments.
        formula = f'=(${letter}{first}="{quoted}")=({MARK})'
        strong: Json = {
            "backgroundColorStyle": dye(colour),
            "textFormat": {"bold": True, "foregroundColorStyle": dye(ink_colour(colour))},
        }
        pale: Json = {"backgroundColorStyle": dye(pale_colour(colour))}
        for where, style in (([place], strong), (ranges, pale)):
            if where:
                requests.append(_colour(where, formula, style, index))
                index += 1
    return requests


def _colour(ranges: list[Json], formula: str, style: Json, index: int) -> Json:
    condition = {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": formula}]}
    rule = {"ranges": ranges, "booleanRule": {"condition": condition, "format": style}}
    return {"addConditionalFormatRule": {"rule": rule, "index": index}}


def _protect(sheet_id: int, look: SheetLook, table: Table) -> list[Json]:
    """Warn whoever types over the header or into a machine's column; nobody is kept from it."""
    places = [span(sheet_id, (1, table.header_row), (1, len(table.headers)))]
    groups = group_columns(look, table, lambda _, column: None if column.owner == "master" else True)
    places += [span(sheet_id, (table.header_row + 1, None), group) for group in groups]
    return [{"addProtectedRange": {"protectedRange": _warning(place)}} for place in places]


def _warning(place: Json) -> Json:
    return {"range": place, "description": PROTECTION, "warningOnly": True}
