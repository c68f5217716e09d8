"""The desk, case by case: the masters' own tables."""

from __future__ import annotations

import json

import pytest
from desk_sheets import codes

from pipeline.desk import InputTab, add_input_rows, read_inputs

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
