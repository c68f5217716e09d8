"""Comments on a file, as far as clients carry them from one file to another; replies are not kept."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.clock import milliseconds
from tests.google_emulator.drive.about import user
from tests.google_emulator.drive.limits import insufficient, invalid_value, is_true, number
from tests.google_emulator.drive.methods import find
from tests.google_emulator.errors import ApiError
from tests.google_emulator.world import Caller, File, World

Json = dict[str, Any]
KEPT = "_comments"


def _held(file: File) -> list[Json]:
    held: list[Json] = file.extra.setdefault(KEPT, [])
    return held


def _need_fields(params: Json) -> None:
    if not params.get("fields"):
        text = "The 'fields' parameter is required for this method."
        raise ApiError(400, text, reason="required", location="fields")


def _comment(file: File, comment_id: str) -> Json:
    for comment in _held(file):
        if comment["id"] == comment_id and not comment["deleted"]:
            return comment
    text = f"Comment not found: {comment_id}."
    raise ApiError(404, text, reason="notFound", location="commentId")


def create(params: Json, body: Json, caller: Caller, world: World) -> Json:
    _need_fields(params)
    file = find(params["fileId"], caller, world, "commenter")
    if not body.get("content"):
        raise ApiError(400, "The comment must have content.", reason="required", location="comment.content")
    now = milliseconds(world.now())
    made = {
        "kind": "drive#comment",
        "id": world.ids.comment(),
        "createdTime": now,
        "modifiedTime": now,
        "author": user(caller.email, caller, world),
        "htmlContent": body["content"],
        "content": body["content"],
        "deleted": False,
        "resolved": False,
        "replies": [],
    }
    for name in ("anchor", "quotedFileContent"):
        if body.get(name):
            made[name] = body[name]
    _held(file).append(made)
    return made


def get(params: Json, body: Json, caller: Caller, world: World) -> Json:
    _need_fields(params)
    return _comment(find(params["fileId"], caller, world), params["commentId"])


def list_page(params: Json, body: Json, caller: Caller, world: World) -> Json:
    """The latest first; those deleted only where they are asked for, and then without their content."""
    _need_fields(params)
    file = find(params["fileId"], caller, world)
    size, token = number(params, "pageSize", 20, 1, 100), params.get("pageToken", "")
    known = world.pages.get(token, ()) if token else (file.id, 0)
    if not known or known[0] != file.id:
        raise invalid_value("pageToken")
    shown = [
        each for each in reversed(_held(file)) if is_true(params, "includeDeleted") or not each["deleted"]
    ]
    start = int(known[1])
    out: Json = {"kind": "drive#commentList"}
    if shown[start + size :]:
        out["nextPageToken"] = world.ids.page()
        world.pages[out["nextPageToken"]] = (file.id, start + size)
    out["comments"] = shown[start : start + size]
    return out


def _own(params: Json, caller: Caller, world: World) -> Json:
    file = find(params["fileId"], caller, world, "commenter")
    comment = _comment(file, params["commentId"])
    if comment["author"]["emailAddress"] != caller.email:
        raise insufficient(file.id)
    return comment


def update(params: Json, body: Json, caller: Caller, world: World) -> Json:
    _need_fields(params)
    comment = _own(params, caller, world)
    if body.get("content"):
        comment["content"] = comment["htmlContent"] = body["content"]
    comment["modifiedTime"] = milliseconds(world.now())
    return comment


def delete(params: Json, body: Json, caller: Caller, world: World) -> None:
    comment = _own(params, caller, world)
    comment["deleted"] = True
    for name in ("content", "htmlContent", "anchor", "quotedFileContent"):
        comment.pop(name, None)
