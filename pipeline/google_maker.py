"""The person who makes our files at Google, and the account that then runs with them.

Promises: a browser is opened only where somebody sits at the terminal; the account of the runs is told without a call.
Refuses to know: what is made.
"""

from __future__ import annotations

import sys

from connectors.base import SourceError
from connectors.google_auth import MAKER_SCOPES, Login, sign_in
from connectors.google_session import Google
from pipeline.config import Config
from pipeline.outside import connect


def connect_maker(config: Config) -> Google:
    """A connection in the name of the person, who signs in now if there is no sign-in yet."""
    token = config.resolve(config.block.google.token)
    if not token.exists():
        client = config.resolve(config.block.google.client)
        if not sys.stdin.isatty():
            raise SourceError(
                f"{token}: 人のサインインの控えがありません。{client} を置き、この命令を端末で実行してサインインしてください"
            )
        from connectors.google_signin import sign_in_by_browser

        token.parent.mkdir(parents=True, exist_ok=True)
        sign_in_by_browser(client, token, MAKER_SCOPES)
    return connect(config, MAKER_SCOPES, person=True)


def name_runner(config: Config) -> str | None:
    """The address of the account that runs; "" where its sign-in does not tell it, None where the person runs too."""
    block = config.block.google
    file = None if block.login == "default" else config.resolve(block.credentials)
    if block.login == "oauth" and file == config.resolve(block.token):
        return None
    account = sign_in(Login(block.login, file), ()).account
    return account if "@" in account else ""
