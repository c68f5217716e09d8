"""A cell as CellData: in from requests, out to whoever asks, and only what was asked for."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import conditions, defaults, formula_text, masks, patterns, reading
from tests.google_emulator.sheets.book import EMPTY, Book, Cell, Fault, Formula, Sheet, Value, hold_length
from tests.google_emulator.sheets.refusal import RefusedError

Tree = dict[str, Any]
FIELDS = (
    "userEnteredValue",
    "effectiveValue",
    "formattedValue",
    "userEnteredFormat",
    "effectiveFormat",
    "hyperlink",
    "note",
    "textFormatRuns",
    "dataValidation",
    "pivotTable",
    "dataSourceTable",
    "dataSourceFormula",
    "chipRuns",
)
RUNS = ("textFormatRuns", "chipRuns")
STORED = ("textFormatRuns", "pivotTable", "dataSourceTable", "dataSourceFormula", "chipRuns")


def extended(value: Value) -> dict[str, Any] | None:
    """ExtendedValue; an empty text and a blank have none."""
    if value is None or (value == "" and isinstance(value, str)):
        return None
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, Formula):
        return {"formulaValue": value.text}
    if isinstance(value, Fault):
        found = {"type": value.kind}
        return {"errorValue": found | ({"message": value.message} if value.message else {})}
    if isinstance(value, str):
        return {"stringValue": value}
    return {"numberValue": reading.json_number(value)}


# Effective formats made so far in one answer, with what they were made of, which keeps its identity as long as they.
Looks = dict[tuple[int, int, str], tuple[Any, Any, dict[str, Any]]]


def out(
    book: Book,
    sheet: Sheet,
    row: int,
    column: int,
    cell: Cell,
    wanted: tuple[str, ...],
    looks: Looks,
    plain: bool = False,
) -> dict[str, Any]:
    """The fields of CellData that are wanted and that the cell has.

    `plain` says that of the effective format only the number format is wanted: no conditional format touches it, and
    to try all their formulas on every cell would take long.
    """
    shown: dict[str, Any] = {}
    value = book.value(sheet, row, column, cell)
    for name in wanted:
        if plain and name == "effectiveFormat":
            number_format = reading.number_format(book, sheet, row, column, cell)
            if number_format:
                shown[name] = {"numberFormat": number_format}
            continue
        if name == "effectiveFormat":
            found = _look(book, sheet, row, column, cell, value, looks)
        else:
            found = _field(name, book, sheet, row, column, cell, value)
        if found is not None:
            shown[name] = found
    return shown


def _field(name: str, book: Book, sheet: Sheet, row: int, column: int, cell: Cell, value: Value) -> Any:
    if name == "userEnteredValue":
        return extended(cell.value)
    if name == "effectiveValue":
        return extended(value)
    if name == "formattedValue":
        if value is None or value == "":
            return None
        return patterns.show(value, reading.number_format(book, sheet, row, column, cell), book.locale)
    if name == "userEnteredFormat":
        return cell.format
    if name == "note":
        return cell.note or None
    if name == "dataValidation":
        return cell.validation
    if name == "hyperlink":
        return _link(cell)
    return (cell.extra or {}).get(name)


def _look(
    book: Book, sheet: Sheet, row: int, column: int, cell: Cell, value: Value, looks: Looks
) -> dict[str, Any] | None:
    """The effective format: one for all cells of one format and one kind of value, so that they share it."""
    if sheet.objects["conditionalFormats"]:
        return effective(book, sheet, row, column, cell, value)
    if cell.value is None and cell.format is None:
        return None
    number_format = reading.number_format(book, sheet, row, column, cell)
    key = (id(cell.format), id(number_format), type(value).__name__)
    if key not in looks:
        looks[key] = (cell.format, number_format, effective(book, sheet, row, column, cell, value))
    return looks[key][2]


def _link(cell: Cell) -> str | None:
    if isinstance(cell.value, Formula) and cell.value.text.upper().startswith('=HYPERLINK("'):
        return cell.value.text[12:].partition('"')[0]
    link = ((cell.format or {}).get("textFormat") or {}).get("link", {}).get("uri")
    if link or not cell.extra:
        return link or None
    runs = [run.get("format", {}).get("link", {}).get("uri") for run in cell.extra.get("textFormatRuns", [])]
    return runs[0] if len(runs) == 1 else None


def effective(book: Book, sheet: Sheet, row: int, column: int, cell: Cell, value: Value) -> dict[str, Any]:
    """The default format, what the cell's own says over it, and the alignment its kind of value has."""
    shown = dict(defaults.CELL_FORMAT)
    number_format = reading.number_format(book, sheet, row, column, cell)
    if number_format:
        shown = {"numberFormat": number_format, **shown}
    if value is not None:
        centred = isinstance(value, bool | Fault)
        right = isinstance(value, int | float) and not isinstance(value, bool)
        shown["horizontalAlignment"] = "CENTER" if centred else "RIGHT" if right else "LEFT"
    for name, own in (cell.format or {}).items():
        if isinstance(own, dict) and isinstance(shown.get(name), dict) and name in ("textFormat", "padding"):
            shown[name] = {**shown[name], **own}
        else:
            shown[name] = own
    if sheet.objects["conditionalFormats"]:
        return conditions.dressed(book, sheet, row, column, value, shown)
    return shown


def value_in(given: dict[str, Any] | None, book: Book) -> Value:
    """The value a request enters: typed by its name, never parsed."""
    if not given:
        return None
    if "formulaValue" in given:
        text = given["formulaValue"]
        hold_length(text)
        if not text.startswith("="):
            raise RefusedError(f"Invalid formula: {text}. Formulas must start with '='.")
        return Formula(formula_text.canonical(text, book))
    if "numberValue" in given:
        return reading.json_number(given["numberValue"])
    if "stringValue" in given:
        hold_length(given["stringValue"])
        return given["stringValue"] or None
    if "boolValue" in given:
        return bool(given["boolValue"])
    return None


def patch(cell: Cell, given: dict[str, Any], tree: Tree, book: Book) -> Cell:
    """The cell with what the mask names taken from a CellData."""
    if cell is EMPTY and tree.keys() == {"userEnteredValue"}:
        return Cell(value_in(given.get("userEnteredValue"), book))
    if masks.touches(tree, "userEnteredValue"):
        extra = {
            name: kept
            for name, kept in (cell.extra or {}).items()
            if name not in ("textFormatRuns", "chipRuns")
        }
        cell = cell._replace(value=value_in(given.get("userEnteredValue"), book), extra=extra or None)
    if masks.touches(tree, "userEnteredFormat"):
        cell = cell._replace(format=format_in(cell.format, given, masks.below(tree, "userEnteredFormat")))
    if masks.touches(tree, "note"):
        cell = cell._replace(note=given.get("note", ""))
    if masks.touches(tree, "dataValidation"):
        cell = cell._replace(validation=given.get("dataValidation") or None)
    for name in STORED:
        if masks.touches(tree, name):
            extra = dict(cell.extra or {})
            extra.pop(name, None)
            if given.get(name):
                extra[name] = (
                    [_run(run) for run in masks.evened(given[name])]
                    if name in RUNS
                    else masks.evened(given[name])
                )
            cell = cell._replace(extra=extra or None)
    return cell


def _run(run: dict[str, Any]) -> dict[str, Any]:
    """The first run begins at 0 without saying so."""
    return {name: value for name, value in run.items() if name != "startIndex" or value}


def format_in(own: dict[str, Any] | None, given: dict[str, Any], tree: Tree) -> dict[str, Any] | None:
    new = masks.patched(own or {}, masks.evened(given.get("userEnteredFormat", {})), tree)
    borders = new.get("borders")
    if borders:
        kept = {
            side: _border(line) for side, line in borders.items() if line.get("style") not in (None, "NONE")
        }
        if kept:
            new["borders"] = kept
        else:
            del new["borders"]
    if not new.get("numberFormat", {"type": 1}):
        del new["numberFormat"]
    return new or None


WIDTHS = {"DOTTED": 1, "DASHED": 1, "SOLID": 1, "SOLID_MEDIUM": 2, "SOLID_THICK": 3, "DOUBLE": 3}


def _border(line: dict[str, Any]) -> dict[str, Any]:
    """A border always has a width and a colour, black if none was given."""
    shown = {"style": line["style"], "width": WIDTHS.get(line["style"], 1)}
    return shown | {"color": line.get("color", {}), "colorStyle": line.get("colorStyle", {"rgbColor": {}})}
