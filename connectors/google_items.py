"""What a form at Google asks: from questions to the requests that make them, and from a form back to its questions.

Promises: a page exists before a choice leads to it; a title is one line; what a form cannot show (a choice list without
choices) is asked as a text. Refuses to know: any game, and who calls Google.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from connectors.responses import fold_title

Json = dict[str, Any]
Kind = Literal["short", "paragraph", "dropdown", "choice", "checkbox", "time", "other"]

_CHOICES: Mapping[str, Kind] = {"DROP_DOWN": "dropdown", "RADIO": "choice", "CHECKBOX": "checkbox"}
_TYPES = {kind: name for name, kind in _CHOICES.items()}
_END = {"goToAction": "SUBMIT_FORM"}


class Question(NamedTuple):
    """One question as a respondent meets it. `leads`: choice -> heading of the page that follows it ("" = the end);
    `other`: something else may be typed. A `kind` "other" is one that we never make."""

    title: str
    kind: Kind = "short"
    must: bool = True
    choices: tuple[str, ...] = ()
    other: bool = False
    page: str = ""
    leads: Mapping[str, str] = MappingProxyType({})


class FormShape(NamedTuple):
    """A whole form. What follows the questions is known only of one that stands at Google."""

    title: str
    introduction: str
    verified: bool
    questions: tuple[Question, ...]
    published: bool = True
    accepting: bool = True
    collects: str = ""
    address: str = ""


def request_items(shape: FormShape) -> list[Json]:
    """The requests that fill an empty form: its text, its settings, its pages, then the questions between them."""
    info = {"title": shape.title, "description": shape.introduction}
    collects = "VERIFIED" if shape.verified else "RESPONDER_INPUT"
    requests: list[Json] = [
        {"updateFormInfo": {"info": info, "updateMask": "title,description"}},
        {
            "updateSettings": {
                "settings": {"emailCollectionType": collects},
                "updateMask": "emailCollectionType",
            }
        },
    ]
    pages = list(dict.fromkeys(question.page for question in shape.questions if question.page))
    for index, page in enumerate(pages):
        item = {"itemId": _page_id(page), "title": page, "pageBreakItem": {}}
        requests.append(_create(item, index))
    index = 0
    for page in ("", *pages):
        index += 1 if page else 0
        for question in shape.questions:
            if question.page == page:
                requests.append(_create(_show_question(question), index))
                index += 1
    return requests


def _create(item: Json, index: int) -> Json:
    return {"createItem": {"item": item, "location": {"index": index}}}


def _page_id(heading: str) -> str:
    return hashlib.sha256(heading.encode()).hexdigest()[:8]


def _show_question(question: Question) -> Json:
    asked: Json = {"required": question.must}
    if question.kind in _TYPES and question.choices:
        options: list[Json] = [
            {"value": choice, **_lead(question.leads.get(choice))} for choice in question.choices
        ]
        if question.other:
            options.append({"isOther": True})
        asked["choiceQuestion"] = {"type": _TYPES[question.kind], "options": options}
    elif question.kind == "time":
        asked["timeQuestion"] = {"duration": False}
    else:
        asked["textQuestion"] = {"paragraph": question.kind == "paragraph"}
    return {"title": fold_title(question.title), "questionItem": {"question": asked}}


def _lead(page: str | None) -> Json:
    if page is None:
        return {}
    return {"goToSectionId": _page_id(page)} if page else _END


def read_shape(form: Json) -> FormShape:
    """A form as it stands at Google."""
    info, state = form.get("info", {}), form.get("publishSettings", {}).get("publishState", {})
    legacy = "publishSettings" not in form
    collects = str(form.get("settings", {}).get("emailCollectionType", "DO_NOT_COLLECT"))
    return FormShape(
        info.get("title", ""),
        info.get("description", ""),
        collects == "VERIFIED",
        tuple(_read_questions(form.get("items", []))),
        legacy or bool(state.get("isPublished")),
        legacy or bool(state.get("isAcceptingResponses")),
        collects,
        str(form.get("responderUri", "")),
    )


def _read_questions(items: Sequence[Json]) -> Iterator[Question]:
    headings = {
        item.get("itemId", ""): fold_title(item.get("title", "")) for item in items if "pageBreakItem" in item
    }
    page = ""
    for item in items:
        title = fold_title(item.get("title", ""))
        if "pageBreakItem" in item:
            page = title
        elif "questionItem" in item:
            yield _read_question(title, item["questionItem"].get("question", {}), page, headings)
        elif "questionGroupItem" in item:
            yield Question(title, "other", False, page=page)


def _read_question(title: str, asked: Json, page: str, headings: Mapping[str, str]) -> Question:
    must = bool(asked.get("required"))
    if "textQuestion" in asked:
        kind: Kind = "paragraph" if asked["textQuestion"].get("paragraph") else "short"
        return Question(title, kind, must, page=page)
    if "timeQuestion" in asked and not asked["timeQuestion"].get("duration"):
        return Question(title, "time", must, page=page)
    found = asked.get("choiceQuestion")
    if found is None or found.get("type") not in _CHOICES:
        return Question(title, "other", must, page=page)
    options = [option for option in found.get("options", []) if not option.get("isOther")]
    leads = {}
    for option in options:
        if option.get("goToSectionId") in headings:
            leads[option.get("value", "")] = headings[option["goToSectionId"]]
        elif option.get("goToAction") == "SUBMIT_FORM":
            leads[option.get("value", "")] = ""
    choices = tuple(option.get("value", "") for option in options)
    other = len(options) < len(found.get("options", []))
    return Question(title, _CHOICES[found["type"]], must, choices, other, page, leads)
