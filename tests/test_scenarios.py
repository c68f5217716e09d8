"""Every scenario of 輝流堕2026 holds, and the files are what SCENARIOS says a scenario file is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from rulebook_headings import HEADINGS, SECTIONS

from pipeline.check import check_case
from pipeline.expect import _CHECKS
from pipeline.yamltext import read_yaml

FOLDER = Path(__file__).parent.parent / "scenarios" / "kanada"
FILES = sorted(FOLDER.glob("*.yaml"))
REQUIRED = {"id", "cite", "title", "then"}
ALLOWED = REQUIRED | {"given", "events", "config", "as_of", "cycles"}
GIVEN = {"at", "players", "constellations", "effects", "balls", "calendar", "state"}
KINDS = {
    "form": {"id", "at", "form", "from", "email", "passphrase", "answers", "seen"},
    "edits": {"id", "at", "edits", "from", "email", "passphrase", "answers", "seen"},
    "input": {"id", "at", "input", "row", "double"},
    "decision": {"id", "at", "decision", "ruling", "by", "note", "columns"},
    "withdraw": {"id", "at", "withdraw"},
    "publish": {"id", "at", "publish"},
    "post": {"id", "at", "post", "seen"},
    "sent": {"id", "at", "sent"},
}


def _cases(path: Path) -> list[Mapping[str, Any]]:
    document = read_yaml(path)
    assert document.faults == ()
    cases: list[Mapping[str, Any]] = document.data
    return cases


CASES = [(path, case) for path in FILES for case in _cases(path)]
NAMED = [pytest.param(path, case, id=str(case["id"])) for path, case in CASES]


@pytest.mark.parametrize(("path", "case"), NAMED)
def test_the_case_holds(path: Path, case: Mapping[str, Any]) -> None:
    assert check_case(case, path.parent.name) == []


@pytest.mark.parametrize(("path", "case"), NAMED)
def test_the_case_is_written_in_the_format(path: Path, case: Mapping[str, Any]) -> None:
    assert set(case) >= REQUIRED, path
    assert set(case) <= ALLOWED, path
    assert set(case.get("given") or {}) <= GIVEN
    assert set(case["then"]) <= set(_CHECKS)
    assert case["then"], "a case that expects nothing proves nothing"
    assert "given" in case or "config" in case or "events" in case


@pytest.mark.parametrize(("path", "case"), NAMED)
def test_each_event_is_of_one_kind_and_has_its_keys_only(path: Path, case: Mapping[str, Any]) -> None:
    for event in case.get("events") or []:
        kinds = [kind for kind in KINDS if kind in event]
        assert len(kinds) == 1, (path, event)
        assert set(event) <= KINDS[kinds[0]], (path, event)
        assert "at" in event or kinds[0] in ("input", "withdraw"), (path, event)


@pytest.mark.parametrize(("path", "case"), NAMED)
def test_the_case_cites_a_heading_of_the_rules(path: Path, case: Mapping[str, Any]) -> None:
    for cited in str(case["cite"]).replace("、", ",").split(","):
        assert cited.strip() in SECTIONS | set(HEADINGS), path


def test_ids_are_unique_over_all_files() -> None:
    counts = Counter(str(case["id"]) for _path, case in CASES)
    assert [name for name, number in counts.items() if number > 1] == []


def test_titles_are_unique_so_that_a_failure_says_what_broke() -> None:
    counts = Counter(str(case["title"]) for _path, case in CASES)
    assert [title for title, number in counts.items() if number > 1] == []


def test_event_ids_are_unique_within_a_case() -> None:
    for _path, case in CASES:
        ids = [event["id"] for event in case.get("events") or [] if "id" in event]
        assert len(ids) == len(set(ids)), case["id"]


def test_there_are_sixty_cases_or_more() -> None:
    assert len(CASES) >= 60


def test_all_kinds_of_expectation_are_used_somewhere() -> None:
    used = {kind for _path, case in CASES for kind in case["then"]}
    decidable = set(_CHECKS) - {"times", "elapsed"}
    assert decidable - used == set()


def test_all_machine_statuses_of_forms_appear() -> None:
    seen: set[str] = set()
    for _path, case in CASES:
        for want in (case["then"].get("verdicts") or {}).values():
            status = want.get("status") if isinstance(want, Mapping) else want
            seen |= set(status if isinstance(status, list) else [status]) - {None}
    assert seen >= {"受理", "不受理", "期限後", "差替", "本人不一致", "対象外", "要確認", "未定", "保留"}
