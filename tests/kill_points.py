"""A cycle that kills itself at a chosen point, in a process of its own.

The product is not changed for this: its functions are wrapped from outside, and SIGKILL is what a power cut, the
kernel short of memory, or a master's impatience would do.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

PRELOADED = ["pipeline.cycle", "rules.kanada", "sample_game"]


class Point(NamedTuple):
    """Where to die: `where` names what is wrapped; before or after its `nth` call."""

    where: str
    after: bool = False
    nth: int = 1

    def __str__(self) -> str:
        return f"{'after' if self.after else 'before'} {self.where}" + (
            f" {self.nth}" if self.nth > 1 else ""
        )


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def lethal(function: Callable[..., Any], point: Point) -> Callable[..., Any]:
    """The function, and death before or after its n-th call."""
    calls = 0

    def called(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == point.nth and not point.after:
            die()
        result = function(*arguments, **named)
        if calls == point.nth and point.after:
            die()
        return result

    return called


class LethalConnection:
    """A database connection that dies around its n-th COMMIT."""

    def __init__(self, real: Any, point: Point) -> None:
        self.real = real
        self.commit = lethal(real.execute, point)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)

    def execute(self, sql: str, *arguments: Any) -> Any:
        return (self.commit if sql == "COMMIT" else self.real.execute)(sql, *arguments)


def arm(point: Point) -> None:
    """Wrap what the point names."""
    from connectors.google_calls import BookCalls
    from connectors.google_forms import FormsSource
    from pipeline import archive, cycle, gather, publish

    owners: dict[str, tuple[Any, str]] = {
        "pull_form": (FormsSource, "pull"),
        "send": (BookCalls, "update"),
        "read_book": (gather, "read_book"),
        "pull_forms": (gather, "pull_forms"),
        "keep_forms": (gather, "keep_forms"),
        "keep_inputs": (gather, "keep_inputs"),
        "keep_decisions": (gather, "keep_decisions"),
        "take_in": (cycle, "take_in"),
        "put_out": (cycle, "put_out"),
        "lay_sheets": (cycle, "lay_sheets"),
        "write_back": (cycle, "write_back"),
        "write_line": (cycle, "write_line"),
        "write_files": (publish, "write_files"),
        "keep_journal": (cycle, "keep_journal"),
        "journal_outcome": (cycle, "journal_outcome"),
        "insert": (archive.Archive, "_append"),
        "replace": (os, "replace"),
        "unlink": (os, "unlink"),
        "fsync": (os, "fsync"),
    }
    if point.where == "commit":
        opened = archive.connect
        archive.connect = lambda path: LethalConnection(opened(path), point)  # type: ignore[assignment,return-value]
        return
    owner, name = owners[point.where]
    setattr(owner, name, lethal(getattr(owner, name), point))


def run_and_die(folder: str, as_of: str, point: Point) -> None:
    """What the child does. It leaves in peace (exit 0) if the point is never reached."""
    from sample_game import SampleGame

    arm(point)
    SampleGame(Path(folder)).run(as_of)


def run_killed(folder: Path, as_of: str, point: Point) -> int:
    """Run one cycle in a child that kills itself; its exit code (−9, or 0 where the point was not reached)."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    child = context.Process(target=run_and_die, args=(str(folder), as_of, point))
    child.start()
    child.join(120)
    assert child.exitcode is not None
    return child.exitcode
