"""One cycle after another on the sample game: what a run adds, what it leaves alone, what it survives."""

from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest
from sample_game import EVENING, LATER, NOON, SampleGame, read_csv

from connectors.base import WorkbookBusy
from pipeline.archive import Archive
from pipeline.cycle import WentBackError


@pytest.fixture
def game(small_game: SampleGame) -> SampleGame:
    """Seven players are enough here, and many cycles are run."""
    return small_game


def count_rows(game: SampleGame, table: str) -> int:
    with sqlite3.connect(game.archive_path) as db:
        return int(db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])


def count_responses(game: SampleGame) -> int:
    base = game.folder / "samples/kanada"
    return sum(len(read_csv(path)) - 1 for path in (*base.glob("responses/*.csv"), base / "board.csv"))


def list_reads(game: SampleGame) -> dict[str, str]:
    with Archive.open(game.archive_path) as archive:
        return {source: str(at) for source, at in archive.reads().items()}


class TestFirstRun:
    def test_it_fills_spreadsheet_archive_and_folders(self, new_game: SampleGame) -> None:
        report = new_game.run()
        assert (report.run_id, report.fresh) == (NOON, count_responses(new_game))
        assert report.entries > 200
        assert len(new_game.verdicts()) >= report.entries
        assert report.exit_code == 0
        grids = new_game.grids()
        assert list(grids)[:2] == ["要確認", "今日"]
        assert list(grids).index("マスイベ参加申込") < list(grids).index("台帳") < list(grids).index("名簿")
        assert list(grids)[-1] == "実行履歴"
        assert len(new_game.table("マスイベ参加申込")) == 147
        assert len(new_game.table("星座複製")) == 65
        assert len(new_game.table("状態一覧")) == 28
        assert set(new_game.table("実行履歴")) == {NOON}
        assert (new_game.out / "public/10月13日_複製.txt").is_file()

    def test_the_masters_tables_are_those_of_the_seed_files(self, new_game: SampleGame) -> None:
        new_game.run()
        grids = new_game.grids()
        assert grids["補正"][1] == [
            "1",
            "2026-10-12 13:20:00",
            "らくがき帳",
            "点数",
            "20",
            "補填",
            "公式LINEの表示の誤り",
        ]
        assert grids["終戦"] == [["番号", "時刻", "理由", "確定"]]
        assert len(grids["名簿"]) == 30

    def test_archive_and_spreadsheet_are_their_owners_alone(self, new_game: SampleGame) -> None:
        new_game.run()
        for path in (new_game.archive_path, new_game.workbook_path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path

    def test_participants_of_past_events_stand_in_the_results_table(self, game: SampleGame) -> None:
        rows = [row[:2] for row in game.grids()["マスイベ結果"] if row[0] == "2026-10-16"]
        with_signup = {
            item["player"]
            for item in game.verdicts().values()
            if item["key"] == "2026-10-16"
            and item["form"] == "signup"
            and item["effective"] in ("受理", "要確認")
        }
        assert {name for _day, name in rows} == with_signup
        assert len(rows) == len(with_signup)


class TestSecondRun:
    def test_of_the_whole_sample_changes_nothing(self, ready_game: SampleGame, tmp_path: Path) -> None:
        whole = ready_game.copy_to(tmp_path / "whole")
        stamps, journal = whole.stamps(), whole.journal()
        assert not whole.run().wrote
        assert not whole.run("2026-10-16 12:30:01").wrote
        assert whole.stamps() == stamps
        assert whole.journal() == journal

    def test_the_same_instant_changes_no_byte_and_no_time_of_any_file(self, game: SampleGame) -> None:
        stamps, journal, rows = game.stamps(), game.journal(), count_rows(game, "journal")
        runs = count_rows(game, "runs")
        report = game.run()
        assert not report.wrote
        assert (report.sheets, report.files, report.changes) == ((), (), ())
        assert game.stamps() == stamps
        assert game.journal() == journal
        assert count_rows(game, "journal") == rows
        assert count_rows(game, "runs") == runs

    def test_it_archives_no_content_twice(self, game: SampleGame) -> None:
        game.run()  # the rows that the machine proposed in マスイベ結果 are read back once
        before = {name: count_rows(game, name) for name in ("revisions", "presence", "inputs", "decisions")}
        game.run()
        game.run(LATER)
        assert {name: count_rows(game, name) for name in before} == before

    def test_ten_minutes_later_with_nothing_new_writes_nothing(self, game: SampleGame) -> None:
        stamps = game.stamps()
        assert not game.run(LATER).wrote
        assert game.stamps() == stamps

    def test_deleted_output_is_made_again_as_it_was(self, game: SampleGame) -> None:
        files = game.files()
        for name in files:
            (game.out / name).unlink()
        report = game.run()
        assert sorted(report.files) == sorted(files)
        assert game.files() == files

    def test_a_file_that_somebody_changed_is_put_right_whatever_its_bytes(self, game: SampleGame) -> None:
        name = "public/10月13日_複製.txt"
        was = game.files()[name]
        (game.out / name).write_bytes(b"\xff\xfe\x00broken")
        assert game.run().files == (name,)
        assert game.files()[name] == was

    def test_an_instant_before_the_last_run_is_refused(self, game: SampleGame) -> None:
        with pytest.raises(WentBackError, match=NOON):
            game.run("2026-10-16 12:29:59")
        assert not game.run(NOON).wrote


class TestNewResponse:
    def test_it_changes_its_own_rows_and_no_other(self, game: SampleGame) -> None:
        before = {title: game.table(title) for title in ("マスイベ参加申込", "星座複製", "状態一覧", "台帳")}
        entries = game.run().entries
        game.sign_up("S-9001", "2026/10/16 0:35:00 午後 GMT+9", "10月20日", player="十六夜ポスト")
        report = game.run(LATER)
        after = {title: game.table(title) for title in before}
        entry = game.entry("S-9001")
        assert (report.fresh, report.entries, report.changed_verdicts) == (1, entries + 1, 1)
        assert report.changes == (f"{entry}　十六夜ポスト　10月20日 マスイベ　なし → 未定",)
        new = after["マスイベ参加申込"].pop(entry)
        assert (new["判定"], new["有効"], new["反映"]) == ("未定", "未定", LATER)
        assert new["理由"].split("\n")[:2] == ["10月20日 00:00:00 に決まります", "見込み: 受理"]
        assert after == before
        assert set(report.sheets) == {"マスイベ参加申込", "実行履歴"}

    def test_a_later_one_of_its_key_supersedes_the_earlier(self, game: SampleGame) -> None:
        assert game.status("S-0122", "2026-10-19") == "未定/受理"
        rows = game.read_responses("signup")
        header, first = rows[0], next(row for row in rows if "S-0122" in row)
        again = [*first]
        again[header.index("回答ID")] = "S-9002"
        again[header.index("タイムスタンプ")] = again[header.index("初回送信")] = (
            "2026/10/16 0:31:00 午後 GMT+9"
        )
        game.write_responses("signup", [*rows, again])
        report = game.run(LATER)
        assert game.status("S-0122", "2026-10-19") == "未定/差替"
        assert game.status("S-9002", "2026-10-19") == "未定/受理"
        changed = [row for row in game.table("マスイベ参加申込").values() if row["反映"] == LATER]
        assert {row["対応"] for row in changed} == {game.entry("S-0122"), game.entry("S-9002")}
        assert report.fresh == 1

    def test_what_was_submitted_after_the_instant_is_not_judged(self, game: SampleGame) -> None:
        entries = game.run().entries
        game.sign_up("S-9003", "2026/10/16 0:40:01 午後 GMT+9", "10月20日")
        report = game.run(LATER)
        assert (report.fresh, report.entries) == (1, entries)
        assert game.run("2026-10-16 12:40:01").entries == entries + 1

    def test_a_deadline_passes_between_two_runs(self, game: SampleGame) -> None:
        assert game.status("S-0122", "2026-10-19") == "未定/受理"
        game.run("2026-10-18 23:59:59")
        assert game.status("S-0122", "2026-10-19") == "未定/受理"
        game.run("2026-10-19 00:00:00")
        assert game.status("S-0122", "2026-10-19") == "受理"


class TestEditedResponse:
    def test_both_contents_are_kept_and_the_newest_is_judged(self, game: SampleGame) -> None:
        first = game.entry("S-0122", "2026-10-19")
        game.edit_response(
            "signup",
            "S-0122",
            タイムスタンプ="2026/10/16 0:36:00 午後 GMT+9",
            参加を希望する開催日="10月20日",
        )
        report = game.run(LATER)
        with Archive.open(game.archive_path) as archive:
            revisions = archive.revisions()
        mine = revisions.loc[revisions["response_id"].eq("S-0122")]
        assert len(mine) == 2
        assert mine["withdrawn_at"].isna().all()
        assert report.fresh == 1
        assert game.status("S-0122", "2026-10-20") == "未定/受理"
        assert first in game.verdicts()

    def test_an_older_export_read_again_changes_no_ruling(self, game: SampleGame) -> None:
        old = game.response_path("signup").read_bytes()
        game.edit_response(
            "signup",
            "S-0122",
            タイムスタンプ="2026/10/16 0:36:00 午後 GMT+9",
            参加を希望する開催日="10月20日",
        )
        game.run(LATER)
        verdicts = game.verdicts()
        game.response_path("signup").write_bytes(old)
        report = game.run("2026-10-16 12:50:00")
        assert report.fresh == 0
        assert report.changes == ()
        assert game.verdicts() == verdicts

    def test_an_edit_after_the_deadline_does_not_take_the_one_in_time_away(self, game: SampleGame) -> None:
        """The text that was in time lies in the archive, so nothing is lost."""
        assert game.status("S-0099", "2026-10-16") == "要確認"
        in_time = next(item for item in game.verdicts().values() if item["response_id"] == "S-0091")
        game.edit_response(
            "signup", "S-0091", タイムスタンプ="2026/10/16 0:36:00 午後 GMT+9", 備考="直しました"
        )
        game.run(LATER)
        assert game.verdicts()[in_time["entry_id"]]["effective"] == in_time["effective"]
        assert game.status("S-0091", in_time["key"]) == "期限後"


class TestWithdrawnResponse:
    def test_it_changes_no_ruling_and_is_listed_once(self, game: SampleGame) -> None:
        verdicts = game.verdicts()
        rows = game.read_responses("signup")
        game.write_responses("signup", [row for row in rows if "S-0122" not in row])
        game.run(LATER)
        assert game.verdicts() == verdicts
        entry = game.entry("S-0122", "2026-10-19")
        assert game.findings("withdrawn") == [
            f"夜　汽車　10月19日 マスイベ 夜　汽車の送信がフォームから消えました。裁定は変わりません（{entry}）"
        ]
        game.write_responses("signup", rows)
        game.run("2026-10-16 12:50:00")
        assert game.findings("withdrawn") == []
        assert game.verdicts() == verdicts


class TestFormThatCannotBeRead:
    """It sits the run out, the rest goes on, and nothing of it is taken for withdrawn."""

    @pytest.mark.parametrize("fault", ["gone", "empty", "header", "cut", "locked", "quote"])
    def test_yesterdays_verdicts_stay_and_the_other_form_goes_on(self, game: SampleGame, fault: str) -> None:
        path, whole = game.response_path("replication"), game.response_path("replication").read_bytes()
        damage_export(game, fault)
        game.sign_up("S-9004", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        before = {e: v for e, v in game.verdicts().items() if v["form"] == "replication"}
        report = game.run(LATER)
        assert report.sat_out == ("replication",)
        assert report.exit_code == 1
        assert report.fresh == 1
        assert {e: v for e, v in game.verdicts().items() if v["form"] == "replication"} == before
        assert game.status("S-9004", "2026-10-20") == "未定/受理"
        rows = [
            row for row in game.waiting().values() if row["有効"] == "所見" and "replication" in row["誰・何"]
        ]
        assert [row for row in rows if row["種類"] not in ("禁止行為", "惜しい違い")], rows
        restore_export(game, whole)
        again = game.run("2026-10-16 12:50:00")
        assert (again.sat_out, again.exit_code, again.fresh) == ((), 0, 0)
        assert path.read_bytes() == whole
        assert {e: v for e, v in game.verdicts().items() if v["form"] == "replication"} == before

    def test_what_falls_due_while_it_cannot_be_read_waits_for_it(self, game: SampleGame) -> None:
        assert game.status("R-0053", "2026-10-17") == "未定/受理"
        whole = game.response_path("replication").read_bytes()
        damage_export(game, "gone")
        game.run("2026-10-17 00:10:00")
        assert game.status("R-0053", "2026-10-17") == "未定/受理"
        reasons = game.verdicts()[game.entry("R-0053", "2026-10-17")]["reasons"]
        assert reasons[0]["text"] == "replication（form:replication）の読み込み を待っています"
        restore_export(game, whole)
        game.run("2026-10-17 00:20:00")
        assert game.status("R-0053", "2026-10-17") == "受理"

    def test_its_reading_does_not_count_as_complete(self, game: SampleGame) -> None:
        before = list_reads(game)["form:replication"]
        damage_export(game, "gone")
        game.run(LATER)
        assert list_reads(game)["form:replication"] == before
        assert list_reads(game)["form:signup"] > before


def damage_export(game: SampleGame, fault: str) -> None:
    path = game.response_path("replication")
    text = path.read_text("utf-8")
    lines = text.split("\n")
    match fault:
        case "gone":
            path.unlink()
        case "empty":
            path.write_text("", "utf-8")
        case "header":
            path.write_text(text.replace("複製する星座", "ほしい星座", 1), "utf-8")
        case "cut":
            path.write_text("\n".join(lines[:10]), "utf-8")
        case "locked":
            path.unlink()
            path.mkdir()
        case "quote":
            path.write_text(text + '"never closed\n', "utf-8")


def restore_export(game: SampleGame, content: bytes) -> None:
    path = game.response_path("replication")
    if path.is_dir():
        path.rmdir()
    path.write_bytes(content)


class TestSpreadsheetThatCannotBeWritten:
    def test_an_open_spreadsheet_stops_the_writing_and_the_next_run_catches_up(
        self, game: SampleGame
    ) -> None:
        lock = game.workbook_path.with_name(f".~lock.{game.workbook_path.name}#")
        lock.write_text(",まつり,phone,16.10.2026 12:35,file:///home;", "utf-8")
        game.sign_up("S-9005", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        stamps = game.stamps()
        with pytest.raises(WorkbookBusy, match="まつり"):
            game.run(LATER)
        assert game.stamps() == stamps
        lock.unlink()
        report = game.run("2026-10-16 12:50:00")
        assert report.changed_verdicts == 1
        assert game.status("S-9005", "2026-10-20") == "未定/受理"
        assert game.table("マスイベ参加申込")[game.entry("S-9005")]["反映"] == "2026-10-16 12:50:00"


class TestDryRun:
    def test_it_reports_what_would_change_and_changes_nothing(self, game: SampleGame) -> None:
        entries = game.run().entries
        game.sign_up("S-9006", "2026/10/16 0:35:00 午後 GMT+9", "10月20日", player="十六夜ポスト")
        stamps, archive = game.stamps(), game.archive_path.read_bytes()
        report = game.run(LATER, dry=True)
        assert report.dry
        assert (report.fresh, report.entries) == (1, entries + 1)
        assert len(report.changes) == 1
        assert report.changes[0].endswith("十六夜ポスト　10月20日 マスイベ　なし → 未定")
        assert "マスイベ参加申込" in report.sheets
        assert game.stamps() == stamps
        assert game.archive_path.read_bytes() == archive

    def test_a_look_back_judges_only_what_was_sent_by_then(self, game: SampleGame) -> None:
        archive = game.archive_path.read_bytes()
        report = game.run("2026-10-12 12:00:00", dry=True)
        assert game.archive_path.read_bytes() == archive
        assert 0 < report.entries < game.run().entries

    def test_before_the_first_run_it_leaves_no_file_behind(self, new_game: SampleGame) -> None:
        report = new_game.run(dry=True)
        assert report.fresh == count_responses(new_game)
        assert not new_game.workbook_path.exists()
        assert not new_game.out.exists()
        assert new_game.run().fresh == report.fresh

    def test_evening_looks_further_than_noon(self, game: SampleGame) -> None:
        """The duty sheet of the next 24 hours moves on, and nothing else does."""
        report = game.run(EVENING)
        assert report.changes == ()
        assert set(report.sheets) <= {"今日", "実行履歴", "状態一覧", "メール", "ブログ"}
