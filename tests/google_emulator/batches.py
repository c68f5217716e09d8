"""Many calls in one multipart request, each answered for itself."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from tests.google_emulator.errors import ApiError
from tests.google_emulator.messages import Answer, Request
from tests.google_emulator.uploads import parts

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

LIMIT = 1000


def answer(service: Service, request: Request) -> Answer:
    calls = parts(request.headers.get("content-type", ""), request.body)
    if len(calls) > LIMIT:
        raise ApiError(400, f"The batch request has more than {LIMIT} calls.", reason="batchSizeTooLarge")
    boundary = f"batch_{service.world.ids.hexadecimal()}{service.world.ids.hexadecimal()}"
    pieces = []
    for headers, content in calls:
        inner = service.answer(_inner(content, request))
        name = headers.get("content-id", "")
        label = f"Content-ID: <response-{name.lstrip('<')}\r\n" if name else ""
        pieces.append(
            f"--{boundary}\r\nContent-Type: application/http\r\n{label}\r\n".encode() + _written(inner)
        )
    body = b"\r\n".join([*pieces, f"--{boundary}--\r\n".encode()])
    return Answer(200, body, f"multipart/mixed; boundary={boundary}")


def _inner(content: bytes, outer: Request) -> Request:
    """A call inside of a batch is who the batch is, unless it says otherwise."""
    head, _, body = content.replace(b"\r\n", b"\n").partition(b"\n\n")
    first, *lines = head.decode("utf-8").strip().split("\n")
    verb, _, rest = first.partition(" ")
    headers = {}
    if "authorization" in outer.headers:
        headers["authorization"] = outer.headers["authorization"]
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    target = rest.rsplit(" HTTP/", 1)[0]
    return Request.make(verb, target, headers, body)


def _written(inner: Answer) -> bytes:
    status = HTTPStatus(inner.status)
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\nContent-Type: {inner.content_type}\r\n"
    head += f"Content-Length: {len(inner.body)}\r\n\r\n"
    return head.encode() + inner.body
