"""Spreadsheets as files of other programs: what clients download, and what they upload to become a spreadsheet."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

import openpyxl
import pandas as pd
import pytest
from drive_talking import SHEET, refused
from googleapiclient.http import MediaInMemoryUpload
from sheets_bench import Bench, area

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS = "application/vnd.oasis.opendocument.spreadsheet"


@pytest.fixture
def book(bench: Bench) -> Bench:
    bench.type("A1:C2", [["name", "day", "sum"], ["Ada <3>", "2026-11-30", "=1+2"]])
    bench.add_sheet("Second tab")
    bench.put("'Second tab'!B2", [["日本", True]])
    return bench


def test_a_workbook_holds_formulas_with_their_values(drive, book):
    data = drive.files().export(fileId=book.id, mimeType=XLSX).execute()
    formulas = openpyxl.load_workbook(io.BytesIO(data))
    values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    assert values.sheetnames == ["Sheet1", "Second tab"]
    assert [cell.value for cell in values["Sheet1"][2]] == ["Ada <3>", datetime(2026, 11, 30), 3]
    assert formulas["Sheet1"]["C2"].value == "=1+2"
    assert formulas["Sheet1"]["B2"].number_format == "yyyy-mm-dd"
    assert [cell.value for cell in values["Second tab"][2]] == [None, "日本", True]


def test_a_workbook_keeps_merges_errors_and_hidden_tabs(drive, book):
    book.type("E1", [["=1/0"]])
    book.batch(
        {"mergeCells": {"range": area(4, 6, 0, 2), "mergeType": "MERGE_ALL"}},
        {"addSheet": {"properties": {"title": "Out of sight", "hidden": True}}},
    )
    read = openpyxl.load_workbook(
        io.BytesIO(drive.files().export(fileId=book.id, mimeType=XLSX).execute()), data_only=True
    )
    assert [str(each) for each in read["Sheet1"].merged_cells.ranges] == ["A5:B6"]
    assert read["Sheet1"]["E1"].value == "#DIV/0!"
    assert read["Out of sight"].sheet_state == "hidden"


def test_pandas_reads_the_download_of_docs(http, book):
    answer = http("GET", f"/spreadsheets/d/{book.id}/export?format=xlsx")
    assert answer.headers["Content-Type"] == XLSX
    frame = pd.read_excel(io.BytesIO(answer.content), engine="calamine")
    assert frame.to_dict("records") == [{"name": "Ada <3>", "day": pd.Timestamp("2026-11-30"), "sum": 3}]


def test_one_tab_can_be_taken_alone(http, book):
    tab = book.sheet(1)["properties"]["sheetId"]
    address = f"/spreadsheets/d/{book.id}/export?gid={tab}&format="
    assert http("GET", address + "tsv").content.decode() == "\t\t\r\n\t日本\tTRUE"
    assert openpyxl.load_workbook(io.BytesIO(http("GET", address + "xlsx").content)).sheetnames == [
        "Second tab"
    ]
    assert http("GET", address + "docx").status_code == 400


def test_tabs_in_a_cell_do_not_break_tab_separated_lines(http, bench):
    bench.put("A1:B1", [["a\tb\nc", '"q"']])
    assert http("GET", f"/spreadsheets/d/{bench.id}/export?format=tsv").text == 'a b c\t"q"'


def test_other_kinds_are_what_they_say(drive, book):
    def taken(mime: str) -> bytes:
        return drive.files().export(fileId=book.id, mimeType=mime).execute()

    assert taken("application/pdf").startswith(b"%PDF-1.4\n")
    with zipfile.ZipFile(io.BytesIO(taken("application/zip"))) as archive:
        assert archive.namelist() == ["Sheet1.html", "Second tab.html"]
        assert "<td>Ada &lt;3&gt;</td>" in archive.read("Sheet1.html").decode()
    for mime in (ODS, "application/x-vnd.oasis.opendocument.spreadsheet"):
        with zipfile.ZipFile(io.BytesIO(taken(mime))) as archive:
            assert archive.read("mimetype").decode() == ODS
            assert 'office:date-value="2026-11-30T00:00:00"' in archive.read("content.xml").decode()


def test_an_unknown_kind_cannot_be_had(drive, book):
    request = drive.files().export(fileId=book.id, mimeType="image/png")
    assert refused(request)[:2] == (400, "badRequest")


def test_what_can_be_had_is_listed(drive, book):
    links = drive.files().get(fileId=book.id, fields="exportLinks").execute()["exportLinks"]
    about = drive.about().get(fields="exportFormats,importFormats").execute()
    assert set(links) == set(about["exportFormats"][SHEET])
    assert {XLSX, ODS, "application/pdf", "text/csv"} < set(links)
    assert about["importFormats"][XLSX] == [SHEET]


def upload(drive, data: bytes, mime: str):
    media = MediaInMemoryUpload(data, mimetype=mime)
    return drive.files().create(body={"name": "up", "mimeType": SHEET}, media_body=media)


def test_a_workbook_sent_as_a_spreadsheet_becomes_one(drive, sheets):
    given = openpyxl.Workbook()
    given.active.title = "First"
    given.active.append(["n", 1.5, True, datetime(2026, 11, 30, 12), "=B1*2"])
    given.create_sheet("Next")["C3"] = "there"
    kept = io.BytesIO()
    given.save(kept)
    made = upload(drive, kept.getvalue(), XLSX).execute()["id"]
    values = sheets.values()
    assert [each["properties"]["title"] for each in sheets.get(spreadsheetId=made).execute()["sheets"]] == [
        "First",
        "Next",
    ]
    read = values.get(
        spreadsheetId=made, range="First!A1:E1", valueRenderOption="UNFORMATTED_VALUE"
    ).execute()
    assert read["values"] == [["n", 1.5, True, 46356.5, 3]]
    assert values.get(spreadsheetId=made, range="Next!C3").execute()["values"] == [["there"]]


def test_tab_separated_text_sent_as_a_spreadsheet_becomes_one(drive, sheets):
    made = upload(drive, b"a\tb,c\n1\t2", "text/tab-separated-values").execute()["id"]
    assert sheets.values().get(spreadsheetId=made, range="A1:B2").execute()["values"] == [
        ["a", "b,c"],
        ["1", "2"],
    ]


def test_what_is_no_workbook_is_refused_and_leaves_nothing(drive):
    assert refused(upload(drive, b"nonsense", XLSX))[:2] == (400, "badRequest")
    assert drive.files().list().execute()["files"] == []
