"""A game at Google before it begins: a config, a robot that will run it, a person who makes its files."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import yaml
from google_bench import ROBOT
from sample_game import SMALL, SampleGame

from connectors.google_auth import MAKER_SCOPES
from pipeline.cli import run_cli
from tests.google_emulator.server import Emulator

MAKER = "owner@example.com"
FORMS = ("signup", "replication", "effect", "attack", "inquiry")


class Office:
    """One folder with its config; commands are typed as an operator types them."""

    def __init__(self, folder: Path, emulator: Emulator) -> None:
        self.emulator, self.shown = emulator, ""
        self.game = SampleGame.fresh(folder)
        self.game.shrink(SMALL)
        self.private = folder / "private"
        self.private.mkdir()
        emulator.control("settings", strictAuth=True, serviceAccountsOwnFiles=False)
        self.key = emulator.control("service-account", email=ROBOT)
        self.keep("google.json", self.key)
        self.sign_in()
        self.configure(lambda block: block)

    def keep(self, name: str, content: Any) -> None:
        path = self.private / name
        path.write_text(json.dumps(content), "utf-8")
        path.chmod(0o600)

    def sign_in(self, scopes: Sequence[str] = MAKER_SCOPES) -> None:
        body = {"email": MAKER, "clientId": "c", "clientSecret": "hidden-client", "scopes": list(scopes)}
        made = self.emulator.control("refresh-token", **body)
        client = {"client_id": "c", "client_secret": "hidden-client"}
        self.token = {**made, **client, "scopes": list(scopes)}
        self.keep("token.json", self.token)

    def configure(self, change: Any) -> None:
        """The config at Google; `change` is given the mapping and may alter it."""
        block = yaml.safe_load(self.game.config_path.read_text("utf-8"))
        block["backend"] = "google"
        block["as_of"] = str(block["as_of"])
        block.setdefault("google", {}).update({"endpoint": self.emulator.base, "patience_seconds": 0.01})
        change(block)
        self.game.config_path.write_text(yaml.safe_dump(block, allow_unicode=True), "utf-8")

    def saitei(self, *words: str) -> tuple[int, str, str]:
        """Exit code, standard output, standard error of a command."""
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run_cli([*words, "--config", str(self.game.config_path)])
        return code, out.getvalue(), err.getvalue()

    @property
    def state(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads((self.private / "google-files.json").read_text("utf-8"))
        return made

    def call(self, method: str, body: Any = None, **params: Any) -> Any:
        """What a person does at Google by other means."""
        return self.emulator.control("call", method=method, params=params, body=body or {})

    def form(self, name: str) -> Any:
        return self.call("forms.forms.get", formId=self.state["forms"][name])

    def items(self, name: str) -> dict[str, Any]:
        """Title -> item."""
        return {item["title"]: item for item in self.form(name)["items"]}

    def options(self, name: str, title: str) -> list[Any]:
        asked = self.items(name)[title]["questionItem"]["question"]
        return [option.get("value") for option in asked["choiceQuestion"]["options"]]

    def calls(self, part: str = "") -> list[str]:
        """The methods called since the log was last cleared."""
        return [each["method"] for each in self.emulator.control("log")["calls"] if part in each["method"]]

    def files(self) -> list[str]:
        return [each["name"] for each in self.emulator.control("files")["files"]]
