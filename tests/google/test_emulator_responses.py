"""Responses as recorded: two times, pages, filters, edits that overwrite, deletions that vanish, grades."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from form_building import Form, choice, grid, text
from googleapiclient.errors import HttpError


@pytest.fixture
def form(forms):
    return Form(forms)


def test_a_form_without_responses_lists_nothing_at_all(form):
    assert form.list() == {}


def test_a_response_carries_two_times_of_different_precision(form, emulator):
    form.add(text("Name"), text("Never answered"))
    form.open()
    emulator.control("clock", set="2026-10-13T05:00:00.850363Z")
    made = emulator.control("submit", formId=form.id, answers={"Name": "Ada"})
    (listed,) = form.list()["responses"]
    question = form.get()["items"][0]["questionItem"]["question"]["questionId"]
    assert listed == {
        "responseId": made["responseId"],
        "createTime": "2026-10-13T05:00:00.850Z",
        "lastSubmittedTime": "2026-10-13T05:00:00.850363Z",
        "answers": {question: {"questionId": question, "textAnswers": {"answers": [{"value": "Ada"}]}}},
    }
    got = form.forms.responses().get(formId=form.id, responseId=made["responseId"]).execute()
    assert got == {"formId": form.id, **listed}
    with pytest.raises(HttpError, match=r"Requested entity was not found\."):
        form.forms.responses().get(formId=form.id, responseId="nope").execute()


def submitted(form, emulator, count, start=datetime(2026, 10, 1, tzinfo=UTC)):
    form.add(text("N"))
    form.open()
    made = []
    for number in range(count):
        at = (start + timedelta(seconds=number)).isoformat().replace("+00:00", "Z")
        made.append(
            emulator.control("submit", formId=form.id, answers={"N": str(number)}, at=at)["responseId"]
        )
    return made


def test_pages_hold_every_response_once_and_in_no_order_of_time(form, emulator):
    made = submitted(form, emulator, 25)
    seen, token = [], None
    while True:
        page = form.list(pageSize=10, **({"pageToken": token} if token else {}))
        seen += [each["responseId"] for each in page["responses"]]
        token = page.get("nextPageToken")
        if token is None:
            break
    assert sorted(seen) == sorted(made)
    assert seen != made
    assert seen != sorted(seen)
    assert [each["responseId"] for each in form.list()["responses"]] == seen


def test_a_page_is_not_shifted_by_what_is_deleted_meanwhile(form, emulator):
    submitted(form, emulator, 6)
    every = [each["responseId"] for each in form.list()["responses"]]
    first = form.list(pageSize=3)
    emulator.control("delete", formId=form.id, responseId=every[0])
    rest = form.list(pageSize=3, pageToken=first["nextPageToken"])
    assert [each["responseId"] for each in rest["responses"]] == every[3:]


def test_a_page_token_belongs_to_its_form_and_filter(form, emulator, forms):
    submitted(form, emulator, 4)
    token = form.list(pageSize=2)["nextPageToken"]
    with pytest.raises(HttpError, match="Invalid page token"):
        form.list(pageSize=2, pageToken=token, filter="timestamp > 2020-01-01T00:00:00Z")
    with pytest.raises(HttpError, match="Invalid page token"):
        Form(forms).list(pageToken=token)


@pytest.mark.parametrize(
    ("sign", "limit", "count"),
    [
        (">", "2026-10-01T00:00:01Z", 1),
        (">=", "2026-10-01T00:00:01Z", 2),
        (">=", "2026-10-01T00:00:01.000000001Z", 1),
        (">", "2026-10-01T00:00:00.999999Z", 2),
        (">", "2026-10-01T00:00:02Z", 0),
    ],
)
def test_the_filter_looks_at_the_latest_submission(form, emulator, sign, limit, count):
    submitted(form, emulator, 3)
    assert len(form.list(filter=f"timestamp {sign} {limit}").get("responses", [])) == count


@pytest.mark.parametrize(
    "wanted",
    [
        "timestamp = 2026-10-01T00:00:00Z",
        "lastSubmittedTime > 2026-10-01T00:00:00Z",
        "timestamp > 2026-10-01T00:00:00+09:00",
        "timestamp > 2026-10-01",
        "timestamp > 2026-10-01T00:00:00Z AND timestamp < 2026-10-02T00:00:00Z",
    ],
)
def test_any_other_filter_is_refused(form, wanted):
    with pytest.raises(HttpError) as caught:
        form.list(filter=wanted)
    assert caught.value.status_code == 400


def test_an_edit_overwrites_and_a_deletion_leaves_nothing(form, emulator):
    (name,) = submitted(form, emulator, 1)
    emulator.control(
        "edit", formId=form.id, responseId=name, answers={"N": "new"}, at="2026-10-02T00:00:00.5Z"
    )
    (after,) = form.list()["responses"]
    assert after["responseId"] == name
    assert (after["createTime"], after["lastSubmittedTime"]) == (
        "2026-10-01T00:00:00.000Z",
        "2026-10-02T00:00:00.500Z",
    )
    assert [answer["textAnswers"] for answer in after["answers"].values()] == [
        {"answers": [{"value": "new"}]}
    ]
    emulator.control("delete", formId=form.id, responseId=name)
    assert form.list() == {}


def test_a_grid_answers_row_by_row_and_a_checkbox_with_one_value_a_tick(form, emulator):
    form.add(
        grid("G", "CHECKBOX", ["a", "b"], ["one", "two"]),
        choice("C", "CHECKBOX", "x", "y", {"isOther": True}),
    )
    form.open()
    emulator.control("submit", formId=form.id, answers={"G": {"two": ["a", "b"]}, "C": ["y", "own words"]})
    items = form.get()["items"]
    row = items[0]["questionGroupItem"]["questions"][1]["questionId"]
    ticked = items[1]["questionItem"]["question"]["questionId"]
    answers = form.list()["responses"][0]["answers"]
    assert {
        name: [each["value"] for each in answer["textAnswers"]["answers"]] for name, answer in answers.items()
    } == {
        row: ["a", "b"],
        ticked: ["y", "own words"],
    }


def test_a_quiz_is_graded_and_what_is_wrong_has_an_empty_grade(form, emulator):
    form.batch(
        {"updateSettings": {"settings": {"quizSettings": {"isQuiz": True}}, "updateMask": "quizSettings"}}
    )
    key = {"pointValue": 3, "correctAnswers": {"answers": [{"value": "b"}]}, "whenRight": {"text": "Yes"}}
    form.add(
        choice("Right", "RADIO", "a", "b", grading=key),
        choice("Wrong", "RADIO", "a", "b", grading=key),
        text("Free"),
    )
    form.open()
    made = emulator.control("submit", formId=form.id, answers={"Right": "b", "Wrong": "a", "Free": "x"})
    assert [answer["grade"] for answer in made["answers"].values()] == [
        {"score": 3, "correct": True, "feedback": {"text": "Yes"}},
        {},
        {},
    ]
    assert made["totalScore"] == 3


def test_old_answers_stay_when_their_question_is_gone(form, emulator):
    submitted(form, emulator, 1)
    question = form.get()["items"][0]["questionItem"]["question"]["questionId"]
    form.batch({"deleteItem": {"location": {"index": 0}}})
    assert list(form.list()["responses"][0]["answers"]) == [question]
