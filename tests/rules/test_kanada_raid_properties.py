"""Laws of effects, attacks and inquiries, over small games whose freezes and posts crowd around each other's limits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import hypothesis
import pandas as pd
from builders import GAME, comparable, decide, jst, plain_settings, ready, shuffle_facts, statuses
from hypothesis import given
from hypothesis import strategies as st

from rules.frames import DECISIONS, REVISIONS, build_frame
from rules.game import Facts, Outcome
from rules.kanada import effects
from rules.kanada.attacking import Prepared
from rules.verdicts import STATUSES

laws = hypothesis.settings(max_examples=15, deadline=None)
SORCERERS, SCHOLAR = ("甲", "乙", "丙", "丁"), "学甲"
GRADES = {"燐光球": 3, "薄明球": 4}
LAST = jst("10-15 12:00:00")
"""After everything that is sent or written; clocks of 30 minutes, 8 hours and days may still run."""
LATER = jst("10-26 00:00:00")
WORDS = {
    "attack": ("成立", "不成立(権利消費)", "不成立(フリーズ不成立・権利戻る)", "保留"),
    "board": ("受理", "不受理", "保留", "本人不一致"),
    "effect": ("受理", "不受理", "保留"),
    "inquiry": ("受理", "不受理", "保留"),
}
ALLOWED = {
    "attack": {"成立", "不成立", "要確認", "保留", "未定", "対象外", "本人不一致", "不受理"},
    "board": {"", "受理", "不受理", "保留", "本人不一致", "期限後", "対象外", "要確認", "未定"},
    "effect": {"受理", "不受理", "差替", "期限後", "本人不一致", "対象外", "要確認", "保留", "未定"},
    "inquiry": {"受理", "不受理", "保留", "要確認", "本人不一致"},
}
CONSTELLATIONS: list[dict[str, Any]] = [
    {"name": "竈座", "main": "炎", "rank": 1, "cost": {"2": 1}, "effects": ["薪くべ", "灰かぶり"]},
    {"name": "滝座", "main": "水", "rank": 1, "cost": {"3": 1}, "effects": ["潮満ち"]},
    {"name": "炉座", "main": "炎", "rank": 1, "cost": {"2": 1}},
]
EFFECTS: list[dict[str, Any]] = [
    {"name": "薪くべ", "deadline": "-1日 23:59:59", "when": "daily 00:00:00", "if": "form", "does": "points +100"},
    {"name": "灰かぶり", "deadline": "0日 08:00:00", "content": "大|小", "when": "daily 12:00:00",
     "if": "form; content 大", "does": "right +1"},
    {"name": "潮満ち", "deadline": "0日 08:00:00", "when": "attack", "if": "form", "does": "opens 竈座"},
]  # fmt: skip


class Small(NamedTuple):
    """One small game: its facts, and whether masters changed rights by 補正."""

    facts: Facts
    corrected: bool

    def at(self, as_of: pd.Timestamp) -> Outcome:
        return GAME.adjudicate(self.facts, as_of, plain_settings())

    def outcome(self) -> Outcome:
        return self.at(LATER)


FREEZES = (
    ("10-13", "04:59"), ("10-13", "05:00"), ("10-13", "09:00"), ("10-13", "09:00"), ("10-13", "09:00"),
    ("10-13", "09:02"), ("10-13", "09:10"), ("10-13", "09:12"), ("10-13", "09:13"), ("10-13", "09:14"),
    ("10-13", "09:29"), ("10-13", "09:30"), ("10-13", "09:31"), ("10-13", "10:00"), ("10-13", "10:00"),
    ("10-13", "23:50"), ("10-14", "09:00"), ("10-14", "09:00"),
)  # fmt: skip
SOON = ("0", "59", "60", "120", "120", "125.5", "180", "600")
EDGES = ("601", "779", "780", "780.9", "781", "1799", "1800", "1800.9", "1801")
FLAWS = ("",) * 12 + ("word", "address", "minute", "no post", "victim", "nobody", "title", "other", "edge", "edge",
                      "edge", "twin", "other twin", "correction", "correction")  # fmt: skip


def _shift(at: pd.Timestamp, seconds: str) -> pd.Timestamp:
    return at + pd.Timedelta(microseconds=round(float(seconds) * 1_000_000))


def _post(
    name: str, number: int, at: pd.Timestamp, author: str, title: str, body: str, **more: Any
) -> dict[str, Any]:
    content = {"number": number, "name": author, "title": title, "body": body, "image": True}
    return {"id": name, "at": at.isoformat(), "post": content, **more}


@st.composite
def _raids(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    """One attack: its form, mostly its post, sometimes a 訂正 or a second form; at most one thing goes wrong."""
    flaw = draw(st.sampled_from(FLAWS))
    attacker = draw(st.sampled_from(("甲", "甲", "甲", "乙", "丙") + (("甲",) * 4 + (SCHOLAR,))))
    target = draw(st.sampled_from([n for n in ("丁", "丁", "丁", "乙", SCHOLAR, SCHOLAR) if n != attacker]))
    day, clock = draw(st.sampled_from(FREEZES))
    freeze = jst(f"{day} {clock}:00")
    said = "?" if flaw == "minute" else draw(st.sampled_from((clock, f"{clock}:39")))
    answers: dict[str, Any] = {"target": target, "freeze_at": said}
    if target == SCHOLAR:
        answers["card"] = draw(st.sampled_from(("受け取った", "")))
    else:
        answers |= draw(st.sampled_from(({}, {"balls_given": ["燐光球"], "balls_taken": ["薄明球"]},
                                         {"balls_taken": ["薄明球"]}, {"balls_given": ["燐光球"]})))  # fmt: skip
    sent = _shift(freeze, draw(st.sampled_from(("59", "180", "180", "700", "1500"))))
    form = {
        "id": f"f{number}",
        "at": sent.isoformat(),
        "form": "attack",
        "from": attacker,
        "answers": answers,
    }
    form |= {"word": {"passphrase": "つき"}, "address": {"email": "stranger@example.com"}}.get(flaw, {})
    events = [form]
    if flaw != "no post":
        at = _shift(freeze, draw(st.sampled_from(EDGES if flaw == "edge" else SOON)))
        body = f"{attacker}が{ {'victim': '丙', 'nobody': '人'}.get(flaw, target) }を襲撃！"
        author = draw(st.sampled_from(("丁", "幻"))) if flaw == "other" else attacker
        title = draw(st.sampled_from(("襲撃報告！", "観測"))) if flaw == "title" else "襲撃報告"
        events.append(_post(f"p{number}", 10 + number, at, author, title, body))
        if flaw in ("correction", "victim"):
            named = draw(st.sampled_from((f"{10 + number}番 {attacker}が{target}を襲撃！", "99番", "")))
            late = _shift(at, draw(st.sampled_from(("-1", "0", "599", "600", "600.9", "601"))))
            events.append(_post(f"c{number}", 50 + number, late, attacker, "襲撃報告訂正", named))
    if flaw in ("twin", "other twin"):
        change = draw(st.sampled_from(({"note": "違い"}, {"target": "丙"}))) if flaw == "other twin" else {}
        again = _shift(sent, draw(st.sampled_from(("0", "1", "60"))))
        events.append({**form, "id": f"g{number}", "at": again.isoformat(), "answers": {**answers, **change}})
    return events


@st.composite
def _releases(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    answers: dict[str, str] = {}
    for part in range(1, draw(st.integers(1, 3)) + 1):
        answers[f"date_{part}"] = draw(
            st.sampled_from(("10-13", "10-13", "10-14", "10-18", "11-01", "", "あす"))
        )
        answers[f"effect_{part}"] = draw(
            st.sampled_from(("薪くべ", "灰かぶり", "灰かぶり", "潮満ち", "幻", ""))
        )
        answers[f"content_{part}"] = draw(st.sampled_from(("大", "大", "大", "小", "中", "")))
    at = jst(draw(st.sampled_from(("10-12 23:59:59", "10-13 00:00:00", "10-13 08:00:00", "10-13 08:00:01"))))
    at = _shift(at, draw(st.sampled_from(("0", "0", "0.9", "-1"))))
    event = {"id": f"f{number}", "at": at.isoformat(), "form": "effect", "answers": answers}
    event |= {"from": draw(st.sampled_from(("甲", "甲", "乙", SCHOLAR)))}
    return [
        {**event, **draw(st.sampled_from(({},) * 6 + ({"passphrase": "つき"}, {"email": "x@example.com"})))}
    ]


@st.composite
def _questions(draw: st.DrawFn, number: int) -> list[dict[str, Any]]:
    answers = {
        "kind": draw(st.sampled_from(("質問", "アドレス変更", "アドレス変更", "参加表明・立候補前", "")))
    }
    answers |= {"subject": draw(st.sampled_from(("球", "異議")))}
    answers |= {"new_email": draw(st.sampled_from(("new@example.com", "p2@example.com", "")))}
    at = draw(st.sampled_from(("10-12 12:00:00", "10-13 09:05:00", "10-13 09:05:00", "10-14 09:00:00")))
    event = {"id": f"f{number}", "at": jst(at).isoformat(), "form": "inquiry", "answers": answers}
    event |= {"from": draw(st.sampled_from(("甲", "乙", SCHOLAR)))}
    return [
        {**event, **draw(st.sampled_from(({}, {}, {"passphrase": "つき"}, {"email": "new@example.com"})))}
    ]


CELLS: tuple[dict[str, str], ...] = (
    {"a": "5", "b": "1.5"}, {"a": "0.5", "d": "0.33"}, {"c": "-200", "b": "-1"}, {"b": "x"}, {"優位": "○"},
    {"優位": "×"}, {"成立時刻": "10-13 09:03:00"}, {"異議(被襲撃者)": "10-13 12:00:00"}, {"球の扱い": "戻す"},
    {"タッチ時刻": "10-13 09:13:01"}, {"訂正:フリーズ時刻": "09:10"},
    {"確認メール送信(襲撃者)": "10-13 11:00:00", "確認メール送信(被襲撃者)": "10-13 11:00:00"},
)  # fmt: skip
OBJECTED = "異議(被襲撃者)"


def write_cells(facts: Facts, entry: str, cells: Mapping[str, str], at: pd.Timestamp) -> Facts:
    """Masters' columns beside an entry."""
    rows = [{str(k): v for k, v in row.items()} for row in facts.decisions.to_dict("records")]
    fresh = {"place": "case", "entry_id": entry, "content": json.dumps(dict(cells), ensure_ascii=False)}
    rows.append({**fresh, "basis": "", "first_seen": at, "seq": len(rows)})
    return facts._replace(decisions=build_frame(rows, DECISIONS))


def _word_for(draw: st.DrawFn, entry: str) -> str:
    return draw(st.sampled_from(WORDS[entry.partition("-")[0]]))


_KINDS = (_raids, _raids, _raids, _raids, _releases, _questions)


@st.composite
def games(draw: st.DrawFn, *, ruled: bool = True, only_raids: bool = False) -> Small:
    events: list[dict[str, Any]] = []
    for number in range(draw(st.integers(3, 6))):
        events += draw((_raids if only_raids else draw(st.sampled_from(_KINDS)))(number))
    corrected = draw(st.sampled_from((False, False, False, True)))
    if corrected:
        row = {"番号": "1", "正式呼称": "甲", "項目": "襲撃権", "時刻": "10-13 09:00:00"}
        row["増減"] = draw(st.sampled_from(("1", "-3", "-4")))
        events.append({"input": "補正", "row": row, "at": "10-12 00:00:00"})
    state: dict[str, dict[str, Any]] = {name: {"balls": ["燐光球", "薄明球"]} for name in SORCERERS}
    lists = ([name for name in SORCERERS if name != "甲"], ["丁"], [], None)
    for name in ("甲", "乙", "丙"):
        superior = draw(st.sampled_from((lists[0],) * 5 + lists))
        state[name] |= {"superior": superior} if superior is not None else {}
    state["甲"] |= draw(
        st.sampled_from(({}, {"constellation": "竈座"}, {"constellation": "竈座"}, {"right": 1}))
    )
    state["丁"] |= draw(st.sampled_from(({}, {"constellation": "滝座"}, {"constellation": "炉座"})))
    run = ready(
        events,
        as_of="10-26 00:00:00",
        players=[*({"name": n, "role": "星術師"} for n in SORCERERS), {"name": SCHOLAR, "role": "学者"}],
        constellations=CONSTELLATIONS,
        effects=EFFECTS,
        balls=[{"name": name, "grade": grade} for name, grade in GRADES.items()],
        state=state,
    )
    facts = run.facts([])
    entries = sorted(statuses(GAME.adjudicate(facts, LATER, plain_settings())))
    attacks = [entry for entry in entries if entry.startswith("attack-")]
    for entry in draw(st.lists(st.sampled_from(attacks), max_size=2)) if attacks else []:
        facts = write_cells(facts, entry, draw(st.sampled_from(CELLS)), jst("10-14 20:00:00"))
    if ruled and entries:
        for entry in draw(
            st.lists(st.sampled_from(attacks or entries) | st.sampled_from(entries), max_size=2)
        ):
            at = jst(draw(st.sampled_from(("10-13 09:20:00", "10-14 21:00:00"))))
            facts = decide(facts, (entry, _word_for(draw, entry), at), confirmed=draw(st.booleans()))
    return Small(facts, corrected)


def _raids_of(outcome: Outcome) -> dict[str, Prepared]:
    return {item.report.entry.entry_id: item for item in outcome.extra.attacks.prepared}


def _ruling(outcome: Outcome, entry: str) -> str:
    ruling = outcome.extra.cases[entry].fate.ruling
    return ruling.ruling if ruling is not None else ""


def _booked(outcome: Outcome, entry: str) -> dict[tuple[str, str], int]:
    """What an entry moves, by account; what cancels out is left out."""
    out: Counter[tuple[str, str]] = Counter()
    rows = outcome.postings.loc[outcome.postings["cause"].eq(entry), ["player", "account", "amount"]]
    for player, account, amount in rows.itertuples(index=False, name=None):
        out[player, account] += amount
    return {key: amount for key, amount in out.items() if amount}


def _points(cells: Mapping[str, str], first: int, plus: str, times: str) -> int:
    """((first+plus)×times) without its fraction, not below 0, from what masters typed."""
    if cells.get(times) == "x":
        cells = {**cells, times: ""}
    return max(int((first + Fraction(cells.get(plus) or "0")) * Fraction(cells.get(times) or "1")), 0)


def _owed(item: Prepared) -> dict[tuple[str, str], int]:
    """What the text says an attack that stands moves."""
    report, cells = item.report, item.report.cells
    out: Counter[tuple[str, str]] = Counter()
    out[report.attacker, "right"] -= 1
    out[report.attacker, "points"] += _points(cells, 100, "a", "b")
    if report.scholar:
        out[report.target, f"card/{SCHOLAR}"] -= report.card
        out[report.attacker, f"card/{SCHOLAR}"] += report.card
    else:
        out[report.target, "points"] -= _points(cells, 150, "c", "d")
        for ball in (*report.given, *report.taken):
            out[report.attacker, f"star/{GRADES[ball]}"] += 1
        for giver, taker, balls in (
            (report.attacker, report.target, report.given),
            (report.target, report.attacker, report.taken),
        ):
            for ball in balls:
                out[giver, f"ball/{ball}"] -= 1
                out[taker, f"ball/{ball}"] += 1
    return {key: amount for key, amount in out.items() if amount}


@given(game=games(), seed=st.integers(0, 99))
@laws
def test_the_order_of_the_rows_read_changes_nothing(game: Small, seed: int) -> None:
    mixed = shuffle_facts(game.facts, seed)
    assert comparable(Small(mixed, game.corrected).outcome()) == comparable(game.outcome())


@given(game=games())
@laws
def test_the_same_facts_give_the_same_outcome_and_stay_untouched(game: Small) -> None:
    frames = (game.facts.revisions, game.facts.inputs, game.facts.decisions)
    before = [frame.copy() for frame in frames]
    assert comparable(game.outcome()) == comparable(game.outcome())
    for kept, frame in zip(before, frames, strict=True):
        pd.testing.assert_frame_equal(kept, frame)


@given(game=games())
@laws
def test_every_entry_has_one_verdict_from_the_closed_list(game: Small) -> None:
    outcome = game.outcome()
    verdicts = outcome.verdicts
    assert verdicts["entry_id"].is_unique
    joined = outcome.extra.attacks.joined
    owned = {report.post.entry.entry_id for report in joined.reports if report.post is not None}
    for entry, form, machine, effective, reasons in verdicts[
        ["entry_id", "form", "machine", "effective", "reasons"]
    ].itertuples(index=False):
        assert {machine, effective} <= ALLOWED[form] & {*STATUSES, ""}
        assert all(reason.text and "{" not in reason.text for reason in reasons)
        if entry in owned:
            assert machine == ""
        if effective != "":
            assert reasons
        if machine == "" and entry not in owned:
            # Nobody's post, or one that a master took from its author.
            (post,) = (p for p in outcome.extra.attacks.posts if p.entry.entry_id == entry)
            assert not post.player or _ruling(outcome, entry) == "本人不一致"


@given(game=games())
@laws
def test_every_response_has_its_entries(game: Small) -> None:
    outcome = game.outcome()
    found: dict[tuple[str, str, str], list[str]] = {}
    for form, response, revision, key in outcome.verdicts[
        ["form", "response_id", "revision", "key"]
    ].itertuples(index=False):
        found.setdefault((form, response, revision), []).append(key)
    for form, response, revision, answers in game.facts.revisions[
        ["form", "response_id", "revision", "answers"]
    ].itertuples(index=False):
        if form == "board":
            assert (response, revision) in outcome.unruled
            assert len(found.get((form, response, revision), [])) <= 1
        else:
            keys = effects.read_keys(json.loads(answers), 2026) if form == "effect" else []
            wanted = sorted(key.rest for key in keys) if form == "effect" else [""]
            assert sorted(found[form, response, revision]) == wanted


@given(game=games(ruled=False, only_raids=True))
@laws
def test_rights_are_never_below_zero(game: Small) -> None:
    outcome, opening = game.outcome(), game.facts.opening
    if game.corrected or opening is None:
        return
    rights = outcome.postings.loc[outcome.postings["account"].eq("right")]
    for player, rows in rights.groupby("player"):
        balances = opening.balances.get((str(player), "right"), 0) + rows["amount"].cumsum()
        assert balances.min() >= 0


@given(game=games(ruled=False, only_raids=True))
@laws
def test_at_most_one_attack_of_a_pair_stands(game: Small) -> None:
    outcome = game.outcome()
    pairs: Counter[tuple[Any, ...]] = Counter()
    for entry, item in _raids_of(outcome).items():
        if outcome.extra.cases[entry].effective == "成立" and item.attack is not None:
            day = None if item.report.scholar else item.attack.strike.day
            pairs[item.report.attacker, item.report.target, day] += 1
    assert [pair for pair, number in pairs.items() if number > 1] == []


@given(game=games(only_raids=True))
@laws
def test_an_attack_that_stands_books_what_the_text_says_and_no_other_books_anything(game: Small) -> None:
    outcome = game.outcome()
    for entry, item in _raids_of(outcome).items():
        status, ruling = outcome.extra.cases[entry].effective, _ruling(outcome, entry)
        booked = _booked(outcome, entry)
        established = item.timing is not None and item.timing.established is not None
        if ruling == "不成立(権利消費)" and item.attack is not None:
            accounts = {account.partition("/")[0] for _player, account in booked}
            assert accounts <= {"right", "ball"}
            assert booked[item.report.attacker, "right"] == -1
        elif status == "成立" and (not ruling or (item.attack is not None and established)):
            assert booked == _owed(item)
        elif ruling != "成立" and OBJECTED not in item.report.cells:
            assert booked == {}


@given(game=games(ruled=False), pick=st.integers(0, 20), data=st.data())
@laws
def test_a_decision_taken_back_leaves_no_trace(game: Small, pick: int, data: st.DataObject) -> None:
    plain = game.outcome()
    entries = sorted(statuses(plain))
    if not entries:
        return
    entry, at = entries[pick % len(entries)], jst("10-13 09:20:00")
    word = _word_for(data.draw, entry)
    ruled = decide(game.facts, (entry, word, at), (entry, "自動", at + pd.Timedelta(hours=1)))
    assert comparable(Small(ruled, game.corrected).outcome()) == comparable(plain)


def _add(facts: Facts, source: Mapping[Any, Any], **changes: Any) -> Facts:
    row = {str(k): v for k, v in source.items()}
    row |= {"response_id": "extra", "revision": "extra", "withdrawn_at": pd.NaT, **changes}
    rows = [{str(k): v for k, v in old.items()} for old in facts.revisions.to_dict("records")]
    return facts._replace(revisions=build_frame([*rows, row], REVISIONS))


def _others(outcome: Outcome) -> dict[str, str]:
    mine = outcome.verdicts["response_id"].ne("extra")
    return statuses(outcome._replace(verdicts=outcome.verdicts.loc[mine]))


STRANGE = {"exact": "0", "folded": "0", "sound": True, "blank": False}


@given(game=games(), pick=st.integers(0, 9), move=st.sampled_from(("-60", "-1", "0", "1", "60")))
@laws
def test_a_form_that_proves_nobody_changes_no_other_status(game: Small, pick: int, move: str) -> None:
    forms = game.facts.revisions.loc[game.facts.revisions["form"].ne("board")]
    source = forms.iloc[pick % len(forms)].to_dict()
    answers = json.dumps({**json.loads(str(source["answers"])), "passphrase": STRANGE}, ensure_ascii=False)
    at = _shift(source["submitted_at"], move)
    changes = {"submitted_at": at, "created_at": at, "first_seen": at, "address": "stranger@example.com"}
    more = _add(game.facts, source, answers=answers, **changes)
    assert _others(Small(more, game.corrected).outcome()) == statuses(game.outcome())


@given(game=games(), pick=st.integers(0, 9), author=st.sampled_from(("幻", SCHOLAR, "丁")), data=st.data())
@laws
def test_a_post_by_somebody_else_changes_no_other_status(
    game: Small, pick: int, author: str, data: st.DataObject
) -> None:
    outcome = game.outcome()
    posts = game.facts.revisions.loc[game.facts.revisions["form"].eq("board")]
    speaking = {json.loads(str(a))["name"] for a in posts["answers"]}
    speaking |= {item.report.attacker for item in _raids_of(outcome).values()}
    if posts.empty or author in speaking:
        return
    source = posts.iloc[pick % len(posts)].to_dict()
    title = data.draw(st.sampled_from(("襲撃報告", "襲撃報告訂正")))
    content = {**json.loads(str(source["answers"])), "name": author, "title": title}
    at = _shift(source["submitted_at"], data.draw(st.sampled_from(("-1", "0", "1"))))
    changes = {"submitted_at": at, "created_at": at, "first_seen": at}
    more = _add(game.facts, source, answers=json.dumps(content, ensure_ascii=False), **changes)
    assert _others(Small(more, game.corrected).outcome()) == statuses(outcome)


@given(game=games(), first=st.integers(0, 24 * 8), second=st.integers(0, 24 * 8))
@laws
def test_what_is_decided_stays_as_time_goes_by(game: Small, first: int, second: int) -> None:
    """Without new facts time only decides what was open."""
    one = game.at(LAST + pd.Timedelta(hours=min(first, second)))
    two = game.at(LAST + pd.Timedelta(hours=max(first, second)))
    before, after = statuses(one), statuses(two)
    assert set(before) == set(after)
    decided = {entry: status for entry, status in before.items() if status != "未定"}
    assert {entry: after[entry] for entry in decided} == decided
    assert set(one.postings["posting_id"]) <= set(two.postings["posting_id"])


@given(game=games(ruled=False, only_raids=True), minutes=st.integers(0, 16))
@laws
def test_a_clock_that_runs_out_only_asks_masters(game: Small, minutes: int) -> None:
    """Just after the last word, in the very minutes in which forms and posts are still waited for."""
    sent = game.facts.revisions["submitted_at"]
    plain = Small(game.facts._replace(decisions=game.facts.decisions.iloc[:0]), game.corrected)
    start = sent.max()
    one, two = plain.at(start), plain.at(start + pd.Timedelta(minutes=2 * minutes, seconds=1))
    before, after = statuses(one), statuses(two)
    assert {e: s for e, s in after.items() if before[e] not in ("未定", s)} == {}
    previews = dict(zip(one.verdicts["entry_id"], one.verdicts["preview"], strict=True))
    waited = {e: after[e] for e, s in before.items() if s == "未定" and not previews[e]}
    assert set(waited.values()) <= {"未定", "要確認"}
