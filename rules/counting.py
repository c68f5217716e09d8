"""Which entry counts: an intake policy as an ordered tuple of rules over a frame.

Promises: every entry meets exactly one fate; the first rule of the tuple that holds gives it, the others that hold
are kept beside it; at most one entry of a key counts; the order of the rows is irrelevant except as the last
tie-break (rows come in the order of response id and revision). Refuses to know: any game, what a key means.

The tuple *is* the policy: with FLAWED after LAST_WINS a flawed last entry forfeits its key, before it the key would
fall back to an earlier one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
SECOND = 1_000_000
OPEN = np.iinfo("int64").min
"""What NaT is as an integer: a key without a deadline is never late."""


class Rule(NamedTuple):
    """A reason and the rows it takes out, given which rows are still in the running."""

    reason: str
    hits: Callable[[pd.DataFrame, Bools], Bools]


def _micros(column: pd.Series) -> Ints:
    return column.to_numpy("datetime64[us]").view("int64")


def hits_late(entries: pd.DataFrame, _running: Bools) -> Bools:
    """After the last whole second of the deadline, or of the exact instant where `exact` is set."""
    sent, deadline = _micros(entries["submitted_at"]), _micros(entries["deadline"])
    reach = np.where(entries["exact"].to_numpy(bool), 1, SECOND) if "exact" in entries else SECOND
    late: Bools = (sent >= deadline + reach) & (deadline != OPEN)
    return late


def _lasts(entries: pd.DataFrame, running: Bools) -> tuple[Ints, Ints]:
    """The rows still running, and for each of them the last running row of its key; of rows sent in one instant the
    lower one. A running maximum per key gives it without sorting, which would cost more than all the rest."""
    rows = np.flatnonzero(running)
    keys = entries["key"]
    coded = isinstance(keys.dtype, pd.CategoricalDtype)
    codes = (keys.cat.codes.to_numpy() if coded else pd.factorize(keys)[0])[rows]
    sent = _micros(entries["submitted_at"])[rows]
    size = int(codes.max(initial=-1)) + 1
    latest = np.full(size, OPEN, dtype="int64")
    np.maximum.at(latest, codes, sent)
    newest = sent == latest[codes]
    last = np.full(size, -1, dtype="int64")
    last[codes[newest]] = rows[newest]
    return rows, last[codes]


def _find_tied(entries: pd.DataFrame, rows: Ints, last: Ints) -> Ints:
    """The rows sent in the same instant as the last of their key with a different claim, and that last one."""
    if "claim" not in entries:
        return rows[:0]
    sent = _micros(entries["submitted_at"])
    near = (sent[rows] == sent[last]) & (rows != last)
    rivals, finals = rows[near], last[near]
    claims = entries["claim"]
    differ = claims.iloc[rivals].to_numpy(dtype=object) != claims.iloc[finals].to_numpy(dtype=object)
    return np.concatenate([rivals[differ], finals[differ]])


def hits_tied(entries: pd.DataFrame, running: Bools) -> Bools:
    """Sent in the same instant as the last of the key with a different claim: nobody can say which is last."""
    out = np.zeros(len(entries), dtype=bool)
    out[_find_tied(entries, *_lasts(entries, running))] = True
    return out


def hits_superseded(entries: pd.DataFrame, running: Bools) -> Bools:
    """Everything still running that is not the last of its key, nor tied with it."""
    rows, last = _lasts(entries, running)
    out = np.zeros(len(entries), dtype=bool)
    out[rows[rows != last]] = True
    out[_find_tied(entries, rows, last)] = False
    return out


def flagged(column: str) -> Callable[[pd.DataFrame, Bools], Bools]:
    """A rule that takes out the rows whose boolean column holds."""

    def hits(entries: pd.DataFrame, _running: Bools) -> Bools:
        return entries[column].to_numpy(bool)

    return hits


LATE = Rule("late", hits_late)
LAST_WINS = Rule("superseded", hits_superseded)
TIED = Rule("same_instant", hits_tied)
"""Comes after LAST_WINS, which leaves the tied rows in the running."""


def count_entries(entries: pd.DataFrame, policy: Sequence[Rule]) -> pd.DataFrame:
    """Apply `policy` in order.

    `entries`: key (text or category), submitted_at, deadline (UTC; NaT = none) and the columns its rules name.
    Returns on the same index: `fate` (index of the first rule that holds, -1 = counts) and one bool column a rule,
    named by its reason.
    """
    running = np.ones(len(entries), dtype=bool)
    fate = np.full(len(entries), -1, dtype="int8")
    found: dict[str, Bools] = {}
    for number, rule in enumerate(policy):
        hits = rule.hits(entries, running)
        fate[hits & running] = number
        found[rule.reason] = hits
        running &= ~hits
    return pd.DataFrame({"fate": fate, **found}, index=entries.index)


def choose_ruled(
    entry_ids: Sequence[str],
    first_seen: Sequence[pd.Timestamp],
    running: Sequence[bool],
    accepted: dict[str, pd.Timestamp],
) -> dict[str, str]:
    """Lay masters' acceptances over one key, its entries given in order.

    `accepted`: entry id -> instant of the acceptance. The last accepted one counts; it beats all that were archived
    when it was ruled; a running one first seen later is contested. Returns entry id -> counts | superseded |
    contested for the entries that this changes.
    """
    ruled = [entry for entry in entry_ids if entry in accepted]
    if not ruled:
        return {}
    winner = ruled[-1]
    out = dict.fromkeys(ruled, "superseded")
    for entry, seen, runs in zip(entry_ids, first_seen, running, strict=True):
        if entry not in accepted and runs:
            out[entry] = "contested" if seen > accepted[winner] else "superseded"
    out[winner] = "counts"
    return out
