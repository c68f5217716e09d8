"""Rows and columns that come, leave and move, with what lies on them; sizes, groups, blocks."""

from __future__ import annotations

from sheets_bench import area, lines


def test_rows_and_columns_come_leave_and_move_with_their_cells(bench):
    bench.put("A1", [["a1", "b1"], ["a2", "b2"], ["a3", "b3"]])
    bench.batch({"insertDimension": {"range": lines("ROWS", 1, 3)}})
    assert bench.read("A1:B5") == [["a1", "b1"], [], [], ["a2", "b2"], ["a3", "b3"]]
    assert bench.grid() == (1002, 26)
    bench.batch({"deleteDimension": {"range": lines("ROWS", 1, 3)}})
    bench.batch({"insertDimension": {"range": lines("COLUMNS", 1, 2)}})
    assert bench.read("A1:C3") == [["a1", "", "b1"], ["a2", "", "b2"], ["a3", "", "b3"]]
    bench.batch({"deleteDimension": {"range": lines("COLUMNS", 1, 2)}})
    bench.batch({"moveDimension": {"source": lines("ROWS", 0, 1), "destinationIndex": 3}})
    assert bench.read("A1:A3") == [["a2"], ["a3"], ["a1"]]
    bench.batch({"moveDimension": {"source": lines("ROWS", 2, 3), "destinationIndex": 0}})
    assert bench.read("A1:B3") == [["a1", "b1"], ["a2", "b2"], ["a3", "b3"]]


def test_new_rows_look_like_the_row_they_take_after(bench):
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    bench.batch({"repeatCell": {"range": area(0, 1, 0, 1), "cell": bold, "fields": "userEnteredFormat"}})
    bench.batch({"insertDimension": {"range": lines("ROWS", 1, 2), "inheritFromBefore": True}})
    bench.batch({"insertDimension": {"range": lines("ROWS", 2, 3), "inheritFromBefore": False}})
    assert bench.cell("A2", "userEnteredFormat")["userEnteredFormat"] == bold["userEnteredFormat"]
    assert bench.cell("A3", "userEnteredFormat") == {}


def test_everything_that_lies_on_rows_moves_with_them(bench):
    tag = {"metadataKey": "k", "visibility": "DOCUMENT", "location": {"dimensionRange": lines("ROWS", 4, 5)}}
    bench.batch(
        {"addNamedRange": {"namedRange": {"name": "n", "range": area(2, 4, 0, 2)}}},
        {"addProtectedRange": {"protectedRange": {"range": area(3, 4, 0, 1)}}},
        {"mergeCells": {"range": area(2, 4, 2, 3), "mergeType": "MERGE_ALL"}},
        {
            "addConditionalFormatRule": {
                "rule": {
                    "ranges": [area(2, 4, 0, 1)],
                    "booleanRule": {
                        "condition": {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": "=$A3>1"}]},
                        "format": {"textFormat": {"bold": True}},
                    },
                }
            }
        },
        {"setBasicFilter": {"filter": {"range": area(2, 9, 0, 2)}}},
        {"createDeveloperMetadata": {"developerMetadata": tag}},
        {
            "setDataValidation": {
                "range": area(2, 3, 5, 6),
                "rule": {
                    "condition": {
                        "type": "ONE_OF_RANGE",
                        "values": [{"userEnteredValue": "=Sheet1!$A$3:$A$4"}],
                    }
                },
            }
        },
    )
    bench.batch({"insertDimension": {"range": lines("ROWS", 1, 3)}})

    def span(found):
        return found["startRowIndex"], found["endRowIndex"]

    book, sheet = bench.get(), bench.sheet()
    assert span(book["namedRanges"][0]["range"]) == (4, 6)
    assert span(sheet["protectedRanges"][0]["range"]) == (5, 6)
    assert span(sheet["merges"][0]) == (4, 6)
    assert span(sheet["basicFilter"]["range"]) == (4, 11)
    rule = sheet["conditionalFormats"][0]
    assert span(rule["ranges"][0]) == (4, 6)
    assert rule["booleanRule"]["condition"]["values"] == [{"userEnteredValue": "=$A5>1"}]
    condition = bench.cell("F5", "dataValidation")["dataValidation"]["condition"]
    assert condition["values"] == [{"userEnteredValue": "=Sheet1!$A$5:$A$6"}]
    rows = bench.get(fields="sheets.data.rowMetadata.developerMetadata.metadataKey")["sheets"][0]["data"][0]
    assert [index for index, row in enumerate(rows["rowMetadata"]) if row] == [6]
    bench.batch({"deleteDimension": {"range": lines("ROWS", 4, 7)}})
    left = bench.get()
    assert "namedRanges" not in left
    assert set(left["sheets"][0]) == {"properties", "basicFilter"}


def test_a_range_grows_when_rows_come_inside_it_and_shrinks_when_they_leave(bench):
    bench.batch({"addNamedRange": {"namedRange": {"name": "n", "range": area(2, 6, 0, 1)}}})
    for request, expected in (
        ({"insertDimension": {"range": lines("ROWS", 3, 4)}}, (2, 7)),
        ({"insertDimension": {"range": lines("ROWS", 7, 8)}}, (2, 7)),
        ({"deleteDimension": {"range": lines("ROWS", 0, 3)}}, (0, 4)),
    ):
        bench.batch(request)
        found = bench.get()["namedRanges"][0]["range"]
        assert (found["startRowIndex"], found["endRowIndex"]) == expected


def test_blocks_are_pushed_in_and_pulled_out(bench):
    bench.put("A1", [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]])
    bench.type("E1", [["=B2"]])
    bench.batch({"insertRange": {"range": area(0, 1, 1, 2), "shiftDimension": "ROWS"}})
    assert bench.read("A1:C4") == [["a1", "", "c1"], ["a2", "b1", "c2"], ["a3", "b2", "c3"], ["", "b3"]]
    assert bench.read("E1", "FORMULA") == [["=B3"]]
    bench.batch({"deleteRange": {"range": area(0, 1, 1, 2), "shiftDimension": "ROWS"}})
    assert bench.read("A1:C3") == [["a1", "b1", "c1"], ["a2", "b2", "c2"], ["a3", "b3", "c3"]]
    bench.batch({"insertRange": {"range": area(1, 2, 0, 1), "shiftDimension": "COLUMNS"}})
    assert bench.read("A2:D2") == [["", "a2", "b2", "c2"]]
    bench.batch({"deleteRange": {"range": area(1, 2, 0, 2), "shiftDimension": "COLUMNS"}})
    assert bench.read("A2:D2") == [["b2", "c2"]]


def test_sizes_and_hidden_rows(bench):
    def set_(dimension, mask, **given):
        span = lines(dimension, 1, 3)
        return {"updateDimensionProperties": {"range": span, "properties": given, "fields": mask}}

    bench.batch(set_("ROWS", "pixelSize", pixelSize=42), set_("COLUMNS", "hiddenByUser", hiddenByUser=True))
    data = bench.sheet(ranges=["A1:D4"], includeGridData=True)["data"][0]
    assert [row["pixelSize"] for row in data["rowMetadata"]] == [21, 42, 42, 21]
    assert [column.get("hiddenByUser") for column in data["columnMetadata"]] == [None, True, True, None]
    bench.put("A1", [["a rather long text in a cell"]])
    bench.batch({"autoResizeDimensions": {"dimensions": lines("COLUMNS", 0, 1)}})
    mask = "sheets.data.columnMetadata.pixelSize"
    assert (
        bench.get(fields=mask, ranges=["A1"])["sheets"][0]["data"][0]["columnMetadata"][0]["pixelSize"] > 100
    )


def test_groups_of_columns(bench):
    made = bench.batch({"addDimensionGroup": {"range": lines("COLUMNS", 0, 4)}})
    group = {"range": {"dimension": "COLUMNS", "startIndex": 0, "endIndex": 4}, "depth": 1}
    assert made == [{"addDimensionGroup": {"dimensionGroups": [group]}}]
    bench.batch({"addDimensionGroup": {"range": lines("COLUMNS", 1, 3)}})
    assert [each["depth"] for each in bench.sheet()["columnGroups"]] == [1, 2]
    bench.batch({"deleteDimensionGroup": {"range": lines("COLUMNS", 0, 4)}})
    assert [each["range"]["endIndex"] for each in bench.sheet()["columnGroups"]] == [3]
