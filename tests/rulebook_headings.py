"""The chapter headings of 輝流堕2026 in the order of the printed rules: what a citation may name."""

from __future__ import annotations

from collections.abc import Mapping

HEADINGS: Mapping[str, tuple[str, ...]] = {
    "１章": (
        "基本規定",
        "開催期間",
        "休戦日",
        "活動禁止時間",
        "マスター",
        "呼称",
        "禁止行為",
        "写真",
        "あいことば",
        "問い合わせ",
        "点数",
        "学者",
        "マスターイベント",
        "輝流堕2026公式LINE",
        "メールアドレス",
        "メーリングリスト",
        "X",
        "LINEオープンチャット",
    ),
    "２章": ("球", "カード"),
    "３章": ("星座", "星座効果", "星座の取得", "オークション", "オークションの流れ"),
    "４章": ("星座複製", "恒星"),
    "５章": ("観測", "観測の流れ", "観測の受理", "再観測", "占星", "占星の受理"),
    "６章": (
        "襲撃",
        "フリーズ",
        "襲撃権",
        "星術師への襲撃の流れ",
        "星術師への襲撃の成立",
        "学者への襲撃の流れ",
        "学者への襲撃の成立",
        "襲撃時のトラブルについて",
    ),
    "７章": ("用具受け渡し", "講和会議", "犯罪行為", "マジギレ"),
}
SECTIONS = frozenset(f"{chapter} {heading}" for chapter, names in HEADINGS.items() for heading in names)
