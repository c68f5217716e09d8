"""The rooms and what may pass between them: imports one way, no game outside its package, nothing but facts in rules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rulebook_headings import SECTIONS

ROOT = Path(__file__).parent.parent
ROOMS = ("rules", "connectors", "pipeline")
GAMES = sorted(folder.name for folder in (ROOT / "rules").iterdir() if (folder / "__init__.py").is_file())
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
OUTSIDE = {
    "asyncio", "ctypes", "filelock", "glob", "gspread", "http", "io", "locale", "logging", "multiprocessing", "openpyxl",
    "os", "pathlib", "platform", "random", "requests", "secrets", "shutil", "socket", "sqlite3", "structlog", "subprocess",
    "sys", "tempfile", "threading", "time", "typer", "urllib", "uuid",
}  # fmt: skip
CLOCKS = {"now", "today", "utcnow", "fromtimestamp", "time", "monotonic", "perf_counter"}
GAME_WORDS = (
    "星座", "恒星", "複製", "マスイベ", "星術師", "学者", "襲撃", "観測", "占星", "輝流堕", "正式呼称", "あいことば", "等星",
    "球", "人狼", "村人", "ドラフト", "オークション",
)  # fmt: skip
LINES, FUNCTION_LINES, WIDTH = 350, 50, 110


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{_name(path)}: imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _ours(path: Path) -> list[str]:
    return [name for name in _imports(path) if name.split(".")[0] in (*ROOMS, "samples", "tests")]


def _within(name: str, allowed: tuple[str, ...]) -> bool:
    return any(name == room or name.startswith(f"{room}.") for room in allowed)


def _is_game(name: str) -> bool:
    return any(_within(name, (f"rules.{game}",)) for game in GAMES)


every_source = pytest.mark.parametrize("path", SOURCES, ids=_name)


@every_source
def test_imports_go_one_way(path: Path) -> None:
    room, *rest = path.relative_to(ROOT).parts
    if room == "connectors":
        wrong = [name for name in _ours(path) if not _within(name, ("connectors", "rules.frames"))]
    elif room == "pipeline":
        wrong = [name for name in _ours(path) if not _within(name, ROOMS) or _is_game(name)]
    elif rest[0] in GAMES:
        own = f"rules.{rest[0]}"
        wrong = [
            name
            for name in _ours(path)
            if not _within(name, ("rules",)) or (_is_game(name) and not _within(name, (own,)))
        ]
    else:
        wrong = [name for name in _ours(path) if not _within(name, ("rules",)) or _is_game(name)]
    assert wrong == []


@every_source
def test_nothing_is_imported_in_a_circle(path: Path) -> None:
    """A module that can be reached from itself by imports at the top of files could not be understood alone."""
    start = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    seen: set[str] = set()
    todo = list(_modules(path))
    while todo:
        module = todo.pop()
        assert module != start
        if module not in seen:
            seen.add(module)
            todo += _modules(_file(module))


def _file(module: str) -> Path:
    path = ROOT / Path(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _modules(path: Path) -> Iterator[str]:
    """The modules of ours that a file needs to be loaded."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] not in ROOMS:
                continue
            for module in (name, name.rpartition(".")[0]):
                if module and _file(module).is_file() and "." in module:
                    yield module
                    break


RULES = [path for path in SOURCES if path.relative_to(ROOT).parts[0] == "rules"]


@pytest.mark.parametrize("path", RULES, ids=_name)
def test_rules_know_no_file_no_network_no_chance(path: Path) -> None:
    wrong = [name for name in _imports(path) if name.split(".")[0] in OUTSIDE]
    if path.name == "__init__.py":
        wrong += [n for n in _imports(path) if n.startswith("importlib") and n != "importlib.resources.files"]
    else:
        wrong += [name for name in _imports(path) if name.startswith("importlib")]
    assert wrong == []


@pytest.mark.parametrize("path", RULES, ids=_name)
def test_rules_read_no_clock_and_open_nothing(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Attribute)
            and node.attr in CLOCKS
            and isinstance(node.value, ast.Name | ast.Attribute)
        ):
            owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if owner in ("datetime", "date", "dt", "time", "pd", "Timestamp") and (owner, node.attr) != (
                "dt",
                "time",
            ):
                wrong.append(f"{node.lineno}: {owner}.{node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in ("open", "print", "input", "eval", "exec", "__import__"):
                wrong.append(f"{node.lineno}: {node.func.id}()")
    assert wrong == []


@pytest.mark.parametrize("path", RULES, ids=_name)
def test_rules_round_no_amount_through_a_float(path: Path) -> None:
    calls = [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float"
    ]
    assert calls == []


def _speechless() -> list[Path]:
    """Every file that must serve any game: code and templates."""
    files = [
        path for room in ("connectors", "pipeline") for path in (ROOT / room).rglob("*") if path.is_file()
    ]
    files += (ROOT / "rules").glob("*.py")
    return sorted(path for path in files if "__pycache__" not in path.parts)


@pytest.mark.parametrize("path", _speechless(), ids=_name)
def test_no_word_of_a_game_stands_outside_its_package(path: Path) -> None:
    text = path.read_text("utf-8")
    found = [
        f"{number}: {word}"
        for number, line in enumerate(text.splitlines(), start=1)
        for word in (*GAME_WORDS, *GAMES)
        if word in re.sub(r"(?:scenarios|samples)/\w+", "", line)
    ]
    assert found == []


_CITED = re.compile(r"[１-７]章 (?![a-z])[^ ,;:.（(、。\"'）)}\n」]+")


def _cited_files() -> list[Path]:
    return sorted(path for path in (ROOT / "rules" / "kanada").iterdir() if path.suffix in (".py", ".yaml"))


@pytest.mark.parametrize("path", _cited_files(), ids=_name)
def test_every_cited_section_is_a_heading_of_the_rules(path: Path) -> None:
    cited = set(_CITED.findall(path.read_text("utf-8")))
    assert sorted(cited - SECTIONS) == []


def test_every_reason_cites_a_section_or_takes_one_from_its_procedure() -> None:
    from rules.kanada.reasons import CATALOGUE

    for code, entry in CATALOGUE.items():
        assert entry.section == "" or entry.section in SECTIONS, code
    shared = {code for code, entry in CATALOGUE.items() if not entry.section}
    assert shared >= {"unreadable", "late", "superseded", "not_yet", "waits"}


def test_each_posting_rule_of_the_game_cites_a_section() -> None:
    """The last positional argument of a posting is its section (or a name bound to one)."""
    for path in RULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Posting":
                section = node.args[7] if len(node.args) > 7 else None
                assert section is not None, f"{_name(path)}:{node.lineno}"
                if isinstance(section, ast.Constant):
                    assert section.value in SECTIONS, f"{_name(path)}:{node.lineno}"


@every_source
def test_no_file_is_too_long_to_read_at_once(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LINES


@every_source
def test_no_function_is_too_long_to_hold_in_mind(path: Path) -> None:
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]
    assert long == []


@every_source
def test_a_module_opens_with_what_it_promises(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not text or (ast.get_docstring(ast.parse(text)) or "").strip()


def test_the_project_names_nothing_that_lies_outside_it() -> None:
    files = [
        *SOURCES,
        *(ROOT / "samples").rglob("*.py"),
        *(ROOT / "scenarios").rglob("*.yaml"),
        ROOT / "config.yaml",
    ]
    for path in files:
        text = path.read_text("utf-8")
        assert "/" + "work/" not in text, _name(path)
        assert "../" + "shared" not in text, _name(path)


def test_only_the_command_line_reads_the_clock() -> None:
    """Wall-clock time that could reach a ruling: an aware `now`. Log stamps and lock notes tell only of the run."""
    reading = {
        _name(path)
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] != "rules"
        and re.search(r"\.(now|utcnow|today)\(", path.read_text("utf-8"))
    }
    assert reading <= {"pipeline/commands.py", "pipeline/cli.py"}
