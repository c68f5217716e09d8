"""Drive v3: what it will not do, in the words that clients look for, and in what forms content comes and goes."""

from __future__ import annotations

import gzip

import pytest
from drive_talking import SHEET, as_other, make, refused
from googleapiclient.http import MediaInMemoryUpload


@pytest.fixture
def files(drive):
    return drive.files()


@pytest.fixture
def file_id(files):
    return make(files, "a", SHEET)


def owner_of(drive, file_id):
    found = drive.permissions().list(fileId=file_id, fields="permissions(id,role,emailAddress)").execute()
    return next(each for each in found["permissions"] if each["role"] == "owner")


def test_the_owner_cannot_be_removed(drive, file_id):
    owner = owner_of(drive, file_id)
    answer = refused(drive.permissions().delete(fileId=file_id, permissionId=owner["id"]))
    assert answer == (403, "cannotRemoveOwner", "The owner of a file cannot be removed.")
    assert owner_of(drive, file_id) == owner


@pytest.mark.parametrize("body", [{"id": "x"}, {"parents": ["root"]}, {"owners": []}, {"version": "3"}])
def test_an_update_may_not_name_what_it_cannot_change(files, file_id, body):
    status, reason, text = refused(files.update(fileId=file_id, body={"name": "b"} | body))
    assert (status, reason) == (403, "fieldNotWritable")
    assert "not directly writable" in text
    assert files.get(fileId=file_id).execute()["name"] == "a"


def test_of_a_share_only_its_role_and_end_can_be_changed(drive, file_id):
    shares = drive.permissions()
    made = shares.create(
        fileId=file_id, body={"type": "user", "role": "reader", "emailAddress": "b@example.com"}
    ).execute()["id"]
    body = {"type": "anyone", "role": "writer"}
    request = shares.update(fileId=file_id, permissionId=made, body=body)
    assert refused(request)[:2] == (403, "fieldNotWritable")
    assert shares.get(fileId=file_id, permissionId=made).execute()["role"] == "reader"


def test_a_shared_drive_is_named_exactly_where_it_is_searched(files):
    rule = "The driveId parameter must be specified if and only if corpora is set to drive."
    assert refused(files.list(corpora="drive"))[2] == rule
    assert refused(files.list(driveId="0A"))[2] == rule
    assert refused(files.list(corpora="drive", driveId="0A"))[:2] == (404, "notFound")
    assert files.list(corpora="allDrives", includeItemsFromAllDrives=True).execute()["files"] == []


def test_spaces_are_those_there_are(files, file_id):
    assert refused(files.list(spaces="nowhere"))[:2] == (400, "invalid")
    assert files.list(spaces="appDataFolder").execute()["files"] == []
    assert len(files.list(spaces="drive,appDataFolder").execute()["files"]) == 1


def test_a_new_owner_is_always_told(drive, file_id):
    request = drive.permissions().create(
        fileId=file_id,
        body={"type": "user", "role": "owner", "emailAddress": "b@example.com"},
        transferOwnership=True,
        sendNotificationEmail=False,
    )
    assert refused(request)[0] == 403
    assert owner_of(drive, file_id)["emailAddress"] == "owner@example.com"


def test_a_pending_owner_takes_the_file_over(drive, emulator, file_id):
    shares = drive.permissions()
    share = {"type": "user", "role": "writer", "emailAddress": "b@example.com"}
    made = shares.create(fileId=file_id, body=share).execute()["id"]
    shares.create(fileId=file_id, body=share | {"emailAddress": "c@example.com"}).execute()
    with as_other(emulator, "b@example.com") as other:
        accept = other.permissions().update(
            fileId=file_id, permissionId=made, body={"role": "owner"}, transferOwnership=True
        )
        assert refused(accept)[0] == 403
        shares.update(
            fileId=file_id, permissionId=made, body={"role": "writer", "pendingOwner": True}
        ).execute()
        shown = shares.get(fileId=file_id, permissionId=made, fields="role,pendingOwner").execute()
        assert shown == {"role": "writer", "pendingOwner": True}
        with as_other(emulator, "c@example.com") as third:
            for_another = third.permissions().update(
                fileId=file_id, permissionId=made, body={"role": "owner"}, transferOwnership=True
            )
            assert refused(for_another)[:2] == (403, "insufficientFilePermissions")
        assert accept.execute()["role"] == "owner"
    assert owner_of(drive, file_id)["emailAddress"] == "b@example.com"


@pytest.mark.parametrize(
    ("asked", "status", "place", "data"),
    [
        ("bytes=2-4", 206, "bytes 2-4/10", b"cde"),
        ("bytes=7-", 206, "bytes 7-9/10", b"hij"),
        ("bytes=-3", 206, "bytes 7-9/10", b"hij"),
        ("bytes=5-99", 206, "bytes 5-9/10", b"fghij"),
        ("bytes=10-", 416, "bytes */10", b""),
        ("lines=1-2", 200, None, b"abcdefghij"),
    ],
)
def test_a_download_may_ask_for_a_part(files, http, asked, status, place, data):
    media = MediaInMemoryUpload(b"abcdefghij", mimetype="text/plain")
    made = files.create(body={"name": "a"}, media_body=media).execute()["id"]
    answer = http("GET", f"/drive/v3/files/{made}?alt=media", headers={"Range": asked})
    assert (answer.status_code, answer.headers.get("Content-Range"), answer.content) == (status, place, data)


def test_what_comes_packed_is_unpacked(http, files):
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/json"}
    made = http("POST", "/drive/v3/files", data=gzip.compress(b'{"name": "packed"}'), headers=headers).json()
    assert files.get(fileId=made["id"]).execute()["name"] == "packed"
    assert http("POST", "/drive/v3/files", data=b"nonsense", headers=headers).status_code == 400
