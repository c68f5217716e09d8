"""Requests on cells: values and formats under masks, copies and cuts, merges, borders, sorting and cleaning."""

from __future__ import annotations

from sheets_bench import area

WHITE = {"red": 1, "green": 1, "blue": 1}


def text(*values):
    return {"values": [{"userEnteredValue": {"stringValue": value}} for value in values]}


def test_update_cells_touches_what_the_mask_names_and_clears_the_rest_of_its_range(bench):
    bench.put("A1", [["a", "b"], ["c", "d"]])
    note = {"values": [{"note": "n", "userEnteredValue": {"stringValue": "ignored"}}]}
    bench.batch({"updateCells": {"range": area(0, 1, 0, 2), "rows": [note], "fields": "note"}})
    assert bench.read("A1:B2") == [["a", "b"], ["c", "d"]]
    assert bench.cell("A1", "note") == {"note": "n"}
    bench.batch(
        {"updateCells": {"range": area(0, 2, 0, 2), "rows": [text("x")], "fields": "userEnteredValue"}}
    )
    assert bench.read("A1:B2") == [["x"]]
    bench.put("A1", [["a", "b"], ["c", "d"]])
    bench.batch(
        {"updateCells": {"start": {"rowIndex": 1}, "rows": [text("y")], "fields": "userEnteredValue"}}
    )
    assert bench.read("A1:B2") == [["a", "b"], ["y", "d"]]
    assert bench.cell("A1", "note") == {"note": "n"}
    bench.batch({"updateCells": {"range": {"sheetId": 0}, "fields": "*"}})
    assert bench.cell("A1") == {}


def test_update_cells_stays_within_its_range(bench):
    request = {
        "updateCells": {"range": area(0, 1, 0, 1), "rows": [text("a", "b")], "fields": "userEnteredValue"}
    }
    assert bench.refused(request) == (
        400,
        "Invalid requests[0].updateCells: Attempting to write column: 1, beyond the last requested column of: 0",
    )


def test_a_format_is_laid_over_under_its_mask_in_both_spellings_of_colour(bench):
    def look(mask, **given):
        return {
            "repeatCell": {"range": area(1, 2, 0, 2), "cell": {"userEnteredFormat": given}, "fields": mask}
        }

    bench.batch(
        look(
            "userEnteredFormat(backgroundColor,textFormat,horizontalAlignment)",
            backgroundColor={"green": 1, "blue": 1},
            textFormat={"bold": True, "foregroundColor": {"red": 1}},
            horizontalAlignment="CENTER",
        )
    )
    found = bench.cell("A2", "userEnteredFormat")["userEnteredFormat"]
    assert found == {
        "backgroundColor": {"green": 1, "blue": 1},
        "backgroundColorStyle": {"rgbColor": {"green": 1, "blue": 1}},
        "textFormat": {
            "bold": True,
            "foregroundColor": {"red": 1},
            "foregroundColorStyle": {"rgbColor": {"red": 1}},
        },
        "horizontalAlignment": "CENTER",
    }
    bench.batch(look("userEnteredFormat.textFormat.bold"), look("userEnteredFormat.backgroundColor"))
    found = bench.cell("A2", "userEnteredFormat")["userEnteredFormat"]
    assert found == {
        "textFormat": {"foregroundColor": {"red": 1}, "foregroundColorStyle": {"rgbColor": {"red": 1}}},
        "horizontalAlignment": "CENTER",
    }
    effective = bench.cell("A2", "effectiveFormat")["effectiveFormat"]
    assert effective["backgroundColor"] == WHITE
    assert effective["textFormat"]["fontSize"] == 10
    bench.batch(look("userEnteredFormat"))
    assert bench.cell("A2") == {}


def test_a_theme_colour_comes_with_the_colour_it_is(bench):
    cell = {"userEnteredFormat": {"backgroundColorStyle": {"themeColor": "ACCENT1"}}}
    bench.batch({"repeatCell": {"range": area(0, 1, 0, 1), "cell": cell, "fields": "userEnteredFormat"}})
    found = bench.cell("A1", "userEnteredFormat")["userEnteredFormat"]
    assert found["backgroundColor"] == {"red": 0.25882354, "green": 0.52156866, "blue": 0.95686275}


def test_a_mask_that_names_nothing_there_is_refused(bench):
    request = {"repeatCell": {"range": area(0, 1, 0, 1), "cell": {}, "fields": "userEnteredFormat.nope"}}
    assert bench.refused(request) == (
        400,
        "Invalid requests[0].repeatCell: Invalid field: userEnteredFormat.nope",
    )


def test_a_repeated_formula_counts_on_from_the_first_cell(bench):
    cell = {"userEnteredValue": {"formulaValue": "=A1+$B$1"}}
    bench.batch({"repeatCell": {"range": area(0, 2, 2, 4), "cell": cell, "fields": "userEnteredValue"}})
    assert bench.read("C1:D2", "FORMULA") == [["=A1+$B$1", "=B1+$B$1"], ["=A2+$B$1", "=B2+$B$1"]]


def test_cells_are_appended_below_the_last_value_anywhere_on_the_sheet(bench):
    bench.put("C5", [["x"]])
    bench.batch(
        {"appendCells": {"sheetId": 0, "rows": [text("a", "b"), text("c")], "fields": "userEnteredValue"}}
    )
    assert bench.read("A5:C7") == [["", "", "x"], ["a", "b"], ["c"]]
    bench.put("A1000", [["last"]])
    bench.batch({"appendCells": {"sheetId": 0, "rows": [text("z")], "fields": "*"}})
    assert bench.grid() == (1001, 26)
    assert bench.read("A1001") == [["z"]]


def test_copies_fill_the_destination_and_count_formulas_on(bench):
    bench.type("A1", [["1", "=A1*2"]])
    paste = {"source": area(0, 1, 0, 2), "destination": area(2, 4, 0, 4), "pasteType": "PASTE_NORMAL"}
    bench.batch({"copyPaste": paste})
    assert bench.read("A3:D4", "FORMULA") == [[1, "=A3*2", 1, "=C3*2"], [1, "=A4*2", 1, "=C4*2"]]
    bench.batch({"copyPaste": paste | {"destination": area(5, 6, 0, 1), "pasteType": "PASTE_VALUES"}})
    assert bench.read("A6:B6", "FORMULA") == [[1, 2]]
    turned = paste | {"destination": area(7, 8, 0, 1), "pasteOrientation": "TRANSPOSE"}
    bench.batch({"copyPaste": turned})
    assert bench.read("A8:A9", "FORMULA")[0] == [1]


def test_a_copy_of_formats_leaves_values_alone(bench):
    bench.type("A1", [["10%"]])
    bench.put("B1", [[0.5]])
    paste = {"source": area(0, 1, 0, 1), "destination": area(0, 1, 1, 2), "pasteType": "PASTE_FORMAT"}
    bench.batch({"copyPaste": paste})
    assert bench.read("A1:B1") == [["10%", "50%"]]


def test_what_is_cut_takes_its_references_along(bench):
    bench.type("A1", [["5", "", "=A1+1", "=SUM(A1:B1)"]])
    cut = {
        "source": area(0, 1, 0, 1),
        "destination": {"rowIndex": 4, "columnIndex": 1},
        "pasteType": "PASTE_NORMAL",
    }
    bench.batch({"cutPaste": cut})
    assert bench.read("A1:D1", "FORMULA") == [["", "", "=B5+1", "=SUM(A1:B1)"]]
    assert bench.read("B5") == [["5"]]
    assert bench.read("C1") == [["6"]]


def test_merging_keeps_the_first_value_and_merges_can_be_taken_apart(bench):
    bench.put("A1", [[42, 43], [43, 44]])
    bench.batch({"mergeCells": {"mergeType": "MERGE_ROWS", "range": area(0, 2, 0, 2)}})
    row = {"startColumnIndex": 0, "endColumnIndex": 2}
    assert bench.sheet()["merges"] == [
        {"startRowIndex": 0, "endRowIndex": 1} | row,
        {"startRowIndex": 1, "endRowIndex": 2} | row,
    ]
    assert bench.read("A1:B2") == [["42"], ["43"]]
    bench.batch({"mergeCells": {"mergeType": "MERGE_ALL", "range": area(0, 2, 0, 2)}})
    assert len(bench.sheet()["merges"]) == 1
    assert bench.refused({"unmergeCells": {"range": area(0, 1, 0, 1)}}) == (
        400,
        "Invalid requests[0].unmergeCells: You must select all cells in a merged range to merge or unmerge them.",
    )
    bench.batch({"unmergeCells": {"range": area(0, 2, 0, 2)}})
    assert "merges" not in bench.sheet()


def test_borders_know_rim_and_inside(bench):
    line = {"style": "SOLID", "colorStyle": {"rgbColor": {"red": 1}}}
    bench.batch({"updateBorders": {"range": area(0, 2, 0, 2), "top": line, "innerVertical": line}})
    drawn = {"style": "SOLID", "width": 1, "color": {"red": 1}, "colorStyle": {"rgbColor": {"red": 1}}}
    assert bench.cell("A1")["userEnteredFormat"]["borders"] == {"top": drawn, "right": drawn}
    assert bench.cell("B2")["userEnteredFormat"]["borders"] == {"left": drawn}
    none = {"style": "NONE"}
    bench.batch({"updateBorders": {"range": area(0, 2, 0, 2), "top": none, "innerVertical": none}})
    assert bench.cell("A1") == {}


def test_validation_is_stored_shown_and_taken_away(bench):
    rule = {
        "condition": {
            "type": "ONE_OF_LIST",
            "values": [{"userEnteredValue": "a"}, {"userEnteredValue": "b"}],
        },
        "strict": True,
        "showCustomUi": True,
    }
    bench.batch({"setDataValidation": {"range": area(0, 2, 0, 1), "rule": rule}})
    assert bench.cell("A2", "dataValidation") == {"dataValidation": rule}
    bench.put("A1", [["not in the list"]])
    bench.batch({"setDataValidation": {"range": area(0, 1, 0, 1)}})
    assert bench.cell("A1", "dataValidation") == {}
    bad = {"condition": {"type": "ONE_OF_LIST"}}
    assert bench.refused({"setDataValidation": {"range": area(0, 1, 0, 1), "rule": bad}})[0] == 400
