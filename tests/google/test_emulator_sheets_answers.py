"""What Sheets answers beyond values: replies, masks over a batch, and what it fills in or leaves out of what was sent."""

from __future__ import annotations

import pytest
from sheets_bench import Bench, area, lines, refusal

WRITE = {
    "updateCells": {
        "start": {"sheetId": 0},
        "rows": [{"values": [{"userEnteredValue": {"stringValue": "T"}}, {"note": "n"}]}],
        "fields": "userEnteredValue,note",
    }
}


def batch(bench: Bench, fields: str, **named):
    body = {"requests": [WRITE], "includeSpreadsheetInResponse": True} | named
    return bench.api.batchUpdate(spreadsheetId=bench.id, body=body, fields=fields).execute()


def test_a_mask_that_looks_into_cells_brings_them_without_being_told(bench):
    mask = "replies,updatedSpreadsheet.sheets.data.rowData.values(formattedValue,note)"
    answer = batch(bench, mask, responseRanges=["A1:B2"])
    cells = [{"formattedValue": "T"}, {"note": "n"}]
    assert answer == {
        "replies": [{}],
        "updatedSpreadsheet": {"sheets": [{"data": [{"rowData": [{"values": cells}]}]}]},
    }


def test_a_mask_that_does_not_look_into_cells_goes_without_them(bench):
    mask = "updatedSpreadsheet(sheets.properties(title,index))"
    answer = batch(bench, mask, responseIncludeGridData=True)
    assert answer == {"updatedSpreadsheet": {"sheets": [{"properties": {"title": "Sheet1", "index": 0}}]}}


def test_without_a_mask_the_flag_decides_about_cells(bench):
    for wanted in (True, False):
        body = {"requests": [WRITE], "includeSpreadsheetInResponse": True, "responseIncludeGridData": wanted}
        answer = bench.api.batchUpdate(spreadsheetId=bench.id, body=body).execute()
        assert ("data" in answer["updatedSpreadsheet"]["sheets"][0]) is wanted


def test_response_ranges_that_cannot_be_read_take_the_batch_back(bench):
    body = {"requests": [WRITE], "includeSpreadsheetInResponse": True, "responseRanges": ["Nope!A1"]}
    call = bench.api.batchUpdate(spreadsheetId=bench.id, body=body)
    assert refusal(call.execute) == (400, "Unable to parse range: Nope!A1")
    assert bench.read("A1") is None


@pytest.mark.parametrize(
    ("kind", "request_"),
    [
        ("findReplace", {"find": "zzz", "replacement": "y", "allSheets": True}),
        ("trimWhitespace", {"range": area(0, 2, 0, 2)}),
        ("deleteDuplicates", {"range": area(0, 2, 0, 2)}),
        ("deleteDimensionGroup", {"range": lines("ROWS", 0, 2)}),
    ],
)
def test_kinds_with_an_answer_of_their_own_give_it_even_if_it_is_empty(bench, kind, request_):
    bench.batch({"addDimensionGroup": {"range": lines("ROWS", 0, 2)}})
    assert bench.batch({kind: request_}) == [{kind: {}}]


def test_kinds_without_an_answer_give_an_empty_reply(bench):
    assert bench.batch({"sortRange": {"range": area(0, 2, 0, 2)}}) == [{}]


@pytest.mark.parametrize(
    ("dimension", "name"), [("COLUMNS", "columnGroupControlAfter"), ("ROWS", "rowGroupControlAfter")]
)
def test_grouping_puts_the_handle_after_the_group_for_good(bench, dimension, name):
    bench.batch({"addDimensionGroup": {"range": lines(dimension, 0, 2)}})
    bench.batch({"deleteDimensionGroup": {"range": lines(dimension, 0, 2)}})
    assert bench.sheet()["properties"]["gridProperties"] == {"rowCount": 1000, "columnCount": 26, name: True}


def test_empty_lists_sent_are_not_kept(bench):
    bench.batch(
        {"setBasicFilter": {"filter": {"range": area(0, 3, 0, 2), "sortSpecs": [], "filterSpecs": []}}},
        {
            "setDataValidation": {
                "range": area(0, 1, 0, 1),
                "rule": {"condition": {"type": "BOOLEAN", "values": []}, "strict": True},
            }
        },
    )
    span = {"startRowIndex": 0, "endRowIndex": 3, "startColumnIndex": 0, "endColumnIndex": 2}
    assert bench.sheet()["basicFilter"] == {"range": span}
    assert bench.cell("A1", "dataValidation") == {
        "dataValidation": {"condition": {"type": "BOOLEAN"}, "strict": True}
    }


def test_blank_rows_among_values_are_no_empty_lists_to_drop(bench):
    bench.put("A1:A3", [["a"], [], ["c"]])
    assert bench.read("A1:A3") == [["a"], [], ["c"]]


def test_a_table_made_on_the_first_sheet_is_told_without_its_number(bench):
    made = bench.batch({"addTable": {"table": {"name": "T", "range": area(0, 2, 0, 2)}}})
    assert "sheetId" not in made[0]["addTable"]["table"]["range"]


def test_validation_is_refused_only_on_the_columns_a_table_has_typed(bench):
    bench.put("A1:B3", [["n", "m"], [1, 2], [3, 4]])
    columns = [{"columnIndex": 0, "columnName": "n", "columnType": "DOUBLE"}]
    bench.batch(
        {"addTable": {"table": {"name": "T", "range": area(0, 3, 0, 2), "columnProperties": columns}}}
    )
    rule = {"condition": {"type": "BOOLEAN"}}
    assert bench.batch({"setDataValidation": {"range": area(1, 3, 1, 2), "rule": rule}}) == [{}]
    assert bench.refused({"setDataValidation": {"range": area(1, 3, 0, 2), "rule": rule}}) == (
        400,
        "Invalid requests[0].setDataValidation: This operation is not allowed on cells in typed columns.",
    )


def test_a_chart_tells_its_letters_though_nobody_chose_them(bench):
    spec = {"title": "C", "basicChart": {"chartType": "COLUMN"}}
    chart = bench.batch({"addChart": {"chart": {"spec": spec}}})[0]["addChart"]["chart"]
    assert chart["spec"]["fontName"] == "Roboto"
    assert chart["spec"]["titleTextFormat"] == {"fontFamily": "Roboto"}
    changed = spec | {"fontName": "Arial", "titleTextFormat": {"bold": True}}
    bench.batch({"updateChartSpec": {"chartId": chart["chartId"], "spec": changed}})
    kept = bench.sheet()["charts"][0]["spec"]
    assert (kept["fontName"], kept["titleTextFormat"]) == ("Arial", {"fontFamily": "Roboto", "bold": True})


@pytest.mark.parametrize("locale", ["xx_YY", "zz", "english", "en-US"])
def test_a_language_that_spreadsheets_do_not_speak_is_refused(bench, sheets, locale):
    change = {"updateSpreadsheetProperties": {"properties": {"locale": locale}, "fields": "locale"}}
    assert bench.refused(change)[0] == 400
    assert bench.get(fields="properties.locale") == {"properties": {"locale": "en_US"}}
    assert refusal(sheets.create(body={"properties": {"locale": locale}}).execute)[0] == 400


def test_broken_json_is_told_in_the_details_too(bench, http):
    answer = http("POST", f"/v4/spreadsheets/{bench.id}:batchUpdate", data=b'{"requests": [').json()["error"]
    assert answer["message"].startswith("Invalid JSON payload received. Unexpected end of string.")
    assert answer["details"][0]["fieldViolations"] == [{"description": answer["message"]}]


@pytest.mark.parametrize(
    ("typed", "pattern"), [("5-Jan", "d-mmm"), ("5 Jan", "d mmm"), ("5-Jan-2026", "d-mmm-yyyy")]
)
def test_a_day_with_a_named_month_keeps_its_marks(bench, typed, pattern):
    bench.type("A1", [[typed]])
    assert bench.read("A1") == [[typed]]
    found = bench.cell("A1", "userEnteredFormat")["userEnteredFormat"]["numberFormat"]
    assert found == {"type": "DATE", "pattern": pattern}
