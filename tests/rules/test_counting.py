"""Which entry counts: limits to the microsecond, ties, and masters' acceptances over one key."""

from __future__ import annotations

import itertools
import random

import pandas as pd
import pytest
from builders import jst
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from rules.counting import LAST_WINS, LATE, TIED, choose_ruled, count_entries, flagged
from rules.counting import Rule as CountingRule

LIMIT = jst("10-12 23:59:59")
UNREADABLE = CountingRule("unreadable", flagged("unreadable"))
FLAWED = CountingRule("flawed", flagged("flawed"))
POLICY = (UNREADABLE, LATE, LAST_WINS, TIED)


def micro(number: int) -> pd.Timedelta:
    return pd.Timedelta(microseconds=number)


def frame(*rows: tuple[str, pd.Timestamp], **columns: list[object]) -> pd.DataFrame:
    """Rows of key and instant, all with the same limit unless given."""
    base = pd.DataFrame(
        {
            "key": [key for key, _at in rows],
            "submitted_at": pd.Series([at for _key, at in rows]).astype("datetime64[us, UTC]"),
            "deadline": pd.Series([LIMIT] * len(rows)).astype("datetime64[us, UTC]"),
            "claim": [str(n) for n in range(len(rows))],
            "unreadable": False,
        }
    )
    return base.assign(**columns)


def fates(entries: pd.DataFrame, policy: tuple[CountingRule, ...] = POLICY) -> list[str]:
    found = count_entries(entries, policy)["fate"]
    return [policy[n].reason if n >= 0 else "counts" for n in found]


@pytest.mark.parametrize(
    ("offset", "fate"),
    [
        (-1_000_000, "counts"),
        (0, "counts"),
        (1, "counts"),
        (999_999, "counts"),
        (1_000_000, "late"),
        (1_000_001, "late"),
    ],
)
def test_the_whole_last_second_is_in_time(offset: int, fate: str) -> None:
    assert fates(frame(("k", LIMIT + micro(offset)))) == [fate]


@pytest.mark.parametrize(
    ("offset", "fate"), [(-1, "counts"), (0, "counts"), (1, "late"), (1_000_000, "late")]
)
def test_where_the_limit_is_exact_a_fraction_is_late(offset: int, fate: str) -> None:
    assert fates(frame(("k", LIMIT + micro(offset)), exact=[True])) == [fate]


def test_a_limit_is_exact_row_by_row() -> None:
    late = LIMIT + micro(1)
    assert fates(frame(("k", late), ("l", late), exact=[True, False])) == ["late", "counts"]


def test_without_a_limit_nothing_is_late() -> None:
    none = pd.Series([pd.NaT], dtype="datetime64[us, UTC]")
    assert fates(frame(("k", LIMIT + pd.Timedelta(days=3650))).assign(deadline=none)) == ["counts"]


def test_the_last_in_time_of_its_key_counts_and_a_late_one_does_not_compete() -> None:
    entries = frame(
        ("k", LIMIT - micro(2)), ("k", LIMIT), ("k", LIMIT + pd.Timedelta(seconds=1)), ("l", LIMIT - micro(9))
    )
    assert fates(entries) == ["superseded", "counts", "late", "counts"]


def test_one_microsecond_decides_which_is_last() -> None:
    assert fates(frame(("k", LIMIT), ("k", LIMIT - micro(1)))) == ["counts", "superseded"]


def test_what_cannot_be_read_supersedes_nothing() -> None:
    assert fates(frame(("k", LIMIT - micro(1)), ("k", LIMIT), unreadable=[False, True])) == [
        "counts",
        "unreadable",
    ]


def test_the_place_of_a_rule_in_the_policy_decides_whether_a_flawed_last_one_forfeits() -> None:
    entries = frame(("k", LIMIT - micro(1)), ("k", LIMIT), flawed=[False, True])
    assert fates(entries, (LATE, LAST_WINS, FLAWED)) == ["superseded", "flawed"]
    assert fates(entries, (LATE, FLAWED, LAST_WINS)) == ["counts", "flawed"]


def test_the_last_two_of_one_instant_with_different_claims_are_tied() -> None:
    entries = frame(("k", LIMIT - micro(1)), ("k", LIMIT), ("k", LIMIT), claim=["a", "a", "b"])
    assert fates(entries) == ["superseded", "same_instant", "same_instant"]


def test_of_one_instant_with_the_same_claim_the_lower_row_counts() -> None:
    assert fates(frame(("k", LIMIT), ("k", LIMIT), claim=["a", "a"])) == ["superseded", "counts"]


def test_a_tie_before_the_last_matters_to_nobody() -> None:
    entries = frame(("k", LIMIT - micro(1)), ("k", LIMIT - micro(1)), ("k", LIMIT), claim=["a", "b", "c"])
    assert fates(entries) == ["superseded", "superseded", "counts"]


def test_a_tie_with_what_is_out_of_the_running_is_none() -> None:
    entries = frame(("k", LIMIT), ("k", LIMIT), claim=["a", "b"], unreadable=[False, True])
    assert fates(entries) == ["counts", "unreadable"]
    assert fates(frame(("k", LIMIT), ("l", LIMIT), claim=["a", "b"])) == ["counts", "counts"]


def test_three_in_one_instant_of_which_two_agree_are_all_open() -> None:
    entries = frame(("k", LIMIT), ("k", LIMIT), ("k", LIMIT), claim=["a", "b", "b"])
    assert fates(entries) == ["same_instant", "superseded", "same_instant"]


def test_all_that_holds_is_kept_beside_the_fate() -> None:
    found = count_entries(frame(("k", LIMIT + pd.Timedelta(seconds=2)), unreadable=[True]), POLICY)
    assert (found["unreadable"].iat[0], found["late"].iat[0]) == (True, True)
    assert found["fate"].iat[0] == 0


def test_a_category_is_counted_like_text() -> None:
    entries = frame(("k", LIMIT - micro(1)), ("l", LIMIT), ("k", LIMIT))
    assert fates(entries.assign(key=entries["key"].astype("category"))) == fates(entries)


def test_no_entries_are_no_trouble_and_the_index_is_kept() -> None:
    assert fates(frame(("k", LIMIT)).iloc[:0]) == []
    entries = frame(("k", LIMIT - micro(1)), ("k", LIMIT)).set_index(pd.Index([9, 4]))
    assert list(count_entries(entries, POLICY).index) == [9, 4]


@given(
    rows=st.lists(
        st.tuples(st.sampled_from("kl"), st.integers(-3, 3), st.sampled_from("ab"), st.booleans()), max_size=8
    ),
    seed=st.integers(0, 999),
)
@hypothesis_settings(max_examples=60, deadline=None)
def test_at_most_one_of_a_key_counts_and_distinct_times_need_no_order(
    rows: list[tuple[str, int, str, bool]], seed: int
) -> None:
    entries = frame(*((key, LIMIT + micro(n * 400_000)) for key, n, _claim, _bad in rows))
    entries = entries.assign(claim=[r[2] for r in rows], unreadable=[r[3] for r in rows])
    found = fates(entries)
    counting = [key for key, fate in zip(entries["key"], found, strict=True) if fate == "counts"]
    assert len(counting) == len(set(counting))
    running = {
        key
        for key, fate in zip(entries["key"], found, strict=True)
        if fate in ("counts", "superseded", "same_instant")
    }
    tied = {key for key, fate in zip(entries["key"], found, strict=True) if fate == "same_instant"}
    assert running == set(counting) | tied
    order = random.Random(seed).sample(range(len(rows)), len(rows))
    if len({(key, at) for key, at in zip(entries["key"], entries["submitted_at"], strict=True)}) == len(rows):
        mixed = fates(entries.iloc[order])
        assert [found[n] for n in order] == mixed


IDS = ("a", "b", "c")
SEEN = [LIMIT, LIMIT, LIMIT]


def test_without_an_acceptance_masters_change_nothing() -> None:
    assert choose_ruled(IDS, SEEN, [True] * 3, {}) == {}
    assert choose_ruled(IDS, SEEN, [True] * 3, {"z": LIMIT}) == {}


def test_an_accepted_entry_beats_all_of_its_key_that_were_seen_when_it_was_ruled() -> None:
    assert choose_ruled(IDS, SEEN, [True] * 3, {"a": LIMIT}) == {
        "a": "counts",
        "b": "superseded",
        "c": "superseded",
    }


def test_of_several_accepted_the_last_sent_counts() -> None:
    ruled = {"a": LIMIT + pd.Timedelta(hours=1), "b": LIMIT}
    assert choose_ruled(IDS, SEEN, [True] * 3, ruled) == {"a": "superseded", "b": "counts", "c": "superseded"}


@pytest.mark.parametrize(("offset", "fate"), [(-1, "superseded"), (0, "superseded"), (1, "contested")])
def test_what_is_first_seen_after_the_ruling_contests_it(offset: int, fate: str) -> None:
    seen = [LIMIT, LIMIT, LIMIT + pd.Timedelta(seconds=offset)]
    assert choose_ruled(IDS, seen, [True] * 3, {"a": LIMIT})["c"] == fate


def test_what_is_out_of_the_running_stays_what_it_is() -> None:
    assert choose_ruled(IDS, SEEN, [True, False, True], {"c": LIMIT}) == {"c": "counts", "a": "superseded"}
    assert choose_ruled(IDS, SEEN, [False, False, False], {"b": LIMIT}) == {"b": "counts"}


def test_every_pattern_of_acceptances_leaves_exactly_one_that_counts() -> None:
    for picks in itertools.product([False, True], repeat=3):
        ruled = {entry: LIMIT for entry, pick in zip(IDS, picks, strict=True) if pick}
        found = choose_ruled(IDS, SEEN, [True] * 3, ruled)
        assert list(found.values()).count("counts") == (1 if ruled else 0)
        assert set(found) == (set(IDS) if ruled else set())
