"""Where the services meet: gspread over Drive, a form that writes into a sheet, humans and faults at a spreadsheet."""

from __future__ import annotations

from datetime import datetime, timedelta

import gspread
import pytest
from google.oauth2 import service_account
from google_bench import ROBOT
from googleapiclient.errors import HttpError

from tests.google_emulator.clients import service, spreadsheets


@pytest.fixture
def client(gspread_client):
    return gspread_client


@pytest.fixture
def book(client):
    made = client.create("Book")
    made.sheet1.update([["name", "stars"], ["Ada", 3], ["Bo", 1], ["Cy", 2]], "A1")
    return made


@pytest.fixture
def robot(emulator, book):
    """The book as a service account sees it that may write to it."""
    info = emulator.control("service-account", email=ROBOT)
    emulator.control("share", fileId=book.id, email=ROBOT)
    scopes = ["https://www.googleapis.com/auth/spreadsheets", "https://www.googleapis.com/auth/drive"]
    made = spreadsheets(
        emulator.base, service_account.Credentials.from_service_account_info(info, scopes=scopes)
    )
    yield made.open("Book")
    made.http_client.session.close()


def test_gspread_makes_finds_shares_copies_and_deletes(client, book):
    assert client.open("Book").id == client.open_by_url(book.url).id == book.id
    assert [each["name"] for each in client.list_spreadsheet_files()] == ["Book"]
    book.share("guest@example.com", perm_type="user", role="reader")
    assert [each["role"] for each in book.list_permissions()] == ["owner", "reader"]
    assert book.remove_permissions("guest@example.com")
    copied = client.copy(book.id, title="Copy", copy_permissions=False)
    copied.sheet1.update([["changed"]], "A1")
    assert book.sheet1.get("A1:B2") == [["name", "stars"], ["Ada", "3"]]
    book.update_title("New")
    assert client.open("New").id == book.id
    client.del_spreadsheet(book.id)
    with pytest.raises(gspread.SpreadsheetNotFound):
        client.open_by_key(book.id)


def test_a_csv_goes_in_and_comes_out(client, book):
    assert book.export(gspread.utils.ExportFormat.CSV).decode() == "name,stars\r\nAda,3\r\nBo,1\r\nCy,2"
    client.import_csv(book.id, "a,b\n1,x\n")
    assert client.open_by_key(book.id).sheet1.get_all_values() == [["a", "b"], ["1", "x"]]


def test_a_tab_can_be_read_by_the_address_that_browsers_use(http, book):
    tab = book.add_worksheet("Two", 5, 5)
    tab.update([["x", "y"]], "A1")
    answer = http("GET", f"/spreadsheets/d/{book.id}/export?format=csv&gid={tab.id}")
    assert (answer.headers["Content-Type"], answer.text) == ("text/csv", "x,y")
    assert http("GET", f"/spreadsheets/d/{book.id}/export?format=csv").text.startswith("name,stars")
    assert http("GET", f"/spreadsheets/d/{book.id}/export?gid=77").status_code == 400
    assert http("GET", "/spreadsheets/d/nope/export").status_code == 404


def test_a_form_is_no_spreadsheet(client, forms):
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    with pytest.raises(gspread.exceptions.APIError, match="not supported for this document"):
        client.open_by_key(made)


def test_a_human_types_sorts_inserts_and_deletes(emulator, book):
    emulator.control("write", spreadsheetId=book.id, range="B2", values=[["=B3+B4"]])
    assert book.sheet1.acell("B2").value == "3"
    emulator.control("sort", spreadsheetId=book.id, column=0, descending=True)
    assert book.sheet1.col_values(1) == ["name", "Cy", "Bo", "Ada"]
    emulator.control("insert-rows", spreadsheetId=book.id, row=1)
    assert book.sheet1.col_values(1) == ["name", "", "Cy", "Bo", "Ada"]
    emulator.control("delete-rows", spreadsheetId=book.id, sheet="Sheet1", row=1, count=2)
    assert book.sheet1.col_values(1) == ["name", "Bo", "Ada"]


def test_a_protected_cell_refuses_the_whole_batch_of_anyone_but_the_owner(emulator, book, robot):
    emulator.control("protect", spreadsheetId=book.id, range={"startRowIndex": 2, "endRowIndex": 3})
    with pytest.raises(gspread.exceptions.APIError, match="protected"):
        robot.sheet1.update([["x"], ["y"]], "A2")
    assert book.sheet1.col_values(1) == ["name", "Ada", "Bo", "Cy"]
    book.sheet1.update([["x"], ["y"]], "A2")
    assert book.sheet1.col_values(1) == ["name", "x", "y", "Cy"]


def test_a_cell_becomes_protected_just_before_the_write(emulator, book, robot):
    emulator.control(
        "fault", kind="protect", match="*.values.update", range={"startRowIndex": 1, "endRowIndex": 2}
    )
    assert robot.sheet1.acell("A2").value == "Ada"
    with pytest.raises(gspread.exceptions.APIError, match="protected"):
        robot.sheet1.update([["x"]], "A2")


def test_rows_move_between_our_read_and_our_write(emulator, book, robot):
    sort = {"do": "sort", "spreadsheetId": book.id, "column": 0, "descending": True}
    emulator.control("fault", kind="change", match="*.values.update", actions=[sort])
    robot.sheet1.update([["changed"]], f"B{robot.sheet1.col_values(1).index('Ada') + 1}")
    assert book.sheet1.get("A1:B4") == [["name", "stars"], ["Cy", "changed"], ["Bo", "1"], ["Ada", "3"]]


def test_a_share_revoked_between_two_calls_of_gspread(emulator, book, robot):
    emulator.control("fault", kind="revoke", match={"caller": ROBOT})
    with pytest.raises(gspread.exceptions.APIError) as caught:
        robot.sheet1.get("A1")
    assert (caught.value.code, caught.value.error["status"]) == (403, "PERMISSION_DENIED")


def test_an_expired_token_is_renewed_by_gspread(emulator, book, robot):
    emulator.control("fault", kind="expire", match={"method": "*.values.get", "caller": ROBOT})
    assert robot.sheet1.get("A1") == [["name"]]


def test_too_many_reads_are_429_for_gspread_and_a_page_has_no_code(emulator, book):
    emulator.control("fault", kind="429", match={"api": "sheets.v4"})
    with pytest.raises(
        gspread.exceptions.APIError, match=r"Read requests per minute per user' of service 'sheets\."
    ) as caught:
        book.sheet1.get("A1")
    assert caught.value.code == 429
    emulator.control("fault", kind="502", match={"api": "sheets.v4"})
    with pytest.raises(gspread.exceptions.APIError) as caught:
        book.sheet1.get("A1")
    assert caught.value.code == -1


@pytest.fixture
def linked(emulator, forms, book):
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    item = {"title": "Name", "questionItem": {"question": {"textQuestion": {}}}}
    create = {"createItem": {"item": item, "location": {"index": 0}}}
    forms.batchUpdate(formId=made, body={"requests": [create]}).execute()
    emulator.control("form", formId=made, published=True, accepting=True)
    emulator.control("submit", formId=made, answers={"Name": "early"}, at="2026-10-13T05:00:00Z")
    emulator.control("link", formId=made, spreadsheetId=book.id)
    return made


def test_a_linked_form_writes_a_row_for_each_response_and_an_edit_changes_it(emulator, forms, book, linked):
    assert forms.get(formId=linked).execute()["linkedSheetId"] == book.id
    tab = book.worksheet("Form Responses 1")
    late = emulator.control("submit", formId=linked, answers={"Name": "late"}, at="2026-10-14T05:00:00.25Z")
    assert tab.get_all_values() == [
        ["Timestamp", "Name"],
        ["10/13/2026 5:00:00", "early"],
        ["10/14/2026 5:00:00", "late"],
    ]
    emulator.control("sort", spreadsheetId=book.id, sheet="Form Responses 1", descending=True)
    emulator.control(
        "edit",
        formId=linked,
        responseId=late["responseId"],
        answers={"Name": "new"},
        at="2026-10-15T05:00:00Z",
    )
    assert tab.col_values(2) == ["Name", "new", "early"]
    serial = tab.get("A2", value_render_option="UNFORMATTED_VALUE")[0][0]
    assert datetime(1899, 12, 30) + timedelta(days=serial) == datetime(2026, 10, 15, 5)


def test_a_new_response_pushes_down_what_people_typed_below(emulator, book, linked):
    tab = book.worksheet("Form Responses 1")
    emulator.control("write", spreadsheetId=book.id, range="'Form Responses 1'!B3", values=[["by hand"]])
    emulator.control("submit", formId=linked, answers={"Name": "next"}, at="2026-10-14T05:00:00Z")
    assert tab.col_values(2) == ["Name", "early", "next", "by hand"]


def test_a_new_spreadsheet_is_made_where_none_is_named(emulator, forms, linked):
    made = emulator.control("link", formId=linked)
    with service("sheets", emulator.base) as sheets:
        shown = sheets.spreadsheets().get(spreadsheetId=made["spreadsheetId"]).execute()
    assert shown["properties"]["title"] == "Untitled form (Responses)"
    with pytest.raises(Exception, match="no spreadsheet"):
        emulator.control("link", formId=linked, spreadsheetId="nope")


def test_a_refused_batch_leaves_no_trace_even_of_its_first_requests(emulator, book):
    before = emulator.world.files[book.id].version
    with service("sheets", emulator.base) as sheets, pytest.raises(HttpError):
        sheets.spreadsheets().batchUpdate(
            spreadsheetId=book.id,
            body={
                "requests": [
                    {"addSheet": {"properties": {"title": "Two"}}},
                    {"deleteSheet": {"sheetId": 987}},
                ]
            },
        ).execute()
    assert [sheet.title for sheet in book.worksheets()] == ["Sheet1"]
    assert emulator.world.files[book.id].version == before
