"""Articles that the calendar and the masters' tables give by themselves: notices of events, the catalogues.

Promises: each has the instant of its publication from the rulebook (a row of 公開 moves it), is empty while its
table is, and shows only what everybody may know then. Refuses to know: results, verdicts.
Sources: １章 マスターイベント, １章 学者, ３章 星座, ４章 星座複製, ２章 カード.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from rules.clock import read_instant, show_day, show_short
from rules.game import Task
from rules.identity import Member
from rules.kanada.calendar import Calendar, Event
from rules.kanada.sheets import GRADES
from rules.tables import Row

Lines = tuple[tuple[str, ...], ...]


def list_bulletins(
    tables: Mapping[str, Sequence[Row]], calendar: Calendar, members: Sequence[Member], as_of: pd.Timestamp
) -> list[Task]:
    """All of them, past and coming."""
    moved = {
        row.get("記事名"): row.get("公開時刻") for row in tables["公開"] if row.get("公開時刻") is not None
    }
    made = [
        *_event_notices(calendar),
        _detail_of_cards(calendar),
        ("星座公開", _instant(calendar, "P106"), _show_catalogue(tables, calendar)),
        ("星座図鑑", _instant(calendar, "P107"), _show_ranks(tables)),
        ("学者の活動禁止時間", _instant(calendar, "P52"), _show_hours(tables, calendar, members)),
    ]
    return [
        _make_task(title, moved.get(title, due), lines, as_of)
        for title, due, lines in made
        if due is not None and due <= calendar.end
    ]


def _make_task(title: str, due: pd.Timestamp, lines: Lines, as_of: pd.Timestamp) -> Task:
    state = "予定" if not lines else "公開" if as_of >= due else "予約"
    body = "\n".join(" ".join(cell for cell in line if cell) for line in lines[1:])
    return Task(
        "article", (title,), title, body, release=due, due=due, audience="public", state=state, table=lines
    )


def _instant(calendar: Calendar, parameter: str) -> pd.Timestamp | None:
    settings = calendar.settings
    return read_instant(settings.parameters.text(parameter, calendar.opening), settings.zone, settings.year)


def _event_notices(calendar: Calendar) -> Iterable[tuple[str, pd.Timestamp | None, Lines]]:
    """『○月○日 マスイベ予告』 on the eve at 00:00; the 0次 event has none (A-36)."""
    for event in calendar.events.values():
        if event.kind != "0次":
            title = f"{show_day(event.day)} マスイベ予告"
            yield title, calendar.offset("P66", event.day), _show_event(event, calendar)


def _show_event(event: Event, calendar: Calendar) -> Lines:
    def when(start: pd.Timestamp | None, stop: pd.Timestamp | None = None) -> str:
        first = show_short(start, calendar.zone) if start is not None else ""
        return f"{first} 〜 {show_short(stop, calendar.zone)}" if first and stop is not None else first

    rows = (
        ("種類", f"{event.kind}マスイベ"),
        ("開催日時", when(event.start, event.stop)),
        ("集合時間", when(event.gather)),
        ("集合場所", event.place),
        ("活動禁止時間", when(*event.barred) if event.barred else ""),
    )
    filled = tuple(row for row in rows if row[1])
    return (("項目", "内容"), *filled) if event.cause and len(filled) > 1 else ()


def _detail_of_cards(calendar: Calendar) -> tuple[str, pd.Timestamp | None, Lines]:
    """The detail of the third 星座 event, with the master cards, comes out at 開戦."""
    events = [event for event in calendar.events.values() if event.kind == "星座"]
    if len(events) < 3:
        return "", None, ()
    lines: Lines = (("内容",), (events[2].detail,)) if events[2].detail else ()
    return f"{show_day(events[2].day)} マスイベ詳細", calendar.opening, lines


def _show_catalogue(tables: Mapping[str, Sequence[Row]], calendar: Calendar) -> Lines:
    """Attributes, effects and costs; never ranks or owners. What has a later 公開時刻 of its own is left out."""
    base = _instant(calendar, "P106")
    rows = []
    for row in tables["星座"]:
        own = row.get("公開時刻")
        if own is not None and base is not None and own > base:
            continue
        effects = [
            e.get("効果文") or e.get("名称") for e in tables["効果"] if e.get("星座") == row.get("名称")
        ]
        cost = "・".join(
            f"{grade}等星{row.get(f'{grade}等星')}" for grade in GRADES if row.get(f"{grade}等星")
        )
        attributes = "・".join(value for value in (row.get("主属性"), row.get("副属性")) if value)
        rows.append((row.get("名称"), attributes, "／".join(effects), cost))
    return (("星座", "属性", "星座効果", "複製コスト"), *rows) if rows else ()


def _show_ranks(tables: Mapping[str, Sequence[Row]]) -> Lines:
    rows = sorted(
        (row.get("ランク"), row.get("名称")) for row in tables["星座"] if row.get("ランク") is not None
    )
    return (("星座", "ランク"), *((name, str(rank)) for rank, name in rows)) if rows else ()


def _show_hours(tables: Mapping[str, Sequence[Row]], calendar: Calendar, members: Sequence[Member]) -> Lines:
    """The approved hours of each scholar."""
    scholars = {member.player for member in members if member.role == "学者"}
    rows = [
        (
            row.get("対象"),
            show_short(row.get("開始"), calendar.zone),
            show_short(row.get("終了"), calendar.zone),
        )
        for row in tables["活動禁止時間"]
        if row.get("対象") in scholars and row.get("終了") is not None
    ]
    return (("正式呼称", "開始", "終了"), *rows) if rows else ()
