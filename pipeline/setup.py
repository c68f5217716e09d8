"""`saitei sheets setup`: the spreadsheets at Google, made once and mended whenever something of ours is missing.

Promises: a tab that is there keeps every cell; one that is missing is laid as a run would lay it, from the archive or,
before the first run, from the masters' tables; nothing is archived; a second call sends nothing. Refuses to know:
forms, and what the tabs are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from connectors.base import BookRead, SheetWrite
from connectors.google_admin import Sharing, create_book
from connectors.google_calls import BookCalls
from connectors.google_session import Google
from connectors.google_views import View, add_views
from pipeline import gather, tabs
from pipeline.archive import Archive
from pipeline.commands import choose_instant, only_run
from pipeline.config import Config, load_config
from pipeline.desk_sheet import find_header, is_blank_grid
from pipeline.google_files import read_files, read_state, show_address, write_state
from pipeline.google_maker import connect_maker, name_runner
from pipeline.journal import read_known
from pipeline.outside import open_master
from pipeline.prospect import borrow_archive, judge_tables
from pipeline.sheets import lay_sheets, list_tabs
from pipeline.tabs import LINE, MASTER
from rules.clock import show_instant
from rules.verdicts import BLOCKED, HELD, PENDING

Say = Callable[[str], None]
_BLANK = "シート1"
_WORDS = (BLOCKED, HELD, PENDING)
"""What a filter view shows alone."""


class _Laid(NamedTuple):
    """The tabs as they shall stand, which of them are new, and what is wrong."""

    sheets: list[SheetWrite]
    made: list[str]
    faults: list[str]


def set_up(path: Path, say: Say) -> int:
    """Make what is missing; 1 if something is wrong that only a person may change."""
    config = load_config(path)
    with only_run(config):
        runner = name_runner(config)
        read_files(config)
        with connect_maker(config) as google:
            master = _find_book(config, google, MASTER, say)
            line = _find_book(config, google, LINE, say)
            _share_books(config, google, runner, say)
            faults = _mend_master(config, google, master, say)
            _mend_line(google, line, say)
    for fault in faults:
        say(f"直す　{fault}")
    if runner == "":
        say(
            "直す　saitei を実行するアカウントを、2つの表の編集者に加えてください（サインインからは分かりません）"
        )
    return 1 if faults or runner == "" else 0


def _find_book(config: Config, google: Google, what: str, say: Say) -> str:
    """The id of the spreadsheet, made now if there is none."""
    files = read_files(config)
    known = files.spreadsheet if what == MASTER else files.line
    if known:
        say(f"ok　　{what}　もうあります（ID {known}）")
        return known
    first = _BLANK if what == MASTER else LINE
    title = f"{config.game.title} {what}"
    made = create_book(google, title, str(config.settings.zone), first)
    state = read_state(config)
    if what == MASTER:
        state.spreadsheet = made
        state.unfinished.append(MASTER)
    else:
        state.line = made
    write_state(config, state)
    say(f"作りました　{title}　{show_address(made)}")
    return made


def _share_books(config: Config, google: Google, runner: str | None, say: Say) -> None:
    """Let the account of the runs write in what we made; what the config names was shared by whoever made it."""
    block, state = config.block.google, read_state(config)
    for what, made, named in ((MASTER, state.spreadsheet, block.spreadsheet), (LINE, state.line, block.line)):
        if runner and made and not named and Sharing(google).let_write(made, what, runner):
            say(f"共有しました　{what}　{runner} を編集者に加えました")


def _mend_master(config: Config, google: Google, book_id: str, say: Say) -> list[str]:
    workbook, state = open_master(config, google, book_id), read_state(config)
    # A spreadsheet cannot be made without a tab, nor lose its only one.
    begun = MASTER in state.unfinished and is_blank_grid(workbook.read().grids.get(_BLANK, []))
    with borrow_archive(config) as archive:
        book = gather.read_book(config, workbook, archive)
        laid = _lay(config, archive, book)
    workbook.write(laid.sheets, book.fingerprint)
    add_views(google, book_id, MASTER, list(_list_views(laid.sheets)), _BLANK if begun else "")
    if MASTER in state.unfinished:
        state.unfinished.remove(MASTER)
        write_state(config, state)
    if laid.made:
        say(f"シートを作りました　{'、'.join(laid.made)}")
    else:
        say(f"ok　　{MASTER}　シートは {len(laid.sheets)} 枚ともあります")
    zone = str(config.settings.zone)
    if book.zone != zone:
        laid.faults.append(
            f"{MASTER}のタイムゾーンが {book.zone} です。「ファイル」→「設定」で {zone} にしてください（変えていません）"
        )
    return laid.faults


def _lay(config: Config, archive: Archive, book: BookRead) -> _Laid:
    """Each tab: as it was read, or as a run would lay it now."""
    known, last = read_known(archive), archive.last_run()
    as_of = last[0] if last is not None else choose_instant(config, None)
    full = book
    if archive.inputs().empty:
        full = book._replace(grids={**gather.read_seed(config), **book.grids})
    outcome, findings = judge_tables(config, archive, full, as_of)
    desk = lay_sheets(config, archive, full, outcome, findings, as_of, {}, moving=True)
    columns: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        tab.title: (tab.headers, (tab.key,)) for tab in list_tabs(config)
    }
    columns |= {table.name: (table.headers, table.key) for table in config.game.tables}
    laid, run = _Laid([], [], []), show_instant(as_of, config.settings.zone)
    for sheet in desk.sheets:
        grid = book.grids.get(sheet.title, []) if book.fingerprint else []
        header = find_header(grid, *columns[sheet.title])
        if is_blank_grid(grid):
            history = sheet.title == tabs.RUNS
            laid.made.append(sheet.title)
            laid.sheets.append(_drop_run(sheet, known.rows.get(tabs.RUNS, {}), run) if history else sheet)
        elif header is None:
            laid.faults.append(
                f"シート「{sheet.title}」の見出しが見つかりません。元の題名に戻してください（何も変えていません）"
            )
        else:
            laid.sheets.append(sheet._replace(grid=grid, look=sheet.look._replace(header_row=header)))
    return laid


def _drop_run(sheet: SheetWrite, known: Mapping[str, Mapping[str, str]], run: str) -> SheetWrite:
    """The history without this call, which is no run; the run of the same instant is told as it was."""
    head = sheet.look.header_row
    headers = sheet.grid[head]
    key = next(column.header for column in sheet.look.columns if column.owner == "key")
    place = headers.index(key)
    rows = []
    for row in sheet.grid[head + 1 :]:
        if row[place] != run:
            rows.append(row)
        elif run in known:
            rows.append([run if header == key else known[run].get(header, "") for header in headers])
    return sheet._replace(grid=[*sheet.grid[: head + 1], *rows])


def _list_views(sheets: Sequence[SheetWrite]) -> Iterator[View]:
    """For each tab with verdicts, one view for each word."""
    for sheet in sheets:
        headers = [cell.strip() for cell in sheet.grid[sheet.look.header_row]]
        if tabs.EFFECTIVE in headers and sheet.look.colour_header == tabs.EFFECTIVE:
            place = headers.index(tabs.EFFECTIVE)
            for word in _WORDS:
                yield View(sheet.title, word, sheet.look.header_row, place, len(headers))


def _mend_line(google: Google, book_id: str, say: Say) -> None:
    """The spreadsheet that LINE reads from has one tab, which the runs fill."""
    book = BookCalls(google, book_id, LINE)
    sheets = book.get("sheets(properties(title))").get("sheets", [])
    if all(sheet["properties"]["title"] != LINE for sheet in sheets):
        book.update([{"addSheet": {"properties": {"title": LINE}}}])
        say(f"シートを作りました　{LINE}")
