"""Parameters of a call: path and query put together, checked and brought into one form.

Repeated ones are lists, all others text; booleans are `true` or `false` in small letters, whatever was sent.
"""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import ApiError, field_violations
from tests.google_emulator.routing import Match
from tests.google_emulator.validation import PACKAGES, camel, document, show, snake

_ALWAYS = {"key", "access_token", "oauth_token", "prettyPrint", "quotaUser", "userIp", "callback", "$.xgafv"}
_UPLOADS = {"uploadType", "upload_protocol", "upload_id"}
_KEEP = {"fields", "alt"}


def read(match: Match, query: list[tuple[str, str]]) -> dict[str, Any]:
    """ApiError 400 where the service would not take them; Drive passes over what it does not know."""
    route, strict = match.route, match.route.api != "drive.v3"
    params: dict[str, Any] = dict(match.path)
    faults: list[tuple[str, str]] = []
    for given, value in query:
        name = given if given in route.parameters else camel(given)
        if given in _ALWAYS | _UPLOADS:
            continue
        schema = route.parameters.get(name)
        if schema is None or schema.get("location") == "path":
            if strict:
                faults.append(_unknown(route.request, route.api, given))
            continue
        value = value.lower() if schema.get("type") == "boolean" else value
        if value == "" and name not in _KEEP:
            continue
        faults += _faults(route.api, name, schema, value)
        if schema.get("repeated"):
            params.setdefault(name, []).append(value)
        else:
            params[name] = value
    if faults and strict:
        raise field_violations(*faults)
    return params


def _unknown(request: str, api: str, name: str) -> tuple[str, str]:
    schema = document(api)["schemas"].get(request, {})
    if name in schema.get("properties", {}) and "$ref" in schema["properties"][name]:
        why = f"'{name}' is a message type. Parameters can only be bound to primitive types."
    else:
        why = f"Field '{name}' could not be found in request message."
    text = f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter. {why}'
    return "", text


def _faults(api: str, name: str, schema: dict[str, Any], value: str) -> list[tuple[str, str]]:
    field, kind = snake(name), ""
    if "enum" in schema and value not in schema["enum"] and name != "alt":
        kind = f"type.googleapis.com/{PACKAGES[api]}.{name[0].upper()}{name[1:]}"
    elif schema.get("type") == "boolean" and value not in ("true", "false"):
        kind = "TYPE_BOOL"
    elif schema.get("type") == "integer" and not value.lstrip("-").isdigit():
        kind = "TYPE_INT32"
    return [(field, f"Invalid value at '{field}' ({kind}), {show(value)}")] if kind else []


def hold_alt(params: dict[str, Any]) -> None:
    alt = params.get("alt", "json")
    if alt not in ("json", "media"):
        raise ApiError(501, f"The emulator does not implement alt={alt}.")
