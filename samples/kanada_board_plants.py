"""The posts of the sample's board that no attack form goes with: corrections, observations, astrology, talk.

Promises: every line of PLANTS names a line of POSTS. Refuses to know: numbers, and what photographs show.
"""

from __future__ import annotations

from typing import NamedTuple

from kanada_forms import Plant
from kanada_raid_plants import CORRECTION, REPORT


class Post(NamedTuple):
    """One post; a body with {} takes the number of the post that it is `about`."""

    label: str
    at: str
    name: str
    title: str
    body: str
    size: str = "中"
    image: str = "あり"
    about: str = ""


_SEE, _AGAIN, _STARS = "観測", "再観測", "占星"
_FIX = "［{}］番で報告された襲撃報告を訂正します。"
_NONE = "なし"

POSTS = (
    Post("see-1", "10-12 07:18:42", "三毛猫大佐", _SEE, "三毛猫大佐が観測！", "大"),
    Post("see-2", "10-12 08:03:55", "望遠鏡おじさん@坂の上", _SEE, "望遠鏡おじさんが観測！"),
    Post("stars-1", "10-12 08:44:10", "紙ひこうき", _STARS, "今日の運勢は北北西。白いものを空へ", "小", _NONE),
    Post("not-title", "10-12 10:20:31", "がらくた船長", "襲撃", "がらくた船長が望遠鏡おじさんを襲撃！"),
    Post("talk-1", "10-12 11:05:09", "ゼロヨン＠早起き", "無題", "もう髙梨さんに会いました。皆さん速い", "中", _NONE),
    Post("see-3", "10-12 12:40:27", "砂糖細工", _SEE, "砂糖細工が観測！", "小"),
    Post("no-form", "10-12 16:44:20", "十六夜ポスト", REPORT, "十六夜ポストがらくがき帳を襲撃！"),
    Post("see-4", "10-12 21:33:18", "ミントティー@夜更かし", _SEE, "ミントティーが観測！", "大"),
    Post("blank-image", "10-13 07:41:03", "ぽんかん", _SEE, "ぽんかんが観測！", "中", _NONE),
    Post("see-5", "10-13 08:12:36", "うみほたる", _SEE, "うみほたるが観測！"),
    Post("after-window", "10-13 09:00:00", "十六夜ポスト", _SEE, "十六夜ポストが観測！", "大"),
    Post("third-1", "10-13 09:14:20", "Nocturne", CORRECTION, f"{_FIX}Nocturneが図書室の幽霊を襲撃！",
         about="third-name"),
    Post("second-correction", "10-13 09:17:48", "Nocturne", CORRECTION,
         f"{_FIX}Nocturneが図書室の幽霊を襲撃しました！", about="third-name"),
    Post("correction", "10-13 10:37:12", "砂糖細工", CORRECTION, f"{_FIX}砂糖細工がルーペを襲撃！",
         about="corrected"),
    Post("late-correction", "10-13 11:16:31", "うみほたる", CORRECTION, f"{_FIX}うみほたるが望遠鏡おじさんを襲撃！",
         about="wrong-victim"),
    Post("see-again", "10-13 11:24:50", "ぽんかん", _AGAIN, "ぽんかんが再観測！"),
    Post("stars-2", "10-13 12:02:14", "地層女子", _STARS, "古い地層ほど青い。空も同じと聞きました", "中", _NONE),
    Post("name-for-title", "10-13 12:31:45", "観測", "らくがき帳", "らくがき帳が観測！"),
    Post("see-6", "10-13 12:34:08", "らくがき帳", _SEE, "らくがき帳が観測！", "小"),
    Post("talk-2", "10-13 22:40:11", "Dr.パセリ@マスターの弟子", "落とし物",
         "噴水前で鈴を拾いました。\n持ち主は声をかけてください", "大", _NONE),
    Post("before-dawn", "10-14 04:59:59", "鉄塔のモグラ", _STARS, "地下から見た北極星の話をひとつ", "中", _NONE),
    Post("see-7", "10-14 07:55:29", "灰色のソナタ", _SEE, "灰色のソナタが観測！", "大"),
    Post("see-7-again", "10-14 08:20:02", "灰色のソナタ", _SEE, "灰色のソナタが観測！", "中"),
    Post("stars-3", "10-14 12:15:37", "雨宿り＠軒先", _STARS, "傘を三つ数えて待つ", "中", _NONE),
    Post("see-8", "10-14 21:40:56", "朝凪", _SEE, "朝凪が観測！"),
    Post("see-9", "10-15 07:09:13", "夜　汽車", _SEE, "夜　汽車が観測！", "小"),
    Post("see-9-fixed", "10-15 07:31:40", "夜　汽車", "観測訂正",
         "［{}］番で報告された観測を訂正します。夜　汽車が観測！", "大", about="see-9"),
    Post("talk-3", "10-15 11:58:20", "ルーペ@拡大中", "襲撃報告ではありません", "落ち葉の写真を置いておきます", "小"),
    Post("see-10", "10-15 21:22:31", "Quartz", _SEE, "Quartzが観測！"),
    Post("stars-4", "10-15 22:10:05", "ペンギン急行", _STARS, "南の星は逆さまに昇る。切符は片道", "中", _NONE),
    Post("see-11", "10-16 08:38:17", "髙梨ノイズ", _SEE, "髙梨ノイズが観測！", "大"),
    Post("see-12", "10-16 11:49:33", "がらくた船長", _SEE, "がらくた船長が観測！"),
    Post("talk-4", "10-16 12:16:48", "ミント", "無題", "地層女子さんを探しています。見た人いますか", "中", _NONE),
)  # fmt: skip


def _later(label: str, kind: str, note: str) -> Plant:
    return Plant("board", label, "", kind, "", note=note)


# Observations and astrology hang on the masters' columns or on rules that are told here in words only.
PLANTS = (
    _later("blank-image", "observation_without_image", "画像のない観測（不受理 no_image）"),
    _later(
        "see-again", "observation_again_after_refusal", "不受理の後の再観測。顔・条件・アングルの欄による"
    ),
    _later("after-window", "observation_one_second_late", "第一観測時間の1秒後（対象外 wrong_window、A-45）"),
    _later("see-7-again", "second_observation_in_window", "同じ観測時間の2つ目（対象外 second_post、A-52）"),
    _later("see-9-fixed", "observation_corrected", "文字の大きさを直した訂正。元の投稿は差替"),
    _later("stars-2", "scholars_astrology", "学者の占星（対象外 role）"),
    _later("before-dawn", "astrology_one_second_early", "占星条件の公開の1秒前（対象外 too_early、A-45）"),
    _later(
        "name-for-title", "title_in_the_name", "名前と題名を入れ違えた投稿。報告ではなく、所見 breach が付く"
    ),
)
