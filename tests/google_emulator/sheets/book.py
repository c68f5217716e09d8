"""What a spreadsheet holds: sheets, their cells, and the things that lie on them.

A Cell never changes, it is replaced; formats and rules inside it are never changed in place either. So a copy of a
whole spreadsheet shares its cells and costs little, which is what makes a refused request cheap to take back.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from tests.google_emulator.sheets.a1 import Box
from tests.google_emulator.sheets.refusal import RefusedError

MAX_CELLS = 10_000_000
MAX_CHARACTERS = 50_000
ROWS, COLUMNS = "ROWS", "COLUMNS"


class Formula(NamedTuple):
    """A formula as it is stored, beginning with `=`."""

    text: str


class Fault(NamedTuple):
    """An error value: ErrorType of the API, and the sentence that goes with it."""

    kind: str
    message: str = ""

    @property
    def shown(self) -> str:
        return SHOWN[self.kind]


SHOWN = {
    "ERROR": "#ERROR!",
    "NULL_VALUE": "#NULL!",
    "DIVIDE_BY_ZERO": "#DIV/0!",
    "VALUE": "#VALUE!",
    "REF": "#REF!",
    "NAME": "#NAME?",
    "NUM": "#NUM!",
    "N_A": "#N/A",
    "LOADING": "Loading...",
}
Value = bool | int | float | str | Formula | Fault | None


class Cell(NamedTuple):
    """One cell. `extra` holds what is stored and given back but never looked at, under the API's names."""

    value: Value = None
    format: dict[str, Any] | None = None
    note: str = ""
    validation: dict[str, Any] | None = None
    extra: dict[str, Any] | None = None


EMPTY = Cell()
# What lies on a sheet, under the names of a Sheet in the API; each entry keeps its GridRange under `range` or `ranges`.
OBJECTS = (
    "conditionalFormats",
    "filterViews",
    "protectedRanges",
    "charts",
    "bandedRanges",
    "slicers",
    "tables",
    "rowGroups",
    "columnGroups",
)


class Sheet:
    """One tab. `props` are its properties but for id, title, index and size; `grid` those of its grid but for size."""

    def __init__(self, sheet_id: int, title: str, rows: int = 1000, columns: int = 26) -> None:
        self.id = sheet_id
        self.title = title
        self.rows = rows
        self.columns = columns
        self.props: dict[str, Any] = {}
        self.grid: dict[str, Any] = {}
        self.cells: dict[int, dict[int, Cell]] = {}
        self.lines: dict[str, dict[int, dict[str, Any]]] = {ROWS: {}, COLUMNS: {}}
        self.merges: list[Box] = []
        self.basic_filter: dict[str, Any] | None = None
        self.objects: dict[str, list[dict[str, Any]]] = {name: [] for name in OBJECTS}

    def __deepcopy__(self, memo: dict[int, Any]) -> Sheet:
        twin = Sheet(self.id, self.title, self.rows, self.columns)
        twin.props, twin.grid = copy.deepcopy(self.props), copy.deepcopy(self.grid)
        twin.cells = {row: dict(line) for row, line in self.cells.items()}
        twin.lines = {
            dim: {at: dict(line) for at, line in lines.items()} for dim, lines in self.lines.items()
        }
        twin.merges = list(self.merges)
        twin.basic_filter = copy.deepcopy(self.basic_filter)
        twin.objects = copy.deepcopy(self.objects)
        return twin

    def at(self, row: int, column: int) -> Cell:
        line = self.cells.get(row)
        return line.get(column, EMPTY) if line else EMPTY

    def put(self, row: int, column: int, cell: Cell) -> None:
        if cell != EMPTY:
            self.cells.setdefault(row, {})[column] = cell
        elif row in self.cells:
            self.cells[row].pop(column, None)
            if not self.cells[row]:
                del self.cells[row]

    def put_value(self, row: int, column: int, value: Value) -> None:
        """A new value; what was written over single letters of the old one goes with it."""
        old = self.at(row, column)
        self.put(
            row, column, old._replace(value=value, extra=None) if old.extra else old._replace(value=value)
        )

    def size(self, dimension: str) -> int:
        return self.rows if dimension == ROWS else self.columns

    def resize(self, dimension: str, size: int) -> None:
        if dimension == ROWS:
            self.rows = size
        else:
            self.columns = size

    def clip(self, box: Box) -> Box:
        return box.clip(self.rows, self.columns)

    def whole(self) -> Box:
        return Box(0, 0, self.rows, self.columns)

    def inside(self, box: Box) -> Iterator[tuple[int, int, Cell]]:
        """The cells that hold anything, by rows."""
        box = self.clip(box)
        top, left, bottom, right = box.top, box.left, box.bottom or 0, box.right or 0
        few = bottom - top <= len(self.cells)
        for row in range(top, bottom) if few else sorted(row for row in self.cells if top <= row < bottom):
            line = self.cells.get(row)
            if line is None:
                continue
            if right - left <= len(line):
                columns = [column for column in range(left, right) if column in line]
            else:
                columns = sorted(column for column in line if left <= column < right)
            for column in columns:
                yield row, column, line[column]

    def every(self, box: Box) -> Iterator[tuple[int, int]]:
        """All places of the rectangle that the grid has."""
        box = self.clip(box)
        for row in range(box.top, box.bottom or 0):
            for column in range(box.left, box.right or 0):
                yield row, column

    def under_merge(self, row: int, column: int) -> bool:
        """Whether the cell lies under a merge and is not its first: what is written there is not kept."""
        for box in self.merges:
            if box.top <= row < (box.bottom or 0) and box.left <= column < (box.right or 0):
                return (row, column) != (box.top, box.left)
        return False

    def last_row(self) -> int:
        """How many rows down to the last one with a value."""
        return max(
            (
                row + 1
                for row, line in self.cells.items()
                if any(cell.value is not None for cell in line.values())
            ),
            default=0,
        )

    def frozen(self, dimension: str) -> int:
        found: int = self.grid.get("frozenRowCount" if dimension == ROWS else "frozenColumnCount", 0)
        return found


class Book:
    """A spreadsheet without its name, which belongs to the file."""

    def __init__(self) -> None:
        self.sheets: list[Sheet] = []
        self.properties: dict[str, Any] = {
            "locale": "en_US",
            "autoRecalc": "ON_CHANGE",
            "timeZone": "Etc/GMT",
        }
        self.named_ranges: list[dict[str, Any]] = []
        self.metadata: list[dict[str, Any]] = []
        self.computed: dict[tuple[int, int, int], Value] = {}
        self.inferred: dict[tuple[int, int, int], dict[str, Any]] = {}
        self.stale = True
        self.volatile = False
        self.now = datetime(1970, 1, 1)

    def __deepcopy__(self, memo: dict[int, Any]) -> Book:
        twin = Book()
        twin.sheets = [copy.deepcopy(sheet, memo) for sheet in self.sheets]
        twin.properties = copy.deepcopy(self.properties)
        twin.named_ranges = copy.deepcopy(self.named_ranges)
        twin.metadata = copy.deepcopy(self.metadata)
        twin.computed, twin.inferred = dict(self.computed), dict(self.inferred)
        twin.stale, twin.volatile, twin.now = self.stale, self.volatile, self.now
        return twin

    @property
    def locale(self) -> str:
        found: str = self.properties["locale"]
        return found

    def sheet(self, sheet_id: int, what: str = "grid") -> Sheet:
        for sheet in self.sheets:
            if sheet.id == sheet_id:
                return sheet
        raise RefusedError(f"No {what} with id: {sheet_id}")

    def titled(self, title: str) -> Sheet | None:
        """The sheet of that name; capitals count only where two names differ in nothing else."""
        exact = next((sheet for sheet in self.sheets if sheet.title == title), None)
        if exact:
            return exact
        return next((sheet for sheet in self.sheets if sheet.title.casefold() == title.casefold()), None)

    def value(self, sheet: Sheet, row: int, column: int, cell: Cell) -> Value:
        """What the cell comes to."""
        if type(cell.value) is Formula:
            return self.computed.get((sheet.id, row, column))
        return cell.value

    def hold_limit(self) -> None:
        if sum(sheet.rows * sheet.columns for sheet in self.sheets) > MAX_CELLS:
            raise RefusedError(
                "This action would increase the number of cells in the workbook above the limit of "
                f"{MAX_CELLS} cells."
            )


def hold_length(value: Any) -> None:
    """Google counts in UTF-16 units, as JavaScript does."""
    if isinstance(value, str) and len(value) > MAX_CHARACTERS // 2:
        if len(value.encode("utf-16-le", "surrogatepass")) // 2 > MAX_CHARACTERS:
            raise RefusedError(
                f"Your input contains more than the maximum of {MAX_CHARACTERS} characters in a single cell."
            )
