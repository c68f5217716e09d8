"""The masters' spreadsheet at Google when the connection, an account or the size of a write is in the way."""

from __future__ import annotations

import json

import pytest
from google.oauth2.credentials import Credentials
from masters_bench import HEAD, ROWS, sheet, tab

from connectors.base import SourceError, WorkbookBusy
from connectors.google_sheets import SheetsWorkbook
from tests.google_emulator.clients import spreadsheets


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


def test_it_is_sent_again_only_once(emulator, put, workbook, calls):
    emulator.control(
        "fault", kind="drop-before", match={"method": "sheets.spreadsheets.batchUpdate"}, times=0
    )
    with pytest.raises(SourceError, match="書けたかどうか分かりません"):
        put(sheet())
    assert calls("batchUpdate") == ["batchUpdate"] * 2
    emulator.control("faults/clear")
    put(sheet())
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_human_edit_while_no_answer_came_is_not_overwritten(emulator, put, workbook, book_id, when):
    put(sheet())
    typing = {"do": "write", "spreadsheetId": book_id, "range": "申込!C3", "values": [["mine"]]}
    emulator.control("fault", kind=f"drop-{when}", match={"method": "sheets.spreadsheets.batchUpdate"})
    emulator.control(
        "fault", kind="change", match={"method": "sheets.spreadsheets.get"}, skip=2, actions=[typing]
    )
    with pytest.raises(WorkbookBusy, match="足りない分を書きます"):
        put(sheet([["a1", "3", "受理"]]))
    assert workbook.read().grids["申込"][2][2] == "mine"


def test_a_large_write_goes_in_pieces_under_two_megabytes_and_the_run_is_told_last(
    emulator, put, workbook, calls, gspread_client, monkeypatch
):
    sent = []
    whole = gspread_client.http_client.batch_update
    monkeypatch.setattr(
        gspread_client.http_client, "batch_update", lambda key, body: (sent.append(body), whole(key, body))
    )
    rows = [[f"k{n}", str(n), "受理", "", "長い文" * 100] for n in range(1500)]
    rows += [["long", "", "🗾" * 25_000, "", "あ" * 50_000], ["long", "", "い" * 50_000, "", "う" * 50_000]]
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


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"kind": "forbidden"}, "権限がありません。「共有」で"),
        ({"kind": "status", "status": 404, "message": "Requested entity was not found."}, "見つかりません"),
        ({"kind": "429"}, "回数制限"),
        ({"kind": "502"}, "Google から返事がありません"),
        ({"kind": "drop-before"}, "Google から返事がありません"),
        ({"kind": "status", "status": 200, "body": "<html>"}, "Google から返事がありません"),
        ({"kind": "status", "status": 400, "message": "Odd."}, "受け付けませんでした（400"),
        ({"kind": "401"}, "ログイン"),
    ],
)
def test_what_goes_wrong_while_reading_is_told_in_plain_words(emulator, workbook, fault, words):
    emulator.control("fault", match={"method": "sheets.spreadsheets.get"}, **fault)
    with pytest.raises(SourceError) as caught:
        workbook.read()
    assert words in str(caught.value)
    assert workbook.calls.book_id in str(caught.value)
    assert "Odd" not in str(caught.value)
    assert "Sheet1" in workbook.read().grids


def test_a_spreadsheet_that_is_not_there_is_told(gspread_client):
    with pytest.raises(SourceError, match="見つかりません。設定の ID"):
        SheetsWorkbook(gspread_client, "nowhere").read()


@pytest.fixture
def robot(emulator, book_id):
    """The workbook of an account that is no owner."""
    emulator.control("share", fileId=book_id, email="robot@example.com", role="writer")
    token = emulator.control("token", email="robot@example.com")["access_token"]
    client = spreadsheets(emulator.base, Credentials(token))
    yield SheetsWorkbook(client, book_id)
    client.http_client.session.close()


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


def test_a_timeout_is_a_write_without_an_answer(emulator, put, workbook, gspread_client):
    gspread_client.set_timeout((5, 0.5))
    emulator.control(
        "fault", kind="slow", seconds=1, when="after", match={"method": "sheets.spreadsheets.batchUpdate"}
    )
    put(sheet())
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]
