"""What a form holds, and how it is shown. Items are kept in the JSON in which the service returns them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.google_emulator.clock import microseconds, milliseconds
from tests.google_emulator.world import File, World

Json = dict[str, Any]


@dataclass
class Response:
    """One submission: its first and its latest time, and the latest answers only."""

    id: str
    created: datetime
    submitted: datetime
    answers: dict[str, Json]
    email: str = ""
    total_score: float = 0.0

    def shown(self, form_id: str = "") -> Json:
        """With the form's id when it is got alone, without it in a list."""
        out: Json = {"formId": form_id} if form_id else {}
        out["responseId"] = self.id
        out["createTime"] = milliseconds(self.created)
        out["lastSubmittedTime"] = microseconds(self.submitted)
        if self.email:
            out["respondentEmail"] = self.email
        if self.answers:
            out["answers"] = self.answers
        if self.total_score:
            out["totalScore"] = whole_if_whole(self.total_score)
        return out


@dataclass
class Form:
    """A form. `published` of None is a form of the old kind, which has no publish settings."""

    responder: str
    title: str = ""
    description: str = ""
    quiz: bool = False
    collects: str = "DO_NOT_COLLECT"
    items: list[Json] = field(default_factory=list)
    revision: int = 2
    revisions: dict[str, datetime] = field(default_factory=dict)
    published: bool | None = False
    accepting: bool = False
    linked_sheet: str = ""
    linked_tab: int = 0
    linked_rows: int = 0
    responses: dict[str, Response] = field(default_factory=dict)
    watches: dict[str, Json] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict[int, Any]) -> Form:
        """Responses are shared between copies: no call of the API changes one, and there may be thousands."""
        made = copy.copy(self)
        made.items, made.watches = copy.deepcopy(self.items, memo), copy.deepcopy(self.watches, memo)
        made.revisions, made.responses = dict(self.revisions), dict(self.responses)
        return made

    @property
    def revision_id(self) -> str:
        return f"{self.revision:08x}"

    @property
    def open(self) -> bool:
        return self.published is None or (self.published and self.accepting)

    def advance(self, now: datetime) -> None:
        self.revisions[self.revision_id] = now
        self.revision += 1

    def ids(self) -> set[str]:
        """Every id in use, of items and questions."""
        used = {item["itemId"] for item in self.items}
        return used | {question["questionId"] for item in self.items for question in questions_of(item)}

    def questions(self) -> dict[str, tuple[Json, Json]]:
        """questionId -> (item, question), in the order of the form."""
        return {
            question["questionId"]: (item, question) for item in self.items for question in questions_of(item)
        }

    def settings(self) -> Json:
        shown: Json = {}
        if self.quiz:
            shown["quizSettings"] = {"isQuiz": True}
        shown["emailCollectionType"] = self.collects
        return shown

    def publish_settings(self) -> Json:
        """Both are shown even when false: the two have presence, unlike other booleans."""
        return {
            "publishState": {
                "isPublished": bool(self.published),
                "isAcceptingResponses": bool(self.accepting),
            }
        }


def form_of(file: File, world: World) -> Form:
    """The form in a file; an empty one is made for a file that Drive made."""
    if not isinstance(file.data, Form):
        file.data = Form(world.ids.responder())
    return file.data


def shown(file: File, form: Form) -> Json:
    info = {"title": form.title, "description": form.description, "documentTitle": file.name}
    out: Json = {
        "formId": file.id,
        "info": {name: text for name, text in info.items() if text},
        "settings": form.settings(),
        "revisionId": form.revision_id,
        "responderUri": f"https://docs.google.com/forms/d/e/{form.responder}/viewform",
    }
    if form.items:
        out["items"] = form.items
    if form.linked_sheet:
        out["linkedSheetId"] = form.linked_sheet
    if form.published is not None:
        out["publishSettings"] = form.publish_settings()
    return out


def questions_of(item: Json) -> list[Json]:
    """All questions of an item: one, one for each row of a grid, or none."""
    if "questionItem" in item:
        return [item["questionItem"]["question"]] if "question" in item["questionItem"] else []
    return list(item.get("questionGroupItem", {}).get("questions", []))


def choices_of(item: Json, question: Json) -> Json:
    """The choices of a question; those of a row are the columns of its grid."""
    if "rowQuestion" in question:
        columns: Json = item["questionGroupItem"].get("grid", {}).get("columns", {})
        return columns
    choice: Json = question.get("choiceQuestion", {})
    return choice


def whole_if_whole(number: float) -> float | int:
    return int(number) if number == int(number) else number


def without_defaults(value: Any) -> Any:
    """Drops what this JSON never shows: false, zero, empty texts and lists. Empty messages stay."""
    if isinstance(value, dict):
        kept = {name: without_defaults(each) for name, each in value.items()}
        return {name: each for name, each in kept.items() if each is not None}
    if isinstance(value, list):
        return [without_defaults(each) for each in value] or None
    return value or None
