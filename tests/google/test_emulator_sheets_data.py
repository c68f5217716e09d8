"""Requests that work on data: sorting, shuffling, cleaning, replacing, pasting, filling."""

from __future__ import annotations

import pytest
from sheets_bench import area, lines


def sort(*specs, box=None):
    keys = [{"dimensionIndex": column, "sortOrder": order} for column, order in specs]
    return {"sortRange": {"range": box or area(0, 9, 0, 3), "sortSpecs": keys}}


def test_sorting_knows_numbers_texts_and_blanks_and_keeps_equals_in_order(bench):
    bench.put("A1", [["b", 1], [10, 2], ["", 3], [True, 4], ["a", 5], [9, 6], ["a", 7]])
    bench.batch(sort((0, "ASCENDING")))
    assert bench.read("B1:B7", "UNFORMATTED_VALUE") == [[6], [2], [5], [7], [1], [4], [3]]
    bench.batch(sort((0, "DESCENDING"), (1, "DESCENDING")))
    assert bench.read("B1:B7", "UNFORMATTED_VALUE") == [[4], [1], [7], [5], [2], [6], [3]]


def test_sorting_moves_whole_cells_and_leaves_hidden_rows_and_what_is_beside(bench):
    bench.put("A1", [[3, "c", "beside 1"], [2, "b", "beside 2"], [1, "a", "beside 3"]])
    bench.batch(
        {
            "updateDimensionProperties": {
                "range": lines("ROWS", 1, 2),
                "properties": {"hiddenByUser": True},
                "fields": "hiddenByUser",
            }
        },
        sort((0, "ASCENDING"), box=area(0, 3, 0, 2)),
    )
    assert bench.read("A1:C3") == [["1", "a", "beside 1"], ["2", "b", "beside 2"], ["3", "c", "beside 3"]]


def test_a_sort_is_refused_over_vertical_merges_and_outside_the_grid(bench):
    bench.batch({"mergeCells": {"range": area(1, 3, 0, 1), "mergeType": "MERGE_ALL"}})
    assert bench.refused(sort((0, "ASCENDING"))) == (
        400,
        "Invalid requests[0].sortRange: You can't sort a range containing vertical merges. "
        "There is a vertical merge at A2:A3.",
    )
    assert bench.refused(sort((0, "ASCENDING"), box=area(1000, 1001, 0, 1)))[1] == (
        "Invalid requests[0].sortRange: range.startRowIndex is larger than current grid size (1000)"
    )


@pytest.mark.parametrize("follows", [False, True])
def test_whether_row_metadata_follows_a_sort_is_a_setting_of_the_world(bench, emulator, follows):
    emulator.control("settings", metadataFollowsSort=follows)
    bench.put("A1", [[2], [1]])
    tag = {"metadataKey": "k", "visibility": "DOCUMENT", "location": {"dimensionRange": lines("ROWS", 0, 1)}}
    bench.batch({"createDeveloperMetadata": {"developerMetadata": tag}})
    bench.batch(sort((0, "ASCENDING"), box={"sheetId": 0}))
    mask = "sheets.data.rowMetadata.developerMetadata.metadataKey"
    rows = bench.get(fields=mask, ranges=["A1:A2"])["sheets"][0]["data"][0]["rowMetadata"]
    assert [bool(row) for row in rows] == [not follows, follows]


def test_shuffling_keeps_the_rows(bench):
    bench.put("A1", [[number, number * 10] for number in range(20)])
    bench.batch({"randomizeRange": {"range": area(0, 20, 0, 2)}})
    found = bench.read("A1:B20", "UNFORMATTED_VALUE")
    assert found != [[number, number * 10] for number in range(20)]
    assert sorted(found) == [[number, number * 10] for number in range(20)]


def test_duplicates_leave_and_the_rest_moves_up(bench):
    bench.put("A1", [["foo", "bar"], ["bar", "foo"], ["FOO", "bar"], ["bar", "foo"]])
    made = bench.batch({"deleteDuplicates": {"range": area(0, 4, 0, 2)}})
    assert made == [{"deleteDuplicates": {"duplicatesRemovedCount": 2}}]
    assert bench.read("A1:B4") == [["foo", "bar"], ["bar", "foo"]]
    bench.put("A1", [["a", "1"], ["b", "1"], ["a", "2"]])
    columns = [lines("COLUMNS", 1, 2)]
    bench.batch({"deleteDuplicates": {"range": area(0, 3, 0, 2), "comparisonColumns": columns}})
    assert bench.read("A1:B3") == [["a", "1"], ["a", "2"]]


def test_spaces_are_trimmed_and_texts_split(bench):
    bench.put("A1", [["  a  b "], ["c"]])
    assert bench.batch({"trimWhitespace": {"range": area(0, 2, 0, 1)}}) == [
        {"trimWhitespace": {"cellsChangedCount": 1}}
    ]
    assert bench.read("A1:A2") == [["a b"], ["c"]]
    bench.put("A1", [["1, x, 10%"]])
    bench.batch({"textToColumns": {"source": area(0, 1, 0, 1), "delimiterType": "COMMA"}})
    assert bench.read("A1:C1", "UNFORMATTED_VALUE") == [[1, "x", 0.1]]


def test_found_texts_are_replaced_and_counted(bench):
    bench.put("A1", [["one two", "ONE"], ["=x", "tone"]])
    bench.type("C1", [['="one"']])
    made = bench.batch({"findReplace": {"find": "one", "replacement": "1", "allSheets": True}})
    assert made[0]["findReplace"] == {
        "valuesChanged": 3,
        "rowsChanged": 2,
        "sheetsChanged": 1,
        "occurrencesChanged": 3,
    }
    assert bench.read("A1:B2", "UNFORMATTED_VALUE") == [["1 two", 1], ["=x", "t1"]]
    regex = {"find": r"(\w) (\w+)", "replacement": "$2-$1", "searchByRegex": True, "sheetId": 0}
    bench.batch({"findReplace": regex})
    assert bench.read("A1") == [["two-1"]]
    none = bench.batch({"findReplace": {"find": "zzz", "replacement": "y", "sheetId": 0}})
    assert none == [{"findReplace": {}}]


def test_pasted_text_is_typed(bench):
    bench.batch({"pasteData": {"coordinate": {"rowIndex": 1}, "data": "1,x\n=A2+1,10%", "delimiter": ","}})
    assert bench.read("A2:B3", "UNFORMATTED_VALUE") == [[1, "x"], [2, 0.1]]


@pytest.mark.parametrize(
    ("source", "filled"),
    [
        ([[1], [2]], [[3], [4], [5]]),
        ([[7]], [[7], [7], [7]]),
        ([["a"], ["b"]], [["a"], ["b"], ["a"]]),
        ([["item 1"]], [["item 2"], ["item 3"], ["item 4"]]),
        ([["=A1"]], [["=A2"], ["=A3"], ["=A4"]]),
        ([["2026-10-31"]], [["2026-11-01"], ["2026-11-02"], ["2026-11-03"]]),
    ],
)
def test_a_series_goes_on_as_it_began(bench, source, filled):
    bench.type("B1", source)
    given = {"source": area(0, len(source), 1, 2), "dimension": "ROWS", "fillLength": 3}
    bench.batch({"autoFill": {"sourceAndDestination": given}})
    how = "FORMULA" if str(source[0][0]).startswith("=") else "UNFORMATTED_VALUE"
    shown = {"dateTimeRenderOption": "FORMATTED_STRING"} if how != "FORMULA" else {}
    assert bench.read(f"B{len(source) + 1}:B9", how, **shown) == filled


def test_what_is_written_under_a_merge_is_not_kept(bench):
    bench.put("A1", [["8", "I"]])
    bench.batch({"mergeCells": {"range": area(0, 1, 0, 2), "mergeType": "MERGE_ALL"}})
    bench.put("A1:B1", [["9", "Z"]])
    assert bench.read("A1:B1") == [["9"]]
    bench.batch({"unmergeCells": {"range": area(0, 1, 0, 2)}})
    bench.put("A1:B1", [["9", "Z"]])
    assert bench.read("A1:B1") == [["9", "Z"]]
