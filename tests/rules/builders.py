"""Small games for the tests of the rules: facts made the way a case makes them, and outcomes in comparable form."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd

from pipeline.case_run import Run, case_settings, find_entries
from pipeline.cases import prepare
from pipeline.settings import RulebookBlock, load_game, load_rulebook
from rules.clock import read_instant
from rules.frames import DECISIONS, INPUTS, build_frame
from rules.game import Facts, Game, Outcome, Settings
from rules.tables import Reader

ZONE = ZoneInfo("Asia/Tokyo")
YEAR = 2026
READER = Reader(ZONE, YEAR)
GAME: Game = load_game("kanada")
SECOND = pd.Timedelta(seconds=1)
EARLY = pd.Timestamp("1970-01-01", tz="UTC").as_unit("us")


def jst(text: str) -> pd.Timestamp:
    """`10-13 05:00:00` in the year of the game."""
    found = read_instant(text, ZONE, YEAR)
    assert found is not None, text
    return found


@functools.cache
def rulebook() -> RulebookBlock:
    return load_rulebook(GAME)


def settings(**config: Any) -> Settings:
    return case_settings({"config": config}, GAME, rulebook(), ZONE)


@functools.cache
def plain_settings() -> Settings:
    return settings()


def ready(
    events: Sequence[Mapping[str, Any]],
    as_of: str = "10-26 00:00:00",
    config: Mapping[str, Any] | None = None,
    **given: Any,
) -> Run:
    """A case made ready without expectations."""
    case = {"given": given, "events": list(events), "as_of": as_of, "config": dict(config or {})}
    return prepare(case, GAME, settings(**config) if config else plain_settings())


def status(run: Run, name: str, outcome: Outcome | None = None) -> str:
    return str(verdict(run, name, outcome)["effective"])


def verdict(run: Run, name: str, outcome: Outcome | None = None) -> Mapping[str, Any]:
    """The one verdict that `f1` or `f1/10-13` names."""
    outcome = outcome if outcome is not None else run.adjudicate()
    (entry,) = find_entries(run, outcome, name)
    rows = outcome.verdicts
    return {
        str(key): value for key, value in rows.loc[rows["entry_id"].eq(entry)].to_dict("records")[0].items()
    }


def codes(found: Mapping[str, Any]) -> list[str]:
    return [reason.code for reason in found["reasons"]]


def rulings(found: Mapping[str, Any]) -> list[str]:
    return [note.ruling for note in found["notes"]]


def rows_of(
    table: str, *contents: Mapping[str, str], seen: str | Sequence[str] = "10-01 00:00:00"
) -> pd.DataFrame:
    """Shape INPUTS: one content a row, each of its own key."""
    times = [seen] * len(contents) if isinstance(seen, str) else list(seen)
    return build_frame(
        [
            {
                "table": table,
                "key": str(number),
                "content": json.dumps(dict(content), ensure_ascii=False),
                "first_seen": jst(time),
                "seq": number,
            }
            for number, (content, time) in enumerate(zip(contents, times, strict=True))
        ],
        INPUTS,
    )


def decide(
    facts: Facts, *words: tuple[str, str, pd.Timestamp], basis: str = "", confirmed: bool = True
) -> Facts:
    """The facts with more decisions: (entry id, 裁定, first seen), with the second tick unless told otherwise."""
    base = facts.decisions.to_dict("records")
    fresh = [
        {
            "place": "case",
            "entry_id": entry,
            "content": json.dumps({"裁定": ruling, "確定": str(confirmed).upper()}, ensure_ascii=False),
            "basis": basis,
            "first_seen": at,
            "seq": len(base) + number,
        }
        for number, (entry, ruling, at) in enumerate(words)
    ]
    rows: list[dict[str, Any]] = [{str(key): value for key, value in row.items()} for row in base]
    return facts._replace(decisions=build_frame([*rows, *fresh], DECISIONS))


def comparable(outcome: Outcome) -> Mapping[str, Any]:
    """All that follows from the facts, without the frames' indices."""
    return {
        "verdicts": [
            tuple(row) for row in outcome.verdicts.astype(object).fillna("").itertuples(index=False)
        ],
        "postings": [tuple(row) for row in outcome.postings.itertuples(index=False)],
        "holdings": [tuple(row) for row in outcome.holdings.itertuples(index=False)],
        "tasks": outcome.tasks,
        "flags": outcome.flags,
        "findings": outcome.findings,
    }


def statuses(outcome: Outcome) -> dict[str, str]:
    return dict(zip(outcome.verdicts["entry_id"], outcome.verdicts["effective"], strict=True))


def shuffle_facts(facts: Facts, seed: int) -> Facts:
    """The same facts, their rows in another order."""
    return facts._replace(
        revisions=_shuffled(facts.revisions, seed),
        inputs=_shuffled(facts.inputs, seed + 1),
        decisions=_shuffled(facts.decisions, seed + 2),
        words=facts.words[::-1],
    )


def _shuffled(frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    order = list(range(len(frame)))
    random.Random(seed).shuffle(order)
    return frame.iloc[order].reset_index(drop=True)
