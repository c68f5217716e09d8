"""What masters do to the spreadsheet at Google beside deciding: no word of theirs is lost, decisions stay, the next run
but one writes nothing."""

from __future__ import annotations

import pytest
from google_game import GoogleGame, set_up
from sample_game import SMALL, as_table

from pipeline.desk_sheet import FOLDED
from tests.google_emulator.server import Emulator

AT = ("2026-10-16 12:40:00", "2026-10-16 12:45:00", "2026-10-16 12:50:00")
REVIEW, ATTENTION = "マスイベ参加申込", "要確認"


@pytest.fixture
def game(tmp_path: object, emulator: Emulator, request: pytest.FixtureRequest) -> GoogleGame:
    """The small game in which one sign-up was decided, with a word beside it."""
    made = set_up(emulator, request.getfixturevalue("tmp_path"), SMALL)
    made.run()
    made.type_into(REVIEW, made.entry("S-0099"), 裁定="受理 ", メモ="電話で確認")
    made.run(AT[0])
    return made


def grid_range(
    game: GoogleGame, title: str, rows: tuple[int, int], columns: tuple[int, int]
) -> dict[str, int]:
    names = ("startRowIndex", "endRowIndex", "startColumnIndex", "endColumnIndex")
    return {"sheetId": game.sheet_id(title), **dict(zip(names, (*rows, *columns), strict=True))}


def settle(game: GoogleGame) -> list[str]:
    """Three runs: the first mends, the second may take its findings back, the third writes nothing."""
    told = [f"{finding.code} {finding.place}" for finding in game.run(AT[1]).findings]
    game.run(AT[1])
    game.forget_calls()
    last = game.run(AT[2])
    assert (last.sheets, last.files, last.sat_out) == ((), (), ())
    assert [call for call in game.calls() if "batchUpdate" in call] == []
    return told


def assert_kept(game: GoogleGame) -> None:
    entry, grid = game.entry("S-0099"), game.grids()[REVIEW]
    row = as_table([grid[0], *(cells for cells in grid if entry in cells)][:2])[entry]
    shown = [row[header].strip() for header in ("裁定", "メモ", "有効")]
    assert (game.status("S-0099"), shown) == ("受理", ["受理", "電話で確認", "受理"])


def test_the_header_of_the_keys_comes_back_where_it_was_overwritten(game: GoogleGame) -> None:
    game.write(f"'{REVIEW}'!A1", [[""]])
    game.write(f"'{ATTENTION}'!A2", [["受付"]])
    told = settle(game)
    assert f"missing_column {REVIEW} 対応" in told
    assert f"missing_column {ATTENTION} 対応" in told
    assert (game.grids()[REVIEW][0][0], game.grids()[ATTENTION][1][0]) == ("対応", "対応")
    assert_kept(game)


@pytest.mark.slow
def test_a_tab_whose_keys_are_gone_is_left_alone_and_told(game: GoogleGame) -> None:
    line = {"sheetId": game.sheet_id(REVIEW), "dimension": "COLUMNS", "startIndex": 0, "endIndex": 1}
    game.batch({"deleteDimension": {"range": line}})
    game.run(AT[1])
    stood = game.grids()[REVIEW]
    game.forget_calls()
    report = game.run(AT[2])
    assert (report.exit_code, report.sat_out, report.sheets) == (1, (REVIEW,), ())
    assert "unreadable_tab" in [finding.code for finding in report.findings]
    assert [call for call in game.calls() if "batchUpdate" in call] == []
    assert game.grids()[REVIEW] == stood
    assert game.status("S-0099") == "受理"


@pytest.mark.parametrize(
    ("cell", "code"), [("F1", "missing_column"), ("H1", "doubled_header"), ("E1", "repaired")]
)
def test_a_header_renamed_doubled_or_blanked_loses_no_word(game: GoogleGame, cell: str, code: str) -> None:
    game.write(f"'{REVIEW}'!{cell}", [["裁定" if cell == "H1" else "さいてい" if cell == "F1" else ""]])
    told = settle(game)
    assert code in [each.split(" ")[0] for each in told]
    assert_kept(game)


@pytest.mark.slow
def test_columns_moved_and_hidden_rows_and_a_filter_view_change_nothing(game: GoogleGame) -> None:
    sheet_id = game.sheet_id(REVIEW)
    line = {"sheetId": sheet_id, "dimension": "COLUMNS", "startIndex": 5, "endIndex": 8}
    hidden = {"sheetId": sheet_id, "dimension": "ROWS", "startIndex": 2, "endIndex": 30}
    game.batch(
        {"moveDimension": {"source": line, "destinationIndex": 0}},
        {
            "updateDimensionProperties": {
                "range": hidden,
                "properties": {"hiddenByUser": True},
                "fields": "hiddenByUser",
            }
        },
        {"addFilterView": {"filter": {"title": "mine", "range": {"sheetId": sheet_id}}}},
    )
    settle(game)
    assert game.grids()[REVIEW][0][:4] == ["裁定", "読み", "メモ", "対応"]
    assert_kept(game)


@pytest.mark.slow
def test_a_tab_deleted_renamed_or_copied_comes_back_with_every_word(game: GoogleGame) -> None:
    copy, name = {"sourceSheetId": game.sheet_id(REVIEW), "newSheetName": f"{REVIEW} のコピー"}, "名簿 (旧)"
    roster = {"properties": {"sheetId": game.sheet_id("名簿"), "title": name}, "fields": "title"}
    game.batch({"duplicateSheet": copy}, {"updateSheetProperties": roster})
    game.batch({"deleteSheet": {"sheetId": game.sheet_id(REVIEW)}})
    old = game.grids()
    told = settle(game)
    assert {f"missing_tab {REVIEW}", "missing_tab 名簿"} <= set(told)
    now = game.grids()
    assert (now[name], now[f"{REVIEW} のコピー"]) == (old[name], old[f"{REVIEW} のコピー"])
    assert now["名簿"] == old[name]
    assert_kept(game)
    assert game.table(REVIEW)[game.entry("S-0099")]["反映"] == f"復元 {AT[1]}"


def test_all_rows_deleted_come_back_with_every_word(game: GoogleGame) -> None:
    for title, head in ((REVIEW, 1), (ATTENTION, 2)):
        game.human("delete-rows", sheet=title, row=head, count=len(game.grids()[title]) - head)
    settle(game)
    assert_kept(game)


def test_what_masters_put_into_their_cells_stays_what_it_is(game: GoogleGame) -> None:
    """A formula, a note, a link, a number, a tick: none of them is ever written over."""
    row, column = game.find(REVIEW, game.entry("S-0099"), "裁定者")
    runs = [{"startIndex": 2, "format": {"link": {"uri": "https://example.com"}}}]
    linked = {"userEnteredValue": {"stringValue": "見よ"}, "note": "控え", "textFormatRuns": runs}
    start = {"sheetId": game.sheet_id(REVIEW), "rowIndex": row - 1, "columnIndex": column}
    fields = "userEnteredValue,note,textFormatRuns"
    game.batch({"updateCells": {"start": start, "rows": [{"values": [linked]}], "fields": fields}})
    game.write(f"'{REVIEW}'!R{row}C{column}", [["=A1"]])
    game.write(f"'{REVIEW}'!R{row + 1}C{column}", [["=1/0", 12]])
    game.write(f"'{REVIEW}'!R{row + 1}C{column - 1}", [[True]])
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
    before = cells_of(game)[row - 1 : row + 1]
    settle(game)
    after = cells_of(game)[row - 1 : row + 1]
    for old, new in zip(before, after, strict=True):
        for place in (column - 2, column - 1, column):
            assert old["values"][place : place + 1] == new["values"][place : place + 1]
    assert_kept(game)


def cells_of(game: GoogleGame) -> list[dict[str, list[dict[str, object]]]]:
    fields = "sheets(properties.title,data.rowData.values(userEnteredValue,note,textFormatRuns))"
    params = {"spreadsheetId": game.book_id, "fields": fields}
    made = game.emulator.control("call", method="sheets.spreadsheets.get", params=params)
    found = next(each for each in made["sheets"] if each["properties"]["title"] == REVIEW)
    rows: list[dict[str, list[dict[str, object]]]] = found["data"][0]["rowData"]
    return rows


@pytest.mark.slow
def test_a_grid_shrunk_to_its_cells_a_table_and_bands_take_new_rows(game: GoogleGame) -> None:
    width, rows = len(game.grids()[REVIEW][0]), len(game.grids()[REVIEW])
    size = {"rowCount": rows, "columnCount": width}
    sheet = {"sheetId": game.sheet_id(REVIEW), "gridProperties": size}
    table = {"name": "people", "range": grid_range(game, REVIEW, (0, rows), (0, width))}
    bands = {
        "range": grid_range(game, ATTENTION, (1, 9), (0, 5)),
        "rowProperties": {"firstBandColor": {"red": 1}},
    }
    game.batch(
        {"clearBasicFilter": {"sheetId": game.sheet_id(REVIEW)}},
        {"updateSheetProperties": {"properties": sheet, "fields": "gridProperties(rowCount,columnCount)"}},
        {"addTable": {"table": table}},
        {"addBanding": {"bandedRange": bands}},
    )
    for number in range(3):
        game.sign_up(f"S-950{number}", f"2026/10/16 0:35:0{number} 午後 GMT+9", "10月20日")
    settle(game)
    assert [game.entry(f"S-950{number}") in game.table(REVIEW) for number in range(3)] == [True] * 3
    assert_kept(game)


@pytest.mark.slow
def test_a_row_of_another_tab_is_a_copy_and_decides_nothing(game: GoogleGame) -> None:
    entry, rows = game.entry("S-0099"), len(game.grids()[REVIEW])
    row, _column = game.find(ATTENTION, entry, "対応")
    pasted = list(game.grids()[ATTENTION][row - 1])
    pasted[5] = "不受理"
    game.write(f"'{REVIEW}'!A{rows + 1}", [pasted])
    told = settle(game)
    assert f"doubled_key {REVIEW} {rows + 1}行 対応" in told
    assert game.grids()[REVIEW][rows][5] == "不受理"
    assert_kept(game)


@pytest.mark.slow
def test_thousands_of_pasted_rows_are_told_in_a_few_lines(game: GoogleGame) -> None:
    rows = len(game.grids()[REVIEW])
    game.batch({"appendDimension": {"sheetId": game.sheet_id(REVIEW), "dimension": "ROWS", "length": 2000}})
    pasted = [[f"foreign {number}", "x", "", "", "", "受理"] for number in range(2000)]
    game.write(f"'{REVIEW}'!A{rows + 2}", pasted)
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
    told = settle(game)
    quarantined = [each for each in told if each.startswith("quarantine")]
    assert len(quarantined) == FOLDED + 1
    assert quarantined[-1] == f"quarantine {REVIEW} {rows + 2 + FOLDED}行"
    assert [
        row[:6] for row in game.grids()[REVIEW] if row[:1][0:1] and row[0].startswith("foreign")
    ] == pasted
    assert game.entry("S-9500") in game.table(REVIEW)
    assert_kept(game)


def test_a_warning_stops_no_write_and_a_barrier_stops_it_whole(game: GoogleGame) -> None:
    game.human("protect", sheet=REVIEW, warningOnly=True)
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
    settle(game)
    assert game.entry("S-9500") in game.table(REVIEW)
    game.human("protect", sheet=REVIEW)
    game.sign_up("S-9501", "2026/10/16 0:46:00 午後 GMT+9", "10月21日")
    before = game.grids()
    done = game.saitei("run", "--as-of", "2026-10-16 12:55:00")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert "保護された範囲があって書けません" in done.stderr
    assert game.grids() == before
