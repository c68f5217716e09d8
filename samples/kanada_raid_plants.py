"""The planned attacks of the sample: who froze whom when, what was sent and posted, and the verdicts that must follow.

Promises: every line of PLANTS names a line of RAIDS or a post of kanada_board. Refuses to know: rights, cool-downs
and hours (kanada_raid_state holds each line against them), and who is superior.
"""

from __future__ import annotations

from typing import NamedTuple

from kanada_forms import Plant

# What becomes of a freeze: it formed, or the code that speaks against it, or it is no question of the state.
FORMED, TOGETHER, UNPROVED = "formed", "together", "unproved"
UNTESTED = (TOGETHER, UNPROVED)
REPORT, CORRECTION = "襲撃報告", "襲撃報告訂正"
SAME, OTHER_BALL = "same", "other ball"


class Raid(NamedTuple):
    """One attack form with its post. `fit` is what becomes of the freeze by the rules alone; an attack that is not
    `sound` moves no ball in the masters' books. `again` is a second form of the attack before it, `cells` are
    answers by their title, `body` the text of the post ("" = the usual)."""

    label: str
    attacker: str
    target: str
    day: str
    freeze: str
    sent: str
    post: str = ""
    fit: str = FORMED
    sound: bool = True
    again: str = ""
    cells: tuple[tuple[str, str], ...] = ()
    body: str = ""
    by: str = ""
    title: str = REPORT
    passphrase: str = ""
    address: str = ""


def _cell(title: str, text: str) -> tuple[tuple[str, str], ...]:
    return ((title, text),)


_TOGETHER = (
    ("同時フリーズの有無", "あり"),
    ("経緯", "同時に触れたのでじゃんけんをした。勝ったのは自分"),
)
_MOVED = (("移動の有無", "あり"), ("移動の内容", "通路をふさぐため10mほど脇へ寄った"))
_NO_SWAP = (("球交換", "なし"), ("備考", "打ち直しを送信済みのため、球は交換していない"))

RAIDS = (
    Raid("cool-a", "ゼロヨン", "髙梨ノイズ", "10-12", "09:19", "09:27:10", "09:28:39"),
    Raid("cool-b", "雨宿り", "髙梨ノイズ", "10-12", "09:38", "09:44:15", "09:45:02", "cooldown", False),
    Raid("cool-c", "ミントティー", "髙梨ノイズ", "10-12", "09:39", "09:46:30", "09:47:48"),
    Raid("wrong-title", "がらくた船長", "望遠鏡おじさん", "10-12", "10:15", "10:19:40", "10:22:05"),
    Raid("no-post", "灰色のソナタ", "ペンギン急行", "10-12", "15:02", "15:09:33", sound=False),
    Raid("right-1", "ペンギン急行", "地層女子", "10-13", "07:30", "07:34:12", "07:35:50"),
    Raid("right-2", "ペンギン急行", "望遠鏡おじさん", "10-13", "08:40", "08:43:58", "08:45:21"),
    Raid("third-name", "Nocturne", "図書室の幽霊", "10-13", "09:05", "09:09:44", "09:11:06",
         body="Nocturneが図書室の幽霊を襲撃！　居場所を教えてくれたミントありがとう"),
    Raid("corrected", "砂糖細工", "ルーペ", "10-13", "10:20", "10:25:31", "10:27:12",
         body="砂糖細工が地層女子を襲撃！"),
    Raid("wrong-victim", "うみほたる", "望遠鏡おじさん", "10-13", "11:00", "11:05:02", "11:06:30", sound=False,
         body="うみほたるが図書室の幽霊を襲撃！"),
    Raid("right-3", "ペンギン急行", "ルーペ", "10-13", "12:30", "12:35:47", "12:37:09"),
    Raid("same-1", "ゼロヨン", "地層女子", "10-13", "13:10", "13:14:05", "13:16:20"),
    Raid("same-2", "ゼロヨン", "地層女子", "10-13", "13:10", "13:14:45", again=SAME),
    Raid("no-right", "ペンギン急行", "図書室の幽霊", "10-13", "14:05", "14:09:26", "14:11:01", "no_right", False),
    Raid("differs-1", "三毛猫大佐", "ぽんかん", "10-13", "15:20", "15:27:38", "15:29:15", sound=False),
    Raid("differs-2", "三毛猫大佐", "ぽんかん", "10-13", "15:20", "15:31:52", again=OTHER_BALL),
    Raid("inside", "ミント", "ミントティー", "10-14", "09:10", "09:18:24", "09:20:03"),
    Raid("word-1", "Dr.パセリ", "望遠鏡おじさん", "10-14", "10:00", "10:03:18", fit=UNPROVED, sound=False,
         passphrase="きあげは"),
    Raid("word-2", "Dr.パセリ", "望遠鏡おじさん", "10-14", "10:00", "10:05:26", "10:06:40"),
    Raid("thirteen", "ぽんかん", "零番目の林檎", "10-14", "11:05", "11:14:50", "11:18:01", sound=False),
    Raid("ten-sharp", "三毛猫大佐", "ルーペ", "10-14", "11:30", "11:37:22", "11:40:00", by="三毛猫大佐@ミントの弟子"),
    Raid("thirteen-sharp", "鉄塔のモグラ", "ガラパゴス銀河", "10-14", "12:10", "12:20:11", "12:23:00"),
    Raid("prohibited", "零番目の林檎", "望遠鏡おじさん", "10-14", "13:20", "13:24:36", "13:26:08", "prohibited", False),
    Raid("already", "ペンギン急行", "地層女子", "10-14", "13:40", "13:44:19", "13:46:27", "already_attacked", False),
    Raid("outer", "ガラパゴス銀河", "図書室の幽霊", "10-14", "14:40", "14:44:31", "14:46:20", cells=_MOVED),
    Raid("during", "灰色のソナタ", "図書室の幽霊", "10-14", "14:45", "14:50:07", "14:51:33", "in_attack", False),
    Raid("same-minute", "ミントティー", "図書室の幽霊", "10-14", "14:47", "14:52:12", "14:54:40"),
    Raid("no-superior", "紙ひこうき", "ガラパゴス銀河", "10-14", "15:30", "15:37:25", "15:39:02",
         "not_superior", False),
    Raid("together-1", "らくがき帳", "Dr.パセリ", "10-14", "16:10", "16:17:08", "16:19:34", sound=False,
         cells=_TOGETHER),
    Raid("together-2", "十六夜ポスト", "Dr.パセリ", "10-14", "16:10", "16:18:20", "16:20:51", TOGETHER, False,
         cells=_TOGETHER),
    Raid("runs-into", "髙梨ノイズ", "図書室の幽霊", "10-15", "10:34", "10:39:12", "10:41:30", sound=False),
    Raid("timed-out", "夜　汽車", "ぽんかん", "10-15", "11:20", "11:28:44", "11:30:17",
         cells=_cell("球交換", "時間切れ")),
    Raid("listed", "雨宿り", "地層女子", "10-15", "12:20", "12:24:58", "12:26:30",
         cells=_cell("フリーズ地点", "早稲田大学29号館 入口")),
    Raid("no-card", "紙ひこうき", "ルーペ", "10-15", "13:00", "13:04:25", "13:05:59",
         cells=(("学者カード", "所有なし"), ("備考", "カードは家にあるとのことでした"))),
    Raid("address", "Quartz", "地層女子", "10-15", "15:30", "15:34:41", "15:36:22", address="quartz.keitai@example.jp",
         cells=_cell("フリーズ時刻", "１５：３０")),
    Raid("midnight", "らくがき帳", "地層女子", "10-15", "23:44", "10-16 00:02:31", "23:51:10"),
    Raid("forged", "眠れる炭酸水", "Nocturne", "10-16", "08:10", "08:16:53", "08:18:26", cells=_NO_SWAP),
    Raid("own-hours", "うみほたる", "Dr.パセリ", "10-16", "10:30", "10:37:14", "10:38:49", "prohibited", False),
    Raid("waits", "ミント", "地層女子", "10-16", "12:21", "12:27:05", sound=False),
)  # fmt: skip


def _plant(
    label: str, kind: str, status: str, reason: str, ruling: str, note: str, form: str = "attack"
) -> Plant:
    return Plant(form, label, "", kind, status, reason, ruling, note)


def _if_superior(label: str, kind: str, status: str, reason: str, note: str) -> Plant:
    """The verdict hangs on 優位, which masters may type over: it is told in words, and no test holds it."""
    told = f"{note}。星座のとおりの優位なら{status}" + (f"（{reason}）" if reason else "")
    return Plant("attack", label, "", kind, "", note=told)


_HELD = "成立"

PLANTS = (
    _if_superior("cool-a", "cool_down", _HELD, "", "成立時刻は 09:28:39"),
    _if_superior("cool-b", "cool_down", "不成立", "cooldown", "1通目の成立から9分21秒後の 09:38 のフリーズ"),
    _if_superior("cool-c", "cool_down", _HELD, "", "09:39 のフリーズ。フリーズできる最初の分"),
    _plant("wrong-title", "wrong_title_then_proper_post", _HELD, "", "",
           "題名「襲撃」の投稿の後、正しい題名で投稿した。成立時刻は後の投稿の 10:22:05"),
    _plant("no-post", "no_post", "要確認", "no_post", "", "フォームだけで投稿がない"),
    _plant("right-1", "scholar_with_card", _HELD, "", "", "学者カードを受け取った。その日の1つ目の襲撃権"),
    _plant("right-3", "last_right", _HELD, "", "", "その日の3つ目の襲撃権"),
    _plant("no-right", "no_right", "不成立", "no_right", "", "その日の4つ目のフリーズ"),
    _plant("third-name", "third_persons_name_in_post", _HELD, "", "", "当事者でないミントの名。所見 breach が付く"),
    _plant("corrected", "corrected_post", _HELD, "", "",
           "投稿の被襲撃者を10分以内の訂正で直した。成立時刻は訂正前の投稿の 10:27:12"),
    _plant("wrong-victim", "wrong_victim", "要確認", "wrong_victim", "", "訂正が10分を1秒過ぎ、投稿の被襲撃者は違うまま"),
    _plant("same-1", "second_form_same_content", _HELD, "", "", "同じ内容が2通。先の方が立つ"),
    _plant("same-2", "second_form_same_content", "対象外", "second_report", "", "同じ内容の2通目"),
    _plant("differs-1", "second_form_other_content", "要確認", "", "A-42", "2通目の「渡した球」が違う"),
    _plant("differs-2", "second_form_other_content", "対象外", "second_report", "", "内容の違う2通目"),
    _if_superior("inside", "name_inside_another", _HELD, "", "攻める側の名が相手の名の一部になっている"),
    _plant("word-1", "wrong_passphrase", "本人不一致", "wrong_passphrase", "A-32",
           "カタカナの語をひらがなで入力した"),
    _plant("word-2", "form_sent_again_after_wrong_passphrase", _HELD, "", "",
           "正しい語で送り直した。前の1通は本人のものと確かめられず、2通目に当たらない"),
    _plant("thirteen", "thirteen_minutes_exceeded", "要確認", "touch_late", "", "投稿がフリーズから13分1秒後"),
    _if_superior("thirteen-sharp", "thirteen_minutes_sharp", _HELD, "", "投稿がフリーズからちょうど13分後"),
    _plant("ten-sharp", "suffix_with_another_name", _HELD, "", "",
           "学者への襲撃でちょうど10分後の投稿。名前の@の後に他人の正式呼称があり、所見 breach が付く"),
    _plant("prohibited", "scholars_hours", "不成立", "prohibited", "", "学者の承認された時間帯の中のフリーズ"),
    _plant("already", "pair_already_attacked", "不成立", "already_attacked", "", "前日に同じ学者への襲撃が成立している"),
    _plant("outer", "moved_and_said_so", _HELD, "", "", "移動した旨の記入がある"),
    _plant("during", "freeze_inside_another_attack", "不成立", "in_attack", "", "相手の学者が別の襲撃の処理中"),
    _plant("same-minute", "freeze_in_the_minute_of_release", _HELD, "", "A-58",
           "別の襲撃の解除（投稿の1分後の 14:47:20）と同じ分のフリーズ"),
    _if_superior("no-superior", "not_superior", "不成立", "not_superior", "同じ主属性でランクの高い相手"),
    _plant("together-1", "janken", "要確認", "janken", "", "同じ分に同じ相手へのフリーズ（1人目）"),
    _plant("together-2", "janken", "要確認", "janken", "", "同じ分に同じ相手へのフリーズ（2人目）"),
    _plant("runs-into", "runs_into_prohibited_time", "要確認", "", "A-13", "解除が学者の時間帯の中になる"),
    _if_superior("timed-out", "exchange_by_time_out", _HELD, "", "3分以内に選ばず、表示の一番上の球同士を交換した"),
    _plant("listed", "listed_place", _HELD, "", "", "襲撃が禁じられた建物。所見 breach が付く"),
    _plant("no-card", "scholar_without_card", _HELD, "", "", "学者カードは「所有なし」。残りの枚数とは合わない"),
    _plant("address", "unregistered_address", _HELD, "", "",
           "アドレスは申告にすぎず、あいことばで本人と分かる。フリーズ時刻は全角"),
    _plant("midnight", "form_sent_after_midnight", _HELD, "", "", "フォームは翌日。フリーズの日付は前日"),
    _if_superior("forged", "no_exchange_by_effect", _HELD, "", "星座効果により球を交換しない襲撃"),
    _plant("own-hours", "own_prohibited_hours", "不成立", "prohibited", "", "相手に個別の活動禁止時間がある"),
    _plant("waits", "post_still_to_come", "未定", "waits", "", "フォームは届き、投稿を待っている"),
    _plant("no-form", "no_form", "要確認", "no_form", "", "投稿だけでフォームがない", "board"),
    _plant("correction", "correction_last_second", "受理", "", "", "投稿からちょうど10分後の訂正", "board"),
    _plant("late-correction", "correction_one_second_late", "期限後", "late", "", "投稿から10分1秒後の訂正", "board"),
    _plant("second-correction", "second_correction", "対象外", "second_post", "", "2つ目の訂正", "board"),
)  # fmt: skip
