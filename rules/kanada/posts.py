"""Posts of the board with a verdict of their own.

Promises: a 襲撃報告 has one only if no form came, a 訂正 always; procedures whose rules come later stand as 未定.
Refuses to know: whether an attack stands. Sources: ６章 星術師への襲撃の流れ, １章 禁止行為.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from rules.clock import floor_second, say_instant
from rules.kanada.board import CORRECTION, LATER, REPORT, Post, correction_number
from rules.kanada.cases import Case, Context
from rules.kanada.intake import Fate
from rules.kanada.reasons import give, note
from rules.kanada.reports import Joined
from rules.verdicts import ACCEPTED, BLOCKED, PENDING, Judgement, digest_basis

FORM_WAIT = pd.Timedelta(minutes=15)


def judge_posts(
    joined: Joined, posts: Sequence[Post], fates: Mapping[str, Fate], context: Context
) -> dict[str, Case]:
    """Posts with a verdict of their own: without a form, corrections, second posts, procedures still to come."""
    alone = {post.entry.entry_id for post in joined.alone}
    seconds = {post.entry.entry_id for post in joined.seconds}
    out = {}
    for post in posts:
        entry_id = post.entry.entry_id
        judged = _judge_post(post, alone, seconds, joined.corrections, context)
        if judged is not None:
            machine, decides_at = judged
            fate = fates[entry_id]._replace(decides_at=decides_at)
            effective = machine
            if fate.ruling is not None and fate.ruling.ruling:
                said = give("ruled", by=fate.ruling.by or "マスター", ruling=fate.ruling.ruling, note="")
                effective = Judgement(fate.ruling.ruling, (said, *machine.reasons))
            out[entry_id] = Case(
                fate,
                machine.status,
                effective.status,
                "",
                effective.reasons,
                machine.notes,
                (),
                (),
                digest_basis(machine.status, machine.reasons, ()),
            )
    return out


def _judge_post(
    post: Post, alone: set[str], seconds: set[str], corrections: Mapping[str, str], context: Context
) -> tuple[Judgement, pd.Timestamp] | None:
    entry_id, at = post.entry.entry_id, floor_second(post.at)
    if post.title in LATER:
        return Judgement(PENDING, (give("not_yet", instant="観測・占星の裁定の準備ができたとき"),)), at
    if post.title == CORRECTION and entry_id in corrections:
        fate = corrections[entry_id]
        if fate == "counts":
            return Judgement(ACCEPTED, (give("corrected"),)), at
        if fate == "late":
            limit = say_instant(at, context.calendar.zone)
            return Judgement(
                "期限後", (give("late", "６章 星術師への襲撃の流れ", sent=limit, deadline="投稿から10分"),)
            ), at
        said = give(fate, number=correction_number(post.body))
        if fate == "wrong_number":
            return Judgement(BLOCKED, (said,), (note("A-51", blocks=True),)), at
        return Judgement("対象外", (said,)), at
    if entry_id in seconds:
        return Judgement("対象外", (give("second_post"),)), at
    if entry_id in alone:
        due = at + FORM_WAIT
        if floor_second(context.as_of) < due:
            return Judgement(PENDING, (give("waits", what="襲撃報告フォーム"),)), at
        return Judgement(BLOCKED, (give("no_form"),)), due
    return (Judgement(""), at) if post.title == REPORT else None
