"""USER_ENTERED: what typing makes of a text, the number format it gives, and formulas with what they come to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sheets_bench import Bench, area, lines


def number_format(bench, where):
    return (
        bench.cell(where, "userEnteredFormat.numberFormat").get("userEnteredFormat", {}).get("numberFormat")
    )


@pytest.mark.parametrize(
    ("typed", "value", "shown", "pattern"),
    [
        ("42", 42, "42", None),
        ("0042", 42, "42", None),
        ("-1.50", -1.5, "-1.5", None),
        ("1,234.5", 1234.5, "1,234.50", "#,##0.00"),
        ("10%", 0.1, "10%", "0%"),
        ("$5", 5, "$5", '"$"#,##0'),
        ("1e5", 100000, "1.00E+05", "0.00E+00"),
        ("TRUE", True, "TRUE", None),
        ("false", False, "FALSE", None),
        ("'0123", "0123", "0123", None),
        ("1,2", "1,2", "1,2", None),
        ("nan", "nan", "nan", None),
        ("8085807e40000000", "8085807e40000000", "8085807e40000000", None),
        ("2020-01-01", 43831, "2020-01-01", "yyyy-mm-dd"),
        ("1/2/2020", 43832, "1/2/2020", "M/d/yyyy"),
        ("2026-10-13 05:00:00", 46308.208333333336, "2026-10-13 5:00:00", "yyyy-mm-dd h:mm:ss"),
        ("18:00", 0.75, "18:00", "h:mm"),
        ("2020-13-01", "2020-13-01", "2020-13-01", None),
        ("=1+1", 2, "2", None),
        ("+81", 81, "81", None),
        ("あ", "あ", "あ", None),
    ],
)
def test_what_typing_makes_of_a_text(bench, typed, value, shown, pattern):
    bench.type("A1", [[typed]])
    assert bench.read("A1", "UNFORMATTED_VALUE") == [[value]]
    assert bench.read("A1") == [[shown]]
    assert (number_format(bench, "A1") or {}).get("pattern") == pattern


def test_typing_follows_the_locale(sheets):
    bench = Bench(sheets, properties={"title": "j", "locale": "ja_JP", "timeZone": "Asia/Tokyo"})
    bench.type("A1", [["2026/10/13", "2026/10/13 5:00:00", "¥500", "$5", "10月13日"]])
    numbers = bench.read("A1:E1", "UNFORMATTED_VALUE")[0]
    assert numbers[:4] == [46308, 46308.208333333336, 500, "$5"]
    assert bench.read("A1:C1") == [["2026/10/13", "2026/10/13 5:00:00", "¥500"]]
    german = Bench(sheets, properties={"title": "d", "locale": "de_DE"})
    german.type("A1", [["1.234,5", "13.10.2026", "0,5"]])
    assert german.read("A1:C1", "UNFORMATTED_VALUE") == [[1234.5, 46308, 0.5]]
    assert german.read("A1:C1") == [["1.234,50", "13.10.2026", "0,5"]]


def test_dates_come_as_serials_or_as_shown(bench):
    bench.type("A1", [["2026-10-13", "x", 5]])
    assert bench.read("A1:C1", "UNFORMATTED_VALUE") == [[46308, "x", 5]]
    shown = bench.read("A1:C1", "UNFORMATTED_VALUE", dateTimeRenderOption="FORMATTED_STRING")
    assert shown == [["2026-10-13", "x", 5]]
    assert bench.read("A1:C1", "FORMULA") == [[46308, "x", 5]]


def test_typing_keeps_the_format_a_cell_has_and_text_cells_keep_text(bench):
    text = {"userEnteredFormat": {"numberFormat": {"type": "TEXT", "pattern": "@"}}}
    money = {"userEnteredFormat": {"numberFormat": {"type": "CURRENCY", "pattern": '"€"0.00'}}}
    bench.batch(
        {"repeatCell": {"range": area(0, 1, 0, 1), "cell": text, "fields": "userEnteredFormat.numberFormat"}},
        {
            "repeatCell": {
                "range": area(0, 1, 1, 2),
                "cell": money,
                "fields": "userEnteredFormat.numberFormat",
            }
        },
    )
    bench.type("A1:B1", [["0123", "10%"]])
    assert bench.read("A1:B1", "UNFORMATTED_VALUE") == [["0123", 0.1]]
    assert bench.read("A1:B1") == [["0123", "€0.10"]]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("=1+2*3", 7),
        ("=(1+2)*3", 9),
        ("=10/4", 2.5),
        ("=A1*2", 20),
        ('=A1&"x"', "10x"),
        ("=SUM(A1:A3)", 30),
        ("=SUM(A:A,5)", 35),
        ("=A1=10", True),
        ('=IF(A1>10,"more","less")', "less"),
        ('=CONCATENATE("a",1,TRUE)', "a1TRUE"),
        ("='Other one'!A1+1", 8),
        ("=-A2^2", 400),
        ("=50%", 0.5),
        ("=A9", None),
        ('=""', None),
    ],
)
def test_formulas_come_to_something(bench, formula, value):
    bench.add_sheet("Other one")
    bench.put("'Other one'!A1", [[7]])
    bench.put("A1", [[10], [20], ["text"]])
    bench.type("B1", [[formula]])
    assert bench.read("B1", "UNFORMATTED_VALUE") == (None if value is None else [[value]])
    assert bench.read("B1", "FORMULA") == [[formula]]


@pytest.mark.parametrize(
    ("formula", "shown", "kind", "message"),
    [
        ("=1/0", "#DIV/0!", "DIVIDE_BY_ZERO", "Function DIVIDE parameter 2 cannot be zero."),
        ("=NoSuch()", "#NAME?", "NAME", "Unknown function: 'NoSuch'."),
        (
            '="a"+1',
            "#VALUE!",
            "VALUE",
            "Function ADD parameter 1 expects number values. But 'a' is a text and cannot be coerced to a number.",
        ),
        ("=A1:Z1 A30:Z30", "#ERROR!", "ERROR", "Formula parse error."),
        ("=NA()", "#N/A", "N_A", None),
        ("=Gone!A1", "#REF!", "REF", "Unresolved sheet name 'Gone'."),
        (
            "=B1",
            "#REF!",
            "REF",
            "Circular dependency detected. To resolve with iterative calculation, see File > Settings.",
        ),
    ],
)
def test_an_error_is_a_text_in_values_and_a_type_in_cells(bench, formula, shown, kind, message):
    bench.type("B1", [[formula]])
    assert bench.read("B1", "UNFORMATTED_VALUE") == [[shown]]
    error = bench.cell("B1")["effectiveValue"]["errorValue"]
    assert error == ({"type": kind, "message": message} if message else {"type": kind})


def test_formulas_are_calculated_again_when_what_they_read_changes(bench):
    bench.type("A1", [["1", "=A1+1", "=B1+1"]])
    assert bench.read("C1") == [["3"]]
    bench.put("A1", [[10]])
    assert bench.read("A1:C1", "UNFORMATTED_VALUE") == [[10, 11, 12]]


def test_a_long_chain_of_formulas_is_no_trouble(bench):
    bench.put("A1", [[1]])
    bench.type("A2", [[f"=A{row}+1"] for row in range(1, 600)])
    assert bench.read("A600", "UNFORMATTED_VALUE") == [[600]]


def test_today_and_now_are_of_the_spreadsheets_zone_and_stay_dates(sheets, emulator):
    emulator.service.world.clock.set(datetime(2026, 10, 12, 20, 30, tzinfo=UTC))
    bench = Bench(sheets, properties={"title": "j", "timeZone": "Asia/Tokyo"})
    bench.type("A1", [["=TODAY()", "=NOW()", "=A1+1"]])
    assert bench.read("A1:C1") == [["10/13/2026", "10/13/2026 5:30:00", "10/14/2026"]]
    emulator.service.world.clock.set(datetime(2026, 10, 13, 20, 30, tzinfo=UTC))
    assert bench.read("A1:C1", "UNFORMATTED_VALUE") == [[46309, 46309.229166666664, 46310]]
    assert bench.cell("A1")["effectiveFormat"]["numberFormat"] == {"type": "DATE"}


@pytest.mark.parametrize(
    ("entered", "stored"),
    [
        ("=sum( sales!a3:a3 )", "=sum( Sales!A3 )"),
        ("='Sales'!B3:a2", "=Sales!A2:B3"),
        ("=sales!$d$3 + 1", "=Sales!$D$3 + 1"),
        ("=SUM(  A1 ,  'It''s'!a1:a1  )", "=SUM(  A1 ,  'It''s'!A1  )"),
        ("=if(true,\"a3:a3\",'It''s'!A1)", "=if(true,\"a3:a3\",'It''s'!A1)"),
        ("=Rw!B3:A2", "=Rw!A2:B3"),
        ("=SUM(Rw!$A3:$A3)", "=SUM(Rw!$A3)"),
    ],
)
def test_references_are_stored_as_google_spells_them(bench, entered, stored):
    for title in ("Sales", "Rw", "It's"):
        bench.add_sheet(title)
    bench.type("Z9", [[entered]])
    assert bench.read("Z9", "FORMULA") == [[stored]]


def test_references_follow_rows_that_come_leave_and_move(bench):
    other = bench.add_sheet("Other")
    bench.put("A1", [[1], [2], [3], [4]])
    bench.type("Other!A1", [["=SUM(Sheet1!A2:A3)", "=Sheet1!$A$4", "=A2", "=SUM(Sheet1!A:A)"]])
    row = "Other!A1:D1"
    bench.batch({"insertDimension": {"range": lines("ROWS", 2, 4), "inheritFromBefore": True}})
    assert bench.read(row, "FORMULA") == [["=SUM(Sheet1!A2:A5)", "=Sheet1!$A$6", "=A2", "=SUM(Sheet1!A:A)"]]
    assert bench.read(row, "UNFORMATTED_VALUE") == [[5, 4, "", 10]]
    bench.batch({"deleteDimension": {"range": lines("ROWS", 5, 6)}})
    assert bench.read(row, "FORMULA")[0][:2] == ["=SUM(Sheet1!A2:A5)", "=#REF!"]
    assert bench.read(row)[0][1] == "#REF!"
    bench.type("Sheet1!A1", [["9"]])
    bench.type("Other!A3", [["=Sheet1!A1"]])
    bench.batch({"moveDimension": {"source": lines("ROWS", 0, 1), "destinationIndex": 3}})
    assert bench.read("Other!A3", "FORMULA") == [["=Sheet1!A3"]]
    bench.batch(
        {"updateSheetProperties": {"properties": {"sheetId": 0, "title": "New name"}, "fields": "title"}}
    )
    assert bench.read("Other!A3", "FORMULA") == [["='New name'!A3"]]
    assert bench.read("Other!A3") == [["9"]]
    bench.batch({"deleteSheet": {"sheetId": 0}})
    assert bench.read("Other!A3", "FORMULA") == [["=#REF!"]]
    assert bench.sheet()["properties"]["sheetId"] == other


def test_typed_cells_are_not_parsed_and_formulas_are(bench):
    given = [
        {"stringValue": "07/04/2026"},
        {"stringValue": "=1"},
        {"formulaValue": "=1+1"},
        {"numberValue": 5},
    ]
    row = {"values": [{"userEnteredValue": each} for each in [*given, {"boolValue": True}]]}
    bench.batch({"updateCells": {"start": {"sheetId": 0}, "rows": [row], "fields": "userEnteredValue"}})
    assert bench.read("A1:E1", "FORMULA") == [["07/04/2026", "=1", "=1+1", 5, True]]
    assert bench.read("A1:E1", "UNFORMATTED_VALUE") == [["07/04/2026", "=1", 2, 5, True]]
    assert bench.cell("C1", "userEnteredValue,effectiveValue") == {
        "userEnteredValue": {"formulaValue": "=1+1"},
        "effectiveValue": {"numberValue": 2},
    }


@pytest.mark.parametrize(
    ("value", "pattern", "shown"),
    [
        (1234.5, "#,##0.00", "1,234.50"),
        (-5, '"$"#,##0.00', "-$5.00"),
        (-3, "0;(0)", "(3)"),
        (7, "000", "007"),
        (0.256, "0.0%", "25.6%"),
        (46308.75, "yyyy/mm/dd hh:mm", "2026/10/13 18:00"),
        (46308.75, "ddd, mmm d h:mm am/pm", "Tue, Oct 13 6:00 PM"),
        (1.5, "[h]:mm:ss", "36:00:00"),
        (1 / 3, "", "0.3333333333"),
        (1e15, "", "1E+15"),
    ],
)
def test_number_formats_are_shown(bench, value, pattern, shown):
    bench.put("A1", [[value]])
    if pattern:
        cell = {"userEnteredFormat": {"numberFormat": {"type": "NUMBER", "pattern": pattern}}}
        bench.batch({"repeatCell": {"range": area(0, 1, 0, 1), "cell": cell, "fields": "userEnteredFormat"}})
    assert bench.read("A1") == [[shown]]
