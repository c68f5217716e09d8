"""Who we are to Google: a service account's key file, a person's cached sign-in, or what the machine provides.

Promises: no file that others on the machine may read is used; a login that cannot be used is one line that names the
account, the file and the remedy. Refuses to know: what is read or written with it, and never shows a key or a token.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import google.auth
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError
from google.oauth2 import credentials as user_credentials
from google.oauth2 import service_account

from connectors.base import SourceError

_ROOT = "https://www.googleapis.com/auth/"
FORMS_SCOPES = (f"{_ROOT}forms.body.readonly", f"{_ROOT}forms.responses.readonly")
SHEETS_SCOPES = (f"{_ROOT}spreadsheets",)
MAKER_SCOPES = (f"{_ROOT}forms.body", f"{_ROOT}drive.file", *SHEETS_SCOPES)
"""What a person grants who makes our files: to shape forms and spreadsheets, and to share what was made here."""

_RENEWED = ("token", "expiry", "refresh_token")


class Login(NamedTuple):
    """How to sign in, as the config says. `file` is the key file or the token cache; the default needs none."""

    kind: Literal["service_account", "oauth", "default"]
    file: Path | None = None


class Identity(NamedTuple):
    """Credentials for one set of scopes, who they are, and what helps if Google refuses them."""

    credentials: Any
    account: str
    fix: str
    cache: Path | None = None


def sign_in(login: Login, scopes: Sequence[str]) -> Identity:
    """The one Credentials object of a run; ask for all scopes that the run needs, and no others."""
    if login.kind == "default":
        return _use_default(scopes)
    if login.file is None:
        name = "鍵ファイル" if login.kind == "service_account" else "認証の控え"
        raise SourceError(f"設定: Google の認証に使う{name}の場所がありません。設定に書いてください")
    content = read_private(login.file)
    return (_use_key if login.kind == "service_account" else _use_token)(login.file, content, scopes)


def _use_key(path: Path, content: dict[str, Any], scopes: Sequence[str]) -> Identity:
    if content.get("type") != "service_account":
        raise SourceError(
            f"{path}: サービス アカウントの鍵ではありません。Cloud コンソールで作った JSON の鍵を置いてください"
        )
    try:
        made = service_account.Credentials.from_service_account_info(content, scopes=list(scopes))  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, GoogleAuthError):
        raise SourceError(
            f"{path}: サービス アカウントの鍵が壊れています。Cloud コンソールで作り直して置いてください"
        ) from None
    account = str(made.service_account_email)
    fix = f"この機械の時計を合わせ、それでも直らなければ {path} の鍵を作り直してください"
    return Identity(made, account, fix)


def _use_token(path: Path, content: dict[str, Any], scopes: Sequence[str]) -> Identity:
    if content.get("type") == "service_account":
        raise SourceError(
            f"{path}: サービス アカウントの鍵です。サービス アカウントはファイルを持てないので、"
            "ここには人のサインインの控えを置いてください"
        )
    granted = content.get("scopes")
    held = set(granted.split() if isinstance(granted, str) else granted or scopes)
    account = str(content.get("account") or "Google の利用者")
    fix = f"{path} を消して、もう一度サインインしてください（端末で saitei sheets setup を実行）"
    if not set(scopes) <= held:
        raise SourceError(f"{path}: {account} に許された範囲が足りません。{fix}")
    try:
        # All that was granted, not only what this run asks for: the token is kept for runs that may ask for more.
        made = user_credentials.Credentials.from_authorized_user_info(content)  # type: ignore[no-untyped-call]
        if content.get("token_uri"):
            expiry = made.expiry  # the copy would forget it, and send a dead token first
            made = made.with_token_uri(str(content["token_uri"]))
            made.expiry = expiry
    except (ValueError, TypeError, AttributeError, GoogleAuthError):
        raise SourceError(f"{path}: サインインの控えが壊れています。{fix}") from None
    # Google does not say why a sign-in has died, and this is the usual reason.
    seven = "（Cloud コンソールの同意画面が「テスト」のままなら 7 日で切れます。先に「本番環境」に公開してください）"
    return Identity(made, account, fix + seven, path)


def _use_default(scopes: Sequence[str]) -> Identity:
    try:
        made, _ = google.auth.default(scopes=list(scopes))
    except DefaultCredentialsError:
        raise SourceError(
            "この機械に Google の既定の認証がありません。GOOGLE_APPLICATION_CREDENTIALS を設定するか、"
            "設定で鍵ファイルを指定してください"
        ) from None
    account = str(getattr(made, "service_account_email", "") or "この機械の既定の認証")
    return Identity(made, account, "この機械の既定の認証（GOOGLE_APPLICATION_CREDENTIALS）を確かめてください")


def read_private(path: Path) -> dict[str, Any]:
    """The JSON object of a file that only its owner may read: whoever reads it can act in that name."""
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8")
    except FileNotFoundError:
        raise SourceError(
            f"{path}: Google の認証のファイルがありません。設定 google: の場所を確かめるか、作ってください（docs/google.ja.md）"
        ) from None
    except (OSError, UnicodeDecodeError) as fault:
        reason = getattr(fault, "strerror", None) or "UTF-8 ではない"
        raise SourceError(f"{path}: 読めません（{reason}）。場所と権限を確かめてください") from None
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise SourceError(
            f"{path}: 権限が {stat.S_IMODE(mode):04o} で、ほかの人にも開かれています。"
            f"chmod 600 {path} としてから実行してください"
        )
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise SourceError(f"{path}: JSON として読めません。置き直してください")
    return content


def keep_token(identity: Identity) -> None:
    """Write a renewed token back to the cache it came from, so that the next run need not ask for one.

    Left alone where nothing changed, and where it cannot be written: the refresh token in it is still good.
    """
    path = identity.cache
    if path is None or not identity.credentials.token:
        return
    fresh = json.loads(identity.credentials.to_json())
    with suppress(OSError, ValueError):
        before = json.loads(path.read_text("utf-8"))
        if before.get("token") == fresh.get("token"):
            return
        write_private(path, before | {name: fresh[name] for name in _RENEWED if fresh.get(name)})


def write_private(path: Path, content: dict[str, Any]) -> None:
    """Replace a file in one step; the new one is made with 0600, so that nobody can read it meanwhile."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(content, stream)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
