"""星座効果: the catalogue of effects, and the forms that set them off.

Promises: each effect's own limit decides whether a form is in time; a block of a form is judged by itself (A-25);
what the catalogue says outside the closed grammar becomes a finding and a task, never a guess. Refuses to know:
balances. Source: ３章 星座効果.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.clock import at, read_date, read_instant, say_instant, show_day
from rules.frames import Finding
from rules.kanada.calendar import Calendar
from rules.kanada.constellations import Holding
from rules.kanada.forms import EFFECT_BLOCKS
from rules.kanada.grammar import (
    PLAIN,
    Action,
    Condition,
    GrammarError,
    Limit,
    Trigger,
    read_actions,
    read_conditions,
    read_limit,
    read_triggers,
)
from rules.kanada.intake import Entry, Fate, Key
from rules.kanada.reasons import give
from rules.tables import Row
from rules.verdicts import Reason

_SECTION = "３章 星座効果"


class Effect(NamedTuple):
    """One effect of the catalogue; `fault` where a cell of it is outside the grammar."""

    name: str
    constellation: str
    limit: Limit | None
    content: str
    triggers: tuple[Trigger, ...]
    conditions: tuple[Condition, ...]
    actions: tuple[Action, ...]
    group: str
    fault: str
    cause: str

    @property
    def is_plain(self) -> bool:
        """It fires by itself: at an instant, with an amount on the holder's own account."""
        timed = all(trigger.kind in ("granted", "daily", "at") for trigger in self.triggers)
        simple = all(c.kind in ("form", "content", "self holds") for c in self.conditions)
        amounts = all(action.kind in PLAIN for action in self.actions)
        return bool(self.triggers and self.actions and timed and simple and amounts and not self.fault)

    @property
    def needs_form(self) -> bool:
        return any(c.kind in ("form", "content") and not c.negated for c in self.conditions)

    @property
    def is_for_the_end(self) -> bool:
        """It would fire at 終戦, where every holding ends just before (A-27)."""
        return any(trigger.kind == "end" for trigger in self.triggers)


def read_effects(rows: Sequence[Row]) -> tuple[dict[str, Effect], list[Finding]]:
    """The catalogue by name, and a finding for each cell that the grammar does not have."""
    effects: dict[str, Effect] = {}
    findings = []
    for row in rows:
        faults: list[str] = []
        effect = Effect(
            row.get("名称"),
            row.get("星座") or "",
            _try(read_limit, row, "送信期限", None, faults),
            row.get("内容") or "",
            _try(read_triggers, row, "起点", (), faults),
            _try(read_conditions, row, "条件", (), faults),
            _try(read_actions, row, "作用", (), faults),
            row.get("組") or "",
            "、".join(faults),
            row.cause,
        )
        effects[effect.name] = effect
        if faults:
            text = f"{effect.fault}は読めない書き方です。発動するかもしれないときに裁定をお願いします"
            findings.append(Finding("catalogue", row.cause, text, row.cause))
    return effects, findings


def _try(read: Any, row: Row, header: str, otherwise: Any, faults: list[str]) -> Any:
    try:
        return read(row.get(header) or "")
    except GrammarError as error:
        faults.append(str(error))
        return otherwise


def read_keys(answers: Mapping[str, Any], year: int) -> Iterable[Key]:
    """One key for each (day, effect) that the blocks name; the same one twice with different contents clashes."""
    keys: dict[str, Key] = {}
    contents: dict[str, str] = {}
    for part in range(1, EFFECT_BLOCKS + 1):
        date, name, content = (_text(answers, f"{field}_{part}") for field in ("date", "effect", "content"))
        if not (date or name or content):
            continue
        day = read_date(unicodedata.normalize("NFKC", date), year)
        rest = f"{day.isoformat() if day else date}/{name}"
        if rest not in keys:
            keys[rest], contents[rest] = Key(rest, day if name else None, part), content
        elif contents[rest] != content:
            keys[rest] = keys[rest]._replace(clashes=True)
    return list(keys.values()) or [Key("/", None)]


def _text(answers: Mapping[str, Any], name: str) -> str:
    return unicodedata.normalize("NFC", str(answers.get(name, ""))).strip()


def effect_name(entry: Entry) -> str:
    return _text(entry.answers, f"effect_{entry.part}")


def content_of(entry: Entry) -> str:
    return _text(entry.answers, f"content_{entry.part}")


def claim(entry: Entry) -> str:
    return content_of(entry)


def deadline(entry: Entry, calendar: Calendar, effects: Mapping[str, Effect]) -> pd.Timestamp | None:
    """The effect's own limit, counted from the day on which it takes effect."""
    effect = effects.get(effect_name(entry))
    if effect is None or effect.limit is None or entry.day is None:
        return None
    return at(entry.day + dt.timedelta(days=effect.limit.days), effect.limit.clock, calendar.zone)


def fires_at(effect: Effect | None, day: dt.date, calendar: Calendar) -> pd.Timestamp:
    """The instant at which an effect would fire on `day`; 00:00:00 for one that waits for something to happen."""
    for trigger in effect.triggers if effect is not None else ():
        if trigger.kind == "daily" and trigger.clock is not None:
            return at(day, trigger.clock, calendar.zone)
        if trigger.kind == "at":
            when = read_instant(trigger.text, calendar.zone, calendar.settings.year)
            if when is not None:
                return when
    return at(day, dt.time(), calendar.zone)


def is_timed(effect: Effect) -> bool:
    return any(trigger.kind in ("daily", "at", "granted") for trigger in effect.triggers)


def find_flaws(
    fate: Fate, effects: Mapping[str, Effect], calendar: Calendar, names: Mapping[str, frozenset[str]]
) -> Iterable[Reason]:
    """What is wrong with one block of the form, whatever the state of the game."""
    entry, proof, day = fate.entry, fate.proof, fate.entry.day
    if day is None:
        return
    if day not in calendar.days:
        opening, end = (say_instant(i, calendar.zone) for i in (calendar.opening, calendar.planned_end))
        yield give("outside_game", day=show_day(day), opening=opening, end=end)
    elif at(day, dt.time(), calendar.zone) > calendar.end:
        yield give("game_over", day=show_day(day), end=say_instant(calendar.end, calendar.zone))
    if proof.flawed:
        yield give(proof.faults[0], name=entry.name)
    if proof.role != "星術師":
        yield give("role", name=proof.player, role=proof.role, section=_SECTION)
    effect = effects.get(effect_name(entry))
    if effect is None:
        yield give("no_such_effect", effect=effect_name(entry))
    elif effect.content:
        yield from _find_content_flaws(content_of(entry), effect, entry.part, names)


def _find_content_flaws(
    text: str, effect: Effect, part: int, names: Mapping[str, frozenset[str]]
) -> Iterable[Reason]:
    if not text:
        yield give("incomplete", _SECTION, question=f"内容 {part}")
    elif not is_fit(text, effect.content, names):
        yield give("content", effect=effect.name, content=text, wanted=effect.content)


def is_fit(text: str, wanted: str, names: Mapping[str, frozenset[str]]) -> bool:
    """Whether a 内容 has the shape that its effect declares."""
    if wanted == "文":
        return True
    if wanted == "数":
        return re.fullmatch(r"\d+", unicodedata.normalize("NFKC", text)) is not None
    if wanted in names:
        return text in names[wanted]
    return text in wanted.split("|")


class Held(NamedTuple):
    """Whether an effect is held at an instant, whether it was ended and granted anew just then (A-26)."""

    held: bool
    regranted: bool


def ask_held(
    holdings: Sequence[Holding], player: str, name: str, instant: pd.Timestamp, until: pd.Timestamp
) -> Held:
    """Held at `instant`, or (for one that waits for something to happen) at some time before `until`.

    End comes before grant comes before activation: an effect that ends at the instant is not held, one granted then
    is, and one that does both is taken as not held on."""
    mine = [h for h in holdings if h.player == player and h.what == f"effect/{name}"]
    active = any(h.stop > instant and (h.start <= instant or h.start < until) for h in mine)
    ended = any(h.stop == instant for h in mine)
    fresh = any(h.start == instant for h in mine)
    older = any(h.start < instant < h.stop for h in mine)
    return Held(active, ended and fresh and not older)
