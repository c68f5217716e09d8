"""The doctor's lines on who we are to Google: the file, the account, what it may do, and whether our clock agrees.

Promises: no key, no token and no secret of a client is shown; the account is, for it is what files are shared with.
Refuses to know: which files there are.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
from connectors.google_session import Google
from connectors.google_sight import Grant, open_to_all, prove_login, read_grant, read_server_time
from pipeline.config import Config
from pipeline.outside import login_file

Line = tuple[bool, str]
Clock = Callable[[], pd.Timestamp]

SCOPES: Mapping[str, str] = {
    FORMS_SCOPES[0]: "フォームの質問を読む",
    FORMS_SCOPES[1]: "フォームの回答を読む",
    SHEETS_SCOPES[0]: "スプレッドシートを読み書きする",
}
_SKEW = 60.0
"""Seconds. Google refuses a key's signature beyond five minutes; verdicts go by seconds."""

_TEST_DAYS = 7
_KINDS = {
    "service_account": "サービス アカウント",
    "oauth": "人のサインイン",
    "default": "この機械の既定の認証",
}


def tell_clock(endpoint: str, clock: Clock) -> Line:
    """Compare our clock with Google's; the time that the answer was under way is nobody's fault."""
    before = clock()
    found = read_server_time(endpoint)
    after = clock()
    if found is None:
        return False, "時計　Google に接続できず、比べられません。この機械のネットワークを確かめてください"
    theirs = pd.Timestamp(found)  # whole seconds, cut off
    slow = (theirs - after).total_seconds()
    fast = (before - theirs).total_seconds() - 1
    skew = max(slow, fast)
    if skew <= _SKEW:
        return True, f"時計　Google の時計と {_SKEW:.0f} 秒以内で合っています"
    way = "遅れて" if slow > fast else "進んで"
    return False, (
        f"時計　この機械の時計が Google より {skew:.0f} 秒{way}います。"
        "時刻の自動合わせ（NTP）を有効にしてください"
    )


def tell_rights(config: Config) -> Iterator[Line]:
    """Who else on this machine has the login. Whoever may write in its folder could put another in its place."""
    path = login_file(config)
    if path is None or os.name != "posix" or not path.parent.is_dir():
        return
    if path.is_file() and not (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
        yield (
            True,
            f"権限　{os.path.relpath(path, config.path.parent)} は {mode:04o}",
        )  # else signing in tells
    shown = os.path.relpath(path.parent, config.path.parent)
    good = not open_to_all(path.parent)
    yield (
        good,
        f"権限　{shown}"
        + ("" if good else f"：だれでも書き込めるフォルダです。chmod o-w {shown} としてください"),
    )


def tell_grant(config: Config, clock: Clock) -> Iterator[Line]:
    """What a person's cached sign-in says of itself; nothing for other logins, and where it cannot be read."""
    if config.block.google.login != "oauth":
        return
    path = config.resolve(config.block.google.token)
    try:
        grant = read_grant(path)
    except SourceError:
        return  # signing in says the same
    if grant.scopes is not None:
        fix = f"{path} を消して、もう一度サインインしてください（端末で saitei sheets setup を実行）"
        yield from (line for line in tell_scopes(grant.scopes, fix) if not line[0])
    if not grant.renewable:
        yield (
            False,
            f"認証　{path} に更新用のトークンがありません。消して、もう一度サインインしてください（端末で saitei sheets setup を実行）",
        )
    yield True, _tell_age(grant, path, clock())


def _tell_age(grant: Grant, path: Path, now: pd.Timestamp) -> str:
    """How old the sign-in is. Google does not tell whether the consent screen is one for tests."""
    since = grant.signed_in or datetime.fromtimestamp(path.stat().st_mtime, UTC)
    source = "サインインした日時" if grant.signed_in else "控えのファイルの日付"
    days = max(0.0, (now - pd.Timestamp(since)) / pd.Timedelta(days=1))
    if days >= _TEST_DAYS:
        return f"認証の期限　{source}から {int(days)} 日たっています（テスト用の 7 日の期限は過ぎています）"
    return (
        f"認証の期限　{source}から {int(days)} 日です。Cloud コンソールの同意画面が「テスト」のままなら、"
        f"あと {_TEST_DAYS - days:.1f} 日で切れます。「本番環境」に公開してから、もう一度サインインしてください"
    )


def tell_login(config: Config, google: Google) -> Iterator[Line]:
    """Who we are, and whether Google takes us: the token is asked for now, not when a run needs it."""
    kind = config.block.google.login
    path = login_file(config)
    where = f"（{os.path.relpath(path, config.path.parent)}）" if path else ""
    share = "。ファイルはこのアカウントに、編集者として共有します"
    yield True, f"認証　{_KINDS[kind]}{where}: {google.identity.account}{share}"
    try:
        granted = prove_login(google)
    except SourceError as fault:
        yield False, str(fault)
        return
    yield True, "認証　Google がサインインを受け付けました"
    if kind == "service_account":
        granted = frozenset(SCOPES)  # a key is given what it asks for; shares decide what it may do with it
    if granted is None:
        yield (
            True,
            "範囲　Google が答えに書かないので、名前では確かめられません。使えるかは次の行で分かります",
        )
        return
    yield from tell_scopes(granted, google.identity.fix)


def tell_scopes(held: Collection[str], fix: str) -> Iterator[Line]:
    for scope, words in SCOPES.items():
        name = scope.rpartition("/")[2]
        good = scope in held
        yield good, f"範囲　{words}（{name}）" + ("" if good else f": 許されていません。{fix}")
