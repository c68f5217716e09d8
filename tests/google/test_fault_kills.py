"""A run at Google that is killed anywhere leaves the next one to end where an undisturbed run would have ended."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from fault_game import RECOVERED, Recovery, Saved, run_on
from kill_points import Point, run_killed
from sample_game import LATER, NOON

STEPS = (
    "pull_form",
    "read_book",
    "keep_forms",
    "keep_inputs",
    "keep_decisions",
    "put_out",
    "send",
    "write_back",
    "write_files",
    "journal_outcome",
)
FEW = [Point("commit"), Point("send"), Point("send", after=True), Point("write_files", after=True)]
"""Around what decides between old and new: the archive's commit, the spreadsheet's only write, the journal."""

ALL = [
    *(Point(name, after) for name in STEPS for after in (False, True)),
    *(Point("commit", after, nth) for nth in (1, 2, 3) for after in (False, True)),
    *(Point("insert", after, nth) for nth in (1, 5, 21) for after in (False, True)),
    *(Point("replace", after, nth) for nth in (1, 2, 7) for after in (False, True)),
    Point("pull_form", nth=3),
]


def recover(saved: Saved, ends: list[dict[str, Any]], folder: Path, point: Point, as_of: str) -> Recovery:
    """A run that is killed at the point, and one more run."""
    game = saved.restore(folder / "game")
    code = run_killed(game.folder, as_of, point)
    if code == 0:
        pytest.skip(f"{point} is never reached in this run")
    assert code == -signal.SIGKILL
    return run_on(game, ends, as_of, later=True)


@pytest.mark.parametrize("point", FEW, ids=str)
def test_a_run_with_news_recovers(
    news: Saved, news_ends: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    assert recover(news, news_ends, tmp_path, point, LATER) == RECOVERED


@pytest.mark.parametrize("point", [Point("send", after=True)], ids=str)
def test_a_first_run_recovers(
    newborn: Saved, newborn_ends: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    assert recover(newborn, newborn_ends, tmp_path, point, NOON) == RECOVERED


@pytest.mark.slow
@pytest.mark.parametrize("point", [point for point in ALL if point not in FEW], ids=str)
def test_a_run_with_news_recovers_from_everywhere(
    news: Saved, news_ends: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    assert recover(news, news_ends, tmp_path, point, LATER) == RECOVERED


@pytest.mark.slow
@pytest.mark.parametrize("point", [Point(name, after) for name in STEPS for after in (False, True)], ids=str)
def test_a_first_run_recovers_from_everywhere(
    newborn: Saved, newborn_ends: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    assert recover(newborn, newborn_ends, tmp_path, point, NOON) == RECOVERED
