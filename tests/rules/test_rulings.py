"""Which decisions are in force, case by case and by law."""

from __future__ import annotations

import json

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.frames import DECISIONS, build_frame
from rules.rulings import Conflict, Ruling, Settled, settle_decisions

DESK, FORM = "要確認", "申込"


def at(hour: int) -> pd.Timestamp:
    return pd.Timestamp("2026-10-13", tz="UTC") + pd.Timedelta(hours=hour)


Step = tuple[int, str, str, dict[str, str] | None]


def settle(*steps: Step) -> Settled:
    """Each step: hour, place, entry, masters' cells (None: the row was gone)."""
    rows = [
        {
            "place": place,
            "entry_id": entry,
            "content": "" if cells is None else json.dumps(cells, ensure_ascii=False),
            "basis": f"{place}@{hour}",
            "first_seen": at(hour),
            "seq": seq,
        }
        for seq, (hour, place, entry, cells) in enumerate(steps)
    ]
    return settle_decisions(build_frame(rows, DECISIONS))


def ruled(ruling: str, hour: int, place: str, basis: str = "", **more: str) -> Ruling:
    return Ruling(
        "A",
        ruling,
        more.get("reading", ""),
        more.get("by", ""),
        more.get("note", ""),
        at(hour),
        basis or f"{place}@{hour}",
        place,
    )


YES, NO, HOLD, BLANK = {"裁定": "受理"}, {"裁定": "不受理"}, {"裁定": "保留"}, {"裁定": "", "読み": ""}


def test_no_decisions_settle_to_nothing() -> None:
    assert settle() == ((), ())


def test_the_newest_content_speaks_with_all_it_says() -> None:
    full = {"裁定": " 受理 ", "読み": "2", "メモ": " m ", "裁定者": "甲 ", "担当": "乙"}
    settled = settle((1, DESK, "A", YES), (2, DESK, "A", full))
    assert settled == ((ruled("受理", 2, DESK, reading="2", by="甲", note=" m "),), ())


def test_a_blank_or_automatic_row_withdraws_what_its_place_said() -> None:
    for cells in (BLANK, {"裁定": "自動", "読み": " "}):
        assert settle((1, DESK, "A", YES), (2, DESK, "A", cells)) == ((), ())


def test_a_reading_alone_is_a_decision() -> None:
    for decided in ("", "自動"):
        settled = settle((1, DESK, "A", {"裁定": decided, "読み": "1"}))
        assert settled.rulings == (ruled("", 1, DESK, reading="1"),)


def test_a_row_or_column_that_is_gone_withdraws_nothing() -> None:
    for cells in (None, {"メモ": "", "読み": ""}):
        assert settle((1, DESK, "A", YES), (2, DESK, "A", cells)).rulings == (ruled("受理", 1, DESK),)


def test_a_blank_in_one_place_leaves_the_word_of_the_other() -> None:
    assert settle((1, DESK, "A", YES), (2, FORM, "A", BLANK)) == ((ruled("受理", 1, DESK),), ())


def test_where_places_differ_what_was_in_force_stays_and_both_are_shown() -> None:
    settled = settle((1, DESK, "A", YES), (2, FORM, "A", {"裁定": "受理", "読み": "1"}))
    assert settled == ((ruled("受理", 1, DESK),), (Conflict("A", {DESK: "受理", FORM: "受理 読み1"}),))
    third = settle((1, DESK, "A", YES), (2, FORM, "A", NO), (3, DESK, "A", HOLD))
    assert third == ((ruled("受理", 1, DESK),), (Conflict("A", {DESK: "保留", FORM: "不受理"}),))


def test_places_that_differ_from_the_first_put_nothing_in_force() -> None:
    settled = settle((1, DESK, "A", YES), (1, FORM, "A", NO))
    assert settled == ((), (Conflict("A", {DESK: "受理", FORM: "不受理"}),))


def test_a_conflict_ends_when_one_place_gives_way() -> None:
    settled = settle((1, DESK, "A", YES), (2, FORM, "A", NO), (3, DESK, "A", BLANK))
    assert settled == ((ruled("不受理", 3, FORM, basis=f"{DESK}@3"),), ())
    stays = settle((1, DESK, "A", YES), (2, FORM, "A", NO), (3, FORM, "A", BLANK))
    assert stays == ((ruled("受理", 1, DESK),), ())


def test_a_change_of_place_within_one_instant_is_no_conflict() -> None:
    settled = settle((1, DESK, "A", YES), (2, DESK, "A", BLANK), (2, FORM, "A", NO))
    assert settled == ((ruled("不受理", 2, FORM),), ())
    back = settle((1, FORM, "A", YES), (2, FORM, "A", BLANK), (2, DESK, "A", NO))
    assert back == ((ruled("不受理", 2, DESK),), ())


def test_the_same_decision_again_is_not_renewed_but_takes_the_later_words() -> None:
    noted = {"裁定": "受理", "メモ": "後"}
    assert settle((1, DESK, "A", YES), (2, DESK, "A", noted)).rulings == (ruled("受理", 1, DESK, note="後"),)
    assert settle((1, DESK, "A", YES), (2, FORM, "A", noted)).rulings == (ruled("受理", 1, DESK),)
    moved = settle((1, DESK, "A", YES), (2, FORM, "A", noted), (3, DESK, "A", BLANK))
    assert moved.rulings == (ruled("受理", 1, FORM, basis=f"{DESK}@1", note="後"),)


def test_in_a_conflict_the_words_of_what_is_in_force_are_not_taken_from_another_place() -> None:
    noted = {"裁定": "受理", "メモ": "後"}
    steps: list[Step] = [(1, DESK, "A", YES), (2, FORM, "A", noted), (3, "別", "A", NO), (4, DESK, "A", HOLD)]
    assert settle(*steps).rulings == (ruled("受理", 1, DESK),)
    agreed = settle(*steps, (5, DESK, "A", BLANK), (5, "別", "A", BLANK))
    assert agreed == ((ruled("受理", 1, FORM, basis=f"{DESK}@1", note="後"),), ())


def test_decided_anew_after_a_withdrawal_is_of_that_later_instant() -> None:
    settled = settle((1, DESK, "A", YES), (2, DESK, "A", BLANK), (3, DESK, "A", YES))
    assert settled.rulings == (ruled("受理", 3, DESK),)


def test_of_one_place_at_one_instant_the_last_content_speaks() -> None:
    settled = settle((1, DESK, "A", YES), (1, DESK, "A", NO))
    assert settled == ((ruled("不受理", 1, DESK),), ())


PLACES = (DESK, FORM, "別")
CELLS = st.sampled_from(
    [
        YES,
        NO,
        HOLD,
        BLANK,
        {"裁定": "自動"},
        {"裁定": "受理", "読み": "1"},
        {"裁定": "受理", "メモ": "m"},
        None,
    ]
)
STEPS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from(PLACES), st.sampled_from("AB"), CELLS), max_size=12
)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.sampled_from(["受理", "不受理", "保留"]), st.booleans())
def test_deciding_and_undeciding_is_the_identity(steps: list[Step], ruling: str, automatic: bool) -> None:
    undo = {"裁定": "自動" if automatic else ""}
    decided = [*steps, (6, "第四", "A", {"裁定": ruling}), (7, "第四", "A", undo)]
    assert settle(*decided) == settle(*steps)


@settings(max_examples=150, deadline=None)
@given(STEPS, st.randoms(use_true_random=False))
def test_the_order_of_rows_and_of_places_within_an_instant_is_irrelevant(steps: list[Step], random) -> None:  # type: ignore[no-untyped-def]
    once = {(hour, place, entry): cells for hour, place, entry, cells in steps}
    rows: list[Step] = [(*key, cells) for key, cells in once.items()]
    shuffled = random.sample(rows, len(rows))
    assert settle(*shuffled) == settle(*rows)


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_entries_do_not_touch_each_other(steps: list[Step]) -> None:
    both = settle(*steps)
    alone = settle(*[step for step in steps if step[2] == "A"])
    assert alone.rulings == tuple(r for r in both.rulings if r.entry_id == "A")
    assert alone.conflicts == tuple(c for c in both.conflicts if c.entry_id == "A")


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_without_a_conflict_what_is_in_force_is_what_the_places_say(steps: list[Step]) -> None:
    settled = settle(*steps)
    newest: dict[tuple[str, str], dict[str, str]] = {}
    for _, place, entry, cells in sorted(steps, key=lambda step: step[0]):
        newest[entry, place] = {**newest.get((entry, place), {}), **(cells or {})}
    for entry in {step[2] for step in steps} - {c.entry_id for c in settled.conflicts}:
        words = {
            (row.get("裁定", "").replace("自動", ""), row.get("読み", ""))
            for (about, _), row in newest.items()
            if about == entry
        } - {("", "")}
        assert {(r.ruling, r.reading) for r in settled.rulings if r.entry_id == entry} == words
