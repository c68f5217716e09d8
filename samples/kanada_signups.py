"""The sign-ups of the sample: ordinary traffic around the planted difficulties.

Promises: the list of responses, and who is on the list of each event already held. Every unplanted response is sound
and sent after the deadlines of all dates that its sender named before. Refuses to know: results and stars.
"""

from __future__ import annotations

import random
from datetime import timedelta

from kanada_calendar import AS_OF, EVENT_DAYS, HELD
from kanada_forms import DAY, Response, midnight, print_choice, read_instant
from kanada_people import SORCERERS, address_of, passphrase_of
from kanada_signup_plants import PLANTS, SENDINGS, Sending

HEADER = (
    "タイムスタンプ",
    "メールアドレス",
    "回答ID",
    "初回送信",
    "正式呼称",
    "あいことば",
    "参加を希望する開催日",
    "備考",
)
SHARE = 0.74  # of the events a sorcerer comes to
NOTES = ("よろしくお願いします", "初参加です", "球の交換を希望します", "授業のあとに直行します", "楽しみです")

# Those whose planted replications live on the stars of an event: they come to it.
COMES_TO = {
    "10-12": ("砂糖細工", "三毛猫大佐", "眠れる炭酸水", "うみほたる", "Dr.パセリ", "紙ひこうき", "雨宿り"),
    "10-13": ("Nocturne", "ミントティー", "らくがき帳", "灰色のソナタ", "ゼロヨン", "十六夜ポスト"),
    "10-14": ("ガラパゴス銀河", "ぽんかん", "がらくた船長", "夜　汽車", "ミント", "零番目の林檎"),
}
# A later response of these senders would omit a date that one of their planted ones leaves open.
STAYS_AWAY = frozenset({("砂糖細工", "10-14"), ("零番目の林檎", "10-14"), ("ミント", "10-17")})


def build_signups() -> tuple[list[Response], dict[str, list[str]]]:
    """Return all sign-up responses, and per event the names that the verdicts put on its list."""
    rng = random.Random("kanada sign-ups")
    responses = [_make_planted(sending) for sending in SENDINGS]
    taken = {(sending.name, day) for sending in SENDINGS for day in sending.days} | STAYS_AWAY
    expected = {event.day: _list_planted(event.day) for event in HELD}
    for name in SORCERERS:
        for days in _plan_batches(name, taken, rng):
            responses.append(_make_ordinary(name, days, rng))
            for day in days:
                if day in expected:
                    expected[day].append(name)
    order = {name: place for place, name in enumerate(SORCERERS)}
    return responses, {day: sorted(names, key=order.__getitem__) for day, names in expected.items()}


def _make_planted(sending: Sending) -> Response:
    sent = read_instant(sending.sent)
    return Response(
        sending.label,
        sent,
        read_instant(sending.created) if sending.created else sent,
        sending.address or address_of(sending.name, sent),
        sending.typed or sending.name,
        sending.passphrase or passphrase_of(sending.name, sent),
        (";".join(print_choice(day) for day in sending.days), sending.note),
    )


def _list_planted(day: str) -> list[str]:
    names = {sending.label: sending.name for sending in SENDINGS}
    return [names[plant.label] for plant in PLANTS if plant.key == day and plant.status == "受理"]


def _plan_batches(name: str, taken: set[tuple[str, str]], rng: random.Random) -> list[tuple[str, ...]]:
    """Choose what one sorcerer signs up for; two dates share a response only if no other event lies between."""
    batches: list[tuple[str, ...]] = []
    for place, day in enumerate(EVENT_DAYS[:5]):
        comes = rng.random() < SHARE or name in COMES_TO.get(day, ())
        joins_last = bool(batches) and batches[-1] == (EVENT_DAYS[place - 1],) and rng.random() < 0.25
        if not comes or (name, day) in taken:
            continue
        if joins_last:
            batches[-1] = (*batches[-1], day)
        else:
            batches.append((day,))
    later = tuple(day for day in EVENT_DAYS[5:9] if rng.random() < 0.4)
    planted_later = any(taken_name == name and day > "10-16" for taken_name, day in taken)
    return batches + ([later] if later and not planted_later else [])


def _make_ordinary(name: str, days: tuple[str, ...], rng: random.Random) -> Response:
    """Send on the eve of the first date; what lies ahead of the sample's instant was sent that morning."""
    start = min(midnight(days[0]) - DAY, midnight(f"{AS_OF:%m-%d}"))
    if days[0] == EVENT_DAYS[0]:
        start -= DAY * rng.randrange(2)
    first, last = (30, 740) if days[0] > EVENT_DAYS[4] else (7 * 60, 23 * 60 + 40)
    sent = start + timedelta(minutes=rng.randrange(first, last), seconds=rng.randrange(60))
    note = rng.choice(NOTES) if rng.random() < 0.2 else ""
    choices = ";".join(print_choice(day) for day in days)
    label = f"{name} {days[0]}"
    return Response(
        label, sent, sent, address_of(name, sent), name, passphrase_of(name, sent), (choices, note)
    )
