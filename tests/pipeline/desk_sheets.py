"""Small sheets for the tests of the desk."""

from __future__ import annotations

from connectors.base import ColumnLook
from pipeline.desk import ReviewRow, ReviewTab, digest_row
from rules.frames import Finding

TAB = ReviewTab(
    "申込",
    (
        ColumnLook("対応", owner="key"),
        ColumnLook("判定"),
        ColumnLook("裁定", owner="master"),
        ColumnLook("メモ", owner="master"),
        ColumnLook("反映"),
        ColumnLook("受付ID"),
    ),
)
BANNER_TAB = TAB._replace(title="要確認", banner=True)
HEAD = list(TAB.headers)
NO_TWIN = TAB._replace(columns=TAB.columns[:5], twin="")


def row(key: str, ruling: str = "", memo: str = "", verdict: str = "未定", run: str = "r1") -> list[str]:
    return [key, verdict, ruling, memo, run, key]


def said(ruling: str = "", memo: str = "") -> dict[str, str]:
    return {"裁定": ruling, "メモ": memo}


def half(key: str, verdict: str = "未定", run: str = "r1") -> dict[str, str]:
    return {"判定": verdict, "反映": run, "受付ID": key}


def entries(*keys: str, verdict: str = "未定") -> list[ReviewRow]:
    return [ReviewRow(key, {"判定": verdict}) for key in keys]


def digests(*keys: str) -> dict[str, str]:
    return {key: digest_row({"判定": f"判定{key}"}, TAB) for key in keys}


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]
