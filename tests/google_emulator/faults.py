"""Trouble on order: which call goes wrong, how, and how often. Scripts are data; a call takes the first that fits."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tests.google_emulator.accounts import INFO, unauthenticated
from tests.google_emulator.errors import ApiError
from tests.google_emulator.messages import Answer, Request, as_json, html_page, refusal

KINDS = {
    "429": "too many requests, as Sheets and Forms say it; Drive answers 403 userRateLimitExceeded",
    "403": "Drive's form of too many requests: 403 with reason userRateLimitExceeded",
    "500": "an internal error, in JSON",
    "502": "an HTML page of the front end",
    "503": "the service is unavailable, in JSON",
    "status": "any `status` with `message`, or a whole `body`",
    "401": "the token has expired, for this call only",
    "expire": "every token of the calling account expires for good just before this call",
    "forbidden": "403 without changing anything",
    "revoke": "the calling account loses its share of the file just before this call",
    "protect": "the range `range` (a GridRange) is protected for the owner alone just before this call",
    "slow": "the answer comes after `seconds`; with `when` = before, so does the work",
    "drop-before": "the connection closes, nothing was done",
    "drop-after": "the work is done, then the connection closes without an answer",
    "late": "the connection closes at once; the work is done after `calls` (1) more calls for the same file",
    "cut": "the work is done, then the connection closes in the middle of the body",
    "change": "the control actions in `actions` happen just before this call (or `when` = after)",
}
PROJECT = "project_number:123456789012"


class FaultError(ValueError):
    """A script that cannot be understood."""


@dataclass
class Fault:
    """One script: after `skip` calls that fit, it strikes `times` times (0 = for ever)."""

    id: int
    kind: str
    match: dict[str, str] = field(default_factory=dict)
    skip: int = 0
    times: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    struck: int = 0

    @property
    def spent(self) -> bool:
        return bool(self.times) and self.struck >= self.times

    def fits(self, call: dict[str, str]) -> bool:
        return all(fnmatchcase(call.get(name, ""), pattern) for name, pattern in self.match.items())

    def shown(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "match": self.match,
            "skip": self.skip,
            "times": self.times,
            "struck": self.struck,
            **self.options,
        }


@dataclass
class Late:
    """Work that nobody waits for any more, to be done after so many more calls for its file."""

    calls: int
    file: str
    request: Request
    match: Any


@dataclass
class Faults:
    """All scripts of one server, in the order in which they were made."""

    scripts: list[Fault] = field(default_factory=list)
    made: int = 0

    def add(self, script: dict[str, Any]) -> Fault:
        """`{"kind", "match"?, "skip"?, "times"?, ...}`; `match` holds patterns for method, verb, path, api, file, caller."""
        script = dict(script)
        kind = str(script.pop("kind", ""))
        if kind not in KINDS:
            raise FaultError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
        match = script.pop("match", {})
        match = {"method": match} if isinstance(match, str) else match
        if not set(match) <= {"method", "verb", "path", "api", "file", "caller"}:
            raise FaultError(f"match knows method, verb, path, api, file and caller, not {', '.join(match)}")
        self.made += 1
        skip, times = int(script.pop("skip", 0)), int(script.pop("times", 1))
        self.scripts.append(Fault(self.made, kind, match, skip, times, script))
        return self.scripts[-1]

    def take(self, call: dict[str, str]) -> Fault | None:
        for fault in self.scripts:
            if fault.spent or not fault.fits(call):
                continue
            if fault.skip > 0:
                fault.skip -= 1
                continue
            fault.struck += 1
            return fault
        return None


def answer_of(fault: Fault, api: str, writes: bool) -> Answer | None:
    """The answer of a fault that needs no work done; None for all others."""
    kind, options = fault.kind, fault.options
    if kind in ("drop-before", "late"):
        return Answer(drop=True)
    if kind == "502":
        text = "The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds."
        return html_page(502, "Server Error", text)
    if kind == "status":
        return _any_status(options, api)
    error = {
        "429": lambda: rate_limit(api, writes),
        "403": lambda: drive_rate_limit(),
        "500": lambda: ApiError(500, "Internal error encountered.", reason="internalError"),
        "503": lambda: ApiError(503, "The service is currently unavailable.", reason="backendError"),
        "401": lambda: unauthenticated("ACCESS_TOKEN_EXPIRED"),
        "forbidden": lambda: ApiError(403, "The caller does not have permission"),
    }.get(kind)
    if error is None:
        return None
    answer = refusal(error(), "drive.v3" if kind == "403" else api)
    if "retryAfter" in options:
        answer.headers["Retry-After"] = str(options["retryAfter"])
    return answer


def _any_status(options: dict[str, Any], api: str) -> Answer:
    status = int(options.get("status", 500))
    if "body" in options:
        body = options["body"]
        if isinstance(body, str):
            return Answer(
                status, body.encode("utf-8"), options.get("contentType", "text/html; charset=UTF-8")
            )
        return Answer(status, as_json(body))
    return refusal(
        ApiError(status, str(options.get("message", "Request contains an invalid argument."))), api
    )


def rate_limit(api: str, writes: bool) -> ApiError:
    """Sheets and Forms: 429 with the words many users have reported; Drive: 403."""
    if api == "drive.v3":
        return drive_rate_limit()
    service = f"{api.split('.')[0]}.googleapis.com"
    kind = "Write" if writes else "Read"
    limit = f"{kind} requests per minute per user"
    text = (
        f"Quota exceeded for quota metric '{kind} requests' and limit '{limit}' of service '{service}' "
        f"for consumer '{PROJECT}'."
    )
    metadata = {
        "service": service,
        "quota_metric": f"{service}/{kind.lower()}_requests",
        "quota_limit": f"{kind}RequestsPerMinutePerUser",
        "quota_limit_value": "60",
        "quota_location": "global",
        "consumer": "projects/123456789012",
    }
    link = {
        "description": "Request a higher quota limit.",
        "url": "https://cloud.google.com/docs/quotas/help/request_increase",
    }
    details = [
        {"@type": INFO, "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com", "metadata": metadata},
        {"@type": "type.googleapis.com/google.rpc.Help", "links": [link]},
    ]
    return ApiError(429, text, details=details)


def drive_rate_limit() -> ApiError:
    text = "User Rate Limit Exceeded. Rate of requests for user exceed configured project quota."
    return ApiError(403, text, reason="userRateLimitExceeded", domain="usageLimits")
