"""Review tabs: what masters decided is read from them, what the machine found is merged into them.

Promises: a decision belongs to the id in its row's key cell, is never moved to another and never dropped: it is read,
or it is quoted in a finding; masters' cells are never written, save where their row or column had vanished.
Refuses to know: disk, clock, any game, and what a decision means.

The parts: `desk_rows` says whose row it is, `desk_merge` writes, `desk_inputs` reads the masters' own tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pipeline.desk_inputs import InputsRead, InputTab, add_input_rows, read_inputs
from pipeline.desk_merge import Merged, ReviewRow, merge_review
from pipeline.desk_rows import (
    APPLIED,
    LOST,
    ORDER,
    Cells,
    Claims,
    ReviewTab,
    claim_rows,
    digest_row,
    find_review_header,
    pick_cells,
)
from pipeline.desk_sheet import (
    Layout,
    fold_findings,
    is_blank,
    is_blank_grid,
    lay_out,
    list_doubled_headers,
    place_row,
    quote_cells,
)
from rules.frames import Finding, Grid

__all__ = [
    "APPLIED",
    "ORDER",
    "Cells",
    "InputTab",
    "InputsRead",
    "Merged",
    "ReviewRead",
    "ReviewRow",
    "ReviewTab",
    "add_input_rows",
    "digest_row",
    "merge_review",
    "read_inputs",
    "read_review",
]


class ReviewRead(NamedTuple):
    """The masters' cells of each entry whose row is there. An entry that is not in `cells` is absent: it said nothing.

    A header missing from an entry's cells is absent likewise (its column was gone and nothing of it is archived).
    """

    cells: Mapping[str, dict[str, str]]
    findings: tuple[Finding, ...]


def read_review(
    grid: Grid | None, tab: ReviewTab, known: Mapping[str, Cells], digests: Mapping[str, str]
) -> ReviewRead:
    """Read the masters' cells of a review tab as they left it.

    `known` holds the last archived masters' cells of this tab, `digests` the `digest_row` of each row last written;
    the ids of either are ours. A column that is gone reads as it was archived, so that its loss withdraws nothing.
    """
    ours = known.keys() | digests.keys()
    if grid is None or is_blank_grid(grid):
        return ReviewRead({}, _report_empty(tab) if ours else ())
    header_row = find_review_header(grid, tab)
    layout = lay_out(grid, header_row, tab.headers) if header_row is not None else None
    if layout is None or tab.key not in layout.columns:
        return ReviewRead({}, _report_no_key(tab))
    claims = claim_rows(grid, layout, tab, ours, known, digests)
    cells: dict[str, dict[str, str]] = {}
    for index, key in claims.owners.items():
        there = pick_cells(grid, layout, index, tab.masters)
        archived = {h: known.get(key, {})[h] for h in tab.masters if h in known.get(key, {})}
        cells[key] = {**archived, **there}
    findings = [
        *list_doubled_headers(grid, layout, tab.title),
        *_report_columns(layout, tab),
        *fold_findings(_report_claims(grid, layout, tab, claims)),
    ]
    return ReviewRead(cells, tuple(findings))


def _report_empty(tab: ReviewTab) -> tuple[Finding, ...]:
    text = "シートがないか空です。裁定は最後に読めた内容のまま有効で、行は作り直します"
    return (Finding("missing_tab", tab.title, text),)


def _report_no_key(tab: ReviewTab) -> tuple[Finding, ...]:
    text = f"見出し「{tab.key}」の列がありません。このシートの裁定は最後に読めた内容のまま有効です。見出しを元に戻してください"
    return (Finding("missing_column", f"{tab.title} {tab.key}", text),)


def _report_columns(layout: Layout, tab: ReviewTab) -> list[Finding]:
    text = "見出し「{}」の列がありません。この列は最後に読めた内容のまま扱い、右端に作り直します"
    return [
        Finding("missing_column", f"{tab.title} {header}", text.format(header))
        for header in tab.masters
        if header not in layout.columns
    ]


def _report_claims(grid: Grid, layout: Layout, tab: ReviewTab, claims: Claims) -> list[Finding]:
    findings = []
    for index, key in claims.healed.items():
        text = f"{tab.key}が空でしたが、行の内容から {key} とわかったので書き戻します"
        findings.append(Finding("healed_key", place_row(tab.title, index, tab.key), text, key))
    first = {key: index for index, key in claims.owners.items()}
    for index, key in claims.doubles.items():
        quoted = quote_cells(pick_cells(grid, layout, index, tab.masters))
        text = f"{tab.key} {key} の写しです。"
        text += (
            f"{first[key] + 1}行だけを読みます"
            if key in first
            else "元の行がないので、最後に読めた内容で作り直します"
        )
        if quoted:
            text += f"。読まなかった記入({quoted})を確かめ、この行を消してください"
        findings.append(Finding("doubled_key", place_row(tab.title, index, tab.key), text, key))
    for index in claims.strays:
        typed = pick_cells(grid, layout, index, tab.masters)
        if all(map(is_blank, typed.values())):
            continue
        key = layout.text(grid[index], tab.key).strip()
        nobody = key in ("", LOST)
        why = "どの受付の行かわかりません" if nobody else f"{tab.key}「{key}」という受付はありません"
        text = f"{why}。記入({quote_cells(typed)})は裁定として扱っていません。正しい行に書き直してください"
        findings.append(Finding("quarantine", place_row(tab.title, index), text, key))
    return findings
