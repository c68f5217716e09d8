"""Making our files at Google and letting others in: what only a person can do, for a service account owns nothing.

Promises: a call that makes a file is never sent twice where nobody knows whether it was done; then it is told which
file may lie about and what to do with it. All else sets a state and may be sent again. Refuses to know: what a form
asks and what stands in a spreadsheet.
"""

from __future__ import annotations

from typing import Any

from connectors.base import SourceError
from connectors.google_items import FormShape, Json, read_shape, request_items
from connectors.google_retry import OutcomeUnknownError
from connectors.google_session import Google

_OPEN = {"publishState": {"isPublished": True, "isAcceptingResponses": True}}


class FormAdmin:
    """One maker of forms."""

    def __init__(self, google: Google) -> None:
        self.google = google
        self._forms = google.service("forms").forms()

    def create(self, title: str) -> str:
        """A new form without questions, not published; its id."""
        body = {"info": {"title": title, "documentTitle": title}}
        return str(_make(self.google, self._forms.create(body=body), title)["formId"])

    def read(self, form_id: str, title: str) -> tuple[FormShape, str]:
        """How the form stands, and the mark of that state."""
        found = self.google.execute(self._forms.get(formId=form_id), f"フォーム「{title}」", form_id)
        return read_shape(found), str(found.get("revisionId", ""))

    def fill(self, form_id: str, shape: FormShape, revision: str) -> None:
        """All questions in one step. `revision` is that of the empty form: what was filled meanwhile is refused, so
        that nothing is ever filled twice."""
        body: Json = {"requests": request_items(shape)}
        if revision:
            body["writeControl"] = {"requiredRevisionId": revision}
        self._set(self._forms.batchUpdate(formId=form_id, body=body), form_id, shape.title, repeatable=False)

    def publish(self, form_id: str, title: str) -> None:
        """Published and accepting: Google makes forms that are neither."""
        body = {"publishSettings": _OPEN, "updateMask": "publishState"}
        self._set(self._forms.setPublishSettings(formId=form_id, body=body), form_id, title)

    def _set(self, request: Any, form_id: str, title: str, repeatable: bool = True) -> None:
        target = self.google.target(f"フォーム「{title}」", form_id)
        self.google.patience.call(request.execute, target, repeatable=repeatable)


class Sharing:
    """Who may do what with a file of ours."""

    def __init__(self, google: Google) -> None:
        self.google = google
        self._permissions = google.service("drive").permissions()

    def open_form(self, form_id: str, title: str) -> None:
        """Whoever has the link may respond: to be published alone lets nobody in."""
        self._give(form_id, f"フォーム「{title}」", {"type": "anyone", "role": "reader", "view": "published"})

    def let_write(self, file_id: str, what: str, account: str) -> bool:
        """Make the account an editor; False if it was one already."""
        listed = self._permissions.list(
            fileId=file_id, fields="permissions(emailAddress,role,view)", pageSize=100, supportsAllDrives=True
        )
        for one in self.google.execute(listed, what, file_id).get("permissions", []):
            same = one.get("emailAddress", "").casefold() == account.casefold()
            if same and one.get("role") in ("writer", "owner", "organizer", "fileOrganizer"):
                return False
        self._give(file_id, what, {"type": "user", "role": "writer", "emailAddress": account})
        return True

    def _give(self, file_id: str, what: str, body: Json) -> None:
        quiet = {"sendNotificationEmail": False} if body["type"] == "user" else {}
        request = self._permissions.create(fileId=file_id, body=body, supportsAllDrives=True, **quiet)
        self.google.patience.call(request.execute, self.google.target(what, file_id))


def create_book(google: Google, title: str, zone: str, first: str) -> str:
    """A new spreadsheet with one blank tab `first`; its id."""
    body = {
        "properties": {"title": title, "locale": "ja_JP", "timeZone": zone},
        "sheets": [{"properties": {"title": first}}],
    }
    request = google.service("sheets").spreadsheets().create(body=body, fields="spreadsheetId")
    return str(_make(google, request, title)["spreadsheetId"])


def _make(google: Google, request: Any, title: str) -> Json:
    """The answer to a call that makes a file, sent once."""
    try:
        made: Json = google.patience.call(
            request.execute, google.target(f"「{title}」の作成", ""), repeatable=False
        )
    except OutcomeUnknownError as unknown:
        raise SourceError(
            f"{unknown} 。Google ドライブに空の「{title}」が1つできているかもしれません。ドライブで「{title}」を探し、"
            "中身のないものを削除してから、もう一度実行してください"
        ) from None
    return made
