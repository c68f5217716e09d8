"""`saitei forms diff`: each way in which a form can come apart from the config, in the operator's words."""

from __future__ import annotations

import pytest

OK = "ok　　マスイベ参加申込　設定のとおりです（質問 4）"


@pytest.fixture
def made(office):
    office.saitei("forms", "create")
    return office


def change(office, *requests, form="signup"):
    office.call("forms.forms.batchUpdate", {"requests": list(requests)}, formId=office.state["forms"][form])


def renew(office, title, form="signup", rename="", **more):
    """Alter a question in its place, as an owner does in the editor."""
    items = office.form(form)["items"]
    index = next(number for number, item in enumerate(items) if item["title"] == title)
    item = items[index]
    question = item["questionItem"]["question"]
    if set(more) & {"textQuestion", "choiceQuestion", "timeQuestion"}:
        for kind in ("textQuestion", "choiceQuestion", "timeQuestion"):
            question.pop(kind, None)
    item["title"] = rename or title
    question.update(more)
    update = {"item": item, "location": {"index": index}, "updateMask": "*"}
    change(office, {"updateItem": update}, form=form)


def remove(office, title, form="signup"):
    titles = [item["title"] for item in office.form(form)["items"]]
    change(office, {"deleteItem": {"location": {"index": titles.index(title)}}}, form=form)


def options(*values, kind="DROP_DOWN"):
    return {"type": kind, "options": [{"value": value} for value in values]}


def diff(office, form="マスイベ参加申込"):
    """Exit code, and what is said of one form."""
    code, out, err = office.saitei("forms", "diff")
    assert err == ""
    return code, [line for line in out.splitlines() if f"　{form}　" in line]


def assert_breaks(office, *wanted, form="マスイベ参加申込"):
    code, lines = diff(office, form)
    assert (code, len(lines), lines[0].startswith("直す　")) == (1, 1, True), lines
    for text in wanted:
        assert text in lines[0]


def test_forms_as_they_were_made_are_well_and_cost_one_reading_each(made):
    made.emulator.control("log/clear")
    code, out, _err = made.saitei("forms", "diff")
    assert (code, out.splitlines()[0], out.count("\n")) == (0, OK, 5)
    assert made.calls("forms.") == ["forms.forms.get"] * 5


def test_a_question_that_is_gone_breaks(made):
    remove(made, "あいことば")
    assert_breaks(made, "「あいことば」の質問がありません。足してください")


def test_a_question_that_no_run_needs_may_be_added(made):
    remove(made, "備考")
    assert diff(made) == (
        0,
        [OK.replace("4", "3"), "追加できます　マスイベ参加申込　「備考」の質問がありません。足してください"],
    )


def test_a_renamed_question_breaks_and_the_remedy_helps(made):
    renew(made, "正式呼称", rename="お名前")
    assert_breaks(made, "forms.signup.fields.name.aliases", "設定にない質問: 「お名前」")
    made.configure(lambda block: block["forms"]["signup"]["fields"].update(name={"aliases": ["お名前"]}))
    assert diff(made) == (0, [OK])


def test_a_doubled_question_breaks(made):
    again = {"title": "備考", "questionItem": {"question": {"textQuestion": {}}}}
    change(made, {"createItem": {"item": again, "location": {"index": 0}}})
    assert_breaks(made, "同じ質問が 2 つあります: 「備考」、「備考」")


def test_a_question_of_somebody_else_is_told_and_breaks_nothing(made):
    item = {"title": "好きな色", "questionItem": {"question": {"textQuestion": {}}}}
    change(made, {"createItem": {"item": item, "location": {"index": 0}}})
    told = "ok　　マスイベ参加申込　設定にない質問は、回答を残しますが裁定には使いません: 「好きな色」"
    assert diff(made) == (0, [OK.replace("4", "5"), told])


@pytest.mark.parametrize(
    ("form", "name", "title", "kind", "wanted"),
    [
        (
            "マスイベ参加申込",
            "signup",
            "参加を希望する開催日",
            {"choiceQuestion": options("10月12日")},
            "「参加を希望する開催日」がプルダウンです。チェックボックスに変えてください",
        ),
        (
            "星座複製",
            "replication",
            "複製を行う日",
            {"choiceQuestion": options("10月12日", kind="CHECKBOX")},
            "「複製を行う日」がチェックボックスです。プルダウンに変えてください",
        ),
        (
            "襲撃報告",
            "attack",
            "フリーズ時刻",
            {"textQuestion": {}},
            "「フリーズ時刻」が記述式です。時刻に変えてください",
        ),
        (
            "お問い合わせ",
            "inquiry",
            "種別",
            {"textQuestion": {}},
            "「種別」が記述式です。ラジオボタンに変えてください",
        ),
        (
            "お問い合わせ",
            "inquiry",
            "件名",
            {"timeQuestion": {}},
            "「件名」が時刻です。記述式に変えてください",
        ),
    ],
)
def test_a_question_of_the_wrong_kind_breaks(made, form, name, title, kind, wanted):
    renew(made, title, form=name, **kind)
    assert_breaks(made, wanted, form=form)


@pytest.mark.parametrize(
    ("name", "title", "kind"),
    [
        (
            "inquiry",
            "種別",
            {"choiceQuestion": options("質問", "アドレス変更", "参加表明・立候補前", "その他")},
        ),
        ("inquiry", "内容", {"textQuestion": {}}),
    ],
)
def test_kinds_that_are_read_alike_are_alike(made, name, title, kind):
    renew(made, title, form=name, **kind)
    assert diff(made, "お問い合わせ") == (0, ["ok　　お問い合わせ　設定のとおりです（質問 6）"])


def test_a_text_may_become_a_list_of_what_is_published(made):
    renew(made, "正式呼称", textQuestion={})
    code, lines = diff(made)
    assert (code, lines[0]) == (0, OK)
    assert lines[1].startswith(
        "追加できます　マスイベ参加申込　「正式呼称」をプルダウンにできます。公開済みの選択肢: 「夜　汽車」、"
    )


def test_a_choice_that_nobody_knows_breaks_and_one_that_is_missing_may_be_added(made):
    known = made.options("signup", "正式呼称")
    renew(made, "正式呼称", choiceQuestion=options(*known[1:], "だれか"))
    code, lines = diff(made)
    assert (code, lines) == (
        1,
        [
            "直す　マスイベ参加申込　「正式呼称」の選択肢「だれか」は、設定にも、公開済みの表にもありません。消してください",
            f"追加できます　マスイベ参加申込　「正式呼称」の選択肢に足せます: 「{known[0]}」",
        ],
    )


def test_a_choice_of_the_config_is_no_stranger(made):
    dates = [f"10月{day}日" for day in (12, 13, 14)]
    made.configure(
        lambda block: block["forms"]["signup"]["fields"]["event_dates"].update(choices=[*dates, "10月15日"])
    )
    renew(made, "参加を希望する開催日", choiceQuestion=options(*dates, kind="CHECKBOX"))
    told = "追加できます　マスイベ参加申込　「参加を希望する開催日」の選択肢に足せます: 「10月15日」"
    assert diff(made) == (0, [OK, told])


def test_what_is_listed_too_early_breaks(made):
    """The masters put off a constellation that the form already names."""
    path = made.game.folder / "samples/kanada/masters/星座.csv"
    text = path.read_text("utf-8")
    line = next(each for each in text.splitlines() if each.startswith("灯台座,"))
    put_off = line.replace("2026-10-03 00:00:00", "2026-10-20 00:00:00")
    path.write_text(text.replace(line, put_off), "utf-8")
    code, lines = diff(made, "星座複製")
    assert (code, len(lines)) == (1, 1)
    assert "「複製する星座」の選択肢「灯台座」は、設定にも、公開済みの表にもありません" in lines[0]


def test_what_was_published_meanwhile_may_now_be_listed(office):
    path = office.game.folder / "samples/kanada/masters/星座.csv"
    path.write_text(path.read_text("utf-8") + "漏斗座,水,,30,,,,,2,2026-10-16 13:00:00\n", "utf-8")
    office.saitei("forms", "create")
    assert "漏斗座" not in office.options("replication", "複製する星座")
    assert diff(office, "星座複製") == (0, ["ok　　星座複製　設定のとおりです（質問 9）"])
    office.configure(lambda block: block.update(as_of="2026-10-16 13:00:00"))
    told = "追加できます　星座複製　「複製する星座」の選択肢に足せます: 「漏斗座」"
    assert diff(office, "星座複製") == (0, ["ok　　星座複製　設定のとおりです（質問 9）", told])


def test_a_place_for_anything_else_breaks_where_only_choices_are_read(made):
    choice = options("質問", "アドレス変更", "参加表明・立候補前", "その他", kind="RADIO")
    choice["options"].append({"isOther": True})
    renew(made, "種別", form="inquiry", choiceQuestion=choice)
    assert_breaks(made, "「種別」に「その他」の欄があります", form="お問い合わせ")


def test_a_choice_that_leads_nowhere_breaks(made):
    renew(made, "相手の種別", form="attack", choiceQuestion=options("星術師", "学者", kind="RADIO"))
    code, lines = diff(made, "襲撃報告")
    assert code == 1
    assert [line.partition("から進む先がありません")[0] for line in lines] == [
        "直す　襲撃報告　「相手の種別」の選択肢「星術師」",
        "直す　襲撃報告　「相手の種別」の選択肢「学者」",
    ]


@pytest.mark.parametrize(
    ("form", "name", "title", "required", "wanted"),
    [
        (
            "お問い合わせ",
            "inquiry",
            "正式呼称",
            True,
            "「正式呼称」が必須です。答えない人もいるので、必須を外してください",
        ),
        (
            "マスイベ参加申込",
            "signup",
            "正式呼称",
            False,
            "「正式呼称」が必須ではありません。必須にしてください",
        ),
    ],
)
def test_who_must_answer_is_compared(made, form, name, title, required, wanted):
    renew(made, title, form=name, required=required)
    assert_breaks(made, wanted, form=form)


@pytest.mark.parametrize(
    ("collects", "shown"), [("RESPONDER_INPUT", "回答者からの入力"), ("DO_NOT_COLLECT", "収集しない")]
)
def test_addresses_collected_otherwise_break(made, collects, shown):
    settings = {"settings": {"emailCollectionType": collects}, "updateMask": "emailCollectionType"}
    change(made, {"updateSettings": settings})
    assert_breaks(made, f"メールアドレスの収集が「{shown}」です。フォームの「設定」で「確認済み」に")


def test_no_address_at_all_breaks_where_senders_type_it(made):
    settings = {"settings": {"emailCollectionType": "DO_NOT_COLLECT"}, "updateMask": "emailCollectionType"}
    change(made, {"updateSettings": settings}, form="attack")
    assert_breaks(made, "「収集しない」です。フォームの「設定」で「回答者からの入力」に", form="襲撃報告")


@pytest.mark.parametrize(
    ("published", "wanted"), [(True, "回答を受け付けていません"), (False, "公開されていません")]
)
def test_a_form_that_nobody_can_answer_breaks(made, published, wanted):
    form = made.state["forms"]["signup"]
    made.emulator.control("form", formId=form, published=published, accepting=False)
    assert_breaks(made, wanted)


def test_a_form_of_the_old_kind_has_no_publishing_to_compare(made):
    made.emulator.control("form", formId=made.state["forms"]["signup"], legacy=True)
    assert diff(made) == (0, [OK])


def test_a_form_without_an_id_is_told(office):
    office.configure(lambda block: block["forms"]["attack"].update(tab="フォームの回答 1"))
    code, out, _err = office.saitei("forms", "diff")
    assert code == 1
    assert out.count("ID がありません。saitei forms create で作るか") == 4
    assert "ok　　襲撃報告　シート「フォームの回答 1」から読みます" in out


def test_a_form_that_is_not_shared_ends_with_what_to_do(made):
    made.emulator.control(
        "unshare",
        fileId=made.state["forms"]["signup"],
        email="robot@emulated-project.iam.gserviceaccount.com",
    )
    code, out, err = made.saitei("forms", "diff")
    assert (code, err.count("\n"), out.count("設定のとおりです")) == (3, 1, 4)
    assert "フォーム「マスイベ参加申込」" in err
    assert "robot@emulated-project.iam.gserviceaccount.com に権限がありません" in err
