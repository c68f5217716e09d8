"""The command line: exit codes, the one line of each error, the lock, and what each command shows."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sample_game import LATER, NOON, ROOT, SampleGame, plain_environment

from pipeline.cli import run_cli


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command line in this process: exit code, stdout, stderr."""
    code = run_cli(list(arguments))
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def config_of(game: SampleGame) -> tuple[str, str]:
    return "--config", str(game.config_path)


def assert_one_line(stderr: str, *wanted: str) -> None:
    assert stderr.count("\n") == 1, stderr
    assert stderr.startswith("saitei: ")
    assert "Traceback" not in stderr
    for text in wanted:
        assert text in stderr


class TestExitCodes:
    def test_0_when_done_with_findings_in_rows(
        self, game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = call(capsys, "run", *config_of(game))
        assert (code, err) == (0, "")
        assert out.splitlines()[0].startswith(f"{NOON} の時点で ")
        assert "変わったものはありません" in out

    def test_1_when_a_form_sat_the_run_out(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.response_path("replication").unlink()
        code, out, err = call(capsys, "run", *config_of(small_game), "--quiet")
        assert (code, err) == (1, "")
        assert "replication（前の結果のままです）" in out
        assert "replication.csv" in out

    @pytest.mark.parametrize(
        ("arguments", "wanted"),
        [
            (("run", "--as-of", "tomorrow"), "--as-of: 「tomorrow」を日時として読めません"),
            (("run", "--as-of", "2026-10-16 25:00:00"), "--as-of"),
            (
                ("run", "--ruleset", "final"),
                "--ruleset: 「final」は使えません。使える値: provisional、official",
            ),
            (("run", "--backend", "excel"), "backend"),
            (("run", "--no-such-option"), "--no-such-option"),
            (("explain", "signup-nothere"), "「signup-nothere」で始まる受付はありません"),
            (("state", "だれか"), "「だれか」は名簿にありません"),
            (("state", "ぽんかんん"), "「ぽんかん」ですか"),
        ],
    )
    def test_2_for_what_the_caller_got_wrong(
        self,
        ready_small_game: SampleGame,
        capsys: pytest.CaptureFixture[str],
        arguments: tuple[str, ...],
        wanted: str,
    ) -> None:
        name, *rest = arguments
        code, out, err = call(capsys, name, *config_of(ready_small_game), *rest)
        assert (code, out) == (2, "")
        assert_one_line(err, wanted)

    def test_2_for_an_unknown_command(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _out, err = call(capsys, "rum")
        assert code == 2
        assert_one_line(err, "rum", "saitei --help")

    def test_2_for_a_config_that_is_not_there(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = call(capsys, "run", "--config", str(tmp_path / "none.yaml"))
        assert (code, out) == (2, "")
        assert_one_line(err, "none.yaml", "設定ファイルがありません")

    def test_2_before_the_first_run_and_no_file_is_made(
        self, new_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for arguments in (("state",), ("explain", "signup-"), ("blog",)):
            name, *rest = arguments
            code, _out, err = call(capsys, name, *config_of(new_game), *rest)
            assert code == 2, arguments
            assert_one_line(err)
            assert not new_game.archive_path.exists(), arguments

    def test_3_for_a_spreadsheet_that_is_open(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.workbook_path.with_name("~$master.xlsx").write_bytes(b"\x06Matsuri")
        small_game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        code, out, err = call(capsys, "run", *config_of(small_game), "--as-of", LATER)
        assert (code, out) == (3, "")
        assert_one_line(err, "master.xlsx", "Matsur", "何も書いていません")

    def test_3_for_a_key_that_is_not_there(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (small_game.words_path.parent / "key").unlink()
        code, _out, err = call(capsys, "run", *config_of(small_game))
        assert code == 3
        assert_one_line(err, "key", "合言葉の鍵を読めません")

    @pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut off"])
    def test_3_for_a_broken_spreadsheet(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str], content: bytes
    ) -> None:
        small_game.workbook_path.write_bytes(content)
        code, _out, err = call(capsys, "run", *config_of(small_game))
        assert code == 3
        assert_one_line(err, "master.xlsx")
        assert small_game.workbook_path.read_bytes() == content

    def test_3_for_an_archive_that_is_something_else(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.archive_path.write_bytes(b"something else altogether, and long enough " * 40)
        code, _out, err = call(capsys, "run", *config_of(small_game))
        assert code == 3
        assert_one_line(err, "archive.sqlite")

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_3_for_a_folder_that_must_not_be_written(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.out.chmod(0o500)
        (small_game.out / "public").chmod(0o500)
        code, _out, err = call(capsys, "run", *config_of(small_game), "--as-of", "2026-10-17 05:00:00")
        small_game.out.chmod(0o700)
        (small_game.out / "public").chmod(0o700)
        assert code == 3
        assert_one_line(err)

    def test_3_for_an_output_path_that_is_a_file(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in small_game.files():
            (small_game.out / name).unlink()
        for folder in sorted(small_game.out.rglob("*"), reverse=True):
            folder.rmdir()
        small_game.out.rmdir()
        small_game.out.write_text("in the way", "utf-8")
        code, _out, err = call(capsys, "run", *config_of(small_game))
        assert code == 3
        assert_one_line(err, "out")

    def test_70_for_our_own_fault_shows_no_data_and_writes_nothing(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def break_down(*_arguments: object, **_named: object) -> None:
            raise KeyError("ponkan@example.jp みかんばたけ")

        small_game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        stamps = small_game.stamps()
        monkeypatch.setattr("pipeline.cycle.lay_sheets", break_down)
        code, out, err = call(capsys, "run", *config_of(small_game), "--as-of", LATER)
        assert (code, out) == (70, "")
        assert_one_line(err, "こちらの誤りです（KeyError）", "--debug")
        assert "example.jp" not in err
        assert small_game.stamps() == stamps
        last = json.loads(small_game.log_path.read_text("utf-8").splitlines()[-1])
        assert (last["event"], last["error"]) == ("run failed", "KeyError")
        assert "example.jp" not in small_game.log_path.read_text("utf-8")

    def test_debug_shows_where_it_broke(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def break_down(*_arguments: object, **_named: object) -> None:
            raise KeyError("x")

        monkeypatch.setattr("pipeline.cycle.lay_sheets", break_down)
        code, _out, err = call(capsys, "--debug", "run", *config_of(small_game))
        assert code == 70
        assert "Traceback" in err
        assert "break_down" in err


class TestHelp:
    @pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["explain", "--help"]])
    def test_it_loads_neither_tables_nor_spreadsheets_nor_a_game(self, arguments: list[str]) -> None:
        heavy = (
            "pandas",
            "numpy",
            "openpyxl",
            "python_calamine",
            "jinja2",
            "rules.kanada",
            "googleapiclient",
            "gspread",
        )
        script = (
            "import sys\nfrom pipeline.cli import run_cli\n"
            f"code = run_cli({arguments!r})\nprint('LOADED', [m for m in {heavy!r} if m in sys.modules], code)"
        )
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=plain_environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        assert done.stdout.splitlines()[-1] == "LOADED [] 0"

    def test_it_shows_every_command_and_examples(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _err = call(capsys, "--help")
        assert code == 0
        for text in (
            "run",
            "explain",
            "state",
            "check",
            "doctor",
            "blog",
            "Examples",
            "saitei run",
            "--as-of",
        ):
            assert text in out

    def test_without_a_command_it_shows_the_help(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "pipeline"],
            cwd=ROOT,
            env=plain_environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        assert "Examples" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


HOLDER = """
import sys
from pathlib import Path
from pipeline.commands import only_run
from pipeline.config import load_config
with only_run(load_config(Path(sys.argv[1]))):
    print("held", flush=True)
    sys.stdin.read()
"""


class TestLock:
    def test_a_second_run_leaves_at_once_and_the_lock_dies_with_its_holder(
        self, small_game: SampleGame
    ) -> None:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(small_game.config_path)],
            cwd=ROOT,
            env=plain_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            archive = small_game.archive_path.read_bytes()
            for command in ("run", "blog"):
                done = small_game.saitei(command)
                assert (done.returncode, done.stdout) == (4, "")
                assert_one_line(done.stderr, f"PID {holder.pid}")
                assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC 開始", done.stderr)
            assert small_game.archive_path.read_bytes() == archive
            assert small_game.saitei("doctor").returncode == 0
            os.kill(holder.pid, signal.SIGKILL)
            holder.wait(30)
            assert small_game.saitei("run").returncode == 0
            assert not small_game.archive_path.with_suffix(".lock.json").exists()
        finally:
            holder.kill()
            holder.communicate()


class TestDryRun:
    def test_it_writes_nothing_and_shows_what_would_change(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日", player="十六夜ポスト")
        stamps, archive = small_game.stamps(), small_game.archive_path.read_bytes()
        code, out, err = call(capsys, "run", *config_of(small_game), "--as-of", LATER, "--dry-run")
        assert (code, err) == (0, "")
        assert out.startswith("（予行: 何も書き込んでいません）\n")
        assert "十六夜ポスト　10月20日 マスイベ　なし → 未定" in out
        assert "書き込むシート: マスイベ参加申込" in out
        assert small_game.stamps() == stamps
        assert small_game.archive_path.read_bytes() == archive

    def test_an_instant_before_the_last_run_implies_it_and_says_so(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        stamps, archive = small_game.stamps(), small_game.archive_path.read_bytes()
        code, out, err = call(capsys, "run", *config_of(small_game), "--as-of", "2026-10-16 12:29:59")
        assert code == 0
        assert err == f"saitei: 前の実行（{NOON}）より前の時点なので、書き込みません（--dry-run と同じ）\n"
        assert out.startswith("（予行")
        assert small_game.stamps() == stamps
        assert small_game.archive_path.read_bytes() == archive

    def test_the_instant_of_the_last_run_itself_is_no_look_back(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = call(capsys, "run", *config_of(small_game), "--as-of", NOON)
        assert (code, err) == (0, "")
        assert not out.startswith("（予行")

    def test_an_offset_names_the_same_instant(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, _err = call(
            capsys, "run", *config_of(small_game), "--as-of", "2026-10-16T03:30:01Z", "--dry-run"
        )
        assert code == 0
        assert "2026-10-16 12:30:01 の時点で" in out


class TestOutput:
    def test_json_is_json_alone(self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = call(capsys, "run", *config_of(small_game), "--json")
        shown = json.loads(out)
        assert (code, err) == (0, "")
        assert (shown["run"], shown["dry_run"], shown["fresh"], shown["sat_out"]) == (NOON, False, 0, [])
        assert sum(shown["statuses"].values()) == shown["entries"] == len(small_game.verdicts())

    def test_quiet_says_nothing_when_all_is_well(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert call(capsys, "run", *config_of(small_game), "--quiet") == (0, "", "")

    def test_cron_sees_no_progress_bar(self, small_game: SampleGame) -> None:
        done = small_game.saitei("run")
        assert done.returncode == 0
        assert done.stderr == ""
        assert "\x1b" not in done.stdout
        assert "\r" not in done.stdout

    @pytest.mark.parametrize(("option", "drawn"), [(None, True), ("--quiet", False), ("--json", False)])
    def test_a_terminal_sees_a_progress_bar_unless_it_asked_for_less(
        self, small_game: SampleGame, option: str | None, drawn: bool
    ) -> None:
        master, slave = pty.openpty()
        done = subprocess.run(
            small_game.command("run", *([option] if option else [])),
            cwd=ROOT,
            env={**plain_environment(), "TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=slave,
            check=False,
            timeout=120,
        )
        os.close(slave)
        os.set_blocking(master, False)
        try:
            shown = os.read(master, 65536)
        except (BlockingIOError, OSError):
            shown = b""
        os.close(master)
        assert done.returncode == 0
        assert bool(shown) is drawn

    def test_each_run_leaves_one_line_of_json_in_the_log(self, small_game: SampleGame) -> None:
        small_game.saitei("run")
        small_game.response_path("replication").unlink()
        small_game.saitei("run", "--as-of", LATER)
        lines = [json.loads(line) for line in small_game.log_path.read_text("utf-8").splitlines()]
        assert [line["event"] for line in lines] == ["run", "run"]
        assert [line["run"] for line in lines] == [NOON, LATER]
        assert lines[1]["sat_out"] == ["replication"]
        assert "missing_file replication" in lines[1]["findings"]


class TestState:
    def stars(self, capsys: pytest.CaptureFixture[str], game: SampleGame, as_of: str) -> dict[str, str]:
        code, out, _err = call(capsys, "state", *config_of(game), "ぽんかん", "--as-of", as_of, "--json")
        assert code == 0
        (row,) = json.loads(out)
        return dict(row)

    @pytest.mark.parametrize(
        ("as_of", "points"), [("10-11 23:59:59", "0"), ("10-12 00:00:00", "525"), ("10-12 00:00:01", "525")]
    )
    def test_points_at_the_opening(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str], as_of: str, points: str
    ) -> None:
        """500 for everybody, 25 won two days earlier."""
        assert self.stars(capsys, ready_small_game, as_of)["点数"] == points

    @pytest.mark.parametrize(
        ("as_of", "right"),
        [("10-16 04:59:59", "0"), ("10-16 05:00:00", "3"), ("10-16 23:59:58", "3"), ("10-16 23:59:59", "0")],
    )
    def test_rights_of_the_day(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str], as_of: str, right: str
    ) -> None:
        assert self.stars(capsys, ready_small_game, as_of)["襲撃権"] == right

    def test_all_players_as_a_table_and_as_json(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, _err = call(capsys, "state", *config_of(ready_small_game))
        assert code == 0
        assert out.splitlines()[0] == f"{NOON} の時点"
        assert len(out.splitlines()) == 2 + 7
        code, out, _err = call(capsys, "state", *config_of(ready_small_game), "--json")
        rows = json.loads(out)
        assert {row["正式呼称"]: row["点数"] for row in rows} == {
            name: row["点数"] for name, row in ready_small_game.table("状態一覧").items()
        }

    def test_it_writes_nothing(self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]) -> None:
        stamps, archive = small_game.stamps(), small_game.archive_path.read_bytes()
        call(capsys, "state", *config_of(small_game), "--as-of", "2026-10-30")
        assert small_game.stamps() == stamps
        assert small_game.archive_path.read_bytes() == archive


class TestExplain:
    def explain(
        self, capsys: pytest.CaptureFixture[str], game: SampleGame, *arguments: str
    ) -> tuple[int, str, str]:
        return call(capsys, "explain", *config_of(game), *arguments)

    def test_any_beginning_that_is_unique_will_do(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        entry = ready_small_game.entry("R-0024")
        whole = self.explain(capsys, ready_small_game, entry)
        assert whole[0] == 0
        assert self.explain(capsys, ready_small_game, entry[:-2]) == whole
        lines = whole[1].splitlines()
        assert lines[0] == f"{entry}　星座複製　ぽんかん"
        assert lines[1] == "判定　　受理"
        assert lines[2] == "送信　　2026-10-13 23:15:42"
        assert lines[3] == "期限　　2026-10-13 23:59:59"
        assert "　・複製する星座: 灯台座" in lines
        assert any("1等星 -1" in line for line in lines)

    def test_a_beginning_of_several_lists_them(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = self.explain(capsys, ready_small_game, "replication-")
        assert (code, out) == (2, "")
        assert_one_line(err, "で始まる受付は", "replication-")

    def test_json_holds_the_reasons_with_their_values(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        _code, out, _err = self.explain(capsys, ready_small_game, ready_small_game.entry("R-0024"), "--json")
        shown = json.loads(out)
        assert shown["effective"] == "受理"
        assert shown["reasons"][0]["code"] == "accepted_replication"
        assert shown["reasons"][0]["section"] == "４章 星座複製"
        assert shown["answers"]["複製する星座"] == "灯台座"

    def test_another_player_is_refused(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, err = self.explain(
            capsys, ready_small_game, ready_small_game.entry("R-0024"), "--for", "うみほたる"
        )
        assert (code, out) == (2, "")
        assert_one_line(err, "「うみほたる」のものではありません")
        assert "ぽんかん" not in err

    def test_the_player_is_not_told_which_proof_failed(
        self, ready_small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """S-0048: a wrong word; R-0038: a wrong address. Both answers are the same."""
        answers = set()
        for response, player in (("S-0048", "うみほたる"), ("R-0038", "ぽんかん")):
            assert ready_small_game.status(response) == "本人不一致"
            entry = ready_small_game.entry(response)
            code, out, err = self.explain(capsys, ready_small_game, entry, "--for", player)
            assert (code, out) == (2, "")
            answers.add(err)
        assert len(answers) == 1
        assert not re.search("アドレス|あいことば", answers.pop())

    def test_masters_notes_previews_and_other_ids_are_hidden_from_the_player(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        entry = small_game.entry("S-0055")
        assert small_game.status("S-0055") == "差替"
        for more in ((), ("--json",)):
            _code, out, _err = self.explain(capsys, small_game, entry, "--for", "らくがき帳", *more)
            assert small_game.entry("S-0056") not in out
            for word in ("machine", "preview", "suggestion", "basis", "stale", "notes", "注意"):
                assert word not in out

    def test_a_pending_verdict_tells_the_player_nothing_of_what_it_will_be(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A refusal known early could be repaired, which others could not."""
        small_game.replicate("R-9700", "2026/10/16 12:35:00", "10月19日", "ない座", {5: "1"})
        small_game.run(LATER)
        entry = small_game.entry("R-9700")
        assert small_game.status("R-9700") == "未定/不受理"
        for more in ((), ("--json",)):
            code, out, _err = self.explain(capsys, small_game, entry, "--for", "ぽんかん", *more)
            assert code == 0
            assert "未定" in out
            assert "公開された星座にありません" not in out
            assert "not_published" not in out
            assert "不受理" not in out

    def test_a_decision_names_no_master_to_the_player(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        entry = small_game.entry("S-0099")
        small_game.type_into("要確認", entry, 裁定="不受理", 裁定者="しおん", メモ="内輪の話")
        small_game.run(LATER)
        _code, out, _err = self.explain(capsys, small_game, entry)
        assert "しおんの裁定: 不受理（内輪の話）" in out
        _code, out, _err = self.explain(capsys, small_game, entry, "--for", "灰色のソナタ")
        assert "しおん" not in out
        assert "内輪の話" not in out

    def test_it_shows_what_was_recorded_and_not_what_came_since(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        entry = small_game.entry("R-0024")
        before = self.explain(capsys, small_game, entry)
        small_game.response_path("replication").unlink()
        small_game.workbook_path.unlink()
        assert self.explain(capsys, small_game, entry) == before


class TestDoctor:
    def test_all_lines_are_ok_in_the_sample(
        self, new_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        code, out, _err = call(capsys, "doctor", *config_of(new_game))
        assert code == 0
        assert all(line.startswith("ok　") for line in out.splitlines())
        assert not new_game.archive_path.exists()

    @pytest.mark.parametrize(
        ("damage", "wanted"),
        [
            ("words", "passphrases.csv"),
            ("form", "replication.csv"),
            ("book", "master.xlsx"),
            ("line", "line.xlsx"),
            ("archive", "archive.sqlite"),
        ],
    )
    def test_what_is_wrong_is_a_line_and_the_others_go_on(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str], damage: str, wanted: str
    ) -> None:
        path = {
            "words": small_game.words_path,
            "form": small_game.response_path("replication"),
            "book": small_game.workbook_path,
            "line": small_game.line_path,
            "archive": small_game.archive_path,
        }[damage]
        path.write_bytes(b"\xff\xfe broken \x00" * 50)
        code, out, _err = call(capsys, "doctor", *config_of(small_game))
        assert code == 1
        bad = [line for line in out.splitlines() if line.startswith("直す　")]
        assert bad
        assert all(wanted in line for line in bad), bad
        assert len(out.splitlines()) > len(bad) + 2

    def test_open_permissions_of_secrets_are_told_in_a_real_game(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = small_game.config_path.read_text("utf-8").replace("as_of: 2026-10-16 12:30:00\n", "")
        small_game.config_path.write_text(text, "utf-8")
        small_game.words_path.chmod(0o644)
        (small_game.words_path.parent / "key").chmod(0o600)
        code, out, _err = call(capsys, "doctor", *config_of(small_game))
        assert code == 1
        assert [line for line in out.splitlines() if line.startswith("直す　")] == [
            "直す　権限　samples/kanada/private/passphrases.csv は 0644：ほかの人が読めます。"
            "chmod 600 samples/kanada/private/passphrases.csv としてください"
        ]

    def test_a_line_workbook_that_others_can_read_is_told(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.line_path.chmod(0o640)
        code, out, _err = call(capsys, "doctor", *config_of(small_game))
        assert code == 1
        assert [line for line in out.splitlines() if line.startswith("直す　")] == [
            "直す　権限　var/line.xlsx は 0640：ほかの人が読めます。chmod 600 var/line.xlsx としてください"
        ]
        small_game.line_path.chmod(0o600)
        code, out, _err = call(capsys, "doctor", *config_of(small_game))
        assert (code, "ok　　LINE連携　var/line.xlsx　6 人分" in out.splitlines()) == (0, True)

    def test_faults_of_the_config_are_its_lines(
        self, small_game: SampleGame, capsys: pytest.CaptureFixture[str]
    ) -> None:
        small_game.config_path.write_text("game: kanada\n", "utf-8")
        code, out, _err = call(capsys, "doctor", *config_of(small_game))
        assert code == 1
        assert out == "直す　config.yaml 1行 paths: このキーが必要です\n"
