"""YAML read as it was written: every scalar stays text, every key has a place, doubled keys are faults.

Promises: `0123`, `1e5`, `12:30` and `no` come back as those characters (YAML would turn them into 83, 100000.0, 750
and false), only unquoted `null`, `true`, `false` and plain integers are what they look like; all doubled keys of a
file are reported at once. Refuses to know: what the file is for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_INTEGER = re.compile(r"0|-?[1-9]\d*", re.ASCII)
_WORDS: Mapping[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}
_MERGE = "tag:yaml.org,2002:merge"
Place = tuple[str | int, ...]


class Document(NamedTuple):
    """The data, the line of every node by its path, and the faults found on the way."""

    data: Any
    lines: Mapping[Place, int]
    faults: tuple[str, ...]


def read_yaml(path: Path) -> Document:
    """Read one file; OSError if it cannot be read, a fault with its line if it is no YAML."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError:
        return Document({}, {}, (f"{path.name}: UTF-8 で書かれていません。UTF-8 で保存し直してください",))
    return parse_yaml(text, path.name)


def parse_yaml(text: str, name: str) -> Document:
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name} {mark.line + 1}行{mark.column + 1}字目" if mark else name
        return Document({}, {}, (f"{where}: YAML として読めません（{getattr(error, 'problem', error)}）",))
    builder = _Builder(name)
    data = builder.build(node, ()) if node is not None else {}
    return Document(data, builder.lines, tuple(builder.faults))


class _Builder:
    def __init__(self, name: str) -> None:
        self.name = name
        self.lines: dict[Place, int] = {}
        self.faults: list[str] = []
        self.around: list[yaml.Node] = []

    def build(self, node: yaml.Node, place: Place) -> Any:
        self.lines[place] = node.start_mark.line + 1
        if any(node is outer for outer in self.around):
            self.faults.append(
                f"{self.name} {node.start_mark.line + 1}行: 自分自身を指す * があります。消してください"
            )
            return None
        if isinstance(node, yaml.CollectionNode):
            self.around.append(node)
            built = (
                self._build_mapping(node, place)
                if isinstance(node, yaml.MappingNode)
                else self._build_list(node, place)
            )
            self.around.pop()
            return built
        text = str(node.value)
        if isinstance(node, yaml.ScalarNode) and not node.style:
            if text in _WORDS:
                return _WORDS[text]
            if _INTEGER.fullmatch(text):
                return int(text)
        return text

    def _build_list(self, node: yaml.Node, place: Place) -> list[Any]:
        return [self.build(child, (*place, number)) for number, child in enumerate(node.value)]

    def _build_mapping(self, node: yaml.MappingNode, place: Place) -> dict[Any, Any]:
        out: dict[Any, Any] = {}
        own: set[str] = set()
        for key_node, child in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self.faults.append(f"{self.name} {key_node.start_mark.line + 1}行: キーは1語で書いてください")
                continue
            if key_node.tag == _MERGE:
                merged = self.build(child, place)
                for block in merged if isinstance(merged, list) else [merged]:
                    out = {**block, **out} if isinstance(block, dict) else out
                continue
            key = key_node.value
            if key in own:
                line = key_node.start_mark.line + 1
                self.faults.append(f"{self.name} {line}行: キー「{key}」が2つあります。1つにしてください")
                continue
            own.add(key)
            out[key] = self.build(child, (*place, key))
            self.lines[(*place, key)] = key_node.start_mark.line + 1
        return out
