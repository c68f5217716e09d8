"""Planted difficulties of the sign-up form: who sent what, and the verdict that must follow.

Promises: every line of PLANTS names a line of SENDINGS. A sender's later response never omits a date that is still
open, except where that is the point. Refuses to know: the unplanted traffic.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from kanada_forms import Plant


class Sending(NamedTuple):
    """One response; blank fields stand for what is registered, or for no edit."""

    label: str
    name: str
    sent: str
    days: tuple[str, ...]
    note: str = ""
    typed: str = ""
    address: str = ""
    passphrase: str = ""
    created: str = ""


_LINK = '=HYPERLINK("https://example.com/map","集合場所の地図")'
_SCRIPT = "<script>alert('kanada')</script>よろしくお願いします"
_MANY_LINES = (
    '質問です。\n"星図"は持ち込めますか、それとも貸してもらえますか?\n色鉛筆, 消しゴムは持っていきます。'
)
_WISH = "急用ができたため、10月16日の参加を取り消したいです。キャンセルでお願いします。"

SENDINGS = (
    Sending("last-second", "雨宿り", "10-12 23:59:59", ("10-13",)),
    Sending("one-late", "三毛猫大佐", "10-13 00:00:00", ("10-13",)),
    Sending("corrected-1", "らくがき帳", "10-13 20:01:10", ("10-14",), "友人も見学できますか"),
    Sending("corrected-2", "らくがき帳", "10-13 21:15:42", ("10-14",), "備考を書き直しました"),
    Sending("word", "鉄塔のモグラ", "10-12 19:20:05", ("10-13",), passphrase="もぐらたたき"),
    Sending("word-kana", "うみほたる", "10-13 12:44:31", ("10-14",), passphrase="アオジロイ"),
    Sending("address", "Dr.パセリ", "10-14 18:32:27", ("10-15",), address="parsley.private@example.jp"),
    Sending("address-other", "紙ひこうき", "10-14 19:03:52", ("10-15",), address="ponkan@example.jp"),
    Sending("width", "Nocturne", "10-12 16:10:08", ("10-13",), typed="Ｎｏｃｔｕｒｎｅ"),
    Sending("width-again", "Nocturne", "10-12 17:02:44", ("10-13",)),
    Sending("variant", "髙梨ノイズ", "10-13 08:21:19", ("10-14",), typed="高梨ノイズ"),
    Sending("space", "夜　汽車", "10-14 21:40:36", ("10-15",), typed="夜 汽車"),
    Sending(
        "nfd",
        "ガラパゴス銀河",
        "10-12 20:55:02",
        ("10-13",),
        typed=unicodedata.normalize("NFD", "ガラパゴス銀河"),
    ),
    Sending("trimmed", "朝凪", "10-13 22:18:40", ("10-14",), typed="朝凪　", passphrase=" しおかぜ "),
    Sending("scholar", "ルーペ", "10-13 10:00:27", ("10-14",), "見学ではなく参加したいです"),
    Sending("half-event", "ぽんかん", "10-09 21:12:44", ("10-10",)),
    Sending("no-event", "ゼロヨン", "10-09 23:31:05", ("10-11",)),
    Sending("rest-day", "ペンギン急行", "10-16 08:30:11", ("10-18",)),
    Sending("final", "十六夜ポスト", "10-16 09:47:58", ("10-24",)),
    Sending("several", "砂糖細工", "10-12 14:06:33", ("10-13", "10-15", "10-16")),
    Sending("several-rest", "眠れる炭酸水", "10-16 10:02:15", ("10-17", "10-18", "10-19")),
    Sending("wish-first", "灰色のソナタ", "10-15 12:09:00", ("10-16",)),
    Sending("wish", "灰色のソナタ", "10-15 21:33:20", ("10-16",), _WISH),
    Sending("omits-1", "零番目の林檎", "10-12 12:10:49", ("10-13", "10-15")),
    Sending("omits-2", "零番目の林檎", "10-12 18:40:03", ("10-15",)),
    Sending("edited-late", "ミント", "10-16 07:05:10", ("10-16",), created="10-15 21:40:00"),
    Sending(
        "edited", "ミントティー", "10-14 20:11:29", ("10-15",), "自転車で向かいます", created="10-14 09:00:12"
    ),
    Sending("formula", "Quartz", "10-12 11:28:37", ("10-13",), _LINK),
    Sending("script", "がらくた船長", "10-14 13:57:21", ("10-15",), _SCRIPT),
    Sending("lines", "Dr.パセリ", "10-12 21:49:14", ("10-13",), _MANY_LINES),
    Sending("tap-1", "Nocturne", "10-14 22:22:22", ("10-15",)),
    Sending("tap-2", "Nocturne", "10-14 22:22:22", ("10-15",)),
    Sending("extended", "三毛猫大佐", "10-15 00:07:30", ("10-15",), "フォームが開けませんでした"),
    Sending("old-address", "朝凪", "10-14 20:00:51", ("10-15",), address="asanagi@example.com"),
    Sending("new-address", "朝凪", "10-14 21:06:18", ("10-15",)),
    Sending("old-word", "ゼロヨン", "10-14 15:35:43", ("10-15",), passphrase="ブレイキ"),
    Sending("address-case", "十六夜ポスト", "10-13 17:13:26", ("10-14",), address=" Izayoi.Post@Example.JP "),
    Sending("late-and-word", "鉄塔のモグラ", "10-14 00:03:09", ("10-14",), passphrase="もぐらたたき"),
    Sending("stands", "ペンギン急行", "10-13 18:00:34", ("10-14",)),
    Sending("stands-false", "ペンギン急行", "10-13 22:09:57", ("10-14",), passphrase="こおり"),
    Sending("in-time", "うみほたる", "10-15 20:24:06", ("10-16",)),
    Sending("after-in-time", "うみほたる", "10-16 00:00:41", ("10-16",), "備考を書き忘れました"),
    Sending("future", "夜　汽車", "10-16 11:19:45", ("10-19",)),
)


def _plant(label: str, day: str, kind: str, status: str, reason: str, ruling: str, note: str) -> Plant:
    return Plant("signup", label, day, kind, status, reason, ruling, note)


def _waits(label: str, day: str, kind: str, preview: str, preview_reason: str, note: str) -> Plant:
    return Plant("signup", label, day, kind, "未定", "not_yet", "", note, preview, preview_reason)


_NOT_THEIRS = "本人不一致"

PLANTS = (
    _plant("last-second", "10-13", "last_second", "受理", "", "", "期限の秒ちょうど（端数なし）"),
    _plant("one-late", "10-13", "one_second_late", "期限後", "late", "", "期限の1秒後、午前12時の表記"),
    _plant("corrected-1", "10-14", "corrected", "差替", "superseded", "", "出し直しの前の申込"),
    _plant("corrected-2", "10-14", "corrected", "受理", "", "", "期限内で最後の申込"),
    _plant("word", "10-13", "wrong_passphrase", _NOT_THEIRS, "wrong_passphrase", "A-32", "あいことばが違う"),
    _plant("word-kana", "10-14", "passphrase_in_other_kana", _NOT_THEIRS, "wrong_passphrase", "A-32",
           "ひらがなの語をカタカナで入力した"),
    _plant("address", "10-15", "wrong_address", _NOT_THEIRS, "wrong_address", "A-32", "未登録のアドレス"),
    _plant("address-other", "10-15", "someone_elses_address", _NOT_THEIRS, "wrong_address", "A-32",
           "ぽんかんの登録アドレスから送られた"),
    _plant("width", "10-13", "name_in_full_width", _NOT_THEIRS, "unknown_name", "A-32", "全角の英字"),
    _plant("width-again", "10-13", "name_sent_again", "受理", "", "", "正しい名前で送り直した"),
    _plant("variant", "10-14", "name_variant_kanji", _NOT_THEIRS, "unknown_name", "A-32", "髙ではなく高"),
    _plant("space", "10-15", "name_inner_space", _NOT_THEIRS, "unknown_name", "A-32", "名前の中の空白が半角"),
    _plant("nfd", "10-13", "name_decomposed", "受理", "", "", "濁点が別の符号（NFD）。NFCで一致する"),
    _plant("trimmed", "10-14", "surrounding_space", "受理", "", "", "前後の空白だけが余分"),
    _plant("scholar", "10-14", "scholar", "不受理", "role", "", "学者は参加できない"),
    _plant("half-event", "10-10", "half_event", "対象外", "not_event_day", "", "0.5次マスイベは申込の対象でない"),
    _plant("no-event", "10-11", "no_event", "対象外", "not_event_day", "", "マスイベのない日"),
    _waits("rest-day", "10-18", "rest_day", "対象外", "not_event_day", "休戦日"),
    _waits("final", "10-24", "final_event", "対象外", "not_event_day", "最終マスイベは申込の対象でない"),
    _plant("several", "10-13", "several_dates", "受理", "", "", "1通で3日分（1日目）"),
    _plant("several", "10-15", "several_dates", "受理", "", "", "1通で3日分（2日目）"),
    _plant("several", "10-16", "several_dates", "受理", "", "", "1通で3日分（3日目）"),
    _waits("several-rest", "10-17", "several_dates_with_rest_day", "受理", "", "1通のうち開催日の分"),
    _waits("several-rest", "10-18", "several_dates_with_rest_day", "対象外", "not_event_day",
           "1通のうち休戦日の分"),
    _waits("several-rest", "10-19", "several_dates_with_rest_day", "受理", "", "1通のうち開催日の分"),
    _plant("wish-first", "10-16", "withdrawal_wish", "差替", "superseded", "", "取りやめの希望より前の申込"),
    _plant("wish", "10-16", "withdrawal_wish", "要確認", "", "A-43", "備考に取りやめの希望。裁定待ち"),
    _plant("omits-1", "10-13", "later_form_omits_date", "受理", "", "A-43",
           "後の申込がこの日を挙げていない。取りやめにはならない"),
    _plant("omits-1", "10-15", "later_form_omits_date", "差替", "superseded", "", "後の申込に替わった日"),
    _plant("omits-2", "10-15", "later_form_omits_date", "受理", "", "", "後の申込"),
    _plant("edited-late", "10-16", "edited_after_deadline", "要確認", "", "",
           "初回送信は期限内だが、残っているのは期限後に編集された内容だけ"),
    _plant("edited", "10-15", "edited_in_time", "受理", "", "", "編集も期限内"),
    _plant("formula", "10-13", "formula_in_note", "受理", "", "", "備考が式の形をしている"),
    _plant("script", "10-15", "script_in_note", "受理", "", "", "備考がHTMLの形をしている"),
    _plant("lines", "10-13", "lines_and_quotes_in_note", "受理", "", "", "備考に改行、引用符、コンマ"),
    _plant("tap-1", "10-15", "double_tap", "差替", "superseded", "", "同じ秒に同じ内容が2通（先の受付）"),
    _plant("tap-2", "10-15", "double_tap", "受理", "", "", "同じ秒に同じ内容が2通（後の受付）"),
    _plant("extended", "10-15", "extension", "受理", "", "", "延長の行により期限内"),
    _plant("old-address", "10-15", "old_address_after_change", _NOT_THEIRS, "wrong_address", "A-32",
           "10月14日10時に変更された前のアドレス"),
    _plant("new-address", "10-15", "new_address_after_change", "受理", "", "", "変更後のアドレス"),
    _plant("old-word", "10-15", "old_passphrase_after_change", _NOT_THEIRS, "wrong_passphrase", "A-32",
           "10月13日19時に変更された前のあいことば"),
    _plant("address-case", "10-14", "address_case_and_space", "受理", "", "", "アドレスの大文字と空白だけの違い"),
    _plant("late-and-word", "10-14", "late_and_wrong_passphrase", _NOT_THEIRS, "wrong_passphrase", "A-32",
           "期限後でもある。先に当たる方が判定になる"),
    _plant("stands", "10-14", "unproved_form_does_not_supersede", "受理", "", "A-32",
           "後から来た本人不一致の申込に替わらない"),
    _plant("stands-false", "10-14", "unproved_form_does_not_supersede", _NOT_THEIRS, "wrong_passphrase", "A-32",
           "本人の申込を打ち消さない"),
    _plant("in-time", "10-16", "late_form_after_good_one", "受理", "", "", "期限後の申込は競わない"),
    _plant("after-in-time", "10-16", "late_form_after_good_one", "期限後", "late", "", "期限の42秒後"),
    _waits("future", "10-19", "not_yet_decided", "受理", "", "期限がまだ来ていない"),
)  # fmt: skip
