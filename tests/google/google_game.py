"""The sample game at Google: its forms and its spreadsheet in the emulator, and the hands of those who touch them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from google_bench import ROBOT, connect
from sample_game import PLAYERS, SampleGame, as_table, header_row, read_csv

from connectors.google_sheets import SheetsWorkbook
from pipeline.tabs import LINE
from rules.frames import Grid
from tests.google_emulator.clock import microseconds
from tests.google_emulator.sample import BOOK, load
from tests.google_emulator.server import Emulator


class GoogleGame(SampleGame):
    """A game folder whose config says `backend: google`; players and masters act on the emulator."""

    def __init__(self, folder: Path, emulator: Emulator, ids: Mapping[str, str]) -> None:
        super().__init__(folder)
        self.emulator = emulator
        self.ids = dict(ids)

    @property
    def book_id(self) -> str:
        return self.ids[BOOK]

    # --- players ----------------------------------------------------------------------------------------------

    def send(self, form: str, **cells: str) -> None:
        """A new response: the headers of the sample's CSV -> cells."""
        self.emulator.control("submit", **self.submission(form, cells))

    def submission(self, form: str, cells: Mapping[str, str]) -> dict[str, Any]:
        """What the control path is told of a new response."""
        given = self._given(form, cells)
        return {**given, "at": given.pop("when")}

    def edit_response(self, form: str, response: str, **answers: str) -> None:
        """A player edits: only the named answers change."""
        header, *rows = read_csv(self.response_path(form))
        old = next((row for row in rows if row[header.index("回答ID")] == response), None)
        before = dict(zip(header, old, strict=True)) if old is not None else self._sent[form, response]
        given = self._given(form, {**before, **answers, "初回送信": ""})
        self.emulator.control("edit", **{**given, "at": given.pop("when")})

    def delete_response(self, form: str, response: str) -> None:
        self.emulator.control("delete", formId=self.ids[form], responseId=response)

    def _given(self, form: str, cells: Mapping[str, str]) -> dict[str, Any]:
        from connectors.ticks import split_ticks
        from connectors.timestamps import parse_timestamp

        config = self.load()
        titles = config.form_map(config.settings.forms[form])
        self._sent[form, cells["回答ID"]] = dict(cells)
        answers: dict[str, Any] = {}
        for field in titles.fields:
            text = cells.get(field.titles[0], "")
            answers[field.titles[0]] = split_ticks(text, field.choices) if field.many and text else text
        moment = parse_timestamp(cells["タイムスタンプ"], config.settings.zone)
        assert moment is not None
        return {
            "formId": self.ids[form],
            "answers": answers,
            "email": cells["メールアドレス"],
            "responseId": cells["回答ID"],
            "force": True,
            "when": microseconds(moment.to_pydatetime()),
        }

    @property
    def _sent(self) -> dict[tuple[str, str], dict[str, str]]:
        return self.__dict__.setdefault("_sent_cells", {})

    # --- masters ----------------------------------------------------------------------------------------------

    def type_into(self, title: str, row_id: str, **cells: Any) -> None:
        """A master types into one row, found by its key."""
        for header, value in cells.items():
            row, column = self.find(title, row_id, header)
            self.write(f"'{title}'!R{row}C{column}", [["" if value is None else value]])

    def find(self, title: str, row_id: str, header: str) -> tuple[int, int]:
        """Row and column, counted from 1."""
        grid = self.grids()[title]
        place = header_row(grid)
        key = next(name for name in ("対応", "管理番号", "実行", grid[place][0]) if name in grid[place])
        row = next(
            n for n, cells in enumerate(grid) if n > place and cells[grid[place].index(key) :][:1] == [row_id]
        )
        return row + 1, grid[place].index(header) + 1

    def write(self, where: str, values: Sequence[Sequence[Any]]) -> None:
        self.emulator.control("write", spreadsheetId=self.book_id, range=_a1(where), values=values)

    def human(self, operation: str, **body: Any) -> None:
        """Whatever else a human does to the spreadsheet, by the emulator's control path."""
        self.emulator.control(operation, spreadsheetId=self.book_id, **body)

    def batch(self, *requests: dict[str, Any]) -> None:
        """A human's program, or the hand behind a menu: any request of the Sheets API."""
        self.emulator.control(
            "call",
            method="sheets.spreadsheets.batchUpdate",
            params={"spreadsheetId": self.book_id},
            body={"requests": list(requests)},
        )

    # --- what is left -----------------------------------------------------------------------------------------

    def grids(self) -> dict[str, Grid]:
        with connect(self.emulator.base) as google:
            return dict(SheetsWorkbook(google, self.book_id).read().grids)

    def line_grids(self) -> dict[str, Grid]:
        with connect(self.emulator.base) as google:
            return dict(SheetsWorkbook(google, self.ids[LINE]).read().grids)

    def table(self, title: str) -> dict[str, dict[str, str]]:
        return as_table(self.grids()[title])

    def sheet_id(self, title: str) -> int:
        made = self.emulator.control(
            "call",
            method="sheets.spreadsheets.get",
            params={"spreadsheetId": self.book_id, "fields": "sheets.properties"},
        )
        return int(
            next(
                each["properties"].get("sheetId", 0)
                for each in made["sheets"]
                if each["properties"]["title"] == title
            )
        )

    def calls(self) -> list[str]:
        """What was asked of Google, without signing in."""
        found = [str(call["method"]) for call in self.emulator.control("log")["calls"]]
        return [method for method in found if method.split(".")[0] in ("forms", "sheets")]

    def forget_calls(self) -> None:
        self.emulator.control("log/clear")


def _a1(where: str) -> str:
    found = re.fullmatch(r"(.*!)R(\d+)C(\d+)", where)
    if not found:
        return where
    number, letters = int(found.group(3)), ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{found.group(1)}{letters}{found.group(2)}"


def set_up(emulator: Emulator, folder: Path, players: Sequence[str] = ()) -> GoogleGame:
    """The sample game as an operator would have set it up: files of a human, shared with the robot, key in place."""
    files = SampleGame.fresh(folder)
    if players:
        files.shrink(players)
    ids = load(emulator, (ROBOT,), files.config_path)
    ids[BOOK] = make_book(emulator)
    key = emulator.control("service-account", email=ROBOT)
    key_path = folder / "private" / "google.json"
    key_path.parent.mkdir(exist_ok=True)
    key_path.write_text(json.dumps(key), "utf-8")
    key_path.chmod(0o600)
    text = files.config_path.read_text("utf-8").replace("backend: local", "backend: google")
    for name, form_id in ids.items():
        text = text.replace(f"\n  {name}:\n", f"\n  {name}:\n    id: {form_id}\n")
    ids[LINE] = make_book(emulator, "公式LINE")
    text += f"\ngoogle:\n  endpoint: {emulator.base}\n  spreadsheet: {ids[BOOK]}\n  line: {ids[LINE]}\n"
    files.config_path.write_text(text, "utf-8")
    return GoogleGame(folder, emulator, ids)


def make_book(emulator: Emulator, title: str = "輝流堕の表", zone: str = "Asia/Tokyo") -> str:
    """An empty spreadsheet, shared with the robot."""
    properties = {"title": title, "locale": "ja_JP", "timeZone": zone}
    made = emulator.control(
        "call", method="sheets.spreadsheets.create", params={}, body={"properties": properties}
    )
    emulator.control("share", fileId=made["spreadsheetId"], email=ROBOT, role="writer")
    return str(made["spreadsheetId"])


__all__ = ["PLAYERS", "GoogleGame", "make_book", "set_up"]
