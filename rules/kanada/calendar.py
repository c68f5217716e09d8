"""The calendar of the game: opening, end, rest days, events, and time that stands still.

Promises: every instant comes from the dated parameters or a masters' row; a duration runs only outside rest days and
never past the end. Refuses to know: who does what.
Sources: １章 開催期間, １章 休戦日, １章 マスターイベント.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from rules.clock import ONE_DAY, at, floor_second, midnight, read_instant
from rules.game import Settings
from rules.kanada.policies import Policies
from rules.tables import Row
from rules.units import read_clock_range, read_dates, read_first_day, read_offset

SIGNUP_KINDS = ("通常", "星座")


class Event(NamedTuple):
    """One event day; `result_at` is the recorded publication of its result, `cause` the row it comes from."""

    day: dt.date
    kind: str
    start: pd.Timestamp | None = None
    stop: pd.Timestamp | None = None
    gather: pd.Timestamp | None = None
    place: str = ""
    detail: str = ""
    barred: tuple[pd.Timestamp, pd.Timestamp] | None = None
    absence: Decimal | None = None
    result_at: pd.Timestamp | None = None
    cause: str = ""

    @property
    def takes_signups(self) -> bool:
        return self.kind in SIGNUP_KINDS


@dataclass(frozen=True)
class Calendar:
    """Instants of one game under one set of facts."""

    settings: Settings
    policies: Policies
    opening: pd.Timestamp
    planned_end: pd.Timestamp
    end: pd.Timestamp
    events: Mapping[dt.date, Event]

    @property
    def zone(self) -> ZoneInfo:
        return self.settings.zone

    @property
    def days(self) -> list[dt.date]:
        """The planned days of the game, rest days included."""
        first = self.opening.tz_convert(self.zone).date()
        last = self.planned_end.tz_convert(self.zone).date()
        return [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]

    def is_rest_day(self, day: dt.date) -> bool:
        return day in self.rest_days

    @property
    def rest_days(self) -> list[dt.date]:
        return read_dates(self.settings.parameters.texts("P12", self.opening), self.settings.year)

    def offset(self, parameter: str, day: dt.date) -> pd.Timestamp:
        """The instant that a parameter such as `-1日 23:59:59` means for `day`."""
        text = self.settings.parameters.text(parameter, midnight(day, self.zone))
        offset = read_offset(text)
        if offset is None:
            raise ValueError(f"{parameter}: 「{text}」は「-1日 23:59:59」の形ではありません")
        # Every parameter of this unit is about the eve, where its text names no day.
        days = -1 if offset.days is None else offset.days
        return at(day + dt.timedelta(days=days), offset.clock, self.zone)

    def clocks(self, parameter: str, day: dt.date) -> tuple[pd.Timestamp, pd.Timestamp]:
        """The two instants of a parameter such as `00:00:00-04:59:59` on `day`."""
        text = self.settings.parameters.text(parameter, midnight(day, self.zone))
        clocks = read_clock_range(text)
        if clocks is None:
            raise ValueError(f"{parameter}: 「{text}」は「00:00:00-04:59:59」の形ではありません")
        return at(day, clocks[0], self.zone), at(day, clocks[1], self.zone)

    def elapse(self, start: pd.Timestamp, hours: Decimal) -> tuple[pd.Timestamp, bool]:
        """`hours` of game time after `start`, cut at the end of the game; True if it completes as a rest day begins.

        A time that completes in the first instant of a rest day is complete there (A-05, reading 1)."""
        left, cursor = pd.Timedelta(seconds=int(hours * 3600)), start
        for day in sorted(self.rest_days):
            stands, runs = midnight(day, self.zone), midnight(day + dt.timedelta(days=1), self.zone)
            if cursor < stands:
                if cursor + left <= stands:
                    break
                left -= stands - cursor
                cursor = runs
            elif cursor < runs:
                cursor = runs
        stop = cursor + left
        meets = any(stop == midnight(day, self.zone) for day in self.rest_days) and stop <= self.end
        return min(stop, self.end), meets


def build_calendar(
    settings: Settings, policies: Policies, tables: Mapping[str, Sequence[Row]], *, own: bool
) -> Calendar:
    """The calendar from parameters and the rows of マスイベ and 終戦; `own`: the rows replace the rulebook's events."""
    opening = _instant(settings, "P8")
    planned_end = _instant(settings, "P9")
    ends = [row.get("時刻") for row in tables["終戦"] if is_ticked(row.texts.get("確定", ""))]
    inside = [floor_second(end) for end in ends if opening <= end <= planned_end]
    end = min(inside, default=planned_end)
    events = {} if own else {event.day: event for event in _printed_events(settings, opening)}
    for row in tables["マスイベ"]:
        printed = events.get(row.get("開催日"))
        events[row.get("開催日")] = _read_event(row, printed.kind if printed else "")
    return Calendar(settings, policies, opening, planned_end, end, dict(sorted(events.items())))


def is_ticked(text: str) -> bool:
    return text.strip().upper() not in ("", "FALSE", "0", "いいえ")


def _instant(settings: Settings, name: str) -> pd.Timestamp:
    anchor = pd.Timestamp(f"{settings.year}-12-31", tz=settings.zone).tz_convert("UTC")
    text = settings.parameters.text(name, anchor)
    instant = read_instant(text, settings.zone, settings.year)
    if instant is None:
        raise ValueError(f"{name}: 「{text}」は日時ではありません")
    return instant


def read_publication(
    tables: Mapping[str, Sequence[Row]], calendar: Calendar, title: str, parameter: str
) -> pd.Timestamp:
    """When an article came out: its row of 公開, else the planned instant."""
    for row in tables["公開"]:
        if row.get("記事名") == title and row.get("公開時刻") is not None:
            when: pd.Timestamp = row.get("公開時刻")
            return when
    text = calendar.settings.parameters.text(parameter, calendar.opening)
    return read_instant(text, calendar.zone, calendar.settings.year) or calendar.opening


def _printed_events(settings: Settings, opening: pd.Timestamp) -> Iterable[Event]:
    year = settings.year
    for name, kind in (("P54", "0次"), ("P57", "0.5次")):
        text = settings.parameters.text(name, opening)
        day = read_first_day(text, year)
        if day:
            yield Event(day, kind)
    for name, kind in (("P58", "通常"), ("P59", "星座"), ("P60", "最終")):
        for day in read_dates(settings.parameters.texts(name, opening), year):
            yield Event(day, kind)


def _read_event(row: Row, printed_kind: str) -> Event:
    barred = (row.get("禁止開始"), row.get("禁止終了"))
    return Event(
        day=row.get("開催日"),
        kind=row.get("種類") or printed_kind,
        start=row.get("開始"),
        stop=row.get("終了"),
        gather=row.get("集合"),
        place=row.get("集合場所") or "",
        detail=row.get("詳細") or "",
        barred=barred if barred[0] is not None and barred[1] is not None else None,
        absence=row.get("欠席点"),
        result_at=floor_second(row.get("結果公開時刻")) if row.get("結果公開時刻") is not None else None,
        cause=row.cause,
    )


def day_after(day: dt.date) -> dt.date:
    return day + dt.timedelta(days=1)


def end_of_day(day: dt.date, zone: ZoneInfo) -> pd.Timestamp:
    """The first instant after `day`."""
    return midnight(day, zone) + ONE_DAY
