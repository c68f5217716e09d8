"""What rides beside a verdict and changes nothing: open points of the text (注意) and findings about an entry.

Promises: a point rides on an entry exactly when its other reading would change that entry's verdict. Refuses to know:
how the verdict came about. Sources: １章 あいことば, １章 禁止行為, RULINGS A-01 and A-32.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.clock import floor_second
from rules.frames import Finding
from rules.kanada.cases import Context
from rules.kanada.intake import Fate
from rules.kanada.reasons import note
from rules.verdicts import ACCEPTED, Note

_FACTORS = {
    "wrong_address": "アドレスが違う",
    "wrong_passphrase": "あいことばが違う",
    "unknown_name": "名前が名簿にない",
}


def find_notes(fate: Fate, context: Context) -> list[Note]:
    """A-01 and A-32: where the other reading would change this entry's verdict."""
    entry, policies = fate.entry, context.calendar.policies
    out = []
    edge = fate.deadline is not None and floor_second(entry.submitted_at) == fate.deadline
    if (
        edge
        and entry.submitted_at != fate.deadline
        and fate.machine not in ("unreadable", "unproved")
        and not fate.lost
    ):
        if policies.settled_reading("A-01", entry.submitted_at, entry.entry_id) is None:
            out.append(note("A-01"))
    if fate.machine == "unproved" and (fate.proof.owner or "unknown_name" not in fate.proof.faults):
        if policies.settled_reading("A-32", entry.submitted_at, entry.entry_id) is None:
            out.append(note("A-32", more="（" + "・".join(_FACTORS[f] for f in fate.proof.faults) + "）"))
    return out


def find_findings(fate: Fate) -> Sequence[Finding]:
    out, entry = [], fate.entry
    if "wrong_address" in fate.proof.faults and "wrong_passphrase" not in fate.proof.faults:
        out.append(
            Finding(
                "breach",
                entry.entry_id,
                f"{entry.name}の登録と違うアドレスからの送信です（禁止行為10）",
                entry.entry_id,
            )
        )
    if fate.proof.near_word:
        out.append(
            Finding(
                "near_miss",
                entry.entry_id,
                f"{entry.name}のあいことばは字形・かな・大小だけが違います",
                entry.entry_id,
            )
        )
    if "unknown_name" in fate.proof.faults and fate.proof.suggestion:
        text = f"「{entry.name}」に近い名前: {fate.proof.suggestion}"
        out.append(Finding("near_miss", entry.entry_id, text, entry.entry_id))
    ruling = fate.ruling
    if ruling is not None and ruling.ruling == ACCEPTED and not fate.proof.player:
        text = "裁定は受理ですが、誰の送信か分かりません。名簿に名前を足すか、不受理にしてください"
        out.append(Finding("unreadable", entry.entry_id, text, entry.entry_id))
    return out


def find_shaken(fates: Sequence[Fate], context: Context) -> dict[str, Note]:
    """Entries that count, but would not if a later unproved one of the same key were the player's own (A-32)."""
    strangers: dict[tuple[str, str], list[Fate]] = {}
    for fate in fates:
        in_time = fate.deadline is None or floor_second(fate.entry.submitted_at) <= fate.deadline
        if (
            fate.machine == "unproved"
            and fate.proof.player
            and in_time
            and "unknown_name" not in fate.proof.faults
        ):
            strangers.setdefault((fate.proof.player, fate.entry.rest), []).append(fate)
    out = {}
    for fate in fates:
        rivals = strangers.get((fate.proof.player, fate.entry.rest), []) if fate.effective == "" else []
        if any(rival.entry.submitted_at >= fate.entry.submitted_at for rival in rivals):
            if (
                context.calendar.policies.settled_reading(
                    "A-32", fate.entry.submitted_at, fate.entry.entry_id
                )
                is None
            ):
                out[fate.entry.entry_id] = note("A-32")
    return out
