"""What an application would take from its player's stars, asked before the fold is played.

Promises: flaws of the form and of ownership are found here, once, in the order of judgement. Refuses to know: the
stars. Source: ４章 星座複製.
"""

from __future__ import annotations

from rules.kanada import replication
from rules.kanada.book import Bid
from rules.kanada.calendar import Calendar
from rules.kanada.cases import Context, find_undecided
from rules.kanada.intake import Fate
from rules.verdicts import ACCEPTED, HELD, REFUSED, Reason

OPEN_CODES = ("same_instant", "later_than_ruling", "twice")


def bid_for(fate: Fate, context: Context) -> Bid | None:
    """What a replication would take from the stars; one that its form or ownership already refuses only asks."""
    day = fate.entry.day
    if (
        day is None
        or not fate.proof.player
        or (fate.effective not in ("", *OPEN_CODES) and fate.machine != "")
    ):
        return None
    ruled = fate.ruling.ruling if fate.ruling is not None else ""
    forced = ruled == ACCEPTED and fate.effective == ""
    found = context.catalogue.get(replication.read_constellation(fate.entry))
    stars = replication.read_stars(fate.entry.answers)
    if found is None or (stars.unreadable and not forced):
        return None
    flawed = not forced and bool(find_form_reasons(fate, context.calendar, context))
    return Bid(
        fate.entry.entry_id,
        fate.proof.player,
        day,
        replication.spends_at(day, context.calendar),
        found.cost if forced else stars.numbers,
        forced,
        decided=find_undecided(fate, context) is None,
        open=fate.effective in OPEN_CODES or ruled == HELD or (fate.lost and not ruled),
        ghost=flawed or ruled == REFUSED or fate.effective not in ("", *OPEN_CODES),
    )


def find_form_reasons(fate: Fate, calendar: Calendar, context: Context) -> list[Reason]:
    """All that speaks against a replication before the stars are asked, in the order of judgement."""
    day = fate.entry.day
    if day is None:
        return []
    name = replication.read_constellation(fate.entry)
    return [
        *replication.find_outside(day, calendar),
        *replication.find_flaws(fate, day, calendar, context.catalogue),
        *replication.find_owned_reason(fate.proof.player, name, day, calendar, context.owned),
    ]
