"""The responses of a form by the API, over sockets: the same as from a file, all pages, every trouble in plain words."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from form_building import Form, choice, creation, grid, text
from google.oauth2 import service_account
from google_bench import ROBOT, StoppedClock, connect

from connectors.base import FieldMap, FormMap, SourceError
from connectors.google_auth import FORMS_SCOPES, Identity
from connectors.google_forms import FormsSource
from connectors.local import CsvSource
from pipeline.config import load_config
from rules.frames import RESPONSES
from tests.google_emulator.sample import CONFIG, load

TOKYO = ZoneInfo("Asia/Tokyo")
DATES = ("10月12日", "10月13日", "10月14日, 15日")
WORD = "ないしょのことば"
FORM = FormMap(
    "signup",
    (
        FieldMap("name", ("名前", "お名前")),
        FieldMap("word", ("合い言葉",)),
        FieldMap("event_dates", ("希望日",), many=True, choices=DATES),
        FieldMap("note", ("備考",), required=False),
    ),
    time_titles=("送信時刻",),
    address_titles=("メールアドレス",),
    id_titles=("回答ID",),
    created_titles=("初回送信",),
)
SAME = ["response_id", "submitted_at", "address", "answers"]
VERIFIED = {
    "updateSettings": {
        "settings": {"emailCollectionType": "VERIFIED"},
        "updateMask": "emailCollectionType",
    }
}
ITEMS = (text("お名前"), text("合い言葉"), choice("希望日", "CHECKBOX", *DATES), text("備考"))


class Signup(Form):
    """The form under test, answered by respondents and read by the source."""

    def __init__(self, forms, emulator, items=ITEMS):
        super().__init__(forms)
        self.emulator = emulator
        self.batch(VERIFIED)
        self.add(*items)
        self.open()
        self.clock = StoppedClock()
        self.google = connect(emulator.base, self.clock)

    def submit(self, at="2026-10-12T14:59:59.5Z", email="a@example.com", **answers):
        given = {"お名前": "甲", "合い言葉": WORD, "希望日": ["10月12日"], **answers}
        body = {"answers": given, "email": email, "at": at, "force": True}
        return self.emulator.control("submit", formId=self.id, **body)["responseId"]

    def source(self, form=FORM, share=0.2, **more):
        return FormsSource(self.google, self.id, form, share, **more)

    def pull(self, known=0, **more):
        return self.source(**more).pull(known)

    def question(self, title):
        return next(i for i in self.get()["items"] if i["title"] == title)["questionItem"]["question"][
            "questionId"
        ]

    def fault(self, kind, method="forms.forms.responses.list", **more):
        self.emulator.control("fault", kind=kind, match={"method": method}, **more)

    def refusal(self, **more):
        with pytest.raises(SourceError) as caught:
            self.pull(**more)
        return str(caught.value)

    def count(self, of=("forms.forms.get", "forms.forms.responses.list")):
        """What the emulator was asked since this was last called, by method."""
        calls = self.emulator.control("log")["calls"]
        counted = [sum(each["method"] == method for each in calls) for method in of]
        self.emulator.control("log/clear")
        return counted


@pytest.fixture
def signup(forms, emulator):
    made = Signup(forms, emulator)
    made.count()
    yield made
    made.google.close()


def only(pulled):
    assert pulled.complete
    assert pulled.findings == ()
    (row,) = pulled.responses.to_dict("records")
    return row


# --- the contract of a source --------------------------------------------------------------------------------------


def test_the_same_answers_give_the_same_frame_as_a_file(signup, tmp_path):
    rows = [
        ("2026-10-12T14:59:59.500000Z", "a@example.com", "甲", WORD, "10月12日, 10月14日, 15日", ""),
        ("2026-10-12T15:00:00.000001Z", "b@example.com", " 乙\n二 ", "００１２", "", "=A1"),
        ("2026-10-12T15:00:00.100000Z", "", "0123", "nan", "10月13日, 自由な日", "TRUE"),
    ]
    ticks = (["10月12日", "10月14日, 15日"], [], ["10月13日", "自由な日"])
    ids = [
        signup.submit(at, email, お名前=name, 合い言葉=word, 希望日=dates, 備考=note)
        for (at, email, name, word, _, note), dates in zip(rows, ticks, strict=True)
    ]
    path = tmp_path / "signup.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        head = ["回答ID", "初回送信", "送信時刻", "メールアドレス", "お名前", "合い言葉", "希望日", "備考"]
        whole = [[name, f"{row[0][:23]}Z", *row] for name, row in zip(ids, rows, strict=True)]
        csv.writer(stream).writerows([head, *whole])
    from_file = CsvSource(path, FORM, TOKYO, 0.2).pull(0)
    from_google = signup.pull()
    assert from_google.responses["place"].tolist() == [f"signup 回答 {name}" for name in ids]
    left, right = (
        pulled.responses.drop(columns=["place", "submitted_text"]) for pulled in (from_google, from_file)
    )
    pd.testing.assert_frame_equal(left, right)
    assert from_google._replace(responses=None) == from_file._replace(responses=None)


def test_a_form_that_nobody_answered_is_complete_and_empty(signup):
    pulled = signup.pull()
    assert (pulled.complete, pulled.findings, len(pulled.responses)) == (True, (), 0)
    assert pulled.responses.dtypes.astype(str).to_dict() == dict(RESPONSES.columns)


def test_both_times_are_read_to_their_last_digit(signup):
    signup.submit("2026-10-12T14:59:59.999999Z")
    row = only(signup.pull())
    assert row["submitted_at"] == pd.Timestamp("2026-10-12T14:59:59.999999Z")
    assert row["created_at"] == pd.Timestamp("2026-10-12T14:59:59.999Z")
    assert row["submitted_text"] == "2026-10-12T14:59:59.999999Z"


def test_an_edit_keeps_the_id_and_the_first_time(signup):
    name = signup.submit("2026-10-12T14:59:59Z")
    body = {"formId": signup.id, "responseId": name, "answers": {"お名前": "乙"}}
    signup.emulator.control("edit", **body, at="2026-10-12T15:00:00.25Z", force=True)
    row = only(signup.pull(known=1))
    assert (row["response_id"], row["created_at"]) == (name, pd.Timestamp("2026-10-12T14:59:59Z"))
    assert row["submitted_at"] == pd.Timestamp("2026-10-12T15:00:00.25Z")
    assert row["answers"] == {"name": "乙", "word": "", "event_dates": [], "note": ""}
    assert row["address"] == "a@example.com"


def test_responses_stand_by_time_whatever_the_order_of_the_list(signup):
    start = datetime(2026, 10, 12, tzinfo=UTC)
    made = [
        signup.submit((start + timedelta(microseconds=each)).isoformat().replace("+00:00", "Z"))
        for each in range(1, 12)
    ]
    assert signup.pull().responses["response_id"].tolist() == made
    assert [each["responseId"] for each in signup.list()["responses"]] != made


def test_an_address_that_the_form_asks_for_is_the_address(forms, emulator):
    signup = Signup(forms, emulator, (text("メールアドレス"), *ITEMS))
    signup.batch(
        {
            "updateSettings": {
                "settings": {"emailCollectionType": "DO_NOT_COLLECT"},
                "updateMask": "emailCollectionType",
            }
        }
    )
    signup.submit(メールアドレス="asked@example.com")
    row = only(signup.pull())
    assert row["address"] == "asked@example.com"
    assert set(row["answers"]) == {"name", "word", "event_dates", "note"}


# --- questions -----------------------------------------------------------------------------------------------------


def test_titles_match_whatever_their_blanks_breaks_and_composition(forms, emulator):
    items = (text(" お名前 "), text("合い言葉"), text("希望日"), text("びこう".replace("び", "ひ\u3099")))
    fields = (*FORM.fields[:3], FieldMap("note", ("びこう",)))
    signup = Signup(forms, emulator, items)
    signup.submit(
        **{" お名前 ": "乙", "お名前": None, "ひ\u3099こう": "x", "希望日": "10月13日, 10月14日, 15日"}
    )
    answers = only(signup.pull(form=FORM._replace(fields=fields)))["answers"]
    assert (answers["name"], answers["note"]) == ("乙", "x")
    assert answers["event_dates"] == ["10月13日", "10月14日, 15日"]


def test_the_rows_of_a_grid_are_questions_of_their_own(signup):
    signup.add(
        grid("好み", "RADIO", ("高", "低"), ("朝", "夜")), grid("曜日", "CHECKBOX", ("土", "日"), ("昼",))
    )
    signup.submit(好み={"朝": "高", "夜": "低"}, 曜日={"昼": ["土", "日"]})
    fields = (*FORM.fields, FieldMap("evening", ("好み [夜]",)), FieldMap("days", ("曜日 [昼]",), many=True))
    answers = only(signup.pull(form=FORM._replace(fields=fields)))["answers"]
    assert (answers["evening"], answers["?好み [朝]"], answers["days"]) == ("低", "高", ["土", "日"])


def test_undeclared_questions_are_kept_each_under_its_own_name_where_answered(signup):
    signup.add(text("感想"), text("感想"), choice("色", "CHECKBOX", "赤", "青"), text("空"))
    first, second = (i["questionItem"]["question"]["questionId"] for i in signup.get()["items"][4:6])
    signup.submit(**{first: "一", second: "二", "色": ["赤", "青"]})
    answers = only(signup.pull())["answers"]
    extra = {name: each for name, each in answers.items() if name.startswith("?")}
    assert extra == {"?感想": "一", "?感想 (2)": "二", "?色": "赤, 青"}


def test_a_file_is_kept_as_the_address_at_which_exports_show_it(signup):
    item = {"title": "証拠", "questionItem": {"question": {"fileUploadQuestion": {"maxFiles": 1}}}}
    signup.emulator.control("add-item", formId=signup.id, item=item)
    signup.submit(証拠={"files": [{"fileId": "abc", "fileName": "x.png", "mimeType": "image/png"}]})
    assert only(signup.pull())["answers"]["?証拠"] == "https://drive.google.com/open?id=abc"


def test_a_needed_question_that_is_missing_sits_the_form_out_until_it_is_back(signup):
    item = signup.get()["items"][1]
    retitle = {
        "updateItem": {
            "item": {**item, "title": "あいことば"},
            "location": {"index": 1},
            "updateMask": "title",
        }
    }
    signup.batch(retitle)
    signup.submit()
    source = signup.source()
    pulled = source.pull(1)
    (finding,) = pulled.findings
    assert (pulled.complete, len(pulled.responses)) == (False, 0)
    assert (finding.code, finding.place) == ("missing_column", "signup 質問")
    assert finding.message.startswith(
        "「合い言葉」の質問がありません。今ある質問: 「お名前」、「あいことば」"
    )
    retitle["updateItem"]["item"]["title"] = "合い言葉"
    signup.batch(retitle)
    assert source.pull(1).complete


def test_a_question_that_stands_there_twice_sits_the_form_out(signup):
    signup.add(text("名前"))
    pulled = signup.pull()
    assert [finding.code for finding in pulled.findings] == ["doubled_header"]
    assert not pulled.complete


def test_a_question_added_between_two_pulls_is_looked_up_once(signup):
    signup.submit()
    source = signup.source()
    assert source.pull(0).complete
    signup.add(text("感想"))
    signup.submit(感想="新しい", at="2026-10-12T15:00:00Z")
    signup.count()
    pulled = source.pull(1)
    assert pulled.responses["answers"].iloc[1]["?感想"] == "新しい"
    assert signup.count() == [1, 1]
    assert source.pull(2).complete
    assert signup.count() == [0, 1]


def test_the_answers_to_a_question_that_is_gone_are_kept_under_its_id(signup):
    signup.add(text("感想"))
    gone = signup.question("感想")
    signup.submit(感想="残る")
    signup.batch({"deleteItem": {"location": {"index": 4}}})
    source = signup.source()
    assert only(source.pull(1))["answers"][f"?{gone}"] == "残る"
    signup.count()
    assert only(source.pull(1))["answers"][f"?{gone}"] == "残る"
    assert signup.count() == [0, 1]


def test_a_needed_question_made_anew_sits_out_until_an_alias_claims_its_old_answers(signup):
    gone = signup.question("合い言葉")
    signup.submit()
    signup.batch({"deleteItem": {"location": {"index": 1}}}, creation(text("合い言葉"), 1))
    pulled = signup.pull(known=1)
    assert [finding.code for finding in pulled.findings] == ["missing_column"]
    assert gone in pulled.findings[0].message
    assert WORD not in pulled.findings[0].message
    fields = (FORM.fields[0], FieldMap("word", ("合い言葉", gone)), *FORM.fields[2:])
    signup.submit(at="2026-10-12T15:00:00Z", 合い言葉="新")
    pulled = signup.pull(known=1, form=FORM._replace(fields=fields))
    assert [answers["word"] for answers in pulled.responses["answers"]] == [WORD, "新"]


def test_within_one_process_a_question_made_anew_keeps_its_old_answers(signup):
    signup.submit()
    source = signup.source()
    assert source.pull(0).complete
    signup.batch({"deleteItem": {"location": {"index": 1}}}, creation(text("合い言葉"), 1))
    signup.submit(at="2026-10-12T15:00:00Z", 合い言葉="新")
    pulled = source.pull(1)
    assert [answers["word"] for answers in pulled.responses["answers"]] == [WORD, "新"]


# --- pages, losses, calls ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "calls"), [(1, 1), (9, 1), (10, 1), (11, 2), (25, 3)])
def test_all_pages_are_read_in_as_few_calls_as_they_need(signup, rows, calls):
    made = {signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(rows)}
    signup.count()
    pulled = signup.pull(page_size=10)
    assert set(pulled.responses["response_id"]) == made
    assert len(pulled.responses) == rows
    assert signup.count() == [1, calls]


def test_a_response_edited_while_pages_are_turned_stands_once(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(12)]
    edits = [
        {"do": "edit", "formId": signup.id, "responseId": name, "answers": {"お名前": "新"}, "force": True}
        | {"at": "2026-10-12T15:00:00Z"}
        for name in made
    ]
    signup.fault("change", skip=1, actions=edits)
    pulled = signup.pull(page_size=5)
    assert sorted(pulled.responses["response_id"]) == sorted(made)


def test_a_page_that_fails_is_asked_for_again_alone(signup):
    for each in range(12):
        signup.submit(f"2026-10-12T14:00:{each:02}Z")
    signup.fault("503", skip=1)
    signup.count()
    assert len(signup.pull(page_size=5).responses) == 12
    assert signup.count() == [1, 4]


def test_a_later_page_that_stays_away_brings_nothing_rather_than_half(signup):
    for each in range(12):
        signup.submit(f"2026-10-12T14:00:{each:02}Z")
    signup.fault("503", skip=1, times=0)
    assert "応じませんでした" in signup.refusal(page_size=5)


def test_a_response_sent_while_pages_are_turned_costs_none_of_the_others(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(12)]
    late = {
        "do": "submit",
        "formId": signup.id,
        "responseId": "late",
        "email": "z@example.com",
        "force": True,
    }
    late |= {"answers": {"お名前": "丁"}, "at": "2026-10-12T15:00:00Z"}
    signup.fault("change", skip=1, actions=[late])
    pulled = signup.pull(page_size=5)
    assert pulled.complete
    assert set(made) <= set(pulled.responses["response_id"]) <= {*made, "late"}
    assert pulled.responses["response_id"].is_unique
    assert set(signup.pull(page_size=5).responses["response_id"]) == {*made, "late"}


def test_a_response_deleted_while_pages_are_turned_costs_none_of_the_others(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(12)]
    first = signup.list(pageSize=5)["responses"][0]["responseId"]
    signup.fault("change", skip=1, actions=[{"do": "delete", "formId": signup.id, "responseId": first}])
    pulled = signup.pull(page_size=5)
    assert pulled.complete
    assert set(made) - {first} <= set(pulled.responses["response_id"]) <= set(made)


def test_a_page_without_responses_is_not_the_end(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(3)]
    token = signup.list(pageSize=1)["nextPageToken"]
    signup.fault("status", status=200, body={"nextPageToken": token})
    signup.count()
    pulled = signup.pull()
    assert pulled.complete
    assert set(pulled.responses["response_id"]) <= set(made)
    assert len(pulled.responses) == 2
    assert signup.count() == [1, 2]


def test_no_filter_is_sent_and_every_page_is_as_long_as_allowed(signup):
    for each in range(3):
        signup.submit(f"2026-10-12T14:00:{each:02}Z")
    signup.count()
    assert signup.pull().complete
    (query,) = (
        dict(call["query"])
        for call in signup.emulator.control("log")["calls"]
        if call["method"] == "forms.forms.responses.list"
    )
    assert query == {"pageSize": "5000", "prettyPrint": "false", "alt": "json"}


def test_five_thousand_responses_are_one_call(signup):
    form = signup.emulator.world.files[signup.id].data
    pattern = form.responses[signup.submit()]
    for each in range(4999):
        name = f"R{each:05}"
        form.responses[name] = type(pattern)(
            name, pattern.created, pattern.submitted, pattern.answers, pattern.email
        )
    signup.count()
    assert len(signup.pull().responses) == 5000
    assert signup.count() == [1, 1]


def test_a_deleted_response_is_no_longer_there_and_no_fault(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(5)]
    signup.emulator.control("delete", formId=signup.id, responseId=made[2])
    pulled = signup.pull(known=5)
    assert pulled.complete
    assert pulled.responses["response_id"].tolist() == made[:2] + made[3:]


def test_more_losses_than_allowed_sit_the_form_out(signup):
    made = [signup.submit(f"2026-10-12T14:00:{each:02}Z") for each in range(5)]
    for name in made[:2]:
        signup.emulator.control("delete", formId=signup.id, responseId=name)
    pulled = signup.pull(known=5)
    assert not pulled.complete
    assert [finding[:2] for finding in pulled.findings] == [("shrunk", "signup")]
    signup.emulator.control("delete-all", formId=signup.id)
    assert not signup.pull(known=1, share=1.0).complete


def test_a_time_that_cannot_be_read_sits_the_form_out(signup):
    name = signup.submit()
    listed = signup.list()["responses"]
    body = {"responses": [{**listed[0], "lastSubmittedTime": "yesterday"}]}
    signup.fault("status", status=200, body=body)
    (finding,) = signup.pull().findings
    assert (finding.code, finding.place) == ("unreadable", f"signup 回答 {name}")
    assert "「yesterday」" in finding.message


def test_a_token_that_comes_back_does_not_turn_pages_for_ever(signup):
    signup.fault("status", status=200, body={"nextPageToken": "same"}, times=0)
    assert "同じページを繰り返します" in signup.refusal()


# --- trouble -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["500", "502", "503", "drop-before", "drop-after", "cut", "429"])
@pytest.mark.parametrize("method", ["forms.forms.get", "forms.forms.responses.list"])
def test_passing_trouble_is_asked_again_and_passes(signup, kind, method):
    signup.submit()
    signup.fault(kind, method, times=2)
    assert len(signup.pull().responses) == 1
    assert len(signup.clock.waits) == 2
    asked = dict(zip(("forms.forms.get", "forms.forms.responses.list"), signup.count(), strict=True))
    assert asked[method] == 3


def test_a_page_of_the_front_end_with_code_200_is_no_answer(signup):
    signup.submit()
    signup.fault("status", status=200, body="<html>sorry</html>")
    assert len(signup.pull().responses) == 1
    assert len(signup.clock.waits) == 1


def test_a_refused_rate_waits_until_the_minute_is_over(signup):
    signup.submit()
    signup.fault("429", times=2)
    assert signup.pull().complete
    first, second = signup.clock.waits
    assert 10 <= first <= 12
    assert 57 <= second <= 62


def test_the_server_may_say_how_long_to_wait(signup):
    signup.submit()
    signup.fault("429", retryAfter=7)
    assert signup.pull().complete
    assert 7 <= signup.clock.waits[0] <= 8


def test_trouble_without_end_ends_when_time_is_up(signup):
    signup.fault("503", times=0)
    said = signup.refusal()
    assert said.startswith(f"フォーム signup（ID {signup.id}）: Google が応じませんでした")
    assert said.endswith("次の実行でやり直します。続くなら接続を確かめてください（HTTP 503、UNAVAILABLE）")
    assert sum(signup.clock.waits) <= 240
    assert len(signup.clock.waits) > 5


def test_all_calls_of_a_run_share_the_time_for_trouble(signup):
    signup.fault("503", times=0)
    signup.refusal()
    signup.clock.waits.clear()
    signup.refusal()
    assert sum(signup.clock.waits) <= 32


def test_a_server_that_is_not_there_is_told_plainly(signup):
    google = connect("http://127.0.0.1:9", total=5)
    with pytest.raises(SourceError, match=r"応じませんでした.*（接続の失敗）$"):
        FormsSource(google, signup.id, FORM, 0.2).pull(0)


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        (
            "forbidden",
            {},
            "robot@example.com に権限がありません。ファイルの共有で、編集者として加えてください",
        ),
        ("status", {"status": 400, "message": f"Invalid value: {WORD}"}, "Google が要求を受け付けません"),
        ("status", {"status": 401}, "robot@example.com の認証が通りません。鍵を作り直してください"),
        ("status", {"status": 404}, "見つかりません。設定の ID を確かめ、robot@example.com を編集者として"),
    ],
)
def test_lasting_trouble_is_told_at_once(signup, kind, more, words):
    signup.submit()
    signup.fault(kind, times=0, **more)
    signup.count()
    said = signup.refusal()
    assert words in said
    assert "\n" not in said
    assert WORD not in said
    assert signup.clock.waits == []
    assert signup.count() == [1, 1]


def test_a_form_that_is_not_there_is_told_by_its_id(signup):
    with pytest.raises(
        SourceError, match=r"フォーム signup（ID nope）: 見つかりません.*（HTTP 404、NOT_FOUND）"
    ):
        FormsSource(signup.google, "nope", FORM, 0.2).pull(0)


# --- a service account ---------------------------------------------------------------------------------------------


@pytest.fixture
def robot(signup):
    """The form as a service account reads it, which it was shared with."""
    signup.submit()
    info = signup.emulator.control("service-account", email=ROBOT)
    signup.emulator.control("share", fileId=signup.id, email=ROBOT, role="writer")
    made = service_account.Credentials.from_service_account_info(info, scopes=list(FORMS_SCOPES))
    signup.google = connect(
        signup.emulator.base, signup.clock, Identity(made, ROBOT, "鍵を作り直してください")
    )
    signup.secrets = [info["private_key"], info["private_key_id"], made]
    return signup


def test_the_least_scopes_are_enough_and_one_token_serves_all(robot):
    robot.count()
    assert robot.pull().complete
    assert robot.pull().complete
    calls = [each["method"] for each in robot.emulator.control("log")["calls"]]
    assert sum(name.startswith("forms.") for name in calls) == len(calls) - 1 == 4


def test_a_token_that_expires_between_two_calls_is_renewed(robot):
    robot.fault("expire")
    assert robot.pull().complete
    assert robot.clock.waits == []


def test_a_share_that_is_taken_back_names_account_and_form(robot):
    robot.emulator.control("unshare", fileId=robot.id, email=ROBOT)
    said = robot.refusal()
    assert ROBOT in said
    assert robot.id in said
    assert "編集者として加えてください" in said


def test_a_key_that_google_no_longer_knows_is_told_without_showing_it(robot):
    robot.emulator.service.accounts.keys[ROBOT].clear()
    said = robot.refusal()
    assert said == (
        f"フォーム signup（ID {robot.id}）: {ROBOT} の認証が通りません。鍵を作り直してください"
        "（HTTP 401、invalid_grant）"
    )
    assert robot.clock.waits == []


# --- the sample game -----------------------------------------------------------------------------------------------


def test_every_form_of_the_sample_reads_as_its_file_does(emulator):
    config = load_config(CONFIG)
    made = load(emulator)
    google = connect(emulator.base)
    compared = 0
    for form in config.forms:
        if form.name not in made:
            continue
        titles = config.form_map(form)
        from_file = CsvSource(config.form_file(form.name), titles, config.settings.zone, 0.2).pull(0)
        from_google = FormsSource(google, made[form.name], titles, 0.2).pull(0)
        assert (from_google.complete, from_google.findings) == (True, ())
        left, right = (
            pulled.responses.sort_values(["submitted_at", "response_id"], ignore_index=True)
            for pulled in (from_google, from_file)
        )
        compared += len(left)
        pd.testing.assert_frame_equal(left[SAME], right[SAME])
    google.close()
    assert compared > 100
