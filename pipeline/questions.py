"""What each form shall ask: the game's questions with the config laid over them, and what is published filled in.

Promises: a list holds only what is published at the instant; where nothing is, no choice is offered and the question
is one for a text. Refuses to know: how a form is made, and any game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd

from connectors.base import BookRead, Workbook
from connectors.google_items import FormShape, Question
from pipeline.archive import Archive
from pipeline.config import Config
from pipeline.gather import read_book, read_seed
from pipeline.prospect import borrow_archive, judge_tables
from pipeline.recorded import judge_archived
from rules.game import Field, Form, Outcome

Offer = Callable[[str], tuple[str, ...]]
"""The names in a list of the game, as far as they are published."""


class Item(NamedTuple):
    """A question as it shall be, with the titles under which it is read. `needed`: no run goes without it; `listed`:
    its choices are the game's, which grow as more is published."""

    question: Question
    field: Field
    titles: tuple[str, ...]

    @property
    def needed(self) -> bool:
        return self.field.required

    @property
    def listed(self) -> bool:
        return bool(self.field.ask.choices_from)


class Wanted(NamedTuple):
    """A form as it shall be."""

    name: str
    shape: FormShape
    items: tuple[Item, ...]

    @property
    def unlisted(self) -> list[str]:
        """The questions that are texts only because nothing to choose from is published yet."""
        return [item.question.title for item in self.items if item.listed and not item.question.choices]


def read_offer(config: Config, as_of: pd.Timestamp, workbook: Workbook | None) -> Offer:
    """What is published at `as_of` by what the runs archived; before the first run, by the masters' tables."""
    outcome = _judge(config, as_of, workbook)

    def offer(name: str) -> tuple[str, ...]:
        names = config.game.list_names(outcome, name, "", as_of)
        return tuple(dict.fromkeys(name for name in names if name.strip()))

    return offer


def _judge(config: Config, as_of: pd.Timestamp, workbook: Workbook | None) -> Outcome:
    if config.archive.exists():
        with Archive.open(config.archive) as archive:
            if archive.last_run() is not None:
                return judge_archived(config, archive, as_of)
    with borrow_archive(config) as archive:
        book = read_book(config, workbook, archive) if workbook else BookRead(read_seed(config), "", ())
        return judge_tables(config, archive, book, as_of)[0]


def want_form(config: Config, form: Form, offer: Offer) -> Wanted:
    """The form as the config and the game want it at the instant of the offer."""
    fields = config.form_map(form).fields
    items = tuple(
        Item(_ask(field, offer), field, found.titles)
        for field, found in zip(form.fields, fields, strict=True)
    )
    questions = tuple(item.question for item in items)
    return Wanted(
        form.name, FormShape(form.title, form.introduction, form.address == "verified", questions), items
    )


def _ask(field: Field, offer: Offer) -> Question:
    ask = field.ask
    choices = offer(ask.choices_from) if ask.choices_from else ask.choices
    must = field.required if ask.blank is None else not ask.blank
    return Question(field.title, ask.kind, must, choices, ask.other, ask.page, ask.leads)
