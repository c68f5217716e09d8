"""values.update, clear and their relatives: rows of JSON values into cells."""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.google_emulator.errors import ApiError
from tests.google_emulator.sheets import a1, entry, metadata, protection, reading, tables
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS, Sheet
from tests.google_emulator.sheets.context import Context, hold_start
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import RefusedError, refusing

Options = dict[str, Any]


class Written(NamedTuple):
    """What one write did: the rectangle asked for, the one written to, and how many cells."""

    sheet: Sheet
    asked: Box
    box: Box
    cells: int


def how(option: str | None) -> str:
    if option in (None, "", "INPUT_VALUE_OPTION_UNSPECIFIED"):
        raise ApiError(400, "'valueInputOption' is required but not specified")
    assert option is not None
    return option


def by_rows(data: Options, place: str = "values") -> list[list[Any]]:
    """The values by rows, each a scalar; None stands for a cell to leave alone."""
    given = data.get("values", [])
    for at, line in enumerate(given):
        for index, value in enumerate(line):
            if value.__class__ in (list, dict, str):
                entry.hold_scalar(value, f"{place}[{at}][{index}]")
    if data.get("majorDimension") == "COLUMNS":
        height = max((len(line) for line in given), default=0)
        return [[line[row] if row < len(line) else None for line in given] for row in range(height)]
    return list(given)


def hold_fit(context: Context, sheet: Sheet, box: Box, lines: list[list[Any]], text: str) -> None:
    """Values must fit the range asked for; one cell, or an open end, is only where to begin.

    Beyond the grid the service was seen to add rows and columns; `world.update_grows_grid = False` refuses instead.
    """
    height, width = len(lines), max((len(line) for line in lines), default=0)
    anchor = box.bottom is not None and box.right is not None and box.height == box.width == 1
    grows = getattr(context.world, "update_grows_grid", True)
    bottom = None if anchor else box.bottom
    right = None if anchor else box.right
    if not grows:
        bottom = min(bottom or sheet.rows, sheet.rows)
        right = min(right or sheet.columns, sheet.columns)
    if bottom is not None and box.top + height > bottom:
        raise RefusedError(
            f"Requested writing within range [{text}], but tried writing to row [{bottom + 1}]"
        )
    if right is not None and box.left + width > right:
        name = a1.column_name(right)
        raise RefusedError(f"Requested writing within range [{text}], but tried writing to column [{name}]")


def grow(context: Context, sheet: Sheet, bottom: int, right: int) -> None:
    if bottom > sheet.rows or right > sheet.columns:
        sheet.rows, sheet.columns = max(sheet.rows, bottom), max(sheet.columns, right)
        context.book.hold_limit()


def put(context: Context, sheet: Sheet, asked: Box, lines: list[list[Any]], option: str) -> Written:
    """Writes rows from the top left corner of `asked`."""
    top, left = asked.top, asked.left
    height, width = len(lines), max((len(line) for line in lines), default=0)
    box = Box(top, left, top + max(height, 1), left + max(width, 1))
    grow(context, sheet, box.bottom or 0 if height else 0, box.right or 0 if width else 0)
    if height and width:
        protection.hold(context, sheet, [box])
    typed, today, book, count = option == "USER_ENTERED", context.now().date(), context.book, 0
    for down, line in enumerate(lines):
        for along, value in enumerate(line):
            if value is None:
                continue
            count += 1
            row, column = top + down, left + along
            if sheet.merges and sheet.under_merge(row, column):
                continue
            if not typed:
                sheet.put_value(row, column, entry.raw(value))
                continue
            cell = sheet.at(row, column)
            found = entry.typed(book, sheet, cell, value, today)
            if found.format and "numberFormat" not in (cell.format or {}):
                shaped = {**(cell.format or {}), "numberFormat": found.format}
                sheet.put(row, column, cell._replace(format=shaped))
            sheet.put_value(row, column, found.value)
    book.stale = True
    tables.after_writing(context, sheet, box)
    return Written(sheet, asked, box if height and width else Box(top, left, top + 1, left + 1), count)


def report(context: Context, written: Written, options: Options, major: str) -> dict[str, Any]:
    """UpdateValuesResponse."""
    sheet, box = written.sheet, written.box
    out: dict[str, Any] = {"spreadsheetId": context.file.id, "updatedRange": a1.write(sheet.title, box)}
    if written.cells:
        out["updatedRows"] = box.height
        out["updatedColumns"] = box.width
        out["updatedCells"] = written.cells
    if options.get("includeValuesInResponse"):
        recalculate(context.book, context.now())
        inner = {
            "valueRenderOption": options.get("responseValueRenderOption"),
            "dateTimeRenderOption": options.get("responseDateTimeRenderOption"),
            "majorDimension": major,
        }
        out["updatedData"] = reading.value_range(context, sheet, box, inner)
    return out


def one(context: Context, sheet: Sheet, box: Box, data: Options, option: str, text: str) -> Written:
    hold_start(sheet, box)
    lines = by_rows(data)
    hold_fit(context, sheet, box, lines, text)
    return put(context, sheet, box, lines, option)


def update(context: Context, params: Options, body: Options) -> dict[str, Any]:
    option = how(params.get("valueInputOption"))
    text = params["range"]
    if body.get("range") and a1.read(body["range"])[:2] != a1.read(text)[:2]:
        sheet_box = context.find(body["range"])
        if sheet_box != context.find(text):
            raise RefusedError(f"Requested writing within range [{text}], but got range [{body['range']}]")
    sheet, box = context.find(text)
    written = one(context, sheet, box, body, option, canonical(sheet, box, text))
    return report(context, written, params, body.get("majorDimension") or ROWS)


def canonical(sheet: Sheet, box: Box, text: str) -> str:
    """The range in a refusal: the sheet as it was written in the request, the cells as the grid has them."""
    prefix = a1.read(text).prefix or a1.quoted(sheet.title)
    clipped = box if box.bottom is not None and box.right is not None else sheet.clip(box)
    return f"{prefix}!{a1.write_box(clipped)}"


def batch_update(context: Context, body: Options) -> dict[str, Any]:
    option = how(body.get("valueInputOption"))
    done: list[tuple[Written, str]] = []
    for index, data in enumerate(body.get("data", [])):
        with refusing(f"data[{index}]"):
            sheet, box = context.find(data.get("range", ""))
            text = canonical(sheet, box, data.get("range", ""))
            done.append((one(context, sheet, box, data, option, text), data.get("majorDimension") or ROWS))
    reports = [report(context, written, body, major) for written, major in done]
    return _totals(context, [written for written, _ in done], reports)


def _totals(context: Context, done: list[Written], reports: list[Any]) -> dict[str, Any]:
    """Rows and columns written to more than once count once."""
    out: dict[str, Any] = {"spreadsheetId": context.file.id}
    busy = [each for each in done if each.cells]
    rows = {(each.sheet.id, row) for each in busy for row in range(each.box.top, each.box.bottom or 0)}
    columns = {
        (each.sheet.id, column) for each in busy for column in range(each.box.left, each.box.right or 0)
    }
    totals = {
        "totalUpdatedRows": len(rows),
        "totalUpdatedColumns": len(columns),
        "totalUpdatedCells": sum(each.cells for each in busy),
        "totalUpdatedSheets": len({each.sheet.id for each in busy}),
    }
    out |= {name: count for name, count in totals.items() if count}
    if reports:
        out["responses"] = reports
    return out


def batch_update_by_filter(context: Context, body: Options) -> dict[str, Any]:
    """Each entry goes to every range its filter means, and may not be larger than that range."""
    option = how(body.get("valueInputOption"))
    done: list[Written] = []
    reports: list[dict[str, Any]] = []
    for index, data in enumerate(body.get("data", [])):
        with refusing(f"data[{index}]"):
            for sheet, box in metadata.areas(context, data.get("dataFilter", {})):
                text = a1.write(sheet.title, sheet.clip(box))
                hold_start(sheet, box)
                lines = by_rows(data)
                hold_fit(context, sheet, sheet.clip(box), lines, text)
                written = put(context, sheet, box, lines, option)
                done.append(written)
                one_report = report(context, written, body, data.get("majorDimension") or ROWS)
                del one_report["spreadsheetId"]
                reports.append(one_report | {"dataFilter": reading.echoed(data.get("dataFilter", {}))})
    return _totals(context, done, reports)


def _clear(context: Context, sheet: Sheet, box: Box) -> str:
    """Values go; formats, notes and rules stay."""
    hold_start(sheet, box)
    protection.hold(context, sheet, [box])
    for row, column, cell in list(sheet.inside(box)):
        if cell.value is not None or cell.extra:
            sheet.put_value(row, column, None)
    context.book.stale = True
    tables.after_writing(context, sheet, sheet.clip(box))
    return a1.write(sheet.title, sheet.clip(box))


def clear(context: Context, params: Options) -> dict[str, Any]:
    return {"spreadsheetId": context.file.id, "clearedRange": _clear(context, *context.find(params["range"]))}


def batch_clear(context: Context, body: Options) -> dict[str, Any]:
    cleared = []
    for index, text in enumerate(body.get("ranges", [])):
        with refusing(f"range[{index}]"):
            cleared.append(_clear(context, *context.find(text)))
    return {"spreadsheetId": context.file.id} | ({"clearedRanges": cleared} if cleared else {})


def batch_clear_by_filter(context: Context, body: Options) -> dict[str, Any]:
    cleared = []
    for each in body.get("dataFilters", []):
        cleared += [_clear(context, sheet, box) for sheet, box in metadata.areas(context, each)]
    return {"spreadsheetId": context.file.id} | ({"clearedRanges": cleared} if cleared else {})
