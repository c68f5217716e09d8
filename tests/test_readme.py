"""The README shows what a newcomer really sees."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from sample_game import SampleGame

from pipeline.cli import app
from pipeline.config import load_config

ROOT = Path(__file__).parents[1]


def test_the_lines_of_make_run_in_the_readme_are_those_of_the_sample(new_game: SampleGame) -> None:
    shown = re.search(
        r"```\n(2026-10-16 12:30:00 の時点で .*?)```", (ROOT / "README.md").read_text("utf-8"), re.S
    )
    assert shown is not None
    assert new_game.saitei("run").stdout.splitlines()[:3] == shown[1].splitlines()[:3]


def test_the_readme_counts_the_cases_that_there_are() -> None:
    cases = sum(
        path.read_text("utf-8").count("\n- id: ") + path.read_text("utf-8").startswith("- id: ")
        for path in (ROOT / "scenarios" / "kanada").glob("*.yaml")
    )
    assert f"`saitei check` ({cases} of them)" in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    groups = [("", app), *((f"{group.name} ", group.typer_instance) for group in app.registered_groups)]
    commands = [
        f"{group}{command.name or command.callback.__name__}"
        for group, made in groups
        for command in made.registered_commands
        if command.callback is not None
    ]
    assert {"run", "forms create"} < set(commands)
    assert [name for name in commands if not re.search(rf"^\| `saitei {name}[` ]", text, re.M)] == []


def test_every_dependency_earns_its_line() -> None:
    declared = re.search(
        r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text("utf-8"), re.M | re.S
    )
    assert declared is not None
    names = [name.lower() for name in re.findall(r'"([\w-]+)', declared[1])]
    table = (ROOT / "README.md").read_text("utf-8").partition("| dependency | why |")[2].partition("\n\n")[0]
    told = {name.strip("()").lower() for name in re.findall(r"[\w-]+", table)}
    assert len(names) > 10
    assert [name for name in names if name not in told] == []


def test_what_the_readme_says_to_type_makes_a_game_folder(tmp_path: Path) -> None:
    """As far as the doctor, who then knows what is missing."""
    for name in ("README.md", "docs/google.md", "docs/google.ja.md"):
        typed = re.search(r"```sh\n(game=.*?)```", (ROOT / name).read_text("utf-8"), re.S)
        assert typed is not None
        home = tmp_path / name.replace("/", "-")
        home.mkdir()
        lines = [line for line in typed[1].replace("\\\n", " ").splitlines() if "saitei doctor" not in line]
        script = "\n".join(lines)
        subprocess.run(["sh", "-ec", script], cwd=ROOT, env={**os.environ, "HOME": str(home)}, check=True)
        config = load_config(home / "game" / "config.yaml")
        assert config.backend == ("local" if name == "README.md" else "google")
        assert config.as_of is None
        assert config.form_file("board") == home / "game" / "responses" / "board.csv"
        assert (home / "game" / "private" / "key").stat().st_mode & 0o777 == 0o600
