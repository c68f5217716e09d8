"""Calls to one spreadsheet, with what goes wrong told in words a master can act on.

Promises: whatever the client library raises becomes a SourceError, and a write of which nobody knows whether it
happened is told apart from one that was refused. Refuses to know: what is read or written, and when to try again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gspread
import requests
from google.auth.exceptions import GoogleAuthError
from gspread.exceptions import APIError

from connectors.base import SourceError

Json = dict[str, Any]

_SHARE = "権限がありません。「共有」で、このプログラムのアカウント{account}を編集者に加えてください。"
_REFUSED = {
    401: "ログインが切れています。認証の設定を確かめてください。",
    403: _SHARE,
    404: "見つかりません。設定の ID と、ファイルがごみ箱に入っていないかを確かめてください。",
    429: "Google の回数制限にかかりました。次の実行でやり直します。",
}
_PROTECTED = (
    "保護された範囲があって書けません。「データ」の「シートと範囲を保護」で、"
    "このプログラムのアカウント{account}に編集を許可するか、保護を外してください。"
)
_ABSENT = "Google から返事がありません（{fault}）。通信を確かめてください。次の実行でやり直します。"
_ODD = "Google が受け付けませんでした（{fault}）。設定の ID と saitei の版を確かめてください。"
_AUTH = "Google にログインできません（{fault}）。鍵のファイルと、この計算機の時計を確かめてください。"


class UnknownOutcome(SourceError):  # noqa: N818 (reads as the state it reports)
    """The write was sent, and no answer tells whether it happened."""


class BookCalls:
    """The two calls that the workbook needs, for the spreadsheet `book_id`."""

    def __init__(self, client: gspread.Client, book_id: str) -> None:
        self.client = client
        self.book_id = book_id

    def get(self, fields: str) -> Json:
        """Read the named fields in one call, hence of one moment."""
        try:
            # Unprinted, for the answer is mostly brackets.
            found = self.client.http_client.spreadsheets_get(
                self.book_id, {"fields": fields, "prettyPrint": "false"}
            )
        except APIError as fault:
            raise self._explain(fault) from fault
        except requests.RequestException as fault:
            raise self._fault(_ABSENT, fault=type(fault).__name__) from fault
        except GoogleAuthError as fault:
            raise self._fault(_AUTH, fault=type(fault).__name__) from fault
        return dict(found)

    def update(self, changes: Sequence[Json]) -> None:
        """Do all changes or none of them."""
        try:
            self.client.http_client.batch_update(self.book_id, {"requests": list(changes)})
        except APIError as fault:
            if fault.code in (-1, 500, 502, 503, 504):
                raise self._doubt(fault) from fault
            raise self._explain(fault) from fault
        except requests.RequestException as fault:
            raise self._doubt(fault) from fault
        except GoogleAuthError as fault:
            raise self._fault(_AUTH, fault=type(fault).__name__) from fault

    def _explain(self, fault: APIError) -> SourceError:
        """What a refusal means for whoever runs this."""
        message = str(fault.error.get("message", ""))
        if fault.code == 400 and "protected" in message:
            return self._fault(_PROTECTED)
        if fault.code in _REFUSED:
            return self._fault(_REFUSED[fault.code])
        if fault.code == -1 or fault.code >= 500:
            return self._fault(_ABSENT, fault=str(fault.code))
        # The text of the refusal stays out: it may repeat what players wrote.
        status = str(fault.error.get("status", ""))
        return self._fault(_ODD, fault=f"{fault.code} {status}".strip())

    def _doubt(self, fault: Exception) -> UnknownOutcome:
        message = (
            "書き込みの返事が届かず、書けたかどうか分かりません。次の実行で確かめて、足りない分を書きます。"
        )
        return UnknownOutcome(f"スプレッドシート {self.book_id}: {message}（{type(fault).__name__}）")

    def _fault(self, message: str, fault: str = "") -> SourceError:
        email = getattr(getattr(self.client, "auth", None), "service_account_email", "")
        account = f"（{email}）" if email else ""
        shown = message.replace("{account}", account).replace("{fault}", fault)
        return SourceError(f"スプレッドシート {self.book_id}: {shown}")
