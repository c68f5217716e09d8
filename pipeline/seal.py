"""Secret words never leave the pull: they are replaced by keyed digests before anything is archived.

Promises: equal words have equal digests under one key, and nobody without the key can tell which word it was; a
folded digest finds near misses. Refuses to know: where answers come from and whether a word is right.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

from rules.identity import fold


def digest_word(word: str, key: bytes) -> tuple[str, str]:
    """Exact (after NFC and trim) and folded keyed digest of a word, 32 hex digits each."""
    exact = unicodedata.normalize("NFC", word).strip()
    return _keyed(b"exact", exact, key), _keyed(b"folded", fold(exact), key)


def _keyed(kind: bytes, text: str, key: bytes) -> str:
    return hmac.new(key, kind + b"\x00" + text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[
        :32
    ]


def seal_answers(
    answers: Mapping[str, Any], secret: str, key: bytes, sound: Callable[[str], bool]
) -> dict[str, Any]:
    """The answers with the field `secret` as digests, whether it was blank and made of allowed characters."""
    word = str(answers.get(secret, ""))
    plain = unicodedata.normalize("NFC", word).strip()
    exact, folded = digest_word(word, key) if plain else ("", "")
    sealed = {"exact": exact, "folded": folded, "blank": plain == "", "sound": sound(plain)}
    return {name: sealed if name == secret else value for name, value in answers.items()}
