"""Reading responses. The order of a list is neither that of time nor that of ids, as in every recording."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any

from tests.google_emulator.clock import parse
from tests.google_emulator.errors import invalid, not_found
from tests.google_emulator.forms.model import Form, Json, Response, form_of
from tests.google_emulator.world import Caller, World

PAGE = 5000
_FILTER = re.compile(r"^\s*timestamp\s*(>=|>)\s*(\S+)\s*$")
_ZULU = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$")


def get(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    file = world.files[params["formId"]]
    response = form_of(file, world).responses.get(params["responseId"])
    if response is None:
        raise not_found()
    return response.shown(file.id)


def list_page(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    """One page. A token carries the place in the fixed order, so nothing shifts when responses come and go."""
    file = world.files[params["formId"]]
    size = int(params.get("pageSize", 0) or 0)
    if size < 0:
        raise invalid("Page size must not be negative.")
    size = min(size or PAGE, PAGE)
    wanted = params.get("filter", "")
    found = _filtered(form_of(file, world), wanted)
    start = _start(params.get("pageToken", ""), file.id, wanted, world)
    left = [response for response in found if _key(response) > start]
    page, rest = left[:size], left[size:]
    out: Json = {"responses": [response.shown() for response in page]} if page else {}
    if rest:
        token = world.ids.page()
        world.pages[token] = (file.id, wanted, _key(page[-1]))
        out["nextPageToken"] = token
    return out


def _key(response: Response) -> str:
    return hashlib.sha256(response.id.encode()).hexdigest()


def _start(token: str, form_id: str, wanted: str, world: World) -> str:
    if not token:
        return ""
    known = world.pages.get(token)
    if known is None or known[:2] != (form_id, wanted):
        raise invalid("Invalid page token.")
    return str(known[2])


def _filtered(form: Form, wanted: str) -> list[Response]:
    """Compared with the latest submission: the document does not say which of the two times it means."""
    found = sorted(form.responses.values(), key=_key)
    if not wanted.strip():
        return found
    match = _FILTER.match(wanted)
    if match is None or not _ZULU.match(match.group(2)):
        raise invalid(f"Invalid filter: {wanted}")
    try:
        limit = parse(match.group(2))
    except ValueError as error:
        raise invalid(f"Invalid filter: {wanted}") from error
    beyond = _beyond_microseconds(match.group(2))
    return [response for response in found if _after(response.submitted, limit, match.group(1), beyond)]


def _beyond_microseconds(text: str) -> bool:
    """Whether the limit has digits that our times do not have, and so lies just above what was parsed."""
    digits = text.partition(".")[2].rstrip("Z")
    return bool(digits[6:].strip("0"))


def _after(submitted: datetime, limit: datetime, sign: str, beyond: bool) -> bool:
    return submitted > limit or (sign == ">=" and not beyond and submitted == limit)
