"""Uploads: content alone, metadata and content in two parts, or in pieces to an address handed out first."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tests.google_emulator.drive.content import Media
from tests.google_emulator.errors import ApiError
from tests.google_emulator.messages import Answer, Request

_RANGE = re.compile(r"^bytes (?:(\d+)-(\d+)|\*)/(\d+|\*)$")


@dataclass
class Session:
    """A resumable upload that has begun: the call it will become, and what has come so far."""

    request: Request
    mime: str
    data: bytes = b""


def parts(content_type: str, body: bytes) -> list[tuple[dict[str, str], bytes]]:
    """The parts of a multipart body, byte for byte: a mail parser would change line ends of what is not text."""
    match = re.search(r'boundary="?([^";]+)"?', content_type)
    if match is None:
        raise ApiError(400, "Malformed multipart body.", reason="badContent")
    found = []
    for piece in body.split(b"--" + match.group(1).encode("ascii"))[1:]:
        if piece.startswith(b"--"):
            break
        piece = re.sub(rb"^\r?\n", b"", piece, count=1)
        head, content = [*re.split(rb"\r?\n\r?\n", piece, maxsplit=1), b""][:2]
        headers = {}
        unfolded = re.sub(
            r"\r?\n[ \t]+", " ", head.decode("latin-1")
        )  # long headers go on in an indented line
        for line in unfolded.splitlines():
            name, colon, value = line.partition(":")
            if colon:
                headers[name.strip().lower()] = value.strip()
        found.append((headers, re.sub(rb"\r?\n$", b"", content, count=1)))
    if not found:
        raise ApiError(400, "Malformed multipart body.", reason="badContent")
    return found


class Uploads:
    """All resumable uploads of one server."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.sessions: dict[str, Session] = {}

    def verb(self, request: Request) -> str:
        """Pieces are PUT, whatever the call that they belong to began with."""
        known = self.sessions.get(request.first("upload_id"))
        return known.request.verb if known is not None else request.verb

    def read(self, request: Request, token: str) -> tuple[Request, Media | None] | Answer:
        """The call that an upload amounts to, with its content; or an answer that asks for more."""
        kind = request.first("uploadType")
        mime = request.headers.get("content-type", "application/octet-stream")
        known = self.sessions.get(request.first("upload_id"))
        if known is not None:
            return self._piece(request, known)
        if kind == "media":
            return self._call(request, b""), Media(request.body, mime.split(";")[0].strip())
        if kind == "multipart":
            found = parts(mime, request.body)
            if len(found) != 2:
                raise ApiError(400, "Malformed multipart body.", reason="badContent")
            (_, metadata), (headers, data) = found
            inner = headers.get("content-type", "application/octet-stream").split(";")[0].strip()
            return self._call(request, metadata), Media(data, inner)
        if kind == "resumable":
            inner = request.headers.get("x-upload-content-type", "application/octet-stream")
            self.sessions[token] = Session(self._call(request, request.body), inner)
            place = f"{self.base}{request.path}?uploadType=resumable&upload_id={token}"
            return Answer(200, b"", headers={"Location": place, "X-GUploader-UploadID": token})
        raise ApiError(400, "Invalid upload type.", reason="badRequest", location="uploadType")

    def _call(self, request: Request, metadata: bytes) -> Request:
        try:
            json.loads(metadata or b"{}")
        except ValueError as error:
            raise ApiError(400, "Parse Error", reason="parseError") from error
        path = request.path.removeprefix("/upload")
        return Request(request.verb, path, request.query, request.headers, metadata)

    def _piece(self, request: Request, session: Session) -> tuple[Request, Media] | Answer:
        named = request.headers.get("content-range", "")
        match = _RANGE.match(named) if named else None
        if match is not None and match.group(1) is not None and int(match.group(1)) != len(session.data):
            return self._more(session)
        if match is None or match.group(1) is not None:
            session.data += request.body
        if match is not None and (match.group(3) == "*" or len(session.data) < int(match.group(3))):
            return self._more(session)
        del self.sessions[request.first("upload_id")]
        return session.request, Media(session.data, session.mime)

    def _more(self, session: Session) -> Answer:
        held = len(session.data)
        return Answer(308, b"", headers={"Range": f"bytes=0-{held - 1}"} if held else {})
