"""Respondents at the form, and the form's owner at what the API does not reach."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from tests.google_emulator.clock import parse
from tests.google_emulator.control.answers import read_answers
from tests.google_emulator.control.arguments import ControlError, required, the_file, truth
from tests.google_emulator.control.linked import follow, link_form
from tests.google_emulator.forms.grading import grade
from tests.google_emulator.forms.items import admit
from tests.google_emulator.forms.model import Form, Response, form_of
from tests.google_emulator.world import Caller, File

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]


def _form(service: Service, body: Json) -> tuple[File, Form]:
    file = the_file(service.world, body, "formId")
    return file, form_of(file, service.world)


def _response(form: Form, body: Json) -> Response:
    found = form.responses.get(str(required(body, "responseId")))
    if found is None:
        raise ControlError(f"there is no response {body['responseId']}", 404)
    return found


def _time(service: Service, body: Json) -> datetime:
    return parse(body["at"]) if "at" in body else service.world.now()


def _hold_open(form: Form, body: Json) -> None:
    if not form.open and not truth(body.get("force", False)):
        text = "the form is not accepting responses; call setPublishSettings first, or send force: true"
        raise ControlError(text, 409)


def submit(service: Service, body: Json) -> Json:
    """{formId, answers: {questionId or title: text | [texts] | {row: ...} | {files: [...]}}, email?, at?, responseId?, force?}"""
    file, form = _form(service, body)
    _hold_open(form, body)
    at = _time(service, body)
    name = str(body.get("responseId") or service.world.ids.response())
    if name in form.responses:
        raise ControlError(f"there is a response {name} already", 409)
    answers = read_answers(form, body.get("answers", {}), truth(body.get("force", False)))
    response = Response(name, at, at, answers, _email(form, body, ""))
    grade(form, response)
    form.responses[name] = response
    follow(service, file, form, response, None)
    return response.shown(file.id)


def _email(form: Form, body: Json, before: str) -> str:
    if form.collects == "DO_NOT_COLLECT":
        return before
    given = str(body.get("email", before))
    if not given and not truth(body.get("force", False)):
        raise ControlError("email is missing: the form collects addresses")
    return given


def edit(service: Service, body: Json) -> Json:
    """{formId, responseId, answers: all of them, email?, at?, force?}: the respondent sends the form again by its edit link."""
    file, form = _form(service, body)
    _hold_open(form, body)
    response = _response(form, body)
    before = response.submitted
    response.answers = read_answers(form, body.get("answers", {}), truth(body.get("force", False)))
    response.email = _email(form, body, response.email)
    response.submitted = _time(service, body)
    grade(form, response)
    follow(service, file, form, response, before)
    return response.shown(file.id)


def delete(service: Service, body: Json) -> Json:
    """{formId, responseId}: the owner deletes a response; a linked sheet keeps its row."""
    _, form = _form(service, body)
    del form.responses[_response(form, body).id]
    return {}


def delete_all(service: Service, body: Json) -> Json:
    """{formId}: the owner deletes all responses."""
    _, form = _form(service, body)
    form.responses.clear()
    return {}


def regrade(service: Service, body: Json) -> Json:
    """{formId, responseId, questionId, score}: the owner corrects a grade; no time moves."""
    file, form = _form(service, body)
    response = _response(form, body)
    answer = response.answers.get(str(required(body, "questionId")))
    if answer is None:
        raise ControlError("that question was not answered", 404)
    score = float(required(body, "score"))
    held = answer.setdefault("grade", {})
    response.total_score += score - held.get("score", 0)
    held["score"] = int(score) if score == int(score) else score
    return response.shown(file.id)


def change_form(service: Service, body: Json) -> Json:
    """{formId, legacy?: true takes the publish settings away, published?, accepting?}"""
    _, form = _form(service, body)
    if truth(body.get("legacy", False)):
        form.published = None
    if "published" in body:
        form.published = truth(body["published"])
    if "accepting" in body:
        form.accepting = truth(body["accepting"])
    return {"open": form.open}


def add_item(service: Service, body: Json) -> Json:
    """{formId, item, index?}: the owner adds an item in the editor, a file upload question included."""
    file, form = _form(service, body)
    item = required(body, "item")
    index = int(body.get("index", len(form.items)))
    made = admit(item, form, service.world, form.ids(), item)
    form.items.insert(index, made)
    form.advance(service.world.now())
    service.world.touch(file, Caller(file.owner))
    return {"item": made}


def link(service: Service, body: Json) -> Json:
    """{formId, spreadsheetId?}: responses go into a tab of a (new) spreadsheet from now on, those there are at once."""
    file, form = _form(service, body)
    return link_form(service, file, form, str(body.get("spreadsheetId", "")))
