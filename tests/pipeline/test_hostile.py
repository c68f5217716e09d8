"""Hostile texts of players and careless ones of masters: shown as they are, run nowhere, and no secret anywhere."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import unicodedata
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import openpyxl
import pytest
from sample_game import LATER, NOON, SMALL, SampleGame, add_row, read_csv, write_csv

from connectors.xlsx import shown_text

FORMULAS = (
    '=HYPERLINK("http://example.com/x","押して")',
    "=1+1",
    "+81-90-0000-0000",
    "-1+2",
    "@SUM(A1:A9)",
    "＝１＋１",
    "\t=1+1",
    "\r\n=1+1",
    "'=1+1",
    '=cmd|"/c calc"!A0',
)
TEXTS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></table><h1>big</h1>",
    "[click](http://example.com) **bold** `code` # head | cell",
    "line one\nline two\r\nline three\rline four",
    "bell\x07 escape\x1b[31m null\x00 delete\x7f c1\x9b",
    "emoji 👩‍👩‍👧‍👦🇯🇵 and half \U0001f468",
    "abc\u202egnp.exe\u202c \u2066x\u2069",
    "_x000D_ _x0041_ &amp; &#x3c;",
    "{{ 7*7 }} {% raw %} ${7*7}",
    "#N/A",
    "あ" * 40_000,
)
"""What a text box takes. Everything stays a text; what a cell cannot hold is shown as a picture or cut with a mark."""


@pytest.fixture(scope="module")
def hostile(ready_small_game: SampleGame, tmp_path_factory: pytest.TempPathFactory) -> SampleGame:
    """The small game after a run with all of them, in every question that takes text."""
    game = ready_small_game.copy_to(tmp_path_factory.mktemp("hostile") / "game")
    for number, text in enumerate((*FORMULAS, *TEXTS)):
        game.sign_up(f"S-96{number:02d}", f"2026/10/16 0:31:{number:02d} 午後 GMT+9", "10月20日", note=text)
        game.replicate(
            f"R-96{number:02d}", f"2026/10/15 22:00:{number:02d}", "10月16日", text, {5: text}, 正式呼称=text
        )
        game.replicate(
            f"R-97{number:02d}", f"2026/10/13 21:{number:02d}:00", f"10月{number}日 {text}", "蔦座", {5: "1"}
        )
    for number, text in enumerate((*FORMULAS, *TEXTS)):
        sent = f"2026/10/16 0:32:{number:02d} 午後 GMT+9"
        game.send(
            "inquiry", タイムスタンプ=sent, 回答ID=f"Q-96{number:02d}", 種別="質問", 件名=text, 内容=text
        )
        game.post(
            番号=str(900 + number), 投稿時刻=f"2026-10-16 12:33:{number:02d}", 名前=text, 題名=text, 本文=text
        )
    # The last applications of these days name no constellation there is: the refusals quote the text in mails.
    for day, text in ((13, TEXTS[0]), (15, TEXTS[4]), (16, TEXTS[5])):
        game.replicate(f"R-98{day}", f"2026/10/{day - 1} 23:00:00", f"10月{day}日", text, {5: "1"})
    game.run(LATER)
    return game


@pytest.fixture(scope="module")
def book(hostile: SampleGame) -> openpyxl.Workbook:
    return openpyxl.load_workbook(hostile.workbook_path)


class TestWorkbook:
    def test_no_cell_is_a_formula(self, book: openpyxl.Workbook) -> None:
        formulas = [
            f"{sheet.title}!{cell.coordinate}"
            for sheet in book
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type in ("f", "e")
        ]
        assert formulas == []

    def test_no_part_of_the_file_holds_a_formula_element_or_a_link(self, hostile: SampleGame) -> None:
        with zipfile.ZipFile(hostile.workbook_path) as package:
            for name in package.namelist():
                if name.startswith("xl/worksheets/"):
                    xml = package.read(name).decode("utf-8")
                    assert not re.search(r"<f[ >/]", xml), name
                    assert "<hyperlink " not in xml, name

    @pytest.mark.parametrize("text", [*FORMULAS, *TEXTS], ids=lambda text: ascii(text)[:24])
    def test_a_text_stands_in_its_cell_as_it_was_sent(self, hostile: SampleGame, text: str) -> None:
        notes = {row["備考"] for row in hostile.table("マスイベ参加申込").values()}
        assert shown_text(text) in notes
        if len(text) < 1000:
            plain = {c for c in shown_text(text) if c.isprintable()}
            assert plain <= set("".join(notes))

    def test_what_starts_like_a_formula_stays_text_when_somebody_edits_the_cell(
        self, book: openpyxl.Workbook
    ) -> None:
        sheet = book["マスイベ参加申込"]
        cells = [
            cell
            for row in sheet.iter_rows()
            for cell in row
            if str(cell.value or "").startswith(("=", "+", "@"))
        ]
        assert len(cells) >= 4
        assert all(cell.quotePrefix and cell.number_format == "@" for cell in cells)

    def test_a_long_text_is_cut_with_a_mark(self, hostile: SampleGame) -> None:
        longest = max((row["備考"] for row in hostile.table("マスイベ参加申込").values()), key=len)
        found = re.fullmatch(r"(あ+)…（以下 (\d+) 字省略）", longest)
        assert found is not None
        assert len(found[1]) + int(found[2]) == 40_000
        assert 32_760 < len(longest) <= 32_767

    def test_the_next_run_finds_nothing_changed(self, hostile: SampleGame) -> None:
        stamps = hostile.stamps()
        report = hostile.run("2026-10-16 12:50:00")
        assert (report.sheets, report.files) == ((), ())
        assert hostile.stamps() == stamps
        assert hostile.findings("repaired") == []


class _Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attrs}


ALLOWED_TAGS = {
    "article",
    "h1",
    "h2",
    "h3",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "p",
    "meta",
    "html",
    "head",
    "body",
    "title",
    "br",
    "ul",
    "ol",
    "li",
    "div",
    "span",
    "time",
    "section",
}


class TestFiles:
    def test_no_page_has_a_tag_that_its_template_does_not_have(self, hostile: SampleGame) -> None:
        pages = list(hostile.out.rglob("*.html"))
        assert pages
        for page in pages:
            parser = _Tags()
            parser.feed(page.read_text("utf-8"))
            assert parser.tags <= ALLOWED_TAGS, page.name
            assert parser.attributes <= {"style", "class", "lang", "charset", "datetime"}, page.name

    def test_no_cell_of_a_csv_twin_starts_a_formula(self, hostile: SampleGame) -> None:
        twins = list((hostile.out / "masters/csv").glob("*.csv"))
        assert len(twins) >= 4
        for twin in twins:
            for row in csv.reader(io.StringIO(twin.read_bytes().decode("utf-8-sig"), newline="")):
                for cell in row:
                    if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"):
                        assert re.fullmatch(r"[+-]\d+(\.\d+)?", cell), (twin.name, cell[:40])

    def test_a_refusal_mail_quotes_the_text_and_is_written_once(self, hostile: SampleGame) -> None:
        mails = {p.name: p.read_text("utf-8") for p in (hostile.out / "masters/mails").glob("*ぽんかん*")}
        assert any("<script>alert(1)</script>" in text for text in mails.values())
        assert any("line one" in text for text in mails.values())

    def test_no_control_character_reaches_the_terminal(self, hostile: SampleGame) -> None:
        """An escape sequence could redraw what the operator reads."""
        entry = hostile.entry("R-9816")
        for arguments in (
            ("explain", entry),
            ("explain", entry, "--json"),
            ("run", "--as-of", NOON),
            ("state",),
        ):
            shown = hostile.saitei(*arguments).stdout
            assert shown
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown), arguments
        assert "␛[31m" in hostile.saitei("explain", entry).stdout

    def test_texts_of_players_stand_in_no_public_file(self, hostile: SampleGame) -> None:
        public = "".join(p.read_text("utf-8") for p in (hostile.out / "public").rglob("*") if p.is_file())
        for trace in ("script", "HYPERLINK", "@SUM", "+81", "emoji", "line one", "あ" * 30, "7*7", "onerror"):
            assert trace not in public, trace

    def test_only_names_on_the_roster_stand_in_articles(self, small_game: SampleGame) -> None:
        with small_game.open_workbook() as book:
            for day in ("2026-10-10", "2026-10-14", "2026-10-15"):
                add_row(book["マスイベ結果"], 開催日=day, 正式呼称="名簿にない人", 出席="出席", 点数="10")
        small_game.run(LATER)
        for path in (small_game.out / "public").rglob("*"):
            assert "名簿にない人" not in path.read_text("utf-8"), path.name
        told = [row["理由"] for row in small_game.waiting().values() if "名簿にない人" in row["理由"]]
        assert len(told) == 3
        assert [p for p in small_game.postings() if p["player"] == "名簿にない人"] == []

    def test_a_name_on_the_roster_is_escaped_in_every_kind_of_article(
        self, new_small_game: SampleGame
    ) -> None:
        evil = "<b>ぽん</b>|*かん*"
        rename_player(new_small_game, "ぽんかん", evil)
        new_small_game.run()
        article = new_small_game.out / "public"
        pages = {p.suffix: p.read_text("utf-8") for p in article.glob("10月14日_複製.*")}
        assert "&lt;b&gt;ぽん&lt;/b&gt;|*かん*" in pages[".html"]
        assert r"| &lt;b\>ぽん&lt;/b\>\|\*かん\* |" in pages[".md"]
        assert evil in pages[".txt"]


def rename_player(game: SampleGame, old: str, new: str) -> None:
    base = game.folder / "samples/kanada"
    for path in (*base.glob("masters/*.csv"), *base.glob("responses/*.csv"), game.words_path):
        write_csv(path, [[new if cell.strip() == old else cell for cell in row] for row in read_csv(path)])


@pytest.fixture
def new_small_game(tmp_path: Path) -> SampleGame:
    game = SampleGame.fresh(tmp_path / "game")
    game.shrink(SMALL)
    return game


# --- secrets ------------------------------------------------------------------------------------------------------

STEM = "Sesamo"


def mark_words(game: SampleGame) -> list[str]:
    """Put words that stand nowhere else in the place of every secret word, right or wrong, in roster and forms."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    marks: dict[str, str] = {}

    def mark(word: str) -> str:
        if not word.strip():
            return word
        number = len(marks)
        return marks.setdefault(word, f"{STEM}{letters[number // 26]}{letters[number % 26]}")

    for path in (game.words_path, *game.response_path("signup").parent.glob("*.csv")):
        header, *rows = read_csv(path)
        column = header.index("あいことば")
        write_csv(path, [header, *([*row[:column], mark(row[column]), *row[column + 1 :]] for row in rows)])
    return list(marks.values())


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> tuple[SampleGame, str]:
    """A game whose secret words can be told from everything else, with all that its commands said about it."""
    game = SampleGame.fresh(tmp_path_factory.mktemp("marked") / "game")
    game.shrink(SMALL)
    words = mark_words(game)
    wrong = (
        f"{STEM}Wrong",
        f"{STEM.lower()}aa",
        "".join(chr(ord(c) + 0xFEE0) for c in f"{STEM}AA"),
        f"={STEM}(A1)",
    )
    for number, word in enumerate(wrong):
        game.sign_up(f"S-97{number:02d}", f"2026/10/16 11:5{number}:00 午前 GMT+9", "10月20日")
        game.edit_response("signup", f"S-97{number:02d}", あいことば=word)
    said = [
        game.saitei("run", debug=True),
        game.saitei("run"),
        game.saitei("doctor"),
        game.saitei("run", "--json"),
    ]
    for response in ("S-9700", "R-0038", "S-0048"):
        entry = game.entry(response)
        said += [game.saitei("explain", entry, debug=True), game.saitei("explain", entry, "--json")]
    rows = game.read_responses("signup")
    game.write_responses(
        "signup", [[*row, row[5]] if "S-9700" in row else row for row in rows[:10] + rows[-3:]]
    )
    said += [game.saitei("run", "--as-of", LATER, debug=True), game.saitei("doctor")]
    assert len(words) >= 8
    return game, "".join(done.stdout + done.stderr for done in said)


def holds_secret(data: bytes) -> bool:
    text = unicodedata.normalize("NFKC", data.decode("utf-8", "replace")).casefold()
    return STEM.casefold() in text or STEM.casefold().encode("utf-16-le") in data


class TestSecrets:
    def test_the_words_are_really_judged(self, marked: tuple[SampleGame, str]) -> None:
        game, _said = marked
        assert game.status("S-0005", "2026-10-13") == "受理"
        assert game.status("S-9700") == "未定/本人不一致"

    def test_not_in_the_archive(self, marked: tuple[SampleGame, str]) -> None:
        assert not holds_secret(marked[0].archive_path.read_bytes())

    def test_in_no_part_of_the_workbook(self, marked: tuple[SampleGame, str]) -> None:
        with zipfile.ZipFile(marked[0].workbook_path) as package:
            assert [name for name in package.namelist() if holds_secret(package.read(name))] == []

    def test_in_no_file_that_a_run_leaves(self, marked: tuple[SampleGame, str]) -> None:
        game, _said = marked
        for folder in ("out", "var"):
            for path in (game.folder / folder).rglob("*"):
                assert not holds_secret(path.name.encode())
                assert path.is_dir() or not holds_secret(path.read_bytes()), path

    def test_in_nothing_that_a_command_says(self, marked: tuple[SampleGame, str]) -> None:
        assert marked[1]
        assert not holds_secret(marked[1].encode())

    def test_neither_is_the_key(self, marked: tuple[SampleGame, str]) -> None:
        game, said = marked
        key = (game.words_path.parent / "key").read_bytes().strip()
        assert key not in said.encode()
        for folder in ("out", "var"):
            for path in (game.folder / folder).rglob("*"):
                assert path.is_dir() or key not in path.read_bytes(), path

    def test_the_words_of_the_sample_itself_reach_no_file(self, game: SampleGame) -> None:
        """Those of four letters and more that no table of the masters holds by chance."""
        tables = "".join(p.read_text("utf-8") for p in (game.folder / "samples/kanada/masters").glob("*.csv"))
        words = [row[2] for row in read_csv(game.words_path)[1:] if len(row[2]) >= 4 and row[2] not in tables]
        assert len(words) > 5
        data = game.archive_path.read_bytes() + b"".join(game.files().values()) + game_log(game)
        with zipfile.ZipFile(game.workbook_path) as package:
            data += b"".join(package.read(name) for name in package.namelist())
        assert [word for word in words if word.encode() in data] == []

    def test_a_table_of_words_that_cannot_be_read_is_not_quoted(
        self, marked: tuple[SampleGame, str], tmp_path: Path
    ) -> None:
        game = marked[0].copy_to(tmp_path / "game")
        rows = read_csv(game.words_path)
        rows[3][1] = f"{STEM} at noon"
        write_csv(game.words_path, rows)
        for command in ("run", "doctor", "state"):
            done = game.saitei(command, debug=True)
            assert done.returncode in (1, 3), command
            assert not holds_secret((done.stdout + done.stderr).encode()), command
            assert "4行" in done.stdout + done.stderr

    def test_explain_shows_that_a_word_was_wrong_and_never_which(
        self, marked: tuple[SampleGame, str]
    ) -> None:
        game, _said = marked
        shown = game.saitei("explain", game.entry("S-9700")).stdout
        assert "あいことばと一致しません" in shown
        assert "あいことば:" not in shown


def game_log(game: SampleGame) -> bytes:
    return game.log_path.read_bytes() if game.log_path.exists() else b""


ADDRESS = re.compile(rb"[\w.+-]+@example\.(?:com|jp)")


class TestAddresses:
    def test_in_no_public_file_and_not_in_the_log(self, marked: tuple[SampleGame, str]) -> None:
        game, _said = marked
        for path in (game.out / "public").rglob("*"):
            assert not ADDRESS.search(path.read_bytes()), path.name
        assert game_log(game)
        assert not ADDRESS.search(game_log(game))

    def test_not_in_what_a_player_is_shown(self, marked: tuple[SampleGame, str]) -> None:
        game, _said = marked
        for response in ("S-0005", "S-0122", "R-0024"):
            item = game.verdicts()[game.entry(response)]
            for more in ((), ("--json",)):
                done = game.saitei("explain", item["entry_id"], "--for", item["player"], *more)
                assert done.returncode == 0
                assert not ADDRESS.search((done.stdout + done.stderr).encode())

    def test_a_row_without_a_key_does_not_bring_its_cells_into_the_log(self, small_game: SampleGame) -> None:
        """Two rows of 名簿 that hold nothing but one address: the finding tells the place."""
        with small_game.open_workbook() as book:
            for _twice in range(2):
                add_row(book["名簿"], メールアドレス="stray@example.com", 役割="星術師")
        small_game.saitei("run", "--as-of", LATER)
        assert b"stray" not in game_log(small_game)
        assert not ADDRESS.search(game_log(small_game))

    def test_log_lines_are_json_and_quote_nobody(self, hostile: SampleGame, tmp_path: Path) -> None:
        game = hostile.copy_to(tmp_path / "game")
        game.saitei("run", "--as-of", "2026-10-16 13:00:00")
        lines = [json.loads(line) for line in game_log(game).decode("utf-8").splitlines()]
        assert lines
        text = game_log(game).decode("utf-8")
        for trace in ("script", "HYPERLINK", "@SUM", "line one", "emoji", "あ" * 30):
            assert trace not in text, trace


# --- a real browser -----------------------------------------------------------------------------------------------


@pytest.mark.browser
class TestBrowser:
    """Chromium opens the articles from the disk; what it made of them is read back as its DOM."""

    def dump(self, page: Path, profile: Path) -> str:
        chromium = find_chromium()
        done = subprocess.run(
            [
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                f"--user-data-dir={profile}",
                "--dump-dom",
                page.as_uri(),
            ],
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-500:]
        return done.stdout.decode("utf-8")

    def test_an_article_shows_its_text(self, game: SampleGame, tmp_path: Path) -> None:
        dom = self.dump(game.out / "public/10月13日_複製.html", tmp_path / "profile")
        cells = re.findall(r"<td[^>]*>([^<]*)</td>", dom)
        assert cells == ["零番目の林檎", "砂糖細工", "眠れる炭酸水", "朝凪"]
        assert ">10月13日 複製</h2>" in dom

    def test_a_hostile_name_is_text_and_runs_nothing(
        self, new_small_game: SampleGame, tmp_path: Path
    ) -> None:
        evil = "<script>document.title='owned'</script><img src=x onerror=\"document.body.id='owned'\">"
        rename_player(new_small_game, "ぽんかん", evil)
        new_small_game.run()
        page = new_small_game.out / "public/10月14日_複製.html"
        probe = page.with_name("probe.html")
        probe.write_text(
            page.read_text("utf-8") + "<script>document.body.dataset.probe='scripts run here'</script>",
            "utf-8",
        )
        dom = self.dump(probe, tmp_path / "profile")
        assert 'data-probe="scripts run here"' in dom
        assert "<title>owned" not in dom
        assert 'id="owned"' not in dom
        assert "<img" not in dom
        assert "&lt;script&gt;document.title='owned'&lt;/script&gt;" in dom


def find_chromium() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium is missing")
        pytest.skip("chromium is not installed")
    return found
