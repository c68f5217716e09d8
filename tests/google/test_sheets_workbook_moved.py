"""The masters' spreadsheet at Google when a human moves things in the moment between our reading and our writing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from masters_bench import HEAD, ranked, sheet

from connectors.base import SheetWrite

THREE = [["a1", "3", "要確認"], ["a2", "4", "受理", "自動", "memo"], ["a3", "5", "要確認", "受理", "mine"]]
NEWS = [["a1", "7", "受理"], ["a2", "8", "受理", "自動", "memo"], ["a3", "9", "受理", "受理", "mine"]]


@pytest.fixture
def act(emulator: Any, book_id: str) -> Callable[..., None]:
    """What a human does with the tab 申込 or 要確認, by the requests that the menus send."""

    def do(title: str, kind: str, **more: Any) -> None:
        book = emulator.control("call", method="sheets.spreadsheets.get", params={"spreadsheetId": book_id})
        number = next(
            each["properties"].get("sheetId", 0)
            for each in book["sheets"]
            if each["properties"]["title"] == title
        )
        for name in ("range", "source", "destination"):
            if name in more:
                more[name] = {"sheetId": number, **more[name]}
        emulator.control(
            "call",
            method="sheets.spreadsheets.batchUpdate",
            params={"spreadsheetId": book_id},
            body={"requests": [{kind: more}]},
        )

    return do


@pytest.fixture
def write_while(workbook: Any, calls: Any, emulator: Any) -> Callable[..., list[str]]:
    """Read, let a human act, write; the calls that it took."""

    def run(sheet: SheetWrite, human: Callable[[], None]) -> list[str]:
        fingerprint = workbook.read().fingerprint
        human()
        emulator.control("log/clear")
        workbook.write([sheet], fingerprint)
        made = calls()
        return [each for each in made if each != "get" or made.index(each)]

    return run


def lines(start: int, end: int, dimension: str = "ROWS") -> dict[str, Any]:
    return {"dimension": dimension, "startIndex": start, "endIndex": end}


def test_rows_that_were_sorted_meanwhile_get_their_own_texts_in_a_second_write(
    put, workbook, act, write_while
):
    put(sheet(THREE))
    specs = [{"dimensionIndex": 0, "sortOrder": "DESCENDING"}]
    sort = {"range": {"startRowIndex": 2}, "sortSpecs": specs}
    calls = write_while(sheet(NEWS), lambda: act("申込", "sortRange", **sort))
    assert calls == ["batchUpdate"] * 2
    assert workbook.read().grids["申込"] == [*HEAD, *reversed(NEWS)]


def test_a_row_inserted_meanwhile_shifts_nothing_to_another_entry(put, workbook, act, write_while):
    put(sheet(THREE))
    insert = {"range": lines(3, 4), "inheritFromBefore": False}
    write_while(sheet(NEWS), lambda: act("申込", "insertDimension", **insert))
    found = workbook.read().grids["申込"]
    assert [row[:5] for row in found if row and row[0] in ("a1", "a2", "a3")] == NEWS
    assert [[cell for cell in row if cell] for row in found if not row or not row[0]] in (
        [[]],
        [["8", "受理"]],
    )


def test_a_row_deleted_meanwhile_is_made_again_with_what_the_archive_kept(put, workbook, act, write_while):
    put(sheet(THREE))
    write_while(sheet(NEWS), lambda: act("申込", "deleteDimension", range=lines(3, 4)))
    assert workbook.read().grids["申込"] == [*HEAD, NEWS[0], NEWS[2], NEWS[1]]


def test_a_line_that_comes_in_above_the_header_does_not_leave_it_sorted_in(put, workbook, act, write_while):
    put(ranked(THREE))
    insert = {"range": lines(0, 1), "inheritFromBefore": False}
    moved = [NEWS[2], NEWS[0], NEWS[1]]
    write_while(ranked(moved), lambda: act("要確認", "insertDimension", **insert))
    found = [row for row in workbook.read().grids["要確認"] if row]
    assert found == ranked(moved).grid


def test_a_column_that_comes_in_meanwhile_costs_no_master_a_word(put, workbook, act, write_while):
    put(sheet(THREE))
    insert = {"range": lines(1, 2, "COLUMNS"), "inheritFromBefore": False}
    write_while(sheet(NEWS), lambda: act("申込", "insertDimension", **insert))
    found = workbook.read().grids["申込"]
    assert found[1] == ["対応", "", "件数", "判定", "裁定", "メモ"]
    assert [[row[0], *row[2:]] for row in found[2:]] == NEWS
    assert {row[1] for row in found[2:]} == {""}


def test_a_column_that_goes_meanwhile_costs_no_master_a_word(put, workbook, act, write_while):
    put(sheet(THREE))
    write_while(sheet(NEWS), lambda: act("申込", "deleteDimension", range=lines(1, 2, "COLUMNS")))
    found = workbook.read().grids["申込"]
    assert found[1] == ["対応", "判定", "裁定", "メモ", "件数"]
    assert found[2:] == [
        ["a1", "受理", "", "", "7"],
        ["a2", "受理", "自動", "memo", "8"],
        ["a3", "受理", "受理", "mine", "9"],
    ]


def test_a_row_that_was_added_twice_is_dropped_and_one_that_says_more_stays(put, workbook, act):
    put(sheet(THREE))
    grid = workbook.read().grids["申込"]
    for row, target in ((2, 5), (4, 6)):
        rows = {"startRowIndex": row, "endRowIndex": row + 1}
        place = {"startRowIndex": target, "endRowIndex": target + 1}
        act("申込", "copyPaste", source=rows, destination=place)
    act(
        "申込",
        "updateCells",
        range={"startRowIndex": 6, "endRowIndex": 7, "startColumnIndex": 4, "endColumnIndex": 5},
        rows=[{"values": [{"userEnteredValue": {"stringValue": "another word"}}]}],
        fields="userEnteredValue",
    )
    assert len(workbook.read().grids["申込"]) == len(grid) + 2
    put(sheet(NEWS))
    assert workbook.read().grids["申込"][2:] == [*NEWS, ["a3", "5", "要確認", "受理", "another word"]]


def test_a_masters_column_that_was_deleted_comes_back_with_its_words(put, workbook, act, write_while):
    put(sheet(THREE))
    act("申込", "deleteDimension", range=lines(4, 5, "COLUMNS"))
    remade = [[*HEAD[1][:4], "メモ"], *([*row, *[""] * (5 - len(row))] for row in NEWS)]
    specs = [{"dimensionIndex": 0, "sortOrder": "DESCENDING"}]
    sort = {"range": {"startRowIndex": 2}, "sortSpecs": specs}
    write_while(
        SheetWrite("申込", [HEAD[0], *remade], sheet().look), lambda: act("申込", "sortRange", **sort)
    )
    words = {row[0]: row[4] if len(row) > 4 else "" for row in workbook.read().grids["申込"][2:]}
    assert words == {"a1": "", "a2": "memo", "a3": "mine"}


def test_cells_merged_over_rows_are_parted_where_rows_are_to_be_sorted(put, workbook, act):
    put(ranked(THREE))
    merged = {"startRowIndex": 2, "endRowIndex": 4, "startColumnIndex": 4, "endColumnIndex": 5}
    act("要確認", "mergeCells", range=merged, mergeType="MERGE_ALL")
    put(ranked([THREE[2], THREE[0], [*THREE[1][:4]]]))
    assert [row[:1] for row in workbook.read().grids["要確認"][2:]] == [["a3"], ["a1"], ["a2"]]


def test_rows_that_a_filter_hides_cost_one_write_and_no_more(put, workbook, act, sent):
    put(ranked(THREE))
    hidden = [{"columnIndex": 2, "filterCriteria": {"hiddenValues": ["受理"]}}]
    place = {"sheetId": workbook._fetch().tabs["要確認"].sheet_id, "startRowIndex": 1, "endColumnIndex": 6}
    act("要確認", "setBasicFilter", filter={"range": place, "filterSpecs": hidden})
    sent.clear()
    put(ranked([THREE[1], THREE[2], THREE[0]]))
    assert len(sent) == 1
    found = {row[0]: row[5] for row in workbook.read().grids["要確認"][2:]}
    assert found == {"a1": "3", "a2": "1", "a3": "2"}


def test_two_like_notes_of_a_human_are_never_taken_for_one(put, workbook, act, human):
    put(sheet(THREE))
    rows = {"startRowIndex": 2, "endRowIndex": 3}
    act("申込", "copyPaste", source=rows, destination={"startRowIndex": 5, "endRowIndex": 6})
    human("申込!E8:E9", [["――――"], ["――――"]])
    put(sheet(NEWS))
    found = workbook.read().grids["申込"]
    assert [row[4] for row in found if len(row) > 4].count("――――") == 2
    assert [row[0] for row in found[2:6]] == ["a1", "a2", "a3", "a1"]
