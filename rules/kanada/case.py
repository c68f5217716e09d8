"""Test cases of this game: the shorthands of `given` as rows of the masters' tables and an opening state.

Promises: a shorthand means exactly the rows that masters would have typed. Refuses to know: events and expectations.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import local_day, read_date, read_instant, show_instant
from rules.game import Opening, Settings
from rules.kanada.calendar import Calendar, build_calendar
from rules.kanada.constellations import last_acquisition
from rules.kanada.policies import Policies
from rules.kanada.sheets import GRADES, TABLES


class CaseStart(NamedTuple):
    """What a case begins with: table rows, secret words, addresses, the opening state."""

    rows: tuple[tuple[str, Mapping[str, str]], ...]
    words: Mapping[str, str]
    addresses: Mapping[str, str]
    opening: Opening
    own_calendar: bool
    end: pd.Timestamp


def open_case(given: Mapping[str, Any], settings: Settings) -> CaseStart:
    """Expand `given`; ValueError names what cannot be read."""
    rows = [
        *_player_rows(given),
        *_constellation_rows(given),
        *_effect_rows(given),
        *_ball_rows(given),
        *_event_rows(given, settings),
    ]
    empty: dict[str, list[Any]] = {table.name: [] for table in TABLES}
    calendar = build_calendar(settings, Policies(), empty, own=False)
    at = _instant(given.get("at"), settings) if given.get("at") else calendar.opening
    state = given.get("state") or {}
    rows += _ownership_rows(state, at, calendar)
    players = given.get("players") or []
    return CaseStart(
        tuple(rows),
        {p["name"]: str(p.get("passphrase", "ほし")) for p in players},
        {p["name"]: str(p.get("email", f"p{n}@example.com")) for n, p in enumerate(players, start=1)},
        Opening(at, _balances(given, state, at, calendar), _holdings(state, at, calendar), _superior(state)),
        "calendar" in given,
        calendar.end,
    )


def _instant(text: Any, settings: Settings) -> pd.Timestamp:
    found = read_instant(str(text), settings.zone, settings.year)
    if found is None:
        raise ValueError(f"「{text}」は日時として読めません")
    return found


def _extra(item: Mapping[str, Any], table: str) -> dict[str, str]:
    """Columns that a shorthand carries by their own name."""
    headers = next(t.headers for t in TABLES if t.name == table)
    return {key: str(value) for key, value in item.items() if key in headers and value is not None}


def _player_rows(given: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, str]]]:
    for number, player in enumerate(given.get("players") or [], start=1):
        row = {
            "正式呼称": str(player["name"]),
            "役割": str(player["role"]),
            "メールアドレス": str(player.get("email", f"p{number}@example.com")),
            "開始": str(player.get("from") or ""),
            "終了": str(player.get("to") or ""),
        }
        yield "名簿", {**row, **_extra(player, "名簿")}
        for start, stop in player.get("prohibited") or []:
            yield "活動禁止時間", {"対象": str(player["name"]), "開始": str(start), "終了": str(stop)}


def _constellation_rows(given: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, str]]]:
    defined = {effect["name"] for effect in given.get("effects") or []}
    for item in given.get("constellations") or []:
        cost = {int(grade): str(number) for grade, number in (item.get("cost") or {}).items()}
        row = {
            "名称": str(item["name"]),
            "主属性": str(item.get("main") or ""),
            "副属性": str(item.get("sub") or ""),
            "ランク": str(item.get("rank") or ""),
            **{f"{grade}等星": cost.get(grade, "") for grade in GRADES},
        }
        yield "星座", {**row, **_extra(item, "星座")}
        for effect in item.get("effects") or []:
            if effect not in defined:
                yield "効果", {"名称": str(effect), "星座": str(item["name"])}


_EFFECT = {
    "constellation": "星座",
    "deadline": "送信期限",
    "when": "起点",
    "if": "条件",
    "does": "作用",
    "group": "組",
    "content": "内容",
}


def _effect_rows(given: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, str]]]:
    owner = {
        str(effect): str(item["name"])
        for item in given.get("constellations") or []
        for effect in item.get("effects") or []
    }
    for item in given.get("effects") or []:
        row = {column: str(item[key]) for key, column in _EFFECT.items() if item.get(key) is not None}
        name = str(item["name"])
        yield "効果", {"名称": name, "星座": owner.get(name, ""), **row, **_extra(item, "効果")}


def _ball_rows(given: Mapping[str, Any]) -> Iterable[tuple[str, dict[str, str]]]:
    for item in given.get("balls") or []:
        row = {column: str(item[key]) for key, column in _EFFECT.items() if item.get(key) is not None}
        row.pop("星座", None)
        yield (
            "球",
            {"名称": str(item["name"]), "等級": str(item.get("grade") or ""), **row, **_extra(item, "球")},
        )


def _event_rows(given: Mapping[str, Any], settings: Settings) -> Iterable[tuple[str, dict[str, str]]]:
    for item in given.get("calendar") or []:
        day = read_date(str(item["date"]), settings.year)
        if day is None:
            raise ValueError(f"calendar: 「{item['date']}」は日付として読めません")
        row = {"開催日": day.isoformat(), "種類": str(item.get("kind") or "")}
        for key, column in (("gather", "集合"), ("start", "開始"), ("end", "終了")):
            if item.get(key):
                row[column] = _on_day(day, str(item[key]))
        if item.get("prohibited"):
            row["禁止開始"], row["禁止終了"] = (_on_day(day, str(clock)) for clock in item["prohibited"])
        yield "マスイベ", {**row, **_extra(item, "マスイベ")}


def _on_day(day: dt.date, clock: str) -> str:
    return clock if "-" in clock or "/" in clock else f"{day.isoformat()} {clock}"


def _ownership_rows(
    state: Mapping[str, Any], at: pd.Timestamp, calendar: Calendar
) -> Iterable[tuple[str, dict[str, str]]]:
    acquired = last_acquisition(calendar, at).isoformat()
    for player, mine in state.items():
        if mine and mine.get("constellation"):
            yield "星座所有", {"正式呼称": str(player), "取得": acquired, "星座": str(mine["constellation"])}


def _balances(
    given: Mapping[str, Any], state: Mapping[str, Any], at: pd.Timestamp, calendar: Calendar
) -> dict[tuple[str, str], int]:
    """What is given, and for the rest the opening state at that instant."""
    day = local_day(at, calendar.zone)
    clock = at.tz_convert(calendar.zone).time()
    active = day in calendar.days and not calendar.is_rest_day(day) and at <= calendar.end
    rights = 3 if active and dt.time(5) <= clock <= dt.time(23, 59, 58) else 0
    out: dict[tuple[str, str], int] = {}
    for player in given.get("players") or []:
        name, mine = str(player["name"]), state.get(player["name"]) or {}
        if player["role"] != "星術師":
            out[name, f"card/{name}"] = 10
            continue
        points = 500 if at >= calendar.opening else 0
        out[name, "points"] = int(mine.get("points", points))
        out[name, "right"] = int(mine.get("right", rights))
        for grade, number in (mine.get("stars") or {}).items():
            out[name, f"star/{grade}"] = int(number)
        for ball in mine.get("balls") or []:
            account = f"ball/{ball['name'] if isinstance(ball, dict) else ball}"
            out[name, account] = out.get((name, account), 0) + 1
    for name, mine in state.items():
        for card, number in ((mine or {}).get("cards") or {}).items():
            out[str(name), f"card/{card}"] = int(number)
    return out


def _superior(state: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {
        str(player): tuple(str(name) for name in mine["superior"])
        for player, mine in state.items()
        if mine and mine.get("superior") is not None
    }


def _holdings(
    state: Mapping[str, Any], at: pd.Timestamp, calendar: Calendar
) -> tuple[tuple[str, str, pd.Timestamp, pd.Timestamp], ...]:
    out = []
    for player, mine in state.items():
        for item in (mine or {}).get("effects") or []:
            start = _instant(item["from"], calendar.settings) if item.get("from") else at
            stop = _instant(item["to"], calendar.settings) if item.get("to") else calendar.end
            out.append((str(player), f"effect/{item['name']}", start, stop))
        for ball in (mine or {}).get("balls") or []:
            named = ball if isinstance(ball, dict) else {"name": ball}
            start = (
                _instant(named["from"], calendar.settings) if named.get("from") else max(at, calendar.opening)
            )
            out.append((str(player), f"ball/{named['name']}", start, calendar.end))
    return tuple(out)


_RESULT = re.compile(r"(.+?)\s*マスイベ結果")


def publish_row(what: str, instant: pd.Timestamp, settings: Settings) -> tuple[str, Mapping[str, str]]:
    """The cell that a publication fills: 結果公開時刻 of an event day, else a row of 公開."""
    match = _RESULT.fullmatch(what.strip())
    day = read_date(match[1] if match else what, settings.year)
    when = show_instant(instant, settings.zone)
    if day is not None:
        return "マスイベ", {"開催日": day.isoformat(), "結果公開時刻": when}
    return "公開", {"記事名": what, "公開時刻": when}
