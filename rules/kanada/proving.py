"""Who an entry is from: the claim held against the roster, with what speaks against it.

Promises: an entry that is not proved is nobody's until a master says so; a near miss is suggested, never applied; the
policy decides whether a wrong word from the registered address is the player's own flawed form (A-32). Refuses to
know: what the entry asks for. Sources: １章 あいことば, １章 禁止行為.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from rules.identity import Member, Word, fold, identify, normalise_address, owners, suggest_name
from rules.kanada.intake import Entry, Proof
from rules.kanada.policies import Policies


def prove(
    entries: Sequence[Entry],
    members: Sequence[Member],
    words: Sequence[Word],
    *,
    verified: bool,
    policies: Policies,
) -> list[Proof]:
    """Compare name, address and secret word with what was registered at the instant of submission."""
    if not entries:
        return []
    claims = pd.DataFrame(
        {
            "name": pd.Series([entry.name for entry in entries], dtype="str"),
            "address": pd.Series([entry.address for entry in entries], dtype="str"),
            "exact": pd.Series([_digest(entry, "exact") for entry in entries], dtype="str"),
            "submitted_at": pd.Series([entry.submitted_at for entry in entries]),
        }
    )
    found = identify(claims, members, words)
    names = list(dict.fromkeys(member.player for member in members))
    out = []
    for entry, known, address, word, role in zip(
        entries, found["known"], found["address_ok"], found["word_ok"], found["role"], strict=True
    ):
        if known:
            out.append(
                _prove_member(entry, address, word, str(role), words, verified=verified, policies=policies)
            )
        else:
            registered = owners(members, entry.submitted_at).get(normalise_address(entry.address), "")
            out.append(
                _prove_stranger(
                    entry, names, registered, members, words, verified=verified, policies=policies
                )
            )
    return out


def _prove_member(
    entry: Entry,
    address: bool,
    word: bool,
    role: str,
    words: Sequence[Word],
    *,
    verified: bool,
    policies: Policies,
) -> Proof:
    """A name on the roster: what its address and word say. Where a form cannot verify addresses, the address is a
    claim and the word alone proves."""
    faults = [] if address or not verified else ["wrong_address"]
    faults += [] if word else ["wrong_passphrase"]
    theirs = verified and faults == ["wrong_passphrase"]
    flawed = theirs and policies.takes_wrong_word(entry.submitted_at, entry.entry_id)
    near = not word and _digest(entry, "folded") in {w.folded for w in words if w.player == entry.name}
    proved = not faults or flawed
    return Proof(entry.name, role, proved, tuple(faults), flawed, "", near, other_address=not address)


def _prove_stranger(
    entry: Entry,
    names: Sequence[str],
    registered: str,
    members: Sequence[Member],
    words: Sequence[Word],
    *,
    verified: bool,
    policies: Policies,
) -> Proof:
    """A name that is not on the roster: suggested to masters, counted only if the policy says so."""
    right = {word.player for word in words if word.exact == _digest(entry, "exact")}
    owner = registered if verified and registered in right else ""
    near = [name for name in names if fold(name) == fold(entry.name)]
    suggestion = near[0] if len(near) == 1 else owner or suggest_name(entry.name, names)
    flawed = bool(owner) and policies.takes_wrong_word(entry.submitted_at, entry.entry_id)
    player = owner if flawed else suggestion
    role = next((member.role for member in members if member.player == player), "")
    return Proof(player, role, flawed, ("unknown_name",), flawed, suggestion, False, owner)


def _digest(entry: Entry, kind: str) -> str:
    secret = entry.answers.get("passphrase")
    return str(secret.get(kind, "")) if isinstance(secret, dict) else ""
