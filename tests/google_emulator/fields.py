"""Field masks: what a caller wants to see (`fields=`) and what a caller wants to change (`updateMask`).

A mask is parsed into a tree: name -> subtree, where an empty subtree means everything below. `*` is kept as a name.
"""

from __future__ import annotations

import re
from typing import Any

from tests.google_emulator.validation import camel, document

Tree = dict[str, Any]
_TOKEN = re.compile(r"\s*([A-Za-z0-9_$@*-]+|[(),/.])\s*")


class MaskError(ValueError):
    """A mask that cannot be read, or that names something the message does not have; the text is what it names."""


def parse(mask: str) -> Tree:
    """`a,b(c,d/e),f.g` as a tree."""
    tokens, place = [], 0
    while place < len(mask):
        match = _TOKEN.match(mask, place)
        if match is None or match.end() == place:
            raise MaskError(mask)
        tokens.append(match.group(1))
        place = match.end()
    tree: Tree = {}
    rest = _read_list(tokens, tree)
    if rest or not tokens:
        raise MaskError(mask)
    return tree


def _read_list(tokens: list[str], tree: Tree) -> list[str]:
    while True:
        tokens = _read_path(tokens, tree)
        if not tokens or tokens[0] == ")":
            return tokens
        if tokens[0] != ",":
            raise MaskError(tokens[0])
        tokens = tokens[1:]


def _read_path(tokens: list[str], tree: Tree) -> list[str]:
    if not tokens or tokens[0] in "(),/.":
        raise MaskError(tokens[0] if tokens else "")
    name, rest = camel(tokens[0]), tokens[1:]
    known = name in tree
    node = tree.setdefault(name, {})
    whole = known and not node
    if rest and rest[0] in "/.":
        rest = _read_path(rest[1:], node)
    elif rest and rest[0] == "(":
        rest = _read_list(rest[1:], node)
        if not rest:
            raise MaskError("(")
        rest = rest[1:]
    else:
        node.clear()
    if whole:
        node.clear()
    return rest


def check(api: str, schema: str, tree: Tree) -> None:
    """MaskError with the first path that the message does not have."""
    _check(document(api)["schemas"], {"$ref": schema}, tree, "")


def _check(schemas: dict[str, Any], schema: dict[str, Any], tree: Tree, path: str) -> None:
    while "$ref" in schema or schema.get("type") == "array":
        schema = schemas[schema["$ref"]] if "$ref" in schema else schema["items"]
    known, inner = schema.get("properties", {}), schema.get("additionalProperties")
    for name, below in tree.items():
        here = f"{path}.{name}" if path else name
        if name == "*":
            for each in known.values() if below else ():
                _check(schemas, each, below, here)
        elif name in known or inner is not None:
            if below:
                _check(schemas, known.get(name, inner), below, here)
        elif schema.get("type") != "any":
            raise MaskError(here)


def project(tree: Tree, value: Any) -> Any:
    """Only what the mask names."""
    if not tree:
        return value
    if isinstance(value, list):
        return [project(tree, each) for each in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for name, each in value.items():
        if name in tree:
            out[name] = project(tree[name], each)
        elif "*" in tree:
            out[name] = project(tree["*"], each)
    return out


def merge(target: dict[str, Any], source: dict[str, Any], tree: Tree) -> None:
    """Writes into `target` what the mask names of `source`; what the mask names and `source` lacks is removed."""
    for name, below in tree.items():
        if name == "*":
            target.clear()
            target.update(source)
        elif not below or isinstance(target.get(name), list):
            if name in source:
                target[name] = source[name]
            else:
                target.pop(name, None)
        elif name in source or name in target:
            inner = target.get(name)
            inner = inner if isinstance(inner, dict) else {}
            given = source.get(name)
            merge(inner, given if isinstance(given, dict) else {}, below)
            target[name] = inner
