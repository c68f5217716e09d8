"""A form's responses from a workbook are those of the same table saved as CSV."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import openpyxl
import pytest

from connectors.base import FieldMap, FormMap
from connectors.local_xlsx import open_source

TOKYO = ZoneInfo("Asia/Tokyo")
FORM = FormMap(
    "signup",
    (FieldMap("name", ("名前",)), FieldMap("days", ("日",), many=True, choices=("10月13日", "10月15日"))),
    ("タイムスタンプ",),
    ("メールアドレス",),
    ("回答ID",),
    ("初回送信",),
)
HEADER = ["タイムスタンプ", "メールアドレス", "名前", "日"]


def save(path: Path, rows: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    for row in [HEADER, *rows]:
        book.active.append(row)
    book.save(path)
    return path


def test_typed_times_and_texts_read_like_the_csv_of_the_same_table(tmp_path: Path) -> None:
    when = dt.datetime(2026, 10, 12, 23, 59, 59)
    table = save(tmp_path / "signup.xlsx", [[when, "a@example.com", "0123", "10月13日, 10月15日"]])
    with (tmp_path / "signup.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [HEADER, ["2026/10/12 23:59:59", "a@example.com", "0123", "10月13日, 10月15日"]]
        )
    sheet = open_source(table, FORM, TOKYO, 0.2).pull(0)
    text = open_source(tmp_path / "signup.csv", FORM, TOKYO, 0.2).pull(0)
    assert sheet.complete
    assert sheet.findings == ()
    for name in ("submitted_at", "address", "answers", "response_id"):
        assert list(sheet.responses[name]) == list(text.responses[name]), name
    assert sheet.responses["answers"][0] == {"name": "0123", "days": ["10月13日", "10月15日"]}


def test_a_blank_row_is_skipped_and_rows_keep_their_numbers(tmp_path: Path) -> None:
    when = dt.datetime(2026, 10, 12, 9, 0, 0)
    table = save(tmp_path / "signup.xlsx", [[None] * 4, [when, "", "甲", ""]])
    pulled = open_source(table, FORM, TOKYO, 0.2).pull(0)
    assert list(pulled.responses["place"]) == ["signup.xlsx 3行"]


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "empty"), (b"not a workbook", "unreadable")],
    ids=["empty file", "no workbook"],
)
def test_a_file_that_is_no_workbook_sits_the_run_out(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "signup.xlsx"
    path.write_bytes(content)
    pulled = open_source(path, FORM, TOKYO, 0.2).pull(3)
    assert not pulled.complete
    assert [finding.code for finding in pulled.findings] == [code]


def test_a_formula_without_a_stored_value_sits_the_run_out_naming_its_cell(tmp_path: Path) -> None:
    table = save(tmp_path / "signup.xlsx", [[dt.datetime(2026, 10, 12, 9, 0), "a@example.com", "=A2", ""]])
    pulled = open_source(table, FORM, TOKYO, 0.2).pull(0)
    assert not pulled.complete
    assert [(finding.code, "C2" in finding.message) for finding in pulled.findings] == [("unreadable", True)]
