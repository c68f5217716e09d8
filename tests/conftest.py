"""What all tests share: the sample game, copied for each test, and no way out to the network."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from sample_game import SMALL, SampleGame

_LOOPBACK = ("127.", "::1", "localhost")


class NetworkRefusedError(AssertionError):
    """A test tried to reach something outside of this machine."""


def _check(address: Any) -> None:
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(host, str) and host and not host.startswith((*_LOOPBACK, "/", "\0")):
        raise NetworkRefusedError(f"a test tried to connect to {host!r}")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections to other machines are refused; what is on this one (and Unix sockets) may be reached."""
    for name in ("connect", "connect_ex", "sendto"):
        real = getattr(socket.socket, name)

        def guarded(self: socket.socket, *arguments: Any, _real: Any = real) -> Any:
            _check(arguments[-1])
            return _real(self, *arguments)

        monkeypatch.setattr(socket.socket, name, guarded)
    resolve = socket.getaddrinfo

    def resolved(host: Any, *arguments: Any, **named: Any) -> Any:
        _check((host.decode() if isinstance(host, bytes) else host,))
        return resolve(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolved)


@pytest.fixture(scope="session")
def ready_game(tmp_path_factory: pytest.TempPathFactory) -> SampleGame:
    """The sample after its first run. Never to be changed: tests take `game`."""
    ready = SampleGame.fresh(tmp_path_factory.mktemp("ready") / "game")
    ready.run()
    return ready


@pytest.fixture(scope="session")
def ready_small_game(tmp_path_factory: pytest.TempPathFactory) -> SampleGame:
    ready = SampleGame.fresh(tmp_path_factory.mktemp("ready_small") / "game")
    ready.shrink(SMALL)
    ready.run()
    return ready


@pytest.fixture
def new_game(tmp_path: Path) -> SampleGame:
    """A copy of the sample in which nothing has run yet."""
    return SampleGame.fresh(tmp_path / "game")


@pytest.fixture
def game(ready_game: SampleGame, tmp_path: Path) -> SampleGame:
    """A copy of the sample after its first run."""
    return ready_game.copy_to(tmp_path / "game")


@pytest.fixture
def small_game(ready_small_game: SampleGame, tmp_path: Path) -> SampleGame:
    """A copy of the sample with seven of its players, after its first run: where many cycles are needed."""
    return ready_small_game.copy_to(tmp_path / "game")
