"""The doors of one run: where responses come from and which spreadsheet is written, by the configured backend.

Promises: the local backend loads no library of Google; at Google one sign-in, one connection and one patience serve
the whole run. Refuses to know: what goes through the doors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from connectors.base import BookRead, Source, Workbook
from connectors.linked_tab import LinkedTab
from connectors.local_xlsx import open_source
from connectors.xlsx import XlsxWorkbook
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.google_files import GoogleFiles, read_files
from pipeline.settings import ConfigError
from pipeline.sheets import tab_order
from pipeline.tabs import LINE, MASTER
from rules.game import Form

if TYPE_CHECKING:
    from connectors.google_forms import FormsSource, Questions
    from connectors.google_retry import Patience
    from connectors.google_session import Google
    from connectors.google_sheets import SheetsWorkbook

QUESTIONS = "(questions)"
_FRESH = pd.Timedelta(hours=24)


@dataclass
class Outside:
    """The doors. `line` is the workbook apart from the masters' own, None where there is none; `forms` are sources by
    form; `tabs` the forms that are read from a tab of the workbook, with its title; `moving` says that people may move
    rows while we write, as they may at Google and not in a file."""

    config: Config
    workbook: Workbook
    line: Workbook | None
    forms: Mapping[str, Source] = field(default_factory=dict)
    tabs: Mapping[str, str] = field(default_factory=dict)
    moving: bool = False
    asking: Mapping[str, FormsSource] = field(default_factory=dict)
    google: Google | None = None

    def linked(self, book: BookRead) -> dict[str, Source]:
        """The sources that lie in the workbook that was read."""
        config = self.config
        zone, share = config.settings.zone, config.block.shrink_share
        return {
            name: LinkedTab(book, title, config.form_map(config.settings.forms[name]), zone, share)
            for name, title in self.tabs.items()
        }

    def keep_questions(self, archive: Archive, as_of: pd.Timestamp) -> None:
        """Archive what the forms were found to ask, so that the next run need not ask for it."""
        asked = {name: source.questions for name, source in self.asking.items() if source.asked}
        contents = {name: _show_questions(questions) for name, questions in asked.items()}
        if contents:
            archive.record_inputs(QUESTIONS, contents, as_of, False)
        for name, questions in asked.items():
            archive.record_read(f"{QUESTIONS}:{name}", as_of, True, len(questions.current))


@contextmanager
def open_outside(
    config: Config,
    archive: Archive | None = None,
    as_of: pd.Timestamp | None = None,
    patience: Patience | None = None,
) -> Iterator[Outside]:
    """Open the doors for one run. The archive tells what forms were last found to ask."""
    if config.backend == "local":
        sources = {form.name: open_file(config, form) for form in config.forms}
        book, line = XlsxWorkbook(config.workbook, tab_order(config)), XlsxWorkbook(config.line, [LINE])
        yield Outside(config, book, line, sources)
        return
    with _connect(config, patience) as google:
        yield _open_google(config, google, _recall_questions(archive, as_of))


def open_file(config: Config, form: Form) -> Source:
    """The file of a form."""
    zone, share = config.settings.zone, config.block.shrink_share
    return open_source(config.form_file(form.name), config.form_map(form), zone, share)


@contextmanager
def _connect(config: Config, patience: Patience | None) -> Iterator[Google]:
    from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES

    with connect(config, (*FORMS_SCOPES, *SHEETS_SCOPES), patience=patience) as google:
        yield google


def connect(
    config: Config, scopes: tuple[str, ...], *, person: bool = False, patience: Patience | None = None
) -> Google:
    """Sign in as the config says, or as the person who makes files, and make the connection; no call is sent."""
    from connectors.google_auth import Login, sign_in
    from connectors.google_retry import Patience
    from connectors.google_session import Google

    block = config.block.google
    own = Login(block.login, login_file(config))
    login = Login("oauth", config.resolve(block.token)) if person else own
    patience = patience or Patience(total=block.patience_seconds)
    return Google(sign_in(login, scopes), patience, block.endpoint)


def login_file(config: Config) -> Path | None:
    """The key file, or the cached sign-in of a person; what the machine provides needs none."""
    block = config.block.google
    if block.login == "default":
        return None
    return config.resolve(block.token if block.login == "oauth" else block.credentials)


def open_master(config: Config, google: Google, book_id: str) -> SheetsWorkbook:
    """The masters' spreadsheet at Google; no call is sent."""
    from connectors.google_sheets import SheetsWorkbook

    return SheetsWorkbook(google, book_id, tab_order(config), MASTER)


def _recall_questions(archive: Archive | None, as_of: pd.Timestamp | None) -> dict[str, Questions]:
    """form -> what it was last found to ask; what was read more than a day ago is to be read afresh."""
    if archive is None or as_of is None:
        return {}
    inputs, reads = archive.inputs(), archive.reads()
    mine = inputs.loc[inputs["table"].eq(QUESTIONS)].sort_values("seq")
    known = dict(zip(mine["key"].astype(str), mine["content"].astype(str), strict=True))
    found = {name: _read_questions(content) for name, content in known.items()}
    fresh = {
        name
        for name in found
        if (read := reads.get(f"{QUESTIONS}:{name}")) is not None and read <= as_of < read + _FRESH
    }
    return {name: one if name in fresh else one._replace(current=()) for name, one in found.items()}


def _open_google(config: Config, google: Google, known: Mapping[str, Questions]) -> Outside:
    from connectors.google_forms import FormsSource
    from connectors.google_sheets import SheetsWorkbook

    files = read_files(config)
    faults = list(missing_ids(config, files))
    if faults:
        raise ConfigError(faults)
    share = config.block.shrink_share
    asking: dict[str, FormsSource] = {}
    forms: dict[str, Source] = {}
    tabs: dict[str, str] = {}
    for form in config.forms:
        name, tab = form.name, config.linked_tab(form.name)
        if tab:
            tabs[name] = tab
        elif files.forms.get(name):
            source = FormsSource(
                google, files.forms[name], config.form_map(form), share, known=known.get(name)
            )
            asking[name] = forms[name] = source
        else:
            forms[name] = open_file(config, form)
    book = open_master(config, google, files.spreadsheet)
    line = SheetsWorkbook(google, files.line, [LINE], LINE) if files.line else None
    return Outside(config, book, line, forms, tabs, True, asking, google)


def missing_ids(config: Config, files: GoogleFiles) -> Iterator[str]:
    """What has no file at Google. A table that asks for no secret word may as well be a file here."""
    if not files.spreadsheet:
        yield "google.spreadsheet: マスターの表の ID がありません。saitei sheets setup で作るか、ID を書いてください"
    for form in config.forms:
        if any(field.secret for field in form.fields) and not (
            config.linked_tab(form.name) or files.forms.get(form.name)
        ):
            yield (
                f"forms.{form.name}.id: フォームの ID がありません。saitei forms create で作るか、"
                "id（またはリンクしたシートの題名を tab）に書いてください"
            )


def _show_questions(questions: Questions) -> str:
    return json.dumps(
        {**questions._asdict(), "titles": dict(questions.titles)}, ensure_ascii=False, sort_keys=True
    )


def _read_questions(content: str) -> Questions:
    from connectors.google_forms import Questions

    found: dict[str, Any] = json.loads(content)
    lists = {name: tuple(found[name]) for name in ("current", "typed", "strangers")}
    return Questions(dict(found["titles"]), **lists)
