"""The replications of the sample, played day by day so that every verdict follows from the stars at hand.

Promises: no unplanted application is unsound, and a planted one whose verdict would not follow from the data stops
the generator. Refuses to know: how Saitei judges; the few conditions here are written a second time on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, timedelta

from kanada_calendar import AS_OF
from kanada_forms import DAY, SECOND, Response, midnight, print_choice, read_instant
from kanada_people import SCHOLARS, SORCERERS, address_of, passphrase_of
from kanada_replication_plants import CLAIMS, DEAR, FORMULA, FULL_WIDTH, KANJI, ONE_MORE, PLANTS, Claim
from kanada_results import Gain
from kanada_stars import BY_NAME, CONSTELLATIONS, GRADES, STAR_GIVERS

HEADER = (
    "タイムスタンプ",
    "メールアドレス",
    "回答ID",
    "初回送信",
    "正式呼称",
    "あいことば",
    "複製を行う日",
    "複製する星座",
    *(f"消費する{grade}等星の個数" for grade in GRADES),
)
DAYS = ("10-11", "10-12", "10-13", "10-14", "10-15", "10-16", "10-17", "10-18", "10-19")
BUSY_DAYS = ("10-13", "10-14", "10-15", "10-16", "10-17")
SHARE = 0.5
# Their planted claims take whatever they can pay, so earlier spending does them no harm.
MAY_SPEND_EARLIER = frozenset({"零番目の林檎", "がらくた船長", "夜　汽車"})
NO_NEED_TO_PAY = frozenset({"本人不一致", "期限後", "対象外"})
_STATUS = {(plant.label, plant.key): (plant.preview or plant.status, plant.reason) for plant in PLANTS}

Cost = tuple[int, ...]
Owners = Mapping[str, tuple[str, str]]


class Purse:
    """Stars of all sorcerers: what came in until an instant, less what was spent so far."""

    def __init__(self, gains: list[Gain]) -> None:
        self._gains = gains
        self._spent: dict[str, Cost] = {}

    def count(self, name: str, instant: datetime) -> Cost:
        """Return the stars at hand, 1等星 first; a gain in that very second is in."""
        come = [0] * len(GRADES)
        for gain in self._gains:
            if gain.name == name and gain.at <= instant:
                come[gain.grade - 1] += gain.amount
        gone = self._spent.get(name, (0,) * len(GRADES))
        return tuple(have - used for have, used in zip(come, gone, strict=True))

    def pays(self, name: str, star: str, instant: datetime) -> bool:
        """Tell whether the stars at hand cover a replication."""
        stars = zip(self.count(name, instant), BY_NAME[star].cost, strict=True)
        return all(have >= need for have, need in stars)

    def spend(self, name: str, star: str) -> None:
        """Take the stars of an accepted replication."""
        gone = self._spent.get(name, (0,) * len(GRADES))
        self._spent[name] = tuple(a + b for a, b in zip(gone, BY_NAME[star].cost, strict=True))


def build_replications(gains: list[Gain], owners: Owners) -> list[Response]:
    """Return all replication responses; `owners` gives each sorcerer's constellations of 10-12 and 10-15."""
    rng = random.Random("kanada replications")
    purse = Purse(gains)
    responses = []
    for day in DAYS:
        for name in (*SORCERERS, *SCHOLARS):
            claims = [claim for claim in CLAIMS if (claim.name, claim.day) == (name, day)]
            if claims:
                responses += _play_planted(claims, purse, owners, rng)
            elif name in SORCERERS and day in BUSY_DAYS and _is_free(name, day) and rng.random() < SHARE:
                responses += _play_ordinary(name, day, purse, owners, rng)
    return responses


def _is_free(name: str, day: str) -> bool:
    """Keep the stars of those whose planted claim is still to come; after it they spend as they like."""
    ahead = [claim for claim in CLAIMS if claim.name == name and claim.day > day]
    return name in MAY_SPEND_EARLIER or not ahead


def _owned(name: str, day: str, owners: Owners) -> str:
    """Return the constellation that is owned at 00:00:00 of a day, after that instant's loss and acquisition."""
    if name not in owners or not "10-12" <= day < "10-18":
        return ""
    return owners[name][0 if day < "10-15" else 1]


def _list_payable(name: str, day: str, instant: datetime, purse: Purse, owners: Owners) -> list[str]:
    own = _owned(name, day, owners)
    names = [star.name for star in CONSTELLATIONS if star.name != own and star.name not in STAR_GIVERS]
    return [star for star in names if purse.pays(name, star, instant)]


def _play_planted(claims: list[Claim], purse: Purse, owners: Owners, rng: random.Random) -> list[Response]:
    """Choose the constellations of one sender and day, hold each against its planned verdict, spend what counts."""
    responses, chosen = [], set()
    for claim in claims:
        eve = midnight(claim.day) - SECOND
        payable = _list_payable(claim.name, claim.day, eve, purse, owners)
        status, reason = _STATUS[claim.label, claim.day]
        fresh = [star for star in payable if star not in chosen]
        if claim.star == DEAR:
            star = next(
                star.name for star in reversed(CONSTELLATIONS) if star.name not in {*payable, *STAR_GIVERS}
            )
        elif claim.star or not fresh:
            star = claim.star or "氷菓座"
        else:
            star = rng.choice(fresh)
        chosen.add(star)
        _refuse_unless_it_follows(claim, star, status, reason, purse, owners)
        if status == "受理":
            purse.spend(claim.name, star)
        stars = _write_stars(BY_NAME[star].cost, claim.writing, rng)
        responses.append(_respond(claim, star, stars))
    return responses


def _refuse_unless_it_follows(
    claim: Claim, star: str, status: str, reason: str, purse: Purse, owners: Owners
) -> None:
    """Stop if the data do not bear the planned verdict: each planted refusal must have that one reason only."""
    pays = purse.pays(claim.name, star, midnight(claim.day) - SECOND)
    owns = _owned(claim.name, claim.day, owners) == star
    if status in NO_NEED_TO_PAY or reason == "role":
        sound = not owns
    else:
        sound = pays == (reason != "stars_short") and owns == (reason == "owned")
    if not sound:
        raise ValueError(f"{claim.label} ({claim.name}, {claim.day}, {star}): {status} does not follow")


def _play_ordinary(name: str, day: str, purse: Purse, owners: Owners, rng: random.Random) -> list[Response]:
    """Let a sorcerer replicate what can be paid; who waits for the evening's result sends after it."""
    eve = midnight(day) - DAY
    last = min(midnight(day) - timedelta(minutes=8), AS_OF - timedelta(minutes=5))
    early = eve + timedelta(hours=8)
    start = early
    payable = _list_payable(name, day, early, purse, owners)
    if not payable:
        payable, start = _list_payable(name, day, last, purse, owners), eve + timedelta(hours=22, minutes=25)
    if not payable or start >= last:
        return []
    star = rng.choice(payable)
    purse.spend(name, star)
    sent = start + SECOND * rng.randrange(int((last - start).total_seconds()))
    if rng.random() < 0.06:
        sent += timedelta(milliseconds=rng.randrange(1, 1000))
    claim = Claim(f"{name} {day}", name, day, f"{sent:%m-%d %H:%M:%S.%f}")
    return [_respond(claim, star, _write_stars(BY_NAME[star].cost, "", rng))]


def _write_stars(cost: Cost, writing: str, rng: random.Random) -> tuple[str, ...]:
    """Write the numbers of stars as the sender typed them; most leave the other grades blank, some type 0."""
    nothing = "0" if rng.random() < 0.3 else ""
    texts = [str(number) if number else nothing for number in cost]
    spot = next(place for place, number in enumerate(cost) if number)
    number = cost[spot]
    if writing == FULL_WIDTH:
        texts = [
            text.translate({ord("0") + digit: ord("０") + digit for digit in range(10)}) for text in texts
        ]
    elif writing:
        texts[spot] = {
            KANJI: "〇一二三四五"[number] + "個",
            ONE_MORE: str(number + 1),
            FORMULA: f"={number}+0",
        }[writing]
    return tuple(texts)


def _respond(claim: Claim, star: str, stars: tuple[str, ...]) -> Response:
    sent = read_instant(claim.sent)
    return Response(
        claim.label,
        sent,
        read_instant(claim.created) if claim.created else sent,
        claim.address or address_of(claim.name, sent),
        claim.typed or claim.name,
        claim.passphrase or passphrase_of(claim.name, sent),
        (print_choice(claim.day), star, *stars),
    )
