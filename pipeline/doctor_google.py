"""The doctor's lines on Google: the login, each form, the spreadsheets, the quota.

Promises: what can be looked at is looked at, whatever else is wrong; what goes wrong is told in the words of a run.
Refuses to know: how Google is asked, and what any response says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from connectors.base import BookRead, FormMap, Pulled, Source, SourceError
from connectors.google_auth import FORMS_SCOPES, SHEETS_SCOPES
from connectors.google_forms import PAGE, FormsSource
from connectors.google_session import Google
from connectors.google_sight import FormState, read_form_state
from pipeline.config import Config
from pipeline.doctor_book import tell_book, tell_columns
from pipeline.doctor_login import Clock, Line, tell_clock, tell_grant, tell_login, tell_rights
from pipeline.google_files import GoogleFiles, read_files
from pipeline.outside import Outside, connect, missing_ids, open_file, open_master
from pipeline.settings import ConfigError
from pipeline.tabs import LINE, MASTER
from rules.game import Form

_READS, _EXPENSIVE = 60, 180
"""What Google allows one account in a minute: of calls to Sheets of either kind, of lists of responses."""

_COLLECTED = {"verified": "VERIFIED", "responder_input": "RESPONDER_INPUT"}
_SAID = {
    "VERIFIED": "確認済み",
    "RESPONDER_INPUT": "回答者からの入力",
    "DO_NOT_COLLECT": "収集しない",
}


def tell_google(config: Config, clock: Clock) -> Iterator[Line]:
    """Every line that needs Google. Without a login only those that come before it."""
    yield tell_clock(config.block.google.endpoint, clock)
    yield from tell_rights(config)
    granted = list(tell_grant(config, clock))
    yield from granted
    if not all(good for good, _text in granted):
        return
    try:
        google = connect(config, (*FORMS_SCOPES, *SHEETS_SCOPES))
    except SourceError as fault:
        yield False, f"認証　{fault}"
        return
    with google:
        login = list(tell_login(config, google))
        yield from login
        if all(good for good, _text in login):
            yield from _tell_files(config, google)


def _tell_files(config: Config, google: Google) -> Iterator[Line]:
    try:
        files = read_files(config)
    except ConfigError as error:
        yield from ((False, fault) for fault in error.faults)
        return
    yield from ((False, fault) for fault in missing_ids(config, files))
    book: BookRead | None = None
    if files.spreadsheet:
        state = yield from tell_book(config, google, MASTER, files.spreadsheet)
        if state is not None:
            try:
                book = open_master(config, google, files.spreadsheet).read()
                yield from tell_columns(config, state, book)
            except SourceError as fault:
                yield False, str(fault)
    if files.line:
        yield from tell_book(config, google, LINE, files.line)
    pages: dict[str, int] = {}
    for form in config.forms:
        yield from _tell_form(config, google, files, form, book, pages)
    yield tell_quota(pages, sum(map(bool, (files.spreadsheet, files.line))))
    yield (
        True,
        "共有　ほかにだれと共有されているか、役割の名は見えません（実行が Drive の範囲を求めないため）。"
        "読めるか、書けるかは上のとおり確かめました",
    )


def _tell_form(
    config: Config,
    google: Google,
    files: GoogleFiles,
    form: Form,
    book: BookRead | None,
    pages: dict[str, int],
) -> Iterator[Line]:
    """One form: where it is read from, how it is set, and what comes of reading it. `pages` takes note of its size."""
    form_id, tab = files.forms.get(form.name, ""), config.linked_tab(form.name)
    if form_id:
        try:
            # By its name, as a run calls it.
            state = read_form_state(google, f"フォーム {form.name}", form_id)
        except SourceError as fault:
            yield False, str(fault)
            if not tab:
                return
        else:
            yield from tell_settings(form, state)
            if tab:
                yield _tell_link(form, state, files.spreadsheet)
    elif tab:
        yield True, f"{form.title}　フォームの ID が設定にないので、公開、受付、アドレスの設定は見ていません"
    elif any(field.secret for field in form.fields):
        return  # missing_ids told it; a run would not read it from a file either
    if tab and book is None:
        yield False, f"{form.title}　マスターの表が読めないので、シート「{tab}」も読めません"
        return
    source, where = _open_source(config, google, form_id, form, book)
    try:
        pulled = source.pull(0)
    except SourceError as fault:
        yield False, f"{form.title}　{fault}"
        return
    if form_id and not tab:
        pages[form.title] = max(1, ceil(len(pulled.responses) / PAGE))
    yield from _tell_pull(form, pulled, where, pages.get(form.title, 1))


def _open_source(
    config: Config, google: Google, form_id: str, form: Form, book: BookRead | None
) -> tuple[Source, str]:
    """Where a run reads the form, and what that is called."""
    tab = config.linked_tab(form.name)
    if tab and book is not None:
        nothing = open_master(config, google, "")
        return Outside(config, nothing, None, tabs={form.name: tab}).linked(book)[
            form.name
        ], f"シート「{tab}」"
    if form_id:
        titles: FormMap = config.form_map(form)
        return FormsSource(google, form_id, titles, config.block.shrink_share), "Forms API "
    return open_file(config, form), f"ファイル {config.form_file(form.name).name} "


def _tell_pull(form: Form, pulled: Pulled, where: str, pages: int) -> Iterator[Line]:
    if pulled.complete:
        more = f"（{pages} ページ。1 ページは {PAGE} 件まで）" if pages > 1 else ""
        yield (
            True,
            f"{form.title}　{where}から {len(pulled.responses)} 件を読めました{more}。質問は設定と合います",
        )
    for finding in pulled.findings:
        yield False, f"{form.title}　{finding.place}: {finding.message}"


def tell_settings(form: Form, state: FormState) -> Iterator[Line]:
    """Whether players can send it, and whether the address is what the rules take it for."""
    if state.published is None:
        yield (
            True,
            (
                f"{form.title}　公開の設定がない、古い形のフォームです。受付中かどうかは、編集画面の「回答」で見てください"
            ),
        )
    elif not state.published:
        yield False, f"{form.title}　公開されていません。フォームの編集画面で「公開」を押してください"
    elif not state.accepting:
        yield (
            False,
            (
                f"{form.title}　回答を受け付けていません。締め切ったのでなければ、"
                "フォームの編集画面の「公開済み」から「回答を受け付ける」にしてください"
            ),
        )
    else:
        yield True, f"{form.title}　公開され、回答を受け付けています"
    wanted = _COLLECTED[form.address]
    good = state.collects == wanted
    now = _SAID.get(state.collects, "不明")
    yield (
        good,
        f"{form.title}　メールアドレスの収集は「{now}」です"
        + (
            ""
            if good
            else f"。設定は「{_SAID[wanted]}」です。フォームの「設定」の「メールアドレスを収集する」を直すか、"
            f"実情に合わせて設定の forms.{form.name}.email_collection を書き換えてください"
        ),
    )


def _tell_link(form: Form, state: FormState, spreadsheet: str) -> Line:
    if state.linked and state.linked == spreadsheet:
        return True, f"{form.title}　回答の送り先はマスターの表です"
    there = f"別のスプレッドシート（ID {state.linked}）" if state.linked else "どこでもありません"
    return False, (
        f"{form.title}　回答の送り先は{there}。フォームの「回答」の「回答の送信先を選択」でマスターの表を選ぶか、"
        f"設定の forms.{form.name}.tab を消してください"
    )


def tell_quota(pages: Mapping[str, int], books: int) -> Line:
    """How many calls a run makes beside what Google allows in the minute in which it makes them."""
    lists = sum(pages.values())
    good = lists <= _EXPENSIVE
    said = (
        f"回数　1 回の実行で、フォームの回答を {lists} 回（1 分に {_EXPENSIVE} 回まで）、表を {books} 回読み、"
        f"変わったときだけ書きます（ふつう 1 回。1 分に読み書きそれぞれ {_READS} 回まで）。"
    )
    if good:
        return True, said + f"5 分ごとに動かすと 1 時間に 12 回の実行、回答の読み取りは {lists * 12} 回です"
    return (
        False,
        said + "1 分の上限を超えるので、実行のたびに待たされます。終わったフォームを設定から外してください",
    )
