"""Form responses straight from the Forms API, the source of truth: nobody can have edited them in a table.

Promises: the same frame as an export of the same form, with the ids and the exact times that only the API has; all
pages or nothing; no more JSON in memory than a page of it. Refuses to know: any game, the clock, and what was read
before (but for the number of responses).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from connectors.base import FormMap, Pulled, SourceError
from connectors.google_answers import (
    Layout,
    Row,
    build_responses,
    check_address,
    check_fields,
    check_times,
    flatten_response,
    list_questions,
    order_row,
)
from connectors.google_session import Google
from connectors.responses import SitOutError, check_shrunk, sit_out
from rules.frames import Finding

PAGE = 5000


class Questions(NamedTuple):
    """What a form asks, as far as it was ever seen: worth keeping, for a question that is gone has no title any more.

    `titles` are by id, `current` the ids that it asks now, `typed` those whose ticks are written out in a line,
    `strangers` ids that were answered and never seen in the form.
    """

    titles: Mapping[str, str] = MappingProxyType({})
    current: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()


class FormsSource:
    """One form's responses by the Forms API.

    `shrink_share` is the share of the known responses that may be gone; `page_size` is for tests, the service's own
    limit is the fewest calls. What the form asks is read where `known` does not tell it, and again when a question
    turns up that it did not have; without `current` in `known` it is read afresh.
    """

    def __init__(
        self,
        google: Google,
        form_id: str,
        form: FormMap,
        shrink_share: float,
        page_size: int = PAGE,
        known: Questions | None = None,
    ) -> None:
        self.google = google
        self.form_id = form_id
        self.form = form
        self.shrink_share = shrink_share
        self.page_size = page_size
        known = known or Questions()
        self._titles = dict(known.titles)  # of every question ever seen: ids are never used again
        self._current = list(known.current)
        self._typed = set(known.typed)
        self._strangers = set(known.strangers)
        self.asked = False
        """Whether what the form asks was read in this run."""

    @property
    def questions(self) -> Questions:
        """What is now known of the form, to be given to the next run."""
        return Questions(
            self._titles, tuple(self._current), tuple(sorted(self._typed)), tuple(sorted(self._strangers))
        )

    def pull(self, known_rows: int) -> Pulled:
        """Read every page; raise SourceError where Google does not let us."""
        try:
            if not self._current:
                self._read_questions()
            layout = self._lay_out()
            rows, layout = self._read_rows(layout)
        except SitOutError as fault:
            return sit_out(self.form, fault.findings)
        faults = [
            *check_shrunk(len(rows), known_rows, self.shrink_share, self.form.name),
            *check_times(rows, self.form.name),
            *self._check_replaced(rows, layout),
        ]
        if faults:
            return sit_out(self.form, tuple(faults))
        return Pulled(self.form.name, build_responses(rows, self.form.name), True, ())

    def _ask(self, request: Any, holds: str = "") -> dict[str, Any]:
        return self.google.execute(request, f"フォーム {self.form.name}", self.form_id, holds)

    def _read_questions(self) -> None:
        forms = self.google.service("forms").forms()
        found = list(list_questions(self._ask(forms.get(formId=self.form_id, prettyPrint=False), "formId")))
        self._current = [question.name for question in found]
        self._titles |= {question.name: question.title for question in found}
        self._typed |= {question.name for question in found if question.typed}
        self.asked = True

    def _lay_out(self) -> Layout:
        """Tie questions to fields by title; raise with every field whose question is missing or there twice."""
        there = {name: self._titles[name] for name in self._current}
        faults = [*check_address(self.form, there), *check_fields(self.form, there)]
        if faults:
            self._current = []  # to be read afresh: masters mend what the findings say
            raise SitOutError(*faults)
        # A question that is gone has no title left; its id stands for one, so that an alias can claim it.
        titles = {name: name for name in sorted(self._strangers)} | self._titles
        return Layout(self.form, titles, self._current, self._typed)

    def _read_rows(self, layout: Layout) -> tuple[list[Row], Layout]:
        """All responses, by time and id: the service lists them in no order at all.

        A response that is sent while we turn pages may be listed twice; its latest state is the one that stands.
        """
        rows: dict[str, Row] = {}
        for page in self._pages():
            if self._meets_strangers(page, layout):
                layout = self._lay_out()
            for response in page:
                row = flatten_response(response, layout)
                known = rows.get(row.response_id)
                if known is None or order_row(known) <= order_row(row):
                    rows[row.response_id] = row
            page.clear()  # before the next one is read: never two in memory
        return sorted(rows.values(), key=order_row), layout

    def _pages(self) -> Iterator[list[dict[str, Any]]]:
        """One page after another; only an absent token is the end, and a token that comes back would never end."""
        responses = self.google.service("forms").forms().responses()
        token, seen = "", set[str]()
        while True:
            more = {"pageToken": token} if token else {}
            request = responses.list(formId=self.form_id, pageSize=self.page_size, prettyPrint=False, **more)
            answer = self._ask(request)
            yield answer.pop("responses", [])
            token = answer.get("nextPageToken") or ""
            if not token:
                return
            if token in seen:
                raise SourceError(
                    f"フォーム {self.form.name}（ID {self.form_id}）: "
                    "Google が同じページを繰り返します。次の実行でやり直します"
                )
            seen.add(token)

    def _meets_strangers(self, page: list[dict[str, Any]], layout: Layout) -> bool:
        """Whether a page answers questions that the layout lacks; the form is then read again, once for each."""
        known = layout.slots.keys() | layout.address
        found = {name for response in page for name in response.get("answers") or () if name not in known}
        if not found:
            return False
        self._read_questions()
        self._strangers |= found - self._titles.keys()
        return True

    def _check_replaced(self, rows: Sequence[Row], layout: Layout) -> Iterator[Finding]:
        """A question that was deleted and made anew leaves its answers behind: old responses would seem blank.

        Told by this: nobody who answered the one that is gone has answered the one that is needed.
        """
        for stranger in sorted(self._strangers):
            name = layout.slots[stranger].name if stranger in layout.slots else ""
            answered = [row.answers for row in rows if row.answers.get(name)] if name.startswith("?") else []
            for field in self.form.fields:
                if answered and field.required and not any(answers[field.name] for answers in answered):
                    message = (
                        f"今のフォームにない質問（ID {stranger}）への回答が {len(answered)} 件あり、どれも「{field.titles[0]}」"
                        f"が空です。質問を作り直したのなら、設定でこの項目の別名に {stranger} を加えてください。"
                    )
                    self._current = []
                    yield Finding("missing_column", f"{self.form.name} 質問", message)
