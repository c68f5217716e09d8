"""The closed list of reasons: code, status, section, and the sentence with the compared values.

Promises: codes are never reused and never change meaning; a sentence shows the very values that were compared.
Refuses to know: when a reason holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.verdicts import (
    ACCEPTED,
    BLOCKED,
    LATE,
    OUTSIDE,
    PENDING,
    REFUSED,
    SUPERSEDED,
    UNPROVED,
    Note,
    Reason,
)


class Entry(NamedTuple):
    status: str
    section: str
    sentence: str


_SIGN = "１章 マスターイベント"
_COPY = "４章 星座複製"
CATALOGUE: Mapping[str, Entry] = {
    "unreadable": Entry(REFUSED, "", "「{question}」の「{answer}」を読み取れません"),
    "unknown_name": Entry(UNPROVED, "１章 呼称", "名簿に「{name}」はありません{near}"),
    "wrong_address": Entry(UNPROVED, "１章 禁止行為", "{name}の登録アドレスからの送信ではありません"),
    "wrong_passphrase": Entry(UNPROVED, "１章 あいことば", "{name}のあいことばと一致しません{near}"),
    "late": Entry(LATE, "", "{sent} の送信は期限 {deadline} の後です"),
    "text_lost": Entry(
        BLOCKED, "", "{created} に期限内に送られ {sent} に書き直されました。期限内の内容は手元にありません"
    ),
    "superseded": Entry(SUPERSEDED, "", "同じ対象では {winner_sent} の送信（{winner}）が数えられます"),
    "same_instant": Entry(BLOCKED, "", "同じ時刻 {sent} に内容の違う送信があり、どちらが後か決められません"),
    "twice": Entry(BLOCKED, "３章 星座効果", "1つの送信に同じ日の同じ星座効果が2回あり、内容が違います"),
    "for_the_end": Entry(
        BLOCKED, "３章 星座効果", "「{effect}」は終戦の時刻に発動する効果です。保持もその時刻に終わります"
    ),
    "later_than_ruling": Entry(
        BLOCKED, "", "同じ対象の {winner} が {ruled} に裁定された後で、期限内の送信と分かりました"
    ),
    "not_event_day": Entry(
        OUTSIDE, _SIGN, "{day}は参加申込を受け付けるマスイベの開催日ではありません（{kind}）"
    ),
    "game_over": Entry(OUTSIDE, "１章 開催期間", "{day}の前に {end} で終戦しています"),
    "outside_game": Entry(OUTSIDE, "１章 開催期間", "{day}は開催期間 {opening} 〜 {end} の外です"),
    "role": Entry(REFUSED, "１章 学者", "{name}の役割は{role}で、星術師ではありません"),
    "rest_day": Entry(REFUSED, _COPY, "{day}は休戦日で、複製できません"),
    "incomplete": Entry(REFUSED, "", "「{question}」が空欄です"),
    "not_published": Entry(
        REFUSED, "３章 星座", "「{constellation}」は {sent} の時点で公開された星座にありません"
    ),
    "cost_mismatch": Entry(REFUSED, _COPY, "申請は {declared}、{constellation}の複製コストは {cost} です"),
    "owned": Entry(REFUSED, _COPY, "{day} 00:00:00 に{constellation}を所有しています（{since} 〜 {until}）"),
    "stars_short": Entry(REFUSED, _COPY, "消費は {cost}、{instant} の所有は {held} です"),
    "no_such_effect": Entry(REFUSED, "３章 星座効果", "「{effect}」という星座効果は公開されていません"),
    "content": Entry(
        REFUSED,
        "３章 星座効果",
        "「{effect}」の内容「{content}」は求められている形（{wanted}）ではありません",
    ),
    "not_held": Entry(REFUSED, "３章 星座効果", "{instant} に「{effect}」を保持していません"),
    "half_filled": Entry(
        BLOCKED, "３章 星座効果", "{part}番目の欄の日付か星座効果が空で、何についての送信か分かりません"
    ),
    "accepted_effect": Entry(
        ACCEPTED,
        "３章 星座効果",
        "送信期限 {deadline} までの最後の送信で、{instant} に「{effect}」を保持しています",
    ),
    "prohibited": Entry("不成立", "１章 活動禁止時間", "フリーズ時刻が{why}の中です"),
    "no_right": Entry("不成立", "６章 襲撃権", "フリーズ時刻に所有する襲撃権は {held} です"),
    "in_attack": Entry("不成立", "６章 フリーズ", "当事者が別の襲撃（{other}）の処理中です"),
    "cooldown": Entry("不成立", "６章 フリーズ", "{target}は {other} の襲撃成立から10分が過ぎていません"),
    "already_attacked": Entry(
        "不成立", "６章 フリーズ", "{attacker}から{target}への襲撃は {other} で成立しています"
    ),
    "not_superior": Entry(
        "不成立", "６章 フリーズ", "{attacker}は{target}に対して優位ではありません（{why}）"
    ),
    "second_report": Entry(
        OUTSIDE,
        "６章 星術師への襲撃の流れ",
        "同じ襲撃の報告フォームが {first} にあります。再送は認められていません",
    ),
    "no_post": Entry(
        BLOCKED, "６章 星術師への襲撃の流れ", "フリーズから30分が過ぎても掲示板の襲撃報告がありません"
    ),
    "no_form": Entry(
        BLOCKED, "６章 星術師への襲撃の流れ", "投稿から15分が過ぎても襲撃報告フォームがありません"
    ),
    "touch_late": Entry(
        BLOCKED, "６章 星術師への襲撃の流れ", "フリーズの解除 {limit} までに投稿とタッチがありません"
    ),
    "wrong_victim": Entry(
        BLOCKED, "６章 星術師への襲撃の流れ", "投稿の被襲撃者（{named}）がフォームの{target}と違います"
    ),
    "face": Entry(BLOCKED, "１章 写真", "襲撃写真の顔が判別できないとされています"),
    "janken": Entry(BLOCKED, "６章 フリーズ", "同じ分に同じ相手へのフリーズの報告があります（{rivals}）"),
    "objection": Entry(BLOCKED, "６章 星術師への襲撃の成立", "期限内の異議があります（{who} {at}）"),
    "objection_late": Entry(
        BLOCKED, "６章 星術師への襲撃の成立", "8時間を過ぎた異議があります（{who} {at}）"
    ),
    "wrong_channel": Entry(
        BLOCKED, "６章 星術師への襲撃の成立", "異議の期間中の当事者から、問い合わせで異議が届いています"
    ),
    "second_post": Entry(OUTSIDE, "６章 星術師への襲撃の流れ", "訂正・報告の投稿は一度だけです"),
    "wrong_number": Entry(
        BLOCKED, "６章 星術師への襲撃の流れ", "訂正する投稿の番号「{number}」が本人の襲撃報告と合いません"
    ),
    "no_object": Entry(OUTSIDE, "６章 星術師への襲撃の流れ", "訂正する投稿が見つかりません（番号 {number}）"),
    "freeze_unreadable": Entry(
        BLOCKED, "６章 フリーズ", "フリーズ時刻「{answer}」か被襲撃者「{target}」を読み取れません"
    ),
    "A-13": Entry(BLOCKED, "６章 フリーズ", "フリーズの間に{why}が始まります"),
    "A-16": Entry(
        BLOCKED, "３章 星座", "{attacker}と{target}の星座は主属性もランクも同じで、優位が決まりません"
    ),
    "A-17": Entry(BLOCKED, "３章 星座", "{attacker}と{target}は互いに効果だけで襲撃できます"),
    "A-42": Entry(BLOCKED, "６章 星術師への襲撃の流れ", "内容の違う報告フォームがあります（{others}）"),
    "established": Entry("成立", "６章 星術師への襲撃の成立", "フリーズ {freeze}、成立 {established}{sum}"),
    "corrected": Entry(ACCEPTED, "６章 星術師への襲撃の流れ", "投稿から10分以内の最初の訂正です"),
    "address_change": Entry(BLOCKED, "１章 問い合わせ", "アドレスの変更です。受理すると名簿に反映されます"),
    "answer_due": Entry(ACCEPTED, "１章 問い合わせ", "{due} までに回答します"),
    "not_yet": Entry(PENDING, "", "{instant} に決まります"),
    "waits": Entry(PENDING, "", "{what} を待っています"),
    "accepted_signup": Entry(ACCEPTED, _SIGN, "期限 {deadline} までの最後の申込です"),
    "accepted_replication": Entry(
        ACCEPTED,
        _COPY,
        "期限 {deadline} までの最後の申請で、複製コスト {cost} と一致し、{instant} に {held} を所有しています",
    ),
    "ruled": Entry("", "１章 マスター", "{by}の裁定: {ruling}{note}"),
    "withdrawal_wish": Entry(REFUSED, _SIGN, "備考に取りやめの希望があります（「{word}」）"),
}


def give(code: str, section: str = "", **values: str) -> Reason:
    """The reason with its sentence; `section` where the code is shared by several procedures."""
    entry = CATALOGUE[code]
    return Reason(code, entry.sentence.format_map(_Blank(values)), entry.section or section, dict(values))


class _Blank(dict[str, str]):
    """A value that nobody compared reads as nothing."""

    def __missing__(self, key: str) -> str:
        return ""


def status_of(reason: Reason) -> str:
    return CATALOGUE[reason.code].status


def status_of_flaws(reasons: Sequence[Reason]) -> str:
    """The status of an entry that counts: an unproved word then is a flaw of the player's own form (A-32)."""
    status = status_of(reasons[0])
    return REFUSED if status == UNPROVED else status


NOTES: Mapping[str, str] = {
    "A-01": "期限の秒の中での送信です（秒の端数をどう読むか）",
    "A-04": "休戦日には「メンテナンス時間」がありません。通知をその日に出すか翌日に出すか",
    "A-05": "保持の終わりが休戦日の始まりに重なります。そこで終わるか、休戦日の後まで続くか",
    "A-13": "フリーズの間に襲撃できない時間が始まります",
    "A-15": "クールダウンの終わりが分ちょうどです（09:38:00 から可か、09:39:00 から可か）",
    "A-16": "主属性もランクも同じ星座の優劣",
    "A-17": "互いに③だけで襲撃できる2人",
    "A-30": "フリーズの分の中で所有するものが変わっています（分の始まりで判断しました）",
    "A-31": "休戦日をまたぐ期限です（休戦日も進むとして計算しています）",
    "A-42": "内容の違う報告フォームのどちらを採るか",
    "A-51": "番号の違う訂正を、訂正なしと読むか、不備のある訂正と読むか",
    "A-58": "別の襲撃の解除と同じ分のフリーズです",
    "A-18": "負の端数を0の側へ切り捨てました",
    "A-25": "1つの送信のうち欄の一部だけが読めません。その欄だけを無効にするか、全体を無効にするか",
    "A-26": "同じ時刻に保持の終わりと新しい付与が重なります。発動するかどうか",
    "A-27": "終戦の時刻に発動する効果です。発動するかどうか",
    "A-28": "早い終戦の後に公開された結果です。失われるか、終戦の時刻に付けるか",
    "A-32": "本人と確かめられない送信を「本人の不備ある送信」と読めば結論が変わります",
    "A-34": "開戦の時刻の割合の効果です。初期点と報酬の後で計算しました",
    "A-33": "欠席の減点額が決まっていません。マスイベの「欠席点」を入れてください",
    "A-40": "期限後の複製申請に不受理の通知を出すかどうか",
    "A-43": "参加申込の取りやめを認めるかどうか",
    "A-46": "結果の公開が開催日より後になりました。報酬の時刻をどちらにするか",
}


def note(ruling: str, *, blocks: bool = False, more: str = "") -> Note:
    return Note(ruling, NOTES[ruling] + more, blocks)
