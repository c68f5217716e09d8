"""The tabs of the master spreadsheet: which columns, whose they are, how wide.

Promises: what a master needs at night is in the first columns; masters' columns are the bold ones of TABS. Refuses
to know: what stands in the rows, and any game (its own columns come from its value).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from connectors.base import ColumnLook, SheetLook
from pipeline.desk import APPLIED, ORDER, InputTab, ReviewTab
from rules.game import Form, Game
from rules.tables import Table
from rules.verdicts import ACCEPTED, AUTOMATIC, HELD, REFUSED

ATTENTION = "要確認"
TODAY, PREVIEW, STATE, LEDGER, MAIL, BLOG, RUNS = (
    "今日",
    "予告",
    "状態一覧",
    "台帳",
    "メール",
    "ブログ",
    "実行履歴",
)
MASTER, LINE = "マスターの表", "LINE連携"
"""What the two workbooks are called where people read of them; the second is also the title of its only tab."""
"""Stands in a workbook of its own; the name is taken all the same, for the journal knows rows by it."""
HELD_BACK = "保留中"
OWN_TABS = (ATTENTION, TODAY, PREVIEW, STATE, LEDGER, MAIL, BLOG, RUNS, LINE)
COLOURS: Mapping[str, str] = {
    "受理": "C6E7CF",
    "成立": "C6E7CF",
    "不受理": "F6C7C3",
    "不成立": "F6C7C3",
    "期限後": "F6C7C3",
    "本人不一致": "E3C8EE",
    "対象外": "DDDDDD",
    "差替": "DDDDDD",
    "要確認": "FFE08A",
    "保留": "FFD3A8",
    "未定": "CFE2F7",
    "所見": "FFE08A",
    "解消": "DDDDDD",
    "公開": "C6E7CF",
    "予約": "CFE2F7",
    "下書き": "FFF2C4",
    "予定": "EEEEEE",
    "終了": "DDDDDD",
    "送信待ち": "FFE08A",
    "解禁前": "CFE2F7",
    "送信済": "C6E7CF",
    "期限超過": "F6C7C3",
    "取り消し": "DDDDDD",
}
EFFECTIVE = "有効"
RULINGS = (AUTOMATIC, ACCEPTED, REFUSED, HELD)


def machine(header: str, width: float = 12, *, wrap: bool = False, number: bool = False) -> ColumnLook:
    return ColumnLook(header, width, "machine", (), wrap, "number" if number else "text")


def master(header: str, width: float = 10, choices: Sequence[str] = (), *, wrap: bool = False) -> ColumnLook:
    return ColumnLook(header, width, "master", tuple(choices), wrap)


def key(header: str, width: float = 12, *, wrap: bool = False) -> ColumnLook:
    return ColumnLook(header, width, "key", (), wrap)


def review_columns(masters: Sequence[str], rulings: Sequence[str] = RULINGS) -> tuple[ColumnLook, ...]:
    """How every review tab begins."""
    return (
        key("対応", 13, wrap=True),
        machine("期限", 17, wrap=True),
        machine("誰・何", 26, wrap=True),
        machine("理由", 42, wrap=True),
        machine("判定", 10),
        master("裁定", 10, rulings),
        master("読み", 6, ("1", "2", "3")),
        master("メモ", 20, wrap=True),
        master("裁定者", 10, masters),
        master("担当", 10, masters),
        machine(EFFECTIVE, 10),
        machine("反映", 19),
        machine("注意", 34, wrap=True),
        machine("根拠", 20, wrap=True),
        machine("放置すると", 26, wrap=True),
        machine("受付ID", 20),
        machine("送信時刻", 22),
        master("確定", 8, ("確定",)),
    )


def attention_tab(masters: Sequence[str]) -> ReviewTab:
    return ReviewTab(ATTENTION, (*review_columns(masters), machine("種類", 16), _order()), banner=True)


def form_tab(form: Form, masters: Sequence[str]) -> ReviewTab:
    """The common columns, then what only this form's masters note, then the questions."""
    own = tuple(master(column.header, column.width, column.choices) for column in form.masters)
    taken = {column.header for column in (*review_columns(masters), *own)}
    asked = tuple(
        machine(f.title, f.width, wrap=True) for f in form.fields if not f.secret and f.title not in taken
    )
    common = review_columns(masters, form.rulings)
    return ReviewTab(form.title, (*common, *own, machine("アドレス", 24), *asked))


def output_tabs(game: Game, masters: Sequence[str], overview: Sequence[str]) -> dict[str, ReviewTab]:
    """The tabs that only show; some carry masters' ticks."""
    made = (
        (TODAY, "管理番号", _today_columns(masters)),
        (PREVIEW, "対応", _preview_columns()),
        (STATE, overview[0], _state_columns(overview)),
        (LEDGER, "記録ID", _ledger_columns(game.player_column)),
        (MAIL, "管理番号", _mail_columns()),
        (BLOG, "管理番号", _blog_columns()),
        (RUNS, "実行", _run_columns()),
    )
    return {title: ReviewTab(title, columns, key_header, "") for title, key_header, columns in made}


def _today_columns(masters: Sequence[str]) -> tuple[ColumnLook, ...]:
    shown = (machine("期限", 18), machine("種類", 10), machine("何を", 46, wrap=True), machine("状態", 10))
    ticks = (master("担当", 10, masters), master("済", 6, ("済",)), master("メモ", 20, wrap=True))
    return (*shown, *ticks, key("管理番号", 30), _order())


def _order() -> ColumnLook:
    """Sorting by it brings back the order of the machine."""
    return machine(ORDER, 6, number=True)


def _preview_columns() -> tuple[ColumnLook, ...]:
    texts = (("変わること", 26), ("影響", 60), ("すること", 40))
    return (key("対応", 20), *(machine(header, width, wrap=True) for header, width in texts))


def _state_columns(overview: Sequence[str]) -> tuple[ColumnLook, ...]:
    """Numbers are narrow, the lists at the end are wide."""
    first_list = len(overview) - 3
    columns = (
        machine(h, 30 if n >= first_list else 9, number=n < first_list) for n, h in enumerate(overview[1:], 1)
    )
    return (key(overview[0], 16), *columns)


def _ledger_columns(player: str) -> tuple[ColumnLook, ...]:
    who = (machine("時刻", 20), machine(player, 16), machine("項目", 10))
    numbers = (machine("増減", 9, number=True), machine("残高", 9, number=True), machine("状態", 7))
    return (*who, *numbers, machine("由来", 32, wrap=True), machine("根拠", 22), key("記録ID", 24))


def _mail_columns() -> tuple[ColumnLook, ...]:
    letter = (
        machine("状態", 10),
        machine("宛先", 16),
        machine("件名", 28, wrap=True),
        machine("本文", 50, wrap=True),
    )
    ticks = (master("承認", 8, ("承認",)), master("送信時刻", 20), master("メモ", 20, wrap=True))
    return (*letter, machine("解禁", 20), machine("期限", 20), *ticks, key("管理番号", 40))


def _blog_columns() -> tuple[ColumnLook, ...]:
    shown = (
        machine("状態", 10),
        machine("公開予定", 20),
        machine("題名", 26),
        machine("本文", 40, wrap=True),
    )
    return (*shown, machine("ファイル", 34), master("メモ", 20, wrap=True), key("管理番号", 30))


def _run_columns() -> tuple[ColumnLook, ...]:
    numbers = (("新しい送信", 11), ("変わった判定", 12), ("要確認", 9), ("所見", 9))
    return (
        key("実行", 20),
        *(machine(h, w, number=True) for h, w in numbers),
        machine("内容", 60, wrap=True),
    )


def line_tab(game: Game) -> ReviewTab:
    """What a messenger reads, all of it the machine's; what is held back stands where a master looks first."""
    player, *items = game.line_columns
    shown = (machine(item.header, item.width, wrap=item.wrap, number=item.number) for item in items)
    columns = (
        key(player.header, player.width),
        machine(HELD_BACK, 26, wrap=True),
        *shown,
        machine(APPLIED, 20),
    )
    return ReviewTab(LINE, columns, player.header, "")


def input_tab(table: Table) -> InputTab:
    return InputTab(table.name, table.headers, table.key)


def input_look(
    table: Table, players: Sequence[str], player_column: str, header_row: int = 0, *, grows: bool = False
) -> SheetLook:
    """Masters' own table: key columns first, drop-downs where the words are closed."""
    columns = []
    for column in table.columns:
        choices = column.choices or (
            tuple(players) if column.header == player_column and table.key != (player_column,) else ()
        )
        columns.append(ColumnLook(column.header, column.width, "master", choices, wrap=column.width >= 30))
    return SheetLook(tuple(columns), header_row, frozen_columns=1, tab_colour="F5B942", grows=grows)


_STATUS_COLUMN: Mapping[str, str] = {TODAY: "状態", MAIL: "状態", BLOG: "状態"}


def review_look(tab: ReviewTab, header_row: int, *, frozen: int = 1) -> SheetLook:
    """Frozen header and first columns, colours by the verdict in force."""
    status = EFFECTIVE if EFFECTIVE in tab.headers else _STATUS_COLUMN.get(tab.title, "")
    colour = "DC2626" if tab.title == ATTENTION else "2563EB" if EFFECTIVE in tab.headers else "64748B"
    sort = ORDER if ORDER in tab.headers else ""
    return SheetLook(tab.columns, header_row, frozen, COLOURS if status else {}, status, colour, sort, True)
