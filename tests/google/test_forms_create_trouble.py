"""`saitei forms create` where it breaks off, and in whose name it works."""

from __future__ import annotations

import io

import pytest
from office import MAKER

from connectors.google_auth import FORMS_SCOPES, MAKER_SCOPES

TITLES = ("マスイベ参加申込", "星座複製", "星座効果発動", "襲撃報告", "お問い合わせ")


class TestHalfway:
    """Where a call ends in the middle, the next one goes on and makes nothing twice."""

    def break_at(self, office, method, kind, **more):
        office.emulator.control("fault", kind=kind, match={"method": method}, **more)
        code, out, err = office.saitei("forms", "create")
        office.emulator.control("faults/clear")
        assert (code, err.count("\n")) == (3, 1)
        return out, err

    @pytest.mark.parametrize(
        "method",
        [
            "forms.forms.get",
            "forms.forms.batchUpdate",
            "forms.forms.setPublishSettings",
            "drive.permissions.create",
        ],
    )
    def test_a_form_that_was_made_and_not_filled_is_finished(self, office, method):
        self.break_at(office, method, "forbidden", times=0)
        begun = office.state
        assert (list(begun["forms"]), begun["unfinished"]) == (["signup"], ["signup"])
        code, out, _err = office.saitei("forms", "create")
        assert code == 0
        assert "仕上げました　マスイベ参加申込" in out
        assert office.state["forms"]["signup"] == begun["forms"]["signup"]
        assert (sorted(office.files()), office.state["unfinished"]) == (sorted(TITLES), [])
        assert len(office.form("signup")["items"]) == 4
        assert office.form("signup")["publishSettings"]["publishState"]["isAcceptingResponses"]

    def test_a_filling_of_which_nobody_knows_is_not_done_again(self, office):
        self.break_at(office, "forms.forms.batchUpdate", "drop-after", times=1)
        assert office.saitei("forms", "create")[0] == 0
        assert len(office.form("signup")["items"]) == 4

    def test_a_making_of_which_nobody_knows_is_not_done_again_and_told(self, office):
        _out, err = self.break_at(office, "forms.forms.create", "drop-after", times=0)
        assert office.files() == ["マスイベ参加申込"]
        assert "空の「マスイベ参加申込」が1つできているかもしれません" in err
        assert "削除してから、もう一度実行" in err

    def test_a_form_that_is_filled_by_somebody_else_at_that_moment_is_not_filled_twice(self, office):
        item = {"title": "お名前", "questionItem": {"question": {"textQuestion": {}}}}
        form = next(iter(self.begin(office)["forms"].values()))
        action = {"do": "add-item", "formId": form, "item": item}
        self.break_at(office, "forms.forms.batchUpdate", "change", actions=[action])
        assert [one["title"] for one in office.form("signup")["items"]] == ["お名前"]

    def begin(self, office):
        self.break_at(office, "forms.forms.batchUpdate", "forbidden", times=0)
        return office.state

    def test_a_form_that_was_shut_after_it_was_finished_stays_shut(self, office):
        office.saitei("forms", "create")
        office.emulator.control("form", formId=office.state["forms"]["signup"], accepting=False)
        office.saitei("forms", "create")
        assert not office.form("signup")["publishSettings"]["publishState"].get("isAcceptingResponses")

    def test_what_somebody_put_into_it_meanwhile_is_told_and_kept(self, office):
        self.break_at(office, "forms.forms.batchUpdate", "forbidden", times=0)
        item = {"title": "お名前", "questionItem": {"question": {"textQuestion": {}}}}
        office.emulator.control("add-item", formId=office.state["forms"]["signup"], item=item)
        code, out, _err = office.saitei("forms", "create")
        assert code == 0
        told = [line for line in out.splitlines() if line.startswith("直す　マスイベ参加申込　")]
        assert [("質問がありません" in line, "メールアドレスの収集" in line) for line in told] == [
            (False, True),
            (True, False),
            (True, False),
            (True, False),
        ]
        assert [one["title"] for one in office.form("signup")["items"]] == ["お名前"]


class TestWhoMakes:
    """A person; a service account owns nothing."""

    def test_without_a_sign_in_and_a_terminal_nothing_is_done(self, office):
        (office.private / "token.json").unlink()
        code, out, err = office.saitei("forms", "create")
        assert (code, out) == (3, "")
        assert "人のサインインの控えがありません" in err
        assert office.calls() == []

    def test_the_key_of_a_service_account_is_no_sign_in(self, office):
        office.keep("token.json", office.key)
        code, _out, err = office.saitei("forms", "create")
        assert code == 3
        assert "サービス アカウントはファイルを持てないので" in err
        assert office.files() == []

    def test_a_service_account_that_google_lets_in_is_told_why_it_may_not(self, office):
        match = {"method": "forms.forms.create"}
        error = {"code": 403, "message": "m", "errors": [{"reason": "storageQuotaExceeded"}]}
        office.emulator.control("fault", kind="status", match=match, status=403, body={"error": error})
        code, _out, err = office.saitei("forms", "create")
        assert code == 3
        assert "ファイルを持てません。人が作ったファイルを共有してください" in err
        assert MAKER not in err

    def test_a_sign_in_that_granted_less_is_told_before_anything_is_made(self, office):
        office.sign_in(["https://www.googleapis.com/auth/forms.body"])
        code, _out, err = office.saitei("forms", "create")
        assert (code, office.calls("forms")) == (3, [])
        assert "許された範囲が足りません" in err

    def test_at_a_terminal_the_person_is_asked_to_sign_in(self, office, monkeypatch):
        """As far as the client file, which the console of Google gives."""
        (office.private / "token.json").unlink()
        monkeypatch.setattr("sys.stdin", Terminal())
        code, _out, err = office.saitei("forms", "create")
        assert code == 3
        assert f"{office.private / 'client.json'}: 読めません" in err

    def test_a_person_who_also_runs_is_asked_for_the_responses_too(self, office, monkeypatch):
        asked = []
        (office.private / "token.json").unlink()
        monkeypatch.setattr("sys.stdin", Terminal())
        monkeypatch.setattr(
            "connectors.google_signin.sign_in_by_browser",
            lambda _client, _token, scopes: (asked.append(scopes), office.sign_in(scopes)),
        )
        office.configure(lambda block: block["google"].update(login="oauth"))
        assert office.saitei("sheets", "setup")[0] == 0
        assert office.saitei("forms", "create")[0] == 0
        assert asked == [(*MAKER_SCOPES, *FORMS_SCOPES)]
        assert office.saitei("run")[0] == 0

    def test_a_person_who_also_runs_shares_with_nobody(self, office):
        office.configure(lambda block: block["google"].update(login="oauth"))
        code, out, _err = office.saitei("forms", "create")
        assert (code, "共有:" in out, office.calls("permissions.list")) == (0, False, [])

    def test_an_account_that_is_not_known_is_to_be_let_in_by_hand(self, office, monkeypatch):
        office.keep("other.json", {**office.token, "type": "authorized_user", "quota_project_id": "p"})
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(office.private / "other.json"))
        office.configure(lambda block: block["google"].update(login="default"))
        code, out, _err = office.saitei("forms", "create")
        assert (code, out.count("・共有: saitei を実行するアカウントを編集者に加える")) == (0, 5)
        assert office.saitei("sheets", "setup")[0] == 1


class Terminal(io.StringIO):
    """Somebody sits there."""

    def isatty(self):
        return True
