"""Cells of checkbox questions, joined as the Forms export and as the linked tab join them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.ticks import split_ticks

PLAIN = ("赤", "青", "白")
AWKWARD = ("A", "A, B", "B, C", "D;E", "E", "F, G;H")


@pytest.mark.parametrize(
    ("cell", "choices", "values"),
    [
        ("", PLAIN, []),
        ("赤", PLAIN, ["赤"]),
        ("赤;青;白", PLAIN, ["赤", "青", "白"]),
        ("赤, 青, 白", PLAIN, ["赤", "青", "白"]),
        ("白;赤", PLAIN, ["白", "赤"]),
        ("赤, 青, 黄、または, 緑", PLAIN, ["赤", "青", "黄、または, 緑"]),
        ("赤;青;黄;緑", PLAIN, ["赤", "青", "黄;緑"]),
        ("赤;黄, 青", PLAIN, ["赤", "黄, 青"]),
        ("黄, 青", PLAIN, ["黄", "青"]),
        ("黄;緑", PLAIN, ["黄;緑"]),
        (" 赤 ", PLAIN, [" 赤 "]),
        ("赤,青", PLAIN, ["赤,青"]),
        ("赤, ", PLAIN, ["赤", ""]),
        ("赤;赤", PLAIN, ["赤", "赤"]),
        ("赤;青", (), ["赤;青"]),
        ("A, B", AWKWARD, ["A, B"]),
        ("A, B, C", AWKWARD, ["A", "B, C"]),
        ("A, D;E", AWKWARD, ["A", "D;E"]),
        ("D;E;E", AWKWARD, ["D;E", "E"]),
        ("A;D;E;F, G;H", AWKWARD, ["A", "D;E", "F, G;H"]),
        ("A, F, G;H, E", AWKWARD, ["A", "F, G;H", "E"]),
        ("A, B", ("A", "B", "A, B"), ["A, B"]),
        ("A, B, B", ("A", "B", "A, B"), ["A, B", "B"]),
        ("A, B, C", ("A, B", "B, C"), ["A, B", "C"]),
        ("AAA, B, C", ("AAA, B", "B, C"), ["AAA, B", "C"]),
        ("A, B, CCC", ("A, B", "B, CCC"), ["A", "B, CCC"]),
        ("か\u3099, 青", ("が", "青"), ["か\u3099", "青"]),
    ],
)
def test_a_cell_is_split_against_the_declared_choices(
    cell: str, choices: tuple[str, ...], values: list[str]
) -> None:
    assert split_ticks(cell, choices) == values


def test_a_choice_that_is_no_longer_declared_does_not_swallow_the_others() -> None:
    assert split_ticks("10月1日, 10月8日, 10月15日", ("10月8日", "10月15日")) == [
        "10月1日",
        "10月8日",
        "10月15日",
    ]


@given(st.lists(st.sampled_from(PLAIN), min_size=1), st.sampled_from([";", ", "]))
def test_ticks_without_joints_inside_come_back_as_they_were_ticked(ticks: list[str], joint: str) -> None:
    assert split_ticks(joint.join(ticks), PLAIN) == ticks


@given(st.text(alphabet="AB, ;CDE黄", max_size=30), st.sampled_from([PLAIN, AWKWARD, ()]))
def test_nothing_of_a_cell_is_lost(cell: str, choices: tuple[str, ...]) -> None:
    values = split_ticks(cell, choices)
    assert cell in {";".join(values), ", ".join(values)}


def test_a_long_answer_full_of_joints_takes_no_longer_than_its_length() -> None:
    cell = "黄, " * 50_000
    started = time.perf_counter()
    assert split_ticks(cell, PLAIN) == [cell]
    assert time.perf_counter() - started < 5
