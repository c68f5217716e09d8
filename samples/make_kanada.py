"""Writes the bundled sample game: what its masters have on hand in mid-game, on 2026-10-16 at 12:30.

Promises: the same bytes every time, from seeds and tables only; every person, word and address is invented. Refuses
to know: how Saitei judges. `python samples/make_kanada.py [OUTDIR]` writes to its own folder unless told otherwise.
"""

from __future__ import annotations

import csv
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import kanada_board_plants
import kanada_effect_plants
import kanada_inquiries
import kanada_raid_plants
import kanada_replication_plants
import kanada_signup_plants
from kanada_balls import deal_balls, list_balls, list_owned_balls
from kanada_board import HEADER as BOARD_HEADER
from kanada_board import build_board, list_board
from kanada_calendar import (
    EXTENSIONS,
    POLICIES,
    PUBLICATIONS,
    list_adjustments,
    list_events,
    list_prohibited_times,
)
from kanada_effects import HEADER as EFFECT_HEADER
from kanada_effects import build_effects
from kanada_forms import (
    PLANT_HEADER,
    Response,
    list_plants,
    order_responses,
    print_export_row,
    print_linked_row,
)
from kanada_people import SORCERERS, list_passphrases, list_roster
from kanada_raid_state import list_spans
from kanada_raids import HEADER as RAID_HEADER
from kanada_raids import build_raids, plan_raids
from kanada_replications import HEADER as REPLICATION_HEADER
from kanada_replications import build_replications
from kanada_results import build_results
from kanada_signups import HEADER as SIGNUP_HEADER
from kanada_signups import build_signups
from kanada_stars import CONSTELLATIONS, STAR_GIVERS, list_constellations, list_effects

Rows = Iterable[Sequence[str]]

STAR_TITLES = tuple(f"{grade}等星" for grade in range(1, 6))
EVENT_TITLES = (
    "開催日 種類 開始 終了 集合 集合場所 詳細 ドラフト期限 オークション通知時刻 オークション開始 オークションリンク "
    "オークションパスワード 禁止開始 禁止終了 欠席点 結果公開時刻"
)
# A real game keeps a random key out of version control; this one is public, and looks it.
SAMPLE_KEY = "0123456789abcdef" * 4
# Those whose planted replications need a certain constellation, from 10-12 and from 10-15.
FIRST_OWNERS = {"うみほたる": "団栗座", "Dr.パセリ": "切株座", "ミントティー": "傘座"}
SECOND_OWNERS = {"紙ひこうき": "蔦座", "ミントティー": "傘座", "ミント": "蝋燭座"}
MARKET_DAY = "2026-10-10"
# How each form's responses are printed: header, one row, whether every cell is quoted.
FORMS: Mapping[str, tuple[Sequence[str], Callable[[str, Response], Sequence[str]], bool]] = {
    "signup": (SIGNUP_HEADER, print_export_row, True),
    "replication": (REPLICATION_HEADER, print_linked_row, False),
    "effect": (EFFECT_HEADER, print_linked_row, False),
    "attack": (RAID_HEADER, print_export_row, True),
    "inquiry": (kanada_inquiries.HEADER, print_export_row, True),
}
PLANTS = (
    *kanada_signup_plants.PLANTS,
    *kanada_replication_plants.PLANTS,
    *kanada_effect_plants.PLANTS,
    *kanada_raid_plants.PLANTS,
    *kanada_board_plants.PLANTS,
    *kanada_inquiries.PLANTS,
)


class Table(NamedTuple):
    """One file: where it goes, its header, its rows, and whether every cell is quoted as a form's export does."""

    path: str
    header: Sequence[str]
    rows: Rows
    quote_all: bool = False


def draw_owners() -> dict[str, tuple[str, str]]:
    """Give every sorcerer one constellation from 10-12 and one from 10-15, each with one owner at a time."""
    rng = random.Random("kanada owners")
    rounds = []
    for fixed in (FIRST_OWNERS, SECOND_OWNERS):
        free = [s.name for s in CONSTELLATIONS if s.name not in STAR_GIVERS and s.name not in fixed.values()]
        rng.shuffle(free)
        rounds.append({name: fixed.get(name) or free.pop() for name in SORCERERS})
    return {name: (rounds[0][name], rounds[1][name]) for name in SORCERERS}


def build_tables() -> list[Table]:
    """Build every file of the sample."""
    signups, expected = build_signups()
    results, gains = build_results(expected)
    owners = draw_owners()
    replications = build_replications(gains, owners)
    hands = deal_balls(SORCERERS, [row[1] for row in results if row[0] == MARKET_DAY])
    raids = plan_raids(list_spans(expected), owners)
    board = build_board(raids)
    placed = {
        "signup": order_responses(signups, "S"),
        "replication": order_responses(replications, "R"),
        "effect": order_responses(build_effects(owners, replications), "E"),
        "attack": order_responses(build_raids(raids, hands, owners, replications), "A"),
        "inquiry": order_responses(kanada_inquiries.build_inquiries(), "Q"),
    }
    ids = {(form, response.label): number for form, rows in placed.items() for number, response in rows}
    ids |= {("board", row.label): number for number, row in board}
    plants = [p._replace(key=ids[p.form, p.label]) if p.form == "board" else p for p in PLANTS]
    return [
        *(_build_form_table(form, rows) for form, rows in placed.items()),
        Table("board.csv", BOARD_HEADER, list_board(board)),
        *_build_master_tables(results, owners, hands),
        Table("private/passphrases.csv", ("正式呼称", "開始", "あいことば"), list_passphrases()),
        Table("planted.csv", PLANT_HEADER, list_plants(plants, ids)),
    ]


def _build_form_table(form: str, placed: Sequence[tuple[str, Response]]) -> Table:
    header, show, quote_all = FORMS[form]
    rows = [show(number, response) for number, response in placed]
    return Table(f"responses/{form}.csv", header, rows, quote_all)


def _build_master_tables(
    results: Rows, owners: dict[str, tuple[str, str]], hands: dict[str, list[str]]
) -> list[Table]:
    instants = ("2026-10-12 00:00:00", "2026-10-15 00:00:00")
    holdings = [
        (name, at, pair[place], "") for place, at in enumerate(instants) for name, pair in owners.items()
    ]
    tabs: dict[str, tuple[str, Rows]] = {
        "名簿": ("正式呼称 開始 役割 正式コードネーム メールアドレス 終了 承認時間帯", list_roster()),
        "星座": (f"名称 主属性 副属性 ランク {' '.join(STAR_TITLES)} 公開時刻", list_constellations()),
        "効果": ("名称 星座 効果文 送信期限 内容 起点 条件 作用 組", list_effects()),
        "星座所有": ("正式呼称 取得 星座 終了", holdings),
        "球": ("名称 等級 効果文 起点 条件 作用 組 公開時刻", list_balls()),
        "球所有": ("番号 正式呼称 球 開始 終了", list_owned_balls(hands)),
        "マスイベ": (EVENT_TITLES, list_events()),
        "マスイベ結果": (f"開催日 正式呼称 出席 順位 点数 {' '.join(STAR_TITLES)}", results),
        "補正": ("番号 時刻 正式呼称 項目 増減 種別 理由", list_adjustments()),
        "延長": ("番号 正式呼称 フォーム キー 新期限 理由", EXTENSIONS),
        "方針": ("番号 読み 開始", POLICIES),
        "公開": ("記事名 公開時刻", PUBLICATIONS),
        "活動禁止時間": ("対象 開始 終了", list_prohibited_times()),
    }
    return [Table(f"masters/{tab}.csv", titles.split(), rows) for tab, (titles, rows) in tabs.items()]


def write_table(folder: Path, table: Table) -> None:
    """Write one file: UTF-8, LF, one header row."""
    path = folder / table.path
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        quoting: Literal[0, 1] = csv.QUOTE_ALL if table.quote_all else csv.QUOTE_MINIMAL
        writer = csv.writer(file, lineterminator="\n", quoting=quoting)
        writer.writerow(table.header)
        writer.writerows(table.rows)


def main(arguments: Sequence[str]) -> int:
    """Write the sample game to the folder given, or to its own."""
    folder = Path(arguments[0]) if arguments else Path(__file__).parent / "kanada"
    for table in build_tables():
        write_table(folder, table)
    (folder / "private" / "key").write_text(SAMPLE_KEY + "\n", encoding="ascii", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
