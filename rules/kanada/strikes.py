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


class Ruled(NamedTuple):
    """What the fold says of a freeze: the codes that speak against it with what they compared, the entries it waits
    for, the open points of the text that touch it."""

    codes: tuple[tuple[str, Mapping[str, str]], ...]
    waits_for: tuple[str, ...]
    rulings: tuple[str, ...]


def whole_minute_after(instant: pd.Timestamp) -> pd.Timestamp:
    """The first whole minute at or after `instant`."""
    return instant.ceil("min")


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
    if not formed.holds or other.established is None:
        return "", note
    if other.target == strike.target and not strike.scholar:
        free = whole_minute_after(other.established + COOLDOWN)
        if other.established <= strike.freeze + MINUTE and strike.freeze < free:
            return "cooldown", note
        if strike.freeze == free and other.established.second == 0 and other.established.microsecond == 0:
            note = "A-15"
    pair = other.attacker == strike.attacker and other.target == strike.target
    if pair and (strike.scholar or other.day == strike.day):
        return "already_attacked", note
    return "", note
