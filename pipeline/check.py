"""`saitei check`: scenario cases against the rules.

Promises: each failing expectation is one line with its case, what was expected and what was got; the last line is
`N passed, M failed`. Refuses to know: what a case is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.case_run import CaseError, case_settings
from pipeline.cases import prepare
from pipeline.expect import Checker
from pipeline.settings import ConfigError, list_games, load_game, load_rulebook, load_zone
from pipeline.troubles import UsageError
from pipeline.yamltext import read_yaml
from rules.game import Game, Outcome


class Coverage:
    """Which reasons and open points the cases met, with how often and with which statuses."""

    def __init__(self) -> None:
        self.codes: Counter[tuple[str, str]] = Counter()
        self.rulings: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        for status, reasons, notes in zip(
            outcome.verdicts["effective"], outcome.verdicts["reasons"], outcome.verdicts["notes"], strict=True
        ):
            self.codes.update((reason.code, str(status)) for reason in reasons)
            self.rulings.update(note.ruling for note in notes if note.ruling)
        self.rulings.update(flag.note.ruling for flag in outcome.flags)

    def lines(self, game: Game) -> Iterator[str]:
        """One line for each rule and open point there is; those that no case met are marked."""
        for code in sorted(game.reasons):
            met = {status: n for (c, status), n in sorted(self.codes.items()) if c == code}
            shown = "　".join(f"{status} {n}" for status, n in met.items()) or "どの事例にもありません"
            yield f"{'  ' if met else '! '}{code}　{shown}"
        for ruling in game.rulings:
            count = self.rulings[ruling]
            yield f"{'  ' if count else '! '}{ruling}　{count or 'どの事例にもありません'}"


def run_checks(
    paths: Sequence[Path], game: str | None, say: Callable[[str], None], *, coverage: bool = False
) -> int:
    """Run all cases of all files; 0 if all passed, 1 if one failed. UsageError for files that cannot be read."""
    passed = failed = 0
    seen: dict[str, Path] = {}
    met: dict[str, Coverage] = {}
    for path in paths:
        name = game or find_game(path)
        for case in _read_cases(path):
            case_id = str(case["id"])
            failures = check_case(case, name, met.setdefault(name, Coverage()))
            if case_id in seen:
                failures.insert(0, f"id が {seen[case_id]} にもあります")
            seen[case_id] = path
            for line in failures:
                say(f"{case_id}: {line}")
            passed, failed = passed + (not failures), failed + bool(failures)
    for name, covered in met.items() if coverage else ():
        for line in covered.lines(load_game(name)):
            say(line)
    say(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def find_game(path: Path) -> str:
    """The game that a case file is for: a folder on its way that is named like one, else ./config.yaml's, else the
    only or first there is."""
    known = list_games()
    for folder in path.resolve().parents:
        if folder.name in known:
            return folder.name
    config = Path("config.yaml")
    named = read_yaml(config).data if config.is_file() else {}
    return str(named["game"]) if isinstance(named, dict) and named.get("game") in known else known[0]


def _read_cases(path: Path) -> Iterator[Mapping[str, Any]]:
    if not path.is_file():
        raise UsageError(f"{path}: ファイルがありません")
    document = read_yaml(path)
    if document.faults:
        raise ConfigError(document.faults)
    if not isinstance(document.data, list):
        raise UsageError(f"{path}: 事例の一覧（- id: … で始まる行）ではありません")
    for number, case in enumerate(document.data):
        if not isinstance(case, Mapping) or not {"id", "cite", "then"} <= set(case):
            line = document.lines.get((number,), 1)
            raise UsageError(f"{path} {line}行: 事例には id・cite・then が必要です")
        yield case


def check_case(case: Mapping[str, Any], game_name: str, coverage: Coverage | None = None) -> list[str]:
    """What does not hold in one case; a case that cannot be read fails with the reason."""
    game = load_game(game_name)
    rulebook = load_rulebook(game)
    try:
        zone = load_zone(str(rulebook.parameters["P3"].values[0].value))
        checker = Checker(prepare(case, game, case_settings(case, game, rulebook, zone)))
        if coverage is not None:
            coverage.add(checker.outcome)
        return checker.failures()
    except (CaseError, ConfigError, ValidationError, ValueError, KeyError, TypeError) as error:
        return [f"事例を読めません: {type(error).__name__} {error}"]
