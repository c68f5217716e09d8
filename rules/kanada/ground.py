"""What a derivation stands on before anything is played: tables, roster, calendar, sign-ups, holdings, attacks.

Promises: everything here follows from the facts without balances, in the order in which one thing needs another.
Refuses to know: stars, rights, what is accepted because of them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import read_instant
from rules.frames import Finding
from rules.game import Facts, Settings
from rules.identity import Member
from rules.kanada.affairs import Attacks, judge_inquiries, read_attacks
from rules.kanada.balls import PREFIX, Swap, book_swaps, read_owned, read_swaps
from rules.kanada.calendar import Calendar, build_calendar
from rules.kanada.cases import Case, Context
from rules.kanada.constellations import Holding, hold_constellations, read_catalogue, read_ownership
from rules.kanada.effects import read_effects
from rules.kanada.entries import Desk, find_participants
from rules.kanada.inquiry import changed_members
from rules.kanada.judging import judge_fates
from rules.kanada.policies import read_policies
from rules.kanada.results import Booked, Gain, book_balls, book_corrections, book_results
from rules.kanada.results import Standing as Participant
from rules.kanada.roster import SORCERER, list_sorcerers, read_members
from rules.kanada.sheets import EXTENSIONS, OWNED_BALLS, OWNERSHIP, RESULTS, SWAPS, TABLES
from rules.rulings import Settled, settle_decisions
from rules.tables import Reader, Row, read_table
from rules.verdicts import STATUSES

RULINGS = frozenset(f"A-{number:02d}" for number in range(1, 59))
"""The open points that a row of 方針 can settle."""


class Ground(NamedTuple):
    """Everything settled before the fold. `context` holds what does not depend on replications."""

    desk: Desk
    settled: Settled
    context: Context
    signups: Mapping[str, Case]
    participants: Mapping[dt.date, Mapping[str, Participant]]
    results: Booked
    corrections: Booked
    swaps: Sequence[Swap]
    attacks: Attacks
    findings: tuple[Finding, ...]

    @property
    def tables(self) -> Mapping[str, Sequence[Row]]:
        return self.desk.tables

    @property
    def calendar(self) -> Calendar:
        return self.desk.calendar

    @property
    def booked(self) -> tuple[Gain, ...]:
        """What comes and goes without any application: results, corrections, balls."""
        owned = book_balls(self.tables["球所有"], self.calendar)
        known = {member.player for member in self.desk.members}
        gains = (*self.results.gains, *self.corrections.gains, *owned, *book_swaps(self.swaps))
        return tuple(gain for gain in gains if gain.posting.player in known)

    @property
    def first_balls(self) -> list[Holding]:
        opening = self.desk.facts.opening
        given = opening.holdings if opening else ()
        return [
            *read_owned(self.tables["球所有"], self.calendar),
            *(
                Holding(p, what, start, stop, "given")
                for p, what, start, stop in given
                if what.startswith(PREFIX)
            ),
        ]


def lay_ground(facts: Facts, as_of: pd.Timestamp, settings: Settings, left_out: Collection[str]) -> Ground:
    """Read and settle all that needs no balances, with the decisions on `left_out` not in force."""
    desk, settled, faults = _seat(facts, as_of, settings, left_out)
    tables, calendar = desk.tables, desk.calendar
    signups = judge_fates(desk.settle_form("signup"), desk.context(), {})
    participants = find_participants(signups.values())
    results = book_results(tables["マスイベ結果"], calendar, participants)
    corrections = book_corrections(tables["補正"], calendar, list_sorcerers(desk.members))
    swaps, swap_faults = read_swaps(tables["球交換"], tables["マスイベ結果"], calendar)
    context, clashes = _survey(desk)
    attacks = read_attacks(desk, context, participants)
    findings = (
        *faults,
        *clashes,
        *results.findings,
        *corrections.findings,
        *attacks.findings,
        *swap_faults,
    )
    return Ground(
        desk, settled, context, signups, participants, results, corrections, swaps, attacks, findings
    )


def _seat(
    facts: Facts, as_of: pd.Timestamp, settings: Settings, left_out: Collection[str]
) -> tuple[Desk, Settled, list[Finding]]:
    """Tables, decisions, calendar and roster (with the addresses that masters let change)."""
    tables, findings = _read_tables(facts, as_of, settings)
    settled = settle_decisions(facts.decisions.loc[facts.decisions["first_seen"] <= as_of])
    settled, odd = _drop_unknown_words(settled)
    rulings = {r.entry_id: r for r in settled.rulings if r.entry_id not in left_out}
    readings = {r.entry_id: int(r.reading) for r in rulings.values() if r.reading in ("1", "2", "3")}
    policies = read_policies(tables["方針"], settings.policies).for_entries(readings)
    calendar = build_calendar(settings, policies, tables, own=facts.own_calendar)
    effects, faults = read_effects(tables["効果"])
    members = read_members(tables["名簿"])
    desk = Desk(facts, as_of, settings, calendar, members, tables, rulings, effects)
    changed = changed_members(members, list(judge_inquiries(desk).values()))
    return (
        desk._replace(members=changed),
        settled,
        [*findings, *faults, *odd, *_odd_rows(tables, calendar), *_strangers(tables, members, calendar)],
    )


def _drop_unknown_words(settled: Settled) -> tuple[Settled, list[Finding]]:
    """A word that is no status decides nothing; it stays in its cell, and a finding says so."""
    kept, findings = [], []
    for ruling in settled.rulings:
        # An attack's 不成立 says in brackets what becomes of the right.
        if ruling.ruling and ruling.ruling.split("(")[0] not in STATUSES:
            text = (
                f"裁定「{ruling.ruling}」という言葉は使えないので、裁定していません。一覧から選んでください"
            )
            findings.append(Finding("unreadable", ruling.entry_id, text, ruling.entry_id))
            ruling = ruling._replace(ruling="")
        if ruling.ruling or ruling.reading:
            kept.append(ruling)
    return settled._replace(rulings=tuple(kept)), findings


def _odd_rows(tables: Mapping[str, Sequence[Row]], calendar: Calendar) -> list[Finding]:
    """Rows that can be read but mean nothing: a point that does not exist, an end outside the game."""
    out = []
    for row in tables["方針"]:
        if row.get("番号") not in RULINGS or row.get("読み") not in (1, 2, 3):
            text = f"番号は A-01 の形、読みは1・2・3です（いまは「{row.get('番号')}」の{row.get('読み')}）"
            out.append(Finding("unreadable", row.cause, text, row.cause))
    for row in tables["終戦"]:
        if not calendar.opening <= row.get("時刻") <= calendar.planned_end:
            text = "開催期間の外の時刻なので、終戦していません"
            out.append(Finding("unreadable", row.cause, text, row.cause))
    return out


_NAMED = (OWNERSHIP, OWNED_BALLS, SWAPS, EXTENSIONS, RESULTS)


def _strangers(
    tables: Mapping[str, Sequence[Row]], members: Sequence[Member], calendar: Calendar
) -> list[Finding]:
    """Rows about somebody who is not on the roster: a slip of the pen, which must not pass in silence.

    補正, and results of events with applications, have their own words for it."""
    known = {member.player for member in members}
    out = []
    for table in _NAMED:
        for row in tables[table.name]:
            name = row.get("正式呼称")
            event = calendar.events.get(row.get("開催日")) if table is RESULTS else None
            told = event is not None and event.takes_signups
            if name and name not in known and not told:
                text = f"「{name}」は名簿にありません。この行は使っていません"
                out.append(Finding("unreadable", row.cause, text, row.cause))
    return out


def _survey(desk: Desk) -> tuple[Context, list[Finding]]:
    """What is owned and what that brings, for judging."""
    tables, calendar = desk.tables, desk.calendar
    catalogue = read_catalogue(tables["星座"], tables["効果"], _published(calendar))
    owned, clashes = read_ownership(tables["星座所有"], calendar, catalogue)
    context = desk.context()._replace(
        catalogue=catalogue,
        owned=tuple(owned),
        effects=desk.effects,
        holdings=(*hold_constellations(owned, catalogue), *_given_holdings(desk.facts)),
        names=_names(tables, desk.members),
    )
    return context, clashes


def _read_tables(
    facts: Facts, as_of: pd.Timestamp, settings: Settings
) -> tuple[dict[str, list[Row]], list[Finding]]:
    reader = Reader(settings.zone, settings.year)
    tables: dict[str, list[Row]] = {}
    findings: list[Finding] = []
    for table in TABLES:
        tables[table.name], faults = read_table(facts.inputs, table, as_of, reader)
        findings += faults
    return tables, findings


def _published(calendar: Calendar) -> pd.Timestamp:
    settings = calendar.settings
    text = settings.parameters.text("P106", calendar.opening)
    return read_instant(text, settings.zone, settings.year) or calendar.opening


def _given_holdings(facts: Facts) -> list[Holding]:
    given = facts.opening.holdings if facts.opening else ()
    return [
        Holding(player, what, start, stop, "given")
        for player, what, start, stop in given
        if not what.startswith(PREFIX)
    ]


def _names(tables: Mapping[str, Sequence[Row]], members: Sequence[Member]) -> dict[str, frozenset[str]]:
    """The published names that a 内容 may ask for."""
    return {
        "座": frozenset(row.get("名称") for row in tables["星座"]),
        "球": frozenset(row.get("名称") for row in tables["球"]),
        "星術師": frozenset(m.player for m in members if m.role == SORCERER),
        "学者": frozenset(m.player for m in members if m.role != SORCERER),
    }
