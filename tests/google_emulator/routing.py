"""Which method of which API a request means: a table made from the discovery documents.

Paths are matched as they were sent, still percent-encoded, because a range may hold an encoded slash or colon.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

from tests.google_emulator.validation import document

APIS = ("sheets.v4", "forms.v1", "drive.v3")
BODY_FIELD = {
    "sheets.spreadsheets.create": "spreadsheet",
    "sheets.spreadsheets.values.update": "data",
    "sheets.spreadsheets.values.append": "data",
    "forms.forms.create": "form",
}
READS = {
    "sheets.spreadsheets.get",
    "sheets.spreadsheets.getByDataFilter",
    "sheets.spreadsheets.values.get",
    "sheets.spreadsheets.values.batchGet",
    "sheets.spreadsheets.values.batchGetByDataFilter",
    "sheets.spreadsheets.developerMetadata.get",
    "sheets.spreadsheets.developerMetadata.search",
}


class Route(NamedTuple):
    """One method. `weight` puts the more literal of two matching paths first."""

    pattern: re.Pattern[str]
    names: tuple[str, ...]
    verb: str
    id: str
    api: str
    request: str
    response: str
    parameters: dict[str, dict[str, Any]]
    scopes: frozenset[str]
    weight: int
    upload: bool

    @property
    def writes(self) -> bool:
        return self.verb != "GET" and self.id not in READS

    @property
    def body_field(self) -> str:
        return BODY_FIELD.get(self.id, "")


class Match(NamedTuple):
    route: Route
    path: dict[str, str]


def _route(api: str, method: dict[str, Any]) -> Route:
    whole = document(api)
    text = whole["servicePath"] + method.get("flatPath", method["path"])
    parts = re.split(r"\{\+?(\w+)\}", text)
    pattern = "".join(re.escape(part) if index % 2 == 0 else "([^/]+)" for index, part in enumerate(parts))
    prefix = "(?:/upload)?" if method.get("supportsMediaUpload") else ""
    if api == "drive.v3":
        pattern = pattern.replace(
            re.escape(whole["servicePath"]), f"(?:{re.escape(whole['servicePath'])})?", 1
        )
    return Route(
        re.compile(f"^{prefix}/{pattern}$"),
        tuple(parts[1::2]),
        method["httpMethod"],
        method["id"],
        api,
        method.get("request", {}).get("$ref", ""),
        method.get("response", {}).get("$ref", ""),
        {**whole.get("parameters", {}), **method.get("parameters", {})},
        frozenset(method.get("scopes", [])),
        sum(len(part) for part in parts[::2]),
        bool(method.get("supportsMediaUpload")),
    )


@lru_cache
def routes() -> tuple[Route, ...]:
    found: list[Route] = []

    def walk(api: str, resource: dict[str, Any]) -> None:
        found.extend(_route(api, method) for method in resource.get("methods", {}).values())
        for inner in resource.get("resources", {}).values():
            walk(api, inner)

    for api in APIS:
        walk(api, document(api))
    return tuple(sorted(found, key=lambda route: -route.weight))


def as_google_reads(encoded_path: str) -> str:
    """A slash too many before a custom verb or at the end is no other path: google-spreadsheet for node sends both."""
    return encoded_path.replace("/:", ":").rstrip("/") or "/"


def find(verb: str, encoded_path: str) -> Match | None:
    encoded_path = as_google_reads(encoded_path)
    for route in routes():
        if route.verb == verb:
            match = route.pattern.match(encoded_path)
            if match is not None:
                named = zip(route.names, match.groups(), strict=True)
                return Match(route, {name: unquote(value) for name, value in named})
    return None


def api_of(encoded_path: str) -> str:
    """Whose error body to write where no method was found."""
    for start, api in (("/v4/", "sheets.v4"), ("/v1/", "forms.v1")):
        if encoded_path.startswith(start):
            return api
    return "drive.v3"
