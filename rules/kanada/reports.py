"""襲撃報告: forms and posts brought together into attacks.

Promises: every form is an event; a post belongs to the form of the same attacker and victim whose freeze is nearest
before it, within 30 minutes; masters' corrections stand over what was sent, which stays visible. Refuses to know:
whether the freeze formed. Sources: ６章 星術師への襲撃の流れ, ６章 学者への襲撃の流れ.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import at, floor_second, local_day, read_clock, read_instant
from rules.game import Form, Settings
from rules.kanada.board import CORRECTION, REPORT, Post, correction_number
from rules.kanada.intake import Entry, Fate, Key

JOIN = pd.Timedelta(minutes=30)
CORRECTABLE = pd.Timedelta(minutes=10)
LIMIT = {False: pd.Timedelta(minutes=13), True: pd.Timedelta(minutes=10)}
"""Freeze to release: sorcerers, scholars (the key: whether the victim is a scholar)."""

MINUTE = pd.Timedelta(minutes=1)


class Report(NamedTuple):
    """One attack as reported. `posts` holds the post that gives the 成立時刻 and the body that counts."""

    fate: Fate
    attacker: str
    target: str
    scholar: bool
    freeze: pd.Timestamp | None
    day: dt.date
    given: tuple[str, ...]
    taken: tuple[str, ...]
    exchange: str
    card: bool
    cells: Mapping[str, str]
    content: str
    post: Post | None = None
    corrected: Post | None = None
    wrong_victim: bool = False
    first: str = ""
    differing: tuple[str, ...] = ()
    is_corrected_late: bool = False

    @property
    def entry(self) -> Entry:
        return self.fate.entry

    @property
    def is_second(self) -> bool:
        return self.first != ""


def read_keys(_answers: Mapping[str, Any], _year: int) -> list[Key]:
    return [Key("", None)]


def read_report(
    fate: Fate, form: Form, roles: Mapping[str, str], cells: Mapping[str, str], settings: Settings
) -> Report:
    """One form, with the masters' corrections (訂正:<question>) laid over its answers."""
    answers = _corrected(fate.entry.answers, form, cells)
    sent = fate.entry.submitted_at
    target = unicodedata.normalize("NFC", str(answers.get("target", ""))).strip()
    return Report(
        fate=fate,
        attacker=fate.proof.player,
        target=target,
        scholar=roles.get(target) == "学者",
        freeze=read_freeze(str(answers.get("freeze_at", "")), sent, settings),
        day=local_day(sent, settings.zone),
        given=_list(answers.get("balls_given")),
        taken=_list(answers.get("balls_taken")),
        exchange=str(answers.get("exchange", "")).strip() or "なし",
        card=str(answers.get("card", "")).strip() == "受け取った",
        cells=cells,
        is_corrected_late=_is_late_mail(fate.entry, form, cells, settings),
        content=repr(
            sorted((k, v) for k, v in fate.entry.answers.items() if k not in ("name", "passphrase") and v)
        ),
    )


def _is_late_mail(entry: Entry, form: Form, cells: Mapping[str, str], settings: Settings) -> bool:
    """A correction by mail more than ten minutes after the form (A-42)."""
    text = cells.get("訂正メール受信", "").strip()
    received = read_instant(text, settings.zone, settings.year) if text else None
    late = received is not None and floor_second(received) > floor_second(entry.submitted_at) + CORRECTABLE
    return late and _corrected(entry.answers, form, cells) != dict(entry.answers)


def _corrected(answers: Mapping[str, Any], form: Form, cells: Mapping[str, str]) -> dict[str, Any]:
    out = dict(answers)
    for field in form.fields:
        for header in (f"訂正:{field.title}", f"訂正:{field.name}"):
            if cells.get(header, "").strip():
                out[field.name] = [cells[header]] if field.many else cells[header]
    return out


def _list(value: Any) -> tuple[str, ...]:
    """Names as ticked, and as typed beside the ticks: several in a line where two are of a kind."""
    lines = value if isinstance(value, list) else [str(value or "")]
    texts = [text for line in lines for text in line.replace("、", "\n").splitlines()]
    return tuple(unicodedata.normalize("NFC", text).strip() for text in texts if text.strip())


def read_freeze(text: str, sent: pd.Timestamp, settings: Settings) -> pd.Timestamp | None:
    """HH:MM on the day of the submission, or the day before if that would lie after it; seconds dropped."""
    plain = unicodedata.normalize("NFKC", text).strip()
    dated = read_instant(plain, settings.zone, settings.year) if ":" in plain else None
    if dated is not None:
        return dated.floor("min")
    clock = read_clock(plain)
    if clock is None:
        return None
    day = local_day(sent, settings.zone)
    freeze = at(day, clock.replace(second=0, microsecond=0), settings.zone)
    return (
        freeze
        if freeze <= sent
        else at(day - dt.timedelta(days=1), clock.replace(second=0, microsecond=0), settings.zone)
    )


def match_seconds(reports: Sequence[Report]) -> list[Report]:
    """Mark second forms of one attack: same attacker and target, freezes less than 30 minutes apart."""
    out: list[Report] = []
    for report in reports:
        first = next((other for other in out if not other.is_second and _is_same(other, report)), None)
        if first is None:
            out.append(report)
            continue
        out.append(report._replace(first=first.entry.entry_id))
        if first.content != report.content:
            place = out.index(first)
            out[place] = first._replace(differing=(*first.differing, report.entry.entry_id))
    return out


def _is_same(one: Report, other: Report) -> bool:
    if (
        one.attacker != other.attacker
        or not one.attacker
        or not one.fate.proof.proved
        or not other.fate.proof.proved
    ):
        return False
    if one.entry.response_id == other.entry.response_id:
        return True
    if one.target != other.target or one.freeze is None or other.freeze is None:
        return False
    return abs(one.freeze - other.freeze) < JOIN


class Joined(NamedTuple):
    """Reports with their posts, posts that no form claims, second posts, and what each 訂正 corrects."""

    reports: list[Report]
    alone: list[Post]
    seconds: list[Post]
    corrections: Mapping[str, str]


def join_posts(reports: Sequence[Report], posts: Sequence[Post]) -> Joined:
    """Give each report its first properly titled post, by victim, failing that by time alone."""
    titled = [post for post in posts if post.title == REPORT and post.player]
    fixes, corrections = match_corrections(titled, [post for post in posts if post.title == CORRECTION])
    owned: dict[str, Post] = {}
    wrong: set[str] = set()
    seconds: list[Post] = []
    alone: list[Post] = []
    for by_victim in (True, False):
        for post in titled if by_victim else alone[:]:
            victims = _victims(fixes.get(post.entry.entry_id, post), post.player)
            report = _nearest(reports, post, victims if by_victim else None)
            if report is None:
                if by_victim:
                    alone.append(post)
                continue
            if not by_victim:
                alone.remove(post)
                wrong.add(report.entry.entry_id)
            if report.entry.entry_id in owned:
                seconds.append(post)
                wrong.discard(report.entry.entry_id)
            else:
                owned[report.entry.entry_id] = post
    joined = [
        report._replace(
            post=owned.get(report.entry.entry_id),
            corrected=fixes.get(owned[report.entry.entry_id].entry.entry_id)
            if report.entry.entry_id in owned
            else None,
            wrong_victim=report.entry.entry_id in wrong,
        )
        for report in reports
    ]
    return Joined(joined, alone, seconds, corrections)


def _victims(post: Post, attacker: str) -> tuple[str, ...]:
    return tuple(name for name in post.named if name != attacker)


def _nearest(reports: Sequence[Report], post: Post, victims: Sequence[str] | None) -> Report | None:
    fitting = [
        report
        for report in reports
        if not report.is_second
        and report.attacker == post.player
        and report.fate.proof.proved
        and report.freeze is not None
        and report.freeze <= floor_second(post.at) <= report.freeze + JOIN
        and (victims is None or report.target in victims)
    ]
    return max(fitting, key=lambda r: (r.freeze, r.entry.submitted_at), default=None)


def match_corrections(
    posts: Sequence[Post], corrections: Sequence[Post]
) -> tuple[dict[str, Post], dict[str, str]]:
    """What each 襲撃報告訂正 is: `counts`, `late`, `second_post`, `wrong_number` or `no_object`; and post id -> the one that counts."""
    fixes: dict[str, Post] = {}
    fates: dict[str, str] = {}
    for correction in corrections:
        number = correction_number(correction.body)
        object_post = next((p for p in posts if p.number == number and p.player == correction.player), None)
        entry_id = correction.entry.entry_id
        if object_post is None or correction.at < object_post.at:
            near = any(
                p.player == correction.player and p.at <= correction.at <= p.at + CORRECTABLE for p in posts
            )
            fates[entry_id] = "wrong_number" if near else "no_object"
        elif floor_second(correction.at) > floor_second(object_post.at) + CORRECTABLE:
            fates[entry_id] = "late"
        elif object_post.entry.entry_id in fixes:
            fates[entry_id] = "second_post"
        else:
            fates[entry_id] = "counts"
            fixes[object_post.entry.entry_id] = correction
    return fixes, fates
