"""The entries of a form with their deadlines: what intake needs to know of the game.

Promises: a deadline is the rulebook's or a later one that masters granted (延長), never an earlier one; an entry is
decided from the first second after it. Refuses to know: whether a claim is sound.
Sources: １章 マスターイベント, ４章 星座複製.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import ONE_SECOND, floor_second, midnight, read_date
from rules.game import Facts, Form, Settings
from rules.identity import Member
from rules.kanada import effects, replication, signup
from rules.kanada.calendar import Calendar, read_publication
from rules.kanada.cases import Case, Context
from rules.kanada.effects import Effect
from rules.kanada.intake import Entry, Fate, Key, explode, settle, settle_events
from rules.kanada.policies import Policies
from rules.kanada.proving import prove
from rules.kanada.results import CERTAIN, WAITING, Standing
from rules.rulings import Ruling
from rules.tables import Row
from rules.verdicts import ACCEPTED, BLOCKED, HELD


class Desk(NamedTuple):
    """The inputs of one derivation, kept together."""

    facts: Facts
    as_of: pd.Timestamp
    settings: Settings
    calendar: Calendar
    members: tuple[Member, ...]
    tables: Mapping[str, Sequence[Row]]
    rulings: Mapping[str, Ruling]
    effects: Mapping[str, Effect]

    def context(self) -> Context:
        sources = {name: form.sources for name, form in self.settings.forms.items()}
        policies = Policies(self.calendar.policies.settled, self.calendar.policies.configured)
        plain = dataclasses.replace(self.calendar, policies=policies)
        return Context(
            self.calendar, plain, self.as_of, self.facts.reads, sources, self.roster_published(), {}, ()
        )

    def roster_published(self) -> pd.Timestamp:
        """When 正式呼称一覧 came out: a row of 公開, else the planned date."""
        return read_publication(self.tables, self.calendar, "正式呼称一覧", "roster_published")

    def settle_form(self, name: str) -> list[Fate]:
        """Entries of one form with their fates, in order."""
        form, rule, year = self.settings.forms[name], FORM_RULES[name], self.settings.year
        revisions = self.facts.revisions
        entries = explode(
            revisions.loc[revisions["submitted_at"] <= self.as_of],
            name,
            lambda answers: rule.keys(answers, year),
        )
        policies = self.calendar.policies
        proofs = prove(
            entries, self.members, self.facts.words, verified=form.address == "verified", policies=policies
        )
        deadlines = [
            self._deadline(entry, proof.player, form, rule)
            for entry, proof in zip(entries, proofs, strict=True)
        ]
        decided = [
            floor_second(entry.submitted_at) if entry.day is None else rule.decides_at(entry, limit, self)
            for entry, limit in zip(entries, deadlines, strict=True)
        ]
        claims = [rule.claim(entry, self) for entry in entries]
        return settle(entries, proofs, deadlines, decided, claims, self.rulings, policies)

    def settle_events(self, name: str) -> list[Fate]:
        """Entries of a form in which every response is an event of its own."""
        form, revisions = self.settings.forms[name], self.facts.revisions
        entries = explode(
            revisions.loc[revisions["submitted_at"] <= self.as_of], name, lambda _answers: [Key("", None)]
        )
        proofs = prove(
            entries,
            self.members,
            self.facts.words,
            verified=form.address == "verified",
            policies=self.calendar.policies,
        )
        return settle_events(entries, proofs, self.rulings)

    def _deadline(self, entry: Entry, player: str, form: Form, rule: FormRule) -> pd.Timestamp | None:
        limit = rule.deadline(entry, self) if entry.day is not None else None
        return None if limit is None else max([limit, *self._extensions(entry, player, form)])

    def _extensions(self, entry: Entry, player: str, form: Form) -> list[pd.Timestamp]:
        """The new limits that masters granted for this key."""
        out = []
        for row in self.tables["延長"]:
            named = row.get("フォーム") in (form.name, form.title)
            mine = row.get("正式呼称") in (None, player)
            if named and mine and self._is_about(row.get("キー"), entry):
                out.append(floor_second(row.get("新期限")))
        return out

    def _is_about(self, text: str, entry: Entry) -> bool:
        """`10-13` means every entry of that day, `10-13/…` the one with that rest."""
        date, slash, rest = unicodedata.normalize("NFKC", text).partition("/")
        same_day = read_date(date, self.settings.year) == entry.day
        return same_day and (
            not slash or unicodedata.normalize("NFKC", entry.rest).partition("/")[2] == rest.strip()
        )


class FormRule(NamedTuple):
    """What one form brings to intake: its keys, limit, claim, and from when an entry is decided."""

    keys: Callable[[Mapping[str, Any], int], Iterable[Key]]
    deadline: Callable[[Entry, Desk], pd.Timestamp | None]
    claim: Callable[[Entry, Desk], str]
    decides_at: Callable[[Entry, pd.Timestamp | None, Desk], pd.Timestamp]


def _day_of(entry: Entry) -> dt.date:
    if entry.day is None:
        raise ValueError("an entry without a readable day has no limit")
    return entry.day


def _after_limit(entry: Entry, limit: pd.Timestamp | None, desk: Desk) -> pd.Timestamp:
    return midnight(_day_of(entry), desk.settings.zone) if limit is None else limit + ONE_SECOND


def _after_midnight(entry: Entry, limit: pd.Timestamp | None, desk: Desk) -> pd.Timestamp:
    start = midnight(_day_of(entry), desk.settings.zone)
    return start if limit is None else max(limit + ONE_SECOND, start)


def _after_effect_limit(entry: Entry, limit: pd.Timestamp | None, desk: Desk) -> pd.Timestamp:
    """A form is in time or not as soon as its limit is over; whether it sets anything off shows at the effect's
    instant (rules.kanada.judging)."""
    return floor_second(entry.submitted_at) if limit is None else limit + ONE_SECOND


FORM_RULES: Mapping[str, FormRule] = {
    "signup": FormRule(
        signup.read_keys,
        lambda entry, desk: signup.deadline(_day_of(entry), desk.calendar),
        lambda entry, desk: signup.claim(entry, desk.settings.words.get("withdrawal_words", ())),
        _after_limit,
    ),
    "replication": FormRule(
        replication.read_keys,
        lambda entry, desk: replication.deadline(_day_of(entry), desk.calendar),
        lambda entry, _desk: replication.claim(entry),
        _after_midnight,
    ),
    "effect": FormRule(
        effects.read_keys,
        lambda entry, desk: effects.deadline(entry, desk.calendar, desk.effects),
        lambda entry, _desk: effects.claim(entry),
        _after_effect_limit,
    ),
}


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
