"""Developer metadata, and addressing cells by it, by A1 text or by grid range."""

from __future__ import annotations

import pytest
from sheets_bench import area, lines, refusal


def tag(bench, key, location, value="v", **given):
    body = {
        "metadataKey": key,
        "metadataValue": value,
        "visibility": "DOCUMENT",
        "location": location,
    } | given
    made = bench.batch({"createDeveloperMetadata": {"developerMetadata": body}})
    return made[0]["createDeveloperMetadata"]["developerMetadata"]


def row(index, sheet=0):
    return {"dimensionRange": lines("ROWS", index, index + 1, sheet)}


def lookup(**given):
    return {"developerMetadataLookup": given}


def search(bench, *filters):
    call = bench.api.developerMetadata().search(spreadsheetId=bench.id, body={"dataFilters": list(filters)})
    found = call.execute().get("matchedDeveloperMetadata", [])
    return sorted(each["developerMetadata"]["metadataKey"] for each in found)


def by_filter(bench, method, **body):
    return getattr(bench.api.values(), method)(spreadsheetId=bench.id, body=body).execute()


def test_a_tag_says_where_it_is(bench):
    made = tag(bench, "k", row(4), metadataId=12)
    assert made == {
        "metadataId": 12,
        "metadataKey": "k",
        "metadataValue": "v",
        "location": {
            "locationType": "ROW",
            "dimensionRange": {"dimension": "ROWS", "startIndex": 4, "endIndex": 5},
        },
        "visibility": "DOCUMENT",
    }
    one = bench.api.developerMetadata().get(spreadsheetId=bench.id, metadataId=12).execute()
    assert one == made
    missing = bench.api.developerMetadata().get(spreadsheetId=bench.id, metadataId=13)
    assert refusal(missing.execute)[0] == 404
    tag(bench, "s", {"sheetId": 0})
    tag(bench, "b", {"spreadsheet": True})
    book = bench.get()
    assert [each["metadataKey"] for each in book["developerMetadata"]] == ["b"]
    assert [each["metadataKey"] for each in book["sheets"][0]["developerMetadata"]] == ["s"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"metadataKey": ""}, "Developer metadata must specify a key."),
        (
            {"location": {"dimensionRange": lines("ROWS", 0, 2)}},
            "The DimensionRange of a developer metadata location must span exactly one row or column.",
        ),
        (
            {"metadataId": 1},
            "Cannot add developer metadata with ID [1] because developer metadata with that ID already exists.",
        ),
    ],
)
def test_a_tag_has_a_key_a_place_of_one_line_and_its_own_id(bench, change, said):
    tag(bench, "k", row(0), metadataId=1)
    body = {"metadataKey": "k", "visibility": "DOCUMENT", "location": row(1)} | change
    request = {"createDeveloperMetadata": {"developerMetadata": body}}
    assert bench.refused(request) == (400, f"Invalid requests[0].createDeveloperMetadata: {said}")


def test_tags_are_searched_by_what_they_say_and_where_they_are(bench):
    other = bench.add_sheet("other")
    tag(bench, "one", row(1), "x")
    tag(bench, "two", row(2), "y", visibility="PROJECT")
    tag(bench, "column", {"dimensionRange": lines("COLUMNS", 0, 1)})
    tag(bench, "sheet", {"sheetId": 0})
    tag(bench, "far", row(1, other))
    tag(bench, "book", {"spreadsheet": True})
    assert search(bench, lookup(metadataKey="one")) == ["one"]
    assert search(bench, lookup(metadataValue="y"), lookup(metadataKey="one")) == ["one", "two"]
    assert search(bench, lookup(visibility="PROJECT")) == ["two"]
    assert search(bench, lookup(locationType="ROW")) == ["far", "one", "two"]
    assert search(bench, {"a1Range": "A2:B2"}) == ["column", "one"]
    assert search(bench, {"gridRange": {"sheetId": 0}}) == ["column", "one", "sheet", "two"]
    exact = lookup(metadataLocation=row(1))
    assert search(bench, exact) == ["one"]
    crossing = lookup(metadataLocation={"sheetId": 0}, locationMatchingStrategy="INTERSECTING_LOCATION")
    assert search(bench, crossing) == ["column", "one", "sheet", "two"]
    assert search(bench, lookup(metadataLocation={"spreadsheet": True})) == ["book"]
    assert search(bench, lookup(metadataKey="none")) == []


def test_tags_are_changed_and_deleted_by_filter(bench):
    tag(bench, "k", row(1), "old")
    change = {"metadataValue": "new", "location": {"sheetId": 0}}
    request = {
        "updateDeveloperMetadata": {
            "dataFilters": [lookup(metadataKey="k")],
            "developerMetadata": change,
            "fields": "metadataValue,location",
        }
    }
    made = bench.batch(request)[0]["updateDeveloperMetadata"]["developerMetadata"][0]
    assert (made["metadataValue"], made["location"]) == ("new", {"locationType": "SHEET", "sheetId": 0})
    gone = bench.batch({"deleteDeveloperMetadata": {"dataFilter": lookup(metadataKey="k")}})
    assert len(gone[0]["deleteDeveloperMetadata"]["deletedDeveloperMetadata"]) == 1
    assert search(bench, lookup(metadataKey="k")) == []


def test_a_tag_goes_with_its_row_and_dies_with_it(bench):
    tag(bench, "k", row(3))
    bench.batch({"insertDimension": {"range": lines("ROWS", 0, 2)}})
    bench.put("A6", [["here"]])
    answer = by_filter(bench, "batchGetByDataFilter", dataFilters=[lookup(metadataKey="k")])
    assert answer["valueRanges"] == [
        {
            "valueRange": {"range": "Sheet1!A6:Z6", "majorDimension": "ROWS", "values": [["here"]]},
            "dataFilters": [lookup(metadataKey="k")],
        }
    ]
    bench.batch({"moveDimension": {"source": lines("ROWS", 5, 6), "destinationIndex": 0}})
    answer = by_filter(bench, "batchGetByDataFilter", dataFilters=[lookup(metadataKey="k")])
    assert answer["valueRanges"][0]["valueRange"]["range"] == "Sheet1!A1:Z1"
    bench.batch({"deleteDimension": {"range": lines("ROWS", 0, 1)}})
    assert search(bench, lookup(metadataKey="k")) == []


def test_values_are_written_read_and_cleared_by_filter(bench):
    tag(bench, "k", row(2))
    data = [
        {"dataFilter": lookup(metadataKey="k"), "values": [["a", "b"]]},
        {"dataFilter": {"gridRange": area(0, 1, 0, 2)}, "values": [["c"]]},
        {"dataFilter": {"a1Range": "D1"}, "values": [["=1+1"]]},
    ]
    answer = by_filter(bench, "batchUpdateByDataFilter", valueInputOption="USER_ENTERED", data=data)
    assert answer["totalUpdatedCells"] == 4
    assert answer["responses"][1] == {
        "updatedRange": "Sheet1!A1",
        "updatedRows": 1,
        "updatedColumns": 1,
        "updatedCells": 1,
        "dataFilter": {"gridRange": {"endRowIndex": 1, "endColumnIndex": 2}},
    }
    assert bench.read("A1:D3") == [["c", "", "", "2"], [], ["a", "b"]]
    too_big = [{"dataFilter": lookup(metadataKey="k"), "values": [["x"], ["y"]]}]
    body = {"valueInputOption": "RAW", "data": too_big}
    said = refusal(by_filter, bench, "batchUpdateByDataFilter", **body)
    assert said[1].startswith("Invalid data[0]: Requested writing within range [Sheet1!A3:Z3]")
    cleared = by_filter(bench, "batchClearByDataFilter", dataFilters=[lookup(metadataKey="k")])
    assert cleared["clearedRanges"] == ["Sheet1!A3:Z3"]
    assert bench.read("A3:Z3") is None


def test_a_spreadsheet_is_told_as_far_as_filters_reach(bench):
    bench.put("A1", [["x"]])
    bench.add_sheet("other")
    body = {"dataFilters": [{"a1Range": "Sheet1!A1"}], "includeGridData": True}
    found = bench.api.getByDataFilter(spreadsheetId=bench.id, body=body).execute()["sheets"]
    assert [each["properties"]["title"] for each in found] == ["Sheet1"]
    assert found[0]["data"][0]["rowData"][0]["values"][0]["formattedValue"] == "x"
    none = {"dataFilters": [lookup(metadataKey="none")]}
    assert "sheets" not in bench.api.getByDataFilter(spreadsheetId=bench.id, body=none).execute()
