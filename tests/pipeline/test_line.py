"""LINE連携: the workbook beside the masters' own, run after run."""

from __future__ import annotations

import stat

import openpyxl
import pytest
from sample_game import LATER, NOON, SampleGame, add_row, as_table, find_row, type_cells

from pipeline.line import BARE, KEPT, hold_back
from pipeline.settings import ConfigError
from rules.game import LineRow

EVEN_LATER = "2026-10-16 12:50:00"
TITLE = "LINE連携"
PLAYER, COPY = "十六夜ポスト", "R-0036"
"""An accepted replication of the small game: it took two 5等星 of this player."""


@pytest.fixture
def game(small_game: SampleGame) -> SampleGame:
    return small_game


def type_into_line(game: SampleGame, player: str, **cells: str) -> None:
    book = openpyxl.load_workbook(game.line_path)
    type_cells(book[TITLE], player, **cells)
    book.save(game.line_path)


def rule(game: SampleGame, ruling: str) -> None:
    game.type_into("星座複製", game.entry(COPY), 裁定=ruling, 裁定者="まつり", 確定="確定")


def correct(game: SampleGame, number: str, item: str, amount: str) -> None:
    with game.open_workbook() as book:
        add_row(book["補正"], 番号=number, 時刻=NOON, 正式呼称=PLAYER, 項目=item, 増減=amount)


class TestFirstRun:
    def test_it_makes_one_tab_for_its_owner_alone_and_says_so(self, new_game: SampleGame) -> None:
        report = new_game.run()
        assert report.sheets[-1] == TITLE
        assert list(new_game.line_grids()) == [TITLE]
        assert TITLE not in new_game.grids()
        assert stat.S_IMODE(new_game.line_path.stat().st_mode) == 0o600

    def test_each_sorcerer_has_a_row_in_the_order_of_the_roster(self, ready_game: SampleGame) -> None:
        state = ready_game.table("状態一覧")
        sorcerers = [name for name, row in state.items() if row["役割"] == "星術師"]
        assert len(sorcerers) == 24
        assert list(ready_game.line()) == sorcerers

    def test_the_rows_of_two_players_to_the_last_cell(self, ready_game: SampleGame) -> None:
        rows = ready_game.line()
        assert rows["ガラパゴス銀河"] == {
            "正式呼称": "ガラパゴス銀河",
            "保留中": "",
            "点数": "974",
            "襲撃権": "3",
            "1等星": "0",
            "2等星": "0",
            "3等星": "1",
            "4等星": "5",
            "5等星": "10",
            "優位である星術師": "ミントティー、夜　汽車、零番目の林檎、砂糖細工、朝凪",
            "星座": "切株座",
            "星座効果": "ひと休み",
            "球": "びい玉\n金平糖",
            "球の等級": "等級5\n等級5",
            "球の個数": "2個\n1個",
            "球効果": "襲撃をしたとき、襲撃点の基礎に5を加える。\n24時間持ち続けると10点を得る。",
            "反映": NOON,
        }
        waiting = rows["がらくた船長"]
        shown = {header: waiting[header] for header in ("保留中", "点数", "4等星", "5等星", "星座", "球")}
        assert shown == {
            "保留中": "未確定を除く値: 4等星、5等星、優位である星術師、星座効果",
            "点数": "859",
            "4等星": "5",
            "5等星": "7",
            "星座": "影法師座",
            "球": "泡\nびい玉\n毛糸玉",
        }

    def test_numbers_and_lists_are_those_of_the_state(self, ready_game: SampleGame) -> None:
        """Nobody's doubt has an earlier value yet, and no attack of the sample is objected to."""
        state = ready_game.table("状態一覧")
        for name, row in ready_game.line().items():
            for header in ("点数", "襲撃権", "1等星", "2等星", "3等星", "4等星", "5等星"):
                assert row[header] == state[name][header], (name, header)
            assert row["星座"] == state[name]["所有する星座"]
            assert row["星座効果"] == state[name]["付与された星座効果"]


class TestLaterRuns:
    def test_nothing_new_writes_nothing(self, game: SampleGame) -> None:
        stamps, journal = game.stamps(), game.journal()
        assert not game.run(NOON).wrote
        assert not game.run(LATER).wrote
        assert (game.stamps(), game.journal()) == (stamps, journal)

    def test_what_changes_names_its_run_and_leaves_the_other_rows_alone(self, game: SampleGame) -> None:
        before = game.line()
        correct(game, "9", "点数", "15")
        assert TITLE in game.run(LATER).sheets
        after = game.line()
        mine = after.pop(PLAYER)
        assert mine == {**before.pop(PLAYER), "点数": "982", "反映": LATER}
        assert after == before

    def test_the_rights_of_the_day_are_there_at_five(self, game: SampleGame) -> None:
        game.run("2026-10-19 04:59:59")
        assert game.line()[PLAYER]["襲撃権"] == "0"
        game.run("2026-10-19 05:00:00")
        assert (game.line()[PLAYER]["襲撃権"], game.line()[PLAYER]["反映"]) == ("3", "2026-10-19 05:00:00")

    def test_what_a_human_typed_over_is_put_right_and_told(self, game: SampleGame) -> None:
        before = game.line()
        type_into_line(game, PLAYER, 点数="9999")
        report = game.run(LATER)
        assert set(report.sheets) == {"要確認", "実行履歴", TITLE}
        assert game.line() == {**before, PLAYER: {**before[PLAYER], "反映": LATER}}
        (told,) = game.findings("repaired")
        assert "LINE連携" in told
        assert "「9999」と書かれていましたが" in told
        assert report.exit_code == 0

    def test_a_column_of_the_masters_own_and_a_sorted_sheet_survive(self, game: SampleGame) -> None:
        book = openpyxl.load_workbook(game.line_path)
        sheet = book[TITLE]
        wide = sheet.max_column + 1
        sheet.cell(1, wide).value, sheet.cell(find_row(sheet, PLAYER), wide).value = "メモ", "電話した"
        book.save(game.line_path)
        correct(game, "9", "点数", "15")
        game.run(LATER)
        row = game.line()[PLAYER]
        assert (row["メモ"], row["点数"]) == ("電話した", "982")

    def test_who_leaves_the_roster_loses_the_row(self, game: SampleGame) -> None:
        with game.open_workbook() as book:
            sheet = book["名簿"]
            type_cells(sheet, PLAYER, 終了="2026-10-16 12:35:00")
        game.run("2026-10-16 12:34:59")
        assert PLAYER in game.line()
        game.run("2026-10-16 12:35:00")
        assert PLAYER not in game.line()
        assert not game.run(LATER).wrote

    def test_a_lost_file_is_made_again_as_it_was(self, game: SampleGame) -> None:
        before = game.line()
        game.line_path.unlink()
        assert game.run(LATER).sheets == (TITLE,)
        after = game.line()
        assert {name: {**row, "反映": ""} for name, row in after.items()} == {
            name: {**row, "反映": ""} for name, row in before.items()
        }

    def test_a_dry_run_names_the_sheet_and_writes_nothing(self, game: SampleGame) -> None:
        correct(game, "9", "点数", "15")
        stamps = game.stamps()
        assert TITLE in game.run(LATER, dry=True).sheets
        assert game.stamps() == stamps

    def test_before_the_first_run_a_dry_run_leaves_no_file(self, new_game: SampleGame) -> None:
        assert TITLE in new_game.run(dry=True).sheets
        assert not new_game.line_path.exists()


class TestHeldBack:
    def test_what_is_in_doubt_stays_and_the_rest_moves_on_until_it_is_ruled(self, game: SampleGame) -> None:
        """The effect that the replication granted brought points, so they are in doubt with the stars."""
        assert (game.line()[PLAYER]["5等星"], game.line()[PLAYER]["4等星"]) == ("2", "3")
        rule(game, "保留")
        correct(game, "9", "4等星", "1")
        game.run(LATER)
        assert game.table("状態一覧")[PLAYER]["5等星"] == "4"
        held = game.line()[PLAYER]
        assert (held["5等星"], held["4等星"], held["保留中"]) == ("2", "4", "前の値: 点数、5等星")
        correct(game, "10", "5等星", "3")
        game.run(EVEN_LATER)
        assert game.table("状態一覧")[PLAYER]["5等星"] == "7"
        assert game.line()[PLAYER] == held
        rule(game, "不受理")
        game.run("2026-10-16 13:00:00")
        free = game.line()[PLAYER]
        assert (free["5等星"], free["保留中"], free["反映"]) == ("7", "", "2026-10-16 13:00:00")

    def test_nobody_elses_row_and_no_entry_is_named_in_it(self, game: SampleGame) -> None:
        before = game.line()
        rule(game, "保留")
        game.run(LATER)
        after = game.line()
        assert game.entry(COPY) not in "\n".join(after[PLAYER].values())
        assert {n: r for n, r in after.items() if n != PLAYER} == {
            n: r for n, r in before.items() if n != PLAYER
        }

    def test_a_lost_file_gets_what_was_held_from_the_journal(self, game: SampleGame) -> None:
        rule(game, "保留")
        game.run(LATER)
        game.line_path.unlink()
        game.run(EVEN_LATER)
        assert game.line()[PLAYER]["5等星"] == "2"


class TestHoldingCells:
    ROW = LineRow("甲", {"x": "5", "y": "6", "z": "7"}, {"x": {"x": "1"}, "y": {"y": "2", "z": "3"}})

    def test_before_anything_was_written_the_value_without_the_doubt_stands_there(self) -> None:
        assert hold_back(self.ROW, {}) == {"x": "1", "y": "2", "z": "3", "保留中": f"{BARE}x、y"}

    def test_what_was_written_without_doubt_stays_in_all_its_columns(self) -> None:
        before = {"x": "8", "y": "9", "z": "10", "保留中": ""}
        assert hold_back(self.ROW, before) == {"x": "8", "y": "9", "z": "10", "保留中": f"{KEPT}x、y"}

    def test_what_never_had_a_value_without_doubt_is_made_anew_in_each_run(self) -> None:
        before = {"x": "8", "y": "9", "z": "10", "保留中": f"{KEPT}x\n{BARE}y"}
        assert hold_back(self.ROW, before) == {
            "x": "8",
            "y": "2",
            "z": "3",
            "保留中": f"{KEPT}x\n{BARE}y",
        }

    def test_without_doubt_the_row_is_as_it_is(self) -> None:
        row = self.ROW._replace(held={})
        assert hold_back(row, {"x": "8", "保留中": f"{KEPT}x"}) == {
            "x": "5",
            "y": "6",
            "z": "7",
            "保留中": "",
        }


class TestTrouble:
    def test_a_file_that_is_open_is_left_alone_and_told_and_the_rest_is_written(
        self, game: SampleGame
    ) -> None:
        lock = game.line_path.with_name(f".~lock.{game.line_path.name}#")
        lock.write_text(",まつり,phone,16.10.2026 12:35,file:///home;", "utf-8")
        correct(game, "9", "点数", "15")
        before = game.line_path.read_bytes()
        report = game.run(LATER)
        assert (report.exit_code, report.sat_out, TITLE in report.sheets) == (1, (TITLE,), False)
        (told,) = [finding for finding in report.findings if finding.place == TITLE]
        assert "まつり" in told.message
        assert game.table("状態一覧")[PLAYER]["点数"] == "982"
        assert game.line_path.read_bytes() == before
        lock.unlink()
        report = game.run(EVEN_LATER)
        assert (report.exit_code, report.sheets) == (0, (TITLE,))
        assert (game.line()[PLAYER]["点数"], game.line()[PLAYER]["反映"]) == ("982", EVEN_LATER)
        assert game.findings("repaired") == []

    def test_a_file_that_cannot_be_read_is_left_alone_and_told_in_the_masters_own(
        self, game: SampleGame
    ) -> None:
        good = game.line_path.read_bytes()
        game.line_path.write_bytes(b"not a workbook")
        correct(game, "9", "3等星", "1")
        report = game.run(LATER)
        assert (report.exit_code, report.sat_out) == (1, (TITLE,))
        (row,) = [row for row in game.waiting().values() if row["種類"] == "読めないシート"]
        assert row["誰・何"] == TITLE
        assert game.table("状態一覧")[PLAYER]["3等星"] == "3"
        assert game.line_path.read_bytes() == b"not a workbook"
        game.line_path.write_bytes(good)
        report = game.run(EVEN_LATER)
        assert (report.exit_code, game.line()[PLAYER]["3等星"]) == (0, "3")
        assert game.findings("repaired") == []

    def test_a_value_held_before_the_trouble_is_held_after_it(self, game: SampleGame) -> None:
        good = game.line_path.read_bytes()
        rule(game, "保留")
        game.line_path.write_bytes(b"not a workbook")
        game.run(LATER)
        game.line_path.write_bytes(good)
        game.run(EVEN_LATER)
        row = game.line()[PLAYER]
        assert (row["5等星"], row["保留中"]) == ("2", "前の値: 点数、5等星")

    def test_a_sheet_that_lost_its_header_is_left_alone_and_told(self, game: SampleGame) -> None:
        book = openpyxl.load_workbook(game.line_path)
        book[TITLE].delete_rows(1)
        book.save(game.line_path)
        before = game.line_path.read_bytes()
        report = game.run(LATER)
        assert (report.exit_code, report.sat_out) == (1, (TITLE,))
        assert game.line_path.read_bytes() == before

    def test_the_command_line_says_it_in_one_line_with_exit_code_1(self, game: SampleGame) -> None:
        game.line_path.write_bytes(b"not a workbook")
        done = game.saitei("run", "--quiet")
        assert done.returncode == 1
        assert f"読めなかったフォーム・シート: {TITLE}（前の結果のままです）" in done.stdout
        assert [line for line in done.stdout.splitlines() if line.startswith(f"　{TITLE}: ")] != []
        assert (game.saitei("doctor").returncode, done.stderr) == (1, "")


class TestConfig:
    def test_the_masters_own_file_is_refused(self, new_game: SampleGame) -> None:
        text = new_game.config_path.read_text("utf-8").replace("line: var/line.xlsx", "line: var/master.xlsx")
        new_game.config_path.write_text(text, "utf-8")
        with pytest.raises(ConfigError, match=r"paths\.line: paths\.workbook と同じファイルです"):
            new_game.load()

    def test_another_place_is_taken(self, game: SampleGame) -> None:
        text = game.config_path.read_text("utf-8").replace("line: var/line.xlsx", "line: line/表.xlsx")
        game.config_path.write_text(text, "utf-8")
        assert game.run(LATER).sheets == (TITLE,)
        moved = SampleGame(game.folder)
        moved.line_path = game.folder / "line" / "表.xlsx"
        assert list(moved.line()) == list(as_table(game.line_grids()[TITLE]))
