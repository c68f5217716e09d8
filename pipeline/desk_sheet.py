"""A sheet as masters leave it: where its header is, which column is which, what is blank.

Promises: columns are known by the text of their header wherever they were moved; nothing here drops a cell.
Refuses to know: what a column means, whose it is, and any file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rules.frames import Finding, Grid

HEADER_DEPTH = 10
"""How many rows from the top a header is looked for: people put notes above it, never a page of them."""


COPIED = "重複"
"""What the machine calls a further copy, of a row or of a column.

It is written down beside the copy, which no longer tells what was decided, lest it come to speak for the entry when
rows or columns are moved or the right one is deleted.
"""


class Layout(NamedTuple):
    """Where the header stands, and the column of each known header that is there."""

    header_row: int
    columns: Mapping[str, int]

    def text(self, row: Sequence[str], header: str) -> str:
        """The cell of `row` under `header`; "" where the column or the cell is not there."""
        index = self.columns.get(header, -1)
        return row[index] if 0 <= index < len(row) else ""


def is_blank(text: str) -> bool:
    return not text.strip()


def is_blank_grid(grid: Grid) -> bool:
    return all(is_blank(cell) for row in grid for cell in row)


def trim_grid(grid: Grid) -> Grid:
    """Drop the empty cells and rows at the ends, which come and go with each program that saves a sheet."""
    rows = [_trim_row(row) for row in grid]
    while rows and not rows[-1]:
        rows.pop()
    return rows


def _trim_row(row: Sequence[str]) -> list[str]:
    end = len(row)
    while end and row[end - 1] == "":
        end -= 1
    return list(row[:end])


def put_cell(row: list[str], index: int, text: str) -> None:
    """Write into the caller's own copy of a row, growing it where it is too short."""
    row.extend([""] * (index + 1 - len(row)))
    row[index] = text


def find_header(grid: Grid, known: Collection[str], needed: Collection[str]) -> int | None:
    """The row near the top that shows all `needed` headers; of several the one that shows most of `known`.

    A note above the header may quote one of its words; it does not quote most of them.
    """
    best, most = None, 0
    for index, row in enumerate(grid[:HEADER_DEPTH]):
        shown = {cell.strip() for cell in row}
        count = len(shown.intersection(known))
        if count > most and shown.issuperset(needed):
            best, most = index, count
    return best


def lay_out(grid: Grid, header_row: int, known: Collection[str]) -> Layout:
    """Find the columns; a doubled header means its first column, and the second is nobody's."""
    columns: dict[str, int] = {}
    for index, cell in enumerate(grid[header_row]):
        header = cell.strip()
        if header in known and header not in columns:
            columns[header] = index
    return Layout(header_row, columns)


def read_lines(grid: Grid, key: str, headers: Collection[str]) -> dict[str, dict[str, str]]:
    """The rows that stand there by their key: header -> text."""
    header_row = find_header(grid, (key, *headers), (key,))
    if header_row is None:
        return {}
    layout = lay_out(grid, header_row, (key, *headers))
    rows = {layout.text(row, key).strip(): row for row in grid[header_row + 1 :]}
    return {name: {h: layout.text(row, h) for h in headers} for name, row in rows.items() if name}


def list_doubled_headers(grid: Grid, layout: Layout, title: str) -> list[Finding]:
    findings = []
    for index, cell in enumerate(grid[layout.header_row]):
        header = cell.strip()
        if layout.columns.get(header, index) != index:
            place = f"{title} {layout.header_row + 1}行 {index + 1}列"
            text = f"見出し「{header}」が{layout.columns[header] + 1}列にもあります。左の列だけを読みます"
            findings.append(Finding("doubled_header", place, text))
    return findings


FOLDED = 20
"""How many findings of one kind a tab brings before the rest is told in one: a paste of thousands of rows must not
bury what waits for a decision, nor fill the sheet with as many rows again."""


def fold_findings(findings: Sequence[Finding]) -> list[Finding]:
    """The findings of one tab, each kind with one line for all that come after the first few."""
    kept: list[Finding] = []
    rest: dict[str, list[Finding]] = {}
    for finding in findings:
        same = rest.setdefault(finding.code, [])
        same.append(finding)
        if len(same) <= FOLDED:
            kept.append(finding)
    for code, same in rest.items():
        if len(same) > FOLDED:
            text = f"同じ種類の所見が、ここからあと{len(same) - FOLDED}件あります。先の{FOLDED}件を片づけると現れます"
            kept.append(Finding(code, same[FOLDED].place, text))
    return kept


def place_row(title: str, index: int, header: str = "") -> str:
    """Name a row (0-based `index`) as people count it."""
    return f"{title} {index + 1}行" + (f" {header}" if header else "")


def quote_cells(cells: Mapping[str, str]) -> str:
    """Show what was typed, so that a message alone is enough to type it again."""
    return "、".join(f"{header}={text}" for header, text in cells.items() if not is_blank(text))
