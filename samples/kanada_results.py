"""What the masters typed after each event of the sample, and the gains of stars that follow from it and from 補正.

Promises: only names on an event's list have a row; blank stands for nothing. Refuses to know: who spends what.
"""

from __future__ import annotations

import random
from datetime import datetime
from typing import NamedTuple

from kanada_calendar import ADJUSTMENTS, HELD, Event
from kanada_forms import read_instant
from kanada_people import SORCERERS
from kanada_signups import COMES_TO
from kanada_stars import GRADES

# The stars of a place, 1等星 first; places further down get the last entry. The first place of the later events
# gets a 1等星 too (BEST).
PRIZES = ("01110", "01011", "01011", "00112", "00112", "00112", "00112", "00023")
BEST, BEST_FROM = "10110", "10-14"


class Gain(NamedTuple):
    """Stars that one sorcerer gets at one instant."""

    at: datetime
    name: str
    grade: int
    amount: int


def build_results(expected: dict[str, list[str]]) -> tuple[list[tuple[str, ...]], list[Gain]]:
    """Return the rows of マスイベ結果 and every gain of stars, those of 補正 included."""
    rng = random.Random("kanada results")
    rows, gains = _list_early(rng), _list_adjusted()
    for event in HELD:
        published = event.published_at
        for name, presence, place in _rank(event, expected[event.day], rng):
            prize = _choose_prize(event.day, place)
            points = _print_points(place) if place else ""
            stars = tuple(digit if digit != "0" else "" for digit in prize)
            rows.append((f"2026-{event.day}", name, presence, str(place or ""), points, *stars))
            if published is not None:
                gains += [
                    Gain(published, name, g, int(n)) for g, n in zip(GRADES, prize, strict=True) if n != "0"
                ]
    return rows, gains


def _rank(event: Event, expected: list[str], rng: random.Random) -> list[tuple[str, str, int]]:
    """Choose who was absent (place 0) and who was late; the rest is the order of the event."""
    free = [name for name in expected if name not in COMES_TO.get(event.day, ())]
    absent, late = rng.sample(free, 2)
    present = [name for name in expected if name != absent]
    rng.shuffle(present)
    places = {name: place for place, name in enumerate(present, start=1)}
    words = {absent: "欠席", late: "遅刻"}
    return [(name, words.get(name, "出席"), places.get(name, 0)) for name in expected]


def _choose_prize(day: str, place: int) -> str:
    if place == 0:
        return "00000"
    return BEST if place == 1 and day >= BEST_FROM else PRIZES[min(place, len(PRIZES)) - 1]


def _print_points(place: int) -> str:
    """Print the points of a place; every second place has a half, which is cut when it is booked."""
    tenths = max(1600 - 75 * (place - 1), 100)
    return f"{tenths // 10}.{tenths % 10}" if tenths % 10 else str(tenths // 10)


def _list_early(rng: random.Random) -> list[tuple[str, ...]]:
    """Return the rows of the two events before the game: places for the first draft, points for the other."""
    blank = ("",) * len(GRADES)
    solvers = rng.sample(SORCERERS, 19)
    visitors = [name for name in SORCERERS if rng.random() < 0.8]
    rows = [
        ("2026-09-19", name, "出席", str(place), "", *blank) for place, name in enumerate(solvers, start=1)
    ]
    return rows + [
        ("2026-10-10", name, "出席", "", rng.choice(("10", "20", "25.5", "37.5", "40")), *blank)
        for name in visitors
    ]


def _list_adjusted() -> list[Gain]:
    return [
        Gain(read_instant(at), name, int(item[0]), int(amount))
        for _, at, name, item, amount, *_ in ADJUSTMENTS
        if item.endswith("等星")
    ]
