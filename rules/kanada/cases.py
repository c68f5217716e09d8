"""A case: one entry with its verdict, and what is needed to judge it.

Promises: what the machine says, what is in force and what it rests on are kept side by side. Refuses to know: how it
is judged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import say_instant
from rules.frames import Finding
from rules.kanada.calendar import Calendar
from rules.kanada.constellations import Constellation, Holding
from rules.kanada.effects import Effect
from rules.kanada.intake import Fate
from rules.kanada.reasons import give
from rules.verdicts import ACCEPTED, ESTABLISHED, PENDING, Note, Reason


class Context(NamedTuple):
    """What judging needs beside the fates. `plain` is the calendar without the readings chosen on single rows."""

    calendar: Calendar
    plain: Calendar
    as_of: pd.Timestamp
    reads: Mapping[str, pd.Timestamp] | None
    sources: Mapping[str, tuple[str, ...]]
    roster_published: pd.Timestamp
    catalogue: Mapping[str, Constellation] = {}
    owned: tuple[Holding, ...] = ()
    effects: Mapping[str, Effect] = {}
    holdings: tuple[Holding, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    names: Mapping[str, frozenset[str]] = {}
    roster: frozenset[str] = frozenset()


class Waiting(NamedTuple):
    """A holding that an entry would bring if a master accepted it."""

    entry_id: str
    holding: Holding


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
    def is_accepted(self) -> bool:
        return self.effective in (ACCEPTED, ESTABLISHED)

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
