"""Scenario expectations: what a case says must be true, held against the outcome.

Promises: each expectation that does not hold gives one line with what was expected and what was got; a 要確認 that no
expectation names is a failure too. Refuses to know: how an outcome comes about.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.case_line import LINE, show_line
from pipeline.case_run import Run, find_entries
from rules.clock import floor_second, read_date, show_instant
from rules.frames import Finding
from rules.game import Outcome, Task
from rules.postings import balance
from rules.verdicts import BLOCKED

ORDERED = ("順位", "出品順", "要確認")


class Checker:
    """One outcome and the names under which its case speaks of it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.outcome: Outcome = run.adjudicate()
        self.then: Mapping[str, Any] = run.case.get("then") or {}

    def failures(self) -> list[str]:
        """All that does not hold, in the order of the case."""
        out: list[str] = []
        for kind, items in self.then.items():
            check = _CHECKS.get(kind)
            if check is None:
                out.append(f"then.{kind}: 知らないキーです。使えるもの: {'、'.join(_CHECKS)}")
                continue
            for item in items.items() if isinstance(items, Mapping) else items:
                out += [f"{kind}: {line}" for line in (*_find_unknown_keys(kind, item), *check(self, item))]
        return out + list(self._unnamed_blocks())

    def _unnamed_blocks(self) -> Iterable[str]:
        named = set()
        for name in self.then.get("verdicts") or {}:
            named |= set(find_entries(self.run, self.outcome, str(name)))
        rows = self.outcome.verdicts
        for entry, revision in zip(rows["entry_id"], rows["revision"], strict=True):
            if entry not in named and self._verdict(entry)["effective"] == BLOCKED:
                event = next((s.event for s in self.run.sent if s.revision == revision), entry)
                codes = [reason.code for reason in self._verdict(entry)["reasons"]]
                yield f"verdicts: {event} は名指しされていないのに要確認です {codes}"

    def _verdict(self, entry: str) -> Mapping[str, Any]:
        rows = self.outcome.verdicts
        found = rows.loc[rows["entry_id"].eq(entry)].to_dict("records")[0]
        return {str(name): value for name, value in found.items()}

    def _causes(self, about: str) -> set[str]:
        """Everything that `about` may stand for: an event, an entry, an input row, an article."""
        entries = find_entries(self.run, self.outcome, about)
        row = self.run.rows.get(about)
        head, slash, rest = about.partition("/")
        day = read_date(rest.split("/")[0], self.run.settings.year) if slash else None
        shown = f"{head}/{day.strftime('%m-%d')}{rest[len(rest.split('/')[0]) :]}" if day else about
        return {about, shown, *entries, *([row] if row else [])}

    def _about(self, about: str, causes: Iterable[str]) -> bool:
        wanted = self._causes(about)
        return any(
            cause in wanted or any(cause.startswith(f"{name}/") for name in wanted) for cause in causes
        )

    def check_verdict(self, item: tuple[str, Any]) -> Iterable[str]:
        name, wanted = item
        found = find_entries(self.run, self.outcome, str(name))
        if len(found) != 1:
            yield f"{name}: 当たるものが{len(found)}件あります"
            return
        want = wanted if isinstance(wanted, Mapping) else {"status": wanted}
        got = self._verdict(found[0])
        codes = [reason.code for reason in got["reasons"]]
        for key, column in (("status", "effective"), ("machine", "machine")):
            allowed = want.get(key)
            if allowed is not None and got[column] not in (
                allowed if isinstance(allowed, list) else [allowed]
            ):
                yield f"{name} {key}: 期待 {allowed}、実際 {got[column]} {codes}"
        if "reason" in want and want["reason"] not in codes:
            yield f"{name} reason: 期待 {want['reason']}、実際 {codes}"
        if "cites" in want and not any(
            _plain(r.section).startswith(_plain(want["cites"])) for r in got["reasons"]
        ):
            yield f"{name} cites: 期待 {want['cites']}、実際 {[r.section for r in got['reasons']]}"
        if "ruling" in want and want["ruling"] not in [note.ruling for note in got["notes"]]:
            yield f"{name} ruling: 期待 {want['ruling']}、実際 {[note.ruling for note in got['notes']]}"

    def check_balance(self, item: Mapping[str, Any]) -> Iterable[str]:
        at = self.run.instant(item["at"])
        base = self.run.start.opening
        got = balance(self.outcome.postings, str(item["who"]), str(item["account"]), at)
        got += base.balances.get((str(item["who"]), str(item["account"])), 0)
        if got != int(item["is"]):
            yield f"{item['who']} {item['account']} {item['at']}: 期待 {item['is']}、実際 {got}"

    def check_hold(self, item: Mapping[str, Any]) -> Iterable[str]:
        wanted = item["what"] if isinstance(item["what"], list) else [item["what"]]
        rows = self.outcome.holdings
        mine = rows.loc[rows["player"].eq(str(item["who"])) & rows["what"].isin([str(w) for w in wanted])]
        for key, column in (("from", "start"), ("to", "stop")):
            if item.get(key):
                mine = mine.loc[mine[column] == self.run.instant(item[key])]
        if mine["what"].nunique() != 1:
            held = rows.loc[rows["player"].eq(str(item["who"]))]
            zone = self.run.settings.zone
            got = [
                f"{what} {show_instant(start, zone)}〜{show_instant(stop, zone)}"
                for what, start, stop in zip(held["what"], held["start"], held["stop"], strict=True)
            ]
            yield f"{dict(item)} がありません。実際 {got}"

    def check_no_hold(self, item: Mapping[str, Any]) -> Iterable[str]:
        at = self.run.instant(item["at"])
        rows = self.outcome.holdings
        mine = rows["player"].eq(str(item["who"])) & rows["what"].eq(str(item["what"]))
        if (mine & (rows["start"] <= at) & (rows["stop"] > at)).any():
            yield f"{item['who']} は {item['at']} に {item['what']} を持っています"

    def check_list(self, item: Mapping[str, Any]) -> Iterable[str]:
        name, at = str(item["name"]), self.run.instant(item["at"]) if item.get("at") else self.run.as_of
        got = self.run.game.list_names(self.outcome, name, str(item.get("key", "")), at)
        got = [self._event_of(value) for value in got]
        want = [[str(v) for v in value] if isinstance(value, list) else str(value) for value in item["is"]]
        if name in ORDERED:
            same = [_place(v) for v in got] == [_place(v) for v in want]
        else:
            same = Counter(map(_place, got)) == Counter(map(_place, want))
        if not same:
            yield f"{name} {item.get('key', '')}: 期待 {want}、実際 {got}"

    def _event_of(self, value: Any) -> Any:
        rows = self.outcome.verdicts
        hit = rows.loc[rows["entry_id"].eq(value)] if isinstance(value, str) else rows.iloc[:0]
        if hit.empty:
            return value
        event = next((s.event for s in self.run.sent if s.revision == hit["revision"].iat[0]), value)
        mates = rows["revision"].eq(str(hit["revision"].iat[0]))
        return event if mates.sum() == 1 else f"{event}/{str(hit['key'].iat[0])[5:]}"

    def _tasks(self, item: Mapping[str, Any]) -> list[Task]:
        return [task for task in self._candidates(item) if self._fits(task, item)]

    def _candidates(self, item: Mapping[str, Any]) -> Sequence[Task]:
        if item.get("kind") != LINE:
            return self.outcome.tasks
        return show_line(self.run, self.run.instant(item["at"]) if "at" in item else self.run.as_of)

    def _fits(self, task: Task, item: Mapping[str, Any]) -> bool:
        text = f"{task.title}\n{task.body}"
        tests: Mapping[str, Callable[[Any], bool]] = {
            "kind": lambda want: task.kind == want,
            "about": lambda want: self._about(str(want), task.causes),
            "to": lambda want: set(task.to) == {str(v) for v in want},
            "title": lambda want: task.title == want,
            "release": lambda want: self._is_instant(task.release, want),
            "due": lambda want: self._is_due(task, want),
            "contains": lambda want: all(str(v) in text for v in want),
            "lacks": lambda want: all(str(v) not in text for v in want),
        }
        return all(tests[key](want) for key, want in item.items() if key in tests)

    def _is_instant(self, got: pd.Timestamp | None, want: Any) -> bool:
        if got is None:
            return want is None
        if isinstance(want, list):
            low, high = (None if v is None else self.run.instant(v) for v in want)
            return (low is None or got >= low) and (high is None or got <= high)
        return want is not None and got == self.run.instant(want)

    def _is_due(self, task: Task, want: Any) -> bool:
        if not isinstance(want, list):
            return self._is_instant(task.due, want)
        low, high = (None if v is None else self.run.instant(v) for v in want)
        soon = low is None or (task.release is not None and task.release >= low)
        return soon and (high is None or (task.due is not None and task.due <= high))

    def check_task(self, item: Mapping[str, Any]) -> Iterable[str]:
        if not self._tasks(item):
            zone = self.run.settings.zone
            near = [
                f"{t.kind} {t.title} to={list(t.to)} {show_instant(t.release, zone)}〜{show_instant(t.due, zone)} {t.body!r}"
                for t in self._candidates(item)
                if t.kind == item.get("kind") and item.get("title", t.title) == t.title
            ][:4]
            yield f"{dict(item)} がありません。近いもの {near}"

    def check_no_task(self, item: Mapping[str, Any]) -> Iterable[str]:
        for task in self._tasks(item)[:1]:
            yield f"{dict(item)} があります: {task.kind} {task.title}"

    def check_alert(self, item: Mapping[str, Any]) -> Iterable[str]:
        alerts = self._tasks({**{k: v for k, v in item.items() if k != "at"}, "kind": "alert"})
        if not any("at" not in item or self._is_instant(alert.due, item["at"]) for alert in alerts):
            yield f"{dict(item)} がありません"

    def _flagged(self, item: Mapping[str, Any]) -> bool:
        wanted = self._causes(str(item["about"]))
        rows = self.outcome.verdicts
        for entry, notes in zip(rows["entry_id"], rows["notes"], strict=True):
            if entry in wanted and any(note.ruling == item["ruling"] for note in notes):
                return True
        return any(
            flag.note.ruling == item["ruling"] and self._about(str(item["about"]), flag.causes)
            for flag in self.outcome.flags
        )

    def check_flag(self, item: Mapping[str, Any]) -> Iterable[str]:
        if not self._flagged(item):
            yield f"{dict(item)} がありません"

    def check_no_flag(self, item: Mapping[str, Any]) -> Iterable[str]:
        if self._flagged(item):
            yield f"{dict(item)} があります"

    def _findings(self, item: Mapping[str, Any]) -> list[Finding]:
        stale = [
            Finding("stale", str(entry), "", str(entry))
            for entry, is_stale in zip(
                self.outcome.verdicts["entry_id"], self.outcome.verdicts["stale"], strict=True
            )
            if is_stale
        ]
        return [
            finding
            for finding in (*self.outcome.findings, *stale)
            if item.get("code", finding.code) == finding.code
            and ("about" not in item or self._about(str(item["about"]), [finding.about]))
        ]

    def check_finding(self, item: Mapping[str, Any]) -> Iterable[str]:
        if not self._findings(item):
            yield f"{dict(item)} がありません。実際 {[(f.code, f.about) for f in self.outcome.findings]}"

    def check_no_finding(self, item: Mapping[str, Any]) -> Iterable[str]:
        for finding in self._findings(item)[:1]:
            yield f"{dict(item)} があります: {finding.message}"

    def check_time(self, item: Mapping[str, Any]) -> Iterable[str]:
        found = find_entries(self.run, self.outcome, str(item["about"]))
        got = self.run.game.instant_of(self.outcome, found[0], str(item["what"])) if len(found) == 1 else None
        if got is None or floor_second(got) != floor_second(self.run.instant(item["is"])):
            yield f"{dict(item)}: 実際 {show_instant(got, self.run.settings.zone, 'なし')}"

    def check_nothing(self, item: Mapping[str, Any]) -> Iterable[str]:
        yield f"{dict(item)}: この種類の期待はまだ判定できません"


def _find_unknown_keys(kind: str, item: Any) -> Iterable[str]:
    """A misspelt key would be an expectation that nobody checks."""
    wanted = item[1] if isinstance(item, tuple) else item
    for key in wanted if isinstance(wanted, Mapping) and kind in _KEYS else ():
        if key not in _KEYS[kind]:
            yield f"知らないキー「{key}」です。使えるもの: {'、'.join(_KEYS[kind])}"


def _place(value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, list) else value


def _plain(text: Any) -> str:
    return unicodedata.normalize("NFKC", str(text)).replace(" ", "")


_CHECKS: Mapping[str, Callable[[Checker, Any], Iterable[str]]] = {
    "verdicts": Checker.check_verdict,
    "balances": Checker.check_balance,
    "holds": Checker.check_hold,
    "no_holds": Checker.check_no_hold,
    "lists": Checker.check_list,
    "tasks": Checker.check_task,
    "no_tasks": Checker.check_no_task,
    "alerts": Checker.check_alert,
    "flags": Checker.check_flag,
    "no_flags": Checker.check_no_flag,
    "findings": Checker.check_finding,
    "no_findings": Checker.check_no_finding,
    "times": Checker.check_time,
    "elapsed": Checker.check_nothing,
}

_TASK = ("kind", "about", "to", "title", "release", "due", "contains", "lacks", "at")
_KEYS: Mapping[str, tuple[str, ...]] = {
    "verdicts": ("status", "reason", "cites", "ruling", "machine"),
    "balances": ("at", "who", "account", "is"),
    "holds": ("who", "what", "from", "to"),
    "no_holds": ("who", "what", "at"),
    "lists": ("name", "key", "at", "is"),
    "tasks": _TASK,
    "no_tasks": _TASK,
    "alerts": _TASK,
    "flags": ("about", "ruling"),
    "no_flags": ("about", "ruling"),
    "findings": ("code", "about"),
    "no_findings": ("code", "about"),
}
