"""A sign-in in the browser, with a person and a token service made for the test, over sockets."""

from __future__ import annotations

import json
import os
import threading
import webbrowser
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, Login, sign_in
from connectors.google_signin import sign_in_by_browser


class TokenService(HTTPServer):
    """Answers every code with a grant of `scopes`."""

    def __init__(self):
        self.scopes = " ".join(FORMS_SCOPES)
        self.asked = []
        super().__init__(("127.0.0.1", 0), _Tokens)
        self.address = f"http://127.0.0.1:{self.server_address[1]}/token"


class _Tokens(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append(parse_qs(body))
        grant = {
            "access_token": "ya29.a",
            "refresh_token": "1//r",
            "expires_in": 3599,
            "token_type": "Bearer",
        }
        content = json.dumps({**grant, "scope": self.server.scopes}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format, *args):
        """Silent."""


class Person(webbrowser.BaseBrowser):
    """Sends the browser back to where the address says, with the answer that was decided on."""

    answer = "code=granted"

    def open(self, url, new=0, autoraise=True):
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert (asked["access_type"], asked["prompt"]) == ("offline", "consent")
        back = f"{asked['redirect_uri']}?state={asked['state']}&{self.answer}&scope={asked['scope']}"
        threading.Thread(target=requests.get, args=(back,), kwargs={"timeout": 5}, daemon=True).start()
        return True


@pytest.fixture
def tokens(monkeypatch):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    with TokenService() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def person():
    made = Person("person")
    webbrowser.register("person", None, made)
    return made


@pytest.fixture
def client(tokens, tmp_path):
    path = tmp_path / "client.json"
    installed = {"client_id": "c", "client_secret": "hidden", "redirect_uris": ["http://localhost"]}
    addresses = {"auth_uri": "https://accounts.google.com/o/oauth2/auth", "token_uri": tokens.address}
    path.write_text(json.dumps({"installed": {**installed, **addresses}}))
    return path


def test_what_a_person_grants_is_kept_and_signs_in(client, person, tokens, tmp_path):
    cache = tmp_path / "token.json"
    sign_in_by_browser(client, cache, FORMS_SCOPES, browser="person")
    assert cache.stat().st_mode & 0o777 == 0o600
    assert tokens.asked[0]["code"] == ["granted"]
    identity = sign_in(Login("oauth", cache), FORMS_SCOPES)
    assert (identity.credentials.token, identity.credentials.refresh_token) == ("ya29.a", "1//r")
    assert identity.credentials.valid
    kept = json.loads(cache.read_text())
    signed_in, expiry = (datetime.fromisoformat(kept[name]) for name in ("signed_in", "expiry"))
    assert expiry - signed_in == timedelta(hours=1)


def test_where_there_is_no_browser_the_address_is_shown_instead(client, tokens, tmp_path, monkeypatch):
    monkeypatch.setattr(webbrowser, "_tryorder", [])
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", buffering=1) as shown, monkeypatch.context() as there:
        there.setattr("sys.stdout", shown)
        person = threading.Thread(target=_follow, args=(reader,), daemon=True)
        person.start()
        sign_in_by_browser(client, tmp_path / "token.json", FORMS_SCOPES, patience=20.0)
        person.join()
    assert (tmp_path / "token.json").exists()


def _follow(reader):
    """A person who reads the line and opens the address in it."""
    with os.fdopen(reader) as lines:
        assert next(lines).startswith("この機械のブラウザで次のアドレスを開き")
        Person("person").open(next(lines).strip())


@pytest.mark.parametrize(
    ("answer", "scopes"), [("error=access_denied", ""), ("code=granted", FORMS_SCOPES[0])]
)
def test_a_person_who_grants_nothing_or_less_leaves_the_cache_as_it_was(
    client, person, tokens, tmp_path, answer, scopes
):
    person.answer, tokens.scopes = answer, scopes
    cache = tmp_path / "token.json"
    cache.write_text("before")
    with pytest.raises(SourceError, match="求めた範囲をすべて許して"):
        sign_in_by_browser(client, cache, FORMS_SCOPES, browser="person")
    assert cache.read_text() == "before"


def test_a_person_who_does_not_come_is_not_waited_for_for_ever(client, person, tmp_path, monkeypatch):
    monkeypatch.setattr(person, "open", lambda *given, **named: True)
    with pytest.raises(SourceError, match="時間内に終わりませんでした"):
        sign_in_by_browser(client, tmp_path / "token.json", FORMS_SCOPES, patience=0.05, browser="person")


@pytest.mark.parametrize("content", ["", "{}", '{"web": {"client_secret": "hidden"}}'])
def test_a_client_file_that_is_none_is_told_without_showing_it(tmp_path, content):
    path = tmp_path / "client.json"
    path.write_text(content)
    with pytest.raises(SourceError) as caught:
        sign_in_by_browser(path, tmp_path / "token.json", FORMS_SCOPES)
    assert str(caught.value).startswith(f"{path}: ")
    assert "hidden" not in str(caught.value)


def test_a_client_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(SourceError, match=r"no\.json: 読めません"):
        sign_in_by_browser(tmp_path / "no.json", tmp_path / "token.json", FORMS_SCOPES)
