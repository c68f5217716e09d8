"""The notebook runs from top to bottom on the sample game and writes nothing."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from sample_game import SampleGame

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "01_review.ipynb"


def run_cells(path: Path) -> list[Any]:
    """The value of each code cell's last expression, all cells sharing one namespace."""
    names: dict[str, Any] = {}
    shown = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(path), "exec"), names)
        shown.append(eval(compile(ast.Expression(last.value), str(path), "eval"), names) if last else None)
    return shown


def test_every_cell_shows_something_of_the_sample(game: SampleGame, monkeypatch: pytest.MonkeyPatch) -> None:
    before = game.stamps()
    monkeypatch.chdir(game.folder)
    title, table, reasons, margins, points, edited = run_cells(NOTEBOOK)
    assert title.startswith("輝流堕2026　2026-10-16 12:30:00")
    assert {"signup", "replication"} <= set(table.index)
    assert {"受理", "不受理", "期限後"} <= set(table.columns)
    assert int(reasons["count"].sum()) == int(table.to_numpy().sum())
    assert list(margins.index) == ["late", "last minute", "last hour", "6 h", "a day", "earlier"]
    assert int(margins["late"]) > 0
    assert isinstance(points, pd.DataFrame)
    assert len(points) == 24
    assert list(edited.columns)[:2] == ["form", "response_id"]
    assert game.stamps() == before


def test_the_committed_notebook_holds_no_output() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert [cell["outputs"] for cell in cells if cell["cell_type"] == "code"] == [[]] * 6
