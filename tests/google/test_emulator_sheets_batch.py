"""Batches: all or nothing, sheets and their properties, rows and columns, blocks that are pushed or pulled."""

from __future__ import annotations

import pytest
from sheets_bench import area, lines, refusal


def titles(bench):
    return [each["properties"]["title"] for each in bench.get()["sheets"]]


def properties(number, mask, **given):
    return {"updateSheetProperties": {"properties": {"sheetId": number} | given, "fields": mask}}


def test_a_batch_happens_whole_or_not_at_all(bench):
    bench.put("A1", [["kept"]])
    good = {"updateCells": {"range": area(0, 1, 0, 1), "fields": "userEnteredValue"}}
    said = bench.refused(
        {"addSheet": {"properties": {"title": "New"}}}, good, {"deleteSheet": {"sheetId": 9}}
    )
    assert said == (400, "Invalid requests[2].deleteSheet: No sheet with id: 9")
    assert titles(bench) == ["Sheet1"]
    assert bench.read("A1") == [["kept"]]


def test_a_kind_the_emulator_does_not_know_is_501_before_anything_happens(bench):
    code, said = bench.refused({"addSheet": {}}, {"refreshDataSource": {"isAll": True}})
    assert code == 501
    assert "requests[1].refreshDataSource" in said
    assert titles(bench) == ["Sheet1"]
    assert refusal(bench.batch) == (400, "Must specify at least one request.")


def test_a_batch_can_show_what_it_left(bench):
    request = {"addSheet": {"properties": {"title": "New", "sheetId": 5}}}
    body = {
        "requests": [request],
        "includeSpreadsheetInResponse": True,
        "responseRanges": ["Sheet1!A1"],
        "responseIncludeGridData": True,
    }
    bench.put("A1", [["x"]])
    answer = bench.api.batchUpdate(spreadsheetId=bench.id, body=body).execute()
    assert answer["replies"][0]["addSheet"]["properties"]["sheetId"] == 5
    only = answer["updatedSpreadsheet"]["sheets"]
    assert [each["properties"]["title"] for each in only] == ["Sheet1"]
    assert only[0]["data"][0]["rowData"][0]["values"][0]["formattedValue"] == "x"


def test_the_spreadsheet_itself_is_renamed_and_set(bench, drive):
    given = {"title": "New", "locale": "ja_JP", "timeZone": "Asia/Tokyo"}
    bench.batch({"updateSpreadsheetProperties": {"properties": given, "fields": "title,locale,timeZone"}})
    assert {name: bench.get()["properties"][name] for name in given} == given
    assert drive.files().get(fileId=bench.id, fields="name").execute() == {"name": "New"}
    bad = {"updateSpreadsheetProperties": {"properties": {"timeZone": "Mars/Here"}, "fields": "timeZone"}}
    assert bench.refused(bad)[1].startswith("Invalid requests[0].updateSpreadsheetProperties: ")


def test_sheets_are_added_where_asked_with_what_was_asked(bench):
    made = bench.batch(
        {"addSheet": {}},
        {
            "addSheet": {
                "properties": {
                    "title": "First",
                    "index": 0,
                    "sheetId": 77,
                    "gridProperties": {"rowCount": 3, "columnCount": 4, "frozenRowCount": 1},
                    "tabColor": {"red": 1},
                }
            }
        },
    )
    assert made[0]["addSheet"]["properties"]["title"] == "Sheet2"
    assert made[1]["addSheet"]["properties"] == {
        "sheetId": 77,
        "title": "First",
        "index": 0,
        "sheetType": "GRID",
        "gridProperties": {"rowCount": 3, "columnCount": 4, "frozenRowCount": 1},
        "tabColor": {"red": 1},
        "tabColorStyle": {"rgbColor": {"red": 1}},
    }
    assert titles(bench) == ["First", "Sheet1", "Sheet2"]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (
            {"addSheet": {"properties": {"title": "Sheet1"}}},
            'addSheet: A sheet with the name "Sheet1" already exists. Please enter another name.',
        ),
        (
            {"addSheet": {"properties": {"title": "x" * 101}}},
            "addSheet: The sheet name cannot be greater than 100 characters.",
        ),
        ({"addSheet": {"properties": {"sheetId": 0}}}, "addSheet: Sheet with id 0 already exists."),
        ({"deleteSheet": {"sheetId": 0}}, "deleteSheet: You can't remove all the sheets in a document."),
        (
            properties(0, "hidden", hidden=True),
            "updateSheetProperties: You can't hide all the sheets in a document.",
        ),
        (properties(0, "title", title=""), "updateSheetProperties: The sheet name cannot be empty."),
        (properties(5, "title", title="x"), "updateSheetProperties: No sheet with id: 5"),
        (
            properties(0, "", title="x"),
            "updateSheetProperties: At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)",
        ),
        ({"insertDimension": {"range": lines("ROWS", 0, 1, 8)}}, "insertDimension: No grid with id: 8"),
        (
            {"insertDimension": {"range": lines("ROWS", 1000, 1001)}},
            "insertDimension: range.startIndex must be less than the grid size (1000) if inheritFromBefore is false.",
        ),
        (
            {"insertDimension": {"range": lines("COLUMNS", 27, 28)}},
            "insertDimension: range.startIndex is larger than current grid size (26)",
        ),
        (
            {"deleteDimension": {"range": lines("ROWS", 1372, 1373)}},
            "deleteDimension: Cannot delete a row that doesn't exist. Tried to delete row index 1372 but there are "
            "only 1000 rows.",
        ),
        (
            {"deleteDimension": {"range": lines("COLUMNS", 0, 26)}},
            "deleteDimension: You can't delete all the columns on the sheet.",
        ),
        (
            {"updateCells": {"start": {"rowIndex": 1000}, "rows": [], "fields": "*"}},
            "updateCells: GridCoordinate.rowIndex[1000] is after last row in grid[999]",
        ),
        (
            {"repeatCell": {"range": area(1000, 1001, 0, 2), "cell": {}, "fields": "userEnteredValue"}},
            "repeatCell: Range (Sheet1!A1001:B1001) exceeds grid limits. Max rows: 1000, max columns: 26",
        ),
        (
            {"repeatCell": {"range": area(0, 2, 26, 27), "cell": {}, "fields": "userEnteredValue"}},
            "repeatCell: Range (Sheet1!AA1:AA2) exceeds grid limits. Max rows: 1000, max columns: 26",
        ),
    ],
)
def test_refusals_name_the_request_and_say_why(bench, request_, said):
    assert bench.refused(request_) == (400, f"Invalid requests[0].{said}")


def test_a_sheet_is_changed_only_where_the_mask_says(bench):
    two = bench.add_sheet("two")
    bench.batch(
        properties(
            two,
            "title,hidden,tabColorStyle,gridProperties.frozenRowCount",
            title="TWO",
            hidden=True,
            tabColorStyle={"rgbColor": {"blue": 1}},
            gridProperties={"frozenRowCount": 2, "rowCount": 1},
        )
    )
    found = bench.sheet(1)["properties"]
    assert (found["title"], found["hidden"], found["tabColor"]) == ("TWO", True, {"blue": 1})
    assert found["gridProperties"] == {"rowCount": 1000, "columnCount": 26, "frozenRowCount": 2}
    bench.batch(properties(two, "hidden,tabColor,gridProperties.frozenRowCount"))
    found = bench.sheet(1)["properties"]
    assert "hidden" not in found
    assert "tabColor" not in found
    assert found["gridProperties"] == {"rowCount": 1000, "columnCount": 26}


def test_a_place_among_the_sheets_counts_before_the_move(bench):
    for title in ("b", "c"):
        bench.add_sheet(title)
    bench.batch(properties(0, "index", index=1))
    assert titles(bench) == ["Sheet1", "b", "c"]
    bench.batch(properties(0, "index", index=2))
    assert titles(bench) == ["b", "Sheet1", "c"]
    bench.batch(properties(0, "index", index=0))
    assert titles(bench) == ["Sheet1", "b", "c"]


def test_a_smaller_grid_loses_what_was_beyond(bench):
    bench.put("A1", [["a"], ["b"], ["c"]])
    bench.batch(properties(0, "gridProperties.rowCount", gridProperties={"rowCount": 2}))
    bench.batch({"appendDimension": {"dimension": "ROWS", "length": 3}})
    assert bench.grid() == (5, 26)
    assert bench.read("A1:A5") == [["a"], ["b"]]


def test_a_duplicate_has_the_cells_and_new_ids(bench):
    bench.put("A1", [["a", "=x"]])
    bench.batch({"addProtectedRange": {"protectedRange": {"range": area(0, 1, 0, 1)}}})
    made = bench.batch({"duplicateSheet": {"sourceSheetId": 0, "insertSheetIndex": 1}})
    twin = made[0]["duplicateSheet"]["properties"]
    assert (twin["title"], twin["index"]) == ("Copy of Sheet1", 1)
    assert bench.read("'Copy of Sheet1'!A1:B1") == [["a", "=x"]]
    one, two = (sheet["protectedRanges"][0] for sheet in bench.get()["sheets"])
    assert one["protectedRangeId"] != two["protectedRangeId"]
    assert two["range"]["sheetId"] == twin["sheetId"]
    named = {"duplicateSheet": {"sourceSheetId": 0, "newSheetName": "N", "newSheetId": 4}}
    assert bench.batch(named)[0]["duplicateSheet"]["properties"]["sheetId"] == 4
    assert titles(bench)[0] == "N"


def test_oddities_that_clients_send_and_google_takes_are_taken(bench, http):
    """gspread-formatting nests lists of requests; google-spreadsheet for node puts a slash before the verb."""
    nested = {"requests": [[{"addSheet": {"properties": {"title": "a"}}}], {"addSheet": {}}]}
    answer = http("POST", f"/v4/spreadsheets/{bench.id}/:batchUpdate", json=nested)
    assert answer.status_code == 200
    assert titles(bench) == ["Sheet1", "a", "Sheet3"]
