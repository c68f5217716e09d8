"""The inquiries of the sample: who asked what from where, and the verdicts that must follow for the planted ones.

Promises: every line of PLANTS names a line of SENDINGS. Refuses to know: what is answered.
"""

from __future__ import annotations

from typing import NamedTuple

from kanada_forms import Plant, Response, read_instant
from kanada_people import address_of, passphrase_of

HEADER = (
    "タイムスタンプ",
    "メールアドレス",
    "回答ID",
    "初回送信",
    "正式呼称",
    "あいことば",
    "種別",
    "変更後のアドレス",
    "件名",
    "内容",
)


class Sending(NamedTuple):
    """One inquiry; blank address and word stand for what is registered, `-` for an empty answer."""

    label: str
    name: str
    sent: str
    kind: str
    subject: str
    body: str
    new: str = ""
    address: str = ""
    passphrase: str = ""


_ASK, _CHANGE, _BEFORE, _OTHER = "質問", "アドレス変更", "参加表明・立候補前", "その他"
_EMPTY = "-"

SENDINGS = (
    Sending("before", "", "09-18 21:15:30", _BEFORE, "参加の手続き", "募集要項の公開はいつですか。", address="shoshinsha@example.com",
            passphrase=_EMPTY),
    Sending("before-known", "", "09-20 12:03:11", _BEFORE, "学者の立候補", "星術師の参加表明の後でも、学者に立候補できますか。",
            address="amayadori@example.com", passphrase=_EMPTY),
    Sending("ask-1", "らくがき帳", "10-12 09:48:16", _ASK, "球の持ち歩き", "球をポーチに入れたまま歩いてもよいですか。"),
    Sending("ask-2", "夜　汽車", "10-12 18:40:52", _ASK, "名前の空白", "名前の空白は全角で書くのでしょうか。"),
    Sending("word-change", "ゼロヨン", "10-13 08:05:29", _OTHER, "あいことばの変更",
            "あいことばを変えたいです。このフォームでできますか。"),
    Sending("change-new", "朝凪", "10-13 20:15:44", _CHANGE, "アドレスの変更", "前のアドレスが使えなくなりました。",
            new="asanagi.new@example.jp", address="asanagi.new@example.jp"),
    Sending("word", "三毛猫大佐", "10-13 21:02:38", _ASK, "複製の個数", "複製が通らなかった理由を知りたいです。",
            passphrase="ねこやなぎ"),
    Sending("stranger", "紙ひこうき", "10-14 10:27:05", _ASK, "次の集合場所", "明日の集合場所を教えてください。",
            address="kamihikoki.2@example.com"),
    Sending("change-wrong", "Quartz", "10-14 13:19:57", _CHANGE, "アドレスを変えてください", "新しい方に送ってください。",
            new="quartz.mail@example.com", address="quartz.mail@example.com", passphrase="水晶"),
    Sending("change-known", "ぽんかん", "10-14 22:51:40", _CHANGE, "アドレスの変更", "来月に解約するため、早めに変えたいです。",
            new="ponkan.home@example.jp"),
    Sending("ask-3", "図書室の幽霊", "10-15 09:12:23", _ASK, "学者カード", "カードの残りの枚数は公表されますか。"),
    Sending("name", "高梨ノイズ", "10-15 12:44:10", _OTHER, "公民館の鍵", "和室の鍵が閉まっていました。",
            address="takanashi.noise@example.com", passphrase="砂嵐"),
    Sending("lines", "ガラパゴス銀河", "10-15 19:36:02", _ASK, "襲撃と移動",
            '襲撃中に店員さんに声をかけられました。\n移動した場合、"移動の有無"は「あり」ですか?'),
    Sending("objection", "髙梨ノイズ", "10-15 20:07:55", _OTHER, "襲撃への異議", "10月12日の襲撃について異議があります。"),
    Sending("rest-day", "ルーペ", "10-16 10:31:18", _ASK, "休戦日", "休戦日に観測地の下見をしてもよいですか。"),
)  # fmt: skip


def _plant(label: str, kind: str, status: str, reason: str, ruling: str, note: str) -> Plant:
    return Plant("inquiry", label, "", kind, status, reason, ruling, note)


PLANTS = (
    _plant("before", "before_sign_up", "受理", "", "", "参加表明の前。名前とあいことばは空欄でよい"),
    _plant("before-known", "before_sign_up_from_registered_address", "受理", "", "",
           "登録のあるアドレスから、名前を空欄にして送られた"),
    _plant("word-change", "wish_to_change_passphrase", "受理", "", "", "回答はするが、あいことばは変わらない"),
    _plant("change-new", "address_change_from_new_address", "要確認", "", "",
           "変更後のアドレスから正しい語で送られた。裁定待ち。返信は中立の1通だけ"),
    _plant("change-wrong", "address_change_with_wrong_passphrase", "要確認", "", "",
           "未登録のアドレスで語も違う。返信は正しい語のときと同じ"),
    _plant("change-known", "address_change_from_registered_address", "要確認", "", "", "登録のアドレスから。裁定待ち"),
    _plant("word", "wrong_passphrase", "本人不一致", "wrong_passphrase", "A-32", "登録のアドレスから。誤りの旨のメールだけを送る"),
    _plant("stranger", "unregistered_address", "本人不一致", "wrong_address", "A-32", "未登録のアドレス。メールは送らない"),
    _plant("name", "name_variant_kanji", "本人不一致", "unknown_name", "A-32", "髙ではなく高"),
    _plant("objection", "objection_by_inquiry", "", "", "",
           "当事者の異議。確認メールの送信時刻による（期間中なら要確認 wrong_channel）"),
    _plant("rest-day", "answer_due_across_rest_day", "受理", "", "A-31", "48時間の間に休戦日がある"),
)  # fmt: skip


def build_inquiries() -> list[Response]:
    """Return all inquiries."""
    return [_respond(sending) for sending in SENDINGS]


def _respond(sending: Sending) -> Response:
    sent = read_instant(sending.sent)
    word = sending.passphrase or passphrase_of(sending.name, sent)
    return Response(
        sending.label,
        sent,
        sent,
        sending.address or address_of(sending.name, sent),
        sending.name,
        "" if word == _EMPTY else word,
        (sending.kind, sending.new, sending.subject, sending.body),
    )
