"""What the tests of Drive share: making files, listing them, being refused, being somebody else."""

from __future__ import annotations

import pytest
from google.oauth2.credentials import Credentials
from googleapiclient.errors import HttpError

from tests.google_emulator.clients import service

FOLDER = "application/vnd.google-apps.folder"
FORM = "application/vnd.google-apps.form"
SHEET = "application/vnd.google-apps.spreadsheet"


def make(files, name, mime="text/plain", **more):
    return files.create(body={"name": name, "mimeType": mime, **more}).execute()["id"]


def refused(request):
    with pytest.raises(HttpError) as caught:
        request.execute()
    error = caught.value
    return error.status_code, error.error_details[0]["reason"], error.reason


def names(files, **named):
    return [each["name"] for each in files.list(**named).execute()["files"]]


def as_other(emulator, email):
    """A client that calls as somebody else."""
    return service(
        "drive", emulator.base, Credentials(emulator.control("token", email=email)["access_token"])
    )
