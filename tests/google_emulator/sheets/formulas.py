"""Calculating: every formula of a spreadsheet, each once, whatever order they depend on each other in."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tests.google_emulator.sheets import a1, comparing, entry, patterns
from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.book import Book, Fault, Formula, Sheet, Value
from tests.google_emulator.sheets.formula_functions import FUNCTIONS, TroubleError
from tests.google_emulator.sheets.formula_parse import Node, ParseError, UnsupportedError, parse
from tests.google_emulator.sheets.formula_text import Ref

DEPTH = 60
CIRCULAR = Fault(
    "REF", "Circular dependency detected. To resolve with iterative calculation, see File > Settings."
)
_NAMES = {"+": "ADD", "-": "MINUS", "*": "MULTIPLY", "/": "DIVIDE", "^": "POWER"}
Place = tuple[int, int, int]


class _LaterError(Exception):
    """Too deep to go on: this cell first, then again from the start."""

    def __init__(self, place: Place) -> None:
        super().__init__(place)
        self.place = place


def recalculate(book: Book, now: datetime) -> None:
    """Brings `book.computed` up to date if anything changed since the last time."""
    book.now = now
    if not book.stale and not book.volatile:
        return
    book.stale = book.volatile = False
    book.computed, book.inferred = {}, {}
    texts = {
        (sheet.id, row, column): cell.value.text
        for sheet in book.sheets
        for row, line in sheet.cells.items()
        for column, cell in line.items()
        if type(cell.value) is Formula
    }
    if texts:
        _Calculation(book, now, texts).run()


def evaluate(book: Book, sheet: Sheet, row: int, column: int, text: str) -> Value:
    """What a formula would come to in a cell, with everything else as it is."""
    return Evaluator(_Calculation(book, book.now, {}), (sheet.id, row, column), 0).formula(text)


class _Calculation:
    def __init__(self, book: Book, now: datetime, texts: dict[Place, str]) -> None:
        self.book, self.now, self.texts = book, now, texts
        self.sheets = {sheet.id: sheet for sheet in book.sheets}
        self.open: set[Place] = set()

    def run(self) -> None:
        for place in self.texts:
            waiting = [place]
            while waiting:
                current = waiting[-1]
                self.open.clear()
                try:
                    self.value(current, 0)
                    waiting.pop()
                except _LaterError as later:
                    if later.place in waiting:
                        self.book.computed[later.place] = CIRCULAR
                    else:
                        waiting.append(later.place)

    def value(self, place: Place, depth: int) -> Value:
        computed = self.book.computed
        if place in computed:
            return computed[place]
        if place in self.open:
            return CIRCULAR
        if depth > DEPTH:
            raise _LaterError(place)
        self.open.add(place)
        try:
            run = Evaluator(self, place, depth)
            found = run.formula(self.texts[place])
        finally:
            self.open.discard(place)
        computed[place] = found
        if run.format:
            self.book.inferred[place] = run.format
        return found


class Evaluator:
    """One formula in its cell."""

    def __init__(self, whole: _Calculation, place: Place, depth: int) -> None:
        self.whole, self.depth = whole, depth
        self.book, self.now, self.locale = whole.book, whole.now, whole.book.locale
        self.sheet = whole.sheets[place[0]]
        self.row, self.column = place[1], place[2]
        self.format: dict[str, Any] | None = None

    def volatile(self) -> None:
        self.book.volatile = True

    def formula(self, text: str) -> Value:
        try:
            tree = parse(text)
            value = self.value(tree)
            self.format = self.kind(tree)
        except ParseError:
            return Fault("ERROR", "Formula parse error.")
        except UnsupportedError:
            return Fault("NAME", "The emulator does not know array literals.")
        except TroubleError as trouble:
            return trouble.fault
        except (OverflowError, ValueError, ZeroDivisionError, IndexError, TypeError):
            return Fault("ERROR", "Formula parse error.")
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return int(value)
        return value

    def kind(self, tree: Node) -> dict[str, Any] | None:
        """The number format a formula hands on: dates stay dates, percentages percentages."""
        if tree[0] == "ref":
            return self._format_of(tree[1])
        if tree[0] == "call":
            name = tree[1].upper()
            if name in ("TODAY", "DATE"):
                return {"type": "DATE"}
            if name == "NOW":
                return {"type": "DATE_TIME"}
            if name in ("SUM", "AVERAGE", "MIN", "MAX", "ROUND", "ABS") and tree[2]:
                return self.kind(tree[2][0])
        if tree[0] == "percent":
            return {"type": "PERCENT", "pattern": "0.00%"}
        if tree[0] == "binary" and tree[1] in "+-":
            left, right = self.kind(tree[2]), self.kind(tree[3])
            if (
                tree[1] == "-"
                and left
                and right
                and {left.get("type"), right.get("type")} <= {"DATE", "DATE_TIME"}
            ):
                return None
            return left or right
        return None

    def _format_of(self, ref: Ref) -> dict[str, Any] | None:
        sheet = self.sheet if ref.title is None else self.book.titled(ref.title)
        if sheet is None:
            return None
        cell = sheet.at(ref.box.top, ref.box.left)
        own = (cell.format or {}).get("numberFormat")
        return own or self.book.inferred.get((sheet.id, ref.box.top, ref.box.left))

    def value(self, tree: Node) -> Any:
        kind = tree[0]
        if kind == "value":
            if isinstance(tree[1], Fault):
                raise TroubleError(*tree[1])
            return tree[1]
        if kind == "ref":
            return self._one(tree[1])
        if kind == "binary":
            return self._binary(tree[1], self.value(tree[2]), self.value(tree[3]))
        if kind == "unary":
            number = self.value(tree[2])
            return number if tree[1] == "+" else -self.number(number, "UMINUS")
        if kind == "percent":
            return self.number(self.value(tree[1]), "UNARY_PERCENT") / 100
        if kind == "call":
            made = FUNCTIONS.get(tree[1].upper())
            if made is None:
                raise TroubleError("NAME", f"Unknown function: '{tree[1]}'.")
            if any(arg[0] == "name" for arg in tree[2]):
                return made(self, [self._resolved(arg) for arg in tree[2]])
            return made(self, tree[2])
        if kind == "name":
            return self.value(self._resolved(tree))
        return None

    def _resolved(self, tree: Node) -> Node:
        if tree[0] != "name":
            return tree
        for named in self.book.named_ranges:
            if named["name"].casefold() == tree[1].casefold():
                sheet = self.book.sheet(named["range"].get("sheetId", 0))
                return ("ref", Ref(sheet.title, a1.box_of(named["range"]), (False,) * 4, "range"))
        raise TroubleError("NAME", f"Unknown range name: '{tree[1].upper()}'.")

    def _one(self, ref: Ref) -> Any:
        """A range where one value is due means its cell in this row or column."""
        sheet, box = self._about(ref)
        row, column = box.top, box.left
        if (box.bottom or 0) - box.top > 1:
            row = self.row
        if (box.right or 0) - box.left > 1:
            column = self.column
        if not (box.top <= row < (box.bottom or 0) and box.left <= column < (box.right or 0)):
            raise TroubleError("VALUE", "An array value could not be found.")
        found = self._at(sheet, row, column)
        if isinstance(found, Fault):
            raise TroubleError(*found)
        return found

    def _about(self, ref: Ref) -> tuple[Sheet, Box]:
        sheet = self.sheet if ref.title is None else self.book.titled(ref.title)
        if sheet is None:
            raise TroubleError("REF", f"Unresolved sheet name '{ref.title}'.")
        if ref.box.top >= sheet.rows or ref.box.left >= sheet.columns:
            raise TroubleError("REF", "Reference does not exist.")
        return sheet, sheet.clip(ref.box)

    def _at(self, sheet: Sheet, row: int, column: int) -> Value:
        cell = sheet.at(row, column)
        if type(cell.value) is Formula:
            return self.whole.value((sheet.id, row, column), self.depth + 1)
        return cell.value

    def cells(self, tree: Node) -> Iterator[Value]:
        """The values in a range that are not blank."""
        sheet, box = self._about(tree[1])
        for row, column, cell in sheet.inside(box):
            if cell.value is not None:
                yield self._at(sheet, row, column)

    def grid(self, tree: Node) -> list[list[Value]]:
        sheet, box = self._about(tree[1])
        return [
            [self._at(sheet, row, column) for column in range(box.left, box.right or 0)]
            for row in range(box.top, box.bottom or 0)
        ]

    def _binary(self, op: str, left: Any, right: Any) -> Any:
        if op == "&":
            return self.text(left) + self.text(right)
        if op in comparing.OPERATORS:
            return comparing.holds(op, left, right)
        name = _NAMES[op]
        one, two = self.number(left, name, 1), self.number(right, name, 2)
        if op == "+":
            return one + two
        if op == "-":
            return one - two
        if op == "*":
            return one * two
        if op == "^":
            return float(one) ** two
        if not two:
            raise TroubleError("DIVIDE_BY_ZERO", "Function DIVIDE parameter 2 cannot be zero.")
        return one / two

    def number(self, value: Any, name: str, parameter: int = 1) -> float:
        if value is None:
            return 0
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, int | float):
            return value
        found = entry.read(value, self.locale, self.now.date()) if value else None
        if found is not None and isinstance(found.value, int | float) and not isinstance(found.value, bool):
            return found.value
        raise TroubleError(
            "VALUE",
            f"Function {name} parameter {parameter} expects number values. "
            f"But '{value}' is a text and cannot be coerced to a number.",
        )

    def text(self, value: Any) -> str:
        return patterns.show(value, None, self.locale)

    def truth(self, value: Any) -> bool:
        if isinstance(value, str):
            if value.casefold() in ("true", "false"):
                return value.casefold() == "true"
            raise TroubleError(
                "VALUE", f"Function IF parameter 1 expects boolean values. But '{value}' is a text."
            )
        return bool(value)
