"""星座: the catalogue, who owns which one when, and the effects that come with it.

Promises: ownership is a table of intervals made before anything is judged; a loss comes before an acquisition of the
same instant. Refuses to know: how an owner was chosen.
Sources: ３章 星座, ３章 星座効果, ４章 星座複製.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import pandas as pd

from rules.clock import midnight
from rules.frames import Finding
from rules.kanada.calendar import Calendar
from rules.kanada.sheets import GRADES
from rules.tables import Row
from rules.units import read_dates


class Constellation(NamedTuple):
    """What 星座公開 says of one: the cost by grade, the names of its effects, when it was published."""

    name: str
    cost: Mapping[int, int]
    effects: tuple[str, ...]
    published: pd.Timestamp


class Holding(NamedTuple):
    """Somebody holds something from `start` until `stop` (exclusive)."""

    player: str
    what: str
    start: pd.Timestamp
    stop: pd.Timestamp
    cause: str


def read_catalogue(
    rows: Sequence[Row], effects: Sequence[Row], published: pd.Timestamp
) -> dict[str, Constellation]:
    """The catalogue by name; a row without its own 公開時刻 is published with 星座公開."""
    return {
        row.get("名称"): Constellation(
            row.get("名称"),
            {grade: row.get(f"{grade}等星") or 0 for grade in GRADES},
            tuple(effect.get("名称") for effect in effects if effect.get("星座") == row.get("名称")),
            row.get("公開時刻") or published,
        )
        for row in rows
    }


def read_ownership(
    rows: Sequence[Row], calendar: Calendar, catalogue: Mapping[str, Constellation]
) -> tuple[list[Holding], list[Finding]]:
    """Intervals of ownership from 星座所有, and what is wrong with them."""
    owned = [
        Holding(row.get("正式呼称"), row.get("星座"), row.get("取得"), _stop(row, calendar), row.cause)
        for row in rows
    ]
    findings = [
        Finding("catalogue", f"星座所有 {h.cause}", f"「{h.what}」は星座の表にありません", h.cause)
        for h in owned
        if h.what not in catalogue
    ]
    for number, later in enumerate(owned):
        for earlier in owned[:number]:
            if earlier.start < later.stop and later.start < earlier.stop:
                findings += _clash(earlier, later)
    return owned, findings


def _stop(row: Row, calendar: Calendar) -> pd.Timestamp:
    hours = Decimal(calendar.settings.parameters.text("P105", row.get("取得")))
    stop, _meets = calendar.elapse(row.get("取得"), hours)
    given: pd.Timestamp | None = row.get("終了")
    return stop if given is None else min(given, calendar.end)


def _clash(earlier: Holding, later: Holding) -> list[Finding]:
    if earlier.what == later.what and earlier.player != later.player:
        text = f"{later.what}は同じ時間に{earlier.player}と{later.player}の両方が所有しています"
        return [Finding("owned_by_another", f"星座所有 {later.cause}", text, later.cause)]
    if earlier.player == later.player and earlier.what != later.what:
        text = f"{later.player}は同じ時間に{earlier.what}と{later.what}を所有しています"
        return [Finding("owns_another", f"星座所有 {later.cause}", text, later.cause)]
    return []


def find_owned(owned: Sequence[Holding], player: str, name: str, instant: pd.Timestamp) -> Holding | None:
    """The ownership that holds just after the losses and acquisitions of `instant`."""
    return next(
        (h for h in owned if h.player == player and h.what == name and h.start <= instant < h.stop), None
    )


def hold_constellations(owned: Sequence[Holding], catalogue: Mapping[str, Constellation]) -> list[Holding]:
    """Ownerships and the effects they bring, as holdings."""
    out = []
    for h in owned:
        out.append(h._replace(what=f"constellation/{h.what}"))
        effects = catalogue[h.what].effects if h.what in catalogue else ()
        out += [h._replace(what=f"effect/{effect}") for effect in effects]
    return out


def acquisition_days(calendar: Calendar) -> list[dt.date]:
    """The days on which constellations are acquired at 00:00:00."""
    return read_dates(calendar.settings.parameters.texts("P104", calendar.opening), calendar.settings.year)


def last_acquisition(calendar: Calendar, instant: pd.Timestamp) -> pd.Timestamp:
    """The latest acquisition not after `instant`; `instant` itself before the first."""
    past = [midnight(day, calendar.zone) for day in acquisition_days(calendar)]
    return max((start for start in past if start <= instant), default=instant)
