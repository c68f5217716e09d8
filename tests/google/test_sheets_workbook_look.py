"""The masters' spreadsheet at Google: how tabs grow, and what dresses and guards them."""

from __future__ import annotations

from masters_bench import HEAD, LOOK, ROWS, cell, sheet, tab

from connectors.base import ColumnLook, SheetWrite


def test_new_columns_and_many_rows_make_the_grid_grow(put, workbook, sheets, book_id):
    put(sheet())
    wide = LOOK._replace(columns=(*LOOK.columns, *(ColumnLook(f"c{n}") for n in range(40))))
    header = [*HEAD[1], *(f"c{n}" for n in range(40))]
    old = [[*row, *[""] * (5 - len(row)), *["v"] * 40] for row in ROWS]
    rows = [[f"k{n}", str(n), "受理", "", "", *["v"] * 40] for n in range(600)]
    grid = [HEAD[0], header, *old, *rows]
    put(SheetWrite("申込", grid, wide))
    assert workbook.read().grids["申込"] == grid
    size = tab(sheets, book_id, cells=False)["properties"]["gridProperties"]
    assert (size["rowCount"], size["columnCount"]) == (604, 45)


def test_tabs_are_made_in_their_order_and_other_tabs_stay(put, workbook, human):
    human("Sheet1!A1", [["mine"]])
    put(sheet(title="実行履歴"), sheet(title="申込"), sheet(title="要確認"))
    read = workbook.read().grids
    assert list(read) == ["Sheet1", "要確認", "申込", "実行履歴"]
    assert read["Sheet1"] == [["mine"]]


def test_a_new_tab_is_dressed(put, sheets, book_id):
    put(sheet())
    made = tab(sheets, book_id)
    size = made["properties"]["gridProperties"]
    assert (size["frozenRowCount"], size["frozenColumnCount"], size["rowCount"]) == (2, 1, 204)
    rule = made["data"][0]["rowData"][2]["values"][3]["dataValidation"]
    assert rule["condition"]["type"] == "ONE_OF_LIST"
    assert [value["userEnteredValue"] for value in rule["condition"]["values"]] == ["自動", "受理"]
    assert rule["showCustomUi"] is True
    assert not rule.get("strict")
    formulas = [
        each["booleanRule"]["condition"]["values"][0]["userEnteredValue"]
        for each in made["conditionalFormats"]
    ]
    assert formulas == [
        '=($C3="要確認")=(N("saitei")=0)',
        '=($C3="要確認")=(N("saitei")=0)',
        '=($C3="受理")=(N("saitei")=0)',
        '=($C3="受理")=(N("saitei")=0)',
    ]
    assert all(each["warningOnly"] for each in made["protectedRanges"])
    columns = [
        (each["range"].get("startColumnIndex", 0), each["range"].get("endColumnIndex"))
        for each in made["protectedRanges"]
    ]
    assert columns == [(0, 5), (0, 3)]
    assert made["basicFilter"]["range"]["endColumnIndex"] == 5


def test_rules_are_set_anew_without_piling_up_and_masters_rules_stay(put, workbook, sheets, book_id):
    put(sheet())
    number = tab(sheets, book_id)["properties"]["sheetId"]
    place = {"sheetId": number, "startRowIndex": 2, "startColumnIndex": 4, "endColumnIndex": 5}
    blank = {"condition": {"type": "NOT_BLANK"}, "format": {"textFormat": {"italic": True}}}
    own = [
        {"addConditionalFormatRule": {"rule": {"ranges": [place], "booleanRule": blank}, "index": 1}},
        {
            "addProtectedRange": {
                "protectedRange": {"range": place, "description": "mine", "warningOnly": True}
            }
        },
    ]
    sheets.batchUpdate(spreadsheetId=book_id, body={"requests": own}).execute()
    columns = (*LOOK.columns[:3], LOOK.columns[3]._replace(choices=("保留",)), LOOK.columns[4])
    put(sheet(look=LOOK._replace(columns=columns, colours={"保留": "475569"})))
    made = tab(sheets, book_id)
    kinds = [each["booleanRule"]["condition"]["type"] for each in made["conditionalFormats"]]
    assert kinds == ["NOT_BLANK", "CUSTOM_FORMULA", "CUSTOM_FORMULA"]
    assert sorted(each["description"] == "mine" for each in made["protectedRanges"]) == [False, False, True]
    values = cell(sheets, book_id, 3, 4)["dataValidation"]["condition"]["values"]
    assert values == [{"userEnteredValue": "保留"}]


def test_a_column_that_offers_nothing_any_more_loses_its_drop_down_wherever_a_master_moved_it(
    put, workbook, sheets, book_id
):
    put(sheet())
    number = tab(sheets, book_id)["properties"]["sheetId"]
    own = {"condition": {"type": "BOOLEAN"}}
    place = {"sheetId": number, "startRowIndex": 2, "startColumnIndex": 4, "endColumnIndex": 5}
    source = {"sheetId": number, "dimension": "COLUMNS", "startIndex": 3, "endIndex": 4}
    human = [
        {"setDataValidation": {"range": place, "rule": own}},
        {"moveDimension": {"source": source, "destinationIndex": 5}},
    ]
    sheets.batchUpdate(spreadsheetId=book_id, body={"requests": human}).execute()
    assert "dataValidation" in cell(sheets, book_id, 3, 5)
    plain = tuple(column._replace(choices=()) for column in LOOK.columns)
    put(SheetWrite("申込", workbook.read().grids["申込"], LOOK._replace(columns=plain)))
    assert "dataValidation" not in cell(sheets, book_id, 4, 5)
    assert cell(sheets, book_id, 3, 4)["dataValidation"] == own


def test_a_filter_that_a_master_set_stays_when_rows_come(put, sheets, book_id):
    put(sheet())
    made = tab(sheets, book_id)["basicFilter"]
    hidden = [{"columnIndex": 2, "filterCriteria": {"hiddenValues": ["受理"]}}]
    chosen = {"setBasicFilter": {"filter": {"range": made["range"], "filterSpecs": hidden}}}
    sheets.batchUpdate(spreadsheetId=book_id, body={"requests": [chosen]}).execute()
    put(sheet([[f"k{n}", "1", "要確認"] for n in range(300)]))
    assert tab(sheets, book_id, cells=False)["basicFilter"]["filterSpecs"] == hidden


def test_a_format_that_a_master_chose_stays_until_the_look_changes(put, gspread_client, sheets, book_id):
    put(sheet())
    gspread_client.open_by_key(book_id).worksheet("申込").format("A3", {"textFormat": {"italic": True}})
    put(sheet([["a1", "9", "受理"], *ROWS[1:], ["a3"]]))
    assert cell(sheets, book_id, 3, 1)["userEnteredFormat"]["textFormat"]["italic"] is True
    assert cell(sheets, book_id, 5, 1)["userEnteredFormat"]["textFormat"]["bold"] is False


def test_rows_that_a_human_adds_below_get_their_drop_downs_where_only_humans_add_rows(
    put, gspread_client, sheets, book_id, calls
):
    kept = sheet(look=LOOK._replace(grows=False))
    put(kept)
    gspread_client.open_by_key(book_id).worksheet("申込").add_rows(10)
    put(kept)
    assert tab(sheets, book_id)["data"][0]["rowData"][213]["values"][3]["dataValidation"]
    put(kept)
    assert calls("batchUpdate") == ["batchUpdate"] * 3


def test_a_row_that_the_machine_adds_brings_its_looks_and_its_drop_down_and_none_lie_below(
    put, sheets, book_id
):
    put(sheet())
    put(sheet([*ROWS, ["a3", "7", "受理", "受理", "kept"]]))
    made = [cell(sheets, book_id, 5, column) for column in range(1, 6)]
    assert [each["userEnteredValue"] for each in made] == [
        {"stringValue": "a3"},
        {"numberValue": 7},
        {"stringValue": "受理"},
        {"stringValue": "受理"},
        {"stringValue": "kept"},
    ]
    above = [cell(sheets, book_id, 3, column) for column in range(1, 6)]
    assert made[3]["dataValidation"] == above[3]["dataValidation"]
    for one, other in zip(made, above, strict=True):
        shown = one["userEnteredFormat"], other["userEnteredFormat"]
        assert [{**style, "numberFormat": None} for style in shown] == [
            {**shown[1], "numberFormat": None}
        ] * 2
    below = tab(sheets, book_id)["data"][0]["rowData"][5:]
    assert not any("dataValidation" in each for row in below for each in row.get("values", []))


def test_cells_that_a_human_merged_over_ours_are_parted(put, workbook, gspread_client, book_id):
    put(sheet())
    gspread_client.open_by_key(book_id).worksheet("申込").merge_cells("B3:C3")
    put(sheet())
    assert workbook.read().grids["申込"] == [*HEAD, *ROWS]
