"""Laws that hold whatever players and masters do, over small games with times crowded around the limits."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import hypothesis
import pandas as pd
from builders import GAME, SECOND, comparable, decide, jst, plain_settings, ready, shuffle_facts, statuses
from hypothesis import given
from hypothesis import strategies as st

from rules.frames import REVISIONS, build_frame
from rules.game import Facts, Outcome
from rules.kanada import replication, signup
from rules.kanada.judging import Case

laws = hypothesis.settings(max_examples=15, deadline=None)
PLAYERS = ("甲", "乙", "丙")
ROLES = st.sampled_from(["星術師", "星術師", "星術師", "学者"])
DAYS = ("10-13", "10-14", "10-17", "10-18", "10-19")
LIMITS = ("10-12 23:59:59", "10-13 23:59:59", "10-16 23:59:59")
OFFSETS = ("-3600", "-1", "-0.000001", "0", "0.5", "0.999999", "1", "1.000001", "60")
CONSTELLATIONS: list[dict[str, Any]] = [
    {"name": "竈座", "cost": {"2": 1}, "effects": ["薪くべ"]},
    {"name": "滝座", "cost": {"3": 1}, "effects": ["潮満ち"]},
    {"name": "森座", "cost": {"2": 1, "3": 1}, "effects": ["木霊"]},
]
LAST = jst("10-18 12:00:00")
"""After everything that is sent or written; some events are still to come."""
LATER = jst("11-02 00:00:00")


class Small(NamedTuple):
    """One small game: its facts, and their as_of."""

    facts: Facts
    as_of: pd.Timestamp = LATER

    def at(self, as_of: pd.Timestamp) -> Outcome:
        return GAME.adjudicate(self.facts, as_of, plain_settings())

    def outcome(self) -> Outcome:
        return self.at(self.as_of)


def _instants() -> st.SearchStrategy[pd.Timestamp]:
    """Around a limit, often the very same one: ties must be common."""
    return st.builds(
        lambda limit, offset: jst(limit) + pd.Timedelta(microseconds=round(float(offset) * 1_000_000)),
        st.sampled_from(LIMITS),
        st.sampled_from(OFFSETS),
    )


def _signups() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "event_dates": st.lists(st.sampled_from([*DAYS, "未定"]), max_size=3),
            "note": st.sampled_from(["", "", "少し遅れます", "やはり辞退します"]),
        }
    )


def _copies() -> st.SearchStrategy[dict[str, Any]]:
    stars = st.sampled_from(["", "0", "1", "１", "2", "一"])
    return st.fixed_dictionaries(
        {
            "date": st.sampled_from([*DAYS, "10-12", "11-01", "あした"]),
            "constellation": st.sampled_from(["竈座", "竈座", "滝座", "森座", "幻座", ""]),
            "stars_2": stars,
            "stars_3": stars,
        }
    )


_ANSWERS = {"signup": _signups(), "replication": _copies()}


@st.composite
def _sends(draw: st.DrawFn) -> dict[str, Any]:
    form = draw(st.sampled_from(sorted(_ANSWERS)))
    sender = draw(st.sampled_from(PLAYERS))
    event: dict[str, Any] = {"form": form, "from": sender, "answers": draw(_ANSWERS[form])}
    event["at"] = draw(_instants()).isoformat()
    flaw = draw(st.sampled_from(["", "", "", "", "word", "address", "name", "other"]))
    if flaw == "word":
        event["passphrase"] = draw(st.sampled_from(["つき", "ホシ", ""]))
    elif flaw == "address":
        event["email"] = "stranger@example.com"
    elif flaw == "name":
        event["answers"] = {**event["answers"], "name": draw(st.sampled_from(["丁", " 甲 ", "甲乙"]))}
    elif flaw == "other":
        event["email"] = "p2@example.com"
    return event


@st.composite
def games(draw: st.DrawFn, *, ruled: bool = True) -> Small:
    events = draw(st.lists(_sends(), min_size=1, max_size=6))
    for number, event in enumerate(events):
        event["id"] = f"f{number}"
    for number in draw(st.lists(st.sampled_from(range(len(events))), max_size=2, unique=True)):
        first = events[number]
        at = max(pd.Timestamp(first["at"]), draw(_instants())) + pd.Timedelta(microseconds=1)
        edit = {
            "id": f"e{number}",
            "edits": first["id"],
            "at": at.isoformat(),
            "answers": draw(_ANSWERS[first["form"]]),
        }
        events.append({**edit, **draw(st.sampled_from([{}, {"seen": False}]))})
    if draw(st.booleans()):
        events.append({"withdraw": "f0", "at": draw(_instants()).isoformat()})
    for number, account in enumerate(draw(st.lists(st.sampled_from(["2等星", "3等星", "点数"]), max_size=2))):
        row = {"番号": f"{number}", "正式呼称": draw(st.sampled_from(PLAYERS)), "項目": account}
        row |= {
            "時刻": draw(_instants()).isoformat(),
            "増減": draw(st.sampled_from(["1", "2", "-1", "-1.5"])),
        }
        events.append({"input": "補正", "row": row, "at": "10-12 00:00:00"})
    stars = {
        name: {"stars": draw(st.sampled_from([{}, {"2": 1}, {"2": 1, "3": 1}, {"2": 2, "3": 2}]))}
        for name in PLAYERS
    }
    owners = draw(st.sampled_from([{}, {"甲": {"constellation": "竈座"}}]))
    run = ready(
        events,
        players=[{"name": name, "role": draw(ROLES)} for name in PLAYERS],
        constellations=CONSTELLATIONS,
        state={name: {**state, **owners.get(name, {})} for name, state in stars.items()},
    )
    facts = run.facts([])
    if ruled:
        entries = sorted(statuses(GAME.adjudicate(facts, LATER, plain_settings())))
        words = st.tuples(
            st.sampled_from(entries), st.sampled_from(["受理", "不受理", "保留", "自動"]), _instants()
        )
        for entry, word, at in draw(st.lists(words, max_size=2)) if entries else []:
            facts = decide(facts, (entry, word, at), confirmed=draw(st.booleans()))
    return Small(facts)


def _cases(outcome: Outcome) -> list[Case]:
    return list(outcome.extra.cases.values())


@given(game=games(), seed=st.integers(0, 99))
@laws
def test_the_order_of_the_rows_read_changes_nothing(game: Small, seed: int) -> None:
    mixed = shuffle_facts(game.facts, seed)
    assert comparable(Small(mixed).outcome()) == comparable(game.outcome())


@given(game=games())
@laws
def test_the_same_facts_give_the_same_outcome_and_stay_untouched(game: Small) -> None:
    before = [frame.copy() for frame in (game.facts.revisions, game.facts.inputs, game.facts.decisions)]
    assert comparable(game.outcome()) == comparable(game.outcome())
    for kept, frame in zip(
        before, (game.facts.revisions, game.facts.inputs, game.facts.decisions), strict=True
    ):
        pd.testing.assert_frame_equal(kept, frame)


def _read_keys(form: str, answers: dict[str, Any]) -> set[str]:
    module = signup if form == "signup" else replication
    return {key[0] for key in module.read_keys(answers, 2026)}


@given(game=games())
@laws
def test_every_content_ever_seen_has_its_entries_and_each_entry_one_verdict(game: Small) -> None:
    outcome = game.outcome()
    verdicts = outcome.verdicts
    assert verdicts["entry_id"].is_unique
    assert set(verdicts["effective"]) <= {
        "受理",
        "不受理",
        "差替",
        "期限後",
        "本人不一致",
        "対象外",
        "要確認",
        "未定",
        "保留",
    }
    found: dict[tuple[str, str, str], set[str]] = {}
    for form, response, revision, key in verdicts[["form", "response_id", "revision", "key"]].itertuples(
        index=False
    ):
        found.setdefault((form, response, revision), set()).add(key)
    seen = {
        (case.fate.entry.form, case.fate.entry.response_id, case.fate.entry.revision): case
        for case in _cases(outcome)
    }
    sent = game.facts.revisions
    assert set(found) == set(zip(sent["form"], sent["response_id"], sent["revision"], strict=True))
    for key, case in seen.items():
        assert found[key] == _read_keys(key[0], dict(case.fate.entry.answers))


@given(game=games())
@laws
def test_each_verdict_says_why_and_nobody_is_refused_without_a_reason(game: Small) -> None:
    for status, preview, reasons in (
        game.outcome().verdicts[["effective", "preview", "reasons"]].itertuples(index=False)
    ):
        assert reasons
        assert all(reason.text and "{" not in reason.text for reason in reasons)
        assert (preview != "") == (
            status == "未定" and reasons[0].code in ("not_yet", "waits") and preview != ""
        )


@given(game=games())
@laws
def test_at_most_one_entry_of_a_key_counts_with_or_without_masters(game: Small) -> None:
    for ruled, facts in (
        (True, game.facts),
        (False, game.facts._replace(decisions=game.facts.decisions.iloc[:0])),
    ):
        cases = _cases(Small(facts).outcome())
        counting = Counter(
            _key(case)
            for case in cases
            if (case.fate.effective if ruled else case.fate.machine) == "" and case.player
        )
        assert [key for key, number in counting.items() if number > 1] == []
        accepted = Counter(_key(case) for case in cases if case.outlook == "受理")
        assert [key for key, number in accepted.items() if number > 1] == []


def _add(facts: Facts, source: pd.Series, **changes: Any) -> Facts:
    row = {**source.to_dict(), "response_id": "extra", "revision": "extra", "withdrawn_at": pd.NaT, **changes}
    rows = [{str(k): v for k, v in old.items()} for old in facts.revisions.to_dict("records")]
    return facts._replace(revisions=build_frame([*rows, row], REVISIONS))


def _others(outcome: Outcome) -> dict[str, str]:
    mine = outcome.verdicts["response_id"].ne("extra")
    return statuses(outcome._replace(verdicts=outcome.verdicts.loc[mine]))


@given(game=games(), pick=st.integers(0, 5), late=_instants())
@laws
def test_a_late_form_changes_no_other_verdict(game: Small, pick: int, late: pd.Timestamp) -> None:
    """Sent anew after every limit it could meet, from whoever sent one before."""
    source = game.facts.revisions.iloc[pick % len(game.facts.revisions)]
    after = jst("10-18 23:59:59") + SECOND + (late - jst("10-12 22:00:00"))
    more = _add(game.facts, source, submitted_at=after, created_at=after, first_seen=after)
    outcome = Small(more).outcome()
    cases = outcome.extra.cases
    mine = outcome.verdicts["response_id"].eq("extra")
    # A day without a limit, or with one still to come, is met by no late form.
    open_keys = {
        _key(cases[entry])
        for entry in outcome.verdicts.loc[mine, "entry_id"]
        if cases[entry].machine != "期限後"
    }
    same = {entry for entry, case in cases.items() if _key(case) not in open_keys}
    before = statuses(game.outcome())
    assert _others(outcome).keys() == before.keys()
    assert {e: s for e, s in _others(outcome).items() if e in same} == {
        e: s for e, s in before.items() if e in same
    }


def _key(case: Case) -> tuple[str, str, str]:
    return case.fate.entry.form, case.player, case.fate.entry.rest


STRANGE = '{"exact":"0","folded":"0","sound":true,"blank":false}'


@given(
    game=games(),
    pick=st.integers(0, 5),
    at=_instants(),
    address=st.sampled_from(["p1@example.com", "x@example.com"]),
)
@laws
def test_a_form_that_proves_nobody_changes_no_other_verdict(
    game: Small, pick: int, at: pd.Timestamp, address: str
) -> None:
    source = game.facts.revisions.iloc[pick % len(game.facts.revisions)]
    answers = pd.Series([source["answers"]]).str.replace(
        r'"passphrase":\{[^}]*\}', f'"passphrase":{STRANGE}', regex=True
    )
    more = _add(
        game.facts,
        source,
        answers=answers.iat[0],
        submitted_at=at,
        created_at=at,
        first_seen=at,
        address=address,
    )
    outcome = Small(more).outcome()
    assert _others(outcome) == statuses(game.outcome())
    own = outcome.verdicts.loc[outcome.verdicts["response_id"].eq("extra")]
    # Before 正式呼称一覧 nothing is sent here, so that an unknown name is 本人不一致 too.
    assert set(own["effective"]) <= {"本人不一致", "不受理", "未定"}
    readable = [any(reason.code == "unreadable" for reason in reasons) for reasons in own["reasons"]]
    assert [
        s for s, flawed in zip(own["effective"], readable, strict=True) if s != "本人不一致" and not flawed
    ] == []


@given(
    game=games(ruled=False),
    pick=st.integers(0, 20),
    word=st.sampled_from(["受理", "不受理", "保留"]),
    at=_instants(),
)
@laws
def test_a_decision_taken_back_leaves_no_trace(game: Small, pick: int, word: str, at: pd.Timestamp) -> None:
    plain = game.outcome()
    entries = sorted(statuses(plain))
    entry = entries[pick % len(entries)]
    ruled = decide(game.facts, (entry, word, at), (entry, "自動", at + pd.Timedelta(hours=1)))
    assert comparable(Small(ruled).outcome()) == comparable(plain)


@given(
    game=games(ruled=False), pick=st.integers(0, 20), word=st.sampled_from(["不受理", "保留"]), at=_instants()
)
@laws
def test_a_refusal_by_masters_stands_and_revives_nothing(
    game: Small, pick: int, word: str, at: pd.Timestamp
) -> None:
    plain = statuses(game.outcome())
    entries = sorted(plain)
    entry = entries[pick % len(entries)]
    ruled = statuses(Small(decide(game.facts, (entry, word, at))).outcome())
    assert ruled[entry] == word
    revived = {
        other
        for other in entries
        if other != entry
        and ruled[other] != plain[other]
        and plain[other] in ("差替", "期限後", "本人不一致", "対象外")
    }
    assert revived == set()


@given(game=games(ruled=False), pick=st.integers(0, 20), at=_instants())
@laws
def test_an_acceptance_by_masters_stands_and_beats_its_key(game: Small, pick: int, at: pd.Timestamp) -> None:
    plain = game.outcome()
    known = [case for case in _cases(plain) if case.player]
    if not known:
        return
    chosen = sorted(known, key=lambda case: case.fate.entry.entry_id)[pick % len(known)]
    entry = chosen.fate.entry
    when = max(at, LAST)
    cases = Small(decide(game.facts, (entry.entry_id, "受理", when))).outcome().extra.cases
    assert cases[entry.entry_id].effective == "受理"
    rivals = [
        case.effective
        for other, case in cases.items()
        if other != entry.entry_id and _key(case) == _key(chosen)
    ]
    assert set(rivals) <= {"差替", "期限後", "本人不一致", "不受理"}
    assert "受理" not in rivals


@given(game=games(), first=st.integers(0, 8 * 24), second=st.integers(0, 8 * 24))
@laws
def test_what_is_decided_stays_as_time_goes_by(game: Small, first: int, second: int) -> None:
    """Without new facts time only decides what was open, and books it."""
    one = game.at(LAST + pd.Timedelta(hours=min(first, second)))
    two = game.at(LAST + pd.Timedelta(hours=max(first, second)))
    before, after = statuses(one), statuses(two)
    assert set(before) == set(after)
    assert {entry: after[entry] for entry, status in before.items() if status != "未定"} == {
        entry: status for entry, status in before.items() if status != "未定"
    }
    assert set(one.postings["posting_id"]) <= set(two.postings["posting_id"])
    assert set(_held(one)) <= set(_held(two))


@given(game=games(), hours=st.integers(0, 8 * 24))
@laws
def test_sums_up_to_an_instant_do_not_depend_on_when_one_asks(game: Small, hours: int) -> None:
    instant = LAST + pd.Timedelta(hours=hours)
    one, two = game.at(instant), game.at(LATER)
    if "未定" in statuses(one).values():
        # What is spent at 23:59:59 is booked once it is decided, a second later; all else is booked already.
        assert set(one.postings["posting_id"]) <= set(
            two.postings.loc[two.postings["at"] <= instant, "posting_id"]
        )
    else:
        past = two.postings.loc[two.postings["at"] <= instant].reset_index(drop=True)
        pd.testing.assert_frame_equal(one.postings, past)


def _held(outcome: Outcome) -> list[tuple[Any, ...]]:
    return list(outcome.holdings.itertuples(index=False, name=None))


@given(game=games(ruled=False))
@laws
def test_stars_are_spent_only_by_what_is_accepted_and_never_below_what_masters_took(game: Small) -> None:
    outcome = game.outcome()
    accepted = {entry for entry, status in statuses(outcome).items() if status == "受理"}
    spent = outcome.postings.loc[outcome.postings["rule"].eq("replication_cost")]
    assert set(spent["cause"]) <= accepted
    granted = outcome.holdings.loc[outcome.holdings["cause"].str.startswith("replication-")]
    assert set(granted["cause"]) == {entry for entry in accepted if entry.startswith("replication-")}
    for at, player, account in spent[["at", "player", "account"]].itertuples(index=False):
        rows = outcome.postings
        mine = rows.loc[rows["player"].eq(player) & rows["account"].eq(account) & (rows["at"] <= at)]
        opening = game.facts.opening.balances if game.facts.opening else {}
        assert opening.get((player, account), 0) + mine["amount"].sum() >= 0


@given(game=games())
@laws
def test_a_mail_goes_to_one_sorcerer_about_a_day_on_which_he_replicates_nothing(game: Small) -> None:
    outcome = game.outcome()
    mails = [task for task in outcome.tasks if task.kind == "mail"]
    assert len({task.task_id for task in mails}) == len(mails)
    cases = outcome.extra.cases
    for task in mails:
        about = [cases[cause] for cause in task.causes]
        assert {(case.player,) for case in about} == {task.to}
        assert {case.effective for case in about} <= {"不受理", "期限後"}
        days = {case.fate.entry.day for case in about}
        assert len(days) == 1
        same = [c.effective for c in cases.values() if c.player == task.to[0] and c.fate.entry.day in days]
        forms = [c for c in cases.values() if c.player == task.to[0] and c.fate.entry.form == "replication"]
        assert same
        assert "受理" not in [c.effective for c in forms if c.fate.entry.day in days]
        assert task.release is not None
        assert all(c.fate.decides_at <= task.release for c in about if c.effective == "不受理")
