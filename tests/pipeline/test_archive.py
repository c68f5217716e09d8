"""The archive keeps everything once, changes nothing, and lands whole or not at all."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import archive_schema
from pipeline.archive import JOURNAL, Archive, ArchiveError
from pipeline.archive_schema import TABLES
from rules.frames import DECISIONS, INPUTS, RESPONSES, REVISIONS, conform

DAY_1 = pd.Timestamp("2026-10-01 09:00:00", tz="Asia/Tokyo")
DAY_2 = DAY_1 + pd.Timedelta(days=1)
DAY_3 = DAY_1 + pd.Timedelta(days=2)
DAY_4 = DAY_1 + pd.Timedelta(days=3)
SENT = pd.Timestamp("2026-09-30 21:00:00.123456", tz="UTC")


def response(response_id: str, word: str = "a", at: pd.Timestamp = SENT, **changes: Any) -> dict[str, Any]:
    row = {
        "response_id": response_id,
        "submitted_at": at,
        "submitted_text": str(at),
        "created_at": pd.NaT,
        "address": "one@example.com",
        "answers": {"name": word, "event_dates": ["2026-10-03"]},
        "place": "signup.csv 2行",
    }
    return {**row, **changes}


def pull(*rows: dict[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=list(RESPONSES.columns))
    times = {name: pd.to_datetime(frame[name], utc=True) for name in ("submitted_at", "created_at")}
    return conform(frame.assign(**times), RESPONSES)


def count_rows(path: Path) -> int:
    with sqlite3.connect(path) as db:
        total = sum(db.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in TABLES)
    db.close()
    return total


def withdrawals(archive: Archive) -> dict[str, pd.Timestamp | None]:
    frame = archive.revisions()
    return {
        row.response_id: None if pd.isna(row.withdrawn_at) else row.withdrawn_at for row in frame.itertuples()
    }


def record_everything(archive: Archive) -> None:
    archive.record_responses("signup", pull(response("r1"), response("r2")), DAY_1, complete=True)
    archive.record_responses("signup", pull(response("r1")), DAY_2, complete=True)
    archive.record_inputs("balls", {"k": '{"a":"1"}'}, DAY_1, complete=True)
    archive.record_decisions("review", {"e": '{"判定":"受理"}'}, {"e": "b1"}, DAY_1)
    archive.record_read("signup", DAY_1, complete=True, rows=2)
    archive.record_run(DAY_1, "{}")
    archive.sync_journal("postings", {"p": "{}"}, DAY_1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "var" / "archive.sqlite"


@pytest.fixture
def archive(path: Path) -> Any:
    with Archive.open(path) as opened:
        yield opened


# Append-only


@pytest.mark.parametrize("recursive", ["OFF", "ON"])
@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_refuses_update_delete_and_replace(table: str, recursive: str, path: Path) -> None:
    with Archive.open(path) as archive:
        record_everything(archive)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA recursive_triggers = {recursive}")
    before = list(db.execute(f"SELECT * FROM {table} ORDER BY seq"))
    assert before
    first = before[0]
    marks = ", ".join("?" * len(first))
    attempts = [
        (f"UPDATE {table} SET seq = seq + 100", ()),
        (f"UPDATE OR REPLACE {table} SET seq = 1", ()),
        (f"DELETE FROM {table} WHERE seq = 1", ()),
        (f"DELETE FROM {table}", ()),
        (f"INSERT OR REPLACE INTO {table} VALUES ({marks})", first),
        (f"REPLACE INTO {table} VALUES ({marks})", first),
        (f"INSERT OR IGNORE INTO {table} VALUES ({marks})", first),
        (f"INSERT INTO {table} VALUES ({marks}) ON CONFLICT DO UPDATE SET seq = 99", first),
    ]
    for sql, values in attempts:
        with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
            db.execute(sql, values)
    assert list(db.execute(f"SELECT * FROM {table} ORDER BY seq")) == before
    db.close()


@pytest.mark.parametrize("recursive", ["OFF", "ON"])
def test_a_revision_cannot_be_replaced_through_its_key_under_a_new_seq(recursive: str, path: Path) -> None:
    with Archive.open(path) as archive:
        record_everything(archive)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(f"PRAGMA recursive_triggers = {recursive}")
    row = list(db.execute("SELECT * FROM revisions WHERE seq = 1").fetchone())
    row[0], row[8] = 999, '{"name":"forged"}'
    with pytest.raises(sqlite3.IntegrityError, match="revisions is append-only"):
        db.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    db.close()


# Responses


def test_recording_the_same_again_adds_no_row_anywhere(archive: Archive, path: Path) -> None:
    rows = pull(response("r1"), response("", "b"), response("r3", created_at=SENT))
    inputs, decisions, journal = {"k": "{}", "l": "{}"}, {"e": '{"判定":"受理"}'}, {"p": "{}"}
    assert archive.record_responses("signup", rows, DAY_1, complete=True) == 3
    assert archive.record_inputs("balls", inputs, DAY_1, complete=True) == 2
    assert archive.record_decisions("review", decisions, {"e": "b1"}, DAY_1) == 1
    assert archive.sync_journal("postings", journal, DAY_1) == (["p"], [])
    before = count_rows(path)
    assert archive.record_responses("signup", rows, DAY_2, complete=True) == 0
    assert archive.record_inputs("balls", inputs, DAY_2, complete=True) == 0
    assert archive.record_decisions("review", decisions, {"e": "b2"}, DAY_2) == 0
    assert archive.sync_journal("postings", journal, DAY_2) == ([], [])
    assert count_rows(path) == before == 7
    assert set(archive.revisions()["first_seen"]) == {DAY_1}


def test_an_edit_adds_a_revision_beside_the_first(archive: Archive) -> None:
    archive.record_responses("signup", pull(response("r1", "a", created_at=SENT)), DAY_1, complete=True)
    edited = response("r1", "b", SENT + pd.Timedelta(microseconds=1), created_at=SENT)
    assert archive.record_responses("signup", pull(edited), DAY_2, complete=True) == 1
    frame = archive.revisions()
    assert [json.loads(text)["name"] for text in frame["answers"]] == ["a", "b"]
    assert frame["answers"][0] == '{"event_dates":["2026-10-03"],"name":"a"}'
    assert list(frame["first_seen"]) == [DAY_1, DAY_2]
    assert list(frame["created_at"]) == [SENT, SENT]
    assert list(frame["submitted_at"]) == [SENT, SENT + pd.Timedelta(microseconds=1)]
    assert frame["withdrawn_at"].isna().all()
    assert archive.present_rows("signup") == 1


def test_a_resubmission_of_the_same_answers_a_microsecond_later_is_another_revision(archive: Archive) -> None:
    rows = pull(response("r1"), response("r1", at=SENT + pd.Timedelta(microseconds=1)))
    assert archive.record_responses("signup", rows, DAY_1, complete=True) == 2


def test_the_order_in_which_answers_came_does_not_make_a_revision(archive: Archive) -> None:
    one = response("r1", answers={"a": "1", "b": "２"})
    other = response("r1", answers={"b": "２", "a": "1"})
    archive.record_responses("signup", pull(one), DAY_1, complete=True)
    assert archive.record_responses("signup", pull(other), DAY_2, complete=True) == 0
    assert list(archive.revisions()["answers"]) == ['{"a":"1","b":"２"}']


def test_without_an_id_the_id_is_made_of_form_address_time_and_answers(archive: Archive) -> None:
    rows = [
        response("", address="One@Example.com "),
        response("", address="one@example.com"),
        response("", address="two@example.com"),
        response("", at=SENT + pd.Timedelta(microseconds=1)),
        response("", "b"),
    ]
    assert archive.record_responses("signup", pull(*rows), DAY_1, complete=True) == 4
    assert archive.record_responses("attack", pull(rows[0]), DAY_1, complete=True) == 1
    ids = archive.revisions()["response_id"]
    assert ids.nunique() == 5
    assert set(ids.str.fullmatch("[0-9a-f]{24}")) == {True}
    assert set(archive.revisions()["revision"].str.fullmatch("[0-9a-f]{16}")) == {True}


def test_only_a_complete_read_withdraws(archive: Archive) -> None:
    archive.record_responses("signup", pull(response("r1"), response("r2")), DAY_1, complete=True)
    archive.record_responses("attack", pull(response("r3")), DAY_1, complete=True)
    archive.record_responses("signup", pull(response("r1")), DAY_2, complete=False)
    assert withdrawals(archive) == {"r1": None, "r2": None, "r3": None}
    assert archive.present_rows("signup") == 2
    archive.record_responses("signup", pull(response("r1")), DAY_3, complete=True)
    assert withdrawals(archive) == {"r1": None, "r2": DAY_3, "r3": None}
    assert archive.present_rows("signup") == 1
    archive.record_responses("signup", pull(response("r1")), DAY_4, complete=True)
    assert withdrawals(archive)["r2"] == DAY_3


def test_a_withdrawal_marks_all_revisions_of_its_response(archive: Archive) -> None:
    archive.record_responses("signup", pull(response("r1", "a"), response("r1", "b")), DAY_1, complete=True)
    archive.record_responses("signup", pull(), DAY_2, complete=True)
    assert list(archive.revisions()["withdrawn_at"]) == [DAY_2, DAY_2]
    assert archive.present_rows("signup") == 0


@pytest.mark.parametrize("complete", [True, False])
def test_a_response_seen_again_is_no_longer_withdrawn(archive: Archive, complete: bool) -> None:
    archive.record_responses("signup", pull(response("r1")), DAY_1, complete=True)
    archive.record_responses("signup", pull(), DAY_2, complete=True)
    assert archive.record_responses("signup", pull(response("r1")), DAY_3, complete=complete) == 0
    assert withdrawals(archive) == {"r1": None}
    archive.record_responses("signup", pull(), DAY_4, complete=True)
    assert withdrawals(archive) == {"r1": DAY_4}


def test_presence_may_change_twice_at_the_same_instant(archive: Archive) -> None:
    archive.record_responses("signup", pull(response("r1")), DAY_1, complete=True)
    archive.record_responses("signup", pull(), DAY_1, complete=True)
    archive.record_responses("signup", pull(response("r1")), DAY_1, complete=True)
    assert withdrawals(archive) == {"r1": None}


def test_an_older_export_changes_nothing_but_presence(archive: Archive) -> None:
    old = pull(response("r1", "a"))
    new = pull(response("r1", "b", SENT + pd.Timedelta(hours=1)), response("r2"))
    archive.record_responses("signup", old, DAY_1, complete=True)
    archive.record_responses("signup", new, DAY_2, complete=True)
    before = archive.revisions().drop(columns="withdrawn_at")
    assert archive.record_responses("signup", old, DAY_3, complete=True) == 0
    pd.testing.assert_frame_equal(archive.revisions().drop(columns="withdrawn_at"), before)
    assert withdrawals(archive) == {"r1": None, "r2": DAY_3}


EXPORTS = st.lists(
    st.lists(
        st.tuples(st.sampled_from(["", "r1", "r2"]), st.sampled_from("ab"), st.integers(0, 2)), max_size=5
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(exports=EXPORTS, data=st.data())
def test_the_order_of_exports_does_not_change_the_set_of_revisions(
    exports: list[list[tuple[str, str, int]]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    facts = ["form", "response_id", "revision", "submitted_at", "submitted_text", "address", "answers"]
    found = []
    for order in (exports, data.draw(st.permutations(exports))):
        with Archive.open(tmp_path_factory.mktemp("order") / "a.sqlite") as archive:
            for export in order:
                rows = [response(name, word, SENT + pd.Timedelta(seconds=s)) for name, word, s in export]
                complete = data.draw(st.booleans())
                archive.record_responses("signup", pull(*rows), DAY_1, complete=complete)
            found.append(archive.revisions()[facts])
    pd.testing.assert_frame_equal(found[0], found[1])


# Inputs and decisions


def test_inputs_keep_every_content_in_order_and_a_complete_read_ends_absent_keys(archive: Archive) -> None:
    assert archive.record_inputs("balls", {"b": "B1", "a": "A1"}, DAY_1, complete=True) == 2
    assert archive.record_inputs("stars", {"a": "S1"}, DAY_1, complete=True) == 1
    assert archive.record_inputs("balls", {"a": "A2"}, DAY_2, complete=False) == 1
    assert archive.record_inputs("balls", {"a": "A2"}, DAY_3, complete=True) == 1
    assert archive.record_inputs("balls", {"a": "A2"}, DAY_4, complete=True) == 0
    assert archive.record_inputs("balls", {"a": "A1", "b": "B1"}, DAY_4, complete=True) == 2
    frame = archive.inputs()
    assert list(zip(frame["table"], frame["key"], frame["content"], frame["first_seen"], strict=True)) == [
        ("balls", "b", "B1", DAY_1),
        ("balls", "a", "A1", DAY_1),
        ("stars", "a", "S1", DAY_1),
        ("balls", "a", "A2", DAY_2),
        ("balls", "b", "", DAY_3),
        ("balls", "a", "A1", DAY_4),
        ("balls", "b", "B1", DAY_4),
    ]
    assert list(frame["seq"]) == [1, 2, 3, 4, 5, 6, 7]


def test_an_input_that_never_had_content_leaves_no_row(archive: Archive) -> None:
    assert archive.record_inputs("balls", {"a": ""}, DAY_1, complete=True) == 0
    assert archive.inputs().empty


def test_decisions_keep_their_basis_and_outlive_the_row_that_is_not_there(archive: Archive) -> None:
    assert archive.record_decisions("review", {"e1": "yes", "e2": "no"}, {"e1": "b1", "e2": "b2"}, DAY_1) == 2
    assert archive.record_decisions("board", {"e1": "else"}, {"e1": "b9"}, DAY_1) == 1
    assert archive.record_decisions("review", {"e2": "no"}, {"e2": "b3"}, DAY_2) == 0
    assert archive.record_decisions("review", {"e2": ""}, {"e2": "b3"}, DAY_3) == 1
    assert archive.record_decisions("review", {"e2": "no"}, {}, DAY_4) == 1
    frame = archive.decisions()
    assert list(
        frame[["place", "entry_id", "content", "basis", "seq"]].itertuples(index=False, name=None)
    ) == [
        ("review", "e1", "yes", "b1", 1),
        ("review", "e2", "no", "b2", 2),
        ("board", "e1", "else", "b9", 3),
        ("review", "e2", "", "b3", 4),
        ("review", "e2", "no", "", 5),
    ]


# Journal, reads, runs


def test_the_journal_keeps_one_stretch_per_appearance(archive: Archive) -> None:
    assert archive.sync_journal("postings", {"p": "P", "q": "Q"}, DAY_1) == (["p", "q"], [])
    assert archive.sync_journal("verdicts", {"p": "V"}, DAY_1) == (["p"], [])
    assert archive.sync_journal("postings", {"q": "Q"}, DAY_2) == ([], ["p"])
    assert archive.sync_journal("postings", {"p": "P", "r": "R"}, DAY_3) == (["p", "r"], ["q"])
    frame = archive.journal("postings")
    stretches = [
        (row.content_id, row.payload, row.known_from, None if pd.isna(row.known_to) else row.known_to)
        for row in frame.itertuples()
    ]
    assert stretches == [
        ("p", "P", DAY_1, DAY_2),
        ("q", "Q", DAY_1, DAY_3),
        ("p", "P", DAY_3, None),
        ("r", "R", DAY_3, None),
    ]
    assert list(archive.journal("verdicts")["content_id"]) == ["p"]


def test_undoing_a_change_at_the_same_instant_is_known_as_before(archive: Archive) -> None:
    archive.sync_journal("postings", {"p": "P"}, DAY_1)
    archive.sync_journal("postings", {}, DAY_2)
    archive.sync_journal("postings", {"p": "P"}, DAY_2)
    frame = archive.journal("postings")
    assert list(frame["known_from"]) == [DAY_1, DAY_2]
    assert frame["known_to"][0] == frame["known_from"][1]
    assert pd.isna(frame["known_to"][1])


def test_the_journal_refuses_a_run_earlier_than_its_last_event(archive: Archive) -> None:
    archive.sync_journal("postings", {"p": "P"}, DAY_2)
    archive.sync_journal("postings", {"p": "P"}, DAY_4)
    with pytest.raises(ValueError, match="earlier than its last event"):
        archive.sync_journal("postings", {}, DAY_2 - pd.Timedelta(microseconds=1))
    assert archive.sync_journal("verdicts", {"v": "V"}, DAY_1) == (["v"], [])
    assert archive.sync_journal("postings", {}, DAY_3) == ([], ["p"])
    with pytest.raises(ValueError, match="earlier than its last event"):
        archive.sync_journal("postings", {}, DAY_2)


def test_the_journal_refuses_another_payload_under_a_known_id(archive: Archive, path: Path) -> None:
    archive.sync_journal("postings", {"p": "P"}, DAY_1)
    before = count_rows(path)
    with pytest.raises(ValueError, match="other payload"):
        archive.sync_journal("postings", {"p": "X", "q": "Q"}, DAY_2)
    assert count_rows(path) == before


def test_reads_name_the_latest_complete_read_of_each_source(archive: Archive) -> None:
    assert archive.reads() == {}
    archive.record_read("signup", DAY_2, complete=True, rows=5)
    archive.record_read("signup", DAY_1, complete=True, rows=5)
    archive.record_read("signup", DAY_3, complete=False, rows=5)
    archive.record_read("attack", DAY_3, complete=False, rows=0)
    assert archive.reads() == {"signup": DAY_2}


def test_the_last_run_is_the_latest_and_of_one_instant_the_last_recorded(archive: Archive) -> None:
    assert archive.last_run() is None
    archive.record_run(DAY_2, "first")
    archive.record_run(DAY_2, "second")
    archive.record_run(DAY_1, "earlier")
    assert archive.last_run() == (DAY_2, "second")


# Shapes


@pytest.mark.parametrize("filled", [False, True])
def test_frames_have_the_promised_dtypes(archive: Archive, filled: bool) -> None:
    if filled:
        record_everything(archive)
    frames = [
        (archive.revisions(), REVISIONS),
        (archive.inputs(), INPUTS),
        (archive.decisions(), DECISIONS),
        (archive.journal("postings"), JOURNAL),
    ]
    for frame, shape in frames:
        assert frame.empty is not filled
        assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == dict(shape.columns)
        conform(frame, shape)


def test_times_come_back_exact_and_texts_as_received(archive: Archive) -> None:
    rows = pull(response("r1", submitted_text="2026/10/01 6:00:00"), response("r2", created_at=SENT))
    archive.record_responses("signup", rows, DAY_1 + pd.Timedelta(nanoseconds=400), complete=True)
    frame = archive.revisions()
    assert list(frame["submitted_at"]) == [SENT, SENT]
    assert frame["submitted_text"][0] == "2026/10/01 6:00:00"
    assert pd.isna(frame["created_at"][0])
    assert frame["created_at"][1] == SENT
    assert list(frame["first_seen"]) == [DAY_1, DAY_1]


def test_a_blank_address_or_text_comes_back_as_empty_text(archive: Archive) -> None:
    rows = pull(response("r1", submitted_text=None, address=None))
    archive.record_responses("signup", rows, DAY_1, complete=True)
    assert list(archive.revisions()[["submitted_text", "address"]].iloc[0]) == ["", ""]


def test_a_time_without_zone_is_refused(archive: Archive) -> None:
    with pytest.raises(ValueError, match="without zone"):
        archive.record_run(pd.Timestamp("2026-10-01"), "{}")


# Whole or not at all


def test_a_fault_inside_a_transaction_leaves_the_old_state(archive: Archive, path: Path) -> None:
    record_everything(archive)
    before = path.read_bytes()

    def fail_at_the_end() -> None:
        with archive.transaction():
            archive.record_responses("attack", pull(response("r9")), DAY_3, complete=True)
            archive.record_run(DAY_3, "{}")
            archive.sync_journal("postings", {}, DAY_3)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_at_the_end()
    assert path.read_bytes() == before
    assert archive.present_rows("attack") == 0
    archive.record_run(DAY_4, "{}")
    assert archive.last_run() == (DAY_4, "{}")


def test_a_fault_caught_inside_undoes_only_its_own_step(archive: Archive) -> None:
    def fail_at_the_end() -> None:
        with archive.transaction():
            archive.record_run(DAY_2, "undone")
            raise ZeroDivisionError

    with archive.transaction():
        archive.record_run(DAY_1, "kept")
        with pytest.raises(ZeroDivisionError):
            fail_at_the_end()
    assert archive.last_run() == (DAY_1, "kept")


def test_a_process_that_dies_in_a_transaction_leaves_the_old_state(path: Path) -> None:
    with Archive.open(path) as archive:
        record_everything(archive)
        before = count_rows(path), archive.revisions()
    script = f"""
        import os, pandas as pd
        from pathlib import Path
        from pipeline.archive import Archive
        archive = Archive.open(Path({str(path)!r}))
        archive._db.execute("PRAGMA cache_size = 5")  # so that pages reach the file before the end
        with archive.transaction():
            at = pd.Timestamp("2026-10-05", tz="UTC")
            archive.record_inputs("balls", {{str(n): "x" * 1000 for n in range(2000)}}, at, complete=True)
            os._exit(9)
    """
    size = path.stat().st_size
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False, timeout=60)
    assert done.returncode == 9
    assert path.stat().st_size > size
    assert path.with_name("archive.sqlite-journal").exists()
    with Archive.open(path) as archive:
        assert count_rows(path) == before[0]
        pd.testing.assert_frame_equal(archive.revisions(), before[1])
        assert archive.record_inputs("balls", {"n": "1"}, DAY_4, complete=False) == 1


# The file


def test_a_new_archive_is_private_and_its_directory_is_made(path: Path) -> None:
    with Archive.open(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    with Archive.open(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_empty_file_becomes_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite"
    path.touch()
    with Archive.open(path) as archive:
        assert archive.revisions().empty
    db = sqlite3.connect(path)
    assert db.execute("PRAGMA user_version").fetchone() == (1,)
    db.close()


def test_what_was_recorded_is_there_after_reopening(path: Path) -> None:
    with Archive.open(path) as archive:
        record_everything(archive)
        before = archive.revisions()
    with Archive.open(path) as archive:
        pd.testing.assert_frame_equal(archive.revisions(), before)


def refuse(path: Path) -> str:
    """What is said of a file that is no archive of ours; the file stays as it was."""
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ArchiveError) as caught:
        Archive.open(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    return str(caught.value)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite"
    path.write_text("受付ID,送信時刻\n" * 100, encoding="utf-8")
    assert "not an SQLite file, no archive of Saitei; correct the path" in refuse(path)


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_database_of_another_program_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    path = tmp_path / "archive.sqlite"
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("CREATE TABLE songs (name TEXT)")
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()
    path.chmod(0o644)
    assert "a database of another program" in refuse(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_an_archive_of_a_newer_version_is_refused_with_both_versions(path: Path) -> None:
    Archive.open(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 2")
    db.close()
    assert "archive version 2, but this Saitei knows only 1; install" in refuse(path)


def test_an_archive_without_one_of_its_guards_is_refused_by_name(path: Path) -> None:
    Archive.open(path).close()
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER revisions_no_replace")
    db.close()
    assert "damaged (without revisions_no_replace); put back the last backup" in refuse(path)


def test_a_damaged_archive_is_refused_with_what_to_do(path: Path) -> None:
    with Archive.open(path) as archive:
        rows = {str(n): "x" * 500 for n in range(500)}
        archive.record_inputs("balls", rows, DAY_1, complete=True)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    assert re.search("the archive is damaged .*put back the last backup", refuse(path))


def test_a_directory_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    assert re.search("cannot be opened .*check the path", refuse(tmp_path))


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "var").touch()
    assert re.search("cannot be opened .*check the path", refuse(tmp_path / "var" / "archive.sqlite"))


def test_an_archive_in_use_elsewhere_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_schema, "BUSY_SECONDS", 0.01)
    with Archive.open(path) as first, Archive.open(path) as second, first.transaction():
        with pytest.raises(ArchiveError, match="in use by another program; close it and run again"):
            second.record_run(DAY_1, "{}")
        assert second.last_run() is None


def test_forty_thousand_unchanged_rows_add_nothing(archive: Archive, path: Path) -> None:
    frame = pull(*(response(f"r{n}", str(n)) for n in range(40_000)))
    assert archive.record_responses("signup", frame, DAY_1, complete=True) == 40_000
    assert archive.record_responses("signup", frame, DAY_2, complete=True) == 0
    assert count_rows(path) == 40_000
