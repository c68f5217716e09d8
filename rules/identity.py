"""Who sent it: claimed name, address and secret word against the dated roster.

Promises: exact comparison after NFC and trim for names and words, trim and case-folding for addresses; a near miss
is suggested and never applied. Vectorised over unique names, so that a million claims cost a few array look-ups.
Refuses to know: the words themselves (it compares digests), and what an unproved claim leads to.
"""

from __future__ import annotations

import difflib
import itertools
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

Bools = npt.NDArray[np.bool_]
FOREVER = pd.Timestamp("2200-01-01", tz="UTC").as_unit("us")


class Member(NamedTuple):
    """One dated row of the roster: in force from `start` until `stop` (exclusive)."""

    player: str
    start: pd.Timestamp
    stop: pd.Timestamp
    role: str
    address: str


class Word(NamedTuple):
    """One dated secret word as digests."""

    player: str
    start: pd.Timestamp
    exact: str
    folded: str


def normalise_name(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def normalise_address(text: str) -> str:
    return text.strip().casefold()


def fold(text: str) -> str:
    """NFKC, case and kana folded: what two names share that a tired eye takes for one."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    shifted = "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in folded)
    return "".join(shifted.split())


def suggest_name(claimed: str, names: Sequence[str]) -> str:
    """The one roster name that the claim most likely means, or "" when none or several are near."""
    same = [name for name in names if fold(name) == fold(claimed)]
    if len(same) == 1:
        return same[0]
    near = difflib.get_close_matches(fold(claimed), [fold(name) for name in names], n=2, cutoff=0.6)
    hits = [name for name in names if near and fold(name) == near[0]]
    if len(hits) != 1:
        return ""
    if len(near) == 2 and _likeness(claimed, near[1]) == _likeness(claimed, near[0]):
        return ""
    return hits[0]


def _likeness(claimed: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, fold(claimed)).ratio()


def identify(claims: pd.DataFrame, members: Sequence[Member], words: Sequence[Word]) -> pd.DataFrame:
    """Compare claims with the roster in force at each claim's instant.

    `claims`: name, address, exact (texts or categories), submitted_at (UTC). Returns, on the same index:
    known (bool: the name was on the roster then), address_ok, word_ok (bool), role (text, "" where unknown).
    """
    times = claims["submitted_at"].to_numpy("datetime64[us]").astype("int64")
    codes, names = _codes(claims["name"], normalise_name)
    segments = _segments(codes, names, times, [(m.player, m.start, m.stop) for m in members])
    known = segments >= 0
    address_codes, addresses = _codes(claims["address"], normalise_address)
    index = {text: number for number, text in enumerate(addresses)}
    owned = np.array([index.get(normalise_address(m.address), -2) for m in members] or [-2])
    stops = _word_stops(words)
    spans = [(word.player, word.start, stop) for word, stop in zip(words, stops, strict=True)]
    word_segments = _segments(codes, names, times, spans)
    word_codes, digests = _codes(claims["exact"], str)
    index = {text: number for number, text in enumerate(digests)}
    right = np.array([index.get(word.exact, -2) for word in words] or [-2])
    roles = np.array([m.role for m in members] or [""], dtype=object)
    return pd.DataFrame(
        {
            "known": known,
            "address_ok": known & (owned[segments] == address_codes),
            "word_ok": known & (word_segments >= 0) & (right[word_segments] == word_codes),
            "role": np.where(known, roles[segments], ""),
        },
        index=claims.index,
    )


def _codes(column: pd.Series, normalise: object) -> tuple[npt.NDArray[np.int64], list[str]]:
    """Integer codes of a text column after normalising its distinct values only."""
    category = column if isinstance(column.dtype, pd.CategoricalDtype) else column.astype("category")
    texts = [normalise(str(text)) for text in category.cat.categories]  # type: ignore[operator]
    places: dict[str, int] = {}
    remap = np.array([places.setdefault(text, len(places)) for text in texts] or [0], dtype="int64")
    codes = category.cat.codes.to_numpy().astype("int64")
    return np.where(codes < 0, -1, remap[codes]), list(places)


def _segments(
    codes: npt.NDArray[np.int64],
    names: Sequence[str],
    times: npt.NDArray[np.int64],
    spans: Iterable[tuple[str, pd.Timestamp, pd.Timestamp]],
) -> npt.NDArray[np.int64]:
    """For each claim the number of the span of its name that holds its instant, or -1.

    The first span of each name is looked up for all claims at once; only names with several (a changed address,
    a changed word) are gone through one by one.
    """
    places = {name: number for number, name in enumerate(names)}
    size = max(len(names), 1)
    first = np.full(size, -1, dtype="int64")
    starts, stops = np.zeros(size, dtype="int64"), np.zeros(size, dtype="int64")
    others: list[tuple[int, int, int, int]] = []
    for number, (name, start, stop) in enumerate(spans):
        code = places.get(normalise_name(name))
        if code is None:
            continue
        low, high = _micros(start), _micros(stop)
        if first[code] < 0:
            first[code], starts[code], stops[code] = number, low, high
        else:
            others.append((number, code, low, high))
    out = np.where((times >= starts[codes]) & (times < stops[codes]), first[codes], -1)
    out[codes < 0] = -1
    for number, code, low, high in others:
        out[(codes == code) & (times >= low) & (times < high)] = number
    return out


def _micros(instant: pd.Timestamp) -> int:
    return int(instant.as_unit("us").asm8.astype("int64"))


def _word_stops(words: Sequence[Word]) -> list[pd.Timestamp]:
    """A word is good until the same player's next one starts."""
    starts: dict[str, list[pd.Timestamp]] = {}
    for word in words:
        starts.setdefault(word.player, []).append(word.start)
    ends: dict[tuple[str, pd.Timestamp], pd.Timestamp] = {}
    for player, dates in starts.items():
        dates.sort()
        ends.update({(player, date): following for date, following in itertools.pairwise(dates)})
    return [ends.get((word.player, word.start), FOREVER) for word in words]


def owners(members: Sequence[Member], instant: pd.Timestamp) -> Mapping[str, str]:
    """Registered address -> player at `instant`; an address that two players share belongs to nobody."""
    found: dict[str, str] = {}
    for member in members:
        if member.start <= instant < member.stop and member.address:
            address = normalise_address(member.address)
            found[address] = member.player if found.get(address, member.player) == member.player else ""
    return {address: player for address, player in found.items() if player}
