"""The fold over a 13-day game: events a second on one core, and memory per event.

    python benchmarks/bench_fold.py            # 20,000 events, then ten times as many

The games are made up: 100 players, gains all day, replications each eve, attacks that form, fail and cool down.
"""

from __future__ import annotations

import datetime as dt
import random
import time
import tracemalloc
from collections.abc import Iterator

import pandas as pd

from rules.kanada.book import Attack, Bid
from rules.kanada.fold import play
from rules.kanada.phases import ATTACK, GAIN
from rules.kanada.results import Gain
from rules.kanada.strikes import Strike
from rules.kanada.superiority import Standing
from rules.postings import Posting

PLAYERS = [f"player{number:03d}" for number in range(100)]
START = pd.Timestamp("2026-10-12T05:00:00+09:00").tz_convert("UTC").as_unit("us")
DAYS = 13
YES = Standing(True, "given")


def make_game(events: int, seed: int = 1) -> tuple[list[Gain], list[Bid], list[Attack]]:
    """As many events as asked for: six gains to three attacks to one replication."""
    draw = random.Random(seed)
    gains = [Gain(posting) for posting in _make_gains(events * 6 // 10, draw)]
    attacks = [_make_attack(number, draw) for number in range(events * 3 // 10)]
    bids = [_make_bid(number, draw) for number in range(events - len(gains) - len(attacks))]
    return gains, bids, attacks


def _make_gains(number: int, draw: random.Random) -> Iterator[Posting]:
    for _ in range(number):
        instant = START + pd.Timedelta(seconds=draw.randrange(DAYS * 86_400))
        account, amount = draw.choice((("points", 30), ("star/2", 1), ("star/3", 1), ("right", 1)))
        yield Posting(instant, GAIN, draw.choice(PLAYERS), account, amount, "gain", "bench", "")


def _make_attack(number: int, draw: random.Random) -> Attack:
    attacker, target = draw.sample(PLAYERS, 2)
    day = draw.randrange(DAYS)
    freeze = START + pd.Timedelta(days=day, minutes=draw.randrange(18 * 60))
    established = freeze + pd.Timedelta(minutes=8, seconds=draw.randrange(60))
    strike = Strike(
        f"attack-{number}", attacker, target, False, dt.date(2026, 10, 12) + dt.timedelta(days=day), freeze,
        established + pd.Timedelta(minutes=1), established, "", YES, False, "", True,
    )  # fmt: skip
    won = Posting(established, ATTACK, attacker, "points", 100, strike.entry_id, "bench", "")
    lost = won._replace(player=target, amount=-150)
    return Attack(strike, (Gain(won), Gain(lost)))


def _make_bid(number: int, draw: random.Random) -> Bid:
    day = draw.randrange(DAYS)
    instant = START + pd.Timedelta(days=day, hours=18, minutes=59, seconds=59)
    cost = {2: 1, 3: draw.randrange(3)}
    date = dt.date(2026, 10, 13) + dt.timedelta(days=day)
    return Bid(f"replication-{number}", draw.choice(PLAYERS), date, instant, cost, False, True, False)


def measure(events: int) -> None:
    gains, bids, attacks = make_game(events)
    end = START + pd.Timedelta(days=DAYS + 1)
    times = []
    for _ in range(3):
        start = time.process_time()
        played = play(gains, bids, (), None, end, attacks=attacks)
        times.append(time.process_time() - start)
    tracemalloc.start()
    play(gains, bids, (), None, end, attacks=attacks)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    best = sorted(times)[1]
    formed = sum(1 for answer in played.ruled.values() if not answer.codes)
    print(
        f"{events:>7,} events  {best:6.2f} s  {events / best:>9,.0f} events/s  {peak / events:6.0f} B/event"
        f"  ({formed} of {len(attacks)} freezes formed, {len(played.postings)} postings)"
    )


if __name__ == "__main__":
    for size in (20_000, 200_000):
        measure(size)
