"""The person who makes our files at Google, and the account that then runs with them.

Promises: a browser is opened only where somebody sits at the terminal; the account of the runs is told without a call.
Refuses to know: what is made.
"""

from __future__ import annotations

import sys

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, MAKER_SCOPES, Login, sign_in
from connectors.google_session import Google
from pipeline.config import Config
from pipeline.outside import connect, login_file


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
        # Who also runs reads responses with the same sign-in.
        more = FORMS_SCOPES if config.block.google.login == "oauth" else ()
        sign_in_by_browser(client, token, (*MAKER_SCOPES, *more))
    return connect(config, MAKER_SCOPES, person=True)


def name_runner(config: Config) -> str | None:
    """The address of the account that runs; "" where its sign-in does not tell it, None where the person runs too."""
    login = config.block.google.login
    if login == "oauth":
        return None
    account = sign_in(Login(login, login_file(config)), ()).account
    return account if "@" in account else ""
