"""A fresh emulator for each test, with seeded ids, and the usual clients for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gspread
import pytest
import requests
from fault_game import Saved, bring_news, list_ends
from google_bench import ROBOT, connect
from google_game import set_up
from office import Office
from sample_game import LATER, NOON, SMALL
from sheets_bench import Bench

from connectors.base import SheetWrite
from connectors.google_session import Google
from connectors.google_sheets import SheetsWorkbook
from tests.google_emulator.clients import service, spreadsheets
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(world=World(seed=1)) as running:
        yield running


@pytest.fixture
def key(emulator: Emulator) -> Any:
    """The key file of the robot, as its content."""
    return emulator.control("service-account", email=ROBOT)


@pytest.fixture
def http(emulator: Emulator) -> Iterator[Callable[..., requests.Response]]:
    """Plain HTTP: `http("GET", "/v1/forms/x")`."""
    with requests.Session() as session:

        def send(verb: str, path: str, **named: Any) -> requests.Response:
            return session.request(verb, emulator.base + path, timeout=10, **named)

        yield send


@pytest.fixture
def forms(emulator: Emulator) -> Iterator[Any]:
    with service("forms", emulator.base) as made:
        yield made.forms()


@pytest.fixture
def drive(emulator: Emulator) -> Iterator[Any]:
    with service("drive", emulator.base) as made:
        yield made


@pytest.fixture
def sheets(emulator: Emulator) -> Iterator[Any]:
    with service("sheets", emulator.base) as made:
        yield made.spreadsheets()


@pytest.fixture
def bench(sheets: Any) -> Bench:
    return Bench(sheets)


@pytest.fixture
def gspread_client(emulator: Emulator) -> Iterator[gspread.Client]:
    client = spreadsheets(emulator.base)
    yield client
    client.http_client.session.close()


@pytest.fixture
def book_id(gspread_client: gspread.Client) -> str:
    return str(gspread_client.create("book").id)


@pytest.fixture
def google(emulator: Emulator) -> Iterator[Google]:
    with connect(emulator.base) as made:
        yield made


@pytest.fixture
def workbook(google: Google, book_id: str) -> SheetsWorkbook:
    return SheetsWorkbook(google, book_id, ("要確認", "申込", "実行履歴"), "マスターの表")


@pytest.fixture
def sent(google: Google) -> list[dict[str, Any]]:
    """The bodies of all writes, as they were sent."""
    bodies: list[dict[str, Any]] = []

    def look(answer: requests.Response, **_: Any) -> None:
        if answer.request.url and ":batchUpdate" in answer.request.url and answer.request.body:
            bodies.append(json.loads(answer.request.body))

    google.session.hooks["response"].append(look)
    return bodies


@pytest.fixture
def put(workbook: SheetsWorkbook) -> Callable[..., None]:
    """Read, then write: one run."""

    def run(*sheets: SheetWrite) -> None:
        workbook.write(sheets, workbook.read().fingerprint)

    return run


@pytest.fixture
def human(emulator: Emulator, book_id: str) -> Callable[..., None]:
    """Somebody types into the spreadsheet."""

    def type_in(where: str, values: list[list[Any]], **named: Any) -> None:
        emulator.control("write", spreadsheetId=book_id, range=where, values=values, **named)

    return type_in


@pytest.fixture
def calls(emulator: Emulator) -> Callable[..., list[str]]:
    """The calls of Sheets so far, by the last word of their methods."""

    def count(part: str = "") -> list[str]:
        return [
            each["method"].rpartition(".")[2]
            for each in emulator.control("log")["calls"]
            if "sheets" in each["method"] and part in each["method"]
        ]

    emulator.control("log/clear")
    return count


@pytest.fixture
def office(tmp_path: Path, emulator: Emulator) -> Office:
    return Office(tmp_path / "office", emulator)


@pytest.fixture(scope="module")
def shared_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    """For tests that only look."""
    with Emulator(world=World(seed=1)) as running:
        yield Office(tmp_path_factory.mktemp("shared") / "office", running)


@pytest.fixture(scope="session")
def news(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Saved]:
    """A small game after its first run, with news of every kind waiting. Tests take it back from what was saved."""
    with Emulator(world=World(seed=1)) as running:
        game = set_up(running, tmp_path_factory.mktemp("news") / "game", SMALL)
        game.run()
        bring_news(game)
        yield Saved(game)


@pytest.fixture(scope="session")
def newborn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Saved]:
    """A small game in which nothing has run yet."""
    with Emulator(world=World(seed=1)) as running:
        yield Saved(set_up(running, tmp_path_factory.mktemp("newborn") / "game", SMALL))


@pytest.fixture(scope="session")
def news_ends(news: Saved, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return list_ends(news, tmp_path_factory.mktemp("news_ends"), LATER)


@pytest.fixture(scope="session")
def newborn_ends(newborn: Saved, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return list_ends(newborn, tmp_path_factory.mktemp("newborn_ends"), NOON)
