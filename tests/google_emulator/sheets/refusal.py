"""How the inner rooms of this package say no: one exception whose message has no prefix yet.

Who was asked adds where the fault lies ("Invalid requests[3].sortRange: …", "Invalid data[0]: …") and makes the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tests.google_emulator.errors import ApiError


class RefusedError(Exception):
    """A request that is well formed and still cannot be done. `code` is the HTTP status."""

    def __init__(self, message: str, code: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


@contextmanager
def refusing(where: str = "") -> Iterator[None]:
    """Turns a refusal into the service's answer; `where` names the part of the request, or nothing."""
    try:
        yield
    except RefusedError as no:
        raise ApiError(no.code, f"Invalid {where}: {no.message}" if where else no.message) from no
