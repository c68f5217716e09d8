"""What masters see of each entry, the lists they ask for, and the state of every player.

Promises: short sentences for a phone at night; a list is in the order in which masters print it. Refuses to know:
sheets. Sources: １章 マスターイベント, ３章 星座, ４章 星座複製.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from rules.clock import local_day, midnight, read_date, show_day, show_short
from rules.game import Outcome, ReviewRow, Settings
from rules.kanada import effects, replication
from rules.kanada.articles import list_replicators
from rules.kanada.cases import Case
from rules.kanada.choices import CHOICE_LISTS
from rules.kanada.results import CERTAIN
from rules.kanada.roster import SORCERER
from rules.kanada.season import Season
from rules.kanada.sheets import ATTENDED, GRADES, LATE_COMER
from rules.kanada.status import count_balls, find_superior, list_held, roles_at
from rules.postings import balances
from rules.verdicts import BLOCKED, HELD


def review(outcome: Outcome, settings: Settings) -> Mapping[str, ReviewRow]:
    """The game's own cells of every review row, by entry id."""
    season: Season = outcome.extra
    return {entry_id: _review(case, settings) for entry_id, case in season.cases.items()}


def _review(case: Case, settings: Settings) -> ReviewRow:
    entry = case.fate.entry
    form = settings.forms[entry.form]
    cells = {
        field.title: _show_answer(entry.answers.get(field.name, ""))
        for field in form.fields
        if not field.secret
    }
    what = f"{entry.name or '（名前なし）'}　{_DESCRIBE[entry.form](case)}"
    return ReviewRow(what, _if_left(case, settings), case.fate.deadline, cells, entry.address)


def _describe_effect(case: Case) -> str:
    entry = case.fate.entry
    content = effects.content_of(entry)
    shown = f"（{content}）" if content else ""
    day = show_day(entry.day) if entry.day else "日付なし"
    return f"{day} {effects.effect_name(entry) or '効果なし'}{shown}"


def _describe_attack(case: Case) -> str:
    answers = case.fate.entry.answers
    return f"→ {answers.get('target', '')}（フリーズ {answers.get('freeze_at', '')}）"


def _describe_post(case: Case) -> str:
    answers = case.fate.entry.answers
    return f"{answers.get('number', '')}番「{answers.get('title', '')}」"


def _describe_inquiry(case: Case) -> str:
    answers = case.fate.entry.answers
    return f"{answers.get('kind', '')} {answers.get('subject', '')}".strip()


_DESCRIBE: Mapping[str, Callable[[Case], str]] = {
    "signup": lambda case: _describe_signup(case.fate.entry.day, case.fate.entry.rest),
    "replication": lambda case: replication.describe(case.fate.entry),
    "effect": _describe_effect,
    "attack": _describe_attack,
    "board": _describe_post,
    "inquiry": _describe_inquiry,
}


def _describe_signup(day: dt.date | None, rest: str) -> str:
    return f"{show_day(day)} マスイベ" if day else f"「{rest}」"


def _show_answer(answer: Any) -> str:
    return "、".join(answer) if isinstance(answer, list) else str(answer)


def _if_left(case: Case, settings: Settings) -> str:
    """What happens, and when, if nobody decides."""
    entry = case.fate.entry
    if case.outlook not in (BLOCKED, HELD):
        return ""
    when = show_short(case.fate.decides_at, settings.zone)
    if entry.form == "attack":
        return "成立とせず、点数も球も動きません（異議の場合は仮のまま残ります）"
    if entry.form == "inquiry":
        return "回答されず、アドレスも変わりません"
    if entry.day is None:
        return "何も起きません"
    if entry.form == "signup":
        return f"{when} から参加予定者に「未定」のまま載ります"
    if entry.form == "effect":
        return f"{when} に発動しません"
    return f"{when} に付与されず、恒星も消費されません。同じ人の後の複製も待つことがあります"


def list_names(outcome: Outcome, name: str, key: str, instant: pd.Timestamp) -> list[Any]:
    """A list by its name and key at `instant`; a list that does not exist is empty. In 順位 an inner list is a
    shared place."""
    season: Season = outcome.extra
    make = _LISTS.get(name)
    return make(outcome, season, key, instant) if make is not None else []


def _day(season: Season, key: str) -> dt.date | None:
    return read_date(key, season.calendar.settings.year)


def _list_participants(_outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
    day = _day(season, key)
    event = season.calendar.events.get(day) if day else None
    if (
        day is None
        or event is None
        or not event.takes_signups
        or instant < midnight(day, season.calendar.zone)
    ):
        return []
    names = season.participants.get(day, {})
    return [name for name in season.roster if name in names]


def _list_present(_outcome: Outcome, season: Season, key: str, _instant: pd.Timestamp) -> list[Any]:
    day = _day(season, key)
    event = season.calendar.events.get(day) if day else None
    if event is None:
        return []
    came = {
        row.get("正式呼称")
        for row in season.tables["マスイベ結果"]
        if row.get("開催日") == event.day and row.get("出席") in (ATTENDED, LATE_COMER)
    }
    standings = season.participants.get(event.day, {})
    certain = {name for name, standing in standings.items() if standing.state == CERTAIN}
    return [name for name in season.roster if name in came and (name in certain or not event.takes_signups)]


def _list_replicators(_outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
    day = _day(season, key)
    if day is None or instant < midnight(day, season.calendar.zone):
        return []
    return list_replicators(season.cases.values(), day, season.roster)


def _list_held(prefix: str) -> Callable[[Outcome, Season, str, pd.Timestamp], list[Any]]:
    def held(_outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
        return list_held(season, prefix, key, instant)

    return held


def _show_balls(balls: Mapping[str, int]) -> str:
    return "、".join(f"{name}×{number}" if number > 1 else name for name, number in balls.items())


def _list_blocked(_outcome: Outcome, season: Season, _key: str, _instant: pd.Timestamp) -> list[Any]:
    waiting = [case for case in season.cases.values() if case.outlook == BLOCKED]
    waiting.sort(key=lambda case: (case.fate.decides_at, case.fate.entry.submitted_at))
    return [case.fate.entry.entry_id for case in waiting]


def _list_ranking(outcome: Outcome, season: Season, _key: str, instant: pd.Timestamp) -> list[Any]:
    end = season.calendar.end
    if instant < end:
        return []
    sums = balances(outcome.postings, end)
    points = {m.player: sums.get((m.player, "points"), 0) for m in season.members if m.role == SORCERER}
    places: dict[int, list[str]] = {}
    for name in season.roster:
        if name in points:
            places.setdefault(points[name], []).append(name)
    return [names[0] if len(names) == 1 else names for _points, names in sorted(places.items(), reverse=True)]


def _list_superior(_outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
    return find_superior(season, key, instant)


def _list_attackable(_outcome: Outcome, season: Season, key: str, instant: pd.Timestamp) -> list[Any]:
    """Those whom the player may attack: superior and not yet attacked that day, scholars not yet in the game."""
    day = local_day(instant, season.calendar.zone)
    done: set[str] = set()
    for case in season.cases.values():
        report = season.attacks.report(case.fate.entry.entry_id)
        if report is None or report.attacker != key or not case.is_accepted:
            continue
        established = season.attacks.established(case.fate.entry.entry_id)
        if (
            established is not None
            and established <= instant
            and (report.scholar or local_day(established, season.calendar.zone) == day)
        ):
            done.add(report.target)
    scholars = [name for name, role in roles_at(season, instant).items() if role == "学者"]
    names = [*find_superior(season, key, instant), *scholars]
    return [name for name in names if name not in done]


_LISTS: Mapping[str, Callable[[Outcome, Season, str, pd.Timestamp], list[Any]]] = {
    "参加予定者": _list_participants,
    "参加者": _list_present,
    "複製者": _list_replicators,
    "所有星座": _list_held("constellation/"),
    "付与効果": _list_held("effect/"),
    "要確認": _list_blocked,
    "順位": _list_ranking,
    "優位": _list_superior,
    "襲撃可能": _list_attackable,
    **CHOICE_LISTS,
}


def made_rows(outcome: Outcome, as_of: pd.Timestamp) -> Mapping[str, list[Mapping[str, str]]]:
    """Rows that the machine makes in the masters' tables: the 参加予定者 of every event whose sign-up is over."""
    season: Season = outcome.extra
    rows: list[Mapping[str, str]] = []
    for day, event in season.calendar.events.items():
        if event.takes_signups and as_of >= midnight(day, season.calendar.zone):
            for name in _list_participants(outcome, season, day.isoformat(), as_of):
                rows.append({"開催日": day.isoformat(), "正式呼称": name})
    return {"マスイベ結果": rows}


OVERVIEW = (
    "正式呼称",
    "役割",
    "点数",
    "襲撃権",
    *(f"{grade}等星" for grade in GRADES),
    "所有する星座",
    "付与された星座効果",
    "球",
)


def overview(
    outcome: Outcome, instant: pd.Timestamp, settings: Settings
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and one row a player: the state at `instant`."""
    season: Season = outcome.extra
    sums = balances(outcome.postings, instant)
    roles = roles_at(season, instant)
    rows = []
    for name in season.roster:
        role = roles.get(name, "")
        mine = [
            sums.get((name, account), 0) for account in ("points", "right", *(f"star/{g}" for g in GRADES))
        ]
        numbers = [str(number) for number in mine] if role == SORCERER else [""] * len(mine)
        rows.append(
            (
                name,
                role,
                *numbers,
                "、".join(list_names(outcome, "所有星座", name, instant)),
                "、".join(list_names(outcome, "付与効果", name, instant)),
                _show_balls(count_balls(season.holdings, name, instant)),
            )
        )
    return OVERVIEW, rows


def account_label(account: str) -> str:
    """An account in the words of the masters: `star/2` is 2等星."""
    kind, _slash, rest = account.partition("/")
    return {
        "points": "点数",
        "right": "襲撃権",
        "star": f"{rest}等星",
        "ball": rest,
        "card": f"{rest}のカード",
    }.get(kind, account)


def instant_of(outcome: Outcome, entry_id: str, what: str) -> pd.Timestamp | None:
    """A named instant of an entry: 成立時刻 of an attack, 観測報告時刻 of a post."""
    season: Season = outcome.extra
    if what == "成立時刻":
        return season.attacks.established(entry_id)
    case = season.cases.get(entry_id)
    return case.fate.entry.submitted_at if case is not None else None
