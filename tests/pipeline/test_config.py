"""config.yaml: everything that is wrong with it is told at once, in one line each, before anything is read."""

from __future__ import annotations

import pandas as pd
import pytest
from sample_game import SampleGame

from pipeline.config import load_config
from pipeline.settings import ConfigError


def faults_of(game: SampleGame) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(game.config_path)
    return list(caught.value.faults)


def change(game: SampleGame, old: str, new: str) -> None:
    text = game.config_path.read_text("utf-8")
    assert text.count(old) == 1, old
    game.config_path.write_text(text.replace(old, new), "utf-8")


def append(game: SampleGame, text: str) -> None:
    game.config_path.write_text(game.config_path.read_text("utf-8") + text, "utf-8")


def line_of(game: SampleGame, text: str) -> int:
    lines = game.config_path.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


NOON_UTC = pd.Timestamp("2026-10-16 03:30:00", tz="UTC")
PARAMETERS = "  P73: {values: [{value: 50, status: provisional}]}\n"


class TestSample:
    def test_it_is_sound(self, new_game: SampleGame) -> None:
        config = new_game.load()
        assert config.game.name == "kanada"
        assert str(config.settings.zone) == "Asia/Tokyo"
        assert config.archive == new_game.folder.resolve() / "var/archive.sqlite"
        assert str(config.as_of) == "2026-10-16 03:30:00+00:00"

    def test_all_paths_are_relative_to_the_file(self, new_game: SampleGame) -> None:
        config = new_game.load()
        assert config.form_file("signup") == new_game.response_path("signup").resolve()
        assert config.output == (new_game.folder / "out").resolve()

    def test_a_file_that_is_not_there(self, new_game: SampleGame) -> None:
        new_game.config_path.unlink()
        (fault,) = faults_of(new_game)
        assert "設定ファイルがありません" in fault
        assert str(new_game.config_path) in fault


class TestKeys:
    def test_all_unknown_keys_are_told_at_once_with_line_and_key(self, new_game: SampleGame) -> None:
        change(new_game, "shrink_share: 0.2", "shrink_shar: 0.2")
        change(new_game, "  log: var/saitei.log", "  logg: var/saitei.log")
        faults = faults_of(new_game)
        assert [f"config.yaml {line_of(new_game, text)}行" for text in ("logg:", "shrink_shar:")] == sorted(
            fault.rpartition("行 ")[0] + "行" for fault in faults
        )
        assert any("shrink_shar: 知らないキーです" in fault for fault in faults)
        assert any("paths.logg: 知らないキーです" in fault for fault in faults)

    def test_doubled_keys_are_faults_beside_all_others(self, new_game: SampleGame) -> None:
        append(new_game, "backend: local\nbakend: local\n")
        faults = faults_of(new_game)
        assert any("キー「backend」が2つあります" in fault for fault in faults)
        assert any("bakend: 知らないキーです" in fault for fault in faults)

    def test_a_missing_key_is_named(self, new_game: SampleGame) -> None:
        change(new_game, "  key: samples/kanada/private/key\n", "")
        assert any("paths.key: このキーが必要です" in fault for fault in faults_of(new_game))

    def test_a_word_that_is_not_allowed_shows_those_that_are(self, new_game: SampleGame) -> None:
        change(new_game, "backend: local", "backend: excel")
        (fault,) = faults_of(new_game)
        assert "backend: 使える値: 'local' or 'google'（いまは 'excel'）" in fault

    def test_no_yaml_at_all(self, new_game: SampleGame) -> None:
        append(new_game, "x: [1\n")
        assert any("YAML として読めません" in fault for fault in faults_of(new_game))

    def test_a_list_instead_of_keys(self, new_game: SampleGame) -> None:
        new_game.config_path.write_text("- game\n- kanada\n", "utf-8")
        (fault,) = faults_of(new_game)
        assert fault.startswith("config.yaml 1行")

    def test_an_unknown_game_shows_those_there_are(self, new_game: SampleGame) -> None:
        change(new_game, "game: kanada", "game: kanda")
        (fault,) = faults_of(new_game)
        assert "「kanda」というゲームはありません。使えるもの: " in fault
        assert "kanada" in fault

    def test_an_unknown_zone(self, new_game: SampleGame) -> None:
        change(new_game, "timezone: Asia/Tokyo", "timezone: Asia/Kanazawa")
        (fault,) = faults_of(new_game)
        assert "「Asia/Kanazawa」という時間帯はありません" in fault

    @pytest.mark.parametrize("share", ["-0.1", "1.1", "lots"])
    def test_a_share_is_between_0_and_1(self, new_game: SampleGame, share: str) -> None:
        change(new_game, "shrink_share: 0.2", f"shrink_share: {share}")
        assert any("shrink_share" in fault for fault in faults_of(new_game))

    def test_an_instant_that_is_none(self, new_game: SampleGame) -> None:
        change(new_game, "as_of: 2026-10-16 12:30:00", "as_of: 2026-10-16 25:30:00")
        (fault,) = faults_of(new_game)
        assert "as_of: 「2026-10-16 25:30:00」を日時として読めません" in fault


class TestMangledValues:
    @pytest.mark.parametrize("text", ["0123", "1e5", "12:30", "no", "0x10", "１２"])
    def test_a_value_stays_the_text_that_was_written(self, new_game: SampleGame, text: str) -> None:
        change(
            new_game,
            PARAMETERS,
            PARAMETERS + f"  P153: {{values: [{{value: {text}, status: provisional}}]}}\n",
        )
        config = new_game.load()
        (value,) = config.settings.parameters.items["P153"].values
        assert value.text == text

    @pytest.mark.parametrize("text", ["0123", "no", "12:30"])
    def test_a_name_stays_the_text_that_was_written(self, new_game: SampleGame, text: str) -> None:
        change(new_game, "masters: [まつり, しおん, みなと]", f"masters: [{text}, しおん]")
        assert new_game.load().block.masters == [text, "しおん"]

    def test_a_whole_number_may_stand_where_text_is_wanted(self, new_game: SampleGame) -> None:
        change(new_game, "masters: [まつり, しおん, みなと]", "masters: [7, しおん]")
        assert new_game.load().block.masters == ["7", "しおん"]

    def test_true_is_no_text(self, new_game: SampleGame) -> None:
        change(new_game, "masters: [まつり, しおん, みなと]", "masters: [true]")
        assert any("masters.0: 文字で書いてください" in fault for fault in faults_of(new_game))


class TestParameters:
    def lay(self, game: SampleGame, text: str) -> None:
        change(game, PARAMETERS, PARAMETERS + text)

    def test_a_parameter_without_a_value_on_a_day_of_the_game(self, new_game: SampleGame) -> None:
        change(new_game, PARAMETERS, '  P73: {values: [{from: "10-13", value: 50, status: provisional}]}\n')
        (fault,) = faults_of(new_game)
        assert fault == "config.yaml P73: 2026-10-11T15:00:00+00:00 に有効な値がありません"

    def test_a_value_that_only_the_other_ruleset_knows(self, new_game: SampleGame) -> None:
        self.lay(new_game, "  P44: {values: [{value: 600, status: official}]}\n")
        assert new_game.load().settings.parameters.whole("P44", NOON_UTC) == 600
        with pytest.raises(ConfigError, match=r"P44: .*に有効な値がありません"):
            load_config(new_game.config_path, ruleset="provisional")

    @pytest.mark.parametrize(("key", "text"),
        [("P44", "1e5"), ("P44", "no"), ("P44", "1.5"), ("P105", "-72"), ("P197", "29:00:00"), ("P62", "前日"),
         ("P152", "05:00:00"), ("P8", "10-32 00:00:00"), ("P57", "きのう"), ("P58", "13-45")],
    )  # fmt: skip
    def test_a_value_that_its_unit_does_not_know(self, new_game: SampleGame, key: str, text: str) -> None:
        """It must not reach a run, which could only break in the middle."""
        self.lay(new_game, f"  {key}: {{values: [{{value: {text}, status: provisional}}]}}\n")
        (fault,) = faults_of(new_game)
        assert f"parameters.{key}: 「{text}」を" in fault

    @pytest.mark.parametrize(("key", "text"), [("P2", "2027"), ("P3", "Asia/Seoul")])
    def test_what_all_instants_are_read_by_is_no_override(
        self, new_game: SampleGame, key: str, text: str
    ) -> None:
        """It would have been taken in silence, and not used."""
        self.lay(new_game, f"  {key}: {{values: [{{value: {text}, status: provisional}}]}}\n")
        (fault,) = faults_of(new_game)
        assert f"parameters.{key}: 規則表でだけ決められます" in fault

    def test_two_values_from_the_same_instant(self, new_game: SampleGame) -> None:
        self.lay(
            new_game,
            '  P44: {values: [{value: 500, status: provisional}, {from: "10-13", value: 1, status: provisional},'
            ' {from: "10-13 00:00:00", value: 2, status: provisional}]}\n',
        )
        faults = faults_of(new_game)
        assert faults
        assert all("P44" in fault for fault in faults)

    def test_dated_values_hold_from_their_instant(self, new_game: SampleGame) -> None:
        self.lay(
            new_game,
            '  P44: {values: [{value: 500, status: provisional}, {from: "10-13 05:00:00", value: 7, status: provisional}]}\n',
        )
        parameters = new_game.load().settings.parameters
        edge = pd.Timestamp("2026-10-13 05:00:00", tz="Asia/Tokyo")
        second = pd.Timedelta(seconds=1)
        assert [parameters.text("P44", at) for at in (edge - second, edge, edge + second)] == [
            "500",
            "7",
            "7",
        ]

    def test_an_unknown_parameter(self, new_game: SampleGame) -> None:
        self.lay(new_game, "  P999: {values: [{value: 1, status: provisional}]}\n")
        (fault,) = faults_of(new_game)
        assert fault.startswith(
            "config.yaml parameters.P999: そのようなパラメータはありません。使えるもの: P1、P2"
        )

    def test_a_date_that_is_none(self, new_game: SampleGame) -> None:
        self.lay(new_game, '  P44: {values: [{from: "10-32", value: 500, status: provisional}]}\n')
        (fault,) = faults_of(new_game)
        assert "parameters.P44: from の「10-32」を日時として読めません" in fault

    def test_an_unknown_status(self, new_game: SampleGame) -> None:
        self.lay(new_game, "  P44: {values: [{value: 500, status: draft}]}\n")
        (fault,) = faults_of(new_game)
        assert f"config.yaml {line_of(new_game, 'draft')}行 parameters.P44.values.0.status" in fault
        assert "'provisional' or 'official'" in fault

    def test_faults_of_parameters_forms_and_policies_come_together(self, new_game: SampleGame) -> None:
        self.lay(new_game, "  P999: {values: [{value: 1, status: provisional}]}\n")
        change(new_game, "  replication:\n", "  repliction: {file: x.csv}\n  replication:\n")
        append(new_game, "policies: {A-1: '1', A-43: '4', unheard_of: not_theirs}\nwords: {bad_words: [x]}\n")
        faults = faults_of(new_game)
        for key in (
            "parameters.P999",
            "forms.repliction",
            "policies.A-1",
            "policies.A-43",
            "policies.unheard_of",
            "words.bad_words",
        ):
            assert [fault for fault in faults if f"config.yaml {key}: " in fault], (key, faults)


class TestForms:
    def test_an_unknown_question_shows_those_there_are(self, new_game: SampleGame) -> None:
        change(new_game, "      event_dates:\n", "      event_date: {title: x}\n      event_dates:\n")
        (fault,) = faults_of(new_game)
        assert (
            "forms.signup.fields.event_date: そのような質問はありません。使えるもの: name、passphrase、event_dates"
            in fault
        )

    def test_a_title_of_two_questions(self, new_game: SampleGame) -> None:
        change(new_game, "      event_dates:\n", "      note: {title: 正式呼称}\n      event_dates:\n")
        (fault,) = faults_of(new_game)
        assert "forms.signup: 題名「正式呼称」が name と note の2つにあります" in fault

    def test_an_alias_that_is_another_question(self, new_game: SampleGame) -> None:
        change(new_game, "      event_dates:\n", "      note: {aliases: [あいことば]}\n      event_dates:\n")
        (fault,) = faults_of(new_game)
        assert "あいことば" in fault

    def test_two_forms_of_one_title(self, new_game: SampleGame) -> None:
        """A tab is named by it, so that one of the two would be lost."""
        change(new_game, "  replication:\n", "  replication:\n    title: マスイベ参加申込\n")
        (fault,) = faults_of(new_game)
        assert "マスイベ参加申込" in fault

    def test_an_unknown_way_of_collecting_addresses(self, new_game: SampleGame) -> None:
        change(new_game, "  replication:\n", "  replication:\n    email_collection: maybe\n")
        (fault,) = faults_of(new_game)
        assert "forms.replication.email_collection: 使える値: 'verified' or 'responder_input'" in fault

    def test_a_reworded_question_is_read_under_its_new_title(self, new_game: SampleGame) -> None:
        rows = new_game.read_responses("replication")
        rows[0][rows[0].index("複製する星座")] = "どの星座？"
        new_game.write_responses("replication", rows)
        assert new_game.run().sat_out == ("replication",)
        change(
            new_game,
            "  replication:\n",
            "  replication:\n    fields: {constellation: {aliases: ['どの星座？']}}\n",
        )
        assert new_game.run().sat_out == ()


def test_from_the_command_line_each_fault_is_a_line_and_the_code_is_2(new_game: SampleGame) -> None:
    change(new_game, "shrink_share: 0.2", "shrink_shar: 0.2")
    append(new_game, "backend: local\n")
    done = new_game.saitei("run")
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("saitei: config.yaml ") for line in lines)
    assert not new_game.archive_path.exists()
