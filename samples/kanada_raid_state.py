"""Whether a freeze of the sample forms: hours, rights, cool-down, pairs, other attacks, constellations.

Promises: the few conditions here are written a second time on purpose, so that a plan that would not follow stops the
generator. Refuses to know: posts, forms, what Saitei says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from kanada_calendar import ADJUSTMENTS, EVENTS, list_prohibited_times
from kanada_forms import JST, read_instant
from kanada_people import SCHOLARS
from kanada_raid_plants import FORMED, Raid
from kanada_stars import BY_NAME

MINUTE = timedelta(minutes=1)
COOL_DOWN = timedelta(minutes=10)
_BEATS = {"炎": "森", "水": "炎", "森": "水", "闇": "炎水森"}
_LIGHT, _DARK = "光", "闇"
# Owners of these may be attacked by effect, which this module does not follow: they attack no sorcerer here.
OPENED = frozenset({"黒猫座", "停電座", "影法師座", "灯台座", "水車座"})
# Whom an effect of the sample takes out of reach until noon.
SHIELDED = {"10-12": "うみほたる", "10-13": "雨宿り", "10-15": "ペンギン急行", "10-16": "ミントティー"}

Owners = Mapping[str, tuple[str, str]]


class Span(NamedTuple):
    """A time in which one person can neither attack nor be attacked."""

    name: str
    start: datetime
    end: datetime


def frozen_at(raid: Raid) -> datetime:
    """Return the freeze minute."""
    return read_instant(f"{raid.day} {raid.freeze}:00")


def when(raid: Raid, clock: str) -> datetime:
    """Read a clock of the raid's day, or an instant with its own date."""
    return read_instant(clock if " " in clock else f"{raid.day} {clock}")


def released_at(raid: Raid) -> datetime:
    """Return when both are free again: a minute after the post, at the latest after thirteen (ten) minutes."""
    limit = frozen_at(raid) + MINUTE * (10 if raid.target in SCHOLARS else 13)
    return min(limit, when(raid, raid.post) + MINUTE) if raid.post else limit


def is_superior(attacker: str, target: str, day: str, owners: Owners) -> bool:
    """Compare the constellations of a day: light and dark first, then the rank or the main attributes."""
    one, other = (BY_NAME[owners[name][0 if day < "10-15" else 1]] for name in (attacker, target))
    if one.main == other.main:
        return one.rank < other.rank
    if one.sub == _LIGHT and other.main == _DARK:
        return True
    if one.main == _DARK and other.sub == _LIGHT:
        return False
    return other.main in _BEATS[one.main]


def list_spans(expected: Mapping[str, Sequence[str]]) -> list[Span]:
    """Return the prohibited times of single persons: own hours, and those of the events they signed up for."""
    spans = [Span(name, _read_cell(start), _read_cell(end)) for name, start, end in list_prohibited_times()]
    for event in EVENTS:
        bars = (event.bar_start + ":00", event.bar_end)
        start, end = (read_instant(f"{event.day} {clock}") for clock in bars)
        spans += [Span(name, start, end) for name in (*expected.get(event.day, ()), *SCHOLARS)]
    return spans


def judge_freeze(raid: Raid, past: Iterable[Raid], spans: Sequence[Span], owners: Owners) -> str:
    """Return what the rules alone make of a freeze; `past` are those that formed before it."""
    freeze, people = frozen_at(raid), {raid.attacker, raid.target}
    formed = list(past)
    barred = any(span.name in people and span.start <= freeze <= span.end for span in spans)
    shielded = freeze.hour < 12 and SHIELDED.get(raid.day) == raid.target
    if barred or shielded or freeze.hour < 5:
        return "prohibited"
    spent = sum(other.attacker == raid.attacker and other.day == raid.day for other in formed)
    if spent >= 3 + _count_extra_rights(raid):
        return "no_right"
    for other in formed:
        found = _hold_against(raid, freeze, people, other)
        if found:
            return found
    if raid.target not in SCHOLARS and not is_superior(raid.attacker, raid.target, raid.day, owners):
        return "not_superior"
    return FORMED


def _hold_against(raid: Raid, freeze: datetime, people: set[str], other: Raid) -> str:
    if people & {other.attacker, other.target} and freeze < released_at(other).replace(second=0):
        return "in_attack"
    scholar = raid.target in SCHOLARS
    if other.target == raid.target and not scholar and freeze < _cooled_at(other):
        return "cooldown"
    same_pair = (other.attacker, other.target) == (raid.attacker, raid.target)
    return "already_attacked" if same_pair and (scholar or other.day == raid.day) else ""


def _cooled_at(other: Raid) -> datetime:
    """Return the first whole minute at which the victim can be frozen again; without a post, count from the end."""
    free = (when(other, other.post) if other.post else released_at(other)) + COOL_DOWN
    return free if free.second == 0 else free.replace(second=0) + MINUTE


def _count_extra_rights(raid: Raid) -> int:
    return sum(
        item == "襲撃権"
        and name == raid.attacker
        and at[:5] == raid.day
        and read_instant(at) <= frozen_at(raid)
        for _, at, name, item, *_ in ADJUSTMENTS
    )


def _read_cell(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=JST)
