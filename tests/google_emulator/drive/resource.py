"""A file as Drive shows it: everything that a `fields` mask may ask for."""

from __future__ import annotations

import hashlib
from typing import Any

from tests.google_emulator import sheets
from tests.google_emulator.clock import milliseconds
from tests.google_emulator.drive.about import user
from tests.google_emulator.world import FOLDER, FORM, RANK, SPREADSHEET, Caller, File, Permission, World

GOOGLE = "application/vnd.google-apps."
_EDITOR = {
    SPREADSHEET: "https://docs.google.com/spreadsheets/d/{}/edit?usp=drivesdk",
    FORM: "https://docs.google.com/forms/d/{}/edit?usp=drivesdk",
    FOLDER: "https://drive.google.com/drive/folders/{}",
}
_EXPORTS = {
    SPREADSHEET: {mime: name for name, mime in sheets.TYPES.items()},
    FORM: {"application/zip": "zip"},
}
_WRITER = (
    "canAddChildren",
    "canChangeCopyRequiresWriterPermission",
    "canChangeViewersCanCopyContent",
    "canComment",
    "canEdit",
    "canModifyContent",
    "canMoveItemWithinDrive",
    "canReadRevisions",
    "canRemoveChildren",
    "canRename",
    "canShare",
    "canUntrash",
)
_OWNER = ("canDelete", "canMoveItemOutOfDrive", "canTrash")


def shown(file: File, caller: Caller, world: World) -> dict[str, Any]:
    rank, mine = world.role(file, caller.email), file.owner.casefold() == caller.email.casefold()
    out: dict[str, Any] = {
        "kind": "drive#file",
        "id": file.id,
        "name": file.name,
        "mimeType": file.mime,
        "starred": bool(file.extra.get("starred", False)),
        "trashed": file.trashed,
        "explicitlyTrashed": file.trashed,
        "parents": list(file.parents),
        "spaces": ["drive"],
        "version": str(file.version),
        "webViewLink": _EDITOR.get(file.mime, "https://drive.google.com/file/d/{}/view?usp=drivesdk").format(
            file.id
        ),
        "iconLink": f"https://drive-thirdparty.googleusercontent.com/16/type/{file.mime}",
        "hasThumbnail": False,
        "thumbnailVersion": "0",
        "viewedByMe": True,
        "createdTime": milliseconds(file.created),
        "modifiedTime": milliseconds(file.modified),
        "modifiedByMe": file.modified_by == caller.email,
        "owners": [user(file.owner, caller, world)],
        "lastModifyingUser": user(file.modified_by, caller, world),
        "shared": len([share for share in file.permissions if not share.view]) > 1,
        "ownedByMe": mine,
        "viewersCanCopyContent": True,
        "copyRequiresWriterPermission": False,
        "writersCanShare": True,
        "isAppAuthorized": True,
        "capabilities": _capabilities(rank, file),
        "quotaBytesUsed": "0",
    }
    if not file.parents or rank < RANK["writer"]:
        out.pop("parents")
    if file.modified_by == caller.email:
        out["modifiedByMeTime"] = milliseconds(file.modified)
    if rank >= RANK["writer"]:
        shares = [share for share in file.permissions if not share.view]
        out["permissions"] = [shown_permission(share) for share in shares]
        out["permissionIds"] = [share.id for share in shares]
    if not mine:
        out["sharedWithMeTime"] = milliseconds(file.created)
    _add_content(out, file)
    out.update({name: each for name, each in file.extra.items() if name in _SETTABLE and each != {}})
    return out


_SETTABLE = (
    "description",
    "starred",
    "properties",
    "appProperties",
    "folderColorRgb",
    "viewersCanCopyContent",
    "copyRequiresWriterPermission",
    "writersCanShare",
    "originalFilename",
    "viewedByMeTime",
    "contentRestrictions",
)


def _add_content(out: dict[str, Any], file: File) -> None:
    if file.mime in _EXPORTS:
        base = f"https://docs.google.com/feeds/download/export?id={file.id}&exportFormat="
        out["exportLinks"] = {mime: base + name for mime, name in _EXPORTS[file.mime].items()}
    if not isinstance(file.data, bytes):
        return
    out["size"] = out["quotaBytesUsed"] = str(len(file.data))
    out["md5Checksum"] = hashlib.md5(file.data, usedforsecurity=False).hexdigest()
    out["sha1Checksum"] = hashlib.sha1(file.data, usedforsecurity=False).hexdigest()
    out["sha256Checksum"] = hashlib.sha256(file.data).hexdigest()
    out["headRevisionId"] = f"0B{out['md5Checksum']}"
    out["originalFilename"] = file.name
    ending = file.name.rpartition(".")[2] if "." in file.name else ""
    out["fileExtension"] = out["fullFileExtension"] = ending
    out["webContentLink"] = f"https://drive.google.com/uc?id={file.id}&export=download"


def _capabilities(rank: int, file: File) -> dict[str, bool]:
    writer, owner = rank >= RANK["writer"], rank >= RANK["owner"]
    out = dict.fromkeys(_WRITER, writer) | dict.fromkeys(_OWNER, owner)
    if file.mime != FOLDER:
        out["canAddChildren"] = out["canRemoveChildren"] = False
    out["canComment"] = rank >= RANK["commenter"]
    out["canCopy"] = file.mime != FOLDER
    out["canDownload"] = True
    out["canListChildren"] = file.mime == FOLDER
    return dict(sorted(out.items()))


def shown_permission(share: Permission) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": "drive#permission",
        "id": share.id,
        "type": share.type,
        "role": share.role,
    }
    if share.type in ("user", "group"):
        out["emailAddress"] = share.email
        out["displayName"] = share.display_name or share.email.split("@")[0]
        out["deleted"] = False
        out["pendingOwner"] = share.pending
    else:
        out["allowFileDiscovery"] = share.discoverable
    if share.type == "domain":
        out["domain"] = out["displayName"] = share.domain
    if share.view:
        out["view"] = share.view
    if share.expires:
        out["expirationTime"] = share.expires
    return out
