"""From the two YAML files to `Settings`: the rulebook's dated data with the config laid over it.

Promises: every fault of both files is found before anything else is read, each with file, line, key, what is wrong
and what is allowed. Refuses to know: what a parameter means.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

import rules
from pipeline.yamltext import Document, Place, read_yaml
from rules.clock import read_instant
from rules.game import Form, Game, Settings
from rules.parameters import Parameter, Parameters, Ruleset, Value, find_faults
from rules.units import find_misfit


class ConfigError(Exception):
    """All faults of the configuration, one line each."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(faults))


class Strict(BaseModel):
    """A block of YAML: unknown keys are faults, integers may stand where text is wanted."""

    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True, populate_by_name=True)


class ValueBlock(Strict):
    since: str | None = Field(default=None, alias="from")
    value: str | list[str]
    status: Literal["provisional", "official"]


class ParameterBlock(Strict):
    name: str
    section: str
    unit: str
    values: list[ValueBlock]


class OverrideBlock(Strict):
    values: list[ValueBlock]


class RulebookBlock(Strict):
    game: str
    parameters: dict[str, ParameterBlock]
    policies: dict[str, str] = {}
    words: dict[str, list[str]] = {}


def list_games() -> list[str]:
    """The names of the game packages there are."""
    return sorted(m.name for m in pkgutil.iter_modules(rules.__path__) if m.ispkg)


def load_game(name: str) -> Game:
    """The game package of that name; ConfigError lists the ones there are."""
    known = list_games()
    if name not in known:
        raise ConfigError([f"game: 「{name}」というゲームはありません。使えるもの: {'、'.join(known)}"])
    game: Game = importlib.import_module(f"rules.{name}").GAME
    return game


def load_rulebook(game: Game) -> RulebookBlock:
    document = read_yaml(Path(game.rulebook))
    return validate(RulebookBlock, document, Path(game.rulebook).name)


Block = TypeVar("Block", bound=BaseModel)


def validate(model: type[Block], document: Document, name: str) -> Block:
    """The validated block, or all faults of the document at once."""
    faults = list(document.faults)
    try:
        block = model.model_validate(document.data)
    except ValidationError as error:
        faults += [_explain(problem, document.lines, name) for problem in error.errors()]
    if faults:
        raise ConfigError(faults)
    return block


_SAID: Mapping[str, str] = {
    "missing": "このキーが必要です",
    "extra_forbidden": "知らないキーです。綴りを確かめるか、消してください",
    "string_type": "文字で書いてください（引用符で囲むと、書いたとおりに読みます）",
    "list_type": "一覧（- で始まる行）で書いてください",
    "dict_type": "「キー: 値」の形で書いてください",
    "model_type": "「キー: 値」の形で書いてください",
    "bool_type": "true か false を書いてください",
    "int_parsing": "整数を書いてください",
    "float_parsing": "数を書いてください",
    "greater_than": "{gt:g} より大きい数を書いてください",
    "greater_than_equal": "{ge:g} 以上の数を書いてください",
    "less_than_equal": "{le:g} 以下の数を書いてください",
    "finite_number": "数を書いてください",
    "string_pattern_mismatch": "https:// で始まるアドレスを書いてください（この機械の中だけなら http://127.0.0.1 でも）",
}


def _explain(problem: Any, lines: Mapping[Place, int], name: str) -> str:
    place = tuple(part for part in problem["loc"])
    at = next((lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in lines), 1)
    said = _SAID.get(problem["type"])
    if said is not None:
        said = said.format_map(problem.get("ctx", {}))
    else:
        allowed = problem.get("ctx", {}).get("expected")
        said = f"使える値: {allowed}" if allowed else str(problem["msg"])
    got = f"（いまは {problem['input']!r}）" if not isinstance(problem["input"], dict | list) else ""
    return f"{name} {at}行 {'.'.join(map(str, place))}: {said}{got}"


def load_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ConfigError([f"timezone: 「{name}」という時間帯はありません（例: Asia/Tokyo）"]) from None


def build_settings(
    game: Game,
    rulebook: RulebookBlock,
    zone: ZoneInfo,
    *,
    ruleset: Ruleset = "official",
    parameters: Mapping[str, OverrideBlock] | None = None,
    policies: Mapping[str, str] | None = None,
    words: Mapping[str, Sequence[str]] | None = None,
    forms: Mapping[str, Form] | None = None,
) -> Settings:
    """Lay the config's values over the rulebook's; ConfigError with all faults."""
    year = int(str(rulebook.parameters["P2"].values[0].value))
    faults: list[str] = []
    items = {
        key: Parameter(
            key,
            block.name,
            block.section,
            block.unit,
            tuple(_values(key, block.unit, block.values, zone, year, faults)),
        )
        for key, block in rulebook.parameters.items()
    }
    laid = _read_overrides(parameters or {}, items, zone, year, faults)
    policy = {**rulebook.policies, **(policies or {})}
    faults += _policy_faults(policy, rulebook.policies)
    unknown = set(words or {}) - set(rulebook.words)
    faults += [
        f"words.{key}: 知らない一覧です。使えるもの: {'、'.join(rulebook.words)}" for key in sorted(unknown)
    ]
    merged = Parameters(items, ruleset).replaced(laid) if not faults else Parameters(items, ruleset)
    faults += find_faults(merged, _game_instants(merged, zone, year)) if not faults else []
    if faults:
        raise ConfigError(faults)
    return Settings(
        parameters=merged,
        zone=zone,
        year=year,
        forms={form.name: form for form in game.forms} | dict(forms or {}),
        policies=policy,
        words={key: tuple((words or {}).get(key, rulebook.words[key])) for key in rulebook.words},
    )


def _policy_faults(policy: Mapping[str, str], named: Mapping[str, str]) -> Iterator[str]:
    for key, value in policy.items():
        if key in named:
            if value not in ("not_theirs", "flawed_last"):
                yield f"policies.{key}: 「{value}」は使えません。使える値: not_theirs、flawed_last"
        elif not re.fullmatch(r"A-\d\d", key):
            yield f"policies.{key}: 知らないキーです。使えるもの: {'、'.join(named)}、A-01 の形の番号"
        elif value not in ("1", "2", "3"):
            yield f"policies.{key}: 「{value}」は使えません。使える値: 1、2、3"


def _read_overrides(
    parameters: Mapping[str, OverrideBlock],
    items: Mapping[str, Parameter],
    zone: ZoneInfo,
    year: int,
    faults: list[str],
) -> dict[str, tuple[Value, ...]]:
    """The config's values by parameter; what cannot be laid over goes to `faults`."""
    laid: dict[str, tuple[Value, ...]] = {}
    for key, override in parameters.items():
        if key not in items:
            faults.append(
                f"parameters.{key}: そのようなパラメータはありません。使えるもの: {'、'.join(items)}"
            )
        elif items[key].unit in ("zone", "year"):
            faults.append(f"parameters.{key}: 規則表でだけ決められます（時間帯は timezone に書けます）")
        else:
            laid[key] = tuple(
                _values(f"parameters.{key}", items[key].unit, override.values, zone, year, faults)
            )
    return laid


def _values(
    place: str, unit: str, blocks: Sequence[ValueBlock], zone: ZoneInfo, year: int, faults: list[str]
) -> Iterator[Value]:
    for block in blocks:
        since = read_instant(block.since, zone, year) if block.since else None
        if block.since and since is None:
            faults.append(
                f"{place}: from の「{block.since}」を日時として読めません（例 2026-10-03 00:00:00）"
            )
            continue
        text = tuple(block.value) if isinstance(block.value, list) else block.value
        misfit = find_misfit(unit, text, zone, year)
        if misfit is not None:
            faults.append(f"{place}: {misfit}")
            continue
        yield Value(since, text, block.status)


def _game_instants(parameters: Parameters, zone: ZoneInfo, year: int) -> list[pd.Timestamp]:
    """Noon of every day from the first opening to the last end that any ruleset names."""
    ends = [
        read_instant(value.text, zone, year)
        for name in ("P8", "P9")
        for value in parameters.items[name].values
        if isinstance(value.text, str)
    ]
    known = [end for end in ends if end is not None]
    if not known:
        return []
    return list(pd.date_range(min(known), max(known), freq="D", unit="us"))
