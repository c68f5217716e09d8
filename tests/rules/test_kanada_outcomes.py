"""What follows from verdicts: mails, articles, alerts, and what waits for a reading."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from builders import GAME, SECOND, codes, decide, find_entries, jst, ready, rulings, status, verdict

from pipeline.case_run import Run
from rules.game import Outcome, Task

PLAYERS = [
    {"name": "甲", "role": "星術師"},
    {"name": "乙", "role": "星術師"},
    {"name": "学甲", "role": "学者"},
]
SIGN: dict[str, Any] = {
    "players": PLAYERS,
    "constellations": [{"name": "竈座", "cost": {"2": 1}, "effects": ["薪くべ"]}],
    "state": {"甲": {"stars": {"2": 1}}},
}


def copy(
    name: str, sender: str = "甲", at: str = "10-12 12:00:00", day: str = "10-13", **more: Any
) -> dict[str, Any]:
    answers = {"date": day, "constellation": "竈座", "stars_2": 1, **more.pop("answers", {})}
    return {"id": name, "form": "replication", "from": sender, "at": at, "answers": answers, **more}


def sign(
    name: str, sender: str = "甲", at: str = "10-12 12:00:00", day: str = "10-13", **more: Any
) -> dict[str, Any]:
    answers = {"event_dates": [day], **more.pop("answers", {})}
    return {"id": name, "form": "signup", "from": sender, "at": at, "answers": answers, **more}


def tasks(outcome: Outcome, kind: str, title: str = "") -> list[Task]:
    return [task for task in outcome.tasks if task.kind == kind and title in ("", task.title)]


def mails(*events: dict[str, Any], as_of: str = "10-26 00:00:00", **more: Any) -> list[Task]:
    return tasks(ready(events, as_of, more.pop("config", None), **{**SIGN, **more}).adjudicate(), "mail")


class TestRefusalMails:
    def test_a_refusal_is_told_to_its_player_within_the_maintenance_time_and_says_no_more(self) -> None:
        (mail,) = mails(copy("f1", "乙"))
        assert (mail.to, mail.audience, mail.title) == (("乙",), "乙", "10月13日の星座複製について")
        assert (mail.release, mail.due) == (jst("10-13 00:00:00"), jst("10-13 04:59:59"))
        assert "不受理" in mail.body
        assert "甲" not in mail.body
        assert "足り" not in mail.body

    @pytest.mark.parametrize(
        ("as_of", "number"), [("10-12 23:59:59", 0), ("10-13 00:00:00", 1), ("10-13 00:00:01", 1)]
    )
    def test_it_exists_from_the_instant_of_the_ruling(self, as_of: str, number: int) -> None:
        assert len(mails(copy("f1", "乙"), as_of=as_of)) == number

    def test_two_refused_for_one_day_are_one_mail(self) -> None:
        (mail,) = mails(copy("f1", "乙"), copy("f2", "乙", "10-12 13:00:00", answers={"stars_2": 2}))
        assert len(mail.causes) == 1

    def test_refused_on_two_days_are_two_mails(self) -> None:
        assert len(mails(copy("f1", "乙"), copy("f2", "乙", day="10-14"))) == 2

    def test_who_replicates_after_all_gets_none(self) -> None:
        assert mails(copy("f1", answers={"stars_2": 2}), copy("f2", at="10-12 13:00:00")) == []
        assert mails(copy("f1"), copy("f2", at="10-13 00:00:00")) == []

    def test_a_late_form_alone_is_told_unless_masters_read_it_otherwise(self) -> None:
        late = copy("f1", at="10-13 00:00:00")
        run = ready([late], **SIGN)
        assert (status(run, "f1"), rulings(verdict(run, "f1"))) == ("期限後", ["A-40"])
        assert len(mails(late)) == 1
        assert mails(late, config={"A-40": "2"}) == []

    def test_what_proves_nobody_is_never_told(self) -> None:
        assert mails(copy("f1", "乙", passphrase="つき")) == []
        assert mails(copy("f1", "乙", email="x@example.com", at="10-13 00:00:00")) == []
        assert mails(copy("f1", answers={"name": "誰か"})) == []

    def test_a_day_outside_the_game_and_a_scholar_have_no_mail(self) -> None:
        assert mails(copy("f1", day="11-01"), as_of="11-05 00:00:00") == []
        assert mails(copy("f1", "学甲")) == []

    def test_on_the_rest_day_it_is_due_that_very_day_or_the_next_by_ruling(self) -> None:
        event = copy("f1", day="10-18")
        (mail,) = mails(event)
        assert (mail.release, mail.due) == (jst("10-18 00:00:00"), jst("10-18 04:59:59"))
        (mail,) = mails(event, config={"A-04": "2"})
        assert (mail.release, mail.due) == (jst("10-19 00:00:00"), jst("10-19 04:59:59"))
        run = ready([event], **SIGN)
        assert rulings(verdict(run, "f1")) == ["A-04"]

    def test_while_masters_are_asked_nothing_is_told(self) -> None:
        tie = [copy("f1", "乙"), copy("f2", "乙", answers={"stars_2": 2})]
        run = ready(tie, **SIGN)
        assert [status(run, name) for name in ("f1", "f2")] == ["要確認", "要確認"]
        assert tasks(run.adjudicate(), "mail") == []
        assert len(tasks(run.adjudicate(), "decision")) == 2


class TestReplicationArticles:
    def article(self, *events: dict[str, Any], as_of: str, title: str = "10月13日 複製") -> Task:
        (task,) = tasks(ready(events, as_of, **SIGN).adjudicate(), "article", title)
        return task

    @pytest.mark.parametrize(
        ("as_of", "state", "body"),
        [
            ("10-12 23:59:59", "予定", ""),
            ("10-13 00:00:00", "予約", "甲"),
            ("10-13 04:59:59", "予約", "甲"),
            ("10-13 05:00:00", "公開", "甲"),
        ],
    )
    def test_it_is_planned_then_written_then_public(self, as_of: str, state: str, body: str) -> None:
        task = self.article(copy("f1"), as_of=as_of)
        assert (task.state, task.body, task.audience) == (state, body, "public")
        assert task.release == task.due == jst("10-13 05:00:00")

    def test_names_are_in_the_order_of_the_roster_and_without_what_they_replicate(self) -> None:
        run = ready(
            [copy("f2", "乙"), copy("f1", at="10-12 13:00:00")],
            "10-13 05:00:00",
            **{**SIGN, "state": {n: {"stars": {"2": 1}} for n in ("甲", "乙")}},
        )
        (task,) = tasks(run.adjudicate(), "article", "10月13日 複製")
        assert task.body.splitlines() == ["甲", "乙"]
        assert task.table[1:] == (("甲",), ("乙",))
        assert "竈座" not in task.body

    def test_refused_ones_are_not_named_and_nobody_is_said_to_be_nobody(self) -> None:
        assert self.article(copy("f1", "乙"), as_of="10-13 05:00:00").body == "該当者なし"

    def test_there_is_one_for_each_day_but_the_rest_day(self) -> None:
        outcome = ready([], "10-26 00:00:00", **SIGN).adjudicate()
        days = [
            task.title.removesuffix(" 複製")
            for task in tasks(outcome, "article")
            if task.title.endswith(" 複製")
        ]
        assert days == [f"10月{day}日" for day in range(12, 25) if day != 18]

    def test_an_early_end_leaves_the_days_after_it_without(self) -> None:
        end = {
            "input": "終戦",
            "row": {"番号": 1, "時刻": "10-20 12:00:00", "確定": "TRUE"},
            "at": "10-20 13:00:00",
        }
        outcome = ready([end], "10-26 00:00:00", **SIGN).adjudicate()
        days = [task.title for task in tasks(outcome, "article") if task.title.endswith(" 複製")]
        assert days[-1] == "10月20日 複製"


class TestResults:
    def run(
        self,
        *rows: dict[str, Any],
        as_of: str = "10-26 00:00:00",
        published: str = "10-13 22:05:00",
        senders: str = "甲乙",
    ) -> Run:
        events: list[dict[str, Any]] = [sign(f"f{name}", name) for name in senders]
        events += [
            {"input": "マスイベ結果", "row": {"開催日": "10-13", **row}, "at": "10-13 21:00:00"}
            for row in rows
        ]
        if published:
            events.append({"publish": "10-13", "at": published})
        return ready(
            events,
            as_of,
            players=PLAYERS,
            calendar=[{"date": "10-13", "kind": "通常", "gather": "18:00", "欠席点": 30}],
        )

    def points(self, outcome: Outcome) -> dict[str, list[tuple[pd.Timestamp, int]]]:
        out: dict[str, list[tuple[pd.Timestamp, int]]] = {}
        rows = outcome.postings.loc[outcome.postings["rule"].isin(["event_reward", "absence_penalty"])]
        for player, at, amount in rows[["player", "at", "amount"]].itertuples(index=False):
            out.setdefault(str(player), []).append((at, int(amount)))
        return out

    def test_rewards_and_losses_fall_in_the_second_of_publication(self) -> None:
        run = self.run({"正式呼称": "甲", "出席": "出席", "点数": "25"}, {"正式呼称": "乙", "出席": "欠席"})
        when = jst("10-13 22:05:00")
        assert self.points(run.adjudicate()) == {"甲": [(when, 25)], "乙": [(when, -30)]}
        assert self.points(run.adjudicate(when - SECOND)) == {}
        assert self.points(run.adjudicate(when)) == {"甲": [(when, 25)], "乙": [(when, -30)]}

    def test_who_comes_late_is_rewarded_and_an_absentee_never(self) -> None:
        run = self.run(
            {"正式呼称": "甲", "出席": "遅刻", "点数": "25"}, {"正式呼称": "乙", "出席": "欠席", "点数": "99"}
        )
        assert {name: items[0][1] for name, items in self.points(run.adjudicate()).items()} == {
            "甲": 25,
            "乙": -30,
        }

    def test_who_did_not_sign_up_gets_and_loses_nothing(self) -> None:
        outcome = self.run(
            {"正式呼称": "甲", "出席": "出席", "点数": "25"}, {"正式呼称": "乙", "出席": "欠席"}, senders="甲"
        ).adjudicate()
        assert list(self.points(outcome)) == ["甲"]
        assert [f.code for f in outcome.findings if f.about.endswith("乙")] == ["not_participant"]

    def test_a_fraction_is_cut_toward_zero_and_a_negative_one_is_an_open_point(self) -> None:
        outcome = self.run(
            {"正式呼称": "甲", "出席": "出席", "点数": "25.9"},
            {"正式呼称": "乙", "出席": "出席", "点数": "-1.5"},
        ).adjudicate()
        assert {name: items[0][1] for name, items in self.points(outcome).items()} == {"甲": 25, "乙": -1}
        assert [flag.note.ruling for flag in outcome.flags] == ["A-18"]

    def test_an_attendance_left_blank_is_told_once_the_result_is_public(self) -> None:
        outcome = self.run({"正式呼称": "甲", "出席": "出席"}).adjudicate()
        assert [(f.code, f.about) for f in outcome.findings] == [
            ("attendance_blank", "マスイベ結果/10-13/乙")
        ]
        assert [
            f.code for f in self.run({"正式呼称": "甲", "出席": "出席"}, published="").adjudicate().findings
        ] == []

    @pytest.mark.parametrize(
        ("as_of", "number"), [("10-13 21:59:59", 0), ("10-13 22:00:00", 1), ("10-14 08:00:00", 1)]
    )
    def test_a_result_that_is_not_public_alerts_at_ten(self, as_of: str, number: int) -> None:
        found = tasks(self.run(as_of=as_of, published="").adjudicate(), "alert")
        assert [task.due for task in found] == [jst("10-13 22:00:00")] * number

    @pytest.mark.parametrize(("published", "number"), [("10-13 22:00:00", 0), ("10-13 22:00:01", 1)])
    def test_one_published_in_time_alerts_nobody(self, published: str, number: int) -> None:
        assert len(tasks(self.run(published=published).adjudicate(), "alert")) == number

    def test_the_article_lists_who_came_before_who_did_not(self) -> None:
        run = self.run({"正式呼称": "乙", "出席": "出席", "点数": "25"}, {"正式呼称": "甲", "出席": "欠席"})
        (task,) = tasks(run.adjudicate(), "article", "10月13日 マスイベ結果")
        assert task.table == (("正式呼称", "出欠", "点数"), ("乙", "参加", "+25点"), ("甲", "欠席", "−30点"))
        assert (task.state, task.release, task.due) == ("公開", jst("10-13 22:05:00"), jst("10-13 22:05:00"))

    def test_a_draft_is_kept_until_it_is_published(self) -> None:
        run = self.run({"正式呼称": "甲", "出席": "出席", "点数": "25"}, published="")
        (task,) = tasks(run.adjudicate(), "article", "10月13日 マスイベ結果")
        assert (task.state, task.release, task.due) == ("下書き", None, jst("10-13 22:00:00"))

    def test_a_decision_for_a_day_without_an_event_breaks_nothing(self) -> None:
        run = ready([sign("f1", day="10-18")], **SIGN)
        facts = run.facts([])
        (entry,) = find_entries(run, run.adjudicate(), "f1")
        outcome = GAME.adjudicate(decide(facts, (entry, "受理", jst("10-13"))), jst("10-26"), run.settings)
        assert status(run, "f1", outcome) == "受理"


class TestReadings:
    """What was not read since its instant is not decided."""

    SOURCES = (
        "form:signup",
        "table:マスイベ",
        "table:名簿",
        "table:延長",
        "table:方針",
        "table:終戦",
        "table:公開",
    )

    def status(self, reads: dict[str, pd.Timestamp] | None) -> tuple[str, str, list[str]]:
        run = ready([sign("f1")], "10-13 12:00:00", **SIGN)
        facts = run.facts([])._replace(reads=reads)
        found = verdict(run, "f1", GAME.adjudicate(facts, run.as_of, run.settings))
        return str(found["effective"]), str(found["preview"]), codes(found)

    def test_all_read_since_is_decided(self) -> None:
        assert self.status(dict.fromkeys(self.SOURCES, jst("10-13 00:00:00")))[0] == "受理"

    @pytest.mark.parametrize("source", SOURCES)
    def test_one_source_read_a_second_too_early_or_never_keeps_it_open_and_is_named(
        self, source: str
    ) -> None:
        reads = dict.fromkeys(self.SOURCES, jst("10-13 00:00:00"))
        for changed in (
            {**reads, source: jst("10-12 23:59:59")},
            {k: v for k, v in reads.items() if k != source},
        ):
            effective, preview, found = self.status(changed)
            assert (effective, preview, found[0]) == ("未定", "受理", "waits")

    def test_without_a_record_of_readings_all_counts_as_read(self) -> None:
        assert self.status(None)[0] == "受理"


class TestDecisions:
    def test_a_decision_is_stale_once_what_it_rested_on_changes(self) -> None:
        run = ready([sign("f1"), sign("f2", at="10-12 20:00:00", answers={"note": "遅れます"})], **SIGN)
        outcome = run.adjudicate()
        (entry,) = find_entries(run, outcome, "f2")
        basis = str(verdict(run, "f2", outcome)["basis"])
        for told, stale in ((basis, False), ("", False), ("other", True)):
            facts = decide(run.facts([]), (entry, "不受理", jst("10-12 22:00:00")), basis=told)
            assert bool(verdict(run, "f2", GAME.adjudicate(facts, run.as_of, run.settings))["stale"]) is stale

    def test_a_decision_on_nothing_is_a_finding(self) -> None:
        run = ready([sign("f1")], **SIGN)
        facts = decide(run.facts([]), ("signup-zzzzzzzz", "受理", jst("10-12 22:00:00")))
        findings = GAME.adjudicate(facts, run.as_of, run.settings).findings
        assert [(f.code, f.about) for f in findings] == [("stale", "signup-zzzzzzzz")]

    def test_a_decision_written_later_does_not_speak_yet(self) -> None:
        run = ready([sign("f1")], **SIGN)
        (entry,) = find_entries(run, run.adjudicate(), "f1")
        facts = decide(run.facts([]), (entry, "不受理", jst("10-13 12:00:00")))
        for offset, want in ((-1, "受理"), (0, "不受理")):
            outcome = GAME.adjudicate(facts, jst("10-13 12:00:00") + offset * SECOND, run.settings)
            assert status(run, "f1", outcome) == want

    def test_a_withdrawn_response_changes_no_ruling_and_is_told(self) -> None:
        run = ready([sign("f1"), {"withdraw": "f1", "at": "10-12 18:00:00"}], **SIGN)
        outcome = run.adjudicate()
        assert status(run, "f1", outcome) == "受理"
        assert [f.code for f in outcome.findings] == ["withdrawn"]
        assert [f.code for f in run.adjudicate(jst("10-12 17:59:59")).findings] == []

    def test_while_masters_hold_one_of_a_day_the_refusal_of_another_is_not_told(self) -> None:
        run = ready([copy("f1", "乙"), copy("f2", "乙", "10-12 13:00:00", answers={"stars_2": 2})], **SIGN)
        outcome = run.adjudicate()
        (first,), (second,) = find_entries(run, outcome, "f1"), find_entries(run, outcome, "f2")
        when = jst("10-12 22:00:00")
        for word, number in (("保留", 0), ("不受理", 1)):
            facts = decide(run.facts([]), (first, "不受理", when), (second, word, when))
            assert len(tasks(GAME.adjudicate(facts, run.as_of, run.settings), "mail")) == number


class TestLimitsOfFacts:
    def test_of_an_edited_form_whose_text_in_time_is_lost_the_earliest_left_is_asked_about(self) -> None:
        edits = [
            {
                "id": "e1",
                "edits": "f1",
                "at": "10-13 00:00:05",
                "seen": False,
                "answers": {"event_dates": ["10-13"]},
            },
            {
                "id": "e2",
                "edits": "f1",
                "at": "10-13 00:00:09",
                "answers": {"event_dates": ["10-13"], "note": "後"},
            },
        ]
        run = ready([sign("f1"), *edits], **SIGN)
        assert [(status(run, name), codes(verdict(run, name))[0]) for name in ("e1", "e2")] == [
            ("要確認", "text_lost"),
            ("期限後", "late"),
        ]

    @pytest.mark.parametrize(("offset", "want"), [(-1, "不受理"), (0, "受理"), (1, "受理")])
    def test_what_is_published_in_the_second_of_sending_may_be_named(self, offset: int, want: str) -> None:
        known = {"name": "竈座", "cost": {"2": 1}, "effects": ["薪くべ"], "公開時刻": "2026-10-12 12:00:00"}
        sent = (jst("10-12 12:00:00") + offset * SECOND).isoformat()
        run = ready([copy("f1", at=sent)], **{**SIGN, "constellations": [known]})
        assert status(run, "f1") == want
        assert ("not_published" in codes(verdict(run, "f1"))) is (want == "不受理")

    @pytest.mark.parametrize(("offset", "want"), [(-1, "対象外"), (0, "受理"), (1, "受理")])
    def test_an_event_that_begins_in_the_very_second_of_the_end_still_takes_place(
        self, offset: int, want: str
    ) -> None:
        end = (jst("10-13 18:00:00") + offset * SECOND).isoformat()
        row = {"番号": 1, "時刻": end, "確定": "TRUE"}
        events = [sign("f1"), {"input": "終戦", "row": row, "at": "10-13 19:00:00"}]
        run = ready(events, **SIGN, calendar=[{"date": "10-13", "kind": "通常", "gather": "18:00"}])
        assert status(run, "f1") == want
