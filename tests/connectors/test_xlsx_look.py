"""How the tabs look: whose column it is, drop-downs, colours, filter, and what masters made of them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import openpyxl
import pytest
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from connectors.base import ColumnLook, SheetLook, SheetWrite
from connectors.xlsx import XlsxWorkbook
from rules.frames import Grid

MASTERS = tuple(f"マスター{n:02d}" for n in range(60))
COLUMNS = (
    ColumnLook("対応", 14, "key"),
    ColumnLook("理由", 20, wrap=True),
    ColumnLook("判定", 10),
    ColumnLook("裁定", 12, "master", ("自動", "受理", "不受理", "保留")),
    ColumnLook("裁定者", 12, "master", MASTERS),
)
LOOK = SheetLook(COLUMNS, 1, 1, {"受理": "BBE3C4", '"変"': "202020"}, "判定", "2F6DB5")
HEADER = [column.header for column in COLUMNS]
GRID = [["最終の書き込み 2026-10-12 03:05:00"], HEADER, ["A-1", "理由", "受理"], ["A-2", "理由", "未定"]]


def put(
    path: Path, grid: Grid, look: SheetLook = LOOK, title: str = "申込", order: tuple[str, ...] = ()
) -> None:
    workbook = XlsxWorkbook(path, order)
    workbook.write([SheetWrite(title, grid, look)], workbook.read().fingerprint)


def open_sheet(path: Path) -> tuple[openpyxl.Workbook, Worksheet]:
    book = openpyxl.load_workbook(path)
    return book, book["申込"]


def list_rules(sheet: Worksheet) -> dict[str, str]:
    return {str(rule.sqref): rule.formula1 for rule in sheet.data_validations.dataValidation}


def list_colours(sheet: Worksheet) -> dict[str, list[str]]:
    return {
        str(group.sqref): [rule.formula[0] for rule in group.rules] for group in sheet.conditional_formatting
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "master.xlsx"
    put(path, GRID)
    return path


def test_a_new_tab_has_a_frozen_filtered_header_and_prints_on_one_page_width(path: Path) -> None:
    _, sheet = open_sheet(path)
    assert sheet.freeze_panes == "B3"
    assert sheet.auto_filter.ref == "A2:E4"
    assert [sheet.column_dimensions[letter].width for letter in "ABCDE"] == [14, 20, 10, 12, 12]
    assert sheet.page_setup.orientation == "landscape"
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.sheet_properties.pageSetUpPr.fitToPage
    assert sheet.print_title_rows == "$2:$2"
    assert sheet.sheet_properties.tabColor.rgb == "002F6DB5"
    assert not sheet.protection.sheet


def test_whose_column_it_is_shows_in_header_and_body(path: Path) -> None:
    _, sheet = open_sheet(path)
    heads = [sheet.cell(2, column).fill.start_color.rgb[2:] for column in range(1, 6)]
    assert heads == ["9CA3AF", "475569", "475569", "F5B942", "F5B942"]
    bodies = [sheet.cell(4, column).fill.start_color.rgb[2:] for column in range(1, 6)]
    assert bodies == ["F3F4F6", "FFFFFF", "FFFFFF", "FFF8E1", "FFF8E1"]
    assert [sheet.cell(4, column).alignment.wrap_text for column in (1, 2)] == [None, True]
    assert {sheet.cell(row, 2).font.name for row in (1, 2, 3)} == {"Yu Gothic"}
    assert {sheet.cell(row, 2).alignment.vertical for row in (3, 4)} == {"top"}


def test_drop_downs_reach_below_the_last_row_and_long_lists_lie_in_the_hidden_sheet(path: Path) -> None:
    book, sheet = open_sheet(path)
    rules = list_rules(sheet)
    assert list(rules) == ["D3:D504", "E3:E504"]
    assert rules["D3:D504"] == '"自動,受理,不受理,保留"'
    name = rules["E3:E504"]
    assert book.defined_names[name].attr_text == "'_選択肢'!$D$2:$D$61"
    helper = book["_選択肢"]
    assert helper.sheet_state == "hidden"
    assert [helper.cell(row, 4).value for row in range(1, 62)] == [name, *MASTERS]
    assert list(XlsxWorkbook(path).read().grids) == ["申込"]


@pytest.mark.parametrize(
    ("choices", "inline"),
    [(("a" * 127, "b" * 126), True), (("a" * 127, "b" * 127), False), (("a,b",), False), (('a"b',), False)],
)
def test_a_list_is_written_into_the_rule_only_if_it_fits(
    tmp_path: Path, choices: tuple[str, ...], inline: bool
) -> None:
    put(tmp_path / "m.xlsx", [["裁定"]], SheetLook((ColumnLook("裁定", choices=choices),)))
    _, sheet = open_sheet(tmp_path / "m.xlsx")
    assert list_rules(sheet)["A2:A501"].startswith('"') is inline


def test_a_list_lives_as_long_as_a_tab_uses_it(path: Path) -> None:
    short = SheetLook((ColumnLook("対応"), ColumnLook("裁定者", choices=MASTERS)))
    put(path, [["対応", "裁定者"]], short, "別")
    put(path, GRID, LOOK._replace(columns=COLUMNS[:4]))
    book, _ = open_sheet(path)
    (name,) = list_rules(book["別"]).values()
    assert list(book.defined_names) == [name]
    assert [book["_選択肢"].cell(row, 4).value for row in (1, 2, 61)] == [name, MASTERS[0], MASTERS[59]]
    put(path, [["対応"]], SheetLook((ColumnLook("対応"),)), "別")
    book, _ = open_sheet(path)
    assert list(book.defined_names) == []
    assert book["_選択肢"].max_column == 2


def test_colours_follow_the_word_in_the_status_cell(path: Path) -> None:
    _, sheet = open_sheet(path)
    formulas = ['($C3="受理")+N("saitei")', '($C3="""変""")+N("saitei")']
    assert list_colours(sheet) == {"C3:C504": formulas, "A3:A504 B3:B504": formulas}
    strong, dark = sheet.conditional_formatting["C3:C504"]
    assert (strong.dxf.fill.bgColor.rgb[2:], strong.dxf.font.color.rgb[2:]) == ("BBE3C4", "1F2937")
    assert (dark.dxf.fill.bgColor.rgb[2:], dark.dxf.font.color.rgb[2:]) == ("202020", "FFFFFF")
    assert sheet.conditional_formatting["A3:A504 B3:B504"][0].dxf.fill.bgColor.rgb[2:] == "E4F4E7"


def test_rules_follow_the_columns_when_a_master_inserts_and_moves_some(path: Path) -> None:
    book, sheet = open_sheet(path)
    sheet.insert_cols(2)
    sheet["B2"], sheet["B3"] = "私の列", "x"
    sheet.auto_filter.add_filter_column(2, ["受理"])
    book.save(path)
    moved = XlsxWorkbook(path).read().grids["申込"]
    assert moved[1] == ["対応", "私の列", "理由", "判定", "裁定", "裁定者"]
    put(path, moved)
    _, sheet = open_sheet(path)
    assert list(list_rules(sheet)) == ["E3:E504", "F3:F504"]
    assert list(list_colours(sheet)) == ["D3:D504", "A3:A504 C3:C504"]
    assert sheet.auto_filter.ref == "A2:F4"
    assert [column.colId for column in sheet.auto_filter.filterColumn] == [2]
    assert sheet["B3"].value == "x"
    before = path.read_bytes()
    put(path, moved)
    assert path.read_bytes() == before
    put(path, [[row[1], row[0], *row[2:]] if len(row) > 1 else row for row in moved])
    assert open_sheet(path)[1].auto_filter.filterColumn == []


def test_rules_reach_further_when_rows_are_added_and_new_rows_are_dressed(path: Path) -> None:
    put(path, [*GRID, ["A-3", "あ" * 100, "受理"]])
    _, sheet = open_sheet(path)
    assert list(list_rules(sheet)) == ["D3:D505", "E3:E505"]
    assert list(list_colours(sheet)) == ["C3:C505", "A3:A505 B3:B505"]
    assert sheet.auto_filter.ref == "A2:E5"
    assert sheet["D5"].style == "saitei master short"
    # 100 full-width letters in a column of 20 need more lines than a row gets at most.
    assert [sheet.row_dimensions[row].height for row in (4, 5)] == [23, 8 * 18 + 5]


def test_a_long_answer_right_of_the_status_does_not_stretch_the_row(tmp_path: Path) -> None:
    look = SheetLook((*COLUMNS, ColumnLook("質問", 20, wrap=True)), 1, 1, {}, "判定")
    put(tmp_path / "m.xlsx", [[], [*HEADER, "質問"], ["A-1", "", "", "", "", "あ" * 100]], look)
    assert open_sheet(tmp_path / "m.xlsx")[1].row_dimensions[3].height == 3 * 18 + 5


def test_what_masters_made_stays(path: Path) -> None:
    book, sheet = open_sheet(path)
    own = DataValidation(type="whole", formula1="1", formula2="9")
    own.add("H3:H9")
    sheet.add_data_validation(own)
    sheet.conditional_formatting.add("H3:H9", FormulaRule(["$H3>5"], fill=PatternFill(bgColor="FF0000")))
    sheet.column_dimensions["B"].width = 77
    sheet["D3"].fill = PatternFill("solid", start_color="00FF00")
    sheet.freeze_panes = "C3"
    book.save(path)
    put(path, [*GRID, ["A-3"]])
    put(path, [*GRID, ["A-3"]], LOOK._replace(colours={"受理": "BBE3C4"}))
    _, sheet = open_sheet(path)
    assert list(list_rules(sheet)) == ["H3:H9", "D3:D505", "E3:E505"]
    assert list_colours(sheet)["H3:H9"] == ["$H3>5"]
    assert len(sheet.conditional_formatting) == 3
    assert sheet.column_dimensions["B"].width == 77
    assert sheet["D3"].fill.start_color.rgb == "0000FF00"
    assert sheet.freeze_panes == "C3"


def test_a_row_hidden_by_a_filter_is_shown_when_it_comes_to_hold_something_else(path: Path) -> None:
    book, sheet = open_sheet(path)
    sheet.row_dimensions[3].hidden = sheet.row_dimensions[4].hidden = True
    book.save(path)
    put(path, [*GRID[:3], ["A-2", "理由", "要確認"]])
    _, sheet = open_sheet(path)
    assert [sheet.row_dimensions[row].hidden for row in (3, 4)] == [True, False]


def test_a_changed_look_dresses_the_tab_anew_but_leaves_values_widths_and_formats(path: Path) -> None:
    book, sheet = open_sheet(path)
    sheet["D3"] = dt.datetime.fromisoformat("2026-10-13 05:00")
    sheet["D3"].number_format = "m/d h:mm"
    sheet.column_dimensions["A"].width = 33
    book.save(path)
    grid = XlsxWorkbook(path).read().grids["申込"]
    grid = [
        [*row, *[""] * (5 - len(row)), tail] for row, tail in zip(grid, ["", "新列", "", ""], strict=True)
    ]
    put(path, grid, LOOK._replace(columns=(*COLUMNS, ColumnLook("新列", 21, "master"))))
    _, sheet = open_sheet(path)
    assert sheet["F2"].style == "saitei head master"
    assert sheet["F3"].style == sheet["D3"].style == "saitei master short"
    assert sheet["D3"].number_format == "m/d h:mm"
    assert sheet["D3"].is_date
    assert [sheet.column_dimensions[letter].width for letter in "AF"] == [33, 21]


def test_columns_that_a_program_stored_as_a_group_are_parted(path: Path) -> None:
    book, sheet = open_sheet(path)
    for letter in "CDE":
        del sheet.column_dimensions[letter]
    sheet.column_dimensions["B"].width = 18
    sheet.column_dimensions["B"].min, sheet.column_dimensions["B"].max = 2, 1024
    book.save(path)
    put(path, [GRID[0], [*HEADER, "新列"]], LOOK._replace(columns=(*COLUMNS, ColumnLook("新列", 21))))
    columns = open_sheet(path)[1].column_dimensions
    spans = {letter: (column.min, column.max, column.width) for letter, column in columns.items()}
    assert spans == {
        "A": (1, 1, 14),
        "B": (2, 2, 18),
        "C": (3, 3, 18),
        "D": (4, 4, 18),
        "E": (5, 5, 18),
        "F": (6, 6, 21),
        "G": (7, 1024, 18),
    }


def test_new_tabs_take_their_place_in_the_order_among_the_tabs_of_masters(path: Path) -> None:
    order = ("要確認", "申込", "問い合わせ", "名簿")
    plain = SheetLook((ColumnLook("a"),))
    book, _ = open_sheet(path)
    book.create_sheet("私の", 0)
    book.active = 1
    book.save(path)
    for title in ("名簿", "要確認", "問い合わせ", "その他"):
        put(path, [["a"]], plain, title, order)
    book, sheet = open_sheet(path)
    assert book.sheetnames == ["私の", "要確認", "申込", "問い合わせ", "名簿", "その他", "_選択肢"]
    assert book.active is sheet


def test_a_fresh_book_opens_at_its_first_tab(tmp_path: Path) -> None:
    workbook = XlsxWorkbook(tmp_path / "m.xlsx", ("要確認", "申込"))
    plain = SheetLook((ColumnLook("a"),))
    workbook.write([SheetWrite("申込", [["a"]], plain), SheetWrite("要確認", [], plain)], "")
    book = openpyxl.load_workbook(tmp_path / "m.xlsx")
    assert book.sheetnames == ["要確認", "申込", "_選択肢"]
    assert book.active.title == "要確認"
    assert XlsxWorkbook(tmp_path / "m.xlsx").read().grids == {"要確認": [], "申込": [["a"]]}
