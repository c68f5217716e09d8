"""Masters' tables: what a cell means, and that no slip of a hand loses what was readable before."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from builders import READER, SECOND, YEAR, jst, rows_of

from rules.frames import INPUTS, build_frame
from rules.tables import Column, Kind, Row, Table, read_table, show_key

TABLE = Table(
    "表",
    (
        Column("名前", needed=True),
        Column("日", "date"),
        Column("時刻", "instant", on="日"),
        Column("数", "whole"),
        Column("量", "decimal"),
        Column("種別", choices=("甲", "乙")),
    ),
    ("名前",),
)
LATE = jst("10-20 00:00:00")
Content = dict[str, str] | None


def history(*contents: tuple[str, str, Content], table: str = "表") -> pd.DataFrame:
    """Shape INPUTS: (row, first seen, content; None from when the row was gone)."""
    rows = [
        {
            "table": table,
            "key": key,
            "content": "" if content is None else json.dumps(content, ensure_ascii=False),
            "first_seen": jst(seen),
            "seq": number,
        }
        for number, (key, seen, content) in enumerate(contents)
    ]
    return build_frame(rows, INPUTS)


def read(
    inputs: pd.DataFrame, as_of: pd.Timestamp = LATE, table: Table = TABLE
) -> tuple[list[Row], list[tuple[str, str]]]:
    rows, findings = read_table(inputs, table, as_of, READER)
    return rows, [(finding.code, finding.place) for finding in findings]


def cell(text: str, kind: Kind, choices: Sequence[str] = ()) -> Any:
    return READER.read(text, Column("c", kind, choices=tuple(choices)))


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("１０月１３日", "date", dt.date(2026, 10, 13)),
        ("2026－10－13", "date", dt.date(2026, 10, 13)),
        ("１０／１３", "date", dt.date(2026, 10, 13)),
        ("2026-10-13 00:00:00", "date", dt.date(2026, 10, 13)),
        ("１０月１３日　５：００", "instant", jst("10-13 05:00:00")),
        ("１８：００", "clock", dt.time(18)),
        ("１２", "whole", 12),
        ("−３", "whole", -3),
        ("－３", "whole", -3),
        ("+3", "whole", 3),
        ("3.0", "whole", 3),
        ("１．５", "decimal", Decimal("1.5")),
        ("-0.1", "decimal", Decimal("-0.1")),
        (" か\u3099 ", "text", "が"),
        ("Ａ", "text", "Ａ"),
    ],
)  # fmt: skip
def test_cells_are_read_in_whatever_width_they_were_typed(text: str, kind: Kind, value: Any) -> None:
    got = cell(text, kind)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("1.5", "whole"), ("1e3", "whole"), ("十", "whole"), ("1,000", "whole"), ("NaN", "decimal"), ("inf", "decimal"),
     ("1000000000", "whole"), ("-1000000000.0", "decimal"), ("1.", "decimal"), (".5", "decimal"), ("10-32", "date"), ("10-13 18:00", "date"), ("25:00", "clock"), ("18:00", "instant")],
)  # fmt: skip
def test_what_cannot_be_read_says_what_is_wanted(text: str, kind: Kind) -> None:
    with pytest.raises(ValueError, match="として読めません"):
        cell(text, kind)


def test_a_blank_is_none_unless_it_is_needed() -> None:
    assert cell(" \u3000", "whole") is None
    with pytest.raises(ValueError, match="空欄"):
        READER.read("  ", Column("c", needed=True))


def test_only_the_listed_words_are_taken_where_words_are_listed() -> None:
    assert cell(" 甲 ", "text", ("甲", "乙")) == "甲"
    with pytest.raises(ValueError, match="甲・乙のどれでもありません"):
        cell("丙", "text", ("甲", "乙"))


def test_the_newest_readable_content_speaks() -> None:
    inputs = history(("1", "10-01", {"名前": "a", "数": "1"}), ("1", "10-02", {"名前": "a", "数": "2"}))
    rows, findings = read(inputs)
    assert [(row.key, row.get("数"), row.texts["数"]) for row in rows] == [("a", 2, "2")]
    assert findings == []


def test_an_unreadable_cell_keeps_the_last_readable_row_and_tells_the_cell() -> None:
    inputs = history(
        ("1", "10-01", {"名前": "a", "数": "1", "量": "1"}),
        ("1", "10-02", {"名前": "a", "数": "二", "量": "9"}),
        ("1", "10-03", {"名前": "a", "数": "三", "量": "八"}),
    )
    rows, findings = read(inputs)
    assert [(row.get("数"), row.get("量")) for row in rows] == [(1, Decimal(1))]
    assert findings == [("unreadable", "表 a 数"), ("unreadable", "表 a 量")]


def test_once_it_is_readable_again_nothing_is_said() -> None:
    inputs = history(
        ("1", "10-01", {"名前": "a", "数": "1"}),
        ("1", "10-02", {"名前": "a", "数": "二"}),
        ("1", "10-03", {"名前": "a", "数": "3"}),
    )
    rows, findings = read(inputs)
    assert ([row.get("数") for row in rows], findings) == ([3], [])


def test_a_row_that_was_never_readable_is_a_finding_only() -> None:
    rows, findings = read(history(("1", "10-01", {"名前": "a", "数": "x"})))
    assert (rows, findings) == ([], [("unreadable", "表 a 数")])


def test_since_tells_since_when_the_row_is_there() -> None:
    inputs = history(
        ("1", "10-01", {"名前": "a", "数": "1"}),
        ("1", "10-02", None),
        ("1", "10-03", {"名前": "a", "数": "2"}),
        ("1", "10-04", {"名前": "a", "数": "3"}),
    )
    (row,), _findings = read(inputs)
    assert (row.since, row.get("数")) == (jst("10-03"), 3)


def test_a_row_is_gone_from_the_instant_it_was_missed_and_its_old_content_does_not_come_back() -> None:
    inputs = history(("1", "10-01", {"名前": "a", "数": "1"}), ("1", "10-03", None))
    assert read(inputs, jst("10-03") - SECOND)[0][0].get("数") == 1
    assert read(inputs, jst("10-03")) == ([], [])
    again = history(
        ("1", "10-01", {"名前": "a", "数": "1"}),
        ("1", "10-03", None),
        ("1", "10-05", {"名前": "a", "数": "x"}),
    )
    assert read(again) == ([], [("unreadable", "表 a 数")])


def test_a_content_first_seen_later_does_not_speak_yet() -> None:
    inputs = history(("1", "10-01", {"名前": "a", "数": "1"}), ("1", "10-03", {"名前": "a", "数": "2"}))
    assert [read(inputs, jst("10-03") + n * SECOND)[0][0].get("数") for n in (-1, 0, 1)] == [1, 2, 2]


def test_a_look_back_before_anything_was_seen_sees_the_first_content() -> None:
    inputs = history(("1", "10-05", {"名前": "a", "数": "1"}), ("1", "10-06", {"名前": "a", "数": "2"}))
    assert [row.get("数") for row in read(inputs, jst("10-01"))[0]] == [1]


def test_of_two_rows_with_one_key_the_first_stands_and_the_second_is_told() -> None:
    inputs = history(("1", "10-01", {"名前": "a", "数": "1"}), ("2", "10-02", {"名前": " a", "数": "2"}))
    rows, findings = read(inputs)
    assert ([row.get("数") for row in rows], findings) == ([1], [("doubled_key", "表 a")])


def test_rows_come_in_the_order_in_which_they_were_first_seen_and_other_tables_are_left_alone() -> None:
    inputs = history(
        ("9", "10-02", {"名前": "b"}), ("1", "10-01", {"名前": "a"}), ("5", "10-03", {"名前": "c"})
    )
    other = history(("7", "10-01", {"名前": "z"}), table="別")
    assert [row.key for row in read(pd.concat([other, inputs]))[0]] == ["a", "b", "c"]


def test_contents_of_one_instant_follow_their_sequence() -> None:
    inputs = history(("1", "10-01", {"名前": "a", "数": "1"}), ("1", "10-01", {"名前": "a", "数": "2"}))
    assert read(inputs.iloc[::-1])[0][0].get("数") == 2


@pytest.mark.parametrize("text", ["18:00", "18:00:00", "１８：００", "2026-10-13 18:00", "10/13 18:00:00"])
def test_a_bare_time_of_day_means_the_day_of_its_row(text: str) -> None:
    (row,), findings = read(rows_of("表", {"名前": "a", "日": "10月13日", "時刻": text}))
    assert (row.get("時刻"), findings) == (jst("10-13 18:00:00"), [])


def test_a_bare_time_without_its_day_cannot_be_read() -> None:
    assert read(rows_of("表", {"名前": "a", "日": "", "時刻": "18:00"})) == (
        [],
        [("unreadable", "表 a 時刻")],
    )


def test_a_key_of_several_columns_is_shown_as_people_write_it() -> None:
    table = Table("表", TABLE.columns, ("日", "名前"))
    (row,), _findings = read(rows_of("表", {"名前": "a", "日": "2026-10-13"}), table=table)
    assert (row.key, row.cause) == ("10-13/a", "表/10-13/a")
    assert show_key(dt.date(2027, 1, 3), YEAR) == "2027-01-03"
    assert show_key(None, YEAR) == ""


def test_rows_whose_key_is_blank_are_told_apart_by_their_content() -> None:
    table = Table("表", (Column("番号"), Column("数", "whole")), ("番号",))
    rows, findings = read(rows_of("表", {"番号": "", "数": "1"}, {"番号": "", "数": "2"}), table=table)
    assert len({row.key for row in rows}) == 2
    assert all(row.key.startswith("#") for row in rows)
    assert findings == []


def test_a_column_that_a_content_lacks_is_blank() -> None:
    (row,), findings = read(rows_of("表", {"名前": "a"}))
    assert (row.get("数"), row.get("種別"), findings) == (None, None, [])


def test_no_rows_give_nothing() -> None:
    assert read(build_frame([], INPUTS)) == ([], [])
