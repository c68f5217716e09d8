"""The law of the desk: whatever people do to a sheet, no word of a master lands on another entry or is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.base import ColumnLook
from pipeline.desk import Merged, ReviewRow, ReviewTab, digest_row, merge_review, read_review
from rules.frames import Finding, Grid

TAB = ReviewTab(
    "申込",
    (
        ColumnLook("対応", owner="key"),
        ColumnLook("判定"),
        ColumnLook("裁定", owner="master"),
        ColumnLook("メモ", owner="master"),
        ColumnLook("担当", owner="master"),
        ColumnLook("反映"),
        ColumnLook("注意"),
        ColumnLook("受付ID"),
    ),
    banner=True,
)
MACHINE_HALF = ("判定", "反映", "注意", "受付ID")
IDS = tuple("ABCDEF")
WORD = re.compile(r"<(.):\d+>")
"""A master's word, by whom it is about: every typed cell is unique and names its entry; <u:…> is a human's own."""


def pad(grid: Grid) -> Grid:
    width = max(len(row) for row in grid)
    return [[*row, *[""] * (width - len(row))] for row in grid]


class Table:
    """A sheet in the hands of a human who knows no rule, but one: marks are left alone while the machine may be writing."""

    def __init__(self, grid: Grid) -> None:
        self.grid = pad(grid)
        self.words = 0
        self.replaced: set[str] = set()

    def head(self) -> int:
        best = max(range(min(10, len(self.grid))), key=lambda i: len(set(self.grid[i]) & set(TAB.headers)))
        return best

    def column(self, header: str) -> int | None:
        row = self.grid[self.head()]
        return row.index(header) if header in row else None

    def body(self, n: int) -> int | None:
        start = self.head() + 1
        return start + n % (len(self.grid) - start) if len(self.grid) > start else None

    def word(self, about: str) -> str:
        self.words += 1
        return f"<{about}:{self.words}>"

    def is_marked(self, row: list[str]) -> bool:
        return "重複" in row or "不明" in row

    def type_word(self, n: int, m: int) -> None:
        row, column, key = self.body(n), self.column(TAB.masters[m % 3]), self.column("対応")
        if row is None or column is None or key is None:
            return
        about = self.grid[row][key]
        self.replaced.add(self.grid[row][column])
        self.grid[row][column] = self.word(about if about in IDS else "?")

    def type_own(self, n: int, m: int) -> None:
        row, column = self.body(n), self.column("私欄")
        if row is not None and column is not None:
            self.grid[row][column] = self.word("u")

    def sort_rows(self, n: int, m: int) -> None:
        start, by = self.head() + 1, n % len(self.grid[0])
        self.grid[start:] = sorted(self.grid[start:], key=lambda row: row[by], reverse=bool(m % 2))

    def cross_halves(self, n: int, m: int) -> None:
        """Our write reached rows that a sort had just moved: the machine's half sits beside another's words."""
        rows = [row for row in (self.body(n), self.body(m)) if row is not None]
        columns = [c for header in MACHINE_HALF if (c := self.column(header)) is not None]
        if len(rows) == 2 and rows[0] != rows[1] and not any(self.is_marked(row) for row in self.grid):
            one, two = (self.grid[row] for row in rows)
            for column in columns:
                one[column], two[column] = two[column], one[column]

    def delete_row(self, n: int, m: int) -> None:
        row = self.body(n)
        if row is not None:
            del self.grid[row]

    def insert_blank_row(self, n: int, m: int) -> None:
        self.grid.insert(self.body(n) or len(self.grid), [""] * len(self.grid[0]))

    def push_header_down(self, n: int, m: int) -> None:
        if self.head() < 5:
            self.grid.insert(n % (self.head() + 1), [""] * len(self.grid[0]))

    def insert_blank_column(self, n: int, m: int) -> None:
        at = n % (len(self.grid[0]) + 1)
        for row in self.grid:
            row.insert(at, "")

    def move_column(self, n: int, m: int) -> None:
        old, new = n % len(self.grid[0]), m % len(self.grid[0])
        for row in self.grid:
            row.insert(new, row.pop(old))

    def delete_column(self, n: int, m: int) -> None:
        header = (*TAB.headers, "私欄")[n % 9]
        if header in ("反映", "対応") and any(self.is_marked(row) for row in self.grid):
            return
        column = self.column(header)
        if column is not None and len(set(self.grid[self.head()]) & set(TAB.headers)) > 5:
            for row in self.grid:
                del row[column]

    def copy_column(self, n: int, m: int) -> None:
        column = self.column(TAB.headers[n % 8])
        if column is not None:
            for row in self.grid:
                row.append(row[column])

    def paste_row(self, n: int, m: int) -> None:
        source, target = self.body(n), self.body(m)
        if source is not None and target is not None:
            self.grid.insert(target, list(self.grid[source]))

    def paste_row_over(self, n: int, m: int) -> None:
        source, target = self.body(n), self.body(m)
        if source is not None and target is not None:
            key = self.column("対応")
            if key is not None and self.grid[target][key] == self.grid[source][key]:
                self.replaced.update(self.grid[target])  # an older copy of the same row says what now holds
            self.grid[target] = list(self.grid[source])

    def set_cell(self, n: int, header: str, text: str) -> None:
        row, column = self.body(n), self.column(header)
        if row is not None and column is not None:
            self.grid[row][column] = text

    def blank_key(self, n: int, m: int) -> None:
        self.set_cell(n, "対応", "")

    def spoil_key(self, n: int, m: int) -> None:
        self.set_cell(n, "対応", "??")

    def overwrite_machine(self, n: int, m: int) -> None:
        row, header = self.body(n), MACHINE_HALF[m % 4]
        if row is not None and not (header == "反映" and self.is_marked(self.grid[row])):
            self.set_cell(n, header, ["人の字", ""][m // 4 % 2])

    def rename_own_column(self, n: int, m: int) -> None:
        column = self.column("私欄")
        if column is not None:
            self.grid[self.head()][column] = "別名"


OPERATIONS = [
    "type_word",
    "type_own",
    "sort_rows",
    "cross_halves",
    "delete_row",
    "insert_blank_row",
    "push_header_down",
    "insert_blank_column",
    "move_column",
    "delete_column",
    "copy_column",
    "paste_row",
    "paste_row_over",
    "blank_key",
    "spoil_key",
    "overwrite_machine",
    "rename_own_column",
]
NUMBERS = st.integers(0, 30)
SURGERY = st.lists(st.tuples(st.sampled_from(OPERATIONS), NUMBERS, NUMBERS), max_size=9)
TYPING = st.lists(st.tuples(st.sampled_from(["type_word", "type_own"]), NUMBERS, NUMBERS), max_size=9)
EDITS = st.lists(st.tuples(st.sampled_from(["type_word", "type_own"]), NUMBERS, NUMBERS), max_size=4)


def operate(table: Table, operations: Sequence[tuple[str, int, int]]) -> None:
    for name, n, m in operations:
        getattr(table, name)(n, m)


def texts(ids: Sequence[str], version: str) -> list[ReviewRow]:
    return [ReviewRow(key, {"判定": f"{key}{version}", "注意": "同"}) for key in ids]


def digest_all(machine: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    return {key: digest_row(cells, TAB) for key, cells in machine.items()}


def columns_of(grid: Grid) -> tuple[int, dict[str, int]]:
    table = Table(grid)
    return table.head(), {h: c for h in TAB.headers if (c := table.column(h)) is not None}


def words_in(grid: Grid, headers: Sequence[str]) -> list[str]:
    head, columns = columns_of(grid)
    picked = [columns[h] for h in headers if h in columns]
    return [
        m.group() for row in grid[head + 1 :] for c in picked if c < len(row) for m in WORD.finditer(row[c])
    ]


def words_by_key(grid: Grid) -> dict[str, set[str]]:
    head, columns = columns_of(grid)
    found: dict[str, set[str]] = {}
    for row in grid[head + 1 :]:
        cells = [row[columns[h]] for h in TAB.masters if h in columns and columns[h] < len(row)]
        key = row[columns["対応"]] if columns["対応"] < len(row) else ""
        found.setdefault(key, set()).update(m.group() for cell in cells for m in WORD.finditer(cell))
    return found


def about(word: str) -> str:
    return word[1]


class Life:
    """A tab through two cycles: made, typed in and archived; then typed in, mistreated, read and merged."""

    def __init__(self, size: int, typing: Sequence[tuple[str, int, int]]) -> None:
        self.ids = IDS[:size]
        made = merge_review(None, TAB, texts(self.ids, "1"), {}, run_id="r1", banner_text="一")
        made.grid[made.header_row].append("私欄")
        self.table = Table(made.grid)
        self.known: dict[str, dict[str, str]] = {}
        self.machine = made.machine
        operate(self.table, typing)
        self.known = dict(read_review(self.table.grid, TAB, self.known, digest_all(self.machine)).cells)

    def run(
        self, run_id: str, *, fresh: bool, order: Sequence[str] | None
    ) -> tuple[Merged, tuple[Finding, ...]]:
        """One cycle on the sheet as it is now."""
        read = read_review(self.table.grid, TAB, self.known, digest_all(self.machine))
        self.known |= read.cells
        ids = IDS[: len(self.ids) + 1] if fresh else self.ids
        self.rows = texts(ids, "2" if fresh else "1")
        merged = merge_review(
            self.table.grid,
            TAB,
            self.rows,
            self.known,
            run_id=run_id,
            order=order,
            banner_text=run_id,
            last=self.machine,
        )
        return merged, (*read.findings, *merged.findings)

    def go_on(self, merged: Merged) -> None:
        """What was merged is now what lies before the masters."""
        self.table.grid, self.machine = pad(merged.grid), merged.machine


LIVES = st.tuples(st.integers(1, 5), TYPING, EDITS, SURGERY, st.booleans(), st.none() | st.permutations(IDS))
CYCLES = st.lists(st.tuples(EDITS, SURGERY), min_size=1, max_size=3)


@settings(max_examples=400, deadline=None)
@given(LIVES, CYCLES)
def test_no_word_lands_elsewhere_or_is_lost(life_of: Any, cycles: Any) -> None:
    size, typing, _, _, fresh, order = life_of
    life = Life(size, typing)
    for number, (edits, surgery) in enumerate(cycles):
        operate(life.table, [*edits, *surgery])
        before, archived = life.table.grid, {key: dict(cells) for key, cells in life.known.items()}
        merged, findings = life.run(f"r{number + 2}", fresh=fresh, order=order)
        after = read_review(merged.grid, TAB, life.known, digest_all(merged.machine))
        told = "\n".join(finding.message for finding in (*findings, *after.findings))
        there = words_by_key(merged.grid)

        for key in IDS:
            assert {about(word) for word in there.get(key, ())} <= {key, "?"}
            spoken = "".join(life.known.get(key, {}).values())
            assert {m.group(1) for m in WORD.finditer(spoken)} <= {key, "?"}
        for word in words_in(before, TAB.masters):
            homes = there if about(word) == "?" else {about(word)}
            assert any(word in there.get(key, ()) for key in homes) or word in told
        for key, cells in archived.items():
            for word in set(filter(None, cells.values())) - life.table.replaced:
                assert word in there[key] or word in told
        life.go_on(merged)


@settings(max_examples=400, deadline=None)
@given(LIVES)
def test_every_entry_has_its_row_and_everything_human_survives(life_of: Any) -> None:
    size, typing, edits, surgery, fresh, order = life_of
    life = Life(size, typing)
    operate(life.table, [*edits, *surgery])
    merged, _ = life.run("r2", fresh=fresh, order=order)

    after = read_review(merged.grid, TAB, life.known, digest_all(merged.machine))
    assert set(after.cells) == {row.id for row in life.rows}
    for entry in life.rows:
        cells = dict(merged.machine[entry.id])
        assert cells.pop("反映") in {"r1", "r2", "復元 r2"}
        assert cells == {**entry.cells, "受付ID": entry.id}
    had = Counter(m.group() for row in life.table.grid for cell in row for m in WORD.finditer(cell))
    has = Counter(m.group() for row in merged.grid for cell in row for m in WORD.finditer(cell))
    assert had <= has


@settings(max_examples=300, deadline=None)
@given(LIVES)
def test_merging_again_changes_nothing(life_of: Any) -> None:
    size, typing, edits, surgery, fresh, order = life_of
    life = Life(size, typing)
    operate(life.table, [*edits, *surgery])
    old = life.machine
    merged, _ = life.run("r2", fresh=fresh, order=order)
    life.go_on(merged)
    for run_id, last in (("r2", old), ("r2", merged.machine), ("r3", merged.machine)):
        life.machine = last
        again, findings = life.run(run_id, fresh=fresh, order=order)
        assert not again.changed
        assert again.machine == merged.machine
        assert not {f.code for f in findings} & {"repaired", "crossed_row", "healed_key", "missing_column"}
