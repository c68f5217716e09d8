"""One connection to Google for a whole run: one Credentials object, one session, one patience.

Promises: every request has a connect and a read timeout, and is sent once unless our own policy decides otherwise;
the session can be lent to other clients. Refuses to know: what is asked for.

The client library brings its own transport, which has one timeout only and silently sends a request again when a
connection drops; so it is given this session instead.
"""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import gspread
import httplib2
import requests
from google.auth.exceptions import RefreshError, TransportError
from google.auth.transport.requests import AuthorizedSession, Request
from googleapiclient.discovery import build

from connectors.google_auth import Identity, keep_token
from connectors.google_retry import NoAnswerError, Patience, Target

TIMEOUTS = (5.0, 60.0)
_VERSIONS = {"forms": "v1", "drive": "v3", "sheets": "v4"}
_PATHS = {"drive": "/drive/v3/"}
"""What an endpoint of our own would otherwise lose: it stands for the whole address of a service."""


class _SessionHttp:
    """The session in the shape that google-api-python-client expects of httplib2."""

    def __init__(self, session: requests.Session) -> None:
        self._session = session

    def request(
        self, uri: str, method: str = "GET", body: Any = None, headers: Any = None, **_: Any
    ) -> tuple[httplib2.Response, bytes]:
        given = {name: value for name, value in (headers or {}).items() if name.lower() != "accept-encoding"}
        answer = self._session.request(method, uri, data=body, headers=given, timeout=TIMEOUTS)
        held = httplib2.Response({"status": str(answer.status_code), **answer.headers})
        held.reason = answer.reason
        return held, answer.content

    def close(self) -> None:
        """The session belongs to the whole run."""


class _Client(gspread.HTTPClient):
    """gspread's transport on our session: without this it has no timeout at all."""

    def __init__(self, auth: Any, session: Any, endpoint: str, timeouts: tuple[float, float]) -> None:
        super().__init__(auth, session)
        self.auth = auth
        self._endpoint = endpoint
        self.set_timeout(timeouts)

    def request(self, method: Any, endpoint: str, *given: Any, **named: Any) -> requests.Response:
        address = f"{self._endpoint}{urlsplit(endpoint).path}" if self._endpoint else endpoint
        return super().request(method, address, *given, **named)


class _TokenRequest(Request):
    """How a token is asked for: once. What is no word of the token's server passes, and is for our own policy.

    The library would ask three times by itself, take a page of a front end for a refusal, and break on one that comes
    with code 200. Nobody has been asked for anything yet: so it is never unknown what was done.
    """

    def __call__(self, *given: Any, **named: Any) -> Any:
        try:
            answer = super().__call__(*given, **named)  # type: ignore[no-untyped-call]
        except TransportError as error:
            raise RefreshError("no answer", retryable=True) from error  # type: ignore[no-untyped-call]
        if named.get("method") != "POST":  # what a machine at Google asks of its own host
            return answer
        if answer.status >= 500 or answer.status in (408, 429) or not _is_object(answer.data):
            raise RefreshError("no answer", retryable=True)  # type: ignore[no-untyped-call]
        return answer


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content), dict)
    except ValueError:
        return False


class Google:
    """What a run needs to talk to Google; closing it keeps a renewed token.

    `endpoint` is another address of the service, for a proxy or a test.
    """

    def __init__(self, identity: Identity, patience: Patience | None = None, endpoint: str = "") -> None:
        self.identity = identity
        self.patience = patience or Patience()
        self._signing = requests.Session()
        asking = _TokenRequest(self._signing)
        self.session = AuthorizedSession(identity.credentials, auth_request=asking)  # type: ignore[no-untyped-call]
        self._endpoint = endpoint
        self._services: dict[str, Any] = {}

    def service(self, name: str) -> Any:
        """The client of one API, made once, without a call."""
        if name not in self._services:
            self._services[name] = build(
                name,
                _VERSIONS[name],
                http=_SessionHttp(self.session),
                client_options={"api_endpoint": self._endpoint + _PATHS.get(name, "")}
                if self._endpoint
                else None,
                static_discovery=True,
                cache_discovery=False,
            )
        return self._services[name]

    def spreadsheets(self, timeouts: tuple[float, float] = TIMEOUTS) -> gspread.Client:
        """gspread on the same session, with the same credentials; made without a call."""

        def make(auth: Any, session: Any) -> _Client:
            return _Client(auth, session, self._endpoint, timeouts)

        return gspread.Client(self.identity.credentials, self.session, make)  # type: ignore[arg-type]

    def execute(self, request: Any, what: str, file_id: str, holds: str = "") -> dict[str, Any]:
        """The answer to a request that only reads, asked for again where that can help; it must have what it `holds`."""

        def send() -> dict[str, Any]:
            answer = request.execute()
            # The client hands over as text what is no JSON; taken for an empty answer it would be a loss of all.
            if not isinstance(answer, dict) or (holds and holds not in answer):
                raise NoAnswerError
            return answer

        return self.patience.call(send, self.target(what, file_id))

    def target(self, what: str, file_id: str) -> Target:
        return Target(what, file_id, self.identity.account, self.identity.fix)

    def close(self) -> None:
        self.session.close()  # type: ignore[no-untyped-call]
        self._signing.close()
        keep_token(self.identity)

    def __enter__(self) -> Google:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
