"""What Drive says of the account and of itself, and the few calls that need no file."""

from __future__ import annotations

from typing import Any

from tests.google_emulator import sheets
from tests.google_emulator.drive.limits import number
from tests.google_emulator.errors import ApiError
from tests.google_emulator.world import FORM, SPREADSHEET, Caller, World

LIMIT = 15 * 1024**3


def user(email: str, caller: Caller, world: World) -> dict[str, Any]:
    return {
        "kind": "drive#user",
        "displayName": email.split("@")[0],
        "me": email.casefold() == caller.email.casefold(),
        "permissionId": world.ids.of_account(email),
        "emailAddress": email,
    }


def get(params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World) -> dict[str, Any]:
    if not params.get("fields"):
        text = "The 'fields' parameter is required for this method."
        raise ApiError(400, text, reason="required", location="fields")
    sizes = [
        (len(file.data) if isinstance(file.data, bytes) else 0, file.trashed)
        for file in world.files.values()
        if file.owner == caller.email
    ]
    used = sum(size for size, _ in sizes)
    return {
        "kind": "drive#about",
        "user": user(caller.email, caller, world),
        "storageQuota": {
            "limit": str(LIMIT),
            "usage": str(used),
            "usageInDrive": str(used),
            "usageInDriveTrash": str(sum(size for size, trashed in sizes if trashed)),
        },
        "importFormats": {sheets.TYPES[name]: [SPREADSHEET] for name in ("csv", "tsv", "xlsx")},
        "exportFormats": {
            SPREADSHEET: list(sheets.TYPES.values()),
            FORM: ["application/zip"],
        },
        "maxImportSizes": {SPREADSHEET: "104857600"},
        "maxUploadSize": "5242880000000",
        "appInstalled": True,
        "canCreateDrives": False,
        "canCreateTeamDrives": False,
        "folderColorPalette": ["#ac725e", "#d06b64", "#f83a22"],
        "driveThemes": [],
        "teamDriveThemes": [],
    }


def generate_ids(
    params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World
) -> dict[str, Any]:
    count = number(params, "count", 10, 1, 1000)
    made = [world.ids.file() for _ in range(count)]
    return {"kind": "drive#generatedIds", "space": params.get("space") or "drive", "ids": made}


def no_drives(params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World) -> dict[str, Any]:
    return {"kind": "drive#driveList", "drives": []}


def start_page_token(
    params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World
) -> dict[str, Any]:
    total = sum(file.version for file in world.files.values())
    return {"kind": "drive#startPageToken", "startPageToken": str(total + 1)}
