"""Game time: what stands still on the rest day, where the end cuts, and what a row of マスイベ changes."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from builders import READER, SECOND, jst, plain_settings, rows_of, settings
from hypothesis import given
from hypothesis import strategies as st

from pipeline.settings import ConfigError
from rules.game import Settings
from rules.kanada.calendar import Calendar, build_calendar, day_after, end_of_day, is_ticked
from rules.kanada.policies import Policies
from rules.kanada.sheets import ENDINGS, EVENTS
from rules.tables import Row, Table, read_table
from rules.units import read_dates


def rows(table: Table, *contents: dict[str, str]) -> list[Row]:
    found, findings = read_table(rows_of(table.name, *contents), table, jst("10-25"), READER)
    assert findings == []
    return found


def calendar(
    *events: dict[str, str],
    ends: tuple[dict[str, str], ...] = (),
    own: bool = False,
    made: Settings | None = None,
) -> Calendar:
    tables = {"マスイベ": rows(EVENTS, *events), "終戦": rows(ENDINGS, *ends)}
    return build_calendar(made or plain_settings(), Policies(), tables, own=own)


PLAIN = calendar()


def elapse(start: str, hours: str, plan: Calendar = PLAIN) -> tuple[str, bool]:
    stop, meets = plan.elapse(jst(start), Decimal(hours))
    return stop.tz_convert("Asia/Tokyo").strftime("%m-%d %H:%M:%S"), meets


@pytest.mark.parametrize(
    ("start", "hours", "stop"),
    [
        ("10-12 00:00:00", "72", "10-15 00:00:00"),
        ("10-13 00:00:00", "24", "10-14 00:00:00"),
        ("10-19 00:00:00", "72", "10-22 00:00:00"),
        ("10-16 00:00:00", "72", "10-20 00:00:00"),
        ("10-17 12:00:00", "24", "10-19 12:00:00"),
        ("10-17 23:59:59", "1", "10-19 00:59:59"),
        ("10-18 00:00:00", "1", "10-19 01:00:00"),
        ("10-18 13:00:00", "1", "10-19 01:00:00"),
        ("10-18 23:59:59", "1", "10-19 01:00:00"),
        ("10-13 00:00:00", "1.5", "10-13 01:30:00"),
        ("10-13 00:00:00", "0", "10-13 00:00:00"),
    ],
)
def test_time_stands_still_on_the_rest_day(start: str, hours: str, stop: str) -> None:
    assert elapse(start, hours) == (stop, False)


def test_what_completes_as_the_rest_day_begins_is_complete_there_and_says_so() -> None:
    assert elapse("10-15 00:00:00", "72") == ("10-18 00:00:00", True)
    assert elapse("10-17 00:00:00", "24") == ("10-18 00:00:00", True)
    assert elapse("10-16 23:59:59", "24") == ("10-17 23:59:59", False)
    assert elapse("10-17 00:00:01", "24") == ("10-19 00:00:01", False)


def test_nothing_lasts_beyond_the_end() -> None:
    assert elapse("10-22 00:00:00", "72") == ("10-24 11:59:59", False)
    assert elapse("10-24 00:00:00", "24") == ("10-24 11:59:59", False)
    assert elapse("10-23 11:59:59", "24") == ("10-24 11:59:59", False)
    early = calendar(ends=({"番号": "1", "時刻": "10-16 20:00:00", "確定": "TRUE"},))
    assert elapse("10-15 00:00:00", "72", early) == ("10-16 20:00:00", False)


def test_a_holding_that_an_early_end_cuts_does_not_meet_the_rest_day() -> None:
    early = calendar(ends=({"番号": "1", "時刻": "10-17 23:59:59", "確定": "TRUE"},))
    assert elapse("10-17 00:00:00", "24", early) == ("10-17 23:59:59", False)


def test_two_rest_days_both_stand_still() -> None:
    two = calendar(made=settings(P12={"values": [{"value": ["10-18", "10-20"], "status": "official"}]}))
    assert elapse("10-17 12:00:00", "48", two) == ("10-21 12:00:00", False)
    assert elapse("10-19 00:00:00", "24", two) == ("10-20 00:00:00", True)
    assert [two.is_rest_day(dt.date(2026, 10, day)) for day in (17, 18, 19, 20, 21)] == [
        False,
        True,
        False,
        True,
        False,
    ]


@given(first=st.integers(0, 12 * 24 * 3600), half=st.integers(0, 200), other=st.integers(0, 200))
def test_game_time_adds_up_unless_it_rests_or_ends_in_between(first: int, half: int, other: int) -> None:
    start = jst("10-12 00:00:00") + first * SECOND
    middle, meets = PLAIN.elapse(start, Decimal(half) / 4)
    stop, _meets = PLAIN.elapse(middle, Decimal(other) / 4)
    whole, _meets = PLAIN.elapse(start, Decimal(half + other) / 4)
    assert stop <= PLAIN.end
    if not meets and start <= PLAIN.end:
        assert stop == whole


def test_offsets_are_from_the_day_they_are_about() -> None:
    day = dt.date(2026, 10, 13)
    assert PLAIN.offset("P62", day) == jst("10-12 23:59:59")
    assert PLAIN.offset("P145", day) == jst("10-12 23:59:59")
    assert PLAIN.clocks("P152", day) == (jst("10-13 00:00:00"), jst("10-13 04:59:59"))


@pytest.mark.parametrize(
    ("text", "want"),
    [("-1日 23:59:59", "10-12 23:59:59"), ("0日 05:00:00", "10-13 05:00:00"), ("+2日 00:00", "10-15 00:00:00"),
     ("-2 日 12:00", "10-11 12:00:00"), ("前日 22:00:00", "10-12 22:00:00"), ("eve of the event 22:00:00", "10-12 22:00:00"),
     ("22:00:00", "10-12 22:00:00")],
)  # fmt: skip
def test_an_offset_is_written_in_days_and_a_clock(text: str, want: str) -> None:
    made = calendar(made=settings(P62={"values": [{"value": text, "status": "official"}]}))
    assert made.offset("P62", dt.date(2026, 10, 13)) == jst(want)


@pytest.mark.parametrize("text", ["前の日", "-1日", "-1日 25:00:00", "23時"])
def test_an_offset_that_cannot_be_read_names_its_parameter(text: str) -> None:
    """Where the config is read, before any run."""
    with pytest.raises(ConfigError, match=rf"P62: 「{text}」を.*例 -1日 23:59:59"):
        settings(P62={"values": [{"value": text, "status": "official"}]})


def test_a_list_of_days_may_carry_its_month_on() -> None:
    want = [dt.date(2026, 10, 12), dt.date(2026, 10, 13), dt.date(2026, 11, 1)]
    assert read_dates(["10-12", "10-13", "11-01"], 2026) == want
    assert read_dates(["10/12, 13, 11/1"], 2026) == want
    assert read_dates([], 2026) == []
    with pytest.raises(ValueError, match="「13」は日付ではありません"):
        read_dates(["13"], 2026)


def test_the_printed_events_are_of_four_kinds_and_two_take_signups() -> None:
    kinds = {day.strftime("%m-%d"): event.kind for day, event in PLAIN.events.items()}
    assert kinds == {
        "09-19": "0次", "10-10": "0.5次", "10-12": "通常", "10-13": "通常", "10-14": "星座", "10-15": "通常",
        "10-16": "通常", "10-17": "星座", "10-19": "通常", "10-20": "通常", "10-21": "星座", "10-22": "通常",
        "10-23": "通常", "10-24": "最終",
    }  # fmt: skip
    open_days = [day.strftime("%m-%d") for day, event in PLAIN.events.items() if event.takes_signups]
    assert open_days == [day for day, kind in kinds.items() if kind in ("通常", "星座")]


def test_the_days_of_the_game_are_its_planned_ones_with_the_rest_day() -> None:
    assert (PLAIN.days[0], PLAIN.days[-1], len(PLAIN.days)) == (
        dt.date(2026, 10, 12),
        dt.date(2026, 10, 24),
        13,
    )
    assert PLAIN.rest_days == [dt.date(2026, 10, 18)]
    early = calendar(ends=({"番号": "1", "時刻": "10-20 20:00:00", "確定": "TRUE"},))
    assert early.days == PLAIN.days


def test_a_row_keeps_the_printed_kind_unless_it_names_one() -> None:
    made = calendar(
        {"開催日": "10-13", "集合": "18:00", "集合場所": "広場"}, {"開催日": "10-14", "種類": "通常"}
    )
    event = made.events[dt.date(2026, 10, 13)]
    assert (event.kind, event.gather, event.place, event.cause) == (
        "通常",
        jst("10-13 18:00:00"),
        "広場",
        "マスイベ/10-13",
    )
    assert made.events[dt.date(2026, 10, 14)].kind == "通常"


def test_a_new_day_is_an_event_and_own_rows_replace_the_printed_ones() -> None:
    extra = {"開催日": "10-11", "種類": "通常"}
    assert len(calendar(extra).events) == len(PLAIN.events) + 1
    assert list(calendar(extra, own=True).events) == [dt.date(2026, 10, 11)]
    assert list(calendar(extra).events) == sorted(calendar(extra).events)


def test_a_row_without_a_kind_on_a_day_without_an_event_takes_no_signups() -> None:
    assert not calendar({"開催日": "10-11"}).events[dt.date(2026, 10, 11)].takes_signups


@pytest.mark.parametrize(
    ("row", "want"),
    [
        ({"禁止開始": "17:00", "禁止終了": "20:59:59"}, (jst("10-13 17:00"), jst("10-13 20:59:59"))),
        ({"禁止開始": "17:00"}, None),
        ({"禁止終了": "20:59:59"}, None),
    ],
)
def test_a_prohibited_time_needs_both_its_ends(row: dict[str, str], want: Any) -> None:
    assert calendar({"開催日": "10-13", **row}).events[dt.date(2026, 10, 13)].barred == want


def test_a_result_is_public_from_the_whole_second_of_its_record() -> None:
    made = calendar({"開催日": "10-13", "結果公開時刻": "22:05:20.7"})
    assert made.events[dt.date(2026, 10, 13)].result_at == jst("10-13 22:05:20")


@pytest.mark.parametrize("tick", ["TRUE", "true", "はい", "1", "○"])
def test_an_early_end_counts_once_it_is_confirmed(tick: str) -> None:
    row = {"番号": "1", "時刻": "10-20 19:30:15.9", "確定": tick}
    assert calendar(ends=(row,)).end == jst("10-20 19:30:15")


@pytest.mark.parametrize("tick", ["", "FALSE", " false ", "0", "いいえ"])
def test_an_end_that_nobody_confirmed_is_none(tick: str) -> None:
    assert not is_ticked(tick)
    assert calendar(ends=({"番号": "1", "時刻": "10-20 19:30:15", "確定": tick},)).end == jst(
        "10-24 11:59:59"
    )


def test_of_several_ends_the_earliest_counts() -> None:
    made = calendar(
        ends=(
            {"番号": "1", "時刻": "10-21 10:00:00", "確定": "TRUE"},
            {"番号": "2", "時刻": "10-20 10:00:00", "確定": "TRUE"},
            {"番号": "3", "時刻": "10-13 10:00:00"},
        )
    )
    assert made.end == jst("10-20 10:00:00")


def test_the_day_after_and_the_end_of_a_day() -> None:
    assert day_after(dt.date(2026, 10, 31)) == dt.date(2026, 11, 1)
    assert end_of_day(dt.date(2026, 10, 13), plain_settings().zone) == pd.Timestamp(
        "2026-10-13 15:00", tz="UTC"
    )


def test_a_moved_opening_moves_the_days() -> None:
    made = calendar(made=settings(P8={"values": [{"value": "10-13 09:00:00", "status": "official"}]}))
    assert made.opening == jst("10-13 09:00:00")
    assert made.days[0] == dt.date(2026, 10, 13)
