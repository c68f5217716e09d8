"""The two commands that write: a cycle, and the articles by themselves.

Promises: one run at a time; the log names counts, codes and places, never what anybody wrote. Refuses to know: how a
cycle works.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pandas as pd
import structlog
from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import Progress as Bar
from rich.progress import SpinnerColumn, TextColumn

from connectors.xlsx_text import shown_text
from pipeline.config import Backend, Config, load_config
from pipeline.cycle import Report, WentBackError, run_cycle
from pipeline.google_files import read_files, show_address
from pipeline.publish import MASTERS, article_files, write_files
from pipeline.recorded import judge_archived, open_archive
from pipeline.tabs import LINE, MASTER
from pipeline.troubles import RunningError, UsageError
from rules.clock import read_instant, show_instant, utc
from rules.parameters import Ruleset

if TYPE_CHECKING:
    from connectors.google_retry import Patience


def choose_instant(config: Config, as_of: str | None) -> pd.Timestamp:
    """--as-of, else the config's fixed instant, else the clock: the one place where it is read."""
    if as_of is not None:
        found = read_instant(as_of, config.settings.zone, config.settings.year)
        if found is None:
            raise UsageError(f"--as-of: 「{as_of}」を日時として読めません（例 2026-10-16 12:30:00）")
        return found
    return config.as_of if config.as_of is not None else utc(datetime.now(UTC)).floor("s")


def read_clock() -> pd.Timestamp:
    """What this machine takes the time to be, to be compared with others' clocks; no ruling rests on it."""
    return utc(datetime.now(UTC))


@contextmanager
def only_run(config: Config) -> Iterator[None]:
    """Hold the lock, which dies with the process; who holds it stands beside it for the message."""
    config.archive.parent.mkdir(parents=True, exist_ok=True)
    note = config.archive.with_suffix(".lock.json")
    lock = FileLock(config.archive.with_suffix(".lock"), timeout=0)
    try:
        lock.acquire()
    except Timeout:
        try:
            held = json.loads(note.read_text("utf-8"))
            who = f"PID {held['pid']}、{held['since']} 開始"
        except (OSError, ValueError, KeyError):
            who = "PID 不明"
        raise RunningError(f"別の実行が動いています（{who}）。終わってからやり直してください") from None
    try:
        note.write_text(
            json.dumps({"pid": os.getpid(), "since": f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"})
        )
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


@contextmanager
def open_log(config: Config) -> Iterator[Any]:
    """Structured lines, one JSON object each, in the configured file."""
    path = config.resolve(config.block.paths.log)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        yield structlog.wrap_logger(
            structlog.WriteLogger(stream),
            processors=[
                structlog.processors.add_log_level,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                structlog.processors.JSONRenderer(ensure_ascii=False),
            ],
        )


def run_once(
    path: Path,
    as_of: str | None,
    *,
    dry: bool,
    backend: str | None,
    ruleset: str | None,
    as_json: bool,
    quiet: bool,
    patience: Patience | None = None,
) -> int:
    """One cycle from the command line; returns the exit code."""
    if ruleset not in (None, "provisional", "official"):
        raise UsageError(f"--ruleset: 「{ruleset}」は使えません。使える値: provisional、official")
    if backend not in (None, "local", "google"):
        raise UsageError(f"--backend: 「{backend}」は使えません。使える値: local、google")
    config = load_config(
        path, ruleset=cast("Ruleset | None", ruleset), backend=cast("Backend | None", backend)
    )
    instant = choose_instant(config, as_of)
    with only_run(config), open_log(config) as log:
        try:
            report = _run(config, instant, patience, dry=dry, shown=not (quiet or as_json))
        except Exception as error:
            log.error(
                "run failed", run=show_instant(instant, config.settings.zone), error=type(error).__name__
            )
            raise
        # Never `about`: where a row has no key, it is all that somebody wrote there.
        codes = [f"{finding.code} {finding.place}" for finding in report.findings]
        log.info("run", **_numbers(report), findings=codes)
    if as_json:
        print(json.dumps(_numbers(report), ensure_ascii=False, indent=2))
    elif not quiet or report.exit_code:
        print("\n".join(map(shown_text, _lines(config, report))))
    return report.exit_code


def _run(
    config: Config, instant: pd.Timestamp, patience: Patience | None, *, dry: bool, shown: bool
) -> Report:
    """Run with a progress line on a terminal; an instant before the last run's only rehearses."""
    screen = Console(stderr=True)
    hidden = not (shown and screen.is_terminal)
    with Bar(
        SpinnerColumn(), TextColumn("{task.description}"), console=screen, transient=True, disable=hidden
    ) as bar:
        line = bar.add_task("", total=None)

        def tell(step: str) -> None:
            bar.update(line, description=step)

        try:
            return run_cycle(config, instant, dry=dry, progress=tell, patience=patience)
        except WentBackError as back:
            import sys

            print(
                f"saitei: 前の実行（{back}）より前の時点なので、書き込みません（--dry-run と同じ）",
                file=sys.stderr,
            )
            return run_cycle(config, instant, dry=True, progress=tell, patience=patience)


def _numbers(report: Report) -> dict[str, Any]:
    return {
        "run": report.run_id,
        "dry_run": report.dry,
        "fresh": report.fresh,
        "entries": report.entries,
        "statuses": dict(report.statuses),
        "changed": report.changed_verdicts,
        "waiting": report.waiting,
        "sat_out": list(report.sat_out),
        "sheets": list(report.sheets),
        "files": len(report.files),
        "finding_count": len(report.findings),
    }


def _lines(config: Config, report: Report) -> list[str]:
    """Five lines: what was done, and which files to open."""
    counts = "　".join(
        f"{status} {number}" for status, number in sorted(report.statuses.items(), key=lambda i: -i[1])
    )
    wrote = (
        f"書き込んだシート {len(report.sheets)}　ファイル {len(report.files)}"
        if report.sheets or report.files
        else "変わったものはありません"
    )
    lines = [
        f"{report.run_id} の時点で {report.entries} 件を裁定しました（新しい送信 {report.fresh}、変わった判定 {report.changed_verdicts}）",
        f"　{counts or 'まだ裁定するものがありません'}",
        f"　決定待ち {report.waiting} 件、所見 {len(report.findings)} 件 → 「要確認」シートに並んでいます。{wrote}",
        _books(config),
        f"ブログの記事: {_relative(config.output / 'public')}　マスター用: {_relative(config.output / MASTERS)}",
    ]
    if report.dry:
        more = [f"　ほか {len(report.changes) - _SHOWN} 件"] if len(report.changes) > _SHOWN else []
        lines.insert(0, "（予行: 何も書き込んでいません）")
        lines += ["変わる判定:", *(f"　{change}" for change in report.changes[:_SHOWN]), *more]
        lines.append(f"書き込むシート: {'、'.join(report.sheets) or 'なし'}")
    if report.sat_out:
        why = [
            f"　{finding.place}: {finding.message}" for finding in report.findings if finding.code in _SAT_OUT
        ]
        lines += [f"読めなかったフォーム・シート: {'、'.join(report.sat_out)}（前の結果のままです）", *why]
    return lines


_SHOWN = 40
_SAT_OUT = (
    "changed",
    "empty",
    "unreadable",
    "missing_column",
    "missing_tab",
    "unreadable_tab",
    "doubled_header",
    "shrunk",
    "missing_file",
    "zone",
    "switched",
)


def _books(config: Config) -> str:
    """Where the two workbooks are: a path, or an address that a phone can open."""
    if config.backend == "local":
        return f"{MASTER}: {_relative(config.workbook)}　{LINE}: {_relative(config.line)}"
    files = read_files(config)
    line = f"　{LINE}: {show_address(files.line)}" if files.line else ""
    return f"{MASTER}: {show_address(files.spreadsheet)}{line}"


def _relative(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def render_blog(path: Path, as_of: str | None, *, early: bool, say: Callable[[str], None]) -> int:
    """Write the articles of `as_of` from the archived facts."""
    config = load_config(path)
    instant = choose_instant(config, as_of)
    with only_run(config), open_archive(config) as archive:
        outcome = judge_archived(config, archive, instant)
    files = article_files(outcome.tasks, instant, config.settings, early=early)
    changed = write_files(config.output, files, ())
    for name in sorted(files):
        say(f"{'書きました' if name in changed else '変わりません'}　{_relative(config.output / name)}")
    return 0
