"""The whole spreadsheet of one run: every tab as it shall stand, and what changed.

Promises: masters' cells, rows, columns and tabs survive; a tab in which nothing changed is not touched; the line on
top and the history speak of runs that wrote. Refuses to know: the file, any game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from connectors.base import BookRead, SheetWrite
from pipeline import pages, tabs
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.desk import Cells, Merged, ReviewRow, ReviewTab, add_input_rows
from pipeline.desk_lay import lay_rows
from pipeline.desk_sheet import find_header, read_lines, trim_grid
from pipeline.gather import newest_cells, restore_grid
from pipeline.journal import Known, read_known
from pipeline.publish import file_stem
from rules.clock import show_instant
from rules.frames import Finding, Grid
from rules.game import Outcome
from rules.game import ReviewRow as Shown
from rules.tables import Row
from rules.verdicts import BLOCKED


class Desk(NamedTuple):
    """All tabs to write, the machine's half of each row, CSV twins, and what is to be told."""

    sheets: list[SheetWrite]
    machine: Mapping[str, Mapping[str, Mapping[str, str]]]
    twins: Mapping[str, Grid]
    touched: Mapping[str, bool]
    findings: tuple[Finding, ...]
    changes: tuple[str, ...]
    waiting: int

    @property
    def changed(self) -> bool:
        return any(self.touched.values())


def list_tabs(config: Config) -> list[ReviewTab]:
    """Every tab of rows with a key: 要確認, the review tabs, the output tabs."""
    masters = config.block.masters
    forms = [tabs.form_tab(form, masters) for form in config.forms]
    outputs = tabs.output_tabs(config.game, masters, config.game.overview_header)
    return [tabs.attention_tab(masters), *forms, *outputs.values()]


def tab_order(config: Config) -> list[str]:
    """要確認 first, then today, the forms, what was derived, and the masters' own tables."""
    forms = [form.title for form in config.forms]
    tables = [table.name for table in config.game.tables]
    shown = [tabs.ATTENTION, tabs.TODAY, tabs.PREVIEW, *forms, tabs.MAIL, tabs.BLOG, tabs.STATE, tabs.LEDGER]
    return [*shown, *tables, tabs.RUNS]


class _Lay(NamedTuple):
    """What every tab of one run is laid with."""

    config: Config
    book: BookRead
    run_id: str
    as_of: pd.Timestamp
    known: Known
    kept: Mapping[str, Mapping[str, Cells]]
    outcome: Outcome
    shown: Mapping[str, Shown]
    review: Mapping[str, list[ReviewRow]]
    moving: bool


_Laid = dict[str, tuple[ReviewTab, Merged]]


def lay_sheets(
    config: Config,
    archive: Archive,
    book: BookRead,
    outcome: Outcome,
    findings: Sequence[Finding],
    as_of: pd.Timestamp,
    files: Mapping[str, str],
    *,
    moving: bool = False,
) -> Desk:
    """Lay every tab over what the masters left; `moving` is that of `merge_review`."""
    run_id = show_instant(as_of, config.settings.zone)
    shown = config.game.review(outcome, config.settings)
    review = pages.review_rows(outcome, shown, config.settings)
    lay = _Lay(
        config,
        book,
        run_id,
        as_of,
        read_known(archive),
        newest_cells(archive),
        outcome,
        shown,
        review,
        moving,
    )
    laid: _Laid = {**_lay_forms(lay), **_lay_outputs(lay, files)}
    told = tuple(dict.fromkeys([*findings, *(f for _tab, one in laid.values() for f in one.findings)]))
    inputs, input_touched = _lay_inputs(lay, archive)
    waiting = sum(1 for pair in _statuses(outcome) if BLOCKED in pair)
    laid |= _lay_attention(lay, told, waiting)
    changes = _list_changes(lay.known.verdicts, outcome, shown)
    touched = {title: one.changed for title, (_tab, one) in laid.items()} | input_touched
    laid |= _lay_history(lay, archive, touched, (len(changes), waiting, len(told)))
    touched[tabs.RUNS] = laid[tabs.RUNS][1].changed
    return Desk(
        _in_order(config, [*_writes(laid), *inputs]),
        {title: one.machine for title, (_tab, one) in laid.items()},
        {title: laid[title][1].grid for title in (tabs.STATE, tabs.LEDGER, tabs.MAIL, tabs.BLOG)},
        touched,
        tuple(f for f in told if f not in findings),
        changes,
        waiting,
    )


def _statuses(outcome: Outcome) -> list[tuple[str, str]]:
    return list(zip(outcome.verdicts["effective"], outcome.verdicts["preview"], strict=True))


def _lay_forms(lay: _Lay) -> _Laid:
    out: _Laid = {}
    for form in lay.config.forms:
        tab = tabs.form_tab(form, lay.config.block.masters)
        out[tab.title] = (tab, _merge(lay, tab, lay.review[form.name]))
    return out


def _output_tabs(lay: _Lay) -> dict[str, ReviewTab]:
    game = lay.config.game
    return tabs.output_tabs(game, lay.config.block.masters, game.overview_header)


def _lay_outputs(lay: _Lay, files: Mapping[str, str]) -> _Laid:
    """The tabs that only show."""
    outcome, settings, game = lay.outcome, lay.config.settings, lay.config.game
    mails = lay.kept.get(tabs.MAIL, {})
    header, rows = game.overview(outcome, lay.as_of, settings)
    blog_files = {title: path for path, title in _blog_titles(outcome, files).items()}
    today = pages.today_page(outcome, lay.shown, mails, lay.as_of, settings)
    out: _Laid = {}
    for title, made in (
        (tabs.TODAY, today.rows),
        (tabs.PREVIEW, pages.preview_rows(outcome)),
        (tabs.STATE, pages.state_rows(header, rows)),
        (tabs.LEDGER, pages.ledger_rows(outcome, game, settings)),
        (tabs.MAIL, pages.mail_rows(outcome.tasks, mails, lay.as_of, settings)),
        (tabs.BLOG, pages.blog_rows(outcome.tasks, blog_files, settings)),
    ):
        tab = _output_tabs(lay)[title]
        rows_kept = _keep_noted(lay, title, made)
        order = [row.id for row in rows_kept] if title == tabs.TODAY else None
        out[title] = (tab, _merge(lay, tab, rows_kept, order=order, shrinks=True))
    return out


_LEFT: Mapping[str, str] = {tabs.TODAY: "終了", tabs.MAIL: "取り消し", tabs.BLOG: "取り消し"}


def _keep_noted(lay: _Lay, title: str, rows: list[ReviewRow]) -> list[ReviewRow]:
    """Rows that are no longer derived but beside which a master wrote something stay, and say so."""
    state = _LEFT.get(title, "")
    if not state:
        return rows
    present, noted = {row.id for row in rows}, lay.kept.get(title, {})
    left = [
        ReviewRow(row_id, {**cells, "状態": state})
        for row_id, cells in lay.known.rows.get(title, {}).items()
        if row_id not in present and any(text.strip() for text in noted.get(row_id, {}).values())
    ]
    return [*rows, *left]


def _lay_attention(lay: _Lay, told: Sequence[Finding], waiting: int) -> _Laid:
    tab = tabs.attention_tab(lay.config.block.masters)
    # What a run told that was killed before its journal is settled like the rest.
    lines = read_lines(lay.book.grids.get(tab.title) or [], tab.key, tab.machines)
    told_then = {row_id: cells for row_id, cells in lines.items() if row_id.startswith(pages.FINDING_ID)}
    last = {**told_then, **lay.known.rows.get(tab.title, {})}
    page = pages.attention_page(lay.outcome, lay.shown, lay.review, told, lay.config.settings, last)
    banner = f"最終更新 {lay.run_id}　要確認 {waiting}件　所見 {len(told)}件"
    return {tab.title: (tab, _merge(lay, tab, page.rows, order=page.order, banner=banner))}


def _writes(laid: _Laid) -> list[SheetWrite]:
    out = []
    for title, (tab, one) in laid.items():
        frozen = 3 if "有効" in tab.headers else 1
        out.append(SheetWrite(title, one.grid, tabs.review_look(tab, one.header_row, frozen=frozen)))
    return out


def _in_order(config: Config, sheets: Sequence[SheetWrite]) -> list[SheetWrite]:
    place = {title: number for number, title in enumerate(tab_order(config))}
    return sorted(sheets, key=lambda sheet: place.get(sheet.title, len(place)))


def _merge(
    lay: _Lay,
    tab: ReviewTab,
    rows: Sequence[ReviewRow],
    *,
    order: Sequence[str] | None = None,
    banner: str = "",
    shrinks: bool = False,
) -> Merged:
    """One tab laid over what stands there."""
    return lay_rows(
        lay.book.grids.get(tab.title),
        tab,
        rows,
        lay.kept.get(tab.title, {}),
        lay.known.rows.get(tab.title, {}),
        lay.run_id,
        order=order,
        banner=banner,
        shrinks=shrinks,
        moving=lay.moving,
    )


def _lay_inputs(lay: _Lay, archive: Archive) -> tuple[list[SheetWrite], dict[str, bool]]:
    """The masters' own tables: made where missing, rows of the machine's appended, everything else as it stands."""
    config, outcome, as_of = lay.config, lay.outcome, lay.as_of
    made = config.game.made_rows(outcome, as_of)
    players = list(
        dict.fromkeys(row.get(config.game.player_column) for row in outcome.rows[config.game.roster_table])
    )
    sheets, touched = [], {}
    for table in config.game.tables:
        tab = tabs.input_tab(table)
        before = lay.book.grids.get(table.name)
        grid = before if before is not None else restore_grid(tab, archive.inputs())
        present = {_shown_key(row, table.key) for row in outcome.rows[table.name]}
        new = [row for row in made.get(table.name, []) if tuple(row[h] for h in table.key) not in present]
        after = add_input_rows(grid, tab, new)
        header = find_header(after, tab.columns, tab.key)
        look = tabs.input_look(
            table, players, config.game.player_column, header or 0, grows=table.name in made
        )
        sheets.append(SheetWrite(table.name, after, look))
        missing = before is None or not lay.book.fingerprint
        touched[table.name] = missing or trim_grid(after) != trim_grid(before or [])
    return sheets, touched


def _shown_key(row: Row, key: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        value.isoformat() if hasattr(value, "isoformat") else str(value) for value in map(row.get, key)
    )


def _blog_titles(outcome: Outcome, files: Mapping[str, str]) -> dict[str, str]:
    titles = {file_stem(task.title): task.title for task in outcome.tasks if task.kind == "article"}
    found = {}
    for path in files:
        stem = path.rpartition("/")[2].rpartition(".")[0]
        title = next((t for s, t in titles.items() if stem.endswith(s)), None)
        if title and path.endswith(".html"):
            found[path] = title
    return found


def _list_changes(
    before: Mapping[str, Mapping[str, Any]], outcome: Outcome, shown: Mapping[str, Shown]
) -> tuple[str, ...]:
    """Each verdict in force that differs from what the last run recorded, in one line."""
    now = zip(outcome.verdicts["entry_id"], outcome.verdicts["effective"], strict=True)
    out = []
    for entry, status in now:
        known = before.get(str(entry), {}).get("effective", "なし")
        if status and known != status:
            out.append(f"{entry}　{shown[str(entry)].who_what}　{known} → {status}")
    return tuple(out)


def _lay_history(
    lay: _Lay, archive: Archive, touched: Mapping[str, bool], numbers: tuple[int, int, int]
) -> _Laid:
    """実行履歴: one line for each run that wrote something; lines are only ever added."""
    tab = _output_tabs(lay)[tabs.RUNS]
    grid = lay.book.grids.get(tab.title)
    # A run that was killed before its journal left its line all the same.
    rows = {**read_lines(grid or [], tab.key, tab.machines), **lay.known.rows.get(tab.title, {})}
    titles = [title for title, changed in touched.items() if changed]
    if titles:
        rows[lay.run_id] = {
            "変わった判定": str(numbers[0]),
            "要確認": str(numbers[1]),
            "所見": str(numbers[2]),
            "新しい送信": str(_count_fresh(archive, lay.run_id, lay.config)),
            "内容": "書き込んだシート: " + "、".join(titles),
        }
    if titles or grid is None:
        return {
            tab.title: (tab, _merge(lay, tab, [ReviewRow(row_id, cells) for row_id, cells in rows.items()]))
        }
    header = find_header(grid, tab.headers, (tab.key,)) or 0
    return {tab.title: (tab, Merged(grid, False, (), (), (), rows, header))}


def _count_fresh(archive: Archive, run_id: str, config: Config) -> int:
    seen = archive.revisions()["first_seen"]
    return sum(1 for instant in seen if show_instant(instant, config.settings.zone) == run_id)
