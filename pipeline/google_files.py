"""Which files at Google are ours: the ids that the config names, else those that our own commands made.

Promises: the state file is whole or as it was; an id or an address copied from a browser will do. Refuses to know:
what is in the files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from pipeline.config import Config
from pipeline.settings import ConfigError

_ADDRESS = re.compile(r"/d/(?!e/)([A-Za-z0-9_-]+)")


@dataclass
class GoogleFiles:
    """Ids; blank or absent where there is no file yet. `unfinished`: forms that were made and not yet completed."""

    spreadsheet: str = ""
    line: str = ""
    forms: dict[str, str] = field(default_factory=dict)
    unfinished: list[str] = field(default_factory=list)


def read_files(config: Config) -> GoogleFiles:
    """The ids in force; ConfigError where the state file cannot be read, an address is not that of an editor, or one
    file is to be two things: each of the two would write over the other, or be taken for it."""
    files, block, faults = read_state(config), config.block.google, list[str]()
    files.spreadsheet = read_id(block.spreadsheet, "google.spreadsheet", faults) or files.spreadsheet
    files.line = read_id(block.line, "google.line", faults) or files.line
    for name, form in config.block.forms.items():
        if form.id:
            files.forms[name] = read_id(form.id, f"forms.{name}.id", faults)
    faults += _list_doubles(files)
    if faults:
        raise ConfigError(faults)
    return files


def _list_doubles(files: GoogleFiles) -> Iterator[str]:
    places = [("google.spreadsheet", files.spreadsheet), ("google.line", files.line)]
    seen: dict[str, str] = {}
    for place, file_id in [
        *places,
        *((f"forms.{name}.id", form_id) for name, form_id in files.forms.items()),
    ]:
        if file_id and (other := seen.setdefault(file_id, place)) != place:
            yield f"{place}: {other} と同じファイルです（ID {file_id}）。それぞれ別のファイルにしてください"


def name_book(config: Config) -> str:
    """Which masters' spreadsheet a run reads, to tell it from that of another run."""
    return f"Google {read_files(config).spreadsheet}" if config.backend == "google" else "この機械のファイル"


def read_state(config: Config) -> GoogleFiles:
    """What our own commands made."""
    path = config.resolve(config.block.google.state)
    try:
        content = json.loads(path.read_text("utf-8"))
        forms = {str(name): str(form_id or "") for name, form_id in dict(content.get("forms") or {}).items()}
        unfinished = [str(name) for name in content.get("unfinished") or []]
        return GoogleFiles(
            str(content.get("spreadsheet") or ""), str(content.get("line") or ""), forms, unfinished
        )
    except FileNotFoundError:
        return GoogleFiles()
    except (OSError, ValueError, AttributeError, TypeError):
        raise ConfigError(
            [f"google.state: {path} を読めません。中身は JSON です。直すか、消して設定に ID を書いてください"]
        ) from None


def write_state(config: Config, files: GoogleFiles) -> None:
    """Replace the state file in one step."""
    from connectors.google_auth import write_private

    path = config.resolve(config.block.google.state)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, asdict(files))


def show_address(book_id: str) -> str:
    """Where a browser opens a spreadsheet."""
    return f"https://docs.google.com/spreadsheets/d/{book_id}"


def read_id(given: str | None, place: str, faults: list[str]) -> str:
    """An id from an id or from the address of its editor; a form's public address holds another id."""
    text = (given or "").strip()
    if "/d/e/" in text:
        faults.append(f"{place}: 回答者用のアドレスです。編集画面のアドレスか、その ID を書いてください")
        return ""
    found = _ADDRESS.search(text)
    if found:
        return found.group(1)
    if text and not re.fullmatch(r"[A-Za-z0-9_-]+", text):
        faults.append(f"{place}: 「{text}」は ID でも編集画面のアドレスでもありません")
        return ""
    return text
