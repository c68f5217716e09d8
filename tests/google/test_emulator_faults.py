"""Trouble on order, as the unmodified clients meet it."""

from __future__ import annotations

import threading
import time

import pytest
import requests
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest

from tests.google_emulator.control.arguments import ControlError
from tests.google_emulator.faults import FaultError


@pytest.fixture
def form(forms):
    return forms.create(body={"info": {"title": "T"}}).execute()["formId"]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    """google-api-python-client sleeps between attempts by this function of each request."""
    whole = HttpRequest.__init__

    def made(self, *arguments, **named):
        whole(self, *arguments, **named)
        self._sleep = lambda seconds: None

    monkeypatch.setattr(HttpRequest, "__init__", made)


def add(index=0):
    item = {"title": "Q", "questionItem": {"question": {"textQuestion": {}}}}
    return {"requests": [{"createItem": {"item": item, "location": {"index": index}}}]}


def items(forms, form):
    return len(forms.get(formId=form).execute().get("items", []))


def calls(emulator, method):
    return [each["status"] for each in emulator.control("log")["calls"] if each["method"] == method]


def test_too_many_requests_of_forms(emulator, forms, form):
    emulator.control("fault", kind="429", match={"method": "forms.forms.get"})
    with pytest.raises(HttpError) as caught:
        forms.get(formId=form).execute()
    assert caught.value.status_code == 429
    assert caught.value.reason.startswith(
        "Quota exceeded for quota metric 'Read requests' and limit 'Read requests per minute per user' of service "
        "'forms.googleapis.com' for consumer 'project_number:"
    )
    assert caught.value.error_details[0]["reason"] == "RATE_LIMIT_EXCEEDED"
    assert forms.get(formId=form).execute()["formId"] == form


def test_too_many_requests_of_drive_are_a_403_that_the_client_retries(emulator, drive):
    emulator.control("fault", kind="429", match={"api": "drive.v3"}, times=2, retryAfter=30)
    assert drive.files().list().execute(num_retries=2)["files"] == []
    assert calls(emulator, "drive.files.list") == [403, 403, 200]
    emulator.control("fault", kind="403")
    with pytest.raises(HttpError) as caught:
        drive.files().list().execute()
    assert caught.value.error_details[0]["reason"] == "userRateLimitExceeded"
    assert caught.value.error_details[0]["domain"] == "usageLimits"


@pytest.mark.parametrize("kind", ["429", "500", "502", "503"])
def test_what_may_pass_is_retried_by_the_client(emulator, forms, form, kind):
    emulator.control("fault", kind=kind, match="forms.forms.get", times=2)
    assert forms.get(formId=form).execute(num_retries=2)["formId"] == form
    assert calls(emulator, "forms.forms.get") == [int(kind), int(kind), 200]


def test_a_502_is_a_page_and_not_json(emulator, http, form):
    emulator.control("fault", kind="502")
    answer = http("GET", f"/v1/forms/{form}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (502, "text/html; charset=UTF-8")
    assert answer.text.startswith("<!DOCTYPE html>")


def test_retry_after_is_a_header(emulator, http, form):
    emulator.control("fault", kind="429", retryAfter=7)
    assert http("GET", f"/v1/forms/{form}").headers["Retry-After"] == "7"


def test_any_other_answer_can_be_written_out(emulator, http, form):
    emulator.control("fault", kind="status", status=409, message="The operation was aborted.")
    assert http("GET", f"/v1/forms/{form}").json()["error"] == {
        "code": 409,
        "message": "The operation was aborted.",
        "status": "ABORTED",
    }
    emulator.control("fault", kind="status", status=200, body="<html>")
    assert http("GET", f"/v1/forms/{form}").text == "<html>"


def test_a_connection_dropped_before_the_work_leaves_nothing(emulator, http, forms, form):
    emulator.control("fault", kind="drop-before", match={"method": "*.batchUpdate"})
    with pytest.raises(requests.ConnectionError):
        http("POST", f"/v1/forms/{form}:batchUpdate", json=add())
    assert items(forms, form) == 0
    assert calls(emulator, "forms.forms.batchUpdate") == [0]


@pytest.mark.parametrize("kind", ["drop-after", "cut"])
def test_a_connection_dropped_after_the_work_leaves_the_work(emulator, http, forms, form, kind):
    emulator.control("fault", kind=kind, match={"verb": "POST"})
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        http("POST", f"/v1/forms/{form}:batchUpdate", json=add())
    assert items(forms, form) == 1


def test_httplib2_sends_a_post_again_when_the_connection_drops(emulator, forms, form):
    emulator.control("fault", kind="drop-after", match="forms.forms.batchUpdate")
    forms.batchUpdate(formId=form, body=add()).execute()
    assert items(forms, form) == 2


def test_a_slow_answer_comes_late_and_the_work_is_done(emulator, form):
    emulator.control("fault", kind="slow", seconds=0.6, when="after", match="forms.forms.batchUpdate")
    with pytest.raises(requests.Timeout):
        requests.post(f"{emulator.base}/v1/forms/{form}:batchUpdate", json=add(), timeout=0.2)
    assert len(emulator.world.files[form].data.items) == 1


def test_a_slow_call_holds_nobody_else_up(emulator, http, form):
    emulator.control("fault", kind="slow", seconds=1.5, match={"path": "/v1/forms/slow"})
    waiting = threading.Thread(target=lambda: requests.get(f"{emulator.base}/v1/forms/slow", timeout=5))
    waiting.start()
    begun = time.monotonic()
    assert http("GET", f"/v1/forms/{form}").status_code == 200
    assert time.monotonic() - begun < 1
    waiting.join()


def test_an_expired_token_for_one_call(emulator, http, form):
    emulator.control("fault", kind="401")
    assert http("GET", f"/v1/forms/{form}").json()["error"]["status"] == "UNAUTHENTICATED"
    assert http("GET", f"/v1/forms/{form}").status_code == 200


def test_tokens_expire_for_good_in_the_middle(emulator, http, form):
    token = emulator.control("token")["access_token"]
    emulator.control("fault", kind="expire", skip=1)
    head = {"Authorization": f"Bearer {token}"}
    assert [http("GET", f"/v1/forms/{form}", headers=head).status_code for _ in range(3)] == [200, 401, 401]


def test_a_share_revoked_in_the_middle_stays_revoked(emulator, http, form):
    emulator.control("share", fileId=form, email="robot@example.com")
    token = emulator.control("token", email="robot@example.com")["access_token"]
    head = {"Authorization": f"Bearer {token}"}
    emulator.control("fault", kind="revoke", match={"caller": "robot@example.com"}, skip=1)
    statuses = [http("GET", f"/v1/forms/{form}", headers=head).status_code for _ in range(3)]
    assert statuses == [200, 403, 403]
    assert http("GET", f"/drive/v3/files/{form}", headers=head).status_code == 404


def test_something_changes_between_two_calls(emulator, forms, form):
    forms.batchUpdate(formId=form, body=add()).execute()
    emulator.control("form", formId=form, published=True, accepting=True)
    submit = {"do": "submit", "formId": form, "answers": {"Q": "late"}}
    emulator.control(
        "fault", kind="change", match="forms.forms.responses.list", when="after", actions=[submit]
    )
    assert forms.responses().list(formId=form).execute() == {}
    assert len(forms.responses().list(formId=form).execute()["responses"]) == 1
    gone = {"do": "delete-all", "formId": form}
    emulator.control("fault", kind="change", match="forms.forms.responses.list", actions=[gone])
    assert forms.responses().list(formId=form).execute() == {}


def test_scripts_strike_in_order_as_often_as_told(emulator, http, form):
    emulator.control("fault", kind="500", match={"verb": "GET"}, skip=1, times=2)
    emulator.control("fault", kind="503", match={"verb": "GET"}, skip=1)
    statuses = [http("GET", f"/v1/forms/{form}").status_code for _ in range(5)]
    assert statuses == [200, 500, 500, 503, 200]
    assert [each["struck"] for each in emulator.control("faults")["faults"]] == [2, 1]
    emulator.control("fault", kind="500", times=0)
    assert {http("GET", f"/v1/forms/{form}").status_code for _ in range(4)} == {500}
    emulator.control("faults/clear")
    assert http("GET", f"/v1/forms/{form}").status_code == 200


def test_a_script_that_means_nothing_is_refused(emulator, http):
    with pytest.raises(FaultError, match="kind must be one of"):
        emulator.control("fault", kind="boom")
    with pytest.raises(FaultError, match="match knows"):
        emulator.control("fault", kind="500", match={"foo": "x"})
    assert http("POST", "/__control__/fault", json={"kind": "boom"}).status_code == 400
    with pytest.raises(ControlError, match="no operation"):
        emulator.control("boom")


def test_late_work_is_done_after_the_answer_to_a_later_call(emulator, forms, form):
    emulator.control("fault", kind="late", match={"method": "forms.forms.batchUpdate"}, calls=2)
    with pytest.raises(requests.ConnectionError):
        requests.post(f"{emulator.base}/v1/forms/{form}:batchUpdate", json=add(), timeout=10)
    assert [items(forms, form) for _ in range(3)] == [0, 0, 1]


def test_asking_for_a_token_fails_too(emulator):
    emulator.control("fault", kind="503", match={"api": "oauth"})
    answers = [requests.post(f"{emulator.base}/token", timeout=10).status_code for _ in range(2)]
    assert answers == [503, 400]
    assert calls(emulator, "oauth") == [503, 400]
