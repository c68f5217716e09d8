"""The form as a whole: made, got, published."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import ApiError, invalid
from tests.google_emulator.fields import MaskError, parse
from tests.google_emulator.forms.items import displayed
from tests.google_emulator.forms.model import Form, Json, form_of, shown
from tests.google_emulator.world import FORM, Caller, World

_TITLE_ONLY = (
    "Only info.title can be set when creating a form. To add items and change settings, use batchUpdate."
)


def create(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    """Takes over the two titles; anything else in the body that could be set is refused, as by the service."""
    info = body.get("info", {})
    if info.get("description") or body.get("items") or body.get("settings"):
        raise invalid(_TITLE_ONLY)
    form = Form(world.ids.responder(), title=displayed(info.get("title", "")))
    wanted = params.get("unpublished")
    if str(wanted).lower() == "false":
        form.published = form.accepting = True
    file = world.create_file(info.get("documentTitle") or "Untitled form", FORM, caller, form)
    return shown(file, form)


def get(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    file = world.files[params["formId"]]
    return shown(file, form_of(file, world))


def set_publish_settings(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    file = world.files[params["formId"]]
    form = form_of(file, world)
    if form.published is None:
        raise ApiError(
            400, "Publish settings are not supported for legacy forms.", status="FAILED_PRECONDITION"
        )
    try:
        mask = parse(body.get("updateMask") or "*")
    except MaskError as error:
        raise invalid("Invalid update mask.") from error
    if set(mask) - {"*", "publishState"}:
        raise invalid(f"Invalid update mask: {', '.join(mask)}.")
    state = body.get("publishSettings", {}).get("publishState", {})
    if not {"isPublished", "isAcceptingResponses"} <= set(state):
        raise invalid("Both is_published and is_accepting_responses must be set.")
    if state["isAcceptingResponses"] and not state["isPublished"]:
        raise invalid("A form that is not published cannot accept responses.")
    form.published, form.accepting = state["isPublished"], state["isAcceptingResponses"]
    return {"formId": file.id, "publishSettings": form.publish_settings()}
