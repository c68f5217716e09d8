"""What an item must be to enter a form, and the form in which it is kept: ids given, defaults gone, pictures fetched."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from tests.google_emulator.errors import invalid
from tests.google_emulator.forms.grading import hold_grading
from tests.google_emulator.forms.model import Form, Json, questions_of, without_defaults
from tests.google_emulator.unions import ITEM_KINDS, QUESTION_KINDS
from tests.google_emulator.world import World

_ID = re.compile(r"^[A-Za-z0-9_-]{1,64}$")
_VIDEO_HOSTS = ("www.youtube.com", "youtube.com", "m.youtube.com", "youtu.be", "www.youtube-nocookie.com")
_NAVIGATING = ("RADIO", "DROP_DOWN")


def displayed(text: str) -> str:
    """A title, a label, a choice: one line."""
    if "\n" in text or "\r" in text:
        raise invalid("Displayed text cannot contain newlines")
    return text


def admit(item: Json, form: Form, world: World, used: set[str], old: Json | None = None) -> Json:
    """The item as it will be kept; 400 where the service would refuse it. `used` are ids it must not take."""
    item = copy.deepcopy(item)
    kinds = [kind for kind in ITEM_KINDS if kind in item]
    if len(kinds) != 1:
        raise invalid("The item must have exactly one kind set.")
    displayed(item.get("title", ""))
    _hold_questions(item, old)
    for holder in _images(item):
        holder["image"] = _image(holder["image"], world)
    if "videoItem" in item:
        _hold_video(item["videoItem"])
    for question in questions_of(item):
        hold_grading(item, question, form.quiz)
    kept: Json = without_defaults(item)
    _give_ids(kept, world, used)
    return _in_order(kept)


def _in_order(item: Json) -> Json:
    """itemId, title, description, then the kind: the order in which the service prints an item."""
    first = {name: item[name] for name in ("itemId", "title", "description") if name in item}
    for question in questions_of(item):
        rest = {name: question.pop(name) for name in list(question) if name != "questionId"}
        question.update(rest)
    return {**first, **{name: each for name, each in item.items() if name not in first}}


def _give_ids(item: Json, world: World, used: set[str]) -> None:
    for holder, name in [(item, "itemId"), *((question, "questionId") for question in questions_of(item))]:
        given = holder.get(name, "")
        if given and (not _ID.match(given) or given in used):
            raise invalid(f"Invalid ID: {given} is not valid or is already used in the form.")
        if not given:
            given = next(made for made in iter(world.ids.hexadecimal, "") if made not in used)
        used.add(given)
        holder[name] = given


def _hold_questions(item: Json, old: Json | None) -> None:
    if "questionItem" in item:
        if "question" not in item["questionItem"]:
            raise invalid("The question must be set.")
        _hold_question(item["questionItem"]["question"], old)
    if "questionGroupItem" in item:
        _hold_grid(item["questionGroupItem"])


def _hold_question(question: Json, old: Json | None) -> None:
    kinds = [kind for kind in QUESTION_KINDS if kind in question]
    if len(kinds) != 1:
        raise invalid("The question must have exactly one kind set.")
    kind, wanted = kinds[0], question[kinds[0]]
    if kind == "rowQuestion":
        raise invalid("A row question must be part of a question group.")
    if kind == "fileUploadQuestion":
        if not any("fileUploadQuestion" in each for each in questions_of(old or {})):
            raise invalid("Creating file upload questions is not supported.")
    elif kind == "choiceQuestion":
        hold_choices(wanted, in_grid=False)
    elif kind == "scaleQuestion":
        low, high = wanted.get("low", 0), wanted.get("high", 0)
        if low not in (0, 1) or not 2 <= high <= 10:
            raise invalid("Invalid scale: low must be 0 or 1, high must be between 2 and 10.")
        for label in ("lowLabel", "highLabel"):
            displayed(wanted.get(label, ""))
    elif kind == "ratingQuestion":
        if wanted.get("iconType", "RATING_ICON_TYPE_UNSPECIFIED") == "RATING_ICON_TYPE_UNSPECIFIED":
            raise invalid("The rating icon type must be specified.")
        if not 3 <= wanted.get("ratingScaleLevel", 0) <= 10:
            raise invalid("The rating scale level must be between 3 and 10.")


def hold_choices(choice: Json, in_grid: bool) -> None:
    kind, options = choice.get("type", "CHOICE_TYPE_UNSPECIFIED"), choice.get("options", [])
    if kind == "CHOICE_TYPE_UNSPECIFIED":
        raise invalid("The choice question type must be specified.")
    if in_grid and kind == "DROP_DOWN":
        raise invalid("Only CHECKBOX and RADIO choices are allowed in a grid.")
    if not options:
        raise invalid("A choice question must have at least one option.")
    values = [displayed(option.get("value", "")) for option in options if not option.get("isOther")]
    if not all(values):
        raise invalid("Option value must not be empty.")
    if len(set(values)) < len(values):
        raise invalid("Duplicate option values are not allowed.")
    for option in options:
        _hold_option(option, kind, in_grid)
    if sum(bool(option.get("isOther")) for option in options) > 1:
        raise invalid("Only one option can have isOther set.")


def _hold_option(option: Json, kind: str, in_grid: bool) -> None:
    if option.get("isOther"):
        if in_grid or kind == "DROP_DOWN":
            raise invalid("The isOther option is only allowed for RADIO and CHECKBOX questions.")
        if option.get("value"):
            raise invalid("Cannot set option.value when isOther is true")
    leads = option.get("goToSectionId") or option.get("goToAction", "GO_TO_ACTION_UNSPECIFIED")
    if leads != "GO_TO_ACTION_UNSPECIFIED" and (in_grid or kind not in _NAVIGATING):
        raise invalid("Section navigation is only allowed for RADIO and DROP_DOWN questions.")
    if option.get("goToAction") == "GO_TO_ACTION_UNSPECIFIED":
        del option["goToAction"]


def _hold_grid(group: Json) -> None:
    questions = group.get("questions", [])
    if "grid" not in group:
        raise invalid("The question group must have a kind set.")
    if "columns" not in group["grid"]:
        raise invalid("The grid must have columns.")
    hold_choices(group["grid"]["columns"], in_grid=True)
    if not questions:
        raise invalid("The question group must have at least one question.")
    if any(set(QUESTION_KINDS) & set(question) != {"rowQuestion"} for question in questions):
        raise invalid("All questions in a grid must be row questions.")
    titles = [displayed(question["rowQuestion"].get("title", "")) for question in questions]
    if not all(titles):
        raise invalid("A row question must have a title.")
    if len(set(titles)) < len(titles):
        raise invalid("Duplicate row titles are not allowed.")


def _images(item: Json) -> Iterable[Json]:
    """Every place of an item that holds a picture."""
    holders = [item.get(kind, {}) for kind in ("imageItem", "questionItem", "questionGroupItem")]
    for question in questions_of(item):
        holders += question.get("choiceQuestion", {}).get("options", [])
    found = [holder for holder in holders if "image" in holder]
    if "imageItem" in item and "image" not in item["imageItem"]:
        raise invalid("The image must be set.")
    return found


def _image(image: Json, world: World) -> Json:
    """A picture is fetched once and then served from an address of the service's own."""
    kept = {name: each for name, each in image.items() if name not in ("sourceUri", "contentUri")}
    source = image.get("sourceUri", "")
    if source:
        if urlsplit(source).scheme not in ("http", "https") or not urlsplit(source).netloc:
            raise invalid("The image source URI is not valid.")
        content = f"https://lh3.googleusercontent.com/emulator/{world.ids.file()}"
    else:
        content = image.get("contentUri", "")
    if not content:
        raise invalid("The image source URI must be set.")
    properties = kept.setdefault("properties", {})
    _hold_media(properties)
    properties.setdefault("alignment", "LEFT")
    return {"contentUri": content, **kept}


def _hold_media(properties: Json) -> None:
    if not 0 <= properties.get("width", 0) <= 740:
        raise invalid("The media width must be between 0 and 740.")
    if properties.get("alignment") == "ALIGNMENT_UNSPECIFIED":
        raise invalid("The media alignment must be specified.")


def _hold_video(holder: Json) -> None:
    video = holder.get("video", {})
    address = video.get("youtubeUri", "")
    if not address:
        raise invalid("The YouTube URI must be set.")
    if urlsplit(address if "//" in address else f"//{address}").netloc not in _VIDEO_HOSTS:
        raise invalid("The YouTube URI is not valid.")
    _hold_media(video.get("properties", {}))
    displayed(holder.get("caption", ""))
