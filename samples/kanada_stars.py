"""The sample's constellations and their effects, all invented; the effects keep to the closed grammar of the catalogue.

Promises: distinct ranks, one to three grades in every cost, every effect in words and in grammar. Only constellations
that nobody owns or replicates in the sample give 恒星, so that the balances follow from events and 補正 alone.
"""

from __future__ import annotations

from typing import NamedTuple

PUBLISHED = "2026-10-03 00:00:00"
GRADES = (1, 2, 3, 4, 5)
EVE = "-1日 23:59:59"
MORNING = "0日 11:59:59"
DAWN = "daily 00:00:00"


class Constellation(NamedTuple):
    """One row of 星座; the cost is one digit a grade, 1等星 first."""

    name: str
    main: str
    sub: str
    rank: int
    digits: str

    @property
    def cost(self) -> tuple[int, ...]:
        """Return how many stars of each grade a replication takes."""
        return tuple(int(digit) for digit in self.digits)


class Effect(NamedTuple):
    """One row of 効果."""

    name: str
    constellation: str
    text: str
    when: str
    does: str
    condition: str = ""
    deadline: str = ""
    content: str = ""
    group: str = ""


CONSTELLATIONS = (
    Constellation("新月座", "闇", "", 1, "11100"),
    Constellation("万年樹座", "森", "光", 2, "11000"),
    Constellation("停電座", "闇", "", 3, "10100"),
    Constellation("篝火座", "炎", "光", 4, "10000"),
    Constellation("灯台座", "水", "光", 5, "10000"),
    Constellation("影法師座", "闇", "", 6, "01110"),
    Constellation("溶鉱炉座", "炎", "", 7, "01100"),
    Constellation("渦潮座", "水", "", 8, "01100"),
    Constellation("梟座", "森", "光", 9, "01010"),
    Constellation("井戸座", "闇", "", 10, "01011"),
    Constellation("花火師座", "炎", "光", 11, "01000"),
    Constellation("水車座", "水", "", 12, "01001"),
    Constellation("木霊座", "森", "", 13, "00210"),
    Constellation("黒猫座", "闇", "", 14, "00201"),
    Constellation("鍛冶屋座", "炎", "光", 15, "00200"),
    Constellation("海月座", "水", "光", 16, "00111"),
    Constellation("栗鼠座", "森", "光", 17, "00111"),
    Constellation("枕座", "闇", "", 18, "00110"),
    Constellation("狐火座", "炎", "", 19, "00110"),
    Constellation("金魚鉢座", "水", "", 20, "00101"),
    Constellation("鳥巣座", "森", "", 21, "00101"),
    Constellation("抽斗座", "闇", "", 22, "00100"),
    Constellation("煙突座", "炎", "", 23, "00030"),
    Constellation("潮溜座", "水", "", 24, "00021"),
    Constellation("茸座", "森", "", 25, "00021"),
    Constellation("火打石座", "炎", "", 26, "00020"),
    Constellation("傘座", "水", "", 27, "00020"),
    Constellation("蔦座", "森", "", 28, "00012"),
    Constellation("唐辛子座", "炎", "", 29, "00012"),
    Constellation("氷菓座", "水", "", 30, "00011"),
    Constellation("切株座", "森", "", 31, "00011"),
    Constellation("如雨露座", "水", "光", 32, "00003"),
    Constellation("団栗座", "森", "", 33, "00002"),
    Constellation("蝋燭座", "炎", "", 34, "00002"),
)

EFFECTS = (
    Effect("月の裏側", "新月座", "襲撃をしたとき、襲撃点の基礎に60を加える。", "attack", "a +60"),
    Effect(
        "闇夜の帳",
        "新月座",
        "襲撃をされたとき、被襲撃点の基礎から50を引く。",
        "attacked",
        "c -50",
        group="帳",
    ),
    Effect("千の年輪", "万年樹座", "毎日0時に40点を得る。", DAWN, "points +40"),
    Effect(
        "一斉消灯",
        "停電座",
        "前日のうちに星術師を1人指名すると、その人は正午まで襲撃の対象から外れる。",
        DAWN,
        "note 指名された星術師を正午まで襲撃の対象から外す",
        "form",
        EVE,
        "星術師",
    ),
    Effect(
        "夜警の火",
        "篝火座",
        "星術師を襲撃したとき、襲撃点が1.2倍になる。",
        "attack",
        "b *1.2",
        "target is 星術師",
    ),
    Effect("岬の光", "灯台座", "保持している間、黒猫座の持ち主を襲撃できる。", "granted", "opens 黒猫座"),
    Effect("霧笛", "灯台座", "観測を達成すると、その日の初回に限り30点を得る。", "observed", "points +30"),
    Effect("追う影", "影法師座", "襲撃をしたとき、相手はさらに25点を失う。", "attack", "target points -25"),
    Effect("鋳直し", "溶鉱炉座", "球が動くたびに35点を得る。", "exchanged", "points +35"),
    Effect(
        "引き潮", "渦潮座", "前日のうちに送信すると、0時に残高の5%を得る。", DAWN, "points +5%", "form", EVE
    ),
    Effect("夜目", "梟座", "保持している間、停電座の持ち主を襲撃できる。", "granted", "opens 停電座"),
    Effect("羽音なし", "梟座", "学者を襲撃したとき、10点を得る。", "attack", "points +10", "target is 学者"),
    Effect(
        "深い水面", "井戸座", "襲撃をされたとき、被襲撃点が0.8倍になる。", "attacked", "d *0.8", group="帳"
    ),
    Effect(
        "大輪",
        "花火師座",
        "その日の最初の襲撃で、襲撃点の基礎に80を加える。",
        "attack",
        "a +80",
        "first of day",
    ),
    Effect(
        "回り続ける輪", "水車座", "毎日0時と12時に15点ずつを得る。", f"{DAWN}; daily 12:00:00", "points +15"
    ),
    Effect("こだま返し", "木霊座", "観測を達成すると、3等星を1つ得る。", "observed", "star/3 +1"),
    Effect(
        "横切る",
        "黒猫座",
        "他の人どうしの襲撃が成立するたびに12.5点を得る。",
        "other attack",
        "points +12.5",
    ),
    Effect(
        "打ち直し",
        "鍛冶屋座",
        "前日のうちに送信すると、その日に自身が行う襲撃では球の交換を行わない。",
        "attack",
        "exchange 0",
        "form",
        EVE,
    ),
    Effect(
        "ただよう",
        "海月座",
        "襲撃をされたとき、被襲撃点の基礎から30を引き、20点を得る。",
        "attacked",
        "c -30; points +20",
    ),
    Effect(
        "隠し場所",
        "栗鼠座",
        "前日のうちに3から5の数を1つ送信すると、マスターがその等級の球を1つ見せる。",
        DAWN,
        "note 送信された等級の球を1つ見せる",
        "form",
        EVE,
        "数",
    ),
    Effect("二度寝", "枕座", "付与されたときに4等星を2つ得る。", "granted", "star/4 +2"),
    Effect(
        "狐の窓",
        "狐火座",
        "付与から6時間、影法師座の持ち主を襲撃できる。",
        "granted",
        "opens 影法師座 for 06:00:00",
    ),
    Effect(
        "硝子越し",
        "金魚鉢座",
        "襲撃の相手が渦潮座を持つとき、襲撃点の基礎に50を加える。",
        "attack",
        "a +50",
        "target holds 渦潮座",
    ),
    Effect("抱卵", "鳥巣座", "取得から48時間持ち続けると120点を得る。", "owned 48:00:00", "points +120"),
    Effect(
        "奥の手",
        "抽斗座",
        "前日のうちに「表」か「裏」を送信し、表ならその日の二度目からの襲撃で、襲撃点の基礎に20を加える。",
        "attack",
        "a +20",
        "form; content 表; not first of day",
        EVE,
        "表|裏",
    ),
    Effect("煤払い", "煙突座", "占星を達成すると25点を得る。", "astrology", "points +25"),
    Effect("取り残し", "潮溜座", "襲撃をされたとき、40点を得る。", "attacked", "points +40"),
    Effect("胞子", "茸座", "毎日0時に10点を得る。", DAWN, "points +10"),
    Effect(
        "ひとうち",
        "火打石座",
        "学者を襲撃したとき、襲撃点の基礎に45を加える。",
        "attack",
        "a +45",
        "target is 学者",
    ),
    Effect("相合", "傘座", "襲撃をされたとき、被襲撃点が0.9倍になる。", "attacked", "d *0.9"),
    Effect(
        "置き傘",
        "傘座",
        "前日のうちに傘を置く場所を送信すると、0時に20点を得る。",
        DAWN,
        "points +20",
        "form",
        EVE,
        "文",
    ),
    Effect(
        "からみつく", "蔦座", "保持している間、水車座の持ち主から襲撃されない。", "granted", "closes 水車座"
    ),
    Effect("激辛", "唐辛子座", "襲撃をしたとき、襲撃点の基礎に25を加える。", "attack", "a +25"),
    Effect("あたり棒", "氷菓座", "付与されたときに20点を得る。", "granted", "points +20"),
    Effect("ひと休み", "切株座", "観測を達成すると20点を得る。", "observed", "points +20"),
    Effect(
        "にわか雨",
        "如雨露座",
        "当日の正午前までに送信すると、その日の18時に45点を得る。",
        "daily 18:00:00",
        "points +45",
        "form",
        MORNING,
    ),
    Effect("背くらべ", "団栗座", "付与されたときに15点を得る。", "granted", "points +15"),
    Effect("風前", "蝋燭座", "終戦のときまで持っていれば60点を得る。", "end", "points +60"),
)

STAR_GIVERS = frozenset(effect.constellation for effect in EFFECTS if "star/" in effect.does)
BY_NAME = {constellation.name: constellation for constellation in CONSTELLATIONS}


def list_constellations() -> list[tuple[str, ...]]:
    """Return the rows of 星座; a grade that costs nothing stays blank."""
    return [
        (star.name, star.main, star.sub, str(star.rank), *(str(n) if n else "" for n in star.cost), PUBLISHED)
        for star in CONSTELLATIONS
    ]


def list_effects() -> list[tuple[str, ...]]:
    """Return the rows of 効果, columns in the tab's order."""
    return [
        (
            effect.name,
            effect.constellation,
            effect.text,
            effect.deadline,
            effect.content,
            effect.when,
            effect.condition,
            effect.does,
            effect.group,
        )
        for effect in EFFECTS
    ]
