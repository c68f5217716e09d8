"""What we assume of rows at Google: where appended ones go, what moves with a sort, what counts as a double.

Promises: each assumption is tried on a tab of its own. Refuses to know: what follows if one does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator

from connectors.google_trial import (
    CELLS,
    Bench,
    Json,
    Refusal,
    Trial,
    Verdict,
    area,
    put,
    read_grid,
    show_cell,
    tag,
)

_RULE = {"condition": {"type": "ONE_OF_LIST", "values": [{"userEnteredValue": "受理"}]}, "strict": False}
_GREY = {"backgroundColorStyle": {"rgbColor": {"red": 0.5, "green": 0.5, "blue": 0.5}}}
_KEY = "saitei.trial"


def try_answer(bench: Bench) -> Iterator[Verdict]:
    """The answer to a write is our only look at what came of it."""
    tab = bench.make_tab()
    fields = (
        "sheets(properties(title),developerMetadata(metadataKey),"
        "data(rowMetadata(developerMetadata(metadataKey)),rowData(values(userEnteredValue))))"
    )
    requests = [put(tab.sheet_id, [["甲", 1.5]]), tag(tab.sheet_id, _KEY), tag(tab.sheet_id, _KEY, 0)]
    answer = bench.send(requests, [tab.title], fields)
    if isinstance(answer, Refusal):
        yield Verdict("書き込みの答えに、頼んだシートだけが載る", False, f"断られた: {answer.text}")
        return
    sheets = answer.get("updatedSpreadsheet", {}).get("sheets", [])
    titles = [sheet["properties"]["title"] for sheet in sheets]
    yield Verdict(
        "書き込みの答えに、頼んだシートだけが載る", titles == [tab.title], f"シート {len(titles)} 枚"
    )
    shown: Json = next((sheet for sheet in sheets if sheet["properties"]["title"] == tab.title), {})
    grid = read_grid(shown)
    yield Verdict("書き込みの答えに、書いた直後のセルが載る", grid == [["甲", 1.5]], f"{grid}")
    on_tab = [each["metadataKey"] for each in shown.get("developerMetadata", [])]
    yield Verdict("書き込みの答えに、シートの開発者メタデータが載る", on_tab == [_KEY], f"{len(on_tab)} 件")
    rows = shown.get("data", [{}])[0].get("rowMetadata", [])
    tagged = [number for number, row in enumerate(rows) if row.get("developerMetadata")]
    yield Verdict(
        "書き込みの答えに、行の開発者メタデータが載る", tagged == [0], f"{len(tagged)} 件", relied=False
    )


def try_append(bench: Bench) -> Iterator[Verdict]:
    tab = bench.make_tab(rows=5)
    bench.do(put(tab.sheet_id, [["a"], [""], ["c"]]))
    bench.do(_append(tab, ["d", "e", "f", "g"]))
    seen = bench.look(tab.title, f"properties(gridProperties(rowCount)),{CELLS}")
    grid = read_grid(seen)
    wanted = [["a"], [], ["c"], ["d"], ["e"], ["f"], ["g"]]
    yield Verdict("appendCells は、データのある最後の行のすぐ下に入る", grid == wanted, f"{grid}")
    count = seen["properties"]["gridProperties"]["rowCount"]
    yield Verdict("appendCells は、足りない行を増やす", count >= len(wanted), f"5 行が {count} 行に")


def try_append_below_rules(bench: Bench) -> Iterator[Verdict]:
    """Whether dressed but blank rows count as used: then rows that are added leave a gap."""
    dressed: tuple[tuple[str, Json, bool], ...] = (
        ("入力規則", {"dataValidation": _RULE}, False),
        ("書式", {"userEnteredFormat": _GREY}, True),
    )
    for name, dress, relied in dressed:
        tab = bench.make_tab(rows=10)
        cell = {"range": area(tab.sheet_id, (0, 10), (0, 2)), "cell": dress, "fields": next(iter(dress))}
        bench.do(put(tab.sheet_id, [["a"]]), {"repeatCell": cell})
        bench.do(_append(tab, ["b"]))
        grid = read_grid(bench.look(tab.title, CELLS))
        found = next((number for number, cells in enumerate(grid, 1) if cells == ["b"]), 0)
        what = f"{name}だけがある空の行は、appendCells には空のまま"
        yield Verdict(what, found == 2, f"2 行目のはずが {found} 行目", relied)


def try_sort(bench: Bench) -> Iterator[Verdict]:
    """A sort of whole rows is how rows are put in order, so that a master's cell stays beside its key."""
    tab = bench.make_tab()
    first = area(tab.sheet_id, (0, 1), (0, 3))
    bench.do(
        put(tab.sheet_id, [["b", 2, "メモb"], ["a", 1, "メモa"], ["c", 3, "メモc"]]),
        {"setDataValidation": {"range": first, "rule": _RULE}},
        {"repeatCell": {"range": first, "cell": {"userEnteredFormat": _GREY}, "fields": "userEnteredFormat"}},
        tag(tab.sheet_id, _KEY, 0),
    )
    bench.do(_sort(tab, column=1))
    fields = (
        "data(rowMetadata(developerMetadata(metadataKey)),"
        "rowData(values(userEnteredValue,dataValidation,userEnteredFormat(backgroundColorStyle))))"
    )
    seen = bench.look(tab.title, fields)
    grid = read_grid(seen)
    moved = [["a", 1, "メモa"], ["b", 2, "メモb"], ["c", 3, "メモc"]]
    yield Verdict("sortRange は、行のすべての値をまとめて動かす", grid == moved, f"{grid}")
    data = seen["data"][0]
    cells = [row.get("values", [{}])[0] for row in data["rowData"]]
    ruled = [number for number, cell in enumerate(cells) if "dataValidation" in cell]
    grey = [number for number, cell in enumerate(cells) if cell.get("userEnteredFormat")]
    tagged = [n for n, row in enumerate(data.get("rowMetadata", [])) if row.get("developerMetadata")]
    for name, found in (("入力規則", ruled), ("書式", grey), ("行の開発者メタデータ", tagged)):
        at = "、".join(f"{number + 1} 行目" for number in found) or "なし"
        what = f"sortRange は、{name}も行と一緒に動かす"
        yield Verdict(what, found == [1], f"1 行目から 2 行目へ動いた行に対して {at}", relied=False)


def try_order(bench: Bench) -> Iterator[Verdict]:
    tab = bench.make_tab()
    bench.do(put(tab.sheet_id, [["p", "9"], ["q", 10], ["r"], ["s", 2], ["t", "あ"]]))
    bench.do(_sort(tab, column=1))
    order = [cells[0] for cells in read_grid(bench.look(tab.title, CELLS)) if cells]
    kinds = {"s": "数2", "q": "数10", "p": "文字9", "t": "文字あ", "r": "空"}
    shown = "、".join(kinds.get(str(name), "?") for name in order)
    yield Verdict("昇順の並べ替えは、数、文字、空の順になる", order == ["s", "q", "p", "t", "r"], shown)


def try_doubles(bench: Bench) -> Iterator[Verdict]:
    tab = bench.make_tab()
    bench.do(
        put(tab.sheet_id, [["k", "1", "メモ"], ["k", "1", "メモ"], ["k", "1"], ["k", "2", "メモ"], ["z"]])
    )
    bench.do(_drop_doubles(tab))
    grid = read_grid(bench.look(tab.title, CELLS))
    wanted = [["k", "1", "メモ"], ["k", "1"], ["k", "2", "メモ"], ["z"]]
    yield Verdict("deleteDuplicates は、すべて同じ後の行だけを消して詰める", grid == wanted, f"{grid}")
    case = bench.make_tab()
    bench.do(put(case.sheet_id, [["k", "abc"], ["k", "ABC"]]))
    bench.do(_drop_doubles(case))
    grid = read_grid(bench.look(case.title, CELLS))
    what = "deleteDuplicates は、大文字と小文字だけが違う行も同じとみなす"
    yield Verdict(what, grid == [["k", "abc"]], f"{grid}", relied=False)


def _append(tab: Trial, texts: list[str]) -> Json:
    rows = [{"values": [show_cell(text)]} for text in texts]
    return {"appendCells": {"sheetId": tab.sheet_id, "rows": rows, "fields": "userEnteredValue"}}


def _sort(tab: Trial, column: int) -> Json:
    spec = {"dimensionIndex": column, "sortOrder": "ASCENDING"}
    return {"sortRange": {"range": area(tab.sheet_id, (0, None), (0, 6)), "sortSpecs": [spec]}}


def _drop_doubles(tab: Trial) -> Json:
    return {"deleteDuplicates": {"range": area(tab.sheet_id, (0, None), (0, 6))}}


ROWS = {
    "書き込みの答え": try_answer,
    "appendCells": try_append,
    "appendCells と飾っただけの行": try_append_below_rules,
    "sortRange": try_sort,
    "並べ替えの順": try_order,
    "deleteDuplicates": try_doubles,
}
