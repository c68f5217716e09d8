"""What can be seen of a login, a form and a spreadsheet with the scopes that a run has, and no others.

Promises: nothing is changed by looking, not even by the look for the right to write; no answer of a player, no
e-mail of one and no token leaves this module. Refuses to know: what of it is as it should be.

A Drive scope would tell roles and shares by name. A run has none, so the right to write is learnt by a request that is
a write and finds nothing to do.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, NamedTuple

import requests
from google.auth.transport.requests import Request

from connectors.base import SourceError
from connectors.google_auth import read_private
from connectors.google_calls import BookCalls
from connectors.google_session import TIMEOUTS, Google

Json = dict[str, Any]

CELLS = 10_000_000
"""What one spreadsheet holds, blank cells included."""

_NOBODYS = "saitei.doctor.nothing"
_BOOK = (
    "properties(title,timeZone),sheets(properties(title,sheetType,gridProperties(rowCount,columnCount)),"
    "protectedRanges(range,unprotectedRanges,description,warningOnly,requestingUserCanEdit),"
    "conditionalFormats(booleanRule(condition(type)),gradientRule(minpoint(type))))"
)


class Grant(NamedTuple):
    """What a person's sign-in holds, by the file it is kept in; `scopes` is None where the file does not tell."""

    account: str
    scopes: frozenset[str] | None
    renewable: bool
    signed_in: datetime | None


class FormState(NamedTuple):
    """A form apart from its questions. `published` and `accepting` are None for a form of the old kind, which does
    not tell; `linked` is the spreadsheet that gets its responses."""

    title: str
    published: bool | None
    accepting: bool | None
    collects: str
    linked: str


class Barrier(NamedTuple):
    """A protected range that this account may not edit: its columns counted from 0 (None: to the end), and which of
    them are left open all the same. `whole`: the tab itself is protected."""

    title: str
    description: str
    columns: tuple[int, int | None]
    spots: tuple[tuple[int, int | None], ...]
    whole: bool

    def bars(self, column: int) -> bool:
        return _covers(self.columns, column) and not any(_covers(spot, column) for spot in self.spots)


class BookState(NamedTuple):
    """A spreadsheet apart from what stands in its cells; `rules` counts colour rules by tab."""

    title: str
    zone: str
    tabs: tuple[str, ...]
    cells: int
    rules: Mapping[str, int]
    barriers: tuple[Barrier, ...]


def _covers(columns: tuple[int, int | None], column: int) -> bool:
    return columns[0] <= column and (columns[1] is None or column < columns[1])


def read_server_time(endpoint: str) -> datetime | None:
    """Google's clock, by the date on any answer of its front end, for which nobody need be signed in.

    None where nothing answers.
    """
    address = f"{endpoint or 'https://sheets.googleapis.com'}/v4/spreadsheets/"
    try:
        answer = requests.head(address, timeout=TIMEOUTS, allow_redirects=False)
        return parsedate_to_datetime(answer.headers["Date"])
    except (requests.exceptions.RequestException, KeyError, ValueError):
        return None


def read_grant(path: Path) -> Grant:
    """What the cached sign-in of a person says of itself; SourceError where it cannot be used."""
    content = read_private(path)
    scopes = content.get("scopes")
    listed = scopes.split() if isinstance(scopes, str) else scopes
    try:
        signed_in = datetime.fromisoformat(str(content.get("signed_in") or ""))
    except ValueError:
        signed_in = None
    known = frozenset(map(str, listed)) if isinstance(listed, list) else None
    return Grant(str(content.get("account") or ""), known, bool(content.get("refresh_token")), signed_in)


def open_to_all(folder: Path) -> bool:
    """Whether anybody on the machine may put another file in the place of one of ours."""
    mode = folder.stat().st_mode
    return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX


def prove_login(google: Google) -> frozenset[str] | None:
    """Have a token made now, whether or not an older one would do; the scopes that it was given, None if not told."""
    credentials = google.identity.credentials
    target = google.target("Google の認証", "")
    google.patience.call(lambda: credentials.refresh(Request()), target)
    granted = getattr(credentials, "granted_scopes", None)
    return frozenset(granted) if granted else None


def read_form_state(google: Google, what: str, form_id: str) -> FormState:
    """One call; SourceError in the words of a run."""
    form = google.execute(
        google.service("forms").forms().get(formId=form_id, prettyPrint=False), what, form_id
    )
    settings = form.get("publishSettings", {}).get("publishState")
    return FormState(
        str(form.get("info", {}).get("documentTitle") or form.get("info", {}).get("title", "")),
        None if settings is None else bool(settings.get("isPublished")),
        None if settings is None else bool(settings.get("isAcceptingResponses")),
        str(form.get("settings", {}).get("emailCollectionType", "")),
        str(form.get("linkedSheetId", "")),
    )


def read_book_state(google: Google, what: str, book_id: str) -> BookState:
    """One call; SourceError in the words of a run."""
    book = BookCalls(google, book_id, what).get(_BOOK)
    sheets = book.get("sheets", [])
    sizes = [sheet["properties"].get("gridProperties", {}) for sheet in sheets]
    titles = [str(sheet["properties"]["title"]) for sheet in sheets]
    named = list(zip(titles, sheets, strict=True))
    return BookState(
        str(book.get("properties", {}).get("title", "")),
        str(book.get("properties", {}).get("timeZone", "")),
        tuple(titles),
        sum(size.get("rowCount", 0) * size.get("columnCount", 0) for size in sizes),
        {title: len(sheet.get("conditionalFormats", [])) for title, sheet in named},
        tuple(
            _read_barrier(title, found)
            for title, sheet in named
            for found in sheet.get("protectedRanges", [])
            if not found.get("warningOnly") and not found.get("requestingUserCanEdit")
        ),
    )


def _read_barrier(title: str, found: Json) -> Barrier:
    """A protection by its columns alone: a few protected rows stop a write as surely as a whole column."""
    place = found.get("range", {})
    bounds = {"startRowIndex", "endRowIndex", "startColumnIndex", "endColumnIndex"}
    spots = tuple(_read_columns(spot) for spot in found.get("unprotectedRanges", []))
    whole = not bounds & place.keys()
    return Barrier(title, str(found.get("description", "")), _read_columns(place), spots, whole)


def _read_columns(place: Json) -> tuple[int, int | None]:
    return place.get("startColumnIndex", 0), place.get("endColumnIndex")


def prove_editor(google: Google, what: str, book_id: str) -> str:
    """ "" if this account may write into the spreadsheet, else why not.

    Asks Google to delete every tag of a name that nobody uses: it is a write, so only an editor may ask for it, and
    there is nothing to delete.
    """
    lookup = {"developerMetadataLookup": {"metadataKey": _NOBODYS}}
    try:
        BookCalls(google, book_id, what).update([{"deleteDeveloperMetadata": {"dataFilter": lookup}}])
    except SourceError as fault:
        return str(fault)
    return ""
