"""The README shows what a newcomer really sees."""

from __future__ import annotations

import re
from pathlib import Path

from sample_game import SampleGame

ROOT = Path(__file__).parents[1]


def test_the_lines_of_make_run_in_the_readme_are_those_of_the_sample(new_game: SampleGame) -> None:
    shown = re.search(
        r"```\n(2026-10-16 12:30:00 の時点で .*?)```", (ROOT / "README.md").read_text("utf-8"), re.S
    )
    assert shown is not None
    assert new_game.saitei("run").stdout.splitlines()[:3] == shown[1].splitlines()[:3]


def test_the_readme_counts_the_cases_that_there_are() -> None:
    cases = sum(
        path.read_text("utf-8").count("\n- id: ") + path.read_text("utf-8").startswith("- id: ")
        for path in (ROOT / "scenarios" / "kanada").glob("*.yaml")
    )
    assert f"`saitei check` ({cases} of them)" in (ROOT / "README.md").read_text("utf-8")
