"""A small game at Google with news of every kind, put back as it was for each trouble, and what is left after it."""

from __future__ import annotations

import copy
import csv
import io
import json
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from google_bench import StoppedClock
from google_game import ROBOT, GoogleGame
from sample_game import LATER, header_row, read_csv

from pipeline.archive import Archive
from pipeline.cli import run_cli
from pipeline.journal import FILE, ROW
from pipeline.tabs import LINE
from rules.frames import Grid
from tests.google_emulator.server import Emulator

HISTORY = "実行履歴"
PATIENCE = 240.0
TOLD_BY_THE_RUN = ("変わった判定", "内容")
"""What a line of the history says of that very run: two runs that share the work each tell their half."""

BEAT = "確認済"
SETTLED = "解消"
"""How a row of 要確認 is marked that told of a trouble which is over."""


class Ran(NamedTuple):
    """What one call of the command line left behind."""

    code: int
    out: str
    err: str
    log: str
    waited: float

    @property
    def said(self) -> str:
        return self.out + self.err + self.log


class Saved:
    """A game and everything at Google, as they were at one moment."""

    def __init__(self, game: GoogleGame) -> None:
        self.game = game
        self.files = copy.deepcopy(game.emulator.world.files)

    def restore(self, folder: Path) -> GoogleGame:
        """The game in a folder of its own; the emulator, which serves one game at a time, is put back."""
        emulator = self.game.emulator
        clear(emulator)
        emulator.world.files.clear()
        emulator.world.files.update(copy.deepcopy(self.files))
        shutil.copytree(self.game.folder, folder, dirs_exist_ok=True)
        return GoogleGame(folder, emulator, self.game.ids)


def clear(emulator: Emulator) -> None:
    """No trouble from here on; what was late never comes."""
    emulator.control("faults/clear")
    emulator.control("log/clear")
    emulator.service.late.clear()


def run(game: GoogleGame, as_of: str = LATER) -> Ran:
    """`saitei run`, in this process, waiting by a clock of its own."""
    clock, out, err = StoppedClock(), io.StringIO(), io.StringIO()
    start = clock.now
    arguments = ["run", "--config", str(game.config_path), "--as-of", as_of]
    with redirect_stdout(out), redirect_stderr(err):
        code = run_cli(arguments, clock.patience(total=PATIENCE))
    log = game.log_path.read_text("utf-8").splitlines()[-1]
    return Ran(code, out.getvalue(), err.getvalue(), log, clock.now - start)


def bring_news(game: GoogleGame) -> None:
    """Responses new, edited and withdrawn; decisions; rows of masters added, changed, deleted; a row copied."""
    game.sign_up("S-9500", "2026/10/16 0:35:00 午後 GMT+9", "10月20日", player="十六夜ポスト")
    game.edit_response("signup", "S-0122", タイムスタンプ="2026/10/16 0:36:00 午後 GMT+9", 備考="よろしく")
    game.delete_response("signup", "S-0115")
    game.type_into("要確認", game.entry("S-0099"), 裁定="受理", 裁定者="まつり", メモ="電話で確認")
    game.type_into("星座複製", game.entry("R-0036"), 裁定="不受理", 確定="確定")
    game.type_into("補正", "1", 増減="35")
    last = len(game.grids()["補正"])
    game.write(
        f"'補正'!A{last + 1}", [["9", "2026-10-16 12:00:00", "ぽんかん", "点数", "15", "補填", "遅刻の訂正"]]
    )
    game.human("delete-rows", sheet="補正", row=game.find("補正", "4", "番号")[0] - 1)
    game.human("delete-rows", sheet="マスイベ参加申込", row=4)
    copy_row(game, "マスイベ参加申込", 7)


def copy_row(game: GoogleGame, title: str, row: int) -> None:
    """A human copies a whole row below the last one; `row` is counted from 0."""
    sheet, end = game.sheet_id(title), len(game.grids()[title])
    source = {"sheetId": sheet, "startRowIndex": row, "endRowIndex": row + 1}
    target = {"sheetId": sheet, "startRowIndex": end, "endRowIndex": end + 1}
    game.batch({"copyPaste": {"source": source, "destination": target, "pasteType": "PASTE_NORMAL"}})


def end_state(game: GoogleGame) -> dict[str, Any]:
    """Everything that a run leaves, but for what it tells of itself."""
    grids = game.grids()
    journal = game.journal()
    rows = [json.loads(payload) for payload in journal.pop(ROW)]
    mine = [row for row in rows if row["tab"] != HISTORY and row["cells"].get("有効") != SETTLED]
    with Archive.open(game.archive_path) as archive:
        decisions = archive.decisions()[["place", "entry_id", "content"]].values.tolist()
        revisions = (
            archive.revisions()[["response_id", "revision", "withdrawn_at"]].astype(str).values.tolist()
        )
        inputs = archive.inputs()[["table", "key", "content"]].values.tolist()
    return {
        "grids": {
            title: [_still(row) for row in grid if SETTLED not in row]
            for title, grid in grids.items()
            if title != HISTORY
        },
        "history": _plain_history(game, grids),
        "verdicts": game.verdicts(),
        "journal": journal,
        "rows": sorted(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in mine),
        "files": game.files(),
        "decisions": sorted(map(str, decisions)),
        "revisions": sorted(map(str, revisions)),
        "inputs": sorted(map(str, inputs)),
        "leftovers": [path.name for path in game.folder.rglob("*.new")],
    }


def _still(row: list[str]) -> list[str]:
    """A row without the cell that tells when the machine last looked."""
    texts = ["" if text.startswith(BEAT) else text for text in row]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _plain_history(game: GoogleGame, grids: dict[str, Any]) -> list[list[str]]:
    grid = grids.get(HISTORY, [[]])
    head = grid[header_row(grid)]
    hidden = {head.index(name) for name in TOLD_BY_THE_RUN if name in head}
    return [[text for column, text in enumerate(row) if column not in hidden] for row in grid]


def differences(found: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """What is not as it should be, small enough to be read."""
    out: dict[str, Any] = {}
    for name, right in wanted.items():
        if found[name] != right:
            out[name] = _unlike(found[name], right)
    return out


def _unlike(found: Any, right: Any) -> Any:
    if isinstance(found, dict) and isinstance(right, dict):
        keys = [key for key in {*found, *right} if found.get(key) != right.get(key)]
        return {key: _unlike(found.get(key), right.get(key)) for key in keys}
    if isinstance(found, list | set) and isinstance(right, list | set):
        return [[x for x in found if x not in right], [x for x in right if x not in found]]
    return [found, right]


def unordered(state: dict[str, Any]) -> dict[str, Any]:
    """The state but for the order of rows, which is that of their coming, and for when a row was last laid down:
    a row that came back is marked so only where its loss was seen. What the line shows while something is in doubt is
    what it showed before, and that is another thing where a form was not there to raise the doubt."""
    grids = {title: sorted(_plain(grid)) for title, grid in state["grids"].items()}
    rows = [re.sub(r'"反映": "[^"]*"', "", row) for row in state["rows"] if f'"tab": "{LINE}"' not in row]
    files = {name: sorted(content.splitlines()) for name, content in state["files"].items()}
    journal = {kind: found for kind, found in state["journal"].items() if kind != FILE}
    return {**state, "grids": grids, "rows": sorted(rows), "files": files, "journal": journal}


def _plain(grid: Grid) -> Grid:
    head = grid[header_row(grid)] if grid else []
    hidden = head.index("反映") if "反映" in head else -1
    return [[text for column, text in enumerate(row) if column != hidden] for row in grid if any(row)]


def doubled_keys(game: GoogleGame) -> list[str]:
    """Keys that stand twice in a tab of the machine's, save where a human copied the row."""
    out = []
    for title, grid in game.grids().items():
        place = header_row(grid) if grid else 0
        key = next(
            (name for name in ("対応", "管理番号", "実行", "記録ID") if grid and name in grid[place]), ""
        )
        if key:
            column = grid[place].index(key)
            keys = [row[column] for row in grid[place + 1 :] if len(row) > column and row[column]]
            out += [f"{title} {name}" for name in sorted(set(keys)) if keys.count(name) > 1]
    return out


def secrets(game: GoogleGame) -> list[str]:
    """What must never be shown: words, keys, tokens, addresses of players, what they wrote."""
    with game.words_path.open(encoding="utf-8-sig") as stream:
        words = [row[2] for row in list(csv.reader(stream))[1:]]
    key = json.loads((game.folder / "private/google.json").read_text("utf-8"))
    key_lines = [line for line in key["private_key"].splitlines() if "-----" not in line]
    people = _column(game.folder / "samples/kanada/masters/名簿.csv", "メールアドレス")
    notes = ["よろしく", *_column(game.response_path("signup"), "備考")]
    asked = _column(game.response_path("inquiry"), "内容")
    tokens = list(game.emulator.service.accounts.tokens)
    return [text for text in (*words, *key_lines, *tokens, *people, *notes, *asked) if len(text) > 2]


def _column(path: Path, name: str) -> list[str]:
    head, *rows = read_csv(path)
    return [row[head.index(name)] for row in rows]


def leaks(game: GoogleGame, ran: Ran) -> list[str]:
    return [text for text in secrets(game) if text in ran.said]


def repair(game: GoogleGame) -> None:
    """The owner gives back what the trouble took: shares, and the right to write in protected ranges."""
    clear(game.emulator)
    for file_id in game.ids.values():
        game.emulator.control("share", fileId=file_id, email=ROBOT, role="writer")
    found = game.emulator.control(
        "call",
        method="sheets.spreadsheets.get",
        params={"spreadsheetId": game.book_id, "fields": "sheets.protectedRanges"},
    )
    theirs = [
        protected["protectedRangeId"]
        for sheet in found["sheets"]
        for protected in sheet.get("protectedRanges", [])
        if protected.get("description") == "protected by a human"
    ]
    if theirs:
        game.batch(*({"deleteProtectedRange": {"protectedRangeId": number}} for number in theirs))


class Recovery(NamedTuple):
    """One more run after the trouble: its exit code, what it complained of and leaked, keys that stand twice, and what
    is apart from where runs without trouble end."""

    code: int
    err: str
    leaked: list[str]
    doubled: list[str]
    apart: dict[str, Any]


RECOVERED = Recovery(0, "", [], [], {})


def run_on(game: GoogleGame, ends: list[dict[str, Any]], as_of: str, *, later: bool) -> Recovery:
    """Run once more. What comes `later`, from a form that sat out, a write that was late or a run that was killed, may
    stand in a later row."""
    ran = run(game, as_of)
    state = end_state(game)
    if later:
        state, ends = unordered(state), [unordered(end) for end in ends]
    apart = min((differences(state, end) for end in ends), key=lambda found: len(str(found)))
    return Recovery(ran.code, ran.err, leaks(game, ran), doubled_keys(game), apart)


def list_ends(saved: Saved, folder: Path, as_of: str) -> list[dict[str, Any]]:
    """Where one run and two runs without trouble end."""
    game = saved.restore(folder / "game")
    ends = []
    for _ in range(2):
        ran = run(game, as_of)
        assert (ran.code, ran.err, leaks(game, ran)) == (0, "", [])
        ends.append(end_state(game))
    return ends
