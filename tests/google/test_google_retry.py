"""What errors mean, which calls are sent again, how long is waited: without a socket, to the exact second."""

from __future__ import annotations

import json

import gspread
import pytest
import requests
from google.auth.exceptions import InvalidOperation, RefreshError, TransportError
from google_bench import StoppedClock
from googleapiclient.errors import HttpError
from httplib2 import Response

from connectors.base import SourceError
from connectors.google_retry import OutcomeUnknownError, Target, read_trouble

BOOK = Target("スプレッドシート", "B1", "robot@example.com", "鍵を作り直してください")
SECRET = "ないしょのことば"


def body(code, status="", reason="", detail=""):
    error = {"code": code, "message": f"Invalid value: {SECRET}", "status": status}
    if reason:
        error["errors"] = [{"message": SECRET, "domain": "usageLimits", "reason": reason}]
    if detail:
        error["details"] = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": detail}]
    return json.dumps({"error": error}).encode()


def by_api(code, content=b"", **headers):
    return HttpError(Response({"status": str(code), **headers}), content)


def by_gspread(code, content=b""):
    answer = requests.Response()
    answer.status_code, answer._content = code, content
    return gspread.exceptions.APIError(answer)


def bare_permission_error():
    made = PermissionError()
    made.__cause__ = by_gspread(403, body(403, "PERMISSION_DENIED"))
    return made


class Called:
    """Fails with each error in turn, then answers "done"."""

    def __init__(self, *errors):
        self.errors = list(errors)
        self.count = 0

    def __call__(self):
        self.count += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


PASSING = {
    "429": by_api(429),
    "gspread 429": by_gspread(429, body(429, "RESOURCE_EXHAUSTED")),
    "Drive's rate": by_api(403, body(403, reason="rateLimitExceeded")),
    "Drive's rate of a user": by_api(403, body(403, reason="userRateLimitExceeded")),
    "a rate by its detail": by_api(403, body(403, "PERMISSION_DENIED", detail="RATE_LIMIT_EXCEEDED")),
    "500": by_api(500),
    "a page of the front end": by_gspread(502, b"<html>"),
    "503": by_api(503, body(503, "UNAVAILABLE")),
    "a drop": requests.exceptions.ConnectionError(SECRET),
    "half a body": requests.exceptions.ChunkedEncodingError(SECRET),
    "a timeout": requests.exceptions.ReadTimeout(SECRET),
    "the token's way": TransportError(SECRET),
    "the token's server": RefreshError(SECRET, {"error": "internal_failure"}, retryable=True),
}
LASTING = {
    "400": (by_api(400, body(400, "INVALID_ARGUMENT")), "要求を受け付けません"),
    "401": (by_api(401, body(401, "UNAUTHENTICATED")), "認証が通りません。鍵を作り直してください"),
    "a dead grant": (
        RefreshError(SECRET, {"error": "invalid_grant", "error_description": SECRET}),
        "invalid_grant",
    ),
    "no way to renew": (InvalidOperation(SECRET), "認証が通りません"),
    "403": (by_api(403, body(403, "PERMISSION_DENIED")), "robot@example.com に権限がありません"),
    "a bare refusal of gspread": (bare_permission_error(), "robot@example.com に権限がありません"),
    "an API switched off": (
        by_api(403, body(403, "PERMISSION_DENIED", detail="SERVICE_DISABLED")),
        "有効にして",
    ),
    "scopes": (by_api(403, body(403, detail="ACCESS_TOKEN_SCOPE_INSUFFICIENT")), "許された範囲が足りません"),
    "no storage": (by_api(403, body(403, reason="storageQuotaExceeded")), "ファイルを持てません"),
    "a day's limit": (by_api(403, body(403, reason="dailyLimitExceeded")), "権限がありません"),
    "404": (by_gspread(404, body(404, "NOT_FOUND")), "見つかりません。設定の ID"),
}


@pytest.fixture
def clock():
    return StoppedClock()


@pytest.mark.parametrize("error", PASSING.values(), ids=PASSING)
def test_passing_trouble_is_tried_again(clock, error):
    called = Called(error, error)
    assert clock.patience().call(called, BOOK) == "done"
    assert (called.count, len(clock.waits)) == (3, 2)


@pytest.mark.parametrize(("error", "words"), LASTING.values(), ids=LASTING)
def test_lasting_trouble_is_one_line_at_once_and_repeats_nothing(clock, error, words):
    called = Called(error)
    with pytest.raises(SourceError) as caught:
        clock.patience().call(called, BOOK)
    said = str(caught.value)
    assert (called.count, clock.waits) == (1, [])
    assert said.startswith("スプレッドシート（ID B1）: ")
    assert words in said
    assert SECRET not in said
    assert "\n" not in said


@pytest.mark.parametrize(
    ("error", "sent"),
    [
        (RefreshError(SECRET, {"error": "invalid_grant"}), 0),
        (by_api(401, body(401, "UNAUTHENTICATED")), 1),
        (by_api(403, body(403, "PERMISSION_DENIED")), 1),
    ],
)
def test_a_login_that_is_dead_is_not_tried_for_the_next_file(clock, error, sent):
    patience, after = clock.patience(), Called()
    with pytest.raises(SourceError) as first:
        patience.call(Called(error), BOOK)
    if sent:
        assert patience.call(after, BOOK._replace(what="フォーム")) == "done"
    else:
        with pytest.raises(SourceError) as caught:
            patience.call(after, BOOK._replace(what="フォーム"))
        assert str(caught.value) == str(first.value).replace("スプレッドシート", "フォーム")
    assert after.count == sent


def test_our_own_errors_are_nobody_elses(clock):
    with pytest.raises(ZeroDivisionError):
        clock.patience().call(Called(ZeroDivisionError()), BOOK)
    assert read_trouble(ZeroDivisionError()) is None
    assert read_trouble(PermissionError()) is None


def test_waits_double_with_jitter_up_to_their_limit(clock):
    with pytest.raises(SourceError):
        clock.patience(first=1, longest=8, total=60).call(Called(*[by_api(503)] * 99), BOOK)
    limits = [1, 2, 4, *[8] * len(clock.waits)]
    assert all(limit / 10 <= wait <= limit for wait, limit in zip(clock.waits, limits, strict=False))
    assert sum(clock.waits) <= 60


def test_no_wait_begins_that_would_outlast_the_time_left(clock):
    called = Called(*[by_api(429)] * 9)
    with pytest.raises(SourceError, match=r"断られました"):
        clock.patience(total=9.9).call(called, BOOK)
    assert (called.count, clock.waits) == (1, [])


def test_a_wait_told_by_date_is_measured_by_the_servers_clock(clock):
    told = {"retry-after": "Mon, 12 Oct 2026 14:59:42 GMT", "date": "Mon, 12 Oct 2026 14:59:00 GMT"}
    clock.patience().call(Called(by_api(503, **told)), BOOK)
    assert 42 <= clock.waits[0] <= 43


@pytest.mark.parametrize("told", ["soon", "-1", "1e9", ""])
def test_a_wait_that_cannot_be_read_is_ours_to_choose(clock, told):
    clock.patience().call(Called(by_api(503, **{"retry-after": told})), BOOK)
    assert clock.waits[0] <= 1


@pytest.mark.parametrize(
    "name", ["500", "503", "a drop", "a timeout", "half a body", "a page of the front end"]
)
def test_what_may_have_been_done_is_not_sent_again_where_that_would_do_it_twice(clock, name):
    called = Called(PASSING[name])
    with pytest.raises(OutcomeUnknownError):
        clock.patience().call(called, BOOK, repeatable=False)
    assert (called.count, clock.waits) == (1, [])


@pytest.mark.parametrize("name", ["429", "Drive's rate", "the token's server"])
def test_what_was_surely_not_done_is_sent_again_even_so(clock, name):
    assert clock.patience().call(Called(PASSING[name]), BOOK, repeatable=False) == "done"


def test_calls_without_trouble_use_up_nothing(clock):
    patience = clock.patience()

    def slow():
        clock.now += 100
        return "done"

    assert [patience.call(slow, BOOK) for _ in range(5)] == ["done"] * 5
    assert patience.lost == 0
