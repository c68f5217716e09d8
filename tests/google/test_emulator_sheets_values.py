"""Values of spreadsheets: ranges as they are echoed, blanks, growth and limits, and the ways to write and read."""

from __future__ import annotations

import pytest
from sheets_bench import area, lines, refusal


def values(bench, method, **named):
    return getattr(bench.api.values(), method)(spreadsheetId=bench.id, **named).execute()


@pytest.mark.parametrize(
    ("asked", "echoed"),
    [
        ("'Sheet1'", "Sheet1!A1:Z1000"),
        ("Sheet1", "Sheet1!A1:Z1000"),
        ("A1", "Sheet1!A1"),
        ("D1:D", "Sheet1!D1:D1000"),
        ("A1:1", "Sheet1!A1:Z1"),
        ("A1:AB2", "Sheet1!A1:Z2"),
        ("D4:A1", "Sheet1!A1:D4"),
        ("sheet1!b2:$C$3", "Sheet1!B2:C3"),
        ("5:2", "Sheet1!A2:Z5"),
        ("D:B", "Sheet1!B1:D1000"),
        ("Sheet1!R2C3:R4C5", "Sheet1!C2:E4"),
    ],
)
def test_a_range_is_echoed_as_the_grid_has_it(bench, asked, echoed):
    assert values(bench, "get", range=asked) == {"range": echoed, "majorDimension": "ROWS"}


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Sales", "Sales"),
        ("Sheet_1", "Sheet_1"),
        ("x.y", "x.y"),
        ("Sales2", "Sales2"),
        ("TRUE", "TRUE"),
        ("Probe Tab", "'Probe Tab'"),
        ("ABC1234", "'ABC1234'"),
        ("R1C1", "'R1C1'"),
        ("2026", "'2026'"),
        ("一覧", "'一覧'"),
        ("a-b", "'a-b'"),
        ("It's", "'It''s'"),
    ],
)
def test_a_title_is_quoted_only_where_it_could_be_read_as_something_else(bench, title, written):
    bench.add_sheet(title)
    asked = "'" + title.replace("'", "''") + "'!A1:B2"
    assert values(bench, "get", range=asked)["range"] == f"{written}!A1:B2"


@pytest.mark.parametrize("asked", ["Nope!A1", "Nope", "A0", "Sheet1!", "Sheet1!foo", "'Sheet1", "B3:"])
def test_what_is_no_range_cannot_be_parsed(bench, asked):
    assert refusal(values, bench, "get", range=asked) == (400, f"Unable to parse range: {asked}")


def test_a_bare_word_is_a_cell_before_it_is_a_sheet_and_a_named_range_before_a_sheet(bench):
    bench.add_sheet("AB12")
    bench.add_sheet("Total")
    assert refusal(values, bench, "get", range="AB12")[1].startswith(
        "Range (Sheet1!AB12) exceeds grid limits."
    )
    bench.batch({"addNamedRange": {"namedRange": {"name": "Total", "range": area(1, 3, 1, 2)}}})
    assert values(bench, "get", range="Total")["range"] == "Sheet1!B2:B3"


def test_blanks_at_the_ends_are_left_out_and_blanks_between_are_kept(bench):
    bench.put("A1", [["A1", "", "C1", ""], ["", ""], ["", "B3"], ["", ""]])
    assert bench.read("A1:D9") == [["A1", "", "C1"], [], ["", "B3"]]
    assert bench.read("A1:D9", majorDimension="COLUMNS") == [["A1"], ["", "", "B3"], ["C1"]]
    assert bench.read("D1:D9") is None


def test_null_leaves_a_cell_and_an_empty_text_empties_it(bench):
    bench.put("A1:C1", [["a", "b", "c"]])
    answer = bench.put("A1:C1", [[None, "", "z"]])
    assert answer["updatedCells"] == 2
    assert bench.read("A1:C1") == [["a", "", "z"]]


def test_raw_keeps_texts_as_texts_and_json_types_as_types(bench):
    bench.put("A1", [["0123", "=A1", "2026-11-30", "TRUE", 7, 7.5, True]])
    kept = ["0123", "=A1", "2026-11-30", "TRUE", 7, 7.5, True]
    assert bench.read("A1:G1", "UNFORMATTED_VALUE") == [kept]
    assert bench.read("A1:G1") == [["0123", "=A1", "2026-11-30", "TRUE", "7", "7.5", "TRUE"]]


def test_an_update_says_where_it_wrote_and_may_show_it(bench):
    answer = bench.put("A1:AB9", [[1, 2], [3]], includeValuesInResponse=True)
    assert answer == {
        "spreadsheetId": bench.id,
        "updatedRange": "Sheet1!A1:B2",
        "updatedRows": 2,
        "updatedColumns": 2,
        "updatedCells": 3,
        "updatedData": {
            "range": "Sheet1!A1:B2",
            "majorDimension": "ROWS",
            "values": [["1", "2"], ["3"]],
        },
    }
    typed = bench.type(
        "C1", [["=A1+B1"]], includeValuesInResponse=True, responseValueRenderOption="UNFORMATTED_VALUE"
    )
    assert typed["updatedData"]["values"] == [[3]]


def test_columns_can_be_written_too(bench):
    bench.put("B2", [[1, 2, 3], [4]], majorDimension="COLUMNS")
    assert bench.read("B2:C4") == [["1", "4"], ["2"], ["3"]]


def test_values_must_fit_a_range_that_has_an_end(bench):
    assert refusal(bench.put, "A1:B1", [[1, 2, 3]]) == (
        400,
        "Requested writing within range [Sheet1!A1:B1], but tried writing to column [C]",
    )
    assert refusal(bench.put, "Sheet1!A1:B1", [[1], [2]]) == (
        400,
        "Requested writing within range [Sheet1!A1:B1], but tried writing to row [2]",
    )
    assert bench.read("A1:C2") is None


def test_nothing_begins_outside_the_grid(bench):
    said = "exceeds grid limits. Max rows: 1000, max columns: 26"
    assert refusal(bench.put, "A1001", [["x"]]) == (400, f"Range (Sheet1!A1001) {said}")
    assert refusal(bench.put, "AA1", [["x"]]) == (400, f"Range (Sheet1!AA1) {said}")
    assert refusal(bench.read, "A1001:Z") == (400, f"Range (Sheet1!A1001:Z) {said}")
    assert bench.grid() == (1000, 26)


def test_what_begins_inside_and_ends_beyond_makes_the_grid_grow(bench, emulator):
    bench.put("A999", [[1], [2], [3]])
    assert bench.grid() == (1001, 26)
    bench.put("Z1", [[1, 2]])
    assert bench.grid() == (1001, 27)
    emulator.service.world.update_grows_grid = False
    assert refusal(bench.put, "A1001", [[1], [2]])[1].endswith("but tried writing to row [1002]")


def test_a_value_input_option_is_due(bench):
    body = {"values": [["x"]]}
    missing = (400, "'valueInputOption' is required but not specified")
    assert refusal(values, bench, "update", range="A1", body=body) == missing
    assert refusal(values, bench, "append", range="A1", body=body) == missing
    assert refusal(values, bench, "batchUpdate", body={"data": []}) == missing


def test_a_cell_takes_scalars_and_no_more_than_50000_characters(bench):
    bench.put("A1", [["x" * 50_000]])
    code, said = refusal(bench.put, "A1", [["x" * 50_001]])
    assert (code, said) == (
        400,
        "Your input contains more than the maximum of 50000 characters in a single cell.",
    )
    code, said = refusal(bench.put, "A1", [[["a"]]])
    assert said.startswith("Invalid values[0][0]: list_value")


def test_a_batch_of_values_counts_rows_and_columns_once_and_is_all_or_nothing(bench):
    data = [
        {"range": "'Sheet1'!A1:D1", "values": [["A1", "B1", "", "D1"]]},
        {"range": "A4:D4", "values": [["A4", "B4", "", "D4"]]},
    ]
    answer = values(bench, "batchUpdate", body={"valueInputOption": "RAW", "data": data})
    assert {name: answer[name] for name in answer if name.startswith("total")} == {
        "totalUpdatedRows": 2,
        "totalUpdatedColumns": 4,
        "totalUpdatedCells": 8,
        "totalUpdatedSheets": 1,
    }
    assert [each["updatedRange"] for each in answer["responses"]] == ["Sheet1!A1:D1", "Sheet1!A4:D4"]
    bad = [{"range": "A9", "values": [["x"]]}, {"range": "Nope!A1", "values": [["y"]]}]
    assert refusal(values, bench, "batchUpdate", body={"valueInputOption": "RAW", "data": bad}) == (
        400,
        "Invalid data[1]: Unable to parse range: Nope!A1",
    )
    assert bench.read("A9") is None


def test_several_ranges_are_read_at_once(bench):
    bench.put("A1", [["a", "b"], ["c", "d"]])
    answer = values(bench, "batchGet", ranges=["A1:B1", "Sheet1!B2"])
    assert answer["valueRanges"] == [
        {"range": "Sheet1!A1:B1", "majorDimension": "ROWS", "values": [["a", "b"]]},
        {"range": "Sheet1!B2", "majorDimension": "ROWS", "values": [["d"]]},
    ]


def test_clearing_takes_values_and_leaves_formats(bench):
    bench.type("A1", [["10%", "x"]])
    assert values(bench, "clear", range="Sheet1", body={})["clearedRange"] == "Sheet1!A1:Z1000"
    assert bench.read("A1:B1") is None
    assert bench.cell("A1")["userEnteredFormat"]["numberFormat"]["type"] == "PERCENT"
    bench.put("A1", [["a", "b", "c"]])
    answer = values(bench, "batchClear", body={"ranges": ["A1", "C1:C"]})
    assert answer["clearedRanges"] == ["Sheet1!A1", "Sheet1!C1:C1000"]
    assert bench.read("A1:C1") == [["", "b"]]
    assert refusal(values, bench, "batchClear", body={"ranges": ["A1001:Z"]})[1].startswith(
        "Invalid range[0]: Range (Sheet1!A1001:Z) exceeds"
    )


TWO_TABLES = [["x", "y", "z"], ["x", "y", "z"], [], ["", "x", "y"], ["", "y", "z"], ["", "x", "y"]]


@pytest.mark.parametrize(
    ("where", "table", "written"),
    [
        ("Sheet1", "Sheet1!B4:C6", "Sheet1!B7"),
        ("B4", "Sheet1!B4:C6", "Sheet1!B7"),
        ("B2:D4", "Sheet1!B4:C6", "Sheet1!B7"),
        ("A3:G10", "Sheet1!B4:C6", "Sheet1!B7"),
        ("A1", "Sheet1!A1:C2", "Sheet1!A3"),
        ("E4", None, "Sheet1!E4"),
        ("A5", None, "Sheet1!A5"),
    ],
)
def test_appending_finds_the_table_as_googles_guide_explains(bench, where, table, written):
    bench.put("A1", TWO_TABLES)
    answer = bench.append(where, [["new"]])
    assert answer.get("tableRange") == table
    assert answer["updates"]["updatedRange"] == written


def test_appending_to_nothing_starts_at_the_range(bench):
    answer = bench.append("Sheet1", [["a", "", "c"]])
    assert "tableRange" not in answer
    assert answer["updates"]["updatedRange"] == "Sheet1!A1:C1"
    assert bench.append("Sheet1", [["a", "", "c"]])["updates"]["updatedRange"] == "Sheet1!C2:E2"
    assert bench.append("Sheet1!A1", [["b"]])["updates"]["updatedRange"] == "Sheet1!A2"


def test_appending_makes_rows_where_there_are_none_and_inserts_them_where_asked(bench):
    bench.batch(
        {
            "updateSheetProperties": {
                "properties": {"gridProperties": {"rowCount": 2, "columnCount": 2}},
                "fields": "gridProperties(rowCount,columnCount)",
            }
        }
    )
    bench.put("A1", [["h"], ["1"]])
    assert bench.append("A1", [["2"], ["3"]])["updates"]["updatedRange"] == "Sheet1!A3:A4"
    assert bench.grid() == (4, 2)
    bench.put("B4", [["below"]])
    bench.batch({"deleteDimension": {"range": lines("ROWS", 2, 3)}})
    bench.put("A1", [["h"], ["1"], [""]])
    answer = bench.append("A1:A2", [["new", "n"]], insertDataOption="INSERT_ROWS")
    assert answer["updates"]["updatedRange"] == "Sheet1!A4:B4"
    assert bench.grid() == (4, 2)


def test_inserted_rows_push_down_what_is_below_the_table(bench):
    bench.put("A1", [["h"], ["1"], [""], ["below"]])
    bench.append("A1", [["2"], ["3"]], insertDataOption="INSERT_ROWS")
    assert bench.read("A1:A9") == [["h"], ["1"], ["2"], ["3"], [], ["below"]]
    assert bench.grid() == (1002, 26)
