"""Who sent it: exact words, dated registration, and near misses that are shown and never applied."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pandas as pd
import pytest
from builders import EARLY, SECOND, jst
from hypothesis import given
from hypothesis import strategies as st

from pipeline.seal import digest_word
from rules.identity import (
    FOREVER,
    Member,
    Word,
    fold,
    identify,
    normalise_address,
    normalise_name,
    owners,
    suggest_name,
)

KEY = b"k"
CHANGE = jst("10-14 10:00:00")


def word(player: str, text: str, since: pd.Timestamp = EARLY) -> Word:
    return Word(player, since, *digest_word(text, KEY))


def member(
    player: str,
    address: str = "",
    start: pd.Timestamp = EARLY,
    stop: pd.Timestamp = FOREVER,
    role: str = "星術師",
) -> Member:
    return Member(player, start, stop, role, address)


MEMBERS = (member("髙梨", "a@example.com"), member("ガラ", "b+game@example.com"))
WORDS = (word("髙梨", "ほし"), word("ガラ", "つき"))


def judge(
    name: str, address: str = "a@example.com", secret: str = "ほし", at: pd.Timestamp = CHANGE,
    members: Sequence[Member] = MEMBERS, words: Sequence[Word] = WORDS,
) -> tuple[bool, bool, bool, str]:  # fmt: skip
    claims = pd.DataFrame(
        {"name": [name], "address": [address], "exact": [digest_word(secret, KEY)[0]], "submitted_at": [at]}
    )
    row = identify(claims, members, words).iloc[0]
    return bool(row["known"]), bool(row["address_ok"]), bool(row["word_ok"]), str(row["role"])


RIGHT = (True, True, True, "星術師")
STRANGER = (False, False, False, "")


def test_name_address_and_word_prove_a_player() -> None:
    assert judge("髙梨") == RIGHT


def test_a_name_is_exact_after_composition_and_trim() -> None:
    assert judge("  髙梨\u3000") == RIGHT
    decomposed = unicodedata.normalize("NFD", "ガラ")
    assert decomposed != "ガラ"
    assert judge(decomposed, "b+game@example.com", "つき") == RIGHT
    for other in ("高梨", "髙 梨", "髙梨ー", "ｶﾞﾗ", "がら", ""):
        assert judge(other) == STRANGER, other


def test_a_word_is_exact_after_composition_and_trim() -> None:
    assert judge("髙梨", secret=" ほし\n")[2]
    for other in ("ホシ", "ほ し", "ほし。", "hoshi", ""):
        assert not judge("髙梨", secret=other)[2], other


def test_an_address_is_trimmed_and_case_folded_and_its_dots_and_tags_count() -> None:
    assert judge("髙梨", " A@Example.COM ")[1]
    assert not judge("髙梨", "a+x@example.com")[1]
    assert not judge("髙梨", "a.@example.com")[1]
    assert not judge("ガラ", "b@example.com", "つき")[1]
    assert judge("ガラ", "B+GAME@example.com", "つき")[1]
    assert not judge("髙梨", "")[1]


def test_one_wrong_factor_leaves_the_other_standing() -> None:
    assert judge("髙梨", "b+game@example.com") == (True, False, True, "星術師")
    assert judge("髙梨", secret="つき") == (True, True, False, "星術師")


@pytest.mark.parametrize(("offset", "old", "new"), [(-1, True, False), (0, False, True), (1, False, True)])
def test_a_changed_address_counts_from_its_second_on(offset: int, old: bool, new: bool) -> None:
    dated = (member("髙梨", "a@example.com", stop=CHANGE), member("髙梨", "c@example.com", start=CHANGE))
    at = CHANGE + offset * SECOND
    assert judge("髙梨", "a@example.com", at=at, members=dated)[1] is old
    assert judge("髙梨", "c@example.com", at=at, members=dated)[1] is new


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("offset", "old"), [(-1, True), (0, False), (1, False)])
def test_a_changed_word_counts_from_its_second_on_in_whatever_order_words_come(
    offset: int, old: bool, backwards: bool
) -> None:
    words = [word("髙梨", "ほし"), word("髙梨", "そら", CHANGE)][:: -1 if backwards else 1]
    at = CHANGE + offset * SECOND
    assert judge("髙梨", secret="ほし", at=at, words=words)[2] is old
    assert judge("髙梨", secret="そら", at=at, words=words)[2] is not old


def test_a_third_word_and_a_fraction_of_a_second_are_told_apart() -> None:
    words = [word("髙梨", "ほし"), word("髙梨", "そら", CHANGE), word("髙梨", "うみ", CHANGE + SECOND)]
    near = CHANGE - pd.Timedelta(microseconds=1)
    assert judge("髙梨", secret="ほし", at=near, words=words)[2]
    assert judge("髙梨", secret="そら", at=CHANGE + SECOND - pd.Timedelta(microseconds=1), words=words)[2]
    assert judge("髙梨", secret="うみ", at=CHANGE + SECOND, words=words)[2]


@pytest.mark.parametrize(
    ("offset", "known"), [(-1, False), (0, True), (3599, True), (3600, False), (3601, False)]
)
def test_a_member_is_known_from_his_start_until_before_his_stop(offset: int, known: bool) -> None:
    members = (member("髙梨", "a@example.com", CHANGE, CHANGE + pd.Timedelta(hours=1)),)
    assert judge("髙梨", at=CHANGE + offset * SECOND, members=members)[0] is known


def test_the_role_is_that_of_the_instant() -> None:
    dated = (
        member("髙梨", "a@example.com", stop=CHANGE),
        member("髙梨", "a@example.com", CHANGE, role="学者"),
    )
    assert judge("髙梨", at=CHANGE - SECOND, members=dated) == (True, True, True, "星術師")
    assert judge("髙梨", at=CHANGE, members=dated) == (True, True, True, "学者")


def test_a_player_without_a_word_or_an_address_is_never_proved() -> None:
    assert judge("髙梨", words=())[2] is False
    assert judge("髙梨", "a@example.com", members=(member("髙梨"),))[1] is False


def test_nobody_on_the_roster_and_no_claims_at_all_are_no_trouble() -> None:
    assert judge("髙梨", members=(), words=()) == STRANGER
    empty = pd.DataFrame(
        {"name": [], "address": [], "exact": [], "submitted_at": pd.DatetimeIndex([], tz="UTC")}
    )
    assert identify(empty.astype({"name": "str", "address": "str", "exact": "str"}), MEMBERS, WORDS).empty


def test_the_answer_is_on_the_index_of_the_claims() -> None:
    claims = pd.DataFrame(
        {
            "name": ["ガラ", "髙梨"],
            "address": ["b+game@example.com", "x"],
            "exact": ["", digest_word("ほし", KEY)[0]],
            "submitted_at": [CHANGE] * 2,
        },
        index=[7, 3],
    )
    found = identify(claims, MEMBERS, WORDS)
    assert list(found.index) == [7, 3]
    assert (list(found["address_ok"]), list(found["word_ok"])) == ([True, False], [False, True])


def test_an_address_that_two_players_share_belongs_to_nobody() -> None:
    both = (member("甲", "a@example.com"), member("乙", "A@example.com "), member("丙", "c@example.com"))
    assert owners(both, CHANGE) == {"c@example.com": "丙"}


def test_an_address_belongs_to_whom_it_is_registered_then() -> None:
    dated = (member("甲", "a@example.com", stop=CHANGE), member("乙", "a@example.com", CHANGE), member("丙"))
    assert owners(dated, CHANGE - SECOND) == {"a@example.com": "甲"}
    assert owners(dated, CHANGE) == {"a@example.com": "乙"}


def test_a_near_name_is_suggested() -> None:
    names = ("髙梨ノイズ", "ガラパゴス銀河", "Nocturne", "夜　汽車", "ぽんかん")
    assert suggest_name("ｎｏｃｔｕｒｎｅ", names) == "Nocturne"
    assert suggest_name("夜 汽車", names) == "夜　汽車"
    assert suggest_name("ポンカン", names) == "ぽんかん"
    assert suggest_name("高梨ノイズ", names) == "髙梨ノイズ"
    assert suggest_name("ガラパゴス", names) == "ガラパゴス銀河"


def test_far_and_ambiguous_names_are_not_suggested() -> None:
    assert suggest_name("まったく別の人", ("ミント", "ガラ")) == ""
    assert suggest_name("", ("ミント",)) == ""
    assert suggest_name("ミント", ()) == ""
    assert suggest_name("あいう", ("あいえ", "あいお")) == ""
    assert suggest_name("mint", ("Mint", "ＭＩＮＴ")) == ""


def test_of_two_near_names_the_clearly_nearer_is_suggested() -> None:
    assert suggest_name("ミントティ", ("ミント", "ミントティー")) == "ミントティー"


def test_folding_joins_what_a_tired_eye_takes_for_one() -> None:
    assert fold("Ｎocturne　") == fold(" noCTURNE") == "nocturne"
    assert fold("ポン カン") == fold("ぽんかん")
    assert fold("髙") != fold("高")


@given(st.text(max_size=12))
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    assert normalise_name(normalise_name(text)) == normalise_name(text)
    assert normalise_address(normalise_address(text)) == normalise_address(text)
