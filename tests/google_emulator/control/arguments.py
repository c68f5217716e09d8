"""Arguments of control operations, and the error for those that cannot be used."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.world import File, World


class ControlError(Exception):
    """An operation that cannot be done; the text says what to send instead."""

    def __init__(self, text: str, code: int = 400) -> None:
        super().__init__(text)
        self.code = code


def required(body: dict[str, Any], name: str) -> Any:
    if name not in body:
        raise ControlError(f"{name} is missing")
    return body[name]


def the_file(world: World, body: dict[str, Any], name: str) -> File:
    file = world.files.get(str(required(body, name)))
    if file is None:
        raise ControlError(f"there is no file {body[name]}", 404)
    return file


def truth(value: Any) -> bool:
    return value is True or str(value).lower() in ("true", "1")
