"""What neither the reader nor the writer library carries: formulas with their stored values, and error values.

The fast reader shows an error and a formula that was never computed as a blank cell, which would look like a master
having cleared it; the writer keeps a formula but drops the value Excel stored beside it. Both are mended here, on the
parts of the package itself.
Promises: nothing is parsed unless a sheet holds such a cell. Refuses to know: what any tab is for.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from openpyxl.utils.cell import coordinate_to_tuple

from connectors.xlsx_text import escape_text

_TELLTALE = re.compile(rb"""<(?:\w+:)?f[\s>/]|\st=["']e["']""")
_DRAWN = re.compile(rb"<(?:\w+:)?(?:pic|sp|cxnSp)[\s>]")
_BOOK = "xl/workbook.xml"
_BOOK_LINKS = "xl/_rels/workbook.xml.rels"
_SAVED_FORMULA = re.compile(
    rb'<c r="(?P<ref>[A-Z]+[0-9]+)"(?P<rest>[^>]*)>(?P<formula><f[^>]*/>|<f[^>]*>[^<]*</f>)<v ?/?>(?:</v>)?</c>'
)
_NUMBER_KINDS = frozenset({"", "n", "b", "e", "d"})

Place = tuple[int, int]
"""Row and column, counted from 1."""


class OddCell(NamedTuple):
    """A cell that holds a formula, an error or both. `stored` is None where a formula was never computed."""

    formula: str
    kind: str
    stored: str | None


def find_odd_cells(content: bytes) -> dict[str, dict[Place, OddCell]]:
    """Return the formula and error cells of every sheet, by title."""
    found: dict[str, dict[Place, OddCell]] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        for title, part in _list_parts(package).items():
            xml = package.read(part)
            if _TELLTALE.search(xml):
                found[title] = _parse_cells(xml)
    return found


def has_drawings(content: bytes) -> bool:
    """Tell whether the book holds pictures or shapes, which the writer cannot keep."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return any(
            _DRAWN.search(package.read(name))
            for name in package.namelist()
            if name.startswith("xl/drawings/drawing")
        )


def restore_values(content: bytes, values: Mapping[str, Mapping[Place, tuple[OddCell, str]]]) -> bytes:
    """Put stored values back beside the formulas of a book just saved by openpyxl.

    Excel computes them afresh when it opens the file; until then everybody who reads the file, this program included,
    sees what was there. `values` gives each cell with the text under which it was read.
    """
    source, target = io.BytesIO(content), io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        titles = {part: title for title, part in _list_parts(old).items()}
        for entry in old.infolist():
            xml = old.read(entry)
            wanted = values.get(titles.get(entry.filename, ""))
            new.writestr(entry, _fill_formulas(xml, wanted) if wanted else xml)
    return target.getvalue()


def _fill_formulas(xml: bytes, values: Mapping[Place, tuple[OddCell, str]]) -> bytes:
    def fill(match: re.Match[bytes]) -> bytes:
        found = values.get(coordinate_to_tuple(match["ref"].decode()))
        if found is None:
            return match[0]
        odd, text = found
        plain = odd.kind in _NUMBER_KINDS
        kind = odd.kind if plain else "str"
        stored = (odd.stored or "") if plain else escape_text(text)
        mark = f' t="{kind}"' if kind else ""
        value = f"<v>{escape(stored)}</v>"
        return b'<c r="%s"%s%s>%s%s</c>' % (
            match["ref"],
            match["rest"],
            mark.encode(),
            match["formula"],
            value.encode(),
        )

    return _SAVED_FORMULA.sub(fill, xml)


def _list_parts(package: zipfile.ZipFile) -> dict[str, str]:
    """Return title -> part name of every sheet. Namespaces are ignored, since two editions of them are in use."""
    links = {
        node.get("Id", ""): posixpath.normpath(posixpath.join("/xl", node.get("Target", ""))).lstrip("/")
        for node in ElementTree.fromstring(package.read(_BOOK_LINKS))
    }
    parts: dict[str, str] = {}
    for node in ElementTree.fromstring(package.read(_BOOK)).iter():
        if _local_name(node.tag) == "sheet":
            link = next((value for name, value in node.attrib.items() if name.endswith("}id")), "")
            parts[node.get("name", "")] = links[link]
    return parts


def _parse_cells(xml: bytes) -> dict[Place, OddCell]:
    found: dict[Place, OddCell] = {}
    for _, node in ElementTree.iterparse(io.BytesIO(xml)):
        if _local_name(node.tag) != "c":
            continue
        parts = {_local_name(child.tag): child for child in node}
        kind, value = node.get("t", ""), parts.get("v")
        if "f" in parts or kind == "e":
            # An empty value is a stored one only if it is a text; a number or an error is never empty.
            stored = None if value is None else (value.text or "")
            stored = stored if stored or kind == "str" else None
            formula = "=" + (parts["f"].text or "…") if "f" in parts else ""
            found[coordinate_to_tuple(node.get("r", "A1"))] = OddCell(formula, kind, stored)
        node.clear()
    return found


def _local_name(tag: str) -> str:
    return tag.rpartition("}")[2]
