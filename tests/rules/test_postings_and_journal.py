"""Amounts: cut once, summed by instant, and known by their content."""

from __future__ import annotations

from decimal import Decimal

import pytest
from builders import SECOND, jst
from hypothesis import given
from hypothesis import strategies as st

from rules.frames import POSTINGS, FrameError, build_frame, conform
from rules.journal import compare
from rules.postings import Posting, balance, balances, cut, tabulate

NOON = jst("10-13 12:00:00")


def posting(
    amount: int, at: int = 0, phase: int = 0, player: str = "甲", account: str = "points", cause: str = "c"
) -> Posting:
    return Posting(NOON + at * SECOND, phase, player, account, amount, cause, "r", "１章 点数")


@pytest.mark.parametrize(
    ("amount", "whole"),
    [("1.9", 1), ("1", 1), ("0.999999999999999999999", 0), ("-0.9", 0), ("-1.5", -1), ("-2", -2), ("1E+3", 1000),
     ("12345678901234567890.9", 12345678901234567890)],
)  # fmt: skip
def test_a_fraction_is_cut_toward_zero_from_the_exact_decimal(amount: str, whole: int) -> None:
    assert cut(Decimal(amount)) == whole


@given(st.decimals(min_value=-10_000, max_value=10_000, places=6))
def test_cutting_never_takes_more_than_a_fraction_and_is_even_about_zero(amount: Decimal) -> None:
    assert abs(amount - cut(amount)) < 1
    assert abs(cut(amount)) <= abs(amount)
    assert cut(-amount) == -cut(amount)


def test_a_balance_is_after_all_phases_of_its_instant() -> None:
    frame = tabulate([posting(5, phase=80), posting(3, phase=0), posting(1, at=-1), posting(100, at=1)])
    assert [balance(frame, "甲", "points", NOON + n * SECOND) for n in (-2, -1, 0, 1)] == [0, 1, 9, 109]


def test_accounts_and_players_do_not_mix() -> None:
    frame = tabulate([posting(5), posting(7, player="乙"), posting(9, account="right")])
    assert balance(frame, "甲", "points", NOON) == 5
    assert balance(frame, "丙", "points", NOON) == 0
    assert balances(frame, NOON) == {("甲", "points"): 5, ("乙", "points"): 7, ("甲", "right"): 9}
    assert balances(frame, NOON - SECOND) == {}


def test_the_ledger_is_in_order_of_instant_and_phase() -> None:
    frame = tabulate([posting(1, at=1), posting(2, phase=20), posting(3, phase=10)])
    assert list(frame["amount"]) == [3, 2, 1]
    assert tabulate([]).empty


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-3, 3), st.sampled_from("ab")), max_size=12),
    st.randoms(),
)
def test_sums_do_not_depend_on_the_order_of_postings(
    items: list[tuple[int, int, str]], chance: object
) -> None:
    made = [
        posting(amount, at, account=account, cause=str(n)) for n, (amount, at, account) in enumerate(items)
    ]
    mixed = list(made)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert balances(tabulate(made), NOON) == balances(tabulate(mixed), NOON)
    assert list(tabulate(made)["posting_id"]) == list(tabulate(mixed)["posting_id"])


def test_a_posting_is_known_by_what_it_changes_and_why() -> None:
    one = posting(5)
    assert one.posting_id == posting(5).posting_id
    assert one.posting_id == one._replace(section="x", ruleset="x", audience="x").posting_id
    others = [
        posting(6), posting(5, at=1), posting(5, phase=1), posting(5, player="乙"), posting(5, account="right"),
        posting(5, cause="d"), one._replace(rule="x"),
    ]  # fmt: skip
    assert len({one.posting_id, *(other.posting_id for other in others)}) == 8


def test_what_appeared_and_vanished_is_a_difference_of_ids() -> None:
    assert compare(["a", "b"], {"b": "1", "d": "2", "c": "3"}) == (("c", "d"), ("a",))
    assert compare(["a"], ["a"]) == ((), ())
    assert compare([], []) == ((), ())


def test_a_frame_without_a_column_or_with_a_hole_in_its_key_is_refused() -> None:
    frame = tabulate([posting(5)])
    with pytest.raises(FrameError, match="missing columns"):
        conform(frame.drop(columns="player"), POSTINGS)
    with pytest.raises(FrameError, match="null in key column"):
        conform(frame.assign(player=None), POSTINGS)


def test_an_empty_frame_has_all_columns_and_kinds() -> None:
    frame = build_frame([], POSTINGS)
    assert {name: str(kind) for name, kind in frame.dtypes.items()} == dict(POSTINGS.columns)
