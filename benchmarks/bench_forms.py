"""Pages of form responses: parsing and flattening against parsing alone, and memory by the number of pages.

    python benchmarks/bench_forms.py           # pages of 5,000 responses with nine answers each

The responses are made up; the shape of their JSON is that of the Forms API, in UTF-8: in one line, as we ask for it,
and indented, as Google sends it to whoever does not ask. Seconds of processor, so that other work on the machine counts
little.
"""

from __future__ import annotations

import json
import statistics
import time
import tracemalloc
from typing import Any

from connectors.base import FieldMap, FormMap
from connectors.google_answers import Layout, Row, build_responses, flatten_response, order_row

ROWS, FIELDS, ROUNDS = 5000, 9, 7
FORM = FormMap(
    "form",
    tuple(FieldMap(f"field{n}", (f"項目{n}",), many=n == FIELDS - 1) for n in range(FIELDS)),
    (),
    (),
    (),
    (),
)
TITLES = {f"{number:08x}": f"項目{number}" for number in range(FIELDS)}
LAYOUT = Layout(FORM, TITLES, list(TITLES), set())


def make_page(start: int, indent: int | None = None) -> bytes:
    responses = [_make_response(start + each) for each in range(ROWS)]
    marks = (",", ": ") if indent else (",", ":")
    return json.dumps({"responses": responses}, ensure_ascii=False, indent=indent, separators=marks).encode()


def _make_response(number: int) -> dict[str, Any]:
    values = {name: [f"あいうえおかき{number}"] for name in TITLES}
    values[max(TITLES)] *= 3
    answers = {
        name: {"questionId": name, "textAnswers": {"answers": [{"value": each} for each in listed]}}
        for name, listed in values.items()
    }
    return {
        "responseId": f"A{number:070}",
        "createTime": "2026-10-12T14:59:59.123Z",
        "lastSubmittedTime": f"2026-10-12T14:59:59.{number % 10**6:06}Z",
        "respondentEmail": f"p{number}@example.com",
        "answers": answers,
    }


def flatten_page(page: bytes) -> list[Row]:
    return [flatten_response(each, LAYOUT) for each in json.loads(page)["responses"]]


def time_ratio(page: bytes) -> tuple[float, float]:
    """Seconds for json.loads of a page, and how many times that a page takes from bytes to frame."""
    parse, whole = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        json.loads(page)
        middle = time.process_time()
        build_responses(sorted(flatten_page(page), key=order_row), FORM.name)
        parse.append(middle - start)
        whole.append(time.process_time() - middle)
    seconds = statistics.median(parse)
    return seconds, statistics.median(many / one for one, many in zip(parse, whole, strict=True))


def measure_memory(pages: int) -> int:
    """The most that was held beyond the rows that are kept, in bytes."""
    content = [make_page(number * ROWS) for number in range(pages)]
    rows: list[Row] = []
    tracemalloc.start()
    for page in content:
        rows += flatten_page(page)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - kept


def main() -> None:
    for name, indent in (("in one line", None), ("indented", 2)):
        page = make_page(0, indent)
        seconds, ratio = time_ratio(page)
        print(
            f"a page of {ROWS:,} responses {name}, {len(page) / 2**20:.1f} MiB: "
            f"json.loads {seconds * 1000:.0f} ms, from bytes to frame {ratio:.2f} times that"
        )
    for pages in (1, 2, 4):
        print(f"{pages} pages: {measure_memory(pages) / 2**20:.0f} MiB at most beyond the rows that are kept")


if __name__ == "__main__":
    main()
