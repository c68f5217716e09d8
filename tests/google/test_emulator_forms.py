"""Forms v1 as recorded: made with a title, filled by batches, published, watched."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from form_building import PUBLISHED, Form, choice, creation, grid, text
from googleapiclient.errors import HttpError

from tests.google_emulator.clock import parse


@pytest.fixture
def form(forms):
    return Form(forms)


def test_a_form_is_made_with_a_title_and_starts_unpublished(forms):
    made = forms.create(body={"info": {"title": "Quiz", "documentTitle": "In Drive"}}).execute()
    assert made["info"] == {"title": "Quiz", "documentTitle": "In Drive"}
    assert made["publishSettings"] == {"publishState": {"isPublished": False, "isAcceptingResponses": False}}
    assert re.fullmatch(r"https://docs\.google\.com/forms/d/e/1FAIpQLS[\w-]+/viewform", made["responderUri"])
    assert "items" not in made
    assert made["formId"] not in made["responderUri"]
    assert forms.get(formId=made["formId"]).execute() == made


@pytest.mark.parametrize("word", ["false", "False"])
def test_a_form_made_to_be_published_takes_answers_at_once(http, word):
    made = http("POST", f"/v1/forms?unpublished={word}", json={"info": {"title": "T"}}).json()
    assert made["publishSettings"] == {"publishState": {"isPublished": True, "isAcceptingResponses": True}}


def test_without_a_document_title_the_file_is_untitled(forms):
    assert forms.create(body={"info": {"title": "T"}}).execute()["info"]["documentTitle"] == "Untitled form"


@pytest.mark.parametrize(
    "more",
    [
        {"items": [text("Q")]},
        {"settings": {"quizSettings": {"isQuiz": True}}},
        {"info": {"description": "d"}},
    ],
)
def test_only_titles_can_be_set_at_creation(forms, more):
    with pytest.raises(HttpError) as caught:
        forms.create(body={"info": {"title": "T"}} | more).execute()
    assert caught.value.reason == (
        "Only info.title can be set when creating a form. To add items and change settings, use batchUpdate."
    )


@pytest.mark.parametrize(("index", "allowed"), [(0, True), (2, True), (3, False), (-1, False)])
def test_an_item_goes_anywhere_up_to_the_end(form, index, allowed):
    form.add(text("A"), text("B"))
    if allowed:
        form.batch(creation(text("New"), index))
        assert form.get()["items"][index]["title"] == "New"
    else:
        assert "Index out of bounds" in form.refused(creation(text("New"), index))


def test_a_location_is_needed_but_its_index_may_be_absent(form):
    assert "location must be set" in form.refused({"createItem": {"item": text("A")}})
    form.batch({"createItem": {"item": text("A"), "location": {}}})
    assert form.get()["items"][0]["title"] == "A"


@pytest.mark.parametrize(
    ("origin", "goal", "order"), [(2, 0, "CAB"), (0, 2, "BCA"), (0, 1, "BAC"), (1, 1, "ABC")]
)
def test_a_moved_item_ends_at_its_new_index(form, origin, goal, order):
    form.add(text("A"), text("B"), text("C"))
    move = {"originalLocation": {"index": origin}, "newLocation": {"index": goal}}
    assert form.batch({"moveItem": move})["replies"] == [{}]
    assert "".join(item["title"] for item in form.get()["items"]) == order


def test_a_move_beyond_the_items_is_refused(form):
    form.add(text("A"), text("B"))
    for origin, goal in ((2, 0), (0, 2)):
        move = {"originalLocation": {"index": origin}, "newLocation": {"index": goal}}
        assert "Index out of bounds" in form.refused({"moveItem": move})


def test_deleting_takes_the_item_at_an_index(form):
    form.add(text("A"), text("B"))
    form.batch({"deleteItem": {"location": {"index": 0}}})
    assert [item["title"] for item in form.get()["items"]] == ["B"]
    assert "Index out of bounds" in form.refused({"deleteItem": {"location": {"index": 1}}})


def update(item, mask, index=0):
    return {"updateItem": {"item": item, "location": {"index": index}, "updateMask": mask}}


def test_an_update_changes_what_its_mask_names_and_keeps_ids(form):
    form.add(choice("C", "RADIO", "a", "b"))
    (before,) = form.get()["items"]
    new = {"title": "New", "description": "D", "questionItem": {"question": {"required": True}}}
    form.batch(update(new, "title,questionItem.question.required"))
    (after,) = form.get()["items"]
    assert after["title"] == "New"
    assert "description" not in after
    assert after["itemId"] == before["itemId"]
    asked, was = after["questionItem"]["question"], before["questionItem"]["question"]
    assert asked == {
        "questionId": was["questionId"],
        "required": True,
        "choiceQuestion": was["choiceQuestion"],
    }
    form.batch(update({}, "questionItem.question.required"))
    assert "required" not in form.get()["items"][0]["questionItem"]["question"]


def test_an_id_left_blank_under_the_mask_is_made_anew(form):
    form.add(text("Q"))
    (before,) = form.get()["items"]
    form.batch(update(text("Q"), "questionItem"))
    (middle,) = form.get()["items"]
    assert middle["itemId"] == before["itemId"]
    assert (
        middle["questionItem"]["question"]["questionId"] != before["questionItem"]["question"]["questionId"]
    )
    form.batch(update(text("Q"), "*"))
    assert form.get()["items"][0]["itemId"] != middle["itemId"]
    form.batch(update(middle, "*"))
    assert form.get()["items"] == [middle]


def test_an_update_may_change_the_kind_of_a_question(form):
    form.add(text("Q"))
    new = choice("Q", "RADIO", "a")
    form.batch(update(new, "questionItem.question.choiceQuestion"))
    question = form.get()["items"][0]["questionItem"]["question"]
    assert set(question) == {"questionId", "choiceQuestion"}


def test_an_update_needs_a_mask_that_exists(form):
    form.add(text("Q"))
    assert "mask is required" in form.refused(update(text("R"), ""))
    assert "unknown field foo" in form.refused(update(text("R"), "foo"))


def test_rows_of_a_grid_keep_the_ids_they_are_sent_with(form):
    form.add(grid("G", "RADIO", ["a"], ["one", "two"]))
    (item,) = form.get()["items"]
    kept = item["questionGroupItem"]["questions"][0]
    item["questionGroupItem"]["questions"] = [{"rowQuestion": {"title": "zero"}}, kept]
    form.batch(update(item, "questionGroupItem.questions"))
    rows = form.get()["items"][0]["questionGroupItem"]["questions"]
    assert rows[1] == kept
    assert rows[0]["questionId"] not in ("", kept["questionId"])


def test_title_and_description_are_changed_apart_and_the_document_title_not_at_all(form):
    form.batch(
        {"updateFormInfo": {"info": {"title": "T", "description": "D\nE"}, "updateMask": "description"}}
    )
    assert form.get()["info"] == {"title": "Form", "description": "D\nE", "documentTitle": "Untitled form"}
    form.batch({"updateFormInfo": {"info": {"title": "T", "documentTitle": "X"}, "updateMask": "*"}})
    assert form.get()["info"] == {"title": "T", "documentTitle": "Untitled form"}
    reason = form.refused({"updateFormInfo": {"info": {"documentTitle": "X"}, "updateMask": "documentTitle"}})
    assert "document title" in reason
    assert "mask is required" in form.refused({"updateFormInfo": {"info": {"title": "T"}}})


def test_settings_quiz_and_addresses(form):
    quiz = {
        "updateSettings": {
            "settings": {"quizSettings": {"isQuiz": True}},
            "updateMask": "quizSettings.isQuiz",
        }
    }
    address = {"settings": {"emailCollectionType": "VERIFIED"}, "updateMask": "emailCollectionType"}
    form.batch(quiz, {"updateSettings": address})
    assert form.get()["settings"] == {"quizSettings": {"isQuiz": True}, "emailCollectionType": "VERIFIED"}
    form.add(text("Q", grading={"pointValue": 2, "correctAnswers": {"answers": [{"value": "x"}]}}))
    assert form.get()["items"][0]["questionItem"]["question"]["grading"]["pointValue"] == 2
    form.batch({"updateSettings": {"settings": {}, "updateMask": "quizSettings.isQuiz"}})
    assert "grading" not in form.get()["items"][0]["questionItem"]["question"]


def test_revisions_advance_with_each_batch_and_guard_it(form):
    first = form.get()["revisionId"]
    answer = form.batch(
        creation(text("A")), includeFormInResponse=True, writeControl={"requiredRevisionId": first}
    )
    second = answer["writeControl"]["requiredRevisionId"]
    assert second != first
    assert answer["form"]["revisionId"] == second == form.get()["revisionId"]
    reason = form.refused(creation(text("B")), writeControl={"requiredRevisionId": first})
    assert reason == f"The required revision ID '{first}' does not match the latest revision."
    form.batch(creation(text("B")), writeControl={"targetRevisionId": first})
    assert "not valid" in form.refused(creation(text("C")), writeControl={"targetRevisionId": "ffffffff"})


def test_a_batch_needs_a_request(form):
    assert form.refused() == "Must specify at least one request."
    assert "No request set" in form.refused({})


def test_a_section_can_be_led_to_in_the_batch_that_makes_it(form):
    page = {"itemId": "00000abc", "title": "Page", "pageBreakItem": {}}
    leads = choice(
        "C", "RADIO", {"value": "a", "goToSectionId": "00000abc"}, {"value": "b", "goToAction": "SUBMIT_FORM"}
    )
    form.add(leads, page)
    options = form.get()["items"][0]["questionItem"]["question"]["choiceQuestion"]["options"]
    assert options == leads["questionItem"]["question"]["choiceQuestion"]["options"]
    form.batch({"deleteItem": {"location": {"index": 1}}})
    options = form.get()["items"][0]["questionItem"]["question"]["choiceQuestion"]["options"]
    assert options == [{"value": "a"}, {"value": "b", "goToAction": "SUBMIT_FORM"}]


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"isPublished": True}, "Both"),
        ({"isAcceptingResponses": False}, "Both"),
        ({"isPublished": False, "isAcceptingResponses": True}, "cannot accept"),
    ],
)
def test_publishing_takes_both_and_not_everything(form, state, reason):
    with pytest.raises(HttpError) as caught:
        form.forms.setPublishSettings(
            formId=form.id, body={"publishSettings": {"publishState": state}}
        ).execute()
    assert caught.value.status_code == 400
    assert reason in caught.value.reason


def test_publishing_answers_what_now_holds(form):
    answer = form.forms.setPublishSettings(
        formId=form.id, body={**PUBLISHED, "updateMask": "publishState"}
    ).execute()
    assert answer == {"formId": form.id, **PUBLISHED}


def test_watches_live_for_seven_days(form, emulator):
    emulator.control("clock", set="2026-10-01T00:00:00Z")
    watches = form.forms.watches()
    body = {"watch": {"target": {"topic": {"topicName": "projects/p/topics/t"}}, "eventType": "RESPONSES"}}
    made = watches.create(formId=form.id, body=body).execute()
    assert parse(made["expireTime"]) - parse(made["createTime"]) == timedelta(days=7)
    assert (made["state"], made["eventType"]) == ("ACTIVE", "RESPONSES")
    with pytest.raises(HttpError):
        watches.create(formId=form.id, body=body).execute()
    emulator.control("clock", advance=3600)
    assert (
        watches.renew(formId=form.id, watchId=made["id"], body={}).execute()["expireTime"]
        == "2026-10-08T01:00:00Z"
    )
    assert watches.list(formId=form.id).execute()["watches"][0]["id"] == made["id"]
    emulator.control("clock", advance=7 * 86400)
    with pytest.raises(HttpError, match="not found"):
        watches.renew(formId=form.id, watchId=made["id"], body={}).execute()
    assert watches.list(formId=form.id).execute() == {}


def test_drive_and_forms_speak_of_the_same_file(form, drive):
    drive.files().update(fileId=form.id, body={"name": "Renamed"}).execute()
    assert form.get()["info"] == {"title": "Form", "documentTitle": "Renamed"}
    copied = drive.files().copy(fileId=form.id, body={"name": "Copy"}).execute()
    assert form.forms.get(formId=copied["id"]).execute()["info"] == {"title": "Form", "documentTitle": "Copy"}
    drive.files().delete(fileId=form.id).execute()
    with pytest.raises(HttpError, match=r"Requested entity was not found\."):
        form.get()
