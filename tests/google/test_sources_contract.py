"""One contract for everything that responses are read from: the same answers make the same frame, the same faults the
same findings. Where a source cannot keep it, the difference stands here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest
from source_hands import FORM, NOON, TICKS, TOKYO, CsvHand, FormsHand, Hand, TabHand, XlsxHand, millis

from connectors.base import Pulled
from connectors.google_session import Google
from connectors.local_xlsx import open_source
from rules.frames import RESPONSES
from tests.google_emulator.server import Emulator

ODD = (
    "0123",
    "１２",
    "1e5",
    "nan",
    "TRUE",
    "=1+1",
    "+81",
    "'x",
    "12:05",
    "一行\n二行",
    "髙﨑",
    "か\u3099",
    " 前後 ",
    "10/12",
)


@pytest.fixture(params=["csv", "xlsx", "forms", "tab"])
def hand(
    request: pytest.FixtureRequest, tmp_path: Path, emulator: Emulator, google: Google, forms: Any
) -> Hand:
    if request.param == "csv":
        return CsvHand(tmp_path)
    if request.param == "xlsx":
        return XlsxHand(tmp_path)
    return (FormsHand if request.param == "forms" else TabHand)(emulator, google, forms)


@pytest.fixture
def tab(emulator: Emulator, google: Google, forms: Any) -> TabHand:
    return TabHand(emulator, google, forms)


def codes(pulled: Pulled) -> list[str]:
    return [finding.code for finding in pulled.findings]


def assert_sits_out(pulled: Pulled, *wanted: str) -> None:
    assert codes(pulled) == list(wanted)
    assert (pulled.complete, len(pulled.responses)) == (False, 0)
    assert pulled.responses.dtypes.astype(str).to_dict() == RESPONSES.columns


def whole(pulled: Pulled) -> list[dict[str, Any]]:
    assert (pulled.complete, pulled.findings) == (True, ())
    assert pulled.responses.dtypes.astype(str).to_dict() == RESPONSES.columns
    return [{str(name): value for name, value in row.items()} for row in pulled.responses.to_dict("records")]


def answers(pulled: Pulled) -> list[dict[str, Any]]:
    return [row["answers"] for row in whole(pulled)]


# --- what is read --------------------------------------------------------------------------------------------------


def test_the_same_responses_make_the_same_frame(hand: Hand) -> None:
    times = [NOON, NOON + timedelta(milliseconds=5), NOON + timedelta(microseconds=55_199)]
    hand.send("甲", "あお", ["10月12日", "10月14日, 15日"], "", at=times[0], email="a@example.com")
    hand.send("乙", "あか", [], "よろしく", at=times[1], email="b@example.com")
    hand.send("丙", "き", ["10月13日", "自由な日"], "", at=times[2], email="")
    rows = whole(hand.pull())
    assert [row["answers"] for row in rows] == [
        {"name": "甲", "word": "あお", "event_dates": ["10月12日", "10月14日, 15日"], "note": ""},
        {"name": "乙", "word": "あか", "event_dates": [], "note": "よろしく"},
        {"name": "丙", "word": "き", "event_dates": ["10月13日", "自由な日"], "note": ""},
    ]
    assert [row["submitted_at"] for row in rows] == [pd.Timestamp(hand.show_time(at)) for at in times]
    assert [row["address"] for row in rows] == ["a@example.com", "b@example.com", ""]
    assert [row["response_id"] for row in rows] == (["r-000", "r-001", "r-002"] if hand.has_ids else [""] * 3)
    first = [pd.Timestamp(millis(at)) for at in times] if hand.has_ids else [pd.NaT] * 3
    assert [row["created_at"] for row in rows] == first
    assert len({row["place"] for row in rows}) == 3


@pytest.mark.parametrize("given", ODD)
def test_an_answer_is_the_text_that_was_sent(hand: Hand, given: str) -> None:
    hand.send(given, "あお", [given], given)
    assert answers(hand.pull()) == [{"name": given, "word": "あお", "event_dates": [given], "note": given}]


@pytest.mark.parametrize("micros", [0, 1_000, 999_000, 998_999, 500_000, 999_499])
def test_no_time_moves_over_a_deadline(hand: Hand, micros: int) -> None:
    at = datetime(2026, 10, 12, 14, 59, 59, micros, tzinfo=UTC)
    hand.send("甲", "あお", [], "", at=at)
    (row,) = whole(hand.pull())
    assert row["submitted_at"] == pd.Timestamp(hand.show_time(at))
    assert row["submitted_at"].floor("s") == pd.Timestamp("2026-10-12T14:59:59Z")


def test_every_second_of_a_day_is_told_as_it_is(tmp_path: Path) -> None:
    hand = XlsxHand(tmp_path)
    times = [NOON + timedelta(seconds=each, milliseconds=each % 1000) for each in range(0, 86_400, 37)]
    for at in times:
        hand.send("甲", "あお", [], "", at=at)
    assert [row["submitted_at"] for row in whole(hand.pull())] == [pd.Timestamp(at) for at in times]


def test_an_edit_shows_its_own_time_and_only_the_new_answers(hand: Hand) -> None:
    hand.send("甲", "あお", ["10月12日"], "まえ")
    hand.send("乙", "あか", [], "", at=NOON + timedelta(seconds=1))
    before = whole(hand.pull())
    hand.edit(0, "甲", "みどり", [], "", at=NOON + timedelta(seconds=5))
    rows = {row["answers"]["name"]: row for row in whole(hand.pull(known=2))}
    assert rows["甲"]["answers"] == {"name": "甲", "word": "みどり", "event_dates": [], "note": ""}
    assert rows["甲"]["submitted_at"] == pd.Timestamp(NOON + timedelta(seconds=5))
    assert rows["乙"]["answers"] == before[1]["answers"]
    if hand.has_ids:
        assert rows["甲"]["response_id"] == before[0]["response_id"]
        assert rows["甲"]["created_at"] == pd.Timestamp(NOON)


def test_many_responses_are_all_read_once(hand: Hand) -> None:
    for number in range(hand.many):
        hand.send(f"人{number}", "あお", [], "", at=NOON + timedelta(seconds=number))
    names = [each["name"] for each in answers(hand.pull())]
    assert names == [f"人{number}" for number in range(hand.many)]


def test_a_form_that_nobody_answered_is_complete_and_empty(hand: Hand) -> None:
    assert whole(hand.pull()) == []


# --- questions -----------------------------------------------------------------------------------------------------


def test_the_order_of_the_questions_is_nothing(hand: Hand) -> None:
    hand.questions = ("備考", TICKS, "お名前", "合い言葉")
    hand.send("x", ["10月13日"], "甲", "あお")
    assert answers(hand.pull()) == [{"name": "甲", "word": "あお", "event_dates": ["10月13日"], "note": "x"}]


def test_a_question_under_its_other_title_is_the_same_question(hand: Hand) -> None:
    hand.questions = ("名前", "合い言葉", TICKS, "備考")
    hand.send("甲", "あお", [], "")
    assert answers(hand.pull())[0]["name"] == "甲"


def test_undeclared_questions_are_kept_where_they_are_answered(hand: Hand) -> None:
    hand.questions = (*hand.questions, "感想", "感想", "空")
    hand.send("甲", "あお", [], "", "一", "二", "")
    extra = {name: each for name, each in answers(hand.pull())[0].items() if name.startswith("?")}
    assert extra == {"?感想": "一", "?感想 (2)": "二"}


def test_a_question_that_may_be_missing_may_be_missing(hand: Hand) -> None:
    hand.questions = ("お名前", "合い言葉", TICKS)
    hand.send("甲", "あお", [])
    assert answers(hand.pull())[0]["note"] == ""


def test_a_needed_question_that_is_missing_sits_out(hand: Hand) -> None:
    hand.questions = ("お名前", "あいことば", TICKS, "備考")
    hand.send("甲", "あお", [], "")
    pulled = hand.pull()
    assert_sits_out(pulled, "missing_column")
    assert "「あいことば」" in pulled.findings[0].message
    assert "あお" not in pulled.findings[0].message


def test_a_question_that_stands_there_twice_sits_out(hand: Hand) -> None:
    hand.questions = (*hand.questions, "名前")
    hand.send("甲", "あお", [], "", "乙")
    assert_sits_out(hand.pull(), "doubled_header")


# --- losses and times ----------------------------------------------------------------------------------------------


def test_one_that_is_gone_is_no_fault_and_many_sit_out(hand: Hand) -> None:
    for number in range(5):
        hand.send(f"人{number}", "あお", [], "", at=NOON + timedelta(seconds=number))
    assert len(whole(hand.pull())) == 5
    hand.lose(1)
    assert [each["name"] for each in answers(hand.pull(known=5))] == ["人0", "人2", "人3", "人4"]
    hand.lose(0)
    assert_sits_out(hand.pull(known=5), "shrunk")


def test_nothing_where_there_was_something_sits_out_whatever_the_share(hand: Hand) -> None:
    assert_sits_out(hand.pull(known=1, share=1.0), "shrunk")


def test_a_time_that_is_none_sits_out(hand: Hand) -> None:
    hand.send("甲", "あお", [], "")
    hand.send("乙", "あか", [], "", at=NOON + timedelta(seconds=1))
    pulled = hand.pull_bad_time()
    assert_sits_out(pulled, "unreadable")
    assert "「yesterday」" in pulled.findings[0].message


# --- what only a spreadsheet can do to answers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "read"), [("0123", "123"), ("1e5", "100000"), ("true", "TRUE"), ("12:05", "12:05:00")]
)
def test_a_text_that_became_a_number_is_read_as_shown_and_told(tab: TabHand, typed: str, read: str) -> None:
    tab.send("甲", "あお", [], "")
    tab.send("乙", "あか", [], "", at=NOON + timedelta(seconds=1))
    tab.pull()
    tab.type_in("C3", typed)
    pulled = tab.pull()
    assert pulled.complete
    assert [row["name"] for row in pulled.responses["answers"]] == ["甲", read]
    (finding,) = pulled.findings
    assert (finding.code, finding.place) == ("typed", "Form Responses 1 列 お名前")
    assert finding.message.startswith("1 個の値が文字ではなく数や日時になっています（3行）。")


def test_a_formula_in_place_of_an_answer_sits_out(tab: TabHand) -> None:
    tab.send("甲", "あお", [], "")
    tab.pull()
    tab.type_in("D2", '="あ"&"お"')
    pulled = tab.pull()
    assert_sits_out(pulled, "unreadable")
    assert pulled.findings[0].place == "Form Responses 1 2行 合い言葉"


def test_a_formula_beside_the_answers_makes_no_new_response(tab: TabHand) -> None:
    tab.send("甲", "あお", [], "")
    before = answers(tab.pull())
    tab.type_in("H1", "文字数")
    tab.type_in("H2", "=LEN(C2)")
    assert answers(tab.pull()) == before


def test_rows_that_were_sorted_are_the_same_responses(tab: TabHand) -> None:
    for number in range(4):
        tab.send(f"人{number}", "あお", [], "", at=NOON + timedelta(seconds=number))
    before = whole(tab.pull())
    spec = {"dimensionIndex": 0, "sortOrder": "DESCENDING"}
    place = {"sheetId": tab.sheet_id(), "startRowIndex": 1, "endRowIndex": 5}
    tab.batch({"sortRange": {"range": place, "sortSpecs": [spec]}})
    after = whole(tab.pull())
    assert [row["answers"] for row in after] == [row["answers"] for row in reversed(before)]
    assert [row["submitted_at"] for row in after] == [row["submitted_at"] for row in reversed(before)]


def test_a_response_deleted_in_the_form_stays_in_the_tab(tab: TabHand, emulator: Emulator) -> None:
    tab.send("甲", "あお", [], "")
    before = whole(tab.pull())
    emulator.control("delete", formId=tab.bring().id, responseId="r-000")
    assert whole(tab.pull()) == before


def test_a_spreadsheet_in_another_zone_sits_out(emulator: Emulator, google: Google, forms: Any) -> None:
    abroad = TabHand(emulator, google, forms, zone="Europe/London")
    abroad.send("甲", "あお", [], "")
    pulled = abroad.pull()
    assert_sits_out(pulled, "zone")
    assert "Europe/London" in pulled.findings[0].message


def test_a_tab_that_is_not_there_sits_out(tab: TabHand) -> None:
    tab.title = "回答"
    assert_sits_out(tab.pull(), "missing_tab")


def test_a_tab_in_which_nothing_stands_sits_out(tab: TabHand) -> None:
    tab.pull()
    tab.batch({"updateCells": {"range": {"sheetId": tab.sheet_id()}, "fields": "userEnteredValue"}})
    assert_sits_out(tab.pull(), "empty")


def test_the_first_sheet_of_a_workbook_tells_numbers_too(tmp_path: Path) -> None:
    hand = XlsxHand(tmp_path)
    hand.send("甲", "あお", [], "")
    hand.pull()
    book = openpyxl.load_workbook(hand.path)
    book.active["C2"] = 123
    book.save(hand.path)
    pulled = open_source(hand.path, FORM, TOKYO, 0.2).pull(0)
    assert pulled.complete
    assert [finding[:2] for finding in pulled.findings] == [("typed", "signup.xlsx 列 お名前")]
