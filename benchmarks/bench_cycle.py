"""What a cycle costs in which nothing changed: the whole process of `saitei run`, against the bare import of the
libraries that it is made of.

The sample is copied to a temporary folder and run once; what is timed is every run after. The two take turns, and the
ratio is the median of the ratios of neighbours, so that a busy machine weighs on both alike.

Run: `make bench`, or `python benchmarks/bench_cycle.py [--rounds N] [--imports]`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = (
    "pandas",
    "openpyxl",
    "python_calamine",
    "pydantic",
    "structlog",
    "jinja2",
    "typer",
    "rich.progress",
    "yaml",
    "filelock",
)
BARE = [sys.executable, "-c", f"import {', '.join(LIBRARIES)}"]
CYCLE = [sys.executable, "-m", "pipeline", "run", "--quiet"]
SLOWEST = 12


def copy_sample(folder: Path) -> Path:
    """The sample game as a fresh clone has it."""
    shutil.copy(ROOT / "config.yaml", folder)
    shutil.copytree(ROOT / "samples" / "kanada", folder / "samples" / "kanada")
    return folder


def time_process(command: list[str], folder: Path) -> float:
    """Seconds from start to exit; a process that fails ends the benchmark."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, env=None)
    return time.perf_counter() - start


def list_imports(folder: Path) -> list[tuple[float, str]]:
    """Milliseconds that each top-level library took of the start, most first (those inside another not counted)."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", *CYCLE[1:]], cwd=folder, check=True, capture_output=True, text=True
    )
    spent: dict[str, float] = {}
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told.stderr):
        library = name.partition(".")[0]
        spent[library] = spent.get(library, 0) + int(own) / 1000
    return sorted(((taken, library) for library, taken in spent.items()), reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--imports", action="store_true", help="also list what the imports of a cycle take")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = copy_sample(Path(name))
        first = time_process(CYCLE, folder)
        time_process(BARE, folder)
        pairs = [(time_process(BARE, folder), time_process(CYCLE, folder)) for _round in range(asked.rounds)]
        print(f"first cycle (everything is new)  {first:.2f} s")
        print(f"bare imports                     median {statistics.median(p[0] for p in pairs):.2f} s")
        print(f"cycle in which nothing changed   median {statistics.median(p[1] for p in pairs):.2f} s")
        print(f"ratio cycle/bare {statistics.median(cycle / bare for bare, cycle in pairs):.2f}")
        if asked.imports:
            print("\n".join(f"  {taken:6.1f} ms  {library}" for taken, library in list_imports(folder)[:SLOWEST]))


if __name__ == "__main__":
    main()
