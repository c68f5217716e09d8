"""From the rows of an export to responses: which column is which question, and what each row answers.

Promises: an answer is the text that was sent, whatever it looks like; no row is dropped in silence: either all are
read, or the form sits this run out and findings say where and why. Refuses to know: any game, the medium the rows
came from, and what was read before (but for the number of rows).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from connectors.base import FormMap, Pulled
from connectors.records import Record
from connectors.ticks import split_ticks
from connectors.timestamps import parse_timestamps
from rules.frames import RESPONSES, Finding, conform

_LISTED_ROWS = 20
SHOWN_TEXT = 40
_COMPUTED = ("formula", "error")


class SitOutError(Exception):
    """This form cannot be used in this run; carries the findings that say why."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__()
        self.findings = findings


class _Layout(NamedTuple):
    """Which column holds what: an index, or None where an optional column is absent."""

    time: int
    created: int | None
    response_id: int | None
    address: int | None
    fields: Mapping[str, int | None]
    unknown: Mapping[int, str]

    @property
    def mapped(self) -> set[int]:
        """The columns whose meaning is known."""
        known = (self.time, self.created, self.response_id, self.address, *self.fields.values())
        return {column for column in known if column is not None}


def sit_out(form: FormMap, findings: tuple[Finding, ...]) -> Pulled:
    """Return a pull that brought nothing, and must not be read as if nothing were there."""
    nothing = conform(pd.DataFrame(columns=list(RESPONSES.columns)), RESPONSES)
    return Pulled(form.name, nothing, False, findings)


def read_responses(
    records: Sequence[Record], form: FormMap, zone: ZoneInfo, shrink_share: float, known_rows: int, file: str
) -> Pulled:
    """Return the responses of an export whose blank rows are left out and whose first record is the header.

    `zone` is that of times without offset; `shrink_share` is the share of `known_rows` that may be gone; `file` is
    how findings and places name the export.
    """
    if not records:
        return sit_out(form, (Finding("empty", file, "中身がありません。書き出し直してください。"),))
    width = max(len(record.cells) for record in records)
    header, *rows = [each._replace(cells=each.cells + [""] * (width - len(each.cells))) for each in records]
    try:
        layout = _find_columns(header.cells, form, file)
    except SitOutError as fault:
        return sit_out(form, fault.findings)
    times = _read_times(rows, layout.time, zone)
    created = _read_times(rows, layout.created, zone)
    faults = [
        *check_shrunk(len(rows), known_rows, shrink_share, file),
        *_check_times(rows, layout, times, created, header.cells, file),
    ]
    faults += _check_formulas(rows, layout, header.cells, file)
    notes = _check_long_rows(rows, len(records[0].cells), file)
    notes += _check_typed(rows, layout, header.cells, file)
    if faults:
        return sit_out(form, (*faults, *notes))
    return Pulled(form.name, _build_responses(rows, layout, times, created, form, file), True, tuple(notes))


def _find_columns(header: Sequence[str], form: FormMap, file: str) -> _Layout:
    """Tie columns to fields by title; raise with every title that is missing or stands there twice."""
    titles = [fold_title(title) for title in header]
    faults: list[Finding] = []

    def find(wanted: tuple[str, ...], needed: bool) -> int | None:
        folded = {fold_title(title) for title in wanted}
        found = [index for index, title in enumerate(titles) if title in folded]
        if len(found) > 1:
            columns = "、".join(f"{index + 1}列目「{titles[index]}」" for index in found)
            message = f"同じ質問の列が {len(found)} つあります: {columns}。1つだけ残してください。"
            faults.append(Finding("doubled_header", f"{file} 見出し", message))
        elif not found and needed:
            there = _list_known(titles, form)
            names = "または".join(f"「{title}」" for title in wanted)
            message = f"{names}の列がありません。今ある見出し: {there}。見出しを戻すか、設定に別名を加えてください。"
            faults.append(Finding("missing_column", f"{file} 見出し", message))
        return found[0] if found else None

    time = find(form.time_titles, needed=True)
    created = find(form.created_titles, needed=False)
    response_id = find(form.id_titles, needed=False)
    address = find(form.address_titles, needed=False)
    fields = {field.name: find(field.titles, needed=field.required) for field in form.fields}
    if faults or time is None:
        raise SitOutError(*faults)
    mapped = {time, created, response_id, address, *fields.values()}
    return _Layout(time, created, response_id, address, fields, _name_unknown(titles, mapped))


def _list_known(titles: Sequence[str], form: FormMap) -> str:
    """The headers by name, when one of them is a question of ours. When none is, the file may lack its header row: then
    the first line is somebody's answers, and what stands in it is nobody's business."""
    ours = {fold_title(title) for field in form.fields for title in field.titles}
    ours |= {
        fold_title(t)
        for t in (*form.time_titles, *form.address_titles, *form.id_titles, *form.created_titles)
    }
    named = [title for title in titles if title]
    if ours.isdisjoint(named):
        return f"知らないものばかり {len(named)} 列"
    return "、".join(f"「{title}」" for title in named)


def _name_unknown(titles: Sequence[str], mapped: set[int | None]) -> dict[int, str]:
    """Return the names under which the cells of undeclared columns are kept, each its own."""
    names: dict[int, str] = {}
    used: set[str] = set()
    for index, title in enumerate(titles):
        if index in mapped:
            continue
        plain = name = f"?{title or f'列{index + 1}'}"
        copy = 1
        while name in used:
            copy += 1
            name = f"{plain} ({copy})"
        used.add(name)
        names[index] = name
    return names


def fold_title(title: str) -> str:
    """Return a title as it is compared: exports differ in line breaks, outer blanks and the composition of kana."""
    return re.sub(r"\s*[\r\n]\s*", " ", unicodedata.normalize("NFC", title)).strip()


def _read_times(rows: Iterable[Record], column: int | None, zone: ZoneInfo) -> pd.Series:
    return parse_timestamps(("" if column is None else row.cells[column] for row in rows), zone)


def check_shrunk(count: int, known: int, share: float, file: str) -> Iterator[Finding]:
    """A file that lost many rows is rather a broken export than so many withdrawals."""
    gone = known - count
    # The share as it is written in the config: 29 rows of 100 are not more than 0.29 of them.
    if gone > Fraction(str(share)) * known or (known > 0 and count == 0):
        message = f"前回 {known} 行あったのに {count} 行しかありません。正しければ設定の許容割合を見直してください。"
        yield Finding("shrunk", file, message)


def _check_times(
    rows: Sequence[Record],
    layout: _Layout,
    times: pd.Series,
    created: pd.Series,
    header: Sequence[str],
    file: str,
) -> list[Finding]:
    """A row without a readable time could be the one that counts, so nothing can be counted without it."""
    findings = []
    for row, time, first in zip(rows, times.isna(), created.isna(), strict=True):
        bad = [layout.time] if time else []
        if layout.created is not None and first and row.cells[layout.created].strip():
            bad.append(layout.created)
        for column in bad:
            text = row.cells[column]
            shown = text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT] + "…"
            message = (
                f"時刻「{shown}」が読めません。秒まである日時に直してください（例 2026/10/12 23:59:59）。"
            )
            place = f"{file} {row.number}行 {fold_title(header[column])}"
            findings.append(Finding("unreadable", place, message))
    return shorten(findings, file)


def _check_formulas(
    rows: Sequence[Record], layout: _Layout, header: Sequence[str], file: str
) -> list[Finding]:
    """No respondent sends a formula: somebody wrote it over an answer, and its value may change by itself."""
    message = "数式かエラーです。送信された文字に直してください。"
    mapped = layout.mapped
    places = (
        f"{file} {row.number}行 {fold_title(header[column])}"
        for row in rows
        for column, kind in sorted(row.typed.items())
        if kind in _COMPUTED and column in mapped
    )
    return shorten([Finding("unreadable", place, message) for place in places], file)


def _check_typed(
    rows: Sequence[Record], layout: _Layout, header: Sequence[str], file: str
) -> Iterator[Finding]:
    """What a spreadsheet took for a number, a time or a truth is no longer what was sent: 0123 is 123, 12:05 a time."""
    answers = layout.mapped - {layout.time, layout.created}
    for column in sorted(answers | layout.unknown.keys()):
        numbers = [row.number for row in rows if row.typed.get(column, "formula") not in _COMPUTED]
        if numbers:
            listed = "、".join(f"{number}行" for number in numbers[:_LISTED_ROWS])
            message = (
                f"{len(numbers)} 個の値が文字ではなく数や日時になっています（{listed}）。送信された文字（先頭の 0、全角など）"
                "とは違うかもしれません。列を「書式なしテキスト」にし、フォームの回答と見比べてください。"
            )
            yield Finding("typed", f"{file} 列 {fold_title(header[column])}", message)


def _check_long_rows(rows: Iterable[Record], width: int, file: str) -> list[Finding]:
    message = "見出しより右にはみ出した値があります。値は残しましたが、どの質問にも当てていません。"
    long = (row.number for row in rows if any(row.cells[width:]))
    return shorten([Finding("long_row", f"{file} {number}行", message) for number in long], file)


def shorten(findings: list[Finding], file: str) -> list[Finding]:
    """Name enough rows to see what is wrong, and count the others."""
    more = len(findings) - _LISTED_ROWS
    if more <= 0:
        return findings
    return [
        *findings[:_LISTED_ROWS],
        Finding(findings[0].code, file, f"同じ指摘がほかに {more} 件あります。"),
    ]


def _build_responses(
    rows: Sequence[Record],
    layout: _Layout,
    times: pd.Series,
    created: pd.Series,
    form: FormMap,
    file: str,
) -> pd.DataFrame:
    def column(index: int | None) -> list[str]:
        return ["" if index is None else row.cells[index] for row in rows]

    frame = pd.DataFrame(
        {
            "response_id": column(layout.response_id),
            "submitted_at": times,
            "submitted_text": column(layout.time),
            "created_at": created,
            "address": column(layout.address),
            "answers": pd.Series([_read_answers(row, layout, form) for row in rows], dtype="object"),
            "place": [f"{file} {row.number}行" for row in rows],
        }
    )
    return conform(frame, RESPONSES)


def _read_answers(row: Record, layout: _Layout, form: FormMap) -> dict[str, str | list[str]]:
    """Return the answers of one row.

    Every declared field is there, blank where its column is absent, and undeclared ones only where they hold
    something: a column that comes or goes without answers must not turn old responses into new ones. Nor must a
    formula that somebody wrote beside them.
    """
    cells = row.cells
    answers: dict[str, str | list[str]] = {}
    for field in form.fields:
        index = layout.fields[field.name]
        cell = "" if index is None else cells[index]
        answers[field.name] = split_ticks(cell, field.choices) if field.many else cell
    written = (each for each in layout.unknown.items() if row.typed.get(each[0]) not in _COMPUTED)
    answers.update({name: cells[index] for index, name in written if cells[index] != ""})
    return answers
