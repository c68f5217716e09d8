"""The masters' spreadsheet at Google when the connection, an account or the size of a write is in the way."""

from __future__ import annotations

import json

import pytest
from google.oauth2.credentials import Credentials
from google_bench import NOBODY, connect
from masters_bench import HEAD, ROWS, sheet, tab

from connectors.base import SourceError
from connectors.google_retry import OutcomeUnknownError
from connectors.google_sheets import SheetsWorkbook


@pytest.mark.parametrize("kind", ["drop-before", "drop-after", "cut", "500", "502", "503"])
def test_a_write_without_an_answer_ends_in_the_same_state(
    emulator, put, workbook, sheets, book_id, calls, kind
):
    emulator.control("fault", kind=kind, match={"method": "sheets.spreadsheets.batchUpdate"})
    put(sheet(), sheet(title="実行履歴"))
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]
    assert len(tab(sheets, book_id)["conditionalFormats"]) == 4
    assert len(tab(sheets, book_id)["protectedRanges"]) == 2
    done = kind in ("drop-after", "cut")
    assert calls("batchUpdate") == ["batchUpdate"] * (1 if done else 2)


def test_it_is_looked_at_and_sent_again_three_times_and_then_left_to_the_next_run(
    emulator, put, workbook, calls
):
    emulator.control(
        "fault", kind="drop-before", match={"method": "sheets.spreadsheets.batchUpdate"}, times=0
    )
    with pytest.raises(OutcomeUnknownError, match=r"マスターの表.*次の実行でやり直します"):
        put(sheet())
    assert calls() == ["get", *["batchUpdate", "get"] * 3, "batchUpdate"]
    emulator.control("faults/clear")
    put(sheet())
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]


@pytest.mark.parametrize("when", ["before", "after"])
def test_what_a_human_types_while_no_answer_came_stays(emulator, put, workbook, book_id, when):
    put(sheet())
    typing = {"do": "write", "spreadsheetId": book_id, "range": "申込!D3:E3", "values": [["受理", "mine"]]}
    emulator.control("fault", kind=f"drop-{when}", match={"method": "sheets.spreadsheets.batchUpdate"})
    emulator.control(
        "fault", kind="change", match={"method": "sheets.spreadsheets.get"}, skip=1, actions=[typing]
    )
    put(sheet([["a1", "3", "受理"], ROWS[1]]))
    assert workbook.read().grids["申込"][2:] == [["a1", "3", "受理", "受理", "mine"], ROWS[1]]


def test_a_large_write_goes_in_pieces_under_two_megabytes_and_the_run_is_told_last(put, workbook, sent):
    rows = [[f"k{n}", str(n), "受理", "", "長い文" * 100] for n in range(1500)]
    rows += [["long", "", "🗾" * 25_000, "", "あ" * 50_000], ["long2", "", "い" * 50_000, "", "う" * 50_000]]
    put(sheet(title="実行履歴"), sheet(rows))
    assert len(sent) > 1
    assert max(len(json.dumps(body)) for body in sent) < 2_000_000
    last = workbook._fetch().tabs["実行履歴"].sheet_id
    told = [
        number
        for number, body in enumerate(sent)
        for request in body["requests"]
        if request.get("updateCells", {}).get("start", {}).get("sheetId") == last
    ]
    assert told == [len(sent) - 1] * len(told)
    assert workbook.read().grids["申込"] == [*HEAD, *rows]


def test_a_write_cut_off_between_pieces_is_completed(emulator, put, workbook):
    rows = [[f"k{n}", str(n), "受理", "", "長い文" * 100] for n in range(2000)]
    emulator.control("fault", kind="drop-before", match={"method": "sheets.spreadsheets.batchUpdate"}, skip=1)
    put(sheet(rows), sheet(title="実行履歴"))
    assert workbook.read().grids["申込"] == [*HEAD, *rows]
    assert workbook.read().grids["実行履歴"] == [*HEAD, *ROWS]


READING = {"method": "sheets.spreadsheets.get"}


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "forbidden"}, "robot@example.com に権限がありません"),
        ({"kind": "status", "status": 404, "message": "Requested entity was not found."}, "見つかりません"),
        ({"kind": "status", "status": 400, "message": "Odd."}, "Google が要求を受け付けません"),
    ],
)
def test_what_is_refused_while_reading_is_told_in_plain_words_after_one_call(
    emulator, workbook, calls, fault, words
):
    emulator.control("fault", match=READING, times=0, **fault)
    with pytest.raises(SourceError) as caught:
        workbook.read()
    assert words in str(caught.value)
    assert workbook.calls.book_id in str(caught.value)
    assert "Odd" not in str(caught.value)
    assert calls() == ["get"]


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "429"},
        {"kind": "502"},
        {"kind": "503"},
        {"kind": "drop-before"},
        {"kind": "status", "status": 200, "body": "<html>"},
    ],
)
def test_what_passes_while_reading_is_waited_for(emulator, workbook, calls, fault):
    emulator.control("fault", match=READING, times=2, **fault)
    assert "Sheet1" in workbook.read().grids
    assert calls() == ["get"] * 3


def test_a_spreadsheet_that_is_not_there_is_told(google):
    with pytest.raises(SourceError, match="見つかりません。設定の ID"):
        SheetsWorkbook(google, "nowhere").read()


@pytest.fixture
def robot(emulator, book_id):
    """The workbook of an account that is no owner."""
    emulator.control("share", fileId=book_id, email="robot@example.com", role="writer")
    token = emulator.control("token", email="robot@example.com")["access_token"]
    with connect(emulator.base, identity=NOBODY._replace(credentials=Credentials(token))) as google:
        yield SheetsWorkbook(google, book_id)


def test_a_protected_range_stops_the_whole_write_and_is_told(emulator, robot, book_id):
    robot.write([sheet()], robot.read().fingerprint)
    emulator.control("protect", spreadsheetId=book_id, sheet="申込")
    with pytest.raises(SourceError, match="保護された範囲があって書けません"):
        robot.write([sheet([]), sheet(title="二")], robot.read().fingerprint)
    assert robot.read().grids["申込"] == [*HEAD, *ROWS]
    assert "二" not in robot.read().grids


def test_a_share_taken_away_before_the_write_is_told(emulator, robot):
    before = robot.read().fingerprint
    emulator.control("fault", kind="revoke", match={"method": "sheets.spreadsheets.batchUpdate"})
    with pytest.raises(SourceError, match="権限がありません"):
        robot.write([sheet()], before)


def test_a_timeout_is_a_write_without_an_answer(emulator, google, book_id):
    workbook = SheetsWorkbook(google, book_id, write_timeouts=(5, 0.5))
    emulator.control(
        "fault", kind="slow", seconds=1, when="after", match={"method": "sheets.spreadsheets.batchUpdate"}
    )
    workbook.write([sheet()], workbook.read().fingerprint)
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]
