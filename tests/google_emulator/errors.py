"""What the services say when they refuse: one exception, and the usual refusals ready-made.

The exception carries everything both error bodies need: Sheets and Forms answer with `status` and `details`,
Drive with `errors` and a reason. Who turns it into bytes decides which of the two to write.
"""

from __future__ import annotations

from typing import Any

STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    409: "ABORTED",
    412: "FAILED_PRECONDITION",
    413: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    501: "UNIMPLEMENTED",
    502: "UNAVAILABLE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
BAD_REQUEST = "type.googleapis.com/google.rpc.BadRequest"


class ApiError(Exception):
    """A refusal. `reason`, `location`, `location_type` and `domain` only show in Drive's form of the body."""

    def __init__(
        self,
        code: int,
        message: str,
        status: str | None = None,
        details: list[dict[str, Any]] | None = None,
        *,
        reason: str | None = None,
        location: str | None = None,
        location_type: str | None = None,
        domain: str = "global",
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status or STATUS.get(code, "UNKNOWN")
        self.details = details or []
        self.reason = reason
        self.location = location
        self.location_type = location_type
        self.domain = domain

    def body(self) -> dict[str, Any]:
        """The form of Sheets and Forms."""
        error: dict[str, Any] = {"code": self.code, "message": self.message, "status": self.status}
        if self.details:
            error["details"] = self.details
        return {"error": error}

    def drive_body(self) -> dict[str, Any]:
        """The older form, which Drive still uses."""
        entry = {
            "message": self.message,
            "domain": self.domain,
            "reason": self.reason or DRIVE_REASON.get(self.code, "backendError"),
        }
        if self.location:
            entry["location"] = self.location
            entry["locationType"] = self.location_type or "parameter"
        error: dict[str, Any] = {"code": self.code, "message": self.message, "errors": [entry]}
        if self.details:
            error["status"] = self.status
            error["details"] = self.details
        return {"error": error}


DRIVE_REASON = {
    400: "invalid",
    401: "authError",
    403: "forbidden",
    404: "notFound",
    429: "rateLimitExceeded",
    501: "notImplemented",
}


def invalid(message: str) -> ApiError:
    """400 INVALID_ARGUMENT with a message and nothing else."""
    return ApiError(400, message)


def field_violations(*violations: tuple[str, str]) -> ApiError:
    """400 with `details[0].fieldViolations`, as the JSON parser in front of both services words it.

    Each violation is (path of the field, description); a path of "" is the root of the message and is left out.
    """
    entries = [
        {"field": field, "description": text} if field else {"description": text}
        for field, text in violations
    ]
    message = "\n".join(text for _, text in violations)
    return ApiError(400, message, details=[{"@type": BAD_REQUEST, "fieldViolations": entries}])


def not_found() -> ApiError:
    return ApiError(404, "Requested entity was not found.")


def forbidden() -> ApiError:
    return ApiError(403, "The caller does not have permission")


def no_storage() -> ApiError:
    """What service accounts made since 2025 hear when they want to own a file."""
    text = (
        "Service Accounts do not have storage quota. Leverage shared drives "
        "(https://developers.google.com/workspace/drive/api/guides/about-shareddrives), or use OAuth delegation "
        "(http://support.google.com/a/answer/2781329) instead."
    )
    return ApiError(403, text, reason="storageQuotaExceeded", domain="usageLimits")


def not_implemented(what: str) -> ApiError:
    return ApiError(501, f"The emulator does not implement {what}.")
