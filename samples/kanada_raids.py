"""The attacks of the sample: the planned ones and a few ordinary ones, played in order so that the balls fit.

Promises: a planned freeze that would not end as planned stops the generator; only sound attacks move balls, and a
ball of an open one is not moved again. Refuses to know: how Saitei judges.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import timedelta

from kanada_balls import BALLS
from kanada_effects import holds, list_copies
from kanada_forms import Response, read_instant
from kanada_people import SCHOLAR, SCHOLARS, SORCERER, SORCERERS, address_of, passphrase_of
from kanada_raid_plants import FORMED, OTHER_BALL, RAIDS, TOGETHER, UNTESTED, Raid
from kanada_raid_state import MINUTE, OPENED, Owners, Span, frozen_at, judge_freeze, when
from kanada_stars import EFFECTS

TITLES = (
    "相手の種別",
    "被襲撃者",
    "フリーズ時刻",
    "球の提示完了時刻",
    "LINE表示と実際の相違",
    "相違の内容",
    "同時フリーズの有無",
    "経緯",
    "フリーズ地点",
    "移動の有無",
    "移動の内容",
    "渡した球",
    "受け取った球",
    "球交換",
    "学者カード",
    "発動した効果",
    "備考",
)
HEADER = ("タイムスタンプ", "メールアドレス", "回答ID", "初回送信", "正式呼称", "あいことば", *TITLES)
ORDINARY_DAYS = ("10-12", "10-13", "10-15", "10-16")
# Their planted replications must stay short of stars: no exchange of their own before these days.
MAY_ATTACK_FROM = {"鉄塔のモグラ": "10-13", "朝凪": "10-14", "Quartz": "10-14"}
PLACES = (
    "青楓会館 ロビー",
    "北町公民館 前の歩道",
    "川沿い広場 ベンチ",
    "中央図書館 前",
    "正門 右手の木の下",
    "学生食堂 入口",
    "地下鉄 2番出口の外",
)
FORGED = "打ち直し"

Hands = dict[str, list[str]]


def plan_raids(spans: Sequence[Span], owners: Owners) -> list[Raid]:
    """Return planned and ordinary attacks in the order of their freezes."""
    rng = random.Random("kanada raids")
    raids = list(RAIDS)
    for day in ORDINARY_DAYS:
        raids.append(_draw_ordinary(day, raids, spans, owners, rng))
    ordered = sorted(raids, key=lambda raid: (frozen_at(raid), raid.sent))
    past: list[Raid] = []
    for raid in ordered:
        if raid.again or raid.fit in UNTESTED:
            continue
        fit = judge_freeze(raid, past, spans, owners)
        if fit != raid.fit:
            raise ValueError(f"{raid.label}: planned {raid.fit}, found {fit}")
        if fit == FORMED:
            past.append(raid)
    return ordered


def _draw_ordinary(
    day: str, raids: Sequence[Raid], spans: Sequence[Span], owners: Owners, rng: random.Random
) -> Raid:
    """Draw an attack between sorcerers who have nothing else that day."""
    busy = {name for raid in raids if raid.day == day for name in (raid.attacker, raid.target)}
    place = 0 if day < "10-15" else 1
    while True:
        attacker, target = rng.sample(SORCERERS, 2)
        freeze = read_instant(f"{day} 07:00:00") + MINUTE * rng.randrange(4 * 60 + 30)
        sent = freeze + timedelta(seconds=rng.randrange(340, 480))
        post = sent + timedelta(seconds=rng.randrange(50, 130))
        clocks = (f"{freeze:%H:%M}", f"{sent:%H:%M:%S}", f"{post:%H:%M:%S}")
        raid = Raid(f"ordinary {day}", attacker, target, day, *clocks)
        allowed = day >= MAY_ATTACK_FROM.get(attacker, "") and owners[attacker][place] not in OPENED
        alone = not busy & {attacker, target}
        if allowed and alone and judge_freeze(raid, (), spans, owners) == FORMED:
            return raid


def build_raids(
    raids: Sequence[Raid],
    hands: Mapping[str, Sequence[str]],
    owners: Owners,
    replications: Sequence[Response],
) -> list[Response]:
    """Return the form of every attack; balls go from hand to hand as the attacks establish."""
    rng = random.Random("kanada attack forms")
    held: Hands = {name: list(balls) for name, balls in hands.items()}
    copies = list_copies(replications)
    kept: Hands = {name: [] for name in hands}
    responses: list[Response] = []
    cells: dict[str, str] = {}
    for raid in raids:
        if raid.again:
            cells = _write_again(cells, raid, held)
        else:
            forged = raid.target in SCHOLARS or holds(raid.attacker, FORGED, raid.day, owners, copies)
            swap = None if forged else _choose_swap(raid, held, kept, rng)
            cells = _write_cells(raid, swap, held, owners, rng)
            if swap and raid.sound:
                _exchange(raid, swap, held)
            elif swap and raid.fit in (FORMED, TOGETHER):
                kept[raid.attacker].append(swap[0])
                kept[raid.target].append(swap[1])
        responses.append(_respond(raid, cells))
    return responses


def _choose_swap(raid: Raid, held: Hands, kept: Hands, rng: random.Random) -> tuple[str, str]:
    """Choose the ball given and the ball taken among those that no open attack is about; two of a kind if need be."""
    given, taken = ([*held[name]] for name in (raid.attacker, raid.target))
    for free, name in ((given, raid.attacker), (taken, raid.target)):
        for ball in kept[name]:
            free.remove(ball)
    pairs = [(mine, theirs) for mine in given for theirs in taken]
    return rng.choice([pair for pair in pairs if pair[0] != pair[1]] or pairs)


def _exchange(raid: Raid, swap: tuple[str, str], held: Hands) -> None:
    given, taken = swap
    for name, gone, come in ((raid.attacker, given, taken), (raid.target, taken, given)):
        held[name].remove(gone)
        held[name].append(come)


def _write_cells(
    raid: Raid, swap: tuple[str, str] | None, held: Hands, owners: Owners, rng: random.Random
) -> dict[str, str]:
    """Write the answers; what the plan says goes over the usual."""
    scholar = raid.target in SCHOLARS
    cells = {
        "相手の種別": SCHOLAR if scholar else SORCERER,
        "被襲撃者": raid.target,
        "フリーズ時刻": raid.freeze,
        "LINE表示と実際の相違": "" if scholar else "なし",
        "同時フリーズの有無": "なし",
        "フリーズ地点": rng.choice(PLACES),
        "移動の有無": "なし",
        "学者カード": "受け取った" if scholar else "",
    }
    if not scholar:
        shown = frozen_at(raid) + MINUTE * rng.randrange(2, 4)
        cells |= {"球の提示完了時刻": f"{shown:%H:%M}", "発動した効果": _list_used(raid, held, owners)}
    if swap:
        cells |= {"渡した球": swap[0], "受け取った球": swap[1], "球交換": "選択"}
    return cells | dict(raid.cells)


def _list_used(raid: Raid, held: Hands, owners: Owners) -> str:
    """List what goes off by itself in this attack: effects of the owned constellations, then balls."""
    place = 0 if raid.day < "10-15" else 1
    used = []
    for name, trigger in ((raid.attacker, "attack"), (raid.target, "attacked")):
        sign = owners[name][place]
        used += [
            e.name for e in EFFECTS if e.constellation == sign and (e.when, e.condition) == (trigger, "")
        ]
        used += [b.name for b in BALLS if b.name in held[name] and (b.when, b.condition) == (trigger, "")]
    return "、".join(used)


def _write_again(cells: Mapping[str, str], raid: Raid, held: Hands) -> dict[str, str]:
    """Write the second form of an attack: the same answers, or another ball given."""
    again = dict(cells)
    if raid.again == OTHER_BALL:
        known = (again["渡した球"], again["受け取った球"])
        again["渡した球"] = next(ball for ball in held[raid.attacker] if ball not in known)
    return again


def _respond(raid: Raid, cells: Mapping[str, str]) -> Response:
    sent = when(raid, raid.sent)
    return Response(
        raid.label,
        sent,
        sent,
        raid.address or address_of(raid.attacker, sent),
        raid.attacker,
        raid.passphrase or passphrase_of(raid.attacker, sent),
        tuple(cells.get(title, "") for title in TITLES),
    )
