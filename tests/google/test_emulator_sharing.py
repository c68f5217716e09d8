"""Permissions of Drive v3, and what they open in lists and to other accounts."""

from __future__ import annotations

import pytest
from drive_talking import FOLDER, FORM, as_other, make, names, refused


@pytest.fixture
def files(drive):
    return drive.files()


@pytest.fixture
def permissions(drive):
    return drive.permissions()


def test_sharing_shows_in_lists_and_ends_with_its_removal(files, permissions, emulator):
    made = make(files, "a")
    share = permissions.create(
        fileId=made, body={"type": "user", "role": "reader", "emailAddress": "guest@example.com"}
    ).execute()
    assert share == {"kind": "drive#permission", "id": share["id"], "type": "user", "role": "reader"}
    with as_other(emulator, "guest@example.com") as guest:
        assert names(guest.files()) == ["a"]
        shown = guest.files().get(fileId=made, fields="capabilities(canEdit),ownedByMe,shared").execute()
        assert shown == {"ownedByMe": False, "shared": True, "capabilities": {"canEdit": False}}
        text = f"The user does not have sufficient permissions for file {made}."
        assert refused(guest.files().update(fileId=made, body={"name": "b"})) == (
            403,
            "insufficientFilePermissions",
            text,
        )
        permissions.update(fileId=made, permissionId=share["id"], body={"role": "writer"}).execute()
        guest.files().update(fileId=made, body={"name": "b"}).execute()
        assert refused(guest.files().delete(fileId=made))[0] == 403
        permissions.delete(fileId=made, permissionId=share["id"]).execute()
        assert refused(guest.files().get(fileId=made))[0] == 404
        assert names(guest.files()) == []


def test_sharing_again_changes_the_role(files, permissions):
    made = make(files, "a")
    body = {"type": "user", "role": "reader", "emailAddress": "Guest@example.com"}
    first = permissions.create(fileId=made, body=body).execute()
    again = permissions.create(
        fileId=made, body={**body, "role": "writer", "emailAddress": "guest@example.com"}
    ).execute()
    assert (again["id"], again["role"]) == (first["id"], "writer")
    listed = permissions.list(fileId=made, fields="permissions(emailAddress,role)").execute()["permissions"]
    assert [each["role"] for each in listed] == ["owner", "writer"]


def test_anyone_with_the_link_reads_but_does_not_find(files, permissions, emulator):
    made = make(files, "a")
    assert (
        permissions.create(fileId=made, body={"type": "anyone", "role": "reader"}).execute()["id"]
        == "anyoneWithLink"
    )
    with as_other(emulator, "guest@example.com") as guest:
        assert guest.files().get(fileId=made).execute()["name"] == "a"
        assert names(guest.files()) == []
    assert names(files, q="visibility = 'anyoneWithLink'") == ["a"]


def test_a_folders_share_reaches_what_is_in_it(files, permissions, emulator):
    box = make(files, "Box", FOLDER)
    inside = make(files, "In", parents=[box])
    permissions.create(
        fileId=box, body={"type": "domain", "role": "writer", "domain": "example.jp"}
    ).execute()
    with as_other(emulator, "guest@example.jp") as guest:
        assert guest.files().update(fileId=inside, body={"name": "New"}).execute()["name"] == "New"
        assert guest.files().create(body={"name": "Mine", "parents": [box]}).execute()["name"] == "Mine"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"role": "reader"}, (400, "required")),
        ({"type": "user", "emailAddress": "a@example.com"}, (400, "required")),
        ({"type": "user", "role": "reader"}, (400, "invalid")),
        ({"type": "user", "role": "reader", "emailAddress": "nobody"}, (400, "invalid")),
        ({"type": "domain", "role": "reader"}, (400, "invalid")),
        ({"type": "robot", "role": "reader"}, (400, "invalid")),
        ({"type": "user", "role": "boss", "emailAddress": "a@example.com"}, (400, "invalid")),
        ({"type": "user", "role": "owner", "emailAddress": "a@example.com"}, (403, "forbidden")),
        (
            {"type": "user", "role": "organizer", "emailAddress": "a@example.com"},
            (403, "invalidSharingRequest"),
        ),
    ],
)
def test_a_share_that_cannot_be_is_refused(files, permissions, body, expected):
    made = make(files, "a")
    assert refused(permissions.create(fileId=made, body=body))[:2] == expected
    assert len(permissions.list(fileId=made).execute()["permissions"]) == 1


def test_ownership_can_be_handed_over_but_not_dropped(files, permissions):
    made = make(files, "a")
    (own,) = permissions.list(fileId=made).execute()["permissions"]
    assert refused(permissions.delete(fileId=made, permissionId=own["id"]))[0] == 403
    body = {"type": "user", "role": "owner", "emailAddress": "heir@example.com"}
    permissions.create(fileId=made, body=body, transferOwnership=True).execute()
    assert files.get(fileId=made, fields="owners(emailAddress),ownedByMe").execute() == {
        "owners": [{"emailAddress": "heir@example.com"}],
        "ownedByMe": False,
    }
    assert refused(permissions.get(fileId=made, permissionId="nope"))[:2] == (404, "notFound")


def test_responders_of_a_form_are_a_view_of_their_own(files, permissions):
    made = make(files, "f", FORM)
    body = {"view": "published", "role": "reader", "type": "anyone"}
    share = permissions.create(fileId=made, body=body, fields="id,view").execute()
    assert share["view"] == "published"
    fields = "permissions(id,type,role,view)"
    assert len(permissions.list(fileId=made, fields=fields).execute()["permissions"]) == 1
    seen = permissions.list(fileId=made, includePermissionsForView="published", fields=fields).execute()
    assert [each.get("view") for each in seen["permissions"]] == [None, "published"]
    permissions.delete(fileId=made, permissionId=share["id"]).execute()
    copied = files.copy(fileId=made, body={}).execute()["id"]
    seen = permissions.list(fileId=copied, includePermissionsForView="published").execute()
    assert [each["role"] for each in seen["permissions"]] == ["owner"]
