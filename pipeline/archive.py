"""The archive: every content ever seen, with the time it was first seen, and nothing ever changed or removed.

Promises: what was recorded stays; recording the same again adds no row; what one transaction records lands whole or
not at all. Where things can go and come back (responses, journal contents), the going and coming are rows as well.
Refuses to know: what an answer, an input or a decision means, and what time it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import pandas as pd

from pipeline.archive_rows import make_frame, read_rows, to_micros, to_stamp
from pipeline.archive_schema import ArchiveError, connect, explained
from rules.frames import DECISIONS, INPUTS, REVISIONS, RUN, TEXT, UTC, Shape

__all__ = ["JOURNAL", "Archive", "ArchiveError"]

JOURNAL = Shape(
    "journal",
    {"content_id": TEXT, "payload": TEXT, "known_from": UTC, "known_to": UTC},
    ("content_id", "known_from"),
)
"""One row per stretch in which a content was known; `known_to` is exclusive, NaT = still known."""

ABSENT = """
    SELECT form, response_id, at FROM presence
    WHERE seq IN (SELECT MAX(seq) FROM presence GROUP BY form, response_id) AND NOT present
"""
KNOWN = """
    SELECT content_id, payload FROM journal
    WHERE seq IN (SELECT MAX(seq) FROM journal WHERE kind = ? GROUP BY content_id) AND known ORDER BY seq
"""
# An appearance ends with the next event of its content, which can only be that it vanished.
STRETCHES = """
    SELECT content_id, payload, at, until FROM (
        SELECT *, LEAD(at) OVER (PARTITION BY content_id ORDER BY seq) AS until FROM journal WHERE kind = ?
    ) WHERE known ORDER BY seq
"""


OUTER = ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
INNER = ("SAVEPOINT inside", "RELEASE inside", ("ROLLBACK TO inside", "RELEASE inside"))
"""How a transaction begins, is kept, is undone; a savepoint only when there is one around it already."""


class Archive:
    """One open archive file; `with Archive.open(path) as archive:` closes it."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self._path = path
        self._db = db

    @classmethod
    def open(cls, path: Path) -> Archive:
        """Open or create the archive at `path`; raise ArchiveError when something else lies there."""
        return cls(path, connect(path))

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Let everything inside land, or nothing; inside another transaction it may fail on its own."""
        begin, keep, undo = INNER if self._db.in_transaction else OUTER
        with explained(self._path):
            self._db.execute(begin)
            try:
                yield
                self._db.execute(keep)
            except BaseException:
                if self._db.in_transaction:  # a full disk makes SQLite roll back by itself
                    for statement in undo:
                        self._db.execute(statement)
                raise

    def record_responses(
        self,
        form: str,
        responses: pd.DataFrame,
        seen_at: pd.Timestamp,
        complete: bool,
        standing: frozenset[str] = frozenset(),
    ) -> int:
        """Add the contents not seen before; return how many. Only a complete read can tell that a response is gone,
        and not of those `standing` that were read elsewhere."""
        at = to_micros(seen_at)
        seen = {(row.response_id, row.revision): row for row in read_rows(form, responses)}
        read = dict.fromkeys(response_id for response_id, _ in seen)
        with self.transaction():
            old = set(self._select("SELECT response_id, revision FROM revisions WHERE form = ?", form))
            absent = self._select(f"SELECT response_id FROM ({ABSENT}) WHERE form = ?", form)
            gone = {response_id for (response_id,) in absent}
            present = dict.fromkeys(response_id for response_id, _ in sorted(old) if response_id not in gone)
            there = read.keys() | standing
            vanished = [name for name in present if name not in there] if complete else []
            returned = [name for name in read if name in gone]
            self._append("presence", [(form, name, at, 0) for name in vanished])
            self._append("presence", [(form, name, at, 1) for name in returned])
            fresh = [(form, *row, at) for key, row in seen.items() if key not in old]
            return self._append("revisions", fresh)

    def record_inputs(
        self, table: str, rows: Mapping[str, str], seen_at: pd.Timestamp, complete: bool
    ) -> int:
        """Add the contents that differ from the newest of their key; a complete read also ends the absent keys."""
        with self.transaction():
            newest = self._newest("inputs", '"table"', "key", table)
            changed = _list_changes(rows, newest)
            if complete:
                changed += [(key, "") for key, content in newest.items() if content and key not in rows]
            at = to_micros(seen_at)
            return self._append("inputs", [(table, key, content, at) for key, content in changed])

    def record_decisions(
        self, place: str, rows: Mapping[str, str], basis: Mapping[str, str], seen_at: pd.Timestamp
    ) -> int:
        """Add the contents that differ from the newest of their entry, each with what its row showed (`basis`).

        A row that is not there says nothing: masters filter and delete lines, and a ruling must survive that.
        """
        with self.transaction():
            changed = _list_changes(rows, self._newest("decisions", "place", "entry_id", place))
            at = to_micros(seen_at)
            ((reading,),) = self._select("SELECT COALESCE(MAX(seq), 0) FROM reads")
            fresh = [(place, key, content, basis.get(key, ""), at, reading) for key, content in changed]
            return self._append("decisions", fresh)

    def record_read(self, source: str, at: pd.Timestamp, complete: bool, rows: int) -> None:
        """Note that `source` was read, and whether everything it holds came through."""
        self._append("reads", [(source, to_micros(at), int(complete), rows)])

    def record_run(self, run_at: pd.Timestamp, summary_json: str) -> None:
        """Note that a run took place, with its summary as it was shown."""
        self._append("runs", [(to_micros(run_at), summary_json)])

    def revisions(self) -> pd.DataFrame:
        """Return all contents of all responses, in an order that does not depend on when they were read."""
        rows = self._select(
            f"""SELECT form, response_id, revision, submitted_at, submitted_text, created_at, address, answers,
                first_seen, absent.at
            FROM revisions LEFT JOIN ({ABSENT}) AS absent USING (form, response_id)
            ORDER BY form, submitted_at, response_id, revision"""
        )
        return make_frame(rows, REVISIONS)

    def inputs(self) -> pd.DataFrame:
        """Return every content of every masters' row, in the order in which they were recorded."""
        rows = self._select('SELECT "table", key, content, first_seen, seq FROM inputs ORDER BY seq')
        return make_frame(rows, INPUTS)

    def decisions(self) -> pd.DataFrame:
        """Return every content of every ruling, in the order in which they were recorded.

        `seq` tells runs apart that saw contents at one instant: two runs of a sample, whose instant is fixed.
        """
        rows = self._select(
            f"""SELECT place, entry_id, content, basis, first_seen, reading * {RUN} + seq FROM decisions
            ORDER BY seq"""
        )
        return make_frame(rows, DECISIONS)

    def reads(self) -> dict[str, pd.Timestamp]:
        """Return the latest complete read of each source; a source never read completely is not in it."""
        rows = self._select(
            "SELECT source, MAX(at) FROM reads WHERE complete GROUP BY source ORDER BY source"
        )
        return {source: to_stamp(at) for source, at in rows}

    def present_rows(self, form: str) -> int:
        """Return how many responses of `form` are not withdrawn: what a complete read may be expected to hold."""
        ((known, gone),) = self._select(
            f"""SELECT (SELECT COUNT(DISTINCT response_id) FROM revisions WHERE form = ?),
                (SELECT COUNT(*) FROM ({ABSENT}) WHERE form = ?)""",
            form,
            form,
        )
        return int(known - gone)

    def present_responses(self, form: str) -> dict[str, int]:
        """Return the responses of `form` that are not withdrawn, each with the microsecond of its latest sending."""
        rows = self._select(
            f"""SELECT response_id, MAX(submitted_at) FROM revisions
            WHERE form = ? AND response_id NOT IN (SELECT response_id FROM ({ABSENT}) WHERE form = ?)
            GROUP BY response_id ORDER BY response_id""",
            form,
            form,
        )
        return dict(rows)

    def last_run(self) -> tuple[pd.Timestamp, str] | None:
        """Return instant and summary of the latest run, None before the first."""
        rows = self._select("SELECT run_at, summary FROM runs ORDER BY run_at DESC, seq DESC LIMIT 1")
        return (to_stamp(rows[0][0]), rows[0][1]) if rows else None

    def sync_journal(
        self, kind: str, contents: Mapping[str, str], run_at: pd.Timestamp
    ) -> tuple[list[str], list[str]]:
        """Note which contents appeared and vanished since the last call; return their ids.

        Ids are made from content, so a known id with another payload is a fault of ours and refused.
        """
        at = to_micros(run_at)
        with self.transaction():
            ((last,),) = self._select("SELECT MAX(at) FROM journal WHERE kind = ?", kind)
            if last is not None and at < last:
                raise ValueError(
                    f"journal {kind}: run at {run_at} is earlier than its last event {to_stamp(last)}"
                )
            known = dict(self._select(KNOWN, kind))
            unlike = [name for name, payload in contents.items() if known.get(name, payload) != payload]
            if unlike:
                raise ValueError(f"journal {kind}: same id, other payload: {unlike[:3]}")
            appeared = [name for name in contents if name not in known]
            vanished = [name for name in known if name not in contents]
            self._append("journal", [(kind, name, known[name], at, 0) for name in vanished])
            self._append("journal", [(kind, name, contents[name], at, 1) for name in appeared])
        return appeared, vanished

    def journal(self, kind: str) -> pd.DataFrame:
        """Return the stretches in which contents of `kind` were known, in the order of appearance."""
        return make_frame(self._select(STRETCHES, kind), JOURNAL)

    def _newest(self, table: str, group: str, key: str, value: str) -> dict[str, str]:
        return dict(
            self._select(
                f"""SELECT {key}, content FROM {table}
                WHERE seq IN (SELECT MAX(seq) FROM {table} WHERE {group} = ? GROUP BY {key}) ORDER BY seq""",
                value,
            )
        )

    def _select(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        with explained(self._path):
            return self._db.execute(sql, values).fetchall()

    def _append(self, table: str, rows: Sequence[tuple[Any, ...]]) -> int:
        if not rows:
            return 0
        with self.transaction():
            ((last,),) = self._select(f"SELECT COALESCE(MAX(seq), 0) FROM {table}")
            marks = ", ".join("?" * (len(rows[0]) + 1))
            numbered = ((last + n, *row) for n, row in enumerate(rows, start=1))
            self._db.executemany(f"INSERT INTO {table} VALUES ({marks})", numbered)
        return len(rows)


def _list_changes(rows: Mapping[str, str], newest: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(key, content) for key, content in rows.items() if content != newest.get(key, "")]
