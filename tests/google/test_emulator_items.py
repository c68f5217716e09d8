"""Items of forms: how each kind is kept, and which are refused."""

from __future__ import annotations

import re

import pytest
from form_building import Form, choice, creation, grid, text


@pytest.fixture
def form(forms):
    return Form(forms)


def test_every_kind_of_item_is_kept_as_it_is_shown(form):
    items = [
        text("Short"),
        {"title": "Long", "questionItem": {"question": {"required": True, "textQuestion": {"paragraph": True}}}},
        choice("Radio", "RADIO", "a", "b", {"isOther": True}),
        choice("Check", "CHECKBOX", "a", "b"),
        choice("Drop", "DROP_DOWN", "a", "b"),
        {"title": "Scale", "questionItem": {"question": {"scaleQuestion": {"low": 1, "high": 5, "lowLabel": "-"}}}},
        {"title": "Date", "questionItem": {"question": {"dateQuestion": {"includeYear": True}}}},
        {"title": "Time", "questionItem": {"question": {"timeQuestion": {"duration": True}}}},
        {"title": "Stars", "questionItem": {"question": {"ratingQuestion": {"ratingScaleLevel": 5, "iconType": "STAR"}}}},
        {"title": "Page", "description": "Second", "pageBreakItem": {}},
        {"title": "Words", "textItem": {}},
        {"title": "Film", "videoItem": {"video": {"youtubeUri": "https://www.youtube.com/watch?v=x"}, "caption": "c"}},
    ]  # fmt: skip
    form.add(*items)
    shown = form.get()["items"]
    for item, kept in zip(items, shown, strict=True):
        question = kept.get("questionItem", {}).get("question", {})
        ids = [kept.pop("itemId"), *([question.pop("questionId")] if question else [])]
        assert all(re.fullmatch(r"[0-9a-f]{8}", each) for each in ids)
        assert kept == item


def test_what_is_false_or_zero_is_not_shown(form):
    asked = {"required": False, "scaleQuestion": {"low": 0, "high": 10}}
    form.add({"title": "", "questionItem": {"question": asked}})
    (item,) = form.get()["items"]
    question = item["questionItem"]["question"]
    assert set(item) == {"itemId", "questionItem"}
    assert {name: question[name] for name in question if name != "questionId"} == {
        "scaleQuestion": {"high": 10}
    }


def test_a_reply_names_the_item_and_each_question_of_it(form):
    replies = form.add(text("Q"), grid("G", "RADIO", ["a"], ["one", "two"]), {"title": "T", "textItem": {}})
    items = form.get()["items"]
    rows = [question["questionId"] for question in items[1]["questionGroupItem"]["questions"]]
    assert replies == [
        {
            "createItem": {
                "itemId": items[0]["itemId"],
                "questionId": [items[0]["questionItem"]["question"]["questionId"]],
            }
        },
        {"createItem": {"itemId": items[1]["itemId"], "questionId": rows}},
        {"createItem": {"itemId": items[2]["itemId"]}},
    ]
    assert len(set(rows)) == 2


def test_given_ids_are_kept_and_cannot_be_used_twice(form):
    form.add({**text("Q", questionId="0000beef"), "itemId": "0000cafe"})
    (item,) = form.get()["items"]
    assert (item["itemId"], item["questionItem"]["question"]["questionId"]) == ("0000cafe", "0000beef")
    assert "0000cafe" in form.refused(creation({**text("R"), "itemId": "0000cafe"}))
    assert "0000beef" in form.refused(creation(text("R", questionId="0000beef")))


def test_a_picture_is_served_from_elsewhere_and_its_source_is_not_shown(form):
    image = {"sourceUri": "https://example.com/a.png", "altText": "A", "properties": {"width": 100}}
    form.add({"title": "Picture", "imageItem": {"image": image}})
    shown = form.get()["items"][0]["imageItem"]["image"]
    assert shown.pop("contentUri").startswith("https://lh3.googleusercontent.com/")
    assert shown == {"altText": "A", "properties": {"width": 100, "alignment": "LEFT"}}


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (text("two\nlines"), "Displayed text cannot contain newlines"),
        (choice("C", "RADIO", "a\nb"), "Displayed text cannot contain newlines"),
        (choice("C", "RADIO"), "at least one option"),
        (choice("C", "RADIO", "a", "a"), "Duplicate option"),
        (choice("C", "RADIO", ""), "must not be empty"),
        (choice("C", "CHOICE_TYPE_UNSPECIFIED", "a"), "type must be specified"),
        (choice("C", "DROP_DOWN", "a", {"isOther": True}), "isOther"),
        (
            choice("C", "RADIO", {"isOther": True, "value": "x"}),
            "Cannot set option.value when isOther is true",
        ),
        (choice("C", "CHECKBOX", {"value": "a", "goToAction": "SUBMIT_FORM"}), "Section navigation"),
        (
            choice("C", "RADIO", {"value": "a", "goToSectionId": "12345678"}),
            "12345678 is not the ID of a section",
        ),
        (grid("G", "DROP_DOWN", ["a"], ["r"]), "CHECKBOX and RADIO"),
        (grid("G", "RADIO", ["a"], []), "at least one question"),
        (grid("G", "RADIO", ["a"], ["r", "r"]), "Duplicate row"),
        ({"title": "No kind"}, "exactly one kind"),
        ({"title": "Q", "questionItem": {"question": {}}}, "exactly one kind"),
        ({"title": "Q", "questionItem": {}}, "question must be set"),
        ({"questionItem": {"question": {"scaleQuestion": {"low": 2, "high": 5}}}}, "Invalid scale"),
        ({"questionItem": {"question": {"scaleQuestion": {"low": 1, "high": 11}}}}, "Invalid scale"),
        ({"questionItem": {"question": {"fileUploadQuestion": {"folderId": "x"}}}}, "file upload"),
        ({"questionItem": {"question": {"rowQuestion": {"title": "r"}}}}, "question group"),
        ({"imageItem": {"image": {"altText": "x"}}}, "source URI"),
        ({"videoItem": {"video": {"youtubeUri": "https://example.com/x"}}}, "YouTube"),
        (text("Q", grading={"pointValue": 1}), "not a quiz"),
    ],
)
def test_an_item_that_cannot_be_is_refused_and_nothing_of_its_batch_stays(form, item, reason):
    before = form.get()
    assert reason in form.refused(creation(text("First")), creation(item, 1))
    assert form.get() == before
