"""Freezes in the fold: whether one formed, given the rights, the attacks before it and who stands where.

Promises: rights, cool-down, the pair's limit and being inside another attack are read at the freeze minute; what
hangs on an attack that still waits for a ruling waits for it. Refuses to know: forms, posts, points.
Sources: ６章 フリーズ, ６章 襲撃権.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.kanada.superiority import Standing

COOLDOWN = pd.Timedelta(minutes=10)
MINUTE = pd.Timedelta(minutes=1)
HELD, RETURNED, SPENT = "成立", "不成立(フリーズ不成立・権利戻る)", "不成立(権利消費)"


class Strike(NamedTuple):
    """One reported freeze. `release` is when both were free again, `established` the 成立時刻 (None: no post yet),
    `barred` why the hour forbids it, `open` that it waits for a ruling, `forced` a master's word."""

    entry_id: str
    attacker: str
    target: str
    scholar: bool
    day: dt.date
    freeze: pd.Timestamp
    release: pd.Timestamp
    established: pd.Timestamp | None
    barred: str
    standing: Standing | None
    open: bool
    forced: str
    decided: bool


class Formed(NamedTuple):
    """What later freezes must know of an earlier one."""

    strike: Strike
    holds: bool
    open: bool


class Past:
    """The earlier attacks that can still speak against a later freeze, found by who and whom.

    Freezes come in order, so that what is over is dropped on the way and a season stays linear.
    """

    def __init__(self) -> None:
        self._busy: dict[str, list[Formed]] = {}
        self._hit: dict[str, list[Formed]] = {}
        self._pairs: dict[tuple[str, str, dt.date | None], list[Formed]] = {}
        self._open: dict[tuple[str, dt.date], list[str]] = {}

    def add(self, formed: Formed) -> None:
        strike = formed.strike
        for player in (strike.attacker, strike.target):
            self._busy.setdefault(player, []).append(formed)
        if formed.holds:
            self._hit.setdefault(strike.target, []).append(formed)
            self._pairs.setdefault(_pair(strike), []).append(formed)
        if formed.open:
            self._open.setdefault((strike.attacker, strike.day), []).append(strike.entry_id)

    def list_open(self, strike: Strike) -> list[str]:
        """Open attacks of the same attacker that may have taken a right that day."""
        return self._open.get((strike.attacker, strike.day), [])

    def near(self, strike: Strike) -> list[Formed]:
        """Everything that may speak against this freeze, in the order in which it formed."""
        found = {id(formed): formed for formed in self._pairs.get(_pair(strike), ())}
        for player in (strike.attacker, strike.target):
            still = [f for f in self._busy.get(player, ()) if f.strike.release + MINUTE > strike.freeze]
            self._busy[player] = still
            found.update((id(formed), formed) for formed in still)
        hits = [f for f in self._hit.get(strike.target, ()) if _may_cool(f, strike)]
        self._hit[strike.target] = hits
        found.update((id(formed), formed) for formed in hits)
        return sorted(found.values(), key=lambda f: (f.strike.freeze, f.strike.entry_id))


def _pair(strike: Strike) -> tuple[str, str, dt.date | None]:
    return strike.attacker, strike.target, None if strike.scholar else strike.day


def _may_cool(formed: Formed, strike: Strike) -> bool:
    established = formed.strike.established
    return established is None or established + COOLDOWN + MINUTE > strike.freeze


class Ruled(NamedTuple):
    """What the fold says of a freeze: the codes that speak against it with what they compared, the entries it waits
    for, the open points of the text that touch it."""

    codes: tuple[tuple[str, Mapping[str, str]], ...]
    waits_for: tuple[str, ...]
    rulings: tuple[str, ...]


def rule_strike(strike: Strike, rights: int, uncertain: Iterable[str], past: Sequence[Formed]) -> Ruled:
    """Hold one freeze against everything before it. `rights`: held at the freeze minute after that instant's grants;
    `uncertain`: open attacks of the same attacker that may have taken one."""
    codes: list[tuple[str, Mapping[str, str]]] = []
    waits: list[str] = []
    rulings: list[str] = []
    if strike.barred:
        codes.append(("prohibited", {"why": strike.barred}))
    doubtful = list(uncertain)
    if rights < 1:
        codes.append(("no_right", {"held": str(rights)}))
    elif rights - len(doubtful) < 1:
        waits += doubtful
    for formed in past:
        found, note = _hold_against(strike, formed)
        if note:
            rulings.append(note)
        if found and formed.open:
            waits.append(formed.strike.entry_id)
        elif found:
            codes.append((found, {"other": formed.strike.entry_id}))
    if strike.standing is not None and not strike.standing.superior:
        if strike.standing.ruling:
            rulings.append(f"!{strike.standing.ruling}")
        else:
            codes.append(("not_superior", {"why": strike.standing.why}))
    firsts = dict(reversed(codes))
    ordered = tuple((code, firsts[code]) for code in dict.fromkeys(code for code, _values in codes))
    return Ruled(ordered, tuple(dict.fromkeys(waits)), tuple(dict.fromkeys(rulings)))


def _hold_against(strike: Strike, formed: Formed) -> tuple[str, str]:
    """The code with which an earlier attack speaks against this freeze ("" = none), and an open point it touches."""
    other, note = formed.strike, ""
    together = {strike.attacker, strike.target} & {other.attacker, other.target}
    if together and strike.freeze < other.release.floor("min"):
        return "in_attack", ""
    if together and strike.freeze == other.release.floor("min"):
        note = "A-58"
    if not formed.holds:
        return "", note
    if other.established is not None and other.target == strike.target and not strike.scholar:
        free = (other.established + COOLDOWN).ceil("min")
        if other.established <= strike.freeze + MINUTE and strike.freeze < free:
            return "cooldown", note
        if strike.freeze == free and other.established.second == 0 and other.established.microsecond == 0:
            note = "A-15"
    pair = other.attacker == strike.attacker and other.target == strike.target
    if pair and (strike.scholar or other.day == strike.day):
        return "already_attacked", note
    return "", note
