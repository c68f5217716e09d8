"""Judging again from what the archive holds, without reading anything new.

Promises: the same facts and instant give what the run gave. Refuses to know: spreadsheets, forms.
"""

from __future__ import annotations

import json

import pandas as pd

from pipeline import gather
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.journal import POSTING
from pipeline.troubles import UsageError
from rules.frames import POSTINGS, build_frame
from rules.game import Facts, Outcome


def open_archive(config: Config) -> Archive:
    """The archive of a game that has run; to look at one must not make it."""
    if not config.archive.exists():
        raise UsageError(
            f"{config.archive}: まだ一度も実行されていません。先に saitei run を実行してください"
        )
    return Archive.open(config.archive)


def judge_archived(
    config: Config, archive: Archive, as_of: pd.Timestamp, known_at: pd.Timestamp | None = None
) -> Outcome:
    """The outcome at `as_of` of everything archived; UsageError where no run has archived anything yet.

    With `known_at` only what was first seen by then speaks, and the postings are those that the journal held then:
    what was corrected later is shown as it was believed.
    """
    if archive.last_run() is None:
        raise UsageError(
            f"{config.archive}: まだ一度も実行されていません。先に saitei run を実行してください"
        )
    key = gather.read_secret_key(config)
    words = gather.read_words(config, key)
    reads = {source: max(read, as_of) for source, read in archive.reads().items()}
    frames = [archive.revisions(), archive.inputs(), archive.decisions()]
    if known_at is not None:
        frames = [frame.loc[frame["first_seen"] <= known_at] for frame in frames]
    revisions, inputs, decisions = frames
    outcome = config.game.adjudicate(
        Facts(revisions, inputs, decisions, words, reads), as_of, config.settings
    )
    return outcome if known_at is None else outcome._replace(postings=_known_postings(archive, known_at))


def _known_postings(archive: Archive, known_at: pd.Timestamp) -> pd.DataFrame:
    """The postings that the journal held at `known_at`."""
    journal = archive.journal(POSTING)
    held = journal["known_from"].le(known_at) & ~journal["known_to"].le(known_at)
    rows = [json.loads(str(payload)) for payload in journal.loc[held, "payload"]]
    return build_frame(({**row, "at": pd.Timestamp(row["at"])} for row in rows), POSTINGS)
