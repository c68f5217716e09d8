"""Humans move, type, insert and delete between our reading and our writing: no word lands beside another entry.

Every word that a human types names the entry beside which it was typed, so a word that strays tells on itself.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import pytest
from google_bench import connect
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from connectors.base import ColumnLook, SheetLook, SheetWrite
from connectors.google_sheets import SheetsWorkbook
from pipeline.desk import ReviewRow, ReviewTab, digest_row, merge_review, read_review
from pipeline.desk_sheet import find_header
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World

COLUMNS = (
    ColumnLook("対応", owner="key"),
    ColumnLook("理由"),
    ColumnLook("判定"),
    ColumnLook("裁定", owner="master", choices=("受理", "不受理")),
    ColumnLook("メモ", owner="master"),
    ColumnLook("反映"),
    ColumnLook("受付ID"),
    ColumnLook("順", kind="number"),
)
TAB = ReviewTab("要確認", COLUMNS, banner=True)
LOOK = SheetLook(COLUMNS, 1, 1, {}, "", "", "順", True)
NOTE = "人の控え"
PLACES = st.integers(min_value=0, max_value=30)


def facts(entry: str, verdict: int) -> dict[str, str]:
    return {"理由": f"{entry} の理由", "判定": f"{entry} {verdict}"}


class Sheet(RuleBasedStateMachine):
    """One review tab at Google, the pipeline's memory of it, and the truth about who said what of which entry."""

    @initialize(count=st.integers(min_value=2, max_value=6), follows=st.booleans())
    def open(self, count: int, follows: bool) -> None:
        """`follows`: whether tags of rows go along with a sort at Google, which nobody knows; we rest on none."""
        self.emulator = Emulator(world=World(seed=1)).__enter__()
        self.emulator.control("settings", metadataFollowsSort=follows)
        made = self.call("sheets.spreadsheets.create", {"properties": {"title": "表"}})
        self.book_id = made["spreadsheetId"]
        self.google = connect(self.emulator.base)
        self.kept: dict[str, dict[str, str]] = {}
        self.last: dict[str, dict[str, str]] = {}
        self.verdicts = {f"e{number}": 0 for number in range(count)}
        self.said: dict[str, str] = {}
        self.copied: set[str] = set()
        self.notes: list[str] = []
        self.words = self.runs = 0
        self.run([])

    def teardown(self) -> None:
        if hasattr(self, "google"):
            self.settle()
            self.google.close()
            self.emulator.__exit__(None, None, None)

    # --- the machine ------------------------------------------------------------------------------------------

    def run(self, meanwhile: list[Callable[[], None]]) -> None:
        """One cycle; `meanwhile` happens between its reading and its writing."""
        self.runs += 1
        book = SheetsWorkbook(self.google, self.book_id, ("要確認",))
        read = book.read()
        digests = {entry: digest_row(cells, TAB) for entry, cells in self.last.items()}
        if read.fingerprint:
            found = read_review(read.grids.get("要確認"), TAB, self.kept, digests)
            for entry, cells in found.cells.items():
                if any(text.strip() for text in cells.values()) or entry in self.kept:
                    self.kept[entry] = dict(cells)
        order = sorted(self.verdicts, key=lambda entry: zlib.crc32(f"{entry}{self.verdicts[entry]}".encode()))
        rows = [
            ReviewRow(entry, {**facts(entry, self.verdicts[entry]), "順": str(order.index(entry) + 1)})
            for entry in self.verdicts
        ]
        merged = merge_review(
            read.grids.get("要確認") if read.fingerprint else None,
            TAB,
            rows,
            self.kept,
            run_id=f"2026-10-16 12:{self.runs // 60:02d}:{self.runs % 60:02d}",
            order=order,
            banner_text=f"{self.runs}",
            last=self.last,
            moving=True,
        )
        for act in meanwhile:
            act()
        if merged.changed:
            book.write([SheetWrite("要確認", merged.grid, LOOK._replace(header_row=merged.header_row))], "x")
            self.last = {entry: dict(cells) for entry, cells in merged.machine.items()}

    # --- what stands there ------------------------------------------------------------------------------------

    def call(self, method: str, body: dict[str, Any], **params: Any) -> Any:
        return self.emulator.control("call", method=method, params=params, body=body)

    def grid(self) -> list[list[str]]:
        return SheetsWorkbook(self.google, self.book_id, ("要確認",)).read().grids["要確認"]

    def sheet_id(self) -> int:
        made = self.call("sheets.spreadsheets.get", {}, spreadsheetId=self.book_id)
        return next(
            each["properties"].get("sheetId", 0)
            for each in made["sheets"]
            if each["properties"]["title"] == "要確認"
        )

    def batch(self, request: dict[str, Any]) -> None:
        self.call("sheets.spreadsheets.batchUpdate", {"requests": [request]}, spreadsheetId=self.book_id)

    def rows_of(self, grid: list[list[str]]) -> tuple[int, dict[str, int], dict[str, list[int]]]:
        head = find_header(grid, TAB.headers, ("対応",))
        assert head is not None
        columns: dict[str, int] = {}
        for number, text in enumerate(grid[head]):
            columns.setdefault(text, number)
        rows: dict[str, list[int]] = {}
        for number in range(head + 1, len(grid)):
            key = self.cell(grid, number, columns["対応"])
            rows.setdefault(key, []).append(number)
        return head, columns, rows

    @staticmethod
    def cell(grid: list[list[str]], row: int, column: int) -> str:
        return grid[row][column] if row < len(grid) and column < len(grid[row]) else ""

    # --- humans -----------------------------------------------------------------------------------------------

    def types(self, place: int) -> None:
        """A master decides about the entry that a row names, by the key beside which he writes."""
        grid = self.grid()
        _head, columns, rows = self.rows_of(grid)
        known = [entry for entry in sorted(self.verdicts) if entry in rows]
        if not known:
            return
        entry = known[place % len(known)]
        self.words += 1
        word = f"{entry} #{self.words}"
        for row in rows[entry]:
            for header, text in (("メモ", word), ("裁定", ("受理", "不受理")[self.words % 2])):
                where = f"'要確認'!{chr(65 + columns[header])}{row + 1}"
                self.emulator.control("write", spreadsheetId=self.book_id, range=where, values=[[text]])
        self.said[entry] = word

    def sorts(self, place: int) -> None:
        grid = self.grid()
        head, columns, _rows = self.rows_of(grid)
        body = {"sheetId": self.sheet_id(), "startRowIndex": head + 1}
        spec = {
            "dimensionIndex": place % max(len(columns), 1),
            "sortOrder": ("ASCENDING", "DESCENDING")[place % 2],
        }
        self.batch({"sortRange": {"range": body, "sortSpecs": [spec]}})

    def inserts(self, place: int) -> None:
        grid = self.grid()
        start = place % (len(grid) + 1)
        rows = {"sheetId": self.sheet_id(), "dimension": "ROWS", "startIndex": start, "endIndex": start + 1}
        self.batch({"insertDimension": {"range": rows, "inheritFromBefore": False}})

    def moves(self, place: int) -> None:
        grid = self.grid()
        head, _columns, _rows = self.rows_of(grid)
        if len(grid) < head + 3:
            return
        first = head + 1 + place % (len(grid) - head - 1)
        target = head + 1 + (place * 7) % (len(grid) - head - 1)
        rows = {"sheetId": self.sheet_id(), "dimension": "ROWS", "startIndex": first, "endIndex": first + 1}
        if target not in (first, first + 1):
            self.batch({"moveDimension": {"source": rows, "destinationIndex": target}})

    def deletes(self, place: int) -> None:
        """A row is deleted, with what stands in it: what nobody had read yet is then the human's own loss."""
        grid = self.grid()
        head, _columns, rows = self.rows_of(grid)
        if len(grid) < head + 2:
            return
        row = head + 1 + place % (len(grid) - head - 1)
        for entry, places in rows.items():
            if row in places and entry in self.said:
                self.said[entry] = self.kept.get(entry, {}).get("メモ", "")
        self.notes = [note for note in self.notes if note not in grid[row]]
        line = {"sheetId": self.sheet_id(), "dimension": "ROWS", "startIndex": row, "endIndex": row + 1}
        self.batch({"deleteDimension": {"range": line}})

    def copies(self, place: int) -> None:
        grid = self.grid()
        _head, _columns, rows = self.rows_of(grid)
        known = [entry for entry in sorted(self.verdicts) if entry in rows]
        if not known:
            return
        entry = known[place % len(known)]
        self.copied.add(entry)
        row, number = rows[entry][0], self.sheet_id()
        source = {"sheetId": number, "startRowIndex": row, "endRowIndex": row + 1}
        target = {"sheetId": number, "startRowIndex": len(grid), "endRowIndex": len(grid) + 1}
        self.batch({"copyPaste": {"source": source, "destination": target}})

    def notes_down(self, place: int) -> None:
        """A note in a line of its own, below everything or in a gap."""
        grid = self.grid()
        _head, columns, _rows = self.rows_of(grid)
        self.words += 1
        note = f"{NOTE} {self.words}"
        where = f"'要確認'!{chr(65 + columns['メモ'])}{len(grid) + 1 + place % 3}"
        self.emulator.control("write", spreadsheetId=self.book_id, range=where, values=[[note]])
        self.notes.append(note)

    def inserts_column(self, place: int) -> None:
        start = place % len(COLUMNS)
        line = {
            "sheetId": self.sheet_id(),
            "dimension": "COLUMNS",
            "startIndex": start,
            "endIndex": start + 1,
        }
        self.batch({"insertDimension": {"range": line, "inheritFromBefore": False}})

    def moves_column(self, place: int) -> None:
        first, target = place % len(COLUMNS), (place * 5 + 3) % len(COLUMNS)
        line = {
            "sheetId": self.sheet_id(),
            "dimension": "COLUMNS",
            "startIndex": first,
            "endIndex": first + 1,
        }
        if target not in (first, first + 1):
            self.batch({"moveDimension": {"source": line, "destinationIndex": target}})

    # --- the play ---------------------------------------------------------------------------------------------

    ACTS = ("types", "sorts", "inserts", "moves", "deletes", "copies", "notes_down")

    @rule(act=st.sampled_from(ACTS), place=PLACES)
    def human_acts(self, act: str, place: int) -> None:
        getattr(self, act)(place)

    @rule(news=st.lists(st.integers(min_value=0, max_value=8), max_size=3))
    def time_passes(self, news: list[int]) -> None:
        for number in news:
            entry = f"e{number}"
            self.verdicts[entry] = self.verdicts.get(entry, 0) + 1

    @rule(acts=st.lists(st.tuples(st.sampled_from(ACTS), PLACES), max_size=3))
    def machine_runs(self, acts: list[tuple[str, int]]) -> None:
        self.run([lambda act=act, place=place: getattr(self, act)(place) for act, place in acts])

    @precondition(lambda self: self.columns_move)
    @rule(act=st.sampled_from(("inserts_column", "moves_column")), place=PLACES)
    def machine_runs_while_a_column_moves(self, act: str, place: int) -> None:
        self.run([lambda: getattr(self, act)(place)])

    columns_move = False
    settled = 0
    """How many plays came to their end: a play that never starts proves nothing."""

    @invariant()
    def no_word_is_taken_for_that_of_another_entry(self) -> None:
        for entry, cells in getattr(self, "kept", {}).items():
            assert cells.get("メモ", "").split(" ")[0] in ("", entry), (entry, cells)

    def settle(self) -> None:
        """Two undisturbed runs later everything is where it belongs."""
        for _ in range(2):
            for entry in self.verdicts:
                self.verdicts[entry] += 1
            self.run([])
        grid = self.grid()
        _head, columns, rows = self.rows_of(grid)
        for entry, verdict in self.verdicts.items():
            first = rows[entry][0]
            shown = {header: self.cell(grid, first, columns[header]) for header in ("理由", "判定", "受付ID")}
            assert shown == {**facts(entry, verdict), "受付ID": entry}
        for entry, word in self.said.items():
            if entry not in self.copied:
                assert self.kept.get(entry, {}).get("メモ", "") == word, entry
                assert self.cell(grid, rows[entry][0], columns["メモ"]) == word
        everything = {text for row in grid for text in row}
        assert [note for note in self.notes if note not in everything] == []
        type(self).settled += 1


class SheetWhoseColumnsMove(Sheet):
    """The same, and now and then a human inserts or moves a column just then."""

    columns_move = True


CALM = settings(
    max_examples=40,
    stateful_step_count=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate),  # a server for each try: to look for a shorter one takes minutes
)


def play(machine: type[Sheet], how: settings) -> int:
    """Play and hold every assertion of the machine; how many plays came to their end."""
    before = machine.settled
    run_state_machine_as_test(machine, settings=how)
    return machine.settled - before


def test_whatever_rows_do_words_stay_with_their_entry() -> None:
    assert play(Sheet, CALM) >= CALM.max_examples


def test_whatever_columns_do_words_stay_with_their_entry() -> None:
    assert play(SheetWhoseColumnsMove, CALM) >= CALM.max_examples


@pytest.mark.slow
@pytest.mark.parametrize("machine", [Sheet, SheetWhoseColumnsMove])
def test_many_more_of_the_same(machine: type[Sheet]) -> None:
    assert play(machine, settings(CALM, max_examples=60, stateful_step_count=25)) >= 60
