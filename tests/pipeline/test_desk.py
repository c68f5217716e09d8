"""The desk, case by case: what is read from a review tab, what is merged into it, and the masters' own tables."""

from __future__ import annotations

import json

import pytest

from connectors.base import ColumnLook
from pipeline.desk import (
    InputTab,
    ReviewRow,
    ReviewTab,
    add_input_rows,
    digest_row,
    merge_review,
    read_inputs,
    read_review,
)
from rules.frames import Finding, Grid

TAB = ReviewTab(
    "申込",
    (
        ColumnLook("対応", owner="key"),
        ColumnLook("判定"),
        ColumnLook("裁定", owner="master"),
        ColumnLook("メモ", owner="master"),
        ColumnLook("反映"),
        ColumnLook("受付ID"),
    ),
)
BANNER_TAB = TAB._replace(title="要確認", banner=True)
HEAD = list(TAB.headers)
NO_TWIN = TAB._replace(columns=TAB.columns[:5], twin="")


def row(key: str, ruling: str = "", memo: str = "", verdict: str = "未定", run: str = "r1") -> list[str]:
    return [key, verdict, ruling, memo, run, key]


def said(ruling: str = "", memo: str = "") -> dict[str, str]:
    return {"裁定": ruling, "メモ": memo}


def half(key: str, verdict: str = "未定", run: str = "r1") -> dict[str, str]:
    return {"判定": verdict, "反映": run, "受付ID": key}


def entries(*keys: str, verdict: str = "未定") -> list[ReviewRow]:
    return [ReviewRow(key, {"判定": verdict}) for key in keys]


def digests(*keys: str) -> dict[str, str]:
    return {key: digest_row({"判定": f"判定{key}"}, TAB) for key in keys}


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


class TestReadReview:
    def test_cells_are_read_verbatim_by_id(self) -> None:
        read = read_review([HEAD, row("A", "受理", " 空白 "), row("B")], TAB, {"A": {}, "B": {}}, {})
        assert read.cells == {"A": said("受理", " 空白 "), "B": said()}
        assert read.findings == ()

    def test_columns_are_found_where_they_were_moved_and_the_header_where_it_was_pushed(self) -> None:
        grid = [["覚え"], [], ["x", "メモ", " 裁定 ", "対応"], ["1", "m", "受理", " A "]]
        read = read_review(grid, TAB, {"A": {}}, {})
        assert read.cells == {"A": said("受理", "m")}

    def test_the_tenth_row_may_be_the_header_and_the_eleventh_not(self) -> None:
        blank: Grid = [[] for _ in range(9)]
        assert read_review([*blank, HEAD, row("A")], TAB, {"A": {}}, {}).cells == {"A": said()}
        late = read_review([*blank, [], HEAD, row("A")], TAB, {"A": {}}, {})
        assert (late.cells, codes(late.findings)) == ({}, ["missing_column"])

    def test_a_note_that_quotes_the_key_header_is_not_the_header(self) -> None:
        read = read_review([["対応", "は消さない"], HEAD, row("A", "受理")], TAB, {"A": {}}, {})
        assert read.cells == {"A": said("受理")}

    def test_a_long_note_that_quotes_it_is_not_either_and_of_two_headers_the_first_is(self) -> None:
        note = ["対応", *[f"語{n}" for n in range(9)]]
        read = read_review([note, HEAD, row("A", "受理"), HEAD], TAB, {"A": {}}, {})
        assert read.cells == {"A": said("受理")}
        assert [(f.code, f.place) for f in read.findings] == [("quarantine", "申込 4行")]

    def test_of_a_doubled_header_the_first_counts(self) -> None:
        read = read_review(
            [["対応", "裁定", " 裁定 ", "メモ"], ["A", "受理", "保留", ""]], TAB, {"A": {}}, {}
        )
        assert read.cells == {"A": said("受理")}
        assert [(f.code, f.place) for f in read.findings] == [("doubled_header", "申込 1行 3列")]
        assert "見出し「裁定」が2列にも" in read.findings[0].message

    def test_a_missing_masters_column_reads_as_archived_and_withdraws_nothing(self) -> None:
        read = read_review(
            [["対応", "メモ"], ["A", "m"], ["B", ""]], TAB, {"A": said("受理", "old"), "B": {}}, {}
        )
        assert read.cells == {"A": said("受理", "m"), "B": {"メモ": ""}}
        assert [(f.code, f.place) for f in read.findings] == [("missing_column", "申込 裁定")]

    def test_without_the_key_column_everything_is_absent(self) -> None:
        read = read_review([HEAD[1:], row("A", "受理")[1:]], TAB, {"A": {}}, {})
        assert read.cells == {}
        assert [(f.code, f.place) for f in read.findings] == [("missing_column", "申込 対応")]

    @pytest.mark.parametrize("grid", [None, [], [["", " "]]])
    def test_a_missing_or_empty_tab_says_nothing_and_is_a_finding_once_it_had_rows(
        self, grid: Grid | None
    ) -> None:
        assert read_review(grid, TAB, {}, {}) == ({}, ())
        lost = read_review(grid, TAB, {}, {"A": "d"})
        assert (lost.cells, codes(lost.findings)) == ({}, ["missing_tab"])

    def test_of_a_doubled_key_the_first_row_counts_and_the_second_is_quoted(self) -> None:
        read = read_review([HEAD, row("A", "受理"), row("A", "不受理", "後"), row("A")], TAB, {"A": {}}, {})
        assert read.cells == {"A": said("受理")}
        assert [(f.code, f.place, f.about) for f in read.findings] == [
            ("doubled_key", "申込 3行 対応", "A"),
            ("doubled_key", "申込 4行 対応", "A"),
        ]
        assert "裁定=不受理、メモ=後" in read.findings[0].message
        assert "2行にもあり" in read.findings[0].message
        assert "記入" not in read.findings[1].message

    def test_a_key_dragged_over_the_row_above_does_not_take_that_rows_words(self) -> None:
        dragged = row("B", "不受理")
        dragged[0] = "A"
        read = read_review([HEAD, dragged, row("A", "受理")], TAB, {"A": {}, "B": {}}, {})
        assert read.cells == {"A": said("受理")}
        assert [(f.code, f.place) for f in read.findings] == [("doubled_key", "申込 2行 対応")]

    def test_an_unknown_key_with_words_is_quarantined_and_without_words_left_alone(self) -> None:
        read = read_review([HEAD, row(" Z ", "受理", "誰？"), row("Y")], TAB, {"A": {}}, {})
        assert read.cells == {}
        assert [(f.code, f.place, f.about) for f in read.findings] == [("quarantine", "申込 2行", "Z")]
        assert "対応「Z」という受付はありません。記入(裁定=受理、メモ=誰？)" in read.findings[0].message


class TestHealing:
    def lost(self, key: str, ruling: str = "", memo: str = "") -> list[str]:
        return ["", *row(key, ruling, memo)[1:]]

    def test_a_lone_blank_key_is_healed_by_its_twin(self) -> None:
        lost, other = self.lost("A", "受理"), row("B")
        lost[5], other[5] = " A ", " B "
        read = read_review([HEAD, lost, other], TAB, {"A": said(), "B": said()}, {})
        assert read.cells == {"A": said("受理"), "B": said()}
        assert [(f.code, f.place, f.about) for f in read.findings] == [("healed_key", "申込 2行 対応", "A")]

    @pytest.mark.parametrize("twin", ["", "誰か"])
    def test_without_a_twin_it_is_healed_by_the_digest_of_the_machines_half(self, twin: str) -> None:
        grid = [HEAD, ["", "判定A", "受理", "", "r1", twin]]
        assert read_review(grid, TAB, {}, digests("A")).cells == {"A": said("受理")}
        assert read_review(grid, TAB, {}, {"A": digests("B")["B"]}).cells == {}

    def test_a_digest_that_two_missing_ids_share_heals_nothing(self) -> None:
        same = digest_row({"判定": "未定"}, TAB)
        read = read_review([HEAD, ["", "未定"]], TAB, {}, {"A": same, "B": same})
        assert read.cells == {}

    def test_a_blank_half_fits_nobody(self) -> None:
        read = read_review([HEAD, ["", "", "受理"]], TAB, {}, {"A": digest_row({}, TAB)})
        assert (read.cells, codes(read.findings)) == ({}, ["quarantine"])
        assert "対応が空で" in read.findings[0].message

    @pytest.mark.parametrize(
        "others",
        [
            [["", "", "", "独り言"]],
            [["?", "未定"]],
            [["B", "未定", "", "", "r1", "C"], row("C")],
            [],
        ],
        ids=["another row without a key", "an unknown key", "halves apart", "another id missing"],
    )
    def test_new_words_are_not_given_to_an_id_while_anything_else_is_amiss(self, others: Grid) -> None:
        known = {"A": said(), "B": said(), "C": said()} if others != [] else {"A": said(), "B": said()}
        present = [] if others == [] else [row(k) for k in "BC" if all(r[0] != k for r in others)]
        read = read_review([HEAD, self.lost("A", "受理"), *present, *others], TAB, known, {})
        assert "A" not in read.cells
        assert [f.place for f in read.findings if f.code == "quarantine" and "裁定=受理" in f.message] == [
            "申込 2行"
        ]

    def test_a_row_that_says_what_is_archived_is_healed_whatever_else_is_amiss(self) -> None:
        known = {"A": said("受理"), "B": said(), "C": said("保留")}
        grid = [HEAD, self.lost("A", "受理"), self.lost("B", "", "新"), ["?", "", "", "x"]]
        read = read_review(grid, TAB, known, {})
        assert read.cells == {"A": said("受理")}
        assert codes(read.findings) == ["healed_key", "quarantine", "quarantine"]

    def test_two_rows_that_fit_one_id_and_a_copy_of_a_present_row_are_not_healed(self) -> None:
        known = {"A": said("受理"), "B": said()}
        twice = read_review([HEAD, self.lost("A", "受理"), self.lost("A", "受理"), row("B")], TAB, known, {})
        assert twice.cells == {"B": said()}
        copied = read_review([HEAD, self.lost("B", "受理"), row("B")], TAB, {"B": said()}, {})
        assert (copied.cells, codes(copied.findings)) == ({"B": said()}, ["quarantine"])
        same = read_review([HEAD, row("B", "受理"), self.lost("B", "受理")], TAB, {"B": said("受理")}, {})
        assert (same.cells, codes(same.findings)) == ({"B": said("受理")}, ["quarantine"])

    def test_the_merge_heals_no_id_that_has_no_entry(self) -> None:
        grid = [HEAD, ["", "判定Z", "受理"]]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"Z": {"判定": "判定Z"}})
        assert merged.grid == [*grid, row("A", run="r2")]

    def test_the_merge_writes_the_key_back(self) -> None:
        grid = [HEAD, self.lost("A", "受理")]
        merged = merge_review(
            grid, TAB, entries("A"), {"A": said("受理")}, run_id="r2", last={"A": half("A")}
        )
        assert merged.grid == [HEAD, row("A", "受理")]
        assert (merged.changed, merged.healed, merged.restored) == (True, ("A",), ())


class TestMergeReview:
    def test_a_new_tab_has_header_and_rows(self) -> None:
        merged = merge_review(None, TAB, entries("A", "B"), {}, run_id="r1")
        assert merged.grid == [HEAD, row("A"), row("B")]
        assert (merged.changed, merged.restored, merged.header_row) == (True, (), 0)
        assert merged.machine == {"A": half("A"), "B": half("B")}

    def test_nothing_new_changes_nothing_however_the_sheet_was_padded(self) -> None:
        grid = [[*HEAD, ""], [*row("A", "受理"), "", ""], ["", ""], []]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"A": half("A")})
        assert (merged.changed, merged.findings) == (False, ())

    def test_the_given_grid_is_not_written_into(self) -> None:
        grid = [list(HEAD), row("A")]
        merge_review(grid, TAB, entries("A", verdict="受理"), {}, run_id="r2")
        assert grid == [HEAD, row("A")]

    def test_a_blank_sheet_is_made_like_a_new_one(self) -> None:
        assert merge_review([["", " "]], TAB, entries("A"), {}, run_id="r1").grid == [HEAD, row("A")]

    def test_rows_stay_and_carry_new_machine_texts_and_the_run(self) -> None:
        grid = [HEAD, row("B", "受理"), [], row("A", "", "m")]
        last = {"A": half("A"), "B": half("B")}
        rows = [
            ReviewRow("A", {"判定": "未定"}),
            ReviewRow("B", {"判定": "差替"}),
            ReviewRow("C", {"判定": "新"}),
        ]
        merged = merge_review(grid, TAB, rows, {}, run_id="r2", last=last)
        assert merged.grid == [
            HEAD,
            row("B", "受理", verdict="差替", run="r2"),
            [],
            row("A", "", "m"),
            row("C", verdict="新", run="r2"),
        ]
        assert merged.findings == ()

    def test_a_vanished_row_is_made_again_and_marked(self) -> None:
        merged = merge_review([HEAD, row("A")], TAB, entries("A", "B"), {"B": said("受理", "m")}, run_id="r2")
        assert merged.grid == [HEAD, row("A"), row("B", "受理", "m", run="復元 r2")]
        assert merged.restored == ("B",)
        again = merge_review(
            merged.grid, TAB, entries("A", "B"), {"B": said("受理", "m")}, run_id="r3", last=merged.machine
        )
        assert (again.changed, again.restored) == (False, ())
        moved = merge_review(
            again.grid, TAB, entries("A", "B", verdict="受理"), {}, run_id="r4", last=again.machine
        )
        assert moved.grid[2] == row("B", "受理", "m", verdict="受理", run="r4")

    def test_a_row_written_before_is_marked_though_nobody_typed_in_it(self) -> None:
        merged = merge_review([HEAD], TAB, entries("A"), {}, run_id="r2", last={"A": half("A")})
        assert merged.grid[1] == row("A", run="復元 r2")
        assert merged.restored == ("A",)

    def test_an_overwritten_machine_cell_is_rewritten_and_reported(self) -> None:
        grid = [HEAD, row("A", verdict="人の字")]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"A": half("A")})
        assert merged.grid == [HEAD, row("A", run="r2")]
        assert [(f.code, f.place, f.about) for f in merged.findings] == [("repaired", "申込 2行 判定", "A")]
        assert "「人の字」" in merged.findings[0].message

    def test_an_overwritten_twin_is_repaired_and_no_crossing(self) -> None:
        grid = [HEAD, [*row("A")[:5], "人の字"]]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"A": half("A")})
        assert merged.grid == [HEAD, row("A", run="r2")]
        assert [(f.code, f.place) for f in merged.findings] == [("repaired", "申込 2行 受付ID")]

    def test_our_own_change_is_no_repair_and_neither_is_one_we_cannot_remember(self) -> None:
        grid = [HEAD, row("A", verdict="差替")]
        ours = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"A": half("A", "差替")})
        unknown = merge_review(grid, TAB, entries("A"), {}, run_id="r2")
        assert ours.grid == unknown.grid == [HEAD, row("A", run="r2")]
        assert ours.findings == unknown.findings == ()

    def test_an_overwritten_run_is_put_back_without_claiming_a_change(self) -> None:
        merged = merge_review(
            [HEAD, row("A", run="x")], TAB, entries("A"), {}, run_id="r2", last={"A": half("A")}
        )
        assert merged.grid == [HEAD, row("A")]
        assert [(f.code, f.place, f.about) for f in merged.findings] == [("repaired", "申込 2行 反映", "A")]
        blank = merge_review([HEAD, row("A", run="")], TAB, entries("A"), {}, run_id="r2")
        assert blank.grid == [HEAD, row("A", run="r2")]

    def test_merging_again_with_the_memory_of_before_changes_nothing(self) -> None:
        grid, last = [HEAD, row("A", verdict="人の字")], {"A": half("A")}
        once = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last=last)
        twice = merge_review(once.grid, TAB, entries("A"), {}, run_id="r2", last=last)
        assert (twice.grid, twice.changed, twice.findings) == (once.grid, False, ())

    def test_where_a_sort_crossed_a_write_the_machines_half_follows_the_key(self) -> None:
        crossed = [["A", "vB", "受理", "", "r1", "B"], ["B", "vA", "", "m", "r1", "A"]]
        last = {"A": half("A", "vA"), "B": half("B", "vB")}
        rows = [ReviewRow("A", {"判定": "vA"}), ReviewRow("B", {"判定": "vB"})]
        merged = merge_review([HEAD, *crossed], TAB, rows, {}, run_id="r2", last=last)
        assert merged.grid == [HEAD, row("A", "受理", "", "vA", "r2"), row("B", "", "m", "vB", "r2")]
        assert [(f.code, f.place, f.about) for f in merged.findings] == [
            ("crossed_row", "申込 2行", "A"),
            ("crossed_row", "申込 3行", "B"),
        ]

    def test_unknown_rows_and_columns_and_second_copies_survive_in_place(self) -> None:
        grid = [
            ["私", *HEAD],
            ["1", *row("Z", "受理")],
            ["2", *row("A", "受理")],
            ["3", *row("A", "保留", verdict="古い")],
            ["", "", "", "", "独り言"],
        ]
        merged = merge_review(grid, TAB, entries("A", verdict="受理"), {}, run_id="r2")
        assert merged.grid == [*grid[:2], ["2", *row("A", "受理", verdict="受理", run="r2")], *grid[3:]]

    def test_missing_columns_come_back_at_the_right_end_behind_cells_without_a_header(self) -> None:
        grid = [["対応", "メモ", "反映", "受付ID"], ["A", "m", "r1", "A", "余白"], ["B", "", "r1", "B"]]
        kept = {"A": said("受理", "old"), "B": said("", "old")}
        last = {"A": half("A"), "B": half("B")}
        merged = merge_review(grid, TAB, entries("A", "B"), kept, run_id="r2", last=last)
        assert merged.grid == [
            ["対応", "メモ", "反映", "受付ID", "", "判定", "裁定"],
            ["A", "m", "復元 r2", "A", "余白", "未定", "受理"],
            ["B", "", "r2", "B", "", "未定"],
        ]
        assert [(f.code, f.place) for f in merged.findings] == [("repaired", "申込 判定")]
        again = merge_review(merged.grid, TAB, entries("A", "B"), kept, run_id="r3", last=merged.machine)
        assert (again.changed, again.findings) == (False, ())

    def test_only_rows_into_which_a_lost_column_is_refilled_are_marked(self) -> None:
        grid = [["対応", "判定", "メモ", "反映", "受付ID"], *[[k, "未定", "", "r1", k] for k in "AB"]]
        kept = {"A": said("受理"), "B": said()}
        merged = merge_review(
            grid, TAB, entries("A", "B"), kept, run_id="r2", last={"A": half("A"), "B": half("B")}
        )
        assert merged.grid == [
            [*grid[0], "裁定"],
            ["A", "未定", "", "復元 r2", "A", "受理"],
            ["B", "未定", "", "r1", "B"],
        ]

    def test_half_of_the_headers_tell_the_header_row_when_the_key_column_is_gone(self) -> None:
        half_there = merge_review([["判定", " メモ ", "裁定"]], TAB, entries("A"), {}, run_id="r2")
        assert half_there.grid[0] == ["判定", " メモ ", "裁定", "対応", "反映", "受付ID"]
        fewer = merge_review([["判定", "メモ"]], TAB, entries("A"), {}, run_id="r2")
        assert (fewer.grid, fewer.changed) == ([["判定", "メモ"]], False)

    def test_a_column_new_to_the_tab_is_no_finding(self) -> None:
        grid = [["対応", "裁定", "メモ", "反映", "受付ID"], ["A", "", "", "r1", "A"]]
        merged = merge_review(
            grid, TAB, entries("A"), {}, run_id="r2", last={"A": {"反映": "r1", "受付ID": "A"}}
        )
        assert merged.grid[1] == ["A", "", "", "r2", "A", "未定"]
        assert merged.findings == ()

    def test_a_deleted_key_column_comes_back_on_the_rows_that_say_what_is_archived(self) -> None:
        grid = [HEAD[1:], row("A", "受理")[1:], row("B", "新")[1:]]
        kept = {"A": said("受理"), "B": said("古")}
        merged = merge_review(
            grid, TAB, entries("A", "B"), kept, run_id="r2", last={"A": half("A"), "B": half("B")}
        )
        assert merged.grid == [
            [*HEAD[1:], "対応"],
            [*row("A", "受理")[1:], "A"],
            row("B", "新")[1:],
            [*row("B", "古", run="復元 r2")[1:], "B"],
        ]

    def test_a_sheet_without_a_recognisable_header_is_left_alone(self) -> None:
        grid = [["対 応", "判定", "", "買い物"], ["A", "受理"]]
        merged = merge_review(
            grid, TAB, entries("A"), {"A": said("受理")}, run_id="r2", last={"A": half("A")}
        )
        assert (merged.grid, merged.changed, codes(merged.findings)) == (grid, False, ["unreadable_tab"])
        assert (merged.machine, merged.header_row) == ({"A": half("A")}, 0)

    def test_an_order_sorts_whole_rows_and_leaves_the_others_behind_as_they_stood(self) -> None:
        grid = [[*HEAD, "私"], [*row("A"), "1"], [*row("Z"), "2"], [*row("B"), "3"], [*row("C"), "4"]]
        merged = merge_review(
            grid, TAB, entries("A", "B", "C", "D"), {}, run_id="r2", order=["D", "C", "A", "X", "C"]
        )
        assert merged.grid == [
            [*HEAD, "私"],
            row("D", run="r2"),
            [*row("C"), "4"],
            [*row("A"), "1"],
            [*row("Z"), "2"],
            [*row("B"), "3"],
        ]

    def test_texts_are_compared_as_the_sheet_shows_them(self) -> None:
        grid = [HEAD, row("A", verdict="a b")]
        merged = merge_review(
            grid,
            TAB,
            entries("A", verdict="a\tb"),
            {},
            run_id="r2",
            last={"A": half("A", "a\tb")},
            shown=lambda text: text.replace("\t", " "),
        )
        assert (merged.changed, merged.findings) == (False, ())

    def test_a_tab_without_a_twin_works_by_its_key_alone(self) -> None:
        merged = merge_review([HEAD[:5], row("A", "受理")[:5]], NO_TWIN, entries("A", "B"), {}, run_id="r2")
        assert merged.grid == [HEAD[:5], row("A", "受理")[:5], row("B", run="r2")[:5]]

    @pytest.mark.parametrize(
        "rows",
        [
            entries("A", "A"),
            [ReviewRow("A", {"裁定": "受理"})],
            [ReviewRow("", {})],
            [ReviewRow(" A", {})],
        ],
    )
    def test_rows_that_cannot_be_ours_stop_the_run(self, rows: list[ReviewRow]) -> None:
        with pytest.raises(ValueError, match="申込"):
            merge_review(None, TAB, rows, {}, run_id="r1")


class TestBanner:
    def test_a_new_tab_has_its_line_above_the_header(self) -> None:
        merged = merge_review(None, BANNER_TAB, entries("A"), {}, run_id="r1", banner_text="5時 所見2")
        assert merged.grid == [["Saitei: 5時 所見2"], HEAD, row("A")]
        assert merged.header_row == 1

    def test_the_line_is_found_again_and_its_text_alone_is_no_change(self) -> None:
        grid = [["覚え"], ["", "Saitei: 5時"], HEAD, row("A")]
        merged = merge_review(grid, BANNER_TAB, entries("A"), {}, run_id="r2", banner_text="6時")
        assert merged.grid == [["覚え"], ["", "Saitei: 6時"], HEAD, row("A")]
        assert (merged.changed, merged.header_row) == (False, 2)
        more = merge_review(merged.grid, BANNER_TAB, entries("A", "B"), {}, run_id="r3", banner_text="7時")
        assert (more.grid[1], more.changed) == (["", "Saitei: 7時"], True)

    def test_a_tab_that_has_no_such_line_gets_none(self) -> None:
        assert merge_review([HEAD], TAB, [], {}, run_id="r2", banner_text="6時").grid == [HEAD]

    def test_a_lost_line_is_made_again_without_touching_notes(self) -> None:
        beside = merge_review([["", "覚え"], HEAD], BANNER_TAB, [], {}, run_id="r2", banner_text="6時")
        assert beside.grid == [["Saitei: 6時", "覚え"], HEAD]
        free = merge_review([["覚え"], [], HEAD], BANNER_TAB, [], {}, run_id="r2", banner_text="6時")
        assert free.grid == [["覚え"], ["Saitei: 6時"], HEAD]
        full = merge_review([["覚え"], HEAD], BANNER_TAB, [], {}, run_id="r2", banner_text="6時")
        assert full.grid == [["Saitei: 6時"], ["覚え"], HEAD]
        assert (free.changed, full.changed, free.header_row, full.header_row) == (True, True, 2, 2)

    def test_no_line_pushes_the_header_out_of_reach(self) -> None:
        grid = [*[["覚え"] for _ in range(9)], HEAD]
        merged = merge_review(grid, BANNER_TAB, [], {}, run_id="r2", banner_text="6時")
        assert (merged.grid, merged.changed) == (grid, False)
        roomy = merge_review(grid[1:], BANNER_TAB, [], {}, run_id="r2", banner_text="6時")
        assert (roomy.header_row, roomy.changed) == (9, True)

    def test_without_a_text_the_line_stays(self) -> None:
        grid = [["Saitei: 5時"], HEAD, row("A")]
        merged = merge_review(grid, BANNER_TAB, entries("A"), {}, run_id="r2")
        assert (merged.grid, merged.changed) == (grid, False)


BOOK = InputTab("球所有", ("番号", "正式呼称", "開始"), ("番号",))
PAIR = InputTab("名簿", ("正式呼称", "開始", "役割"), ("正式呼称", "開始"))


class TestReadInputs:
    def test_rows_are_canonical_by_key_with_cells_verbatim(self) -> None:
        grid = [
            ["覚え"],
            ["役割", " 私 ", "正式呼称", " 開始 ", " "],
            ["術", "x", " か\u3099 ", "10/1"],
            ["", "x"],
        ]
        read = read_inputs(grid, PAIR)
        assert read.rows == {'["が","10/1"]': '{"役割":"術","正式呼称":" か\u3099 ","開始":"10/1"}'}
        assert read.complete
        assert [(f.code, f.place) for f in read.findings] == [("unknown_column", "名簿 2行 2列")]
        assert "「私」" in read.findings[0].message

    def test_a_half_blank_key_is_a_key_and_a_blank_one_is_the_content(self) -> None:
        read = read_inputs([["正式呼称", "開始", "役割"], ["甲", "", "術"], ["", "", "学"]], PAIR)
        content = '{"役割":"学","正式呼称":"","開始":""}'
        assert list(read.rows) == ['["甲",""]', content]
        assert read.rows[content] == content

    def test_of_a_doubled_key_the_first_counts_and_both_places_are_named(self) -> None:
        grid = [["番号", "正式呼称", "開始"], ["1", "甲"], [], [" 1", "乙"], ["", "丙"], ["", "丙"]]
        read = read_inputs(grid, BOOK)
        assert json.loads(read.rows['["1"]'])["正式呼称"] == "甲"
        assert [(f.code, f.place) for f in read.findings] == [
            ("doubled_key", "球所有 4行"),
            ("doubled_key", "球所有 6行"),
        ]
        assert "番号= 1 の行が2行にもあり" in read.findings[0].message
        assert "同じ内容 の行が5行にもあり" in read.findings[1].message
        assert read.doubled == {'["1"]', '{"正式呼称":"丙","番号":"","開始":""}'}
        assert read.complete

    @pytest.mark.parametrize(
        ("header", "places"),
        [
            (["番号", "正式呼称"], ["球所有 開始"]),
            (["正式呼称", "開始"], ["球所有 番号"]),
            (["何か"], ["球所有 番号"]),
            ([" 正式呼称 "], ["球所有 番号"]),
            ([], ["球所有 番号"]),
        ],
    )
    def test_a_tab_with_a_missing_column_sits_out(self, header: list[str], places: list[str]) -> None:
        read = read_inputs([header, ["1", "甲", "10/1"]], BOOK)
        assert (read.rows, read.complete) == ({}, False)
        assert [f.place for f in read.findings if f.code == "missing_column"] == places

    def test_of_two_key_columns_only_the_missing_one_is_named(self) -> None:
        read = read_inputs([[" 開始 ", "役割"]], PAIR)
        assert [f.place for f in read.findings] == ["名簿 正式呼称"]

    def test_a_missing_tab_sits_out_and_an_empty_table_does_not(self) -> None:
        gone = read_inputs(None, BOOK)
        assert (gone.complete, codes(gone.findings)) == (False, ["missing_tab"])
        assert read_inputs([["番号", "正式呼称", "開始"]], BOOK) == ({}, True, (), frozenset())

    def test_of_a_doubled_header_the_first_counts(self) -> None:
        read = read_inputs([["番号", "開始", "開始", "正式呼称"], ["1", "a", "b", "甲"]], BOOK)
        assert json.loads(read.rows['["1"]'])["開始"] == "a"
        assert codes(read.findings) == ["doubled_header"]


class TestAddInputRows:
    def test_rows_are_appended_by_their_keys_and_everything_else_stays(self) -> None:
        grid = [["覚え"], ["私", "開始", "正式呼称"], ["x", "10/1", "甲"], [], ["y"], ["", ""]]
        new = [
            {"正式呼称": "乙", "開始": "10/2"},
            {"正式呼称": "甲", "開始": " 10/1"},
            {"正式呼称": "乙", "開始": "10/2"},
        ]
        assert add_input_rows(grid, PAIR, new) == [*grid[:5], ["", "10/2", "乙"]]
        assert len(grid) == 6

    def test_a_new_tab_gets_its_header_and_an_unknown_sheet_nothing(self) -> None:
        new = [{"番号": "1"}]
        for nothing in (None, [], [[" "]]):
            assert add_input_rows(nothing, BOOK, new) == [["番号", "正式呼称", "開始"], ["1"]]
        assert add_input_rows([["買い物"]], BOOK, new) == [["買い物"]]

    @pytest.mark.parametrize("cells", [{"番号": "1", "開始": "x"}, {"番号": " "}, {}])
    def test_only_whole_keys_are_added(self, cells: dict[str, str]) -> None:
        with pytest.raises(ValueError, match="球所有"):
            add_input_rows(None, BOOK, [cells])
