"""The emulator as gspread 6.2 sees it, unchanged and over a socket; and how long much data takes."""

from __future__ import annotations

import time

import gspread
import pytest
from gspread.utils import ValueInputOption, ValueRenderOption


@pytest.fixture
def book(gspread_client):
    return gspread_client.create("Test")


@pytest.fixture
def tab(book):
    return book.sheet1


def test_a_spreadsheet_is_made_opened_renamed_copied_and_deleted(gspread_client):
    made = gspread_client.create("Test")
    assert gspread_client.open_by_key(made.id).title == "Test"
    assert gspread_client.open("Test").id == made.id
    made.update_title("New")
    assert gspread_client.open_by_key(made.id).title == "New"
    made.update_locale("ja_JP")
    made.update_timezone("Asia/Tokyo")
    assert (made.locale, made.timezone) == ("ja_JP", "Asia/Tokyo")
    made.sheet1.update([["x"]], "A1")
    copied = gspread_client.copy(made.id, "Copy")
    assert copied.sheet1.acell("A1").value == "x"
    gspread_client.del_spreadsheet(made.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        gspread_client.open_by_key(made.id)


def test_tabs_are_added_found_ordered_hidden_copied_and_deleted(book):
    one = book.add_worksheet("one", 20, 5)
    assert (one.row_count, one.col_count) == (20, 5)
    book.add_worksheet("two", 10, 10, index=0)
    assert [tab.title for tab in book.worksheets()] == ["two", "Sheet1", "one"]
    tabs = list(reversed(book.worksheets()))
    book.reorder_worksheets(tabs)
    assert [tab.id for tab in book.worksheets()] == [tab.id for tab in tabs]
    one.hide()
    assert [tab.title for tab in book.worksheets(exclude_hidden=True)] == ["Sheet1", "two"]
    one.show()
    twin = one.duplicate(new_sheet_name="three")
    assert book.worksheet("three").id == twin.id
    book.del_worksheet(twin)
    with pytest.raises(gspread.WorksheetNotFound):
        book.worksheet("three")
    one.update_title("ONE")
    one.update_index(0)
    assert book.get_worksheet(0).title == "ONE"
    one.update_tab_color("#FF0000")
    assert one.get_tab_color() == "#FF0000"
    one.clear_tab_color()


def test_cells_are_written_and_read(tab):
    tab.update_acell("A2", "x")
    assert tab.acell("A2").value == "x"
    tab.update_cell(1, 2, "0042")
    assert tab.cell(1, 2).value == "42"
    cells = tab.range("A1:B2")
    for number, cell in enumerate(cells):
        cell.value = number
    tab.update_cells(cells)
    assert tab.get("A1:B2") == [["0", "1"], ["2", "3"]]
    assert tab.get_all_values() == [["0", "1"], ["2", "3"]]
    assert tab.row_values(2) == ["2", "3"]
    assert tab.col_values(2) == ["1", "3"]
    assert tab.find("3").address == "B2"
    assert tab.batch_get(["A1:B1", "B2"]) == [[["0", "1"]], [["3"]]]
    tab.batch_update([{"range": "A1", "values": [["a"]]}, {"range": "B2", "values": [["b"]]}])
    tab.batch_clear(["B1"])
    assert tab.get_values("A1:B2") == [["a", ""], ["2", "b"]]
    tab.clear()
    assert tab.get_all_values() == [[]]


def test_records_come_formatted_unformatted_and_as_formulas(tab):
    tab.resize(2, 4)
    rows = [["=4/2", "2020-01-01", "string", 53], ["=3/2", 0.12, "1999-01-02", ""]]
    tab.update(rows, "A1:D2", value_input_option=ValueInputOption.user_entered)
    assert tab.get_all_records() == [{"2": 1.5, "2020-01-01": 0.12, "string": "1999-01-02", "53": ""}]
    unformatted = tab.get_all_records(value_render_option=ValueRenderOption.unformatted)
    assert unformatted == [{2: 1.5, 43831: 0.12, "string": 36162, 53: ""}]
    formulas = tab.get_all_records(value_render_option=ValueRenderOption.formula)
    assert formulas == [{"=4/2": "=3/2", 43831: 0.12, "string": 36162, 53: ""}]


def test_rows_are_appended_inserted_and_deleted(tab):
    tab.append_row(["a", "", "c"])
    tab.append_row(["a", "", "c"])
    assert tab.row_values(2) == ["", "", "a", "", "c"]
    tab.clear()
    tab.append_rows([["a", "b"], ["c", "d"]])
    tab.insert_row(["x", "=1+1"], 2, value_input_option="USER_ENTERED")
    assert tab.get_all_values() == [["a", "b"], ["x", "2"], ["c", "d"]]
    tab.insert_cols([["new"]], 1)
    tab.delete_rows(2)
    tab.delete_columns(1)
    assert tab.get_all_values() == [["a", "b"], ["c", "d"]]
    tab.add_rows(5)
    tab.add_cols(2)
    assert tab.col_count == 28


def test_tabs_are_formatted_frozen_filtered_merged_grouped_noted_and_sorted(tab):
    tab.update([["Apple", "2012", "4"], ["Banana", "2013", "3"], ["Canada", "2007", "1"]], "A1:C3")
    tab.sort((3, "asc"), range="A1:C3")
    assert tab.col_values(1) == ["Canada", "Banana", "Apple"]
    tab.format("A2:B2", {"textFormat": {"bold": True}, "backgroundColor": {"red": 0.5}})
    tab.freeze(1, 2)
    assert (tab.frozen_row_count, tab.frozen_col_count) == (1, 2)
    tab.freeze(0, 0)
    tab.set_basic_filter("A1:C3")
    tab.clear_basic_filter()
    tab.merge_cells("A5:B6")
    assert tab.get_values("A1:B1", combine_merged_cells=True) == [["Canada", "2007"]]
    tab.unmerge_cells("A5:B6")
    tab.add_dimension_group_columns(0, 2)
    assert tab.list_dimension_group_columns()[0]["depth"] == 1
    tab.insert_note("A1", "slim shaddy")
    assert tab.get_note("A1") == "slim shaddy"
    tab.clear_note("A1")
    assert tab.get_note("A1") == ""
    tab.hide_rows(0, 1)
    tab.unhide_rows(0, 1)
    tab.columns_auto_resize(0, 2)
    tab.copy_range("A1:B1", "A10:B10")
    tab.cut_range("A10:B10", "D1")
    assert tab.get("D1:E1") == [["Canada", "2007"]]


def test_ranges_are_named_and_protected_and_cells_validated(book, tab):
    number = tab.define_named_range("A1:C2", "TestRange")["replies"][0]["addNamedRange"]["namedRange"][
        "namedRangeId"
    ]
    assert book.list_named_ranges()[0]["name"] == "TestRange"
    tab.delete_named_range(number)
    tab.add_protected_range("A1:B2", ["a@example.com"])
    ranges = book.list_protected_ranges(tab.id)
    assert ranges[0]["editors"]["users"] == ["a@example.com", "owner@example.com"]
    tab.delete_protected_range(ranges[0]["protectedRangeId"])
    tab.add_validation("A1", gspread.utils.ValidationConditionType.one_of_list, ["a", "b"], strict=True)


def test_a_title_that_looks_like_a_cell_is_no_trouble(tab):
    tab.resize(4, 4)
    tab.update_title("D3")
    tab.update([["A1", "B1", "", "D1"], ["", "b2"], [""], ["A4", "B4", "", "d4"]], "A1:D4")
    rows = [["A1", "B1", "", "D1"], ["", "b2", "", ""], ["", "", "", ""], ["A4", "B4", "", "d4"]]
    assert tab.get_all_values() == rows


def test_csv_goes_in_and_comes_out(gspread_client, book):
    gspread_client.import_csv(book.id, 'a,b\n"1,5",2\n')
    assert book.sheet1.get_all_values() == [["a", "b"], ["1,5", "2"]]
    assert book.export(gspread.utils.ExportFormat.CSV) == b'a,b\r\n"1,5",2'


def test_refusals_are_api_errors_that_say_why(tab):
    with pytest.raises(gspread.exceptions.APIError) as caught:
        tab.acell("AA1")
    assert caught.value.code == 400
    assert "exceeds grid limits. Max rows: 1000, max columns: 26" in str(caught.value)


def test_five_thousand_rows_of_thirty_columns_take_little_time(tab):
    rows = [
        [f"r{row}c{column}" if column % 3 else row * column for column in range(30)] for row in range(5000)
    ]
    began = time.perf_counter()
    tab.update(rows, "A1")
    found = tab.get(value_render_option="UNFORMATTED_VALUE")
    took = time.perf_counter() - began
    assert found == rows
    assert (tab.spreadsheet.sheet1.row_count, tab.spreadsheet.sheet1.col_count) == (5000, 30)
    assert took < 10, "two seconds on a quiet machine; ten tells a fault in the making from a busy one"


def test_a_named_range_is_reached_through_whichever_sheet_is_at_hand(gspread_client):
    book = gspread_client.create("named")
    first, second = book.sheet1, book.add_worksheet("Second", 5, 5)
    second.update([["a", "b"]], "B2:C2")
    second.define_named_range("B2:C2", "Pair")
    assert first.get("Pair") == [["a", "b"]]
    first.update([["x", "y"]], "Pair")
    assert second.get("B2:C2") == [["x", "y"]]
    with pytest.raises(gspread.exceptions.APIError, match="Unable to parse range: 'Sheet1'!Second"):
        first.get("Second")
