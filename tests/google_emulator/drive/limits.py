"""Parameters and refusals in Drive's own words."""

from __future__ import annotations

from typing import Any

from tests.google_emulator.errors import ApiError


def number(params: dict[str, Any], name: str, default: int, low: int, high: int) -> int:
    """A whole number within limits, in Drive's own words where it is not."""
    text = params.get(name, "")
    if text == "":
        return default
    try:
        value = int(text)
    except ValueError:
        value = low - 1
    if not low <= value <= high:
        message = f"Invalid value '{text}'. Values must be within the range: [{low}, {high}]"
        raise ApiError(400, message, reason="invalidParameter", location=name)
    return value


def invalid_value(location: str) -> ApiError:
    return ApiError(400, "Invalid Value", reason="invalid", location=location)


def file_not_found(file_id: str) -> ApiError:
    return ApiError(404, f"File not found: {file_id}.", reason="notFound", location="fileId")


def insufficient(file_id: str) -> ApiError:
    text = f"The user does not have sufficient permissions for file {file_id}."
    return ApiError(403, text, reason="insufficientFilePermissions")


def not_writable(
    text: str = "The resource body includes fields which are not directly writable.",
) -> ApiError:
    return ApiError(403, text, reason="fieldNotWritable")


def is_true(params: dict[str, Any], name: str, default: bool = False) -> bool:
    return str(params.get(name, default)).lower() == "true"
