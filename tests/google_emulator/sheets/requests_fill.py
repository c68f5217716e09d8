"""autoFill: a series goes on as its beginning suggests, formulas are copied, the rest repeats."""

from __future__ import annotations

import re
from typing import Any

from tests.google_emulator.sheets import patterns, protection
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import COLUMNS, ROWS, Cell, Formula, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.requests_cells import block, relative

Body = dict[str, Any]
_NUMBERED = re.compile(r"(.*?)(\d+)")


def fill(context: Context, body: Body) -> Body:
    series = bool(body.get("useAlternateSeries"))
    if "sourceAndDestination" in body:
        given = body["sourceAndDestination"]
        sheet, source = block(context, given.get("source", {}))
        dimension, length = given.get("dimension"), given.get("fillLength", 0)
    elif "range" in body:
        sheet, whole = block(context, body["range"])
        source, dimension = _source(sheet, whole)
        length = whole.height - source.height if dimension == ROWS else whole.width - source.width
    else:
        raise RefusedError("Must specify one of 'range' or 'sourceAndDestination'.")
    if dimension not in (ROWS, COLUMNS):
        raise RefusedError("No dimension specified.")
    if not source.height or not source.width:
        raise RefusedError("The source range must not be empty.")
    target = _target(source, dimension, length)
    if (
        target.top < 0
        or target.left < 0
        or (target.bottom or 0) > sheet.rows
        or (target.right or 0) > sheet.columns
    ):
        raise RefusedError("The filled range exceeds the grid.")
    protection.hold(context, sheet, [target])
    lines = (
        range(source.left, source.right or 0) if dimension == ROWS else range(source.top, source.bottom or 0)
    )
    for line in lines:
        _fill_line(sheet, source, dimension, line, length, series)
    context.book.stale = True
    return {}


def _target(source: Box, dimension: str, length: int) -> Box:
    if dimension == ROWS:
        span = (
            (source.bottom or 0, (source.bottom or 0) + length)
            if length > 0
            else (source.top + length, source.top)
        )
        return Box(span[0], source.left, span[1], source.right)
    span = (
        (source.right or 0, (source.right or 0) + length)
        if length > 0
        else (source.left + length, source.left)
    )
    return Box(source.top, span[0], source.bottom, span[1])


def _source(sheet: Sheet, whole: Box) -> tuple[Box, str]:
    """What is filled already: the rows from the top, or the columns from the left where no row is blank."""
    filled = {(row, column) for row, column, cell in sheet.inside(whole) if cell.value is not None}
    rows = next(
        (row for row in range(whole.top, whole.bottom or 0) if not any(row == at for at, _ in filled)), None
    )
    if rows is not None and rows > whole.top:
        return whole._replace(bottom=rows), ROWS
    columns = range(whole.left, whole.right or 0)
    end = next((column for column in columns if not any(column == at for _, at in filled)), whole.right or 0)
    return whole._replace(right=max(end, whole.left + 1)), COLUMNS


def _fill_line(sheet: Sheet, source: Box, dimension: str, line: int, length: int, series: bool) -> None:
    start, end = (source.top, source.bottom or 0) if dimension == ROWS else (source.left, source.right or 0)

    def place(index: int) -> tuple[int, int]:
        return (index, line) if dimension == ROWS else (line, index)

    cells = [sheet.at(*place(index)) for index in range(start, end)]
    values = _continued(cells, abs(length), length < 0, series)
    for step in range(abs(length)):
        index = end + step if length > 0 else start - 1 - step
        pattern = start + (index - start) % (end - start)
        cell = sheet.at(*place(pattern))
        away = index - pattern
        new = relative(cell, away if dimension == ROWS else 0, 0 if dimension == ROWS else away)
        if values is not None:
            new = new._replace(value=values[step])
        sheet.put(*place(index), new)


def _continued(cells: list[Cell], count: int, back: bool, series: bool) -> list[Any] | None:
    """How numbers, days and numbered texts go on; None where the beginning just repeats."""
    found = [cell.value for cell in cells]
    if any(isinstance(value, Formula | bool) or value is None for value in found):
        return None
    shape = (cells[0].format or {}).get("numberFormat", {}).get("type", "")
    if all(isinstance(value, int | float) for value in found):
        if len(found) == 1 and not (series or shape in patterns.DATES):
            return None
        return _straight([float(value) for value in found if isinstance(value, int | float)], count, back)
    parts = [_NUMBERED.fullmatch(value) if isinstance(value, str) else None for value in found]
    if any(part is None for part in parts) or len({part[1] for part in parts if part}) != 1:
        return None
    numbers = _straight([float(part[2]) for part in parts if part], count, back)
    return [f"{parts[0][1]}{int(abs(number))}" for number in numbers] if parts[0] else None


def _straight(found: list[float], count: int, back: bool) -> list[Any]:
    step = (found[-1] - found[0]) / (len(found) - 1) if len(found) > 1 else 1.0
    begin, step = (found[0], -step) if back else (found[-1], step)
    made = [begin + step * (index + 1) for index in range(count)]
    return [int(value) if value.is_integer() else value for value in made]


KINDS = {"autoFill": fill}
