"""One cycle: pull → archive → count → adjudicate → postings → write back → publish.

Promises: this is the one place that knows the order; facts are archived before anything is judged, the journal is
written last, and a run that dies anywhere leaves the next one to end in the same state; nothing is written when
nothing changed. Refuses to know: any game, where the instant comes from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from connectors.base import BookRead, SheetWrite, Workbook
from pipeline import gather, publish
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.desk_banner import read_beat, set_beat
from pipeline.journal import claim_files, journal_outcome, read_known
from pipeline.line import LineLaid, LineRead, lay_line, read_line, write_line
from pipeline.outside import Outside, open_outside
from pipeline.sheets import Desk, lay_sheets, list_tabs
from pipeline.switch import check_switches
from pipeline.tabs import ATTENTION, LINE
from rules.clock import read_instant, show_instant
from rules.frames import Finding
from rules.game import Facts, Outcome
from rules.identity import Word

if TYPE_CHECKING:
    from connectors.google_retry import Patience

Progress = Callable[[str], None]


class WentBackError(Exception):
    """The instant lies before the last run's: only a dry run may look back."""


@dataclass
class Report:
    """What one cycle did, for the terminal, the log and the exit code."""

    run_id: str
    as_of: pd.Timestamp
    fresh: int = 0
    entries: int = 0
    changes: tuple[str, ...] = ()
    waiting: int = 0
    findings: tuple[Finding, ...] = ()
    sat_out: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    statuses: Mapping[str, int] = field(default_factory=dict)
    dry: bool = False

    @property
    def changed_verdicts(self) -> int:
        return len(self.changes)

    @property
    def wrote(self) -> bool:
        return bool(self.sheets or self.files or self.changed_verdicts or self.fresh)

    def add_line(self, laid: LineLaid, failed: tuple[Finding, ...] = ()) -> None:
        """What became of the workbook beside the masters' own."""
        self.findings = (*self.findings, *failed)
        self.sat_out = (*self.sat_out, *(finding.place for finding in failed))
        self.sheets = (*self.sheets, *(() if failed else laid.titles))

    @property
    def exit_code(self) -> int:
        return 1 if self.sat_out else 0


class Judged(NamedTuple):
    outcome: Outcome
    findings: tuple[Finding, ...]
    sat_out: tuple[str, ...]
    fresh: int
    book: BookRead
    line: LineRead


def run_cycle(
    config: Config,
    as_of: pd.Timestamp,
    *,
    dry: bool = False,
    progress: Progress = lambda _step: None,
    patience: Patience | None = None,
) -> Report:
    """Run once at `as_of`. A dry run archives nothing and writes nothing. `patience` overrules the config's."""
    with Archive.open(config.archive) as archive:
        last = archive.last_run()
        back = last is not None and as_of < last[0]
        if back and not dry:
            raise WentBackError(show_instant(last[0] if last else None, config.settings.zone))
        with open_outside(config, archive, as_of, patience) as outside:
            progress("読み込み")
            if dry:
                return _rehearse(config, archive, outside, as_of, progress)
            judged = take_in(config, archive, outside, as_of, progress)
            return put_out(config, archive, outside, judged, as_of, progress)


class _RehearsalOver(Exception):  # noqa: N818  (it ends a transaction, it is no error)
    """Undoes everything a dry run put into the archive."""


def _rehearse(
    config: Config, archive: Archive, outside: Outside, as_of: pd.Timestamp, progress: Progress
) -> Report:
    report: Report | None = None
    try:
        with archive.transaction():
            judged = take_in(config, archive, outside, as_of, progress)
            judged, line = _lay_line(config, archive, judged, as_of)
            desk = _lay(config, archive, judged, as_of, {}, outside)
            report = _report(config, judged, desk, archive, as_of)
            report.add_line(line)
            report.dry = True
            raise _RehearsalOver
    except _RehearsalOver:
        pass
    if report is None:
        raise AssertionError("a rehearsal always reports")
    return report


def take_in(
    config: Config, archive: Archive, outside: Outside, as_of: pd.Timestamp, progress: Progress
) -> Judged:
    """Pull everything, keep everything, judge."""
    key = gather.read_secret_key(config)
    words = gather.read_words(config, key)
    pulled = gather.pull_forms(outside.forms, archive)
    book = gather.read_book(config, outside.workbook, archive)
    pulled += gather.pull_forms(outside.linked(book), archive)
    pulled, standing = check_switches(config, archive, pulled)
    line = read_line(config, outside.line)
    progress("保存")
    with archive.transaction():
        gather.check_key(config, archive, key, as_of)
        outside.keep_questions(archive, as_of)
        fresh = gather.keep_forms(config, archive, pulled, key, as_of, standing)
        findings, lost = gather.keep_inputs(config, archive, book.grids, book.findings, as_of)
        if book.fingerprint:
            rows, basis = _known_rows(config, archive, words, as_of)
            read = gather.keep_decisions(archive, book.grids, list_tabs(config), rows, basis, as_of)
            findings += read
            lost += gather.lost_tabs(read)
        findings += gather.keep_book(config, archive, bool(book.fingerprint), as_of)
    progress("判定")
    outcome = _adjudicate(config, archive, words, as_of)
    pulled_findings = [finding for pull in pulled for finding in pull.findings]
    nameless = gather.find_wordless(config, outcome, words)
    found = (*pulled_findings, *book.findings, *line.findings, *findings, *nameless, *outcome.findings)
    out = (*(pull.source for pull in pulled if not pull.complete), *lost)
    return Judged(outcome, tuple(dict.fromkeys(found)), tuple(dict.fromkeys(out)), fresh, book, line)


def _lay_line(
    config: Config, archive: Archive, judged: Judged, as_of: pd.Timestamp
) -> tuple[Judged, LineLaid]:
    """LINE連携 as it shall stand; laid first, so that the masters' own spreadsheet can tell what was found in it."""
    last = read_known(archive).rows.get(LINE, {})
    laid = lay_line(config, judged.line, last, judged.outcome, as_of)
    found = tuple(dict.fromkeys((*judged.findings, *laid.findings)))
    return judged._replace(findings=found, sat_out=(*judged.sat_out, *laid.sat_out)), laid


def _adjudicate(config: Config, archive: Archive, words: Sequence[Word], as_of: pd.Timestamp) -> Outcome:
    facts = Facts(archive.revisions(), archive.inputs(), archive.decisions(), words, archive.reads())
    return config.game.adjudicate(facts, as_of, config.settings)


def _known_rows(
    config: Config, archive: Archive, words: Sequence[Word], as_of: pd.Timestamp
) -> tuple[Mapping[str, Mapping[str, Mapping[str, str]]], Mapping[str, str]]:
    """The rows that are ours, and what each verdict rested on. Where the archive was lost and only the spreadsheet is
    left, the ids are derived once beforehand, so that the decisions in it are read and not taken for a stranger's."""
    known = read_known(archive)
    if known.rows:
        return known.rows, known.basis
    outcome = _adjudicate(config, archive, words, as_of)
    ids = [str(entry) for entry in outcome.verdicts["entry_id"]] + [task.task_id for task in outcome.tasks]
    rows: dict[str, dict[str, str]] = {row_id: {} for row_id in ids}
    return {tab.title: rows for tab in list_tabs(config)}, {}


def put_out(
    config: Config,
    archive: Archive,
    outside: Outside,
    judged: Judged,
    as_of: pd.Timestamp,
    progress: Progress,
) -> Report:
    """Write the spreadsheets, the files, and last the journal."""
    progress("書き込み")
    outcome, settings = judged.outcome, config.settings
    files = {
        **publish.article_files(outcome.tasks, as_of, settings),
        **publish.mail_files(outcome.tasks, settings),
    }
    judged, line = _lay_line(config, archive, judged, as_of)
    desk = _lay(config, archive, judged, as_of, files, outside)
    report = _report(config, judged, desk, archive, as_of)
    write_back(outside.workbook, desk, judged.book.fingerprint)
    if outside.moving and not desk.changed:
        _show_life(config, archive, outside, judged.book, desk, as_of)
    failed = write_line(outside.line, line)
    report.add_line(line, failed)
    desk = desk._replace(machine={**desk.machine, LINE: line.last if failed else line.machine})
    files |= publish.twin_files(desk.twins)
    claim_files(archive, files, as_of)
    owned = read_known(archive).files
    report.files = tuple(publish.write_files(config.output, files, owned))
    progress("記録")
    keep_journal(archive, outcome, desk, files, report)
    return report


def _lay(
    config: Config,
    archive: Archive,
    judged: Judged,
    as_of: pd.Timestamp,
    files: Mapping[str, str],
    outside: Outside,
) -> Desk:
    return lay_sheets(
        config,
        archive,
        judged.book,
        judged.outcome,
        judged.findings,
        as_of,
        files,
        moving=outside.moving,
    )


def write_back(workbook: Workbook, desk: Desk, fingerprint: str) -> None:
    """The workbook decides by itself that nothing is to be written."""
    if desk.changed or not fingerprint:
        workbook.write(desk.sheets, fingerprint)


def _show_life(
    config: Config, archive: Archive, outside: Outside, book: BookRead, desk: Desk, as_of: pd.Timestamp
) -> None:
    """Say in one cell that the machine looked, where it wrote nothing for long. No change, hence told nowhere else."""
    pause, grid = config.block.google.heartbeat_minutes, book.grids.get(ATTENTION)
    look = next((sheet.look for sheet in desk.sheets if sheet.title == ATTENTION), None)
    if not pause or grid is None or look is None:
        return
    last = archive.last_run()
    told = read_instant(read_beat(grid), config.settings.zone, config.settings.year)
    seen = [instant for instant in (last[0] if last else None, told) if instant is not None]
    beaten = set_beat(grid, show_instant(as_of, config.settings.zone))
    if beaten is not None and all(as_of >= instant + pd.Timedelta(minutes=pause) for instant in seen):
        outside.workbook.write([SheetWrite(ATTENTION, beaten, look)], book.fingerprint)


def keep_journal(
    archive: Archive, outcome: Outcome, desk: Desk, files: Mapping[str, str], report: Report
) -> None:
    with archive.transaction():
        changed = journal_outcome(archive, outcome, desk.machine, files, report.as_of)
        if report.wrote or changed:
            archive.record_run(report.as_of, json.dumps(_summary(report), ensure_ascii=False, sort_keys=True))


def _summary(report: Report) -> dict[str, Any]:
    return {
        "run": report.run_id,
        "fresh": report.fresh,
        "changed": report.changed_verdicts,
        "waiting": report.waiting,
        "findings": len(report.findings),
        "sat_out": list(report.sat_out),
        "sheets": list(report.sheets),
        "files": list(report.files),
    }


def _report(config: Config, judged: Judged, desk: Desk, archive: Archive, as_of: pd.Timestamp) -> Report:
    verdicts = judged.outcome.verdicts
    counts: dict[str, int] = {}
    for status in verdicts["effective"].loc[verdicts["effective"].ne("")]:
        counts[str(status)] = counts.get(str(status), 0) + 1
    return Report(
        run_id=show_instant(as_of, config.settings.zone),
        as_of=as_of,
        fresh=judged.fresh,
        entries=sum(counts.values()),
        changes=desk.changes,
        waiting=desk.waiting,
        findings=(*judged.findings, *desk.findings),
        sat_out=judged.sat_out,
        sheets=tuple(_titles(desk)),
        statuses=counts,
    )


def _titles(desk: Desk) -> Sequence[str]:
    return [title for title, changed in desk.touched.items() if changed]
