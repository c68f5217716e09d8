"""Which fields of a message exclude each other: the services check it, the discovery documents do not say it."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from json import loads


@lru_cache
def _kinds(api: str, schema: str) -> frozenset[str]:
    text = (files("googleapiclient.discovery_cache") / "documents" / f"{api}.json").read_text("utf-8")
    return frozenset(loads(text)["schemas"][schema]["properties"])


ITEM_KINDS = ("questionItem", "questionGroupItem", "pageBreakItem", "textItem", "imageItem", "videoItem")
QUESTION_KINDS = (
    "choiceQuestion",
    "dateQuestion",
    "fileUploadQuestion",
    "ratingQuestion",
    "rowQuestion",
    "scaleQuestion",
    "textQuestion",
    "timeQuestion",
)
_LOCATION = ("dimensionRange", "sheetId", "spreadsheet")

UNIONS: dict[tuple[str, str], dict[str, tuple[str, ...] | frozenset[str]]] = {
    ("forms.v1", "Request"): {"kind": _kinds("forms.v1", "Request")},
    ("forms.v1", "Item"): {"kind": ITEM_KINDS},
    ("forms.v1", "Question"): {"kind": QUESTION_KINDS},
    ("forms.v1", "WriteControl"): {"control": ("requiredRevisionId", "targetRevisionId")},
    ("forms.v1", "ExtraMaterial"): {"content": ("link", "video")},
    ("forms.v1", "Option"): {"go_to_section": ("goToAction", "goToSectionId")},
    ("sheets.v4", "Request"): {"kind": _kinds("sheets.v4", "Request")},
    ("sheets.v4", "ExtendedValue"): {"value": _kinds("sheets.v4", "ExtendedValue")},
    ("sheets.v4", "DataFilter"): {"filter": ("a1Range", "developerMetadataLookup", "gridRange")},
    ("sheets.v4", "DataFilterValueRange"): {},
    ("sheets.v4", "ColorStyle"): {"kind": ("rgbColor", "themeColor")},
    ("sheets.v4", "ConditionalFormatRule"): {"rule": ("booleanRule", "gradientRule")},
    ("sheets.v4", "DeveloperMetadataLocation"): {"location": _LOCATION},
    ("sheets.v4", "ConditionValue"): {"value": ("relativeDate", "userEnteredValue")},
}
