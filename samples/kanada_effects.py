"""The effect forms of the sample as responses, each held against who holds the effect on its day.

Promises: a planted verdict that would not follow from the holdings, and an unplanted form that would not be sound,
stop the generator. Refuses to know: how Saitei judges; the one condition here is written a second time on purpose.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import kanada_replication_plants
from kanada_effect_plants import PLANTS, SENDINGS, Sending
from kanada_forms import Response, print_choice, read_instant
from kanada_people import SCHOLARS, address_of, passphrase_of
from kanada_stars import EFFECTS

BLOCKS = 5
HEADER = (
    "タイムスタンプ",
    "メールアドレス",
    "回答ID",
    "初回送信",
    "正式呼称",
    "あいことば",
    *(
        f"{title} {number}"
        for number in range(1, BLOCKS + 1)
        for title in ("効果が発動する日", "星座効果", "内容")
    ),
)
FIRST_DAYS, SECOND_DAYS = ("10-12", "10-13", "10-14"), ("10-15", "10-16", "10-17")
REACQUIRED = "10-15"
NOT_HELD = "not_held"
_SIGN_OF = {effect.name: effect.constellation for effect in EFFECTS}
_PLANS = {
    (plant.label, plant.key): (plant.preview or plant.status, plant.reason or plant.preview_reason)
    for plant in PLANTS
}

Owners = Mapping[str, tuple[str, str]]


def build_effects(owners: Owners, replications: Collection[Response]) -> list[Response]:
    """Return all effect responses."""
    copies = list_copies(replications)
    for sending in SENDINGS:
        for day, effect, _ in sending.blocks:
            _refuse_unless_it_follows(sending, day, effect, owners, copies)
    return [_respond(sending) for sending in SENDINGS]


def list_copies(replications: Collection[Response]) -> set[tuple[str, str, str]]:
    """Return who gets the effects of which constellation on which day by a replication that is (or will be) good."""
    plans = {p.label: p.preview or p.status for p in kanada_replication_plants.PLANTS}
    return {
        (response.name.strip(), response.answers[0], response.answers[1])
        for response in replications
        if plans.get(response.label, "受理") == "受理"
    }


def holds(name: str, effect: str, day: str, owners: Owners, copies: Collection[tuple[str, str, str]]) -> bool:
    """Tell whether an effect is held on a day and was not ended and granted anew at its first instant."""
    sign = _SIGN_OF.get(effect, "")
    if name not in owners or not sign:
        return False
    if (name, print_choice(day), sign) in copies:
        return True
    first, second = owners[name]
    if day == REACQUIRED and first == second:
        return False
    return (day in FIRST_DAYS and first == sign) or (day in SECOND_DAYS and second == sign)


def _refuse_unless_it_follows(
    sending: Sending, day: str, effect: str, owners: Owners, copies: Collection[tuple[str, str, str]]
) -> None:
    """Stop if the holdings do not bear the plan; a flaw of the form itself must be the only one."""
    status, reason = _PLANS.get((sending.label, f"{day}/{effect}"), ("受理", ""))
    known = effect in _SIGN_OF and sending.name not in SCHOLARS and status != "対象外"
    if known and holds(sending.name, effect, day, owners, copies) == (reason == NOT_HELD):
        raise ValueError(f"{sending.label} ({sending.name}, {day}, {effect}): {status} does not follow")


def _respond(sending: Sending) -> Response:
    sent = read_instant(sending.sent)
    blocks = (*sending.blocks, *(("", "", ""),) * (BLOCKS - len(sending.blocks)))
    cells = [(print_choice(day) if day else "", effect, content) for day, effect, content in blocks]
    return Response(
        sending.label,
        sent,
        read_instant(sending.created) if sending.created else sent,
        address_of(sending.name, sent),
        sending.name,
        sending.passphrase or passphrase_of(sending.name, sent),
        tuple(cell for block in cells for cell in block),
    )
