"""The bulletin board of the sample: the posts of the attacks among observations, astrology and talk.

Promises: numbers follow the time of posting; a correction names the number of the post that it is about. Refuses to
know: which post belongs to which form.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from kanada_board_plants import POSTS
from kanada_forms import print_cell_time, read_instant
from kanada_raid_plants import Raid
from kanada_raid_state import when

HEADER = ("番号", "投稿時刻", "名前", "題名", "本文", "文字の大きさ", "画像の有無")
FIRST_NUMBER = 118
SUFFIXES = ("", "", "", "", "@三限おわり", "＠ねむい", "@傘を忘れた", "＠ただいま移動中")
SIZES = ("中", "中", "小", "大")


class Row(NamedTuple):
    """One post before it has a number; `about` names the post whose number the body asks for."""

    label: str
    at: datetime
    cells: tuple[str, str, str, str, str]
    about: str = ""


def build_board(raids: Sequence[Raid]) -> list[tuple[str, Row]]:
    """Return all posts with their numbers, in the order of posting."""
    rng = random.Random("kanada board")
    rows = [_post_raid(raid, rng) for raid in raids if raid.post]
    rows += [
        Row(p.label, read_instant(p.at), (p.name, p.title, p.body, p.size, p.image), p.about) for p in POSTS
    ]
    rows.sort(key=lambda row: row.at)
    return [(str(number), row) for number, row in enumerate(rows, start=FIRST_NUMBER)]


def list_board(placed: Sequence[tuple[str, Row]]) -> list[tuple[str, ...]]:
    """Return the rows of the board; what a correction is about is known only now."""
    numbers = {row.label: number for number, row in placed}
    rows = []
    for number, row in placed:
        name, title, body, size, image = row.cells
        text = body.format(numbers[row.about]) if row.about else body
        rows.append((number, print_cell_time(row.at), name, title, text, size, image))
    return rows


def _post_raid(raid: Raid, rng: random.Random) -> Row:
    body = raid.body or f"{raid.attacker}が{raid.target}を襲撃！"
    name = raid.by or raid.attacker + rng.choice(SUFFIXES)
    return Row(raid.label, when(raid, raid.post), (name, raid.title, body, rng.choice(SIZES), "あり"))
