"""`saitei doctor` with everything at Google: each line can be ok, and each says what to do where it is not."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from doctor_bench import FORMS, ROBOT, GoogleGame
from google_bench import StoppedClock, connect
from sample_game import ROOT

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
from connectors.google_sight import prove_editor, read_book_state, read_form_state
from pipeline.cli import run_cli
from pipeline.doctor_google import tell_quota

SCOPES = [*FORMS_SCOPES, *SHEETS_SCOPES]
MAIL = [["状態", "宛先", "件名", "本文", "承認", "送信時刻", "メモ", "解禁", "期限", "管理番号"]]


@pytest.fixture
def game(emulator, tmp_path: Path) -> GoogleGame:
    return GoogleGame(emulator, tmp_path / "game")


def amiss(lines: list[str]) -> list[str]:
    return [line.removeprefix("直す　") for line in lines if line.startswith("直す")]


def only(game: GoogleGame, **named) -> str:
    """The one thing to do."""
    code, lines = game.examine(**named)
    found = amiss(lines)
    assert (code, len(found)) == (1, 1), found
    return found[0]


class TestAllWell:
    def test_every_line_is_ok_and_tells_what_was_seen(self, game):
        code, lines = game.examine()
        assert (code, amiss(lines)) == (0, [])
        for wanted in (
            "時計　Google の時計と 60 秒以内で合っています",
            "権限　private/google.json は 0600",
            f"認証　サービス アカウント（private/google.json）: {ROBOT}",
            "範囲　フォームの回答を読む（forms.responses.readonly）",
            "マスターの表　「Masters」を読めました（シート 1 枚）",
            f"マスターの表　{ROBOT} は編集できます",
            "マスターの表　タイムゾーンは Asia/Tokyo",
            "マスターの表　セルは 26,000（上限 10,000,000 の 0%）",
            "saitei のシート 0 枚、まだないもの 29 枚",
            "星座複製　公開され、回答を受け付けています",
            "星座複製　メールアドレスの収集は「確認済み」です",
            "星座複製　Forms API から 65 件を読めました。質問は設定と合います",
            "掲示板　ファイル board.csv から 71 件を読めました",
            "1 回の実行で、フォームの回答を 5 回（1 分に 180 回まで）",
        ):
            assert [line for line in lines if wanted in line], wanted

    def test_it_shows_no_address_but_its_own_and_no_key(self, game):
        said = "\n".join(game.examine()[1])
        assert set(re.findall(r"[\w.+-]+@[\w.-]+\w", said)) == {ROBOT}
        assert "PRIVATE KEY" not in said

    def test_it_changes_nothing(self, game):
        game.emulator.control("write", spreadsheetId=game.book, range="A1", values=[["メモ"]])
        before = game.call("sheets.spreadsheets.get", {}, spreadsheetId=game.book, includeGridData=True)
        files = sorted(path for path in game.folder.rglob("*"))
        assert game.examine()[0] == 0
        after = game.call("sheets.spreadsheets.get", {}, spreadsheetId=game.book, includeGridData=True)
        assert after == before
        assert sorted(path for path in game.folder.rglob("*")) == files

    def test_a_call_is_made_only_once_for_each_thing_seen(self, game):
        game.examine()
        methods = game.methods()
        assert methods.count("oauth") == 1
        assert methods.count("forms.forms.responses.list") == len(FORMS)
        assert methods.count("sheets.spreadsheets.get") == 2
        assert methods.count("sheets.spreadsheets.batchUpdate") == 1

    def test_from_the_command_line(self, game, capsys):
        assert run_cli(["doctor", "-c", str(game.config_path)]) == 0
        assert "時計　Google の時計と 60 秒以内" in capsys.readouterr().out


class TestLogin:
    @pytest.mark.parametrize(
        ("skew", "words"), [(90.0, "より \\d\\d 秒進んで"), (-90.0, "より \\d\\d 秒遅れて")]
    )
    def test_a_clock_that_is_off_is_told_with_the_way(self, game, skew, words):
        assert re.search(words, only(game, skew=skew))

    @pytest.mark.parametrize("skew", [55.0, -55.0])
    def test_a_clock_that_is_nearly_right_is_right(self, game, skew):
        assert game.examine(skew=skew)[0] == 0

    def test_where_nothing_answers_the_network_is_named(self, game):
        game.put_block(spreadsheet=game.book, endpoint="http://127.0.0.1:1", patience_seconds="0.2")
        found = amiss(game.examine()[1])
        assert found[0].startswith("時計　Google に接続できず")

    def test_a_key_that_is_not_there(self, game):
        (game.private / "google.json").unlink()
        assert "google.json: Google の認証のファイルがありません" in only(game)

    def test_a_key_that_others_may_read(self, game):
        (game.private / "google.json").chmod(0o644)
        found = only(game)
        assert "権限が 0644" in found
        assert "chmod 600" in found

    def test_a_folder_that_others_may_write(self, game):
        game.private.chmod(0o777)
        assert "private：だれでも書き込めるフォルダです。chmod o-w private" in only(game)
        game.private.chmod(0o1777)
        assert game.examine()[0] == 0

    def test_a_key_that_google_does_not_know_costs_one_call_and_ends_it(self, game):
        other = {**json.loads((game.private / "google.json").read_text()), "client_email": "gone@example.com"}
        game.put_login("google.json", other)
        found = only(game)
        assert found.startswith("Google の認証: gone@example.com の認証が通りません。この機械の時計を合わせ")
        assert "invalid_grant" in found
        assert [method for method in game.methods() if method] == ["oauth"]

    def test_what_the_machine_provides(self, game, monkeypatch):
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(game.private / "google.json"))
        game.put_block(spreadsheet=game.book, login="default")
        code, lines = game.examine()
        assert code == 0
        assert any(f"認証　この機械の既定の認証: {ROBOT}" in line for line in lines)
        assert any("名前では確かめられません" in line for line in lines)


@pytest.fixture
def signed_in(game):
    """Put the sign-in of a person in the place of the key; what is given is laid over it."""

    def put(scopes=SCOPES, granted=None, **more) -> Path:
        grant = game.emulator.control(
            "refresh-token",
            email="owner@example.com",
            clientId="c",
            clientSecret="hidden",
            scopes=granted or scopes,
        )
        game.put_block(spreadsheet=game.book, login="oauth")
        content = {"client_id": "c", "client_secret": "hidden", "account": "owner@example.com"}
        content |= {"scopes": scopes, **grant, **more}
        return game.put_login("token.json", {name: each for name, each in content.items() if each})

    return put


class TestSignedIn:
    def test_it_tells_who_and_how_old_and_shows_no_token(self, game, signed_in):
        path = signed_in()
        code, lines = game.examine()
        assert (code, amiss(lines)) == (0, [])
        said = "\n".join(lines)
        assert "認証　人のサインイン（private/token.json）: owner@example.com" in said
        assert "認証の期限　控えのファイルの日付から 0 日です" in said
        assert "あと 7.0 日で切れます" in said
        assert said.count("範囲　") == 3
        for secret in ("hidden", "1//", "ya29"):
            assert secret not in said
        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize(
        ("days", "words"), [(5.0, "から 5 日です.*あと 2.0 日で"), (30.0, "から 30 日たっています")]
    )
    def test_the_day_of_the_sign_in_counts_before_the_file_s(self, game, signed_in, days, words):
        then = time.strftime("%Y-%m-%d %H:%M:%S+00:00", time.gmtime(time.time() - days * 86_400 - 60))
        signed_in(signed_in=then)
        code, lines = game.examine()
        assert code == 0
        assert re.search(f"サインインした日時{words}", "\n".join(lines))

    def test_the_age_of_the_file_stands_in_for_it(self, game, signed_in):
        path = signed_in()
        os.utime(path, (time.time() - 6 * 86_400,) * 2)
        assert any("控えのファイルの日付から 6 日です" in line for line in game.examine()[1])

    def test_a_dead_sign_in_is_one_call_and_names_the_seven_days(self, game, signed_in):
        signed_in()
        game.emulator.control("revoke-grant")
        found = only(game)
        assert "owner@example.com の認証が通りません" in found
        assert "「テスト」のままなら 7 日で切れます" in found
        assert "invalid_grant" in found
        assert [method for method in game.methods() if method] == ["oauth"]

    def test_each_scope_that_is_missing_is_named(self, game, signed_in):
        signed_in([SCOPES[0]])
        code, lines = game.examine()
        assert code == 1
        assert [line.partition("）")[0] for line in amiss(lines)] == [
            "範囲　フォームの回答を読む（forms.responses.readonly",
            "範囲　スプレッドシートを読み書きする（spreadsheets",
        ]
        assert "もう一度サインインしてください" in amiss(lines)[0]

    def test_a_scope_that_google_no_longer_grants_is_named(self, game, signed_in):
        signed_in(granted=SCOPES[:2])
        assert "owner@example.com に許された範囲が足りません" in only(game)

    def test_a_client_that_was_made_anew_is_named(self, game, signed_in):
        signed_in(client_id="old")
        found = only(game)
        assert "OAuth クライアントが消されたか、作り直されています" in found
        assert "invalid_client" in found

    def test_a_sign_in_that_cannot_be_renewed(self, game, signed_in):
        signed_in(refresh_token="")
        assert "更新用のトークンがありません" in only(game)


class TestSpreadsheet:
    def test_one_that_is_not_shared_names_account_and_fix_after_one_call(self, game):
        game.emulator.control("unshare", fileId=game.book, email=ROBOT)
        found = only(game)
        assert found.startswith(f"マスターの表（ID {game.book}）: {ROBOT} に権限がありません")
        assert "共有で、編集者として加えてください" in found
        assert game.methods().count("sheets.spreadsheets.get") == 1

    def test_one_that_is_not_there_is_told_after_one_call_and_forms_go_on(self, game):
        game.put_block(spreadsheet="nowhere")
        found = only(game)
        assert "見つかりません。設定の ID を確かめ" in found
        assert game.methods().count("sheets.spreadsheets.get") == 1
        assert game.methods().count("forms.forms.responses.list") == len(FORMS)

    def test_one_that_may_only_be_read(self, game):
        game.emulator.control("share", fileId=game.book, email=ROBOT, role="reader")
        assert f"{ROBOT} に権限がありません" in only(game)
        assert game.methods().count("sheets.spreadsheets.batchUpdate") == 1

    def test_another_zone(self, game):
        game.put_block(spreadsheet=game.make_book("Abroad", zone="Europe/London"))
        found = only(game)
        assert found.startswith("マスターの表　タイムゾーンは Europe/London で、設定の Asia/Tokyo と違います")
        assert "「ファイル」の「設定」" in found

    def test_the_spreadsheet_of_the_line_is_looked_at_too(self, game):
        line = game.make_book("LINE", zone="Europe/London")
        game.put_block(spreadsheet=game.book, line=line)
        assert only(game).startswith("LINE連携　タイムゾーンは Europe/London")
        game.emulator.control("unshare", fileId=line, email=ROBOT)
        assert only(game).startswith(f"LINE連携（ID {line}）: {ROBOT} に権限がありません")

    def test_a_spreadsheet_that_is_nearly_full(self, game):
        size = {"rowCount": 900_000, "columnCount": 10}
        request = {"addSheet": {"properties": {"title": "大", "gridProperties": size}}}
        game.call("sheets.spreadsheets.batchUpdate", {"requests": [request]}, spreadsheetId=game.book)
        assert "セルは 9,026,000（上限 10,000,000 の 90%）。使わないシートや空の行を" in only(game)

    def test_colour_rules_that_piled_up(self, game):
        rules = [
            {"addConditionalFormatRule": {"index": 0, "rule": _rule(text)}}
            for text in ("a" * n for n in range(1, 202))
        ]
        game.call("sheets.spreadsheets.batchUpdate", {"requests": rules}, spreadsheetId=game.book)
        assert "条件付き書式は 201 件。シート1 に多すぎます" in only(game)


def _rule(text: str) -> dict:
    condition = {"type": "TEXT_EQ", "values": [{"userEnteredValue": text}]}
    place = {"sheetId": 0, "startRowIndex": 0, "endRowIndex": 9, "startColumnIndex": 0, "endColumnIndex": 1}
    return {
        "ranges": [place],
        "booleanRule": {"condition": condition, "format": {"textFormat": {"bold": True}}},
    }


class TestProtections:
    @pytest.fixture(autouse=True)
    def mail(self, game):
        request = {"addSheet": {"properties": {"title": "メール", "sheetId": 7}}}
        game.call("sheets.spreadsheets.batchUpdate", {"requests": [request]}, spreadsheetId=game.book)
        game.emulator.control("write", spreadsheetId=game.book, range="メール!A1", values=MAIL)

    def protect(self, game, left: int, right: int, **more) -> None:
        place = {"startRowIndex": 3, "startColumnIndex": left, "endColumnIndex": right}
        game.emulator.control("protect", spreadsheetId=game.book, sheet="メール", range=place, **more)

    def test_one_over_a_machine_s_column_names_tab_columns_and_fix(self, game):
        self.protect(game, 1, 5)
        found = only(game)
        assert "シート「メール」の「protected by a human」が、機械の書く列（宛先、件名、本文）" in found
        assert "「シートと範囲を保護」" in found

    def test_one_over_the_key(self, game):
        self.protect(game, 9, 10)
        assert "機械の書く列（管理番号）" in only(game)

    def test_one_over_the_masters_columns_alone_is_theirs(self, game):
        self.protect(game, 4, 7)
        code, lines = game.examine()
        assert code == 0
        assert any("機械が書く列に、書けない保護はありません" in line for line in lines)

    def test_one_that_only_warns_or_lets_us_through(self, game):
        self.protect(game, 0, 3, warningOnly=True)
        self.protect(game, 0, 3, editors=[ROBOT])
        assert game.examine()[0] == 0

    def test_one_over_the_whole_tab(self, game):
        game.emulator.control("protect", spreadsheetId=game.book, sheet="メール")
        assert "（状態、宛先、件名 ほか）" in only(game)

    def test_one_that_leaves_the_machine_s_columns_open(self, game):
        spots = [{"sheetId": 7, "startColumnIndex": 0, "endColumnIndex": 4}]
        spots.append({"sheetId": 7, "startColumnIndex": 7, "endColumnIndex": 10})
        made = {"range": {"sheetId": 7}, "unprotectedRanges": spots, "editors": {"users": []}}
        request = {"addProtectedRange": {"protectedRange": made}}
        game.call("sheets.spreadsheets.batchUpdate", {"requests": [request]}, spreadsheetId=game.book)
        assert game.examine()[0] == 0

    def test_one_in_a_tab_that_is_not_ours(self, game):
        game.emulator.control("protect", spreadsheetId=game.book, sheet="シート1")
        assert game.examine()[0] == 0


class TestForms:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (
                {"published": False, "accepting": False},
                "公開されていません。フォームの編集画面で「公開」を押して",
            ),
            ({"accepting": False}, "回答を受け付けていません。締め切ったのでなければ"),
        ],
    )
    def test_one_that_players_cannot_send(self, game, change, words):
        game.emulator.control("form", formId=game.files["effect"], **change)
        found = only(game)
        assert found.startswith("星座効果発動　")
        assert words in found

    def test_one_of_the_old_kind_does_not_tell(self, game):
        game.emulator.control("form", formId=game.files["effect"], legacy=True)
        code, lines = game.examine()
        assert code == 0
        assert any("星座効果発動　公開の設定がない、古い形のフォームです" in line for line in lines)

    @pytest.mark.parametrize(
        ("form", "kind", "words"),
        [
            ("effect", "DO_NOT_COLLECT", "「収集しない」です。設定は「確認済み」です"),
            ("effect", "RESPONDER_INPUT", "「回答者からの入力」です。設定は「確認済み」です"),
            ("attack", "VERIFIED", "「確認済み」です。設定は「回答者からの入力」です"),
        ],
    )
    def test_one_that_asks_for_the_address_otherwise(self, game, form, kind, words):
        game.set_collection(form, kind)
        found = only(game)
        assert words in found
        assert f"forms.{form}.email_collection" in found

    def test_one_that_is_not_shared_is_told_after_one_call(self, game):
        game.emulator.control("unshare", fileId=game.files["effect"], email=ROBOT)
        found = only(game)
        assert found.startswith(f"フォーム effect（ID {game.files['effect']}）: {ROBOT} に権限がありません")
        assert game.methods().count("forms.forms.get") == 2 * len(FORMS) - 1
        assert game.methods().count("forms.forms.responses.list") == len(FORMS) - 1

    def test_one_that_is_not_there_is_told_after_one_call(self, game):
        game.edit_config(game.files["effect"], "nowhere")
        assert "フォーム effect（ID nowhere）: 見つかりません。設定の ID を確かめ" in only(game)
        assert game.methods().count("forms.forms.get") == 2 * len(FORMS) - 1

    def test_a_question_that_is_missing_is_told_in_the_words_of_a_run(self, game):
        body = {"requests": [{"deleteItem": {"location": {"index": 0}}}]}
        game.call("forms.forms.batchUpdate", body, formId=game.files["effect"])
        found = only(game)
        assert re.match("星座効果発動　effect 質問: 「.*」の質問がありません。今ある質問: ", found)
        assert "設定に別名を加えてください" in found

    def test_ids_that_are_missing_are_all_told_and_the_rest_goes_on(self, game):
        game.edit_config(f"    id: {game.files['effect']}\n", "")
        game.edit_config(f"    id: {game.files['signup']}\n", "")
        game.put_block()
        game.game.response_path("effect").unlink()  # where a form is read at Google nobody has its file
        code, lines = game.examine()
        assert code == 1
        assert [line.partition(":")[0] for line in amiss(lines)] == [
            "google.spreadsheet",
            "forms.signup.id",
            "forms.effect.id",
        ]
        assert any("星座複製　Forms API から 65 件" in line for line in lines)

    def test_a_state_file_that_is_broken(self, game):
        (game.private / "google-files.json").write_text("{")
        assert "google.state: " in only(game)

    @pytest.fixture
    def linked(self, game):
        made = game.emulator.control("link", formId=game.files["effect"], spreadsheetId=game.book)
        game.edit_config("  effect:\n", f"  effect:\n    tab: {made['title']}\n")
        return made["title"]

    def test_one_that_is_read_from_its_tab(self, game, linked):
        game.edit_config(
            "shrink_share", "titles: {time: [Timestamp], address: [Email Address]}\nshrink_share"
        )
        code, lines = game.examine()
        assert (code, amiss(lines)) == (0, [])
        assert any("星座効果発動　回答の送り先はマスターの表です" in line for line in lines)
        assert any(f"星座効果発動　シート「{linked}」から 42 件を読めました" in line for line in lines)
        assert game.methods().count("forms.forms.responses.list") == len(FORMS) - 1

    def test_one_whose_responses_go_elsewhere(self, game, linked):
        game.emulator.control("link", formId=game.files["effect"])
        assert re.search("回答の送り先は別のスプレッドシート（ID .*）。", only(game))

    def test_one_whose_tab_is_gone(self, game, linked):
        game.edit_config(f"    tab: {linked}\n", "    tab: 消えたシート\n")
        assert "消えたシート: スプレッドシートにこのシートがありません" in only(game)

    def test_one_of_which_only_the_tab_is_named(self, game, linked):
        game.edit_config(f"    id: {game.files['effect']}\n", "")
        code, lines = game.examine()
        assert (code, amiss(lines)) == (0, [])
        assert any("星座効果発動　フォームの ID が設定にないので" in line for line in lines)

    def test_pages_are_told_where_there_is_more_than_one(self, game, monkeypatch):
        monkeypatch.setattr("pipeline.doctor_google.PAGE", 50)
        said = "\n".join(game.examine()[1])
        assert "星座複製　Forms API から 65 件を読めました（2 ページ。1 ページは 50 件まで）" in said
        assert "星座効果発動　Forms API から 42 件を読めました。" in said
        assert "フォームの回答を 8 回" in said


class TestTheWordsOfARun:
    """What is amiss reads the same where it is looked for and where it is met."""

    def test_a_spreadsheet_that_is_not_shared(self, game, capsys):
        game.emulator.control("unshare", fileId=game.book, email=ROBOT)
        found = only(game)
        game.emulator.control("log/clear")
        assert run_cli(["run", "-c", str(game.config_path)]) == 3
        assert capsys.readouterr().err == f"saitei: {found}\n"
        assert game.methods().count("sheets.spreadsheets.get") == 1

    def test_a_key_that_google_does_not_know(self, game, capsys):
        other = {**json.loads((game.private / "google.json").read_text()), "client_email": "gone@example.com"}
        game.put_login("google.json", other)
        fix = "gone@example.com の認証が通りません。この機械の時計を合わせ"
        assert fix in only(game)
        game.emulator.control("log/clear")
        assert run_cli(["run", "-c", str(game.config_path)]) == 3
        assert fix in capsys.readouterr().err
        assert game.methods() == ["oauth"]

    def test_without_google_none_of_its_libraries_is_loaded(self, game):
        game.edit_config("backend: google", "backend: local")
        program = (
            "import sys; from pathlib import Path; from pipeline.doctor import examine; "
            "code = examine(Path(sys.argv[1]), print, lambda: None); "
            "print(sorted({name.split('.')[0] for name in sys.modules} & {'google', 'gspread', 'googleapiclient'}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", program, str(game.config_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        assert done.stdout.endswith("\n[]\n")
        assert "直す" not in done.stdout


class TestQuota:
    def test_pages_count_as_calls(self):
        good, text = tell_quota({"a": 1, "b": 3}, 2)
        assert good
        assert "フォームの回答を 4 回（1 分に 180 回まで）" in text
        assert "1 時間に 12 回の実行、回答の読み取りは 48 回" in text

    def test_more_than_a_minute_allows(self):
        assert tell_quota({"a": 180}, 1)[0]
        good, text = tell_quota({"a": 180, "b": 1}, 1)
        assert not good
        assert "1 分の上限を超える" in text


class TestPatience:
    """What passes is waited for; what does not is told after one call."""

    @pytest.fixture
    def clock(self):
        return StoppedClock()

    @pytest.fixture
    def google(self, emulator, clock):
        with connect(emulator.base, clock) as made:
            yield made

    @pytest.mark.parametrize("kind", ["503", "429", "502", "drop-before"])
    def test_what_passes_is_waited_for(self, emulator, google, clock, book_id, kind):
        emulator.control("fault", kind=kind, match={"method": "sheets.spreadsheets.get"}, times=2)
        assert read_book_state(google, "マスターの表", book_id).title == "book"
        assert len(clock.waits) == 2

    def test_so_is_it_for_the_look_for_the_right_to_write(self, emulator, google, clock, book_id):
        emulator.control("fault", kind="429", match={"method": "sheets.spreadsheets.batchUpdate"})
        assert prove_editor(google, "マスターの表", book_id) == ""
        assert len(clock.waits) == 1

    @pytest.mark.parametrize(
        ("fault", "words"),
        [
            ({"kind": "forbidden"}, "robot@example.com に権限がありません"),
            ({"kind": "status", "status": 404}, "見つかりません。設定の ID を確かめ、robot@example.com を"),
            ({"kind": "status", "status": 401}, "robot@example.com の認証が通りません"),
        ],
    )
    @pytest.mark.parametrize("look", [read_book_state, read_form_state])
    def test_what_lasts_is_told_after_one_call(self, emulator, google, clock, book_id, fault, words, look):
        emulator.control("fault", times=0, **fault)
        emulator.control("log/clear")
        with pytest.raises(SourceError, match=words):
            look(google, "何か", book_id)
        assert clock.waits == []
        assert len(emulator.control("log")["calls"]) == 1
