"""What a game package must bring: one value of data and functions, no subclass.

Promises: everything outside the game's own package speaks to it through these types only. Refuses to know: any game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

import pandas as pd

from rules.frames import Finding
from rules.identity import Word
from rules.parameters import Parameters
from rules.tables import Table
from rules.verdicts import ACCEPTED, AUTOMATIC, HELD, REFUSED, Flag

AddressCheck = Literal["verified", "responder_input"]
AskKind = Literal["short", "paragraph", "dropdown", "choice", "checkbox", "time"]


class Ask(NamedTuple):
    """How a question is put to whoever fills the form in.

    `choices` stand for themselves; `choices_from` names a list of the game (`Game.list_names`) that holds only what
    is published. `blank`: whether the answer may be left out (None: where the question itself may be missing);
    `other`: whether something else may be typed. `page` is the heading of the page that it stands on ("" = the
    first), `leads` the page to which a choice leads ("" = the end). `check`: what only a person can set, in words.
    """

    kind: AskKind = "short"
    choices: tuple[str, ...] = ()
    choices_from: str = ""
    blank: bool | None = None
    other: bool = False
    page: str = ""
    leads: Mapping[str, str] = MappingProxyType({})
    check: str = ""


class Field(NamedTuple):
    """One question of a form; `many` for tick boxes, `secret` for the word that proves the sender."""

    name: str
    title: str
    many: bool = False
    required: bool = True
    secret: bool = False
    width: float = 14
    ask: Ask = Ask()


class MasterColumn(NamedTuple):
    """A column of a review tab that masters fill beside the common ones."""

    header: str
    choices: tuple[str, ...] = ()
    width: float = 12


class Form(NamedTuple):
    """A form: its questions, how its address is collected, the sources that can change its verdicts, what masters
    may rule and what they note; `introduction` is what everybody reads above the questions."""

    name: str
    title: str
    fields: tuple[Field, ...]
    address: AddressCheck
    sources: tuple[str, ...]
    time_titles: tuple[str, ...] = ()
    id_titles: tuple[str, ...] = ()
    rulings: tuple[str, ...] = (AUTOMATIC, ACCEPTED, REFUSED, HELD)
    masters: tuple[MasterColumn, ...] = ()
    introduction: str = ""


@dataclass(frozen=True)
class Settings:
    """Everything configured that a rule may ask for; instants are arguments, never here."""

    parameters: Parameters
    zone: ZoneInfo
    year: int
    forms: Mapping[str, Form]
    policies: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Opening(NamedTuple):
    """A state that holds just after all postings of `at`: only later instants are derived (test cases)."""

    at: pd.Timestamp
    balances: Mapping[tuple[str, str], int]
    holdings: tuple[tuple[str, str, pd.Timestamp, pd.Timestamp], ...] = ()
    lists: Mapping[str, tuple[str, ...]] = {}


class Facts(NamedTuple):
    """What was read: shapes REVISIONS, INPUTS, DECISIONS; `reads` gives each source's last complete reading."""

    revisions: pd.DataFrame
    inputs: pd.DataFrame
    decisions: pd.DataFrame
    words: Sequence[Word]
    reads: Mapping[str, pd.Timestamp] | None = None
    opening: Opening | None = None
    own_calendar: bool = False


class Task(NamedTuple):
    """Something due: a mail, an article, a decision, an alert. `release` = 解禁, `due` = 期限."""

    kind: str
    causes: tuple[str, ...]
    title: str
    body: str = ""
    to: tuple[str, ...] = ()
    release: pd.Timestamp | None = None
    due: pd.Timestamp | None = None
    audience: str = "masters"
    state: str = ""
    table: tuple[tuple[str, ...], ...] = ()

    @property
    def task_id(self) -> str:
        return "/".join((self.kind, *self.causes[:1], *self.to, self.title))


class Preview(NamedTuple):
    """What a decision that is not confirmed yet would change."""

    entry_id: str
    change: str
    effect: str
    todo: str


class Outcome(NamedTuple):
    """All that follows from the facts at one instant; frames of shapes VERDICTS, POSTINGS, HOLDINGS.

    `unruled`: (response id, revision) -> entry id of what was read but is no act of any procedure.
    """

    verdicts: pd.DataFrame
    postings: pd.DataFrame
    holdings: pd.DataFrame
    tasks: tuple[Task, ...]
    flags: tuple[Flag, ...]
    findings: tuple[Finding, ...]
    rows: Mapping[str, Sequence[Any]]
    extra: Any = None
    previews: tuple[Preview, ...] = ()
    unruled: Mapping[tuple[str, str], str] = {}


class ReviewRow(NamedTuple):
    """What a review tab shows of one entry beside its verdict."""

    who_what: str
    if_left: str
    due: pd.Timestamp | None
    cells: Mapping[str, str]
    address: str = ""


class LineColumn(NamedTuple):
    """A column of LINE連携, the table from which a messenger answers players; the first one names the player. `page` is
    the word by which players ask for it."""

    header: str
    width: float
    wrap: bool = False
    number: bool = False
    page: str = ""


class LineRow(NamedTuple):
    """What one player may see of their own state, by header.

    `held`: what is in doubt by its name, and how its cells would look without the entries in doubt."""

    player: str
    cells: Mapping[str, str]
    held: Mapping[str, Mapping[str, str]]


class Game(NamedTuple):
    """A game: its name, its data, and the pure functions that rule it."""

    name: str
    title: str
    rulebook: str
    forms: tuple[Form, ...]
    tables: tuple[Table, ...]
    adjudicate: Callable[[Facts, pd.Timestamp, Settings], Outcome]
    review: Callable[[Outcome, Settings], Mapping[str, ReviewRow]]
    list_names: Callable[[Outcome, str, str, pd.Timestamp], list[str]]
    instant_of: Callable[[Outcome, str, str], pd.Timestamp | None]
    made_rows: Callable[[Outcome, pd.Timestamp], Mapping[str, list[Mapping[str, str]]]]
    open_case: Callable[[Mapping[str, Any], Settings], Any]
    publish_row: Callable[[str, pd.Timestamp, Settings], tuple[str, Mapping[str, str]]]
    overview: Callable[[Outcome, pd.Timestamp, Settings], tuple[tuple[str, ...], list[tuple[str, ...]]]]
    overview_header: tuple[str, ...]
    line: Callable[[Outcome], list[LineRow]]
    line_columns: tuple[LineColumn, ...]
    account_label: Callable[[str], str]
    reasons: Mapping[str, str]
    rulings: tuple[str, ...]
    sound_word: Callable[[str], bool]
    roster_table: str
    player_column: str
