"""How an open point of the text is read, and by whom it was settled.

Promises: the reading of A-nn for an entry is the masters' word on its row, else the tab 方針 from its date on, else
the config, else the default of RULINGS; and it says whether the point is still open. Refuses to know: the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from rules.tables import Row

WRONG_WORD = "wrong_passphrase_from_registered_address"
_WORDS = {"not_theirs": 2, "flawed_last": 3}


@dataclass(frozen=True)
class Policies:
    """Readings by ruling (`settled`, dated) and by entry (`by_entry`)."""

    settled: Mapping[str, tuple[tuple[pd.Timestamp | None, int], ...]] = field(default_factory=dict)
    configured: Mapping[str, int] = field(default_factory=dict)
    by_entry: Mapping[str, int] = field(default_factory=dict)

    def reading(self, ruling: str, instant: pd.Timestamp, entry: str = "", default: int = 1) -> int:
        """The number of the reading in force at `instant`."""
        settled = self.settled_reading(ruling, instant, entry)
        return settled if settled is not None else default

    def settled_reading(self, ruling: str, instant: pd.Timestamp, entry: str = "") -> int | None:
        """None while the point is open: then the default decides or blocks, and 注意 says so."""
        if entry in self.by_entry:
            return self.by_entry[entry]
        dated = [
            (since, number)
            for since, number in self.settled.get(ruling, ())
            if since is None or since <= instant
        ]
        if dated:
            return max(dated, key=lambda item: -1 if item[0] is None else int(item[0].value))[1]
        return self.configured.get(ruling)

    def takes_wrong_word(self, instant: pd.Timestamp, entry: str) -> bool:
        """A wrong word from the registered address is the player's own flawed form (A-32, third reading)."""
        settled = self.settled_reading("A-32", instant, entry)
        return (self.configured.get(WRONG_WORD) if settled is None else settled) == 3

    def for_entries(self, readings: Mapping[str, int]) -> Policies:
        return Policies(self.settled, self.configured, readings)


def read_policies(rows: Sequence[Row], configured: Mapping[str, str]) -> Policies:
    """From the tab 方針 and the configured policy keys (`A-nn: 2`, or the key that RULINGS prints)."""
    settled: dict[str, list[tuple[pd.Timestamp | None, int]]] = {}
    for row in rows:
        settled.setdefault(row.get("番号"), []).append((row.get("開始"), row.get("読み")))
    numbers: dict[str, int] = {}
    for key, value in configured.items():
        if key == WRONG_WORD:
            numbers[key] = _WORDS[value]
        else:
            numbers[key] = int(value)
    return Policies({key: tuple(items) for key, items in settled.items()}, numbers)
