"""Attacks, effects and superiority piece by piece, on both sides of every boundary."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from builders import READER, SECOND, YEAR, ZONE, jst, plain_settings, ready, rows_of

from rules.kanada import attack, grammar
from rules.kanada.balls import Swap, hold_balls, read_swaps
from rules.kanada.board import CORRECTION, REPORT, Post
from rules.kanada.calendar import Calendar
from rules.kanada.constellations import Holding
from rules.kanada.effects import Effect, Held, ask_held, is_fit, read_keys
from rules.kanada.forms import ATTACK
from rules.kanada.grammar import Action, Condition, GrammarError, Limit, Trigger
from rules.kanada.intake import Entry, Fate, Proof
from rules.kanada.reports import (
    Report,
    join_posts,
    match_corrections,
    match_seconds,
    read_freeze,
    read_report,
)
from rules.kanada.sheets import RESULTS, SWAPS
from rules.kanada.strikes import Formed, Past, Ruled, Strike, rule_strike
from rules.kanada.superiority import Scene, Sign, Standing, beats, compare, compare_signs
from rules.tables import Row, read_table

DAY = dt.date(2026, 10, 13)
LATER = jst("10-26 00:00:00")


def clock(text: str) -> pd.Timestamp:
    return jst(f"10-13 {text}")


def entry(name: str, at: pd.Timestamp, player: str = "甲", form: str = "attack") -> Entry:
    return Entry(name, form, name, name, "", None, at, at, at, "", player, {})


def report(
    name: str = "f1", player: str = "甲", target: str = "乙", at: str = "09:00:00", **more: Any
) -> Report:
    """A report whose form came three minutes after its freeze."""
    freeze = clock(at)
    sent = entry(name, freeze + pd.Timedelta(minutes=3), player)
    proof = Proof(player, "星術師", more.pop("proved", True), (), False, "", False)
    fate = Fate(sent, proof, None, sent.submitted_at, "", "", (), False, "", None, None, ())
    facts: dict[str, Any] = {"scholar": False, "given": (), "taken": (), "cells": {}, "content": ""} | more
    return Report(
        fate=fate,
        attacker=player,
        target=target,
        freeze=freeze,
        day=DAY,
        exchange="なし",
        card=False,
        **facts,
    )


def post(
    name: str, at: pd.Timestamp, body: str = "", *, player: str = "甲", number: str = "1",
    named: Sequence[str] = ("甲", "乙"), title: str = REPORT,
) -> Post:  # fmt: skip
    return Post(entry(name, at, player, "board"), number, player, player, title, body, True, tuple(named))


@pytest.mark.parametrize("typed", [["鈴、鈴"], ["鈴", "鈴"], "鈴、鈴", "鈴\n鈴"])
def test_two_balls_of_a_kind_may_be_typed_in_a_line(typed: Any) -> None:
    fate = report().fate
    fate = fate._replace(entry=fate.entry._replace(answers={"balls_given": typed}))
    assert read_report(fate, ATTACK, {}, {}, plain_settings()).given == ("鈴", "鈴")


# --- points -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "won", "lost"),
    [
        ({}, 100, 150),
        ({"a": "5", "b": "1.5", "c": "-10", "d": "0.5"}, 157, 70),
        ({"a": "-1", "b": "1.01", "c": "0.99"}, 99, 150),
        ({"b": "0.29", "d": "0.33"}, 29, 49),
        ({"a": "-101", "c": "-151"}, 0, 0),
        ({"b": "-1", "d": "0"}, 0, 0),
        ({"a": "-200", "b": "-1"}, 100, 150),
        ({"a": "x", "b": " ", "c": "y", "d": ""}, 100, 150),
    ],
)
def test_points_are_exact_cut_and_never_below_zero(cells: Mapping[str, str], won: int, lost: int) -> None:
    numbers = attack.read_numbers(cells)
    assert (attack.attack_points(numbers), attack.victim_points(numbers)) == (won, lost)


# --- the freeze minute ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sent", "freeze"),
    [
        ("09:28:39", "10-13 09:30:00", "10-13 09:28:00"),
        ("９:28", "10-13 09:30:00", "10-13 09:28:00"),
        ("09:30", "10-13 09:30:00", "10-13 09:30:00"),
        ("09:31", "10-13 09:30:59", "10-12 09:31:00"),
        ("23:59", "10-13 00:00:00", "10-12 23:59:00"),
        ("00:00", "10-13 00:00:00", "10-13 00:00:00"),
        ("10-12 09:10:59", "10-13 09:30:00", "10-12 09:10:00"),
    ],
)
def test_a_freeze_is_of_the_day_of_sending_or_the_day_before(text: str, sent: str, freeze: str) -> None:
    assert read_freeze(text, jst(sent), plain_settings()) == jst(freeze)


@pytest.mark.parametrize("text", ["", "朝", "24:00", "09-30"])
def test_a_freeze_that_is_no_time_is_none(text: str) -> None:
    assert read_freeze(text, jst("10-13 09:30:00"), plain_settings()) is None


# --- posts and forms --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "joined"),
    [
        ("08:59:59.999", False), ("09:00:00", True), ("09:29:59", True), ("09:30:00", True),
        ("09:30:00.999", True), ("09:30:01", False),
    ],
)  # fmt: skip
def test_a_post_belongs_to_a_freeze_up_to_thirty_minutes_before_it(at: str, joined: bool) -> None:
    said = post("p1", clock(at))
    found = join_posts([report()], [said])
    assert (found.reports[0].post, found.alone) == ((said, []) if joined else (None, [said]))


def test_the_nearest_freeze_before_the_post_owns_it_and_its_first_post_counts() -> None:
    early, late = report("f1", at="09:00:00"), report("f2", at="09:10:00")
    posts = [post("p1", clock("09:09:59")), post("p2", clock("09:10:00")), post("p3", clock("09:11:00"))]
    found = join_posts([early, late], posts)
    assert [r.post for r in found.reports] == posts[:2]
    assert (found.seconds, found.alone) == ([posts[2]], [])


def test_a_post_without_the_victim_is_joined_by_time_and_marked() -> None:
    found = join_posts([report()], [post("p1", clock("09:02:00"), named=("甲", "丙"))])
    assert found.reports[0].wrong_victim
    both = [post("p1", clock("09:02:00"), named=()), post("p2", clock("09:03:00"))]
    found = join_posts([report()], both)
    assert (found.reports[0].post, found.reports[0].wrong_victim, found.seconds) == (
        both[1],
        False,
        [both[0]],
    )


@pytest.mark.parametrize(
    "said",
    [
        post("p1", clock("09:02:00"), player="丙"),
        post("p1", clock("09:02:00"), player=""),
        post("p1", clock("09:02:00"), title="襲撃報告！"),
    ],
)
def test_a_post_of_somebody_else_or_of_another_title_belongs_to_no_form(said: Post) -> None:
    assert join_posts([report()], [said]).reports[0].post is None


def test_a_form_that_proves_nobody_gets_no_post() -> None:
    said = post("p1", clock("09:02:00"))
    found = join_posts([report(proved=False)], [said])
    assert (found.reports[0].post, found.alone) == (None, [said])


@pytest.mark.parametrize(
    ("at", "fate"),
    [
        ("09:01:59", "no_object"), ("09:02:00", "counts"), ("09:11:59", "counts"), ("09:12:00", "counts"),
        ("09:12:00.999", "counts"), ("09:12:01", "late"),
    ],
)  # fmt: skip
def test_a_correction_counts_for_ten_minutes(at: str, fate: str) -> None:
    said = post("p1", clock("09:02:00"), number="12")
    fix = post("c1", clock(at), "１２番 甲が乙を襲撃！", title=CORRECTION)
    fixes, fates = match_corrections([said], [fix])
    assert (fates, fixes) == ({"c1": fate}, {"p1": fix} if fate == "counts" else {})


@pytest.mark.parametrize(
    ("body", "player", "at", "fate"),
    [
        ("13番", "甲", "09:12:00", "wrong_number"), ("番号なし", "甲", "09:12:00", "wrong_number"),
        ("13番", "甲", "09:12:01", "no_object"), ("12番", "丙", "09:03:00", "no_object"),
    ],
)  # fmt: skip
def test_a_correction_of_nothing(body: str, player: str, at: str, fate: str) -> None:
    said = post("p1", clock("09:02:00"), number="12")
    fix = post("c1", clock(at), body, player=player, title=CORRECTION)
    assert match_corrections([said], [fix]) == ({}, {"c1": fate})


def test_the_first_correction_counts_and_gives_the_body() -> None:
    said = post("p1", clock("09:02:00"), number="12", named=("甲", "丙"))
    fixes = [post(f"c{n}", clock(f"09:0{n}:00"), "12番", title=CORRECTION) for n in (3, 4)]
    found = join_posts([report()], [said, *fixes])
    assert found.corrections == {"c3": "counts", "c4": "second_post"}
    assert (found.reports[0].post, found.reports[0].corrected) == (said, fixes[0])
    assert not found.reports[0].wrong_victim


@pytest.mark.parametrize(("minutes", "same"), [(0, True), (29, True), (30, False)])
def test_forms_less_than_thirty_minutes_apart_speak_of_one_attack(minutes: int, same: bool) -> None:
    twin = report("f2", at=f"09:{minutes:02}:00") if minutes < 60 else report("f2")
    first, second = match_seconds([report("f1"), twin])
    assert (second.first, first.differing) == ("f1" if same else "", ())


def test_a_second_form_that_differs_is_remembered_and_another_target_is_no_second_form() -> None:
    first, second = match_seconds([report("f1", content="x"), report("f2", content="y")])
    assert (first.differing, second.is_second) == (("f2",), True)
    assert not match_seconds([report("f1"), report("f2", target="丙")])[1].is_second
    assert not match_seconds([report("f1", proved=False), report("f2")])[1].is_second


# --- hours ------------------------------------------------------------------------------------------------------------


def calendar() -> Calendar:
    run = ready([], calendar=[{"date": "10-13", "kind": "通常", "prohibited": ["18:00:00", "20:59:59"]},
                              {"date": "10-15", "kind": "通常", "prohibited": ["18:00:00", "21:00:00"]}])  # fmt: skip
    found: Calendar = run.adjudicate().extra.calendar
    return found


def period(start: str, stop: str, *persons: str) -> attack.Period:
    return attack.Period(clock(start), clock(stop), "x", frozenset(persons) if persons else None)


def test_the_last_second_of_maintenance_is_inside_and_the_next_minute_is_free() -> None:
    periods = attack.list_periods(calendar(), [], {}, [])
    barred = {at: attack.find_barred(report(at=at), periods) for at in ("00:00:00", "04:59:00", "05:00:00")}
    assert barred == {"00:00:00": "メンテナンス時間", "04:59:00": "メンテナンス時間", "05:00:00": ""}


@pytest.mark.parametrize(("day", "minute"), [("10-13", "20:59:00"), ("10-15", "20:59:00")])
def test_an_event_bars_up_to_its_printed_end(day: str, minute: str) -> None:
    """Printed :59 the whole second is inside, printed :00 is the first instant outside: 21:00 is free in both."""
    periods = attack.list_periods(calendar(), [], {DAY: ["甲"], DAY.replace(day=15): ["甲"]}, ["学甲"])
    frozen = {
        at: report()._replace(freeze=jst(f"{day} {at}"))
        for at in ("17:59:00", "18:00:00", minute, "21:00:00")
    }
    why = "マスイベの活動禁止時間"
    assert [attack.find_barred(r, periods) for r in frozen.values()] == ["", why, why, ""]
    others = frozen[minute]._replace(attacker="丙")
    assert attack.find_barred(others, periods) == ""
    assert attack.find_barred(others._replace(target="学甲"), periods) == why


def test_a_prohibited_time_of_one_person_bars_attacks_by_and_on_that_person() -> None:
    prohibited, _faults = read_table(
        rows_of("活動禁止時間", {"対象": "乙", "開始": "10-13 09:00:00", "終了": "10-13 09:09:59"},
                {"対象": "丙", "開始": "10-13 10:00:00", "終了": "10-13 10:10:00"}),
        next(t for t in ready([]).game.tables if t.name == "活動禁止時間"), LATER, READER,
    )  # fmt: skip
    periods = attack.list_periods(calendar(), prohibited, {}, [])
    asked = [
        ("甲", "乙", "08:59:00"), ("甲", "乙", "09:00:00"), ("乙", "甲", "09:09:00"), ("甲", "乙", "09:10:00"),
        ("甲", "丁", "09:05:00"), ("甲", "丙", "10:09:00"), ("甲", "丙", "10:10:00"),
    ]  # fmt: skip
    found = [attack.find_barred(report(player=p, target=t, at=at), periods) != "" for p, t, at in asked]
    assert found == [False, True, True, False, False, True, False]


@pytest.mark.parametrize(
    ("release", "into"), [("08:59:59", ""), ("09:09:59", ""), ("09:10:00", "x"), ("09:10:01", "x")]
)
def test_an_attack_runs_into_what_begins_before_or_at_its_release(release: str, into: str) -> None:
    periods = [period("09:10:00", "09:20:00")]
    assert attack.runs_into(report(), clock(release), periods, calendar()) == into
    assert (
        attack.runs_into(report(), clock(release), [period("09:10:00", "09:20:00", "丙")], calendar()) == ""
    )


def test_a_period_that_began_at_the_freeze_is_not_run_into() -> None:
    assert attack.runs_into(report(), clock("09:05:00"), [period("09:00:00", "09:10:00")], calendar()) == ""


def test_an_attack_runs_into_the_end_of_the_game_only_after_it() -> None:
    end = calendar().end
    late = report()._replace(freeze=end.floor("min"))
    assert attack.runs_into(late, end, [], calendar()) == ""
    assert attack.runs_into(late, end + SECOND, [], calendar()) == "終戦"
    assert attack.runs_into(late._replace(freeze=end + SECOND), end + 2 * SECOND, [], calendar()) == ""


@pytest.mark.parametrize(
    ("scholar", "posted", "cells", "release"),
    [
        (False, "09:05:30", {}, "09:06:30"), (False, "09:11:59", {}, "09:12:59"), (False, "09:12:30", {}, "09:13:00"),
        (False, None, {}, "09:13:00"), (True, "09:09:30", {}, "09:10:00"), (True, None, {}, "09:10:00"),
        (False, "09:05:30", {"タッチ時刻": "10-13 09:05:50"}, "09:05:50"),
        (False, "09:05:30", {"成立時刻": "10-13 09:04:00.9"}, "09:05:00"),
        (False, "09:05:30", {"タッチ時刻": "10-13 08:59:00"}, "09:00:00"),
    ],
)  # fmt: skip
def test_both_are_released_a_minute_after_the_post_or_at_the_limit_or_by_touch(
    scholar: bool, posted: str | None, cells: Mapping[str, str], release: str
) -> None:  # fmt: skip
    said = post("p1", clock(posted)) if posted else None
    frozen = report(scholar=scholar, cells=cells)._replace(post=said)
    assert attack.read_timing(frozen, clock("09:00:00"), plain_settings()).release == clock(release)


@pytest.mark.parametrize(
    ("scholar", "posted", "late"),
    [
        (False, "09:13:00", False), (False, "09:13:00.999", False), (False, "09:13:01", True),
        (True, "09:10:00", False), (True, "09:10:01", True),
    ],
)  # fmt: skip
def test_a_post_after_the_limit_waits_for_a_master(scholar: bool, posted: str, late: bool) -> None:
    frozen = report(scholar=scholar)._replace(post=post("p1", clock(posted)))
    timing = attack.read_timing(frozen, clock("09:00:00"), plain_settings())
    assert _blocks(frozen, timing, LATER) == (["touch_late"] if late else [])


@pytest.mark.parametrize(
    ("as_of", "codes"), [("09:30:00", []), ("09:30:00.999", []), ("09:30:01", ["no_post"])]
)
def test_a_missing_post_blocks_from_thirty_minutes_and_a_second(as_of: str, codes: list[str]) -> None:
    timing = attack.read_timing(report(), clock("09:00:00"), plain_settings())
    assert _blocks(report(), timing, clock(as_of)) == codes


def _blocks(frozen: Report, timing: attack.Timing, as_of: pd.Timestamp) -> list[str]:
    return [
        code
        for code, _values in attack.find_blocks(
            frozen, clock("09:00:00"), timing, rivals=[], face=False, into="", as_of=as_of, zone=ZONE
        )
    ]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("09:59:59", "objection"), ("17:59:59", "objection"), ("18:00:00", "objection"),
        ("18:00:00.999", "objection"), ("18:00:01", "objection_late"),
    ],
)  # fmt: skip
def test_an_objection_is_in_time_for_eight_hours_from_that_partys_own_mail(said: str, code: str) -> None:
    for place, header in enumerate(attack.OBJECTIONS):
        frozen = report(cells={header: f"10-13 {said}"})
        receipts: list[pd.Timestamp | None] = [clock("01:00:00"), clock("01:00:00")]
        receipts[place] = clock("10:00:00.5")
        assert [c for c, _v in attack.find_objections(frozen, receipts, plain_settings())] == [code]
        receipts[place] = None
        assert [c for c, _v in attack.find_objections(frozen, receipts, plain_settings())] == ["objection"]


# --- freezes against each other ---------------------------------------------------------------------------------------

OVER = Standing(True, "")


def strike(
    name: str, at: str, who: str = "甲", whom: str = "乙", *, established: str | None = None,
    release: str | None = None, scholar: bool = False, day: dt.date = DAY, standing: Standing | None = OVER,
) -> Strike:  # fmt: skip
    freeze = clock(at)
    until = clock(release) if release else freeze
    posted = clock(established) if established else None
    return Strike(name, who, whom, scholar, day, freeze, until, posted, "", standing, False, "", True)


def against(new: Strike, old: Strike, *, holds: bool = True, waits: bool = False) -> Ruled:
    return rule_strike(new, 3, [], [Formed(old, holds, waits)])


def spoken(ruled: Ruled) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    return [code for code, _values in ruled.codes], ruled.waits_for, ruled.rulings


@pytest.mark.parametrize(
    ("established", "at", "codes", "notes"),
    [
        ("09:28:39", "09:38:00", ["cooldown"], ()), ("09:28:39", "09:39:00", [], ()),
        ("09:28:39", "09:30:00", ["cooldown"], ()), ("09:28:00", "09:37:00", ["cooldown"], ()),
        ("09:28:00", "09:38:00", [], ("A-15",)), ("09:28:00", "09:39:00", [], ()),
        ("09:28:01", "09:38:00", ["cooldown"], ()), ("09:28:01", "09:39:00", [], ()),
    ],
)  # fmt: skip
def test_the_attacked_are_protected_to_the_first_whole_minute_after_ten(
    established: str, at: str, codes: list[str], notes: tuple[str, ...]
) -> None:
    old = strike("a", "09:20:00", established=established, release="09:29:00")
    assert spoken(against(strike("b", at, who="丙"), old)) == (codes, (), notes)


def test_a_cooldown_protects_nobody_else_and_starts_only_from_what_stands() -> None:
    old = strike("a", "09:20:00", established="09:28:39", release="09:29:39")
    assert spoken(against(strike("b", "09:31:00", who="丙", whom="甲"), old)) == ([], (), ())
    assert spoken(against(strike("b", "09:31:00", who="丙", whom="丁"), old)) == ([], (), ())
    assert spoken(against(strike("b", "09:31:00", who="丙"), old, holds=False)) == ([], (), ())
    assert spoken(against(strike("b", "09:31:00", who="丙"), old, waits=True)) == ([], ("a",), ())
    scholar = strike("b", "09:31:00", who="丙", scholar=True)
    assert spoken(against(scholar, old._replace(scholar=True))) == ([], (), ())


@pytest.mark.parametrize(
    ("release", "at", "codes", "notes"),
    [
        ("09:14:00", "09:13:00", ["in_attack"], ()), ("09:14:00", "09:14:00", [], ("A-58",)),
        ("09:14:00", "09:15:00", [], ()), ("09:14:59", "09:13:00", ["in_attack"], ()),
        ("09:14:59", "09:14:00", [], ("A-58",)), ("09:14:59", "09:15:00", [], ()),
    ],
)  # fmt: skip
def test_inside_an_attack_is_before_the_minute_of_its_release(
    release: str, at: str, codes: list[str], notes: tuple[str, ...]
) -> None:
    old = strike("a", "09:02:00", release=release)
    for who, whom in (("丙", "乙"), ("丙", "甲"), ("乙", "丙"), ("甲", "丙")):
        assert spoken(against(strike("b", at, who, whom), old)) == (codes, (), notes)
        waiting = ([], ("a",) if codes else (), notes)
        assert spoken(against(strike("b", at, who, whom), old, waits=True)) == waiting
    assert spoken(against(strike("b", at, "丙", "丁"), old)) == ([], (), ())


def test_a_pair_meets_once_a_day_and_a_scholar_once_a_game() -> None:
    old = strike("a", "09:00:00", established="09:05:00", release="09:06:00")
    assert spoken(against(strike("b", "12:00:00"), old))[0] == ["already_attacked"]
    assert spoken(against(strike("b", "12:00:00", "乙", "甲"), old))[0] == []
    tomorrow = DAY.replace(day=14)
    assert spoken(against(strike("b", "12:00:00", day=tomorrow), old))[0] == []
    again = strike("b", "12:00:00", scholar=True, day=tomorrow)
    assert spoken(against(again, old._replace(scholar=True)))[0] == ["already_attacked"]
    assert spoken(against(again, old._replace(scholar=True), holds=False))[0] == []


def test_a_pair_waits_for_an_open_attack_whose_post_is_missing() -> None:
    assert spoken(against(strike("b", "12:00:00"), strike("a", "09:00:00"), waits=True)) == ([], ("a",), ())


@pytest.mark.parametrize(
    ("rights", "doubtful", "codes", "waits"),
    [(0, [], ["no_right"], ()), (1, [], [], ()), (1, ["a"], [], ("a",)), (2, ["a"], [], ()), (0, ["a"], ["no_right"], ())],
)  # fmt: skip
def test_a_right_is_needed_and_one_in_doubt_is_waited_for(
    rights: int, doubtful: list[str], codes: list[str], waits: tuple[str, ...]
) -> None:
    assert spoken(rule_strike(strike("b", "09:00:00"), rights, doubtful, [])) == (codes, waits, ())


def test_standing_and_hours_speak_against_a_freeze() -> None:
    weak = strike("b", "09:00:00", standing=Standing(False, "弱い"))
    assert spoken(rule_strike(weak._replace(barred="休戦日"), 0, [], []))[0] == [
        "prohibited", "no_right", "not_superior",
    ]  # fmt: skip
    tied = strike("b", "09:00:00", standing=Standing(False, "同じ", "A-16"))
    assert spoken(rule_strike(tied, 1, [], [])) == ([], (), ("!A-16",))


def test_what_can_no_longer_speak_is_forgotten_and_the_pair_is_not() -> None:
    past = Past()
    past.add(Formed(strike("a", "09:00:00", established="09:05:00", release="09:06:00"), True, False))

    def near(at: str, who: str, whom: str) -> list[str]:
        return [f.strike.entry_id for f in past.near(strike("b", at, who, whom))]

    assert near("09:15:00", "丙", "乙") == ["a"]
    assert near("09:16:00", "丙", "乙") == []
    assert near("23:00:00", "甲", "乙") == ["a"]


# --- balls ------------------------------------------------------------------------------------------------------------


def test_of_two_of_a_kind_the_older_one_goes_first() -> None:
    end = jst("10-24 00:00:00")
    young, old = (Holding("甲", "ball/燐光球", clock(at), end, at) for at in ("09:00:00", "08:00:00"))
    swap = Swap(clock("10:00:00"), "甲", "燐光球", "薄明球", "s")
    held, doubtful = hold_balls([young, old], [swap])
    assert held == [
        young,
        old._replace(stop=swap.at),
        Holding("甲", "ball/薄明球", swap.at, end, "s"),
    ]
    assert doubtful == [swap]
    assert hold_balls([old, old], [swap])[1] == []


def test_a_ball_held_no_longer_or_not_yet_does_not_go() -> None:
    end = jst("10-24 00:00:00")
    over = Holding("甲", "ball/燐光球", clock("08:00:00"), clock("10:00:00"), "x")
    coming = over._replace(start=clock("10:00:01"), stop=end)
    swap = Swap(clock("10:00:00"), "甲", "燐光球", "", "s")
    assert hold_balls([over, coming], [swap]) == ([over, coming], [])
    there = coming._replace(start=swap.at)
    assert hold_balls([there], [swap])[0] == [there._replace(stop=swap.at)]


def _swaps(*times: str, attended: str = "出席") -> tuple[list[pd.Timestamp], int]:
    rows = [
        {"番号": str(n), "時刻": at, "正式呼称": "甲", "渡した球": "燐光球"} for n, at in enumerate(times)
    ]
    read: list[list[Row]] = []
    for name, table, contents in (
        ("球交換", SWAPS, rows),
        (
            "マスイベ結果",
            RESULTS,
            [{"開催日": f"10-{n}", "正式呼称": "甲", "出席": attended} for n in (13, 15)],
        ),
    ):
        found, _faults = read_table(rows_of(name, *contents), table, LATER, READER)
        read.append(found)
    swaps, findings = read_swaps(read[0], read[1], calendar())
    return [swap.at for swap in swaps], len(findings)


def test_a_swap_inside_an_event_takes_effect_in_its_last_second() -> None:
    given = ("10-13 17:59:59.9", "10-13 18:00:00", "10-13 20:59:58", "10-13 20:59:59", "10-13 21:00:00",
             "10-15 18:00:00", "10-15 20:59:59", "10-15 21:00:00")  # fmt: skip
    ends, last = jst("10-13 20:59:59"), jst("10-15 20:59:59")
    wanted = [
        jst("10-13 17:59:59"),
        ends,
        ends,
        ends,
        jst("10-13 21:00:00"),
        last,
        last,
        jst("10-15 21:00:00"),
    ]
    assert _swaps(*given) == (wanted, 0)


@pytest.mark.parametrize("attended", ["欠席", ""])
def test_nobody_absent_swaps_inside_an_event(attended: str) -> None:
    given = ("10-13 17:59:59", "10-13 18:00:00", "10-13 21:00:00")
    assert _swaps(*given, attended=attended) == ([jst(given[0]), jst(given[2])], 1)
    assert _swaps(*given, attended="遅刻")[1] == 0


# --- grammar ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "triggers"),
    [
        ("", ()), (" ; ", ()),
        *((word, (Trigger(word),)) for word in ("granted", "attack", "attacked", "observed", "astrology",
                                                "other attack", "exchanged", "end")),
        ("daily 00:00:00", (Trigger("daily", clock=dt.time()),)),
        ("owned 72:00:01", (Trigger("owned", after=dt.timedelta(hours=72, seconds=1)),)),
        ("at 10-13 09:00:00", (Trigger("at", text="10-13 09:00:00"),)),
        ("function 五芒星", (Trigger("function", text="五芒星"),)),
        ("other  attack ;granted", (Trigger("other attack"), Trigger("granted"))),
    ],
)  # fmt: skip
def test_triggers(text: str, triggers: tuple[Trigger, ...]) -> None:
    assert grammar.read_triggers(text) == triggers


@pytest.mark.parametrize(
    "text", ["daily", "daily 24:00:00", "daily 9:00", "at 1-2 09:00:00", "function", "function a b", "Granted", "毎日",
             "granted; x"]
)  # fmt: skip
def test_triggers_outside_the_grammar(text: str) -> None:
    with pytest.raises(GrammarError):
        grammar.read_triggers(text)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("form", Condition("form")), ("not form", Condition("form", negated=True)),
        ("first of day", Condition("first of day")), ("content 大", Condition("content", "大")),
        ("not content 大", Condition("content", "大", True)),
        ("target holds 燐光球", Condition("target holds", "燐光球")),
        ("self holds 竈座", Condition("self holds", "竈座")), ("target is 学者", Condition("target is", "学者")),
    ],
)  # fmt: skip
def test_conditions(text: str, condition: Condition) -> None:
    assert grammar.read_conditions(f"{text};") == (condition,)


@pytest.mark.parametrize("text", ["content", "not", "not not form", "forms", "self 竈座", "form 大"])
def test_conditions_outside_the_grammar(text: str) -> None:
    with pytest.raises(GrammarError):
        grammar.read_conditions(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("points +100", Action("gain", "points", Decimal(100))), ("points -0.5", Action("gain", "points", Decimal("-0.5"))),
        ("points +10%", Action("percent", "points", Decimal(10))), ("star/5 +1", Action("gain", "star/5", Decimal(1))),
        ("right -1", Action("gain", "right", Decimal(-1))), ("target points -50", Action("target", "points", Decimal(-50))),
        ("a +20", Action("add", "a", Decimal(20))), ("c -20", Action("add", "c", Decimal(-20))),
        ("b *1.5", Action("times", "b", Decimal("1.5"))), ("d *-1", Action("times", "d", Decimal(-1))),
        ("opens 竈座", Action("opens", name="竈座")), ("closes 甲", Action("closes", name="甲")),
        ("exchange 2", Action("exchange", amount=Decimal(2))), ("swap", Action("swap")),
        ("note 何か", Action("note", name="何か")),
        ("opens 竈座 for 01:00:00", Action("opens", name="竈座", lasts=dt.timedelta(hours=1))),
        ("a +5 for 00:10:00", Action("add", "a", Decimal(5), lasts=dt.timedelta(minutes=10))),
        ("b *2 for 100:00:00", Action("times", "b", Decimal(2), lasts=dt.timedelta(hours=100))),
    ],
)  # fmt: skip
def test_actions(text: str, action: Action) -> None:
    assert grammar.read_actions(text) == (action,)


@pytest.mark.parametrize(
    "text",
    ["points 100", "points +１００%%", "star/6 +1", "star/0 +1", "e +1", "b +1", "a *2", "opens", "swap 1", "exchange -1",
     "points +1 for 01:00:00", "swap for 01:00:00", "right +1.", "__import__('os')"],
)  # fmt: skip
def test_actions_outside_the_grammar(text: str) -> None:
    with pytest.raises(GrammarError):
        grammar.read_actions(text)


def test_limits() -> None:
    assert grammar.read_limit(" ") is None
    assert grammar.read_limit("-1日 23:59:59") == Limit(-1, dt.time(23, 59, 59))
    assert grammar.read_limit("0日08:00:00") == Limit(0, dt.time(8))
    assert grammar.read_limit("+2日 00:00:00") == Limit(2, dt.time())
    for bad in ("23:59:59", "-1 23:59:59", "-1日", "-1日 24:00:00", "前日 23:59:59"):
        with pytest.raises(GrammarError):
            grammar.read_limit(bad)


# --- effects ----------------------------------------------------------------------------------------------------------

NOON = clock("12:00:00")


def holding(
    start: pd.Timestamp, stop: pd.Timestamp, what: str = "effect/薪くべ", player: str = "甲"
) -> Holding:
    return Holding(player, what, start, stop, "x")


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        ([(-1, 1)], Held(True, False)), ([(0, 1)], Held(True, False)), ([(1, 2)], Held(False, False)),
        ([(-1, 0)], Held(False, False)), ([(-1, 0), (0, 1)], Held(True, True)),
        ([(-2, 0), (0, 1), (-1, 2)], Held(True, False)), ([], Held(False, False)),
    ],
)  # fmt: skip
def test_held_is_end_before_grant_before_activation(held: list[tuple[int, int]], wanted: Held) -> None:
    mine = [holding(NOON + first * SECOND, NOON + last * SECOND) for first, last in held]
    others = [holding(NOON - SECOND, NOON + SECOND, player="乙"), holding(NOON, NOON + SECOND, "effect/別")]
    assert ask_held([*mine, *others], "甲", "薪くべ", NOON, NOON) == wanted


@pytest.mark.parametrize(("first", "held"), [(5, True), (9, True), (10, False), (11, False)])
def test_an_effect_that_waits_for_something_may_be_granted_before_the_day_is_over(
    first: int, held: bool
) -> None:
    mine = [holding(NOON + first * SECOND, NOON + 100 * SECOND)]
    assert ask_held(mine, "甲", "薪くべ", NOON, NOON + 10 * SECOND).held == held


@pytest.mark.parametrize(
    ("text", "wanted", "fits"),
    [
        ("なんでも", "文", True), ("３", "数", True), ("三", "数", False), ("-1", "数", False), ("大", "大|小", True),
        ("中", "大|小", False), ("大|小", "大|小", False), ("竈座", "座", True), ("竈", "座", False),
    ],
)  # fmt: skip
def test_a_content_has_its_shape(text: str, wanted: str, fits: bool) -> None:
    assert is_fit(text, wanted, {"座": frozenset({"竈座"})}) == fits


def test_blocks_are_keys_of_their_own_and_contradictions_clash() -> None:
    answers = {"date_1": "10-13", "effect_1": "薪くべ", "content_1": "大", "date_2": "１０/１３", "effect_2": "薪くべ",
               "content_2": "小", "date_3": "10-13", "effect_3": "灰", "date_4": "あす", "effect_4": "灰",
               "date_5": "10-14"}  # fmt: skip
    found = list(read_keys(answers, YEAR))
    assert [(k.rest, k.day is not None, k.part, k.clashes) for k in found] == [
        ("2026-10-13/薪くべ", True, 1, True), ("2026-10-13/灰", True, 3, False), ("あす/灰", False, 4, False),
        ("2026-10-14/", False, 5, False),
    ]  # fmt: skip
    assert [key.rest for key in read_keys({}, YEAR)] == ["/"]


# --- superiority ------------------------------------------------------------------------------------------------------

FIRE, FIRE2, FIRE2B, FIRE0 = (Sign(f"炎{r}", "炎", "", r) for r in (1, 2, 2, None))
WATER, WOOD, DARK = Sign("水座", "水", "", 1), Sign("森座", "森", "", 1), Sign("闇座", "闇", "", 1)
LIT, LIT_DARK = Sign("光座", "炎", "光", 3), Sign("闇光座", "闇", "光", 2)
SIGNS = {s.name: s for s in (FIRE, FIRE2, FIRE0, WATER, WOOD, DARK, LIT, LIT_DARK)}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FIRE, WOOD),
        (WATER, FIRE),
        (WOOD, WATER),
        (DARK, FIRE),
        (DARK, WATER),
        (DARK, WOOD),
        (LIT, DARK),
        (WATER, LIT),
    ],
)
def test_attributes_beat_one_way_and_light_goes_before_dark(one: Sign, other: Sign) -> None:
    assert beats(one, other)
    assert not beats(other, one)
    assert compare_signs(one, other).superior
    assert not compare_signs(other, one).superior


def test_inside_one_attribute_the_lower_number_wins_and_equal_ranks_are_never_ordered() -> None:
    assert [compare_signs(a, b).superior for a, b in ((FIRE, FIRE2), (FIRE2, FIRE), (FIRE2, LIT))] == [
        True,
        False,
        True,
    ]
    for one, other in ((FIRE2, FIRE2B), (FIRE2B, FIRE2), (FIRE, FIRE0), (FIRE0, FIRE), (FIRE, FIRE)):
        assert compare_signs(one, other)[::2] == (False, "A-16")
    for mine, theirs in ((None, FIRE), (FIRE, None), (None, None)):
        assert compare_signs(mine, theirs)[::2] == (False, "")


def _effect(name: str, *actions: Action, form: bool = False) -> Effect:
    conditions = (Condition("form"),) if form else ()
    return Effect(name, "", None, "", (Trigger("attack"),), conditions, actions, "", "", name)


def standing(
    mine: Sign | None, theirs: Sign | None, *held: tuple[str, Effect], forms: Sequence[tuple[str, str]] = ()
) -> tuple[bool, str]:
    start, stop = NOON, NOON + SECOND
    signs = [("甲", mine), ("乙", theirs)]
    holdings = [holding(start, stop, f"constellation/{s.name}", who) for who, s in signs if s is not None]
    holdings += [holding(start, stop, f"effect/{effect.name}", who) for who, effect in held]
    catalogue = {effect.name: effect for _who, effect in held}
    scene = Scene(NOON, holdings, SIGNS, catalogue, frozenset(forms))
    found = compare(scene, "甲", "乙")
    before = scene._replace(instant=NOON - SECOND)
    after = scene._replace(instant=stop)
    for outside in (before, after):
        assert compare(outside, "甲", "乙") == Standing(False, "星座を所有していません")
    return found.superior, found.ruling


OPENS_NAME, OPENS_SIGN = (
    _effect("名", Action("opens", name="乙")),
    _effect("座", Action("opens", name="水座")),
)
OPENS_BACK, CLOSES = _effect("返", Action("opens", name="甲")), _effect("閉", Action("closes", name="乙"))


def test_an_effect_opens_a_person_or_whoever_holds_a_constellation() -> None:
    assert standing(FIRE, WATER) == (False, "")
    assert standing(FIRE, WATER, ("甲", OPENS_NAME)) == (True, "")
    assert standing(FIRE, WATER, ("甲", OPENS_SIGN)) == (True, "")
    assert standing(FIRE, DARK, ("甲", OPENS_SIGN)) == (False, "")
    assert standing(None, WATER, ("甲", OPENS_SIGN)) == (True, "")
    assert standing(FIRE, WATER, ("乙", OPENS_NAME)) == (False, "")


def test_an_effect_that_asks_for_a_form_opens_only_with_it() -> None:
    asking = _effect("問", Action("opens", name="乙"), form=True)
    assert standing(FIRE, WATER, ("甲", asking)) == (False, "")
    assert standing(FIRE, WATER, ("甲", asking), forms=[("乙", "問")]) == (False, "")
    assert standing(FIRE, WATER, ("甲", asking), forms=[("甲", "問")]) == (True, "")


def test_whoever_can_attack_back_by_effect_alone_is_barred() -> None:
    assert standing(FIRE, WOOD) == (True, "")
    assert standing(FIRE, WOOD, ("乙", OPENS_BACK)) == (False, "")
    assert standing(WOOD, FIRE, ("乙", OPENS_BACK)) == (False, "")


def test_open_to_each_other_by_effect_alone_waits_and_by_attribute_does_not() -> None:
    both = (("甲", OPENS_NAME), ("乙", OPENS_BACK))
    assert standing(FIRE2, FIRE2, *both) == (False, "A-17")
    # 乙 stands over 甲 by attribute already, so that its own effect opens nothing: only 甲 opens by ③.
    assert standing(LIT_DARK, LIT, *both) == (True, "")
    assert standing(FIRE, WATER, *both) == (True, "")


def test_what_is_closed_is_closed_before_all_else() -> None:
    assert standing(FIRE, WOOD, ("甲", CLOSES)) == (False, "")
    assert standing(FIRE, WOOD, ("甲", CLOSES), ("甲", OPENS_NAME)) == (False, "")
