"""What a refusal of Google means, whether to ask again, and when to stop asking.

Promises: a passing trouble is tried again, with growing, jittered waits, in step with quotas that refill each minute,
until the time set aside for trouble is spent; a lasting one ends at once, in one line that says what, which account
and what to do. Refuses to know: what is asked for, and any word of what was sent or answered: no message repeats
text of a request or an answer, for both may hold what players wrote.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, TypeVar

import google.auth.exceptions
import requests
import tenacity
from googleapiclient.errors import HttpError
from gspread.exceptions import GSpreadException

from connectors.base import SourceError

T = TypeVar("T")


class NoAnswerError(Exception):
    """Something came back with code 200 that is not what the API answers with: a page of the front end, say."""


_RATE_REASONS = {"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "RESOURCE_EXHAUSTED"}
_CLIENT_REASONS = {"invalid_client", "deleted_client", "unauthorized_client"}
_PROTECTED = "protectedCell"
"""Our own word: Google says it only in a sentence."""

_PASSING_TRANSPORT = (
    requests.exceptions.ConnectionError,
    requests.exceptions.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
    google.auth.exceptions.TransportError,
    NoAnswerError,
    json.JSONDecodeError,
    UnicodeDecodeError,
    ConnectionError,
    TimeoutError,
)


class Target(NamedTuple):
    """What a call is about, for messages: its name for the operator, its id at Google, who asks, and the remedy
    where that login itself is dead."""

    what: str
    file_id: str
    account: str
    login_fix: str


class Trouble(NamedTuple):
    """What went wrong. `status` 0 is a transport that failed, or an answer that is none; `unknown` means that the
    work may have been done all the same."""

    status: int
    reasons: frozenset[str]
    passing: bool
    limited: bool
    unknown: bool
    retry_after: float | None


class OutcomeUnknownError(SourceError):
    """A call that must not be sent twice met a trouble that hides whether it was done: read again before resending."""


@dataclass
class Patience:
    """How the calls of one run wait. `total` is what all of them together may lose to trouble, in seconds."""

    total: float = 240.0
    first: float = 1.0
    longest: float = 32.0
    sleep: Callable[[float], None] = time.sleep
    monotonic: Callable[[], float] = time.monotonic
    epoch: Callable[[], float] = time.time
    lost: float = 0.0
    dead: Trouble | None = None
    """Why the login itself was refused for good: it is not tried again for every file."""

    def call(self, send: Callable[[], T], target: Target, repeatable: bool = True) -> T:
        """What `send` returns at last; SourceError where it is refused for good or time is up.

        A call that is not `repeatable` is sent again only where the answer proves that nothing was done.
        """
        if self.dead is not None:
            raise SourceError(explain(self.dead, target))
        start = self.monotonic()
        troubles: list[Trouble] = []

        def again(state: tenacity.RetryCallState) -> bool:
            error = state.outcome.exception() if state.outcome else None
            trouble = read_trouble(error) if error is not None else None
            if trouble is None:
                return False
            troubles.append(trouble)
            return trouble.passing and (repeatable or not trouble.unknown)

        def stop(state: tenacity.RetryCallState) -> bool:
            return self.lost + self.monotonic() - start + state.upcoming_sleep > self.total

        policy = tenacity.Retrying(
            retry=again,
            wait=lambda state: self._wait(troubles[-1], state.attempt_number),
            stop=stop,
            sleep=self.sleep,
            reraise=True,
        )
        try:
            return policy(send)
        except Exception as error:
            if not troubles or read_trouble(error) is None:
                raise
            self._remember(error, troubles[-1])
        finally:
            if troubles:
                self.lost += self.monotonic() - start
        if troubles[-1].unknown and not repeatable:
            raise OutcomeUnknownError(explain(troubles[-1], target))
        raise SourceError(explain(troubles[-1], target))

    def _remember(self, error: Exception, trouble: Trouble) -> None:
        if isinstance(error, google.auth.exceptions.RefreshError) and not trouble.passing:
            self.dead = trouble

    def _wait(self, trouble: Trouble, attempt: int) -> float:
        """Full jitter up to a doubling limit; after a refused rate at least until the minute is over."""
        limit = min(self.longest, self.first * 2.0 ** min(attempt - 1, 16))
        jitter = random.uniform(0.1, 1.0) * limit
        if trouble.retry_after is not None:
            return trouble.retry_after + random.uniform(0.0, 1.0)
        if trouble.limited:
            return 60.0 - self.epoch() % 60.0 + jitter
        return jitter


def read_trouble(error: BaseException) -> Trouble | None:
    """What an exception of the client libraries means; None for one that is not theirs."""
    if isinstance(error, HttpError):
        headers = {str(name).lower(): str(value) for name, value in error.resp.items()}
        return _from_answer(int(error.resp.status), headers, error.content)
    answer = _answer_of(error)
    if answer is not None:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return _from_answer(answer.status_code, headers, answer.content)
    if isinstance(error, _PASSING_TRANSPORT):
        return Trouble(0, frozenset(), True, False, True, None)
    if isinstance(error, google.auth.exceptions.RefreshError):
        passing = bool(error.retryable)
        return Trouble(0 if passing else 401, _refresh_reasons(error), passing, False, False, None)
    if isinstance(error, google.auth.exceptions.GoogleAuthError):
        return Trouble(401, frozenset(), False, False, False, None)
    if isinstance(error, requests.exceptions.RequestException | GSpreadException):
        return Trouble(0, frozenset(), False, False, True, None)
    return None


def _answer_of(error: BaseException) -> requests.Response | None:
    """The answer behind an error of gspread, which tells a 403 by a bare PermissionError."""
    for each in (error, error.__cause__):
        held = getattr(each, "response", None)
        if isinstance(held, requests.Response) and isinstance(each, GSpreadException):
            return held
    return None


def _from_answer(status: int, headers: dict[str, str], content: bytes) -> Trouble:
    reasons = _read_reasons(content)
    if status in (400, 403) and b"protected cell" in content:
        reasons |= {_PROTECTED}
    limited = status == 429 or (status == 403 and bool(reasons & _RATE_REASONS))
    broken = status >= 500 or status == 408
    wait = _read_retry_after(headers) if limited or broken else None
    return Trouble(status, reasons, limited or broken, limited, broken, wait)


def _read_reasons(content: bytes) -> frozenset[str]:
    """The words by which Google classifies an error; nothing else of the body is ever looked at."""
    try:
        error = json.loads(content)["error"]
    except (ValueError, KeyError, TypeError):
        return frozenset()
    if not isinstance(error, dict):
        return frozenset()
    listed: list[Any] = [*(error.get("errors") or ()), *(error.get("details") or ())]
    words = [error.get("status"), *(each.get("reason") for each in listed if isinstance(each, dict))]
    return frozenset(word for word in words if isinstance(word, str) and re.fullmatch(r"\w{1,60}", word))


def _refresh_reasons(error: google.auth.exceptions.RefreshError) -> frozenset[str]:
    details = error.args[1] if len(error.args) > 1 else None
    word = details.get("error") if isinstance(details, dict) else None
    return frozenset([word]) if isinstance(word, str) and re.fullmatch(r"\w{1,60}", word) else frozenset()


def _read_retry_after(headers: dict[str, str]) -> float | None:
    """Seconds, given as such or as a date that is compared with the server's own clock."""
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,6}", text):
        return float(text)
    try:
        until, now = parsedate_to_datetime(text), parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (ValueError, KeyError, TypeError):
        return None


def explain(trouble: Trouble, target: Target) -> str:
    """One line: what, where, what to do; the same line for the same trouble, however long it was waited for."""
    reasons = "、".join(sorted(trouble.reasons))
    code = f"HTTP {trouble.status}" if trouble.status else "接続の失敗"
    told = f"{code}、{reasons}" if reasons else code
    where = f"{target.what}（ID {target.file_id}）" if target.file_id else target.what
    return f"{where}: {_explain(trouble, target)}（{told}）"


def _explain(trouble: Trouble, target: Target) -> str:
    status, reasons = trouble.status, trouble.reasons
    if trouble.limited:
        return "Google の回数の上限に達し、断られました。次の実行でやり直します"
    if trouble.passing:
        return "Google が応じませんでした。次の実行でやり直します。続くなら接続を確かめてください"
    if reasons & _CLIENT_REASONS:
        return (
            f"{target.account} のサインインに使った OAuth クライアントが消されたか、作り直されています。"
            f"Cloud コンソールで確かめ、クライアントのファイルを置き直し、{target.login_fix}"
        )
    if "invalid_scope" in reasons:
        return f"{target.account} に許された範囲が足りません。{target.login_fix}"
    if status == 401:
        return f"{target.account} の認証が通りません。{target.login_fix}"
    if _PROTECTED in reasons:
        return (
            "保護された範囲があって書けません。「データ」の「シートと範囲を保護」で、"
            f"{target.account} に編集を許可するか、保護を外してください"
        )
    if status == 403 and reasons & {"SERVICE_DISABLED", "accessNotConfigured"}:
        return "Google Cloud のプロジェクトでこの API が有効になっていません。Cloud コンソールで有効にしてください"
    if status == 403 and reasons & {"ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"}:
        return f"{target.account} に許された範囲が足りません。{target.login_fix}"
    if status == 403 and "storageQuotaExceeded" in reasons:
        return f"{target.account} はファイルを持てません。人が作ったファイルを共有してください"
    if status == 403:
        return f"{target.account} に権限がありません。ファイルの共有で、編集者として加えてください"
    if status == 404:
        return f"見つかりません。設定の ID を確かめ、{target.account} を編集者として共有に加えてください"
    return "Google が要求を受け付けません。設定の ID と saitei の版を確かめてください"
