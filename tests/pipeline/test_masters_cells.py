"""What masters do to the spreadsheet, through the real file: every decision survives, every machine cell is put right.

The file is changed with openpyxl, as a human's program leaves it: rows sorted, columns moved, cells typed over.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from openpyxl.worksheet.worksheet import Worksheet
from sample_game import (
    LATER,
    NOON,
    SampleGame,
    add_row,
    find_columns,
    find_row,
    move_row,
    type_cells,
)

FORM, COPIES, FIRST = "マスイベ参加申込", "星座複製", "要確認"
AT = (LATER, "2026-10-16 12:50:00", "2026-10-16 13:00:00", "2026-10-16 13:10:00")
GIFT = {
    "番号": "9",
    "時刻": "2026-10-16 12:00:00",
    "正式呼称": "ぽんかん",
    "項目": "点数",
    "増減": "15",
    "種別": "補填",
}
WISH = ("S-0099", "2026-10-16")
"""A sign-up that waits for a master: its sender wants to withdraw."""


@pytest.fixture
def game(small_game: SampleGame) -> SampleGame:
    """Seven players are enough here, and many cycles are run."""
    return small_game


def rule(
    game: SampleGame, title: str, ruling: str | None, response: tuple[str, str] = WISH, **cells: str
) -> str:
    """Type a ruling into the row of a response; returns the entry id."""
    entry = game.entry(*response)
    game.type_into(title, entry, 裁定=ruling, **cells)
    return entry


def put_rows(sheet: Worksheet, rows: list[list[Any]], first: int) -> None:
    """Write values as a sort leaves them: a text that looks like a formula stays a text."""
    for number, row in enumerate(rows, first):
        for column, value in enumerate(row, 1):
            cell = sheet.cell(number, column)
            cell.value = value
            if isinstance(value, str):
                cell.data_type = "s"


def reorder_columns(sheet: Worksheet, header: str, target: int) -> None:
    """Cut a column out and insert it elsewhere."""
    _place, columns = find_columns(sheet)
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    for row in rows:
        row.insert(target - 1, row.pop(columns[header] - 1))
    put_rows(sheet, rows, 1)


def sort_rows(sheet: Worksheet, header: str) -> None:
    """Sort whole rows below the header by one column, downwards."""
    place, columns = find_columns(sheet)
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=place + 1)]
    rows.sort(key=lambda row: str(row[columns[header] - 1]), reverse=True)
    put_rows(sheet, rows, place + 1)


class TestWhereADecisionIsTyped:
    def test_in_the_first_tab(self, game: SampleGame) -> None:
        assert game.status(*WISH) == "要確認"
        waiting = game.run().waiting
        entry = rule(game, FIRST, "受理", 裁定者="まつり", メモ="本人に電話した")
        report = game.run(AT[0])
        assert game.status(*WISH) == "受理"
        assert report.waiting == waiting - 1
        first, review = game.waiting()[entry], game.table(FORM)[entry]
        for row in (first, review):
            assert (row["有効"], row["反映"]) == ("受理", AT[0])
            assert row["理由"].startswith("まつりの裁定: 受理（本人に電話した）")
        assert (first["裁定"], review["裁定"]) == ("受理", "")
        assert game.verdicts()[entry]["machine"] == "要確認"

    def test_on_the_review_tab(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "不受理", 裁定者="しおん")
        game.run(AT[0])
        assert game.status(*WISH) == "不受理"
        assert game.waiting()[entry]["有効"] == "不受理"
        assert game.table(FORM)[entry]["裁定"] == "不受理"

    def test_a_second_run_on_a_decision_writes_nothing(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        game.run(AT[0])
        stamps = game.stamps()
        assert not game.run(AT[1]).wrote
        assert game.stamps() == stamps

    def test_both_the_same_is_one_decision(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        rule(game, FORM, "受理")
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        assert game.findings("conflict") == []

    def test_two_that_differ_leave_in_force_what_was(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        game.run(AT[0])
        entry = rule(game, FORM, "不受理")
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        (conflict,) = game.findings("conflict")
        assert "マスイベ参加申込=不受理" in conflict
        assert "要確認=受理" in conflict
        assert game.table(FORM)[entry]["裁定"] == "不受理"
        assert game.waiting()[entry]["裁定"] == "受理"
        rule(game, FIRST, "不受理")
        game.run(AT[2])
        assert game.status(*WISH) == "不受理"
        assert game.findings("conflict") == []

    def test_two_that_differ_from_the_start_are_no_decision(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        rule(game, FORM, "不受理")
        game.run(AT[0])
        assert game.status(*WISH) == "要確認"
        assert len(game.findings("conflict")) == 1

    def test_one_word_in_two_places_is_withdrawn_only_by_both(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        rule(game, FORM, "受理")
        game.run(AT[0])
        rule(game, FIRST, None)
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        rule(game, FORM, "")
        game.run(AT[2])
        assert game.status(*WISH) == "要確認"

    @pytest.mark.parametrize("word", [None, "", "自動"])
    def test_a_blank_withdraws(self, game: SampleGame, word: str | None) -> None:
        entry = rule(game, FIRST, "受理")
        game.run(AT[0])
        rule(game, FIRST, word)
        report = game.run(AT[1])
        assert game.status(*WISH) == "要確認"
        assert len(report.changes) == 1
        assert report.changes[0].endswith("受理 → 要確認")
        assert (game.waiting()[entry]["裁定"] or None) == (word or None)

    def test_an_unknown_word_is_no_decision_and_stays_where_it_is(self, game: SampleGame) -> None:
        entry = rule(game, FIRST, "たぶん受理")
        game.run(AT[0])
        assert game.status(*WISH) == "要確認"
        assert game.waiting()[entry]["裁定"] == "たぶん受理"
        assert [f for f in game.waiting().values() if f["有効"] == "所見" and "たぶん受理" in f["理由"]]

    def test_a_reading_settles_one_row(self, game: SampleGame) -> None:
        entry = game.entry(*WISH)
        game.type_into(FIRST, entry, 読み="1")
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        game.type_into(FIRST, entry, 読み="2")
        game.run(AT[1])
        assert game.status(*WISH) == "不受理"

    def test_a_reading_typed_as_a_number_is_the_same(self, game: SampleGame) -> None:
        game.type_into(FIRST, game.entry(*WISH), 読み=1)
        game.run(AT[0])
        assert game.status(*WISH) == "受理"

    def test_held_moves_nothing_and_stays_on_top(self, game: SampleGame) -> None:
        entry = rule(game, FIRST, "保留")
        game.run(AT[0])
        assert game.status(*WISH) == "保留"
        assert game.waiting()[entry]["有効"] == "保留"


class TestRows:
    def test_a_deleted_row_comes_back_with_its_decision_still_in_force(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理", メモ="電話した", 裁定者="みなと")
        game.run(AT[0])
        with game.open_workbook() as book:
            book[FORM].delete_rows(find_row(book[FORM], entry))
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        row = game.table(FORM)[entry]
        assert (row["裁定"], row["メモ"], row["裁定者"]) == ("受理", "電話した", "みなと")
        assert row["反映"] == f"復元 {AT[1]}"
        stamps = game.stamps()
        assert not game.run(AT[2]).wrote
        assert game.stamps() == stamps

    def test_a_deleted_row_without_a_decision_comes_back(self, game: SampleGame) -> None:
        entry = game.entry("S-0005", "2026-10-12")
        before = game.table(FORM)[entry]
        with game.open_workbook() as book:
            book[FORM].delete_rows(find_row(book[FORM], entry))
        game.run(AT[0])
        assert game.table(FORM)[entry] == {**before, "反映": f"復元 {AT[0]}"}
        assert len(game.table(FORM)) == 35

    def test_sorted_rows_stay_sorted_and_keep_their_decisions(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            sort_rows(book[FORM], "対応")
        order = list(game.table(FORM))
        report = game.run(AT[1])
        assert report.sheets == ()
        assert list(game.table(FORM)) == order == sorted(order, reverse=True)
        assert game.status(*WISH) == "受理"
        assert game.table(FORM)[entry]["裁定"] == "受理"

    def test_a_decision_typed_into_sorted_rows_belongs_to_its_key(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            sort_rows(book[FORM], "誰・何")
        rule(game, FORM, "受理")
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        changed = [row["対応"] for row in game.table(FORM).values() if row["反映"] == AT[0]]
        assert changed == [game.entry(*WISH)]

    def test_inserted_rows_and_notes_above_the_header_stay(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理")
        with game.open_workbook() as book:
            sheet = book[FORM]
            sheet.insert_rows(1, 2)
            sheet["A1"] = "当番メモ"
            place = find_row(sheet, entry)
            sheet.insert_rows(place)
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        grid = game.grids()[FORM]
        assert grid[0] == ["当番メモ"]
        assert grid[place - 1] == []
        assert len(game.table(FORM)) == 35

    def test_two_rows_that_changed_places_keep_their_machine_half(self, game: SampleGame) -> None:
        before = game.table(FORM)
        with game.open_workbook() as book:
            move_row(book[FORM], 5, 9)
        assert game.run(AT[0]).sheets == ()
        assert game.table(FORM) == before

    def test_a_pasted_duplicate_row_does_not_speak(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            sheet = book[FORM]
            source, target = find_row(sheet, entry), sheet.max_row + 1
            for column in range(1, sheet.max_column + 1):
                sheet.cell(target, column).value = sheet.cell(source, column).value
            sheet.cell(target, find_columns(sheet)[1]["裁定"]).value = "不受理"
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        (told,) = game.findings("doubled_key")
        assert "裁定=不受理" in told
        assert game.grids()[FORM][-1][5] == "不受理"

    def test_a_key_that_was_cleared_is_written_back(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            sheet = book[FORM]
            sheet.cell(find_row(sheet, entry), 1).value = None
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        assert game.table(FORM)[entry]["裁定"] == "受理"
        assert len(game.findings("healed_key")) == 1

    def test_a_decision_on_a_row_of_nobody_is_quoted_and_not_applied(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            add_row(book[FORM], 対応="signup-notthere", 裁定="受理", メモ="どれ？")
        game.run(AT[0])
        (told,) = game.findings("quarantine")
        assert "裁定=受理、メモ=どれ？" in told
        assert game.grids()[FORM][-1][0] == "signup-notthere"


class TestColumns:
    def test_moved_columns_are_found_by_their_header(self, game: SampleGame) -> None:
        entry = game.entry(*WISH)
        with game.open_workbook() as book:
            reorder_columns(book[FORM], "裁定", 1)
            reorder_columns(book[FORM], "対応", 9)
            type_cells(book[FORM], entry, 裁定="受理")
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        header = game.grids()[FORM][0]
        assert header[0] == "裁定"
        assert header[8] == "対応"
        row = game.table(FORM)[entry]
        assert (row["裁定"], row["有効"]) == ("受理", "受理")

    def test_an_inserted_column_of_the_masters_own_survives(self, game: SampleGame) -> None:
        entry = game.entry(*WISH)
        with game.open_workbook() as book:
            sheet = book[FORM]
            sheet.insert_cols(4)
            sheet.cell(1, 4).value = "電話番号"
            type_cells(sheet, entry, 電話番号="090-0000-0000", 裁定="受理")
        game.run(AT[0])
        assert game.status(*WISH) == "受理"
        row = game.table(FORM)[entry]
        assert (row["電話番号"], row["有効"]) == ("090-0000-0000", "受理")
        assert game.run(AT[1]).sheets == ()

    def test_a_deleted_column_of_decisions_withdraws_nothing_and_comes_back_filled(
        self, game: SampleGame
    ) -> None:
        entry = rule(game, FORM, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            sheet = book[FORM]
            sheet.delete_cols(find_columns(sheet)[1]["裁定"])
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        row = game.table(FORM)[entry]
        assert (row["裁定"], row["反映"]) == ("受理", f"復元 {AT[1]}")
        assert len(game.findings("missing_column")) == 1

    def test_a_deleted_machine_column_comes_back(self, game: SampleGame) -> None:
        before = game.table(FORM)
        with game.open_workbook() as book:
            book[FORM].delete_cols(find_columns(book[FORM])[1]["理由"])
        game.run(AT[0])
        after = game.table(FORM)
        assert {key: row["理由"] for key, row in after.items()} == {
            k: row["理由"] for k, row in before.items()
        }

    def test_a_renamed_key_header_leaves_the_tab_as_it_is(self, game: SampleGame) -> None:
        rule(game, FORM, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            sheet = book[FORM]
            sheet.cell(1, find_columns(sheet)[1]["対応"]).value = "番号です"
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        assert game.findings("missing_column")


class TestMachineCells:
    def test_what_a_human_wrote_over_is_rewritten_and_told(self, game: SampleGame) -> None:
        entry = game.entry("S-0005", "2026-10-12")
        game.type_into(FORM, entry, 判定="不受理", 理由="ほかの理由")
        game.run(AT[0])
        row = game.table(FORM)[entry]
        assert (row["判定"], row["有効"]) == ("受理", "受理")
        assert row["反映"] == AT[0]
        told = game.findings("repaired")
        assert len(told) == 2
        assert any("「不受理」と書かれていました" in text for text in told)
        assert any("「ほかの理由」と書かれていました" in text for text in told)
        assert game.status("S-0005", "2026-10-12") == "受理"

    def test_it_is_told_once(self, game: SampleGame) -> None:
        game.type_into(FORM, game.entry("S-0005", "2026-10-12"), 判定="不受理")
        game.run(AT[0])
        game.run(AT[1])
        assert game.findings("repaired") == []
        stamps = game.stamps()
        assert not game.run(AT[2]).wrote
        assert game.stamps() == stamps

    def test_a_human_does_not_move_points_in_a_table_of_the_machine(self, game: SampleGame) -> None:
        before = game.table("状態一覧")["ぽんかん"]
        game.type_into("状態一覧", "ぽんかん", 点数=99999)
        game.run(AT[0])
        assert game.table("状態一覧")["ぽんかん"] == before
        assert len(game.findings("repaired")) == 1

    def test_a_ruling_typed_into_the_wrong_column_is_no_ruling(self, game: SampleGame) -> None:
        game.type_into(FIRST, game.entry(*WISH), 有効="受理")
        game.run(AT[0])
        assert game.status(*WISH) == "要確認"


class TestStale:
    KEY = ("S-0122", "2026-10-19")

    def send_again(self, game: SampleGame, sent: str, note: str = "") -> None:
        rows = game.read_responses("signup")
        header = rows[0]
        again = [*next(row for row in rows if "S-0122" in row)]
        for name, text in (
            ("回答ID", "S-9100"),
            ("タイムスタンプ", sent),
            ("初回送信", sent),
            ("備考", note),
        ):
            again[header.index(name)] = text
        game.write_responses("signup", [*rows, again])

    def test_a_later_entry_of_its_key_is_shown_on_the_row_of_the_decision(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理", self.KEY, 裁定者="まつり")
        game.run(AT[0])
        assert not game.verdicts()[entry]["stale"]
        self.send_again(game, "2026/10/16 0:45:00 午後 GMT+9")
        game.run(AT[1])
        assert game.verdicts()[entry]["stale"]
        assert "裁定の後で状況が変わりました。確かめてください" in game.table(FORM)[entry]["理由"]
        assert "裁定の後で状況が変わりました。確かめてください" in game.waiting()[entry]["理由"]
        assert game.table(FORM)[entry]["裁定"] == "受理"

    def test_the_contested_key_waits_for_a_master(self, game: SampleGame) -> None:
        rule(game, FORM, "受理", self.KEY)
        game.run(AT[0])
        self.send_again(game, "2026/10/16 0:45:00 午後 GMT+9")
        game.run(AT[1])
        assert game.status("S-9100", "2026-10-19") == "未定/要確認"

    def test_time_alone_makes_nothing_stale(self, game: SampleGame) -> None:
        entry = rule(game, FORM, "受理", self.KEY)
        game.run(AT[0])
        game.run("2026-10-19 00:00:05")
        assert not game.verdicts()[entry]["stale"]
        assert game.status(*self.KEY) == "受理"


class TestInputTabs:
    """補正, 延長, 方針: the present rows are the truth."""

    def points(self, game: SampleGame, player: str = "ぽんかん") -> int:
        return int(game.table("状態一覧")[player]["点数"])

    def test_an_added_row_becomes_a_posting(self, game: SampleGame) -> None:
        before = self.points(game)
        with game.open_workbook() as book:
            add_row(book["補正"], **GIFT)
        game.run(AT[0])
        assert self.points(game) == before + 15
        (posting,) = [p for p in game.postings() if p["cause"] == "補正/9"]
        assert (posting["player"], posting["account"], posting["amount"]) == ("ぽんかん", "points", 15)
        assert posting["at"] == "2026-10-16T03:00:00+00:00"

    def test_cells_that_a_program_stored_as_numbers_and_dates_are_read(self, game: SampleGame) -> None:
        before = self.points(game)
        with game.open_workbook() as book:
            when = dt.datetime(2026, 10, 16, 12, 0, 0)
            add_row(book["補正"], 番号=9, 時刻=when, 正式呼称="ぽんかん", 項目="点数", 増減=15, 種別="補填")
        game.run(AT[0])
        assert self.points(game) == before + 15

    def test_a_changed_row_changes_its_posting_and_a_deleted_one_takes_it_back(
        self, game: SampleGame
    ) -> None:
        with game.open_workbook() as book:
            add_row(book["補正"], **GIFT)
        game.run(AT[0])
        with_row = self.points(game)
        game.type_into("補正", "9", 増減="-4.9")
        game.run(AT[1])
        assert self.points(game) == with_row - 15 - 4
        with game.open_workbook() as book:
            book["補正"].delete_rows(find_row(book["補正"], "9"))
        game.run(AT[2])
        assert self.points(game) == with_row - 15
        assert not [p for p in game.postings() if p["cause"] == "補正/9"]
        assert not [row for row in game.table("台帳").values() if row["由来"] == "補正/9"]

    def test_an_unreadable_cell_keeps_what_was_readable_and_becomes_a_row(self, game: SampleGame) -> None:
        before = self.points(game, "らくがき帳")
        game.type_into("補正", "1", 増減="２０くらい")
        report = game.run(AT[0])
        assert self.points(game, "らくがき帳") == before
        (told,) = game.findings("unreadable")
        assert "増減: 「２０くらい」を数として読めません" in told
        assert report.exit_code == 0
        assert game.table("補正")["1"]["増減"] == "２０くらい"
        game.type_into("補正", "1", 増減="２１")
        game.run(AT[1])
        assert self.points(game, "らくがき帳") == before + 1
        assert game.findings("unreadable") == []

    def test_a_doubled_number_is_told_and_the_first_stands(self, game: SampleGame) -> None:
        before = self.points(game)
        with game.open_workbook() as book:
            add_row(book["補正"], **(GIFT | {"番号": "1"}))
        game.run(AT[0])
        assert self.points(game) == before
        assert len(game.findings("doubled_key")) == 1

    def test_a_renamed_header_keeps_the_last_content(self, game: SampleGame) -> None:
        before = self.points(game, "らくがき帳")
        with game.open_workbook() as book:
            sheet = book["補正"]
            sheet.cell(1, find_columns(sheet)[1]["増減"]).value = "点の増減"
            type_cells(sheet, "1", 理由="これも読まない")
        report = game.run(AT[0])
        assert self.points(game, "らくがき帳") == before
        assert report.exit_code == 1
        assert any("増減" in text for text in game.findings("missing_column"))
        with game.open_workbook() as book:
            sheet = book["補正"]
            sheet.cell(1, find_columns(sheet)[1]["点の増減"]).value = "増減"
        assert game.run(AT[1]).exit_code == 0
        assert game.findings("missing_column") == []

    def test_a_deleted_tab_keeps_its_content_and_comes_back(self, game: SampleGame) -> None:
        before, rows = self.points(game, "らくがき帳"), game.table("補正")
        with game.open_workbook() as book:
            del book["補正"]
        report = game.run(AT[0])
        assert self.points(game, "らくがき帳") == before
        assert report.exit_code == 1
        assert game.table("補正") == rows
        assert any("補正" in text for text in game.findings("missing_tab"))
        again = game.run(AT[1])
        assert again.exit_code == 0
        assert self.points(game, "らくがき帳") == before
        assert game.findings("missing_tab") == []

    def test_a_table_that_lost_most_of_its_rows_at_once_is_not_believed(self, game: SampleGame) -> None:
        before = self.points(game, "らくがき帳")
        with game.open_workbook() as book:
            book["マスイベ"].delete_rows(3, 12)
        report = game.run(AT[0])
        assert self.points(game, "らくがき帳") == before
        assert len(game.findings("shrunk")) == 1
        assert report.exit_code == 1

    def test_an_extension_rescues_a_late_form_and_its_removal_reverses_it(self, game: SampleGame) -> None:
        late = ("S-0103", "2026-10-16")
        assert game.status(*late) == "期限後"
        player = game.verdicts()[game.entry(*late)]["player"]
        with game.open_workbook() as book:
            add_row(
                book["延長"],
                番号="2",
                正式呼称=player,
                フォーム=FORM,
                キー="10月16日",
                新期限="2026-10-16 00:30:00",
            )
        game.run(AT[0])
        assert game.status(*late) == "受理"
        assert game.status("S-0097", "2026-10-16") == "差替"
        with game.open_workbook() as book:
            book["延長"].delete_rows(find_row(book["延長"], "2"))
        game.run(AT[1])
        assert game.status(*late) == "期限後"
        assert game.status("S-0097", "2026-10-16") == "受理"

    def test_a_policy_settles_a_point_for_all_entries(self, game: SampleGame) -> None:
        assert game.status(*WISH) == "要確認"
        with game.open_workbook() as book:
            add_row(book["方針"], 番号="A-43", 読み="2", 開始="2026-10-12 00:00:00")
        game.run(AT[0])
        assert game.status(*WISH) == "不受理"
        game.type_into("方針", "A-43", 読み="1")
        game.run(AT[1])
        assert game.status(*WISH) == "受理"
        with game.open_workbook() as book:
            book["方針"].delete_rows(find_row(book["方針"], "A-43"))
        game.run(AT[2])
        assert game.status(*WISH) == "要確認"

    def test_masters_extra_columns_and_notes_in_a_table_survive(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            sheet = book["補正"]
            sheet.insert_rows(1)
            sheet["A1"] = "点数は必ず2人で確かめる"
            column = sheet.max_column + 1
            sheet.cell(2, column).value = "確認した人"
            sheet.cell(3, column).value = "まつり"
        game.run(AT[0])
        grid = game.grids()["補正"]
        assert grid[0] == ["点数は必ず2人で確かめる"]
        assert grid[2][-1] == "まつり"
        assert self.points(game, "らくがき帳") == int(game.table("状態一覧")["らくがき帳"]["点数"])

    def test_attendance_that_is_ticked_reaches_the_points(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            sheet = book["マスイベ結果"]
            _place, columns = find_columns(sheet)
            row = next(
                n
                for n in range(2, sheet.max_row + 1)
                if sheet.cell(n, 1).value == "2026-10-16" and sheet.cell(n, 2).value == "ぽんかん"
            )
            sheet.cell(row, columns["出席"]).value = "出席"
            sheet.cell(row, columns["点数"]).value = 80
            type_cells(book["マスイベ"], "2026-10-16", 結果公開時刻="22:05:00")
        before = self.points(game)
        game.run("2026-10-16 22:04:59")
        assert self.points(game) == before
        game.run("2026-10-16 22:05:00")
        assert self.points(game) == before + 80


class TestWholeWorkbook:
    def test_a_deleted_workbook_is_rebuilt_from_the_archive_with_its_decisions(
        self, game: SampleGame
    ) -> None:
        entry = rule(game, FIRST, "受理", メモ="電話した", 裁定者="まつり")
        with game.open_workbook() as book:
            add_row(book["補正"], **GIFT)
        game.run(AT[0])
        verdicts, tables = (
            game.verdicts(),
            {title: game.table(title) for title in ("補正", "名簿", "状態一覧", "台帳")},
        )
        game.workbook_path.unlink()
        game.run(AT[1])
        assert game.verdicts() == verdicts
        assert {title: game.table(title) for title in tables} == tables
        row = game.waiting()[entry]
        assert (row["裁定"], row["メモ"], row["裁定者"]) == ("受理", "電話した", "まつり")
        assert row["反映"] == f"復元 {AT[1]}"
        stamps = game.stamps()
        assert not game.run(AT[2]).wrote
        assert game.stamps() == stamps

    def test_seed_files_fill_the_very_first_workbook_only(self, game: SampleGame) -> None:
        (game.folder / "samples/kanada/masters/補正.csv").unlink()
        game.workbook_path.unlink()
        game.run(AT[0])
        assert list(game.table("補正")) == ["1", "4"]

    def test_the_masters_own_tab_survives(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            sheet = book.create_sheet("買い出し", 1)
            sheet["A1"], sheet["B1"], sheet["B2"] = "電池", 4, "=B1*2"
        rule(game, FIRST, "受理")
        game.run(AT[0])
        with game.open_workbook() as book:
            assert book.sheetnames[1] == "買い出し"
            own = book["買い出し"]
            assert (own["A1"].value, own["B1"].value, own["B2"].value) == ("電池", 4, "=B1*2")

    def test_a_formula_without_a_stored_value_is_told_and_its_tab_waits(self, game: SampleGame) -> None:
        points = game.table("状態一覧")["らくがき帳"]["点数"]
        game.type_into("補正", "1", 増減="=10+10")
        game.run(AT[0])
        assert game.table("状態一覧")["らくがき帳"]["点数"] == points
        assert any("=10+10" in text for text in game.findings("unreadable"))
        with game.open_workbook() as book:
            sheet = book["補正"]
            cell = sheet.cell(find_row(sheet, "1"), find_columns(sheet)[1]["増減"])
            assert cell.value == "=10+10"

    def test_a_formula_in_a_decision_is_no_decision(self, game: SampleGame) -> None:
        rule(game, FIRST, '="受理"')
        game.run(AT[0])
        assert game.status(*WISH) == "要確認"
        assert any('="受理"' in text for text in game.findings("unreadable"))

    def test_history_has_a_line_for_each_run_that_wrote(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        game.run(AT[0])
        game.run(AT[1])
        rule(game, FIRST, "不受理")
        game.run(AT[2])
        history = game.table("実行履歴")
        assert list(history) == [NOON, AT[0], AT[2]]
        assert history[AT[0]]["変わった判定"] == "1"
        assert int(history[AT[0]]["要確認"]) == int(history[NOON]["要確認"]) - 1

    def test_the_line_on_top_tells_of_the_last_run_that_wrote(self, game: SampleGame) -> None:
        rule(game, FIRST, "受理")
        game.run(AT[0])
        game.run(AT[1])
        waiting = game.table("実行履歴")[AT[0]]["要確認"]
        assert game.grids()[FIRST][0][0].startswith(f"Saitei: 最終更新 {AT[0]}　要確認 {waiting}件")


class TestMailTicks:
    def test_a_typed_time_of_sending_settles_the_mail_and_its_duty(self, game: SampleGame) -> None:
        mail = next(iter(game.table("メール")))
        game.type_into("メール", mail, 送信時刻="2026-10-16 12:35:00", 承認="承認")
        game.run(AT[0])
        row = game.table("メール")[mail]
        assert (row["状態"], row["送信時刻"], row["承認"]) == ("送信済", "2026-10-16 12:35:00", "承認")
        assert mail not in game.table("今日")

    def test_ticks_on_the_duty_sheet_are_kept(self, game: SampleGame) -> None:
        duty = next(iter(game.table("今日")))
        game.type_into("今日", duty, 担当="しおん", メモ="やってます")
        game.run(AT[0])
        row = game.table("今日")[duty]
        assert (row["担当"], row["メモ"]) == ("しおん", "やってます")
