"""What a cycle costs in which nothing changed: the whole process of `saitei run`, against the bare import of the
libraries that it is made of.

The sample is copied to a temporary folder and run once; what is timed is every run after. The two take turns, and the
ratio is the median of the ratios of neighbours, so that a busy machine weighs on both alike.

Run: `make bench`, or `python benchmarks/bench_cycle.py [--rounds N] [--imports]`.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

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


class Taken(NamedTuple):
    """Seconds from start to exit, and seconds of processor, which a busy machine changes least."""

    wall: float
    processor: float


def time_process(command: list[str], folder: Path) -> Taken:
    """Run to the end; a process that fails ends the benchmark."""
    start, used = time.perf_counter(), _children()
    subprocess.run(command, cwd=folder, check=True)
    return Taken(time.perf_counter() - start, _children() - used)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def list_imports(folder: Path) -> list[tuple[float, str]]:
    """Milliseconds that each top-level library took of the start, most first (those inside another not counted)."""
    told = subprocess.run(
        [sys.executable, "-X", "importtime", *CYCLE[1:]],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    spent: dict[str, float] = {}
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", told.stderr):
        library = name.partition(".")[0]
        spent[library] = spent.get(library, 0) + int(own) / 1000
    return sorted(((taken, library) for library, taken in spent.items()), reverse=True)


def _tell(name: str, taken: list[Taken]) -> None:
    wall, processor = (statistics.median(column) for column in zip(*taken, strict=True))
    print(f"{name:32} median {wall:.2f} s, of processor {processor:.2f} s")


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
        print(f"first cycle (everything is new)  {first.wall:.2f} s, of processor {first.processor:.2f} s")
        _tell("bare imports", [bare for bare, _cycle in pairs])
        _tell("cycle in which nothing changed", [cycle for _bare, cycle in pairs])
        wall = statistics.median(cycle.wall / bare.wall for bare, cycle in pairs)
        processor = statistics.median(cycle.processor / bare.processor for bare, cycle in pairs)
        print(f"ratio cycle/bare {wall:.2f}, of processor {processor:.2f}")
        if asked.imports:
            print(
                "\n".join(
                    f"  {taken:6.1f} ms  {library}" for taken, library in list_imports(folder)[:SLOWEST]
                )
            )


if __name__ == "__main__":
    main()
