"""What the sample's form responses are made of: one response, one planted expectation, and how an export prints them.

Promises: the same responses always get the same ids and the same rows. Refuses to know: any rule of the game, any
player, and what a response is worth.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

JST = timezone(timedelta(hours=9), "JST")
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


class Response(NamedTuple):
    """One content of one response as the export shows it; `created` differs from `sent` only if it was edited."""

    label: str  # names the response inside the generator only; the export shows an id instead
    sent: datetime
    created: datetime
    address: str
    name: str
    passphrase: str
    answers: tuple[str, ...]


class Plant(NamedTuple):
    """One planted difficulty: the entry (response and key) and the verdict that follows from the data."""

    form: str
    label: str
    key: str
    kind: str
    status: str
    reason: str = ""
    ruling: str = ""
    note: str = ""
    preview: str = ""  # for an undecided entry: what it would be
    preview_reason: str = ""


PLANT_HEADER = (
    "no",
    "form",
    "回答ID",
    "対象キー",
    "kind",
    "判定",
    "理由",
    "注意",
    "見込み",
    "見込みの理由",
    "説明",
)


def read_instant(text: str) -> datetime:
    """Read `10-12 23:59:59.872` as an instant of the game's year."""
    return datetime.fromisoformat(f"2026-{text}").replace(tzinfo=JST)


def midnight(day: str) -> datetime:
    """Return the first instant of a day written `10-13`."""
    return read_instant(f"{day} 00:00:00")


def print_cell_time(instant: datetime | None) -> str:
    """Print an instant as the masters' tabs carry it; a missing one is a blank cell."""
    return "" if instant is None else f"{instant:%Y-%m-%d %H:%M:%S}"


def print_export_time(instant: datetime) -> str:
    """Print an instant as the CSV export of a form does: twelve hours, whole seconds, offset at the end."""
    half = "午前" if instant.hour < 12 else "午後"
    return f"{instant:%Y/%m/%d} {instant.hour % 12 or 12}:{instant:%M:%S} {half} GMT+9"


def print_linked_time(instant: datetime) -> str:
    """Print an instant as a linked spreadsheet tab does; a fraction is shown only where there is one."""
    fraction = f".{instant.microsecond // 1000:03d}" if instant.microsecond else ""
    return f"{instant:%Y/%m/%d} {instant.hour}:{instant:%M:%S}{fraction}"


def print_export_row(response_id: str, response: Response) -> tuple[str, ...]:
    """Return one row of a form's CSV export."""
    return _print_row(response_id, response, print_export_time)


def print_linked_row(response_id: str, response: Response) -> tuple[str, ...]:
    """Return one row of a linked spreadsheet tab."""
    return _print_row(response_id, response, print_linked_time)


def _print_row(
    response_id: str, response: Response, print_time: Callable[[datetime], str]
) -> tuple[str, ...]:
    return (
        print_time(response.sent),
        response.address,
        response_id,
        print_time(response.created),
        response.name,
        response.passphrase,
        *response.answers,
    )


def print_choice(day: str) -> str:
    """Print a day written `10-13` as the choice that the form offers."""
    month, number = day.split("-")
    return f"{int(month)}月{int(number)}日"


def order_responses(responses: list[Response], prefix: str) -> list[tuple[str, Response]]:
    """Give every response its id, in the order in which they first arrived (an edit keeps the place of its row)."""
    placed = sorted(responses, key=lambda response: (response.created, response.label))
    return [(f"{prefix}-{number:04d}", response) for number, response in enumerate(placed, start=1)]


def list_plants(plants: list[Plant], ids: dict[tuple[str, str], str]) -> list[tuple[str, ...]]:
    """Return the rows of the table of planted difficulties, each with the id that its response was given."""
    return [
        (
            str(number),
            plant.form,
            ids[plant.form, plant.label],
            plant.key,
            plant.kind,
            plant.status,
            plant.reason,
            plant.ruling,
            plant.preview,
            plant.preview_reason,
            plant.note,
        )
        for number, plant in enumerate(plants, start=1)
    ]
