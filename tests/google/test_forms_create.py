"""`saitei forms create`: from the config to forms that players can answer and a run can read."""

from __future__ import annotations

import csv
import json

import pytest
from office import FORMS, ROBOT
from sample_game import NOON

TITLES = ("マスイベ参加申込", "星座複製", "星座効果発動", "襲撃報告", "お問い合わせ")
LATE, EFFECTS = "灯台座", ("岬の光", "霧笛")
PLAYERS = ["夜　汽車", "らくがき帳", "うみほたる", "灰色のソナタ", "ぽんかん", "十六夜ポスト", "ルーペ"]


def make(office):
    code, office.shown, err = office.saitei("forms", "create")
    assert (code, err) == (0, "")
    return office


@pytest.fixture(scope="module")
def seen(shared_office):
    """Forms that no test changes."""
    return make(shared_office)


@pytest.fixture
def made(office):
    return make(office)


def change_seed(office, table, key, column, value):
    """One cell of a masters' table, before there is a spreadsheet."""
    path = office.game.folder / f"samples/kanada/masters/{table}.csv"
    with path.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    for row in rows:
        if row[0] == key:
            row[header.index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def test_each_form_is_made_published_and_open_to_whoever_has_the_link(seen):
    assert tuple(seen.state["forms"]) == FORMS
    for name, title in zip(FORMS, TITLES, strict=True):
        form = seen.form(name)
        assert form["info"]["title"] == title
        assert form["publishSettings"]["publishState"] == {"isPublished": True, "isAcceptingResponses": True}
        listed = seen.call(
            "drive.permissions.list", fileId=form["formId"], includePermissionsForView="published"
        )["permissions"]
        shown = {(one["type"], one["role"], one.get("view")) for one in listed}
        assert shown == {("user", "owner", None), ("anyone", "reader", "published"), ("user", "writer", None)}


def test_a_form_asks_what_the_game_declares_in_order(seen):
    items = seen.form("signup")["items"]
    assert [item["title"] for item in items] == ["正式呼称", "あいことば", "参加を希望する開催日", "備考"]
    asked = [item["questionItem"]["question"] for item in items]
    assert [question.get("required", False) for question in asked] == [True, True, True, False]
    assert asked[0]["choiceQuestion"]["type"] == "DROP_DOWN"
    assert seen.options("signup", "正式呼称") == PLAYERS
    assert asked[1]["textQuestion"] == {}
    assert asked[2]["choiceQuestion"]["type"] == "CHECKBOX"
    assert seen.options("signup", "参加を希望する開催日")[0] == "10月12日"
    assert asked[3]["textQuestion"] == {"paragraph": True}


def test_addresses_are_collected_as_each_form_says(seen):
    collected = {name: seen.form(name)["settings"]["emailCollectionType"] for name in FORMS}
    assert collected == {**dict.fromkeys(FORMS, "VERIFIED"), "attack": "RESPONDER_INPUT"}


def test_the_kind_of_the_victim_leads_to_its_own_page_and_past_the_other(seen):
    items = seen.form("attack")["items"]
    titles = [item["title"] for item in items]
    pages = {item["title"]: item["itemId"] for item in items if "pageBreakItem" in item}
    assert list(pages) == ["星術師への襲撃", "学者への襲撃"]
    first = titles.index("星術師への襲撃")
    assert titles[first - 1] == "備考"
    assert titles[first + 1 :] == [
        "球の提示完了時刻",
        "渡した球",
        "受け取った球",
        "球交換",
        "学者への襲撃",
        "学者カード",
    ]
    kinds = seen.items("attack")["相手の種別"]["questionItem"]["question"]["choiceQuestion"]["options"]
    assert [(one["value"], one["goToSectionId"]) for one in kinds] == [
        ("星術師", pages["星術師への襲撃"]),
        ("学者", pages["学者への襲撃"]),
    ]
    ends = seen.items("attack")["球交換"]["questionItem"]["question"]["choiceQuestion"]["options"]
    assert {one["goToAction"] for one in ends} == {"SUBMIT_FORM"}
    assert seen.items("attack")["フリーズ時刻"]["questionItem"]["question"]["timeQuestion"] == {}
    assert seen.options("attack", "渡した球")[-1] is None  # something else may be typed


def test_who_writes_before_joining_need_not_give_name_and_word(seen):
    asked = {title: item["questionItem"]["question"] for title, item in seen.items("inquiry").items()}
    assert [title for title, question in asked.items() if question.get("required")] == [
        "種別",
        "件名",
        "内容",
    ]


def test_the_checklist_names_what_only_a_person_can_set(seen):
    lines = seen.shown.splitlines()
    for title, name in zip(TITLES, FORMS, strict=True):
        place = lines.index(f"□ {title}　https://docs.google.com/forms/d/{seen.state['forms'][name]}/edit")
        told = "\n".join(lines[place : place + 7])
        for wanted in (
            "回答を 1 回に制限する」オフ",
            "回答の編集を許可する」オフ",
            "結果の概要を表示する」オフ",
            "受け付けを終えたときのメッセージ",
            "「あいことば」→「回答の検証」",
        ):
            assert wanted in told
        assert seen.form(name)["responderUri"] in told


def test_nothing_secret_is_shown_or_put_into_a_form(seen):
    shown = seen.shown + json.dumps([seen.form(name) for name in FORMS], ensure_ascii=False)
    with seen.game.words_path.open(encoding="utf-8") as stream:
        words = [row[2] for row in csv.reader(stream)][1:]
    with (seen.game.folder / "samples/kanada/masters/名簿.csv").open(encoding="utf-8") as stream:
        addresses = [row[4] for row in csv.reader(stream)][1:]
    token = json.loads((seen.private / "token.json").read_text("utf-8"))
    secrets = [
        *words,
        *addresses,
        token["refresh_token"],
        token["token"],
        "hidden-client",
        seen.key["private_key"],
    ]
    assert [secret for secret in secrets if secret in shown] == []


def test_a_second_call_makes_nothing(made):
    made.emulator.control("log/clear")
    files, state = made.files(), made.state
    code, out, _err = made.saitei("forms", "create")
    assert (code, made.calls()) == (0, [])
    assert out.splitlines() == [
        f"ok　　{title}　もうあります（ID {state['forms'][name]}）"
        for title, name in zip(TITLES, FORMS, strict=True)
    ]
    assert (made.files(), made.state) == (files, state)


def test_a_form_that_the_config_names_is_left_alone(office):
    office.configure(lambda block: block["forms"]["attack"].update(id="1SomebodyMadeThisByHand"))
    assert office.saitei("forms", "create")[0] == 0
    assert list(office.state["forms"]) == [name for name in FORMS if name != "attack"]
    assert "襲撃報告" not in office.files()


def test_kinds_and_choices_of_the_config_come_first(office):
    def change(block):
        fields = {"place": {"kind": "dropdown", "choices": ["北門", "南門"]}, "target": {"kind": "text"}}
        block["forms"]["attack"]["fields"] = fields

    office.configure(change)
    office.saitei("forms", "create")
    assert office.options("attack", "フリーズ地点") == ["北門", "南門"]
    assert office.items("attack")["被襲撃者"]["questionItem"]["question"]["textQuestion"] == {}


class TestPublished:
    """Choices come only from what is published."""

    @pytest.mark.parametrize(("at", "offered"), [("2026-10-16 12:30:01", False), (NOON, True)])
    def test_a_name_is_offered_from_its_very_instant_on(self, office, at, offered):
        change_seed(office, "星座", LATE, "公開時刻", at)
        change_seed(office, "球", "びい玉", "公開時刻", at)
        office.saitei("forms", "create")
        shown = json.dumps([office.form(name) for name in FORMS], ensure_ascii=False)
        assert [word in shown for word in (LATE, *EFFECTS, "びい玉")] == [offered] * 4

    def test_a_ball_without_an_instant_is_not_offered(self, office):
        change_seed(office, "球", "びい玉", "公開時刻", "")
        office.saitei("forms", "create")
        assert office.options("attack", "渡した球") == ["想聚灯", "金平糖", None]

    def test_a_name_is_not_offered_before_the_list_of_names(self, office):
        change_seed(office, "公開", "正式呼称一覧", "公開時刻", "2026-10-17 00:00:00")
        _code, out, _err = office.saitei("forms", "create")
        assert office.items("signup")["正式呼称"]["questionItem"]["question"]["textQuestion"] == {}
        shown = json.dumps([office.form(name) for name in FORMS], ensure_ascii=False)
        assert [name for name in PLAYERS if name in shown] == []
        assert out.count("まだ何も公開されていないので記述式にした質問: 「正式呼称」") == 5
        assert "記述式にした質問: 「正式呼称」、「被襲撃者」" in out

    def test_only_who_is_on_the_roster_at_the_instant_is_offered(self, office):
        path = office.game.folder / "samples/kanada/masters/名簿.csv"
        gone = "いなくなった人,2026-09-20 00:00:00,星術師,,gone@example.com,2026-10-10 00:00:00,\n"
        coming = "まだ来ない人,2026-10-20 00:00:00,星術師,,coming@example.com,,\n"
        path.write_text(path.read_text("utf-8") + gone + coming, "utf-8")
        office.saitei("forms", "create")
        assert office.options("signup", "正式呼称") == PLAYERS

    def test_a_day_that_the_rules_do_not_print_is_offered_from_its_notice_on(self, office):
        office.configure(lambda block: block["forms"].update(signup={}))
        path = office.game.folder / "samples/kanada/masters/マスイベ.csv"
        path.write_text(path.read_text("utf-8") + "2026-10-11,通常\n2026-10-18,通常\n", "utf-8")
        office.saitei("forms", "create")
        printed = [12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23]
        offered = office.options("signup", "参加を希望する開催日")
        assert offered == [f"10月{day}日" for day in [11, *printed]]

    def test_an_article_that_is_put_off_puts_off_its_names(self, office):
        path = office.game.folder / "samples/kanada/masters/公開.csv"
        path.write_text(path.read_text("utf-8") + "星座公開,2026-10-17 00:00:00\n", "utf-8")
        office.saitei("forms", "create")
        assert "textQuestion" in office.items("replication")["複製する星座"]["questionItem"]["question"]

    def test_after_a_run_what_it_archived_is_offered(self, office):
        office.saitei("sheets", "setup")
        office.saitei("forms", "create")
        assert office.saitei("run")[0] == 0
        # Neither the file nor what nobody has archived yet is looked at.
        change_seed(office, "星座", LATE, "公開時刻", "2027-01-01 00:00:00")
        book = office.state["spreadsheet"]
        rows = office.call("sheets.spreadsheets.values.get", spreadsheetId=book, range="'星座'")["values"]
        place = f"'星座'!J{[row[0] for row in rows].index(LATE) + 1}"
        late = [["2027-01-01 00:00:00"]]
        office.emulator.control("write", spreadsheetId=book, range=place, values=late)
        code, out, _err = office.saitei("forms", "diff")
        assert (code, "直す" in out, "追加できます" in out) == (0, False, False)


def test_what_players_send_to_each_form_is_ruled_by_a_run(made):
    assert made.saitei("sheets", "setup")[0] == 0
    who = {"正式呼称": "ぽんかん", "あいことば": "みかんばたけ"}
    answers = {
        "signup": {"参加を希望する開催日": ["10月17日", "10月19日"]},
        "replication": {
            "複製を行う日": "10月17日",
            "複製する星座": made.options("replication", "複製する星座")[0],
            "消費する5等星の個数": "1",
        },
        "effect": {
            "効果が発動する日 1": "10月17日",
            "星座効果 1": made.options("effect", "星座効果 1")[0],
        },
        "attack": {
            "相手の種別": "学者",
            "被襲撃者": "ルーペ",
            "フリーズ時刻": "11:10",
            "LINE表示と実際の相違": "なし",
            "同時フリーズの有無": "なし",
            "フリーズ地点": "中庭",
            "移動の有無": "なし",
            "学者カード": "受け取った",
        },
        "inquiry": {"種別": "質問", "件名": "集合", "内容": "雨でも行いますか。"},
    }
    for name, given in answers.items():
        body = {"email": "ponkan@example.jp", "at": "2026-10-16T02:15:00Z", "answers": {**who, **given}}
        # The emulator asks for the questions of every page, those that are passed by included.
        force = {"force": True} if name == "attack" else {}
        made.emulator.control("submit", formId=made.state["forms"][name], **body, **force)
    code, out, err = made.saitei("run", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert (report["fresh"], report["entries"], report["sat_out"]) == (5, 6, [])
    assert "本人不一致" not in report["statuses"]
    assert ROBOT not in out
