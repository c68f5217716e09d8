"""Writing the machine's half of a review tab around the masters' half.

Promises: rows stay where masters put them, with everything in them that is not the machine's; each entry has a row;
merging again changes nothing. Refuses to know: how the texts came about, and when they reach the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from pipeline.desk_banner import set_banner
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
    name_key_column,
)
from pipeline.desk_sheet import (
    COPIED,
    HEADER_DEPTH,
    Layout,
    is_blank,
    is_blank_grid,
    lay_out,
    place_row,
    put_cell,
    trim_grid,
)
from rules.frames import Finding, Grid

RESTORED = "復元 "
"""Set before the run in 反映 where the machine filled masters' cells, from the archive, because they had vanished."""


class ReviewRow(NamedTuple):
    """One entry and the machine's texts about it, by header; a machine column that is not named becomes blank."""

    id: str
    cells: Cells


class Merged(NamedTuple):
    """The sheet as it shall stand.

    `changed` leaves the text of the banner aside: it tells of the last run that wrote, so it alone is no reason to
    write; but whoever writes anything writes this grid too. `machine` is the machine's half of each row as it now
    stands: the next run's `last`. `restored` were made again, `healed` had lost their key.
    """

    grid: Grid
    changed: bool
    findings: tuple[Finding, ...]
    healed: tuple[str, ...]
    restored: tuple[str, ...]
    machine: Mapping[str, dict[str, str]]
    header_row: int


class _Work(NamedTuple):
    """What one merge knows about all rows: the machine's texts wanted, the columns as found and as they will be."""

    tab: ReviewTab
    wanted: Mapping[str, dict[str, str]]
    kept: Mapping[str, Cells]
    last: Mapping[str, Cells]
    run_id: str
    had: Layout
    now: Layout
    moving: bool


def merge_review(
    grid: Grid | None,
    tab: ReviewTab,
    rows: Sequence[ReviewRow],
    kept: Mapping[str, Cells],
    *,
    run_id: str,
    order: Sequence[str] | None = None,
    banner_text: str = "",
    last: Mapping[str, Cells] | None = None,
    shown: Callable[[str], str] = str,
    moving: bool = False,
) -> Merged:
    """Lay the machine's texts of all entries into the tab as masters left it.

    `kept` holds the masters' cells to restore from, archived after this very grid was read; `last` the machine's half
    of each row as last written, without which a human's overwriting cannot be told from our own change; `shown` says
    how a text looks once the sheet has held it. `order` sorts whole rows; without it none moves. `moving`: people may
    move rows between our reading and our writing, so no key is ever written into a row that stands; and where only
    the order is theirs, for a filter hides rows from any sort, that alone is no reason to write.
    """
    written = {key: {h: shown(text) for h, text in cells.items()} for key, cells in (last or {}).items()}
    wanted = _list_wanted(tab, rows, shown)
    before = [] if grid is None or is_blank_grid(grid) else grid
    sheet = [list(row) for row in before] or _start_sheet(tab)
    had = _find_columns(sheet, tab, wanted.keys(), moving)
    if isinstance(had, str):
        return _refuse(sheet, tab, written, had)
    header_row = had.header_row
    digests = {key: digest_row(cells, tab) for key, cells in written.items()}
    claims = claim_rows(sheet, had, tab, wanted.keys(), kept, digests)
    if moving:
        claims = claims.without_healed()
    work = _Work(tab, wanted, kept, written, run_id, had, _add_columns(sheet, had, tab), moving)
    findings = [*_report_lost_columns(work), *_rewrite_rows(sheet, claims, work)]
    owned = {key: sheet[index] for index, key in claims.owners.items()}
    made = {key: _make_row(key, work) for key in wanted if key not in owned}
    owned |= made
    sheet = [*_drop_end(sheet), *made.values()]
    changed = trim_grid(sheet) != trim_grid(before)
    if order is not None:
        sheet = _sort_rows(sheet, header_row, [owned[key] for key in dict.fromkeys(order) if key in owned])
        changed = changed or (not moving and trim_grid(sheet) != trim_grid(before))
    machine = {key: {h: work.now.text(row, h) for h in tab.machines} for key, row in owned.items()}
    if tab.banner and banner_text:
        told = set_banner(sheet, header_row, banner_text)
        changed, sheet, header_row = changed or not told.was_there, told.grid, told.header_row
    restored = tuple(key for key in made if key in kept or key in written)
    healed = tuple(claims.healed.values())
    return Merged(sheet, changed, tuple(findings), healed, restored, machine, header_row)


def _list_wanted(
    tab: ReviewTab, rows: Sequence[ReviewRow], shown: Callable[[str], str]
) -> dict[str, dict[str, str]]:
    """The machine's half of each row, but the run that applied it. A wrong row is our own fault and stops the run."""
    wanted: dict[str, dict[str, str]] = {}
    for row in rows:
        strange = row.cells.keys() - set(tab.machines)
        if strange or row.id in wanted or row.id != row.id.strip() or not row.id:
            raise ValueError(
                f"{tab.title}: row {row.id!r} is doubled, has no fit id or strange columns {strange}"
            )
        cells = {h: shown(row.cells.get(h, "")) for h in tab.machines if h != APPLIED}
        wanted[row.id] = {**cells, tab.twin: row.id} if tab.twin in tab.machines else cells
    return wanted


def _start_sheet(tab: ReviewTab) -> Grid:
    header = list(tab.headers)
    return [[], header] if tab.banner else [header]


def _find_columns(sheet: Grid, tab: ReviewTab, ours: Collection[str], moving: bool) -> Layout | str:
    """Where the columns are, or why nothing can be written."""
    header_row = find_review_header(sheet, tab)
    if header_row is None:
        return f"上から{HEADER_DEPTH}行に見出しの行が見つからない"
    had = lay_out(sheet, header_row, tab.headers)
    if not moving or tab.key in had.columns:
        return had
    # No key is written into a row that may move meanwhile, but the header of the column that holds them is.
    named = name_key_column(sheet, header_row, tab, ours)
    return lay_out(sheet, header_row, tab.headers) if named else f"見出し「{tab.key}」の列がない"


def _refuse(sheet: Grid, tab: ReviewTab, written: Mapping[str, Cells], why: str) -> Merged:
    """Leave a sheet alone whose header is gone: below it any cell could be anything."""
    text = f"{why}ので、何も書きませんでした。元に戻すか、シートの名前を変えれば新しく作り直します"
    finding = Finding("unreadable_tab", tab.title, text)
    return Merged(sheet, False, (finding,), (), (), {key: dict(cells) for key, cells in written.items()}, 0)


def _add_columns(sheet: Grid, had: Layout, tab: ReviewTab) -> Layout:
    """Put the columns that are gone behind everything, also behind cells that stand under no header.

    A doubled header becomes another one, so that its column cannot take the place of the first.
    """
    width = max(len(row) for row in trim_grid(sheet))
    gone = [header for header in tab.headers if header not in had.columns]
    added = {header: width + place for place, header in enumerate(gone)}
    for index, cell in enumerate(sheet[had.header_row]):
        if had.columns.get(cell.strip(), index) != index:
            sheet[had.header_row][index] = f"{cell.strip()} {COPIED}"
    for header, index in added.items():
        put_cell(sheet[had.header_row], index, header)
    return Layout(had.header_row, {**had.columns, **added})


def _report_lost_columns(work: _Work) -> list[Finding]:
    """Machine columns that were written before and are gone; the masters' are reported where they are read."""
    ever = {header for cells in work.last.values() for header in cells}
    lost = [header for header in work.tab.machines if header in ever and header not in work.had.columns]
    text = "見出し「{}」の列がなかったので右端に作り直しました"
    return [Finding("repaired", f"{work.tab.title} {h}", text.format(h)) for h in lost]


def _rewrite_rows(sheet: Grid, claims: Claims, work: _Work) -> list[Finding]:
    findings = []
    for index, key in claims.owners.items():
        row, place = sheet[index], place_row(work.tab.title, index)
        twin = claims.crossed.get(index, "")
        if twin:
            text = f"{work.tab.key} {key} の行に {twin} の内容がありました。{work.tab.key}に合わせて書き直しました"
            findings.append(Finding("crossed_row", place, text, key))
        if index in claims.healed:
            put_cell(row, work.now.columns[work.tab.key], key)
        refilled = _refill(row, key, work)
        changed = False
        for header, text in work.wanted[key].items():
            stood = work.had.text(row, header)
            changed = changed or (stood != text and header != ORDER)
            if stood != text and _is_foreign(stood, header, (key, twin), work):
                findings.append(_report_repair(place, header, stood, key))
            put_cell(row, work.now.columns[header], text)
        if APPLIED in work.now.columns:
            findings += _sign_row(row, place, (key, twin), changed, refilled, work)
    _mark_others(sheet, claims, work)
    return findings


def _mark_others(sheet: Grid, claims: Claims, work: _Work) -> None:
    """Write down which rows are copies or nobody's, so that they are still known as such when the sheet has moved on.

    A row under a key that is not of ours, but whole, is somebody's own and stays as it is.
    """
    tab, columns = work.tab, work.now.columns
    for index, key in claims.doubles.items() if APPLIED in columns else ():
        for header, text in {**work.wanted[key], APPLIED: COPIED}.items():
            put_cell(sheet[index], columns[header], text)
    for index in () if work.moving else claims.strays:
        row = sheet[index]
        key, twin = work.now.text(row, tab.key).strip(), work.had.text(row, tab.twin).strip()
        if not is_blank(work.had.text(row, APPLIED)) and (not key or (twin != key and tab.twin in columns)):
            put_cell(row, columns[APPLIED], LOST)
        if not key:
            put_cell(row, columns[tab.key], LOST)


def _is_foreign(stood: str, header: str, keys: tuple[str, str], work: _Work) -> bool:
    """Whether a human wrote this: we remember what we wrote here, and it is not that."""
    remembered = [work.last[key][header] for key in keys if header in work.last.get(key, {})]
    return header in work.had.columns and bool(remembered) and stood not in remembered


def _report_repair(place: str, header: str, stood: str, key: str) -> Finding:
    text = f"「{stood}」と書かれていましたが、機械の列なので書き直しました。裁定や訂正は色付きの列に書いてください"
    return Finding("repaired", f"{place} {header}", text, key)


def _refill(row: list[str], key: str, work: _Work) -> bool:
    """Fill the masters' columns that were gone from what is archived; say whether there was anything."""
    filled = False
    for header in work.tab.masters:
        text = work.kept.get(key, {}).get(header, "")
        if header not in work.had.columns and text:
            put_cell(row, work.now.columns[header], text)
            filled = True
    return filled


_SIGNATURE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")


def _sign_row(
    row: list[str], place: str, keys: tuple[str, str], changed: bool, refilled: bool, work: _Work
) -> list[Finding]:
    """Name the run in the row if it changed the row; put back what it said if only that was overwritten."""
    stood, before = work.had.text(row, APPLIED), work.last.get(keys[0], {}).get(APPLIED)
    signed = (work.run_id, RESTORED + work.run_id)
    # A run that was killed before its journal, or another machine's, signed the row all the same: that is nobody's
    # doing, and where the row shows what we want, it is the run that last changed it.
    theirs = _SIGNATURE.fullmatch(stood.removeprefix(RESTORED)) is not None
    later = (before or "").removeprefix(RESTORED) < stood.removeprefix(RESTORED) <= work.run_id
    if changed or refilled:
        text = signed[1] if refilled else signed[0]
    elif stood in signed or (before is None and not is_blank(stood)) or (theirs and later):
        text = stood
    else:
        text = signed[0] if before is None else before
    put_cell(row, work.now.columns[APPLIED], text)
    if stood not in signed and not theirs and _is_foreign(stood, APPLIED, keys, work):
        return [_report_repair(place, APPLIED, stood, keys[0])]
    return []


def _make_row(key: str, work: _Work) -> list[str]:
    """A row for an entry that has none: new, or made again with the masters' cells that the archive kept."""
    again = key in work.kept or key in work.last
    row: list[str] = []
    masters = {h: work.kept.get(key, {}).get(h, "") for h in work.tab.masters}
    applied = (RESTORED if again else "") + work.run_id
    cells = {**masters, **work.wanted[key], work.tab.key: key, APPLIED: applied}
    for header, index in work.now.columns.items():
        put_cell(row, index, cells[header])
    return row


def _drop_end(sheet: Grid) -> Grid:
    """The same rows without the empty ones at the end, so that new ones follow the last."""
    return sheet[: len(trim_grid(sheet))]


def _sort_rows(sheet: Grid, header_row: int, first: Sequence[list[str]]) -> Grid:
    """Whole rows in the given order; those that are not in it stay behind, as they stood."""
    moved = {id(row) for row in first}
    rest = [row for row in sheet[header_row + 1 :] if id(row) not in moved]
    return [*sheet[: header_row + 1], *first, *rest]
