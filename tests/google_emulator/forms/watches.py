"""Watches: made, listed, renewed, deleted. Nothing is delivered, for there is no Pub/Sub on loopback."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from tests.google_emulator.clock import microseconds, parse
from tests.google_emulator.errors import ApiError, invalid, not_found
from tests.google_emulator.forms.model import Form, Json, form_of
from tests.google_emulator.world import Caller, World

LIFE = timedelta(days=7)
_TOPIC = re.compile(r"^projects/[^/]+/topics/[^/]+$")
_ID = re.compile(r"^[a-z0-9-]{4,63}$")


def _alive(form: Form, world: World) -> dict[str, Json]:
    form.watches = {
        name: watch for name, watch in form.watches.items() if parse(watch["expireTime"]) > world.now()
    }
    return form.watches


def create(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    form = form_of(world.files[params["formId"]], world)
    watch, name = body.get("watch", {}), body.get("watchId", "")
    kind = watch.get("eventType", "EVENT_TYPE_UNSPECIFIED")
    topic = watch.get("target", {}).get("topic", {}).get("topicName", "")
    if kind == "EVENT_TYPE_UNSPECIFIED":
        raise invalid("The event type must be specified.")
    if not _TOPIC.match(topic):
        raise invalid("The Pub/Sub topic name is not valid.")
    if name and not _ID.match(name):
        raise invalid("The watch ID is not valid.")
    alive = _alive(form, world)
    if name in alive or any(each["eventType"] == kind for each in alive.values()):
        raise ApiError(409, "Requested entity already exists", status="ALREADY_EXISTS")
    name = name or f"{world.ids.hexadecimal()}-{world.ids.hexadecimal()}"
    made = {"id": name, "target": watch["target"], "eventType": kind, "createTime": microseconds(world.now())}
    alive[name] = {**made, "expireTime": microseconds(world.now() + LIFE), "state": "ACTIVE"}
    return alive[name]


def list_all(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    alive = _alive(form_of(world.files[params["formId"]], world), world)
    return {"watches": list(alive.values())} if alive else {}


def renew(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    watch = _alive(form_of(world.files[params["formId"]], world), world).get(params["watchId"])
    if watch is None:
        raise not_found()
    watch["expireTime"] = microseconds(world.now() + LIFE)
    return watch


def delete(params: dict[str, Any], body: Json, caller: Caller, world: World) -> Json:
    alive = _alive(form_of(world.files[params["formId"]], world), world)
    if alive.pop(params["watchId"], None) is None:
        raise not_found()
    return {}
