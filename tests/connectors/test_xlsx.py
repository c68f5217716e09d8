"""The workbook as text: what was put in comes out, and what a human put in stays."""

from __future__ import annotations

import datetime as dt
import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from connectors.base import ColumnLook, SheetLook, SheetWrite, SourceError, WorkbookBusy
from connectors.xlsx import XlsxWorkbook
from rules.frames import Finding, Grid

LOOK = SheetLook(
    (ColumnLook("対応", owner="key"), ColumnLook("点", kind="number"), ColumnLook("メモ", owner="master"))
)
HEADER = ["対応", "点", "メモ"]

moment = dt.datetime.fromisoformat


def put(path: Path, grid: Grid, title: str = "表", look: SheetLook = LOOK) -> None:
    workbook = XlsxWorkbook(path)
    workbook.write([SheetWrite(title, grid, look)], workbook.read().fingerprint)


def get(path: Path, title: str = "表") -> Grid:
    return XlsxWorkbook(path).read().grids[title]


def edit(path: Path) -> tuple[openpyxl.Workbook, openpyxl.worksheet.worksheet.Worksheet]:
    book = openpyxl.load_workbook(path)
    return book, book["表"]


def store_value(path: Path, reference: str, kind: str, value: str) -> None:
    """Do what a spreadsheet program does on saving: put the result beside the formula."""
    source = path.read_bytes()
    with zipfile.ZipFile(io.BytesIO(source)) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            xml = old.read(name).decode() if name.endswith(".xml") else ""
            if f'<c r="{reference}"' in xml:
                start = xml.index(f'<c r="{reference}"')
                xml = xml[:start] + xml[start:].replace("<v />", f"<v>{value}</v>", 1)
                xml = xml.replace(f'<c r="{reference}"', f'<c r="{reference}" t="{kind}"')
            new.writestr(name, xml or old.read(name))


def test_what_a_human_typed_keeps_its_type_when_the_machine_writes_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"], ["A-2", "4"], ["A-3", "5"]])
    book, sheet = edit(path)
    sheet["C2"], sheet["C3"], sheet["C4"] = moment("2026-10-13 05:00:00"), 7.25, True
    sheet["C2"].comment = openpyxl.comments.Comment("見ました", "神代")
    sheet["C3"].fill = openpyxl.styles.PatternFill("solid", start_color="FF0000")
    sheet.column_dimensions["C"].width, sheet.column_dimensions["B"].hidden = 44, True
    book.create_sheet("私のメモ")["B2"] = "触らないで"
    book.save(path)
    grid = get(path)
    assert grid[1:] == [["A-1", "3", "2026-10-13 05:00:00"], ["A-2", "4", "7.25"], ["A-3", "5", "TRUE"]]
    for row in grid[1:]:
        row[1] += "0"
    put(path, grid)
    book, sheet = edit(path)
    assert [sheet.cell(row, 3).value for row in (2, 3, 4)] == [moment("2026-10-13 05:00:00"), 7.25, True]
    assert [sheet.cell(row, 2).value for row in (2, 3, 4)] == [30, 40, 50]
    assert sheet["C2"].comment.text == "見ました"
    assert sheet["C3"].fill.start_color.rgb == "00FF0000"
    assert sheet.column_dimensions["C"].width == 44
    assert sheet.column_dimensions["B"].hidden
    assert book["私のメモ"]["B2"].value == "触らないで"


def test_rows_that_a_human_sorted_are_read_and_written_where_they_lie_now(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"], ["A-2", "4", "先に"], ["A-3", "5"]])
    book, sheet = edit(path)
    sheet["C2"] = moment("2026-10-13 05:00:00")
    rows = [[(cell.value, cell.number_format) for cell in row] for row in sheet["A2:C4"]]
    for target, row in zip(sheet["A2:C4"], reversed(rows), strict=True):
        for cell, (value, number_format) in zip(target, row, strict=True):
            cell.value, cell.number_format = value, number_format
    book.save(path)
    sorted_rows = [["A-3", "5"], ["A-2", "4", "先に"], ["A-1", "3", "2026-10-13 05:00:00"]]
    assert get(path) == [HEADER, *sorted_rows]
    put(path, [HEADER, ["A-3", "9"], *sorted_rows[1:]])
    _, sheet = edit(path)
    assert [cell.value for cell in sheet[2]] == ["A-3", 9, None]
    assert [cell.value for cell in sheet[4]] == ["A-1", 3, moment("2026-10-13 05:00:00")]


def test_the_grid_is_the_whole_truth_of_its_tab(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3", "x", "余分"], ["A-2"], ["", "", "", "下"]])
    put(path, [HEADER, ["A-2"]])
    assert get(path) == [HEADER, ["A-2"]]
    _, sheet = edit(path)
    assert [sheet.cell(row, 1).style for row in (2, 3, 4)] == ["saitei key short", "Normal", "Normal"]


def test_merged_cells_are_parted_where_a_text_must_stand(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"]])
    book, sheet = edit(path)
    sheet.merge_cells("B2:C3")
    sheet.merge_cells("E5:F6")
    book.save(path)
    put(path, [HEADER, ["A-1", "3", "x"], ["A-2", "4"]])
    assert get(path) == [HEADER, ["A-1", "3", "x"], ["A-2", "4"]]
    assert [area.coord for area in edit(path)[1].merged_cells.ranges] == ["E5:F6"]


def test_a_formula_keeps_its_stored_value_and_stays_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, *([f"A-{n}", "3"] for n in range(6))])
    book, sheet = edit(path)
    stored = {
        "C2": ("n", "6.5"),
        "C3": ("str", " _x005F_x0041_&lt;b&gt; "),
        "C4": ("e", "#DIV/0!"),
        "C5": ("b", "1"),
    }
    for reference in [*stored, "C6"]:
        sheet[reference] = f"=B{reference[1]}*2"
    book.save(path)
    for reference, (kind, value) in {**stored, "C6": ("str", "")}.items():
        store_value(path, reference, kind, value)
    texts = ["6.5", " _x0041_<b> ", "#DIV/0!", "TRUE"]
    read = XlsxWorkbook(path).read()
    assert [row[2] for row in read.grids["表"][1:5]] == texts
    assert read.grids["表"][5:] == [["A-4", "3"], ["A-5", "3"]]
    assert read.findings == ()
    put(path, [*read.grids["表"][:6], ["A-9", "3"]])
    again = XlsxWorkbook(path).read()
    assert again.grids["表"][1:6] == read.grids["表"][1:6]
    assert again.findings == ()
    assert [edit(path)[1].cell(row, 3).value for row in range(2, 7)] == [f"=B{row}*2" for row in range(2, 7)]


def test_a_formula_without_a_stored_value_is_reported_and_does_not_look_blank(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"]])
    book, sheet = edit(path)
    sheet["C5"] = "=1+B2"
    book.save(path)
    read = XlsxWorkbook(path).read()
    assert read.grids["表"] == [HEADER, ["A-1", "3"], [], [], ["", "", "［数式］=1+B2"]]
    message = "計算結果のない数式（=1+B2）は読めません。値をそのまま入力してください。"
    assert read.findings == (Finding("unreadable", "表!C5", message),)
    put(path, [HEADER, ["A-1", "4"], [], [], ["", "", "［数式］=1+B2"]])
    assert edit(path)[1]["C5"].value == "=1+B2"
    put(path, [HEADER, ["A-1", "4"], [], [], ["", "", "=1+B2"]])
    assert get(path)[4] == ["", "", "=1+B2"]
    assert XlsxWorkbook(path).read().findings == ()


def test_an_error_value_is_read_as_its_word(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"]])
    book, sheet = edit(path)
    sheet["C3"] = "#REF!"
    book.save(path)
    assert get(path) == [HEADER, ["A-1", "3"], ["", "", "#REF!"]]


def test_parts_of_a_text_in_bold_are_one_text_and_stay_bold(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3"]])
    book, sheet = edit(path)
    bold = openpyxl.cell.rich_text.TextBlock(openpyxl.cell.text.InlineFont(b=True), "大事")
    sheet["C2"] = openpyxl.cell.rich_text.CellRichText("とても", bold)
    book.save(path)
    assert get(path)[1] == ["A-1", "3", "とても大事"]
    put(path, [HEADER, ["A-1", "4", "とても大事"]])
    cell = openpyxl.load_workbook(path, rich_text=True)["表"]["C2"]
    assert [str(part) for part in cell.value] == ["とても", "大事"]


def test_nothing_is_written_when_nothing_changed(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    grid = [HEADER, ["A-1", "3", "a\x07\r\n" + "あ" * 40_000], ["", "  "], []]
    put(path, grid)
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    put(path, grid)
    put(path, [HEADER, ["A-1", "3", "a␇\n" + "あ" * 40_000]])
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == stamp


def test_no_sheets_make_no_file(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    XlsxWorkbook(path).write([], "")
    assert not path.exists()
    assert XlsxWorkbook(path).read() == ({}, "", (), "", {})


def test_the_same_content_makes_the_same_parts(tmp_path: Path) -> None:
    parts = []
    for name in ("a.xlsx", "b.xlsx"):
        put(tmp_path / name, [HEADER, ["A-1", "3", "=1+1"]])
        with zipfile.ZipFile(tmp_path / name) as package:
            parts.append({n: package.read(n) for n in package.namelist() if n != "docProps/core.xml"})
    assert parts[0] == parts[1]


def test_a_file_that_changed_since_it_was_read_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1"]])
    fingerprint = XlsxWorkbook(path).read().fingerprint
    put(path, [HEADER, ["A-1", "", "人の言葉"]])
    with pytest.raises(
        WorkbookBusy, match=r"master\.xlsx: 処理中にほかの人が保存しました。何も書いていません。"
    ):
        XlsxWorkbook(path).write([SheetWrite("表", [HEADER], LOOK)], fingerprint)
    with pytest.raises(WorkbookBusy):
        XlsxWorkbook(path).write([SheetWrite("表", [HEADER], LOOK)], "")
    # What would be written is there already, but it is not what was read.
    with pytest.raises(WorkbookBusy):
        XlsxWorkbook(path).write([SheetWrite("表", get(path), LOOK)], fingerprint)
    assert get(path) == [HEADER, ["A-1", "", "人の言葉"]]


@pytest.mark.parametrize("damage", [b"", b"no workbook", b"PK\x03\x04 cut"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "master.xlsx"
    path.write_bytes(damage)
    with pytest.raises(SourceError, match=r"master\.xlsx: .*控えから戻すか"):
        XlsxWorkbook(path).read()
    assert path.read_bytes() == damage


def test_a_file_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER, ["A-1", "3", "x"]])
    whole = path.read_bytes()
    for length in range(1, len(whole) - 1, 211):
        path.write_bytes(whole[:length])
        with pytest.raises(SourceError):
            XlsxWorkbook(path).read()


def test_pictures_are_reported_before_they_are_lost(tmp_path: Path) -> None:
    path = tmp_path / "master.xlsx"
    put(path, [HEADER])
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("xl/drawings/drawing1.xml", "<xdr:wsDr></xdr:wsDr>")
    assert XlsxWorkbook(path).read().findings == ()
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("xl/drawings/drawing2.xml", "<xdr:wsDr><xdr:pic></xdr:pic></xdr:wsDr>")
    message = "図や画像があります。機械が書き込むと消えるので、別のファイルに移してください。"
    assert XlsxWorkbook(path).read().findings == (Finding("unreadable", "master.xlsx", message),)
