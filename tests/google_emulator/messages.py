"""What goes in and out of the server, apart from sockets: a request, an answer, and how bodies are written."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from json.encoder import encode_basestring
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.google_emulator.errors import ApiError

SHARED = 2000
JSON = "application/json; charset=UTF-8"
HTML = "text/html; charset=UTF-8"


@dataclass
class Request:
    """One request as it came: the path still encoded, header names in lower case."""

    verb: str
    path: str
    query: list[tuple[str, str]]
    headers: Mapping[str, str]
    body: bytes = b""

    @classmethod
    def make(cls, verb: str, target: str, headers: Mapping[str, str], body: bytes) -> Request:
        """Undoes the long-address form: a POST that says it is a GET and carries the query as its body."""
        split = urlsplit(target)
        query = parse_qsl(split.query, keep_blank_values=True)
        lowered = {name.lower(): value for name, value in headers.items()}
        meant = lowered.get("x-http-method-override", verb).upper()
        if meant == "GET" and verb == "POST":
            if lowered.get("content-type", "").startswith("application/x-www-form-urlencoded"):
                query += parse_qsl(body.decode("utf-8"), keep_blank_values=True)
            body = b""
        if lowered.get("content-encoding", "").lower() == "gzip":
            body = _unpacked(body)
        path = split.path.rstrip("/") or "/"
        return cls(meant, path, query, lowered, body)

    def first(self, name: str, default: str = "") -> str:
        return next((value for key, value in self.query if key == name), default)


def _unpacked(body: bytes) -> bytes:
    """The clients of some languages pack what they send. What is not packed stays for the parser to refuse."""
    try:
        return gzip.decompress(body)
    except (OSError, EOFError, zlib.error):
        return body


@dataclass
class Answer:
    """One answer. `drop` closes the connection without a word; `cut` after half of the body."""

    status: int = 200
    body: bytes = b""
    content_type: str = JSON
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    cut: bool = False
    delay: float = 0.0


@dataclass(frozen=True)
class Raw:
    """A result that is not JSON: an export, the content of a file."""

    body: bytes
    content_type: str
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


def part_of(answer: Answer, wanted: str) -> Answer:
    """The bytes that a Range header asks for, of an answer that is a file's content."""
    asked = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted.strip())
    size = len(answer.body)
    if answer.status != 200 or asked is None or asked[0] == "bytes=-":
        return answer
    start = int(asked[1]) if asked[1] else max(size - int(asked[2]), 0)
    end = min(int(asked[2]), size - 1) if asked[1] and asked[2] else size - 1
    if start >= size or end < start:
        return Answer(416, b"", answer.content_type, {"Content-Range": f"bytes */{size}"})
    place = {"Content-Range": f"bytes {start}-{end}/{size}"}
    return Answer(206, answer.body[start : end + 1], answer.content_type, answer.headers | place)


def as_json(value: Any, pretty: bool = True) -> bytes:
    """Two spaces and a final newline, as the services print, or compact where `prettyPrint=false` asks for it."""
    if pretty:
        return (_pretty(value, "\n", {}) + "\n").encode("utf-8")
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _pretty(value: Any, line: str, known: dict[tuple[int, str], str]) -> str:
    """As `json.dumps(indent=2)`, several times as fast: a grid's cells share their formats, each written once."""
    if isinstance(value, str):
        return encode_basestring(value)
    if not value or not isinstance(value, dict | list):
        return json.dumps(value)
    name = (id(value), line)
    text = known.get(name)
    if text is None:
        inner = line + "  "
        if isinstance(value, dict):
            parts = [
                f"{encode_basestring(key)}: {_pretty(each, inner, known)}" for key, each in value.items()
            ]
        else:
            parts = [_pretty(each, inner, known) for each in value]
        ends = "{}" if isinstance(value, dict) else "[]"
        text = f"{ends[0]}{inner}{f',{inner}'.join(parts)}{line}{ends[1]}"
        if len(text) < SHARED:
            known[name] = text
    return text


def refusal(error: ApiError, api: str, pretty: bool = True) -> Answer:
    body = error.drive_body() if api == "drive.v3" else error.body()
    answer = Answer(error.code, as_json(body, pretty))
    if error.code == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="https://accounts.google.com/"'
    return answer


def html_page(status: int, title: str, text: str) -> Answer:
    """The page that the front end in front of all services shows when it has no JSON to show."""
    page = (
        "<!DOCTYPE html>\n<html lang=en>\n  <meta charset=utf-8>\n"
        f"  <title>Error {status} ({title})!!1</title>\n"
        f"  <p><b>{status}.</b> <ins>That’s an error.</ins>\n  <p>{text}  <ins>That’s all we know.</ins>\n"
    )
    return Answer(status, page.encode("utf-8"), HTML)


def no_such_page(path: str) -> Answer:
    return html_page(404, "Not Found", f"The requested URL <code>{path}</code> was not found on this server.")
