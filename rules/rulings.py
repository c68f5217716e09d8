"""Which decisions are in force: what masters wrote, in several places and over time, folded into one word per entry.

Promises: of each place its newest content speaks; a row that says nothing any more takes back what that place said; a
row that is gone takes back nothing; where places differ, what was in force stays. Refuses to know: any game, what a
word of a decision means, and whether it fits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from rules.frames import RUN
from rules.verdicts import AUTOMATIC

DECIDED, READING, NOTE, BY, CONFIRMED = "裁定", "読み", "メモ", "裁定者", "確定"


class Ruling(NamedTuple):
    """A decision in force. `ruling` is "" where a master chose only a reading.

    `at` and `basis` are those of the content that put it in force: later words about the same decision do not renew
    it. `by`, `note` and `place` are those of a row that says it now, or last said it. `confirmed`:
    a place that says it carries the second tick.
    """

    entry_id: str
    ruling: str
    reading: str
    by: str
    note: str
    at: pd.Timestamp
    basis: str
    place: str
    confirmed: bool = False


class Conflict(NamedTuple):
    """What the places say that do not agree about one entry."""

    entry_id: str
    said: Mapping[str, str]


class Settled(NamedTuple):
    """All decisions in force and all conflicts, by entry id."""

    rulings: tuple[Ruling, ...]
    conflicts: tuple[Conflict, ...]


class _Content(NamedTuple):
    entry_id: str
    at: pd.Timestamp
    seq: int
    place: str
    cells: Mapping[str, str]
    basis: str


def settle_decisions(decisions: pd.DataFrame) -> Settled:
    """Fold the contents of shape DECISIONS in the order in which they were seen; those of one run act together."""
    by_entry: dict[str, list[_Content]] = {}
    for content in sorted(
        _read_contents(decisions), key=lambda c: (c.entry_id, c.at, c.seq // RUN, c.place, c.seq)
    ):
        by_entry.setdefault(content.entry_id, []).append(content)
    rulings, conflicts = [], []
    for entry_id, contents in by_entry.items():
        ruling, said = _fold_entry(entry_id, contents)
        if ruling is not None:
            rulings.append(ruling)
        if len({_read_word(cells) for cells in said.values()}) > 1:
            conflicts.append(Conflict(entry_id, {place: _show_word(said[place]) for place in sorted(said)}))
    return Settled(tuple(rulings), tuple(conflicts))


def merge_cells(decisions: pd.DataFrame) -> dict[str, dict[str, str]]:
    """All masters' cells by entry: of each place its newest content, a later place's word over an earlier one's."""
    out: dict[str, dict[str, str]] = {}
    for content in sorted(_read_contents(decisions), key=lambda c: (c.at, c.seq, c.place)):
        mine = out.setdefault(content.entry_id, {})
        for header, text in content.cells.items():
            if text.strip() or header in mine:
                mine[header] = text
    return out


def _read_contents(decisions: pd.DataFrame) -> Iterable[_Content]:
    """A content of "" tells of a row that is gone, and so says nothing."""
    columns = ["entry_id", "first_seen", "seq", "place", "content", "basis"]
    for entry_id, at, seq, place, content, basis in decisions[columns].itertuples(index=False):
        if content:
            yield _Content(entry_id, at, seq, place, json.loads(content), basis)


def _fold_entry(entry_id: str, contents: list[_Content]) -> tuple[Ruling | None, dict[str, dict[str, str]]]:
    """What is in force after all contents of one entry, and the cells of the places that say something."""
    cells: dict[str, dict[str, str]] = {}
    said: dict[str, dict[str, str]] = {}
    ruling: Ruling | None = None
    for at, run in dict.fromkeys((content.at, content.seq // RUN) for content in contents):
        together = [content for content in contents if (content.at, content.seq // RUN) == (at, run)]
        for content in together:
            cells[content.place] = {**cells.get(content.place, {}), **content.cells}
        said = {place: row for place, row in cells.items() if any(_read_word(row))}
        words = {_read_word(row) for row in said.values()}
        if not words:
            ruling = None
        elif len(words) == 1 and (ruling is None or (ruling.ruling, ruling.reading) not in words):
            acting = [content for content in together if content.place in said] or together
            place = acting[0].place if acting[0].place in said else min(said)
            basis = [content.basis for content in acting if content.place == acting[0].place][-1]
            ruling = _say(entry_id, place, said[place], at, basis)
        elif ruling is not None:
            ruling = _update(ruling, said)
    if ruling is not None:
        ruling = ruling._replace(
            confirmed=any(_text(row, CONFIRMED) not in ("", "FALSE") for row in said.values())
        )
    return ruling, said


def _update(ruling: Ruling, said: Mapping[str, Mapping[str, str]]) -> Ruling:
    """The same decision in the words of its own place; of another only once all agree, lest a conflict leave a trace."""
    words = {place: _read_word(row) for place, row in said.items()}
    if words.get(ruling.place) == (ruling.ruling, ruling.reading):
        place = ruling.place
    elif len(set(words.values())) == 1:
        place = min(said)
    else:
        return ruling
    return _say(ruling.entry_id, place, said[place], ruling.at, ruling.basis)


def _say(entry_id: str, place: str, row: Mapping[str, str], at: pd.Timestamp, basis: str) -> Ruling:
    decided, reading = _read_word(row)
    return Ruling(entry_id, decided, reading, _text(row, BY), row.get(NOTE, ""), at, basis, place)


def _read_word(row: Mapping[str, str]) -> tuple[str, str]:
    """Decision and reading; 自動 leaves it to the machine, and so is none."""
    decided = _text(row, DECIDED)
    return ("" if decided == AUTOMATIC else decided, _text(row, READING))


def _show_word(row: Mapping[str, str]) -> str:
    decided, reading = _read_word(row)
    return " ".join(part for part in (decided, f"読み{reading}" if reading else "") if part)


def _text(row: Mapping[str, str], header: str) -> str:
    return row.get(header, "").strip()
