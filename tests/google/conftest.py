"""A fresh emulator for each test, with seeded ids, and the usual clients for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gspread
import pytest
import requests
from sheets_bench import Bench

from tests.google_emulator.clients import service, spreadsheets
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World


@pytest.fixture
def emulator() -> Iterator[Emulator]:
    with Emulator(world=World(seed=1)) as running:
        yield running


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
