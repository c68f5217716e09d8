"""What it costs to prove and count a million entries, against the barest pandas that could do the counting.

Bare: a stable sort by submission and the last of each key. Ours: who sent it (name, address, secret word against a
dated roster), whether in time, which entry of its key counts, and which of them nobody can order. Both work on the
same frame in the same process; peak memory is taken in a process of its own for each.

Run: `make bench`, or `python benchmarks/bench_counting.py [--entries N] [--rounds N]`.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rules.counting import LAST_WINS, LATE, TIED, Rule, count_entries, flagged
from rules.identity import FOREVER, Member, Word, identify

PLAYERS, DATES = 2_000, 100
CHANGED = 0.1
"""Share of players who changed address or secret word during the game."""

TIES, STRANGERS, FORGED = 0.01, 0.005, 0.01
OPENING = pd.Timestamp("2026-01-01", tz="UTC").as_unit("us")
POLICY = (Rule("unproved", flagged("unproved")), LATE, LAST_WINS, TIED)


class Workload(NamedTuple):
    """Claims and the roster they are proved against."""

    claims: pd.DataFrame
    members: list[Member]
    words: list[Word]


def build_workload(entries: int, seed: int = 1) -> Workload:
    """Synthetic entries: every key claimed several times, some late, some forged, a few in the same microsecond."""
    chance = np.random.default_rng(seed)
    players, dates = chance.integers(0, PLAYERS, entries), chance.integers(0, DATES, entries)
    deadlines = OPENING.value // 1000 + (dates + 1) * 86_400_000_000 - 1_000_000
    sent = deadlines - chance.integers(-3_600_000_000, 86_400_000_000, entries)
    keys = players * DATES + dates
    _tie(sent, keys, chance.choice(entries, int(entries * TIES), replace=False))
    names = np.where(chance.random(entries) < STRANGERS, PLAYERS, players)
    middle = OPENING.value // 1000 + DATES // 2 * 86_400_000_000
    changed = (players < PLAYERS * CHANGED) & (sent >= middle)
    proofs = np.where(chance.random(entries) < FORGED, 2 * PLAYERS, players + changed * PLAYERS)
    claims = pd.DataFrame(
        {
            "key": pd.Categorical.from_codes(
                keys, [f"p{n // DATES}|{n % DATES}" for n in range(PLAYERS * DATES)]
            ),
            "submitted_at": pd.Series(sent.view("datetime64[us]")).dt.tz_localize("UTC"),
            "deadline": pd.Series(deadlines.view("datetime64[us]")).dt.tz_localize("UTC"),
            "name": pd.Categorical.from_codes(names, [*(f"p{n}" for n in range(PLAYERS)), "nobody"]),
            "address": pd.Categorical.from_codes(
                proofs, [f"a{n}@example.com" for n in range(2 * PLAYERS + 1)]
            ),
            "exact": pd.Categorical.from_codes(proofs, [f"{n:064x}" for n in range(2 * PLAYERS + 1)]),
            "claim": pd.Categorical.from_codes(
                chance.integers(0, 8, entries), [f"claim {n}" for n in range(8)]
            ),
        }
    )
    return Workload(claims, *_roster(pd.Timestamp(middle, unit="us", tz="UTC").as_unit("us")))


def _tie(sent: np.ndarray[Any, Any], keys: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
    """Give each of `rows` the instant of the first entry of its key."""
    _distinct, first, codes = np.unique(keys, return_index=True, return_inverse=True)
    sent[rows] = sent[first[codes[rows]]]


def _roster(middle: pd.Timestamp) -> tuple[list[Member], list[Word]]:
    members, words = [], []
    for n in range(PLAYERS):
        changes = n < PLAYERS * CHANGED
        stop = middle if changes else FOREVER
        members.append(Member(f"p{n}", OPENING, stop, "player", f"a{n}@example.com"))
        words.append(Word(f"p{n}", OPENING, f"{n:064x}", f"{n:064x}"))
        if changes:
            other = n + PLAYERS
            members.append(Member(f"p{n}", middle, FOREVER, "player", f"a{other}@example.com"))
            words.append(Word(f"p{n}", middle, f"{other:064x}", f"{other:064x}"))
    return members, words


def count_bare(load: Workload) -> pd.DataFrame:
    """Nothing but the last of each key."""
    return load.claims.sort_values("submitted_at", kind="stable").drop_duplicates("key", keep="last")


def count_ours(load: Workload) -> pd.DataFrame:
    """Prove, then count: one fate for every entry."""
    found = identify(load.claims, load.members, load.words)
    proved = found["known"] & found["address_ok"] & found["word_ok"]
    return count_entries(load.claims.assign(unproved=~proved), POLICY)


WAYS: dict[str, Callable[[Workload], pd.DataFrame]] = {"bare": count_bare, "ours": count_ours}


def time_ways(load: Workload, rounds: int) -> dict[str, list[float]]:
    """Seconds of each round, the two ways taking turns."""
    taken: dict[str, list[float]] = {name: [] for name in WAYS}
    for _round in range(rounds):
        for name, way in WAYS.items():
            start = time.perf_counter()
            way(load)
            taken[name].append(time.perf_counter() - start)
    return taken


def peak_memory(way: str, entries: int) -> float:
    """High-water mark in MiB of what one way allocates beside the workload, in a process of its own."""
    command = [sys.executable, __file__, "--entries", str(entries), "--peak", way]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def trace_peak(way: str, entries: int) -> float:
    """The same, inside that process: numpy and pandas report their buffers to tracemalloc."""
    load = build_workload(entries)
    tracemalloc.start()
    WAYS[way](load)
    return tracemalloc.get_traced_memory()[1] / 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peak", choices=sorted(WAYS), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.peak:
        print(trace_peak(asked.peak, asked.entries))
        return
    load = build_workload(asked.entries)
    fates = count_ours(load)["fate"].value_counts().to_dict()
    names = {-1: "counts", **{number: rule.reason for number, rule in enumerate(POLICY)}}
    print(
        f"{asked.entries:,} entries: " + ", ".join(f"{names[n]} {fates.get(n, 0):,}" for n in sorted(names))
    )
    taken = time_ways(load, asked.rounds)
    for name, seconds in taken.items():
        print(
            f"{name}  median {statistics.median(seconds):.3f} s  (best {min(seconds):.3f}, worst {max(seconds):.3f})"
            f"  peak {peak_memory(name, asked.entries):.0f} MiB"
        )
    size = load.claims.memory_usage(deep=True).sum() / 2**20
    print(f"the frame itself {size:.0f} MiB")
    print(f"ratio ours/bare {statistics.median(taken['ours']) / statistics.median(taken['bare']):.2f}")


if __name__ == "__main__":
    main()
