"""One trouble at one call of a whole run: how it ends, and that one more run ends where there was no trouble.

The product of all troubles and all calls is slow; a choice of it runs every day: each trouble at the write, where it
can do the most harm, and a few at every other call.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from fault_game import PATIENCE, RECOVERED, Ran, Recovery, Saved, leaks, repair, run, run_on
from google_game import ROBOT, GoogleGame
from sample_game import LATER, NOON

HTML = "<!DOCTYPE html><title>Error</title>"
GRANT = {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
KINDS: dict[str, dict[str, Any]] = {
    "429": {"kind": "429"},
    "403 of a rate": {"kind": "403"},
    "500": {"kind": "500"},
    "502": {"kind": "502"},
    "503": {"kind": "503"},
    "a page": {"kind": "status", "status": 200, "body": HTML},
    "nothing": {"kind": "status", "status": 200, "body": {}},
    "drop-before": {"kind": "drop-before"},
    "drop-after": {"kind": "drop-after"},
    "cut": {"kind": "cut"},
    "late": {"kind": "late"},
    "401": {"kind": "401"},
    "expire": {"kind": "expire"},
    "400": {"kind": "status", "status": 400, "message": "Odd."},
    "404": {"kind": "status", "status": 404, "message": "Requested entity was not found."},
    "forbidden": {"kind": "forbidden"},
    "revoke": {"kind": "revoke"},
    "protect": {"kind": "protect", "sheet": "要確認"},
    "invalid_grant": {"kind": "status", "status": 400, "body": GRANT},
}
TOKENS = {"expire", "401"}
"""Another token helps, unless there is no end to it."""

LASTING = {"400", "404", "forbidden", "revoke", "protect", "invalid_grant"}
DONE = {"drop-after", "cut", "late"}
"""The work is done, however often the answer is lost or late."""

ONLY_WRITES = {"late", "protect"}
OF_TOKENS = {"429", "500", "502", "503", "a page", "drop-before", "drop-after", "cut", "invalid_grant"}
FORMS = ("signup", "replication", "effect", "attack", "inquiry")
METHODS = {
    "token": "oauth",
    "ask": "forms.forms.get",
    "list": "forms.forms.responses.list",
    "read": "sheets.spreadsheets.get",
    "write": "sheets.spreadsheets.batchUpdate",
}
WORDS = {
    "429": "回数の上限に達し、断られました。次の実行でやり直します",
    "403 of a rate": "回数の上限に達し、断られました。次の実行でやり直します",
    "401": f"{ROBOT} の認証が通りません。この機械の時計を合わせ、それでも直らなければ",
    "expire": f"{ROBOT} の認証が通りません。この機械の時計を合わせ、それでも直らなければ",
    "invalid_grant": f"{ROBOT} の認証が通りません。この機械の時計を合わせ、それでも直らなければ",
    "400": "設定の ID と saitei の版を確かめてください",
    "404": f"見つかりません。設定の ID を確かめ、{ROBOT} を編集者として共有に加えてください",
    "forbidden": f"{ROBOT} に権限がありません。ファイルの共有で、編集者として加えてください",
    "revoke": f"{ROBOT} に権限がありません。ファイルの共有で、編集者として加えてください",
    "protect": f"保護された範囲があって書けません。「データ」の「シートと範囲を保護」で、{ROBOT} に編集を許可するか",
}
PASSING_WORDS = "Google が応じませんでした。次の実行でやり直します。続くなら接続を確かめてください"


class Case(NamedTuple):
    """A trouble (`kind`) at a call (`call`, of one `form`), once or for ever."""

    kind: str
    call: str
    form: str = ""
    ever: bool = False

    def __str__(self) -> str:
        where = f"{self.call} {self.form}".strip()
        return f"{self.kind} at {where}{' for ever' if self.ever else ''}"

    def script(self, game: GoogleGame) -> dict[str, Any]:
        match = {"method": METHODS[self.call]}
        if self.form:
            match["file"] = game.ids[self.form]
        return {**KINDS[self.kind], "match": match, "times": 0 if self.ever else 1}

    @property
    def passes_at_the_token(self) -> bool:
        """No rate is known of the server of tokens: whatever passes there is told alike."""
        return self.call == "token" and self.kind not in LASTING

    @property
    def code(self) -> int:
        """0: nobody notices. 1: one form sat the run out, all else went on. 3: the spreadsheet could not be had."""
        if self.kind == "nothing" and self.call == "list":
            return 1
        noticed = self.ever or self.kind in LASTING
        if not noticed or (self.kind in DONE and self.call == "write"):
            return 0
        if self.call == "token":
            return 3
        return 1 if self.form else 3


def fits(kind: str, call: str, ever: bool = False) -> bool:
    if call == "token":
        return kind in OF_TOKENS
    if (kind, ever) == (
        "late",
        True,
    ):  # a server that never gave up and was always late: Google gives up before us
        return False
    return kind != "invalid_grant" and (kind not in ONLY_WRITES or call == "write")


def product(*places: tuple[str, str]) -> list[Case]:
    return [
        Case(kind, call, form, ever)
        for call, form in places
        for kind in KINDS
        for ever in (False, True)
        if fits(kind, call, ever)
    ]


FEW = [
    *(Case(kind, "write") for kind in ("429", "502", "drop-before", "drop-after", "cut", "late", "protect")),
    *(Case(kind, "write", ever=True) for kind in ("503", "cut")),
    *(Case(kind, "list", "signup") for kind in ("503", "forbidden", "nothing")),
    *(Case(kind, "read") for kind in ("revoke", "expire", "nothing")),
    Case("invalid_grant", "token"),
    Case("a page", "token", ever=True),
]
ALL = [
    case
    for case in product(("token", ""), *(("list", form) for form in FORMS), ("read", ""), ("write", ""))
    if case not in FEW and not (case.kind == "nothing" and case.form == "attack")
]
"""Nobody has sent an attack in the small game: nothing is the right answer to that call."""

FIRST = [
    *(Case(kind, "write") for kind in ("drop-after", "drop-before")),
    Case("503", "ask", "effect", True),
]
ALL_FIRST = [
    case
    for case in product(("token", ""), ("ask", "signup"), ("ask", "inquiry"), ("read", ""), ("write", ""))
    if case not in FIRST and case.kind != "late" and (case.kind, case.call) != ("nothing", "read")
]


def meet(saved: Saved, folder: Path, case: Case, as_of: str) -> tuple[GoogleGame, Ran]:
    """A run that meets the trouble, and how it must end."""
    game = saved.restore(folder / "game")
    game.emulator.control("fault", **case.script(game))
    ran = run(game, as_of)
    assert ran.code == case.code, ran
    assert ran.waited <= PATIENCE
    hold_words(game, case, ran)
    hold_calls(game, case)
    repair(game)
    assert leaks(game, ran) == []
    return game, ran


def hold_words(game: GoogleGame, case: Case, ran: Ran) -> None:
    """One line that names the file and what to do."""
    words = PASSING_WORDS if case.passes_at_the_token else WORDS.get(case.kind, PASSING_WORDS)
    if case.code == 0:
        assert ran.err == ""
    elif case.code == 3:
        name = f"マスターの表（ID {game.book_id}）: "
        assert re.fullmatch(rf"saitei: {re.escape(name)}.*{re.escape(words)}.*\n", ran.err)
        assert '"event": "run failed"' in ran.log
    else:
        form = case.form or "signup"
        assert ran.err == ""
        assert f"読めなかったフォーム・シート: {form}（前の結果のままです）" in ran.out
        if case.kind != "nothing":
            said = next(line for line in ran.out.splitlines() if line.startswith(f"　{form}: "))
            assert said.startswith(f"　{form}: フォーム {form}（ID {game.ids[form]}）: ")
            assert words in said


def hold_calls(game: GoogleGame, case: Case) -> None:
    """What is refused for good is not asked again."""
    if case.kind in LASTING and case.call != "token":
        file = game.ids[case.form] if case.form else game.book_id
        log = game.emulator.control("log")["calls"]
        struck = [call for call in log if (call["method"], call["file"]) == (METHODS[case.call], file)]
        assert len(struck) == 1


def survive(saved: Saved, ends: list[dict[str, Any]], folder: Path, case: Case, as_of: str) -> Recovery:
    """The trouble, and one more run when it is over."""
    game, ran = meet(saved, folder, case, as_of)
    return run_on(game, ends, as_of, later=ran.code == 1 or case.kind == "late")


EVERYDAY = (
    "drop-before at write",
    "drop-after at write",
    "late at write",
    "protect at write",
    "nothing at read",
)
"""Those of the choice that run every day; the others with the slow ones."""


@pytest.mark.parametrize(
    "case",
    [
        case if str(case) in EVERYDAY or case.form else pytest.param(case, marks=pytest.mark.slow)
        for case in FEW
    ],
    ids=str,
)
def test_a_trouble_is_over_after_one_more_run(
    news: Saved, news_ends: list[dict[str, Any]], tmp_path: Path, case: Case
) -> None:
    assert survive(news, news_ends, tmp_path, case, LATER) == RECOVERED


@pytest.mark.parametrize("case", FIRST, ids=str)
def test_a_trouble_of_the_first_run_is_over_after_one_more(
    newborn: Saved, newborn_ends: list[dict[str, Any]], tmp_path: Path, case: Case
) -> None:
    assert survive(newborn, newborn_ends, tmp_path, case, NOON) == RECOVERED


def test_a_first_write_that_comes_after_we_looked_for_it_is_refused_to_us_and_found_by_the_next_run(
    newborn: Saved, newborn_ends: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Two writes cannot make the same tabs: the second one is refused whole."""
    game = newborn.restore(tmp_path / "game")
    game.emulator.control("fault", **Case("late", "write").script(game))
    assert run(game, NOON).code == 3
    repair(game)
    assert run_on(game, newborn_ends, NOON, later=False) == RECOVERED


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("case", ALL, ids=str)
def test_any_trouble_at_any_call_is_over_after_one_more_run(
    news: Saved, news_ends: list[dict[str, Any]], tmp_path: Path, case: Case
) -> None:
    assert survive(news, news_ends, tmp_path, case, LATER) == RECOVERED


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("case", ALL_FIRST, ids=str)
def test_any_trouble_at_any_call_of_the_first_run_is_over_after_one_more(
    newborn: Saved, newborn_ends: list[dict[str, Any]], tmp_path: Path, case: Case
) -> None:
    assert survive(newborn, newborn_ends, tmp_path, case, NOON) == RECOVERED
