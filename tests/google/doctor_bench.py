"""A game whose files lie at Google, and an account with a key of its own that may edit them, as a real one would be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
from sample_game import SampleGame

import pipeline.doctor
from pipeline.doctor import examine
from tests.google_emulator.sample import BOOK, load
from tests.google_emulator.server import Emulator

ROBOT = "robot@example.iam.gserviceaccount.com"
FORMS = ("signup", "replication", "effect", "attack", "inquiry")


class GoogleGame:
    """A folder with a config of backend google; `files` are the ids by name."""

    def __init__(self, emulator: Emulator, folder: Path) -> None:
        self.emulator = emulator
        self.folder = folder
        self.game = SampleGame.fresh(folder)
        self.files = load(emulator, (ROBOT,), self.config_path)
        self.set_collection("attack", "RESPONDER_INPUT")
        self.private = folder / "private"
        self.private.mkdir(mode=0o700)
        self.put_login("google.json", emulator.control("service-account", email=ROBOT))
        emulator.control("settings", strictAuth=True)
        self.book = self.make_book("Masters")
        text = self.config_path.read_text("utf-8").replace("backend: local", "backend: google")
        for name in FORMS:
            text = text.replace(f"  {name}:\n", f"  {name}:\n    id: {self.files[name]}\n")
        self.config_path.write_text(text, "utf-8")
        self.put_block(spreadsheet=self.book)
        emulator.control("log/clear")

    @property
    def config_path(self) -> Path:
        return self.game.config_path

    def put_login(self, name: str, content: dict[str, Any]) -> Path:
        path = self.private / name
        path.write_text(json.dumps(content), "utf-8")
        path.chmod(0o600)
        return path

    def put_block(self, **named: str) -> None:
        """Write the block `google` anew."""
        text = self.config_path.read_text("utf-8").partition("\ngoogle:\n")[0]
        block = {"endpoint": self.emulator.base, "patience_seconds": 20, **named}
        lines = "".join(f"  {name}: {value}\n" for name, value in block.items())
        self.config_path.write_text(f"{text}\ngoogle:\n{lines}", "utf-8")

    def edit_config(self, old: str, new: str) -> None:
        text = self.config_path.read_text("utf-8")
        assert old in text
        self.config_path.write_text(text.replace(old, new, 1), "utf-8")

    def make_book(self, title: str, zone: str = "Asia/Tokyo", role: str = "writer") -> str:
        properties = {"title": title, "timeZone": zone, "locale": "ja_JP"}
        book = self.call("sheets.spreadsheets.create", {"properties": properties})["spreadsheetId"]
        self.emulator.control("share", fileId=book, email=ROBOT, role=role)
        return str(book)

    def call(self, method: str, body: dict[str, Any], **params: Any) -> dict[str, Any]:
        return self.emulator.control("call", method=method, params=params, body=body)

    def set_collection(self, form: str, kind: str) -> None:
        settings = {"settings": {"emailCollectionType": kind}, "updateMask": "emailCollectionType"}
        body = {"requests": [{"updateSettings": settings}]}
        self.call("forms.forms.batchUpdate", body, formId=self.files[form])

    def make_form(self) -> str:
        """A form with one question, shared with the account."""
        form = str(self.call("forms.forms.create", {"info": {"title": "Trial"}})["formId"])
        item = {"title": "何か", "questionItem": {"question": {"textQuestion": {}}}}
        request = {"createItem": {"item": item, "location": {"index": 0}}}
        self.call("forms.forms.batchUpdate", {"requests": [request]}, formId=form)
        self.emulator.control("share", fileId=form, email=ROBOT, role="writer")
        return form

    def examine(self, skew: float = 0.0) -> tuple[int, list[str]]:
        """Exit code and lines; `skew` is by how many seconds this machine's clock is fast."""
        lines: list[str] = []

        def read() -> pd.Timestamp:
            return pd.Timestamp.now("UTC") + pd.Timedelta(seconds=skew)

        return examine(self.config_path, lines.append, read), lines

    def check_live(self) -> tuple[int, list[str]]:
        lines: list[str] = []
        return pipeline.doctor.check_live(self.config_path, lines.append), lines

    def methods(self) -> list[str]:
        return [call["method"] for call in self.emulator.control("log")["calls"]]


__all__ = ["BOOK", "FORMS", "ROBOT", "GoogleGame"]
