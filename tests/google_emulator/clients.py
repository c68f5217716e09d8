"""The usual client libraries, unchanged, pointed at the emulator."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import gspread
import requests
from google.auth.credentials import AnonymousCredentials
from googleapiclient import discovery_cache
from googleapiclient.discovery import build_from_document
from requests.adapters import HTTPAdapter

VERSIONS = {"forms": "v1", "sheets": "v4", "drive": "v3"}


def service(name: str, base: str, credentials: Any = None) -> Any:
    """google-api-python-client for one API. The document's own address is changed, which covers uploads and batches."""
    document = json.loads(discovery_cache.get_static_doc(name, VERSIONS[name]))
    document["rootUrl"] = f"{base}/"
    document.pop("mtlsRootUrl", None)
    return build_from_document(document, credentials=credentials or AnonymousCredentials())


class Rerooted(HTTPAdapter):
    """Sends what is meant for Google to the emulator."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base

    def send(self, request: requests.PreparedRequest, *arguments: Any, **named: Any) -> requests.Response:
        split = urlsplit(request.url or "")
        query = f"?{split.query}" if split.query else ""
        request.url = f"{self.base}{split.path}{query}"
        return super().send(request, *arguments, **named)


def spreadsheets(base: str, credentials: Any = None) -> gspread.Client:
    """gspread, as any project would use it."""
    client = gspread.Client(auth=credentials or AnonymousCredentials())
    for host in ("sheets", "www"):
        client.http_client.session.mount(f"https://{host}.googleapis.com/", Rerooted(base))
    client.set_timeout((5, 60))
    return client
