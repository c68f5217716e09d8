"""マスイベ参加申込: who is a 参加予定者 of which event.

Promises: the last sign-up in time of a (player, event day) is judged, and only that; a wish to withdraw is shown to
the masters and decided by them (A-43). Refuses to know: points, attendance.
Source: １章 マスターイベント.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from rules.clock import floor_second, read_date, say_instant, show_day
from rules.kanada.calendar import Calendar
from rules.kanada.intake import Entry, Fate, Key
from rules.kanada.reasons import give, note, status_of, status_of_flaws
from rules.verdicts import ACCEPTED, BLOCKED, Judgement, Note, Reason

_SECTION = "１章 マスターイベント"


def read_keys(answers: Mapping[str, Any], year: int) -> Iterable[Key]:
    """Each ticked date once; a text that is no date, or no date at all, is one entry with an unreadable key."""
    ticked = answers.get("event_dates", [])
    texts = [ticked] if isinstance(ticked, str) else list(ticked)
    texts = [text for text in texts if text.strip()] or [""]
    keys: dict[str, dt.date | None] = {}
    for text in texts:
        day = read_date(unicodedata.normalize("NFKC", text), year)
        keys.setdefault(day.isoformat() if day else text, day)
    return [Key(rest, day) for rest, day in keys.items()]


def find_wish(answers: Mapping[str, Any], words: Sequence[str]) -> str:
    """The first word of withdrawal in 備考, read after NFKC and without spaces."""
    text = "".join(unicodedata.normalize("NFKC", str(answers.get("note", ""))).split())
    return next((word for word in words if word in text), "")


def claim(entry: Entry, words: Sequence[str]) -> str:
    """What two sign-ups for one day can differ in: whether one of them takes the wish back."""
    return find_wish(entry.answers, words)


def deadline(day: dt.date, calendar: Calendar) -> pd.Timestamp | None:
    """The eve 23:59:59 of an event that takes sign-ups; other days have no deadline that one could miss."""
    event = calendar.events.get(day)
    return calendar.offset("P62", day) if event is not None and event.takes_signups else None


def judge(fate: Fate, calendar: Calendar, *, accepted: bool = False) -> Judgement:
    """The entry that counts. `accepted`: a master took it as in time, authenticated and sound."""
    entry = fate.entry
    if entry.day is None or accepted:
        return Judgement(ACCEPTED)
    reasons = [*_find_outside(fate, entry.day, calendar), *_find_flaws(fate)]
    word = find_wish(entry.answers, calendar.settings.words.get("withdrawal_words", ()))
    if reasons:
        return Judgement(status_of_flaws(reasons), tuple(reasons))
    if word:
        return _judge_wish(fate, word, calendar)
    return Judgement(ACCEPTED)


def _judge_wish(fate: Fate, word: str, calendar: Calendar) -> Judgement:
    reading = calendar.policies.settled_reading("A-43", fate.entry.submitted_at, fate.entry.entry_id)
    reason = give("withdrawal_wish", word=word)
    if reading is None:
        return Judgement(BLOCKED, (reason,), (note("A-43", blocks=True),))
    return Judgement(ACCEPTED) if reading == 1 else Judgement(status_of(reason), (reason,))


def _find_outside(fate: Fate, day: dt.date, calendar: Calendar) -> Iterable[Reason]:
    event = calendar.events.get(day)
    if event is None or not event.takes_signups:
        kind = f"{event.kind}マスイベ" if event else "休戦日" if calendar.is_rest_day(day) else "マスイベなし"
        yield give("not_event_day", day=show_day(day), kind=kind)
        return
    last = calendar.end.tz_convert(calendar.zone).date()
    start = event.start or event.gather
    if day > last or (day == last and start is not None and start > calendar.end):
        yield give("game_over", day=show_day(day), end=say_instant(calendar.end, calendar.zone))


def _find_flaws(fate: Fate) -> Iterable[Reason]:
    proof = fate.proof
    if proof.flawed:
        yield give(proof.faults[0], name=fate.entry.name)
    if proof.role != "星術師":
        yield give("role", name=proof.player, role=proof.role, section=_SECTION)


def note_omissions(fates: Sequence[Fate]) -> dict[str, Note]:
    """A later sign-up that leaves out a day which an earlier one of the same player named does not withdraw it."""
    sent: dict[str, list[Fate]] = {}
    for fate in fates:
        if fate.proof.proved and fate.proof.player:
            sent.setdefault(fate.proof.player, []).append(fate)
    out: dict[str, Note] = {}
    for mine in sent.values():
        contents: dict[tuple[str, str], set[str]] = {}
        for fate in mine:
            contents.setdefault((fate.entry.response_id, fate.entry.revision), set()).add(fate.entry.rest)
        for fate in mine:
            if fate.effective == "" and _is_omitted(fate, mine, contents):
                out[fate.entry.entry_id] = note("A-43", more="（後の申込にこの日がありません）")
    return out


def _is_omitted(fate: Fate, mine: Sequence[Fate], contents: Mapping[tuple[str, str], set[str]]) -> bool:
    return any(
        other.entry.submitted_at > fate.entry.submitted_at
        and fate.deadline is not None
        and floor_second(other.entry.submitted_at) <= fate.deadline
        and fate.entry.rest not in contents[other.entry.response_id, other.entry.revision]
        for other in mine
    )
