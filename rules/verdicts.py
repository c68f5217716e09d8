"""Statuses, reasons, citations: the words in which a ruling is given.

Promises: one closed list of statuses; a reason carries the very values that were compared and the section it rests
on; the masters' word is laid over the machine's, never in its place. Refuses to know: any game.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

PENDING = "未定"
ACCEPTED = "受理"
REFUSED = "不受理"
ESTABLISHED = "成立"
NOT_ESTABLISHED = "不成立"
SUPERSEDED = "差替"
LATE = "期限後"
UNPROVED = "本人不一致"
OUTSIDE = "対象外"
BLOCKED = "要確認"
HELD = "保留"
STATUSES = (
    PENDING,
    ACCEPTED,
    REFUSED,
    ESTABLISHED,
    NOT_ESTABLISHED,
    SUPERSEDED,
    LATE,
    UNPROVED,
    OUTSIDE,
    BLOCKED,
    HELD,
)
AUTOMATIC = "自動"


class Reason(NamedTuple):
    """Why: a stable code, a Japanese sentence with the compared values, the section, the values by name."""

    code: str
    text: str
    section: str
    values: Mapping[str, str] = {}


class Note(NamedTuple):
    """An open point of the rule text that touches this verdict (A-nn); `blocks` when it waits for a master."""

    ruling: str
    text: str
    blocks: bool = False


class Flag(NamedTuple):
    """A note on an input row or article rather than on an entry; `causes` names all it is about."""

    causes: tuple[str, ...]
    note: Note


class Judgement(NamedTuple):
    """A verdict in the making: status, reasons (the first gave the status), notes."""

    status: str
    reasons: tuple[Reason, ...] = ()
    notes: tuple[Note, ...] = ()


def digest_basis(status: str, reasons: Iterable[Reason], rivals: Iterable[str]) -> str:
    """What a decision rests on: the machine's verdict, the values it compared, the entries of the same key."""
    facts = [status, [[r.code, dict(sorted(r.values.items()))] for r in reasons], sorted(rivals)]
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def dump_reasons(reasons: Iterable[Reason]) -> list[dict[str, object]]:
    return [{"code": r.code, "text": r.text, "section": r.section, "values": dict(r.values)} for r in reasons]


def dump_notes(notes: Iterable[Note]) -> list[dict[str, object]]:
    return [{"ruling": n.ruling, "text": n.text, "blocks": n.blocks} for n in notes]
