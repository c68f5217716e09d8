"""Planted difficulties of the replication form: who sent what, and the verdict that must follow.

Promises: every line of PLANTS names a line of CLAIMS. Refuses to know: the balances (the simulation holds each line
against them and refuses to write a sample in which a verdict would not follow).
"""

from __future__ import annotations

from typing import NamedTuple

from kanada_forms import Plant


class Claim(NamedTuple):
    """One response; a blank constellation is chosen among those that the sender can pay, `DEAR` among the others."""

    label: str
    name: str
    day: str
    sent: str
    star: str = ""
    writing: str = ""
    typed: str = ""
    address: str = ""
    passphrase: str = ""
    created: str = ""


DEAR = "*"
FULL_WIDTH, KANJI, ONE_MORE, FORMULA = "full width", "kanji", "one more", "formula"

CLAIMS = (
    Claim("last-second", "砂糖細工", "10-13", "10-12 23:59:59.872"),
    Claim("one-late", "雨宿り", "10-13", "10-13 00:00:00"),
    Claim("corrected-1", "Nocturne", "10-14", "10-13 22:40:18"),
    Claim("corrected-2", "Nocturne", "10-14", "10-13 22:58:02"),
    Claim("flawed-1", "三毛猫大佐", "10-13", "10-12 22:45:36"),
    Claim("flawed-2", "三毛猫大佐", "10-13", "10-12 23:10:09", writing=ONE_MORE),
    Claim("cost", "らくがき帳", "10-14", "10-13 23:01:27", writing=ONE_MORE),
    Claim("short", "鉄塔のモグラ", "10-13", "10-12 20:14:55", star=DEAR),
    Claim("own", "うみほたる", "10-14", "10-13 18:26:41", star="団栗座"),
    Claim("lost", "Dr.パセリ", "10-15", "10-14 22:31:12.406", star="切株座"),
    Claim("new", "紙ひこうき", "10-15", "10-14 23:12:50", star="蔦座"),
    Claim("again", "ミントティー", "10-15", "10-14 22:05:33", star="傘座"),
    Claim("full-width", "眠れる炭酸水", "10-13", "10-12 22:50:24", writing=FULL_WIDTH),
    Claim("kanji", "灰色のソナタ", "10-14", "10-13 22:33:48", writing=KANJI),
    Claim("formula", "Quartz", "10-16", "10-15 23:30:31", writing=FORMULA),
    Claim("rest-day", "ペンギン急行", "10-18", "10-16 10:44:05"),
    Claim("future", "零番目の林檎", "10-17", "10-16 09:20:38"),
    Claim("spent-1", "朝凪", "10-13", "10-12 23:20:10", star="篝火座"),
    Claim("spent-2", "朝凪", "10-14", "10-13 20:45:59", star="灯台座"),
    Claim("scholar", "図書室の幽霊", "10-14", "10-13 12:30:26", star="氷菓座"),
    Claim("equal-1", "がらくた船長", "10-16", "10-15 22:40:31"),
    Claim("equal-2", "がらくた船長", "10-16", "10-15 22:40:31"),
    Claim("old-word", "ゼロヨン", "10-14", "10-13 22:36:14", passphrase="ブレイキ"),
    Claim("address", "ぽんかん", "10-15", "10-14 23:44:07", address="ponkan.sub@example.jp"),
    Claim("in-time", "十六夜ポスト", "10-15", "10-14 23:26:53"),
    Claim("after-in-time", "十六夜ポスト", "10-15", "10-15 00:02:16"),
    Claim("same-instant", "ぽんかん", "10-14", "10-13 23:15:42", star="灯台座"),
    Claim("second-late", "Quartz", "10-14", "10-13 23:21:35", star="篝火座"),
    Claim("edited", "ガラパゴス銀河", "10-15", "10-14 23:40:20", created="10-14 22:02:11"),
    Claim("first-day", "ゼロヨン", "10-12", "10-11 21:08:57", star="団栗座"),
    Claim("outside", "髙梨ノイズ", "10-11", "10-10 19:52:03", star="氷菓座"),
    Claim("trimmed", "夜　汽車", "10-16", "10-15 23:05:44", typed=" 夜　汽車　"),
    Claim("near-miss", "ミントティー", "10-16", "10-15 21:17:28", typed="ミントティ"),
    Claim("after-rest", "ミント", "10-19", "10-16 11:31:06", star="蝋燭座"),
)


def _plant(label: str, day: str, kind: str, status: str, reason: str, ruling: str, note: str) -> Plant:
    return Plant("replication", label, day, kind, status, reason, ruling, note)


def _waits(
    label: str, day: str, kind: str, ruling: str, preview: str, preview_reason: str, note: str
) -> Plant:
    return Plant("replication", label, day, kind, "未定", "not_yet", ruling, note, preview, preview_reason)


PLANTS = (
    _plant("last-second", "10-13", "last_second_with_fraction", "受理", "", "A-01", "期限の秒の中（.872）"),
    _plant("one-late", "10-13", "one_second_late", "期限後", "late", "A-40", "期限の1秒後。不受理通知は送る"),
    _plant("corrected-1", "10-14", "corrected", "差替", "superseded", "", "出し直しの前の申請"),
    _plant("corrected-2", "10-14", "corrected", "受理", "", "", "期限内で最後の申請（別の星座）"),
    _plant("flawed-1", "10-13", "flawed_last_form", "差替", "superseded", "",
           "正しかったが、後の誤った申請に替わり復活しない"),
    _plant("flawed-2", "10-13", "flawed_last_form", "不受理", "cost_mismatch", "", "最後の申請の個数が違う"),
    _plant("cost", "10-14", "cost_mismatch", "不受理", "cost_mismatch", "", "個数が複製コストより1つ多い"),
    _plant("short", "10-13", "stars_short", "不受理", "stars_short", "", "恒星が足りない"),
    _plant("own", "10-14", "own_constellation", "不受理", "owned", "", "所有している星座"),
    _plant("lost", "10-15", "lost_that_midnight", "受理", "", "", "その日の0時に喪失する星座は複製できる"),
    _plant("new", "10-15", "acquired_that_midnight", "不受理", "owned", "", "その日の0時に取得する星座"),
    _plant("again", "10-15", "lost_and_acquired_that_midnight", "不受理", "owned", "",
           "その日の0時に喪失し、同時に再び取得する星座"),
    _plant("full-width", "10-13", "full_width_digits", "受理", "", "", "全角の数字は読む"),
    _plant("kanji", "10-14", "letters_for_digits", "不受理", "unreadable", "", "個数が漢数字"),
    _plant("formula", "10-16", "formula_for_digits", "不受理", "unreadable", "", "個数が式の形をしている"),
    _waits("rest-day", "10-18", "rest_day", "A-04", "不受理", "rest_day", "休戦日の複製。期限はまだ来ていない"),
    _waits("future", "10-17", "not_yet_decided", "", "受理", "", "期限がまだ来ていない"),
    _plant("spent-1", "10-13", "spending_seen_next_day", "受理", "", "", "ただ1つの1等星を使う"),
    _plant("spent-2", "10-14", "spending_seen_next_day", "不受理", "stars_short", "", "前日に使って残っていない"),
    _plant("scholar", "10-14", "scholar", "不受理", "role", "", "学者は複製できない"),
    _plant("equal-1", "10-16", "equal_time", "要確認", "", "", "同じ時刻に別の星座の申請が2通"),
    _plant("equal-2", "10-16", "equal_time", "要確認", "", "", "同じ時刻に別の星座の申請が2通"),
    _plant("old-word", "10-14", "old_passphrase_after_change", "本人不一致", "wrong_passphrase", "A-32",
           "10月13日19時に変更された前のあいことば"),
    _plant("address", "10-15", "wrong_address", "本人不一致", "wrong_address", "A-32", "未登録のアドレス"),
    _plant("in-time", "10-15", "late_form_after_good_one", "受理", "", "", "期限後の申請は競わない"),
    _plant("after-in-time", "10-15", "late_form_after_good_one", "期限後", "late", "",
           "期限内の申請があるので通知はない"),
    _plant("same-instant", "10-14", "gain_in_the_second_of_spending", "受理", "", "",
           "前日23:59:59に獲得した1等星を使う"),
    _plant("second-late", "10-14", "gain_one_second_after_spending", "不受理", "stars_short", "",
           "1等星の獲得が当日0時で1秒遅い"),
    _plant("edited", "10-15", "edited_in_time", "受理", "", "", "編集も期限内"),
    _plant("first-day", "10-12", "no_star_before_opening", "不受理", "stars_short", "", "開戦の日には恒星がない"),
    _plant("outside", "10-11", "outside_game", "対象外", "outside_game", "", "開催期間の外の日"),
    _plant("trimmed", "10-16", "surrounding_space", "受理", "", "", "前後の空白だけが余分"),
    _plant("near-miss", "10-16", "name_without_last_mark", "本人不一致", "unknown_name", "A-32",
           "長音符が落ちた名前。別の実在の名前にも近い"),
    _waits("after-rest", "10-19", "lost_before_rest_day", "", "受理", "",
           "18日0時に喪失する星座を19日に複製する"),
)  # fmt: skip
