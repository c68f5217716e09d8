"""One scenario case made ready: its facts by kind, its settings, and how its events are called.

Promises: a case runs the same functions as a cycle, only its facts come from the file. Refuses to know: how events are
read (pipeline.cases), and expectations (pipeline.expect).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pandas as pd

from pipeline.seal import digest_word
from pipeline.settings import OverrideBlock, RulebookBlock, build_settings
from rules.clock import read_date, read_instant
from rules.frames import DECISIONS, INPUTS, REVISIONS, build_frame
from rules.game import Facts, Game, Outcome, Settings
from rules.identity import Word
from rules.tables import Reader

KEY = b"scenario"
START = pd.Timestamp("1970-01-01", tz="UTC").as_unit("us")
DAY = pd.Timedelta(hours=24)
_SETTINGS_KEYS = ("ruleset", "forms")


class CaseError(ValueError):
    """A case that cannot be read: says which and what is allowed."""


class Sent(NamedTuple):
    """One content of a response as an event tells it."""

    event: str
    form: str
    response_id: str
    revision: str
    row: Mapping[str, Any]


@dataclass
class Run:
    """A case made ready: facts by kind, and how its events are called."""

    case: Mapping[str, Any]
    game: Game
    settings: Settings
    as_of: pd.Timestamp
    cycles: list[pd.Timestamp]
    start: Any
    sent: list[Sent] = field(default_factory=list)
    inputs: list[dict[str, Any]] = field(default_factory=list)
    decisions: list[dict[str, Any]] = field(default_factory=list)
    rows: dict[str, str] = field(default_factory=dict)

    def instant(self, text: Any) -> pd.Timestamp:
        found = read_instant(str(text), self.settings.zone, self.settings.year)
        if found is None:
            raise CaseError(f"「{text}」は日時として読めません")
        return found

    def seen_at(self, at: pd.Timestamp) -> pd.Timestamp:
        """The first cycle at or after `at`."""
        return min((cycle for cycle in self.cycles if cycle >= at), default=max(at, self.as_of))

    def facts(self, decisions: Sequence[Mapping[str, Any]]) -> Facts:
        words = [
            Word(name, START, *digest_word(word, KEY))
            for name, word in self.start.words.items()
            if word.strip()
        ]
        return Facts(
            revisions=build_frame([sent.row for sent in self.sent], REVISIONS),
            inputs=build_frame(self.inputs, INPUTS),
            decisions=build_frame(decisions, DECISIONS),
            words=words,
            opening=self.start.opening,
            own_calendar=self.start.own_calendar,
        )

    def adjudicate(self, as_of: pd.Timestamp | None = None, *, ruled: bool = True) -> Outcome:
        decisions = self.decisions if ruled else []
        return self.game.adjudicate(self.facts(decisions), as_of or self.as_of, self.settings)


def case_settings(case: Mapping[str, Any], game: Game, rulebook: RulebookBlock, zone: Any) -> Settings:
    """The game's own rulebook with the case's `config` laid over it."""
    config = dict(case.get("config") or {})
    parameters = {
        key: OverrideBlock.model_validate(value)
        for key, value in config.items()
        if key in rulebook.parameters
    }
    words = {key: [str(v) for v in value] for key, value in config.items() if key in rulebook.words}
    policies = {
        key: str(value)
        for key, value in config.items()
        if key not in parameters and key not in words and key not in _SETTINGS_KEYS
    }
    forms = {form.name: form for form in game.forms}
    for name, change in (config.get("forms") or {}).items():
        forms[name] = forms[name]._replace(address=change.get("email_collection", forms[name].address))
    return build_settings(
        game,
        rulebook,
        zone,
        ruleset=config.get("ruleset", "official"),
        parameters=parameters,
        policies=policies,
        words=words,
        forms=forms,
    )


def find_entries(run: Run, outcome: Outcome, name: str) -> list[str]:
    """The ids of the entries that an event id, or event id / rest of key, names."""
    event, _slash, rest = name.partition("/")
    revisions = {(s.response_id, s.revision) for s in run.sent if s.event == event}
    reader = Reader(run.settings.zone, run.settings.year)
    wanted = "/".join(_iso(part, reader) for part in rest.split("/")) if rest else ""
    verdicts = outcome.verdicts
    ruled = [
        str(entry)
        for entry, response, revision, key in zip(
            verdicts["entry_id"], verdicts["response_id"], verdicts["revision"], verdicts["key"], strict=True
        )
        if (response, revision) in revisions and (not wanted or key == wanted)
    ]
    return ruled or [entry for sent, entry in outcome.unruled.items() if sent in revisions]


def _iso(part: str, reader: Reader) -> str:
    day = read_date(part, reader.year)
    return day.isoformat() if day else part
