"""config.yaml: wiring (files, forms, titles) and what is laid over the rulebook.

Promises: unknown or doubled keys, unreadable values, forms without needed questions, doubled titles, parameters
without a value on a day of the game: all faults at once, each with its place, before anything is read. All paths are
relative to the file. Refuses to know: what is in the files it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

import pandas as pd
from pydantic import Field

from connectors.base import FieldMap, FormMap
from pipeline.settings import (
    ConfigError,
    OverrideBlock,
    Strict,
    build_settings,
    load_game,
    load_rulebook,
    load_zone,
    validate,
)
from pipeline.tabs import OWN_TABS
from pipeline.yamltext import read_yaml
from rules.clock import read_instant
from rules.game import AddressCheck, Ask, Form, Game, Settings
from rules.parameters import Ruleset

_ENDPOINT = r"^((https://[^\s/?#]+|http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?)(/[^\s?#]*)?)?$"
"""Unencrypted only to this very machine: whoever listens between could act with the token."""

Backend = Literal["local", "google"]
TITLES: Mapping[str, tuple[str, ...]] = {
    "time": ("タイムスタンプ", "Timestamp"),
    "address": ("メールアドレス", "ユーザー名", "Email Address", "Username"),
    "id": ("回答ID",),
    "created": ("初回送信",),
}
"""What Google calls the columns that an export adds by itself."""


class PathsBlock(Strict):
    responses: str
    masters: str
    passphrases: str
    key: str
    archive: str = "var/archive.sqlite"
    workbook: str = "var/master.xlsx"
    line: str = "var/line.xlsx"
    output: str = "out"
    log: str = "var/saitei.log"


class FieldBlock(Strict):
    title: str | None = None
    aliases: list[str] = []
    choices: list[str] = []
    kind: Literal["checkbox", "dropdown", "choice", "text", "paragraph", "time"] | None = None


class FormBlock(Strict):
    file: str | None = None
    id: str | None = None
    tab: str | None = None
    since: str | None = None
    title: str | None = None
    email_collection: AddressCheck | None = None
    fields: dict[str, FieldBlock] = {}


class GoogleBlock(Strict):
    """How Google is reached, and which files are ours; `state` holds the ids of what our own commands made.

    `live_spreadsheet` and `live_form` are files that may be spoilt: `saitei doctor --live-check` tries things on them.
    """

    login: Literal["service_account", "oauth", "default"] = "service_account"
    credentials: str = "private/google.json"
    client: str = "private/client.json"
    token: str = "private/token.json"
    spreadsheet: str | None = None
    line: str | None = None
    state: str = "private/google-files.json"
    heartbeat_minutes: int = Field(default=60, ge=0)
    patience_seconds: float = Field(default=240, gt=0)
    endpoint: str = Field(default="", pattern=_ENDPOINT)
    live_spreadsheet: str | None = None
    live_form: str | None = None


class ConfigBlock(Strict):
    game: str
    timezone: str | None = None
    backend: Backend = "local"
    as_of: str | None = None
    ruleset: Ruleset = "official"
    paths: PathsBlock
    google: GoogleBlock = GoogleBlock()
    masters: list[str] = []
    shrink_share: float = Field(default=0.2, ge=0, le=1)
    titles: dict[Literal["time", "address", "id", "created"], list[str]] = {}
    forms: dict[str, FormBlock] = {}
    parameters: dict[str, OverrideBlock] = {}
    policies: dict[str, str] = {}
    words: dict[str, list[str]] = {}


@dataclass(frozen=True)
class Config:
    """A validated configuration: the game, its settings, and where everything lies."""

    path: Path
    game: Game
    settings: Settings
    block: ConfigBlock
    as_of: pd.Timestamp | None
    backend: Backend

    def resolve(self, name: str) -> Path:
        return (self.path.parent / name).resolve()

    @property
    def archive(self) -> Path:
        return self.resolve(self.block.paths.archive)

    @property
    def workbook(self) -> Path:
        return self.resolve(self.block.paths.workbook)

    @property
    def line(self) -> Path:
        return self.resolve(self.block.paths.line)

    @property
    def output(self) -> Path:
        return self.resolve(self.block.paths.output)

    @property
    def forms(self) -> list[Form]:
        """The forms that this game uses: those that the config names, all where it names none."""
        named = self.block.forms
        return [form for form in self.settings.forms.values() if not named or form.name in named]

    def form_file(self, form: str) -> Path:
        block = self.block.forms.get(form, FormBlock())
        return self.resolve(self.block.paths.responses) / (block.file or f"{form}.csv")

    def linked_tab(self, form: str) -> str:
        """The tab of the master spreadsheet that Google links to this form; "" where it is not read from one."""
        return (self.block.forms.get(form, FormBlock()).tab or "").strip()

    def since(self, form: str) -> pd.Timestamp | None:
        """The second up to which the responses of this form stand as an earlier source gave them."""
        text = self.block.forms.get(form, FormBlock()).since
        return read_instant(text, self.settings.zone, self.settings.year) if text else None

    def form_map(self, form: Form) -> FormMap:
        """How the columns of an export of this form are found."""
        block = self.block.forms.get(form.name, FormBlock())
        fields = []
        for field in form.fields:
            own = block.fields.get(field.name, FieldBlock())
            choices = tuple(own.choices) or self.settings.choices.get(f"{form.name}.{field.name}", ())
            fields.append(
                FieldMap(field.name, (field.title, *own.aliases), field.many, choices, field.required)
            )
        titles = {kind: (*self.block.titles.get(kind, ()), *names) for kind, names in TITLES.items()}  # type: ignore[call-overload]
        return FormMap(
            form.name,
            tuple(fields),
            (*form.time_titles, *titles["time"]),
            titles["address"],
            (*form.id_titles, *titles["id"]),
            titles["created"],
        )


def load_config(path: Path, *, ruleset: Ruleset | None = None, backend: Backend | None = None) -> Config:
    """Read and validate; ConfigError carries every fault found."""
    if not path.is_file():
        raise ConfigError([f"{path}: 設定ファイルがありません。--config で場所を指定してください"])
    document = read_yaml(path)
    block = validate(ConfigBlock, document, path.name)
    game = load_game(block.game)
    rulebook = load_rulebook(game)
    zone = load_zone(block.timezone or str(rulebook.parameters["P3"].values[0].value))
    forms = {form.name: _lay_form(form, block.forms.get(form.name, FormBlock())) for form in game.forms}
    faults = [f"{path.name} {fault}" for fault in _form_faults(block, game, forms)]
    try:
        settings = build_settings(
            game,
            rulebook,
            zone,
            ruleset=ruleset or block.ruleset,
            parameters=block.parameters,
            policies=block.policies,
            words=block.words,
            forms=forms,
        )
    except ConfigError as error:
        raise ConfigError([*faults, *(f"{path.name} {fault}" for fault in error.faults)]) from None
    if (path.parent / block.paths.line).resolve() == (path.parent / block.paths.workbook).resolve():
        faults.append(
            f"{path.name} paths.line: paths.workbook と同じファイルです。別のファイルにしてください"
        )
    as_of = _read_as_of(block, zone, settings.year, faults, path)
    for name, given in block.forms.items():
        if given.since is not None and read_instant(given.since, zone, settings.year) is None:
            faults.append(
                f"{path.name} forms.{name}.since: 「{given.since}」を日時として読めません（例 2026-10-16 12:30:00）"
            )
    if faults:
        raise ConfigError(faults)
    return Config(path.resolve(), game, settings, block, as_of, backend or block.backend)


def _read_as_of(
    block: ConfigBlock, zone: ZoneInfo, year: int, faults: list[str], path: Path
) -> pd.Timestamp | None:
    if block.as_of is None:
        return None
    found = read_instant(block.as_of, zone, year)
    if found is None:
        faults.append(f"{path.name} as_of: 「{block.as_of}」を日時として読めません（例 2026-10-16 12:30:00）")
    return found


def _lay_form(form: Form, block: FormBlock) -> Form:
    """The form with the config's titles and ways of asking."""
    fields = tuple(
        field._replace(
            title=own.title or field.title,
            many=field.many if own.kind is None else own.kind == "checkbox",
            ask=_lay_ask(field.ask, own),
        )
        if (own := block.fields.get(field.name)) is not None
        else field
        for field in form.fields
    )
    return form._replace(
        title=block.title or form.title, fields=fields, address=block.email_collection or form.address
    )


def _lay_ask(ask: Ask, own: FieldBlock) -> Ask:
    kind = ask.kind if own.kind is None else "short" if own.kind == "text" else own.kind
    if own.choices:
        ask = ask._replace(choices=tuple(own.choices), choices_from="")
    return ask._replace(kind=kind)


def _form_faults(block: ConfigBlock, game: Game, forms: Mapping[str, Form]) -> Iterator[str]:
    for name, given in block.forms.items():
        if name not in forms:
            yield f"forms.{name}: そのようなフォームはありません。使えるもの: {'、'.join(forms)}"
            continue
        known = [field.name for field in forms[name].fields]
        for field in given.fields:
            if field not in known:
                yield f"forms.{name}.fields.{field}: そのような質問はありません。使えるもの: {'、'.join(known)}"
    tabs: dict[str, str] = dict.fromkeys((*OWN_TABS, *(t.name for t in game.tables)), "ほかのシート")
    for form in forms.values():
        if (other := tabs.setdefault(form.title.strip(), form.name)) != form.name:
            yield f"forms.{form.name}.title: 「{form.title}」は {other} の題名でもあります。別の題名にしてください"
        given = block.forms.get(form.name, FormBlock())
        if given.tab is not None and (given.tab.strip() in tabs or not given.tab.strip()):
            yield f"forms.{form.name}.tab: 「{given.tab}」は機械が書くシートです。フォームの回答のシートを書いてください"
        seen: dict[str, str] = {}
        for question in form.fields:
            for title in (question.title, *given.fields.get(question.name, FieldBlock()).aliases):
                if seen.setdefault(title.strip(), question.name) != question.name:
                    yield f"forms.{form.name}: 題名「{title}」が {seen[title.strip()]} と {question.name} の2つにあります"
