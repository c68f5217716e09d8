"""What we assume of cells and rules at Google: texts stay as they were written, and so do colours and protections.

Promises: each assumption is tried on a tab of its own; only blank cells that Google guards against us are touched
elsewhere, to see how it says so. Refuses to know: what follows if one does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from connectors.google_book import CELL_LIMIT, MARK
from connectors.google_trial import (
    CELLS,
    PREFIX,
    Bench,
    Json,
    Refusal,
    Trial,
    Verdict,
    area,
    put,
    read_grid,
)

_TEXTS = ("=1+1", "＝1+1", "+1", "-1", "@a", "0123", "１２３", "2026-11-30", "12:34", "TRUE", "'a", "1e5")
_KEPT = {
    "分解された仮名（か＋濁点）": ("か\u3099", True),
    "行末の空白": ("a  ", True),
    "行頭の空白": ("  a", True),
    "改行しない空白（U+00A0）": ("a\u00a0b", True),
    "幅のない空白（U+200B）": ("a\u200bb", True),
    "全角の空白": ("\u3000a\u3000", True),
    "タブ": ("a\tb", True),
    "改行（LF）": ("a\nb", True),
    "改行（CRLF）": ("a\r\nb", False),
    "異体字": ("葛\U000e0100", True),
    "絵文字": ("👩\u200d🚀", True),
    "制御文字（U+0001）": ("a\u0001b", False),
    "制御文字の絵（U+2401）": ("a\u2401b", True),
}
"""A text, and whether a run writes such: breaks are made one character and control characters are shown as pictures."""

_AS_TEXT: Json = {"userEnteredFormat": {"numberFormat": {"type": "TEXT", "pattern": "@"}}}
_DESCRIPTION = "saitei の実験"
_PROTECTIONS = "protectedRanges(range,description,warningOnly,requestingUserCanEdit)"


def try_texts(bench: Bench) -> Iterator[Verdict]:
    """What a player wrote may look like a formula, a number or a day."""
    tab = bench.make_tab()
    bench.do(put(tab.sheet_id, [[text] for text in _TEXTS], **_AS_TEXT))
    rows = bench.look(tab.title, CELLS)["data"][0].get("rowData", [])
    for text, row in zip(_TEXTS, rows, strict=True):
        value = row.get("values", [{}])[0].get("userEnteredValue", {})
        what = f"文字として書いた「{text}」は、文字のまま"
        yield Verdict(what, value == {"stringValue": text}, f"{value}")


def try_kept(bench: Bench) -> Iterator[Verdict]:
    """What Google changes on storing would be written again by every run. One call each: one may be refused."""
    tab = bench.make_tab(rows=len(_KEPT) + 1)
    answers = [
        bench.send([put(tab.sheet_id, [[text]], row=row)]) for row, (text, _) in enumerate(_KEPT.values())
    ]
    grid = read_grid(bench.look(tab.title, CELLS))
    for number, (name, (text, relied)) in enumerate(_KEPT.items()):
        stored = str(grid[number][0]) if number < len(grid) and grid[number] else ""
        seen = f"{_show_points(text)} → {_show_points(stored)}"
        answer = answers[number]
        if isinstance(answer, Refusal):
            seen = f"断られた: HTTP {answer.status}"
        yield Verdict(f"{name}は、そのまま残る", stored == text, seen, relied)


def try_limit(bench: Bench) -> Iterator[Verdict]:
    tab = bench.make_tab()
    answer = bench.send([put(tab.sheet_id, [["あ" * CELL_LIMIT]])])
    grid = read_grid(bench.look(tab.title, CELLS))
    size = len(str(grid[0][0])) if grid else 0
    told = f"断られた: HTTP {answer.status}" if isinstance(answer, Refusal) else f"{size:,} 字が残った"
    yield Verdict(f"1つのセルに {CELL_LIMIT:,} 字が入る", size == CELL_LIMIT, told)
    answer = bench.send([put(tab.sheet_id, [["あ" * (CELL_LIMIT + 1)]])])
    refused = isinstance(answer, Refusal)
    told = f"HTTP {answer.status}" if isinstance(answer, Refusal) else "受け付けた"
    yield Verdict(f"{CELL_LIMIT + 1:,} 字は断られる", refused, told, relied=False)


def try_colour_rule(bench: Bench) -> Iterator[Verdict]:
    """By a note in its formula we know our own colour rules again."""
    tab = bench.make_tab()
    formula = f'=($A1="受理")=({MARK})'
    condition = {"type": "CUSTOM_FORMULA", "values": [{"userEnteredValue": formula}]}
    style = {"backgroundColorStyle": {"rgbColor": {"green": 1.0}}}
    rule = {
        "ranges": [area(tab.sheet_id, (0, None), (0, 1))],
        "booleanRule": {"condition": condition, "format": style},
    }
    what = f"条件付き書式の数式の {MARK} は、受け付けられて残る"
    answer = bench.send([{"addConditionalFormatRule": {"rule": rule, "index": 0}}])
    if isinstance(answer, Refusal):
        yield Verdict(what, False, f"断られた: {answer.text}")
        return
    found = bench.look(tab.title, "conditionalFormats(ranges,booleanRule(condition(values)))")
    rules = found.get("conditionalFormats", [])
    texts = [
        str(value.get("userEnteredValue", ""))
        for each in rules
        for value in each.get("booleanRule", {}).get("condition", {}).get("values", [])
    ]
    yield Verdict(what, any(MARK in text for text in texts), "、".join(texts) or "なし")
    ranges = [place for each in rules for place in each.get("ranges", [])]
    yield _tell_open("条件付き書式の、終わりの行のない範囲は、開いたまま残る", ranges)


def try_warning(bench: Bench) -> Iterator[Verdict]:
    """Whoever types into a machine's column is warned; new rows are to be covered without another write."""
    tab = bench.make_tab(rows=10)
    place = area(tab.sheet_id, (1, None), (0, 2))
    made = {"range": place, "description": _DESCRIPTION, "warningOnly": True}
    answer = bench.send([{"addProtectedRange": {"protectedRange": made}}])
    if isinstance(answer, Refusal):
        yield Verdict("警告だけの保護を作れる", False, f"断られた: {answer.text}")
        return
    found = bench.look(tab.title, _PROTECTIONS).get("protectedRanges", [])
    kept = [each for each in found if each.get("description") == _DESCRIPTION and each.get("warningOnly")]
    yield Verdict("警告だけの保護を作れる", len(kept) == 1, f"{len(kept)} 件")
    told = all("requestingUserCanEdit" in each for each in kept) and bool(kept)
    what = "保護に、自分が編集できるか（requestingUserCanEdit）が載る"
    yield Verdict(what, told, "載る" if told else "載らない")
    yield _tell_open("保護の、終わりの行のない範囲は、開いたまま残る", [each["range"] for each in kept])
    bench.do({"appendDimension": {"sheetId": tab.sheet_id, "dimension": "ROWS", "length": 5}})
    found = bench.look(tab.title, _PROTECTIONS).get("protectedRanges", [])
    ends = [each["range"].get("endRowIndex") for each in found]
    covered = bool(ends) and all(end is None or end >= 15 for end in ends)
    yield Verdict("保護は、あとから足した行にも及ぶ", covered, f"終わり {ends}", relied=False)


def try_barred(bench: Bench) -> Iterator[Verdict]:
    """An editor cannot shut itself out, so this needs a protected cell that the human who shared the file made."""
    what = "保護されたセルへの書き込みは、全体が断られ、英語の文に protected cell がある"
    for title, sheet_id in bench.list_tabs().items():
        if title.startswith(PREFIX):
            continue
        for found in bench.look(title, _PROTECTIONS).get("protectedRanges", []):
            if found.get("warningOnly") or found.get("requestingUserCanEdit"):
                continue
            place = found.get("range", {})
            row, column = place.get("startRowIndex", 0), place.get("startColumnIndex", 0)
            yield _write_barred(bench, what, Trial(sheet_id, title), row, column)
            return
    yield Verdict(
        what,
        None,
        "このアカウントの編集できない保護がありません。人が最初のシートの A1 を保護すると確かめられます",
    )


def _write_barred(bench: Bench, what: str, tab: Trial, row: int, column: int) -> Verdict:
    other = bench.make_tab()
    start = {"sheetId": tab.sheet_id, "rowIndex": row, "columnIndex": column}
    blank = {"updateCells": {"start": start, "rows": [{"values": [{}]}], "fields": "userEnteredValue"}}
    answer = bench.send([put(other.sheet_id, [["a"]]), blank])
    if not isinstance(answer, Refusal):
        return Verdict(what, False, "書けてしまった")
    whole = not read_grid(bench.look(other.title, CELLS))
    said = "protected cell" in answer.text
    seen = f"HTTP {answer.status}、文{'あり' if said else 'なし'}、ほかの書き込み{'もなし' if whole else 'だけ残った'}"
    return Verdict(what, said and whole, seen)


def try_nothing(bench: Bench) -> Iterator[Verdict]:
    """The doctor's way to learn whether an account may write."""
    lookup = {"developerMetadataLookup": {"metadataKey": "saitei.trial.nothing"}}
    answer = bench.send([{"deleteDeveloperMetadata": {"dataFilter": lookup}}])
    seen = f"断られた: HTTP {answer.status}" if isinstance(answer, Refusal) else "受け付けた"
    what = "ないメタデータを消す書き込みは、何も変えずに受け付けられる"
    yield Verdict(what, not isinstance(answer, Refusal), seen)


def _tell_open(what: str, places: list[Json]) -> Verdict:
    ends = [place.get("endRowIndex") for place in places]
    open_ended = bool(ends) and all(end is None for end in ends)
    return Verdict(what, open_ended, "開いている" if open_ended else f"終わり {ends}", relied=False)


def _show_points(text: str) -> str:
    return " ".join(f"{ord(character):04X}" for character in text) or "空"


CELLS_AND_RULES = {
    "文字のまま": try_texts,
    "変わらない文字": try_kept,
    "セルの大きさ": try_limit,
    "条件付き書式": try_colour_rule,
    "警告だけの保護": try_warning,
    "保護されたセル": try_barred,
    "何もしない書き込み": try_nothing,
}
