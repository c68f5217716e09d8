"""The same cycle on both backends: one game from files, and from forms and a spreadsheet at Google."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google_game import GoogleGame, set_up
from sample_game import LATER, NOON, PLAYERS, SMALL, SampleGame

from pipeline.tabs import LINE
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World

AT = ("2026-10-16 12:40:00", "2026-10-16 12:45:00", "2026-10-16 12:50:00", "2026-10-16 12:55:00")
LISTS = ["forms.forms.responses.list"] * 5
READ, WRITE = "sheets.spreadsheets.get", "sheets.spreadsheets.batchUpdate"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[GoogleGame, SampleGame]]:
    """The whole sample after one run, at Google and in files."""
    local = SampleGame.fresh(tmp_path_factory.mktemp("local"))
    local.run()
    with Emulator(world=World(seed=1)) as emulator:
        google = set_up(emulator, tmp_path_factory.mktemp("google"))
        google.run()
        yield google, local


def test_both_backends_make_the_same_tabs(whole: tuple[GoogleGame, SampleGame]) -> None:
    google, local = whole
    theirs, ours = local.grids(), google.grids()
    assert list(theirs) == [title for title in ours if title in theirs]
    for title, grid in theirs.items():
        assert ours[title] == grid, title


def test_both_backends_show_the_same_to_the_line(whole: tuple[GoogleGame, SampleGame]) -> None:
    google, local = whole
    assert google.line_grids()[LINE] == local.line_grids()[LINE]
    assert len(google.line()) == 24


def test_both_backends_write_the_same_files_and_give_the_same_verdicts(
    whole: tuple[GoogleGame, SampleGame],
) -> None:
    google, local = whole
    assert google.files() == local.files()
    assert google.verdicts() == local.verdicts()
    assert google.postings() == local.postings()


@pytest.fixture(params=["local", "google"])
def game(request: pytest.FixtureRequest, tmp_path: object, emulator: Emulator) -> SampleGame:
    """The small game after one run, on either backend."""
    folder = request.getfixturevalue("tmp_path")
    if request.param == "google":
        made: SampleGame = set_up(emulator, folder, SMALL)
    else:
        made = SampleGame.fresh(folder)
        made.shrink(SMALL)
    made.run()
    return made


@pytest.fixture
def google_game(tmp_path: object, emulator: Emulator, request: pytest.FixtureRequest) -> GoogleGame:
    made = set_up(emulator, request.getfixturevalue("tmp_path"), SMALL)
    made.run()
    return made


class TestContract:
    def test_a_new_submission_is_ruled_and_shown(self, game: SampleGame) -> None:
        game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        report = game.run(LATER)
        entry = game.entry("S-9500")
        assert report.fresh == 1
        assert game.status("S-9500") == "未定/受理"
        assert game.table("マスイベ参加申込")[entry]["有効"] == "未定"

    def test_an_edit_keeps_both_contents_and_the_last_in_time_counts(self, game: SampleGame) -> None:
        game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        game.run(AT[0])
        game.edit_response(
            "signup",
            "S-9500",
            タイムスタンプ="2026/10/16 0:42:00 午後 GMT+9",
            備考="よろしく",
        )
        game.run(AT[1])
        found = {
            (item["submitted_at"][:16], item["effective"], item["preview"])
            for item in game.verdicts().values()
            if item["response_id"] == "S-9500"
        }
        assert found == {("2026-10-16T03:35", "未定", "差替"), ("2026-10-16T03:42", "未定", "受理")}

    def test_a_decision_is_applied_and_taken_back(self, game: SampleGame) -> None:
        entry = game.entry("S-0099")
        before = game.status("S-0099")
        game.type_into("要確認", entry, 裁定="受理", 裁定者="まつり", メモ="電話で確認")
        game.run(AT[0])
        row = game.table("マスイベ参加申込")[entry]
        assert (game.status("S-0099"), row["有効"]) == ("受理", "受理")
        assert game.table("要確認")[entry]["メモ"] == "電話で確認"
        game.type_into("要確認", entry, 裁定="自動")
        game.run(AT[1])
        assert game.status("S-0099") == before

    def test_two_different_decisions_are_a_conflict_and_nothing_changes(self, game: SampleGame) -> None:
        entry = game.entry("S-0099")
        game.type_into("要確認", entry, 裁定="受理")
        game.run(AT[0])
        game.type_into("マスイベ参加申込", entry, 裁定="不受理")
        game.run(AT[1])
        assert game.status("S-0099") == "受理"
        assert len(game.findings("conflict")) == 1

    def test_what_a_human_typed_over_the_machine_is_put_right_and_told(self, game: SampleGame) -> None:
        entry = game.entry("S-0099")
        right = game.table("マスイベ参加申込")[entry]["判定"]
        game.type_into("マスイベ参加申込", entry, 判定="受理！")
        game.run(AT[0])
        assert game.table("マスイベ参加申込")[entry]["判定"] == right
        assert any("受理！" in text for text in game.findings("repaired"))

    def test_an_unchanged_game_writes_nothing(self, game: SampleGame) -> None:
        before = game.grids()
        report = game.run(NOON)
        assert (report.sheets, report.files, report.fresh) == ((), (), 0)
        assert game.grids() == before


class TestCalls:
    def test_the_first_run_asks_each_form_what_it_asks(self, tmp_path: object, emulator: Emulator) -> None:
        game = set_up(emulator, tmp_path, SMALL)  # type: ignore[arg-type]
        game.forget_calls()
        game.run()
        assert game.calls() == [*["forms.forms.get", LISTS[0]] * 5, READ, READ, WRITE, WRITE]

    def test_a_warm_cycle_is_one_list_a_form_one_read_and_one_write(self, google_game: GoogleGame) -> None:
        google_game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        entry = google_game.entry("S-0099")
        google_game.type_into("要確認", entry, 裁定="受理")
        google_game.forget_calls()
        google_game.run(AT[0])
        assert google_game.calls() == [*LISTS, READ, READ, WRITE]

    def test_without_the_line_there_is_one_read_less(self, google_game: GoogleGame) -> None:
        text = google_game.config_path.read_text("utf-8")
        line = f"  line: {google_game.ids[LINE]}\n"
        assert line in text
        google_game.config_path.write_text(text.replace(line, ""), "utf-8")
        google_game.forget_calls()
        google_game.run()
        assert google_game.calls() == [*LISTS, READ]

    def test_nothing_new_is_no_write(self, google_game: GoogleGame) -> None:
        google_game.forget_calls()
        google_game.run()
        assert google_game.calls() == [*LISTS, READ, READ]

    def test_what_forms_ask_is_read_again_after_a_day(self, google_game: GoogleGame) -> None:
        google_game.forget_calls()
        google_game.run("2026-10-17 12:29:59")
        assert "forms.forms.get" not in google_game.calls()
        google_game.forget_calls()
        google_game.run("2026-10-17 12:30:00")
        assert google_game.calls().count("forms.forms.get") == 5

    def test_an_order_of_a_masters_own_is_no_reason_to_write(self, google_game: GoogleGame) -> None:
        google_game.human("sort", sheet="要確認", column=2, header=2, descending=True)
        mine = google_game.grids()["要確認"]
        google_game.forget_calls()
        google_game.run()
        assert google_game.calls() == [*LISTS, READ, READ]
        assert google_game.grids()["要確認"] == mine

    def test_a_submission_between_our_reading_and_our_writing_is_the_next_runs(
        self, google_game: GoogleGame
    ) -> None:
        address, word = PLAYERS["ぽんかん"]
        sent = "2026/10/16 0:39:00 午後 GMT+9"
        cells = {
            "タイムスタンプ": sent,
            "初回送信": sent,
            "回答ID": "S-9501",
            "メールアドレス": address,
            "正式呼称": "ぽんかん",
            "あいことば": word,
            "参加を希望する開催日": "10月20日",
        }
        submit = {"do": "submit", **google_game.submission("signup", cells)}
        google_game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月21日")
        google_game.emulator.control("fault", kind="change", match=WRITE, actions=[submit])
        google_game.run(AT[0])
        assert google_game.status("S-9500") == "未定/受理"
        assert all(item["response_id"] != "S-9501" for item in google_game.verdicts().values())
        google_game.run(AT[1])
        assert google_game.status("S-9501") == "未定/受理"
        rows = google_game.table("マスイベ参加申込")
        assert [rows[google_game.entry(name)]["受付ID"] for name in ("S-9500", "S-9501")] == [
            google_game.entry("S-9500"),
            google_game.entry("S-9501"),
        ]


class TestHeartbeat:
    """An idle machine says once an hour that it lives, in one cell."""

    def test_it_is_told_after_an_hour_without_a_write_and_then_once_an_hour(
        self, google_game: GoogleGame
    ) -> None:
        before = google_game.grids()
        google_game.forget_calls()
        for instant, writes in (
            ("2026-10-16 13:29:59", 0),
            ("2026-10-16 13:30:00", 1),
            ("2026-10-16 14:29:59", 0),
            ("2026-10-16 14:30:00", 1),
        ):
            report = google_game.run(instant)
            assert (report.sheets, google_game.calls().count(WRITE)) == ((), writes), instant
            google_game.forget_calls()
        after = google_game.grids()
        assert after["要確認"][0][3] == "確認済 2026-10-16 14:30:00"
        assert after["要確認"][0][0] == before["要確認"][0][0]
        assert {**after, "要確認": after["要確認"][1:]} == {**before, "要確認": before["要確認"][1:]}

    def test_a_word_of_a_master_in_its_place_stays(self, google_game: GoogleGame) -> None:
        google_game.write("'要確認'!D1", [["連絡: 明日は休み"]])
        google_game.run("2026-10-16 14:00:00")
        assert google_game.grids()["要確認"][0][3] == "連絡: 明日は休み"

    def test_zero_minutes_turn_it_off(self, google_game: GoogleGame) -> None:
        text = google_game.config_path.read_text("utf-8")
        google_game.config_path.write_text(text + "  heartbeat_minutes: 0\n", "utf-8")
        google_game.forget_calls()
        google_game.run("2026-10-16 14:00:00")
        assert WRITE not in google_game.calls()
