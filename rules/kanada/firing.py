"""When effects fire by themselves: holdings, the catalogue and the forms that count, as events of the fold.

Promises: an effect fires only while it is held at its instant (end before grant before activation), never on a rest
day, and not when it was ended and granted anew at that instant (A-26); what needs a form fires only with one that
counts. Refuses to know: balances. Source: ３章 星座効果.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.clock import at, local_day, read_instant
from rules.kanada import effects
from rules.kanada.bids import OPEN_CODES
from rules.kanada.book import Fire
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Context, find_undecided
from rules.kanada.constellations import Holding
from rules.kanada.effects import Effect
from rules.kanada.grammar import PLAIN
from rules.kanada.intake import Fate
from rules.verdicts import ACCEPTED, HELD

FormKey = tuple[str, dt.date, str]


def is_waiting(fate: Fate, context: Context) -> bool:
    """Whether a form may yet count: it waits for a ruling, or for a source to be read."""
    ruled = fate.ruling.ruling if fate.ruling is not None else ""
    open_point = fate.effective in OPEN_CODES or ruled == HELD or (fate.lost and not ruled)
    return open_point or (is_sound(fate, context) and find_undecided(fate, context) is not None)


def is_sound(fate: Fate, context: Context) -> bool:
    """Whether a form counts and nothing is wrong with it, or a master took it so."""
    if fate.effective != "":
        return False
    ruled = fate.ruling.ruling if fate.ruling is not None else ""
    if ruled:
        return ruled == ACCEPTED
    flaws = effects.find_flaws(fate, context.effects, context.calendar, context.names)
    return not fate.lost and not list(flaws)


class Form(NamedTuple):
    """The form that counts for a (player, day, effect): certain, or waiting for a ruling."""

    entry_id: str
    content: str
    waits: bool


def index_forms(fates: Sequence[Fate], context: Context) -> dict[FormKey, Form]:
    """By (player, day, effect): the effect forms that set something off, or may."""
    out: dict[FormKey, Form] = {}
    for fate in fates:
        entry, waiting = fate.entry, is_waiting(fate, context)
        if entry.day is not None and (waiting or is_sound(fate, context)):
            key = (fate.proof.player, entry.day, effects.effect_name(entry))
            out[key] = Form(entry.entry_id, effects.content_of(entry), waiting)
    return out


def list_fires(
    holdings: Iterable[Holding],
    every: Sequence[Holding],
    catalogue: Mapping[str, Effect],
    forms: Mapping[FormKey, Form],
    calendar: Calendar,
) -> list[Fire]:
    """What `holdings` set off; `every` holding tells which effects end at the instant at which they are granted."""
    out = []
    for holding in holdings:
        kind, _slash, name = holding.what.partition("/")
        effect = catalogue.get(name)
        if kind != "effect" or effect is None or not effect.is_plain:
            continue
        for instant in _instants(holding, effect, calendar):
            if effects.ask_held(every, holding.player, name, instant, instant).regranted:
                continue
            fire = _make_fire(holding, effect, instant, every, forms, calendar)
            if fire is not None:
                out.append(fire)
    return out


def _instants(holding: Holding, effect: Effect, calendar: Calendar) -> list[pd.Timestamp]:
    """Every instant inside the holding at which one of the triggers goes off, rest days left out."""
    out: list[pd.Timestamp] = []
    for trigger in effect.triggers:
        if trigger.kind == "granted":
            out.append(holding.start)
        elif trigger.kind == "daily" and trigger.clock is not None:
            out += [at(day, trigger.clock, calendar.zone) for day in calendar.days]
        elif trigger.kind == "at":
            instant = read_instant(trigger.text, calendar.zone, calendar.settings.year)
            out += [instant] if instant is not None else []
    return [
        instant
        for instant in dict.fromkeys(out)
        if holding.start <= instant < holding.stop
        and not calendar.is_rest_day(local_day(instant, calendar.zone))
    ]


def _make_fire(
    holding: Holding,
    effect: Effect,
    instant: pd.Timestamp,
    every: Sequence[Holding],
    forms: Mapping[FormKey, Form],
    calendar: Calendar,
) -> Fire | None:
    """The event, if its form (where it asks for one) and what it asks of the holder allow it."""
    form = forms.get((holding.player, local_day(instant, calendar.zone), effect.name))
    here = [h.what for h in every if h.player == holding.player and h.start <= instant < h.stop]
    needs = []
    for condition in effect.conditions:
        if condition.kind == "self holds":
            if f"constellation/{condition.value}" in here and not condition.negated:
                continue
            needs.append((f"ball/{condition.value}", not condition.negated))
        elif (condition.kind == "form" and (form is None) != condition.negated) or (
            condition.kind == "content"
            and (form is not None and form.content == condition.value) == condition.negated
        ):
            return None
    used = form is not None and effect.needs_form
    return Fire(
        instant,
        holding.player,
        tuple((a.account, a.amount, a.kind == "percent") for a in effect.actions if a.kind in PLAIN),
        form.entry_id if form is not None and used else f"効果/{effect.name}",
        form.entry_id if form is not None and form.waits else "",
        effect.group,
        f"constellation/{effect.constellation}" in here,
        tuple(needs),
    )
