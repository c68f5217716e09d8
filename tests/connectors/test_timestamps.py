"""Each way in which Google and spreadsheets write a time, with the exact instant it names."""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.timestamps import parse_timestamp, parse_timestamps

TOKYO = ZoneInfo("Asia/Tokyo")
LONDON = ZoneInfo("Europe/London")
EPOCH = datetime(1899, 12, 30)

READABLE = {
    # the Forms export
    "2020/07/27 3:15:06 午後 GMT+9": "2020-07-27T06:15:06Z",
    "2020/07/27 3:15:06 午前 GMT+9": "2020-07-26T18:15:06Z",
    "2020/07/27 3:15:06 午後 GMT+09:00": "2020-07-27T06:15:06Z",
    "2020/07/27 3:15:06 午後 GMT-3:30": "2020-07-27T18:45:06Z",
    "2020/07/27 3:15:06 午後 UTC+5:45": "2020-07-27T09:30:06Z",
    "2020/07/27 3:15:06 午後 GMT": "2020-07-27T15:15:06Z",
    "2020/07/27 3:15:06 午後 UTC": "2020-07-27T15:15:06Z",
    "2020/07/27 3:15:06 午後 JST": "2020-07-27T06:15:06Z",
    "2020/07/27 3:15:06 PM GMT+9": "2020-07-27T06:15:06Z",
    "2020/07/27 3:15:06\u202fPM GMT+9": "2020-07-27T06:15:06Z",
    "2020/07/27 3:15:06 午後": "2020-07-27T06:15:06Z",
    # noon and midnight
    "2026/10/12 12:00:00 午前": "2026-10-11T15:00:00Z",
    "2026/10/12 12:59:59 午前 GMT+9": "2026-10-11T15:59:59Z",
    "2026/10/12 0:00:00 午前": "2026-10-11T15:00:00Z",
    "2026/10/12 12:00:00 午後": "2026-10-12T03:00:00Z",
    "2026/10/12 0:15:00 午後": "2026-10-12T03:15:00Z",
    "2026/10/12 11:59:59 午後 GMT+9": "2026-10-12T14:59:59Z",
    # the linked tab
    "2026/10/12 23:59:58": "2026-10-12T14:59:58Z",
    "2026/10/12 23:59:59": "2026-10-12T14:59:59Z",
    "2026/10/13 0:00:00": "2026-10-12T15:00:00Z",
    "2026/10/12 午後 11:59:59": "2026-10-12T14:59:59Z",
    "2026/10/12 午後11:59:59": "2026-10-12T14:59:59Z",
    "2026/10/12 午前 0:00:01": "2026-10-11T15:00:01Z",
    "2026/1/2 3:04:05": "2026-01-01T18:04:05Z",
    "2026-01-02 03:04:05": "2026-01-01T18:04:05Z",
    "2026-1-2 3:04:05": "2026-01-01T18:04:05Z",
    " 2026/10/12 23:59:59 ": "2026-10-12T14:59:59Z",
    # ISO 8601
    "2026-10-12T14:59:59Z": "2026-10-12T14:59:59Z",
    "2026-10-12T14:59:59.1Z": "2026-10-12T14:59:59.1Z",
    "2026-10-12T14:59:59.12Z": "2026-10-12T14:59:59.12Z",
    "2026-10-12T14:59:59.123Z": "2026-10-12T14:59:59.123Z",
    "2026-10-12T14:59:59.1234Z": "2026-10-12T14:59:59.1234Z",
    "2026-10-12T14:59:59.12345Z": "2026-10-12T14:59:59.12345Z",
    "2026-10-12T14:59:59.999999Z": "2026-10-12T14:59:59.999999Z",
    "2026-10-12T14:59:59.1234565Z": "2026-10-12T14:59:59.123456Z",
    "2026-10-12T14:59:59.1234575Z": "2026-10-12T14:59:59.123458Z",
    "2026-10-12T14:59:59.12345651Z": "2026-10-12T14:59:59.123457Z",
    "2026-10-12T14:59:59.123456499Z": "2026-10-12T14:59:59.123456Z",
    "2026-10-12T14:59:59.999999500Z": "2026-10-12T15:00:00Z",
    "2026-10-12T23:59:59+09:00": "2026-10-12T14:59:59Z",
    "2026-10-12T23:59:59+0900": "2026-10-12T14:59:59Z",
    "2026-10-12T23:59:59+09": "2026-10-12T14:59:59Z",
    "2026-10-12T10:59:59.5-04:00": "2026-10-12T14:59:59.5Z",
    "2026-10-12 23:59:59 +09:00": "2026-10-12T14:59:59Z",
    "2026-10-12T23:59:59": "2026-10-12T14:59:59Z",
    # serial numbers
    "46307": "2026-10-11T15:00:00Z",
    "46307.5": "2026-10-12T03:00:00Z",
    "46307.99997685185": "2026-10-12T14:59:58Z",
    "46307.99998842592": "2026-10-12T14:59:59Z",
    "46307.99998842593": "2026-10-12T14:59:59Z",
    "46307.9999884259": "2026-10-12T14:59:59Z",
    "46308": "2026-10-12T15:00:00Z",
    "46307.00000000012": "2026-10-11T15:00:00.00001Z",
    "46307.123456789012": "2026-10-11T17:57:46.666571Z",
}

UNREADABLE = [
    "",
    " ",
    "2026/10/12",
    "2026/10/12 23:59",
    "23:59:59",
    "午後 11:59:59",
    "2026/02/29 12:00:00",
    "2026/13/01 12:00:00",
    "2026/00/01 12:00:00",
    "2026/10/12 24:00:00",
    "2026/10/12 23:60:00",
    "2026/10/12 23:59:60",
    "2026/10/12 13:00:00 午後",
    "2026/10/12 午後 1:00:00 午後",
    "2026/10-12 23:59:59",
    "26/10/12 23:59:59",
    "10/12/2026 23:59:59",
    "２０２６/10/12 23:59:59",
    "2026/10/12 ２３:59:59",
    "2026-10-12T14:59:59.1234567890Z",
    "2026-10-12T14:59:59.Z",
    "2026-10-12T14:59:59+15:00",
    "2026-10-12T14:59:59+09:60",
    "0001-01-01T00:00:00+09:00",
    "2026/10/12 23:59:59 EST",
    "2026/10/12 23:59:59 です",
    "2026/10/12 23:59:59\n2026/10/13 00:00:00",
    "0123",
    "46307.",
    "4.6307e4",
    "-46307.5",
    "046307.5",
    "４６３０７",
    "nan",
    "NaT",
    "now",
    "TRUE",
]


@pytest.mark.parametrize(("text", "instant"), READABLE.items())
def test_a_time_is_read_to_the_exact_instant(text: str, instant: str) -> None:
    found = parse_timestamp(text, TOKYO)
    assert found == pd.Timestamp(instant)
    assert found.unit == "us"
    assert str(found.tz) == "UTC"


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_is_no_certain_time_is_not_read(text: str) -> None:
    assert parse_timestamp(text, TOKYO) is None


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026/10/25 0:59:59", "2026-10-24T23:59:59Z"),
        ("2026/10/25 1:00:00", None),
        ("2026/10/25 1:59:59", None),
        ("2026/10/25 2:00:00", "2026-10-25T02:00:00Z"),
        ("2026/10/25 1:30:00 AM BST", "2026-10-25T00:30:00Z"),
        ("2026/10/25 1:30:00 AM GMT", "2026-10-25T01:30:00Z"),
        ("2026/03/29 0:59:59", "2026-03-29T00:59:59Z"),
        ("2026/03/29 1:00:00", None),
        ("2026/03/29 1:59:59", None),
        ("2026/03/29 1:30:00 BST", None),
        ("2026/03/29 2:00:00", "2026-03-29T01:00:00Z"),
        ("46320.0625", None),
        ("46320.125", "2026-10-25T03:00:00Z"),
        ("2026/07/01 12:00:00 JST", None),
    ],
)
def test_an_hour_that_the_clocks_skip_or_repeat_is_not_guessed(text: str, instant: str | None) -> None:
    found = parse_timestamp(text, LONDON)
    assert found == (None if instant is None else pd.Timestamp(instant))


def test_every_second_of_a_day_survives_its_serial_number() -> None:
    start = datetime(2026, 10, 12)
    walls = [start + timedelta(seconds=second) for second in range(86_400)]
    days = (start - EPOCH).days
    expected = pd.Series(walls, dtype="datetime64[us]").dt.tz_localize(TOKYO).dt.tz_convert("UTC")
    for digits in ("{!r}", "{:.11f}", "{:.10f}"):
        serials = [digits.format(days + second / 86_400) for second in range(86_400)]
        assert parse_timestamps(serials, TOKYO).equals(expected), digits


@given(st.integers(0, 86_400_000_000 - 1))
def test_a_serial_number_with_enough_digits_keeps_its_microseconds(span: int) -> None:
    text = f"46307.{int(Fraction(span, 86_400_000_000) * 10**17):017d}"
    found = parse_timestamp(text, TOKYO)
    nearest = round(span / 1000) * 1000
    exact = nearest if abs(span - nearest) <= 2 else span
    assert found == pd.Timestamp("2026-10-11T15:00:00Z") + pd.Timedelta(microseconds=exact)


def test_a_column_is_read_like_its_single_times() -> None:
    texts = [*READABLE, *UNREADABLE]
    column = parse_timestamps(texts, TOKYO)
    assert str(column.dtype) == "datetime64[us, UTC]"
    singles = [parse_timestamp(text, TOKYO) for text in texts]
    assert [None if pd.isna(time) else time for time in column] == singles


def test_an_empty_column_has_the_dtype_of_times() -> None:
    assert str(parse_timestamps([], TOKYO).dtype) == "datetime64[us, UTC]"
