"""forms.batchUpdate: the six kinds of request. The caller of this module undoes everything when one is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from tests.google_emulator.errors import ApiError, invalid
from tests.google_emulator.fields import MaskError, Tree, check, merge, parse
from tests.google_emulator.forms.items import admit, displayed
from tests.google_emulator.forms.model import Form, Json, form_of, questions_of, shown
from tests.google_emulator.unions import ITEM_KINDS, QUESTION_KINDS
from tests.google_emulator.world import Caller, World

_REVISION_LIFE = timedelta(hours=24)


def batch_update(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    file = world.files[params["formId"]]
    form = form_of(file, world)
    requests = body.get("requests", [])
    if not requests:
        raise invalid("Must specify at least one request.")
    _hold_revision(form, body.get("writeControl", {}), world)
    replies = []
    for index, request in enumerate(requests):
        if not request:
            raise invalid(f"Invalid requests[{index}]: No request set.")
        kind, wanted = next(iter(request.items()))
        replies.append(_KINDS[kind](form, wanted, world))
    _hold_sections(form)
    form.advance(world.now())
    out: Json = {}
    if body.get("includeFormInResponse"):
        out["form"] = copy.deepcopy(shown(file, form))
    out["replies"] = replies
    out["writeControl"] = {"requiredRevisionId": form.revision_id}
    return out


def _hold_revision(form: Form, control: Json, world: World) -> None:
    required, target = control.get("requiredRevisionId"), control.get("targetRevisionId")
    if required is not None and required != form.revision_id:
        text = f"The required revision ID '{required}' does not match the latest revision."
        raise ApiError(400, text, status="FAILED_PRECONDITION")
    if target is not None and target != form.revision_id:
        made = form.revisions.get(target)
        if made is None or world.now() - made > _REVISION_LIFE:
            raise invalid(f"The target revision ID '{target}' is not valid or too old.")


def _place(wanted: Json, name: str, count: int) -> int:
    """The index of a location; absent is zero only inside of a location that is there."""
    if name not in wanted:
        raise invalid(f"The {name} must be set.")
    index: int = wanted[name].get("index", 0)
    if not 0 <= index < count:
        raise invalid(
            f"Index out of bounds: {name}.index must be in the range [0, {count}), but was {index}."
        )
    return index


def _mask(wanted: Json, schema: str) -> Tree:
    try:
        tree = parse(wanted.get("updateMask") or "")
    except MaskError as error:
        if not wanted.get("updateMask"):
            raise invalid("Update mask is required.") from error
        raise invalid(f"Invalid update mask: {wanted['updateMask']}.") from error
    try:
        check("forms.v1", schema, tree)
    except MaskError as error:
        raise invalid(f"Invalid update mask: unknown field {error}.") from error
    return tree


def _create_item(form: Form, wanted: Json, world: World) -> Json:
    if "item" not in wanted:
        raise invalid("The item must be set.")
    index = _place(wanted, "location", len(form.items) + 1)
    item = admit(wanted["item"], form, world, form.ids())
    form.items.insert(index, item)
    reply: Json = {"itemId": item["itemId"]}
    asked = [question["questionId"] for question in questions_of(item)]
    if asked:
        reply["questionId"] = asked
    return {"createItem": reply}


def _update_item(form: Form, wanted: Json, world: World) -> Json:
    if "item" not in wanted:
        raise invalid("The item must be set.")
    index = _place(wanted, "location", len(form.items))
    mask = _mask(wanted, "Item")
    old, source = form.items[index], wanted["item"]
    target = copy.deepcopy(old)
    merge(target, copy.deepcopy(source), mask)
    _keep_one(target, source, ITEM_KINDS)
    if "questionItem" in target:
        inner = source.get("questionItem", {}).get("question", {})
        _keep_one(target["questionItem"].get("question", {}), inner, QUESTION_KINDS)
    form.items[index] = {"itemId": ""}
    form.items[index] = admit(target, form, world, form.ids(), old)
    return {}


def _keep_one(target: Json, source: Json, kinds: tuple[str, ...]) -> None:
    """A kind that was written replaces the kind that was there."""
    given = [kind for kind in kinds if kind in target]
    if len(given) > 1:
        for kind in given:
            if kind not in source:
                del target[kind]


def _move_item(form: Form, wanted: Json, world: World) -> Json:
    origin = _place(wanted, "originalLocation", len(form.items))
    goal = _place(wanted, "newLocation", len(form.items))
    form.items.insert(goal, form.items.pop(origin))
    return {}


def _delete_item(form: Form, wanted: Json, world: World) -> Json:
    """Whatever led to a section that goes leads on to the next one again."""
    gone = form.items.pop(_place(wanted, "location", len(form.items)))
    for option in _leading(form):
        if option["goToSectionId"] == gone["itemId"]:
            del option["goToSectionId"]
    return {}


def _update_form_info(form: Form, wanted: Json, world: World) -> Json:
    mask, info = _mask(wanted, "Info"), wanted.get("info", {})
    if "documentTitle" in mask:
        raise invalid("The document title cannot be changed by a batchUpdate request. Use the Drive API.")
    if "title" in mask or "*" in mask:
        form.title = displayed(info.get("title", ""))
    if "description" in mask or "*" in mask:
        form.description = info.get("description", "")
    return {}


def _update_settings(form: Form, wanted: Json, world: World) -> Json:
    mask, settings = _mask(wanted, "FormSettings"), wanted.get("settings", {})
    if "quizSettings" in mask or "*" in mask:
        form.quiz = bool(settings.get("quizSettings", {}).get("isQuiz"))
        if not form.quiz:
            for _, question in form.questions().values():
                question.pop("grading", None)
    if "emailCollectionType" in mask or "*" in mask:
        kind = settings.get("emailCollectionType", "EMAIL_COLLECTION_TYPE_UNSPECIFIED")
        if kind != "EMAIL_COLLECTION_TYPE_UNSPECIFIED":
            form.collects = kind
        elif "emailCollectionType" in mask:
            raise invalid("The email collection type must be specified.")
    return {}


def _leading(form: Form) -> list[Json]:
    """The options that lead to a section."""
    asked = [question.get("choiceQuestion", {}) for _, question in form.questions().values()]
    return [option for choice in asked for option in choice.get("options", []) if "goToSectionId" in option]


def _hold_sections(form: Form) -> None:
    """Where an answer leads must exist once the whole batch is done."""
    pages = {item["itemId"] for item in form.items if "pageBreakItem" in item}
    for option in _leading(form):
        if option["goToSectionId"] not in pages:
            raise invalid(f"Invalid goToSectionId: {option['goToSectionId']} is not the ID of a section.")


_KINDS: dict[str, Callable[[Form, Json, World], Json]] = {
    "createItem": _create_item,
    "updateItem": _update_item,
    "moveItem": _move_item,
    "deleteItem": _delete_item,
    "updateFormInfo": _update_form_info,
    "updateSettings": _update_settings,
}
