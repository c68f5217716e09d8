"""Drive v3: files, their content, and who may use them."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.drive import about, comments, content, methods, permissions
from tests.google_emulator.errors import not_implemented
from tests.google_emulator.messages import Raw
from tests.google_emulator.world import Caller, World

METHODS = {
    "drive.about.get": about.get,
    "drive.changes.getStartPageToken": about.start_page_token,
    "drive.comments.create": comments.create,
    "drive.comments.delete": comments.delete,
    "drive.comments.get": comments.get,
    "drive.comments.list": comments.list_page,
    "drive.comments.update": comments.update,
    "drive.drives.list": about.no_drives,
    "drive.files.copy": methods.copy_file,
    "drive.files.create": methods.create,
    "drive.files.delete": methods.delete,
    "drive.files.emptyTrash": methods.empty_trash,
    "drive.files.export": content.export,
    "drive.files.generateIds": about.generate_ids,
    "drive.files.get": methods.get,
    "drive.files.list": methods.list_page,
    "drive.files.update": methods.update,
    "drive.permissions.create": permissions.create,
    "drive.permissions.delete": permissions.delete,
    "drive.permissions.get": permissions.get,
    "drive.permissions.list": permissions.list_page,
    "drive.permissions.update": permissions.update,
}
_FILE = "kind,id,name,mimeType"
_PERMISSION = "kind,id,type,role"
DEFAULT_FIELDS = {
    "drive.files.copy": _FILE,
    "drive.files.create": _FILE,
    "drive.files.get": _FILE,
    "drive.files.list": f"kind,incompleteSearch,nextPageToken,files({_FILE})",
    "drive.files.update": _FILE,
    "drive.permissions.create": _PERMISSION,
    "drive.permissions.get": _PERMISSION,
    "drive.permissions.list": f"kind,nextPageToken,permissions({_PERMISSION})",
    "drive.permissions.update": _PERMISSION,
}


def handle(
    method_id: str, params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World
) -> dict[str, Any] | Raw | None:
    """One call; None is an answer without a body."""
    method = METHODS.get(method_id)
    if method is None:
        raise not_implemented(method_id)
    return method(params, body, caller, world)
