"""Requests and responses held against the discovery documents inside google-api-python-client.

A request comes out as the services' own parser would see it: nulls dropped, snake_case names in camelCase, numbers in
quotes turned into numbers, a single value where a list is due wrapped into one. What that parser refuses is refused
here in its words. Drive is laxer than the others about unknown fields. Unions are not in the documents; they are
listed in `unions.py`. Responses are held to the letter of the schema: a fault there is a fault of the emulator.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tests.google_emulator.errors import ApiError, field_violations
from tests.google_emulator.unions import UNIONS

RFC3339 = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$")
_INT64 = re.compile(r"^-?\d{1,20}$")
PACKAGES = {
    "forms.v1": "google.apps.forms.v1",
    "sheets.v4": "google.apps.sheets.v4",
    "drive.v3": "google.apps.drive.v3",
}
_SNAKE = re.compile(r"_([a-z0-9])")
_CAMEL = re.compile(r"(?<=[a-z0-9])([A-Z])")
MISSING = object()


@lru_cache
def document(api: str) -> dict[str, Any]:
    """The discovery document of an API such as "sheets.v4"."""
    place = files("googleapiclient.discovery_cache") / "documents" / f"{api}.json"
    loaded: dict[str, Any] = json.loads(place.read_text("utf-8"))
    return loaded


def camel(name: str) -> str:
    return _SNAKE.sub(lambda match: match.group(1).upper(), name)


def snake(name: str) -> str:
    return _CAMEL.sub(lambda match: "_" + match.group(1).lower(), name)


def show(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Reader:
    """Reads one request body, collecting what is wrong with it."""

    def __init__(self, api: str, strict: bool) -> None:
        self.api = api
        self.strict = strict
        self.schemas = document(api)["schemas"]
        self.faults: list[tuple[str, str]] = []

    def wrong(self, path: str, kind: str, value: Any) -> Any:
        self.faults.append((path, f"Invalid value at '{path}' ({kind}), {show(value)}"))
        return MISSING

    def unknown(self, path: str, name: str, why: str) -> None:
        at = f" at '{path}'" if path else ""
        text = f'Invalid JSON payload received. Unknown name "{name}"{at}: {why}'
        self.faults.append((path, text))

    def read(self, schema: dict[str, Any], value: Any, path: str, owner: str) -> Any:
        if "$ref" in schema:
            return self.message(schema["$ref"], value, path)
        kind = schema.get("type", "any")
        if kind == "object":
            return self.mapping(schema, value, path, owner)
        if kind == "array":
            items = value if isinstance(value, list) else [value]
            if schema["items"].get("type") == "any" and not isinstance(value, list):
                return self.wrong(path, "type.googleapis.com/google.protobuf.ListValue", value)
            if schema["items"].get("type") not in ("array", "any"):
                items = _flat(items)
            read = [
                self.read(schema["items"], item, f"{path}[{index}]", owner)
                for index, item in enumerate(items)
            ]
            return [item for item in read if item is not MISSING]
        if kind == "any":
            return value
        return self.scalar(schema, kind, value, path, owner)

    def mapping(self, schema: dict[str, Any], value: Any, path: str, owner: str) -> Any:
        if not isinstance(value, dict):
            return self.wrong(path, "Map", value)
        inner = schema.get("additionalProperties")
        if inner is None:
            return self.properties(schema, value, path, owner) if "properties" in schema else value
        read = {
            name: each if each is None else self.read(inner, each, f"{path}.{name}", owner)
            for name, each in value.items()
            if each is not None or not self.strict
        }
        return {name: each for name, each in read.items() if each is not MISSING}

    def message(self, name: str, value: Any, path: str) -> Any:
        schema = self.schemas[name]
        if schema.get("type") != "object":
            return self.read(schema, value, path, name)
        if not isinstance(value, dict):
            return self.wrong(path, f"type.googleapis.com/{PACKAGES[self.api]}.{name}", value)
        if "properties" not in schema and "additionalProperties" not in schema and self.strict:
            for each in value:
                self.unknown(path, each, "Cannot find field.")
            return {}
        return self.mapping(schema, value, path, name)

    def properties(
        self, schema: dict[str, Any], value: dict[str, Any], path: str, owner: str
    ) -> dict[str, Any]:
        known, out = schema["properties"], {}
        for given, each in value.items():
            name = given if given in known else camel(given)
            inner = f"{path}.{snake(name)}" if path else snake(name)
            if name not in known:
                if self.strict:
                    self.unknown(path, given, "Cannot find field.")
                continue
            if each is None:
                continue
            if isinstance(each, list) and not self.takes_list(known[name]):
                self.unknown(path, given, "Proto field is not repeating, cannot start list.")
                continue
            read = self.read(known[name], each, inner, owner)
            if read is not MISSING and not (self.strict and read == [] and each == []):
                out[name] = read
        self.union(owner, out, path)
        return out

    def takes_list(self, schema: dict[str, Any]) -> bool:
        if "$ref" in schema:
            schema = self.schemas[schema["$ref"]]
        return schema.get("type", "any") in ("array", "any")

    def union(self, owner: str, out: dict[str, Any], path: str) -> None:
        for label, members in UNIONS.get((self.api, owner), {}).items():
            given = [name for name in out if name in members]
            for name in given[1:]:
                text = f"oneof field '{label}' is already set. Cannot set '{name}'"
                self.faults.append((path, f"Invalid value at '{path}' (oneof), {text}"))

    def scalar(self, schema: dict[str, Any], kind: str, value: Any, path: str, owner: str) -> Any:
        form = schema.get("format", "")
        if kind == "boolean":
            return as_boolean(value, self, path)
        if kind in ("integer", "number") or form in ("int64", "uint64"):
            return as_number(value, kind, form, self, path)
        if not isinstance(value, str):
            if "enum" in schema and isinstance(value, int) and not isinstance(value, bool):
                return schema["enum"][value] if 0 <= value < len(schema["enum"]) else MISSING
            return self.wrong(path, "TYPE_STRING", value)
        if "enum" in schema and value not in schema["enum"]:
            return self.wrong(path, self.enum_type(schema, owner), value)
        if form in ("google-datetime", "date-time") and not RFC3339.match(value):
            text = f"Field '{path.rsplit('.', 1)[-1]}', Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
            self.faults.append(
                (path, f"Invalid value at '{path}' (type.googleapis.com/google.protobuf.Timestamp), {text}")
            )
            return MISSING
        return value

    def enum_type(self, schema: dict[str, Any], owner: str) -> str:
        """The enumeration's own name is not in the document; its first value nearly always tells it."""
        stem = schema["enum"][0].removesuffix("_UNSPECIFIED")
        name = "".join(part.capitalize() for part in stem.split("_"))
        return f"type.googleapis.com/{PACKAGES[self.api]}.{owner}.{name}".replace("..", ".")


def _flat(items: list[Any]) -> list[Any]:
    """A list within a list counts as its items: the services' parser takes it, and gspread-formatting sends it."""
    return [inner for item in items for inner in (_flat(item) if isinstance(item, list) else [item])]


def as_boolean(value: Any, reader: _Reader, path: str) -> Any:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value if isinstance(value, bool) else reader.wrong(path, "TYPE_BOOL", value)


def as_number(value: Any, kind: str, form: str, reader: _Reader, path: str) -> Any:
    """Whole numbers of 64 bits stay text, as everywhere in JSON from these services."""
    label = {"number": "TYPE_DOUBLE" if form == "double" else "TYPE_FLOAT"}.get(kind, f"TYPE_{form.upper()}")
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return reader.wrong(path, label, value)
    if kind == "number":
        if isinstance(value, str) and value in ("NaN", "Infinity", "-Infinity"):
            return value
        try:
            return float(value) if isinstance(value, str) else value
        except ValueError:
            return reader.wrong(path, label, value)
    try:
        whole = int(value)
    except (ValueError, OverflowError):
        return reader.wrong(path, label, value)
    bits = 64 if form.endswith("64") else 32
    low, high = (0, 2**bits - 1) if form.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if (isinstance(value, float) and value != whole) or not low <= whole <= high:
        return reader.wrong(path, label, value)
    return str(whole) if bits == 64 else whole


def read_body(api: str, schema: str, raw: bytes, root: str = "") -> dict[str, Any]:
    """A request body as the service sees it; ApiError 400 where it would refuse. `root` names the body's field."""
    strict = api != "drive.v3"
    try:
        value = json.loads(raw.decode("utf-8")) if raw.strip() else {}
    except (ValueError, UnicodeDecodeError) as error:
        if not strict:
            raise ApiError(400, "Parse Error", reason="parseError") from error
        raise _unparsed(raw, error) from error
    if not isinstance(value, dict):
        raise field_violations(
            ("", 'Invalid JSON payload received. Unknown name "": Root element must be a message.')
        )
    reader = _Reader(api, strict)
    read = reader.message(schema, value, root)
    if reader.faults:
        raise field_violations(*reader.faults)
    clean: dict[str, Any] = read
    return clean


def _unparsed(raw: bytes, error: Exception) -> ApiError:
    place = getattr(error, "pos", 0)
    text = raw.decode("utf-8", "replace")
    around = text[max(0, place - 20) : place + 20].replace("\n", " ")
    ended = place >= len(text.rstrip())
    what = "Unexpected end of string. Expected a value." if ended else "Unexpected token."
    return field_violations(("", f"Invalid JSON payload received. {what}\n{around}\n{' ' * min(place, 20)}^"))


def response_faults(api: str, schema: str, body: Any) -> list[str]:
    """What in a response the document does not allow; empty for a sound one."""
    faults: list[str] = []
    _hold(document(api)["schemas"], {"$ref": schema}, body, schema, faults, set())
    return faults


def _hold(
    schemas: dict[str, Any],
    schema: dict[str, Any],
    value: Any,
    path: str,
    faults: list[str],
    sound: set[tuple[int, int]],
) -> None:
    """Adds what is wrong to `faults`; what many cells share is looked at once, which `sound` remembers."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    kind = schema.get("type", "any")
    if kind == "object":
        if (id(value), id(schema)) in sound:
            return
        sound.add((id(value), id(schema)))
        if not isinstance(value, dict):
            faults.append(f"{path}: not an object")
            return
        known, inner = schema.get("properties", {}), schema.get("additionalProperties")
        for name, each in value.items():
            if name in known or inner is not None:
                _hold(schemas, known.get(name, inner), each, f"{path}.{name}", faults, sound)
            elif known:
                faults.append(f"{path}.{name}: not in the document")
    elif kind == "array":
        if not isinstance(value, list):
            faults.append(f"{path}: not a list")
            return
        for index, each in enumerate(value):
            _hold(schemas, schema["items"], each, f"{path}[{index}]", faults, sound)
    elif kind != "any" and not _sound(schema, kind, value):
        faults.append(f"{path}: {value!r} is not a {schema.get('format', kind)}")


def _sound(schema: dict[str, Any], kind: str, value: Any) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and -(2**31) <= value < 2**32
    if kind == "number":
        return (isinstance(value, int | float) and not isinstance(value, bool)) or value in (
            "NaN",
            "Infinity",
        )
    if not isinstance(value, str):
        return False
    form = schema.get("format", "")
    if form in ("google-datetime", "date-time"):
        return RFC3339.match(value) is not None
    if form in ("int64", "uint64"):
        return _INT64.match(value) is not None
    return "enum" not in schema or value in schema["enum"]
