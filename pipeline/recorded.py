"""Judging again from what the archive holds, without reading anything new.

Promises: the same facts and instant give what the run gave. Refuses to know: spreadsheets, forms.
"""

from __future__ import annotations

import pandas as pd

from pipeline import gather
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.troubles import UsageError
from rules.game import Facts, Outcome


def judge_archived(config: Config, archive: Archive, as_of: pd.Timestamp) -> Outcome:
    """The outcome at `as_of` of everything archived; UsageError where no run has archived anything yet."""
    if archive.last_run() is None:
        raise UsageError(
            f"{config.archive}: まだ一度も実行されていません。先に saitei run を実行してください"
        )
    key = gather.read_secret_key(config)
    words = gather.read_words(config, key)
    reads = {source: max(read, as_of) for source, read in archive.reads().items()}
    facts = Facts(archive.revisions(), archive.inputs(), archive.decisions(), words, reads)
    return config.game.adjudicate(facts, as_of, config.settings)
