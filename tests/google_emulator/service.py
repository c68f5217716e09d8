"""From a request to an answer: who calls, what is meant, whether it may be, what it does, what is shown of it.

Sockets are elsewhere. Every request is held against the discovery document, and so is every answer: an answer that
does not fit comes out as a 500 that says why, so that no test passes on something the real service cannot say.
"""

from __future__ import annotations

import sys
import time
import traceback
from contextlib import suppress
from typing import Any

from tests.google_emulator import (
    access,
    batches,
    control,
    drive,
    fields,
    forms,
    links,
    oauth,
    parameters,
    sheets,
)
from tests.google_emulator.accounts import Accounts
from tests.google_emulator.errors import ApiError, field_violations
from tests.google_emulator.faults import Fault, Faults, Late, answer_of
from tests.google_emulator.messages import Answer, Raw, Request, as_json, no_such_page, part_of, refusal
from tests.google_emulator.routing import Match, api_of, find
from tests.google_emulator.uploads import Uploads
from tests.google_emulator.validation import document, read_body, response_faults
from tests.google_emulator.world import Caller, World

HANDLERS: dict[str, Any] = {"drive.v3": drive.handle, "forms.v1": forms.handle}
LOG_LIMIT = 10_000


class Service:
    """One emulated Google: its world, its accounts, its faults, and a log of what was asked."""

    def __init__(self, world: World | None = None, base: str = "http://127.0.0.1") -> None:
        self.world = world or World()
        self.base = base
        self.accounts = Accounts(self.world)
        self.faults = Faults()
        self.uploads = Uploads(base)
        self.log: list[dict[str, Any]] = []
        self.late: list[Late] = []

    def rebase(self, base: str) -> None:
        self.base = self.uploads.base = base

    def answer(self, request: Request) -> Answer:
        """Never raises: what goes wrong inside is shown as a 500 and printed."""
        pretty = request.first("prettyPrint", "true").lower() != "false"
        try:
            if request.path.startswith("/__control__"):
                return control.answer(self, request)
            return self._outside(request, pretty)
        except ApiError as error:
            return refusal(error, api_of(request.path), pretty)
        except Exception:  # noqa: BLE001 - a fault of the emulator must not look like a fault of the network
            text = traceback.format_exc()
            print(text, file=sys.stderr)
            return Answer(
                500, as_json({"error": {"code": 500, "message": f"Emulator: {text}", "status": "INTERNAL"}})
            )

    def _outside(self, request: Request, pretty: bool) -> Answer:
        granted = self._grant(request)
        if granted is not None:
            return granted
        if request.path.startswith("/batch"):
            return batches.answer(self, request)
        described = self._discovery(request)
        if described is not None:
            return described
        if request.path.startswith("/spreadsheets/d/"):
            linked = links.answer(request, self._caller(request), self.world)
            return self._logged(request, {"method": "links"}, "", linked or no_such_page(request.path))
        match = find(self.uploads.verb(request), request.path)
        if match is None:
            if request.path.startswith("/upload/drive/v2/files/"):
                return self._old_upload(request)
            return no_such_page(request.path)
        return self._call(request, match, pretty)

    def _grant(self, request: Request) -> Answer | None:
        """What the addresses of tokens answer; scripts know the asking for one as method and api `oauth`."""
        if not oauth.asks(request):
            granted = oauth.answer(request, self.accounts, self.base)
            return granted and self._logged(request, {"method": "oauth"}, "", granted)
        call = {
            "method": "oauth",
            "verb": request.verb,
            "path": request.path,
            "api": "oauth",
            "file": "",
            "caller": "",
        }
        with self.world.lock:
            fault = self.faults.take(call)
        answer = self._before(fault, call, writes=False) if fault else None
        if answer is None:
            answer = oauth.answer(request, self.accounts, self.base) or no_such_page(request.path)
            answer = self._after(fault, call, answer) if fault else answer
        return self._logged(request, call, fault.kind if fault else "", answer)

    def _call(self, request: Request, match: Match, pretty: bool) -> Answer:
        route = match.route
        call = {
            "method": route.id,
            "verb": request.verb,
            "path": request.path,
            "api": route.api,
            "file": access.target(route, match.path),
            "caller": self._name(request),
        }
        with self.world.lock:
            fault = self.faults.take(call)
        answer = self._before(fault, call, route.writes) if fault else None
        if answer is None:
            try:
                answer = self._work(request, match, pretty)
            except ApiError as error:
                answer = refusal(error, route.api, pretty)
            answer = self._after(fault, call, answer) if fault else answer
        self._catch_up(call["file"])
        if fault is not None and fault.kind == "late":
            self.late.append(Late(int(fault.options.get("calls", 1)), call["file"], request, match))
        return self._logged(request, call, fault.kind if fault else "", answer)

    def _catch_up(self, file: str) -> None:
        """One more call for this file is answered: do what was to come after that many."""
        for late in [late for late in self.late if late.file == file]:
            late.calls -= 1
            if late.calls == 0:
                self.late.remove(late)
                with suppress(ApiError):
                    self._work(late.request, late.match, True)

    def _name(self, request: Request) -> str:
        try:
            return self._caller(request).email
        except ApiError:
            return ""

    def _caller(self, request: Request) -> Caller:
        query_token = request.first("access_token") or request.first("oauth_token")
        return self.accounts.caller(request.headers.get("authorization", ""), query_token)

    def _before(self, fault: Fault, call: dict[str, str], writes: bool) -> Answer | None:
        """What a fault does ahead of the work; an answer if there is to be no work."""
        options = fault.options
        if fault.kind == "slow" and options.get("when", "before") == "before":
            time.sleep(float(options.get("seconds", 1)))
        if fault.kind == "expire":
            self.accounts.expire_all(call["caller"])
        if fault.kind in ("revoke", "protect", "change") and options.get("when", "before") == "before":
            control.strike(self, fault, call)
        return answer_of(fault, call["api"], writes)

    def _after(self, fault: Fault, call: dict[str, str], answer: Answer) -> Answer:
        options = fault.options
        if fault.kind in ("revoke", "protect", "change") and options.get("when") == "after":
            control.strike(self, fault, call)
        if fault.kind == "slow" and options.get("when") == "after":
            answer.delay = float(options.get("seconds", 1))
        answer.drop = answer.drop or fault.kind == "drop-after"
        answer.cut = answer.cut or fault.kind == "cut"
        return answer

    def _work(self, request: Request, match: Match, pretty: bool) -> Answer:
        route = match.route
        caller = self._caller(request)
        access.hold_scopes(route, caller)
        media = None
        if request.path.startswith("/upload/"):
            with self.world.lock:
                read = self.uploads.read(request, self.world.ids.page().strip("~!"))
            if isinstance(read, Answer):
                return read
            request, media = read
        params = parameters.read(match, request.query)
        if request.headers.get("x-goog-fieldmask"):
            params.setdefault("fields", request.headers["x-goog-fieldmask"])
        parameters.hold_alt(params)
        body: dict[str, Any] = {}
        if route.request:
            body = read_body(route.api, route.request, request.body, route.body_field)
        mask = self._mask(match, params)
        if media is not None:
            params["_media"] = media
        result = self.perform(match, params, body, caller)
        part = request.headers.get("range", "") if params.get("alt") == "media" else ""
        return self._shown(match, result, mask, pretty, part)

    def perform(self, match: Match, params: dict[str, Any], body: dict[str, Any], caller: Caller) -> Any:
        """The work of one call, alone and all of it or nothing."""
        route, world = match.route, self.world
        handle = HANDLERS.get(route.api) or sheets.handle
        with world.lock:
            file_id = access.target(route, params)
            access.hold_file(route, params, body, caller, world)
            if not route.writes:
                return handle(route.id, params, body, caller, world)
            kept = [file_id, str(body.get("destinationSpreadsheetId", ""))]
            with world.all_or_nothing(*kept):
                result = handle(route.id, params, body, caller, world)
            if file_id in world.files and route.api != "drive.v3":
                world.touch(world.files[file_id], caller)
            return result

    def _mask(self, match: Match, params: dict[str, Any]) -> fields.Tree | None:
        route = match.route
        text = params.get("fields") or ""
        if not route.response or params.get("alt") == "media":
            return None
        if not text:
            text = drive.DEFAULT_FIELDS.get(route.id, "")
        if not text:
            return None
        try:
            tree = fields.parse(text)
            fields.check(route.api, route.response, tree)
        except fields.MaskError as error:
            raise _bad_fields(route.api, str(error)) from error
        return tree

    def _shown(
        self, match: Match, result: Any, mask: fields.Tree | None, pretty: bool, part: str = ""
    ) -> Answer:
        if isinstance(result, Raw):
            whole = Answer(result.status, result.body, result.content_type, dict(result.headers))
            return part_of(whole, part)
        if result is None:
            return Answer(204, b"", "text/html")
        faults = (
            response_faults(match.route.api, match.route.response, result) if match.route.response else []
        )
        if faults:
            raise ApiError(
                500, f"Emulator: {match.route.id} answered what it cannot: {'; '.join(faults[:5])}"
            )
        return Answer(200, as_json(result if mask is None else fields.project(mask, result), pretty))

    def _logged(self, request: Request, call: dict[str, str], fault: str, answer: Answer) -> Answer:
        entry = {
            **call,
            "verb": request.verb,
            "path": request.path,
            "query": request.query,
            "status": 0 if answer.drop else answer.status,
            "fault": fault,
            "bytes": [len(request.body), len(answer.body)],
        }
        self.log.append(entry)
        del self.log[:-LOG_LIMIT]
        return answer

    def _discovery(self, request: Request) -> Answer | None:
        """The documents the clients carry with them, for those that ask for them, with our address in place."""
        parts = request.path.strip("/").split("/")
        if request.path in ("/$discovery/rest", "/%24discovery/rest"):
            api = {"v4": "sheets.v4", "v1": "forms.v1", "v3": "drive.v3"}.get(request.first("version"))
        elif parts[:3] == ["discovery", "v1", "apis"] and len(parts) == 6:
            api = f"{parts[3]}.{parts[4]}"
        else:
            return None
        if api not in ("sheets.v4", "forms.v1", "drive.v3"):
            return no_such_page(request.path)
        shown = {**document(api), "rootUrl": f"{self.base}/", "baseUrl": f"{self.base}/"}
        shown.pop("mtlsRootUrl", None)
        return Answer(200, as_json(shown))

    def _old_upload(self, request: Request) -> Answer:
        """Drive v2, only as far as a CSV put into a spreadsheet goes."""
        match = find("PATCH", request.path.replace("/drive/v2/", "/drive/v3/"))
        if match is None or request.verb != "PUT":
            return no_such_page(request.path)
        request.query = [("uploadType", request.first("uploadType") or "media")]
        answer = self._call(request, match, True)
        return answer


def _bad_fields(api: str, path: str) -> ApiError:
    if api == "drive.v3":
        return ApiError(400, f"Invalid field selection {path}", reason="invalidParameter", location="fields")
    text = f"Error expanding 'fields' parameter. Cannot find matching fields for path '{path}'."
    error = field_violations((path, text))
    error.message = "Request contains an invalid argument."
    return error
