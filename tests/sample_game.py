"""A copy of the sample game in a folder of its own, and the hands of those who touch it.

A player sends a form (a row of a CSV), a master types into the spreadsheet (openpyxl, as a human's program would save
it), cron runs a cycle. Everything a test asserts is read from the files that the product leaves.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.worksheet.worksheet import Worksheet

from connectors.xlsx import XlsxWorkbook
from pipeline.archive import Archive
from pipeline.config import Config, load_config
from pipeline.cycle import Report, run_cycle
from pipeline.journal import FILE, POSTING, ROW, VERDICT, read_known
from rules.clock import read_instant
from rules.frames import Grid

ROOT = Path(__file__).resolve().parent.parent
NOON = "2026-10-16 12:30:00"
"""The instant of the sample."""

LATER = "2026-10-16 12:40:00"
EVENING = "2026-10-16 19:00:00"
SMALL = ("ぽんかん", "らくがき帳", "灰色のソナタ", "夜　汽車", "十六夜ポスト", "うみほたる", "ルーペ")
"""Who is left in the small game: its forms hold a case of every kind that the tests of the pipeline touch."""


class SampleGame:
    """One game folder: `config.yaml` and everything it names."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config_path = folder / "config.yaml"
        self.archive_path = folder / "var" / "archive.sqlite"
        self.workbook_path = folder / "var" / "master.xlsx"
        self.line_path = folder / "var" / "line.xlsx"
        self.log_path = folder / "var" / "saitei.log"
        self.out = folder / "out"
        self.words_path = folder / "samples/kanada/private/passphrases.csv"

    @classmethod
    def fresh(cls, folder: Path) -> SampleGame:
        """The sample as it is cloned: nothing has run yet."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "config.yaml", folder / "config.yaml")
        shutil.copytree(ROOT / "samples" / "kanada", folder / "samples" / "kanada")
        return cls(folder)

    def shrink(self, players: Sequence[str]) -> None:
        """Leave only these players and what they need, so that a cycle takes a fraction of a second."""
        base = self.folder / "samples/kanada"
        wanted = set(players)
        names = {"正式呼称", "対象"}
        for path in (self.response_path("attack"), base / "board.csv"):
            write_csv(path, read_csv(path)[:1])
        for path in (*base.glob("masters/*.csv"), *base.glob("responses/*.csv"), self.words_path):
            header, *rows = read_csv(path)
            column = next((number for number, name in enumerate(header) if name in names), None)
            if column is not None:
                rows = [row for row in rows if row[column].strip() in wanted]
            elif path.stem == "球":
                rows = rows[:3]
            write_csv(path, [header, *rows])
        used = {row[2] for row in read_csv(base / "masters/星座所有.csv")[1:]}
        used |= {row[7] for row in self.read_responses("replication")[1:]}
        for name, column in (("星座", 0), ("効果", 1)):
            header, *rows = read_csv(base / f"masters/{name}.csv")
            write_csv(base / f"masters/{name}.csv", [header, *(row for row in rows if row[column] in used)])

    def copy_to(self, folder: Path) -> SampleGame:
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, symlinks=True)
        return SampleGame(folder)

    # --- cron -------------------------------------------------------------------------------------------------

    def load(self) -> Config:
        return load_config(self.config_path)

    def run(self, as_of: str = NOON, *, dry: bool = False) -> Report:
        """One cycle in this process."""
        config = self.load()
        instant = read_instant(as_of, config.settings.zone, config.settings.year)
        assert instant is not None
        return run_cycle(config, instant, dry=dry)

    def command(self, *arguments: str, debug: bool = False) -> list[str]:
        """The command line of `saitei` for this game; the command comes first."""
        name, *rest = arguments
        return [
            sys.executable,
            "-m",
            "pipeline",
            *(["--debug"] if debug else []),
            name,
            "--config",
            str(self.config_path),
            *rest,
        ]

    def saitei(self, *arguments: str, debug: bool = False) -> subprocess.CompletedProcess[str]:
        """The command in a process of its own, as an operator or cron calls it."""
        return subprocess.run(
            self.command(*arguments, debug=debug),
            cwd=ROOT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            env=plain_environment(),
        )

    # --- players ----------------------------------------------------------------------------------------------

    def response_path(self, form: str) -> Path:
        return self.folder / "samples/kanada/responses" / f"{form}.csv"

    def read_responses(self, form: str) -> list[list[str]]:
        return read_csv(self.response_path(form))

    def write_responses(self, form: str, rows: Sequence[Sequence[str]]) -> None:
        write_csv(self.response_path(form), rows)

    def send(self, form: str, **answers: str) -> None:
        """A new response: header -> cell, the rest blank."""
        append_row(self.response_path(form), answers)

    def post(self, **cells: str) -> None:
        """A new article on the bulletin board."""
        append_row(self.folder / "samples/kanada/board.csv", cells)

    def sign_up(
        self, response: str, sent: str, dates: str, *, player: str = "ぽんかん", note: str = ""
    ) -> None:
        """A sign-up of ぽんかん (or another of `PLAYERS`) with the right address and word."""
        address, word = PLAYERS[player]
        self.send(
            "signup",
            タイムスタンプ=sent,
            メールアドレス=address,
            回答ID=response,
            初回送信=sent,
            正式呼称=player,
            あいことば=word,
            参加を希望する開催日=dates,
            備考=note,
        )

    def replicate(
        self, response: str, sent: str, day: str, wish: str, stars: Mapping[int, str], **own: str
    ) -> None:
        """An application of ぽんかん; `own` lays other cells over it."""
        address, word = PLAYERS["ぽんかん"]
        cells = {
            "タイムスタンプ": sent,
            "メールアドレス": address,
            "回答ID": response,
            "初回送信": sent,
            "正式呼称": "ぽんかん",
            "あいことば": word,
            "複製を行う日": day,
            "複製する星座": wish,
            **{f"消費する{grade}等星の個数": number for grade, number in stars.items()},
        }
        self.send("replication", **{**cells, **own})

    def edit_response(self, form: str, response: str, **answers: str) -> None:
        """A player edits: Google overwrites the row."""
        rows = self.read_responses(form)
        header = rows[0]
        row = next(row for row in rows if row[header.index("回答ID")] == response)
        for name, text in answers.items():
            row[header.index(name)] = text
        self.write_responses(form, rows)

    # --- masters ----------------------------------------------------------------------------------------------

    @contextmanager
    def open_workbook(self) -> Iterator[openpyxl.Workbook]:
        """The spreadsheet open in a human's program; saved on leaving."""
        book = openpyxl.load_workbook(self.workbook_path)
        yield book
        book.save(self.workbook_path)

    def type_into(self, title: str, row_id: str, **cells: Any) -> None:
        """A master types into one row, found by its key."""
        with self.open_workbook() as book:
            type_cells(book[title], row_id, **cells)

    # --- what is left -----------------------------------------------------------------------------------------

    def grids(self) -> dict[str, Grid]:
        return dict(XlsxWorkbook(self.workbook_path).read().grids)

    def line_grids(self) -> dict[str, Grid]:
        """The workbook of LINE連携."""
        return dict(XlsxWorkbook(self.line_path).read().grids)

    def line(self) -> dict[str, dict[str, str]]:
        """LINE連携 as player -> header -> text."""
        return as_table(self.line_grids()["LINE連携"])

    def table(self, title: str) -> dict[str, dict[str, str]]:
        """One tab as key -> header -> text (key: 対応, 管理番号, 実行, else the first column)."""
        return as_table(self.grids()[title])

    def verdicts(self) -> dict[str, dict[str, Any]]:
        with Archive.open(self.archive_path) as archive:
            return dict(read_known(archive).verdicts)

    def entry(self, response: str, key: str = "") -> str:
        """The entry id of a response, as the last run recorded it (of its newest content)."""
        found = [
            item
            for item in self.verdicts().values()
            if item["response_id"] == response and (not key or item["key"] == key)
        ]
        assert found, f"{response} {key}"
        return str(max(found, key=lambda item: str(item["submitted_at"]))["entry_id"])

    def status(self, response: str, key: str = "") -> str:
        """The verdict in force; of a 未定 with its preview behind a slash."""
        item = self.verdicts()[self.entry(response, key)]
        return str(item["effective"]) + (f"/{item['preview']}" if item["preview"] else "")

    def journal(self) -> dict[str, set[str]]:
        """Contents known now, by kind."""
        with Archive.open(self.archive_path) as archive:
            return {
                kind: set(frame.loc[frame["known_to"].isna(), "payload"])
                for kind, frame in ((kind, archive.journal(kind)) for kind in (VERDICT, POSTING, FILE, ROW))
            }

    def postings(self) -> list[dict[str, Any]]:
        return [json.loads(payload) for payload in sorted(self.journal()[POSTING])]

    def files(self) -> dict[str, bytes]:
        """Everything under out/, by relative path."""
        return {
            str(p.relative_to(self.out)): p.read_bytes() for p in sorted(self.out.rglob("*")) if p.is_file()
        }

    def stamps(self) -> dict[str, tuple[int, int, bytes]]:
        """inode, time of last change and bytes of both workbooks and of every file under out/."""
        paths = [self.workbook_path, self.line_path, *(p for p in sorted(self.out.rglob("*")) if p.is_file())]
        return {str(p): (p.stat().st_ino, p.stat().st_mtime_ns, p.read_bytes()) for p in paths}

    def waiting(self) -> dict[str, dict[str, str]]:
        """Rows of 要確認 by id."""
        return self.table("要確認")

    def findings(self, code: str) -> list[str]:
        """The texts of the findings of that code that stand in 要確認 now, where it has the masters' word for it."""
        word = FINDINGS[code]
        return [
            f"{row['誰・何']} {row['理由']}"
            for row in self.waiting().values()
            if row["種類"] == word and row["有効"] == "所見"
        ]


FINDINGS: Mapping[str, str] = {
    "breach": "禁止行為",
    "near_miss": "惜しい違い",
    "doubled_key": "キーの重複",
    "unreadable": "読めないセル",
    "missing_column": "列がない",
    "missing_tab": "シートがない",
    "shrunk": "行が減った",
    "withdrawn": "送信が消えた",
    "conflict": "裁定の食い違い",
    "repaired": "機械の列を直した",
    "quarantine": "行き場のない記入",
    "healed_key": "対応を戻した",
    "no_word": "合言葉がない",
}
PLAYERS: Mapping[str, tuple[str, str]] = {
    "ぽんかん": ("ponkan@example.jp", "みかんばたけ"),
    "十六夜ポスト": ("izayoi.post@example.jp", "速達"),
    "ゼロヨン": ("zeroyon@example.com", "Prism"),
    "ミント": ("niwasaki.mint@example.jp", "ハッカアメ"),
}
_KEYS = ("対応", "管理番号", "実行", "記録ID")


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def write_csv(path: Path, rows: Sequence[Sequence[str]]) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    path.write_bytes(buffer.getvalue().encode("utf-8"))


def append_row(path: Path, cells: Mapping[str, str]) -> None:
    header, *rows = read_csv(path)
    unknown = cells.keys() - set(header)
    assert not unknown, unknown
    write_csv(path, [header, *rows, [cells.get(name, "") for name in header]])


def plain_environment() -> dict[str, str]:
    """The environment of a terminal-less call."""
    return {**os.environ, "PYTHONUTF8": "1", "COLUMNS": "120", "TERM": "dumb", "PYTHONPATH": str(ROOT)}


def header_row(rows: Sequence[Sequence[Any]], *wanted: str) -> int:
    """The index of the header row: the first that shows a key header, else the first that shows `wanted`."""
    for number, row in enumerate(rows[:10]):
        if any(key in row for key in _KEYS) or (wanted and set(wanted) <= set(row)):
            return number
    return 0


def as_table(grid: Grid) -> dict[str, dict[str, str]]:
    place = header_row(grid)
    header = grid[place]
    key = next((name for name in _KEYS if name in header), header[0])
    rows = [dict(zip(header, [*row, *[""] * len(header)], strict=False)) for row in grid[place + 1 :]]
    return {row[key]: row for row in rows if any(row.values())}


def sheet_rows(sheet: Worksheet) -> list[list[Any]]:
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def find_columns(sheet: Worksheet) -> tuple[int, dict[str, int]]:
    """The header row and the column of each header, both counted from 1."""
    rows = sheet_rows(sheet)
    place = header_row(rows)
    return place + 1, {str(text): number for number, text in enumerate(rows[place], 1) if text is not None}


def find_row(sheet: Worksheet, row_id: str) -> int:
    """The row of a key, counted from 1."""
    place, columns = find_columns(sheet)
    column = next((columns[name] for name in _KEYS if name in columns), 1)
    found = [n for n in range(place + 1, sheet.max_row + 1) if sheet.cell(n, column).value == row_id]
    assert found, f"{sheet.title}: {row_id}"
    return found[0]


def type_cells(sheet: Worksheet, row_id: str, **cells: Any) -> None:
    row, (_place, columns) = find_row(sheet, row_id), find_columns(sheet)
    for header, value in cells.items():
        sheet.cell(row, columns[header]).value = value


def add_row(sheet: Worksheet, **cells: Any) -> int:
    """A master writes a new row below the last."""
    _place, columns = find_columns(sheet)
    row = sheet.max_row + 1
    for header, value in cells.items():
        sheet.cell(row, columns[header]).value = value
    return row


def move_row(sheet: Worksheet, source: int, target: int) -> None:
    """Two rows change places, cell by cell, as a sort does it."""
    for column in range(1, sheet.max_column + 1):
        one, other = sheet.cell(source, column), sheet.cell(target, column)
        one.value, other.value = other.value, one.value
