"""Attacks from reports to verdicts: what goes into the fold, and what comes out of it.

Promises: every form is an event with its own verdict; a post has one only if no form came or if it corrects; nothing
is booked while form or post is missing. Refuses to know: rights, cool-downs (the fold), the text of mails.
Sources: ６章 whole.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import floor_second, say_instant
from rules.frames import Finding
from rules.kanada import attack
from rules.kanada.book import Attack
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case, Context, find_undecided
from rules.kanada.inquiry import crosses_rest_day
from rules.kanada.intake import Fate
from rules.kanada.reasons import give, note, status_of
from rules.kanada.remarks import find_notes
from rules.kanada.reports import Joined, Report
from rules.kanada.strikes import Ruled
from rules.verdicts import ACCEPTED, BLOCKED, HELD, PENDING, Judgement, Note, Reason, digest_basis

POST_WAIT = pd.Timedelta(minutes=30)
_HOUR6 = pd.Timedelta(hours=6)


class Scene(NamedTuple):
    """What attacks are judged by beside the fold."""

    context: Context
    periods: Sequence[attack.Period]
    superior: Mapping[str, Sequence[str]]
    grades: Mapping[str, int]
    columns: Mapping[str, Mapping[str, str]]
    receipts: Mapping[tuple[str, str], pd.Timestamp]


class Prepared(NamedTuple):
    """One report with all that was settled before the fold."""

    report: Report
    timing: attack.Timing | None
    blocks: list[tuple[str, dict[str, str]]]
    objections: list[tuple[str, dict[str, str]]]
    attack: Attack | None
    decides_at: pd.Timestamp


def prepare(joined: Joined, scene: Scene) -> list[Prepared]:
    """Everything about each report that needs no balances."""
    return [_prepare(report, joined.reports, scene) for report in joined.reports]


def _receipts(report: Report, scene: Scene) -> list[pd.Timestamp | None]:
    """When each of the two got the mail: the column, else the mail's own 送信時刻."""
    settings = scene.context.calendar.settings
    out = []
    for header, player in zip(attack.RECEIPTS, (report.attacker, report.target), strict=True):
        typed = attack.read_cell(report.cells, header, settings)
        out.append(typed if typed is not None else scene.receipts.get((report.entry.entry_id, player)))
    return out


def _prepare(report: Report, reports: Sequence[Report], scene: Scene) -> Prepared:
    context, fate, freeze = scene.context, report.fate, report.freeze
    calendar, sent = context.calendar, floor_second(report.entry.submitted_at)
    known = report.target in context.roster and report.target != report.attacker
    if freeze is None or not fate.proof.proved or report.is_second or not known:
        return Prepared(report, None, [], [], None, sent)
    timing = attack.read_timing(report, freeze, calendar.settings)
    if _find_outside(freeze, calendar) is not None or fate.proof.role != "星術師":
        return Prepared(report, timing, [], [], None, max(sent, freeze))
    barred = attack.find_barred(report, scene.periods)
    blocks = _find_blocks(report, reports, freeze, timing, scene, barred=bool(barred))
    receipts = _receipts(report, scene)
    objections = attack.find_objections(report, receipts, calendar.settings)
    unposted = freeze + POST_WAIT + pd.Timedelta(seconds=1)
    decides_at = max(timing.established if timing.established is not None else unposted, freeze)
    ruled = fate.ruling.ruling if fate.ruling is not None else ""
    settled = all(r is not None and context.as_of > r + attack.OBJECTION for r in receipts) and not objections
    made = attack.make_attack(
        report,
        freeze,
        timing,
        barred=barred,
        standing=attack.read_standing(report, scene.superior),
        blocked=bool(blocks) or timing.established is None or ruled == HELD,
        decided=find_undecided(fate._replace(decides_at=decides_at), context) is None,
        grades=scene.grades,
        provisional=not settled and ruled not in ("成立", "受理"),
        zone=calendar.zone,
    )
    return Prepared(report, timing, blocks, objections, made, decides_at)


def _find_blocks(
    report: Report,
    reports: Sequence[Report],
    freeze: pd.Timestamp,
    timing: attack.Timing,
    scene: Scene,
    *,
    barred: bool,
) -> list[tuple[str, dict[str, str]]]:
    """What makes this attack wait, with the other attackers of the same victim in the same minute (じゃんけん)."""
    calendar = scene.context.calendar
    rivals = [
        other.entry.entry_id
        for other in reports
        if (other.target, other.freeze) == (report.target, freeze)
        and other.attacker != report.attacker
        and other.fate.proof.proved
        and not other.is_second
    ]
    ticks = scene.columns.get(report.post.entry.entry_id, {}) if report.post is not None else {}
    into = "" if barred else attack.runs_into(report, timing.release, scene.periods, calendar)
    return attack.find_blocks(
        report,
        freeze,
        timing,
        rivals=rivals,
        face=_says_no(ticks.get("顔", "")),
        into=into,
        as_of=scene.context.as_of,
        zone=calendar.zone,
    )


def _says_no(text: str) -> bool:
    return text.strip().upper() in ("FALSE", "0", "×", "否", "いいえ")


def conclude(prepared: Sequence[Prepared], ruled: Mapping[str, Ruled], scene: Scene) -> dict[str, Case]:
    """A case for every form."""
    return {
        p.report.entry.entry_id: _conclude(p, ruled.get(p.report.entry.entry_id), scene) for p in prepared
    }


def _conclude(item: Prepared, ruled: Ruled | None, scene: Scene) -> Case:
    context = scene.context
    fate = item.report.fate._replace(decides_at=item.decides_at)
    machine, notes = _judge(item, ruled, context)
    effective = _overrule(fate, machine) if not _lacks_instant(item) else machine
    undecided = find_undecided(fate, context) if effective.status != PENDING else None
    pending = undecided is not None
    notes = [*notes, *find_notes(fate, context)]
    return Case(
        fate,
        PENDING if pending else machine.status,
        PENDING if pending else effective.status,
        effective.status if pending else "",
        (undecided, *effective.reasons) if undecided is not None else effective.reasons,
        tuple(notes),
        (),
        tuple(_findings(item, context)),
        digest_basis(machine.status, machine.reasons, item.report.differing),
    )


def _judge(item: Prepared, ruled: Ruled | None, context: Context) -> tuple[Judgement, list[Note]]:
    """What the rules alone say of one form, in the order of judgement."""
    report, calendar = item.report, context.calendar
    proof = report.fate.proof
    if not proof.proved:
        reasons = tuple(give(fault, name=report.entry.name) for fault in proof.faults)
        unknown = reasons[0].code == "unknown_name" and report.entry.submitted_at < context.roster_published
        return Judgement(BLOCKED if unknown else status_of(reasons[0]), reasons), []
    if report.is_second:
        return Judgement("対象外", (give("second_report", first=report.first),)), []
    if report.freeze is None or item.timing is None:
        said = str(report.entry.answers.get("freeze_at", ""))
        return Judgement(BLOCKED, (give("freeze_unreadable", answer=said, target=report.target),)), []
    outside = _find_outside(report.freeze, calendar)
    if outside is not None:
        return Judgement(status_of(outside), (outside,)), []
    if proof.role != "星術師":
        return Judgement(
            "不受理", (give("role", name=proof.player, role=proof.role, section="１章 学者"),)
        ), []
    return _judge_freeze(item, ruled, calendar)


def _judge_freeze(item: Prepared, ruled: Ruled | None, calendar: Calendar) -> tuple[Judgement, list[Note]]:
    report = item.report
    names = {"attacker": report.attacker, "target": report.target}
    codes = [give(code, **{**names, **values}) for code, values in (ruled.codes if ruled else ())]
    rulings = list(ruled.rulings) if ruled else []
    blocks = [(code, values) for code, values in item.blocks]
    blocks += [(ruling.removeprefix("!"), {}) for ruling in rulings if ruling.startswith("!")]
    stops = [give(code, **{**names, **values}) for code, values in blocks]
    doubts = [give(code, **values) for code, values in item.objections]
    notes = [note(ruling) for ruling in rulings if not ruling.startswith("!")]
    if crosses_rest_day(
        report.entry.submitted_at, report.entry.submitted_at + _HOUR6 + attack.OBJECTION, calendar
    ):
        notes.append(note("A-31"))
    notes += [note(code, blocks=True) for code, _values in blocks if code.startswith("A-")]
    if any(reason.code == "janken" for reason in stops):
        return Judgement(BLOCKED, (*stops, *codes, *doubts)), notes
    if codes:
        return Judgement("不成立", (*codes, *stops, *doubts)), notes
    if stops or doubts:
        return Judgement(BLOCKED, (*stops, *doubts)), notes
    if item.timing is not None and item.timing.established is None:
        return Judgement(PENDING, (give("waits", what="掲示板の襲撃報告"),)), notes
    if ruled is not None and ruled.waits_for:
        return Judgement(PENDING, (give("waits", what="、".join(ruled.waits_for)),)), notes
    return Judgement("成立", (_say_established(item, calendar),)), notes


def _say_established(item: Prepared, calendar: Calendar) -> Reason:
    numbers = attack.read_numbers(item.report.cells)
    won = f"、襲撃点 ((100{numbers.a:+})×{numbers.b}) = {attack.attack_points(numbers)}"
    lost = f"、被襲撃点 ((150{numbers.c:+})×{numbers.d}) = {attack.victim_points(numbers)}"
    return give(
        "established",
        freeze=say_instant(item.report.freeze, calendar.zone),
        established=say_instant(item.timing.established if item.timing else None, calendar.zone),
        sum=won if item.report.scholar else won + lost,
    )


def _find_outside(freeze: pd.Timestamp, calendar: Calendar) -> Reason | None:
    if freeze > calendar.end and calendar.end < calendar.planned_end:
        return give("game_over", day="フリーズ", end=say_instant(calendar.end, calendar.zone))
    if calendar.opening <= freeze <= calendar.end:
        return None
    opening, end = (say_instant(i, calendar.zone) for i in (calendar.opening, calendar.planned_end))
    return give(
        "outside_game" if freeze < calendar.opening else "game_over", day="フリーズ", opening=opening, end=end
    )


def _lacks_instant(item: Prepared) -> bool:
    """A master's 成立 cannot be booked without a freeze, two known parties and a 成立時刻."""
    ruling = item.report.fate.ruling
    wanted = ruling is not None and ruling.ruling in ("成立", ACCEPTED)
    return wanted and (item.attack is None or item.timing is None or item.timing.established is None)


def _overrule(fate: Fate, machine: Judgement) -> Judgement:
    ruling = fate.ruling
    if ruling is None or ruling.ruling == "":
        return machine
    said = give(
        "ruled",
        by=ruling.by or "マスター",
        ruling=ruling.ruling,
        note=f"（{ruling.note}）" if ruling.note else "",
    )
    word = {"受理": "成立", "成立": "成立", HELD: HELD}.get(ruling.ruling, "不成立")
    return Judgement(word, (said, *machine.reasons))


def _findings(item: Prepared, context: Context) -> list[Finding]:
    entry, report, out = item.report.entry, item.report, []
    if _lacks_instant(item):
        text = "裁定は成立ですが、当事者・フリーズ時刻・成立時刻のどれかが分かりません。「成立時刻」や「訂正」の列に入れてください"
        out.append(Finding("unreadable", entry.entry_id, text, entry.entry_id))
    if report.fate.proof.other_address and report.fate.proof.proved:
        out.append(
            Finding(
                "breach",
                entry.entry_id,
                f"{entry.name}の登録と違うアドレスからの送信です（禁止行為10）",
                entry.entry_id,
            )
        )
    timing = item.timing
    out += _unreadable_cells(report, context)
    if timing is not None and timing.touched is not None and report.post is not None:
        if floor_second(timing.touched) > floor_second(report.post.at) + pd.Timedelta(minutes=1):
            out.append(
                Finding(
                    "touch_late",
                    entry.entry_id,
                    "タッチが投稿から1分を過ぎています。判定は変わりません",
                    entry.entry_id,
                )
            )
    place = "".join(unicodedata.normalize("NFKC", str(entry.answers.get("place", ""))).split())
    for word in context.calendar.settings.words.get("listed_places", ()):
        if word in place:
            out.append(
                Finding("breach", entry.entry_id, f"襲撃が禁じられた場所です（{word}）", entry.entry_id)
            )
    return out


def _unreadable_cells(report: Report, context: Context) -> list[Finding]:
    """Masters' cells beside an attack that cannot be read: told, and taken as blank."""
    settings, out = context.calendar.settings, []
    for header in ("成立時刻", "タッチ時刻", *attack.RECEIPTS, *attack.OBJECTIONS, "訂正メール受信"):
        if report.cells.get(header, "").strip() and attack.read_cell(report.cells, header, settings) is None:
            out.append((header, "日時（例 2026-10-13 09:28:39）"))
    for header in "abcd":
        if report.cells.get(header, "").strip() and attack.read_number(report.cells[header]) is None:
            out.append((header, "数"))
    entry = report.entry.entry_id
    return [
        Finding(
            "unreadable",
            f"襲撃報告 {entry} {header}",
            f"「{report.cells[header]}」を{kind}として読めません。空欄として扱っています",
            entry,
        )
        for header, kind in out
    ]
