"""Dated parameters: which value is in force, and what a config may lay over it."""

from __future__ import annotations

import pandas as pd
import pytest
from builders import SECOND, jst, plain_settings, settings

from pipeline.settings import ConfigError
from rules.parameters import Parameter, Parameters, Ruleset, Value, find_faults


def made(*values: Value, ruleset: Ruleset = "official") -> Parameters:
    return Parameters({"X": Parameter("X", "t", "１章 点数", "点", values)}, ruleset)


def old(text: str, since: str | None = None) -> Value:
    return Value(jst(since) if since else None, text, "provisional")


def new(text: str, since: str | None = None) -> Value:
    return Value(jst(since) if since else None, text, "official")


def test_a_value_is_in_force_from_its_date_on() -> None:
    both = made(old("1"), old("2", "10-15 00:00:00"))
    change = jst("10-15 00:00:00")
    assert [both.at("X", change + n * SECOND) for n in (-1, 0, 1)] == ["1", "2", "2"]


def test_of_several_dated_values_the_latest_begun_counts_whatever_their_order() -> None:
    values = (old("3", "10-17 00:00:00"), old("1"), old("2", "10-15 00:00:00"))
    assert made(*values).at("X", jst("10-16 00:00:00")) == "2"
    assert made(*values).at("X", jst("10-20 00:00:00")) == "3"


def test_an_official_value_goes_before_a_provisional_one_even_an_older() -> None:
    both = (new("8"), old("9", "10-15 00:00:00"))
    assert made(*both).at("X", jst("10-20 00:00:00")) == "8"
    assert made(*both, ruleset="provisional").at("X", jst("10-20 00:00:00")) == "9"


def test_before_an_official_value_begins_the_provisional_one_holds() -> None:
    both = made(old("1"), new("2", "10-15 00:00:00"))
    assert [both.at("X", jst("10-15 00:00:00") + n * SECOND) for n in (-1, 0)] == ["1", "2"]


def test_the_provisional_ruleset_knows_no_official_value() -> None:
    assert made(new("2"), ruleset="provisional").at("X", jst("10-15 00:00:00")) is None


def test_without_a_value_in_force_there_is_none_and_text_says_which() -> None:
    later = made(old("1", "10-15 00:00:00"))
    assert later.at("X", jst("10-14 00:00:00")) is None
    assert later.texts("X", jst("10-14 00:00:00")) == ()
    with pytest.raises(ValueError, match="X t: no value in force"):
        later.text("X", jst("10-14 00:00:00"))
    with pytest.raises(KeyError):
        later.at("Y", jst("10-14 00:00:00"))


def test_values_are_given_as_text_as_a_whole_number_or_as_a_list() -> None:
    listed = made(Value(None, ("10-12", "10-15"), "provisional"))
    assert listed.texts("X", jst("10-12 00:00:00")) == ("10-12", "10-15")
    assert listed.text("X", jst("10-12 00:00:00")) == "10-12,10-15"
    assert made(old("072")).whole("X", jst("10-12 00:00:00")) == 72
    assert made(old("72")).texts("X", jst("10-12 00:00:00")) == ("72",)


def test_a_dated_value_laid_over_leaves_the_others() -> None:
    laid = made(old("1"), old("2", "10-15 00:00:00")).replaced({"X": [old("3", "10-17 00:00:00")]})
    assert [laid.at("X", jst(day)) for day in ("10-14", "10-16", "10-18")] == ["1", "2", "3"]


def test_a_value_laid_over_the_same_date_replaces_it() -> None:
    laid = made(old("1"), old("2", "10-15 00:00:00")).replaced({"X": [old("3", "10-15 00:00:00")]})
    assert [laid.at("X", jst(day)) for day in ("10-14", "10-16")] == ["1", "3"]


def test_a_value_without_a_date_replaces_all_and_no_other_parameter() -> None:
    base = Parameters({**made(old("1"), new("2")).items, "Y": Parameter("Y", "", "", "", (old("7"),))})
    laid = base.replaced({"X": [old("9")]})
    assert laid.at("X", jst("10-20 00:00:00")) == "9"
    assert laid.items["X"].values == (old("9"),)
    assert laid.at("Y", jst("10-20 00:00:00")) == "7"
    assert base.at("X", jst("10-20 00:00:00")) == "2"


def test_two_values_of_one_date_and_status_are_a_fault() -> None:
    days = [jst("10-13 00:00:00")]
    assert list(find_faults(made(old("1"), new("1")), days)) == []
    twice = list(find_faults(made(old("1"), old("2")), days))
    assert len(twice) == 1
    assert "X" in twice[0]
    dated = list(find_faults(made(old("0"), old("1", "10-13"), old("2", "10-13")), days))
    assert len(dated) == 1


def test_a_day_of_the_game_without_a_value_is_a_fault_and_no_values_at_all_are_none() -> None:
    days = [jst("10-13 00:00:00"), jst("10-15 00:00:00")]
    (fault,) = find_faults(made(old("1", "10-14 00:00:00")), days)
    assert "2026-10-12T15:00:00" in fault
    assert list(find_faults(made(), days)) == []


def test_the_rulebook_has_no_fault_on_any_day_of_the_game() -> None:
    parameters = plain_settings().parameters
    days = list(pd.date_range(jst("10-12 12:00:00"), jst("10-24 12:00:00"), freq="D"))
    assert list(find_faults(parameters, days)) == []
    assert parameters.at("P73", jst("10-20 00:00:00")) is None


def test_a_config_lays_dated_values_over_the_rulebook_and_cannot_name_what_is_not_there() -> None:
    laid = settings(P105={"values": [{"from": "2026-10-19 00:00:00", "value": 48, "status": "official"}]})
    assert laid.parameters.whole("P105", jst("10-15 00:00:00")) == 72
    assert laid.parameters.whole("P105", jst("10-19 00:00:00")) == 48
    with pytest.raises(ConfigError, match="P105"):
        settings(P105={"values": [{"from": "いつか", "value": 48, "status": "official"}]})
    with pytest.raises(ConfigError, match="policies"):
        settings(P999={"values": []})
