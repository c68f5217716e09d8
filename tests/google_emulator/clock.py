"""The emulator's clock: the machine's, unless a test sets it or moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """Real time plus an offset, or a fixed instant that moves only when told to."""

    def __init__(self, fixed: datetime | None = None) -> None:
        self._fixed = fixed
        self._offset = timedelta()

    def now(self) -> datetime:
        if self._fixed is not None:
            return self._fixed
        return datetime.now(UTC) + self._offset

    def set(self, instant: datetime | None) -> None:
        """Stands still at `instant`; None lets it run with the machine again."""
        self._fixed, self._offset = instant, timedelta()

    def advance(self, by: timedelta) -> None:
        if self._fixed is not None:
            self._fixed += by
        else:
            self._offset += by


def milliseconds(instant: datetime) -> str:
    """`2023-07-19T11:17:22.850Z`: the form of Drive's times and of a response's createTime."""
    instant = instant.astimezone(UTC)
    return instant.strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03d}Z"


def microseconds(instant: datetime) -> str:
    """`2023-07-19T11:17:22.850363Z`; fewer digits (6, 3 or none) where the rest would be zeros."""
    instant = instant.astimezone(UTC)
    whole = instant.strftime("%Y-%m-%dT%H:%M:%S")
    if not instant.microsecond:
        return whole + "Z"
    if instant.microsecond % 1000 == 0:
        return f"{whole}.{instant.microsecond // 1000:03d}Z"
    return f"{whole}.{instant.microsecond:06d}Z"


def parse(text: str) -> datetime:
    """An RFC 3339 instant with up to nine digits; ValueError for anything else, a missing zone included."""
    head, dot, tail = text.partition(".")
    if dot:
        digits = tail.rstrip("Zz") if tail[-1:] in "Zz" else tail.split("+")[0].split("-")[0]
        if not digits.isdigit() or len(digits) > 9:
            raise ValueError(text)
        text = f"{head}.{digits[:6]}{tail[len(digits) :]}"
    instant = datetime.fromisoformat(text)
    if instant.tzinfo is None or len(text) < 20:
        raise ValueError(text)
    return instant.astimezone(UTC)
