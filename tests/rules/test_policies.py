"""How an open point is read: the row's own word, then 方針 by date, then the config, then the default."""

from __future__ import annotations

import pandas as pd
import pytest
from builders import READER, SECOND, jst, rows_of

from rules.kanada.policies import WRONG_WORD, Policies, read_policies
from rules.kanada.sheets import READINGS
from rules.tables import read_table

CHANGE = jst("10-15 00:00:00")


def policies(*rows: tuple[str, str, str], **configured: str) -> Policies:
    contents = [{"番号": number, "読み": reading, "開始": since} for number, reading, since in rows]
    found, findings = read_table(rows_of("方針", *contents), READINGS, jst("10-25"), READER)
    assert findings == []
    return read_policies(found, {key.replace("_", "-"): value for key, value in configured.items()})


def test_an_open_point_has_no_reading_and_the_default_is_asked_for() -> None:
    plain = policies()
    assert plain.settled_reading("A-04", CHANGE, "e") is None
    assert plain.reading("A-04", CHANGE) == 1
    assert plain.reading("A-04", CHANGE, default=2) == 2


@pytest.mark.parametrize(("offset", "reading"), [(-1, None), (0, 2), (1, 2)])
def test_a_reading_of_the_tab_counts_from_its_date_on(offset: int, reading: int | None) -> None:
    assert (
        policies(("A-04", "2", "10-15 00:00:00")).settled_reading("A-04", CHANGE + offset * SECOND) == reading
    )


def test_a_reading_without_a_date_holds_always_until_a_dated_one() -> None:
    dated = ((None, 2), (CHANGE, 1))
    for items in (dated, dated[::-1]):
        both = Policies({"A-04": items})
        assert [both.reading("A-04", CHANGE + n * SECOND) for n in (-1, 0)] == [2, 1]


def test_the_tab_goes_before_the_config_and_the_row_before_both() -> None:
    made = policies(("A-04", "2", "10-15 00:00:00"), A_04="3")
    assert made.reading("A-04", CHANGE - SECOND) == 3
    assert made.reading("A-04", CHANGE) == 2
    own = made.for_entries({"e": 1})
    assert own.reading("A-04", CHANGE, "e") == 1
    assert own.reading("A-04", CHANGE, "f") == 2
    assert own.reading("A-04", CHANGE) == 2


def test_the_tab_has_one_row_a_point_and_the_first_stands() -> None:
    contents = [{"番号": "A-04", "読み": reading} for reading in ("2", "1")]
    found, findings = read_table(rows_of("方針", *contents), READINGS, jst("10-25"), READER)
    assert read_policies(found, {}).reading("A-04", CHANGE) == 2
    assert [finding.code for finding in findings] == ["doubled_key"]


def test_readings_of_other_points_do_not_mix() -> None:
    assert policies(("A-05", "2", "")).settled_reading("A-04", CHANGE) is None


@pytest.mark.parametrize(("word", "taken"), [("not_theirs", False), ("flawed_last", True)])
def test_the_named_policy_settles_whose_a_wrong_word_is(word: str, taken: bool) -> None:
    assert read_policies([], {WRONG_WORD: word}).takes_wrong_word(CHANGE, "e") is taken


@pytest.mark.parametrize(("reading", "taken"), [("1", False), ("2", False), ("3", True)])
def test_the_tab_overrules_the_named_policy(reading: str, taken: bool) -> None:
    rows = [{"番号": "A-32", "読み": reading, "開始": ""}]
    found, _findings = read_table(rows_of("方針", *rows), READINGS, jst("10-25"), READER)
    for word in ("not_theirs", "flawed_last"):
        assert read_policies(found, {WRONG_WORD: word}).takes_wrong_word(CHANGE, "e") is taken


def test_without_any_policy_a_wrong_word_is_not_the_players() -> None:
    assert Policies().takes_wrong_word(pd.Timestamp("2026-10-13", tz="UTC"), "e") is False
