"""What stands in the machine's columns: review rows, output rows, the line on top.

Promises: every entry and every finding has a row a master can see; texts are the whole truth in short sentences.
Refuses to know: where rows stand in a sheet, and any game.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from pipeline.desk import Cells, ReviewRow
from rules.clock import show_instant, show_short
from rules.frames import Finding
from rules.game import Game, Outcome, Settings, Task
from rules.game import ReviewRow as Shown
from rules.verdicts import BLOCKED, HELD, PENDING, Flag

FINDING_ID, FLAG_ID = "finding-", "flag-"
FINDING = "所見"


class Page(NamedTuple):
    """Rows of one tab in the order in which they are first laid."""

    rows: list[ReviewRow]
    order: list[str] | None = None


def review_rows(
    outcome: Outcome, shown: Mapping[str, Shown], settings: Settings
) -> dict[str, list[ReviewRow]]:
    """The review tabs: form name -> rows in order of submission."""
    out: dict[str, list[ReviewRow]] = {name: [] for name in settings.forms}
    unconfirmed = {preview.entry_id: preview for preview in outcome.previews}
    for verdict in outcome.verdicts.to_dict("records"):
        row = shown[str(verdict["entry_id"])]
        cells = {**row.cells, **_verdict_cells(verdict, row, settings), "アドレス": row.address}
        preview = unconfirmed.get(str(verdict["entry_id"]))
        if preview is not None:
            cells["理由"] = f"{preview.change}（確定待ち、「予告」を見てください）\n{cells['理由']}"
        out[str(verdict["form"])].append(ReviewRow(str(verdict["entry_id"]), cells))
    return out


def _verdict_cells(verdict: Mapping[Any, Any], row: Shown, settings: Settings) -> dict[str, str]:
    zone = settings.zone
    reasons = list(verdict["reasons"])
    texts = [reason.text for reason in reasons]
    if verdict["effective"] == PENDING and verdict["preview"]:
        texts.insert(1, f"見込み: {verdict['preview']}")
    if verdict["stale"]:
        texts.insert(0, "裁定の後で状況が変わりました。確かめてください")
    sections = dict.fromkeys(reason.section for reason in reasons if reason.section)
    notes = [f"{note.ruling} {note.text}".strip() for note in verdict["notes"]]
    return {
        "期限": show_short(row.due, zone) if row.due is not None else "",
        "誰・何": row.who_what,
        "理由": "\n".join(text for text in texts if text),
        "判定": str(verdict["machine"]),
        "有効": str(verdict["effective"]),
        "注意": "\n".join(notes),
        "根拠": "\n".join(sections),
        "放置すると": row.if_left,
        "送信時刻": show_instant(verdict["submitted_at"], zone),
    }


def attention_page(
    outcome: Outcome,
    shown: Mapping[str, Shown],
    rows: Mapping[str, Sequence[ReviewRow]],
    findings: Sequence[Finding],
    settings: Settings,
    last: Mapping[str, Cells],
) -> Page:
    """要確認: what waits, most urgent first; then findings, decided rows, open points; what was settled at the end."""
    review = {row.id: row for form_rows in rows.values() for row in form_rows}
    unconfirmed = {preview.entry_id for preview in outcome.previews}
    ranked: list[tuple[tuple[Any, ...], ReviewRow]] = []
    for verdict in outcome.verdicts.to_dict("records"):
        rank = 1 if str(verdict["entry_id"]) in unconfirmed else _rank(verdict)
        if rank is None:
            continue
        row = review[str(verdict["entry_id"])]
        mine = {header: row.cells.get(header, "") for header in _ATTENTION_HEADERS}
        mine["種類"] = settings.forms[str(verdict["form"])].title
        ranked.append(
            ((rank, verdict["decides_at"], verdict["submitted_at"], row.id), ReviewRow(row.id, mine))
        )
    start = pd.Timestamp(0, tz="UTC")
    for flag in outcome.flags:
        made = _flag_row(flag)
        ranked.append(((0 if flag.note.blocks else 4, start, start, made.id), made))
    for finding in findings:
        made = _finding_row(finding, shown)
        ranked.append(((1, start, start, made.id), made))
    present = {row.id for _rank_key, row in ranked}
    for row_id, cells in last.items():
        if row_id in present:
            continue
        settled = review.get(row_id)
        kept = (
            settled.cells if settled is not None else {**cells, "有効": "解消", "理由": cells.get("理由", "")}
        )
        gone = {header: kept.get(header, "") for header in _ATTENTION_HEADERS}
        gone["種類"] = cells.get("種類", "")
        ranked.append(((9, start, start, row_id), ReviewRow(row_id, gone)))
    ranked.sort(key=lambda item: item[0])
    page = [row for _rank_key, row in ranked]
    return Page(page, [row.id for row in page])


_ATTENTION_HEADERS = ("期限", "誰・何", "理由", "判定", "有効", "注意", "根拠", "放置すると", "送信時刻")


def _rank(verdict: Mapping[Any, Any]) -> int | None:
    """0 waits for a decision, 2 stale, 3 decided, 4 only an open point; None: not here."""
    ruled = any(reason.code == "ruled" for reason in verdict["reasons"])
    outlook = (
        verdict["preview"] if verdict["effective"] == PENDING and verdict["preview"] else verdict["effective"]
    )
    if outlook in (BLOCKED, HELD) and not (ruled and outlook == HELD):
        return 0
    if verdict["stale"]:
        return 2
    if ruled:
        return 3
    return 4 if verdict["notes"] else None


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:8]


def _flag_row(flag: Flag) -> ReviewRow:
    status = BLOCKED if flag.note.blocks else ""
    cells = {
        "誰・何": flag.causes[0],
        "理由": flag.note.text,
        "判定": status,
        "有効": status,
        "注意": flag.note.ruling,
        "種類": "表の行",
    }
    return ReviewRow(FLAG_ID + _digest(flag.note.ruling, *flag.causes), cells)


def _finding_row(finding: Finding, shown: Mapping[str, Shown]) -> ReviewRow:
    where = shown[finding.about].who_what if finding.about in shown else finding.place
    about = f"（{finding.about}）" if finding.about in shown else ""
    cells = {
        "誰・何": where,
        "理由": finding.message + about,
        "判定": FINDING,
        "有効": FINDING,
        "種類": _FINDINGS.get(finding.code, finding.code),
    }
    return ReviewRow(FINDING_ID + _digest(finding.code, finding.place, finding.message), cells)


_FINDINGS: Mapping[str, str] = {
    "breach": "禁止行為",
    "near_miss": "惜しい違い",
    "doubled_key": "キーの重複",
    "unreadable": "読めないセル",
    "unknown_column": "知らない列",
    "missing_column": "列がない",
    "missing_tab": "シートがない",
    "shrunk": "行が減った",
    "other_book": "別の表",
    "missing_file": "フォームを読めない",
    "zone": "時間帯の違い",
    "typed": "数や日時になった値",
    "switched": "読み取り元の変更",
    "not_participant": "参加者でない",
    "attendance_blank": "出席が空欄",
    "touch_late": "タッチの遅れ",
    "owned_by_another": "所有の重複",
    "owns_another": "所有の重複",
    "catalogue": "一覧の書き方",
    "withdrawn": "送信が消えた",
    "no_word": "合言葉がない",
    "conflict": "裁定の食い違い",
    "stale": "裁定後の変化",
    "repaired": "機械の列を直した",
    "quarantine": "行き場のない記入",
    "healed_key": "対応を戻した",
    "changed": "書き換え中",
    "empty": "空のファイル",
    "doubled_header": "見出しの重複",
    "long_row": "長すぎる行",
    "crossed_row": "行の入れ違い",
    "unreadable_tab": "読めないシート",
}


def ledger_rows(outcome: Outcome, game: Game, settings: Settings) -> list[ReviewRow]:
    """台帳: every posting in order, with the running balance of its account."""
    sums: dict[tuple[str, str], int] = {}
    out = []
    for posting in outcome.postings.to_dict("records"):
        account = (str(posting["player"]), str(posting["account"]))
        sums[account] = sums.get(account, 0) + int(posting["amount"])
        cells = {
            "時刻": show_instant(posting["at"], settings.zone),
            game.player_column: account[0],
            "項目": game.account_label(account[1]),
            "増減": str(posting["amount"]),
            "残高": str(sums[account]),
            "状態": str(posting["state"]),
            "由来": str(posting["cause"]),
            "根拠": str(posting["section"]),
        }
        out.append(ReviewRow(str(posting["posting_id"]), cells))
    return out


def preview_rows(outcome: Outcome) -> list[ReviewRow]:
    """予告: what decisions without their second tick would change."""
    return [
        ReviewRow(p.entry_id, {"変わること": p.change, "影響": p.effect, "すること": p.todo})
        for p in outcome.previews
    ]


def state_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[ReviewRow]:
    return [ReviewRow(row[0], dict(zip(header[1:], row[1:], strict=True))) for row in rows]


def mail_rows(
    tasks: Sequence[Task], sent: Mapping[str, Cells], as_of: pd.Timestamp, settings: Settings
) -> list[ReviewRow]:
    """メール: one draft a recipient, with its release and due time."""
    out = []
    for task in tasks:
        if task.kind != "mail":
            continue
        done = task.state == "送信済" or bool(sent.get(task.task_id, {}).get("送信時刻", "").strip())
        cells = {
            "状態": "送信済" if done else _mail_state(task, as_of),
            "宛先": "、".join(task.to),
            "件名": task.title,
            "本文": task.body,
            "解禁": show_instant(task.release, settings.zone),
            "期限": show_instant(task.due, settings.zone),
        }
        out.append(ReviewRow(task.task_id, cells))
    return out


def _mail_state(task: Task, as_of: pd.Timestamp) -> str:
    if task.release is not None and as_of < task.release:
        return "解禁前"
    return "期限超過" if task.due is not None and as_of > task.due else "送信待ち"


def blog_rows(tasks: Sequence[Task], files: Mapping[str, str], settings: Settings) -> list[ReviewRow]:
    out = []
    for task in sorted((t for t in tasks if t.kind == "article"), key=_by_due):
        cells = {
            "状態": task.state,
            "公開予定": show_instant(task.due, settings.zone),
            "題名": task.title,
            "本文": task.body if task.state in ("公開", "下書き", "予約") else "",
            "ファイル": files.get(task.title, ""),
        }
        out.append(ReviewRow(task.task_id, cells))
    return out


def _by_due(task: Task) -> tuple[pd.Timestamp, str]:
    return (
        task.due if task.due is not None else pd.Timestamp.max.tz_localize("UTC").as_unit("us"),
        task.title,
    )


_KINDS = {"mail": "メール", "article": "記事", "decision": "裁定", "alert": "警告", "board": "掲示板"}


def today_page(
    outcome: Outcome,
    shown: Mapping[str, Shown],
    sent: Mapping[str, Cells],
    as_of: pd.Timestamp,
    settings: Settings,
) -> Page:
    """今日: what is due in the next 24 hours or became overdue in the last 24; what is longer overdue in one line a
    kind, and every decision that waits."""
    rows, old = [], Counter[str]()
    for task in sorted(outcome.tasks, key=_by_due):
        done = bool(sent.get(task.task_id, {}).get("送信時刻", "").strip()) or task.state in _DONE
        if done or (task.due is None and task.kind != "decision"):
            continue
        if task.due is not None and task.due > as_of + _DAY:
            continue
        if task.due is not None and task.due < as_of - _DAY and task.kind != "decision":
            old[task.kind] += 1
            continue
        rows.append(_today_row(task, shown, as_of, settings))
    for kind, number in sorted(old.items()):
        name = _KINDS.get(kind, kind)
        cells = {
            "種類": name,
            "何を": f"前日までに期限を過ぎた{name} {number}件（{_WHERE.get(kind, name)}）",
            "状態": "期限超過",
        }
        rows.append(ReviewRow(f"old/{kind}", cells))
    return Page(rows, [row.id for row in rows])


_DAY = pd.Timedelta(hours=24)
_DONE = ("公開", "済", "送信済")
_WHERE = {"mail": "「メール」のシート", "article": "「ブログ」のシート", "alert": "「要確認」のシート"}


def _today_row(task: Task, shown: Mapping[str, Shown], as_of: pd.Timestamp, settings: Settings) -> ReviewRow:
    who = shown[task.causes[0]].who_what if task.causes and task.causes[0] in shown else task.title
    what = (
        f"{'、'.join(task.to)} へ「{task.title}」"
        if task.to
        else f"{who}　{task.title}"
        if who != task.title
        else who
    )
    late = task.due is not None and task.due < as_of
    cells = {
        "期限": show_instant(task.due, settings.zone),
        "種類": _KINDS.get(task.kind, task.kind),
        "何を": what,
        "状態": "期限超過" if late else "予定",
    }
    return ReviewRow(task.task_id, cells)
