"""What every new spreadsheet comes with, as recorded from the service."""

from __future__ import annotations

import copy
from typing import Any

WHITE = {"red": 1, "green": 1, "blue": 1}


def _rgb(red: float, green: float, blue: float) -> dict[str, float]:
    return {name: part for name, part in (("red", red), ("green", green), ("blue", blue)) if part}


THEME = {
    "TEXT": {},
    "BACKGROUND": WHITE,
    "ACCENT1": _rgb(0.25882354, 0.52156866, 0.95686275),
    "ACCENT2": _rgb(0.91764706, 0.2627451, 0.20784314),
    "ACCENT3": _rgb(0.9843137, 0.7372549, 0.015686275),
    "ACCENT4": _rgb(0.20392157, 0.65882355, 0.3254902),
    "ACCENT5": _rgb(1, 0.42745098, 0.003921569),
    "ACCENT6": _rgb(0.27450982, 0.7411765, 0.7764706),
    "LINK": _rgb(0.06666667, 0.33333334, 0.8),
}
_TEXT = {
    "foregroundColor": {},
    "fontFamily": "arial,sans,sans-serif",
    "fontSize": 10,
    "bold": False,
    "italic": False,
    "strikethrough": False,
    "underline": False,
    "foregroundColorStyle": {"rgbColor": {}},
}
DEFAULT_FORMAT: dict[str, Any] = {
    "backgroundColor": WHITE,
    "padding": {"top": 2, "right": 3, "bottom": 2, "left": 3},
    "verticalAlignment": "BOTTOM",
    "wrapStrategy": "OVERFLOW_CELL",
    "textFormat": _TEXT,
    "backgroundColorStyle": {"rgbColor": WHITE},
}
# What a cell without a format of its own looks like: the same, with the font's own name and without an alignment,
# which follows the kind of value.
CELL_FORMAT: dict[str, Any] = {
    **DEFAULT_FORMAT,
    "textFormat": {**_TEXT, "fontFamily": "Arial"},
    "hyperlinkDisplayType": "PLAIN_TEXT",
}


def book_properties(title: str, own: dict[str, Any]) -> dict[str, Any]:
    """SpreadsheetProperties in the order in which the service writes them."""
    out: dict[str, Any] = {"title": title, "locale": own["locale"], "autoRecalc": own["autoRecalc"]}
    out["timeZone"] = own["timeZone"]
    for name in ("iterativeCalculationSettings", "importFunctionsExternalUrlAccessAllowed"):
        if own.get(name):
            out[name] = own[name]
    out["defaultFormat"] = copy.deepcopy(DEFAULT_FORMAT)
    out["spreadsheetTheme"] = own.get("spreadsheetTheme") or {
        "primaryFontFamily": "Arial",
        "themeColors": [
            {"colorType": kind, "color": {"rgbColor": dict(color)}} for kind, color in THEME.items()
        ],
    }
    return out
