"""襲撃確認メール: to each of the two, within six hours of the form, with what that reader may know.

Promises: one recipient each; the reader's own points only, none to a scholar; never the other's stars or balls beyond
what was exchanged. Refuses to know: the verdict (the mail goes out whatever it is). Source: ６章 星術師への襲撃の成立.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from rules.clock import floor_second, say_instant
from rules.game import Task
from rules.kanada import attack
from rules.kanada.attacking import Prepared
from rules.kanada.board import Post
from rules.kanada.calendar import Calendar
from rules.kanada.posts import FORM_WAIT

DUE = pd.Timedelta(hours=6)
TITLE = "襲撃確認メール"


def mail_id(entry_id: str, player: str) -> str:
    return f"mail/{entry_id}/{player}/{TITLE}"


def list_confirmations(
    prepared: Sequence[Prepared],
    roster: Sequence[str],
    calendar: Calendar,
    sent: Mapping[str, pd.Timestamp],
    as_of: pd.Timestamp,
) -> list[Task]:
    """The two mails of every first form, and an alert an hour before one is due unsent."""
    out: list[Task] = []
    for item in prepared:
        report = item.report
        if (
            report.is_second
            or report.target == report.attacker
            or not {report.target, report.attacker} <= set(roster)
        ):
            continue
        due = floor_second(report.entry.submitted_at) + DUE
        for place, reader in enumerate((report.attacker, report.target)):
            header = attack.RECEIPTS[place]
            done = (
                bool(report.cells.get(header, "").strip()) or mail_id(report.entry.entry_id, reader) in sent
            )
            body = _write(item, reader, calendar)
            causes = (report.entry.entry_id,)
            out.append(
                Task(
                    "mail",
                    causes,
                    TITLE,
                    body,
                    (reader,),
                    None,
                    due,
                    audience=reader,
                    state="送信済" if done else "",
                )
            )
            if not done and as_of >= due - pd.Timedelta(hours=1):
                text = f"{reader}への襲撃確認メールの期限まで1時間です"
                out.append(
                    Task("alert", causes, f"{TITLE}（{reader}）", text, due=due - pd.Timedelta(hours=1))
                )
    return out


def _write(item: Prepared, reader: str, calendar: Calendar) -> str:
    return "\n".join([f"{reader} さん", "", *_facts(item, reader, calendar), "", _CLOSING])


_CLOSING = "内容に異議があるときは、受信から8時間以内にこのメールへ返信してください。\n\n輝流堕2026マスター\n"


def _facts(item: Prepared, reader: str, calendar: Calendar) -> Iterable[str]:
    report, zone = item.report, calendar.zone
    yield f"襲撃者: {report.attacker}"
    yield f"被襲撃者: {report.target}"
    yield f"フリーズ時刻: {say_instant(report.freeze, zone, '不明')}"
    place = str(report.entry.answers.get("place", "")).strip()
    yield f"フリーズ地点: {place or '記載なし'}"
    if report.post is not None:
        yield f"掲示板の投稿: {report.post.number}番 {say_instant(report.post.at, zone)}"
    if report.scholar:
        yield "学者カード: " + ("1枚を譲渡" if report.card else "なし")
    elif report.given or report.taken:
        yield f"渡した球（襲撃者から）: {'、'.join(report.given) or 'なし'}"
        yield f"受け取った球（襲撃者が）: {'、'.join(report.taken) or 'なし'}"
    else:
        yield "球交換: なし"
    numbers = attack.read_numbers(report.cells)
    if reader == report.attacker:
        yield f"あなたの襲撃点: {attack.attack_points(numbers)}点"
    elif not report.scholar:
        yield f"あなたの被襲撃点: {attack.victim_points(numbers)}点"


def alert_lonely_posts(alone: Sequence[Post], as_of: pd.Timestamp) -> list[Task]:
    """A post without a form fifteen minutes later: the six-hour clock has no start."""
    return [
        Task(
            "alert",
            (post.entry.entry_id,),
            "襲撃報告フォームがありません",
            f"{post.player}の投稿（{post.number}番）から15分が過ぎてもフォームがありません",
            due=floor_second(post.at) + FORM_WAIT,
        )
        for post in alone
        if floor_second(post.at) + FORM_WAIT <= as_of
    ]
