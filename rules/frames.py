"""The shapes that travel between the rooms: columns, dtypes, keys.

Promises: a frame that passed `conform` has exactly the columns of its shape, in order, with its dtypes and without
nulls in its key. Refuses to know: any game, any file, any clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pandas as pd

UTC = "datetime64[us, UTC]"
TEXT = "str"

Grid = list[list[str]]
"""A sheet as text: rows of cells, ragged rows allowed, "" is blank."""


class Finding(NamedTuple):
    """A fault in the data, shown to the masters as a row.

    `code` comes from a closed list, `place` says where ("signup.csv 12行 3列"), `message` what and what to do,
    `about` names the entry, row or article concerned (may be empty).
    """

    code: str
    place: str
    message: str
    about: str = ""


class Shape(NamedTuple):
    """Columns with dtypes, and the columns that may not be null."""

    name: str
    columns: Mapping[str, str]
    key: tuple[str, ...]


RESPONSES = Shape(
    "responses",
    {
        "response_id": TEXT,
        "submitted_at": UTC,
        "submitted_text": TEXT,
        "created_at": UTC,
        "address": TEXT,
        "answers": "object",
        "place": TEXT,
    },
    ("submitted_at",),
)
"""What a source pulls: one row per response; `answers` is a dict field -> text or list of texts, unknown questions
under "?<header>"; `response_id` may be "" where the export has none."""

REVISIONS = Shape(
    "revisions",
    {
        "form": TEXT,
        "response_id": TEXT,
        "revision": TEXT,
        "submitted_at": UTC,
        "submitted_text": TEXT,
        "created_at": UTC,
        "address": TEXT,
        "answers": TEXT,
        "first_seen": UTC,
        "withdrawn_at": UTC,
    },
    ("form", "response_id", "revision", "submitted_at", "first_seen"),
)
INPUTS = Shape(
    "inputs",
    {"table": TEXT, "key": TEXT, "content": TEXT, "first_seen": UTC, "seq": "int64"},
    ("table", "key", "first_seen", "seq"),
)
"""Every content of every masters' row ever seen; `content` is canonical JSON, "" from when the row was gone."""

DECISIONS = Shape(
    "decisions",
    {"place": TEXT, "entry_id": TEXT, "content": TEXT, "basis": TEXT, "first_seen": UTC, "seq": "int64"},
    ("place", "entry_id", "first_seen", "seq"),
)
"""Every content of the masters' cells of one review row, per place; `basis` digests what the row showed then.

Contents that one run saw together share `seq // RUN`."""

RUN = 2**20

POSTINGS = Shape(
    "postings",
    {
        "posting_id": TEXT,
        "at": UTC,
        "phase": "int64",
        "player": TEXT,
        "account": TEXT,
        "amount": "int64",
        "cause": TEXT,
        "rule": TEXT,
        "section": TEXT,
        "ruleset": TEXT,
        "audience": TEXT,
        "state": TEXT,
    },
    ("posting_id", "at", "phase", "player", "account", "amount"),
)
HOLDINGS = Shape(
    "holdings",
    {"player": TEXT, "what": TEXT, "start": UTC, "stop": UTC, "cause": TEXT},
    ("player", "what", "start", "stop"),
)
"""`stop` is exclusive; holdings that meet are never joined."""

VERDICTS = Shape(
    "verdicts",
    {
        "entry_id": TEXT,
        "form": TEXT,
        "response_id": TEXT,
        "revision": TEXT,
        "key": TEXT,
        "player": TEXT,
        "submitted_at": UTC,
        "deadline": UTC,
        "decides_at": UTC,
        "machine": TEXT,
        "effective": TEXT,
        "preview": TEXT,
        "reasons": "object",
        "notes": "object",
        "suggestion": TEXT,
        "stale": "bool",
        "basis": TEXT,
    },
    ("entry_id", "form", "response_id", "revision"),
)
"""`reasons` is a tuple of Reason, `notes` a tuple of Note (注意 and blocking rulings)."""

TASKS = Shape(
    "tasks",
    {
        "task_id": TEXT,
        "kind": TEXT,
        "about": TEXT,
        "to": "object",
        "title": TEXT,
        "body": TEXT,
        "release": UTC,
        "due": UTC,
        "audience": TEXT,
        "state": TEXT,
    },
    ("task_id", "kind"),
)


class FrameError(ValueError):
    """A frame does not have the shape that its reader was promised: a fault of ours, never of the data."""


def conform(frame: pd.DataFrame, shape: Shape) -> pd.DataFrame:
    """Return `frame` with exactly the columns and dtypes of `shape`; raise FrameError on what cannot be mended."""
    missing = [name for name in shape.columns if name not in frame.columns]
    if missing:
        raise FrameError(f"{shape.name}: missing columns {missing}")
    out = frame.loc[:, list(shape.columns)]
    casts = {name: kind for name, kind in shape.columns.items() if str(out[name].dtype) != kind}
    for name, kind in casts.items():
        if kind == UTC and out[name].isna().all():
            out = out.assign(**{name: pd.Series(pd.NaT, index=out.index, dtype=UTC)})
    if casts:
        out = out.astype(casts)
    for name in shape.key:
        if out[name].isna().any():
            raise FrameError(f"{shape.name}: null in key column {name}")
    return out


def build_frame(rows: Iterable[Mapping[str, Any] | NamedTuple], shape: Shape) -> pd.DataFrame:
    """Make a conforming frame from rows, also when there is none."""
    records = [row._asdict() if isinstance(row, tuple) else dict(row) for row in rows]
    return conform(pd.DataFrame.from_records(records, columns=list(shape.columns)), shape)
