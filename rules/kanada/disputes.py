"""What stands in doubt at an instant: which items of which player an undecided entry may still change.

Promises: an entry speaks only from its decides_at on, and only while it is 要確認 or 保留 or waits for another one;
it touches what its kind can book, all of that where the entry does not say what. Which constellation somebody owns is
never in doubt: masters alone write it. A booking marked 仮 is no dispute by itself: it is in force until somebody
objects (A-29), and then its entry is 要確認.
Refuses to know: what was shown before. Sources: １章 輝流堕2026公式LINE, ６章 星術師への襲撃の成立.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from rules.clock import local_day
from rules.kanada import effects, replication
from rules.kanada.balls import PREFIX
from rules.kanada.board import LATER
from rules.kanada.cases import Case
from rules.kanada.constellations import Holding
from rules.kanada.effects import Effect
from rules.kanada.grammar import PLAIN
from rules.kanada.grants import right_instants
from rules.kanada.reports import Report
from rules.kanada.results import reward_instant
from rules.kanada.season import Season
from rules.kanada.sheets import GRADES
from rules.verdicts import BLOCKED, HELD, PENDING, Flag

POINTS, RIGHT, SUPERIOR, EFFECTS, BALLS = "points", "right", "superior", "effects", "balls"
STARS = tuple(f"star/{grade}" for grade in GRADES)
_BY_EFFECT = (POINTS, RIGHT, *STARS, SUPERIOR)
"""All that an effect or an astrology can change by itself."""

Touch = tuple[str, str]
"""A player and one item of that player's."""


class Disputes(NamedTuple):
    """The items in doubt by player, and the entries that put them there."""

    items: Mapping[str, frozenset[str]]
    entries: frozenset[str]


def find_disputes(season: Season, flags: Iterable[Flag], instant: pd.Timestamp) -> Disputes:
    """Everything in doubt at `instant`."""
    entries = {e: case for e, case in season.cases.items() if _is_open(case, instant)}
    lost_at = max(right_instants(season.calendar, "P198", instant), default=None)
    items: dict[str, set[str]] = {}
    for case in entries.values():
        # What was spent before all rights were lost can no longer be seen in their number.
        stale = lost_at is not None and case.fate.decides_at <= lost_at
        for player, item in _TOUCHES[case.fate.entry.form](case, season, instant):
            if not (stale and item == RIGHT):
                items.setdefault(player, set()).add(item)
    for player, item in _touch_flags(season, flags, instant):
        items.setdefault(player, set()).add(item)
    return Disputes({player: frozenset(mine) for player, mine in items.items()}, frozenset(entries))


def _is_open(case: Case, instant: pd.Timestamp) -> bool:
    """Undecided after its instant. A fresh post waits for its form as a matter of course: nobody doubts it yet."""
    if instant < case.fate.decides_at:
        return False
    waits = case.effective == PENDING and any(reason.code == "waits" for reason in case.reasons)
    return case.outlook in (BLOCKED, HELD) or (waits and case.fate.entry.form != "board")


def _touch_signup(case: Case, season: Season, instant: pd.Timestamp) -> Iterable[Touch]:
    """Whether one is a 参加予定者 moves points and stars only with the result."""
    event = season.calendar.events.get(case.fate.entry.day) if case.fate.entry.day else None
    due = reward_instant(event, season.calendar) if event is not None else None
    if due is not None and min(due, season.calendar.end) <= instant:
        yield from ((case.player, item) for item in (POINTS, *STARS))


def _touch_replication(case: Case, season: Season, instant: pd.Timestamp) -> Iterable[Touch]:
    """The stars declared, and those of the catalogue, which a master's 受理 takes; what would be granted."""
    entry = case.fate.entry
    found = season.catalogue.get(replication.read_constellation(entry))
    costs = [replication.read_stars(entry.answers).numbers, found.cost if found is not None else {}]
    for grade in GRADES:
        if any(cost.get(grade) for cost in costs):
            yield case.player, f"star/{grade}"
    if found is None or entry.day is None:
        return
    granted, _notes = replication.grant(case.fate, case.player, entry.day, season.calendar, found)
    for holding in granted:
        effect = season.attacks.scene.context.effects.get(holding.what.removeprefix("effect/"))
        if holding.start <= instant < holding.stop:
            yield case.player, EFFECTS
            yield from _touch_sky(effect, case.player, season, instant)
        yield from _touch_amounts(effect, case.player)


def _touch_effect(case: Case, season: Season, instant: pd.Timestamp) -> Iterable[Touch]:
    entry = case.fate.entry
    effect = season.attacks.scene.context.effects.get(effects.effect_name(entry))
    if entry.day is None or entry.day == local_day(instant, season.calendar.zone):
        yield from _touch_sky(effect, case.player, season, instant)
    yield from _touch_amounts(effect, case.player)


def _touch_amounts(effect: Effect | None, player: str) -> Iterable[Touch]:
    """The accounts that an effect moves by itself; one that cannot be read may move any."""
    if effect is None or effect.fault:
        yield from ((player, item) for item in _BY_EFFECT)
    elif effect.is_plain:
        yield from ((player, action.account) for action in effect.actions if action.kind in PLAIN)


def _touch_sky(effect: Effect | None, player: str, season: Season, instant: pd.Timestamp) -> Iterable[Touch]:
    """Who may attack whom: the holder, and those whom the effect names by name or by constellation."""
    for action in effect.actions if effect is not None else ():
        if action.kind in ("opens", "closes"):
            yield player, SUPERIOR
            yield action.name, SUPERIOR
            owned = f"constellation/{action.name}"
            yield from (
                (h.player, SUPERIOR) for h in season.holdings if h.what == owned and _holds(h, instant)
            )


def _holds(holding: Holding, instant: pd.Timestamp) -> bool:
    return holding.start <= instant < holding.stop


def _touch_attack(case: Case, season: Season, _instant: pd.Timestamp) -> Iterable[Touch]:
    """The right, and what would be booked; without a 成立時刻 whatever an attack can book."""
    entry_id = case.fate.entry.entry_id
    item = next((p for p in season.attacks.prepared if p.report.entry.entry_id == entry_id), None)
    if item is None or not case.player:
        return
    yield case.player, RIGHT
    if item.attack is None or not item.attack.gains:
        yield from _touch_parties(item.report)
        return
    for gain in item.attack.gains:
        account = gain.posting.account
        yield gain.posting.player, BALLS if account.startswith(PREFIX) else account


def _touch_parties(report: Report) -> Iterable[Touch]:
    yield report.attacker, POINTS
    yield report.target, POINTS
    if report.given or report.taken:
        yield from ((report.attacker, star) for star in STARS)
        yield from ((player, BALLS) for player in (report.attacker, report.target))


def _touch_board(case: Case, season: Season, _instant: pd.Timestamp) -> Iterable[Touch]:
    """A post that stands for an attack may move whatever an attack moves, any other what a reward can."""
    entry_id = case.fate.entry.entry_id
    post = next((p for p in season.attacks.posts if p.entry.entry_id == entry_id), None)
    if post is None or post.title in LATER:
        yield from ((case.player, item) for item in _BY_EFFECT)
        return
    yield from ((post.player, item) for item in (POINTS, RIGHT, *STARS, BALLS))
    yield from ((name, item) for name in post.named if name != post.player for item in (POINTS, BALLS))


def _touch_flags(season: Season, flags: Iterable[Flag], instant: pd.Timestamp) -> Iterable[Touch]:
    """Rows of a result that an open point keeps from being booked."""
    blocked = {cause for flag in flags if flag.note.blocks for cause in flag.causes}
    for row in season.tables["マスイベ結果"]:
        event = season.calendar.events.get(row.get("開催日"))
        due = reward_instant(event, season.calendar) if event is not None else None
        if row.cause in blocked and due is not None and min(due, season.calendar.end) <= instant:
            yield from ((row.get("正式呼称"), item) for item in (POINTS, *STARS))


_TOUCHES: Mapping[str, Callable[[Case, Season, pd.Timestamp], Iterable[Touch]]] = {
    "signup": _touch_signup,
    "replication": _touch_replication,
    "effect": _touch_effect,
    "attack": _touch_attack,
    "board": _touch_board,
    "inquiry": lambda _case, _season, _instant: (),
}
