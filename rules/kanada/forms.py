"""The forms of 輝流堕2026: names, titles, questions, what masters note beside them.

Promises: field names never change, titles may be changed in the config. Refuses to know: what the answers lead to.
Sources: １章 マスターイベント, １章 問い合わせ, ３章 星座効果, ４章 星座複製, ６章 星術師への襲撃の流れ.
"""

from __future__ import annotations

import re

from rules.game import Ask, Field, Form, MasterColumn

_WORD_CHECK = "漢字・ひらがな・カタカナ・英字だけ（正規表現 [A-Za-zぁ-ゖァ-ヺ㐀-䶿一-鿿豈-\\x{FAFF}\\x{20000}-\\x{323AF}]+ と一致）"
_ROSTER = Ask("dropdown", choices_from="選択肢:正式呼称")
_COMMON = (
    Field("name", "正式呼称", ask=_ROSTER),
    Field("passphrase", "あいことば", secret=True, ask=Ask(check=_WORD_CHECK)),
)
_LONG = Ask("paragraph")
_WHETHER = Ask("choice", ("あり", "なし"), blank=False)
_LAST = "同じ内容について何度か送られたときは、締切までに最後に送られたものだけを見ます。"
_MASTERS = ("table:名簿", "table:延長", "table:方針", "table:終戦", "table:公開")

SIGNUP = Form(
    "signup",
    "マスイベ参加申込",
    (
        *_COMMON,
        Field(
            "event_dates",
            "参加を希望する開催日",
            many=True,
            width=20,
            ask=Ask("checkbox", choices_from="選択肢:開催日"),
        ),
        Field("note", "備考", required=False, width=30, ask=_LONG),
    ),
    "verified",
    ("form:signup", "table:マスイベ", *_MASTERS),
    introduction=f"マスイベへの参加を申し込むフォームです。{_LAST}",
)
REPLICATION = Form(
    "replication",
    "星座複製",
    (
        *_COMMON,
        Field("date", "複製を行う日", ask=Ask("dropdown", choices_from="選択肢:活動日")),
        Field("constellation", "複製する星座", ask=Ask("dropdown", choices_from="選択肢:星座")),
        Field("stars_1", "消費する1等星の個数", required=False, width=8),
        Field("stars_2", "消費する2等星の個数", required=False, width=8),
        Field("stars_3", "消費する3等星の個数", required=False, width=8),
        Field("stars_4", "消費する4等星の個数", required=False, width=8),
        Field("stars_5", "消費する5等星の個数", required=False, width=8),
    ),
    "verified",
    (
        "form:replication",
        "form:signup",
        *_MASTERS,
        *(f"table:{name}" for name in ("星座", "効果", "星座所有", "マスイベ", "マスイベ結果", "補正")),
    ),
    introduction=f"星座の複製を申し込むフォームです。使わない恒星の欄は空けておいてください。{_LAST}",
)
EFFECT_BLOCKS = 5
_DAY = Ask("dropdown", choices_from="選択肢:活動日")
_EFFECT = Ask("dropdown", choices_from="選択肢:星座効果")
EFFECT = Form(
    "effect",
    "星座効果発動",
    (
        *_COMMON,
        *(
            field
            for part in range(1, EFFECT_BLOCKS + 1)
            for field in (
                Field(f"date_{part}", f"効果が発動する日 {part}", required=part == 1, width=12, ask=_DAY),
                Field(f"effect_{part}", f"星座効果 {part}", required=part == 1, width=16, ask=_EFFECT),
                Field(f"content_{part}", f"内容 {part}", required=False, width=20, ask=_LONG),
            )
        ),
    ),
    "verified",
    (
        "form:effect",
        "form:replication",
        "form:signup",
        *_MASTERS,
        *(f"table:{name}" for name in ("星座", "効果", "星座所有", "マスイベ", "マスイベ結果", "補正")),
    ),
    introduction=f"星座効果の発動を申し込むフォームです。日付は送る日でなく、効果が発動する日を選んでください。{_LAST}",
)
_SORCERER, _SCHOLAR = "星術師への襲撃", "学者への襲撃"
_KIND = Ask("choice", ("星術師", "学者"), blank=False, leads={"星術師": _SORCERER, "学者": _SCHOLAR})
_BALLS = Ask("checkbox", choices_from="選択肢:球", other=True, page=_SORCERER)
# Each answer leads to the end: a form has no other way past the page that follows.
_EXCHANGE = Ask(
    "choice",
    ("選択", "時間切れ", "なし"),
    blank=False,
    page=_SORCERER,
    leads={"選択": "", "時間切れ": "", "なし": ""},
)
_CARD = Ask("choice", ("受け取った", "所有なし"), blank=False, page=_SCHOLAR)
_ATTACK_FIELDS = (
    *_COMMON,
    Field("target_kind", "相手の種別", width=10, ask=_KIND),
    Field("target", "被襲撃者", ask=_ROSTER),
    Field("freeze_at", "フリーズ時刻", width=10, ask=Ask("time")),
    Field(
        "shown_at", "球の提示完了時刻", required=False, width=10, ask=Ask("time", blank=False, page=_SORCERER)
    ),
    Field("line_differs", "LINE表示と実際の相違", required=False, width=8, ask=_WHETHER),
    Field("line_note", "相違の内容", required=False, width=20, ask=_LONG),
    Field("janken", "同時フリーズの有無", required=False, width=8, ask=_WHETHER),
    Field("janken_note", "経緯", required=False, width=20, ask=_LONG),
    Field("place", "フリーズ地点", required=False, width=18, ask=Ask(blank=False)),
    Field("moved", "移動の有無", required=False, width=8, ask=_WHETHER),
    Field("moved_note", "移動の内容", required=False, width=20, ask=_LONG),
    Field("balls_given", "渡した球", many=True, required=False, ask=_BALLS),
    Field("balls_taken", "受け取った球", many=True, required=False, ask=_BALLS),
    Field("exchange", "球交換", required=False, width=8, ask=_EXCHANGE),
    Field("card", "学者カード", required=False, width=10, ask=_CARD),
    Field("effects", "発動した効果", required=False, width=24, ask=_LONG),
    Field("note", "備考", required=False, width=24, ask=_LONG),
)
ATTACK = Form(
    "attack",
    "襲撃報告",
    _ATTACK_FIELDS,
    "responder_input",
    (
        "form:attack",
        "form:board",
        *_MASTERS,
        *(
            f"table:{name}"
            for name in (
                "星座",
                "効果",
                "星座所有",
                "球",
                "球所有",
                "球交換",
                "活動禁止時間",
                "マスイベ",
                "補正",
            )
        ),
    ),
    rulings=("自動", "成立", "不成立(フリーズ不成立・権利戻る)", "不成立(権利消費)", "保留"),
    masters=(
        MasterColumn("成立時刻", width=20),
        MasterColumn("タッチ時刻", width=20),
        MasterColumn("優位", ("○", "×"), 7),
        *(MasterColumn(name, width=7) for name in "abcd"),
        MasterColumn("球の扱い", ("そのまま", "戻す"), 10),
        MasterColumn("確認メール送信(襲撃者)", width=20),
        MasterColumn("確認メール送信(被襲撃者)", width=20),
        MasterColumn("異議(襲撃者)", width=20),
        MasterColumn("異議(被襲撃者)", width=20),
        MasterColumn("訂正メール受信", width=20),
        *(MasterColumn(f"訂正:{field.title}", width=14) for field in _ATTACK_FIELDS if not field.secret),
    ),
    introduction="襲撃を報告するフォームです。襲撃1件につき1回だけ送ってください。まちがえたときは、もう一度送らずにメールで知らせてください。",
)


_KINDS = ("質問", "アドレス変更", "参加表明・立候補前", "その他")
INQUIRY = Form(
    "inquiry",
    "お問い合わせ",
    (
        Field("name", "正式呼称", ask=_ROSTER._replace(blank=True)),
        Field("passphrase", "あいことば", secret=True, ask=Ask(blank=True, check=_WORD_CHECK)),
        Field("kind", "種別", ask=Ask("choice", _KINDS)),
        Field("new_email", "変更後のアドレス", required=False, width=24, ask=Ask(check="メールアドレス")),
        Field("subject", "件名", required=False, width=24, ask=Ask(blank=False)),
        Field("body", "内容", required=False, width=40, ask=Ask("paragraph", blank=False)),
    ),
    "verified",
    ("form:inquiry", *_MASTERS),
    introduction="お問い合わせのフォームです。参加表明・立候補の前の方は、正式呼称とあいことばを空けておいてください。",
)
BOARD = Form(
    "board",
    "掲示板",
    (
        Field("number", "番号", width=8),
        Field("name", "名前", width=18),
        Field("title", "題名", width=14),
        Field("body", "本文", required=False, width=40),
        Field("text_size", "文字の大きさ", required=False, width=8),
        Field("image", "画像の有無", required=False, width=8),
    ),
    "responder_input",
    ("form:board", "form:attack", *_MASTERS),
    ("投稿時刻",),
    ("番号",),
    rulings=("自動", "受理", "不受理", "保留", "本人不一致"),
    masters=tuple(
        MasterColumn(header, ("TRUE", "FALSE"), 10)
        for header in ("顔", "条件", "アングル", "占星条件", "写真に球", "削除・編集")
    ),
)
FORMS = (SIGNUP, REPLICATION, EFFECT, ATTACK, INQUIRY, BOARD)

_WORD = re.compile(
    r"[A-Za-z\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U000323AF]+"
)


def is_sound_word(text: str) -> bool:
    """Only kanji, hiragana, katakana and Latin letters (１章 あいことば; A-37 in the strict reading)."""
    return _WORD.fullmatch(text) is not None
