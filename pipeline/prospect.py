"""The game as it stands between its runs: what is archived, else what the masters' tables say; nothing is kept.

Promises: looking leaves no trace, in the archive or on the disk. Refuses to know: forms, and where the result goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from connectors.base import BookRead
from pipeline import gather
from pipeline.archive import Archive
from pipeline.config import Config
from rules.frames import Finding
from rules.game import Facts, Outcome
from rules.identity import Word


class _LookedEnoughError(Exception):
    """Undoes everything that was put into a borrowed archive."""


@contextmanager
def borrow_archive(config: Config) -> Iterator[Archive]:
    """The archive, or an empty one where no run has made it; whatever is recorded in it is undone at the end."""
    with ExitStack() as stack:
        path = config.archive
        if not path.exists():
            path = Path(stack.enter_context(TemporaryDirectory())) / "archive.sqlite"
        archive = stack.enter_context(Archive.open(path))
        try:
            with archive.transaction():
                yield archive
                raise _LookedEnoughError
        except _LookedEnoughError:
            pass


def judge_tables(
    config: Config, archive: Archive, book: BookRead, as_of: pd.Timestamp
) -> tuple[Outcome, list[Finding]]:
    """The outcome of what was archived and of the tables in `book`. Secret words are needed only where somebody may
    have sent one."""
    findings, _lost = gather.keep_inputs(config, archive, book.grids, book.findings, as_of)
    revisions = archive.revisions()
    words: list[Word] = []
    if not revisions.empty:
        key = gather.read_secret_key(config)
        gather.check_key(config, archive, key, as_of)
        words = gather.read_words(config, key)
    reads = {source: max(read, as_of) for source, read in archive.reads().items()}
    facts = Facts(revisions, archive.inputs(), archive.decisions(), words, reads)
    return config.game.adjudicate(facts, as_of, config.settings), findings
