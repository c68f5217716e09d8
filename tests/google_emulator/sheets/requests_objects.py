"""Requests about filters, filter views and banding."""

from __future__ import annotations

import copy
from typing import Any

from tests.google_emulator.sheets import a1, conditions, masks, protection, requests_data
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.render import clean
from tests.google_emulator.sheets.requests_cells import block

Body = dict[str, Any]


def stored(context: Context, name: str, key: str, number: int | None, word: str) -> tuple[Sheet, Body]:
    for sheet in context.book.sheets:
        for each in sheet.objects[name]:
            if each[key] == number:
                return sheet, each
    raise RefusedError(f"No {word} with id: {number}")


def free_number(context: Context, name: str, key: str, given: Body, word: str) -> int:
    taken = {each[key] for sheet in context.book.sheets for each in sheet.objects[name]}
    number = given.get(key)
    if number in taken:
        raise RefusedError(f"{word} with id {number} already exists.")
    return context.new_id(taken) if number is None else int(number)


def _bounded(context: Context, given: Body) -> tuple[Sheet, Body]:
    """A range with all four ends, as filters come back."""
    sheet, box = block(context, given)
    return sheet, {"sheetId": sheet.id} | a1.grid_range(0, box)


def _criteria(message: Body) -> Body:
    """Criteria in both spellings: the old map by column and the newer list."""
    specs = message.get("filterSpecs")
    if specs is None and "criteria" in message:
        specs = [
            {"columnIndex": int(key), "filterCriteria": value} for key, value in message["criteria"].items()
        ]
    if specs:
        message["filterSpecs"] = specs
        message["criteria"] = {
            str(each.get("columnIndex", 0)): each.get("filterCriteria", {}) for each in specs
        }
    return message


def set_filter(context: Context, body: Body) -> Body:
    given = masks.evened(body.get("filter", {}))
    sheet, given["range"] = _bounded(context, given.get("range", {}))
    protection.hold(context, sheet, [a1.box_of(given["range"])])
    sheet.basic_filter = _criteria(given)
    if given.get("sortSpecs"):
        box = a1.box_of(given["range"])
        requests_data.sort_box(context, sheet, box._replace(top=box.top + 1), given["sortSpecs"])
    _hide(context, sheet)
    return {}


def clear_filter(context: Context, body: Body) -> Body:
    sheet = context.book.sheet(body.get("sheetId", 0))
    sheet.basic_filter = None
    _hide(context, sheet)
    return {}


def _hide(context: Context, sheet: Sheet) -> None:
    """Rows that the filter takes out of sight: those with a hidden value, and those that miss its condition."""
    for row in list(sheet.lines[ROWS]):
        line = {name: value for name, value in sheet.lines[ROWS][row].items() if name != "hiddenByFilter"}
        sheet.lines[ROWS][row] = line
    if sheet.basic_filter is None:
        return
    recalculate(context.book, context.now())
    box = a1.box_of(sheet.basic_filter["range"])
    for spec in sheet.basic_filter.get("filterSpecs", []):
        criteria = spec.get("filterCriteria", {})
        place = box._replace(left=spec.get("columnIndex", 0))
        for row in range(box.top + 1, box.bottom or 0) if criteria else ():
            if not _stays(context, sheet, row, place, criteria):
                sheet.lines[ROWS][row] = sheet.lines[ROWS].get(row, {}) | {"hiddenByFilter": True}


def _stays(context: Context, sheet: Sheet, row: int, place: Box, criteria: Body) -> bool:
    column, book = place.left, context.book
    cell = sheet.at(row, column)
    if requests_data.shown_text(context, sheet, row, column, cell) in criteria.get("hiddenValues", []):
        return False
    condition = criteria.get("condition")
    if not condition:
        return True
    value = book.value(sheet, row, column, cell)
    return conditions.meets(book, sheet, (row, column), value, condition, (place.top + 1, column))


def add_view(context: Context, body: Body) -> Body:
    view = masks.evened(body.get("filter", {}))
    if "namedRangeId" in view:
        named = [each for each in context.book.named_ranges if each["namedRangeId"] == view["namedRangeId"]]
        view["range"] = dict(named[0]["range"]) if named else {}
    sheet, view["range"] = _bounded(context, view.get("range", {}))
    view["filterViewId"] = free_number(context, "filterViews", "filterViewId", view, "Filter view")
    view.setdefault("title", f"Filter {len(sheet.objects['filterViews']) + 1}")
    sheet.objects["filterViews"].append(_view(view))
    return {"filter": clean(view)}


def _view(view: Body) -> Body:
    _criteria(view)
    first = {name: view.pop(name) for name in ("filterViewId", "title") if name in view}
    rest = dict(view)
    view.clear()
    view.update(first | rest)
    return view


def update_view(context: Context, body: Body) -> Body:
    given = masks.evened(body.get("filter", {}))
    tree = masks.read(body.get("fields"), "FilterView")
    _, view = stored(context, "filterViews", "filterViewId", given.get("filterViewId"), "filter view")
    number = view["filterViewId"]
    new = masks.patched(view, given, tree) | {"filterViewId": number}
    for one, other in (("criteria", "filterSpecs"), ("filterSpecs", "criteria")):
        if tree and one in tree and other not in tree:
            new.pop(other, None)
    _, new["range"] = _bounded(context, new.get("range", {}))
    view.clear()
    view.update(_view(new))
    return {}


def delete_view(context: Context, body: Body) -> Body:
    sheet, view = stored(context, "filterViews", "filterViewId", body.get("filterId"), "filter view")
    sheet.objects["filterViews"].remove(view)
    return {}


def duplicate_view(context: Context, body: Body) -> Body:
    sheet, view = stored(context, "filterViews", "filterViewId", body.get("filterId"), "filter view")
    twin = copy.deepcopy(view)
    twin["filterViewId"] = free_number(context, "filterViews", "filterViewId", {}, "Filter view")
    twin["title"] = f"Copy of {view['title']}"
    sheet.objects["filterViews"].append(twin)
    return {"filter": clean(twin)}


def _hold_banding(sheet: Sheet, banded: Body, own: Body | None) -> None:
    if not banded.get("rowProperties") and not banded.get("columnProperties"):
        raise RefusedError("At least one of rowProperties or columnProperties must be specified.")
    box = a1.box_of(banded["range"])
    for other in sheet.objects["bandedRanges"]:
        if other is not own and a1.box_of(other["range"]).meets(box):
            raise RefusedError(
                "You cannot add alternating background colors to a range that already has alternating "
                "background colors."
            )


def add_banding(context: Context, body: Body) -> Body:
    banded = masks.evened(body.get("bandedRange", {}))
    sheet, banded["range"] = _bounded(context, banded.get("range", {}))
    _hold_banding(sheet, banded, None)
    number = free_number(context, "bandedRanges", "bandedRangeId", banded, "Banded range")
    banded = {"bandedRangeId": number} | banded
    sheet.objects["bandedRanges"].append(banded)
    return {"bandedRange": clean(banded)}


def update_banding(context: Context, body: Body) -> Body:
    given = masks.evened(body.get("bandedRange", {}))
    tree = masks.read(body.get("fields"), "BandedRange")
    sheet, banded = stored(
        context, "bandedRanges", "bandedRangeId", given.get("bandedRangeId"), "banded range"
    )
    new = masks.patched(banded, given, tree) | {"bandedRangeId": banded["bandedRangeId"]}
    home, new["range"] = _bounded(context, new.get("range", {}))
    _hold_banding(home, new, banded)
    sheet.objects["bandedRanges"].remove(banded)
    home.objects["bandedRanges"].append(new)
    return {}


def delete_banding(context: Context, body: Body) -> Body:
    number = body.get("bandedRangeId")
    sheet, banded = stored(context, "bandedRanges", "bandedRangeId", number, "banded range")
    sheet.objects["bandedRanges"].remove(banded)
    return {}


KINDS = {
    "setBasicFilter": set_filter,
    "clearBasicFilter": clear_filter,
    "addFilterView": add_view,
    "updateFilterView": update_view,
    "deleteFilterView": delete_view,
    "duplicateFilterView": duplicate_view,
    "addBanding": add_banding,
    "updateBanding": update_banding,
    "deleteBanding": delete_banding,
}
