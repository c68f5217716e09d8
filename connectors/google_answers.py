"""The JSON of a form and of its responses, as the Forms API shows them, turned into a frame of responses.

Promises: an answer to a question that is not declared, or no longer there, is kept under its title or id; a time is
the instant it names, to the microsecond. Refuses to know: any game, and how the JSON got here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pandas as pd

from connectors.base import FormMap
from connectors.responses import SHOWN_TEXT, fold_title, shorten
from connectors.ticks import split_ticks
from connectors.timestamps import parse_timestamp
from rules.frames import RESPONSES, Finding, conform

_PLAIN = len("2026-10-12T23:59:59.123456Z")
_FILE = "https://drive.google.com/open?id="

Answers = dict[str, str | list[str]]


class Question(NamedTuple):
    """A question by its id. One that is `typed` has ticks written out in a line, if it has any."""

    name: str
    title: str
    typed: bool


class Slot(NamedTuple):
    """Where the answer to one question goes. `current` is False for a question that the form no longer has."""

    name: str
    many: bool
    choices: tuple[str, ...] | None
    current: bool


class Row(NamedTuple):
    response_id: str
    submitted_at: datetime | None
    submitted_text: str
    created_at: datetime | None
    created_text: str
    address: str
    answers: Answers


class Layout:
    """Which question goes where, and what a response that answers nothing looks like."""

    def __init__(
        self, form: FormMap, titles: Mapping[str, str], current: Sequence[str], typed: Container[str]
    ) -> None:
        self.slots: dict[str, Slot] = {}
        self.address: frozenset[str] = _match(titles, form.address_titles)
        self.texts = {field.name: "" for field in form.fields if not field.many}
        self.lists = [field.name for field in form.fields if field.many]
        for field in form.fields:
            for name in _match(titles, field.titles) - self.address:
                choices = field.choices if name in typed else None
                self.slots[name] = Slot(field.name, field.many, choices, name in current)
        used: set[str] = set()
        for name, title in titles.items():
            if name not in self.slots and name not in self.address:
                self.slots[name] = Slot(_free_name(f"?{title or name}", used), False, None, name in current)


def list_questions(form: Mapping[str, Any]) -> Iterator[Question]:
    """Every question's id and title; the row of a grid is a question of its own, titled as exports title it."""
    for item in form.get("items") or ():
        title = fold_title(item.get("title", ""))
        single = item.get("questionItem", {}).get("question", {})
        if name := single.get("questionId"):
            yield Question(name, title, "textQuestion" in single)
        for question in item.get("questionGroupItem", {}).get("questions") or ():
            row = fold_title(question.get("rowQuestion", {}).get("title", ""))
            if name := question.get("questionId"):
                yield Question(name, f"{title} [{row}]", False)


def _match(titles: Mapping[str, str], wanted: Sequence[str]) -> frozenset[str]:
    folded = {fold_title(title) for title in wanted}
    return frozenset(name for name, title in titles.items() if title in folded)


def _free_name(plain: str, used: set[str]) -> str:
    name, copy = plain, 1
    while name in used:
        copy += 1
        name = f"{plain} ({copy})"
    used.add(name)
    return name


def check_fields(form: FormMap, there: Mapping[str, str]) -> Iterator[Finding]:
    place = f"{form.name} 質問"
    for field in form.fields:
        found = _match(there, field.titles)
        if len(found) > 1:
            listed = "、".join(f"「{there[name]}」" for name in there if name in found)
            message = f"同じ質問が {len(found)} つあります: {listed}。1つだけ残してください。"
            yield Finding("doubled_header", place, message)
        elif not found and field.required:
            listed = "、".join(f"「{title}」" for title in there.values() if title)
            names = "または".join(f"「{title}」" for title in field.titles)
            message = (
                f"{names}の質問がありません。今ある質問: {listed}。質問を戻すか、設定に別名を加えてください。"
            )
            yield Finding("missing_column", place, message)


def check_address(form: FormMap, there: Mapping[str, str]) -> Iterator[Finding]:
    found = _match(there, form.address_titles)
    if len(found) > 1:
        listed = "、".join(f"「{there[name]}」" for name in there if name in found)
        message = f"アドレスの質問が {len(found)} つあります: {listed}。1つだけ残してください。"
        yield Finding("doubled_header", f"{form.name} 質問", message)


def flatten_response(response: Mapping[str, Any], layout: Layout) -> Row:
    answers: Answers = dict(layout.texts)
    for name in layout.lists:
        answers[name] = []
    asked = ""
    for name, answer in (response.get("answers") or {}).items():
        if name in layout.address:
            asked = ", ".join(_values(answer))
            continue
        slot = layout.slots[name]
        values = _values(answer)
        # A question that was replaced must not hide the answer to the one that stands there now.
        if not any(values) or (not slot.current and answers.get(slot.name)):
            continue
        if slot.many and slot.choices is not None:
            values = split_ticks(values[0], slot.choices)
        answers[slot.name] = values if slot.many else ", ".join(values)
    submitted, created = response.get("lastSubmittedTime", ""), response.get("createTime", "")
    return Row(
        response.get("responseId", ""),
        _read_time(submitted),
        submitted,
        _read_time(created),
        created,
        response.get("respondentEmail") or asked,
        answers,
    )


def _values(answer: Mapping[str, Any]) -> list[str]:
    texts = answer.get("textAnswers")
    if texts:
        return [each.get("value", "") for each in texts.get("answers") or ()]
    files = answer.get("fileUploadAnswers") or {}
    return [f"{_FILE}{each.get('fileId', '')}" for each in files.get("answers") or ()]


def _read_time(text: str) -> datetime | None:
    """The instant, to the microsecond; the usual shape by the short way, since there may be a million of them."""
    if len(text) <= _PLAIN and text.endswith("Z"):
        try:
            return datetime.fromisoformat(text)
        except ValueError:
            return None
    instant = parse_timestamp(text, UTC)
    return None if instant is None else instant.to_pydatetime()


def order_row(row: Row) -> tuple[datetime, str]:
    return row.submitted_at or datetime.max.replace(tzinfo=UTC), row.response_id


def check_times(rows: Sequence[Row], form: str) -> list[Finding]:
    """A response without a readable time could be the one that counts, so nothing can be counted without it."""
    findings = []
    for row in rows:
        bad = [row.submitted_text] if row.submitted_at is None else []
        if row.created_at is None and row.created_text:
            bad.append(row.created_text)
        for text in bad:
            shown = text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT] + "…"
            message = f"Google が返した時刻「{shown}」が読めません。saitei の版を確かめてください。"
            findings.append(Finding("unreadable", _place(form, row.response_id), message))
    return shorten(findings, form)


def _place(form: str, response_id: str) -> str:
    return f"{form} 回答 {response_id}"


def build_responses(rows: Sequence[Row], form: str) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "response_id": [row.response_id for row in rows],
            "submitted_at": pd.Series([row.submitted_at for row in rows], dtype="datetime64[us, UTC]"),
            "submitted_text": [row.submitted_text for row in rows],
            "created_at": pd.Series([row.created_at for row in rows], dtype="datetime64[us, UTC]"),
            "address": [row.address for row in rows],
            "answers": pd.Series([row.answers for row in rows], dtype="object"),
            "place": [_place(form, row.response_id) for row in rows],
        }
    )
    return conform(frame, RESPONSES)
