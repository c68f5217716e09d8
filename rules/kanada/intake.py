"""From revisions to entries: what each response claims, who sent it, whether in time, and which entry counts.

Promises: an entry's id depends on the response, its revision and its key alone; an entry that is not proved to come
from the named player never competes with one that is; the masters' acceptance is laid over afterwards. Refuses to
know: whether the claim is sound, and the state of the game.
Sources: １章 あいことば, １章 マスターイベント, ４章 星座複製.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import floor_second
from rules.counting import LAST_WINS, LATE, TIED, Rule, choose_ruled, count_entries, flagged
from rules.identity import (
    normalise_name,
)
from rules.kanada.policies import Policies
from rules.rulings import Ruling
from rules.verdicts import ACCEPTED

POLICY = (
    Rule("unreadable", flagged("unreadable")),
    Rule("unproved", flagged("unproved")),
    LATE,
    LAST_WINS,
    TIED,
    Rule("twice", flagged("twice")),
)
"""The order is the policy: flaws of the content are judged after this, on the entry that counts."""


class Key(NamedTuple):
    """What one entry of a response is about: the rest of its key, the day it is for (None: not readable), the block
    of the form; `clashes` if the response claims different things under this one key."""

    rest: str
    day: dt.date | None
    part: int = 1
    clashes: bool = False


class Entry(NamedTuple):
    """One keyed claim of one revision, as read; `day` is None where its key cannot be read."""

    entry_id: str
    form: str
    response_id: str
    revision: str
    rest: str
    day: dt.date | None
    submitted_at: pd.Timestamp
    created_at: pd.Timestamp
    first_seen: pd.Timestamp
    address: str
    name: str
    answers: Mapping[str, Any]
    part: int = 1
    clashes: bool = False


class Proof(NamedTuple):
    """Who an entry is from: the player it competes for ("" = nobody) and what speaks against it. `owner`: whose
    registered address and word came with a name that is on no roster. `other_address`: not the registered one, also
    where the form cannot verify it."""

    player: str
    role: str
    proved: bool
    faults: tuple[str, ...]
    flawed: bool
    suggestion: str
    near_word: bool
    owner: str = ""
    other_address: bool = False


class Fate(NamedTuple):
    """Where intake leaves an entry. `machine` and `effective` are a reason code, or "" for an entry that counts."""

    entry: Entry
    proof: Proof
    deadline: pd.Timestamp | None
    decides_at: pd.Timestamp
    machine: str
    effective: str
    held_by: tuple[str, ...]
    lost: bool
    winner: str
    winner_at: pd.Timestamp | None
    ruling: Ruling | None
    rivals: tuple[str, ...]


def make_id(form: str, response_id: str, revision: str, rest: str) -> str:
    digest = hashlib.sha256("\x1f".join((form, response_id, revision, rest)).encode()).digest()
    return f"{form}-{base64.b32encode(digest)[:8].decode().lower()}"


def explode(
    revisions: pd.DataFrame, form: str, keys: Callable[[Mapping[str, Any]], Iterable[Key]]
) -> list[Entry]:
    """The entries of one form, in order of submission, response id and revision."""
    mine = revisions.loc[revisions["form"].eq(form)].sort_values(["submitted_at", "response_id", "revision"])
    out: list[Entry] = []
    for record in mine.itertuples(index=False):
        row: Any = record
        response, revision = str(row.response_id), str(row.revision)
        answers = json.loads(str(row.answers))
        name = normalise_name(str(answers.get("name", "")))
        for key in keys(answers):
            out.append(
                Entry(
                    make_id(form, response, revision, key.rest),
                    form,
                    response,
                    revision,
                    key.rest,
                    key.day,
                    row.submitted_at,
                    row.created_at,
                    row.first_seen,
                    str(row.address),
                    name,
                    answers,
                    key.part,
                    key.clashes,
                )
            )
    return out


def settle_events(
    entries: Sequence[Entry], proofs: Sequence[Proof], rulings: Mapping[str, Ruling]
) -> list[Fate]:
    """Entries of a form in which every response is an event: nothing is late, nothing beats another."""
    return [
        Fate(
            entry=entry,
            proof=proof,
            deadline=None,
            decides_at=floor_second(entry.submitted_at),
            machine="" if proof.proved else "unproved",
            effective="" if proof.proved else "unproved",
            held_by=() if proof.proved else ("unproved",),
            lost=False,
            winner="",
            winner_at=None,
            ruling=rulings.get(entry.entry_id),
            rivals=(),
        )
        for entry, proof in zip(entries, proofs, strict=True)
    ]


def settle(
    entries: Sequence[Entry],
    proofs: Sequence[Proof],
    deadlines: Sequence[pd.Timestamp | None],
    decided: Sequence[pd.Timestamp],
    claims: Sequence[str],
    rulings: Mapping[str, Ruling],
    policies: Policies,
) -> list[Fate]:
    """Count by the machine's policy, then lay the masters' acceptances over each key."""
    if not entries:
        return []
    lost = _find_lost(entries, deadlines)
    frame = pd.DataFrame(
        {
            "key": pd.Series(
                [f"{p.player}\x1f{e.rest}" for e, p in zip(entries, proofs, strict=True)], dtype="str"
            ),
            "submitted_at": pd.Series(
                [e.created_at if e.entry_id in lost else e.submitted_at for e in entries]
            ),
            "deadline": pd.Series(
                [pd.NaT if d is None else d for d in deadlines], dtype="datetime64[us, UTC]"
            ),
            "exact": [
                d is not None and policies.reading("A-01", d, e.entry_id) == 2
                for d, e in zip(deadlines, entries, strict=True)
            ],
            "unreadable": [e.day is None for e in entries],
            "unproved": [not p.proved for p in proofs],
            "twice": [e.clashes for e in entries],
            "claim": list(claims),
        }
    )
    order = frame.sort_values("submitted_at", kind="stable").index.to_numpy()
    counted = count_entries(frame, POLICY)
    machine = [POLICY[n].reason if n >= 0 else "" for n in counted["fate"]]
    held = [tuple(rule.reason for rule in POLICY if hit[rule.reason]) for hit in counted.to_dict("records")]
    effective, winners, rivals = list(machine), [""] * len(entries), [()] * len(entries)
    for rows in _by_key(frame["key"], order).values():
        _settle_key(rows, entries, machine, effective, winners, rivals, rulings)
    sent = {entry.entry_id: entry.submitted_at for entry in entries}
    return [
        Fate(e, p, d, at, m, f, h, e.entry_id in lost, w, sent.get(w), rulings.get(e.entry_id), r)
        for e, p, d, at, m, f, h, w, r in zip(
            entries, proofs, deadlines, decided, machine, effective, held, winners, rivals, strict=True
        )
    ]


def _by_key(keys: pd.Series, order: Iterable[int]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for row in order:
        out.setdefault(str(keys.iat[row]), []).append(int(row))
    return out


_RUNNING = ("", "superseded", "same_instant", "twice")


def _settle_key(
    rows: Sequence[int],
    entries: Sequence[Entry],
    machine: Sequence[str],
    effective: list[str],
    winners: list[str],
    rivals: list[Any],
    rulings: Mapping[str, Ruling],
) -> None:
    """One key: who beats whom, for the machine and with the masters' word."""
    ids = [entries[row].entry_id for row in rows]
    running = [machine[row] in _RUNNING for row in rows]
    accepted = {i: rulings[i].at for i in ids if i in rulings and rulings[i].ruling == ACCEPTED}
    changed = choose_ruled(ids, [entries[row].first_seen for row in rows], running, accepted)
    for row, entry_id in zip(rows, ids, strict=True):
        change = changed.get(entry_id)
        if change is not None:
            effective[row] = {"counts": "", "superseded": "superseded", "contested": "later_than_ruling"}[
                change
            ]
    last = [i for i, row in zip(ids, rows, strict=True) if effective[row] in ("", "same_instant", "twice")]
    together = tuple(i for i, runs in zip(ids, running, strict=True) if runs)
    for row, entry_id in zip(rows, ids, strict=True):
        winners[row] = last[-1] if last and last[-1] != entry_id else ""
        rivals[row] = together


def _find_lost(entries: Sequence[Entry], deadlines: Sequence[pd.Timestamp | None]) -> set[str]:
    """Entries whose response was made in time, but of which only later contents were ever seen: of these the
    earliest stands for what was lost, the others are late."""
    in_time: set[str] = set()
    for entry, deadline in zip(entries, deadlines, strict=True):
        if deadline is not None and floor_second(entry.submitted_at) <= deadline:
            in_time.add(entry.response_id)
    lost: dict[str, str] = {}
    kept: set[str] = set()
    for entry, deadline in zip(entries, deadlines, strict=True):
        if deadline is None or entry.response_id in in_time or floor_second(entry.submitted_at) <= deadline:
            continue
        if not pd.isna(entry.created_at) and floor_second(entry.created_at) <= deadline:
            if lost.setdefault(entry.response_id, entry.revision) == entry.revision:
                kept.add(entry.entry_id)
    return kept
