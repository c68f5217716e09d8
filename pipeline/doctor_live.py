"""`saitei doctor --live-check`: what we assume of Google, tried on a throw-away spreadsheet and form.

Promises: nothing of a game is touched: the two files must be others than any that the config or our own commands name,
and the spreadsheet must hold nothing but the blank tab that it was born with; every tab that was made is taken away.
Refuses to know: how anything is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from connectors.base import SourceError
from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
from connectors.google_session import Google
from connectors.google_sight import read_grant, read_server_time
from connectors.google_trial import CELLS, PREFIX, Bench, Experiment, RefusedError, Verdict, read_grid
from connectors.google_trial_cells import CELLS_AND_RULES
from connectors.google_trial_forms import BODY_SCOPE, count_items, try_form, try_responses, try_stale
from connectors.google_trial_rows import ROWS
from pipeline.config import Config
from pipeline.google_files import GoogleFiles, read_files, read_id, read_state
from pipeline.outside import connect
from pipeline.settings import ConfigError

_QUESTIONS = 1
_BORN = ("シート1", "Sheet1")
_SAYS = {True: "成り立つ　　　", False: "成り立たない　", None: "確かめられない"}
_ODD = (KeyError, IndexError, TypeError, ValueError, AttributeError)


def try_google(config: Config, say: Callable[[str], None]) -> int:
    """Print a line for each assumption; 1 if one that a run relies on does not hold, or something stayed behind."""
    book_id, form_id = _read_ids(config)
    allowed = _may_change_forms(config)
    scopes = (*FORMS_SCOPES, *SHEETS_SCOPES, *((BODY_SCOPE,) if allowed else ()))
    with connect(config, scopes) as google:
        bench = Bench(google, book_id)
        _hold_plain(google, form_id)
        _hold_blank(bench)
        verdicts: list[Verdict] = []
        try:
            for verdict in _try_all(config, google, bench, form_id, allowed):
                verdicts.append(verdict)
                say(_show(verdict))
        finally:
            left = _take_away(bench)
    counts = [sum(verdict.held is held for verdict in verdicts) for held in (True, False, None)]
    say(f"成り立つ {counts[0]} 件、成り立たない {counts[1]} 件、確かめられない {counts[2]} 件")
    say(left or "実験に使ったシートは消しました")
    return 1 if left or any(verdict.held is False and verdict.relied for verdict in verdicts) else 0


def _show(verdict: Verdict) -> str:
    more = "（今の作りは、これに頼っていません）" if verdict.held is False and not verdict.relied else ""
    return f"{_SAYS[verdict.held]}　{verdict.what}　［{verdict.seen}］{more}"


def _read_ids(config: Config) -> tuple[str, str]:
    """The two files; ConfigError where one is missing, or is one of the game's."""
    faults: list[str] = []
    found: dict[str, str] = {}
    block = config.block.google
    for place, what, given in (
        ("live_spreadsheet", "空のスプレッドシート", block.live_spreadsheet),
        ("live_form", "記述式の質問 1 つのフォーム", block.live_form),
    ):
        found[place] = read_id(given, f"google.{place}", faults)
        if not (given or "").strip():
            faults.append(
                f"google.{place}: 実験用のファイルの ID がありません。{what}を作ってこのアカウントを編集者に加え、"
                "その ID を書いてください"
            )
    used = [*_list_used(read_files(config)), *_list_used(read_state(config))]
    faults += [
        f"google.{place}: ゲームで使うファイルです。実験用に別のファイルを作って、その ID を書いてください"
        for place, file_id in found.items()
        if file_id and file_id in used
    ]
    if faults:
        raise ConfigError(faults)
    return found["live_spreadsheet"], found["live_form"]


def _list_used(files: GoogleFiles) -> list[str]:
    return [files.spreadsheet, files.line, *files.forms.values()]


def _may_change_forms(config: Config) -> bool:
    """A key is given the scope that it asks for; a person has granted it or not."""
    if config.block.google.login != "oauth":
        return True
    scopes = read_grant(config.resolve(config.block.google.token)).scopes
    return scopes is not None and BODY_SCOPE in scopes


def _hold_plain(google: Google, form_id: str) -> None:
    """ConfigError if people may be using the form."""
    count = count_items(google, form_id)
    if count > _QUESTIONS:
        raise ConfigError(
            [
                f"google.live_form: 実験用のフォームではなさそうです（項目が {count} 個）。"
                "記述式の質問 1 つだけのフォームを新しく作ってください"
            ]
        )


def _hold_blank(bench: Bench) -> None:
    """ConfigError unless the spreadsheet is as it was born, but for what an earlier trial left behind."""
    strangers = [title for title in bench.list_tabs() if not title.startswith(PREFIX)]
    odd = [title for title in strangers if title not in _BORN]
    if not odd and len(strangers) == 1 and not read_grid(bench.look(strangers[0], CELLS)):
        bench.take_away()
        return
    which = f"「{odd[0]}」というシートがあります" if odd else "最初のシートが空ではありません"
    raise ConfigError(
        [
            f"google.live_spreadsheet: 実験用の空のスプレッドシートではありません（{which}）。新しく作ってください"
        ]
    )


def _try_all(config: Config, google: Google, bench: Bench, form_id: str, allowed: bool) -> Iterator[Verdict]:
    there = read_server_time(config.block.google.endpoint)
    yield Verdict("Google の答えに、時計（Date）が載る", there is not None, "載る" if there else "載らない")
    for name, experiment in {**ROWS, **CELLS_AND_RULES}.items():
        yield from _guard(name, _on_bench(experiment, bench))
    yield from _guard("フォームの設定", lambda: try_form(google, form_id))
    yield from _guard("フォームの回答", lambda: try_responses(google, form_id))
    yield from _guard("フォームの変更", lambda: try_stale(google, form_id, allowed))


def _on_bench(experiment: Experiment, bench: Bench) -> Callable[[], Iterator[Verdict]]:
    return lambda: experiment(bench)


def _guard(name: str, trial: Callable[[], Iterator[Verdict]]) -> Iterator[Verdict]:
    """One trial that breaks off does not end the others."""
    try:
        yield from trial()
    except RefusedError as fault:
        yield Verdict(name, False, str(fault))
    except SourceError as fault:
        yield Verdict(name, None, str(fault))
    except _ODD as fault:
        yield Verdict(name, None, f"答えの形が思っていたものと違います（{type(fault).__name__}）")


def _take_away(bench: Bench) -> str:
    try:
        bench.take_away()
    except SourceError as fault:
        return f"実験に使ったシートを消せませんでした。「{PREFIX.strip()}」で始まるシートを手で消してください（{fault}）"
    return ""
