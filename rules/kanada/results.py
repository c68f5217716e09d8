"""マスイベ結果 and 補正: what players gain and lose outside forms.

Promises: rewards fall in the second in which the result is published (0.5次: 開戦, 最終: 終戦); only a 参加者 is
rewarded, only an absent 参加予定者 loses; a fraction is cut toward zero. Refuses to know: how a sign-up was judged.
Sources: １章 マスターイベント, １章 点数, ４章 恒星.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

import pandas as pd

from rules.clock import floor_second, local_day, show_day
from rules.frames import Finding
from rules.kanada.calendar import Calendar, Event
from rules.kanada.phases import BALL_END, BALL_START, GAIN, HALF_REWARD
from rules.kanada.reasons import note
from rules.kanada.sheets import ABSENT, ATTENDED, GRADES, LATE_COMER
from rules.postings import Posting, cut
from rules.tables import Row
from rules.verdicts import Flag

_SECTION = "１章 マスターイベント"
CERTAIN, WAITING = "certain", "waiting"


class Gain(NamedTuple):
    """A posting that is due; `waits_for` names an entry whose ruling it depends on ("" = none)."""

    posting: Posting
    waits_for: str = ""


class Standing(NamedTuple):
    """A sign-up as far as results care: the player is a 参加予定者 for certain, or waits for a ruling."""

    player: str
    entry_id: str
    state: str


class Result(NamedTuple):
    """One line of a result: what a 参加者 won or an absentee lost (None: not known)."""

    player: str
    attendance: str
    points: int | None
    row: Row


class Booked(NamedTuple):
    gains: list[Gain]
    flags: list[Flag]
    findings: list[Finding]


def title_of(day: dt.date) -> str:
    return f"{show_day(day)} マスイベ結果"


def reward_instant(event: Event, calendar: Calendar) -> pd.Timestamp | None:
    """When the rewards of an event are booked; None while its result is not published."""
    if event.kind == "0.5次":
        return calendar.opening
    if event.kind == "最終":
        return calendar.end
    return event.result_at if event.takes_signups else None


def book_results(
    rows: Sequence[Row], calendar: Calendar, participants: Mapping[dt.date, Mapping[str, Standing]]
) -> Booked:
    """Postings of all published results, open points on their rows, and rows that cannot be booked."""
    out = Booked([], [], [])
    seen: set[tuple[dt.date, str]] = set()
    for row in rows:
        event = calendar.events.get(row.get("開催日"))
        if event is None:
            out.findings.append(
                Finding(
                    "not_participant",
                    row.cause,
                    f"{show_day(row.get('開催日'))}にマスイベはありません",
                    row.cause,
                )
            )
            continue
        seen.add((event.day, row.get("正式呼称")))
        _book_row(row, event, calendar, participants.get(event.day, {}), out)
    for day, standings in participants.items():
        event = calendar.events.get(day)
        if event is not None and event.result_at is not None:
            for name in standings:
                if (day, name) not in seen:
                    out.findings.append(_missing_attendance(day, name))
    return out


def _missing_attendance(day: dt.date, name: str) -> Finding:
    cause = f"マスイベ結果/{day.strftime('%m-%d')}/{name}"
    return Finding(
        "attendance_blank", cause, f"{name}の出席が空欄のまま{show_day(day)}の結果が公開されています", cause
    )


def _book_row(
    row: Row, event: Event, calendar: Calendar, standings: Mapping[str, Standing], out: Booked
) -> None:
    player = row.get("正式呼称")
    standing = standings.get(player)
    if event.takes_signups and standing is None:
        text = f"{player}は{show_day(event.day)}の参加予定者ではありません。報酬も減点も記録していません"
        if row.get("出席") or row.get("点数") is not None:
            out.findings.append(Finding("not_participant", row.cause, text, row.cause))
        return
    instant = reward_instant(event, calendar)
    if instant is None:
        return
    causes = (row.cause, title_of(event.day), *((standing.entry_id,) if standing else ()))
    if event.takes_signups and instant > calendar.end and calendar.end < calendar.planned_end:
        reading = calendar.policies.settled_reading("A-28", calendar.end)
        if reading is None:
            out.flags.append(Flag(causes, note("A-28", blocks=True)))
        if reading != 2:
            return
        instant = calendar.end
    late = event.takes_signups and local_day(instant, calendar.zone) > event.day
    if late and calendar.policies.settled_reading("A-46", instant) is None:
        out.flags.append(Flag(causes, note("A-46")))
    waits = standing.entry_id if standing is not None and standing.state == WAITING else ""
    line = _Line(row, calendar, instant, causes, waits)
    if row.get("出席") == ABSENT:
        _book_absence(line, event, out)
    elif row.get("出席") in (ATTENDED, LATE_COMER) or not event.takes_signups:
        _book_reward(line, event, out)
    else:
        out.findings.append(_missing_attendance(event.day, player))


def absence_amount(event: Event, calendar: Calendar, instant: pd.Timestamp) -> Decimal | None:
    """The loss of an absentee as a positive amount: the event's own, else the configured one; None if neither."""
    if event.absence is not None:
        return abs(event.absence)
    configured = calendar.settings.parameters.at("P73", instant)
    return abs(Decimal(configured)) if isinstance(configured, str) else None


class _Line(NamedTuple):
    """One row of a result on its way to postings."""

    row: Row
    calendar: Calendar
    instant: pd.Timestamp
    causes: tuple[str, ...]
    waits: str
    section: str = _SECTION


def _book_absence(line: _Line, event: Event, out: Booked) -> None:
    amount = absence_amount(event, line.calendar, line.instant)
    if amount is None:
        out.flags.append(Flag(line.causes, note("A-33", blocks=True)))
    else:
        _post(line, "points", -amount, "absence_penalty", GAIN, out)


def _book_reward(line: _Line, event: Event, out: Booked) -> None:
    amounts = {"points": line.row.get("点数"), **{f"star/{g}": line.row.get(f"{g}等星") for g in GRADES}}
    phase = HALF_REWARD if event.kind == "0.5次" else GAIN
    for account, amount in amounts.items():
        if amount is not None:
            _post(line, account, amount, "event_reward", phase, out)


def _post(line: _Line, account: str, amount: Decimal, rule: str, phase: int, out: Booked) -> None:
    """Book the whole part of an amount; a negative fraction is an open point (A-18)."""
    whole, policies = cut(amount), line.calendar.policies
    if amount < whole:
        if policies.settled_reading("A-18", line.instant) is None:
            out.flags.append(Flag(line.causes, note("A-18")))
        elif policies.reading("A-18", line.instant) == 2:
            whole -= 1
    if whole:
        player, cause = line.row.get("正式呼称"), line.row.cause
        posting = Posting(
            line.instant, phase, player, account, whole, cause, rule, line.section, audience=player
        )
        out.gains.append(Gain(posting, line.waits))


def list_results(
    rows: Sequence[Row], event: Event, calendar: Calendar, instant: pd.Timestamp
) -> list[Result]:
    """The lines of one event's result in the order of its rows; points as booked."""
    out = []
    for row in rows:
        if row.get("開催日") != event.day:
            continue
        if row.get("出席") == ABSENT:
            amount = absence_amount(event, calendar, instant)
            points = None if amount is None else -cut(amount)
        else:
            points = None if row.get("点数") is None else cut(row.get("点数"))
        out.append(Result(row.get("正式呼称"), row.get("出席") or "", points, row))
    return out


_ACCOUNTS = {"点数": "points", "襲撃権": "right", **{f"{g}等星": f"star/{g}" for g in GRADES}}
_SECTIONS = {"points": "１章 点数", "right": "６章 襲撃権"}


def book_corrections(rows: Sequence[Row], calendar: Calendar, sorcerers: Sequence[str]) -> Booked:
    """補正: a master's own posting at its 時刻 (blank: when it was first seen)."""
    out = Booked([], [], [])
    for row in rows:
        if row.get("正式呼称") not in sorcerers:
            text = f"「{row.get('正式呼称')}」は名簿の星術師ではありません。補正していません"
            out.findings.append(Finding("unreadable", row.cause, text, row.cause))
            continue
        instant = floor_second(row.get("時刻") if row.get("時刻") is not None else row.since)
        account = _ACCOUNTS[row.get("項目")]
        line = _Line(row, calendar, instant, (row.cause,), "", _SECTIONS.get(account, "４章 恒星"))
        _post(line, account, row.get("増減"), "correction", GAIN, out)
    return out


def book_balls(rows: Sequence[Row], calendar: Calendar) -> list[Gain]:
    """球所有: what masters say is owned, as numbers of each ball (２章 球: end before start)."""
    out = []
    for row in rows:
        player, account = row.get("正式呼称"), f"ball/{row.get('球')}"
        start = row.get("開始")
        start = calendar.opening if start is None else max(floor_second(start), calendar.opening)
        out.append(
            Gain(
                Posting(
                    start, BALL_START, player, account, 1, row.cause, "ball_owned", "２章 球", audience=player
                )
            )
        )
        if row.get("終了") is not None:
            stop = floor_second(row.get("終了"))
            out.append(
                Gain(
                    Posting(
                        stop,
                        BALL_END,
                        player,
                        account,
                        -1,
                        row.cause,
                        "ball_owned",
                        "２章 球",
                        audience=player,
                    )
                )
            )
    return out
