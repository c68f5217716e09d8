"""Where cells go when rows and columns come, leave or move: one mapping of rectangles per kind of change.

A mapping says of any rectangle of the sheet where it is afterwards, or None if it is gone. It does not move anything.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import ROWS


class Insert(NamedTuple):
    """`count` new lines before line `at`."""

    at: int
    count: int

    def span(self, start: int, end: int | None) -> tuple[int, int | None] | None:
        new_start = start + self.count if start >= self.at else start
        if end is None:
            return (0 if start == 0 else new_start), None
        return new_start, end + self.count if end > self.at else end


class Delete(NamedTuple):
    """Lines `start` to `end` leave."""

    start: int
    end: int

    def _point(self, place: int) -> int:
        if place <= self.start:
            return place
        return max(place - (self.end - self.start), self.start)

    def span(self, start: int, end: int | None) -> tuple[int, int | None] | None:
        if end is None:
            return self._point(start), None
        new_start, new_end = self._point(start), self._point(end)
        if new_start == new_end and end > start:
            return None
        return new_start, new_end


class Move(NamedTuple):
    """Lines `start` to `end` go before what was line `to`."""

    start: int
    end: int
    to: int

    def point(self, place: int) -> int:
        count = self.end - self.start
        if self.start <= place < self.end:
            return (
                self.to - count + place - self.start if self.to > self.start else self.to + place - self.start
            )
        if self.end <= place < self.to:
            return place - count
        if self.to <= place < self.start:
            return place + count
        return place

    def span(self, start: int, end: int | None) -> tuple[int, int | None] | None:
        if end is None:
            return start, None
        low, high = min(self.start, self.to), max(self.end, self.to)
        if (start <= low and high <= end) or end <= start:
            return start, end
        first, last = sorted((self.point(start), self.point(end - 1)))
        return first, last + 1


class Shift(NamedTuple):
    """A change along one dimension, for the whole sheet or only where the other dimension lies in [low, high)."""

    dimension: str
    change: Insert | Delete | Move
    low: int | None = None
    high: int | None = None

    def __call__(self, box: Box) -> Box | None:
        by_rows = self.dimension == ROWS
        if self.low is not None:
            across = (box.left, box.right) if by_rows else (box.top, box.bottom)
            if across[0] < self.low or across[1] is None or across[1] > (self.high or 0):
                return box
        span = self.change.span(*((box.top, box.bottom) if by_rows else (box.left, box.right)))
        if span is None:
            return None
        if by_rows:
            return Box(span[0], box.left, span[1], box.right)
        return Box(box.top, span[0], box.bottom, span[1])


class Carry(NamedTuple):
    """Cells of `source` are carried to another place; what lies wholly inside goes with them."""

    source: Box
    down: int
    right: int

    def __call__(self, box: Box) -> Box | None:
        if box.bottom is None or box.right is None or not self.source.covers(box):
            return box
        return Box(box.top + self.down, box.left + self.right, box.bottom + self.down, box.right + self.right)
