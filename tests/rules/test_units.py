"""What each unit of a parameter can be read as, and what it says of a text that is not."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from rules.units import Offset, find_misfit, read_clock_range, read_first_day, read_offset

ZONE = ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    ("unit", "good", "bad"),
    [
        ("点", ["0", "50", "-50", "+3"], ["", "1.5", "1e5", "no", "５０", "50点"]),
        ("個", ["3"], ["3.0", "三"]),
        ("時間", ["72", "0.5"], ["-1", "1e2", "72時間", ".5"]),
        ("year", ["2026"], ["26", "20266"]),
        ("clock", ["05:00:00", "5:00", "23:59:59"], ["24:00:00", "29:00:00", "5時", "05:00:00Z"]),
        ("clock range", ["00:00:00-04:59:59", "5:00 〜 6:00"], ["05:00:00", "00:00-25:00", "-"]),
        ("day offset and clock", ["-1日 23:59:59", "前日 22:00", "22:00"], ["前日", "-1日", "-1日 25:00:00"]),
        ("instant", ["10-12 00:00:00", "2026/10/12"], ["10-32 00:00:00", "10-12 24:00:00", "あす"]),
        ("instant range", ["10-10 15:00:00-10-10 17:59:59"], ["", "きのう"]),
        ("dates", ["10-12", "10/12, 13"], ["13", "13-45", ""]),
    ],
)
def test_a_unit_takes_what_its_rules_can_read(unit: str, good: list[str], bad: list[str]) -> None:
    assert [find_misfit(unit, text, ZONE, 2026) for text in good] == [None] * len(good)
    for text in bad:
        misfit = find_misfit(unit, text, ZONE, 2026)
        assert misfit is not None
        assert misfit.startswith(f"「{text}」を{unit}として読めません（例 ")


def test_a_list_is_only_for_units_that_are_one() -> None:
    assert find_misfit("dates", ("10-12", "10-15"), ZONE, 2026) is None
    assert find_misfit("dates", (), ZONE, 2026) is None
    assert find_misfit("list", ("1", "2"), ZONE, 2026) is None
    assert find_misfit("点", ("1", "2"), ZONE, 2026) == "「1、2」を点として読めません（例 50）"
    assert find_misfit("dates", ("10-12", "13-45"), ZONE, 2026) is not None


def test_an_offset_that_names_no_day_says_so() -> None:
    assert read_offset("22:00:00") == Offset(None, dt.time(22))
    assert read_offset("eve of the event 22:00:00") == Offset(-1, dt.time(22))
    assert read_offset("+2 日 0:00") == Offset(2, dt.time())


def test_ranges_give_both_ends_or_the_first_day() -> None:
    assert read_clock_range("00:00:00-04:59:59") == (dt.time(), dt.time(4, 59, 59))
    assert read_first_day("10-10 15:00:00-10-10 17:59:59", 2026) == dt.date(2026, 10, 10)
