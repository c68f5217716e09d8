"""What we assume of forms at Google, tried on a throw-away form.

Promises: only the description of the form is changed, and set back; no answer is shown, only times and their order.
Refuses to know: what follows if an assumption does not hold, and whose the form is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from googleapiclient.errors import HttpError

from connectors.google_session import Google
from connectors.google_trial import Verdict

Json = dict[str, Any]

WHAT = "実験用のフォーム"
BODY_SCOPE = "https://www.googleapis.com/auth/forms.body"


def count_items(google: Google, form_id: str) -> int:
    """How much there is on the form: a throw-away one has hardly anything."""
    return len(_get(google, form_id).get("items", []))


def try_form(google: Google, form_id: str) -> Iterator[Verdict]:
    """What the settings show."""
    form = _get(google, form_id)
    state = form.get("publishSettings", {}).get("publishState", {})
    told = {"isPublished", "isAcceptingResponses"} <= state.keys()
    seen = "載る" if told else "片方だけ載る" if state else "載らない"
    yield Verdict("フォームに、公開と受付の状態（publishState）が載る", told, seen)
    collects = form.get("settings", {}).get("emailCollectionType", "")
    yield Verdict("フォームに、アドレスの収集のしかたが載る", bool(collects), str(collects) or "載らない")
    again = _get(google, form_id)
    same = bool(form.get("revisionId")) and form.get("revisionId") == again.get("revisionId")
    yield Verdict("読むだけでは revisionId が変わらない", same, "同じ" if same else "変わった", relied=False)


def try_responses(google: Google, form_id: str) -> Iterator[Verdict]:
    """The shape of a list, of its times, and its order."""
    listing = google.service("forms").forms().responses()
    answer = google.execute(listing.list(formId=form_id), WHAT, form_id)
    responses = answer.get("responses", [])
    empty = "回答が 0 件のとき、一覧の答えは空（{}）"
    if responses:
        yield Verdict(empty, None, f"回答が {len(responses)} 件あります", relied=False)
    else:
        # Whether the key is missing or its list is empty: nothing may be taken for a failure.
        yield Verdict(empty, answer == {}, f"キー {sorted(answer)}", relied=False)
    times = [(str(each.get("createTime", "")), str(each.get("lastSubmittedTime", ""))) for each in responses]
    yield from _tell_times(times)
    given = "responses(responseId),nextPageToken"
    masked = google.execute(listing.list(formId=form_id, fields=given), WHAT, form_id)
    only = all(set(each) == {"responseId"} for each in masked.get("responses", []))
    what = "一覧の答えを fields で絞れる"
    same = only and len(masked.get("responses", [])) == len(responses)
    held = same if responses else None
    yield Verdict(
        what, held, "絞れた" if held else "絞れない" if responses else "回答がありません", relied=False
    )


def _tell_times(times: list[tuple[str, str]]) -> Iterator[Verdict]:
    what = "回答の時刻は、秒より細かく、Z で終わる"
    order = "回答の一覧は、送信の時刻の順に並ぶ"
    if not times:
        yield Verdict(what, None, "回答がありません。1件送ると確かめられます")
        yield Verdict(order, None, "回答がありません。3件ほど送ると確かめられます", relied=False)
        return
    digits = [tuple(_count_digits(text) for text in pair) for pair in times]
    utc = all(text.endswith("Z") for pair in times for text in pair)
    shown = "、".join(f"{first}桁と{last}桁" for first, last in sorted(set(digits)))
    # A time on the whole second shows no digits, so one response with some is enough.
    fine = any(last > 0 for _first, last in digits)
    yield Verdict(what, utc and fine, f"初回と最新の小数 {shown}")
    if len(times) < 3:
        yield Verdict(order, None, f"回答が {len(times)} 件では分かりません", relied=False)
        return
    sent = [_sort_key(last) for _first, last in times]
    way = (
        "古い順"
        if sent == sorted(sent)
        else "新しい順"
        if sent == sorted(sent, reverse=True)
        else "時刻の順ではない"
    )
    yield Verdict(order, way != "時刻の順ではない", way, relied=False)


def _count_digits(text: str) -> int:
    return len(text.rstrip("Z").partition(".")[2])


def _sort_key(text: str) -> tuple[str, str]:
    whole, _, fraction = text.rstrip("Z").partition(".")
    return whole, fraction.ljust(9, "0")


def try_stale(google: Google, form_id: str, allowed: bool) -> Iterator[Verdict]:
    """A change that was planned for another state of the form must be refused."""
    what = "古い revisionId を添えた変更は断られる"
    if not allowed:
        yield Verdict(what, None, "サインインに forms.body の範囲がありません")
        return
    form = _get(google, form_id)
    before, old = str(form.get("info", {}).get("description", "")), str(form.get("revisionId", ""))
    changed = _describe(google, form_id, f"{before} saitei の実験".strip(), old)
    if changed:
        yield Verdict(what, None, f"フォームを変えられません: HTTP {changed}")
        return
    try:
        refused = _describe(google, form_id, f"{before} saitei の古い実験".strip(), old)
    finally:
        back = _describe(google, form_id, before, "")
    yield Verdict(what, refused == 400, f"HTTP {refused}" if refused else "受け付けた")
    yield Verdict(
        "フォームの説明を元に戻せた", not back, "戻した" if not back else f"HTTP {back}", relied=False
    )


def _describe(google: Google, form_id: str, text: str, revision: str) -> int:
    """Set the description; 0 if it was done, else the status of the refusal."""
    change = {"updateFormInfo": {"info": {"description": text}, "updateMask": "description"}}
    body: Json = {"requests": [change]}
    if revision:
        body["writeControl"] = {"requiredRevisionId": revision}
    call = google.service("forms").forms().batchUpdate(formId=form_id, body=body)

    def send() -> int:
        try:
            call.execute()
        except HttpError as error:
            if int(error.resp.status) in (400, 403):
                return int(error.resp.status)
            raise
        return 0

    return google.patience.call(send, google.target(WHAT, form_id), repeatable=False)


def _get(google: Google, form_id: str) -> Json:
    return google.execute(google.service("forms").forms().get(formId=form_id), WHAT, form_id)
