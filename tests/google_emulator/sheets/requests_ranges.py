"""Requests about named and protected ranges and conditional formats."""

from __future__ import annotations

import re
from typing import Any

from tests.google_emulator.sheets import a1, masks, protection
from tests.google_emulator.sheets.book import Sheet
from tests.google_emulator.sheets.context import Context, hold_start
from tests.google_emulator.sheets.refusal import RefusedError
from tests.google_emulator.sheets.render import clean

Body = dict[str, Any]
_NAME = re.compile(r"[^\W\d][\w.]*")


def hold_range(context: Context, given: Body) -> Body:
    """A GridRange as stored: the sheet must exist and the range begin on it."""
    sheet = context.book.sheet(given.get("sheetId", 0))
    hold_start(sheet, a1.box_of(given))
    return {"sheetId": sheet.id} | {name: value for name, value in given.items() if name != "sheetId"}


def _hold_name(context: Context, name: str, own: Body | None) -> None:
    if (
        not _NAME.fullmatch(name)
        or a1.read_box(name)
        or name.casefold() in ("true", "false")
        or len(name) > 250
    ):
        raise RefusedError(f"Invalid named range name: {name}.")
    for named in context.book.named_ranges:
        if named is not own and named["name"].casefold() == name.casefold():
            raise RefusedError(
                f"Cannot add named range with name {name}, a named range with that name already exists."
            )


def add_named(context: Context, body: Body) -> Body:
    given = body.get("namedRange", {})
    _hold_name(context, given.get("name", ""), None)
    taken = {named["namedRangeId"] for named in context.book.named_ranges}
    number = given.get("namedRangeId") or str(context.world.ids.number())
    if number in taken:
        raise RefusedError(f"Named range with id {number} already exists.")
    named = {
        "namedRangeId": number,
        "name": given["name"],
        "range": hold_range(context, given.get("range", {})),
    }
    context.book.named_ranges.append(named)
    context.book.stale = True
    return {"namedRange": clean(named)}


def _named(context: Context, number: str) -> Body:
    for named in context.book.named_ranges:
        if named["namedRangeId"] == number:
            return named
    raise RefusedError(f"Cannot find a named range with ID: {number}")


def update_named(context: Context, body: Body) -> Body:
    given = body.get("namedRange", {})
    tree = masks.read(body.get("fields"), "NamedRange")
    named = _named(context, given.get("namedRangeId", ""))
    new = masks.patched(named, given, tree) | {"namedRangeId": named["namedRangeId"]}
    _hold_name(context, new.get("name", ""), named)
    new["range"] = hold_range(context, new.get("range", {}))
    named.update(new)
    context.book.stale = True
    return {}


def delete_named(context: Context, body: Body) -> Body:
    context.book.named_ranges.remove(_named(context, body.get("namedRangeId", "")))
    context.book.stale = True
    return {}


def _protected(context: Context, number: int | None) -> tuple[Sheet, Body]:
    for sheet in context.book.sheets:
        for protected in sheet.objects["protectedRanges"]:
            if protected["protectedRangeId"] == number:
                return sheet, protected
    raise RefusedError(f"No protected range with id: {number}")


def _settled(context: Context, given: Body) -> Body:
    """A protection as stored, with the range of the named range or table it is about."""
    if given.get("warningOnly") and any(given.get("editors", {}).values()):
        raise RefusedError("Editors cannot be set on a warning-only protected range.")
    if "namedRangeId" in given:
        given["range"] = dict(_named(context, given["namedRangeId"])["range"])
    elif "tableId" in given:
        given["range"] = dict(_table_range(context, given["tableId"]))
    given["range"] = hold_range(context, given.get("range", {}))
    opened = [hold_range(context, each) for each in given.get("unprotectedRanges", [])]
    box = a1.box_of(given["range"])
    if opened and (box.top or box.left or box.bottom is not None or box.right is not None):
        raise RefusedError("Unprotected ranges can only be set on a protected sheet.")
    if opened:
        given["unprotectedRanges"] = opened
    else:
        given.pop("unprotectedRanges", None)
    return protection.with_owner(context, given)


def _table_range(context: Context, table_id: str) -> Body:
    for sheet in context.book.sheets:
        for table in sheet.objects["tables"]:
            if table["tableId"] == table_id:
                found: Body = table["range"]
                return found
    raise RefusedError(f"No table with id: {table_id}")


def add_protected(context: Context, body: Body) -> Body:
    given = dict(body.get("protectedRange", {}))
    taken = {
        each["protectedRangeId"] for sheet in context.book.sheets for each in sheet.objects["protectedRanges"]
    }
    number = given.get("protectedRangeId")
    if number in taken:
        raise RefusedError(f"Protected range with id {number} already exists.")
    sent = {name: value for name, value in given.get("editors", {}).items() if value}
    stored = _settled(context, given)
    stored["protectedRangeId"] = context.new_id(taken) if number is None else number
    sheet = context.book.sheet(stored["range"].get("sheetId", 0))
    sheet.objects["protectedRanges"].append(stored)
    shown = protection.shown(context, stored)
    if "editors" in shown:
        shown["editors"] = sent  # the answer to the request names only those it named
    return {"protectedRange": clean(shown)}


def update_protected(context: Context, body: Body) -> Body:
    given = body.get("protectedRange", {})
    tree = masks.read(body.get("fields"), "ProtectedRange")
    sheet, protected = _protected(context, given.get("protectedRangeId"))
    if not protection.may_edit(context, protected):
        raise RefusedError(protection.MESSAGE)
    new = masks.patched(protected, given, tree)
    new["protectedRangeId"] = protected["protectedRangeId"]
    if new.get("warningOnly") and not masks.touches(tree, "editors"):
        new.pop("editors", None)
    stored = _settled(context, new)
    sheet.objects["protectedRanges"].remove(protected)
    context.book.sheet(stored["range"].get("sheetId", 0)).objects["protectedRanges"].append(stored)
    return {}


def delete_protected(context: Context, body: Body) -> Body:
    sheet, protected = _protected(context, body.get("protectedRangeId"))
    if not protection.may_edit(context, protected):
        raise RefusedError(protection.MESSAGE)
    sheet.objects["protectedRanges"].remove(protected)
    return {}


POINTS = ("minpoint", "midpoint", "maxpoint")


def _rule(context: Context, given: Body) -> tuple[Sheet, Body]:
    """A conditional format as stored, and the sheet that all its ranges are on."""
    ranges = [hold_range(context, each) for each in given.get("ranges", [])]
    if not ranges:
        raise RefusedError("ConditionalFormatRule.ranges must not be empty.")
    if len({each["sheetId"] for each in ranges}) > 1:
        raise RefusedError("All ranges in a ConditionalFormatRule must be on the same sheet.")
    if "booleanRule" not in given and "gradientRule" not in given:
        raise RefusedError("ConditionalFormatRule must have a booleanRule or a gradientRule.")
    rule = masks.evened(given) | {"ranges": ranges}
    if "booleanRule" in rule:
        if not rule["booleanRule"].get("condition", {}).get("type"):
            raise RefusedError("ConditionType is required.")
        condition = rule["booleanRule"]["condition"]
        if condition["type"] == "CUSTOM_FORMULA":
            text = (condition.get("values") or [{}])[0].get("userEnteredValue", "")
            if not text.startswith("="):
                raise RefusedError(f"Invalid ConditionValue.userEnteredValue: {text}")
        rule["booleanRule"].setdefault("format", {})
    else:
        _hold_gradient(rule["gradientRule"])
    return context.book.sheet(ranges[0]["sheetId"]), rule


def _hold_gradient(gradient: Body) -> None:
    for name in POINTS:
        point = gradient.get(name)
        if point is None and name == "midpoint":
            continue
        kind = (point or {}).get("type", "INTERPOLATION_POINT_TYPE_UNSPECIFIED")
        if kind == "INTERPOLATION_POINT_TYPE_UNSPECIFIED":
            raise RefusedError("No interpolationPointType specified.")
        assert point is not None
        if kind in ("MIN", "MAX"):
            point.pop("value", None)
        elif not point.get("value"):
            raise RefusedError("InterpolationPoint.value is required.")


def add_rule(context: Context, body: Body) -> Body:
    sheet, rule = _rule(context, body.get("rule", {}))
    rules = sheet.objects["conditionalFormats"]
    index = body.get("index", 0)
    if not 0 <= index <= len(rules):
        raise RefusedError(f"Conditional format rule index {index} is out of bounds.")
    rules.insert(index, rule)
    return {}


def _at(context: Context, sheet_id: int, index: int) -> tuple[Sheet, list[Body]]:
    sheet = context.book.sheet(sheet_id)
    rules = sheet.objects["conditionalFormats"]
    if not 0 <= index < len(rules):
        raise RefusedError(f"No conditional format on sheet: {sheet_id} at index: {index}")
    return sheet, rules


def update_rule(context: Context, body: Body) -> Body:
    index = body.get("index", 0)
    if "rule" in body:
        sheet, rule = _rule(context, body["rule"])
        _, rules = _at(context, body.get("sheetId", sheet.id), index)
        old, rules[index] = rules[index], rule
        return {"oldRule": clean(old), "newRule": clean(rule), "newIndex": index}
    _, rules = _at(context, body.get("sheetId", 0), index)
    to = body.get("newIndex", 0)
    if not 0 <= to < len(rules):
        raise RefusedError(f"No conditional format on sheet: {body.get('sheetId', 0)} at index: {to}")
    rule = rules.pop(index)
    rules.insert(to, rule)
    return {"newRule": clean(rule), "oldIndex": index, "newIndex": to}


def delete_rule(context: Context, body: Body) -> Body:
    index = body.get("index", 0)
    _, rules = _at(context, body.get("sheetId", 0), index)
    return {"rule": clean(rules.pop(index))}


KINDS = {
    "addNamedRange": add_named,
    "updateNamedRange": update_named,
    "deleteNamedRange": delete_named,
    "addProtectedRange": add_protected,
    "updateProtectedRange": update_protected,
    "deleteProtectedRange": delete_protected,
    "addConditionalFormatRule": add_rule,
    "updateConditionalFormatRule": update_rule,
    "deleteConditionalFormatRule": delete_rule,
}
