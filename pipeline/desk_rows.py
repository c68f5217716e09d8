"""Whose row is it: which line of a review tab belongs to which entry.

Promises: a line belongs to the id in its key cell and to nothing else; a line that lost its key gets it back only
where no sort, deletion or copy could have put another entry's words on it. Refuses to know: what the words mean.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from typing import NamedTuple

from connectors.base import ColumnLook
from pipeline.desk_sheet import COPIED, Layout, find_header, is_blank, put_cell
from rules.frames import Grid

APPLIED = "反映"
"""The machine column that names the run which last changed the row."""

ORDER = "順"
"""The machine column that numbers the rows of a tab that the machine sorts; a new number alone signs no row."""

LOST = "不明"
"""Stands in 対応 and 反映 of a row that is nobody's: once set aside, it is not given to an entry that vanishes later."""

Cells = Mapping[str, str]


class ReviewTab(NamedTuple):
    """A tab in which masters decide. `twin` repeats the key in the machine's half of the row ("" = no such column).

    The key travels with the masters' cells and the twin with the machine's, so that a sort which crosses a write
    shows. `banner`: a line of the machine's stands above the header.
    """

    title: str
    columns: tuple[ColumnLook, ...]
    key: str = "対応"
    twin: str = "受付ID"
    banner: bool = False

    @property
    def headers(self) -> tuple[str, ...]:
        return tuple(column.header for column in self.columns)

    @property
    def masters(self) -> tuple[str, ...]:
        return tuple(c.header for c in self.columns if c.owner == "master")

    @property
    def machines(self) -> tuple[str, ...]:
        return tuple(c.header for c in self.columns if c.owner == "machine")


class Claims(NamedTuple):
    """Rows by index: the one row of each id, further copies of it, and rows of nobody that are not blank.

    `owners` includes `healed`, the rows whose blank key was found again. `crossed` are rows of an id whose machine
    half is another's.
    """

    owners: Mapping[int, str]
    healed: Mapping[int, str]
    doubles: Mapping[int, str]
    strays: tuple[int, ...]
    crossed: Mapping[int, str]

    def without_healed(self) -> Claims:
        """The same without writing a key back: such a row stays nobody's, and its entry gets a row anew."""
        owners = {index: key for index, key in self.owners.items() if index not in self.healed}
        strays = tuple(sorted((*self.strays, *self.healed)))
        return self._replace(owners=owners, healed={}, strays=strays)


def find_review_header(grid: Grid, tab: ReviewTab) -> int | None:
    """The header row, by the key column; where that was deleted, by most of the others."""
    row = find_header(grid, tab.headers, (tab.key,))
    if row is not None:
        return row
    row = find_header(grid, tab.headers, ())
    if row is None:
        return None
    shown = {cell.strip() for cell in grid[row]}.intersection(tab.headers)
    return row if 2 * len(shown) >= len(tab.headers) else None


def name_key_column(grid: Grid, header_row: int, tab: ReviewTab, ours: Collection[str]) -> bool:
    """Give the key column its header back, in the caller's own grid, and say whether there was one.

    It is the column under no header of ours whose cells are most of them ids of ours.
    """
    below = [row for row in grid[header_row + 1 :] if any(not is_blank(cell) for cell in row)]
    head = grid[header_row]
    for index in range(max(map(len, grid))):
        stood = head[index].strip() if index < len(head) else ""
        keys = sum(1 for row in below if index < len(row) and row[index].strip() in ours)
        if stood not in tab.headers and keys and 2 * keys >= len(below):
            put_cell(head, index, tab.key)
            return True
    return False


def digest_row(cells: Cells, tab: ReviewTab) -> str:
    """Digest the machine's half of a row: it tells whose row it is when key and twin are both gone."""
    facts = [
        [header, cells.get(header, "")] for header in tab.machines if header not in (tab.twin, APPLIED, ORDER)
    ]
    return hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()[:16]


def pick_cells(grid: Grid, layout: Layout, index: int, headers: Collection[str]) -> dict[str, str]:
    """The cells of one row under those of `headers` that the sheet has."""
    return {h: layout.text(grid[index], h) for h in headers if h in layout.columns}


def claim_rows(
    grid: Grid,
    layout: Layout,
    tab: ReviewTab,
    ours: Collection[str],
    known: Mapping[str, Cells],
    digests: Mapping[str, str],
) -> Claims:
    """Say of each row whose it is. `ours` are all ids; those in `known` or `digests` have had a row before."""
    keyed: dict[int, str] = {}
    strays = []
    for index in range(layout.header_row + 1, len(grid)):
        key = layout.text(grid[index], tab.key).strip()
        if key in ours:
            keyed[index] = key
        elif not all(is_blank(layout.text(grid[index], header)) for header in tab.headers):
            strays.append(index)
    twins = {index: layout.text(grid[index], tab.twin).strip() for index in keyed}
    crossed = {
        index: twins[index] for index, key in keyed.items() if twins[index] != key and twins[index] in ours
    }
    copies = {i for i in keyed if layout.text(grid[i], APPLIED) == COPIED and i not in crossed}

    said = {index: pick_cells(grid, layout, index, tab.masters) for index in [*keyed, *strays]}

    def agrees(index: int, key: str) -> bool:
        return _says_the_same(said[index], known.get(key, {}))

    owners = _choose_owners(
        keyed, twins, {index for index in copies if not agrees(index, keyed[index])}, copies
    )
    missing = (known.keys() | digests.keys()).intersection(ours).difference(owners.values())
    set_aside = [i for i in strays if layout.text(grid[i], APPLIED) in (COPIED, LOST)]
    calm = len(strays) == 1 and len(missing) == 1 and not crossed and not set_aside
    fits = _fit_strays(grid, layout, tab, strays, missing, ours, digests)
    healed = {
        index: key
        for index, key in fits.items()
        if agrees(index, key) or (calm and _keeps_a_word(said[index], known.get(key, {})))
    }
    return Claims(
        dict(sorted({**owners, **healed}.items())),
        healed,
        {index: key for index, key in keyed.items() if index not in owners},
        tuple(index for index in strays if index not in healed),
        crossed,
    )


def _choose_owners(
    keyed: Mapping[int, str], twins: Mapping[int, str], mute: Collection[int], copies: Collection[int]
) -> dict[int, str]:
    """One row of each key: the first that is no copy, then the first copy that is not `mute`, else none.

    A row whose machine half is another entry's comes only after those whose halves agree: a key dragged or typed over
    the row above its own must not give that row's words to it.
    """
    chosen: dict[str, int] = {}
    for index in sorted(keyed, key=lambda index: (index in copies, twins[index] != keyed[index], index)):
        if index not in mute:
            chosen.setdefault(keyed[index], index)
    return {index: key for key, index in chosen.items()}


def _fit_strays(
    grid: Grid,
    layout: Layout,
    tab: ReviewTab,
    strays: list[int],
    missing: Collection[str],
    ours: Collection[str],
    digests: Mapping[str, str],
) -> dict[int, str]:
    """Rows with a blank key whose machine half is that of just one missing id, which fits no other row."""
    by_digest: dict[str, list[str]] = {}
    for key in missing:
        by_digest.setdefault(digests.get(key, ""), []).append(key)
    by_digest.pop("", None)
    fits: dict[str, list[int]] = {}
    for index in strays:
        if not is_blank(layout.text(grid[index], tab.key)):
            continue
        twin = layout.text(grid[index], tab.twin).strip()
        half = pick_cells(grid, layout, index, tab.machines)
        by_half = [] if all(map(is_blank, half.values())) else by_digest.get(digest_row(half, tab), [])
        candidates = [twin] if twin in ours else by_half
        if len(candidates) == 1 and candidates[0] in missing:
            fits.setdefault(candidates[0], []).append(index)
    return {rows[0]: key for key, rows in fits.items() if len(rows) == 1}


def _says_the_same(cells: Cells, known: Cells) -> bool:
    """A row that says just what is archived for an entry can be given to it: no word of anyone moves."""
    return all(text == known.get(header, "") for header, text in cells.items())


def _keeps_a_word(cells: Cells, known: Cells) -> bool:
    """Whether a row may be that of an entry as it was archived and then edited: something of it is still there."""
    words = {header: text for header, text in known.items() if not is_blank(text)}
    return not words or any(cells.get(header) == text for header, text in words.items())
