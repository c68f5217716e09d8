"""輝流堕2026: the game as one value. Everything outside this package knows it through `GAME` only."""

from __future__ import annotations

from importlib.resources import files

from rules.game import Game
from rules.kanada.case import open_case, publish_row
from rules.kanada.forms import FORMS, is_sound_word
from rules.kanada.line import COLUMNS, list_rows
from rules.kanada.reasons import CATALOGUE, NOTES
from rules.kanada.review import OVERVIEW, account_label, instant_of, list_names, made_rows, overview, review
from rules.kanada.season import adjudicate
from rules.kanada.sheets import TABLES

GAME = Game(
    name="kanada",
    title="輝流堕2026",
    rulebook=str(files("rules.kanada") / "rulebook.yaml"),
    forms=FORMS,
    tables=TABLES,
    adjudicate=adjudicate,
    review=review,
    list_names=list_names,
    instant_of=instant_of,
    made_rows=made_rows,
    open_case=open_case,
    publish_row=publish_row,
    overview=overview,
    overview_header=OVERVIEW,
    line=list_rows,
    line_columns=COLUMNS,
    account_label=account_label,
    reasons={code: entry.status for code, entry in CATALOGUE.items()},
    rulings=tuple(NOTES),
    sound_word=is_sound_word,
    roster_table="名簿",
    player_column="正式呼称",
)
