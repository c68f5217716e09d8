"""Ways to sign in: key file, cached sign-in, what the machine provides; and what is said where one cannot be used."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from google_bench import ROBOT, StoppedClock

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES, Login, sign_in
from connectors.google_session import Google


@pytest.fixture
def token(emulator):
    body = {"email": "owner@example.com", "clientId": "c", "clientSecret": "hidden-client"}
    made = emulator.control("refresh-token", **body)
    return {**made, "client_id": "c", "client_secret": "hidden-client", "scopes": list(FORMS_SCOPES)}


@pytest.fixture
def put(tmp_path):
    def write(content, mode=0o600):
        path = tmp_path / "login.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        path.chmod(mode)
        return path

    return write


@pytest.fixture
def read(emulator, forms):
    """Reads a form of the owner's with an identity, and closes the connection."""
    form = forms.create(body={"info": {"title": "T"}}).execute()["formId"]
    emulator.control("share", fileId=form, email=ROBOT, role="writer")
    emulator.control("settings", strictAuth=True)

    def reading(identity):
        with Google(identity, StoppedClock().patience(), emulator.base) as google:
            request = google.service("forms").forms().get(formId=form)
            return google.execute(request, "フォーム", form)["formId"] == form

    return reading


def refusal(login, scopes=FORMS_SCOPES):
    with pytest.raises(SourceError) as caught:
        sign_in(login, scopes)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return str(caught.value)


def test_a_key_file_signs_in(put, key, read):
    identity = sign_in(Login("service_account", put(key)), FORMS_SCOPES)
    assert identity.account == ROBOT
    assert identity.credentials.scopes == list(FORMS_SCOPES)
    assert read(identity)


def test_a_cached_sign_in_signs_in_and_is_renewed_in_its_file(put, token, read, emulator):
    path = put(token)
    assert read(sign_in(Login("oauth", path), FORMS_SCOPES))
    kept = json.loads(path.read_text("utf-8"))
    assert kept["refresh_token"] == token["refresh_token"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    emulator.control("log/clear")
    assert read(sign_in(Login("oauth", path), FORMS_SCOPES))
    assert [each["method"] for each in emulator.control("log")["calls"]] == ["forms.forms.get"]


def test_a_cached_token_that_is_too_old_is_not_even_tried(put, token, read, emulator):
    emulator.control("log/clear")
    old = {**token, "token": "ya29.old", "expiry": "2020-01-01T00:00:00Z"}
    path = put(old)
    assert read(sign_in(Login("oauth", path), FORMS_SCOPES))
    assert [each["status"] for each in emulator.control("log")["calls"]] == [200] * 2
    kept = json.loads(path.read_text("utf-8"))
    assert {name for name in kept if kept[name] != old.get(name)} == {"token", "expiry"}


def test_a_cache_keeps_what_was_granted_whatever_a_run_asks_for(put, token, read):
    path = put({**token, "scopes": [*FORMS_SCOPES, *SHEETS_SCOPES]})
    assert read(sign_in(Login("oauth", path), FORMS_SCOPES))
    identity = sign_in(Login("oauth", path), (*FORMS_SCOPES, *SHEETS_SCOPES))
    assert identity.credentials.scopes == [*FORMS_SCOPES, *SHEETS_SCOPES]


def test_a_cached_sign_in_that_is_dead_says_to_sign_in_again(put, token, read, emulator):
    path = put(token)
    emulator.control("revoke-grant")
    with pytest.raises(SourceError, match=r"Google の利用者 の認証が通りません") as caught:
        read(sign_in(Login("oauth", path), FORMS_SCOPES))
    assert str(path) in str(caught.value)
    assert token["refresh_token"] not in str(caught.value)


def test_the_default_is_what_the_machine_says(put, key, read, monkeypatch):
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(put(key)))
    identity = sign_in(Login("default"), FORMS_SCOPES)
    assert identity.account == ROBOT
    assert read(identity)


def test_a_machine_without_a_default_is_told_what_to_set(monkeypatch, tmp_path):
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    assert "GOOGLE_APPLICATION_CREDENTIALS" in refusal(Login("default"))


@pytest.mark.parametrize("kind", ["service_account", "oauth"])
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o610])
def test_a_file_that_others_may_read_is_refused(put, key, kind, mode):
    path = put(key, mode)
    said = refusal(Login(kind, path))
    assert f"{path}: 権限が {mode:04o}" in said
    assert f"chmod 600 {path}" in said


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o700])
def test_a_file_that_only_its_owner_may_read_is_fine(put, key, mode):
    assert sign_in(Login("service_account", put(key, mode)), FORMS_SCOPES).account == ROBOT


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "JSON として読めません"),
        ("[]", "JSON として読めません"),
        ({"type": "authorized_user", "refresh_token": "hidden"}, "サービス アカウントの鍵ではありません"),
        ({"type": "service_account", "client_email": ROBOT}, "鍵が壊れています"),
        (
            {"type": "service_account", "client_email": ROBOT, "token_uri": "x", "private_key": "hidden"},
            "鍵が壊れています",
        ),
    ],
)
def test_a_key_that_is_none_is_told_without_showing_it(put, content, words):
    path = put(content)
    said = refusal(Login("service_account", path))
    assert said.startswith(f"{path}: ")
    assert words in said
    assert "hidden" not in said


def test_a_cache_that_lacks_scopes_or_parts_is_told(put, token):
    path = put(token)
    said = refusal(Login("oauth", path), (*FORMS_SCOPES, *SHEETS_SCOPES))
    assert "許された範囲が足りません" in said
    assert str(path) in said
    assert "控えが壊れています" in refusal(Login("oauth", put({"client_secret": "hidden"})))


def test_a_file_that_is_not_there_or_not_named_is_told(tmp_path):
    path = tmp_path / "no.json"
    assert (
        refusal(Login("service_account", path))
        == f"{path}: Google の認証のファイルがありません。設定 google: の場所を確かめるか、"
        "作ってください（docs/google.ja.md）"
    )
    assert "鍵ファイルの場所がありません" in refusal(Login("service_account"))
    assert "認証の控えの場所がありません" in refusal(Login("oauth"))


def test_gspread_uses_the_same_session_with_timeouts(put, key, emulator, bench):
    emulator.control("share", fileId=bench.id, email=ROBOT, role="writer")
    identity = sign_in(Login("service_account", put(key)), (*FORMS_SCOPES, *SHEETS_SCOPES))
    with Google(identity, StoppedClock().patience(), emulator.base) as google:
        client = google.spreadsheets()
        assert client.http_client.session is google.session
        assert client.http_client.timeout == (5.0, 60.0)
        assert client.open_by_key(bench.id).title == "Bench"


def test_files_alone_need_no_library_of_google():
    code = (
        "import sys, pipeline.cli, pipeline.commands, connectors.local, connectors.xlsx; "
        "print([n for n in sys.modules if n.split('.')[0] in ('google', 'gspread', 'googleapiclient', 'httplib2', 'requests')"
        " and not n.startswith('google.protobuf')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "429"},
        {"kind": "500"},
        {"kind": "502"},
        {"kind": "503"},
        {"kind": "drop-before"},
        {"kind": "drop-after"},
        {"kind": "cut"},
        {"kind": "status", "status": 200, "body": "<html>"},
        {"kind": "status", "status": 403, "body": "<html>"},
        {"kind": "status", "status": 200, "body": []},
    ],
    ids=str,
)
def test_a_token_is_asked_for_again_by_our_own_policy_alone(put, key, read, emulator, fault):
    """Were the library to ask again by itself, it would sleep by the machine's clock and count for one."""
    emulator.control("fault", match={"method": "oauth"}, times=2, **fault)
    emulator.control("log/clear")
    assert read(sign_in(Login("service_account", put(key)), FORMS_SCOPES))
    assert [each["method"] for each in emulator.control("log")["calls"]] == ["oauth"] * 3 + [
        "forms.forms.get"
    ]


def test_a_refused_key_is_not_asked_with_again(put, key, read, emulator):
    refused = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
    emulator.control("fault", kind="status", status=400, body=refused, match={"method": "oauth"}, times=0)
    emulator.control("log/clear")
    with pytest.raises(SourceError, match=rf"{ROBOT} の認証が通りません。この機械の時計を合わせ"):
        read(sign_in(Login("service_account", put(key)), FORMS_SCOPES))
    assert [each["method"] for each in emulator.control("log")["calls"]] == ["oauth"]
