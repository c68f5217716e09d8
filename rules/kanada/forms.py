"""The forms and the masters' tables of 輝流堕2026: names, titles, questions, columns.

Promises: field names never change, titles may be changed in the config. Refuses to know: what the answers lead to.
Sources: １章 マスターイベント, ４章 星座複製 and the masters' own tables.
"""

from __future__ import annotations

import re

from rules.game import Field, Form, MasterColumn
from rules.tables import Column, Table

GRADES = (1, 2, 3, 4, 5)
STAR_COLUMNS = tuple(f"{grade}等星" for grade in GRADES)
_COMMON = (Field("name", "正式呼称"), Field("passphrase", "あいことば", secret=True))
_MASTERS = ("table:名簿", "table:延長", "table:方針", "table:終戦", "table:公開")

SIGNUP = Form(
    "signup",
    "マスイベ参加申込",
    (
        *_COMMON,
        Field("event_dates", "参加を希望する開催日", many=True, width=20),
        Field("note", "備考", required=False, width=30),
    ),
    "verified",
    ("form:signup", "table:マスイベ", *_MASTERS),
)
REPLICATION = Form(
    "replication",
    "星座複製",
    (
        *_COMMON,
        Field("date", "複製を行う日"),
        Field("constellation", "複製する星座"),
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
)
EFFECT_BLOCKS = 5
EFFECT = Form(
    "effect",
    "星座効果発動",
    (
        *_COMMON,
        *(
            field
            for part in range(1, EFFECT_BLOCKS + 1)
            for field in (
                Field(f"date_{part}", f"効果が発動する日 {part}", required=part == 1, width=12),
                Field(f"effect_{part}", f"星座効果 {part}", required=part == 1, width=16),
                Field(f"content_{part}", f"内容 {part}", required=False, width=20),
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
)
_ATTACK_FIELDS = (
    *_COMMON,
    Field("target_kind", "相手の種別", width=10),
    Field("target", "被襲撃者"),
    Field("freeze_at", "フリーズ時刻", width=10),
    Field("shown_at", "球の提示完了時刻", required=False, width=10),
    Field("line_differs", "LINE表示と実際の相違", required=False, width=8),
    Field("line_note", "相違の内容", required=False, width=20),
    Field("janken", "同時フリーズの有無", required=False, width=8),
    Field("janken_note", "経緯", required=False, width=20),
    Field("place", "フリーズ地点", required=False, width=18),
    Field("moved", "移動の有無", required=False, width=8),
    Field("moved_note", "移動の内容", required=False, width=20),
    Field("balls_given", "渡した球", many=True, required=False),
    Field("balls_taken", "受け取った球", many=True, required=False),
    Field("exchange", "球交換", required=False, width=8),
    Field("card", "学者カード", required=False, width=10),
    Field("effects", "発動した効果", required=False, width=24),
    Field("note", "備考", required=False, width=24),
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
)


INQUIRY = Form(
    "inquiry",
    "お問い合わせ",
    (
        Field("name", "正式呼称"),
        Field("passphrase", "あいことば", secret=True),
        Field("kind", "種別"),
        Field("new_email", "変更後のアドレス", required=False, width=24),
        Field("subject", "件名", required=False, width=24),
        Field("body", "内容", required=False, width=40),
    ),
    "verified",
    ("form:inquiry", *_MASTERS),
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

ROSTER = Table(
    "名簿",
    (
        Column("正式呼称", needed=True, width=16),
        Column("開始", "instant"),
        Column("役割", needed=True, choices=("星術師", "学者")),
        Column("正式コードネーム", width=16),
        Column("メールアドレス", width=26),
        Column("終了", "instant"),
        Column("承認時間帯", width=20),
    ),
    ("正式呼称", "開始"),
)
CONSTELLATIONS = Table(
    "星座",
    (
        Column("名称", needed=True, width=14),
        Column("主属性", choices=("炎", "水", "森", "闇"), width=8),
        Column("副属性", choices=("光",), width=8),
        Column("ランク", "whole", width=8),
        *(Column(header, "whole", width=7) for header in STAR_COLUMNS),
        Column("公開時刻", "instant", width=20),
    ),
    ("名称",),
)
EFFECTS = Table(
    "効果",
    (
        Column("名称", needed=True, width=16),
        Column("星座", width=14),
        Column("効果文", width=40),
        Column("送信期限", width=16),
        Column("内容"),
        Column("起点", width=18),
        Column("条件", width=18),
        Column("作用", width=18),
        Column("組"),
    ),
    ("名称",),
)
OWNERSHIP = Table(
    "星座所有",
    (
        Column("正式呼称", needed=True, width=16),
        Column("取得", "instant", needed=True, width=20),
        Column("星座", needed=True, width=14),
        Column("終了", "instant", width=20),
    ),
    ("正式呼称", "取得"),
)
BALLS = Table(
    "球",
    (
        Column("名称", needed=True, width=14),
        Column("等級", "whole", width=8),
        Column("効果文", width=40),
        Column("起点", width=18),
        Column("条件", width=18),
        Column("作用", width=18),
        Column("組"),
        Column("公開時刻", "instant", width=20),
    ),
    ("名称",),
)
EVENT_KINDS = ("0次", "0.5次", "通常", "星座", "最終")
EVENTS = Table(
    "マスイベ",
    (
        Column("開催日", "date", needed=True, width=13),
        Column("種類", choices=EVENT_KINDS, width=9),
        Column("開始", "instant", width=20, on="開催日"),
        Column("終了", "instant", width=20, on="開催日"),
        Column("集合", "instant", width=20, on="開催日"),
        Column("集合場所", width=20),
        Column("詳細", width=30),
        Column("ドラフト期限", "instant", width=20, on="開催日"),
        Column("オークション通知時刻", "instant", width=20, on="開催日"),
        Column("オークション開始", "instant", width=20, on="開催日"),
        Column("オークションリンク", width=20),
        Column("オークションパスワード", width=16),
        Column("禁止開始", "instant", width=20, on="開催日"),
        Column("禁止終了", "instant", width=20, on="開催日"),
        Column("欠席点", "decimal", width=8),
        Column("結果公開時刻", "instant", width=20, on="開催日"),
    ),
    ("開催日",),
)
ATTENDED, ABSENT, LATE_COMER = "出席", "欠席", "遅刻"
RESULTS = Table(
    "マスイベ結果",
    (
        Column("開催日", "date", needed=True, width=13),
        Column("正式呼称", needed=True, width=16),
        Column("出席", choices=(ATTENDED, ABSENT, LATE_COMER), width=8),
        Column("順位", "whole", width=7),
        Column("点数", "decimal", width=8),
        *(Column(header, "decimal", width=7) for header in STAR_COLUMNS),
    ),
    ("開催日", "正式呼称"),
)
PROHIBITED = Table(
    "活動禁止時間",
    (
        Column("対象", needed=True, width=16),
        Column("開始", "instant", needed=True, width=20),
        Column("終了", "instant", width=20),
    ),
    ("対象", "開始"),
)
CORRECTIONS = Table(
    "補正",
    (
        Column("番号", width=7),
        Column("時刻", "instant", width=20),
        Column("正式呼称", needed=True, width=16),
        Column("項目", needed=True, choices=("点数", "襲撃権", *STAR_COLUMNS), width=9),
        Column("増減", "decimal", needed=True, width=8),
        Column("種別", choices=("補填", "ペナルティ", "星座効果", "球効果", "決定"), width=10),
        Column("理由", width=30),
    ),
    ("番号",),
)
EXTENSIONS = Table(
    "延長",
    (
        Column("番号", width=7),
        Column("正式呼称", width=16),
        Column("フォーム", needed=True, width=18),
        Column("キー", needed=True, width=14),
        Column("新期限", "instant", needed=True, width=20),
        Column("理由", width=30),
    ),
    ("番号",),
)
ENDINGS = Table(
    "終戦",
    (
        Column("番号", width=7),
        Column("時刻", "instant", needed=True, width=20),
        Column("理由", width=30),
        Column("確定", width=8),
    ),
    ("番号",),
)
PUBLISHED = Table(
    "公開",
    (Column("記事名", needed=True, width=24), Column("公開時刻", "instant", width=20)),
    ("記事名",),
)
READINGS = Table(
    "方針",
    (
        Column("番号", needed=True, width=8),
        Column("読み", "whole", needed=True, width=7),
        Column("開始", "instant", width=20),
    ),
    ("番号",),
)
OWNED_BALLS = Table(
    "球所有",
    (
        Column("番号", width=7),
        Column("正式呼称", needed=True, width=16),
        Column("球", needed=True, width=14),
        Column("開始", "instant", width=20),
        Column("終了", "instant", width=20),
    ),
    ("番号",),
)
SWAPS = Table(
    "球交換",
    (
        Column("番号", width=7),
        Column("時刻", "instant", needed=True, width=20),
        Column("正式呼称", needed=True, width=16),
        Column("渡した球", width=14),
        Column("受け取った球", width=14),
    ),
    ("番号",),
)
TABLES = (
    ROSTER,
    CONSTELLATIONS,
    EFFECTS,
    OWNERSHIP,
    BALLS,
    OWNED_BALLS,
    SWAPS,
    EVENTS,
    RESULTS,
    PROHIBITED,
    CORRECTIONS,
    EXTENSIONS,
    ENDINGS,
    PUBLISHED,
    READINGS,
)

_WORD = re.compile(
    r"[A-Za-z\u3041-\u3096\u30A1-\u30FA\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U000323AF]+"
)


def is_sound_word(text: str) -> bool:
    """Only kanji, hiragana, katakana and Latin letters (１章 あいことば; A-37 in the strict reading)."""
    return _WORD.fullmatch(text) is not None
