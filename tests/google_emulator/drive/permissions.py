"""Who may use a file. One share for an account: sharing again changes its role, as the service does."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.drive.limits import insufficient, invalid_value, is_true, not_writable, number
from tests.google_emulator.drive.methods import find
from tests.google_emulator.drive.resource import shown_permission
from tests.google_emulator.errors import ApiError
from tests.google_emulator.world import FOLDER, FORM, RANK, Caller, File, Permission, World

Json = dict[str, Any]
_TYPES = ("user", "group", "domain", "anyone")


def _share(file: File, permission_id: str) -> Permission:
    for share in file.permissions:
        if share.id == permission_id:
            return share
    text = f"Permission not found: {permission_id}."
    raise ApiError(404, text, reason="notFound", location="permissionId")


def _may_share(file_id: str, caller: Caller, world: World) -> File:
    file = find(file_id, caller, world, "writer")
    if file.extra.get("writersCanShare") is False and world.role(file, caller.email) < RANK["owner"]:
        raise insufficient(file_id)
    return file


def _hold_role(role: str, kind: str) -> None:
    if not role:
        raise ApiError(400, "The permission role field is required.", reason="required")
    if role not in RANK:
        raise ApiError(400, "The specified role is invalid.", reason="invalid", location="permission.role")
    if role in ("organizer", "fileOrganizer"):
        text = "The organizer and fileOrganizer roles are only valid for shared drive items."
        raise ApiError(403, text, reason="invalidSharingRequest")
    if role == "owner" and kind != "user":
        text = "Only users can be owners of a file."
        raise ApiError(403, text, reason="invalidSharingRequest")


def create(params: Json, body: Json, caller: Caller, world: World) -> Json:
    file = _may_share(params["fileId"], caller, world)
    kind, role, email = body.get("type", ""), body.get("role", ""), body.get("emailAddress", "")
    if not kind:
        raise ApiError(400, "The permission type field is required.", reason="required")
    if kind not in _TYPES:
        raise ApiError(
            400,
            "The specified permission type is invalid.",
            reason="invalid",
            location="permission.type",
        )
    _hold_role(role, kind)
    _hold_target(kind, email, body.get("domain", ""))
    view = body.get("view", "")
    if view and (view != "published" or file.mime not in (FORM, FOLDER) or role != "reader"):
        raise ApiError(400, "The specified view is invalid for this permission.", reason="invalid")
    if role == "owner":
        return _hand_over(file, email, params, caller, world)
    made = _made(kind, role, body, world)
    made.view, made.id = view, made.id + ("p" if view else "")
    for share in file.permissions:
        if share.id == made.id and share.view == view:
            if share.role == "owner":
                return shown_permission(share)
            share.role, share.expires = role, made.expires
            return shown_permission(share)
    file.permissions.append(made)
    file.version += 1
    return shown_permission(made)


def _hold_target(kind: str, email: str, domain: str) -> None:
    if kind in ("user", "group") and "@" not in email.strip("@"):
        text = "The specified emailAddress is invalid or not applicable for the given permission type."
        raise ApiError(400, text, reason="invalid", location="permission.emailAddress")
    if kind == "domain" and not domain:
        text = "The specified domain is invalid or not applicable for the given permission type."
        raise ApiError(400, text, reason="invalid", location="permission.domain")


def _made(kind: str, role: str, body: Json, world: World) -> Permission:
    email, domain = body.get("emailAddress", ""), body.get("domain", "")
    open_to_find = bool(body.get("allowFileDiscovery", False))
    name = {
        "user": email,
        "group": email,
        "domain": domain,
        "anyone": "",
    }[kind]
    made_id = world.ids.of_account(name) if name else ("anyone" if open_to_find else "anyoneWithLink")
    made_id += "k" if kind == "domain" else ""
    made = Permission(made_id, kind, role, email if kind in ("user", "group") else "", domain)
    made.display_name, made.discoverable = name.split("@")[0], open_to_find
    made.expires = body.get("expirationTime", "")
    return made


def _hand_over(file: File, email: str, params: Json, caller: Caller, world: World) -> Json:
    if not is_true(params, "transferOwnership"):
        text = "The transferOwnership parameter must be enabled when the permission role is 'owner'."
        raise ApiError(403, text, reason="forbidden", location="transferOwnership")
    made_id = world.ids.of_account(email)
    waiting = any(share.id == made_id and share.pending for share in file.permissions)
    if not (waiting and email.casefold() == caller.email.casefold()):
        find(file.id, caller, world, "owner")
        if str(params.get("sendNotificationEmail", "true")).lower() == "false":
            text = "Notification emails cannot be disabled when ownership of a file is transferred."
            raise ApiError(403, text, reason="forbidden", location="sendNotificationEmail")
    for share in file.permissions:
        if share.role == "owner":
            share.role = "writer"
    file.permissions = [share for share in file.permissions if share.id != made_id or share.view]
    made = Permission(made_id, "user", "owner", email, display_name=email.split("@")[0])
    file.permissions.append(made)
    file.owner = email
    file.version += 1
    return shown_permission(made)


def get(params: Json, body: Json, caller: Caller, world: World) -> Json:
    file = find(params["fileId"], caller, world, "writer")
    return shown_permission(_share(file, params["permissionId"]))


def list_page(params: Json, body: Json, caller: Caller, world: World) -> Json:
    file = find(params["fileId"], caller, world, "writer")
    size = number(params, "pageSize", 100, 1, 100)
    views = ("", params.get("includePermissionsForView", ""))
    found = [share for share in file.permissions if share.view in views]
    token = params.get("pageToken", "")
    known = world.pages.get(token, ()) if token else (file.id, 0)
    if not known or known[0] != file.id:
        raise invalid_value("pageToken")
    start = int(known[1])
    out: Json = {"kind": "drive#permissionList"}
    if found[start + size :]:
        out["nextPageToken"] = world.ids.page()
        world.pages[out["nextPageToken"]] = (file.id, start + size)
    out["permissions"] = [shown_permission(share) for share in found[start : start + size]]
    return out


def update(params: Json, body: Json, caller: Caller, world: World) -> Json:
    file = _may_share(params["fileId"], caller, world)
    share = _share(file, params["permissionId"])
    if any(name in body for name in ("type", "emailAddress", "domain", "displayName", "allowFileDiscovery")):
        raise not_writable()
    role = body.get("role", "") or share.role
    _hold_role(role, share.type)
    if "pendingOwner" in body:
        find(file.id, caller, world, "owner")
        share.pending = bool(body["pendingOwner"]) and (share.type, role) == ("user", "writer")
    if role == "owner" and share.role != "owner":
        return _hand_over(file, share.email, params, caller, world)
    if share.role == "owner" and role != "owner":
        raise insufficient(file.id)
    share.role = role
    if is_true(params, "removeExpiration"):
        share.expires = ""
    share.expires = body.get("expirationTime", share.expires)
    file.version += 1
    return shown_permission(share)


def delete(params: Json, body: Json, caller: Caller, world: World) -> None:
    """Writers may remove anybody but the owner; everybody may leave."""
    file = find(params["fileId"], caller, world)
    share = _share(file, params["permissionId"])
    leaving = share.type == "user" and share.email.casefold() == caller.email.casefold()
    if share.role == "owner" or not leaving:
        _may_share(file.id, caller, world)
    if share.role == "owner":
        text = "The owner of a file cannot be removed."
        raise ApiError(403, text, reason="cannotRemoveOwner")
    file.permissions.remove(share)
    file.version += 1
