"""A human, or a form, changes the spreadsheet between our reading and our writing: nothing of it is lost or moved.

Where a run ends whose reading already saw the change is where it must end, after at most one more run.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fault_game import Saved, differences, doubled_keys, end_state, leaks, repair, run, unordered
from google_game import GoogleGame

Change = Callable[[GoogleGame], list[dict[str, Any]]]
SIGN_UPS, WAITING = "マスイベ参加申込", "要確認"


def batch(game: GoogleGame, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    params = {"spreadsheetId": game.book_id}
    method = "sheets.spreadsheets.batchUpdate"
    return [{"do": "call", "method": method, "params": params, "body": {"requests": list(requests)}}]


def lines(game: GoogleGame, title: str, dimension: str, start: int, end: int) -> dict[str, Any]:
    sheet = game.sheet_id(title)
    return {"sheetId": sheet, "dimension": dimension, "startIndex": start, "endIndex": end}


def insert_rows(title: str, row: int, count: int = 1) -> Change:
    def change(game: GoogleGame) -> list[dict[str, Any]]:
        added = {"range": lines(game, title, "ROWS", row, row + count), "inheritFromBefore": False}
        return batch(game, {"insertDimension": added})

    return change


def insert_column(title: str, column: int) -> Change:
    def change(game: GoogleGame) -> list[dict[str, Any]]:
        added = {"range": lines(game, title, "COLUMNS", column, column + 1), "inheritFromBefore": False}
        return batch(game, {"insertDimension": added})

    return change


def delete_rows(title: str, row: int, count: int = 1) -> Change:
    def change(game: GoogleGame) -> list[dict[str, Any]]:
        return batch(game, {"deleteDimension": {"range": lines(game, title, "ROWS", row, row + count)}})

    return change


def sort(title: str, header: str) -> Change:
    """Backwards, so that as many rows as can be change places."""

    def change(game: GoogleGame) -> list[dict[str, Any]]:
        row, column = game.find(title, game.entry("S-0099"), header)
        top = 2 if title == WAITING else 1
        assert row > top
        action = {"sheet": title, "column": column - 1, "header": top, "descending": True}
        return [{"do": "sort", "spreadsheetId": game.book_id, **action}]

    return change


def decide(title: str) -> Change:
    """A master decides, in the row as it lies at that moment."""

    def change(game: GoogleGame) -> list[dict[str, Any]]:
        entry = game.entry(*UNDECIDED)
        made = []
        for header, text in (("裁定", "保留"), ("メモ", "本人に電話する")):
            row, column = game.find(title, entry, header)
            cell = {
                "start": {"sheetId": game.sheet_id(title), "rowIndex": row - 1, "columnIndex": column - 1},
                "rows": [{"values": [{"userEnteredValue": {"stringValue": text}}]}],
                "fields": "userEnteredValue",
            }
            made += batch(game, {"updateCells": cell})
        return made

    return change


UNDECIDED = ("S-0120",)
"""A sign-up of which nothing waits for a master."""


def all_of(*changes: Change) -> Change:
    return lambda game: [action for change in changes for action in change(game)]


CHANGES: dict[str, Change] = {
    "a row above the banner": insert_rows(WAITING, 0),
    "rows in the middle": insert_rows(SIGN_UPS, 5, 3),
    "a row is deleted": delete_rows(SIGN_UPS, 12),
    "a row that waits is deleted": delete_rows(WAITING, 5),
    "what waits is sorted": sort(WAITING, "誰・何"),
    "sign-ups are sorted": sort(SIGN_UPS, "誰・何"),
    "a decision": decide(SIGN_UPS),
    "a decision, then sorted": all_of(decide(SIGN_UPS), sort(SIGN_UPS, "送信時刻")),
    "a column": insert_column(WAITING, 3),
    "a column of sign-ups": insert_column(SIGN_UPS, 11),
    "today is sorted": lambda game: [
        {"do": "sort", "spreadsheetId": game.book_id, "sheet": "今日", "column": 2, "descending": True}
    ],
    "a row of today": insert_rows("今日", 1),
    "everything at once": all_of(
        decide(SIGN_UPS), sort(SIGN_UPS, "誰・何"), insert_rows(SIGN_UPS, 2), insert_column(WAITING, 6)
    ),
}


EVERYDAY = ("a row that waits is deleted", "a decision, then sorted", "everything at once")


@pytest.mark.parametrize(
    "name",
    [name if name in EVERYDAY else pytest.param(name, marks=pytest.mark.slow) for name in CHANGES],
)
def test_a_change_in_the_moment_between_reading_and_writing_is_kept(
    news: Saved, tmp_path: Path, name: str
) -> None:
    seen = news.restore(tmp_path / "seen")
    for action in CHANGES[name](seen):
        rest = {key: value for key, value in action.items() if key != "do"}
        seen.emulator.control(action["do"], **rest)
    ends = []
    for _ in range(2):
        assert run(seen).code == 0
        ends.append(unordered(end_state(seen)))
    game = news.restore(tmp_path / "unseen")
    game.emulator.control(
        "fault",
        kind="change",
        match={"method": "sheets.spreadsheets.batchUpdate"},
        actions=CHANGES[name](game),
    )
    entry = game.entry("S-0099")
    for _ in range(2):
        ran = run(game)
        assert (ran.code, ran.err, leaks(game, ran)) == (0, "", [])
        row = game.table(WAITING)[entry]
        assert (row["裁定"], row["裁定者"], row["メモ"]) == ("受理", "まつり", "電話で確認")
        assert doubled_keys(game) == []
        repair(game)
    state = unordered(end_state(game))
    assert {} in (found := [differences(state, end) for end in ends]), min(
        found, key=lambda each: len(str(each))
    )
