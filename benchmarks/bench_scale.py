"""A whole cycle at 400, 4,000 and 40,000 responses: is it linear, and where does the time go?

    python benchmarks/bench_scale.py [SIZE ...]

Each size is a game of its own in a temporary folder: the sample's roster and tables, and made-up sign-ups and
replications of its players. The time of the workbook is given apart, for openpyxl writes cell by cell.
"""

from __future__ import annotations

import csv
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from connectors.xlsx import XlsxWorkbook
from pipeline import cycle
from pipeline.archive import Archive
from pipeline.config import load_config
from pipeline.journal import read_known
from rules.game import Facts

ROOT = Path(__file__).parents[1]
SIZES = (400, 4_000, 40_000)
DAYS = ("10月12日", "10月13日", "10月14日", "10月15日", "10月16日", "10月17日")


def make_game(folder: Path, size: int) -> Path:
    """The sample's tables with `size` made-up responses, half sign-ups and half replications."""
    shutil.copy(ROOT / "config.yaml", folder / "config.yaml")
    shutil.copytree(ROOT / "samples" / "kanada", folder / "samples" / "kanada")
    base = folder / "samples" / "kanada"
    with (base / "private" / "passphrases.csv").open(encoding="utf-8-sig") as file:
        words = {row[0]: row[2] for row in list(csv.reader(file))[1:]}
    with (base / "masters" / "名簿.csv").open(encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    people = [
        (r["正式呼称"], r["メールアドレス"], words[r["正式呼称"]]) for r in rows if r["役割"] == "星術師"
    ]
    draw = random.Random(size)
    for form, width in (("signup", size // 2), ("replication", size - size // 2)):
        path = base / "responses" / f"{form}.csv"
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = next(csv.reader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            out = csv.writer(file)
            out.writerow(header)
            out.writerows(_row(form, number, people[number % len(people)], draw) for number in range(width))
    return folder / "config.yaml"


def _row(form: str, number: int, person: tuple[str, str, str], draw: random.Random) -> list[str]:
    name, address, word = person
    day, second = 4 + draw.randrange(12), draw.randrange(86_400)
    sent = f"2026/10/{day:02d} {second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
    start = [sent, address, f"{form[0]}{number:06d}", sent, name, word, draw.choice(DAYS)]
    return [*start, ""] if form == "signup" else [*start, "潮溜座", "", "", "", "2", "1"]


class Clock:
    """Process seconds by step."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.steps[name] = self.steps.get(name, 0.0) + time.process_time() - start


def measure(size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        config = load_config(make_game(Path(name), size))
        clock = Clock()
        as_of = config.as_of
        assert as_of is not None
        with Archive.open(config.archive) as archive:
            workbook = cycle.open_workbook(config)
            with clock.step("read, archive, judge"):
                judged = cycle.take_in(config, archive, workbook, as_of, lambda _step: None)
            facts = Facts(archive.revisions(), archive.inputs(), archive.decisions(), (), archive.reads())
            with clock.step("judge alone"):
                config.game.adjudicate(facts, as_of, config.settings)
            write = XlsxWorkbook.write
            wrote = Clock()

            def timed(*args: object, **named: object) -> None:
                with wrote.step("workbook"):
                    write(*args, **named)  # type: ignore[arg-type]

            XlsxWorkbook.write = timed  # type: ignore[method-assign,assignment]
            with clock.step("lay, publish, journal"):
                cycle.put_out(config, archive, workbook, judged, as_of, lambda _step: None)
            XlsxWorkbook.write = write  # type: ignore[method-assign]
            clock.steps["lay, publish, journal"] -= wrote.steps.get("workbook", 0.0)
            with clock.step("unchanged cycle"):
                again = cycle.take_in(config, archive, workbook, as_of, lambda _step: None)
                cycle.put_out(config, archive, workbook, again, as_of, lambda _step: None)
            assert len(read_known(archive).verdicts) >= size
        shown = "  ".join(
            f"{step} {seconds:6.2f}" for step, seconds in {**clock.steps, **wrote.steps}.items()
        )
        print(f"{size:>7,}  {shown}  (seconds of one core)")


if __name__ == "__main__":
    for wanted in [int(text) for text in sys.argv[1:]] or SIZES:
        measure(wanted)
