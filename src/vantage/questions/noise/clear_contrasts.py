"""Values that are clearly false: no color, material, shape or name that somebody might rightly use for the true one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_ALIKE: dict[str, tuple[frozenset[str], ...]] = {
    "color": tuple(
        frozenset(pair)
        for pair in (
            ("red", "orange"),
            ("red", "pink"),
            ("red", "brown"),
            ("orange", "yellow"),
            ("orange", "brown"),
            ("orange", "pink"),
            ("pink", "purple"),
            ("purple", "blue"),
            ("brown", "black"),
            ("brown", "yellow"),
            ("gray", "black"),
            ("gray", "white"),
            ("green", "blue"),
            ("yellow", "white"),
        )
    ),
    "material": (
        frozenset({"ceramic", "glass", "porcelain", "china", "clay", "stone", "marble"}),
        frozenset({"fabric", "leather", "cloth", "cotton", "wool", "textile"}),
        frozenset({"metal", "steel", "iron", "aluminum", "brass", "silver", "copper"}),
        frozenset({"plastic", "rubber", "leather"}),
        frozenset({"plastic", "glass"}),
        frozenset({"plastic", "ceramic"}),
        frozenset({"plastic", "paper", "cardboard"}),
        frozenset({"wood", "bamboo", "wicker", "cardboard"}),
    ),
    "shape": (
        frozenset({"round", "spherical", "cylindrical", "oval"}),
        frozenset({"rectangular", "square", "cubic"}),
    ),
}
_CALLED_EITHER: tuple[frozenset[str], ...] = (
    frozenset({"rug", "mat", "carpet"}),
    frozenset({"bed", "futon"}),
    frozenset({"sofa", "futon"}),
    frozenset({"stove", "oven"}),
    frozenset({"microwave", "oven"}),
    frozenset({"fridge", "freezer"}),
    frozenset({"kettle", "teapot"}),
    frozenset({"pot", "pan", "wok"}),
    frozenset({"bin", "bucket", "basket", "laundry basket"}),
    frozenset({"bucket", "pot"}),
    frozenset({"cabinet", "cupboard", "sideboard", "dresser", "counter", "television stand"}),
    frozenset({"cabinet", "cupboard", "wardrobe"}),
    frozenset({"cabinet", "dresser", "nightstand"}),
    frozenset({"bookshelf", "shelf", "rack", "shoe rack"}),
    frozenset({"cart", "rack", "shelf"}),
    frozenset({"table", "desk"}),
    frozenset({"stool", "ottoman"}),
    frozenset({"mug", "cup"}),
    frozenset({"glass", "cup"}),
    frozenset({"cup", "bowl"}),
    frozenset({"jug", "pitcher", "jar", "vase"}),
    frozenset({"can", "jar", "paint can"}),
    frozenset({"bottle", "shampoo", "soap dispenser", "spray bottle", "thermos"}),
    frozenset({"plate", "saucer"}),
    frozenset({"book", "binder", "notebook", "folder", "magazine"}),
    frozenset({"laptop", "computer", "tablet"}),
    frozenset({"television", "monitor", "computer"}),
    frozenset({"phone", "telephone"}),
    frozenset({"radio", "speaker"}),
    frozenset({"suitcase", "briefcase", "toolbox"}),
    frozenset({"crate", "box", "chest", "toolbox", "safe"}),
    frozenset({"hat", "cap"}),
    frozenset({"picture", "poster"}),
    frozenset({"blanket", "quilt", "towel", "cloth"}),
    frozenset({"lamp", "lantern"}),
    frozenset({"candle", "candlestick"}),
    frozenset({"shoe", "slipper", "boots"}),
    frozenset({"ball", "football"}),
    frozenset({"backpack", "bag", "handbag"}),
    frozenset({"bear", "doll"}),
    frozenset({"doll", "robot", "statue", "decoration"}),
)
_KNOWN = {attribute: frozenset().union(*groups) for attribute, groups in _ALIKE.items()}


def alike(attribute: str, one: str, other: str) -> bool:
    """Whether two values of an attribute can be said of the same object."""
    return one == other or any(one in group and other in group for group in _ALIKE[attribute])


def called_either(one: str, other: str) -> bool:
    """Whether the same object may be called by both nouns, though dictionaries keep them apart: a rug and a mat."""
    return any(one in group and other in group for group in _CALLED_EITHER)


def clearly_other(attribute: str, true: str, values: Iterable[str], also: Collection[str] = ()) -> list[str]:
    """Those of ``values`` that nobody would say of an object with the true one.

    Args:
        also: further values that are true of objects that could be meant.
    """
    if true not in _KNOWN.get(attribute, ()):
        return []
    return [value for value in values if not any(alike(attribute, value, right) for right in (true, *also) if right)]
