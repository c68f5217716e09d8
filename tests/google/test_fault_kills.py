"""A run at Google that is killed anywhere leaves the next one to end where an undisturbed run would have ended."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest
from fault_game import Saved, differences, doubled_keys, end_state, leaks, run, unordered
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


def ends_of(saved: Saved, folder: Path, as_of: str) -> list[dict[str, Any]]:
    game = saved.restore(folder / "game")
    ends = []
    for _ in range(2):
        assert run(game, as_of).code == 0
        ends.append(end_state(game))
    return ends


@pytest.fixture(scope="module")
def news_end(news: Saved, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return ends_of(news, tmp_path_factory.mktemp("news_end"), LATER)


@pytest.fixture(scope="module")
def newborn_end(newborn: Saved, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return ends_of(newborn, tmp_path_factory.mktemp("newborn_end"), NOON)


def recover(saved: Saved, ends: list[dict[str, Any]], folder: Path, point: Point, as_of: str) -> None:
    game = saved.restore(folder / "game")
    code = run_killed(game.folder, as_of, point)
    if code == 0:
        pytest.skip(f"{point} is never reached in this run")
    assert code == -signal.SIGKILL
    ran = run(game, as_of)
    assert (ran.code, ran.err, leaks(game, ran), doubled_keys(game)) == (0, "", [], [])
    state = unordered(end_state(game))
    found = [differences(state, unordered(end)) for end in ends]
    assert {} in found, min(found, key=lambda each: len(str(each)))


@pytest.mark.parametrize("point", FEW, ids=str)
def test_a_run_with_news_recovers(
    news: Saved, news_end: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    recover(news, news_end, tmp_path, point, LATER)


@pytest.mark.parametrize("point", [Point("send", after=True)], ids=str)
def test_a_first_run_recovers(
    newborn: Saved, newborn_end: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    recover(newborn, newborn_end, tmp_path, point, NOON)


@pytest.mark.slow
@pytest.mark.parametrize("point", [point for point in ALL if point not in FEW], ids=str)
def test_a_run_with_news_recovers_from_everywhere(
    news: Saved, news_end: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    recover(news, news_end, tmp_path, point, LATER)


@pytest.mark.slow
@pytest.mark.parametrize("point", [Point(name, after) for name in STEPS for after in (False, True)], ids=str)
def test_a_first_run_recovers_from_everywhere(
    newborn: Saved, newborn_end: list[dict[str, Any]], tmp_path: Path, point: Point
) -> None:
    recover(newborn, newborn_end, tmp_path, point, NOON)
