"""Developer metadata, and data filters: which tags a search finds and which cells a filter means."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import ApiError
from tests.google_emulator.sheets import a1, masks
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS, Book, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.refusal import RefusedError

Location = dict[str, Any]


def kind(location: Location) -> str:
    if "dimensionRange" in location:
        return "ROW" if location["dimensionRange"]["dimension"] == ROWS else "COLUMN"
    return "SHEET" if "sheetId" in location else "SPREADSHEET"


def stored_location(context: Context, given: Location) -> Location:
    """A location as it is kept; refuses what is not one row, one column, a sheet or the spreadsheet."""
    if "dimensionRange" in given:
        span = given["dimensionRange"]
        sheet = context.book.sheet(span.get("sheetId", 0), "grid")
        start, end = span.get("startIndex", 0), span.get("endIndex")
        if span.get("dimension") not in ("ROWS", "COLUMNS"):
            raise RefusedError("No dimension specified.")
        if end is None or end - start != 1:
            raise RefusedError(
                "The DimensionRange of a developer metadata location must span exactly one row or column."
            )
        if start >= sheet.size(span["dimension"]):
            raise RefusedError(
                f"range.startIndex is larger than current grid size ({sheet.size(span['dimension'])})"
            )
        kept = {"sheetId": sheet.id, "dimension": span["dimension"], "startIndex": start, "endIndex": end}
        return {"dimensionRange": kept}
    if "sheetId" in given:
        return {"sheetId": context.book.sheet(given["sheetId"], "sheet").id}
    if given.get("spreadsheet"):
        return {"spreadsheet": True}
    raise RefusedError("Developer metadata must specify a location.")


def shown(tag: dict[str, Any]) -> dict[str, Any]:
    out = {"metadataId": tag["metadataId"]}
    for name in ("metadataKey", "metadataValue"):
        if name in tag:
            out[name] = tag[name]
    location = tag["location"]
    out["location"] = {"locationType": kind(location)} | location
    if "dimensionRange" in location:
        out["location"]["dimensionRange"] = {
            name: value for name, value in location["dimensionRange"].items() if name != "sheetId" or value
        }
    out["visibility"] = tag["visibility"]
    return out


def get(context: Context, text: str) -> dict[str, Any]:
    for tag in context.book.metadata:
        if str(tag["metadataId"]) == str(text):
            return shown(tag)
    raise ApiError(404, f"No developer metadata with ID {text}.")


def search(context: Context, filters: list[dict[str, Any]]) -> dict[str, Any]:
    """Every tag once, with the filters that found it."""
    if not filters:
        raise RefusedError("Must specify at least one DataFilter.")
    found = []
    for tag in context.book.metadata:
        by = [each for each in filters if matches(context, tag, each)]
        if by:
            found.append({"developerMetadata": shown(tag), "dataFilters": by})
    return {"matchedDeveloperMetadata": found} if found else {}


def matches(context: Context, tag: dict[str, Any], data_filter: dict[str, Any]) -> bool:
    """Whether a filter means a tag. A range means the tags of the rows, columns and sheet it meets."""
    if "developerMetadataLookup" in data_filter:
        return _looked_up(context, tag, data_filter["developerMetadataLookup"])
    sheet, box = area(context, data_filter)
    return _inside(tag["location"], sheet, box)


def area(context: Context, data_filter: dict[str, Any]) -> tuple[Sheet, Box]:
    """The one rectangle that a filter by A1 text or grid range means."""
    if "a1Range" in data_filter:
        return context.find(data_filter["a1Range"])
    if "gridRange" in data_filter:
        grid = data_filter["gridRange"]
        return context.book.sheet(grid.get("sheetId", 0)), a1.box_of(grid)
    raise RefusedError("A DataFilter must specify one of: a1Range, gridRange, developerMetadataLookup.")


def _inside(location: Location, sheet: Sheet, box: Box) -> bool:
    if "dimensionRange" in location:
        span = location["dimensionRange"]
        if span["sheetId"] != sheet.id:
            return False
        return line_box(span).meets(sheet.clip(box))
    return location.get("sheetId") == sheet.id and box.covers(sheet.whole())


def line_box(span: dict[str, Any]) -> Box:
    start, end = span.get("startIndex", 0), span.get("endIndex")
    return Box(start, 0, end, None) if span["dimension"] == ROWS else Box(0, start, None, end)


def _looked_up(context: Context, tag: dict[str, Any], lookup: dict[str, Any]) -> bool:
    location = tag["location"]
    for name in ("metadataId", "metadataKey", "metadataValue"):
        if name in lookup and lookup[name] != tag.get(name, ""):
            return False
    if lookup.get("visibility") not in (None, "DEVELOPER_METADATA_VISIBILITY_UNSPECIFIED", tag["visibility"]):
        return False
    wanted = lookup.get("locationType")
    if wanted not in (None, "DEVELOPER_METADATA_LOCATION_TYPE_UNSPECIFIED", kind(location)):
        return False
    if "metadataLocation" not in lookup:
        return True
    exact = lookup.get("locationMatchingStrategy") != "INTERSECTING_LOCATION"
    return _located(context.book, location, lookup["metadataLocation"], exact)


def _located(book: Book, location: Location, wanted: Location, exact: bool) -> bool:
    """Exactly there, or there and whatever it crosses: a sheet crosses its rows, the spreadsheet everything."""
    if wanted.get("spreadsheet"):
        return not exact or bool(location.get("spreadsheet"))
    if "dimensionRange" in wanted:
        span = wanted["dimensionRange"]
        sheet_id = span.get("sheetId", 0)
        own = location.get("dimensionRange")
        if exact:
            return own is not None and own["sheetId"] == sheet_id and line_box(own) == line_box(span)
        if own is None:
            return "sheetId" in location and location["sheetId"] == sheet_id
        return bool(own["sheetId"] == sheet_id and line_box(own).meets(line_box(span)))
    if "sheetId" in wanted:
        if "sheetId" in location:
            return bool(location["sheetId"] == wanted["sheetId"])
        own = location.get("dimensionRange")
        return not exact and own is not None and own["sheetId"] == wanted["sheetId"]
    return True


def areas(context: Context, data_filter: dict[str, Any]) -> list[tuple[Sheet, Box]]:
    """All rectangles a filter means: one for a range, one for each tag found."""
    if "developerMetadataLookup" not in data_filter:
        return [area(context, data_filter)]
    found: list[tuple[Sheet, Box]] = []
    for tag in context.book.metadata:
        if _looked_up(context, tag, data_filter["developerMetadataLookup"]):
            found.extend(_tagged(context.book, tag["location"]))
    return found


def _tagged(book: Book, location: Location) -> list[tuple[Sheet, Box]]:
    if "dimensionRange" in location:
        span = location["dimensionRange"]
        return [(book.sheet(span["sheetId"]), line_box(span))]
    if "sheetId" in location:
        return [(book.sheet(location["sheetId"]), a1.ALL)]
    return [(sheet, a1.ALL) for sheet in book.sheets]


def create(context: Context, body: dict[str, Any]) -> dict[str, Any]:
    """createDeveloperMetadata."""
    given = body.get("developerMetadata", {})
    if not given.get("metadataKey"):
        raise RefusedError("Developer metadata must specify a key.")
    if given.get("visibility") not in ("DOCUMENT", "PROJECT"):
        raise RefusedError("Developer metadata must specify a visibility.")
    taken = {tag["metadataId"] for tag in context.book.metadata}
    number = given.get("metadataId")
    if number in taken:
        raise RefusedError(
            f"Cannot add developer metadata with ID [{number}] because developer metadata with that ID already exists."
        )
    tag = {name: given[name] for name in ("metadataKey", "metadataValue", "visibility") if name in given}
    tag["metadataId"] = context.new_id(taken) if number is None else number
    tag["location"] = stored_location(context, given.get("location", {}))
    context.book.metadata.append(tag)
    return {"developerMetadata": shown(tag)}


def _found(context: Context, filters: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [tag for tag in context.book.metadata if any(matches(context, tag, each) for each in filters)]


def update(context: Context, body: dict[str, Any]) -> dict[str, Any]:
    """updateDeveloperMetadata: every tag the filters find."""
    tree = masks.read(body.get("fields"), "DeveloperMetadata")
    given = body.get("developerMetadata", {})
    changed = []
    for tag in _found(context, body.get("dataFilters", [])):
        for name in ("metadataKey", "metadataValue", "visibility"):
            if masks.touches(tree, name):
                if name in given:
                    tag[name] = given[name]
                elif name == "metadataValue":
                    tag.pop(name, None)
        if masks.touches(tree, "location") and "location" in given:
            tag["location"] = stored_location(context, given["location"])
        changed.append(shown(tag))
    return {"developerMetadata": changed} if changed else {}


def delete(context: Context, body: dict[str, Any]) -> dict[str, Any]:
    """deleteDeveloperMetadata: every tag the filter finds."""
    gone = _found(context, [body.get("dataFilter", {})])
    context.book.metadata = [tag for tag in context.book.metadata if tag not in gone]
    return {"deletedDeveloperMetadata": [shown(tag) for tag in gone]} if gone else {}
