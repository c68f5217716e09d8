"""Who sent it: claimed name, address and secret word against the dated roster.

Promises: exact comparison after NFC and trim for names and words, trim and case-folding for addresses; a near miss
is suggested and never applied. Vectorised over unique names, so that a million claims cost a few array look-ups.
Refuses to know: the words themselves (it compares digests), and what an unproved claim leads to.
"""

from __future__ import annotations

import difflib
import itertools
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

Ints = npt.NDArray[np.int64]
_Span = tuple[str, pd.Timestamp, pd.Timestamp]
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
    known (bool: the name was on the roster then), address_ok, word_ok (bool), role (category, "" where unknown).
    """
    times = claims["submitted_at"].to_numpy("datetime64[us]").astype("int64")
    codes, names = _codes(claims["name"], normalise_name)
    segments = _segments(codes, names, times, [(m.player, m.start, m.stop) for m in members])
    known = segments >= 0
    address_codes, addresses = _codes(claims["address"], normalise_address)
    index = {text: number for number, text in enumerate(addresses)}
    owned = np.array([_owned(m.address, index) for m in members] or [-2])
    stops = _word_stops(words)
    spans = [(word.player, word.start, stop) for word, stop in zip(words, stops, strict=True)]
    word_segments = _segments(codes, names, times, spans)
    word_codes, digests = _codes(claims["exact"], str)
    index = {text: number for number, text in enumerate(digests)}
    right = np.array([index.get(word.exact, -2) for word in words] or [-2])
    roles, role_names = _codes(pd.Series([*(m.role for m in members), ""], dtype="str"), str)
    return pd.DataFrame(
        {
            "known": known,
            "address_ok": known & (owned[segments] == address_codes),
            "word_ok": known & (word_segments >= 0) & (right[word_segments] == word_codes),
            "role": pd.Categorical.from_codes(roles[segments], pd.Index(role_names)),
        },
        index=claims.index,
    )


def _owned(address: str, index: Mapping[str, int]) -> int:
    """The code of a registered address; one that is not registered matches nothing, a blank sender least of all."""
    return index.get(normalise_address(address), -2) if address.strip() else -2


def _codes(column: pd.Series, normalise: Callable[[str], str]) -> tuple[Ints, list[str]]:
    """Integer codes of a text column after normalising its distinct values only; -1 for a missing text."""
    category = column if isinstance(column.dtype, pd.CategoricalDtype) else column.astype("category")
    places: dict[str, int] = {}
    codes = [places.setdefault(normalise(str(text)), len(places)) for text in category.cat.categories]
    return np.array([*codes, -1], dtype="int64")[category.cat.codes.to_numpy()], list(places)


class _Layer(NamedTuple):
    """The n-th span of every name, by the code of the name: its number (-1: there is none) and its bounds."""

    numbers: Ints
    starts: Ints
    stops: Ints


def _segments(codes: Ints, names: Sequence[str], times: Ints, spans: Iterable[_Span]) -> Ints:
    """For each claim the number of the span of its name that holds its instant (of several the last), or -1.

    One look-up finds the first span of every name, another the second (a changed address, a changed word), and so
    on, each over only the claims of the names that have so many.
    """
    out = np.full(len(codes), -1, dtype="int64")
    rows = np.arange(len(codes))
    for depth, layer in enumerate(_lay_spans(names, spans)):
        if depth:
            mine = layer.numbers[codes] >= 0
            rows, codes, times = rows[mine], codes[mine], times[mine]
        within = (times >= layer.starts[codes]) & (times < layer.stops[codes])
        out[rows[within]] = layer.numbers[codes[within]]
    return out


def _lay_spans(names: Sequence[str], spans: Iterable[_Span]) -> list[_Layer]:
    """The spans as layers; the place after the last name is that of the code -1 and stays empty."""
    places = {name: code for code, name in enumerate(names)}
    depths: dict[int, int] = {}
    layers: list[_Layer] = []
    for number, (name, start, stop) in enumerate(spans):
        code = places.get(normalise_name(name))
        if code is None:
            continue
        depth = depths[code] = depths.get(code, -1) + 1
        if depth == len(layers):
            layers.append(_Layer(*(np.full(len(names) + 1, -1, dtype="int64") for _field in _Layer._fields)))
        layer = layers[depth]
        layer.numbers[code], layer.starts[code], layer.stops[code] = number, _micros(start), _micros(stop)
    return layers


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
