"""One tab of rows with a key, laid over what stands in its workbook.

Promises: rows that are no longer derived go from a tab that shrinks, and only those that the machine made; what the
sheet would not hold as it is compared as it will be held. Refuses to know: which tab of which workbook it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from connectors.xlsx_text import shown_text
from pipeline.desk import ORDER, Cells, Merged, ReviewRow, ReviewTab, merge_review
from pipeline.desk_sheet import find_header, trim_grid
from rules.frames import Grid


def lay_rows(
    before: Grid | None,
    tab: ReviewTab,
    rows: Sequence[ReviewRow],
    kept: Mapping[str, Cells],
    last: Mapping[str, Cells],
    run_id: str,
    *,
    order: Sequence[str] | None = None,
    banner: str = "",
    shrinks: bool = False,
    moving: bool = False,
) -> Merged:
    """Lay `rows` over `before`; `kept` are the masters' cells, `last` the machine's of the run before; `moving` is that
    of `merge_review`."""
    grid = before
    if shrinks and grid is not None:
        grid = _drop_rows(grid, tab, last.keys() - {row.id for row in rows})
    wanted = {column.header for column in tab.columns}
    unique = {row.id: row for row in rows}.values()
    rank = {row_id: {ORDER: str(number)} for number, row_id in enumerate(order or (), start=1)}
    fitted = [
        ReviewRow(row.id, {h: t for h, t in {**row.cells, **rank.get(row.id, {})}.items() if h in wanted})
        for row in unique
    ]
    merged = merge_review(
        grid,
        tab,
        fitted,
        kept,
        run_id=run_id,
        order=order,
        banner_text=banner,
        last=last,
        shown=shown_text,
        moving=moving,
    )
    dropped = before is not None and grid is not None and len(trim_grid(grid)) != len(trim_grid(before))
    return merged._replace(changed=merged.changed or dropped)


def _drop_rows(grid: Grid, tab: ReviewTab, gone: Collection[str]) -> Grid:
    header_row = find_header(grid, tab.headers, (tab.key,))
    if header_row is None or not gone:
        return grid
    place = [cell.strip() for cell in grid[header_row]].index(tab.key)
    return [
        row
        for number, row in enumerate(grid)
        if number <= header_row or len(row) <= place or row[place] not in gone
    ]
