"""`saitei forms`: the forms at Google from the config that the rules read, and what has come apart from it.

Promises: the id of a new form is on disk before anything else is done with it, so that no second one is made; a form
that has an id is changed only as long as it is not finished; what can be set by a person only is told. Refuses to
know: what is submitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd

from connectors.base import SourceError
from connectors.google_session import Google
from pipeline.commands import choose_instant, only_run
from pipeline.config import Config, load_config
from pipeline.form_diff import MEND, Line, State, compare_form
from pipeline.google_files import GoogleFiles, read_files, read_state, write_state
from pipeline.google_maker import connect_maker, name_runner
from pipeline.outside import open_master
from pipeline.questions import Offer, Wanted, read_offer, want_form
from rules.game import Form

Say = Callable[[str], None]
_SHOWN: dict[State, str] = {"ok": "ok　　", "直す": "直す　", "追加できます": "追加できます　"}


def create_forms(path: Path, say: Say) -> int:
    """Make every form that has no id yet, finish those that were left half made, and print what is left to do."""
    config = load_config(path)
    with only_run(config):
        files, state = read_files(config), read_state(config)
        todo = [form for form in _own_forms(config) if _is_open(config, form.name, files, state)]
        for form in _own_forms(config):
            if form not in todo:
                say(f"ok　　{form.title}　もうあります（ID {files.forms[form.name]}）")
        if not todo:
            return 0
        runner = name_runner(config)
        with connect_maker(config) as google:
            offer = _read_offer(config, google, files)
            made = [_make_form(config, google, want_form(config, form, offer), runner, say) for form in todo]
    _list_rest(made, runner, say)
    return 0


def diff_forms(path: Path, say: Say) -> int:
    """Compare every form with the config; 1 if something would break."""
    from connectors.google_admin import FormAdmin
    from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
    from pipeline.outside import connect

    config = load_config(path)
    files, broken, refused = read_files(config), False, list[SourceError]()
    with connect(config, (*FORMS_SCOPES, *SHEETS_SCOPES)) as google:
        offer, admin = _read_offer(config, google, files), FormAdmin(google)
        for form in _own_forms(config):
            if form.name not in files.forms:
                lines = [Line(MEND, "ID がありません。saitei forms create で作るか、設定に書いてください")]
            else:
                try:
                    live, _revision = admin.read(files.forms[form.name], form.title)
                except SourceError as error:
                    refused.append(error)
                    continue
                lines = compare_form(want_form(config, form, offer), live)
            broken |= _say_lines(form.title, lines, say)
    for form in config.forms:
        if config.linked_tab(form.name):
            say(
                f"ok　　{form.title}　シート「{config.linked_tab(form.name)}」から読みます（質問は比べません）"
            )
    if refused:
        raise refused[0]
    return 1 if broken else 0


def _own_forms(config: Config) -> list[Form]:
    """The forms of which we read the responses by the API: those that ask for a secret word."""
    return [
        form
        for form in config.forms
        if any(field.secret for field in form.fields) and not config.linked_tab(form.name)
    ]


def _is_open(config: Config, name: str, files: GoogleFiles, state: GoogleFiles) -> bool:
    """Whether there is still something to be made. What the config names was made by somebody else."""
    block = config.block.forms.get(name)
    return name not in files.forms or (name in state.unfinished and not (block and block.id))


def _read_offer(config: Config, google: Google, files: GoogleFiles) -> Offer:
    book = open_master(config, google, files.spreadsheet) if files.spreadsheet else None
    return read_offer(config, _now(config), book)


def _now(config: Config) -> pd.Timestamp:
    return choose_instant(config, None)


def _make_form(
    config: Config, google: Google, wanted: Wanted, runner: str | None, say: Say
) -> tuple[Wanted, str, str]:
    """One form from nothing, or from where the last call left it; the form, its id and its address for players."""
    from connectors.google_admin import FormAdmin, Sharing

    admin, sharing, state, title = FormAdmin(google), Sharing(google), read_state(config), wanted.shape.title
    begun = wanted.name in state.forms
    if not begun:
        state.forms[wanted.name] = admin.create(title)
        state.unfinished.append(wanted.name)
        write_state(config, state)
    form_id = state.forms[wanted.name]
    live, revision = admin.read(form_id, title)
    if not live.questions:
        admin.fill(form_id, wanted.shape, revision)
    admin.publish(form_id, title)
    sharing.open_form(form_id, title)
    if runner:
        sharing.let_write(form_id, f"フォーム「{title}」", runner)
    state.unfinished.remove(wanted.name)
    write_state(config, state)
    if live.questions:
        live, _revision = admin.read(form_id, title)
        _say_lines(title, [line for line in compare_form(wanted, live) if line.state == MEND], say)
    say(f"{'仕上げました' if begun else '作りました'}　{title}（質問 {len(wanted.items)}、ID {form_id}）")
    return wanted, form_id, live.address


def _say_lines(title: str, lines: list[Line], say: Say) -> bool:
    """Print them; whether one of them is to be mended."""
    for state, text in lines:
        say(f"{_SHOWN[state]}{title}　{text}")
    return any(line.state == MEND for line in lines)


def _list_rest(made: list[tuple[Wanted, str, str]], runner: str | None, say: Say) -> None:
    """What Google lets only a person set, in the editor of each form."""
    say("")
    say("残りは Google の編集画面で設定してください（プログラムからは設定できません）")
    for wanted, form_id, address in made:
        say(f"□ {wanted.shape.title}　https://docs.google.com/forms/d/{form_id}/edit")
        for line in _list_settings(wanted):
            say(f"　・{line}")
        if runner == "":
            say("　・共有: saitei を実行するアカウントを編集者に加える")
        say(f"　・参加者に知らせるアドレス: {address}")


def _list_settings(wanted: Wanted) -> Iterator[str]:
    yield "「設定」→「回答」: 「回答を 1 回に制限する」オフ、「回答の編集を許可する」オフ"
    yield "「設定」→「表示設定」: 「結果の概要を表示する」オフ"
    yield "受け付けを終えたときのメッセージ: 締切を過ぎたことと、問い合わせ先を書く"
    for item in wanted.items:
        if item.field.ask.check:
            yield f"「{item.question.title}」→「回答の検証」: {item.field.ask.check}"
    if wanted.unlisted:
        titles = "、".join(f"「{title}」" for title in wanted.unlisted)
        yield f"まだ何も公開されていないので記述式にした質問: {titles}。公開した後に saitei forms diff で確かめる"
