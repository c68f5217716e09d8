"""The archive's file: its tables, the triggers that make them append-only, and how it is opened.

Promises: a connection from `connect` leads to a whole archive of this version, private to its owner; whatever else lies
at the path is refused untouched, in one line. Refuses to know: what the rows mean.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

APPLICATION_ID = 0x53414954
"""Written into the file's header, so that another program's database is never taken for an archive."""

SCHEMA_VERSION = 1
BUSY_SECONDS = 5.0


class ArchiveError(Exception):
    """The archive's file cannot be used; the message names the file, what is wrong and what to do."""


class Table(NamedTuple):
    """Columns after `seq` with their types, the columns that may occur only once, and those looked up by."""

    columns: tuple[str, ...]
    unique: tuple[str, ...] = ()
    lookup: tuple[str, ...] = ()


TABLES = {
    "revisions": Table(
        (
            "form TEXT NOT NULL",
            "response_id TEXT NOT NULL",
            "revision TEXT NOT NULL",
            "submitted_at INTEGER NOT NULL",
            "submitted_text TEXT NOT NULL",
            "created_at INTEGER",
            "address TEXT NOT NULL",
            "answers TEXT NOT NULL",
            "first_seen INTEGER NOT NULL",
        ),
        unique=("form", "response_id", "revision"),
    ),
    "presence": Table(
        (
            "form TEXT NOT NULL",
            "response_id TEXT NOT NULL",
            "at INTEGER NOT NULL",
            "present INTEGER NOT NULL",
        ),
        lookup=("form", "response_id"),
    ),
    "inputs": Table(
        (
            '"table" TEXT NOT NULL',
            "key TEXT NOT NULL",
            "content TEXT NOT NULL",
            "first_seen INTEGER NOT NULL",
        ),
        lookup=('"table"', "key"),
    ),
    "decisions": Table(
        (
            "place TEXT NOT NULL",
            "entry_id TEXT NOT NULL",
            "content TEXT NOT NULL",
            "basis TEXT NOT NULL",
            "first_seen INTEGER NOT NULL",
            "reading INTEGER NOT NULL",
        ),
        lookup=("place", "entry_id"),
    ),
    "reads": Table(
        (
            "source TEXT NOT NULL",
            "at INTEGER NOT NULL",
            "complete INTEGER NOT NULL",
            "row_count INTEGER NOT NULL",
        ),
        lookup=("source", "at"),
    ),
    "runs": Table(("run_at INTEGER NOT NULL", "summary TEXT NOT NULL"), lookup=("run_at",)),
    "journal": Table(
        (
            "kind TEXT NOT NULL",
            "content_id TEXT NOT NULL",
            "payload TEXT NOT NULL",
            "at INTEGER NOT NULL",
            "known INTEGER NOT NULL",
        ),
        lookup=("kind", "content_id"),
    ),
}


def _statements(name: str, table: Table) -> dict[str, str]:
    """SQL by the name of what it makes.

    REPLACE deletes the old row without firing DELETE triggers (unless recursive_triggers is on), hence a trigger
    before INSERT that looks for the key itself. A `seq` must be beyond all others: the order of rows is a fact too.
    """
    taken = f"NEW.seq IS NULL OR NEW.seq <= (SELECT COALESCE(MAX(seq), 0) FROM {name})"
    made = {name: f"CREATE TABLE {name} (seq INTEGER PRIMARY KEY, {', '.join(table.columns)})"}
    if table.unique:
        same = " AND ".join(f"{column} = NEW.{column}" for column in table.unique)
        taken += f" OR EXISTS (SELECT 1 FROM {name} WHERE {same})"
        made[f"{name}_unique"] = f"CREATE UNIQUE INDEX {name}_unique ON {name} ({', '.join(table.unique)})"
    if table.lookup:
        made[f"{name}_lookup"] = f"CREATE INDEX {name}_lookup ON {name} ({', '.join(table.lookup)}, seq)"
    for event, condition in (("UPDATE", ""), ("DELETE", ""), ("INSERT", f"WHEN {taken} ")):
        trigger = f"{name}_no_{'replace' if condition else event.lower()}"
        made[trigger] = (
            f"CREATE TRIGGER {trigger} BEFORE {event} ON {name} {condition}"
            f"BEGIN SELECT RAISE(ABORT, '{name} is append-only'); END"
        )
    return made


SCHEMA = {made: sql for name, table in TABLES.items() for made, sql in _statements(name, table).items()}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the disk or another program did to us into an ArchiveError; our own faults pass as they are."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise
    except sqlite3.DatabaseError as fault:
        code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise ArchiveError(f"{path}: in use by another program; close it and run again") from fault
        if code == sqlite3.SQLITE_NOTADB:
            raise ArchiveError(_foreign(path, "not an SQLite file")) from fault
        if code == sqlite3.SQLITE_CORRUPT:
            raise ArchiveError(_damaged(path, str(fault))) from fault
        raise ArchiveError(
            f"{path}: cannot be read or written ({fault}); check free space and permissions, then run again"
        ) from fault


def connect(path: Path) -> sqlite3.Connection:
    """Open the archive at `path`, making directory, file and tables where there is nothing yet."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Made here rather than by SQLite, so that not even a first moment is readable by others.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        with explained(path):
            db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            with explained(path):
                _prepare(db, path)
            if path.stat().st_mode & 0o077:
                path.chmod(0o600)
        except BaseException:
            db.close()
            raise
    except OSError as fault:
        raise ArchiveError(
            f"{path}: cannot be opened ({fault.strerror}); check the path and its permissions"
        ) from fault
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    # Everything is asked before anything is set: a foreign file must stay as it was.
    if _pragma(db, "user_version") == 0 and not _objects(db):
        _create(db)
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise ArchiveError(_foreign(path, "a database of another program"))
    version = _pragma(db, "user_version")
    if version != SCHEMA_VERSION:
        raise ArchiveError(
            f"{path}: archive version {version}, but this Saitei knows only {SCHEMA_VERSION}; "
            "install the Saitei that wrote it, or a newer one"
        )
    missing = sorted(SCHEMA.keys() - _objects(db))
    if missing:
        raise ArchiveError(_damaged(path, f"without {', '.join(missing)}"))
    health = str(_pragma(db, "quick_check(1)"))
    if health != "ok":
        raise ArchiveError(_damaged(path, " ".join(health.split())))
    db.execute("PRAGMA journal_mode = DELETE")
    db.execute("PRAGMA synchronous = FULL")


def _create(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if not _objects(db):  # another process may have been first while we waited
            for statement in SCHEMA.values():
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _pragma(db: sqlite3.Connection, name: str) -> int | str:
    value: int | str = db.execute(f"PRAGMA {name}").fetchone()[0]
    return value


def _objects(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}


def _foreign(path: Path, what: str) -> str:
    return f"{path}: {what}, no archive of Saitei; correct the path in the config, or move that file away"


def _damaged(path: Path, what: str) -> str:
    return (
        f"{path}: the archive is damaged ({what}); put back the last backup, "
        "or move the file away to start a new archive without the old history"
    )
