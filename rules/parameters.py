"""Dated parameters: what is in force at an instant, with its section and status.

Promises: a value is asked for by name and by the instant of the event (never of the run); a parameter without a
value in force gives None, and the caller says what then. Refuses to know: any game, any file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import pandas as pd

Ruleset = Literal["provisional", "official"]


class Value(NamedTuple):
    """One dated value: in force from `since` (None: always), `text` as it was written, list values as a tuple."""

    since: pd.Timestamp | None
    text: str | tuple[str, ...]
    status: Ruleset


class Parameter(NamedTuple):
    name: str
    title: str
    section: str
    unit: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Parameters:
    """All parameters of a game under one ruleset."""

    items: Mapping[str, Parameter]
    ruleset: Ruleset = "official"

    def at(self, name: str, instant: pd.Timestamp) -> str | tuple[str, ...] | None:
        """The value in force at `instant`; official values go before provisional ones unless the ruleset is
        provisional, which knows no official ones. KeyError for a name that no rulebook has."""
        usable = [value for value in self.items[name].values if value.since is None or value.since <= instant]
        for status in ("provisional",) if self.ruleset == "provisional" else ("official", "provisional"):
            dated = [value for value in usable if value.status == status]
            if dated:
                return max(dated, key=_start).text
        return None

    def text(self, name: str, instant: pd.Timestamp) -> str:
        """Like `at` for a parameter that must have a value; ValueError names it where it has none."""
        value = self.at(name, instant)
        if value is None:
            raise ValueError(f"{name} {self.items[name].title}: no value in force at {instant}")
        return value if isinstance(value, str) else ",".join(value)

    def whole(self, name: str, instant: pd.Timestamp) -> int:
        return int(self.text(name, instant))

    def texts(self, name: str, instant: pd.Timestamp) -> tuple[str, ...]:
        value = self.at(name, instant)
        if value is None:
            return ()
        return (value,) if isinstance(value, str) else value

    def replaced(self, changes: Mapping[str, Sequence[Value]]) -> Parameters:
        """The same parameters with the values of some laid over: a new value replaces the one of its date and
        status, and one without a date replaces all."""
        items = dict(self.items)
        for name, values in changes.items():
            kept = items[name].values if all(value.since is not None for value in values) else ()
            fresh = {(value.since, value.status) for value in values}
            kept = tuple(value for value in kept if (value.since, value.status) not in fresh)
            items[name] = items[name]._replace(values=(*kept, *values))
        return Parameters(items, self.ruleset)


def _start(value: Value) -> int:
    return -(2**62) if value.since is None else int(value.since.value)


def find_faults(parameters: Parameters, instants: Sequence[pd.Timestamp]) -> Iterator[str]:
    """Two values of one date and status, and parameters that lack a value at one of `instants`.

    A parameter whose `values` is empty is one that the rulebook names without a value: no fault.
    """
    for name, parameter in parameters.items.items():
        seen: set[tuple[pd.Timestamp | None, str]] = set()
        for value in parameter.values:
            if (value.since, value.status) in seen:
                yield f"{name}: 同じ開始・同じ status の値が2つあります ({value.since or '開始なし'}, {value.status})"
            seen.add((value.since, value.status))
        if parameter.values:
            lacking = [instant for instant in instants if parameters.at(name, instant) is None]
            if lacking:
                yield f"{name}: {lacking[0].isoformat()} に有効な値がありません"
