"""How rows of the archive are made and read back: identity by content, times as whole microseconds.

Promises: the same content gets the same id wherever and whenever it is read; a time goes in and comes out exact.
Refuses to know: the file, and which rows are new.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rules.frames import RESPONSES, UTC, Shape, conform

BLANK_TIME = int(np.iinfo(np.int64).min)
"""What numpy writes for NaT; the file has NULL there."""


MADE_LENGTH = 24
"""Digits of an id for a response whose source gives none."""

_MADE = re.compile(f"[0-9a-f]{{{MADE_LENGTH}}}")


class SeenRow(NamedTuple):
    """One content of one response as the file keeps it, less form and time first seen."""

    response_id: str
    revision: str
    submitted_at: int
    submitted_text: str
    created_at: int | None
    address: str
    answers: str


def read_rows(form: str, responses: pd.DataFrame) -> Iterator[SeenRow]:
    """Give each row of a RESPONSES frame its ids; what an export without ids cannot tell apart is one response."""
    frame = conform(responses, RESPONSES)
    texts = {name: frame[name].fillna("") for name in ("response_id", "submitted_text", "address")}
    columns = (
        texts["response_id"],
        _list_micros(frame["submitted_at"]),
        texts["submitted_text"],
        _list_micros(frame["created_at"]),
        texts["address"],
        frame["answers"],
    )
    for response_id, at, text, created_at, address, answers in zip(*columns, strict=True):
        created = None if created_at == BLANK_TIME else created_at
        content = canonical_json(answers)
        name = response_id or digest(form, address.strip().casefold(), at, content)[:MADE_LENGTH]
        yield SeenRow(name, digest(at, content)[:16], at, text, created, address, content)


def is_made_id(response_id: str) -> bool:
    """Whether an id has the shape of those that `read_rows` makes; Google's are thrice as long and no such digits."""
    return _MADE.fullmatch(response_id) is not None


def canonical_json(value: object) -> str:
    """Write `value` so that equal contents are equal texts; refuse what JSON has no word for."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(*parts: str | int) -> str:
    """Hash the parts as one JSON list, so that no two lists of parts run together."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def to_micros(at: pd.Timestamp) -> int:
    """Return whole microseconds since 1970 UTC; a time without zone would be a guess."""
    if at.tzinfo is None:
        raise ValueError(f"a time without zone cannot be archived: {at}")
    return int(at.as_unit("us").asm8.astype("int64"))


def to_stamp(at: int) -> pd.Timestamp:
    """Return the instant that `to_micros` wrote."""
    return pd.Timestamp(at, unit="us", tz="UTC").as_unit("us")


def make_frame(rows: Sequence[tuple[Any, ...]], shape: Shape) -> pd.DataFrame:
    """Make a frame of `shape` from rows of the file, whose columns come in the order of the shape."""
    columns = zip(*rows, strict=True) if rows else [()] * len(shape.columns)
    values = dict(zip(shape.columns, columns, strict=True))
    times = {name: _make_times(values[name]) for name, dtype in shape.columns.items() if dtype == UTC}
    return conform(pd.DataFrame({**values, **times}, columns=list(shape.columns)), shape)


def _make_times(values: Iterable[int | None]) -> pd.DatetimeIndex:
    # By way of whole numbers: pandas would make floats of a column with blanks.
    whole = np.array([BLANK_TIME if at is None else at for at in values], dtype="int64")
    return pd.DatetimeIndex(whole.view("datetime64[us]")).tz_localize("UTC")


def _list_micros(times: pd.Series[Any]) -> list[int]:
    whole: list[int] = times.to_numpy(dtype="datetime64[us]").astype("int64").tolist()
    return whole
