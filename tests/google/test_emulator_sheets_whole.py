"""Spreadsheets as wholes: the limit of cells, making them, copying sheets, and grid data."""

from __future__ import annotations

from sheets_bench import Bench, refusal


def test_a_spreadsheet_holds_ten_million_cells(bench):
    big = {
        "properties": {"gridProperties": {"rowCount": 400_000, "columnCount": 26}},
        "fields": "gridProperties.rowCount",
    }
    assert bench.refused({"updateSheetProperties": big}) == (
        400,
        "Invalid requests[0].updateSheetProperties: This action would increase the number of cells in the workbook "
        "above the limit of 10000000 cells.",
    )


def test_a_new_spreadsheet_is_as_google_makes_it(sheets):
    made = sheets.create(body={}).execute()
    assert made["properties"]["title"] == "Untitled spreadsheet"
    assert made["properties"]["locale"] == "en_US"
    assert made["properties"]["timeZone"] == "Etc/GMT"
    assert made["properties"]["autoRecalc"] == "ON_CHANGE"
    assert made["properties"]["defaultFormat"]["textFormat"]["fontFamily"] == "arial,sans,sans-serif"
    assert len(made["properties"]["spreadsheetTheme"]["themeColors"]) == 9
    assert made["sheets"] == [
        {
            "properties": {
                "sheetId": 0,
                "title": "Sheet1",
                "index": 0,
                "sheetType": "GRID",
                "gridProperties": {"rowCount": 1000, "columnCount": 26},
            }
        }
    ]
    assert made["spreadsheetUrl"] == f"https://docs.google.com/spreadsheets/d/{made['spreadsheetId']}/edit"


def test_a_spreadsheet_can_be_made_whole(sheets):
    cell = {"userEnteredValue": {"stringValue": "a"}, "note": "n"}
    body = {
        "properties": {"title": "T", "locale": "ja_JP", "timeZone": "Asia/Tokyo"},
        "sheets": [
            {
                "properties": {
                    "title": "one",
                    "sheetId": 7,
                    "gridProperties": {"rowCount": 5, "frozenRowCount": 1},
                },
                "data": [{"startRow": 1, "rowData": [{"values": [{}, cell]}]}],
            },
            {"properties": {"title": "two"}},
        ],
    }
    bench = Bench(sheets, **body)
    assert bench.read("one!A1:B2") == [[], ["", "a"]]
    assert bench.grid(0) == (5, 26)
    assert [each["properties"]["title"] for each in bench.get()["sheets"]] == ["one", "two"]
    assert bench.cell("one!B2")["note"] == "n"


def test_a_sheet_is_copied_to_another_spreadsheet(sheets):
    one, two = Bench(sheets), Bench(sheets)
    one.put("A1", [["x"]])
    copied = (
        sheets.sheets()
        .copyTo(spreadsheetId=one.id, sheetId=0, body={"destinationSpreadsheetId": two.id})
        .execute()
    )
    assert copied["title"] == "Copy of Sheet1"
    assert copied["index"] == 1
    assert two.read("'Copy of Sheet1'!A1") == [["x"]]


def test_grid_data_comes_where_it_is_asked_for(bench):
    bench.put("B2", [["a", 1]])
    assert "data" not in bench.sheet()
    data = bench.sheet(ranges=["A1:C3"], includeGridData=True)["data"][0]
    assert data["rowData"][0] == {}
    first, second, third = data["rowData"][1]["values"]
    assert first == {}
    assert second["userEnteredValue"] == second["effectiveValue"] == {"stringValue": "a"}
    assert second["effectiveFormat"]["horizontalAlignment"] == "LEFT"
    assert third["formattedValue"] == "1"
    assert third["effectiveFormat"]["horizontalAlignment"] == "RIGHT"
    assert data["rowMetadata"] == [{"pixelSize": 21}] * 3
    assert data["columnMetadata"] == [{"pixelSize": 100}] * 3
    said = refusal(bench.get, ranges=["A1001:B1002"])
    assert said == (400, "Range (Sheet1!A1001:B1002) exceeds grid limits. Max rows: 1000, max columns: 26")
    masked = bench.get(
        fields="sheets(properties.sheetId,data(startRow,rowData.values.formattedValue))", ranges=["B2:C2"]
    )
    assert masked == {
        "sheets": [
            {
                "properties": {"sheetId": 0},
                "data": [
                    {
                        "startRow": 1,
                        "rowData": [{"values": [{"formattedValue": "a"}, {"formattedValue": "1"}]}],
                    }
                ],
            }
        ]
    }
