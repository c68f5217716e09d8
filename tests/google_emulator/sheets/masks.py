"""Field masks over cells and other stored messages: what a request may change, and how a change is laid over.

Stored messages are never changed in place; `patched` makes a new one. Colours have two spellings that the service
keeps equal (`backgroundColor` and `backgroundColorStyle`), and so does this.
"""

from __future__ import annotations

import struct
from typing import Any

from tests.google_emulator import fields
from tests.google_emulator.sheets.defaults import THEME
from tests.google_emulator.sheets.refusal import RefusedError

Tree = dict[str, Any]
_TWINS = (
    "backgroundColor",
    "foregroundColor",
    "color",
    "tabColor",
    "headerColor",
    "firstBandColor",
    "secondBandColor",
    "footerColor",
)


def _twin(name: str) -> str:
    """The other spelling of a colour; `color` is `colorStyle`, banding's `headerColor` is `headerColorStyle`."""
    if name in _TWINS:
        return name + "Style"
    return (
        name.removesuffix("Style") if name.endswith("Style") and name.removesuffix("Style") in _TWINS else ""
    )


def read(mask: str | None, schema: str, root: str = "") -> Tree:
    """A mask as a tree, checked against the message it is about; `root` may stand before every path."""
    if not (mask or "").strip():
        raise RefusedError("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
    try:
        tree = fields.parse(mask or "")
        if root and set(tree) == {root}:
            tree = tree[root] or {"*": {}}
        fields.check("sheets.v4", schema, tree)
    except fields.MaskError as wrong:
        raise RefusedError(f"Invalid field: {wrong}") from None
    return {} if "*" in tree else tree


def touches(tree: Tree, name: str) -> bool:
    return not tree or name in tree


def below(tree: Tree, name: str) -> Tree:
    """The mask inside a field that the mask touches."""
    found: Tree = tree.get(name, {}) if tree else {}
    return found


def patched(target: dict[str, Any], source: dict[str, Any], tree: Tree) -> dict[str, Any]:
    """`target` with what the mask names taken from `source`; what `source` lacks is gone."""
    if not tree or "*" in tree:
        return dict(source)
    out = dict(target)
    for name, inner in tree.items():
        twin = _twin(name)
        if inner and not twin:
            given = source.get(name)
            had = out.get(name)
            new = patched(
                had if isinstance(had, dict) else {}, given if isinstance(given, dict) else {}, inner
            )
            if new or isinstance(given, dict):
                out[name] = new
            else:
                out.pop(name, None)
            continue
        for each in (name, twin) if twin else (name,):
            if each in source:
                out[each] = source[each]
            else:
                out.pop(each, None)
    return out


def single(number: Any) -> Any:
    """A number as a 32-bit float comes back: the shortest text that means the same one."""
    if isinstance(number, bool) or not isinstance(number, int | float):
        return number
    kept = struct.unpack("f", struct.pack("f", number))[0]
    for digits in range(1, 10):
        short = float(f"{kept:.{digits}g}")
        if struct.unpack("f", struct.pack("f", short))[0] == kept:
            return int(short) if short.is_integer() else short
    return kept


def color(value: dict[str, Any]) -> dict[str, Any]:
    """A colour without its zeros, in single precision."""
    kept = {name: single(part) for name, part in value.items() if part}
    if kept.get("alpha") == 1:
        del kept["alpha"]
    return kept


def evened(message: Any) -> Any:
    """A copy of a message in which both spellings of every colour are there and agree; the newer one wins."""
    if isinstance(message, list):
        return [evened(each) for each in message]
    if not isinstance(message, dict):
        return message
    out: dict[str, Any] = {}
    for name, value in message.items():
        plain = name.removesuffix("Style")
        if plain in _TWINS and isinstance(value, dict):
            style = message.get(plain + "Style")
            if style is None:
                style = {"rgbColor": message.get(plain, {})}
            _both(out, plain, style)
        else:
            out[name] = evened(value)
    return out


def _both(out: dict[str, Any], plain: str, style: dict[str, Any]) -> None:
    if "themeColor" in style:
        out[plain] = dict(THEME.get(style["themeColor"], {}))
        out[plain + "Style"] = {"themeColor": style["themeColor"]}
    else:
        out[plain] = color(style.get("rgbColor", {}))
        out[plain + "Style"] = {"rgbColor": dict(out[plain])}
