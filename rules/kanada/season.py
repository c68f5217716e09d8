"""One derivation of the whole game from the facts: intake, the fold, verdicts, and what follows from them.

Promises: the same facts, settings and `as_of` give the same outcome; nothing is decided before its instant or while
a source that could change it has not been read completely since; a decision that would take back something already
published waits for its second tick. Refuses to know: files, sheets, the clock.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.frames import HOLDINGS, VERDICTS, Finding, build_frame
from rules.game import Facts, Outcome, Settings, Task
from rules.identity import Member
from rules.kanada.affairs import Attacks, judge_inquiries
from rules.kanada.articles import replication_articles, result_articles
from rules.kanada.balls import Swap, hold_balls
from rules.kanada.bids import bid_for
from rules.kanada.book import Bid, Fire, Played
from rules.kanada.bulletins import list_bulletins
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case, Context, Waiting
from rules.kanada.constellations import (
    Constellation,
    Holding,
)
from rules.kanada.firing import Form, FormKey, index_forms, list_fires
from rules.kanada.fold import play
from rules.kanada.grants import opening_gains, right_grants, right_instants
from rules.kanada.ground import Ground, lay_ground
from rules.kanada.inquiry import list_mails, list_notices
from rules.kanada.intake import Fate
from rules.kanada.judging import judge_fates
from rules.kanada.notices import add_notes, ask_decisions, draft_refusals, find_alerts
from rules.kanada.replication import grant, read_constellation
from rules.kanada.results import CERTAIN
from rules.kanada.results import Standing as Participant
from rules.kanada.reversals import find_reversals, show_reversal
from rules.kanada.roster import list_sorcerers
from rules.kanada.strikes import Strike
from rules.kanada.superiority import Standing
from rules.postings import tabulate
from rules.rulings import Conflict, Ruling
from rules.tables import Row
from rules.verdicts import ACCEPTED, BLOCKED, HELD, Flag


class Season(NamedTuple):
    """Everything derived on the way, for the pages and lists that come after.

    `first_balls` and `swaps` are what the balls among `holdings` were made of; `forms` the effect forms that count."""

    calendar: Calendar
    members: tuple[Member, ...]
    cases: Mapping[str, Case]
    catalogue: Mapping[str, Constellation]
    tables: Mapping[str, Sequence[Row]]
    as_of: pd.Timestamp
    roster: tuple[str, ...]
    balances: Mapping[tuple[str, str], int]
    participants: Mapping[dt.date, Mapping[str, Participant]]
    attacks: Attacks
    holdings: tuple[Holding, ...]
    first_balls: tuple[Holding, ...]
    swaps: tuple[Swap, ...]
    forms: Mapping[FormKey, Form]


def adjudicate(facts: Facts, as_of: pd.Timestamp, settings: Settings) -> Outcome:
    """The outcome at `as_of` of everything submitted and written by then.

    Decisions that would take back a published name wait for 確定: without the tick they are left out, and what they
    would change is told in `previews`.
    """
    whole = _derive(facts, as_of, settings, ())
    season: Season = whole.extra
    doubtful = {e for e, case in season.cases.items() if find_reversals(case, season.calendar, as_of)}
    if not doubtful:
        return whole
    without = _derive(facts, as_of, settings, doubtful)
    before: Season = without.extra
    held_back = {e for e in doubtful if e in before.cases and before.cases[e].is_accepted}
    if not held_back:
        return whole
    outcome = without if held_back == doubtful else _derive(facts, as_of, settings, held_back)
    shown = [show_reversal(season.cases[e], before.cases[e], whole, outcome) for e in sorted(held_back)]
    return outcome._replace(previews=tuple(shown))


def _derive(facts: Facts, as_of: pd.Timestamp, settings: Settings, left_out: Collection[str]) -> Outcome:
    """The outcome with the decisions on `left_out` not in force: the ground, the fold, the verdicts, what follows."""
    ground = lay_ground(facts, as_of, settings, left_out)
    copies, releases = ground.desk.settle_form("replication"), ground.desk.settle_form("effect")
    forms = index_forms(releases, ground.context)
    played = _play(ground, copies, forms)
    swaps = [*ground.swaps, *ground.attacks.swaps(played.ruled)]
    cases, holdings, tasks = _judge(ground, played, copies, releases, swaps)
    season = Season(
        calendar=ground.calendar,
        members=ground.desk.members,
        cases=cases,
        catalogue=ground.context.catalogue,
        tables=ground.tables,
        as_of=as_of,
        roster=tuple(dict.fromkeys(m.player for m in ground.desk.members)),
        balances=played.balances,
        participants=ground.participants,
        attacks=ground.attacks,
        holdings=tuple(holdings),
        first_balls=tuple(ground.first_balls),
        swaps=tuple(swaps),
        forms=forms,
    )
    flags = (*ground.results.flags, *ground.corrections.flags)
    found = (
        *ground.findings,
        *(_report_conflict(conflict) for conflict in ground.settled.conflicts),
        *_find_strays(ground.settled.rulings, cases),
        *_find_withdrawn(facts, cases, as_of),
        *(finding for case in cases.values() for finding in case.findings),
    )
    return Outcome(
        verdicts=build_frame([case.row() for case in cases.values()], VERDICTS),
        postings=tabulate(played.postings),
        holdings=build_frame([holding._asdict() for holding in holdings], HOLDINGS),
        tasks=(*tasks, *_list_tasks(season, flags)),
        flags=flags,
        findings=tuple(dict.fromkeys(found)),
        rows=ground.tables,
        extra=season,
        unruled=ground.attacks.unruled,
    )


def _judge(
    ground: Ground, played: Played, copies: Sequence[Fate], releases: Sequence[Fate], swaps: Sequence[Swap]
) -> tuple[dict[str, Case], list[Holding], list[Task]]:
    """Every verdict, what everybody holds, and the mails that follow, once the stars have answered."""
    context, attacks = ground.context, ground.attacks
    copied = judge_fates(copies, context, played.answers)
    mails = draft_refusals(copied.values(), ground.calendar)
    hoped = context._replace(holdings=(*context.holdings, *_hoped(copied)), waiting=_waiting(copied, context))
    balls, _doubtful = hold_balls(ground.first_balls, swaps)
    granted = [holding for case in copied.values() if case.is_accepted for holding in case.holdings]
    holdings = [*context.holdings, *granted, *balls]
    fought, told = attacks.conclude(played.ruled)
    asked = judge_inquiries(ground.desk, attacks)
    cases = {
        **ground.signups,
        **add_notes(copied, mails.notes),
        **judge_fates(releases, hoped, {}),
        **add_notes(fought, attacks.shaken(holdings)),
        **asked,
    }
    inquiries = list(asked.values())
    return cases, holdings, [*mails.tasks, *told, *list_mails(inquiries), *list_notices(inquiries)]


def _report_conflict(conflict: Conflict) -> Finding:
    said = "、".join(f"{place}={word}" for place, word in conflict.said.items())
    return Finding("conflict", conflict.entry_id, f"2か所の裁定が食い違っています: {said}", conflict.entry_id)


def _play(ground: Ground, copies: Sequence[Fate], forms: Mapping[FormKey, Form]) -> Played:
    """Play the fold; what a replication grants may fire, and decide who may attack whom, from then on."""
    context, attacks, facts, booked = ground.context, ground.attacks, ground.desk.facts, ground.booked
    calendar, as_of, sorcerers = context.calendar, context.as_of, list_sorcerers(ground.desk.members)
    gains = [*opening_gains(calendar, sorcerers), *right_grants(calendar, sorcerers, as_of), *booked]
    losses = [(when, player) for when in right_instants(calendar, "P198", as_of) for player in sorcerers]
    bids = [bid for fate in copies if (bid := bid_for(fate, context)) is not None]
    by_id = {fate.entry.entry_id: fate for fate in copies}
    every = list(context.holdings)

    def set_off(bid: Bid) -> list[Fire]:
        fresh = _grant(by_id[bid.entry_id], context)
        every.extend(fresh)
        return list_fires(fresh, every, context.effects, forms, calendar)

    def stand(strike: Strike) -> Standing | None:
        return strike.standing or attacks.compare(strike, every, forms)

    fires = list_fires(context.holdings, every, context.effects, forms, calendar)
    return play(gains, bids, losses, facts.opening, as_of, fires, set_off, attacks.strikes, stand)


def _grant(fate: Fate, context: Context) -> list[Holding]:
    """What a replication would grant."""
    found = context.catalogue.get(read_constellation(fate.entry))
    if found is None or fate.entry.day is None:
        return []
    return grant(fate, fate.proof.player, fate.entry.day, context.calendar, found)[0]


def _hoped(cases: Mapping[str, Case]) -> list[Holding]:
    """What is granted, and for a preview what would be."""
    return [holding for case in cases.values() if case.outlook == ACCEPTED for holding in case.holdings]


def _waiting(cases: Mapping[str, Case], context: Context) -> tuple[Waiting, ...]:
    """What entries that wait for a ruling would grant."""
    open_cases = [
        (entry_id, case)
        for entry_id, case in cases.items()
        if case.outlook in (BLOCKED, HELD) or any(reason.code == "waits" for reason in case.reasons)
    ]
    return tuple(Waiting(e, holding) for e, case in open_cases for holding in _grant(case.fate, context))


def _list_tasks(season: Season, flags: Sequence[Flag]) -> list[Task]:
    cases, calendar = list(season.cases.values()), season.calendar
    came = {
        day: [name for name, standing in standings.items() if standing.state == CERTAIN]
        for day, standings in season.participants.items()
    }
    return [
        *replication_articles(cases, calendar, season.roster, season.as_of),
        *result_articles(season.tables["マスイベ結果"], calendar, came, season.roster, season.as_of),
        *list_bulletins(season.tables, calendar, season.members, season.as_of),
        *find_alerts(calendar, season.as_of),
        *ask_decisions(cases, flags),
    ]


def _find_strays(rulings: Sequence[Ruling], cases: Mapping[str, Case]) -> list[Finding]:
    return [
        Finding(
            "stale",
            r.place,
            f"裁定「{r.ruling or r.reading}」の対象 {r.entry_id} が見つかりません",
            r.entry_id,
        )
        for r in rulings
        if r.entry_id not in cases
    ]


def _find_withdrawn(facts: Facts, cases: Mapping[str, Case], as_of: pd.Timestamp) -> list[Finding]:
    """Responses that vanished from their form: one finding each, and no ruling changes."""
    gone = facts.revisions.loc[facts.revisions["withdrawn_at"] <= as_of]
    responses = set(zip(gone["form"], gone["response_id"], strict=True))
    out = {}
    for entry_id, case in cases.items():
        response = (case.fate.entry.form, case.fate.entry.response_id)
        if response in responses and response not in out:
            text = f"{case.fate.entry.name}の送信がフォームから消えました。裁定は変わりません"
            out[response] = Finding("withdrawn", entry_id, text, entry_id)
    return list(out.values())
