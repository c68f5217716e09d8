"""星座複製: whether an application may be carried out, what it costs and what it grants.

Promises: the form is judged first (what was declared), then the state (what is owned at 00:00:00 of the day, which
stars are there at 23:59:59 of the eve after that second's gains); nothing is spent unless it is accepted. Refuses to
know: how stars were come by. Source: ４章 星座複製.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import midnight, read_date, say_instant, show_day
from rules.kanada.calendar import Calendar
from rules.kanada.constellations import Constellation, Holding, find_owned
from rules.kanada.intake import Entry, Fate, Key
from rules.kanada.reasons import give, note
from rules.kanada.sheets import GRADES
from rules.verdicts import Note, Reason

_DIGITS = re.compile(r"\d{1,6}", re.ASCII)
_SECTION = "４章 星座複製"


class Stars(NamedTuple):
    """Declared numbers by grade, and the grades whose answer is no number."""

    numbers: Mapping[int, int]
    unreadable: tuple[int, ...]


def read_keys(answers: Mapping[str, Any], year: int) -> Iterable[Key]:
    text = str(answers.get("date", ""))
    day = read_date(unicodedata.normalize("NFKC", text), year)
    return [Key(day.isoformat() if day else text, day)]


def read_stars(answers: Mapping[str, Any]) -> Stars:
    """Blank is 0 and full-width digits are digits; anything else is a flaw."""
    numbers: dict[int, int] = {}
    unreadable = []
    for grade in GRADES:
        text = unicodedata.normalize("NFKC", str(answers.get(f"stars_{grade}", ""))).strip()
        if text and _DIGITS.fullmatch(text) is None:
            unreadable.append(grade)
        numbers[grade] = int(text) if text and grade not in unreadable else 0
    return Stars(numbers, tuple(unreadable))


def read_constellation(entry: Entry) -> str:
    return unicodedata.normalize("NFC", str(entry.answers.get("constellation", ""))).strip()


def claim(entry: Entry) -> str:
    """What is applied for: the constellation and the stars, whatever digits were typed."""
    stars = read_stars(entry.answers)
    return repr((read_constellation(entry), sorted(stars.numbers.items()), stars.unreadable))


def show_stars(numbers: Mapping[int, int]) -> str:
    shown = [f"{grade}等星{numbers[grade]}" for grade in GRADES if numbers.get(grade)]
    return "・".join(shown) or "なし"


def deadline(day: dt.date, calendar: Calendar) -> pd.Timestamp:
    return calendar.offset("P145", day)


def spends_at(day: dt.date, calendar: Calendar) -> pd.Timestamp:
    return calendar.offset("P146", day)


def grants_at(day: dt.date, calendar: Calendar) -> pd.Timestamp:
    return midnight(day, calendar.zone)


def find_outside(day: dt.date, calendar: Calendar) -> Iterable[Reason]:
    """Days for which there is no replication to apply for."""
    if day not in calendar.days:
        yield give(
            "outside_game",
            day=show_day(day),
            opening=say_instant(calendar.opening, calendar.zone),
            end=say_instant(calendar.planned_end, calendar.zone),
        )
    elif grants_at(day, calendar) > calendar.end:
        yield give("game_over", day=show_day(day), end=say_instant(calendar.end, calendar.zone))


def find_flaws(
    fate: Fate, day: dt.date, calendar: Calendar, catalogue: Mapping[str, Constellation]
) -> Iterable[Reason]:
    """What is wrong with the form itself, whatever the state of the game."""
    entry, proof = fate.entry, fate.proof
    if proof.flawed:
        yield give(proof.faults[0], name=entry.name)
    if proof.role != "星術師":
        yield give("role", name=proof.player, role=proof.role, section=_SECTION)
    if calendar.is_rest_day(day):
        yield give("rest_day", day=show_day(day))
    name, stars = read_constellation(entry), read_stars(entry.answers)
    for grade in stars.unreadable:
        answer = str(entry.answers.get(f"stars_{grade}", ""))
        yield give("unreadable", section=_SECTION, question=f"消費する{grade}等星の個数", answer=answer)
    if not name:
        yield give("incomplete", section=_SECTION, question="複製する星座")
        return
    found = catalogue.get(name)
    sent = say_instant(entry.submitted_at, calendar.zone)
    if found is None or found.published > entry.submitted_at:
        yield give("not_published", constellation=name, sent=sent)
    if found is not None and not stars.unreadable and dict(stars.numbers) != dict(found.cost):
        yield give(
            "cost_mismatch",
            constellation=name,
            declared=show_stars(stars.numbers),
            cost=show_stars(found.cost),
        )


def find_owned_reason(
    player: str, name: str, day: dt.date, calendar: Calendar, owned: Sequence[Holding]
) -> Iterable[Reason]:
    """Owned at 00:00:00 of the day, after that instant's losses and acquisitions."""
    held = find_owned(owned, player, name, grants_at(day, calendar))
    if held is not None:
        yield give(
            "owned",
            day=show_day(day),
            constellation=name,
            since=say_instant(held.start, calendar.zone),
            until=say_instant(held.stop, calendar.zone),
        )


def give_short(
    cost: Mapping[int, int], held: Mapping[int, int], instant: pd.Timestamp, calendar: Calendar
) -> Reason:
    shown = "・".join(f"{grade}等星{held.get(grade, 0)}" for grade in GRADES if cost.get(grade))
    return give("stars_short", cost=show_stars(cost), held=shown, instant=say_instant(instant, calendar.zone))


def give_accepted(
    fate: Fate, cost: Mapping[int, int], held: Mapping[int, int], instant: pd.Timestamp, calendar: Calendar
) -> Reason:
    shown = (
        "・".join(f"{grade}等星{held.get(grade, 0)}" for grade in GRADES if cost.get(grade)) or "必要なだけ"
    )
    zone = calendar.zone
    return give(
        "accepted_replication",
        deadline=say_instant(fate.deadline, zone),
        cost=show_stars(cost),
        instant=say_instant(instant, zone),
        held=shown,
    )


def grant(
    fate: Fate, player: str, day: dt.date, calendar: Calendar, found: Constellation
) -> tuple[list[Holding], list[Note]]:
    """The effects granted at 00:00:00, held for 24 hours of game time or to the end (A-05 where that meets a rest day)."""
    start = grants_at(day, calendar)
    hours = Decimal(calendar.settings.parameters.text("P143", start))
    stop, meets = calendar.elapse(start, hours)
    notes: list[Note] = []
    if meets and found.effects:
        reading = calendar.policies.settled_reading("A-05", start, fate.entry.entry_id)
        if reading is None:
            notes.append(note("A-05"))
        elif reading == 2:
            stop = min(stop + pd.Timedelta(days=1), calendar.end)
    cause = fate.entry.entry_id
    return [Holding(player, f"effect/{effect}", start, stop, cause) for effect in found.effects], notes


def describe(entry: Entry) -> str:
    day = show_day(entry.day) if entry.day else str(entry.answers.get("date", ""))
    return f"{day} {read_constellation(entry)}（{show_stars(read_stars(entry.answers).numbers)}）"
