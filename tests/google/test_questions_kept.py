"""What forms ask is kept in the archive between runs: asked once a day, and again where an answer says it changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from form_building import creation, text
from google_game import GoogleGame, set_up
from sample_game import LATER, NOON, PLAYERS, SMALL

from pipeline.archive import Archive
from pipeline.outside import QUESTIONS
from tests.google_emulator.server import Emulator

GET, LIST = "forms.forms.get", "forms.forms.responses.list"
AGAIN = "2026-10-16 12:50:00"
TOMORROW = "2026-10-17 12:30:00"
NEXT_DAY = "2026-10-17 12:40:00"
SIGN_UP = {"正式呼称": "ぽんかん", "あいことば": PLAYERS["ぽんかん"][1], "参加を希望する開催日": ["10月20日"]}


@pytest.fixture
def game(tmp_path: Path, emulator: Emulator) -> GoogleGame:
    made = set_up(emulator, tmp_path, SMALL)
    made.run()
    made.forget_calls()
    return made


def asked(game: GoogleGame, as_of: str, *, dry: bool = False) -> list[str]:
    """The forms that were asked what they ask, in a run at `as_of`."""
    game.forget_calls()
    game.run(as_of, dry=dry)
    calls = game.emulator.control("log")["calls"]
    names = {form_id: name for name, form_id in game.ids.items()}
    return [names[each["file"]] for each in calls if each["method"] == GET]


def kept(game: GoogleGame, form: str = "signup") -> dict[str, Any]:
    with Archive.open(game.archive_path) as archive:
        inputs = archive.inputs()
    mine = inputs.loc[inputs["table"].eq(QUESTIONS) & inputs["key"].eq(form)].sort_values("seq")
    return dict(json.loads(str(mine["content"].iat[-1])))


def change(game: GoogleGame, *requests: dict[str, Any]) -> None:
    game.emulator.control(
        "call",
        method="forms.forms.batchUpdate",
        params={"formId": game.ids["signup"]},
        body={"requests": list(requests)},
    )


def items(game: GoogleGame) -> list[dict[str, Any]]:
    made = game.emulator.control("call", method=GET, params={"formId": game.ids["signup"]})
    return list(made["items"])


def add_question(game: GoogleGame, title: str = "感想") -> str:
    """At the end of the form; its id."""
    change(game, creation(text(title), len(items(game))))
    return str(items(game)[-1]["questionItem"]["question"]["questionId"])


def answer(game: GoogleGame, question: str, words: str, response: str = "S-9500") -> None:
    game.emulator.control(
        "submit",
        formId=game.ids["signup"],
        answers={**SIGN_UP, question: words},
        email="ponkan@example.jp",
        responseId=response,
        at="2026-10-16T03:35:00Z",
        force=True,
    )


def answers(game: GoogleGame, response: str = "S-9500") -> dict[str, Any]:
    """The newest content of a response."""
    with Archive.open(game.archive_path) as archive:
        rows = archive.revisions().sort_values("first_seen", kind="stable")
    return dict(json.loads(str(rows.loc[rows["response_id"].eq(response), "answers"].iat[-1])))


def test_the_questions_of_every_form_are_kept_by_id(game: GoogleGame) -> None:
    ids = {item["questionItem"]["question"]["questionId"]: item["title"] for item in items(game)}
    found = kept(game)
    assert found["titles"] == ids
    assert sorted(found["current"]) == sorted(ids)
    assert found["strangers"] == []


def test_forms_that_stay_as_they_are_are_not_asked_again(game: GoogleGame) -> None:
    assert asked(game, LATER) == []
    assert game.calls().count(LIST) == 5


def test_a_question_nobody_answered_yet_is_not_asked_for(game: GoogleGame) -> None:
    add_question(game)
    assert asked(game, LATER) == []


def test_an_answer_to_a_new_question_asks_that_form_again_in_the_same_run(game: GoogleGame) -> None:
    question = add_question(game)
    answer(game, question, "楽しみ")
    assert asked(game, LATER) == ["signup"]
    assert answers(game)["?感想"] == "楽しみ"
    assert kept(game)["titles"][question] == "感想"
    assert asked(game, AGAIN) == []


def test_an_answer_to_a_question_nobody_has_seen_is_asked_for_once(game: GoogleGame) -> None:
    question = add_question(game)
    answer(game, question, "楽しみ")
    change(game, {"deleteItem": {"location": {"index": len(items(game)) - 1}}})
    assert asked(game, LATER) == ["signup"]
    assert answers(game)[f"?{question}"] == "楽しみ"
    assert kept(game)["strangers"] == [question]
    assert asked(game, AGAIN) == []


def test_a_new_title_is_seen_within_a_day_and_loses_no_answer(game: GoogleGame) -> None:
    question = add_question(game)
    answer(game, question, "楽しみ")
    game.run(LATER)
    index = len(items(game)) - 1
    item = {**items(game)[index], "title": "ひとこと"}
    change(game, {"updateItem": {"item": item, "location": {"index": index}, "updateMask": "title"}})
    assert asked(game, AGAIN) == []
    assert kept(game)["titles"][question] == "感想"
    assert len(asked(game, NEXT_DAY)) == 5
    assert kept(game)["titles"][question] == "ひとこと"
    assert answers(game)["?ひとこと"] == "楽しみ"


def test_a_question_that_is_gone_keeps_its_title(game: GoogleGame) -> None:
    question = add_question(game)
    answer(game, question, "楽しみ")
    game.run(LATER)
    change(game, {"deleteItem": {"location": {"index": len(items(game)) - 1}}})
    assert len(asked(game, NEXT_DAY)) == 5
    found = kept(game)
    assert (found["titles"][question], question in found["current"]) == ("感想", False)
    assert answers(game)["?感想"] == "楽しみ"
    assert f"?{question}" not in answers(game)


@pytest.mark.parametrize(("as_of", "forms"), [("2026-10-17 12:29:59", 0), (TOMORROW, 5)])
def test_what_is_a_day_old_is_asked_for_again(game: GoogleGame, as_of: str, forms: int) -> None:
    assert len(asked(game, as_of)) == forms


def test_a_day_counts_from_the_last_asking(game: GoogleGame) -> None:
    assert len(asked(game, TOMORROW)) == 5
    assert asked(game, "2026-10-18 12:29:59") == []
    assert len(asked(game, "2026-10-18 12:30:00")) == 5


def test_a_rehearsal_keeps_nothing(tmp_path: Path, emulator: Emulator) -> None:
    game = set_up(emulator, tmp_path, SMALL)
    assert len(asked(game, NOON, dry=True)) == 5
    with Archive.open(game.archive_path) as archive:
        assert archive.inputs().empty
        assert archive.reads() == {}
    assert len(asked(game, NOON)) == 5
    question = add_question(game)
    answer(game, question, "楽しみ")
    assert asked(game, LATER, dry=True) == ["signup"]
    assert question not in kept(game)["titles"]
    assert asked(game, LATER) == ["signup"]
