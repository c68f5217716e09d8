"""優位: who may attack whom by constellation and effect.

Promises: attributes before ranks, light against dark before main attributes; what opens by effect is only for those
whom ① and ② leave out; who could be attacked back through ③ is barred; equal ranks are never ordered (A-16). Refuses
to know: rights, cool-downs, hours. Source: ３章 星座.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from rules.kanada.constellations import Holding
from rules.kanada.effects import Effect
from rules.tables import Row

_BEATS = {"炎": ("森",), "水": ("炎",), "森": ("水",), "闇": ("炎", "水", "森")}


class Sign(NamedTuple):
    """The attributes and the rank of a constellation; rank 1 is the highest, None is not known."""

    name: str
    main: str
    sub: str
    rank: int | None


class Standing(NamedTuple):
    """Whether one is superior over another; `ruling` names the open point where the text does not say."""

    superior: bool
    why: str
    ruling: str = ""


def read_signs(rows: Sequence[Row]) -> dict[str, Sign]:
    return {
        row.get("名称"): Sign(
            row.get("名称"), row.get("主属性") or "", row.get("副属性") or "", row.get("ランク")
        )
        for row in rows
    }


def beats(one: Sign, other: Sign) -> bool:
    """Whether `one` is superior by attribute: light and dark against each other before the main attributes."""
    if one.sub == "光" and other.main == "闇":
        return True
    if one.main == "闇" and other.sub == "光":
        return False
    return other.main in _BEATS.get(one.main, ())


def compare_signs(one: Sign | None, other: Sign | None) -> Standing:
    """Conditions ① (same main attribute, lower rank) and ② (attribute)."""
    if one is None or other is None:
        return Standing(False, "星座を所有していません")
    if one.main == other.main and one.main:
        if one.rank is None or other.rank is None or one.rank == other.rank:
            return Standing(False, f"{one.name}と{other.name}は主属性もランクも同じです", "A-16")
        lower = one.rank < other.rank
        return Standing(lower, f"①主属性が同じで、ランクは{one.name} {one.rank}、{other.name} {other.rank}")
    won = beats(one, other)
    return Standing(won, f"②{one.name}の属性は{other.name}に対して有利{'です' if won else 'ではありません'}")


class Scene(NamedTuple):
    """Everything about an instant that superiority rests on."""

    instant: pd.Timestamp
    holdings: Sequence[Holding]
    signs: Mapping[str, Sign]
    effects: Mapping[str, Effect]
    forms: frozenset[tuple[str, str]]


def _held(scene: Scene, player: str, prefix: str) -> list[str]:
    return [
        h.what.removeprefix(prefix)
        for h in scene.holdings
        if h.player == player and h.what.startswith(prefix) and h.start <= scene.instant < h.stop
    ]


def _sign_of(scene: Scene, player: str) -> Sign | None:
    names = _held(scene, player, "constellation/")
    return scene.signs.get(names[0]) if names else None


def _named_by(scene: Scene, player: str, other: str, kind: str) -> bool:
    """Whether an active effect of `player` opens (closes) `other`, by name or by the constellation held."""
    owned = _held(scene, other, "constellation/")
    for name in _held(scene, player, "effect/"):
        effect = scene.effects.get(name)
        if effect is None or (effect.needs_form and (player, name) not in scene.forms):
            continue
        for action in effect.actions:
            if action.kind == kind and (
                action.name in owned or (action.name == other and action.name not in scene.signs)
            ):
                return True
    return False


def compare(scene: Scene, attacker: str, target: str) -> Standing:
    """Whether `attacker` is superior over `target` at the instant of the scene."""
    plain = compare_signs(_sign_of(scene, attacker), _sign_of(scene, target))
    if _named_by(scene, attacker, target, "closes"):
        return Standing(False, "効果によって優位ではなくなっています")
    opened = _named_by(scene, attacker, target, "opens")
    opened_back = _named_by(scene, target, attacker, "opens")
    back = compare_signs(_sign_of(scene, target), _sign_of(scene, attacker))
    if plain.superior:
        if opened_back and not back.superior:
            return Standing(False, f"{target}が③によって{attacker}を襲撃できます")
        return plain
    if opened and opened_back and not back.superior:
        return Standing(False, "互いに③だけで襲撃できます", "A-17")
    if opened:
        return Standing(True, "③効果によって襲撃できます")
    return plain


def list_superior(scene: Scene, attacker: str, others: Sequence[str]) -> list[str]:
    """Those of `others` over whom `attacker` is superior; each pair is asked with its own holdings only."""
    held: dict[str, list[Holding]] = {}
    for holding in scene.holdings:
        if holding.start <= scene.instant < holding.stop:
            held.setdefault(holding.player, []).append(holding)
    mine = held.get(attacker, [])
    return [
        name
        for name in others
        if name != attacker
        and compare(scene._replace(holdings=(*mine, *held.get(name, ()))), attacker, name).superior
    ]
