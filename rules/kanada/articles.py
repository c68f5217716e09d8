"""Blog articles: who replicated, what an event brought, and when each may be seen.

Promises: an article holds only what everybody may know (names of those who replicated; points won and lost), from
decided entries only; it has the instant of its publication and is empty before. Refuses to know: HTML, files.
Sources: ４章 星座複製, １章 マスターイベント.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from rules.clock import at, midnight, read_clock, show_day
from rules.game import Task
from rules.kanada.calendar import Calendar, Event
from rules.kanada.cases import Case
from rules.kanada.results import Result, list_results, title_of
from rules.kanada.sheets import ABSENT, ATTENDED, LATE_COMER
from rules.tables import Row
from rules.verdicts import ACCEPTED

NOBODY = "該当者なし"


def list_replicators(cases: Iterable[Case], day: dt.date, roster: Sequence[str]) -> list[str]:
    """Those who replicate on `day`, in the order of 正式呼称一覧."""
    names = {
        case.player
        for case in cases
        if case.fate.entry.form == "replication" and case.fate.entry.day == day and case.effective == ACCEPTED
    }
    return [name for name in roster if name in names]


def replication_articles(
    cases: Sequence[Case], calendar: Calendar, roster: Sequence[str], as_of: pd.Timestamp
) -> list[Task]:
    """『○月○日 複製』 at 05:00 of each day that has replications at all (A-35: also when nobody did)."""
    out = []
    for day in calendar.days:
        if calendar.is_rest_day(day) or midnight(day, calendar.zone) > calendar.end:
            continue
        clock = read_clock(calendar.settings.parameters.text("P151", midnight(day, calendar.zone)))
        due = at(day, clock or dt.time(5), calendar.zone)
        title = f"{show_day(day)} 複製"
        known = as_of >= midnight(day, calendar.zone)
        names = list_replicators(cases, day, roster)
        body = "\n".join(names) if names else NOBODY
        table = (("星座複製を行った星術師",), *((name,) for name in names or [NOBODY]))
        out.append(
            Task(
                "article",
                (title, day.strftime("%m-%d")),
                title,
                body if known else "",
                due=due,
                release=due,
                audience="public",
                state="公開" if as_of >= due else "予約" if known else "予定",
                table=table if known else (),
            )
        )
    return out


def result_articles(
    rows: Sequence[Row],
    calendar: Calendar,
    participants: Mapping[dt.date, Sequence[str]],
    roster: Sequence[str],
    as_of: pd.Timestamp,
) -> list[Task]:
    """『○月○日 マスイベ結果』: public from its recorded 結果公開時刻, a draft before; planned for 22:00."""
    out = []
    for event in calendar.events.values():
        if event.kind == "0次" or _is_cancelled(event, calendar):
            continue
        clock = read_clock(
            calendar.settings.parameters.text("result_alert", midnight(event.day, calendar.zone))
        )
        planned = at(event.day, clock or dt.time(22), calendar.zone)
        lines = _result_lines(rows, event, calendar, participants.get(event.day), roster, as_of)
        seen = event.result_at is not None and event.result_at <= as_of
        out.append(
            Task(
                "article",
                (title_of(event.day), event.day.strftime("%m-%d"), *((event.cause,) if event.cause else ())),
                title_of(event.day),
                "\n".join(" ".join(cell for cell in line if cell) for line in lines) if lines else "",
                release=event.result_at,
                due=event.result_at if event.result_at is not None else planned,
                audience="public",
                state="公開" if seen else "下書き" if lines else "予定",
                table=(("正式呼称", "出欠", "点数"), *lines) if lines else (),
            )
        )
    return out


def _is_cancelled(event: Event, calendar: Calendar) -> bool:
    start = event.start or event.gather
    return (start or midnight(event.day, calendar.zone)) > calendar.end


def _result_lines(
    rows: Sequence[Row],
    event: Event,
    calendar: Calendar,
    participants: Sequence[str] | None,
    roster: Sequence[str],
    as_of: pd.Timestamp,
) -> list[tuple[str, ...]]:
    """参加者 first, then absentees, each in the order of 正式呼称一覧; a name that is not on it is not for the public."""
    instant = event.result_at if event.result_at is not None else as_of
    place = {name: number for number, name in enumerate(roster)}
    known = [result for result in list_results(rows, event, calendar, instant) if result.player in place]
    results = sorted(known, key=lambda result: place[result.player])
    if event.takes_signups:
        allowed = set(participants or ())
        results = [result for result in results if result.player in allowed]
    came = [
        r
        for r in results
        if r.attendance in (ATTENDED, LATE_COMER) or (not event.takes_signups and r.attendance != ABSENT)
    ]
    away = [r for r in results if r.attendance == ABSENT]
    lines: list[tuple[str, ...]] = [(r.player, "参加", _show(r)) for r in came]
    return lines + [(r.player, "欠席", _show(r)) for r in away]


def _show(result: Result) -> str:
    if result.points is None:
        return "未定" if result.attendance == ABSENT else "0点"
    return f"{result.points:+d}点".replace("-", "−") if result.points else "0点"
