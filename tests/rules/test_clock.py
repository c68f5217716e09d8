"""Instants as text: what is read, what is refused, and what comes out again."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from builders import YEAR, ZONE, jst
from hypothesis import given
from hypothesis import strategies as st

from rules.clock import (
    at,
    floor_second,
    local_day,
    midnight,
    read_clock,
    read_date,
    read_instant,
    show_day,
    show_instant,
    show_short,
    utc,
)


@pytest.mark.parametrize(
    "text",
    ["2026-10-13", "10-13", "10/13", "10.13", "10月13日", "2026/10/13", "2026年10月13日", " 10月13日(火) ", "10/13（火）",
     "2026-10-13 00:00:00", "10-13 00:00"],
)  # fmt: skip
def test_dates_of_every_hand_are_read(text: str) -> None:
    assert read_date(text, YEAR) == dt.date(2026, 10, 13)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "未定",
        "13",
        "10-32",
        "2-30",
        "13-1",
        "10-13 18:00",
        "10-13x",
        "10-13-14",
        "二〇二六-10-13",
        "2026-10",
        "1969-12-31",
        "2200-01-01",
        "0001-01-01",
    ],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_date(text, YEAR) is None


def test_a_date_without_a_year_is_of_the_year_given() -> None:
    assert read_date("2-29", 2028) == dt.date(2028, 2, 29)
    assert read_date("2-29", 2026) is None
    assert read_date("2025-10-13", 2026) == dt.date(2025, 10, 13)


def test_a_time_of_day_is_read_with_and_without_seconds() -> None:
    assert read_clock("18:00") == dt.time(18)
    assert read_clock(" 8:05:09 ") == dt.time(8, 5, 9)
    assert read_clock("23:59:59.5") == dt.time(23, 59, 59, 500_000)
    for text in ("", "24:00", "18", "18:60", "18:00:60", "18:00Z", "18:00+09:00", "１８:00"):
        assert read_clock(text) is None, text


def test_an_instant_is_in_the_zone_unless_it_carries_an_offset() -> None:
    want = pd.Timestamp("2026-10-12 14:59:59", tz="UTC")
    for text in (
        "2026-10-12 23:59:59", "10-12 23:59:59", "10/12T23:59:59", "2026-10-12T14:59:59Z", "2026-10-12T14:59:59+00:00",
        "2026-10-12 23:59:59+0900", "10月12日　23:59:59",
    ):  # fmt: skip
        assert read_instant(text, ZONE, YEAR) == want, text


def test_a_date_alone_is_its_midnight() -> None:
    assert read_instant("10-13", ZONE, YEAR) == pd.Timestamp("2026-10-12 15:00:00", tz="UTC")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "18:00",
        "10-13 25:00",
        "10-13 18",
        "10-13 18:00 頃",
        "あした",
        "10-40 00:00",
        "10-13 18:00+25:00",
        "10-13 18:00-99:99",
    ],
)
def test_what_is_no_instant_is_none(text: str) -> None:
    assert read_instant(text, ZONE, YEAR) is None


def test_fractions_are_kept_to_the_microsecond_and_never_reach_the_next_second() -> None:
    assert jst("10-12 23:59:59.999999") - jst("10-12 23:59:59") == pd.Timedelta(microseconds=999_999)
    assert jst("10-12 23:59:59.9999999") == jst("10-12 23:59:59.999999")
    assert jst("10-12 23:59:59.5") == jst("10-12 23:59:59") + pd.Timedelta(milliseconds=500)
    assert jst("10-12 23:59:59").unit == "us"


def test_flooring_drops_the_fraction_only() -> None:
    for text in ("10-12 23:59:59", "10-12 23:59:59.000001", "10-12 23:59:59.999999"):
        assert floor_second(jst(text)) == jst("10-12 23:59:59")
    assert floor_second(jst("10-13 00:00:00")) == jst("10-13 00:00:00")


def test_the_local_day_changes_at_local_midnight() -> None:
    assert local_day(jst("10-12 23:59:59.999999"), ZONE) == dt.date(2026, 10, 12)
    assert local_day(jst("10-13 00:00:00"), ZONE) == dt.date(2026, 10, 13)
    assert midnight(dt.date(2026, 10, 13), ZONE) == jst("10-13 00:00:00")
    assert at(dt.date(2026, 10, 13), dt.time(5), ZONE) == jst("10-13 05:00:00")


def test_a_zone_with_summer_time_is_read_by_its_own_offset_of_that_day() -> None:
    london = ZoneInfo("Europe/London")
    assert read_instant("10-24 12:00:00", london, 2026) == pd.Timestamp("2026-10-24 11:00:00", tz="UTC")
    assert read_instant("10-26 12:00:00", london, 2026) == pd.Timestamp("2026-10-26 12:00:00", tz="UTC")


def test_instants_are_shown_in_the_zone() -> None:
    assert show_instant(jst("10-13 05:00:00"), ZONE) == "2026-10-13 05:00:00"
    assert show_instant(jst("10-13 00:00:00"), ZONE) == "2026-10-13 00:00:00"
    assert show_instant(jst("10-12 23:59:59.500"), ZONE) == "2026-10-12 23:59:59.5"
    assert show_instant(None, ZONE, "—") == "—"
    assert show_instant(pd.NaT, ZONE) == ""
    assert show_day(dt.date(2026, 10, 3)) == "10月3日"
    assert show_short(jst("10-13 05:00:00"), ZONE) == "10月13日 05:00"
    assert show_short(jst("10-13 04:59:59"), ZONE) == "10月13日 04:59:59"


@given(st.datetimes(dt.datetime(2000, 1, 1), dt.datetime(2099, 12, 31)))
def test_what_is_shown_is_read_back_to_the_microsecond(moment: dt.datetime) -> None:
    instant = utc(pd.Timestamp(moment, tz=ZONE))
    assert read_instant(show_instant(instant, ZONE), ZONE, 1999) == instant
