"""Decisions that would take back what was already published: they wait for a second tick.

Promises: a name that an article has already shown is not withdrawn by one slip of a thumb; what would change is told
first. Refuses to know: sheets. Sources: ４章 星座複製 (article at 05:00), １章 マスターイベント (result).
"""

from __future__ import annotations

import datetime as dt

import pandas as pd

from rules.clock import at, midnight, read_clock, say_instant, show_day
from rules.game import Outcome, Preview
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case
from rules.kanada.results import title_of
from rules.kanada.strikes import RETURNED, SPENT
from rules.verdicts import HELD, REFUSED


def published_at(case: Case, calendar: Calendar) -> tuple[pd.Timestamp, str] | None:
    """When, and in which article, an accepted entry was shown; None where it never is."""
    day = case.fate.entry.day
    if day is None:
        return None
    if case.fate.entry.form == "replication":
        clock = read_clock(calendar.settings.parameters.text("P151", midnight(day, calendar.zone)))
        return at(day, clock or dt.time(5), calendar.zone), f"{show_day(day)} 複製"
    event = calendar.events.get(day)
    if event is None or event.result_at is None:
        return None
    return event.result_at, title_of(day)


def find_reversals(case: Case, calendar: Calendar, as_of: pd.Timestamp) -> bool:
    """A decision against an entry that nobody confirmed yet: against an attack, or made after the article came out."""
    ruling = case.fate.ruling
    if ruling is None or ruling.confirmed:
        return False
    if case.fate.entry.form == "attack":
        return ruling.ruling in (RETURNED, SPENT, REFUSED)
    if ruling.ruling not in (REFUSED, HELD):
        return False
    shown = published_at(case, calendar)
    return shown is not None and shown[0] <= min(ruling.at, as_of)


def show_reversal(after: Case, before: Case, whole: Outcome, outcome: Outcome) -> Preview:
    """What the decision would change: the verdict, the article, the ledger, and every other verdict."""
    calendar: Calendar = outcome.extra.calendar
    shown = published_at(after, calendar)
    ruling = after.fate.ruling
    told = []
    if shown is not None:
        told.append(
            f"『{shown[1]}』（{say_instant(shown[0], calendar.zone)} 公開済み）から {after.player} が外れます"
        )
    gone = set(outcome.postings["posting_id"]) - set(whole.postings["posting_id"])
    new = set(whole.postings["posting_id"]) - set(outcome.postings["posting_id"])
    told.append(
        f"台帳の {len(gone)} 行が消え、{len(new)} 行が増えます" if gone or new else "台帳は変わりません"
    )
    others = _list_others(whole, outcome, after.fate.entry.entry_id)
    told += (
        [
            f"これに依る判定 {len(others)} 件: {'、'.join(others[:_NAMED])}{' ほか' if len(others) > _NAMED else ''}"
        ]
        if others
        else []
    )
    word = ruling.ruling if ruling is not None else ""
    return Preview(
        after.fate.entry.entry_id,
        f"裁定「{word}」: {before.effective} → {after.effective}",
        "。".join(told),
        "よければ「確定」を入れてください。それまでは前の判定のままです",
    )


_NAMED = 12


def _list_others(whole: Outcome, outcome: Outcome, entry_id: str) -> list[str]:
    now = dict(zip(outcome.verdicts["entry_id"], outcome.verdicts["effective"], strict=True))
    then = zip(whole.verdicts["entry_id"], whole.verdicts["effective"], strict=True)
    return [
        f"{entry} {now.get(entry)}→{status}"
        for entry, status in then
        if entry != entry_id and now.get(entry) != status
    ]
