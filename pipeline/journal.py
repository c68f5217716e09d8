"""What each run knew: verdicts, postings, published contents, and the machine's half of every sheet row.

Promises: contents are stored once, with when they appeared and vanished; a run that derives the same stores nothing.
Refuses to know: how they were derived. Corrections, `explain` and the next run's merge read it; judging never does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

from pipeline.archive import Archive
from pipeline.archive_rows import canonical_json
from rules.game import Outcome
from rules.verdicts import dump_notes, dump_reasons

VERDICT, POSTING, FILE, ROW = "verdict", "posting", "file", "row"


class Known(NamedTuple):
    """What the last run left: machine cells by tab and row, what each verdict rested on, the files it owns."""

    rows: Mapping[str, Mapping[str, dict[str, str]]]
    basis: Mapping[str, str]
    files: frozenset[str]
    verdicts: Mapping[str, dict[str, Any]]


def _current(archive: Archive, kind: str) -> list[dict[str, Any]]:
    journal = archive.journal(kind)
    return [json.loads(str(payload)) for payload in journal.loc[journal["known_to"].isna(), "payload"]]


def read_known(archive: Archive) -> Known:
    rows: dict[str, dict[str, dict[str, str]]] = {}
    for item in _current(archive, ROW):
        rows.setdefault(item["tab"], {})[item["id"]] = item["cells"]
    verdicts = {item["entry_id"]: item for item in _current(archive, VERDICT)}
    return Known(
        rows,
        {entry: item["basis"] for entry, item in verdicts.items()},
        frozenset(item["name"] for item in _current(archive, FILE)),
        verdicts,
    )


def _keyed(items: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Content id -> payload; the id digests the whole payload, so that any change is a new content."""
    payloads = [canonical_json(item) for item in items]
    return {hashlib.sha256(payload.encode()).hexdigest()[:24]: payload for payload in payloads}


def _text(instant: Any) -> str:
    return "" if instant is None or pd.isna(instant) else pd.Timestamp(instant).isoformat()


def dump_verdicts(outcome: Outcome) -> list[dict[str, Any]]:
    """Everything `explain` shows of an entry."""
    granted: dict[str, list[dict[str, str]]] = {}
    for held in outcome.holdings.to_dict("records"):
        held_item = {"what": str(held["what"]), "from": _text(held["start"]), "to": _text(held["stop"])}
        granted.setdefault(str(held["cause"]), []).append(held_item)
    booked: dict[str, list[dict[str, Any]]] = {}
    for posting in outcome.postings.to_dict("records"):
        item = {
            "at": _text(posting["at"]),
            "account": str(posting["account"]),
            "amount": int(posting["amount"]),
        }
        booked.setdefault(str(posting["cause"]), []).append(item)
    out = []
    for row in outcome.verdicts.to_dict("records"):
        entry = str(row["entry_id"])
        texts = {name: str(row[name]) for name in _PLAIN}
        times = {name: _text(row[name]) for name in ("submitted_at", "deadline", "decides_at")}
        out.append(
            {
                **texts,
                **times,
                "stale": bool(row["stale"]),
                "reasons": dump_reasons(row["reasons"]),
                "notes": dump_notes(row["notes"]),
                "holdings": granted.get(entry, []),
                "postings": booked.get(entry, []),
            }
        )
    return out


_PLAIN = (
    "entry_id", "form", "response_id", "revision", "key", "player", "machine", "effective", "preview", "suggestion", "basis",
)  # fmt: skip


def dump_postings(outcome: Outcome) -> list[dict[str, Any]]:
    return [
        {**{str(k): v for k, v in row.items()}, "at": _text(row["at"])}
        for row in outcome.postings.to_dict("records")
    ]


def _dump_files(files: Mapping[str, str]) -> list[dict[str, str]]:
    return [
        {"name": name, "digest": hashlib.sha256(text.encode()).hexdigest()[:16]}
        for name, text in files.items()
    ]


def claim_files(archive: Archive, files: Mapping[str, str], run_at: pd.Timestamp) -> None:
    """Own the files before they are written: a killed run must not leave one that nobody would ever remove."""
    archive.sync_journal(FILE, _keyed([*_current(archive, FILE), *_dump_files(files)]), run_at)


def journal_outcome(
    archive: Archive,
    outcome: Outcome,
    machine: Mapping[str, Mapping[str, Mapping[str, str]]],
    files: Mapping[str, str],
    run_at: pd.Timestamp,
) -> bool:
    """Store what appeared and vanished; True if anything did."""
    rows = [
        {"tab": tab, "id": row_id, "cells": dict(cells)}
        for tab, mine in machine.items()
        for row_id, cells in mine.items()
    ]
    changed = False
    for kind, items in (
        (VERDICT, dump_verdicts(outcome)),
        (POSTING, dump_postings(outcome)),
        (FILE, _dump_files(files)),
        (ROW, rows),
    ):
        appeared, vanished = archive.sync_journal(kind, _keyed(items), run_at)
        changed = changed or bool(appeared or vanished)
    return changed
