"""Sheets v4: not written yet. Every method answers 501 until this package takes over."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import not_implemented
from tests.google_emulator.world import Caller, World


def handle(
    method_id: str, params: dict[str, Any], body: dict[str, Any] | None, caller: Caller, world: World
) -> dict[str, Any]:
    raise not_implemented(method_id)
