"""襲撃: what an attack books, what blocks it, and its verdict.

Promises: points by exact arithmetic, cut and never below zero; 恒星 to the attacker alone; what the text leaves open
waits for a master; objections leave the bookings standing, marked 仮. Refuses to know: how freezes are ruled against
each other (rules.kanada.strikes). Sources: ６章 星術師への襲撃の成立, ６章 学者への襲撃の成立, ６章 フリーズ.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from rules.clock import floor_second, local_day, midnight, read_instant, say_instant
from rules.game import Settings
from rules.kanada.book import Attack
from rules.kanada.calendar import Calendar
from rules.kanada.phases import ATTACK
from rules.kanada.reports import LIMIT, MINUTE, Report
from rules.kanada.results import Gain
from rules.kanada.strikes import HELD, RETURNED, SPENT, Strike
from rules.kanada.superiority import Standing
from rules.postings import Posting, cut
from rules.tables import LARGEST, Row

_SORCERER, _SCHOLAR = "６章 星術師への襲撃の成立", "６章 学者への襲撃の成立"
OBJECTION = pd.Timedelta(hours=8)
RECEIPTS = ("確認メール送信(襲撃者)", "確認メール送信(被襲撃者)")
OBJECTIONS = ("異議(襲撃者)", "異議(被襲撃者)")


class Numbers(NamedTuple):
    """a to d of one attack, as masters typed them."""

    a: Decimal
    b: Decimal
    c: Decimal
    d: Decimal


def read_numbers(cells: Mapping[str, str]) -> Numbers:
    """Blank is the initial value: 0 for a and c, 1 for b and d."""
    return Numbers(
        *(_number(cells.get(name, ""), first) for name, first in zip("abcd", (0, 1, 0, 1), strict=True))
    )


def _number(text: str, otherwise: int) -> Decimal:
    found = read_number(text)
    return Decimal(otherwise) if found is None else found


def read_number(text: str) -> Decimal | None:
    """A decimal as masters type it, in any width; None for a blank or anything else."""
    plain = unicodedata.normalize("NFKC", text).strip()
    try:
        value = Decimal(plain) if plain else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() and abs(value) < LARGEST else None


def attack_points(numbers: Numbers) -> int:
    """((100+a)×b), cut, not below 0."""
    return max(cut((100 + numbers.a) * numbers.b), 0)


def victim_points(numbers: Numbers) -> int:
    """((150+c)×d), cut, not below 0."""
    return max(cut((150 + numbers.c) * numbers.d), 0)


class Period(NamedTuple):
    """A time in which nobody named (None: nobody at all) may attack or be attacked; `stop` is exclusive."""

    start: pd.Timestamp
    stop: pd.Timestamp
    why: str
    persons: frozenset[str] | None


def list_periods(
    calendar: Calendar,
    prohibited: Sequence[Row],
    participants: Mapping[dt.date, Iterable[str]],
    scholars: Iterable[str],
) -> list[Period]:
    """Maintenance times, rest days, individual times, events: for 参加予定者 and all scholars (１章 活動禁止時間)."""
    out = []
    for day in calendar.days:
        if calendar.is_rest_day(day):
            out.append(
                Period(
                    midnight(day, calendar.zone),
                    midnight(day, calendar.zone) + pd.Timedelta(days=1),
                    "休戦日",
                    None,
                )
            )
        else:
            start, last = calendar.clocks("P17", day)
            out.append(Period(start, _first_outside(last), "メンテナンス時間", None))
    for row in prohibited:
        stop = row.get("終了")
        if stop is not None:
            out.append(
                Period(
                    row.get("開始"),
                    _first_outside(stop),
                    f"{row.get('対象')}の活動禁止時間",
                    frozenset({row.get("対象")}),
                )
            )
    for event in calendar.events.values():
        if event.barred is not None and event.takes_signups:
            persons = frozenset({*participants.get(event.day, ()), *scholars})
            out.append(
                Period(event.barred[0], _first_outside(event.barred[1]), "マスイベの活動禁止時間", persons)
            )
    return out


def _first_outside(stop: pd.Timestamp) -> pd.Timestamp:
    """A time printed :59 is a whole second inside, a time printed :00 the first instant outside (A-57)."""
    return stop if stop.second == 0 else floor_second(stop) + pd.Timedelta(seconds=1)


def find_barred(report: Report, periods: Sequence[Period]) -> str:
    """The period that holds the freeze minute."""
    for period in periods:
        if (
            report.freeze is not None
            and period.start <= report.freeze < period.stop
            and _concerns(period, report)
        ):
            return period.why
    return ""


def runs_into(report: Report, release: pd.Timestamp, periods: Sequence[Period], calendar: Calendar) -> str:
    """The period, or the end of the game, that begins between freeze and release (A-13)."""
    if report.freeze is None:
        return ""
    if report.freeze <= calendar.end < release:
        return "終戦"
    return next((p.why for p in periods if report.freeze < p.start <= release and _concerns(p, report)), "")


def _concerns(period: Period, report: Report) -> bool:
    return period.persons is None or bool(period.persons & {report.attacker, report.target})


class Timing(NamedTuple):
    """The instants of one attack: 成立時刻, touch, release."""

    established: pd.Timestamp | None
    touched: pd.Timestamp | None
    release: pd.Timestamp


def read_timing(report: Report, freeze: pd.Timestamp, settings: Settings) -> Timing:
    typed = read_cell(report.cells, "成立時刻", settings)
    posted = floor_second(report.post.at) if report.post is not None else None
    established = floor_second(typed) if typed is not None else posted
    touched = read_cell(report.cells, "タッチ時刻", settings)
    limit = freeze + LIMIT[report.scholar]
    release = touched or (min(established + MINUTE, limit) if established is not None else limit)
    return Timing(established, touched, max(release, freeze))


def read_cell(cells: Mapping[str, str], header: str, settings: Settings) -> pd.Timestamp | None:
    text = cells.get(header, "")
    return read_instant(text, settings.zone, settings.year) if text.strip() else None


def read_standing(report: Report, superior: Mapping[str, Sequence[str]]) -> Standing | None:
    """優位 as a master typed it, or as it is given; None leaves it to the constellations."""
    if report.scholar:
        return Standing(True, "学者です")
    typed = report.cells.get("優位", "").strip().upper()
    if typed:
        return Standing(typed not in ("FALSE", "0", "×", "なし", "いいえ"), "マスターの記入")
    if report.attacker in superior:
        return Standing(report.target in superior[report.attacker], "優位の一覧")
    return None


def make_attack(
    report: Report,
    freeze: pd.Timestamp,
    timing: Timing,
    *,
    barred: str,
    standing: Standing | None,
    blocked: bool,
    decided: bool,
    grades: Mapping[str, int],
    provisional: bool,
    zone: ZoneInfo,
) -> Attack:
    """The freeze for the fold, with what the attack books if it holds."""
    ruling = report.fate.ruling.ruling if report.fate.ruling is not None else ""
    strike = Strike(
        report.entry.entry_id,
        report.attacker,
        report.target,
        report.scholar,
        local_day(freeze, zone),
        freeze,
        timing.release,
        timing.established,
        barred,
        standing,
        blocked,
        _forced(ruling) if timing.established is not None or ruling not in ("受理", HELD) else "",
        decided,
    )
    gains = (
        list(_list_gains(report, timing.established, grades, provisional))
        if timing.established is not None
        else []
    )
    if strike.forced == SPENT:
        gains = (
            [gain for gain in gains if gain.posting.account.startswith("ball/")]
            if _keeps_balls(report)
            else []
        )
    return Attack(strike, tuple(gains))


def _keeps_balls(report: Report) -> bool:
    """After a 不成立 the exchange stands, without stars, unless masters send the balls back (A-14)."""
    return report.cells.get("球の扱い", "").strip() != "戻す"


def _forced(ruling: str) -> str:
    if ruling in ("受理", HELD):
        return HELD
    if ruling in ("不受理", RETURNED):
        return RETURNED
    return SPENT if ruling == SPENT else ""


def _list_gains(
    report: Report, established: pd.Timestamp, grades: Mapping[str, int], provisional: bool
) -> Iterable[Gain]:
    numbers, state = read_numbers(report.cells), "仮" if provisional else ""
    section = _SCHOLAR if report.scholar else _SORCERER

    def book(player: str, account: str, amount: int, rule: str) -> Iterable[Gain]:
        if amount:
            cause = report.entry.entry_id
            yield Gain(
                Posting(
                    established,
                    ATTACK,
                    player,
                    account,
                    amount,
                    cause,
                    rule,
                    section,
                    audience=player,
                    state=state,
                )
            )

    yield from book(report.attacker, "points", attack_points(numbers), "attack_points")
    if report.scholar:
        if report.card:
            yield from book(report.target, f"card/{report.target}", -1, "card_given")
            yield from book(report.attacker, f"card/{report.target}", 1, "card_taken")
        return
    yield from book(report.target, "points", -victim_points(numbers), "victim_points")
    for giver, taker, balls in (
        (report.attacker, report.target, report.given),
        (report.target, report.attacker, report.taken),
    ):
        for ball, number in Counter(balls).items():
            yield from book(giver, f"ball/{ball}", -number, "ball_given")
            yield from book(taker, f"ball/{ball}", number, "ball_taken")
    stars = Counter(grades[ball] for ball in (*report.given, *report.taken) if ball in grades)
    for grade, number in sorted(stars.items()):
        yield from book(report.attacker, f"star/{grade}", number, "exchange_star")


def find_blocks(
    report: Report,
    freeze: pd.Timestamp,
    timing: Timing,
    *,
    rivals: Sequence[str],
    face: bool,
    into: str,
    as_of: pd.Timestamp,
    zone: ZoneInfo,
) -> list[tuple[str, dict[str, str]]]:
    """What makes an attack wait for a master, as (code, values); the code may be a ruling A-nn."""
    out: list[tuple[str, dict[str, str]]] = []
    limit = freeze + LIMIT[report.scholar]
    if rivals:
        out.append(("janken", {"rivals": "、".join(rivals)}))
    if report.wrong_victim:
        out.append(
            (
                "wrong_victim",
                {"named": "、".join(report.post.named) if report.post else "", "target": report.target},
            )
        )
    if face:
        out.append(("face", {}))
    late = report.post is not None and floor_second(report.post.at) > limit
    if late or (timing.touched is not None and floor_second(timing.touched) > limit):
        out.append(("touch_late", {"limit": say_instant(limit, zone)}))
    if into:
        out.append(("A-13", {"why": into}))
    if report.is_corrected_late:
        out.append(("A-42", {"others": "期限後のメールでの訂正"}))
    if report.differing:
        out.append(("A-42", {"others": "、".join(report.differing)}))
    if timing.established is None and floor_second(as_of) > freeze + pd.Timedelta(minutes=30):
        out.append(("no_post", {}))
    return out


def find_objections(
    report: Report, receipts: Sequence[pd.Timestamp | None], settings: Settings
) -> list[tuple[str, dict[str, str]]]:
    """Objections of the two, in time (within eight hours of that party's receipt) or late."""
    out = []
    for header, receipt in zip(OBJECTIONS, receipts, strict=True):
        said = read_cell(report.cells, header, settings)
        if said is not None:
            late = receipt is not None and floor_second(said) > floor_second(receipt) + OBJECTION
            out.append(
                (
                    "objection_late" if late else "objection",
                    {"who": header, "at": say_instant(said, settings.zone)},
                )
            )
    return out
