"""The small language in which the catalogue says what an effect does: a closed grammar, never evaluated.

Promises: each cell of 起点, 条件 and 作用 becomes typed parts, or a fault that names the part; amounts are exact
decimals. Refuses to know: when anything happens. Sources: ３章 星座効果, ２章 球.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import NamedTuple, TypeVar

from rules.clock import read_clock


class Trigger(NamedTuple):
    """起点. `clock` of `daily`, `after` of `owned`, `text` of `at` and `function`."""

    kind: str
    clock: dt.time | None = None
    after: dt.timedelta | None = None
    text: str = ""


class Condition(NamedTuple):
    """条件. `value` is a word, a name or a role."""

    kind: str
    value: str = ""
    negated: bool = False


class Action(NamedTuple):
    """作用. `account` of a plain amount; `name` of opens and closes; `lasts` of a change with an end."""

    kind: str
    account: str = ""
    amount: Decimal = Decimal(0)
    name: str = ""
    lasts: dt.timedelta | None = None


PLAIN = ("gain", "percent")
"""Kinds of action that are an amount on the holder's own account."""


class GrammarError(ValueError):
    """A part that the closed grammar does not have."""


_CLOCK = r"\d{1,3}:\d{2}:\d{2}"
_AMOUNT = r"[+-]\d+(?:\.\d+)?"
_SIMPLE_TRIGGERS = (
    "granted",
    "attack",
    "attacked",
    "observed",
    "astrology",
    "other attack",
    "exchanged",
    "end",
)
Part = TypeVar("Part")


def _split(text: str, read: Callable[[str], Part]) -> tuple[Part, ...]:
    return tuple(read(" ".join(part.split())) for part in text.split(";") if part.strip())


def read_triggers(text: str) -> tuple[Trigger, ...]:
    return _split(text, _read_trigger)


def _read_trigger(part: str) -> Trigger:
    if part in _SIMPLE_TRIGGERS:
        return Trigger(part)
    if match := re.fullmatch(rf"daily ({_CLOCK})", part):
        clock = read_clock(match[1])
        if clock is not None:
            return Trigger("daily", clock=clock)
    if match := re.fullmatch(rf"owned ({_CLOCK})", part):
        return Trigger("owned", after=read_duration(match[1]))
    if match := re.fullmatch(rf"at (\d{{2}}-\d{{2}} {_CLOCK})", part):
        return Trigger("at", text=match[1])
    if match := re.fullmatch(r"function (\w+)", part):
        return Trigger("function", text=match[1])
    raise GrammarError(f"起点「{part}」")


def read_duration(text: str) -> dt.timedelta:
    hours, minutes, seconds = (int(piece) for piece in text.split(":"))
    return dt.timedelta(hours=hours, minutes=minutes, seconds=seconds)


def read_conditions(text: str) -> tuple[Condition, ...]:
    return _split(text, _read_condition)


def _read_condition(part: str) -> Condition:
    negated = part.startswith("not ")
    rest = part.removeprefix("not ")
    if rest in ("form", "first of day"):
        return Condition(rest, negated=negated)
    for kind in ("content", "target holds", "self holds", "target is"):
        if rest.startswith(f"{kind} ") and rest.removeprefix(f"{kind} "):
            return Condition(kind, rest.removeprefix(f"{kind} "), negated)
    raise GrammarError(f"条件「{part}」")


_ACTIONS: Mapping[str, Callable[[re.Match[str]], Action]] = {
    rf"points ({_AMOUNT})%": lambda m: Action("percent", "points", Decimal(m[1])),
    rf"points ({_AMOUNT})": lambda m: Action("gain", "points", Decimal(m[1])),
    rf"(star/[1-5]|right) ({_AMOUNT})": lambda m: Action("gain", m[1], Decimal(m[2])),
    rf"target points ({_AMOUNT})": lambda m: Action("target", "points", Decimal(m[1])),
    rf"([ac]) ({_AMOUNT})": lambda m: Action("add", m[1], Decimal(m[2])),
    r"([bd]) \*(-?\d+(?:\.\d+)?)": lambda m: Action("times", m[1], Decimal(m[2])),
    r"(opens|closes) (.+)": lambda m: Action(m[1], name=m[2]),
    r"exchange (\d+)": lambda m: Action("exchange", amount=Decimal(m[1])),
    r"swap": lambda m: Action("swap"),
    r"note (.+)": lambda m: Action("note", name=m[1]),
}
_LASTING = ("opens", "closes", "add", "times")


def read_actions(text: str) -> tuple[Action, ...]:
    return _split(text, _read_action)


def _read_action(part: str) -> Action:
    ending = re.fullmatch(rf"(.+) for ({_CLOCK})", part)
    body = ending[1] if ending else part
    for pattern, make in _ACTIONS.items():
        if match := re.fullmatch(pattern, body):
            action = make(match)
            if ending and action.kind not in _LASTING:
                break
            return action._replace(lasts=read_duration(ending[2])) if ending else action
    raise GrammarError(f"作用「{part}」")


class Limit(NamedTuple):
    """送信期限 of an effect's form: so many days from the day it takes effect, at a clock."""

    days: int
    clock: dt.time


def read_limit(text: str) -> Limit | None:
    """`-1日 23:59:59`; None for a blank cell (the effect asks for no form)."""
    if not text.strip():
        return None
    match = re.fullmatch(rf"([+-]?\d+)日\s*({_CLOCK})", text.strip())
    clock = read_clock(match[2]) if match else None
    if match is None or clock is None:
        raise GrammarError(f"送信期限「{text}」")
    return Limit(int(match[1]), clock)
