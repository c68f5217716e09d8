"""The sample's calendar and the small tabs that the masters keep by hand, as they stand at the sample's instant.

Promises: nothing here is later than AS_OF but what was planned or announced for later. Refuses to know: responses.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from kanada_forms import print_cell_time, read_instant

AS_OF = read_instant("10-16 12:30:00")
REST_DAY = "10-18"
ORDINARY, STARRY = "通常", "星座"
DAYS = tuple(f"10-{day}" for day in range(12, 25))


class Event(NamedTuple):
    """One event with a sign-up: times of day, place, what an absentee loses, when its result came out."""

    day: str
    kind: str
    gather: str
    end: str
    bar_start: str
    bar_end: str
    place: str
    details: str
    penalty: int
    published: str = ""

    @property
    def published_at(self) -> datetime | None:
        """Return when the result came out; None while it is not out."""
        return read_instant(f"{self.day} {self.published}") if self.published else None


EVENTS = (
    Event(
        "10-12",
        ORDINARY,
        "18:30",
        "20:45",
        "17:30",
        "21:14:59",
        "青楓会館 201室",
        "早押し星図クイズ",
        30,
        "22:05:20",
    ),
    Event(
        "10-13",
        ORDINARY,
        "18:30",
        "20:45",
        "17:30",
        "21:14:59",
        "川沿い広場 噴水前",
        "宝の地図めぐり",
        30,
        "22:11:47",
    ),
    Event(
        "10-14",
        STARRY,
        "18:00",
        "20:30",
        "17:00",
        "20:59:59",
        "青楓会館 大ホール",
        "第1回星座マスイベ",
        50,
        "21:40:00",
    ),
    Event(
        "10-15",
        ORDINARY,
        "18:30",
        "20:45",
        "17:30",
        "21:14:59",
        "北町公民館 和室",
        "伝言かるた",
        30,
        "22:20:33",
    ),
    Event("10-16", ORDINARY, "18:30", "20:45", "17:30", "21:14:59", "青楓会館 201室", "球あてゲーム", 30),
    Event(
        "10-17", STARRY, "16:00", "19:00", "15:00", "19:29:59", "青楓会館 大ホール", "第2回星座マスイベ", 50
    ),
    Event("10-19", ORDINARY, "18:30", "20:45", "17:30", "21:14:59", "", "", 30),
    Event("10-20", ORDINARY, "18:30", "20:45", "17:30", "21:14:59", "", "", 30),
    Event("10-21", STARRY, "18:00", "20:30", "17:00", "20:59:59", "青楓会館 大ホール", "カードを使う", 50),
    Event("10-22", ORDINARY, "18:30", "20:45", "17:30", "21:14:59", "", "", 30),
    Event("10-23", ORDINARY, "18:30", "20:45", "17:30", "21:14:59", "", "", 30),
)
EVENT_DAYS = tuple(event.day for event in EVENTS)
HELD = tuple(event for event in EVENTS if event.published)

_AUCTION = {
    "10-14": (
        "2026-10-14 21:45:00",
        "2026-10-14 22:15:00",
        "https://example.com/openchat/first",
        "nagareboshi",
    ),
}


def _fill(day: str, clock: str) -> str:
    return print_cell_time(read_instant(f"{day} {clock if clock.count(':') == 2 else clock + ':00'}"))


def list_events() -> list[tuple[str, ...]]:
    """Return the rows of マスイベ: the two before the game, those with a sign-up, the last one."""
    rows: list[tuple[str, ...]] = [
        ("2026-09-19", "0次", "2026-09-19 00:00:00", "2026-09-29 23:59:59", "", "オンライン", "星座なぞなぞ",
         "2026-10-05 23:59:59", "", "", "", "", "", "", "", "2026-10-01 20:00:00"),
        ("2026-10-10", "0.5次", "2026-10-10 15:00:00", "2026-10-10 17:59:59", "", "青楓会館 中庭", "球の市",
         "", "", "", "", "", "", "", "", "2026-10-10 20:30:00"),
    ]  # fmt: skip
    for event in EVENTS:
        gather = _fill(event.day, event.gather)
        rows.append(
            (
                f"2026-{event.day}",
                event.kind,
                gather,
                _fill(event.day, event.end),
                gather,
                event.place,
                event.details,
                "",
                *_AUCTION.get(event.day, ("", "", "", "")),
                _fill(event.day, event.bar_start),
                _fill(event.day, event.bar_end),
                str(event.penalty),
                print_cell_time(event.published_at),
            )
        )
    rows.append(
        ("2026-10-24", "最終", "2026-10-24 09:00:00", "2026-10-24 11:00:00", "2026-10-24 09:00:00", "", "",
         "", "", "", "", "", "", "", "", "")
    )  # fmt: skip
    return rows


def list_prohibited_times() -> list[tuple[str, ...]]:
    """Return the rows of 活動禁止時間: approved hours of scholars on the days they hold, and one of a sorcerer."""
    hours = (
        ("望遠鏡おじさん", "13:00:00", "14:29:59", ("10-12", "10-14", "10-16", "10-19", "10-21", "10-23")),
        ("図書室の幽霊", "10:40:00", "12:09:59", ("10-13", "10-15", "10-20", "10-22")),
        ("ルーペ", "16:30:00", "17:59:59", tuple(day for day in DAYS if day not in (REST_DAY, "10-24"))),
        ("Dr.パセリ", "09:00:00", "11:59:59", ("10-16",)),
    )
    return [(name, _fill(day, start), _fill(day, end)) for name, start, end, days in hours for day in days]


# 番号 時刻 正式呼称 項目 増減 種別 理由. The gains of 1等星 decide planted replications to the second.
ADJUSTMENTS = (
    ("1", "10-12 13:20:00", "らくがき帳", "点数", "20", "補填", "公式LINEの表示の誤り"),
    ("2", "10-12 22:30:00", "朝凪", "1等星", "1", "決定", "迷子の球を届けたことへの謝礼"),
    ("3", "10-13 09:15:00", "がらくた船長", "点数", "-50.5", "ペナルティ", "球の不携帯"),
    ("4", "10-13 23:59:59", "ぽんかん", "1等星", "1", "決定", "宝の地図の隠し賞"),
    ("5", "10-14 00:00:00", "Quartz", "1等星", "1", "決定", "宝の地図の隠し賞（発表の遅れ）"),
    ("6", "10-14 12:00:00", "雨宿り", "襲撃権", "1", "補填", "掲示板の障害"),
    ("7", "10-15 16:40:00", "三毛猫大佐", "点数", "12.5", "補填", "集合場所の案内の誤り"),
    ("8", "10-15 22:30:00", "眠れる炭酸水", "2等星", "1", "補填", "結果の記載もれ"),
)  # fmt: skip


def list_adjustments() -> list[tuple[str, ...]]:
    """Return the rows of 補正."""
    return [(number, print_cell_time(read_instant(at)), *rest) for number, at, *rest in ADJUSTMENTS]


EXTENSIONS = (("1", "三毛猫大佐", "マスイベ参加申込", "2026-10-15", "2026-10-15 00:30:00", "フォームの障害"),)
POLICIES = (
    ("A-41", "1", "2026-10-12 00:00:00"),
    ("A-54", "1", "2026-10-12 00:00:00"),
)
PUBLICATIONS = (
    ("学者募集要項", "2026-09-12 00:00:00"),
    ("星術師募集要項", "2026-09-19 00:00:00"),
    ("正式呼称一覧", "2026-10-03 00:00:00"),
    ("正式ルール", "2026-10-03 00:00:00"),
)
