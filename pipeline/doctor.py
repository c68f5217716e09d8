"""`saitei doctor`: is everything in place, line by line, in plain words.

Promises: each line is ok or says what to do; nothing is changed. Refuses to know: what the data says.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from connectors.base import SourceError
from pipeline import gather
from pipeline.archive import Archive, ArchiveError
from pipeline.config import Config, load_config
from pipeline.line import read_line
from pipeline.outside import Outside, open_outside
from pipeline.settings import ConfigError
from pipeline.tabs import LINE
from rules.clock import show_instant

Line = tuple[bool, str]


def examine(path: Path, say: Callable[[str], None], clock: Callable[[], pd.Timestamp]) -> int:
    """Print every line; 0 if all are ok, 1 if something is to be done. `clock` is compared with Google's."""
    try:
        config = load_config(path)
    except ConfigError as error:
        for fault in error.faults:
            say(f"直す　{fault}")
        return 1
    lines = [(True, f"設定　{path} を読めました（{config.game.title}）"), *_examine(config, clock)]
    for good, text in lines:
        say(f"{'ok　　' if good else '直す　'}{text}")
    return 0 if all(good for good, _text in lines) else 1


def _examine(config: Config, clock: Callable[[], pd.Timestamp]) -> Iterator[Line]:
    yield from _secrets(config)
    if config.backend == "google":
        from pipeline.doctor_google import tell_google

        yield from tell_google(config, clock)
        yield from _archive(config)
    else:
        with open_outside(config) as outside:
            yield from _forms(config, outside)
            yield from _archive(config)
            yield from _workbook(config, outside)
            yield from _line(config, outside)
    yield from _writable(config)
    for form in config.settings.forms.values():
        if form.address == "responder_input":
            yield True, f"{form.title}　アドレスは本人の申告です（合言葉だけが本人の証拠になります）"


def _secrets(config: Config) -> Iterator[Line]:
    sample = config.as_of is not None
    try:
        key = gather.read_secret_key(config)
        yield (
            len(key) >= 16,
            f"鍵　{config.block.paths.key}"
            + ("" if len(key) >= 16 else "：短すぎます。16字以上にしてください"),
        )
        words = gather.read_words(config, key)
        yield (
            bool(words),
            f"合言葉　{len(words)} 件" + ("" if words else "：1件もありません。表を入れてください"),
        )
    except SourceError as error:
        yield False, str(error)
        return
    if not sample and os.name == "posix":
        for name in (config.block.paths.key, config.block.paths.passphrases):
            mode = stat.S_IMODE(config.resolve(name).stat().st_mode)
            yield (
                mode & 0o077 == 0,
                f"権限　{name} は {mode:04o}"
                + ("" if mode & 0o077 == 0 else f"：ほかの人が読めます。chmod 600 {name} としてください"),
            )


def _forms(config: Config, outside: Outside) -> Iterator[Line]:
    for name, source in outside.forms.items():
        title = config.settings.forms[name].title
        try:
            pulled = source.pull(0)
        except SourceError as error:
            yield False, f"{title}　{error}"
            continue
        if pulled.complete:
            yield True, f"{title}　{len(pulled.responses)} 件を読めました"
        for finding in pulled.findings:
            yield False, f"{title}　{finding.place}: {finding.message}"


def _archive(config: Config) -> Iterator[Line]:
    if not config.archive.exists():
        yield True, f"保存先　{config.block.paths.archive} はまだありません（最初の run で作ります）"
        return
    try:
        with Archive.open(config.archive) as archive:
            last = archive.last_run()
    except ArchiveError as error:
        yield False, str(error)
        return
    when = show_instant(last[0], config.settings.zone) if last else "まだありません"
    yield True, f"保存先　{config.block.paths.archive}　最後に書き込んだ実行: {when}"


def _workbook(config: Config, outside: Outside) -> Iterator[Line]:
    try:
        book = outside.workbook.read()
    except SourceError as error:
        yield False, str(error)
        return
    name = config.block.paths.workbook
    yield (
        True,
        f"マスターの表　{name}　"
        + (f"シート {len(book.grids)} 枚" if book.fingerprint else "まだありません（最初の run で作ります）"),
    )
    for finding in book.findings:
        yield False, f"マスターの表　{finding.place}: {finding.message}"


def _line(config: Config, outside: Outside) -> Iterator[Line]:
    """The workbook that LINE reads from; whoever can read the file sees every player's state."""
    if not config.game.line_columns:
        return
    read, name = read_line(config, outside.line), config.block.paths.line
    if read.book is not None:
        rows = max(len(read.book.grids.get(LINE, [])) - 1, 0)
        there = f"{rows} 人分" if read.book.fingerprint else "まだありません（最初の run で作ります）"
        yield True, f"{LINE}　{name}　{there}"
    for finding in read.findings:
        yield False, f"{LINE}　{finding.message}"
    mode = stat.S_IMODE(config.line.stat().st_mode) if config.line.exists() else 0
    if os.name == "posix" and mode & 0o077:
        yield False, f"権限　{name} は {mode:04o}：ほかの人が読めます。chmod 600 {name} としてください"


def _writable(config: Config) -> Iterator[Line]:
    books = (config.workbook, config.line) if config.backend == "local" else ()
    paths = (config.archive, *books, config.output / "x", config.resolve(config.block.paths.log))
    for folder in dict.fromkeys(next(parent for parent in path.parents if parent.exists()) for path in paths):
        good = os.access(folder, os.W_OK)
        shown = Path(os.path.relpath(folder, config.path.parent))
        yield good, f"書き込み　{shown}" + ("" if good else "：書けません。持ち主と権限を確かめてください")


def check_live(path: Path, say: Callable[[str], None]) -> int:
    """Try what we assume of Google on the throw-away files that the config names."""
    from pipeline.doctor_live import try_google

    return try_google(load_config(path), say)
