"""What a form may offer: lists that hold, at an instant, only what everybody may know then.

Promises: a name is offered from its own 公開時刻 and from that of the article that prints it, whichever is later; a
ball without one, not at all. A day stays offered once it was, so that a form never has to lose it. Refuses to know:
forms, and who may choose what.
Sources: １章 呼称, １章 マスターイベント, １章 休戦日, ３章 星座, ３章 星座効果.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from rules.clock import show_day
from rules.game import Outcome
from rules.kanada.calendar import read_publication
from rules.kanada.season import Season
from rules.units import read_dates


def _offer_players(_outcome: Outcome, season: Season, _key: str, instant: pd.Timestamp) -> list[Any]:
    """Whoever is on the roster, once it is out."""
    if instant < read_publication(season.tables, season.calendar, "正式呼称一覧", "roster_published"):
        return []
    return list(dict.fromkeys(m.player for m in season.members if m.start <= instant < m.stop))


def _offer_event_days(_outcome: Outcome, season: Season, _key: str, instant: pd.Timestamp) -> list[Any]:
    """Days that take sign-ups: those that the rules print, others from their notice on."""
    calendar = season.calendar
    parameters, year = calendar.settings.parameters, calendar.settings.year
    printed = {day for p in ("P58", "P59") for day in read_dates(parameters.texts(p, calendar.opening), year)}
    return [
        show_day(day)
        for day, event in calendar.events.items()
        if event.takes_signups and (day in printed or calendar.offset("P66", day) <= instant)
    ]


def _offer_days(_outcome: Outcome, season: Season, _key: str, _instant: pd.Timestamp) -> list[Any]:
    """The days of the game but those of rest; the rules print them."""
    calendar = season.calendar
    return [show_day(day) for day in calendar.days if not calendar.is_rest_day(day)]


def _offer_constellations(_outcome: Outcome, season: Season, _key: str, instant: pd.Timestamp) -> list[Any]:
    if instant < read_publication(season.tables, season.calendar, "星座公開", "P106"):
        return []
    return [name for name, found in season.catalogue.items() if found.published <= instant]


def _offer_effects(outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
    """The effects of the constellations that are out."""
    names = _offer_constellations(outcome, season, key, instant)
    return list(dict.fromkeys(effect for name in names for effect in season.catalogue[name].effects))


def _offer_balls(_outcome: Outcome, season: Season, _key: str, instant: pd.Timestamp) -> list[Any]:
    return [
        row.get("名称")
        for row in season.tables["球"]
        if row.get("公開時刻") is not None and row.get("公開時刻") <= instant
    ]


CHOICE_LISTS: Mapping[str, Callable[[Outcome, Season, str, pd.Timestamp], list[Any]]] = {
    "選択肢:正式呼称": _offer_players,
    "選択肢:開催日": _offer_event_days,
    "選択肢:活動日": _offer_days,
    "選択肢:星座": _offer_constellations,
    "選択肢:星座効果": _offer_effects,
    "選択肢:球": _offer_balls,
}
"""The lists that the forms name; cases may ask for them too."""
