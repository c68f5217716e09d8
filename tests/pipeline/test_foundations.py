"""What a game stands on: key, secret words, archive, the masters' tabs. Losing or changing one must not pass for a game
in which everybody is a stranger."""

from __future__ import annotations

import pytest
from sample_game import LATER, SampleGame, read_csv, type_cells, write_csv
from test_cli import assert_one_line, call, config_of

WISH = ("S-0099", "2026-10-16")
FORM = "マスイベ参加申込"


def refuse(game: SampleGame, capsys: pytest.CaptureFixture[str], *wanted: str) -> None:
    """The run ends with 3 and one line, and neither archive nor spreadsheet changes."""
    before = game.stamps()
    code, out, err = call(capsys, "run", *config_of(game))
    assert (code, out) == (3, "")
    assert_one_line(err, *wanted)
    assert game.stamps() == before


def test_another_key_than_that_of_the_archive_is_refused(
    small_game: SampleGame, capsys: pytest.CaptureFixture[str]
) -> None:
    (small_game.words_path.parent / "key").write_text("another-key-that-is-long-enough\n", "utf-8")
    before = small_game.verdicts()
    refuse(small_game, capsys, "key: 鍵が、この記録を作ったときの鍵と違います")
    assert small_game.verdicts() == before


@pytest.mark.parametrize(("length", "accepted"), [(15, False), (16, True), (17, True)])
def test_a_key_has_sixteen_characters_at_least(
    new_game: SampleGame, capsys: pytest.CaptureFixture[str], length: int, accepted: bool
) -> None:
    new_game.shrink(["ぽんかん", "灰色のソナタ"])
    (new_game.words_path.parent / "key").write_text("k" * length + "\n", "utf-8")
    code, _out, err = call(capsys, "run", *config_of(new_game), "--quiet")
    assert (code == 3) is not accepted
    assert (f"鍵が短すぎます（{length}字）" in err) is not accepted


@pytest.mark.parametrize("first", [None, [], ["誰か", "2026-10-01", "ことば"]])
def test_secret_words_without_a_header_row_are_refused(
    small_game: SampleGame, capsys: pytest.CaptureFixture[str], first: list[str] | None
) -> None:
    """Else the first player's word would be taken for a header, and he for a stranger."""
    _header, *rows = read_csv(small_game.words_path)
    write_csv(small_game.words_path, rows if first is None else [first, *rows])
    code, _out, err = call(capsys, "run", *config_of(small_game))
    assert code == 3
    assert_one_line(err, "passphrases.csv: 1行目に見出し（正式呼称,開始,…）がありません")


def test_a_player_without_a_secret_word_is_told(small_game: SampleGame) -> None:
    header, *rows = read_csv(small_game.words_path)
    assert small_game.findings("no_word") == []
    write_csv(small_game.words_path, [header, *(row for row in rows if row[0] != "ぽんかん")])
    small_game.run(LATER)
    (told,) = small_game.findings("no_word")
    assert "ぽんかんの合言葉がありません" in told


def test_decisions_in_the_spreadsheet_outlive_a_lost_archive(small_game: SampleGame) -> None:
    entry = small_game.entry(*WISH)
    with small_game.open_workbook() as book:
        type_cells(book[FORM], entry, 裁定="受理", 裁定者="しおん")
    small_game.archive_path.unlink()
    small_game.run(LATER)
    assert small_game.status(*WISH) == "受理"
    assert small_game.table(FORM)[entry]["裁定者"] == "しおん"


def test_a_review_tab_without_its_decision_column_makes_the_run_incomplete(
    small_game: SampleGame, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = small_game.entry(*WISH)
    with small_game.open_workbook() as book:
        type_cells(book[FORM], entry, 裁定="受理", 裁定者="しおん")
    small_game.run(LATER)
    with small_game.open_workbook() as book:
        del book[FORM]
    code, out, _err = call(capsys, "run", *config_of(small_game), "--as-of", "2026-10-16 12:50:00")
    assert code == 1
    assert FORM in out
    assert small_game.status(*WISH) == "受理"
