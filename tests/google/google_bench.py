"""A clock that only our own waiting moves, and a connection to the emulator: what the tests of the connectors share."""

from __future__ import annotations

from typing import Any

from google.auth.credentials import AnonymousCredentials

from connectors.google_auth import Identity
from connectors.google_retry import Patience
from connectors.google_session import Google

ROBOT = "robot@emulated-project.iam.gserviceaccount.com"
"""The account in whose name the emulator makes keys."""

NOBODY = Identity(AnonymousCredentials(), "robot@example.com", "鍵を作り直してください")


class StoppedClock:
    """Starts ten seconds before a minute is over; sleeping is what moves it."""

    def __init__(self) -> None:
        self.now = 50.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds

    def read(self) -> float:
        return self.now

    def patience(self, **more: Any) -> Patience:
        return Patience(sleep=self.sleep, monotonic=self.read, epoch=self.read, **more)


def connect(
    base: str, clock: StoppedClock | None = None, identity: Identity = NOBODY, **patience: Any
) -> Google:
    return Google(identity, (clock or StoppedClock()).patience(**patience), base)
