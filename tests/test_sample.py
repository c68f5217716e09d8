"""The bundled sample: the same bytes every time, and everything planted in it is ruled as its list says."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pipeline.archive import Archive
from pipeline.config import load_config
from pipeline.cycle import Report, run_cycle
from pipeline.journal import read_known
from rules.clock import read_date

ROOT = Path(__file__).parent.parent
SAMPLE = ROOT / "samples" / "kanada"


def _read_planted() -> list[dict[str, str]]:
    with (SAMPLE / "planted.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


PLANTED = _read_planted()
Key = tuple[str, str, str]


class Ran:
    """One real cycle on a copy of the sample, as recorded."""

    def __init__(self, report: Report, verdicts: Mapping[str, Mapping[str, Any]], folder: Path) -> None:
        self.report = report
        self.folder = folder
        self.by_key: dict[Key, list[Mapping[str, Any]]] = {}
        for verdict in verdicts.values():
            key = (str(verdict["form"]), str(verdict["response_id"]), _short(str(verdict["key"])))
            self.by_key.setdefault(key, []).append(verdict)


def _short(key: str) -> str:
    """`10-13` or `10-13/…`, as the list of what was planted names a key."""
    head, slash, rest = key.partition("/")
    day = read_date(head, 2026)
    return f"{day.strftime('%m-%d')}{slash}{rest}" if day else key


def _key(row: Mapping[str, str]) -> Key:
    return row["form"], row["回答ID"], row["対象キー"]


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    """The cycle runs once a session: every test here reads the same record."""
    folder = tmp_path_factory.mktemp("sample")
    shutil.copytree(SAMPLE, folder / "samples" / "kanada")
    shutil.copy(ROOT / "config.yaml", folder / "config.yaml")
    config = load_config(folder / "config.yaml")
    assert config.as_of is not None
    report = run_cycle(config, config.as_of)
    with Archive.open(config.archive) as archive:
        yield Ran(report, read_known(archive).verdicts, folder)


def test_the_sample_is_made_anew_to_the_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(ROOT / "samples" / "make_kanada.py"), str(tmp_path)], check=True)
    made = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    kept = {path.relative_to(SAMPLE): path.read_bytes() for path in SAMPLE.rglob("*") if path.is_file()}
    assert sorted(made) == sorted(kept)
    assert [str(name) for name in sorted(made) if made[name] != kept[name]] == []


RULED_BY_STATE = {
    "A-0001": ("成立", ""),
    "A-0002": ("不成立", "cooldown"),
    "A-0003": ("成立", ""),
    "A-0019": ("成立", ""),
    "A-0024": ("成立", ""),
    "A-0030": ("不成立", "not_superior"),
    "A-0035": ("成立", ""),
    "A-0040": ("成立", ""),
    "Q-0014": ("要確認", "wrong_channel"),
}
"""Rows that the list leaves open because they follow from the state of the game: what it says in words."""


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=f"{row['kind']}-{row['回答ID']}-{row['対象キー']}") for row in PLANTED]
)
def test_what_was_planted_is_ruled_as_planned(ran: Ran, row: Mapping[str, str]) -> None:
    found = ran.by_key.get(_key(row), [])
    if row["form"] == "board" and not row["判定"]:
        # 観測 and 占星 are not ruled yet: the list leaves them open, and so does the machine.
        assert {verdict["effective"] for verdict in found} <= {"", "未定"}
        return
    assert len(found) == 1
    verdict = found[0]
    codes = [reason["code"] for reason in verdict["reasons"]]
    status, code = (row["判定"], row["理由"]) if row["判定"] else RULED_BY_STATE[row["回答ID"]]
    assert verdict["effective"] == status, codes
    assert verdict["preview"] == row["見込み"], codes
    if code:
        assert codes[0] == code
    if row["見込みの理由"]:
        assert codes[1] == row["見込みの理由"]
    assert _noted(verdict) == row["注意"].split() + _on_the_eve_of_rest(verdict)


def _noted(verdict: Mapping[str, Any]) -> list[str]:
    return [note["ruling"] for note in verdict["notes"]]


def _on_the_eve_of_rest(verdict: Mapping[str, Any]) -> list[str]:
    """Whatever is granted on 10-17 ends as the rest day begins, planted or not (A-05)."""
    granted = "受理" in (verdict["effective"], verdict["preview"])
    return ["A-05"] if verdict["form"] == "replication" and verdict["key"] == "2026-10-17" and granted else []


_SENT = (("受理", ""), ("未定", "受理"), ("差替", ""))
ORDINARY: Mapping[str, Collection[tuple[str, str]]] = {
    "signup": _SENT,
    "replication": _SENT,
    "effect": _SENT,
    "attack": (("成立", ""),),
    "inquiry": (("受理", ""),),
    "board": (("", ""), ("未定", ""), ("受理", "")),
}
"""By form: the verdicts, with their previews, of whatever nobody planted."""


def test_whatever_was_not_planted_is_ordinary(ran: Ran) -> None:
    planted = {_key(row) for row in PLANTED}
    odd = {
        key: (verdict["effective"], verdict["preview"])
        for key, verdicts in ran.by_key.items()
        for verdict in verdicts
        if key not in planted and (verdict["effective"], verdict["preview"]) not in ORDINARY[key[0]]
    }
    assert odd == {}


def test_whatever_was_not_planted_carries_no_open_point(ran: Ran) -> None:
    planted = {_key(row) for row in PLANTED}
    noted = {
        key: _noted(verdict)
        for key, verdicts in ran.by_key.items()
        for verdict in verdicts
        if key not in planted and _noted(verdict) != _on_the_eve_of_rest(verdict)
    }
    assert noted == {}


def test_the_plants_are_of_many_kinds_and_meet_every_status() -> None:
    assert len({row["kind"] for row in PLANTED}) >= 15
    statuses = {row["判定"] for row in PLANTED}
    assert statuses >= {
        "受理",
        "不受理",
        "期限後",
        "差替",
        "本人不一致",
        "対象外",
        "要確認",
        "未定",
        "成立",
        "不成立",
    }


def test_no_two_plants_are_the_same_entry() -> None:
    keys = [_key(row) for row in PLANTED]
    assert len(keys) == len(set(keys))


def test_no_form_sits_the_sample_run_out_and_every_response_has_an_entry(ran: Ran) -> None:
    assert (ran.report.sat_out, ran.report.exit_code) == ((), 0)
    files = {path.stem: path for path in (SAMPLE / "responses").glob("*.csv")} | {
        "board": SAMPLE / "board.csv"
    }
    assert set(files) == set(ORDINARY)
    read = 0
    for form, path in files.items():
        with path.open(encoding="utf-8", newline="") as file:
            ids = {row["番号" if form == "board" else "回答ID"] for row in csv.DictReader(file)}
        ruled = {response for name, response, _key in ran.by_key if name == form}
        # A post that is no report of anything is read and not ruled.
        assert ruled <= ids if form == "board" else ruled == ids
        read += len(ids)
    assert ran.report.fresh == read


def test_a_second_run_of_the_same_instant_writes_nothing(ran: Ran, tmp_path: Path) -> None:
    """On its own copy, for the record of the session is shared."""
    shutil.copytree(ran.folder, tmp_path / "copy")
    config = load_config(tmp_path / "copy" / "config.yaml")
    assert config.as_of is not None
    report = run_cycle(config, config.as_of + pd.Timedelta(seconds=1))
    assert (report.fresh, report.changes, report.sheets, report.files) == (0, (), (), ())


def test_no_secret_word_of_the_sample_is_archived_or_published(ran: Ran) -> None:
    with (SAMPLE / "private" / "passphrases.csv").open(encoding="utf-8", newline="") as file:
        words = sorted({row["あいことば"] for row in csv.DictReader(file) if row["あいことば"]})
    public = {path: path.read_bytes() for path in (ran.folder / "out").rglob("*") if path.is_file()}
    for path in (ran.folder / "var").rglob("*"):
        if path.suffix in (".sqlite", ".log"):
            public[path] = path.read_bytes()
    assert len(public) > 10
    # Short words are part of ordinary texts; what cannot be there by chance is a word of five letters or more.
    long_words = [word for word in words if len(word) >= 5]
    assert len(long_words) >= 8
    assert [(w, p.name) for w in long_words for p, content in public.items() if w.encode() in content] == []
