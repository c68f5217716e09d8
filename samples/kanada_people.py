"""Who plays the sample game: names, addresses and words, all invented.

Promises: what is registered for a name at an instant. Refuses to know: responses and verdicts.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from kanada_forms import print_cell_time, read_instant

SORCERER, SCHOLAR = "星術師", "学者"


class Person(NamedTuple):
    """One row of the roster with the word that goes with it; the word stands only in the private file."""

    name: str
    codename: str
    address: str
    passphrase: str
    registered: str
    role: str = SORCERER
    hours: str = ""


# The names hold traps on purpose: one name inside another, 髙 beside 高, voiced kana that can be written as two
# characters, an ideographic space inside a name, and letters that exist in two widths.
PEOPLE = (
    Person("ミントティー", "午後三時のミントティー", "mint.tea@example.com", "あさつゆ", "09-19 00:04:31"),
    Person("ミント", "庭先のミント", "niwasaki.mint@example.jp", "ハッカアメ", "09-19 00:11:58"),
    Person("髙梨ノイズ", "真夜中の髙梨ノイズ", "takanashi.noise@example.com", "砂嵐", "09-19 08:40:12"),
    Person(
        "ガラパゴス銀河", "ガラパゴス銀河鉄道", "galapagos.ginga@example.com", "ゾウガメ", "09-19 12:03:45"
    ),
    Person("がらくた船長", "がらくた船の船長", "garakuta@example.jp", "たからじま", "09-19 21:30:09"),
    Person("Nocturne", "Nocturne in blue", "nocturne+game@example.com", "Chopin", "09-20 01:17:40"),
    Person("夜　汽車", "終点行きの夜　汽車", "yogisha@example.jp", "枕木", "09-20 10:22:33"),
    Person("零番目の林檎", "籠のなかの零番目の林檎", "zero.apple@example.com", "果樹園", "09-20 13:05:27"),
    Person("砂糖細工", "溶けかけの砂糖細工", "sugarcraft@example.com", "わたあめ", "09-20 19:48:50"),
    Person("Quartz", "Smoky Quartz", "quartz@example.jp", "すいしょう", "09-20 22:00:16"),
    Person("雨宿り", "三軒先の雨宿り", "amayadori@example.com", "のきした", "09-21 09:12:39"),
    Person("三毛猫大佐", "退役した三毛猫大佐", "colonel.mike@example.jp", "ネコヤナギ", "09-21 12:31:04"),
    Person("らくがき帳", "余白だらけのらくがき帳", "rakugaki@example.com", "えのぐ", "09-21 17:26:48"),
    Person("鉄塔のモグラ", "送電線と鉄塔のモグラ", "mogura@example.com", "トンネル", "09-22 00:45:13"),
    Person("うみほたる", "防波堤のうみほたる", "umihotaru@example.jp", "あおじろい", "09-22 11:09:55"),
    Person("Dr.パセリ", "名誉教授Dr.パセリ", "dr.parsley@example.com", "キアゲハ", "09-22 15:50:21"),
    Person("紙ひこうき", "屋上発の紙ひこうき", "kamihikoki@example.com", "かぜまち", "09-23 10:38:02"),
    Person("眠れる炭酸水", "棚の奥の眠れる炭酸水", "tansan@example.jp", "Bubble", "09-23 18:14:37"),
    Person("灰色のソナタ", "第二楽章灰色のソナタ", "sonata@example.com", "和音", "09-24 09:59:42"),
    Person("ペンギン急行", "南極発ペンギン急行", "penguin.exp@example.com", "コオリ", "09-24 20:07:11"),
    Person("朝凪", "岬の朝凪", "asanagi@example.com", "しおかぜ", "09-25 08:25:30"),
    Person("ぽんかん", "段ボール一杯のぽんかん", "ponkan@example.jp", "みかんばたけ", "09-26 14:41:19"),
    Person("十六夜ポスト", "曲がり角の十六夜ポスト", "izayoi.post@example.jp", "速達", "09-27 16:33:08"),
    Person("ゼロヨン", "直線番長ゼロヨン", "zeroyon@example.com", "ブレイキ", "09-28 23:18:54"),
    Person(
        "望遠鏡おじさん",
        "坂の上の望遠鏡おじさん",
        "telescope@example.com",
        "レンズ",
        "09-15 10:00:00",
        SCHOLAR,
        "13:00-14:30",
    ),
    Person(
        "図書室の幽霊",
        "地下図書室の幽霊",
        "library.ghost@example.jp",
        "しおり",
        "09-16 12:20:00",
        SCHOLAR,
        "10:40-12:10",
    ),
    Person(
        "地層女子", "関東平野の地層女子", "chisou@example.com", "アンモナイト", "09-17 18:05:00", SCHOLAR, ""
    ),
    Person(
        "ルーペ", "胸ポケットのルーペ", "loupe@example.com", "拡大", "09-18 09:30:00", SCHOLAR, "16:30-18:00"
    ),
)

SORCERERS = tuple(person.name for person in PEOPLE if person.role == SORCERER)
SCHOLARS = tuple(person.name for person in PEOPLE if person.role == SCHOLAR)

# (name, new value, from): what changed by the proper way, the address by an inquiry, the word on the telephone.
ADDRESS_CHANGES = (("朝凪", "asanagi.new@example.jp", "10-14 10:00:00"),)
PASSPHRASE_CHANGES = (("ゼロヨン", "Prism", "10-13 19:00:00"),)

_BY_NAME = {person.name: person for person in PEOPLE}


def address_of(name: str, instant: datetime) -> str:
    """Return the address registered for a player at an instant."""
    for changed, address, start in ADDRESS_CHANGES:
        if changed == name and read_instant(start) <= instant:
            return address
    return _BY_NAME[name].address


def passphrase_of(name: str, instant: datetime) -> str:
    """Return the word that a player has at an instant."""
    for changed, passphrase, start in PASSPHRASE_CHANGES:
        if changed == name and read_instant(start) <= instant:
            return passphrase
    return _BY_NAME[name].passphrase


def list_roster() -> list[tuple[str, ...]]:
    """Return the rows of 名簿; a changed address closes one row and opens the next."""
    ends = {name: start for name, _, start in ADDRESS_CHANGES}
    rows: list[tuple[str, ...]] = []
    for person in PEOPLE:
        end = print_cell_time(read_instant(ends[person.name])) if person.name in ends else ""
        start = print_cell_time(read_instant(person.registered))
        rows.append((person.name, start, person.role, person.codename, person.address, end, person.hours))
        for name, address, changed in ADDRESS_CHANGES:
            if name == person.name:
                since = print_cell_time(read_instant(changed))
                rows.append((name, since, person.role, person.codename, address, "", person.hours))
    return rows


def list_passphrases() -> list[tuple[str, ...]]:
    """Return the rows of the private file: who has which word from when."""
    rows: list[tuple[str, ...]] = []
    for person in PEOPLE:
        rows.append((person.name, print_cell_time(read_instant(person.registered)), person.passphrase))
        for name, passphrase, start in PASSPHRASE_CHANGES:
            if name == person.name:
                rows.append((name, print_cell_time(read_instant(start)), passphrase))
    return rows
