"""`check` must fail when a case is wrong: each kind of expectation once true and once turned over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.check import run_checks
from pipeline.settings import ConfigError
from pipeline.troubles import UsageError

GIVEN = """
  given:
    players: [{name: 甲, role: 星術師}, {name: 乙, role: 星術師}]
    constellations: [{name: 竈座, main: 炎, rank: 1, cost: {2: 1}, effects: [薪くべ]}]
    effects: [{name: 薪くべ, constellation: 竈座, when: attack, does: "a +10"}]
    state: {甲: {points: 500, stars: {2: 1}}}
"""
SIGNUP = "{id: f1, at: 2026-10-12 12:00:00, form: signup, from: 甲, answers: {event_dates: [10-13]}}"
EDGE = '{id: f1, at: "2026-10-12 23:59:59.5", form: signup, from: 甲, answers: {event_dates: [10-13]}}'
LATE = "{id: f1, at: 2026-10-13 00:00:00, form: signup, from: 甲, answers: {event_dates: [10-13]}}"
WISH = "{id: f1, at: 2026-10-12 12:00:00, form: signup, from: 甲, answers: {event_dates: [10-13], note: 辞退します}}"
WRONG = "{id: f1, at: 2026-10-12 12:00:00, form: signup, from: 甲, passphrase: ホシ, answers: {event_dates: [10-13]}}"
COPY = "{id: f1, at: 2026-10-12 12:00:00, form: replication, from: 甲, answers: {date: 10-13, constellation: 竈座, stars_2: 1}}"
SHORT = "{id: f1, at: 2026-10-12 12:00:00, form: replication, from: 乙, answers: {date: 10-13, constellation: 竈座, stars_2: 1}}"
ALSO = "{id: f2, at: 2026-10-12 13:00:00, form: replication, from: 甲, answers: {date: 10-14, constellation: 竈座, stars_2: 1}}"
TAKEN = "{at: 2026-10-13 02:00:00, decision: f1, ruling: 受理, by: M}"


def write_case(then: str, *events: str, case_id: str = "X-1", more: str = "") -> str:
    lines = "".join(f"\n    - {event}" for event in events)
    return f"- id: {case_id}\n  cite: １章\n  title: t{more}{GIVEN}  events:{lines}\n  then:\n    {then}\n"


def run(folder: Path, text: str) -> tuple[int, list[str]]:
    path = folder / "kanada" / "cases.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    said: list[str] = []
    return run_checks([path], None, said.append), said


# name: events, what holds, what does not, and what the failing line must name (expected, got)
FLIPS = {
    "status": ([SIGNUP], "verdicts: {f1: 受理}", "verdicts: {f1: 不受理}", ("f1", "不受理", "受理")),
    "status of several": ([LATE], "verdicts: {f1: {status: [受理, 期限後]}}", "verdicts: {f1: {status: [受理, 差替]}}", ("f1", "['受理', '差替']", "期限後")),
    "reason": ([LATE], "verdicts: {f1: {reason: late}}", "verdicts: {f1: {reason: role}}", ("f1", "role", "late")),
    "cites": ([LATE], "verdicts: {f1: {cites: 1章}}", "verdicts: {f1: {cites: ４章}}", ("f1", "４章", "１章 マスターイベント")),
    "ruling": ([WISH], "verdicts: {f1: {status: 要確認, ruling: A-43}}", "verdicts: {f1: {status: 要確認, ruling: A-44}}", ("f1", "A-44", "A-43")),
    "machine": ([LATE, TAKEN], "verdicts: {f1: {status: 受理, machine: 期限後}}", "verdicts: {f1: {status: 受理, machine: 受理}}", ("f1", "machine", "受理", "期限後")),
    "entry of a key": ([SIGNUP], "verdicts: {f1/10-13: 受理}", "verdicts: {f1/10-14: 受理}", ("f1/10-14", "0件")),
    "balance": ([COPY], "balances: [{at: 2026-10-12 23:59:59, who: 甲, account: star/2, is: 0}]", "balances: [{at: 2026-10-12 23:59:58, who: 甲, account: star/2, is: 0}]", ("star/2", "期待 0", "実際 1")),
    "balance without postings": ([COPY], "balances: [{at: 2026-10-12 23:59:59, who: 甲, account: card/学甲, is: 0}]", "balances: [{at: 2026-10-12 23:59:59, who: 甲, account: card/学甲, is: 10}]", ("card/学甲", "期待 10", "実際 0")),
    "hold": ([COPY], "holds: [{who: 甲, what: effect/薪くべ, from: 2026-10-13 00:00:00, to: 2026-10-14 00:00:00}]", "holds: [{who: 甲, what: effect/薪くべ, from: 2026-10-13 00:00:00, to: 2026-10-13 23:59:59}]", ("effect/薪くべ", "23:59:59", "2026-10-14 00:00:00")),
    "hold of nobody": ([COPY], "holds: [{who: 甲, what: effect/薪くべ}]", "holds: [{who: 乙, what: effect/薪くべ}]", ("乙", "実際 []")),
    "no hold": ([COPY], "no_holds: [{who: 甲, what: effect/薪くべ, at: 2026-10-14 00:00:00}]", "no_holds: [{who: 甲, what: effect/薪くべ, at: 2026-10-13 23:59:59}]", ("甲", "effect/薪くべ")),
    "list": ([SIGNUP], "lists: [{name: 参加予定者, key: 10-13, is: [甲]}]", "lists: [{name: 参加予定者, key: 10-13, is: [甲, 乙]}]", ("参加予定者", "['甲', '乙']", "['甲']")),
    "list that does not exist": ([SIGNUP], "lists: [{name: 落札, key: 1/竈座, is: []}]", "lists: [{name: 落札, key: 1/竈座, is: [甲]}]", ("落札", "['甲']", "[]")),
    "list in order": ([SIGNUP], "lists: [{name: 順位, is: [[乙, 甲]]}]", "lists: [{name: 順位, is: [甲, 乙]}]", ("順位", "['甲', '乙']", "[['甲', '乙']]")),
    "task": ([SHORT], "tasks: [{kind: mail, about: f1, to: [乙], contains: [不受理], lacks: [甲]}]", "tasks: [{kind: mail, about: f1, to: [乙], contains: [竈座が]}]", ("竈座が", "不受理")),
    "task to one": ([SHORT], "tasks: [{kind: mail, to: [乙]}]", "tasks: [{kind: mail, to: [甲, 乙]}]", ("'甲', '乙'", "to=['乙']")),
    "task release": ([SHORT], "tasks: [{kind: mail, release: [2026-10-12 23:59:59, 2026-10-13 00:00:00]}]", "tasks: [{kind: mail, release: [2026-10-13 00:00:01, null]}]", ("00:00:01", "00:00:00")),
    "task due": ([SHORT], "tasks: [{kind: mail, due: 2026-10-13 04:59:59}]", "tasks: [{kind: mail, due: 2026-10-13 05:00:00}]", ("05:00:00", "04:59:59")),
    "task due in a range": ([SHORT], "tasks: [{kind: mail, due: [2026-10-13 00:00:00, 2026-10-13 04:59:59]}]", "tasks: [{kind: mail, due: [2026-10-13 00:00:00, 2026-10-13 04:59:58]}]", ("04:59:58", "04:59:59")),
    "no task": ([SHORT], "no_tasks: [{kind: mail, to: [甲]}]", "no_tasks: [{kind: mail, to: [乙]}]", ("mail", "乙")),
    "alert": ([SIGNUP], "alerts: [{about: 10-13, at: 2026-10-13 22:00:00}]", "alerts: [{about: 10-13, at: 2026-10-13 22:00:01}]", ("10-13", "22:00:01")),
    "flag": ([EDGE], "flags: [{about: f1, ruling: A-01}]", "flags: [{about: f1, ruling: A-32}]", ("f1", "A-32")),
    "no flag": ([EDGE], "no_flags: [{about: f1, ruling: A-32}]", "no_flags: [{about: f1, ruling: A-01}]", ("f1", "A-01")),
    "finding": ([WRONG], "findings: [{code: near_miss, about: f1}]", "findings: [{code: breach, about: f1}]", ("breach", "near_miss")),
    "no finding": ([WRONG], "no_findings: [{code: breach}]", "no_findings: [{code: near_miss}]", ("near_miss",)),
    "要確認 that nobody named": ([WISH], "verdicts: {f1: {}}", "balances: [{at: 2026-10-13 00:00:00, who: 甲, account: points, is: 500}]", ("f1", "要確認", "withdrawal_wish")),
    "whatever waits": ([COPY, ALSO, "{at: 2026-10-12 20:00:00, decision: f1, ruling: 保留, by: M}"], "verdicts: {f1: 保留, f2: {status: 未定, reason: waits}}", "verdicts: {f1: 保留, f2: 不受理}", ("f2", "不受理", "未定")),
}  # fmt: skip


@pytest.mark.parametrize(("events", "right", "wrong", "names"), FLIPS.values(), ids=FLIPS)
def test_what_holds_passes_and_what_does_not_is_one_line_with_both(
    tmp_path: Path, events: list[str], right: str, wrong: str, names: tuple[str, ...]
) -> None:
    assert run(tmp_path, write_case(right, *events)) == (0, ["1 passed, 0 failed"])
    code, said = run(tmp_path, write_case(wrong, *events))
    assert (code, said[1:]) == (1, ["0 passed, 1 failed"])
    assert said[0].startswith("X-1: ")
    assert [name for name in names if name not in said[0]] == []


def test_each_failing_expectation_is_a_line_of_its_own(tmp_path: Path) -> None:
    then = "verdicts: {f1: 不受理}\n    lists: [{name: 参加予定者, key: 10-13, is: []}]"
    code, said = run(tmp_path, write_case(then, SIGNUP))
    assert [line.split()[1] for line in said[:-1]] == ["verdicts:", "lists:"]
    assert (code, said[-1]) == (1, "0 passed, 1 failed")


def test_a_case_that_fails_does_not_stop_the_next(tmp_path: Path) -> None:
    text = write_case("verdicts: {f1: 不受理}", SIGNUP) + write_case(
        "verdicts: {f1: 受理}", SIGNUP, case_id="X-2"
    )
    code, said = run(tmp_path, text)
    assert (code, len(said), said[-1]) == (1, 2, "1 passed, 1 failed")


def test_an_id_given_twice_fails_the_second_case_also_over_two_files(tmp_path: Path) -> None:
    folder = tmp_path / "kanada"
    folder.mkdir()
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text(write_case("verdicts: {f1: 受理}", SIGNUP), "utf-8")
    said: list[str] = []
    assert run_checks([folder / "a.yaml", folder / "b.yaml"], None, said.append) == 1
    assert said == [f"X-1: id が {folder / 'a.yaml'} にもあります", "1 passed, 1 failed"]


@pytest.mark.parametrize(
    ("then", "named"),
    [
        ("verdict: {f1: 受理}", "then.verdict"),
        ("verdicts: {f1: {statu: 受理}}", "statu"),
        ("balances: [{at: 2026-10-13 00:00:00, who: 甲, account: points, is: 500, unit: 点}]", "unit"),
        ("tasks: [{kind: article, titel: 星座公開}]", "titel"),
        ("no_tasks: [{kind: mail, form: 甲}]", "form"),
        ("findings: [{code: near_miss, of: f1}]", "of"),
        ("no_findings: [{cod: breach}]", "cod"),
        ("lists: [{name: 参加予定者, day: 10-13, is: []}]", "day"),
    ],
)
def test_a_misspelt_expectation_fails_instead_of_passing_unread(
    tmp_path: Path, then: str, named: str
) -> None:
    code, said = run(tmp_path, write_case(then, WRONG))
    assert code == 1
    assert any(named in line for line in said[:-1])


@pytest.mark.parametrize(
    ("event", "named"),
    [
        ("{id: f1, at: 2026-10-12 12:00:00, form: 申込, from: 甲}", "申込"),
        ("{id: f1, at: 12時, form: signup, from: 甲}", "12時"),
        ("{id: f1, at: 2026-10-12 12:00:00, form: signup, from: 甲, answers: {dates: [10-13]}}", "dates"),
        ("{at: 2026-10-12 12:00:00, decision: f9, ruling: 受理}", "f9"),
        ("{at: 2026-10-12 12:00:00, input: 補整, row: {番号: 1}}", "補整"),
    ],
)
def test_a_case_that_cannot_be_read_fails_with_the_reason(tmp_path: Path, event: str, named: str) -> None:
    code, said = run(tmp_path, write_case("lists: []", event))
    assert (code, said[-1]) == (1, "0 passed, 1 failed")
    assert named in said[0]


def test_an_unknown_parameter_or_policy_fails_the_case(tmp_path: Path) -> None:
    for config in ("{P999: {values: []}}", "{A-01: 7}", "{wrong_passphrase_from_registered_address: maybe}"):
        code, said = run(tmp_path, write_case("verdicts: {f1: 受理}", SIGNUP, more=f"\n  config: {config}"))
        assert (code, said[-1]) == (1, "0 passed, 1 failed"), config


def test_what_is_no_list_of_cases_is_one_error_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="事例の一覧"):
        run(tmp_path, "id: X-1\n")
    with pytest.raises(UsageError, match=r"2行.*id・cite・then"):
        run(tmp_path, "\n- id: X-1\n  title: t\n")
    with pytest.raises(ConfigError, match="4行: キー「then」が2つ"):
        run(tmp_path, "- id: X-1\n  cite: c\n  then: {}\n  then: {}\n")
    with pytest.raises(UsageError, match="ファイルがありません"):
        run_checks([tmp_path / "kanada" / "none.yaml"], None, print)


def test_a_file_in_a_folder_of_no_game_needs_the_game_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(write_case("verdicts: {f1: 受理}", SIGNUP), "utf-8")
    said: list[str] = []
    assert run_checks([path], "kanada", said.append) == 0
    with pytest.raises(ConfigError, match="というゲームはありません"):
        run_checks([path], "chess", said.append)


def test_the_whole_machine_gives_a_word_of_the_case_only_as_digest(tmp_path: Path) -> None:
    """A failing line may be shown to anybody: it repeats no secret word."""
    code, said = run(tmp_path, write_case("verdicts: {f1: 受理}", WRONG))
    assert code == 1
    assert "ホシ" not in "".join(said)
