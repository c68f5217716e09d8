"""LINE連携: what each sorcerer is shown, to the second, and what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from builders import GAME, SECOND, jst, ready

from pipeline.case_run import Run
from rules.game import LineRow
from rules.kanada.constellations import Holding
from rules.kanada.status import count_balls

PLAYERS = [{"name": name, "role": "星術師"} for name in ("甲", "乙", "丙")] + [
    {"name": "学甲", "role": "学者"}
]
SIGNS: list[dict[str, Any]] = [
    {"name": "竈座", "main": "炎", "rank": 1, "cost": {"2": 1}, "effects": ["薪くべ"]},
    {"name": "滝座", "main": "水", "rank": 1, "cost": {"3": 2}, "effects": ["潮満ち", "月待ち"]},
    {"name": "森座", "main": "森", "rank": 2, "cost": {"2": 1}},
]
EFFECTS: list[dict[str, Any]] = [
    {"name": "薪くべ", "when": "daily 12:00:00", "does": "points +10"},
    {"name": "潮満ち", "when": "granted", "does": "opens 森座"},
    {"name": "月待ち", "deadline": "0日 08:00:00", "when": "granted", "if": "form", "does": "opens 丙"},
]
BALLS: list[dict[str, Any]] = [
    {"name": "燐光球", "grade": 3, "効果文": "夜に光る。\n朝に消える。"},
    {"name": "薄明球", "grade": 4},
    {"name": "砂時計", "grade": 5, "効果文": "待つ。"},
]
STATE: dict[str, Any] = {
    "甲": {"constellation": "竈座", "points": 610, "stars": {"2": 3, "3": 2}, "balls": ["燐光球", "砂時計", "燐光球"]},
    "乙": {"constellation": "森座", "points": -40, "balls": ["薄明球"]},
    "丙": {"constellation": "滝座"},
}  # fmt: skip
ATTACK: list[dict[str, Any]] = [
    {"id": "f1", "at": "10-13 09:03:00", "form": "attack", "from": "甲",
     "answers": {"target_kind": "星術師", "target": "乙", "freeze_at": "09:00",
                 "balls_given": ["砂時計"], "balls_taken": ["薄明球"]}},
    {"id": "p1", "at": "10-13 09:05:00",
     "post": {"number": 12, "name": "甲", "title": "襲撃報告", "body": "甲が乙を襲撃！", "image": True}},
]  # fmt: skip
MAILED = {"確認メール送信(襲撃者)": "10-13 10:00:00", "確認メール送信(被襲撃者)": "10-13 10:00:00"}


def play(*events: Mapping[str, Any], **more: Any) -> Run:
    given = {"players": PLAYERS, "constellations": SIGNS, "effects": EFFECTS, "balls": BALLS, "state": STATE}
    return ready(events, **{"at": "10-13 06:00:00", **given, **more})


def rows(run: Run, at: str) -> dict[str, LineRow]:
    return {row.player: row for row in GAME.line(run.adjudicate(jst(at)))}


def held(run: Run, player: str, at: str) -> list[str]:
    return list(rows(run, at)[player].held)


# --- what stands in a row ---------------------------------------------------------------------------------------------


def test_a_row_says_the_six_items_and_the_balls_and_fits_the_columns() -> None:
    row = rows(play(), "10-13 11:00:00")["甲"]
    assert row == LineRow(
        "甲",
        {
            "点数": "610",
            "襲撃権": "3",
            "1等星": "0",
            "2等星": "3",
            "3等星": "2",
            "4等星": "0",
            "5等星": "0",
            "優位である星術師": "乙",
            "星座": "竈座",
            "星座効果": "薪くべ",
            "球": "燐光球\n砂時計",
            "球の等級": "等級3\n等級5",
            "球の個数": "2個\n1個",
            "球効果": "夜に光る。 朝に消える。\n待つ。",
        },
        {},
    )
    assert ["正式呼称", *row.cells] == [column.header for column in GAME.line_columns]


def test_what_the_catalogue_does_not_say_of_a_ball_keeps_its_line() -> None:
    assert rows(play(), "10-13 11:00:00")["乙"].cells["球効果"] == "―"
    unlisted = play(balls=[]).adjudicate(jst("10-13 11:00:00"))
    cells = GAME.line(unlisted)[0].cells
    assert (cells["球"], cells["球の等級"], cells["球効果"]) == ("燐光球\n砂時計", "―\n―", "―\n―")


def test_a_player_without_anything_has_blank_lists_and_zeros() -> None:
    cells = rows(play(), "10-13 11:00:00")["丙"].cells
    assert (cells["点数"], cells["1等星"], cells["球"], cells["球の個数"]) == ("500", "0", "", "")


def test_a_row_tells_of_others_only_the_names_that_its_own_player_is_superior_to() -> None:
    row = rows(play(), "10-13 11:00:00")["丙"]
    told = "\n".join(row.cells.values())
    assert row.cells["優位である星術師"] == "甲、乙"
    theirs = ("610", "-40", "竈座", "薪くべ", "森座", "燐光球", "砂時計", "薄明球")
    assert not [word for word in theirs if word in told]


def test_the_rights_of_the_day_stand_there_from_five_oclock_on_the_second() -> None:
    run = play(state={})
    five = jst("10-14 05:00:00")
    shown = []
    for instant in (five - SECOND, five, five + SECOND):
        row = GAME.line(run.adjudicate(instant))[0]
        shown.append(row.cells["襲撃権"])
    assert shown == ["0", "3", "3"]


def test_effects_come_and_go_with_the_second() -> None:
    copy = {
        "id": "f1", "at": "10-13 12:00:00", "form": "replication", "from": "甲",
        "answers": {"date": "10-14", "constellation": "滝座", "stars_3": 2},
    }  # fmt: skip
    run = play(copy)
    assert rows(run, "10-13 23:59:59")["甲"].cells["星座効果"] == "薪くべ"
    row = rows(run, "10-14 00:00:00")["甲"].cells
    assert (row["星座効果"], row["3等星"], row["優位である星術師"]) == ("薪くべ、潮満ち、月待ち", "0", "乙")
    assert rows(run, "10-14 23:59:59")["甲"].cells["星座効果"] == "薪くべ、潮満ち、月待ち"
    assert rows(run, "10-15 00:00:00")["甲"].cells["星座効果"] == ""


def test_an_effect_that_asks_for_a_form_makes_superior_only_on_the_day_of_a_form_that_counts() -> None:
    form = {
        "id": "f1", "at": "10-13 07:00:00", "form": "effect", "from": "丙",
        "answers": {"date_1": "10-13", "effect_1": "月待ち"},
    }  # fmt: skip
    effects = [*EFFECTS[:2], {**EFFECTS[2], "does": "opens 乙"}]
    assert rows(play(effects=effects), "10-13 11:00:00")["丙"].cells["優位である星術師"] == "甲、乙"
    stranger = [*EFFECTS[:1], {"name": "潮満ち", "when": "granted", "does": "points +0"}, effects[2]]
    assert rows(play(effects=stranger), "10-13 11:00:00")["丙"].cells["優位である星術師"] == "甲"
    run = play(form, effects=stranger)
    assert rows(run, "10-13 11:00:00")["丙"].cells["優位である星術師"] == "甲、乙"
    assert rows(run, "10-14 11:00:00")["丙"].cells["優位である星術師"] == "甲"


# --- who has a row ----------------------------------------------------------------------------------------------------


def test_scholars_have_no_row_and_sorcerers_stand_in_the_order_of_the_roster() -> None:
    assert list(rows(play(), "10-13 11:00:00")) == ["甲", "乙", "丙"]


def test_a_row_is_there_from_the_second_of_the_roster_to_that_before_its_end() -> None:
    late = {"name": "丁", "role": "星術師", "開始": "10-14 12:00:00", "終了": "10-15 12:00:00"}
    run = play(players=[*PLAYERS, late])
    seen = {
        at: "丁" in rows(run, at)
        for at in ("10-14 11:59:59", "10-14 12:00:00", "10-15 11:59:59", "10-15 12:00:00")
    }
    assert seen == {
        "10-14 11:59:59": False,
        "10-14 12:00:00": True,
        "10-15 11:59:59": True,
        "10-15 12:00:00": False,
    }


# --- the order of balls -----------------------------------------------------------------------------------------------


def ball(name: str, start: str, cause: str = "given", player: str = "甲") -> Holding:
    return Holding(player, f"ball/{name}", jst(start), jst("10-24"), cause)


def test_balls_stand_by_since_when_they_are_held_then_by_number_of_their_row() -> None:
    held = [
        ball("薄明球", "10-12", "球所有/10"),
        ball("砂時計", "10-12", "球所有/9"),
        ball("燐光球", "10-11 23:59:59", "球所有/11"),
        ball("羅針盤", "10-12", "f1"),
        ball("鈴", "10-12", "球所有/#ab12"),
        ball("鞠", "10-12", "球所有/2", "乙"),
    ]
    expected = ["燐光球", "砂時計", "薄明球", "羅針盤", "鈴"]
    assert list(count_balls(held, "甲", jst("10-13"))) == expected
    swapped = [held[2], held[1], held[0], *held[3:]]
    assert list(count_balls(swapped, "甲", jst("10-13"))) == expected


def test_a_kind_stands_where_its_oldest_stands_until_that_one_goes() -> None:
    two = [ball("鈴", "10-12"), ball("鞠", "10-12 01:00:00"), ball("鈴", "10-13")]
    assert list(count_balls(two, "甲", jst("10-14")).items()) == [("鈴", 2), ("鞠", 1)]
    two[0] = two[0]._replace(stop=jst("10-14"))
    assert list(count_balls(two, "甲", jst("10-14")).items()) == [("鞠", 1), ("鈴", 1)]


def test_a_ball_that_changed_hands_stands_last() -> None:
    run = play(*ATTACK)
    assert rows(run, "10-13 09:04:59")["甲"].cells["球"] == "燐光球\n砂時計"
    assert rows(run, "10-13 09:05:00")["甲"].cells["球"] == "燐光球\n薄明球"
    assert rows(run, "10-13 09:05:00")["乙"].cells["球"] == "砂時計"


# --- what is in doubt -------------------------------------------------------------------------------------------------


def test_an_attack_that_may_still_be_objected_to_puts_nothing_in_doubt() -> None:
    run = play(*ATTACK)
    outcome = run.adjudicate(jst("10-13 12:00:00"))
    assert "仮" in set(outcome.postings["state"])
    row = rows(run, "10-13 12:00:00")["甲"]
    assert (row.cells["点数"], row.held) == ("720", {})


def test_an_objection_holds_what_the_attack_booked_and_shows_it_without() -> None:
    objection = {
        "at": "10-13 12:00:00",
        "decision": "f1",
        "columns": {**MAILED, "異議(被襲撃者)": "10-13 11:30:00"},
    }
    run = play(*ATTACK, objection)
    assert held(run, "甲", "10-13 11:00:00") == []
    row = rows(run, "10-13 13:00:00")
    assert row["甲"].held == {
        "点数": {"点数": "620"},
        "襲撃権": {"襲撃権": "3"},
        "4等星": {"4等星": "0"},
        "5等星": {"5等星": "0"},
        "球": {
            "球": "燐光球\n砂時計",
            "球の等級": "等級3\n等級5",
            "球の個数": "2個\n1個",
            "球効果": "夜に光る。 朝に消える。\n待つ。",
        },
    }
    assert (row["甲"].cells["点数"], row["甲"].cells["襲撃権"]) == ("720", "2")
    assert list(row["乙"].held) == ["点数", "球"]
    assert row["乙"].held["点数"] == {"点数": "-40"}
    assert row["乙"].held["球"]["球"] == "薄明球"
    assert row["丙"].held == {}


@pytest.mark.parametrize(
    ("ruling", "points", "rights"),
    [
        ("成立", "720", "2"),
        ("不成立(フリーズ不成立・権利戻る)", "620", "3"),
        ("不成立(権利消費)", "620", "2"),
    ],
)
def test_a_ruling_ends_the_doubt(ruling: str, points: str, rights: str) -> None:
    cells = {**MAILED, "異議(被襲撃者)": "10-13 11:30:00", "確定": True}
    said = {"at": "10-13 14:00:00", "decision": "f1", "ruling": ruling, "columns": cells}
    row = rows(play(*ATTACK, said), "10-13 14:00:00")["甲"]
    assert (row.held, row.cells["点数"], row.cells["襲撃権"]) == ({}, points, rights)


def test_a_right_in_doubt_is_out_of_doubt_once_all_rights_of_that_day_are_lost() -> None:
    said = {"at": "10-13 10:00:00", "decision": "f1", "ruling": "保留"}
    run = play(*ATTACK, said)
    assert "襲撃権" in held(run, "甲", "10-13 23:59:58")
    assert held(run, "甲", "10-13 23:59:59") == ["点数", "4等星", "5等星", "球"]
    assert rows(run, "10-14 05:00:00")["甲"].cells["襲撃権"] == "3"


def test_an_attack_without_a_post_holds_what_one_can_book_from_half_an_hour_after_its_freeze() -> None:
    run = play(ATTACK[0])
    assert held(run, "甲", "10-13 09:30:00") == []
    assert held(run, "甲", "10-13 09:30:01") == [
        "点数", "襲撃権", "1等星", "2等星", "3等星", "4等星", "5等星", "球",
    ]  # fmt: skip
    assert held(run, "乙", "10-13 09:30:01") == ["点数", "球"]
    dry = {**ATTACK[0], "answers": {**ATTACK[0]["answers"], "balls_given": [], "balls_taken": []}}
    assert held(play(dry), "甲", "10-13 09:30:01") == ["点数", "襲撃権"]


def test_a_post_without_a_form_holds_both_named() -> None:
    run = play(ATTACK[1])
    assert held(run, "甲", "10-13 09:19:59") == []
    assert held(run, "甲", "10-13 09:20:00")[:2] == ["点数", "襲撃権"]
    assert held(run, "乙", "10-13 09:20:00") == ["点数", "球"]


COPY: dict[str, Any] = {
    "id": "f2", "at": "10-13 12:00:00", "form": "replication", "from": "甲",
    "answers": {"date": "10-14", "constellation": "滝座", "stars_3": 2},
}  # fmt: skip
STOP = {"at": "10-13 13:00:00", "decision": "f2", "ruling": "保留"}


def test_a_replication_on_hold_puts_stars_effects_and_superiority_in_doubt_from_midnight() -> None:
    run = play(COPY, STOP)
    assert held(run, "甲", "10-13 23:59:59") == []
    row = rows(run, "10-14 00:00:00")
    assert row["甲"].held == {
        "3等星": {"3等星": "2"},
        "優位である星術師": {"優位である星術師": "乙"},
        "星座効果": {"星座効果": "薪くべ"},
    }
    assert list(row["乙"].held) == ["優位である星術師"]
    assert list(row["丙"].held) == ["優位である星術師"]


def test_what_would_have_ended_by_now_leaves_only_the_stars_in_doubt() -> None:
    run = play(COPY, STOP)
    assert held(run, "甲", "10-14 23:59:59") == ["3等星", "優位である星術師", "星座効果"]
    assert held(run, "甲", "10-15 00:00:00") == ["3等星"]
    assert held(run, "乙", "10-15 00:00:00") == []


def test_a_replication_that_may_set_off_an_amount_holds_that_account() -> None:
    copy = {**COPY, "from": "乙", "answers": {"date": "10-14", "constellation": "竈座", "stars_2": 1}}
    run = play({**copy}, STOP, state={"乙": {"stars": {"2": 1}}})
    assert held(run, "乙", "10-14 12:00:00") == ["点数", "2等星", "星座効果"]


def test_a_replication_holds_the_stars_declared_and_those_that_an_acceptance_would_take() -> None:
    copy = {**COPY, "answers": {"date": "10-14", "constellation": "滝座", "stars_5": 1}}
    assert held(play(copy, STOP), "甲", "10-14 00:00:00")[:2] == ["3等星", "5等星"]


def release(effect: str, day: str = "10-14") -> list[dict[str, Any]]:
    """An effect form of 丙 that a master stopped."""
    form = {
        "id": "f2", "at": "10-13 12:00:00", "form": "effect", "from": "丙",
        "answers": {"date_1": day, "effect_1": effect},
    }  # fmt: skip
    return [form, STOP]


def test_an_effect_form_on_hold_puts_superiority_in_doubt_on_its_own_day_only() -> None:
    run = play(*release("月待ち"))
    doubtful = {
        at: (held(run, "丙", at), held(run, "甲", at), held(run, "乙", at))
        for at in ("10-13 23:59:59", "10-14 08:00:01", "10-14 23:59:59", "10-15 00:00:00")
    }
    named = (["優位である星術師"], [], [])
    assert doubtful == {
        "10-13 23:59:59": ([], [], []),
        "10-14 08:00:01": named,
        "10-14 23:59:59": named,
        "10-15 00:00:00": ([], [], []),
    }


def test_an_effect_that_cannot_be_read_may_change_all_that_an_effect_can() -> None:
    odd = [*EFFECTS[:2], {**EFFECTS[2], "does": "なにかが起きる"}]
    assert held(play(*release("月待ち"), effects=odd), "丙", "10-14 08:00:01") == [
        "点数", "襲撃権", "1等星", "2等星", "3等星", "4等星", "5等星", "優位である星術師",
    ]  # fmt: skip


def test_a_loss_that_an_open_point_keeps_from_being_booked_is_in_doubt_from_the_result_on() -> None:
    """Nobody said yet how much an absentee loses (A-33)."""
    sign = {
        "id": "f3", "at": "10-12 12:00:00", "form": "signup", "from": "甲",
        "answers": {"event_dates": ["10-13"]},
    }  # fmt: skip
    absent = {"開催日": "10-13", "正式呼称": "甲", "出席": "欠席"}
    run = play(
        sign,
        {"at": "10-13 19:00:00", "input": "マスイベ結果", "row": absent},
        {
            "at": "10-13 20:00:00",
            "input": "マスイベ",
            "row": {"開催日": "10-13", "結果公開時刻": "10-13 21:00:00"},
        },
        calendar=[{"date": "10-13", "kind": "通常", "gather": "18:00"}],
    )
    assert held(run, "甲", "10-13 20:59:59") == []
    assert held(run, "甲", "10-13 21:00:00") == ["点数", "1等星", "2等星", "3等星", "4等星", "5等星"]
    assert held(run, "乙", "10-13 21:00:00") == []


def test_a_sign_up_in_doubt_holds_nothing_before_the_result_is_out() -> None:
    sign = {
        "id": "f3", "at": "10-12 12:00:00", "form": "signup", "from": "甲",
        "answers": {"event_dates": ["10-13"]},
    }  # fmt: skip
    events = [
        sign,
        {"at": "10-12 13:00:00", "decision": "f3", "ruling": "保留"},
        {"at": "10-13 21:00:00", "publish": "10-13 マスイベ結果"},
    ]
    run = play(*events, calendar=[{"date": "10-13", "kind": "通常", "gather": "18:00"}])
    assert held(run, "甲", "10-13 20:59:59") == []
    assert held(run, "甲", "10-13 21:00:00") == ["点数", "1等星", "2等星", "3等星", "4等星", "5等星"]


def test_an_inquiry_in_doubt_holds_nothing() -> None:
    asked = {
        "id": "f4", "at": "10-13 12:00:00", "form": "inquiry", "from": "甲",
        "answers": {"kind": "その他", "subject": "質問", "body": "？"},
    }  # fmt: skip
    run = play(asked, {"at": "10-13 13:00:00", "decision": "f4", "ruling": "保留"})
    assert held(run, "甲", "10-13 14:00:00") == []
