"""A run that is killed anywhere leaves the next one to end where an undisturbed run would have ended."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from kill_points import Point, run_killed
from sample_game import LATER, NOON, SMALL, SampleGame, add_row, find_row, type_cells

AFTERWARDS = "2026-10-16 12:50:00"
STEPS = (
    "pull_forms",
    "read_book",
    "keep_forms",
    "keep_inputs",
    "keep_decisions",
    "take_in",
    "put_out",
    "lay_sheets",
    "write_back",
    "write_line",
    "write_files",
    "keep_journal",
    "journal_outcome",
)
FEW = [
    Point("keep_forms", after=True),
    Point("insert", after=True, nth=9),
    Point("commit"),
    Point("commit", after=True),
    Point("replace"),
    Point("replace", after=True),
    Point("replace", nth=2),
    Point("replace", after=True, nth=2),
    Point("replace", nth=3),
    Point("commit", nth=2),
    Point("commit", nth=3),
]
"""What decides between old and new: around the archive's commit, the replacement of either
spreadsheet and of the first file, the journal's commit."""

ALL = [
    *(Point(name, after) for name in STEPS for after in (False, True)),
    *(Point("insert", after, nth) for nth in (1, 2, 5, 13, 21, 25, 27, 29) for after in (False, True)),
    *(Point("replace", after, nth) for nth in (1, 2, 3, 7, 40) for after in (False, True)),
    *(Point("commit", after, nth) for nth in (1, 2, 3) for after in (False, True)),
    *(Point("fsync", after) for after in (False, True)),
    *(Point("unlink", after, nth) for nth in (1, 2, 3) for after in (False, True)),
]


def bring_news(game: SampleGame) -> None:
    """New input of every kind: responses, an edit, decisions, rows added, changed and deleted."""
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日", player="十六夜ポスト")
    game.edit_response("signup", "S-0122", タイムスタンプ="2026/10/16 0:36:00 午後 GMT+9", 備考="よろしく")
    entry, accepted = game.entry("S-0099"), game.entry("R-0036")
    with game.open_workbook() as book:
        type_cells(book["要確認"], entry, 裁定="受理", 裁定者="まつり")
        type_cells(book["星座複製"], accepted, 裁定="不受理", 確定="確定")
        type_cells(book["補正"], "1", 増減="35")
        add_row(
            book["補正"], 番号="9", 時刻="2026-10-16 12:00:00", 正式呼称="ぽんかん", 項目="点数", 増減="15"
        )
        book["補正"].delete_rows(find_row(book["補正"], "4"))
        book["マスイベ参加申込"].delete_rows(4)


def final_state(game: SampleGame) -> dict[str, Any]:
    return {
        "grids": game.grids(),
        "line": game.line_grids(),
        "verdicts": game.verdicts(),
        "journal": game.journal(),
        "files": game.files(),
        "leftovers": [p.name for p in game.folder.rglob("*.new")],
    }


@pytest.fixture(scope="module")
def newborn(tmp_path_factory: pytest.TempPathFactory) -> SampleGame:
    """A small game in which nothing has run yet."""
    game = SampleGame.fresh(tmp_path_factory.mktemp("newborn") / "game")
    game.shrink(SMALL)
    return game


@pytest.fixture(scope="module")
def grown(ready_small_game: SampleGame, tmp_path_factory: pytest.TempPathFactory) -> SampleGame:
    """A small game after its first run, with news of every kind waiting."""
    game = ready_small_game.copy_to(tmp_path_factory.mktemp("grown") / "game")
    bring_news(game)
    return game


@pytest.fixture(scope="module")
def newborn_end(newborn: SampleGame, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    game = newborn.copy_to(tmp_path_factory.mktemp("newborn_end") / "game")
    game.run(NOON)
    return final_state(game)


@pytest.fixture(scope="module")
def grown_end(grown: SampleGame, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    game = grown.copy_to(tmp_path_factory.mktemp("grown_end") / "game")
    report = game.run(LATER)
    assert report.fresh == 2
    assert report.changed_verdicts >= 4
    return final_state(game)


def recover(start: SampleGame, folder: Path, as_of: str, point: Point) -> dict[str, Any]:
    """Kill, run again: the state then, after which a further run has nothing to do."""
    game = start.copy_to(folder / "game")
    code = run_killed(game.folder, as_of, point)
    if code == 0:
        pytest.skip(f"{point} is never reached in this run")
    assert code == -signal.SIGKILL
    game.run(as_of)
    state = final_state(game)
    assert not game.run(AFTERWARDS).wrote
    return state


@pytest.mark.parametrize("point", FEW, ids=str)
def test_a_run_with_news_recovers(
    grown: SampleGame, grown_end: dict[str, Any], tmp_path: Path, point: Point
) -> None:
    assert recover(grown, tmp_path, LATER, point) == grown_end


@pytest.mark.parametrize("point", [Point("replace"), Point("commit", nth=3)], ids=str)
def test_a_first_run_recovers(
    newborn: SampleGame, newborn_end: dict[str, Any], tmp_path: Path, point: Point
) -> None:
    assert recover(newborn, tmp_path, NOON, point) == newborn_end


@pytest.mark.slow
@pytest.mark.parametrize("point", ALL, ids=str)
def test_a_run_with_news_recovers_from_everywhere(
    grown: SampleGame, grown_end: dict[str, Any], tmp_path: Path, point: Point
) -> None:
    assert recover(grown, tmp_path, LATER, point) == grown_end


@pytest.mark.slow
@pytest.mark.parametrize("point", ALL, ids=str)
def test_a_first_run_recovers_from_everywhere(
    newborn: SampleGame, newborn_end: dict[str, Any], tmp_path: Path, point: Point
) -> None:
    assert recover(newborn, tmp_path, NOON, point) == newborn_end


@pytest.mark.parametrize(
    "point", [Point("write_back", after=True), Point("write_files", after=True)], ids=str
)
def test_the_next_run_of_cron_takes_over_without_blaming_a_master(
    grown: SampleGame, grown_end: dict[str, Any], tmp_path: Path, point: Point
) -> None:
    """Ten minutes later nobody has touched the spreadsheet: its cells are the killed run's own."""
    game = grown.copy_to(tmp_path / "game")
    assert run_killed(game.folder, LATER, point) == -signal.SIGKILL
    game.run(AFTERWARDS)
    assert game.findings("repaired") == []
    assert game.verdicts() == grown_end["verdicts"]
    assert {k: v for k, v in game.files().items() if k.startswith("public/")} == {
        k: v for k, v in grown_end["files"].items() if k.startswith("public/")
    }
    assert not game.run("2026-10-16 13:00:00").wrote


def test_an_article_of_a_killed_run_that_is_no_longer_due_leaves_the_public_folder(
    grown: SampleGame, tmp_path: Path
) -> None:
    """Killed between the files and the journal, which names the files that are ours."""
    game = grown.copy_to(tmp_path / "game")
    with game.open_workbook() as book:
        sheet = book["マスイベ結果"]
        row = next(
            row for row in sheet.iter_rows() if (row[0].value, row[1].value) == ("2026-10-16", "ぽんかん")
        )
        row[2].value, row[4].value = "出席", "10"
        type_cells(book["マスイベ"], "2026-10-16", 結果公開時刻="12:10:00")
    assert run_killed(game.folder, LATER, Point("write_files", after=True)) == -signal.SIGKILL
    published = game.out / "public/10月16日_マスイベ結果.html"
    assert published.is_file()
    game.type_into("マスイベ", "2026-10-16", 結果公開時刻=None)
    game.run(AFTERWARDS)
    assert not published.exists()
