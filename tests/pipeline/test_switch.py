"""A file that loses its ids, or gets some: nothing is archived twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from sample_game import LATER, SMALL, SampleGame

from pipeline.config import load_config
from pipeline.settings import ConfigError

AGAIN = "2026-10-16 12:50:00"


@pytest.fixture
def game(tmp_path: Path) -> SampleGame:
    made = SampleGame.fresh(tmp_path)
    made.shrink(SMALL)
    return made


def drop_ids(game: SampleGame) -> None:
    """The export as Google gives it: no ids, no first times."""
    header, *rows = game.read_responses("signup")
    kept = [n for n, title in enumerate(header) if title not in ("回答ID", "初回送信")]
    game.write_responses("signup", [[row[n] for n in kept] for row in (header, *rows)])


def set_since(game: SampleGame, text: str) -> None:
    config = game.config_path.read_text("utf-8")
    game.config_path.write_text(config.replace("\n  signup:\n", f"\n  signup:\n    since: {text}\n"), "utf-8")


def test_an_export_without_ids_after_one_with_ids_sits_out(game: SampleGame) -> None:
    game.run()
    drop_ids(game)
    report = game.run(LATER)
    assert (report.sat_out, report.fresh) == (("signup",), 0)
    assert [each.place for each in report.findings if each.code == "switched"] == ["signup"]


def test_ids_that_turn_up_later_sit_out_too(game: SampleGame) -> None:
    whole = game.read_responses("signup")
    drop_ids(game)
    assert game.run().sat_out == ()
    game.write_responses("signup", whole)
    report = game.run(LATER)
    assert (report.sat_out, report.fresh) == (("signup",), 0)


def test_an_export_that_never_had_ids_is_read_on(game: SampleGame) -> None:
    drop_ids(game)
    game.run()
    report = game.run(LATER)
    assert (report.sat_out, report.fresh, report.wrote) == ((), 0, False)


def test_what_was_sent_in_the_second_of_the_switch_stands_and_the_next_is_read(game: SampleGame) -> None:
    game.sign_up("S-9500", "2026-10-16T12:20:00.900+09:00", "10月20日")
    game.run()
    game.sign_up("S-9501", "2026-10-16T12:20:01+09:00", "10月21日")
    drop_ids(game)
    set_since(game, "2026-10-16 12:20:00")
    report = game.run(LATER)
    assert (report.sat_out, report.fresh) == ((), 1)
    assert not game.findings("withdrawn")
    assert not game.run(AGAIN).wrote


def test_an_instant_that_is_none_is_a_fault_of_the_config(game: SampleGame) -> None:
    set_since(game, "きのう")
    with pytest.raises(ConfigError, match=r"forms\.signup\.since: 「きのう」を日時として読めません"):
        load_config(game.config_path)
