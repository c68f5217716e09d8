"""What lies on sheets: named and protected ranges, conditional formats, filters, banding, tables, charts, slicers."""

from __future__ import annotations

import pytest
from google.oauth2.credentials import Credentials
from sheets_bench import Bench, area, refusal

from tests.google_emulator.clients import service
from tests.google_emulator.world import Permission

PROTECTED = (
    "You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection "
    "if you need to edit."
)
GUEST = "guest@example.com"


@pytest.fixture
def guest(emulator, bench):
    """The same spreadsheet as seen by somebody it is shared with for editing."""
    world = emulator.service.world
    world.files[bench.id].permissions.append(Permission("p", "user", "writer", GUEST))
    token = emulator.service.accounts.issue(GUEST, None)
    with service("sheets", emulator.base, Credentials(token=token)) as made:
        other = object.__new__(Bench)
        other.api, other.id = made.spreadsheets(), bench.id
        yield other


def protect(box, **given):
    return {"addProtectedRange": {"protectedRange": {"range": box} | given}}


def test_named_ranges_are_added_changed_and_deleted(bench):
    made = bench.batch({"addNamedRange": {"namedRange": {"name": "Total", "range": area(0, 2, 0, 1)}}})
    named = made[0]["addNamedRange"]["namedRange"]
    bounds = {"startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 1}
    assert named == {"namedRangeId": named["namedRangeId"], "name": "Total", "range": bounds}
    assert bench.refused({"addNamedRange": {"namedRange": {"name": "total", "range": area(0, 1, 0, 1)}}}) == (
        400,
        "Invalid requests[0].addNamedRange: Cannot add named range with name total, a named range with that name "
        "already exists.",
    )
    change = {"namedRangeId": named["namedRangeId"], "name": "Sum", "range": area(5, 6, 0, 1)}
    bench.batch({"updateNamedRange": {"namedRange": change, "fields": "name"}})
    assert bench.get()["namedRanges"] == [named | {"name": "Sum"}]
    bench.put("A1", [[1], [2]])
    bench.type("B1", [["=SUM(Sum)"]])
    assert bench.read("B1") == [["3"]]
    bench.batch({"deleteNamedRange": {"namedRangeId": named["namedRangeId"]}})
    assert "namedRanges" not in bench.get()
    assert bench.read("B1") == [["#NAME?"]]


def test_a_protected_range_answers_as_recorded(bench):
    sent = {"warningOnly": False, "requestingUserCanEdit": False, "editors": {"users": [], "groups": []}}
    made = bench.batch(protect(area(0, 2, 0, 2), description=None, **sent))[0]["addProtectedRange"][
        "protectedRange"
    ]
    number = made["protectedRangeId"]
    bounds = {"startRowIndex": 0, "endRowIndex": 2, "startColumnIndex": 0, "endColumnIndex": 2}
    expected = {"protectedRangeId": number, "range": bounds, "requestingUserCanEdit": True, "editors": {}}
    assert made == expected
    stored = bench.sheet()["protectedRanges"]
    assert stored == [expected | {"editors": {"users": ["owner@example.com"]}}]
    change = {"protectedRangeId": number, "warningOnly": True}
    bench.batch({"updateProtectedRange": {"protectedRange": change, "fields": "warningOnly"}})
    assert bench.sheet()["protectedRanges"][0]["warningOnly"] is True
    bench.batch({"deleteProtectedRange": {"protectedRangeId": number}})
    assert "protectedRanges" not in bench.sheet()


def test_who_may_not_edit_is_refused_and_nothing_of_the_batch_happens(bench, guest):
    bench.put("A1", [["a", "b"], ["c", "d"]])
    bench.batch(protect(area(0, 1, 0, 1)))
    write = {"updateCells": {"start": {}, "rows": [{"values": [{}]}], "fields": "userEnteredValue"}}
    ok = {"updateCells": {"start": {"rowIndex": 1}, "rows": [{"values": [{}]}], "fields": "userEnteredValue"}}
    assert guest.refused(ok, write) == (400, f"Invalid requests[1].updateCells: {PROTECTED}")
    assert guest.read("A1:B2") == [["a", "b"], ["c", "d"]]
    assert refusal(guest.put, "A1:B1", [["x", "y"]]) == (400, PROTECTED)
    body = {"valueInputOption": "RAW", "data": [{"range": "A1", "values": [["x"]]}]}
    call = guest.api.values().batchUpdate(spreadsheetId=bench.id, body=body)
    assert refusal(call.execute) == (400, f"Invalid data[0]: {PROTECTED}")
    assert guest.refused(
        {"deleteDimension": {"range": {"dimension": "ROWS", "startIndex": 0, "endIndex": 1}}}
    )[1] == (f"Invalid requests[0].deleteDimension: {PROTECTED}")
    guest.put("B1", [["y"]])
    bench.put("A1", [["x"]])
    seen = guest.sheet()["protectedRanges"][0]
    assert "requestingUserCanEdit" not in seen
    assert "editors" not in seen


def test_editors_and_open_spots_and_mere_warnings_let_through(bench, guest):
    bench.batch(protect({"sheetId": 0}, unprotectedRanges=[area(4, 6, 0, 2)]))
    guest.put("A5", [["x", "y"]])
    assert refusal(guest.put, "A4", [["x"]])[0] == 400
    number = bench.sheet()["protectedRanges"][0]["protectedRangeId"]
    title = {"updateSheetProperties": {"properties": {"sheetId": 0, "title": "x"}, "fields": "title"}}
    assert guest.refused(title) == (400, f"Invalid requests[0].updateSheetProperties: {PROTECTED}")
    assert guest.refused({"deleteProtectedRange": {"protectedRangeId": number}})[0] == 400
    change = {"protectedRangeId": number, "editors": {"users": [GUEST]}}
    bench.batch({"updateProtectedRange": {"protectedRange": change, "fields": "editors"}})
    guest.put("A4", [["x"]])
    bench.batch(
        {"deleteProtectedRange": {"protectedRangeId": number}}, protect({"sheetId": 0}, warningOnly=True)
    )
    guest.put("A1", [["x"]])


def rule(kind="TEXT_CONTAINS", value="a", box=None, **look):
    return {
        "ranges": [box or area(0, 5, 0, 1)],
        "booleanRule": {
            "condition": {"type": kind, "values": [{"userEnteredValue": value}]},
            "format": look or {"textFormat": {"bold": True}},
        },
    }


def test_conditional_formats_keep_their_order(bench):
    def values():
        rules = bench.sheet().get("conditionalFormats", [])
        return [each["booleanRule"]["condition"]["values"][0]["userEnteredValue"] for each in rules]

    for index, value in enumerate("abc"):
        bench.batch({"addConditionalFormatRule": {"rule": rule(value=value), "index": index}})
    assert values() == ["a", "b", "c"]
    bench.batch({"updateConditionalFormatRule": {"index": 0, "newIndex": 2}})
    assert values() == ["b", "c", "a"]
    made = bench.batch({"updateConditionalFormatRule": {"index": 1, "rule": rule(value="C"), "sheetId": 0}})
    assert made[0]["updateConditionalFormatRule"]["newIndex"] == 1
    bench.batch({"deleteConditionalFormatRule": {"index": 0}})
    assert values() == ["C", "a"]
    assert bench.refused({"deleteConditionalFormatRule": {"index": 9}}) == (
        400,
        "Invalid requests[0].deleteConditionalFormatRule: No conditional format on sheet: 0 at index: 9",
    )


def test_conditional_formats_show_in_the_effective_format(bench):
    bench.put("A1", [["abc"], ["xyz"], [5]])
    bench.batch(
        {"addConditionalFormatRule": {"rule": rule()}},
        {"addConditionalFormatRule": {"rule": rule("CUSTOM_FORMULA", "=A1=5", backgroundColor={"red": 1})}},
    )

    def look(where):
        return bench.cell(where, "effectiveFormat")["effectiveFormat"]

    assert [look(f"A{row}")["textFormat"]["bold"] for row in (1, 2, 3)] == [True, False, False]
    assert look("A3")["backgroundColor"] == {"red": 1}
    assert look("A2")["backgroundColor"] != {"red": 1}


@pytest.mark.parametrize(
    ("gradient", "said"),
    [
        ({"minpoint": {"type": "MIN"}}, "No interpolationPointType specified."),
        (
            {"minpoint": {"type": "NUMBER"}, "maxpoint": {"type": "MAX"}},
            "InterpolationPoint.value is required.",
        ),
    ],
)
def test_a_colour_scale_needs_its_points(bench, gradient, said):
    request = {"addConditionalFormatRule": {"rule": {"ranges": [area(0, 1, 0, 1)], "gradientRule": gradient}}}
    assert bench.refused(request) == (400, f"Invalid requests[0].addConditionalFormatRule: {said}")


def test_the_basic_filter_has_all_its_ends_and_hides_values(bench):
    bench.put("A1", [["h"], ["x"], ["y"]])
    given = {"range": {"sheetId": 0}, "criteria": {"0": {"hiddenValues": ["x"]}}}
    bench.batch({"setBasicFilter": {"filter": given}})
    found = bench.sheet()["basicFilter"]
    assert found["range"] == {
        "startRowIndex": 0,
        "endRowIndex": 1000,
        "startColumnIndex": 0,
        "endColumnIndex": 26,
    }
    assert found["filterSpecs"] == [{"columnIndex": 0, "filterCriteria": {"hiddenValues": ["x"]}}]
    mask = "sheets.data.rowMetadata.hiddenByFilter"
    rows = bench.get(fields=mask, ranges=["A1:A3"])["sheets"][0]["data"][0]["rowMetadata"]
    assert [row.get("hiddenByFilter") for row in rows] == [None, True, None]
    assert bench.read("A1:A3") == [["h"], ["x"], ["y"]]
    bench.batch({"clearBasicFilter": {"sheetId": 0}})
    assert "basicFilter" not in bench.sheet()


def test_filter_views_are_added_changed_copied_and_deleted(bench):
    made = bench.batch({"addFilterView": {"filter": {"title": "mine", "range": area(0, 5, 0, 2)}}})
    number = made[0]["addFilterView"]["filter"]["filterViewId"]
    change = {"filterViewId": number, "title": "yours", "range": area(0, 6, 0, 2)}
    bench.batch({"updateFilterView": {"filter": change, "fields": "title"}})
    view = bench.sheet()["filterViews"][0]
    assert (view["title"], view["range"]["endRowIndex"]) == ("yours", 5)
    twin = bench.batch({"duplicateFilterView": {"filterId": number}})[0]["duplicateFilterView"]["filter"]
    assert twin["filterViewId"] != number
    bench.batch({"deleteFilterView": {"filterId": number}})
    assert [each["title"] for each in bench.sheet()["filterViews"]] == ["Copy of yours"]


def test_banding_does_not_overlap(bench):
    look = {"firstBandColor": {"red": 1}, "secondBandColor": {}}
    made = bench.batch({"addBanding": {"bandedRange": {"range": area(0, 5, 0, 3), "rowProperties": look}}})
    banded = made[0]["addBanding"]["bandedRange"]
    assert banded["rowProperties"]["firstBandColorStyle"] == {"rgbColor": {"red": 1}}
    assert bench.refused(
        {"addBanding": {"bandedRange": {"range": area(4, 9, 0, 1), "rowProperties": look}}}
    ) == (
        400,
        "Invalid requests[0].addBanding: You cannot add alternating background colors to a range that already has "
        "alternating background colors.",
    )
    change = {"bandedRangeId": banded["bandedRangeId"], "range": area(0, 9, 0, 3)}
    bench.batch({"updateBanding": {"bandedRange": change, "fields": "range"}})
    assert bench.sheet()["bandedRanges"][0]["range"]["endRowIndex"] == 9
    bench.batch({"deleteBanding": {"bandedRangeId": banded["bandedRangeId"]}})
    assert "bandedRanges" not in bench.sheet()


LIST = {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "Open"}]}}


def test_a_tables_columns_are_its_header_cells(bench):
    bench.put("A1", [["Name", ""], ["x", "Open"]])
    columns = [{"columnIndex": 1, "columnType": "DROPDOWN", "dataValidationRule": LIST}]
    table = {"name": "T", "range": area(0, 3, 0, 2), "columnProperties": columns}
    made = bench.batch({"addTable": {"table": table}})[0]["addTable"]["table"]
    named = [{"columnName": "Name"}, {"columnIndex": 1, "columnName": "Column 1", **columns[0]}]
    assert made["columnProperties"][0] == {"columnName": "Name"}
    assert made["columnProperties"][1]["columnName"] in ("Column 1", "Column 2")
    assert len(named) == len(made["columnProperties"])
    bench.put("B1", [["State"]])
    assert bench.sheet()["tables"][0]["columnProperties"][1]["columnName"] == "State"
    row = {"values": [{"userEnteredValue": {"stringValue": "new"}}]}
    bench.batch({"appendCells": {"tableId": made["tableId"], "rows": [row], "fields": "userEnteredValue"}})
    assert bench.sheet()["tables"][0]["range"]["endRowIndex"] == 4
    assert bench.read("A4") == [["new"]]
    change = {"tableId": made["tableId"], "columnProperties": [{"columnIndex": 1, "columnName": "Quorbin"}]}
    bench.batch({"updateTable": {"table": change, "fields": "columnProperties"}})
    assert bench.read("A1:B1") == [["Name", "Quorbin"]]
    bench.batch({"deleteTable": {"tableId": made["tableId"]}})
    assert "tables" not in bench.sheet()


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ({"columnType": "DROPDOWN"}, "Condition must be set for dropdown column type."),
        (
            {"columnType": "DOUBLE", "dataValidationRule": LIST},
            "Cannot set condition for non-dropdown column type.",
        ),
    ],
)
def test_a_tables_columns_are_checked(bench, column, said):
    table = {"name": "T", "range": area(0, 3, 0, 2), "columnProperties": [column]}
    assert bench.refused({"addTable": {"table": table}}) == (400, f"Invalid requests[0].addTable: {said}")


def test_a_column_of_ticks_is_filled(bench):
    bench.put("A1", [["Flag"], ["maybe"], [True]])
    table = {"name": "T", "range": area(0, 4, 0, 1), "columnProperties": [{"columnType": "BOOLEAN"}]}
    bench.batch({"addTable": {"table": table}})
    assert bench.read("A1:A4", "UNFORMATTED_VALUE") == [["Flag"], [False], [True], [False]]


def test_charts_and_slicers_are_kept_and_given_back(bench):
    spec = {"title": "c", "basicChart": {"chartType": "LINE"}}
    anchor = {"anchorCell": {"rowIndex": 2, "columnIndex": 1}}
    made = bench.batch({"addChart": {"chart": {"spec": spec, "position": {"overlayPosition": anchor}}}})
    chart = made[0]["addChart"]["chart"]
    assert bench.sheet()["charts"] == [chart]
    bench.batch({"updateChartSpec": {"chartId": chart["chartId"], "spec": {"title": "d"} | spec}})
    far = {"overlayPosition": {"anchorCell": {"rowIndex": 1000}}}
    assert bench.refused({"addChart": {"chart": {"spec": spec, "position": far}}})[1] == (
        "Invalid requests[0].addChart: GridCoordinate.rowIndex[1000] is after last row in grid[999]"
    )
    slicer = {"spec": {"dataRange": area(0, 5, 0, 2), "title": "s"}, "position": {"overlayPosition": anchor}}
    number = bench.batch({"addSlicer": {"slicer": slicer}})[0]["addSlicer"]["slicer"]["slicerId"]
    bench.batch({"deleteEmbeddedObject": {"objectId": chart["chartId"]}})
    left = bench.sheet()
    assert "charts" not in left
    assert left["slicers"][0]["slicerId"] == number
    own = bench.batch({"addChart": {"chart": {"spec": spec, "position": {"newSheet": True}}}})[0]["addChart"]
    assert bench.sheet(1)["properties"]["sheetType"] == "OBJECT"
    assert own["chart"]["position"] == {"sheetId": bench.sheet(1)["properties"]["sheetId"]}
