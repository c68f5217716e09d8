"""Requests about charts and slicers, which are kept and given back and not drawn."""

from __future__ import annotations

import copy
from typing import Any

from tests.google_emulator.sheets import masks
from tests.google_emulator.sheets.book import Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.render import clean
from tests.google_emulator.sheets.requests_objects import free_number, stored
from tests.google_emulator.sheets.requests_ranges import hold_range
from tests.google_emulator.sheets.requests_sheets import free_title

Body = dict[str, Any]
FONT = "Roboto"


def _positioned(context: Context, given: Body) -> tuple[Sheet, Body]:
    """Where a chart or slicer goes: over a cell, on a sheet it names, or on a sheet of its own."""
    position = copy.deepcopy(given.get("position", {}))
    if position.get("newSheet"):
        book = context.book
        sheet = Sheet(
            context.new_id({each.id for each in book.sheets}), free_title(book).replace("Sheet", "Chart")
        )
        sheet.props["sheetType"] = "OBJECT"
        sheet.rows = sheet.columns = 0
        book.sheets.append(sheet)
        return sheet, {"sheetId": sheet.id}
    if "overlayPosition" in position:
        overlay = position["overlayPosition"]
        anchor = overlay.setdefault("anchorCell", {})
        sheet = context.book.sheet(anchor.get("sheetId", 0))
        row, column = anchor.get("rowIndex", 0), anchor.get("columnIndex", 0)
        if row >= sheet.rows:
            raise RefusedError(f"GridCoordinate.rowIndex[{row}] is after last row in grid[{sheet.rows - 1}]")
        if column >= sheet.columns:
            raise RefusedError(
                f"GridCoordinate.columnIndex[{column}] is after last column in grid[{sheet.columns - 1}]"
            )
        overlay.setdefault("widthPixels", 600)
        overlay.setdefault("heightPixels", 371)
        return sheet, position
    if "sheetId" in position:
        return context.book.sheet(position["sheetId"]), position
    anchor = {"anchorCell": {"sheetId": context.book.sheets[0].id}, "widthPixels": 600, "heightPixels": 371}
    return context.book.sheets[0], {"overlayPosition": anchor}


def _spec(given: Body) -> Body:
    """A chart's letters and what it does with hidden cells are told even if nobody chose them."""
    spec: Body = masks.evened(given)
    spec.setdefault("fontName", FONT)
    spec.setdefault("hiddenDimensionStrategy", "SKIP_HIDDEN_ROWS_AND_COLUMNS")
    if "title" in spec:
        spec["titleTextFormat"] = {"fontFamily": FONT} | spec.get("titleTextFormat", {})
    return spec


def add_chart(context: Context, body: Body) -> Body:
    given = body.get("chart", {})
    if not given.get("spec"):
        raise RefusedError("Chart spec must be specified.")
    sheet, position = _positioned(context, given)
    number = free_number(context, "charts", "chartId", given, "Embedded object")
    chart = {"chartId": number, "spec": _spec(given["spec"]), "position": position}
    if given.get("border"):
        chart["border"] = given["border"]
    sheet.objects["charts"].append(chart)
    return {"chart": clean(copy.deepcopy(chart))}


def update_chart(context: Context, body: Body) -> Body:
    _, chart = stored(context, "charts", "chartId", body.get("chartId"), "chart")
    chart["spec"] = _spec(body.get("spec", {}))
    return {}


def _embedded(context: Context, number: int | None) -> tuple[Sheet, str, Body]:
    for name, key in (("charts", "chartId"), ("slicers", "slicerId")):
        for sheet in context.book.sheets:
            for each in sheet.objects[name]:
                if each[key] == number:
                    return sheet, name, each
    raise RefusedError(f"No embedded object with id: {number}")


def delete_embedded(context: Context, body: Body) -> Body:
    sheet, name, each = _embedded(context, body.get("objectId"))
    sheet.objects[name].remove(each)
    if sheet.props.get("sheetType") == "OBJECT" and len(context.book.sheets) > 1:
        context.book.sheets.remove(sheet)
    return {}


def move_embedded(context: Context, body: Body) -> Body:
    sheet, name, each = _embedded(context, body.get("objectId"))
    tree = masks.read(body.get("fields"), "OverlayPosition") if body.get("fields") else {}
    given = body.get("newPosition", {})
    if "overlayPosition" in given and tree:
        overlay = masks.patched(each["position"].get("overlayPosition", {}), given["overlayPosition"], tree)
        given = {"overlayPosition": overlay}
    sheet.objects[name].remove(each)
    home, each["position"] = _positioned(context, {"position": given})
    home.objects[name].append(each)
    return {"position": clean(copy.deepcopy(each["position"]))}


def change_border(context: Context, body: Body) -> Body:
    """updateEmbeddedObjectBorder."""
    _, _, each = _embedded(context, body.get("objectId"))
    tree = masks.read(body.get("fields"), "EmbeddedObjectBorder")
    border = masks.patched(each.get("border", {}), masks.evened(body.get("border", {})), tree)
    each.pop("border", None)
    if border:
        each["border"] = border
    return {}


def add_slicer(context: Context, body: Body) -> Body:
    given = body.get("slicer", {})
    sheet, position = _positioned(context, given)
    number = free_number(context, "slicers", "slicerId", given, "Slicer")
    slicer = {"slicerId": number, "spec": masks.evened(given.get("spec", {})), "position": position}
    if "dataRange" in slicer["spec"]:
        slicer["spec"]["dataRange"] = hold_range(context, slicer["spec"]["dataRange"])
    sheet.objects["slicers"].append(slicer)
    return {"slicer": clean(copy.deepcopy(slicer))}


def update_slicer(context: Context, body: Body) -> Body:
    _, slicer = stored(context, "slicers", "slicerId", body.get("slicerId"), "slicer")
    tree = masks.read(body.get("fields"), "SlicerSpec")
    slicer["spec"] = masks.patched(slicer["spec"], masks.evened(body.get("spec", {})), tree)
    return {}


KINDS = {
    "addChart": add_chart,
    "updateChartSpec": update_chart,
    "deleteEmbeddedObject": delete_embedded,
    "updateEmbeddedObjectPosition": move_embedded,
    "updateEmbeddedObjectBorder": change_border,
    "addSlicer": add_slicer,
    "updateSlicerSpec": update_slicer,
}
