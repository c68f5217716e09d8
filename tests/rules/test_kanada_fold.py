"""The fold: the order within a second, and what must wait for what."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pandas as pd
import pytest
from builders import SECOND, jst

from rules.game import Opening
from rules.kanada.book import Answer, Bid, Played
from rules.kanada.fold import play
from rules.kanada.phases import GAIN, RIGHT_GRANTED
from rules.kanada.results import Gain
from rules.postings import Posting

EVE = jst("10-12 23:59:59")
LATE = jst("10-20 00:00:00")
OPENING = Opening(jst("10-12 00:00:00"), {("甲", "star/2"): 1})


def gain(amount: int, at: pd.Timestamp, waits: str = "", account: str = "star/2", phase: int = GAIN) -> Gain:
    return Gain(Posting(at, phase, "甲", account, amount, f"g{amount}", "r", "４章 恒星"), waits)


def bid(
    name: str = "a", need: int = 1, at: pd.Timestamp = EVE, *, forced: bool = False, decided: bool = True,
    held: bool = False, ghost: bool = False, day: int = 13, grade: int = 2,
) -> Bid:  # fmt: skip
    return Bid(name, "甲", dt.date(2026, 10, day), at, {grade: need, 5: 0}, forced, decided, held, ghost)


def run(
    bids: Sequence[Bid] = (),
    gains: Sequence[Gain] = (),
    opening: Opening | None = OPENING,
    as_of: pd.Timestamp = LATE,
) -> Played:
    return play(gains, bids, [], opening, as_of)


def left(played: Played, account: str = "star/2") -> int:
    return played.balances.get(("甲", account), 0)


def test_an_accepted_bid_takes_its_cost_grade_by_grade() -> None:
    played = run([bid()])
    assert played.answers["a"] == Answer(True, {2: 1, 5: 0}, ())
    assert [(p.at, p.account, p.amount, p.cause, p.rule) for p in played.postings] == [
        (EVE, "star/2", -1, "a", "replication_cost")
    ]
    assert left(played) == 0


def test_a_bid_that_the_stars_do_not_allow_takes_nothing() -> None:
    played = run([bid(need=2)])
    assert (played.answers["a"], played.postings, left(played)) == (Answer(False, {2: 1, 5: 0}, ()), [], 1)


@pytest.mark.parametrize(("offset", "enough"), [(-1, True), (0, True), (1, False)])
def test_what_is_gained_in_the_very_second_of_spending_may_be_spent(offset: int, enough: bool) -> None:
    assert run([bid(need=2)], [gain(1, EVE + offset * SECOND)]).answers["a"].enough is enough


def test_what_is_spent_on_one_day_is_missing_on_the_next() -> None:
    played = run([bid("b", at=EVE + pd.Timedelta(days=1), day=14), bid("a")])
    assert (played.answers["a"].enough, played.answers["b"].enough) == (True, False)


def test_a_bid_that_masters_forced_spends_below_zero() -> None:
    played = run([bid(need=3, forced=True)])
    assert (left(played), played.answers["a"].enough) == (-2, False)


def test_a_ghost_is_answered_and_takes_nothing() -> None:
    played = run([bid(ghost=True), bid("b", at=EVE + SECOND)])
    assert (played.answers["a"].enough, played.answers["b"].enough, left(played)) == (True, True, 0)


def test_an_undecided_bid_takes_nothing_yet() -> None:
    played = run([bid(decided=False)])
    assert (played.answers["a"].enough, left(played)) == (True, 1)


class TestWaiting:
    NEXT = EVE + pd.Timedelta(days=1)

    def after(self, first: Bid, need: int = 1, stars: int = 1, gains: Sequence[Gain] = ()) -> Answer:
        opening = Opening(OPENING.at, {("甲", "star/2"): stars})
        return run([first, bid("b", need, self.NEXT, day=14)], gains, opening).answers["b"]

    def test_what_depends_on_an_open_bid_waits_and_names_it(self) -> None:
        assert self.after(bid(held=True)) == Answer(False, {2: 1, 5: 0}, ("a",))

    def test_what_is_enough_even_if_the_open_bid_takes_its_stars_does_not_wait(self) -> None:
        assert self.after(bid(held=True), stars=2) == Answer(True, {2: 2, 5: 0}, ())

    def test_what_is_too_few_even_if_the_open_bid_takes_nothing_does_not_wait(self) -> None:
        assert self.after(bid(held=True), need=2) == Answer(False, {2: 1, 5: 0}, ())

    def test_of_several_open_bids_of_one_day_only_one_can_take(self) -> None:
        opening = Opening(OPENING.at, {("甲", "star/2"): 2})
        same = [bid("a", held=True), bid("c", held=True)]
        assert run([*same, bid("b", 1, self.NEXT, day=14)], (), opening).answers["b"].enough
        other = [bid("a", held=True), bid("c", held=True, at=EVE - pd.Timedelta(days=1), day=12)]
        answer = run([*other, bid("b", 1, self.NEXT, day=14)], (), opening).answers["b"]
        assert (answer.enough, set(answer.waits_for)) == (False, {"a", "c"})

    def test_of_several_open_bids_of_one_day_the_dearest_may_be_the_one_that_takes(self) -> None:
        opening = Opening(OPENING.at, {("甲", "star/2"): 3})
        same = [bid("a", 1, held=True), bid("c", 2, held=True)]
        assert not run([*same, bid("b", 2, self.NEXT, day=14)], (), opening).answers["b"].enough
        assert run([*same, bid("b", 1, self.NEXT, day=14)], (), opening).answers["b"].enough

    def test_what_waits_makes_the_next_wait_too(self) -> None:
        bids = [
            bid(held=True),
            bid("b", 1, self.NEXT, day=14),
            bid("c", 1, self.NEXT + pd.Timedelta(days=1), day=15),
        ]
        assert set(run(bids).answers["c"].waits_for) == {"a", "b"}

    def test_a_gain_that_waits_may_come_or_not(self) -> None:
        waiting = [gain(1, EVE, waits="s")]
        assert run([bid(need=2)], waiting).answers["a"] == Answer(False, {2: 1, 5: 0}, ("s",))
        assert run([bid(need=1)], waiting).answers["a"] == Answer(True, {2: 1, 5: 0}, ())
        assert run([bid(need=3)], waiting).answers["a"] == Answer(False, {2: 1, 5: 0}, ())
        assert run([], waiting).postings == []

    def test_a_loss_that_waits_may_come_or_not(self) -> None:
        waiting = [gain(-1, EVE, waits="s")]
        assert run([bid(need=1)], waiting).answers["a"] == Answer(False, {2: 1, 5: 0}, ("s",))

    def test_only_what_touches_the_same_account_makes_wait(self) -> None:
        assert self.after(bid(held=True, grade=3)) == Answer(True, {2: 1, 5: 0}, ())

    def test_another_grade_that_is_short_for_certain_settles_it(self) -> None:
        both = Bid("b", "甲", dt.date(2026, 10, 14), self.NEXT, {2: 1, 3: 1}, False, True, False)
        assert run([bid(held=True), both]).answers["b"] == Answer(False, {2: 1, 3: 0}, ())


def test_with_an_opening_nothing_is_posted_at_or_before_it() -> None:
    gains = [gain(1, OPENING.at), gain(2, OPENING.at + SECOND), gain(4, OPENING.at - SECOND)]
    played = run([], gains)
    assert ([p.amount for p in played.postings], left(played)) == ([2], 3)
    assert left(run([], gains, opening=None)) == 7


def test_nothing_is_gained_after_the_instant_asked_for() -> None:
    gains = [gain(1, EVE), gain(2, EVE + SECOND)]
    assert [p.amount for p in run([], gains, as_of=EVE).postings] == [1]


def test_rights_left_over_are_lost_and_no_more() -> None:
    rights = [gain(3, EVE - pd.Timedelta(hours=19), account="right", phase=RIGHT_GRANTED)]
    played = play(rights, [], [(EVE, "甲"), (EVE, "乙"), (EVE + SECOND, "甲")], None, LATE)
    assert [(p.at, p.player, p.amount) for p in played.postings if p.rule == "right_lost"] == [
        (EVE, "甲", -3)
    ]
    assert left(played, "right") == 0


def test_the_order_in_which_things_are_handed_over_matters_not() -> None:
    bids = [bid("a"), bid("b", 1, EVE, day=14), bid("c", 1, EVE - SECOND, day=12)]
    gains = [gain(1, EVE), gain(1, EVE - SECOND, waits="s")]
    one, two = run(bids, gains), run(bids[::-1], gains[::-1])
    assert dict(one.answers) == dict(two.answers)
    assert sorted(p.posting_id for p in one.postings) == sorted(p.posting_id for p in two.postings)
