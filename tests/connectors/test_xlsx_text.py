"""Every kind of text and value: what was put in comes out, and nothing is taken for a formula, a number or a date."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet

from connectors.base import ColumnLook, SheetLook, SheetWrite
from connectors.xlsx import XlsxWorkbook, cell_text, shown_text
from rules.frames import Grid

LOOK = SheetLook(
    (ColumnLook("対応", owner="key"), ColumnLook("点", kind="number"), ColumnLook("メモ", owner="master"))
)
HEADER = ["対応", "点", "メモ"]

moment = dt.datetime.fromisoformat


def put(path: Path, grid: Grid, title: str = "表") -> None:
    workbook = XlsxWorkbook(path)
    workbook.write([SheetWrite(title, grid, LOOK)], workbook.read().fingerprint)


def get(path: Path) -> Grid:
    return XlsxWorkbook(path).read().grids["表"]


def open_sheet(path: Path) -> Worksheet:
    return openpyxl.load_workbook(path)["表"]


NASTY = {
    "=1+1": "=1+1",
    '=HYPERLINK("http://x.example.com")': '=HYPERLINK("http://x.example.com")',
    "+81901234": "+81901234",
    "-1": "-1",
    "@home": "@home",
    "'x": "'x",
    "0123": "0123",
    "１２": "１２",
    "TRUE": "TRUE",
    "1e5": "1e5",
    "#N/A": "#N/A",
    "2026-10-13 05:00:00": "2026-10-13 05:00:00",
    "a\x07b": "a␇b",
    "a\x00b": "a␀b",
    "a\x7fb": "a␡b",
    "a\x85b\uffffc": "a\ufffdb\ufffdc",
    "a\ud800b": "a\ufffdb",
    "一行目\r\n二行目\r三行目\n": "一行目\n二行目\n三行目\n",
    "\t 前後に空白 ": "\t 前後に空白 ",
    "　\n ": "",
    "🌟👩‍👩‍👧": "🌟👩‍👩‍👧",
    "_x0041_x0042_ x005F_": "_x0041_x0042_ x005F_",
    "<a>&amp;]]>": "<a>&amp;]]>",
}


def test_any_text_comes_back_as_the_text_it_was(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, *([text, text, text] for text in NASTY)])
    assert get(path) == [HEADER, *([shown] * 3 if shown else [] for shown in NASTY.values())]


def test_a_text_is_stored_as_text_and_guarded_against_being_edited_into_something_else(
    tmp_path: Path,
) -> None:
    path = tmp_path / "master.xlsx"
    texts = ["=1+1", "+81", "-1", "@x", "'x", "0123", "#N/A", "言葉"]
    put(path, [HEADER, *([text] for text in texts)])
    sheet = open_sheet(path)
    cells = [sheet.cell(row, 1) for row in range(2, 2 + len(texts))]
    assert [cell.value for cell in cells] == texts
    assert {cell.data_type for cell in cells} == {"s"}
    assert {cell.number_format for cell in cells} == {"@"}
    assert [cell.quotePrefix for cell in cells] == [True] * 5 + [False] * 3


def test_only_a_plain_number_in_a_number_column_becomes_a_number(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    texts = ["3", "-2.5", "007", "1.50", "1e5", "１", "1234567890123456", "-0"]
    put(path, [HEADER, *([text, text] for text in texts)])
    sheet = open_sheet(path)
    assert [sheet.cell(row, 2).value for row in range(2, 10)] == [3, -2.5, *texts[2:]]
    assert [sheet.cell(row, 1).value for row in range(2, 10)] == texts
    assert [row[1] for row in get(path)[1:]] == texts


def test_a_text_at_the_limit_of_a_cell_stays_and_one_over_it_is_cut_with_a_mark() -> None:
    assert shown_text("あ" * 32_767) == "あ" * 32_767
    assert shown_text("あ" * 32_768) == "あ" * 32_752 + "…（以下 16 字省略）"
    assert shown_text("あ" * 40_000) == "あ" * 32_752 + "…（以下 7248 字省略）"


def test_a_cut_counts_in_the_units_of_the_file(tmp_path: Path) -> None:
    assert shown_text("🌟" * 16_383) == "🌟" * 16_383
    long = ["🌟" * 16_384, "_x0041_" * 5_000, "あ" * 40_000]
    shown = [shown_text(text) for text in long]
    assert all(text.endswith("字省略）") for text in shown)
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, *([text] for text in long)])
    assert get(path) == [HEADER, *([text] for text in shown)]


@given(st.text(st.characters(exclude_categories=())))
def test_showing_a_text_twice_changes_nothing(text: str) -> None:
    assert shown_text(shown_text(text)) == shown_text(text)


ODD_TEXT = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    [
        "_x0041_",
        "x005F_",
        "_x005F_x0041_",
        "=",
        "'",
        "\r",
        " ",
        "　",
        "\n",
        "1",
        "-0",
        "1.0",
        "#REF!",
        "\ud83d\ude00",
    ]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(ODD_TEXT, max_size=4), max_size=5))
def test_any_grid_comes_back_as_shown_and_is_not_written_again(tmp_path: Path, rows: Grid) -> None:
    path = tmp_path / "any.xlsx"
    path.unlink(missing_ok=True)
    put(path, [HEADER, *rows])
    shown = [[shown_text(text) for text in row] for row in [HEADER, *rows]]
    found = get(path)
    for row in range(max(len(shown), len(found))):
        padded = [*(shown[row] if row < len(shown) else []), *[""] * 4][:4]
        assert [*(found[row] if row < len(found) else []), *[""] * 4][:4] == padded
    before = path.read_bytes()
    put(path, [HEADER, *rows])
    assert path.read_bytes() == before
    # Loading and saving everything because of another tab leaves each text as it was.
    put(path, [HEADER], title="別")
    assert get(path) == found


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "TRUE"),
        (False, "FALSE"),
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (0.1 + 0.2, "0.3"),
        (1e16, "10000000000000000"),
        (1.2e-7, "0.00000012"),
        (moment("2026-10-13 00:00:00"), "2026-10-13 00:00:00"),
        (moment("2026-10-13 04:59:59.999000"), "2026-10-13 05:00:00"),
        (moment("2026-10-13 04:59:59.998900"), "2026-10-13 04:59:59.999"),
        (moment("2026-10-13 05:00:00.001000"), "2026-10-13 05:00:00"),
        (moment("2026-10-13 05:00:00.120000"), "2026-10-13 05:00:00.12"),
        (moment("2026-10-13 23:59:59.999999"), "2026-10-14 00:00:00"),
        (dt.date(2026, 10, 13), "2026-10-13 00:00:00"),
        (dt.time(18, 0), "18:00:00"),
        (dt.time(0, 0), "00:00:00"),
        (dt.timedelta(hours=30, minutes=5), "30:05:00"),
        (-dt.timedelta(minutes=5), "-0:05:00"),
    ],
)
def test_each_kind_of_value_has_one_text(value: object, text: str) -> None:
    assert cell_text(value) == text
