"""From fates to verdicts: what the machine says, what the masters said, and what is in force.

Promises: every entry gets exactly one verdict with all reasons that hold, the first giving the status; the masters'
word is laid over the machine's, which stays visible; before its instant, or while a source has not been read since,
an entry is 未定 with a preview. Refuses to know: how stars are summed (it is told the answers).
Sources: １章 マスターイベント, ４章 星座複製, １章 マスター.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import floor_second, say_instant
from rules.frames import Finding
from rules.kanada import replication, signup
from rules.kanada.calendar import Calendar
from rules.kanada.constellations import Constellation, Holding
from rules.kanada.fold import Answer, Bid
from rules.kanada.intake import Fate
from rules.kanada.reasons import give, note, status_of, status_of_flaws
from rules.verdicts import (
    ACCEPTED,
    BLOCKED,
    HELD,
    PENDING,
    REFUSED,
    Judgement,
    Note,
    Reason,
    digest_basis,
)

OPEN_CODES = ("same_instant", "later_than_ruling")


class Context(NamedTuple):
    """What judging needs beside the fates. `plain` is the calendar without the readings chosen on single rows."""

    calendar: Calendar
    plain: Calendar
    as_of: pd.Timestamp
    reads: Mapping[str, pd.Timestamp] | None
    sources: Mapping[str, tuple[str, ...]]
    roster_published: pd.Timestamp
    catalogue: Mapping[str, Constellation]
    owned: tuple[Holding, ...]


class Case(NamedTuple):
    """One entry with its verdict: `effective` is in force, `machine` what rules alone say, `preview` of a 未定."""

    fate: Fate
    machine: str
    effective: str
    preview: str
    reasons: tuple[Reason, ...]
    notes: tuple[Note, ...]
    holdings: tuple[Holding, ...]
    findings: tuple[Finding, ...]
    basis: str

    @property
    def player(self) -> str:
        return self.fate.proof.player

    @property
    def outlook(self) -> str:
        """The verdict in force, or what it would be."""
        return self.preview if self.effective == PENDING and self.preview else self.effective

    @property
    def stale(self) -> bool:
        ruling = self.fate.ruling
        return ruling is not None and ruling.basis not in ("", self.basis)

    def row(self) -> dict[str, Any]:
        """As a row of shape VERDICTS."""
        entry = self.fate.entry
        return {
            "entry_id": entry.entry_id,
            "form": entry.form,
            "response_id": entry.response_id,
            "revision": entry.revision,
            "key": entry.rest,
            "player": self.player,
            "submitted_at": entry.submitted_at,
            "deadline": self.fate.deadline if self.fate.deadline is not None else pd.NaT,
            "decides_at": self.fate.decides_at,
            "machine": self.machine,
            "effective": self.effective,
            "preview": self.preview,
            "reasons": self.reasons,
            "notes": self.notes,
            "suggestion": self.fate.proof.suggestion,
            "stale": self.stale,
            "basis": self.basis,
        }


def find_undecided(fate: Fate, context: Context) -> Reason | None:
    """Why an entry cannot be decided yet: its instant has not come, or a source was not read since."""
    zone = context.calendar.zone
    if context.as_of < fate.decides_at:
        return give("not_yet", instant=say_instant(fate.decides_at, zone))
    if context.reads is not None:
        for source in context.sources[fate.entry.form]:
            read = context.reads.get(source)
            if read is None or read < fate.decides_at:
                return give("waits", what=f"{source.partition(':')[2]}（{source}）の読み込み")
    return None


def bid_for(fate: Fate, context: Context) -> Bid | None:
    """What a replication would take from the stars; one that its form or ownership already refuses only asks."""
    day = fate.entry.day
    if (
        day is None
        or not fate.proof.player
        or (fate.effective not in ("", *OPEN_CODES) and fate.machine != "")
    ):
        return None
    ruled = fate.ruling.ruling if fate.ruling is not None else ""
    forced = ruled == ACCEPTED and fate.effective == ""
    found = context.catalogue.get(replication.read_constellation(fate.entry))
    stars = replication.read_stars(fate.entry.answers)
    if found is None or (stars.unreadable and not forced):
        return None
    flawed = not forced and bool(_find_form_reasons(fate, context.calendar, context))
    return Bid(
        fate.entry.entry_id,
        fate.proof.player,
        day,
        replication.spends_at(day, context.calendar),
        found.cost if forced else stars.numbers,
        forced,
        decided=find_undecided(fate, context) is None,
        open=fate.effective in OPEN_CODES or ruled == HELD or (fate.lost and not ruled),
        ghost=flawed or ruled == REFUSED or fate.effective not in ("", *OPEN_CODES),
    )


def _find_form_reasons(fate: Fate, calendar: Calendar, context: Context) -> list[Reason]:
    """All that speaks against a replication before the stars are asked, in the order of judgement."""
    day = fate.entry.day
    if day is None:
        return []
    name = replication.read_constellation(fate.entry)
    return [
        *replication.find_outside(day, calendar),
        *replication.find_flaws(fate, day, calendar, context.catalogue),
        *replication.find_owned_reason(fate.proof.player, name, day, calendar, context.owned),
    ]


def _judge_by_rule(fate: Fate, calendar: Calendar, context: Context, answer: Answer | None) -> Judgement:
    """The entry that counts, judged by the rules alone."""
    if fate.lost:
        created = say_instant(fate.entry.created_at, calendar.zone)
        reason = give(
            "text_lost",
            _SECTIONS[fate.entry.form],
            created=created,
            sent=say_instant(fate.entry.submitted_at, calendar.zone),
        )
        return Judgement(BLOCKED, (reason,))
    if fate.entry.form == "signup":
        judged = signup.judge(fate, calendar)
        if judged.status == ACCEPTED:
            sound = give("accepted_signup", deadline=say_instant(fate.deadline, calendar.zone))
            return judged._replace(reasons=(sound, *judged.reasons))
        return judged
    return _judge_replication(fate, calendar, context, answer)


def _judge_replication(fate: Fate, calendar: Calendar, context: Context, answer: Answer | None) -> Judgement:
    reasons = _find_form_reasons(fate, calendar, context)
    if answer is not None and answer.waits_for:
        waiting = give("waits", what="、".join(answer.waits_for))
        return Judgement(PENDING, (waiting, *reasons)) if not reasons else _refuse(reasons)
    if answer is None or fate.entry.day is None:
        return _refuse(reasons)
    cost = replication.read_stars(fate.entry.answers).numbers
    spent_at = replication.spends_at(fate.entry.day, calendar)
    if not answer.enough:
        reasons.append(replication.give_short(cost, answer.held, spent_at, calendar))
    if reasons:
        return _refuse(reasons)
    return Judgement(ACCEPTED, (replication.give_accepted(fate, cost, answer.held, spent_at, calendar),))


def _refuse(reasons: Sequence[Reason]) -> Judgement:
    return Judgement(status_of_flaws(reasons), tuple(reasons))


def _list_codes(fate: Fate, codes: Sequence[str], context: Context) -> list[Reason]:
    """The reasons of intake for `codes`, each with the values it compared."""
    entry, zone = fate.entry, context.calendar.zone
    section = _SECTIONS[entry.form]
    out: list[Reason] = []
    for code in codes:
        if code == "unreadable":
            name = "event_dates" if entry.form == "signup" else "date"
            asked = {"event_dates": "参加を希望する開催日", "date": "複製を行う日"}[name]
            out.append(give("unreadable", section, question=asked, answer=entry.rest))
        elif code == "unproved":
            near = f"（近い名前: {fate.proof.suggestion}）" if fate.proof.suggestion else ""
            word = "（字形・かな・大小だけの違い）" if fate.proof.near_word else ""
            for fault in fate.proof.faults:
                out.append(give(fault, name=entry.name, near=near if fault == "unknown_name" else word))
        elif code == "late" and fate.deadline is not None:
            out.append(
                give(
                    "late",
                    section,
                    sent=say_instant(entry.submitted_at, zone),
                    deadline=say_instant(fate.deadline, zone),
                )
            )
        else:
            out.append(give(code, section, winner=fate.winner, sent=say_instant(entry.submitted_at, zone)))
    return out


def _judge_machine(fate: Fate, context: Context, answer: Answer | None) -> Judgement:
    if fate.machine == "":
        return _judge_by_rule(fate, context.plain, context, answer)
    return _judge_codes(
        fate, [fate.machine, *(code for code in fate.held_by if code != fate.machine)], context
    )


def _judge_codes(fate: Fate, codes: Sequence[str], context: Context) -> Judgement:
    """An entry that intake took out; what is wrong with its content is listed behind."""
    reasons = _list_codes(fate, codes, context)
    status = status_of(reasons[0])
    if reasons[0].code == "unknown_name" and fate.entry.submitted_at < context.roster_published:
        status = BLOCKED
    if fate.entry.form == "replication" and fate.proof.player:
        reasons += _find_form_reasons(fate, context.calendar, context)
    elif fate.entry.form == "signup" and fate.entry.day is not None and fate.proof.player:
        reasons += signup.judge(fate, context.calendar).reasons
    return Judgement(status, tuple(reasons))


def _judge_effective(fate: Fate, machine: Judgement, context: Context, answer: Answer | None) -> Judgement:
    """The masters' word over the machine's."""
    ruling = fate.ruling
    if ruling is None or ruling.ruling == "":
        if fate.effective != "":
            if fate.effective == fate.machine:
                return machine
            return _judge_codes(fate, [fate.effective], context)
        return _judge_by_rule(fate, context.calendar, context, answer)
    said = give(
        "ruled",
        by=ruling.by or "マスター",
        ruling=ruling.ruling,
        note=f"（{ruling.note}）" if ruling.note else "",
    )
    if ruling.ruling == ACCEPTED:
        if not fate.proof.player:
            return machine
        if fate.effective != "":
            superseded = _list_codes(fate, [fate.effective], context)
            return Judgement(status_of(superseded[0]), (*superseded, said))
        return Judgement(ACCEPTED, (said, *machine.reasons))
    return Judgement(
        {REFUSED: REFUSED, HELD: HELD}.get(ruling.ruling, machine.status), (said, *machine.reasons)
    )


def _find_notes(fate: Fate, context: Context) -> list[Note]:
    """A-01 and A-32: where the other reading would change this entry's verdict."""
    entry, policies = fate.entry, context.calendar.policies
    out = []
    edge = fate.deadline is not None and floor_second(entry.submitted_at) == fate.deadline
    if (
        edge
        and entry.submitted_at != fate.deadline
        and fate.machine not in ("unreadable", "unproved")
        and not fate.lost
    ):
        if policies.settled_reading("A-01", entry.submitted_at, entry.entry_id) is None:
            out.append(note("A-01"))
    if fate.machine == "unproved" and (fate.proof.owner or "unknown_name" not in fate.proof.faults):
        if policies.settled_reading("A-32", entry.submitted_at, entry.entry_id) is None:
            out.append(note("A-32", more="（" + "・".join(_FACTORS[f] for f in fate.proof.faults) + "）"))
    return out


_SECTIONS = {"signup": "１章 マスターイベント", "replication": "４章 星座複製"}
_FACTORS = {
    "wrong_address": "アドレスが違う",
    "wrong_passphrase": "あいことばが違う",
    "unknown_name": "名前が名簿にない",
}


def judge_fates(fates: Sequence[Fate], context: Context, answers: Mapping[str, Answer]) -> dict[str, Case]:
    """A case for every entry, in order of submission."""
    omitted = signup.note_omissions(fates) if fates and fates[0].entry.form == "signup" else {}
    shaken = _find_shaken(fates, context)
    out = {}
    for fate in fates:
        entry_id = fate.entry.entry_id
        answer = answers.get(entry_id)
        machine = _judge_machine(fate, context, answer)
        effective = _judge_effective(fate, machine, context, answer)
        notes = [*_find_notes(fate, context), *effective.notes]
        notes += [n for n in (omitted.get(entry_id), shaken.get(entry_id)) if n is not None]
        out[entry_id] = _make_case(fate, machine, effective, notes, context, answer)
    return out


def _make_case(
    fate: Fate,
    machine: Judgement,
    effective: Judgement,
    notes: list[Note],
    context: Context,
    answer: Answer | None,
) -> Case:
    undecided = find_undecided(fate, context)
    findings = list(_find_findings(fate))
    holdings: list[Holding] = []
    if effective.status == ACCEPTED and fate.entry.form == "replication" and fate.entry.day is not None:
        found = context.catalogue.get(replication.read_constellation(fate.entry))
        if found is None:
            text = "裁定は受理ですが、星座が表にないため、消費も付与もできません"
            findings.append(Finding("catalogue", fate.entry.entry_id, text, fate.entry.entry_id))
        else:
            granted, more = replication.grant(
                fate, fate.proof.player, fate.entry.day, context.calendar, found
            )
            notes += more
            holdings = granted if undecided is None else []
            if answer is not None and not answer.enough:
                notes.append(Note("", "裁定による受理で、恒星が負になります"))
    facts = [*machine.reasons]
    if answer is not None:
        facts.append(
            Reason("held", "", "", {str(grade): str(number) for grade, number in answer.held.items()})
        )
    pending = undecided is not None
    return Case(
        fate,
        PENDING if pending else machine.status,
        PENDING if pending else effective.status,
        effective.status if pending else "",
        (undecided, *effective.reasons) if undecided is not None else effective.reasons,
        tuple(notes),
        tuple(holdings),
        tuple(findings),
        digest_basis(machine.status, facts, fate.rivals),
    )


def _find_findings(fate: Fate) -> Sequence[Finding]:
    out, entry = [], fate.entry
    if "wrong_address" in fate.proof.faults and "wrong_passphrase" not in fate.proof.faults:
        out.append(
            Finding(
                "breach",
                entry.entry_id,
                f"{entry.name}の登録と違うアドレスからの送信です（禁止行為10）",
                entry.entry_id,
            )
        )
    if fate.proof.near_word:
        out.append(
            Finding(
                "near_miss",
                entry.entry_id,
                f"{entry.name}のあいことばは字形・かな・大小だけが違います",
                entry.entry_id,
            )
        )
    if "unknown_name" in fate.proof.faults and fate.proof.suggestion:
        text = f"「{entry.name}」に近い名前: {fate.proof.suggestion}"
        out.append(Finding("near_miss", entry.entry_id, text, entry.entry_id))
    ruling = fate.ruling
    if ruling is not None and ruling.ruling == ACCEPTED and not fate.proof.player:
        text = "裁定は受理ですが、誰の送信か分かりません。名簿に名前を足すか、不受理にしてください"
        out.append(Finding("unreadable", entry.entry_id, text, entry.entry_id))
    return out


def _find_shaken(fates: Sequence[Fate], context: Context) -> dict[str, Note]:
    """Entries that count, but would not if a later unproved one of the same key were the player's own (A-32)."""
    strangers: dict[tuple[str, str], list[Fate]] = {}
    for fate in fates:
        in_time = fate.deadline is None or floor_second(fate.entry.submitted_at) <= fate.deadline
        if (
            fate.machine == "unproved"
            and fate.proof.player
            and in_time
            and "unknown_name" not in fate.proof.faults
        ):
            strangers.setdefault((fate.proof.player, fate.entry.rest), []).append(fate)
    out = {}
    for fate in fates:
        rivals = strangers.get((fate.proof.player, fate.entry.rest), []) if fate.effective == "" else []
        if any(rival.entry.submitted_at >= fate.entry.submitted_at for rival in rivals):
            if (
                context.calendar.policies.settled_reading(
                    "A-32", fate.entry.submitted_at, fate.entry.entry_id
                )
                is None
            ):
                out[fate.entry.entry_id] = note("A-32")
    return out
