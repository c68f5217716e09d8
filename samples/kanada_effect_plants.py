"""The effect forms of the sample: who sent what for which day, and the verdicts that must follow for the planted ones.

Promises: every line of PLANTS names a line of SENDINGS and one of its blocks; what is not planted is sound. Refuses
to know: who holds which effect (kanada_effects holds each line against that).
"""

from __future__ import annotations

from typing import NamedTuple

from kanada_forms import Plant


class Sending(NamedTuple):
    """One response; a block is day, effect and content, any of which may be blank."""

    label: str
    name: str
    sent: str
    blocks: tuple[tuple[str, str, str], ...]
    passphrase: str = ""
    created: str = ""


_OUT, _HIDE, _RAIN, _EBB = "一斉消灯", "隠し場所", "にわか雨", "引き潮"
_SECRET, _FORGE, _STAND = "奥の手", "打ち直し", "置き傘"
_BLANK = ("", "", "")

SENDINGS = (
    Sending("outside", "朝凪", "10-10 18:20:47", (("10-11", _EBB, ""),)),
    Sending("mint-12", "ミント", "10-11 19:44:02", (("10-12", _HIDE, "3"),)),
    Sending("before-opening", "夜　汽車", "10-11 21:03:40", (("10-12", _OUT, "うみほたる"),)),
    Sending("mogura-12", "鉄塔のモグラ", "10-12 10:16:25", (("10-12", _RAIN, ""),)),
    Sending("tea-13", "ミントティー", "10-12 12:51:30", (("10-13", _STAND, "駅前のベンチ"),)),
    Sending("half", "夜　汽車", "10-12 22:10:18", (("10-13", _OUT, "雨宿り"), ("10-14", "", ""))),
    Sending("sugar-13", "砂糖細工", "10-12 23:48:33", (("10-13", _STAND, "図書館の、裏口\n(赤い傘)"),)),
    Sending("last-second", "朝凪", "10-12 23:59:59", (("10-13", _EBB, ""),)),
    Sending("one-late", "ミント", "10-13 00:00:00", (("10-13", _HIDE, "4"),)),
    Sending("refused-copy", "三毛猫大佐", "10-13 09:30:54", (("10-13", _RAIN, ""),)),
    Sending("noon", "鉄塔のモグラ", "10-13 11:59:59.640", (("10-13", _RAIN, ""),)),
    Sending("not-owner", "ガラパゴス銀河", "10-13 16:08:12", (("10-14", _FORGE, ""),)),
    Sending("scholar", "地層女子", "10-13 18:33:59", (("10-14", _EBB, ""),)),
    Sending("no-content", "ミント", "10-13 20:02:37", (("10-14", _HIDE, ""),)),
    Sending("asanagi-14", "朝凪", "10-13 21:17:06", (("10-14", _EBB, ""),)),
    Sending("wrong-role", "夜　汽車", "10-13 21:50:21", (("10-14", _OUT, "ルーペ"),)),
    Sending("unknown", "砂糖細工", "10-13 23:20:45", (("10-14", "にわか雪", ""), ("10-14", _RAIN, ""))),
    Sending("gap", "Nocturne", "10-14 09:05:11", (_BLANK, ("10-14", _RAIN, ""))),
    Sending("noon-late", "鉄塔のモグラ", "10-14 12:00:00", (("10-14", _RAIN, ""),)),
    Sending("partial-1", "髙梨ノイズ", "10-14 22:40:09", (("10-15", _HIDE, "3"), ("10-16", _HIDE, "5"))),
    Sending("regranted", "ミントティー", "10-14 22:48:52", (("10-15", _STAND, "三号棟の傘立て"),)),
    Sending("twice", "ペンギン急行", "10-14 22:55:16", (("10-15", _SECRET, "表"), ("10-15", _SECRET, "裏"))),
    Sending("lost-midnight", "夜　汽車", "10-14 23:02:30", (("10-15", _OUT, "らくがき帳"),)),
    Sending("soda-15", "眠れる炭酸水", "10-14 23:08:44", (("10-15", _FORGE, ""), ("10-16", _FORGE, ""))),
    Sending("sugar-15", "砂糖細工", "10-14 23:12:03", (("10-15", _EBB, ""), ("10-16", _EBB, ""))),
    Sending("pre-grant", "うみほたる", "10-14 23:15:28", (("10-15", _OUT, "ペンギン急行"),)),
    Sending("edited", "らくがき帳", "10-15 10:40:55", (("10-15", _RAIN, ""),), created="10-15 08:12:31"),
    Sending("flawed-1", "ペンギン急行", "10-15 12:10:20", (("10-16", _SECRET, "表"),)),
    Sending("partial-2", "髙梨ノイズ", "10-15 16:31:47", (("10-16", _HIDE, "４"),)),
    Sending("tea-16", "ミントティー", "10-15 16:58:13", (("10-16", _STAND, "駅前のベンチ"),)),
    Sending("stands", "うみほたる", "10-15 16:59:40", (("10-16", _OUT, "ミントティー"),)),
    Sending("izayoi-16", "十六夜ポスト", "10-15 17:20:05", (("10-16", _SECRET, "裏"),)),
    Sending("sign-name", "Dr.パセリ", "10-15 21:11:39", (("10-16", "茸座", ""),)),
    Sending("stands-false", "うみほたる", "10-15 21:30:08", (("10-16", _OUT, "髙梨ノイズ"),), "アオジロイ"),
    Sending("flawed-2", "ペンギン急行", "10-15 22:00:51", (("10-16", _SECRET, "おもて"),)),
    Sending("soda-17", "眠れる炭酸水", "10-16 07:25:14", (("10-17", _FORGE, ""),)),
    Sending("two-1", "うみほたる", "10-16 09:30:26", (("10-17", _OUT, "雨宿り"), ("10-17", _HIDE, "3"))),
    Sending("sugar-17", "砂糖細工", "10-16 10:13:59", (("10-17", _EBB, ""),)),
    Sending("shape", "髙梨ノイズ", "10-16 11:00:07", (("10-17", _HIDE, "三"),)),
    Sending("two-2", "うみほたる", "10-16 11:50:42", (("10-17", _HIDE, "5"),)),
    Sending("rain-17", "雨宿り", "10-16 12:04:18", (("10-17", _HIDE, "4"),)),
    Sending("penguin-17", "ペンギン急行", "10-16 12:21:33", (("10-17", _SECRET, "表"),)),
)


def _plant(label: str, key: str, kind: str, status: str, reason: str, ruling: str, note: str) -> Plant:
    return Plant("effect", label, key, kind, status, reason, ruling, note)


def _waits(label: str, key: str, kind: str, preview: str, preview_reason: str, note: str) -> Plant:
    return Plant("effect", label, key, kind, "未定", "not_yet", "", note, preview, preview_reason)


# The key is day and effect: two blocks of one key in one response are one entry.
PLANTS = (
    _plant("last-second", f"10-13/{_EBB}", "last_second", "受理", "", "", "期限の秒ちょうど（端数なし）"),
    _plant("one-late", f"10-13/{_HIDE}", "one_second_late", "期限後", "late", "", "期限の1秒後"),
    _plant("noon", f"10-13/{_RAIN}", "last_second_of_same_day_limit", "受理", "", "A-01",
           "当日11:59:59が期限の効果。期限の秒の中（.640）"),
    _plant("noon-late", f"10-14/{_RAIN}", "late_for_same_day_limit", "期限後", "late", "",
           "当日の正午ちょうどで1秒遅い"),
    _plant("before-opening", f"10-12/{_OUT}", "before_opening", "受理", "", "", "開戦の前に送られた開戦日の分"),
    _plant("outside", f"10-11/{_EBB}", "outside_game", "対象外", "outside_game", "", "開催期間の外の日"),
    _plant("partial-1", f"10-15/{_HIDE}", "partial_correction", "受理", "", "", "後の送信が触れていない日"),
    _plant("partial-1", f"10-16/{_HIDE}", "partial_correction", "差替", "superseded", "",
           "後の送信がこの日の分だけを直した"),
    _plant("partial-2", f"10-16/{_HIDE}", "partial_correction", "受理", "", "", "直した分。全角の数字は読む"),
    _waits("two-1", f"10-17/{_OUT}", "correction_of_one_effect", "受理", "", "後の送信が触れていない効果"),
    _waits("two-1", f"10-17/{_HIDE}", "correction_of_one_effect", "差替", "superseded",
           "同じ日の2つの効果のうち、直された方"),
    _waits("two-2", f"10-17/{_HIDE}", "correction_of_one_effect", "受理", "",
           "直した分。まだ決まっていない複製による付与にかかる"),
    _plant("twice", f"10-15/{_SECRET}", "twice_in_one_response", "要確認", "", "",
           "1通の2つの欄に同じ効果、違う内容"),
    _plant("half", f"10-13/{_OUT}", "half_filled_block", "受理", "", "", "同じ送信のほかの欄には響かない"),
    _plant("half", "10-14/", "half_filled_block", "要確認", "", "A-25", "日付だけの欄"),
    _plant("gap", f"10-14/{_RAIN}", "first_block_blank", "受理", "", "", "1つ目の欄を空け、2つ目に書いた"),
    _plant("no-content", f"10-14/{_HIDE}", "content_missing", "不受理", "incomplete", "", "内容の要る効果で空欄"),
    _plant("wrong-role", f"10-14/{_OUT}", "content_of_wrong_shape", "不受理", "content", "",
           "星術師を書く内容に学者の名"),
    _waits("shape", f"10-17/{_HIDE}", "content_of_wrong_shape", "不受理", "content", "数を書く内容に漢数字"),
    _plant("flawed-1", f"10-16/{_SECRET}", "flawed_last_form", "差替", "superseded", "",
           "正しかったが、後の誤った送信に替わり復活しない"),
    _plant("flawed-2", f"10-16/{_SECRET}", "flawed_last_form", "不受理", "content", "",
           "「表」ではなく「おもて」。最後の送信"),
    _plant("not-owner", f"10-14/{_FORGE}", "not_held", "不受理", "not_held", "", "その効果をもつ星座も複製もない"),
    _plant("refused-copy", f"10-13/{_RAIN}", "copy_was_refused", "不受理", "not_held", "",
           "あてにした複製が不受理だった"),
    _plant("pre-grant", f"10-15/{_OUT}", "acquired_that_midnight", "受理", "", "", "その日の0時に付与される効果"),
    _plant("lost-midnight", f"10-15/{_OUT}", "lost_that_midnight", "不受理", "not_held", "",
           "その日の0時に保持を終える効果"),
    _plant("regranted", f"10-15/{_STAND}", "ended_and_granted_that_midnight", "不受理", "not_held", "A-26",
           "その日の0時に保持を終え、同時に再び付与される"),
    _plant("unknown", "10-14/にわか雪", "unknown_effect", "不受理", "no_such_effect", "", "ない名前の効果"),
    _plant("unknown", f"10-14/{_RAIN}", "unknown_effect", "受理", "", "", "同じ送信の正しい欄"),
    _plant("sign-name", "10-16/茸座", "constellation_for_effect", "不受理", "no_such_effect", "",
           "効果ではなく星座の名前"),
    _plant("scholar", f"10-14/{_EBB}", "scholar", "不受理", "role", "", "学者は星座効果を持たない"),
    _plant("stands", f"10-16/{_OUT}", "unproved_form_does_not_supersede", "受理", "", "A-32",
           "後から来た本人不一致の送信に替わらない"),
    _plant("stands-false", f"10-16/{_OUT}", "unproved_form_does_not_supersede", "本人不一致", "wrong_passphrase",
           "A-32", "ひらがなの語をカタカナで入力した"),
    _plant("edited", f"10-15/{_RAIN}", "edited_in_time", "受理", "", "", "編集も期限内"),
)  # fmt: skip
