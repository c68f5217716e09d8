"""The control path, `/__control__/<operation>`: what no API can do, for tests in this process and in any other.

A POST carries a JSON object and gets one back; what only looks may be a GET with a query. `GET /__control__/` lists
all operations. The same operations are the `actions` of a fault of kind `change`, named by their `do`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.google_emulator.control import accounts, formside, sheetside, state
from tests.google_emulator.control.arguments import ControlError, required
from tests.google_emulator.errors import ApiError
from tests.google_emulator.faults import KINDS, Fault, FaultError
from tests.google_emulator.messages import Answer, Request, as_json

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]
Operation = Callable[["Service", Json], Json]

OPERATIONS: dict[str, Operation] = {
    "clock": state.clock,
    "fault": state.fault,
    "faults": state.faults,
    "faults/clear": state.clear_faults,
    "files": state.files,
    "log": state.log,
    "log/clear": state.clear_log,
    "reset": state.reset,
    "settings": state.settings,
    "expire": accounts.expire,
    "refresh-token": accounts.refresh_token,
    "revoke-grant": accounts.revoke_grant,
    "service-account": accounts.service_account,
    "share": accounts.share,
    "token": accounts.token,
    "unshare": accounts.unshare,
    "add-item": formside.add_item,
    "delete": formside.delete,
    "delete-all": formside.delete_all,
    "edit": formside.edit,
    "form": formside.change_form,
    "grade": formside.regrade,
    "link": formside.link,
    "submit": formside.submit,
    "call": sheetside.call,
    "delete-rows": sheetside.delete_rows,
    "insert-rows": sheetside.insert_rows,
    "protect": sheetside.protect,
    "sort": sheetside.sort,
    "write": sheetside.write,
}


def operate(service: Service, name: str, body: Json) -> Json:
    """One operation, alone: no request sees half of it."""
    operation = OPERATIONS.get(name)
    if operation is None:
        raise ControlError(f"there is no operation {name!r}; GET /__control__/ lists them", 404)
    with service.world.lock:
        return operation(service, body)


def answer(service: Service, request: Request) -> Answer:
    name = request.path.removeprefix("/__control__").strip("/")
    try:
        if not name:
            return Answer(200, as_json({each: _told(each, made) for each, made in OPERATIONS.items()}))
        body = json.loads(request.body or b"{}") if request.verb != "GET" else dict(request.query)
        if not isinstance(body, dict):
            raise ControlError("the body must be a JSON object")
        return Answer(200, as_json(operate(service, name, body)))
    except ControlError as error:
        return Answer(error.code, as_json({"error": str(error)}))
    except (FaultError, ValueError) as error:
        return Answer(400, as_json({"error": str(error)}))
    except ApiError as error:
        return Answer(error.code, as_json(error.body()))


def _told(name: str, operation: Operation) -> str:
    text = (operation.__doc__ or "").strip()
    if name == "fault":
        text += " Kinds: " + "; ".join(f"{kind} ({what})" for kind, what in KINDS.items()) + "."
    return text


def strike(service: Service, fault: Fault, call: dict[str, str]) -> None:
    """What the faults `revoke`, `protect` and `change` do to the world."""
    options = fault.options
    if fault.kind == "revoke":
        email = options.get("email", call["caller"])
        operate(service, "unshare", {"fileId": options.get("fileId", call["file"]), "email": email})
    elif fault.kind == "protect":
        operate(service, "protect", {"spreadsheetId": call["file"], **options})
    else:
        for action in options.get("actions", []):
            rest = {name: each for name, each in action.items() if name != "do"}
            operate(service, required(action, "do"), rest)
