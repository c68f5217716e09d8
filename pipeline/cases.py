"""Scenario cases: from the YAML of a case to the facts that a game adjudicates.

Promises: a case runs the same functions as a cycle, only its facts come from the file; what is left out means what
SCENARIOS says. Refuses to know: expectations (pipeline.expect), and any game beyond its own `open_case`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from pipeline.archive_rows import canonical_json, digest
from pipeline.case_run import DAY, KEY, START, CaseError, Run, Sent, find_entries
from pipeline.seal import seal_answers
from rules.clock import show_instant
from rules.game import Game, Outcome, Settings
from rules.tables import Reader, Table, show_key


def prepare(case: Mapping[str, Any], game: Game, settings: Settings) -> Run:
    """Read all events of a case; CaseError or ValueError says what is wrong with it."""
    start = game.open_case(case.get("given") or {}, settings)
    run = Run(case, game, settings, START, [], start)
    events = [dict(event) for event in case.get("events") or []]
    for number, event in enumerate(events):
        event.setdefault("id", f"#{number + 1}")
    instants = [run.instant(event["at"]) for event in events if event.get("at")]
    run.as_of = run.instant(case["as_of"]) if case.get("as_of") else _default_as_of(run, instants)
    given = [run.instant(text) for text in case.get("cycles") or []]
    run.cycles = sorted({*(given or instants), run.as_of})
    for table, row in start.rows:
        _write_row(run, table, row, START, "", double=False)
    _send_all(run, events, explicit=bool(given))
    for event in sorted((e for e in events if "input" in e or "publish" in e), key=lambda e: _at(run, e)):
        _write_input(run, event)
    ruled = [event for event in events if "decision" in event or "sent" in event]
    if ruled:
        _write_decisions(run, sorted(ruled, key=lambda e: _at(run, e)))
    return run


def _at(run: Run, event: Mapping[str, Any]) -> pd.Timestamp:
    return run.instant(event["at"]) if event.get("at") else START


def _default_as_of(run: Run, instants: Iterable[pd.Timestamp]) -> pd.Timestamp:
    named = [run.instant(text) for text in _named_instants(run.case.get("then") or {})]
    last: pd.Timestamp = max([run.start.end, *instants, *named])
    return last + DAY


def _named_instants(node: Any, key: str = "") -> Iterable[str]:
    """Every instant that stands in `then`."""
    if isinstance(node, Mapping):
        for name, value in node.items():
            yield from _named_instants(value, str(name))
    elif isinstance(node, list):
        for value in node:
            yield from _named_instants(value, key)
    elif (
        key in ("at", "from", "to", "due", "release", "is")
        and isinstance(node, str)
        and ":" in node
        and "-" in node
    ):
        yield node


def _send_all(run: Run, events: Sequence[Mapping[str, Any]], *, explicit: bool) -> None:
    """Responses, their edits and withdrawals, each content with the cycle that first saw it.

    `seen: false` on an edit means that no cycle saw the content before it, on a response that it was never read.
    """
    origin: dict[str, Mapping[str, Any]] = {}
    last_of: dict[str, pd.Timestamp] = {}
    sends = [event for event in events if "form" in event or "edits" in event or "post" in event]
    for event in sorted(sends, key=lambda e: _at(run, e)):
        first = origin.get(str(event.get("edits")), event)
        origin[event["id"]] = first
        made = _send(run, event, first)
        seen = event.get("seen")
        if seen is False and "edits" not in event:
            continue
        when = run.instant(seen) if isinstance(seen, str) else run.seen_at(_at(run, event))
        row = {**made.row, "first_seen": when}
        before = [s for s in run.sent if s.response_id == made.response_id]
        missed = explicit and not _cycle_between(run, last_of.get(made.response_id, when), _at(run, event))
        if before and (seen is False or missed):
            run.sent.remove(before[-1])
        last_of[made.response_id] = _at(run, event)
        run.sent.append(made._replace(row=row))
    for event in events:
        if "withdraw" in event:
            gone = origin[str(event["withdraw"])]["id"]
            when = run.seen_at(_at(run, event))
            run.sent = [
                s._replace(row={**s.row, "withdrawn_at": when}) if s.response_id == gone else s
                for s in run.sent
            ]


def _cycle_between(run: Run, first: pd.Timestamp, second: pd.Timestamp) -> bool:
    return any(first <= cycle < second for cycle in run.cycles)


def _send(run: Run, event: Mapping[str, Any], first: Mapping[str, Any]) -> Sent:
    name = "board" if "post" in first else str(first["form"])
    form = run.settings.forms.get(name)
    if form is None:
        raise CaseError(f"form: 「{name}」は{'・'.join(run.settings.forms)}のどれでもありません")
    sender = str(event.get("from", first.get("from", "")))
    given = event.get("post") or event.get("answers") or {}
    answers: dict[str, Any] = {}
    for question in form.fields:
        value = given.get(question.name, sender if question.name == "name" else None)
        answers[question.name] = _answer_texts(value) if question.many else _answer_text(value)
    secret = next((question.name for question in form.fields if question.secret), "")
    word = event.get("passphrase", first.get("passphrase", run.start.words.get(sender, "")))
    if secret:
        answers[secret] = _answer_text(given.get(secret, word))
    unknown = set(given) - {question.name for question in form.fields}
    if unknown:
        raise CaseError(f"answers: {'、'.join(sorted(unknown))} という質問はありません")
    sealed = seal_answers(answers, secret, KEY, run.game.sound_word) if secret else answers
    at = run.instant(event["at"])
    address = str(event.get("email", first.get("email", run.start.addresses.get(sender, ""))))
    content = canonical_json(sealed)
    revision = digest(str(int(at.asm8.astype("int64"))), content)[:16]
    row = {
        "form": name,
        "response_id": str(first["id"]),
        "revision": revision,
        "submitted_at": at,
        "submitted_text": str(event["at"]),
        "created_at": run.instant(first["at"]),
        "address": address,
        "answers": content,
        "first_seen": at,
        "withdrawn_at": pd.NaT,
    }
    return Sent(str(event["id"]), name, str(first["id"]), revision, row)


def _answer_text(value: Any) -> str:
    if value is None:
        return ""
    return {True: "TRUE", False: "FALSE"}[value] if isinstance(value, bool) else str(value)


def _answer_texts(value: Any) -> list[str]:
    return [
        _answer_text(item) for item in (value if isinstance(value, list) else [value]) if item is not None
    ]


def _table(run: Run, name: str) -> Table:
    for table in run.game.tables:
        if table.name == name:
            return table
    raise CaseError(f"input: 「{name}」という表はありません")


def _row_key(run: Run, table: Table, texts: Mapping[str, str]) -> str:
    reader = Reader(run.settings.zone, run.settings.year)
    columns = {column.header: column for column in table.columns}
    parts = []
    for header in table.key:
        try:
            parts.append(show_key(reader.read(texts.get(header, ""), columns[header]), run.settings.year))
        except ValueError:
            parts.append(texts.get(header, ""))
    return "/".join(parts)


def _write_row(
    run: Run, name: str, row: Mapping[str, Any], seen: pd.Timestamp, event: str, *, double: bool
) -> None:
    """A row of a masters' table; an earlier row of its key is rewritten unless the case says `double`."""
    table = _table(run, name)
    texts = {str(header): _answer_text(value) for header, value in row.items() if header != "double"}
    shown = _row_key(run, table, texts)
    key = shown if shown.strip("/") else f"#{len(run.inputs)}"
    earlier = [item for item in run.inputs if item["table"] == name and item["shown"] == key]
    if earlier and not double:
        texts = {**json.loads(earlier[-1]["content"]), **texts}
        key_id = earlier[-1]["key"]
    else:
        key_id = f"{key}#{len(earlier)}"
    run.inputs.append(
        {
            "table": name,
            "key": key_id,
            "shown": key,
            "content": canonical_json(texts),
            "first_seen": seen,
            "seq": len(run.inputs),
        }
    )
    run.rows[event] = f"{name}/{key}"


def _write_input(run: Run, event: Mapping[str, Any]) -> None:
    seen = run.seen_at(_at(run, event)) if event.get("at") else START
    if "publish" in event:
        name, row = run.game.publish_row(str(event["publish"]), run.instant(event["at"]), run.settings)
        _write_row(run, name, row, seen, str(event["id"]), double=False)
    else:
        row = event["row"]
        _write_row(
            run,
            str(event["input"]),
            row,
            seen,
            str(event["id"]),
            double=event.get("double") is True or row.get("double") is True,
        )


def _write_decisions(run: Run, events: Sequence[Mapping[str, Any]]) -> None:
    """Masters' cells by entry; the ids come from a derivation without any decision."""
    outcome = run.adjudicate(max(run.cycles), ruled=False)
    for event in events:
        if "sent" in event:
            _write_sent(run, outcome, event)
            continue
        found = find_entries(run, outcome, str(event["decision"]))
        if len(found) != 1:
            raise CaseError(f"decision: 「{event['decision']}」に当たるものが{len(found)}件あります")
        cells = {str(header): _answer_text(value) for header, value in (event.get("columns") or {}).items()}
        for key, header in (("ruling", "裁定"), ("by", "裁定者"), ("note", "メモ")):
            if key in event:
                cells[header] = _answer_text(event[key])
        seen = run.seen_at(_at(run, event))
        before = max((cycle for cycle in run.cycles if cycle < seen), default=seen)
        rests = run.adjudicate(before).verdicts
        basis = rests.loc[rests["entry_id"].eq(found[0]), "basis"]
        run.decisions.append(
            {
                "place": "case",
                "entry_id": found[0],
                "content": canonical_json(cells),
                "first_seen": seen,
                "basis": str(basis.iat[0]) if len(basis) else "",
                "seq": len(run.decisions),
            }
        )


def _write_sent(run: Run, outcome: Outcome, event: Mapping[str, Any]) -> None:
    """送信時刻 beside each mail or notice that the event names."""
    sent = event["sent"]
    about = str(sent.get("about", ""))
    causes = {about, *find_entries(run, outcome, about)}
    to = sent.get("to")
    wanted = {str(name) for name in (to if isinstance(to, list) else [to])} if to is not None else None
    seen = run.seen_at(_at(run, event))
    for task in outcome.tasks:
        fits = task.kind == sent.get("kind", task.kind) and causes & set(task.causes)
        if fits and task.kind != "alert" and (wanted is None or set(task.to) == wanted):
            when = show_instant(run.instant(event["at"]), run.settings.zone)
            run.decisions.append(
                {
                    "place": "sent",
                    "entry_id": task.task_id,
                    "content": canonical_json({"送信時刻": when}),
                    "first_seen": seen,
                    "basis": "",
                    "seq": len(run.decisions),
                }
            )
