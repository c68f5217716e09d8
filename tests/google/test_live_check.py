"""`saitei doctor --live-check`: every assumption can hold, fail and stay open; nothing of a game can be touched by it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from doctor_bench import ROBOT, GoogleGame
from google_bench import StoppedClock, connect

from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
from connectors.google_trial import Bench, RefusedError, Verdict
from connectors.google_trial_cells import CELLS_AND_RULES
from connectors.google_trial_forms import BODY_SCOPE, try_form, try_responses, try_stale
from connectors.google_trial_rows import ROWS
from pipeline.cli import run_cli
from pipeline.settings import ConfigError

GET, UPDATE = "sheets.spreadsheets.get", "sheets.spreadsheets.batchUpdate"
FORM_UPDATE = "forms.forms.batchUpdate"
TRIALS = {**ROWS, **CELLS_AND_RULES}


class Live:
    """The throw-away files of a game."""

    def __init__(self, game: GoogleGame) -> None:
        self.game = game
        self.emulator = game.emulator
        self.book = game.make_book("Trial")
        self.form = game.make_form()
        self.put()
        self.emulator.control("log/clear")

    def put(self, **named: str) -> None:
        given = {"spreadsheet": self.game.book, "live_spreadsheet": self.book, "live_form": self.form}
        self.game.put_block(**(given | named))

    def tabs(self) -> list[str]:
        found = self.game.call(GET, {}, spreadsheetId=self.book)
        return [sheet["properties"]["title"] for sheet in found["sheets"]]

    def lines(self) -> list[str]:
        """All lines of a check in which whatever a run relies on held, or was not seen."""
        code, lines = self.game.check_live()
        assert code == 0
        return lines

    def refused(self) -> str:
        """The one fault for which nothing was tried."""
        with pytest.raises(ConfigError) as caught:
            self.game.check_live()
        assert {UPDATE, FORM_UPDATE}.isdisjoint(self.game.methods())
        (fault,) = caught.value.faults
        return str(fault)


@pytest.fixture
def live(emulator, tmp_path: Path) -> Live:
    return Live(GoogleGame(emulator, tmp_path / "game"))


def line(lines: list[str], words: str) -> str:
    (found,) = [each for each in lines if words in each]
    return found


class TestOnTheEmulator:
    def test_it_tells_what_held_and_leaves_nothing_behind(self, live):
        lines = live.lines()
        assert lines[-2:] == [
            "成り立つ 55 件、成り立たない 1 件、確かめられない 4 件",
            "実験に使ったシートは消しました",
        ]
        assert len(lines) == 60 + 2
        assert live.tabs() == ["シート1"]
        assert "description" not in live.game.call("forms.forms.get", {}, formId=live.form)["info"]

    def test_what_does_not_hold_and_is_not_relied_on_says_so(self, live):
        found = line(live.lines(), "行の開発者メタデータも行と一緒に動かす")
        assert found.startswith("成り立たない")
        assert found.endswith("（今の作りは、これに頼っていません）")

    def test_only_the_two_files_are_written(self, live):
        live.lines()
        writes = [each for each in live.emulator.control("log")["calls"] if "Update" in each["method"]]
        assert {each["file"] for each in writes} == {live.book, live.form}

    def test_a_protected_cell_that_a_human_made_is_tried(self, live):
        live.emulator.control("protect", spreadsheetId=live.book, sheet="シート1")
        found = line(live.lines(), "protected cell")
        assert found.startswith("成り立つ")
        assert "HTTP 400、文あり、ほかの書き込みもなし" in found

    def test_responses_show_their_times_and_order(self, live):
        for minute in (3, 1, 2):
            at, answers = f"2026-10-12T00:0{minute}:00.123456Z", {"何か": "秘密"}
            live.emulator.control("submit", formId=live.form, answers=answers, at=at, force=True)
        lines = live.lines()
        assert line(lines, "回答が 0 件のとき").startswith("確かめられない")
        assert "初回と最新の小数 3桁と6桁" in line(lines, "秒より細かく")
        assert line(lines, "送信の時刻の順に並ぶ").startswith("成り立")
        assert line(lines, "fields で絞れる").startswith("成り立つ")
        assert "秘密" not in "\n".join(lines)

    def test_the_description_of_the_form_is_given_back(self, live):
        change = {"updateFormInfo": {"info": {"description": "元の説明"}, "updateMask": "description"}}
        live.game.call(FORM_UPDATE, {"requests": [change]}, formId=live.form)
        live.lines()
        assert live.game.call("forms.forms.get", {}, formId=live.form)["info"]["description"] == "元の説明"

    def test_addresses_of_the_editor_will_do(self, live):
        live.put(
            live_spreadsheet=f"https://docs.google.com/spreadsheets/d/{live.book}/edit",
            live_form=f"https://docs.google.com/forms/d/{live.form}/edit",
        )
        assert len(live.lines()) == 62

    def test_what_an_earlier_check_left_behind_is_taken_away(self, live):
        request = {"addSheet": {"properties": {"title": "saitei 実験 1"}}}
        live.game.call(UPDATE, {"requests": [request]}, spreadsheetId=live.book)
        live.lines()
        assert live.tabs() == ["シート1"]

    def test_a_person_who_did_not_grant_it_changes_no_form(self, live):
        scopes = [*FORMS_SCOPES, *SHEETS_SCOPES]
        for granted, wanted in (
            (scopes, "確かめられない"),
            ([*scopes, BODY_SCOPE], "成り立つ"),
        ):
            grant = live.emulator.control("refresh-token", email=ROBOT, scopes=granted)
            content = {"client_id": "c", "client_secret": "s", "scopes": granted, **grant}
            live.game.put_login("token.json", content)
            live.put(login="oauth")
            assert line(live.lines(), "古い revisionId").startswith(wanted)

    def test_from_the_command_line(self, live, capsys):
        assert run_cli(["doctor", "--live-check", "-c", str(live.game.config_path)]) == 0
        assert "実験に使ったシートは消しました" in capsys.readouterr().out


class TestRefusals:
    """In each of these nothing is written anywhere."""

    def test_the_masters_spreadsheet(self, live):
        live.put(live_spreadsheet=live.game.book)
        assert live.refused().startswith("google.live_spreadsheet: ゲームで使うファイルです")

    def test_the_masters_spreadsheet_by_its_address(self, live):
        live.put(live_spreadsheet=f"https://docs.google.com/spreadsheets/d/{live.game.book}/edit")
        assert live.refused().startswith("google.live_spreadsheet: ゲームで使うファイルです")

    def test_the_spreadsheet_of_the_line(self, live):
        live.put(line=live.book)
        assert live.refused().startswith("google.live_spreadsheet: ゲームで使うファイルです")

    def test_one_that_our_own_commands_made_though_the_config_names_another(self, live):
        state = {"spreadsheet": live.book, "line": "", "forms": {}}
        (live.game.private / "google-files.json").write_text(json.dumps(state))
        assert live.refused().startswith("google.live_spreadsheet: ゲームで使うファイルです")

    def test_a_form_of_the_game(self, live):
        live.put(live_form=live.game.files["effect"])
        assert live.refused().startswith("google.live_form: ゲームで使うファイルです")

    def test_a_spreadsheet_with_a_tab_that_it_does_not_know(self, live):
        request = {"addSheet": {"properties": {"title": "名簿"}}}
        live.game.call(UPDATE, {"requests": [request]}, spreadsheetId=live.book)
        assert "（「名簿」というシートがあります）" in live.refused()

    def test_a_blank_spreadsheet_that_somebody_named_the_tab_of(self, live):
        change = {"properties": {"sheetId": 0, "title": "名簿"}, "fields": "title"}
        request = {"updateSheetProperties": change}
        live.game.call(UPDATE, {"requests": [request]}, spreadsheetId=live.book)
        assert "（「名簿」というシートがあります）" in live.refused()

    def test_a_spreadsheet_in_which_somebody_wrote(self, live):
        live.emulator.control("write", spreadsheetId=live.book, range="D9", values=[["メモ"]])
        assert "（最初のシートが空ではありません）" in live.refused()

    def test_a_form_that_people_may_be_using(self, live):
        item = {"title": "もう1つ", "questionItem": {"question": {"textQuestion": {}}}}
        live.emulator.control("add-item", formId=live.form, item=item)
        assert live.refused().startswith("google.live_form: 実験用のフォームではなさそうです（項目が 2 個）")

    def test_a_public_address_of_a_form(self, live):
        live.put(live_form="https://docs.google.com/forms/d/e/abc/viewform")
        assert "回答者用のアドレスです" in live.refused()

    def test_none_at_all_names_both_and_ends_with_2(self, live, capsys):
        live.game.put_block(spreadsheet=live.game.book)
        assert run_cli(["doctor", "--live-check", "-c", str(live.game.config_path)]) == 2
        said = capsys.readouterr().err
        assert (
            "google.live_spreadsheet: 実験用のファイルの ID がありません。空のスプレッドシートを作って"
            in said
        )
        assert (
            "google.live_form: 実験用のファイルの ID がありません。記述式の質問 1 つのフォームを作って"
            in said
        )

    def test_one_that_is_not_shared_ends_with_3(self, live, capsys):
        live.emulator.control("unshare", fileId=live.book, email=ROBOT)
        assert run_cli(["doctor", "--live-check", "-c", str(live.game.config_path)]) == 3
        assert f"{ROBOT} に権限がありません" in capsys.readouterr().err


class TestTrouble:
    def test_one_trial_that_breaks_off_does_not_end_the_others(self, live):
        live.emulator.control("fault", kind="forbidden", match={"method": UPDATE}, skip=6)
        lines = live.lines()
        broken = line(lines, f"実験用の表（ID {live.book}）: {ROBOT} に権限がありません")
        assert broken.startswith("確かめられない")
        assert line(lines, "古い revisionId").startswith("成り立つ")
        assert live.tabs() == ["シート1"]

    def test_what_is_refused_does_not_hold_and_makes_the_exit_code_1(self, live):
        live.emulator.control("fault", kind="status", status=400, match={"method": UPDATE}, skip=4)
        code, lines = live.game.check_live()
        assert code == 1
        assert line(lines, "Google が断りました（HTTP 400）").startswith("成り立たない")
        assert live.tabs() == ["シート1"]

    def test_an_answer_of_another_shape_is_told(self, live):
        live.emulator.control(
            "fault", kind="status", status=200, body={"sheets": []}, match={"method": GET}, skip=3
        )
        found = line(live.lines(), "答えの形が思っていたものと違います（IndexError）")
        assert found.startswith("確かめられない　appendCells")

    def test_what_cannot_be_taken_away_is_told(self, live):
        live.lines()
        writes = live.game.methods().count(UPDATE)
        live.emulator.control("fault", kind="forbidden", match={"method": UPDATE}, skip=writes - 1)
        code, lines = live.game.check_live()
        assert code == 1
        assert lines[-1].startswith(
            "実験に使ったシートを消せませんでした。「saitei 実験」で始まるシートを手で"
        )

    def test_a_form_gets_its_description_back_though_the_trial_broke_off(self, live):
        live.emulator.control("fault", kind="drop-after", match={"method": FORM_UPDATE}, skip=1)
        live.lines()
        assert "description" not in live.game.call("forms.forms.get", {}, formId=live.form)["info"]


@pytest.fixture
def google(emulator):
    with connect(emulator.base, StoppedClock()) as made:
        yield made


@pytest.fixture
def trial(emulator, google, book_id) -> Callable[..., list[Verdict]]:
    """One trial, in which Google answers something else from the call `skip` of `method` on."""

    def run(name: str, method: str = "", skip: int = 0, body: Any = None, **fault: Any) -> list[Verdict]:
        if method:
            given = {"kind": "status", "status": 200, "body": body} if body is not None else fault
            emulator.control("fault", match={"method": method}, skip=skip, times=0, **given)
        bench = Bench(google, book_id)
        try:
            return list(TRIALS[name](bench))
        finally:
            emulator.control("faults/clear")
            bench.take_away()

    return run


def sheet(*rows: list[Any], tagged: int = -1, **more: Any) -> dict[str, Any]:
    """A tab as spreadsheets.get answers it; a cell is a text, a number or a whole cell."""
    kinds = {str: "stringValue", int: "numberValue", float: "numberValue"}
    cells = [
        [each if isinstance(each, dict) else {"userEnteredValue": {kinds[type(each)]: each}} for each in row]
        for row in rows
    ]
    data: dict[str, Any] = {"rowData": [{"values": values} for values in cells]}
    if tagged >= 0:
        data["rowMetadata"] = [{"developerMetadata": [{}]} if n == tagged else {} for n in range(len(rows))]
    return {"sheets": [{"data": [data], "properties": {"gridProperties": {"rowCount": 5}}, **more}]}


def held(verdicts: list[Verdict], words: str) -> bool | None:
    (found,) = [verdict.held for verdict in verdicts if words in verdict.what]
    return found


FORMULA = {"userEnteredValue": {"formulaValue": "=1+1"}}
ONE = {
    "protectedRanges": [{"range": {"startRowIndex": 1, "endRowIndex": 10}, "description": "saitei の実験"}]
}


class TestTheOtherWay:
    """Each assumption, with a Google that does otherwise."""

    @pytest.mark.parametrize(
        ("name", "body", "words"),
        [
            ("appendCells", sheet(["a"], ["d"], ["c"]), "最後の行のすぐ下"),
            ("appendCells", sheet(["a"], ["d"], ["c"]), "足りない行を増やす"),
            ("appendCells と飾っただけの行", sheet(["a"], [""], ["b"]), "入力規則だけ"),
            ("appendCells と飾っただけの行", sheet(["a"], [""], ["b"]), "書式だけ"),
            ("sortRange", sheet(["a", 1, "メモb"]), "すべての値をまとめて"),
            ("sortRange", sheet([{"dataValidation": {}}], ["b"], tagged=0), "入力規則も"),
            ("sortRange", sheet([{"userEnteredFormat": {"x": 1}}], ["b"], tagged=0), "書式も"),
            ("sortRange", sheet(["a"], ["b"], tagged=0), "メタデータも"),
            ("並べ替えの順", sheet(["p", "9"], ["s", 2]), "数、文字、空の順"),
            ("deleteDuplicates", sheet(["k", "1", "メモ"]), "後の行だけ"),
            ("deleteDuplicates", sheet(["k", "abc"], ["k", "ABC"]), "大文字と小文字"),
            ("文字のまま", sheet(*[[FORMULA]] * 12), "「=1+1」"),
            ("文字のまま", sheet(*[[123]] * 12), "「0123」"),
            ("変わらない文字", sheet(["\u304c"]), "仮名"),
            ("変わらない文字", sheet(["\u304b\u3099"], ["a"]), "行末の空白"),
            ("セルの大きさ", sheet(["あ" * 49_999]), "50,000 字が入る"),
            ("条件付き書式", {"sheets": [{"conditionalFormats": [{"booleanRule": {}}]}]}, "残る"),
            ("警告だけの保護", {"sheets": [ONE]}, "作れる"),
            ("警告だけの保護", {"sheets": [ONE]}, "requestingUserCanEdit"),
        ],
    )
    def test_what_is_read_back_decides(self, trial, name, body, words):
        if name == "条件付き書式":
            words = "数式"
        assert held(trial(name), words) is not None
        assert held(trial(name, GET, body=body), words) is False

    @pytest.mark.parametrize(
        ("body", "words"),
        [
            ({}, "頼んだシートだけ"),
            (sheet(["乙"], properties={"title": "saitei 実験 1"}), "書いた直後のセル"),
            (sheet(["甲", 1.5], properties={"title": "saitei 実験 1"}), "シートの開発者メタデータ"),
            (sheet(["甲", 1.5], properties={"title": "saitei 実験 1"}), "行の開発者メタデータ"),
        ],
    )
    def test_the_answer_to_a_write(self, trial, body, words):
        given = {"updatedSpreadsheet": body}
        assert held(trial("書き込みの答え", UPDATE, skip=1, body=given), words) is False

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("書き込みの答え", "頼んだシートだけ"),
            ("条件付き書式", "数式"),
            ("警告だけの保護", "作れる"),
            ("変わらない文字", "U+0001"),
            ("セルの大きさ", "50,000 字が入る"),
        ],
    )
    def test_what_is_refused(self, trial, name, words):
        assert held(trial(name), words) is True
        assert held(trial(name, UPDATE, skip=1, kind="status", status=400), words) is False

    def test_a_write_that_finds_nothing_to_do(self, trial):
        assert held(trial("何もしない書き込み"), "変えずに") is True
        assert held(trial("何もしない書き込み", UPDATE, kind="status", status=400), "変えずに") is False

    def test_what_is_too_long_and_yet_taken(self, trial):
        assert held(trial("セルの大きさ"), "50,001") is True
        assert held(trial("セルの大きさ", UPDATE, skip=2, body={}), "50,001") is False

    def test_a_range_that_google_closes(self, trial):
        verdicts = trial("警告だけの保護", GET, body={"sheets": [_warned(endRowIndex=10)]})
        assert held(verdicts, "開いたまま") is False
        assert held(verdicts, "あとから足した行") is False
        (seen,) = [verdict.seen for verdict in verdicts if "開いたまま" in verdict.what]
        assert seen == "終わり [10]"

    def test_a_protected_cell_that_is_written_all_the_same(self, trial, emulator, book_id):
        assert held(trial("保護されたセル"), "protected cell") is None
        barred = {"protectedRanges": [{"range": {"sheetId": 0}}], **sheet()["sheets"][0]}
        emulator.control(
            "fault", kind="status", status=200, body={"sheets": [barred]}, match={"method": GET}, skip=1
        )
        assert held(trial("保護されたセル"), "protected cell") is False

    @pytest.mark.parametrize("words", ["You are trying to edit a protected cell or object.", "Shut."])
    def test_the_words_of_a_refusal_are_what_is_looked_for(self, trial, emulator, words):
        barred = {"protectedRanges": [{"range": {"sheetId": 0}}], **sheet()["sheets"][0]}
        body = {"sheets": [barred]}
        emulator.control("fault", kind="status", status=200, body=body, match={"method": GET}, skip=1)
        found = trial("保護されたセル", UPDATE, skip=1, kind="status", status=400, message=words)
        assert held(found, "protected cell") is ("protected cell" in words)

    def test_a_refusal_that_still_wrote_the_rest_does_not_hold(self, trial, emulator):
        barred = {"protectedRanges": [{"range": {"sheetId": 0}}], **sheet()["sheets"][0]}
        for body in ({"sheets": [barred]}, sheet(["a"])):
            emulator.control("fault", kind="status", status=200, body=body, match={"method": GET}, skip=1)
        words = "You are trying to edit a protected cell or object."
        (found,) = trial("保護されたセル", UPDATE, skip=1, kind="status", status=400, message=words)
        assert (found.held, found.seen) == (False, "HTTP 400、文あり、ほかの書き込みだけ残った")

    def test_a_trial_that_is_refused_says_why(self, trial):
        with pytest.raises(RefusedError, match="HTTP 400"):
            trial("appendCells", UPDATE, kind="status", status=400)


def _warned(**ends: int) -> dict[str, Any]:
    place = {"startRowIndex": 1, **ends}
    made = {
        "range": place,
        "description": "saitei の実験",
        "warningOnly": True,
        "requestingUserCanEdit": True,
    }
    return {"protectedRanges": [made]}


class TestForms:
    """Verdicts on forms, with a Google that answers as told."""

    @pytest.fixture
    def form(self, forms) -> str:
        return str(forms.create(body={"info": {"title": "Trial"}}).execute()["formId"])

    @pytest.fixture
    def answer(self, emulator) -> Callable[..., None]:
        def put(method: str, body: Any, **more: Any) -> None:
            emulator.control(
                "fault", kind="status", status=200, body=body, match={"method": method}, times=0, **more
            )

        return put

    def test_settings_that_are_not_shown(self, google, form, answer):
        assert [verdict.held for verdict in try_form(google, form)] == [True, True, True]
        answer("forms.forms.get", {"revisionId": "1"}, skip=1)
        answer("forms.forms.get", {"publishSettings": {"publishState": {"isPublished": True}}})
        assert [verdict.held for verdict in try_form(google, form)] == [False, False, False]

    def test_an_empty_list_of_another_shape(self, google, form, answer):
        assert held(list(try_responses(google, form)), "0 件のとき") is True
        answer("forms.forms.responses.list", {"responses": []})
        assert held(list(try_responses(google, form)), "0 件のとき") is False

    @pytest.mark.parametrize(
        ("times", "fine", "order", "seen"),
        [
            (["01.5", "02.25", "03"], True, True, "古い順"),
            (["03.5", "02.25", "01"], True, True, "新しい順"),
            (["01.5", "01.25", "02"], True, False, "時刻の順ではない"),
            (["01", "02", "03"], False, True, "古い順"),
            (["01.5", "02.25"], True, None, "回答が 2 件では分かりません"),
        ],
    )
    def test_times_and_their_order(self, google, form, answer, times, fine, order, seen):
        listed = [
            {
                "responseId": f"r{n}",
                "createTime": "2026-10-12T00:00:01Z",
                "lastSubmittedTime": f"2026-10-12T00:00:{t}Z",
            }
            for n, t in enumerate(times)
        ]
        answer("forms.forms.responses.list", {"responses": listed})
        verdicts = list(try_responses(google, form))
        assert held(verdicts, "秒より細かく") is fine
        assert held(verdicts, "時刻の順に並ぶ") is order
        assert [verdict.seen for verdict in verdicts if "時刻の順に並ぶ" in verdict.what] == [seen]
        assert held(verdicts, "fields で絞れる") is False

    def test_a_stale_state_that_is_taken(self, google, form, answer):
        assert held(list(try_stale(google, form, True)), "古い revisionId") is True
        answer(FORM_UPDATE, {})
        assert held(list(try_stale(google, form, True)), "古い revisionId") is False

    def test_a_form_that_we_may_not_change(self, emulator, google, form):
        emulator.control("fault", kind="forbidden", match={"method": FORM_UPDATE}, times=0)
        (verdict,) = try_stale(google, form, True)
        assert (verdict.held, verdict.seen) == (None, "フォームを変えられません: HTTP 403")
