"""The ticks of a checkbox question, taken apart again.

Promises: the values, joined as they came, are the cell; nothing is trimmed, mended or dropped. Refuses to know: which
question it is, and whether a value is allowed.

Google joins ticks by `;` in the Forms export and by `, ` in the linked tab, and escapes neither in what a choice or
a player's own text contains. So a cell is laid out against the declared choices, leaving as little as possible over.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

_JOINTS = (";", ", ")


def split_ticks(cell: str, choices: tuple[str, ...]) -> list[str]:
    """Return the values of one cell in their order; blank is none.

    What lies before, between or after declared choices is one value, as it stands: a player's own text, or choices
    that are no longer declared. Which of the two joints made the cell is told by where its first choice is found.
    """
    if cell == "":
        return []
    layouts = [_lay_out(cell, joint, _break_choices(choices, joint)) for joint in _JOINTS]
    return min(layouts, key=lambda layout: layout[:2])[2]


@lru_cache(maxsize=256)
def _break_choices(choices: tuple[str, ...], joint: str) -> frozenset[tuple[str, ...]]:
    """Return each choice as the pieces it falls into at a joint; a choice may well contain one."""
    return frozenset(_fold(choice.split(joint)) for choice in choices if choice)


def _lay_out(cell: str, joint: str, known: frozenset[tuple[str, ...]]) -> tuple[int, int, list[str]]:
    """Return the place of the first declared choice, how much text is no choice, and the values."""
    pieces = cell.split(joint)
    taken, left_over = _choose(pieces, known)
    values: list[str] = []
    first, place, i = len(cell), 0, 0
    while i < len(pieces):
        stop = i + (taken[i] or 1)
        if taken[i]:
            first = min(first, place)
        else:
            while stop < len(pieces) and not taken[stop]:
                stop += 1
        values.append(joint.join(pieces[i:stop]))
        place += len(values[-1]) + len(joint)
        i = stop
    return first, left_over, values


def _choose(pieces: Sequence[str], known: frozenset[tuple[str, ...]]) -> tuple[list[int], int]:
    """Return how many pieces the choice beginning at each piece takes (0 = none begins), and the text left over.

    Of two ways that leave the same, the one with the longer choice first wins. Worked from the end, one step a piece,
    so that a long answer full of commas takes no longer than its length.
    """
    folded = _fold(pieces)
    lengths = sorted({len(parts) for parts in known})
    taken = [0] * len(pieces)
    left = [0] * (len(pieces) + 1)
    for i in range(len(pieces) - 1, -1, -1):
        left[i] = left[i + 1] + len(pieces[i]) + 1
        for length in lengths:
            fits = i + length <= len(pieces) and folded[i : i + length] in known
            if fits and left[i + length] <= left[i]:
                taken[i], left[i] = length, left[i + length]
    return taken, left[0]


def _fold(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(unicodedata.normalize("NFC", part) for part in parts)
