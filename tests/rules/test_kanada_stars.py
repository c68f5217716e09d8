"""Stars: what a form declares, what a constellation costs, and who owns what when."""

from __future__ import annotations

from typing import Any

import pytest
from builders import READER, SECOND, jst, plain_settings, rows_of

from rules.frames import Finding
from rules.kanada.calendar import build_calendar
from rules.kanada.constellations import (
    Holding,
    acquisition_days,
    find_owned,
    hold_constellations,
    last_acquisition,
    read_catalogue,
    read_ownership,
)
from rules.kanada.policies import Policies
from rules.kanada.replication import Stars, read_keys, read_stars, show_stars
from rules.kanada.sheets import CONSTELLATIONS, EFFECTS, OWNERSHIP
from rules.tables import Row, Table, read_table

CALENDAR = build_calendar(plain_settings(), Policies(), {"マスイベ": [], "終戦": []}, own=False)


def rows(table: Table, *contents: dict[str, str]) -> list[Row]:
    found, findings = read_table(rows_of(table.name, *contents), table, jst("10-25"), READER)
    assert findings == []
    return found


CATALOGUE = read_catalogue(
    rows(
        CONSTELLATIONS,
        {"名称": "竈座", "2等星": "1", "4等星": "2"},
        {"名称": "滝座", "公開時刻": "10-14 10:00:00"},
    ),
    rows(EFFECTS, {"名称": "薪くべ", "星座": "竈座"}, {"名称": "火移し", "星座": "竈座"}, {"名称": "迷い子"}),
    jst("10-03 00:00:00"),
)


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), ("0", 0), ("1", 1), (" 2 ", 2), ("１２", 12), ("007", 7), ("999999", 999_999)],
)
def test_a_declared_number_is_read_in_either_width_and_blank_is_none(text: str, number: int) -> None:
    assert read_stars({"stars_2": text}) == Stars({1: 0, 2: number, 3: 0, 4: 0, 5: 0}, ())


@pytest.mark.parametrize("text", ["一", "-1", "1.0", "1個", "=1", "1 2", "1000000", "二", "x", "①x"])
def test_what_is_no_number_is_a_flaw_of_its_grade_and_counts_as_none(text: str) -> None:
    assert read_stars({"stars_2": text, "stars_3": "1"}) == Stars({1: 0, 2: 0, 3: 1, 4: 0, 5: 0}, (2,))


def test_all_flawed_grades_are_told() -> None:
    assert read_stars({"stars_1": "a", "stars_5": "b"}).unreadable == (1, 5)


def test_stars_are_shown_by_grade_without_those_of_which_there_are_none() -> None:
    assert show_stars({5: 1, 2: 3, 1: 0}) == "2等星3・5等星1"
    assert show_stars({}) == "なし"


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("10月13日", "2026-10-13"),
        ("１０／１３", "2026-10-13"),
        ("10-13", "2026-10-13"),
        ("あした", "あした"),
        ("", ""),
    ],
)
def test_the_key_of_an_application_is_its_day_or_what_was_written(text: str, rest: str) -> None:
    (key,) = read_keys({"date": text}, 2026)
    assert key[0] == rest
    assert (key[1] is None) == (rest == text)


def test_the_catalogue_has_costs_effects_and_the_instant_of_publication() -> None:
    assert CATALOGUE["竈座"].cost == {1: 0, 2: 1, 3: 0, 4: 2, 5: 0}
    assert CATALOGUE["竈座"].effects == ("薪くべ", "火移し")
    assert CATALOGUE["竈座"].published == jst("10-03 00:00:00")
    assert CATALOGUE["滝座"].published == jst("10-14 10:00:00")
    assert CATALOGUE["滝座"].effects == ()


def own(*contents: dict[str, str]) -> tuple[list[Holding], list[Finding]]:
    return read_ownership(rows(OWNERSHIP, *contents), CALENDAR, CATALOGUE)


def row(player: str, name: str, since: str, until: str = "") -> dict[str, str]:
    return {"正式呼称": player, "星座": name, "取得": since, "終了": until}


@pytest.mark.parametrize(
    ("since", "until", "stop"),
    [
        ("10-12 00:00:00", "", "10-15 00:00:00"),
        ("10-15 00:00:00", "", "10-18 00:00:00"),
        ("10-19 00:00:00", "", "10-22 00:00:00"),
        ("10-22 00:00:00", "", "10-24 11:59:59"),
        ("10-12 00:00:00", "10-13 12:00:00", "10-13 12:00:00"),
    ],
)
def test_ownership_lasts_seventy_two_hours_of_the_game_unless_a_row_says_otherwise(
    since: str, until: str, stop: str
) -> None:
    (held,), findings = own(row("甲", "竈座", since, until))
    assert (held.start, held.stop, findings) == (jst(since), jst(stop), [])


@pytest.mark.parametrize(
    ("contents", "codes"),
    [
        ([row("甲", "竈座", "10-12 00:00:00"), row("乙", "竈座", "10-13 00:00:00")], ["owned_by_another"]),
        ([row("甲", "竈座", "10-12 00:00:00"), row("乙", "竈座", "10-15 00:00:00")], []),
        ([row("甲", "竈座", "10-12 00:00:00"), row("甲", "滝座", "10-14 23:59:59")], ["owns_another"]),
        ([row("甲", "竈座", "10-12 00:00:00"), row("甲", "滝座", "10-15 00:00:00")], []),
        ([row("甲", "竈座", "10-12 00:00:00"), row("乙", "滝座", "10-12 00:00:00")], []),
        ([row("甲", "幻座", "10-12 00:00:00")], ["catalogue"]),
    ],
)  # fmt: skip
def test_what_cannot_be_owned_together_is_told(contents: list[dict[str, str]], codes: list[str]) -> None:
    assert [finding.code for finding in own(*contents)[1]] == codes


@pytest.mark.parametrize(("offset", "owned"), [(-1, False), (0, True), (1, True)])
def test_a_constellation_is_owned_from_its_acquisition_on(offset: int, owned: bool) -> None:
    held, _findings = own(row("甲", "竈座", "10-12 00:00:00"))
    assert (find_owned(held, "甲", "竈座", jst("10-12 00:00:00") + offset * SECOND) is not None) is owned


@pytest.mark.parametrize(("offset", "owned"), [(-1, True), (0, False), (1, False)])
def test_a_constellation_is_not_owned_any_more_in_the_instant_of_its_loss(offset: int, owned: bool) -> None:
    held, _findings = own(row("甲", "竈座", "10-12 00:00:00"))
    assert (find_owned(held, "甲", "竈座", jst("10-15 00:00:00") + offset * SECOND) is not None) is owned


def test_one_acquired_again_in_the_instant_of_its_loss_is_owned_and_holdings_are_not_joined() -> None:
    held, findings = own(row("甲", "竈座", "10-12 00:00:00"), row("甲", "竈座", "10-15 00:00:00"))
    again = find_owned(held, "甲", "竈座", jst("10-15 00:00:00"))
    assert again is not None
    assert (again.start, findings) == (jst("10-15 00:00:00"), [])
    assert len([h for h in hold_constellations(held, CATALOGUE) if h.what == "effect/薪くべ"]) == 2


def test_nobody_owns_what_another_does() -> None:
    held, _findings = own(row("甲", "竈座", "10-12 00:00:00"))
    assert find_owned(held, "乙", "竈座", jst("10-13")) is None
    assert find_owned(held, "甲", "滝座", jst("10-13")) is None


def test_a_constellation_brings_its_effects_for_as_long_as_it_is_owned() -> None:
    held, _findings = own(row("甲", "竈座", "10-12 00:00:00"), row("乙", "幻座", "10-12 00:00:00"))
    shown: list[Any] = [
        (h.player, h.what, h.start == held[0].start, h.stop == held[0].stop)
        for h in hold_constellations(held, CATALOGUE)
    ]
    assert shown == [
        ("甲", "constellation/竈座", True, True),
        ("甲", "effect/薪くべ", True, True),
        ("甲", "effect/火移し", True, True),
        ("乙", "constellation/幻座", True, True),
    ]


def test_the_days_of_acquisition_and_the_last_of_them() -> None:
    assert [day.strftime("%m-%d") for day in acquisition_days(CALENDAR)] == [
        "10-12",
        "10-15",
        "10-19",
        "10-22",
    ]
    assert last_acquisition(CALENDAR, jst("10-14 23:59:59")) == jst("10-12 00:00:00")
    assert last_acquisition(CALENDAR, jst("10-15 00:00:00")) == jst("10-15 00:00:00")
    assert last_acquisition(CALENDAR, jst("10-11 23:59:59")) == jst("10-11 23:59:59")
