"""The desk, case by case: what is read from a review tab, and whose a row is that lost its key."""

from __future__ import annotations

import pytest
from desk_sheets import HEAD, TAB, codes, digests, entries, half, row, said

from pipeline.desk import digest_row, merge_review, read_review
from rules.frames import Grid


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
        assert "2行だけを読みます" in read.findings[0].message
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
        assert "どの受付の行かわかりません" in read.findings[0].message

    @pytest.mark.parametrize(
        "others",
        [
            [["", "", "", "独り言"]],
            [["?", "未定"]],
            [["B", "未定", "", "", "r1", " C "], row("C")],
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

    @pytest.mark.parametrize(
        ("ruling", "memo", "heals"),
        [("不受理", "m", True), ("不受理", "", False), ("", "", False)],
        ids=["edited", "all else", "blank"],
    )
    def test_new_words_are_given_to_an_id_only_beside_one_that_is_archived(
        self, ruling: str, memo: str, heals: bool
    ) -> None:
        read = read_review([HEAD, self.lost("A", ruling, memo)], TAB, {"A": said("受理", "m")}, {})
        assert read.cells == ({"A": said(ruling, memo)} if heals else {})

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

    @pytest.mark.parametrize("mark", ["不明", "重複"])
    def test_a_row_once_set_aside_is_not_given_to_an_id_that_vanishes_later(self, mark: str) -> None:
        grid = [HEAD, ["", "未定", "受理", "", mark, "A"]]
        read = read_review(grid, TAB, {"A": said()}, {})
        assert (read.cells, codes(read.findings)) == ({}, ["quarantine"])
        named = read_review([HEAD, row("不明", "受理")], TAB, {"A": said()}, {})
        assert "どの受付の行かわかりません" in named.findings[0].message

    def test_the_merge_heals_no_id_that_has_no_entry(self) -> None:
        grid = [HEAD, ["", "判定Z", "受理"]]
        merged = merge_review(grid, TAB, entries("A"), {}, run_id="r2", last={"Z": {"判定": "判定Z"}})
        assert merged.grid == [HEAD, ["不明", "判定Z", "受理"], row("A", run="r2")]

    def test_the_merge_writes_the_key_back(self) -> None:
        grid = [HEAD, self.lost("A", "受理")]
        merged = merge_review(
            grid, TAB, entries("A"), {"A": said("受理")}, run_id="r2", last={"A": half("A")}
        )
        assert merged.grid == [HEAD, row("A", "受理")]
        assert (merged.changed, merged.healed, merged.restored) == (True, ("A",), ())
