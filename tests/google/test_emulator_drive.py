"""Drive v3: files as clients make, find, change, copy, fill and delete them."""

from __future__ import annotations

import io
import re

import pytest
from drive_talking import FOLDER, FORM, SHEET, make, names, refused
from googleapiclient.http import MediaInMemoryUpload, MediaIoBaseDownload, MediaIoBaseUpload


@pytest.fixture
def files(drive):
    return drive.files()


def test_four_fields_are_shown_unless_more_are_asked_for(files):
    made = files.create(body={"name": "a", "mimeType": SHEET}).execute()
    assert made == {"kind": "drive#file", "id": made["id"], "name": "a", "mimeType": SHEET}
    assert files.get(fileId=made["id"]).execute() == made
    assert len(made["id"]) == 44


def test_times_are_in_milliseconds_and_version_is_text(files, emulator):
    emulator.control("clock", set="2023-07-20T08:47:44.700999Z")
    made = files.create(
        body={"name": "a"}, fields="createdTime,modifiedTime,version,parents,trashed,owners"
    ).execute()
    assert (made["createdTime"], made["modifiedTime"]) == (
        "2023-07-20T08:47:44.700Z",
        "2023-07-20T08:47:44.700Z",
    )
    assert (made["version"], made["trashed"]) == ("1", False)
    assert made["owners"][0]["emailAddress"] == "owner@example.com"


def test_a_change_moves_the_version_and_the_time(files, emulator):
    emulator.control("clock", set="2023-07-20T08:00:00Z")
    made = make(files, "a")
    emulator.control("clock", advance=1.5)
    changed = files.update(fileId=made, body={"name": "b"}, fields="name,version,modifiedTime").execute()
    assert changed == {"name": "b", "version": "2", "modifiedTime": "2023-07-20T08:00:01.500Z"}


def test_deleting_answers_204_without_a_body(files, http):
    made = make(files, "a")
    answer = http("DELETE", f"/drive/v3/files/{made}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert refused(files.get(fileId=made)) == (404, "notFound", f"File not found: {made}.")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("name = 'Hello World'", {"Hello World"}),
        ("name='hello world'", {"Hello World"}),
        ("name != 'Hello World' and mimeType = 'text/plain'", {"HelloWorld", "it's", "Gone"}),
        ("name contains 'Hello'", {"Hello World", "HelloWorld"}),
        ("name contains 'World'", {"Hello World"}),
        ("name contains 'orld'", set()),
        (r"name = 'it\'s'", {"it's"}),
        ('name = "it\'s"', {"it's"}),
        (f"mimeType = '{FOLDER}'", {"Box"}),
        (f"mimeType != '{FOLDER}' and trashed = false", {"Hello World", "HelloWorld", "it's"}),
        ("trashed = true", {"Gone"}),
        ("not trashed = true and not name contains 'Hello'", {"Box", "it's"}),
        ("(name = 'Box' or name = 'Gone') and trashed=false", {"Box"}),
        ("name = 'Box' or name = 'Gone' and trashed = false", {"Box"}),
        ("mimeType contains 'text/'", {"Hello World", "HelloWorld", "it's", "Gone"}),
        ("properties has { key='k' and value='v' }", {"it's"}),
        ("'owner@example.com' in owners and starred = true", {"HelloWorld"}),
        ("'me' in owners and name = 'Box'", {"Box"}),
        ("sharedWithMe", set()),
        ("modifiedTime > '2020-01-01T00:00:00' and name = 'Box'", {"Box"}),
        ("modifiedTime < '2020-01-01T00:00:00Z'", set()),
        ("fullText contains 'hello'", {"Hello World", "HelloWorld"}),
        ("visibility = 'limited' and name = 'Box'", {"Box"}),
    ],
)
def test_searching(files, query, found):
    make(files, "Hello World")
    make(files, "HelloWorld", starred=True)
    make(files, "it's", properties={"k": "v"})
    make(files, "Box", FOLDER)
    files.update(fileId=make(files, "Gone"), body={"trashed": True}).execute()
    assert set(names(files, q=query)) == found


def test_files_in_a_folder_are_found_by_it(files):
    box = make(files, "Box", FOLDER)
    inside = make(files, "In", parents=[box])
    assert names(files, q=f"'{box}' in parents") == ["In"]
    assert names(files, q="'root' in parents") == ["Box"]
    files.update(fileId=inside, addParents="root", removeParents=box).execute()
    assert sorted(names(files, q="'root' in parents")) == ["Box", "In"]
    assert refused(files.create(body={"name": "x", "parents": ["nope"]}))[0] == 404


@pytest.mark.parametrize(
    "query", ["foo = 'x'", "name ~ 'x'", "name = x", "name = 'x' and", "(name = 'x'", "name = 'x", "'a' in b"]
)
def test_a_query_that_cannot_be_read_is_refused(files, query):
    assert refused(files.list(q=query)) == (400, "invalid", "Invalid Value")


def test_order_and_pages(files, emulator):
    emulator.control("clock", set="2026-01-01T00:00:00Z")
    for name in ("b", "a10", "a9", "C"):
        make(files, name, FOLDER if name == "C" else "text/plain")
        emulator.control("clock", advance=1)
    assert names(files) == ["C", "a9", "a10", "b"]
    assert names(files, orderBy="name") == ["a10", "a9", "b", "C"]
    assert names(files, orderBy="name_natural desc") == ["C", "b", "a10", "a9"]
    assert names(files, orderBy="folder,createdTime desc") == ["C", "a9", "a10", "b"]
    first = files.list(orderBy="name", pageSize=3, fields="nextPageToken,files(name)").execute()
    assert first["files"] == [{"name": "a10"}, {"name": "a9"}, {"name": "b"}]
    last = files.list(orderBy="name", pageSize=3, pageToken=first["nextPageToken"]).execute()
    assert [each["name"] for each in last["files"]] == ["C"]
    assert "nextPageToken" not in last
    assert refused(files.list(orderBy="foo"))[:2] == (400, "invalid")
    assert refused(files.list(pageToken="foo"))[:2] == (400, "invalid")
    text = "Invalid value '0'. Values must be within the range: [1, 1000]"
    assert refused(files.list(pageSize=0)) == (400, "invalidParameter", text)


def test_a_copy_is_another_file(files):
    made = make(files, "a", description="d")
    copied = files.copy(fileId=made, body={}, fields="id,name,description").execute()
    assert (copied["name"], copied["description"]) == ("Copy of a", "d")
    assert copied["id"] != made
    assert refused(files.copy(fileId=make(files, "Box", FOLDER), body={}))[:2] == (403, "cannotCopyFile")


def test_content_goes_up_and_comes_down_the_same(files):
    data = b"a\r\nb\n\xff\x00--x"
    media = MediaInMemoryUpload(data, "application/octet-stream")
    whole = files.create(body={"name": "raw"}, media_body=media, fields="id,size,md5Checksum").execute()
    assert whole["size"] == str(len(data))
    assert files.get_media(fileId=whole["id"]).execute() == data
    pieces = MediaIoBaseUpload(io.BytesIO(b"z" * 600_000), "text/plain", chunksize=256 * 1024, resumable=True)
    request, answer = files.update(fileId=whole["id"], media_body=pieces), None
    while answer is None:
        _, answer = request.next_chunk()
    out, done = io.BytesIO(), False
    reader = MediaIoBaseDownload(out, files.get_media(fileId=whole["id"]))
    while not done:
        _, done = reader.next_chunk()
    assert out.getvalue() == b"z" * 600_000


def test_what_google_keeps_is_exported_not_downloaded(files):
    form, raw = make(files, "f", FORM), make(files, "r")
    assert refused(files.get_media(fileId=form))[:2] == (403, "fileNotDownloadable")
    assert refused(files.export(fileId=raw, mimeType="text/csv"))[:2] == (403, "fileNotExportable")
    assert refused(files.export(fileId=form, mimeType="text/csv"))[:2] == (400, "badRequest")


def test_about_needs_fields(drive):
    assert refused(drive.about().get())[:2] == (400, "required")
    user = drive.about().get(fields="user(emailAddress,me)").execute()
    assert user == {"user": {"emailAddress": "owner@example.com", "me": True}}


def test_ids_can_be_had_first(files):
    made = files.generateIds(count=2).execute()["ids"]
    assert all(re.fullmatch(r"[\w-]{44}", each) for each in made)
    assert files.create(body={"id": made[0], "name": "a"}).execute()["id"] == made[0]
    assert refused(files.create(body={"id": made[0]}))[:2] == (409, "fileIdInUse")


def test_properties_are_merged_and_null_removes(files):
    made = make(files, "a", properties={"k": "v", "l": "w"})
    files.update(fileId=made, body={"properties": {"k": None, "m": "x"}}).execute()
    assert files.get(fileId=made, fields="properties").execute() == {"properties": {"l": "w", "m": "x"}}


def test_comments_are_listed_latest_first_and_need_fields(drive, files):
    made, comments = make(files, "a"), drive.comments()
    assert refused(comments.list(fileId=made))[:2] == (400, "required")
    for text in ("one", "two"):
        comments.create(fileId=made, body={"content": text}, fields="id").execute()
    shown = comments.list(fileId=made, fields="comments(id,content)").execute()["comments"]
    assert [each["content"] for each in shown] == ["two", "one"]
    comments.delete(fileId=made, commentId=shown[0]["id"]).execute()
    assert refused(comments.get(fileId=made, commentId=shown[0]["id"], fields="*"))[:2] == (404, "notFound")
    left = comments.list(fileId=made, includeDeleted=True, fields="comments(content,deleted)").execute()
    assert left == {"comments": [{"deleted": True}, {"content": "one", "deleted": False}]}
