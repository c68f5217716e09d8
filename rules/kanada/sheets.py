"""The masters' tables of 輝流堕2026: columns, kinds, keys.

Promises: headers are the masters' words and never change; a cell's kind says how it is read. Refuses to know: what
the rows mean.
"""

from __future__ import annotations

from rules.tables import Column, Table

GRADES = (1, 2, 3, 4, 5)
STAR_COLUMNS = tuple(f"{grade}等星" for grade in GRADES)

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
