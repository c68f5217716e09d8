"""When the responses of a form come from elsewhere than before, under other ids.

Promises: what is archived is never taken in a second time under another id: a form whose ids are suddenly of the other
kind sits out until the config names the instant of the switch; from then on what was sent by that second stands as it
is archived, and only what was sent later is read. Refuses to know: what kinds of sources there are.

Matching old to new by address, time and content was weighed and left: a table tells fewer digits of a time and may have
changed an answer, and one response that fails to match is one that is ruled twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from connectors.base import Pulled
from pipeline.archive import Archive
from pipeline.archive_rows import is_made_id, to_stamp
from pipeline.config import Config
from rules.clock import show_instant
from rules.frames import Finding


class Switched(NamedTuple):
    """What may be archived, and by form the responses that stand though their source no longer tells of them."""

    pulled: list[Pulled]
    standing: Mapping[str, frozenset[str]]


def check_switches(config: Config, archive: Archive, pulled: Sequence[Pulled]) -> Switched:
    """Hold every form's ids against those of its archived responses."""
    passed: list[Pulled] = []
    standing: dict[str, frozenset[str]] = {}
    for pull in pulled:
        if not pull.complete or pull.responses.empty:
            passed.append(pull)
            continue
        form = pull.source
        held = {name: to_stamp(at).floor("s") for name, at in archive.present_responses(form).items()}
        since = config.since(form)
        if since is not None:
            standing[form] = frozenset(name for name, at in held.items() if at <= since)
            pull = _read_later(pull, since, len(standing[form]), config)
        rest = {name: at for name, at in held.items() if name not in standing.get(form, frozenset())}
        passed.append(_sit_out(pull, rest, config) if _changes_kind(pull, rest) else pull)
    return Switched(passed, standing)


def _read_later(pull: Pulled, since: pd.Timestamp, held: int, config: Config) -> Pulled:
    """Only what was sent after the second of the switch; what the archive lacks of the time before is told."""
    late = pull.responses["submitted_at"].dt.floor("s") > since
    early = int((~late).sum())
    findings = pull.findings
    if early > held:
        message = (
            f"{show_instant(since, config.settings.zone)} までの送信が読み取り元に {early} 件ありますが、保存済みは {held} 件です。"
            f"足りない分は判定に入りません。設定の forms.{pull.source}.since を確かめてください。"
        )
        findings = (*findings, Finding("switched", pull.source, message))
    return pull._replace(responses=pull.responses[late].reset_index(drop=True), findings=findings)


def _changes_kind(pull: Pulled, held: Mapping[str, pd.Timestamp]) -> bool:
    """Whether the source gives no ids where it did, or gives them where the archive had to make them."""
    if pull.responses.empty:
        return False
    blank = pull.responses["response_id"].eq("")
    made = [is_made_id(name) for name in held]
    return bool((blank.all() and not all(made)) or (not blank.any() and any(made)))


def _sit_out(pull: Pulled, held: Mapping[str, pd.Timestamp], config: Config) -> Pulled:
    last = show_instant(max(held.values()), config.settings.zone)
    message = (
        f"回答 ID の付き方が、保存済みの {len(held)} 件と違います（読み取り元が変わりました）。このまま読むと二重になるので読みません。"
        f"元の読み取り元に戻すか、移るなら設定に forms.{pull.source}.since: {last} と書いてください"
        "（その秒までの送信は保存済みのものを使い、それより後だけを読みます）。"
    )
    return Pulled(pull.source, pull.responses.iloc[:0], False, (Finding("switched", pull.source, message),))
