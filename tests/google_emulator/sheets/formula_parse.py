"""From the text of a formula to a tree; what cannot be read is a parse error, as in the service.

Nodes are tuples: ("value", v) ("ref", Ref) ("name", word) ("call", name, args) ("unary", op, x) ("binary", op, x, y)
("percent", x) ("missing",).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tests.google_emulator.sheets.book import SHOWN, Fault
from tests.google_emulator.sheets.formula_text import TOKEN, read_ref

Node = tuple[Any, ...]
_FAULTS = {shown: kind for kind, shown in SHOWN.items()}
_LEVELS = (("=", "<>", "<", ">", "<=", ">="), ("&",), ("+", "-"), ("*", "/"), ("^",))


class ParseError(Exception):
    pass


class UnsupportedError(Exception):
    """Sound, as far as can be seen, but not known here: array literals."""


@lru_cache(maxsize=20_000)
def parse(text: str) -> Node:
    """The tree of a formula that begins with `=`."""
    parser = _Parser(text[1:])
    tree = parser.level(0)
    if parser.kind() != "end":
        raise ParseError
    return tree


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [found for found in TOKEN.finditer(text) if found["space"] is None]
        self.place = 0

    def kind(self) -> str:
        if self.place >= len(self.tokens):
            return "end"
        found = self.tokens[self.place]
        if found["op"] is not None:
            return found["op"]
        return next(
            name for name in ("text", "ref", "fault", "number", "name", "other") if found[name] is not None
        )

    def take(self) -> Any:
        self.place += 1
        return self.tokens[self.place - 1]

    def level(self, depth: int) -> Node:
        if depth == len(_LEVELS):
            return self.unary()
        left = self.level(depth + 1)
        while self.kind() in _LEVELS[depth]:
            op = self.take().group()
            left = ("binary", op, left, self.level(depth + 1))
        return left

    def unary(self) -> Node:
        if self.kind() in ("+", "-"):
            op = self.take().group()
            return ("unary", op, self.unary())
        node = self.primary()
        while self.kind() == "%":
            self.take()
            node = ("percent", node)
        return node

    def primary(self) -> Node:
        kind = self.kind()
        if kind == "(":
            self.take()
            node = self.level(0)
            self.expect(")")
            return node
        if kind == "{":
            raise UnsupportedError
        if kind in ("end", "other") or kind in ")},;*/^&=<>%":
            raise ParseError
        found = self.take()
        if kind == "number":
            return ("value", float(found.group()))
        if kind == "text":
            whole = found.group()
            if len(whole) < 2 or not whole.endswith('"'):
                raise ParseError
            return ("value", whole[1:-1].replace('""', '"'))
        if kind == "fault":
            return ("value", Fault(_FAULTS[found.group()], "Reference does not exist."))
        if kind == "ref":
            return ("ref", read_ref(found))
        if kind != "name":
            raise ParseError
        return self.call(found.group())

    def call(self, name: str) -> Node:
        if self.kind() != "(":
            if name.casefold() in ("true", "false"):
                return ("value", name.casefold() == "true")
            return ("name", name)
        self.take()
        given: list[Node] = []
        if self.kind() == ")":
            self.take()
            return ("call", name, given)
        while True:
            given.append(("missing",) if self.kind() in (",", ";", ")") else self.level(0))
            if self.kind() in (",", ";"):
                self.take()
                continue
            self.expect(")")
            return ("call", name, given)

    def expect(self, mark: str) -> None:
        if self.kind() != mark:
            raise ParseError
        self.take()
