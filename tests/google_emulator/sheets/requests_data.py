"""Requests that work on the data in cells: sorting, finding, cleaning, splitting, shuffling."""

from __future__ import annotations

import random
import re
from functools import cmp_to_key
from typing import Any

from tests.google_emulator.sheets import a1, comparing, protection
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import EMPTY, ROWS, Cell, Fault, Formula, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.requests_cells import block, relative
from tests.google_emulator.sheets.requests_paste import shown_text, type_in

Body = dict[str, Any]


def _data(context: Context, given: Body) -> tuple[Sheet, Box]:
    sheet = context.book.sheet(given.get("sheetId", 0))
    if given.get("startRowIndex", 0) >= sheet.rows:
        raise RefusedError(f"range.startRowIndex is larger than current grid size ({sheet.rows})")
    sheet, box = block(context, given)
    protection.hold(context, sheet, [box])
    return sheet, box


def sort(context: Context, body: Body) -> Body:
    """sortRange: rows of the range by its keys; rows that are not shown stay where they are."""
    sheet, box = _data(context, body.get("range", {}))
    sort_box(context, sheet, box, body.get("sortSpecs", []))
    return {}


def sort_box(context: Context, sheet: Sheet, box: Box, specs: list[Body]) -> None:
    for merge in sheet.merges:
        if merge.height > 1 and merge.meets(box):
            where = a1.write_box(merge)
            raise RefusedError(
                f"You can't sort a range containing vertical merges. There is a vertical merge at {where}."
            )
    recalculate(context.book, context.now())
    lines = sheet.lines[ROWS]
    places = [
        row
        for row in range(box.top, min(box.bottom or 0, max(sheet.cells, default=-1) + 1))
        if not lines.get(row, {}).get("hiddenByUser") and not lines.get(row, {}).get("hiddenByFilter")
    ]
    order = list(places)
    for spec in reversed(specs):
        order.sort(key=_key(context, sheet, spec))
    _rearrange(context, sheet, box, places, order)


def _key(context: Context, sheet: Sheet, spec: Body) -> Any:
    """A key that keeps blanks last whichever way the rest is sorted."""
    column, down = spec.get("dimensionIndex", 0), spec.get("sortOrder") == "DESCENDING"

    def value(row: int) -> Any:
        cell = sheet.at(row, column)
        found = context.book.value(sheet, row, column, cell)
        return found.shown if isinstance(found, Fault) else found

    def compare(one: int, two: int) -> int:
        left, right = value(one), value(two)
        if left is None or right is None:
            return (left is None) - (right is None)
        a, b = comparing.key(left), comparing.key(right)
        return ((a > b) - (a < b)) * (-1 if down else 1)

    return cmp_to_key(compare)


def _rearrange(context: Context, sheet: Sheet, box: Box, places: list[int], order: list[int]) -> None:
    """Puts the cells of row `order[i]` into row `places[i]`, within the columns of the box."""
    left, right = box.left, box.right or 0
    taken = {
        row: {column: cell for column, cell in sheet.cells.get(row, {}).items() if left <= column < right}
        for row in set(order)
    }
    for place, row in zip(places, order, strict=True):
        if place == row:
            continue
        for column in list(sheet.cells.get(place, {})):
            if left <= column < right:
                sheet.put(place, column, EMPTY)
        for column, cell in taken[row].items():
            sheet.put(place, column, relative(cell, place - row, 0))
    if context.world.metadata_follows_sort and left == 0 and right >= sheet.columns:
        _tags(context, sheet, dict(zip(order, places, strict=True)))
    context.book.stale = True


def _tags(context: Context, sheet: Sheet, moved: dict[int, int]) -> None:
    """Row metadata goes with its row; whether the service does this is not known, so it is a setting."""
    for tag in context.book.metadata:
        span = tag["location"].get("dimensionRange")
        if span and span["sheetId"] == sheet.id and span["dimension"] == ROWS and span["startIndex"] in moved:
            span["startIndex"] = moved[span["startIndex"]]
            span["endIndex"] = span["startIndex"] + 1


def randomize(context: Context, body: Body) -> Body:
    """randomizeRange, by the world's own chance, so that a seeded world shuffles alike."""
    sheet, box = _data(context, body.get("range", {}))
    places = list(range(box.top, box.bottom or 0))
    order = list(places)
    random.Random(context.world.ids.number()).shuffle(order)
    _rearrange(context, sheet, box, places, order)
    return {}


def delete_duplicates(context: Context, body: Body) -> Body:
    """Rows of the range that repeat an earlier one leave; those below move up within the range."""
    sheet, box = _data(context, body.get("range", {}))
    recalculate(context.book, context.now())
    compared = [
        column
        for given in body.get("comparisonColumns", [])
        for column in range(given.get("startIndex", 0), given.get("endIndex", box.right or 0))
    ] or list(range(box.left, box.right or 0))
    seen: set[tuple[str, ...]] = set()
    kept, last = [], min(box.bottom or 0, max(sheet.cells, default=-1) + 1)
    for row in range(box.top, last):
        shown = tuple(shown_text(context, sheet, row, column, sheet.at(row, column)) for column in compared)
        folded = tuple(text.casefold() for text in shown)
        if folded not in seen:
            seen.add(folded)
            kept.append(row)
    gone = last - box.top - len(kept)
    if gone <= 0:
        return {}
    _rearrange(context, sheet, box, list(range(box.top, box.top + len(kept))), kept)
    for row, column, _ in list(sheet.inside(Box(box.top + len(kept), box.left, last, box.right))):
        sheet.put(row, column, EMPTY)
    return {"duplicatesRemovedCount": gone}


def trim(context: Context, body: Body) -> Body:
    """trimWhitespace: spaces at the ends go, runs of them become one."""
    sheet, box = _data(context, body.get("range", {}))
    changed = 0
    for row, column, cell in list(sheet.inside(box)):
        if isinstance(cell.value, str):
            text = re.sub(r"\s+", " ", cell.value.strip())
            if text != cell.value:
                changed += 1
                sheet.put_value(row, column, text or None)
    context.book.stale = True
    return {"cellsChangedCount": changed} if changed else {}


DELIMITERS = {"COMMA": ",", "SEMICOLON": ";", "PERIOD": ".", "SPACE": " "}


def text_to_columns(context: Context, body: Body) -> Body:
    sheet, box = block(context, body.get("source", {}))
    if box.width > 1:
        raise RefusedError("The source range must span exactly one column.")
    kind = body.get("delimiterType", "AUTODETECT")
    found = [(row, cell.value) for row, _, cell in sheet.inside(box) if isinstance(cell.value, str)]
    mark = body.get("delimiter", "") if kind == "CUSTOM" else DELIMITERS.get(kind) or _detected(found)
    if not mark:
        raise RefusedError("A delimiter must be specified for a CUSTOM delimiterType.")
    parts = {row: text.split(mark) for row, text in found}
    width = max((len(each) for each in parts.values()), default=1)
    if box.left + width > sheet.columns:
        sheet.columns = box.left + width
        context.book.hold_limit()
    protection.hold(context, sheet, [box._replace(right=box.left + width)])
    for row, each in parts.items():
        type_in(context, sheet, row, box.left, [[text.strip() for text in each]])
    return {}


def _detected(found: list[tuple[int, str]]) -> str:
    counts = {mark: sum(text.count(mark) for _, text in found) for mark in (",", ";", "\t", "|", " ")}
    return max(counts, key=lambda mark: counts[mark])


def find_replace(context: Context, body: Body) -> Body:
    """findReplace over a range, a sheet or all of them; the answer counts what changed."""
    where = _scope(context, body)
    pattern = _pattern(body)
    new = body.get("replacement", "")
    if body.get("searchByRegex"):
        new = re.sub(r"\$(\d)", r"\\\1", new.replace("\\", "\\\\"))
    else:
        new = new.replace("\\", "\\\\")
    counts = {"valuesChanged": 0, "formulasChanged": 0, "occurrencesChanged": 0}
    rows: set[tuple[int, int]] = set()
    recalculate(context.book, context.now())
    for sheet, box in where:
        for row, column, cell in list(sheet.inside(box)):
            text = _searched(context, sheet, row, column, cell, bool(body.get("includeFormulas")))
            if text is None:
                continue
            text, hits = pattern.subn(new, text)
            if hits:
                protection.hold(context, sheet, [Box(row, column, row + 1, column + 1)])
                counts["occurrencesChanged"] += hits
                counts["formulasChanged" if isinstance(cell.value, Formula) else "valuesChanged"] += 1
                rows.add((sheet.id, row))
                type_in(context, sheet, row, column, [[text]])
    totals = counts | {"rowsChanged": len(rows), "sheetsChanged": len({home for home, _ in rows})}
    return {name: count for name, count in totals.items() if count}


def _scope(context: Context, body: Body) -> list[tuple[Sheet, Box]]:
    if "range" in body:
        return [block(context, body["range"])]
    if body.get("allSheets"):
        return [(sheet, a1.ALL) for sheet in context.book.sheets]
    if "sheetId" in body:
        return [(context.book.sheet(body["sheetId"]), a1.ALL)]
    raise RefusedError("A scope must be specified.")


def _pattern(body: Body) -> re.Pattern[str]:
    wanted = body.get("find", "")
    if not wanted:
        raise RefusedError("'find' must not be empty.")
    text = wanted if body.get("searchByRegex") else re.escape(wanted)
    if body.get("matchEntireCell"):
        text = rf"\A(?:{text})\Z"
    try:
        return re.compile(text, 0 if body.get("matchCase") else re.IGNORECASE)
    except re.error:
        raise RefusedError(f"Invalid regular expression: {wanted}") from None


def _searched(
    context: Context, sheet: Sheet, row: int, column: int, cell: Cell, formulas: bool
) -> str | None:
    if isinstance(cell.value, Formula):
        return cell.value.text if formulas else None
    return shown_text(context, sheet, row, column, cell) if cell.value is not None else None


KINDS = {
    "sortRange": sort,
    "randomizeRange": randomize,
    "deleteDuplicates": delete_duplicates,
    "trimWhitespace": trim,
    "textToColumns": text_to_columns,
    "findReplace": find_replace,
}
