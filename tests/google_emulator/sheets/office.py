"""Workbooks of other programs: Office Open XML both ways, OpenDocument only out.

Written by hand and not through a library, because a formula must come with its value, as it does from the service:
who reads such a file calculates nothing.
"""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time, timedelta
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import openpyxl

from tests.google_emulator.sheets import a1, dates, formula_text, patterns, reading
from tests.google_emulator.sheets.book import Book, Cell, Fault, Formula, Sheet, Value

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_ODS = "application/vnd.oasis.opendocument.spreadsheet"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def _packed(parts: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return out.getvalue()


def as_xlsx(book: Book, chosen: list[Sheet]) -> bytes:
    shapes: list[str] = []
    sheets = {
        f"xl/worksheets/sheet{number}.xml": _HEAD + _xlsx_sheet(book, sheet, shapes)
        for number, sheet in enumerate(chosen, start=1)
    }
    count = range(1, len(chosen) + 1)
    listed = "".join(
        f'<sheet name={quoteattr(sheet.title)} sheetId="{number}" state="{_state(sheet)}" r:id="rId{number}"/>'
        for number, sheet in zip(count, chosen, strict=True)
    )
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{_LINKS}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in count
    )
    kinds = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_TYPE}.worksheet+xml"/>'
        for number in count
    )
    styles = f'<Relationship Id="rId0" Type="{_LINKS}/styles" Target="styles.xml"/>'
    return _packed(
        {
            "[Content_Types].xml": f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
            '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
            f'<Override PartName="/xl/styles.xml" ContentType="{_TYPE}.styles+xml"/>{kinds}</Types>',
            "_rels/.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
            f'Type="{_LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_LINKS}"><sheets>{listed}</sheets>'
            "</workbook>",
            "xl/_rels/workbook.xml.rels": f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{styles}{links}'
            "</Relationships>",
            "xl/styles.xml": _HEAD + _xlsx_styles(shapes),
            **sheets,
        }
    )


def _state(sheet: Sheet) -> str:
    return "hidden" if sheet.props.get("hidden") else "visible"


def _xlsx_styles(shapes: list[str]) -> str:
    formats = "".join(
        f'<numFmt numFmtId="{164 + index}" formatCode={quoteattr(shape)}/>'
        for index, shape in enumerate(shapes)
    )
    styles = "".join(
        f'<xf numFmtId="{164 + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for index in range(len(shapes))
    )
    return (
        f'<styleSheet xmlns="{_MAIN}">'
        + (f'<numFmts count="{len(shapes)}">{formats}</numFmts>' if shapes else "")
        + '<fonts count="1"><font><sz val="10"/><name val="Arial"/></font></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
        f'<cellXfs count="{len(shapes) + 1}"><xf xfId="0"/>{styles}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )


def _xlsx_sheet(book: Book, sheet: Sheet, shapes: list[str]) -> str:
    rows: dict[int, list[str]] = {}
    for row, column, cell in sheet.inside(sheet.whole()):
        value = book.value(sheet, row, column, cell)
        if value is None or isinstance(value, Formula):
            continue
        shape = patterns.pattern_of(reading.number_format(book, sheet, row, column, cell), book.locale)
        if shape and shape not in shapes:
            shapes.append(shape)
        style = f' s="{shapes.index(shape) + 1}"' if shape else ""
        kind, text = _xlsx_value(value)
        formula = f"<f>{escape(cell.value.text[1:])}</f>" if isinstance(cell.value, Formula) else ""
        held = f"<v>{escape(text)}</v>"
        if kind == "str" and not formula:
            kind, held = "inlineStr", f'<is><t xml:space="preserve">{escape(text)}</t></is>'
        place = f"{a1.column_name(column)}{row + 1}"
        rows.setdefault(row, []).append(f'<c r="{place}"{style} t="{kind}">{formula}{held}</c>')
    data = "".join(f'<row r="{row + 1}">{"".join(cells)}</row>' for row, cells in sorted(rows.items()))
    merged = "".join(f'<mergeCell ref="{a1.write_box(box)}"/>' for box in sheet.merges)
    merges = f'<mergeCells count="{len(sheet.merges)}">{merged}</mergeCells>' if merged else ""
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{data}</sheetData>{merges}</worksheet>'


def _xlsx_value(value: Value) -> tuple[str, str]:
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, Fault):
        return "e", value.shown
    return ("n", repr(value)) if isinstance(value, int | float) else ("str", str(value))


def as_ods(book: Book, chosen: list[Sheet]) -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    tables = "".join(_ods_table(book, sheet) for sheet in chosen)
    spaces = " ".join(
        f'xmlns:{name}="{names}:{name}:1.0"' for name in ("office", "table", "text", "manifest")
    )
    entries = "".join(
        f'<manifest:file-entry manifest:full-path="{path}" manifest:media-type="{kind}"/>'
        for path, kind in (("/", _ODS), ("content.xml", "text/xml"))
    )
    return _packed(
        {
            "mimetype": _ODS,
            "META-INF/manifest.xml": f"{_HEAD}<manifest:manifest {spaces}>{entries}</manifest:manifest>",
            "content.xml": f'{_HEAD}<office:document-content {spaces} office:version="1.2"><office:body>'
            f"<office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>",
        }
    )


def _ods_table(book: Book, sheet: Sheet) -> str:
    rows = []
    bottom = max(sheet.cells, default=-1) + 1
    for row in range(bottom):
        line = sheet.cells.get(row, {})
        cells = [_ods_cell(book, sheet, row, column) for column in range(max(line, default=-1) + 1)]
        rows.append(f"<table:table-row>{''.join(cells) or '<table:table-cell/>'}</table:table-row>")
    return f"<table:table table:name={quoteattr(sheet.title)}>{''.join(rows)}</table:table>"


def _ods_cell(book: Book, sheet: Sheet, row: int, column: int) -> str:
    cell = sheet.at(row, column)
    value = book.value(sheet, row, column, cell)
    shown = reading.render(book, sheet, row, column, cell, reading.FORMATTED, False)
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        kind = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, int | float):
        kind = _ods_number(value, reading.number_format(book, sheet, row, column, cell))
    else:
        kind = 'office:value-type="string"'
    return f"<table:table-cell {kind}><text:p>{escape(str(shown))}</text:p></table:table-cell>"


def _ods_number(value: int | float, shape: dict[str, Any] | None) -> str:
    moment = dates.moment(value) if shape and shape.get("type") in ("DATE", "DATE_TIME") else None
    if moment is not None:
        return f'office:value-type="date" office:date-value="{moment.isoformat()}"'
    return f'office:value-type="float" office:value="{value!r}"'


def from_xlsx(data: bytes, book: Book) -> list[Sheet]:
    """The tabs of a workbook, with values, formulas and number formats."""
    made = []
    workbook = openpyxl.load_workbook(io.BytesIO(data))
    for number, given in enumerate(workbook.worksheets):
        rows, columns = max(given.max_row, 1000), max(given.max_column, 26)
        sheet = Sheet(number, given.title, rows, columns)
        for line in given.iter_rows():
            for each in line:
                if each.value is not None:
                    sheet.put(each.row - 1, each.column - 1, _cell(each.value, each.number_format, book))
        made.append(sheet)
    return made


def _cell(value: Any, pattern: str, book: Book) -> Cell:
    if isinstance(value, str) and value.startswith("="):
        return Cell(Formula(formula_text.canonical(value, book)))
    shape = None if pattern == "General" else {"type": "NUMBER", "pattern": pattern}
    if isinstance(value, datetime | date | time | timedelta):
        kind = {datetime: "DATE_TIME", date: "DATE"}.get(type(value), "TIME")
        if isinstance(value, datetime) and not any(mark in pattern.casefold() for mark in "hs"):
            kind = "DATE"
        value, shape = _serial(value), {"type": kind, "pattern": pattern}
    return Cell(value, {"numberFormat": shape} if shape else None)


def _serial(value: Any) -> int | float:
    if isinstance(value, timedelta):
        return value / timedelta(days=1)
    if isinstance(value, time):
        return dates.serial(datetime.combine(dates.EPOCH.date(), value))
    return dates.serial(value if isinstance(value, datetime) else datetime.combine(value, time()))
