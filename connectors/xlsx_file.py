"""The workbook as a file: read whole, replaced whole.

Promises: after any failure, a killed process or a full disk included, the old file lies there untouched; a file that
somebody has open, or that is no longer the one that was read, is never replaced. Refuses to know: what is in it.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from connectors.base import SourceError, WorkbookBusy


def fingerprint_of(content: bytes) -> str:
    """Return the fingerprint of a file's content, "" for no file."""
    return hashlib.sha256(content).hexdigest() if content else ""


def fetch_file(path: Path) -> bytes:
    """Return what the file holds, nothing if there is none."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as fault:
        message = f"{path}: 読めません（{fault.strerror}）。ファイルの場所と権限を確かめてください。"
        raise SourceError(message) from fault
    if not content:
        raise SourceError(
            f"{path}: ファイルが空です。控えから戻すか、消してください（なければ作り直します）。"
        )
    return content


def refuse_open(path: Path) -> None:
    """Raise if a spreadsheet program has the file open: its next save would undo ours, or ours its."""
    locks = ((f".~lock.{path.name}#", _name_office_user), (f"~${path.name}", _name_excel_user))
    for name, read_user in locks:
        lock = path.with_name(name)
        try:
            user = read_user(lock.read_bytes())
        except FileNotFoundError:
            continue
        except OSError:
            user = ""
        who = f"{user} さんが" if user else "だれかが"
        raise WorkbookBusy(
            f"{path}: {who}表計算ソフトで開いています。何も書いていません。閉じれば次の実行で書きます"
            f"（だれも開いていなければ {name} を消してください）。"
        )


def replace_file(path: Path, content: bytes, fingerprint: str) -> None:
    """Put `content` in the place of the file in one step, if that still is the one that `fingerprint` names."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # What a killed run left behind.
        temporary.unlink(missing_ok=True)
        try:
            _write_file(temporary, content, stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600)
            refuse_open(path)
            if fingerprint_of(fetch_file(path)) != fingerprint:
                raise WorkbookBusy(
                    f"{path}: 処理中にほかの人が保存しました。何も書いていません。次の実行でやり直します。"
                )
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except PermissionError as fault:
        message = f"{path}: 書き込みを断られました。開いているプログラムと権限を確かめてください。何も書いていません。"
        raise WorkbookBusy(message) from fault
    except OSError as fault:
        message = f"{path}: 書けません（{fault.strerror}）。前のファイルはそのままです。空き容量を確かめてください。"
        raise SourceError(message) from fault


def _write_file(path: Path, content: bytes, mode: int) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fchmod(file.fileno(), mode)
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _name_office_user(lock: bytes) -> str:
    """LibreOffice writes: full name, account, host, time, profile."""
    name, account, host, *_ = [*lock.decode("utf-8", "replace").split(","), "", "", ""]
    return "@".join(part.strip() for part in (name or account, host) if part.strip())


def _name_excel_user(lock: bytes) -> str:
    """Excel writes the length of the name and the name in the code page of the machine."""
    name = lock[1 : 1 + lock[0]] if lock else b""
    return name.decode("cp932", "replace").strip("\0 ")
