"""The doctor's lines on a spreadsheet at Google: reachable, its zone, its tabs, who may write, its size.

Promises: a protection is told only where it would stop a write of ours. Refuses to know: how Google is asked.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from connectors.base import BookRead, SourceError
from connectors.google_session import Google
from connectors.google_sight import CELLS, BookState, prove_editor, read_book_state
from pipeline.config import Config
from pipeline.desk_sheet import find_header, lay_out
from pipeline.doctor_login import Line
from pipeline.sheets import list_tabs, tab_order
from rules.frames import Grid

_FULL = 0.9
_RULES = 200
"""Colour rules of one tab: we set a few dozen, and they once piled up in others' programs."""


def tell_book(
    config: Config, google: Google, what: str, book_id: str
) -> Generator[Line, None, BookState | None]:
    """The lines; what was seen is returned, None if nothing."""
    try:
        state = read_book_state(google, what, book_id)
    except SourceError as fault:
        yield False, str(fault)
        return None
    yield True, f"{what}　「{state.title}」を読めました（シート {len(state.tabs)} 枚）"
    refused = prove_editor(google, what, book_id)
    yield (not refused, refused or f"{what}　{google.identity.account} は編集できます")
    zone = str(config.settings.zone)
    good = state.zone == zone
    yield (
        good,
        f"{what}　タイムゾーンは {state.zone}"
        + ("" if good else f" で、設定の {zone} と違います。「ファイル」の「設定」でそろえてください"),
    )
    share = state.cells / CELLS
    yield (
        share < _FULL,
        f"{what}　セルは {state.cells:,}（上限 {CELLS:,} の {share:.0%}）"
        + ("" if share < _FULL else "。使わないシートや空の行を消してください"),
    )
    return state


def tell_columns(config: Config, state: BookState, book: BookRead) -> Iterator[Line]:
    """What only the masters' spreadsheet has: our tabs, protections in our way, colour rules, unreadable cells."""
    order = tab_order(config)
    missing = [title for title in order if title not in state.tabs]
    more = (
        f"、まだないもの {len(missing)} 枚（最初の実行で作ります）: {'、'.join(missing)}" if missing else ""
    )
    yield True, f"マスターの表　saitei のシート {len(order) - len(missing)} 枚{more}"
    barred = list(_tell_barriers(config, state, book))
    yield from barred or [(True, "マスターの表　機械が書く列に、書けない保護はありません")]
    total = sum(state.rules.values())
    piled = [title for title, count in state.rules.items() if count > _RULES]
    yield (
        not piled,
        f"マスターの表　条件付き書式は {total} 件"
        + (
            f"。{'、'.join(piled)} に多すぎます。「表示形式」の「条件付き書式」で減らしてください"
            if piled
            else ""
        ),
    )
    for finding in book.findings:
        yield False, f"マスターの表　{finding.place}: {finding.message}"


def _tell_barriers(config: Config, state: BookState, book: BookRead) -> Iterator[Line]:
    ours = {tab.title: tab for tab in list_tabs(config)}
    for barrier in state.barriers:
        tab = ours.get(barrier.title)
        columns: dict[str, int] = {}
        if tab is not None:
            columns = _find_columns(book.grids.get(tab.title, []), (tab.key, *tab.machines))
        hit = [header for header, column in columns.items() if barrier.bars(column)]
        if not hit and not (barrier.whole and not barrier.spots and barrier.title in tab_order(config)):
            continue
        name = f"「{barrier.description}」" if barrier.description else "保護された範囲"
        which = f"（{'、'.join(hit[:3])}{' ほか' if len(hit) > 3 else ''}）" if hit else ""
        yield (
            False,
            (
                f"マスターの表　シート「{barrier.title}」の{name}が、機械の書く列{which}にかかっていて書けません。"
                "「データ」の「シートと範囲を保護」で、このアカウントに編集を許可するか、保護を外してください"
            ),
        )


def _find_columns(grid: Grid, headers: tuple[str, ...]) -> dict[str, int]:
    """header -> its column; nothing where the tab has no header yet."""
    row = find_header(grid, headers, headers[:1])
    return {} if row is None else dict(lay_out(grid, row, headers).columns)
