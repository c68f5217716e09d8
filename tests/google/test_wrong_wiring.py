"""An operator with a wrong config, a changed backend or a second machine: refused before anything is written, or told;
no decision is lost unseen, and what needs no network asks for none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from google_game import GoogleGame, set_up
from sample_game import SMALL, SampleGame

from pipeline.config import load_config
from pipeline.google_files import GoogleFiles, read_state, write_state
from pipeline.settings import ConfigError
from pipeline.tabs import LINE
from tests.google_emulator.server import Emulator

AT = ("2026-10-16 12:40:00", "2026-10-16 12:45:00", "2026-10-16 12:50:00", "2026-10-16 12:55:00")


@pytest.fixture
def game(tmp_path: Path, emulator: Emulator) -> GoogleGame:
    return set_up(emulator, tmp_path / "one", SMALL)


def rewire(game: SampleGame, old: str, new: str) -> None:
    text = game.config_path.read_text("utf-8")
    assert old in text
    game.config_path.write_text(text.replace(old, new), "utf-8")


def faults(game: SampleGame) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        game.run()
    return caught.value.faults


@pytest.mark.parametrize("address", ["{}", "https://docs.google.com/spreadsheets/d/{}/edit?gid=0#gid=0"])
def test_one_file_cannot_be_two_things(game: GoogleGame, address: str) -> None:
    line, signup, effect = game.ids[LINE], game.ids["signup"], game.ids["effect"]
    rewire(game, f"line: {line}", f"line: {address.format(game.book_id)}")
    rewire(game, f"id: {effect}", f"id: {signup}")
    game.forget_calls()
    said = [fault.split("。")[0] for fault in faults(game)]
    assert said[0] == f"google.line: google.spreadsheet と同じファイルです（ID {game.book_id}）"
    assert f"と同じファイルです（ID {signup}）" in said[1]
    assert len(said) == 2
    assert game.calls() == []


def test_a_form_is_no_spreadsheet(game: GoogleGame) -> None:
    rewire(game, f"spreadsheet: {game.book_id}", f"spreadsheet: {game.ids['signup']}")
    assert [fault.split("（")[0] for fault in faults(game)] == [
        "forms.signup.id: google.spreadsheet と同じファイルです"
    ]


def test_the_address_for_players_is_refused_and_that_of_the_editor_will_do(game: GoogleGame) -> None:
    book = f"spreadsheet: {game.book_id}"
    editor = f"spreadsheet: https://docs.google.com/spreadsheets/u/1/d/{game.book_id}/edit"
    rewire(game, book, editor)
    game.run()
    rewire(game, editor, "spreadsheet: https://docs.google.com/forms/d/e/1FAIpQLSabc/viewform")
    assert faults(game) == (
        "google.spreadsheet: 回答者用のアドレスです。編集画面のアドレスか、その ID を書いてください",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("heartbeat_minutes: -1", "0 以上の数を書いてください（いまは -1）"),
        ("heartbeat_minutes: often", "整数を書いてください（いまは 'often'）"),
        ("patience_seconds: 0", "0 より大きい数を書いてください（いまは 0）"),
        ("patience_seconds: soon", "数を書いてください（いまは 'soon'）"),
        ("endpoint: nonsense", "https:// で始まるアドレスを書いてください"),
        ("endpoint: http://example.com", "https:// で始まるアドレスを書いてください"),
    ],
)
def test_a_value_that_cannot_be_is_told_in_plain_words(tmp_path: Path, line: str, said: str) -> None:
    files = SampleGame.fresh(tmp_path)
    files.config_path.write_text(files.config_path.read_text("utf-8") + f"\ngoogle:\n  {line}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(files.config_path)
    assert [said in fault for fault in caught.value.faults] == [True]
    assert f"google.{line.split(':')[0]}" in caught.value.faults[0]


@pytest.mark.parametrize(
    ("content", "mode", "said"),
    [
        (None, 0o600, "ありません。"),
        ("same", 0o644, "権限が 0644 で"),
        ('{"installed": {"client_id": "x", "client_secret": "Hidden"}}', 0o600, "鍵ではありません"),
        ('{"type": "service_account", "private_key": "Hidden"}', 0o600, "鍵が壊れています"),
        ("[]", 0o600, "JSON として読めません"),
    ],
)
def test_a_key_file_that_will_not_do_is_one_line_without_its_content(
    game: GoogleGame, content: str | None, mode: int, said: str
) -> None:
    path = game.folder / "private/google.json"
    if content is None:
        path.unlink()
    else:
        path.write_text(path.read_text("utf-8") if content == "same" else content, "utf-8")
        path.chmod(mode)
    game.forget_calls()
    done = game.saitei("run")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert said in done.stderr
    assert "Hidden" not in done.stderr
    assert game.calls() == []


def test_a_state_file_with_nothing_in_it_names_nothing(game: GoogleGame) -> None:
    path = game.folder / "private/google-files.json"
    path.write_text('{"spreadsheet": null, "line": null, "forms": {"signup": null}}', "utf-8")
    assert read_state(game.load()) == GoogleFiles("", "", {"signup": ""})
    path.write_text('{"forms": null}', "utf-8")
    assert read_state(game.load()) == GoogleFiles()
    write_state(game.load(), GoogleFiles("a"))
    assert (path.stat().st_mode & 0o777, read_state(game.load()).spreadsheet) == (0o600, "a")


def test_a_dry_run_writes_nothing_and_archives_nothing(game: GoogleGame) -> None:
    before = game.grids()
    report = game.run(AT[0], dry=True)
    assert (report.dry, report.fresh > 0, "要確認" in report.sheets) == (True, True, True)
    assert [call for call in game.calls() if "batchUpdate" in call] == []
    assert game.grids() == before
    assert game.verdicts() == {}
    assert not game.out.exists()


def test_what_reads_the_archive_asks_nobody(game: GoogleGame) -> None:
    game.run()
    entry = game.entry("S-0099")
    (game.folder / "private/google.json").unlink()
    game.forget_calls()
    for command in (("explain", entry), ("state", "ぽんかん"), ("blog", "--as-of", AT[0])):
        done = game.saitei(*command)
        assert done.returncode == 0, done.stderr
    assert game.emulator.control("log")["calls"] == []


@pytest.mark.slow
def test_decisions_go_along_to_another_backend_and_the_way_back_is_told(game: GoogleGame) -> None:
    game.run()
    entry = game.entry("S-0099")
    game.type_into("要確認", entry, 裁定="受理", メモ="電話で確認")
    game.run(AT[0])
    known = game.verdicts()
    rewire(game, "backend: google", "backend: local")
    local = SampleGame(game.folder)
    assert "other_book" not in [finding.code for finding in local.run(AT[1]).findings]
    assert local.verdicts() == known
    assert local.table("要確認")[entry]["メモ"] == "電話で確認"
    local.type_into("要確認", entry, 裁定="不受理")
    local.run(AT[1])
    assert local.status("S-0099") == "不受理"
    rewire(game, "backend: local", "backend: google")
    report = game.run(AT[2])
    assert game.status("S-0099") == "受理"
    told = [finding.message for finding in report.findings if finding.code == "other_book"]
    assert len(told) == 1
    assert "前の実行は別の表（この機械のファイル）を読んでいました" in told[0]
    assert "other_book" not in [finding.code for finding in game.run(AT[3]).findings]


def test_two_machines_that_know_the_same_do_not_fight(game: GoogleGame, tmp_path: Path) -> None:
    game.run()
    other = GoogleGame(tmp_path / "two", game.emulator, game.ids)
    shutil.copytree(game.folder, other.folder)
    other.archive_path.unlink()
    game.type_into("要確認", game.entry("S-0099"), 裁定="受理", メモ="電話で確認")
    other.run(AT[0])
    game.run(AT[1])
    game.forget_calls()
    assert (other.run(AT[2]).sheets, game.run(AT[3]).sheets) == ((), ())
    assert [call for call in game.calls() if "batchUpdate" in call] == []
    row = game.waiting()[game.entry("S-0099")]
    assert (row["反映"], row["メモ"]) == (AT[0], "電話で確認")
    assert (game.status("S-0099"), other.status("S-0099")) == ("受理", "受理")


@pytest.mark.slow
def test_two_machines_that_know_different_things_tell_on_each_other(game: GoogleGame, tmp_path: Path) -> None:
    """Each puts its own texts back and says so; the masters' cells stay."""
    game.run()
    entry = game.entry("S-0099")
    game.type_into("要確認", entry, 裁定="受理", メモ="電話で確認")
    game.run(AT[0])
    other = GoogleGame(tmp_path / "two", game.emulator, game.ids)
    shutil.copytree(game.folder, other.folder)
    words = other.words_path.read_text("utf-8").splitlines()
    other.words_path.write_text("\n".join(line for line in words if "うみほたる" not in line) + "\n", "utf-8")
    other.run(AT[1])
    report = game.run(AT[2])
    assert "repaired" in [finding.code for finding in report.findings]
    assert game.table("要確認")[entry]["メモ"] == "電話で確認"
    assert game.status("S-0099") == "受理"
