"""Requests at their edges: how far a paste reaches, what a protected cell keeps alive, what is told without saying so."""

from __future__ import annotations

import json

import pytest
from google.oauth2.credentials import Credentials
from sheets_bench import area, refusal

from tests.google_emulator.clients import service


@pytest.mark.parametrize(
    ("bottom", "right", "filled"),
    [
        (12, 4, [["a", "b", "a", "b"], ["c", "d", "c", "d"]]),
        (12, 5, [["a", "b"], ["c", "d"]]),
        (13, 4, [["a", "b", "a", "b"], ["c", "d", "c", "d"]]),
        (11, 1, [["a", "b"], ["c", "d"]]),
    ],
)
def test_a_paste_repeats_only_into_a_multiple_of_its_size(bench, bottom, right, filled):
    bench.put("A1:B2", [["a", "b"], ["c", "d"]])
    paste = {"source": area(0, 2, 0, 2), "destination": area(10, bottom, 0, right)}
    bench.batch({"copyPaste": paste})
    assert bench.read("A11:G20") == filled


def test_a_sheet_with_cells_that_one_may_not_edit_cannot_be_deleted(bench, emulator):
    bench.add_sheet("Other")
    guard = {"range": area(0, 1, 0, 1), "editors": {"users": ["owner@example.com"]}}
    bench.batch({"addProtectedRange": {"protectedRange": guard}})
    emulator.control("share", fileId=bench.id, email="writer@example.com")
    token = emulator.control("token", email="writer@example.com")["access_token"]
    body = {"requests": [{"deleteSheet": {"sheetId": 0}}]}
    with service("sheets", emulator.base, Credentials(token)) as other:
        code, said = refusal(other.spreadsheets().batchUpdate(spreadsheetId=bench.id, body=body).execute)
    assert code == 400
    assert said.startswith("Invalid requests[0].deleteSheet: You are trying to edit a protected cell")
    assert bench.batch(*body["requests"]) == [{}]


def test_the_first_run_of_letters_begins_without_saying_where(bench):
    runs = [{"startIndex": 0, "format": {"bold": True}}, {"startIndex": 5, "format": {}}]
    cell = {"userEnteredValue": {"stringValue": "hello world"}, "textFormatRuns": runs}
    write = {
        "start": {"sheetId": 0},
        "rows": [{"values": [cell]}],
        "fields": "userEnteredValue,textFormatRuns",
    }
    bench.batch({"updateCells": write})
    assert bench.cell("A1", "textFormatRuns") == {
        "textFormatRuns": [{"format": {"bold": True}}, {"startIndex": 5, "format": {}}]
    }


def test_the_border_of_a_chart_can_be_set_and_taken(bench):
    spec = {"basicChart": {"chartType": "LINE"}}
    made = bench.batch({"addChart": {"chart": {"spec": spec}}})[0]["addChart"]["chart"]["chartId"]
    change = {"objectId": made, "border": {"color": {"red": 1}}, "fields": "color"}
    assert bench.batch({"updateEmbeddedObjectBorder": change}) == [{}]
    red = {"color": {"red": 1}, "colorStyle": {"rgbColor": {"red": 1}}}
    assert bench.sheet()["charts"][0]["border"] == red
    bench.batch({"updateEmbeddedObjectBorder": {"objectId": made, "fields": "*"}})
    assert "border" not in bench.sheet()["charts"][0]


def test_a_field_mask_may_come_as_a_header(bench, http):
    answer = http("GET", f"/v4/spreadsheets/{bench.id}", headers={"X-Goog-FieldMask": "properties.title"})
    assert answer.json() == {"properties": {"title": "Bench"}}


@pytest.mark.parametrize(
    ("condition", "hidden"),
    [
        ({"type": "TEXT_CONTAINS", "values": [{"userEnteredValue": "a"}]}, [None, None, True, None, True]),
        ({"type": "NOT_BLANK"}, [None, None, None, None, True]),
        (
            {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": "=B2>1"}]},
            [None, True, None, None, True],
        ),
    ],
)
def test_a_filter_hides_the_rows_that_miss_its_condition(bench, condition, hidden):
    bench.put("A1:B5", [["name", "n"], ["Ada", 1], ["Bo", 2], ["Cara", 3], ["", ""]])
    spec = {"columnIndex": 0, "filterCriteria": {"condition": condition}}
    bench.batch({"setBasicFilter": {"filter": {"range": area(0, 5, 0, 2), "filterSpecs": [spec]}}})

    def seen():
        found = bench.get(ranges=["A1:A5"], fields="sheets.data.rowMetadata(hiddenByFilter,pixelSize)")
        return [row.get("hiddenByFilter") for row in found["sheets"][0]["data"][0]["rowMetadata"]]

    assert seen() == hidden
    assert len(bench.read("A1:B5")) == 4
    bench.batch({"clearBasicFilter": {"sheetId": 0}})
    assert seen() == [None] * 5


def test_a_grid_is_printed_in_full_though_its_cells_share_their_looks(bench, http):
    bench.put("A1:C3", [["é\n", 1, True], ["\u2028", 2, False], [1, "x", "y"]])
    bold = {"userEnteredFormat": {"textFormat": {"bold": True}}}
    bench.batch(
        {
            "repeatCell": {
                "range": area(2, 3, 0, 2),
                "cell": bold,
                "fields": "userEnteredFormat.textFormat.bold",
            }
        }
    )
    answer = http("GET", f"/v4/spreadsheets/{bench.id}?includeGridData=true")
    read = answer.json()
    assert answer.text == json.dumps(read, indent=2, ensure_ascii=False) + "\n"
    rows = read["sheets"][0]["data"][0]["rowData"]
    looks = [[cell["effectiveFormat"] for cell in row["values"]] for row in rows]
    aligned = [[look["horizontalAlignment"] for look in line] for line in looks]
    assert aligned == [["LEFT", "RIGHT", "CENTER"], ["LEFT", "RIGHT", "CENTER"], ["RIGHT", "LEFT", "LEFT"]]
    assert [look["textFormat"]["bold"] for look in looks[2]] == [True, True, False]
