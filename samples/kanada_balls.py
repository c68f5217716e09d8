"""The sample's balls, all invented but 想聚灯, which the rulebook itself names, and who has which at 開戦.

Promises: every effect in words and in the closed grammar; everybody starts with three balls. Refuses to know: what
becomes of them in the game.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Ball(NamedTuple):
    """One row of 球; balls are published as they come into play."""

    name: str
    grade: int
    text: str
    when: str
    does: str
    condition: str = ""
    group: str = ""
    published: str = "2026-10-03 00:00:00"


BALLS = (
    Ball(
        "想聚灯", 1, "3つがひとりの手に集まると戦いが終わる。", "exchanged", "note 想聚灯の所有数を確かめる"
    ),
    Ball("金平糖", 5, "24時間持ち続けると10点を得る。", "owned 24:00:00", "points +10"),
    Ball("びい玉", 5, "襲撃をしたとき、襲撃点の基礎に5を加える。", "attack", "a +5"),
    Ball("毛糸玉", 5, "襲撃をされたとき、被襲撃点の基礎から5を引く。", "attacked", "c -5"),
    Ball("胡桃", 5, "48時間持ち続けると30点を得る。", "owned 48:00:00", "points +30"),
    Ball("水晶玉", 2, "占星を達成すると40点を得る。", "astrology", "points +40"),
    Ball("蛍石", 3, "観測を達成すると25点を得る。", "observed", "points +25"),
    Ball("鉛玉", 3, "襲撃をしたとき、襲撃点が1.1倍になる。", "attack", "b *1.1", group="弾"),
    Ball(
        "銀の弾",
        2,
        "闇の新月座を持つ相手への襲撃で、襲撃点が1.5倍になる。",
        "attack",
        "b *1.5",
        "target holds 新月座",
        "弾",
    ),
    Ball("鞠", 4, "球が動くたびに8点を得る。", "exchanged", "points +8"),
    Ball("風船", 4, "襲撃をされたとき、被襲撃点が0.9倍になる。", "attacked", "d *0.9"),
    Ball("雪玉", 4, "72時間持ち続けると50点を失う。", "owned 72:00:00", "points -50"),
    Ball("団子", 4, "毎日12時に5点を得る。", "daily 12:00:00", "points +5"),
    Ball("真珠", 2, "24時間持ち続けると3等星を1つ得る。", "owned 24:00:00", "star/3 +1"),
    Ball("琥珀", 3, "72時間持ち続けると2等星を1つ得る。", "owned 72:00:00", "star/2 +1"),
    Ball("火種", 3, "その日の最初の襲撃で、襲撃点の基礎に30を加える。", "attack", "a +30", "first of day"),
    Ball("泡", 5, "襲撃をされたとき、10点を得る。", "attacked", "points +10"),
    Ball(
        "羅針盤",
        2,
        "篝火座を持つ間、灯台座の持ち主を襲撃できる。",
        "granted",
        "opens 灯台座",
        "self holds 篝火座",
    ),
    Ball("分銅", 3, "10月20日の正午に残高の3%を失う。", "at 10-20 12:00:00", "points -3%"),
    Ball("鈴", 4, "他の人どうしの襲撃が成立するたびに2.5点を得る。", "other attack", "points +2.5"),
    Ball(
        "砂時計",
        1,
        "48時間持ち続けると、次の5時に襲撃権を1つ多く得る。",
        "owned 48:00:00",
        "right +1",
        published="2026-10-12 22:00:00",
    ),
    Ball(
        "双子星",
        1,
        "襲撃での球の交換が2つずつになる。",
        "attack",
        "exchange 2",
        published="2026-10-14 22:00:00",
    ),
    Ball(
        "合わせ鏡",
        2,
        "星術師を襲撃したとき、相手の残りの球ともう一度入れ替える。",
        "attack",
        "swap",
        "not target is 学者",
        published="2026-10-15 22:00:00",
    ),
    Ball(
        "終点の鐘",
        1,
        "終戦のときに持っていれば100点を得る。",
        "end",
        "points +100",
        published="2026-10-20 22:00:00",
    ),
)

# Everybody is given these; a visitor of the market on 10-10 may have swapped one of them for one of the others.
FIRST_BALLS = ("金平糖", "びい玉", "毛糸玉")
MARKET = (
    "想聚灯", "水晶玉", "蛍石", "鉛玉", "銀の弾", "鞠", "風船", "雪玉", "団子", "真珠", "琥珀", "火種", "泡", "分銅", "鈴",
)  # fmt: skip
SWAPS = 0.7


def deal_balls(names: Sequence[str], visitors: Sequence[str]) -> dict[str, list[str]]:
    """Return the three balls that each sorcerer owns from 開戦 on."""
    rng = random.Random("kanada balls")
    market = list(MARKET)
    hands = {}
    for name in names:
        hands[name] = list(FIRST_BALLS)
        if name in visitors and market and rng.random() < SWAPS:
            hands[name][rng.randrange(len(FIRST_BALLS))] = market.pop(rng.randrange(len(market)))
    return hands


def list_owned_balls(hands: Mapping[str, Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the rows of 球所有; all of them start at 開戦."""
    owned = [(name, ball) for name, balls in hands.items() for ball in balls]
    return [(str(n), name, ball, "2026-10-12 00:00:00", "") for n, (name, ball) in enumerate(owned, start=1)]


def list_balls() -> list[tuple[str, ...]]:
    """Return the rows of 球, columns in the tab's order."""
    return [
        (
            ball.name,
            str(ball.grade),
            ball.text,
            ball.when,
            ball.condition,
            ball.does,
            ball.group,
            ball.published,
        )
        for ball in BALLS
    ]
