"""YAML read as it was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipeline.yamltext import parse_yaml, read_yaml


class TestScalars:
    @pytest.mark.parametrize(
        "text",
        [
            "0123",
            "1e5",
            "12:30",
            "no",
            "yes",
            "on",
            "off",
            "0x1F",
            "0o17",
            "1_000",
            "1.50",
            "2026-10-13",
            "05:00:00",
            ".inf",
            "-0",
            "+5",
            "True",
            "FALSE",
            "Null",
            "y",
            "10-18",
            "１２",
            "=",
            "<<",
        ],
    )
    def test_unquoted_text_comes_back_as_it_stands(self, text: str) -> None:
        """A price, a time and a word in Norwegian: YAML would turn each into something else."""
        expected: Any = text
        assert parse_yaml(f"key: {text}\n", "f.yaml").data == {"key": expected}

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("true", True),
            ("false", False),
            ("null", None),
            ("~", None),
            ("", None),
            ("0", 0),
            ("-7", -7),
            ("50", 50),
        ],
    )
    def test_plain_words_and_whole_numbers_are_what_they_look_like(self, text: str, value: object) -> None:
        assert parse_yaml(f"key: {text}\n", "f.yaml").data == {"key": value}

    @pytest.mark.parametrize("quoted", ['"true"', "'50'", '"null"', "|-\n  50", "'~'"])
    def test_what_is_quoted_is_text(self, quoted: str) -> None:
        value = parse_yaml(f"key: {quoted}\n", "f.yaml").data["key"]
        assert isinstance(value, str)

    def test_keys_are_text(self) -> None:
        assert list(parse_yaml("1: a\nno: b\n", "f.yaml").data) == ["1", "no"]

    def test_lists_and_flow_style(self) -> None:
        assert parse_yaml("a: [1, no, {b: 012}]\n", "f.yaml").data == {"a": [1, "no", {"b": "012"}]}


class TestPlaces:
    def test_each_node_has_its_line(self) -> None:
        lines = parse_yaml("a: 1\nb:\n  c:\n    - x\n    - y\n", "f.yaml").lines
        assert lines["a",] == 1
        assert lines["b",] == 2
        assert lines["b", "c"] == 3
        assert lines["b", "c", 1] == 5


class TestFaults:
    def test_all_doubled_keys_are_told_at_once(self) -> None:
        document = parse_yaml("a: 1\nb:\n  x: 1\n  x: 2\na: 3\n", "f.yaml")
        assert document.faults == (
            "f.yaml 4行: キー「x」が2つあります。1つにしてください",
            "f.yaml 5行: キー「a」が2つあります。1つにしてください",
        )
        assert document.data == {"a": 1, "b": {"x": 1}}

    def test_no_yaml_is_one_fault_with_its_place(self) -> None:
        document = parse_yaml("a: [1, 2\nb: 3\n", "f.yaml")
        assert len(document.faults) == 1
        assert document.faults[0].startswith("f.yaml 2行")

    def test_a_tab_for_indentation_is_told(self) -> None:
        assert parse_yaml("a:\n\tb: 1\n", "f.yaml").faults[0].startswith("f.yaml 2行")

    def test_a_key_that_is_a_list_is_a_fault(self) -> None:
        assert parse_yaml("? [a, b]\n: 1\n", "f.yaml").faults == ("f.yaml 1行: キーは1語で書いてください",)

    def test_an_empty_file_is_an_empty_mapping(self) -> None:
        assert parse_yaml("", "f.yaml").data == {}
        assert parse_yaml("# nothing\n", "f.yaml").data == {}

    def test_another_encoding_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "f.yaml"
        path.write_bytes("名前: 輝流堕".encode("cp932"))
        assert read_yaml(path).faults == ("f.yaml: UTF-8 で書かれていません。UTF-8 で保存し直してください",)

    def test_an_alias_that_names_itself_is_a_fault_and_no_endless_walk(self) -> None:
        assert parse_yaml("a: &a [1, *a]\n", "f.yaml").faults

    def test_an_alias_is_what_it_names(self) -> None:
        assert parse_yaml("a: &x {n: 012}\nb: *x\n", "f.yaml").data == {"a": {"n": "012"}, "b": {"n": "012"}}
