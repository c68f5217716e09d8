"""LINE連携: what the official LINE shows each sorcerer, one row a player.

Promises: a row holds its own player's items and nobody else's values; names of balls, grades, numbers and effects are
one line a ball in each of four cells, the first line being the ball that LINE shows on top. Refuses to know: what was
shown before, and who reads it. Source: １章 輝流堕2026公式LINE.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.game import LineColumn, LineRow, Outcome
from rules.kanada.balls import Swap, hold_balls
from rules.kanada.disputes import BALLS, EFFECTS, POINTS, RIGHT, STARS, SUPERIOR, Disputes, find_disputes
from rules.kanada.season import Season
from rules.kanada.sheets import STAR_COLUMNS
from rules.kanada.status import count_balls, find_superior, list_held, list_sorcerers_at
from rules.postings import balances
from rules.tables import Row

_NUMBERS = {POINTS: "点数", RIGHT: "襲撃権", **dict(zip(STARS, STAR_COLUMNS, strict=True))}
_BALLS = ("球", "球の等級", "球の個数", "球効果")
_ITEMS: Mapping[str, tuple[str, ...]] = {
    **{account: (header,) for account, header in _NUMBERS.items()},
    SUPERIOR: ("優位である星術師",),
    EFFECTS: ("星座効果",),
    BALLS: _BALLS,
}
"""Item -> the columns that show it: the four of the balls are held together or not at all. The first names it."""

# Not a column a ball: an effect or a slip can give somebody a fourth, and no bot may lose it. Not one cell of prose:
# a bot that wants only the names would have to take it apart.
COLUMNS = tuple(
    column._replace(page="球" if column.header in _BALLS else "確認")
    for column in (
        LineColumn("正式呼称", 16),
        LineColumn("点数", 8, number=True),
        LineColumn("襲撃権", 8, number=True),
        *(LineColumn(header, 7, number=True) for header in STAR_COLUMNS),
        LineColumn("優位である星術師", 48, wrap=True),
        LineColumn("星座", 12),
        LineColumn("星座効果", 24, wrap=True),
        LineColumn("球", 12, wrap=True),
        LineColumn("球の等級", 9, wrap=True),
        LineColumn("球の個数", 9, wrap=True),
        LineColumn("球効果", 56, wrap=True),
    )
)


def list_rows(outcome: Outcome) -> list[LineRow]:
    """One row for each sorcerer on the roster at the outcome's own instant, in its order."""
    season: Season = outcome.extra
    instant, sums = season.as_of, season.balances
    disputes = find_disputes(season, outcome.flags, instant)
    booked = balances(outcome.postings.loc[outcome.postings["cause"].isin(disputes.entries)], instant)
    without = {account: number - booked.get(account, 0) for account, number in sums.items()}
    specs = {row.get("名称"): row for row in season.tables["球"]}
    kept, _doubtful = hold_balls(season.first_balls, _undisputed(season, disputes))
    rows = []
    for name in list_sorcerers_at(season, instant):
        cells = {
            **_show_numbers(sums, name),
            "優位である星術師": "、".join(find_superior(season, name, instant)),
            "星座": "、".join(list_held(season, "constellation/", name, instant)),
            "星座効果": "、".join(list_held(season, "effect/", name, instant)),
            **_show_balls(count_balls(season.holdings, name, instant), specs),
        }
        plain = {
            **cells,
            **_show_numbers(without, name),
            **_show_balls(count_balls(kept, name, instant), specs),
        }
        items = disputes.items.get(name, frozenset())
        held = {
            headers[0]: {header: plain[header] for header in headers}
            for item, headers in _ITEMS.items()
            if item in items
        }
        rows.append(LineRow(name, cells, held))
    return rows


def _undisputed(season: Season, disputes: Disputes) -> Iterable[Swap]:
    return (swap for swap in season.swaps if swap.cause not in disputes.entries)


def _show_numbers(sums: Mapping[tuple[str, str], int], name: str) -> dict[str, str]:
    return {header: str(sums.get((name, account), 0)) for account, header in _NUMBERS.items()}


def _show_balls(balls: Mapping[str, int], specs: Mapping[str, Row]) -> dict[str, str]:
    """Four cells whose lines belong together: a line break inside an effect becomes a space.

    The units stand beside the numbers so that a bot can answer with the cell as it is, and so that lines of figures
    are as high as lines of words."""
    lines = [
        (name, _spec(specs, name, "等級", "等級{}"), f"{number}個", _spec(specs, name, "効果文", "{}"))
        for name, number in balls.items()
    ]
    columns = list(zip(*lines, strict=True)) or [()] * len(_BALLS)
    return {
        header: "\n".join(" ".join(text.split()) for text in texts)
        for header, texts in zip(_BALLS, columns, strict=True)
    }


def _spec(specs: Mapping[str, Row], ball: str, header: str, form: str) -> str:
    """What the catalogue says of a ball; a mark where it says nothing, for a blank line would be lost at the end."""
    value = specs[ball].get(header) if ball in specs else None
    return "―" if value is None else form.format(value)
