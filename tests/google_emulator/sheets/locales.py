"""How locales differ where a spreadsheet notices: order of a date, separators, currency, and default patterns."""

from __future__ import annotations

import re
from typing import NamedTuple


class Locale(NamedTuple):
    order: str
    date: str
    date_time: str
    time: str
    decimal: str = "."
    group: str = ","
    currency: str = "$"
    after: bool = False


_ISO_TIME, _HALF_DAY = "h:mm:ss", "h:mm:ss am/pm"
_KNOWN = {
    "en_US": Locale("mdy", "M/d/yyyy", "M/d/yyyy H:mm:ss", _HALF_DAY),
    "en_GB": Locale("dmy", "dd/MM/yyyy", "dd/MM/yyyy HH:mm:ss", "HH:mm:ss", currency="£"),
    "en_CA": Locale("ymd", "yyyy-MM-dd", "yyyy-MM-dd h:mm:ss", _HALF_DAY),
    "en_AU": Locale("dmy", "dd/MM/yyyy", "dd/MM/yyyy H:mm:ss", _HALF_DAY),
    "ja_JP": Locale("ymd", "yyyy/MM/dd", "yyyy/MM/dd H:mm:ss", "H:mm:ss", currency="¥"),
    "zh_CN": Locale("ymd", "yyyy/M/d", "yyyy/M/d H:mm:ss", "H:mm:ss", currency="¥"),
    "ko_KR": Locale("ymd", "yyyy. M. d", "yyyy. M. d H:mm:ss", "H:mm:ss", currency="₩"),
    "de_DE": Locale("dmy", "dd.MM.yyyy", "dd.MM.yyyy HH:mm:ss", "HH:mm:ss", ",", ".", "€", True),
    "fr_FR": Locale("dmy", "dd/MM/yyyy", "dd/MM/yyyy HH:mm:ss", "HH:mm:ss", ",", "\u202f", "€", True),
    "es_ES": Locale("dmy", "d/M/yyyy", "d/M/yyyy H:mm:ss", "H:mm:ss", ",", ".", "€", True),
    "it_IT": Locale("dmy", "dd/MM/yyyy", "dd/MM/yyyy H.mm.ss", "H.mm.ss", ",", ".", "€", True),
    "pt_BR": Locale("dmy", "dd/MM/yyyy", "dd/MM/yyyy HH:mm:ss", "HH:mm:ss", ",", ".", "R$"),
    "ru_RU": Locale("dmy", "dd.MM.yyyy", "dd.MM.yyyy H:mm:ss", "H:mm:ss", ",", "\u00a0", "₽", True),
}
_LANGUAGES = {name.split("_")[0]: name for name in reversed(_KNOWN)}


# Languages that spreadsheets speak; a country may follow each.
_SPOKEN = frozenset(
    [
        "af",
        "am",
        "ar",
        "az",
        "be",
        "bg",
        "bn",
        "bs",
        "ca",
        "cs",
        "cy",
        "da",
        "de",
        "el",
        "en",
        "es",
        "et",
        "eu",
        "fa",
        "fi",
        "fil",
        "fr",
        "ga",
        "gl",
        "gu",
        "he",
        "hi",
        "hr",
        "hu",
        "hy",
        "id",
        "in",
        "is",
        "it",
        "iw",
        "ja",
        "ka",
        "kk",
        "km",
        "kn",
        "ko",
        "ky",
        "lo",
        "lt",
        "lv",
        "mk",
        "ml",
        "mn",
        "mr",
        "ms",
        "my",
        "nb",
        "ne",
        "nl",
        "nn",
        "no",
        "or",
        "pa",
        "pl",
        "ps",
        "pt",
        "ro",
        "ru",
        "si",
        "sk",
        "sl",
        "sq",
        "sr",
        "sv",
        "sw",
        "ta",
        "te",
        "th",
        "tl",
        "tr",
        "uk",
        "ur",
        "uz",
        "vi",
        "zh",
        "zu",
    ]
)
_NAME = re.compile(r"([a-z]{2,3})(_[A-Z]{2})?")


def known(locale: str) -> bool:
    """Whether a spreadsheet can be given this locale."""
    found = _NAME.fullmatch(locale)
    return bool(found) and found[1] in _SPOKEN


def of(locale: str) -> Locale:
    """The locale's habits; a language alone, or an unknown country, follows its language, the rest en_US."""
    if locale in _KNOWN:
        return _KNOWN[locale]
    return _KNOWN[_LANGUAGES.get(locale.split("_")[0], "en_US")]


MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
JAPANESE_DAYS = ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日")
