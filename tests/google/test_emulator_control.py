"""What no API can do: respondents, the owner at the editor, a human at the sheet, the clock."""

from __future__ import annotations

import pytest

from tests.google_emulator.control.arguments import ControlError
from tests.google_emulator.faults import KINDS

LINES = {
    "Name": {"questionItem": {"question": {"required": True, "textQuestion": {}}}},
    "Star": {"questionItem": {"question": {"choiceQuestion": {"type": "RADIO", "options": [{"value": "A"}, {"value": "B"}]}}}},
    "Level": {"questionItem": {"question": {"scaleQuestion": {"low": 1, "high": 5}}}},
    "Day": {"questionItem": {"question": {"dateQuestion": {"includeYear": True, "includeTime": True}}}},
    "Hour": {"questionItem": {"question": {"timeQuestion": {}}}},
    "Grid": {
        "questionGroupItem": {
            "questions": [{"rowQuestion": {"title": "one"}}, {"rowQuestion": {"title": "two"}}],
            "grid": {"columns": {"type": "RADIO", "options": [{"value": "x"}, {"value": "y"}]}},
        }
    },
}  # fmt: skip


@pytest.fixture
def form(forms, emulator):
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    requests = [
        {"createItem": {"item": {"title": title, **item}, "location": {"index": index}}}
        for index, (title, item) in enumerate(LINES.items())
    ]
    forms.batchUpdate(formId=made, body={"requests": requests}).execute()
    emulator.control("form", formId=made, published=True, accepting=True)
    return made


def values(response):
    return [
        [each["value"] for each in answer["textAnswers"]["answers"]]
        for answer in response["answers"].values()
    ]


def test_answers_may_be_given_by_title_or_by_id_and_come_in_the_order_of_the_form(emulator, forms, form):
    star = forms.get(formId=form).execute()["items"][1]["questionItem"]["question"]["questionId"]
    given = {
        "Grid": {"two": "y"},
        "Hour": "18:00",
        star: "B",
        "Level": 4,
        "Day": "2026-10-13 05:00",
        "Name": "Ada",
    }
    made = emulator.control("submit", formId=form, answers=given)
    assert values(made) == [["Ada"], ["B"], ["4"], ["2026-10-13 05:00"], ["18:00"], ["y"]]
    assert list(made["answers"]) == [answer["questionId"] for answer in made["answers"].values()]


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        ({}, "'Name' must be answered"),
        ({"Name": ""}, "'Name' must be answered"),
        ({"Name": "a", "Star": "C"}, "'C' is not among"),
        ({"Name": "a", "Star": ["A", "B"]}, "only one choice"),
        ({"Name": "a", "Level": "6"}, "not on the scale"),
        ({"Name": "a", "Day": "2026-10-13"}, "not a date"),
        ({"Name": "a", "Hour": "6pm"}, "not HH:MM"),
        ({"Name": "a", "Grid": {"three": "x"}}, "no question"),
        ({"Name": "a", "Other": "x"}, "no question"),
    ],
)
def test_what_the_page_would_not_let_through_can_only_be_forced(emulator, form, answers, text):
    with pytest.raises(ControlError, match=text):
        emulator.control("submit", formId=form, answers=answers)
    assert emulator.control("submit", formId=form, answers=answers, force=True)["responseId"]


def test_a_closed_form_takes_nothing(emulator, form):
    made = emulator.control("submit", formId=form, answers={"Name": "a"})
    emulator.control("form", formId=form, accepting=False)
    with pytest.raises(ControlError, match="not accepting responses"):
        emulator.control("submit", formId=form, answers={"Name": "a"})
    with pytest.raises(ControlError, match="not accepting responses"):
        emulator.control("edit", formId=form, responseId=made["responseId"], answers={"Name": "b"})
    assert emulator.control("submit", formId=form, answers={"Name": "a"}, force=True)


def test_an_address_is_stored_only_where_it_is_collected(emulator, forms, form):
    made = emulator.control("submit", formId=form, answers={"Name": "a"}, email="a@example.com")
    assert "respondentEmail" not in made
    settings = {"settings": {"emailCollectionType": "RESPONDER_INPUT"}, "updateMask": "emailCollectionType"}
    forms.batchUpdate(formId=form, body={"requests": [{"updateSettings": settings}]}).execute()
    made = emulator.control("submit", formId=form, answers={"Name": "a"}, email="a@example.com")
    assert made["respondentEmail"] == "a@example.com"
    edited = emulator.control("edit", formId=form, responseId=made["responseId"], answers={"Name": "b"})
    assert edited["respondentEmail"] == "a@example.com"
    with pytest.raises(ControlError, match="collects addresses"):
        emulator.control("submit", formId=form, answers={"Name": "a"})


def test_a_file_upload_question_comes_from_the_editor_only(emulator, forms, form):
    item = {
        "title": "Upload",
        "questionItem": {"question": {"fileUploadQuestion": {"folderId": "f", "maxFiles": 1}}},
    }
    emulator.control("add-item", formId=form, item=item, index=0)
    assert forms.get(formId=form).execute()["items"][0]["title"] == "Upload"
    file = {"fileId": "1", "fileName": "a.png", "mimeType": "image/png"}
    emulator.control("submit", formId=form, answers={"Name": "a", "Upload": {"files": [file]}})
    answers = forms.responses().list(formId=form).execute()["responses"][0]["answers"]
    assert [
        each["fileUploadAnswers"]["answers"] for each in answers.values() if "fileUploadAnswers" in each
    ] == [[file]]


def test_a_correction_of_a_grade_moves_no_time(emulator, forms, form):
    made = emulator.control("submit", formId=form, answers={"Name": "a"})
    name = next(iter(made["answers"]))
    emulator.control("grade", formId=form, responseId=made["responseId"], questionId=name, score=1.5)
    after = forms.responses().list(formId=form).execute()["responses"][0]
    assert (after["totalScore"], after["lastSubmittedTime"]) == (1.5, made["lastSubmittedTime"])


def test_a_form_of_the_old_kind_has_no_publish_settings(emulator, forms, http, form):
    emulator.control("form", formId=form, legacy=True)
    assert "publishSettings" not in forms.get(formId=form).execute()
    state = {"publishSettings": {"publishState": {"isPublished": True, "isAcceptingResponses": True}}}
    assert http("POST", f"/v1/forms/{form}:setPublishSettings", json=state).status_code == 400
    assert emulator.control("submit", formId=form, answers={"Name": "a"})


def test_the_clock_stands_moves_and_runs(emulator):
    assert emulator.control("clock", set="2026-10-13T05:00:00+09:00") == {"now": "2026-10-12T20:00:00Z"}
    assert emulator.control("clock", advance=0.25) == {"now": "2026-10-12T20:00:00.250Z"}
    assert emulator.control("clock", run=True)["now"] > "2026-10-13"


def test_everything_works_over_http_too(http, form):
    made = http("POST", "/__control__/submit", json={"formId": form, "answers": {"Name": "a"}}).json()
    assert http("GET", f"/v1/forms/{form}/responses/{made['responseId']}").status_code == 200
    assert http("POST", "/__control__/submit", json={"formId": form}).status_code == 400
    assert http("POST", "/__control__/submit", json={"formId": "nope"}).status_code == 404
    assert http("POST", "/__control__/nope", json={}).status_code == 404
    told = http("GET", "/__control__/").json()
    assert set(told) >= {"submit", "edit", "delete", "sort", "write", "fault"}
    assert all(text.strip() for text in told.values())
    assert all(f"{kind} (" in told["fault"] for kind in KINDS)
    assert http("GET", "/__control__/files").json()["files"][0]["id"] == form
    assert http("POST", "/__control__/reset").json() == {}
    assert http("GET", "/__control__/files").json() == {"files": []}


def test_the_log_counts_what_was_asked_but_not_the_control_path(emulator, http, forms, form):
    emulator.control("log/clear")
    forms.get(formId=form).execute()
    http("GET", "/__control__/log")
    (call,) = emulator.control("log")["calls"]
    assert {name: call[name] for name in ("method", "verb", "status", "caller", "file", "fault")} == {
        "method": "forms.forms.get",
        "verb": "GET",
        "status": 200,
        "caller": "owner@example.com",
        "file": form,
        "fault": "",
    }
