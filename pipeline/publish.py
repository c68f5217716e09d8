"""Articles, mails and twins of the output tabs as files.

Promises: nothing lies in the public folder before its instant, and only what everybody may know; text from players
is escaped in pages and starts no formula in a CSV; a file is rewritten only when its content changed. Refuses to
know: what an article says.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from jinja2 import Environment, PackageLoader

from rules.clock import show_short
from rules.frames import Grid
from rules.game import Settings, Task

PUBLIC, MASTERS = "public", "masters"
_LONGEST = 180
"""Bytes of a file name's stem: with an ending and a mark of ours it stays below the 255 that a disk takes."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def file_stem(title: str) -> str:
    """A file name for a title: letters and digits of any script, everything else a low line; a long one is cut."""
    plain = unicodedata.normalize("NFKC", title)
    stem = re.sub(r"[^\w]+", "_", plain).strip("_") or "article"
    if len(stem.encode()) <= _LONGEST:
        return stem
    return f"{stem.encode()[:_LONGEST].decode('utf-8', 'ignore')}_{_digest(title)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def is_released(task: Task, as_of: pd.Timestamp) -> bool:
    """An article may be seen from its recorded or planned publication on; one without an instant never."""
    return (
        task.kind == "article"
        and task.audience == "public"
        and task.state == "公開"
        and task.release is not None
        and task.release <= as_of
    )


def render_article(task: Task) -> dict[str, str]:
    """The article as html (inline style, escaped), Markdown and text, by file ending."""
    header, *lines = task.table or ((task.title,),)
    values = {"title": task.title, "header": header, "lines": lines, "body": task.body}
    return {
        ending: _open_templates().get_template(f"article.{ending}").render(values)
        for ending in ("html", "md", "txt")
    }


@functools.cache
def _open_templates() -> Environment:
    """One for all articles: it keeps what it compiled, which costs more than rendering."""
    environment = Environment(
        loader=PackageLoader("pipeline"),
        autoescape=lambda name: str(name).endswith(".html"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["md"] = escape_markdown
    return environment


def escape_markdown(text: str) -> str:
    """No character of a player's text acts as markup."""
    flat = " ".join(str(text).splitlines())
    shown = re.sub(r"([\\`*_{}\[\]()#+.!|~>-])", r"\\\1", flat)
    return shown.replace("&", "&amp;").replace("<", "&lt;")


def article_files(
    tasks: Sequence[Task], as_of: pd.Timestamp, settings: Settings, *, early: bool = False
) -> dict[str, str]:
    """Relative path -> content: released articles in the public folder, the rest (with `early`: stamped with their
    hour) in the masters' folder."""
    out: dict[str, str] = {}
    for task in tasks:
        if task.kind != "article" or not task.table:
            continue
        rendered = render_article(task)
        if is_released(task, as_of):
            out |= {f"{PUBLIC}/{file_stem(task.title)}.{ending}": text for ending, text in rendered.items()}
        elif early or task.state == "下書き":
            stamp = (
                f"予約_{show_short(task.due, settings.zone)}"
                if task.state == "予約" and task.due is not None
                else task.state
            )
            stem = f"{file_stem(stamp)}_{file_stem(task.title)}"
            out |= {f"{MASTERS}/{stem}.{ending}": text for ending, text in rendered.items()}
    return out


def mail_files(tasks: Iterable[Task], settings: Settings) -> dict[str, str]:
    """One text file a mail, stamped with the hour before which it must not leave."""
    out = {}
    for task in tasks:
        if task.kind == "mail":
            release = show_short(task.release, settings.zone) if task.release is not None else ""
            due = show_short(task.due, settings.zone) if task.due is not None else ""
            text = (
                f"宛先: {'、'.join(task.to)}\n件名: {task.title}\n解禁: {release}\n期限: {due}\n\n{task.body}"
            )
            name = f"{MASTERS}/mails/{file_stem(f'{release}_{task.to[0]}_{task.title}')}.txt"
            if name in out:  # two names that differ only in what a file name cannot show
                name = name.replace(".txt", f"_{_digest(task.task_id)}.txt")
            out[name] = text
    return out


def twin_files(grids: Mapping[str, Grid]) -> dict[str, str]:
    """CSV twins of output tabs; no cell can start a formula."""
    return {f"{MASTERS}/csv/{file_stem(title)}.csv": write_csv(grid) for title, grid in grids.items()}


def write_csv(grid: Grid) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([[defuse(cell) for cell in row] for row in grid])
    return "\ufeff" + buffer.getvalue()


def defuse(cell: str) -> str:
    """A cell that a spreadsheet would take for a formula is led by an apostrophe; plain numbers stay numbers."""
    if cell.startswith(_FORMULA) and not re.fullmatch(r"[+-]?\d+(\.\d+)?", cell):
        return "'" + cell
    return cell


def write_files(folder: Path, files: Mapping[str, str], owned: Iterable[str]) -> list[str]:
    """Bring the folder to `files`: write what differs, each atomically, and remove what `owned` named before and is
    no longer there. Returns what changed."""
    changed = []
    for name, text in sorted(files.items()):
        path = folder / name
        content = text.encode("utf-8")
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.relative_to(folder).parts[0] == MASTERS:
            (folder / MASTERS).chmod(0o700)
        spare = path.with_name(f".{path.name}.new")
        spare.write_bytes(content)
        spare.replace(path)
        changed.append(name)
    for name in sorted(set(owned) - set(files)):
        if (folder / name).is_file():
            (folder / name).unlink()
            changed.append(name)
    return changed
