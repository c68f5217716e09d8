"""Tokens: a service account's whole flow over sockets, refresh tokens, what is refused and in which words."""

from __future__ import annotations

import time

import jwt_by_hand
import pytest
import requests
from google.auth.exceptions import RefreshError
from google.auth.transport.requests import Request
from google.oauth2 import credentials as user_credentials
from google.oauth2 import service_account
from google_bench import ROBOT
from googleapiclient.errors import HttpError

from tests.google_emulator.clients import service

SCOPES = ["https://www.googleapis.com/auth/forms.body", "https://www.googleapis.com/auth/drive"]
AUDIENCE = "https://oauth2.googleapis.com/token"


@pytest.fixture
def robot(key):
    return service_account.Credentials.from_service_account_info(key, scopes=SCOPES)


@pytest.fixture
def shared(emulator, forms):
    """A form of the owner's, shared with the service account."""
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    emulator.control("share", fileId=made, email=ROBOT, role="writer")
    return made


def asked(emulator, **form):
    answer = requests.post(f"{emulator.base}/token", data=form, timeout=5)
    return answer.status_code, answer.json()


def claimed(emulator, key, signed_with=None, **claims):
    now = int(time.time())
    whole = {"iss": ROBOT, "aud": AUDIENCE, "iat": now, "exp": now + 3600, "scope": SCOPES[0], **claims}
    assertion = jwt_by_hand.sign(whole, signed_with or key["private_key"], key["private_key_id"])
    return asked(emulator, grant_type="urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=assertion)


def test_a_service_account_gets_a_token_and_is_known_by_it(emulator, robot, shared):
    with service("drive", emulator.base, robot) as drive:
        assert drive.about().get(fields="user(emailAddress)").execute() == {"user": {"emailAddress": ROBOT}}
        assert [each["id"] for each in drive.files().list().execute()["files"]] == [shared]
    assert robot.valid
    methods = [call["method"] for call in emulator.control("log")["calls"]]
    assert methods.count("oauth") == 1


def test_what_is_not_shared_is_forbidden_in_forms_and_hidden_in_drive(emulator, robot, forms):
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    with service("forms", emulator.base, robot) as client, pytest.raises(HttpError) as caught:
        client.forms().get(formId=made).execute()
    assert (caught.value.status_code, caught.value.reason) == (403, "The caller does not have permission")
    with service("drive", emulator.base, robot) as client, pytest.raises(HttpError) as caught:
        client.files().get(fileId=made).execute()
    assert caught.value.status_code == 404


def test_a_reader_reads_the_form_but_neither_writes_nor_sees_responses(emulator, robot, shared):
    emulator.control("share", fileId=shared, email=ROBOT, role="reader")
    with service("forms", emulator.base, robot) as client:
        assert client.forms().get(formId=shared).execute()["info"]["title"] == "T"
        for request in (
            client.forms().responses().list(formId=shared),
            client.forms().batchUpdate(formId=shared, body={"requests": [{"updateFormInfo": {}}]}),
        ):
            with pytest.raises(HttpError) as caught:
                request.execute()
            assert caught.value.status_code == 403


def test_an_expired_token_is_renewed_by_the_client_itself(emulator, robot, shared):
    with service("forms", emulator.base, robot) as client:
        client.forms().get(formId=shared).execute()
        assert emulator.control("expire", email=ROBOT) == {"expired": 1}
        client.forms().get(formId=shared).execute()
    statuses = [(call["method"], call["status"]) for call in emulator.control("log")["calls"]]
    assert statuses[-3:] == [("forms.forms.get", 401), ("oauth", 200), ("forms.forms.get", 200)]


def test_a_token_lives_for_an_hour(emulator, robot, shared):
    robot.refresh(Request())
    emulator.control("clock", advance=3600)
    answer = requests.get(
        f"{emulator.base}/v1/forms/{shared}", headers={"Authorization": f"Bearer {robot.token}"}, timeout=5
    )
    assert answer.status_code == 401
    assert answer.json()["error"]["status"] == "UNAUTHENTICATED"
    assert answer.json()["error"]["details"][0]["reason"] == "ACCESS_TOKEN_EXPIRED"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("claims", "error", "text"),
    [
        ({"aud": "https://example.com/token"}, "invalid_grant", "Invalid JWT: Failed audience check."),
        (
            {"iat": 1, "exp": 3601},
            "invalid_grant",
            "Invalid JWT: Token must be a short-lived token (60 minutes)",
        ),
        (
            {"exp": int(time.time()) + 90_000},
            "invalid_grant",
            "Invalid JWT: Token must be a short-lived token",
        ),
        ({"scope": ""}, "invalid_scope", "Invalid OAuth scope or ID token audience provided."),
        ({"iss": "stranger@example.com"}, "invalid_grant", "Invalid grant: account not found"),
    ],
)
def test_claims_that_do_not_hold_are_refused(emulator, key, claims, error, text):
    status, body = claimed(emulator, key, **claims)
    assert (status, body["error"]) == (400, error)
    assert body["error_description"].startswith(text)


def test_sound_claims_are_granted(emulator, key):
    status, body = claimed(emulator, key)
    assert (status, body["token_type"], body["expires_in"]) == (200, "Bearer", 3599)


def test_a_key_that_is_not_the_accounts_is_refused_for_good(emulator, key):
    other = jwt_by_hand.new_key()
    assert claimed(emulator, key, signed_with=other) == (
        400,
        {"error": "invalid_grant", "error_description": "Invalid JWT Signature."},
    )
    wrong = service_account.Credentials.from_service_account_info(
        {**key, "private_key": other}, scopes=SCOPES
    )
    with pytest.raises(RefreshError, match="Invalid JWT Signature"):
        wrong.refresh(Request())


def test_a_key_made_elsewhere_can_be_registered(emulator, shared):
    own = jwt_by_hand.new_key()
    made = emulator.control("service-account", email=ROBOT, publicKey=jwt_by_hand.public(own))
    info = {
        "client_email": ROBOT,
        "private_key": own,
        "private_key_id": made["keyId"],
        "token_uri": made["token_uri"],
    }
    robot = service_account.Credentials.from_service_account_info(info, scopes=SCOPES)
    with service("forms", emulator.base, robot) as client:
        assert client.forms().get(formId=shared).execute()["formId"] == shared


def test_as_long_as_no_account_is_known_any_key_will_do(emulator, forms):
    made = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    emulator.control("share", fileId=made, email="own@example.com")
    info = {
        "client_email": "own@example.com",
        "private_key": jwt_by_hand.new_key(),
        "token_uri": f"{emulator.base}/token",
    }
    robot = service_account.Credentials.from_service_account_info(info, scopes=SCOPES)
    with service("forms", emulator.base, robot) as client:
        assert client.forms().get(formId=made).execute()["formId"] == made


def test_a_token_signed_by_the_account_itself_needs_no_fetching(emulator, robot, shared):
    with service("forms", emulator.base, robot.with_always_use_jwt_access(True)) as client:
        assert client.forms().get(formId=shared).execute()["formId"] == shared
    assert "oauth" not in [call["method"] for call in emulator.control("log")["calls"]]


def test_scopes_open_what_they_open_and_no_more(emulator, key, shared):
    scope = "https://www.googleapis.com/auth/drive.readonly"
    robot = service_account.Credentials.from_service_account_info(key, scopes=[scope])
    with service("forms", emulator.base, robot) as client:
        client.forms().get(formId=shared).execute()
        with pytest.raises(HttpError) as caught:
            client.forms().responses().list(formId=shared).execute()
    assert (caught.value.status_code, caught.value.reason) == (
        403,
        "Request had insufficient authentication scopes.",
    )
    assert caught.value.error_details[0]["reason"] == "ACCESS_TOKEN_SCOPE_INSUFFICIENT"


def test_a_refresh_token_works_until_it_is_revoked(emulator, shared):
    made = emulator.control("refresh-token", email="owner@example.com", clientId="c", clientSecret="s")
    human = user_credentials.Credentials(
        None,
        refresh_token=made["refresh_token"],
        token_uri=made["token_uri"],
        client_id="c",
        client_secret="s",
    )
    with service("forms", emulator.base, human) as client:
        assert client.forms().get(formId=shared).execute()["formId"] == shared
    emulator.control("revoke-grant", refreshToken=made["refresh_token"])
    with pytest.raises(RefreshError, match=r"invalid_grant: Token has been expired or revoked\."):
        human.refresh(Request())


def test_what_the_token_endpoint_does_not_know_it_names(emulator):
    made = emulator.control("refresh-token", clientId="c")["refresh_token"]
    assert asked(emulator, grant_type="password")[1]["error"] == "unsupported_grant_type"
    assert asked(emulator)[1]["error"] == "invalid_request"
    assert asked(emulator, grant_type="refresh_token", refresh_token="x", client_id="c")[1]["error"] == (
        "invalid_grant"
    )
    assert asked(emulator, grant_type="refresh_token", refresh_token=made)[1] == {
        "error": "invalid_request",
        "error_description": "Could not determine client ID from request.",
    }
    assert asked(emulator, grant_type="refresh_token", refresh_token=made, client_id="d")[0] == 401


def test_any_bearer_token_is_the_owner_unless_the_server_is_strict(emulator, http, shared):
    other = {"Authorization": "Bearer whatever"}
    assert http("GET", f"/v1/forms/{shared}", headers=other).status_code == 200
    assert http("GET", f"/v1/forms/{shared}").status_code == 200
    emulator.control("settings", strictAuth=True)
    assert http("GET", f"/v1/forms/{shared}", headers=other).status_code == 401
    assert http("GET", f"/v1/forms/{shared}").status_code == 401
    old = http("GET", f"/drive/v3/files/{shared}").json()["error"]
    assert (old["code"], old["errors"][0]["reason"]) == (401, "authError")


def test_a_token_may_come_in_the_address(emulator, http, shared):
    token = emulator.control("token", email="guest@example.com")["access_token"]
    assert http("GET", f"/v1/forms/{shared}?access_token={token}").status_code == 403


def test_a_service_account_without_storage_cannot_own_files(emulator, robot, shared):
    emulator.control("settings", serviceAccountsOwnFiles=False)
    with service("drive", emulator.base, robot) as drive:
        for request in (drive.files().create(body={"name": "a"}), drive.files().copy(fileId=shared, body={})):
            with pytest.raises(HttpError) as caught:
                request.execute()
            assert (caught.value.status_code, caught.value.error_details[0]["reason"]) == (
                403,
                "storageQuotaExceeded",
            )
