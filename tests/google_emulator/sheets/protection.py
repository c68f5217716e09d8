"""Who may edit which cells. Access to the file as a whole is settled before this package is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.google_emulator.sheets import a1
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import Book, Sheet
from tests.google_emulator.sheets.context import Context
from tests.google_emulator.sheets.refusal import RefusedError

MESSAGE = (
    "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection "
    "if you need to edit."
)


def may_edit(context: Context, protected: dict[str, Any]) -> bool:
    """Whether the caller is among those a protected range lets through; a warning stops nobody here."""
    if protected.get("warningOnly"):
        return True
    email = context.caller.email.casefold()
    if email == context.file.owner.casefold():
        return True
    editors = protected.get("editors", {})
    if email in {user.casefold() for user in editors.get("users", [])}:
        return True
    domain = context.file.owner.casefold().rpartition("@")[2]
    return bool(editors.get("domainUsersCanEdit")) and email.endswith(f"@{domain}")


def box_of(book: Book, protected: dict[str, Any]) -> tuple[int, Box] | None:
    """Sheet and rectangle a protection is about; it may name them by a named range or a table."""
    if "namedRangeId" in protected:
        for named in book.named_ranges:
            if named["namedRangeId"] == protected["namedRangeId"]:
                return named["range"].get("sheetId", 0), a1.box_of(named["range"])
    if "tableId" in protected:
        for sheet in book.sheets:
            for table in sheet.objects["tables"]:
                if table["tableId"] == protected["tableId"]:
                    return sheet.id, a1.box_of(table["range"])
    found = protected.get("range")
    return (found.get("sheetId", 0), a1.box_of(found)) if found is not None else None


def closed(context: Context, sheet: Sheet) -> list[tuple[Box, list[Box]]]:
    """What of a sheet the caller may not edit: protected rectangles, each with its open spots."""
    found = []
    for home in context.book.sheets:
        for protected in home.objects["protectedRanges"]:
            where = box_of(context.book, protected)
            if where and where[0] == sheet.id and not may_edit(context, protected):
                open_spots = [a1.box_of(each) for each in protected.get("unprotectedRanges", [])]
                found.append((where[1], open_spots))
    return found


def hold(context: Context, sheet: Sheet, boxes: Iterable[Box]) -> None:
    """Refuses if any of the rectangles touches what the caller may not edit."""
    barred = closed(context, sheet)
    if not barred:
        return
    for box in boxes:
        for shut, open_spots in barred:
            common = sheet.clip(box.within(shut))
            if common.height and common.width and not _open(common, open_spots):
                raise RefusedError(MESSAGE)


def hold_sheet(context: Context, sheet: Sheet) -> None:
    """For changes of the sheet itself: refused if the whole of it is protected."""
    for shut, _ in closed(context, sheet):
        if shut.covers(sheet.whole()):
            raise RefusedError(MESSAGE)


def _open(box: Box, spots: list[Box]) -> bool:
    """Whether every cell of the box lies in one of the spots."""
    if any(spot.covers(box) for spot in spots):
        return True
    if not any(spot.meets(box) for spot in spots):
        return False
    return all(
        any(spot.covers(Box(row, column, row + 1, column + 1)) for spot in spots)
        for row in range(box.top, box.bottom or 0)
        for column in range(box.left, box.right or 0)
    )


def shown(context: Context, protected: dict[str, Any]) -> dict[str, Any]:
    """A protected range as the caller sees it: who else may edit it is told only to those who may."""
    out: dict[str, Any] = {"protectedRangeId": protected["protectedRangeId"]}
    for name in ("range", "namedRangeId", "tableId", "description", "warningOnly"):
        if protected.get(name):
            out[name] = protected[name]
    if may_edit(context, protected):
        out["requestingUserCanEdit"] = True
    if "unprotectedRanges" in protected:
        out["unprotectedRanges"] = protected["unprotectedRanges"]
    if may_edit(context, protected) and not protected.get("warningOnly"):
        out["editors"] = protected.get("editors", {})
    return out


def with_owner(context: Context, protected: dict[str, Any]) -> dict[str, Any]:
    """A protection as stored: empty lists left out, the owner and whoever made it always among its editors."""
    out = {
        name: value for name, value in protected.items() if name != "requestingUserCanEdit" and value != ""
    }
    if out.get("warningOnly"):
        out.pop("editors", None)
        return out
    out.pop("warningOnly", None)
    editors = {name: value for name, value in out.get("editors", {}).items() if value}
    users = list(editors.get("users", []))
    known = {user.casefold() for user in users}
    for email in dict.fromkeys((context.file.owner, context.caller.email)):
        if email.casefold() not in known:
            users.append(email)
    out["editors"] = {"users": users} | {name: value for name, value in editors.items() if name != "users"}
    return out
