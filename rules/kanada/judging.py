"""From fates to verdicts: what the machine says, what the masters said, and what is in force.

Promises: every entry gets exactly one verdict with all reasons that hold, the first giving the status; the masters'
word is laid over the machine's, which stays visible; before its instant, or while a source has not been read since,
an entry is 未定 with a preview. Refuses to know: how stars are summed (it is told the answers).
Sources: １章 マスターイベント, ４章 星座複製, １章 マスター.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules.clock import midnight, say_instant
from rules.frames import Finding
from rules.kanada import effects, replication, signup
from rules.kanada.bids import find_form_reasons
from rules.kanada.book import Answer
from rules.kanada.calendar import Calendar, day_after
from rules.kanada.cases import Case, Context, find_undecided
from rules.kanada.constellations import Holding
from rules.kanada.intake import Fate
from rules.kanada.reasons import give, note, status_of, status_of_flaws
from rules.kanada.remarks import find_findings, find_notes, find_shaken
from rules.verdicts import ACCEPTED, BLOCKED, HELD, PENDING, REFUSED, Judgement, Note, Reason, digest_basis

_SECTIONS = {"signup": "１章 マスターイベント", "replication": "４章 星座複製", "effect": "３章 星座効果"}
_ASKED = {
    "signup": "参加を希望する開催日",
    "replication": "複製を行う日",
    "effect": "効果が発動する日・星座効果",
}


def _judge_by_rule(fate: Fate, calendar: Calendar, context: Context, answer: Answer | None) -> Judgement:
    """The entry that counts, judged by the rules alone."""
    if fate.lost:
        sent = say_instant(fate.entry.submitted_at, calendar.zone)
        created = say_instant(fate.entry.created_at, calendar.zone)
        return Judgement(
            BLOCKED, (give("text_lost", _SECTIONS[fate.entry.form], created=created, sent=sent),)
        )
    return _JUDGES[fate.entry.form](fate, calendar, context, answer)


def _judge_signup(fate: Fate, calendar: Calendar, _context: Context, _answer: Answer | None) -> Judgement:
    judged = signup.judge(fate, calendar)
    if judged.status != ACCEPTED:
        return judged
    sound = give("accepted_signup", deadline=say_instant(fate.deadline, calendar.zone))
    return judged._replace(reasons=(sound, *judged.reasons))


def _judge_effect(fate: Fate, calendar: Calendar, context: Context, _answer: Answer | None) -> Judgement:
    """A form that counts sets its effect off only if the effect is held at its instant (３章 星座効果)."""
    entry = fate.entry
    reasons = list(effects.find_flaws(fate, context.effects, calendar, context.names))
    effect = context.effects.get(effects.effect_name(entry))
    if entry.day is None or effect is None:
        return _refuse(reasons)
    if not reasons and effect.is_for_the_end:
        settled = calendar.policies.settled_reading("A-27", calendar.end, entry.entry_id)
        if settled is None:
            said = give("for_the_end", effect=effect.name)
            return Judgement(BLOCKED, (said,), (note("A-27", blocks=True),))
    instant = effects.fires_at(effect, entry.day, calendar)
    until = instant if effects.is_timed(effect) else midnight(day_after(entry.day), calendar.zone)
    asked = effects.ask_held(context.holdings, fate.proof.player, effect.name, instant, until)
    shown = say_instant(instant, calendar.zone)
    if not reasons and not asked.held:
        hoped = [
            w.entry_id
            for w in context.waiting
            if effects.ask_held([w.holding], fate.proof.player, effect.name, instant, until).held
        ]
        if hoped:
            return Judgement(PENDING, (give("waits", what="、".join(hoped)),))
    if not asked.held or asked.regranted:
        reasons.append(give("not_held", instant=shown, effect=effect.name))
    if reasons:
        again = calendar.policies.settled_reading("A-26", instant, entry.entry_id)
        if [r.code for r in reasons] == ["not_held"] and asked.regranted and again == 2:
            return Judgement(ACCEPTED, (_sound_effect(fate, effect.name, shown, calendar),))
        notes = (note("A-26"),) if asked.regranted and again is None else ()
        return Judgement(status_of_flaws(reasons), tuple(reasons), notes)
    return Judgement(ACCEPTED, (_sound_effect(fate, effect.name, shown, calendar),))


def _sound_effect(fate: Fate, name: str, instant: str, calendar: Calendar) -> Reason:
    limit = say_instant(fate.deadline, calendar.zone, "なし")
    return give("accepted_effect", deadline=limit, instant=instant, effect=name)


def _judge_replication(fate: Fate, calendar: Calendar, context: Context, answer: Answer | None) -> Judgement:
    reasons = find_form_reasons(fate, calendar, context)
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


def _find_content_reasons(fate: Fate, context: Context) -> list[Reason]:
    """What is wrong with the content of an entry that intake already took out."""
    if fate.entry.day is None or not fate.proof.player:
        return []
    if fate.entry.form == "replication":
        return find_form_reasons(fate, context.calendar, context)
    if fate.entry.form == "effect":
        return list(effects.find_flaws(fate, context.effects, context.calendar, context.names))
    return list(signup.judge(fate, context.calendar).reasons)


def _refuse(reasons: Sequence[Reason]) -> Judgement:
    return Judgement(status_of_flaws(reasons), tuple(reasons))


def _list_codes(fate: Fate, codes: Sequence[str], context: Context) -> list[Reason]:
    """The reasons of intake for `codes`, each with the values it compared."""
    entry, zone = fate.entry, context.calendar.zone
    section = _SECTIONS[entry.form]
    out: list[Reason] = []
    for code in codes:
        if code == "unreadable":
            out.append(give("unreadable", section, question=_ASKED[entry.form], answer=entry.rest))
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
            sent = say_instant(entry.submitted_at, zone)
            won = say_instant(fate.winner_at, zone)
            out.append(give(code, section, winner=fate.winner, winner_sent=won, sent=sent))
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
    if reasons[0].code == "unreadable" and fate.entry.form == "effect":
        half = give("half_filled", part=str(fate.entry.part))
        return Judgement(BLOCKED, (half,), (note("A-25", blocks=True),))
    reasons += _find_content_reasons(fate, context)
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


def judge_fates(fates: Sequence[Fate], context: Context, answers: Mapping[str, Answer]) -> dict[str, Case]:
    """A case for every entry, in order of submission."""
    omitted = signup.note_omissions(fates) if fates and fates[0].entry.form == "signup" else {}
    shaken = find_shaken(fates, context)
    out = {}
    for sent in fates:
        fate = _ripen(sent, context)
        entry_id = fate.entry.entry_id
        answer = answers.get(entry_id)
        machine = _judge_machine(fate, context, answer)
        effective = _judge_effective(fate, machine, context, answer)
        notes = [*find_notes(fate, context), *effective.notes]
        notes += [n for n in (omitted.get(entry_id), shaken.get(entry_id)) if n is not None]
        out[entry_id] = _make_case(fate, machine, effective, notes, context, answer)
    return out


def _ripen(fate: Fate, context: Context) -> Fate:
    """A sound effect form is decided only when its effect would fire: until then its holder may change."""
    entry = fate.entry
    if (
        entry.form != "effect"
        or entry.day is None
        or fate.effective != ""
        or fate.lost
        or entry.day not in context.calendar.days
    ):
        return fate
    if list(effects.find_flaws(fate, context.effects, context.calendar, context.names)):
        return fate
    instant = effects.fires_at(context.effects.get(effects.effect_name(entry)), entry.day, context.calendar)
    return fate._replace(decides_at=max(fate.decides_at, instant))


def _make_case(
    fate: Fate,
    machine: Judgement,
    effective: Judgement,
    notes: list[Note],
    context: Context,
    answer: Answer | None,
) -> Case:
    undecided = find_undecided(fate, context)
    findings = list(find_findings(fate))
    holdings: list[Holding] = []
    if effective.status == ACCEPTED and fate.entry.form == "replication" and fate.entry.day is not None:
        found = context.catalogue.get(replication.read_constellation(fate.entry))
        if found is None:
            text = "裁定は受理ですが、星座が表にないため、消費も付与もできません"
            findings.append(Finding("catalogue", fate.entry.entry_id, text, fate.entry.entry_id))
        else:
            holdings, more = replication.grant(
                fate, fate.proof.player, fate.entry.day, context.calendar, found
            )
            notes += more
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


_JUDGES: Mapping[str, Callable[[Fate, Calendar, Context, Answer | None], Judgement]] = {
    "signup": _judge_signup,
    "replication": _judge_replication,
    "effect": _judge_effect,
}
