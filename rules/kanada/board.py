"""掲示板: posts as they stand, whose they are, which procedure they belong to, and what breaks the rules of the board.

Promises: a title is that title only character for character (after trim); a near miss is listed, never taken for it;
names in a body are found longest first. Refuses to know: whether what a post reports is right.
Sources: １章 呼称, １章 禁止行為, ５章 観測の流れ, ５章 占星, ６章 星術師への襲撃の流れ.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from rules.frames import Finding
from rules.identity import Member, fold, suggest_name
from rules.kanada.intake import Entry, Key, explode

REPORT, CORRECTION = "襲撃報告", "襲撃報告訂正"
LATER = ("観測", "観測訂正", "再観測", "再観測訂正", "占星", "占星訂正")
"""Procedures whose rules come later: until then their posts stand as 未定."""
RESERVED = (REPORT, CORRECTION, *LATER)
_SUFFIX = re.compile("[@＠]")


class Post(NamedTuple):
    """One content of one post. `player` is "" where the name is not on the roster; `named` are the players that the
    body names, in order."""

    entry: Entry
    number: str
    player: str
    name: str
    title: str
    body: str
    image: bool
    named: tuple[str, ...]

    @property
    def at(self) -> pd.Timestamp:
        return self.entry.submitted_at


def read_keys(answers: Mapping[str, Any], _year: int) -> Iterable[Key]:
    return [Key(str(answers.get("number", "")).strip(), None)]


def read_posts(revisions: pd.DataFrame, members: Sequence[Member], year: int) -> list[Post]:
    """All posts in order; of an edited post every content that was seen."""
    names = list(dict.fromkeys(member.player for member in members))
    pattern = _name_pattern(names)
    out = []
    for entry in explode(revisions, "board", lambda answers: read_keys(answers, year)):
        answers = entry.answers
        left = unicodedata.normalize("NFC", _SUFFIX.split(entry.name, maxsplit=1)[0]).strip()
        body = unicodedata.normalize("NFC", str(answers.get("body", "")))
        named = tuple(dict.fromkeys(pattern.findall(body))) if pattern is not None else ()
        out.append(
            Post(
                entry,
                entry.rest,
                left if left in names else "",
                entry.name,
                str(answers.get("title", "")).strip(),
                body,
                is_yes(str(answers.get("image", ""))),
                named,
            )
        )
    return out


def is_yes(text: str) -> bool:
    return text.strip().upper() in ("TRUE", "有", "あり", "有り", "○", "1", "YES")


def _name_pattern(names: Sequence[str]) -> re.Pattern[str] | None:
    """Any name, longest first, so that a name inside another is not taken for it."""
    longest = sorted((name for name in names if name), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))) if longest else None


def correction_number(body: str) -> str:
    """The post number that a 訂正 names: the first run of digits after NFKC."""
    match = re.search(r"\d+", unicodedata.normalize("NFKC", body))
    return match[0] if match else ""


def find_breaches(
    posts: Sequence[Post], roles: Mapping[str, str], codenames: Mapping[str, str]
) -> list[Finding]:
    """What breaks the rules of the board, names and titles that are nearly right. `roles`: player -> role,
    `codenames`: player -> 正式コードネーム."""
    names = {player: player for player in roles} | {
        code: player for player, code in codenames.items() if code
    }
    out = []
    for post in posts:
        entry, place = post.entry.entry_id, f"掲示板 {post.number}番"
        for text in (*_name_breaches(post, names), *_title_breaches(post, roles, names)):
            out.append(Finding("breach", place, text, entry))
        for text in _near_misses(post, list(roles)):
            out.append(Finding("near_miss", place, text, entry))
    return list(dict.fromkeys(out))


def _near_misses(post: Post, players: Sequence[str]) -> Iterable[str]:
    near = next((title for title in RESERVED if _bare(title) == _bare(post.title)), "")
    if near and post.title not in RESERVED:
        yield f"題名「{post.title}」は「{near}」ではありません"
    if not post.player:
        left = _SUFFIX.split(post.name, maxsplit=1)[0]
        suggested = suggest_name(left, players)
        if suggested:
            yield f"名前「{left}」に近い名前: {suggested}"


def _bare(title: str) -> str:
    """A title folded, without the marks that people put behind it."""
    return "".join(c for c in fold(title) if unicodedata.category(c)[0] not in "PSZ")


def _name_breaches(post: Post, names: Mapping[str, str]) -> Iterable[str]:
    """`names`: 正式呼称 and 正式コードネーム -> whose they are."""
    if not post.player:
        yield f"名前「{post.name}」は正式呼称ではありません"
        return
    parts = _SUFFIX.split(post.name, maxsplit=1)
    suffix = unicodedata.normalize("NFC", parts[1]) if len(parts) > 1 else ""
    if "マスター" in suffix:
        yield "名前の@の後に「マスター」とあります"
    for name, player in names.items():
        if name and player != post.player and name in suffix:
            yield f"名前の@の後に{player}の名前があります（{name}）"


def _title_breaches(post: Post, roles: Mapping[str, str], names: Mapping[str, str]) -> Iterable[str]:
    """A reserved title outside its procedure, without its photo, or with a third person in an attack."""
    if post.title not in RESERVED:
        return
    scholars_only = ("観測", "再観測")
    if roles.get(post.player) == "学者" and not post.title.startswith(scholars_only):
        yield f"学者は「{post.title}」を行えません"
    if not post.image and not post.title.startswith("占星"):
        yield f"「{post.title}」に画像がありません"
    if post.title in (REPORT, CORRECTION):
        victims = [name for name in post.named if name != post.player]
        known = {post.player, *victims[:1]}
        third = [
            name
            for name, player in names.items()
            if name in post.body and player not in known and not _inside(name, known)
        ]
        if third:
            yield f"「{post.title}」に当事者以外の名前があります（{'、'.join(dict.fromkeys(third))}）"


def _inside(name: str, known: set[str]) -> bool:
    """A name that is only a piece of one that may stand there."""
    return any(name in other for other in known)
