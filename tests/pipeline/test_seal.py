"""Secret words as digests: equal words agree, nothing else does, and nothing of a word is left."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.seal import digest_word, seal_answers
from rules.kanada.forms import is_sound_word

KEY = b"0123456789abcdef"


def exact(word: str, key: bytes = KEY) -> str:
    return digest_word(word, key)[0]


def folded(word: str, key: bytes = KEY) -> str:
    return digest_word(word, key)[1]


class TestDigestWord:
    def test_it_is_stable_for_a_key(self) -> None:
        """The archive keeps digests for years: another digest would make every old word wrong."""
        assert digest_word("みかんばたけ", KEY) == (
            "12260650595ffbf3b73199c30e2bb3b8",
            "bddcd9a4eb668a0995f8280afb8e560b",
        )

    @pytest.mark.parametrize(
        "other", [" みかん ", "　みかん　", "みかん\n", unicodedata.normalize("NFD", "みかん")]
    )
    def test_blanks_around_and_composition_do_not_matter(self, other: str) -> None:
        assert exact(other) == exact("みかん")

    def test_decomposed_marks_are_the_same_word(self) -> None:
        assert exact(unicodedata.normalize("NFD", "がっこう")) == exact("がっこう")

    @pytest.mark.parametrize("other", ["ミカン", "みかん畑", "み かん", "ﾐｶﾝ", "みかｎ", ""])
    def test_any_other_word_has_another_exact_digest(self, other: str) -> None:
        assert exact(other) != exact("みかん")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("ミカン", "みかん"),
            ("ﾐｶﾝ", "みかん"),
            ("Ｂｕｂｂｌｅ", "bubble"),
            ("BUBBLE", "Bubble"),
            ("み かん", "みかん"),
        ],
    )
    def test_near_misses_share_the_folded_digest(self, one: str, other: str) -> None:
        assert exact(one) != exact(other)
        assert folded(one) == folded(other)

    def test_exact_and_folded_never_meet(self) -> None:
        """They are keyed apart, so that neither tells whether a word is its own folding."""
        assert exact("みかん") != folded("みかん")

    def test_another_key_gives_another_digest(self) -> None:
        assert exact("みかん") != exact("みかん", b"another key of 16")
        assert folded("みかん") != folded("みかん", b"another key of 16")

    @given(st.text(max_size=20))
    def test_any_text_has_digests_of_32_hex_digits(self, word: str) -> None:
        for digest in digest_word(word, KEY):
            assert len(digest) == 32
            assert set(digest) <= set("0123456789abcdef")

    def test_half_a_surrogate_does_not_stop_the_run(self) -> None:
        assert len(exact("\ud83d")) == 32


class TestSealAnswers:
    def test_only_the_word_is_replaced(self) -> None:
        sealed = seal_answers(
            {"name": "ぽんかん", "passphrase": "みかん", "event_dates": ["10月12日"], "?列": "あ"},
            "passphrase",
            KEY,
            is_sound_word,
        )
        assert sealed == {
            "name": "ぽんかん",
            "passphrase": {
                "exact": exact("みかん"),
                "folded": folded("みかん"),
                "blank": False,
                "sound": True,
            },
            "event_dates": ["10月12日"],
            "?列": "あ",
        }
        assert "みかん" not in json.dumps(sealed["passphrase"], ensure_ascii=False)

    @pytest.mark.parametrize("blank", ["", " ", "　", "\n"])
    def test_a_blank_word_has_no_digest(self, blank: str) -> None:
        sealed = seal_answers({"passphrase": blank}, "passphrase", KEY, is_sound_word)
        assert sealed["passphrase"] == {"exact": "", "folded": "", "blank": True, "sound": False}

    @pytest.mark.parametrize(
        ("word", "sound"),
        [("砂嵐", True), ("Chopin", True), ("ミカン", True), ("mikan1", False), ("み-かん", False)],
    )
    def test_whether_all_characters_are_allowed_is_kept(self, word: str, sound: bool) -> None:
        sealed = seal_answers({"passphrase": word}, "passphrase", KEY, is_sound_word)
        assert sealed["passphrase"]["sound"] is sound

    def test_a_decomposed_word_is_as_sound_as_the_composed_one(self) -> None:
        """Some phones send marks apart; the comparison composes them, so the check of characters must too."""
        word = unicodedata.normalize("NFD", "がっこう")
        assert (
            seal_answers({"passphrase": word}, "passphrase", KEY, is_sound_word)["passphrase"]["sound"]
            is True
        )

    def test_the_answers_given_stay_as_they_were(self) -> None:
        answers = {"passphrase": "みかん"}
        seal_answers(answers, "passphrase", KEY, is_sound_word)
        assert answers == {"passphrase": "みかん"}
