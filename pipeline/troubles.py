"""Errors in the words of the operator, and the exit code of each kind.

Promises: a known trouble is one line that says what, where and what to do; an unknown one is our own fault, says so
and shows no data. Refuses to know: how to go on.
"""

from __future__ import annotations

from connectors.base import SourceError
from pipeline.archive import ArchiveError
from pipeline.settings import ConfigError

USAGE, OUTSIDE, LOCKED, OURS = 2, 3, 4, 70


class UsageError(Exception):
    """Something the caller asked for that cannot be: an unknown id, player, instant or option."""


class RunningError(Exception):
    """Another run holds the lock."""


def explain_error(error: Exception) -> tuple[int, str]:
    """Exit code and text. A config with several faults gives a line for each."""
    if isinstance(error, ConfigError):
        return USAGE, "\n".join(f"saitei: {fault}" for fault in error.faults)
    if isinstance(error, UsageError):
        return USAGE, f"saitei: {error}"
    if isinstance(error, RunningError):
        return LOCKED, f"saitei: {error}"
    if isinstance(error, SourceError | ArchiveError):
        return OUTSIDE, f"saitei: {error}"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return (
            OUTSIDE,
            f"saitei: {where}{error.strerror or type(error).__name__}。置き場所と権限を確かめてください",
        )
    name = type(error).__name__
    return (
        OURS,
        f"saitei: こちらの誤りです（{name}）。何も書いていません。--debug を付けて実行し、記録を送ってください",
    )
