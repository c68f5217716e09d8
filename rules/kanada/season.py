"""One derivation of the whole game from the facts: intake, the fold, verdicts, and what follows from them.

Promises: the same facts, settings and `as_of` give the same outcome; nothing is decided before its instant or while
a source that could change it has not been read completely since. Refuses to know: files, sheets, the clock.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import ONE_SECOND, floor_second, midnight, read_clock, read_date, read_instant
from rules.clock import at as instant_at
from rules.frames import HOLDINGS, VERDICTS, Finding, build_frame
from rules.game import Facts, Form, Outcome, Settings, Task
from rules.identity import FOREVER, Member
from rules.kanada import replication, signup
from rules.kanada.articles import replication_articles, result_articles
from rules.kanada.bulletins import list_bulletins
from rules.kanada.calendar import Calendar, build_calendar
from rules.kanada.constellations import (
    Constellation,
    Holding,
    hold_constellations,
    read_catalogue,
    read_ownership,
)
from rules.kanada.fold import Bid, Played, play
from rules.kanada.forms import TABLES
from rules.kanada.intake import Entry, Fate, explode, prove, settle
from rules.kanada.judging import Case, Context, bid_for, judge_fates
from rules.kanada.notices import add_notes, ask_decisions, draft_refusals, find_alerts
from rules.kanada.phases import OPENING, RIGHT_GRANTED
from rules.kanada.policies import Policies, read_policies
from rules.kanada.results import CERTAIN, WAITING, Booked, Gain, Standing, book_corrections, book_results
from rules.postings import Posting, tabulate
from rules.rulings import Ruling, settle_decisions
from rules.tables import Reader, Row, read_table
from rules.verdicts import ACCEPTED, BLOCKED, HELD, Flag

SORCERER = "星術師"
EARLIEST = pd.Timestamp("1970-01-01", tz="UTC").as_unit("us")


class Season(NamedTuple):
    """Everything derived on the way, for the pages and lists that come after."""

    calendar: Calendar
    members: tuple[Member, ...]
    cases: Mapping[str, Case]
    catalogue: Mapping[str, Constellation]
    tables: Mapping[str, Sequence[Row]]
    as_of: pd.Timestamp
    roster: tuple[str, ...]
    balances: Mapping[tuple[str, str], int]
    participants: Mapping[dt.date, Mapping[str, Standing]]


def adjudicate(facts: Facts, as_of: pd.Timestamp, settings: Settings) -> Outcome:
    """The outcome at `as_of` of everything submitted and written by then."""
    tables, findings = _read_tables(facts, as_of, settings)
    settled = settle_decisions(facts.decisions.loc[facts.decisions["first_seen"] <= as_of])
    rulings = {ruling.entry_id: ruling for ruling in settled.rulings}
    readings = {r.entry_id: int(r.reading) for r in settled.rulings if r.reading in ("1", "2", "3")}
    policies = read_policies(tables["方針"], settings.policies).for_entries(readings)
    calendar = build_calendar(settings, policies, tables, own=facts.own_calendar)
    members = read_members(tables["名簿"])
    desk = _Desk(facts, as_of, settings, calendar, members, tables, rulings)
    signups, copies = desk.settle_form("signup"), desk.settle_form("replication")
    signup_cases = judge_fates(signups, desk.context(), {})
    participants = find_participants(signup_cases.values())
    catalogue = read_catalogue(tables["星座"], tables["効果"], _published(calendar))
    owned, faults = read_ownership(tables["星座所有"], calendar, catalogue)
    results = book_results(tables["マスイベ結果"], calendar, participants)
    sorcerers = list(dict.fromkeys(m.player for m in members if m.role == SORCERER))
    corrections = book_corrections(tables["補正"], calendar, sorcerers)
    bids = _make_bids(copies, desk, catalogue, owned)
    played = _play(desk, results, corrections, bids, sorcerers)
    context = desk.context()._replace(catalogue=catalogue, owned=tuple(owned))
    copy_cases = judge_fates(copies, context, played.answers)
    mails = draft_refusals(copy_cases.values(), calendar)
    cases = {**signup_cases, **add_notes(copy_cases, mails.notes)}
    holdings = [*hold_constellations(owned, catalogue), *_given_holdings(facts), *_granted(cases)]
    roster = tuple(dict.fromkeys(m.player for m in members))
    season = Season(calendar, members, cases, catalogue, tables, as_of, roster, played.balances, participants)
    flags = (*results.flags, *corrections.flags)
    conflicts = [
        Finding(
            "conflict",
            c.entry_id,
            "2か所の裁定が食い違っています: "
            + "、".join(f"{place}={word}" for place, word in c.said.items()),
            c.entry_id,
        )
        for c in settled.conflicts
    ]
    strays = [*_find_strays(settled.rulings, cases), *_find_withdrawn(facts, cases, as_of)]
    found = (
        *findings,
        *faults,
        *results.findings,
        *corrections.findings,
        *conflicts,
        *strays,
        *_case_findings(cases),
    )
    return Outcome(
        verdicts=build_frame([case.row() for case in cases.values()], VERDICTS),
        postings=tabulate(played.postings),
        holdings=build_frame([{**h._asdict()} for h in holdings], HOLDINGS),
        tasks=(*mails.tasks, *_list_tasks(season, flags)),
        flags=flags,
        findings=tuple(dict.fromkeys(found)),
        rows=tables,
        extra=season,
    )


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


def read_members(rows: Sequence[Row]) -> tuple[Member, ...]:
    """The dated roster; a row is in force until its 終了 or until the same name's next row starts."""
    starts: dict[str, list[pd.Timestamp]] = {}
    for row in rows:
        starts.setdefault(row.get("正式呼称"), []).append(row.get("開始") or EARLIEST)
    out = []
    for row in rows:
        name, start = row.get("正式呼称"), row.get("開始") or EARLIEST
        later = [other for other in starts[name] if other > start]
        stop = min([row.get("終了") or FOREVER, *later])
        out.append(Member(name, start, stop, row.get("役割"), row.get("メールアドレス") or ""))
    return tuple(out)


def _published(calendar: Calendar) -> pd.Timestamp:
    settings = calendar.settings
    text = settings.parameters.text("P106", calendar.opening)
    return read_instant(text, settings.zone, settings.year) or calendar.opening


class _Desk(NamedTuple):
    """The inputs of one derivation, kept together."""

    facts: Facts
    as_of: pd.Timestamp
    settings: Settings
    calendar: Calendar
    members: tuple[Member, ...]
    tables: Mapping[str, Sequence[Row]]
    rulings: Mapping[str, Ruling]

    def context(self) -> Context:
        sources = {name: form.sources for name, form in self.settings.forms.items()}
        policies = Policies(self.calendar.policies.settled, self.calendar.policies.configured)
        plain = dataclasses.replace(self.calendar, policies=policies)
        return Context(
            self.calendar, plain, self.as_of, self.facts.reads, sources, self.roster_published(), {}, ()
        )

    def roster_published(self) -> pd.Timestamp:
        """When 正式呼称一覧 came out: a row of 公開, else the planned date."""
        for row in self.tables["公開"]:
            if row.get("記事名") == "正式呼称一覧" and row.get("公開時刻") is not None:
                when: pd.Timestamp = row.get("公開時刻")
                return when
        text = self.settings.parameters.text("roster_published", self.calendar.opening)
        return read_instant(text, self.settings.zone, self.settings.year) or self.calendar.opening

    def settle_form(self, name: str) -> list[Fate]:
        """Entries of one form with their fates, in order."""
        form, year = self.settings.forms[name], self.settings.year
        module = signup if name == "signup" else replication
        revisions = self.facts.revisions
        entries = explode(
            revisions.loc[revisions["submitted_at"] <= self.as_of],
            name,
            lambda answers: module.read_keys(answers, year),
        )
        policies = self.calendar.policies
        proofs = prove(
            entries, self.members, self.facts.words, verified=form.address == "verified", policies=policies
        )
        deadlines = [
            self._deadline(entry, proof.player, form) for entry, proof in zip(entries, proofs, strict=True)
        ]
        decided = [self._decides_at(entry, limit) for entry, limit in zip(entries, deadlines, strict=True)]
        wish_words = self.settings.words.get("withdrawal_words", ())
        claims = [
            signup.claim(entry, wish_words) if name == "signup" else replication.claim(entry)
            for entry in entries
        ]
        return settle(entries, proofs, deadlines, decided, claims, self.rulings, policies)

    def _deadline(self, entry: Entry, player: str, form: Form) -> pd.Timestamp | None:
        if entry.day is None:
            return None
        module = signup if form.name == "signup" else replication
        limit: pd.Timestamp | None = module.deadline(entry.day, self.calendar)
        if limit is None:
            return None
        return max([limit, *self._extensions(entry.day, player, form)])

    def _extensions(self, day: dt.date, player: str, form: Form) -> list[pd.Timestamp]:
        out = []
        for row in self.tables["延長"]:
            named = row.get("フォーム") in (form.name, form.title)
            mine = row.get("正式呼称") in (None, player)
            if (
                named
                and mine
                and read_date(unicodedata.normalize("NFKC", row.get("キー")), self.settings.year) == day
            ):
                out.append(floor_second(row.get("新期限")))
        return out

    def _decides_at(self, entry: Entry, limit: pd.Timestamp | None) -> pd.Timestamp:
        if entry.day is None:
            return floor_second(entry.submitted_at)
        start = midnight(entry.day, self.settings.zone)
        if limit is None:
            return start
        return max(limit + ONE_SECOND, start if entry.form == "replication" else limit)


def find_participants(cases: Iterable[Case]) -> dict[dt.date, dict[str, Standing]]:
    """参加予定者 by event day: certain where the sign-up is accepted, waiting where a master must rule."""
    out: dict[dt.date, dict[str, Standing]] = {}
    for case in cases:
        if case.fate.entry.day is None or case.outlook not in (ACCEPTED, BLOCKED, HELD):
            continue
        state = CERTAIN if case.effective == ACCEPTED else WAITING
        standings = out.setdefault(case.fate.entry.day, {})
        if standings.get(case.player, Standing("", "", WAITING)).state == WAITING:
            standings[case.player] = Standing(case.player, case.fate.entry.entry_id, state)
    return out


def _make_bids(
    copies: Sequence[Fate], desk: _Desk, catalogue: Mapping[str, Constellation], owned: Sequence[Holding]
) -> list[Bid]:
    """What each application that may count would take; the form's own flaws are settled before the stars are asked."""
    context = desk.context()._replace(catalogue=catalogue, owned=tuple(owned))
    return [bid for fate in copies if (bid := bid_for(fate, context)) is not None]


def _play(
    desk: _Desk, results: Booked, corrections: Booked, bids: Sequence[Bid], sorcerers: Sequence[str]
) -> Played:
    gains = [
        *_opening_gains(desk, sorcerers),
        *_right_grants(desk, sorcerers),
        *results.gains,
        *corrections.gains,
    ]
    losses = [
        (when, player)
        for when in _right_instants(desk, "P198")
        for player in sorcerers
        if when <= desk.calendar.end
    ]
    return play(
        gains, bids, losses, desk.facts.opening, lambda bid, answer: bid.forced or answer.enough, desk.as_of
    )


def _opening_gains(desk: _Desk, sorcerers: Sequence[str]) -> list[Gain]:
    start = desk.calendar.opening
    amount = desk.settings.parameters.whole("P44", start)
    return [
        Gain(
            Posting(
                start,
                OPENING,
                player,
                "points",
                amount,
                "開戦",
                "opening_points",
                "１章 点数",
                audience=player,
            )
        )
        for player in sorcerers
    ]


def _right_grants(desk: _Desk, sorcerers: Sequence[str]) -> list[Gain]:
    out = []
    for when in _right_instants(desk, "P197"):
        number = desk.settings.parameters.whole("P196", when)
        for player in sorcerers:
            cause = f"襲撃権/{player}"
            posting = Posting(
                when,
                RIGHT_GRANTED,
                player,
                "right",
                number,
                cause,
                "right_granted",
                "６章 襲撃権",
                audience=player,
            )
            out.append(Gain(posting))
    return out


def _right_instants(desk: _Desk, parameter: str) -> list[pd.Timestamp]:
    """The clock of `parameter` on each day of the game but the rest days, up to the end."""
    calendar = desk.calendar
    out = []
    for day in calendar.days:
        clock = read_clock(desk.settings.parameters.text(parameter, midnight(day, calendar.zone)))
        when = instant_at(day, clock or dt.time(), calendar.zone)
        if not calendar.is_rest_day(day) and when <= min(calendar.end, desk.as_of):
            out.append(when)
    return out


def _given_holdings(facts: Facts) -> list[Holding]:
    given = facts.opening.holdings if facts.opening else ()
    return [Holding(player, what, start, stop, "given") for player, what, start, stop in given]


def _granted(cases: Mapping[str, Case]) -> list[Holding]:
    return [holding for case in cases.values() for holding in case.holdings]


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


def _case_findings(cases: Mapping[str, Case]) -> list[Finding]:
    return [finding for case in cases.values() for finding in case.findings]
