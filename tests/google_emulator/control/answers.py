"""Answers as a respondent may give them, and as a form stores them."""

from __future__ import annotations

import re
from typing import Any

from tests.google_emulator.control.arguments import ControlError
from tests.google_emulator.forms.model import Form, Json, choices_of

_CLOCK = r"\d\d:\d\d(:\d\d)?"


def read_answers(form: Form, given: Json, force: bool) -> dict[str, Json]:
    """Stored answers by questionId; ControlError for what the form's page would not let through, unless forced."""
    questions = form.questions()
    named = _by_name(form)
    answers: dict[str, Json] = {}
    for name, value in given.items():
        if isinstance(value, dict) and "files" not in value:
            spread = {f"{name} [{row}]": each for row, each in value.items()}
        else:
            spread = {name: value}
        for each, inner in spread.items():
            question_id = each if each in questions else named.get(each, "")
            if not question_id and not force:
                raise ControlError(f"the form has no question {each!r}; it has {', '.join(named) or 'none'}")
            stored = _stored(question_id or each, inner)
            if stored is not None:
                answers[question_id or each] = stored
    if not force:
        _hold(questions, answers)
    order = {name: index for index, name in enumerate(questions)}
    return dict(sorted(answers.items(), key=lambda pair: order.get(pair[0], len(order))))


def titles(form: Form) -> dict[str, str]:
    """questionId -> what the question is called: its item's title, with the row of a grid in brackets."""
    out = {}
    for name, (item, question) in form.questions().items():
        title = item.get("title", "")
        row = question.get("rowQuestion", {}).get("title")
        out[name] = f"{title} [{row}]" if row is not None else title
    return out


def _by_name(form: Form) -> dict[str, str]:
    named: dict[str, str] = {}
    for name, title in titles(form).items():
        named.setdefault(title, name)
    return named


def _stored(question_id: str, value: Any) -> Json | None:
    """None for a question left blank: it is then not among the answers at all."""
    if isinstance(value, dict):
        return {"questionId": question_id, "fileUploadAnswers": {"answers": list(value["files"])}}
    texts = [str(each) for each in (value if isinstance(value, list) else [value]) if each not in (None, "")]
    if not texts:
        return None
    return {"questionId": question_id, "textAnswers": {"answers": [{"value": text} for text in texts]}}


def _hold(questions: dict[str, tuple[Json, Json]], answers: dict[str, Json]) -> None:
    for name, (item, question) in questions.items():
        title = item.get("title", name)
        if name not in answers:
            if question.get("required"):
                raise ControlError(f"{title!r} must be answered; send force: true to leave it out")
            continue
        texts = [each["value"] for each in answers[name].get("textAnswers", {}).get("answers", [])]
        fault = _fault(item, question, texts)
        if fault:
            raise ControlError(f"{title!r}: {fault}; send force: true to store it all the same")


def _fault(item: Json, question: Json, texts: list[str]) -> str:
    choice = choices_of(item, question)
    if choice:
        options = choice.get("options", [])
        known = [option.get("value") for option in options]
        if choice.get("type") != "CHECKBOX" and len(texts) > 1:
            return "only one choice is allowed"
        wrong = [text for text in texts if text not in known]
        if wrong and not any(option.get("isOther") for option in options):
            return f"{wrong[0]!r} is not among {known}"
        return ""
    if len(texts) > 1:
        return "only one value is allowed"
    return _text_fault(question, texts[0] if texts else "")


def _text_fault(question: Json, text: str) -> str:
    if "scaleQuestion" in question or "ratingQuestion" in question:
        low = question.get("scaleQuestion", {}).get("low", 0) if "scaleQuestion" in question else 1
        scale = question.get("scaleQuestion", {}).get("high") or question.get("ratingQuestion", {}).get(
            "ratingScaleLevel"
        )
        return "" if text.isdigit() and low <= int(text) <= scale else f"{text!r} is not on the scale"
    if "timeQuestion" in question:
        return "" if re.fullmatch(_CLOCK, text) else f"{text!r} is not HH:MM"
    if "dateQuestion" in question:
        asked = question["dateQuestion"]
        pattern = (
            (r"\d{4}-" if asked.get("includeYear") else "")
            + r"\d\d-\d\d"
            + (r" \d\d:\d\d" if asked.get("includeTime") else "")
        )
        return "" if re.fullmatch(pattern, text) else f"{text!r} is not a date in the form of the question"
    return ""
