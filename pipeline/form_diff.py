"""A form at Google beside the form that the config wants: what would break, and what may now be listed.

Promises: each difference is one line that says what to do; that a choice is missing breaks nothing, that one is there
which the rules do not know does. Refuses to know: how a form is read, and any answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from connectors.google_items import FormShape, Question
from connectors.responses import fold_title
from pipeline.questions import Item, Wanted

State = Literal["ok", "直す", "追加できます"]
OK: State = "ok"
MEND: State = "直す"
MORE: State = "追加できます"

_COLLECTS: Mapping[str, str] = {
    "VERIFIED": "確認済み",
    "RESPONDER_INPUT": "回答者からの入力",
}
_KINDS: Mapping[str, str] = {
    "short": "記述式",
    "paragraph": "段落",
    "dropdown": "プルダウン",
    "choice": "ラジオボタン",
    "checkbox": "チェックボックス",
    "time": "時刻",
    "other": "ほかの形式",
}
_READ: Mapping[str, str] = {"short": "text", "paragraph": "text", "dropdown": "one", "choice": "one"}
"""Kinds that are read alike; each other kind is read in its own way."""


class Line(NamedTuple):
    state: State
    text: str


def compare_form(wanted: Wanted, live: FormShape) -> list[Line]:
    """Every difference; one line that all is well where there is none that breaks."""
    lines = [*_compare_settings(wanted.shape, live), *_compare_questions(wanted, live)]
    if not any(line.state == MEND for line in lines):
        lines.insert(0, Line(OK, f"設定のとおりです（質問 {len(live.questions)}）"))
    return lines


def _compare_settings(wanted: FormShape, live: FormShape) -> Iterator[Line]:
    if live.verified != wanted.verified or live.collects not in _COLLECTS:
        now = _COLLECTS.get(live.collects, "収集しない")
        need = _COLLECTS["VERIFIED" if wanted.verified else "RESPONDER_INPUT"]
        yield Line(MEND, f"メールアドレスの収集が「{now}」です。フォームの「設定」で「{need}」にしてください")
    if not live.published:
        yield Line(MEND, "公開されていません。フォームの編集画面で「公開」を押してください")
    elif not live.accepting:
        yield Line(
            MEND, "回答を受け付けていません。締め切ったのでなければ、フォームで受け付けを始めてください"
        )


def _compare_questions(wanted: Wanted, live: FormShape) -> Iterator[Line]:
    known = {fold_title(title) for item in wanted.items for title in item.titles}
    strangers = [question.title for question in live.questions if question.title not in known]
    missing = False
    for item in wanted.items:
        titles = {fold_title(title) for title in item.titles}
        found = [question for question in live.questions if question.title in titles]
        missing |= not found
        if not found:
            yield _tell_missing(wanted.name, item, strangers)
        elif len(found) > 1:
            told = "、".join(f"「{question.title}」" for question in found)
            yield Line(MEND, f"同じ質問が {len(found)} つあります: {told}。1つだけ残してください")
        else:
            yield from _compare_question(item, found[0])
    if strangers and not missing:
        yield Line(OK, f"設定にない質問は、回答を残しますが裁定には使いません: {_quote(strangers)}")


def _tell_missing(form: str, item: Item, strangers: Sequence[str]) -> Line:
    said = f"「{item.question.title}」の質問がありません。足してください"
    if strangers:
        place = f"forms.{form}.fields.{item.field.name}.aliases"
        said += f"。題名を変えたのなら、設定の {place} に今の題名を足してください（設定にない質問: {_quote(strangers)}）"
    return Line(MEND if item.needed else MORE, said)


def _compare_question(item: Item, live: Question) -> Iterator[Line]:
    wanted, title = item.question, live.title
    alike = _read_as(wanted.kind) == _read_as(live.kind)
    if not alike and item.listed and _read_as(live.kind) == "text":
        if wanted.choices:
            kind = _KINDS[wanted.kind]
            yield Line(MORE, f"「{title}」を{kind}にできます。公開済みの選択肢: {_quote(wanted.choices)}")
    elif not alike:
        yield Line(MEND, f"「{title}」が{_KINDS[live.kind]}です。{_KINDS[wanted.kind]}に変えてください")
    elif live.kind in ("dropdown", "choice", "checkbox"):
        yield from _compare_choices(wanted, live)
    if live.must and not wanted.must:
        yield Line(MEND, f"「{title}」が必須です。答えない人もいるので、必須を外してください")
    elif wanted.must and not live.must:
        yield Line(MEND, f"「{title}」が必須ではありません。必須にしてください")


def _compare_choices(wanted: Question, live: Question) -> Iterator[Line]:
    there, known = _fold(live.choices), _fold(wanted.choices)
    for choice in [text for text in there if text not in known]:
        yield Line(
            MEND,
            f"「{live.title}」の選択肢「{choice}」は、設定にも、公開済みの表にもありません。消してください",
        )
    new = [text for text in known if text not in there]
    if new:
        yield Line(MORE, f"「{live.title}」の選択肢に足せます: {_quote(new)}")
    if live.other and not wanted.other:
        yield Line(MEND, f"「{live.title}」に「その他」の欄があります。消してください")
    for choice in wanted.leads:
        if choice in there and choice not in live.leads:
            yield Line(
                MEND,
                f"「{live.title}」の選択肢「{choice}」から進む先がありません。「回答に応じてセクションに移動」で決めてください",
            )


def _read_as(kind: str) -> str:
    return _READ.get(kind, kind)


def _fold(choices: Sequence[str]) -> dict[str, None]:
    return dict.fromkeys(fold_title(choice) for choice in choices)


def _quote(titles: Sequence[str]) -> str:
    return "、".join(f"「{title}」" for title in titles)
