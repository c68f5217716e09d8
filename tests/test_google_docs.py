"""docs/google.md and its Japanese twin say what the commands really say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pipeline.config import FormBlock, GoogleBlock

ROOT = Path(__file__).parents[1]


@pytest.fixture(params=["google.md", "google.ja.md"])
def page(request: pytest.FixtureRequest) -> str:
    return (ROOT / "docs" / str(request.param)).read_text("utf-8")


def test_ten_steps_are_ten(page: str) -> None:
    assert re.findall(r"^## (\d+)\. ", page, re.M) == [str(number) for number in range(1, 11)]


def test_every_key_of_the_block_is_explained(page: str) -> None:
    rows = "\n".join(line for line in page.splitlines() if line.startswith("| `"))
    keys = [*GoogleBlock.model_fields, *(set(FormBlock.model_fields) & {"id", "tab", "since"})]
    assert [key for key in keys if not re.search(rf"^\|[^|]*`{key}`[^|]*\|", rows, re.M)] == []


def test_what_troubleshooting_quotes_is_what_the_program_says(page: str) -> None:
    said = "\n".join(_texts())
    cells = re.findall(r"^\| (`[^|]*`) \|", page.split("\n## ")[-1], re.M)
    assert len(cells) > 30
    pieces = [piece for cell in cells for piece in re.split("[`…]", cell) if piece.strip()]
    assert [piece for piece in pieces if piece not in said] == []


def test_every_refusal_of_google_has_its_row(page: str) -> None:
    tree = ast.parse((ROOT / "connectors" / "google_retry.py").read_text("utf-8"))
    explain = next(
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "_explain"
    )
    refusals = [
        "".join(_parts(node.value))
        for node in ast.walk(explain)
        if isinstance(node, ast.Return) and node.value
    ]
    cells = re.findall(r"^\| `([^`]*)` \|", page.split("\n## ")[-1], re.M)
    pieces = [cell.split("…")[-1].strip() for cell in cells]
    assert len(refusals) == 12
    assert [text for text in refusals if not any(piece in text for piece in pieces)] == []


def _parts(node: ast.expr) -> list[str]:
    found = (each for each in ast.walk(node) if isinstance(each, ast.Constant))
    return [each.value for each in found if isinstance(each.value, str)]


def test_both_languages_quote_the_same_messages_and_link_to_headings_that_are_there() -> None:
    pages = [(ROOT / "docs" / name).read_text("utf-8") for name in ("google.md", "google.ja.md")]
    quoted = [re.findall(r"^\| (`[^|]*`) \|", page.split("\n## ")[-1], re.M) for page in pages]
    assert quoted[0] == quoted[1]
    for page in pages:
        there = {_anchor(heading) for heading in re.findall(r"^## (.*)", page, re.M)}
        assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= there


def _texts() -> list[str]:
    """Every text in the sources; of a formatted one its fixed parts."""
    files = [*(ROOT / "connectors").glob("*.py"), *(ROOT / "pipeline").glob("*.py")]
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _anchor(heading: str) -> str:
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
