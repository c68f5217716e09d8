"""Requests about rows and columns: adding, removing, moving, sizing, grouping; and blocks pushed in or pulled out."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.sheets import a1, masks, moving, protection, render
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import COLUMNS, ROWS, Book, Sheet
from tests.google_emulator.sheets.context import Context, hold_start
from tests.google_emulator.sheets.refusal import RefusedError

Body = dict[str, Any]
WORD = {ROWS: "row", COLUMNS: "column"}


def span(book: Book, given: Body) -> tuple[Sheet, str, int, int]:
    """The sheet, dimension and lines of a DimensionRange; open ends are those of the grid."""
    sheet = book.sheet(given.get("sheetId", 0))
    dimension = given.get("dimension")
    if dimension not in (ROWS, COLUMNS):
        raise RefusedError("No dimension specified.")
    start, end = given.get("startIndex", 0), given.get("endIndex", sheet.size(dimension))
    if start < 0 or end < 0:
        raise RefusedError("range.startIndex must be non-negative.")
    return sheet, dimension, start, end


def box(dimension: str, start: int, end: int | None) -> Box:
    return Box(start, 0, end, None) if dimension == ROWS else Box(0, start, None, end)


def insert(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("range", {}))
    size, before = sheet.size(dimension), bool(body.get("inheritFromBefore"))
    if start > size:
        raise RefusedError(f"range.startIndex is larger than current grid size ({size})")
    if start == size and not before:
        raise RefusedError(
            f"range.startIndex must be less than the grid size ({size}) if inheritFromBefore is false."
        )
    if start == 0 and before:
        raise RefusedError("inheritFromBefore cannot be true if range.startIndex is 0.")
    if end <= start:
        raise RefusedError("range.endIndex must be greater than range.startIndex.")
    around = box(dimension, max(start - 1, 0), start) if before else box(dimension, start, start + 1)
    protection.hold(context, sheet, [around])
    moving.insert(context.book, sheet, dimension, start, end - start, before)
    return {}


def delete(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("range", {}))
    size, word = sheet.size(dimension), WORD[dimension]
    if start >= size:
        raise RefusedError(
            f"Cannot delete a {word} that doesn't exist. Tried to delete {word} index {start} "
            f"but there are only {size} {word}s."
        )
    end = min(end, size)
    if start == 0 and end >= size:
        raise RefusedError(f"You can't delete all the {word}s on the sheet.")
    frozen = sheet.frozen(dimension)
    if frozen and start <= frozen and end >= size:
        raise RefusedError(f"Sorry, it is not possible to delete all non-frozen {word}s.")
    protection.hold(context, sheet, [box(dimension, start, end)])
    if end > start:
        moving.delete(context.book, sheet, dimension, start, end)
    return {}


def move(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("source", {}))
    size, to, word = sheet.size(dimension), body.get("destinationIndex", 0), WORD[dimension]
    if start >= size or end > size or end <= start:
        raise RefusedError(f"source.startIndex is larger than current grid size ({size})")
    if to > size:
        raise RefusedError(f"destinationIndex is larger than current grid size ({size})")
    for merge in sheet.merges:
        first, last = (merge.top, merge.bottom) if dimension == ROWS else (merge.left, merge.right)
        crossed = last is not None and last - first > 1
        if crossed and (first < start < (last or 0) or first < end < (last or 0) or first < to < (last or 0)):
            raise RefusedError(
                f"Sorry, it is not possible to move a {word} to a position that crosses a merged cell. "
                "Please unmerge and try again."
            )
    protection.hold(context, sheet, [box(dimension, min(start, to), max(end, to))])
    if not start <= to <= end:
        moving.move(context.book, sheet, dimension, start, end, to)
    return {}


def append(context: Context, body: Body) -> Body:
    sheet = context.book.sheet(body.get("sheetId", 0))
    dimension, length = body.get("dimension"), body.get("length", 0)
    if dimension not in (ROWS, COLUMNS):
        raise RefusedError("No dimension specified.")
    if length <= 0:
        raise RefusedError("length must be greater than zero.")
    protection.hold_sheet(context, sheet)
    sheet.resize(dimension, sheet.size(dimension) + length)
    context.book.hold_limit()
    context.book.stale = True
    return {}


def update_properties(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("range", {}))
    tree = masks.read(body.get("fields"), "DimensionProperties")
    given = body.get("properties", {})
    if start >= sheet.size(dimension):
        raise RefusedError(f"range.startIndex is larger than current grid size ({sheet.size(dimension)})")
    for index in range(start, min(end, sheet.size(dimension))):
        line = dict(sheet.lines[dimension].get(index, {}))
        for name in ("pixelSize", "hiddenByUser"):
            if masks.touches(tree, name):
                if given.get(name):
                    line[name] = given[name]
                else:
                    line.pop(name, None)
        sheet.lines[dimension][index] = line
    return {}


def auto_resize(context: Context, body: Body) -> Body:
    """Widths as the longest text would need, roughly; heights as they are by default."""
    sheet, dimension, start, end = span(context.book, body.get("dimensions", {}))
    if start >= sheet.size(dimension):
        raise RefusedError(f"range.startIndex is larger than current grid size ({sheet.size(dimension)})")
    widest: dict[int, int] = {}
    for _, column, cell in sheet.inside(box(dimension, start, end)):
        text = str(cell.value if cell.value is not None else "")
        widest[column] = max(widest.get(column, 0), sum(7 if letter.isascii() else 13 for letter in text))
    for index in range(start, min(end, sheet.size(dimension))):
        line = dict(sheet.lines[dimension].get(index, {}))
        if dimension == COLUMNS and index in widest:
            line["pixelSize"] = max(widest[index] + 6, 21)
        elif dimension == ROWS:
            line.pop("pixelSize", None)
        sheet.lines[dimension][index] = line
    return {}


def _block(context: Context, given: Body) -> tuple[Sheet, Box]:
    sheet = context.book.sheet(given.get("sheetId", 0))
    found = a1.box_of(given)
    hold_start(sheet, found)
    return sheet, sheet.clip(found)


def insert_range(context: Context, body: Body) -> Body:
    sheet, block = _block(context, body.get("range", {}))
    dimension = body.get("shiftDimension")
    if dimension not in (ROWS, COLUMNS):
        raise RefusedError("No shiftDimension specified.")
    protection.hold(context, sheet, [_beyond(block, dimension)])
    moving.push(context.book, sheet, block, dimension)
    return {}


def delete_range(context: Context, body: Body) -> Body:
    sheet, block = _block(context, body.get("range", {}))
    dimension = body.get("shiftDimension")
    if dimension not in (ROWS, COLUMNS):
        raise RefusedError("No shiftDimension specified.")
    protection.hold(context, sheet, [_beyond(block, dimension)])
    moving.pull(context.book, sheet, block, dimension)
    return {}


def _beyond(block: Box, dimension: str) -> Box:
    return block._replace(bottom=None) if dimension == ROWS else block._replace(right=None)


def _groups(sheet: Sheet, dimension: str) -> list[Body]:
    return sheet.objects["rowGroups" if dimension == ROWS else "columnGroups"]


def _depths(groups: list[Body], size: int) -> list[int]:
    depths = [0] * size
    for group in groups:
        for index in range(group["range"]["startIndex"], min(group["range"]["endIndex"], size)):
            depths[index] = max(depths[index], group["depth"])
    return depths


def _regroup(sheet: Sheet, dimension: str, depths: list[int]) -> list[Body]:
    """Groups as runs of lines that are at least so deep; what was collapsed stays so."""
    collapsed = {
        (group["range"]["startIndex"], group["depth"])
        for group in _groups(sheet, dimension)
        if group.get("collapsed")
    }
    found = []
    for depth in range(1, max(depths, default=0) + 1):
        start = None
        for index, deep in enumerate([*depths, 0]):
            if deep >= depth and start is None:
                start = index
            elif deep < depth and start is not None:
                where = {"sheetId": sheet.id, "dimension": dimension, "startIndex": start, "endIndex": index}
                group: Body = {"range": where, "depth": depth}
                if (start, depth) in collapsed:
                    group["collapsed"] = True
                found.append(group)
                start = None
    sheet.objects["rowGroups" if dimension == ROWS else "columnGroups"] = found
    return found


def add_group(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("range", {}))
    depths = _depths(_groups(sheet, dimension), sheet.size(dimension))
    if start >= len(depths) or end > len(depths):
        raise RefusedError(f"range.endIndex is larger than current grid size ({len(depths)})")
    if max(depths[start:end], default=0) >= 8:
        raise RefusedError("Cannot create group: maximum depth of 8 reached.")
    for index in range(start, end):
        depths[index] += 1
    sheet.grid["rowGroupControlAfter" if dimension == ROWS else "columnGroupControlAfter"] = True
    return {"dimensionGroups": render.clean(_regroup(sheet, dimension, depths))}


def delete_group(context: Context, body: Body) -> Body:
    sheet, dimension, start, end = span(context.book, body.get("range", {}))
    depths = _depths(_groups(sheet, dimension), sheet.size(dimension))
    if not any(depths[start:end]):
        raise RefusedError("Cannot delete group: there is no group over the specified range.")
    for index in range(start, min(end, len(depths))):
        depths[index] = max(depths[index] - 1, 0)
    found = _regroup(sheet, dimension, depths)
    return {"dimensionGroups": render.clean(found)} if found else {}


def update_group(context: Context, body: Body) -> Body:
    given = body.get("dimensionGroup", {})
    masks.read(body.get("fields"), "DimensionGroup")
    sheet, dimension, start, end = span(context.book, given.get("range", {}))
    for group in _groups(sheet, dimension):
        where = group["range"]
        if (where["startIndex"], where["endIndex"], group["depth"]) == (start, end, given.get("depth", 1)):
            group.pop("collapsed", None)
            if given.get("collapsed"):
                group["collapsed"] = True
            for index in range(start, end):
                line = dict(sheet.lines[dimension].get(index, {}))
                line.pop("hiddenByUser", None)
                sheet.lines[dimension][index] = line | (
                    {"hiddenByUser": True} if given.get("collapsed") else {}
                )
            return {}
    raise RefusedError("No group with the specified range and depth exists.")


KINDS = {
    "insertDimension": insert,
    "deleteDimension": delete,
    "moveDimension": move,
    "appendDimension": append,
    "updateDimensionProperties": update_properties,
    "autoResizeDimensions": auto_resize,
    "insertRange": insert_range,
    "deleteRange": delete_range,
    "addDimensionGroup": add_group,
    "deleteDimensionGroup": delete_group,
    "updateDimensionGroup": update_group,
}
