"""A spreadsheet as a file of another kind: one tab as text, or all tabs as a workbook, a page or a web archive.

What a reader of such a file looks at is there: names of tabs, values, formulas, number formats. How it looks is not.
"""

from __future__ import annotations

import csv
import html
import io
import zipfile
from collections.abc import Callable

from tests.google_emulator.sheets import a1, office, reading
from tests.google_emulator.sheets.book import Book, Sheet
from tests.google_emulator.sheets.books import context_of
from tests.google_emulator.sheets.formulas import recalculate
from tests.google_emulator.world import File, World

# One name for each kind in addresses of docs.google.com, with the content type that Drive asks for.
TYPES = {
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "pdf": "application/pdf",
    "zip": "application/zip",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
}
OLD_TYPES = {"application/x-vnd.oasis.opendocument.spreadsheet": "ods"}
NAMES = {mime: name for name, mime in TYPES.items()} | OLD_TYPES


def export(file: File, world: World, name: str, sheet_id: int | None = None) -> bytes:
    """The spreadsheet, or the one tab that is named; text holds the first tab unless another is named."""
    context = context_of(world, file)
    book = context.book
    recalculate(book, context.now())
    chosen = book.sheets if sheet_id is None else [book.sheet(sheet_id)]
    return WRITERS[name](book, chosen)


def lines(book: Book, sheet: Sheet) -> list[list[str]]:
    """What the tab shows, all rows of one length."""
    found = reading.rows(book, sheet, a1.ALL, reading.FORMATTED, False)
    width = max((len(line) for line in found), default=0)
    return [[*map(str, line), *[""] * (width - len(line))] for line in found]


def as_csv(book: Book, chosen: list[Sheet]) -> bytes:
    """Lines end as in RFC 4180, the last one not at all."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(lines(book, chosen[0]))
    return out.getvalue().removesuffix("\r\n").encode("utf-8")


def as_tsv(book: Book, chosen: list[Sheet]) -> bytes:
    """Nothing is quoted here, so what would break a line becomes a blank."""
    plain = str.maketrans("\t\r\n", "   ")
    rows = ["\t".join(text.translate(plain) for text in line) for line in lines(book, chosen[0])]
    return "\r\n".join(rows).encode("utf-8")


def as_web_archive(book: Book, chosen: list[Sheet]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for sheet in chosen:
            rows = "".join(
                "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in line) + "</tr>"
                for line in lines(book, sheet)
            )
            page = f'<meta charset="utf-8"><table><tbody>{rows}</tbody></table>'
            archive.writestr(f"{sheet.title.replace('/', '_')}.html", page)
    return out.getvalue()


def as_pdf(book: Book, chosen: list[Sheet]) -> bytes:
    """A page for each tab. Its letters are those of the built-in font; others stand as question marks."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    pages = []
    for sheet in chosen:
        shown = ["  ".join(line) for line in lines(book, sheet)]
        text = "".join(f"({_escaped(line)}) Tj T*\n" for line in shown)
        stream = f"BT /F1 10 Tf 12 TL 40 800 Td\n{text}ET".encode("latin-1", "replace")
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
        pages.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
    kids = " ".join(f"{number} 0 R" for number in pages)
    objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    return _pdf_file(objects)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _pdf_file(objects: list[bytes]) -> bytes:
    out, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, each)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n".encode()
    return out + head + tail


WRITERS: dict[str, Callable[[Book, list[Sheet]], bytes]] = {
    "csv": as_csv,
    "tsv": as_tsv,
    "zip": as_web_archive,
    "pdf": as_pdf,
    "xlsx": office.as_xlsx,
    "ods": office.as_ods,
}
