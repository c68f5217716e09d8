"""Whole cycles with one form read from the tab that is linked to it, and the way there and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from google_game import GoogleGame, make_book, set_up
from sample_game import LATER, SMALL

from pipeline.archive import Archive
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World

TAB = "Form Responses 1"
EVENING = "2026-10-16 12:50:00"
Ruled = set[tuple[str, ...]]


def link(game: GoogleGame) -> None:
    game.emulator.control("link", formId=game.ids["signup"], spreadsheetId=game.book_id)


def configure(game: GoogleGame, **keys: str) -> None:
    """Say anew where the sign-ups are read."""
    head, mark, rest = game.config_path.read_text("utf-8").partition("\n  signup:\n")
    lines = rest.split("\n")
    while lines[0].startswith(("    id:", "    tab:", "    since:")):
        lines.pop(0)
    given = [f"    {key}: {value}" for key, value in keys.items()]
    game.config_path.write_text(head + mark + "\n".join([*given, *lines]), "utf-8")


def ruled(game: GoogleGame) -> Ruled:
    """Everything about the verdicts but the ids, which a tab does not have."""
    names = ("form", "key", "player", "submitted_at", "effective", "preview", "machine")
    return {tuple(str(item[name]) for name in names) for item in game.verdicts().values()}


def withdrawn(game: GoogleGame) -> int:
    with Archive.open(game.archive_path) as archive:
        return int(archive.revisions()["withdrawn_at"].notna().sum())


@pytest.fixture(scope="module")
def by_api(tmp_path_factory: pytest.TempPathFactory) -> Ruled:
    with Emulator(world=World(seed=1)) as emulator:
        game = set_up(emulator, tmp_path_factory.mktemp("api"), SMALL)
        game.run()
        return ruled(game)


@pytest.fixture
def game(tmp_path: Path, emulator: Emulator) -> GoogleGame:
    """Nothing has run yet; the tab is linked and the spreadsheet holds nothing else."""
    made = set_up(emulator, tmp_path, SMALL)
    link(made)
    return made


def test_a_form_read_from_its_tab_gives_the_same_verdicts(game: GoogleGame, by_api: Ruled) -> None:
    configure(game, tab=TAB)
    game.forget_calls()
    report = game.run()
    assert (report.exit_code, report.sat_out) == (0, ())
    assert game.calls().count("forms.forms.responses.list") == 4
    assert game.calls().count("sheets.spreadsheets.get") == 2
    assert ruled(game) == by_api
    assert not game.run(LATER).wrote


def test_the_tab_itself_is_left_as_it_is(game: GoogleGame) -> None:
    before = game.grids()[TAB]
    configure(game, tab=TAB)
    game.run()
    assert game.grids()[TAB] == before


def test_what_comes_into_the_tab_is_ruled(game: GoogleGame) -> None:
    configure(game, tab=TAB)
    game.run()
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
    report = game.run(LATER)
    assert (report.fresh, report.sat_out) == (1, ())
    (new,) = (each for each in ruled(game) if each[3].startswith("2026-10-16T03:35"))
    assert new[4:6] == ("未定", "受理")


def test_a_spreadsheet_in_another_zone_sits_only_that_form_out(game: GoogleGame) -> None:
    game.ids["Masters"] = make_book(game.emulator, zone="Europe/London")
    text = game.config_path.read_text("utf-8")
    head, _, _ = text.partition("  spreadsheet: ")
    game.config_path.write_text(f"{head}  spreadsheet: {game.book_id}\n", "utf-8")
    link(game)
    configure(game, tab=TAB)
    report = game.run()
    assert (report.exit_code, report.sat_out) == (1, ("signup",))
    assert [finding.place for finding in report.findings if finding.code == "zone"] == [TAB]
    assert "signup" not in {each[0] for each in ruled(game)}
    assert "replication" in {each[0] for each in ruled(game)}


class TestSwitch:
    def test_a_tab_instead_of_the_form_sits_out_and_doubles_nothing(
        self, game: GoogleGame, by_api: Ruled
    ) -> None:
        game.run()
        configure(game, tab=TAB)
        report = game.run(LATER)
        assert (report.exit_code, report.sat_out, report.fresh) == (1, ("signup",), 0)
        (finding,) = (each for each in report.findings if each.code == "switched")
        assert "forms.signup.since: 2026-10-" in finding.message
        assert {each[:4] for each in ruled(game)} == {each[:4] for each in by_api}
        assert withdrawn(game) == 0

    def test_with_the_named_instant_the_archived_stand_and_later_ones_are_read(
        self, game: GoogleGame, by_api: Ruled
    ) -> None:
        game.run()
        configure(game, tab=TAB)
        (finding,) = (each for each in game.run(LATER).findings if each.code == "switched")
        configure(game, tab=TAB, since=finding.message.partition("since: ")[2][:19])
        game.sign_up("S-9500", "2026/10/16 0:45:00 午後 GMT+9", "10月20日")
        report = game.run(EVENING)
        assert (report.exit_code, report.fresh, withdrawn(game)) == (0, 1, 0)
        assert "switched" not in {each.code for each in report.findings}
        new = {each for each in ruled(game) if each[3].startswith("2026-10-16T03:45")}
        assert len(new) == 1
        assert {each[:4] for each in ruled(game) - new} == {each[:4] for each in by_api}

    def test_the_form_instead_of_its_tab_sits_out_until_told_too(
        self, game: GoogleGame, by_api: Ruled
    ) -> None:
        configure(game, tab=TAB)
        game.run()
        configure(game, id=game.ids["signup"])
        (finding,) = (each for each in game.run(LATER).findings if each.code == "switched")
        configure(game, id=game.ids["signup"], since=finding.message.partition("since: ")[2][:19])
        report = game.run(EVENING)
        assert (report.exit_code, report.fresh, withdrawn(game)) == (0, 0, 0)
        assert {each[:4] for each in ruled(game)} == {each[:4] for each in by_api}

    def test_what_the_archive_lacks_of_the_time_before_is_told(self, game: GoogleGame) -> None:
        game.run()
        game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日")
        configure(game, tab=TAB, since="2026-10-16 12:36:00")
        report = game.run(LATER)
        (finding,) = (each for each in report.findings if each.code == "switched")
        held = int(finding.message.partition("保存済みは ")[2].partition(" 件")[0])
        assert f"読み取り元に {held + 1} 件" in finding.message
        assert (report.exit_code, report.fresh) == (0, 0)
