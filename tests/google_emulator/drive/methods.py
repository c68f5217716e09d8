"""Files: made, found, changed, copied, deleted."""

from __future__ import annotations

import copy
import re
from datetime import UTC, datetime
from typing import Any

from tests.google_emulator.clock import parse
from tests.google_emulator.drive import content
from tests.google_emulator.drive.limits import (
    file_not_found,
    insufficient,
    invalid_value,
    not_writable,
    number,
)
from tests.google_emulator.drive.query import compile_query
from tests.google_emulator.drive.resource import GOOGLE, shown
from tests.google_emulator.errors import ApiError
from tests.google_emulator.messages import Raw
from tests.google_emulator.world import FOLDER, RANK, Caller, File, Permission, World

Json = dict[str, Any]
_EXTRA = (
    "description",
    "starred",
    "folderColorRgb",
    "viewersCanCopyContent",
    "copyRequiresWriterPermission",
    "writersCanShare",
    "originalFilename",
    "contentRestrictions",
)
_READ_ONLY = (
    "capabilities",
    "explicitlyTrashed",
    "iconLink",
    "id",
    "kind",
    "lastModifyingUser",
    "md5Checksum",
    "ownedByMe",
    "owners",
    "permissionIds",
    "permissions",
    "shared",
    "size",
    "spaces",
    "version",
    "webViewLink",
)
_OWN = ("starred", "_comments")
_ORDERS = {
    "createdTime": lambda file: file.created,
    "folder": lambda file: file.mime != FOLDER,
    "modifiedByMeTime": lambda file: file.modified,
    "modifiedTime": lambda file: file.modified,
    "name": lambda file: file.name.casefold(),
    "name_natural": lambda file: _natural(file.name),
    "quotaBytesUsed": lambda file: len(file.data) if isinstance(file.data, bytes) else 0,
    "recency": lambda file: file.modified,
    "sharedWithMeTime": lambda file: file.created,
    "starred": lambda file: not file.extra.get("starred", False),
    "viewedByMeTime": lambda file: file.modified,
}


def _natural(name: str) -> list[tuple[bool, int, str]]:
    parts = re.findall(r"\d+|\D+", name.casefold())
    return [(not part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts]


def find(file_id: str, caller: Caller, world: World, rank: str = "reader") -> File:
    """The file, for an account that may at least do what `rank` may; Drive hides what one may not read."""
    root = world.root_of(caller.email)
    if file_id in ("root", root):
        owner = Permission(world.ids.of_account(caller.email), "user", "owner", caller.email)
        start = datetime(2020, 1, 1, tzinfo=UTC)
        return File(root, "My Drive", FOLDER, caller.email, [owner], start, start)
    file = world.files.get(file_id)
    if file is None or world.role(file, caller.email) < RANK["reader"]:
        raise file_not_found(file_id)
    if world.role(file, caller.email) < RANK[rank]:
        raise insufficient(file_id)
    return file


def get(params: Json, body: Json, caller: Caller, world: World) -> Json | Raw:
    file = find(params["fileId"], caller, world)
    if params.get("alt") == "media":
        return content.download(file)
    return shown(file, caller, world)


def create(params: Json, body: Json, caller: Caller, world: World) -> Json:
    upload = params.get("_media")
    wanted = body.get("id")
    if wanted and wanted in world.files:
        raise ApiError(409, "A file already exists with the provided ID.", reason="fileIdInUse")
    mime = body.get("mimeType") or (upload.mime if upload else "") or "application/octet-stream"
    parents = [_folder(each, caller, world) for each in body.get("parents", [])]
    if len(parents) > 1:
        raise ApiError(400, "A file cannot have more than one parent.", reason="invalid")
    file = world.create_file(body.get("name") or "Untitled", mime, caller, file_id=wanted)
    if parents:
        file.parents = parents
    content.put(file, upload, mime, world)
    _apply(file, body)
    if "createdTime" in body:
        file.created = parse(body["createdTime"])
    return shown(file, caller, world)


def _folder(file_id: str, caller: Caller, world: World) -> str:
    folder = find(file_id, caller, world, "writer")
    if folder.mime != FOLDER:
        raise ApiError(403, "The specified parent is not a folder.", reason="parentNotAFolder")
    return folder.id


def _apply(file: File, body: Json) -> None:
    for name in _EXTRA:
        if name in body:
            file.extra[name] = body[name]
    for name in ("properties", "appProperties"):
        held = file.extra.setdefault(name, {})
        for key, value in body.get(name, {}).items():
            if value is None:
                held.pop(key, None)
            else:
                held[key] = value
    if "modifiedTime" in body:
        file.modified = parse(body["modifiedTime"])


def _hold_writable(body: Json) -> None:
    """What an update may not name. Some clients send back the whole file that they were given."""
    if "parents" in body:
        raise not_writable(
            "The parents field is not directly writable in update requests. "
            "Use the addParents and removeParents parameters instead."
        )
    if any(name in body for name in _READ_ONLY):
        raise not_writable()


def update(params: Json, body: Json, caller: Caller, world: World) -> Json:
    file = find(params["fileId"], caller, world, "writer")
    _hold_writable(body)
    if "trashed" in body and body["trashed"] != file.trashed:
        find(file.id, caller, world, "owner")
        file.trashed = body["trashed"]
    if body.get("name"):
        world.rename(file, body["name"])
    _move(file, params, caller, world)
    upload = params.get("_media")
    if upload is not None:
        content.put(file, upload, body.get("mimeType") or file.mime, world)
    elif body.get("mimeType") and not file.mime.startswith(GOOGLE):
        file.mime = body["mimeType"]
    world.touch(file, caller)
    _apply(file, body)
    return shown(file, caller, world)


def _move(file: File, params: Json, caller: Caller, world: World) -> None:
    added = [each for each in params.get("addParents", "").split(",") if each]
    removed = [each for each in params.get("removeParents", "").split(",") if each]
    root = world.root_of(caller.email)
    gone = [root if each == "root" else each for each in removed]
    kept = [each for each in file.parents if each not in gone]
    new = [_folder(each, caller, world) for each in added]
    if new and len({*kept, *new}) > 1:
        kept = []
    file.parents = list(dict.fromkeys([*kept, *new]))


def copy_file(params: Json, body: Json, caller: Caller, world: World) -> Json:
    source = find(params["fileId"], caller, world)
    if source.mime == FOLDER:
        raise ApiError(403, "This file cannot be copied by the user.", reason="cannotCopyFile")
    parents = [_folder(each, caller, world) for each in body.get("parents", [])]
    name = body.get("name") or f"Copy of {source.name}"
    made = world.create_file(name, source.mime, caller)
    made.data = content.copied(source, world)
    made.extra = {key: copy.deepcopy(each) for key, each in source.extra.items() if key not in _OWN}
    if parents:
        made.parents = parents
    elif source.owner == caller.email:
        made.parents = list(source.parents)
    _apply(made, body)
    return shown(made, caller, world)


def delete(params: Json, body: Json, caller: Caller, world: World) -> None:
    file = find(params["fileId"], caller, world, "owner")
    if file.id not in world.files:
        raise insufficient(file.id)
    _delete_below(file.id, world)


def _delete_below(file_id: str, world: World) -> None:
    world.files.pop(file_id, None)
    for inner in [each.id for each in world.files.values() if file_id in each.parents]:
        _delete_below(inner, world)


def empty_trash(params: Json, body: Json, caller: Caller, world: World) -> None:
    for file in list(world.files.values()):
        if file.trashed and file.owner == caller.email:
            _delete_below(file.id, world)


def list_page(params: Json, body: Json, caller: Caller, world: World) -> Json:
    size = number(params, "pageSize", 100, 1, 1000)
    query, order = params.get("q", ""), params.get("orderBy", "")
    token = params.get("pageToken", "")
    found = _ordered(_found(query, params, caller, world), order)
    start = 0
    if token:
        known = world.pages.get(token)
        if known is None or known[:2] != (query, order):
            raise invalid_value("pageToken")
        names = [file.id for file in found]
        start = names.index(known[2]) + 1 if known[2] in names else int(known[3])
    page = found[start : start + size]
    out: Json = {"kind": "drive#fileList", "incompleteSearch": False}
    if found[start + size :]:
        out["nextPageToken"] = world.ids.page()
        world.pages[out["nextPageToken"]] = (query, order, page[-1].id, start + size)
    out["files"] = [shown(file, caller, world) for file in page]
    return out


def _found(query: str, params: Json, caller: Caller, world: World) -> list[File]:
    test = compile_query(query, caller, world) if query.strip() else lambda file: True
    spaces = {each.strip() for each in (params.get("spaces") or "drive").split(",")}
    if not spaces <= {"drive", "appDataFolder", "photos"}:
        raise invalid_value("spaces")
    if (params.get("corpora") == "drive") != bool(params.get("driveId")):
        text = "The driveId parameter must be specified if and only if corpora is set to drive."
        raise ApiError(403, text, reason="invalid")
    if params.get("driveId"):
        text = f"Shared drive not found: {params['driveId']}"
        raise ApiError(404, text, reason="notFound", location="driveId")
    if "drive" not in spaces:
        return []
    return [file for file in world.files.values() if _listed(file, caller, world) and test(file)]


def _listed(file: File, caller: Caller, world: World) -> bool:
    """A file that one may only open by its link is not in one's list."""
    named = [share for share in file.permissions if share.covers(caller.email) and not share.view]
    if any(share.type in ("user", "group") or share.discoverable for share in named):
        return True
    return not named and world.role(file, caller.email) > 0


def _ordered(found: list[File], order: str) -> list[File]:
    """Without an order the latest comes first."""
    found = sorted(found, key=lambda file: (file.modified, file.created), reverse=True)
    for part in reversed([each.strip() for each in order.split(",") if each.strip()]):
        name, _, direction = part.partition(" ")
        if name not in _ORDERS or direction.strip() not in ("", "desc", "asc"):
            raise invalid_value("orderBy")
        found.sort(key=_ORDERS[name], reverse=direction.strip() == "desc")
    return found
