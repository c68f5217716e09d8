"""`saitei state`: every player's points and possessions at an instant.

Promises: the same sums as the ledger's. Refuses to know: which accounts a game has.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path

from pipeline.commands import choose_instant
from pipeline.config import load_config
from pipeline.recorded import judge_archived, open_archive
from pipeline.troubles import UsageError
from rules.clock import show_instant
from rules.identity import suggest_name


def show_state(
    path: Path, player: str | None, as_of: str | None, known_at: str | None = None, *, as_json: bool
) -> str:
    """A table of all players, or the lines of one; UsageError for a name that is not on the roster."""
    config = load_config(path)
    instant = choose_instant(config, as_of)
    known = choose_instant(config, known_at) if known_at is not None else None
    with open_archive(config) as archive:
        last = archive.last_run()
        if as_of is None and config.as_of is None and last is not None:
            instant = last[0]
        if known is not None and as_of is None:
            instant = min(instant, known)
        outcome = judge_archived(config, archive, instant, known)
    header, rows = config.game.overview(outcome, instant, config.settings)
    if player is not None:
        names = [row[0] for row in rows]
        wanted = unicodedata.normalize("NFC", player).strip()
        if wanted not in names:
            near = suggest_name(wanted, names)
            raise UsageError(f"「{player}」は名簿にありません" + (f"。「{near}」ですか" if near else ""))
        rows = [row for row in rows if row[0] == wanted]
    if as_json:
        return json.dumps([dict(zip(header, row, strict=True)) for row in rows], ensure_ascii=False, indent=2)
    stamp = f"{show_instant(instant, config.settings.zone)} の時点"
    if known is not None:
        stamp += f"（{show_instant(known, config.settings.zone)} に知られていたこと）"
    if player is not None:
        width = max(_width(name) for name in header)
        return "\n".join(
            [stamp, *(f"{_pad(name, width)}  {cell}" for name, cell in zip(header, rows[0], strict=True))]
        )
    return "\n".join([stamp, *_table([header, *rows])])


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(_width(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(_pad(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
