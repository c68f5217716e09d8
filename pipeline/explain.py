"""`saitei explain`: one submission as masters need it for an appeal.

Promises: it reads what the last run recorded and recomputes nothing; with `--for` it shows only what that player may
know. Refuses to know: rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from connectors.xlsx_text import shown_text
from pipeline.config import Config, load_config
from pipeline.journal import read_known
from pipeline.recorded import open_archive
from pipeline.troubles import UsageError
from rules.clock import show_instant
from rules.verdicts import PENDING

_HIDDEN = ("wrong_address", "wrong_passphrase", "unknown_name")


def explain_entry(path: Path, wanted: str, player: str | None, *, as_json: bool) -> str:
    """The page of one entry; UsageError where no or several entries begin so, or the player may not see it."""
    config = load_config(path)
    with open_archive(config) as archive:
        verdicts = read_known(archive).verdicts
        revisions = archive.revisions()
    found = [item for entry, item in verdicts.items() if entry.startswith(wanted.strip())]
    if not found:
        raise UsageError(f"「{wanted}」で始まる受付はありません。番号は「対応」の列にあります")
    if len(found) > 1:
        shown = "、".join(item["entry_id"] for item in found[:5])
        raise UsageError(f"「{wanted}」で始まる受付は{len(found)}件あります: {shown}")
    item = found[0]
    if player is not None:
        item = limit_to(item, player)
    answers = _answers(config, revisions, item)
    if as_json:
        text = json.dumps({**item, "answers": answers}, ensure_ascii=False, indent=2)
        # JSON leaves these as they are, and a terminal would obey them.
        return re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text)
    return "\n".join(map(shown_text, _lines(config, item, answers, private=player is None)))


def limit_to(item: Mapping[str, Any], player: str) -> dict[str, Any]:
    """What the player may know of an entry: the own verdict once decided, without which proof failed, without
    masters' open points and others' ids."""
    if item["player"] != player:
        raise UsageError(f"この受付は「{player}」のものではありません")
    proved = not any(reason["code"] in _HIDDEN for reason in item["reasons"])
    if not proved:
        raise UsageError("この受付は本人のものと確かめられていないので、見せられません")
    hidden = ("machine", "preview", "suggestion", "basis", "stale", "notes")
    kept = {name: value for name, value in item.items() if name not in hidden}
    told = item["reasons"][:1] if item["effective"] == PENDING else item["reasons"]
    kept["reasons"] = [r for r in told if r["code"] not in ("superseded", "waits", "ruled")]
    return kept


def _answers(config: Config, revisions: pd.DataFrame, item: Mapping[str, Any]) -> dict[str, str]:
    mine = revisions.loc[
        revisions["revision"].eq(item["revision"]) & revisions["response_id"].eq(item["response_id"])
    ]
    if mine.empty:
        return {}
    given = json.loads(str(mine["answers"].iat[0]))
    form = config.settings.forms[item["form"]]
    titles = {field.name: field.title for field in form.fields if not field.secret}
    return {titles[name]: _show(value) for name, value in given.items() if name in titles and value}


def _show(value: Any) -> str:
    return "、".join(value) if isinstance(value, list) else str(value)


def _when(config: Config, text: str) -> str:
    return show_instant(pd.Timestamp(text), config.settings.zone) if text else "なし"


def _lines(
    config: Config, item: Mapping[str, Any], answers: Mapping[str, str], *, private: bool
) -> list[str]:
    form = config.settings.forms[item["form"]].title
    lines = [
        f"{item['entry_id']}　{form}　{item['player'] or '（誰か分からない）'}",
        f"判定　　{item['effective']}" + (f"（見込み: {item['preview']}）" if item.get("preview") else ""),
        f"送信　　{_when(config, item['submitted_at'])}",
        f"期限　　{_when(config, item['deadline'])}",
        f"決まる時刻　{_when(config, item['decides_at'])}",
    ]
    if private and item["machine"] != item["effective"]:
        lines.append(f"機械の判定　{item['machine']}")
    lines += ["理由", *(f"　・{r['text']}　［{r['section'] or '—'}］" for r in item["reasons"])]
    if private and item["notes"]:
        lines += ["注意", *(f"　・{n['ruling']} {n['text']}" for n in item["notes"])]
    if item["postings"]:
        label = config.game.account_label
        lines += [
            "記録",
            *(
                f"　・{_when(config, p['at'])}　{label(p['account'])} {p['amount']:+d}"
                for p in item["postings"]
            ),
        ]
    if item["holdings"]:
        spans = (
            (h["what"].partition("/")[2], _when(config, h["from"]), _when(config, h["to"]))
            for h in item["holdings"]
        )
        lines += ["付与", *(f"　・{what}　{start} から {stop} まで" for what, start, stop in spans)]
    return [*lines, "内容", *(f"　・{title}: {text}" for title, text in answers.items())]
