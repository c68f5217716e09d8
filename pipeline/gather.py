"""Pull and archive: everything the outside says, kept before anything is judged.

Promises: secret words are digests before they reach the archive; a source that cannot be read whole sits the run out
and everything else goes on; nothing is withdrawn by an incomplete reading. Refuses to know: what any of it means.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from connectors.base import BookRead, Pulled, Source, SourceError, Workbook
from pipeline.archive import Archive
from pipeline.archive_rows import canonical_json
from pipeline.config import Config
from pipeline.desk import Cells, InputTab, ReviewTab, digest_row, read_inputs, read_review
from pipeline.google_files import name_book
from pipeline.seal import digest_word, seal_answers
from pipeline.tabs import MASTER, input_tab
from rules.clock import read_instant
from rules.frames import Finding, Grid
from rules.game import Outcome
from rules.identity import Word, normalise_name

START = pd.Timestamp("1970-01-01", tz="UTC").as_unit("us")


class Gathered(NamedTuple):
    """One reading of everything: the book as it stood, what was found wrong, which sources sat the run out."""

    book: BookRead
    findings: tuple[Finding, ...]
    sat_out: tuple[str, ...]
    fresh: int


def read_secret_key(config: Config) -> bytes:
    """The key of the digests; SourceError if it cannot be read or is too short to keep anything secret."""
    path = config.resolve(config.block.paths.key)
    try:
        key = path.read_bytes().strip()
    except OSError as error:
        raise SourceError(
            f"{path}: 合言葉の鍵を読めません（{error.strerror}）。doctor で確かめてください"
        ) from None
    if len(key) < SHORTEST_KEY:
        raise SourceError(f"{path}: 鍵が短すぎます（{len(key)}字）。{SHORTEST_KEY}字以上の鍵を戻してください")
    return key


SHORTEST_KEY = 16
_KEY_TABLE = "(key)"


def check_key(config: Config, archive: Archive, key: bytes, now: pd.Timestamp) -> None:
    """Refuse a key other than the one whose digests are archived: everybody would be taken for a stranger."""
    mark, _folded = digest_word("check", key)
    inputs = archive.inputs()
    known = inputs.loc[inputs["table"].eq(_KEY_TABLE), "content"]
    if known.empty:
        archive.record_inputs(_KEY_TABLE, {"check": mark}, now, True)
    elif str(known.iat[0]) != mark:
        raise SourceError(
            f"{config.resolve(config.block.paths.key)}: 鍵が、この記録を作ったときの鍵と違います。元の鍵を戻してください（何も書いていません）"
        )


def read_words(config: Config, key: bytes) -> list[Word]:
    """The private file of secret words (name, since, word; a header line) as digests; blank words prove nobody."""
    path = config.resolve(config.block.paths.passphrases)
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            f"{path}: 合言葉の表を読めません（{getattr(error, 'strerror', 'UTF-8 ではない')}）"
        ) from None
    rows = list(csv.reader(io.StringIO(text)))
    if not rows or "".join(rows[0][:1]).strip() != config.game.player_column:
        raise SourceError(
            f"{path}: 1行目に見出し（{config.game.player_column},開始,…）がありません。足してください"
        )
    words = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        name, since, word = [*row, "", "", ""][:3]
        start = read_instant(since, config.settings.zone, config.settings.year) if since.strip() else START
        if start is None:
            raise SourceError(f"{path} {number}行: 開始を日時として読めません（例 2026-10-12 00:00:00）")
        if word.strip():
            words.append(Word(name.strip(), start, *digest_word(word, key)))
    if not words:
        raise SourceError(
            f"{path}: 合言葉が1件もありません。これでは全員が本人不一致になります。表を入れてください"
        )
    return words


def pull_forms(sources: Mapping[str, Source], archive: Archive) -> list[Pulled]:
    """Read every form's source; one that fails sits the run out with a finding."""
    out = []
    for name, source in sources.items():
        try:
            out.append(source.pull(archive.present_rows(name)))
        except SourceError as error:
            empty = pd.DataFrame()
            out.append(Pulled(name, empty, False, (Finding("missing_file", name, str(error)),)))
    return out


def keep_forms(
    config: Config,
    archive: Archive,
    pulled: Sequence[Pulled],
    key: bytes,
    now: pd.Timestamp,
    standing: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> int:
    """Archive responses with their words sealed; returns how many contents are new. Those `standing`, by form, are
    not withdrawn though they were not read."""
    fresh = 0
    for pull in pulled:
        if pull.complete:
            secret = next((f.name for f in config.settings.forms[pull.source].fields if f.secret), "")
            sealed = [
                seal_answers(answers, secret, key, config.game.sound_word) if secret else dict(answers)
                for answers in pull.responses["answers"]
            ]
            frame = pull.responses.assign(
                answers=pd.Series(sealed, index=pull.responses.index, dtype="object")
            )
            fresh += archive.record_responses(
                pull.source, frame, now, True, standing.get(pull.source, frozenset())
            )
        archive.record_read(f"form:{pull.source}", now, pull.complete, len(pull.responses))
    for name in config.settings.forms.keys() - {pull.source for pull in pulled}:
        archive.record_read(f"form:{name}", now, True, 0)
    return fresh


def read_seed(config: Config) -> dict[str, Grid]:
    """The masters' tables as CSV, which fill a spreadsheet that does not exist yet."""
    folder = config.resolve(config.block.paths.masters)
    out: dict[str, Grid] = {}
    for table in config.game.tables:
        path = folder / f"{table.name}.csv"
        text = path.read_text("utf-8-sig") if path.is_file() else ""
        grid = [list(row) for row in csv.reader(io.StringIO(text))]
        out[table.name] = grid or [list(table.headers)]
    return out


def read_book(config: Config, workbook: Workbook, archive: Archive) -> BookRead:
    """The spreadsheet; where nothing of ours is in it yet, the seed files or what the archive last held is laid in."""
    book = workbook.read()
    if book.fingerprint:
        return book
    tables = read_seed(config) if archive.inputs().empty else restore_grids(config, archive)
    return book._replace(grids={**book.grids, **tables})


def restore_grids(config: Config, archive: Archive) -> dict[str, Grid]:
    """Every input tab as the archive last held it."""
    return {table.name: restore_grid(input_tab(table), archive.inputs()) for table in config.game.tables}


def restore_grid(tab: InputTab, inputs: pd.DataFrame) -> Grid:
    mine = inputs.loc[inputs["table"].eq(tab.title)].sort_values("seq")
    newest: dict[str, str] = {}
    for key, content in zip(mine["key"], mine["content"], strict=True):
        newest[str(key)] = str(content)
    rows = [json.loads(content) for content in newest.values() if content]
    return [list(tab.columns), *([str(row.get(header, "")) for header in tab.columns] for row in rows)]


def keep_inputs(
    config: Config,
    archive: Archive,
    grids: Mapping[str, Grid],
    unreadable: Sequence[Finding],
    now: pd.Timestamp,
) -> tuple[list[Finding], list[str]]:
    """Archive every content of the input tabs; a tab that cannot be read whole keeps its last one, and is named."""
    findings: list[Finding] = []
    lost: list[str] = []
    known = _known_rows(archive)
    for table in config.game.tables:
        read = read_inputs(grids.get(table.name), input_tab(table))
        held = known.get(table.name, 0)
        shrunk = _say_shrunk(held, len(read.rows), config.block.shrink_share) if read.complete else ""
        damaged = any(f.place.startswith(f"{table.name}!") for f in unreadable)
        complete = read.complete and not shrunk and not damaged
        if complete:
            archive.record_inputs(table.name, read.rows, now, True)
        elif read.rows and not shrunk:
            archive.record_inputs(table.name, {} if damaged else read.rows, now, False)
        archive.record_read(f"table:{table.name}", now, complete, len(read.rows))
        findings += [*read.findings, *([Finding("shrunk", table.name, shrunk)] if shrunk else [])]
        lost += [table.name] if shrunk or not read.complete else []
    return findings, lost


_BOOK_TABLE = "(book)"


def keep_book(config: Config, archive: Archive, stands: bool, now: pd.Timestamp) -> list[Finding]:
    """Archive which spreadsheet is read, and tell when it is another than last time: its masters' cells speak from now
    on, and they may be older than what was decided meanwhile in the other one. One that does not stand yet is filled
    from the archive, and then there is nothing to tell."""
    inputs, name = archive.inputs(), name_book(config)
    known = inputs.loc[inputs["table"].eq(_BOOK_TABLE)].sort_values("seq")["content"]
    archive.record_inputs(_BOOK_TABLE, {"name": name}, now, True)
    if not stands or known.empty or str(known.iat[-1]) == name:
        return []
    text = (
        f"前の実行は別の表（{known.iat[-1]}）を読んでいました。ここからはこの表（{name}）の裁定と記入が有効です。"
        "もう一方に書いた裁定が古いものに戻っていないか確かめてください"
    )
    return [Finding("other_book", MASTER, text)]


def _known_rows(archive: Archive) -> Mapping[str, int]:
    """table -> how many rows it last held."""
    newest = archive.inputs().sort_values("seq").drop_duplicates(["table", "key"], keep="last")
    counts = newest.loc[newest["content"].ne(""), "table"].value_counts()
    return {str(table): int(count) for table, count in counts.items()}


def _say_shrunk(known: int, rows: int, share: float) -> str:
    """A table that lost most of its rows at once is not believed (a filter view saved over it, a wrong paste)."""
    if known >= 5 and rows < known * (1 - max(share, 0.5)):
        return (
            f"{known}行から{rows}行に減りました。前の内容のまま続けます。本当に消すなら数回に分けてください"
        )
    return ""


def newest_cells(archive: Archive) -> dict[str, dict[str, Cells]]:
    """place -> row id -> the masters' cells as last archived."""
    out: dict[str, dict[str, Cells]] = {}
    for row in archive.decisions().sort_values("seq").to_dict("records"):
        if row["content"]:
            out.setdefault(str(row["place"]), {})[str(row["entry_id"])] = json.loads(str(row["content"]))
    return out


def keep_decisions(
    archive: Archive,
    grids: Mapping[str, Grid],
    tabs: Sequence[ReviewTab],
    last: Mapping[str, Mapping[str, Cells]],
    basis: Mapping[str, str],
    now: pd.Timestamp,
) -> list[Finding]:
    """Archive the masters' cells of every tab in which they may write."""
    findings: list[Finding] = []
    kept = newest_cells(archive)
    for tab in tabs:
        if not tab.masters:
            continue
        written = last.get(tab.title, {})
        digests = {row_id: digest_row(cells, tab) for row_id, cells in written.items()}
        known = kept.get(tab.title, {})
        read = read_review(grids.get(tab.title), tab, known, digests)
        contents = {
            row_id: canonical_json(cells)
            for row_id, cells in read.cells.items()
            if any(text.strip() for text in cells.values()) or row_id in known
        }
        archive.record_decisions(tab.title, contents, basis, now)
        findings += read.findings
    return findings


_LOST = ("missing_tab", "missing_column", "unreadable_tab")


def lost_tabs(findings: Sequence[Finding]) -> list[str]:
    """The tabs that could not be read whole: what they last said stays, and the run says so."""
    return list(dict.fromkeys(f.place.split(" ")[0] for f in findings if f.code in _LOST))


def find_wordless(config: Config, outcome: Outcome, words: Sequence[Word]) -> list[Finding]:
    """Players on the roster without a secret word: none of their forms could ever be taken for theirs."""
    have = {normalise_name(word.player) for word in words}
    roster = outcome.rows[config.game.roster_table]
    names = dict.fromkeys(str(row.get(config.game.player_column)) for row in roster)
    place = Path(config.block.paths.passphrases).name
    return [
        Finding("no_word", place, f"{name}の合言葉がありません。この人の送信はすべて本人と確かめられません")
        for name in names
        if normalise_name(name) not in have
    ]
