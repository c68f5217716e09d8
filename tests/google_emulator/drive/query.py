"""The search grammar of files.list: `name = 'x' and (mimeType != 'y' or 'z' in parents) and not trashed = true`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.google_emulator.clock import parse as parse_time
from tests.google_emulator.drive.limits import invalid_value
from tests.google_emulator.world import RANK, Caller, File, World

Test = Callable[[File], bool]
_TOKEN = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(<=|>=|!=|[=<>(){}]|[A-Za-z]+))""")
_WORDS = re.compile(r"[^\W_]+")
_TIMES = ("createdTime", "modifiedTime", "viewedByMeTime", "sharedWithMeTime")
_SHARES = {"owners": ("owner",), "writers": ("owner", "writer"), "readers": tuple(RANK)}


class Text(str):
    """A value in quotes, as opposed to a word."""

    __slots__ = ()


def compile_query(text: str, caller: Caller, world: World) -> Test:
    """A test of one file; 400 with Drive's message for what cannot be read."""
    tokens, place = [], 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            raise invalid_value("q")
        quoted = match.group(1) if match.group(1) is not None else match.group(2)
        tokens.append(match.group(3) if quoted is None else Text(re.sub(r"\\(.)", r"\1", quoted)))
        place = match.end()
    reader = _Query(tokens, caller, world)
    test = reader.either()
    if reader.tokens:
        raise invalid_value("q")
    return test


class _Query:
    def __init__(self, tokens: list[str], caller: Caller, world: World) -> None:
        self.tokens, self.caller, self.world = tokens, caller, world

    def next(self) -> str:
        if not self.tokens:
            raise invalid_value("q")
        return self.tokens.pop(0)

    def word(self, *words: str) -> bool:
        if (
            self.tokens
            and not isinstance(self.tokens[0], Text)
            and (self.tokens[0] in words or self.tokens[0].lower() in words)
        ):
            self.tokens.pop(0)
            return True
        return False

    def either(self) -> Test:
        tests = [self.both()]
        while self.word("or"):
            tests.append(self.both())
        return tests[0] if len(tests) == 1 else lambda file: any(test(file) for test in tests)

    def both(self) -> Test:
        tests = [self.one()]
        while self.word("and"):
            tests.append(self.one())
        return tests[0] if len(tests) == 1 else lambda file: all(test(file) for test in tests)

    def one(self) -> Test:
        if self.word("not"):
            inner = self.one()
            return lambda file: not inner(file)
        if self.word("("):
            inside = self.either()
            if not self.word(")"):
                raise invalid_value("q")
            return inside
        first = self.next()
        if isinstance(first, Text):
            if not self.word("in"):
                raise invalid_value("q")
            return self.membership(str(first), self.next())
        if first in ("properties", "appProperties"):
            return self.property(first)
        if first == "sharedWithMe" and not (self.tokens and self.tokens[0] in ("=", "!=")):
            return lambda file: file.owner != self.caller.email
        return self.comparison(first, self.next(), self.next())

    def membership(self, value: str, field: str) -> Test:
        if field == "parents":
            folder = self.world.root_of(self.caller.email) if value == "root" else value
            return lambda file: folder in file.parents
        roles = _SHARES.get(field)
        if roles is None:
            raise invalid_value("q")
        email = self.caller.email if value == "me" else value
        return lambda file: any(
            share.covers(email) and share.role in roles and share.type != "anyone"
            for share in file.permissions
        )

    def property(self, field: str) -> Test:
        if not self.word("has") or not self.word("{"):
            raise invalid_value("q")
        parts = {}
        for _ in range(2):
            name = self.next()
            if not self.word("="):
                raise invalid_value("q")
            parts[name] = str(self.next())
            self.word("and")
        if not self.word("}") or set(parts) != {"key", "value"}:
            raise invalid_value("q")
        return lambda file: file.extra.get(field, {}).get(parts["key"]) == parts["value"]

    def comparison(self, field: str, sign: str, value: str) -> Test:
        if field in ("trashed", "starred", "sharedWithMe"):
            return self.flag(field, sign, value)
        if not isinstance(value, Text):
            raise invalid_value("q")
        if field in _TIMES:
            return self.time(field, sign, value)
        if field == "visibility":
            return _compare(sign, value, lambda file: _visibility(file))
        if field == "fullText" and sign == "contains":
            return lambda file: (
                _holds_words(file.name, value) or _holds_words(file.extra.get("description", ""), value)
            )
        if field == "name":
            if sign == "contains":
                return lambda file: _holds_words(file.name, value)
            return _compare(sign, value.casefold(), lambda file: file.name.casefold())
        if field == "mimeType":
            if sign == "contains":
                return lambda file: file.mime.startswith(value)
            return _compare(sign, str(value), lambda file: file.mime)
        raise invalid_value("q")

    def flag(self, field: str, sign: str, value: str) -> Test:
        if value.lower() not in ("true", "false"):
            raise invalid_value("q")
        read: dict[str, Callable[[File], Any]] = {
            "trashed": lambda file: file.trashed,
            "starred": lambda file: bool(file.extra.get("starred")),
            "sharedWithMe": lambda file: file.owner != self.caller.email,
        }
        return _compare(sign, value.lower() == "true", read[field])

    def time(self, field: str, sign: str, value: str) -> Test:
        try:
            limit = parse_time(value) if value[19:] else datetime.fromisoformat(value).replace(tzinfo=UTC)
        except ValueError as error:
            raise invalid_value("q") from error
        name = "modified" if field in ("modifiedTime", "viewedByMeTime") else "created"
        return _compare(sign, limit, lambda file: _to_milliseconds(getattr(file, name)))


def _to_milliseconds(instant: datetime) -> datetime:
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def _compare(sign: str, value: Any, read: Callable[[File], Any]) -> Test:
    tests: dict[str, Test] = {
        "=": lambda file: bool(read(file) == value),
        "!=": lambda file: bool(read(file) != value),
        "<": lambda file: bool(read(file) < value),
        "<=": lambda file: bool(read(file) <= value),
        ">": lambda file: bool(read(file) > value),
        ">=": lambda file: bool(read(file) >= value),
    }
    if sign not in tests:
        raise invalid_value("q")
    return tests[sign]


def _holds_words(text: str, wanted: str) -> bool:
    """`contains` matches from the beginning of a word only: HelloWorld contains Hello, but not World."""
    text, wanted = text.casefold(), wanted.casefold().strip()
    if not wanted.isascii():
        return wanted in text
    if any(text.startswith(wanted, match.start()) for match in _WORDS.finditer(text)):
        return True
    words = _WORDS.findall(text)
    return all(any(word.startswith(each) for word in words) for each in _WORDS.findall(wanted))


def _visibility(file: File) -> str:
    for share in file.permissions:
        if share.type == "anyone" and not share.view:
            return "anyoneCanFind" if share.discoverable else "anyoneWithLink"
    for share in file.permissions:
        if share.type == "domain":
            return "domainCanFind" if share.discoverable else "domainWithLink"
    return "limited"
