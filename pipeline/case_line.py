"""What the official messenger would show a player in a scenario case: the rows as its cycles write them.

Promises: what is held keeps the last undisputed value, cycle by cycle, as in a run. Refuses to know: what the columns
mean.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from pipeline.case_run import Run
from pipeline.line import hold_back
from rules.game import Task

LINE = "line"


def show_line(run: Run, at: pd.Timestamp) -> list[Task]:
    """A text for each player and page, as the last cycle at or before `at` writes it; none before the first."""
    written: Mapping[str, Mapping[str, str]] = {}
    for cycle in [cycle for cycle in run.cycles if cycle <= at]:
        rows = run.game.line(run.adjudicate(cycle))
        written = {row.player: hold_back(row, written.get(row.player, {})) for row in rows}
    player, *items = run.game.line_columns
    pages = list(dict.fromkeys(column.page for column in items))
    return [
        Task(
            LINE,
            (),
            page,
            "\n".join(
                [
                    f"{player.header}: {name}",
                    *(f"{column.header}: {cells[column.header]}" for column in items if column.page == page),
                ]
            ),
            (name,),
        )
        for name, cells in written.items()
        for page in pages
    ]
