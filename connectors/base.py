"""The contracts between the outside world and the pipeline.

Promises: whoever pulls responses or reads and writes a workbook through these types need not know whether files or
Google stand behind them; every cell is text, and a fault in the data is a Finding, never an exception.
Refuses to know: any game, any ruling, and where the data lies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol

import pandas as pd

from rules.frames import Finding, Grid


class FieldMap(NamedTuple):
    """One question: the name the rules know it by, and the titles under which an export may show it.

    `titles` holds the configured title and its aliases, because organisers reword questions while a game runs.
    `many` marks a question with several answers (checkboxes): its answer is a list of texts, split against
    `choices`. A field that is not `required` may be absent from an export without a fault.
    """

    name: str
    titles: tuple[str, ...]
    many: bool = False
    choices: tuple[str, ...] = ()
    required: bool = True


class FormMap(NamedTuple):
    """One form: its questions and the titles of the columns that the export itself adds.

    Only the time is needed in every export. Without an id column an edit cannot be told from a new response; the
    archive then makes an id of what is there.
    """

    name: str
    fields: tuple[FieldMap, ...]
    time_titles: tuple[str, ...]
    address_titles: tuple[str, ...]
    id_titles: tuple[str, ...]
    created_titles: tuple[str, ...]


class Pulled(NamedTuple):
    """What one pull of one form brought: a frame of shape RESPONSES, in the order of the source.

    `complete` is False when the form sits this run out; `responses` is then empty, and its emptiness must not be
    taken for withdrawals. `findings` may be present either way.
    """

    source: str
    responses: pd.DataFrame
    complete: bool
    findings: tuple[Finding, ...]


class Source(Protocol):
    """Where the responses of one form come from."""

    def pull(self, known_rows: int) -> Pulled:
        """Read everything there is; `known_rows` is how many responses were there last, 0 before the first pull."""
        ...


class SourceError(Exception):
    """Trouble outside the data: a file that is missing, locked or refused. The message names it and what to do."""


class ColumnLook(NamedTuple):
    """How one column of a sheet looks, and who may write in it.

    `machine` columns are overwritten on every run, `master` columns are read and never written, `key` columns tie a
    row to what it is about.
    """

    header: str
    width: float = 12
    owner: Literal["machine", "master", "key"] = "machine"
    choices: tuple[str, ...] = ()
    wrap: bool = False
    kind: Literal["text", "number"] = "text"


class SheetLook(NamedTuple):
    """How one sheet looks. `header_row` is the 0-based index of the header in the grid.

    `colours` maps a status word to RRGGBB; a row takes the colour of the word in the column `colour_header`. Where rows
    cannot simply be written in their order, `sort_header` is the column of numbers by which they are sorted. `grows`:
    the machine adds rows at the end.
    """

    columns: tuple[ColumnLook, ...]
    header_row: int = 0
    frozen_columns: int = 0
    colours: Mapping[str, str] = MappingProxyType({})
    colour_header: str = ""
    tab_colour: str = ""
    sort_header: str = ""
    grows: bool = False


class SheetWrite(NamedTuple):
    """One sheet as it shall stand after the write."""

    title: str
    grid: Grid
    look: SheetLook


class NoText(NamedTuple):
    """A cell that holds no text, and what it shows: a time to its last digit, all else as the grid has it."""

    kind: Literal["number", "time", "truth", "formula", "error"]
    text: str


class BookRead(NamedTuple):
    """A workbook as text, with the fingerprint of the very state that was read ("" = there is nothing of ours yet).

    `zone` is the time zone that the workbook itself is set to ("" = it has none, as a file). `typed` tells, of tabs that
    are not ours, which cells are no texts, by row and column counted from 1.
    """

    grids: Mapping[str, Grid]
    fingerprint: str
    findings: tuple[Finding, ...]
    zone: str = ""
    typed: Mapping[str, Mapping[tuple[int, int], NoText]] = MappingProxyType({})


class Workbook(Protocol):
    """The masters' spreadsheet."""

    def read(self) -> BookRead:
        """Read all sheets at one moment."""
        ...

    def write(self, sheets: Sequence[SheetWrite], fingerprint: str) -> None:
        """Write all sheets in one step, or none: raise WorkbookBusy if the book is no longer what was read."""
        ...


class WorkbookBusy(SourceError):  # noqa: N818 (reads as the state it reports)
    """The workbook is open or locked elsewhere, or someone changed it after it was read."""
