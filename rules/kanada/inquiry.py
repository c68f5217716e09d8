"""お問い合わせ: who asks, what is owed to whom, without telling strangers anything.

Promises: every inquiry has its own verdict; an unregistered address learns nothing, right word or wrong; a change of
address takes effect at a master's acceptance. Refuses to know: what is answered. Source: １章 問い合わせ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import floor_second, say_instant
from rules.frames import Finding
from rules.game import Task
from rules.identity import Member, normalise_address
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case, Context
from rules.kanada.intake import Fate, Key
from rules.kanada.reasons import give, note, status_of, status_of_flaws
from rules.kanada.remarks import find_findings, find_notes
from rules.verdicts import ACCEPTED, BLOCKED, HELD, REFUSED, UNPROVED, Judgement, Note, digest_basis

ANSWER = pd.Timedelta(hours=48)
CHANGE, BEFORE = "アドレス変更", "参加表明・立候補前"
_SECTION = "１章 問い合わせ"


def read_keys(_answers: Mapping[str, Any], _year: int) -> list[Key]:
    return [Key("", None)]


class Inquiry(NamedTuple):
    """One inquiry: from the registered address of the named player or not, with the right word or not."""

    fate: Fate
    kind: str
    registered: bool
    right_word: bool


def read_inquiry(fate: Fate) -> Inquiry:
    faults = set(fate.proof.faults)
    named = "unknown_name" not in faults
    return Inquiry(
        fate,
        str(fate.entry.answers.get("kind", "")).strip(),
        named and "wrong_address" not in faults,
        named and "wrong_passphrase" not in faults,
    )


def judge(inquiry: Inquiry, context: Context, *, objecting: bool) -> Case:
    """The verdict of one inquiry; it is decided when it is sent."""
    fate = inquiry.fate._replace(decides_at=floor_second(inquiry.fate.entry.submitted_at))
    machine, notes = _judge(inquiry, context, objecting=objecting)
    effective = machine
    if fate.ruling is not None and fate.ruling.ruling:
        said = give("ruled", by=fate.ruling.by or "マスター", ruling=fate.ruling.ruling, note="")
        word = fate.ruling.ruling if fate.ruling.ruling in (ACCEPTED, REFUSED, HELD) else machine.status
        effective = Judgement(word, (said, *machine.reasons))
    return Case(
        fate,
        machine.status,
        effective.status,
        "",
        effective.reasons,
        tuple(notes),
        (),
        tuple(_findings(inquiry, fate)),
        digest_basis(machine.status, machine.reasons, ()),
    )


def _findings(inquiry: Inquiry, fate: Fate) -> list[Finding]:
    """A change of address, and whoever is not registered yet, may write from anywhere (禁止行為10)."""
    excused = inquiry.kind in (CHANGE, BEFORE)
    return [f for f in find_findings(fate) if not (excused and f.code == "breach")]


def _judge(inquiry: Inquiry, context: Context, *, objecting: bool) -> tuple[Judgement, list[Note]]:
    fate, zone = inquiry.fate, context.calendar.zone
    due = fate.entry.submitted_at + ANSWER
    crossed = [note("A-31")] if crosses_rest_day(fate.entry.submitted_at, due, context.calendar) else []
    answer = Judgement(ACCEPTED, (give("answer_due", due=say_instant(floor_second(due), zone)),))
    if inquiry.kind == BEFORE:
        return answer, crossed
    faults = tuple(give(fault, name=fate.entry.name) for fault in fate.proof.faults)
    if inquiry.kind == CHANGE:
        return Judgement(BLOCKED, (give("address_change"), *faults)), crossed
    if faults:
        early = faults[0].code == "unknown_name" and fate.entry.submitted_at < context.roster_published
        status = status_of_flaws(faults) if fate.proof.flawed else status_of(faults[0])
        return Judgement(BLOCKED if early else status, faults), find_notes(fate, context)
    if objecting:
        return Judgement(BLOCKED, (give("wrong_channel"),)), crossed
    return answer, crossed


def crosses_rest_day(start: pd.Timestamp, stop: pd.Timestamp, calendar: Calendar) -> bool:
    """Whether a limit would move if rest days did not count (A-31)."""
    days = pd.date_range(
        start.tz_convert(calendar.zone).normalize(), stop.tz_convert(calendar.zone).normalize(), freq="D"
    )
    return any(calendar.is_rest_day(day.date()) for day in days)


def speaks_of_objection(inquiry: Inquiry) -> bool:
    answers = inquiry.fate.entry.answers
    return "異議" in f"{answers.get('subject', '')}{answers.get('body', '')}"


def list_mails(cases: Sequence[Case]) -> list[Task]:
    """What is owed: an answer within 48 hours; to a wrong word from the registered address the fact alone; to a
    change of address from elsewhere one neutral mail, and the registered address is told."""
    out = []
    for case in cases:
        inquiry = read_inquiry(case.fate)
        entry = case.fate.entry
        due = floor_second(entry.submitted_at + ANSWER)
        causes = (entry.entry_id,)
        player = case.player
        if inquiry.kind == BEFORE:
            out.append(_mail(causes, _ANSWER, (entry.address,), due))
        elif inquiry.kind == CHANGE and not inquiry.registered:
            out.append(_mail(causes, _NEUTRAL, (entry.address,), due))
            if player and "unknown_name" not in case.fate.proof.faults:
                out.append(_mail(causes, _TOLD, (player,), due))
        elif case.effective in (UNPROVED, REFUSED) or (inquiry.kind == CHANGE and not inquiry.right_word):
            if inquiry.registered and not inquiry.right_word:
                out.append(_mail(causes, _WRONG, (player,), due))
        elif inquiry.registered:
            out.append(_mail(causes, _ANSWER, (player,), due))
    return out


def _mail(causes: tuple[str, ...], text: tuple[str, str], to: tuple[str, ...], due: pd.Timestamp) -> Task:
    return Task("mail", causes, text[0], text[1], to, None, due, audience=to[0])


_ANSWER = ("お問い合わせへの回答", "お問い合わせの内容に回答します。\n\n（ここに回答を書いてください）\n")
_WRONG = (
    "お問い合わせについて",
    "お問い合わせフォームのあいことばに誤りがあったため、回答できません。\n確認と変更は電話または対面で受け付けます。\n",
)
_NEUTRAL = (
    "お問い合わせを受け取りました",
    "お問い合わせを受け取りました。必要なときはマスターから連絡します。\n",
)
_TOLD = (
    "アドレス変更の申し出について",
    "登録とは別のアドレスから、あなたのアドレスを変更する申し出がありました。\n心当たりがなければマスターへ知らせてください。\n",
)


def list_notices(cases: Sequence[Case]) -> list[Task]:
    """The board is told that an address changed, never which."""
    return [
        Task(
            "board",
            (case.fate.entry.entry_id,),
            "メールアドレスの変更",
            f"{case.player}のメールアドレスが変更されました。",
            audience="public",
        )
        for case in cases
        if read_inquiry(case.fate).kind == CHANGE and case.effective == ACCEPTED
    ]


def changed_members(members: Sequence[Member], cases: Sequence[Case]) -> tuple[Member, ...]:
    """The roster with the accepted changes of address, each from the instant of its acceptance."""
    out = list(members)
    for case in cases:
        ruling = case.fate.ruling
        new = normalise_address(str(case.fate.entry.answers.get("new_email", "")))
        if read_inquiry(case.fate).kind != CHANGE or case.effective != ACCEPTED or ruling is None or not new:
            continue
        for place, member in enumerate(out):
            if member.player == case.player and member.start <= ruling.at < member.stop:
                out[place] = member._replace(stop=ruling.at)
                out.append(member._replace(start=ruling.at, address=new))
                break
    return tuple(out)
