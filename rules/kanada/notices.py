"""Mails, alerts and decisions that are due, each with its release and its due time.

Promises: a mail exists only where the rulebook names one, has one recipient, tells the fact and nothing else, and
never leaves before its hour; one mail for one refusal. Refuses to know: how mails are sent.
Sources: ４章 星座複製 (refused replication), １章 マスターイベント.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import at, midnight, read_clock, show_day
from rules.game import Task
from rules.kanada import replication
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case
from rules.kanada.reasons import note
from rules.kanada.results import title_of
from rules.verdicts import ACCEPTED, BLOCKED, HELD, LATE, PENDING, REFUSED, Flag, Note


class Mails(NamedTuple):
    """Refusal mails, and the open points that decide whether or when they go out, by entry."""

    tasks: list[Task]
    notes: dict[str, list[Note]]


def draft_refusals(cases: Iterable[Case], calendar: Calendar) -> Mails:
    """One mail for each (player, day) whose replication was refused, in the maintenance time of that day."""
    groups: dict[tuple[str, dt.date], list[Case]] = {}
    for case in cases:
        entry = case.fate.entry
        if (
            entry.form == "replication"
            and entry.day in calendar.days
            and case.player
            and case.fate.proof.role == "星術師"
        ):
            groups.setdefault((case.player, entry.day), []).append(case)
    out = Mails([], {})
    for (player, day), group in groups.items():
        _draft_refusal(player, day, group, calendar, out)
    return out


def _draft_refusal(player: str, day: dt.date, group: Sequence[Case], calendar: Calendar, out: Mails) -> None:
    statuses = {case.outlook for case in group}
    if statuses & {ACCEPTED, BLOCKED, HELD}:
        return
    refused = [
        case for case in group if case.outlook == REFUSED and (case.fate.proof.proved or case.fate.ruling)
    ]
    late = [case for case in group if case.outlook == LATE and case.fate.proof.proved]
    told = refused or late
    if not told or (not refused and any(case.fate.machine in ("", "superseded") for case in group)):
        return
    instant = midnight(day, calendar.zone)
    for case in told:
        notes = out.notes.setdefault(case.fate.entry.entry_id, [])
        if not refused and calendar.policies.settled_reading("A-40", instant) is None:
            notes.append(note("A-40"))
        if calendar.is_rest_day(day) and calendar.policies.settled_reading("A-04", instant) is None:
            notes.append(note("A-04"))
    if not refused and calendar.policies.reading("A-40", instant) == 2:
        return
    if any(case.effective == PENDING for case in told):
        return
    shown_on = _notice_day(day, calendar)
    release, due = calendar.clocks("P152", shown_on)
    title = f"{show_day(day)}の星座複製について"
    body = _REFUSAL.format(player=player, day=show_day(day), wish=replication.describe(told[-1].fate.entry))
    causes = tuple(case.fate.entry.entry_id for case in told)
    out.tasks.append(Task("mail", causes, title, body, (player,), release, due, audience=player))


def _notice_day(day: dt.date, calendar: Calendar) -> dt.date:
    """The rest day has no maintenance time of its own (A-04)."""
    if calendar.is_rest_day(day) and calendar.policies.reading("A-04", midnight(day, calendar.zone)) == 2:
        return day + dt.timedelta(days=1)
    return day


_REFUSAL = """{player} さん

{day}の星座複製の申請（{wish}）は不受理となりました。
この申請では恒星は消費されていません。

輝流堕2026マスター
"""


def find_alerts(calendar: Calendar, as_of: pd.Timestamp) -> list[Task]:
    """A result that is not published by 22:00 of its day (A-46)."""
    out = []
    for event in calendar.events.values():
        clock = read_clock(
            calendar.settings.parameters.text("result_alert", midnight(event.day, calendar.zone))
        )
        due = at(event.day, clock or dt.time(22), calendar.zone)
        began = event.start or event.gather or midnight(event.day, calendar.zone)
        late = event.result_at is None or event.result_at > due
        if event.takes_signups and began <= calendar.end and due <= as_of and late:
            causes = (
                title_of(event.day),
                event.day.strftime("%m-%d"),
                *((event.cause,) if event.cause else ()),
            )
            text = "22:00 を過ぎても結果が公開されていません。報酬は公開の時刻に付きます"
            state = "済" if event.result_at is not None and event.result_at <= as_of else ""
            out.append(Task("alert", causes, title_of(event.day), text, due=due, state=state))
    return out


def ask_decisions(cases: Iterable[Case], flags: Iterable[Flag]) -> list[Task]:
    """What waits for a master: entries that are 要確認, and rows whose open point blocks."""
    out = []
    for case in cases:
        if case.outlook == BLOCKED:
            text = "、".join(reason.text for reason in case.reasons)
            out.append(Task("decision", (case.fate.entry.entry_id,), "裁定", text, due=case.fate.decides_at))
    for flag in flags:
        if flag.note.blocks:
            out.append(Task("decision", flag.causes, flag.note.ruling, flag.note.text))
    return out


def add_notes(cases: Mapping[str, Case], notes: Mapping[str, Sequence[Note]]) -> dict[str, Case]:
    return {
        entry_id: case._replace(notes=(*case.notes, *notes[entry_id])) if entry_id in notes else case
        for entry_id, case in cases.items()
    }
