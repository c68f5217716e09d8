"""The masters' spreadsheet at Google: what is read, what is sent, and what stays."""

from __future__ import annotations

import pytest
from masters_bench import HEAD, LOOK, ROWS, cell, ranked, sheet, tab

from connectors.base import SheetWrite
from connectors.google_book import read_present
from connectors.google_sheets import SheetsWorkbook
from connectors.xlsx import XlsxWorkbook
from rules.frames import Finding

NASTY = [
    "=1+1", "+1", "-1", "@x", "'", "'0123", "0123", "1,234", "1e5", "TRUE", "2026/10/13", "０１２", "#N/A", "a\nb",
    "　", " x ", "👩‍👩‍👧‍👦🗾", "𠮟", "_x0041_", "\"q\"", "<b>", "=IMPORTXML(\"http://example.com\",\"//a\")",
]  # fmt: skip


def test_a_new_tab_is_made_and_reads_back(put, workbook):
    put(sheet())
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]


def test_a_run_that_writes_makes_two_calls_and_an_idle_one_a_single_call(emulator, put, calls):
    for rows in (ROWS, [["a1", "3", "受理"], *ROWS[1:], ["a3", "1", "要確認"]]):
        put(sheet(rows))
        assert calls() == ["get", "batchUpdate"]
        emulator.control("log/clear")
        put(sheet(rows))
        assert calls() == ["get"]
        emulator.control("log/clear")


def test_a_spreadsheet_without_a_tab_of_ours_is_as_good_as_none(workbook, put, human):
    human("Sheet1!A1", [["mine"]])
    assert workbook.read().fingerprint == ""
    put(sheet())
    assert workbook.read().fingerprint
    assert workbook.read().grids["Sheet1"] == [["mine"]]


def test_an_idle_write_by_another_process_sends_nothing(google, book_id, put, workbook, calls):
    put(sheet())
    SheetsWorkbook(google, book_id).write([sheet()], workbook.read().fingerprint)
    assert calls("batchUpdate") == ["batchUpdate"]


def test_texts_that_look_like_something_else_stay_texts(put, workbook, sheets, book_id, calls):
    rows = [[f"k{n}", "", text, "", text] for n, text in enumerate(NASTY)]
    put(sheet(rows))
    blank = ["" if text == "　" else text for text in NASTY]
    found = workbook.read().grids["申込"][2:]
    assert [row[2] if len(row) > 2 else "" for row in found] == blank
    values = [row["values"] for row in tab(sheets, book_id)["data"][0]["rowData"][2 : 2 + len(NASTY)]]
    kinds = {kind for row in values for one in row for kind in one.get("userEnteredValue", {})}
    assert kinds == {"stringValue"}
    put(sheet(rows))
    assert calls("batchUpdate") == ["batchUpdate"]


def test_the_same_grids_read_the_same_from_a_file_and_from_google(put, workbook, tmp_path):
    rows = [[f"k{n}", text, text, text, text] for n, text in enumerate([*NASTY, "007", "-0", "1.50", "12"])]
    file = XlsxWorkbook(tmp_path / "m.xlsx")
    file.write([sheet(rows)], "")
    put(sheet(rows))
    assert workbook.read().grids["申込"] == file.read().grids["申込"]


def test_a_text_stays_a_text_when_a_human_confirms_the_cell(put, workbook, human):
    put(sheet([["=1+1", "", "0123", "", ""]]))
    human("申込!A3:C3", [["=1+1", "", "0123"]])
    assert workbook.read().grids["申込"][2] == ["=1+1", "", "0123"]


def test_control_characters_line_ends_and_overlong_texts_are_shown_as_a_cell_can_hold_them(
    put, workbook, calls
):
    rows = [["a\x00b\r\nc", "", "x" * 50_001, "", ""], ["k", "", "x" * 50_000, "", ""]]
    put(sheet(rows))
    first, second = workbook.read().grids["申込"][2:]
    assert first[0] == "a\u2400b\nc"
    assert 49_990 < len(first[2]) <= 50_000
    assert first[2].endswith("字省略）")
    assert second[2] == "x" * 50_000
    put(sheet(rows))
    assert calls("batchUpdate") == ["batchUpdate"]


def test_number_columns_hold_numbers_only_where_nothing_of_the_text_is_lost(put, workbook, sheets, book_id):
    put(sheet([["a", "3"], ["b", "1.5"], ["c", "007"], ["d", "1e5"], ["e", "=1"]]))
    kinds = [next(iter(cell(sheets, book_id, row, 2)["userEnteredValue"])) for row in range(3, 8)]
    assert kinds == ["numberValue", "numberValue", "stringValue", "stringValue", "stringValue"]
    assert [row[1] for row in workbook.read().grids["申込"][2:]] == ["3", "1.5", "007", "1e5", "=1"]


@pytest.mark.parametrize("locale", ["en_US", "ja_JP", "de_DE"])
def test_what_humans_type_reads_as_the_same_text_in_every_locale(gspread_client, workbook, human, locale):
    gspread_client.open_by_key(workbook.calls.book_id).update_locale(locale)
    title = next(iter(workbook.read().grids))
    human(
        f"{title}!A1:H1",
        [["2026-10-13", "2026-10-13 5:00:59", "18:00", True, 3, "=4/2", "=1/0", "x"]],
    )
    assert workbook.read().grids[title] == [
        ["2026-10-13 00:00:00", "2026-10-13 05:00:59", "18:00:00", "TRUE", "3", "2", "#DIV/0!", "x"]
    ]


@pytest.mark.parametrize(
    ("serial", "shape", "text"),
    [
        (46308.208333333336, ("DATE_TIME", "yyyy/mm/dd h:mm:ss"), "2026-10-13 05:00:00"),
        (46308.999988425924, ("DATE_TIME", "m/d"), "2026-10-13 23:59:59"),
        (46308, ("DATE", ""), "2026-10-13 00:00:00"),
        (0, ("TIME", "hh:mm"), "00:00:00"),
        (0.7499999999999999, ("TIME", "hh:mm"), "18:00:00"),
        (1.25, ("TIME", "[h]:mm:ss"), "30:00:00"),
        (1e12, ("DATE", ""), "1000000000000"),
        (0.1, ("NUMBER", "0%"), "0.1"),
        (0.30000000000000004, ("NUMBER", ""), "0.3"),
        (-0.0, ("NUMBER", ""), "0"),
        (12345678901234, ("NUMBER", "#,##0"), "12345678901234"),
    ],
)
def test_a_number_reads_by_its_format_as_the_xlsx_reader_would_read_it(serial, shape, text):
    kind, pattern = shape
    value = {"effectiveValue": {"numberValue": serial}}
    value["effectiveFormat"] = {"numberFormat": {"type": kind, "pattern": pattern}}
    data = [{"rowData": [{"values": [value]}]}]
    book = {"sheets": [{"properties": {"title": "表", "sheetId": 1}, "data": data}]}
    assert read_present(book).tabs["表"].grid == [[text]]


def test_what_is_no_grid_and_what_is_not_calculated_yet():
    loading = {"userEnteredValue": {"formulaValue": "=IMPORTRANGE(1)"}}
    loading["effectiveValue"] = {"errorValue": {"type": "LOADING"}}
    sheets = [
        {"properties": {"title": "図", "sheetId": 2, "sheetType": "OBJECT"}},
        {"properties": {"title": "表"}, "data": [{"rowData": [{"values": [{}, loading]}]}]},
    ]
    present = read_present({"sheets": sheets})
    assert {title: tab.grid for title, tab in present.tabs.items()} == {"表": [["", "#LOADING!"]]}
    assert present.titles == ("図", "表")
    assert present.findings == (Finding("unreadable", "表!B1", "数式の計算が終わっていません。"),)


def test_every_second_of_a_date_survives(workbook, gspread_client, book_id):
    first = gspread_client.open_by_key(book_id).sheet1
    first.update([[f"2026-10-13 23:{n:02d}:59"] for n in range(60)], "A1", value_input_option="USER_ENTERED")
    assert [row[0] for row in workbook.read().grids["Sheet1"]] == [
        f"2026-10-13 23:{n:02d}:59" for n in range(60)
    ]


def test_masters_cells_keep_their_type_while_the_machine_writes_beside_them(
    put, workbook, human, sheets, book_id
):
    put(sheet())
    human("申込!D3:E4", [[True, "2026-10-13 5:00"], ["受理", 12]])
    grid = workbook.read().grids["申込"]
    assert [row[3:] for row in grid[2:]] == [["TRUE", "2026-10-13 05:00:00"], ["受理", "12"]]
    changed = [[*row] for row in grid]
    changed[2][2] = "受理"
    put(SheetWrite("申込", changed, LOOK))
    assert cell(sheets, book_id, 3, 4)["userEnteredValue"] == {"boolValue": True}
    moment = cell(sheets, book_id, 3, 5)
    assert moment["userEnteredFormat"]["numberFormat"]["type"] == "DATE_TIME"
    assert "numberValue" in moment["userEnteredValue"]
    assert workbook.read().grids["申込"] == changed


def test_masters_cells_keep_their_type_when_their_row_is_sorted(put, workbook, human, sheets, book_id):
    put(ranked(ROWS))
    human("要確認!D3:E3", [[True, "2026-10-13 5:00"]])
    grid = workbook.read().grids["要確認"]
    put(ranked([grid[3][:5], grid[2][:5]]))
    assert cell(sheets, book_id, 4, 4, "要確認")["userEnteredValue"] == {"boolValue": True}
    assert "numberValue" in cell(sheets, book_id, 4, 5, "要確認")["userEnteredValue"]
    assert workbook.read().grids["要確認"] == ranked([grid[3][:5], grid[2][:5]]).grid


def test_a_formula_of_a_master_is_kept_and_never_copied(put, workbook, human, sheets, book_id):
    put(sheet())
    human("申込!E3", [["=1+1"]])
    grid = workbook.read().grids["申込"]
    put(SheetWrite("申込", [*grid, ["a3", "5", "受理", "", "2"]], LOOK))
    assert cell(sheets, book_id, 3, 5)["userEnteredValue"] == {"formulaValue": "=1+1"}
    assert cell(sheets, book_id, 5, 5)["userEnteredValue"] == {"numberValue": 2}


def test_a_formula_whose_result_moves_by_itself_is_no_change(emulator, workbook, human, put):
    put(sheet())
    human("Sheet1!A1", [["=NOW()"]])
    before = workbook.read().fingerprint
    emulator.control("clock", advance=3600)
    workbook.write([sheet([*ROWS, ["a3"]])], before)
    assert workbook.read().grids["申込"][-1] == ["a3"]


def test_a_human_edit_after_the_read_stays_and_the_machine_writes_beside_it(put, workbook, human, calls):
    put(sheet())
    before = workbook.read().fingerprint
    human("申込!E3", [["typed meanwhile"]])
    workbook.write([sheet([["a1", "3", "受理"], ROWS[1]])], before)
    assert calls("batchUpdate") == ["batchUpdate"] * 2
    assert workbook.read().grids["申込"][2:] == [["a1", "3", "受理", "", "typed meanwhile"], ROWS[1]]


def test_only_cells_that_differ_are_sent(put, workbook, sent):
    put(sheet())
    put(sheet([["a1", "3", "受理", "", ""], ["a2", "4", "受理", "自動", "memo"]]))
    (request,) = sent[-1]["requests"]
    assert request["updateCells"]["start"] == {
        "sheetId": workbook._fetch().tabs["申込"].sheet_id,
        "rowIndex": 2,
        "columnIndex": 2,
    }
    assert len(request["updateCells"]["rows"]) == 1
    assert len(request["updateCells"]["rows"][0]["values"]) == 1


def test_a_row_that_falls_away_becomes_blank_unless_a_master_wrote_in_it(put, workbook, human):
    put(sheet([*ROWS, ["a3", "5", "受理"]]))
    put(sheet([["a2", "4", "受理", "自動", "memo"]]))
    assert workbook.read().grids["申込"] == [*HEAD, [], ROWS[1]]
    put(sheet([["a1", "3", "要確認"]]))
    assert workbook.read().grids["申込"] == [*HEAD, [], ROWS[1], ["a1", "3", "要確認"]]
