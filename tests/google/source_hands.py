"""One form, answered by the same respondents, as each of the four sources holds it.

What a test says is said to a `Hand`: which questions there are, who sends what when. The hand puts it where its source
reads: a CSV with ids, a downloaded workbook, a form, or the tab that is linked to a form.
"""

from __future__ import annotations

import csv
from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

import openpyxl
from form_building import Form, choice, text
from google_game import make_book

from connectors.base import FieldMap, FormMap, Pulled
from connectors.google_forms import FormsSource
from connectors.google_session import Google
from connectors.google_sheets import SheetsWorkbook
from connectors.linked_tab import LinkedTab
from connectors.local_xlsx import open_source
from tests.google_emulator.clock import microseconds
from tests.google_emulator.server import Emulator

TOKYO = ZoneInfo("Asia/Tokyo")
DATES = ("10月12日", "10月13日", "10月14日, 15日")
TICKS = "希望日"
FORM = FormMap(
    "signup",
    (
        FieldMap("name", ("名前", "お名前")),
        FieldMap("word", ("合い言葉",)),
        FieldMap("event_dates", (TICKS,), many=True, choices=DATES),
        FieldMap("note", ("備考",), required=False),
    ),
    time_titles=("送信時刻", "Timestamp"),
    address_titles=("メールアドレス", "Email Address"),
    id_titles=("回答ID",),
    created_titles=("初回送信",),
)
QUESTIONS = ("お名前", "合い言葉", TICKS, "備考")
NOON = datetime(2026, 10, 12, 3, 0, 0, tzinfo=UTC)
Answer = str | list[str]


class Sent(NamedTuple):
    """One response as it now stands: `answers` by question, in the order of the questions."""

    name: str
    first: datetime
    at: datetime
    email: str
    answers: tuple[Answer, ...]


class Hand(ABC):
    """`has_ids`: the source tells an edit from a new response, and when a response was first sent."""

    has_ids = True
    many = 60

    def __init__(self) -> None:
        self.questions: tuple[str, ...] = QUESTIONS
        self.sent: list[Sent] = []

    def send(self, *answers: Answer, at: datetime = NOON, email: str = "a@example.com") -> None:
        self.sent.append(Sent(f"r-{len(self.sent):03}", at, at, email, answers))

    def edit(self, number: int, *answers: Answer, at: datetime) -> None:
        self.sent[number] = self.sent[number]._replace(at=at, answers=answers)

    def lose(self, *numbers: int) -> None:
        """What was sent is no longer there."""
        self.sent = [each for number, each in enumerate(self.sent) if number not in numbers]

    @abstractmethod
    def pull(self, known: int = 0, share: float = 0.2) -> Pulled: ...

    @abstractmethod
    def pull_bad_time(self) -> Pulled:
        """As `pull`, with a time of the last response that is none."""

    @staticmethod
    def show_time(at: datetime) -> datetime:
        """The time as this source can tell it."""
        return at


class CsvHand(Hand):
    """A table with the ids and first times that the local backend reads."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / "signup.csv"

    def pull(self, known: int = 0, share: float = 0.2, bad: str = "") -> Pulled:
        rows = [
            [each.name, millis(each.first), microseconds(each.at), each.email, *map(join, each.answers)]
            for each in self.sent
        ]
        if bad:
            rows[-1][2] = bad
        with self.path.open("w", encoding="utf-8", newline="") as stream:
            head = ["回答ID", "初回送信", "送信時刻", "メールアドレス", *self.questions]
            csv.writer(stream).writerows([head, *rows])
        return open_source(self.path, FORM, TOKYO, share).pull(known)

    def pull_bad_time(self) -> Pulled:
        return self.pull(bad="yesterday")


class XlsxHand(Hand):
    """The linked tab, downloaded as a workbook."""

    has_ids = False

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.path = folder / "signup.xlsx"

    def pull(self, known: int = 0, share: float = 0.2, bad: str = "") -> Pulled:
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append(["Timestamp", "Email Address", *self.questions])
        for number, each in enumerate(self.sent, 2):
            wall = each.at.astimezone(TOKYO).replace(tzinfo=None)
            sheet.cell(number, 1).value = (wall - datetime(1899, 12, 30)) / timedelta(days=1)
            sheet.cell(number, 1).number_format = "M/d/yyyy H:mm:ss"
            for column, value in enumerate((each.email, *map(join, each.answers)), 2):
                cell = sheet.cell(number, column)
                cell.value = value or None
                cell.data_type = "s" if value else "n"
        if bad:
            sheet.cell(len(self.sent) + 1, 1).value = bad
        book.save(self.path)
        return open_source(self.path, FORM, TOKYO, share).pull(known)

    def pull_bad_time(self) -> Pulled:
        return self.pull(bad="yesterday")

    @staticmethod
    def show_time(at: datetime) -> datetime:
        """The reader library rounds to the millisecond."""
        return at.replace(microsecond=0) + timedelta(milliseconds=round(at.microsecond / 1000))


class FormsHand(Hand):
    """The form itself, at the emulator."""

    def __init__(self, emulator: Emulator, google: Google, forms: Any) -> None:
        super().__init__()
        self.emulator = emulator
        self.google = google
        self.forms = forms
        self.form: Form | None = None
        self.there: dict[str, Sent] = {}

    def bring(self) -> Form:
        """The form with everything that was sent so far."""
        if self.form is None:
            self.form = Form(self.forms)
            mode = {"settings": {"emailCollectionType": "VERIFIED"}, "updateMask": "emailCollectionType"}
            self.form.batch({"updateSettings": mode})
            self.form.add(
                *(
                    choice(title, "CHECKBOX", *DATES) if title == TICKS else text(title)
                    for title in self.questions
                )
            )
            self.form.open()
            self.ids = [
                item["questionItem"]["question"]["questionId"] for item in self.form.get().get("items", [])
            ]
        for each in self.sent:
            if self.there.get(each.name) != each:
                self._submit(each, "submit" if each.name not in self.there else "edit")
        for gone in self.there.keys() - {each.name for each in self.sent}:
            self.emulator.control("delete", formId=self.form.id, responseId=gone)
        self.there = {each.name: each for each in self.sent}
        return self.form

    def _submit(self, each: Sent, how: str) -> None:
        if how == "submit" and each.first != each.at:
            self._submit(each._replace(at=each.first), "submit")
            how = "edit"
        self.emulator.control(
            how,
            formId=self.form.id if self.form else "",
            responseId=each.name,
            answers=dict(zip(self.ids, each.answers, strict=True)),
            email=each.email,
            at=microseconds(each.at),
            force=True,
        )

    def pull(self, known: int = 0, share: float = 0.2) -> Pulled:
        return FormsSource(self.google, self.bring().id, FORM, share, page_size=25).pull(known)

    def pull_bad_time(self) -> Pulled:
        listed = self.bring().list()["responses"]
        listed[-1]["lastSubmittedTime"] = "yesterday"
        match = {"method": "forms.forms.responses.list"}
        self.emulator.control("fault", kind="status", status=200, body={"responses": listed}, match=match)
        return self.pull()


class TabHand(FormsHand):
    """The tab that is linked to the form, in a spreadsheet that is read whole."""

    has_ids = False
    title = "Form Responses 1"

    def __init__(self, emulator: Emulator, google: Google, forms: Any, zone: str = "Asia/Tokyo") -> None:
        super().__init__(emulator, google, forms)
        self.book_id = make_book(emulator, zone=zone)
        self.linked = False

    def pull(self, known: int = 0, share: float = 0.2) -> Pulled:
        form = self.bring()
        if not self.linked:
            self.emulator.control("link", formId=form.id, spreadsheetId=self.book_id)
            self.linked = True
        book = SheetsWorkbook(self.google, self.book_id, ("要確認",)).read()
        return LinkedTab(book, self.title, FORM, TOKYO, share).pull(known)

    def lose(self, *numbers: int) -> None:
        """The tab keeps what is deleted in the form; here it is people who delete its rows."""
        self.pull()
        for number in sorted(numbers, reverse=True):
            place = {"sheetId": self.sheet_id(), "startIndex": number + 1, "endIndex": number + 2}
            self.batch({"deleteDimension": {"range": {**place, "dimension": "ROWS"}}})
        super().lose(*numbers)

    def pull_bad_time(self) -> Pulled:
        self.pull()
        self.type_in(f"A{len(self.sent) + 1}", "yesterday")
        return self.pull()

    def type_in(self, cell: str, value: Any, **more: Any) -> None:
        """Somebody types into the tab."""
        where = f"'{self.title}'!{cell}"
        self.emulator.control("write", spreadsheetId=self.book_id, range=where, values=[[value]], **more)

    def batch(self, *requests: dict[str, Any]) -> Any:
        return self.emulator.control(
            "call",
            method="sheets.spreadsheets.batchUpdate",
            params={"spreadsheetId": self.book_id},
            body={"requests": list(requests)},
        )

    def sheet_id(self) -> int:
        made = self.emulator.control(
            "call", method="sheets.spreadsheets.get", params={"spreadsheetId": self.book_id}
        )
        heads = [sheet["properties"] for sheet in made["sheets"]]
        return int(next(head.get("sheetId", 0) for head in heads if head["title"] == self.title))

    @staticmethod
    def show_time(at: datetime) -> datetime:
        """What is within two microseconds of a whole millisecond is taken for it, for a double tells no more."""
        near = XlsxHand.show_time(at)
        return near if abs(near - at) <= timedelta(microseconds=2) else at


def join(answer: Answer) -> str:
    return answer if isinstance(answer, str) else ", ".join(answer)


def millis(at: datetime) -> str:
    """A first time as the service tells it: to the millisecond."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"
