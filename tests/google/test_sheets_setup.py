"""`saitei sheets setup`: the spreadsheets made once, mended when something is missing, and left alone otherwise."""

from __future__ import annotations

import pytest
from office import ROBOT
from sample_game import read_csv

from pipeline.sheets import tab_order

READS = [
    "drive.permissions.list",
    "drive.permissions.list",
    "sheets.spreadsheets.get",
    "sheets.spreadsheets.get",
    "sheets.spreadsheets.get",
]
"""What a call costs that finds all well; none of them writes."""


def make(office):
    code, office.shown, err = office.saitei("sheets", "setup")
    assert (code, err) == (0, "")
    office.emulator.control("log/clear")
    return office


@pytest.fixture(scope="module")
def seen(shared_office):
    """Spreadsheets that no test changes."""
    return make(shared_office)


@pytest.fixture
def made(office):
    return make(office)


def book(office, name="spreadsheet", **params):
    return office.call("sheets.spreadsheets.get", spreadsheetId=office.state[name], **params)


def tab(office, title):
    return next(one for one in book(office)["sheets"] if one["properties"]["title"] == title)


def titles(office, name="spreadsheet"):
    return [one["properties"]["title"] for one in book(office, name)["sheets"]]


def cells(office, title):
    found = office.call(
        "sheets.spreadsheets.values.get", spreadsheetId=office.state["spreadsheet"], range=f"'{title}'"
    )
    return found.get("values", [])


def batch(office, *requests):
    office.call(
        "sheets.spreadsheets.batchUpdate",
        {"requests": list(requests)},
        spreadsheetId=office.state["spreadsheet"],
    )


def drop(office, title):
    batch(office, {"deleteSheet": {"sheetId": tab(office, title)["properties"]["sheetId"]}})


def type_in(office, where, values):
    office.emulator.control("write", spreadsheetId=office.state["spreadsheet"], range=where, values=values)


def seed(office, title):
    return read_csv(office.game.folder / f"samples/kanada/masters/{title}.csv")


def whole(office):
    """Every value of every tab."""
    return {title: cells(office, title) for title in titles(office)}


def test_both_spreadsheets_are_made_and_shared_with_the_account_that_runs(seen):
    names = {"spreadsheet": "輝流堕2026 マスターの表", "line": "輝流堕2026 LINE連携"}
    for kind, name in names.items():
        properties = book(seen, kind)["properties"]
        assert (properties["title"], properties["locale"], properties["timeZone"]) == (
            name,
            "ja_JP",
            "Asia/Tokyo",
        )
        shares = seen.call("drive.permissions.list", fileId=seen.state[kind], fields="*")["permissions"]
        assert {(one["emailAddress"], one["role"]) for one in shares} == {
            ("owner@example.com", "owner"),
            (ROBOT, "writer"),
        }
    assert titles(seen, "line") == ["LINE連携"]


def test_every_tab_is_there_in_order_and_nothing_else(seen):
    assert titles(seen) == tab_order(seen.game.load())


def test_the_masters_tables_come_from_their_files(seen):
    assert cells(seen, "名簿")[0] == seed(seen, "名簿")[0]
    assert [row[0] for row in cells(seen, "星座")] == [row[0] for row in seed(seen, "星座")]


def test_a_tab_has_its_rules_and_its_views(seen):
    found = tab(seen, "星座複製")
    views = [view["title"] for view in found["filterViews"]]
    assert views == ["要確認だけ", "保留だけ", "未定だけ"]
    headers = cells(seen, "星座複製")[0]
    view = found["filterViews"][0]
    assert view["filterSpecs"] == [
        {
            "columnIndex": headers.index("有効"),
            "filterCriteria": {"condition": {"type": "TEXT_EQ", "values": [{"userEnteredValue": "要確認"}]}},
        }
    ]
    assert view["range"].get("startRowIndex", 0) == 0
    assert view["range"]["endColumnIndex"] == len(headers)
    assert all(one["warningOnly"] for one in found["protectedRanges"])
    assert found["conditionalFormats"]
    assert "filterViews" not in tab(seen, "名簿")


def test_setup_is_no_run(seen):
    assert [row[0] for row in cells(seen, "実行履歴")] == ["実行"]
    assert not seen.game.archive_path.exists()


def test_a_second_call_writes_nothing(made):
    before = whole(made)
    made.emulator.control("log/clear")
    code, out, _err = made.saitei("sheets", "setup")
    assert (code, made.calls()) == (0, READS)
    assert out.splitlines()[-1] == "ok　　マスターの表　シートは 29 枚ともあります"
    assert whole(made) == before


def test_a_call_after_a_run_writes_nothing(made):
    made.saitei("forms", "create")
    assert made.saitei("run")[0] == 0
    made.emulator.control("log/clear")
    assert made.saitei("sheets", "setup")[0] == 0
    assert [one for one in made.calls() if one != "oauth"] == READS


def test_the_first_run_reads_what_was_laid_and_finds_it_sound(made):
    made.saitei("forms", "create")
    code, out, err = made.saitei("run")
    assert (code, err) == (0, "")
    assert "読めなかった" not in out
    assert [row[0] for row in cells(made, "星座")] == [row[0] for row in seed(made, "星座")]
    assert len(cells(made, "実行履歴")) == 2


def test_tabs_that_were_deleted_before_the_first_run_are_made_again(made):
    before, gone = whole(made), ("名簿", "要確認", "星座複製", "実行履歴", "メール")
    for title in gone:
        drop(made, title)
    code, out, _err = made.saitei("sheets", "setup")
    assert code == 0
    assert "シートを作りました　要確認、星座複製、メール、名簿、実行履歴" in out.splitlines()
    assert titles(made) == tab_order(made.game.load())
    assert whole(made) == before


def test_in_play_what_is_archived_comes_back_and_what_masters_wrote_stays(made):
    made.saitei("forms", "create")
    answers = {"正式呼称": "ぽんかん", "あいことば": "みかんばたけ", "参加を希望する開催日": ["10月17日"]}
    body = {"email": "ponkan@example.jp", "at": "2026-10-15T02:15:00Z", "answers": answers}
    made.emulator.control("submit", formId=made.state["forms"]["signup"], **body)
    assert made.saitei("run")[0] == 0
    place = cells(made, "マスイベ参加申込")[0].index("メモ")
    type_in(made, f"'マスイベ参加申込'!{chr(ord('A') + place)}2", [["本人に電話した"]])
    type_in(made, "'公開'!A20", [["新しい記事", "2026-10-20 00:00:00"]])
    assert made.saitei("run")[0] == 0

    before, archive = whole(made), made.game.archive_path.read_bytes()
    for title in ("マスイベ参加申込", "公開", "実行履歴"):
        drop(made, title)
    assert made.saitei("sheets", "setup")[0] == 0
    after = whole(made)
    assert after["実行履歴"] == before["実行履歴"]
    assert ["新しい記事", "2026-10-20 00:00:00"] in after["公開"]
    header, row = after["マスイベ参加申込"]
    assert (header, row[0], row[place]) == (
        before["マスイベ参加申込"][0],
        before["マスイベ参加申込"][1][0],
        "本人に電話した",
    )
    assert made.game.archive_path.read_bytes() == archive
    assert made.saitei("run")[0] == 0
    assert cells(made, "マスイベ参加申込")[1][place] == "本人に電話した"


def test_what_masters_wrote_stays_whatever_is_mended(made):
    type_in(made, "'名簿'!A30", [["あたらしいひと", "2026-10-01 00:00:00", "星術師"]])
    type_in(made, "'星座複製'!B1", [["しめきり"]])  # a header that somebody renamed
    drop(made, "球")
    before = {title: values for title, values in whole(made).items() if title != "球"}
    assert made.saitei("sheets", "setup")[0] == 0
    after = whole(made)
    assert {title: values for title, values in after.items() if title != "球"} == before
    assert [row[0] for row in after["球"]] == [row[0] for row in seed(made, "球")]


def test_lost_looks_come_back(made):
    found = tab(made, "星座複製")
    sheet, tags = found["properties"]["sheetId"], found["developerMetadata"]
    wanted = [{"developerMetadataLookup": {"metadataId": tags[0]["metadataId"]}}]
    batch(
        made,
        *(
            {"deleteProtectedRange": {"protectedRangeId": one["protectedRangeId"]}}
            for one in found["protectedRanges"]
        ),
        {"deleteDeveloperMetadata": {"dataFilter": wanted[0]}},
        {"deleteFilterView": {"filterId": found["filterViews"][0]["filterViewId"]}},
        {
            "updateSheetProperties": {
                "properties": {"sheetId": sheet, "gridProperties": {"frozenRowCount": 0}},
                "fields": "gridProperties.frozenRowCount",
            }
        },
    )
    assert made.saitei("sheets", "setup")[0] == 0
    after = tab(made, "星座複製")
    assert len(after["protectedRanges"]) == len(found["protectedRanges"])
    assert after["properties"]["gridProperties"]["frozenRowCount"] == 1
    assert sorted(view["title"] for view in after["filterViews"]) == sorted(
        view["title"] for view in found["filterViews"]
    )


def test_a_tab_whose_first_line_was_deleted_is_dressed_by_where_its_header_lies(made):
    sheet = tab(made, "要確認")["properties"]["sheetId"]
    row = {"sheetId": sheet, "dimension": "ROWS", "startIndex": 0, "endIndex": 1}
    batch(made, {"deleteDimension": {"range": row}})
    before = cells(made, "要確認")
    assert made.saitei("sheets", "setup")[0] == 0
    after = tab(made, "要確認")["properties"]["gridProperties"]
    assert (cells(made, "要確認"), after["frozenRowCount"]) == (before, 1)


def test_a_tab_whose_header_is_gone_is_told_and_left(made):
    type_in(made, "'名簿'!A1", [["なまえ"]])
    before = cells(made, "名簿")
    code, out, _err = made.saitei("sheets", "setup")
    assert code == 1
    assert (
        "直す　シート「名簿」の見出しが見つかりません。元の題名に戻してください（何も変えていません）" in out
    )
    assert cells(made, "名簿") == before


def test_another_zone_is_told_and_not_changed(made):
    properties = {"properties": {"timeZone": "Europe/London"}, "fields": "timeZone"}
    batch(made, {"updateSpreadsheetProperties": properties})
    code, out, _err = made.saitei("sheets", "setup")
    assert code == 1
    assert "直す　マスターの表のタイムゾーンが Europe/London です" in out
    assert book(made)["properties"]["timeZone"] == "Europe/London"


def test_a_spreadsheet_of_somebody_else_is_laid_out_and_keeps_its_own_tabs(office):
    body = {"properties": {"title": "M", "timeZone": "Asia/Tokyo", "locale": "ja_JP"}}
    own = office.call("sheets.spreadsheets.create", body)["spreadsheetId"]
    office.configure(lambda block: block["google"].update(spreadsheet=own))
    code, out, _err = office.saitei("sheets", "setup")
    assert (code, office.state["spreadsheet"]) == (0, "")
    assert f"ok　　マスターの表　もうあります（ID {own}）" in out
    found = office.call("sheets.spreadsheets.get", spreadsheetId=own)["sheets"]
    assert len(found) == 30
    assert own not in [
        each.get("file")
        for each in office.emulator.control("log")["calls"]
        if "permissions" in each["method"]
    ]


@pytest.mark.parametrize("method", ["drive.permissions.create", "sheets.spreadsheets.batchUpdate"])
def test_a_setup_that_broke_off_is_gone_on_with(office, method):
    office.emulator.control("fault", kind="forbidden", match={"method": method}, times=0)
    assert office.saitei("sheets", "setup")[0] == 3
    begun = office.state["spreadsheet"]
    office.emulator.control("faults/clear")
    assert office.saitei("sheets", "setup")[0] == 0
    assert office.state["spreadsheet"] == begun
    assert len(office.files()) == 2
    shares = office.call("drive.permissions.list", fileId=begun, fields="*")["permissions"]
    assert (ROBOT, "writer") in {(one["emailAddress"], one["role"]) for one in shares}
    assert titles(office) == tab_order(office.game.load())


def test_a_spreadsheet_of_which_nobody_knows_whether_it_was_made_is_told(office):
    match = {"method": "sheets.spreadsheets.create"}
    office.emulator.control("fault", kind="drop-after", match=match)
    code, _out, err = office.saitei("sheets", "setup")
    assert code == 3
    assert "空の「輝流堕2026 マスターの表」が1つできているかもしれません" in err
    assert office.files() == ["輝流堕2026 マスターの表"]


def test_no_secret_is_shown(seen):
    words = [row[2] for row in read_csv(seen.game.words_path)[1:]]
    assert [word for word in (*words, "hidden-client", "ya29", "1//") if word in seen.shown] == []
