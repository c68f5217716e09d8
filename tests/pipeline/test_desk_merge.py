"""The desk, case by case: what is merged into a review tab, and what is left alone."""

from __future__ import annotations

import pytest
from desk_sheets import BANNER_TAB, HEAD, NO_TWIN, TAB, codes, entries, half, row, said

from pipeline.desk import ReviewRow, merge_review, read_review


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

    def test_a_second_copy_is_marked_and_never_comes_to_speak(self) -> None:
        kept = {"A": said("受理")}
        grid = [HEAD, row("A", "受理"), row("A", "", "写し")]
        once = merge_review(grid, TAB, entries("A"), kept, run_id="r2", last={"A": half("A")})
        assert once.grid == [HEAD, row("A", "受理"), row("A", "", "写し", run="重複")]
        swapped = [HEAD, once.grid[2], once.grid[1]]
        assert read_review(swapped, TAB, kept, {}).cells == kept
        orphan = [HEAD, once.grid[2]]
        read = read_review(orphan, TAB, kept, {})
        assert (read.cells, codes(read.findings)) == ({}, ["doubled_key"])
        assert "元の行がない" in read.findings[0].message
        assert "メモ=写し" in read.findings[0].message
        again = merge_review(orphan, TAB, entries("A"), kept, run_id="r3", last=once.machine)
        assert again.grid == [*orphan, row("A", "受理", run="復元 r3")]

    def test_a_second_column_of_a_header_is_renamed_and_kept(self) -> None:
        grid = [[*HEAD, " 裁定 "], [*row("A", "受理"), "写し"]]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2")
        assert merged.grid == [[*HEAD, "裁定 重複"], grid[1]]

    def test_rows_that_are_nobodys_are_marked_but_not_those_of_an_unknown_key_with_its_own_half(self) -> None:
        own, spoiled, lost, note = (
            row("Z", "a"),
            ["?", *row("B", "b")[1:]],
            ["", *row("B", "c")[1:]],
            ["", "", "d"],
        )
        grid = [HEAD, row("A"), own, spoiled, lost, note]
        merged = merge_review(grid, TAB, entries("A", "B"), {}, run_id="r2")
        marked = [
            ["?", *row("B", "b", run="不明")[1:]],
            ["不明", *row("B", "c", run="不明")[1:]],
            ["不明", "", "d"],
        ]
        assert merged.grid == [HEAD, row("A"), own, *marked, row("B", run="r2")]
        again = merge_review(merged.grid, TAB, entries("A", "B"), {}, run_id="r3", last=merged.machine)
        assert (again.changed, again.findings) == (False, ())

    def test_a_copy_that_says_what_is_archived_may_take_the_place_of_the_row(self) -> None:
        kept = {"A": said("受理")}
        grid = [HEAD, row("A", "受理", run="重複")]
        merged = merge_review(grid, TAB, entries("A"), kept, run_id="r3", last={"A": half("A")})
        assert merged.grid == [HEAD, row("A", "受理")]
        assert codes(merged.findings) == ["repaired"]

    def test_a_mark_that_a_crossing_write_left_beside_another_key_counts_for_nothing(self) -> None:
        grid = [HEAD, ["B", "未定", "受理", "", "重複", "A"], row("A")]
        assert read_review(grid, TAB, {"A": {}, "B": {}}, {}).cells["B"] == said("受理")
        bare = [HEAD[:5], row("A", "受理")[:5], row("A", run="重複")[:5]]
        assert read_review([bare[0], bare[2]], NO_TWIN, {"A": said("受理")}, {}).cells == {}

    def test_unknown_rows_and_columns_and_second_copies_survive_in_place(self) -> None:
        grid = [
            ["私", *HEAD],
            ["1", *row("Z", "受理")],
            ["2", *row("A", "受理")],
            ["3", *row("A", "保留", verdict="受理", run="重複")],
            ["4", "不明", "", "", "独り言"],
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
            [*row("B", "新", run="不明")[1:], "不明"],
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
