"""What one player has at an instant: role, what is held, balls in display order, 優位.

Promises: one answer for masters and for LINE; balls stand in the order in which their owner came to hold them, those
of one instant by 番号, so that the top one is the same in every run until something changes hands. Refuses to know:
who may see it. Sources: １章 輝流堕2026公式LINE, ２章 球, ３章 星座.
"""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from rules.kanada.balls import PREFIX
from rules.kanada.constellations import Holding
from rules.kanada.roster import SORCERER
from rules.kanada.season import Season
from rules.kanada.superiority import list_superior


def roles_at(season: Season, instant: pd.Timestamp) -> dict[str, str]:
    """Who is on the roster, in its order, with the role in force."""
    found = {m.player: m.role for m in season.members if m.start <= instant < m.stop}
    return {name: found[name] for name in season.roster if name in found}


def list_sorcerers_at(season: Season, instant: pd.Timestamp) -> list[str]:
    return [name for name, role in roles_at(season, instant).items() if role == SORCERER]


def list_held(season: Season, prefix: str, player: str, instant: pd.Timestamp) -> list[str]:
    """The names of what a player holds of one kind, each once."""
    mine = (h for h in season.holdings if h.player == player and h.start <= instant < h.stop)
    return list(dict.fromkeys(h.what.removeprefix(prefix) for h in mine if h.what.startswith(prefix)))


def count_balls(holdings: Iterable[Holding], player: str, instant: pd.Timestamp) -> dict[str, int]:
    """How many of each ball a player holds, in display order: a kind stands where the oldest of it stands."""
    mine = [
        h
        for h in holdings
        if h.player == player and h.what.startswith(PREFIX) and h.start <= instant < h.stop
    ]
    out: dict[str, int] = {}
    for holding in sorted(mine, key=_display_order):
        name = holding.what.removeprefix(PREFIX)
        out[name] = out.get(name, 0) + 1
    return out


def _display_order(holding: Holding) -> tuple[pd.Timestamp, bool, int]:
    """Since when it is held, then the 番号 of its row; what has none follows as it was handed over."""
    number = holding.cause.rpartition("/")[2]
    numbered = number.isdecimal()
    return holding.start, not numbered, int(number) if numbered else 0


def find_superior(season: Season, name: str, instant: pd.Timestamp) -> list[str]:
    """優位である星術師: as given, else by constellation and effect."""
    given = season.attacks.scene.superior
    if name in given:
        return list(given[name])
    sky = season.attacks.sky(instant, season.holdings, season.forms)
    return list_superior(sky, name, list_sorcerers_at(season, instant))
