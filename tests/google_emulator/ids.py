"""Ids that look like the real ones; from a seed where a test wants the same ones twice."""

from __future__ import annotations

import hashlib
import random
import string

_FILE = string.ascii_letters + string.digits + "-_"


class Ids:
    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def _text(self, alphabet: str, length: int) -> str:
        return "".join(self._random.choices(alphabet, k=length))

    def file(self) -> str:
        """44 characters beginning with a 1, as of spreadsheets and forms."""
        return "1" + self._text(_FILE, 42) + self._text(string.ascii_letters, 1)

    def hexadecimal(self) -> str:
        """Eight hexadecimal digits: items and questions of forms."""
        return f"{self._random.randrange(1, 2**31):08x}"

    def number(self, below: int = 2**31) -> int:
        """A positive 31-bit number: ids of sheets, ranges, metadata."""
        return self._random.randrange(1, below)

    def response(self) -> str:
        """98 characters, as of responses of forms: opaque, without order."""
        return "ACYDBN" + self._text(_FILE, 92)

    def revision(self) -> str:
        return f"{self._random.randrange(2**32):08x}"

    def token(self) -> str:
        return "ya29.emulator." + self._text(string.ascii_letters + string.digits, 40)

    def page(self) -> str:
        return "~!!~" + self._text(_FILE, 60)

    def of_account(self, name: str) -> str:
        """The permission id of an account: always the same 20 digits for the same name."""
        return str(int(hashlib.sha256(name.casefold().encode()).hexdigest(), 16))[:20].rjust(20, "1")

    def responder(self) -> str:
        """The id in the address that respondents get; not the form's own."""
        return "1FAIpQLS" + self._text(_FILE, 48)

    def comment(self) -> str:
        return "AAAA" + self._text(_FILE, 7)
