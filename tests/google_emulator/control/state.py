"""The server itself: clock, settings, log, faults, and starting afresh."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.google_emulator.clock import microseconds, milliseconds, parse
from tests.google_emulator.control.arguments import truth

if TYPE_CHECKING:
    from tests.google_emulator.service import Service

Json = dict[str, Any]


def clock(service: Service, body: Json) -> Json:
    """{set: RFC 3339 to stand still there | advance: seconds | run: true to run with the machine again}"""
    if "set" in body:
        service.world.clock.set(parse(body["set"]))
    if truth(body.get("run", False)):
        service.world.clock.set(None)
    if "advance" in body:
        service.world.clock.advance(timedelta(seconds=float(body["advance"])))
    return {"now": microseconds(service.world.now())}


def settings(service: Service, body: Json) -> Json:
    """{strictAuth?: refuse missing and unknown tokens, serviceAccountsOwnFiles?: false answers storageQuotaExceeded,
    metadataFollowsSort?: row metadata goes along when whole rows are sorted, which nobody knows of the service}"""
    if "strictAuth" in body:
        service.accounts.strict = truth(body["strictAuth"])
    if "serviceAccountsOwnFiles" in body:
        service.world.service_accounts_own_files = truth(body["serviceAccountsOwnFiles"])
    if "metadataFollowsSort" in body:
        service.world.metadata_follows_sort = truth(body["metadataFollowsSort"])
    return {
        "strictAuth": service.accounts.strict,
        "serviceAccountsOwnFiles": service.world.service_accounts_own_files,
        "metadataFollowsSort": service.world.metadata_follows_sort,
    }


def fault(service: Service, body: Json) -> Json:
    """{kind, match?: {method, verb, path, api, file, caller: patterns}, skip?: calls, times?: 1 (0 = always), options}."""
    return service.faults.add(body).shown()


def faults(service: Service, body: Json) -> Json:
    """All scripts, and how often each has struck."""
    return {"faults": [each.shown() for each in service.faults.scripts]}


def clear_faults(service: Service, body: Json) -> Json:
    """Forgets all scripts, or the one with this {id}."""
    wanted = body.get("id")
    service.faults.scripts = [each for each in service.faults.scripts if wanted and each.id != int(wanted)]
    return faults(service, {})


def files(service: Service, body: Json) -> Json:
    """Every file there is, whoever it belongs to."""
    found = [
        {
            "id": file.id,
            "name": file.name,
            "mimeType": file.mime,
            "owner": file.owner,
            "modifiedTime": milliseconds(file.modified),
            "trashed": file.trashed,
        }
        for file in service.world.files.values()
    ]
    return {"files": found}


def log(service: Service, body: Json) -> Json:
    """The calls answered so far, oldest first: method, caller, status (0 = dropped), fault, bytes in and out."""
    return {"calls": service.log}


def clear_log(service: Service, body: Json) -> Json:
    """Forgets the calls answered so far."""
    service.log.clear()
    return {"calls": []}


def reset(service: Service, body: Json) -> Json:
    """As just started: no files, accounts, tokens, faults or log; the clock runs."""
    service.world.files.clear()
    service.world.pages.clear()
    service.world.clock.set(None)
    service.world.service_accounts_own_files = True
    service.world.metadata_follows_sort = False
    service.accounts.keys.clear()
    service.accounts.tokens.clear()
    service.accounts.grants.clear()
    service.accounts.strict = False
    service.faults.scripts.clear()
    service.late.clear()
    service.uploads.sessions.clear()
    service.log.clear()
    return {}
