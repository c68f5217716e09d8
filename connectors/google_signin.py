"""A person's sign-in in the browser, once; what it grants is kept in a file that only its owner may read.

Promises: the file is whole or as it was before, and never readable by others, not even for a moment. Refuses to
know: what the grant is used for.
"""

from __future__ import annotations

import json
import webbrowser
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import requests
from google_auth_oauthlib.flow import InstalledAppFlow, WSGITimeoutError
from oauthlib.oauth2 import OAuth2Error

from connectors.base import SourceError
from connectors.google_auth import write_private

_LIFETIME = timedelta(hours=1)
"""That of an access token; it tells when the grant was given without a look at a clock."""

_ASK = "この機械のブラウザで次のアドレスを開き、求められた範囲をすべて許してください:\n{url}"
_DONE = "サインインできました。このページを閉じて、端末に戻ってください。"


def sign_in_by_browser(
    client: Path, cache: Path, scopes: Sequence[str], patience: float = 300.0, browser: str | None = None
) -> None:
    """Open the browser, wait for the person's consent, and keep the grant in `cache`.

    Where there is no browser, as on a server, the address that is shown anyway has to do. `client` is the file of the desktop client from the Cloud console; `patience` is in seconds.
    """
    try:
        flow = InstalledAppFlow.from_client_secrets_file(str(client), scopes=list(scopes))
    except OSError as fault:
        raise SourceError(
            f"{client}: 読めません（{fault.strerror}）。Cloud コンソールで OAuth クライアント（デスクトップ）を作って置いてください"
        ) from None
    except (ValueError, KeyError, TypeError):
        raise SourceError(
            f"{client}: OAuth クライアント（デスクトップ）のファイルではありません。Cloud コンソールから置き直してください"
        ) from None
    try:
        made = flow.run_local_server(
            port=0,
            timeout_seconds=patience,
            browser=browser,
            open_browser=_has_browser(browser),
            authorization_prompt_message=_ASK,
            success_message=_DONE,
            prompt="consent",
        )
    except WSGITimeoutError:
        raise SourceError("サインインが時間内に終わりませんでした。もう一度実行してください") from None
    except (OAuth2Error, requests.exceptions.RequestException, Warning):
        # oauthlib raises a Warning where the person granted less than was asked for.
        raise SourceError(
            "Google がサインインを受け付けませんでした。求めた範囲をすべて許して、もう一度実行してください"
        ) from None
    # When it was: Google lets a sign-in live for seven days only while the consent screen is one for tests.
    signed_in = {"signed_in": f"{made.expiry - _LIFETIME}+00:00"} if made.expiry else {}
    write_private(cache, json.loads(made.to_json()) | signed_in)


def _has_browser(name: str | None) -> bool:
    try:
        webbrowser.get(name)
    except webbrowser.Error:
        return False
    return True
