"""Items of forms, and a form spoken to through the real client: what the tests of Forms share."""

from __future__ import annotations

import pytest
from googleapiclient.errors import HttpError

PUBLISHED = {"publishSettings": {"publishState": {"isPublished": True, "isAcceptingResponses": True}}}


def text(title, **more):
    return {"title": title, "questionItem": {"question": {"textQuestion": {}, **more}}}


def choice(title, kind, *options, **more):
    listed = [option if isinstance(option, dict) else {"value": option} for option in options]
    question = {"choiceQuestion": {"type": kind, "options": listed}, **more}
    return {"title": title, "questionItem": {"question": question}}


def grid(title, kind, columns, rows):
    asked = [{"rowQuestion": {"title": row}} for row in rows]
    chosen = {"columns": {"type": kind, "options": [{"value": column} for column in columns]}}
    return {"title": title, "questionGroupItem": {"questions": asked, "grid": chosen}}


def creation(item, index=0):
    return {"createItem": {"item": item, "location": {"index": index}}}


class Form:
    """One form under test, spoken to through the real client."""

    def __init__(self, forms):
        self.forms = forms
        self.id = forms.create(body={"info": {"title": "Form"}}).execute()["formId"]

    def batch(self, *requests, **more):
        return self.forms.batchUpdate(formId=self.id, body={"requests": list(requests), **more}).execute()

    def add(self, *items):
        start = len(self.get().get("items", []))
        return self.batch(*[creation(item, start + index) for index, item in enumerate(items)])["replies"]

    def get(self):
        return self.forms.get(formId=self.id).execute()

    def refused(self, *requests, **more):
        with pytest.raises(HttpError) as caught:
            self.batch(*requests, **more)
        assert caught.value.status_code == 400
        return caught.value.reason

    def open(self):
        self.forms.setPublishSettings(formId=self.id, body=PUBLISHED).execute()

    def list(self, **named):
        return self.forms.responses().list(formId=self.id, **named).execute()
