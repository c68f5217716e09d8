"""The chronological fold: what is gained, what is spent, what fires, and which applications the stars allow.

Promises: events are handled in the order of instant and phase; a handler sees the balances and returns postings,
only the loop applies them; what could go either way because an earlier entry waits for a ruling waits too, and says
for what. Refuses to know: where events come from, and how an application is written.
Sources: ４章 星座複製, ４章 恒星, ３章 星座効果, ６章 襲撃権.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pandas as pd

from rules.game import Opening
from rules.kanada.book import Account, Answer, Attack, Bid, Book, Fire, Item, Loss, Played, Queue
from rules.kanada.phases import ATTACK, EFFECT, RIGHT_LOST, SPENT
from rules.kanada.results import Gain
from rules.kanada.strikes import HELD, RETURNED, Formed, Ruled, Strike, rule_strike
from rules.kanada.superiority import Standing
from rules.postings import Posting, cut


def play(
    gains: Iterable[Gain],
    bids: Sequence[Bid],
    losses: Iterable[tuple[pd.Timestamp, str]],
    opening: Opening | None,
    as_of: pd.Timestamp,
    fires: Iterable[Fire] = (),
    granted: Callable[[Bid], Iterable[Fire]] = lambda _bid: (),
    attacks: Iterable[Attack] = (),
    stand: Callable[[Strike], Standing | None] = lambda strike: strike.standing,
) -> Played:
    """Run the game up to `as_of` (bids also beyond, as a preview).

    `losses`: (instant, player) at which all rights are lost. `granted` gives what an accepted bid sets off later,
    `stand` how an attacker stands to the target at the freeze.
    With an `opening` its balances hold before everything and nothing is posted at or before it.
    """
    book = Book(dict(opening.balances) if opening else {})
    start = opening.at.value if opening else None
    until = as_of.value
    queue = Queue()
    for gain in gains:
        queue.push(gain.posting.at, gain.posting.phase, gain)
    for bid in bids:
        queue.push(bid.at, SPENT, bid, bid.entry_id)
    for instant, player in losses:
        queue.push(instant, RIGHT_LOST, Loss(instant, player))
    for fire in fires:
        queue.push(fire.at, EFFECT, fire, _order(fire))
    for attack in attacks:
        queue.push(attack.strike.freeze, ATTACK, attack, attack.strike.entry_id)
    answers: dict[str, Answer] = {}
    ruled: dict[str, Ruled] = {}
    while (head := queue.pop()) is not None:
        due, item = head
        counts = start is None or due > start
        if isinstance(item, Bid):
            answers[item.entry_id], accepted = _handle_bid(item, book, counts=counts)
            for fire in granted(item) if accepted else ():
                queue.push(fire.at, EFFECT, fire, _order(fire))
        elif isinstance(item, Attack):
            strike = item.strike._replace(standing=stand(item.strike))
            ruled[strike.entry_id] = _handle_attack(strike, item.gains, book, queue, counts=counts)
        elif counts and due <= until:
            _handle(item, book)
    return Played(book.postings, answers, book.balances, ruled)


def _order(fire: Fire) -> str:
    """Effects of one's own constellation before others (３章 星座効果)."""
    return f"{fire.player}/{0 if fire.owned else 1}"


def _handle(item: Item, book: Book) -> None:
    if isinstance(item, Gain):
        _handle_gain(item, book)
    elif isinstance(item, Loss):
        _handle_loss(item.at, item.player, book)
    elif isinstance(item, Fire):
        _handle_fire(item, book)


def _handle_fire(fire: Fire, book: Book) -> None:
    for account, wanted in fire.needs:
        if (book.balances.get((fire.player, account), 0) > 0) != wanted:
            return
    if fire.group:
        if (fire.at, fire.player, fire.group) in book.worked:
            return
        book.worked.add((fire.at, fire.player, fire.group))
    for gain in fire_gains(fire, book.balances):
        _handle_gain(gain, book)


def fire_gains(fire: Fire, balances: Mapping[Account, int]) -> list[Gain]:
    """The amounts of an effect; a percentage is of the balance just before it."""
    out = []
    before = dict(balances)
    for account, amount, percent in fire.amounts:
        exact = before.get((fire.player, account), 0) * amount / 100 if percent else amount
        whole = cut(exact)
        if whole:
            posting = Posting(
                fire.at,
                EFFECT,
                fire.player,
                account,
                whole,
                fire.cause,
                "effect_fired",
                "３章 星座効果",
                audience=fire.player,
            )
            out.append(Gain(posting, fire.waits_for))
    return out


def _handle_gain(gain: Gain, book: Book) -> None:
    if gain.waits_for:
        key = (gain.posting.player, gain.posting.account)
        waiting = book.bringing.setdefault(key, {})
        waiting[gain.waits_for] = waiting.get(gain.waits_for, 0) + gain.posting.amount
    else:
        book.apply(gain.posting)


def _handle_loss(instant: pd.Timestamp, player: str, book: Book) -> None:
    left = book.balances.get((player, "right"), 0)
    if left > 0:
        cause = f"襲撃権/{player}"
        book.apply(
            Posting(
                instant,
                RIGHT_LOST,
                player,
                "right",
                -left,
                cause,
                "right_lost",
                "６章 襲撃権",
                audience=player,
            )
        )


def _handle_bid(bid: Bid, book: Book, *, counts: bool) -> tuple[Answer, bool]:
    """The answer, and whether the bid is carried out for good."""
    answer = _ask(bid, book)
    if bid.ghost:
        return answer, False
    accepted = bid.forced or answer.enough
    if bid.open or (accepted and not bid.decided) or (not accepted and answer.waits_for):
        _hold(bid, book)
        return answer, False
    if accepted and counts:
        for posting in spend(bid):
            book.apply(posting)
    return answer, accepted


def _handle_attack(strike: Strike, gains: Sequence[Gain], book: Book, queue: Queue, *, counts: bool) -> Ruled:
    """Rule a freeze; if it formed, take the right, and queue what the attack books at its 成立時刻."""
    rights = book.balances.get((strike.attacker, "right"), 0)
    answer = rule_strike(strike, rights, book.past.list_open(strike), book.past.near(strike))
    blocked = any(ruling.startswith("!") for ruling in answer.rulings)
    sound = not (answer.codes or answer.waits_for or blocked)
    if strike.forced == RETURNED or (not strike.forced and answer.codes and not strike.open):
        return answer
    waiting = not strike.forced and (strike.open or not sound or not strike.decided)
    holds = strike.forced == HELD or not strike.forced
    book.past.add(Formed(strike, holds, waiting))
    if waiting:
        return answer
    if counts:
        cause = strike.entry_id
        book.apply(
            Posting(
                strike.freeze,
                ATTACK,
                strike.attacker,
                "right",
                -1,
                cause,
                "right_spent",
                "６章 襲撃権",
                audience=strike.attacker,
            )
        )
    for gain in gains:
        queue.push(gain.posting.at, gain.posting.phase, gain, strike.entry_id)
    return answer


def _hold(bid: Bid, book: Book) -> None:
    for grade, number in bid.cost.items():
        if number:
            book.taking.setdefault((bid.player, f"star/{grade}"), {}).setdefault(bid.day, {})[
                bid.entry_id
            ] = number


def _ask(bid: Bid, book: Book) -> Answer:
    """Enough in the worst case: enough. Too few in the best: too few. Between the two: wait."""
    held: dict[int, int] = {}
    worst = best = True
    waits: list[str] = []
    for grade, number in bid.cost.items():
        key = (bid.player, f"star/{grade}")
        held[grade] = book.balances.get(key, 0)
        if not number:
            continue
        taking, bringing = book.taking.get(key, {}), book.bringing.get(key, {})
        worst_taken = sum(max(rivals.values()) for rivals in taking.values())
        low = held[grade] - worst_taken + sum(min(n, 0) for n in bringing.values())
        high = held[grade] + sum(max(n, 0) for n in bringing.values())
        worst, best = worst and low >= number, best and high >= number
        if low < number <= high:
            waits += [*(entry for rivals in taking.values() for entry in rivals), *bringing]
    if worst or not best:
        return Answer(worst, held, ())
    return Answer(False, held, tuple(dict.fromkeys(waits)))


def spend(bid: Bid) -> Iterable[Posting]:
    """The postings of a replication: each grade's cost at the eve's 23:59:59."""
    for grade, number in bid.cost.items():
        if number:
            yield Posting(
                bid.at,
                SPENT,
                bid.player,
                f"star/{grade}",
                -number,
                bid.entry_id,
                "replication_cost",
                "４章 星座複製",
                audience=bid.player,
            )
