"""What is published, and when: articles, mails, twins, and the folders they lie in."""

from __future__ import annotations

import stat
from pathlib import Path

import pandas as pd
import pytest
from sample_game import LATER, SampleGame

from pipeline.publish import (
    article_files,
    defuse,
    escape_markdown,
    file_stem,
    is_released,
    mail_files,
    render_article,
    twin_files,
    write_csv,
    write_files,
)
from rules.game import Settings, Task

FIVE = pd.Timestamp("2026-10-17 05:00:00", tz="Asia/Tokyo").tz_convert("UTC").as_unit("us")
SECOND = pd.Timedelta(seconds=1)


@pytest.fixture(scope="module")
def settings(ready_small_game: SampleGame) -> Settings:
    return ready_small_game.load().settings


def article(title: str = "10月17日 複製", state: str = "公開", audience: str = "public", *names: str) -> Task:
    return Task(
        "article",
        (title,),
        title,
        due=FIVE,
        release=FIVE,
        audience=audience,
        state=state,
        table=(("星座複製を行った星術師",), *((name,) for name in names or ("ぽんかん",))),
    )


class TestEmbargo:
    """『10月17日 複製』 is due on that day at 05:00:00."""

    FILES = tuple(f"public/10月17日_複製.{ending}" for ending in ("html", "md", "txt"))

    @pytest.mark.parametrize(
        ("as_of", "out"),
        [("2026-10-17 04:59:59", False), ("2026-10-17 05:00:00", True), ("2026-10-17 05:00:01", True)],
    )
    def test_nothing_lies_in_public_before_its_instant(
        self, small_game: SampleGame, as_of: str, out: bool
    ) -> None:
        report = small_game.run(as_of)
        assert [name in small_game.files() for name in self.FILES] == [out] * 3
        assert [name in report.files for name in self.FILES] == [out] * 3
        assert small_game.table("ブログ")["article/10月17日 複製/10月17日 複製"]["状態"] == (
            "公開" if out else "予約"
        )

    def test_the_name_of_a_coming_article_is_in_no_public_text_before(self, small_game: SampleGame) -> None:
        small_game.run("2026-10-17 04:59:59")
        public = [text for name, text in small_game.files().items() if name.startswith("public/")]
        assert not [text for text in public if "10月17日 複製".encode() in text]

    def test_a_result_waits_for_its_recorded_instant(self, small_game: SampleGame) -> None:
        with small_game.open_workbook() as book:
            sheet = book["マスイベ結果"]
            row = next(
                row for row in sheet.iter_rows() if (row[0].value, row[1].value) == ("2026-10-16", "ぽんかん")
            )
            row[2].value, row[4].value = "出席", 40
        public = "public/10月16日_マスイベ結果.txt"
        small_game.run("2026-10-16 21:59:59")
        assert public not in small_game.files()
        assert "masters/下書き_10月16日_マスイベ結果.txt" in small_game.files()
        with small_game.open_workbook() as book:
            sheet = book["マスイベ"]
            row = next(row for row in sheet.iter_rows() if row[0].value == "2026-10-16")
            row[15].value = "22:10:00"
        small_game.run("2026-10-16 22:09:59")
        assert public not in small_game.files()
        small_game.run("2026-10-16 22:10:00")
        assert public in small_game.files()
        assert "masters/下書き_10月16日_マスイベ結果.txt" not in small_game.files()

    def test_a_coming_article_can_be_rendered_early_for_the_masters_alone(
        self, small_game: SampleGame
    ) -> None:
        small_game.run("2026-10-17 00:30:00")
        before = small_game.files()
        done = small_game.saitei("blog", "--as-of", "2026-10-17 00:30:00", "--schedule")
        assert done.returncode == 0
        added = small_game.files().keys() - before.keys()
        assert {f"masters/予約_10月17日_05_00_10月17日_複製.{e}" for e in ("html", "md", "txt")} <= added
        assert not [name for name in added if name.startswith("public/")]

    @pytest.mark.parametrize(
        ("task", "as_of", "out"),
        [
            (article(), FIVE - SECOND, False),
            (article(), FIVE, True),
            (article(), FIVE + SECOND, True),
            (article(state="予約"), FIVE, False),
            (article(state="下書き"), FIVE, False),
            (article(audience="masters"), FIVE, False),
            (article()._replace(release=None), FIVE, False),
            (article()._replace(kind="mail"), FIVE, False),
        ],
    )
    def test_released_means_public_and_due(self, task: Task, as_of: pd.Timestamp, out: bool) -> None:
        assert is_released(task, as_of) is out

    def test_a_task_that_is_not_released_yields_no_public_file(self, settings: Settings) -> None:
        assert article_files([article()], FIVE - SECOND, settings) == {}
        assert article_files([article(audience="masters")], FIVE, settings) == {}
        early = article_files([article(state="予約")], FIVE - SECOND, settings, early=True)
        assert sorted(early) == [
            f"masters/予約_10月17日_05_00_10月17日_複製.{e}" for e in ("html", "md", "txt")
        ]


HEAD = (
    "<article style=\"font-family: 'Hiragino Sans', 'Yu Gothic', 'Noto Sans CJK JP', sans-serif;"
    ' line-height: 1.8; color: #1f2937; max-width: 36em;">\n'
    '  <h2 style="font-size: 1.25em; margin: 0 0 0.6em; padding-bottom: 0.25em; border-bottom: 3px solid #475569;">'
)


class TestContent:
    def test_text_and_markdown_of_the_sample(self, small_game: SampleGame) -> None:
        files = small_game.files()
        assert files["public/10月14日_複製.txt"].decode() == "10月14日 複製\n\n夜　汽車\nぽんかん\n"
        assert files["public/10月14日_複製.md"].decode() == (
            "## 10月14日 複製\n\n| 星座複製を行った星術師 |\n| --- |\n| 夜　汽車 |\n| ぽんかん |\n"
        )

    def test_html_of_the_sample(self, small_game: SampleGame) -> None:
        page = small_game.files()["public/10月14日_複製.html"].decode()
        assert HEAD + "10月14日 複製</h2>\n" in page
        assert page.count("<td ") == 2
        assert page.index(">夜　汽車</td>") < page.index(">ぽんかん</td>")
        assert page.rstrip().endswith("</article>")

    def test_a_day_on_which_nobody_replicated_says_so(self, small_game: SampleGame) -> None:
        assert small_game.files()["public/10月12日_複製.txt"].decode() == "10月12日 複製\n\n該当者なし\n"

    def test_absentees_stand_behind_those_who_came_with_what_they_lost(self, game: SampleGame) -> None:
        lines = game.files()["public/10月12日_マスイベ結果.txt"].decode().splitlines()[2:]
        words = [line.split("　") for line in lines if line]
        marks = ["欠席" if "欠席" in parts else "参加" for parts in words]
        assert marks == sorted(marks, key=["参加", "欠席"].index)
        assert all(parts[-1] == "−30点" for parts, mark in zip(words, marks, strict=True) if mark == "欠席")

    def test_a_small_table_exactly(self) -> None:
        task = Task("article", (), "結果", table=(("名前", "点数"), ("甲", "+5点"), ("乙", "−3点")))
        rendered = render_article(task)
        assert rendered["txt"] == "結果\n\n甲　+5点\n乙　−3点\n"
        assert (
            rendered["md"] == "## 結果\n\n| 名前 | 点数 |\n| --- | ---: |\n| 甲 | \\+5点 |\n| 乙 | −3点 |\n"
        )
        html = "".join(line.strip() for line in rendered["html"].splitlines())
        cell = "padding: 0.35em 0.8em; border-bottom: 1px solid #e2e8f0;"
        assert (
            '<tbody><tr style="background: #f8fafc;">'
            f'<td style="text-align: left; {cell}">甲</td><td style="text-align: right; {cell}">+5点</td></tr>'
            '<tr style="background: #ffffff;">'
            f'<td style="text-align: left; {cell}">乙</td><td style="text-align: right; {cell}">−3点</td></tr></tbody>'
        ) in html

    def test_markup_is_escaped(self) -> None:
        rendered = render_article(article("t<i>", "公開", "public", "<b>&\"'", "a|b", "*x*"))
        assert "t&lt;i&gt;</h2>" in rendered["html"]
        assert ">&lt;b&gt;&amp;&#34;&#39;</td>" in rendered["html"]
        assert "| a\\|b |" in rendered["md"]
        assert "| \\*x\\* |" in rendered["md"]

    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("a_b*c`d", r"a\_b\*c\`d"),
            ("[x](y)", r"\[x\]\(y\)"),
            ("# h", r"\# h"),
            ("1. x", r"1\. x"),
            ("<b>&amp;", r"&lt;b\>&amp;amp;"),
            ("a\nb", "a b"),
            ("a\r\nb\rc\u2028d", "a b c d"),
            ("a|b", r"a\|b"),
            ("back\\slash", r"back\\slash"),
        ],
    )
    def test_no_character_acts_as_markdown(self, text: str, escaped: str) -> None:
        assert escape_markdown(text) == escaped


class TestMails:
    def test_each_is_stamped_with_its_hour(self, small_game: SampleGame) -> None:
        name = "masters/mails/10月14日_00_00_うみほたる_10月14日の星座複製について.txt"
        lines = small_game.files()[name].decode().splitlines()
        assert lines[:4] == [
            "宛先: うみほたる",
            "件名: 10月14日の星座複製について",
            "解禁: 10月14日 00:00",
            "期限: 10月14日 04:59:59",
        ]
        row = next(row for row in small_game.table("メール").values() if row["宛先"] == "うみほたる")
        assert (row["解禁"], row["期限"]) == ("2026-10-14 00:00:00", "2026-10-14 04:59:59")

    def test_none_before_the_refusal_is_decided(self, small_game: SampleGame) -> None:
        small_game.replicate("R-9700", "2026/10/16 12:35:00", "10月19日", "ない座", {5: "1"})
        small_game.run("2026-10-18 23:59:59")
        assert not [name for name in small_game.files() if "mails/" in name and "10月19日" in name]
        small_game.run("2026-10-19 00:00:00")
        assert [name for name in small_game.files() if "mails/" in name and "10月19日" in name] == [
            "masters/mails/10月19日_00_00_ぽんかん_10月19日の星座複製について.txt"
        ]

    def test_names_that_make_the_same_file_name_lose_no_mail(self, settings: Settings) -> None:
        mails = [
            Task("mail", ("e",), "件名", f"{name} さん", (name,), FIVE, FIVE) for name in ("甲!", "甲?", "甲")
        ]
        files = mail_files(mails, settings)
        assert sorted(text.splitlines()[-1] for text in files.values()) == ["甲 さん", "甲! さん", "甲? さん"]


class TestFolder:
    def test_masters_folder_is_closed_to_others(self, small_game: SampleGame) -> None:
        assert stat.S_IMODE((small_game.out / "masters").stat().st_mode) == 0o700

    def test_also_when_it_is_made_again(self, small_game: SampleGame) -> None:
        for name in small_game.files():
            (small_game.out / name).unlink()
        for folder in sorted((p for p in small_game.out.rglob("*")), reverse=True):
            folder.rmdir()
        small_game.run()
        assert stat.S_IMODE((small_game.out / "masters").stat().st_mode) == 0o700

    def test_the_roster_has_no_twin(self, small_game: SampleGame) -> None:
        assert not [name for name in small_game.files() if "名簿" in name]

    def test_an_article_that_is_no_longer_derived_leaves_the_public_folder(
        self, small_game: SampleGame
    ) -> None:
        gone = {f"public/10月15日_マスイベ結果.{ending}" for ending in ("html", "md", "txt")}
        assert gone <= small_game.files().keys()
        small_game.type_into("マスイベ", "2026-10-15", 結果公開時刻=None)
        report = small_game.run(LATER)
        assert gone <= set(report.files)
        assert not gone & small_game.files().keys()

    def test_a_changed_article_is_rewritten_and_others_are_not_touched(self, small_game: SampleGame) -> None:
        stamps = {name: stat_ for name, (_i, stat_, _b) in small_game.stamps().items()}
        entry = small_game.entry("R-0024")
        small_game.type_into("星座複製", entry, 裁定="不受理", 確定="確定")
        report = small_game.run(LATER)
        assert small_game.files()["public/10月14日_複製.txt"].decode() == "10月14日 複製\n\n夜　汽車\n"
        public = {name for name in report.files if name.startswith("public/")}
        assert public == {f"public/10月14日_複製.{e}" for e in ("html", "md", "txt")}
        after = {name: stat_ for name, (_i, stat_, _b) in small_game.stamps().items()}
        untouched = [name for name in stamps if "/public/" in name and "10月14日_複製" not in name]
        assert [after[name] for name in untouched] == [stamps[name] for name in untouched]

    def test_a_published_name_is_taken_back_only_with_a_second_tick(self, small_game: SampleGame) -> None:
        entry = small_game.entry("R-0024")
        small_game.type_into("星座複製", entry, 裁定="不受理")
        small_game.run(LATER)
        assert "ぽんかん" in small_game.files()["public/10月14日_複製.txt"].decode()
        assert entry in small_game.table("予告")
        small_game.type_into("星座複製", entry, 確定="確定")
        small_game.run("2026-10-16 12:50:00")
        assert "ぽんかん" not in small_game.files()["public/10月14日_複製.txt"].decode()
        assert entry not in small_game.table("予告")


class TestWriteFiles:
    def test_it_writes_what_differs_and_removes_what_it_owned(self, tmp_path: Path) -> None:
        assert write_files(tmp_path, {"public/a.txt": "1", "masters/b.txt": "2"}, ()) == [
            "masters/b.txt",
            "public/a.txt",
        ]
        (tmp_path / "public/mine.txt").write_text("a master's own", "utf-8")
        assert write_files(tmp_path, {"public/a.txt": "3"}, ("public/a.txt", "masters/b.txt")) == [
            "public/a.txt",
            "masters/b.txt",
        ]
        assert (tmp_path / "public/a.txt").read_text("utf-8") == "3"
        assert not (tmp_path / "masters/b.txt").exists()
        assert (tmp_path / "public/mine.txt").exists()

    @pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "a\nb", "\ufeffa", "a\u2028b\x00"])
    def test_the_same_content_is_not_written_twice_whatever_its_line_ends(
        self, tmp_path: Path, text: str
    ) -> None:
        assert write_files(tmp_path, {"public/a.txt": text}, ()) == ["public/a.txt"]
        assert write_files(tmp_path, {"public/a.txt": text}, ()) == []
        assert (tmp_path / "public/a.txt").read_bytes() == text.encode("utf-8")

    def test_what_a_killed_run_left_is_no_hindrance(self, tmp_path: Path) -> None:
        (tmp_path / "public").mkdir()
        (tmp_path / "public/.a.txt.new").write_text("half", "utf-8")
        write_files(tmp_path, {"public/a.txt": "whole"}, ())
        assert [p.name for p in (tmp_path / "public").iterdir()] == ["a.txt"]

    def test_an_owned_file_that_is_gone_already_is_no_trouble(self, tmp_path: Path) -> None:
        assert write_files(tmp_path, {}, ("public/gone.txt",)) == []


class TestNames:
    @pytest.mark.parametrize(
        ("title", "stem"),
        [
            ("10月13日 複製", "10月13日_複製"),
            ("../../etc/passwd", "etc_passwd"),
            ("a/b\\c:d*e?f", "a_b_c_d_e_f"),
            ("...", "article"),
            ("", "article"),
            ("夜　汽車", "夜_汽車"),
            ("<script>", "script"),
            ("a\x00b", "a_b"),
        ],
    )
    def test_a_title_becomes_a_plain_file_name(self, title: str, stem: str) -> None:
        assert file_stem(title) == stem

    def test_a_long_title_fits_into_a_file_name(self) -> None:
        one, other = "あ" * 300, "あ" * 299 + "い"
        assert len(f".{file_stem(one)}.html.new".encode()) <= 255
        assert file_stem(one) != file_stem(other)


class TestTwins:
    @pytest.mark.parametrize(
        "cell", ["=1", "+x", "-x", "@x", "\t=1", "\r=1", "＝1", "＋x", "－x", "＠x", "-1+2", "+-1"]
    )
    def test_a_start_of_a_formula_is_led_by_an_apostrophe(self, cell: str) -> None:
        assert defuse(cell) == "'" + cell

    @pytest.mark.parametrize("cell", ["", "a=1", "-1", "+5", "-0.5", "12", " =1", "'=1", "−3点"])
    def test_numbers_and_plain_texts_stay(self, cell: str) -> None:
        assert defuse(cell) == cell

    def test_a_twin_is_a_csv_that_excel_reads_as_utf_8(self) -> None:
        assert write_csv([["項目", "増減"], ['a,"b"\n', "-5"], ["=1", ""]]) == (
            '\ufeff項目,増減\n"a,""b""\n",-5\n\'=1,\n'
        )
        assert list(twin_files({"状態一覧": [["x"]]})) == ["masters/csv/状態一覧.csv"]

    def test_twins_hold_what_the_tabs_hold(self, small_game: SampleGame) -> None:
        lines = (small_game.out / "masters/csv/状態一覧.csv").read_text("utf-8-sig").splitlines()
        grid = small_game.grids()["状態一覧"]
        assert lines[0].split(",") == grid[0]
        assert len(lines) == len(grid)
