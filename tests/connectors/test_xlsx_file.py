"""The workbook as a file: locks, races, killed runs. Whatever happens, the old file is whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from connectors.base import ColumnLook, SheetLook, SheetWrite, SourceError, WorkbookBusy
from connectors.xlsx import XlsxWorkbook

LOOK = SheetLook((ColumnLook("対応"),))
OLD, NEW = [["対応"], ["前"]], [["対応"], ["後"]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "master.xlsx"
    XlsxWorkbook(path).write([SheetWrite("表", OLD, LOOK)], "")
    return path


def write_new(path: Path) -> None:
    workbook = XlsxWorkbook(path)
    workbook.write([SheetWrite("表", NEW, LOOK)], workbook.read().fingerprint)


def list_names(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.parent.iterdir())


@pytest.mark.parametrize(
    ("name", "content", "who"),
    [
        (
            ".~lock.master.xlsx#",
            ",kamishiro,laptop,12.10.2026 02:00,file:///home/k/;",
            "kamishiro@laptop さんが",
        ),
        (".~lock.master.xlsx#", "神代 朔,k,laptop,12.10.2026 02:00,file:///;", "神代 朔@laptop さんが"),
        (".~lock.master.xlsx#", "", "だれかが"),
        ("~$master.xlsx", b"\x04\x90\x5f\x91\xe3 ".ljust(165, b"\0"), "神代 さんが"),
        ("~$master.xlsx", b"", "だれかが"),
    ],
)
def test_a_file_open_in_a_spreadsheet_program_is_not_written(
    path: Path, name: str, content: str | bytes, who: str
) -> None:
    lock = path.with_name(name)
    lock.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = path.read_bytes()
    with pytest.raises(WorkbookBusy) as caught:
        write_new(path)
    assert str(caught.value) == (
        f"{path}: {who}表計算ソフトで開いています。何も書いていません。閉じれば次の実行で書きます"
        f"（だれも開いていなければ {name} を消してください）。"
    )
    assert path.read_bytes() == before
    assert list_names(path) == sorted([name, "master.xlsx"])
    # Reading goes on, and so does a write that has nothing to write.
    XlsxWorkbook(path).write([SheetWrite("表", OLD, LOOK)], XlsxWorkbook(path).read().fingerprint)
    lock.unlink()
    write_new(path)
    assert XlsxWorkbook(path).read().grids["表"] == NEW


@pytest.mark.parametrize("change", ["saved", "opened", "deleted"])
def test_what_happens_to_the_file_while_the_new_one_is_made_stops_the_write(
    path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    other = path.read_bytes() + b"PK"

    def interfere(descriptor: int) -> None:
        if change == "saved":
            path.write_bytes(other)
        elif change == "opened":
            path.with_name("~$master.xlsx").write_bytes(b"")
        else:
            path.unlink()

    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", interfere)
    with pytest.raises(WorkbookBusy):
        write_new(path)
    if change == "deleted":
        assert list_names(path) == []
    else:
        assert path.read_bytes() == (other if change == "saved" else before)
        assert not path.with_name(".master.xlsx.new").exists()


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, "tests/connectors")
setattr(os, sys.argv[2], lambda *_: os._exit(9))
import test_xlsx_file
test_xlsx_file.write_new(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_run_killed_in_the_middle_leaves_the_old_file_whole(path: Path, step: str) -> None:
    before = path.read_bytes()
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), step], cwd=root, check=False)
    assert done.returncode == 9
    assert path.read_bytes() == before
    assert list_names(path) == [".master.xlsx.new", "master.xlsx"]
    write_new(path)
    assert list_names(path) == ["master.xlsx"]
    assert XlsxWorkbook(path).read().grids["表"] == NEW


def test_a_full_disk_leaves_the_old_file_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(SourceError, match=r"master\.xlsx: 書けません（No space left on device）"):
        write_new(path)
    assert path.read_bytes() == before
    assert list_names(path) == ["master.xlsx"]


def test_a_new_file_is_for_its_owner_only_and_an_old_one_keeps_its_mode(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o664)
    write_new(path)
    assert path.stat().st_mode & 0o777 == 0o664


def test_a_link_to_the_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.xlsx"
    link.symlink_to(path)
    write_new(link)
    assert link.is_symlink()
    assert XlsxWorkbook(path).read().grids["表"] == NEW


def test_the_folder_is_made_when_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "var" / "master.xlsx"
    XlsxWorkbook(path).write([SheetWrite("表", OLD, LOOK)], "")
    assert XlsxWorkbook(path).read().grids == {"表": OLD}


def test_a_folder_in_the_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="読めません"):
        XlsxWorkbook(tmp_path).read()
