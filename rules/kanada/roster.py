"""The dated roster: who is who, in which role, under which address, from when until when.

Promises: a row is in force until its 終了 or until the same name's next row starts. Refuses to know: secret words.
Source: １章 呼称.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rules.identity import FOREVER, Member
from rules.tables import Row

SORCERER = "星術師"
EARLIEST = pd.Timestamp("1970-01-01", tz="UTC").as_unit("us")


def read_members(rows: Sequence[Row]) -> tuple[Member, ...]:
    """The dated roster; a row is in force until its 終了 or until the same name's next row starts."""
    starts: dict[str, list[pd.Timestamp]] = {}
    for row in rows:
        starts.setdefault(row.get("正式呼称"), []).append(row.get("開始") or EARLIEST)
    out = []
    for row in rows:
        name, start = row.get("正式呼称"), row.get("開始") or EARLIEST
        later = [other for other in starts[name] if other > start]
        stop = min([row.get("終了") or FOREVER, *later])
        out.append(Member(name, start, stop, row.get("役割"), row.get("メールアドレス") or ""))
    return tuple(out)


def list_sorcerers(members: Sequence[Member]) -> list[str]:
    """The names of all who are sorcerers at some time, in the order of the roster."""
    return list(dict.fromkeys(member.player for member in members if member.role == SORCERER))
