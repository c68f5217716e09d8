"""Forms v1: forms, their items, publishing, responses and watches."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import not_implemented
from tests.google_emulator.forms import batch, methods, responses, watches
from tests.google_emulator.world import Caller, World

METHODS = {
    "forms.forms.create": methods.create,
    "forms.forms.get": methods.get,
    "forms.forms.batchUpdate": batch.batch_update,
    "forms.forms.setPublishSettings": methods.set_publish_settings,
    "forms.forms.responses.get": responses.get,
    "forms.forms.responses.list": responses.list_page,
    "forms.forms.watches.create": watches.create,
    "forms.forms.watches.list": watches.list_all,
    "forms.forms.watches.renew": watches.renew,
    "forms.forms.watches.delete": watches.delete,
}


def handle(
    method_id: str, params: dict[str, Any], body: dict[str, Any], caller: Caller, world: World
) -> dict[str, Any]:
    """One call; the file exists and the caller may use it."""
    method = METHODS.get(method_id)
    if method is None:
        raise not_implemented(method_id)
    return method(params, body, caller, world)
