"""What appeared and vanished between two derivations: a set difference by content id.

Promises: equal derivations differ in nothing. Refuses to know: what the contents mean.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple


class Difference(NamedTuple):
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]


def compare(known: Collection[str], derived: Mapping[str, str] | Collection[str]) -> Difference:
    """Content ids that are new, and those no longer derived, each in sorted order."""
    before, after = set(known), set(derived)
    return Difference(tuple(sorted(after - before)), tuple(sorted(before - after)))
