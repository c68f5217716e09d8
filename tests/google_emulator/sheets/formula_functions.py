"""The functions a formula may call. Each gets the evaluator and its unevaluated arguments, so that IF can choose.

Whatever is not here is an error cell (#NAME?), as is a function the service does not know.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from tests.google_emulator.sheets import comparing, dates, patterns
from tests.google_emulator.sheets.book import Fault

if TYPE_CHECKING:
    from tests.google_emulator.sheets.formulas import Evaluator

Args = list[Any]
FUNCTIONS: dict[str, Callable[[Evaluator, Args], Any]] = {}


class TroubleError(Exception):
    """An error value on its way up."""

    def __init__(self, kind: str, message: str = "") -> None:
        super().__init__(kind)
        self.fault = Fault(kind, message)


def _function(*names: str) -> Callable[[Callable[[Evaluator, Args], Any]], Callable[[Evaluator, Args], Any]]:
    def keep(made: Callable[[Evaluator, Args], Any]) -> Callable[[Evaluator, Args], Any]:
        for name in names:
            FUNCTIONS[name] = made
        return made

    return keep


def _numbers(run: Evaluator, args: Args) -> Iterator[float]:
    """Numbers in ranges (text and booleans there are passed over) and numbers given outright."""
    for arg in args:
        if arg[0] == "ref":
            for value in run.cells(arg):
                if isinstance(value, Fault):
                    raise TroubleError(*value)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    yield value
        else:
            yield run.number(run.value(arg), "SUM")


def _values(run: Evaluator, args: Args) -> Iterator[Any]:
    for arg in args:
        if arg[0] == "ref":
            yield from run.cells(arg)
        else:
            yield run.value(arg)


@_function("SUM")
def _sum(run: Evaluator, args: Args) -> Any:
    return math.fsum(_numbers(run, args))


@_function("PRODUCT")
def _product(run: Evaluator, args: Args) -> Any:
    return math.prod(_numbers(run, args))


@_function("AVERAGE")
def _average(run: Evaluator, args: Args) -> Any:
    found = list(_numbers(run, args))
    if not found:
        raise TroubleError("DIVIDE_BY_ZERO", "Evaluation of function AVERAGE caused a divide by zero error.")
    return math.fsum(found) / len(found)


@_function("MIN")
def _min(run: Evaluator, args: Args) -> Any:
    return min(_numbers(run, args), default=0)


@_function("MAX")
def _max(run: Evaluator, args: Args) -> Any:
    return max(_numbers(run, args), default=0)


@_function("COUNT")
def _count(run: Evaluator, args: Args) -> Any:
    return sum(isinstance(value, int | float) and not isinstance(value, bool) for value in _values(run, args))


@_function("COUNTA")
def _counta(run: Evaluator, args: Args) -> Any:
    return sum(value is not None for value in _values(run, args))


@_function("COUNTIF")
def _countif(run: Evaluator, args: Args) -> Any:
    wanted = comparing.criterion(run.value(args[1]), run.locale, run.now.date())
    return sum(wanted(value) for value in run.cells(args[0]))


@_function("SUMIF")
def _sumif(run: Evaluator, args: Args) -> Any:
    wanted = comparing.criterion(run.value(args[1]), run.locale, run.now.date())
    tested, added = run.grid(args[0]), run.grid(args[2] if len(args) > 2 else args[0])
    pairs = (
        (test, add)
        for tests, adds in zip(tested, added, strict=False)
        for test, add in zip(tests, adds, strict=False)
    )
    return math.fsum(add for test, add in pairs if wanted(test) and isinstance(add, int | float))


@_function("IF")
def _if(run: Evaluator, args: Args) -> Any:
    if run.truth(run.value(args[0])):
        return run.value(args[1]) if len(args) > 1 else True
    return run.value(args[2]) if len(args) > 2 else False


@_function("IFERROR")
def _iferror(run: Evaluator, args: Args) -> Any:
    try:
        found = run.value(args[0])
    except TroubleError:
        found = Fault("ERROR")
    if isinstance(found, Fault):
        return run.value(args[1]) if len(args) > 1 else None
    return found


@_function("AND")
def _and(run: Evaluator, args: Args) -> Any:
    return all(run.truth(value) for value in _values(run, args) if value is not None)


@_function("OR")
def _or(run: Evaluator, args: Args) -> Any:
    return any(run.truth(value) for value in _values(run, args) if value is not None)


@_function("NOT")
def _not(run: Evaluator, args: Args) -> Any:
    return not run.truth(run.value(args[0]))


@_function("CONCATENATE", "CONCAT")
def _concatenate(run: Evaluator, args: Args) -> Any:
    return "".join(run.text(value) for value in _values(run, args))


@_function("JOIN")
def _join(run: Evaluator, args: Args) -> Any:
    return run.text(run.value(args[0])).join(run.text(value) for value in _values(run, args[1:]))


@_function("LEN")
def _len(run: Evaluator, args: Args) -> Any:
    return len(run.text(run.value(args[0])))


@_function("UPPER")
def _upper(run: Evaluator, args: Args) -> Any:
    return run.text(run.value(args[0])).upper()


@_function("LOWER")
def _lower(run: Evaluator, args: Args) -> Any:
    return run.text(run.value(args[0])).lower()


@_function("TRIM")
def _trim(run: Evaluator, args: Args) -> Any:
    return " ".join(part for part in run.text(run.value(args[0])).split(" ") if part)


@_function("LEFT")
def _left(run: Evaluator, args: Args) -> Any:
    return run.text(run.value(args[0]))[: int(run.number(run.value(args[1]), "LEFT")) if len(args) > 1 else 1]


@_function("ROUND")
def _round(run: Evaluator, args: Args) -> Any:
    places = int(run.number(run.value(args[1]), "ROUND")) if len(args) > 1 else 0
    number = run.number(run.value(args[0]), "ROUND")
    return math.copysign(math.floor(abs(number) * 10**places + 0.5) / 10**places, number) if number else 0.0


@_function("ABS")
def _abs(run: Evaluator, args: Args) -> Any:
    return abs(run.number(run.value(args[0]), "ABS"))


@_function("SQRT")
def _sqrt(run: Evaluator, args: Args) -> Any:
    number = run.number(run.value(args[0]), "SQRT")
    if number < 0:
        raise TroubleError(
            "NUM", "Function SQRT parameter 1 value is negative. It should be positive or zero."
        )
    return math.sqrt(number)


@_function("MOD")
def _mod(run: Evaluator, args: Args) -> Any:
    below = run.number(run.value(args[1]), "MOD")
    if not below:
        raise TroubleError("DIVIDE_BY_ZERO", "Function MOD parameter 2 cannot be zero.")
    return math.fmod(run.number(run.value(args[0]), "MOD"), below) % below


@_function("INT")
def _int(run: Evaluator, args: Args) -> Any:
    return math.floor(run.number(run.value(args[0]), "INT"))


@_function("NA")
def _na(run: Evaluator, args: Args) -> Any:
    raise TroubleError("N_A")


@_function("TRUE", "FALSE")
def _never(run: Evaluator, args: Args) -> Any:
    raise TroubleError("ERROR", "Formula parse error.")


FUNCTIONS["TRUE"] = lambda run, args: True
FUNCTIONS["FALSE"] = lambda run, args: False
FUNCTIONS["ISBLANK"] = lambda run, args: run.value(args[0]) is None
FUNCTIONS["ISNUMBER"] = lambda run, args: _is_number(run.value(args[0]))
FUNCTIONS["ISTEXT"] = lambda run, args: isinstance(run.value(args[0]), str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@_function("ROW")
def _row(run: Evaluator, args: Args) -> Any:
    return args[0][1].box.top + 1 if args else run.row + 1


@_function("COLUMN")
def _column(run: Evaluator, args: Args) -> Any:
    return args[0][1].box.left + 1 if args else run.column + 1


@_function("TODAY")
def _today(run: Evaluator, args: Args) -> Any:
    run.volatile()
    return dates.serial(datetime.combine(run.now.date(), datetime.min.time()))


@_function("NOW")
def _now(run: Evaluator, args: Args) -> Any:
    run.volatile()
    return dates.serial(run.now)


@_function("DATE")
def _date(run: Evaluator, args: Args) -> Any:
    year, month, day = (int(run.number(run.value(arg), "DATE")) for arg in args[:3])
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return dates.serial(datetime(year, month, 1) + timedelta(days=day - 1))


@_function("TEXT")
def _text(run: Evaluator, args: Args) -> Any:
    value, pattern = run.value(args[0]), run.text(run.value(args[1]))
    return patterns.show(value, {"pattern": pattern}, run.locale)


@_function("HYPERLINK")
def _hyperlink(run: Evaluator, args: Args) -> Any:
    return run.value(args[1] if len(args) > 1 else args[0])
