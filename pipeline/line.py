"""LINE連携: the workbook from which the official LINE answers each player, apart from the masters' own.

Promises: it is read once and written at most once a run, and not at all if nothing changed; while something is in
doubt its cells keep what was last written without doubt, and the rest of the row moves on; trouble with this file is
a finding and stops nothing else. Refuses to know: what the columns mean, and why something is in doubt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from connectors.base import BookRead, SheetWrite, SourceError, Workbook
from pipeline import tabs
from pipeline.config import Config
from pipeline.desk import Cells, ReviewRow
from pipeline.desk_lay import lay_rows
from rules.clock import show_instant
from rules.frames import Finding
from rules.game import LineRow, Outcome

KEPT, BARE = "前の値: ", "未確定を除く値: "
"""How 保留中 names what is held: what keeps an earlier value, and what has had none without doubt yet."""


class LineRead(NamedTuple):
    """The workbook as it stood; None where it could not be read, or where the game has none."""

    book: BookRead | None
    findings: tuple[Finding, ...] = ()

    @property
    def sat_out(self) -> tuple[str, ...]:
        return (tabs.LINE,) if self.book is None and self.findings else ()


class LineLaid(NamedTuple):
    """The sheet to write (None: leave it alone), its machine's half for the journal, what is to be told."""

    sheet: SheetWrite | None
    fingerprint: str
    machine: Mapping[str, Cells]
    last: Mapping[str, Cells]
    findings: tuple[Finding, ...]
    sat_out: tuple[str, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        return (self.sheet.title,) if self.sheet is not None else ()


def read_line(config: Config, workbook: Workbook | None) -> LineRead:
    """Read it; what keeps us from it is told, and the file left alone in this run."""
    if not config.game.line_columns or workbook is None:
        return LineRead(None)
    try:
        book = workbook.read()
    except SourceError as error:
        return LineRead(None, (Finding("unreadable_tab", tabs.LINE, str(error)),))
    return LineRead(book, book.findings)


def lay_line(
    config: Config, read: LineRead, last: Mapping[str, Cells], outcome: Outcome, as_of: pd.Timestamp
) -> LineLaid:
    """Lay every player's row over the sheet as it stands; `last` is what the run before wrote."""
    if read.book is None:
        return LineLaid(None, "", last, last, (), read.sat_out)
    tab, run_id = tabs.line_tab(config.game), show_instant(as_of, config.settings.zone)
    rows = [
        ReviewRow(row.player, hold_back(row, last.get(row.player, {}))) for row in config.game.line(outcome)
    ]
    one = lay_rows(read.book.grids.get(tab.title), tab, rows, {}, last, run_id, shrinks=True)
    lost = any(finding.code == "unreadable_tab" for finding in one.findings)
    look = tabs.review_look(tab, one.header_row)
    return LineLaid(
        SheetWrite(tab.title, one.grid, look) if one.changed else None,
        read.book.fingerprint,
        one.machine,
        last,
        one.findings,
        (tab.title,) if lost else (),
    )


def hold_back(row: LineRow, before: Cells) -> dict[str, str]:
    """The cells to show: of what is in doubt what stood there before the doubt, else what it is without it."""
    cells = dict(row.cells)
    kept: list[str] = []
    bare: list[str] = []
    for name, plain in row.held.items():
        settled = name not in _list_bare(before) and all(header in before for header in plain)
        (kept if settled else bare).append(name)
        cells |= {header: before[header] for header in plain} if settled else plain
    told = ((KEPT, kept), (BARE, bare))
    cells[tabs.HELD_BACK] = "\n".join(mark + "、".join(names) for mark, names in told if names)
    return cells


def _list_bare(before: Cells) -> list[str]:
    """What had no value without doubt when the run before wrote."""
    lines = before.get(tabs.HELD_BACK, "").split("\n")
    return [name for line in lines if line.startswith(BARE) for name in line.removeprefix(BARE).split("、")]


def write_line(workbook: Workbook | None, laid: LineLaid) -> tuple[Finding, ...]:
    """Write it if there is anything to write; a file that is open elsewhere is tried again in the next run."""
    if laid.sheet is None or workbook is None:
        return ()
    try:
        workbook.write([laid.sheet], laid.fingerprint)
    except SourceError as error:
        return (Finding("changed", tabs.LINE, str(error)),)
    return ()
