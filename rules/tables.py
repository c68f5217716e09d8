"""The masters' input tables: from archived texts to typed rows, without losing a readable value.

Promises: an unreadable cell keeps the last readable content of its row and becomes a finding with its place; a row
that is gone is gone from the instant it was missed; two rows of one key become a finding and the first stands.
Refuses to know: which tables a game has, and what their rows mean.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from rules.clock import read_clock, read_date, read_instant
from rules.frames import Finding

Kind = Literal["text", "date", "instant", "clock", "whole", "decimal"]
LARGEST = 10**9
"""No amount of a game is so large: a number beyond it is a slip of the finger."""

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)


class Column(NamedTuple):
    """One column of a table; `choices` are the words that a cell may hold, `needed` cells may not be blank.

    `on` names a date column of the same row: a bare time of day in this cell then means that day.
    """

    header: str
    kind: Kind = "text"
    needed: bool = False
    choices: tuple[str, ...] = ()
    width: float = 12
    on: str = ""


class Table(NamedTuple):
    """A masters' input table; `number` is the key column that may stay blank (the content is then the key)."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]

    @property
    def headers(self) -> tuple[str, ...]:
        return tuple(column.header for column in self.columns)


class Row(NamedTuple):
    """One present row: typed cells (None = blank), the texts as typed, since when the row is there."""

    table: str
    key: str
    cells: Mapping[str, Any]
    texts: Mapping[str, str]
    since: pd.Timestamp

    @property
    def cause(self) -> str:
        return f"{self.table}/{self.key}"

    def get(self, header: str) -> Any:
        return self.cells.get(header)


class Reader(NamedTuple):
    """How cells are read: the zone and the year that a date without a year means."""

    zone: ZoneInfo
    year: int

    def read(self, text: str, column: Column) -> Any:
        """The typed value of a cell; ValueError says what is allowed."""
        text = text.strip()
        if text == "":
            if column.needed:
                raise ValueError("空欄にはできません")
            return None
        value = self._typed(text, column.kind)
        if value is None:
            raise ValueError(f"「{text}」を{_WANTED[column.kind]}として読めません")
        if column.choices and value not in column.choices:
            raise ValueError(f"「{text}」は{'・'.join(column.choices)}のどれでもありません")
        return value

    def _typed(self, text: str, kind: Kind) -> Any:
        if kind == "text":
            return unicodedata.normalize("NFC", text)
        plain = unicodedata.normalize("NFKC", text).replace("\u2212", "-")
        if kind == "date":
            return read_date(plain, self.year)
        if kind == "instant":
            return read_instant(plain, self.zone, self.year)
        if kind == "clock":
            return read_clock(plain)
        return _number(plain, whole=kind == "whole")


_WANTED: Mapping[str, str] = {
    "date": "日付（例 2026-10-13）",
    "instant": "日時（例 2026-10-13 18:00:00）",
    "clock": "時刻（例 18:00:00）",
    "whole": "整数",
    "decimal": "数",
    "text": "文字",
}


def _number(text: str, *, whole: bool) -> int | Decimal | None:
    if _NUMBER.fullmatch(text) is None:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    if abs(value) >= LARGEST:
        return None
    if not whole:
        return value
    return int(value) if value == value.to_integral_value() else None


def show_key(value: Any, year: int) -> str:
    """A key cell as people write it in a reference: `10-13` for a date of the year of the game."""
    if isinstance(value, dt.date):
        return value.strftime("%m-%d") if value.year == year else value.isoformat()
    if isinstance(value, pd.Timestamp):
        return value.isoformat()
    return "" if value is None else str(value)


def read_table(
    inputs: pd.DataFrame, table: Table, as_of: pd.Timestamp, reader: Reader
) -> tuple[list[Row], list[Finding]]:
    """The rows of `table` present at `as_of`, in the order in which their keys were first seen.

    `inputs`: shape INPUTS, any tables. A content first seen after `as_of` does not speak yet, unless nothing of
    its key was known by then (a look back must not lose the roster).
    """
    mine = inputs.loc[inputs["table"].eq(table.name)].sort_values(["first_seen", "seq"], kind="stable")
    histories: dict[str, list[tuple[str, pd.Timestamp]]] = {}
    for key, content, seen in zip(mine["key"], mine["content"], mine["first_seen"], strict=True):
        histories.setdefault(str(key), []).append((str(content), seen))
    rows: dict[str, Row] = {}
    findings: list[Finding] = []
    for history in histories.values():
        spoken = [item for item in history if item[1] <= as_of] or history[:1]
        row, faults = _newest_readable(spoken, table, reader)
        findings += faults
        if row is None:
            continue
        if row.key in rows:
            findings.append(
                Finding(
                    "doubled_key",
                    f"{table.name} {row.key}",
                    f"同じキー「{row.key}」の行が2つあります。先の行を使っています。1行だけ残してください",
                    row.cause,
                )
            )
            continue
        rows[row.key] = row
    return list(rows.values()), findings


def _newest_readable(
    history: Sequence[tuple[str, pd.Timestamp]], table: Table, reader: Reader
) -> tuple[Row | None, list[Finding]]:
    if not history or history[-1][0] == "":
        return None, []
    since = history[-1][1]
    faults: list[Finding] = []
    found: Row | None = None
    for content, seen in reversed(history):
        if content == "":
            break
        since = seen
        if found is None:
            found, problems = _parse(json.loads(content), table, reader, seen)
            if content == history[-1][0]:
                faults = problems
    return (found._replace(since=since) if found else None), faults


def _dated(texts: Mapping[str, str], column: Column, reader: Reader) -> str:
    """The cell's text, a bare time of day put on the day that its row is about."""
    text = str(texts.get(column.header, ""))
    day = read_date(str(texts.get(column.on, "")), reader.year) if column.on else None
    clock = read_clock(unicodedata.normalize("NFKC", text)) if day else None
    return f"{day.isoformat()} {clock.isoformat()}" if day and clock else text


def _parse(
    texts: Mapping[str, str], table: Table, reader: Reader, seen: pd.Timestamp
) -> tuple[Row | None, list[Finding]]:
    cells: dict[str, Any] = {}
    problems: list[tuple[str, str]] = []
    for column in table.columns:
        try:
            cells[column.header] = reader.read(_dated(texts, column, reader), column)
        except ValueError as error:
            problems.append((column.header, str(error)))
    parts = [show_key(cells.get(header), reader.year) for header in table.key]
    if not any(parts):
        digest = hashlib.sha256(
            json.dumps(dict(texts), sort_keys=True, ensure_ascii=False).encode()
        ).hexdigest()
        parts = [f"#{digest[:8]}"]
    row = Row(table.name, "/".join(parts), cells, texts, seen)
    if not problems:
        return row, []
    where = f"{table.name} {row.key}"
    return None, [
        Finding(
            "unreadable", f"{where} {header}", f"{header}: {text}。読めるまでは前の内容のままです", row.cause
        )
        for header, text in problems
    ]
