"""The entries of a form with their deadlines: what intake needs to know of the game.

Promises: a deadline is the rulebook's or a later one that masters granted (延長), never an earlier one; an entry is
decided from the first second after it. Refuses to know: whether a claim is sound.
Sources: １章 マスターイベント, ４章 星座複製.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import ONE_SECOND, floor_second, midnight, read_date, read_instant
from rules.game import Facts, Form, Settings
from rules.identity import Member
from rules.kanada import replication, signup
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Case, Context
from rules.kanada.intake import Entry, Fate, explode, prove, settle
from rules.kanada.policies import Policies
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
