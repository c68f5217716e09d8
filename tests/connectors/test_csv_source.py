"""CSV of both kinds that Google makes, and everything that can be wrong with a file."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path, PosixPath
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from connectors.base import FieldMap, FormMap, Pulled, SourceError
from connectors.local import CsvSource
from rules.frames import RESPONSES, Finding

TOKYO = ZoneInfo("Asia/Tokyo")
DATES = ("10月12日", "10月13日", "10月14日, 15日")
FORM = FormMap(
    "signup",
    (
        FieldMap("name", ("名前", "お名前")),
        FieldMap("word", ("合い言葉",)),
        FieldMap("event_dates", ("希望日",), many=True, choices=DATES),
        FieldMap("note", ("備考",), required=False),
    ),
    time_titles=("タイムスタンプ", "送信時刻"),
    address_titles=("メールアドレス", "ユーザー名"),
    id_titles=("回答ID",),
    created_titles=("初回送信",),
)
HEADER = ["タイムスタンプ", "メールアドレス", "名前", "合い言葉", "希望日", "備考"]
ROW = ["2026/10/12 23:59:59", "a@example.com", "甲", "あお", "10月12日, 10月13日", "なし"]


def encode(rows: Sequence[Sequence[str]], encoding: str = "utf-8") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode(encoding)


def write(folder: Path, content: bytes | Sequence[Sequence[str]]) -> Path:
    path = folder / "signup.csv"
    path.write_bytes(content if isinstance(content, bytes) else encode(content))
    return path


def pull(
    folder: Path,
    content: bytes | Sequence[Sequence[str]],
    known_rows: int = 0,
    share: float = 0.2,
    form: FormMap = FORM,
) -> Pulled:
    return CsvSource(write(folder, content), form, TOKYO, share).pull(known_rows)


def read_codes(pulled: Pulled) -> list[str]:
    return [finding.code for finding in pulled.findings]


def assert_sits_out(pulled: Pulled, *codes: str) -> None:
    assert read_codes(pulled) == list(codes)
    assert not pulled.complete
    assert pulled.responses.empty
    assert pulled.responses.dtypes.astype(str).to_dict() == RESPONSES.columns


def read_only_answers(pulled: Pulled) -> dict[str, str | list[str]]:
    assert pulled.complete
    (answers,) = pulled.responses["answers"]
    return answers


# --- what is read --------------------------------------------------------------------------------------------------


def test_the_linked_tab_is_read(tmp_path: Path) -> None:
    pulled = pull(tmp_path, [HEADER, ROW])
    assert (pulled.source, pulled.complete, pulled.findings) == ("signup", True, ())
    assert pulled.responses.dtypes.astype(str).to_dict() == RESPONSES.columns
    assert pulled.responses.to_dict("records") == [
        {
            "response_id": "",
            "submitted_at": pd.Timestamp("2026-10-12T14:59:59Z"),
            "submitted_text": "2026/10/12 23:59:59",
            "created_at": pd.NaT,
            "address": "a@example.com",
            "answers": {
                "name": "甲",
                "word": "あお",
                "event_dates": ["10月12日", "10月13日"],
                "note": "なし",
            },
            "place": "signup.csv 2行",
        }
    ]


def test_the_forms_export_is_read(tmp_path: Path) -> None:
    content = (
        '"タイムスタンプ","ユーザー名","お名前","合い言葉","希望日"\n'
        '"2020/07/27 3:15:06 午後 GMT+9","a@example.com","甲","あお","10月12日;10月14日, 15日"'
    )
    pulled = pull(tmp_path, content.encode())
    assert pulled.complete
    assert list(pulled.responses["submitted_at"]) == [pd.Timestamp("2020-07-27T06:15:06Z")]
    assert list(pulled.responses["submitted_text"]) == ["2020/07/27 3:15:06 午後 GMT+9"]
    assert read_only_answers(pulled)["event_dates"] == ["10月12日", "10月14日, 15日"]


def test_ids_and_first_sending_times_are_read_where_the_file_has_them(tmp_path: Path) -> None:
    header = [*HEADER, "回答ID", "初回送信"]
    rows = [[*ROW, "r-1", "2026-10-01T00:00:00.5Z"], [*ROW, "r-2", ""]]
    responses = pull(tmp_path, [header, *rows]).responses
    assert list(responses["response_id"]) == ["r-1", "r-2"]
    assert responses["created_at"][0] == pd.Timestamp("2026-10-01T00:00:00.5Z")
    assert responses["created_at"][1] is pd.NaT


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
def test_the_usual_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    row = [*ROW[:2], "髙橋①～", *ROW[3:]]
    assert read_only_answers(pull(tmp_path, encode([HEADER, row], encoding)))["name"] == "髙橋①～"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_any_line_ending_is_read(tmp_path: Path, newline: str, last: str) -> None:
    content = (
        newline.join(["タイムスタンプ,名前,合い言葉,希望日", "2026/10/12 23:59:59,甲,あお,10月12日"]) + last
    )
    assert read_only_answers(pull(tmp_path, content.encode()))["event_dates"] == ["10月12日"]


@pytest.mark.parametrize(
    "text",
    [
        "0123",
        "１２",
        "1e5",
        "nan",
        "NA",
        "TRUE",
        "=1+1",
        "@SUM(A1)",
        "'0123",
        " 前後 ",
        "一行目\n二行目",
        "一行目\r\n二行目\r三行目",
        "髙",
        "か\u3099",
        "ｶﾞ",
        "2026/10/12",
        '"引用", 読点',
        "\u3000",
        "a\x00b\x07",
        "🪐\u200d\ufe0f",
        "長" * 200_000,
    ],
)
def test_an_answer_stays_the_text_that_was_sent(tmp_path: Path, text: str) -> None:
    row = [*ROW[:2], text, text, text, text]
    answers = read_only_answers(pull(tmp_path, [HEADER, row]))
    assert answers == {"name": text, "word": text, "event_dates": [text], "note": text}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    answers=st.lists(
        st.tuples(*[st.text(st.characters(exclude_categories=["Cs"]))] * 2), min_size=1, max_size=5
    ),
    encoding=st.sampled_from(["utf-8", "utf-8-sig"]),
)
def test_any_texts_come_back_as_they_were_written(
    tmp_path: Path, answers: list[tuple[str, str]], encoding: str
) -> None:
    rows = [[*ROW[:2], name, word, "", ""] for name, word in answers]
    pulled = pull(tmp_path, encode([HEADER, *rows], encoding))
    assert pulled.complete
    assert [(found["name"], found["word"]) for found in pulled.responses["answers"]] == answers


def test_every_cell_of_the_file_is_somewhere(tmp_path: Path) -> None:
    header = [*HEADER, "回答ID", "メモ", "メモ", ""]
    rows = [
        [f"2026/10/12 0:00:0{n}", *(f"{title}{n}-{i}" for i, title in enumerate(header[1:]))]
        for n in range(5)
    ]
    rows[3].append("はみ出し")
    responses = pull(tmp_path, [header, *rows]).responses
    for row, found in zip(rows, responses.to_dict("records"), strict=True):
        texts = [found["submitted_text"], found["address"], found["response_id"]]
        for value in found["answers"].values():
            texts.extend(value if isinstance(value, list) else [value])
        assert sorted(texts) == sorted(row)


# --- columns -------------------------------------------------------------------------------------------------------


def test_reordered_columns_change_nothing(tmp_path: Path) -> None:
    header = [*HEADER, "回答ID", "メモ"]
    rows = [[*ROW, "r-1", "x"], [*ROW, "r-2", ""]]
    straight = pull(tmp_path, [header, *rows])
    turned = pull(tmp_path, [row[::-1] for row in [header, *rows]])
    assert straight.responses.to_dict("records") == turned.responses.to_dict("records")
    assert straight.findings == turned.findings == ()


def test_an_undeclared_column_is_kept_and_no_fault(tmp_path: Path) -> None:
    pulled = pull(tmp_path, [[*HEADER, "新しい\n質問"], [*ROW, "はい"]])
    assert pulled.findings == ()
    assert read_only_answers(pulled)["?新しい 質問"] == "はい"


def test_doubled_undeclared_and_nameless_columns_are_kept_apart(tmp_path: Path) -> None:
    header = [*HEADER, "メモ", "メモ", "", "列9"]
    answers = read_only_answers(pull(tmp_path, [header, [*ROW, "一", "二", "三", "四"]]))
    kept = {name: value for name, value in answers.items() if name.startswith("?")}
    assert kept == {"?メモ": "一", "?メモ (2)": "二", "?列9": "三", "?列9 (2)": "四"}


def test_an_undeclared_column_without_an_answer_changes_no_response(tmp_path: Path) -> None:
    plain = read_only_answers(pull(tmp_path, [HEADER, ROW]))
    assert read_only_answers(pull(tmp_path, [[*HEADER, "メモ"], [*ROW, ""]])) == plain


def test_an_absent_optional_column_reads_as_blank(tmp_path: Path) -> None:
    assert read_only_answers(pull(tmp_path, [HEADER[:-1], ROW[:-1]]))["note"] == ""


@pytest.mark.parametrize("title", ["お名前", " 名前 ", "名前\n", "\u3000お名前"])
def test_a_column_is_found_by_any_of_its_titles(tmp_path: Path, title: str) -> None:
    header = [title if name == "名前" else name for name in HEADER]
    assert read_only_answers(pull(tmp_path, [header, ROW]))["name"] == "甲"


@pytest.mark.parametrize("title", ["希望日 が", "希望日\nか\u3099", "希望日 \r\n\r\n が"])
def test_titles_match_across_line_breaks_and_composed_kana(tmp_path: Path, title: str) -> None:
    form = FORM._replace(fields=(FieldMap("date", ("希望日\nが",)),))
    answers = read_only_answers(pull(tmp_path, [["送信時刻", title], [ROW[0], "x"]], form=form))
    assert answers == {"date": "x"}


def test_a_renamed_column_is_named_and_sits_the_run_out(tmp_path: Path) -> None:
    header = ["時刻", "メールアドレス", "ハンドル", "合い言葉", "希望日"]
    pulled = pull(tmp_path, [header, ROW[:5]])
    assert_sits_out(pulled, "missing_column", "missing_column")
    time, name = pulled.findings
    assert time.place == name.place == "signup.csv 見出し"
    there = "今ある見出し: 「時刻」、「メールアドレス」、「ハンドル」、「合い言葉」、「希望日」。"
    advice = "見出しを戻すか、設定に別名を加えてください。"
    assert time.message == f"「タイムスタンプ」または「送信時刻」の列がありません。{there}{advice}"
    assert name.message == f"「名前」または「お名前」の列がありません。{there}{advice}"


@pytest.mark.parametrize("title", ["名前", "お名前", "名前 ", "タイムスタンプ", "ユーザー名", "備考"])
def test_a_doubled_column_sits_the_run_out(tmp_path: Path, title: str) -> None:
    pulled = pull(tmp_path, [[*HEADER, title], [*ROW, "乙"]])
    assert_sits_out(pulled, "doubled_header")
    assert f"7列目「{title.strip()}」" in pulled.findings[0].message


# --- rows ----------------------------------------------------------------------------------------------------------


def test_blank_rows_are_skipped_and_places_stay_those_of_the_file(tmp_path: Path) -> None:
    rows = [[], HEADER, ROW, [], [""] * 6, [" ", "\u3000"], ROW, ["", ""]]
    pulled = pull(tmp_path, rows)
    assert (pulled.complete, pulled.findings) == (True, ())
    assert list(pulled.responses["place"]) == ["signup.csv 3行", "signup.csv 7行"]


def test_a_place_counts_rows_not_lines(tmp_path: Path) -> None:
    many_lines = [*ROW[:5], "一\n二\n三"]
    assert list(pull(tmp_path, [HEADER, many_lines, ROW]).responses["place"]) == [
        "signup.csv 2行",
        "signup.csv 3行",
    ]


def test_a_short_row_is_filled_with_blanks(tmp_path: Path) -> None:
    answers = read_only_answers(pull(tmp_path, [HEADER, ROW[:3]]))
    assert answers == {"name": "甲", "word": "", "event_dates": [], "note": ""}


def test_a_long_row_is_kept_and_reported(tmp_path: Path) -> None:
    pulled = pull(tmp_path, [HEADER, [*ROW, "", ""], [*ROW, "", "余り"]])
    assert pulled.complete
    assert [(finding.code, finding.place) for finding in pulled.findings] == [("long_row", "signup.csv 3行")]
    short, long = pulled.responses["answers"]
    assert long == {**short, "?列8": "余り"}


def test_an_unreadable_time_sits_the_run_out_with_its_row(tmp_path: Path) -> None:
    bad = ["2026/10/12 23:59", *ROW[1:]]
    blank = ["", *ROW[1:]]
    pulled = pull(tmp_path, [HEADER, ROW, bad, blank])
    assert_sits_out(pulled, "unreadable", "unreadable")
    advice = "が読めません。秒まである日時に直してください（例 2026/10/12 23:59:59）。"
    assert pulled.findings == (
        Finding("unreadable", "signup.csv 3行 タイムスタンプ", f"時刻「2026/10/12 23:59」{advice}"),
        Finding("unreadable", "signup.csv 4行 タイムスタンプ", f"時刻「」{advice}"),
    )


def test_an_unreadable_first_sending_time_sits_the_run_out(tmp_path: Path) -> None:
    pulled = pull(tmp_path, [[*HEADER, "初回送信"], [*ROW, "きのう"]])
    assert_sits_out(pulled, "unreadable")
    assert pulled.findings[0].place == "signup.csv 2行 初回送信"


@pytest.mark.parametrize(("count", "listed"), [(19, 19), (20, 20), (21, 21), (1000, 21)])
def test_at_most_twenty_rows_are_listed_and_the_others_counted(
    tmp_path: Path, count: int, listed: int
) -> None:
    pulled = pull(tmp_path, [HEADER, *[["?", *ROW[1:]]] * count])
    assert_sits_out(pulled, *["unreadable"] * listed)
    if count > 20:
        last = Finding("unreadable", "signup.csv", f"同じ指摘がほかに {count - 20} 件あります。")
        assert pulled.findings[-1] == last


@pytest.mark.parametrize(("length", "shown"), [(40, "あ" * 40), (41, "あ" * 40 + "…")])
def test_a_long_text_in_place_of_a_time_is_shown_short(tmp_path: Path, length: int, shown: str) -> None:
    pulled = pull(tmp_path, [HEADER, ["あ" * length, *ROW[1:]]])
    assert f"「{shown}」" in pulled.findings[0].message


def test_all_that_is_wrong_with_the_rows_is_told_at_once(tmp_path: Path) -> None:
    pulled = pull(tmp_path, [HEADER, ["?", *ROW[1:]], [*ROW, "余り"]], known_rows=9)
    assert_sits_out(pulled, "shrunk", "unreadable", "long_row")


@pytest.mark.parametrize(
    ("rows", "known", "share", "complete"),
    [
        (8, 10, 0.2, True),
        (7, 10, 0.2, False),
        (71, 100, 0.29, True),
        (70, 100, 0.29, False),
        (3, 10, 0.7, True),
        (2, 10, 0.7, False),
        (1, 1, 0.0, True),
        (1, 2, 0.0, False),
        (9, 3, 0.0, True),
        (0, 0, 0.2, True),
        (0, 1, 0.2, False),
        (0, 1, 1.0, False),
        (1, 1000, 1.0, True),
    ],
)
def test_only_more_rows_gone_than_the_share_sit_the_run_out(
    tmp_path: Path, rows: int, known: int, share: float, complete: bool
) -> None:
    pulled = pull(tmp_path, [HEADER, *[ROW] * rows], known, share)
    if complete:
        assert (pulled.complete, len(pulled.responses), pulled.findings) == (True, rows, ())
        assert pulled.responses.dtypes.astype(str).to_dict() == RESPONSES.columns
    else:
        assert_sits_out(pulled, "shrunk")
        assert f"前回 {known} 行あったのに {rows} 行" in pulled.findings[0].message


# --- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\r\n\n", b",,\n , \n"])
@pytest.mark.parametrize("known", [0, 5])
def test_an_empty_file_sits_the_run_out(tmp_path: Path, content: bytes, known: int) -> None:
    assert_sits_out(pull(tmp_path, content, known), "empty")


@pytest.mark.parametrize(
    "content", [encode([HEADER, ROW], "utf-16"), encode([HEADER, ROW]) + b"\xff\xff", b"\x81", b"a,b\n\xff"]
)
def test_an_unknown_encoding_sits_the_run_out(tmp_path: Path, content: bytes) -> None:
    assert_sits_out(pull(tmp_path, content), "unreadable")


@pytest.mark.parametrize("tail", ['"閉じない,い\nう,え\n', '"あ"い,う\n'])
def test_a_quote_that_does_not_close_sits_the_run_out_with_its_line(tmp_path: Path, tail: str) -> None:
    many_lines = [*ROW[:5], "一\n二"]
    content = encode([HEADER, many_lines]) + tail.encode()
    pulled = pull(tmp_path, content)
    assert_sits_out(pulled, "unreadable")
    assert pulled.findings[0].place == "signup.csv 3行"
    assert pulled.findings[0].message.startswith("ファイルの 4 行目から、引用符")


class GrowingPath(PosixPath):
    """A file to which someone adds a row while it is read."""

    def read_bytes(self) -> bytes:
        content = super().read_bytes()
        with self.open("ab") as file:
            file.write(encode([ROW]))
        return content


class TouchedPath(PosixPath):
    """A file that someone writes anew, with the same content, while it is read."""

    def read_bytes(self) -> bytes:
        content = super().read_bytes()
        os.utime(self, ns=(0, self.stat().st_mtime_ns + 1))
        return content


class SwappedPath(PosixPath):
    """A file that another of the same size and age replaces while it is read."""

    def read_bytes(self) -> bytes:
        content = super().read_bytes()
        age = self.stat().st_mtime_ns
        self.write_bytes(content.replace("甲".encode(), "乙".encode()))
        os.utime(self, ns=(age, age))
        return content


@pytest.mark.parametrize("kind", [GrowingPath, TouchedPath, SwappedPath])
def test_a_file_that_changes_while_being_read_sits_the_run_out(tmp_path: Path, kind: type[Path]) -> None:
    path = write(tmp_path, [HEADER, ROW])
    assert_sits_out(CsvSource(kind(path), FORM, TOKYO, 0.2).pull(0), "changed")
    assert CsvSource(path, FORM, TOKYO, 0.2).pull(0).complete


@pytest.mark.parametrize("folder", [True, False])
def test_a_file_that_the_system_withholds_is_outside_trouble(tmp_path: Path, folder: bool) -> None:
    path = tmp_path / "signup.csv"
    if folder:
        path.mkdir()
    with pytest.raises(SourceError) as caught:
        CsvSource(path, FORM, TOKYO, 0.2).pull(0)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
