"""Attacks and inquiries of one derivation: read once, used before and after the fold.

Promises: forms, posts and masters' columns are brought together here and nowhere else. Refuses to know: balances.
Sources: ６章, １章 問い合わせ.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import pandas as pd

from rules.clock import floor_second, local_day
from rules.frames import Finding
from rules.game import Task
from rules.kanada import attack, inquiry
from rules.kanada.attacking import Prepared, Scene, conclude, prepare
from rules.kanada.balls import Swap
from rules.kanada.board import Post, find_breaches, read_posts
from rules.kanada.book import Attack
from rules.kanada.cases import Case, Context
from rules.kanada.confirmations import alert_lonely_posts, list_confirmations, mail_id
from rules.kanada.constellations import Holding
from rules.kanada.entries import Desk
from rules.kanada.firing import Form, FormKey
from rules.kanada.intake import Fate, Proof, settle_events
from rules.kanada.posts import judge_posts
from rules.kanada.reasons import note
from rules.kanada.reports import MINUTE, Joined, Report, join_posts, match_seconds, read_report
from rules.kanada.results import Standing as Participant
from rules.kanada.strikes import Ruled, Strike
from rules.kanada.superiority import Scene as Sky
from rules.kanada.superiority import Sign, Standing, compare, read_signs
from rules.rulings import merge_cells
from rules.verdicts import UNPROVED, Note


class Attacks(NamedTuple):
    """All attacks of one derivation."""

    prepared: list[Prepared]
    joined: Joined
    posts: list[Post]
    fates: Mapping[str, Fate]
    scene: Scene
    signs: Mapping[str, Sign]
    sent: Mapping[str, pd.Timestamp]
    findings: tuple[Finding, ...]

    @property
    def unruled(self) -> dict[tuple[str, str], str]:
        """Every post by (response id, revision), also those that belong to no procedure."""
        return {(p.entry.response_id, p.entry.revision): p.entry.entry_id for p in self.posts}

    @property
    def strikes(self) -> list[Attack]:
        return [item.attack for item in self.prepared if item.attack is not None]

    def compare(self, strike: Strike, holdings: Sequence[Holding], forms: Mapping[FormKey, Form]) -> Standing:
        """優位 by constellation and effect at the freeze minute."""
        return compare(self.sky(strike.freeze, holdings, forms), strike.attacker, strike.target)

    def swaps(self, ruled: Mapping[str, Ruled]) -> list[Swap]:
        """The balls that changed hands in attacks that stand, at their 成立時刻."""
        out = []
        for item in self.prepared:
            if item.attack is None or item.timing is None or item.timing.established is None:
                continue
            if not self._stands(item, ruled):
                continue
            report, at = item.report, item.timing.established
            pairs = list(zip_longest(report.given, report.taken, fillvalue=""))
            out += [Swap(at, report.attacker, gone, come, report.entry.entry_id) for gone, come in pairs]
            out += [Swap(at, report.target, come, gone, report.entry.entry_id) for gone, come in pairs]
        return out

    def _stands(self, item: Prepared, ruled: Mapping[str, Ruled]) -> bool:
        strike, answer = item.attack.strike if item.attack else None, ruled.get(item.report.entry.entry_id)
        if strike is None or answer is None:
            return False
        if strike.forced:
            return any(
                gain.posting.account.startswith("ball/")
                for gain in (item.attack.gains if item.attack else ())
            )
        clear = not (answer.codes or answer.waits_for or any(r.startswith("!") for r in answer.rulings))
        return clear and strike.decided and not strike.open

    def shaken(self, holdings: Sequence[Holding]) -> dict[str, list[Note]]:
        """Attacks in whose freeze minute something that one of the two holds changed (A-30)."""
        out: dict[str, list[Note]] = {}
        for item in self.prepared:
            freeze, people = item.report.freeze, (item.report.attacker, item.report.target)
            if freeze is None or item.attack is None:
                continue
            edges = (edge for h in holdings if h.player in people for edge in (h.start, h.stop))
            if any(freeze < edge < freeze + MINUTE for edge in edges):
                out[item.report.entry.entry_id] = [note("A-30")]
        return out

    def report(self, entry_id: str) -> Report | None:
        return next((item.report for item in self.prepared if item.report.entry.entry_id == entry_id), None)

    def established(self, entry_id: str) -> pd.Timestamp | None:
        """成立時刻 of an attack, if there is one yet."""
        item = next((item for item in self.prepared if item.report.entry.entry_id == entry_id), None)
        return item.timing.established if item is not None and item.timing is not None else None

    def sky(self, instant: pd.Timestamp, holdings: Sequence[Holding], forms: Mapping[FormKey, Form]) -> Sky:
        """Everything superiority rests on at an instant; of that day's forms only those that count for certain."""
        context = self.scene.context
        day = local_day(instant, context.calendar.zone)
        active = frozenset(
            (player, name) for (player, on, name), form in forms.items() if on == day and not form.waits
        )
        return Sky(instant, holdings, self.signs, context.effects, active)

    def conclude(self, ruled: Mapping[str, Ruled]) -> tuple[dict[str, Case], list[Task]]:
        """Verdicts of forms and posts, and the mails and alerts that follow."""
        context = self.scene.context
        cases = {
            **conclude(self.prepared, ruled, self.scene),
            **judge_posts(self.joined, self.posts, self.fates, context),
        }
        roster = sorted(context.roster)
        tasks = [
            *list_confirmations(self.prepared, roster, context.calendar, self.sent, context.as_of),
            *alert_lonely_posts(self.joined.alone, context.as_of),
        ]
        return cases, tasks


def read_attacks(
    desk: Desk, context: Context, participants: Mapping[dt.date, Mapping[str, Participant]]
) -> Attacks:
    """Bring forms, posts and masters' columns together."""
    facts, settings, as_of = desk.facts, desk.settings, desk.as_of
    decisions = facts.decisions.loc[facts.decisions["first_seen"] <= as_of]
    columns = merge_cells(decisions)
    roles = {member.player: member.role for member in desk.members}
    context = context._replace(roster=frozenset(roles))
    form = settings.forms["attack"]
    reports = [
        read_report(fate, form, roles, columns.get(fate.entry.entry_id, {}), settings)
        for fate in desk.settle_events("attack")
    ]
    posts = read_posts(
        facts.revisions.loc[facts.revisions["submitted_at"] <= as_of], desk.members, settings.year
    )
    proofs = [Proof(post.player, roles.get(post.player, ""), True, (), False, "", False) for post in posts]
    fates = settle_events([post.entry for post in posts], proofs, desk.rulings)
    disowned = {e for e, ruling in desk.rulings.items() if ruling.ruling == UNPROVED}
    theirs = [post for post in posts if post.entry.entry_id not in disowned]
    joined = join_posts(match_seconds(reports), theirs)
    scholars = [name for name, role in roles.items() if role == "学者"]
    periods = attack.list_periods(desk.calendar, desk.tables["活動禁止時間"], participants, scholars)
    grades = {row.get("名称"): row.get("等級") for row in desk.tables["球"] if row.get("等級") is not None}
    sent = _read_sent(columns, desk)
    receipts = {
        (report.entry.entry_id, player): sent[mail_id(report.entry.entry_id, player)]
        for report in joined.reports
        for player in (report.attacker, report.target)
        if mail_id(report.entry.entry_id, player) in sent
    }
    superior = facts.opening.lists if facts.opening is not None else {}
    scene = Scene(context, periods, superior, grades, columns, receipts)
    by_id = {fate.entry.entry_id: fate for fate in fates}
    codenames = {row.get("正式呼称"): row.get("正式コードネーム") or "" for row in desk.tables["名簿"]}
    findings = tuple(find_breaches(posts, roles, codenames))
    return Attacks(
        prepare(joined, scene), joined, posts, by_id, scene, read_signs(desk.tables["星座"]), sent, findings
    )


def _read_sent(columns: Mapping[str, Mapping[str, str]], desk: Desk) -> dict[str, pd.Timestamp]:
    """When each mail was sent, as masters wrote it beside the draft."""
    out = {}
    for task_id, cells in columns.items():
        when = attack.read_cell(cells, "送信時刻", desk.settings)
        if when is not None:
            out[task_id] = when
    return out


def judge_inquiries(desk: Desk, attacks: Attacks | None = None) -> dict[str, Case]:
    """A case for every inquiry; with the attacks known, one that objects the wrong way is seen."""
    context = desk.context()
    out = {}
    for fate in desk.settle_events("inquiry"):
        asked = inquiry.read_inquiry(fate)
        objecting = attacks is not None and inquiry.speaks_of_objection(asked) and _is_party(fate, attacks)
        out[fate.entry.entry_id] = inquiry.judge(asked, context, objecting=objecting)
    return out


def _is_party(fate: Fate, attacks: Attacks) -> bool:
    """Whether the sender may still object to an attack: from its form until eight hours after the mail was sent."""
    at = fate.entry.submitted_at
    for item in attacks.prepared:
        report = item.report
        if (
            fate.proof.player not in (report.attacker, report.target)
            or report.is_second
            or at < report.entry.submitted_at
        ):
            continue
        receipt = attacks.scene.receipts.get((report.entry.entry_id, fate.proof.player))
        header = attack.RECEIPTS[0 if fate.proof.player == report.attacker else 1]
        receipt = attack.read_cell(report.cells, header, attacks.scene.context.calendar.settings) or receipt
        if receipt is None or floor_second(at) <= floor_second(receipt) + attack.OBJECTION:
            return True
    return False
